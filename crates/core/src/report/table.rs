//! Many submissions at a glance: a row each, and a histogram of their points.
//!
//! Columns without content vanish, and names are cut in the middle: `comfy-table` and `tabled` do neither.

use super::case_writer::{CaseWriter, adjustments, line};
use super::{Options, causes};
use crate::event::SubmissionReport;
use std::collections::BTreeSet;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of submissions from which a histogram is drawn.
const MANY: usize = 5;

/// Columns of the longest bar, of a name, and the minimum for a name and a finding.
const WIDEST_BAR: usize = 40;
const WIDEST_NAME: usize = 30;
const FEWEST_NAME: usize = 16;
const FEWEST_FINDING: usize = 24;

/// Tenths of the possible points, from the first to the whole.
const TENTHS: usize = 11;

/// The table of several submissions.
pub(super) struct Table {
    /// The labels of the columns.
    pub(super) header: String,
    /// The submissions, in the order of their reports.
    pub(super) rows: Vec<Row>,
}

/// A submission in a table.
pub(super) struct Row {
    pub(super) passed: bool,
    pub(super) text: String,
}

/// A value for each column of a table: its cell, its label or its width.
#[derive(Clone, Default)]
struct Columns<T> {
    name: T,
    exercise: T,
    points: T,
    /// The changes of the points besides the cases.
    adjusted: T,
    verdict: T,
    /// The first error.
    finding: T,
}

/// The table of these submissions; `None` if there are none. A column without content is left out.
pub(super) fn table(reports: &[&SubmissionReport], options: &Options) -> Option<Table> {
    let words = CaseWriter::new(reports.first()?, options).words;
    let labels = Columns {
        name: words.say("label-submission"),
        exercise: words.say("label-exercise"),
        points: words.say("label-worth"),
        adjusted: words.say("label-adjusted"),
        verdict: words.say("label-verdict"),
        finding: words.say("label-finding"),
    };
    let mut cells: Vec<_> = reports.iter().map(|report| cells(report, options)).collect();
    let width = |of: fn(&Columns<String>) -> &String| {
        let widest = cells.iter().map(|cells| of(cells).width()).max().unwrap_or(0);
        if widest > 0 { widest.max(of(&labels).width()) } else { 0 }
    };
    let mut widths = Columns {
        name: width(|cells| &cells.name),
        exercise: if exercises(reports).len() < 2 { 0 } else { width(|cells| &cells.exercise) },
        points: width(|cells| &cells.points),
        adjusted: width(|cells| &cells.adjusted),
        verdict: width(|cells| &cells.verdict),
        finding: width(|cells| &cells.finding),
    };
    let fixed: usize =
        [widths.exercise, widths.points, widths.adjusted, widths.verdict].map(gap).iter().sum();
    let room = options.width.saturating_sub(2 + fixed);
    let most_name = room.saturating_sub(gap(FEWEST_FINDING)).clamp(FEWEST_NAME, WIDEST_NAME);
    widths.name = widths.name.min(most_name);
    widths.finding = widths.finding.min(room.saturating_sub(gap(widths.name)).max(1));
    for cells in &mut cells {
        cells.name = cut_inside(&cells.name, most_name);
    }
    let row = |(report, cells): (&&SubmissionReport, &Columns<String>)| Row {
        passed: report.passed(),
        text: in_line(cells, &widths),
    };
    Some(Table { header: in_line(&labels, &widths), rows: reports.iter().zip(&cells).map(row).collect() })
}

/// The width of a column with the space after it.
fn gap(width: usize) -> usize {
    if width == 0 { 0 } else { width + 2 }
}

/// The exercises of these submissions.
fn exercises(reports: &[&SubmissionReport]) -> BTreeSet<String> {
    let known = reports.iter().filter_map(|report| report.exercise.as_ref());
    known.map(|exercise| exercise.name.clone()).collect()
}

/// The title of the exercise, if all submissions answer one.
pub(super) fn exercise(reports: &[&SubmissionReport], options: &Options) -> Option<String> {
    let mut known = reports.iter().filter_map(|report| Some((*report, report.exercise.as_ref()?)));
    let (report, first) = known.next()?;
    (exercises(reports).len() == 1).then(|| line(first.title.get(options.lang(report))))
}

/// The points that were set by hand, with the reason: the name of the submission, and a sentence.
pub(super) fn by_hand(reports: &[&SubmissionReport], options: &Options) -> Vec<(String, String)> {
    let is_set = |report: &&&SubmissionReport| {
        report.hand_in.as_deref().is_some_and(|hand_in| hand_in.by_hand.is_some())
    };
    let note = |report: &&SubmissionReport| {
        let adjustments = adjustments(report, &CaseWriter::new(report, options).words);
        (line(&report.name), adjustments.last().cloned().unwrap_or_default())
    };
    reports.iter().filter(is_set).map(note).collect()
}

/// The cells of a submission.
fn cells(report: &SubmissionReport, options: &Options) -> Columns<String> {
    let writer = CaseWriter::new(report, options);
    let exercise = report.exercise.as_ref().map(|exercise| line(exercise.title.get(options.lang(report))));
    let points = report.grade().map(|grade| writer.words.fraction(grade, report.max_points));
    let cells = Columns {
        name: line(&report.name),
        exercise: exercise.unwrap_or_default(),
        points: points.unwrap_or_default(),
        adjusted: writer.words.short_adjustments(report),
        ..Columns::default()
    };
    if let Some(error) = &report.error {
        let finding = writer.words.why(error).map(|why| line(&why)).unwrap_or_default();
        return Columns { verdict: writer.words.state(error), finding, ..cells };
    }
    let causes = causes(report);
    let Some(cause) = causes.first() else { return cells };
    let mut finding = match cause.finding() {
        Some(finding) => writer.mistake(finding),
        None => writer.words.say("label-hidden"),
    };
    if !cause.is_before_the_first_step() {
        // A narrow terminal cuts the end.
        finding = format!("{finding} · {}", line(writer.title(cause.case)));
    }
    Columns { verdict: writer.words.outcome(cause.case), finding, ..cells }
}

/// The cells on a line, without the columns whose width is 0.
fn in_line(cells: &Columns<String>, widths: &Columns<usize>) -> String {
    let columns = [
        left(&cells.name, widths.name),
        left(&cells.exercise, widths.exercise),
        right(&cells.points, widths.points),
        left(&cells.adjusted, widths.adjusted),
        left(&cells.verdict, widths.verdict),
        cut_at_a_word(&cells.finding, widths.finding),
    ];
    let shown: Vec<String> = columns.into_iter().filter(|column| !column.is_empty()).collect();
    shown.join("  ").trim_end().to_owned()
}

fn left(cell: &str, width: usize) -> String {
    let cell = cut(cell, width);
    let pad = " ".repeat(width - cell.width());
    cell + &pad
}

fn right(cell: &str, width: usize) -> String {
    let cell = cut(cell, width);
    " ".repeat(width - cell.width()) + &cell
}

/// A name cut to a width: both ends stay, because either may distinguish it from others.
fn cut_inside(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let tail = beginning(text.chars().rev(), width / 2);
    let tail: String = tail.chars().rev().collect();
    cut(text, width - tail.width()) + &tail
}

/// A text cut to a width.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    beginning(text.chars(), width) + "…"
}

/// The beginning of a text, which leaves room for a mark in this width.
fn beginning(text: impl Iterator<Item = char>, width: usize) -> String {
    let mut taken = 0;
    let kept = text.take_while(|ch| {
        taken += ch.width().unwrap_or(0);
        taken < width
    });
    kept.collect()
}

/// A text cut to a width, not inside a word if that leaves half of it.
fn cut_at_a_word(text: &str, width: usize) -> String {
    let kept = cut(text, width);
    match kept.rfind(' ') {
        Some(end) if kept != text && 2 * kept[..end].width() >= width => {
            let words = kept[..end].trim_end_matches([' ', ':', ',', '·', '(']);
            format!("{words} …")
        }
        _ => kept,
    }
}

/// The number of submissions for each share of the possible points; empty if there are few submissions.
pub(super) fn histogram(reports: &[&SubmissionReport]) -> Vec<String> {
    let graded: Vec<&SubmissionReport> = reports
        .iter()
        .copied()
        .filter(|report| report.error.is_none() && report.max_points.hundredths() > 0)
        .collect();
    if graded.len() < MANY {
        return Vec::new();
    }
    let mut counts = [0; TENTHS];
    for report in graded {
        let tenth = report.points.hundredths() * 10 / report.max_points.hundredths();
        counts[usize::try_from(tenth).unwrap_or(TENTHS).min(TENTHS - 1)] += 1;
    }
    // One sign per submission, as long as they fit.
    let most = counts.iter().copied().max().unwrap_or(0).max(WIDEST_BAR);
    let bar = |(tenth, count): (usize, &usize)| {
        let mut line = match tenth {
            10 => "    100 %".to_owned(),
            _ => format!("{:>3}–{:>3} %", tenth * 10, tenth * 10 + 9),
        };
        if *count > 0 {
            let _ = write!(line, "  {} {count}", "█".repeat((count * WIDEST_BAR).div_ceil(most)));
        }
        line
    };
    counts.iter().enumerate().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::{Columns, cut, cut_at_a_word, cut_inside, in_line};

    #[test]
    fn a_text_is_cut_to_its_width() {
        assert_eq!(
            (cut("abc", 3).as_str(), cut("abcd", 3).as_str(), cut("日本語", 4).as_str()),
            ("abc", "ab…", "日…")
        );
    }

    #[test]
    fn a_finding_is_cut_between_words() {
        assert_eq!(cut_at_a_word("one two three", 13), "one two three");
        assert_eq!(cut_at_a_word("one two: three", 11), "one two …");
        assert_eq!(cut_at_a_word("a superlong", 9), "a superl…");
    }

    #[test]
    fn a_name_keeps_both_its_ends() {
        assert_eq!(cut_inside("abcdefgh", 8), "abcdefgh");
        assert_eq!(cut_inside("abcdefghi", 8), "abcd…ghi");
        assert_eq!(cut_inside("日本語日本語", 8), "日本…語");
    }

    #[test]
    fn points_stand_at_the_right_of_their_column() {
        let cells = Columns {
            name: "an".to_owned(),
            exercise: "Quixo".to_owned(),
            points: "5/10".to_owned(),
            finding: "x".to_owned(),
            ..Columns::default()
        };
        let widths = Columns { name: 4, exercise: 5, points: 6, adjusted: 0, verdict: 1, finding: 9 };
        assert_eq!(in_line(&cells, &widths), "an    Quixo    5/10     x");
        let widths = Columns { exercise: 0, verdict: 0, ..widths };
        assert_eq!(in_line(&cells, &widths), "an      5/10  x");
    }
}
