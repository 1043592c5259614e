//! What starts the processes of submissions: confined as was asked, and by a fork server where there is one.

use super::Fault;
use crate::driver::{Driver, Forks, Mode, Start};
#[cfg(fork_servers)]
use crate::sandbox::ForkServer;
use crate::sandbox::{Cancel, Launch, Limits, Process, Tier, Transport};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// The processes of one worker: a fork server an engine, each used for one case at a time; for an engine that answers
/// for a whole submission, a process that waits for the next one.
pub struct Hosts {
    tier: Tier,
    seed: u32,
    /// Whether processes are started with what every system has, and nothing else.
    plain: bool,
    /// Whether another submission is to come, which a process may wait for.
    more: bool,
    standby: Option<Standby>,
    cancel: Cancel,
    /// Driver texts that must lie in a file, by engine; they are removed together with this.
    texts: HashMap<&'static str, TempPath>,
    /// Fork servers, by engine and by whether they have loaded what submissions often import.
    #[cfg(fork_servers)]
    servers: HashMap<(&'static str, bool), ForkServer>,
}

/// A process that was started ahead.
struct Standby {
    engine: &'static str,
    program: PathBuf,
    /// The memory and output that it was started with.
    limits: (u64, u64),
    process: Process,
}

impl Hosts {
    /// Starts nothing yet. `seed` is that of hashes and random numbers.
    pub fn new(tier: Tier, seed: u32) -> Hosts {
        Hosts {
            tier,
            seed,
            plain: cfg!(not(unix)),
            more: false,
            standby: None,
            cancel: Cancel::default(),
            texts: HashMap::new(),
            #[cfg(fork_servers)]
            servers: HashMap::new(),
        }
    }

    /// Starts nothing yet, and everything as on a system that is no Unix: in the portable tier, over pipes. It is for
    /// trying on one system what another one does.
    pub fn plain(seed: u32) -> Hosts {
        Hosts { plain: true, ..Hosts::new(Tier::Portable, seed) }
    }

    /// Ends every process that is started from here on soon after `cancel` is set.
    pub fn cancelled_by(self, cancel: Cancel) -> Hosts {
        Hosts { cancel, ..self }
    }

    /// What ends every process of this.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Says whether another submission is to come after the one that is graded next.
    pub fn expect_more(&mut self, more: bool) {
        self.more = more;
    }

    /// How firmly the processes are confined.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The seed of hashes and random numbers.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Whether the processes of a language come from a fork server here.
    pub(super) fn forks(&self, driver: &Driver) -> bool {
        let can = match driver.forks {
            Forks::No => false,
            Forks::Confined => true,
            // A copy is forked into its confinement.
            Forks::Confining => self.tier != Tier::Portable,
        };
        cfg!(fork_servers) && can && !self.plain
    }

    /// A process of an engine, with nothing loaded: the one that stands by, where it is of this kind.
    ///
    /// # Errors
    /// It cannot be started or confined.
    pub(super) fn engine(
        &mut self,
        driver: &'static Driver,
        program: &Path,
        limits: &Limits,
    ) -> Result<Process, Fault> {
        let standby = self.standby.take().filter(|standby| {
            standby.engine == driver.engine
                && standby.program == program
                && standby.limits == (limits.memory, limits.output)
        });
        let process = match standby {
            Some(standby) => standby.process,
            None => self.start_engine(driver, program, limits)?,
        };
        if self.more && driver.shared {
            self.stand_by(driver, program, limits);
        }
        Ok(process)
    }

    fn start_engine(
        &mut self,
        driver: &'static Driver,
        program: &Path,
        limits: &Limits,
    ) -> Result<Process, Fault> {
        let transport = if self.plain { Transport::Pipes } else { Transport::Socket };
        let text = self.text(driver)?;
        let start = Start {
            program,
            mode: Mode::Process(transport),
            memory: limits.memory,
            seed: self.seed,
            text: text.as_deref(),
        };
        let launch = self.confined(driver, program, (driver.launch)(&start))?;
        self.start(&launch, limits).map_err(|error| not_started(program, &error))
    }

    /// Starts a process ahead. What fails will fail again when it is needed.
    fn stand_by(&mut self, driver: &'static Driver, program: &Path, limits: &Limits) {
        let process = self.start_engine(driver, program, limits).ok();
        self.standby = process.map(|process| Standby {
            engine: driver.engine,
            program: program.to_owned(),
            limits: (limits.memory, limits.output),
            process,
        });
    }

    /// Starts a program.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(&self, launch: &Launch, limits: &Limits) -> io::Result<Process> {
        let started =
            if self.plain { Process::start_portable(launch, limits) } else { Process::start(launch, limits) };
        Ok(started?.cancelled_by(self.cancel.clone()))
    }

    /// The file in which the text of a driver lies that needs one.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn text(&mut self, driver: &Driver) -> Result<Option<PathBuf>, Fault> {
        let Some(text) = driver.text else { return Ok(None) };
        if let Some(path) = self.texts.get(driver.engine) {
            return Ok(Some(path.to_path_buf()));
        }
        let path = readable_file(text, driver.endings[0]).map_err(|error| Fault {
            message: format!(
                "the driver of {} cannot be written: {error}; check the temporary folder",
                driver.title
            ),
        })?;
        let shown = path.to_path_buf();
        self.texts.insert(driver.engine, path);
        Ok(Some(shown))
    }

    /// A launch with the confinement that was asked for.
    ///
    /// # Errors
    /// What the interpreter needs to read cannot be told.
    pub(super) fn confined(&self, driver: &Driver, program: &Path, launch: Launch) -> Result<Launch, Fault> {
        match self.tier {
            Tier::Portable => Ok(launch),
            #[cfg(target_os = "linux")]
            Tier::Standard | Tier::Strict => {
                let jail = (driver.jail)(program).map_err(|error| Fault {
                    message: format!("{} cannot be confined: {error}", program.display()),
                })?;
                let strict = self.tier == Tier::Strict;
                let mut readable = jail.readable;
                readable.extend(self.texts.get(driver.engine).map(|path| path.to_path_buf()));
                Ok(Launch { jail: Some(crate::sandbox::Jail { strict, readable, ..jail }), ..launch })
            }
            #[cfg(not(target_os = "linux"))]
            Tier::Standard | Tier::Strict => {
                let _ = (driver, program);
                let message = format!("the tier `{}` needs Linux; use --confine portable", self.tier.name());
                Err(Fault { message })
            }
        }
    }

    /// A process from the fork server of a language, which is started when it is first needed.
    ///
    /// # Errors
    /// The server cannot be started or confined, or has gone away.
    #[cfg(fork_servers)]
    pub(super) fn fork(
        &mut self,
        driver: &'static Driver,
        program: &Path,
        preloaded: bool,
        limits: &Limits,
    ) -> Result<Process, Fault> {
        let key = (driver.engine, preloaded);
        if let Some(server) = self.servers.get_mut(&key) {
            if let Ok(process) = Process::fork(server, limits) {
                return Ok(process.cancelled_by(self.cancel.clone()));
            }
            // A server that went away is replaced, once.
            self.servers.remove(&key);
        }
        let mut server = self.server(driver, program, preloaded)?;
        let process = Process::fork(&mut server, limits).map_err(|error| no_server(program, &error))?;
        self.servers.insert(key, server);
        Ok(process.cancelled_by(self.cancel.clone()))
    }

    /// Starts the fork server of an engine, ready when it is.
    #[cfg(fork_servers)]
    fn server(&self, driver: &'static Driver, program: &Path, preloaded: bool) -> Result<ForkServer, Fault> {
        let mode = Mode::Server(self.tier);
        let memory = Limits::default().memory;
        let launch = (driver.launch)(&Start { program, mode, memory, seed: self.seed, text: None });
        let launch = match driver.forks {
            Forks::Confining => launch,
            Forks::No | Forks::Confined => self.confined(driver, program, launch)?,
        };
        let preload = if preloaded { driver.preload } else { &[] };
        ForkServer::start(&launch, preload).map_err(|error| no_server(program, &error))
    }

    /// The launch of a compiled program with the confinement that was asked for.
    ///
    /// # Errors
    /// It is not a program that can run here: why.
    pub(super) fn confined_program(&self, launch: Launch) -> io::Result<Launch> {
        #[cfg(target_os = "linux")]
        if self.tier != Tier::Portable {
            let paths = crate::sandbox::linux::compiled(&launch.program)?;
            let jail = crate::sandbox::Jail {
                kind: crate::sandbox::Kind::Compiled,
                strict: self.tier == Tier::Strict,
                readable: paths.readable,
                hidden: paths.hidden,
            };
            return Ok(Launch { jail: Some(jail), ..launch });
        }
        Ok(launch)
    }

    /// Starts what will be needed for submissions that run on `driver`, without waiting for it. What fails will fail
    /// again when it is needed.
    pub fn prepare(&mut self, driver: &'static Driver, program: &Path) {
        let forks = self.forks(driver);
        if !forks && driver.shared && self.standby.is_none() {
            self.stand_by(driver, program, &Limits::default());
        }
        #[cfg(fork_servers)]
        if forks
            && !self.servers.contains_key(&(driver.engine, false))
            && let Ok(server) = self.server(driver, program, false)
        {
            self.servers.insert((driver.engine, false), server);
        }
    }

    /// There is no fork server on this system, or in this program.
    #[cfg(not(fork_servers))]
    pub(super) fn fork(
        &mut self,
        _driver: &'static Driver,
        _program: &Path,
        _preloaded: bool,
        _limits: &Limits,
    ) -> Result<Process, Fault> {
        Err(Fault { message: "a fork server needs Linux and the program keur".to_owned() })
    }
}

/// A program that does not start.
pub(super) fn not_started(program: &Path, error: &io::Error) -> Fault {
    Fault {
        message: format!(
            "{} cannot be started: {error}; check that it is installed and can be run",
            program.display()
        ),
    }
}

#[cfg(fork_servers)]
fn no_server(program: &Path, error: &io::Error) -> Fault {
    Fault {
        message: format!("{} cannot be started as the server of submissions: {error}", program.display()),
    }
}

/// A temporary file that every user can read: confined processes run as another one.
fn readable_file(text: &str, ending: &str) -> io::Result<TempPath> {
    let suffix = format!(".{ending}");
    let mut builder = tempfile::Builder::new();
    builder.prefix("keur-").suffix(&suffix);
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file.into_temp_path())
}
