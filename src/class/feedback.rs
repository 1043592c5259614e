//! The zip with a page for each student, under the names that the learning platform gave in its download:
//! ready for its upload of feedback files.

use crate::writing::NewFile;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Component, Path};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The name of a page in a folder.
const PAGE: &str = "feedback.html";

/// A zip with feedback, to which pages are added one at a time.
pub struct FeedbackZip {
    zip: ZipWriter<NewFile>,
    names: BTreeSet<String>,
}

impl FeedbackZip {
    /// Begins the zip at `path`.
    ///
    /// # Errors
    /// The zip cannot be written.
    pub fn create(path: &Path) -> io::Result<FeedbackZip> {
        Ok(FeedbackZip { zip: ZipWriter::new(NewFile::replacing(path)?), names: BTreeSet::new() })
    }

    /// Adds the page of a student, whose submission had the name `original` in the download; that of a folder
    /// ends in `/`.
    ///
    /// # Errors
    /// The zip cannot be written.
    pub fn add(&mut self, student: &str, original: &str, page: &str) -> io::Result<()> {
        let own = own_folder(student);
        let more = (2_u32..).map(|count| format!("{own} {count}/{PAGE}"));
        let mut names = entry(original).into_iter().chain([format!("{own}/{PAGE}")]).chain(more);
        let name = names.find(|name| self.names.insert(name.clone())).unwrap_or_default();
        // The same class gives the same zip, whenever it is written.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        self.zip.start_file(name, options)?;
        self.zip.write_all(page.as_bytes())
    }

    /// Ends the zip, and returns the number of its pages.
    ///
    /// # Errors
    /// The zip cannot be written.
    pub fn finish(self) -> io::Result<usize> {
        let pages = self.names.len();
        self.zip.finish()?.finish()?;
        Ok(pages)
    }
}

/// The name of a page: in the folder of a submission, or beside the file, whose name carries the numbers that
/// a platform looks for. None if the name leads elsewhere.
fn entry(original: &str) -> Option<String> {
    let original = original.replace('\\', "/");
    let has_drive = original.as_bytes().get(1) == Some(&b':');
    let path = Path::new(&original);
    if has_drive || !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    path.file_stem()?;
    Some(match original.strip_suffix('/') {
        Some(folder) => format!("{folder}/{PAGE}"),
        None => path.with_extension("html").to_string_lossy().replace('\\', "/"),
    })
}

/// The folder of a student's page where the download gives none: a name that leads nowhere else on any
/// system.
fn own_folder(student: &str) -> String {
    let fit = |ch: char| if ch.is_control() || "/\\:".contains(ch) { '-' } else { ch };
    let name: String = student.chars().map(fit).collect();
    let name = name.trim_matches(['.', ' ']);
    if name.is_empty() { "student".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{FeedbackZip, entry};
    use std::fs;

    #[test]
    fn a_page_has_the_name_that_the_platform_looks_for() {
        for (original, page) in [
            (
                "Jan Peeters_12345_assignsubmission_file_/",
                "Jan Peeters_12345_assignsubmission_file_/feedback.html",
            ),
            ("peetersjan_late_123_456_Codenames-1.py", "peetersjan_late_123_456_Codenames-1.html"),
            ("12345-6 - Jan - 3 Nov. 2026/", "12345-6 - Jan - 3 Nov. 2026/feedback.html"),
            ("a/b.c/", "a/b.c/feedback.html"),
        ] {
            assert_eq!(entry(original).as_deref(), Some(page), "{original}");
        }
        for original in ["../up/", "../y", "a/../../b/", "/", "", "/etc/x", "C:\\x\\", "..\\up.py"] {
            assert_eq!(entry(original), None, "{original}");
        }
    }

    #[test]
    fn the_same_pages_make_the_same_zip_and_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str| {
            let path = folder.path().join(name);
            let mut zip = FeedbackZip::create(&path).unwrap();
            zip.add("An", "an/", "<p>An").unwrap();
            zip.add("An 2/3", "an/", "<p>An too").unwrap();
            // A database that somebody changed has any name.
            zip.add("An 2-3", "an/", "<p>An").unwrap();
            zip.add("..", "../y", "<p>Nobody").unwrap();
            assert_eq!(zip.finish().unwrap(), 4);
            fs::read(path).unwrap()
        };
        let bytes = written("one.zip");
        assert_eq!(bytes, written("two.zip"));
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(
            names,
            ["an/feedback.html", "An 2-3/feedback.html", "An 2-3 2/feedback.html", "student/feedback.html"]
        );
        assert_eq!(std::io::read_to_string(zip.by_index(1).unwrap()).unwrap(), "<p>An too");
    }
}
