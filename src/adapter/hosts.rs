//! What starts the processes of submissions: confined as was asked, and by a fork server where there is one.

use super::Fault;
use crate::driver::{Driver, Forks};
#[cfg(target_os = "linux")]
use crate::driver::{Mode, Start};
#[cfg(target_os = "linux")]
use crate::sandbox::ForkServer;
use crate::sandbox::{Launch, Limits, Process, Tier, Transport};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// The processes of one worker: a fork server an engine, each used for one case at a time.
pub struct Hosts {
    tier: Tier,
    seed: u32,
    /// Whether processes are started with what every system has, and nothing else.
    plain: bool,
    /// Driver texts that must lie in a file, by engine; they are removed together with this.
    texts: HashMap<&'static str, TempPath>,
    #[cfg(target_os = "linux")]
    servers: HashMap<&'static str, ForkServer>,
}

impl Hosts {
    /// Starts nothing yet. `seed` is that of hashes and random numbers.
    pub fn new(tier: Tier, seed: u32) -> Hosts {
        Hosts {
            tier,
            seed,
            plain: cfg!(not(unix)),
            texts: HashMap::new(),
            #[cfg(target_os = "linux")]
            servers: HashMap::new(),
        }
    }

    /// Starts nothing yet, and everything as on a system that is no Unix: in the portable tier, over pipes. It is for
    /// trying on one system what another one does.
    pub fn plain(seed: u32) -> Hosts {
        Hosts { plain: true, ..Hosts::new(Tier::Portable, seed) }
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
        cfg!(target_os = "linux") && can && !self.plain
    }

    /// How the processes of a driver are spoken to.
    pub(super) fn transport(&self) -> Transport {
        if self.plain { Transport::Pipes } else { Transport::Socket }
    }

    /// Starts a program.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(&self, launch: &Launch, limits: &Limits) -> io::Result<Process> {
        if self.plain { Process::start_portable(launch, limits) } else { Process::start(launch, limits) }
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
    #[cfg(target_os = "linux")]
    pub(super) fn fork(
        &mut self,
        driver: &'static Driver,
        program: &Path,
        preload: &[String],
        limits: &Limits,
    ) -> Result<Process, Fault> {
        let fault = |error: io::Error| Fault {
            message: format!("{} cannot be started as the server of submissions: {error}", program.display()),
        };
        if let Some(server) = self.servers.get(driver.engine) {
            if let Ok(process) = Process::fork(server, preload, limits) {
                return Ok(process);
            }
            // A server that went away is replaced, once.
            self.servers.remove(driver.engine);
        }
        let mode = Mode::Server(self.tier);
        let start = Start { program, mode, memory: limits.memory, seed: self.seed, text: None };
        let launch = (driver.launch)(&start);
        let launch = match driver.forks {
            Forks::Confining => launch,
            Forks::No | Forks::Confined => self.confined(driver, program, launch)?,
        };
        let server = ForkServer::start(&launch, u64::from(self.seed)).map_err(fault)?;
        let process = Process::fork(&server, preload, limits).map_err(fault)?;
        self.servers.insert(driver.engine, server);
        Ok(process)
    }

    /// There is no fork server on this system.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn fork(
        &mut self,
        _driver: &'static Driver,
        _program: &Path,
        _preload: &[String],
        _limits: &Limits,
    ) -> Result<Process, Fault> {
        Err(Fault { message: "a fork server needs Linux".to_owned() })
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
