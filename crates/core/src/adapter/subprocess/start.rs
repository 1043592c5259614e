//! Starts the processes of a submission, and asks them what they run.

use super::{NotStarted, Subprocess};
use crate::adapter::exchange::{exchange, reset, resetting, starting};
use crate::adapter::launcher::not_started;
use crate::adapter::wire::{self, Body, Ready, Reply, Request};
use crate::adapter::{BY_OTHERS, CHECK_TEMPORARY, Command, Dialect, Fault, Halt, Source};
use crate::case::{Convention, InputFile};
use crate::languages::{self, rust};
use crate::sandbox::clock::Instant;
use crate::sandbox::{self, Folder, Launch, Limits, Process, Stop};
use std::sync::Arc;

impl Subprocess<'_> {
    /// A process that has loaded nothing yet, with the memory and output limits of `limits`.
    pub(super) fn process(&mut self, limits: &Limits) -> Result<Process, NotStarted> {
        // A process that works in a folder serves one case only, and another waits for the next case.
        if self.folder.is_some() {
            return self.fresh(limits);
        }
        if let Some((idle, memory, output)) = self.idle.take()
            && (memory, output) == (limits.memory, limits.output)
        {
            // A submission also pays for the process that it needs because its last one does not get ready again.
            let began = Instant::now();
            let process = reset(idle, limits).map_or_else(|| self.fresh(limits), Ok);
            self.unmetered += began.elapsed();
            return process;
        }
        self.fresh(limits)
    }

    /// A new process that has loaded nothing yet.
    pub(super) fn fresh(&mut self, limits: &Limits) -> Result<Process, NotStarted> {
        // A compiled submission runs its own code before it is ready.
        let own = matches!(&self.source, Source::Command(command) if command.confined);
        let began = Instant::now();
        let process = self.fresh_process(limits, own);
        if own {
            self.unmetered += began.elapsed();
        }
        process
    }

    /// Starts a process, and another one if somebody else ends or stops it before it is ready.
    fn fresh_process(&mut self, limits: &Limits, own: bool) -> Result<Process, NotStarted> {
        for _ in 0..2 {
            if let Some(process) = self.ready_process(limits, own)? {
                return Ok(process);
            }
        }
        let message = format!("a process that was not yet ready was {BY_OTHERS}");
        // A submission that is not confined may have done it itself.
        if own && !self.is_confined() {
            return Err(NotStarted::NotReady(message));
        }
        Err(NotStarted::Fault(Fault::new(message)))
    }

    /// Starts a process; none if somebody else ends or stops it before it is ready.
    fn ready_process(&mut self, limits: &Limits, own: bool) -> Result<Option<Process>, NotStarted> {
        let trusted = match &self.source {
            Source::Command(command) if !command.confined => Some(command.clone()),
            Source::Command(_) | Source::Engine(..) => None,
        };
        if let Some(message) = trusted.as_ref().and_then(Command::given_up) {
            return Err(NotStarted::Fault(Fault::new(message)));
        }
        let (mut process, program) = self.start(limits)?;
        let failed = |error: std::io::Error| {
            NotStarted::from(Fault::new(format!("{program} cannot be prepared")).because(error))
        };
        let not_ready = |why: String| match own {
            true => NotStarted::NotReady(why),
            false => {
                NotStarted::Fault(Fault::new(format!("{program} is not ready to load a submission: {why}")))
            }
        };
        let forked = matches!(&self.source, Source::Engine(engine, _) if self.launcher.forks(engine));
        if forked && self.dialect.is_some() && self.folder.is_none() {
            // It is a copy of a process that has already named its language.
            return Ok(Some(process));
        }
        let patience = trusted.as_ref().map(|command| command.patience);
        let patience = if own { resetting(limits) } else { starting(limits, patience) };
        process.begin(&patience).map_err(failed)?;
        let ready = match exchange(&mut process, &Request::start(), &[]) {
            Ok(Reply { body: Body::Ready(ready), .. }) => ready,
            Ok(_) => return Err(not_ready("it does not answer `start` with `ready`".to_owned())),
            Err(Halt::Stopped(stop)) if stop.is_by_others() => return Ok(None),
            Err(halt) => {
                let said = String::from_utf8_lossy(&process.take_errors()).trim().to_owned();
                let said = if said.is_empty() { said } else { format!("\n{said}") };
                let failure = not_ready(format!("{halt}{said}"));
                let in_vain = matches!(halt, Halt::Stopped(Stop::Cpu | Stop::Wall));
                if let (Some(command), NotStarted::Fault(fault)) = (trusted.filter(|_| in_vain), &failure) {
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
        if own && ready.language != rust::LANGUAGE.name {
            return Err(not_ready(format!("it says that it runs {}", ready.language)));
        }
        self.dialect = Some(self.dialect_of(&ready, &program)?);
        Ok(Some(process))
    }

    /// A working folder with these files.
    pub(super) fn new_folder(&self, files: &[InputFile]) -> Result<Arc<Folder>, Fault> {
        let files = files.iter().map(|file| (file.name.as_str(), &*file.bytes));
        let made = Folder::new(files).map(Arc::new);
        made.map_err(|error| {
            Fault::new("the working folder of a case cannot be made").because(error).help(CHECK_TEMPORARY)
        })
    }

    /// Starts a process and returns what it reports about itself.
    fn start(&mut self, limits: &Limits) -> Result<(Process, String), NotStarted> {
        if let (Source::Engine(engine, program), Some(folder)) = (&self.source, &self.folder) {
            let process =
                self.launcher.start_in_folder(engine, program, limits, (folder, self.packages()))?;
            return Ok((process, program.display().to_string()));
        }
        let launch = match &self.source {
            Source::Engine(engine, program) if self.launcher.forks(engine) => {
                let process =
                    self.launcher.start_forked(engine, program, (self.preloaded, self.packages()), limits)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Engine(engine, program) => {
                let process = self.launcher.start_shared(engine, program, limits, self.packages())?;
                return Ok((process, program.display().to_string()));
            }
            Source::Command(command) => {
                let launch = Launch { folder: self.folder.clone(), ..command.launch() };
                if command.confined {
                    let refused = |error: std::io::Error| NotStarted::NotReady(error.to_string());
                    self.launcher.confined_program(launch).map_err(refused)?
                } else {
                    launch
                }
            }
        };
        let program = launch.program.display().to_string();
        let own = matches!(&self.source, Source::Command(command) if command.confined);
        match self.launcher.start(&launch, limits) {
            Ok(process) => Ok((process, program)),
            Err(error) if own && sandbox::is_refused_program(&error) => {
                Err(NotStarted::NotReady(error.to_string()))
            }
            Err(error) => Err(not_started(&launch.program, error).into()),
        }
    }

    fn dialect_of(&mut self, ready: &Ready, program: &str) -> Result<Dialect, Fault> {
        if let Source::Engine(engine, _) = &self.source {
            let mut numbers = ready.version.split('.').map_while(|number| number.parse::<u32>().ok());
            let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            if version < engine.oldest {
                let (major, minor) = engine.oldest;
                return Err(Fault::new(format!(
                    "{program} is {} {}; {} needs {major}.{minor} or newer: install it, or name its program",
                    engine.title, ready.version, engine.language.title
                )));
            }
        }
        let known = languages::find(&ready.language);
        let convention = match (ready.convention.as_deref(), known) {
            (Some("snake_case"), _) => Convention::Snake,
            (Some("camelCase"), _) => Convention::Camel,
            (Some(_), _) | (None, None) => Convention::AsIs,
            (None, Some(language)) if language.snake_case => Convention::Snake,
            (None, Some(_)) => Convention::Camel,
        };
        let notation = known.map_or(self.exercise.session, |language| language.notation);
        Ok(Dialect {
            language: ready.language.clone(),
            version: ready.version.clone(),
            engine: self.source.engine(),
            notation,
            convention,
            tuples: ready.tuples.unwrap_or_else(|| notation.has_tuples()),
            keywords: known.is_some_and(|language| language.keywords) || ready.keywords,
            exceptions: known.map_or(&[], |language| language.exceptions),
            crashes: known.map_or(&[], |language| language.crashes),
            programs: ready.programs,
            operators: ready.operators,
            native: ready.native,
            barred: match &self.source {
                Source::Engine(_, program) => self.launcher.barred(program, self.packages()),
                Source::Command(_) => Arc::default(),
            },
        })
    }
}
