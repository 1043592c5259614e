//! What judges of other systems share: one source text, given in their own way, is graded by `keur grade`.

use super::{Cli, Command, Exit, GradeArgs, grade, library_error, output};
use crate::case::{Exercise, Library};
use crate::event::SubmissionReport;
use crate::sandbox::Tier;
use clap::Parser;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is asked of a judge.
pub(super) struct Job {
    cases: Option<PathBuf>,
    exercise: Exercise,
}

impl Job {
    /// The exercise called `name`, or the only one there is, of `cases` or the built-in ones.
    pub(super) fn new(cases: Option<&Path>, name: Option<&str>) -> Result<Job, Exit> {
        let library = cases.map_or(Library::BuiltIn, |folder| Library::Folder(folder.to_owned()));
        let fail = |error| library_error(&error, &super::StyleArgs { color: "never".to_owned() });
        let name = match name {
            Some(name) => name.to_owned(),
            None => match library.names().map_err(fail)?.as_slice() {
                [only] => only.clone(),
                several => {
                    output::err(&format!("error: which exercise? It is one of {}\n", several.join(", ")));
                    return Err(Exit::Usage);
                }
            },
        };
        let exercise = library.describe(&name).map_err(fail)?;
        Ok(Job { cases: cases.map(Path::to_owned), exercise })
    }

    pub(super) fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// Grades `source`, a program in `language`, under the name that the exercise asks for. What is asked of
    /// `keur grade` besides is in `more`; `adjust` has the last word on its arguments.
    pub(super) fn grade(
        &self,
        source: &[u8],
        language: &str,
        confine: Option<Tier>,
        more: &[String],
        adjust: impl FnOnce(&mut GradeArgs),
    ) -> (Exit, Vec<SubmissionReport>) {
        let fault = |message: String| {
            output::err(&format!("error: {message}\n"));
            (Exit::Fault, Vec::new())
        };
        let Some(name) = self.exercise.files.get(language).and_then(|names| names.first()) else {
            let languages: Vec<&str> = self.exercise.files.keys().map(String::as_str).collect();
            output::err(&format!(
                "error: {} takes no submission in {language}; it takes {}\n",
                self.exercise.name,
                languages.join(", ")
            ));
            return (Exit::Usage, Vec::new());
        };
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => return fault(format!("no folder for the submission: {error}")),
        };
        let file = folder.path().join(name);
        if let Err(error) = std::fs::write(&file, source) {
            return fault(format!("{}: cannot be written: {error}", file.display()));
        }
        let mut words: Vec<OsString> =
            ["keur", "grade", "--jobs", "1", "--exercise"].map(OsString::from).into();
        words.push(self.exercise.name.clone().into());
        if let Some(folder) = &self.cases {
            words.extend(["--cases".into(), folder.clone().into_os_string()]);
        }
        words.extend(confine.map(|tier| format!("--confine={}", tier.name()).into()));
        words.extend(more.iter().map(OsString::from));
        words.extend(["--".into(), file.into_os_string()]);
        match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Command::Grade(mut args)) => {
                adjust(&mut args);
                grade::graded(&args)
            }
            Ok(_) => fault("what was asked for is not grading".to_owned()),
            Err(error) => {
                output::err(&error.to_string());
                (Exit::Usage, Vec::new())
            }
        }
    }
}
