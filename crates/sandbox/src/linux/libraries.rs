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
const PLAIN_LIBRARIES: [&str; 2] = ["/lib", "/usr/lib"];
/// The loader's lookup files, and the package folders of Nix and Guix, with separate libraries.
const LOADER_CACHE: &str = "/etc/ld.so.cache";
const STORES: [&str; 2] = ["/nix/store", "/gnu/store"];

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
    let loader = loader(&program)?;
    let exists = |path: &&str| Path::new(path).exists();
    let mut readable: Vec<PathBuf> =
        LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from).collect();
    if readable.is_empty() {
        readable.extend(PLAIN_LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from));
    }
    let from_store = |store: &&str| loader.as_ref().is_some_and(|loader| loader.starts_with(store));
    readable.extend(STORES.iter().filter(|store| from_store(store)).map(PathBuf::from));
    readable.extend(Some(LOADER_CACHE).iter().filter(|path| exists(path)).map(PathBuf::from));
    Ok(readable)
}

/// The [`libraries`] of a program that a stranger has built. The kernel executes its loader in its place, and
/// the program names that loader itself: only a system loader is accepted.
///
/// # Errors
/// The file is not an executable for this machine, or it names another loader.
pub fn libraries_of_untrusted(program: &Path) -> io::Result<Vec<PathBuf>> {
    if let Some(loader) = loader(&program.canonicalize()?)? {
        let own = OWN_PROGRAMS.iter().filter_map(|program| self::loader(Path::new(program)).ok().flatten());
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
/// The file is not a 64-bit executable, it names no such loader, or it cannot be read.
pub(super) fn loader(executable: &Path) -> io::Result<Option<PathBuf>> {
    let Some(named) = named_loader(executable)? else { return Ok(None) };
    let wrong = |why: &dyn std::fmt::Display| {
        let why = format!("it names the loader {}, {why}", named.display());
        io::Error::new(io::ErrorKind::InvalidInput, why)
    };
    if !named.is_absolute() {
        return Err(wrong(&"which is not an absolute path"));
    }
    let real = named.canonicalize().map_err(|error| wrong(&format!("which cannot be used: {error}")))?;
    if real.is_file() { Ok(Some(real)) } else { Err(wrong(&"which is not a regular file")) }
}

/// The loader that an executable names, unchecked: one entry of one format, so no library for all of them.
fn named_loader(executable: &Path) -> io::Result<Option<PathBuf>> {
    /// Of a program header: the type of the one that names the loader.
    const INTERPRETER: u32 = 3;
    /// No path is longer.
    const LONGEST: u64 = 4096;
    let mut file = File::open(executable)?;
    let mut header = [0; 64];
    file.read_exact(&mut header).map_err(|_| not_a_program())?;
    if header[..6] != *b"\x7fELF\x02\x01" {
        return Err(not_a_program());
    }
    let (table, size, count) = (long(&header[32..]), short(&header[54..]), short(&header[56..]));
    for i in 0..u64::from(count) {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.saturating_add(i * u64::from(size))))?;
        file.read_exact(&mut entry)?;
        if entry[..4] == INTERPRETER.to_le_bytes() {
            let mut name = Vec::new();
            file.seek(SeekFrom::Start(long(&entry[8..])))?;
            file.take(long(&entry[32..]).min(LONGEST)).read_to_end(&mut name)?;
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

fn long(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

fn short(bytes: &[u8]) -> u16 {
    bytes.first_chunk().map_or(0, |chunk| u16::from_le_bytes(*chunk))
}
