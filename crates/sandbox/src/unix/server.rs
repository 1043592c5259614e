//! A fork server: a confined interpreter that never loads what a stranger wrote, and forks a child for each run.

use super::{Capture, spawn};
use crate::launch::Launch;
use crate::parts::{ExitInfo, OwnGroup, Startable, Written};
use crate::{Exit, Limits, cores, jail, linux};
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
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The first byte of each request: fork a child, wait for one and report how it ended, wait for one without a
/// report.
pub(super) const FORK: u8 = b'F';
pub(super) const WAIT: u8 = b'W';
pub(super) const REAP: u8 = b'B';

/// The first byte of each answer: ready, child started, child ended.
pub(super) const READY: u8 = b'R';
pub(super) const BORN: u8 = b'P';
pub(super) const DEAD: u8 = b'X';

/// Time limit for the interpreter to start, and to answer.
const PATIENCE: i64 = 60;

/// The most bytes kept of a failing server's message.
const ERRORS: u64 = 4096;

/// The size of an answer, in bytes.
const ANSWER: usize = 64;

/// Extra processor seconds before the kernel ends a child, if keur has not done so.
const CPU_MARGIN: u64 = 2;

/// Address space of a child beyond its writable memory, in bytes: the interpreter's program and its libraries.
const MAPPED: u64 = 128 << 20;

/// The most open files of a child.
const OPEN_FILES: u64 = 64;

/// A running fork server. Its children are used one at a time. If a core is free, the next one is requested ahead
/// and forked while the current one works; without one, that would only add pages to copy.
pub struct ForkServer {
    line: Arc<Mutex<Connection>>,
    child: Child,
    baseline: u64,
    errors: Capture,
    ready: bool,
    /// Whether children are requested ahead.
    ahead: bool,
}

/// The connection to a server. Answers come in the order of requests.
struct Connection {
    control: OwnedFd,
    /// The child requested ahead.
    spare: Option<Spare>,
    /// The memory group of the server and its children.
    group: OwnGroup,
}

/// A requested child.
struct Spare {
    /// The request.
    request: Vec<u8>,
    channel: OwnedFd,
    output: Capture,
    errors: Capture,
    /// Its process id, once the server has answered.
    born: Option<(Pid, OwnedFd)>,
}

/// A child of a fork server.
pub(super) struct ServedChild {
    line: Arc<Mutex<Connection>>,
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
    /// Starts the server without waiting until it is ready; `preload` are the modules that it loads before it forks.
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
            Some(Duration::from_secs(PATIENCE as u64)),
        )?;
        let errors = Capture::new()?;
        let (Startable { mut command, group }, filter) = match &launch.jail {
            Some(jail) => {
                let filter = linux::inner_filter(linux::ProgramKind::ForkServer, false);
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
        let line = Arc::new(Mutex::new(Connection { control, spare: None, group }));
        let ahead = cores::is_free();
        let server = ForkServer { line, child, baseline: launch.baseline, errors, ready: false, ahead };
        let names = preload.join(" ");
        let mut setup = u32::try_from(names.len()).unwrap_or(0).to_ne_bytes().to_vec();
        let offsets = filter.as_ref().map(linux::Filter::own_pid_offsets).unwrap_or_default();
        setup.extend(u32::try_from(offsets.len()).unwrap_or(0).to_ne_bytes());
        setup.extend(names.into_bytes());
        setup.extend(offsets.iter().flat_map(|offset| u32::try_from(*offset).unwrap_or(0).to_ne_bytes()));
        setup.extend(filter.map(|filter| filter.bytes()).unwrap_or_default());
        // A server that has already ended is noticed when it does not get ready.
        let _ = send(&lock(&server.line).control, &setup, &[]);
        Ok(server)
    }

    /// Memory that a child needs at start, in bytes.
    pub(crate) fn baseline(&self) -> u64 {
        self.baseline
    }

    /// Waits until the server is ready.
    fn await_ready(&mut self) -> io::Result<()> {
        let answer = receive(&lock(&self.line).control, ANSWER);
        self.ready = answer.is_ok_and(|(answer, _)| answer == [READY]);
        if self.ready {
            return Ok(());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let said = String::from_utf8_lossy(&self.errors.take(ERRORS)).trim().to_owned();
        Err(io::Error::other(format!("the fork server did not become ready: {said}")))
    }

    /// A child for a run; if a core is free, the next one is forked meanwhile.
    pub(super) fn fork(&mut self, limits: &Limits) -> io::Result<Birth> {
        if !self.ready {
            self.await_ready()?;
        }
        let request = self.request(limits);
        let mut line = lock(&self.line);
        let mut spare = match line.spare.take() {
            Some(spare) if spare.request == request => spare,
            other => {
                if let Some(mut other) = other {
                    line.discard(&mut other);
                }
                line.ask(request.clone())?
            }
        };
        let (pid, handle) = line.born(&mut spare)?;
        if self.ahead {
            line.spare = line.ask(request).ok();
        }
        let forked = ServedChild { line: Arc::clone(&self.line), pid, handle };
        Ok(Birth { forked, channel: spare.channel, output: spare.output, errors: spare.errors })
    }

    /// The request for a child: its resource limits.
    fn request(&self, limits: &Limits) -> Vec<u8> {
        let rlimits = [
            (libc::RLIMIT_CPU, limits.cpu.as_secs() + 1 + CPU_MARGIN),
            (libc::RLIMIT_DATA, limits.memory.saturating_add(self.baseline)),
            // The kernel does not count shared mappings as data.
            (libc::RLIMIT_AS, limits.memory.saturating_add(self.baseline).saturating_add(MAPPED)),
            (libc::RLIMIT_FSIZE, limits.output),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_CORE, 0),
        ];
        let mut request = vec![FORK];
        request.extend(u32::try_from(rlimits.len()).unwrap_or(0).to_ne_bytes());
        for (resource, limit) in rlimits {
            request.extend(resource.to_ne_bytes());
            request.extend(limit.to_ne_bytes());
        }
        request
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        if let Some(mut spare) = line.spare.take() {
            line.discard(&mut spare);
        }
        drop(line);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lock(line: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// Requests a child without waiting for it.
    fn ask(&self, request: Vec<u8>) -> io::Result<Spare> {
        let (output, errors) = (Capture::new()?, Capture::new()?);
        let (ours, theirs) = UnixStream::pair()?;
        send(&self.control, &request, &[theirs.as_fd(), output.fd(), errors.fd()])?;
        Ok(Spare { request, channel: ours.into(), output, errors, born: None })
    }

    /// The id of a requested child: no other request was made since.
    fn born(&self, spare: &mut Spare) -> io::Result<(Pid, OwnedFd)> {
        if let Some(born) = spare.born.take() {
            return Ok(born);
        }
        let (answer, mut handles) = receive(&self.control, ANSWER)?;
        let pid = match answer.as_slice() {
            [BORN, a, b, c, d] => Pid::from_raw(i32::from_ne_bytes([*a, *b, *c, *d])),
            _ => None,
        };
        pid.zip(handles.pop()).ok_or_else(|| io::Error::other("the fork server has ended unexpectedly"))
    }

    /// How a child ended: waits for it.
    fn death(&mut self, pid: Pid) -> io::Result<ExitInfo> {
        if let Some(mut spare) = self.spare.take() {
            // Its answer comes first.
            spare.born = Some(self.born(&mut spare)?);
            self.spare = Some(spare);
        }
        let mut request = vec![WAIT];
        request.extend(pid.as_raw_nonzero().get().to_ne_bytes());
        send(&self.control, &request, &[])?;
        let (answer, _) = receive(&self.control, ANSWER)?;
        let long = |bytes: &[u8]| bytes.first_chunk().map_or(0, |chunk| i64::from_ne_bytes(*chunk));
        if answer.len() != 29 || answer[0] != DEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let status = answer[1..].first_chunk().map_or(0, |chunk| i32::from_ne_bytes(*chunk));
        let micros = long(&answer[5..]) + long(&answer[13..]);
        Ok(ExitInfo {
            exit: spawn::exit_of(status),
            peak: u64::try_from(long(&answer[21..])).unwrap_or(0) * 1024,
            cpu: Duration::from_micros(u64::try_from(micros).unwrap_or(0)),
            is_out_of_memory: false,
        })
    }

    /// Ends a child that is not needed.
    fn discard(&mut self, spare: &mut Spare) {
        if let Ok((pid, handle)) = self.born(spare) {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
            let _ = self.death(pid);
        }
    }
}

impl ServedChild {
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn kill(&self) {
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }

    /// How the child ended, if it has.
    pub(super) fn try_wait(&self) -> Option<ExitInfo> {
        self.has_ended().then(|| self.wait())
    }

    /// Waits until the child has ended, and says how.
    pub(super) fn wait(&self) -> ExitInfo {
        let mut line = lock(&self.line);
        // Where there is no answer, the kernel has killed the child, as its server is gone.
        let exit = Exit::Signal(libc::SIGKILL);
        let death = line.death(self.pid).unwrap_or(ExitInfo::by(exit));
        let is_out_of_memory =
            death.exit == exit && line.group.as_ref().is_some_and(|group| group.has_killed());
        ExitInfo { is_out_of_memory, ..death }
    }

    /// Ends the child and lets the server reap it: nobody asks how it ended.
    pub(super) fn abandon(&self) {
        self.kill();
        let mut request = vec![REAP];
        request.extend(self.pid.as_raw_nonzero().get().to_ne_bytes());
        let _ = send(&lock(&self.line).control, &request, &[]);
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
