//! A fork server: a confined interpreter that never loads a submission itself, and forks a child for each case.

use super::parts::{Death, Written};
use super::process::Launch;
use super::unix::{Capture, spawn};
use super::{Limits, cores, jail, linux};
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

/// The first bytes of what is asked of a server: to fork a child, to wait for one and tell how it ended, to wait for
/// one of which nobody asks.
pub(super) const FORK: u8 = b'F';
pub(super) const WAIT: u8 = b'W';
pub(super) const BURY: u8 = b'B';

/// The first bytes of its answers: it is ready, a child is born, a child is dead.
pub(super) const READY: u8 = b'R';
pub(super) const BORN: u8 = b'P';
pub(super) const DEAD: u8 = b'X';

/// Time for the interpreter to start, and to answer.
const PATIENCE: i64 = 60;

/// The most of what a server says when it fails, in bytes.
const ERRORS: u64 = 4096;

/// Room for an answer, in bytes.
const ANSWER: usize = 64;

/// Extra processor seconds before the kernel ends a child, should keur not have done so.
const CPU_MARGIN: u64 = 2;

/// Address space of a child besides its writable memory, in bytes: the interpreter's program and its libraries.
const MAPPED: u64 = 128 << 20;

/// Open files that a child may have.
const OPEN_FILES: u64 = 64;

/// A running fork server. Its children are used one at a time. Where there is a core to spare the next one is asked for
/// ahead, and forked while the one before it works; else it would only have more pages to copy.
pub struct ForkServer {
    line: Arc<Mutex<Line>>,
    child: Child,
    baseline: u64,
    errors: Capture,
    ready: bool,
    /// Whether children are asked for ahead.
    ahead: bool,
}

/// The line to a server. Answers come in the order of what is asked.
struct Line {
    control: OwnedFd,
    /// The child that was asked for ahead.
    spare: Option<Spare>,
}

/// A child that was asked for.
struct Spare {
    /// What was asked.
    request: Vec<u8>,
    channel: OwnedFd,
    output: Capture,
    errors: Capture,
    /// Who it is, once the server has said.
    born: Option<(Pid, OwnedFd)>,
}

/// A child of a fork server.
pub(super) struct Forked {
    line: Arc<Mutex<Line>>,
    pid: Pid,
    handle: OwnedFd,
}

/// A child of a fork server, with what it is spoken to and listened to by.
pub(super) struct Birth {
    pub(super) forked: Forked,
    pub(super) channel: OwnedFd,
    pub(super) output: Capture,
    pub(super) errors: Capture,
}

impl ForkServer {
    /// Starts the server, and does not wait until it is ready; `preload` are the modules that it loads before it forks.
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
        let (mut command, filter) = match &launch.jail {
            Some(jail) => {
                let filter = linux::inner_filter(linux::Flavour::PythonForkServer, false);
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
        let line = Arc::new(Mutex::new(Line { control, spare: None }));
        let ahead = cores::is_free();
        let server = ForkServer { line, child, baseline: launch.baseline, errors, ready: false, ahead };
        let names = preload.join(" ");
        let mut setup = u32::try_from(names.len()).unwrap_or(0).to_ne_bytes().to_vec();
        let offsets = filter.as_ref().map(linux::Filter::own_pid_offsets).unwrap_or_default();
        setup.extend(u32::try_from(offsets.len()).unwrap_or(0).to_ne_bytes());
        setup.extend(names.into_bytes());
        setup.extend(offsets.iter().flat_map(|offset| u32::try_from(*offset).unwrap_or(0).to_ne_bytes()));
        setup.extend(filter.map(|filter| filter.bytes()).unwrap_or_default());
        // A server that has ended already is noticed when it does not get ready.
        let _ = send(&lock(&server.line).control, &setup, &[]);
        Ok(server)
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
        Err(io::Error::other(format!("the fork server did not get ready: {said}")))
    }

    /// A child for a case; where there is a core to spare, another one is forked meanwhile.
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
        let forked = Forked { line: Arc::clone(&self.line), pid, handle };
        Ok(Birth { forked, channel: spare.channel, output: spare.output, errors: spare.errors })
    }

    /// What a server is asked for a child: the limits of its resources.
    fn request(&self, limits: &Limits) -> Vec<u8> {
        let rlimits = [
            (libc::RLIMIT_CPU, limits.cpu.as_secs() + 1 + CPU_MARGIN),
            (libc::RLIMIT_DATA, limits.memory.saturating_add(self.baseline)),
            // Shared mappings are no data to the kernel.
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

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Asks for a child, without waiting for it.
    fn ask(&self, request: Vec<u8>) -> io::Result<Spare> {
        let (output, errors) = (Capture::new()?, Capture::new()?);
        let (ours, theirs) = UnixStream::pair()?;
        send(&self.control, &request, &[theirs.as_fd(), output.fd(), errors.fd()])?;
        Ok(Spare { request, channel: ours.into(), output, errors, born: None })
    }

    /// Who a child is that was asked for: nothing else was asked since.
    fn born(&self, spare: &mut Spare) -> io::Result<(Pid, OwnedFd)> {
        if let Some(born) = spare.born.take() {
            return Ok(born);
        }
        let (answer, mut handles) = receive(&self.control, ANSWER)?;
        let pid = match answer.as_slice() {
            [BORN, a, b, c, d] => Pid::from_raw(i32::from_ne_bytes([*a, *b, *c, *d])),
            _ => None,
        };
        pid.zip(handles.pop()).ok_or_else(|| io::Error::other("the fork server has gone away"))
    }

    /// How a child ended: waits for it.
    fn death(&mut self, pid: Pid) -> io::Result<Death> {
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
        Ok(Death {
            exit: spawn::exit_of(status),
            peak: u64::try_from(long(&answer[21..])).unwrap_or(0) * 1024,
            cpu: Duration::from_micros(u64::try_from(micros).unwrap_or(0)),
        })
    }

    /// Ends a child that is not needed after all.
    fn discard(&mut self, spare: &mut Spare) {
        if let Ok((pid, handle)) = self.born(spare) {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
            let _ = self.death(pid);
        }
    }
}

impl Forked {
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn kill(&self) {
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }

    /// How the child ended: at once if it has, waiting for it when it `must`.
    pub(super) fn wait(&self, must: bool) -> Option<Death> {
        if !must && !self.has_ended() {
            return None;
        }
        let lost = Death { exit: super::Exit::Signal(0), peak: 0, cpu: Duration::ZERO };
        Some(lock(&self.line).death(self.pid).unwrap_or(lost))
    }

    /// Ends the child, and leaves it to the server to see it off: nobody asks how it ended.
    pub(super) fn abandon(&self) {
        self.kill();
        let mut request = vec![BURY];
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

/// A message of at most `most` bytes, with its descriptors.
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
