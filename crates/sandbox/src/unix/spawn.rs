//! Starts a program as a child of keur, confined if requested, and finds out how it ended.

use super::inherited::SOCKET_FD;
use crate::launch::{Launch, OPEN_FILES, file_size, kernel_cpu_seconds};
use crate::parts::{ExitInfo, Startable};
use crate::{Exit, Limits};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Resource, Rlimit, setrlimit, setsid};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The system's unit for peak memory, in bytes.
const PEAK_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

/// The command that starts a program with an empty environment under `limits`, with its end of the socket.
pub(crate) fn command(launch: &Launch, limits: &Limits, socket: Option<OwnedFd>) -> io::Result<Startable> {
    #[cfg(target_os = "linux")]
    if let Some(jail) = &launch.jail {
        return crate::jail::command(jail, launch, limits, socket);
    }
    let mut command = Command::new(&launch.program);
    command.env_clear().current_dir(launch.folder.as_ref().map_or(Path::new("/"), |folder| folder.path()));
    prepare(&mut command, socket, limits, launch);
    Ok(Startable { command, group: None })
}

/// The error of a failed start.
pub(crate) fn error(error: io::Error) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        let fault = crate::linux::StartFault::of(error);
        io::Error::new(fault.source.kind(), fault)
    }
    #[cfg(not(target_os = "linux"))]
    error
}

/// Sets up the child's own steps between fork and exec.
#[expect(unsafe_code, reason = "limits on a child are set by the child, between fork and exec")]
fn prepare(command: &mut Command, socket: Option<OwnedFd>, limits: &Limits, launch: &Launch) {
    // Only Linux is known to accept a memory limit below what keur itself has mapped, which the child still
    // is.
    let memory_must = cfg!(target_os = "linux");
    let rlimits = [
        (Resource::Core, 0, true),
        (Resource::Fsize, file_size(launch, limits), true),
        (Resource::Nofile, OPEN_FILES, true),
        (Resource::Data, most_data(launch, limits), memory_must),
        (Resource::Cpu, kernel_cpu_seconds(launch, limits), true),
    ];
    // SAFETY: the closure makes system calls on plain numbers only; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || {
            let _ = setsid();
            if let Some(socket) = &socket {
                if socket.as_raw_fd() == SOCKET_FD {
                    fcntl_setfd(socket, FdFlags::empty())?;
                } else if libc::dup2(socket.as_raw_fd(), SOCKET_FD) < 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            for (resource, limit, must) in rlimits {
                match setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) }) {
                    Err(error) if must => return Err(error.into()),
                    Ok(()) | Err(_) => {}
                }
            }
            Ok(())
        });
    }
}

/// Writable memory of a program, in bytes.
fn most_data(launch: &Launch, limits: &Limits) -> u64 {
    if launch.resident { libc::RLIM_INFINITY } else { limits.memory.saturating_add(launch.baseline) }
}

/// The end of a child, as `wait4` tells it with these flags; `None` if it still runs.
#[expect(unsafe_code, reason = "no safe interface gives a child's status together with its peak memory")]
pub(crate) fn wait_usage(pid: i32, flags: i32) -> Option<(io::Result<i32>, libc::rusage)> {
    let mut status = 0;
    // SAFETY: all zeros is a valid rusage, and both pointers are to live values of this frame.
    let (got, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let got = libc::wait4(pid, &mut status, flags, &mut usage);
        (got, usage)
    };
    let status = if got < 0 { Err(io::Error::last_os_error()) } else { Ok(status) };
    (got != 0).then_some((status, usage))
}

/// The peak memory of keur itself, in bytes.
#[expect(unsafe_code, reason = "no safe interface tells what a process has used")]
pub(crate) fn own_peak() -> u64 {
    // SAFETY: all zeros is a valid rusage, and the pointer is to a live value of this frame.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * PEAK_UNIT
}

/// The end of a child, if it has ended.
pub(super) fn try_wait(pid: Pid) -> Option<ExitInfo> {
    ended(pid, libc::WNOHANG)
}

/// Waits until a child has ended, and says how.
pub(super) fn wait(pid: Pid) -> ExitInfo {
    ended(pid, 0).unwrap_or(ExitInfo::by(Exit::Unknown))
}

fn ended(pid: Pid, flags: i32) -> Option<ExitInfo> {
    let (status, usage) = wait_usage(pid.as_raw_nonzero().get(), flags)?;
    let time = |time: libc::timeval| {
        Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    let exit = status.map_or(Exit::Unknown, exit_of);
    let peak = u64::try_from(usage.ru_maxrss).ok().map(|peak| peak * PEAK_UNIT);
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    Some(ExitInfo { exit, peak, cpu, is_out_of_memory: false })
}

/// The end that a `wait` status describes.
pub(crate) fn exit_of(status: i32) -> Exit {
    if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    }
}
