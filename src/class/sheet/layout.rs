//! Finds the columns of a sheet: names, numbers, grades.

use super::SheetError;
use super::grade::SheetKind;
use super::matching::Person;
use crate::class::intake::{RosterColumn, columns, number_of};
use keur_core::case::{Points, did_you_mean};

/// The names of the column for the grade in Moodle's worksheet, in small letters.
const GRADE: &[&str] = &["grade", "cijfer", "beoordeling", "score", "karakter", "bedømmelse"];

/// Parts of the name of the column with the highest grade, in small letters.
const HIGHEST: &[&str] = &["maximum", "maximaal", "maximale", "maksimum", "maksimal"];

/// Parts of the name of the column that locks a grade, in small letters.
const LOCK: &[&str] =
    &["can be changed", "kan gewijzigd", "kan worden gewijzigd", "kan ændres", "kan rettes"];

/// No, in small letters.
const NO: &[&str] = &["no", "nee", "nej"];

/// The columns of a sheet.
#[derive(Clone, Debug)]
pub(super) struct SheetLayout {
    pub(super) kind: SheetKind,
    /// The columns that say who a row is about.
    who: Vec<(usize, RosterColumn)>,
    /// The column for the grade.
    pub(super) grade: usize,
    /// The column with the highest grade of each row.
    highest: Option<usize>,
    /// The highest grade of all rows.
    scale: Option<Points>,
    /// The column that says whether the grade may change.
    lock: Option<usize>,
    /// Whether decimals have a comma.
    comma: bool,
}

impl SheetLayout {
    /// The layout of a sheet whose first row has the names of the columns.
    pub(super) fn of(
        rows: &[csv::StringRecord],
        column: Option<&str>,
        titles: &[&str],
    ) -> Result<SheetLayout, SheetError> {
        let head = rows.first().ok_or_else(|| "is empty; export it again".to_owned())?;
        let who = columns(head);
        let is_who = |column: &RosterColumn| !matches!(column, RosterColumn::Due | RosterColumn::HandedIn);
        let who: Vec<(usize, RosterColumn)> = who.into_iter().filter(|(_, column)| is_who(column)).collect();
        if who.is_empty() {
            return Err(SheetError::Unusable(format!(
                "no column has names, numbers or e-mail addresses of students; the columns are: {}",
                named(head)
            )));
        }
        let among = |names: &[&str]| {
            head.iter().position(|name| names.iter().any(|part| name.to_lowercase().contains(part)))
        };
        let highest = among(HIGHEST);
        let assignments: Vec<usize> = (0..head.len()).filter(|at| assignment(&head[*at]).is_some()).collect();
        let kind = if !assignments.is_empty() {
            SheetKind::Canvas
        } else if highest.is_some() && head.iter().any(is_grade) {
            SheetKind::Moodle
        } else {
            SheetKind::Other
        };
        let grade = match (column, kind) {
            (Some(column), _) => called(head, column)?,
            (None, SheetKind::Moodle) => head.iter().position(is_grade).unwrap_or_default(),
            (None, SheetKind::Canvas) => of_assignment(head, &assignments, titles)?,
            (None, SheetKind::Other) => {
                let only: Vec<usize> = (0..head.len()).filter(|at| is_grade(&head[*at])).collect();
                match only.as_slice() {
                    [only] => *only,
                    _ => return Err(SheetError::UnclearColumn(named(head))),
                }
            }
        };
        let highest = highest.filter(|at| *at != grade);
        let cells = |at: usize| rows.iter().skip(1).filter_map(move |row| row.get(at));
        let layout = SheetLayout { kind, who, grade, highest, scale: None, lock: among(LOCK), comma: false };
        // The row of Canvas with the points possible is nobody's.
        let nobodys = rows.iter().skip(1).filter(|row| layout.person(row).is_none());
        let scale = nobodys.filter_map(|row| row.get(grade)).find_map(number);
        let comma = highest.into_iter().chain([grade]).flat_map(cells).any(|cell| cell.contains(','));
        Ok(SheetLayout { scale, comma, ..layout })
    }

    /// The person that a row is about; `None` for a row about no student.
    pub(super) fn person(&self, row: &csv::StringRecord) -> Option<Person> {
        let text = |at: &usize| row.get(*at).map(str::trim).filter(|text| !text.is_empty());
        let mut person = Person::default();
        let mut parts: [Option<&str>; 2] = [None, None];
        for (at, column) in &self.who {
            let Some(text) = text(at) else { continue };
            match column {
                RosterColumn::Name => person.name = Some(text.to_owned()),
                RosterColumn::FirstName => parts[0] = Some(text),
                RosterColumn::FamilyName => parts[1] = Some(text),
                RosterColumn::Id(_) => person.numbers.push(number_of(text).to_owned()),
                RosterColumn::Email => person.email = Some(text.to_owned()),
                RosterColumn::Due | RosterColumn::HandedIn => {}
            }
        }
        if let [Some(first), Some(family)] = parts {
            person.name.get_or_insert_with(|| format!("{first} {family}"));
        }
        // Canvas has rows about columns, whose name at most stands in the first.
        let needs_number = self.kind == SheetKind::Canvas;
        let known = !person.numbers.is_empty() || person.email.is_some();
        (known || !needs_number && person.name.is_some()).then_some(person)
    }

    /// Whether the platform refuses another grade in a row.
    pub(super) fn is_locked(&self, row: &csv::StringRecord) -> bool {
        let cell = self.lock.and_then(|at| row.get(at));
        cell.is_some_and(|cell| NO.contains(&cell.trim().to_lowercase().as_str()))
    }

    /// The highest grade of a row.
    pub(super) fn highest(&self, row: &csv::StringRecord) -> Option<Points> {
        self.highest.and_then(|at| row.get(at)).and_then(number).or(self.scale)
    }

    /// Points as the sheet writes numbers.
    pub(super) fn number(&self, points: Points) -> String {
        let text = points.to_string();
        if self.comma { text.replace('.', ",") } else { text }
    }
}

/// A number of points in a cell.
fn number(cell: &str) -> Option<Points> {
    Points::parse(&cell.trim().replace(',', "."))
}

/// Whether this is the name of the column for the grade.
fn is_grade(name: &str) -> bool {
    GRADE.contains(&name.trim().to_lowercase().as_str())
}

/// The name of an assignment of Canvas, of which the number stands behind it: `Codenames (12345)`.
fn assignment(name: &str) -> Option<&str> {
    let (title, number) = name.trim().strip_suffix(')')?.rsplit_once(" (")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(title)
}

/// The column with this name, of an assignment also without its number.
fn called(head: &csv::StringRecord, column: &str) -> Result<usize, String> {
    let is_it = |name: &&str| {
        let (name, column) = (name.trim().to_lowercase(), column.trim().to_lowercase());
        name == column || assignment(&name) == Some(&column)
    };
    let found: Vec<usize> = (0..head.len()).filter(|at| is_it(&&head[*at])).collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let help = did_you_mean(column, head.iter()).map(|help| format!("; {help}")).unwrap_or_default();
            Err(format!("no column is called `{column}`{help}"))
        }
        _ => Err(format!("several columns are called `{column}`; name the one with its number")),
    }
}

/// The column of the assignment that is called one of `titles`, or of the only one.
fn of_assignment(head: &csv::StringRecord, all: &[usize], titles: &[&str]) -> Result<usize, SheetError> {
    if let [only] = all {
        return Ok(*only);
    }
    let same = |at: &&usize| {
        let title = assignment(&head[**at]).unwrap_or_default().to_lowercase();
        titles.iter().any(|wanted| wanted.to_lowercase() == title)
    };
    match all.iter().filter(same).collect::<Vec<_>>().as_slice() {
        [only] => Ok(**only),
        _ => {
            let names: Vec<&str> = all.iter().map(|at| &head[*at]).collect();
            Err(SheetError::UnclearColumn(names.join(", ")))
        }
    }
}

/// The names of the columns, for a message.
fn named(head: &csv::StringRecord) -> String {
    head.iter().map(str::trim).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}
