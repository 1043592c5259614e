//! Finds the real interpreter of a language, behind shims.

use super::{Engine, Language, ProbeResult, Version};
use crate::sandbox::tools::ANSWERING;
use crate::sandbox::{Tools, lock};
use std::collections::HashMap;
use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The program that the engines are built into.
const PROGRAM: &str = "keur";

/// The file that makes a folder a virtual environment of Python.
const ENVIRONMENT: &str = "pyvenv.cfg";

/// An interpreter that can be started.
#[derive(Clone, Debug)]
pub struct Interpreter {
    /// The engine of this interpreter.
    pub engine: &'static Engine,
    /// The program itself, not a shim.
    pub program: PathBuf,
    /// The version, if known.
    pub version: Option<Version>,
    /// The build as the interpreter describes it, if that is known.
    pub build: String,
}

/// No suitable interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InterpreterError {
    /// The interpreter that is missing, and the way to install it.
    pub message: String,
}

/// The interpreters of one run; each is searched for once.
#[derive(Debug)]
pub struct Interpreters {
    tools: Tools,
    /// Programs that the user named, by engine.
    named: HashMap<&'static Engine, PathBuf>,
    /// Engines that the user chose, by language.
    chosen: HashMap<&'static str, &'static Engine>,
    /// The interpreters found, by engine.
    found: Mutex<HashMap<&'static Engine, Result<Interpreter, InterpreterError>>>,
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

    /// Uses `program`, a path or a name on PATH, for `engine`, and no other.
    pub fn name(&mut self, engine: &'static Engine, program: PathBuf) {
        self.named.insert(engine, self.tools.named(&program));
    }

    /// Uses this interpreter for its engine without asking it for its version, because something else than the
    /// system starts it.
    pub fn provide(&self, interpreter: Interpreter) {
        lock(&self.found).insert(interpreter.engine, Ok(interpreter));
    }

    /// Uses `engine` for its language, and no other.
    pub fn choose(&mut self, engine: &'static Engine) {
        self.chosen.insert(engine.language.name, engine);
    }

    /// The interpreter for `language`: the chosen engine, else the first one available. A named program that
    /// is missing is an error.
    ///
    /// # Errors
    /// There is none, or only ones that are too old: says what to install.
    pub fn find(&self, language: &'static Language) -> Result<Interpreter, InterpreterError> {
        if let Some(chosen) = self.chosen.get(language.name) {
            return self.find_engine(chosen);
        }
        let mut error = None;
        for engine in language.engines {
            match self.find_engine(engine) {
                Ok(found) => return Ok(found),
                Err(missing) if self.named.contains_key(*engine) => return Err(missing),
                Err(missing) => error = error.or(Some(missing)),
            }
        }
        Err(error
            .unwrap_or_else(|| InterpreterError { message: format!("no engine runs {}", language.title) }))
    }

    /// The interpreter for this very engine.
    ///
    /// # Errors
    /// See [`Interpreters::find`].
    pub fn find_engine(&self, engine: &'static Engine) -> Result<Interpreter, InterpreterError> {
        lock(&self.found)
            .entry(engine)
            .or_insert_with(|| match self.named.get(engine) {
                Some(program) => {
                    probe(&self.tools, engine, program).and_then(|interpreter| check(engine, interpreter))
                }
                None if engine.executables.is_empty() => this_program(engine),
                None => search(&self.tools, engine),
            })
            .clone()
    }

    /// The interpreter for the engine and its version; it is asked for the version if nothing has asked it
    /// yet.
    ///
    /// # Errors
    /// See [`Interpreters::find`].
    pub fn version(&self, engine: &'static Engine) -> Result<(Interpreter, Version), InterpreterError> {
        let found = self.find_engine(engine)?;
        let asked = match found.version {
            Some(_) => found,
            None => check(engine, probe(&self.tools, engine, &found.program)?)?,
        };
        let version = asked.version.unwrap_or_default();
        Ok((asked, version))
    }
}

/// The running program is itself the interpreter of an engine built into keur.
fn this_program(engine: &'static Engine) -> Result<Interpreter, InterpreterError> {
    match env::current_exe() {
        Ok(program) if program.file_stem().is_some_and(|stem| stem == PROGRAM) => {
            Ok(Interpreter { engine, program, version: None, build: String::new() })
        }
        _ => Err(InterpreterError {
            message: format!(
                "{} is built into the program {}, but this is another program: name that program",
                engine.title, PROGRAM
            ),
        }),
    }
}

/// Searches PATH: a real program comes before a shim, because starting a script costs more than grading a
/// submission.
fn search(tools: &Tools, engine: &'static Engine) -> Result<Interpreter, InterpreterError> {
    let mut scripts = Vec::new();
    let mut too_old = None;
    for folder in tools.folders() {
        for name in engine.executables {
            let candidate = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            if !candidate.is_file() {
                continue;
            }
            // On Windows a program of this name may only open a shop: it has to be asked.
            if cfg!(windows) || is_script(&candidate) {
                scripts.push(candidate);
                continue;
            }
            // The name of a program in a virtual environment has no version, but that of what it leads to has.
            let version = candidate.canonicalize().ok().and_then(|real| quick_version(engine, &real));
            let program = resolved(candidate);
            match version {
                Some(version) if version < engine.oldest => too_old = Some((program, version)),
                // A name shows no more than the beginning of the version. The driver reports all of it at start.
                _ => {
                    return Ok(Interpreter { engine, program, version: None, build: String::new() });
                }
            }
        }
    }
    for script in scripts {
        if let Ok(interpreter) = probe(tools, engine, &script).and_then(|found| check(engine, found)) {
            return Ok(interpreter);
        }
    }
    let passed_over = || engine.executables.iter().find_map(|name| tools.find_passed_over(name));
    let found = match too_old {
        Some((program, version)) => format!(": {} is {}", program.display(), version.release()),
        None => passed_over().map_or_else(String::new, |program| {
            format!(": {} is not used, because a submission may have put it there", program.display())
        }),
    };
    Err(InterpreterError {
        message: format!(
            "no {} {} or newer found on PATH{found}; install {}, or name its program with --{}",
            engine.title,
            engine.oldest.release(),
            engine.install,
            engine.option.map_or(engine.name, |(option, _)| option),
        ),
    })
}

/// The version in a program's name, such as `python3.11`.
fn quick_version(engine: &Engine, program: &Path) -> Option<Version> {
    let name = program.file_name()?.to_str()?;
    let digits = engine.executables.iter().find_map(|known| {
        let base = known.trim_end_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
        name.strip_prefix(base)
    })?;
    let (major, minor) = digits.split_once('.')?;
    Some(Version::new(major.parse().ok()?, minor.parse().ok()?))
}

/// The program that links lead to. On Windows a path without links has a form that few programs expect for
/// their own path; and the link in a virtual environment is how its packages are found.
fn resolved(program: PathBuf) -> PathBuf {
    let environment = program.parent().and_then(Path::parent);
    if cfg!(windows) || environment.is_some_and(|folder| folder.join(ENVIRONMENT).is_file()) {
        return program;
    }
    program.canonicalize().unwrap_or(program)
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
}

/// Asks a program for its real path and its version.
fn probe(tools: &Tools, engine: &'static Engine, program: &Path) -> Result<Interpreter, InterpreterError> {
    let wrong = |why: String| InterpreterError {
        message: format!(
            "{} does not work as a {} interpreter: {why}",
            program.display(),
            engine.language.title
        ),
    };
    let answer = tools.ask(program, engine.probe).map_err(|error| wrong(error.to_string()))?;
    let Some(status) = answer.status else {
        return Err(wrong(format!("it did not report its version within {} s", ANSWERING.as_secs())));
    };
    let output = [answer.output, answer.errors].concat();
    match (engine.parse_probe)(&String::from_utf8_lossy(&output)) {
        Some(ProbeResult { program, version, build }) => {
            Ok(Interpreter { engine, program: resolved(program), version: Some(version), build })
        }
        None => Err(wrong(format!("it ended with {status} and reported no version"))),
    }
}

fn check(engine: &Engine, interpreter: Interpreter) -> Result<Interpreter, InterpreterError> {
    match interpreter.version {
        Some(version) if version < engine.oldest => Err(InterpreterError {
            message: format!(
                "{} is {} {}; {} needs {} or newer",
                interpreter.program.display(),
                engine.title,
                version.release(),
                engine.language.title,
                engine.oldest.release()
            ),
        }),
        Some(_) | None => Ok(interpreter),
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, quick_version, search};
    use crate::languages;
    use crate::sandbox::Tools;
    use std::path::Path;

    #[test]
    fn a_missing_interpreter_says_what_to_install() {
        let python = languages::find("python").unwrap().engines[0];
        let nowhere = Tools::in_folders(["/nonexistent".into()].into_iter(), &[]);
        let error = search(&nowhere, python).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no Python 3.11 or newer found on PATH; install it, or name its program with --python"
        );
        let java = languages::find("java").unwrap().engines[0];
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(format!("python3{}", std::env::consts::EXE_SUFFIX));
        std::fs::write(&program, "").unwrap();
        let foreign = Tools::in_folders([folder.path().into()].into_iter(), &[folder.path().into()]);
        assert_eq!(
            search(&foreign, python).unwrap_err().to_string(),
            format!(
                "no Python 3.11 or newer found on PATH: {} is not used, because a submission may have put it there; \
                 install it, or name its program with --python",
                program.display()
            )
        );
        assert_eq!(
            search(&nowhere, java).unwrap_err().to_string(),
            "no Java 17.0 or newer found on PATH; install a JDK, or name its program with --java"
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_old_interpreter_in_a_virtual_environment_is_passed_over() {
        let python = languages::find("python").unwrap().engines[0];
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let make = |path: &str| {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        make("old/python3.10");
        make("new/python3");
        make("environment/pyvenv.cfg");
        make("environment/bin/activate");
        std::os::unix::fs::symlink(folder.join("old/python3.10"), folder.join("environment/bin/python3"))
            .unwrap();
        let among = |folders: &[&str]| {
            Tools::in_folders(
                folders.iter().map(|name| folder.join(name)).collect::<Vec<_>>().into_iter(),
                &[],
            )
        };
        let found = search(&among(&["environment/bin", "new"]), python).unwrap();
        assert_eq!(found.program, folder.join("new/python3"));
        let error = search(&among(&["environment/bin"]), python).unwrap_err().to_string();
        let old = format!("{} is 3.10", folder.join("environment/bin/python3").display());
        assert!(error.contains(&old), "{error}");
    }

    #[test]
    fn a_version_is_read_off_a_name() {
        let python = languages::find("python").unwrap().engines[0];
        assert_eq!(quick_version(python, Path::new("/usr/bin/python3.11")), Some(Version::new(3, 11)));
        assert_eq!(quick_version(python, Path::new("/usr/bin/python3")), None);
    }
}
