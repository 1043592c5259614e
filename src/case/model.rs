//! What an exercise and a case say, once their files are known to be right.

use super::expect::Expect;
use super::limits::LimitsPatch;
use super::plan::Plan;
use super::points::Points;
use crate::messages::{Lang, LocalText};
use crate::value::syntax::Syntax;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The programming language of submissions that are crates: an exercise names no files of theirs.
pub const RUST: &str = "rust";

/// An exercise: what a submission must define, and how it is graded.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its folder's name.
    pub name: String,
    /// Its title.
    pub title: LocalText,
    /// The syntax of the assignment's own sessions.
    pub session: Syntax,
    /// The language of feedback to students.
    pub lang: Lang,
    /// The built-in game that answers for it.
    pub reference: Option<String>,
    /// What the grade is scaled to; without it a grade is the sum of its cases.
    pub points: Option<Points>,
    /// The exception type that an expected message also implies, in a language that has it.
    pub raises: Option<String>,
    /// Whether an exception at module level after everything needed is defined loses the submission its points.
    pub strict_load: bool,
    /// File names by programming language, in the order in which definitions are looked for.
    pub files: BTreeMap<String, Vec<String>>,
    /// Programs of a submission by programming language, each at the same place in every list.
    pub programs: BTreeMap<String, Vec<String>>,
    /// Limits per case.
    pub limits: LimitsPatch,
    /// Classes a submission must define, by name.
    pub classes: BTreeMap<String, Class>,
    /// Functions a submission must define, by name.
    pub functions: BTreeMap<String, Function>,
    /// How to look at a value of a type of the submission's own: expressions over `it`, by type.
    pub views: BTreeMap<String, Vec<String>>,
    /// By programming language, names that do not follow its convention.
    pub names: BTreeMap<String, BTreeMap<String, String>>,
}

impl Exercise {
    /// The names of the classes and functions that a submission must define.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().chain(self.functions.keys()).map(String::as_str)
    }

    /// The file of a program in each language; `name` is its file in any of them. None when it is no program.
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
    /// The name of a type of the submission's own that it returns, and whether as a list of them.
    pub returns: Option<(String, bool)>,
    /// Whether the order of the list that it returns means nothing.
    pub any_order: bool,
}

/// A parameter of a constructor, function or method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it may be left out.
    pub optional: bool,
}

/// A case: one scenario to replay, and what is expected of each step. What reports repeat of it they share.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its ending; unique in an exercise.
    pub name: String,
    /// Its title.
    pub title: Arc<LocalText>,
    /// What it is worth, all or nothing.
    pub points: Points,
    /// Free words.
    pub tags: Arc<[String]>,
    /// Whether a student is told only that it failed.
    pub hidden: bool,
    /// Shown when it fails.
    pub hint: Option<Arc<LocalText>>,
    /// The program's file, by programming language, without which the case is left out of a grade.
    pub only_with: Option<BTreeMap<String, String>>,
    /// Its own limits.
    pub limits: LimitsPatch,
    /// The calls, and nothing of what is expected of them.
    pub plan: Plan,
    /// What is expected of each step of the plan, in its order.
    pub expect: Vec<Expect>,
    /// The file it came from, as it was named.
    pub path: String,
    /// The text of that file.
    pub source: String,
}

impl Case {
    /// Whether it rests on a ruling, and so is left out of a default grade.
    pub fn is_ruling(&self) -> bool {
        self.tags.iter().any(|tag| tag == "ruling")
    }
}
