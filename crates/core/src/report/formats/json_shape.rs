//! The shape of keur's JSON: these types write the report, and a test makes its schema from them.

use crate::case::{CasePlace, Points, StepNo};
use crate::compare::Verdict;
use crate::event::{self, CaseReport, ExceptionReport, RunError, SubmissionReport};
use crate::named::Named;
use crate::report::words::Words;
use crate::report::{Options, notation};
use crate::value::notation::Notation;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

#[cfg(test)]
use schemars::JsonSchema;
#[cfg(test)]
use tests::{audience, version};

/// The version of the report's format: it rises when a field is removed or changes its meaning.
pub(super) const VERSION: u64 = 1;

/// The beginning of a report.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Head<'r> {
    /// The version of this shape
    #[cfg_attr(test, schemars(schema_with = "version"))]
    pub(super) version: u64,
    /// The version of keur
    pub(super) keur: &'r str,
    /// The audience
    #[cfg_attr(test, schemars(schema_with = "audience"))]
    pub(super) audience: &'r str,
    /// The title of the class, only where its settings have one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "&str"))]
    pub(super) title: Option<&'r str>,
}

/// A submission.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct Submission<'r> {
    /// Name of the submission, distinct in the run
    name: &'r str,
    /// Path of the submission as it was given; in a class, its path in the folder of the class
    path: &'r str,
    /// The exercise; null when it could not be determined
    exercise: Option<&'r str>,
    /// The programming language; null when nothing was run
    language: Option<&'r str>,
    /// The engine and its version; null when nothing was run
    runtime: Option<String>,
    /// The tier that it ran in; null when nothing was run
    confinement: Option<&'r str>,
    /// The first seed of hashes and random numbers; null when nothing was run
    seed: Option<u32>,
    /// The grade
    points: Number,
    /// The highest possible grade
    max_points: Number,
    /// Whether every case that is worth points passed
    passed: bool,
    /// One each, in the order in which they were run, hidden ones last
    cases: Vec<Case<'r>>,
    /// Warnings, which cost no points
    warnings: Vec<Warning<'r>>,
    /// Why it was not graded, only where it was not
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Error"))]
    error: Option<Error>,
    /// Facts of a class about the submission, only in a class
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "HandIn<'_>"))]
    hand_in: Option<HandIn<'r>>,
}

/// The facts of a class about a submission.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct HandIn<'r> {
    /// The student's name
    student: &'r str,
    /// The student's number; null when it is not known
    id: Option<&'r str>,
    /// The student's e-mail address; null when it is not known
    email: Option<&'r str>,
    /// Which of the student's attempts it is, from 1; 0 when nothing was handed in
    attempt: u32,
    /// The points of the cases, before a penalty and before what was set by hand
    earned: Number,
    /// The penalty, only where it was handed in late
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Late"))]
    late: Option<Late>,
    /// The points that an instructor set, only where one did
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "ByHand<'_>"))]
    by_hand: Option<ByHand<'r>>,
    /// Other submissions with the same files; empty in a student's report
    same: &'r [String],
}

/// A penalty for handing in late.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Late {
    /// The seconds after the due date; null if only the learning platform's mark says that it was late
    seconds: Option<u64>,
    /// The points that it costs
    lost: Number,
}

/// Points that an instructor set.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct ByHand<'r> {
    /// The points, which are the grade
    points: Number,
    /// The reason
    why: &'r str,
}

/// A case of a submission.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Case<'r> {
    /// Name of the case, unique in the exercise
    name: &'r str,
    /// Title of the case in the language of the report
    title: &'r str,
    /// The heading under which reports gather it, only where it has one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    group: Option<&'r str>,
    /// Tags of the case
    tags: &'r [String],
    /// Whether a student sees only that it failed, and the hint
    hidden: bool,
    /// Shown when it fails
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    hint: Option<&'r str>,
    /// How it came out
    verdict: VerdictName,
    /// The case that failed and that this one needs, only where that kept it from being run
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    blocked_by: Option<&'r str>,
    /// Points earned, before any scaling of the grade; a part of them where the steps of a failed case earn shares
    points: Number,
    /// Points that it is worth
    max_points: Number,
    /// Every time that it was graded, only where the verdicts differ
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unstable: Vec<Trial>,
    /// Later steps that failed or were not run
    consequences: Vec<Consequence>,
    /// The first step that failed, only where one did
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Finding<'_>"))]
    finding: Option<Finding<'r>>,
}

/// The first step that failed.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Finding<'r> {
    /// From 1; 0 when the submission could not be loaded
    step: usize,
    /// The verdict on the step
    verdict: VerdictName,
    /// A sentence for the student
    message: String,
    /// The session up to the failing line, in the submission's language
    session: Vec<&'r str>,
    /// Expected value or text, where there is a text of it
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    expected: Option<&'r str>,
    /// Value or text that was found instead
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    got: Option<&'r str>,
    /// Output that the failing line also printed
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    printed: Option<&'r str>,
    /// Standard error of the case up to the failing line
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    errors: Option<&'r str>,
    /// The exception that was raised
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Exception<'_>"))]
    exception: Option<Exception<'r>>,
    /// The file of the case
    case_file: &'r str,
    /// The line of the step in it
    case_line: usize,
}

/// An exception that was raised.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Exception<'r> {
    /// Type and message of the exception
    text: &'r str,
    /// The lines of the submission in its trace, outermost first
    places: Vec<TraceLine<'r>>,
}

/// A line of a trace.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct TraceLine<'r> {
    /// The file
    file: &'r str,
    /// The cell of a notebook, from 1, in which the line counts
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
    /// From 1
    line: usize,
    /// The function, where it is known
    function: &'r str,
    /// The text of the line
    source: &'r str,
}

/// One of the times that a case was graded.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Trial {
    /// The seed
    seed: u32,
    /// Verdict of this grading
    verdict: VerdictName,
}

/// A later step that failed or was not run.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Consequence {
    /// From 1
    step: usize,
    /// Verdict on this step
    verdict: VerdictName,
}

/// A warning.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Warning<'r> {
    /// Sentence for the reader
    message: String,
    /// The exception that was raised while the submission was loaded
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Exception<'_>"))]
    exception: Option<Exception<'r>>,
}

/// Why a submission was not graded.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Error {
    /// Nothing handed in, nothing to grade, not graded yet, a usage error, or a fault of keur or of the exercise
    kind: ErrorKind,
    /// Why it was not graded
    message: String,
    /// The grade before a case was changed, only where a class knows it
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Number"))]
    earlier: Option<Number>,
}

/// Nothing handed in, nothing to grade, not graded yet, a usage error, or a fault of keur or of the exercise.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
enum ErrorKind {
    Absent,
    Nothing,
    Ungraded,
    Usage,
    Fault,
}

/// A verdict, by its name.
struct VerdictName(Verdict);

impl Serialize for VerdictName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

/// Points: an integer if they are whole.
struct Number(Points);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(self.0).serialize(serializer)
    }
}

impl<'r> Submission<'r> {
    /// The part of a report about one submission.
    pub(super) fn of(report: &'r SubmissionReport, options: &Options) -> Submission<'r> {
        let lang = options.lang(report);
        let (words, notation) = (Words::new(lang), notation(report));
        let case = |case: &'r CaseReport| Case {
            name: &case.name,
            title: case.title.get(lang),
            group: case.group.as_ref().map(|group| group.get(lang)),
            tags: &case.tags,
            hidden: case.hidden,
            hint: case.hint.as_ref().map(|hint| hint.get(lang)),
            verdict: VerdictName(case.verdict),
            blocked_by: case.blocked_by.as_ref().map(|needed| needed.name.as_str()),
            points: Number(case.points),
            max_points: Number(case.max_points),
            unstable: case
                .trials
                .iter()
                .map(|trial| Trial { seed: trial.seed, verdict: VerdictName(trial.verdict) })
                .collect(),
            consequences: case
                .consequences
                .iter()
                .map(|later| Consequence { step: later.step.get(), verdict: VerdictName(later.verdict) })
                .collect(),
            finding: case.finding.as_deref().map(|finding| Finding::of(finding, &words, notation)),
        };
        let runtime = report.runtime.as_ref();
        Submission {
            name: &report.name,
            path: &report.path,
            exercise: report.exercise.as_ref().map(|exercise| exercise.name.as_str()),
            language: runtime.map(|runtime| runtime.language.as_ref()),
            runtime: runtime.map(event::Runtime::name),
            confinement: runtime.map(|runtime| runtime.tier.name()),
            seed: runtime.map(|runtime| runtime.seed),
            points: Number(report.points),
            max_points: Number(report.max_points),
            passed: report.passed(),
            cases: report.cases.iter().map(case).collect(),
            warnings: report.warnings.iter().map(|warning| Warning::of(warning, &words)).collect(),
            error: report.error.as_ref().map(|error| Error::of(error, &words)),
            hand_in: report.hand_in.as_deref().map(HandIn::of),
        }
    }
}

impl<'r> HandIn<'r> {
    fn of(hand_in: &'r event::HandIn) -> HandIn<'r> {
        let late =
            |late: &event::Late| Late { seconds: late.by.map(|by| by.as_secs()), lost: Number(late.lost) };
        let by_hand =
            |by_hand: &'r event::ByHand| ByHand { points: Number(by_hand.points), why: &by_hand.why };
        HandIn {
            student: &hand_in.student,
            id: hand_in.id.as_deref(),
            email: hand_in.email.as_deref(),
            attempt: hand_in.attempt,
            earned: Number(hand_in.earned),
            late: hand_in.late.as_ref().map(late),
            by_hand: hand_in.by_hand.as_ref().map(by_hand),
            same: &hand_in.same,
        }
    }
}

impl<'r> Finding<'r> {
    fn of(finding: &'r event::Finding, words: &Words, notation: &'static dyn Notation) -> Finding<'r> {
        let CasePlace { path: case_file, line: case_line } = &finding.place;
        Finding {
            step: finding.step.map_or(0, StepNo::get),
            verdict: VerdictName(finding.verdict),
            message: words.mistake(finding, notation),
            session: finding.session.iter().map(|line| line.text.as_str()).collect(),
            expected: finding.expected.as_deref(),
            got: finding.got.as_deref(),
            printed: finding.printed.as_deref(),
            errors: finding.errors.as_deref(),
            exception: finding.exception.as_ref().map(Exception::of),
            case_file,
            case_line: *case_line,
        }
    }
}

impl<'r> Exception<'r> {
    fn of(raised: &'r ExceptionReport) -> Exception<'r> {
        let line = |place: &'r event::Place| TraceLine {
            file: &place.file,
            cell: place.cell,
            line: place.line,
            function: &place.function,
            source: &place.source,
        };
        Exception { text: &raised.text, places: raised.places.iter().map(line).collect() }
    }
}

impl<'r> Warning<'r> {
    fn of(warning: &'r event::Warning, words: &Words) -> Warning<'r> {
        let message = words.warning(warning);
        match warning {
            event::Warning::RaisedWhileLoading { raised, .. } => Warning {
                message: format!("{message}: {}", raised.text),
                exception: Some(Exception::of(raised)),
            },
            _ => Warning { message, exception: None },
        }
    }
}

impl Error {
    fn of(error: &RunError, words: &Words) -> Error {
        let kind = match error {
            RunError::NotHandedIn => ErrorKind::Absent,
            RunError::NotGraded { .. } => ErrorKind::Ungraded,
            RunError::Nothing(_) => ErrorKind::Nothing,
            RunError::NoSuchPath(_)
            | RunError::UnclearExercise(_)
            | RunError::Selection(_)
            | RunError::Usage(_) => ErrorKind::Usage,
            RunError::Fault(_) | RunError::Exercise(_) => ErrorKind::Fault,
        };
        let earlier = match error {
            RunError::NotGraded { earlier, .. } => earlier.map(|earlier| Number(earlier.points)),
            _ => None,
        };
        Error { kind, message: words.error(error), earlier }
    }
}

/// Points as a number: an integer if they are whole.
pub fn number(points: Points) -> Value {
    if points.hundredths().is_multiple_of(100) {
        json!(points.hundredths() / 100)
    } else {
        json!(points.to_f64())
    }
}

/// The JSON Schema of a report, which `schema/report.schema.json` has.
#[cfg(test)]
mod tests {
    use super::{Head, Number, Submission, VERSION, VerdictName};
    use crate::compare::Verdict;
    use crate::named::Named;
    use crate::report::Audience;
    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;
    use std::fs;
    use std::path::Path;

    /// The JSON Schema of a report.
    fn schema() -> Schema {
        let mut schema =
            SchemaSettings::draft07().for_serialize().into_generator().into_root_schema_for::<Document<'_>>();
        schema.insert("title".to_owned(), format!("A report of keur, version {VERSION}").into());
        schema
    }

    /// A report of keur.
    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "a report is written piece by piece; this says what the whole is")]
    struct Document<'r> {
        #[schemars(flatten)]
        head: Head<'r>,
        /// One each, in the order in which they were given
        submissions: Vec<Submission<'r>>,
    }

    impl JsonSchema for VerdictName {
        fn schema_name() -> Cow<'static, str> {
            "Verdict".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "enum": Verdict::NAMES })
        }
    }

    impl JsonSchema for Number {
        fn schema_name() -> Cow<'static, str> {
            "Points".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "number", "minimum": 0 })
        }
    }

    pub(super) fn version(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": VERSION })
    }

    pub(super) fn audience(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": Audience::NAMES })
    }

    #[test]
    fn the_schema_of_a_report_is_committed() {
        let made = super::super::json::text(schema().as_value());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/report.schema.json");
        if std::env::var_os("KEUR_BLESS").is_some() {
            assert!(std::env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
            fs::write(&path, &made).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), made, "write it again with KEUR_BLESS=1");
    }
}
