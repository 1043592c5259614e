//! The child's side: turns a copy of the parent into a confined process.
//!
//! Everything here runs between fork and exec, possibly in a copy of a program with threads. So it does not allocate
//! or lock: it only makes system calls and uses memory prepared in the parent.

use super::bpf::Filter;
use super::fault::{StartFault, StartStep};
use super::group::{Cgroup, JOIN};
use super::identity::Identity;
use super::namespace::World;
use super::sys;
use crate::ProgramKind;
use crate::parts::MemoryGroup;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;

/// The first number above those that a process may ask to keep descriptors at.
pub(super) const KEPT_END: RawFd = 64;

/// The mask of modes with which a compiler begins: everybody may read what it makes, in a folder that is its own.
const USUAL_UMASK: u32 = 0o022;

/// The child's settings.
#[derive(Debug)]
pub(super) struct ConfinementPlan {
    pub(super) kind: ProgramKind,
    pub(super) executable: PathBuf,
    pub(super) ruleset: OwnedFd,
    pub(super) filter: Filter,
    pub(super) limits: Vec<(u32, u64)>,
    pub(super) identity: Identity,
    /// The shared id of all processes, if what they write must belong to it.
    pub(super) id: Option<u32>,
    pub(super) world: Option<World>,
    /// The folder to work in; the root folder if there is none.
    pub(super) folder: Option<CString>,
    pub(super) group: Option<Cgroup>,
}

impl MemoryGroup for ConfinementPlan {
    fn has_killed(&self) -> bool {
        self.group.as_ref().is_some_and(Cgroup::has_killed)
    }
}

impl ConfinementPlan {
    pub(super) fn ruleset(&self) -> RawFd {
        self.ruleset.as_raw_fd()
    }
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Another program: descriptors close when it starts, and the one to report a failure on stays open until then.
    Execute,
    /// This program: descriptors close at once, except the one to report a failure on, which comes last in `kept`.
    GoOn,
}

/// Confines this process for good. `kept` are pairs of a descriptor and its new number; `parent` is the process that
/// must still exist.
pub(super) fn enter(
    plan: &ConfinementPlan,
    kept: &mut [(RawFd, RawFd)],
    filter: &mut Filter,
    id: u32,
    parent: u32,
    then: Then,
) -> Result<(), StartFault> {
    let at = |step| move |source| StartFault::new(step, source);
    die_with(parent).map_err(at(StartStep::Parent))?;
    sys::new_session().map_err(at(StartStep::Session))?;
    if let Some(group) = &plan.group {
        sys::write(group.members(), JOIN).map_err(at(StartStep::Cgroup))?;
    }
    let ruleset = arrange(plan.ruleset(), kept).map_err(at(StartStep::Descriptors))?;
    if let Some(world) = &plan.world {
        world.enter()?;
    }
    if let Some(folder) = &plan.folder {
        sys::change_folder(folder).map_err(at(StartStep::Mounts))?;
    }
    if plan.kind == ProgramKind::Compiler {
        // What it makes can then get a mode that its filter allows.
        sys::set_umask(USUAL_UMASK).map_err(at(StartStep::Limits))?;
    }
    for &(resource, value) in &plan.limits {
        limit(resource, value).map_err(at(StartStep::Limits))?;
    }
    if plan.identity == Identity::Dropped {
        sys::become_id(id).map_err(at(StartStep::Identity))?;
    }
    sys::drop_capabilities().map_err(at(StartStep::Identity))?;
    // A change of identity cancels the parent-death signal.
    if plan.identity == Identity::Dropped {
        sys::die_with_parent().map_err(at(StartStep::Parent))?;
        if plan.world.is_none() {
            still_there(parent).map_err(at(StartStep::Parent))?;
        }
    }
    sys::no_new_privileges().map_err(at(StartStep::Privileges))?;
    sys::landlock_restrict(ruleset).map_err(at(StartStep::Landlock))?;
    close_others(kept, then).map_err(at(StartStep::Descriptors))?;
    filter.own(sys::pid());
    sys::seccomp(filter.code()).map_err(at(StartStep::Seccomp))
}

/// Asks to die with the parent, which may already be dead.
fn die_with(parent: u32) -> io::Result<()> {
    sys::die_with_parent()?;
    still_there(parent)
}

fn still_there(parent: u32) -> io::Result<()> {
    if sys::parent() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
}

/// Sets a limit, unless it is already lower.
fn limit(resource: u32, value: u64) -> io::Result<()> {
    sys::limit(resource, value.min(sys::hard_limit(resource)?))
}

/// Moves the kept descriptors to their numbers, through unused numbers, because one may occupy another's number.
/// Returns the ruleset's new number, which is out of their way too.
///
/// If `std` has put its own channel at one of these numbers, it is lost. The parent then sees a later failure as a
/// program that ended at once.
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

/// Closes every descriptor except the standard three and the kept ones, which are sorted by number.
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
