//! Many submissions at a glance: a row each, and a histogram of their points.

use super::account::{Account, error, line};
use super::{Options, findings};
use crate::event::SubmissionReport;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of submissions from which a histogram is drawn.
const MANY: usize = 5;

/// Columns of the longest bar, of a name, and the minimum for a finding.
const WIDEST_BAR: usize = 40;
const WIDEST_NAME: usize = 30;
const FEWEST_FINDING: usize = 20;

/// Tenths of the possible points, from the first to the whole.
const TENTHS: usize = 11;

/// The rows, each with whether it passed; the first is the header, with `None`.
pub(super) fn rows(reports: &[&SubmissionReport], options: &Options) -> Vec<(Option<bool>, String)> {
    let Some(first) = reports.first() else { return Vec::new() };
    let head = Account::new(first, options);
    let labels = ["label-submission", "label-exercise", "label-worth", "label-verdict", "label-finding"];
    let mut rows = vec![(None, labels.map(|label| head.words.say(label)))];
    rows.extend(reports.iter().map(|report| (Some(report.passed()), cells(report, options))));
    let mut widths = [0; 5];
    for (_, cells) in &rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.width().max(*width);
        }
    }
    let taken: usize = widths.iter().take(4).map(|width| width + 2).sum::<usize>() + 2;
    widths[4] = options.width.saturating_sub(taken).max(FEWEST_FINDING);
    rows.into_iter().map(|(passed, cells)| (passed, row(&cells, widths))).collect()
}

/// Name, exercise, points, verdict and first finding of a submission.
fn cells(report: &SubmissionReport, options: &Options) -> [String; 5] {
    let account = Account::new(report, options);
    let name = cut_inside(&line(&report.name), WIDEST_NAME);
    let exercise =
        report.exercise.as_ref().map(|exercise| exercise.title.get(options.lang(report)).to_owned());
    let exercise = exercise.unwrap_or_default();
    if let Some(why) = error(report, options) {
        return [name, exercise, String::new(), account.words.say("label-error"), why];
    }
    let points = account.words.fraction(report.points, report.max_points);
    match findings(report).first() {
        None => [name, exercise, points, String::new(), String::new()],
        Some((case, finding)) => {
            let said = account.sentence(case).unwrap_or_default();
            let said = match finding {
                Some(finding) if finding.step == 0 => said,
                Some(_) | None => format!("{}: {said}", account.title(case)),
            };
            [name, exercise, points, account.words.verdict(case.verdict), said]
        }
    }
}

fn row(cells: &[String; 5], widths: [usize; 5]) -> String {
    let mut row = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let cell = cut(cell, width);
        let pad = " ".repeat(width - cell.width());
        // Points are aligned right.
        row += &if index == 2 { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") };
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
    use super::{cut, cut_inside, row};

    #[test]
    fn a_text_is_cut_to_its_width() {
        assert_eq!(
            (cut("abc", 3).as_str(), cut("abcd", 3).as_str(), cut("日本語", 4).as_str()),
            ("abc", "ab…", "日…")
        );
    }

    #[test]
    fn a_name_keeps_both_its_ends() {
        assert_eq!(cut_inside("abcdefgh", 8), "abcdefgh");
        assert_eq!(cut_inside("abcdefghi", 8), "abcd…ghi");
        assert_eq!(cut_inside("日本語日本語", 8), "日本…語");
    }

    #[test]
    fn points_stand_at_the_right_of_their_column() {
        let cells = ["an", "Quixo", "5/10", "", "x"].map(str::to_owned);
        assert_eq!(row(&cells, [4, 5, 6, 1, 9]), "an    Quixo    5/10     x");
    }
}
