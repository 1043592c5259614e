//! `keur class run`.

use crate::class::{
    Access, ClassFolder, ClassLock, ClassRun, ClassSettings, GradedClass, Outpost, RunOptions, Shard,
    ShardOption, Store, TakenShards, end_waits_by, find_student, take_in,
};
use crate::cli::args::{CrateArgs, ProgramArgs, jobs, one_of};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::RunStatus;
use crate::cli::grade::{default_jobs, end_by_keyboard, progress, warn_if_portable};
use crate::cli::output::{self, plural};
use crate::run::GradeRequest;
use clap::Args;
use indicatif::ProgressBar;
use keur_core::event::{ExerciseError, RunError};
use keur_sandbox::Tier;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The most students that a message names.
const MOST_NAMED: usize = 3;

const CODES: &str = "Exit codes:
  0  everything is graded, whatever the points
  1  a case got a different verdict than before, a submission cannot be graded, or verdicts from
     another machine were refused: run the same command to try again
  2  usage error: no such class, a class with a link or a pipe in it, a shard that does not exist,
     --again for a student who handed in nothing, an unknown flag
  3  class.toml, a case or an exercise has an error
  4  interrupted, something other than keur killed a submission twice, or keur itself failed:
     another run holds the class, the interpreter is not that of the class, a full disk";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct RunArgs {
    /// The folder of the class
    class: PathBuf,
    /// Grade a part of the class, such as 2/8, and leave the rest to other machines; auto/8 takes the number
    /// of the task from Slurm, Kubernetes, GitLab or PBS. The verdicts are written to CLASS/shards; the next
    /// run or report adds them to the class
    #[arg(long, value_name = "I/N", conflicts_with = "new_judge")]
    shard: Option<String>,
    /// Number of submissions to grade at the same time; one per processor by default
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Number of times to grade, each with another seed for hashes and random numbers; a case must pass each
    /// time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Grade all submissions again with this machine's keur and interpreters, if these differ from those of
    /// the class
    #[arg(long)]
    new_judge: bool,
    /// Grade these students (by name, number or e-mail address) again, even if their verdicts are stored;
    /// students who handed in the same files get the same verdicts
    #[arg(long, value_name = "STUDENT", num_args = 1.., conflicts_with = "shard")]
    again: Vec<String>,
    /// How strictly submissions are confined: strict, standard or portable; that of class.toml by default,
    /// but never less than standard on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    crates: CrateArgs,
}

pub(super) fn run(args: &RunArgs) -> CliResult {
    let folder = ClassFolder::open(&args.class)?;
    let shard = args.shard.as_deref().map(|text| Shard::parse(text, &|name| std::env::var(name).ok()));
    // A class that is none gets no lock either, and no complaint about its settings.
    // A shard opens a copy alone.
    if shard.is_none() || !folder.has_database()? {
        drop(Store::open(&folder, Access::Read)?);
    }
    let settings = ClassSettings::read(&folder)?;
    let tier = settings.tier(args.confine)?;
    let mut request = request(args, &folder, &settings)?;
    request.tier = tier;
    warn_if_portable(request.tier);
    end_by_keyboard(request.cancel.clone());
    end_waits_by(request.cancel.clone());
    let mut options = RunOptions { lang: settings.lang, new_judge: args.new_judge, ..RunOptions::default() };
    if !args.again.is_empty() {
        options.again = again(&Store::open(&folder, Access::Read)?, args)?;
    }
    match shard.transpose().map_err(CliError::Usage)? {
        None => whole(args, &folder, request, &options),
        Some(shard) => part(args, &folder, request, (shard, &options)),
    }
}

/// The names of the students to grade again.
fn again(store: &Store, args: &RunArgs) -> Result<Vec<String>, CliError> {
    let refuse = |why: String| CliError::Usage(format!("{}: {why}", args.class.display()));
    let students = store.students()?;
    let handed_in: BTreeSet<String> = store.latest()?.into_iter().map(|taken| taken.student).collect();
    let mut found = Vec::new();
    for wanted in &args.again {
        let student = find_student(&students, wanted).map_err(|error| refuse(error.to_string()))?;
        found.push(student.name.clone());
    }
    let without: Vec<&str> =
        found.iter().map(String::as_str).filter(|student| !handed_in.contains(*student)).collect();
    if !without.is_empty() {
        return Err(refuse(format!(
            "{} handed in nothing, so there is nothing to grade again: name only students who handed in something",
            named(without.into_iter())
        )));
    }
    Ok(found)
}

/// Grades the whole class, after taking in what other machines graded.
fn whole(args: &RunArgs, folder: &ClassFolder, request: GradeRequest, options: &RunOptions<'_>) -> CliResult {
    let _lock = ClassLock::take(folder)?;
    let store = Store::open(folder, Access::Write)?;
    let exit = taken_in(&take_in(folder, &store)?);
    let run = ClassRun::prepare(folder, store, request, options)?;
    Ok(watched(run, args, &mut || {})?.max(exit))
}

/// Grades a part of the class on a copy of its database, and publishes what it graded.
fn part(
    args: &RunArgs,
    folder: &ClassFolder,
    request: GradeRequest,
    (shard, options): (Shard, &RunOptions<'_>),
) -> CliResult {
    let mut outpost = Outpost::open(folder)?;
    let has = |files: &str| shard.has(files);
    let options = RunOptions {
        lang: options.lang,
        new_judge: options.new_judge,
        shard: Some(ShardOption { name: shard.to_string(), has: &has }),
        again: Vec::new(),
    };
    let here = outpost.folder().clone();
    let prepared = ClassRun::prepare(&here, Store::open(&here, Access::Write)?, request, &options);
    let run = prepared.map_err(|error| outpost.explained(error))?;
    let attempt = run.attempt().to_owned();
    let nothing = run.plan().tasks.is_empty();
    let done = watched(run, args, &mut || outpost.publish_if_due(&attempt));
    // What was graded before a failure is worth as much.
    if !nothing {
        outpost.publish(&attempt)?;
    }
    done
}

/// Says what was taken in of other machines, and returns the exit code.
fn taken_in(taken: &TakenShards) -> RunStatus {
    if taken.databases > 0 {
        let (shards, cases) = (counted(taken.databases, "shard"), counted(taken.new, "case"));
        output::out(&format!("took in {cases} of {shards} from other machines\n"));
    }
    if taken.conflicts > 0 {
        let cases = counted(taken.conflicts, "case");
        output::out(&format!("two machines found different verdicts for {cases}, which are graded again\n"));
    }
    for error in &taken.refused {
        output::err(&format!("warning: not taken in: {error}\n"));
    }
    if taken.refused.is_empty() { RunStatus::Passed } else { RunStatus::Failed }
}

/// Grades, shows how far it is, and says what became of it.
fn watched(run: ClassRun, args: &RunArgs, stored: &mut (dyn FnMut() + Send)) -> CliResult {
    let (submissions, tasks) = (run.plan().submissions, run.plan().tasks.len());
    output::out(&planned(&run));
    let mut exit = changes(&run, args);
    for (language, students) in &run.plan().ungraded {
        let why = format!(
            "the exercise does not ask for {language}, and nothing here grades it: `keur doctor` says what is missing"
        );
        exit = exit.max(not_graded(students.iter().map(String::as_str), &why, CliError::Failed).show());
    }
    let bar = if tasks > 0 { progress(tasks.max(2)) } else { ProgressBar::hidden() };
    let done = run.grade(&mut || bar.inc(1), stored);
    bar.finish_and_clear();
    Ok(finished(&done?, submissions).max(exit))
}

/// Says whose submissions are not as they were stored, and returns the exit code.
fn changes(run: &ClassRun, args: &RunArgs) -> RunStatus {
    let named = |students: &[String]| named(students.iter().map(String::as_str));
    if !run.damaged().is_empty() {
        let students = named(run.damaged());
        output::err(&format!(
            "class.db is damaged: verdicts of {students} were lost; those that count are graded again\n"
        ));
    }
    let class = args.class.display();
    let mut exit = RunStatus::Passed;
    if !run.lost().is_empty() {
        let students = named(run.lost());
        let error = CliError::fault(format!(
            "the folders of {students} in {class}/submissions are gone, empty or unreadable; what is stored of them stays; \
             put them back, or give the download to `keur class init {class}` again"
        ));
        exit = error.show();
    }
    if run.changed().is_empty() {
        return exit;
    }
    let students = named(run.changed());
    let changed = format!("the files of {students} in {class} were changed since they were taken in");
    if args.shard.is_some() {
        let error = CliError::Failed(format!(
            "not graded: {changed}; `keur class run {class}` without --shard grades them"
        ));
        return exit.max(error.show());
    }
    output::out(&format!("{changed}: what is there now is graded\n"));
    exit
}

/// The request for grading the class on this machine.
fn request(args: &RunArgs, folder: &ClassFolder, settings: &ClassSettings) -> Result<GradeRequest, CliError> {
    let mut request = settings.request(folder);
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    request.repeat = args.repeat;
    args.programs.apply(&mut request.interpreters, &mut request.build);
    args.crates.apply(&mut request.build)?;
    Ok(request)
}

/// The plan of the run, in a sentence or two.
fn planned(run: &ClassRun) -> String {
    let plan = run.plan();
    let mut text = counted(plan.submissions, "submission");
    if plan.same > 0 {
        text.push_str(&format!(", {} the same as another", plan.same));
    }
    text.push_str(&match (plan.missing, plan.known) {
        (0, _) if plan.submissions == 0 => " can be graded\n".to_owned(),
        (0, _) => ": all graded\n".to_owned(),
        (missing, 0) => format!(": {} to grade\n", counted(missing, "case")),
        (missing, known) => {
            format!(
                ": {} to grade, {known} {} known\n",
                counted(missing, "case"),
                if known == 1 { "is" } else { "are" }
            )
        }
    });
    if plan.unreadable > 0 {
        let are = if plan.unreadable == 1 { "submission cannot" } else { "submissions cannot" };
        text.push_str(&format!("{} {are} be read; the report says why\n", plan.unreadable));
    }
    text
}

/// Says what became of a run of so many submissions, and returns the exit code.
fn finished(done: &GradedClass, submissions: usize) -> RunStatus {
    let mut exit = RunStatus::Passed;
    if done.submissions > 0 {
        let (cases, graded) = (counted(done.cases, "case"), counted(done.submissions, "submission"));
        let not_run = match done.not_run {
            0 => String::new(),
            1 => "; 1 is not run: it needs a case that failed, or comes after a limit".to_owned(),
            many => format!("; {many} are not run: they need a case that failed, or come after a limit"),
        };
        output::out(&format!("graded {cases} of {graded}{not_run}\n"));
    }
    for (error, students) in gathered(&done.failed) {
        if let RunError::Exercise(ExerciseError::Files { errors, .. }) = error {
            CliError::Library(Arc::clone(errors)).show();
        }
        exit = exit.max(ungraded(error, &students).show());
    }
    if done.conflicts > 0 {
        let cases = counted(done.conflicts, "case");
        output::err(&format!(
            "{cases} got another verdict than before and count as missing: the same command grades them again, several times\n"
        ));
        exit = exit.max(RunStatus::Failed);
    }
    if done.left > 0 {
        let (left, submissions) = (done.left, counted(submissions, "submission"));
        output::err(&format!(
            "interrupted: {left} of {submissions} not yet graded; what is graded is stored, and the same command goes on\n"
        ));
        exit = RunStatus::Fault;
    }
    exit
}

/// The errors of a run, each once, with the students who have it.
fn gathered(failed: &[(Vec<String>, RunError)]) -> Vec<(&RunError, Vec<&str>)> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut all: Vec<(&RunError, Vec<&str>)> = Vec::new();
    for (students, error) in failed {
        let place = *places.entry(error.to_string()).or_insert(all.len());
        if place == all.len() {
            all.push((error, Vec::new()));
        }
        if let Some((_, named)) = all.get_mut(place) {
            named.extend(students.iter().map(String::as_str));
        }
    }
    all
}

/// Why these students' submissions were not graded.
#[warn(clippy::wildcard_enum_match_arm)]
fn ungraded(error: &RunError, students: &[&str]) -> CliError {
    let students = students.iter().copied();
    match error {
        RunError::Exercise(ExerciseError::Files { .. }) => {
            not_graded(students, "the cases have errors, which are shown above", CliError::BadCase)
        }
        RunError::Exercise(_) => not_graded(students, &error.to_string(), CliError::BadCase),
        // The user named no path: the folder is the class's own.
        RunError::Fault(_) | RunError::Selection(_) | RunError::Usage(_) | RunError::NoSuchPath(_) => {
            not_graded(students, &error.to_string(), CliError::fault)
        }
        RunError::UnclearExercise(_) => {
            not_graded(students, "the exercise cannot be determined", CliError::Usage)
        }
        RunError::Nothing(_) | RunError::NotHandedIn | RunError::NotGraded { .. } => {
            not_graded(students, "there is nothing to grade", CliError::Failed)
        }
    }
}

/// The submissions of these students are not graded.
fn not_graded<'a>(
    students: impl ExactSizeIterator<Item = &'a str>,
    why: &str,
    error: fn(String) -> CliError,
) -> CliError {
    error(super::one_line(&format!("not graded: {}: {why}", named(students))))
}

/// Some of the students, for a message.
fn named<'a>(students: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = students.len().saturating_sub(MOST_NAMED);
    let named: Vec<String> = students.take(MOST_NAMED).map(super::one_line).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {}", plural(count, word))
}

#[cfg(test)]
mod tests {
    use super::ungraded;
    use crate::cli::exit::RunStatus;
    use keur_core::event::RunError;

    #[test]
    fn a_submission_that_is_gone_is_named_with_the_reason() {
        let error = ungraded(&RunError::NoSuchPath("class/submissions/ada".to_owned()), &["Ada"]);
        let text = "not graded: Ada: class/submissions/ada: there is no such file or folder";
        assert_eq!((error.to_string().as_str(), error.status()), (text, RunStatus::Fault));
    }
}
