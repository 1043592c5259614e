//! The system calls that each kind of program may make, and with which arguments.
//!
//! Anything not listed fails with `EPERM`. Landlock decides about files; this list decides about everything
//! else, including what Landlock does not cover: `chmod`, `utimes`, `truncate`, attributes, watches, memory
//! files. The lists are built from parts, so that a child's list is by construction a subset of its fork
//! server's.

use super::bpf::{Comparison, Filter, Rule};
use crate::ProgramKind;
use Comparison::{Masked, NoneOf, Null, OneOf, OwnPid, Program, Unless};
use Rule::{Allow, AllowIf, Refuse};
use libc::*;

/// Forbidden modes of opening: writing, creating, truncating. Landlock allows none of it either, but before
/// Linux 6.2 it cannot restrict truncation.
const WRITING: u32 = (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & !O_DIRECTORY)) as u32;
/// The modes with which a file runs as its owner or its group, and that of folders such as `/tmp`: what is
/// made here is left on the machine for a moment, and belongs to root where root cannot be given up.
const SPECIAL: u32 = S_ISUID | S_ISGID | S_ISVTX;
/// The permissions that a compiler gives when it changes a mode, as a linker does for a program. It takes
/// none of them from anybody: others need what they share with a build, and Landlock does not restrict
/// `chmod`.
const SHARED: u32 = 0o755;
/// In place of an error: the call does nothing. Tools that make a mode narrower would end at an error.
const IGNORED: i32 = 0;
/// The ways of opening that make a file. Otherwise nobody need set the mode, and what is there does not
/// count.
const CREATING: u32 = (O_CREAT | (O_TMPFILE & !O_DIRECTORY)) as u32;
/// Optional clone flags: where ids are stored, thread-local storage, semaphores, an obsolete flag.
const CLONE_NEUTRAL: u32 = (CLONE_PARENT_SETTID
    | CLONE_CHILD_SETTID
    | CLONE_CHILD_CLEARTID
    | CLONE_SETTLS
    | CLONE_SYSVSEM
    | CLONE_DETACHED) as u32;
/// The flags of a thread.
const THREAD: u32 = (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD) as u32;
/// The flags of a forked process: none, except the signal of its end.
const FORK: u32 = SIGCHLD as u32;
/// Questions to a terminal, non-blocking mode and close-on-exec; notably not `TIOCSTI`.
const IOCTLS: &[u32] =
    &[TCGETS as u32, TIOCGWINSZ as u32, FIONREAD as u32, FIONBIO as u32, FIOCLEX as u32, FIONCLEX as u32];
/// Copies and flags; notably not `F_SETOWN` and `F_SETSIG`, with which a descriptor sends signals.
const FCNTLS: &[u32] =
    &[F_DUPFD as u32, F_DUPFD_CLOEXEC as u32, F_GETFD as u32, F_SETFD as u32, F_GETFL as u32, F_SETFL as u32];

/// Memory, time and its own end: what any program needs.
const CORE: &[Rule] = &[
    Allow(SYS_read),
    Allow(SYS_write),
    Allow(SYS_close),
    Allow(SYS_munmap),
    Allow(SYS_mremap),
    Allow(SYS_madvise),
    Allow(SYS_brk),
    Allow(SYS_rt_sigaction),
    Allow(SYS_rt_sigprocmask),
    Allow(SYS_rt_sigreturn),
    Allow(SYS_sigaltstack),
    Allow(SYS_futex),
    Allow(SYS_clock_gettime),
    Allow(SYS_clock_getres),
    Allow(SYS_gettimeofday),
    Allow(SYS_getrandom),
    Allow(SYS_getpid),
    Allow(SYS_gettid),
    Allow(SYS_exit),
    Allow(SYS_exit_group),
    Allow(SYS_restart_syscall),
    // A libc falls back on the older call if the newer one is missing, but not if it is forbidden.
    Refuse(SYS_clone3, ENOSYS),
    Refuse(SYS_openat2, ENOSYS),
    Refuse(SYS_io_uring_setup, ENOSYS),
    Refuse(SYS_pkey_alloc, ENOSYS),
    Refuse(SYS_memfd_secret, ENOSYS),
];

/// Signals that end or stop a process whatever it does about them, or that stop it unless it catches them.
/// None of its own faults causes one, so that they come from outside only.
const OUTSIDE_SIGNALS: &[u32] =
    &[SIGKILL as u32, SIGSTOP as u32, SIGTSTP as u32, SIGTTIN as u32, SIGTTOU as u32];

/// `abort`, and a signal that a process raises in itself.
const OWN_SIGNALS: &[Rule] = &[AllowIf(SYS_tgkill, &[OwnPid(0), NoneOf(2, OUTSIDE_SIGNALS)], EPERM)];

/// Memory without a way to make code, for an engine without a compiler.
const DATA_PAGES: &[Rule] = &[
    AllowIf(SYS_mmap, &[Masked(2, PROT_EXEC as u32, &[0])], EPERM),
    AllowIf(SYS_mprotect, &[Masked(2, PROT_EXEC as u32, &[0])], EPERM),
];

/// Shared libraries, and code that an engine makes while it runs.
const CODE_PAGES: &[Rule] = &[Allow(SYS_mmap), Allow(SYS_mprotect)];

/// Shared libraries, and memory that the limits count. Not allowed are shared memory and growing stacks,
/// which are not data to the kernel, and huge pages, which come from elsewhere.
const COUNTED_PAGES: &[Rule] = &[
    AllowIf(
        SYS_mmap,
        &[Masked(3, (MAP_TYPE | MAP_GROWSDOWN | MAP_HUGETLB) as u32, &[MAP_PRIVATE as u32])],
        EPERM,
    ),
    Allow(SYS_mprotect),
];

/// The calls of an interpreter while it runs what a stranger wrote: reading files, asking about itself,
/// waiting.
const INTERPRETER: &[Rule] = &[
    AllowIf(SYS_openat, &[Masked(2, WRITING, &[0])], EACCES),
    Allow(SYS_fstat),
    Allow(SYS_newfstatat),
    Allow(SYS_statx),
    Allow(SYS_lseek),
    Allow(SYS_pread64),
    Allow(SYS_readv),
    Allow(SYS_writev),
    Allow(SYS_faccessat),
    Allow(SYS_faccessat2),
    Allow(SYS_getdents64),
    Allow(SYS_readlinkat),
    Allow(SYS_getcwd),
    AllowIf(SYS_fcntl, &[OneOf(1, FCNTLS)], EPERM),
    AllowIf(SYS_ioctl, &[OneOf(1, IOCTLS)], ENOTTY),
    Allow(SYS_dup),
    Allow(SYS_dup3),
    Allow(SYS_close_range),
    Allow(SYS_ppoll),
    Allow(SYS_pselect6),
    Allow(SYS_nanosleep),
    Allow(SYS_clock_nanosleep),
    Allow(SYS_sched_yield),
    Allow(SYS_sched_getaffinity),
    Allow(SYS_getppid),
    Allow(SYS_getuid),
    Allow(SYS_geteuid),
    Allow(SYS_getgid),
    Allow(SYS_getegid),
    Allow(SYS_capget),
    Allow(SYS_uname),
    Allow(SYS_sysinfo),
    Allow(SYS_times),
    Allow(SYS_getrusage),
];

/// The same for older calls on x86-64, which musl and some programs still use.
#[cfg(target_arch = "x86_64")]
const INTERPRETER_OLD: &[Rule] = &[
    AllowIf(SYS_open, &[Masked(1, WRITING, &[0])], EACCES),
    Allow(SYS_stat),
    Allow(SYS_lstat),
    Allow(SYS_access),
    Allow(SYS_readlink),
    Allow(SYS_dup2),
    Allow(SYS_poll),
    Allow(SYS_select),
    Allow(SYS_time),
];
#[cfg(target_arch = "aarch64")]
const INTERPRETER_OLD: &[Rule] = &[];

/// The calls of the program loader and the libc before `main`.
const START: &[Rule] = &[
    AllowIf(SYS_execve, &[Program(0)], EPERM),
    Allow(SYS_set_tid_address),
    Allow(SYS_set_robust_list),
    Allow(SYS_rseq),
];
#[cfg(target_arch = "x86_64")]
const START_OLD: &[Rule] = &[Allow(SYS_arch_prctl)];
#[cfg(target_arch = "aarch64")]
const START_OLD: &[Rule] = &[];

/// A process may read its own limits only.
const READ_LIMITS: &[Rule] = &[AllowIf(SYS_prlimit64, &[OneOf(0, &[0]), Null(2)], EPERM)];

/// Timers, which signal only the process itself.
const TIMERS: &[Rule] = &[Allow(SYS_setitimer), Allow(SYS_getitimer)];
#[cfg(target_arch = "x86_64")]
const TIMERS_OLD: &[Rule] = &[Allow(SYS_alarm)];
#[cfg(target_arch = "aarch64")]
const TIMERS_OLD: &[Rule] = &[];

const THREADS: &[Rule] = &[
    AllowIf(SYS_clone, &[Masked(0, !CLONE_NEUTRAL, &[THREAD])], EPERM),
    Allow(SYS_set_robust_list),
    Allow(SYS_rseq),
];

/// The calls of a fork server that its children may not make: fork, wait, use the control socket, lower the
/// limits of a child, and in the child ask for the parent-death signal and add the inner filter. Its children
/// may signal any process until the inner filter forbids it.
const SERVER: &[Rule] = &[
    Allow(SYS_wait4),
    Allow(SYS_waitid),
    Allow(SYS_pidfd_open),
    Allow(SYS_recvmsg),
    Allow(SYS_recvfrom),
    Allow(SYS_sendmsg),
    Allow(SYS_sendto),
    Allow(SYS_getsockname),
    Allow(SYS_getsockopt),
    AllowIf(SYS_prlimit64, &[OneOf(0, &[0])], EPERM),
    AllowIf(SYS_prctl, &[OneOf(0, &[PR_SET_PDEATHSIG as u32, PR_SET_SECCOMP as u32])], EPERM),
    Allow(SYS_tgkill),
];
const SERVER_FORK: &[Rule] = &[AllowIf(SYS_clone, &[Masked(0, !CLONE_NEUTRAL, &[FORK])], EPERM)];
/// musl forks with the old call.
#[cfg(target_arch = "x86_64")]
const SERVER_OLD: &[Rule] = &[Allow(SYS_fork)];
#[cfg(target_arch = "aarch64")]
const SERVER_OLD: &[Rule] = &[];

/// A further filter, by which the driver of libraries answers reads. It lets submissions add none.
const FILTERS: &[Rule] = &[AllowIf(SYS_prctl, &[OneOf(0, &[PR_SET_SECCOMP as u32])], EPERM)];

/// Pipes to oneself, by which a sanitizer asks the kernel which memory is there.
const PIPES: &[Rule] = &[Allow(SYS_pipe2)];
#[cfg(target_arch = "x86_64")]
const PIPES_OLD: &[Rule] = &[Allow(SYS_pipe)];
#[cfg(target_arch = "aarch64")]
const PIPES_OLD: &[Rule] = &[];

/// Changing files in a working folder; Landlock decides which. There are no links, no files without a name,
/// whose size nobody would see, and no changes of permissions, which Landlock does not restrict.
const FILES: &[Rule] = &[
    AllowIf(
        SYS_openat,
        &[
            Masked(2, (O_TMPFILE & !O_DIRECTORY) as u32, &[0]),
            Unless { flags: 2, when: CREATING, value: 3, never: SPECIAL },
        ],
        EACCES,
    ),
    AllowIf(SYS_mkdirat, &[Masked(2, SPECIAL, &[0])], EPERM),
    Allow(SYS_unlinkat),
    Allow(SYS_renameat),
    AllowIf(SYS_renameat2, &[OneOf(4, &[0, RENAME_NOREPLACE])], EPERM),
    Allow(SYS_ftruncate),
    Allow(SYS_pwrite64),
    Allow(SYS_preadv),
    Allow(SYS_pwritev),
    Allow(SYS_fsync),
    Allow(SYS_fdatasync),
    Allow(SYS_umask),
];
#[cfg(target_arch = "x86_64")]
const FILES_OLD: &[Rule] = &[
    AllowIf(
        SYS_open,
        &[
            Masked(1, (O_TMPFILE & !O_DIRECTORY) as u32, &[0]),
            Unless { flags: 1, when: CREATING, value: 2, never: SPECIAL },
        ],
        EACCES,
    ),
    AllowIf(SYS_creat, &[Masked(1, SPECIAL, &[0])], EPERM),
    AllowIf(SYS_mkdir, &[Masked(1, SPECIAL, &[0])], EPERM),
    Allow(SYS_rmdir),
    Allow(SYS_unlink),
    Allow(SYS_rename),
];
#[cfg(target_arch = "aarch64")]
const FILES_OLD: &[Rule] = &[];

/// An event loop, which also wakes up its threads, and an already open socket.
const EVENTS: &[Rule] = &[
    Allow(SYS_epoll_create1),
    Allow(SYS_epoll_ctl),
    Allow(SYS_epoll_pwait),
    Allow(SYS_eventfd2),
    Allow(SYS_pipe2),
    Allow(SYS_getsockname),
    Allow(SYS_getsockopt),
    Allow(SYS_shutdown),
    AllowIf(SYS_prctl, &[OneOf(0, &[PR_SET_NAME as u32])], EPERM),
];
#[cfg(target_arch = "x86_64")]
const EVENTS_OLD: &[Rule] = &[Allow(SYS_epoll_wait)];
#[cfg(target_arch = "aarch64")]
const EVENTS_OLD: &[Rule] = &[];

/// The additional calls of a virtual machine: its own socket pair, and names for its threads.
const MACHINE: &[Rule] = &[
    AllowIf(SYS_socketpair, &[OneOf(0, &[AF_UNIX as u32])], EPERM),
    AllowIf(SYS_prctl, &[OneOf(0, &[PR_SET_NAME as u32])], EPERM),
];

/// The calls of a compiler and its programs: starting and waiting for others, and making, changing and
/// removing files where Landlock allows it. No process leaves its session or its group, and none signals
/// another, so that all can be ended at once. Nothing here reaches a network.
const COMPILER: &[Rule] = &[
    Allow(SYS_execve),
    AllowIf(SYS_openat, &[Unless { flags: 2, when: CREATING, value: 3, never: SPECIAL }], EPERM),
    Allow(SYS_wait4),
    Allow(SYS_waitid),
    Allow(SYS_pidfd_open),
    AllowIf(
        SYS_clone,
        &[Masked(0, !CLONE_NEUTRAL, &[FORK, VFORK, VFORK | CLONE_PIDFD as u32, THREAD])],
        EPERM,
    ),
    Allow(SYS_set_tid_address),
    Allow(SYS_set_robust_list),
    Allow(SYS_rseq),
    Allow(SYS_pipe2),
    Allow(SYS_eventfd2),
    Allow(SYS_epoll_create1),
    Allow(SYS_epoll_ctl),
    Allow(SYS_epoll_pwait),
    // A program listens to another that it starts over a socket pair; there are no other sockets.
    AllowIf(SYS_socketpair, &[OneOf(0, &[AF_UNIX as u32])], EPERM),
    Allow(SYS_recvmsg),
    Allow(SYS_sendmsg),
    Allow(SYS_recvfrom),
    Allow(SYS_sendto),
    AllowIf(SYS_prctl, &[OneOf(0, &[PR_SET_NAME as u32])], EPERM),
    Allow(SYS_pwrite64),
    Allow(SYS_preadv),
    Allow(SYS_pwritev),
    AllowIf(SYS_mkdirat, &[Masked(2, SPECIAL, &[0])], EPERM),
    Allow(SYS_unlinkat),
    Allow(SYS_renameat),
    Allow(SYS_renameat2),
    Allow(SYS_linkat),
    Allow(SYS_symlinkat),
    AllowIf(SYS_fchmod, &[Masked(1, SPECIAL | SHARED, &[SHARED])], IGNORED),
    AllowIf(SYS_fchmodat, &[Masked(2, SPECIAL | SHARED, &[SHARED])], IGNORED),
    Allow(SYS_ftruncate),
    Allow(SYS_fallocate),
    Allow(SYS_fadvise64),
    Allow(SYS_copy_file_range),
    Allow(SYS_sendfile),
    // A build that locks what keur's own cargo locks would keep it waiting. Cargo goes on without.
    Refuse(SYS_flock, ENOSYS),
    Allow(SYS_fsync),
    Allow(SYS_fdatasync),
    Allow(SYS_utimensat),
    Allow(SYS_umask),
    Allow(SYS_chdir),
    Allow(SYS_fchdir),
    Allow(SYS_statfs),
    Allow(SYS_fstatfs),
    Allow(SYS_getpgid),
];
/// The flags for starting a process that executes another program at once.
const VFORK: u32 = (CLONE_VM | CLONE_VFORK | SIGCHLD) as u32;
#[cfg(target_arch = "x86_64")]
const COMPILER_OLD: &[Rule] = &[
    Allow(SYS_fork),
    Allow(SYS_vfork),
    Allow(SYS_pipe),
    Allow(SYS_epoll_wait),
    AllowIf(SYS_mkdir, &[Masked(1, SPECIAL, &[0])], EPERM),
    Allow(SYS_rmdir),
    Allow(SYS_unlink),
    Allow(SYS_rename),
    Allow(SYS_link),
    Allow(SYS_symlink),
    AllowIf(SYS_chmod, &[Masked(1, SPECIAL | SHARED, &[SHARED])], IGNORED),
    AllowIf(SYS_creat, &[Masked(1, SPECIAL, &[0])], EPERM),
    AllowIf(SYS_open, &[Unless { flags: 1, when: CREATING, value: 2, never: SPECIAL }], EPERM),
    Allow(SYS_getpgrp),
];
#[cfg(target_arch = "aarch64")]
const COMPILER_OLD: &[Rule] = &[];

/// The filter that a process gets before it becomes the interpreter, or before the embedded engine starts.
pub(super) fn outer(kind: ProgramKind) -> Filter {
    match kind {
        ProgramKind::ForkServer => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, TIMERS, TIMERS_OLD, START, START_OLD, SERVER,
            SERVER_FORK, SERVER_OLD,
        ]),
        ProgramKind::LibraryServer => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, TIMERS, TIMERS_OLD, START, START_OLD, SERVER,
            SERVER_FORK, SERVER_OLD, PIPES, PIPES_OLD,
        ]),
        ProgramKind::Engine => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, START, START_OLD, READ_LIMITS, THREADS, EVENTS,
            EVENTS_OLD, OWN_SIGNALS,
        ]),
        ProgramKind::VirtualMachine => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, START, START_OLD, READ_LIMITS, THREADS, MACHINE,
            OWN_SIGNALS,
        ]),
        ProgramKind::Compiled => assemble(&[
            CORE, COUNTED_PAGES, INTERPRETER, INTERPRETER_OLD, START, START_OLD, READ_LIMITS, THREADS,
            OWN_SIGNALS,
        ]),
        // The first rule of a call counts.
        ProgramKind::Compiler => assemble(&[
            COMPILER, COMPILER_OLD, CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, START_OLD, READ_LIMITS,
        ]),
        ProgramKind::Own => assemble(&[CORE, DATA_PAGES, OWN_SIGNALS]),
    }
}

/// The filter of a process that changes files in a working folder. It forks nothing, even if its kind can.
pub(super) fn working(kind: ProgramKind) -> Filter {
    // The first rule of a call counts. Memory is not shared with files, where what is written would not be
    // counted; a virtual machine cannot do without.
    let common =
        [FILES, FILES_OLD, CORE, INTERPRETER, INTERPRETER_OLD, START, START_OLD, READ_LIMITS, OWN_SIGNALS];
    let own: &[&[Rule]] = match kind {
        ProgramKind::ForkServer => &[COUNTED_PAGES, TIMERS, TIMERS_OLD],
        ProgramKind::LibraryServer => &[COUNTED_PAGES, TIMERS, TIMERS_OLD, PIPES, PIPES_OLD, FILTERS],
        ProgramKind::Engine => &[COUNTED_PAGES, THREADS, EVENTS, EVENTS_OLD],
        ProgramKind::VirtualMachine => &[CODE_PAGES, THREADS, MACHINE],
        ProgramKind::Compiled => &[COUNTED_PAGES, THREADS],
        // Neither works in such a folder: a compiler has one of its own, and the embedded engine no files.
        ProgramKind::Compiler | ProgramKind::Own => return outer(kind),
    };
    assemble(&[&common, own].concat())
}

/// The filter that a forked child adds; for a kind that does not fork, the same restrictions once more.
pub(super) fn inner(kind: ProgramKind) -> Filter {
    match kind {
        ProgramKind::ForkServer => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, TIMERS, TIMERS_OLD, READ_LIMITS, OWN_SIGNALS,
        ]),
        ProgramKind::LibraryServer => assemble(&[
            CORE, CODE_PAGES, INTERPRETER, INTERPRETER_OLD, TIMERS, TIMERS_OLD, READ_LIMITS, OWN_SIGNALS,
            PIPES, PIPES_OLD,
        ]),
        ProgramKind::Engine
        | ProgramKind::VirtualMachine
        | ProgramKind::Compiled
        | ProgramKind::Compiler
        | ProgramKind::Own => outer(kind),
    }
}

fn assemble(parts: &[&[Rule]]) -> Filter {
    Filter::assemble(&parts.concat())
}

#[cfg(test)]
mod tests {
    use super::super::bpf::ARCHITECTURE;
    use super::*;

    fn allowed(filter: &Filter, number: u32) -> bool {
        filter.run(ARCHITECTURE, number, [0; 6]) == SECCOMP_RET_ALLOW
    }

    #[test]
    fn a_submission_may_do_nothing_that_its_server_may_not() {
        let server = outer(ProgramKind::ForkServer);
        let submission = inner(ProgramKind::ForkServer);
        for number in 0..500 {
            assert!(allowed(&server, number) || !allowed(&submission, number), "call {number}");
        }
    }

    #[test]
    fn no_submission_kills_or_stops_itself() {
        let kinds = [
            ProgramKind::ForkServer,
            ProgramKind::Engine,
            ProgramKind::VirtualMachine,
            ProgramKind::Compiled,
            ProgramKind::Own,
        ];
        let filters = kinds.map(inner).into_iter().chain(kinds.map(working));
        for mut filter in filters {
            filter.own(7);
            let raises = |call: c_long, signal: i32| {
                filter.run(ARCHITECTURE, call as u32, [7, 7, signal as u64, 0, 0, 0]) == SECCOMP_RET_ALLOW
            };
            assert!(raises(SYS_tgkill, SIGABRT));
            for signal in [SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU] {
                assert!(!raises(SYS_tgkill, signal), "{signal}");
            }
            for call in [SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_seccomp] {
                assert!(!raises(call, SIGABRT), "{call}");
            }
            for call in [SYS_pidfd_send_signal, SYS_timer_create, SYS_ptrace, SYS_setrlimit, SYS_clone3] {
                assert!(!raises(call, SIGABRT), "{call}");
            }
        }
    }

    #[test]
    fn a_fork_server_and_its_copies_start_no_threads() {
        let clones = |filter: &Filter, flags: u32| {
            let arguments = [u64::from(flags), 0, 0, 0, 0, 0];
            filter.run(ARCHITECTURE, SYS_clone as u32, arguments) == SECCOMP_RET_ALLOW
        };
        let thread = THREAD | CLONE_SETTLS as u32;
        let server = outer(ProgramKind::ForkServer);
        assert!(clones(&server, FORK) && !clones(&server, thread));
        assert!(!clones(&inner(ProgramKind::ForkServer), thread));
        assert!(clones(&outer(ProgramKind::Engine), thread));
    }

    #[test]
    fn a_copy_of_keur_makes_no_code() {
        let filter = outer(ProgramKind::Own);
        for call in [SYS_mmap, SYS_mprotect] {
            let with = |protection| filter.run(ARCHITECTURE, call as u32, [0, 0, protection, 0, 0, 0]);
            assert_eq!(with((PROT_READ | PROT_WRITE) as u64), SECCOMP_RET_ALLOW);
            assert_ne!(with((PROT_READ | PROT_EXEC) as u64), SECCOMP_RET_ALLOW);
        }
    }

    #[test]
    fn a_compiled_program_maps_only_memory_that_its_limits_count() {
        let filter = outer(ProgramKind::Compiled);
        let with = |flags: i32| {
            filter.run(ARCHITECTURE, SYS_mmap as u32, [0, 0, 0, flags as u64, 0, 0]) == SECCOMP_RET_ALLOW
        };
        assert!(with(MAP_PRIVATE) && with(MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE));
        for flags in [MAP_SHARED, MAP_SHARED_VALIDATE, MAP_PRIVATE | MAP_GROWSDOWN, MAP_PRIVATE | MAP_HUGETLB]
        {
            assert!(!with(flags | MAP_ANONYMOUS), "{flags:#x}");
        }
    }

    #[test]
    fn a_virtual_machine_has_pairs_of_sockets_of_its_own_alone() {
        let filter = outer(ProgramKind::VirtualMachine);
        let pair =
            |family: i32| filter.run(ARCHITECTURE, SYS_socketpair as u32, [family as u64, 0, 0, 0, 0, 0]);
        assert_eq!(pair(AF_UNIX), SECCOMP_RET_ALLOW);
        assert_ne!(pair(AF_INET), SECCOMP_RET_ALLOW);
    }

    #[test]
    fn a_compiler_reaches_no_network_and_no_other_process() {
        let filter = outer(ProgramKind::Compiler);
        for call in [SYS_execve, SYS_openat, SYS_unlinkat, SYS_wait4] {
            assert!(allowed(&filter, call as u32), "{call}");
        }
        let calls = [
            SYS_socket, SYS_connect, SYS_kill, SYS_tgkill, SYS_pidfd_send_signal, SYS_setsid, SYS_setpgid,
            SYS_ptrace, SYS_process_vm_writev, SYS_mount, SYS_unshare, SYS_setns, SYS_mknodat, SYS_fchownat,
            SYS_bpf, SYS_keyctl, SYS_perf_event_open, SYS_io_uring_setup,
        ];
        for call in calls {
            assert!(!allowed(&filter, call as u32), "{call}");
        }
        let clone = |flags: u64| filter.run(ARCHITECTURE, SYS_clone as u32, [flags, 0, 0, 0, 0, 0]);
        assert_ne!(clone((CLONE_NEWUSER | SIGCHLD) as u64), SECCOMP_RET_ALLOW);
        assert_eq!(clone(SIGCHLD as u64), SECCOMP_RET_ALLOW);
    }

    /// Checks that a program may make and change files with these modes, and with no special ones.
    #[track_caller]
    fn check_modes(filter: &Filter, calls: &[(i64, usize, u64)]) {
        for &(call, mode_at, flags) in calls {
            let with = |mode: u32| {
                let mut arguments = [0; 6];
                if flags != 0 {
                    arguments[mode_at - 1] = flags;
                }
                arguments[mode_at] = u64::from(mode);
                filter.run(ARCHITECTURE, call as u32, arguments) == SECCOMP_RET_ALLOW
            };
            assert!(with(0o777) && with(S_IFREG | 0o644), "{call}");
            for special in [S_ISUID, S_ISGID, S_ISVTX] {
                assert!(!with(special | 0o755), "{call} {special:o}");
            }
        }
    }

    #[test]
    fn no_file_that_is_made_runs_as_its_owner() {
        let creates = O_CREAT as u64;
        let makes = [(SYS_openat, 3, creates), (SYS_mkdirat, 2, 0)];
        check_modes(&outer(ProgramKind::Compiler), &makes);
        check_modes(&working(ProgramKind::Compiled), &makes);
        #[cfg(target_arch = "x86_64")]
        for filter in [outer(ProgramKind::Compiler), working(ProgramKind::Compiled)] {
            check_modes(&filter, &[(SYS_open, 2, creates), (SYS_creat, 1, 0), (SYS_mkdir, 1, 0)]);
        }
        // Opening a file that is there says nothing of its mode.
        let open = |mode: u32| {
            let arguments = [0, 0, O_RDWR as u64, u64::from(mode), 0, 0];
            outer(ProgramKind::Compiler).run(ARCHITECTURE, SYS_openat as u32, arguments)
        };
        assert_eq!(open(S_ISUID), SECCOMP_RET_ALLOW);
    }

    #[test]
    fn a_compiler_takes_no_permissions_away() {
        let filter = outer(ProgramKind::Compiler);
        let mut calls = vec![(SYS_fchmod, 1), (SYS_fchmodat, 2)];
        #[cfg(target_arch = "x86_64")]
        calls.push((SYS_chmod, 1));
        for (call, place) in calls {
            let changed_to = |mode: u32| {
                let mut arguments = [0; 6];
                arguments[place] = u64::from(mode);
                filter.run(ARCHITECTURE, call as u32, arguments)
            };
            for mode in [0o755, 0o775, 0o777] {
                assert_eq!(changed_to(mode), SECCOMP_RET_ALLOW, "{call} {mode:o}");
            }
            for mode in [0, 0o077, 0o500, 0o644, 0o700, 0o4755, 0o2755, 0o1777] {
                assert_eq!(changed_to(mode), SECCOMP_RET_ERRNO, "{call} {mode:o}: nothing happens");
            }
        }
        let lock = filter.run(ARCHITECTURE, SYS_flock as u32, [0; 6]);
        assert_eq!(lock, SECCOMP_RET_ERRNO | ENOSYS as u32);
    }

    #[test]
    fn a_process_with_files_makes_no_links_and_forks_nothing() {
        let kinds = [
            ProgramKind::ForkServer,
            ProgramKind::Engine,
            ProgramKind::VirtualMachine,
            ProgramKind::Compiled,
        ];
        for kind in kinds {
            let filter = working(kind);
            for call in [SYS_openat, SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_ftruncate] {
                assert!(allowed(&filter, call as u32), "{kind:?} {call}");
            }
            let calls = [
                SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchownat,
                SYS_utimensat, SYS_truncate, SYS_chdir, SYS_wait4, SYS_sendmsg, SYS_socket, SYS_kill,
                SYS_mount, SYS_memfd_create,
            ];
            for call in calls {
                assert!(!allowed(&filter, call as u32), "{kind:?} {call}");
            }
            let clone = filter.run(ARCHITECTURE, SYS_clone as u32, [SIGCHLD as u64, 0, 0, 0, 0, 0]);
            assert_ne!(clone, SECCOMP_RET_ALLOW, "{kind:?}");
            let open =
                |flags: i32| filter.run(ARCHITECTURE, SYS_openat as u32, [0, 0, flags as u64, 0, 0, 0]);
            assert_eq!(open(O_CREAT | O_WRONLY | O_TRUNC), SECCOMP_RET_ALLOW, "{kind:?}");
            assert_ne!(open(O_TMPFILE | O_RDWR), SECCOMP_RET_ALLOW, "{kind:?}");
        }
    }

    #[test]
    fn no_flavour_may_do_these() {
        let flavours = [
            ProgramKind::ForkServer,
            ProgramKind::Engine,
            ProgramKind::VirtualMachine,
            ProgramKind::Compiled,
            ProgramKind::Own,
        ];
        let calls = [
            SYS_socket, SYS_connect, SYS_bind, SYS_kill, SYS_ptrace, SYS_memfd_create, SYS_unlinkat,
            SYS_renameat2, SYS_mkdirat, SYS_fchmodat, SYS_ftruncate, SYS_truncate, SYS_mount, SYS_bpf,
            SYS_execveat, SYS_unshare, SYS_clone3, SYS_io_uring_setup, SYS_userfaultfd, SYS_setsid,
            SYS_utimensat, SYS_landlock_restrict_self,
        ];
        for kind in flavours {
            for call in calls {
                assert!(!allowed(&inner(kind), call as u32), "{kind:?} {call}");
            }
        }
    }
}
