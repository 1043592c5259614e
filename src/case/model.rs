//! The model of an exercise and a case, after their files are checked.

use super::expect::Expect;
use super::limits::LimitsPatch;
use super::plan::Plan;
use super::points::Points;
use crate::messages::{Lang, LocalText};
use crate::value::notation::Notation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An exercise: what a submission must define, and how it is graded.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its folder's name.
    pub name: String,
    /// Its title.
    pub title: LocalText,
    /// The syntax of the assignment's own sessions.
    pub session: &'static dyn Notation,
    /// The feedback language.
    pub lang: Lang,
    /// The built-in game that is its reference.
    pub reference: Option<String>,
    /// The maximum that the grade is scaled to; without it a grade is the sum of its cases.
    pub points: Option<Points>,
    /// The exception type that an expected message implies, in a language that has it.
    pub raises: Option<String>,
    /// Whether an exception at module level costs all points, even after everything required is defined.
    pub strict_load: bool,
    /// File names by programming language, in the order in which to look for definitions.
    pub files: BTreeMap<String, Vec<String>>,
    /// Programs of a submission by programming language; a program has the same index in every list.
    pub programs: BTreeMap<String, Vec<String>>,
    /// Limits per case.
    pub limits: LimitsPatch,
    /// Classes a submission must define, by name.
    pub classes: BTreeMap<String, Class>,
    /// Functions a submission must define, by name.
    pub functions: BTreeMap<String, Function>,
    /// How to view a value of a submission's own type: expressions over `it`, by type.
    pub views: BTreeMap<String, Vec<String>>,
    /// Names that do not follow a language's convention, by programming language.
    pub names: BTreeMap<String, BTreeMap<String, String>>,
}

impl Exercise {
    /// The names of the classes and functions that a submission must define.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().chain(self.functions.keys()).map(String::as_str)
    }

    /// The file of a program in each language; `name` is its file in any of them. `None` if it is not a program.
    pub fn program(&self, name: &str) -> Option<BTreeMap<String, String>> {
        let place = self.programs.values().find_map(|files| files.iter().position(|file| file == name))?;
        let mut program = BTreeMap::new();
        for (language, files) in &self.programs {
            if let Some(file) = files.get(place) {
                program.insert(language.clone(), file.clone());
            }
        }
        Some(program)
    }
}

/// A class that a submission must define.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Parameters of its constructor.
    pub new: Vec<Parameter>,
    /// Parameters of its methods, by name.
    pub methods: BTreeMap<String, Vec<Parameter>>,
}

/// A function that a submission must define.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its parameters.
    pub args: Vec<Parameter>,
    /// The name of the submission's own type that it returns, and whether as a list.
    pub returns: Option<(String, bool)>,
    /// Whether the order of the returned list is irrelevant.
    pub any_order: bool,
}

/// A parameter of a constructor, function or method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it is optional.
    pub optional: bool,
}

/// A case: one scenario to replay, and the expectations of each step. Texts that reports repeat are shared.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its extension; unique in an exercise.
    pub name: String,
    /// Its title.
    pub title: Arc<LocalText>,
    /// Its points, all or nothing.
    pub points: Points,
    /// Free-form tags.
    pub tags: Arc<[String]>,
    /// Whether a student sees only that it failed, and the hint.
    pub hidden: bool,
    /// Shown when it fails.
    pub hint: Option<Arc<LocalText>>,
    /// The program's file, by programming language; without that program the case is skipped.
    pub only_with: Option<BTreeMap<String, String>>,
    /// Its own limits.
    pub limits: LimitsPatch,
    /// The calls, without expectations.
    pub plan: Plan,
    /// The expectations of each step of the plan, in order.
    pub expect: Vec<Expect>,
    /// The path of its file, as given.
    pub path: String,
    /// The text of that file.
    pub source: String,
}

impl Case {
    /// Whether it rests on a ruling, and so is skipped by default.
    pub fn is_ruling(&self) -> bool {
        self.tags.iter().any(|tag| tag == "ruling")
    }
}
