//! Files on disk that are read without following a link.

use super::package::MANIFEST;
use super::tree::LARGEST_FILE;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The manifests of crates in the folders above the folder `root` on disk, the nearest first.
pub fn manifests_above(root: &Path) -> Vec<Arc<[u8]>> {
    let read = |path: PathBuf| {
        let mut bytes = Vec::new();
        open_plain(&path)?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
        io::Result::Ok(bytes.into())
    };
    let root = std::path::absolute(root).unwrap_or_default();
    root.ancestors().skip(1).filter_map(|folder| read(folder.join(MANIFEST)).ok()).collect()
}

/// Opens a regular file, if it has not become a link since it was found.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open_plain_as(path, fs::OpenOptions::new().read(true))
}

/// Opens a regular file with `options`; an error for a link, a pipe or a device.
pub fn open_plain_as(path: &Path, options: &mut fs::OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // A link itself is opened, and is then not a regular file.
        options.custom_flags(windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}
