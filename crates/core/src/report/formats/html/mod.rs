//! The report as self-contained web pages.
//!
//! They have no outside resources, and are readable on a phone, in the dark and on paper. The page of a class
//! has one script, which sorts its tables and filters the submissions; all else works without it.
//!
//! One submission gives its student's page (`student`). Several give the page of a class (`class`): in one
//! file with the findings below it, or in a folder with a page for each student. Pages are templates of
//! [`maud`], which escapes what is put into them; a text that keur did not write goes in as [`shown::Shown`].
//! The policy of each page forbids everything that keur did not write.

mod class;
mod finding;
mod link;
mod listing;
mod marked_source;
mod names;
pub mod shown;
mod shown_at;
mod sign;
mod student;

use crate::event::SubmissionReport;
use crate::messages::Lang;
use crate::named::Named;
use crate::report::words::Words;
use crate::report::{Format, Options, TakePage, at_the_end};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use names::INDEX;
use sha2::{Digest, Sha256};
use shown::Shown;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

pub(super) const FORMAT: Format = Format {
    name: "html",
    about: "a page for a browser; with =DIR/ a page for each submission too",
    extension: "html",
    // Only at the end is it known whether it is a class.
    reporter: || at_the_end(end),
    pages: Some(pages),
    ..Format::NOTHING
};

/// The style sheet of each page.
pub const STYLE: &str = include_str!("style.css");

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    match reports {
        [only] => {
            let lang = options.lang(only);
            student_page(only, options, &Words::new(lang), false)
        }
        _ => class_page(reports, options, None),
    }
}

/// Every page of the folder, by its name.
fn pages(reports: &[&SubmissionReport], options: &Options, write: TakePage<'_>) {
    let names = names::of_pages(reports);
    write(INDEX, &class_page(reports, options, Some(&names)));
    let mut words: BTreeMap<Lang, Words> = BTreeMap::new();
    for (report, name) in reports.iter().zip(&names) {
        let lang = options.lang(report);
        let words = words.entry(lang).or_insert_with(|| Words::new(lang));
        write(name, &student_page(report, options, words, true));
    }
}

fn student_page(report: &SubmissionReport, options: &Options, words: &Words, of_class: bool) -> String {
    let lang = options.lang(report);
    let title = words.with("html-title", &[("name", &report.name)]);
    let of_class = student::OfClass { title: options.title.as_deref(), has_page: of_class };
    styled(lang, &title, STYLE, &POLICY, student::body(report, lang, words, &of_class), None)
}

fn class_page(reports: &[&SubmissionReport], options: &Options, pages: Option<&[String]>) -> String {
    let lang =
        options.lang.or_else(|| reports.first().map(|report| options.lang(report))).unwrap_or(Lang::En);
    let words = Words::new(lang);
    let heading = options.title.clone().unwrap_or_else(|| words.say("html-class"));
    let title = words.with("html-title", &[("name", &heading)]);
    let body = class::body(reports, lang, &words, &class::Frame { heading: &heading, pages });
    styled(lang, &title, STYLE, &CLASS_POLICY, body, Some(class::SCRIPT))
}

/// The contents of a student's page, for a page that has a head of its own: points, a card for each cause, and the
/// rest.
pub fn cards(report: &Arc<SubmissionReport>, options: &Options) -> String {
    let report = options.audience.sees(report);
    let lang = options.lang(&report);
    let of_class = student::OfClass { title: options.title.as_deref(), has_page: false };
    student::body(&report, lang, &Words::new(lang), &of_class).into_string()
}

/// The policy of a page: it may use its style sheet, by its digest, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| policy(STYLE, None));

/// The policy of the page of a class: it may use its style sheet and its script.
static CLASS_POLICY: LazyLock<String> = LazyLock::new(|| policy(STYLE, Some(class::SCRIPT)));

fn policy(style: &str, script: Option<&str>) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let script = script.map_or(String::new(), |script| format!("script-src 'sha256-{}'; ", digest(script)));
    let style = digest(style);
    format!("default-src 'none'; {script}style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'")
}

/// A page of another report than a grade, with rules of its own after those of keur's style sheet.
pub fn page_with(lang: Lang, title: &str, rules: &str, body: Markup) -> String {
    let style = format!("{STYLE}{rules}");
    styled(lang, title, &style, &policy(&style, None), body, None)
}

/// A whole page: the head with keur's own style sheet, the body, and a script at its end.
fn styled(lang: Lang, title: &str, style: &str, policy: &str, body: Markup, script: Option<&str>) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang=(lang.name()) {
            "\n"
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(Shown(policy));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (Shown(title)) }
                style { (PreEscaped(style)) }
            }
            "\n"
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
            "\n"
        }
        "\n"
    };
    page.into_string()
}

#[cfg(test)]
mod tests;
