//! The files of one submission, unpacked: folders, zips, zips in folders and zips in zips, within limits.
//!
//! A limit that is passed ends the unpacking at once: nothing more is read.

use super::files::language;
use keur_core::submission::opened::{
    Archive, LARGEST_FILE, ListedEntry, MOST_READ, ReadBudget, SkippedFiles, TakenPaths, ZipEntry,
    ZipEntryKind, ZipLimits, can_be_kept, has_zip_name, largest, list_folder, list_zipped, open_plain, shown,
};
use keur_core::submission::{FileKind, FilesProblem, SkippedFile};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// How deep zips may be in zips.
const MOST_NESTED: usize = 4;

/// The files of a submission.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// The bytes of the files by their paths, with `/` between names.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// The files that were skipped, for a warning.
    pub(super) skipped: SkippedFiles,
    /// Files that are not kept, by kind: links, hidden files, and those that are no sources and too large.
    pub(super) left_out: Vec<FileKind>,
    /// The reason why nothing of it can be read.
    pub(super) problem: Option<FilesProblem>,
}

/// A zip that is still to be unpacked.
struct PackedZip {
    path: PathBuf,
    bytes: Vec<u8>,
    nested: usize,
}

/// A file before it is read.
struct FoundFile {
    /// Where it is to be found.
    to: PathBuf,
    size: u64,
    /// The limits if it is a zip, and how deep it is in zips.
    zip: &'static ZipLimits,
    nested: usize,
}

/// Unpacks a submission.
pub(super) struct Unpacker {
    unpacked: Unpacked,
    taken: TakenPaths,
    zips: VecDeque<PackedZip>,
    budget: ReadBudget,
    /// Bytes of sources, of other files and of zips so far.
    sources: u64,
    others: u64,
    packed: u64,
    /// The zip that cannot be read, and its problem; counts only if there is no source elsewhere.
    broken: Option<(String, FilesProblem)>,
}

impl Unpacker {
    /// An unpacker of one submission, which this thread reads.
    pub(super) fn new() -> Unpacker {
        Unpacker {
            unpacked: Unpacked::default(),
            taken: TakenPaths::default(),
            zips: VecDeque::new(),
            budget: ReadBudget::default(),
            sources: 0,
            others: 0,
            packed: 0,
            broken: None,
        }
    }

    /// Takes the file at `path` on disk, to be found at `to`.
    pub(super) fn file(&mut self, path: &Path, to: PathBuf) {
        if self.unpacked.problem.is_none() {
            match self.budget.take_entry() {
                Ok(()) => self.file_on_disk(path, to),
                Err(problem) => self.fail(problem),
            }
        }
    }

    /// Takes what lies in the folder `root` on disk. Links are not followed.
    pub(super) fn folder(&mut self, root: &Path) {
        if self.unpacked.problem.is_some() {
            return;
        }
        let listed = match list_folder(root, &mut self.budget) {
            Ok(listed) => listed,
            Err(problem) => return self.fail(problem),
        };
        for entry in listed {
            if let Some(path) = self.look(entry)
                && self.unpacked.problem.is_none()
            {
                self.file_on_disk(&root.join(&path), path);
            }
        }
    }

    /// Takes a file on disk that is counted.
    fn file_on_disk(&mut self, path: &Path, to: PathBuf) {
        let name = shown(&to);
        let unreadable =
            |error: io::Error| FilesProblem::Unreadable { file: name.clone(), why: error.to_string() };
        let opened = open_plain(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (size, opened) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail(unreadable(error)),
        };
        let found = FoundFile { to, size, zip: &ZipLimits::SUBMISSION, nested: 0 };
        let taken = self.take(found, |most, budget| {
            budget.take_bytes(size.min(most))?;
            let mut bytes = Vec::new();
            opened.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
            Ok(bytes)
        });
        self.settle(&name, taken);
    }

    /// Takes entries of a zip that is so deep in others, each to be found at its path.
    pub(super) fn entries<'z>(
        &mut self,
        archive: &mut Archive,
        entries: impl Iterator<Item = (&'z ZipEntry, PathBuf)>,
        nested: usize,
    ) {
        for (entry, to) in entries {
            if self.unpacked.problem.is_some() {
                return;
            }
            self.entry(archive, entry, to, nested);
        }
    }

    /// The files taken, after the last one.
    pub(super) fn finish(mut self) -> Unpacked {
        self.unzip_all();
        let has_source = self.unpacked.files.keys().any(|path| is_source(Path::new(path)));
        match self.broken.take() {
            Some((file, _)) if has_source => self.skip(SkippedFile::Unlisted(file)),
            Some((_, problem)) => self.fail(problem),
            None => {}
        }
        if self.unpacked.problem.is_some() {
            self.unpacked.files.clear();
        }
        self.unpacked
    }

    fn unzip_all(&mut self) {
        while self.unpacked.problem.is_none()
            && let Some(zip) = self.zips.pop_front()
        {
            // A zip that is all there is stands for its files.
            let alone = self.unpacked.files.is_empty() && self.zips.is_empty();
            let beside = zip.path.with_extension("");
            let folder = if alone {
                zip.path.parent().unwrap_or(Path::new(""))
            } else if self.taken.is_taken(&beside) {
                zip.path.as_path()
            } else {
                &beside
            };
            let folder = folder.to_owned();
            self.unzip(zip, &folder);
        }
    }

    fn unzip(&mut self, zip: PackedZip, folder: &Path) {
        let limits = if zip.nested == 0 { &ZipLimits::SUBMISSION } else { &ZipLimits::INNER };
        let name = shown(&zip.path);
        let mut archive = match Archive::open(Box::new(Cursor::new(zip.bytes)), limits, &name) {
            Ok(archive) => archive,
            Err(problem) => return self.settle(&name, Err(problem)),
        };
        let directory = archive.directory();
        let entries = directory.entries().iter().map(|entry| {
            let is_inside = entry.kind != ZipEntryKind::Outside;
            (entry, if is_inside { folder.join(&entry.path) } else { entry.path.clone() })
        });
        self.entries(&mut archive, entries, zip.nested + 1);
    }

    fn entry(&mut self, archive: &mut Archive, entry: &ZipEntry, to: PathBuf, nested: usize) {
        let listed = match list_zipped(entry, to, &mut self.budget) {
            Ok(listed) => listed,
            Err(problem) => return self.fail(problem),
        };
        if let Some(to) = listed.and_then(|listed| self.look(listed)) {
            let name = shown(&to);
            let found = FoundFile { to, size: entry.size, zip: &ZipLimits::INNER, nested };
            let taken = self.take(found, |most, budget| archive.read(entry, most, budget));
            self.settle(&name, taken);
        }
    }

    /// The path of an entry that is a file to look at; others are noted.
    fn look(&mut self, entry: ListedEntry) -> Option<PathBuf> {
        match entry {
            ListedEntry::File(path) => return Some(path),
            ListedEntry::Hidden => self.unpacked.left_out.push(FileKind::Hidden),
            ListedEntry::Skipped(file) => self.skip(file),
        }
        None
    }

    /// Takes a file, of which `read` gives up to so many bytes.
    fn take(
        &mut self,
        file: FoundFile,
        read: impl FnOnce(u64, &mut ReadBudget) -> Result<Vec<u8>, FilesProblem>,
    ) -> Result<(), FilesProblem> {
        let FoundFile { to, size, zip, nested } = file;
        let is_packed = has_zip_name(&to) && nested < MOST_NESTED;
        // A zip is not kept itself: its files take their own paths.
        let is_kept = if is_packed { can_be_kept(&to) } else { self.taken.take(&to) };
        if !is_kept {
            self.skip(SkippedFile::Unkept(shown(&to)));
            return Ok(());
        }
        // What is too large is kept so far as to be refused for it.
        let kept = size.min(largest(&to.to_string_lossy()) + 1);
        if is_packed {
            if size > zip.bytes {
                return Err(FilesProblem::TooLarge { file: shown(&to), most: zip.bytes });
            }
            add(&mut self.packed, size, ZipLimits::SUBMISSION.bytes)?;
            let bytes = read(size, &mut self.budget)?;
            self.zips.push_back(PackedZip { path: to, bytes, nested });
        } else if is_source(&to) {
            add(&mut self.sources, kept, MOST_READ)?;
            let bytes = read(kept, &mut self.budget)?;
            self.unpacked.files.insert(stored_path(&to), bytes);
        } else if size > LARGEST_FILE || add(&mut self.others, size, MOST_READ).is_err() {
            self.unpacked.left_out.push(FileKind::of(&stored_path(&to)));
            self.skip(SkippedFile::TooLarge(shown(&to)));
        } else {
            let bytes = read(size, &mut self.budget)?;
            self.unpacked.files.insert(stored_path(&to), bytes);
        }
        Ok(())
    }

    fn skip(&mut self, file: SkippedFile) {
        if matches!(file, SkippedFile::Link(_)) {
            self.unpacked.left_out.push(FileKind::Link);
        }
        self.unpacked.skipped.add(file);
    }

    /// The submission cannot be graded.
    pub(super) fn fail(&mut self, problem: FilesProblem) {
        self.unpacked.problem.get_or_insert(problem);
    }

    /// Fails at a limit of the whole. A file that cannot be read matters if there is no other.
    fn settle(&mut self, file: &str, taken: Result<(), FilesProblem>) {
        match taken {
            Err(
                over @ (FilesProblem::TooLargeTogether { .. }
                | FilesProblem::TooMany { .. }
                | FilesProblem::TooSlow { .. }),
            ) => self.fail(over),
            Err(broken) => {
                self.broken.get_or_insert_with(|| (file.to_owned(), broken));
            }
            Ok(()) => {}
        }
    }
}

/// Adds bytes to a sum, unless that passes the most that it may be.
fn add(sum: &mut u64, bytes: u64, most: u64) -> Result<(), FilesProblem> {
    let more = sum.saturating_add(bytes);
    if more > most {
        return Err(FilesProblem::TooLargeTogether { most });
    }
    *sum = more;
    Ok(())
}

/// Whether keur may read a file: the sources, and what builds a crate.
fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    language(&name).is_some() || ["Cargo.toml", "Cargo.lock"].contains(&name.as_ref())
}

/// The form of a path in the database: with `/` on every system.
fn stored_path(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{Unpacked, Unpacker};
    use keur_core::submission::opened::{Archive, ReadBudget, ZipLimits};
    use keur_core::submission::{FileKind, FilesProblem, SkippedFile, ZipProblem};
    use std::fs;
    use std::io::{Cursor, Write};
    use std::path::{Path, PathBuf};
    use zip::CompressionMethod;
    use zip::write::SimpleFileOptions;

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        zip_by(CompressionMethod::Deflated, files)
    }

    fn zip_by(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
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
        let mut unpacker = Unpacker::new();
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
        assert_eq!((one.files.len(), one.left_out), (1, vec![FileKind::Extension("pdf".to_owned())]));
        assert_eq!(one.skipped.reason(), None);
        assert_eq!(one.skipped.into_named(), [SkippedFile::TooLarge("report.pdf".to_owned())]);
        let mut deep = zip(&[("a.py", b"1")]);
        for _ in 0..5 {
            deep = zip(&[("a.zip", &deep)]);
        }
        // What is deeper stays packed.
        check(&[("a.zip", &deep)], &["a.zip"]);
    }

    #[test]
    fn entries_that_fail_are_counted() {
        let blanks = vec![b' '; 1 << 20];
        let names: Vec<String> = (0..17).map(|number| format!("{number}.py")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &blanks[..])).collect();
        // Each file has another checksum than the directory says.
        let mut bytes = zip(&files);
        let headers: Vec<usize> =
            (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).collect();
        assert_eq!(headers.len(), 17);
        headers.iter().for_each(|at| bytes[at + 16] ^= 1);
        let unpacked = unpacked(&[("a.zip", &bytes)]);
        assert_eq!(unpacked.problem, Some(FilesProblem::TooLargeTogether { most: 16 << 20 }));
    }

    #[test]
    fn after_a_limit_nothing_is_read() {
        #[track_caller]
        fn check(files: &[(&str, &[u8])], packed: u64, unopened: usize) {
            let folder = tempfile::tempdir().unwrap();
            files.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
            let mut unpacker = Unpacker::new();
            unpacker.folder(folder.path());
            unpacker.unzip_all();
            unpacker.file(&folder.path().join(files[0].0), PathBuf::from("again.txt"));
            let over = FilesProblem::TooLargeTogether { most: 16 << 20 };
            assert_eq!(unpacker.unpacked.problem, Some(over));
            // The sources up to the limit, and no note after them.
            assert_eq!(unpacker.budget.taken_bytes(), packed + (16 << 20));
            assert_eq!(unpacker.zips.len(), unopened);
        }
        let blanks = vec![b' '; 1 << 20];
        let names: Vec<String> = (10..27).map(|number| format!("{number}.py")).collect();
        let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &blanks[..])).collect();
        let sources = zip_by(CompressionMethod::Stored, &files);
        files.push(("note.txt", b"a note"));
        check(&files, 0, 0);
        let both = zip_by(CompressionMethod::Stored, &files);
        check(&[("a.zip", &both)], both.len() as u64, 0);
        let note = zip(&[("note.txt", b"a note")]);
        check(&[("a.zip", &sources), ("b.zip", &note)], (sources.len() + note.len()) as u64, 1);
    }

    #[test]
    fn hidden_entries_count() {
        #[track_caller]
        fn check(take: impl Fn(&mut Unpacker)) {
            for (most, problem) in [(3, None), (2, Some(FilesProblem::TooMany { most: 20_000 }))] {
                let mut unpacker = Unpacker::new();
                unpacker.budget = ReadBudget::of_entries(most);
                take(&mut unpacker);
                assert_eq!(unpacker.finish().problem, problem);
            }
        }
        let files: [(&str, &[u8]); 3] = [(".a", b""), (".b", b""), ("c.py", b"")];
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
        check(|unpacker| unpacker.folder(folder.path()));
        check(|unpacker| {
            let bytes = Cursor::new(zip(&files));
            let mut archive = Archive::open(Box::new(bytes), &ZipLimits::CLASS, "class.zip").unwrap();
            let directory = archive.directory();
            let entries = directory.entries().iter().map(|entry| (entry, entry.path.clone()));
            unpacker.entries(&mut archive, entries, 1);
        });
    }

    #[test]
    fn entries_that_lead_out_of_a_zip_or_cannot_be_kept_are_named() {
        let odd = zip(&[("../out.py", b""), ("a.py", b"1"), ("a.py/b.py", b""), ("b.py", b"")]);
        let unpacked = unpacked(&[("work.zip", &odd)]);
        assert_eq!(unpacked.files.keys().collect::<Vec<_>>(), ["a.py", "b.py"]);
        let outside = SkippedFile::OutsideZip("../out.py".to_owned());
        assert_eq!(unpacked.skipped.into_named(), [outside, SkippedFile::Unkept("a.py/b.py".to_owned())]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("a.py")).unwrap();
        let mut unpacker = Unpacker::new();
        unpacker.folder(folder.path());
        unpacker.file(&folder.path().join("a.py"), PathBuf::from("b.py"));
        let unpacked = unpacker.finish();
        assert_eq!(unpacked.skipped.into_named(), [SkippedFile::Link("a.py".to_owned())]);
        assert!(
            matches!(unpacked.problem, Some(FilesProblem::Unreadable { file, .. }) if Path::new(&file).ends_with("b.py"))
        );
    }
}
