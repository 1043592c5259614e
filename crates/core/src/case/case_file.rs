//! Reads a case file.

use super::bounds::MOST_ERRORS;
use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::exercise_file::limits;
use super::expect::{Expect, Matcher, RaisedType, Raises};
use super::files;
use super::keys;
use super::model::{Case, Exercise, Need, StepHint};
use super::plan::{Action, Calls, Line, LineInput, Plan, PlanStep, Want};
use super::points::Points;
use super::reader::{self, Entry};
use super::resolve::{self, Scope, Type};
use super::rows::{CaseRow, Given, rows, with_end};
use super::step_no::StepNo;
use super::syntax::{ExprError, is_name};
use super::tolerance::{self, Tolerance};
use super::views;
use crate::exercises;
use crate::messages::LocalText;
use crate::value::Text;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Reads the cases in the file `name` of `exercise` from `source`: one, or one for each row. Errors call the
/// file `path`.
///
/// # Errors
/// All errors in the file.
pub fn parse_cases(
    exercise: &Exercise,
    name: &str,
    path: &str,
    source: &str,
) -> Result<Vec<Case>, FileErrors> {
    parse_all(exercise, name, path, source, false)
}

/// Like [`parse_cases`]; if it `asks`, the plans observe the value of every step, whatever is expected.
pub(super) fn parse_all(
    exercise: &Exercise,
    name: &str,
    path: &str,
    source: &str,
    asks: bool,
) -> Result<Vec<Case>, FileErrors> {
    let (table, mut errors) = reader::read(source, keys::CASE);
    // After another error, the table may lack what the file has.
    if errors.is_empty() && ["step", "random"].iter().all(|key| !table.contains_key(*key)) {
        let help = "the steps, in order: [[step]] with `do = \"…\"`, or random sessions: [random]";
        errors.push(Diagnostic::new("`step` is missing", 0..0).help(help));
    }
    let text: Arc<str> = Arc::from(source);
    let mut cases: Vec<Case> = Vec::new();
    for row in rows(exercise, source, table, &mut errors) {
        let (mut case, found) = parse_row(exercise, name, path, &text, &row, asks);
        // A problem of the steps is found in each row.
        for error in found {
            if errors.len() >= MOST_ERRORS {
                break;
            }
            let is_same = |other: &Diagnostic| other.message == error.message && other.span == error.span;
            if !errors.iter().any(is_same) {
                errors.push(error);
            }
        }
        // Rows with equal values are told apart by their numbers.
        if let Some((number, _)) = &row.number
            && cases.iter().any(|earlier| earlier.title == case.title)
            && case.title_span.is_none()
        {
            case.title = Arc::new(with_end((*case.title).clone(), &format!(" [{number}]")));
        }
        cases.push(case);
    }
    if errors.is_empty() { Ok(cases) } else { Err(FileErrors::new(path, source, errors)) }
}

/// Reads one case of a file, with the errors in it.
fn parse_row(
    exercise: &Exercise,
    file: &str,
    path: &str,
    source: &Arc<str>,
    row: &CaseRow<'_>,
    asks: bool,
) -> (Case, Vec<Diagnostic>) {
    let table = &row.table;
    let scope = Scope::with(row.values());
    let mut reader =
        CaseReader { exercise, source, errors: Vec::new(), scope, tolerance: Tolerance::default(), asks };
    reader.tolerance = tolerance::tolerance(table, &mut reader.errors).over(&exercise.tolerance);
    let needs = reader::texts(table, "needs").into_iter();
    let mut case = Case {
        name: row.name(file),
        file: file.to_owned(),
        title: Arc::new(row.title(exercise, file)),
        title_span: row.title_span(),
        points: reader::points(table, "points").unwrap_or(Points::ONE),
        partial: reader::truth(table, "partial"),
        tags: reader::texts(table, "tags").into_iter().map(|(tag, _)| tag.to_owned()).collect(),
        order: reader.whole(table, "order", 0..=u32::MAX),
        hidden: reader::truth(table, "hidden"),
        hint: reader::local_text(table, "hint").map(Arc::new),
        step_hints: BTreeMap::new(),
        needs: needs.map(|(name, span)| Need { name: name.to_owned(), span }).collect(),
        group: reader::local_text(table, "group").map(Arc::new),
        group_span: reader::get(table, "group").map_or(0..0, Entry::span),
        only_with: reader.only_with(table),
        limits: limits(table, &mut reader.errors),
        plan: Plan::default(),
        expect: Vec::new(),
        random: reader.random(table),
        path: path.to_owned(),
        source: Arc::clone(source),
    };
    if case.random.is_some() {
        if let Some((_, place)) = &row.number {
            let help = "write it in a case of its own".to_owned();
            reader.error("`row` in a case of random sessions", place.clone(), Some(help));
        }
        return (case, reader.errors);
    }
    let given = files::given(table, &mut reader.errors);
    let own = files::read(exercise.folder.as_deref(), &given, &mut reader.errors);
    let span = reader::get(table, "input_files").map_or(0..0, Entry::span);
    let input = files::together(&exercise.input_files, own, span, &mut reader.errors);
    if let Some(steps) = reader::get(table, "step").and_then(|entry| entry.get_ref().as_array()) {
        let last = steps.len().saturating_sub(1);
        for (index, step) in steps.iter().enumerate() {
            if let Some(table) = step.get_ref().as_table() {
                let span = match &row.number {
                    Some((_, place)) if index == last => place.clone(),
                    Some(_) | None => reader::step_span(table, step.span()),
                };
                if let Some(hint) = reader.hint(table) {
                    case.step_hints.insert(StepNo::at(index), hint);
                }
                let (step, expect) = reader.step(table, span);
                case.plan.steps.push(step);
                case.expect.push(expect);
            }
        }
        if steps.is_empty() {
            reader.error(
                "the case has no step",
                0..0,
                Some("add one: [[step]] with `do = \"…\"`".to_owned()),
            );
        }
    }
    if case.plan.needs_input() {
        case.plan.end_inputs(exercise.prompts.unwrap_or(false));
    }
    // A folder costs time: a case that reads and writes nothing has none.
    let written = case.plan.steps.iter().any(|step| !step.reads.is_empty());
    case.plan.files = (written || !input.is_empty()).then_some(input);
    reader.check_use(table, &case, &row.given);
    (case, reader.errors)
}

pub(super) struct CaseReader<'a> {
    pub exercise: &'a Exercise,
    pub(super) source: &'a str,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) scope: Scope,
    /// The tolerance of the case and its exercise.
    tolerance: Tolerance,
    /// Whether the plan observes the value of every step.
    asks: bool,
}

impl CaseReader<'_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Range<usize>, help: Option<String>) {
        self.errors.push(Diagnostic::new(message, span).maybe_help(help));
    }

    pub(super) fn expr_error(&mut self, error: ExprError, text: &str, string: &Range<usize>) {
        let span = reader::inside(self.source, string, text, &error.span);
        self.error(error.message, span, error.help);
    }

    /// The hint of a step.
    fn hint(&mut self, table: &DeTable<'_>) -> Option<StepHint> {
        let entry = reader::get(table, "hint")?;
        let text = Arc::new(reader::local_text(table, "hint")?);
        let hint = StepHint { text, when: None, got: None };
        let Some(keys) = entry.get_ref().as_table() else { return Some(hint) };
        if *hint.text == LocalText::PerLang(BTreeMap::new()) {
            let help = "give one per language: { en = \"…\" }".to_owned();
            self.error("`hint` has no text", entry.span(), Some(help));
        }
        let text = |key| reader::text(keys, key).map(str::to_owned);
        Some(StepHint { when: text("when"), got: text("got"), ..hint })
    }

    /// The tolerance of a step: its own, else that of the case.
    pub(super) fn tolerance(&mut self, table: &DeTable<'_>) -> Tolerance {
        tolerance::tolerance(table, &mut self.errors).over(&self.tolerance)
    }

    /// Reports what a case says and no step makes use of.
    fn check_use(&mut self, table: &DeTable<'_>, case: &Case, given: &[Given]) {
        if !self.errors.is_empty() {
            return;
        }
        let unused: Vec<&Given> = given.iter().filter(|given| !self.scope.has_used(&given.name)).collect();
        for given in unused {
            let help = "write it in a `do`, or leave it out".to_owned();
            self.error(format!("no step uses `{}`", given.name), given.span.clone(), Some(help));
        }
        if case.partial && !case.expect.iter().any(Expect::has_any) {
            let span = reader::get(table, "partial").map_or(0..0, Entry::span);
            let help = "each step that expects something earns a share: write what one of them returns, or leave `partial` out until keur fill has".to_owned();
            self.error("no step expects anything, so none earns points", span, Some(help));
        }
    }

    fn step(&mut self, table: &DeTable<'_>, span: Range<usize>) -> (PlanStep, Expect) {
        if let Some(step) = self.without_calls(table, &span) {
            return step;
        }
        self.check_combination(table, &span);
        let raises = self.raises(table);
        let (mut lines, mut known) = self.lines(table, &span, raises.is_some());
        let asked = lines.len();
        if let (Some(first), Some(text)) = (lines.first_mut(), reader::text(table, "stdin")) {
            let prompts = self.exercise.prompts.unwrap_or(false);
            first.stdin = Some(LineInput { text: text.to_owned(), prompts });
        }
        let value = self.value(table, &mut lines);
        if lines.len() > asked {
            known = Type::Unknown;
            for key in ["shows", "same", "prints"] {
                if let Some(entry) = reader::get(table, key) {
                    let help = "write it in a step of its own".to_owned();
                    self.error(
                        format!("`equals` with an object leaves nothing for `{key}`"),
                        entry.span(),
                        Some(help),
                    );
                }
            }
        }
        let writes = self.writes(table);
        let expect = Expect {
            span,
            shows: self.expected_text(table, "shows"),
            prints: self.expected_text(table, "prints"),
            raises,
            same: self.name(table, "same"),
            value,
            writes,
            tolerance: self.tolerance(table),
            ..Expect::default()
        };
        let looks = self.asks
            || expect.value.as_ref().is_some_and(|returns| !matches!(returns.matcher, Matcher::NotSame(_)));
        let view = lines
            .last()
            .filter(|_| looks)
            .and_then(|line| views::line_view(self.exercise, &line.node, &known));
        // A finding also shows the value that came instead of an exception or object.
        let value = looks || expect.same.is_some() || expect.raises.is_some();
        let is_exact = expect.tolerance.exact_types.unwrap_or(false);
        let types = expect.value.as_ref().is_some_and(|returns| {
            is_exact || matches!(returns.matcher, Matcher::Instance(_) | Matcher::Type(_))
        });
        let want = Want { value, view, text: expect.shows.is_some(), types, shown: false };
        let reads = expect.written().map(str::to_owned).collect();
        let awaited = looks || expect.has_any();
        (PlanStep { action: Action::Calls(Calls { lines, want, awaited }), reads }, expect)
    }

    fn lines(&mut self, table: &DeTable<'_>, span: &Range<usize>, raises: bool) -> (Vec<Line>, Type) {
        if let Some(lines) = self.native(table, raises) {
            return (lines, Type::Unknown);
        }
        let texts = reader::texts(table, "do");
        if texts.is_empty() && reader::get(table, "do").is_some() {
            self.error("the step does nothing", span.clone(), Some("give `do` at least one line".to_owned()));
        }
        let mut lines = Vec::new();
        let mut last = Type::Unknown;
        let count = texts.len();
        for (index, (text, string)) in texts.into_iter().enumerate() {
            if self.errors.len() >= MOST_ERRORS {
                break;
            }
            match resolve::line(self.exercise, &self.scope, text) {
                Ok((line, known)) => {
                    // The last line of a step that raises leaves its name unbound.
                    if !(raises && index + 1 == count) {
                        self.bind(&line, &known);
                    }
                    lines.push(line);
                    last = known;
                }
                Err(mut error) => {
                    if error.help.is_none() && text.trim().contains('\n') {
                        error =
                            error.help("write each line as a text of its own: do = [\"x = 1\", \"f(x)\"]");
                    }
                    self.expr_error(error, text, &string);
                    // The names of a failed line are not reported as a second error.
                    if let Some((names, rest)) = text.split_once('=')
                        && !rest.starts_with('=')
                    {
                        let names = names.split(',').map(str::trim).filter(|name| is_name(name));
                        names.for_each(|name| self.scope.bind(name, Type::Unknown));
                    }
                }
            }
        }
        (lines, last)
    }

    /// Binds the names of a line whose value is of type `known`.
    pub(super) fn bind(&mut self, line: &Line, known: &Type) {
        self.scope.bind_line(line, known);
    }

    /// Reports expectations that one step cannot combine.
    fn check_combination(&mut self, table: &DeTable<'_>, span: &Range<usize>) {
        let has = |key: &str| reader::get(table, key).is_some();
        if has("returns") && has("equals") {
            self.error(
                "`returns` and `equals` both expect the value",
                span.clone(),
                Some("keep one of them".to_owned()),
            );
        }
        for key in ["returns", "equals", "same", "shows"] {
            if has("raises") && has(key) {
                let at = reader::get(table, key).map_or_else(|| span.clone(), Entry::span);
                self.error(
                    format!("a step that raises has nothing for `{key}` to look at"),
                    at,
                    Some("expect either `raises` or a result".to_owned()),
                );
            }
        }
    }

    /// The exception type that a step names, as one name or one per programming language.
    fn raised_type(&mut self, raises: &DeTable<'_>) -> Option<RaisedType> {
        if let Some(name) = reader::text(raises, "type") {
            return Some(RaisedType::Step(name.to_owned()));
        }
        reader::get(raises, "type")?;
        let mut types = BTreeMap::new();
        for (language, key, entry) in reader::entries(raises, "type") {
            let known = self.exercise.taken_languages();
            if !known.contains(&language) {
                let message = format!("the exercise takes no submissions in `{language}`");
                self.error(message, key, did_you_mean(language, known));
            }
            types.extend(entry.get_ref().as_str().map(|name| (language.to_owned(), name.to_owned())));
        }
        Some(RaisedType::PerLanguage(types))
    }

    pub(super) fn raises(&mut self, table: &DeTable<'_>) -> Option<Raises> {
        let exercise = self.exercise;
        let of_exercise = || exercise.raises.clone().map(RaisedType::Exercise);
        match reader::get(table, "raises")?.get_ref() {
            DeValue::String(message) => {
                Some(Raises { kind: of_exercise(), message: Some(Text::from(message.as_ref())) })
            }
            DeValue::Table(raises) => Some(Raises {
                kind: self
                    .raised_type(raises)
                    .or_else(|| reader::get(raises, "message").and_then(|_| of_exercise())),
                message: reader::text(raises, "message").map(Text::from),
            }),
            _ => Some(Raises::default()),
        }
    }

    /// An oracle of the exercise's reference, and its search depth.
    pub(super) fn oracle(
        &mut self,
        table: &DeTable<'_>,
        span: Range<usize>,
    ) -> Option<(String, Option<NonZeroU32>)> {
        let name = reader::text(table, "oracle")?;
        let reference = self.exercise.built_in().and_then(exercises::reference);
        let oracles = reference.map(|reference| reference.oracles).unwrap_or_default();
        let Some(oracle) = oracles.iter().find(|oracle| oracle.name == name) else {
            let at = reader::get(table, "oracle").map_or(span, Entry::span);
            let known: Vec<&str> = oracles.iter().map(|oracle| oracle.name).collect();
            let help = match known.as_slice() {
                [] => Some("the exercise's reference has none".to_owned()),
                _ if name == "perfect_move" => Some("use `winning_move` or `sound_move` instead".to_owned()),
                known => did_you_mean(name, known.iter().copied()),
            };
            self.error(format!("there is no oracle `{name}`"), at, help);
            return None;
        };
        let depth = reader::get(table, "depth");
        let given = depth.and_then(|entry| reader::whole(entry.get_ref()));
        let wrong = match (&oracle.depths, depth) {
            (None, Some(_)) => Some(format!("`{name}` takes no `depth`")),
            (Some(depths), None) => {
                Some(format!("`{name}` needs a `depth`, {} to {}", depths.start(), depths.end()))
            }
            (Some(depths), Some(_)) if !given.is_some_and(|given| depths.contains(&given)) => Some(format!(
                "the `depth` of `{name}` is a whole number, {} to {}",
                depths.start(),
                depths.end()
            )),
            (Some(_) | None, _) => None,
        };
        if let Some(wrong) = wrong {
            self.error(wrong, depth.map_or(span, Entry::span), None);
            return None;
        }
        Some((name.to_owned(), given.and_then(NonZeroU32::new)))
    }

    /// The bound name behind `key`.
    pub(super) fn name(&mut self, table: &DeTable<'_>, key: &str) -> Option<String> {
        let name = reader::text(table, key)?.to_owned();
        if !self.scope.has(&name) {
            let span = reader::get(table, key).map_or(0..0, Entry::span);
            let help = did_you_mean(&name, self.scope.names());
            self.error(format!("`{name}` is used before it is bound"), span, help);
        }
        Some(name)
    }
}
