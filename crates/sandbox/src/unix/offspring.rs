//! The other side of a [`ForkServer`](super::ForkServer) in a program of its own: it forks a copy of itself for each run, and confines it.

use super::server::{BORN, DEAD, FORK, READY, REAP, WAIT, receive, send};
use super::spawn;
use crate::Tier;
use crate::linux::{self, Confinement, GroupLimits, ProgramKind, Request, Rlimits};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

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

/// Serves the keur that started this process, over the given socket; `body` is the life of a copy, and returns its
/// exit status. Returns when keur is gone.
///
/// # Errors
/// The socket fails, or the machine lacks what the tier needs. Keur sees this process end and reads its message.
pub fn serve_forks(tier: Tier, body: impl Fn(Offspring) -> i32) -> io::Result<()> {
    let control = super::inherited_socket();
    // There is nothing to load, and a copy is filtered when it is confined.
    receive(&control, REQUEST)?;
    send(&control, &[READY], &[])?;
    let mut confinements = HashMap::new();
    loop {
        let (message, mut descriptors) = receive(&control, REQUEST)?;
        let asked = match message.split_first() {
            None => return Ok(()),
            Some((&FORK, asked)) => asked,
            Some((&what @ (WAIT | REAP), pid)) => {
                see_off(&control, pid, what == WAIT)?;
                continue;
            }
            Some(_) => return Err(io::ErrorKind::InvalidData.into()),
        };
        let limits = limits(asked).ok_or(io::ErrorKind::InvalidData)?;
        let confinement = match confinements.get(&limits) {
            Some(confinement) => confinement,
            None => {
                let new = Confinement::prepare(&request(tier, &limits)?).map_err(io::Error::other)?;
                confinements.entry(limits.clone()).or_insert(new)
            }
        };
        let data = limit(&limits, libc::RLIMIT_DATA).unwrap_or(u64::MAX);
        let forked = confinement.fork(std::mem::take(&mut descriptors), |mut kept| {
            match (kept.pop(), kept.pop(), kept.pop()) {
                (Some(errors), Some(output), Some(channel)) => {
                    body(Offspring { channel, output, errors, data })
                }
                _ => 1,
            }
        })?;
        let mut answer = vec![BORN];
        answer.extend(forked.pid().to_ne_bytes());
        send(&control, &answer, &[forked.pidfd().as_fd()])?;
    }
}

/// Waits for a child, and reports how it ended if asked.
fn see_off(control: &OwnedFd, pid: &[u8], tell: bool) -> io::Result<()> {
    let pid = pid.first_chunk().map(|pid| i32::from_ne_bytes(*pid)).ok_or(io::ErrorKind::InvalidData)?;
    let Some((status, usage)) = spawn::wait_usage(pid, 0) else { return Ok(()) };
    if !tell {
        return Ok(());
    }
    let micros = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    let mut answer = vec![DEAD];
    answer.extend(status?.to_ne_bytes());
    for figure in [micros(usage.ru_utime), micros(usage.ru_stime), usage.ru_maxrss] {
        answer.extend(figure.to_ne_bytes());
    }
    send(control, &answer, &[])
}

/// The resource limits in a request.
fn limits(message: &[u8]) -> Option<Vec<(u32, u64)>> {
    let (count, rest) = message.split_first_chunk()?;
    let count = usize::try_from(u32::from_ne_bytes(*count)).ok()?;
    let entries: Vec<_> = rest.chunks_exact(12).take(count).collect();
    let read = |entry: &[u8]| {
        let (resource, value) = entry.split_first_chunk()?;
        Some((u32::from_ne_bytes(*resource), u64::from_ne_bytes(*value.first_chunk()?)))
    };
    entries.into_iter().map(read).collect()
}

#[allow(clippy::unnecessary_cast, reason = "the names are unsigned in glibc and signed in musl")]
fn limit(limits: &[(u32, u64)], resource: libc::__rlimit_resource_t) -> Option<u64> {
    limits.iter().find(|(name, _)| *name == resource as u32).map(|(_, value)| *value)
}

fn request(tier: Tier, limits: &[(u32, u64)]) -> io::Result<Request> {
    let data = limit(limits, libc::RLIMIT_DATA);
    Ok(Request {
        strictness: if tier == Tier::Strict {
            linux::Strictness::Strict
        } else {
            linux::Strictness::Standard
        },
        kind: ProgramKind::Own,
        executable: std::env::current_exe()?,
        readable: Vec::new(),
        hidden: Vec::new(),
        executables: Vec::new(),
        owned: Vec::new(),
        writable: Vec::new(),
        folder: None,
        allow_threads: false,
        rlimits: Rlimits {
            address_space: limit(limits, libc::RLIMIT_AS),
            data,
            file_size: limit(limits, libc::RLIMIT_FSIZE).unwrap_or(0),
            open_files: limit(limits, libc::RLIMIT_NOFILE).unwrap_or(0),
            processes: None,
            cpu_seconds: limit(limits, libc::RLIMIT_CPU).unwrap_or(0),
        },
        group: GroupLimits { memory: data.unwrap_or(u64::MAX), tasks: 1 },
    })
}
