//! The road of the child: from a copy of the parent to a process that can do no harm.
//!
//! Everything here runs between fork and exec, possibly in a copy of a program with threads: no allocation,
//! no lock, only system calls and memory that was made ready in the parent.

use super::bpf::Filter;
use super::confinement::Plan;
use super::group::JOIN;
use super::identity::Identity;
use super::sys;
use std::error::Error;
use std::fmt;
use std::io;
use std::os::fd::RawFd;

/// The first number above those that a process may ask to keep descriptors at.
pub(super) const KEPT_END: RawFd = 64;

/// The steps of the child that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// Asking to die with the parent.
    Parent = 1,
    /// A session of its own.
    Session,
    /// Moving the kept descriptors and closing the others.
    Descriptors,
    /// Joining the cgroup.
    Group,
    /// Leaving the parent's namespaces.
    Namespaces,
    /// Mapping the user in a user namespace.
    UserMap,
    /// Putting the new root together.
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

const STEPS: [(Step, &str); 13] = [
    (Step::Parent, "ask to die with the parent"),
    (Step::Session, "start a session"),
    (Step::Descriptors, "arrange the descriptors"),
    (Step::Group, "join the cgroup"),
    (Step::Namespaces, "make namespaces"),
    (Step::UserMap, "map the user into a namespace"),
    (Step::Mounts, "mount the readable paths"),
    (Step::Limits, "set the resource limits"),
    (Step::Identity, "give up root"),
    (Step::Privileges, "give up new privileges"),
    (Step::Landlock, "enter the Landlock ruleset"),
    (Step::Seccomp, "install the system-call filter"),
    (Step::Execute, "execute the program"),
];

/// How a confined process failed to start.
#[derive(Debug)]
pub struct Fault {
    /// The step that failed.
    pub step: Step,
    /// The system's refusal.
    pub source: io::Error,
}

/// The step travels in the bits of an error number that no error uses.
const STEP_SHIFT: u32 = 16;

impl Fault {
    pub(super) fn new(step: Step, source: io::Error) -> Fault {
        Fault { step, source }
    }

    /// Reads what spawning a confined command failed with.
    pub fn of(error: io::Error) -> Fault {
        let Some(code) = error.raw_os_error() else { return Fault::new(Step::Execute, error) };
        Fault::from_code(code)
    }

    /// The fault as a number that `std` carries from the child to the parent.
    pub(super) fn code(&self) -> i32 {
        let errno = self.source.raw_os_error().unwrap_or(libc::EIO);
        ((self.step as i32) << STEP_SHIFT) | errno
    }

    pub(super) fn from_code(code: i32) -> Fault {
        let step = STEPS.iter().map(|(step, _)| *step).find(|step| *step as i32 == code >> STEP_SHIFT);
        let source = io::Error::from_raw_os_error(code & ((1 << STEP_SHIFT) - 1));
        Fault::new(step.unwrap_or(Step::Execute), source)
    }

    /// The error alone, as the exit status of a child that only tries.
    pub(super) fn exit_code(&self) -> u8 {
        self.source.raw_os_error().and_then(|errno| u8::try_from(errno).ok()).unwrap_or(u8::MAX)
    }

    pub(super) fn from_exit_code(step: Step, code: i32) -> Fault {
        Fault::new(step, io::Error::from_raw_os_error(code))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = STEPS.iter().find(|(step, _)| *step == self.step).map_or("start", |(_, what)| what);
        write!(f, "cannot {what}: {}", self.source)
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// What comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Another program: descriptors close when it starts, and the way to report a failure stays open until
    /// then.
    Execute,
    /// This program: descriptors close at once, but for the one to report a failure on, which comes last in
    /// `kept`.
    GoOn,
}

/// Confines this process for good. `kept` are pairs of a descriptor and the number it is to have; `parent` is
/// the process that must still be there.
pub(super) fn enter(
    plan: &Plan,
    kept: &mut [(RawFd, RawFd)],
    filter: &mut Filter,
    id: u32,
    parent: u32,
    then: Then,
) -> Result<(), Fault> {
    let at = |step| move |source| Fault::new(step, source);
    die_with(parent).map_err(at(Step::Parent))?;
    sys::new_session().map_err(at(Step::Session))?;
    if let Some(group) = &plan.group {
        sys::write(group.members(), JOIN).map_err(at(Step::Group))?;
    }
    let ruleset = arrange(plan.ruleset(), kept).map_err(at(Step::Descriptors))?;
    if let Some(world) = &plan.world {
        world.enter()?;
    }
    for &(resource, value) in &plan.limits {
        limit(resource, value).map_err(at(Step::Limits))?;
    }
    if plan.identity == Identity::Dropped {
        sys::become_id(id).map_err(at(Step::Identity))?;
    }
    sys::drop_capabilities().map_err(at(Step::Identity))?;
    // A change of identity cancels the request to die with the parent.
    if plan.identity == Identity::Dropped {
        sys::die_with_parent().map_err(at(Step::Parent))?;
        if plan.world.is_none() {
            still_there(parent).map_err(at(Step::Parent))?;
        }
    }
    sys::no_new_privileges().map_err(at(Step::Privileges))?;
    sys::landlock_restrict(ruleset).map_err(at(Step::Landlock))?;
    close_others(kept, then).map_err(at(Step::Descriptors))?;
    filter.own(sys::pid());
    sys::seccomp(filter.code()).map_err(at(Step::Seccomp))
}

/// Asks to die with the parent, which may have died just before.
fn die_with(parent: u32) -> io::Result<()> {
    sys::die_with_parent()?;
    still_there(parent)
}

fn still_there(parent: u32) -> io::Result<()> {
    if sys::parent() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
}

/// Sets a limit, or leaves it where it is lower already.
fn limit(resource: u32, value: u64) -> io::Result<()> {
    sys::limit(resource, value.min(sys::hard_limit(resource)?))
}

/// Moves the kept descriptors to their numbers, by way of numbers that nobody asked for: what is kept at one
/// number may lie at another's. Gives the ruleset's new number, which is out of their way too.
///
/// If `std` happens to have put its own channel at one of these numbers it is lost, and a later failure is
/// seen by the parent as a program that ended at once.
fn arrange(ruleset: RawFd, kept: &mut [(RawFd, RawFd)]) -> io::Result<RawFd> {
    let ruleset = sys::copy_above(ruleset, KEPT_END)?;
    for (ours, _) in &mut *kept {
        *ours = sys::copy_above(*ours, KEPT_END)?;
    }
    for (ours, number) in kept {
        sys::copy_to(*ours, *number)?;
    }
    Ok(ruleset)
}

/// Closes every descriptor but the standard three and the kept ones, which are in order of their numbers.
fn close_others(kept: &[(RawFd, RawFd)], then: Then) -> io::Result<()> {
    let mut first = 3;
    for &(_, number) in kept {
        if number > first {
            sys::close_range(first, (number - 1) as u32, then == Then::Execute)?;
        }
        first = number + 1;
    }
    sys::close_range(first, u32::MAX, then == Then::Execute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_survives_the_way_to_the_parent() {
        for (step, _) in STEPS {
            let fault = Fault::new(step, io::Error::from_raw_os_error(libc::EPERM));
            let seen = Fault::of(io::Error::from_raw_os_error(fault.code()));
            assert_eq!((seen.step, seen.source.raw_os_error()), (step, Some(libc::EPERM)));
        }
    }

    #[test]
    fn an_error_without_a_step_is_one_of_executing() {
        assert_eq!(Fault::of(io::Error::from_raw_os_error(libc::ENOENT)).step, Step::Execute);
    }
}
