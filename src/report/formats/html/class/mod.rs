//! The page of a class: the distribution of points, common findings, every case and submission, and the heat map.
//!
//! The sign of a failed case links to its finding: on the submission's own page if there is one, else among the
//! findings below, where equal findings are shown once.

mod findings;
mod heat_map;
mod histogram;
mod page;
mod statistics;
mod summary;
mod table;

use super::shown::Shown;
use super::shown_at::shown_at;
use super::student;
use crate::event::SubmissionReport;
use crate::messages::Lang;
use crate::report::words::Words;
use maud::{Markup, html};
use page::{ExerciseGroup, FindingList, Page};

/// The body of the page.
pub(super) fn body(
    reports: &[&SubmissionReport],
    lang: Lang,
    words: &Words,
    pages: Option<&[String]>,
) -> Markup {
    let mut page =
        Page { reports, lang, words, pages, shown_at: Vec::new(), findings: FindingList::default() };
    match pages {
        Some(_) => page.shown_at = reports.iter().map(|report| shown_at(report)).collect(),
        None => page.findings = page.all_findings(),
    }
    let groups = page.groups();
    html! {
        header { (page.header(&groups)) }
        main.wide {
            @for (id, group) in groups.iter().enumerate() {
                section id={ "e-" (id) } { (page.summary(group, id)) }
            }
            (page.table())
            @for (id, group) in groups.iter().enumerate() { (page.heat_map(group, id)) }
            (page.findings.section(words))
        }
        footer { (student::footer(None, words)) }
    }
}

impl Page<'_> {
    fn header(&self, groups: &[ExerciseGroup<'_>]) -> Markup {
        let tally = self.words.tally(self.reports);
        let (total, others) = tally.split_at(1);
        html! {
            h1 { (self.words.say("html-class")) }
            p.score { (total.join("")) }
            @if !others.is_empty() { p.warning { (others.join(" · ")) } }
            nav {
                @for (id, group) in groups.iter().enumerate() {
                    a href={ "#e-" (id) } { (Shown(group.title)) }
                }
                a href="#submissions" { (self.words.say("html-submissions")) }
                @if !groups.is_empty() { a href="#heat-0" { (self.words.say("html-heat-map")) } }
                @if !self.findings.is_empty() { a href="#findings" { (self.words.say("html-findings")) } }
            }
        }
    }
}
