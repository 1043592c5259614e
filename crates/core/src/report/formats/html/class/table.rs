//! The table of a class: a row for each submission.

use super::page::{ExerciseGroup, Page};
use super::statistics;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::link::linked;
use crate::report::formats::html::shown::Shown;
use crate::report::name_key::last_name_first;
use maud::{Markup, html};

/// The columns of the table that not every class needs.
#[derive(Clone, Copy)]
struct Optional {
    id: bool,
    exercise: bool,
    adjusted: bool,
}

impl Page<'_> {
    pub(super) fn table(&self, groups: &[ExerciseGroup<'_>]) -> Markup {
        let columns = self.optional();
        let heads: Vec<&str> = [
            Some("html-submission"),
            columns.id.then_some("html-id"),
            columns.exercise.then_some("html-exercise"),
            Some("label-worth"),
            columns.adjusted.then_some("label-adjusted"),
            Some("label-verdict"),
            Some("html-first"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let keys = self.keys(groups);
        let table = html! {
            table.people.sortable {
                (self.heads(&heads))
                tbody {
                    @for (index, (report, keys)) in self.reports.iter().zip(&keys).enumerate() {
                        tr id={ "s" (index) }
                            data-verdict=[&keys.verdict]
                            data-state=(keys.state)
                            data-late=[&keys.late]
                            data-case=(keys.failed.join("|")) { (self.row(index, report, columns)) }
                        "\n"
                    }
                }
            }
        };
        html! {
            section id="submissions" {
                h2 { (self.words.say("html-submissions")) }
                (self.filter(groups, &keys))
                (self.scrolled("html-submissions", table))
            }
        }
    }

    fn optional(&self) -> Optional {
        let mut exercises = self.reports.iter().filter_map(|report| report.exercise.as_ref());
        let first = exercises.next().map(|exercise| &exercise.name);
        let mut known = self.reports.iter().filter_map(|report| report.hand_in.as_deref());
        Optional {
            id: known.clone().any(|hand_in| hand_in.id.is_some()),
            exercise: exercises.any(|exercise| Some(&exercise.name) != first),
            adjusted: known.any(|hand_in| hand_in.late.is_some() || hand_in.by_hand.is_some()),
        }
    }

    fn row(&self, index: usize, report: &SubmissionReport, columns: Optional) -> Markup {
        let page = self.pages.and_then(|pages| pages.get(index)).map(String::as_str);
        let title = report.exercise.as_ref().map_or("–", |exercise| exercise.title.get(self.lang));
        let id = report.hand_in.as_deref().and_then(|hand_in| hand_in.id.as_deref());
        html! {
            th scope="row" title=(Shown(&report.name)) data-key=[name_key(report).map(Shown)] {
                (linked(page, Shown(&report.name)))
            }
            @if columns.id { td.id { (Shown(id.unwrap_or_default())) } }
            @if columns.exercise { td.exercise { (Shown(title)) } }
            @if let Some(grade) = report.grade() {
                td.n data-key=(grade.hundredths()) { (self.words.fraction(grade, report.max_points)) }
            } @else {
                td.n data-key="" { "–" }
            }
            @if columns.adjusted { (self.adjusted(report)) }
            @if let Some(error) = &report.error {
                td { (self.words.state(error)) }
                td { @if let Some(why) = self.words.why(error) { div { (Shown(why)) } } }
            } @else {
                (self.first_failure(index, report))
            }
        }
    }

    /// The changes of the points, with the reason of what was set by hand.
    fn adjusted(&self, report: &SubmissionReport) -> Markup {
        let by_hand = report.hand_in.as_deref().and_then(|hand_in| hand_in.by_hand.as_ref());
        let changes = self.words.adjustments(report).join(" · ");
        html! {
            td.adjusted title=[Some(Shown(changes)).filter(|changes| !changes.0.is_empty())] {
                (self.words.short_adjustments(report))
                @if let Some(by_hand) = by_hand { ": " (Shown(&by_hand.why)) }
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
            td { (sheet.outcome(case)) }
            td {
                div {
                    (linked(self.link(index, at).as_deref(), Shown(sheet.title(case))))
                    @if let Some(mistake) = sheet.mistake(case) { ": " (mistake) }
                }
            }
        }
    }
}

/// The text by which a row sorts by name; `None` if it is the name as it stands.
fn name_key(report: &SubmissionReport) -> Option<String> {
    let last_name = report.hand_in.as_deref()?.last_name.as_deref()?;
    Some(last_name_first(&report.name, last_name))
}
