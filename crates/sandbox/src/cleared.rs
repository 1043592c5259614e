//! Removes a folder that untrusted programs wrote in. `std` and `remove_dir_all` stop at folders without
//! permissions, and at paths that are too long.

use std::fs;
use std::path::{Path, PathBuf};

/// Removes a folder as far as possible: what ran there may have removed permissions, or nested folders too
/// deep for a path.
pub fn clear(place: &Path) {
    // A folder that is not empty is moved here before it is emptied, so that paths stay short.
    let yard = place.with_extension("cleared");
    let _ = fs::create_dir(&yard);
    let mut moved: u64 = 0;
    let mut take = |folder: &Path| {
        let to = yard.join(moved.to_string());
        moved += 1;
        open_up(folder);
        fs::rename(folder, &to).ok().map(|()| to)
    };
    let mut within: Vec<PathBuf> = take(place).into_iter().collect();
    while let Some(folder) = within.last() {
        let mut inner = None;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let _ = fs::remove_file(entry.path());
            } else if fs::remove_dir(entry.path()).is_err() {
                inner = take(&entry.path());
                if inner.is_some() {
                    break;
                }
            }
        }
        match inner {
            // The rest of this folder follows once that one is gone.
            Some(inner) => within.push(inner),
            None => {
                let _ = fs::remove_dir(folder);
                within.pop();
            }
        }
    }
    let _ = fs::remove_dir(&yard);
}

/// Gives the owner access to a folder.
fn open_up(folder: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::clear;
    use std::fs;
    use std::path::Path;

    /// In a test run by root, drops root's power over files for the lifetime of this thread.
    fn as_nobody(does: impl FnOnce() + Send + 'static) {
        let thread = std::thread::spawn(|| {
            if rustix::process::geteuid().is_root() {
                rustix::thread::set_thread_uid(rustix::process::Uid::from_raw(65534)).unwrap();
            }
            does();
        });
        thread.join().unwrap();
    }

    #[test]
    fn folders_that_a_build_closed_or_nested_deep_are_removed() {
        as_nobody(|| {
            let home = tempfile::tempdir().unwrap();
            let place = home.path().join("build");
            let closed = place.join("closed");
            fs::create_dir_all(closed.join("inner/most")).unwrap();
            fs::write(closed.join("inner/file"), "x").unwrap();
            std::os::unix::fs::symlink(home.path(), closed.join("link")).unwrap();
            fs::write(home.path().join("kept"), "x").unwrap();
            for folder in [closed.join("inner"), closed] {
                fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
            }
            nest(&place.join("nested"), 3000);
            clear(&place);
            let left: Vec<_> =
                fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(left, ["kept"]);
        });
    }

    /// Folders nested so deep that no path reaches the innermost.
    fn nest(top: &Path, deep: usize) {
        use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
        let open = OFlags::DIRECTORY | OFlags::RDONLY;
        mkdirat(CWD, top, Mode::RWXU).unwrap();
        let mut folder = openat(CWD, top, open, Mode::empty()).unwrap();
        for _ in 0..deep {
            mkdirat(&folder, "nested", Mode::RWXU).unwrap();
            folder = openat(&folder, "nested", open, Mode::empty()).unwrap();
        }
    }
}
