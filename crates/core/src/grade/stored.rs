//! How what is known of a case is stored: the name of its verdict, and the rest as JSON, which says its
//! version.

use crate::compare::Verdict;
use crate::judge::{CaseOutcome, KnownCase};
use crate::named::Named;
use serde::{Deserialize, Serialize};

/// The name of a case that does not count, in place of a verdict.
const NOT_COUNTED: &str = "not counted";

/// The version of the stored form. Raise it when outcomes change so that this keur would read earlier ones
/// wrongly or not at all.
const VERSION: u32 = 1;

/// An error in reading what is stored of a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutcomeError {
    /// The form of an outcome that another keur stored, and that this one does not read.
    #[error("the outcome is of version {0}, and this keur reads version {VERSION}")]
    Version(u32),
    /// No keur stores this.
    #[error("an outcome `{verdict}` cannot be read: {why}")]
    Damaged {
        /// The name of the verdict.
        verdict: String,
        /// The reason.
        why: String,
    },
}

/// An outcome and the version of its form.
#[derive(Serialize)]
struct StoredOutcome<'o> {
    version: u32,
    #[serde(flatten)]
    outcome: &'o CaseOutcome,
}

/// The version of a stored outcome, which is read before the rest.
#[derive(Deserialize)]
struct StoredVersion {
    /// The first version did not say which it was.
    #[serde(default = "first_version")]
    version: u32,
}

fn first_version() -> u32 {
    1
}

impl KnownCase {
    /// The name of its verdict; `not counted` if it has none.
    pub fn verdict_name(&self) -> &'static str {
        match self {
            KnownCase::Graded(outcome) => outcome.verdict.name(),
            KnownCase::NotCounted => NOT_COUNTED,
        }
    }

    /// All else of it, as JSON; `None` if it passed strictly and there is nothing else to know, or if it does
    /// not count.
    pub fn to_stored(&self) -> Option<String> {
        let KnownCase::Graded(outcome) = self else { return None };
        if *outcome == CaseOutcome::passed() {
            return None;
        }
        // Strings and numbers alone: nothing that JSON cannot have.
        Some(serde_json::to_string(&StoredOutcome { version: VERSION, outcome }).unwrap_or_default())
    }

    /// The case of which [`KnownCase::verdict_name`] and [`KnownCase::to_stored`] gave these.
    ///
    /// # Errors
    /// They are damaged, or of another version.
    pub fn from_stored(verdict: &str, outcome: Option<&str>) -> Result<KnownCase, OutcomeError> {
        let damaged = |why: String| OutcomeError::Damaged { verdict: verdict.to_owned(), why };
        let Some(json) = outcome else {
            return match verdict {
                NOT_COUNTED => Ok(KnownCase::NotCounted),
                _ if verdict == Verdict::Passed.name() => Ok(KnownCase::Graded(CaseOutcome::passed())),
                _ => Err(damaged("only its verdict is stored".to_owned())),
            };
        };
        let unread = |error: serde_json::Error| damaged(error.to_string());
        let StoredVersion { version } = serde_json::from_str(json).map_err(unread)?;
        if version != VERSION {
            return Err(OutcomeError::Version(version));
        }
        let outcome: CaseOutcome = serde_json::from_str(json).map_err(unread)?;
        if outcome.verdict.name() != verdict {
            return Err(damaged(format!("its verdict is `{}`", outcome.verdict)));
        }
        if outcome.quick.is_some_and(|quick| outcome != CaseOutcome::passed_in(quick)) {
            return Err(damaged("a quick pass knows nothing but that it passed".to_owned()));
        }
        if outcome.not_judged && outcome.verdict != Verdict::NotRun {
            return Err(damaged("it was not judged".to_owned()));
        }
        Ok(KnownCase::Graded(outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::OutcomeError;
    use crate::case::{Library, StepNo};
    use crate::compare::{Mistake, Verdict};
    use crate::event::{Consequence, ExceptionReport, SessionLine, Trial};
    use crate::judge::{CaseOutcome, KnownCase, LoadOutcome, QuickPass};
    use crate::submission::FilesProblem;

    #[test]
    fn stored_outcomes_are_read_again() {
        let problem = Mistake::Submission(FilesProblem::Empty { file: "an.py".to_owned() }.into());
        let raised = ExceptionReport { text: "ValueError".to_owned(), places: Vec::new() };
        let mut failed = CaseOutcome::impossible(&problem).taking(std::time::Duration::from_millis(12));
        failed.loading = LoadOutcome::Raised(raised);
        failed.consequences = vec![Consequence { step: StepNo::at(2), verdict: Verdict::NotRun }];
        failed.trials = vec![Trial { seed: 1, verdict: Verdict::DidNotRaise }];
        let finding = failed.finding.as_mut().unwrap();
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
        let problem = Mistake::Submission(FilesProblem::Empty { file: "an.py".to_owned() }.into());
        let mut failed = CaseOutcome::impossible(&problem);
        for (step, stored) in [(None, r#""step":0,"#), (StepNo::new(3), r#""step":3,"#)] {
            failed.finding.iter_mut().for_each(|finding| finding.step = step);
            let json = KnownCase::Graded(failed.clone()).to_stored().unwrap();
            assert!(json.contains(stored), "{json}");
        }
    }

    #[test]
    fn an_outcome_without_a_version_is_of_the_first() {
        let raised = CaseOutcome { hint_fits: true, verdict: Verdict::Raised, ..CaseOutcome::passed() };
        let stored = KnownCase::Graded(raised.clone()).to_stored().unwrap();
        assert_eq!(stored, r#"{"version":1,"verdict":"raised","hint_fits":true}"#);
        let first = stored.replace(r#""version":1,"#, "");
        assert_eq!(KnownCase::from_stored("raised", Some(&first)), Ok(KnownCase::Graded(raised)));
    }

    #[test]
    fn an_outcome_of_another_version_is_refused_whatever_else_it_says() {
        for other in [r#"{"version":2,"verdict":"raised"}"#, r#"{"finding":7,"version":2}"#] {
            assert_eq!(KnownCase::from_stored("raised", Some(other)), Err(OutcomeError::Version(2)));
        }
    }

    #[test]
    fn a_plain_strict_pass_is_stored_as_its_verdict_alone() {
        assert_eq!(KnownCase::Graded(CaseOutcome::passed()).to_stored(), None);
    }

    #[test]
    fn values_of_another_form_are_refused() {
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
