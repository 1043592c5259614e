//! The paths that a confined program may read, and the Linux confinement that enforces them.

use super::launch::{Launch, OPEN_FILES, file_size, kernel_cpu_seconds};
use super::linux::{Confinement, GroupLimits, Kept, Request, Rlimits, Unavailable, WorkFolder};
use super::parts::Startable;
use super::unix::SOCKET_FD;
use super::{Jail, Limits, ProgramKind};
use std::io;
use std::os::fd::OwnedFd;

/// The most tasks of a process with its own group: an engine has a dozen or two threads.
const TASKS: u64 = 64;

/// Address space of a compiled program beyond its writable memory, in bytes: its code and libraries.
const MAPPED: u64 = 256 << 20;

/// The command of a confined program.
pub(super) fn command(
    jail: &Jail,
    launch: &Launch,
    limits: &Limits,
    socket: Option<OwnedFd>,
) -> io::Result<Startable> {
    let data = (!launch.resident).then(|| limits.memory.saturating_add(launch.baseline));
    let compiled = jail.kind == ProgramKind::Compiled;
    let rlimits = Rlimits {
        address_space: data.filter(|_| compiled).map(|data| data.saturating_add(MAPPED)),
        data,
        file_size: file_size(launch, limits),
        open_files: OPEN_FILES,
        processes: compiled.then_some(TASKS),
        cpu_seconds: kernel_cpu_seconds(launch, limits),
    };
    let confinement = prepare(jail, launch, rlimits, limits.memory).map_err(io::Error::other)?;
    if let Some(folder) = &launch.folder
        && confinement.owner().is_some()
    {
        folder.hand_over()?;
    }
    let kept = socket.into_iter().map(|ours| Kept { ours, number: SOCKET_FD }).collect();
    Ok(Startable { command: confinement.command(kept)?, group: confinement.group() })
}

/// The command of a fork server: its own limits are the highest that its children may have.
pub(super) fn server_command(jail: &Jail, launch: &Launch, socket: OwnedFd) -> io::Result<Startable> {
    let rlimits = Rlimits {
        address_space: None,
        data: None,
        file_size: u64::from(u32::MAX),
        open_files: OPEN_FILES,
        processes: None,
        cpu_seconds: u64::from(u32::MAX),
    };
    let confinement = prepare(jail, launch, rlimits, u64::from(u32::MAX)).map_err(io::Error::other)?;
    let kept = vec![Kept { ours: socket, number: SOCKET_FD }];
    Ok(Startable { command: confinement.command(kept)?, group: confinement.group() })
}

fn prepare(jail: &Jail, launch: &Launch, rlimits: Rlimits, memory: u64) -> Result<Confinement, Unavailable> {
    let group = GroupLimits { memory: memory.saturating_add(launch.baseline), tasks: TASKS };
    Confinement::prepare(&Request {
        strictness: jail.strictness,
        readable: jail.readable.clone(),
        hidden: jail.hidden.clone(),
        folder: launch
            .folder
            .as_ref()
            .map(|folder| WorkFolder { path: folder.path().to_owned(), owner: folder.owner() }),
        ..Request::new(jail.kind, launch.program.clone(), rlimits, group)
    })
}
