//! Where a page shows each case: failed cases with one cause are shown once, by the simplest of them.

use crate::event::{CaseReport, Finding, SubmissionReport};
use crate::report::causes;

/// For each case of a report, the index of the case by which the page shows it.
pub(super) fn shown_at(report: &SubmissionReport) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..report.cases.len()).collect();
    let index = |case: &CaseReport| report.cases.iter().position(|other| std::ptr::eq(other, case));
    for cause in causes(report) {
        let Some(first) = index(cause.case) else { continue };
        cause.others.iter().filter_map(|case| index(case)).for_each(|other| shown[other] = first);
    }
    shown
}

/// The problem that a case failed with before its first step.
pub(super) fn before_all(case: &CaseReport) -> Option<&Finding> {
    case.finding.as_deref().filter(|finding| finding.step.is_none())
}
