//! The changes since an earlier report: whose grade rises and whose falls, and by which case.

mod earlier;
mod text;

pub use earlier::{EarlierReport, EarlierReportError};

use keur_core::case::Points;
use keur_core::event::SubmissionReport;
use keur_core::named::Named;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The version of the JSON that is read and written.
const VERSION: u64 = 1;

/// A comparison of the submissions of a class with an earlier report, one at a time.
pub struct Comparison {
    earlier: EarlierReport,
    changes: GradeChanges,
}

/// The differences between the grades of two states of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GradeChanges {
    /// The students of whom something changed, by name.
    pub students: Vec<StudentChange>,
    /// The number of students of whom nothing changed.
    pub same: usize,
}

/// A student whose grade, submission or cases differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudentChange {
    /// The name of the submission.
    pub name: String,
    /// `None` for a student who is new.
    pub before: Option<StudentStanding>,
    /// `None` for a student who is gone.
    pub after: Option<StudentStanding>,
    /// The cases whose verdicts or points differ, in alphabetical order.
    pub cases: Vec<CaseChange>,
}

/// The grade of a student, and the submission that earned it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudentStanding {
    /// Whether it was `graded`, else why not: `absent`, `unreadable` or `ungraded`.
    pub state: &'static str,
    /// The grade; `None` if there is none.
    #[serde(serialize_with = "maybe_number")]
    pub points: Option<Points>,
    /// The highest possible grade.
    #[serde(serialize_with = "number")]
    pub max_points: Points,
    /// The points lost for handing in late.
    #[serde(serialize_with = "number")]
    pub late: Points,
    /// The points that were set by hand.
    #[serde(serialize_with = "maybe_number")]
    pub by_hand: Option<Points>,
}

/// A case whose result differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseChange {
    /// The name of the case.
    pub name: String,
    /// The result in the earlier report; `None` if the case is new.
    pub before: Option<CaseResult>,
    /// The result now; `None` if the case is gone.
    pub after: Option<CaseResult>,
}

/// The numbers of students for whom the result of a case differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CaseCount {
    /// The number of students who gain points, by this case among others.
    pub gain: usize,
    /// The number of students who lose points, by this case among others.
    pub lose: usize,
    /// The others: the points of the case or the grade did not change, or other cases weigh more.
    pub other: usize,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// The name of its verdict.
    pub verdict: String,
    /// The points earned.
    #[serde(serialize_with = "number")]
    pub points: Points,
    /// The points that it is worth.
    #[serde(serialize_with = "number")]
    pub max_points: Points,
}

/// The parts of a submission's report that are compared.
#[derive(Debug)]
struct Submission {
    standing: StudentStanding,
    cases: BTreeMap<String, CaseResult>,
}

impl Comparison {
    /// A comparison with `earlier`.
    pub fn new(earlier: EarlierReport) -> Comparison {
        Comparison { earlier, changes: GradeChanges::default() }
    }

    /// Compares a submission.
    pub fn add(&mut self, report: &SubmissionReport) {
        let before = self.earlier.0.remove(&report.name);
        self.add_change(&report.name, before, Some(Submission::of(report)));
    }

    /// The differences found, once all submissions are compared.
    pub fn finish(mut self) -> GradeChanges {
        for (name, before) in std::mem::take(&mut self.earlier.0) {
            self.add_change(&name, Some(before), None);
        }
        self.changes.students.sort_by(|one, other| one.name.cmp(&other.name));
        self.changes
    }

    fn add_change(&mut self, name: &str, before: Option<Submission>, after: Option<Submission>) {
        // A list of all cases of a student who is new or gone would say nothing.
        let cases = match (&before, &after) {
            (Some(before), Some(after)) => case_changes(&before.cases, &after.cases),
            _ => Vec::new(),
        };
        let (before, after) = (before.map(|one| one.standing), after.map(|one| one.standing));
        if before == after && cases.is_empty() {
            self.changes.same += 1;
        } else {
            self.changes.students.push(StudentChange { name: name.to_owned(), before, after, cases });
        }
    }
}

/// The cases whose results differ, by name.
fn case_changes(
    before: &BTreeMap<String, CaseResult>,
    after: &BTreeMap<String, CaseResult>,
) -> Vec<CaseChange> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = names.into_iter().map(|name| {
        let (before, after) = (before.get(name).cloned(), after.get(name).cloned());
        CaseChange { name: name.clone(), before, after }
    });
    changes.filter(|change| change.before != change.after).collect()
}

impl GradeChanges {
    /// The number of students whose grades change in `direction`.
    pub fn count(&self, direction: Ordering) -> usize {
        self.students.iter().filter(|change| change.direction() == direction).count()
    }

    /// The number of students who gain or lose by each case whose result differs.
    pub fn by_case(&self) -> BTreeMap<&str, CaseCount> {
        let mut counts: BTreeMap<&str, CaseCount> = BTreeMap::new();
        for student in &self.students {
            let grade = student.direction();
            for change in &student.cases {
                let count = counts.entry(&change.name).or_default();
                match change.direction() {
                    Ordering::Greater if grade == Ordering::Greater => count.gain += 1,
                    Ordering::Less if grade == Ordering::Less => count.lose += 1,
                    Ordering::Greater | Ordering::Less | Ordering::Equal => count.other += 1,
                }
            }
        }
        counts
    }

    /// The changes as JSON.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Document<'c> {
            version: u64,
            gain: usize,
            lose: usize,
            other: usize,
            same: usize,
            cases: BTreeMap<&'c str, CaseCount>,
            students: &'c [StudentChange],
        }
        let document = Document {
            version: VERSION,
            gain: self.count(Ordering::Greater),
            lose: self.count(Ordering::Less),
            other: self.count(Ordering::Equal),
            same: self.same,
            cases: self.by_case(),
            students: &self.students,
        };
        let value = serde_json::to_value(&document).expect("strings, numbers and lists are JSON");
        keur_core::report::formats::json::text(&value)
    }
}

impl StudentChange {
    /// The order of the grade after against the one before: `Greater` for a gain. No grade is less than any.
    pub fn direction(&self) -> Ordering {
        let points =
            |standing: &Option<StudentStanding>| standing.as_ref().and_then(|standing| standing.points);
        points(&self.after).cmp(&points(&self.before))
    }
}

impl CaseChange {
    /// The order of the case's points after against those before: `Greater` for a gain.
    pub fn direction(&self) -> Ordering {
        let points =
            |result: &Option<CaseResult>| result.as_ref().map_or(Points::ZERO, |result| result.points);
        points(&self.after).cmp(&points(&self.before))
    }
}

impl Submission {
    fn of(report: &SubmissionReport) -> Submission {
        let state = report.state();
        let hand_in = report.hand_in.as_deref();
        let by_hand = hand_in.and_then(|hand_in| hand_in.by_hand.as_ref()).map(|set| set.points);
        let late = hand_in.and_then(|hand_in| hand_in.late.as_ref()).map(|late| late.lost);
        let standing = StudentStanding {
            state: state.name(),
            points: report.grade(),
            max_points: report.max_points,
            late: late.unwrap_or_default(),
            by_hand,
        };
        let cases = report.cases.iter().map(|case| {
            let verdict = case.verdict.name().to_owned();
            (case.name.clone(), CaseResult { verdict, points: case.points, max_points: case.max_points })
        });
        Submission { standing, cases: cases.collect() }
    }
}

fn number<S: Serializer>(points: &Points, out: S) -> Result<S::Ok, S::Error> {
    maybe_number(&Some(*points), out)
}

fn maybe_number<S: Serializer>(points: &Option<Points>, out: S) -> Result<S::Ok, S::Error> {
    points.map(keur_core::report::formats::number).serialize(out)
}

#[cfg(test)]
mod tests;
