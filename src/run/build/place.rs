//! The folder that one crate is built in: writes it, takes the program from it, removes it. Nothing that a
//! submission names or leaves there is a failure of keur.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// The largest test program, in bytes.
const MOST_PROGRAM: u64 = 1 << 30;

/// Writes the files of a crate into `krate`: the course's `own` first, then those `given` that do not collide.
///
/// # Errors
/// A file cannot be written, for a reason other than its name.
pub(super) fn lay_out<'f>(
    krate: &Path,
    own: impl Iterator<Item = (&'f Path, &'f [u8])>,
    given: impl Iterator<Item = (&'f Path, &'f [u8])>,
) -> io::Result<()> {
    for (path, bytes) in own {
        let path = krate.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, bytes)?;
    }
    for (path, bytes) in given {
        let path = krate.join(path);
        let folder = fs::create_dir_all(path.parent().unwrap_or(&path));
        match folder.and_then(|()| File::create_new(&path)) {
            Ok(mut file) => file.write_all(bytes)?,
            Err(error) if is_about_its_name(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether a file's name makes it impossible to create: another file is in the way, or the system does not allow the
/// name.
fn is_about_its_name(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    )
}

/// Opens a built program: a file in the target folder itself, not a link out of it. `None` if the build left none
/// there.
pub(super) fn program(path: &Path, target: &Path) -> Option<File> {
    let real = path.canonicalize().ok()?;
    let inside = real.starts_with(target.canonicalize().ok()?) && real.is_file();
    if inside { File::open(real).ok() } else { None }
}

/// Keeps a program after its build folder is removed.
///
/// # Errors
/// It cannot be written.
pub(super) fn keep(program: File, to: &Path) -> io::Result<()> {
    let mut kept = File::create(to)?;
    io::copy(&mut program.take(MOST_PROGRAM), &mut kept)?;
    kept.flush()?;
    #[cfg(unix)]
    fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{lay_out, program};
    use std::fs;
    use std::path::Path;

    type File<'f> = (&'f str, &'f str);

    #[track_caller]
    fn check_layout(own: &[File<'_>], given: &[File<'_>], expected: &[File<'_>]) {
        fn bytes<'f>((path, text): &File<'f>) -> (&'f Path, &'f [u8]) {
            (Path::new(*path), text.as_bytes())
        }
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path(), own.iter().map(bytes), given.iter().map(bytes)).unwrap();
        for (path, text) in expected {
            assert_eq!(fs::read_to_string(folder.path().join(path)).unwrap(), *text, "{path}");
        }
    }

    #[test]
    fn the_courses_own_files_lie_where_a_students_would_be_in_their_way() {
        let (test, lock, source) =
            (("tests/grade.rs", "own"), ("Cargo.lock", "own"), ("src/lib.rs", "theirs"));
        for given in [("tests/grade.rs", "theirs"), ("tests", "theirs"), ("Cargo.lock/a/b", "theirs")] {
            check_layout(&[test, lock], &[given, source], &[test, lock, source]);
        }
    }

    #[test]
    fn a_file_that_cannot_be_called_so_is_passed_over() {
        let long = "x".repeat(300);
        check_layout(&[], &[(&long, "a"), ("a", "a"), ("a/b", "b"), ("c", "c")], &[("a", "a"), ("c", "c")]);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_outside_of_the_target_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (target, outside) = (folder.path().join("target"), folder.path().join("outside"));
        fs::create_dir(&target).unwrap();
        for path in [&outside, &target.join("inside")] {
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink(&outside, target.join("link")).unwrap();
        assert!(program(&target.join("inside"), &target).is_some());
        for path in [outside, target.join("link"), target.join("gone"), target.clone()] {
            assert!(program(&path, &target).is_none(), "{}", path.display());
        }
        assert!(program(&target.join("inside"), &folder.path().join("gone")).is_none());
    }
}
