//! Starts the processes of submissions that were built into libraries.

use super::{Launcher, not_started};
use crate::adapter::{Fault, Library};
#[cfg(target_os = "linux")]
use crate::languages;
use crate::sandbox::{Folder, Launch, Limits, Process, Transport};
#[cfg(target_os = "linux")]
use crate::sandbox::{ForkServer, Jail, ProgramKind, linux};
use std::ffi::OsString;
use std::sync::Arc;

/// Memory of a driver that has loaded nothing, in bytes: with sanitizers, their shadow of the driver's own memory.
const BASELINE: u64 = 96 << 20;

/// The same without sanitizers.
const PLAIN_BASELINE: u64 = 8 << 20;

impl Launcher {
    /// Whether the processes of libraries come from a fork server here.
    pub(in crate::adapter) fn forks_libraries(&self) -> bool {
        cfg!(target_os = "linux") && !self.portable
    }

    /// A process of a driver that has loaded nothing, and may load this library.
    ///
    /// # Errors
    /// The process cannot be started or confined.
    pub(in crate::adapter) fn start_library(
        &mut self,
        library: &Library,
        limits: &Limits,
        folder: Option<&Arc<Folder>>,
    ) -> Result<Process, Fault> {
        if folder.is_none() && self.forks_libraries() {
            return self.fork_library(library, limits);
        }
        let launch = Launch { folder: folder.cloned(), ..self.launch_of_library(library, "socket")? };
        self.start(&launch, limits).map_err(|error| not_started(&library.driver, error))
    }

    /// The launch of a driver in this mode, confined as requested.
    fn launch_of_library(&self, library: &Library, mode: &str) -> Result<Launch, Fault> {
        let calls = library.calls.clone().unwrap_or_default();
        let mut args: Vec<OsString> =
            vec![mode.into(), library.language.name.into(), self.seed.to_string().into(), calls.into()];
        args.extend(library.programs.iter().flat_map(|(name, path)| [name.into(), path.into()]));
        let looks = ("KEUR_LEAKS".to_owned(), "1".to_owned());
        let launch = Launch {
            args,
            env: Some(looks).filter(|_| library.leaks).into_iter().collect(),
            transport: Transport::Socket,
            baseline: if library.resident { BASELINE } else { PLAIN_BASELINE },
            resident: library.resident,
            ..Launch::new(&library.driver)
        };
        #[cfg(target_os = "linux")]
        if let Some(strictness) = self.tier.strictness() {
            let mut readable = linux::libraries(&library.driver).map_err(|error| {
                Fault::new(format!("{} cannot be confined", library.driver.display())).because(error)
            })?;
            readable.extend(library.calls.iter().chain(library.programs.values()).cloned());
            let beside = library.driver.with_file_name(languages::LIBRARIES);
            readable.extend(Some(beside).filter(|folder| folder.is_dir()));
            let jail = Jail { kind: ProgramKind::LibraryServer, strictness, readable, hidden: Vec::new() };
            return Ok(Launch { jail: Some(jail), ..launch });
        }
        Ok(launch)
    }

    /// A process from the fork server of a library, which is started when first needed.
    #[cfg(target_os = "linux")]
    fn fork_library(&mut self, library: &Library, limits: &Limits) -> Result<Process, Fault> {
        let mut last = None;
        for _ in 0..2 {
            let mut server = match self.library.take().filter(|(served, _)| served == library) {
                Some((_, server)) => server,
                None => {
                    let launch = self.launch_of_library(library, "server")?;
                    ForkServer::start(&launch, &[]).map_err(|error| not_started(&library.driver, error))?
                }
            };
            // A server that has ended is replaced, once.
            match Process::fork(&mut server, limits) {
                Ok(process) => {
                    self.library = Some((library.clone(), server));
                    return Ok(process.cancelled_by(self.cancel.clone()));
                }
                Err(error) => last = Some(error),
            }
        }
        let message = format!("{} cannot be started as the server of submissions", library.driver.display());
        let fault = Fault::new(message);
        Err(match last {
            Some(error) => fault.because(error),
            None => fault,
        })
    }

    /// There is no fork server on this system.
    #[cfg(not(target_os = "linux"))]
    fn fork_library(&mut self, _library: &Library, _limits: &Limits) -> Result<Process, Fault> {
        Err(Fault::new("a fork server needs Linux and the program keur"))
    }
}
