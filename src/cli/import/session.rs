//! `keur import SESSION`: a case from a pasted session.

use super::arguments::ImportArgs;
use crate::author::import::{
    CaseLabels, SeenDifference, SessionCase, ShellSettings, Unreadable, differences, exercises_meant,
    exercises_run, has_runs, import_runs, import_session, without_session,
};
use crate::author::schemas::SchemaFolder;
use crate::cli::error::{CliError, CliResult, show_file};
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use crate::cli::schema;
use crate::run::{GradeRequest, Run};
use crate::writing::{self, TargetFolder};
use keur_core::case::{
    Case, Exercise, ExerciseReference, FileErrors, Library, LibraryError, Loaded, path_in, tame, text_of,
};
use keur_core::event::Event;
use keur_core::judge::reference_path;
use keur_core::languages;
use keur_core::messages::shortened;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest text that is read, in bytes: far more than an assignment has.
const LARGEST: u64 = 1 << 20;

/// The longest answer in a warning, in characters.
const LONGEST: usize = 60;

/// The title if no file has a name.
const TITLE: &str = "A session";

pub(super) fn import(args: &ImportArgs) -> CliResult {
    let from = args.session.as_deref().filter(|path| *path != Path::new("-"));
    let target = target(args, from)?;
    let source = source(from)?;
    let shown = from.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let refuse = |errors: &FileErrors| {
        show_file(errors);
        output::err("nothing is written\n");
        Ok(RunStatus::BadCase)
    };
    let runs = has_runs(&source);
    if let Some(errors) = without_session(&shown, &source).filter(|_| !runs) {
        return refuse(&errors);
    }
    let exercise = exercise(args, target.as_deref(), &source)?;
    let unreadable = if args.of_session.native { Unreadable::Native } else { Unreadable::LeftOut };
    if let (Unreadable::Native, Some(ExerciseReference::BuiltIn(_))) = (unreadable, &exercise.reference) {
        let message = format!(
            "the reference of {} is built in and cannot run code of Python: leave out `--native`",
            exercise.name
        );
        return Err(CliError::Usage(message));
    }
    let named = target.as_deref().or(from);
    let name = named.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let title = match &args.of_session.title {
        Some(title) => title.clone(),
        None => free_title(&title_of(name.as_deref().unwrap_or_default()), target.as_deref()),
    };
    let path = target.as_ref().map_or_else(|| "the case".to_owned(), |path| path.display().to_string());
    let labels = CaseLabels { title: &title, name: name.as_deref().unwrap_or("session"), path: &path };
    let beside = |path: &str| {
        let folder = from.and_then(Path::parent).unwrap_or(Path::new(""));
        text_of(File::open(path_in(folder, path).ok()?).ok()?, LARGEST as usize).ok()
    };
    let settings = ShellSettings { typed_after: &args.of_session.typed_after, file: &beside };
    let imported = if runs {
        import_runs(&exercise, &labels, &shown, &source, &settings)
    } else {
        import_session(&exercise, &labels, &shown, &source, unreadable)
    };
    let imported = match imported {
        Ok(imported) => imported,
        Err(errors) => return refuse(&errors),
    };
    match &target {
        Some(target) => {
            let schemas = SchemaFolder::near(target.parent().unwrap_or(Path::new("")));
            write(target, &(schemas.line("") + &imported.text))?;
            schema::provide(&schemas)?;
        }
        None => output::out(&imported.text),
    }
    let steps = imported.case.plan.steps.len();
    if target.is_some() {
        output::out(&format!("{path}: {steps} {} of {}\n", plural(steps, "step"), exercise.name));
    }
    if let Some((count, language)) = imported.left_out {
        let title = languages::find(language).map_or(language, |language| language.title);
        output::err(&format!(
            "note: {count} {} in {title} left out: the text has sessions in two languages\n",
            plural(count, "line")
        ));
    }
    let differences = match &exercise.reference {
        Some(ExerciseReference::Own(paths)) => own_differences(&exercise, &imported.case, paths),
        Some(ExerciseReference::BuiltIn(_)) | None => differences(&exercise, &imported.case),
    };
    for difference in &differences {
        output::err(&warning(&shown, &imported, difference));
    }
    if runs && !differences.is_empty() && args.of_session.typed_after.is_empty() {
        output::err(
            "help: if something is typed in the session, say after what text: `--typed-after 'Number? '`\n",
        );
    }
    let Some(problems) = &imported.problems else { return Ok(RunStatus::Passed) };
    show_file(problems);
    let count = problems.diagnostics.len();
    let verb = if count == 1 { "is" } else { "are" };
    output::err(&format!(
        "{count} {} of {shown} {verb} not in the case; comments mark {} there\n",
        plural(count, "part"),
        if count == 1 { "its place" } else { "their places" }
    ));
    Ok(RunStatus::Failed)
}

/// The file to write, which must not exist; a folder gets a file with the name of the session's.
fn target(args: &ImportArgs, from: Option<&Path>) -> Result<Option<PathBuf>, CliError> {
    let Some(output) = &args.output else { return Ok(None) };
    let target = if output.is_dir() {
        let Some(stem) = from.and_then(Path::file_stem) else {
            let message = format!("{} is a folder; name the file of the case", output.display());
            return Err(CliError::Usage(message));
        };
        output.join(stem).with_extension("toml")
    } else {
        output.clone()
    };
    let shown = target.display();
    if target.extension().is_none_or(|end| end != "toml") {
        return Err(CliError::Usage(format!("{shown}: the name of a case's file ends in .toml")));
    }
    if target.file_name().is_some_and(|name| name == "exercise.toml") {
        let message = format!("{shown} describes an exercise; choose another name for the case");
        return Err(CliError::Usage(message));
    }
    if !args.of_session.force && fs::symlink_metadata(&target).is_ok() {
        let message = format!("{shown} exists already; choose another name, or replace it with `--force`");
        return Err(CliError::Usage(message));
    }
    Ok(Some(target))
}

/// The pasted text.
fn source(from: Option<&Path>) -> Result<String, CliError> {
    let shown = from.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let usage = |error: &dyn std::fmt::Display| CliError::Usage(format!("{shown}: {error}"));
    let mut bytes = Vec::new();
    match from {
        Some(path) => {
            let file = fs::File::open(path).map_err(|error| usage(&error))?;
            file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| usage(&error))?;
        }
        None => {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                output::err("paste the session, then press Ctrl-D (on Windows Ctrl-Z and Enter)\n");
            }
            stdin.lock().take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| usage(&error))?;
        }
    }
    if bytes.len() as u64 > LARGEST {
        return Err(usage(&format_args!("larger than {} MB; give the part with the session", LARGEST >> 20)));
    }
    decoded(bytes).ok_or_else(|| usage(&"not text in UTF-8; save it in this encoding"))
}

/// A text in UTF-8, or in UTF-16 with its mark, as Windows writes it.
fn decoded(bytes: Vec<u8>) -> Option<String> {
    let units = |order: fn([u8; 2]) -> u16| -> Vec<u16> {
        bytes[2..].chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect()
    };
    match bytes.get(..2) {
        Some([0xff, 0xfe]) => String::from_utf16(&units(u16::from_le_bytes)).ok(),
        Some([0xfe, 0xff]) => String::from_utf16(&units(u16::from_be_bytes)).ok(),
        Some(_) | None => String::from_utf8(bytes).ok(),
    }
}

/// The exercise: as named, else that of the folder of the new case, else the one that the session calls.
fn exercise(args: &ImportArgs, target: Option<&Path>, source: &str) -> Result<Exercise, CliError> {
    let of_session = &args.of_session;
    let library = Library::from(of_session.cases.clone());
    if let Some(name) = &of_session.exercise {
        return Ok(library.describe(name)?);
    }
    if of_session.cases.is_none()
        && let Some(found) = target.and_then(Path::parent).and_then(Library::of_folder)
    {
        return Ok(found?);
    }
    let names = library.names()?;
    let mut exercises =
        names.iter().map(|name| library.describe(name)).collect::<Result<Vec<Exercise>, LibraryError>>()?;
    let meant = if has_runs(source) { exercises_run } else { exercises_meant };
    match meant(source, &exercises).as_slice() {
        [only] => Ok(exercises.swap_remove(*only)),
        [] if exercises.len() == 1 => Ok(exercises.swap_remove(0)),
        several => {
            let known: Vec<&str> = several.iter().map(|index| names[*index].as_str()).collect();
            let known = if known.is_empty() { names.join(", ") } else { known.join(", ") };
            let message = format!(
                "it is not clear which exercise the session is of; name it with `--exercise` ({known}), or write the case \
                 to the folder of its exercise with `-o`"
            );
            Err(CliError::Usage(message))
        }
    }
}

/// The name of a file as a title: `own_die` is "Own die".
fn title_of(name: &str) -> String {
    let words: Vec<&str> = name.split(|ch: char| ch == '_' || ch == '-' || ch.is_whitespace()).collect();
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut letters = words.chars().filter(|ch| !ch.is_control());
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => TITLE.to_owned(),
    }
}

/// A title that no other case of the exercise has.
fn free_title(title: &str, target: Option<&Path>) -> String {
    let folder = target.and_then(Path::parent).unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let known = target.and_then(|_| Library::of_folder(folder)?.ok());
    let loaded = known.and_then(|exercise| Library::Folder(folder.to_owned()).load(&exercise.name).ok());
    let cases = loaded.map(|loaded| loaded.cases).unwrap_or_default();
    let others = cases.iter().filter(|case| target.is_none_or(|target| Path::new(&case.path) != target));
    let taken: BTreeSet<&str> = others.flat_map(|case| case.title.texts()).collect();
    let numbered = (2..).map(|number| format!("{title} ({number})"));
    std::iter::once(title.to_owned())
        .chain(numbered)
        .find(|title| !taken.contains(title.as_str()))
        .unwrap_or_default()
}

fn write(target: &Path, text: &str) -> Result<(), CliError> {
    let made = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => TargetFolder::make(folder).map(drop),
        Some(_) | None => Ok(()),
    };
    let written = made.and_then(|()| writing::write(target, text));
    written.map_err(CliError::write(target))
}

/// The first step that an exercise's own reference answers differently: it is graded like a submission. One
/// that cannot be graded says nothing here; `keur check` reports it.
fn own_differences(
    exercise: &Exercise,
    case: &Case,
    paths: &BTreeMap<String, String>,
) -> Vec<SeenDifference> {
    let session = exercise.session.language();
    let language =
        if paths.contains_key(session) { Some(session) } else { paths.keys().map(String::as_str).next() };
    let Some(Ok(path)) = language.map(|language| reference_path(exercise, language)) else {
        return Vec::new();
    };
    let mut request = GradeRequest::new(path);
    request.exercise = Some(exercise.name.clone());
    request.settings.rulings = true;
    let loaded = Loaded { exercise: exercise.clone(), cases: vec![case.clone()] };
    let Ok(run) = Run::for_exercise(request, Arc::new(loaded)) else { return Vec::new() };
    let mut found = Vec::new();
    run.grade(&mut |event| {
        if let Event::SubmissionFinished { report } = event {
            let findings = report.cases.iter().filter_map(|case| case.finding.as_deref());
            found.extend(findings.filter_map(|finding| {
                Some(SeenDifference {
                    step: finding.step?,
                    expected: finding.expected.clone(),
                    got: finding
                        .got
                        .clone()
                        .or_else(|| finding.exception.as_ref().map(|raised| raised.text.clone())),
                })
            }));
        }
    });
    found
}

/// A line about a step that the reference answers differently.
fn warning(shown: &str, imported: &SessionCase, difference: &SeenDifference) -> String {
    let SeenDifference { step, expected, got } = difference;
    let line = imported.lines.get(step.index()).copied().unwrap_or_default();
    let (expected, got) = (expected.as_deref().unwrap_or_default(), got.as_deref().unwrap_or_default());
    // Of long texts the first lines that differ.
    let differing = expected.lines().zip(got.lines()).find(|(one, other)| one != other);
    let (expected, got) = differing.unwrap_or((expected, got));
    let short = |text: &str| shortened(text.lines().next().unwrap_or("nothing"), LONGEST).into_owned();
    let warning = format!(
        "warning: {shown}:{line}: step {step} expects {}, but the reference answers {}; `keur check` will report it",
        short(expected),
        short(got)
    );
    format!("{}\n", tame(&warning).replace('\n', " "))
}
