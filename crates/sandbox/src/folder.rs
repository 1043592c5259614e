//! The working folder of one run: its processes may write there and nowhere else, and it is removed
//! afterwards.
//!
//! Its files are made by a program that nobody trusts, which may still run: nothing here follows a link,
//! waits for another process, or reads more than a limit.

#[cfg(unix)]
use super::beneath::Beneath;
use super::cleared::clear;
#[cfg(any(target_os = "linux", not(unix)))]
use crate::lock;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
#[cfg(any(target_os = "linux", not(unix)))]
use std::sync::Mutex;
use tempfile::TempDir;

/// The largest file, in bytes. The kernel stops a process that writes more, where the system can.
pub(super) const MOST_FILE: u64 = 8 << 20;

/// The most bytes of all files together.
pub(super) const MOST_BYTES: u64 = 32 << 20;

/// The most files and folders.
pub(super) const MOST_ENTRIES: usize = 256;

/// The deepest file: folders above it in the working folder.
pub(super) const MOST_DEPTH: usize = 8;

/// The name, in a folder of its own that no other user can write to: the program that removes it makes
/// another folder beside it.
const NAME: &str = "work";

/// A working folder. It is removed when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The folder that it is in, which its processes can pass through only.
    _around: TempDir,
    /// The user that its processes run as, where root gives up root.
    #[cfg(target_os = "linux")]
    owner: u32,
    /// Whether it belongs to that user already.
    #[cfg(target_os = "linux")]
    handed_over: Mutex<bool>,
    /// Serialises reads on systems without descriptors of folders.
    #[cfg(not(unix))]
    reading: Mutex<()>,
}

/// The entry under a name in a working folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderEntry {
    /// Nothing.
    Missing,
    /// A file, with its content.
    File(Vec<u8>),
    /// A file that is larger than a limit.
    TooLarge,
    /// A folder.
    Folder,
    /// A link, or something else that is not a file; or a file that cannot be read.
    Other,
}

impl Folder {
    /// A new folder with these files, each with its name: parts separated by `/`.
    ///
    /// # Errors
    /// It cannot be made, or a file cannot be written.
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> io::Result<Folder> {
        let around = around()?;
        let path = around.path().canonicalize()?.join(NAME);
        fs::create_dir(&path)?;
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        let folder = Folder {
            path,
            _around: around,
            #[cfg(target_os = "linux")]
            owner: super::linux::next_id(),
            #[cfg(target_os = "linux")]
            handed_over: Mutex::new(false),
            #[cfg(not(unix))]
            reading: Mutex::new(()),
        };
        for (name, bytes) in files {
            let path = folder.path.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder.path))?;
            File::create_new(path)?.write_all(bytes)?;
        }
        Ok(folder)
    }

    /// The path, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The id of the user that its processes run as, where root gives up root.
    #[cfg(target_os = "linux")]
    pub(super) fn owner(&self) -> u32 {
        self.owner
    }

    /// Gives the folder and its files to that user. Only the first call does anything: later, processes may
    /// have put links there.
    #[cfg(target_os = "linux")]
    pub(super) fn hand_over(&self) -> io::Result<()> {
        let mut done = lock(&self.handed_over);
        if !*done {
            for entry in walkdir::WalkDir::new(&self.path) {
                let entry = entry.map_err(io::Error::from)?;
                std::os::unix::fs::lchown(entry.path(), Some(self.owner), Some(self.owner))?;
            }
            *done = true;
        }
        Ok(())
    }

    /// Whether there is more in it than allowed: bytes, files, or folders in folders.
    pub fn is_over(&self) -> bool {
        let mut usage = Usage::default();
        !usage.fits(&self.path, 0)
    }

    /// Reads the entry under `name`: a file as it is now, up to the limit.
    pub fn read(&self, name: &str) -> FolderEntry {
        match self.open(name) {
            Ok(file) => content(file).unwrap_or(FolderEntry::Other),
            Err(left) => left,
        }
    }

    /// Opens a file for reading, from folder to folder, so that no link in between is followed.
    #[cfg(unix)]
    fn open(&self, name: &str) -> Result<File, FolderEntry> {
        let (folders, file) =
            name.rsplit_once('/').map_or((None, name), |(folders, file)| (Some(folders), file));
        let mut folders = folders.into_iter().flat_map(|folders| folders.split('/'));
        let mut open = || {
            let top = Beneath::open(&self.path)?;
            folders.try_fold(top, |at, name| at.folder(name))?.file(file)
        };
        open().map_err(|error| {
            let is_missing = error.kind() == ErrorKind::NotFound;
            if is_missing { FolderEntry::Missing } else { FolderEntry::Other }
        })
    }

    /// Opens a file for reading. Here a process that still runs could put a link in its place meanwhile.
    #[cfg(not(unix))]
    fn open(&self, name: &str) -> Result<File, FolderEntry> {
        let _alone = lock(&self.reading);
        let mut path = self.path.clone();
        for part in name.split('/') {
            path.push(part);
            let data = fs::symlink_metadata(&path).map_err(|error| {
                let is_missing = error.kind() == ErrorKind::NotFound;
                if is_missing { FolderEntry::Missing } else { FolderEntry::Other }
            })?;
            if data.is_symlink() {
                return Err(FolderEntry::Other);
            }
        }
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => Err(FolderEntry::Folder),
            Ok(data) if data.is_file() => File::open(&path).map_err(|_| FolderEntry::Other),
            Ok(_) | Err(_) => Err(FolderEntry::Other),
        }
    }
}

/// The folder around a working folder.
fn around() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("keur-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o711));
    builder.tempdir()
}

/// The entry behind an opened name.
fn content(file: File) -> io::Result<FolderEntry> {
    let data = file.metadata()?;
    if data.is_dir() {
        return Ok(FolderEntry::Folder);
    }
    if !data.is_file() {
        return Ok(FolderEntry::Other);
    }
    let mut bytes = Vec::new();
    file.take(MOST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > MOST_FILE { FolderEntry::TooLarge } else { FolderEntry::File(bytes) })
}

/// The amounts counted of a folder.
#[derive(Default)]
struct Usage {
    bytes: u64,
    entries: usize,
}

impl Usage {
    /// Counts what is in a folder, at a depth; false as soon as it is too much, or cannot be counted.
    fn fits(&mut self, folder: &Path, depth: usize) -> bool {
        let gone = |error: &io::Error| error.kind() == ErrorKind::NotFound;
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return gone(&error),
        };
        for entry in entries {
            // This does not follow a link.
            let (entry, data) = match entry.and_then(|entry| entry.metadata().map(|data| (entry, data))) {
                Ok(known) => known,
                Err(error) if gone(&error) => continue,
                Err(_) => return false,
            };
            self.entries += 1;
            if data.is_file() {
                self.bytes = self.bytes.saturating_add(data.len());
            }
            let over = self.entries > MOST_ENTRIES || self.bytes > MOST_BYTES || data.len() >= MOST_FILE;
            let deeper = data.is_dir() && (depth >= MOST_DEPTH || !self.fits(&entry.path(), depth + 1));
            if over || deeper {
                return false;
            }
        }
        true
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        clear(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::{Folder, FolderEntry, MOST_DEPTH, MOST_ENTRIES, MOST_FILE};
    use std::fs;

    fn folder(files: &[(&str, &str)]) -> Folder {
        Folder::new(files.iter().map(|(name, text)| (*name, text.as_bytes()))).unwrap()
    }

    #[test]
    fn files_are_there_under_their_names_and_gone_afterwards() {
        let folder = folder(&[("data.txt", "one\n"), ("deep/er/data.txt", "two\n")]);
        assert_eq!(fs::read_to_string(folder.path().join("data.txt")).unwrap(), "one\n");
        assert_eq!(folder.read("deep/er/data.txt"), FolderEntry::File(b"two\n".to_vec()));
        assert_eq!(folder.read("deep/other.txt"), FolderEntry::Missing);
        assert_eq!(folder.read("deep"), FolderEntry::Folder);
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_no_pipe_is_waited_for() {
        use std::os::unix::fs::symlink;
        let folder = folder(&[("in/data.txt", "one\n")]);
        let at = |name: &str| folder.path().join(name);
        symlink("/etc/passwd", at("link")).unwrap();
        symlink(at("in"), at("inner")).unwrap();
        symlink("nowhere", at("broken")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        for name in ["link", "broken", "pipe", "inner/data.txt"] {
            assert_eq!(folder.read(name), FolderEntry::Other, "{name}");
        }
        assert!(!folder.is_over());
    }

    #[test]
    fn too_much_is_noticed() {
        #[track_caller]
        fn check(write: impl Fn(&std::path::Path), over: bool) {
            let folder = folder(&[]);
            write(folder.path());
            assert_eq!(folder.is_over(), over);
        }
        let file = |size: u64| {
            move |path: &std::path::Path| fs::File::create(path.join("a")).unwrap().set_len(size).unwrap()
        };
        check(file(MOST_FILE - 1), false);
        check(file(MOST_FILE), true);
        let many = |count: usize| {
            move |path: &std::path::Path| {
                (0..count).for_each(|name| fs::write(path.join(name.to_string()), "").unwrap())
            }
        };
        check(many(MOST_ENTRIES), false);
        check(many(MOST_ENTRIES + 1), true);
        let large = |path: &std::path::Path| {
            for name in 0..5 {
                fs::File::create(path.join(name.to_string())).unwrap().set_len(MOST_FILE - 1).unwrap();
            }
        };
        check(large, true);
        let deep = |depth: usize| {
            move |path: &std::path::Path| fs::create_dir_all(path.join(vec!["d"; depth].join("/"))).unwrap()
        };
        check(deep(MOST_DEPTH), false);
        check(deep(MOST_DEPTH + 1), true);
    }
}
