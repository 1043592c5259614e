//! Finding the real interpreter of a language, behind shims.

use super::Driver;
use crate::sandbox::Tools;
use crate::sandbox::tools::ANSWERING;
use std::collections::HashMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// An interpreter that can be started.
#[derive(Clone, Debug)]
pub struct Interpreter {
    /// The engine that it is.
    pub driver: &'static Driver,
    /// The program itself, not a script that finds it.
    pub program: PathBuf,
    /// Its version, once it has told.
    pub version: Option<(u32, u32, u32)>,
}

/// No interpreter that will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterpreterError {
    /// What is missing, and what to do about it.
    pub message: String,
}

impl fmt::Display for InterpreterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InterpreterError {}

/// The interpreters of one run: each is looked for once.
#[derive(Debug)]
pub struct Interpreters {
    tools: Tools,
    /// Programs that the user named, by engine.
    named: HashMap<&'static str, PathBuf>,
    /// Engines that the user chose, by language.
    chosen: HashMap<&'static str, &'static Driver>,
    /// What was found, by engine.
    found: Mutex<HashMap<&'static str, Result<Interpreter, InterpreterError>>>,
}

impl Default for Interpreters {
    /// The interpreters on PATH.
    fn default() -> Interpreters {
        Interpreters::among(Tools::on_path(&[]))
    }
}

impl Interpreters {
    /// The interpreters among these programs.
    pub fn among(tools: Tools) -> Interpreters {
        Interpreters { tools, named: HashMap::new(), chosen: HashMap::new(), found: Mutex::default() }
    }

    /// Takes `program`, a path or a name on PATH, for the engine of `driver`, whatever else there is.
    pub fn name(&mut self, driver: &'static Driver, program: PathBuf) {
        // Tools do not start in the folder that keur was started in.
        let alone = program.components().count() == 1 && !program.exists();
        let found = if alone { self.tools.find(&program.to_string_lossy()) } else { None };
        let program = found.unwrap_or_else(|| std::path::absolute(&program).unwrap_or(program));
        self.named.insert(driver.engine, program);
    }

    /// Takes the engine of `driver` for its language, and no other.
    pub fn choose(&mut self, driver: &'static Driver) {
        self.chosen.insert(driver.language, driver);
    }

    /// The interpreter for the language of `driver`: the engine that was chosen, else this one, else its alternative
    /// if this one is missing and was not named.
    ///
    /// # Errors
    /// There is none, or only ones that are too old: with what to install.
    pub fn find(&self, driver: &'static Driver) -> Result<Interpreter, InterpreterError> {
        if let Some(chosen) = self.chosen.get(driver.language) {
            return self.find_engine(chosen);
        }
        let found = self.find_engine(driver);
        match driver.alternative {
            Some(other) if found.is_err() && !self.named.contains_key(driver.engine) => {
                self.find_engine(other).or(found)
            }
            Some(_) | None => found,
        }
    }

    /// The interpreter for this very engine.
    ///
    /// # Errors
    /// As [`Interpreters::find`].
    pub fn find_engine(&self, driver: &'static Driver) -> Result<Interpreter, InterpreterError> {
        let mut found = match self.found.lock() {
            Ok(found) => found,
            Err(poisoned) => poisoned.into_inner(),
        };
        found
            .entry(driver.engine)
            .or_insert_with(|| match self.named.get(driver.engine) {
                Some(program) => {
                    probe(&self.tools, driver, program).and_then(|interpreter| check(driver, interpreter))
                }
                None if driver.programs.is_empty() => this_program(driver),
                None => search(&self.tools, driver),
            })
            .clone()
    }
}

impl Interpreters {
    /// The interpreter for the engine of `driver` and its version, which it is asked for where its name does not tell.
    ///
    /// # Errors
    /// As [`Interpreters::find`].
    pub fn version(
        &self,
        driver: &'static Driver,
    ) -> Result<(Interpreter, (u32, u32, u32)), InterpreterError> {
        let found = self.find_engine(driver)?;
        let asked = match found.version {
            Some(_) => found,
            None => check(driver, probe(&self.tools, driver, &found.program)?)?,
        };
        let version = asked.version.unwrap_or_default();
        Ok((asked, version))
    }
}

/// The program that runs is itself the interpreter of an engine that keur carries.
fn this_program(driver: &'static Driver) -> Result<Interpreter, InterpreterError> {
    match env::current_exe() {
        Ok(program) if program.file_stem().is_some_and(|stem| stem == env!("CARGO_PKG_NAME")) => {
            Ok(Interpreter { driver, program, version: None })
        }
        _ => Err(InterpreterError {
            message: format!(
                "{} runs in the program {}, and this is another one: name it",
                driver.engine_title,
                env!("CARGO_PKG_NAME")
            ),
        }),
    }
}

/// Looks along PATH: a real program comes before a script that would find one, because starting a script costs more
/// than grading a submission.
fn search(tools: &Tools, driver: &'static Driver) -> Result<Interpreter, InterpreterError> {
    let mut scripts = Vec::new();
    let mut too_old = None;
    for folder in tools.folders() {
        for name in driver.programs {
            let candidate = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            if !candidate.is_file() {
                continue;
            }
            // On Windows a program of this name may also be one that only opens a shop: it has to be asked.
            if cfg!(windows) || is_script(&candidate) {
                scripts.push(candidate);
                continue;
            }
            let program = resolved(candidate);
            match quick_version(driver, &program) {
                Some(version) if version < driver.oldest => too_old = Some((program, version)),
                // What the name does not tell, the driver says when it starts.
                Some(_) | None => return Ok(Interpreter { driver, program, version: None }),
            }
        }
    }
    for script in scripts {
        if let Ok(interpreter) = probe(tools, driver, &script).and_then(|found| check(driver, found)) {
            return Ok(interpreter);
        }
    }
    let (major, minor) = driver.oldest;
    let found = match too_old {
        Some((program, (major, minor))) => format!(": {} is {major}.{minor}", program.display()),
        None => String::new(),
    };
    Err(InterpreterError {
        message: format!(
            "no {} {major}.{minor} or newer found on PATH{found}; install {}, or name its program with --{}",
            driver.title,
            driver.install,
            driver.programs[0].trim_end_matches('3'),
        ),
    })
}

/// The version that a program's own name tells, such as `python3.11`.
fn quick_version(driver: &Driver, program: &Path) -> Option<(u32, u32)> {
    let name = program.file_name()?.to_str()?;
    let digits = driver.programs.iter().find_map(|known| {
        let base = known.trim_end_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
        name.strip_prefix(base)
    })?;
    let (major, minor) = digits.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The program that links lead to. On Windows a path without links would be written in a way that few programs expect
/// of their own path.
fn resolved(program: PathBuf) -> PathBuf {
    if cfg!(windows) { program } else { program.canonicalize().unwrap_or(program) }
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
}

/// Asks a program where it really is and which version it has.
fn probe(tools: &Tools, driver: &'static Driver, program: &Path) -> Result<Interpreter, InterpreterError> {
    let wrong = |why: String| InterpreterError {
        message: format!("{} is not a {} interpreter that runs: {why}", program.display(), driver.title),
    };
    let answer = tools.ask(program, driver.probe).map_err(|error| wrong(error.to_string()))?;
    let Some(status) = answer.status else {
        return Err(wrong(format!("it did not tell its version in {} s", ANSWERING.as_secs())));
    };
    let said = [answer.output, answer.errors].concat();
    match (driver.told)(&String::from_utf8_lossy(&said)) {
        Some((real, version)) => Ok(Interpreter { driver, program: resolved(real), version: Some(version) }),
        None => Err(wrong(format!("it ended with {status} and told no version"))),
    }
}

fn check(driver: &Driver, interpreter: Interpreter) -> Result<Interpreter, InterpreterError> {
    match interpreter.version {
        Some((major, minor, _)) if (major, minor) < driver.oldest => Err(InterpreterError {
            message: format!(
                "{} is {} {major}.{minor}; keur needs {}.{} or newer",
                interpreter.program.display(),
                driver.title,
                driver.oldest.0,
                driver.oldest.1
            ),
        }),
        Some(_) | None => Ok(interpreter),
    }
}

#[cfg(test)]
mod tests {
    use super::{quick_version, search};
    use crate::driver;
    use crate::sandbox::Tools;
    use std::path::Path;

    #[test]
    fn a_missing_interpreter_says_what_to_install() {
        let python = driver::find("python").unwrap();
        let nowhere = Tools::in_folders(["/nonexistent".into()].into_iter(), &[]);
        let error = search(&nowhere, python).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no Python 3.11 or newer found on PATH; install it, or name its program with --python"
        );
        let java = driver::find("java").unwrap();
        assert_eq!(
            search(&nowhere, java).unwrap_err().to_string(),
            "no Java 17.0 or newer found on PATH; install a JDK, or name its program with --java"
        );
    }

    #[test]
    fn a_version_is_read_off_a_name() {
        let python = driver::find("python").unwrap();
        assert_eq!(quick_version(python, Path::new("/usr/bin/python3.11")), Some((3, 11)));
        assert_eq!(quick_version(python, Path::new("/usr/bin/python3")), None);
    }
}
