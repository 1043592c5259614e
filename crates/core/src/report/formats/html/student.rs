//! A student's page: the points, each failed case with its finding, what passed, and the runtime.

use super::finding::Sheet;
use super::listing::listing;
use super::marked_source::MarkedSource;
use super::names::INDEX;
use super::shown::Shown;
use super::shown_at::{before_all, shown_at};
use super::sign;
use crate::case::Points;
use crate::compare::Verdict;
use crate::draw::Svg;
use crate::event::{CaseReport, Runtime, SubmissionReport};
use crate::messages::Lang;
use crate::named::Named;
use crate::report::words::Words;
use crate::report::{Cause, causes, groups};
use maud::{Markup, PreEscaped, html};

/// The version of keur.
const KEUR: &str = env!("CARGO_PKG_VERSION");

/// The class to which a page belongs.
pub(super) struct OfClass<'a> {
    /// The title of the class, if it has one.
    pub(super) title: Option<&'a str>,
    /// Whether the page of the class is beside this one, which then links back to it.
    pub(super) has_page: bool,
}

/// The body of the page.
pub(super) fn body(report: &SubmissionReport, lang: Lang, words: &Words, class: &OfClass<'_>) -> Markup {
    let sheet = Sheet::new(report, lang).beside(MarkedSource::new(report));
    let shown = shown_at(report);
    let causes = causes(report);
    let first = causes.first().and_then(|cause| index_of(report, cause.case));
    html! {
        @if let Some(first) = first {
            a.skip href={ "#c" (first) } { (words.say("html-skip")) }
        }
        @if class.has_page {
            nav { a href=(INDEX) { "← " (Shown(class.title.map_or_else(|| words.say("html-class"), str::to_owned))) } }
        }
        header { (header(report, &sheet, class)) }
        main.beside[!sheet.marks.files.is_empty()] {
            @if let Some(error) = &report.error {
                div.warning {
                    h2 { (words.state(error)) }
                    @for line in words.why(error).unwrap_or_default().lines() { p { (Shown(line)) } }
                }
            } @else {
                @if !report.cases.is_empty() { (strip(report, &shown, &sheet)) }
                @for cause in &causes { (card(report, cause, &sheet)) }
                @for warning in &report.warnings { (sheet.warning(warning)) }
                (not_run(report, &sheet))
                (listing(report, &sheet))
                (passed(report, &sheet))
            }
        }
        footer { (footer(report.runtime.as_ref(), words)) }
    }
}

fn header(report: &SubmissionReport, sheet: &Sheet<'_>, class: &OfClass<'_>) -> Markup {
    let exercise = report.exercise.as_ref().map(|exercise| exercise.title.get(sheet.writer.lang));
    // A link to the page of the class has its title already.
    let title = class.title.filter(|title| !class.has_page && Some(*title) != exercise);
    let above: Vec<&str> = title.into_iter().chain(exercise).collect();
    html! {
        @if !above.is_empty() {
            p.above { (Shown(above.join(" · "))) }
        }
        h1 { (Shown(&report.name)) }
        @if report.grade().is_some() {
            p.score {
                strong { (sheet.words().points(report)) }
                @if report.error.is_none() {
                    " "
                    span.quiet { (sheet.words().cases(report)) }
                }
                @if !sheet.marks.files.is_empty() {
                    " "
                    a.quiet href="#source" { (sheet.words().say("html-source")) }
                }
            }
            (bar(report.points, report.max_points))
        }
        @let adjustments = sheet.words().adjustments(report);
        @if !adjustments.is_empty() {
            ul.adjusted { @for text in adjustments { li { (Shown(text)) } } }
        }
        // A student's report names none.
        @let same = report.hand_in.as_deref().map(|hand_in| hand_in.same.as_slice()).unwrap_or_default();
        @if !same.is_empty() {
            p.quiet { (sheet.words().say("html-same")) ": " (Shown(same.join(", "))) }
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

/// Every case as a sign that links to the case, a strip for each group.
fn strip(report: &SubmissionReport, shown: &[usize], sheet: &Sheet<'_>) -> Markup {
    html! {
        @for group in groups(&report.cases) {
            @let heading = group.heading.map(|heading| heading.get(sheet.writer.lang));
            @if let Some(heading) = heading { p.heading { (Shown(heading)) } }
            // A heading is the label already.
            ol.strip aria-label=[heading.is_none().then(|| sheet.words().say("html-cases"))] {
                @for (index, case) in group.cases {
                    @let (sign, class) = sign::of(case.verdict);
                    @let title = format!("{} · {}", case.title.get(sheet.writer.lang), sheet.result(case));
                    li {
                        a.{ "v-" (class) }
                            title=(Shown(&title))
                            aria-label=(Shown(&title))
                            href={ "#c" (shown[index]) } { (sign) }
                    }
                }
            }
        }
    }
}

/// A card for a cause: the case that shows it, and folded the others that it fails.
fn card(report: &SubmissionReport, cause: &Cause<'_>, sheet: &Sheet<'_>) -> Markup {
    let case = cause.case;
    let is_before = before_all(case).is_some();
    let all = std::iter::once(case).chain(cause.others.iter().copied());
    html! {
        article id=[index_of(report, case).map(|index| format!("c{index}"))] {
            h2 { (Shown(sheet.title(case))) }
            @if !is_before { (facts(case, sheet)) }
            (sheet.body(case))
            @if is_before {
                details {
                    summary { (sheet.words().count("html-befell", cause.others.len() + 1, &[])) }
                    (list(&all.map(|case| (None, case)).collect::<Vec<_>>(), sheet))
                }
            } @else if !cause.others.is_empty() {
                details.others {
                    summary { (sheet.words().count("html-also-befell", cause.others.len(), &[])) }
                    @for other in &cause.others { (other_case(other, sheet)) }
                }
            }
        }
    }
}

/// The index of a case of the report.
fn index_of(report: &SubmissionReport, case: &CaseReport) -> Option<usize> {
    report.cases.iter().position(|other| std::ptr::eq(other, case))
}

/// Another case of a cause, folded.
fn other_case(case: &CaseReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        details {
            summary { (Shown(sheet.title(case))) }
            (facts(case, sheet))
            (sheet.body(case))
        }
    }
}

/// Returns true if nothing of a case was run: there is nothing to say about it.
fn is_not_run(case: &CaseReport) -> bool {
    case.verdict == Verdict::NotRun && case.finding.is_none()
}

/// The cases that were not run.
fn not_run(report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    let cases = report.cases.iter().enumerate().filter(|(_, case)| is_not_run(case));
    let cases: Vec<(Option<usize>, &CaseReport)> = cases.map(|(index, case)| (Some(index), case)).collect();
    html! {
        @if !cases.is_empty() {
            article {
                h2 { (sheet.words().verdict(Verdict::NotRun)) }
                (list(&cases, sheet))
            }
        }
    }
}

/// The verdict, points and name of a case.
fn facts(case: &CaseReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        p.facts {
            (sheet.outcome(case))
            span { (sheet.words().points_of(case.points, case.max_points)) }
            @if let Some(group) = &case.group { span { (Shown(group.get(sheet.writer.lang))) } }
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
                summary { (sheet.words().count("html-passed", passed.len(), &[])) }
                (list(&passed, sheet))
            }
        }
    }
}

/// A list of cases, one per line, gathered by group; those with an index can be linked to.
fn list(cases: &[(Option<usize>, &CaseReport)], sheet: &Sheet<'_>) -> Markup {
    html! {
        @for group in groups(cases.iter().map(|(_, case)| *case)) {
            @if let Some(heading) = group.heading { p.heading { (Shown(heading.get(sheet.writer.lang))) } }
            ul.cases {
                @for (at, case) in group.cases {
                    @let (sign, class) = sign::of(case.verdict);
                    li id=[cases[at].0.map(|index| format!("c{index}"))] {
                        span.sign.{ "v-" (class) } aria-hidden="true" { (sign) }
                        span.name {
                            (Shown(case.title.get(sheet.writer.lang)))
                            @if case.blocked_by.is_some() {
                                br;
                                span.quiet { (Shown(sheet.result(case))) }
                            }
                        }
                        span.worth { (sheet.words().fraction(case.points, case.max_points)) }
                    }
                }
            }
        }
    }
}

/// The runtime and its settings.
pub(super) fn footer(runtime: Option<&Runtime>, words: &Words) -> Markup {
    let mut facts = vec![format!("keur {KEUR}")];
    let in_page = runtime.and_then(|runtime| {
        let message = runtime.engine?.in_page?;
        Some(words.with(message, &[("version", &runtime.version)]))
    });
    if let Some(runtime) = runtime {
        if in_page.is_none() {
            facts.push(runtime.title());
            facts.push(words.with("label-tier", &[("tier", runtime.tier.name())]));
        }
        facts.push(words.with("html-seed", &[("seed", &runtime.seed.to_string())]));
    }
    html! {
        p { (Shown(facts.join(" · "))) }
        @if let Some(sentence) = in_page { p { (Shown(sentence)) } }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEUR, footer};
    use crate::event::Runtime;
    use crate::languages::{Engine, python};
    use crate::messages::Lang;
    use crate::report::words::Words;
    use crate::sandbox::Tier;

    /// Python as a web page has it.
    static IN_PAGE: Engine = Engine { in_page: Some("html-page-python"), ..*python::LANGUAGE.engines[0] };

    #[test]
    fn a_page_that_runs_a_submission_says_so_in_place_of_a_tier() {
        let of = |engine, lang| {
            let runtime = Runtime {
                language: python::LANGUAGE.name.to_owned(),
                engine: Some(engine),
                version: "3.14.2".to_owned(),
                notation: &python::Python,
                tier: Tier::Portable,
                seed: 0,
            };
            footer(Some(&runtime), &Words::new(lang)).into_string()
        };
        for (lang, expected) in [
            (Lang::Nl, "Deze pagina gebruikt Python 3.14.2; je cursus gebruikt misschien een andere versie."),
            (Lang::Da, "Siden bruger Python 3.14.2; dit kursus bruger måske en anden version."),
            (Lang::En, "This page runs Python 3.14.2; your course may use another version."),
        ] {
            assert_eq!(of(&IN_PAGE, lang), format!("<p>keur {KEUR} · seed: 0</p><p>{expected}</p>"));
        }
        let native = format!("<p>keur {KEUR} · Python 3.14.2 · afscherming: portable · seed: 0</p>");
        assert_eq!(of(python::LANGUAGE.engines[0], Lang::Nl), native);
    }
}
