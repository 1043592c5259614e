//! A case of random sessions: a table `[random]` instead of steps.

use super::case_file::CaseReader;
use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::model::{Case, Exercise};
use super::reader::{self, Entry};
use crate::sandbox::lock;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use toml::de::DeTable;

/// The number of sessions of a case that names none.
const SESSIONS: u64 = 60;

/// The most sessions of a case.
const MOST_SESSIONS: u32 = 10_000;

/// The most steps of a session.
const MOST_STEPS: u32 = 1000;

/// The random sessions of a case: each is made from a seed, and the same seed makes the same session.
#[derive(Clone)]
pub struct RandomSessions {
    /// The seeds, in order.
    pub seeds: Vec<u64>,
    /// The most steps of a session; its later steps are left out.
    pub steps: Option<usize>,
    /// The calls that they may make; `None` for all.
    pub calls: Option<BTreeSet<NamedCall>>,
    /// Whether it is run even if another case failed.
    pub always: bool,
    /// The bytes of the table in the case file.
    span: Range<usize>,
    /// The sessions with the answers of the reference, once they are made.
    made: Arc<Mutex<Option<Arc<[SeededCase]>>>>,
}

/// A function, method or constructor that an exercise names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedCall {
    /// The constructor of a class.
    Class(String),
    /// A function.
    Function(String),
    /// A method, after its class.
    Method(String, String),
}

/// A random session with the answers of a reference, as a case.
#[derive(Clone, Debug)]
pub struct SeededCase {
    /// The seed of the session.
    pub seed: u64,
    /// The case, with the name, the file and the limits of the case whose session it is.
    pub case: Case,
}

/// The sessions with their answers are not shown: they follow from the rest.
impl fmt::Debug for RandomSessions {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RandomSessions { seeds, steps, calls, always, span: _, made: _ } = self;
        // The digest of a case that says nothing of calls is that of before there was the key.
        let calls = calls.as_ref().map(|calls| format!(", calls: {calls:?}")).unwrap_or_default();
        write!(to, "RandomSessions {{ seeds: {seeds:?}, steps: {steps:?}, always: {always}{calls} }}")
    }
}

impl RandomSessions {
    /// The sessions of these seeds, whole.
    pub fn of(seeds: Vec<u64>) -> RandomSessions {
        RandomSessions { seeds, steps: None, calls: None, always: false, span: 0..0, made: Arc::default() }
    }

    /// An error of these sessions, with their place in the file of `case`.
    pub(crate) fn error(&self, case: &Case, message: &str) -> FileErrors {
        FileErrors::new(&case.path, &case.source, vec![Diagnostic::new(message, self.span.clone())])
    }

    /// The sessions with the answers of the reference: those of before, or what `make` makes. Others who ask
    /// meanwhile wait.
    ///
    /// # Errors
    /// The error of `make`.
    pub fn answered<E>(
        &self,
        make: impl FnOnce() -> Result<Vec<SeededCase>, E>,
    ) -> Result<Arc<[SeededCase]>, E> {
        let mut made = lock(&self.made);
        if let Some(cases) = &*made {
            return Ok(Arc::clone(cases));
        }
        let cases: Arc<[SeededCase]> = make()?.into();
        *made = Some(Arc::clone(&cases));
        Ok(cases)
    }
}

impl CaseReader<'_> {
    /// The random sessions of a case, if it has a table `[random]`.
    pub(super) fn random(&mut self, table: &DeTable<'_>) -> Option<RandomSessions> {
        let entry = reader::get(table, "random")?;
        let random = entry.get_ref().as_table()?;
        self.check_alone(table, entry);
        let sessions = self.whole(random, "sessions", 1..=MOST_SESSIONS);
        let seeds = self.seeds(random);
        if let (Some(_), Some(_), Some(both)) = (sessions, &seeds, reader::get(random, "sessions")) {
            let help = "write one of them: `sessions = 60` has the seeds 1 to 60".to_owned();
            self.error("`sessions` beside `seeds`", both.span(), Some(help));
        }
        let calls = self.calls(random);
        Some(RandomSessions {
            seeds: seeds.unwrap_or_else(|| (1..=sessions.map_or(SESSIONS, u64::from)).collect()),
            steps: self.whole(random, "steps", 1..=MOST_STEPS).and_then(|steps| usize::try_from(steps).ok()),
            calls,
            always: reader::truth(random, "always"),
            span: entry.span(),
            made: Arc::default(),
        })
    }

    /// Reports what a case of random sessions has no use for.
    fn check_alone(&mut self, table: &DeTable<'_>, random: &Entry<'_>) {
        for key in ["step", "input_files", "partial", "only_with", "compare"] {
            if let Some(other) = reader::get(table, key) {
                let help = match key {
                    "step" => "write it in a case of its own".to_owned(),
                    _ => "leave it out".to_owned(),
                };
                self.error(format!("`{key}` in a case of random sessions"), other.span(), Some(help));
            }
        }
        if self.exercise.reference.is_none() {
            let help = "name one in exercise.toml: reference = { python = \"right/…\" }".to_owned();
            self.error("random sessions of an exercise without a reference", random.span(), Some(help));
        } else if self.exercise.definitions().next().is_none() {
            let help = "sessions make calls; write steps with `run` instead".to_owned();
            self.error("random sessions of an exercise that has only programs", random.span(), Some(help));
        }
    }

    fn seeds(&mut self, random: &DeTable<'_>) -> Option<Vec<u64>> {
        let entry = reader::get(random, "seeds")?;
        let listed = entry.get_ref().as_array()?;
        let mut seeds = Vec::with_capacity(listed.len());
        for item in listed.iter() {
            let Some(seed) = reader::whole(item.get_ref()).map(u64::from) else {
                self.error(format!("a seed is a whole number, 0 to {}", u32::MAX), item.span(), None);
                continue;
            };
            if seeds.contains(&seed) {
                self.error(format!("the seed {seed} twice"), item.span(), Some("leave one out".to_owned()));
            }
            seeds.push(seed);
        }
        if listed.is_empty() || listed.len() > MOST_SESSIONS as usize {
            let message = format!("from 1 to {MOST_SESSIONS} seeds are possible");
            self.error(message, entry.span(), None);
        }
        Some(seeds)
    }

    /// The calls that sessions may make, if the case names them.
    fn calls(&mut self, random: &DeTable<'_>) -> Option<BTreeSet<NamedCall>> {
        let entry = reader::get(random, "calls")?;
        if self.exercise.built_in().is_some() {
            let help =
                "its sessions are whole games: without some calls, the others would mean something else";
            self.error("`calls` in random sessions of a built-in game", entry.span(), Some(help.to_owned()));
            return None;
        }
        let listed = reader::texts(random, "calls");
        if listed.is_empty() {
            self.error(
                "`calls` is empty",
                entry.span(),
                Some("name functions, methods or classes".to_owned()),
            );
        }
        let mut calls = BTreeSet::new();
        for (name, span) in listed {
            let meant = meant_by(self.exercise, name);
            if meant.is_empty() {
                let known = names(self.exercise);
                let help = did_you_mean(name, known.iter().map(String::as_str));
                self.error(format!("the exercise has no function, method or class `{name}`"), span, help);
            }
            calls.extend(meant);
        }
        Some(calls)
    }
}

/// The calls that a name means: `push` is the method of every class that has it, `Stack.push` that of one class.
/// Methods need objects, so that they include the constructor.
fn meant_by(exercise: &Exercise, name: &str) -> Vec<NamedCall> {
    if exercise.functions.contains_key(name) {
        return vec![NamedCall::Function(name.to_owned())];
    }
    if exercise.classes.contains_key(name) {
        return vec![NamedCall::Class(name.to_owned())];
    }
    let (of, method) = match name.split_once('.') {
        Some((class, method)) => (Some(class), method),
        None => (None, name),
    };
    let has = |class: &str| {
        of.is_none_or(|of| of == class)
            && exercise.classes.get(class).is_some_and(|class| class.methods.contains_key(method))
    };
    let classes = exercise.classes.keys().filter(|class| has(class));
    let both = |class: &String| {
        [NamedCall::Class(class.clone()), NamedCall::Method(class.clone(), method.to_owned())]
    };
    classes.flat_map(both).collect()
}

/// The names that calls may have.
fn names(exercise: &Exercise) -> Vec<String> {
    let methods = exercise.classes.iter().flat_map(|(class, own)| {
        own.methods.keys().flat_map(move |method| [method.clone(), format!("{class}.{method}")])
    });
    exercise.definitions().map(str::to_owned).chain(methods).collect()
}
