//! The shared libraries that a program needs, and the loader that it names.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// The system's shared library folders: one per architecture, one for 64 bits, or neither.
#[cfg(target_arch = "x86_64")]
const LIBRARIES: [&str; 4] = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"];
#[cfg(target_arch = "aarch64")]
const LIBRARIES: [&str; 4] = ["/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64"];
/// The library folders of a system that does not separate them by architecture.
const PLAIN_LIBRARIES: [&str; 2] = ["/lib", "/usr/lib"];
/// The loader's lookup files, and the package folders of Nix and Guix, with separate libraries.
const LOADER_CACHE: &str = "/etc/ld.so.cache";
const STORES: [&str; 2] = ["/nix/store", "/gnu/store"];

/// The machine of an executable that runs here, as its header names it.
#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = libc::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = libc::EM_AARCH64;

/// Loaders by the names that the C libraries of Linux give them.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Programs that use the system's loader, wherever it is: keur itself, and the shell.
const OWN_PROGRAMS: [&str; 2] = ["/proc/self/exe", "/bin/sh"];

/// Files and folders that a program reads before it runs: the system's shared libraries, and how to find
/// them.
///
/// # Errors
/// The program is a script, such as a version manager's shim, or does not exist.
pub fn libraries(program: &Path) -> io::Result<Vec<PathBuf>> {
    let program = program.canonicalize()?;
    let loader = loader_of(&program)?;
    let exists = |path: &&str| Path::new(path).exists();
    let mut readable: Vec<PathBuf> =
        LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from).collect();
    if readable.is_empty() {
        readable.extend(PLAIN_LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from));
    }
    let from_store = |store: &&str| loader.as_ref().is_some_and(|loader| loader.starts_with(store));
    readable.extend(STORES.iter().filter(|store| from_store(store)).map(PathBuf::from));
    if exists(&LOADER_CACHE) {
        readable.push(PathBuf::from(LOADER_CACHE));
    }
    Ok(readable)
}

/// The [`libraries`] of a program that a stranger has built. The kernel executes its loader in its place, and
/// the program names that loader itself: only a system loader is accepted.
///
/// # Errors
/// The file is not an executable for this machine, or it names another loader.
pub fn libraries_of_untrusted(program: &Path) -> io::Result<Vec<PathBuf>> {
    if let Some(loader) = loader_of(&program.canonicalize()?)? {
        let own = OWN_PROGRAMS.iter().filter_map(|own| loader_of(Path::new(own)).ok().flatten());
        let known = LOADERS.iter().filter_map(|path| Path::new(path).canonicalize().ok());
        if !own.chain(known).any(|own| own == loader) {
            let why = format!("it names the loader {}, which is not the system's", loader.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    }
    libraries(program)
}

/// The loader of an executable, which the kernel executes in its place; a static one has none. It is a
/// regular file, with an absolute path without links.
///
/// # Errors
/// The file is not an executable for this machine, it names no such loader, or it cannot be read.
pub(super) fn loader_of(executable: &Path) -> io::Result<Option<PathBuf>> {
    let Some(named) = named_loader(executable)? else { return Ok(None) };
    let wrong = |why: String| {
        let why = format!("it names the loader {}, {why}", named.display());
        io::Error::new(io::ErrorKind::InvalidInput, why)
    };
    if !named.is_absolute() {
        return Err(wrong("which is not an absolute path".to_owned()));
    }
    let real = named.canonicalize().map_err(|error| wrong(format!("which cannot be used: {error}")))?;
    if real.is_file() { Ok(Some(real)) } else { Err(wrong("which is not a regular file".to_owned())) }
}

/// The loader that an executable names, unchecked: one entry of one format, so no library for all of them.
fn named_loader(executable: &Path) -> io::Result<Option<PathBuf>> {
    /// `PT_INTERP`: the type of the program header that names the loader.
    const INTERPRETER: u32 = 3;
    /// No path is longer.
    const LONGEST: u64 = 4096;
    let mut file = File::open(executable)?;
    let mut header = [0; 64];
    file.read_exact(&mut header).map_err(|_| not_a_program())?;
    if header[..6] != *b"\x7fELF\x02\x01" || u16_at(&header, 18) != MACHINE {
        return Err(not_a_program());
    }
    // The table of program headers: its place in the file, the size of an entry, and their number.
    let table = u64_at(&header, 32);
    let size = u16_at(&header, 54);
    let count = u16_at(&header, 56);
    for i in 0..u64::from(count) {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.saturating_add(i * u64::from(size))))?;
        file.read_exact(&mut entry).map_err(|_| not_a_program())?;
        if entry[..4] == INTERPRETER.to_le_bytes() {
            let mut name = Vec::new();
            file.seek(SeekFrom::Start(u64_at(&entry, 8)))?;
            file.take(u64_at(&entry, 32).min(LONGEST)).read_to_end(&mut name)?;
            name.pop_if(|last| *last == 0);
            return Ok(Some(PathBuf::from(OsString::from_vec(name))));
        }
    }
    Ok(None)
}

fn not_a_program() -> io::Error {
    let why = "not an executable for this machine; if it is a script or a version manager's shim, give the real one";
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

#[cfg(test)]
mod tests {
    use super::{MACHINE, loader_of};

    #[track_caller]
    fn check_refused(header: &[u8]) {
        let program = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&program, header).unwrap();
        let error = loader_of(program.path()).unwrap_err().to_string();
        assert!(error.starts_with("not an executable for this machine"), "{error}");
    }

    /// The header of a static program for `machine`, with a table of so many entries, which is not there.
    fn header(machine: u16, entries: u16) -> Vec<u8> {
        let mut header = vec![0; 64];
        header[..6].copy_from_slice(b"\x7fELF\x02\x01");
        header[18..20].copy_from_slice(&machine.to_le_bytes());
        header[32] = 64;
        header[54] = 56;
        header[56..58].copy_from_slice(&entries.to_le_bytes());
        header
    }

    #[test]
    fn a_program_for_another_machine_is_refused() {
        let program = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&program, header(MACHINE, 0)).unwrap();
        assert_eq!(loader_of(program.path()).unwrap(), None);
        for machine in [libc::EM_X86_64, libc::EM_AARCH64].into_iter().filter(|other| *other != MACHINE) {
            check_refused(&header(machine, 0));
        }
    }

    #[test]
    fn a_script_and_a_file_that_ends_too_early_are_no_programs() {
        check_refused(&header(MACHINE, 1));
        check_refused(&header(MACHINE, 0)[..63]);
        check_refused(b"#!/bin/sh\n");
    }
}
