//! Reads `exercise.toml`.

use super::arguments;
use super::compile;
use super::declarations::{declarations, in_cpp};
use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::files;
use super::folder::check_path;
use super::keys;
use super::limits::{LimitsPatch, parse_size, parse_time};
use super::model::{Class, Exercise, ExerciseReference, Function, Parameter};
use super::reader::{self, Entry};
use super::syntax::is_name;
use super::tolerance::tolerance;
use super::views::{self, Looking};
use crate::languages;
use crate::messages::{Lang, LocalText};
use crate::named::Named;

use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;

/// Reads the exercise `name` from `source`; errors call the file `path`.
///
/// # Errors
/// All errors in the file.
pub fn parse_exercise(name: &str, path: &str, source: &str) -> Result<Exercise, FileErrors> {
    let (table, mut errors) = reader::read(source, keys::EXERCISE);
    let session = reader::text(&table, "session").and_then(languages::find);
    let session = session.map_or(languages::SESSION, |language| language.notation);
    let exercise = Exercise {
        name: name.to_owned(),
        title: reader::local_text(&table, "title").unwrap_or_else(|| LocalText::Plain(name.to_owned())),
        session,
        lang: reader::text(&table, "lang").and_then(Lang::from_name).unwrap_or(Lang::En),
        folder: None,
        reference: reference(&table, &mut errors),
        points: reader::points(&table, "points"),
        raises: reader::text(&table, "raises").map(str::to_owned),
        strict_load: reader::truth(&table, "strict_load"),
        loading_is_output: reader::text(&table, "loading") == Some("output"),
        prompts: reader::text(&table, "prompts").map(|prompts| prompts == "output"),
        files: reader::by_name(&table, "files", &mut |span, entry| file_names(span, entry, &mut errors)),
        programs: reader::by_name(&table, "programs", &mut |span, entry| {
            file_names(span, entry, &mut errors)
        }),
        limits: limits(&table, &mut errors),
        tolerance: tolerance(&table, &mut errors),
        classes: reader::by_name(&table, "class", &mut |_, entry| class(entry, &mut errors)),
        functions: reader::by_name(&table, "function", &mut |_, entry| function(entry, &mut errors)),
        declarations: declarations(&table, &mut errors),
        signatures: in_cpp(&table, &mut errors),
        views: reader::by_name(&table, "view", &mut |_, entry| own_texts(entry)),
        arguments: arguments::arguments(&table, &mut errors),
        names: reader::by_name(&table, "names", &mut |_, entry| names(entry)),
        given_files: files::given(&table, &mut errors),
        input_files: Vec::new(),
        packages: packages(&table, &mut errors),
        compile: compile::options(&table, &mut errors),
    };
    for key in ["files", "programs"] {
        for (language, span, entry) in reader::entries(&table, key) {
            if misspelt(language, span.clone()).is_none() {
                let names = reader::entry_texts(entry);
                errors.extend(names.iter().filter_map(|(name, span)| of_another(name, span, language)));
            }
        }
    }
    for key in ["files", "programs", "names"] {
        errors
            .extend(reader::entries(&table, key).filter_map(|(language, span, _)| misspelt(language, span)));
    }
    if errors.is_empty() {
        check_references(&exercise, &table, source, &mut errors);
    }
    if errors.is_empty() { Ok(exercise) } else { Err(FileErrors::new(path, source, errors)) }
}

/// The error for a language that is nearly one of keur's. One that keur does not know may have a driver of its own.
fn misspelt(language: &str, span: Range<usize>) -> Option<Diagnostic> {
    let known = languages::LANGUAGES.iter().map(|language| language.name);
    languages::find(language).is_none().then_some(())?;
    let meant = did_you_mean(language, known).filter(|help| help.starts_with("did you mean"))?;
    Some(Diagnostic::new(format!("there is no programming language `{language}`"), span).help(meant))
}

/// The error for a file whose extension is that of another language. One that keur does not know may have a driver
/// of its own, whatever the names of its files, unless it is called like the extension.
fn of_another(name: &str, span: &Range<usize>, language: &str) -> Option<Diagnostic> {
    let is_extension = languages::of_file(&format!("x.{language}")).is_some();
    (languages::find(language).is_some() || is_extension).then_some(())?;
    let other = languages::of_file(name).filter(|other| other.name != language)?;
    let message = format!("`{name}` is a file of `{}`, not of `{language}`", other.name);
    Some(Diagnostic::new(message, span.clone()).help(format!("write it after `{} =`", other.name)))
}

/// The reference: a built-in game by name, or own submissions by programming language.
fn reference(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Option<ExerciseReference> {
    if let Some(name) = reader::text(table, "reference") {
        return Some(ExerciseReference::BuiltIn(name.to_owned()));
    }
    let entry = reader::get(table, "reference").filter(|entry| entry.get_ref().is_table())?;
    let mut paths = BTreeMap::new();
    for (language, span, entry) in reader::entries(table, "reference") {
        let known = || languages::LANGUAGES.iter().map(|language| language.name);
        if languages::find(language).is_none() {
            let message = format!("there is no programming language `{language}`");
            errors.push(Diagnostic::new(message, span).maybe_help(did_you_mean(language, known())));
        }
        let Some(path) = entry.get_ref().as_str() else { continue };
        if let Err((message, help)) = check_path(path) {
            errors.push(Diagnostic::new(message, entry.span()).help(help));
        }
        paths.insert(language.to_owned(), path.to_owned());
    }
    if paths.is_empty() {
        errors.push(
            Diagnostic::new("`reference` names no submission", entry.span())
                .help("give its path by programming language: { python = \"solution/bank.py\" }"),
        );
    }
    Some(ExerciseReference::Own(paths))
}

/// The limits in a file's `[limits]`.
pub fn limits(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> LimitsPatch {
    let mut limits = LimitsPatch::default();
    for (name, _, entry) in reader::entries(table, "limits") {
        let Some(text) = entry.get_ref().as_str() else { continue };
        let result = match name {
            "cpu" => parse_time(text).map(|time| limits.cpu = Some(time)),
            "wall" => parse_time(text).map(|time| limits.wall = Some(time)),
            "memory" => parse_size(text).map(|size| limits.memory = Some(size)),
            "output" => parse_size(text).map(|size| limits.output = Some(size)),
            "submission" => parse_time(text).map(|time| limits.budget = Some(time)),
            _ => Ok(()),
        };
        if let Err(message) = result {
            errors.push(Diagnostic::new(message, entry.span()));
        }
    }
    limits
}

fn file_names(span: &Range<usize>, entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Vec<String> {
    let names = reader::entry_texts(entry);
    if names.is_empty() {
        errors.push(Diagnostic::new("a language has no file names", span.clone()));
    }
    for (name, span) in &names {
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            errors.push(
                Diagnostic::new(format!("`{name}` is not a file name"), span.clone())
                    .help("write a plain name such as `board.py`, without a folder"),
            );
        }
    }
    own_texts(entry)
}

/// The packages in `[packages]`.
fn packages(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> BTreeMap<String, Vec<String>> {
    let python = languages::python::LANGUAGE.name;
    for (language, span, entry) in reader::entries(table, "packages") {
        if language != python {
            let message = format!("packages of `{language}` are not supported");
            errors.push(Diagnostic::new(message, span).help("only `python` can have packages"));
            continue;
        }
        for (name, span) in reader::entry_texts(entry) {
            let plain = |ch: char| ch.is_ascii_alphanumeric() || "-_.".contains(ch);
            if !name.starts_with(|ch: char| ch.is_ascii_alphanumeric()) || !name.chars().all(plain) {
                let help = "write the name that pip installs, such as `numpy`, without a version";
                errors
                    .push(Diagnostic::new(format!("`{name}` is not the name of a package"), span).help(help));
            }
        }
    }
    reader::by_name(table, "packages", &mut |_, entry| own_texts(entry))
}

/// The strings of a list, or the string alone.
fn own_texts(entry: &Entry<'_>) -> Vec<String> {
    reader::entry_texts(entry).into_iter().map(|(text, _)| text.to_owned()).collect()
}

fn class(entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Class {
    let Some(table) = entry.get_ref().as_table() else { return Class::default() };
    let mut method = |_: &Range<usize>, entry: &Entry<'_>| parameters(reader::entry_texts(entry), errors);
    let methods = reader::by_name(table, "methods", &mut method);
    let attributes = reader::texts(table, "attributes");
    for (index, (name, span)) in attributes.iter().enumerate() {
        let problem = if !is_name(name) {
            format!("`{name}` is not the name of an attribute")
        } else if attributes[..index].iter().any(|(earlier, _)| earlier == name) {
            format!("attribute `{name}` appears twice")
        } else if methods.contains_key(*name) {
            format!("`{name}` is a method already")
        } else {
            continue;
        };
        errors.push(Diagnostic::new(problem, span.clone()));
    }
    let attributes = attributes.into_iter().map(|(name, _)| name.to_owned()).collect();
    Class { new: parameters(reader::texts(table, "new"), errors), methods, attributes }
}

fn function(entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Function {
    let table = entry.get_ref().as_table();
    let args = match table {
        Some(table) => reader::texts(table, "args"),
        None => reader::entry_texts(entry),
    };
    let returns = table.and_then(|table| reader::text(table, "returns")).map(|name| {
        match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(item) => (item.to_owned(), true),
            None => (name.to_owned(), false),
        }
    });
    let any_order = table.is_some_and(|table| reader::truth(table, "any_order"));
    Function { args: parameters(args, errors), returns, any_order }
}

fn parameters(texts: Vec<(&str, Range<usize>)>, errors: &mut Vec<Diagnostic>) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (text, span) in texts {
        let (name, optional) = match text.strip_suffix('?') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let problem = if !is_name(name) {
            Some(format!("`{text}` is not a parameter's name"))
        } else if parameters.iter().any(|earlier| earlier.name == name) {
            Some(format!("parameter `{name}` appears twice"))
        } else if !optional && parameters.last().is_some_and(|last| last.optional) {
            Some(format!("parameter `{name}` follows an optional one"))
        } else {
            None
        };
        if let Some(problem) = problem {
            errors.push(Diagnostic::new(problem, span).help("write `name`, or `name?` if it is optional"));
        }
        parameters.push(Parameter { name: name.to_owned(), optional });
    }
    parameters
}

/// The spellings of the exercise's names in a language.
fn names(entry: &Entry<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (neutral, own) in entry.get_ref().as_table().into_iter().flatten() {
        if let Some(own) = own.get_ref().as_str() {
            names.insert(neutral.get_ref().to_string(), own.to_owned());
        }
    }
    names
}

/// Checks that references within the file lead somewhere.
fn check_references(exercise: &Exercise, table: &DeTable<'_>, source: &str, errors: &mut Vec<Diagnostic>) {
    // An empty [function] says that there is none.
    let is_said = reader::get(table, "function").is_some();
    if exercise.definitions().next().is_none() && exercise.programs.is_empty() && !is_said {
        errors.push(
            Diagnostic::new("the exercise defines neither a class nor a function", 0..0).help(
                "say what a submission must define: [class.Name] or [function]; or name its [programs]",
            ),
        );
    }
    for (language, span, _) in reader::entries(table, "reference") {
        let taken = exercise.taken_languages();
        if !taken.contains(&language) {
            let message = format!("the exercise takes no submissions in `{language}`");
            errors.push(Diagnostic::new(message, span).maybe_help(did_you_mean(language, taken)));
        }
    }
    arguments::check_parameters(exercise, table, errors);
    for (name, _, entry) in reader::entries(table, "function") {
        let Some(function) = exercise.functions.get(name) else { continue };
        if let Some((view, _)) = &function.returns
            && !exercise.views.contains_key(view)
        {
            let span = entry
                .get_ref()
                .as_table()
                .and_then(|table| reader::get(table, "returns"))
                .map_or_else(|| entry.span(), Entry::span);
            let help = did_you_mean(view, exercise.views.keys().map(String::as_str));
            errors.push(Diagnostic::new(format!("there is no [view] for `{view}`"), span).maybe_help(help));
        }
    }
    let known: Vec<&str> = exercise
        .definitions()
        .chain(exercise.classes.values().flat_map(|class| class.methods.keys().map(String::as_str)))
        .chain(exercise.classes.values().flat_map(|class| class.attributes.iter().map(String::as_str)))
        .collect();
    for (_, _, entry) in reader::entries(table, "names") {
        for (neutral, _) in entry.get_ref().as_table().into_iter().flatten() {
            if !known.contains(&neutral.get_ref().as_ref()) {
                let help = did_you_mean(neutral.get_ref(), known.iter().copied());
                let message = format!("the exercise does not define `{}`", neutral.get_ref());
                errors.push(Diagnostic::new(message, neutral.span()).maybe_help(help));
            }
        }
    }
    for (name, _, entry) in reader::entries(table, "view") {
        let mut looking = Looking::at(name);
        for (part, span) in reader::entry_texts(entry) {
            if let Err(error) = views::view_part(exercise, part, &mut looking) {
                let inner = reader::inside(source, &span, part, &error.span);
                errors.push(Diagnostic::new(error.message, inner).maybe_help(error.help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_exercise;
    use crate::case::ExerciseReference;
    use crate::languages::CompileOptions;
    use std::collections::BTreeMap;

    fn parse(reference: &str) -> Result<Option<ExerciseReference>, String> {
        let source = format!(
            "title = \"Bank\"\nsession = \"python\"\nreference = {reference}\n[files]\ncpp = [\"bank.cpp\"]\npython = [\"bank.py\"]\n\
             [programs]\njavascript = [\"bank.js\"]\n[function]\npay = {{ args = [] }}\n"
        );
        let read = parse_exercise("bank", "exercise.toml", &source);
        read.map(|exercise| exercise.reference).map_err(|errors| errors.to_string())
    }

    #[test]
    fn a_reference_is_a_built_in_game_or_submissions_of_the_author() {
        assert_eq!(parse("\"quixo\""), Ok(Some(ExerciseReference::BuiltIn("quixo".to_owned()))));
        let own = "{ python = \"solution/bank.py\", javascript = \"solution/bank.js\", rust = \"solution\" }";
        let Ok(Some(ExerciseReference::Own(paths))) = parse(own) else { panic!("{own}") };
        let paths: Vec<(&str, &str)> =
            paths.iter().map(|(key, path)| (key.as_str(), path.as_str())).collect();
        assert_eq!(
            paths,
            [("javascript", "solution/bank.js"), ("python", "solution/bank.py"), ("rust", "solution")]
        );
    }

    #[test]
    fn errors_of_a_reference_name_their_place() {
        for (reference, said) in [
            ("{}", "3:13: `reference` names no submission; give its path"),
            (
                "{ pyhton = \"a.py\" }",
                "3:15: there is no programming language `pyhton`; did you mean `python`?",
            ),
            (
                "{ java = \"A.java\" }",
                "3:15: the exercise takes no submissions in `java`; known here: cpp, python, javascript, c, rust",
            ),
            (
                "{ python = \"../a.py\" }",
                "3:24: `../a.py` has an empty name, `.` or `..` in it; write a path",
            ),
            ("{ python = \"/a.py\" }", "3:24: `/a.py` is an absolute path; write a path"),
            ("3", "3:13: `reference` cannot be a number; it should be a string, or a table"),
        ] {
            let errors = parse(reference).expect_err(reference);
            assert!(errors.starts_with(&format!("exercise.toml:{said}")), "{reference}: {errors}");
            assert_eq!(errors.lines().count(), 1, "{errors}");
        }
    }

    #[test]
    fn an_exercise_chooses_how_its_submissions_are_compiled() {
        let parse = |compile: &str| {
            let source = format!(
                "title = \"Bank\"\nsession = \"python\"\n[function]\npay = {{ args = [] }}\n[compile]\n{compile}\n"
            );
            let read = parse_exercise("bank", "exercise.toml", &source);
            read.map(|exercise| exercise.compile).map_err(|errors| errors.to_string())
        };
        let (standard, sanitize) = (Some("c++17"), false);
        let options = CompileOptions { standard, sanitize, ..CompileOptions::default() };
        let options = BTreeMap::from([("cpp".to_owned(), options)]);
        assert_eq!(parse("cpp = { standard = \"c++17\", sanitize = false }"), Ok(options));
        let leaks = CompileOptions { leaks: true, ..CompileOptions::default() };
        let leaks = BTreeMap::from([("cpp".to_owned(), leaks)]);
        assert_eq!(parse("cpp = { leaks = true }"), Ok(leaks));
        let default = BTreeMap::from([("cpp".to_owned(), CompileOptions::default())]);
        assert_eq!(parse("cpp = {}"), Ok(default));
        for (compile, said) in [
            ("python = {}", "6:1: how `python` is compiled cannot be chosen; only that of `c` and `cpp` can"),
            ("rust = {}", "6:1: how `rust` is compiled cannot be chosen"),
            (
                "cpp = { leaks = true, sanitize = false }",
                "6:17: without sanitizers keur cannot look for leaks",
            ),
            (
                "cpp = { standard = \"c++98\" }",
                "6:20: keur does not compile `cpp` by this standard; choose c++20 or c++17 or c++23",
            ),
            ("c = { standard = \"c++20\" }", "6:18: keur does not compile `c` by this standard"),
            ("cpp = { optimize = true }", "6:9: "),
        ] {
            let errors = parse(compile).expect_err(compile);
            assert!(errors.starts_with(&format!("exercise.toml:{said}")), "{compile}: {errors}");
        }
    }
}
