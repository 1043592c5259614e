//! The earlier report: reads what `--format json` wrote.

use super::{CaseResult, StudentStanding, Submission, VERSION};
use keur_core::case::Points;
use keur_core::event::SubmissionState;
use keur_core::named::Named;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::io::Read;

/// An earlier report of a class, as `--format json` wrote it: its submissions by name.
#[derive(Debug)]
pub struct EarlierReport(pub(super) BTreeMap<String, Submission>);

/// Why a file cannot be read as an earlier report. The texts follow the name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EarlierReportError {
    /// The file is not a report in JSON.
    #[error("is not a report in JSON: {0}; give one that `keur class report` wrote in the format json")]
    Json(#[from] serde_json::Error),
    /// The report is of a version that this keur does not read.
    #[error("is a report of version {0}, and this keur reads version {VERSION}")]
    Version(u64),
    /// Two submissions have this name.
    #[error("has two submissions called `{0}`; give one that `keur class report` wrote in the format json")]
    Repeated(String),
}

/// The parts of a report that a comparison needs.
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
    kind: EarlierProblemKind,
}

/// The kinds of errors that are states of their own; a submission with another error is ungraded.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EarlierProblemKind {
    Absent,
    Nothing,
    #[serde(other)]
    Other,
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
    /// The text is no report, is of another version, or has two submissions of one name.
    pub fn read(text: impl Read) -> Result<EarlierReport, EarlierReportError> {
        let document: EarlierDocument = serde_json::from_reader(text)?;
        if document.version != VERSION {
            return Err(EarlierReportError::Version(document.version));
        }
        let mut submissions = BTreeMap::new();
        for submission in document.submissions {
            let name = submission.name.clone();
            if submissions.insert(name.clone(), Submission::from(submission)).is_some() {
                return Err(EarlierReportError::Repeated(name));
            }
        }
        Ok(EarlierReport(submissions))
    }
}

impl From<EarlierSubmission> for Submission {
    fn from(earlier: EarlierSubmission) -> Submission {
        let state = match earlier.error.map(|error| error.kind) {
            None => SubmissionState::Graded,
            Some(EarlierProblemKind::Absent) => SubmissionState::Absent,
            Some(EarlierProblemKind::Nothing) => SubmissionState::Unreadable,
            Some(EarlierProblemKind::Other) => SubmissionState::Ungraded,
        };
        let EarlierHandIn { late, by_hand } = earlier.hand_in.unwrap_or_default();
        let by_hand = by_hand.map(|set| set.points);
        let standing = StudentStanding {
            state: state.name(),
            points: (state == SubmissionState::Graded || by_hand.is_some()).then_some(earlier.points),
            max_points: earlier.max_points,
            late: late.map(|late| late.lost).unwrap_or_default(),
            by_hand,
        };
        let cases = earlier.cases.into_iter().map(|case| {
            let EarlierCase { name, verdict, points, max_points } = case;
            (name, CaseResult { verdict, points, max_points })
        });
        Submission { standing, cases: cases.collect() }
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
