//! Starts the processes of a submission, and asks them what they run.

use super::{NotStarted, Subprocess};
use crate::adapter::exchange::{exchange, running_own_code, starting};
use crate::adapter::launcher::{EngineStart, StartLimits, not_started};
use crate::adapter::source::launch_of_built;
use crate::adapter::wire::{self, Body, Ready, Reply, Request};
use crate::adapter::{BY_OTHERS, Command, Dialect, Fault, Halt, Source};
use crate::languages::{Version, rust};
use crate::sandbox::{self, Folder, Launch, Limits, Process, Stop};
use std::sync::Arc;

/// A process that has named its language, and has loaded nothing yet or only what an earlier case left.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) dialect: Arc<Dialect>,
    pub(super) with: StartLimits,
}

impl Started {
    /// A process that was started with `limits`.
    pub(super) fn new(process: Process, dialect: Arc<Dialect>, limits: &Limits) -> Started {
        Started { process, dialect, with: StartLimits::of(limits) }
    }

    /// Whether it can serve a case with `limits`.
    pub(super) fn fits(&self, limits: &Limits) -> bool {
        self.with.fits(limits)
    }
}

impl Subprocess<'_> {
    /// Whether the submission is a program that was built from it.
    pub(super) fn is_built(&self) -> bool {
        matches!(self.source, Source::Built(_))
    }

    /// The program that answers for the submission, if the person who grades names it.
    fn trusted(&self) -> Option<&Command> {
        if let Source::Trusted(command) = &self.source { Some(command) } else { None }
    }

    /// Starts a process in this working folder, and another one if somebody else ends or stops it before it
    /// is ready.
    pub(super) fn start(
        &mut self,
        limits: &Limits,
        folder: Option<&Arc<Folder>>,
    ) -> Result<Started, NotStarted> {
        for _ in 0..2 {
            if let Some(started) = self.start_once(limits, folder)? {
                return Ok(started);
            }
        }
        let message = format!("a process that was not yet ready was {BY_OTHERS}");
        // A submission that is not confined may have done it itself.
        if self.is_built() && !self.is_confined() {
            return Err(NotStarted::NotReady(message));
        }
        Err(NotStarted::Fault(Fault::new(message)))
    }

    /// Starts a process; `None` if somebody else ends or stops it before it is ready.
    fn start_once(
        &mut self,
        limits: &Limits,
        folder: Option<&Arc<Folder>>,
    ) -> Result<Option<Started>, NotStarted> {
        if let Some(message) = self.trusted().and_then(Command::given_up) {
            return Err(NotStarted::Fault(Fault::new(message)));
        }
        let (mut process, program) = self.start_process(limits, folder)?;
        let forks = match &self.source {
            Source::Engine(engine, _) => self.launcher.forks(engine),
            Source::Library(_) => self.launcher.forks_libraries(),
            Source::Built(_) | Source::Trusted(_) => false,
        };
        if let (Some(dialect), None, true) = (&self.dialect, folder, forks) {
            // It is a copy of a process that has already named its language.
            return Ok(Some(Started::new(process, Arc::clone(dialect), limits)));
        }
        let Some(ready) = self.get_ready(&mut process, &program, limits)? else { return Ok(None) };
        if let (Source::Engine(engine, _), Some(driver)) = (&self.source, &ready.driver) {
            self.launcher.keep_driver(engine, driver)?;
        }
        let dialect = Arc::new(self.dialect_of(ready, &program)?);
        self.dialect = Some(Arc::clone(&dialect));
        Ok(Some(Started::new(process, dialect, limits)))
    }

    /// The report of a new process of `program` about itself; `None` if somebody else ends or stops it.
    fn get_ready(
        &self,
        process: &mut Process,
        program: &str,
        limits: &Limits,
    ) -> Result<Option<Ready>, NotStarted> {
        let not_ready = |why: String| {
            // A compiled submission runs its own code before it is ready.
            if self.is_built() {
                return NotStarted::NotReady(why);
            }
            Fault::new(format!("{program} is not ready to load a submission: {why}")).into()
        };
        let patience = if self.is_built() {
            running_own_code(limits)
        } else {
            starting(limits, self.trusted().map(|command| command.patience))
        };
        process
            .begin(&patience)
            .map_err(|error| Fault::new(format!("{program} cannot be prepared")).because(error))?;
        // It runs nothing of a submission yet.
        let compile = self.source.engine().is_some_and(|engine| self.launcher.lacks_driver(engine));
        let ready = match exchange(process, &Request::start(compile), &[]) {
            Ok(Reply { body: Body::Ready(ready), .. }) => ready,
            Ok(_) => return Err(not_ready("it does not answer `start` with `ready`".to_owned())),
            Err(Halt::Stopped(stop)) if stop.is_by_others() => return Ok(None),
            Err(halt) => {
                let errors = String::from_utf8_lossy(&process.take_errors()).trim().to_owned();
                let errors = if errors.is_empty() { errors } else { format!("\n{errors}") };
                let failure = not_ready(format!("{halt}{errors}"));
                if let (Some(command), NotStarted::Fault(fault)) = (self.trusted(), &failure)
                    && matches!(halt, Halt::Stopped(Stop::Cpu | Stop::Wall))
                {
                    command.give_up(&fault.to_string());
                }
                return Err(failure);
            }
        };
        if ready.protocol != wire::VERSION {
            let (theirs, ours) = (ready.protocol, wire::VERSION);
            return Err(not_ready(format!(
                "it speaks version {theirs} of the protocol; this keur speaks {ours}"
            )));
        }
        if self.is_built() && ready.language != rust::LANGUAGE.name {
            return Err(not_ready(format!("it says that it runs {}", ready.language)));
        }
        Ok(Some(ready))
    }

    /// Starts a process and returns what its messages call its program.
    fn start_process(
        &mut self,
        limits: &Limits,
        folder: Option<&Arc<Folder>>,
    ) -> Result<(Process, String), NotStarted> {
        let packages = self.packages();
        let launch = match &self.source {
            Source::Engine(engine, program) => {
                let preloaded = self.preloaded;
                let start = EngineStart { engine, program, limits, folder, packages, preloaded };
                let process = self.launcher.start_engine(start)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Library(library) => {
                let process = self.launcher.start_library(library, limits, folder)?;
                return Ok((process, library.driver.display().to_string()));
            }
            Source::Built(words) => self
                .launcher
                .confine_program(launch_of_built(words))
                .map_err(|error| NotStarted::NotReady(error.to_string()))?,
            Source::Trusted(command) => command.launch(),
        };
        let launch = Launch { folder: folder.cloned(), ..launch };
        match self.launcher.start(&launch, limits) {
            Ok(process) => Ok((process, launch.program.display().to_string())),
            Err(error) if self.is_built() && sandbox::is_refused_program(&error) => {
                Err(NotStarted::NotReady(error.to_string()))
            }
            Err(error) => Err(not_started(&launch.program, error).into()),
        }
    }

    fn dialect_of(&mut self, ready: Ready, program: &str) -> Result<Dialect, Fault> {
        if let Source::Engine(engine, _) = &self.source
            && Version::parse(&ready.version).unwrap_or_default() < engine.oldest
        {
            return Err(Fault::new(format!(
                "{program} is {} {}; {} needs {} or newer: install it, or name its program",
                engine.title,
                ready.version,
                engine.language.title,
                engine.oldest.release()
            )));
        }
        let barred = match &self.source {
            Source::Engine(_, program) => self.launcher.barred(program, self.packages()),
            Source::Built(_) | Source::Library(_) | Source::Trusted(_) => Arc::default(),
        };
        Ok(Dialect { engine: self.source.engine(), barred, ..Dialect::started(ready, self.exercise) })
    }
}
