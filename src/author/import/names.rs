//! The names of a session, as a case of its exercise writes them.

use super::tokens::{CodeToken, CodeTokenKind};
use keur_core::case::{Exercise, Naming, Parameter};
use keur_core::languages::Language;
use std::collections::{BTreeMap, BTreeSet};

/// The names of an exercise as a session in one language spells them, and those that the session gives
/// itself.
pub(super) struct SessionNames<'a> {
    exercise: &'a Exercise,
    /// Names of the exercise by their spelling.
    spelled: BTreeMap<String, String>,
    /// Modules of the submission, and other names for what is imported of them.
    modules: BTreeSet<String>,
    aliases: BTreeMap<String, String>,
    /// Names that a case may not bind, and those that stand for them.
    renamed: BTreeMap<String, String>,
    /// The imports of other modules.
    others: Vec<SessionImport>,
}

/// An import of a module that is not the submission's.
struct SessionImport {
    code: String,
    /// The names that it binds; none for all names of the module.
    names: Vec<String>,
}

impl<'a> SessionNames<'a> {
    pub(super) fn new(exercise: &'a Exercise, language: &Language) -> SessionNames<'a> {
        let naming = Naming::of(exercise, language);
        let spelled = all_names(exercise).map(|name| (naming.spell(name), name.to_owned())).collect();
        let (modules, aliases, renamed) = Default::default();
        SessionNames { exercise, spelled, modules, aliases, renamed, others: Vec::new() }
    }

    /// Notes that a module of this name is imported.
    pub(super) fn import_module(&mut self, name: &str) {
        self.modules.insert(name.to_owned());
    }

    /// Notes that `name` is imported as `alias`.
    pub(super) fn import_as(&mut self, name: &str, alias: &str) {
        if name != alias {
            self.aliases.insert(alias.to_owned(), name.to_owned());
        }
    }

    /// Notes an import that binds these names, unless it is of the submission.
    pub(super) fn import_other(&mut self, code: String, module: &str, names: Vec<String>) {
        let stem = |file: &String| file.split_once('.').map_or(file.clone(), |(stem, _)| stem.to_owned());
        let Exercise { files, programs, .. } = self.exercise;
        let mut own = files.values().chain(programs.values()).flatten();
        if !own.any(|file| stem(file) == module) && !names.iter().any(|name| self.is_defined(name)) {
            self.others.push(SessionImport { code, names });
        }
    }

    /// The imports of other modules that code with these words needs, unless it binds the names itself.
    pub(super) fn imports(&self, words: &BTreeSet<String>, bound: &[String]) -> Vec<String> {
        let is_needed = |import: &&SessionImport| {
            import.names.is_empty()
                || import.names.iter().any(|name| words.contains(name) && !bound.contains(name))
        };
        self.others.iter().filter(is_needed).map(|import| import.code.clone()).collect()
    }

    /// The name of the submission for what is imported by this name.
    pub(super) fn imported<'n>(&'n self, name: &'n str) -> &'n str {
        let own = self.aliases.get(name).filter(|own| self.is_defined(own));
        own.map_or(name, String::as_str)
    }

    /// The name in a case for one that stands in code of a programming language.
    pub(super) fn renamed<'n>(&'n self, name: &'n str) -> &'n str {
        self.renamed.get(name).map_or_else(|| self.imported(name), String::as_str)
    }

    /// The name in a case for one that is bound here. What the submission defines cannot be bound.
    pub(super) fn bind(&mut self, name: &str) -> String {
        self.modules.remove(name);
        self.aliases.remove(name);
        if !self.exercise.definitions().any(|defined| defined == name) {
            return name.to_owned();
        }
        let other = format!("{name}_1");
        self.renamed.insert(name.to_owned(), other.clone());
        other
    }

    /// The name in a case for one that is called, or that follows a point.
    pub(super) fn called(&self, name: &str) -> String {
        let name = self.aliases.get(name).map_or(name, String::as_str);
        self.spelled.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// The name in a case for one that is only looked at.
    pub(super) fn looked_at(&self, name: &str) -> String {
        match self.renamed.get(name) {
            Some(renamed) => renamed.clone(),
            None if self.is_defined(name) => self.called(name),
            None => name.to_owned(),
        }
    }

    /// Whether the exercise defines a class or function that is spelled so.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        let name = self.called(name);
        self.exercise.definitions().any(|defined| defined == name)
    }

    /// Whether a class of the exercise is spelled so.
    pub(super) fn is_class(&self, name: &str) -> bool {
        self.exercise.classes.contains_key(&self.called(name))
    }

    /// Whether some class has such a method or attribute, so that it is not that of a plain value.
    pub(super) fn is_member(&self, name: &str) -> bool {
        let name = self.called(name);
        self.exercise
            .classes
            .values()
            .any(|class| class.methods.contains_key(&name) || class.attributes.contains(&name))
    }

    /// Whether a module of this name was imported.
    pub(super) fn is_module(&self, name: &str) -> bool {
        self.modules.contains(name)
    }

    /// The parameters of what is called by this name in a case.
    pub(super) fn parameters(&self, name: &str) -> Option<&'a [Parameter]> {
        let Exercise { classes, functions, .. } = self.exercise;
        let class = classes.get(name).map(|class| class.new.as_slice());
        let function = || functions.get(name).map(|function| function.args.as_slice());
        let method = || classes.values().find_map(|class| class.methods.get(name)).map(Vec::as_slice);
        class.or_else(function).or_else(method)
    }

    /// The tokens with the names of a case.
    pub(super) fn in_case(&self, tokens: &[CodeToken]) -> Vec<CodeToken> {
        let mut out: Vec<CodeToken> = Vec::with_capacity(tokens.len());
        let mut skip = false;
        for (index, token) in tokens.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            if token.kind != CodeTokenKind::Name {
                out.push(token.clone());
                continue;
            }
            let next = tokens.get(index + 1);
            let after_point = out.last().is_some_and(|before| before.is_mark("."));
            if !after_point && self.is_module(&token.text) && next.is_some_and(|next| next.is_mark(".")) {
                skip = true;
                continue;
            }
            let is_called = next.is_some_and(|next| next.is_mark("("));
            let is_keyword = next.is_some_and(|next| next.is_mark("="));
            let text = if after_point || is_called {
                self.called(&token.text)
            } else if is_keyword {
                token.text.clone()
            } else {
                self.looked_at(&token.text)
            };
            out.push(CodeToken { text, ..token.clone() });
        }
        out
    }
}

/// The names of an exercise that a session may have.
pub(super) fn all_names(exercise: &Exercise) -> impl Iterator<Item = &str> {
    let members = exercise.classes.values().flat_map(|class| class.methods.keys().chain(&class.attributes));
    exercise.definitions().chain(members.map(String::as_str))
}
