//! The cases that count for a submission, and the order of their reports.

use crate::case::{Case, Loaded};
use crate::judge::Settings;
use crate::submission::Found;

/// The cases of an exercise that count.
pub fn counted_cases<'a>(loaded: &'a Loaded, settings: &Settings) -> Vec<&'a Case> {
    let counts = |case: &&Case| settings.selection.has(&case.name) && (settings.rulings || !case.is_ruling());
    loaded.cases.iter().filter(counts).collect()
}

/// Whether a case counts for a submission with these files: one about a program counts only if they include
/// it.
pub(crate) fn counts_for(case: &Case, found: Option<&Found>) -> bool {
    let has = |file: &String| found.is_some_and(|found| found.bundle.named(file).is_some());
    case.only_with.as_ref().is_none_or(|files| files.values().any(has))
        && found.and_then(Found::language).is_none_or(|language| case.is_for(language.name))
}

/// The cases in the order of their reports: that of the exercise, gathered by group, each after those
/// that it needs, and hidden ones last. Cases without a group come before the groups.
pub(super) fn in_report_order(mut cases: Vec<&Case>) -> Vec<&Case> {
    let mut groups = vec![None];
    for case in &cases {
        if !groups.contains(&case.group.as_ref()) {
            groups.push(case.group.as_ref());
        }
    }
    let place = |case: &Case| groups.iter().position(|group| *group == case.group.as_ref());
    cases.sort_by_cached_key(|case| (case.hidden, place(case)));
    let mut ordered = Vec::with_capacity(cases.len());
    while !cases.is_empty() {
        let is_ready = |case: &&Case| !cases.iter().any(|other| case.needs(other));
        // `needs` has no cycle, which is checked when an exercise is loaded, so some case is always ready.
        let next = cases.iter().position(is_ready).unwrap_or(0);
        ordered.push(cases.remove(next));
    }
    ordered
}
