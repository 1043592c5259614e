//! The model of an exercise and a case, after their files are checked.

use super::arguments::Domain;
use super::diagnostic::line_column;
use super::expect::Expect;
use super::files::GivenFile;
use super::limits::LimitsPatch;
use super::plan::{InputFile, Plan, PlanStep};
use super::points::Points;
use super::random::RandomSessions;
use super::reader::key_span;
use super::step_no::{CasePlace, StepNo};
use super::tolerance::Tolerance;
use crate::languages::{self, CompileOptions, c::Declarations};
use crate::messages::{Lang, LocalText};
use crate::value::notation::Notation;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// An exercise: what a submission must define, and how it is graded.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The name of the exercise's folder.
    pub name: String,
    /// The title for people.
    pub title: LocalText,
    /// The syntax of the assignment's own sessions.
    pub session: &'static dyn Notation,
    /// The feedback language.
    pub lang: Lang,
    /// The folder that paths in its files are relative to; `None` for a built-in exercise.
    pub folder: Option<PathBuf>,
    /// The correct program that answers where cases ask it.
    pub reference: Option<ExerciseReference>,
    /// The maximum that the grade is scaled to; without it a grade is the sum of its cases.
    pub points: Option<Points>,
    /// The exception type that an expected message implies, in a language that has it.
    pub raises: Option<String>,
    /// Whether an exception at module level costs all points, even after everything required is defined.
    pub strict_load: bool,
    /// Whether output while the submission is loaded is output of the first step of each case.
    pub loading_is_output: bool,
    /// Whether the prompts of Python's `input` are output. Where no file says it, those of programs are, and
    /// those of calls are not.
    pub prompts: Option<bool>,
    /// File names by programming language, in the order in which to look for definitions.
    pub files: BTreeMap<String, Vec<String>>,
    /// Programs of a submission by programming language; a program has the same index in every list.
    pub programs: BTreeMap<String, Vec<String>>,
    /// Limits per case.
    pub limits: LimitsPatch,
    /// The differences that are allowed between an answer and what is expected.
    pub tolerance: Tolerance,
    /// Classes a submission must define, by name.
    pub classes: BTreeMap<String, Class>,
    /// Functions a submission must define, by name.
    pub functions: BTreeMap<String, Function>,
    /// The declarations in C of its functions and structs.
    pub declarations: Declarations,
    /// The declarations in C++ of functions, and the types that class templates are, by name.
    pub signatures: BTreeMap<String, Vec<String>>,
    /// The views of values of the submission's own types: expressions over `it`, by type.
    pub views: BTreeMap<String, Vec<String>>,
    /// The values that parameters take in random sessions, by parameter.
    pub arguments: BTreeMap<String, Domain>,
    /// Names that do not follow a language's convention, by programming language.
    pub names: BTreeMap<String, BTreeMap<String, String>>,
    /// The input files of all its cases as its file gives them.
    pub(crate) given_files: Vec<GivenFile>,
    /// The input files with their contents, once the folder of the exercise is known.
    pub input_files: Vec<InputFile>,
    /// Packages that a submission may import besides the standard library, by programming language.
    pub packages: BTreeMap<String, Vec<String>>,
    /// How submissions are compiled, by programming language.
    pub compile: BTreeMap<String, CompileOptions>,
}

impl Exercise {
    /// The names of the classes and functions that a submission must define.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().chain(self.functions.keys()).map(String::as_str)
    }

    /// The parameters of all its functions, constructors and methods.
    pub fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        let of_classes =
            self.classes.values().flat_map(|class| class.new.iter().chain(class.methods.values().flatten()));
        of_classes.chain(self.functions.values().flat_map(|function| &function.args))
    }

    /// The programming languages whose files it names, each once.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        let programs = self.programs.keys().filter(|language| !self.files.contains_key(*language));
        self.files.keys().chain(programs).map(String::as_str)
    }

    /// The programming languages in which it takes submissions, each once: also those that are built.
    pub(super) fn taken_languages(&self) -> Vec<&str> {
        let mut taken: Vec<&str> = self.languages().collect();
        let built = languages::built().map(|language| language.name);
        taken.extend(built.filter(|name| self.languages().all(|language| language != *name)));
        taken
    }

    /// The file names that submissions in a programming language have.
    pub fn files_in(&self, language: &str) -> &[String] {
        self.files.get(language).map(Vec::as_slice).unwrap_or_default()
    }

    /// The built-in game that is its reference, if it is one.
    pub fn built_in(&self) -> Option<&str> {
        match &self.reference {
            Some(ExerciseReference::BuiltIn(name)) => Some(name),
            Some(ExerciseReference::Own(_)) | None => None,
        }
    }

    /// The file of a program in each language; `name` is its file in any of them. `None` if it is not a
    /// program.
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

/// A correct answer to an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExerciseReference {
    /// The built-in game of this name.
    BuiltIn(String),
    /// Submissions that are right: the path of each in the exercise's folder, by programming language.
    Own(BTreeMap<String, String>),
}

/// A class that a submission must define.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Parameters of its constructor.
    pub new: Vec<Parameter>,
    /// Parameters of its methods, by name.
    pub methods: BTreeMap<String, Vec<Parameter>>,
    /// The names of its attributes.
    pub attributes: Vec<String>,
}

/// A function that a submission must define.
#[derive(Clone, Debug)]
pub struct Function {
    /// The parameters, in order.
    pub args: Vec<Parameter>,
    /// The name of the submission's own type that it returns, and whether as a list.
    pub returns: Option<(String, bool)>,
    /// Whether the order of the returned list is irrelevant.
    pub any_order: bool,
}

/// A parameter of a constructor, function or method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name for keyword arguments.
    pub name: String,
    /// Whether it is optional.
    pub optional: bool,
}

/// A case: one scenario to replay, and the expectations of each step. Texts that reports repeat are shared.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its extension, and the number of its row: `numerals[2]`. It is unique in an
    /// exercise.
    pub name: String,
    /// The file's name without its extension, which also means all rows of the file.
    pub file: String,
    /// The title for people.
    pub title: Arc<LocalText>,
    /// The bytes of the title in the file; `None` for the default title of a row.
    #[doc(hidden)]
    pub title_span: Option<Range<usize>>,
    /// The points for a case that passes.
    pub points: Points,
    /// Whether each step that expects something earns its share of the points; otherwise they are all or
    /// nothing.
    pub partial: bool,
    /// Free-form tags.
    pub tags: Arc<[String]>,
    /// The place among the cases: the lowest comes first, and a case without one after all that have one.
    pub order: Option<u32>,
    /// Whether a student sees only that it failed, and the hint.
    pub hidden: bool,
    /// Shown when it fails at its last step.
    pub hint: Option<Arc<LocalText>>,
    /// The hints of its steps.
    pub step_hints: BTreeMap<StepNo, StepHint>,
    /// The cases without which it is not run.
    pub needs: Vec<Need>,
    /// The heading under which reports gather it with others.
    pub group: Option<Arc<LocalText>>,
    /// The bytes of that heading in the file.
    #[doc(hidden)]
    pub group_span: Range<usize>,
    /// The program's file, by programming language; without that program the case is skipped.
    pub only_with: Option<BTreeMap<String, String>>,
    /// The limits that differ from those of the exercise.
    pub limits: LimitsPatch,
    /// The calls, without expectations.
    pub plan: Plan,
    /// The expectations of each step of the plan, in order.
    pub expect: Vec<Expect>,
    /// Random sessions instead of steps; then the plan is empty.
    pub random: Option<RandomSessions>,
    /// The path of its file, as given.
    pub path: String,
    /// The text of that file.
    pub source: Arc<str>,
}

/// The hint of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepHint {
    /// Shown when the case fails first at the step.
    pub text: Arc<LocalText>,
    /// The name of the only verdict with which it is shown; `None` for any.
    pub when: Option<String>,
    /// The only actual value with which it is shown, as a finding has it; `None` for any.
    pub got: Option<String>,
}

/// A case that another one needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The name of a case, or of a file: then every row of the file.
    pub name: String,
    /// The bytes of the name in the file that needs it.
    pub span: Range<usize>,
}

/// A step of a case with what it expects.
#[derive(Clone, Copy, Debug)]
pub struct CaseStep<'a> {
    /// The number of the step, counted from 1.
    pub number: StepNo,
    /// The action of the step, without expectations.
    pub plan: &'a PlanStep,
    /// The expectations of the step.
    pub expect: &'a Expect,
}

impl Case {
    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = CaseStep<'_>> {
        let steps = self.plan.steps.iter().zip(&self.expect).enumerate();
        steps.map(|(index, (plan, expect))| CaseStep { number: StepNo::at(index), plan, expect })
    }

    /// The hint for a failure at this step with the verdict of this name and this actual value: that of the step if it is
    /// for such a failure, else that of the case if the step is its last. The sessions of a random case are one step. In
    /// a hidden case, a hint for one kind of failure would tell students the kind.
    pub fn hint_for(&self, step: StepNo, verdict: &str, got: Option<&str>) -> Option<&Arc<LocalText>> {
        let is_for = |hint: &&StepHint| {
            let is_kind = hint.when.as_deref().is_none_or(|when| when == verdict && !self.hidden);
            let came = |wanted: &str| !self.hidden && got.is_some_and(|got| wanted.trim() == got.trim());
            is_kind && hint.got.as_deref().is_none_or(came)
        };
        let is_last = self.random.is_some() || step.index() + 1 >= self.plan.steps.len();
        let of_step = self.step_hints.get(&step).filter(is_for).map(|hint| &hint.text);
        of_step.or_else(|| self.hint.as_ref().filter(|_| is_last))
    }

    /// The place of a step in the case's file; the first line for what is before the first step.
    pub fn place(&self, step: Option<StepNo>) -> CasePlace {
        let expect = step.and_then(|step| self.expect.get(step.index()));
        let line = expect.map_or(1, |expect| line_column(&self.source, expect.span.start).0);
        CasePlace { path: self.path.clone(), line }
    }

    /// The bytes of what a step expects, if it has one of these keys, else of the step; of the first line for
    /// what is before the first step.
    pub fn expectation_span(&self, step: Option<StepNo>, keys: &[&str]) -> Range<usize> {
        let Some(expect) = step.and_then(|step| self.expect.get(step.index())) else {
            return 0..self.source.find('\n').unwrap_or(self.source.len());
        };
        key_span(&self.source, &expect.span, keys).unwrap_or_else(|| expect.span.clone())
    }

    /// Whether it counts for submissions in `language`: all its code of programming languages has some for
    /// this one.
    pub fn is_for(&self, language: &str) -> bool {
        self.plan.natives().all(|native| native.code(language).is_some())
    }

    /// Whether another case means this one by `name`: by its own name, or by that of the file whose row it
    /// is.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.file == name
    }

    /// Whether it needs `other`.
    pub fn needs(&self, other: &Case) -> bool {
        self.needs.iter().any(|need| other.is_named(&need.name))
    }

    /// Whether it depends on a ruling, and so is skipped by default.
    pub fn is_ruling(&self) -> bool {
        self.tags.iter().any(|tag| tag == "ruling")
    }
}
