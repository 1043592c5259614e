//! Many submissions at a glance: a row each, and a histogram of their points.
//!
//! Columns without content vanish, and names are cut in the middle: `comfy-table` and `tabled` do neither.

use super::account::{Account, adjustments, line};
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

/// The columns: submission, exercise, points, what changed them, result and first error.
const COLUMNS: usize = 6;
const NAME: usize = 0;
const EXERCISE: usize = 1;
const POINTS: usize = 2;
const FINDING: usize = 5;

/// Tenths of the possible points, from the first to the whole.
const TENTHS: usize = 11;

/// The rows, each with whether it passed; the first is the header, with `None`. A column that says nothing
/// goes.
pub(super) fn rows(reports: &[&SubmissionReport], options: &Options) -> Vec<(Option<bool>, String)> {
    let Some(first) = reports.first() else { return Vec::new() };
    let head = Account::new(first, options);
    let mut cells: Vec<_> = reports.iter().map(|report| cells(report, options)).collect();
    let mut widths = [0; COLUMNS];
    let labels = [
        "label-submission", "label-exercise", "label-worth", "label-adjusted", "label-verdict",
        "label-finding",
    ];
    let labels = labels.map(|label| head.words.say(label));
    for (column, width) in widths.iter_mut().enumerate() {
        let widest = cells.iter().map(|cells| cells[column].width()).max().unwrap_or(0);
        if widest > 0 {
            *width = widest.max(labels[column].width());
        }
    }
    if exercises(reports).len() < 2 {
        widths[EXERCISE] = 0;
    }
    let fixed: usize = 2 + widths[EXERCISE..FINDING].iter().map(|width| gap(*width)).sum::<usize>();
    let room = options.width.saturating_sub(fixed);
    let most = room.saturating_sub(gap(FEWEST_FINDING)).clamp(FEWEST_NAME, WIDEST_NAME);
    widths[NAME] = widths[NAME].min(most);
    widths[FINDING] = widths[FINDING].min(room.saturating_sub(gap(widths[NAME])).max(1));
    for cells in &mut cells {
        cells[NAME] = cut_inside(&cells[NAME], most);
    }
    let passed = reports.iter().map(|report| Some(report.passed()));
    let rows = passed.zip(&cells).map(|(passed, cells)| (passed, row(cells, widths)));
    std::iter::once((None, row(&labels, widths))).chain(rows).collect()
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
        let adjustments = adjustments(report, &Account::new(report, options).words);
        (line(&report.name), adjustments.last().cloned().unwrap_or_default())
    };
    reports.iter().filter(is_set).map(note).collect()
}

/// Name, exercise, points, what changed them, verdict and first finding of a submission.
fn cells(report: &SubmissionReport, options: &Options) -> [String; COLUMNS] {
    let account = Account::new(report, options);
    let name = line(&report.name);
    let exercise = report.exercise.as_ref().map(|exercise| line(exercise.title.get(options.lang(report))));
    let exercise = exercise.unwrap_or_default();
    let grade = report.grade().map(|grade| account.words.fraction(grade, report.max_points));
    let points = grade.unwrap_or_default();
    let adjusted = account.words.adjusted(report);
    if let Some(problem) = &report.error {
        let why = account.words.why(problem).map(|why| line(&why)).unwrap_or_default();
        return [name, exercise, points, adjusted, account.words.state(problem), why];
    }
    match causes(report).first() {
        None => [name, exercise, points, adjusted, String::new(), String::new()],
        Some(cause) => {
            let mut first = match cause.finding() {
                Some(finding) => account.mistake(finding),
                None => account.words.say("label-hidden"),
            };
            if !cause.is_before_the_first_step() {
                first = format!("{}: {first}", line(account.title(cause.case)));
            }
            [name, exercise, points, adjusted, account.words.verdict(cause.case.verdict), first]
        }
    }
}

fn row(cells: &[String; COLUMNS], widths: [usize; COLUMNS]) -> String {
    let mut row = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| *width > 0) {
        let cell = if index == FINDING { cut_at_a_word(cell, width) } else { cut(cell, width) };
        let pad = " ".repeat(width - cell.width());
        // Points are aligned right.
        row += &if index == POINTS { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") };
    }
    row.trim_end().to_owned()
}

/// A name cut to a width: both ends stay, because either may distinguish it from others.
fn cut_inside(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let tail = cut(&text.chars().rev().collect::<String>(), width / 2);
    let tail: String = tail.chars().rev().skip(1).collect();
    cut(text, width - tail.width()) + &tail
}

/// A text cut to a width.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let kept = text.chars().take_while(|ch| {
        taken += ch.width().unwrap_or(0);
        taken < width
    });
    kept.collect::<String>() + "…"
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
    use super::{cut, cut_at_a_word, cut_inside, row};

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
        let cells = ["an", "Quixo", "5/10", "", "", "x"].map(str::to_owned);
        assert_eq!(row(&cells, [4, 5, 6, 0, 1, 9]), "an    Quixo    5/10     x");
        assert_eq!(row(&cells, [4, 0, 6, 0, 0, 9]), "an      5/10  x");
    }
}
