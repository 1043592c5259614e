//! Reads code of programming languages that a case runs as it stands.

use super::case_file::CaseReader;
use super::diagnostic::did_you_mean;
use super::model::ExerciseReference;
use super::node::{NativeCode, Node};
use super::plan::{Bind, Line};
use super::reader::{self, Entry};
use super::resolve::{self, Type};
use super::syntax::{ExprError, is_name};
use crate::languages;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;

impl NativeCode {
    /// The code for submissions in `language`: its own, else that of the language that it extends.
    pub fn code(&self, language: &str) -> Option<&str> {
        let extended = || self.code.get(extended(language)?);
        self.code.get(language).or_else(extended).map(String::as_str)
    }
}

/// The name of the language that `language` extends.
fn extended(language: &str) -> Option<&'static str> {
    Some(languages::find(language)?.extends?.name)
}

impl CaseReader<'_> {
    /// The lines of a step whose `do` is a table of code by programming language; its names are bound unless
    /// it `raises`. The values that a row gives are bound first, if they occur in the code. `None` for any
    /// other step.
    pub(super) fn native(&mut self, table: &DeTable<'_>, raises: bool) -> Option<Vec<Line>> {
        let entry = reader::get(table, "do")?;
        let binds = reader::texts(table, "binds");
        if entry.get_ref().as_table().is_none() {
            if let Some(binds) = reader::get(table, "binds") {
                let help = "write `name = …` in `do`".to_owned();
                self.error("`binds` is for code of a programming language", binds.span(), Some(help));
            }
            return None;
        }
        if matches!(self.exercise.reference, Some(ExerciseReference::BuiltIn(_))) {
            self.error(
                "a built-in reference cannot run code of a programming language",
                entry.span(),
                Some(
                    "write the step in the language of all cases, or grade without the `reference`"
                        .to_owned(),
                ),
            );
        }
        let mut code = BTreeMap::new();
        for (language, key, text) in reader::entries(table, "do") {
            self.native_language(language, &key, text);
            if let Some(text) = text.get_ref().as_str() {
                code.insert(language.to_owned(), text.to_owned());
            }
        }
        if code.is_empty() {
            self.error(
                "the step has no code",
                entry.span(),
                Some("write do = { python = \"…\" }".to_owned()),
            );
            return Some(Vec::new());
        }
        let (native, given) = resolve::native(&self.scope, code);
        let given = given.into_iter();
        let mut lines: Vec<Line> =
            given.map(|(name, value)| Line::bound(Bind::Name(name), Node::Literal(value))).collect();
        let names = self.made(binds);
        let line = Line::bound(Bind::Made(names), Node::Native(native));
        if !raises {
            self.bind(&line, &Type::Unknown);
        }
        lines.push(line);
        Some(lines)
    }

    /// Checks that submissions in `language` run code, and that there is some.
    fn native_language(&mut self, language: &str, key: &Range<usize>, text: &Entry<'_>) {
        let known = self.exercise.files.keys().map(String::as_str);
        let built = |name: &str| languages::find(name).filter(|language| language.build.is_some());
        let known: Vec<&str> = known.filter(|name| built(name).is_none()).collect();
        let stands_in = known.iter().any(|known| extended(known) == Some(language));
        if let Some(built) = built(language) {
            let help = "write the step in the language of all cases".to_owned();
            self.error(
                format!("a submission in {} cannot run code of a case", built.title),
                key.clone(),
                Some(help),
            );
        } else if !known.contains(&language) && !stands_in && !known.is_empty() {
            let message = format!("the exercise takes no submissions in `{language}`");
            self.error(message, key.clone(), did_you_mean(language, known));
        } else if known.is_empty() && languages::find(language).is_none() {
            let names = languages::LANGUAGES.iter().map(|language| language.name);
            self.error(
                format!("there is no language `{language}`"),
                key.clone(),
                did_you_mean(language, names),
            );
        } else if text.get_ref().as_str().is_some_and(|text| text.trim().is_empty()) {
            self.error("there is no code", text.span(), None);
        }
    }

    /// The names that the code binds, each of which a case may bind.
    fn made(&mut self, binds: Vec<(&str, Range<usize>)>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, span) in binds {
            if !is_name(name) {
                self.error(format!("`{name}` is not a name"), span, None);
                continue;
            }
            match resolve::free(self.exercise, &self.scope, (name.to_owned(), span)) {
                Ok(name) if !names.contains(&name) => names.push(name),
                Ok(_) => {}
                Err(ExprError { message, span, help }) => self.error(message, span, help),
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use crate::case::{parse_cases, parse_exercise};

    #[test]
    fn code_also_runs_in_a_language_that_extends_its_own() {
        let exercise = "title = 'Mean'\nsession = 'python'\n[files]\ntypescript = ['mean.ts']\n[function]\nmean = { args = [] }\n";
        let exercise = parse_exercise("mean", "exercise.toml", exercise).unwrap();
        let parse = |code: &str| {
            parse_cases(&exercise, "one", "one.toml", &format!("title = 'One'\n[[step]]\ndo = {code}\n"))
        };
        let case = parse("{ javascript = 'mean()' }").unwrap().remove(0);
        let natives: Vec<_> = case.plan.natives().collect();
        let found = ["javascript", "typescript", "java"].map(|language| natives[0].code(language));
        assert_eq!(found, [Some("mean()"), Some("mean()"), None]);
        let case = parse("{ javascript = 'mean()', typescript = 'mean() as number' }").unwrap().remove(0);
        assert_eq!(case.plan.natives().next().unwrap().code("typescript"), Some("mean() as number"));
        let errors = parse("{ java = 'mean()' }").unwrap_err().to_string();
        assert!(errors.contains("the exercise takes no submissions in `java`"), "{errors}");
    }
}
