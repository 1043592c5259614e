//! The table of a class: a row for each submission.

use super::page::Page;
use super::statistics;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::link::linked;
use crate::report::formats::html::shown::Shown;
use maud::{Markup, html};

impl Page<'_> {
    pub(super) fn table(&self) -> Markup {
        let several = self.has_several_exercises();
        let heads: &[&str] = if several {
            &["html-submission", "html-exercise", "label-worth", "label-verdict", "html-first"]
        } else {
            &["html-submission", "label-worth", "label-verdict", "html-first"]
        };
        let table = html! {
            table.people {
                (self.heads(heads))
                tbody {
                    @for (index, report) in self.reports.iter().enumerate() {
                        tr id={ "s" (index) } { (self.row(index, report, several)) }
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

    /// Whether the exercise of each submission must be shown.
    fn has_several_exercises(&self) -> bool {
        let mut exercises = self.reports.iter().filter_map(|report| report.exercise.as_ref());
        let first = exercises.next().map(|exercise| &exercise.name);
        exercises.any(|exercise| Some(&exercise.name) != first)
    }

    fn row(&self, index: usize, report: &SubmissionReport, several: bool) -> Markup {
        let page = self.pages.and_then(|pages| pages.get(index)).map(String::as_str);
        let title = report.exercise.as_ref().map_or("–", |exercise| exercise.title.get(self.lang));
        html! {
            th scope="row" title=(Shown(&report.name)) { (linked(page, Shown(&report.name))) }
            @if several { td.exercise { (Shown(title)) } }
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
