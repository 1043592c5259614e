//! The identity that a confined process runs as.
//!
//! Root gives up root: each process gets its own user id, from a range that no account uses. The limit on
//! processes then counts it alone, and files of other users are out of reach whatever else fails.

use super::sys;
use crate::Strictness;
use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ids that root hands out: between those that systemd reserves (its "unused" range is 60578 to 61183).
const FIRST_ID: u32 = 60_800;
const IDS: u32 = 256;

const OTHERS_READ: u32 = 0o004;
const OTHERS_EXECUTE: u32 = 0o001;

/// The identity that a confined process runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The plain user that started it.
    Own,
    /// Root changed to the process's own id, 60800 to 61055.
    Dropped,
    /// Root by name, without capabilities: if changing the id is not permitted, or if another id could not
    /// reach the interpreter, such as one in root's home.
    Powerless,
}

/// Chooses for a confinement that needs these paths.
pub(super) fn choose<'a>(strictness: Strictness, mut paths: impl Iterator<Item = &'a Path>) -> Identity {
    if !geteuid().is_root() {
        Identity::Own
    } else if can_drop() && paths.all(|path| within_reach(strictness, path)) {
        Identity::Dropped
    } else {
        Identity::Powerless
    }
}

/// An id for the next process.
pub(crate) fn next_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Two simultaneous runs start at different places.
    FIRST_ID + std::process::id().wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % IDS
}

/// Whether root may change its id here: not in a container that removed the capability, or maps root only.
fn can_drop() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let attempt = || if become_id(FIRST_ID).is_ok() { 0 } else { 1 };
        sys::fork(attempt).and_then(sys::wait).is_ok_and(|status| status.exit_status() == Some(0))
    })
}

/// Gives up the supplementary groups, then the group and the user, for good, in a process of one thread.
/// Signal-safe.
pub(super) fn become_id(id: u32) -> io::Result<()> {
    let (group, user) = (Gid::from_raw(id), Uid::from_raw(id));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    Ok(set_thread_res_uid(user, user, user)?)
}

/// Whether another user can read a path. In a mount namespace the folders above it are created again.
fn within_reach(strictness: Strictness, path: &Path) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let permits =
        |path: &Path, bits| path.metadata().is_ok_and(|data| data.permissions().mode() & bits == bits);
    let last = if real.is_dir() { OTHERS_READ | OTHERS_EXECUTE } else { OTHERS_READ };
    let reachable = match strictness {
        Strictness::Standard => real.ancestors().skip(1).all(|folder| permits(folder, OTHERS_EXECUTE)),
        Strictness::Isolated | Strictness::Strict => true,
    };
    reachable && permits(&real, last)
}
