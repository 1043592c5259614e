//! Confinement on Linux (x86-64 and aarch64), for root and for a plain user alike.
//!
//! A [`Request`] says what a process may have; [`Confinement::prepare`] turns it, in the parent, into
//! everything the child will need; the child then only makes system calls, between fork and exec, until it
//! can do no harm. What it set up is inherited by every process that the interpreter forks, and cannot be
//! undone.
//!
//! Three tiers, each including the one before:
//!
//! | tier | adds | needs |
//! |---|---|---|
//! | [`Tier::Standard`] | Landlock (read-only on listed paths, no network, no signals outwards), an allow-list of system calls, resource limits, no descriptors, no new privileges, root dropped | Landlock, seccomp |
//! | [`Tier::Isolated`] | its own mount, network, IPC and host-name namespaces; only the listed paths exist | user namespaces, or root |
//! | [`Tier::Strict`] | a cgroup with a cap on memory and on tasks | cgroup v2 with both controllers delegated |
//!
//! Known limits. In the standard tier a process can still learn whether a path exists and its size (`stat` is
//! not restrained by Landlock), and list the names, not read the contents, in a [`Request::hidden`] folder.
//! Landlock of before Linux 6.12 does not restrain signals and abstract sockets: there the system-call filter
//! alone refuses them. No tier has a pid namespace: a fork server would have to be its first process, and
//! signals are refused anyway.
//!
//! Where to start: `confinement` is the front, `enter` the road of the child, `policy` the allowed system
//! calls. Unsafe code is in `sys` and nowhere else.

mod bpf;
mod confinement;
mod enter;
mod group;
mod identity;
mod interpreter;
mod lack;
mod landlock;
mod namespace;
mod policy;
mod probe;
mod request;
mod sys;

pub use bpf::Filter;
pub use confinement::{Confinement, Forked, inner_filter};
pub use enter::{Fault, Step};
pub use identity::Identity;
pub use interpreter::{Interpreter, NODE_ARGUMENTS, compiled, java, node, python};
pub use lack::{Lack, Missing};
pub use probe::{Probe, offers, probe};
pub use request::{Flavour, GroupLimits, Kept, Request, Rlimits, Tier};
