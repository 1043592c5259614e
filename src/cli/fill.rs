//! `keur fill`.

use super::args::{CrateArgs, ProgramArgs, StyleArgs, tier};
use super::exit::{RunStatus, library_error};
use super::output::{self, plural};
use super::underlined;
use crate::author::ask::{StepAnswer, ask};
use crate::author::fill::{FilledText, Which, fill};
use crate::run::build::Builder;
use crate::run::{GradeRequest, OwnReference};
use crate::writing;
use clap::Args;
use keur_core::adapter::{Adapter, NoGuide, Transcript};
use keur_core::case::{
    Case, Exercise, ExerciseReference, FileErrors, Library, LibraryError, LimitsPatch, Plan, cases_to_ask,
    read_text,
};
use keur_core::grade::{GradeError, dialect_of, limits, must_load, reference_adapter};
use keur_core::languages;
use keur_core::sessions::Answers;
use keur_sandbox::{Tier, Tools};
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
    /// Also replace what the reference does not answer any more
    #[arg(long)]
    all: bool,
    /// Write the answers into the files, instead of showing them
    #[arg(long)]
    write: bool,
    /// How strictly an exercise's own reference is confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = tier())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// Why a file is not filled.
enum NotFilled {
    /// The exercise or its cases cannot be read.
    Library(LibraryError),
    /// The reference cannot be asked.
    Reference(GradeError),
    /// Anything else: a message.
    Other(String, RunStatus),
}

impl From<GradeError> for NotFilled {
    fn from(error: GradeError) -> NotFilled {
        NotFilled::Reference(error)
    }
}

impl From<FileErrors> for NotFilled {
    fn from(errors: FileErrors) -> NotFilled {
        NotFilled::Library(LibraryError::Bad(vec![errors]))
    }
}

pub(super) fn run(args: &FillArgs) -> RunStatus {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        output::err(
            "error: `keur fill` does not run in CI, where the variable CI is set: what a case expects is for a person to \
             approve. Run it on your own machine, read the diff, and commit it\n",
        );
        return RunStatus::Usage;
    }
    let paths = match files(&args.files) {
        Ok(paths) => paths,
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            return RunStatus::Usage;
        }
    };
    let mut exit = RunStatus::Passed;
    let (mut steps, mut changed) = (0, 0);
    // The files of an exercise have one reference: what is wrong about it is said once.
    let mut said = BTreeSet::new();
    for path in &paths {
        let filled = match filled(args, path) {
            Ok(filled) => filled,
            Err(NotFilled::Library(error)) => {
                exit = exit.max(library_error(&error, &args.style));
                continue;
            }
            Err(NotFilled::Reference(error)) => {
                if said.insert(error.to_string()) {
                    output::err(&format!("error: {error}\n"));
                }
                exit = exit.max(match error {
                    GradeError::Fault(_) | GradeError::Killed(_) => RunStatus::Fault,
                    GradeError::Exercise(_) => RunStatus::BadCase,
                });
                continue;
            }
            Err(NotFilled::Other(message, status)) => {
                if said.insert(message.clone()) {
                    output::err(&format!("error: {message}\n"));
                }
                exit = exit.max(status);
                continue;
            }
        };
        let (before, filled) = filled;
        if let Some(problems) = &filled.problems {
            output::err(&underlined(problems, output::colour(args.style.color, io::stderr())));
            exit = exit.max(RunStatus::Failed);
        }
        if filled.changed == 0 {
            continue;
        }
        steps += filled.changed;
        changed += 1;
        if !args.write {
            output::out(&diff(path, &before, &filled.text, output::colour(args.style.color, io::stdout())));
            exit = exit.max(RunStatus::Failed);
        } else if let Err(error) = writing::write(path, &filled.text) {
            output::err(&format!("error: {} cannot be written: {error}\n", path.display()));
            exit = exit.max(RunStatus::Fault);
        }
    }
    let (step, file) = (plural(steps, "step"), plural(changed, "file"));
    match (changed, args.write) {
        (0, _) if exit == RunStatus::Passed => output::err("nothing to fill\n"),
        (0, _) => {}
        (_, true) => output::err(&format!(
            "{steps} {step} in {changed} {file} filled: read what is new, then `keur check`\n"
        )),
        (_, false) => output::err(&format!(
            "{steps} {step} in {changed} {file} to fill; `--write` writes the answers\n"
        )),
    }
    exit
}

/// The case files that the arguments name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        let unreadable = |error: io::Error| format!("cannot read {}: {error}", path.display());
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).map_err(unreadable)?;
        let entries: Result<Vec<PathBuf>, String> =
            entries.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect();
        let is_case = |path: &PathBuf| {
            let is_exercise = path.file_name().is_some_and(|name| name == "exercise.toml");
            path.is_file() && path.extension().is_some_and(|ending| ending == "toml") && !is_exercise
        };
        let mut cases: Vec<PathBuf> = entries?.into_iter().filter(is_case).collect();
        if cases.is_empty() {
            return Err(format!(
                "no case in {}: name a case file, or the folder of an exercise",
                path.display()
            ));
        }
        cases.sort();
        files.append(&mut cases);
    }
    Ok(files)
}

/// The text of a file, and the same with answers.
fn filled(args: &FillArgs, path: &Path) -> Result<(String, FilledText), NotFilled> {
    let exercise = Library::load_file(path).map_err(NotFilled::Library)?.exercise;
    let shown = path.display().to_string();
    let unreadable = |source| NotFilled::Library(LibraryError::Unreadable { path: shown.clone(), source });
    let before = read_text(path).map_err(unreadable)?;
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

/// What the reference answers to each step of each case.
fn answers(args: &FillArgs, exercise: &Exercise, cases: &[Case]) -> Result<Vec<Vec<StepAnswer>>, NotFilled> {
    let none = |why: &str| {
        let message = format!("the exercise {} {why}, so nothing answers its steps", exercise.name);
        NotFilled::Other(message, RunStatus::BadCase)
    };
    match &exercise.reference {
        None => Err(none("has no reference")),
        Some(ExerciseReference::BuiltIn(_)) => {
            let mut adapter = reference_adapter(exercise).map_err(GradeError::Fault)?;
            let language =
                languages::find(exercise.session.language()).ok_or_else(|| none("has no session"))?;
            let dialect = dialect_of(language);
            let answers = Answers { exercise, dialect: &dialect, bundle: None };
            let each = cases.iter().map(|case| {
                let limits = limits(&LimitsPatch::default(), case, exercise);
                let mut replay = |plan: &Plan| adapter.replay(plan, &limits, &mut NoGuide);
                ask(&answers, case, &mut replay)
                    .map_err(|fault| NotFilled::Reference(GradeError::Fault(fault)))
            });
            each.collect()
        }
        Some(ExerciseReference::Own(_)) => own_answers(args, exercise, cases, &none),
    }
}

/// What the exercise's own reference answers, in a process of its own for each replay.
fn own_answers(
    args: &FillArgs,
    exercise: &Exercise,
    cases: &[Case],
    none: &dyn Fn(&str) -> NotFilled,
) -> Result<Vec<Vec<StepAnswer>>, NotFilled> {
    let mut request = GradeRequest::new(Vec::new(), Tools::on_path(&args.files));
    request.tier = args.confine.unwrap_or_default();
    for (engine, program) in &args.programs.0 {
        request.interpreters.name(engine, program.clone());
    }
    args.crates.apply(&mut request.build).map_err(|message| NotFilled::Other(message, RunStatus::Usage))?;
    keur_sandbox::available(request.tier).map_err(|lack| {
        let message = format!(
            "the tier `{}` of confinement is not available here: {lack}; run `keur doctor`, or try --confine portable",
            request.tier.name()
        );
        NotFilled::Other(message, RunStatus::Fault)
    })?;
    // Code of a programming language runs in that language alone.
    let suits = |language: &'static languages::Language| cases.iter().all(|case| case.is_for(language.name));
    let builder = Builder::new(request.build.clone(), request.tier);
    let own = OwnReference::open(&builder, (request.tier, &request.cancel), exercise, &suits)?;
    let mut own = own.ok_or_else(|| none("has no reference in the language of the code in its steps"))?;
    let path = own.path.clone();
    let language = own.language;
    let (mut process, found) = own.process(exercise, &request.interpreters)?;
    let dialect = dialect_of(language);
    let answers = Answers { exercise, dialect: &dialect, bundle: Some(&found.bundle) };
    let each = cases.iter().map(|case| {
        let limits = limits(&LimitsPatch::default(), case, exercise);
        let mut replay = |plan: &Plan| -> Result<Transcript, GradeError> {
            let transcript = process.replay_unhindered(plan, &limits)?;
            must_load(exercise, plan, &transcript.load, process.dialect(), &path)?;
            Ok(transcript)
        };
        ask(&answers, case, &mut replay).map_err(NotFilled::from)
    });
    each.collect()
}

/// What changes in a file, as a unified diff.
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
