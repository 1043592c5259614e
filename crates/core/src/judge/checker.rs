//! An instructor's own checks: functions in Python that judge a value, each call in a confined process of its
//! own.
//!
//! The value travels as data: nothing of the submission runs here, and nothing of the check where a
//! submission runs.

use super::error::GradeError;
use super::settings::limits;
use crate::adapter::{
    Bundle, Fault, Launcher, Missing, NotStarted, Replayed, Source, StepOutcome, Subprocess, wire,
};
use crate::case::{
    Arg, Calls, Case, CustomCheck, Exercise, Function, LimitsPatch, Line, Node, Plan, StepNo, Want, path_in,
};
use crate::compare::{CheckAnswer, Share, exception_text, halted};
use crate::languages::{Interpreters, python};
use crate::messages::shortened;
use crate::sandbox::Limits;
use crate::value::{SourceFile, Value};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// The most bytes of a check's file and of those that it imports, each.
const LARGEST: u64 = 1 << 20;

/// The most files that a check imports from its own folder.
const MOST_FILES: usize = 20;

/// The most characters of a check's message that a report shows.
const MOST_MESSAGE: usize = 1000;

/// The most answers that are remembered: many submissions give the same value.
const MOST_REMEMBERED: usize = 1000;

/// The longest call that is remembered, in bytes.
const LONGEST_REMEMBERED: usize = 4 << 10;

/// Runs the checks of an exercise for one submission.
pub struct Checker<'a> {
    exercise: &'a Exercise,
    interpreters: &'a Interpreters,
    launcher: &'a mut Launcher,
    /// The files of each check, by its path.
    bundles: BTreeMap<String, Bundle>,
    remembered: HashMap<String, CheckAnswer>,
}

impl<'a> Checker<'a> {
    /// The checks of `exercise`, in processes that `launcher` starts.
    pub(crate) fn new(
        exercise: &'a Exercise,
        interpreters: &'a Interpreters,
        launcher: &'a mut Launcher,
    ) -> Checker<'a> {
        Checker { exercise, interpreters, launcher, bundles: BTreeMap::new(), remembered: HashMap::new() }
    }

    /// The launcher of its processes.
    pub(crate) fn launcher(&mut self) -> &mut Launcher {
        self.launcher
    }

    /// The answer of a check for a value, which has no part that cannot be passed on, at a step of a case.
    ///
    /// # Errors
    /// The check cannot be used; the submission is then not graded.
    pub(super) fn ask(
        &mut self,
        check: &CustomCheck,
        value: &Value,
        case: &Case,
        step: StepNo,
    ) -> Result<CheckAnswer, GradeError> {
        let key = question(check, value);
        if let Some(known) = self.remembered.get(&key) {
            return Ok(known.clone());
        }
        let answer = self.call(check, value, case, step)?;
        if key.len() <= LONGEST_REMEMBERED && self.remembered.len() < MOST_REMEMBERED {
            self.remembered.insert(key, answer.clone());
        }
        Ok(answer)
    }

    fn call(
        &mut self,
        check: &CustomCheck,
        value: &Value,
        case: &Case,
        step: StepNo,
    ) -> Result<CheckAnswer, GradeError> {
        let wrong = |why: &str| GradeError::Exercise(unusable(check, case, step, why));
        let interpreter = self.interpreters.find(&python::LANGUAGE).map_err(|error| {
            GradeError::Fault(Fault::new("a check of the exercise needs Python").because(error))
        })?;
        let bundle = match self.bundles.entry(check.file.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                unknown.insert(bundle(self.exercise, check).map_err(|why| wrong(&why))?)
            }
        };
        let exercise = exercise_of(self.exercise, check);
        let plan = plan_of(check, value);
        let source = Source::Engine(interpreter.engine, interpreter.program);
        let mut adapter = Subprocess::new(self.launcher, source, &exercise, bundle);
        let limits = check_limits(self.exercise, case);
        let Replayed { transcript, .. } =
            adapter.replay_unhindered(&plan, &limits).map_err(|error| match error {
                NotStarted::Fault(fault) => GradeError::Fault(fault),
                NotStarted::NotReady(why) => wrong(&why),
            })?;
        if let Some(halt) = &transcript.load.halt {
            return Err(wrong(&format!("loading it: {}", halted(halt, 0).verdict)));
        }
        if let Some(raised) = &transcript.load.raised {
            return Err(wrong(&format!("loading it raises {}", exception_text(raised))));
        }
        let outcome =
            transcript.steps.first().and_then(|seen| seen.observations().first()).map(|line| &line.outcome);
        let given = || shown(value);
        match outcome {
            Some(StepOutcome::Value { value: Some(answer), .. }) => answer_of(answer).ok_or_else(|| {
                let answer = shown(answer);
                let why = format!(
                    "it returns {answer} for {}; a check returns True, False, a share of the points from 0.0 to \
                     1.0, or one of these with a message: (False, \"…\")",
                    given()
                );
                wrong(&why)
            }),
            Some(StepOutcome::Raised(raised)) => {
                let at = raised.trace.last();
                let at = at.map(|frame| format!(" at {}:{}", frame.file, frame.line)).unwrap_or_default();
                let why = format!("it raises {}{at} for {}", exception_text(raised), given());
                Err(wrong(&why))
            }
            Some(StepOutcome::Missing(Missing { .. })) => {
                Err(wrong(&format!("it defines no function `{}`", check.function)))
            }
            Some(StepOutcome::Halted(halt)) => {
                Err(wrong(&format!("{} for {}", halted(halt, 0).verdict, given())))
            }
            _ => Err(wrong("it gives no answer")),
        }
    }
}

/// The limits of a check: those of its case, and not less than the defaults.
fn check_limits(exercise: &Exercise, case: &Case) -> Limits {
    let default = Limits::default();
    let own = limits(&LimitsPatch::default(), case, exercise);
    Limits {
        cpu: own.cpu.max(default.cpu),
        wall: own.wall.max(default.wall),
        memory: own.memory.max(default.memory),
        output: own.output.max(default.output),
    }
}

/// The file of a check, and those of its folder that it imports.
fn bundle(exercise: &Exercise, check: &CustomCheck) -> Result<Bundle, String> {
    let folder = exercise.folder.as_deref().ok_or("the exercise has no folder")?;
    let (beside, first) = check.file.rsplit_once('/').unwrap_or(("", &check.file));
    let mut bundle = Bundle { mains: 1, ..Bundle::default() };
    let mut queue = vec![first.to_owned()];
    let mut next = 0;
    while let Some(name) = queue.get(next).cloned() {
        let path = if beside.is_empty() { name.clone() } else { format!("{beside}/{name}") };
        let bytes = match path_in(folder, &path).and_then(|path| read(&path)) {
            Ok(bytes) => bytes,
            // A module of the library.
            Err(error) if next > 0 && error.kind() == std::io::ErrorKind::NotFound => {
                queue.remove(next);
                continue;
            }
            Err(error) => return Err(error.to_string()),
        };
        for import in (python::LANGUAGE.scan)(&String::from_utf8_lossy(&bytes)).imports {
            let file = format!("{import}.py");
            if !queue.contains(&file) && queue.len() < MOST_FILES {
                queue.push(file);
            }
        }
        let module = (python::LANGUAGE.module)(&name);
        bundle.files.push(SourceFile { name, module: Some(module), path: None, bytes: bytes.into() });
        next += 1;
    }
    Ok(bundle)
}

/// The error for a check that cannot be used, with the place of the step that asks it.
fn unusable(check: &CustomCheck, case: &Case, step: StepNo, why: &str) -> String {
    let CustomCheck { file, function, .. } = check;
    format!("{}: the check {file}:{function} cannot be used: {why}", case.place(Some(step)))
}

/// The bytes of a file of the exercise.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let size = fs::metadata(path)?.len();
    if size > LARGEST {
        let message = format!("{} has more than {LARGEST} bytes", path.display());
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message));
    }
    fs::read(path)
}

/// An exercise that asks for nothing but the check's function, by exactly its name.
fn exercise_of(exercise: &Exercise, check: &CustomCheck) -> Exercise {
    let function = Function { args: Vec::new(), returns: None, any_order: false };
    let spelled = BTreeMap::from([(check.function.clone(), check.function.clone())]);
    Exercise {
        classes: BTreeMap::new(),
        functions: BTreeMap::from([(check.function.clone(), function)]),
        views: BTreeMap::new(),
        names: BTreeMap::from([(python::LANGUAGE.name.to_owned(), spelled)]),
        ..exercise.clone()
    }
}

/// The call of a check.
fn plan_of(check: &CustomCheck, value: &Value) -> Plan {
    let values = std::iter::once(value).chain(&check.with).enumerate();
    let args =
        values.map(|(position, value)| Arg { keyword: None, position, node: Node::Literal(value.clone()) });
    let node = Node::Function { name: check.function.clone(), args: args.collect() };
    let want = Want { value: true, ..Want::default() };
    let calls = Calls { lines: vec![Line::plain(node)], want, awaited: true };
    Plan { steps: vec![calls.into()], ..Plan::default() }
}

/// A call of a check as text, which is the same for calls that no check can tell apart.
fn question(check: &CustomCheck, value: &Value) -> String {
    let values: Vec<_> = std::iter::once(value).chain(&check.with).map(wire::encode).collect();
    serde_json::json!([check.file, check.function, values]).to_string()
}

/// The answer that a check's return value means; `None` if a check may not return it.
fn answer_of(value: &Value) -> Option<CheckAnswer> {
    let share = |value: &Value| match value {
        Value::Bool(truth) => Some(if *truth { Share::ALL } else { Share::NONE }),
        Value::Float(share) => Share::new(*share),
        _ => None,
    };
    if let Value::Tuple(parts) = value {
        let [first, Value::Str(message)] = parts.as_slice() else { return None };
        let words = message.to_lossy().split_whitespace().collect::<Vec<_>>().join(" ");
        let message: String = words.chars().take(MOST_MESSAGE).collect();
        return Some(CheckAnswer {
            share: share(first)?,
            message: Some(message).filter(|text| !text.is_empty()),
        });
    }
    Some(CheckAnswer { share: share(value)?, message: None })
}

/// A value for a message to the instructor.
fn shown(value: &Value) -> String {
    const MOST: usize = 200;
    shortened(&python::LANGUAGE.notation.literal(value), MOST).into_owned()
}
