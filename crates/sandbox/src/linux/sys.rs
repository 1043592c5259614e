//! The system calls of confinement that the crate `rustix` lacks, as thin safe functions: the only unsafe
//! calls to the kernel.
//!
//! A function whose last paragraph says "signal-safe" may run between fork and exec in a program with
//! threads: it neither allocates nor locks.

use libc::{c_int, c_long, sock_filter};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

const CREATE_RULESET_VERSION: u32 = 1;

/// Turns a return value of −1 into its error.
fn answer(value: c_long) -> io::Result<c_long> {
    if value == -1 { Err(io::Error::last_os_error()) } else { Ok(value) }
}

/// A system call with arguments that are numbers, or addresses of values that outlive the call.
#[expect(unsafe_code, reason = "the kernel is entered here")]
fn call(number: c_long, a: [usize; 5]) -> io::Result<c_long> {
    // SAFETY: every caller in this file passes numbers, null, or addresses of live values of the size and
    // layout that this system call documents; none of the calls makes the kernel keep an address.
    answer(unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4]) })
}

fn address<T: ?Sized>(value: &T) -> usize {
    ptr::from_ref(value).cast::<u8>() as usize
}

fn number(value: c_int) -> usize {
    // Sign-extended, as a C compiler passes an `int`.
    value as isize as usize
}

/// Takes ownership of a descriptor that this process has just made and that nobody else owns.
#[expect(unsafe_code, reason = "takes charge of a descriptor that has just been made")]
pub(super) fn owned(fd: RawFd) -> OwnedFd {
    // SAFETY: the callers pass a new descriptor: a forked child that never drops the originals has moved it
    // to a number of its choice.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// The version of Landlock's interface. The crate `landlock` keeps to itself why there is none.
pub(super) fn landlock_version() -> io::Result<u32> {
    let version = call(libc::SYS_landlock_create_ruleset, [0, 0, CREATE_RULESET_VERSION as usize, 0, 0])?;
    Ok(version as u32)
}

/// Signal-safe.
pub(super) fn landlock_restrict(ruleset: &OwnedFd) -> io::Result<()> {
    call(libc::SYS_landlock_restrict_self, [number(ruleset.as_raw_fd()), 0, 0, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn seccomp(code: &[sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: code.len() as u16, filter: code.as_ptr().cast_mut() };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    call(libc::SYS_seccomp, [mode, 0, address(&program), 0, 0]).map(drop)
}

/// Whether the kernel supports the action that kills a whole process, the newest that the filters use.
pub(super) fn seccomp_available() -> io::Result<()> {
    let action = libc::SECCOMP_RET_KILL_PROCESS;
    call(libc::SYS_seccomp, [libc::SECCOMP_GET_ACTION_AVAIL as usize, 0, address(&action), 0, 0]).map(drop)
}

/// A copy of a descriptor at exactly this number, kept on exec. The library would take charge of the number.
/// Signal-safe.
pub(super) fn copy_to(fd: RawFd, place: RawFd) -> io::Result<()> {
    call(libc::SYS_dup3, [number(fd), number(place), 0, 0, 0]).map(drop)
}

/// Closes a range of descriptors, ends included, at once or on exec. Signal-safe.
pub(super) fn close_range(first: RawFd, last: u32, on_exec: bool) -> io::Result<()> {
    let flags = if on_exec { libc::CLOSE_RANGE_CLOEXEC as usize } else { 0 };
    call(libc::SYS_close_range, [number(first), last as usize, flags, 0, 0]).map(drop)
}

/// Leaves namespaces. Signal-safe.
#[expect(unsafe_code, reason = "the library's safe form is deprecated")]
pub(super) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    // SAFETY: only sharing the table of descriptors must not end unseen, and no caller asks for that.
    Ok(unsafe { unshare_unsafe(namespaces) }?)
}

/// Makes a mount and all mounts below it read-only, without devices and set-user-id programs. Signal-safe.
pub(super) fn seal_mounts(at: &CStr) -> io::Result<()> {
    /// `struct mount_attr`: to set (`RDONLY`, `NOSUID`, `NODEV`), to clear, propagation, user namespace.
    const ATTRIBUTES: [u64; 4] = [0x1 | 0x2 | 0x4, 0, 0, 0];
    let flags = number(libc::AT_RECURSIVE);
    let size = size_of_val(&ATTRIBUTES);
    let arguments = [number(libc::AT_FDCWD), address(at), flags, address(&ATTRIBUTES), size];
    call(libc::SYS_mount_setattr, arguments).map(drop)
}

/// Makes one sealed mount writable, from which nothing can be executed. Signal-safe.
pub(super) fn open_mount(at: &CStr) -> io::Result<()> {
    /// `struct mount_attr`: to set (`NOEXEC`), to clear (`RDONLY`), propagation, user namespace.
    const ATTRIBUTES: [u64; 4] = [0x8, 0x1, 0, 0];
    let size = size_of_val(&ATTRIBUTES);
    let arguments = [number(libc::AT_FDCWD), address(at), 0, address(&ATTRIBUTES), size];
    call(libc::SYS_mount_setattr, arguments).map(drop)
}

/// Forks and runs `child` in the copy, which ends with the returned status. Returns the child's id.
///
/// If this process has other threads, `child` must be signal-safe.
#[expect(unsafe_code, reason = "fork and _exit are foreign functions")]
pub(super) fn fork(child: impl FnOnce() -> i32) -> io::Result<Pid> {
    // SAFETY: fork has no preconditions; in the copy only `child` runs, which is signal-safe by the contract
    // above or is alone in its process, and then `_exit`, which runs no destructors or exit handlers of the
    // original.
    unsafe {
        match Pid::from_raw(answer(libc::fork().into())? as i32) {
            None => {
                let status = child();
                libc::_exit(status)
            }
            Some(pid) => Ok(pid),
        }
    }
}

/// Waits for a child.
pub(super) fn wait(pid: Pid) -> io::Result<WaitStatus> {
    let ended = retry_on_intr(|| waitpid(Some(pid), WaitOptions::empty()))?;
    ended.map(|(_, status)| status).ok_or_else(|| io::ErrorKind::WouldBlock.into())
}

/// Adds a hook that runs in the child, between fork and exec.
///
/// The hook must be signal-safe.
#[expect(unsafe_code, reason = "a hook between fork and exec")]
pub(super) fn before_exec(
    command: &mut std::process::Command,
    hook: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    use std::os::unix::process::CommandExt;
    // SAFETY: the hook is signal-safe by the contract above.
    unsafe {
        command.pre_exec(hook);
    }
}
