//! How what is known of a case is stored: the name of its verdict, and the rest as JSON.

use super::outcome::{CaseOutcome, KnownCase};
use crate::compare::Verdict;

/// The name of a case that does not count, in place of a verdict.
const NOT_COUNTED: &str = "not counted";

/// Why what is stored of a case cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OutcomeError {
    /// The problem, in a sentence.
    pub message: String,
}

impl KnownCase {
    /// The name of its verdict; `not counted` if it has none.
    pub fn verdict_name(&self) -> &'static str {
        match self {
            KnownCase::Graded(outcome) => outcome.verdict.name(),
            KnownCase::NotCounted => NOT_COUNTED,
        }
    }

    /// All else of it, as JSON; `None` if it passed strictly and there is nothing else to know, or if it does not count.
    pub fn to_stored(&self) -> Option<String> {
        let KnownCase::Graded(outcome) = self else { return None };
        // Strings and numbers alone: nothing that JSON cannot have.
        (*outcome != CaseOutcome::passed()).then(|| serde_json::to_string(outcome).unwrap_or_default())
    }

    /// What [`KnownCase::verdict_name`] and [`KnownCase::to_stored`] gave.
    ///
    /// # Errors
    /// They are damaged, or of another version.
    pub fn from_stored(verdict: &str, outcome: Option<&str>) -> Result<KnownCase, OutcomeError> {
        let wrong =
            |why: String| OutcomeError { message: format!("an outcome `{verdict}` cannot be read: {why}") };
        match outcome {
            None if verdict == NOT_COUNTED => Ok(KnownCase::NotCounted),
            None if verdict == Verdict::Passed.name() => Ok(KnownCase::Graded(CaseOutcome::passed())),
            None => Err(wrong("only its verdict is stored".to_owned())),
            Some(json) => {
                let outcome: CaseOutcome =
                    serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
                if outcome.verdict.name() != verdict {
                    return Err(wrong(format!("its verdict is `{}`", outcome.verdict)));
                }
                if outcome.quick.is_some_and(|quick| outcome != CaseOutcome::passed_in(quick)) {
                    return Err(wrong("a quick pass knows nothing but that it passed".to_owned()));
                }
                if outcome.not_judged && outcome.verdict != Verdict::NotRun {
                    return Err(wrong("it was not judged".to_owned()));
                }
                Ok(KnownCase::Graded(outcome))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{CaseOutcome, KnownCase, LoadOutcome};
    use super::super::quick::QuickPass;
    use crate::case::{CasePlace, Library, StepNo};
    use crate::compare::{Mismatch, Verdict};
    use crate::event::{Consequence, ExceptionReport, SessionLine, Trial};
    use crate::submission::FilesProblem;

    #[test]
    fn what_is_stored_is_read_again() {
        let problem = Mismatch::Files(FilesProblem::Empty { file: "an.py".to_owned() });
        let raised = ExceptionReport { text: "ValueError".to_owned(), places: Vec::new() };
        let mut failed = CaseOutcome::impossible(&problem).taking(std::time::Duration::from_millis(12));
        failed.loading = LoadOutcome::Raised(raised);
        failed.consequences = vec![Consequence { step: StepNo::at(2), verdict: Verdict::NotRun }];
        failed.trials = vec![Trial { seed: 1, verdict: Verdict::DidNotRaise }];
        let finding = failed.finding.as_mut().unwrap();
        // The line is found again from the case.
        finding.place = CasePlace::default();
        finding.session = vec![
            SessionLine { step: Some(StepNo::FIRST), text: ">>> f()".to_owned(), gave: "3".to_owned() },
            SessionLine { step: None, text: ">>> g()".to_owned(), gave: String::new() },
        ];
        let loaded = Library::BuiltIn.load("codenames").unwrap();
        let quickly = CaseOutcome::passed_in(QuickPass::of(&loaded.cases.iter().collect::<Vec<_>>()));
        let not_judged = CaseOutcome::without_judgement(LoadOutcome::Stopped);
        let graded = [CaseOutcome::passed(), quickly, failed, not_judged].map(KnownCase::Graded);
        for known in graded.into_iter().chain([KnownCase::NotCounted]) {
            let stored = known.to_stored();
            let read = KnownCase::from_stored(known.verdict_name(), stored.as_deref());
            assert_eq!(read, Ok(known));
        }
    }

    #[test]
    fn a_session_is_stored_as_three_lists() {
        let stored = r#"{"verdict":"wrong value","finding":{"verdict":"wrong value","step":1,"mismatch":"Value",
            "session":[">>> f()"],"gave":[""],"expected":"1","got":"2","exception":null,"printed":null,
            "steps":[1],"call":"f"}}"#;
        let read = KnownCase::from_stored("wrong value", Some(stored)).unwrap();
        let KnownCase::Graded(outcome) = &read else { panic!("{read:?}") };
        let line = SessionLine { step: Some(StepNo::FIRST), text: ">>> f()".to_owned(), gave: String::new() };
        assert_eq!(outcome.finding.as_deref().unwrap().session, [line]);
    }

    #[test]
    fn the_step_of_a_finding_is_stored_as_its_number_and_as_0_before_the_first() {
        let problem = Mismatch::Files(FilesProblem::Empty { file: "an.py".to_owned() });
        let mut failed = CaseOutcome::impossible(&problem);
        for (step, stored) in [(None, r#""step":0,"#), (StepNo::new(3), r#""step":3,"#)] {
            failed.finding.iter_mut().for_each(|finding| finding.step = step);
            let json = KnownCase::Graded(failed.clone()).to_stored().unwrap();
            assert!(json.contains(stored), "{json}");
        }
    }

    #[test]
    fn a_plain_strict_pass_is_stored_as_its_verdict_alone() {
        assert_eq!(KnownCase::Graded(CaseOutcome::passed()).to_stored(), None);
    }

    #[test]
    fn what_was_not_stored_like_this_is_refused() {
        let quickly = r#"{"verdict":"raised","quick":1}"#;
        for (verdict, outcome) in [
            ("raised", None),
            ("raised", Some("{")),
            ("raised", Some(quickly)),
            ("passed", Some("{}")),
            ("passed", Some(r#"{"verdict":"passed","not_judged":true}"#)),
            ("no", None),
        ] {
            assert!(KnownCase::from_stored(verdict, outcome).is_err(), "{verdict}");
        }
        let passed = KnownCase::Graded(CaseOutcome::passed().taking(std::time::Duration::from_secs(1)));
        assert!(KnownCase::from_stored("raised", passed.to_stored().as_deref()).is_err());
    }
}
