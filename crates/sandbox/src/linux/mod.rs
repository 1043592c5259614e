//! Confinement on Linux (x86-64 and aarch64), for root and for a plain user alike.
//!
//! A [`Request`] says what a process may have; [`Confinement::prepare`] turns it, in the parent, into
//! everything the child will need. The child then only makes system calls, between fork and exec, until it is
//! confined. Every process that the interpreter forks inherits the confinement, and cannot undo it.
//!
//! Three levels of [`Strictness`], each including the one before:
//!
//! | level | adds | needs |
//! |---|---|---|
//! | [`Strictness::Standard`] | Landlock (read-only on listed paths but for a work folder, no network, no signals outwards), an allow-list of system calls, resource limits, no descriptors but those listed, no new privileges, root dropped | Landlock, seccomp |
//! | [`Strictness::Isolated`] | its own mount, network, IPC and host-name namespaces; only the listed paths exist | user namespaces, or root |
//! | [`Strictness::Strict`] | a cgroup with a cap on memory and on tasks | cgroup v2 with both controllers delegated |
//!
//! Known limits. At the standard level a process can still learn whether a path exists and its size (`stat` is
//! not restricted by Landlock), and list the names in a [`Request::hidden`] folder, but not read the files.
//! Landlock before Linux 6.12 does not restrict signals and abstract sockets, before 7.1 not sockets with a
//! name, before 7.2 not UDP: there only the system-call filter refuses them. No level has a pid namespace: a
//! fork server would have to be its first process, and signals are refused anyway.
//!
//! Where to start: `confinement` is the entry point, `enter` the child's side, `policy` the allowed system
//! calls. Unsafe code is in `sys` only.

mod bpf;
mod confinement;
mod enter;
mod fault;
mod group;
mod identity;
mod landlock;
mod libraries;
mod namespace;
mod policy;
mod probe;
pub(super) mod proc;
mod request;
mod sys;
mod unavailable;

pub use crate::ProgramKind;
pub use crate::Strictness;
pub use bpf::Filter;
pub use confinement::{Confinement, Forked, inner_filter};
pub use fault::{StartFault, StartStep};
pub use identity::Identity;
pub(super) use identity::next_id;
pub use libraries::{libraries, libraries_of_untrusted};
pub use probe::{Probe, offers, probe};
pub use request::{GroupLimits, Kept, Request, Rlimits, WorkFolder};
pub use unavailable::{MissingFeature, Unavailable};
