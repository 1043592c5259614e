//! Sheets for a class that has no sheet of its platform.
//!
//! Names, numbers and addresses come from downloads and rosters, so every text goes through `inert`.

use super::grade::SheetGrade;
use super::written::written;
use csv::StringRecord;
use keur_core::case::Points;
use keur_core::report::formats::csv::inert;

/// The columns of Moodle's grading worksheet in English, without those that an upload does not need.
const MOODLE: [&str; 6] =
    ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Last modified (grade)"];

/// The columns of a gradebook of Canvas before that of the assignment.
const CANVAS: [&str; 5] = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"];

/// The grading worksheet of Moodle. Its upload knows a student by the number in the names of the download,
/// and wants the columns named as in English.
pub fn moodle(grades: &[SheetGrade]) -> String {
    let mut rows = vec![StringRecord::from(MOODLE.to_vec())];
    rows.extend(grades.iter().map(|grade| {
        let number = grade.numbers.last().map(|number| inert(&format!("Participant {number}")));
        let (points, most) = cells(grade);
        StringRecord::from(vec![
            number.unwrap_or_default(),
            inert(&grade.name),
            inert(grade.email.as_deref().unwrap_or_default()),
            points,
            most,
            String::new(),
        ])
    }));
    written(&rows, b',', false)
}

/// A gradebook of Canvas with one assignment, which has `title`. Its upload knows a student by the first
/// number.
pub fn canvas(grades: &[SheetGrade], title: &str) -> String {
    let mut head = StringRecord::from(CANVAS.to_vec());
    head.push_field(&inert(title));
    let most = grades.iter().find_map(|grade| grade.grade).map(|(_, most)| most.to_string());
    let possible = ["    Points Possible", "", "", "", "", &most.unwrap_or_default()];
    let mut rows = vec![head, StringRecord::from(possible.to_vec())];
    rows.extend(grades.iter().map(|grade| {
        let number = grade.numbers.last().cloned().unwrap_or_default();
        let (points, _) = cells(grade);
        let empty = String::new;
        StringRecord::from(vec![inert(&grade.name), inert(&number), empty(), empty(), empty(), points])
    }));
    written(&rows, b',', false)
}

/// The grade and the highest one; both empty without a grade.
fn cells(grade: &SheetGrade) -> (String, String) {
    let shown = |points: Points| points.to_string();
    grade.grade.map_or_else(Default::default, |(points, most)| (shown(points), shown(most)))
}
