//! A fork server: a confined interpreter that never loads what a stranger wrote, and forks a child for each
//! run.

use super::fork_protocol::{ChildLimits, ForkAnswer, ForkRequest, Setup};
use super::{Capture, spawn};
use crate::launch::Launch;
use crate::parts::{ExitInfo, OwnGroup, Startable, Written};
use crate::{Exit, Limits, cores, jail, linux, lock};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Pid, Signal, pidfd_send_signal};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time limit for the interpreter to start, and to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most bytes kept of a failing server's message.
const ERRORS: u64 = 4096;

/// The size of an answer, in bytes.
const ANSWER: usize = 64;

/// Address space of a child beyond its writable memory, in bytes: the interpreter's program and its
/// libraries.
const MAPPED: u64 = 128 << 20;

/// The most open files of a child.
const OPEN_FILES: u64 = 64;

/// A running fork server. Its children are used one at a time. If a core is free, the next one is requested
/// ahead and forked while the current one works; without one, that would only add pages to copy.
pub struct ForkServer {
    connection: Arc<Mutex<Connection>>,
    child: Child,
    baseline: u64,
    resident: bool,
    errors: Capture,
    ready: bool,
    /// Whether children are requested ahead.
    ahead: bool,
}

/// The connection to a server. Answers come in the order of requests.
struct Connection {
    control: OwnedFd,
    spare: Option<Spare>,
    /// The memory group of the server and its children.
    group: OwnGroup,
}

/// A child requested ahead.
enum Spare {
    /// The server has not answered yet.
    Asked(Asked),
    Born(Newborn),
}

/// The request for a child, and keur's side of its channel and output.
struct Asked {
    limits: ChildLimits,
    channel: OwnedFd,
    output: Capture,
    errors: Capture,
}

/// A child that nobody uses yet.
struct Newborn {
    asked: Asked,
    pid: Pid,
    handle: OwnedFd,
}

/// A child of a fork server.
pub(super) struct ServedChild {
    connection: Arc<Mutex<Connection>>,
    pid: Pid,
    handle: OwnedFd,
}

/// A child of a fork server, with its channel and output.
pub(super) struct Birth {
    pub(super) forked: ServedChild,
    pub(super) channel: OwnedFd,
    pub(super) output: Capture,
    pub(super) errors: Capture,
}

impl ForkServer {
    /// Starts the server without waiting until it is ready; `preload` are the modules that it loads before it
    /// forks.
    ///
    /// # Errors
    /// It cannot be confined or started.
    pub fn start(launch: &Launch, preload: &[&str]) -> io::Result<ForkServer> {
        let (control, theirs) = rustix::net::socketpair(
            rustix::net::AddressFamily::UNIX,
            rustix::net::SocketType::SEQPACKET,
            rustix::net::SocketFlags::CLOEXEC,
            None,
        )?;
        rustix::net::sockopt::set_socket_timeout(
            &control,
            rustix::net::sockopt::Timeout::Recv,
            Some(PATIENCE),
        )?;
        let errors = Capture::new()?;
        let (Startable { mut command, group }, filter) = match &launch.jail {
            Some(jail) => {
                let filter = linux::inner_filter(jail.kind);
                (jail::server_command(jail, launch, theirs)?, Some(filter))
            }
            None => (spawn::command(launch, &Limits::boundless(), Some(theirs))?, None),
        };
        command.args(&launch.args).envs(launch.env.iter().map(|(key, value)| (key, value)));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(errors.fd().try_clone_to_owned()?));
        let child = command.spawn().map_err(spawn::error)?;
        drop(command);
        let connection = Arc::new(Mutex::new(Connection { control, spare: None, group }));
        let ahead = cores::is_free();
        let server = ForkServer {
            connection,
            child,
            baseline: launch.baseline,
            resident: launch.resident,
            errors,
            ready: false,
            ahead,
        };
        let setup = Setup { preload, filter };
        // A server that has already ended is noticed when it does not get ready.
        if !launch.first_message.is_empty() {
            let _ = send(&lock(&server.connection).control, &launch.first_message, &[]);
        }
        let _ = send(&lock(&server.connection).control, &setup.to_bytes(), &[]);
        Ok(server)
    }

    /// Memory that a child needs at start, in bytes.
    pub(crate) fn baseline(&self) -> u64 {
        self.baseline
    }

    /// Whether the memory limit of a child is one on resident memory.
    pub(crate) fn is_resident(&self) -> bool {
        self.resident
    }

    /// Waits until the server is ready.
    fn await_ready(&mut self) -> io::Result<()> {
        let answer = lock(&self.connection).answer();
        self.ready = answer.is_ok_and(|(answer, _)| answer == ForkAnswer::Ready);
        if self.ready {
            return Ok(());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = self.errors.take(ERRORS);
        let errors = String::from_utf8_lossy(&errors);
        Err(io::Error::other(format!("the fork server did not become ready: {}", errors.trim())))
    }

    /// A child for a run; if a core is free, the next one is forked meanwhile.
    pub(super) fn fork(&mut self, limits: &Limits) -> io::Result<Birth> {
        if !self.ready {
            self.await_ready()?;
        }
        let limits = self.child_limits(limits);
        let mut connection = lock(&self.connection);
        let child = match connection.take_spare()? {
            Some(spare) if spare.asked.limits == limits => spare,
            other => {
                if let Some(other) = other {
                    connection.discard(&other);
                }
                let asked = connection.ask(limits.clone())?;
                connection.born(asked)?
            }
        };
        if self.ahead {
            connection.spare = connection.ask(limits).ok().map(Spare::Asked);
        }
        let Newborn { asked: Asked { channel, output, errors, .. }, pid, handle } = child;
        let forked = ServedChild { connection: Arc::clone(&self.connection), pid, handle };
        Ok(Birth { forked, channel, output, errors })
    }

    /// The resource limits of a child.
    fn child_limits(&self, limits: &Limits) -> ChildLimits {
        let data = limits.memory.saturating_add(self.baseline);
        // The kernel does not count shared mappings as data.
        let memory = [(libc::RLIMIT_DATA, data), (libc::RLIMIT_AS, data.saturating_add(MAPPED))];
        let others = [
            (libc::RLIMIT_CPU, limits.kernel_cpu_seconds()),
            (libc::RLIMIT_FSIZE, limits.output),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_CORE, 0),
        ];
        ChildLimits::new(memory.into_iter().filter(|_| !self.resident).chain(others))
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        let mut connection = lock(&self.connection);
        if let Ok(Some(spare)) = connection.take_spare() {
            connection.discard(&spare);
        }
        drop(connection);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Connection {
    /// Requests a child without waiting for it.
    fn ask(&self, limits: ChildLimits) -> io::Result<Asked> {
        let (output, errors) = (Capture::new()?, Capture::new()?);
        let (ours, theirs) = UnixStream::pair()?;
        let request = ForkRequest::Fork(limits.clone());
        send(&self.control, &request.to_bytes(), &[theirs.as_fd(), output.fd(), errors.fd()])?;
        Ok(Asked { limits, channel: ours.into(), output, errors })
    }

    /// Takes the child requested ahead, and waits until the server has forked it.
    fn take_spare(&mut self) -> io::Result<Option<Newborn>> {
        match self.spare.take() {
            None => Ok(None),
            Some(Spare::Born(newborn)) => Ok(Some(newborn)),
            Some(Spare::Asked(asked)) => self.born(asked).map(Some),
        }
    }

    /// Waits until the server has forked the child of its last request.
    fn born(&self, asked: Asked) -> io::Result<Newborn> {
        match self.answer()? {
            (ForkAnswer::Born(pid), Some(handle)) => Ok(Newborn { asked, pid, handle }),
            _ => Err(io::Error::other("the fork server has ended unexpectedly")),
        }
    }

    /// The next answer, and the descriptor that comes with it.
    fn answer(&self) -> io::Result<(ForkAnswer, Option<OwnedFd>)> {
        let (bytes, mut handles) = receive(&self.control, ANSWER)?;
        let answer = ForkAnswer::from_bytes(&bytes)
            .ok_or_else(|| io::Error::other("the fork server has ended unexpectedly"))?;
        Ok((answer, handles.pop()))
    }

    /// Waits for the end of a child.
    fn death(&mut self, pid: Pid) -> io::Result<ExitInfo> {
        // The answer on the child requested ahead comes first.
        self.spare = self.take_spare()?.map(Spare::Born);
        send(&self.control, &ForkRequest::Wait(pid).to_bytes(), &[])?;
        let (ForkAnswer::Dead(death), _) = self.answer()? else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        Ok(ExitInfo {
            exit: spawn::exit_of(death.status),
            peak: Some(death.peak * 1024),
            cpu: death.user + death.system,
            is_out_of_memory: false,
        })
    }

    /// Ends a child that is not needed.
    fn discard(&mut self, child: &Newborn) {
        let _ = pidfd_send_signal(&child.handle, Signal::KILL);
        let _ = self.death(child.pid);
    }
}

impl ServedChild {
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn kill(&self) {
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }

    /// The end of the child, if it has ended.
    pub(super) fn try_wait(&self) -> Option<ExitInfo> {
        self.has_ended().then(|| self.wait())
    }

    /// Waits until the child has ended, and says how.
    pub(super) fn wait(&self) -> ExitInfo {
        let mut connection = lock(&self.connection);
        // Where there is no answer, the kernel has killed the child, as its server is gone.
        let exit = Exit::Signal(libc::SIGKILL);
        let death = connection.death(self.pid).unwrap_or(ExitInfo::by(exit));
        let is_out_of_memory =
            death.exit == exit && connection.group.as_ref().is_some_and(|group| group.has_killed());
        ExitInfo { is_out_of_memory, ..death }
    }

    /// Ends the child and lets the server reap it: nobody asks how it ended.
    pub(super) fn abandon(&self) {
        self.kill();
        let request = ForkRequest::Reap(self.pid);
        let _ = send(&lock(&self.connection).control, &request.to_bytes(), &[]);
    }

    fn has_ended(&self) -> bool {
        let mut fds = [PollFd::new(&self.handle, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
    }
}

pub(super) fn send(control: &OwnedFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("too many descriptors for one message"));
    }
    sendmsg(control, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives a message of at most `most` bytes, with its descriptors.
pub(super) fn receive(control: &OwnedFd, most: usize) -> io::Result<(Vec<u8>, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut bytes = vec![0; most];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = loop {
        match recvmsg(control.as_fd(), &mut [IoSliceMut::new(&mut bytes)], &mut ancillary, flags) {
            Err(Errno::INTR) => {}
            other => break other?,
        }
    };
    bytes.truncate(received.bytes);
    let mut handles = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            handles.extend(descriptors);
        }
    }
    Ok((bytes, handles))
}
