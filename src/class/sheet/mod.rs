//! The sheets that carry grades back to a learning platform: the grading worksheet of Moodle, the gradebook
//! of Canvas, and any other table with a column for the grade.
//!
//! [`GradeSheet::read`] takes a sheet as the platform exported it; [`GradeSheet::fill`] writes grades in it
//! and keeps every other cell. [`new`] writes sheets for those who have none.

mod grade;
mod layout;
mod matching;
pub mod new;
mod written;

pub use grade::{SheetGrade, SheetKind};

use crate::class::intake::decoded;
use keur_core::case::Points;
use keur_core::compare::diff::visible;
use layout::SheetLayout;
use matching::Students;
use written::written;

/// The largest sheet, in bytes.
pub const LARGEST_SHEET: u64 = 64 << 20;

/// A sheet with a row for each student.
#[derive(Clone, Debug)]
pub struct GradeSheet {
    pub kind: SheetKind,
    layout: SheetLayout,
    rows: Vec<csv::StringRecord>,
    separator: u8,
    /// Whether lines end as on Windows.
    crlf: bool,
    /// Whether it begins with the mark of UTF-8.
    marked: bool,
}

/// Why a sheet cannot be used, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The sheet has not what it needs.
    #[error("{}", visible(.0, false))]
    Unusable(String),
    /// Any of these columns may have the grades.
    #[error("it is not clear which column has the grades; name one of these: {}", visible(.0, false))]
    UnclearColumn(String),
}

impl From<String> for SheetError {
    fn from(problem: String) -> SheetError {
        SheetError::Unusable(problem)
    }
}

/// The rows of a sheet, after grades were filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetFilled {
    /// The number of rows that got a grade.
    pub filled: usize,
    /// The highest grade of the class and that of the sheet, to which grades were scaled; `None` if they are
    /// the same.
    pub scaled: Option<(Points, Points)>,
    /// The rows whose student is not in the class.
    pub strangers: Vec<String>,
    /// The rows that the platform does not let change.
    pub locked: Vec<String>,
    /// The students with a grade for whom there is no row.
    pub missing: Vec<String>,
}

impl GradeSheet {
    /// Reads a sheet. The grades go into the column called `column`; without a
    /// name, into the one that is for them, which in a gradebook with several is that of the assignment
    /// called one of `titles`.
    ///
    /// # Errors
    /// It is not a table, or it is not clear which column has the grades.
    pub fn read(bytes: &[u8], column: Option<&str>, titles: &[&str]) -> Result<GradeSheet, SheetError> {
        let text = decoded(bytes);
        let first = text.lines().next().unwrap_or_default();
        let count = |separator: &char| first.matches(*separator).count();
        let separator = [',', ';', '\t'].into_iter().rev().max_by_key(count).unwrap_or(',');
        let separator = u8::try_from(separator).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let rows: Result<Vec<_>, _> = reader.records().collect();
        let rows = rows.map_err(|error| format!("is not a table in CSV: {error}"))?;
        let layout = SheetLayout::of(&rows, column, titles)?;
        Ok(GradeSheet {
            kind: layout.kind,
            layout,
            rows,
            separator,
            crlf: text.contains("\r\n"),
            marked: bytes.starts_with("\u{feff}".as_bytes()),
        })
    }

    /// Writes the grades of a class into the rows of its students. A student without a grade keeps what the
    /// row has.
    pub fn fill(&mut self, grades: &[SheetGrade]) -> SheetFilled {
        let mut filled = SheetFilled::default();
        let students = Students::new(grades);
        let mut found = vec![false; grades.len()];
        let column = self.layout.grade;
        for row in self.rows.iter_mut().skip(1) {
            let Some(person) = self.layout.person(row) else { continue };
            let Some(index) = students.find(&person) else {
                filled.strangers.push(person.shown());
                continue;
            };
            found[index] = true;
            let Some((points, most)) = grades[index].grade else { continue };
            if self.layout.is_locked(row) {
                filled.locked.push(person.shown());
                continue;
            }
            let scale = self.layout.highest(row).filter(|scale| *scale != most && *scale > Points::ZERO);
            filled.scaled = filled.scaled.or(scale.map(|scale| (most, scale)));
            let points = scale.map_or(points, |scale| points.scaled(most, scale));
            let text = self.layout.number(points);
            let mut cells: Vec<&str> = row.iter().collect();
            cells.resize(cells.len().max(column + 1), "");
            cells[column] = &text;
            *row = cells.into_iter().collect::<csv::StringRecord>();
            filled.filled += 1;
        }
        let missing = grades.iter().zip(&found).filter(|(grade, found)| grade.grade.is_some() && !**found);
        filled.missing = missing.map(|(grade, _)| grade.name.clone()).collect();
        filled
    }

    /// The text of the sheet.
    pub fn text(&self) -> String {
        let mark = if self.marked { "\u{feff}" } else { "" };
        format!("{mark}{}", written(&self.rows, self.separator, self.crlf))
    }
}

#[cfg(test)]
mod tests;
