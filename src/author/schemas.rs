//! The JSON Schemas of keur's files, with which an editor completes, explains and checks them.

use crate::writing::{TargetFolder, without_links};
use std::io;
use std::path::{Path, PathBuf};

/// The name and the text of a schema's file.
macro_rules! schema {
    ($name:literal) => {
        (
            concat!($name, ".schema.json"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/", $name, ".schema.json")),
        )
    };
}

/// The name of each schema's file, and its text.
pub const SCHEMAS: [(&str, &str); 6] = [
    schema!("audit"),
    schema!("case"),
    schema!("check"),
    schema!("class"),
    schema!("exercise"),
    schema!("report"),
];

/// The folder with the schemas of a course.
const FOLDER: &str = "schema";

/// The schema of cases, by which a folder of schemas is known.
const OF_CASES: &str = "case.schema.json";

/// The schema of exercises.
const OF_EXERCISES: &str = "exercise.schema.json";

/// The file that describes an exercise.
const EXERCISE_FILE: &str = "exercise.toml";

/// How far above a file its schemas are looked for: as far as those of keur's own cases are.
const MOST_LEVELS: usize = 2;

/// The folder with the schemas for the files of an exercise.
#[derive(Clone, Debug)]
pub struct SchemaFolder {
    /// The folder of the exercise's files.
    files: PathBuf,
    /// The number of folders from `files` up to the one that the folder of schemas is in.
    levels: usize,
    /// Whether the schemas are there.
    is_there: bool,
}

impl SchemaFolder {
    /// The nearest folder `schema` in or above the exercise's folder `files`, which need not exist. If there is
    /// none, it is to be made in the exercise's folder: nothing is written outside of what the user names.
    pub fn near(files: &Path) -> SchemaFolder {
        let files = without_links(files);
        let has_schemas = |levels: &usize| {
            let above = files.ancestors().nth(*levels);
            above.is_some_and(|above| above.join(FOLDER).join(OF_CASES).is_file())
        };
        let found = (0..=MOST_LEVELS).find(has_schemas);
        SchemaFolder { files, levels: found.unwrap_or(0), is_there: found.is_some() }
    }

    /// The first line of the exercise's file of this name, which tells editors its schema.
    pub fn line(&self, file: &str) -> String {
        let schema = if file == EXERCISE_FILE { OF_EXERCISES } else { OF_CASES };
        let up = if self.levels == 0 { "./".to_owned() } else { "../".repeat(self.levels) };
        format!("#:schema {up}{FOLDER}/{schema}\n")
    }

    /// Writes the schemas of cases and exercises, unless they are there. Returns the folder if it was written.
    ///
    /// # Errors
    /// The schema at the path that is returned cannot be written.
    pub fn provide(&self) -> Result<Option<PathBuf>, (PathBuf, io::Error)> {
        if self.is_there {
            return Ok(None);
        }
        let folder = self.files.join(FOLDER);
        write_into(&folder, |name| [OF_CASES, OF_EXERCISES].contains(&name))?;
        Ok(Some(folder))
    }
}

/// Writes all schemas into a folder, and replaces those that are there.
///
/// # Errors
/// The schema at the path that is returned cannot be written.
pub fn write_schemas(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    write_into(folder, |_| true)
}

/// Writes the schemas whose files have names that are `wanted`.
fn write_into(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), (PathBuf, io::Error)> {
    let target = TargetFolder::make(folder).map_err(|error| (folder.to_owned(), error))?;
    SCHEMAS
        .iter()
        .filter(|(name, _)| wanted(name))
        .try_for_each(|(name, text)| target.write(name, text).map_err(|error| (folder.join(name), error)))
}
