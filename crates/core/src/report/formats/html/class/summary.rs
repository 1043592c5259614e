//! The results of a class for one exercise: points, submissions that fail in the same way, and cases.

use super::histogram;
use super::page::{ExerciseGroup, Page, folded};
use super::statistics::{self, Item};
use crate::case::Points;
use crate::compare::Verdict;
use crate::draw::Svg;
use crate::event::{CaseReport, Place};
use crate::messages::LocalText;
use crate::report::formats::html::link::linked;
use crate::report::formats::html::shown::Shown;
use crate::report::formats::html::shown_at::before_all;
use crate::report::groups;
use crate::report::words::exception_type;
use maud::{Markup, PreEscaped, html};

/// The most clusters that are not folded.
const MOST_CLUSTERS: usize = 12;

/// The verdicts of findings that an exception ends.
const RAISING: [Verdict; 2] = [Verdict::Raised, Verdict::LoadError];

/// A discrimination below this stands out.
const LOW: f64 = 0.1;

impl<'r> Page<'r> {
    pub(super) fn summary(&self, group: &ExerciseGroup<'r>) -> Markup {
        let points: Vec<Points> = group.members.iter().map(|(_, report)| report.points).collect();
        let most = group.members.iter().map(|(_, report)| report.max_points).max().unwrap_or_default();
        let label = self.words.say("html-points-spread");
        html! {
            h2 { (Shown(group.title)) }
            @if let Some((mean, median)) = statistics::middle(&points) {
                p.quiet { (self.middle(points.len(), [mean, median, most])) }
            }
            figure.spread {
                figcaption { (label) }
                (histogram::picture(&points, most, &label, self.words))
            }
            (self.clusters(group))
        }
    }

    fn middle(&self, submissions: usize, points: [Points; 3]) -> String {
        let [mean, median, most] = points.map(|points| self.words.number(points));
        let args = [("mean", mean.as_str()), ("median", &median), ("max", &most)];
        self.words.count("html-middle", submissions, &args)
    }

    fn clusters(&self, group: &ExerciseGroup<'r>) -> Markup {
        let clusters = statistics::clusters(&group.members);
        let (first, more) = clusters.split_at(clusters.len().min(MOST_CLUSTERS));
        let list = |clusters: &[Vec<usize>]| {
            html! {
                ol.clusters { @for members in clusters { (self.cluster(members)) } }
            }
        };
        html! {
            @if !first.is_empty() {
                h3 { (self.words.say("html-clusters")) }
                (list(first))
            }
            @if !more.is_empty() {
                details {
                    summary { (self.words.count("html-more-clusters", more.len(), &[])) }
                    (list(more))
                }
            }
        }
    }

    /// Submissions whose first failure is the same, shown by the first of them.
    fn cluster(&self, members: &[usize]) -> Markup {
        let report = self.reports[members[0]];
        let Some((at, case)) = statistics::first_failed(report) else { return Markup::default() };
        let sheet = self.sheet(report);
        let failures: Vec<(usize, usize)> = members.iter().map(|index| (*index, at)).collect();
        let raised = self.raised(members, at);
        let names_case = raised.is_some() && before_all(case).is_none();
        let title = raised.unwrap_or_else(|| sheet.title(case));
        html! {
            li {
                strong.size { (members.len()) }
                div {
                    (linked(self.link(members[0], at).as_deref(), Shown(title)))
                    p {
                        (sheet.outcome(case))
                        @if names_case { " " (Shown(sheet.title(case))) ":" }
                        @if let Some(mistake) = sheet.mistake(case) { " " (mistake) }
                    }
                    (self.who(&failures))
                }
            }
        }
    }

    /// The exception that these submissions raised in a case, and the function and line if all of them raised
    /// it there; `None` if the case failed otherwise.
    fn raised(&self, members: &[usize], at: usize) -> Option<String> {
        let finding = |index: usize| self.reports[index].cases.get(at)?.finding.as_deref();
        let first = finding(members[0]).filter(|finding| RAISING.contains(&finding.verdict))?;
        let raised = exception_type(first)?;
        let place = |index: usize| finding(index)?.exception.as_ref()?.places.last();
        let Some(shown) = place(members[0]).filter(|place| !place.function.is_empty()) else {
            return Some(raised.to_owned());
        };
        let is_same = |same: fn(&Place, &Place) -> bool| {
            members.iter().all(|index| place(*index).is_some_and(|other| same(shown, other)))
        };
        let in_function = is_same(|one, other| one.function == other.function);
        let at_line = in_function && is_same(|one, other| (one.cell, one.line) == (other.cell, other.line));
        let line = shown.line.to_string();
        let args = [("raised", raised), ("function", &shown.function), ("line", &line)];
        Some(match (in_function, at_line) {
            (true, true) => self.words.with("html-raised-at", &args),
            (true, false) => self.words.with("html-raised-in", &args[..2]),
            (false, _) => raised.to_owned(),
        })
    }

    /// The cases, with how many passed each.
    pub(super) fn cases(&self, group: &ExerciseGroup<'r>, id: usize) -> Markup {
        let items = statistics::items(&group.reports());
        let table = html! {
            table.items.sortable {
                (self.heads(&["html-number", "label-case", "html-pass-rate", "html-discrimination"]))
                tbody {
                    @for CaseRow { heading, index, case, item } in in_groups(group.cases(), &items) {
                        @if let Some(heading) = heading {
                            tr.group { th colspan="4" scope="colgroup" { (Shown(heading.get(self.lang))) } }
                        }
                        tr id={ "k" (id) "-" (index) } {
                            td.n { (index + 1) }
                            th scope="row" {
                                (Shown(case.title.get(self.lang)))
                                " "
                                code { (Shown(&case.name)) }
                            }
                            td data-key=(item.passed) { (rate(item.passed, group.members.len())) }
                            (self.discrimination(item.discrimination))
                        }
                    }
                }
            }
        };
        let heading = format!("{} · {}", self.words.say("html-cases"), group.title);
        let inside = html! {
            (self.scrolled("html-cases", table))
            p.quiet { (self.words.say("html-discrimination-is")) }
        };
        folded(&format!("cases-{id}"), &heading, inside)
    }

    fn discrimination(&self, value: Option<f64>) -> Markup {
        html! {
            // A key without a sign: numbers are compared, and a minus would not count.
            td.n.low[value.is_some_and(|value| value < LOW)]
                data-key=(value.map_or(String::new(), |value| format!("{:.0}", (value + 1.0) * 1000.0))) {
                (value.map_or("–".to_owned(), |value| self.words.decimal(signed(value))))
            }
        }
    }
}

/// A case in the table of a class.
struct CaseRow<'r, 'i> {
    /// The heading of the group that begins with this case.
    heading: Option<&'r LocalText>,
    index: usize,
    case: &'r CaseReport,
    item: &'i Item,
}

/// The cases, gathered by group.
fn in_groups<'r, 'i>(cases: &'r [CaseReport], items: &'i [Item]) -> Vec<CaseRow<'r, 'i>> {
    let mut rows = Vec::with_capacity(cases.len());
    for group in groups(cases) {
        let mut heading = group.heading;
        for (index, case) in group.cases {
            let Some(item) = items.get(index) else { continue };
            rows.push(CaseRow { heading: heading.take(), index, case, item });
        }
    }
    rows
}

/// The share of submissions that passed, as a bar and a number.
fn rate(passed: usize, of: usize) -> Markup {
    let share = passed as f64 / of.max(1) as f64;
    let mut shapes = Svg::default();
    shapes.shape("rect", "rest", &[("width", 80.0), ("height", 10.0), ("rx", 2.0)]);
    shapes.shape("rect", "earned", &[("width", 80.0 * share), ("height", 10.0), ("rx", 2.0)]);
    html! {
        svg.rate viewBox="0 0 80 10" aria-hidden="true" { (PreEscaped(shapes.as_str())) }
        " "
        (format!("{:.0} %", 100.0 * share))
    }
}

/// A correlation with its sign.
fn signed(value: f64) -> String {
    let text = format!("{value:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text.replace('-', "−") }
}
