//! The packages that an exercise allows, as the interpreter has them.

#[cfg(target_os = "linux")]
use crate::sandbox::Jail;
use crate::sandbox::Launch;
use crate::sandbox::Tools;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The text that an interpreter answers about its packages.
const ASK: &str = include_str!("packages.py");

/// Writable memory that packages may take besides the submission, in bytes.
const BASELINE: u64 = 256 << 20;

/// Variables that keep numeric libraries from starting threads, which a submission may not.
const ONE_THREAD: [&str; 4] =
    ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];

/// Packages of an interpreter that a submission may import besides the standard library, with all that they
/// need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packages {
    /// The packages that the interpreter does not have.
    missing: Vec<String>,
    /// The modules to load before a submission.
    load: Vec<String>,
    /// The folders that packages are in.
    folders: Vec<PathBuf>,
    /// The other entries of these folders.
    hidden: Vec<PathBuf>,
    /// The modules that may be imported.
    allowed: Vec<String>,
    /// The modules that are installed and may not be imported.
    barred: Vec<String>,
    /// The name and version of each package.
    versions: Vec<String>,
}

impl Packages {
    /// The answer of an interpreter.
    fn read(json: &Json) -> Option<Packages> {
        let texts = |key: &str| -> Option<Vec<String>> {
            json[key].as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let paths = |key: &str| Some(texts(key)?.into_iter().map(PathBuf::from).collect());
        Some(Packages {
            missing: texts("missing")?,
            load: texts("load")?,
            folders: paths("folders")?,
            hidden: paths("hidden")?,
            allowed: texts("allowed")?,
            barred: texts("barred")?,
            versions: texts("versions")?,
        })
    }

    /// Asks an interpreter, with all its packages, for those that an exercise names.
    ///
    /// # Errors
    /// It does not have one, or does not answer: a sentence with what to do.
    pub fn find(program: &Path, wanted: &[String]) -> Result<Packages, String> {
        let unknown = |why: String| {
            format!("the packages of {} cannot be determined: {why}; check that it runs", program.display())
        };
        let mut args = vec!["-I", "-c", ASK];
        args.extend(wanted.iter().map(String::as_str));
        let answer = Tools::default().ask(program, &args).map_err(|error| unknown(error.to_string()))?;
        let read = serde_json::from_slice(&answer.output).ok().and_then(|json| Packages::read(&json));
        let packages = read.ok_or_else(|| {
            let said = String::from_utf8_lossy(&answer.errors).trim().to_owned();
            unknown(said.lines().last().unwrap_or("no answer").to_owned())
        })?;
        if packages.missing.is_empty() {
            return Ok(packages);
        }
        let (program, missing) = (program.display(), packages.missing.join(" "));
        let names: Vec<String> = packages.missing.iter().map(|name| format!("`{name}`")).collect();
        Err(format!(
            "the exercise needs {}, which {program} does not have: install with `{program} -m pip install {missing}`, or \
             name a Python that has it with --python",
            names.join(", ")
        ))
    }

    /// The modules that a server loads before it forks. It fails if one of these cannot be loaded.
    pub fn preload(&self) -> Vec<String> {
        self.load.iter().map(|name| format!("{name}!")).collect()
    }

    /// The modules that are installed, but not among these packages.
    pub fn barred(&self) -> &[String] {
        &self.barred
    }

    /// The name and version of each package, and of those that it needs, such as `numpy 2.3.1`.
    pub fn versions(&self) -> &[String] {
        &self.versions
    }

    /// A launch of the interpreter that can import them.
    pub fn launch(&self, launch: Launch) -> Launch {
        let Launch { mut args, mut env, baseline, .. } = launch;
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        args.push(folders.join("\n").into());
        args.push(self.allowed.join(" ").into());
        env.extend(ONE_THREAD.map(|name| (name.to_owned(), "1".to_owned())));
        Launch { args, env, baseline: baseline.saturating_add(BASELINE), ..launch }
    }

    /// A confinement in which their files can be read.
    #[cfg(target_os = "linux")]
    pub fn readable(&self, jail: Jail) -> Jail {
        let Jail { mut readable, mut hidden, .. } = jail;
        readable.extend(self.folders.iter().cloned());
        // A folder of packages was hidden as a whole.
        hidden.retain(|path| !self.folders.contains(path));
        hidden.extend(self.hidden.iter().cloned());
        Jail { readable, hidden, ..jail }
    }
}
