//! An exercise's own reference: a submission that is right, run confined like any other, and asked what it
//! answers.
//!
//! It has processes of its own, so that nothing of its answers is where a submission runs.

use super::error::GradeError;
use super::settings::limits;
use super::source::source_of;
use crate::adapter::{
    Dialect, Launcher, Load, Missing, NotStarted, Observation, Replayed, StepOutcome, StepTranscript,
    Subprocess, Transcript,
};
use crate::case::{
    Case, Exercise, ExerciseReference, Expect, LimitsPatch, Loaded, Matcher, Plan, StepNo, path_in,
};
use crate::compare::{Verdict, exception_text, halted};
use crate::languages::{Interpreters, LANGUAGES, Language};
use crate::sandbox::Limits;
use crate::sandbox::lock;
use crate::submission::{BuildProblem, Found, Submission, SubmissionProblem};
use crate::value::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Opens the submission at a path as an answer to an exercise, and builds it if its language asks for that.
type OpenReference = dyn Fn(&Exercise, &Path) -> Result<Submission, GradeError> + Send + Sync;

/// The own references of the exercises of a run; each is asked once, whatever the number of submissions and
/// workers.
pub struct References {
    open: Box<OpenReference>,
    asked: Mutex<AskedReferences>,
}

/// The references that were asked, by exercise and programming language.
type AskedReferences = BTreeMap<(String, &'static str), Result<AskedOnce, GradeError>>;

/// The answers of one reference, asked once for all submissions.
#[derive(Clone)]
struct AskedOnce {
    /// The answers for submissions in the reference's own language.
    own: Arc<ReferenceAnswers>,
    /// The answers as another language has them.
    neutral: Arc<ReferenceAnswers>,
}

/// The answers of a reference to the steps that ask it, by the name of the case.
pub struct ReferenceAnswers {
    cases: BTreeMap<String, BTreeMap<StepNo, Value>>,
}

impl ReferenceAnswers {
    /// The answer at a step of a case.
    pub(super) fn at(&self, case: &str, step: StepNo) -> Option<&Value> {
        self.cases.get(case)?.get(&step)
    }

    /// The answers as another language has them.
    fn neutral(&self) -> ReferenceAnswers {
        let case = |answers: &BTreeMap<StepNo, Value>| {
            answers.iter().map(|(step, answer)| (*step, answer.neutral())).collect()
        };
        ReferenceAnswers {
            cases: self.cases.iter().map(|(name, answers)| (name.clone(), case(answers))).collect(),
        }
    }
}

/// An exercise's own reference in one language, opened.
pub(crate) struct OpenedReference {
    pub(crate) language: &'static Language,
    pub(crate) path: PathBuf,
    pub(crate) submission: Submission,
}

impl References {
    /// References that `open` opens.
    #[doc(hidden)]
    pub fn new(
        open: impl Fn(&Exercise, &Path) -> Result<Submission, GradeError> + Send + Sync + 'static,
    ) -> References {
        References { open: Box::new(open), asked: Mutex::default() }
    }

    /// The answers for submissions in `language`: those of the reference in the same language, else of the
    /// first one.
    pub(crate) fn answers(
        &self,
        loaded: &Loaded,
        language: Option<&Language>,
        launcher: &mut Launcher,
        interpreters: &Interpreters,
    ) -> Result<Option<Arc<ReferenceAnswers>>, GradeError> {
        let Some(ExerciseReference::Own(paths)) = &loaded.exercise.reference else { return Ok(None) };
        if !loaded.cases.iter().any(has_reference_values) {
            return Ok(None);
        }
        let mut languages = LANGUAGES.iter().copied().filter(|known| paths.contains_key(known.name));
        let in_same = languages.clone().find(|known| language.is_some_and(|asked| asked.name == known.name));
        let Some(own) = in_same.or_else(|| languages.next()) else { return Ok(None) };
        let key = (loaded.exercise.name.clone(), own.name);
        // Other workers wait: they need the same answers. A worker that panicked leaves valid data.
        let mut asked = lock(&self.asked);
        let answers = asked.entry(key).or_insert_with(|| {
            let answers = self.ask(loaded, own, launcher, interpreters)?;
            let neutral = answers.neutral();
            Ok(AskedOnce { own: Arc::new(answers), neutral: Arc::new(neutral) })
        });
        let answers = answers.clone()?;
        let same = language.is_some_and(|language| language.notation.language() == own.notation.language());
        Ok(Some(if same { answers.own } else { answers.neutral }))
    }

    /// The own reference of an exercise in the first language that has one, opened; `None` if there is none.
    ///
    /// # Errors
    /// It cannot be opened or built.
    pub(crate) fn first(&self, exercise: &Exercise) -> Result<Option<OpenedReference>, GradeError> {
        let Some(ExerciseReference::Own(paths)) = &exercise.reference else { return Ok(None) };
        let mut languages = LANGUAGES.iter().copied();
        let Some(language) = languages.find(|known| paths.contains_key(known.name)) else { return Ok(None) };
        let path = reference_path(exercise, language.name)?;
        let submission = (self.open)(exercise, &path)?;
        Ok(Some(OpenedReference { language, path, submission }))
    }

    /// Replays every case that asks the reference in `language`.
    fn ask(
        &self,
        loaded: &Loaded,
        language: &'static Language,
        launcher: &mut Launcher,
        interpreters: &Interpreters,
    ) -> Result<ReferenceAnswers, GradeError> {
        let exercise = &loaded.exercise;
        let path = reference_path(exercise, language.name)?;
        let submission = (self.open)(exercise, &path)?;
        let found = reference_files(&submission, &path, language)?;
        let mut adapter = reference_process(exercise, found, launcher, interpreters)?;
        let mut cases = BTreeMap::new();
        for case in loaded.cases.iter().filter(|case| has_reference_values(case)) {
            let limits = limits(&LimitsPatch::default(), case, exercise);
            let transcript = replay_reference(&mut adapter, exercise, &case.plan, &limits, &path)?;
            cases.insert(case.name.clone(), answers_of(case, &transcript, &path)?);
        }
        Ok(ReferenceAnswers { cases })
    }
}

/// The path of an exercise's own reference in a language.
///
/// # Errors
/// There is none, it does not exist, or it is a link.
pub fn reference_path(exercise: &Exercise, language: &str) -> Result<PathBuf, GradeError> {
    let own = match &exercise.reference {
        Some(ExerciseReference::Own(paths)) => paths.get(language),
        Some(ExerciseReference::BuiltIn(_)) | None => None,
    };
    let (Some(path), Some(folder)) = (own, &exercise.folder) else {
        let message = format!("the exercise {} has no reference of its own in {language}", exercise.name);
        return Err(GradeError::Exercise(message));
    };
    path_in(folder, path).map_err(|error| unloadable(&folder.join(path), &error.to_string()))
}

/// The files of an opened reference.
///
/// # Errors
/// They are not a submission in `language`.
pub fn reference_files<'s>(
    submission: &'s Submission,
    path: &Path,
    language: &Language,
) -> Result<&'s Found, GradeError> {
    let found = match &submission.found {
        Ok(found) => found,
        Err(SubmissionProblem::Build(BuildProblem::Errors(errors))) => {
            let text: Vec<&str> = errors.iter().map(|error| error.text.trim_end()).collect();
            return Err(unloadable(path, &text.join("\n")));
        }
        Err(_) => return Err(unloadable(path, &format!("it is not a submission in {}", language.title))),
    };
    match found.language() {
        Some(own) if own.name == language.name => Ok(found),
        Some(_) | None => Err(unloadable(path, &format!("it is not a submission in {}", language.title))),
    }
}

/// A reference with these files, in processes that `launcher` starts.
///
/// # Errors
/// There is no interpreter of its language.
pub fn reference_process<'a>(
    exercise: &'a Exercise,
    found: &'a Found,
    launcher: &'a mut Launcher,
    interpreters: &Interpreters,
) -> Result<Subprocess<'a>, GradeError> {
    let source = source_of(found, interpreters)?;
    Ok(Subprocess::new(launcher, source, exercise, &found.bundle))
}

/// Replays a plan on the reference at `path`, which must have all that the plan calls.
///
/// # Errors
/// It cannot be loaded or has not all of it, or a failure of keur itself.
pub fn replay_reference(
    reference: &mut Subprocess<'_>,
    exercise: &Exercise,
    plan: &Plan,
    limits: &Limits,
    path: &Path,
) -> Result<Transcript, GradeError> {
    let Replayed { transcript, dialect, .. } =
        reference.replay_unhindered(plan, limits).map_err(|error| match error {
            NotStarted::Fault(fault) => GradeError::Fault(fault),
            NotStarted::NotReady(_) => unloadable(path, &Verdict::LoadError.to_string()),
        })?;
    match load_failure(exercise, plan, &transcript.load, &dialect) {
        Some(why) => Err(unloadable(path, &why)),
        None => Ok(transcript),
    }
}

fn unloadable(path: &Path, why: &str) -> GradeError {
    GradeError::Exercise(format!("the reference {} cannot be used: {why}", path.display()))
}

/// The reason why a plan cannot be replayed on a loaded reference, if there is one.
fn load_failure(exercise: &Exercise, plan: &Plan, load: &Load, dialect: &Dialect) -> Option<String> {
    if let Some(halt) = &load.halt {
        return Some(halted(halt, 0).verdict.to_string());
    }
    let naming = dialect.naming(exercise);
    let mut spelled = plan.definitions().into_iter().map(|name| naming.spell(name));
    let missing = spelled.find(|name| !load.defined.contains(name))?;
    Some(match &load.raised {
        Some(raised) => exception_text(raised),
        None => format!("it does not define `{missing}`"),
    })
}

/// Whether the case has a value that only the reference knows.
pub fn has_reference_values(case: &Case) -> bool {
    case.expect.iter().any(is_reference_value)
}

fn is_reference_value(expect: &Expect) -> bool {
    expect.value.as_ref().is_some_and(|returns| matches!(returns.matcher, Matcher::Reference))
}

/// The answers to the steps of a case that ask for them.
///
/// # Errors
/// One has no answer that can be compared, with its place.
fn answers_of(
    case: &Case,
    transcript: &Transcript,
    path: &Path,
) -> Result<BTreeMap<StepNo, Value>, GradeError> {
    let mut answers = BTreeMap::new();
    for step in case.steps().filter(|step| is_reference_value(step.expect)) {
        let observed = transcript.steps.get(step.number.index()).map(StepTranscript::observations);
        let observed = observed.filter(|observed| observed.len() == step.plan.lines().len());
        let answer = match observed.and_then(|observed| observed.last()) {
            Some(last) => answer(last),
            None => Err("it did not get to this step".to_owned()),
        };
        let answer = answer.map_err(|why| {
            let (place, path) = (case.place(Some(step.number)), path.display());
            GradeError::Exercise(format!("{place}: the reference {path} has no answer here: {why}"))
        });
        answers.insert(step.number, answer?);
    }
    Ok(answers)
}

/// The value of an observation.
///
/// # Errors
/// It has none that can be compared, and why.
fn answer(last: &Observation) -> Result<Value, String> {
    match &last.outcome {
        StepOutcome::Value { value, .. } => {
            let value = value.clone().unwrap_or(Value::Undefined);
            match value.incomparable() {
                None => Ok(value),
                Some(Value::Opaque(kind)) => Err(format!(
                    "it answers with an object of the type `{kind}`; say in [view] how to look at it"
                )),
                Some(_) => Err("its answer is too large, or contains itself".to_owned()),
            }
        }
        StepOutcome::Raised(raised) => Err(format!("it raises {}", exception_text(raised))),
        StepOutcome::Missing(Missing { name, .. }) => Err(format!("it does not define `{name}`")),
        StepOutcome::Halted(halt) => Err(halted(halt, 0).verdict.to_string()),
        StepOutcome::Unbound(name) => Err(format!("`{name}` is not bound")),
    }
}
