//! What a student may see of an exercise: the files that go into a site.
//!
//! A visible case goes in as its file has it, without comments: lines keep their numbers. Nothing else of the
//! exercise's folder is in a site.

use super::SiteError;
use super::samples::Sample;
use keur_core::case::{
    Case, Exercise, ExercisePlace, ExerciseReference, Library, Loaded, Matcher, TextMatcher,
};
use keur_core::messages::{Lang, LocalText};
use keur_core::named::Named;
use keur_core::value::Value as CaseValue;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value as TomlValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The file that describes an exercise.
const EXERCISE_FILE: &str = "exercise.toml";

/// The tag of a case that depends on a ruling.
const RULING: &str = "ruling";

/// The keys of an exercise's file that only its reference and its random sessions use.
const OF_THE_REFERENCE: &[&str] = &["reference", "arguments"];

/// The keys of a row that are not those of its last step.
const NOT_OF_STEP: &[&str] = &["given", "title", "points", "tags", "hidden", "hint"];

/// The key of a hint that is for a certain answer.
const GOT: &str = "got";

/// An exercise as a site has it.
pub(super) struct Bundle {
    /// The name of the exercise.
    pub(super) name: String,
    title: LocalText,
    languages: Vec<String>,
    /// The names of a submission's files, by programming language.
    wanted: BTreeMap<String, Vec<String>>,
    /// Whether some case runs no program: a browser has programs in Python only.
    has_calls: bool,
    /// The Python packages that a submission may import.
    packages: Vec<String>,
    files: BTreeMap<String, String>,
    hidden: usize,
    ungraded: Vec<LocalText>,
}

/// A reason why a case is not in a site.
enum LeftOut {
    /// It is hidden.
    Hidden,
    /// It depends on a ruling, and is not graded by default.
    Ruling,
    /// The case needs a folder with files, the exercise's own reference, a check of the instructor's own, or a table in a
    /// file.
    Ungraded,
}

impl Bundle {
    /// The bundle of the exercise called `name`.
    ///
    /// # Errors
    /// The exercise has errors, or no visible case that can be graded in a page.
    pub(super) fn of(library: &Library, name: &str) -> Result<Bundle, SiteError> {
        let Loaded { exercise, cases } = library.load(name)?;
        let mut bundle = Bundle {
            name: exercise.name.clone(),
            title: exercise.title.clone(),
            languages: exercise.languages().map(str::to_owned).collect(),
            wanted: wanted(&exercise),
            has_calls: false,
            packages: exercise.packages.get("python").cloned().unwrap_or_default(),
            files: BTreeMap::new(),
            hidden: 0,
            ungraded: Vec::new(),
        };
        let mut kept: Vec<&Case> = Vec::new();
        for case in &cases {
            match left_out(case, &exercise) {
                None => kept.push(case),
                Some(LeftOut::Hidden) => bundle.hidden += 1,
                Some(LeftOut::Ruling) => {}
                Some(LeftOut::Ungraded) => bundle.ungraded.push((*case.title).clone()),
            }
        }
        if kept.is_empty() {
            return Err(SiteError::NothingVisible(name.to_owned()));
        }
        bundle.has_calls = kept.iter().any(|case| case.plan.programs() == 0);
        let whole = bundle.hidden == 0 && bundle.ungraded.is_empty();
        let description = described(&exercise_text(library, name)?, &exercise, whole);
        bundle.files.insert(EXERCISE_FILE.to_owned(), description.to_string());
        let files: BTreeSet<&str> = kept.iter().map(|case| case.file.as_str()).collect();
        for file in files {
            let document = visible(file, &cases, &kept);
            bundle.files.insert(format!("{file}.toml"), document.to_string());
        }
        Ok(bundle)
    }

    /// The Python packages that a submission may import.
    pub(super) fn packages(&self) -> &[String] {
        &self.packages
    }

    /// Checks that a page grades one of the exercise's languages, with or without Python.
    ///
    /// # Errors
    /// The page grades none, or only with Python.
    pub(super) fn check_languages(&self, has_python: bool) -> Result<(), SiteError> {
        let has = |language: &str| self.languages.iter().any(|own| own == language);
        match (has("python"), has("javascript") && self.has_calls) {
            (_, true) => Ok(()),
            (true, false) if has_python => Ok(()),
            (true, false) => Err(SiteError::OnlyPython(self.name.clone())),
            (false, false) => Err(SiteError::NoLanguage(self.name.clone())),
        }
    }

    /// The file of the exercise in the site; `wheels` has the files of Python packages.
    pub(super) fn content(&self, wheels: &BTreeMap<String, Vec<String>>) -> Value {
        let mut content = json!({ "name": self.name, "title": local(&self.title), "files": self.files });
        if !self.packages.is_empty() {
            let own = self.packages.iter().filter_map(|package| wheels.get(package)).flatten();
            content["wheels"] = own.collect::<BTreeSet<_>>().into_iter().cloned().collect();
        }
        content
    }

    /// The entry of the exercise in the site's list.
    pub(super) fn entry(&self, samples: &[Sample]) -> Value {
        json!({
            "name": self.name,
            "title": local(&self.title),
            "languages": self.languages,
            "files": self.wanted,
            "hidden": self.hidden,
            "ungraded": self.ungraded.iter().map(local).collect::<Vec<_>>(),
            "samples": samples.iter().map(Sample::name).collect::<Vec<_>>(),
        })
    }
}

/// A text by language; one for every language has it in each.
fn local(text: &LocalText) -> Value {
    json!(Lang::ALL.iter().map(|lang| (lang.name(), text.get(*lang))).collect::<BTreeMap<_, _>>())
}

/// The files and programs that a submission has, by programming language.
fn wanted(exercise: &Exercise) -> BTreeMap<String, Vec<String>> {
    let mut wanted = exercise.files.clone();
    for (language, programs) in &exercise.programs {
        wanted.entry(language.clone()).or_default().extend(programs.iter().cloned());
    }
    wanted
}

fn left_out(case: &Case, exercise: &Exercise) -> Option<LeftOut> {
    if case.hidden {
        return Some(LeftOut::Hidden);
    }
    if case.is_ruling() {
        return Some(LeftOut::Ruling);
    }
    let asks = case.random.is_some()
        || case.expect.iter().any(|expect| {
            expect.value.as_ref().is_some_and(|value| matches!(value.matcher, Matcher::Reference))
        });
    let reads = case.expect.iter().any(|expect| {
        let texts = [&expect.shows, &expect.prints, &expect.program.errors].into_iter().flatten();
        let mut texts = texts.chain(expect.writes.iter().map(|(_, text)| text));
        texts.any(|text| matches!(text, TextMatcher::Check(_)))
            || expect.value.as_ref().is_some_and(|value| match &value.matcher {
                // A dictionary that is no literal is a table in a file.
                Matcher::Check(_) | Matcher::Plain(CaseValue::Dict(_)) => true,
                _ => false,
            })
    });
    let answered = matches!(exercise.reference, Some(ExerciseReference::BuiltIn(_)));
    (case.plan.files.is_some() || reads || asks && !answered).then_some(LeftOut::Ungraded)
}

/// The text of the exercise's own file.
fn exercise_text(library: &Library, name: &str) -> Result<String, SiteError> {
    let embedded = |library: &Library| -> Result<Option<String>, SiteError> {
        let ExercisePlace::Embedded(files) = library.place_of(name)? else { return Ok(None) };
        let file = files.into_iter().find(|(file, _)| *file == EXERCISE_FILE);
        Ok(file.map(|(_, text)| text.to_owned()))
    };
    let ExercisePlace::Folder(folder) = library.place_of(name)? else {
        return Ok(embedded(library)?.unwrap_or_default());
    };
    let path = folder.join(EXERCISE_FILE);
    if !path.exists() {
        // A folder with the name of a built-in exercise need not describe it.
        return Ok(embedded(&Library::BuiltIn)?.unwrap_or_default());
    }
    fs::read_to_string(&path).map_err(|source| SiteError::Unreadable { path, source })
}

/// The exercise's own file. Unless the site has the `whole` exercise, its grade is the sum of the cases there.
fn described(text: &str, exercise: &Exercise, whole: bool) -> DocumentMut {
    let mut document = parsed(text);
    if exercise.built_in().is_none() {
        OF_THE_REFERENCE.iter().for_each(|key| drop(document.remove(key)));
    }
    if !whole {
        document.remove("points");
    }
    document
}

/// A file of cases without those that are left out.
///
/// Names of rows have their numbers, so a row that is left out is replaced by one that is graded only where rulings
/// count, with the values of a visible one.
fn visible(file: &str, cases: &[Case], kept: &[&Case]) -> DocumentMut {
    let own = || kept.iter().filter(|case| case.file == file);
    let mut document = parsed(own().next().map_or("", |case| &case.source));
    keep_needs(&mut document, cases, kept);
    let Some(mut rows) = document.remove("row").and_then(|rows| rows.into_array_of_tables().ok()) else {
        return document;
    };
    let is_kept = |index: usize| own().any(|case| case.name == format!("{file}[{}]", index + 1));
    let shown: Vec<Table> =
        rows.iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, row)| row.clone()).collect();
    if shown.len() < rows.len() {
        forget_overridden(&mut document, &shown);
    }
    for (index, row) in rows.iter_mut().enumerate().filter(|(index, _)| !is_kept(*index)) {
        let mut empty = shown.first().cloned().unwrap_or_default();
        empty.insert("title", Item::Value(format!("{file} {}", index + 1).into()));
        empty.insert("tags", Item::Value(Array::from_iter([RULING]).into()));
        empty.set_position(row.position());
        *row = empty;
    }
    document.insert("row", Item::ArrayOfTables(rows));
    document
}

/// Removes what only a hidden row uses, because every visible row says something else: from the last step, and from
/// the file, which gets that of the first visible row since a title must be there.
fn forget_overridden(document: &mut DocumentMut, shown: &[Table]) {
    let Some(first) = shown.first() else { return };
    let is_in_all = |key: &str| shown.iter().all(|row| row.contains_key(key));
    for key in NOT_OF_STEP {
        if is_in_all(key) && document.contains_key(key) {
            document.insert(key, first[key].clone());
        }
    }
    let is_overridden = |key: &&str| !NOT_OF_STEP.contains(key) && is_in_all(key);
    let overridden: Vec<&str> = first.iter().map(|(key, _)| key).filter(is_overridden).collect();
    let last = match document.get_mut("step") {
        Some(Item::ArrayOfTables(steps)) => steps.iter_mut().last().map(|step| step as &mut dyn TableLike),
        Some(Item::Value(TomlValue::Array(steps))) => {
            let last = steps.iter_mut().last().and_then(TomlValue::as_inline_table_mut);
            last.map(|step: &mut InlineTable| step as &mut dyn TableLike)
        }
        _ => None,
    };
    if let Some(last) = last {
        overridden.iter().for_each(|key| drop(last.remove(key)));
        // A hint for one answer may be for that of a hidden row.
        if last.get("hint").is_some_and(names_an_answer) {
            last.remove("hint");
        }
    }
}

/// Whether a hint, or one of several, is for a certain answer.
fn names_an_answer(hint: &Item) -> bool {
    let of_value = |hint: &TomlValue| hint.as_inline_table().is_some_and(|hint| hint.contains_key(GOT));
    match hint {
        Item::Value(TomlValue::Array(hints)) => hints.iter().any(of_value),
        Item::ArrayOfTables(hints) => hints.iter().any(|hint| hint.contains_key(GOT)),
        Item::Value(hint) => of_value(hint),
        Item::Table(hint) => hint.contains_key(GOT),
        Item::None => false,
    }
}

/// Leaves out the needs of cases that are not in the site.
fn keep_needs(document: &mut DocumentMut, cases: &[Case], kept: &[&Case]) {
    let Some(needs) = document.get("needs").and_then(Item::as_array) else { return };
    let mut names = Array::new();
    for need in needs.iter().filter_map(TomlValue::as_str) {
        let there = kept.iter().filter(|case| case.is_named(need));
        if there.clone().count() == cases.iter().filter(|case| case.is_named(need)).count() {
            names.push(need);
        } else {
            names.extend(there.map(|case| case.name.as_str()));
        }
    }
    document["needs"] = Item::Value(names.into());
}

/// A file of an exercise, which was read before, without its comments: each line keeps its number.
fn parsed(text: &str) -> DocumentMut {
    let mut bare = text.to_owned();
    let tokens: Vec<_> = Source::new(text).lex().filter(|token| token.kind() == TokenKind::Comment).collect();
    for token in tokens.iter().rev() {
        let (start, end) = (token.span().start(), token.span().end());
        bare.replace_range(text[..start].trim_end_matches([' ', '\t']).len()..end, "");
    }
    bare.parse().unwrap_or_default()
}
