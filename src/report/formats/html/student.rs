//! A student's page: the points, each failed case with its finding, what passed, and the runtime.

use super::finding::{Sheet, before_all};
use super::names::INDEX;
use super::shown::Shown;
use super::sign;
use crate::case::Points;
use crate::compare::Verdict;
use crate::draw::Svg;
use crate::event::{CaseReport, Finding, Runtime, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::report::words::Words;
use maud::{Markup, PreEscaped, html};

/// The version of keur.
const KEUR: &str = env!("CARGO_PKG_VERSION");

/// The body of the page; a page that belongs to a class links back to it.
pub(super) fn body(report: &SubmissionReport, lang: Lang, words: &Words, of_class: bool) -> Markup {
    let sheet = Sheet::new(report, lang, words);
    html! {
        @if of_class {
            nav { a href=(INDEX) { "← " (words.say("html-class")) } }
        }
        header { (header(report, &sheet)) }
        main {
            @if let Some(error) = &report.error {
                div.warning {
                    h2 { (words.say("label-error")) }
                    @for line in words.error(error).lines() { p { (Shown(line)) } }
                }
            } @else {
                @if !report.cases.is_empty() { (strip(report, &sheet)) }
                @for warning in &report.warnings { (warned(warning, &sheet)) }
                @for index in 0..report.cases.len() { (failed(report, index, &sheet)) }
                (passed(report, &sheet))
            }
        }
        footer { (footer(report.runtime.as_ref(), words)) }
    }
}

fn header(report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        @if let Some(exercise) = &report.exercise {
            p.above { (Shown(exercise.title.get(sheet.lang))) }
        }
        h1 { (Shown(&report.name)) }
        @if report.error.is_none() {
            p.score {
                strong { (sheet.words.points(report)) }
                " "
                span.quiet { (sheet.words.cases(report)) }
            }
            (bar(report.points, report.max_points))
        }
    }
}

/// The points as a bar; the sentence above it says the same.
fn bar(points: Points, most: Points) -> Markup {
    let share = if most > Points::ZERO { points.to_f64() / most.to_f64() } else { 0.0 };
    let mut shapes = Svg::default();
    shapes.shape("rect", "rest", &[("width", 100.0), ("height", 2.0)]);
    shapes.shape("rect", "earned", &[("width", 100.0 * share.clamp(0.0, 1.0)), ("height", 2.0)]);
    html! {
        svg.bar viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" {
            (PreEscaped(shapes.as_str()))
        }
    }
}

/// Every case as a sign that links to the case.
fn strip(report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        ol.strip aria-label=(sheet.words.say("html-cases")) {
            @for (index, case) in report.cases.iter().enumerate() {
                @let (sign, class) = sign::of(case.verdict);
                @let (title, verdict) = (case.title.get(sheet.lang), sheet.words.verdict(case.verdict));
                @let title = format!("{title} · {verdict}");
                li {
                    a.{ "v-" (class) }
                        title=(Shown(&title))
                        aria-label=(Shown(&title))
                        href={ "#c" (target(report, index)) } { (sign) }
                }
            }
        }
    }
}

/// The case under which the page shows a case.
///
/// A problem before the first step is shown once, at the first case that has it.
pub(super) fn target(report: &SubmissionReport, index: usize) -> usize {
    let Some(found) = report.cases.get(index).and_then(before_all) else { return index };
    let has_it = |case: &CaseReport| before_all(case).is_some_and(|other| same(found, other));
    report.cases.iter().position(has_it).unwrap_or(index)
}

/// Whether two findings from before the first step are the same.
fn same(one: &Finding, other: &Finding) -> bool {
    (&one.mismatch, &one.exception) == (&other.mismatch, &other.exception)
}

fn warned(warning: &Warning, sheet: &Sheet<'_>) -> Markup {
    let text = format!("{}: {}", sheet.words.say("label-warning"), sheet.words.warning(warning));
    html! {
        div.warning {
            p { (Shown(text)) }
            @if let Warning::RaisedWhileLoading(raised) = warning { (sheet.exception(raised, true)) }
        }
    }
}

/// A failed case; empty for a case that passed or that is shown with another one.
fn failed(report: &SubmissionReport, index: usize, sheet: &Sheet<'_>) -> Markup {
    let case = &report.cases[index];
    if case.verdict == Verdict::Passed || target(report, index) != index {
        return Markup::default();
    }
    html! {
        article id={ "c" (index) } {
            h2 { (Shown(sheet.title(case))) }
            @if before_all(case).is_none() { (facts(case, sheet)) }
            (sheet.body(case))
            @if before_all(case).is_some() { (shown_with(report, index, sheet)) }
        }
    }
}

/// The cases that failed by the same problem before the first step.
fn shown_with(report: &SubmissionReport, index: usize, sheet: &Sheet<'_>) -> Markup {
    let cases: Vec<(Option<usize>, &CaseReport)> = (0..report.cases.len())
        .filter(|other| target(report, *other) == index)
        .map(|other| (None, &report.cases[other]))
        .collect();
    html! {
        details {
            summary { (sheet.words.count("html-befell", cases.len(), &[])) }
            (list(&cases, sheet))
        }
    }
}

/// The verdict, points and name of a case.
fn facts(case: &CaseReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        p.facts {
            (sheet.verdict(case.verdict))
            span { (sheet.words.points_of(case.points, case.max_points)) }
            code { (Shown(&case.name)) }
        }
    }
}

fn passed(report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    let cases = report.cases.iter().enumerate().filter(|(_, case)| case.verdict == Verdict::Passed);
    let passed: Vec<(Option<usize>, &CaseReport)> = cases.map(|(index, case)| (Some(index), case)).collect();
    html! {
        @if !passed.is_empty() {
            details.passed {
                summary { (sheet.words.count("html-passed", passed.len(), &[])) }
                (list(&passed, sheet))
            }
        }
    }
}

/// A list of cases, one per line; those with an index can be linked to.
fn list(cases: &[(Option<usize>, &CaseReport)], sheet: &Sheet<'_>) -> Markup {
    html! {
        ul.cases {
            @for (index, case) in cases {
                @let (sign, class) = sign::of(case.verdict);
                li id=[index.map(|index| format!("c{index}"))] {
                    span.sign.{ "v-" (class) } aria-hidden="true" { (sign) }
                    span.name { (Shown(case.title.get(sheet.lang))) }
                    span.worth { (sheet.words.fraction(case.points, case.max_points)) }
                }
            }
        }
    }
}

/// The runtime and its settings.
pub(super) fn footer(runtime: Option<&Runtime>, words: &Words) -> Markup {
    let mut facts = vec![format!("keur {KEUR}")];
    if let Some(runtime) = runtime {
        let title = crate::languages::engines()
            .find(|engine| engine.name == runtime.engine)
            .map_or(runtime.engine.as_str(), |engine| engine.title);
        facts.push(format!("{title} {}", runtime.version));
        facts.push(words.with("label-tier", &[("tier", runtime.tier)]));
        facts.push(words.with("html-seed", &[("seed", &runtime.seed.to_string())]));
    }
    html! { p { (Shown(facts.join(" · "))) } }
}
