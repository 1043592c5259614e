//! The heat map: which submission fails which case.

use super::page::{ExerciseGroup, Page, folded};
use super::statistics;
use crate::compare::Verdict;
use crate::event::SubmissionReport;
use crate::report::formats::html::link::linked;
use crate::report::formats::html::shown::Shown;
use crate::report::formats::html::sign;
use maud::{Markup, html};

/// One verdict of each kind, for the legend.
const KINDS: [Verdict; 7] = [
    Verdict::Passed,
    Verdict::WrongValue,
    Verdict::Raised,
    Verdict::TimeLimit,
    Verdict::Crashed,
    Verdict::LoadError,
    Verdict::NotRun,
];

/// Cases are counted in tens, so that the style sheet knows on which screens their columns fit: there the
/// page scrolls with the header in view, else the table does.
const TENS: usize = 10;

/// The sign for a passed case: nearly all cells of a class are like this.
const PASSED: &str = "·";

impl<'r> Page<'r> {
    /// The heat map, the weakest submissions and the hardest cases first.
    ///
    /// Submissions that passed everything are only counted, so that the others stand out.
    pub(super) fn heat_map(&self, group: &ExerciseGroup<'r>, id: usize) -> Markup {
        let mut rows = group.members.clone();
        rows.retain(|(_, report)| statistics::first_failed(report).is_some());
        rows.sort_by_key(|(index, report)| (report.points, *index));
        let all_passed = group.members.len() - rows.len();
        let heading = format!("{} · {}", self.words.say("html-heat-map"), group.title);
        let inside = html! {
            @if all_passed > 0 { p.quiet { (self.words.count("html-all-passed", all_passed, &[])) } }
            @if !rows.is_empty() {
                (self.legend())
                (self.scrolled("html-heat-map", self.cells(group, id, &rows)))
            }
        };
        folded(&format!("heat-{id}"), &heading, inside)
    }

    fn cells(&self, group: &ExerciseGroup<'r>, id: usize, rows: &[(usize, &'r SubmissionReport)]) -> Markup {
        let items = statistics::items(&group.reports());
        let mut columns: Vec<usize> = (0..items.len()).collect();
        columns.sort_by_key(|index| (items[*index].passed, *index));
        html! {
            table.heat.{ "fits-" (columns.len().div_ceil(TENS)) } {
                thead {
                    tr {
                        td {}
                        @for index in &columns {
                            th scope="col" title=(Shown(group.cases()[*index].title.get(self.lang))) {
                                a href={ "#k" (id) "-" (index) } { (index + 1) }
                            }
                        }
                    }
                }
                tbody {
                    @for (index, report) in rows {
                        tr {
                            th scope="row" title=(Shown(&report.name)) {
                                a href=(self.submission(*index)) { (Shown(&report.name)) }
                            }
                            @for column in &columns { (self.cell(*index, report, *column)) }
                        }
                        "\n"
                    }
                }
            }
        }
    }

    fn cell(&self, index: usize, report: &SubmissionReport, column: usize) -> Markup {
        let Some(case) = report.cases.get(column) else { return html! { td {} } };
        if case.verdict == Verdict::Passed {
            return html! { td { (PASSED) } };
        }
        let (sign, class) = sign::of(case.verdict);
        let verdict = self.words.result(case, |needed| needed.title.get(self.lang));
        let title = format!("{}: {verdict}", case.title.get(self.lang));
        html! {
            td.(class) title=(Shown(title)) { (linked(self.link(index, column).as_deref(), sign)) }
        }
    }

    fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @for verdict in KINDS {
                    @let (sign, class) = sign::of(verdict);
                    li {
                        span.key.(class) { (if verdict == Verdict::Passed { PASSED } else { sign }) }
                        (self.words.say(kind(verdict)))
                    }
                }
            }
        }
    }
}

/// The message for the kind of a verdict.
#[warn(clippy::wildcard_enum_match_arm)]
fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "verdict-passed",
        Verdict::Raised => "verdict-raised",
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => "html-limit",
        Verdict::Crashed | Verdict::ProtocolViolation => "verdict-crashed",
        Verdict::LoadError => "verdict-load-error",
        Verdict::NotRun => "verdict-not-run",
        Verdict::Failed
        | Verdict::WrongValue
        | Verdict::WrongText
        | Verdict::WrongOutput
        | Verdict::DidNotRaise => "html-wrong",
    }
}
