//! Programs on any system, with the standard library only: pipes that threads read and write.
//!
//! Programs run this way on systems that are not Unix. The Windows-specific part is in the job of a child;
//! everything else runs, and is tested, on every system.

mod child;
pub(super) mod flow;
#[cfg(windows)]
mod job;
mod standard_error;

#[cfg(test)]
mod tests;

use super::Limits;
use super::launch::{Launch, Transport};
use super::parts::{Nothing, Parts};
use child::Own;
use flow::{Full, Inflow, Outflow, Pipes};
use standard_error::StandardError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, io};

/// The part of a child's peak memory that may be keur's own, in bytes: here a child does not begin as a copy.
#[cfg(not(unix))]
pub(super) fn own_peak() -> u64 {
    0
}

/// Signals by which a Unix kernel ends a program over a limit. On other systems nothing ends by a signal.
#[cfg(not(unix))]
mod signals {
    pub(crate) const SIGKILL: i32 = 9;
    pub(crate) const SIGXCPU: i32 = 24;
    pub(crate) const SIGXFSZ: i32 = 25;
}
#[cfg(not(unix))]
pub(super) use signals::{SIGKILL, SIGXCPU, SIGXFSZ};

/// The variable that names the system folder, if there is one: nothing starts on Windows without it.
const SYSTEM: &str = "SystemRoot";

/// No window, and no Ctrl-C meant for keur.
#[cfg(windows)]
const CREATION: u32 = windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

/// Starts a program with pipes as its channel.
pub(super) fn start(launch: &Launch, limits: &Limits) -> io::Result<Parts> {
    if launch.transport != Transport::Pipes {
        return Err(io::Error::other("only pipes are available on this system"));
    }
    let system = env::var_os(SYSTEM);
    let (errors, end) = StandardError::start()?;
    let mut command = Command::new(&launch.program);
    command
        .args(&launch.args)
        .env_clear()
        .envs(system.iter().map(|folder| (SYSTEM, folder)))
        .envs(launch.env.iter().map(|(key, value)| (key, value)))
        .current_dir(
            launch.folder.as_ref().map_or_else(|| root(system.as_ref()), |folder| folder.path().into()),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(end);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, CREATION);
    let mut child = command.spawn()?;
    // The command holds our copy of the end that the child writes to.
    drop(command);
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    // From here on an error ends it.
    let mut own = Own::new(child, launch, limits)?;
    let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
        return Err(io::Error::other("the program has no pipes"));
    };
    let errors = Arc::new(errors);
    own.waits_for(Arc::clone(&errors));
    Ok(Parts {
        channel: Box::new(Pipes::new(
            Inflow::start(stdout, flow::MOST, Full::Waits)?,
            Outflow::start(stdin)?,
        )),
        child: Box::new(own),
        output: Box::new(Nothing),
        errors: Box::new(errors),
    })
}

/// The root folder; with drives, of the system drive.
pub(super) fn root(system: Option<&OsString>) -> PathBuf {
    let drive = system.and_then(|folder| Path::new(folder).ancestors().last().map(Path::to_owned));
    drive.unwrap_or_else(|| PathBuf::from("/"))
}
