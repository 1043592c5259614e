//! The page of a class: every submission, beside it the distribution of points and common findings; folded
//! below these, the cases, the heat map and the findings.
//!
//! The sign of a failed case links to its finding: on the submission's own page if there is one, else among
//! the findings below, where equal findings are shown once.

mod filter;
mod findings;
mod heat_map;
mod histogram;
mod page;
mod statistics;
mod summary;
mod table;
mod twins;

use super::shown::Shown;
use super::shown_at::shown_at;
use super::student;
use crate::event::{RunError, SubmissionReport, SubmissionState};
use crate::messages::Lang;
use crate::report::words::Words;
use maud::{Markup, html};
use page::{ExerciseGroup, FindingList, Page};

/// The heading around the parts of the page, and the pages beside it.
pub(super) struct Frame<'a> {
    pub(super) heading: &'a str,
    /// The name of each submission's page; `None` if this page is the only one.
    pub(super) pages: Option<&'a [String]>,
}

/// The body of the page.
pub(super) fn body(reports: &[&SubmissionReport], lang: Lang, words: &Words, frame: &Frame<'_>) -> Markup {
    let Frame { heading, pages } = *frame;
    let mut page = Page {
        reports,
        lang,
        words,
        pages,
        index_of: reports.iter().enumerate().map(|(index, report)| (report.name.as_str(), index)).collect(),
        shown_at: Vec::new(),
        findings: FindingList::default(),
    };
    match pages {
        Some(_) => page.shown_at = reports.iter().map(|report| shown_at(report)).collect(),
        None => page.findings = page.all_findings(),
    }
    let groups = page.groups();
    html! {
        header { (page.header(heading, &groups)) }
        main.wide {
            div.overview {
                (page.table(&groups))
                div {
                    @for (id, group) in groups.iter().enumerate() {
                        section id={ "e-" (id) } { (page.summary(group)) }
                    }
                }
            }
            (page.twins())
            @for (id, group) in groups.iter().enumerate() {
                (page.cases(group, id))
                (page.heat_map(group, id))
            }
            (page.findings.section(words))
        }
        footer { (student::footer(None, words)) }
    }
}

/// The script of the page, which sorts its tables and filters the submissions; without it, all of them stand
/// as they were written.
pub(super) const SCRIPT: &str = include_str!("table.js");

impl Page<'_> {
    fn header(&self, heading: &str, groups: &[ExerciseGroup<'_>]) -> Markup {
        let tally = self.words.tally(self.reports);
        let (total, others) = tally.split_at(1);
        html! {
            h1 { (Shown(heading)) }
            p.score { (total.join("")) }
            @if !others.is_empty() {
                div.warning { @for state in others { p { (state) } } (self.not_graded()) }
            }
            nav {
                a href="#submissions" { (self.words.say("html-submissions")) }
                @for (id, group) in groups.iter().enumerate() {
                    a href={ "#e-" (id) } { (Shown(group.title)) }
                }
                @if self.has_twins() { a href="#twins" { (self.words.say("html-same")) } }
                @if !groups.is_empty() {
                    a href="#cases-0" { (self.words.say("html-cases")) }
                    a href="#heat-0" { (self.words.say("html-heat-map")) }
                }
                @if !self.findings.is_empty() { a href="#findings" { (self.words.say("html-findings")) } }
            }
        }
    }

    /// The submissions without a grade, by state, folded.
    fn not_graded(&self) -> Markup {
        let is_waiting = |report: &SubmissionReport| matches!(report.error, Some(RunError::NotGraded { .. }));
        let members = |state, waiting| {
            let is_member =
                move |report: &SubmissionReport| report.state() == state && is_waiting(report) == waiting;
            let reports = self.reports.iter().enumerate().filter(move |(_, report)| is_member(report));
            reports.map(|(index, _)| index).collect::<Vec<usize>>()
        };
        let states = [
            ("label-not-graded", SubmissionState::Ungraded, true),
            ("label-absent", SubmissionState::Absent, false),
            ("label-unreadable", SubmissionState::Unreadable, false),
            ("label-error", SubmissionState::Ungraded, false),
        ];
        let states = states.map(|(id, state, waiting)| (id, members(state, waiting)));
        html! {
            @for (id, members) in states.iter().filter(|(_, members)| !members.is_empty()) {
                details {
                    summary { (self.words.say(id)) }
                    ul.names {
                        @for index in members {
                            li { a href=(self.submission(*index)) { (Shown(&self.reports[*index].name)) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
