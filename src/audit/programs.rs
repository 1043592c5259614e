//! The right and wrong programs of an exercise, as files that can be graded.

use super::error::AuditError;
use super::generic::{self, GenericMutant};
use super::given::given_programs;
use super::matrix::{WrongKind, WrongProgram};
use super::mutants::{CodeChange, MutantPlace, MutantSet, RightProgram};
use super::patch;
use crate::run::{FailedCases, samples};
use keur_core::case::{
    Diagnostic, Exercise, ExerciseReference, FileErrors, Loaded, did_you_mean, line_column,
};
use keur_core::judge::{reference_files, reference_path};
use keur_core::languages::Interpreters;
use keur_core::submission::opened;
use keur_core::value::SourceFile;
use keur_sandbox::Tools;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The submissions that an audit is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Folders of wrong submissions.
    pub samples: &'a [PathBuf],
    /// Right submissions to make mutants of.
    pub mutated: &'a [PathBuf],
}

/// The programs of an exercise. Those that keur makes are deleted with this.
pub(super) struct Programs {
    /// The right ones that mutants are made of.
    pub(super) right: Vec<RightSubmission>,
    pub(super) wrong: Vec<WrongSubmission>,
    home: TempDir,
    /// The number of programs in it.
    written: usize,
}

/// A right program as a submission.
pub(super) struct RightSubmission {
    /// The name in a message.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Whether it must also pass the cases that depend on a ruling.
    pub(super) keeps_rulings: bool,
}

/// A wrong program as a submission.
pub(super) struct WrongSubmission {
    pub(super) program: WrongProgram,
    pub(super) path: PathBuf,
    /// The right program, ended where the changed statement would be reached.
    pub(super) reach: Option<PathBuf>,
    /// Whether it is a change of a program that cases run, rather than call.
    pub(super) is_run: bool,
}

/// The mutants of an exercise: where they are described, with the text, and what is described.
struct Described {
    path: String,
    text: String,
    set: MutantSet,
}

impl Programs {
    /// The programs of an exercise: its mutants, its wrong samples, and those that are `given`.
    ///
    /// # Errors
    /// The exercise has none, or something of it cannot be read.
    pub(super) fn of(
        loaded: &Loaded,
        given: Given<'_>,
        tools: &Tools,
        interpreters: &Interpreters,
    ) -> Result<Programs, AuditError> {
        let home = tempfile::Builder::new().prefix("keur-audit-").tempdir();
        let home = home.map_err(|error| AuditError::Files(std::env::temp_dir(), error))?;
        let mut programs = Programs { right: Vec::new(), wrong: Vec::new(), home, written: 0 };
        let exercise = &loaded.exercise;
        let own = own_references(exercise)?;
        let described = described(exercise, &own)?;
        programs.add_mutants(&described)?;
        let equivalent = &described.set.equivalent;
        let mut names = Vec::new();
        for program in &own {
            for (name, mutant) in generic::mutants(program, tools, interpreters)? {
                let equivalent = equivalent.get(&name).cloned();
                programs.add_generic(exercise, program, &name, &mutant, equivalent)?;
                names.push(name);
            }
        }
        let shown: Vec<&Path> = given.mutated.iter().map(PathBuf::as_path).collect();
        for (path, submission) in shown.iter().zip(opened::distinct_names(&shown)) {
            let program = mutated(exercise, path)?;
            let name = format!("the submission {}", path.display());
            let right = RightSubmission { name, path: programs.write(&program.files)?, keeps_rulings: false };
            programs.right.push(right);
            for (name, mutant) in generic::mutants(&program, tools, interpreters)? {
                programs.add_generic(exercise, &program, &format!("{submission}/{name}"), &mutant, None)?;
            }
        }
        if let Some(unknown) = equivalent.keys().find(|name| !names.contains(name)) {
            return Err(described.unknown(unknown, &names));
        }
        programs.add_samples(loaded)?;
        for folder in given.samples {
            for (program, path) in given_programs(folder, loaded)? {
                programs.wrong.push(WrongSubmission { program, path, reach: None, is_run: false });
            }
        }
        match programs.wrong.as_slice() {
            [] => Err(AuditError::NoPrograms(exercise.name.clone())),
            _ => Ok(programs),
        }
    }

    /// Adds the right programs, and the mutants that a person wrote.
    fn add_mutants(&mut self, described: &Described) -> Result<(), AuditError> {
        let set = &described.set;
        for program in &set.programs {
            let names: Vec<&str> = program.files.iter().map(|(name, _)| name.as_str()).collect();
            let name = format!("the right program of {} ({})", described.path, names.join(", "));
            let path = self.write(&program.files)?;
            self.right.push(RightSubmission { name, path, keeps_rulings: true });
        }
        for mutant in &set.mutants {
            let Some(program) = set.programs.get(mutant.program) else { continue };
            let wrong = WrongProgram {
                ruling: mutant.ruling,
                equivalent: mutant.equivalent.clone(),
                ..mutant_of(program, &mutant.change, WrongKind::Mutant, &mutant.name, &mutant.what)
            };
            let path = self.write(&program.with(&mutant.change))?;
            self.wrong.push(WrongSubmission { program: wrong, path, reach: None, is_run: false });
        }
        Ok(())
    }

    /// Adds a mutant that keur made.
    fn add_generic(
        &mut self,
        exercise: &Exercise,
        program: &RightProgram,
        name: &str,
        mutant: &GenericMutant,
        equivalent: Option<String>,
    ) -> Result<(), AuditError> {
        let GenericMutant { what, change, reach } = mutant;
        let wrong = mutant_of(program, change, WrongKind::Generic, name, what);
        let path = self.write(&program.with(change))?;
        let reach = reach.as_ref().map(|reach| self.write(&program.with(reach))).transpose()?;
        let run = exercise.programs.get(&program.language);
        let is_run = run.is_some_and(|names| names.contains(&change.file));
        let program = WrongProgram { equivalent, ..wrong };
        self.wrong.push(WrongSubmission { program, path, reach, is_run });
        Ok(())
    }

    /// Adds the exercise's wrong samples.
    fn add_samples(&mut self, loaded: &Loaded) -> Result<(), AuditError> {
        let is_ruling =
            |name: &String| loaded.cases.iter().any(|case| case.name == *name && case.is_ruling());
        for sample in samples(loaded).map_err(AuditError::Samples)? {
            if sample.right {
                continue;
            }
            let rulings_only = |fails: &FailedCases| !fails.is_empty() && fails.keys().all(is_ruling);
            let wrong = WrongProgram {
                name: sample.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                kind: WrongKind::Sample,
                what: sample.defect.clone().unwrap_or_default(),
                place: sample.path.display().to_string(),
                patch: Vec::new(),
                ruling: sample.fails.as_ref().is_some_and(rulings_only),
                equivalent: None,
            };
            let path = sample.path;
            self.wrong.push(WrongSubmission { program: wrong, path, reach: None, is_run: false });
        }
        Ok(())
    }

    /// Writes a program's files; its path.
    fn write(&mut self, files: &[(String, String)]) -> Result<PathBuf, AuditError> {
        self.written += 1;
        let folder = self.home.path().join(self.written.to_string());
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| AuditError::Files(path, error)
        };
        fs::create_dir(&folder).map_err(failed(&folder))?;
        for (name, text) in files {
            let path = folder.join(name);
            fs::write(&path, text).map_err(failed(&path))?;
        }
        // A single file may have any name; in a folder it would be searched for by name.
        Ok(match files {
            [(name, _)] => folder.join(name),
            _ => folder,
        })
    }
}

/// The wrong program that a change of a right one makes.
fn mutant_of(
    program: &RightProgram,
    change: &CodeChange,
    kind: WrongKind,
    name: &str,
    what: &str,
) -> WrongProgram {
    let text = program.files.iter().find(|(file, _)| *file == change.file);
    let text = text.map_or("", |(_, text)| text.as_str());
    WrongProgram {
        name: name.to_owned(),
        kind,
        what: what.to_owned(),
        place: format!("{}:{}", change.file, line_column(text, change.at.start).0),
        patch: patch::of(text, &change.at, &change.put),
        ruling: false,
        equivalent: None,
    }
}

impl Described {
    /// An error of the list of equivalent mutants.
    fn unknown(&self, name: &str, known: &[String]) -> AuditError {
        let message = format!("keur makes no mutant `{name}` of the reference");
        let at = self.text.find(name).map_or(0..0, |at| at..at + name.len());
        let help = did_you_mean(name, known.iter().map(String::as_str));
        let help = help.or_else(|| Some("the report of an audit in JSON lists their names".to_owned()));
        let problem = Diagnostic::new(message, at).maybe_help(help);
        AuditError::Bad(FileErrors::new(&self.path, &self.text, vec![problem]))
    }
}

/// The mutants that a person wrote.
fn described(exercise: &Exercise, own: &[RightProgram]) -> Result<Described, AuditError> {
    let Some(place) = MutantPlace::of(exercise) else {
        let set = MutantSet { programs: own.to_vec(), ..MutantSet::default() };
        return Ok(Described { path: exercise.name.clone(), text: String::new(), set });
    };
    let text = place.description().map_err(|error| AuditError::Files(place.path(), error))?;
    let path = place.path().display().to_string();
    let set = place.read(&text, own).map_err(|errors| {
        let problems = errors.into_iter().map(|error| Diagnostic::new(error.message, error.at));
        AuditError::Bad(FileErrors::new(&path, &text, problems.collect()))
    })?;
    Ok(Described { path, text, set })
}

/// The exercise's own references in languages of which keur makes mutants.
fn own_references(exercise: &Exercise) -> Result<Vec<RightProgram>, AuditError> {
    let Some(ExerciseReference::Own(paths)) = &exercise.reference else { return Ok(Vec::new()) };
    let mut programs = Vec::new();
    let changed = generic::CHANGED.iter().map(|changed| changed.language);
    for language in changed.filter(|language| paths.contains_key(language.name)) {
        let failed = |why: &dyn ToString| {
            AuditError::Program(
                format!("the reference of {} in {}", exercise.name, language.name),
                why.to_string(),
            )
        };
        let path = reference_path(exercise, language.name).map_err(|error| failed(&error))?;
        let submission = opened::open(&path).map_err(|error| failed(&error))?.submission(exercise);
        let found = reference_files(&submission, &path, language).map_err(|error| failed(&error))?;
        let files = texts(&found.bundle.files).map_err(|why| failed(&why))?;
        programs.push(RightProgram { language: language.name.to_owned(), files });
    }
    Ok(programs)
}

/// The right submission at a path, which mutants are made of.
fn mutated(exercise: &Exercise, path: &Path) -> Result<RightProgram, AuditError> {
    let failed = |why: String| AuditError::Program(path.display().to_string(), why);
    let opened = opened::open(path).map_err(|error| failed(error.to_string()))?;
    let submission = opened.submission(exercise);
    let Ok(found) = &submission.found else {
        return Err(failed("keur cannot read this submission; `keur grade` says why".to_owned()));
    };
    let language = found.language().map_or("", |language| language.name);
    if !generic::CHANGED.iter().any(|changed| changed.language.name == language) {
        return Err(failed("keur makes mutants of programs in Python and JavaScript only".to_owned()));
    }
    let files = texts(&found.bundle.files).map_err(failed)?;
    Ok(RightProgram { language: language.to_owned(), files })
}

/// The names and texts of source files. One in Latin-1 that says so, as Python asks for, is changed into UTF-8.
///
/// # Errors
/// The text of a file is in another encoding.
fn texts(files: &[SourceFile]) -> Result<Vec<(String, String)>, String> {
    let text = |SourceFile { name, bytes, .. }: &SourceFile| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Ok((name.clone(), text.to_owned()));
        }
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        match text.lines().next() {
            Some(first) if first.starts_with('#') && first.contains("coding: latin-1") => {
                Ok((name.clone(), text.replacen("latin-1", "utf-8", 1)))
            }
            Some(_) | None => Err(format!("{name} is not text in UTF-8")),
        }
    };
    files.iter().map(text).collect()
}
