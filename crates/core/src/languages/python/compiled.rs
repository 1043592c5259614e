//! The driver as bytecode, which each interpreter compiles once: compiling takes longer than starting the
//! interpreter.
//!
//! Keur keeps the bytecode in its cache and sends it to a fork server. No confined submission can read or write
//! that folder. A file that belongs to somebody else, or that is damaged, is not used.

use super::TEXT;
use crate::sandbox::Tools;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use tempfile::NamedTempFile;

/// Prints the driver's bytecode after the number of its form, in hexadecimal digits.
const COMPILE: &str = "import marshal, sys
from _frozen_importlib_external import MAGIC_NUMBER
print((MAGIC_NUMBER + marshal.dumps(compile(sys.argv[1], '<string>', 'exec'))).hex())";

/// The permissions of others to write.
const WRITTEN_BY_OTHERS: u32 = 0o022;

/// The driver as bytecode of the interpreter `program`, from keur's cache in `folder` or compiled now and kept
/// there. `None` if that cannot be.
pub(super) fn bytecode(program: &Path, folder: &Path) -> Option<Vec<u8>> {
    let place = folder.join("python");
    let path = place.join(format!("{:016x}", key(program).ok()?));
    kept(&place, &path).or_else(|| keep(program, &place, &path).ok())
}

/// The number of this driver and interpreter.
fn key(program: &Path) -> io::Result<u64> {
    let program = program.canonicalize()?;
    let metadata = program.metadata()?;
    let mut key = DefaultHasher::new();
    (TEXT, &program, metadata.len(), metadata.modified()?).hash(&mut key);
    Ok(key.finish())
}

/// The bytecode in a file of the cache; `None` if there is none that can be trusted.
fn kept(place: &Path, path: &Path) -> Option<Vec<u8>> {
    if !is_own(place) || !is_own(path) {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let (sum, code) = bytes.split_at_checked(size_of::<u64>())?;
    (sum == checksum(code)).then(|| code.to_vec())
}

/// Whether a file or folder is no link, belongs to this user, and cannot be written by others.
fn is_own(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| {
        !metadata.is_symlink()
            && metadata.uid() == rustix::process::geteuid().as_raw()
            && metadata.mode() & WRITTEN_BY_OTHERS == 0
    })
}

fn checksum(code: &[u8]) -> [u8; size_of::<u64>()] {
    let mut sum = DefaultHasher::new();
    code.hash(&mut sum);
    sum.finish().to_le_bytes()
}

/// Compiles the driver and keeps it in a file.
///
/// # Errors
/// The cache cannot be written, or the interpreter does not compile it.
fn keep(program: &Path, place: &Path, path: &Path) -> io::Result<Vec<u8>> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(place)?;
    if !is_own(place) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // If it cannot be kept, it is not compiled twice.
    let mut file = NamedTempFile::new_in(place)?;
    let code = compiled(program)?;
    file.write_all(&checksum(&code))?;
    file.write_all(&code)?;
    file.persist(path)?;
    Ok(code)
}

fn compiled(program: &Path) -> io::Result<Vec<u8>> {
    let answer = Tools::default().ask(program, &["-I", "-S", "-c", COMPILE, TEXT])?;
    let digits = answer.output.trim_ascii();
    let pairs = digits.chunks(2).map(|pair| {
        let pair = str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let code: Option<Vec<u8>> = pairs.collect();
    code.filter(|code| !code.is_empty()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::{bytecode, checksum};
    use crate::languages::{Interpreters, python};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    fn interpreter() -> PathBuf {
        Interpreters::default().find(&python::LANGUAGE).unwrap().program
    }

    /// The only file of the cache in `folder`.
    fn file(folder: &Path) -> PathBuf {
        let files: Vec<_> =
            folder.join("python").read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        let [file] = files.as_slice() else { panic!("{files:?}") };
        file.clone()
    }

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_kept_is_used_unless_it_is_damaged_or_others_can_write_it() {
        let program = interpreter();
        let folder = tempfile::tempdir().unwrap();
        let compiled = bytecode(&program, folder.path()).unwrap();
        let file = file(folder.path());
        assert_eq!(fs::read(&file).unwrap(), [&checksum(&compiled), compiled.as_slice()].concat());
        let other = [&checksum(b"other"), b"other".as_slice()].concat();
        fs::write(&file, &other).unwrap();
        assert_eq!(bytecode(&program, folder.path()).unwrap(), b"other");
        for (content, mode) in [(&other[..10], 0o600), (&other, 0o620), (b"", 0o600)] {
            fs::write(&file, content).unwrap();
            allow(&file, mode);
            assert!(bytecode(&program, folder.path()).unwrap() == compiled, "{content:?} {mode:o}");
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn nothing_is_kept_where_it_cannot_be() {
        let program = interpreter();
        let folder = tempfile::tempdir().unwrap();
        let others = folder.path().join("python");
        fs::create_dir(&others).unwrap();
        allow(&others, 0o777);
        assert_eq!(bytecode(&program, folder.path()), None);
        assert_eq!(others.read_dir().unwrap().count(), 0);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(bytecode(&program, &file), None);
        assert_eq!(bytecode(&folder.path().join("missing"), folder.path()), None);
    }
}
