//! A folder on a disk of this machine for copies of databases, which outlives no process for long.

use keur_core::submission::opened::open_plain;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile, TempDir};

/// The start of the name of each.
const PREFIX: &str = "keur-class-";

/// A file that the process of a scratch folder holds locked as long as it lives.
const IN_USE: &str = "in-use";

/// A temporary folder that no other user can read. It is removed with this value; if the process is killed,
/// the next one that calls [`remove_left_behind`](ScratchFolder::remove_left_behind) removes it.
#[derive(Debug)]
pub struct ScratchFolder {
    /// Closed before the folder is removed.
    in_use: Option<File>,
    folder: TempDir,
}

impl ScratchFolder {
    /// Makes one in the system's folder for temporary files.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> io::Result<ScratchFolder> {
        ScratchFolder::within(&std::env::temp_dir())
    }

    fn within(folder: &Path) -> io::Result<ScratchFolder> {
        let mut private = Builder::new();
        private.prefix(PREFIX);
        #[cfg(unix)]
        private.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = private.tempdir_in(folder)?;
        // Under its name the file is locked from the start. A disk without locks leaves what a killed process
        // had there.
        let file = NamedTempFile::new_in(folder.path())?;
        let in_use = match file.as_file().try_lock() {
            Ok(()) => Some(file.persist(folder.path().join(IN_USE)).map_err(|error| error.error)?),
            Err(_) => None,
        };
        Ok(ScratchFolder { in_use, folder })
    }

    /// Removes what processes that were killed left in the system's folder for temporary files.
    pub fn remove_left_behind() {
        sweep(&std::env::temp_dir());
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves the folder where it is, for the user.
    pub(super) fn keep(&mut self) {
        self.folder.disable_cleanup(true);
        self.in_use = None;
        // Nobody can tell from a folder without this file that its process has ended.
        let _ = fs::remove_file(self.path().join(IN_USE));
    }
}

/// Removes the scratch folders in a folder whose process has ended. What cannot be removed stays.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_scratch = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_scratch && entry.metadata().is_ok_and(|about| about.is_dir() && is_ours(&about)) {
            let path = entry.path();
            let lock = open_plain(&path.join(IN_USE)).ok().filter(|file| file.try_lock().is_ok());
            if lock.is_some() {
                drop(lock);
                let _ = fs::remove_dir_all(path);
            }
        }
    }
}

/// Whether a folder belongs to the user of this process: others can make folders there too.
#[cfg(unix)]
fn is_ours(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_ours(_about: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{IN_USE, PREFIX, ScratchFolder, sweep};
    use std::fs;

    #[test]
    fn scratch_folders_of_killed_processes_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let lives = ScratchFolder::within(folder.path()).unwrap();
        // A killed process leaves its files, and no lock.
        for name in [format!("{PREFIX}killed"), "another-folder".to_owned()] {
            fs::create_dir(place(&name)).unwrap();
            fs::write(place(&name).join(IN_USE), "").unwrap();
            fs::write(place(&name).join("class.db"), "copy").unwrap();
        }
        let mut kept = ScratchFolder::within(folder.path()).unwrap();
        kept.keep();
        let kept = kept.path().to_owned();
        sweep(folder.path());
        assert!(!place(&format!("{PREFIX}killed")).exists());
        assert!(lives.path().exists() && kept.exists() && place("another-folder").exists());
        let path = lives.path().to_owned();
        drop(lives);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_scratch_folder_is_for_nobody_else() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let scratch = ScratchFolder::within(folder.path()).unwrap();
        assert_eq!(fs::metadata(scratch.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_with_the_name_of_a_scratch_folder_leads_to_nothing_that_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(IN_USE), "").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(format!("{PREFIX}link"))).unwrap();
        sweep(folder.path());
        assert!(other.join(IN_USE).exists());
    }
}
