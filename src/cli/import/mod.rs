//! `keur import`: a pasted session, or a suite of TESTed.

mod arguments;
mod session;

use super::error::{CliError, CliResult, show_file};
use super::exit::RunStatus;
use super::{output, schema};
use crate::author::schemas::SchemaFolder;
use crate::tested::{self, ImportSettings};
use crate::writing;
pub(super) use arguments::ImportArgs;
use keur_core::case::{FileErrors, path_in, read_text, text_of};
use keur_core::messages::Lang;
use keur_core::named::Named;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The largest file of an exercise of TESTed that is read, in bytes.
const MOST_FILE: usize = 4 << 20;

/// The most bytes that are read of the files in `workdir`.
const MOST_BYTES: usize = 16 << 20;

/// The most entries of `workdir` that are looked at.
const MOST_ENTRIES: usize = 1000;

/// The deepest folder in `workdir`.
const MOST_DEPTH: usize = 8;

pub(super) fn run(args: &ImportArgs) -> CliResult {
    match &args.tested {
        Some(suite) => import(suite, args),
        None => session::import(args),
    }
}

fn import(path: &Path, args: &ImportArgs) -> CliResult {
    let source = read_source(path)?;
    let suite = SuitePlace::at(path);
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(&suite.name));
    let config = suite.read("config.json").and_then(|text| serde_json::from_str(&text).ok());
    let config: serde_json::Value = config.unwrap_or_default();
    let names = &config["description"]["names"];
    let lang = ["nl", "en", "da"].into_iter().find(|lang| names[lang].is_string());
    let title = lang.and_then(|lang| names[lang].as_str()).unwrap_or(&suite.name);
    let workdir = suite.workdir();
    let settings = ImportSettings {
        title,
        lang: lang.filter(|lang| *lang != Lang::En.name()),
        only_language: config["programming_language"].as_str(),
        workdir: &workdir,
    };
    let shown = path.display().to_string();
    let imported = match tested::import(&shown, &source, &settings, &|path| suite.read(path)) {
        Ok(imported) => imported,
        Err(errors) => {
            show_file(&errors);
            return Ok(RunStatus::BadCase);
        }
    };
    let schemas = SchemaFolder::near(&folder);
    let files = imported.files.into_iter().map(|(name, text)| {
        let line = if name.ends_with(".toml") { schemas.line(&name) } else { String::new() };
        (name, line + &text)
    });
    let files: BTreeMap<String, String> = files.collect();
    write(&folder, &files)?;
    schema::provide(&schemas)?;
    let cases = files.keys().filter(|name| name.ends_with(".toml")).count().saturating_sub(1);
    output::out(&format!("{}: {cases} {}\n", folder.display(), output::plural(cases, "case")));
    Ok(report(imported.problems.as_slice(), "of the suite not imported"))
}

/// The text of the file that is converted.
pub(super) fn read_source(path: &Path) -> Result<String, CliError> {
    read_text(path).map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// Writes files into a folder that is new or empty.
pub(super) fn write(folder: &Path, files: &BTreeMap<String, String>) -> Result<(), CliError> {
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        let shown = folder.display();
        return Err(CliError::Usage(format!("{shown}: not empty; name another folder with `-o`")));
    }
    for (name, content) in files {
        let path = folder.join(name);
        writing::write_new(&path, content).map_err(CliError::write(&path))?;
    }
    Ok(())
}

/// Prints what could not be said, as `parts`.
pub(super) fn report(problems: &[FileErrors], parts: &str) -> RunStatus {
    problems.iter().for_each(show_file);
    let count: usize = problems.iter().map(|file| file.diagnostics.len()).sum();
    if count == 0 {
        return RunStatus::Passed;
    }
    output::err(&format!(
        "{count} {} {parts}; docs/tested.md says what maps to what\n",
        output::plural(count, "part")
    ));
    RunStatus::Failed
}

/// The exercise of TESTed that a suite belongs to.
struct SuitePlace {
    name: String,
    /// The exercise's folder, which has `workdir` and `description` if TESTed's layout is kept.
    root: PathBuf,
    /// The folder of the suite.
    evaluation: PathBuf,
}

impl SuitePlace {
    fn at(path: &Path) -> SuitePlace {
        let folder = |path: &Path| match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            Some(_) | None => PathBuf::from("."),
        };
        let evaluation = folder(path);
        let full = evaluation.canonicalize().unwrap_or_else(|_| evaluation.clone());
        let name = |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned());
        if full.file_name().is_some_and(|name| name == "evaluation")
            && let Some(root) = full.parent()
        {
            let name = name(root.file_name()).unwrap_or_else(|| "exercise".to_owned());
            return SuitePlace { name, root: root.to_owned(), evaluation };
        }
        let name = name(path.file_stem()).unwrap_or_else(|| "exercise".to_owned());
        SuitePlace { name, root: evaluation.clone(), evaluation }
    }

    /// The text of a file in the folder of the exercise; no link on the way to it is followed.
    fn read(&self, path: &str) -> Option<String> {
        let place = match path.strip_prefix("evaluation/") {
            Some(beside) => path_in(&self.evaluation, beside),
            None => path_in(&self.root, path),
        };
        let place = place.ok().filter(|place| place.is_file())?;
        text_of(File::open(place).ok()?, MOST_FILE).ok()
    }

    /// The text files of `workdir`, by path; no link is followed, not even if the folder itself is one.
    fn workdir(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let Ok(root) = path_in(&self.root, "workdir") else { return files };
        let walk = walkdir::WalkDir::new(&root).max_depth(MOST_DEPTH).sort_by_file_name();
        let mut left = MOST_BYTES;
        for entry in walk.into_iter().take(MOST_ENTRIES).flatten() {
            let Ok(inside) = entry.path().strip_prefix(&root) else { continue };
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            let path = parts.join("/");
            let Some(text) = self.read(&format!("workdir/{path}")) else { continue };
            let Some(rest) = left.checked_sub(text.len()) else { break };
            left = rest;
            files.insert(path, text);
        }
        files
    }
}
