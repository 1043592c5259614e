//! What the names in a download say: whose a file or folder is, and when it was handed in.
//!
//! - Moodle: `Jan Peeters_12345_assignsubmission_file_/`, or flat with the name of the file after it;
//! - Canvas: `peetersjan_late_123_456_Codenames-1.py`, always flat;
//! - Blackboard: `Codenames_jpeeters_attempt_2026-11-03-10-12-33_codenames.py`, and a text about each attempt;
//! - Brightspace, such as Ufora: `12345-67890 - Jan Peeters - 3 November 2026 1012 AM/`.

use super::moment;
use crate::languages::pattern;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// A learning platform, by how it names what it exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    Moodle,
    Canvas,
    Blackboard,
    Brightspace,
}

/// How a name of a download writes the student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WrittenName {
    /// The name as people write it.
    Full(String),
    /// Family name and first name in small letters, without blanks.
    Squeezed(String),
    /// The name of the account.
    Login(String),
}

impl Default for WrittenName {
    fn default() -> WrittenName {
        WrittenName::Full(String::new())
    }
}

impl WrittenName {
    /// Its text.
    pub(super) fn text(&self) -> &str {
        match self {
            WrittenName::Full(text) | WrittenName::Squeezed(text) | WrittenName::Login(text) => text,
        }
    }
}

/// What the name of an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryName {
    pub(super) platform: Platform,
    pub(super) student: WrittenName,
    /// The student's number on the platform.
    pub(super) id: Option<String>,
    /// When it was handed in, in seconds since 1970.
    pub(super) at: Option<i64>,
    pub(super) late: bool,
    /// The student's own name of the file, in a flat download.
    pub(super) file: Option<String>,
    /// How often the student handed in a file of this name before.
    pub(super) again: u32,
    /// Whether this is the platform's own text about an attempt.
    pub(super) about: bool,
}

static MOODLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.+)_(\d+)_assignsubmission_[a-z]+(?:_(.*))?$"));

static CANVAS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(anon_[^_]+|[^_]+)(_(?i:late))?(?:_(\d+)_(\d+)_(.+)|_(\d+)_(text\.html)|_(\d+)_question_\d+_(?:\d+_)?(.+))$",
    )
});

static BLACKBOARD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^.+_([^_]+)_attempt_(\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(.+)|\.txt)?$"));

static BRIGHTSPACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\d+)-\d+ ?- ?(.+?) ?- ([^-]*?\d{4}[^-]*?)(?: - (.+))?$"));

/// The number that Canvas puts after the name of a file that is handed in again.
static AGAIN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.+)-(\d{1,2})(\.[^.]+|)$"));

/// What the name of a file or folder says, if a platform writes such names.
pub(super) fn read(name: &str) -> Option<EntryName> {
    moodle(name).or_else(|| brightspace(name)).or_else(|| blackboard(name)).or_else(|| canvas(name))
}

/// The student's number on the learning platform, by the name of a file or folder in its download.
pub fn platform_id(original: &str) -> Option<String> {
    read(original.trim_end_matches('/'))?.id
}

fn moodle(name: &str) -> Option<EntryName> {
    let found = MOODLE.captures(name)?;
    let file = found.get(3).map(|file| file.as_str().to_owned()).filter(|file| !file.is_empty());
    Some(EntryName {
        platform: Platform::Moodle,
        student: WrittenName::Full(found[1].trim().to_owned()),
        id: Some(found[2].to_owned()),
        at: None,
        late: false,
        file,
        again: 0,
        about: false,
    })
}

fn canvas(name: &str) -> Option<EntryName> {
    let found = CANVAS.captures(name)?;
    let first = |groups: [usize; 3]| groups.into_iter().find_map(|group| found.get(group));
    let file = first([5, 7, 9])?.as_str();
    let (file, again) = match AGAIN.captures(file) {
        Some(parts) => (format!("{}{}", &parts[1], &parts[3]), parts[2].parse().unwrap_or_default()),
        None => (file.to_owned(), 0),
    };
    Some(EntryName {
        platform: Platform::Canvas,
        student: WrittenName::Squeezed(found[1].to_owned()),
        id: first([3, 6, 8]).map(|id| id.as_str().to_owned()),
        at: None,
        late: found.get(2).is_some(),
        file: Some(file),
        again,
        about: false,
    })
}

fn blackboard(name: &str) -> Option<EntryName> {
    let found = BLACKBOARD.captures(name)?;
    let file = found.get(3).map(|file| file.as_str().to_owned());
    Some(EntryName {
        platform: Platform::Blackboard,
        student: WrittenName::Login(found[1].to_owned()),
        id: Some(found[1].to_owned()),
        at: moment::read(&found[2]).map(|moment| moment.seconds),
        late: false,
        about: file.is_none() && name.ends_with(".txt"),
        file,
        again: 0,
    })
}

fn brightspace(name: &str) -> Option<EntryName> {
    let found = BRIGHTSPACE.captures(name)?;
    Some(EntryName {
        platform: Platform::Brightspace,
        student: WrittenName::Full(found[2].trim().to_owned()),
        id: Some(found[1].to_owned()),
        at: Some(moment::read(&found[3])?.seconds),
        late: false,
        file: found.get(4).map(|file| file.as_str().to_owned()),
        again: 0,
        about: false,
    })
}

/// The student's full name in Blackboard's text about an attempt: `Name: Jan Peeters (jpeeters)`.
pub(super) fn named_in(about: &str, login: &str) -> Option<String> {
    let account = format!("({login})");
    let line = about.lines().find(|line| line.contains(&account))?;
    let (_, name) = line.split_once(':')?;
    Some(name.replace(&account, "").trim().to_owned()).filter(|name| !name.is_empty())
}

/// Names of files and folders that are no student's, whoever made the folder: pages and tables of a platform, and what
/// systems leave behind.
pub(super) fn is_nobodys(name: &str) -> bool {
    const FOLDERS: [&str; 2] = ["__macosx", "$recycle.bin"];
    const FILES: [&str; 6] =
        ["index.html", "thumbs.db", "desktop.ini", "manifest.xml", "readme.txt", "readme.md"];
    let lower = name.to_lowercase();
    let ending = Path::new(&lower).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    lower.starts_with('.')
        || FOLDERS.contains(&lower.as_str())
        || FILES.contains(&lower.as_str())
        || ["csv", "xlsx", "xls", "ods", "tsv"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::{EntryName, Platform, WrittenName, is_nobodys, named_in, platform_id, read};

    fn full(platform: Platform, name: &str, id: &str) -> EntryName {
        EntryName {
            platform,
            student: WrittenName::Full(name.to_owned()),
            id: Some(id.to_owned()),
            at: None,
            late: false,
            file: None,
            again: 0,
            about: false,
        }
    }

    #[track_caller]
    fn check(name: &str, expected: EntryName) {
        assert_eq!(read(name), Some(expected), "{name}");
    }

    #[test]
    fn moodle_writes_the_name_the_number_and_the_kind() {
        let jan = full(Platform::Moodle, "Jan Peeters", "12345");
        check("Jan Peeters_12345_assignsubmission_file_", jan.clone());
        check("Jan Peeters_12345_assignsubmission_file", jan.clone());
        check("Jan Peeters_12345_assignsubmission_onlinetext_", jan.clone());
        let file = Some("code_names.py".to_owned());
        check("Jan Peeters_12345_assignsubmission_file_code_names.py", EntryName { file, ..jan });
        check("Participant 77_77_assignsubmission_file_", full(Platform::Moodle, "Participant 77", "77"));
        check(
            "Group A-Søren Ø_Hansen_9_assignsubmission_file_",
            full(Platform::Moodle, "Group A-Søren Ø_Hansen", "9"),
        );
    }

    #[test]
    fn canvas_squeezes_the_name_and_counts_resubmissions() {
        let jan = EntryName {
            student: WrittenName::Squeezed("peetersjan".to_owned()),
            file: Some("Codenames.py".to_owned()),
            ..full(Platform::Canvas, "", "123")
        };
        check("peetersjan_123_456_Codenames.py", jan.clone());
        check("peetersjan_late_123_456_Codenames-1.py", EntryName { late: true, again: 1, ..jan.clone() });
        check("peetersjan_LATE_123_456_Codenames.py", EntryName { late: true, ..jan.clone() });
        let file = Some("my_code.v2.py".to_owned());
        check("peetersjan_123_456_my_code.v2-3.py", EntryName { file, again: 3, ..jan.clone() });
        let student = WrittenName::Squeezed("anon_x7Qd".to_owned());
        check("anon_x7Qd_123_456_Codenames.py", EntryName { student, ..jan.clone() });
        check("peetersjan_123_text.html", EntryName { file: Some("text.html".to_owned()), ..jan });
    }

    #[test]
    fn blackboard_writes_the_account_and_the_time_of_each_attempt() {
        let jan = EntryName {
            student: WrittenName::Login("jpeeters".to_owned()),
            at: Some(1_793_700_753),
            file: Some("codenames.py".to_owned()),
            ..full(Platform::Blackboard, "", "jpeeters")
        };
        check("Lab_2 Codenames_jpeeters_attempt_2026-11-03-10-12-33_codenames.py", jan.clone());
        check(
            "Codenames_jpeeters_attempt_2026-11-03-10-12-33.txt",
            EntryName { file: None, about: true, ..jan },
        );
        let about = "Name: Jan Peeters (jpeeters)\r\nAssignment: Codenames\r\n";
        assert_eq!(named_in(about, "jpeeters"), Some("Jan Peeters".to_owned()));
    }

    #[test]
    fn brightspace_writes_the_day_in_words_of_the_interface() {
        let jan =
            EntryName { at: Some(1_793_700_720), ..full(Platform::Brightspace, "Jan Peeters", "12345") };
        check("12345-67890 - Jan Peeters - 3 November 2026 1012 AM", jan.clone());
        check("12345-67890 - Jan Peeters - Nov 3, 2026 1012 AM", jan.clone());
        check("12345-67890 - Jan Peeters- 3 november, 2026 10.12", jan.clone());
        let flat = "12345-67890 - Jan Peeters - 3 nov. 2026 1012 - code-names.py";
        check(flat, EntryName { file: Some("code-names.py".to_owned()), ..jan.clone() });
        let student = WrittenName::Full("Anne-Marie Op de Beeck".to_owned());
        check("12345-1 - Anne-Marie Op de Beeck - 3. november 2026 1012", EntryName { student, ..jan });
    }

    #[test]
    fn other_names_are_no_platforms() {
        for name in ["jan", "codenames.py", "jan_2_final.py", "grades.csv", "index.html", "2026-11 - notes"] {
            assert_eq!(read(name), None, "{name}");
        }
        assert_eq!(platform_id("Jan Peeters_12345_assignsubmission_file_/"), Some("12345".to_owned()));
        assert!(["grades.csv", ".DS_Store", "__MACOSX", "index.html"].into_iter().all(is_nobodys));
        assert!(!["jan", "codenames.py", "index.js", "essay.docx", "play.ipynb"].into_iter().any(is_nobodys));
    }
}
