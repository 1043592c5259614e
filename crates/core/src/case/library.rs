//! Finds exercises and their cases: the built-in ones, or those of a folder.

use super::bounds::{NotUtf8, SMALLER, read_text};
use super::case_file::parse_cases;
use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::exercise_file::parse_exercise;
use super::files;
use super::model::{Case, Exercise};
use super::together;
use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that describes an exercise.
const EXERCISE_FILE: &str = "exercise.toml";

/// The built-in exercises' files, sorted by path: each path relative to `cases`, and its text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The source of exercises.
#[derive(Clone, Debug)]
pub enum Library {
    /// The exercises built into the binary.
    BuiltIn,
    /// A folder with one folder per exercise, or a folder that is one exercise.
    Folder(PathBuf),
}

impl From<Option<PathBuf>> for Library {
    /// The exercises of a folder; without one, the built-in ones.
    fn from(folder: Option<PathBuf>) -> Library {
        folder.map_or(Library::BuiltIn, Library::Folder)
    }
}

/// The place of the files of an exercise.
#[derive(Clone, Debug)]
pub enum ExercisePlace {
    /// In the program: the name of each file, and its text.
    Embedded(Vec<(&'static str, &'static str)>),
    /// In a folder.
    Folder(PathBuf),
}

/// An exercise with its cases: those with an order first, the others by name, numbers in names by value.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The exercise.
    pub exercise: Exercise,
    /// The cases, in that order.
    pub cases: Vec<Case>,
}

/// A reason why exercises or cases are not available.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The exercise, or one of its files, does not exist.
    #[error("{message}{}", help.iter().map(|help| format!("; {help}")).collect::<String>())]
    Missing {
        /// The problem and its place.
        message: String,
        /// An instruction that fixes the error.
        help: Option<String>,
    },
    /// Something could not be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// The reason.
        source: std::io::Error,
    },
    /// Files with errors.
    #[error("{}", .0.iter().map(FileErrors::to_string).collect::<Vec<_>>().join("\n"))]
    Bad(Vec<FileErrors>),
}

impl LibraryError {
    /// The error for a file that is not read: that it is too large, or not UTF-8, is an error in the file.
    pub fn unread(shown: &str, source: io::Error) -> LibraryError {
        if let Some(NotUtf8 { before }) = NotUtf8::of(&source) {
            let not_utf8 =
                Diagnostic::new("a byte here is no character of UTF-8", before.len()..before.len());
            let not_utf8 = not_utf8.help("save the file as UTF-8");
            return LibraryError::Bad(vec![FileErrors::new(shown, before, vec![not_utf8])]);
        }
        if source.kind() != io::ErrorKind::FileTooLarge {
            return LibraryError::Unreadable { path: shown.to_owned(), source };
        }
        let too_large = Diagnostic::new(source.to_string(), 0..0).help(SMALLER);
        LibraryError::Bad(vec![FileErrors::new(shown, "", vec![too_large])])
    }
}

impl Library {
    /// The names of the exercises, in alphabetical order.
    ///
    /// # Errors
    /// The folder cannot be read or holds no exercise.
    pub fn names(&self) -> Result<Vec<String>, LibraryError> {
        let mut names = match self {
            Library::BuiltIn => built_in_names(),
            Library::Folder(folder) if home(folder).is_some() => vec![folder_name(folder)],
            Library::Folder(folder) => list(folder)?
                .into_iter()
                .filter(|path| path.is_dir() && home(path).is_some())
                .map(|path| if path.is_symlink() { Err(link(&path)) } else { Ok(folder_name(&path)) })
                .collect::<Result<Vec<_>, _>>()?,
        };
        names.sort();
        if names.is_empty() {
            return Err(LibraryError::Missing {
                message: format!("no exercise in {}", self.place()),
                help: Some(format!("an exercise is a folder with an {EXERCISE_FILE}")),
            });
        }
        Ok(names)
    }

    /// The exercise called `name`, with its cases.
    ///
    /// # Errors
    /// There is no such exercise, files cannot be read, or files have errors. An exercise without cases is an
    /// error.
    pub fn load(&self, name: &str) -> Result<Loaded, LibraryError> {
        self.must_have(name)?;
        match self.folder_of(name) {
            None => load(name, None, built_in_files(name), &[]),
            Some(folder) => load_folder(&folder),
        }
    }

    /// The exercise called `name`, without its cases.
    ///
    /// # Errors
    /// See [`Library::load`], for the exercise's own file.
    pub fn describe(&self, name: &str) -> Result<Exercise, LibraryError> {
        self.must_have(name)?;
        let folder = self.folder_of(name);
        let file = match &folder {
            None => built_in_files(name).into_iter().find(|file| file.stem == "exercise"),
            Some(folder) => Some(exercise_of(folder)?),
        };
        let file = file.ok_or_else(|| no_exercise(Path::new(name)))?;
        described(name, folder, &file)
    }

    /// The place of the files of the exercise called `name`.
    ///
    /// # Errors
    /// There is no such exercise.
    pub fn place_of(&self, name: &str) -> Result<ExercisePlace, LibraryError> {
        self.must_have(name)?;
        let own = |(path, text): &(&'static str, &'static str)| {
            Some((path.strip_prefix(name)?.strip_prefix('/')?, *text))
        };
        Ok(match self.folder_of(name) {
            None => ExercisePlace::Embedded(BUILT_IN.iter().filter_map(own).collect()),
            Some(folder) => ExercisePlace::Folder(folder),
        })
    }

    /// The folder of the exercise called `name`; `None` if it is built in.
    fn folder_of(&self, name: &str) -> Option<PathBuf> {
        match self {
            Library::BuiltIn => None,
            Library::Folder(folder) if home(folder).is_some() => Some(folder.clone()),
            Library::Folder(folder) => Some(folder.join(name)),
        }
    }

    /// Every exercise, with its cases.
    ///
    /// # Errors
    /// See [`Library::load`], for all exercises together.
    pub fn load_all(&self) -> Result<Vec<Loaded>, LibraryError> {
        let mut bad = Vec::new();
        let mut all = Vec::new();
        for name in self.names()? {
            match self.load(&name) {
                Ok(loaded) => all.push(loaded),
                Err(LibraryError::Bad(files)) => bad.extend(files),
                Err(error @ (LibraryError::Missing { .. } | LibraryError::Unreadable { .. })) => {
                    return Err(error);
                }
            }
        }
        if bad.is_empty() { Ok(all) } else { Err(LibraryError::Bad(bad)) }
    }

    /// The case in the file `path`, with its folder's exercise: the one described there, else the built-in
    /// one with the folder's name.
    ///
    /// # Errors
    /// See [`Library::load`], for that file alone.
    pub fn load_file(path: &Path) -> Result<Loaded, LibraryError> {
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => Path::new("."),
        };
        let file = read_file(path)?;
        let mut files = vec![exercise_of(folder)?];
        if path.file_name().is_none_or(|name| name != EXERCISE_FILE) {
            files.push(file);
        }
        load(&folder_name(folder), Some(folder.to_owned()), files, &stems(folder)?)
    }

    /// The exercise called `name` with its cases, all of whose files have these names and texts.
    ///
    /// # Errors
    /// See [`Library::load`].
    pub fn load_texts(name: &str, texts: &[(String, String)]) -> Result<Loaded, LibraryError> {
        let file = |(path, text): &(String, String)| {
            let stem = path.strip_suffix(".toml")?.to_owned();
            Some(TomlFile { stem, path: format!("cases/{name}/{path}"), text: text.clone() })
        };
        load(name, None, texts.iter().filter_map(file).collect(), &[])
    }

    /// An exercise with one case, whose file has this text; errors call the file `shown`. The exercise is a
    /// folder, or the name of a built-in one.
    ///
    /// # Errors
    /// See [`Library::load`].
    pub fn load_text(exercise: &Path, shown: &str, text: String) -> Result<Loaded, LibraryError> {
        let file = TomlFile { stem: shown.to_owned(), path: shown.to_owned(), text };
        if exercise.is_dir() {
            let folder = Some(exercise.to_owned());
            return load(
                &folder_name(exercise),
                folder,
                vec![exercise_of(exercise)?, file],
                &stems(exercise)?,
            );
        }
        let name = exercise.to_string_lossy();
        Library::BuiltIn.must_have(&name)?;
        let (description, cases): (Vec<TomlFile>, Vec<TomlFile>) =
            built_in_files(&name).into_iter().partition(|file| file.path.ends_with(EXERCISE_FILE));
        let others: Vec<String> = cases.into_iter().map(|case| case.stem).collect();
        load(&name, None, description.into_iter().chain([file]).collect(), &others)
    }

    /// The exercise whose cases are in `folder`, which need not exist: the one described there, else the
    /// built-in one with the folder's name. `None` if it is neither.
    ///
    /// # Errors
    /// See [`Library::load`], for the exercise's own file.
    pub fn of_folder(folder: &Path) -> Option<Result<Exercise, LibraryError>> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        home(folder)?;
        Some(Library::Folder(folder.to_owned()).describe(&folder_name(folder)))
    }

    /// The files of exercises and cases in `folder`: of the exercise that it is, or of each in it.
    ///
    /// # Errors
    /// The folder cannot be read or holds no exercise.
    pub fn files(folder: &Path) -> Result<Vec<PathBuf>, LibraryError> {
        let mut files = Vec::new();
        for name in Library::Folder(folder.to_owned()).names()? {
            let own = if home(folder).is_some() { folder.to_owned() } else { folder.join(name) };
            let is_toml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
            files.extend(list(&own)?.into_iter().filter(|path| is_toml(path) && path.is_file()));
        }
        Ok(files)
    }

    fn must_have(&self, name: &str) -> Result<(), LibraryError> {
        let names = self.names()?;
        if names.iter().any(|known| known == name) {
            return Ok(());
        }
        Err(LibraryError::Missing {
            message: format!("no exercise `{name}` in {}", self.place()),
            help: did_you_mean(name, names.iter().map(String::as_str)),
        })
    }

    /// The place, for a message.
    fn place(&self) -> String {
        match self {
            Library::BuiltIn => "the built-in exercises".to_owned(),
            Library::Folder(folder) => folder.display().to_string(),
        }
    }
}

/// The file of an exercise or of a case: its stem, its name for messages, and its text.
struct TomlFile {
    stem: String,
    path: String,
    text: String,
}

fn built_in_names() -> Vec<String> {
    BUILT_IN.iter().filter_map(|(path, _)| path.strip_suffix("/exercise.toml").map(str::to_owned)).collect()
}

fn built_in_files(name: &str) -> Vec<TomlFile> {
    let files = BUILT_IN.iter().filter_map(|(path, text)| {
        let (folder, file) = path.split_once('/')?;
        let stem = file.strip_suffix(".toml").filter(|_| folder == name)?.to_owned();
        Some(TomlFile { stem, path: format!("cases/{path}"), text: (*text).to_owned() })
    });
    files.collect()
}

/// The description of the exercise in `folder`: a file in it, or the built-in one with the folder's name.
fn home(folder: &Path) -> Option<Home> {
    let file = folder.join(EXERCISE_FILE);
    if file.is_file() {
        return Some(Home::Own(file));
    }
    let name = folder_name(folder);
    built_in_names().contains(&name).then_some(Home::BuiltIn(name))
}

enum Home {
    Own(PathBuf),
    BuiltIn(String),
}

fn exercise_of(folder: &Path) -> Result<TomlFile, LibraryError> {
    match home(folder) {
        Some(Home::Own(path)) => read_file(&path),
        Some(Home::BuiltIn(name)) => built_in_files(&name)
            .into_iter()
            .find(|file| file.path.ends_with(EXERCISE_FILE))
            .ok_or_else(|| no_exercise(folder)),
        None => Err(no_exercise(folder)),
    }
}

fn no_exercise(folder: &Path) -> LibraryError {
    LibraryError::Missing {
        message: format!("no {EXERCISE_FILE} in {}", folder.display()),
        help: Some(
            "a case belongs in the folder of its exercise, or in a folder with the name of a built-in exercise"
                .to_owned(),
        ),
    }
}

fn load_folder(folder: &Path) -> Result<Loaded, LibraryError> {
    let mut files = vec![exercise_of(folder)?];
    for path in list(folder)? {
        let toml = path.extension().is_some_and(|ending| ending == "toml");
        if toml && path.is_file() && path.file_name().is_some_and(|name| name != EXERCISE_FILE) {
            files.push(read_file(&path)?);
        }
    }
    load(&folder_name(folder), Some(folder.to_owned()), files, &[])
}

/// The exercise in `file`; paths in it are relative to `folder`.
fn described(name: &str, folder: Option<PathBuf>, file: &TomlFile) -> Result<Exercise, LibraryError> {
    let bad = |errors| LibraryError::Bad(vec![errors]);
    let exercise = parse_exercise(name, &file.path, &file.text).map_err(bad)?;
    let mut errors = Vec::new();
    let input_files = files::read(folder.as_deref(), &exercise.given_files, &mut errors);
    if errors.is_empty() {
        Ok(Exercise { folder, input_files, ..exercise })
    } else {
        Err(bad(FileErrors::new(&file.path, &file.text, errors)))
    }
}

/// Loads an exercise from its files; `others` are files of cases that exist too, and are not loaded.
fn load(
    name: &str,
    folder: Option<PathBuf>,
    files: Vec<TomlFile>,
    others: &[String],
) -> Result<Loaded, LibraryError> {
    let (description, cases): (Vec<TomlFile>, Vec<TomlFile>) =
        files.into_iter().partition(|file| file.path.ends_with(EXERCISE_FILE));
    let Some(description) = description.first() else { return Err(no_exercise(Path::new(name))) };
    let exercise = described(name, folder, description)?;
    let mut bad = Vec::new();
    let mut loaded = Vec::new();
    for file in cases {
        match parse_cases(&exercise, &file.stem, &file.path, &file.text) {
            Ok(cases) => loaded.extend(cases),
            Err(errors) => bad.push(errors),
        }
    }
    bad.extend(together::problems(&loaded, others));
    loaded.sort_by(|one, other| {
        let place = |case: &Case| case.order.map_or(u64::from(u32::MAX) + 1, u64::from);
        place(one).cmp(&place(other)).then_with(|| natural_order(&one.name, &other.name))
    });
    if bad.is_empty() { Ok(Loaded { exercise, cases: loaded }) } else { Err(LibraryError::Bad(bad)) }
}

/// The order of names in which numbers count by value: `size_2` before `size_10`.
fn natural_order(one: &str, other: &str) -> Ordering {
    runs(one).cmp(runs(other)).then_with(|| one.cmp(other))
}

/// A run of characters in a name; a number stands before a text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum NameRun<'n> {
    /// The digits without leading zeros, after their number, which decides first.
    Number(usize, &'n str),
    Text(&'n str),
}

/// The runs of digits and of other characters in a name.
fn runs(name: &str) -> impl Iterator<Item = NameRun<'_>> {
    name.as_bytes().chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit()).map(|run| {
        let text = std::str::from_utf8(run).unwrap_or_default();
        if text.starts_with(|ch: char| ch.is_ascii_digit()) {
            let number = text.trim_start_matches('0');
            NameRun::Number(number.len(), number)
        } else {
            NameRun::Text(text)
        }
    })
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    let unreadable = |source| LibraryError::Unreadable { path: folder.display().to_string(), source };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

/// The names of the case files in a folder.
fn stems(folder: &Path) -> Result<Vec<String>, LibraryError> {
    let files = list(folder)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
    Ok(files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect())
}

fn read_file(path: &Path) -> Result<TomlFile, LibraryError> {
    // Errors quote the file, and a stranger's link may lead to any.
    if path.is_symlink() {
        return Err(link(path));
    }
    let shown = path.display().to_string();
    let text = read_text(path).map_err(|error| LibraryError::unread(&shown, error))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // A byte order mark is not part of the text, and TOML does not allow one.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(TomlFile { stem, path: shown, text })
}

/// The error for a link among exercises or cases.
fn link(path: &Path) -> LibraryError {
    LibraryError::Missing {
        message: format!("{} is a link, which is not followed", path.display()),
        help: Some("put what it leads to in its place".to_owned()),
    }
}

fn folder_name(folder: &Path) -> String {
    // `.` and `..` get a name only when resolved.
    let named = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    named
        .or_else(|| Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Library, natural_order};

    #[test]
    fn an_exercise_in_memory_is_the_one_on_disk() {
        let own =
            |(path, text): &(&str, &str)| Some((path.strip_prefix("quixo/")?.to_owned(), (*text).to_owned()));
        let texts: Vec<(String, String)> = BUILT_IN.iter().filter_map(own).collect();
        let loaded = [Library::load_texts("quixo", &texts), Library::BuiltIn.load("quixo")];
        let [texts, built_in] = loaded.map(|loaded| format!("{:?}", loaded.unwrap().cases));
        assert_eq!(texts, built_in);
    }

    #[test]
    fn numbers_in_names_count_by_value() {
        let mut names = ["size_10", "size_2b", "size", "10", "size_02", "9", "size_2", "a"];
        names.sort_by(|one, other| natural_order(one, other));
        assert_eq!(names, ["9", "10", "a", "size", "size_02", "size_2", "size_2b", "size_10"]);
    }
}
