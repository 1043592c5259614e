//! One case of a submission, in a process of its own.

use super::masked::Mask;
use super::record::CaseRecord;
use super::start::Started;
use super::{NotStarted, Replayed, Subprocess, Timing};
use crate::adapter::dialect::{Dialect, Spoken};
use crate::adapter::exchange::{TimeLeft, ask, capture_fault, reset};
use crate::adapter::in_process::play_match;
use crate::adapter::source::Source;
use crate::adapter::transcript::{
    ActionResult, End, Halt, Load, Observation, Ran, StepOutcome, StepTranscript, Transcript,
};
use crate::adapter::wire::{LoadMode, Request};
use crate::adapter::{Fault, Guide, program};
use crate::case::{Action, Calls, Line, Match, Plan, PlanStep, ProgramRun, StepNo, Want};
use crate::sandbox::clock::Instant;
use crate::sandbox::{Folder, Limits, Process, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Limits on compiling a submission; none of its code runs meanwhile.
const COMPILING: Limits =
    Limits { cpu: Duration::from_secs(10), wall: Duration::from_secs(20), memory: 1 << 30, output: 1 << 20 };

/// A case while it is replayed: its calls in one process, each of its programs in a further one.
pub(super) struct CaseRun<'r, 'a> {
    submission: &'r mut Subprocess<'a>,
    limits: &'r Limits,
    /// The working folder, if the case has one. It is gone as soon as the last process that works there is.
    folder: Option<Arc<Folder>>,
    record: CaseRecord,
    /// The steps that were replayed so far.
    steps: Vec<StepTranscript>,
    timing: Timing,
}

impl<'r, 'a> CaseRun<'r, 'a> {
    /// A case that has not begun, in this working folder.
    pub(super) fn new(
        submission: &'r mut Subprocess<'a>,
        limits: &'r Limits,
        folder: Option<Folder>,
    ) -> CaseRun<'r, 'a> {
        CaseRun {
            submission,
            limits,
            folder: folder.map(Arc::new),
            record: CaseRecord::default(),
            steps: Vec::new(),
            timing: Timing::default(),
        }
    }

    /// Replays the plan of the case.
    pub(super) fn replay(mut self, plan: &Plan, guide: &mut dyn Guide) -> Result<Replayed, NotStarted> {
        if !plan.needs_load() {
            return self.replay_programs(plan);
        }
        let Started { mut process, dialect, .. } = match self.take_process(plan) {
            Ok(started) => started,
            Err(NotStarted::NotReady(why)) => {
                // If it got ready before, this case fails, and another one need not.
                let Some(dialect) = self.submission.dialect.clone() else {
                    return Err(NotStarted::NotReady(why));
                };
                let load = Load { halt: Some(Halt::NotReady(why)), ..Load::default() };
                return Ok(self.replayed(load, dialect));
            }
            Err(fault) => return Err(fault),
        };
        self.submission.can_run(plan, &dialect)?;
        let spelling = Spoken::new(self.submission.exercise, &dialect);
        let load = self.load(&mut process, &spelling)?;
        if load.halt.is_none() {
            self.replay_steps(&mut process, plan, &spelling, guide)?;
        }
        self.account_for(&mut process);
        let is_halted =
            load.halt.is_some() || self.steps.last().is_some_and(|step| step.result.halt().is_some());
        if !is_halted {
            self.keep(process, &dialect);
        }
        Ok(self.replayed(load, dialect))
    }

    /// Keeps a process for the next case, if it can serve that.
    fn keep(&mut self, process: Process, dialect: &Arc<Dialect>) {
        if self.submission.shares_process() && self.folder.is_none() {
            self.submission.idle = Some(Started::new(process, Arc::clone(dialect), self.limits));
        }
    }

    /// Replays a plan of programs alone. Each has its own process, so another one would only name the language,
    /// and compile the submission.
    fn replay_programs(mut self, plan: &Plan) -> Result<Replayed, NotStarted> {
        let dialect = match &self.submission.dialect {
            Some(dialect) if !self.submission.must_compile() => Arc::clone(dialect),
            Some(_) | None => {
                let Started { mut process, dialect, .. } = self.take_process(plan)?;
                let spelling = Spoken::new(self.submission.exercise, &dialect);
                if let Some(load) = self.compile(&mut process, &spelling)? {
                    return Ok(self.replayed(load, dialect));
                }
                self.keep(process, &dialect);
                dialect
            }
        };
        self.submission.can_run(plan, &dialect)?;
        for step in &plan.steps {
            let Action::Program(run) = &step.action else { continue };
            let result = self.run_program(run)?;
            if self.add_step(step, result).is_break() {
                break;
            }
        }
        Ok(self.replayed(Load::default(), dialect))
    }

    fn replayed(self, load: Load, dialect: Arc<Dialect>) -> Replayed {
        Replayed { transcript: Transcript { load, steps: self.steps }, dialect, timing: self.timing }
    }

    /// Counts how the machine hindered a process of the case.
    fn account_for(&mut self, process: &mut Process) {
        self.timing.stalled |= process.was_stalled();
        self.timing.held_up += process.take_held_up();
    }

    /// A process that has loaded nothing yet, for the calls of the case.
    fn take_process(&mut self, plan: &Plan) -> Result<Started, NotStarted> {
        // The system limits the total processor time of a process: a match takes as much as its games.
        let limits = Limits { cpu: self.limits.cpu * plan.games(), ..self.limits.clone() };
        // A process that works in a folder serves one case only, and another waits for the next case.
        let idle = if self.folder.is_none() { self.submission.idle.take() } else { None };
        let Some(idle) = idle.filter(|idle| idle.fits(&limits)) else { return self.fresh(&limits) };
        // A submission also pays for a new process if the idle one cannot be reset: that is its own doing.
        let began = Instant::now();
        let process = match reset(idle.process, &limits) {
            Some(process) => Ok(Started { process, ..idle }),
            None => self.fresh(&limits),
        };
        self.timing.unmetered += began.elapsed();
        process
    }

    /// A new process that has loaded nothing yet.
    fn fresh(&mut self, limits: &Limits) -> Result<Started, NotStarted> {
        let began = Instant::now();
        let started = self.submission.start(limits, self.folder.as_ref());
        // A compiled submission runs its own code before it is ready.
        if self.submission.is_built() {
            self.timing.unmetered += began.elapsed();
        }
        started
    }

    /// Compiles the submission, if its driver does and has not yet; the load that was halted meanwhile, if it
    /// was. Errors of the compiler are reported when the submission is loaded or run.
    fn compile(&mut self, process: &mut Process, spelling: &Spoken<'_>) -> Result<Option<Load>, Fault> {
        if !self.submission.must_compile() {
            return Ok(None);
        }
        let began = Instant::now();
        process.begin(&Limits { output: self.limits.output, ..COMPILING }).map_err(capture_fault)?;
        let load = self.submission.load(process, spelling, LoadMode::Compile);
        self.timing.unmetered += began.elapsed();
        Ok(load.halt.is_some().then_some(load))
    }

    /// Loads the submission, which its driver compiles before that if it can.
    fn load(&mut self, process: &mut Process, spelling: &Spoken<'_>) -> Result<Load, Fault> {
        if let Some(halted) = self.compile(process, spelling)? {
            return Ok(halted);
        }
        process.begin(self.limits).map_err(capture_fault)?;
        let bundle = self.submission.bundle;
        let modules = bundle.modules();
        let mut load = self.submission.load(process, spelling, LoadMode::Once(&modules));
        if let (Some(folder), Some(raised)) = (&self.folder, &mut load.raised) {
            Mask::new(folder.path()).exception(raised);
        }
        Ok(load)
    }

    /// Replays the steps of a plan: calls in `process`, each program in its own process.
    fn replay_steps(
        &mut self,
        process: &mut Process,
        plan: &Plan,
        spelling: &Spoken<'_>,
        guide: &mut dyn Guide,
    ) -> Result<(), Fault> {
        for (index, step) in plan.steps.iter().enumerate() {
            let result = match &step.action {
                Action::Program(run) => self.run_program(run)?,
                Action::Calls(calls) => ActionResult::Calls(self.run_calls(process, calls, spelling)),
                Action::Match(game) => {
                    ActionResult::Match(self.play(process, game, spelling, StepNo::at(index), guide)?)
                }
            };
            if self.add_step(step, result).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Adds a step that was replayed, with the files that it reads. Breaks if nothing runs after it.
    fn add_step(&mut self, step: &PlanStep, mut result: ActionResult) -> ControlFlow<()> {
        let mut is_last = ends_case(&result);
        let mut files = None;
        if let Some(folder) = &self.folder {
            let mask = Mask::new(folder.path());
            mask.result(&mut result);
            if !is_last {
                files = self.record.room.files(folder, &step.reads);
                match &mut files {
                    Some(found) => mask.files(found),
                    None => {
                        result.stop(Stop::Files);
                        is_last = true;
                    }
                }
            }
        }
        self.steps.push(StepTranscript { result, files });
        if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs the lines of a step, up to the one that halts the submission.
    fn run_calls(&mut self, process: &mut Process, calls: &Calls, spelling: &Spoken<'_>) -> Vec<Observation> {
        let mut lines = Vec::with_capacity(calls.lines.len());
        for (line, want) in calls.wanted() {
            let observation = self.run_line(process, line, want, spelling);
            let halted = observation.halt().is_some();
            lines.push(observation);
            if halted {
                break;
            }
        }
        lines
    }

    /// Plays the match of a step; only its last observation is kept.
    fn play(
        &mut self,
        process: &mut Process,
        game: &Match,
        spelling: &Spoken<'_>,
        step: StepNo,
        guide: &mut dyn Guide,
    ) -> Result<Option<Observation>, Fault> {
        let mut left = TimeLeft::new(self.limits, game.games);
        let room = self.record.room.clone();
        play_match(step, guide, &mut |line, want| match left.begin(process) {
            Ok(()) => {
                self.record.room = room.clone();
                self.run_line(process, line, want, spelling)
            }
            Err(halt) => Observation::bare(StepOutcome::Halted(halt)),
        })
    }

    /// Runs a line, unless it uses a name that is not bound.
    fn run_line(
        &mut self,
        process: &mut Process,
        line: &Line,
        want: &Want,
        spelling: &Spoken<'_>,
    ) -> Observation {
        if let Some(unbound) = self.record.names.unbound(line) {
            return unbound;
        }
        let answer = ask(process, &Request::run(line, want, spelling), &self.submission.file_names);
        let mut observation = self.record.observation(line, want, answer);
        // An engine that ends writes there what is different each time, such as its last collections of garbage.
        if !matches!(observation.outcome, StepOutcome::Halted(_)) {
            observation.errors = self.record.errors(process.take_errors());
        }
        observation
    }

    /// Runs a program of the submission in its own process and exchanges text with it.
    fn run_program(&mut self, run: &ProgramRun) -> Result<ActionResult, Fault> {
        let Started { mut process, dialect, .. } = match self.fresh(self.limits) {
            Ok(started) => started,
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(why)) => {
                return Ok(ActionResult::Program(Ran {
                    command: String::new(),
                    turns: Vec::new(),
                    errors: Vec::new(),
                    end: End::Halted(Halt::NotReady(why)),
                }));
            }
        };
        let Subprocess { bundle, file_names, source, compiled, .. } = &*self.submission;
        if !dialect.programs {
            let message = match source {
                Source::Engine(engine, _) => {
                    format!(
                        "{} cannot run programs; a case with `run` needs Python, Node, Java, C++ or C",
                        engine.title
                    )
                }
                Source::Built(_) => "a crate in Rust cannot run programs".to_owned(),
                Source::Library(library) => {
                    format!("keur's driver for {} cannot run programs", library.language.title)
                }
                Source::Trusted(_) => "the program that was named cannot run programs".to_owned(),
            };
            return Err(Fault::new(message));
        }
        let code = compiled.code();
        let result = program::converse(&mut process, run, self.limits, &dialect, bundle, file_names, code)?;
        self.account_for(&mut process);
        Ok(match result {
            ActionResult::Program(ran) => ActionResult::Program(self.record.room.program(ran)),
            result => result,
        })
    }
}

/// Whether nothing runs after a step. A program that is stopped ends its own process alone, but one that does
/// not get ready never will.
fn ends_case(result: &ActionResult) -> bool {
    match result {
        ActionResult::Program(ran) => matches!(ran.end, End::Halted(Halt::NotReady(_))),
        _ => result.halt().is_some(),
    }
}
