//! The files of one submission, unpacked: folders, zips, zips in folders and zips in zips, within limits.

use super::files::language;
use crate::compare::{FileKind, FilesProblem, SkippedFile};
use crate::submission::opened::{
    Archive, LARGEST_FILE, MOST_DEPTH, MOST_ENTRIES, MOST_READ, MOST_ZIP, MOST_ZIP_IN_ZIP, has_zip_name,
    is_noise, open_plain, shown,
};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// How deep zips may be in zips.
const MOST_NESTED: usize = 4;

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;

/// The most files of one submission that are named as skipped; the rest are only counted.
const MOST_SKIPPED: usize = 10;

/// The files of a submission.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// Their bytes by their paths, with `/` between names.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// What was skipped, for a warning.
    pub(super) skipped: Vec<SkippedFile>,
    /// Files that are no sources and too large to keep, by kind.
    pub(super) left_out: Vec<FileKind>,
    /// Why nothing of it can be read.
    pub(super) problem: Option<FilesProblem>,
}

/// A zip that is still to be unpacked.
struct PackedZip {
    path: PathBuf,
    bytes: Vec<u8>,
    nested: usize,
}

/// Unpacks a submission.
#[derive(Default)]
pub(super) struct Unpacker {
    unpacked: Unpacked,
    zips: VecDeque<PackedZip>,
    entries: usize,
    /// Bytes of sources, of other files and of zips so far.
    sources: usize,
    others: usize,
    packed: usize,
    /// Links and such beyond those that are named.
    more_skipped: usize,
    /// What cannot be read of a zip: it counts if there is no source elsewhere.
    broken: Option<(String, FilesProblem)>,
}

impl Unpacker {
    /// Takes the file at `path` on disk, to be found at `to`.
    pub(super) fn file(&mut self, path: &Path, to: PathBuf) {
        let unreadable =
            |error: io::Error| FilesProblem::Unreadable { file: shown(&to), why: error.to_string() };
        let opened = open_plain(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (size, file) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail(unreadable(error)),
        };
        let read = |most: u64| {
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
            Ok(bytes)
        };
        self.take(to.clone(), size, (MOST_ZIP, 0), read);
    }

    /// Takes what lies in the folder `root` on disk. Links are not followed.
    pub(super) fn folder(&mut self, root: &Path) {
        let walk = WalkDir::new(root).min_depth(1).max_depth(MOST_DEPTH).sort_by_file_name().into_iter();
        let walk = walk.filter_entry(|entry| !is_noise(entry.file_name(), entry.file_type().is_dir()));
        for entry in walk.take(MOST_ENTRIES + 1) {
            match entry {
                Ok(entry) => {
                    let to = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_owned();
                    let kind = entry.file_type();
                    if kind.is_file() {
                        self.file(entry.path(), to);
                    } else if kind.is_symlink() {
                        self.skip(SkippedFile::Link(shown(&to)));
                    } else if !kind.is_dir() {
                        self.skip(SkippedFile::Irregular(shown(&to)));
                    }
                }
                Err(error) => self.skip(SkippedFile::Unlisted(error.to_string())),
            }
        }
    }

    /// Takes the entries of a zip at `indices`, each to be found at its path.
    pub(super) fn entries(&mut self, archive: &mut Archive, indices: Vec<(usize, PathBuf)>) {
        for (index, to) in indices {
            if let Err(problem) = self.entry(archive, index, to.clone(), 1) {
                self.break_off(&to, problem);
            }
        }
    }

    /// What was taken, when everything was.
    pub(super) fn finish(mut self) -> Unpacked {
        while let Some(zip) = self.zips.pop_front() {
            // A zip that is all there is stands for its files.
            let alone = self.unpacked.files.is_empty() && self.zips.is_empty();
            let beside = zip.path.with_extension("");
            let folder = match alone {
                true => zip.path.parent().unwrap_or(Path::new("")),
                false if self.is_taken(&beside) => zip.path.as_path(),
                false => &beside,
            };
            let folder = folder.to_owned();
            let path = zip.path.clone();
            if let Err(problem) = self.unzip(zip, &folder) {
                self.break_off(&path, problem);
            }
        }
        let has_source = self.unpacked.files.keys().any(|path| is_source(Path::new(path)));
        match self.broken.take() {
            Some((file, _)) if has_source => self.skip(SkippedFile::Unlisted(file)),
            Some((_, problem)) => self.fail(problem),
            None => {}
        }
        if self.unpacked.problem.is_some() {
            self.unpacked.files.clear();
        }
        self.unpacked.skipped.extend((self.more_skipped > 0).then_some(SkippedFile::More(self.more_skipped)));
        self.unpacked
    }

    fn unzip(&mut self, zip: PackedZip, folder: &Path) -> Result<(), FilesProblem> {
        let most = if zip.nested == 0 { MOST_ZIP } else { MOST_ZIP_IN_ZIP };
        let name = shown(&zip.path);
        let mut archive = Archive::open(Box::new(Cursor::new(zip.bytes)), most, &name)?;
        for (index, path) in archive.paths().into_iter().enumerate() {
            match path {
                Ok(path) => self.entry(&mut archive, index, folder.join(path), zip.nested + 1)?,
                Err(name) => self.skip(SkippedFile::OutsideZip(shown(Path::new(&name)))),
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        archive: &mut Archive,
        index: usize,
        to: PathBuf,
        nested: usize,
    ) -> Result<(), FilesProblem> {
        let (is_file, is_link, size) = {
            let entry = archive.entry(index)?;
            (entry.is_file(), entry.is_symlink(), entry.size())
        };
        let folders = to.parent().into_iter().flat_map(Path::components);
        let noise = folders.into_iter().any(|part| is_noise(part.as_os_str(), true))
            || is_noise(to.file_name().unwrap_or_default(), false);
        if is_link && !noise {
            self.skip(SkippedFile::Link(shown(&to)));
        }
        if !is_file || is_link || noise {
            return Ok(());
        }
        let mut failed = None;
        self.take(to, size, (MOST_ZIP_IN_ZIP, nested), |most| {
            // One byte more than asked is read, to know whether there is more.
            archive.read(index, most.saturating_sub(1)).inspect_err(|problem| failed = Some(problem.clone()))
        });
        failed.map_or(Ok(()), Err)
    }

    /// Takes a file of `size` bytes, whose first bytes `read` gives. A zip may have the given number of bytes, and is
    /// nested so deep.
    fn take(
        &mut self,
        to: PathBuf,
        size: u64,
        (most_zip, nested): (u64, usize),
        read: impl FnOnce(u64) -> Result<Vec<u8>, FilesProblem>,
    ) {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return self.fail(FilesProblem::TooMany { most: MOST_ENTRIES });
        }
        let long = to.components().any(|part| part.as_os_str().len() > LONGEST_NAME);
        if long || self.is_taken(&to) {
            return self.skip(SkippedFile::Unlisted(shown(&to)));
        }
        let together = FilesProblem::TooLargeTogether { most: MOST_READ as u64 };
        if has_zip_name(&to) && nested < MOST_NESTED {
            match read(most_zip + 1) {
                Ok(bytes) if bytes.len() as u64 > most_zip => {
                    self.break_off(&to, FilesProblem::TooLarge { file: shown(&to), most: most_zip });
                }
                Ok(bytes) => {
                    self.packed += bytes.len();
                    if self.packed as u64 > MOST_ZIP {
                        return self.fail(FilesProblem::TooLargeTogether { most: MOST_ZIP });
                    }
                    self.zips.push_back(PackedZip { path: to, bytes, nested });
                }
                Err(problem) => self.break_off(&to, problem),
            }
        } else if is_source(&to) {
            // A source that is too large is kept so far as to be refused for it.
            match read(LARGEST_FILE + 1) {
                Ok(bytes) => {
                    self.sources += bytes.len();
                    if self.sources > MOST_READ {
                        return self.fail(together);
                    }
                    self.unpacked.files.insert(written(&to), bytes);
                }
                Err(problem) => self.break_off(&to, problem),
            }
        } else if size > LARGEST_FILE || self.others as u64 + size > MOST_READ as u64 {
            self.unpacked.left_out.push(FileKind::of(&written(&to)));
        } else {
            match read(LARGEST_FILE + 1) {
                Ok(bytes) => {
                    self.others += bytes.len();
                    self.unpacked.files.insert(written(&to), bytes);
                }
                Err(problem) => self.break_off(&to, problem),
            }
        }
    }

    /// Whether a file is at the path, or above or below it.
    fn is_taken(&self, path: &Path) -> bool {
        let files = &self.unpacked.files;
        let above = path.ancestors().any(|above| files.contains_key(&written(above)));
        let folder = written(path) + "/";
        above || files.range(folder.clone()..).next().is_some_and(|(found, _)| found.starts_with(&folder))
    }

    fn skip(&mut self, file: SkippedFile) {
        if self.unpacked.skipped.len() < MOST_SKIPPED {
            self.unpacked.skipped.push(file);
        } else {
            self.more_skipped += 1;
        }
    }

    /// The submission cannot be graded.
    pub(super) fn fail(&mut self, problem: FilesProblem) {
        self.unpacked.problem.get_or_insert(problem);
    }

    /// A part of it cannot be read, which matters if there is no other.
    fn break_off(&mut self, file: &Path, problem: FilesProblem) {
        self.broken.get_or_insert_with(|| (shown(file), problem));
    }
}

/// Whether keur may read a file: the sources, and what builds a crate.
fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    language(&name).is_some() || ["Cargo.toml", "Cargo.lock"].contains(&name.as_ref())
}

/// A path as it is written in the database, on every system.
fn written(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{Unpacked, Unpacker};
    use crate::compare::{FilesProblem, SkippedFile, ZipProblem};
    use std::fs;
    use std::io::{Cursor, Write};
    use std::path::{Path, PathBuf};
    use zip::write::SimpleFileOptions;

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn unpacked(files: &[(&str, &[u8])]) -> Unpacked {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let mut unpacker = Unpacker::default();
        unpacker.folder(folder.path());
        unpacker.finish()
    }

    #[track_caller]
    fn check(files: &[(&str, &[u8])], expected: &[&str]) {
        let unpacked = unpacked(files);
        assert_eq!(unpacked.problem, None);
        assert_eq!(unpacked.files.keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_zip_stands_for_its_files() {
        let inner = zip(&[("codenames.py", b"1"), ("__MACOSX/._codenames.py", b"2"), ("lib/board.py", b"3")]);
        check(&[("codenames.py", b"1"), (".DS_Store", b""), ("__pycache__/a.pyc", b"")], &["codenames.py"]);
        check(&[("work.zip", &inner)], &["codenames.py", "lib/board.py"]);
        check(&[("work.zip", &zip(&[("inner.zip", &inner)]))], &["codenames.py", "lib/board.py"]);
        check(
            &[("work.zip", &inner), ("notes.txt", b"")],
            &["notes.txt", "work/codenames.py", "work/lib/board.py"],
        );
        let two = [("a.zip", &inner[..]), ("b.zip", &inner[..])];
        check(&two, &["a/codenames.py", "a/lib/board.py", "b/codenames.py", "b/lib/board.py"]);
    }

    #[test]
    fn a_damaged_zip_is_a_problem_where_nothing_else_is() {
        let bad = FilesProblem::BadZip { file: "work.zip".to_owned(), why: ZipProblem::Damaged };
        assert_eq!(unpacked(&[("work.zip", b"PK\x03\x04")]).problem, Some(bad.clone()));
        assert_eq!(unpacked(&[("work.zip", b"none"), ("notes.txt", b"")]).problem, Some(bad));
        check(&[("work.zip", b"none"), ("codenames.py", b"")], &["codenames.py"]);
    }

    #[test]
    fn limits_hold_for_all_zips_together() {
        // A megabyte of blanks is small when packed.
        let blanks = vec![b' '; 1 << 20];
        let names: Vec<String> = (0..9).map(|number| format!("{number}.py")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &blanks[..])).collect();
        let nine = zip(&files);
        let both = unpacked(&[("a.zip", &nine), ("b.zip", &nine)]);
        assert_eq!(both.problem, Some(FilesProblem::TooLargeTogether { most: 16 << 20 }));
        assert!(both.files.is_empty());
        let large = vec![b' '; (1 << 20) + 100];
        let one = unpacked(&[("a.py", &large), ("report.pdf", &large)]);
        assert_eq!(one.files["a.py"].len(), (1 << 20) + 1);
        assert_eq!((one.files.len(), one.left_out.len()), (1, 1));
        let mut deep = zip(&[("a.py", b"1")]);
        for _ in 0..5 {
            deep = zip(&[("a.zip", &deep)]);
        }
        // What is deeper stays packed.
        check(&[("a.zip", &deep)], &["a.zip"]);
    }

    #[test]
    fn what_leads_out_of_a_zip_or_cannot_be_kept_is_named() {
        let odd = zip(&[("../out.py", b""), ("a.py", b"1"), ("a.py/b.py", b""), ("b.py", b"")]);
        let unpacked = unpacked(&[("work.zip", &odd)]);
        assert_eq!(unpacked.files.keys().collect::<Vec<_>>(), ["a.py", "b.py"]);
        let outside = SkippedFile::OutsideZip("../out.py".to_owned());
        assert_eq!(unpacked.skipped, [outside, SkippedFile::Unlisted("a.py/b.py".to_owned())]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("a.py")).unwrap();
        let mut unpacker = Unpacker::default();
        unpacker.folder(folder.path());
        unpacker.file(&folder.path().join("a.py"), PathBuf::from("b.py"));
        let unpacked = unpacker.finish();
        assert_eq!(unpacked.skipped, [SkippedFile::Link("a.py".to_owned())]);
        assert!(
            matches!(unpacked.problem, Some(FilesProblem::Unreadable { file, .. }) if Path::new(&file).ends_with("b.py"))
        );
    }
}
