//! The texts that students read, in their language: Dutch, Danish or English.

use crate::case::Points;
use crate::compare::{Mismatch, PartProblem, Share, Verdict, WrittenProblem};
use crate::event::{CaseReport, Finding, NeededCase, RunError, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::messages::{Messages, Translations};
use crate::sandbox::Exit;
use crate::submission::{FileKind, FilesProblem, SkippedFile, UnclearExercise, ZipProblem};
use crate::value::notation::Notation;
use crate::value::oracle::Refusal;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The signal that ends a program when its stack overflows (SIGSEGV).
const FAULT_IN_MEMORY: i32 = 11;

/// Kinds of files that are listed; others are only counted.
const MOST_KINDS: usize = 4;

/// Names that a sentence lists; others are only counted.
const MOST_NAMES: usize = 5;

thread_local! {
    /// The messages that were read so far: reading them takes longer than the account of a submission that needs them.
    static READ: RefCell<BTreeMap<Lang, Rc<Messages>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The messages of reports in one language, and the sentences for findings.
pub struct Words {
    messages: Rc<Messages>,
    lang: Lang,
}

impl Deref for Words {
    type Target = Messages;

    fn deref(&self) -> &Messages {
        &self.messages
    }
}

impl Words {
    /// The messages in `lang`.
    pub fn new(lang: Lang) -> Words {
        let read = || Rc::new(Messages::new(lang, [TRANSLATIONS]));
        let messages = READ.with_borrow_mut(|known| Rc::clone(known.entry(lang).or_insert_with(read)));
        Words { messages, lang }
    }

    /// A verdict in words.
    pub fn verdict(&self, verdict: Verdict) -> String {
        self.say(&format!("verdict-{}", verdict.name().replace(' ', "-")))
    }

    /// The verdict on a case in words, with the case that kept it from being run; `name` is how the report names that.
    pub fn result(&self, case: &CaseReport, name: impl Fn(&NeededCase) -> &str) -> String {
        match &case.blocked_by {
            Some(needed) => self.with("verdict-blocked", &[("case", name(needed))]),
            None => self.verdict(case.verdict),
        }
    }

    /// The points of a case that earned only a part of them.
    pub fn partial(&self, case: &CaseReport) -> Option<String> {
        let is_partial = case.verdict != Verdict::Passed && case.points > Points::ZERO;
        let points = is_partial.then(|| self.points_of(case.points, case.max_points))?;
        Some(self.with("label-partial", &[("points", &points)]))
    }

    /// The points of a submission.
    pub fn points(&self, report: &SubmissionReport) -> String {
        self.points_of(report.points, report.max_points)
    }

    /// Points earned, out of a maximum.
    pub fn points_of(&self, points: Points, most: Points) -> String {
        self.with("label-points", &[("points", &self.number(points)), ("max", &self.number(most))])
    }

    /// Points in the number format of the language: a point in English, else a comma.
    pub fn number(&self, points: Points) -> String {
        match self.lang {
            Lang::Nl | Lang::Da => points.to_string().replace('.', ","),
            Lang::En => points.to_string(),
        }
    }

    /// Earned and possible points, for a table.
    pub fn fraction(&self, points: Points, most: Points) -> String {
        format!("{}/{}", self.number(points), self.number(most))
    }

    /// How many of a submission's cases passed.
    pub fn cases(&self, report: &SubmissionReport) -> String {
        self.cases_of(report.passed_cases(), report.cases.len())
    }

    /// Cases that passed, out of a total.
    pub fn cases_of(&self, passed: usize, total: usize) -> String {
        self.with("label-cases", &[("passed", &passed.to_string()), ("total", &total.to_string())])
    }

    /// A finding in words: its step, and the sentence for its mismatch.
    pub fn sentence(&self, finding: &Finding, notation: &'static dyn Notation) -> String {
        let sentence = self.mismatch(&finding.mismatch, notation, finding.expected.as_deref());
        match finding.step {
            Some(step) => format!("{}: {sentence}", self.with("label-step", &[("step", &step.to_string())])),
            None => sentence,
        }
    }

    /// The sentence for a mismatch, for a student who writes in the language of `notation`.
    pub fn mismatch(
        &self,
        mismatch: &Mismatch,
        notation: &'static dyn Notation,
        expected: Option<&str>,
    ) -> String {
        let this = notation.syntax().this;
        match mismatch {
            Mismatch::Value => self.say("mismatch-value"),
            Mismatch::Type { expected, got } => {
                self.with("mismatch-type", &[("expected", expected), ("got", got)])
            }
            Mismatch::Refused(why) => self.say(match why {
                Refusal::NoAnswer => "mismatch-refused-no-answer",
                Refusal::Illegal => "mismatch-refused-illegal",
                Refusal::WinMissed => "mismatch-refused-win-missed",
                Refusal::LosesTheGame => "mismatch-refused-loses-the-game",
                Refusal::LosesMaterial => "mismatch-refused-loses-material",
            }),
            Mismatch::Check { message: Some(message), .. } => message.clone(),
            Mismatch::Check { message: None, share: Share::NONE } => self.say("mismatch-check"),
            Mismatch::Check { message: None, .. } => self.say("mismatch-check-partly"),
            Mismatch::NotPlain { kind } => self.with("mismatch-not-plain", &[("kind", kind)]),
            Mismatch::Printed => self.say("mismatch-printed"),
            Mismatch::NoneReturned => self.say("mismatch-none-returned"),
            Mismatch::NoneForObject => self.with("mismatch-none-for-object", &[("self", this)]),
            Mismatch::AnotherObject => {
                self.with("mismatch-another-object", &[("name", expected.unwrap_or_default())])
            }
            Mismatch::SameObject { name } => self.with("mismatch-same-object", &[("name", name)]),
            Mismatch::TooLarge => self.say("mismatch-too-large"),
            Mismatch::Deferred { kind } => self.with("mismatch-deferred", &[("kind", kind)]),
            Mismatch::NoText { kind } => self.with("mismatch-no-text", &[("kind", kind)]),
            Mismatch::Output => self.say("mismatch-output"),
            Mismatch::NoOutput => self.say("mismatch-no-output"),
            Mismatch::MoreOutput => self.say("mismatch-more-output"),
            Mismatch::Prompts => self.say("mismatch-prompts"),
            Mismatch::InnerType => self.say("mismatch-inner-type"),
            Mismatch::TrailingBlanks => self.say("mismatch-trailing-blanks"),
            Mismatch::FinalNewlines => self.say("mismatch-final-newlines"),
            Mismatch::Capitals => self.say("mismatch-capitals"),
            Mismatch::Blanks => self.say("mismatch-blanks"),
            Mismatch::Lines { expected, got } => {
                self.with("mismatch-lines", &[("expected", &expected.to_string()), ("got", &got.to_string())])
            }
            Mismatch::Text => self.say("mismatch-text"),
            Mismatch::Part { part, why } => {
                let id = match why {
                    PartProblem::Missing => "mismatch-part-missing",
                    PartProblem::Order => "mismatch-part-order",
                    PartProblem::Capitals => "mismatch-part-capitals",
                    PartProblem::Blanks => "mismatch-part-blanks",
                };
                self.with(id, &[("part", part)])
            }
            Mismatch::Form => self.say("mismatch-form"),
            Mismatch::MissingLines { first, count } => {
                self.count("mismatch-missing-lines", *count, &[("line", first)])
            }
            Mismatch::ExtraLines { first, count } => {
                self.count("mismatch-extra-lines", *count, &[("line", first)])
            }
            Mismatch::TextOfObject { method } => self.with("mismatch-text-of-object", &[("method", method)]),
            Mismatch::TextOfNone => self.say("mismatch-text-of-none"),
            Mismatch::MessagePrinted => self.say("mismatch-message-printed"),
            Mismatch::NotRaised => self.say("mismatch-not-raised"),
            Mismatch::Unexpected => self.say("mismatch-unexpected"),
            Mismatch::AnotherType => self.say("mismatch-another-type"),
            Mismatch::NearMessage => self.say("mismatch-near-message"),
            Mismatch::AnotherException => self.say("mismatch-another-exception"),
            Mismatch::AnotherMessage => self.say("mismatch-another-message"),
            Mismatch::NoDefinition { name, near: None } => {
                self.with("mismatch-no-definition", &[("name", name)])
            }
            Mismatch::NoDefinition { name, near: Some(near) } => {
                self.with("mismatch-no-definition-near", &[("name", name), ("near", near)])
            }
            Mismatch::NoMethod { class, name, near: None } => {
                self.with("mismatch-no-method", &[("class", class), ("name", name)])
            }
            Mismatch::NoMethod { class, name, near: Some(near) } => {
                self.with("mismatch-no-method-near", &[("class", class), ("name", name), ("near", near)])
            }
            Mismatch::MethodOfNothing { class, name } => {
                self.with("mismatch-method-of-nothing", &[("class", class), ("name", name)])
            }
            Mismatch::MethodOfValue { class, name } => {
                self.with("mismatch-method-of-value", &[("class", class), ("name", name)])
            }
            Mismatch::Property { class, name } => {
                self.with("mismatch-property", &[("class", class), ("name", name)])
            }
            Mismatch::NoAttribute { class, name, near: None } => {
                self.with("mismatch-no-attribute", &[("class", class), ("name", name)])
            }
            Mismatch::NoAttribute { class, name, near: Some(near) } => {
                self.with("mismatch-no-attribute-near", &[("class", class), ("name", name), ("near", near)])
            }
            Mismatch::AttributeOfNothing { class, name } => {
                self.with("mismatch-attribute-of-nothing", &[("class", class), ("name", name)])
            }
            Mismatch::AttributeOfValue { class, name } => {
                self.with("mismatch-attribute-of-value", &[("class", class), ("name", name)])
            }
            Mismatch::NotAttribute { class, name } => {
                self.with("mismatch-not-attribute", &[("class", class), ("name", name)])
            }
            Mismatch::CpuLimit => self.say("mismatch-cpu-limit"),
            Mismatch::WallLimit => self.say("mismatch-wall-limit"),
            Mismatch::MemoryLimit => self.say("mismatch-memory-limit"),
            Mismatch::OutputLimit => self.say("mismatch-output-limit"),
            Mismatch::FilesLimit => self.say("mismatch-files-limit"),
            Mismatch::Written { file, problem } => self.written(file, problem, notation),
            Mismatch::Ended(Exit::Signal(0)) => self.say("mismatch-ended"),
            Mismatch::Ended(Exit::Code(code)) => {
                self.with("mismatch-ended-code", &[("code", &code.to_string())])
            }
            Mismatch::Ended(Exit::Signal(FAULT_IN_MEMORY)) => self.say("mismatch-ended-fault-in-memory"),
            Mismatch::Ended(Exit::Signal(signal)) => {
                self.with("mismatch-ended-signal", &[("signal", &signal.to_string())])
            }
            Mismatch::Protocol(why) => self.with("mismatch-protocol", &[("why", why)]),
            Mismatch::NotReady { why } => self.with("mismatch-not-ready", &[("why", why)]),
            Mismatch::Syntax => self.say("mismatch-syntax"),
            Mismatch::NewerSyntax { what, since, version } => {
                self.with("mismatch-newer-syntax", &[("what", what), ("since", since), ("version", version)])
            }
            Mismatch::Loading => self.say("mismatch-loading"),
            Mismatch::AsksInput => self.say("mismatch-asks-input"),
            Mismatch::NoModule { name } => self.with("mismatch-no-module", &[("name", name)]),
            Mismatch::NotAllowed { name } => self.with("mismatch-not-allowed", &[("name", name)]),
            Mismatch::NoFile { file } => self.with("mismatch-no-file", &[("file", file)]),
            Mismatch::NoProgram { file } => self.with("mismatch-no-program", &[("file", file)]),
            Mismatch::Dialogue => self.say("mismatch-dialogue"),
            Mismatch::EndedEarly => self.say("mismatch-ended-early"),
            Mismatch::Status => self.say("mismatch-status"),
            Mismatch::GamesLost { games, lost } => self
                .with("mismatch-games-lost", &[("games", &games.to_string()), ("lost", &lost.to_string())]),
            Mismatch::Games { games, needed, got } => self.with(
                "mismatch-games-won",
                &[("games", &games.to_string()), ("needed", &needed.to_string()), ("got", &got.to_string())],
            ),
            Mismatch::Changed => self.say("mismatch-changed"),
            Mismatch::Files(problem) => self.files(problem),
            Mismatch::Compile(errors) => match errors.iter().find_map(|error| error.withheld.as_deref()) {
                Some(name) => self.with("mismatch-compile-withheld", &[("name", name)]),
                None => self.say("mismatch-compile"),
            },
            Mismatch::CompileTime => self.say("mismatch-compile-time"),
            Mismatch::ProgramGone { test } => self.with("mismatch-program-gone", &[("test", test)]),
        }
    }

    /// The problem with a file that a step should leave.
    fn written(&self, file: &str, problem: &WrittenProblem, notation: &'static dyn Notation) -> String {
        let id = match problem {
            WrittenProblem::Missing => "mismatch-written-missing",
            WrittenProblem::Folder => "mismatch-written-folder",
            WrittenProblem::Irregular => "mismatch-written-irregular",
            WrittenProblem::TooLarge => "mismatch-written-too-large",
            WrittenProblem::Binary => "mismatch-written-binary",
            WrittenProblem::Empty => "mismatch-written-empty",
            WrittenProblem::Text(mismatch) => {
                let what = self.mismatch(mismatch, notation, None);
                return self.with("mismatch-written-text", &[("file", file), ("what", &what)]);
            }
        };
        self.with(id, &[("file", file)])
    }

    /// The problem with the files of a submission.
    pub fn files(&self, problem: &FilesProblem) -> String {
        match problem {
            FilesProblem::NoSource { wanted, found } => {
                let args = [("wanted", self.names(wanted)), ("found", self.found(found))];
                let args = args.each_ref().map(|(name, text)| (*name, text.as_str()));
                let id = match (wanted.is_empty(), found.is_empty()) {
                    (true, true) => "files-nothing",
                    (true, false) => "files-none",
                    (false, true) => "files-nothing-of",
                    (false, false) => "files-no-source",
                };
                self.with(id, &args)
            }
            FilesProblem::NothingRead { skipped } => {
                self.with("files-nothing-read", &[("skipped", &self.skipped(skipped))])
            }
            FilesProblem::BuildScript { file } => self.with("files-build-script", &[("file", file)]),
            FilesProblem::NoTest { test } => self.with("files-no-test", &[("test", test)]),
            FilesProblem::Link { to } => self.with("files-link", &[("to", to)]),
            FilesProblem::Several { found, wanted } if wanted.is_empty() => {
                self.with("files-several", &[("found", &self.names(found))])
            }
            FilesProblem::Several { found, wanted } => self.with(
                "files-several-unnamed",
                &[("found", &self.names(found)), ("wanted", &self.names(wanted))],
            ),
            FilesProblem::Notebook { file } => self.with("files-notebook", &[("file", file)]),
            FilesProblem::Empty { file } => self.with("files-empty", &[("file", file)]),
            FilesProblem::Utf16 { file } => self.with("files-utf16", &[("file", file)]),
            FilesProblem::Binary { file } => self.with("files-binary", &[("file", file)]),
            FilesProblem::TooLarge { file, most } => {
                self.with("files-too-large", &[("file", file), ("most", &megabytes(*most))])
            }
            FilesProblem::TooLargeTogether { most } => {
                self.with("files-too-large-together", &[("most", &megabytes(*most))])
            }
            FilesProblem::TooMany { most } => self.with("files-too-many", &[("most", &most.to_string())]),
            FilesProblem::TooSlow { seconds } => {
                self.with("files-too-slow", &[("seconds", &seconds.to_string())])
            }
            FilesProblem::BadZip { file, why } => {
                let id = match why {
                    ZipProblem::Damaged => "files-zip-damaged",
                    ZipProblem::Zip64 => "files-zip64",
                    ZipProblem::Directory => "files-zip-directory",
                    ZipProblem::Password => "files-zip-password",
                    ZipProblem::Method => "files-zip-method",
                };
                self.with(id, &[("file", file)])
            }
            FilesProblem::Contested => self.say("files-contested"),
            FilesProblem::Irregular { file } => self.with("files-irregular", &[("file", file)]),
            FilesProblem::Unreadable { file, why } => {
                self.with("files-unreadable", &[("file", file), ("why", why)])
            }
        }
    }
}

impl Words {
    /// Files by their kinds: two .docx files and a picture.
    fn found(&self, kinds: &[(FileKind, usize)]) -> String {
        let kind = |(kind, count): &(FileKind, usize)| match kind {
            FileKind::Picture => self.count("found-picture", *count, &[]),
            FileKind::Extension(extension) => {
                self.count("found-extension", *count, &[("extension", extension)])
            }
            FileKind::Plain => self.count("found-plain", *count, &[]),
            FileKind::Hidden => self.count("found-hidden", *count, &[]),
            FileKind::Link => self.count("found-link", *count, &[]),
        };
        let mut said: Vec<String> = kinds.iter().take(MOST_KINDS).map(kind).collect();
        let more: usize = kinds.iter().skip(MOST_KINDS).map(|(_, count)| count).sum();
        said.extend((more > 0).then(|| self.count("found-more", more, &[])));
        let last = said.pop();
        match (last, said.is_empty()) {
            (None, _) => String::new(),
            (Some(only), true) => only,
            (Some(last), false) => self.with("found-and", &[("some", &said.join(", ")), ("last", &last)]),
        }
    }

    /// Names, up to a limit: a, b, c, d, e and 35 more.
    fn names(&self, names: &[String]) -> String {
        let (shown, others) = names.split_at(names.len().min(MOST_NAMES));
        let shown = shown.join(", ");
        match others.len() {
            0 => shown,
            count => self.count("found-others", count, &[("some", &shown)]),
        }
    }

    /// The sentence for a warning, without what was raised.
    pub fn warning(&self, warning: &Warning) -> String {
        match warning {
            Warning::RaisedWhileLoading { .. } => self.say("label-loading"),
            Warning::Skipped(file) => self.skipped(file),
            Warning::OverBudget(cases, time) => {
                self.count("label-budget", *cases, &[("time", &format!("{time:?}"))])
            }
            Warning::OverTime(cases) => self.count("label-time", *cases, &[]),
        }
    }

    fn skipped(&self, file: &SkippedFile) -> String {
        match file {
            SkippedFile::Link(file) => self.with("skipped-link", &[("file", file)]),
            SkippedFile::Irregular(file) => self.with("skipped-irregular", &[("file", file)]),
            SkippedFile::OutsideZip(file) => self.with("skipped-outside-zip", &[("file", file)]),
            SkippedFile::Unkept(file) => self.with("skipped-unkept", &[("file", file)]),
            SkippedFile::TooLarge(file) => self.with("skipped-too-large", &[("file", file)]),
            SkippedFile::Unlisted(why) => self.with("skipped-unlisted", &[("why", why)]),
            SkippedFile::More(count) => self.count("skipped-more", *count, &[]),
        }
    }

    /// Why a submission was not graded.
    pub fn error(&self, error: &RunError) -> String {
        match error {
            RunError::NotHandedIn => self.say("error-not-handed-in"),
            RunError::NotGraded { missing, cases } => {
                let (missing, cases) = (missing.to_string(), cases.to_string());
                self.with("error-not-graded", &[("missing", &missing), ("cases", &cases)])
            }
            RunError::Nothing(problem) => self.files(problem),
            RunError::NoSuchPath(path) => self.with("error-no-such-path", &[("path", path)]),
            RunError::UnclearExercise(UnclearExercise { matches, choices }) if matches.is_empty() => {
                self.with("error-no-exercise", &[("choices", &self.names(choices))])
            }
            RunError::UnclearExercise(UnclearExercise { matches, .. }) => {
                self.with("error-several-exercises", &[("matches", &self.names(matches))])
            }
            RunError::Usage(why) | RunError::Cases { message: Some(why), .. } | RunError::Fault(why) => {
                why.clone()
            }
            RunError::Cases { message: None, .. } => self.say("error-cases"),
        }
    }
}

/// A limit of whole megabytes.
fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::{TRANSLATIONS, Words};
    use crate::case::Points;
    use crate::compare::{Mismatch, Verdict};
    use crate::languages::{javascript::JavaScript, python::Python, rust::Rust};
    use crate::messages::Lang;
    use crate::messages::check_translations;
    use crate::sandbox::Exit;

    #[test]
    fn no_message_lacks_a_translation() {
        check_translations(TRANSLATIONS, 60);
    }

    #[test]
    fn every_verdict_has_words_in_every_language() {
        for lang in Lang::ALL {
            let words = Words::new(lang);
            for verdict in Verdict::ALL {
                assert!(!words.verdict(verdict).starts_with("verdict-"), "{lang} {verdict}");
            }
        }
    }

    #[test]
    fn a_fault_in_memory_is_told_from_other_signals() {
        let said = |signal| {
            let mismatch = Mismatch::Ended(Exit::Signal(signal));
            Words::new(Lang::En).mismatch(&mismatch, &Rust, None)
        };
        assert!(said(11).ends_with("does a function call itself forever?"), "{}", said(11));
        assert!(said(6).ends_with("(signal 6)"), "{}", said(6));
    }

    #[test]
    fn a_sentence_is_said_in_the_students_language() {
        let mismatch = Mismatch::NoneForObject;
        let say = |lang, notation| Words::new(lang).mismatch(&mismatch, notation, None);
        assert!(say(Lang::En, &Python).ends_with("end the method with return self"));
        assert!(say(Lang::Nl, &JavaScript).ends_with("sluit de methode af met return this"));
        assert!(say(Lang::Da, &Python).ends_with("slut metoden med return self"));
    }

    #[test]
    fn numbers_have_the_decimal_mark_of_the_language() {
        let [points, most] = [1931, 2000].map(Points::from_hundredths);
        let said = |lang| Words::new(lang).points_of(points, most);
        assert_eq!(said(Lang::Nl), "19,31 van 20 punten");
        assert_eq!(said(Lang::Da), "19,31 af 20 point");
        assert_eq!(said(Lang::En), "19.31 of 20 points");
    }

    #[test]
    fn a_count_decides_the_form() {
        let words = Words::new(Lang::En);
        let say = |count| words.count("label-consequences", count, &[("steps", "4")]);
        assert_eq!(say(1), "step 4 did not pass either: fix this error first");
        assert_eq!(say(2), "2 later steps did not pass either (4): fix this error first");
    }
}
