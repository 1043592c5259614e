//! The entry point: turns a request into a confinement, which starts processes.

use super::bpf::Filter;
use super::enter::{self, ConfinementPlan, KEPT_END, Then};
use super::fault::StartFault;
use super::group::Cgroup;
use super::identity::{self, Identity};
use super::landlock::{self, Allowed};
use super::libraries::loader_of;
use super::namespace::{self, World};
use super::request::{Kept, Request, Rlimits, WorkFolder};
use super::unavailable::Unavailable;
use super::{policy, probe, sys};
use crate::ProgramKind;
use crate::Strictness;
use crate::parts::{MemoryGroup, OwnGroup};
use rustix::io::write;
use rustix::process::{Pid, PidfdFlags, Resource, pidfd_open};
use std::ffi::CString;
use std::io::{self, Read};
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;

/// The exit status of a forked child whose body panicked: Rust's own.
const PANICKED: i32 = 101;

/// The number at which a forked child reports a failure.
const REPORT: RawFd = KEPT_END - 1;

/// Everything prepared for confined processes; it may start any number of them.
///
/// # Examples
/// ```no_run
/// # use keur_sandbox::linux::*;
/// # use std::path::Path;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let program = Path::new("/usr/bin/node").canonicalize()?;
/// let rlimits = Rlimits {
///     address_space: None,
///     data: Some(1 << 30),
///     file_size: 1 << 20,
///     open_files: 64,
///     processes: None,
///     cpu_seconds: 60,
/// };
/// let group = GroupLimits { memory: 1 << 30, tasks: 64 };
/// let confinement = Confinement::prepare(&Request {
///     readable: libraries(&program)?,
///     ..Request::new(ProgramKind::Engine, program, rlimits, group)
/// })?;
/// let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
/// let mut command = confinement.command(vec![Kept { ours: theirs.into(), number: 3 }])?;
/// let child = command.args(["-e", "…"]).spawn().map_err(StartFault::of)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Confinement {
    plan: Arc<ConfinementPlan>,
}

impl Confinement {
    /// Prepares everything.
    ///
    /// # Errors
    /// What the machine lacks for the requested level, or what is wrong with the request.
    pub fn prepare(request: &Request) -> Result<Confinement, Unavailable> {
        probe::seccomp()?;
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| Unavailable::Path { path, source }
        };
        let executable = request.executable.canonicalize().map_err(at(&request.executable))?;
        // The code of this program is in memory already.
        let programs = if request.kind == ProgramKind::Own {
            Vec::new()
        } else {
            let loader = loader_of(&executable).map_err(at(&executable))?;
            std::iter::once(executable.clone()).chain(loader).collect()
        };
        let folder = request.folder.as_ref().map(|folder| folder.path.as_path());
        let ruleset = landlock::ruleset(&Allowed {
            readable: &[request.readable.as_slice(), &request.owned].concat(),
            hidden: &request.hidden,
            programs: &programs,
            executables: &request.executables,
            writable: &request.writable,
            folder,
        })?;
        let places = programs.iter().chain(&request.executables).chain(&request.readable);
        let places: Vec<PathBuf> = places.cloned().collect();
        // Another user must get to the folder; the folder itself will be theirs.
        let around = folder.and_then(|path| path.parent()?.parent());
        let reached = places.iter().map(PathBuf::as_path).chain(around);
        let mut identity = identity::choose(request.strictness, reached);
        let world = match request.strictness {
            Strictness::Standard => None,
            Strictness::Isolated | Strictness::Strict => {
                let means = namespace::means()?;
                // A user namespace contains this user only.
                if means == namespace::Means::User && identity == Identity::Dropped {
                    identity = Identity::Powerless;
                }
                let plan = World::plan(means, &places, &request.hidden, folder);
                Some(plan.map_err(|source| Unavailable::System { what: "plan the mounts", source })?)
            }
        };
        let mut rlimits = request.rlimits;
        if identity != Identity::Dropped {
            // It would count all other processes of this user.
            rlimits.processes = None;
        }
        let group = match request.strictness {
            Strictness::Standard | Strictness::Isolated => None,
            Strictness::Strict => Some(Cgroup::new(&request.group)?),
        };
        Ok(Confinement {
            plan: Arc::new(ConfinementPlan {
                kind: request.kind,
                executable,
                ruleset,
                filter: match folder {
                    Some(_) => policy::working(request.kind),
                    None => policy::outer(request.kind),
                },
                limits: limits(&rlimits),
                identity,
                id: match &request.folder {
                    Some(WorkFolder { owner, .. }) => Some(*owner),
                    None => (request.kind == ProgramKind::Compiler).then(identity::next_id),
                },
                folder: folder
                    .map(|path| CString::new(path.as_os_str().as_bytes()))
                    .transpose()
                    .map_err(|error| Unavailable::System { what: "name a folder", source: error.into() })?,
                world,
                group,
            }),
        })
    }

    /// The processes' group with limits of its own, if there is one. It lives at least as long as this value.
    pub(crate) fn group(&self) -> OwnGroup {
        let has_one = self.plan.group.is_some();
        has_one.then(|| Arc::clone(&self.plan) as Arc<dyn MemoryGroup>)
    }

    /// The identity that the processes run as.
    pub fn identity(&self) -> Identity {
        self.plan.identity
    }

    /// The id that must own what is written, if it is not this user's own.
    pub fn owner(&self) -> Option<u32> {
        self.plan.id.filter(|_| self.plan.identity == Identity::Dropped)
    }

    /// A command for the confined program, with an empty environment, the folder `/` and empty input. The
    /// caller may add arguments, variables, folder, output and error, but not `arg0`, user or group.
    ///
    /// The process dies with the thread that spawns it. [`StartFault::of`] reads a spawn error.
    ///
    /// # Errors
    /// The request was for keur's own code, or a descriptor asks for an unavailable number.
    pub fn command(&self, kept: Vec<Kept>) -> io::Result<Command> {
        if self.plan.kind == ProgramKind::Own {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "keur's own code is forked, not executed",
            ));
        }
        let kept = sorted(kept)?;
        let mut command = Command::new(&self.plan.executable);
        command.env_clear().current_dir("/").stdin(Stdio::null());
        let mut filter = self.plan.filter.clone();
        // `std` passes this very string to the kernel: no other may be executed, and once the program has
        // started not even this one, because its address is gone.
        filter.program(command.get_program().as_bytes().as_ptr() as usize);
        let plan = Arc::clone(&self.plan);
        let parent = std::process::id();
        let id = self.plan.id.unwrap_or_else(identity::next_id);
        sys::before_exec(&mut command, move || {
            enter::enter(&plan, &kept, &mut filter, id, parent, Then::Execute)
                .map_err(|fault| io::Error::from_raw_os_error(fault.code()))
        });
        Ok(command)
    }

    /// Forks this program and runs `body` in the copy, confined. The copy has the kept descriptors and no
    /// others, except the standard three, which stay as they are here. It ends with the status that `body`
    /// returns.
    ///
    /// Only a single-threaded process may do this: in a copy of several threads, a lock held by another
    /// thread is never released.
    ///
    /// # Examples
    /// ```standalone_crate
    /// # use keur_sandbox::linux::*;
    /// # use std::path::Path;
    /// use std::io::{Read, Write};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # for strictness in [Strictness::Standard, Strictness::Isolated] {
    /// # if probe().highest()? < strictness {
    /// #     assert!(!std::env::var("KEUR_REQUIRE").is_ok_and(|names| names.contains("isolated")));
    /// #     continue
    /// # }
    /// # let rlimits = Rlimits { address_space: Some(1 << 30), data: None, file_size: 0, open_files: 16, processes: None, cpu_seconds: 9 };
    /// # let group = GroupLimits { memory: 1 << 30, tasks: 4 };
    /// let confinement = Confinement::prepare(&Request {
    ///     strictness,
    ///     ..Request::new(ProgramKind::Own, std::env::current_exe()?, rlimits, group)
    /// })?;
    /// let (mut answer, theirs) = std::io::pipe()?;
    /// let forked = confinement.fork(vec![theirs.into()], |mut kept| {
    ///     let mut answer = std::io::PipeWriter::from(kept.remove(0));
    ///     let refused = |attempt: std::io::Result<()>| attempt.is_err_and(|error| error.raw_os_error() == Some(1));
    ///     let harmless = refused(std::fs::read("/etc/passwd").map(drop))
    ///         && refused(std::fs::write("/tmp/keur-escaped", ""))
    ///         && refused(std::net::TcpListener::bind("127.0.0.1:0").map(drop))
    ///         && refused(std::os::unix::net::UnixStream::pair().map(drop))
    ///         && refused(std::process::Command::new("/bin/true").status().map(drop));
    ///     let memory = vec![1_u8; 1 << 24];
    ///     assert!(answer.write_all(&memory[..5]).is_ok());
    ///     if harmless { 7 } else { 1 }
    /// })?;
    /// let mut bytes = Vec::new();
    /// answer.read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, [1; 5]);
    /// assert_eq!(forked.wait()?.code(), Some(7));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// This process has several threads, the system cannot start another process, or a step of the child
    /// failed (the source is a [`StartFault`]).
    pub fn fork(&self, kept: Vec<OwnedFd>, body: impl FnOnce(Vec<OwnedFd>) -> i32) -> io::Result<Forked> {
        if threads() != Some(1) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "only a process of one thread may fork"));
        }
        let mut kept =
            sorted(kept.into_iter().zip(3..).map(|(ours, number)| Kept { ours, number }).collect())?;
        let (mut report, theirs) = io::pipe()?;
        kept.push(Kept { ours: theirs.into(), number: REPORT });
        let mut filter = self.plan.filter.clone();
        let id = identity::next_id();
        let parent = std::process::id();
        let pid = sys::fork(|| {
            if let Err(fault) = enter::enter(&self.plan, &kept, &mut filter, id, parent, Then::GoOn) {
                // A failure here cannot be reported.
                let _ = write(sys::owned(REPORT), &fault.code().to_ne_bytes());
                return PANICKED;
            }
            let mut ours: Vec<OwnedFd> = kept.iter().map(|kept| sys::owned(kept.number)).collect();
            // The report's: the parent sees that there is no fault.
            drop(ours.pop());
            catch_unwind(AssertUnwindSafe(|| body(ours))).unwrap_or(PANICKED)
        })?;
        drop(kept);
        let forked = Forked { pid, pidfd: pidfd_open(pid, PidfdFlags::empty())? };
        let mut code = [0; 4];
        match report.read(&mut code)? {
            0 => Ok(forked),
            _ => {
                forked.wait()?;
                Err(io::Error::other(StartFault::from_code(i32::from_ne_bytes(code))))
            }
        }
    }
}

/// The filter that each child of a fork server adds with `prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, …)`. It
/// removes everything that only the server needed, so it is added after the last use of that.
pub fn inner_filter(kind: ProgramKind) -> Filter {
    policy::inner(kind)
}

/// A confined copy of this process.
#[derive(Debug)]
pub struct Forked {
    pid: Pid,
    pidfd: OwnedFd,
}

impl Forked {
    /// The process id of the program.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().cast_unsigned()
    }

    /// A pidfd, to kill it and to wait for its end.
    pub fn pidfd(&self) -> &OwnedFd {
        &self.pidfd
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// It has been waited for elsewhere.
    pub fn wait(self) -> io::Result<ExitStatus> {
        sys::wait(self.pid).map(|status| ExitStatus::from_raw(status.as_raw()))
    }
}

/// The limits as the kernel takes them.
fn limits(rlimits: &Rlimits) -> Vec<(Resource, u64)> {
    [
        (Resource::As, rlimits.address_space),
        (Resource::Data, rlimits.data),
        (Resource::Fsize, Some(rlimits.file_size)),
        (Resource::Nofile, Some(rlimits.open_files)),
        (Resource::Nproc, rlimits.processes),
        (Resource::Cpu, Some(rlimits.cpu_seconds)),
        (Resource::Core, Some(0)),
        (Resource::Memlock, Some(0)),
    ]
    .into_iter()
    .filter_map(|(resource, value)| value.map(|value| (resource, value)))
    .collect()
}

/// The descriptors in order of their numbers.
fn sorted(mut kept: Vec<Kept>) -> io::Result<Vec<Kept>> {
    kept.sort_by_key(|kept| kept.number);
    let distinct = kept.windows(2).all(|pair| pair[0].number != pair[1].number);
    // The last number is for the report of a forked child.
    let in_range = kept.iter().all(|kept| (3..REPORT).contains(&kept.number));
    if distinct && in_range {
        Ok(kept)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "kept descriptors need distinct numbers from 3 to 62",
        ))
    }
}

/// The number of threads of this process; `None` if unknown.
fn threads() -> Option<usize> {
    std::fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}
