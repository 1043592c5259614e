//! Random sessions of an exercise with a reference of its own: calls like those of its cases.
//!
//! A step stays only if the reference answers it plainly, or raises what some case expects: the rest is not
//! what the assignment fixes.

use super::answered::Answers;
use super::examples::{Callee, Examples, Fixed, arg_texts, callee, filled};
use super::looks::looks;
use super::session_case::bare;
use crate::adapter::{
    Adapter, Bundle, Dialect, Fault, Guide, NoGuide, Observation, Quick, StepOutcome, StepTranscript,
    Subprocess, Transcript,
};
use crate::case::{
    AskedStep, Case, Exercise, Expect, Matcher, Node, Plan, PlanStep, RaisedType, Raises, plan_of,
};
use crate::exercises::sessions::{Look, RandomSession, RandomStep, without_some};
use crate::judge::replay_reference;
use crate::sandbox::Limits;
use crate::value::Value;
use crate::value::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of plans that a process may answer.
const PLANS: usize = 10_000;

/// The most steps of a session besides those that make its objects.
const MOST_STEPS: usize = 10;

/// The number of times that a session is asked again without the steps that do not fit.
const TRIES: usize = 6;

/// An exercise's own reference, which answers quickly where it can.
pub(super) struct OwnAnswers<'a> {
    process: Subprocess<'a>,
    exercise: &'a Exercise,
    path: PathBuf,
    is_quick: bool,
}

impl<'a> OwnAnswers<'a> {
    /// The reference at `path`, in this process.
    pub(super) fn new(exercise: &'a Exercise, path: &Path, process: Subprocess<'a>) -> OwnAnswers<'a> {
        let is_quick = process.loads_again();
        OwnAnswers { process, exercise, path: path.to_owned(), is_quick }
    }
}

impl Adapter for OwnAnswers<'_> {
    fn replay(&mut self, plan: &Plan, limits: &Limits, _: &mut dyn Guide) -> Result<Transcript, Fault> {
        if self.is_quick {
            match self.process.replay_quickly(plan, limits, PLANS)? {
                Quick::Observed(replayed) => return Ok(replayed.transcript),
                Quick::SubmissionUnfit => self.is_quick = false,
                Quick::PlanUnfit | Quick::Stopped => {}
            }
        }
        // A random session has no matches.
        Ok(replay_reference(&mut self.process, self.exercise, plan, limits, &self.path)?)
    }
}

/// Makes sessions of an exercise with a reference of its own.
pub(super) struct OwnSessions<'a> {
    exercise: &'a Exercise,
    dialect: Dialect,
    bundle: &'a Bundle,
    examples: Examples,
}

/// A line of a session: the name that it binds with its class, and the names that it uses.
#[derive(Clone, Debug)]
struct OwnLine {
    text: String,
    /// The callee; of the name of an object alone, its class.
    callee: Callee,
    binds: Option<(String, String)>,
    uses: Vec<String>,
    look: Look,
}

/// A session of calls like those of the cases.
struct OwnSession {
    lines: Vec<OwnLine>,
}

impl RandomSession for OwnSession {
    fn steps(&self) -> Vec<RandomStep> {
        let step = |line: &OwnLine| RandomStep { lines: vec![line.text.clone()], look: line.look.clone() };
        self.lines.iter().map(step).collect()
    }

    fn until(&self, steps: usize) -> Box<dyn RandomSession> {
        let lines = self.lines.iter().take(steps.max(1)).cloned().collect();
        Box::new(OwnSession { lines })
    }

    fn simpler(&self) -> Vec<Box<dyn RandomSession>> {
        let whole = without_some(&self.lines).filter(|lines| is_whole(lines));
        whole.map(|lines| Box::new(OwnSession { lines }) as Box<dyn RandomSession>).collect()
    }
}

/// Whether every name is bound before it is used.
fn is_whole(lines: &[OwnLine]) -> bool {
    let mut bound: BTreeSet<&str> = BTreeSet::new();
    lines.iter().all(|line| {
        let whole = line.uses.iter().all(|name| bound.contains(name.as_str()));
        bound.extend(line.binds.iter().map(|(name, _)| name.as_str()));
        whole
    })
}

impl<'a> OwnSessions<'a> {
    /// Sessions like `cases`, which a reference in this language with these files answers; `None` if there is
    /// nothing to call.
    pub(super) fn new(
        exercise: &'a Exercise,
        cases: &[Case],
        dialect: Dialect,
        bundle: &'a Bundle,
    ) -> Option<OwnSessions<'a>> {
        // A ruling may change, and students see the session that is found.
        let open = cases.iter().filter(|case| !case.is_ruling() && !case.hidden);
        let examples = Examples::of(exercise, open);
        let calls = |callee: &Callee| match callee {
            Callee::Class(_) | Callee::Function(_) => true,
            Callee::Method(..) | Callee::Attribute(..) | Callee::Form(_) => false,
        };
        let any = examples.calls.keys().any(calls);
        any.then_some(OwnSessions { exercise, dialect, bundle, examples })
    }

    /// A random session that the reference answers.
    ///
    /// # Errors
    /// The reference does not run.
    pub(super) fn session(
        &self,
        random: &mut Random,
        reference: &mut dyn Adapter,
    ) -> Result<Box<dyn RandomSession>, Fault> {
        let mut lines = self.lines(random);
        for _ in 0..TRIES {
            let fits = self.fitting(&mut lines, reference)?;
            if fits.iter().all(|fits| *fits) {
                return Ok(Box::new(OwnSession { lines }));
            }
            let mut kept = fits.into_iter();
            lines.retain(|_| kept.next().unwrap_or(false));
            let mut bound: BTreeSet<String> = BTreeSet::new();
            lines.retain(|line| {
                let whole = line.uses.iter().all(|name| bound.contains(name));
                bound.extend(line.binds.iter().filter(|_| whole).map(|(name, _)| name.clone()));
                whole
            });
        }
        Ok(Box::new(OwnSession { lines: Vec::new() }))
    }

    /// Lines of calls like those of the cases.
    fn lines(&self, random: &mut Random) -> Vec<OwnLine> {
        let mut lines = Vec::new();
        let mut objects: Vec<(String, String)> = Vec::new();
        let callees: Vec<&Callee> = self.examples.calls.keys().collect();
        let classes: Vec<&Callee> =
            callees.iter().copied().filter(|callee| matches!(callee, Callee::Class(_))).collect();
        let free = |name: &String| self.exercise.definitions().all(|own| own != name.as_str());
        let mut names = ('a'..='z').map(String::from).filter(free);
        if let Some(callee) = classes.get(random.below(classes.len())) {
            for _ in 0..1 + random.below(3) / 2 {
                lines.extend(
                    names.next().and_then(|name| self.call(callee, &mut objects, random, Some(name))),
                );
            }
        }
        for _ in 0..2 + random.below(MOST_STEPS - 1) {
            let Some(callee) = callees.get(random.below(callees.len())) else { break };
            let name = match callee {
                Callee::Class(_) if objects.len() < 3 && random.below(2) == 0 => names.next(),
                _ => None,
            };
            lines.extend(self.call(callee, &mut objects, random, name));
            if random.below(4) == 0
                && let Some((name, class)) = objects.get(random.below(objects.len()))
                && self.examples.fixed.get(&Callee::Class(class.clone())).is_some_and(|fixed| fixed.text)
            {
                let uses = vec![name.clone()];
                let callee = Callee::Class(class.clone());
                let text = name.clone();
                lines.push(OwnLine { text, callee, binds: None, uses, look: Look::Nothing });
            }
        }
        lines
    }

    /// A call of `callee`, whose object is bound to `name`.
    fn call(
        &self,
        callee: &Callee,
        objects: &mut Vec<(String, String)>,
        random: &mut Random,
        name: Option<String>,
    ) -> Option<OwnLine> {
        let mut uses = Vec::new();
        let parts = arg_texts(&self.examples.args(callee, random)?, objects, random, &mut uses)?;
        let args = parts.join(", ");
        let mut on = |class: &String, random: &mut Random| {
            let fitting: Vec<&String> =
                objects.iter().filter(|(_, own)| own == class).map(|(name, _)| name).collect();
            let name = (*fitting.get(random.below(fitting.len()))?).clone();
            uses.push(name.clone());
            Some(name)
        };
        let text = match callee {
            Callee::Class(class) => format!("{class}({args})"),
            Callee::Function(function) => format!("{function}({args})"),
            Callee::Method(class, method) => format!("{}.{method}({args})", on(class, random)?),
            Callee::Attribute(class, attribute) => format!("{}.{attribute}", on(class, random)?),
            Callee::Form(form) => filled(form, &parts),
        };
        let binds = match (callee, name) {
            (Callee::Class(class), Some(name)) => Some((name, class.clone())),
            (_, _) => None,
        };
        let text = binds.as_ref().map_or(text.clone(), |(name, _)| format!("{name} = {text}"));
        objects.extend(binds.clone());
        Some(OwnLine { text, callee: callee.clone(), binds, uses, look: Look::Nothing })
    }

    /// Looks at what the reference answers to each line; whether that is something to expect.
    fn fitting(&self, lines: &mut [OwnLine], reference: &mut dyn Adapter) -> Result<Vec<bool>, Fault> {
        let asked = |lines: &[OwnLine]| -> Vec<AskedStep> {
            let step = |line: &OwnLine| AskedStep {
                lines: vec![line.text.clone()],
                value: true,
                text: line.look == Look::Text,
            };
            lines.iter().map(step).collect()
        };
        let fault = |message: String| Fault::new(format!("a session of {}: {message}", self.exercise.name));
        let plan = plan_of(self.exercise, &asked(lines)).map_err(fault)?;
        let values = reference.replay(&plan, &Limits::default(), &mut NoGuide)?;
        for (line, look) in lines.iter_mut().zip(looks(&plan, &values)) {
            line.look = self.examples.fixed.get(&line.callee).map_or(Look::Nothing, |fixed| fixed.look(look));
        }
        let plan = plan_of(self.exercise, &asked(lines)).map_err(fault)?;
        let texts = reference.replay(&plan, &Limits::default(), &mut NoGuide)?;
        let answers = Answers { exercise: self.exercise, dialect: &self.dialect, bundle: Some(self.bundle) };
        let fits = lines.iter().zip(&plan.steps).enumerate().map(|(index, (line, step))| {
            let (Some(first), Some(second)) = (values.steps.get(index), texts.steps.get(index)) else {
                return false;
            };
            let (first, second) = (first.observations(), second.observations());
            let differs =
                |(first, second): (&Observation, &Observation)| match (&first.outcome, &second.outcome) {
                    (StepOutcome::Value { value: one, .. }, StepOutcome::Value { value: other, .. }) => {
                        one != other
                    }
                    (one, other) => raises(one) != raises(other),
                };
            if first.iter().zip(second).any(differs) {
                return false;
            }
            let outcome = second.last().map(|last| &last.outcome);
            let expect = self.expected(&answers, step, outcome, &line.look, &line.callee, second);
            expect.is_some()
        });
        Ok(fits.collect())
    }

    /// The expectation of a step: the reference's answer, as far as the cases fix it.
    fn expected(
        &self,
        answers: &Answers<'_>,
        step: &PlanStep,
        outcome: Option<&StepOutcome>,
        look: &Look,
        callee: &Callee,
        observed: &[Observation],
    ) -> Option<Expect> {
        let nothing = Fixed { tolerance: self.exercise.tolerance.clone(), ..Fixed::default() };
        let fixed = self.examples.fixed.get(callee).unwrap_or(&nothing);
        let mut expect = answers.expected(step, look, observed, &fixed.tolerance).ok()?;
        expect.prints = expect.prints.filter(|_| fixed.prints);
        if expect.raises.is_some() {
            expect.raises = Some(self.expected_raise(callee, outcome)?);
        }
        if let Some(returns) = &mut expect.value {
            returns.matcher = match (&returns.matcher, fixed.within) {
                (Matcher::Plain(Value::List(items)), _) if fixed.any_order => {
                    Matcher::AnyOrder(items.clone())
                }
                (Matcher::Plain(Value::Float(value)), Some(within)) => {
                    Matcher::Approx { value: *value, within }
                }
                (Matcher::Plain(Value::Int(int)), Some(within)) => {
                    Matcher::Approx { value: int.to_f64(), within }
                }
                (matcher, _) => matcher.clone(),
            };
        }
        Some(expect)
    }

    /// The expectation that the cases have of a call that raises.
    fn expected_raise(&self, callee: &Callee, outcome: Option<&StepOutcome>) -> Option<Raises> {
        let Some(StepOutcome::Raised(raised)) = outcome else { return None };
        let is = |name: &String| raised.kind == *name || raised.bases.iter().any(|base| base == name);
        let found = self.examples.raises.iter().find(|(of, raises)| {
            let kind = match &raises.kind {
                None => true,
                Some(RaisedType::Exercise(name) | RaisedType::Step(name)) => {
                    is(name) || !self.dialect.exceptions().contains(&name.as_str())
                }
                Some(RaisedType::PerLanguage(names)) => names.get(self.dialect.name()).is_none_or(is),
            };
            let message = raises.message.as_ref();
            // Of another call, only the same message is as good.
            let same = message.is_none_or(|message| raised.message.as_ref() == Some(message));
            kind && same && (message.is_some() || of.as_ref() == Some(callee))
        });
        found.map(|(_, raises)| raises.clone())
    }

    /// The callee of a step of a plan; of the name of an object alone, its class.
    fn called(&self, plan: &Plan, index: usize) -> Option<Callee> {
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for line in plan.steps.iter().take(index).flat_map(PlanStep::lines) {
            if let (Some(name), Node::New { class, .. }) = (line.bind.name(), &line.node) {
                names.insert(name, class.clone());
            }
        }
        let node = &plan.steps.get(index)?.lines().last()?.node;
        if let Node::Name(name) = node {
            return names.get(name.as_str()).cloned().map(Callee::Class);
        }
        callee(self.exercise, &names, node)
    }

    /// The case of these steps, which expects what the reference answers and the cases fix; `None` if they do
    /// not fit.
    ///
    /// # Errors
    /// The reference does not run.
    pub(super) fn case(
        &self,
        steps: &[RandomStep],
        reference: &mut dyn Adapter,
    ) -> Result<Option<Case>, Fault> {
        let asked: Vec<AskedStep> = steps
            .iter()
            .map(|step| AskedStep { lines: step.lines.clone(), value: true, text: step.look == Look::Text })
            .collect();
        let Ok(plan) = plan_of(self.exercise, &asked) else { return Ok(None) };
        if steps.is_empty() {
            return Ok(None);
        }
        let transcript = reference.replay(&plan, &Limits::default(), &mut NoGuide)?;
        let answers = Answers { exercise: self.exercise, dialect: &self.dialect, bundle: Some(self.bundle) };
        let mut expect = Vec::with_capacity(steps.len());
        for (index, (step, planned)) in steps.iter().zip(&plan.steps).enumerate() {
            let observed = transcript.steps.get(index).map(StepTranscript::observations).unwrap_or_default();
            let outcome = observed.last().map(|last| &last.outcome);
            let Some(callee) = self.called(&plan, index) else { return Ok(None) };
            match self.expected(&answers, planned, outcome, &step.look, &callee, observed) {
                Some(answer) => expect.push(answer),
                None => return Ok(None),
            }
        }
        Ok(Some(Case { expect, source: Arc::from(""), ..bare(plan) }))
    }
}

/// Whether a line raised.
fn raises(outcome: &StepOutcome) -> bool {
    matches!(outcome, StepOutcome::Raised(_))
}
