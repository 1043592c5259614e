//! The table of a class: a row for each submission.

use super::page::{Page, linked};
use super::statistics;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::shown::Shown;
use maud::{Markup, html};

const HEADS: [&str; 5] = ["html-submission", "html-exercise", "label-worth", "label-verdict", "html-first"];

impl Page<'_> {
    pub(super) fn table(&self) -> Markup {
        let table = html! {
            table.people {
                (self.heads(&HEADS))
                tbody {
                    @for (index, report) in self.reports.iter().enumerate() {
                        tr id={ "s" (index) } { (self.row(index, report)) }
                        "\n"
                    }
                }
            }
        };
        html! {
            section id="submissions" {
                h2 { (self.words.say("html-submissions")) }
                (self.scrolled("html-submissions", table))
            }
        }
    }

    fn row(&self, index: usize, report: &SubmissionReport) -> Markup {
        let page = self.pages.and_then(|pages| pages.get(index)).map(String::as_str);
        let title = report.exercise.as_ref().map_or("–", |exercise| exercise.title.get(self.lang));
        html! {
            th scope="row" { (linked(page, Shown(&report.name))) }
            td { (Shown(title)) }
            @if let Some(error) = &report.error {
                td.n { "–" }
                td { (self.words.say("label-error")) }
                td { (Shown(self.words.error(error))) }
            } @else {
                td.n { (self.words.fraction(report.points, report.max_points)) }
                (self.first_failure(index, report))
            }
        }
    }

    /// The verdict on a submission, and its first failed case.
    fn first_failure(&self, index: usize, report: &SubmissionReport) -> Markup {
        let sheet = self.sheet(report);
        let Some((at, case)) = statistics::first_failed(report) else {
            return html! { td { (sheet.verdict(Verdict::Passed)) } td {} };
        };
        html! {
            td { (sheet.verdict(case.verdict)) }
            td {
                (linked(self.link(index, at).as_deref(), Shown(sheet.title(case))))
                @if let Some(mismatch) = sheet.mismatch(case) { ": " (mismatch) }
            }
        }
    }
}
