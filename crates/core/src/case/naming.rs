//! The spelling of an exercise's names in a programming language.

use super::model::Exercise;
use crate::languages::{Convention, Language};

/// The spelling of an exercise's names in one programming language.
#[derive(Clone, Copy, Debug)]
pub struct Naming<'a> {
    exercise: &'a Exercise,
    language: &'a str,
    convention: Convention,
}

impl<'a> Naming<'a> {
    /// The spelling of the names of `exercise` in `language`, which follows `convention`.
    pub fn new(exercise: &'a Exercise, language: &'a str, convention: Convention) -> Naming<'a> {
        Naming { exercise, language, convention }
    }

    /// The spelling of the names of `exercise` in `language`, as long as no program says otherwise.
    pub fn of(exercise: &'a Exercise, language: &Language) -> Naming<'a> {
        Naming::new(exercise, language.name, language.convention)
    }

    /// The exercise.
    pub(crate) fn exercise(&self) -> &'a Exercise {
        self.exercise
    }

    /// The spelling of a class, function or method: what students were given, else the convention's. A class
    /// keeps its name, and so does a constant.
    pub fn spell(&self, name: &str) -> String {
        let given = self.exercise.names.get(self.language).and_then(|names| names.get(name));
        match given {
            Some(given) => given.clone(),
            None if self.exercise.classes.contains_key(name) || is_constant(name) => name.to_owned(),
            None => self.convention.spell(name),
        }
    }

    /// The definitions of the exercise, each with its spelling.
    pub fn definitions(&self) -> Vec<(String, String)> {
        self.exercise.definitions().map(|name| (name.to_owned(), self.spell(name))).collect()
    }
}

/// Whether every language writes a name so: a constant, in capitals.
fn is_constant(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}
