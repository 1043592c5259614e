//! Tells of the cases of a submission while it is graded.

use crate::event::{CaseReport, Runtime};
use std::collections::BTreeMap;

/// A case of a submission that is being graded, whose report is final.
pub struct FinishedCase {
    /// The number of cases of the submission that were told of before.
    pub index: usize,
    /// The report of the case.
    pub report: CaseReport,
    /// The interpreter or program that runs the submission; `None` before its first process.
    pub runtime: Option<Runtime>,
}

/// Hears of each case of a submission.
pub(super) type Watch<'w> = dyn Fn(FinishedCase) + 'w;

/// Tells of cases in the order of the report, which may not be that in which they are run: of each as soon as
/// it and all before it are finished.
pub(super) struct InReportOrder<'w> {
    watch: Option<&'w Watch<'w>>,
    /// The place in the report of the next case to tell of.
    place: usize,
    /// The number of cases that were told of.
    told: usize,
    /// The cases that wait for others, by place. One that is left out has no report.
    waiting: BTreeMap<usize, Option<CaseReport>>,
}

impl<'w> InReportOrder<'w> {
    pub(super) fn new(watch: Option<&'w Watch<'w>>) -> InReportOrder<'w> {
        InReportOrder { watch, place: 0, told: 0, waiting: BTreeMap::new() }
    }

    /// Takes the case at a place of the report that is finished, or left out.
    pub(super) fn put(
        &mut self,
        place: usize,
        report: Option<CaseReport>,
        runtime: impl Fn() -> Option<Runtime>,
    ) {
        let Some(watch) = self.watch else { return };
        self.waiting.insert(place, report);
        while let Some(case) = self.waiting.remove(&self.place) {
            self.place += 1;
            if let Some(report) = case {
                watch(FinishedCase { index: self.told, report, runtime: runtime() });
                self.told += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FinishedCase, InReportOrder};
    use crate::case::Library;
    use crate::compare::Verdict;
    use crate::judge::report_not_run;
    use std::cell::RefCell;

    /// Puts the cases at these places, of which those that are left out are negative, and checks what is told
    /// of at each.
    #[track_caller]
    fn check(places: &[i32], expected: &[&str]) {
        let case = Library::BuiltIn.load("codenames").unwrap().cases.remove(0);
        let told = RefCell::new(String::new());
        let watch = |FinishedCase { index, report, .. }: FinishedCase| {
            assert_eq!(report.verdict, Verdict::NotRun);
            *told.borrow_mut() += &format!("{index}:{} ", report.name);
        };
        let mut order = InReportOrder::new(Some(&watch));
        let each = places.iter().map(|place| {
            let name = place.abs().to_string();
            let report = (*place >= 0).then(|| crate::event::CaseReport { name, ..report_not_run(&case) });
            order.put(place.unsigned_abs() as usize, report, || None);
            told.take().trim().to_owned()
        });
        assert_eq!(each.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_case_waits_for_those_before_it_in_the_report() {
        check(&[0, 1, 2], &["0:0", "1:1", "2:2"]);
        check(&[0, 2, 3, 1], &["0:0", "", "", "1:1 2:2 3:3"]);
    }

    #[test]
    fn no_case_waits_for_one_that_is_left_out() {
        check(&[0, 2, -1, 3], &["0:0", "", "1:2", "2:3"]);
        check(&[-1, 0, 2], &["", "0:0", "1:2"]);
    }
}
