//! The texts that students read, in their language: Dutch, Danish or English.

use crate::case::Points;
use crate::compare::{FileKind, FilesProblem, Mismatch, Verdict};
use crate::event::{Finding, RunError, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::messages::{Messages, Translations};
use crate::sandbox::Exit;
use crate::value::notation::Notation;
use crate::value::oracle::Refusal;
use std::ops::Deref;

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The signal that ends a program when its stack overflows (SIGSEGV).
const FAULT_IN_MEMORY: i32 = 11;

/// Kinds of files that are listed; others are only counted.
const MOST_KINDS: usize = 4;

/// The messages of reports in one language, and the sentences for findings.
pub struct Words {
    messages: Messages,
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
        Words { messages: Messages::new(lang, [TRANSLATIONS]), lang }
    }

    /// A verdict in words.
    pub fn verdict(&self, verdict: Verdict) -> String {
        self.say(&format!("verdict-{}", verdict.name().replace(' ', "-")))
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
        if finding.step == 0 {
            return sentence;
        }
        format!("{}: {sentence}", self.with("label-step", &[("step", &finding.step.to_string())]))
    }

    /// The sentence for a mismatch, for a student who writes in the language of `notation`.
    pub fn mismatch(
        &self,
        mismatch: &Mismatch,
        notation: &'static dyn Notation,
        expected: Option<&str>,
    ) -> String {
        let this = notation.this();
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
                Refusal::WorthLess => "mismatch-refused-worth-less",
            }),
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
            Mismatch::InnerType => self.say("mismatch-inner-type"),
            Mismatch::TrailingBlanks => self.say("mismatch-trailing-blanks"),
            Mismatch::FinalNewlines => self.say("mismatch-final-newlines"),
            Mismatch::Capitals => self.say("mismatch-capitals"),
            Mismatch::Blanks => self.say("mismatch-blanks"),
            Mismatch::Lines { expected, got } => {
                self.with("mismatch-lines", &[("expected", &expected.to_string()), ("got", &got.to_string())])
            }
            Mismatch::Text => self.say("mismatch-text"),
            Mismatch::TextOfNone => self.say("mismatch-text-of-none"),
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
            Mismatch::Property { class, name } => {
                self.with("mismatch-property", &[("class", class), ("name", name)])
            }
            Mismatch::CpuLimit => self.say("mismatch-cpu-limit"),
            Mismatch::WallLimit => self.say("mismatch-wall-limit"),
            Mismatch::MemoryLimit => self.say("mismatch-memory-limit"),
            Mismatch::OutputLimit => self.say("mismatch-output-limit"),
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
            Mismatch::Compile(_) => self.say("mismatch-compile"),
            Mismatch::CompileTime => self.say("mismatch-compile-time"),
            Mismatch::ProgramGone { test } => self.with("mismatch-program-gone", &[("test", test)]),
        }
    }

    /// The problem with the files of a submission.
    pub fn files(&self, problem: &FilesProblem) -> String {
        match problem {
            FilesProblem::NoSource { wanted, found } => {
                let found = self.found(found);
                match wanted.as_slice() {
                    [] => self.with("files-none", &[("found", &found)]),
                    wanted => {
                        self.with("files-no-source", &[("wanted", &wanted.join(", ")), ("found", &found)])
                    }
                }
            }
            FilesProblem::NoTest { test } => self.with("files-no-test", &[("test", test)]),
            FilesProblem::Link { to } => self.with("files-link", &[("to", to)]),
            FilesProblem::Several { found } => self.with("files-several", &[("found", &found.join(", "))]),
            FilesProblem::Notebook { file } => self.with("files-notebook", &[("file", file)]),
            FilesProblem::Empty { file } => self.with("files-empty", &[("file", file)]),
            FilesProblem::TooLarge { file } => self.with("files-too-large", &[("file", file)]),
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
            (None, _) => self.say("found-nothing"),
            (Some(only), true) => only,
            (Some(last), false) => self.with("found-and", &[("some", &said.join(", ")), ("last", &last)]),
        }
    }

    /// The sentence for a warning, without what was raised.
    pub fn warning(&self, warning: &Warning) -> String {
        match warning {
            Warning::RaisedWhileLoading(_) => self.say("label-loading"),
            Warning::PassedOver(what) => self.with("label-passed-over", &[("what", what)]),
            Warning::OverBudget(cases, time) => {
                self.count("label-budget", *cases, &[("time", &format!("{time:?}"))])
            }
        }
    }

    /// Why a submission was not graded.
    pub fn error(&self, error: &RunError) -> String {
        match error {
            RunError::Nothing(problem) => self.files(problem),
            RunError::Usage(why) | RunError::Cases { message: why, .. } | RunError::Fault(why) => why.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TRANSLATIONS, Words};
    use crate::case::Points;
    use crate::compare::{Mismatch, Verdict};
    use crate::languages::{javascript::JavaScript, python::Python, rust::Rust};
    use crate::messages::Lang;
    use crate::messages::tests::check_translations;
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
