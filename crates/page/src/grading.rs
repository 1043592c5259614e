//! Requests of the page, and the answers to them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use keur_core::adapter::Launcher;
use keur_core::case::{Library, Loaded};
use keur_core::event::{RunError, SubmissionReport};
use keur_core::grade::{CountedCases, FinishedCase, Grader, Worker, counted_cases, info};
use keur_core::judge::{KnownCases, Settings};
use keur_core::languages::Interpreters;
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_core::report::formats::{self, html};
use keur_core::report::{Audience, Options};
use keur_core::submission::opened::open_files;
use keur_core::submission::{FilesProblem, Submission};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
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

/// The answer to a request in JSON: the report of the submission, for its student, as JSON and as HTML; that the
/// submission is in a language that runs `elsewhere`; or the error that kept it from being graded, as a sentence.
/// `tell` hears of each case as soon as it is graded.
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
    let settings = Settings::default();
    let opened = open_files(&name, files).map(|opened| opened.submission(&loaded.exercise));
    let opened = opened.and_then(|submission| match submission.nothing() {
        Some(problem) => Err(problem.clone()),
        None => Ok(submission),
    });
    let report = match opened {
        Ok(submission) if is_elsewhere(&submission, interpreters) => return Ok(json!({ "elsewhere": true })),
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
    written(report, &options)
}

/// Whether a submission is in a language that this page does not run: the answer is then that it runs elsewhere.
fn is_elsewhere(submission: &Submission, interpreters: &Interpreters) -> bool {
    let Ok(found) = &submission.found else { return false };
    found.language().is_none_or(|language| interpreters.find(language).is_err())
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
fn written(report: SubmissionReport, options: &Options) -> Result<Value, String> {
    let report = Arc::new(report);
    let json = formats::find("json").ok_or("there is no format json")?;
    let text = json.write(std::slice::from_ref(&report), options);
    let mut document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let report_json = document["submissions"][0].take();
    Ok(json!({ "report": report_json, "html": html::cards(&report, options) }))
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
