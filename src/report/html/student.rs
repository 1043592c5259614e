//! A student's page: the points, each failed case with what shows it, what passed, and what it was run with.

use super::finding::{Sheet, before_all};
use super::markup::Html;
use super::{INDEX, sign};
use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, Finding, Runtime, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::report::syntax;
use crate::report::words::Words;

/// The version of keur.
const KEUR: &str = env!("CARGO_PKG_VERSION");

pub(super) fn write(html: &mut Html, report: &SubmissionReport, lang: Lang, words: &Words, of_class: bool) {
    let game = report.exercise.as_ref().map_or("", |exercise| exercise.name.as_str());
    let sheet = Sheet { words, lang, syntax: syntax(report), game };
    if of_class {
        html.element("nav", &[], |html| {
            html.element("a", &[("href", INDEX)], |html| {
                html.text("← ");
                html.text(&words.say("html-class"));
            });
        });
    }
    html.element("header", &[], |html| header(html, report, &sheet));
    html.element("main", &[], |html| {
        if let Some(why) = report.error.as_ref().map(|error| words.error(error)) {
            html.element("div", &[("class", "warning")], |html| {
                html.line("h2", &[], &words.say("label-error"));
                why.lines().for_each(|line| html.line("p", &[], line));
            });
            return;
        }
        if !report.cases.is_empty() {
            strip(html, report, &sheet);
        }
        report.warnings.iter().for_each(|warning| warn(html, warning, &sheet));
        failed(html, report, &sheet);
        passed(html, report, &sheet);
    });
    html.element("footer", &[], |html| footer(html, report.runtime.as_ref(), words));
}

fn header(html: &mut Html, report: &SubmissionReport, sheet: &Sheet<'_>) {
    if let Some(exercise) = &report.exercise {
        html.line("p", &[("class", "above")], exercise.title.get(sheet.lang));
    }
    html.line("h1", &[], &report.name);
    if report.error.is_some() {
        return;
    }
    html.element("p", &[("class", "score")], |html| {
        html.line("strong", &[], &sheet.words.points(report));
        html.text(" ");
        html.line("span", &[("class", "quiet")], &sheet.words.cases(report));
    });
    bar(html, report.points, report.max_points);
}

/// The points as a bar; the sentence above it says the same.
fn bar(html: &mut Html, points: Points, most: Points) {
    let share = if most > Points::ZERO { points.to_f64() / most.to_f64() } else { 0.0 };
    let attributes = [
        ("class", "bar"),
        ("viewBox", "0 0 100 2"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    html.element("svg", &attributes, |svg| {
        svg.shape("rect", "rest", &[("width", 100.0), ("height", 2.0)]);
        svg.shape("rect", "earned", &[("width", 100.0 * share.clamp(0.0, 1.0)), ("height", 2.0)]);
    });
}

/// Every case as a sign; those that failed lead to what shows it.
fn strip(html: &mut Html, report: &SubmissionReport, sheet: &Sheet<'_>) {
    html.element("ol", &[("class", "strip"), ("aria-label", &sheet.words.say("html-cases"))], |html| {
        for (index, case) in report.cases.iter().enumerate() {
            let (sign, class) = sign::of(case.verdict);
            let title = format!("{} · {}", case.title.get(sheet.lang), sheet.words.verdict(case.verdict));
            let class = format!("v-{class}");
            html.element("li", &[], |html| {
                let shown = target(report, index);
                let at = format!("#c{shown}");
                let attributes =
                    [("class", class.as_str()), ("title", &title), ("aria-label", &title), ("href", &at)];
                html.line("a", &attributes, sign);
            });
        }
    });
}

/// Where what a case shows stands: what is wrong before the first step stands once, at the first case that it befell.
pub(super) fn target(report: &SubmissionReport, index: usize) -> usize {
    let Some(found) = report.cases.get(index).and_then(before_all) else { return index };
    let befell = |case: &CaseReport| before_all(case).is_some_and(|other| same(found, other));
    report.cases.iter().position(befell).unwrap_or(index)
}

/// Whether two findings from before the first step say the same.
fn same(one: &Finding, other: &Finding) -> bool {
    (&one.slip, &one.exception) == (&other.slip, &other.exception)
}

fn warn(html: &mut Html, warning: &Warning, sheet: &Sheet<'_>) {
    html.element("div", &[("class", "warning")], |html| {
        let said = format!("{}: {}", sheet.words.say("label-warning"), sheet.words.warning(warning));
        html.line("p", &[], &said);
        if let Warning::RaisedWhileLoading(raised) = warning {
            sheet.exception(html, raised, true);
        }
    });
}

fn failed(html: &mut Html, report: &SubmissionReport, sheet: &Sheet<'_>) {
    let failed: Vec<usize> = (0..report.cases.len())
        .filter(|index| report.cases[*index].verdict != Verdict::Passed && target(report, *index) == *index)
        .collect();
    for index in failed {
        let case = &report.cases[index];
        html.element("article", &[("id", &format!("c{index}"))], |html| {
            html.line("h2", &[], &sheet.title(case));
            if before_all(case).is_none() {
                facts(html, case, sheet);
                sheet.body(html, case);
                return;
            }
            sheet.body(html, case);
            let cases = report.cases.iter().enumerate();
            let befell: Vec<&CaseReport> =
                cases.filter(|(other, _)| target(report, *other) == index).map(|(_, case)| case).collect();
            html.element("details", &[], |html| {
                html.line("summary", &[], &sheet.words.count("html-befell", befell.len(), &[]));
                list(html, befell.into_iter().map(|case| (None, case)), sheet);
            });
        });
    }
}

/// The verdict, points and name of a case.
fn facts(html: &mut Html, case: &CaseReport, sheet: &Sheet<'_>) {
    html.element("p", &[("class", "facts")], |html| {
        sheet.verdict(html, case.verdict);
        let (points, max) = (case.points.to_string(), case.max_points.to_string());
        html.line("span", &[], &sheet.words.with("label-points", &[("points", &points), ("max", &max)]));
        html.line("code", &[], &case.name);
    });
}

fn passed(html: &mut Html, report: &SubmissionReport, sheet: &Sheet<'_>) {
    let passed: Vec<(Option<usize>, &CaseReport)> = report
        .cases
        .iter()
        .enumerate()
        .filter(|(_, case)| case.verdict == Verdict::Passed)
        .map(|(index, case)| (Some(index), case))
        .collect();
    if passed.is_empty() {
        return;
    }
    html.element("details", &[("class", "passed")], |html| {
        html.line("summary", &[], &sheet.words.count("html-passed", passed.len(), &[]));
        list(html, passed.into_iter(), sheet);
    });
}

/// Cases in a line each.
fn list<'r>(
    html: &mut Html,
    cases: impl Iterator<Item = (Option<usize>, &'r CaseReport)>,
    sheet: &Sheet<'_>,
) {
    html.element("ul", &[("class", "cases")], |html| {
        for (index, case) in cases {
            let id = index.map(|index| format!("c{index}"));
            let attributes: Vec<(&'static str, &str)> = id.iter().map(|id| ("id", id.as_str())).collect();
            html.element("li", &attributes, |html| {
                let (sign, class) = sign::of(case.verdict);
                html.line("span", &[("class", &format!("sign v-{class}")), ("aria-hidden", "true")], sign);
                html.line("span", &[("class", "name")], case.title.get(sheet.lang));
                html.line("span", &[("class", "worth")], &format!("{}/{}", case.points, case.max_points));
            });
        }
    });
}

/// What ran it, and how.
pub(super) fn footer(html: &mut Html, runtime: Option<&Runtime>, words: &Words) {
    let mut facts = vec![format!("keur {KEUR}")];
    if let Some(runtime) = runtime {
        let title = crate::driver::engines()
            .find(|engine| engine.engine == runtime.engine)
            .map_or(runtime.engine.as_str(), |engine| engine.engine_title);
        facts.push(format!("{title} {}", runtime.version));
        facts.push(words.with("label-tier", &[("tier", runtime.tier)]));
        facts.push(words.with("html-seed", &[("seed", &runtime.seed.to_string())]));
    }
    html.line("p", &[], &facts.join(" · "));
}
