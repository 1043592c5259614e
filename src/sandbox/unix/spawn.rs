//! Starting a program as a child of keur, confined where that is asked for, and learning how it ended.

use crate::sandbox::parts::Death;
use crate::sandbox::process::Launch;
use crate::sandbox::{Exit, Limits};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// The program's end of the socket, where it speaks by one.
const SOCKET_FD: RawFd = 3;

/// Open files a program may have.
pub(in crate::sandbox) const OPEN_FILES: u64 = 256;

/// What the system counts the peak of memory in, in bytes.
const PEAK_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

/// The command that starts a program with an empty environment under `limits`, with its end of the socket.
pub(in crate::sandbox) fn command(
    launch: &Launch,
    limits: &Limits,
    socket: Option<OwnedFd>,
) -> io::Result<Command> {
    #[cfg(target_os = "linux")]
    if let Some(jail) = &launch.jail {
        return crate::sandbox::jail::command(jail, launch, limits, socket);
    }
    let mut command = Command::new(&launch.program);
    command.env_clear().current_dir("/");
    prepare(&mut command, socket, limits, launch);
    Ok(command)
}

/// What a start failed with.
pub(in crate::sandbox) fn error(error: io::Error) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        let fault = crate::sandbox::linux::Fault::of(error);
        io::Error::new(fault.source.kind(), fault)
    }
    #[cfg(not(target_os = "linux"))]
    error
}

/// Processor seconds after which the kernel ends a program, should keur not have done so.
pub(in crate::sandbox) fn cpu_backstop(launch: &Launch, limits: &Limits) -> u64 {
    // The processor time of a process that answers for several cases has no bound of its own.
    if launch.shared { u64::from(u32::MAX) } else { limits.cpu.as_secs() + 3 }
}

/// Sets up what the child does to itself between fork and exec.
#[expect(unsafe_code, reason = "limits on a child are set by the child, between fork and exec")]
fn prepare(command: &mut Command, socket: Option<OwnedFd>, limits: &Limits, launch: &Launch) {
    // Only Linux is known to take a limit of memory below what keur itself, which the child still is, has mapped.
    let memory_must = cfg!(target_os = "linux");
    let rlimits = [
        (libc::RLIMIT_CORE, 0, true),
        (libc::RLIMIT_FSIZE, limits.output, true),
        (libc::RLIMIT_NOFILE, OPEN_FILES, true),
        (libc::RLIMIT_DATA, limits.memory.saturating_add(launch.baseline), memory_must),
        (libc::RLIMIT_CPU, cpu_backstop(launch, limits), true),
    ];
    // SAFETY: the closure makes system calls on plain numbers only; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || {
            libc::setsid();
            if let Some(socket) = socket.as_ref().map(AsRawFd::as_raw_fd) {
                if socket == SOCKET_FD {
                    libc::fcntl(socket, libc::F_SETFD, 0);
                } else if libc::dup2(socket, SOCKET_FD) < 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            for (resource, limit, must) in rlimits {
                let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
                if libc::setrlimit(resource, &limit) != 0 && must {
                    return Err(io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
}

/// Takes charge of the socket that a program is started with.
#[expect(unsafe_code, reason = "takes charge of a descriptor that the program was started with")]
pub fn inherited_socket() -> OwnedFd {
    // SAFETY: a program that speaks by a socket is started with it at this number, and asks for it once.
    unsafe { OwnedFd::from_raw_fd(SOCKET_FD) }
}

/// How a child ended, as the system tells: at once if it has, waiting for it when it `must`.
#[expect(unsafe_code, reason = "no safe interface gives a child's status together with its peak memory")]
pub(in crate::sandbox) fn wait_usage(pid: i32, must: bool) -> Option<(io::Result<i32>, libc::rusage)> {
    let flags = if must { 0 } else { libc::WNOHANG };
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

/// The most memory that keur itself has had in use, in bytes.
#[expect(unsafe_code, reason = "no safe interface tells what a process has used")]
pub(in crate::sandbox) fn own_peak() -> u64 {
    // SAFETY: all zeros is a valid rusage, and the pointer is to a live value of this frame.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * PEAK_UNIT
}

/// How a child ended: at once if it has, waiting for it when it `must`.
pub(super) fn wait(pid: rustix::process::Pid, must: bool) -> Option<Death> {
    let (status, usage) = wait_usage(pid.as_raw_nonzero().get(), must)?;
    let time = |time: libc::timeval| {
        Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    let exit = status.map_or(Exit::Signal(0), exit_of);
    let peak = u64::try_from(usage.ru_maxrss).unwrap_or(0) * PEAK_UNIT;
    Some(Death { exit, peak, cpu: time(usage.ru_utime) + time(usage.ru_stime) })
}

/// The end that a status of `wait` tells of.
pub(in crate::sandbox) fn exit_of(status: i32) -> Exit {
    if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    }
}
