//! How a confined process failed to start.

use std::io;

/// The steps of the child that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StartStep {
    /// Asking to die with the parent.
    Parent = 1,
    /// Starting its own session.
    Session,
    /// Moving the kept descriptors and closing the others.
    Descriptors,
    /// Joining the cgroup.
    Cgroup,
    /// Leaving the parent's namespaces.
    Namespaces,
    /// Mapping the user in a user namespace.
    UserMap,
    /// Building the new root.
    Mounts,
    /// The resource limits.
    Limits,
    /// Giving up root and capabilities.
    Identity,
    /// Giving up new privileges.
    Privileges,
    /// Landlock.
    Landlock,
    /// The filter of system calls.
    Seccomp,
    /// Executing the program.
    Execute,
}

const STEPS: [(StartStep, &str); 13] = [
    (StartStep::Parent, "ask to die with the parent"),
    (StartStep::Session, "start a session"),
    (StartStep::Descriptors, "arrange the descriptors"),
    (StartStep::Cgroup, "join the cgroup"),
    (StartStep::Namespaces, "make namespaces"),
    (StartStep::UserMap, "map the user into a namespace"),
    (StartStep::Mounts, "mount the readable paths"),
    (StartStep::Limits, "set the resource limits"),
    (StartStep::Identity, "give up root"),
    (StartStep::Privileges, "give up new privileges"),
    (StartStep::Landlock, "enter the Landlock ruleset"),
    (StartStep::Seccomp, "install the system-call filter"),
    (StartStep::Execute, "execute the program"),
];

impl StartStep {
    /// The step as it is told of: `cannot` this.
    fn text(self) -> &'static str {
        STEPS.iter().find(|(step, _)| *step == self).map_or("start", |(_, text)| text)
    }
}

/// The failure of a confined process to start.
#[derive(Debug, thiserror::Error)]
#[error("cannot {}: {source}", step.text())]
pub struct StartFault {
    /// The step that failed.
    pub step: StartStep,
    /// The system's refusal.
    pub source: io::Error,
}

/// The step travels in the bits of an error number that no error uses.
const STEP_SHIFT: u32 = 16;

impl StartFault {
    pub(super) fn new(step: StartStep, source: io::Error) -> StartFault {
        StartFault { step, source }
    }

    /// Turns a refusal at this step into its fault.
    pub(super) fn at<E: Into<io::Error>>(step: StartStep) -> impl FnOnce(E) -> StartFault {
        move |source| StartFault::new(step, source.into())
    }

    /// Reads a spawn error of a confined command.
    pub fn of(error: io::Error) -> StartFault {
        let Some(code) = error.raw_os_error() else { return StartFault::new(StartStep::Execute, error) };
        StartFault::from_code(code)
    }

    /// The fault as a number that `std` carries from the child to the parent.
    pub(super) fn code(&self) -> i32 {
        let errno = self.source.raw_os_error().unwrap_or(libc::EIO);
        ((self.step as i32) << STEP_SHIFT) | errno
    }

    pub(super) fn from_code(code: i32) -> StartFault {
        let step = STEPS.iter().map(|(step, _)| *step).find(|step| *step as i32 == code >> STEP_SHIFT);
        let source = io::Error::from_raw_os_error(code & ((1 << STEP_SHIFT) - 1));
        StartFault::new(step.unwrap_or(StartStep::Execute), source)
    }

    /// The error alone, as the exit status of a child that only probes.
    pub(super) fn exit_code(&self) -> u8 {
        self.source.raw_os_error().and_then(|errno| u8::try_from(errno).ok()).unwrap_or(u8::MAX)
    }

    pub(super) fn from_exit_code(step: StartStep, code: i32) -> StartFault {
        StartFault::new(step, io::Error::from_raw_os_error(code))
    }
}

#[cfg(test)]
mod tests {
    use super::{STEPS, StartFault, StartStep};
    use std::io;

    #[test]
    fn a_fault_survives_the_way_to_the_parent() {
        for (step, _) in STEPS {
            let fault = StartFault::new(step, io::Error::from_raw_os_error(libc::EPERM));
            let seen = StartFault::of(io::Error::from_raw_os_error(fault.code()));
            assert_eq!((seen.step, seen.source.raw_os_error()), (step, Some(libc::EPERM)));
        }
    }

    #[test]
    fn an_error_without_a_step_is_one_of_executing() {
        assert_eq!(StartFault::of(io::Error::from_raw_os_error(libc::ENOENT)).step, StartStep::Execute);
    }
}
