//! Starts the processes of submissions: confined as requested, and from a fork server if there is one.

mod files;
mod library;

use super::Fault;
use crate::languages::python::Packages;
use crate::languages::{COMPILED, DriverArgs, Engine, Forks, Mode};
#[cfg(target_os = "linux")]
use crate::sandbox::ForkServer;
use crate::sandbox::parts::Starter;
use crate::sandbox::{Cancel, Folder, Launch, Limits, Process, Tier, Transport};
use files::driver_written;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempPath;

/// Starts processes. Each engine has a fork server, whose children serve one case each; an engine that
/// answers for a whole submission has a process waiting for the next one.
pub struct Launcher {
    tier: Tier,
    seed: u32,
    /// Whether processes use only what every system has.
    portable: bool,
    /// Starts the programs, if they are not processes of the system.
    starter: Option<Arc<dyn Starter>>,
    /// Whether another submission follows, which a process may wait for.
    more: bool,
    standby: Option<Standby>,
    cancel: Cancel,
    /// Keur's cache folder, if no confined submission can read or write it.
    cache: Option<PathBuf>,
    /// Driver texts that must be in a file, by engine; removed when this is dropped.
    texts: HashMap<&'static Engine, TempPath>,
    /// The compiled forms of these drivers, in files as well.
    compiled: HashMap<&'static Engine, TempPath>,
    /// The packages of exercises, as interpreters have them, by interpreter and names.
    packages: HashMap<(PathBuf, Vec<String>), Arc<Packages>>,
    #[cfg(target_os = "linux")]
    servers: HashMap<ServerKind, ForkServer>,
    /// The server of the submission that runs, if that is a library.
    #[cfg(target_os = "linux")]
    library: Option<(super::Library, ForkServer)>,
}

/// The differences between fork servers.
#[cfg(target_os = "linux")]
#[derive(PartialEq, Eq, Hash)]
struct ServerKind {
    engine: &'static Engine,
    preloaded: bool,
    packages: Vec<String>,
}

#[cfg(target_os = "linux")]
impl ServerKind {
    fn of(start: EngineStart<'_>) -> ServerKind {
        let EngineStart { engine, packages, preloaded, .. } = start;
        ServerKind { engine, preloaded, packages: packages.to_vec() }
    }
}

/// A process that was started ahead of time.
struct Standby {
    engine: &'static Engine,
    program: PathBuf,
    with: StartLimits,
    process: Process,
}

/// The limits that the system sets on a process when it starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct StartLimits {
    pub(super) memory: u64,
    pub(super) output: u64,
}

impl StartLimits {
    pub(super) fn of(limits: &Limits) -> StartLimits {
        StartLimits { memory: limits.memory, output: limits.output }
    }

    /// Whether a process that was started with these limits can serve a run with `limits`.
    pub(super) fn fits(self, limits: &Limits) -> bool {
        self == StartLimits::of(limits)
    }
}

/// A process of an engine that is to be started.
#[derive(Clone, Copy)]
pub(super) struct EngineStart<'a> {
    pub(super) engine: &'static Engine,
    /// The interpreter.
    pub(super) program: &'a Path,
    pub(super) limits: &'a Limits,
    /// A working folder. The process then serves no other case.
    pub(super) folder: Option<&'a Arc<Folder>>,
    /// The packages that it may import besides the standard library.
    pub(super) packages: &'a [String],
    /// Whether it may be a copy of a process that has imported common modules.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only fork servers preload, which other systems have not")
    )]
    pub(super) preloaded: bool,
}

impl<'a> EngineStart<'a> {
    /// A process without a folder, packages and common modules.
    fn bare(engine: &'static Engine, program: &'a Path, limits: &'a Limits) -> EngineStart<'a> {
        EngineStart { engine, program, limits, folder: None, packages: &[], preloaded: false }
    }
}

impl Launcher {
    /// Starts nothing yet. `seed` is the seed of hashes and random numbers.
    pub fn new(tier: Tier, seed: u32) -> Launcher {
        Launcher {
            tier,
            seed,
            portable: cfg!(not(unix)),
            starter: None,
            more: false,
            standby: None,
            cancel: Cancel::default(),
            cache: None,
            texts: HashMap::new(),
            compiled: HashMap::new(),
            packages: HashMap::new(),
            #[cfg(target_os = "linux")]
            servers: HashMap::new(),
            #[cfg(target_os = "linux")]
            library: None,
        }
    }

    /// A launcher for the portable tier over pipes, as on a system that is not Unix: to test that tier on any
    /// system.
    pub fn portable(seed: u32) -> Launcher {
        Launcher { portable: true, ..Launcher::new(Tier::Portable, seed) }
    }

    /// A launcher for programs that `starter` starts, over pipes; nothing confines them.
    pub fn started_by(starter: Arc<dyn Starter>, seed: u32) -> Launcher {
        Launcher { starter: Some(starter), ..Launcher::portable(seed) }
    }

    /// Ends every process started from now on soon after `cancel` is set.
    pub fn cancelled_by(self, cancel: Cancel) -> Launcher {
        Launcher { cancel, ..self }
    }

    /// Keeps compiled drivers in `folder`, keur's cache; not in the portable tier, in which a submission can
    /// write there.
    pub fn caching_in(self, folder: Option<PathBuf>) -> Launcher {
        Launcher { cache: folder.filter(|_| self.tier != Tier::Portable), ..self }
    }

    /// A launcher like this one but for the seed, which has started nothing yet.
    pub(crate) fn with_seed(&self, seed: u32) -> Launcher {
        let launcher = Launcher {
            portable: self.portable,
            starter: self.starter.clone(),
            more: self.more,
            ..Launcher::new(self.tier, seed)
        };
        launcher.cancelled_by(self.cancel.clone()).caching_in(self.cache.clone())
    }

    /// The flag that ends all of these processes.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Sets whether another submission follows the next one.
    pub fn expect_more(&mut self, more: bool) {
        self.more = more;
    }

    /// The confinement tier of the processes.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The seed of hashes and random numbers.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Whether the processes of a language come from a fork server here.
    pub(super) fn forks(&self, engine: &Engine) -> bool {
        let can = match engine.lifetime.forks() {
            Forks::No => false,
            Forks::Confined => true,
            // A copy is forked into its confinement.
            Forks::Confining => self.tier != Tier::Portable,
        };
        cfg!(target_os = "linux") && can && !self.portable
    }

    /// A process of an engine with nothing loaded.
    ///
    /// # Errors
    /// The process cannot be started or confined, or a case with files is on an engine that has none.
    pub(super) fn start_engine(&mut self, start: EngineStart<'_>) -> Result<Process, Fault> {
        if start.folder.is_some() && start.engine.carried.is_some() {
            let title = start.engine.title;
            let message =
                format!("{title} has no files; a case with files needs Python, Node, Java, C++, C or Rust");
            return Err(Fault::new(message));
        }
        if start.folder.is_some() {
            self.start_alone(start)
        } else if self.forks(start.engine) {
            self.start_forked(start)
        } else {
            self.take_standby_or_start(start)
        }
    }

    /// The process on standby, if it fits, or a new one.
    fn take_standby_or_start(&mut self, start: EngineStart<'_>) -> Result<Process, Fault> {
        let EngineStart { engine, program, limits, .. } = start;
        let standby = self.standby.take().filter(|standby| {
            standby.engine == engine && standby.program == program && standby.with.fits(limits)
        });
        let process = match standby {
            Some(standby) => standby.process,
            None => self.start_alone(start)?,
        };
        if self.more && engine.lifetime.is_shared() {
            self.stand_by(engine, program, limits);
        }
        Ok(process)
    }

    /// A new process of its own.
    fn start_alone(&mut self, start: EngineStart<'_>) -> Result<Process, Fault> {
        let EngineStart { engine, program, limits, folder, packages, .. } = start;
        let transport = if self.portable { Transport::Pipes } else { Transport::Socket };
        let text = self.driver_file(engine)?;
        let driver = DriverArgs {
            program,
            mode: Mode::Process(transport),
            memory: limits.memory,
            seed: self.seed,
            text: text.as_deref(),
            has_folder: folder.is_some(),
            cache: None,
        };
        let launch = Launch { folder: folder.cloned(), ..(engine.launch)(&driver) };
        let launch = self.prepare_launch(engine, program, launch, packages)?;
        self.start(&launch, limits).map_err(|error| not_started(program, error))
    }

    /// Starts a process ahead of time. An error here shows up again when the process is needed.
    fn stand_by(&mut self, engine: &'static Engine, program: &Path, limits: &Limits) {
        let process = self.start_alone(EngineStart::bare(engine, program, limits)).ok();
        self.standby = process.map(|process| Standby {
            engine,
            program: program.to_owned(),
            with: StartLimits::of(limits),
            process,
        });
    }

    /// Starts a program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(&self, launch: &Launch, limits: &Limits) -> io::Result<Process> {
        let started = match &self.starter {
            Some(starter) => Process::of(starter.start(launch, limits)?, launch, limits),
            None if self.portable => Process::start_portable(launch, limits)?,
            None => Process::start(launch, limits)?,
        };
        Ok(started.cancelled_by(self.cancel.clone()))
    }

    /// The file that holds the driver's text, for a driver that needs one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn driver_file(&mut self, engine: &'static Engine) -> Result<Option<PathBuf>, Fault> {
        let Some(text) = engine.text else { return Ok(None) };
        if let Some(path) = self.compiled.get(engine).or_else(|| self.texts.get(engine)) {
            return Ok(Some(path.to_path_buf()));
        }
        let path = driver_written(engine, text.as_bytes(), engine.language.extensions[0])?;
        let shown = path.to_path_buf();
        self.texts.insert(engine, path);
        Ok(Some(shown))
    }

    /// Whether the driver of an engine is compiled whenever a process starts.
    pub(super) fn lacks_driver(&self, engine: &Engine) -> bool {
        engine.text.is_some() && !self.compiled.contains_key(engine)
    }

    /// Starts processes from now on with what a driver was compiled to.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn keep_driver(&mut self, engine: &'static Engine, driver: &[u8]) -> Result<(), Fault> {
        if self.lacks_driver(engine) {
            self.compiled.insert(engine, driver_written(engine, driver, COMPILED)?);
        }
        Ok(())
    }

    /// The packages of these names, as an interpreter has them; none if there are no names.
    ///
    /// # Errors
    /// The interpreter does not have them.
    fn packages(&mut self, program: &Path, names: &[String]) -> Result<Option<Arc<Packages>>, Fault> {
        if names.is_empty() {
            return Ok(None);
        }
        let key = (program.to_owned(), names.to_vec());
        if let Some(found) = self.packages.get(&key) {
            return Ok(Some(Arc::clone(found)));
        }
        let found = Packages::find(program, names).map(Arc::new).map_err(Fault::new)?;
        self.packages.insert(key, Arc::clone(&found));
        Ok(Some(found))
    }

    /// The installed modules that are not among these packages.
    pub(super) fn barred(&mut self, program: &Path, names: &[String]) -> Arc<[String]> {
        // Of programs that are not the system's, nobody can ask what is installed.
        if self.starter.is_some() {
            return Arc::default();
        }
        let found = self.packages(program, names).ok().flatten();
        found.map_or_else(Arc::default, |found| found.barred().into())
    }

    /// A launch with these packages, and confined as requested. Fails if what the interpreter needs to read
    /// cannot be determined.
    fn prepare_launch(
        &mut self,
        engine: &'static Engine,
        program: &Path,
        launch: Launch,
        packages: &[String],
    ) -> Result<Launch, Fault> {
        if self.starter.is_some() {
            let args = launch.args.into_iter().chain(packages.iter().map(Into::into)).collect();
            return Ok(Launch { args, ..launch });
        }
        let found = self.packages(program, packages)?;
        let launch = match &found {
            Some(found) => found.launch(launch),
            None => launch,
        };
        let Some(strictness) = self.tier.strictness() else { return Ok(launch) };
        #[cfg(target_os = "linux")]
        {
            let jail = (engine.jail)(program).map_err(|error| {
                Fault::new(format!("{} cannot be confined", program.display())).because(error)
            })?;
            let jail = match &found {
                Some(found) => found.readable(jail),
                None => jail,
            };
            let mut readable = jail.readable;
            let drivers = [&self.texts, &self.compiled].into_iter().filter_map(|files| files.get(engine));
            readable.extend(drivers.map(|path| path.to_path_buf()));
            Ok(Launch { jail: Some(crate::sandbox::Jail { strictness, readable, ..jail }), ..launch })
        }
        #[cfg(not(target_os = "linux"))]
        {
            use crate::named::Named;

            let _ = (engine, program, strictness);
            let tier = self.tier.name();
            Err(Fault::new(format!("the tier `{tier}` needs Linux; use the tier `portable`")))
        }
    }

    /// A process from the fork server of an engine; the server is started when first needed.
    #[cfg(target_os = "linux")]
    fn start_forked(&mut self, start: EngineStart<'_>) -> Result<Process, Fault> {
        let EngineStart { program, limits, .. } = start;
        let kind = ServerKind::of(start);
        if let Some(server) = self.servers.get_mut(&kind) {
            if let Ok(process) = Process::fork(server, limits) {
                return Ok(process.cancelled_by(self.cancel.clone()));
            }
            // A server that has ended is replaced, once.
            self.servers.remove(&kind);
        }
        let mut server = self.server(start)?;
        let process = match Process::fork(&mut server, limits) {
            Ok(process) => process,
            // Whatever is wrong with a kept driver, its text can be compiled.
            Err(_) if self.cache.take().is_some() => return self.start_forked(start),
            Err(error) => return Err(no_server(program, error)),
        };
        self.servers.insert(kind, server);
        Ok(process.cancelled_by(self.cancel.clone()))
    }

    /// Starts the fork server of an engine; returns before it is ready.
    #[cfg(target_os = "linux")]
    fn server(&mut self, start: EngineStart<'_>) -> Result<ForkServer, Fault> {
        let EngineStart { engine, program, packages, .. } = start;
        let mode = Mode::Server(self.tier);
        let memory = Limits::default().memory;
        let launch = (engine.launch)(&DriverArgs {
            program,
            mode,
            memory,
            seed: self.seed,
            text: None,
            has_folder: false,
            cache: self.cache.as_deref(),
        });
        let launch = match engine.lifetime.forks() {
            Forks::Confining => launch,
            Forks::No | Forks::Confined => self.prepare_launch(engine, program, launch, packages)?,
        };
        let own = if start.preloaded { engine.preload } else { &[] };
        let found = self.packages(program, packages)?.map(|found| found.preload());
        let found = found.unwrap_or_default();
        let preload: Vec<&str> = own.iter().copied().chain(found.iter().map(String::as_str)).collect();
        ForkServer::start(&launch, &preload).map_err(|error| no_server(program, error))
    }

    /// The launch of a compiled program with the requested confinement.
    ///
    /// # Errors
    /// The program cannot run here; says why.
    pub(super) fn confine_program(&self, launch: Launch) -> io::Result<Launch> {
        #[cfg(target_os = "linux")]
        if let Some(strictness) = self.tier.strictness() {
            let jail = crate::sandbox::Jail {
                kind: crate::sandbox::ProgramKind::Compiled,
                strictness,
                readable: crate::sandbox::linux::libraries_of_untrusted(&launch.program)?,
                hidden: Vec::new(),
            };
            return Ok(Launch { jail: Some(jail), ..launch });
        }
        Ok(launch)
    }

    /// Starts what most submissions on `engine` will need, without waiting; those that import a module that a
    /// fork server preloads need another server. An error here shows up again when the process is needed.
    pub fn prepare(&mut self, engine: &'static Engine, program: &Path) {
        let forks = self.forks(engine);
        if !forks && engine.lifetime.is_shared() && self.standby.is_none() {
            self.stand_by(engine, program, &Limits::default());
        }
        #[cfg(target_os = "linux")]
        if forks {
            let limits = Limits::default();
            let start = EngineStart::bare(engine, program, &limits);
            let kind = ServerKind::of(start);
            if !self.servers.contains_key(&kind)
                && let Ok(server) = self.server(start)
            {
                self.servers.insert(kind, server);
            }
        }
    }

    /// There is no fork server on this system, or in this program.
    #[cfg(not(target_os = "linux"))]
    fn start_forked(&mut self, _start: EngineStart<'_>) -> Result<Process, Fault> {
        Err(Fault::new("a fork server needs Linux and the program keur"))
    }
}

/// A program that fails to start.
pub(super) fn not_started(program: &Path, error: io::Error) -> Fault {
    Fault::new(format!("{} cannot be started", program.display()))
        .because(error)
        .help("check that it is installed and can be run")
}

#[cfg(target_os = "linux")]
fn no_server(program: &Path, error: io::Error) -> Fault {
    Fault::new(format!("{} cannot be started as the server of submissions", program.display())).because(error)
}
