//! A site where students drop a file and see what `keur grade` would say: static files, graded by keur as
//! WebAssembly in the student's own tab.
//!
//! `bundle` decides what of an exercise a site has: only what a student may see. `page` has the files that
//! every site has, `pyodide` the Python for browsers, `samples` submissions that students may try, and `server`
//! shows a site on this machine. A site is written by [`Site::write`].

mod bundle;
mod page;
mod pyodide;
mod samples;
#[cfg(feature = "play")]
pub mod server;

pub use pyodide::{Pyodide, VERSION as PYODIDE_VERSION};

use crate::writing::TargetFolder;
use bundle::Bundle;
use keur_core::case::{Library, LibraryError};
use keur_core::messages::Lang;
use pyodide::Found;
use samples::Sample;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The list of a site's exercises.
const LIST: &str = "exercises.json";

/// The folder of a site with a file for each exercise.
const EXERCISES: &str = "exercises";

/// The name of keur as WebAssembly in a site.
const MODULE: &str = "keur.wasm";

/// Keur as WebAssembly; empty if this program was built without it.
const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/keur.wasm"));

/// What a site is made of.
pub struct Site {
    /// The source of the exercises.
    pub library: Library,
    /// The names of its exercises.
    pub exercises: Vec<String>,
    /// The language of its page; the browser's if there is none.
    pub lang: Option<Lang>,
    /// The Python for browsers; without it, the site grades no Python.
    pub pyodide: Option<Pyodide>,
    /// Keur as WebAssembly; that of this program if there is none.
    pub module: Option<PathBuf>,
    /// A folder with submissions that students may try, in a folder for each exercise.
    pub samples: Option<PathBuf>,
}

/// A site that was written.
pub struct Written {
    /// The number of exercises.
    pub exercises: usize,
    /// The number of files.
    pub files: usize,
    /// The bytes of all files.
    pub bytes: usize,
    /// The packages that exercises list and the folder of Pyodide lacks.
    pub missing: BTreeSet<String>,
    /// The exercises that are left out, each with the reason.
    pub left_out: Vec<SiteError>,
    /// The folders of samples that belong to no exercise of the site.
    pub other_samples: Vec<PathBuf>,
}

/// A reason why a site is not written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The exercises cannot be used.
    #[error("{0}")]
    Library(#[from] LibraryError),
    /// Nothing of an exercise can be graded in a page.
    #[error("{0}: no visible case can be graded in a page")]
    NothingVisible(String),
    /// An exercise has no language that a page grades.
    #[error("{0}: a page grades none of its languages, only Python, and JavaScript that runs no program")]
    NoLanguage(String),
    /// Nothing of an exercise can be graded without Python.
    #[error(
        "{0}: a page grades it in Python only, so it needs --pyodide or --pyodide-url; docs/site.md says how to get \
         Pyodide. To leave the exercise out, name the others with --exercise"
    )]
    OnlyPython(String),
    /// Keur as WebAssembly is missing.
    #[error(
        "this keur was built without its page; download a released keur, or build keur.wasm as \
         docs/site.md says and name it with `--module FILE`"
    )]
    NoModule,
    /// A file that the site needs cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {problem}", path.display())]
    Unfit {
        /// The path as given.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The target has files that no site has.
    #[error("{}: not empty, and not a site of keur; name another folder", .0.display())]
    Occupied(PathBuf),
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Unwritten {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// The files of a site, by path with `/` between names.
type Files = BTreeMap<String, Vec<u8>>;

impl Site {
    /// Writes the site to `folder`, which is new, empty or an earlier site.
    ///
    /// # Errors
    /// A part is missing, or a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<Written, SiteError> {
        check_target(folder)?;
        let mut files: Files = BTreeMap::from([(MODULE.to_owned(), self.module()?)]);
        let (bundles, left_out) = self.bundles()?;
        let packages: BTreeSet<String> = bundles.iter().flat_map(Bundle::packages).cloned().collect();
        let Found { files: of_pyodide, wheels, missing } =
            self.pyodide.as_ref().map(|pyodide| pyodide.files(&packages)).transpose()?.unwrap_or_default();
        files.extend(of_pyodide);
        for bundle in &bundles {
            let content = bundle.content(&wheels).to_string();
            files.insert(format!("{EXERCISES}/{}.json", bundle.name), content.into_bytes());
        }
        let mut entries = Vec::new();
        for bundle in &bundles {
            let samples = self.samples_of(&bundle.name)?;
            entries.push(bundle.entry(&samples));
            if !samples.is_empty() {
                let name = format!("{}/{}.json", samples::FOLDER, bundle.name);
                files.insert(name, json!(samples).to_string().into_bytes());
            }
        }
        let is_of_site = |name: &str| bundles.iter().any(|bundle| bundle.name == name);
        let other_samples = self
            .samples
            .as_ref()
            .map(|folder| samples::others(folder, is_of_site))
            .transpose()?
            .unwrap_or_default();
        let list = json!({ "keur": env!("CARGO_PKG_VERSION"), "exercises": entries });
        files.insert(LIST.to_owned(), list.to_string().into_bytes());
        page::add(&mut files, self.lang, self.pyodide.as_ref());
        write(folder, &files)?;
        Ok(Written {
            exercises: bundles.len(),
            files: files.len(),
            bytes: files.values().map(Vec::len).sum(),
            missing,
            left_out,
            other_samples,
        })
    }

    /// The exercises of the site, and why others are not in it.
    fn bundles(&self) -> Result<(Vec<Bundle>, Vec<SiteError>), SiteError> {
        let mut bundles = Vec::new();
        let mut left_out = Vec::new();
        for name in &self.exercises {
            let bundle = Bundle::of(&self.library, name)
                .and_then(|bundle| bundle.check_languages(self.pyodide.is_some()).map(|()| bundle));
            match bundle {
                Ok(bundle) => bundles.push(bundle),
                Err(reason @ (SiteError::NothingVisible(_) | SiteError::NoLanguage(_))) => {
                    left_out.push(reason)
                }
                Err(error) => return Err(error),
            }
        }
        if bundles.is_empty()
            && let Some(reason) = left_out.pop()
        {
            return Err(reason);
        }
        Ok((bundles, left_out))
    }

    fn samples_of(&self, exercise: &str) -> Result<Vec<Sample>, SiteError> {
        self.samples.as_ref().map_or(Ok(Vec::new()), |folder| samples::samples(&folder.join(exercise)))
    }

    fn module(&self) -> Result<Vec<u8>, SiteError> {
        let Some(path) = &self.module else {
            return if EMBEDDED.is_empty() { Err(SiteError::NoModule) } else { Ok(EMBEDDED.to_vec()) };
        };
        let module = read(path)?;
        if module.starts_with(b"\0asm") {
            return Ok(module);
        }
        let problem = "not WebAssembly; name keur.wasm, as docs/site.md builds it".to_owned();
        Err(SiteError::Unfit { path: path.clone(), problem })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SiteError> {
    fs::read(path).map_err(|source| SiteError::Unreadable { path: path.to_owned(), source })
}

/// The digest of texts, each with its name.
fn digest<'f>(files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>) -> String {
    let mut digest = Sha256::new();
    for (name, bytes) in files {
        digest.update(name);
        digest.update([0]);
        digest.update(Sha256::digest(bytes));
    }
    digest.finalize()[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_target(folder: &Path) -> Result<(), SiteError> {
    let is_empty = folder.read_dir().map_or(true, |mut entries| entries.next().is_none());
    if is_empty || is_site(folder) { Ok(()) } else { Err(SiteError::Occupied(folder.to_owned())) }
}

/// Whether a folder has a site.
pub fn is_site(folder: &Path) -> bool {
    [LIST, MODULE, page::INDEX].iter().all(|name| folder.join(name).is_file())
}

/// Writes all files, and removes the exercises, samples and files of Pyodide that an earlier site in the same folder had.
fn write(folder: &Path, files: &Files) -> Result<(), SiteError> {
    let unwritten = |path: &Path| {
        let path = path.to_owned();
        move |source| SiteError::Unwritten { path, source }
    };
    for (name, bytes) in files {
        let path = folder.join(name);
        let (above, name) = name.rsplit_once('/').unwrap_or(("", name));
        let above = TargetFolder::make(&folder.join(above)).map_err(unwritten(&path))?;
        above.write(name, bytes).map_err(unwritten(&path))?;
    }
    for inner in [EXERCISES, samples::FOLDER, pyodide::FOLDER] {
        for entry in folder.join(inner).read_dir().into_iter().flatten().flatten() {
            let name = format!("{inner}/{}", entry.file_name().to_string_lossy());
            if !files.contains_key(&name) {
                fs::remove_file(entry.path()).map_err(unwritten(&entry.path()))?;
            }
        }
    }
    Ok(())
}

/// The value of a JSON text that keur wrote.
fn to_text(value: &Value) -> String {
    // In a page, a text of JSON is inside an element of HTML.
    value.to_string().replace('<', "\\u003c")
}
