//! The grades that go into a sheet, and what kinds of sheet there are.

use keur_core::case::Points;
use keur_core::event::SubmissionReport;

/// The grade of a student, and by what a sheet may name the student.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetGrade {
    /// The name.
    pub name: String,
    /// The numbers: that of the roster, and that of the learning platform.
    pub numbers: Vec<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The grade and the highest possible one; `None` if there is no grade.
    pub grade: Option<(Points, Points)>,
}

impl SheetGrade {
    /// The grade in a report; `platform_id` is the student's number in the names of the download.
    pub fn of(report: &SubmissionReport, platform_id: Option<String>) -> SheetGrade {
        let hand_in = report.hand_in.as_deref();
        let mut numbers: Vec<String> = hand_in.and_then(|hand_in| hand_in.id.clone()).into_iter().collect();
        numbers.extend(platform_id.filter(|id| !numbers.contains(id)));
        SheetGrade {
            name: hand_in.map_or_else(|| report.name.clone(), |hand_in| hand_in.student.clone()),
            numbers,
            email: hand_in.and_then(|hand_in| hand_in.email.clone()),
            grade: report.grade().map(|grade| (grade, report.max_points)),
        }
    }
}

/// The origin of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// The grading worksheet of an assignment in Moodle.
    Moodle,
    /// The gradebook of Canvas.
    Canvas,
    /// A table of no known platform.
    Other,
}
