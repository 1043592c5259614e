//! The report as pages for a browser, complete in themselves: no script, nothing from elsewhere, readable on a phone, in
//! the dark and on paper.
//!
//! One submission gives its student's page ([`student`]); several give the page of a class ([`class`]), in one file with
//! the findings below it, or in a folder with a page for each student beside it. All text goes through
//! [`markup::Html`], which escapes it, and the policy of each page forbids whatever keur itself did not write.

mod class;
mod finding;
mod histogram;
mod markup;
mod names;
mod statistics;
mod student;

use super::words::Words;
use super::{Format, Options, TakePage, at_the_end};
use crate::event::SubmissionReport;
use crate::messages::Lang;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use markup::Html;
use sha2::{Digest, Sha256};

pub(super) const FORMAT: Format = Format {
    name: "html",
    about: "a page for a browser; with =DIR/ a page for each submission too",
    extension: "html",
    // Only the end knows whether it is a class.
    reporter: || at_the_end(end),
    pages: Some(pages),
    ..Format::NOTHING
};

const STYLE: &str = include_str!("style.css");

/// The page of a class, in a folder.
const INDEX: &str = "index.html";

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    match reports {
        [only] => student_page(only, options, false),
        _ => class_page(reports, options, None),
    }
}

/// Every page of the folder, by its name.
fn pages(reports: &[&SubmissionReport], options: &Options, write: TakePage<'_>) {
    let names = names::of_pages(reports);
    write(INDEX, &class_page(reports, options, Some(&names)));
    for (report, name) in reports.iter().zip(&names) {
        write(name, &student_page(report, options, true));
    }
}

fn student_page(report: &SubmissionReport, options: &Options, of_class: bool) -> String {
    let lang = options.lang(report);
    let words = Words::new(lang);
    let mut body = Html::default();
    student::write(&mut body, report, lang, &words, of_class);
    page(lang, &words.with("html-title", &[("name", &report.name)]), body)
}

fn class_page(reports: &[&SubmissionReport], options: &Options, pages: Option<&[String]>) -> String {
    let lang =
        options.lang.or_else(|| reports.first().map(|report| options.lang(report))).unwrap_or(Lang::En);
    let words = Words::new(lang);
    let mut body = Html::default();
    class::write(&mut body, reports, lang, &words, pages);
    page(lang, &words.with("html-title", &[("name", &words.say("html-class"))]), body)
}

fn page(lang: Lang, title: &str, body: Html) -> String {
    // The style sheet is the one thing that a page may use, told by its digest.
    let digest = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy =
        format!("default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'");
    Html::page(lang.code(), title, STYLE, &policy, body)
}

/// The sign and the class of a way to fail: told apart without colours.
mod sign {
    use crate::compare::Verdict;

    /// A kind of verdict, as the pages show it: its sign, its class in the style sheet, and a verdict of that kind.
    pub(super) fn of(verdict: Verdict) -> (&'static str, &'static str) {
        match verdict {
            Verdict::Passed => ("✓", "p"),
            Verdict::WrongValue | Verdict::WrongText | Verdict::WrongOutput | Verdict::DidNotRaise => {
                ("✗", "w")
            }
            Verdict::Raised => ("!", "r"),
            Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => ("▲", "l"),
            Verdict::Crashed | Verdict::ProtocolViolation => ("■", "c"),
            Verdict::LoadError => ("∅", "e"),
            Verdict::Failed => ("✗", "w"),
            Verdict::NotRun => ("–", "n"),
        }
    }
}

#[cfg(test)]
mod tests;
