//! A gradebook: a row for each submission, and a column with the points of each case.
//!
//! It is written by hand: what takes care here is what a spreadsheet makes of a cell, which no library knows.
//!
//! Text of a submission never becomes a formula: a quote before it makes a spreadsheet read it as text.

use super::lines::error;
use super::results_at_the_end;
use crate::event::SubmissionReport;
use crate::named::Named;
use crate::report::case_writer::line;
use crate::report::{Format, Options};
use std::collections::BTreeSet;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "a gradebook: a row for each submission, a column for each case",
    extension: "csv",
    // The columns are known only when every submission is.
    reporter: || results_at_the_end(end),
    ..Format::NOTHING
};

/// The columns before those of the cases.
const COLUMNS: [&str; 9] =
    ["name", "path", "exercise", "language", "points", "max_points", "cases", "cases_passed", "error"];

/// The columns of a class, after those.
const OF_A_CLASS: [&str; 10] = [
    "state", "student", "id", "email", "attempt", "earned", "late_seconds", "late_lost", "by_hand",
    "by_hand_why",
];

/// The first characters of formulas, with the wide forms that some spreadsheets accept.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '|', '＝', '＋', '－', '＠'];

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let cases: BTreeSet<(&str, &str)> = reports
        .iter()
        .flat_map(|report| report.cases.iter().map(|case| (exercise(report), case.name.as_str())))
        .collect();
    let of_a_class = reports.iter().any(|report| report.hand_in.is_some());
    let mut head: Vec<String> = COLUMNS.map(str::to_owned).into();
    if of_a_class {
        head.extend(OF_A_CLASS.map(str::to_owned));
    }
    head.extend(cases.iter().map(|(exercise, case)| format!("{exercise}::{case}")));
    let mut rows = vec![row(&head)];
    for report in reports {
        let language = report.runtime.as_ref().map(|runtime| runtime.language.as_str()).unwrap_or_default();
        let (points, most) = match report.grade() {
            None => (String::new(), String::new()),
            Some(grade) => (grade.to_string(), report.max_points.to_string()),
        };
        let mut cells = vec![
            report.name.clone(),
            report.path.clone(),
            exercise(report).to_owned(),
            language.to_owned(),
            points,
            most,
            report.cases.len().to_string(),
            report.passed_cases().to_string(),
            error(report, options).unwrap_or_default(),
        ];
        if of_a_class {
            cells.extend(hand_in(report));
        }
        cells.extend(cases.iter().map(|(of, name)| {
            let own = report.cases.iter().filter(|_| *of == exercise(report));
            own.filter(|case| case.name == *name).map(|case| case.points.to_string()).collect()
        }));
        rows.push(row(&cells));
    }
    rows.concat()
}

/// The cells of a class.
fn hand_in(report: &SubmissionReport) -> [String; OF_A_CLASS.len()] {
    let mut cells = [const { String::new() }; OF_A_CLASS.len()];
    report.state().name().clone_into(&mut cells[0]);
    let Some(hand_in) = report.hand_in.as_deref() else { return cells };
    let (late, by_hand) = (hand_in.late.as_ref(), hand_in.by_hand.as_ref());
    let handed_in = hand_in.attempt > 0;
    let known = [
        Some(hand_in.student.clone()),
        hand_in.id.clone(),
        hand_in.email.clone(),
        handed_in.then(|| hand_in.attempt.to_string()),
        report.error.is_none().then(|| hand_in.earned.to_string()),
        late.and_then(|late| late.by).map(|by| by.as_secs().to_string()),
        late.map(|late| late.lost.to_string()),
        by_hand.map(|by_hand| by_hand.points.to_string()),
        by_hand.map(|by_hand| by_hand.why.clone()),
    ];
    for (cell, known) in cells.iter_mut().skip(1).zip(known) {
        *cell = known.unwrap_or_default();
    }
    cells
}

fn exercise(report: &SubmissionReport) -> &str {
    report.exercise.as_ref().map(|exercise| exercise.name.as_str()).unwrap_or_default()
}

fn row(cells: &[String]) -> String {
    cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",") + "\n"
}

/// A text as a cell, quoted if needed.
fn cell(text: &str) -> String {
    let text = inert(text);
    if text.contains([',', '"', '\'', ' ']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// A text for a cell, on one line: no spreadsheet takes it for a formula, and nothing in it is hidden, turned
/// around, or obeyed by a terminal.
pub fn inert(text: &str) -> String {
    // Some programs skip blanks before they look at the type of a cell.
    let formula = text.trim_start().starts_with(FORMULA) || text.starts_with(FORMULA);
    // Where a comma separates decimals, a semicolon separates cells, whatever is around it.
    let text = line(text).replace(';', "；");
    if formula { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, safe) in [
            ("=1+1", "\"'=1+1\""),
            (" =1", "\"' =1\""),
            ("-a", "\"'-a\""),
            ("+a", "\"'+a\""),
            ("@a", "\"'@a\""),
            ("a;=1;\"=2\"", "\"a；=1；\"\"=2\"\"\""),
            ("\t=1", "\"'⇥=1\""),
            ("\r=1", "\"'␍=1\""),
            ("＝1", "\"'＝1\""),
            ("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""),
        ] {
            assert_eq!(cell(text), safe);
        }
    }

    #[test]
    fn separators_of_cells_are_quoted() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("a\"b\nc"), "\"a\"\"b␊c\"");
    }
}
