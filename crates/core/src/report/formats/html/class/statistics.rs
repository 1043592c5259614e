//! Statistics of a class and of its cases.

use crate::case::Points;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use std::collections::HashMap;

/// Fewest submissions for which a correlation is meaningful.
const FEWEST: usize = 5;

/// The results of a case in a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Item {
    /// Submissions that passed it.
    pub(super) passed: usize,
    /// The corrected item-total correlation, −1 to 1.
    ///
    /// It is between passing this case (0 or 1) and the points of the other cases. `None` if all or none
    /// passed, if the rest is equal for all, or for fewer than five submissions.
    pub(super) discrimination: Option<f64>,
}

/// Each case of submissions that share the same cases.
pub(super) fn items(reports: &[&SubmissionReport]) -> Vec<Item> {
    let count = reports.first().map_or(0, |report| report.cases.len());
    let earned = |report: &SubmissionReport, index: usize| {
        report.cases.get(index).map_or(0.0, |case| case.points.to_f64())
    };
    let totals: Vec<f64> =
        reports.iter().map(|report| (0..count).map(|index| earned(report, index)).sum()).collect();
    let item = |index: usize| {
        let passes: Vec<f64> = reports
            .iter()
            .map(|report| report.cases.get(index).is_some_and(|case| case.verdict == Verdict::Passed))
            .map(|passed| if passed { 1.0 } else { 0.0 })
            .collect();
        let rest: Vec<f64> =
            reports.iter().zip(&totals).map(|(report, total)| total - earned(report, index)).collect();
        let discrimination = if reports.len() < FEWEST { None } else { correlation(&passes, &rest) };
        Item { passed: passes.iter().filter(|passed| **passed > 0.5).count(), discrimination }
    };
    (0..count).map(item).collect()
}

/// Pearson's correlation; `None` if either side is constant.
fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let count = one.len() as f64;
    let mean = |side: &[f64]| side.iter().sum::<f64>() / count;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let product = |pairs: &mut dyn Iterator<Item = (f64, f64)>| pairs.map(|(a, b)| a * b).sum::<f64>();
    let off = |side: &[f64], mean: f64| side.iter().map(|value| value - mean).collect::<Vec<_>>();
    let (one, other) = (off(one, mean_one), off(other, mean_other));
    let square = |side: &[f64]| product(&mut side.iter().map(|value| (*value, *value)));
    let (spread_one, spread_other) = (square(&one), square(&other));
    if spread_one < 1e-9 || spread_other < 1e-9 {
        return None;
    }
    let both = product(&mut one.iter().copied().zip(other.iter().copied()));
    Some((both / (spread_one * spread_other).sqrt()).clamp(-1.0, 1.0))
}

/// The mean and the median of points.
pub(super) fn middle(points: &[Points]) -> Option<(Points, Points)> {
    let mut sorted: Vec<u64> = points.iter().map(|points| points.hundredths()).collect();
    sorted.sort_unstable();
    let mean = Points::mean(points)?;
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = *sorted.get((sorted.len() - 1) / 2)?;
    Some((mean, Points::from_hundredths((lower + upper).div_ceil(2))))
}

/// Groups of two or more submissions whose first failure is the same, by the indices of their reports.
///
/// The largest group is first.
pub(super) fn clusters(reports: &[(usize, &SubmissionReport)]) -> Vec<Vec<usize>> {
    let mut found: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, report) in reports {
        let Some((at, case)) = first_failed(report) else { continue };
        let what = case.finding.as_deref().map(|finding| {
            let raised = finding.exception.as_ref().map(|raised| &raised.text);
            (finding.step, finding.verdict, &finding.mistake, &finding.expected, &finding.got, raised)
        });
        found.entry((at, what)).or_default().push(*index);
    }
    let mut clusters: Vec<Vec<usize>> = found.into_values().filter(|members| members.len() > 1).collect();
    clusters.sort_by_key(|members| (std::cmp::Reverse(members.len()), members.first().copied()));
    clusters
}

/// The first case that failed, and its index. A case that was not run is only taken where no other failed.
pub(super) fn first_failed(report: &SubmissionReport) -> Option<(usize, &crate::event::CaseReport)> {
    let failed = report.cases.iter().enumerate().filter(|(_, case)| case.verdict != Verdict::Passed);
    failed.min_by_key(|(_, case)| case.verdict == Verdict::NotRun)
}

#[cfg(test)]
mod tests {
    use super::{clusters, correlation, first_failed, items, middle};
    use crate::case::Points;
    use crate::compare::Verdict;
    use crate::report::formats::html::tests::report;

    #[test]
    fn a_case_that_the_better_half_passes_discriminates() {
        // Four cases of one point each; the rest of the first is 3, 2, 1, 0, 0.
        let class = ["....", "..x.", "xx.x", "xxxx", "xxxx"].map(report);
        let class: Vec<_> = class.iter().collect();
        let items = items(&class);
        assert_eq!(items.iter().map(|item| item.passed).collect::<Vec<_>>(), [2, 2, 2, 2]);
        // By hand: passes 1 1 0 0 0, rest 3 2 1 0 0; covariance 2.6, spreads 1.2 and 6.8.
        let first = items[0].discrimination.unwrap();
        assert!((first - 2.6 / (1.2_f64 * 6.8).sqrt()).abs() < 1e-9, "{first}");
    }

    #[test]
    fn a_case_that_everyone_passes_separates_nobody() {
        let all = [".x", "..", ".x", "..", "..", ".x"].map(report);
        let all: Vec<_> = all.iter().collect();
        assert_eq!(items(&all)[0].discrimination, None);
        assert_eq!(items(&all)[1].discrimination, None, "the rest is the same for all");
        let few = ["..", "xx"].map(report);
        assert_eq!(items(&few.iter().collect::<Vec<_>>())[0].discrimination, None);
        assert_eq!(correlation(&[0.0, 1.0], &[1.0, 0.0]), Some(-1.0));
    }

    #[test]
    fn the_middle_of_points() {
        let of = |points: &[u64]| {
            let points: Vec<Points> = points.iter().copied().map(Points::from_hundredths).collect();
            middle(&points).map(|(mean, median)| (mean.hundredths(), median.hundredths()))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[100, 0, 500]), Some((200, 100)));
        assert_eq!(of(&[0, 100, 300, 400]), Some((200, 200)));
    }

    #[test]
    fn a_case_that_was_not_run_is_no_first_failure_where_another_failed() {
        let mut one = report("x.x");
        one.cases[0].verdict = Verdict::NotRun;
        assert_eq!(first_failed(&one).unwrap().0, 2);
        one.cases[2].verdict = Verdict::NotRun;
        assert_eq!(first_failed(&one).unwrap().0, 0);
    }

    #[test]
    fn students_with_the_same_first_failure_are_a_group() {
        let class = [".x.", "...", ".xx", "x..", ".x."].map(report);
        let class: Vec<_> = class.iter().enumerate().collect();
        assert_eq!(clusters(&class), [vec![0, 2, 4]]);
    }
}
