//! What is written, and what is refused: with descriptors, and in the way of systems without.

use super::portable::CheckedFolder;
use super::{Existing, MissingFolder, NewFile, TargetFolder, parts, write, write_new};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use tempfile::TempDir;

/// A way to write a file.
type Way = fn(&Path, &[u8], Existing) -> io::Result<()>;

const WAYS: [Way; 2] = [by_the_system, portably];

fn by_the_system(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    match existing {
        Existing::Replaced => write(path, bytes),
        Existing::Refused => write_new(path, bytes),
    }
}

fn portably(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    let missing = if existing == Existing::Refused { MissingFolder::Made } else { MissingFolder::Refused };
    let (folder, name) = parts(path)?;
    let (mut file, pending) = CheckedFolder::open(folder, missing)?.begin(name, existing)?;
    file.write_all(bytes)?;
    pending.take(&file)
}

/// A folder with a file `old` and a folder `inner`.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("old"), "old").unwrap();
    fs::create_dir(home.path().join("inner")).unwrap();
    home
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Checks that nothing is written to `path` in a home that `prepare` has prepared, and nothing in it changes.
#[track_caller]
fn refused(prepare: fn(&Path) -> io::Result<()>, path: &str, why: &str) {
    for way in WAYS {
        let home = home();
        prepare(home.path()).unwrap();
        let before = names(home.path());
        let error = way(&home.path().join(path), b"new", Existing::Replaced).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(names(home.path()), before);
        assert_eq!(names(&home.path().join("inner")), [""; 0]);
        assert_eq!(fs::read_to_string(home.path().join("old")).unwrap(), "old");
    }
}

#[test]
fn a_file_is_written_and_replaced_whole() {
    for way in WAYS {
        let home = home();
        for name in ["old", "new"] {
            let path = home.path().join(name);
            way(&path, b"new", Existing::Replaced).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "new");
        }
        let deep = home.path().join("a/b/new");
        assert_eq!(way(&deep, b"", Existing::Replaced).unwrap_err().kind(), ErrorKind::NotFound);
        way(&deep, b"new", Existing::Refused).unwrap();
        for there in [deep, home.path().join("old")] {
            let error = way(&there, b"newer", Existing::Refused).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::AlreadyExists);
            assert_ne!(fs::read_to_string(there).unwrap(), "newer");
        }
        assert_eq!(names(home.path()), ["a", "inner", "new", "old"]);
        assert_eq!(names(&home.path().join("a/b")), ["new"]);
    }
}

#[test]
fn an_unfinished_write_leaves_the_old_file_and_nothing_else() {
    let home = home();
    let path = home.path().join("old");
    let mut file = NewFile::replacing(&path).unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(names(home.path()).len(), 3);
    drop(file);
    assert_eq!(names(home.path()), ["inner", "old"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "old");
}

#[test]
fn a_name_stays_in_its_folder() {
    let home = home();
    let folder = TargetFolder::make(&home.path().join("inner")).unwrap();
    folder.check().unwrap();
    folder.write("page.html", "x").unwrap();
    for name in ["../old", "/old", "a/b", "..", ""] {
        assert_eq!(folder.write(name, "x").unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
    }
    assert_eq!(names(&home.path().join("inner")), ["page.html"]);
}

#[cfg(unix)]
mod on_unix {
    use super::{Existing, NewFile, WAYS, home, names, refused, write};
    use std::fs::{self, Permissions};
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn no_link_is_followed() {
        let link = "is a link, and keur follows none where it writes";
        refused(|home| symlink("old", home.join("to")), "to", link);
        refused(|home| symlink("inner/none", home.join("to")), "to", link);
        refused(|home| symlink("inner", home.join("to")), "to", link);
        refused(|home| symlink("inner", home.join("to")), "to/new", link);
        refused(|home| symlink(".", home.join("to")), "inner/../to/new", link);
    }

    #[test]
    fn a_new_file_is_not_written_through_a_link() {
        for way in WAYS {
            let home = home();
            symlink("inner", home.path().join("to")).unwrap();
            symlink("inner/none", home.path().join("dangling")).unwrap();
            for path in ["to/new", "to/a/new", "dangling"] {
                assert!(way(&home.path().join(path), b"new", Existing::Refused).is_err(), "{path}");
            }
            assert_eq!(names(&home.path().join("inner")), [""; 0]);
        }
    }

    #[test]
    fn only_regular_files_are_replaced() {
        refused(
            |home| std::os::unix::net::UnixListener::bind(home.join("to")).map(drop),
            "to",
            "not a regular file",
        );
        refused(|home| fs::create_dir(home.join("to")), "to", "");
        refused(|home| fs::write(home.join("to"), ""), "to/new", "");
    }

    #[test]
    fn another_name_of_a_file_keeps_the_old_content_and_the_permissions_stay() {
        for way in WAYS {
            let home = home();
            let (old, other) = (home.path().join("old"), home.path().join("other"));
            fs::hard_link(&old, &other).unwrap();
            fs::set_permissions(&old, Permissions::from_mode(0o640)).unwrap();
            way(&old, b"new", Existing::Replaced).unwrap();
            assert_eq!(
                (fs::read(&old).unwrap(), fs::read(&other).unwrap()),
                (b"new".to_vec(), b"old".to_vec())
            );
            assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o7777, 0o640);
        }
    }

    #[test]
    fn files_of_a_killed_process_are_removed_and_those_of_a_living_one_stay() {
        let home = home();
        let mut living = NewFile::replacing(&home.path().join("old")).unwrap();
        living.write_all(b"new").unwrap();
        let part = |digit: &str| home.path().join(format!(".keur-{}.part", digit.repeat(16)));
        fs::write(part("0"), "grades").unwrap();
        symlink("old", part("1")).unwrap();
        fs::create_dir(part("2")).unwrap();
        let others = [".keur-notes.part", ".keur-0123456789abcdef.txt"];
        others.iter().for_each(|name| fs::write(home.path().join(name), "").unwrap());
        write(&home.path().join("report"), "x").unwrap();
        assert!(!part("0").exists());
        assert!(part("1").is_symlink() && part("2").is_dir());
        assert!(others.iter().all(|name| home.path().join(name).exists()));
        living.finish().unwrap();
        assert_eq!(fs::read_to_string(home.path().join("old")).unwrap(), "new");
    }

    #[test]
    fn devices_are_written_where_they_are() {
        write("/dev/null".as_ref(), "x").unwrap();
        assert!(write("/dev/null/../old".as_ref(), "x").is_err());
    }
}
