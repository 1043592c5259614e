//! `keur dodona`: a judge for Dodona, which reads its configuration as JSON from standard input.

use super::args::one_of;
use super::error::{CliError, CliResult};
use super::grade;
use super::judge::Job;
use super::output;
use super::sinks::{ReportRequest, ReportSettings};
use clap::Args;
use keur_core::case::LimitsPatch;
use keur_core::judge::BUDGET;
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_core::report::{self, Audience, Options};
use keur_core::submission::opened::LARGEST_FILE;
use keur_sandbox::{Limits, Tier};
use serde::Deserialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct DodonaArgs {
    /// The exercise; by default the key `exercise` of the evaluation, or the only exercise in its folder
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder; by default those in the folder of the evaluation, else the built-in
    /// ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// How strictly submissions are confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
}

/// Dodona's configuration; the exercise's `evaluation` keys stand beside its own. Other keys are ignored.
#[derive(Deserialize)]
struct Evaluation {
    /// The submitted file; its name has no meaning.
    source: PathBuf,
    programming_language: String,
    /// The folder `evaluation` of the exercise.
    resources: Option<PathBuf>,
    natural_language: Option<String>,
    /// Bytes.
    memory_limit: Option<u64>,
    /// Seconds, of the whole run.
    time_limit: Option<f64>,
    /// Of the exercise's `evaluation`: which of keur's exercises it is.
    exercise: Option<String>,
}

pub(super) fn run(args: &DodonaArgs) -> CliResult {
    let mut judged = false;
    let result = evaluation().and_then(|evaluation| judge(args, &evaluation, &mut judged));
    if let (false, Some(format)) = (judged, report::formats::find("dodona")) {
        // Without a judgement Dodona could not report whose fault it was.
        output::out(&format.write(&[], &Options { audience: Audience::Student, ..Options::default() }));
    }
    result
}

fn evaluation() -> Result<Evaluation, CliError> {
    serde_json::from_reader(io::stdin().lock()).map_err(|error| {
        CliError::Usage(format!(
            "standard input is not the configuration that Dodona sends to a judge: {error}"
        ))
    })
}

/// Judges, and notes whether a judgement was written.
fn judge(args: &DodonaArgs, evaluation: &Evaluation, judged: &mut bool) -> CliResult {
    // The user of keur did not name it: one that is not there is a failure of the judge.
    let source = read(&evaluation.source).map_err(|error| {
        CliError::fault(format!("{}: cannot be read: {error}", evaluation.source.display()))
    })?;
    let own = evaluation.resources.as_deref().filter(|folder| has_exercise(folder));
    let exercise = args.exercise.as_deref().or(evaluation.exercise.as_deref());
    let job = Job::new(args.cases.as_deref().or(own), exercise)?;
    let limits = limits(evaluation, &job.exercise().limits);
    let language = evaluation.programming_language.to_lowercase();
    let (_folder, mut request) = job.request(&source, &language, args.confine)?;
    request.settings.limits = limits;
    let reports = ReportSettings {
        format: ReportRequest::output("dodona").into_iter().collect(),
        lang: evaluation.natural_language.as_deref().and_then(Lang::from_name),
        exit_zero: true,
        ..ReportSettings::default()
    };
    grade::graded(request, &reports, &mut |_| *judged = true)
}

/// Whether a folder is an exercise, or contains some.
fn has_exercise(folder: &Path) -> bool {
    let below = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    below.chain([folder.to_owned()]).any(|folder| folder.join("exercise.toml").is_file())
}

/// The beginning of a file, up to one byte more than a submission may have.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The limits of a case, if the limits of the whole run are tighter than the exercise's.
fn limits(evaluation: &Evaluation, own: &LimitsPatch) -> LimitsPatch {
    let default = Limits::default();
    let time = evaluation.time_limit.and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
    LimitsPatch {
        cpu: time.filter(|time| *time < own.cpu.unwrap_or(default.cpu)),
        wall: time.filter(|time| *time < own.wall.unwrap_or(default.wall)),
        memory: evaluation.memory_limit.filter(|most| *most < own.memory.unwrap_or(default.memory)),
        output: None,
        budget: time.filter(|time| *time < own.budget.unwrap_or(BUDGET)),
    }
}
