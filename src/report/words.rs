//! The words that students read, in their language: Dutch, Danish or English.

use crate::case::Points;
use crate::compare::{FileKind, FilesProblem, Slip, Verdict};
use crate::event::{Finding, RunError, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::messages::{Messages, Translations};
use crate::sandbox::Exit;
use crate::value::oracle::Refusal;
use crate::value::syntax::Syntax;
use std::ops::Deref;

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The signal that ends a program which runs out of its stack (SIGSEGV).
const FAULT_IN_MEMORY: i32 = 11;

/// Kinds of files that are listed; others are only counted.
const MOST_KINDS: usize = 4;

/// The messages of reports in one language, and what they make of findings.
pub struct Words(Messages);

impl Deref for Words {
    type Target = Messages;

    fn deref(&self) -> &Messages {
        &self.0
    }
}

impl Words {
    /// The messages in `lang`.
    pub fn new(lang: Lang) -> Words {
        Words(Messages::new(lang, [TRANSLATIONS]))
    }

    /// A verdict in words.
    pub fn verdict(&self, verdict: Verdict) -> String {
        self.say(&format!("verdict-{}", verdict.name().replace(' ', "-")))
    }

    /// The points of a submission.
    pub fn points(&self, report: &SubmissionReport) -> String {
        self.points_of(report.points, report.max_points)
    }

    /// Points earned, of so many.
    pub fn points_of(&self, points: Points, most: Points) -> String {
        self.with("label-points", &[("points", &points.to_string()), ("max", &most.to_string())])
    }

    /// How many of a submission's cases passed.
    pub fn cases(&self, report: &SubmissionReport) -> String {
        self.cases_of(report.passed_cases(), report.cases.len())
    }

    /// Cases that passed, of so many.
    pub fn cases_of(&self, passed: usize, total: usize) -> String {
        self.with("label-cases", &[("passed", &passed.to_string()), ("total", &total.to_string())])
    }

    /// What a finding comes to: its step, and the sentence for its kind of difference.
    pub fn sentence(&self, finding: &Finding, syntax: Syntax) -> String {
        let sentence = self.slip(&finding.slip, syntax, finding.expected.as_deref());
        if finding.step == 0 {
            return sentence;
        }
        format!("{}: {sentence}", self.with("label-step", &[("step", &finding.step.to_string())]))
    }

    /// The sentence for a kind of difference, to a student who writes in the language of `syntax`.
    pub fn slip(&self, slip: &Slip, syntax: Syntax, expected: Option<&str>) -> String {
        let this = syntax.pick(["self", "this", "this", "self"]);
        match slip {
            Slip::Value => self.say("slip-value"),
            Slip::Type { expected, got } => self.with("slip-type", &[("expected", expected), ("got", got)]),
            Slip::Refused(why) => self.say(match why {
                Refusal::NoAnswer => "slip-refused-no-answer",
                Refusal::Illegal => "slip-refused-illegal",
                Refusal::WinMissed => "slip-refused-win-missed",
                Refusal::LosesTheGame => "slip-refused-loses-the-game",
                Refusal::LosesMaterial => "slip-refused-loses-material",
                Refusal::WorthLess => "slip-refused-worth-less",
            }),
            Slip::Printed => self.say("slip-printed"),
            Slip::NoneReturned => self.say("slip-none-returned"),
            Slip::NoneForObject => self.with("slip-none-for-object", &[("self", this)]),
            Slip::AnotherObject => {
                self.with("slip-another-object", &[("name", expected.unwrap_or_default())])
            }
            Slip::SameObject { name } => self.with("slip-same-object", &[("name", name)]),
            Slip::TooLarge => self.say("slip-too-large"),
            Slip::Deferred { kind } => self.with("slip-deferred", &[("kind", kind)]),
            Slip::NoText { kind } => self.with("slip-no-text", &[("kind", kind)]),
            Slip::Output => self.say("slip-output"),
            Slip::InnerType => self.say("slip-inner-type"),
            Slip::TrailingBlanks => self.say("slip-trailing-blanks"),
            Slip::FinalNewlines => self.say("slip-final-newlines"),
            Slip::Capitals => self.say("slip-capitals"),
            Slip::Blanks => self.say("slip-blanks"),
            Slip::Lines { expected, got } => {
                self.with("slip-lines", &[("expected", &expected.to_string()), ("got", &got.to_string())])
            }
            Slip::Text => self.say("slip-text"),
            Slip::TextOfNone => self.say("slip-text-of-none"),
            Slip::NotRaised => self.say("slip-not-raised"),
            Slip::Unexpected => self.say("slip-unexpected"),
            Slip::AnotherType => self.say("slip-another-type"),
            Slip::NearMessage => self.say("slip-near-message"),
            Slip::AnotherException => self.say("slip-another-exception"),
            Slip::AnotherMessage => self.say("slip-another-message"),
            Slip::NoDefinition { name, near: None } => self.with("slip-no-definition", &[("name", name)]),
            Slip::NoDefinition { name, near: Some(near) } => {
                self.with("slip-no-definition-near", &[("name", name), ("near", near)])
            }
            Slip::NoMethod { class, name, near: None } => {
                self.with("slip-no-method", &[("class", class), ("name", name)])
            }
            Slip::NoMethod { class, name, near: Some(near) } => {
                self.with("slip-no-method-near", &[("class", class), ("name", name), ("near", near)])
            }
            Slip::Property { class, name } => self.with("slip-property", &[("class", class), ("name", name)]),
            Slip::CpuLimit => self.say("slip-cpu-limit"),
            Slip::WallLimit => self.say("slip-wall-limit"),
            Slip::MemoryLimit => self.say("slip-memory-limit"),
            Slip::OutputLimit => self.say("slip-output-limit"),
            Slip::Ended(Exit::Signal(0)) => self.say("slip-ended"),
            Slip::Ended(Exit::Code(code)) => self.with("slip-ended-code", &[("code", &code.to_string())]),
            Slip::Ended(Exit::Signal(FAULT_IN_MEMORY)) => self.say("slip-ended-fault-in-memory"),
            Slip::Ended(Exit::Signal(signal)) => {
                self.with("slip-ended-signal", &[("signal", &signal.to_string())])
            }
            Slip::Protocol(why) => self.with("slip-protocol", &[("why", why)]),
            Slip::NotReady { why } => self.with("slip-not-ready", &[("why", why)]),
            Slip::Syntax => self.say("slip-syntax"),
            Slip::NewerSyntax { what, since, version } => {
                self.with("slip-newer-syntax", &[("what", what), ("since", since), ("version", version)])
            }
            Slip::Loading => self.say("slip-loading"),
            Slip::AsksInput => self.say("slip-asks-input"),
            Slip::NoModule { name } => self.with("slip-no-module", &[("name", name)]),
            Slip::NoProgram { file } => self.with("slip-no-program", &[("file", file)]),
            Slip::Dialogue => self.say("slip-dialogue"),
            Slip::EndedEarly => self.say("slip-ended-early"),
            Slip::Status => self.say("slip-status"),
            Slip::GamesLost { games, lost } => {
                self.with("slip-games-lost", &[("games", &games.to_string()), ("lost", &lost.to_string())])
            }
            Slip::Games { games, needed, got } => self.with(
                "slip-games-won",
                &[("games", &games.to_string()), ("needed", &needed.to_string()), ("got", &got.to_string())],
            ),
            Slip::Changed => self.say("slip-changed"),
            Slip::Files(problem) => self.files(problem),
            Slip::Compile(_) => self.say("slip-compile"),
            Slip::CompileTime => self.say("slip-compile-time"),
            Slip::ProgramGone { test } => self.with("slip-program-gone", &[("test", test)]),
        }
    }

    /// What is wrong with the files of a submission.
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

    /// The sentence for a warning; what was raised is not part of it.
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
    use crate::compare::{Slip, Verdict};
    use crate::messages::Lang;
    use crate::messages::tests::check_translations;
    use crate::sandbox::Exit;
    use crate::value::syntax::Syntax;

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
            let slip = Slip::Ended(Exit::Signal(signal));
            Words::new(Lang::En).slip(&slip, Syntax::Rust, None)
        };
        assert!(said(11).ends_with("does something call itself without end?"), "{}", said(11));
        assert!(said(6).ends_with("by signal 6"), "{}", said(6));
    }

    #[test]
    fn a_sentence_is_said_in_the_students_language() {
        let slip = Slip::NoneForObject;
        let say = |lang, syntax| Words::new(lang).slip(&slip, syntax, None);
        assert!(say(Lang::En, Syntax::Python).ends_with("end the method with return self"));
        assert!(say(Lang::Nl, Syntax::JavaScript).ends_with("sluit de methode af met return this"));
        assert!(say(Lang::Da, Syntax::Python).ends_with("slut metoden med return self"));
    }

    #[test]
    fn a_count_decides_the_form() {
        let words = Words::new(Lang::En);
        let say = |count| words.count("label-consequences", count, &[("steps", "4")]);
        assert_eq!(say(1), "1 later step failed as a consequence: 4");
        assert_eq!(say(2), "2 later steps failed as a consequence: 4");
    }
}
