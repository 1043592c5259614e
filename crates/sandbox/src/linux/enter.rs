//! The child's side: turns a copy of the parent into a confined process.
//!
//! Everything here runs between fork and exec, possibly in a copy of a program with threads. So it does not
//! allocate or lock: it only makes system calls and uses memory prepared in the parent. `rustix` neither
//! allocates nor locks either: on Linux it makes its system calls without a C library.

use super::bpf::Filter;
use super::fault::{StartFault, StartStep};
use super::group::{Cgroup, JOIN};
use super::identity::Identity;
use super::namespace::World;
use super::request::Kept;
use super::{identity, sys};
use crate::ProgramKind;
use crate::parts::MemoryGroup;
use rustix::fs::Mode;
use rustix::io::{Errno, fcntl_dupfd_cloexec, write};
use rustix::process::{
    Resource, Rlimit, Signal, chdir, getrlimit, set_parent_process_death_signal, setrlimit, setsid, umask,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};
use std::ffi::CString;
use std::io;
use std::os::fd::{IntoRawFd, OwnedFd, RawFd};
use std::os::unix::process::parent_id;
use std::path::PathBuf;

/// The first number above those that a process may ask to keep descriptors at.
pub(super) const KEPT_END: RawFd = 64;

/// The mask of modes with which a compiler begins: everybody may read what it makes, in a folder that is its
/// own.
const USUAL_UMASK: Mode = Mode::WGRP.union(Mode::WOTH);

/// The child's settings.
#[derive(Debug)]
pub(super) struct ConfinementPlan {
    pub(super) kind: ProgramKind,
    pub(super) executable: PathBuf,
    pub(super) ruleset: OwnedFd,
    pub(super) filter: Filter,
    pub(super) limits: Vec<(Resource, u64)>,
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

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The start of another program: descriptors close when it starts, and the one to report a failure on
    /// stays open until then.
    Execute,
    /// The program goes on: descriptors close at once, except the one to report a failure on, which comes
    /// last in `kept`.
    GoOn,
}

/// Confines this process for good. `kept` is sorted by number; `parent` is the process that must still exist.
pub(super) fn enter(
    plan: &ConfinementPlan,
    kept: &[Kept],
    filter: &mut Filter,
    id: u32,
    parent: u32,
    then: Then,
) -> Result<(), StartFault> {
    die_with(parent).map_err(StartFault::at(StartStep::Parent))?;
    start_session().map_err(StartFault::at(StartStep::Session))?;
    if let Some(group) = &plan.group {
        write(group.members(), JOIN).map_err(StartFault::at(StartStep::Cgroup))?;
    }
    let ruleset = arrange(&plan.ruleset, kept).map_err(StartFault::at(StartStep::Descriptors))?;
    if let Some(world) = &plan.world {
        world.enter()?;
    }
    if let Some(folder) = &plan.folder {
        chdir(folder).map_err(StartFault::at(StartStep::Mounts))?;
    }
    if plan.kind == ProgramKind::Compiler {
        // What it makes can then get a mode that its filter allows.
        umask(USUAL_UMASK);
    }
    for &(resource, value) in &plan.limits {
        limit(resource, value).map_err(StartFault::at(StartStep::Limits))?;
    }
    if plan.identity == Identity::Dropped {
        identity::become_id(id).map_err(StartFault::at(StartStep::Identity))?;
    }
    drop_capabilities().map_err(StartFault::at(StartStep::Identity))?;
    // A change of identity cancels the parent-death signal.
    if plan.identity == Identity::Dropped {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(StartFault::at(StartStep::Parent))?;
        if plan.world.is_none() {
            still_there(parent).map_err(StartFault::at(StartStep::Parent))?;
        }
    }
    set_no_new_privs(true).map_err(StartFault::at(StartStep::Privileges))?;
    sys::landlock_restrict(&ruleset).map_err(StartFault::at(StartStep::Landlock))?;
    drop(ruleset);
    close_others(kept, then).map_err(StartFault::at(StartStep::Descriptors))?;
    filter.own(std::process::id());
    sys::seccomp(filter.code()).map_err(StartFault::at(StartStep::Seccomp))
}

/// Asks to die with the parent, which may already be dead.
fn die_with(parent: u32) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    still_there(parent)
}

fn still_there(parent: u32) -> io::Result<()> {
    if parent_id() == parent { Ok(()) } else { Err(Errno::SRCH.into()) }
}

/// Starts a new session. A process that leads a group cannot do this, and need not.
fn start_session() -> io::Result<()> {
    match setsid() {
        Err(error) if error != Errno::PERM => Err(error.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Sets the soft and the hard limit, unless it is already lower.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |hard| value.min(hard));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

/// Gives up all capabilities and, if allowed, the means of getting them back.
fn drop_capabilities() -> io::Result<()> {
    // A plain user may not, and numbers above the kernel's last are refused: nothing is left to drop from
    // there on.
    let _ = (0..u64::BITS).try_for_each(|number| {
        remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number))
    });
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Moves the kept descriptors to their numbers, through unused numbers, because one may occupy another's
/// number. Returns a copy of the ruleset that is out of their way too.
///
/// If `std` has put its own channel at one of these numbers, it is lost. The parent then sees a later failure
/// as a program that ended at once.
fn arrange(ruleset: &OwnedFd, kept: &[Kept]) -> io::Result<OwnedFd> {
    let ruleset = fcntl_dupfd_cloexec(ruleset, KEPT_END)?;
    let mut copies = [0; KEPT_END as usize];
    for (copy, kept) in copies.iter_mut().zip(kept) {
        *copy = fcntl_dupfd_cloexec(&kept.ours, KEPT_END)?.into_raw_fd();
    }
    for (copy, kept) in copies.iter().zip(kept) {
        sys::copy_to(*copy, kept.number)?;
    }
    Ok(ruleset)
}

/// Closes every descriptor except the standard three and the kept ones, which are sorted by number.
fn close_others(kept: &[Kept], then: Then) -> io::Result<()> {
    let mut first = 3;
    for &Kept { number, .. } in kept {
        if number > first {
            sys::close_range(first, (number - 1) as u32, then == Then::Execute)?;
        }
        first = number + 1;
    }
    sys::close_range(first, u32::MAX, then == Then::Execute)
}
