//! Replays a plan on a submission in a subprocess that speaks the wire protocol.

use super::hosts::not_started;
use super::transcript::{Halt, Load, Observation, Outcome, Transcript};
use super::wire::{self, Body, Code, Ready, Reply, SourceFile, Spelling};
use super::{Adapter, Fault, Hosts};
use crate::case::{Convention, Exercise, Line, Naming, Plan, Want};
use crate::driver::{self, Driver};
use crate::sandbox::{Exit, Launch, Limits, Process, Stop, Transport};
use crate::value::syntax::Syntax;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

/// What an interpreter may use until it is ready to load a submission: a broken one must not hang the run.
pub(super) const STARTING: Limits =
    Limits { cpu: Duration::from_secs(20), wall: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20 };

/// What compiling a submission may use, of which nothing runs meanwhile.
const COMPILING: Limits =
    Limits { cpu: Duration::from_secs(10), wall: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20 };

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
    pub files: Vec<(String, String, Vec<u8>)>,
    /// The modules to run, in order.
    pub modules: Vec<String>,
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
    /// Its built-in exception types.
    pub exceptions: &'static [&'static str],
}

/// A submission in subprocesses: a fresh process a case, or a fresh context where the driver has them.
pub struct Subprocess<'a> {
    hosts: &'a mut Hosts,
    source: Source,
    exercise: &'a Exercise,
    bundle: &'a Bundle,
    file_names: Vec<String>,
    /// Modules of the language's library that the submission imports and a fork server may load beforehand.
    preload: Vec<String>,
    dialect: Option<Dialect>,
    /// A process that is between two cases, and the memory and output that it was started with.
    idle: Option<(Process, u64, u64)>,
    /// What the first process compiled.
    code: Option<Code>,
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
        let preload = match &source {
            Source::Driver(driver, _) => preloaded(driver, bundle),
            Source::Command(_) => Vec::new(),
        };
        Subprocess {
            hosts,
            source,
            exercise,
            bundle,
            file_names,
            preload,
            dialect: None,
            idle: None,
            code: None,
        }
    }

    /// How the submission's language says things; known once something was replayed.
    pub fn dialect(&self) -> Option<&Dialect> {
        self.dialect.as_ref()
    }

    /// A process that has loaded nothing yet, under the memory and output of `limits`.
    fn process(&mut self, limits: &Limits) -> Result<Process, Fault> {
        if let Some((mut idle, memory, output)) = self.idle.take()
            && (memory, output) == (limits.memory, limits.output)
        {
            let starting = Limits { output, ..STARTING };
            let fresh = idle.begin(&starting).is_ok() && !idle.has_unread();
            if fresh
                && matches!(exchange(&mut idle, &wire::reset(), &[]), Ok(Reply { body: Body::Ready(_), .. }))
            {
                return Ok(idle);
            }
        }
        let (mut process, program) = self.start(limits)?;
        let failed =
            |error: std::io::Error| Fault { message: format!("{program} cannot be prepared: {error}") };
        let forked = matches!(&self.source, Source::Driver(driver, _) if self.hosts.forks(driver));
        if forked && self.dialect.is_some() {
            // It is a copy of what has said already which language it is for.
            return Ok(process);
        }
        process.begin(&Limits { output: limits.output, ..STARTING }).map_err(failed)?;
        let ready = match exchange(&mut process, &wire::start(), &[]) {
            Ok(Reply { body: Body::Ready(ready), .. }) => ready,
            Ok(_) => {
                return Err(Fault { message: format!("{program} does not answer `start` with `ready`") });
            }
            Err(halt) => {
                let said = String::from_utf8_lossy(&process.take_errors()).trim().to_owned();
                return Err(Fault { message: not_ready(&program, &halt, &said) });
            }
        };
        if ready.protocol != wire::VERSION {
            return Err(Fault {
                message: format!(
                    "{program} speaks version {} of the protocol; this keur speaks {}",
                    ready.protocol,
                    wire::VERSION
                ),
            });
        }
        self.dialect = Some(self.dialect_of(&ready, &program)?);
        Ok(process)
    }

    /// Starts a process, and tells what it is a process of.
    fn start(&mut self, limits: &Limits) -> Result<(Process, String), Fault> {
        let launch = match &self.source {
            Source::Driver(driver, program) if self.hosts.forks(driver) => {
                let process = self.hosts.fork(driver, program, &self.preload, limits)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Driver(driver, program) => {
                let process = self.hosts.engine(driver, program, limits)?;
                return Ok((process, program.display().to_string()));
            }
            Source::Command(command) => {
                let launch = command.launch();
                if command.confined { self.hosts.confined_program(launch)? } else { launch }
            }
        };
        let program = launch.program.display().to_string();
        let process =
            self.hosts.start(&launch, limits).map_err(|error| not_started(&launch.program, &error))?;
        Ok((process, program))
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
        Ok(Dialect {
            language: ready.language.clone(),
            version: ready.version.clone(),
            syntax: known.map_or(self.exercise.session, |driver| driver.syntax),
            convention,
            keywords: known.is_some_and(|driver| driver.keywords) || ready.keywords,
            exceptions: known.map_or(&[], |driver| driver.exceptions),
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
        let files: Vec<SourceFile<'_>> = self
            .bundle
            .files
            .iter()
            .map(|(name, module, bytes)| SourceFile { name, module, bytes })
            .collect();
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

    fn run(&self, process: &mut Process, plan: &Plan, spelling: &Spoken<'_>) -> Vec<Vec<Observation>> {
        let nothing = Want::default();
        let mut unbound: HashSet<&str> = HashSet::new();
        let mut steps = Vec::with_capacity(plan.steps.len());
        for step in &plan.steps {
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
                        | Outcome::Unbound(_) => unbound.insert(name),
                    };
                }
                lines.push(observation);
                if halted {
                    steps.push(lines);
                    return steps;
                }
            }
            steps.push(lines);
        }
        steps
    }

    fn line(&self, process: &mut Process, line: &Line, want: &Want, spelling: &Spoken<'_>) -> Observation {
        let reply = exchange(process, &wire::run(line, want, spelling), &self.file_names);
        let mut output = process.take_output();
        let (outcome, is) = match reply {
            Ok(Reply { body, out }) => {
                output.extend(out.unwrap_or_default().into_bytes());
                match body {
                    _ if process.output_is_full() => {
                        (Outcome::Halted(Halt::Stopped(Stop::Output)), Vec::new())
                    }
                    Body::Done { value, text, is } => (Outcome::Value { value, text }, is),
                    Body::Raised(raised) => (Outcome::Raised(raised), Vec::new()),
                    Body::Missing(missing) => (Outcome::Missing(missing), Vec::new()),
                    Body::Ready(_) | Body::Loaded { .. } => {
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
    fn replay(&mut self, plan: &Plan, limits: &Limits) -> Result<Transcript, Fault> {
        let mut process = self.process(limits)?;
        let Some(dialect) = self.dialect.clone() else {
            return Err(Fault { message: "the driver did not say which language it is for".to_owned() });
        };
        let exercise = self.exercise;
        let naming = Naming::new(exercise, &dialect.language, dialect.convention);
        let spelling = Spoken { naming, keywords: dialect.keywords };
        if let Some(load) = self.compile(&mut process, limits, &spelling)? {
            return Ok(Transcript { load, steps: Vec::new() });
        }
        process.begin(limits).map_err(ungathered)?;
        let modules = &self.bundle.modules;
        let load = self.load(&mut process, &spelling, modules);
        let steps = if load.halt.is_none() { self.run(&mut process, plan, &spelling) } else { Vec::new() };
        let halted = load.halt.is_some()
            || steps.iter().flatten().any(|observation| matches!(observation.outcome, Outcome::Halted(_)));
        let shared = matches!(&self.source, Source::Driver(driver, _) if driver.shared);
        if shared && !halted {
            self.idle = Some((process, limits.memory, limits.output));
        }
        Ok(Transcript { load, steps })
    }
}

/// Modules of the language's library that a submission imports, among those that may be loaded beforehand.
fn preloaded(driver: &Driver, bundle: &Bundle) -> Vec<String> {
    let own = |name: &String| bundle.files.iter().any(|(_, module, _)| module == name);
    let mut names: Vec<String> = bundle
        .files
        .iter()
        .flat_map(|(_, _, bytes)| (driver.scan)(&String::from_utf8_lossy(bytes)).imports)
        .filter(|name| driver.preload.contains(&name.as_str()) && !own(name))
        .collect();
    names.sort();
    names.dedup();
    names
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

/// Sends a request and receives its reply, in lock step.
pub(super) fn exchange(process: &mut Process, request: &str, files: &[String]) -> Result<Reply, Halt> {
    let nonce = send(process, request, 1)?;
    let payload = receive(process, nonce)?;
    let reply = wire::reply(&payload, files).map_err(|why| broken(process, why))?;
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

fn not_ready(program: &str, halt: &Halt, said: &str) -> String {
    let said = if said.is_empty() { String::new() } else { format!("\n{said}") };
    format!("{program} does not get ready to load a submission: {}{said}", reason(halt))
}

/// Why a program gave no reply.
pub(super) fn reason(halt: &Halt) -> String {
    match halt {
        Halt::Stopped(Stop::Exited(Exit::Code(code))) => format!("it ended with status {code}"),
        Halt::Stopped(Stop::Exited(Exit::Signal(signal))) => format!("it was ended by signal {signal}"),
        Halt::Stopped(Stop::Cpu | Stop::Wall) => "it did not answer in time".to_owned(),
        Halt::Stopped(Stop::Memory) => "it ran out of memory".to_owned(),
        Halt::Stopped(Stop::Output) => "it writes instead of answering".to_owned(),
        Halt::Protocol(why) => why.clone(),
    }
}
