//! The page of a class: how the points are spread, what many have in common, what each case shows, every submission,
//! and which case fails whom.
//!
//! The sign of a failed case links to its finding: on the submission's own page where there is one, else among the
//! findings below, where equal findings are shown once.

mod findings;
mod heat_map;
mod histogram;
mod statistics;
mod summary;
mod table;

use super::finding::Sheet;
use super::shown::Shown;
use super::{sign, student};
use crate::event::{CaseReport, SubmissionReport};
use crate::messages::Lang;
use crate::report::words::Words;
use findings::Findings;
use maud::{Markup, Render, html};

/// The graded submissions of one exercise, with the indices of their reports.
struct Group<'r> {
    name: &'r str,
    title: &'r str,
    members: Vec<(usize, &'r SubmissionReport)>,
}

struct Page<'r> {
    reports: &'r [&'r SubmissionReport],
    lang: Lang,
    words: &'r Words,
    /// The name of each submission's page; none where this page is the only one.
    pages: Option<&'r [String]>,
    /// The findings below; none where each submission has its page.
    findings: Findings,
}

/// The body of the page.
pub(super) fn body(
    reports: &[&SubmissionReport],
    lang: Lang,
    words: &Words,
    pages: Option<&[String]>,
) -> Markup {
    let mut page = Page { reports, lang, words, pages, findings: Findings::default() };
    if pages.is_none() {
        page.findings = page.all_findings();
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

impl<'r> Group<'r> {
    fn reports(&self) -> Vec<&'r SubmissionReport> {
        self.members.iter().map(|(_, report)| *report).collect()
    }

    /// The cases, as the first submission has them.
    fn cases(&self) -> &'r [CaseReport] {
        self.members.first().map_or(&[], |(_, report)| &report.cases)
    }
}

impl<'r> Page<'r> {
    fn groups(&self) -> Vec<Group<'r>> {
        let mut groups: Vec<Group<'r>> = Vec::new();
        for (index, report) in self.reports.iter().enumerate() {
            let Some(exercise) = report.exercise.as_ref().filter(|_| report.error.is_none()) else {
                continue;
            };
            match groups.iter_mut().find(|group| group.name == exercise.name) {
                Some(group) => group.members.push((index, report)),
                None => groups.push(Group {
                    name: &exercise.name,
                    title: exercise.title.get(self.lang),
                    members: vec![(index, report)],
                }),
            }
        }
        groups
    }

    fn header(&self, groups: &[Group<'_>]) -> Markup {
        let passed = self.reports.iter().filter(|report| report.passed()).count().to_string();
        let total = self.reports.len().to_string();
        let ungraded = self.reports.iter().filter(|report| report.error.is_some()).count();
        html! {
            h1 { (self.words.say("html-class")) }
            p.score { (self.words.with("label-total", &[("passed", &passed), ("total", &total)])) }
            @if ungraded > 0 { p.warning { (self.words.count("html-ungraded", ungraded, &[])) } }
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

    fn sheet<'s>(&'s self, report: &'s SubmissionReport) -> Sheet<'s> {
        Sheet::new(report, self.lang, self.words)
    }

    /// The address of a submission: its page, else its row.
    fn submission(&self, index: usize) -> String {
        self.pages.and_then(|pages| pages.get(index)).cloned().unwrap_or_else(|| format!("#s{index}"))
    }

    /// The address of the finding of a failed case; none where there was no room for it.
    fn link(&self, index: usize, case: usize) -> Option<String> {
        match self.pages {
            Some(pages) => {
                let at = student::target(self.reports.get(index)?, case);
                Some(format!("{}#c{at}", pages.get(index)?))
            }
            None => self.findings.of(index, case).map(|finding| format!("#f{finding}")),
        }
    }

    /// Submissions by name, folded; each links to a case of it.
    fn who(&self, members: &[(usize, usize)]) -> Markup {
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

    /// A box that scrolls on its own where it is too narrow.
    fn scrolled(&self, label: &str, inside: Markup) -> Markup {
        html! {
            div.scroll role="region" aria-label=(self.words.say(label)) tabindex="0" { (inside) }
        }
    }

    fn heads(&self, ids: &[&str]) -> Markup {
        html! {
            thead { tr { @for id in ids { th scope="col" { (self.words.say(id)) } } } }
        }
    }
}

/// A link where there is somewhere to go, else only what would be in it.
fn linked(address: Option<&str>, inside: impl Render) -> Markup {
    html! {
        @if let Some(address) = address { a href=(address) { (inside) } } @else { (inside) }
    }
}
