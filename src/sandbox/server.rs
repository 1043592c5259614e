//! A fork server: a confined interpreter that never loads a submission itself, and forks a child for each case.

use super::parts::{Death, Written};
use super::process::Launch;
use super::unix::{Capture, spawn};
use super::{Limits, jail, linux};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Time for the interpreter to start, and to answer.
const PATIENCE: i64 = 60;

/// Room for an answer, in bytes.
const ANSWER: usize = 64;

/// Extra processor seconds before the kernel ends a child, should keur not have done so.
const CPU_MARGIN: u64 = 2;

/// Address space of a child besides its writable memory, in bytes: the interpreter's program and its libraries.
const MAPPED: u64 = 128 << 20;

/// Open files that a child may have.
const OPEN_FILES: u64 = 64;

/// A running fork server. Its children are used one at a time.
pub struct ForkServer {
    control: Arc<OwnedFd>,
    child: Child,
    baseline: u64,
    errors: Capture,
}

/// A child of a fork server.
pub(super) struct Forked {
    control: Arc<OwnedFd>,
    pid: rustix::process::Pid,
    handle: OwnedFd,
}

impl ForkServer {
    /// Starts the server; `seed` is that of its children's random numbers.
    ///
    /// # Errors
    /// It cannot be confined or started.
    pub fn start(launch: &Launch, seed: u64) -> io::Result<ForkServer> {
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
        let mut server = ForkServer { control: Arc::new(control), child, baseline: launch.baseline, errors };
        let mut setup = seed.to_ne_bytes().to_vec();
        let offsets = filter.as_ref().map(linux::Filter::own_pid_offsets).unwrap_or_default();
        setup.extend(u32::try_from(offsets.len()).unwrap_or(0).to_ne_bytes());
        setup.extend(offsets.iter().flat_map(|offset| u32::try_from(*offset).unwrap_or(0).to_ne_bytes()));
        setup.extend(filter.map(|filter| filter.bytes()).unwrap_or_default());
        let ready = send(&server.control, &setup, &[])
            .and_then(|()| receive(&server.control, RecvFlags::empty(), ANSWER));
        match ready {
            Ok((message, _)) if message == b"R" => Ok(server),
            Ok(_) | Err(_) => {
                let _ = server.child.kill();
                let _ = server.child.wait();
                let said = String::from_utf8_lossy(&server.errors.take(4096)).trim().to_owned();
                Err(io::Error::other(format!("the fork server did not get ready: {said}")))
            }
        }
    }

    /// Forks a child that answers on `channel` and writes to `output` and `errors`, in this order.
    pub(super) fn fork(
        &self,
        preload: &[String],
        limits: &Limits,
        descriptors: [BorrowedFd<'_>; 3],
    ) -> io::Result<Forked> {
        let rlimits = [
            (libc::RLIMIT_CPU, limits.cpu.as_secs() + 1 + CPU_MARGIN),
            (libc::RLIMIT_DATA, limits.memory.saturating_add(self.baseline)),
            // Shared mappings are no data to the kernel.
            (libc::RLIMIT_AS, limits.memory.saturating_add(self.baseline).saturating_add(MAPPED)),
            (libc::RLIMIT_FSIZE, limits.output),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_CORE, 0),
        ];
        let mut message = u32::try_from(rlimits.len()).unwrap_or(0).to_ne_bytes().to_vec();
        for (resource, limit) in rlimits {
            message.extend(resource.to_ne_bytes());
            message.extend(limit.to_ne_bytes());
        }
        message.extend(preload.join(" ").into_bytes());
        send(&self.control, &message, &descriptors)?;
        let (answer, mut handles) = receive(&self.control, RecvFlags::empty(), ANSWER)?;
        let pid = match answer.as_slice() {
            [b'P', a, b, c, d] => rustix::process::Pid::from_raw(i32::from_ne_bytes([*a, *b, *c, *d])),
            _ => None,
        };
        match (pid, handles.pop()) {
            (Some(pid), Some(handle)) => Ok(Forked { control: Arc::clone(&self.control), pid, handle }),
            _ => Err(io::Error::other("the fork server has gone away")),
        }
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Forked {
    pub(super) fn pid(&self) -> rustix::process::Pid {
        self.pid
    }

    pub(super) fn kill(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.handle, rustix::process::Signal::KILL);
    }

    /// How the child ended: at once if it has, waiting for it when it `must`.
    pub(super) fn wait(&self, must: bool) -> Option<Death> {
        let flags = if must { RecvFlags::empty() } else { RecvFlags::DONTWAIT };
        let long = |bytes: &[u8]| bytes.first_chunk().map_or(0, |chunk| i64::from_ne_bytes(*chunk));
        let lost = Death { exit: super::Exit::Signal(0), peak: 0, cpu: Duration::ZERO };
        match receive(&self.control, flags, ANSWER) {
            Ok((message, _)) if message.len() == 29 && message[0] == b'X' => {
                let status = message[1..].first_chunk().map_or(0, |chunk| i32::from_ne_bytes(*chunk));
                let micros = long(&message[5..]) + long(&message[13..]);
                Some(Death {
                    exit: spawn::exit_of(status),
                    peak: u64::try_from(long(&message[21..])).unwrap_or(0) * 1024,
                    cpu: Duration::from_micros(u64::try_from(micros).unwrap_or(0)),
                })
            }
            Err(error) if error.raw_os_error() == Some(Errno::AGAIN.raw_os_error()) && !must => None,
            Ok(_) | Err(_) => Some(lost),
        }
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
pub(super) fn receive(
    control: &OwnedFd,
    flags: RecvFlags,
    most: usize,
) -> io::Result<(Vec<u8>, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut bytes = vec![0; most];
    let flags = flags | RecvFlags::CMSG_CLOEXEC;
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
