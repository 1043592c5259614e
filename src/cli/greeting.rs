//! `keur` without arguments: three things to do now, with the files of the current folder.
//!
//! Only names are read, and where an exercise has to be determined, what `keur grade` reads for that. Nothing
//! is run.

use super::exit::RunStatus;
use super::output;
use keur_core::case::{Exercise, Library};
use keur_core::compare::diff::visible;
use keur_core::exercises;
use keur_core::languages;
use keur_core::messages::Lang;
use keur_core::report::wrap::wrapped;
use keur_core::submission::opened::{self, MANIFEST, USUAL_TEST};
use std::fs;
use std::path::Path;

/// The number of suggestions.
const SHOWN: usize = 3;

/// The most names of a folder that are read.
const MOST_NAMES: usize = 2000;

/// The most source files and zips that are opened.
const MOST_OPENED: usize = 20;

/// The most folders in this one that are looked into.
const MOST_FOLDERS: usize = 50;

/// The fewest submissions that make a folder a class.
const CLASS: usize = 3;

/// The file that makes a folder an exercise.
const EXERCISE: &str = "exercise.toml";

/// The database of a class.
#[cfg(feature = "class")]
const DATABASE: &str = "class.db";

/// Shows what can be done in the current folder. Nothing is graded, so that it is a usage error: a CI job whose
/// command got lost must not pass.
pub(super) fn show() -> RunStatus {
    let suggestions = suggestions(Path::new("."));
    let widest = suggestions.iter().map(|suggestion| suggestion.command.len()).max().unwrap_or(0);
    let mut text = format!(
        "keur {} grades programming-course submissions. In this folder you can run:\n\n",
        env!("CARGO_PKG_VERSION")
    );
    for Suggestion { command, about } in &suggestions {
        let line = format!("  {command:widest$}  {about}");
        text += &(wrapped(&line, output::width_of_errors(), widest + 4) + "\n");
    }
    output::err(&(text + "\n`keur --help` lists every command.\n"));
    RunStatus::Usage
}

/// A command that works in the folder, and what it does.
#[derive(Debug, PartialEq, Eq)]
struct Suggestion {
    command: String,
    about: String,
}

fn suggest(command: impl Into<String>, about: impl Into<String>) -> Suggestion {
    Suggestion { command: command.into(), about: about.into() }
}

/// The first suggestions for a folder, and then those for any folder.
fn suggestions(folder: &Path) -> Vec<Suggestion> {
    let here = Here::read(folder);
    let classes = here.for_classes();
    // Those of a class are graded by the class.
    let submissions = if classes.is_empty() { here.for_submissions() } else { Vec::new() };
    let kinds = [classes, here.for_exercises(), submissions, anywhere(&here)];
    let mut shown: Vec<Suggestion> = Vec::new();
    for suggestion in kinds.into_iter().flatten() {
        if shown.len() < SHOWN && shown.iter().all(|other| other.command != suggestion.command) {
            shown.push(suggestion);
        }
    }
    shown
}

/// The suggestions that need no file.
fn anywhere(here: &Here<'_>) -> Vec<Suggestion> {
    let mut all = vec![suggest("keur list", "list the built-in exercises")];
    if cfg!(feature = "play") {
        all.push(suggest("keur play quixo", "play the game of an exercise"));
    }
    if !here.has("my_exercise") {
        all.push(suggest("keur new exercise my_exercise", "write an exercise of your own, with cases"));
    }
    all.push(suggest("keur doctor", "show what this machine can grade"));
    all
}

/// The entries of a folder, by name. Hidden ones, links, and those with names that a terminal cannot show are
/// left out.
struct Here<'a> {
    folder: &'a Path,
    files: Vec<String>,
    folders: Vec<String>,
}

impl Here<'_> {
    fn read(folder: &Path) -> Here<'_> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).into_iter().flatten().take(MOST_NAMES).flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || visible(&name, false) != name {
                continue;
            }
            if kind.is_file() {
                files.push(name);
            } else if kind.is_dir() {
                folders.push(name);
            }
        }
        files.sort();
        folders.sort();
        Here { folder, files, folders }
    }

    /// Whether there is something of this name, whatever it is.
    fn has(&self, name: &str) -> bool {
        self.folder.join(name).symlink_metadata().is_ok()
    }

    fn has_file(&self, path: &str) -> bool {
        self.folder.join(path).symlink_metadata().is_ok_and(|found| found.is_file())
    }

    /// This folder as `.`, or else the first folder in it, if that has a file of this name.
    fn folder_with(&self, file: &str) -> Option<String> {
        if self.has_file(file) {
            return Some(".".to_owned());
        }
        let mut folders = self.folders.iter().take(MOST_FOLDERS);
        folders.find(|name| self.has_file(&format!("{name}/{file}"))).map(|name| argument(name))
    }

    #[cfg(not(feature = "class"))]
    fn for_classes(&self) -> Vec<Suggestion> {
        Vec::new()
    }

    /// A class, or the download of one.
    #[cfg(feature = "class")]
    fn for_classes(&self) -> Vec<Suggestion> {
        use keur_core::submission::opened::has_zip_name;

        if let Some(class) = self.folder_with(DATABASE) {
            return vec![
                suggest(format!("keur class run {class}"), "grade what is not yet graded"),
                suggest(format!("keur class report {class}"), "show the grades"),
            ];
        }
        let mut names: Vec<String> = self.files.clone();
        names.extend(self.folders.iter().cloned());
        let mut zips = self.files.iter().filter(|name| has_zip_name(Path::new(name))).take(MOST_OPENED);
        let download = if is_download(&names) {
            Some((".".to_owned(), "../"))
        } else {
            let of_zip = |zip: &&String| {
                let entries = opened::entries(&self.folder.join(zip.as_str())).unwrap_or_default();
                let name = |path: &std::path::PathBuf| Some(path.file_name()?.to_str()?.to_owned());
                is_download(&entries.iter().take(MOST_NAMES).filter_map(name).collect::<Vec<_>>())
            };
            zips.find(of_zip).map(|zip| (argument(zip), ""))
        };
        let Some((download, beside)) = download else { return Vec::new() };
        // `keur grade --each` would take each attempt and each receipt of the platform for a submission.
        let names = ["class", "class_2", "class_3"].map(|name| format!("{beside}{name}"));
        let class = names.iter().find(|name| !self.has(name));
        let make = |class: &String| {
            let command = format!("keur class init {class} --each {download}");
            suggest(command, "make a class of this download, which keeps its grades")
        };
        class.map(make).into_iter().collect()
    }

    /// An exercise, or a folder of exercises.
    fn for_exercises(&self) -> Vec<Suggestion> {
        let Some(first) = self.folder_with(EXERCISE) else { return Vec::new() };
        let library = Library::Folder(self.folder.to_owned());
        let known = described(&library);
        let mut all = vec![suggest("keur check .", "check the cases against the reference")];
        if let Some((file, _)) = self.answers(&known).into_iter().next() {
            all.push(suggest(format!("keur grade {file} --cases ."), "grade this submission by its cases"));
        }
        all.push(suggest(format!("keur show {first}"), "show the cases as sessions"));
        all.push(suggest("keur list --cases .", "list the exercises, their cases and points"));
        all
    }

    /// Submissions to the built-in exercises: files, a crate, or a folder for each student.
    fn for_submissions(&self) -> Vec<Suggestion> {
        let known = described(&Library::BuiltIn);
        let answers = self.answers(&known);
        let folders = self.folders.iter().take(MOST_FOLDERS);
        let answered = folders.filter(|name| self.is_answer(name, &known)).count();
        if answers.len() >= CLASS || (answers.is_empty() && answered >= CLASS - 1) {
            return vec![suggest("keur grade --each .", "grade each file and folder as a submission")];
        }
        let mut all = Vec::new();
        for (file, exercise) in &answers {
            let title = exercise.title.get(Lang::En);
            all.push(suggest(format!("keur grade {file}"), format!("grade this submission to {title}")));
        }
        if let [(file, exercise)] = answers.as_slice() {
            let name = &exercise.name;
            if exercises::find(name).is_some_and(|built_in| built_in.sessions.is_some()) {
                let about = "search for a session that this submission gets wrong";
                all.push(suggest(format!("keur hunt {file}"), about));
            }
            all.push(suggest(format!("keur list {name}"), "list the cases and their points"));
        }
        all
    }

    /// The files that answer one of the exercises, as arguments; the folder itself, if it is a crate that does.
    fn answers<'e>(&self, known: &'e [Exercise]) -> Vec<(String, &'e Exercise)> {
        let all: Vec<&Exercise> = known.iter().collect();
        let open = |path: &Path| opened::open(path).ok()?.exercise(&all).ok();
        if self.has_file(MANIFEST) && self.has_file(USUAL_TEST) {
            return open(self.folder).map(|exercise| (".".to_owned(), exercise)).into_iter().collect();
        }
        // Several files that one submission consists of.
        let has_several =
            |names: &&Vec<String>| names.iter().filter(|name| self.has_file(name)).take(2).count() == 2;
        let together = |exercise: &&Exercise| exercise.files.values().any(|names| has_several(&names));
        if let Some(exercise) = known.iter().find(together) {
            return vec![(".".to_owned(), exercise)];
        }
        let sources = self.files.iter().filter(|name| languages::of_file(name).is_some()).take(MOST_OPENED);
        let answer = |name: &String| Some((argument(name), open(&self.folder.join(name))?));
        sources.filter_map(answer).collect()
    }

    /// Whether a folder in this one has a file with a name that an exercise asks for.
    fn is_answer(&self, folder: &str, known: &[Exercise]) -> bool {
        let mut wanted = known.iter().flat_map(|exercise| exercise.files.values().flatten());
        wanted.any(|file| self.has_file(&format!("{folder}/{file}")))
    }
}

/// Whether a learning platform wrote most of these names.
#[cfg(feature = "class")]
fn is_download(names: &[String]) -> bool {
    use crate::class::{NamedBy, sort_by_name};

    matches!(sort_by_name(names, &[], None), Some((NamedBy::Platform(_), _)))
}

/// The exercises of a library without an error in their files.
fn described(library: &Library) -> Vec<Exercise> {
    let names = library.names().unwrap_or_default();
    names.iter().take(MOST_FOLDERS).filter_map(|name| library.describe(name).ok()).collect()
}

/// A name as an argument in a shell, which is no option.
fn argument(name: &str) -> String {
    let path = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    shlex::try_quote(&path).map(std::borrow::Cow::into_owned).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::suggestions;
    use std::fs;

    /// Checks the commands that are suggested in a folder with these files.
    #[track_caller]
    fn check(files: &[(&str, &str)], commands: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().join("here");
        fs::create_dir(&here).unwrap();
        for (name, text) in files {
            let path = here.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let suggested: Vec<String> = suggestions(&here).into_iter().map(|found| found.command).collect();
        assert_eq!(suggested, commands);
    }

    const CLASS: &str = "class Quixo:\n    pass\n";
    const EXERCISE: &str = "title = \"Counters\"\nsession = \"python\"\nlang = \"en\"\n\
        [files]\npython = [\"counter.py\"]\n[class.Counter]\nnew = []\nmethods = { add = [] }\n";

    #[cfg(feature = "play")]
    #[test]
    fn an_empty_folder_has_what_needs_no_file() {
        let commands = ["keur list", "keur play quixo", "keur new exercise my_exercise"];
        check(&[], &commands);
        check(&[("notes.txt", "x"), ("hello.py", "print()\n"), (".hidden/quixo.py", CLASS)], &commands);
    }

    #[test]
    fn a_submission_is_graded_and_hunted() {
        let commands = ["keur grade quixo.py", "keur hunt quixo.py", "keur list quixo"];
        check(&[("quixo.py", CLASS), ("README.md", "x")], &commands);
        let commands = ["keur grade 'my game.py'", "keur hunt 'my game.py'", "keur list quixo"];
        check(&[("my game.py", CLASS)], &commands);
        let commands = ["keur grade ./-q.py", "keur hunt ./-q.py", "keur list quixo"];
        check(&[("-q.py", CLASS)], &commands);
    }

    #[test]
    fn a_crate_is_graded_as_a_folder() {
        let test = "fn main() { keur_core::submit::quixo::<Own>() }\n";
        let files =
            [("Cargo.toml", "[package]\nname = \"own\"\n"), ("src/lib.rs", ""), ("tests/grade.rs", test)];
        check(&files, &["keur grade .", "keur hunt .", "keur list quixo"]);
    }

    #[test]
    fn several_submissions_are_graded_as_a_class() {
        let folders = [("an/quixo.py", CLASS), ("bo/quixo.py", CLASS)];
        check(&folders, &["keur grade --each .", "keur list", "keur play quixo"]);
        let files = [("an.py", CLASS), ("bo.py", CLASS), ("cem.py", CLASS)];
        check(&files, &["keur grade --each .", "keur list", "keur play quixo"]);
    }

    #[test]
    fn the_files_of_one_submission_are_graded_together() {
        let files = [("board.py", "x"), ("move.py", "x"), ("minimax.py", "x"), ("README.md", "x")];
        check(&files, &["keur grade .", "keur hunt .", "keur list alquerque"]);
    }

    #[test]
    fn exercises_are_checked_and_grade_the_files_beside_them() {
        let one = [("exercise.toml", EXERCISE), ("notes.py", "x = 1\n")];
        check(&one, &["keur check .", "keur show .", "keur list --cases ."]);
        let course = [("counters/exercise.toml", EXERCISE), ("own.py", "class Counter:\n    pass\n")];
        check(&course, &["keur check .", "keur grade own.py --cases .", "keur show counters"]);
    }

    #[cfg(feature = "class")]
    #[test]
    fn a_class_goes_on_and_a_download_becomes_one() {
        let run = ["keur class run .", "keur class report .", "keur list"];
        check(&[("class.db", ""), ("class.toml", "")], &run);
        let below = ["keur class run lab", "keur class report lab", "keur list"];
        check(&[("lab/class.db", ""), ("notes.py", "")], &below);
        let download = [
            ("An De Smet_101_assignsubmission_file_/quixo.py", CLASS),
            ("Bo Ito_102_assignsubmission_file_/quixo.py", CLASS),
        ];
        check(&download, &["keur class init ../class --each .", "keur list", "keur play quixo"]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_a_terminal_would_obey_and_pipes_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("\u{1b}[2Jquixo.py"), CLASS).unwrap();
        fs::write(folder.path().join("\u{202e}yp.oxiuq.py"), CLASS).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, folder.path().join("quixo.py"), rustix::fs::Mode::RUSR)
            .unwrap();
        assert_eq!(suggestions(folder.path())[0].command, "keur list");
    }
}
