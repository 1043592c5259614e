//! Replays plans one after another in one process, each in a fresh world inside it.
//!
//! This is only for plans that are expected to pass: what does not is replayed strictly, in a process of its
//! own.

use super::record::CaseRecord;
use super::start::Started;
use super::{Compiled, NotStarted, Replayed, Subprocess, Timing, load_of};
use crate::adapter::Fault;
use crate::adapter::dialect::Spoken;
use crate::adapter::exchange::{Answer, capture_fault, exchange, exchange_batch};
use crate::adapter::transcript::{ActionResult, Load, StepTranscript, Transcript};
use crate::adapter::wire::{Body, LoadMode, Reply, Request, Spelling, TraceCheck};
use crate::case::{Plan, PlanStep, Want};
use crate::sandbox::Limits;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The most time of a plan.
const PLAN: MostTime = MostTime { cpu: Duration::from_millis(50), wall: Duration::from_millis(500) };

/// The most time of the first plan with its load, which compiles the submission and touches the interpreter's
/// memory first. As in a strict replay, they share the limits of the plan.
const LOAD: MostTime = MostTime { cpu: Duration::from_millis(250), wall: Duration::from_secs(1) };

/// The most processor and wall-clock time of a quick replay.
struct MostTime {
    cpu: Duration,
    wall: Duration,
}

impl MostTime {
    /// The limits of a plan, with no more time than this.
    fn within(&self, limits: &Limits) -> Limits {
        Limits { cpu: limits.cpu.min(self.cpu), wall: limits.wall.min(self.wall), ..limits.clone() }
    }
}

/// The result of a quick replay.
#[derive(Debug)]
pub enum Quick {
    /// A replay, which only counts if no later look finds a trace.
    Observed(Box<Replayed>),
    /// The plan cannot be replayed in this process: it has files or other limits, one of its lines needs a name that
    /// an earlier one did not bind, or the replies are not those of its lines.
    PlanUnfit,
    /// The plan takes longer than a quick one may, or ends its process otherwise.
    Stopped,
    /// No plan of the submission can be replayed quickly: it does not load without an exception, or leaves a
    /// trace.
    SubmissionUnfit,
}

/// The load of the submission before a plan.
#[allow(clippy::large_enum_variant, reason = "there is one at a time, for the time of a plan")]
enum QuickLoad {
    /// The submission has just been loaded.
    First(Load),
    /// The submission is loaded again, as the first thing that the plan asks.
    Again,
}

impl Subprocess<'_> {
    /// Whether the driver can load a submission again in the same process.
    pub fn loads_again(&self) -> bool {
        // Packages may keep state between cases.
        self.packages().is_empty() && self.source.engine().is_some_and(|engine| engine.loads_again)
    }

    /// Whether a process is worth keeping, because another one takes long to start.
    pub(super) fn shares_process(&self) -> bool {
        self.source.engine().is_some_and(|engine| engine.lifetime.is_shared())
    }

    /// Replays a plan in the process that replayed the plans before it; `plans` is the most plans that will
    /// be replayed so.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn replay_quickly(&mut self, plan: &Plan, limits: &Limits, plans: usize) -> Result<Quick, Fault> {
        if !plan.only_calls() {
            return Ok(Quick::PlanUnfit);
        }
        let (mut started, load) = match self.quick.take() {
            Some(other) if !other.fits(limits) => {
                self.quick = Some(other);
                return Ok(Quick::PlanUnfit);
            }
            Some(mut started) => {
                started.process.begin(&PLAN.within(limits)).map_err(capture_fault)?;
                (started, QuickLoad::Again)
            }
            None => match self.start_quickly(limits, plans) {
                Ok((started, load)) => (started, QuickLoad::First(load)),
                Err(NotStarted::Fault(fault)) => return Err(fault),
                Err(NotStarted::NotReady(_)) => {
                    self.distrust_code();
                    return Ok(Quick::SubmissionUnfit);
                }
            },
        };
        self.can_run(plan, &started.dialect)?;
        let quick = self.replay_in(&mut started, load, plan);
        match quick {
            Quick::Observed(_) | Quick::PlanUnfit => self.quick = Some(started),
            Quick::SubmissionUnfit => self.distrust_code(),
            // It may only have taken long, which says nothing against the code.
            Quick::Stopped => {}
        }
        Ok(quick)
    }

    /// Replays a plan in a process whose meters have just begun.
    fn replay_in(&self, started: &mut Started, load: QuickLoad, plan: &Plan) -> Quick {
        let Some((load, answers)) = self.ask_quickly(started, load, plan) else { return Quick::Stopped };
        // What a report says of loading comes from the strict form.
        if load.halt.is_some() || load.raised.is_some() || !load.output.is_empty() {
            return Quick::SubmissionUnfit;
        }
        let timing = Timing { held_up: started.process.take_held_up(), ..Timing::default() };
        let Some(steps) = observed(plan, answers) else { return Quick::PlanUnfit };
        let transcript = Transcript { load, steps };
        Quick::Observed(Box::new(Replayed { transcript, dialect: Arc::clone(&started.dialect), timing }))
    }

    /// The load of the submission and its answers to a plan; `None` if it was stopped.
    fn ask_quickly(
        &self,
        Started { process, dialect, .. }: &mut Started,
        load: QuickLoad,
        plan: &Plan,
    ) -> Option<(Load, QuickAnswers)> {
        let mut answers = QuickAnswers::default();
        let begins = match load {
            QuickLoad::First(_) => None,
            QuickLoad::Again => Some(Request::again(TraceCheck::Quick)),
        };
        for frame in frames(begins, plan, &Spoken::new(self.exercise, dialect)) {
            let replies = exchange_batch(process, &frame, &self.file_names).ok()?;
            let is_whole = replies.len() == frame.len();
            // It is taken before the next call is sent: what is printed after that is no answer to this one.
            answers.add(replies, &process.take_output());
            // It has left a trace, or forged a reply.
            if !is_whole {
                break;
            }
        }
        if process.output_is_full() {
            return None;
        }
        let load = match load {
            QuickLoad::First(load) => load,
            QuickLoad::Again => load_of(process, Ok(answers.next()?.reply)),
        };
        Some((load, answers))
    }

    /// Ends the quick replays, and says whether the last of them left no trace. Their process ends with them: it
    /// has seen every call of these plans, and a strict replay must not know those that are still to come.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn left_nothing(&mut self) -> Result<bool, Fault> {
        let Some(Started { mut process, with, .. }) = self.quick.take() else { return Ok(true) };
        let MostTime { cpu, wall } = PLAN;
        process
            .begin(&Limits { cpu, wall, memory: with.memory, output: with.output })
            .map_err(capture_fault)?;
        let reply = exchange(&mut process, &Request::again(TraceCheck::Full), &self.file_names);
        let nothing = matches!(reply, Ok(Reply { body: Body::Loaded { .. }, .. }));
        if !nothing {
            self.distrust_code();
        }
        Ok(nothing)
    }

    /// Forgets the compiled code: it comes from the process of the quick replays, which is not trusted any
    /// more.
    fn distrust_code(&mut self) {
        self.compiled = Compiled::NotYet;
    }

    /// A process that has loaded the submission, for at most `plans` plans.
    fn start_quickly(&mut self, limits: &Limits, plans: usize) -> Result<(Started, Load), NotStarted> {
        let all = PLAN.cpu * u32::try_from(plans).unwrap_or(u32::MAX);
        let starting = Limits { cpu: limits.cpu.saturating_add(all), ..limits.clone() };
        let mut started = self.start(&starting, None)?;
        started.process.begin(&LOAD.within(limits)).map_err(capture_fault)?;
        let spelling = Spoken::new(self.exercise, &started.dialect);
        let modules = self.bundle.modules();
        let load = self.load(&mut started.process, &spelling, LoadMode::Repeatedly(&modules));
        Ok((started, load))
    }
}

/// The observations of a plan; `None` if one of its lines should not have run, or did not end normally.
fn observed(plan: &Plan, mut answers: QuickAnswers) -> Option<Vec<StepTranscript>> {
    let mut record = CaseRecord::default();
    let mut steps = Vec::with_capacity(plan.steps.len());
    for calls in plan.steps.iter().filter_map(PlanStep::calls) {
        let mut lines = Vec::with_capacity(calls.lines.len());
        for (line, want) in calls.wanted() {
            if record.names.unbound(line).is_some() {
                return None;
            }
            let QuickAnswer { reply, printed } = answers.next()?;
            let observation = record.observation(line, want, Answer::new(Ok(reply), printed));
            if observation.halt().is_some() {
                return None;
            }
            lines.push(observation);
        }
        steps.push(StepTranscript { result: ActionResult::Calls(lines), files: None });
    }
    Some(steps)
}

/// The wants of a step that only has to print something.
const VALUE: &Want = &Want { value: true, view: None, text: false, types: false, shown: false };

/// The requests of a plan by frame, after the one that `begins` the first frame.
///
/// A frame ends with a step that the case expects something of, so no later call is in the process before its
/// answer. It also ends before a line that may tell what the lines before it should give. Nothing in a frame
/// tells what is expected of its own lines: a step that only has to print something is asked for its value too.
fn frames(begins: Option<Request>, plan: &Plan, spelling: &dyn Spelling) -> Vec<Vec<Request>> {
    let mut frames = Vec::new();
    let mut frame: Vec<Request> = begins.into_iter().collect();
    let mut end = |frame: &mut Vec<Request>| {
        if !frame.is_empty() {
            frames.push(std::mem::take(frame));
        }
    };
    for calls in plan.steps.iter().filter_map(PlanStep::calls) {
        let prints_only = calls.awaited && calls.want == Want::default();
        for (index, (line, want)) in calls.wanted().enumerate() {
            let is_last = index + 1 == calls.lines.len();
            if line.may_tell() {
                end(&mut frame);
            }
            frame.push(Request::run(line, if prints_only && is_last { VALUE } else { want }, spelling));
        }
        if calls.awaited {
            end(&mut frame);
        }
    }
    end(&mut frame);
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
    /// Each reply may say how many bytes the file held at its moment. The last one is there when the file is
    /// read, so it is known by what was read how many there were before the frame.
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

    #[test]
    fn a_frame_ends_before_a_line_that_may_tell_what_is_expected() {
        let lines = ["q = Quixo(3)", "t = str(q)", "u = str(q)", "t == 'abc'"].map(str::to_owned).to_vec();
        let steps = [AskedStep { lines, value: true, text: false }];
        let plan = plan_of(&Library::BuiltIn.load("quixo").unwrap().exercise, &steps).unwrap();
        let frames = frames(None, &plan, &Python);
        assert_eq!(frames.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
    }
}
