//! Requests of the page, and the answers to them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use keur_core::adapter::Launcher;
use keur_core::case::{
    Case, Exercise, ExerciseReference, Expect, Library, Loaded, Matcher, Returns, TextMatcher,
};
use keur_core::event::{RunError, SubmissionReport};
use keur_core::grade::{CountedCases, FinishedCase, Grader, Worker, counted_cases, info};
use keur_core::judge::{KnownCases, Selection, Settings, has_reference_values};
use keur_core::languages::Interpreters;
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_core::report::formats::{self, html};
use keur_core::report::{Audience, Options};
use keur_core::submission::FilesProblem;
use keur_core::submission::opened::open_files;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The name of a submission of several files.
const SEVERAL: &str = "submission";

/// A request to grade files.
#[derive(Deserialize)]
struct GradeRequest {
    exercise: GivenExercise,
    files: Vec<GivenFile>,
    lang: Option<String>,
}

/// An exercise: its name, and the texts of its files by their names.
#[derive(Deserialize)]
struct GivenExercise {
    name: String,
    files: BTreeMap<String, String>,
}

/// A file of a submission, in base64.
#[derive(Deserialize)]
struct GivenFile {
    name: String,
    data: String,
}

/// The answer to a request in JSON: the report of the submission, for its student, as JSON and as HTML, and the names of
/// the cases that a page cannot grade; or the error that kept it from being graded, as a sentence. `tell` hears of each case as soon as it is graded.
pub fn graded(
    request: &[u8],
    launcher: Launcher,
    interpreters: &Interpreters,
    tell: &dyn Fn(&Value),
) -> Value {
    answer(request, launcher, interpreters, tell).unwrap_or_else(|error| json!({ "error": error }))
}

fn answer(
    request: &[u8],
    launcher: Launcher,
    interpreters: &Interpreters,
    tell: &dyn Fn(&Value),
) -> Result<Value, String> {
    let request: GradeRequest =
        serde_json::from_slice(request).map_err(|error| format!("this is no request to grade: {error}"))?;
    let texts: Vec<(String, String)> = request.exercise.files.into_iter().collect();
    let loaded = Library::load_texts(&request.exercise.name, &texts).map_err(|error| error.to_string())?;
    let name = name_of(&request.files);
    let files = request.files.into_iter().map(GivenFile::decode).collect::<Result<_, _>>()?;
    let options = Options {
        lang: request.lang.as_deref().and_then(Lang::from_name),
        audience: Audience::Student,
        ..Options::default()
    };
    let (graded, left_out): (Vec<&Case>, Vec<&Case>) =
        loaded.cases.iter().partition(|case| can_be_graded(&loaded.exercise, case));
    let names =
        |cases: Vec<&Case>| cases.into_iter().map(|case| case.name.clone()).collect::<BTreeSet<String>>();
    let (graded, left_out) = (names(graded), names(left_out));
    let settings = Settings { selection: Selection::Named(graded), ..Settings::default() };
    if counted_cases(&loaded, &settings).is_empty() {
        return Err("a page can grade no case of this exercise: run `keur grade` instead".to_owned());
    }
    let opened = open_files(&name, files).map(|opened| opened.submission(&loaded.exercise));
    let opened = opened.and_then(|submission| match submission.nothing() {
        Some(problem) => Err(problem.clone()),
        None => Ok(submission),
    });
    let report = match opened {
        Ok(submission) => {
            let total = counted_cases(&loaded, &settings).len();
            let watch = |FinishedCase { index, report, .. }: FinishedCase| {
                let (case, verdict) = (&report.name, report.verdict.name());
                tell(&json!({ "case": case, "verdict": verdict, "done": index + 1, "total": total }));
            };
            let grader = Grader::new(&loaded, &settings, interpreters).watched(&watch);
            let graded = grader.grade(&mut Worker::new(launcher), &name, &submission);
            graded.map_err(|error| error.to_string())?
        }
        Err(problem) => ungraded(&loaded, &name, &settings, problem),
    };
    written(report, &left_out, &options)
}

/// Whether a page can grade a case: it has no folder for files, and nothing of the exercise's own programs.
fn can_be_graded(exercise: &Exercise, case: &Case) -> bool {
    let has_own_reference = matches!(exercise.reference, Some(ExerciseReference::Own(_)));
    let asks = has_reference_values(case) || case.random.is_some();
    let is_checked = |expect: &Expect| {
        let texts = [&expect.shows, &expect.prints];
        matches!(&expect.value, Some(Returns { matcher: Matcher::Check(_), .. }))
            || texts.iter().any(|text| matches!(text, Some(TextMatcher::Check(_))))
    };
    case.plan.files.is_none() && !(has_own_reference && asks) && !case.expect.iter().any(is_checked)
}

/// The report of a submission in which there is nothing to grade.
fn ungraded(loaded: &Loaded, name: &str, settings: &Settings, problem: FilesProblem) -> SubmissionReport {
    let max_points = CountedCases::new(loaded, settings).report(&KnownCases::new()).max_points;
    SubmissionReport {
        exercise: Some(info(loaded)),
        max_points,
        error: Some(RunError::Nothing(problem)),
        ..SubmissionReport::new(name, name)
    }
}

/// The answer with this report, as far as its student may see it.
fn written(
    report: SubmissionReport,
    left_out: &BTreeSet<String>,
    options: &Options,
) -> Result<Value, String> {
    let report = Arc::new(report);
    let json = formats::find("json").ok_or("there is no format json")?;
    let text = json.write(std::slice::from_ref(&report), options);
    let mut document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let report_json = document["submissions"][0].take();
    Ok(json!({ "report": report_json, "html": html::cards(&report, options), "left_out": left_out }))
}

/// The name of a submission of these files.
fn name_of(files: &[GivenFile]) -> String {
    match files {
        [only] => only.name.clone(),
        _ => SEVERAL.to_owned(),
    }
}

impl GivenFile {
    /// The path of the file, and its bytes.
    fn decode(self) -> Result<(PathBuf, Vec<u8>), String> {
        let GivenFile { name, data } = self;
        let bytes =
            STANDARD.decode(data).map_err(|error| format!("the file {name} is no base64: {error}"))?;
        Ok((PathBuf::from(name), bytes))
    }
}
