//! Where keur keeps what can be made again: a folder of the user's cache.

use std::path::PathBuf;

/// Keur's folder in the user's cache, as the system has it: on Linux `$XDG_CACHE_HOME/keur` or `~/.cache/keur`. It may
/// not exist yet.
pub fn folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|folder| folder.join("keur"))
}
