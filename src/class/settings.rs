//! Reads and writes `class.toml`, the settings of a class that a person edits.

use super::folder::{ClassFolder, LARGEST_SETTINGS, read_at_most};
use super::late::{LateRule, PenaltyBase, Percentage, parse_lateness};
use crate::run::{GradeRequest, Submissions};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use keur_core::case::keys::{Key, LIMITS, Shape, key};
use keur_core::case::reader::{self, Entry};
use keur_core::case::schema;
use keur_core::case::{Diagnostic, FileErrors, Library, LimitsPatch, did_you_mean, limits};
use keur_core::judge::Settings;
use keur_core::languages;
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_sandbox::Tier;
use std::fmt::Write;
use std::io;
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// The keys of `class.toml`.
const CLASS: &[Key] = &[
    key("title", "The title of the class on its page and in reports", Shape::Text),
    key("lang", "The language of reports; that of the exercise by default", Shape::Choice(Lang::NAMES)),
    key(
        "exercise",
        "The exercise that all submissions answer, or \"any\" if each may answer another one; that of the first ones by default",
        Shape::Text,
    ),
    key("rulings", "Whether the cases that depend on a ruling count too", Shape::Bool),
    key("engine", "The engine of JavaScript; node by default", Shape::Text),
    key(
        "confine",
        "How strictly submissions are confined; a tier below the default of the machine must also be given to each run",
        Shape::Choice(Tier::NAMES),
    ),
    LIMITS,
    key("late", "What handing in late costs", Shape::Table(LATE)),
];

/// The keys of `[late]`.
const LATE: &[Key] = &[
    key(
        "due",
        "When submissions are due, for students without a date in the roster; a time without a zone is UTC, and a date without a \
         time is its end",
        Shape::DateTime,
    ),
    key("grace", "How late costs nothing, such as \"15min\"", Shape::Text),
    key(
        "per_day",
        "The share that each day costs, also one that has only begun, such as \"10%\"",
        Shape::Text,
    ),
    key("at_most", "The most that it costs, such as \"50%\"", Shape::Text),
    key("nothing_after", "How late earns nothing at all, such as \"7d\"", Shape::Text),
    key(
        "of",
        "What the shares are taken of: the highest possible grade, which is the default, or what is earned",
        Shape::Choice(PenaltyBase::NAMES),
    ),
];

/// The exercise that the submissions of a class answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassExercise {
    /// All answer the exercise of this name.
    Only(String),
    /// Each answers the one that it looks like.
    Any,
}

impl ClassExercise {
    /// The word for [`ClassExercise::Any`].
    const ANY: &str = "any";

    /// Reads the name of an exercise, or `any`.
    pub fn from_name(name: &str) -> ClassExercise {
        if name == ClassExercise::ANY { ClassExercise::Any } else { ClassExercise::Only(name.to_owned()) }
    }

    /// The name of the only one.
    pub fn only(&self) -> Option<&str> {
        match self {
            ClassExercise::Only(name) => Some(name),
            ClassExercise::Any => None,
        }
    }

    fn text(&self) -> &str {
        self.only().unwrap_or(ClassExercise::ANY)
    }
}

/// The settings of a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassSettings {
    /// The title of reports.
    pub title: Option<String>,
    /// The language of reports; that of the exercise by default.
    pub lang: Option<Lang>,
    /// The exercise that all submissions answer; by default found from the first ones, which must agree.
    pub exercise: Option<ClassExercise>,
    /// Whether the cases that depend on a ruling count too.
    pub rulings: bool,
    /// The engine of a language that has several, as `--engine` names it.
    pub engine: Option<&'static str>,
    /// How strictly submissions are confined.
    pub confine: Option<Tier>,
    /// Limits above those of the exercise and the case.
    pub limits: LimitsPatch,
    /// The cost of handing in late; nothing by default.
    pub late: Option<LateRule>,
}

/// A reason why the settings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file has errors.
    #[error("{0}")]
    Bad(FileErrors),
    /// The file cannot be read: what, where, and what to do.
    #[error("{0}")]
    Unreadable(String),
    /// The setting asks for less confinement than this machine gives by default; the text says what to do.
    #[error("{0}")]
    Weaker(String),
}

impl ClassSettings {
    /// Reads the settings of the class in a folder.
    ///
    /// # Errors
    /// The file cannot be read, or has errors.
    pub fn read(folder: &ClassFolder) -> Result<ClassSettings, SettingsError> {
        let (shown, source) = ClassSettings::source(folder)?;
        ClassSettings::parse(&shown, &source).map_err(SettingsError::Bad)
    }

    /// Whether these are the settings of a class that has `stored`, whose exercise may have been found from
    /// its submissions.
    pub fn are_those_of(&self, stored: &ClassSettings) -> bool {
        let exercise = self.exercise.clone().or_else(|| stored.exercise.clone());
        ClassSettings { exercise, ..self.clone() } == *stored
    }

    /// The text of the class's `class.toml`, which names no exercise, with this one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn with_exercise(folder: &ClassFolder, name: &str) -> Result<String, SettingsError> {
        let (_, source) = ClassSettings::source(folder)?;
        // A key before all tables is one of the file.
        Ok(format!("exercise = {}\n{source}", quoted(name)))
    }

    /// The path of a class's `class.toml` for messages, and its text.
    fn source(folder: &ClassFolder) -> Result<(String, String), SettingsError> {
        let path = folder.settings();
        let shown = path.display().to_string();
        let text = read_at_most(&path, LARGEST_SETTINGS)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let source = text.map_err(|error| {
            let help = "the folder of a class has one; `keur class init` makes it";
            SettingsError::Unreadable(format!("{shown}: cannot be read: {error}; {help}"))
        })?;
        Ok((shown, source))
    }

    /// Reads settings from `source`; errors call the file `path`.
    ///
    /// # Errors
    /// All errors in the file.
    pub fn parse(path: &str, source: &str) -> Result<ClassSettings, FileErrors> {
        let (table, mut errors) = reader::read(source, CLASS);
        let text = |key| reader::text(&table, key);
        let settings = ClassSettings {
            title: text("title").map(str::to_owned),
            lang: text("lang").and_then(Lang::from_name),
            exercise: text("exercise").map(ClassExercise::from_name),
            rulings: reader::truth(&table, "rulings"),
            engine: engine(&table, &mut errors),
            confine: text("confine").and_then(Tier::from_name),
            limits: limits(&table, &mut errors),
            late: late(&table, &mut errors),
        };
        if errors.is_empty() { Ok(settings) } else { Err(FileErrors::new(path, source, errors)) }
    }

    /// The name of the exercise that all submissions answer.
    pub fn only_exercise(&self) -> Option<&str> {
        self.exercise.as_ref().and_then(ClassExercise::only)
    }

    /// The tier of a run for which `asked` was given on the command line.
    ///
    /// # Errors
    /// The tier would be weaker than that of this machine, and the command line does not ask for that.
    pub fn tier(&self, asked: Option<Tier>) -> Result<Tier, SettingsError> {
        match (asked, self.confine) {
            (Some(tier), _) => Ok(tier),
            (None, Some(weaker)) if weaker < Tier::default() => Err(SettingsError::Weaker(format!(
                "class.toml: `confine = \"{0}\"` confines submissions less than this machine does by default, and a class may come \
                 from somebody else; give --confine {0} to each run if you trust its submissions, or remove that line",
                weaker.name()
            ))),
            (None, tier) => Ok(tier.unwrap_or_default()),
        }
    }

    /// A request that grades as the class in a folder says. Its submissions are the tasks of a run.
    pub fn request(&self, folder: &ClassFolder) -> GradeRequest {
        let mut request = GradeRequest::new(Submissions {
            strangers: vec![folder.submissions()],
            ..Submissions::default()
        });
        request.library = Library::Folder(folder.cases());
        request.exercise = self.only_exercise().map(str::to_owned);
        request.settings =
            Settings { limits: self.limits.clone(), rulings: self.rulings, ..Settings::default() };
        // A class may come from somebody else. Who lets go of confinement says so in the command.
        request.tier = self.confine.unwrap_or_default().max(Tier::default());
        if let Some(engine) = languages::engines().find(|engine| Some(engine.name) == self.engine) {
            request.interpreters.choose(engine);
        }
        request
    }

    /// The text of a `class.toml` with these settings, in which those that are not set are shown as comments.
    pub fn to_toml(&self) -> String {
        let mut out = String::from(
            "# The settings of this class. Edit them, then `keur class run` or `keur class report`.\n\n",
        );
        let mut line = |name: &str, value: Option<String>, example: &str, about: &str| {
            let (off, value) = value.map_or(("# ", example.to_owned()), |value| ("", value));
            let _ = writeln!(out, "{:<28} # {about}", format!("{off}{name} = {value}"));
        };
        line("title", self.title.as_deref().map(quoted), "\"…\"", "of reports");
        line(
            "lang",
            self.lang.map(|lang| quoted(lang.name())),
            "\"en\"",
            "nl, da or en: the language of reports",
        );
        line(
            "exercise",
            self.exercise.as_ref().map(|exercise| quoted(exercise.text())),
            "\"…\"",
            "which all submissions answer",
        );
        line(
            "rulings",
            self.rulings.then(|| "true".to_owned()),
            "true",
            "count the cases that depend on a ruling",
        );
        line("engine", self.engine.map(quoted), "\"node\"", "of JavaScript: node or quickjs");
        line(
            "confine",
            self.confine.map(|tier| quoted(tier.name())),
            "\"standard\"",
            "strict, standard or portable; runs need --confine portable too",
        );
        out.push_str("\n[limits]\n");
        for LimitLine { name, value, example } in limit_lines(&self.limits) {
            let (off, value) = value.map_or(("# ", example.to_owned()), |value| ("", value));
            let _ = writeln!(out, "{off}{name} = \"{value}\"");
        }
        out + LATE_EXAMPLE
    }

    /// The JSON Schema of `class.toml`, as the text of its file.
    pub fn schema() -> String {
        schema::document("The settings of a class of keur", CLASS)
    }
}

/// The end of a new `class.toml`.
const LATE_EXAMPLE: &str = "
# What handing in late costs. Each student is due at the date in the roster, else at this one.
# [late]
# due = 2026-11-03T23:59:00Z
# grace = \"15min\"          # this costs nothing
# per_day = \"10%\"          # of the highest possible grade, for each day that has begun
# at_most = \"50%\"
# nothing_after = \"7d\"     # later than this earns nothing
";

/// A text as TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Limits in the form of `[limits]`, without those that are not set.
pub(super) fn written_limits(limits: &LimitsPatch) -> String {
    let set = limit_lines(limits).into_iter().filter_map(|LimitLine { name, value, .. }| {
        let value = value?;
        Some(format!("{name} = \"{value}\""))
    });
    set.collect::<Vec<_>>().join(", ")
}

/// A key of `[limits]`.
struct LimitLine {
    name: &'static str,
    value: Option<String>,
    example: &'static str,
}

fn limit_lines(limits: &LimitsPatch) -> [LimitLine; 5] {
    let LimitsPatch { cpu, wall, memory, output, budget } = limits;
    let time = |name, value: &Option<Duration>, example| LimitLine {
        name,
        value: value.as_ref().map(seconds),
        example,
    };
    let space = |name, value: &Option<u64>, example| LimitLine { name, value: value.map(size), example };
    [
        time("cpu", cpu, "1s"),
        time("wall", wall, "5s"),
        space("memory", memory, "256MB"),
        space("output", output, "64KB"),
        time("submission", budget, "30s"),
    ]
}

/// A time as `[limits]` has it.
fn seconds(time: &Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

/// A size as `[limits]` has it.
fn size(bytes: u64) -> String {
    let units = [("GB", 30), ("MB", 20), ("KB", 10)];
    let whole = units.into_iter().find(|(_, shift)| bytes.trailing_zeros() >= *shift);
    whole.map_or_else(|| format!("{bytes}B"), |(unit, shift)| format!("{}{unit}", bytes >> shift))
}

/// The engine, which must be one of a language that has several.
fn engine(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Option<&'static str> {
    let entry = reader::get(table, "engine")?;
    let name = entry.get_ref().as_str()?;
    let known = || languages::engines().filter(|engine| engine.language.engines.len() > 1);
    let found = known().find(|engine| engine.name == name).map(|engine| engine.name);
    if found.is_none() {
        let help = did_you_mean(name, known().map(|engine| engine.name));
        errors.push(Diagnostic::new(format!("there is no engine `{name}`"), entry.span()).maybe_help(help));
    }
    found
}

/// The rule in `[late]`.
fn late(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Option<LateRule> {
    let entry = reader::get(table, "late")?;
    let table = entry.get_ref().as_table()?;
    let mut rule = LateRule::default();
    for (name, _, entry) in reader::in_order(table) {
        let set = match (name, entry.get_ref().as_str()) {
            ("due", None) => due(entry).map(|due| rule.due = Some(due)),
            ("grace", Some(text)) => parse_lateness(text).map(|time| rule.grace = time),
            ("per_day", Some(text)) => Percentage::parse(text).map(|share| rule.per_day = share),
            ("at_most", Some(text)) => Percentage::parse(text).map(|share| rule.at_most = share),
            ("nothing_after", Some(text)) => parse_lateness(text).map(|time| rule.nothing_after = Some(time)),
            ("of", Some(text)) => {
                rule.base = PenaltyBase::from_name(text).unwrap_or_default();
                Ok(())
            }
            // The check of the keys has reported it.
            _ => Ok(()),
        };
        if let Err(message) = set {
            errors.push(Diagnostic::new(message, entry.span()));
        }
    }
    let costs = table.contains_key("per_day") || table.contains_key("nothing_after");
    if !costs && errors.is_empty() {
        let message = "`[late]` takes nothing from late submissions";
        let help =
            "give what a day costs, per_day = \"10%\", or when nothing is left, nothing_after = \"7d\"";
        errors.push(Diagnostic::new(message, entry.span()).help(help));
    }
    if rule.nothing_after.is_some_and(|limit| limit < rule.grace) && errors.is_empty() {
        let message = "`nothing_after` is shorter than `grace`";
        errors.push(Diagnostic::new(message, entry.span()).help("what is in the grace costs nothing"));
    }
    Some(rule)
}

/// A date of TOML, in seconds since 1970.
fn due(entry: &Entry<'_>) -> Result<i64, String> {
    let DeValue::Datetime(date) = entry.get_ref() else { return Ok(0) };
    let text = date.to_string();
    let wrong = |_| {
        format!(
            "`{text}` is not a date with a time; write it like 2026-11-03T23:59:00Z or 2026-11-03T23:59:00+01:00"
        )
    };
    let local = match (date.date, date.time, date.offset) {
        (Some(_), Some(_), Some(_)) => {
            return text.parse::<Timestamp>().map(Timestamp::as_second).map_err(wrong);
        }
        (Some(_), None, None) => {
            let day = text.parse::<Date>().and_then(|day| day.checked_add(1.day()));
            day.map(|day| day.to_datetime(jiff::civil::Time::midnight()))
        }
        _ => text.parse::<DateTime>(),
    };
    let zoned = local.and_then(|local| TimeZone::UTC.to_timestamp(local));
    zoned.map(Timestamp::as_second).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::{ClassExercise, ClassSettings, LateRule, PenaltyBase};
    use crate::class::late::Percentage;
    use keur_core::case::LimitsPatch;
    use keur_core::messages::Lang;
    use keur_sandbox::Tier;
    use std::time::Duration;

    fn parse(source: &str) -> Result<ClassSettings, String> {
        ClassSettings::parse("class.toml", source).map_err(|errors| errors.to_string())
    }

    #[test]
    fn settings_that_are_written_are_read_again() {
        let settings = ClassSettings {
            title: Some("Codenames \"2026\"".to_owned()),
            lang: Some(Lang::Da),
            exercise: Some(ClassExercise::from_name("codenames")),
            rulings: true,
            engine: Some("quickjs"),
            confine: Some(Tier::Portable),
            limits: LimitsPatch {
                cpu: Some(Duration::from_millis(1500)),
                wall: Some(Duration::from_secs(120)),
                memory: Some(256 << 20),
                output: Some(1000),
                budget: Some(Duration::from_secs(30)),
            },
            late: None,
        };
        assert_eq!(parse(&settings.to_toml()), Ok(settings));
        let any = ClassSettings { exercise: Some(ClassExercise::Any), ..ClassSettings::default() };
        assert_eq!(parse(&any.to_toml()), Ok(any));
        let empty = ClassSettings::default();
        assert_eq!(parse(&empty.to_toml()), Ok(empty.clone()));
        assert_eq!(parse(""), Ok(empty));
    }

    #[test]
    fn the_example_of_late_submissions_is_a_rule() {
        let text = ClassSettings::default().to_toml();
        let (_, example) = text.split_once("at this one.\n").unwrap();
        let late = parse(&example.replace("# ", "")).map_err(|error| format!("{error}\n{example}"));
        // Only the comments at the ends of lines lost their mark.
        assert!(late.is_err(), "{late:?}");
        let lines: Vec<&str> = example.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        let rule = parse(&lines.join("\n")).unwrap().late;
        let expected = LateRule {
            due: Some(1_793_750_340),
            grace: Duration::from_secs(900),
            per_day: Percentage::parse("10%").unwrap(),
            at_most: Percentage::parse("50%").unwrap(),
            nothing_after: Some(Duration::from_secs(7 * 86_400)),
            base: PenaltyBase::Possible,
        };
        assert_eq!(rule, Some(expected));
    }

    #[test]
    fn a_date_has_a_zone_or_is_in_utc_and_ends_with_its_day() {
        for (date, seconds) in [
            ("2026-11-03T23:59:00Z", 1_793_750_340),
            ("2026-11-04T00:59:00+01:00", 1_793_750_340),
            ("2026-11-03T23:59:00", 1_793_750_340),
            ("2026-11-03", 1_793_750_400),
        ] {
            let settings = parse(&format!("[late]\ndue = {date}\nper_day = \"1%\"")).unwrap();
            assert_eq!(settings.late.unwrap().due, Some(seconds), "{date}");
        }
    }

    #[test]
    fn errors_name_their_place_and_what_to_do() {
        for (source, said) in [
            ("titel = 'x'", "1:1: unknown key `titel`; did you mean `title`?"),
            ("lang = 'fr'", "1:8: `lang` is \"fr\"; it should be one of nl, da, en"),
            ("engine = 'python'", "1:10: there is no engine `python`; known here: node, quickjs"),
            ("[limits]\ncpu = '1'", "2:7: `1` is not a time; write it like `500ms`"),
            ("[late]\nper_day = 10", "2:11: `per_day` cannot be a number; it should be a string"),
            ("[late]\nper_day = '10'", "2:11: `10` is not a percentage from 0% to 100%; write it like `10%`"),
            (
                "[late]\nper_day = '1%'\ngrace = '1 week'",
                "3:9: `1 week` is not a time; write it like `15min`",
            ),
            ("[late]\ndue = 23:59:00\nper_day = '1%'", "2:7: `23:59:00` is not a date with a time; write"),
            (
                "[late]\ngrace = '1h'",
                "1:1: `[late]` takes nothing from late submissions; give what a day costs",
            ),
            ("[late]\ngrace = '2d'\nnothing_after = '1d'", "1:1: `nothing_after` is shorter than `grace`; "),
            ("[late", "1:6: "),
        ] {
            let errors = parse(source).expect_err(source);
            assert!(errors.starts_with(&format!("class.toml:{said}")), "{source}: {errors}");
            assert_eq!(errors.lines().count(), 1, "{errors}");
        }
    }
}
