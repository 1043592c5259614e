//! Merges several gradings of one submission, under different seeds, into one report.

use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport, Trial};

/// Merges reports of repeated gradings. A case passes if it passed each time; one whose verdict differs carries
/// every verdict, the finding of its first failure, and the fewest points.
///
/// The reports are of the same submission, each under a different seed; the first one's seed and warnings are kept.
pub(super) fn combined(reports: Vec<SubmissionReport>) -> Option<SubmissionReport> {
    let trials: Vec<Vec<Trial>> = (0..reports.first()?.cases.len())
        .map(|index| reports.iter().filter_map(|report| trial(report, index)).collect())
        .collect();
    let mut reports = reports.into_iter();
    let mut combined = reports.next()?;
    for report in reports {
        combined.error = combined.error.or(report.error);
        if combined.sources.is_empty() {
            combined.sources = report.sources;
        }
        for (case, again) in combined.cases.iter_mut().zip(report.cases) {
            let points = case.points.min(again.points);
            if case.verdict == Verdict::Passed {
                *case = again;
            }
            case.points = points;
        }
    }
    for (case, trials) in combined.cases.iter_mut().zip(trials) {
        if trials.iter().any(|trial| trial.verdict != case.verdict) {
            case.trials = trials;
        }
    }
    Some(combined)
}

fn trial(report: &SubmissionReport, index: usize) -> Option<Trial> {
    let seed = report.runtime.as_ref()?.seed;
    let CaseReport { verdict, .. } = report.cases.get(index)?;
    Some(Trial { seed, verdict: *verdict })
}
