//! The system calls of confinement as thin safe functions: the only unsafe calls to the kernel.
//!
//! A function whose last paragraph says "signal-safe" may run between fork and exec in a program with
//! threads: it neither allocates nor locks.

use libc::{c_int, c_long, c_ulong, sock_filter};
use std::ffi::CStr;
use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::ptr;

const CREATE_RULESET_VERSION: u32 = 1;

/// `struct rlimit64`.
#[repr(C)]
struct Limit {
    soft: u64,
    hard: u64,
}

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
    // SAFETY: the callers pass a new descriptor: the result of a successful system call, or what a forked
    // child that never drops the originals has moved to a number of its choice.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// The version of Landlock's interface. The crate `landlock` keeps to itself why there is none.
pub(super) fn landlock_version() -> io::Result<u32> {
    let version = call(libc::SYS_landlock_create_ruleset, [0, 0, CREATE_RULESET_VERSION as usize, 0, 0])?;
    Ok(version as u32)
}

/// Signal-safe.
pub(super) fn landlock_restrict(ruleset: RawFd) -> io::Result<()> {
    call(libc::SYS_landlock_restrict_self, [number(ruleset), 0, 0, 0, 0]).map(drop)
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

/// Signal-safe.
fn prctl(option: c_int, argument: usize) -> io::Result<()> {
    call(libc::SYS_prctl, [number(option), argument, 0, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn no_new_privileges() -> io::Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// Asks to be killed when the thread that started this process ends. Signal-safe.
pub(super) fn die_with_parent() -> io::Result<()> {
    prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize)
}

/// Signal-safe.
pub(super) fn pid() -> u32 {
    std::process::id()
}

/// Signal-safe.
pub(super) fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// The effective user and group. Signal-safe.
pub(super) fn user_and_group() -> (u32, u32) {
    let id = |number| call(number, [0; 5]).map_or(u32::MAX, |id| id as u32);
    (id(libc::SYS_geteuid), id(libc::SYS_getegid))
}

/// Sets the bits that modes of new files never have. Signal-safe.
pub(super) fn set_umask(mask: u32) -> io::Result<()> {
    call(libc::SYS_umask, [mask as usize, 0, 0, 0, 0]).map(drop)
}

/// Starts a new session. A process that leads a group cannot do this, and need not. Signal-safe.
pub(super) fn new_session() -> io::Result<()> {
    match call(libc::SYS_setsid, [0; 5]) {
        Err(error) if error.raw_os_error() != Some(libc::EPERM) => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A copy of a descriptor, at `least` or above, closed on exec. Signal-safe.
pub(super) fn copy_above(fd: RawFd, least: RawFd) -> io::Result<RawFd> {
    let copy = call(libc::SYS_fcntl, [number(fd), number(libc::F_DUPFD_CLOEXEC), number(least), 0, 0])?;
    Ok(copy as RawFd)
}

/// A copy of a descriptor at exactly this number, kept on exec. Signal-safe.
pub(super) fn copy_to(fd: RawFd, place: RawFd) -> io::Result<()> {
    call(libc::SYS_dup3, [number(fd), number(place), 0, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn close(fd: RawFd) {
    // Closing a closed number does no harm: these are the copies this process has made.
    let _ = call(libc::SYS_close, [number(fd), 0, 0, 0, 0]);
}

/// Closes a range of descriptors, ends included, at once or on exec. Signal-safe.
pub(super) fn close_range(first: RawFd, last: u32, on_exec: bool) -> io::Result<()> {
    let flags = if on_exec { libc::CLOSE_RANGE_CLOEXEC as usize } else { 0 };
    call(libc::SYS_close_range, [number(first), last as usize, flags, 0, 0]).map(drop)
}

/// Sets the soft and the hard limit. Signal-safe.
pub(super) fn limit(resource: u32, value: u64) -> io::Result<()> {
    let limit = Limit { soft: value, hard: value };
    call(libc::SYS_prlimit64, [0, resource as usize, address(&limit), 0, 0]).map(drop)
}

/// The active hard limit. Signal-safe.
pub(super) fn hard_limit(resource: u32) -> io::Result<u64> {
    let mut limit = Limit { soft: 0, hard: 0 };
    call(libc::SYS_prlimit64, [0, resource as usize, 0, ptr::from_mut(&mut limit) as usize, 0])?;
    Ok(limit.hard)
}

/// Gives up the supplementary groups, then the group and the user, for good. Signal-safe.
pub(super) fn become_id(id: u32) -> io::Result<()> {
    let id = id as usize;
    call(libc::SYS_setgroups, [0; 5])?;
    call(libc::SYS_setresgid, [id, id, id, 0, 0])?;
    call(libc::SYS_setresuid, [id, id, id, 0, 0]).map(drop)
}

/// Gives up all capabilities and, if allowed, the means of getting them back. Signal-safe.
pub(super) fn drop_capabilities() -> io::Result<()> {
    /// Capability sets are 64 bits wide.
    const LAST: usize = 63;
    /// `_LINUX_CAPABILITY_VERSION_3`, and the process itself.
    const HEADER: [u32; 2] = [0x2008_0522, 0];
    // A plain user may not, and numbers above the kernel's last are refused: nothing is left to drop from there on.
    (0..=LAST).take_while(|capability| prctl(libc::PR_CAPBSET_DROP, *capability).is_ok()).for_each(drop);
    call(libc::SYS_capset, [address(&HEADER), address(&[0_u32; 6]), 0, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn unshare(flags: c_int) -> io::Result<()> {
    call(libc::SYS_unshare, [number(flags), 0, 0, 0, 0]).map(drop)
}

/// Writes a small file that exists, in one go. Signal-safe.
pub(super) fn write_file(path: &CStr, bytes: &[u8]) -> io::Result<()> {
    let fd = open(path, libc::O_WRONLY)?;
    let written = write(fd, bytes);
    close(fd);
    written
}

/// Signal-safe.
pub(super) fn write(fd: RawFd, bytes: &[u8]) -> io::Result<()> {
    call(libc::SYS_write, [number(fd), address(bytes), bytes.len(), 0, 0]).map(drop)
}

/// Makes an empty file. Signal-safe.
pub(super) fn make_file(path: &CStr) -> io::Result<()> {
    open(path, libc::O_WRONLY | libc::O_CREAT).map(close)
}

fn open(path: &CStr, flags: c_int) -> io::Result<RawFd> {
    /// For a created file: a mount covers it at once.
    const MODE: usize = 0o444;
    let flags = number(flags | libc::O_CLOEXEC);
    let fd = call(libc::SYS_openat, [number(libc::AT_FDCWD), address(path), flags, MODE, 0])?;
    Ok(fd as RawFd)
}

/// Makes a folder, unless it exists. Signal-safe.
pub(super) fn make_folder(path: &CStr) -> io::Result<()> {
    match call(libc::SYS_mkdirat, [number(libc::AT_FDCWD), address(path), 0o755, 0, 0]) {
        Err(error) if error.raw_os_error() != Some(libc::EEXIST) => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Signal-safe.
pub(super) fn remove_folder(path: &CStr) -> io::Result<()> {
    let flags = number(libc::AT_REMOVEDIR);
    call(libc::SYS_unlinkat, [number(libc::AT_FDCWD), address(path), flags, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn mount(
    source: &CStr,
    target: &CStr,
    kind: &CStr,
    flags: c_ulong,
    options: &CStr,
) -> io::Result<()> {
    let arguments = [address(source), address(target), address(kind), flags as usize, address(options)];
    call(libc::SYS_mount, arguments).map(drop)
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

/// Signal-safe.
pub(super) fn pivot_root(new: &CStr, old: &CStr) -> io::Result<()> {
    call(libc::SYS_pivot_root, [address(new), address(old), 0, 0, 0]).map(drop)
}

/// Detaches a mount, at once for new users and later for those who have it open. Signal-safe.
pub(super) fn detach(at: &CStr) -> io::Result<()> {
    call(libc::SYS_umount2, [address(at), number(libc::MNT_DETACH), 0, 0, 0]).map(drop)
}

/// Signal-safe.
pub(super) fn change_folder(to: &CStr) -> io::Result<()> {
    call(libc::SYS_chdir, [address(to), 0, 0, 0, 0]).map(drop)
}

/// Forks and runs `child` in the copy, which ends with the returned status. Returns the child's id.
///
/// If this process has other threads, `child` must be signal-safe.
#[expect(unsafe_code, reason = "fork and _exit are foreign functions")]
pub(super) fn fork(child: impl FnOnce() -> i32) -> io::Result<u32> {
    // SAFETY: fork has no preconditions; in the copy only `child` runs, which is signal-safe by the contract
    // above or is alone in its process, and then `_exit`, which runs no destructors or exit handlers of the
    // original.
    unsafe {
        match answer(libc::fork().into())? {
            0 => {
                let status = child();
                libc::_exit(status)
            }
            pid => Ok(pid as u32),
        }
    }
}

/// Waits for a child; returns its status in the encoding of `wait`.
#[expect(unsafe_code, reason = "waitpid is a foreign function")]
pub(super) fn wait(pid: u32) -> io::Result<i32> {
    let mut status = 0;
    loop {
        // SAFETY: `status` lives through the call.
        let result = unsafe { libc::waitpid(pid as libc::pid_t, &raw mut status, 0) };
        match answer(result.into()) {
            Ok(_) => return Ok(status),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A pidfd for a child.
pub(super) fn pidfd(pid: u32) -> io::Result<OwnedFd> {
    call(libc::SYS_pidfd_open, [pid as usize, 0, 0, 0, 0]).map(|fd| owned(fd as RawFd))
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
