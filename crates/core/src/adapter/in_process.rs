//! Replays a plan on a program in this process.

use super::bound_names::BoundNames;
use super::session::Session;
use super::transcript::{ActionResult, Load, Observation, StepOutcome, StepTranscript, Transcript};
use super::{Adapter, Fault, Guide, GuidedLine};
use crate::case::{Action, Line, Plan, StepNo, Want};
use crate::sandbox::Limits;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::program::{Live, Program};

/// A program in this process, opened again for each replay. It is trusted, so limits do not apply.
pub struct InProcess {
    open: Box<dyn Fn() -> Box<dyn Program>>,
    notation: &'static dyn Notation,
}

impl InProcess {
    /// The program that `open` starts; `notation` writes the text of plain values.
    pub fn new(open: impl Fn() -> Box<dyn Program> + 'static, notation: &'static dyn Notation) -> InProcess {
        InProcess { open: Box::new(open), notation }
    }
}

impl Adapter for InProcess {
    fn replay(&mut self, plan: &Plan, _limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault> {
        let mut follower = Follower::new((self.open)(), self.notation);
        let mut steps = Vec::with_capacity(plan.steps.len());
        for (index, step) in plan.steps.iter().enumerate() {
            let mut run = |line: &Line, want: &Want| follower.line(line, want);
            let result = match &step.action {
                Action::Calls(calls) => {
                    ActionResult::Calls(calls.wanted().map(|(line, want)| run(line, want)).collect())
                }
                Action::Match(_) => ActionResult::Match(play_match(StepNo::at(index), guide, &mut run)?),
                // A program in this process has no files.
                Action::Program(_) => ActionResult::NoProgram(String::new()),
            };
            steps.push(StepTranscript { result, files: None });
        }
        Ok(Transcript { load: Load::default(), steps })
    }
}

/// Runs the lines that `guide` supplies, and returns the observation of the last one.
pub(super) fn play_match(
    step: StepNo,
    guide: &mut dyn Guide,
    run: &mut dyn FnMut(&Line, &Want) -> Observation,
) -> Result<Option<Observation>, Fault> {
    let mut last = None;
    let mut next = guide.begin(step);
    while let Some(GuidedLine { line, want }) = next {
        let observation = run(&line, &want);
        let after = guide.after(step, &observation)?;
        // A submission that ended can be asked nothing more.
        next = after.filter(|_| observation.halt().is_none());
        last = Some(observation);
    }
    Ok(last)
}

/// A program in this process that follows a replay on another one, line by line.
pub(crate) struct Follower {
    session: Session,
    names: BoundNames,
}

impl Follower {
    /// Starts following with `program`; `notation` writes the text of plain values.
    pub(crate) fn new(program: Box<dyn Program>, notation: &'static dyn Notation) -> Follower {
        Follower { session: Session::new(program, notation), names: BoundNames::default() }
    }

    /// Runs lines without observing them.
    pub(crate) fn run(&mut self, lines: &[Line]) {
        for line in lines {
            self.line(line, &Want::default());
        }
    }

    /// Runs the last line of a step and returns the observed value.
    pub(crate) fn answer(&mut self, line: &Line, want: &Want) -> Option<Value> {
        match self.line(line, want).outcome {
            StepOutcome::Value { value, .. } => value,
            _ => None,
        }
    }

    /// Runs a line, unless it uses a name that is not bound.
    fn line(&mut self, line: &Line, want: &Want) -> Observation {
        if let Some(unbound) = self.names.unbound(line) {
            return unbound;
        }
        let observation = self.session.line(line, want);
        self.names.note(line, matches!(observation.outcome, StepOutcome::Value { .. }));
        observation
    }

    /// The value bound to `name`.
    pub(crate) fn bound(&self, name: &str) -> Option<&Live> {
        self.session.bound(name)
    }

    /// Binds `name` to a value of the program.
    pub(crate) fn bind(&mut self, name: &str, value: Live) {
        self.session.bind_name(name, value);
    }
}
