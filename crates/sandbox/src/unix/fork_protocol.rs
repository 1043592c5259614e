//! The messages between a [`ForkServer`](super::ForkServer) and the process that forks, as the bytes of one
//! packet each.

use crate::linux::Filter;
use rustix::process::Pid;
use std::time::Duration;

/// The first message, which has no answer of its own: the server then gets ready. `driver.py` of Python reads
/// it; a server that confines each copy itself reads none of it.
pub(super) struct Setup<'a> {
    /// The modules that the server loads before it forks.
    pub(super) preload: &'a [&'a str],
    /// The filter that each copy adds, if it is confined.
    pub(super) filter: Option<Filter>,
}

/// Resource limits of a child: the kernel's number of each resource, and its limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ChildLimits(Vec<(u32, u64)>);

/// A request to the process that forks.
#[derive(Debug, PartialEq)]
pub(super) enum ForkRequest {
    /// Fork a child.
    Fork(ChildLimits),
    /// Wait for a child, and report how it ended.
    Wait(Pid),
    /// Wait for a child without a report.
    Reap(Pid),
}

/// An answer of the process that forks.
#[derive(Debug, PartialEq)]
pub(super) enum ForkAnswer {
    /// The server can take requests.
    Ready,
    /// The server has forked this child.
    Born(Pid),
    /// A child has ended.
    Dead(Death),
}

/// The end of a child.
#[derive(Debug, PartialEq)]
pub(super) struct Death {
    /// The status that the kernel reports.
    pub(super) status: i32,
    /// Processor time in the program.
    pub(super) user: Duration,
    /// Processor time in the kernel.
    pub(super) system: Duration,
    /// The most memory that it used, in KiB.
    pub(super) peak: u64,
}

/// The type of `RLIMIT_CPU` and the like: unsigned in glibc, signed in musl.
#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = libc::c_int;

impl ChildLimits {
    #[allow(clippy::unnecessary_cast, reason = "a `Resource` is unsigned only in glibc")]
    pub(super) fn new(limits: impl IntoIterator<Item = (Resource, u64)>) -> ChildLimits {
        ChildLimits(limits.into_iter().map(|(resource, limit)| (resource as u32, limit)).collect())
    }

    #[allow(clippy::unnecessary_cast, reason = "a `Resource` is unsigned only in glibc")]
    pub(super) fn get(&self, resource: Resource) -> Option<u64> {
        self.0.iter().find(|(name, _)| *name == resource as u32).map(|(_, limit)| *limit)
    }

    fn from_bytes(bytes: &[u8]) -> Option<ChildLimits> {
        let (count, entries) = bytes.split_first_chunk()?;
        let entries = entries.chunks_exact(12).take(usize::try_from(u32::from_ne_bytes(*count)).ok()?);
        let read = |entry: &[u8]| {
            let (resource, limit) = entry.split_first_chunk()?;
            Some((u32::from_ne_bytes(*resource), u64::from_ne_bytes(*limit.first_chunk()?)))
        };
        entries.map(read).collect::<Option<_>>().map(ChildLimits)
    }
}

impl Setup<'_> {
    /// The length of the names and the number of offsets; the names, separated by spaces; the offsets at which
    /// a copy writes its own id into the filter; and the filter.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let names = self.preload.join(" ");
        let offsets = self.filter.as_ref().map(Filter::own_pid_offsets).unwrap_or_default();
        let number = |number: usize| u32::try_from(number).unwrap_or(0).to_ne_bytes();
        let mut bytes = [number(names.len()), number(offsets.len())].concat();
        bytes.extend(names.into_bytes());
        bytes.extend(offsets.into_iter().flat_map(number));
        bytes.extend(self.filter.as_ref().map(Filter::bytes).unwrap_or_default());
        bytes
    }
}

impl ForkRequest {
    const FORK: u8 = b'F';
    const WAIT: u8 = b'W';
    /// For *bury*, since an answer begins with `R`.
    const REAP: u8 = b'B';

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            ForkRequest::Fork(ChildLimits(limits)) => {
                let mut bytes = vec![ForkRequest::FORK];
                bytes.extend(u32::try_from(limits.len()).unwrap_or(0).to_ne_bytes());
                for (resource, limit) in limits {
                    bytes.extend(resource.to_ne_bytes());
                    bytes.extend(limit.to_ne_bytes());
                }
                bytes
            }
            ForkRequest::Wait(pid) => about(ForkRequest::WAIT, *pid),
            ForkRequest::Reap(pid) => about(ForkRequest::REAP, *pid),
        }
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<ForkRequest> {
        let (kind, rest) = bytes.split_first()?;
        match *kind {
            ForkRequest::FORK => ChildLimits::from_bytes(rest).map(ForkRequest::Fork),
            ForkRequest::WAIT => pid(rest).map(ForkRequest::Wait),
            ForkRequest::REAP => pid(rest).map(ForkRequest::Reap),
            _ => None,
        }
    }
}

impl ForkAnswer {
    const READY: u8 = b'R';
    const BORN: u8 = b'P';
    const DEAD: u8 = b'X';

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            ForkAnswer::Ready => vec![ForkAnswer::READY],
            ForkAnswer::Born(pid) => about(ForkAnswer::BORN, *pid),
            ForkAnswer::Dead(death) => {
                let mut bytes = vec![ForkAnswer::DEAD];
                bytes.extend(death.status.to_ne_bytes());
                let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
                for figure in [micros(death.user), micros(death.system), death.peak] {
                    bytes.extend(figure.to_ne_bytes());
                }
                bytes
            }
        }
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<ForkAnswer> {
        let (kind, rest) = bytes.split_first()?;
        match *kind {
            ForkAnswer::READY if rest.is_empty() => Some(ForkAnswer::Ready),
            ForkAnswer::BORN => pid(rest).map(ForkAnswer::Born),
            ForkAnswer::DEAD => {
                let (status, rest) = rest.split_first_chunk()?;
                let (user, rest) = rest.split_first_chunk()?;
                let (system, rest) = rest.split_first_chunk()?;
                Some(ForkAnswer::Dead(Death {
                    status: i32::from_ne_bytes(*status),
                    user: Duration::from_micros(u64::from_ne_bytes(*user)),
                    system: Duration::from_micros(u64::from_ne_bytes(*system)),
                    peak: u64::from_ne_bytes(rest.try_into().ok()?),
                }))
            }
            _ => None,
        }
    }
}

/// A message about a process.
fn about(kind: u8, pid: Pid) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend(pid.as_raw_nonzero().get().to_ne_bytes());
    bytes
}

fn pid(bytes: &[u8]) -> Option<Pid> {
    Pid::from_raw(i32::from_ne_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{ChildLimits, Death, ForkAnswer, ForkRequest};
    use rustix::process::Pid;
    use std::time::Duration;

    #[test]
    fn messages_survive_the_way_there_and_no_shorter_one_is_read() {
        let pid = Pid::from_raw(7).unwrap();
        let limits = ChildLimits::new([(libc::RLIMIT_CPU, 1), (libc::RLIMIT_DATA, u64::MAX)]);
        for request in [ForkRequest::Fork(limits), ForkRequest::Wait(pid), ForkRequest::Reap(pid)] {
            assert_eq!(ForkRequest::from_bytes(&request.to_bytes()), Some(request));
        }
        let (user, system) = (Duration::from_micros(3), Duration::from_secs(1));
        let dead = ForkAnswer::Dead(Death { status: 9, user, system, peak: 1024 });
        for answer in [ForkAnswer::Ready, ForkAnswer::Born(pid), dead] {
            let bytes = answer.to_bytes();
            assert_eq!(ForkAnswer::from_bytes(&bytes[..bytes.len() - 1]), None, "{answer:?}");
            assert_eq!(ForkAnswer::from_bytes(&bytes), Some(answer));
        }
    }
}
