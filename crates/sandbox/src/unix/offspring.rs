//! The other side of a [`ForkServer`](super::ForkServer) in a program of its own: it forks a copy of itself
//! for each run, and confines it.

use super::fork_protocol::{ChildLimits, Death, ForkAnswer, ForkRequest};
use super::server::{receive, send};
use super::spawn;
use crate::Tier;
use crate::linux::{Confinement, GroupLimits, ProgramKind, Request, Rlimits};
use rustix::process::Pid;
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// The size of a request: the limits of a child; the first one holds data that this server does not need.
const REQUEST: usize = 1 << 16;

/// The resources of a forked copy.
pub struct Offspring {
    /// The channel for requests and replies.
    pub channel: OwnedFd,
    /// A file for the program's output.
    pub output: OwnedFd,
    /// A file for errors.
    pub errors: OwnedFd,
    /// The total writable memory of the copy, in bytes.
    pub data: u64,
}

/// Serves the keur that started this process, over the given socket; `body` is the life of a copy, and
/// returns its exit status. Returns when keur is gone.
///
/// # Errors
/// The socket fails, or the machine lacks what the tier needs. Keur sees this process end and reads its
/// message.
pub fn serve_forks(tier: Tier, body: impl Fn(Offspring) -> i32) -> io::Result<()> {
    let control = super::inherited_socket();
    // There is nothing to load, and a copy is filtered when it is confined.
    receive(&control, REQUEST)?;
    send(&control, &ForkAnswer::Ready.to_bytes(), &[])?;
    let mut confinements = HashMap::new();
    loop {
        let (message, descriptors) = receive(&control, REQUEST)?;
        if message.is_empty() {
            return Ok(());
        }
        let limits = match ForkRequest::from_bytes(&message).ok_or(io::ErrorKind::InvalidData)? {
            ForkRequest::Fork(limits) => limits,
            ForkRequest::Wait(pid) => {
                if let Some(death) = reap(pid)? {
                    send(&control, &ForkAnswer::Dead(death).to_bytes(), &[])?;
                }
                continue;
            }
            ForkRequest::Reap(pid) => {
                let _ = reap(pid);
                continue;
            }
        };
        let confinement = match confinements.get(&limits) {
            Some(confinement) => confinement,
            None => {
                let new = Confinement::prepare(&request(tier, &limits)?).map_err(io::Error::other)?;
                confinements.entry(limits.clone()).or_insert(new)
            }
        };
        let data = limits.get(libc::RLIMIT_DATA).unwrap_or(u64::MAX);
        let forked =
            confinement.fork(descriptors, |mut kept| match (kept.pop(), kept.pop(), kept.pop()) {
                (Some(errors), Some(output), Some(channel)) => {
                    body(Offspring { channel, output, errors, data })
                }
                _ => 1,
            })?;
        let pid = i32::try_from(forked.pid()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or(io::ErrorKind::InvalidData)?;
        send(&control, &ForkAnswer::Born(pid).to_bytes(), &[forked.pidfd().as_fd()])?;
    }
}

/// Waits for the end of a child; `None` if there is no such child.
fn reap(pid: Pid) -> io::Result<Option<Death>> {
    let Some((status, usage)) = spawn::wait_usage(pid.as_raw_nonzero().get(), 0) else { return Ok(None) };
    let time = |time: libc::timeval| {
        let micros = time.tv_sec * 1_000_000 + time.tv_usec;
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    };
    Ok(Some(Death {
        status: status?,
        user: time(usage.ru_utime),
        system: time(usage.ru_stime),
        peak: u64::try_from(usage.ru_maxrss).unwrap_or(0),
    }))
}

fn request(tier: Tier, limits: &ChildLimits) -> io::Result<Request> {
    let data = limits.get(libc::RLIMIT_DATA);
    let rlimits = Rlimits {
        address_space: limits.get(libc::RLIMIT_AS),
        data,
        file_size: limits.get(libc::RLIMIT_FSIZE).unwrap_or(0),
        open_files: limits.get(libc::RLIMIT_NOFILE).unwrap_or(0),
        processes: None,
        cpu_seconds: limits.get(libc::RLIMIT_CPU).unwrap_or(0),
    };
    let group = GroupLimits { memory: data.unwrap_or(u64::MAX), tasks: 1 };
    let request = Request::new(ProgramKind::Own, std::env::current_exe()?, rlimits, group);
    Ok(Request { strictness: tier.strictness().unwrap_or(request.strictness), ..request })
}
