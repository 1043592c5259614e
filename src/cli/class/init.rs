//! `keur class init`.

use super::one_line;
use crate::class::{ClassExercise, ClassFolder, ClassSettings, IntakeRequest, IntakeSummary, NamedBy, admit};
use crate::cli::args::{CrateArgs, EngineArgs, LimitArgs, ProgramArgs, one_of};
use crate::cli::error::CliResult;
use crate::cli::exit::RunStatus;
use crate::cli::grade::progress;
use crate::cli::output::{self, plural};
use clap::Args;
use indicatif::ProgressBar;
use keur_core::case::LimitsPatch;
use keur_core::messages::Lang;
use keur_sandbox::Tier;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The most students or files that a line names.
const MOST_NAMED: usize = 8;

/// The most characters of a name that a line shows.
const MOST_CHARS: usize = 200;

const CODES: &str = "Exit codes:
  0  the class is created or updated
  1  the class is created or updated, but a submission in the download may belong to several
     students, or is there twice: it is not imported
  2  usage error: a download or a roster that does not exist or is of the wrong kind, names that
     need --platform, submissions for several exercises, or a class with a link or a pipe in it
  3  class.toml, a case or an exercise has an error
  4  keur itself failed: no interpreter, a full disk, or another run holds the class";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct InitArgs {
    /// The folder of the class; created if it does not exist
    class: PathBuf,
    /// Folders or zips of submissions, as a learning platform exports them: Moodle, Canvas, Blackboard,
    /// Brightspace
    #[arg(long, value_name = "DOWNLOAD", num_args = 1..)]
    each: Vec<PathBuf>,
    /// The platform that named the files and folders of the downloads: moodle, canvas, blackboard or
    /// brightspace; none if each name is that of a student. Determined from all names together by default
    #[arg(long, value_name = "NAME", value_parser = named_by, requires = "each")]
    platform: Option<NamedBy>,
    /// A CSV table of the students; it may have names, numbers, e-mail addresses and due dates
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Use the exercises of this folder instead of the built-in ones; the class gets a copy of them
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The exercise of all submissions, or `any` if they may be for different exercises. By default it is
    /// determined from the submissions, which must all be for the same exercise
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// The title of the class on its page and in reports
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The language of reports: nl, da or en; that of the exercise by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
    /// Also count the cases that depend on a ruling: an answer to a question that the assignment leaves open
    #[arg(long)]
    rulings: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// How strictly submissions are confined: strict, standard or portable; standard by default on Linux. A
    /// weaker tier than the default must be given to each `keur class run` too
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &InitArgs) -> CliResult {
    let folder = ClassFolder::open(&args.class)?;
    let bar = RefCell::new(ProgressBar::hidden());
    let request = IntakeRequest {
        folder: &folder,
        downloads: &args.each,
        named_by: args.platform,
        roster: args.roster.as_deref(),
        cases: args.cases.as_deref(),
        settings: settings(args),
        programs: &|request| {
            args.programs.apply(&mut request.interpreters, &mut request.build);
            args.crates.apply(&mut request.build).map_err(|error| error.to_string())
        },
        progress: &|done, all| {
            if done == 0 {
                *bar.borrow_mut() = progress(all.max(2));
            }
            bar.borrow().set_position(done as u64);
        },
    };
    let done = admit(&request);
    bar.borrow().finish_and_clear();
    let summary = done?;
    output::out(&summarised(&args.class, &summary));
    for warning in &summary.warnings {
        output::err(&format!("warning: {}\n", one_line(warning)));
    }
    Ok(conflicts(&summary))
}

fn named_by(name: &str) -> Result<NamedBy, String> {
    NamedBy::from_name(name)
        .ok_or_else(|| "expected moodle, canvas, blackboard, brightspace or none".to_owned())
}

/// Names what is not taken in, and returns the exit code.
fn conflicts(summary: &IntakeSummary) -> RunStatus {
    if summary.conflicts.is_empty() {
        return RunStatus::Passed;
    }
    for conflict in &summary.conflicts {
        output::err(&format!("not taken in: {}: {}\n", named(&conflict.entries), one_line(&conflict.why)));
        if !conflict.students.is_empty() {
            output::err(&format!("  not graded until this is settled: {}\n", named(&conflict.students)));
        }
        if !conflict.earlier.is_empty() {
            output::err(&format!("  an earlier submission still counts: {}\n", named(&conflict.earlier)));
        }
    }
    output::err(
        "leave one entry for each student and attempt in the download, or give a roster with the numbers of the platform; then \
         give the download again\n",
    );
    RunStatus::Failed
}

/// The settings that are asked for; `None` if none is.
fn settings(args: &InitArgs) -> Option<ClassSettings> {
    let settings = ClassSettings {
        title: args.title.clone(),
        lang: args.lang,
        exercise: args.exercise.as_deref().map(ClassExercise::from_name),
        rulings: args.rulings,
        engine: args.engine.engine().map(|engine| engine.name),
        confine: args.confine,
        limits: args.limits.patch(),
        late: None,
    };
    let LimitsPatch { cpu, wall, memory, output, budget } = &settings.limits;
    let limits = [cpu, wall, budget].iter().any(|time| time.is_some()) || memory.or(*output).is_some();
    let asked =
        limits || settings != ClassSettings { limits: settings.limits.clone(), ..ClassSettings::default() };
    asked.then_some(settings)
}

/// A summary of the import, in a few lines.
fn summarised(class: &Path, summary: &IntakeSummary) -> String {
    let counted = |count: usize, word: &str| format!("{count} {}", plural(count, word));
    let mut text = format!("{}: {}", class.display(), counted(summary.students, "student"));
    if let Some(exercise) = &summary.exercise {
        text.push_str(&format!(", exercise {exercise}"));
    }
    let mut parts = Vec::new();
    if summary.new > 0 {
        parts.push(counted(summary.new, "new submission"));
    }
    if summary.again > 0 {
        parts.push(format!("{} handed in again", summary.again));
    }
    if summary.earlier > 0 {
        parts.push(format!("{} handed in before the one that counts", summary.earlier));
    }
    if summary.known > 0 {
        parts.push(format!("{} known already", counted(summary.known, "submission")));
    }
    if !parts.is_empty() {
        text.push_str(&format!("\n  {}", parts.join(", ")));
    }
    text.push('\n');
    let mut line = |names: &[String], about: &str| {
        if !names.is_empty() {
            text.push_str(&format!("  {} {about}: {}\n", names.len(), named(names)));
        }
    };
    line(
        &summary.given_last,
        "handed in before, and what was given last counts, as the platform does not say which is the later one",
    );
    line(
        &summary.not_later,
        "without a later time on the roster than that of the submission that counts, which stays",
    );
    line(
        &summary.choice_dropped,
        "lost the file that was chosen, since the new submission has no such file or needs no choice",
    );
    line(&summary.unreadable, "cannot be read, and the report says why");
    line(
        &summary.unclear,
        "of these cannot be read since several files may be meant: `keur class set file CLASS STUDENT FILE` chooses one",
    );
    line(&summary.skipped, "handed in files that are skipped, and the report names them");
    line(&summary.nothing, "handed in nothing");
    line(&summary.not_on_roster, "not on the roster");
    line(&summary.nobodys, "skipped, because no student's");
    let path = class.display().to_string();
    text + &format!("next: keur class run {}\n", shlex::try_quote(&path).unwrap_or_default())
}

/// A name on one line, up to a limit.
fn shown(name: &str) -> String {
    let start: String = name.chars().take(MOST_CHARS).collect();
    let more = if start.len() < name.len() { "…" } else { "" };
    match one_line(&start).as_str() {
        "" => "(an entry without a name)".to_owned(),
        line => format!("{line}{more}"),
    }
}

fn named(names: &[String]) -> String {
    // A name may have a comma in it.
    let separator = if names.iter().any(|name| name.contains(',')) { "; " } else { ", " };
    let mut named = names.iter().take(MOST_NAMED).map(|name| shown(name)).collect::<Vec<_>>().join(separator);
    if names.len() > MOST_NAMED {
        named.push_str(&format!(" and {} more", names.len() - MOST_NAMED));
    }
    named
}
