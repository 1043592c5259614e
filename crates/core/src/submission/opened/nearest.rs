//! Finds the exercise that comes nearest to what a submission has, for the message that none matches.

use super::detect::{defined_by, is_source, wanted};
use super::tree::{Tree, TreeEntry};
use crate::case::{Exercise, Naming, near};
use crate::languages::{self, Language, pattern};
use crate::submission::{NearestExercise, Nearness};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// The most source files that are compared with exercises.
const MOST_COMPARED: usize = 20;

/// The fewest bytes of a name of which another one can be a misspelling: shorter ones are alike by chance.
const SHORTEST: usize = 4;

/// A function or a method, in any language: `def move(`, or a name and parameters before a brace.
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bdef[ \t]+(\w+)[ \t]*\(|\b(\w+)[ \t]*\([^(){};]*\)[^(){};=]*\{"));

/// The exercise among `exercises` that comes nearest to a file of the tree; none if nothing is near, or several
/// are as near.
pub(super) fn nearest(tree: &Tree, exercises: &[&Exercise]) -> Option<NearestExercise> {
    let sources = tree.entries().iter().filter(|entry| is_source(entry.name())).take(MOST_COMPARED);
    let files: Vec<SourceNames> = sources.filter_map(|entry| SourceNames::read(tree, entry)).collect();
    let mut found: Vec<(usize, NearestExercise)> = Vec::new();
    for exercise in exercises {
        let best = files.iter().filter_map(|file| file.nearness(exercise)).max_by_key(|(score, _)| *score);
        found.extend(
            best.map(|(score, why)| (score, NearestExercise { exercise: exercise.name.clone(), why })),
        );
    }
    let highest = found.iter().map(|(score, _)| *score).max()?;
    found.retain(|(score, _)| *score == highest);
    let (_, only) = found.pop().filter(|_| found.is_empty())?;
    Some(only)
}

/// The names in a source file.
struct SourceNames {
    /// The file, as a message shows it.
    file: String,
    /// The name of the file.
    name: String,
    language: &'static Language,
    /// The names that the file defines at the top level.
    defined: BTreeSet<String>,
    /// The functions and methods that it defines at any level.
    functions: BTreeSet<String>,
}

impl SourceNames {
    fn read(tree: &Tree, entry: &TreeEntry) -> Option<SourceNames> {
        let language = languages::of_file(entry.name())?;
        let bytes = tree.read(entry).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let functions =
            FUNCTION.captures_iter(&text).filter_map(|found| found.iter().skip(1).flatten().next());
        Some(SourceNames {
            file: entry.shown(),
            name: entry.name().to_owned(),
            language,
            defined: defined_by(tree, entry),
            functions: functions.map(|name| name.as_str().to_owned()).collect(),
        })
    }

    /// How near the file is to an exercise, in percent, and why.
    fn nearness(&self, exercise: &Exercise) -> Option<(usize, Nearness)> {
        let naming = Naming::of(exercise, self.language);
        let methods = exercise.classes.values().flat_map(|class| class.methods.keys());
        let asked: Vec<String> = exercise
            .definitions()
            .chain(methods.map(String::as_str))
            .map(|name| naming.spell(name))
            .collect();
        let (has, lacks): (Vec<String>, Vec<String>) = asked
            .iter()
            .cloned()
            .partition(|name| self.defined.contains(name) || self.functions.contains(name));
        let misspelled = naming.definitions().into_iter().find_map(|(_, wanted)| {
            let others = self.defined.iter().map(String::as_str);
            let others = others.filter(|name| name.len() >= SHORTEST && !asked.iter().any(|own| own == name));
            let found =
                near(&wanted, others).filter(|_| lacks.contains(&wanted) && wanted.len() >= SHORTEST)?;
            Some(Nearness::Definition { file: self.file.clone(), found: found.to_owned(), wanted })
        });
        let percent = |count: usize| count * 100 / asked.len().max(1);
        let named = self.near_file(exercise);
        // A file that is named after an exercise weighs as much as half of what that one asks for.
        let bonus = if named.is_some() { 50 } else { 0 };
        if let Some(why) = misspelled {
            return Some((percent(has.len() + 1) + bonus, why));
        }
        if has.len() * 3 >= asked.len() && !has.is_empty() {
            let score = percent(has.len()) + bonus;
            return Some((score, Nearness::Names { file: self.file.clone(), found: has, wanted: lacks }));
        }
        named.map(|wanted| (bonus, Nearness::FileName { file: self.file.clone(), wanted }))
    }

    /// The file name of an exercise in this language that the name of the file resembles or contains.
    fn near_file(&self, exercise: &Exercise) -> Option<String> {
        let stem = |name: &str| Path::new(name).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let own = stem(&self.name)?;
        let same_language = |name: &String| {
            languages::of_file(name).is_some_and(|language| language.name == self.language.name)
        };
        wanted(exercise).into_iter().filter(same_language).find(|name| {
            let Some(stem) = stem(name).filter(|stem| stem.len() >= SHORTEST) else { return false };
            own.contains(&stem) || near(&own, [stem.as_str()]).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::case::{Exercise, Library};
    use crate::submission::{Nearness, opened};
    use std::fs;

    /// Checks the built-in exercise that is nearest to a folder with these files, and the reason.
    #[track_caller]
    fn check(files: &[(&str, &str)], nearest: Option<&str>) {
        check_among(&Library::BuiltIn, files, nearest);
    }

    #[track_caller]
    fn check_among(library: &Library, files: &[(&str, &str)], nearest: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let exercises: Vec<Exercise> =
            library.names().unwrap().iter().map(|name| library.describe(name).unwrap()).collect();
        let opened = opened::open(folder.path()).ok().unwrap();
        let unclear = opened.exercise(&exercises.iter().collect::<Vec<_>>()).unwrap_err();
        let found = unclear.nearest.map(|nearest| {
            let why = match nearest.why {
                Nearness::Definition { file, found, wanted } => format!("{wanted} for {found} in {file}"),
                Nearness::Names { file, found, wanted } => {
                    format!("{} without {} in {file}", found.join(", "), wanted.join(", "))
                }
                Nearness::FileName { file, wanted } => format!("{wanted} for {file}"),
            };
            format!("{}: {why}", nearest.exercise)
        });
        assert_eq!(found.as_deref(), nearest);
    }

    #[test]
    fn a_misspelled_class_is_nearest_to_its_exercise() {
        let asks = "quixo: Quixo for Qixo in mine.py";
        check(&[("mine.py", "class Qixo:\n    def play(self):\n        pass\n")], Some(asks));
        let case = "quixo: Quixo for quixo in mine.js";
        check(&[("other.py", "x = 1\n"), ("mine.js", "class quixo {}\n")], Some(case));
    }

    #[test]
    fn methods_of_an_exercise_in_another_class_are_near() {
        let methods = "quixo: beurt, positie without Quixo in mine.py";
        let python =
            "class Spel:\n    def positie(self):\n        pass\n    def beurt(self, van):\n        pass\n";
        check(&[("mine.py", python)], Some(methods));
        let java =
            "class Spel {\n  String positie() {\n  }\n  void beurt(String van, int n) throws E {\n  }\n}\n";
        check(&[("Spel.java", java)], Some(&methods.replace("mine.py", "Spel.java")));
        // A call is no definition.
        check(&[("mine.py", "spel.positie()\nif spel.beurt(1):\n    pass\n")], None);
    }

    #[test]
    fn a_file_is_near_by_a_name_in_the_same_language() {
        let named = "quixo: quixo.py for ";
        for file in ["quixo_final.py", "My Quixo (2).py", "qixo.py"] {
            check(&[(file, "x = 1\n")], Some(&format!("{named}{file}")));
        }
        check(&[("quixo_final.rb", "x = 1\n"), ("mine.py", "x = 1\n")], None);
    }

    #[test]
    fn nothing_is_near_if_nothing_is_alike_or_two_exercises_are() {
        check(&[("mine.py", "class Game:\n    def play(self):\n        pass\n")], None);
        check(&[("quixo_final.py", "x = 1\n"), ("yinyang_final.py", "x = 1\n")], None);
    }

    #[test]
    fn an_exercise_of_a_folder_is_near_by_its_functions() {
        let library = tempfile::tempdir().unwrap();
        for (name, functions) in
            [("account", ["deposit", "withdraw", "close"].as_slice()), ("shapes", &["circle"])]
        {
            fs::create_dir(library.path().join(name)).unwrap();
            let functions: String =
                functions.iter().map(|function| format!("{function} = {{ args = [] }}\n")).collect();
            let head = "title = \"T\"\nsession = \"python\"\nlang = \"en\"\n";
            let text = format!("{head}[files]\npython = [\"{name}.py\"]\n[function]\n{functions}");
            fs::write(library.path().join(name).join("exercise.toml"), text).unwrap();
        }
        let library = Library::Folder(library.path().to_owned());
        let python = "def deposit():\n    pass\n";
        let near = "account: deposit without close, withdraw in mine.py";
        check_among(&library, &[("mine.py", python)], Some(near));
    }
}
