//! Replays a plan on a submission in a subprocess that speaks the wire protocol.

mod allowance;
mod masked;
mod quick;
mod start;

pub(crate) use allowance::memory_of;
pub use quick::Quick;

use allowance::Allowance;
use masked::Mask;

use super::exchange::{Answer, Left, ask, exchange_load, ungathered};
use super::in_process::guided;
use super::source::{Dialect, Source, Spoken, imports_library};
use super::transcript::{End, Halt, Load, Observation, Ran, Seen, StepOutcome, StepSeen, Transcript};
use super::wire::{Body, Code, LoadMode, Reply, Request};
use super::{Adapter, BY_OTHERS, Fault, Guide, Launcher, NoGuide, program};
use crate::case::{Action, Calls, Exercise, Line, Plan, ProgramRun, StepNo, Want};
use crate::sandbox::clock::Instant;
use crate::sandbox::{Folder, Limits, Process, Stop, Tier};
use crate::value::Bundle;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Limits on compiling a submission; none of its code runs meanwhile.
const COMPILING: Limits =
    Limits { cpu: Duration::from_secs(10), wall: Duration::from_secs(20), memory: 1 << 30, output: 1 << 20 };

/// A submission in subprocesses: a fresh process per case, or a fresh context if the driver has them.
pub struct Subprocess<'a> {
    launcher: &'a mut Launcher,
    source: Source,
    exercise: &'a Exercise,
    bundle: &'a Bundle,
    file_names: Vec<String>,
    /// Whether it imports a module that a fork server may have preloaded.
    preloaded: bool,
    dialect: Option<Dialect>,
    /// A process between two cases, with the memory and output limits that it was started with.
    idle: Option<(Process, u64, u64)>,
    /// The code that the first load compiled, if it did; `None` before that. A later one would come from a process that knows calls.
    code: Option<Option<Code>>,
    /// Time that the submission took to get ready, and that no limit of a case covers.
    unmetered: Duration,
    /// The time in which its processes would have run and the machine did not let them.
    held_up: Duration,
    /// The process of the quick pass, with the memory and output limits that it was started with.
    quick: Option<(Process, u64, u64)>,
    /// The working folder of the case, if it has one.
    folder: Option<Arc<Folder>>,
    /// Whether the machine stalled at the limit that ended the last case.
    stalled: bool,
    /// The bytes that may still be kept of the case.
    room: Allowance,
    /// The names that the case has bound so far.
    bound: HashSet<String>,
}

/// Why there is no process to load a submission into.
enum NotStarted {
    /// A failure of keur itself.
    Fault(Fault),
    /// The submission is a program that does not get ready; says why.
    NotReady(String),
}

impl From<Fault> for NotStarted {
    fn from(fault: Fault) -> NotStarted {
        NotStarted::Fault(fault)
    }
}

impl<'a> Subprocess<'a> {
    /// The submission in `bundle`, an answer to `exercise`, in processes that `launcher` starts.
    pub fn new(
        launcher: &'a mut Launcher,
        source: Source,
        exercise: &'a Exercise,
        bundle: &'a Bundle,
    ) -> Subprocess<'a> {
        let file_names = bundle.files.iter().map(|file| file.name.clone()).collect();
        let preloaded = match &source {
            Source::Engine(engine, _) => imports_library(engine, bundle),
            Source::Command(_) => false,
        };
        Subprocess {
            launcher,
            source,
            exercise,
            bundle,
            file_names,
            preloaded,
            dialect: None,
            idle: None,
            code: None,
            unmetered: Duration::ZERO,
            held_up: Duration::ZERO,
            quick: None,
            folder: None,
            stalled: false,
            room: Allowance::new(),
            bound: HashSet::new(),
        }
    }

    /// The properties of the submission's language; known after a replay.
    pub fn dialect(&self) -> Option<&Dialect> {
        self.dialect.as_ref()
    }

    /// The time since the last call that the submission took to get ready for its cases, and that no limit of a case
    /// covers.
    pub fn take_unmetered(&mut self) -> Duration {
        std::mem::take(&mut self.unmetered)
    }

    /// The time since the last call in which the submission's processes waited for a processor.
    pub fn take_held_up(&mut self) -> Duration {
        std::mem::take(&mut self.held_up)
    }

    /// Whether the last case was ended at its wall-clock limit while the machine kept it from running.
    pub fn was_stalled(&self) -> bool {
        self.stalled
    }

    /// Whether the submission is kept from ending or stopping its own process as somebody else could.
    pub fn is_confined(&self) -> bool {
        let is_trusted = matches!(&self.source, Source::Command(command) if !command.confined);
        self.launcher.tier() != Tier::Portable && !is_trusted
    }

    /// Replays a plan without matches, and again if the machine or somebody else kept it from its answers.
    ///
    /// # Errors
    /// A failure of keur itself, or somebody else ended or stopped the process twice.
    pub fn replay_unhindered(&mut self, plan: &Plan, limits: &Limits) -> Result<Transcript, Fault> {
        let transcript = self.replay(plan, limits, &mut NoGuide)?;
        if !self.stalled && !is_cut_off(&transcript) {
            return Ok(transcript);
        }
        let transcript = self.replay(plan, limits, &mut NoGuide)?;
        // A program that is not confined may have done it itself.
        if is_cut_off(&transcript) && self.is_confined() {
            return Err(Fault::new(format!("a process that answers was {BY_OTHERS}")));
        }
        Ok(transcript)
    }

    /// Compiles the submission if its driver does that: loads its files and runs none of them.
    fn compile(
        &mut self,
        process: &mut Process,
        limits: &Limits,
        spelling: &Spoken<'_>,
    ) -> Result<Option<Load>, Fault> {
        if !matches!(&self.source, Source::Engine(engine, _) if engine.lifetime.compiles())
            || self.code.is_some()
        {
            return Ok(None);
        }
        let began = Instant::now();
        process.begin(&Limits { output: limits.output, ..COMPILING }).map_err(ungathered)?;
        let load = self.load(process, spelling, LoadMode::Compile);
        self.unmetered += began.elapsed();
        // Errors of the compiler are reported again when it is loaded.
        Ok(load.halt.is_some().then_some(load))
    }

    /// Loads the submission.
    fn load(&mut self, process: &mut Process, spelling: &Spoken<'_>, mode: LoadMode<'_>) -> Load {
        let needs: Vec<String> =
            spelling.naming.definitions().into_iter().map(|(_, spelled)| spelled).collect();
        let request =
            Request::load(&self.bundle.files, mode, &needs, self.code.as_ref().and_then(Option::as_ref));
        let mut reply = exchange_load(process, &request, &self.file_names);
        if let Ok(Reply { body: Body::Loaded { code, .. }, .. }) = &mut reply {
            self.code.get_or_insert(code.take());
        }
        self.loaded(process, reply)
    }

    /// The load that a reply reports.
    fn loaded(&self, process: &mut Process, reply: Result<Reply, Halt>) -> Load {
        let halt = match reply {
            Ok(Reply { body: Body::Loaded { defined, names, raised, code: _ }, .. }) => {
                let halt = process.output_is_full().then_some(Halt::Stopped(Stop::Output));
                process.take_output();
                return Load { defined, names, raised, halt };
            }
            Ok(Reply { body: Body::Raised(raised), .. }) => {
                return Load { raised: Some(raised), ..Load::default() };
            }
            Ok(_) => Halt::Protocol("it does not answer `load` with `loaded`".to_owned()),
            Err(halt) => halt,
        };
        Load { halt: Some(halt), ..Load::default() }
    }

    /// The packages that the exercise allows in the submission's language.
    fn packages(&self) -> &'a [String] {
        let language = match &self.source {
            Source::Engine(engine, _) => engine.language.name,
            Source::Command(_) => return &[],
        };
        self.exercise.packages.get(language).map_or(&[], Vec::as_slice)
    }

    fn begin_case(&mut self) {
        self.room = Allowance::new();
        self.bound.clear();
        self.stalled = false;
    }

    /// Replays the steps of a plan: calls in `process`, each program in its own process.
    fn steps(
        &mut self,
        mut process: Option<&mut Process>,
        plan: &Plan,
        limits: &Limits,
        spelling: &Spoken<'_>,
        guide: &mut dyn Guide,
    ) -> Result<Vec<StepSeen>, Fault> {
        let mut unbound: HashSet<&str> = HashSet::new();
        let mut steps = Vec::with_capacity(plan.steps.len());
        for (index, step) in plan.steps.iter().enumerate() {
            let mut seen = match (&step.action, process.as_deref_mut()) {
                (Action::Program(run), _) => self.program(run, limits)?,
                (Action::Match(game), Some(process)) => {
                    let mut left = Left::new(limits, game.games);
                    let room = self.room.clone();
                    let last =
                        guided(StepNo::at(index), guide, &mut |line, want| match left.begin(process) {
                            Ok(()) => {
                                // Of a match only the last observation is kept.
                                self.room = room.clone();
                                self.line(process, line, want, spelling)
                            }
                            Err(halt) => Observation::bare(StepOutcome::Halted(halt)),
                        });
                    Seen::Match(last)
                }
                (Action::Calls(calls), Some(process)) => {
                    Seen::Calls(self.run(process, calls, &mut unbound, spelling))
                }
                (Action::Calls(_), None) => Seen::Calls(Vec::new()),
                (Action::Match(_), None) => Seen::Match(None),
            };
            let mut is_last = ends_case(&seen);
            let mut files = None;
            if let Some(folder) = &self.folder {
                let mask = Mask::new(folder.path());
                mask.seen(&mut seen);
                if !is_last {
                    files = self.room.files(folder, &step.reads);
                    match &mut files {
                        Some(found) => mask.files(found),
                        None => {
                            seen.stop(Stop::Files);
                            is_last = true;
                        }
                    }
                }
            }
            steps.push(StepSeen { seen, files });
            if is_last {
                break;
            }
        }
        Ok(steps)
    }

    fn run<'p>(
        &mut self,
        process: &mut Process,
        calls: &'p Calls,
        unbound: &mut HashSet<&'p str>,
        spelling: &Spoken<'_>,
    ) -> Vec<Observation> {
        let mut lines = Vec::with_capacity(calls.lines.len());
        for (line, want) in calls.wanted() {
            let names = line.uses();
            let observation = match names.into_iter().find(|name| unbound.contains(name)) {
                Some(name) => Observation::bare(StepOutcome::Unbound(name.to_owned())),
                None => self.line(process, line, want, spelling),
            };
            let halted = observation.halt().is_some();
            for name in line.bind.names() {
                match &observation.outcome {
                    StepOutcome::Value { .. } => unbound.remove(name.as_str()),
                    _ => unbound.insert(name),
                };
            }
            lines.push(observation);
            if halted {
                break;
            }
        }
        lines
    }

    /// Runs a program of the submission in its own process and exchanges text with it.
    fn program(&mut self, run: &ProgramRun, limits: &Limits) -> Result<Seen, Fault> {
        let mut process = match self.fresh(limits) {
            Ok(process) => process,
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(why)) => {
                let end = End::Halted(Halt::NotReady(why));
                let (command, exchanges, errors) = (String::new(), Vec::new(), Vec::new());
                return Ok(Seen::Program(Ran { command, exchanges, errors, end }));
            }
        };
        let dialect = self.known_dialect()?;
        if !dialect.programs {
            let message = match &self.source {
                Source::Engine(engine, _) => {
                    format!("{} cannot run programs; a case with `run` needs Python or Node", engine.title)
                }
                Source::Command(_) => "the program that was named cannot run programs".to_owned(),
            };
            return Err(Fault::new(message));
        }
        let seen = program::converse(&mut process, run, limits, &dialect, (self.bundle, &self.file_names));
        self.stalled |= process.was_stalled();
        self.held_up += process.take_held_up();
        Ok(match seen? {
            Seen::Program(ran) => Seen::Program(self.room.program(ran)),
            seen => seen,
        })
    }

    /// Checks that the driver knows everything that a plan needs.
    fn can_run(&self, plan: &Plan, dialect: &Dialect) -> Result<(), Fault> {
        let driver = match &self.source {
            Source::Engine(engine, _) => format!("keur's driver for {}", engine.title),
            Source::Command(command) if command.confined => "a crate in Rust".to_owned(),
            Source::Command(_) => "the program that was named".to_owned(),
        };
        let language = &dialect.language;
        let lacks = if plan.needs_operators() && !dialect.operators {
            format!("{driver} does not know operators, attributes and items, and a case needs them")
        } else if plan.natives().next().is_none() {
            return Ok(());
        } else if !dialect.native {
            format!("{driver} cannot run code that stands in a case")
        } else if plan.natives().any(|native| native.code(language).is_none()) {
            format!("{driver} runs {language}, and the code in a case is of another language")
        } else {
            return Ok(());
        };
        Err(Fault::new(lacks))
    }

    fn known_dialect(&self) -> Result<Dialect, Fault> {
        let unknown = || Fault::new("the driver did not say which language it is for");
        self.dialect.clone().ok_or_else(unknown)
    }

    fn line(
        &mut self,
        process: &mut Process,
        line: &Line,
        want: &Want,
        spelling: &Spoken<'_>,
    ) -> Observation {
        let answer = ask(process, &Request::run(line, want, spelling), &self.file_names);
        self.observed(line, want, answer)
    }

    /// The observation of a line with this answer.
    fn observed(&mut self, line: &Line, want: &Want, answer: Answer) -> Observation {
        self.bound.extend(line.bind.names().iter().cloned());
        let mut observation = Observation::bare(StepOutcome::Value { value: None, text: None });
        observation.output = answer.printed;
        observation.outcome = match answer.body {
            Ok(Body::Done { value, text, mut is, types }) => {
                is.retain(|name| self.bound.contains(name));
                is.dedup();
                is.truncate(self.bound.len());
                observation.is = is;
                if want.types {
                    observation.types = types;
                }
                let value = value.filter(|_| want.value).map(|value| self.room.value(value));
                let text = text.filter(|_| want.text).map(|text| self.room.value(text));
                StepOutcome::Value { value, text }
            }
            Ok(Body::Raised(raised)) => StepOutcome::Raised(raised),
            Ok(Body::Missing(missing)) => StepOutcome::Missing(missing),
            Ok(_) => StepOutcome::Halted(Halt::Protocol("it does not answer `run` with `done`".to_owned())),
            Err(halt) => StepOutcome::Halted(halt),
        };
        self.room.observation(observation)
    }
}

impl Adapter for Subprocess<'_> {
    fn replay(&mut self, plan: &Plan, limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault> {
        // The system limits the total processor time of a process: a match takes as much as its games.
        let starting = Limits { cpu: limits.cpu * plan.games(), ..limits.clone() };
        self.begin_case();
        self.folder = plan.files.as_deref().map(|files| self.new_folder(files)).transpose()?;
        // A program has its own process, so its handshake only names the language.
        let needed = plan.needs_load() || self.dialect.is_none();
        let mut process = match needed.then(|| self.process(&starting)).transpose() {
            Ok(process) => process.filter(|_| plan.needs_load()),
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(why)) => {
                let load = Load { halt: Some(Halt::NotReady(why)), ..Load::default() };
                return Ok(unloaded(load));
            }
        };
        let dialect = self.known_dialect()?;
        self.can_run(plan, &dialect)?;
        let spelling = Spoken::new(self.exercise, &dialect);
        let mut load = Load::default();
        if let Some(process) = &mut process {
            if let Some(load) = self.compile(process, limits, &spelling)? {
                self.stalled = process.was_stalled();
                return Ok(unloaded(load));
            }
            process.begin(limits).map_err(ungathered)?;
            load = self.load(process, &spelling, LoadMode::Once(&self.bundle.modules()));
        }
        if let (Some(folder), Some(raised)) = (&self.folder, &mut load.raised) {
            Mask::new(folder.path()).exception(raised);
        }
        let halted = load.halt.is_some();
        let steps = match halted {
            true => Vec::new(),
            false => self.steps(process.as_mut(), plan, limits, &spelling, guide)?,
        };
        let halted = halted || steps.last().is_some_and(|last| ends_case(&last.seen));
        self.stalled |= process.as_ref().is_some_and(Process::was_stalled);
        self.held_up += process.as_mut().map(Process::take_held_up).unwrap_or_default();
        if let Some(process) = process.filter(|_| self.shares_process() && self.folder.is_none() && !halted) {
            self.idle = Some((process, limits.memory, limits.output));
        }
        // It is gone as soon as the last process that works there is.
        self.folder = None;
        Ok(Transcript { load, steps })
    }
}

/// Whether nothing runs after a step. A program that is stopped ends its own process alone, but one that does not get ready
/// never will.
fn ends_case(seen: &Seen) -> bool {
    match seen {
        Seen::Program(ran) => matches!(ran.end, End::Halted(Halt::NotReady(_))),
        _ => seen.halt().is_some(),
    }
}

/// Whether somebody else ended or stopped the process of a replay, if it was confined.
pub(crate) fn is_cut_off(transcript: &Transcript) -> bool {
    matches!(transcript.halt(), Some(Halt::Stopped(stop)) if stop.is_by_others())
}

/// The transcript of a submission that was not loaded.
fn unloaded(load: Load) -> Transcript {
    Transcript { load, steps: Vec::new() }
}
