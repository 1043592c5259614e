//! Who reads a report, and the one place that removes what hidden cases hold from a student's report.
//!
//! Formats receive reports that were filtered here, so none of them can leak what its reader should not know.

use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use std::borrow::Cow;
use std::sync::Arc;

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// May see every case.
    #[default]
    Instructor,
    /// Sees only that a hidden case failed, its points and its hint.
    Student,
}

impl Audience {
    /// Every audience.
    pub const ALL: [Audience; 2] = [Audience::Instructor, Audience::Student];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Audience::Instructor => "instructor",
            Audience::Student => "student",
        }
    }

    /// The audience of a name.
    pub fn from_name(name: &str) -> Option<Audience> {
        Audience::ALL.into_iter().find(|audience| audience.name() == name)
    }

    /// A report as this audience may see it.
    pub(super) fn sees(self, report: &Arc<SubmissionReport>) -> Arc<SubmissionReport> {
        let untold = is_untold(report);
        let names_others = self == Audience::Student
            && report.hand_in.as_deref().is_some_and(|hand_in| !hand_in.same.is_empty());
        if !names_others && !report.cases.iter().any(|case| self.keeps_back(case, untold)) {
            return Arc::clone(report);
        }
        let mut report = SubmissionReport::clone(report);
        if let Some(hand_in) = report.hand_in.as_mut().filter(|_| names_others) {
            hand_in.same.clear();
        }
        report.cases.iter_mut().filter(|case| self.keeps_back(case, untold)).for_each(keep_back);
        Arc::new(report)
    }

    /// A case of an unfinished report, as this audience may see it.
    pub(super) fn sees_case<'a>(
        self,
        report: &SubmissionReport,
        case: &'a CaseReport,
    ) -> Cow<'a, CaseReport> {
        let mut case = Cow::Borrowed(case);
        if self.keeps_back(&case, is_untold(report)) {
            keep_back(case.to_mut());
        }
        case
    }

    /// Whether this audience may not see how a case failed.
    fn keeps_back(self, case: &CaseReport, untold: bool) -> bool {
        self == Audience::Student && case.hidden && case.verdict != Verdict::Passed && !untold
    }
}

/// Whether a submission received nothing that its failure could repeat: no case reached its first step.
fn is_untold(report: &SubmissionReport) -> bool {
    report.cases.iter().all(is_before_the_first_step)
}

fn is_before_the_first_step(case: &CaseReport) -> bool {
    match &case.finding {
        Some(finding) => finding.step == 0,
        None => case.verdict == Verdict::NotRun && case.consequences.is_empty(),
    }
}

/// Reduces a failed case to the fact that it failed.
///
/// Even the kind of failure would reveal whether an exception was expected.
fn keep_back(case: &mut CaseReport) {
    case.verdict = Verdict::Failed;
    case.finding = None;
    case.consequences.clear();
    case.trials.clear();
    case.blocked_by = None;
}

#[cfg(test)]
mod tests {
    use super::Audience;
    use crate::case::Points;
    use crate::compare::{Mismatch, Verdict};
    use crate::event::{CaseReport, Consequence, Finding, HandIn, SubmissionReport, Trial};
    use crate::messages::LocalText;
    use std::sync::Arc;

    fn case(verdict: Verdict, step: Option<usize>) -> CaseReport {
        let finding = step.map(|step| Finding {
            verdict,
            step,
            mismatch: Mismatch::Value,
            session: vec![">>> secret".to_owned()],
            gave: vec![String::new()],
            expected: Some("secret".to_owned()),
            got: Some("secret".to_owned()),
            exception: None,
            printed: Some("secret".to_owned()),
            case_line: ("case.toml".to_owned(), 3),
            steps: Vec::new(),
            call: None,
        });
        CaseReport {
            name: "case".to_owned(),
            title: Arc::new(LocalText::Plain("Case".to_owned())),
            tags: Arc::new([]),
            hidden: true,
            hint: None,
            points: Points::ZERO,
            max_points: Points::ONE,
            verdict,
            finding: finding.map(Box::new),
            consequences: Vec::new(),
            trials: Vec::new(),
            group: None,
            blocked_by: None,
        }
    }

    fn seen(audience: Audience, case: CaseReport) -> CaseReport {
        all_seen(audience, vec![case]).remove(0)
    }

    fn all_seen(audience: Audience, cases: Vec<CaseReport>) -> Vec<CaseReport> {
        audience.sees(&Arc::new(report_of(cases))).cases.clone()
    }

    fn report_of(cases: Vec<CaseReport>) -> SubmissionReport {
        SubmissionReport {
            name: "x".to_owned(),
            path: "x".to_owned(),
            files: Vec::new(),
            sources: Vec::new(),
            exercise: None,
            runtime: None,
            points: Points::ZERO,
            max_points: Points::ONE,
            cases,
            warnings: Vec::new(),
            error: None,
            hand_in: None,
        }
    }

    #[test]
    fn a_student_is_told_of_a_hidden_case_that_it_failed() {
        let mut failed = case(Verdict::DidNotRaise, Some(2));
        failed.consequences = vec![Consequence { step: 3, verdict: Verdict::WrongValue }];
        failed.trials = vec![Trial { seed: 1, verdict: Verdict::Raised }];
        let told = seen(Audience::Student, failed.clone());
        assert_eq!((told.verdict, &told.finding), (Verdict::Failed, &None));
        assert!(told.consequences.is_empty() && told.trials.is_empty());
        let told = seen(Audience::Instructor, failed);
        assert!(told.finding.is_some() && told.verdict == Verdict::DidNotRaise);
    }

    #[test]
    fn a_student_is_not_told_whose_submission_is_the_same() {
        let hand_in = HandIn { same: vec!["Bo".to_owned()], attempt: 2, ..HandIn::default() };
        let mut report = report_of(vec![case(Verdict::Passed, None)]);
        report.hand_in = Some(Box::new(hand_in.clone()));
        let seen = |audience: Audience| audience.sees(&Arc::new(report.clone())).hand_in.clone();
        assert_eq!(seen(Audience::Instructor).as_deref(), Some(&hand_in));
        let told = HandIn { attempt: 2, ..HandIn::default() };
        assert_eq!(seen(Audience::Student).as_deref(), Some(&told));
    }

    #[test]
    fn what_a_case_that_is_not_hidden_holds_is_told() {
        let shown = CaseReport { hidden: false, ..case(Verdict::WrongValue, Some(1)) };
        assert_eq!(seen(Audience::Student, shown).verdict, Verdict::WrongValue);
    }

    #[test]
    fn what_fails_before_the_first_step_is_told() {
        assert!(seen(Audience::Student, case(Verdict::LoadError, Some(0))).finding.is_some());
        assert_eq!(seen(Audience::Student, case(Verdict::NotRun, None)).verdict, Verdict::NotRun);
    }

    #[test]
    fn what_fails_while_loading_after_a_case_was_told_is_kept_back() {
        // A program that answers for several cases may remember one, and print it when it is loaded for the next.
        let shown = CaseReport { hidden: false, ..case(Verdict::Passed, None) };
        let told = all_seen(
            Audience::Student,
            vec![shown, case(Verdict::LoadError, Some(0)), case(Verdict::NotRun, None)],
        );
        assert_eq!(told[1].finding, None);
        assert_eq!(
            told.iter().map(|case| case.verdict).collect::<Vec<_>>(),
            [Verdict::Passed, Verdict::Failed, Verdict::Failed]
        );
    }

    #[test]
    fn steps_that_were_not_run_are_not_told() {
        let mut halted = case(Verdict::NotRun, None);
        halted.consequences = vec![Consequence { step: 4, verdict: Verdict::NotRun }];
        let told = seen(Audience::Student, halted);
        assert_eq!((told.verdict, told.consequences.len()), (Verdict::Failed, 0));
    }
}
