//! A file that captures a program's output: nothing to drain, and no end to wait for.

use crate::parts::Written;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;

/// An unnamed file: in memory if the system supports it.
fn unnamed() -> io::Result<File> {
    #[cfg(target_os = "linux")]
    return Ok(rustix::fs::memfd_create("output", rustix::fs::MemfdFlags::CLOEXEC)?.into());
    #[cfg(not(target_os = "linux"))]
    tempfile::tempfile()
}

/// An unnamed file that a program appends to and keur reads.
pub(crate) struct Capture {
    file: File,
    /// Bytes read so far.
    taken: u64,
}

impl Capture {
    pub(crate) fn new() -> io::Result<Capture> {
        let file = unnamed()?;
        // Append mode keeps the program's writes in place when the file is emptied between two runs.
        rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND)?;
        Ok(Capture { file, taken: 0 })
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Written for Capture {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    fn take(&mut self, most: u64) -> Vec<u8> {
        let end = self.len();
        let fresh = end.saturating_sub(self.taken).min(most);
        let mut bytes = vec![0; usize::try_from(fresh).unwrap_or(0)];
        let read = if bytes.is_empty() { 0 } else { self.file.read_at(&mut bytes, self.taken).unwrap_or(0) };
        bytes.truncate(read);
        self.taken = end;
        bytes
    }

    fn clear(&mut self) -> io::Result<()> {
        self.taken = 0;
        if self.len() > 0 { self.file.set_len(0) } else { Ok(()) }
    }
}
