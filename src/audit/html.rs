//! The report of audits as a web page: survivors, the kill matrix, and what each case kills.
//!
//! The page has the style of keur's others: no script, no outside resource, readable on a phone and in the
//! dark.

use super::matrix::{AuditReport, AuditedProgram, Fate, Proposal};
use super::terminal::counted;
use keur_core::compare::Verdict;
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_core::report::formats::html::page_with;
use keur_core::report::formats::html::shown::Shown;
use maud::{Markup, html};

/// The rules of this page.
const STYLE: &str = include_str!("audit.css");

/// The page.
pub fn text(reports: &[AuditReport]) -> String {
    let survived: usize = reports.iter().map(|report| report.survivors().count()).sum();
    let killed: usize = reports.iter().map(|report| report.killed()).sum();
    let title = match reports {
        [only] => format!("Audit · {}", only.title),
        _ => "Audit".to_owned(),
    };
    let body = html! {
        header {
            h1 { (Shown(&title)) }
            p.score { (killed) " of " (counted(killed + survived, "wrong program")) " killed" }
            @if survived > 0 {
                p.warning { (survivors_sentence(survived)) }
            }
            @if reports.len() > 1 {
                nav {
                    @for (id, report) in reports.iter().enumerate() {
                        a href={ "#e-" (id) } { (Shown(&report.title)) }
                    }
                }
            }
        }
        main.wide {
            @for (id, report) in reports.iter().enumerate() {
                (exercise(id, report, reports.len() > 1))
            }
        }
        footer { p { "keur " (env!("CARGO_PKG_VERSION")) } }
    };
    page_with(Lang::En, &title, STYLE, body)
}

fn survivors_sentence(survived: usize) -> String {
    match survived {
        1 => "1 of them passes every case: it needs a case that it fails.".to_owned(),
        count => format!("{count} of them pass every case: each needs a case that it fails."),
    }
}

fn exercise(id: usize, report: &AuditReport, many: bool) -> Markup {
    html! {
        section id={ "e-" (id) } {
            @if many { h2 { (Shown(&report.title)) } }
            (summary(report))
            @if report.survivors().next().is_some() {
                h3 { "Survivors" }
                @for (index, program) in report.programs.iter().enumerate() {
                    @if program.fate().is_survivor() { (survivor(id, index, program)) }
                }
            }
            h3 { "Which case kills what" }
            (matrix(id, report))
            h3 { "Cases" }
            (cases(id, report))
            (others(id, report))
        }
    }
}

/// The numbers of an exercise.
fn summary(report: &AuditReport) -> Markup {
    let (killed, survived) = (report.killed(), report.survivors().count());
    let equivalent = report.count(Fate::Equivalent);
    html! {
        ul.steps {
            li { (counted(report.cases.len(), "case")) }
            li { (counted(killed + survived, "wrong program")) }
            li { (killed) " killed" }
            li { (survived) " survived" }
            @if equivalent > 0 { li { (equivalent) " equivalent to the right program" } }
        }
        div.scroll role="region" aria-label="Kinds of wrong programs" tabindex="0" {
            table.items {
                thead {
                    tr {
                        th scope="col" { "Kind" }
                        @for fate in Fate::ALL { th.n scope="col" { (capital(fate.title())) } }
                    }
                }
                tbody {
                    @for (kind, counts) in report.kinds() {
                        tr {
                            th scope="row" { (capital(kind.title())) }
                            @for fate in Fate::ALL {
                                @let count = counts.iter().find(|(known, _)| known == fate);
                                td.n { (count.map_or(0, |(_, count)| *count)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn survivor(id: usize, index: usize, audited: &AuditedProgram) -> Markup {
    let program = &audited.program;
    html! {
        article.survivor id={ "p" (id) "-" (index) } {
            h3 { (Shown(&program.name)) }
            p.facts {
                code { (Shown(&program.place)) }
                @if program.ruling { span { "breaks a ruling only" } }
            }
            @if !program.what.is_empty() { p.sentence { (sentence(&program.what)) } }
            (patch(&program.patch))
            @for remark in audited.remarks() { p.quiet { (sentence(&capital(&remark))) "." } }
            @if let Some(Proposal::Case(text)) = &audited.proposal {
                p.label { "A case that would kill it" }
                pre tabindex="0" { @for line in text.lines() { code { (Shown(line)) "\n" } } }
            }
        }
        "\n"
    }
}

/// A text with a capital first letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A sentence in which backticks are around code.
fn sentence(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (Shown(part)) } } @else { (Shown(part)) }
        }
    }
}

/// The change of a program.
fn patch(lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            div.patch role="region" aria-label="change" tabindex="0" {
                @for line in lines {
                    @match line.as_bytes().first() {
                        Some(b'-') => { code.old { (Shown(line)) } }
                        Some(b'+') => { code.new { (Shown(line)) } }
                        Some(_) | None => { code { (Shown(line)) } }
                    }
                }
            }
        }
    }
}

/// A row for each wrong program, survivors first, and a column for each case.
fn matrix(id: usize, report: &AuditReport) -> Markup {
    html! {
        ul.legend {
            li { span.key.k { "×" } "killed" }
            li { span.key { "·" } "passed" }
            li { span.key.n { "–" } "not run" }
            li { span.key.s { "·" } "passes every case" }
        }
        div.scroll.kills role="region" aria-label="Which case kills what" tabindex="0" {
            table.heat {
                thead {
                    tr {
                        td {}
                        @for (index, case) in report.cases.iter().enumerate() {
                            th scope="col" title=(Shown(&case.name)) {
                                a href={ "#k" (id) "-" (index) } { (index + 1) }
                            }
                        }
                    }
                }
                tbody {
                    @for (index, audited) in report.programs.iter().enumerate() {
                        @if audited.fate() != Fate::Equivalent { (row(id, index, report, audited)) }
                    }
                }
            }
        }
    }
}

fn row(id: usize, index: usize, report: &AuditReport, audited: &AuditedProgram) -> Markup {
    let survived = audited.fate().is_survivor();
    html! {
        tr.survived[survived] {
            th scope="row" title=(Shown(&audited.program.name)) {
                a href={ "#p" (id) "-" (index) } { (Shown(&audited.program.name)) }
            }
            @for (column, verdict) in audited.verdicts.iter().enumerate() {
                @let title = |verdict: Verdict| format!("{}: {verdict}", report.cases[column].name);
                @match verdict {
                    _ if audited.killed_by.contains(&column) => {
                        td.k title=(Shown(title(verdict.unwrap_or(Verdict::Failed)))) { "×" }
                    }
                    Some(Verdict::NotRun) | None => { td.n { "–" } }
                    Some(_) => { td.s[survived] { "·" } }
                }
            }
        }
        "\n"
    }
}

/// The table of the mutants that each case kills.
fn cases(id: usize, report: &AuditReport) -> Markup {
    let subset = &report.subset;
    html! {
        @if !subset.is_empty() {
            p {
                (subset.len()) " of " (counted(report.cases.len(), "case"))
                " kill as much as all of them (found greedily). They have a ✓ below."
            }
        }
        div.scroll role="region" aria-label="Cases" tabindex="0" {
            table.items {
                thead {
                    tr {
                        th.n scope="col" { "#" }
                        th scope="col" { "Case" }
                        th.n scope="col" { "Kills" }
                        th.n scope="col" { "Alone" }
                        th scope="col" { "In the set" }
                    }
                }
                tbody {
                    @for (index, case) in report.cases.iter().enumerate() {
                        tr id={ "k" (id) "-" (index) } {
                            td.n { (index + 1) }
                            th scope="row" {
                                (Shown(&case.title)) " " code { (Shown(&case.name)) }
                                @if case.ruling { " " span.quiet { "ruling" } }
                                @if case.random { " " span.quiet { "random sessions" } }
                            }
                            td.n.low[case.kills == 0] { (case.kills) }
                            td.n { (case.alone) }
                            td { @if subset.contains(&index) { "✓" } }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}

/// The programs that are no survivors, and those that were not graded.
fn others(id: usize, report: &AuditReport) -> Markup {
    let programs = || report.programs.iter().enumerate();
    html! {
        @if report.count(Fate::Equivalent) > 0 {
            h3 { "Equivalent to the right program" }
            @for (index, audited) in programs().filter(|(_, audited)| audited.fate() == Fate::Equivalent) {
                (folded(id, index, audited))
            }
        }
        @if report.killed() > 0 {
            h3 { "Killed" }
            @for (index, audited) in programs().filter(|(_, audited)| audited.fate().is_killed()) {
                (folded(id, index, audited))
            }
        }
        @let hints = report.unshown_hints();
        @if !hints.is_empty() {
            h3 { "Hints that are shown for no wrong program" }
            ul { @for (case, hint) in &hints { li { code { (Shown(case)) } ": " (Shown(hint)) } } }
        }
        @if !report.ungraded.is_empty() {
            h3 { "Not graded" }
            ul { @for (name, why) in &report.ungraded { li { (Shown(name)) ": " (Shown(why)) } } }
        }
    }
}

/// A program that needs nobody's attention.
fn folded(id: usize, index: usize, audited: &AuditedProgram) -> Markup {
    let program = &audited.program;
    html! {
        details id={ "p" (id) "-" (index) } {
            summary { (Shown(&program.name)) }
            p.facts { code { (Shown(&program.place)) } }
            @if !program.what.is_empty() { p { (sentence(&program.what)) } }
            @if let Some(proof) = &program.equivalent { p { strong { "Proof: " } (sentence(proof)) } }
            (patch(&program.patch))
        }
        "\n"
    }
}
