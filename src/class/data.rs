//! The rows of a class's database.

use keur_core::case::Points;
use std::collections::BTreeMap;

/// A student.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// The name, unique in the class.
    pub name: String,
    /// The last name, if the roster has it in a column of its own.
    pub last_name: Option<String>,
    /// The number on the learning platform or in the roster.
    pub number: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// When the submission is due, in seconds since 1970 (UTC).
    pub due: Option<i64>,
    /// Whether the roster names this student.
    pub on_roster: bool,
    /// The numbers and accounts that the roster gives, in small letters, as a JSON list.
    pub roster_ids: Option<String>,
}

impl Student {
    /// The numbers and accounts that the roster gives, in small letters.
    pub fn roster_ids(&self) -> Vec<String> {
        self.roster_ids.as_deref().and_then(|ids| serde_json::from_str(ids).ok()).unwrap_or_default()
    }
}

/// A submission that was taken in: one attempt of a student.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken {
    /// The student's name.
    pub student: String,
    /// The number of the attempt, from 1; the student's highest one counts.
    pub attempt: u32,
    /// The submission's folder in the folder of submissions.
    pub folder: String,
    /// The name of its file or folder in the download, for the way back.
    pub original: String,
    /// The learning platform that it was downloaded from, if one named it.
    pub platform: Option<String>,
    /// The student's number there, or the name of the account.
    pub platform_id: Option<String>,
    /// When it was handed in, in seconds since 1970 (UTC), if the download says so.
    pub handed_in: Option<i64>,
    /// Whether the learning platform marks it as late.
    pub marked_late: bool,
    /// The digest of its files and their names as they are graded, and of the file that is chosen.
    pub files: String,
    /// The digest of what was handed in, whatever an instructor changed in the folder since: see
    /// `received_digest`.
    pub received: String,
    /// The file that an instructor chose: its path in the submission.
    pub chosen: Option<String>,
    /// The exercise that it answers, if that is clear.
    pub exercise: Option<String>,
    /// The programming language, if the submission can be graded.
    pub language: Option<String>,
    /// Why it cannot be read, as JSON of a `FilesProblem` or a sentence.
    pub problem: Option<String>,
    /// The files that were not taken in, as JSON.
    pub skipped: Option<String>,
    /// The digest of what the three fields above were determined with: keur's build, and what the exercises
    /// ask for. A run that has others determines them again.
    pub read_with: String,
}

/// The inputs of a verdict. Submissions with the same files share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerdictKey {
    /// The digest of the submission's files and their names: see [`Taken::files`].
    pub files: String,
    /// The digest of what the case does and expects, of the exercise's contract and of its reference.
    pub case: String,
    /// The digest of the judge: see [`ClassJudge::key`].
    pub judge: String,
}

/// A verdict in the database.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptVerdict {
    pub key: VerdictKey,
    /// The name of the verdict.
    pub verdict: String,
    /// The share of the case's points, from 0 to 1.
    pub share: f64,
    /// Everything else, as data in JSON; `None` for a case that plainly passed in the strict form.
    pub outcome: Option<String>,
    /// How often it was graded, each time with another seed. A run that grades more often grades it again.
    pub gradings: u32,
    /// The run that graded it.
    pub attempt: String,
}

/// A case of a submission on which two gradings differ: it has no verdict until a run settles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The inputs of the verdicts.
    pub key: VerdictKey,
    /// The run that graded it first.
    pub one_attempt: String,
    pub one_verdict: String,
    /// The run that graded it otherwise.
    pub other_attempt: String,
    pub other_verdict: String,
    /// The run whose verdict counts since then; `None` if that is still to come.
    pub settled: Option<String>,
}

/// The keur and the interpreter that grade the submissions in a language: a class has one for each language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassJudge {
    /// The digest of all below.
    pub key: String,
    /// The programming language.
    pub language: String,
    /// keur's version and build, the engine and its version, packages, architecture, tier, limits and seed,
    /// by name.
    pub parts: BTreeMap<String, String>,
}

/// A case of an exercise as it is now, for those who query the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentCase {
    /// The exercise.
    pub exercise: String,
    /// The name of the case.
    pub name: String,
    /// The place of the case in the order of the exercise, from 1.
    pub place: usize,
    /// See [`VerdictKey::case`].
    pub key: String,
    /// The title in the language of the class.
    pub title: String,
    /// The points that it is worth.
    pub points: Points,
    /// Whether students do not see what it does.
    pub hidden: bool,
}

/// A run, or a part of one on another machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Unique in the class.
    pub id: String,
    /// The name of the machine.
    pub host: String,
    /// The part of the class that the run grades, such as `2/8`; `None` for all of it.
    pub shard: Option<String>,
    /// When it started, in seconds since 1970 (UTC).
    pub started: i64,
    /// When it ended.
    pub finished: Option<i64>,
}

/// Points that an instructor set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandSet {
    /// The student's name.
    pub student: String,
    /// The points.
    pub points: Points,
    /// The reason.
    pub why: String,
    /// When, in seconds since 1970 (UTC).
    pub at: i64,
}
