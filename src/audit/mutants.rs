//! Mutants: wrong submissions, each a right program with one change, to find out what an exercise's cases
//! notice.
//!
//! They are data beside the cases: a file of TOML, and the right programs if the exercise's own reference is
//! not the one that they change.

use keur_core::case::{Exercise, path_in};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file that describes the mutants of an exercise, among its cases, and the folder that it is in.
const FILE: &str = "mutants/mutants.toml";
const FOLDER: &str = "mutants";

/// The files of the built-in exercises' mutants, sorted by path: each path relative to `cases`, and its text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/mutants.rs"));

/// Where the mutants of an exercise are.
#[derive(Clone, Copy, Debug)]
pub(super) enum MutantPlace<'e> {
    /// In this folder of an exercise.
    Folder(&'e Path),
    /// In the program, for the built-in exercise of this name.
    BuiltIn(&'e str),
}

impl<'e> MutantPlace<'e> {
    /// The place of an exercise's mutants: beside its cases, else with the built-in exercise that it refers
    /// to. `None` if it has none.
    pub(super) fn of(exercise: &'e Exercise) -> Option<MutantPlace<'e>> {
        let own = exercise.folder.as_deref().filter(|folder| folder.join(FILE).is_file());
        let built_in = exercise.built_in().map(MutantPlace::BuiltIn);
        own.map(MutantPlace::Folder).or_else(|| built_in.filter(|place| place.text(FILE).is_ok()))
    }

    /// The path of the file that describes them, for messages.
    pub(super) fn path(self) -> PathBuf {
        match self {
            MutantPlace::Folder(folder) => folder.join(FILE),
            MutantPlace::BuiltIn(name) => PathBuf::from(format!("cases/{name}/{FILE}")),
        }
    }

    /// The text of the file that describes them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn description(self) -> io::Result<String> {
        self.text(FILE)
    }

    /// Reads the file that describes them, whose text is `toml`. `program` are the right programs if the file
    /// names none.
    ///
    /// # Errors
    /// Everything that is wrong in the file.
    pub(super) fn read(self, toml: &str, program: &[RightProgram]) -> Result<MutantSet, Vec<MutantError>> {
        MutantSet::read(toml, program, &mut |name| self.text(&format!("{FOLDER}/{name}")).ok())
    }

    /// The text of a file of the exercise.
    fn text(self, path: &str) -> io::Result<String> {
        match self {
            MutantPlace::Folder(folder) => fs::read_to_string(path_in(folder, path)?),
            MutantPlace::BuiltIn(name) => {
                let path = format!("{name}/{path}");
                let found = BUILT_IN.iter().find(|(known, _)| *known == path);
                found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }
}

/// Right programs, and the mutants made of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MutantSet {
    /// The right programs, at most one for each language.
    pub(super) programs: Vec<RightProgram>,
    /// The mutants, in the order of the file.
    pub(super) mutants: Vec<Mutant>,
    /// Generic mutants that nothing can tell from the right program: the name of each, and why.
    pub(super) equivalent: BTreeMap<String, String>,
}

/// A submission that is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RightProgram {
    /// The programming language, by the name that exercise files use.
    pub(super) language: String,
    /// The files, each with its name and its text.
    pub(super) files: Vec<(String, String)>,
}

impl RightProgram {
    /// The files after a change of one of them.
    pub(super) fn with(&self, change: &CodeChange) -> Vec<(String, String)> {
        let mut files = self.files.clone();
        for (_, text) in files.iter_mut().filter(|(name, _)| *name == change.file) {
            *text = format!("{}{}{}", &text[..change.at.start], change.put, &text[change.at.end..]);
        }
        files
    }
}

/// A right program with one change that makes it wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// Unique among the mutants of the exercise.
    pub(super) name: String,
    /// The mistake: a sentence without a full stop.
    pub(super) what: String,
    /// The index of its program among those of the set.
    pub(super) program: usize,
    pub(super) change: CodeChange,
    /// Whether it breaks a ruling only.
    pub(super) ruling: bool,
    /// The proof that no session can tell it from the right program, if so: a sentence.
    pub(super) equivalent: Option<String>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeChange {
    /// The file.
    pub(super) file: String,
    /// The bytes that are replaced.
    pub(super) at: Range<usize>,
    pub(super) put: String,
}

/// An error in a file of mutants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(super) struct MutantError {
    /// The problem, and what to do.
    pub(super) message: String,
    /// The bytes of the file that it is about.
    pub(super) at: Range<usize>,
}

impl MutantSet {
    /// Reads a file of mutants. `program` are the right programs if the file names none, and `open` gives the
    /// text of a file that it names.
    ///
    /// # Errors
    /// Everything that is wrong in the file.
    pub(super) fn read(
        toml: &str,
        program: &[RightProgram],
        open: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<MutantSet, Vec<MutantError>> {
        let (table, errors) = DeTable::parse_recoverable(toml);
        if !errors.is_empty() {
            let error = |error: toml::de::Error| MutantError {
                message: error.message().trim().to_owned(),
                at: error.span().unwrap_or(0..0),
            };
            return Err(errors.into_iter().map(error).collect());
        }
        let mut reader = MutantReader { errors: Vec::new(), names: BTreeSet::new() };
        let mut set =
            MutantSet { programs: program.to_vec(), mutants: Vec::new(), equivalent: BTreeMap::new() };
        let table = table.get_ref();
        if let Some(programs) = table.get("program") {
            set.programs = reader.programs(programs, open);
        }
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("program", _) => {}
                ("mutant", DeValue::Array(mutants)) => {
                    for mutant in mutants.iter() {
                        let mutant = reader.mutant(mutant, &set.programs);
                        set.mutants.extend(mutant);
                    }
                }
                ("equivalent", DeValue::Table(proofs)) => {
                    for (name, proof) in proofs {
                        if let Some(proof) = reader.sentence("equivalent", proof) {
                            set.equivalent.insert(name.get_ref().to_string(), proof);
                        }
                    }
                }
                ("mutant" | "equivalent", _) => {
                    reader.error(
                        "write `[[mutant]]` above each mutant, and `[equivalent]` above a list",
                        value,
                    );
                }
                (unknown, _) => reader.errors.push(MutantError {
                    message: format!("unknown key `{unknown}`: expected program, mutant or equivalent"),
                    at: key.span(),
                }),
            }
        }
        if reader.errors.is_empty() { Ok(set) } else { Err(reader.errors) }
    }
}

/// Reads mutants and collects what is wrong with them.
struct MutantReader {
    errors: Vec<MutantError>,
    names: BTreeSet<String>,
}

impl MutantReader {
    fn error(&mut self, message: impl Into<String>, at: &Spanned<DeValue<'_>>) {
        self.errors.push(MutantError { message: message.into(), at: at.span() });
    }

    /// The right programs: the names of the files in each language.
    fn programs(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        open: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Vec<RightProgram> {
        let Some(languages) = value.get_ref().as_table() else {
            self.error("write the files of the right program as `{ python = [\"name.py\"] }`", value);
            return Vec::new();
        };
        let mut programs = Vec::new();
        for (language, names) in languages {
            let mut files = Vec::new();
            for name in names.get_ref().as_array().into_iter().flat_map(|names| names.iter()) {
                let Some(found) = name.get_ref().as_str() else {
                    self.error("the name of a file is a text", name);
                    continue;
                };
                match open(found) {
                    Some(text) => files.push((found.to_owned(), text)),
                    None => self.error(format!("there is no file `{found}` beside this one"), name),
                }
            }
            if names.get_ref().as_array().is_none_or(|names| names.is_empty()) {
                self.error("write the names of the files as a list: [\"name.py\"]", names);
            }
            programs.push(RightProgram { language: language.get_ref().to_string(), files });
        }
        programs
    }

    /// A text that is not empty and does not end in a full stop.
    fn sentence(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::trim).unwrap_or_default();
        if text.is_empty() || text.ends_with('.') {
            self.error(format!("`{key}` is a sentence without a full stop"), value);
            return None;
        }
        Some(text.to_owned())
    }

    fn mutant(&mut self, value: &Spanned<DeValue<'_>>, programs: &[RightProgram]) -> Option<Mutant> {
        let Some(table) = value.get_ref().as_table() else {
            self.error("a mutant is a table: write `[[mutant]]` above it", value);
            return None;
        };
        let known = ["name", "what", "file", "find", "put", "ruling", "equivalent"];
        for (key, _) in table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let message = format!("unknown key `{}`: expected one of {}", key.get_ref(), known.join(", "));
            self.errors.push(MutantError { message, at: key.span() });
        }
        let name = self.text(value, table, "name")?;
        if !self.names.insert(name.to_owned()) {
            self.error(format!("two mutants are called `{name}`"), value);
        }
        if name.is_empty()
            || !name.bytes().all(|byte| byte.is_ascii_lowercase() || b"_0123456789".contains(&byte))
        {
            self.error(format!("`{name}` is not a name in snake_case"), value);
        }
        let ruling = match table.get("ruling").map(|flag| (flag, flag.get_ref().as_bool())) {
            None => false,
            Some((_, Some(flag))) => flag,
            Some((flag, None)) => {
                self.error("`ruling` is true or false", flag);
                false
            }
        };
        let equivalent = table.get("equivalent").and_then(|proof| self.sentence("equivalent", proof));
        let what = table.get("what").map(|what| self.sentence("what", what));
        let Some(what) = what else {
            self.error(format!("the mutant `{name}` lacks `what`: a sentence on what it does wrong"), value);
            return None;
        };
        let (program, change) = self.change(value, table, programs, name)?;
        Some(Mutant { name: name.to_owned(), what: what?, program, change, ruling, equivalent })
    }

    /// The text of a key that each mutant has.
    fn text<'t>(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        table: &'t DeTable<'_>,
        key: &str,
    ) -> Option<&'t str> {
        let text = table.get(key).and_then(|text| text.get_ref().as_str());
        if text.is_none() {
            self.error(format!("a mutant has a text `{key}`"), value);
        }
        text
    }

    /// The change of a mutant, and the index of its program.
    fn change(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        table: &DeTable<'_>,
        programs: &[RightProgram],
        name: &str,
    ) -> Option<(usize, CodeChange)> {
        let find = self.text(value, table, "find")?;
        let put = self.text(value, table, "put")?;
        let files = || {
            let each = programs.iter().enumerate();
            each.flat_map(|(index, program)| program.files.iter().map(move |file| (index, file)))
        };
        let named = table.get("file").and_then(|file| file.get_ref().as_str());
        let mut matching = files().filter(|(_, (file, _))| named.is_none_or(|named| named == file));
        let (Some((program, (file, text))), None) = (matching.next(), matching.next()) else {
            let names: Vec<&str> = files().map(|(_, (file, _))| file.as_str()).collect();
            let names = names.join(", ");
            self.error(
                format!("`file` of the mutant `{name}` is one of the program's files: {names}"),
                value,
            );
            return None;
        };
        let places: Vec<usize> = match find {
            "" => Vec::new(),
            _ => (0..text.len()).filter(|at| text.as_bytes()[*at..].starts_with(find.as_bytes())).collect(),
        };
        let [at] = places.as_slice() else {
            let times = match places.len() {
                0 => "does not occur".to_owned(),
                count => format!("occurs {count} times"),
            };
            let message =
                format!("`find` of the mutant `{name}` {times} in {file}: it must occur exactly once");
            self.error(message, table.get("find").unwrap_or(value));
            return None;
        };
        if find == put {
            self.error(format!("the mutant `{name}` changes nothing"), value);
        }
        Some((program, CodeChange { file: file.clone(), at: *at..at + find.len(), put: put.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, FILE, MutantPlace, MutantSet, RightProgram};

    /// The fewest mutants of a game that are not equivalent to the right program.
    const FEWEST: usize = 40;

    fn program() -> RightProgram {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let files = vec![file("a.py", "x = 1\ny = 1\n"), file("b.py", "z = x\n")];
        RightProgram { language: "python".to_owned(), files }
    }

    fn read(toml: &str) -> Result<MutantSet, Vec<String>> {
        let read = MutantSet::read(toml, &[program()], &mut |name| {
            program().files.into_iter().find(|(known, _)| known == name).map(|(_, text)| text)
        });
        read.map_err(|errors| errors.into_iter().map(|error| error.message).collect())
    }

    /// The error for a mutant with these lines.
    #[track_caller]
    fn wrong(lines: &str) -> String {
        read(&format!("[[mutant]]\n{lines}")).unwrap_err().join("; ")
    }

    #[test]
    fn every_built_in_mutant_is_one_change_of_its_program() {
        let described = BUILT_IN.iter().filter_map(|(path, _)| path.strip_suffix(FILE)?.strip_suffix('/'));
        let described: Vec<&str> = described.collect();
        assert!(!described.is_empty());
        for exercise in described {
            let place = MutantPlace::BuiltIn(exercise);
            let set = place.read(&place.description().unwrap(), &[]);
            let set = set.unwrap_or_else(|errors| panic!("{exercise}: {errors:#?}"));
            let wrong = set.mutants.iter().filter(|mutant| mutant.equivalent.is_none()).count();
            assert!(wrong >= FEWEST, "{exercise}: {wrong} mutants, and at least {FEWEST} are wanted");
            assert!(set.equivalent.is_empty(), "{exercise}: its equivalent mutants say so themselves");
            for mutant in &set.mutants {
                let program = &set.programs[mutant.program];
                assert_ne!(program.with(&mutant.change), program.files, "{}", mutant.name);
            }
        }
    }

    #[test]
    fn a_mutant_changes_one_place_of_one_file() {
        let set = read(
            "program = { python = [\"a.py\", \"b.py\"] }\n[[mutant]]\nname = \"y_is_2\"\nwhat = \"y is too large\"\n\
             file = \"a.py\"\nfind = \"y = 1\"\nput = \"y = 2\"\nruling = true\n\
             [equivalent]\nx_constant_1 = \"nobody reads x\"\n",
        )
        .unwrap();
        let [mutant] = set.mutants.as_slice() else { panic!("{set:?}") };
        assert!(mutant.ruling && mutant.equivalent.is_none());
        let changed = set.programs[0].with(&mutant.change);
        assert_eq!(changed[0].1, "x = 1\ny = 2\n");
        assert_eq!(changed[1], program().files[1]);
        assert_eq!(set.equivalent["x_constant_1"], "nobody reads x");
    }

    #[test]
    fn errors_in_a_mutant_are_named() {
        let good = "name = \"a\"\nwhat = \"b\"\nfile = \"a.py\"\n";
        assert_eq!(
            wrong(&format!("{good}find = \"= 1\"\nput = \"\"")),
            "`find` of the mutant `a` occurs 2 times in a.py: it must occur exactly once"
        );
        assert!(wrong(&format!("{good}find = \"q\"\nput = \"\"")).contains("does not occur in a.py"));
        assert!(wrong(&format!("{good}find = \"x = 1\"\nput = \"x = 1\"")).contains("changes nothing"));
        assert!(wrong(&format!("{good}find = \"x\"\nput = \"y\"\nwhy = 1")).contains("unknown key `why`"));
        assert!(wrong("name = \"a\"\nwhat = \"b\"\nfind = \"x\"\nput = \"\"").contains("a.py, b.py"));
        assert!(
            wrong("name = \"a\"\nwhat = \"b.\"\nfile = \"a.py\"\nfind = \"x\"\nput = \"\"")
                .contains("full stop")
        );
        assert!(
            wrong("name = \"A b\"\nwhat = \"b\"\nfile = \"a.py\"\nfind = \"x\"\nput = \"\"")
                .contains("snake_case")
        );
        assert!(read("program = { python = [\"c.py\"] }").unwrap_err()[0].contains("no file `c.py`"));
    }
}
