//! The readers of a report, and the one place that decides what a student sees of it.
//!
//! Formats receive reports that were made here from what a student may see, so none of them can leak anything
//! else.

use crate::compare::Verdict;
use crate::event::{CaseReport, Event, ExerciseError, HandIn, RunError, SubmissionReport, Warning};
use crate::named;
use std::sync::Arc;

/// The readers of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// May see every case.
    #[default]
    Instructor,
    /// Sees only that a hidden case failed, its points and its hint.
    Student,
}

named!(Audience {
    Instructor = "instructor",
    Student = "student",
});

impl Audience {
    /// A report as this audience may see it.
    pub(super) fn sees(self, report: &Arc<SubmissionReport>) -> Arc<SubmissionReport> {
        match self {
            Audience::Instructor => Arc::clone(report),
            Audience::Student => {
                let reveals_nothing = reveals_nothing(report);
                let cases = report.cases.iter().map(|case| case_for_student(case, reveals_nothing)).collect();
                Arc::new(report_for_student(report, cases))
            }
        }
    }

    /// The reason why something was not graded, as this audience may see it.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) fn sees_error(self, error: &RunError) -> RunError {
        match self {
            Audience::Instructor => error.clone(),
            Audience::Student => error_for_student(error),
        }
    }
}

/// The report of a submission that is being graded, as its audience may see it: each case as it was first
/// told.
#[derive(Debug, Default)]
pub(super) struct SeenSoFar {
    cases: Vec<CaseReport>,
}

impl SeenSoFar {
    /// Tells `tell` an event as `audience` may see it.
    pub(super) fn event(&mut self, audience: Audience, event: &Event<'_>, tell: &mut dyn FnMut(&Event<'_>)) {
        match (audience, *event) {
            (Audience::Student, Event::SubmissionStarted { report }) => {
                self.cases.clear();
                tell(&Event::SubmissionStarted { report: &report_for_student(report, Vec::new()) });
            }
            (Audience::Student, Event::CaseFinished { report, case }) => {
                let case = case_for_student(case, reveals_nothing(report));
                self.cases.push(case.clone());
                let seen = report_for_student(report, std::mem::take(&mut self.cases));
                tell(&Event::CaseFinished { report: &seen, case: &case });
                self.cases = seen.cases;
            }
            (Audience::Student, Event::SubmissionFinished { report }) => {
                tell(&Event::SubmissionFinished { report: &audience.sees(report) });
            }
            _ => tell(event),
        }
    }
}

/// Returns true if a failure cannot repeat anything of a hidden case: no case reached its first step, and
/// none shows the submission something before that.
fn reveals_nothing(report: &SubmissionReport) -> bool {
    report.cases.iter().all(|case| !case.seen_at_load && is_before_the_first_step(case))
}

fn is_before_the_first_step(case: &CaseReport) -> bool {
    match &case.finding {
        Some(finding) => finding.step.is_none(),
        None => case.verdict == Verdict::NotRun && case.consequences.is_empty(),
    }
}

/// A report for a student, with these of its cases. Every field is named, so that a new one must be looked at
/// here.
fn report_for_student(report: &SubmissionReport, cases: Vec<CaseReport>) -> SubmissionReport {
    SubmissionReport {
        name: report.name.clone(),
        path: report.path.clone(),
        files: report.files.clone(),
        sources: report.sources.clone(),
        exercise: report.exercise.clone(),
        runtime: report.runtime.clone(),
        points: report.points,
        max_points: report.max_points,
        cases,
        warnings: report.warnings.iter().filter_map(|warning| warning_for_student(warning, report)).collect(),
        error: report.error.as_ref().map(error_for_student),
        // Not the names of other students.
        hand_in: report
            .hand_in
            .as_deref()
            .map(|hand_in| Box::new(HandIn { same: Vec::new(), ..hand_in.clone() })),
    }
}

/// A case for a student. A hidden one has two forms, passed and failed, which differ in nothing that a
/// submission can choose but the points: even the kind of failure would reveal whether an exception was
/// expected.
fn case_for_student(case: &CaseReport, reveals_nothing: bool) -> CaseReport {
    if !case.hidden {
        return case.clone();
    }
    let seen = CaseReport {
        name: case.name.clone(),
        title: Arc::clone(&case.title),
        tags: Arc::clone(&case.tags),
        hidden: true,
        hint: case.hint.clone(),
        points: case.points,
        max_points: case.max_points,
        verdict: if case.verdict == Verdict::Passed { Verdict::Passed } else { Verdict::Failed },
        finding: None,
        consequences: Vec::new(),
        trials: Vec::new(),
        group: case.group.clone(),
        blocked_by: None,
        seen_at_load: case.seen_at_load,
    };
    if reveals_nothing {
        // Why it cannot be loaded, as in a case that is not hidden.
        return CaseReport { hint: None, verdict: case.verdict, finding: case.finding.clone(), ..seen };
    }
    seen
}

/// A warning for a student. Hidden cases are run last, so no other case had a part in their warnings.
fn warning_for_student(warning: &Warning, report: &SubmissionReport) -> Option<Warning> {
    match warning {
        Warning::RaisedWhileLoading { hidden: true, .. }
        | Warning::PrintedWhileLoading { hidden: true, .. } => None,
        Warning::RaisedWhileLoading { raised, hidden: false } => {
            Some(Warning::RaisedWhileLoading { raised: raised.clone(), hidden: false })
        }
        Warning::PrintedWhileLoading { text, hidden: false } => {
            Some(Warning::PrintedWhileLoading { text: text.clone(), hidden: false })
        }
        Warning::Skipped(file) => Some(Warning::Skipped(file.clone())),
        Warning::OverBudget { cases, time } => {
            let cases = visible_not_run(report).min(*cases);
            (cases > 0).then_some(Warning::OverBudget { cases, time: *time })
        }
        Warning::OverTime(cases) => {
            let shown = visible_not_run(report).min(*cases);
            (shown > 0).then_some(Warning::OverTime(shown))
        }
    }
}

/// The number of cases that are not hidden, and were not run because the time was used up.
fn visible_not_run(report: &SubmissionReport) -> usize {
    let not_run = |case: &&CaseReport| !case.hidden && case.verdict == Verdict::NotRun;
    report.cases.iter().filter(not_run).filter(|case| case.blocked_by.is_none()).count()
}

/// An error for a student. One in a file of the exercise may quote the file, or the value that a check
/// judged.
#[warn(clippy::wildcard_enum_match_arm)]
fn error_for_student(error: &RunError) -> RunError {
    match error {
        RunError::Exercise(_) => RunError::Exercise(ExerciseError::Withheld),
        RunError::NotHandedIn
        | RunError::NotGraded { .. }
        | RunError::Nothing(_)
        | RunError::NoSuchPath(_)
        | RunError::UnclearExercise(_)
        | RunError::Selection(_)
        | RunError::Usage(_)
        | RunError::Fault(_) => error.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::Audience;
    use crate::case::{CasePlace, Points, StepNo};
    use crate::compare::{Mistake, ValueMistake, Verdict};
    use crate::event::{CaseReport, Consequence, Finding, HandIn, SessionLine, SubmissionReport, Trial};
    use crate::messages::LocalText;
    use std::sync::Arc;

    fn case(verdict: Verdict, step: Option<usize>) -> CaseReport {
        let finding = step.map(|step| Finding {
            verdict,
            step: StepNo::new(step),
            mistake: Mistake::Value(ValueMistake::Unexpected),
            session: vec![SessionLine {
                step: StepNo::new(step),
                text: ">>> secret".to_owned(),
                gave: String::new(),
            }],
            expected: Some("secret".to_owned()),
            got: Some("secret".to_owned()),
            exception: None,
            printed: Some("secret".to_owned()),
            errors: Some("secret".to_owned()),
            place: CasePlace { path: "case.toml".to_owned(), line: 3 },
            call: None,
            returns_errors: false,
        });
        CaseReport {
            hidden: true,
            verdict,
            finding: finding.map(Box::new),
            ..CaseReport::not_run("case", LocalText::Plain("Case".to_owned()), Points::ONE)
        }
    }

    fn seen(audience: Audience, case: CaseReport) -> CaseReport {
        all_seen(audience, vec![case]).remove(0)
    }

    fn all_seen(audience: Audience, cases: Vec<CaseReport>) -> Vec<CaseReport> {
        audience.sees(&Arc::new(report_of(cases))).cases.clone()
    }

    fn report_of(cases: Vec<CaseReport>) -> SubmissionReport {
        SubmissionReport { max_points: Points::ONE, cases, ..SubmissionReport::new("x", "x") }
    }

    #[test]
    fn a_student_sees_of_a_hidden_case_that_it_failed() {
        let mut failed = case(Verdict::DidNotRaise, Some(2));
        failed.consequences = vec![Consequence { step: StepNo::at(2), verdict: Verdict::WrongValue }];
        failed.trials = vec![Trial { seed: 1, verdict: Verdict::Raised }];
        let told = seen(Audience::Student, failed.clone());
        assert_eq!((told.verdict, &told.finding), (Verdict::Failed, &None));
        assert!(told.consequences.is_empty() && told.trials.is_empty());
        let told = seen(Audience::Instructor, failed);
        assert!(told.finding.is_some() && told.verdict == Verdict::DidNotRaise);
    }

    #[test]
    fn a_student_does_not_see_whose_submission_is_the_same() {
        let hand_in = HandIn { same: vec!["Bo".to_owned()], attempt: 2, ..HandIn::default() };
        let mut report = report_of(vec![case(Verdict::Passed, None)]);
        report.hand_in = Some(Box::new(hand_in.clone()));
        let seen = |audience: Audience| audience.sees(&Arc::new(report.clone())).hand_in.clone();
        assert_eq!(seen(Audience::Instructor).as_deref(), Some(&hand_in));
        let told = HandIn { attempt: 2, ..HandIn::default() };
        assert_eq!(seen(Audience::Student).as_deref(), Some(&told));
    }

    #[test]
    fn visible_cases_show_their_content() {
        let shown = CaseReport { hidden: false, ..case(Verdict::WrongValue, Some(1)) };
        assert_eq!(seen(Audience::Student, shown).verdict, Verdict::WrongValue);
    }

    #[test]
    fn failures_before_the_first_step_are_shown() {
        assert!(seen(Audience::Student, case(Verdict::LoadError, Some(0))).finding.is_some());
        assert_eq!(seen(Audience::Student, case(Verdict::NotRun, None)).verdict, Verdict::NotRun);
    }

    #[test]
    fn load_failures_after_a_told_case_are_kept_back() {
        // A program that answers for several cases may remember one, and print it when it is loaded for the
        // next.
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
    fn steps_that_were_not_run_are_kept_back() {
        let mut halted = case(Verdict::NotRun, None);
        halted.consequences = vec![Consequence { step: StepNo::at(3), verdict: Verdict::NotRun }];
        let told = seen(Audience::Student, halted);
        assert_eq!((told.verdict, told.consequences.len()), (Verdict::Failed, 0));
    }
}
