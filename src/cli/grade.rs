//! `keur grade`.

use super::{Exit, GradeArgs, library_error, output};
use crate::adapter::Hosts;
use crate::case::{Exercise, Library, LibraryError, LimitsPatch, Loaded, Points};
use crate::driver::{self, Interpreters};
use crate::event::{RunError, SubmissionReport};
use crate::grade::{Grader, Settings, counted};
use crate::report::{self, Options};
use crate::sandbox::Tier;
use crate::submission;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &GradeArgs) -> Exit {
    let mut run = match Run::new(args) {
        Ok(run) => run,
        Err(exit) => return exit,
    };
    let paths = match paths(args) {
        Ok(paths) => paths,
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            return Exit::Usage;
        }
    };
    let shown: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let names = submission::distinct_names(&shown);
    let format = report::find(&args.format).unwrap_or(&report::FORMATS[0]);
    let options = Options {
        colour: output::colour(&args.style.color, &io::stdout()),
        width: output::width(),
        lang: args.lang,
        many: paths.len() > 1,
    };
    let mut reports = Vec::with_capacity(paths.len());
    for (path, name) in paths.iter().zip(&names) {
        let report = run.grade(path, name);
        output::out(&(format.submission)(&report, &options));
        reports.push(report);
    }
    output::out(&(format.end)(&reports, &options));
    run.exit
}

/// The submissions that were asked for.
fn paths(args: &GradeArgs) -> Result<Vec<PathBuf>, String> {
    let mut paths = args.paths.clone();
    for folder in &args.each {
        let unreadable = |error: io::Error| format!("{}: cannot be read: {error}", folder.display());
        let mut entries = fs::read_dir(folder)
            .map_err(unreadable)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        entries.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
        entries.sort();
        if entries.is_empty() {
            return Err(format!("{}: the folder is empty", folder.display()));
        }
        paths.extend(entries);
    }
    if paths.is_empty() && args.command.is_some() {
        // The program is the submission itself.
        paths.push(PathBuf::from("-"));
    }
    if paths.is_empty() {
        return Err("nothing to grade; name a submission, or a folder of them with --each".to_owned());
    }
    Ok(paths)
}

struct Run<'a> {
    args: &'a GradeArgs,
    library: Library,
    settings: Settings,
    interpreters: Interpreters,
    hosts: Hosts,
    exercises: Vec<Exercise>,
    /// Exercises that were loaded, or have been said to be wrong.
    loaded: BTreeMap<String, Option<Loaded>>,
    exit: Exit,
}

impl<'a> Run<'a> {
    fn new(args: &'a GradeArgs) -> Result<Run<'a>, Exit> {
        let library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
        let fail = |error: LibraryError| library_error(&error, &args.style);
        let names = match &args.exercise {
            Some(name) => vec![name.clone()],
            None => library.names().map_err(fail)?,
        };
        let exercises =
            names.iter().map(|name| library.describe(name)).collect::<Result<Vec<_>, _>>().map_err(fail)?;
        let command = args.command.as_ref().map(|command| words(command));
        if command.as_ref().is_some_and(Vec::is_empty) {
            output::err("error: --command names no program\n");
            return Err(Exit::Usage);
        }
        let mut interpreters = Interpreters::default();
        for (language, program) in [("python", &args.python), ("javascript", &args.node)] {
            if let (Some(driver), Some(program)) = (driver::find(language), program) {
                interpreters.name(driver, program.clone());
            }
        }
        let limits = &args.limits;
        let limits =
            LimitsPatch { cpu: limits.cpu, wall: limits.wall, memory: limits.memory, output: limits.output };
        let settings =
            Settings { limits, rulings: args.rulings, only: args.only.clone(), exactly: None, command };
        let hosts = Hosts::new(Tier::default(), 0);
        Ok(Run {
            hosts,
            args,
            library,
            settings,
            interpreters,
            exercises,
            loaded: BTreeMap::new(),
            exit: Exit::Passed,
        })
    }

    fn grade(&mut self, path: &Path, name: &str) -> SubmissionReport {
        let report = match self.try_grade(path, name) {
            Ok(report) => report,
            Err((exit, error)) => {
                self.exit = self.exit.max(exit);
                return ungraded(path, name, error);
            }
        };
        if !report.passed() && !self.args.exit_zero {
            self.exit = self.exit.max(Exit::Failed);
        }
        report
    }

    fn try_grade(&mut self, path: &Path, name: &str) -> Result<SubmissionReport, (Exit, RunError)> {
        let usage = |message: String| (Exit::Usage, RunError::Usage(message));
        let alone = self.settings.command.is_some() && self.args.paths.is_empty();
        let exercises: Vec<&Exercise> = self.exercises.iter().collect();
        let mut opened = if alone {
            None
        } else {
            Some(submission::open(path).map_err(|error| usage(error.to_string()))?)
        };
        let exercise = match (exercises.as_slice(), &mut opened) {
            ([only], _) => *only,
            (several, Some(opened)) => opened.exercise(several).map_err(|error| usage(error.to_string()))?,
            (_, None) => return Err(usage("--command needs --exercise".to_owned())),
        };
        let exercise_name = exercise.name.clone();
        let submission = match opened {
            Some(opened) => opened.submission(exercise),
            None => submission::program(path),
        };
        self.load(&exercise_name)?;
        let loaded = self.loaded.get(&exercise_name).and_then(Option::as_ref);
        let Some(loaded) = loaded else { return Err(usage(format!("no exercise {exercise_name}"))) };
        if counted(loaded, &self.settings).is_empty() {
            let message =
                format!("no case of {exercise_name} is graded: there is none, or --case leaves none");
            let exit = if self.settings.only.is_empty() { Exit::BadCase } else { Exit::Usage };
            return Err((exit, RunError::Usage(message)));
        }
        Grader::new(loaded, &self.settings, &self.interpreters)
            .grade(&mut self.hosts, name, &submission)
            .map_err(|fault| (Exit::Fault, RunError::Fault(fault.message)))
    }

    /// Loads an exercise with its cases, once; what is wrong with them is said once too.
    fn load(&mut self, name: &str) -> Result<(), (Exit, RunError)> {
        if !self.loaded.contains_key(name) {
            let loaded = match self.library.load(name) {
                Ok(loaded) => Some(loaded),
                Err(error) => {
                    self.exit = self.exit.max(library_error(&error, &self.args.style));
                    None
                }
            };
            self.loaded.insert(name.to_owned(), loaded);
        }
        match self.loaded.get(name) {
            Some(Some(_)) => Ok(()),
            Some(None) | None => {
                let message = format!("the cases of {name} are wrong; see the errors above");
                Err((Exit::BadCase, RunError::Fault(message)))
            }
        }
    }
}

fn ungraded(path: &Path, name: &str, error: RunError) -> SubmissionReport {
    SubmissionReport {
        name: name.to_owned(),
        path: path.display().to_string(),
        exercise: None,
        runtime: None,
        points: Points::ZERO,
        max_points: Points::ZERO,
        cases: Vec::new(),
        warnings: Vec::new(),
        error: Some(error),
    }
}

/// The words of a command, cut at blanks; quotes keep a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for ch in command.chars() {
        match (quote, ch) {
            (Some(open), ch) if ch == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(ch);
                word.get_or_insert_default();
            }
            (None, ch) if ch.is_whitespace() => words.extend(word.take()),
            (_, ch) => word.get_or_insert_default().push(ch),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_command_is_cut_into_words() {
        assert_eq!(words("java -jar 'my x.jar' \"a b\"c ''"), ["java", "-jar", "my x.jar", "a bc", ""]);
        assert!(words("  ").is_empty());
    }
}
