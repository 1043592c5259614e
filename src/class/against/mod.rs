//! The changes since an earlier report: whose grade rises and whose falls, and by which case.

mod text;

use keur_core::case::Points;
use keur_core::event::{SubmissionReport, SubmissionState};
use keur_core::named::Named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The version of the reports that are read, and of what is written.
const VERSION: u64 = 1;

/// A report of an earlier moment, as `--format json` wrote it: the submissions by name.
#[derive(Debug)]
pub struct EarlierReport(BTreeMap<String, Submission>);

/// A file that is not a report: what, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotAReport(pub String);

/// The differences between the grades of two states of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GradeChanges {
    /// The students of whom something changed, by name.
    pub students: Vec<StudentChange>,
    /// How many have exactly what they had.
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
    /// The cases that came out otherwise, or that are worth something else, in alphabetical order.
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

/// A case that came out otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseChange {
    pub name: String,
    /// How it came out; `None` if it was not there.
    pub before: Option<CaseStand>,
    /// How it comes out; `None` if it is gone.
    pub after: Option<CaseStand>,
}

/// The students for whom a case came out otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CaseCount {
    /// How many gain points, by this case among others.
    pub gain: usize,
    /// How many lose points, by this case among others.
    pub lose: usize,
    /// How many do not gain or lose by it: the points of the case or the grade are what they were, or others
    /// weigh more.
    pub other: usize,
}

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseStand {
    /// The name of its verdict.
    pub verdict: String,
    /// The points earned.
    #[serde(serialize_with = "number")]
    pub points: Points,
    /// The points that it is worth.
    #[serde(serialize_with = "number")]
    pub max_points: Points,
}

/// A submission in a report.
#[derive(Debug)]
struct Submission {
    standing: StudentStanding,
    cases: BTreeMap<String, CaseStand>,
}

/// The parts of a report that are read.
#[derive(Deserialize)]
struct EarlierDocument {
    version: u64,
    submissions: Vec<EarlierSubmission>,
}

#[derive(Deserialize)]
struct EarlierSubmission {
    name: String,
    #[serde(deserialize_with = "points")]
    points: Points,
    #[serde(deserialize_with = "points")]
    max_points: Points,
    cases: Vec<EarlierCase>,
    error: Option<EarlierProblem>,
    hand_in: Option<EarlierHandIn>,
}

#[derive(Deserialize)]
struct EarlierCase {
    name: String,
    verdict: String,
    #[serde(deserialize_with = "points")]
    points: Points,
    #[serde(deserialize_with = "points")]
    max_points: Points,
}

#[derive(Deserialize)]
struct EarlierProblem {
    kind: String,
}

#[derive(Default, Deserialize)]
struct EarlierHandIn {
    late: Option<EarlierPenalty>,
    by_hand: Option<EarlierHandSet>,
}

#[derive(Deserialize)]
struct EarlierPenalty {
    #[serde(deserialize_with = "points")]
    lost: Points,
}

#[derive(Deserialize)]
struct EarlierHandSet {
    #[serde(deserialize_with = "points")]
    points: Points,
}

impl EarlierReport {
    /// Reads a report in JSON.
    ///
    /// # Errors
    /// It is not one, or of another version.
    pub fn read(text: impl Read) -> Result<EarlierReport, NotAReport> {
        let help = "give one that `keur class report --format json=PATH` wrote";
        let document: EarlierDocument = serde_json::from_reader(text)
            .map_err(|error| NotAReport(format!("is not a report in JSON: {error}; {help}")))?;
        if document.version != VERSION {
            let version = document.version;
            return Err(NotAReport(format!(
                "is a report of version {version}, and this keur reads version {VERSION}"
            )));
        }
        let submissions = document.submissions.into_iter();
        Ok(EarlierReport(
            submissions.map(|submission| (submission.name.clone(), submission.seen())).collect(),
        ))
    }
}

impl EarlierSubmission {
    fn seen(self) -> Submission {
        let state = match self.error.as_ref().map(|error| error.kind.as_str()) {
            None => SubmissionState::Graded,
            Some("absent") => SubmissionState::Absent,
            Some("nothing") => SubmissionState::Unreadable,
            Some(_) => SubmissionState::Ungraded,
        };
        let EarlierHandIn { late, by_hand } = self.hand_in.unwrap_or_default();
        let by_hand = by_hand.map(|set| set.points);
        let standing = StudentStanding {
            state: state.name(),
            points: (state == SubmissionState::Graded || by_hand.is_some()).then_some(self.points),
            max_points: self.max_points,
            late: late.map(|late| late.lost).unwrap_or_default(),
            by_hand,
        };
        let stand = |case: EarlierCase| {
            let EarlierCase { name, verdict, points, max_points } = case;
            (name, CaseStand { verdict, points, max_points })
        };
        Submission { standing, cases: self.cases.into_iter().map(stand).collect() }
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
            (case.name.clone(), CaseStand { verdict, points: case.points, max_points: case.max_points })
        });
        Submission { standing, cases: cases.collect() }
    }
}

/// Compares the submissions of a class with an earlier report, one at a time.
pub struct Comparing {
    earlier: EarlierReport,
    comparison: GradeChanges,
}

impl Comparing {
    /// Compares with an earlier report.
    pub fn with(earlier: EarlierReport) -> Comparing {
        Comparing { earlier, comparison: GradeChanges::default() }
    }

    /// Compares a submission.
    pub fn add(&mut self, report: &SubmissionReport) {
        let before = self.earlier.0.remove(&report.name);
        let after = Submission::of(report);
        self.note(&report.name, before, Some(after));
    }

    /// The differences found, once all submissions are compared.
    pub fn end(mut self) -> GradeChanges {
        for (name, before) in std::mem::take(&mut self.earlier.0) {
            self.note(&name, Some(before), None);
        }
        self.comparison.students.sort_by(|one, other| one.name.cmp(&other.name));
        self.comparison
    }

    fn note(&mut self, name: &str, before: Option<Submission>, after: Option<Submission>) {
        let (before, cases_before) = before.map(|seen| (seen.standing, seen.cases)).unzip();
        let (after, cases_after) = after.map(|seen| (seen.standing, seen.cases)).unzip();
        let both = before.is_some() && after.is_some();
        let cases = changes(cases_before.unwrap_or_default(), cases_after.unwrap_or_default());
        if before == after && cases.is_empty() {
            self.comparison.same += 1;
            return;
        }
        // All cases of one who is new or gone would say nothing.
        let cases = if both { cases } else { Vec::new() };
        self.comparison.students.push(StudentChange { name: name.to_owned(), before, after, cases });
    }
}

/// The cases that differ.
fn changes(
    mut before: BTreeMap<String, CaseStand>,
    mut after: BTreeMap<String, CaseStand>,
) -> Vec<CaseChange> {
    let names: BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
    let changes = names.into_iter().map(|name| {
        let (before, after) = (before.remove(&name), after.remove(&name));
        CaseChange { name, before, after }
    });
    changes.filter(|change| change.before != change.after).collect()
}

impl StudentChange {
    /// Whether the student gains points or loses some. A student without a grade has none, and gains by
    /// getting one.
    pub fn direction(&self) -> Ordering {
        let points =
            |standing: &Option<StudentStanding>| standing.as_ref().and_then(|standing| standing.points);
        points(&self.after).cmp(&points(&self.before))
    }
}

impl CaseChange {
    /// Whether the case gives more than before, or less.
    pub fn direction(&self) -> Ordering {
        let points = |stand: &Option<CaseStand>| stand.as_ref().map_or(Points::ZERO, |stand| stand.points);
        points(&self.after).cmp(&points(&self.before))
    }
}

impl GradeChanges {
    /// How many students gain points, or lose some, or neither.
    pub fn count(&self, direction: Ordering) -> usize {
        self.students.iter().filter(|change| change.direction() == direction).count()
    }

    /// For each case that came out otherwise, how many students gain by it, and how many lose.
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

    /// The comparison as JSON.
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
        // A tree of strings, numbers and lists can always be written.
        serde_json::to_value(&document)
            .map(|value| keur_core::report::formats::json::text(&value))
            .unwrap_or_default()
    }
}

/// Points of a report, which are hundredths at most.
fn points<'de, D: Deserializer<'de>>(number: D) -> Result<Points, D::Error> {
    let number = f64::deserialize(number)?;
    let hundredths = (number * 100.0).round();
    if (0.0..=1e12).contains(&hundredths) {
        Ok(Points::from_hundredths(hundredths as u64))
    } else {
        Err(serde::de::Error::custom(format!("{number} is not a number of points")))
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
