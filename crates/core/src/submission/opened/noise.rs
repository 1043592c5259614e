//! Hidden files, and folders of tools: what is not a student's own.

use std::ffi::OsStr;
use std::path::Path;

/// Folders without a student's own files.
const NOISE: [&str; 7] =
    ["__MACOSX", "node_modules", "__pycache__", "venv", "env", "site-packages", "target"];

/// Whether a file or folder with this name is hidden, or made by a tool.
pub fn is_noise(name: &OsStr, folder: bool) -> bool {
    let name = name.to_string_lossy();
    (name.starts_with('.') && name != ".") || (folder && NOISE.contains(&name.as_ref()))
}

/// Whether a path in a zip has a part that [`is_noise`] names.
pub fn is_noise_path(path: &Path) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.into_iter().any(|part| is_noise(part.as_os_str(), true))
        || is_noise(path.file_name().unwrap_or_default(), false)
}
