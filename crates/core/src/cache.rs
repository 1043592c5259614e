//! Keur's cache folder, for what can be made again.

use crate::sandbox::Tools;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use std::path::PathBuf;

/// Keur's folder in the user's cache, as the system defines it: on Linux `$XDG_CACHE_HOME/keur` or
/// `~/.cache/keur`. It may not exist yet.
pub fn folder() -> Option<PathBuf> {
    choose_native_strategy().ok().map(|strategy| strategy.cache_dir().join("keur"))
}

/// Keur's folder in the user's cache, unless it may have been handed in with a submission.
pub fn trusted(tools: &Tools) -> Option<PathBuf> {
    folder().filter(|folder| !tools.may_be_handed_in(folder))
}
