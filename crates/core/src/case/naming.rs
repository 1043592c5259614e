//! The spelling of an exercise's names in a programming language.

use super::model::Exercise;
use crate::languages::Language;
use crate::named;

/// A language's naming convention for functions and methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `maak_wit`
    Snake,
    /// `maakWit`
    Camel,
    /// Names as the exercise spells them.
    AsIs,
}

named!(Convention { Snake = "snake_case", Camel = "camelCase", AsIs = "as-is" });

impl Convention {
    /// The convention of a language.
    pub fn of(language: &Language) -> Convention {
        if language.snake_case { Convention::Snake } else { Convention::Camel }
    }

    /// The spelling of a name of a function or method.
    pub fn spell(self, name: &str) -> String {
        convert(name, self)
    }
}

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
        Naming::new(exercise, language.name, Convention::of(language))
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
            None => convert(name, self.convention),
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

/// `name` in a convention.
fn convert(name: &str, convention: Convention) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    let mut previous = '_';
    for ch in name.chars() {
        match convention {
            Convention::AsIs => out.push(ch),
            Convention::Camel if ch == '_' && out.chars().any(|ch| ch != '_') => {}
            Convention::Camel if previous == '_' && out.chars().any(|ch| ch != '_') => {
                out.extend(ch.to_uppercase())
            }
            Convention::Camel => out.push(ch),
            Convention::Snake if ch.is_uppercase() && previous != '_' && !previous.is_uppercase() => {
                out.push('_');
                out.extend(ch.to_lowercase());
            }
            Convention::Snake => out.extend(ch.to_lowercase()),
        }
        previous = ch;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Convention, convert};

    #[track_caller]
    fn check(snake: &str, camel: &str) {
        assert_eq!(convert(snake, Convention::Camel), camel);
        assert_eq!(convert(camel, Convention::Snake), snake);
        assert_eq!(convert(snake, Convention::Snake), snake);
        assert_eq!(convert(camel, Convention::Camel), camel);
    }

    #[test]
    fn names_follow_the_convention_of_a_language() {
        check("maak_wit", "maakWit");
        check("is_game_over", "isGameOver");
        check("isafgelopen", "isafgelopen");
        check("_private_one", "_privateOne");
    }
}
