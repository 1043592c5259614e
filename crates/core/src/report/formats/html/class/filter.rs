//! The filter of the table of submissions, which the script of the page shows and uses.

use super::page::{ExerciseGroup, Page};
use super::statistics;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::shown::Shown;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// The values of a submission that the filter looks at, as the page says them.
pub(super) struct RowKeys {
    pub(super) state: String,
    /// `None` if it was not graded.
    pub(super) verdict: Option<String>,
    /// In time or late; `None` if the class knows nothing of it, or if nothing was handed in.
    pub(super) late: Option<String>,
    /// The ids of the cases that it did not pass.
    pub(super) failed: Vec<String>,
}

impl Page<'_> {
    /// The values of each submission.
    pub(super) fn keys(&self, groups: &[ExerciseGroup<'_>]) -> Vec<RowKeys> {
        self.reports.iter().map(|report| self.keys_of(report, groups)).collect()
    }

    fn keys_of(&self, report: &SubmissionReport, groups: &[ExerciseGroup<'_>]) -> RowKeys {
        if let Some(error) = &report.error {
            let state = self.words.state(error);
            return RowKeys { state, verdict: None, late: None, failed: Vec::new() };
        }
        let exercise = report.exercise.as_ref().map(|exercise| exercise.name.as_str());
        let group = groups.iter().position(|group| Some(group.name) == exercise).unwrap_or_default();
        let failed = report.cases.iter().enumerate().filter(|(_, case)| case.verdict != Verdict::Passed);
        let verdict = statistics::first_failed(report)
            .map_or_else(|| self.words.verdict(Verdict::Passed), |(_, case)| self.words.outcome(case));
        let late = |late| self.words.say(if late { "label-late-only" } else { "html-in-time" });
        RowKeys {
            state: self.words.say("html-graded"),
            verdict: Some(verdict),
            late: report.hand_in.as_deref().map(|hand_in| late(hand_in.late.is_some())),
            failed: failed.map(|(index, _)| format!("{group}-{index}")).collect(),
        }
    }

    /// The controls, hidden until the script shows them. One that could not choose between anything is left
    /// out.
    pub(super) fn filter(&self, groups: &[ExerciseGroup<'_>], keys: &[RowKeys]) -> Markup {
        let cases = groups.iter().enumerate().flat_map(|(id, group)| {
            let cases = group.cases().iter().enumerate();
            cases.map(move |(index, case)| {
                (format!("{id}-{index}"), format!("{} · {}", index + 1, case.title.get(self.lang)))
            })
        });
        html! {
            div.filter role="search" hidden {
                label {
                    (self.words.say("html-name"))
                    input type="search" name="name" autocomplete="off";
                }
                (self.choice("verdict", "label-verdict", texts(keys.iter().filter_map(|keys| keys.verdict.as_ref()))))
                (self.choice("state", "html-state", texts(keys.iter().map(|keys| &keys.state))))
                (self.choice("late", "html-handed-in", texts(keys.iter().filter_map(|keys| keys.late.as_ref()))))
                (self.choice("case", "html-failed-case", cases.collect()))
                button type="reset" { (self.words.say("html-clear")) }
                output aria-live="polite" {
                    (self.words.say("html-rows-shown")) " " b { (keys.len()) } "/" (keys.len())
                }
            }
        }
    }

    /// A choice between values, each with its text.
    fn choice(&self, name: &str, label: &str, values: Vec<(String, String)>) -> Markup {
        html! {
            @if values.len() > 1 {
                label {
                    (self.words.say(label))
                    select name=(name) {
                        option value="" { (self.words.say("html-any")) }
                        @for (value, text) in values { option value=(value) { (Shown(text)) } }
                    }
                }
            }
        }
    }
}

/// The different texts, each of which is its own value.
fn texts<'k>(texts: impl Iterator<Item = &'k String>) -> Vec<(String, String)> {
    let texts: BTreeSet<&String> = texts.collect();
    texts.into_iter().map(|text| (text.clone(), text.clone())).collect()
}
