//! The folder that one crate is built in: writes it, takes the program from it, removes it. Nothing that a
//! submission names or leaves there is a failure of keur.

use crate::writing::is_about_name;
use keur_core::languages::BuildTarget;
use keur_sandbox::Beneath;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// The largest test program, in bytes.
const MOST_PROGRAM: u64 = 1 << 30;

/// Writes the files of a crate into `krate`: the course's `own` first, then those `given` that do not
/// collide.
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
            Err(error) if is_about_name(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Opens the program that a build made of `target`, by its name beneath the target folder, which was opened
/// before the build. `None` if there is none, or several.
pub(super) fn program(folder: &Beneath, target: &BuildTarget) -> Option<File> {
    let mut within = None;
    for name in target.folder {
        within = Some(within.as_ref().unwrap_or(folder).folder(name).ok()?);
    }
    let folder = within.as_ref().unwrap_or(folder);
    let names = folder.names().ok()?;
    let mut made = names.iter().filter_map(|name| name.to_str()).filter(|name| is_made_of(target, name));
    let only = made.next().filter(|_| made.next().is_none())?;
    folder.file(only).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))
}

/// Whether the program of `target` may have this file name.
fn is_made_of(target: &BuildTarget, name: &str) -> bool {
    let hash =
        name.strip_prefix(&target.prefix).and_then(|rest| rest.strip_suffix(std::env::consts::EXE_SUFFIX));
    hash.is_some_and(|hash| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
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
    use keur_core::languages::BuildTarget;
    use keur_sandbox::Beneath;
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
    fn a_program_is_the_only_file_of_its_name_beneath_the_folder() {
        use std::os::unix::fs::symlink;
        #[track_caller]
        fn check(made: impl Fn(&Path, &Path), found: bool) {
            let home = tempfile::tempdir().unwrap();
            let (target, outside) = (home.path().join("target"), home.path().join("outside"));
            for folder in [&target, &outside] {
                fs::create_dir_all(folder.join("debug/deps")).unwrap();
                fs::write(folder.join("debug/deps/the_grade-0a"), "").unwrap();
            }
            let opened = Beneath::open(&target).unwrap();
            made(home.path(), &target.join("debug/deps"));
            let grade = BuildTarget {
                package: "own".to_owned(),
                name: "the-grade".to_owned(),
                folder: &["debug", "deps"],
                prefix: "the_grade-".to_owned(),
            };
            assert_eq!(program(&opened, &grade).is_some(), found);
        }
        let own = |deps: &Path| deps.join("the_grade-0a");
        check(|_, _| {}, true);
        check(|_, deps| fs::write(deps.join("the_grade-0a.d"), "").unwrap(), true);
        check(|_, deps| fs::write(deps.join("other-0a"), "").unwrap(), true);
        check(|_, deps| fs::write(deps.join("the_grade-0b"), "").unwrap(), false);
        check(|_, deps| fs::remove_file(own(deps)).unwrap(), false);
        check(|_, deps| fs::remove_file(own(deps)).and_then(|()| fs::create_dir(own(deps))).unwrap(), false);
        let linked = |link: &Path, to: &Path| {
            fs::rename(link, link.with_extension("gone")).and_then(|()| symlink(to, link)).unwrap();
        };
        check(|home, deps| linked(&own(deps), &home.join("outside/debug/deps/the_grade-0a")), false);
        check(|home, deps| linked(deps, &home.join("outside/debug/deps")), false);
        check(|home, deps| linked(deps.parent().unwrap(), &home.join("outside/debug")), false);
        // What took the folder's place after it was opened is not looked at.
        check(|home, _| linked(&home.join("target"), &home.join("outside")), true);
    }
}
