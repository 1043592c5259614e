//! `keur dodona`: a judge of Dodona, which is told what to do as JSON on its standard input.

use super::grade::{self, Wanted};
use super::judge::{self, Job};
use super::sinks;
use super::{DodonaArgs, Exit, output};
use crate::case::LimitsPatch;
use crate::grade::BUDGET;
use crate::messages::Lang;
use crate::report::{self, Audience, Options, Order};
use crate::sandbox::Limits;
use crate::submission::LARGEST_FILE;
use serde::Deserialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What Dodona says; keys of the exercise's own `evaluation` stand beside its own. Others are of no use here.
#[derive(Deserialize)]
struct Evaluation {
    /// The file handed in; its name says nothing.
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

pub(super) fn run(args: &DodonaArgs) -> Exit {
    let (exit, judged) = match asked() {
        Ok(asked) => judge(args, &asked),
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            (Exit::Usage, false)
        }
    };
    if let (false, Some(format)) = (judged, report::find("dodona")) {
        // Without a judgement Dodona would not say whose fault it was.
        output::out(&format.write(&[], &Options { audience: Audience::Student, ..Options::default() }));
    }
    exit
}

fn asked() -> Result<Evaluation, String> {
    serde_json::from_reader(io::stdin().lock())
        .map_err(|error| format!("standard input is not what Dodona gives a judge: {error}"))
}

/// Judges, and says whether the judgement was written.
fn judge(args: &DodonaArgs, asked: &Evaluation) -> (Exit, bool) {
    let source = match read(&asked.source) {
        Ok(source) => source,
        Err(error) => {
            output::err(&format!("error: {}: cannot be read: {error}\n", asked.source.display()));
            return (Exit::Fault, false);
        }
    };
    let own = asked.resources.as_deref().filter(|folder| has_exercise(folder));
    let exercise = args.exercise.as_deref().or(asked.exercise.as_deref());
    let job = match Job::new(args.cases.as_deref().or(own), exercise) {
        Ok(job) => job,
        Err(exit) => return (exit, false),
    };
    let limits = limits(asked, &job.exercise().limits);
    let language = asked.programming_language.to_lowercase();
    let (_folder, mut request) = match job.request(&source, &language, args.confine) {
        Ok(request) => request,
        Err(exit) => return (exit, false),
    };
    request.settings.limits = limits;
    let formats: Vec<_> = sinks::Asked::output("dodona").into_iter().collect();
    let wanted = Wanted {
        formats: &formats,
        style: &judge::style(),
        lang: asked.natural_language.as_deref().and_then(Lang::from_code),
        audience: None,
        order: Order::default(),
        exit_zero: true,
    };
    let mut judged = false;
    let exit = grade::graded(request, &wanted, &mut |_| judged = true);
    (exit, judged)
}

/// Whether a folder is an exercise, or holds some.
fn has_exercise(folder: &Path) -> bool {
    let below = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    below.chain([folder.to_owned()]).any(|folder| folder.join("exercise.toml").is_file())
}

/// The beginning of a file, a byte more of it than a submission may have.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Limits of a case where those of the whole run are tighter than the exercise's own.
fn limits(asked: &Evaluation, own: &LimitsPatch) -> LimitsPatch {
    let default = Limits::default();
    let time = asked.time_limit.and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
    LimitsPatch {
        cpu: time.filter(|time| *time < own.cpu.unwrap_or(default.cpu)),
        wall: time.filter(|time| *time < own.wall.unwrap_or(default.wall)),
        memory: asked.memory_limit.filter(|most| *most < own.memory.unwrap_or(default.memory)),
        output: None,
        submission: time.filter(|time| *time < own.submission.unwrap_or(BUDGET)),
    }
}
