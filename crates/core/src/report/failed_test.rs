//! The failure of one case as a test, for programs that run each case as a test of its own.

use super::case_writer::{CaseWriter, line};
use super::causes::causes;
use super::{Options, Scope, TERMINAL};
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport, Warning};
use std::sync::Arc;

/// The failure of a test.
#[derive(Clone, Debug, Default)]
pub struct FailedTest {
    /// The reason on one line, without the session.
    pub summary: String,
    /// The whole finding. Of the cases that failed by one cause only the simplest shows it; the text of the others is the
    /// reason, and names that case.
    pub text: String,
}

/// The failure of the case of this name in the report of its submission, as the audience may read it.
/// `test_name` is the name of the test of a case.
pub fn failed_test(
    report: &Arc<SubmissionReport>,
    name: &str,
    test_name: impl Fn(&str) -> String,
    options: &Options,
) -> FailedTest {
    let report = options.audience.sees(report);
    let Some(case) = report.cases.iter().find(|case| case.name == name) else { return FailedTest::default() };
    let writer = CaseWriter::new(&report, options);
    let causes = causes(&report);
    let shown = causes.iter().find(|cause| cause.others.iter().any(|other| other.name == name));
    let reasons = reasons(&report, case);
    let text = match shown {
        Some(cause) => {
            let same = writer.words.with("label-same-problem", &[("case", &test_name(&cause.case.name))]);
            format!("{}\n{same}", line(&writer.reason(case)))
        }
        None => {
            // What belongs to no case is told once.
            let is_first =
                report.cases.iter().find(|case| case.fails()).is_some_and(|first| first.name == name);
            let alone = SubmissionReport {
                cases: vec![case.clone()],
                sources: report.sources.clone(),
                warnings: if is_first { report.warnings.clone() } else { reasons.clone() },
                ..report.without_cases()
            };
            let options = Options { scope: Scope::OneTest, ..options.clone() };
            TERMINAL.write(&[Arc::new(alone)], &options).trim_end().to_owned()
        }
    };
    let mut summary = writer.reason(case);
    for reason in &reasons {
        summary += &format!(": {}", writer.words.warning(reason));
    }
    FailedTest { summary: line(&summary), text }
}

/// The warnings that say why a case was not run.
fn reasons(report: &SubmissionReport, case: &CaseReport) -> Vec<Warning> {
    if case.verdict != Verdict::NotRun || case.blocked_by.is_some() {
        return Vec::new();
    }
    let is_reason = |warning: &&Warning| matches!(warning, Warning::OverBudget { .. } | Warning::OverTime(_));
    report.warnings.iter().filter(is_reason).cloned().collect()
}
