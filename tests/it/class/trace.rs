//! Traces a command: counts its system calls that change a file or a folder of the user, or kills it just
//! before one of them.

#![allow(unsafe_code, reason = "tracing a process is a matter of system calls")]

use std::collections::BTreeSet;
use std::ffi::{c_long, c_void};
use std::fs;
use std::io::{self, Read, Seek};
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Calls that change the file of their first argument, a descriptor.
const BY_DESCRIPTOR: &[c_long] = &[
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_pwritev,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fchmod,
    libc::SYS_sendfile,
];

/// Calls whose first argument is a folder, and whose second one is a name in it.
const BY_NAME_IN_FOLDER: &[c_long] = &[
    libc::SYS_openat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_renameat,
];

/// Calls whose first argument is a path.
const BY_PATH: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    libc::SYS_truncate,
];

/// The end of a traced command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TraceEnd {
    /// The tracer killed the command at the requested write.
    Killed,
    /// The command ended by itself.
    Exited { code: i32, writes: usize, stderr: String },
}

/// Runs a command in `home` to its end, and counts its writes.
///
/// # Errors
/// The command cannot be started and traced.
pub(super) fn run_traced(command: &mut Command, home: &Path) -> io::Result<TraceEnd> {
    trace(command, home, None)
}

/// Runs a command in `home`, and kills it before the write `write`.
///
/// # Errors
/// The command cannot be started and traced.
pub(super) fn kill_at_write(command: &mut Command, home: &Path, write: NonZeroUsize) -> io::Result<TraceEnd> {
    trace(command, home, Some(write))
}

fn trace(command: &mut Command, home: &Path, kill_at: Option<NonZeroUsize>) -> io::Result<TraceEnd> {
    let kill_at = kill_at.map(NonZeroUsize::get);
    let home = &fs::canonicalize(home)?;
    let mut stderr_file = tempfile::tempfile()?;
    // SAFETY: between fork and exec this makes one system call.
    unsafe { command.pre_exec(trace_me) };
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr_file.try_clone()?).spawn()?;
    let process = child.id().cast_signed();
    let mut known = BTreeSet::new();
    let mut writes = 0;
    loop {
        let mut status = 0;
        // SAFETY: the status is written to a place of its type.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        assert!(thread > 0, "{}", io::Error::last_os_error());
        if !libc::WIFSTOPPED(status) {
            if thread != process {
                continue;
            }
            if libc::WIFSIGNALED(status) {
                assert_eq!(libc::WTERMSIG(status), libc::SIGKILL, "ended by something else");
                assert_eq!(Some(writes), kill_at, "ended by something else");
                return Ok(TraceEnd::Killed);
            }
            let mut stderr = String::new();
            stderr_file.rewind()?;
            stderr_file.read_to_string(&mut stderr)?;
            return Ok(TraceEnd::Exited { code: libc::WEXITSTATUS(status), writes, stderr });
        }
        let signal = libc::WSTOPSIG(status);
        let is_new = known.insert(thread);
        if is_new && process_of(thread).is_some_and(|owner| owner != process) {
            ptrace(libc::PTRACE_DETACH, thread, 0, 0);
            continue;
        }
        let mut pass_on = 0;
        if is_new {
            let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
            ptrace(libc::PTRACE_SETOPTIONS, thread, 0, usize::try_from(options).unwrap());
        } else if signal == libc::SIGTRAP | 0x80 {
            if is_write(thread, home) {
                writes += 1;
                if kill_at == Some(writes) {
                    // SAFETY: the call touches no memory.
                    unsafe { libc::kill(process, libc::SIGKILL) };
                    continue;
                }
            }
        } else if signal != libc::SIGTRAP {
            pass_on = signal;
        }
        ptrace(libc::PTRACE_SYSCALL, thread, 0, usize::try_from(pass_on).unwrap());
    }
}

/// Makes a request about a traced thread.
fn ptrace(request: libc::c_uint, thread: libc::pid_t, address: usize, data: usize) -> c_long {
    // SAFETY: the only request here that writes to memory of this process gets a place of the right size.
    unsafe { libc::ptrace(request, thread, address as *mut c_void, data as *mut c_void) }
}

/// The number and the arguments of the system call that a thread is about to make.
fn call_of(thread: libc::pid_t) -> Option<(c_long, [u64; 6])> {
    // SAFETY: the struct is made of numbers, for which zero is a value.
    let mut info: libc::ptrace_syscall_info = unsafe { std::mem::zeroed() };
    let place = &raw mut info;
    if ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, size_of_val(&info), place as usize) <= 0
        || info.op != libc::PTRACE_SYSCALL_INFO_ENTRY
    {
        return None;
    }
    // SAFETY: `op` is ENTRY, so the kernel filled `u.entry`.
    let entry = unsafe { info.u.entry };
    Some((c_long::try_from(entry.nr).ok()?, entry.args))
}

/// A path in the memory of a process.
fn path_at(process: libc::pid_t, address: u64) -> PathBuf {
    use std::os::unix::fs::FileExt;
    let memory = fs::File::open(format!("/proc/{process}/mem")).unwrap();
    let mut bytes = vec![0; 4096];
    let room = 4096 - usize::try_from(address % 4096).unwrap();
    let mut read = memory.read_at(&mut bytes[..room], address).unwrap();
    if !bytes[..read].contains(&0) {
        read += memory.read_at(&mut bytes[read..], address + read as u64).unwrap_or(0);
    }
    bytes.truncate(read);
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap());
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// Whether a thread is about to change something in `home`.
fn is_write(thread: libc::pid_t, home: &Path) -> bool {
    let Some((number, arguments)) = call_of(thread) else { return false };
    let descriptor = |value: u64| match value as i32 {
        libc::AT_FDCWD => format!("/proc/{thread}/cwd"),
        descriptor => format!("/proc/{thread}/fd/{descriptor}"),
    };
    let place = |value: u64| fs::read_link(descriptor(value)).unwrap_or_default();
    let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    let path = if number == libc::SYS_copy_file_range {
        place(arguments[2])
    } else if BY_DESCRIPTOR.contains(&number) {
        place(arguments[0])
    } else if BY_NAME_IN_FOLDER.contains(&number) {
        if number == libc::SYS_openat && !creates(arguments[2]) {
            return false;
        }
        place(arguments[0]).join(path_at(thread, arguments[1]))
    } else if BY_PATH.contains(&number) {
        #[cfg(target_arch = "x86_64")]
        if number == libc::SYS_open && !creates(arguments[1]) {
            return false;
        }
        place(libc::AT_FDCWD as u64).join(path_at(thread, arguments[0]))
    } else {
        return false;
    };
    path.starts_with(home)
}

/// The id of the process that a thread belongs to.
fn process_of(thread: libc::pid_t) -> Option<libc::pid_t> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}

/// Lets the parent trace this process.
fn trace_me() -> io::Result<()> {
    // SAFETY: the call touches no memory.
    match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
