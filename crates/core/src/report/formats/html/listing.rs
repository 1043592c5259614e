//! The files of a submission on its page.

use super::finding::Sheet;
use super::marked_source::{Mark, MarkedFile, MarkedSource};
use super::shown::Shown;
use crate::event::SubmissionReport;
use maud::{Markup, html};

/// The lines shown of a file, besides those around a marked line.
const MOST_LINES: usize = 400;
const AROUND: usize = 5;

/// The exceptions shown at a line, and the cases of each.
const MOST_NOTES: usize = 3;
const MOST_CASES: usize = 3;

/// Every file, open if a line of it is marked.
pub(super) fn listing(report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    let MarkedSource { files, lines } = &sheet.marks;
    html! {
        @if !files.is_empty() {
            section #source {
                h2 { (sheet.words().say("html-source")) }
                @for (index, file) in files.iter().enumerate() {
                    @let is_marked = lines.keys().any(|(at, _)| *at == index);
                    details open=[is_marked.then_some("")] {
                        summary { code { (Shown(file.name)) } }
                        (numbered(index, file, report, sheet))
                    }
                }
            }
        }
    }
}

/// The lines of a file with their numbers, and notes below those that raised.
fn numbered(index: usize, file: &MarkedFile<'_>, report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    let marks = &sheet.marks.lines;
    let is_shown = |line: usize| {
        let near = (index, line.saturating_sub(AROUND))..=(index, line + AROUND);
        line <= MOST_LINES || marks.range(near).next().is_some()
    };
    let shown: Vec<usize> = (1..=file.lines.len()).filter(|line| is_shown(*line)).collect();
    let before = std::iter::once(0).chain(shown.iter().copied());
    let after = file.lines.len() - shown.last().copied().unwrap_or_default();
    html! {
        ol.source tabindex="0" {
            @for (line, before) in shown.iter().zip(before) {
                // A tab is shown as wide as it is.
                @let text = Shown(file.lines[line - 1].replace('\t', "\t   "));
                @let skipped = line - before - 1;
                @let number = (skipped > 0).then_some(line);
                @if skipped > 0 { li.gap { (sheet.words().more_lines(skipped)) } }
                @if let Some(mark) = marks.get(&(index, *line)) {
                    @let passes_by = mark.raised.is_empty() && mark.defined.is_empty();
                    @let class = if passes_by { "passing-by" } else { "failing" };
                    li.(class) id={ "l" (index) "-" (line) } value=[number] {
                        (text)
                        (notes(mark, report, sheet))
                    }
                } @else {
                    li value=[number] { (text) }
                }
                "\n"
            }
            @if after > 0 { li.gap { (sheet.words().more_lines(after)) } }
        }
    }
}

/// The exceptions that a line raised, and the cases in which it did; and those in which what it defines is wrong.
fn notes(mark: &Mark<'_>, report: &SubmissionReport, sheet: &Sheet<'_>) -> Markup {
    html! {
        @for case in mark.defined.iter().take(MOST_CASES) {
            span.note { a href={ "#c" (case) } { (Shown(sheet.title(&report.cases[*case]))) } }
        }
        @for (text, cases) in mark.raised.iter().take(MOST_NOTES) {
            span.note {
                strong { (Shown(text.lines().next().unwrap_or_default())) }
                @for case in cases.iter().take(MOST_CASES) {
                    " · "
                    a href={ "#c" (case) } { (Shown(sheet.title(&report.cases[*case]))) }
                }
                @if cases.len() > MOST_CASES { " · …" }
            }
        }
    }
}
