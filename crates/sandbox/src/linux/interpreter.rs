//! The paths that an interpreter needs, and no more.

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
/// Folders of a standard library that hold packages installed later.
const INSTALLED: [&str; 2] = ["site-packages", "dist-packages"];

/// Loaders by the names that the C libraries of Linux give them.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Programs that use the system's loader, wherever it is: keur itself, and the shell.
const OWN_PROGRAMS: [&str; 2] = ["/proc/self/exe", "/bin/sh"];

/// Options for a confined Node: do not look for OpenSSL's configuration, because an unreadable one is an error.
pub const NODE_ARGUMENTS: &[&str] = &["--openssl-config=/nonexistent"];

/// An interpreter and what it needs to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterpreterPaths {
    /// The program itself.
    pub executable: PathBuf,
    /// The paths to read.
    pub readable: Vec<PathBuf>,
    /// Paths below those that must stay hidden.
    pub hidden: Vec<PathBuf>,
}

/// A Python: its real executable, its base prefix (`sys.base_prefix`) and the folders of its standard library
/// (`sysconfig.get_path` of `stdlib` and `platstdlib`).
///
/// # Errors
/// The executable is a script, such as a version manager's shim, or does not exist.
pub fn python(executable: &Path, base_prefix: &Path, libraries: &[PathBuf]) -> io::Result<InterpreterPaths> {
    let mut interpreter = node(executable)?;
    interpreter.readable.extend(shared_objects(&base_prefix.join("lib")));
    for library in libraries {
        if library.is_dir() && !interpreter.readable.contains(library) {
            interpreter.readable.push(library.clone());
            interpreter
                .hidden
                .extend(INSTALLED.iter().map(|name| library.join(name)).filter(|path| path.is_dir()));
        }
    }
    Ok(interpreter)
}

/// A Node, which contains its library; also any other program that needs only shared libraries.
///
/// # Errors
/// The executable is a script, such as a version manager's shim, or does not exist.
pub fn node(executable: &Path) -> io::Result<InterpreterPaths> {
    let executable = executable.canonicalize()?;
    let loader = loader(&executable)?;
    let exists = |path: &&str| Path::new(path).exists();
    let mut readable: Vec<PathBuf> =
        LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from).collect();
    if readable.is_empty() {
        readable.extend(PLAIN_LIBRARIES.iter().filter(|path| exists(path)).map(PathBuf::from));
    }
    let from_store = |store: &&str| loader.as_ref().is_some_and(|loader| loader.starts_with(store));
    readable.extend(STORES.iter().filter(|store| from_store(store)).map(PathBuf::from));
    readable.extend(Some(LOADER_CACHE).iter().filter(|path| exists(path)).map(PathBuf::from));
    Ok(InterpreterPaths { executable, readable, hidden: Vec::new() })
}

/// A Java: its library and configuration are beside it; a distribution may keep parts elsewhere and link to them.
///
/// # Errors
/// The executable is a script, such as a version manager's shim, or does not exist.
pub fn java(executable: &Path) -> io::Result<InterpreterPaths> {
    let mut interpreter = node(executable)?;
    let home = interpreter.executable.ancestors().nth(2).unwrap_or(Path::new("/")).to_owned();
    for folder in ["lib", "conf"].map(|name| home.join(name)) {
        if folder.is_dir() {
            linked_files(&folder, &home, &mut interpreter.readable);
            interpreter.readable.push(folder);
        }
    }
    Ok(interpreter)
}

/// The targets outside `home` of links below `folder`.
fn linked_files(folder: &Path, home: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_symlink() {
            let real = path.canonicalize().ok().filter(|real| real.is_file() && !real.starts_with(home));
            found.extend(real);
        } else if path.is_dir() {
            linked_files(&path, home, found);
        }
    }
}

/// The shared objects directly in a folder, such as an interpreter's own library.
fn shared_objects(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let is_shared = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.ends_with(".so") || name.contains(".so.")) && path.is_file()
    };
    entries.flatten().map(|entry| entry.path()).filter(is_shared).collect()
}

/// A program compiled from a submission. The kernel executes its loader in its place, and the program names that
/// loader itself: only a system loader is accepted.
///
/// # Errors
/// The file is not an executable for this machine, or it names another loader.
pub fn compiled(program: &Path) -> io::Result<InterpreterPaths> {
    let interpreter = node(program)?;
    if let Some(loader) = loader(&interpreter.executable)? {
        let own = OWN_PROGRAMS.iter().filter_map(|program| self::loader(Path::new(program)).ok().flatten());
        let known = LOADERS.iter().filter_map(|path| Path::new(path).canonicalize().ok());
        if !own.chain(known).any(|own| own == loader) {
            let why = format!("it names the loader {}, which is not the system's", loader.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    }
    Ok(interpreter)
}

/// The loader of an executable, which the kernel executes in its place; a static one has none. It is a regular file,
/// with an absolute path without links.
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
