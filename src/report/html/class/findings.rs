//! The findings below the page of a class, for one that stands alone: equal findings once, with who has them.

use super::{Page, Shown};
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::html::finding::before_all;
use crate::report::syntax;
use crate::report::words::Words;
use maud::{Markup, PreEscaped, html};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Bytes of findings on the page of a class. Findings beyond that are omitted and counted; a folder has them all.
const MOST_BYTES: usize = 3_000_000;

/// The findings as they are shown.
#[derive(Default)]
pub(super) struct Findings {
    markup: String,
    /// The number of the finding of each submission and case.
    numbers: BTreeMap<(usize, usize), usize>,
    /// Findings that there was no room for.
    omitted: usize,
}

/// Equal findings: the submissions and cases that have them, in order.
type Shared = Vec<(usize, usize)>;

impl Findings {
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of a case's finding, if it is shown.
    pub(super) fn of(&self, index: usize, case: usize) -> Option<usize> {
        self.numbers.get(&(index, case)).copied()
    }

    pub(super) fn section(&self, words: &Words) -> Markup {
        html! {
            @if !self.is_empty() {
                section id="findings" class="findings" {
                    h2 { (words.say("html-findings")) }
                    @if self.omitted > 0 {
                        p.warning { (words.count("html-left-out", self.omitted, &[])) }
                    }
                    (PreEscaped(&self.markup))
                }
            }
        }
    }
}

impl Page<'_> {
    /// Each finding once, those that most submissions have first.
    pub(super) fn all_findings(&self) -> Findings {
        let mut shared = shared(self.reports);
        shared.sort_by_key(|members| (Reverse(members.len()), members[0]));
        let mut findings = Findings::default();
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
                    (sheet.verdict(case.verdict))
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

/// The findings of all submissions, each once: of the same case, or of any case where it failed before the first step.
fn shared(reports: &[&SubmissionReport]) -> Vec<Shared> {
    let mut found: BTreeMap<String, Shared> = BTreeMap::new();
    for (index, report) in reports.iter().enumerate() {
        let exercise = report.exercise.as_ref().map(|exercise| &exercise.name);
        let failed = report.cases.iter().enumerate().filter(|(_, case)| case.verdict != Verdict::Passed);
        for (at, case) in failed {
            let what = case.finding.as_deref().map(|finding| {
                let sides = (&finding.expected, &finding.got, &finding.printed, finding.session.last());
                (finding.verdict, finding.step, &finding.slip, &finding.exception, sides)
            });
            let place = before_all(case).is_none().then_some(at);
            let key = format!("{exercise:?} {place:?} {:?} {what:?} {:?}", syntax(report), case.trials);
            found.entry(key).or_default().push((index, at));
        }
    }
    found.into_values().collect()
}
