//! `keur fill`.

use super::args::MachineArgs;
use super::error::{CliError, CliResult, show_file};
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::author::ask::{StepAnswer, ask};
use crate::author::fill::{FilledText, Which, fill};
use crate::run::build::Builder;
use crate::run::{GradeRequest, OwnReference, SEED, Submissions};
use crate::writing;
use clap::Args;
use keur_core::adapter::{Adapter, Dialect, Launcher, NoGuide};
use keur_core::case::{
    Case, Exercise, ExerciseReference, Library, LibraryError, LimitsPatch, Plan, cases_to_ask, read_text,
};
use keur_core::judge::{limits, reference_adapter, replay_reference};
use keur_core::languages;
use keur_core::sessions::Answers;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct FillArgs {
    /// Case files, or folders of an exercise for all its cases
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also replace expected answers that the reference no longer gives
    #[arg(long)]
    all: bool,
    /// Write the answers into the files, instead of showing them
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    machine: MachineArgs,
}

pub(super) fn run(args: &FillArgs) -> CliResult {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(CliError::Usage(
            "`keur fill` does not run in CI, where the variable CI is set: what a case expects is for a person to \
             approve. Run it on your own machine, read the diff, and commit it"
                .to_owned(),
        ));
    }
    let mut status = RunStatus::Passed;
    let (mut steps, mut changed) = (0, 0);
    // The files of an exercise have one reference: what is wrong about it is shown once.
    let mut shown = BTreeSet::new();
    for path in &files(&args.files)? {
        let (before, filled) = match filled(args, path) {
            Ok(filled) => filled,
            Err(error) => {
                let is_new = matches!(error, CliError::Library(_)) || shown.insert(error.to_string());
                status = status.max(if is_new { error.show() } else { error.status() });
                continue;
            }
        };
        if let Some(problems) = &filled.problems {
            show_file(problems);
            status = status.max(RunStatus::Failed);
        }
        if filled.changed == 0 {
            continue;
        }
        steps += filled.changed;
        changed += 1;
        if !args.write {
            output::out(&diff(path, &before, &filled.text, output::colour(io::stdout())));
            status = status.max(RunStatus::Failed);
        } else if let Err(error) = writing::write(path, &filled.text) {
            status = status.max(CliError::write(path)(error).show());
        }
    }
    let (step, file) = (plural(steps, "step"), plural(changed, "file"));
    match (changed, args.write) {
        (0, _) if status == RunStatus::Passed => output::err("nothing to fill\n"),
        (0, _) => {}
        (_, true) => output::err(&format!(
            "{steps} {step} in {changed} {file} filled: read what is new, then `keur check`\n"
        )),
        (_, false) => output::err(&format!(
            "{steps} {step} in {changed} {file} to fill; `--write` writes the answers\n"
        )),
    }
    Ok(status)
}

/// The case files that the arguments name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let message = "`keur fill` fills in files, not standard input; name a case file, or the folder of an exercise";
            return Err(CliError::Usage(message.to_owned()));
        }
        let unread = |error: io::Error| CliError::Usage(format!("cannot read {}: {error}", path.display()));
        if !fs::metadata(path).map_err(unread)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut cases = Vec::new();
        for entry in fs::read_dir(path).map_err(unread)? {
            let entry = entry.map_err(unread)?.path();
            let is_exercise = entry.file_name().is_some_and(|name| name == "exercise.toml");
            if entry.is_file() && entry.extension().is_some_and(|ending| ending == "toml") && !is_exercise {
                cases.push(entry);
            }
        }
        if cases.is_empty() {
            let help = "name a case file, or the folder of an exercise";
            return Err(CliError::Usage(format!("no case in {}: {help}", path.display())));
        }
        cases.sort();
        files.append(&mut cases);
    }
    Ok(files)
}

/// The text of a file, and the same with answers.
fn filled(args: &FillArgs, path: &Path) -> Result<(String, FilledText), CliError> {
    let exercise = Library::load_file(path)?.exercise;
    let shown = path.display().to_string();
    let before = read_text(path).map_err(|source| LibraryError::unread(&shown, source))?;
    // A mark at the start and the line ends of Windows are put back.
    let (mark, text) =
        before.strip_prefix('\u{feff}').map_or(("", before.as_str()), |text| ("\u{feff}", text));
    let windows = text.contains("\r\n");
    let text = if windows { text.replace("\r\n", "\n") } else { text.to_owned() };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let cases = cases_to_ask(&exercise, &name, &shown, &text)?;
    let answers = answers(args, &exercise, &cases)?;
    let which = if args.all { Which::Changed } else { Which::Empty };
    let asked: Vec<(Case, Vec<StepAnswer>)> = cases.into_iter().zip(answers).collect();
    let filled = fill(&exercise, &asked, which)?;
    let text = if windows { filled.text.replace('\n', "\r\n") } else { filled.text };
    Ok((before.clone(), FilledText { text: format!("{mark}{text}"), ..filled }))
}

/// The answers of the reference to each step of each case.
fn answers(args: &FillArgs, exercise: &Exercise, cases: &[Case]) -> Result<Vec<Vec<StepAnswer>>, CliError> {
    match &exercise.reference {
        None => Err(nothing_answers(exercise, "has no reference")),
        Some(ExerciseReference::BuiltIn(_)) => {
            let mut adapter = reference_adapter(exercise)?;
            let language = languages::find(exercise.session.language())
                .ok_or_else(|| nothing_answers(exercise, "has no session"))?;
            let dialect = Dialect::of(language);
            let answers = Answers { exercise, dialect: &dialect, bundle: None };
            let each = cases.iter().map(|case| {
                let limits = limits(&LimitsPatch::default(), case, exercise);
                let mut replay = |plan: &Plan| adapter.replay(plan, &limits, &mut NoGuide);
                Ok(ask(&answers, case, &mut replay)?)
            });
            each.collect()
        }
        Some(ExerciseReference::Own(_)) => own_answers(args, exercise, cases),
    }
}

fn nothing_answers(exercise: &Exercise, why: &str) -> CliError {
    CliError::BadCase(format!("the exercise {} {why}, so nothing answers its steps", exercise.name))
}

/// The answers of the exercise's own reference, in a process of its own for each replay.
fn own_answers(
    args: &FillArgs,
    exercise: &Exercise,
    cases: &[Case],
) -> Result<Vec<Vec<StepAnswer>>, CliError> {
    let mut request =
        GradeRequest::new(Submissions { strangers: args.files.clone(), ..Submissions::default() });
    args.machine.apply(&mut request)?;
    request.check_tier()?;
    // Code of a programming language runs in that language alone.
    let suits = |language: &'static languages::Language| cases.iter().all(|case| case.is_for(language.name));
    let builder = Builder::new(request.build.clone(), request.tier, request.cancel.clone());
    let launcher = Launcher::new(request.tier, SEED).cancelled_by(request.cancel.clone());
    let own = OwnReference::open(&builder, launcher, exercise, &suits)?;
    let mut own = own.ok_or_else(|| {
        nothing_answers(exercise, "has no reference in the language of the code in its steps")
    })?;
    let path = own.path.clone();
    let language = own.language;
    let mut process = own.process(exercise, &request.interpreters)?;
    let dialect = Dialect::of(language);
    let answers = Answers { exercise, dialect: &dialect, bundle: Some(process.bundle()) };
    let each = cases.iter().map(|case| {
        let limits = limits(&LimitsPatch::default(), case, exercise);
        let mut replay = |plan: &Plan| replay_reference(&mut process, exercise, plan, &limits, &path);
        Ok(ask(&answers, case, &mut replay)?)
    });
    each.collect()
}

/// The changes in a file, as a unified diff.
fn diff(path: &Path, before: &str, after: &str, colour: bool) -> String {
    let diff = TextDiff::from_lines(before, after);
    let paint =
        |text: &str, code: &str| if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() };
    let shown = path.display();
    let mut out = paint(&format!("--- {shown}"), "1") + "\n" + &paint(&format!("+++ {shown}"), "1") + "\n";
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        out += &paint(hunk.header().to_string().trim_end(), "36");
        out.push('\n');
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\r', '\n']);
            out += &match change.tag() {
                ChangeTag::Delete => paint(&format!("-{line}"), "31"),
                ChangeTag::Insert => paint(&format!("+{line}"), "32"),
                ChangeTag::Equal => format!(" {line}"),
            };
            out.push('\n');
        }
    }
    out
}
