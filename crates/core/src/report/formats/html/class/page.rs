//! The data of the page of a class, and what its parts share.

use crate::event::{CaseReport, SubmissionReport};
use crate::messages::Lang;
use crate::report::formats::html::finding::Sheet;
use crate::report::formats::html::shown::Shown;
use crate::report::words::Words;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// The graded submissions of one exercise, with the indices of their reports.
pub(super) struct ExerciseGroup<'r> {
    pub(super) name: &'r str,
    pub(super) title: &'r str,
    pub(super) members: Vec<(usize, &'r SubmissionReport)>,
}

pub(super) struct Page<'r> {
    pub(super) reports: &'r [&'r SubmissionReport],
    pub(super) lang: Lang,
    pub(super) words: &'r Words,
    /// The name of each submission's page; `None` if this page is the only one.
    pub(super) pages: Option<&'r [String]>,
    /// The index of the report of each submission, by its name.
    pub(super) index_of: BTreeMap<&'r str, usize>,
    /// For each submission, the index of the case by which its page shows each case.
    pub(super) shown_at: Vec<Vec<usize>>,
    /// The findings below; empty if each submission has its page.
    pub(super) findings: FindingList,
}

/// The findings that the page shows.
#[derive(Default)]
pub(super) struct FindingList {
    pub(super) markup: String,
    /// The number of the finding for each submission and case.
    pub(super) numbers: BTreeMap<(usize, usize), usize>,
    /// The number of findings that did not fit.
    pub(super) omitted: usize,
}

impl FindingList {
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
                (folded("findings", &words.say("html-findings"), html! {
                    @if self.omitted > 0 {
                        p.warning { (words.count("html-left-out", self.omitted, &[])) }
                    }
                    (PreEscaped(&self.markup))
                }))
            }
        }
    }
}

impl<'r> ExerciseGroup<'r> {
    pub(super) fn reports(&self) -> Vec<&'r SubmissionReport> {
        self.members.iter().map(|(_, report)| *report).collect()
    }

    /// The cases, taken from the first submission.
    pub(super) fn cases(&self) -> &'r [CaseReport] {
        self.members.first().map_or(&[], |(_, report)| &report.cases)
    }
}

impl<'r> Page<'r> {
    pub(super) fn groups(&self) -> Vec<ExerciseGroup<'r>> {
        let mut groups: Vec<ExerciseGroup<'r>> = Vec::new();
        for (index, report) in self.reports.iter().enumerate() {
            let Some(exercise) = report.exercise.as_ref().filter(|_| report.error.is_none()) else {
                continue;
            };
            match groups.iter_mut().find(|group| group.name == exercise.name) {
                Some(group) => group.members.push((index, report)),
                None => groups.push(ExerciseGroup {
                    name: &exercise.name,
                    title: exercise.title.get(self.lang),
                    members: vec![(index, report)],
                }),
            }
        }
        groups
    }

    pub(super) fn sheet<'s>(&self, report: &'s SubmissionReport) -> Sheet<'s> {
        Sheet::new(report, self.lang)
    }

    /// The address of a submission: its page, else its row.
    pub(super) fn submission(&self, index: usize) -> String {
        self.pages.and_then(|pages| pages.get(index)).cloned().unwrap_or_else(|| format!("#s{index}"))
    }

    /// The address of the finding of a failed case; `None` if it did not fit.
    pub(super) fn link(&self, index: usize, case: usize) -> Option<String> {
        match self.pages {
            Some(pages) => {
                let at = self.shown_at.get(index)?.get(case)?;
                Some(format!("{}#c{at}", pages.get(index)?))
            }
            None => self.findings.of(index, case).map(|finding| format!("#f{finding}")),
        }
    }

    /// Submissions by name, folded; each links to one of its cases.
    pub(super) fn who(&self, members: &[(usize, usize)]) -> Markup {
        html! {
            details {
                summary { (self.words.count("html-count", members.len(), &[])) }
                ul.names {
                    @for (index, case) in members {
                        @let link = self.pages.and_then(|_| self.link(*index, *case));
                        li {
                            a href=(link.unwrap_or_else(|| self.submission(*index))) {
                                (Shown(&self.reports[*index].name))
                            }
                        }
                    }
                }
            }
        }
    }

    /// A box that scrolls by itself if it is too narrow.
    pub(super) fn scrolled(&self, label: &str, inside: Markup) -> Markup {
        html! {
            div.scroll role="region" aria-label=(self.words.say(label)) tabindex="0" { (inside) }
        }
    }

    pub(super) fn heads(&self, ids: &[&str]) -> Markup {
        html! {
            thead { tr { @for id in ids { th.n[is_number(id)] scope="col" { (self.words.say(id)) } } } }
        }
    }
}

/// A part of the page that is folded, below its heading.
pub(super) fn folded(id: &str, heading: &str, inside: Markup) -> Markup {
    html! {
        details.part id=(id) {
            summary { h2 { (Shown(heading)) } }
            div { (inside) }
        }
    }
}

/// Returns true if the column below a heading has numbers, aligned at their ends.
fn is_number(heading: &str) -> bool {
    ["html-number", "label-worth", "html-discrimination"].contains(&heading)
}
