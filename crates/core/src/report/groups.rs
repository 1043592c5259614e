//! The cases of a report, gathered under the headings of their groups.

use crate::event::CaseReport;
use crate::messages::LocalText;

/// Cases under one heading.
pub(super) struct CaseGroup<'r> {
    /// The heading; `None` for the cases of no group.
    pub(super) heading: Option<&'r LocalText>,
    /// The cases in their order, each with its zero-based index in the report.
    pub(super) cases: Vec<(usize, &'r CaseReport)>,
}

/// The groups of these cases, in the order of their first cases; those of no group come first.
pub(super) fn groups<'r>(cases: impl IntoIterator<Item = &'r CaseReport>) -> Vec<CaseGroup<'r>> {
    let mut groups = vec![CaseGroup { heading: None, cases: Vec::new() }];
    for (index, case) in cases.into_iter().enumerate() {
        let heading = case.group.as_deref();
        match groups.iter_mut().find(|group| group.heading == heading) {
            Some(group) => group.cases.push((index, case)),
            None => groups.push(CaseGroup { heading, cases: vec![(index, case)] }),
        }
    }
    groups.retain(|group| !group.cases.is_empty());
    groups
}
