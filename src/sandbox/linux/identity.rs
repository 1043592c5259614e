//! Whom a confined process runs as.
//!
//! Root gives up root: each process gets a user id of its own, from a range that no account uses, so that the
//! limit on processes counts it alone and files of other users are out of reach whatever else fails.

use super::request::Tier;
use super::sys;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ids that root hands out: between those that systemd reserves (its "unused" range is 60578 to 61183).
const FIRST_ID: u32 = 60_800;
const IDS: u32 = 256;

const OTHERS_READ: u32 = 0o004;
const OTHERS_EXECUTE: u32 = 0o001;

/// Whom a confined process runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The plain user that started it.
    Own,
    /// Root turned into an id of the process's own, 60800 to 61055.
    Dropped,
    /// Root by name, with no capabilities: where changing the id is not permitted, or where another id could
    /// not reach the interpreter, such as one in root's home.
    Powerless,
}

/// Decides for a confinement that needs these paths.
pub(super) fn choose<'a>(tier: Tier, mut paths: impl Iterator<Item = &'a Path>) -> Identity {
    if sys::user_and_group().0 != 0 {
        Identity::Own
    } else if can_drop() && paths.all(|path| within_reach(tier, path)) {
        Identity::Dropped
    } else {
        Identity::Powerless
    }
}

/// An id for the next process.
pub(super) fn next_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Two runs at the same time start at different places.
    FIRST_ID + sys::pid().wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % IDS
}

/// Whether root may change its id here: not in a container that took the capability away, or maps root alone.
fn can_drop() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let attempt = || if sys::become_id(FIRST_ID).is_ok() { 0 } else { 1 };
        sys::fork(attempt).and_then(sys::wait).is_ok_and(|status| status == 0)
    })
}

/// Whether a stranger can read a path. In a mount namespace the folders above it are made anew.
fn within_reach(tier: Tier, path: &Path) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let permits =
        |path: &Path, bits| path.metadata().is_ok_and(|data| data.permissions().mode() & bits == bits);
    let last = if real.is_dir() { OTHERS_READ | OTHERS_EXECUTE } else { OTHERS_READ };
    let reachable = match tier {
        Tier::Standard => real.ancestors().skip(1).all(|folder| permits(folder, OTHERS_EXECUTE)),
        Tier::Isolated | Tier::Strict => true,
    };
    reachable && permits(&real, last)
}
