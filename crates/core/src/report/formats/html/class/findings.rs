//! The findings on a class page without student pages: equal findings once, with the submissions that have
//! them.

use super::page::{FindingList, Page};
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::shown::Shown;
use crate::report::formats::html::shown_at::before_all;
use crate::report::notation;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The most bytes of findings on the page of a class. The rest are omitted and counted; a folder has them
/// all.
const MOST_BYTES: usize = 3_000_000;

/// Equal findings: the submissions and cases that have them, in order.
type SharedFinding = Vec<(usize, usize)>;

impl Page<'_> {
    /// Each finding once, the most frequent first.
    pub(super) fn all_findings(&self) -> FindingList {
        let mut shared = shared(self.reports);
        shared.sort_by_key(|members| (Reverse(members.len()), members[0]));
        let mut findings = FindingList::default();
        for (number, members) in shared.iter().enumerate() {
            let one = self.shared_finding(number, members).into_string();
            if findings.markup.len() + one.len() > MOST_BYTES {
                findings.omitted += 1;
                continue;
            }
            findings.markup.push_str(&one);
            findings.markup.push('\n');
            findings.numbers.extend(members.iter().map(|member| (*member, number)));
        }
        findings
    }

    /// A finding, shown by the first submission and case that have it.
    fn shared_finding(&self, number: usize, members: &[(usize, usize)]) -> Markup {
        let (index, at) = members[0];
        let report = self.reports[index];
        let case = &report.cases[at];
        let sheet = self.sheet(report);
        let mut who = members.to_vec();
        who.dedup_by_key(|(index, _)| *index);
        html! {
            article id={ "f" (number) } {
                h3 { (Shown(sheet.title(case))) }
                p.facts {
                    (sheet.outcome(case))
                    @if let Some(exercise) = &report.exercise {
                        span { (Shown(exercise.title.get(self.lang))) }
                    }
                    @if before_all(case).is_none() { code { (Shown(&case.name)) } }
                }
                (sheet.body(case))
                (self.who(&who))
            }
        }
    }
}

/// The findings of all submissions, each once: of the same case, or of any case where it failed before the
/// first step.
fn shared(reports: &[&SubmissionReport]) -> Vec<SharedFinding> {
    let mut found: HashMap<_, SharedFinding> = HashMap::new();
    for (index, report) in reports.iter().enumerate() {
        let exercise = report.exercise.as_ref().map(|exercise| &exercise.name);
        let failed = report.cases.iter().enumerate().filter(|(_, case)| case.verdict != Verdict::Passed);
        for (at, case) in failed {
            let what = case.finding.as_deref().map(|finding| {
                let sides = (&finding.expected, &finding.got, finding.session.last());
                let written = (&finding.printed, &finding.errors);
                (finding.verdict, finding.step, &finding.mistake, &finding.exception, sides, written)
            });
            let place = before_all(case).is_none().then_some(at);
            let key = (exercise, place, notation(report).language(), what, &case.trials, &case.blocked_by);
            found.entry(key).or_default().push((index, at));
        }
    }
    found.into_values().collect()
}
