//! Programs on a Unix system: children with kernel limits, and a socket or pipes as their channel.

mod capture;
mod channel;
mod child;
#[cfg(target_os = "linux")]
mod fork_protocol;
mod inherited;
#[cfg(target_os = "linux")]
mod offspring;
#[cfg(target_os = "linux")]
mod server;
pub(super) mod spawn;

pub(super) use capture::Capture;
#[cfg(target_os = "linux")]
pub(super) use inherited::SOCKET_FD;
pub use inherited::inherited_socket;
pub(super) use libc::{SIGKILL, SIGXCPU, SIGXFSZ};
#[cfg(target_os = "linux")]
pub use offspring::{Offspring, serve_forks};
#[cfg(target_os = "linux")]
pub use server::ForkServer;
pub(super) use spawn::own_peak;

use super::Limits;
use super::launch::{Launch, Transport};
use super::parts::{Parts, Startable};
use crate::lock;
use channel::Fds;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::Mutex;

/// Held while a program is started on systems where making a descriptor and keeping it from other children
/// takes two calls. Otherwise another worker's child could inherit an end of the channel, which would then
/// never close.
static STARTING: Mutex<()> = Mutex::new(());

/// Starts a program under `limits`.
pub(super) fn start(launch: &Launch, limits: &Limits) -> io::Result<Parts> {
    let atomic = cfg!(target_os = "linux");
    let _alone = (!atomic).then(|| lock(&STARTING));
    let (output, errors) = (Capture::new()?, Capture::new()?);
    let (ours, theirs) = match launch.transport {
        Transport::Socket => {
            let (ours, theirs) = UnixStream::pair()?;
            (Some(OwnedFd::from(ours)), Some(OwnedFd::from(theirs)))
        }
        Transport::Pipes => (None, None),
    };
    let Startable { mut command, group } = spawn::command(launch, limits, theirs)?;
    command.args(&launch.args).envs(launch.env.iter().map(|(key, value)| (key, value)));
    command.stderr(Stdio::from(errors.fd().try_clone_to_owned()?));
    match launch.transport {
        Transport::Socket => {
            command.stdin(Stdio::null()).stdout(Stdio::from(output.fd().try_clone_to_owned()?));
        }
        Transport::Pipes => {
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
        }
    }
    let mut child = command.spawn().map_err(spawn::error)?;
    // This also drops our copy of the program's end of the socket.
    drop(command);
    let (reader, writer) = match (ours, child.stdin.take(), child.stdout.take()) {
        (Some(ours), _, _) => (ours.try_clone()?, ours),
        (None, Some(stdin), Some(stdout)) => (OwnedFd::from(stdout), OwnedFd::from(stdin)),
        (None, _, _) => return Err(io::Error::other("the program has no pipes")),
    };
    Ok(Parts {
        channel: Box::new(Fds::new(reader, writer)?),
        child: Box::new(child::UnixChild::own(rustix::process::Pid::from_child(&child), group)),
        output: Box::new(output),
        errors: Box::new(errors),
    })
}

/// A process that a fork server starts for a run.
#[cfg(target_os = "linux")]
pub(super) fn fork(server: &mut ForkServer, limits: &Limits) -> io::Result<Parts> {
    let birth = server.fork(limits)?;
    Ok(Parts {
        channel: Box::new(Fds::new(birth.channel.try_clone()?, birth.channel)?),
        child: Box::new(child::UnixChild::forked(birth.forked)),
        output: Box::new(birth.output),
        errors: Box::new(birth.errors),
    })
}
