//! Replays plans one after another in one process, each in a fresh world inside it.
//!
//! This is only for plans that are expected to pass: what does not is replayed strictly, in a process of its own.

use super::{NotStarted, Subprocess};
use crate::adapter::exchange::{Answer, exchange, exchange_batch, ungathered};
use crate::adapter::source::Spoken;
use crate::adapter::transcript::{Load, Seen, StepOutcome, StepSeen, Transcript};
use crate::adapter::wire::{Body, LoadMode, Reply, Request, Spelling};
use crate::adapter::{Fault, Source};
use crate::case::{Plan, PlanStep, Want};
use crate::sandbox::{Limits, Process};
use std::collections::{HashSet, VecDeque};
use std::time::Duration;

/// The most processor time of a plan, and the most wall-clock time.
const PLAN: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

/// The same for the first one with its load, which compiles the submission and touches the interpreter's memory first. As
/// in a strict replay, they share the limits of the plan.
const LOAD: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(1));

/// What a quick replay gives.
#[derive(Debug)]
pub enum Quick {
    /// An observation, which only counts if no later look finds a trace.
    Observed(Box<Transcript>),
    /// None: the plan has other limits than the process, or one of its lines needs what an earlier one did not give.
    NotPlain,
    /// None: the plan takes longer than a quick one, or ends its process otherwise.
    Stopped,
    /// None, nor of any other plan: the submission does not load plainly, or leaves traces.
    Unfit,
}

impl Subprocess<'_> {
    /// Whether the driver can load a submission again in the same process.
    pub fn loads_again(&self) -> bool {
        // Nobody knows what packages remember of an earlier case.
        self.packages().is_empty() && matches!(&self.source, Source::Engine(engine, _) if engine.loads_again)
    }

    /// Whether a process is worth keeping, because another one takes long to start.
    pub(super) fn shares_process(&self) -> bool {
        matches!(&self.source, Source::Engine(engine, _) if engine.lifetime.is_shared())
    }

    /// Replays a plan of calls in the process of the plans before it, of which there may be `plans` in all.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn replay_quickly(&mut self, plan: &Plan, limits: &Limits, plans: usize) -> Result<Quick, Fault> {
        self.begin_case();
        if self
            .quick
            .as_ref()
            .is_some_and(|(_, memory, output)| (*memory, *output) != (limits.memory, limits.output))
        {
            return Ok(Quick::NotPlain);
        }
        let (mut process, first) = match self.quick.take() {
            Some((mut process, ..)) => {
                process.begin(&within(limits, PLAN)).map_err(ungathered)?;
                (process, None)
            }
            None => match self.first_load(limits, plans)? {
                Some((process, load)) => (process, Some(load)),
                None => return Ok(self.unfit()),
            },
        };
        let dialect = self.known_dialect()?;
        self.can_run(plan, &dialect)?;
        let spelling = Spoken::new(self.exercise, &dialect);
        let mut answers = QuickAnswers::default();
        let again = first.is_none().then(|| Request::again(false));
        for frame in frames(again, plan, &spelling) {
            let Ok(replies) = exchange_batch(&mut process, &frame, &self.file_names) else {
                return Ok(Quick::Stopped);
            };
            let is_whole = replies.len() == frame.len();
            // It is taken before the next call is sent: what is printed after that is no answer to this one.
            answers.add(replies, &process.take_output());
            // It has left a trace, or forged a reply.
            if !is_whole {
                break;
            }
        }
        self.held_up += process.take_held_up();
        if process.output_is_full() {
            return Ok(Quick::Stopped);
        }
        let load = match first {
            Some(load) => load,
            None => match answers.next() {
                Some(QuickAnswer { reply, .. }) => self.loaded(&mut process, Ok(reply)),
                None => return Ok(Quick::Stopped),
            },
        };
        if load.halt.is_some() || load.raised.is_some() {
            return Ok(self.unfit());
        }
        self.quick = Some((process, limits.memory, limits.output));
        let Some(steps) = self.answered(plan, answers) else { return Ok(Quick::NotPlain) };
        Ok(Quick::Observed(Box::new(Transcript { load, steps })))
    }

    /// The observations of a plan; none if one of its lines should not have run, or did not end normally.
    fn answered(&mut self, plan: &Plan, mut answers: QuickAnswers) -> Option<Vec<StepSeen>> {
        let mut unbound: HashSet<&str> = HashSet::new();
        let mut steps = Vec::with_capacity(plan.steps.len());
        for calls in plan.steps.iter().filter_map(PlanStep::calls) {
            let mut lines = Vec::with_capacity(calls.lines.len());
            for (line, want) in calls.wanted() {
                if line.uses().iter().any(|name| unbound.contains(name)) {
                    return None;
                }
                let QuickAnswer { reply, printed } = answers.next()?;
                let seen = self.observed(line, want, Answer::new(Ok(reply), printed));
                for name in line.bind.names() {
                    match matches!(seen.outcome, StepOutcome::Value { .. }) {
                        true => unbound.remove(name.as_str()),
                        false => unbound.insert(name),
                    };
                }
                if seen.halt().is_some() {
                    return None;
                }
                lines.push(seen);
            }
            steps.push(StepSeen { seen: Seen::Calls(lines), files: None });
        }
        Some(steps)
    }

    /// Whether the last plan that was replayed quickly has left no trace; there is no other one after it. The process ends: it
    /// has seen every call of these plans, and a strict replay must not know those that are still to come.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn left_nothing(&mut self) -> Result<bool, Fault> {
        let Some((mut process, memory, output)) = self.quick.take() else { return Ok(true) };
        let (cpu, wall) = PLAN;
        process.begin(&Limits { cpu, wall, memory, output }).map_err(ungathered)?;
        let reply = exchange(&mut process, &Request::again(true), &self.file_names);
        let nothing = matches!(reply, Ok(Reply { body: Body::Loaded { .. }, .. }));
        if !nothing {
            self.unfit();
        }
        Ok(nothing)
    }

    /// Gives up the quick pass, and the code that its process compiled.
    fn unfit(&mut self) -> Quick {
        self.code = None;
        Quick::Unfit
    }

    /// A process that has loaded the submission; none if the submission does not get ready.
    fn first_load(&mut self, limits: &Limits, plans: usize) -> Result<Option<(Process, Load)>, Fault> {
        let all = PLAN.0 * u32::try_from(plans).unwrap_or(u32::MAX);
        let starting = Limits { cpu: limits.cpu.saturating_add(all), ..limits.clone() };
        let mut process = match self.fresh(&starting) {
            Ok(process) => process,
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(_)) => return Ok(None),
        };
        let dialect = self.known_dialect()?;
        let spelling = Spoken::new(self.exercise, &dialect);
        process.begin(&within(limits, LOAD)).map_err(ungathered)?;
        let load = self.load(&mut process, &spelling, LoadMode::Repeatedly(&self.bundle.modules()));
        Ok(Some((process, load)))
    }
}

/// The wants of a step that only has to print something.
const VALUE: &Want = &Want { value: true, view: None, text: false, types: false };

/// The requests of a plan by frame, after the one that `begins` the first frame.
///
/// A frame ends with a step that the case expects something of, so no later call is in the process before its answer. Nothing
/// in the frame tells what is expected: a step that only has to print something is asked for its value too.
fn frames(begins: Option<Request>, plan: &Plan, spelling: &dyn Spelling) -> Vec<Vec<Request>> {
    let mut frames = Vec::new();
    let mut frame: Vec<Request> = begins.into_iter().collect();
    for calls in plan.steps.iter().filter_map(PlanStep::calls) {
        let prints_only = calls.awaited && calls.want == Want::default();
        for (index, (line, want)) in calls.wanted().enumerate() {
            let is_last = index + 1 == calls.lines.len();
            frame.push(Request::run(line, if prints_only && is_last { VALUE } else { want }, spelling));
        }
        if calls.awaited {
            frames.push(std::mem::take(&mut frame));
        }
    }
    if !frame.is_empty() {
        frames.push(frame);
    }
    frames
}

/// A reply, and what the program printed before it.
struct QuickAnswer {
    reply: Reply,
    printed: Vec<u8>,
}

/// The answers to the requests of a plan, up to the first that nothing tells how much was printed before it.
#[derive(Default)]
struct QuickAnswers(VecDeque<QuickAnswer>);

impl QuickAnswers {
    /// Adds the replies of a frame, during which the program printed this to a file.
    ///
    /// Each reply may say how many bytes the file held at its moment. The last one is there when the file is read, so it is known by
    /// what was read how many there were before the frame.
    fn add(&mut self, replies: Vec<Reply>, printed: &[u8]) {
        let held = |reply: &Reply| usize::try_from(reply.at?).ok();
        let before = replies.last().and_then(held).unwrap_or(0).saturating_sub(printed.len());
        let mut taken = 0;
        for reply in replies {
            let end = held(&reply).map_or(taken, |held| held.saturating_sub(before));
            let Some(printed) = printed.get(taken..end) else { break };
            taken = end;
            self.0.push_back(QuickAnswer { printed: printed.to_vec(), reply });
        }
    }

    fn next(&mut self) -> Option<QuickAnswer> {
        self.0.pop_front()
    }
}

/// The limits of a plan, with no more than this processor and wall-clock time.
fn within(limits: &Limits, (cpu, wall): (Duration, Duration)) -> Limits {
    Limits { cpu: limits.cpu.min(cpu), wall: limits.wall.min(wall), ..limits.clone() }
}

// Plans are made of cases by the command line alone.
#[cfg(test)]
mod tests {
    use super::frames;
    use crate::adapter::wire::Spelling;
    use crate::case::{Action, AskedStep, Library, plan_of};

    struct Python;

    impl Spelling for Python {
        fn spell(&self, name: &str) -> String {
            name.to_owned()
        }

        fn keywords(&self) -> bool {
            true
        }

        fn language(&self) -> &str {
            "python"
        }
    }

    #[test]
    fn a_frame_ends_where_something_is_expected_and_does_not_tell_what() {
        let step = |line: &str, value: bool| AskedStep { lines: vec![line.to_owned()], value, text: false };
        let steps =
            [step("q = Quixo(3)", false), step("str(q)", true), step("str(q)", false), step("str(q)", false)];
        let mut plan = plan_of(&Library::BuiltIn.load("quixo").unwrap().exercise, &steps).unwrap();
        // It only has to print something.
        let Action::Calls(calls) = &mut plan.steps[2].action else { panic!("{plan:?}") };
        calls.awaited = true;
        let frames = frames(None, &plan, &Python);
        assert_eq!(frames.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(frames[1][0], frames[0][1]);
        assert_ne!(frames[2][0], frames[1][0]);
    }
}
