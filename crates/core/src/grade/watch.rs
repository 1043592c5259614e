//! Tells of the cases of a submission while it is graded.

use super::settings::runtime;
use crate::adapter::Subprocess;
use crate::event::{CaseReport, Runtime};
use std::collections::BTreeMap;

/// A case of a submission that is being graded, whose report is final.
pub struct FinishedCase {
    /// The number of cases of the submission that were told of before.
    pub index: usize,
    /// Its report.
    pub report: CaseReport,
    /// What the submission runs in; `None` before its first process.
    pub runtime: Option<Runtime>,
}

/// Hears of each case of a submission.
pub(super) type Watch<'w> = dyn Fn(FinishedCase) + 'w;

/// Tells of cases in the order of the report, which may not be that in which they are run: of each as soon as it and all before it are
/// finished.
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
    pub(super) fn put(&mut self, place: usize, report: Option<CaseReport>, adapter: &Subprocess<'_>) {
        let Some(watch) = self.watch else { return };
        self.waiting.insert(place, report);
        while let Some(case) = self.waiting.remove(&self.place) {
            self.place += 1;
            if let Some(report) = case {
                watch(FinishedCase { index: self.told, report, runtime: runtime(adapter) });
                self.told += 1;
            }
        }
    }
}
