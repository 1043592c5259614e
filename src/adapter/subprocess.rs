//! Replays a plan on a submission in a subprocess that speaks the wire protocol.

use super::hosts::not_started;
use super::in_process::guided;
use super::transcript::{
    End, Exchange, Halt, Load, Missing, MissingKind, Observation, Outcome, Ran, Transcript,
};
use super::wire::{self, Body, Code, Ready, Reply, SourceFile, Spelling};
use super::{Adapter, Fault, Guide, Hosts};
use crate::case::{Convention, Exercise, Instead, Line, Naming, Plan, PlanStep, RUST, Run, Want};
use crate::driver::{self, Driver};
use crate::sandbox::{self, Exit, Launch, Limits, Process, Stop, Transport};
use crate::value::syntax::Syntax;
use crate::value::{Cut, Value};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What an interpreter may use until it is ready to load a submission: a broken one must not hang the run.
const STARTING: Limits =
    Limits { cpu: Duration::from_secs(20), wall: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20 };

/// What a process may use until it is ready for another case, or a submission's own program until it is ready for the
/// first: a submission's code runs meanwhile, and may stall.
const RESETTING: Limits =
    Limits { cpu: Duration::from_secs(2), wall: Duration::from_secs(2), memory: 1 << 30, output: 1 << 20 };

/// What compiling a submission may use, of which nothing runs meanwhile.
const COMPILING: Limits =
    Limits { cpu: Duration::from_secs(10), wall: Duration::from_secs(20), memory: 1 << 30, output: 1 << 20 };

/// Memory that the values of one case may take together, in bytes: a driver of keur's own sends at most 1 MiB each.
const MOST_KEPT: usize = 32 << 20;

/// How long the pieces of a request are apart.
const BETWEEN_PIECES: Duration = Duration::from_millis(20);

/// Memory that an unknown program may use before it does anything: a virtual machine, perhaps.
const COMMAND_BASELINE: u64 = 4 << 30;

/// Memory that a compiled program may use before it does anything.
const PROGRAM_BASELINE: u64 = 64 << 20;

/// The files of a submission, as they go to a driver.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// Each file's name, the name of its module, and its bytes.
    pub files: Vec<(String, String, Arc<[u8]>)>,
    /// The modules to run, in order.
    pub modules: Vec<String>,
}

impl Bundle {
    /// The file of this name, whatever the case of its letters.
    pub fn named(&self, name: &str) -> Option<&(String, String, Arc<[u8]>)> {
        let exactly = self.files.iter().find(|(own, _, _)| own == name);
        exactly.or_else(|| self.files.iter().find(|(own, _, _)| own.eq_ignore_ascii_case(name)))
    }

    /// The program that is asked for by this name: a single file that is not loaded is one under any name.
    fn program(&self, name: &str) -> Option<&(String, String, Arc<[u8]>)> {
        let single = self.files.first().filter(|_| self.files.len() == 1 && self.modules.is_empty());
        self.named(name).or(single)
    }
}

/// What answers for a submission.
#[derive(Clone, Debug)]
pub enum Source {
    /// A driver of keur's own in this interpreter.
    Driver(&'static Driver, PathBuf),
    /// Any program that speaks the protocol.
    Command(Command),
}

/// A program that speaks the protocol by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its words.
    pub words: Vec<String>,
    /// Whether it is confined as submissions are, and then speaks as keur's own drivers do; else it is trusted with the
    /// user's own environment, and speaks on its standard input and output.
    pub confined: bool,
}

impl Command {
    /// How it is started, before it is confined.
    pub(super) fn launch(&self) -> Launch {
        let own = self.confined;
        Launch {
            program: PathBuf::from(self.words.first().map_or("", String::as_str)),
            args: self.words.iter().skip(1).map(Into::into).collect(),
            env: if own { Vec::new() } else { std::env::vars().collect() },
            transport: if own && cfg!(unix) { Transport::Socket } else { Transport::Pipes },
            baseline: if own { PROGRAM_BASELINE } else { COMMAND_BASELINE },
            shared: false,
            jail: None,
        }
    }
}

/// How the language of a submission says things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The language, as exercise files name it.
    pub language: String,
    /// The version of its interpreter.
    pub version: String,
    /// How it writes values.
    pub syntax: Syntax,
    /// How it spells names.
    pub convention: Convention,
    /// Whether it takes arguments by keyword.
    pub keywords: bool,
    /// Whether it tells tuples from lists; else a list answers for a tuple.
    pub tuples: bool,
    /// Its built-in exception types.
    pub exceptions: &'static [&'static str],
    /// Those among them that it raises itself where a program is wrong.
    pub crashes: &'static [&'static str],
    /// Whether programs can be run in it.
    pub programs: bool,
}

/// A submission in subprocesses: a fresh process a case, or a fresh context where the driver has them.
pub struct Subprocess<'a> {
    hosts: &'a mut Hosts,
    source: Source,
    exercise: &'a Exercise,
    bundle: &'a Bundle,
    file_names: Vec<String>,
    /// Whether it imports something that a fork server may have loaded before.
    preloaded: bool,
    dialect: Option<Dialect>,
    /// A process that is between two cases, and the memory and output that it was started with.
    idle: Option<(Process, u64, u64)>,
    /// What the first process compiled.
    code: Option<Code>,
    /// Time that the submission took to get ready, and that no case was charged for.
    unmetered: Duration,
    /// Memory that values of the case may still take, in bytes.
    room: usize,
    /// The names that the case has bound so far.
    bound: HashSet<String>,
}

/// Why there is no process to load a submission into.
enum NotStarted {
    /// Keur's own failure.
    Fault(Fault),
    /// The submission is a program that does not get ready: why.
    NotReady(String),
}

impl From<Fault> for NotStarted {
    fn from(fault: Fault) -> NotStarted {
        NotStarted::Fault(fault)
    }
}

impl<'a> Subprocess<'a> {
    /// The submission of `bundle`, an answer to `exercise`, in processes that `hosts` start.
    pub fn new(
        hosts: &'a mut Hosts,
        source: Source,
        exercise: &'a Exercise,
        bundle: &'a Bundle,
    ) -> Subprocess<'a> {
        let file_names = bundle.files.iter().map(|(name, _, _)| name.clone()).collect();
        let preloaded = match &source {
            Source::Driver(driver, _) => imports_library(driver, bundle),
            Source::Command(_) => false,
        };
        Subprocess {
            hosts,
            source,
            exercise,
            bundle,
            file_names,
            preloaded,
            dialect: None,
            idle: None,
            code: None,
            unmetered: Duration::ZERO,
            room: MOST_KEPT,
            bound: HashSet::new(),
        }
    }

    /// How the submission's language says things; known once something was replayed.
    pub fn dialect(&self) -> Option<&Dialect> {
        self.dialect.as_ref()
    }

    /// The time since the last call that the submission took to get ready for its cases: no case is charged for it.
    pub fn take_unmetered(&mut self) -> Duration {
        std::mem::take(&mut self.unmetered)
    }

    /// A process that has loaded nothing yet, under the memory and output of `limits`.
    fn process(&mut self, limits: &Limits) -> Result<Process, NotStarted> {
        if let Some((idle, memory, output)) = self.idle.take()
            && (memory, output) == (limits.memory, limits.output)
        {
            let began = Instant::now();
            let reset = reset(idle, limits);
            self.unmetered += began.elapsed();
            if let Some(process) = reset {
                return Ok(process);
            }
        }
        self.fresh(limits)
    }

    /// A process of its own that has loaded nothing yet.
    fn fresh(&mut self, limits: &Limits) -> Result<Process, NotStarted> {
        // A program that a submission was compiled into runs its code before it is ready.
        let own = matches!(&self.source, Source::Command(command) if command.confined);
        let began = Instant::now();
        let process = self.fresh_process(limits, own);
        if own {
            self.unmetered += began.elapsed();
        }
        process
    }

    fn fresh_process(&mut self, limits: &Limits, own: bool) -> Result<Process, NotStarted> {
        let (mut process, program) = self.start(limits)?;
        let failed = |error: std::io::Error| {
            NotStarted::from(Fault { message: format!("{program} cannot be prepared: {error}") })
        };
        let not_ready = |why: String| match own {
            true => NotStarted::NotReady(why),
            false => NotStarted::Fault(Fault {
                message: format!("{program} is not ready to load a submission: {why}"),
            }),
        };
        let forked = matches!(&self.source, Source::Driver(driver, _) if self.hosts.forks(driver));
        if forked && self.dialect.is_some() {
            // It is a copy of what has said already which language it is for.
            return Ok(process);
        }
        let patience = if own { resetting(limits) } else { starting(limits) };
        process.begin(&patience).map_err(failed)?;
        let ready = match exchange(&mut process, &wire::start(), &[]) {
            Ok(Reply { body: Body::Ready(ready), .. }) => ready,
            Ok(_) => return Err(not_ready("it does not answer `start` with `ready`".to_owned())),
            Err(halt) => {
                let said = String::from_utf8_lossy(&process.take_errors()).trim().to_owned();
                let said = if said.is_empty() { said } else { format!("\n{said}") };
                return Err(not_ready(format!("{}{said}", reason(&halt))));
            }
        };
        if ready.protocol != wire::VERSION {
            let (theirs, ours) = (ready.protocol, wire::VERSION);
            return Err(not_ready(format!(
                "it speaks version {theirs} of the protocol; this keur speaks {ours}"
            )));
        }
        if own && ready.language != RUST {
            return Err(not_ready(format!("it says that it runs {}", ready.language)));
        }
        self.dialect = Some(self.dialect_of(&ready, &program)?);
        Ok(process)
    }

    /// Starts a process, and tells what it is a process of.
    fn start(&mut self, limits: &Limits) -> Result<(Process, String), NotStarted> {
        let launch = match &self.source {
            Source::Driver(driver, program) if self.hosts.forks(driver) => {
                let process = self.hosts.fork(driver, program, self.preloaded, limits)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Driver(driver, program) => {
                let process = self.hosts.engine(driver, program, limits)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Command(command) => {
                let launch = command.launch();
                if command.confined {
                    let refused = |error: std::io::Error| NotStarted::NotReady(error.to_string());
                    self.hosts.confined_program(launch).map_err(refused)?
                } else {
                    launch
                }
            }
        };
        let program = launch.program.display().to_string();
        let own = matches!(&self.source, Source::Command(command) if command.confined);
        match self.hosts.start(&launch, limits) {
            Ok(process) => Ok((process, program)),
            Err(error) if own && sandbox::is_refused_program(&error) => {
                Err(NotStarted::NotReady(error.to_string()))
            }
            Err(error) => Err(not_started(&launch.program, &error).into()),
        }
    }

    fn dialect_of(&self, ready: &Ready, program: &str) -> Result<Dialect, Fault> {
        if let Source::Driver(driver, _) = &self.source {
            let mut numbers = ready.version.split('.').map_while(|number| number.parse::<u32>().ok());
            let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            if version < driver.oldest {
                let (major, minor) = driver.oldest;
                return Err(Fault {
                    message: format!(
                        "{program} is {} {}; keur needs {major}.{minor} or newer: install it, or name its program",
                        driver.title, ready.version
                    ),
                });
            }
        }
        let known = driver::find(&ready.language);
        let convention = match (ready.convention.as_deref(), known) {
            (Some("snake_case"), _) => Convention::Snake,
            (Some("camelCase"), _) => Convention::Camel,
            (Some(_), _) | (None, None) => Convention::AsIs,
            (None, Some(driver)) if driver.snake_case => Convention::Snake,
            (None, Some(_)) => Convention::Camel,
        };
        let syntax = match known {
            Some(driver) => driver.syntax,
            None if ready.language == RUST => Syntax::Rust,
            None => self.exercise.session,
        };
        Ok(Dialect {
            language: ready.language.clone(),
            version: ready.version.clone(),
            syntax,
            convention,
            tuples: ready.tuples.unwrap_or_else(|| syntax.tells_tuples()),
            keywords: known.is_some_and(|driver| driver.keywords) || ready.keywords,
            exceptions: known.map_or(&[], |driver| driver.exceptions),
            crashes: match known {
                Some(driver) => driver.crashes,
                None if ready.language == RUST => &[super::serving::PANIC],
                None => &[],
            },
            programs: ready.programs,
        })
    }

    /// Compiles the submission where its driver does that: loads its files, and runs none of them.
    fn compile(
        &mut self,
        process: &mut Process,
        limits: &Limits,
        spelling: &Spoken<'_>,
    ) -> Result<Option<Load>, Fault> {
        if !matches!(&self.source, Source::Driver(driver, _) if driver.compiles) || self.code.is_some() {
            return Ok(None);
        }
        process.begin(&Limits { output: limits.output, ..COMPILING }).map_err(ungathered)?;
        let load = self.load(process, spelling, &[]);
        // What the compiler refuses is told again when it is loaded.
        Ok(load.halt.is_some().then_some(load))
    }

    /// Loads the submission, and runs these modules of it.
    fn load(&mut self, process: &mut Process, spelling: &Spoken<'_>, modules: &[String]) -> Load {
        let files = sources(self.bundle);
        let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
        let needs: Vec<String> =
            spelling.naming.definitions().into_iter().map(|(_, spelled)| spelled).collect();
        let reply =
            exchange(process, &wire::load(&files, &modules, &needs, self.code.as_ref()), &self.file_names);
        let halt = match reply {
            Ok(Reply { body: Body::Loaded { defined, names, raised, code }, .. }) => {
                self.code = self.code.take().or(code);
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

    /// What of a value is kept: all of it while there is room, nothing where it was not `wanted`.
    fn kept(&mut self, value: Option<Value>, wanted: bool) -> Option<Value> {
        let value = value.filter(|_| wanted)?;
        let size = value.memory();
        if size > self.room {
            return Some(Value::Cut(Cut::Size));
        }
        self.room -= size;
        Some(value)
    }

    /// Replays the steps of a plan: calls in `process`, each program in one of its own.
    fn steps(
        &mut self,
        mut process: Option<&mut Process>,
        plan: &Plan,
        limits: &Limits,
        spelling: &Spoken<'_>,
        guide: &mut dyn Guide,
    ) -> Result<Vec<Vec<Observation>>, Fault> {
        let mut unbound: HashSet<&str> = HashSet::new();
        let mut steps = Vec::with_capacity(plan.steps.len());
        for (index, step) in plan.steps.iter().enumerate() {
            let lines = match (&step.instead, process.as_deref_mut()) {
                (Some(Instead::Run(run)), _) => vec![self.program(run, limits)?],
                (Some(Instead::Match(game)), Some(process)) => {
                    let mut left = Left::new(limits, game.games);
                    guided(index, guide, &mut |line, want| match left.begin(process) {
                        Ok(()) => self.line(process, line, want, spelling),
                        Err(halt) => Observation::bare(Outcome::Halted(halt)),
                    })
                }
                (None, Some(process)) => self.run(process, step, &mut unbound, spelling),
                (Some(Instead::Match(_)) | None, None) => Vec::new(),
            };
            let halted = lines.iter().any(|line| matches!(line.outcome, Outcome::Halted(_)));
            steps.push(lines);
            if halted {
                break;
            }
        }
        Ok(steps)
    }

    fn run<'p>(
        &mut self,
        process: &mut Process,
        step: &'p PlanStep,
        unbound: &mut HashSet<&'p str>,
        spelling: &Spoken<'_>,
    ) -> Vec<Observation> {
        let nothing = Want::default();
        let mut lines = Vec::with_capacity(step.lines.len());
        for (index, line) in step.lines.iter().enumerate() {
            let want = if index + 1 == step.lines.len() { &step.want } else { &nothing };
            let names = line.node.names();
            let observation = match names.into_iter().find(|name| unbound.contains(name)) {
                Some(name) => Observation::bare(Outcome::Unbound(name.to_owned())),
                None => self.line(process, line, want, spelling),
            };
            let halted = matches!(observation.outcome, Outcome::Halted(_));
            if let Some(name) = line.bind.as_deref() {
                match &observation.outcome {
                    Outcome::Value { .. } => unbound.remove(name),
                    Outcome::Raised(_)
                    | Outcome::Missing(_)
                    | Outcome::Halted(_)
                    | Outcome::Unbound(_)
                    | Outcome::Ran(_) => unbound.insert(name),
                };
            }
            lines.push(observation);
            if halted {
                break;
            }
        }
        lines
    }

    /// Runs a program of the submission in a process of its own, and speaks with it.
    fn program(&mut self, run: &Run, limits: &Limits) -> Result<Observation, Fault> {
        let mut process = match self.fresh(limits) {
            Ok(process) => process,
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(why)) => {
                return Ok(Observation::bare(Outcome::Halted(Halt::NotReady(why))));
            }
        };
        let dialect = self.known_dialect()?;
        if !dialect.programs {
            let message = match &self.source {
                Source::Driver(driver, _) => format!(
                    "{} runs no programs, only calls; a case with `run` needs Python or Node",
                    driver.engine_title
                ),
                Source::Command(_) => {
                    "the program of --command does not say that it runs programs".to_owned()
                }
            };
            return Err(Fault { message });
        }
        let file = run.files.get(&dialect.language).map_or("", String::as_str);
        let files = sources(self.bundle);
        let Some((file, module, _)) = self.bundle.program(file) else {
            let (kind, name) = (MissingKind::Program, file.to_owned());
            let missing = Missing { kind, name, on: String::new(), near: None };
            return Ok(Observation::bare(Outcome::Missing(missing)));
        };
        process.begin(limits).map_err(ungathered)?;
        let mut ran = Ran {
            command: command(&dialect, file, &run.args),
            exchanges: Vec::new(),
            errors: Vec::new(),
            end: End::Exited(0),
        };
        let mut input = run.input.iter();
        let mut reply = exchange(&mut process, &wire::program(&files, module, &run.args), &self.file_names);
        let mut written = 0;
        loop {
            let (body, out) = match reply {
                Ok(Reply { body, out }) => (Ok(body), out),
                Err(halt) => (Err(halt), None),
            };
            let mut printed = process.take_output();
            printed.extend(out.unwrap_or_default().into_bytes());
            ran.errors.extend(process.take_errors());
            written += printed.len() as u64;
            // What was taken is no longer there to be counted.
            let full = process.output_is_full() || written >= limits.output;
            let body = if full { Err(Halt::Stopped(Stop::Output)) } else { body };
            let waits = matches!(body, Ok(Body::Waits));
            let again = waits && ran.exchanges.last().is_some_and(|last: &Exchange| last.sent.is_none());
            let body = match again {
                true => Err(broken(&mut process, "it waits for input that has ended".to_owned())),
                false => body,
            };
            let sent = if waits { input.next().cloned() } else { None };
            ran.exchanges.push(Exchange { printed, sent: sent.clone() });
            ran.end = match body {
                Ok(Body::Waits) => {
                    reply = exchange(&mut process, &wire::input(sent.as_deref()), &self.file_names);
                    continue;
                }
                Ok(Body::Ended { raised: Some(raised), .. }) => End::Raised(raised),
                Ok(Body::Ended { status, raised: None }) => End::Exited(status),
                Ok(
                    Body::Ready(_)
                    | Body::Loaded { .. }
                    | Body::Done { .. }
                    | Body::Raised(_)
                    | Body::Missing(_),
                ) => End::Halted(Halt::Protocol("it answers `program` with something else".to_owned())),
                Err(halt) => End::Halted(halt),
            };
            let output = ran.exchanges.iter().flat_map(|exchange| exchange.printed.iter().copied()).collect();
            return Ok(Observation { outcome: Outcome::Ran(ran), output, is: Vec::new() });
        }
    }

    fn known_dialect(&self) -> Result<Dialect, Fault> {
        let unknown = || Fault { message: "the driver did not say which language it is for".to_owned() };
        self.dialect.clone().ok_or_else(unknown)
    }

    fn line(
        &mut self,
        process: &mut Process,
        line: &Line,
        want: &Want,
        spelling: &Spoken<'_>,
    ) -> Observation {
        self.bound.extend(line.bind.clone());
        let reply = exchange(process, &wire::run(line, want, spelling), &self.file_names);
        let mut output = process.take_output();
        let (outcome, is) = match reply {
            Ok(Reply { body, out }) => {
                output.extend(out.unwrap_or_default().into_bytes());
                match body {
                    _ if process.output_is_full() => {
                        (Outcome::Halted(Halt::Stopped(Stop::Output)), Vec::new())
                    }
                    Body::Done { value, text, mut is } => {
                        is.retain(|name| self.bound.contains(name));
                        is.dedup();
                        is.truncate(self.bound.len());
                        let (value, text) = (self.kept(value, want.value), self.kept(text, want.text));
                        (Outcome::Value { value, text }, is)
                    }
                    Body::Raised(raised) => (Outcome::Raised(raised), Vec::new()),
                    Body::Missing(missing) => (Outcome::Missing(missing), Vec::new()),
                    Body::Ready(_) | Body::Loaded { .. } | Body::Waits | Body::Ended { .. } => {
                        let why = "it does not answer `run` with `done`".to_owned();
                        (Outcome::Halted(Halt::Protocol(why)), Vec::new())
                    }
                }
            }
            Err(halt) => (Outcome::Halted(halt), Vec::new()),
        };
        Observation { outcome, output, is }
    }
}

impl Adapter for Subprocess<'_> {
    fn replay(&mut self, plan: &Plan, limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault> {
        // The system stops a process for its processor time in all: a match takes as much as its games.
        let starting = Limits { cpu: limits.cpu * plan.games(), ..limits.clone() };
        self.room = MOST_KEPT;
        self.bound.clear();
        // A program has a process of its own: for that alone one only says which language it is for.
        let needed = plan.calls() || self.dialect.is_none();
        let mut process = match needed.then(|| self.process(&starting)).transpose() {
            Ok(process) => process.filter(|_| plan.calls()),
            Err(NotStarted::Fault(fault)) => return Err(fault),
            Err(NotStarted::NotReady(why)) => {
                let load = Load { halt: Some(Halt::NotReady(why)), ..Load::default() };
                return Ok(Transcript { load, steps: Vec::new() });
            }
        };
        let exercise = self.exercise;
        let dialect = self.known_dialect()?;
        let naming = Naming::new(exercise, &dialect.language, dialect.convention);
        let spelling = Spoken { naming, keywords: dialect.keywords };
        let mut load = Load::default();
        if let Some(process) = &mut process {
            if let Some(load) = self.compile(process, limits, &spelling)? {
                return Ok(Transcript { load, steps: Vec::new() });
            }
            process.begin(limits).map_err(ungathered)?;
            let modules = &self.bundle.modules;
            load = self.load(process, &spelling, modules);
        }
        let halted = load.halt.is_some();
        let steps = match halted {
            true => Vec::new(),
            false => self.steps(process.as_mut(), plan, limits, &spelling, guide)?,
        };
        let halted = halted
            || steps.iter().flatten().any(|observation| matches!(observation.outcome, Outcome::Halted(_)));
        let shared = matches!(&self.source, Source::Driver(driver, _) if driver.shared);
        if let Some(process) = process.filter(|_| shared && !halted) {
            self.idle = Some((process, limits.memory, limits.output));
        }
        Ok(Transcript { load, steps })
    }
}

/// What the games of a match may still use together.
struct Left {
    /// Of each line.
    each: Limits,
    cpu: Duration,
    until: Instant,
}

impl Left {
    fn new(each: &Limits, games: u32) -> Left {
        let games = games.max(1);
        Left { each: each.clone(), cpu: each.cpu * games, until: Instant::now() + each.wall * games }
    }

    /// Starts the meters of another line.
    fn begin(&mut self, process: &mut Process) -> Result<(), Halt> {
        self.cpu = self.cpu.saturating_sub(process.cpu_used());
        let stop = match () {
            () if self.cpu.is_zero() => Stop::Cpu,
            () if Instant::now() >= self.until => Stop::Wall,
            () => {
                let begun = process.begin(&self.each);
                return begun.map_err(|error| broken(process, format!("its output is lost: {error}")));
            }
        };
        process.kill();
        Err(Halt::Stopped(stop))
    }
}

/// A command as it would be typed.
fn command(dialect: &Dialect, file: &str, args: &[String]) -> String {
    let interpreter = dialect.syntax.pick(["python3", "node", "java", ""]);
    let quoted = |arg: &String| {
        let plain = |ch: char| ch.is_ascii_alphanumeric() || "-_./=:,".contains(ch);
        let bare = !arg.is_empty() && arg.chars().all(plain);
        if bare { arg.clone() } else { format!("'{}'", arg.replace('\'', r"'\''")) }
    };
    let words = [interpreter.to_owned(), file.to_owned()].into_iter().chain(args.iter().map(quoted));
    words.collect::<Vec<_>>().join(" ")
}

/// The files of a submission for a request.
fn sources(bundle: &Bundle) -> Vec<SourceFile<'_>> {
    bundle.files.iter().map(|(name, module, bytes)| SourceFile { name, module, bytes }).collect()
}

/// Whether a submission imports something of the language's library that a fork server may have loaded before.
fn imports_library(driver: &Driver, bundle: &Bundle) -> bool {
    let own = |name: &String| bundle.files.iter().any(|(_, module, _)| module == name);
    let imports = |bytes: &[u8]| (driver.scan)(&String::from_utf8_lossy(bytes)).imports;
    let may = |name: &String| driver.preload.contains(&name.as_str()) && !own(name);
    !driver.preload.is_empty() && bundle.files.iter().any(|(_, _, bytes)| imports(bytes).iter().any(may))
}

struct Spoken<'a> {
    naming: Naming<'a>,
    keywords: bool,
}

impl Spelling for Spoken<'_> {
    fn spell(&self, name: &str) -> String {
        self.naming.spell(name)
    }

    fn keywords(&self) -> bool {
        self.keywords
    }
}

/// The process of an earlier case, as good as a fresh one; none where it does not get ready for another.
fn reset(mut process: Process, limits: &Limits) -> Option<Process> {
    if process.begin(&resetting(limits)).is_err() || process.has_unread() {
        return None;
    }
    let ready = matches!(exchange(&mut process, &wire::reset(), &[]), Ok(Reply { body: Body::Ready(_), .. }));
    ready.then_some(process)
}

/// What a process may use until it is ready for a case that will be held to `limits`, while code of the submission runs.
fn resetting(limits: &Limits) -> Limits {
    Limits { output: limits.output, ..RESETTING }
}

/// What an interpreter may use until it is ready to load a submission that will be held to `limits`.
pub(super) fn starting(limits: &Limits) -> Limits {
    Limits { output: limits.output, ..STARTING }
}

/// Sends a request and receives its reply, in lock step.
pub(super) fn exchange(process: &mut Process, request: &str, files: &[String]) -> Result<Reply, Halt> {
    let nonce = send(process, request, 1)?;
    let payload = receive(process, nonce)?;
    let reply = wire::reply(&payload, files).map_err(|why| broken(process, why))?;
    drop(payload);
    // A reply that took long to be read may have come too late.
    process.look().map_err(Halt::Stopped)?;
    process.note_output(reply.out.as_ref().map_or(0, String::len));
    Ok(reply)
}

/// Sends a request, in so many pieces; gives its nonce.
pub(super) fn send(process: &mut Process, request: &str, pieces: usize) -> Result<[u8; 8], Halt> {
    if process.has_unread() {
        return Err(broken(process, "bytes arrived that nobody asked for".to_owned()));
    }
    let mut nonce = [0; 8];
    getrandom::fill(&mut nonce).map_err(|error| broken(process, format!("no random numbers: {error}")))?;
    let frame = wire::frame(nonce, request.as_bytes());
    for piece in frame.chunks(frame.len().div_ceil(pieces.max(1))) {
        process.write(piece).map_err(Halt::Stopped)?;
        if pieces > 1 {
            std::thread::sleep(BETWEEN_PIECES);
        }
    }
    Ok(nonce)
}

/// Receives the payload of the reply to the request of that nonce.
pub(super) fn receive(process: &mut Process, nonce: [u8; 8]) -> Result<Vec<u8>, Halt> {
    let mut header = [0; wire::HEADER];
    process.read_exact(&mut header).map_err(Halt::Stopped)?;
    let (length, echoed) = wire::header(header);
    if echoed != nonce {
        return Err(broken(process, "a reply does not carry its request's nonce".to_owned()));
    }
    if length > wire::MOST_REPLY {
        return Err(broken(process, format!("a reply of {length} bytes is too large")));
    }
    let mut payload = vec![0; length];
    process.read_exact(&mut payload).map_err(Halt::Stopped)?;
    Ok(payload)
}

/// Ends a process that broke the protocol.
fn broken(process: &mut Process, why: String) -> Halt {
    process.kill();
    Halt::Protocol(why)
}

fn ungathered(error: std::io::Error) -> Fault {
    Fault {
        message: format!(
            "the output of a submission cannot be gathered: {error}; check the temporary folder"
        ),
    }
}

/// Why a program gave no reply.
pub(super) fn reason(halt: &Halt) -> String {
    match halt {
        Halt::Stopped(Stop::Exited(Exit::Code(code))) => format!("it ended with status {code}"),
        Halt::Stopped(Stop::Exited(Exit::Signal(signal))) => format!("it was ended by signal {signal}"),
        Halt::Stopped(Stop::Cpu | Stop::Wall) => "it did not answer in time".to_owned(),
        Halt::Stopped(Stop::Memory) => "it ran out of memory".to_owned(),
        Halt::Stopped(Stop::Output) => "it writes instead of answering".to_owned(),
        Halt::Protocol(why) | Halt::NotReady(why) => why.clone(),
    }
}
