//! Reads the names in a download: the owner of a file or folder, and when it was handed in.
//!
//! - Moodle: `Jan Peeters_12345_assignsubmission_file_/`, or flat with the name of the file after it;
//! - Canvas: `peetersjan_late_123_456_Codenames-1.py`, always flat;
//! - Blackboard: `Codenames_jpeeters_attempt_2026-11-03-10-12-33_codenames.py`, and a text about each
//!   attempt;
//! - Brightspace, such as Ufora: `12345-67890 - Jan Peeters - 3 November 2026 1012 AM/`.
//!
//! A platform writes its own part first, and the student's own name of the file comes after it. So the
//! shortest match from the left counts, and what follows is never looked at to find the student.

use super::moment;
use keur_core::languages::pattern;
use keur_core::named;
use keur_core::named::Named;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// A learning platform, by how it names what it exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Platform {
    /// Moodle.
    Moodle,
    /// Canvas.
    Canvas,
    /// Blackboard.
    Blackboard,
    /// Brightspace, such as Ufora.
    Brightspace,
}

/// The platform or person that named the files and folders of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// A learning platform.
    Platform(Platform),
    /// People: each name is that of a student.
    People,
}

/// A student's number on a platform, or the name of the account there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlatformId {
    pub(super) platform: Platform,
    pub(super) id: String,
}

/// Whether an entry of a download is a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryShape {
    File,
    Folder,
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

impl WrittenName {
    pub(super) fn text(&self) -> &str {
        match self {
            WrittenName::Full(text) | WrittenName::Squeezed(text) | WrittenName::Login(text) => text,
        }
    }
}

/// The parts of an entry's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryName {
    pub(super) student: WrittenName,
    /// The student's number on the platform.
    pub(super) id: String,
    /// Later numbers that are the student's if the platform wrote the name of the student up to there.
    pub(super) rivals: Vec<String>,
    /// When it was handed in, in seconds since 1970.
    pub(super) at: Option<i64>,
    pub(super) late: bool,
    /// The kind of submission, where a platform keeps files and texts apart.
    pub(super) kind: String,
    /// The student's own name of the file, in a flat download.
    pub(super) file: Option<String>,
    /// How often the student handed in a file of this name before.
    pub(super) again: u32,
    /// The platform's number of the file: that of a later attempt is higher.
    pub(super) number: Option<u64>,
    /// Whether this is the platform's own text about an attempt.
    pub(super) about: bool,
}

impl EntryName {
    fn new(student: WrittenName, id: &str) -> EntryName {
        EntryName {
            student,
            id: id.to_owned(),
            rivals: Vec::new(),
            at: None,
            late: false,
            kind: String::new(),
            file: None,
            again: 0,
            number: None,
            about: false,
        }
    }
}

static MOODLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)^(.+?)_([0-9]+)_assignsubmission_(.*)$"));

static CANVAS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?s)^(.+?)(_(?i:late))?_([0-9]+)_(?:([0-9]+)_(.+)|(text\.html|link\.html)|question_[0-9]+_(?:([0-9]+)_)?(.+))$",
    )
});

/// A download of an assignment that is graded without names.
static CANVAS_ANONYMOUS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)^((?i:late)_)?(anon_[0-9A-Za-z]+)_(?:([0-9]+)_(.+)|(text\.html|link\.html))$")
});

static BLACKBOARD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)^(.+?_.+?)_attempt_([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2})(.*)$")
});

static BRIGHTSPACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)^([0-9]+)-[0-9]+ ?- ?(.+)$"));

static YEAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9]{4}"));

/// The number that Canvas puts after the name of a file that is handed in again.
static AGAIN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)^(.+)-([0-9]{1,2})(\.[^.]+|)$"));

// Names on the command line and in the database.
named!(Platform {
    Moodle = "moodle",
    Canvas = "canvas",
    Blackboard = "blackboard",
    Brightspace = "brightspace",
});

impl Platform {
    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Platform::Moodle => "Moodle",
            Platform::Canvas => "Canvas",
            Platform::Blackboard => "Blackboard",
            Platform::Brightspace => "Brightspace",
        }
    }

    /// The parts of an entry's name, if this platform wrote it. An account of Blackboard stands together with
    /// the title of the assignment until [`super::logins`] takes them apart.
    pub(super) fn read(self, name: &str, shape: EntryShape) -> Option<EntryName> {
        match self {
            Platform::Moodle => moodle(name),
            Platform::Canvas => canvas(name),
            Platform::Blackboard => blackboard(name),
            Platform::Brightspace => brightspace(name, shape),
        }
    }
}

impl Platform {
    /// The number of an attempt whose file or folder has this name in a download. Later attempts have higher
    /// numbers.
    pub(super) fn attempt_number(self, original: &str) -> Option<u64> {
        self.read(original, EntryShape::File)?.number
    }
}

impl NamedBy {
    /// The value that `--platform` calls `name`.
    pub fn from_name(name: &str) -> Option<NamedBy> {
        match name {
            "none" => Some(NamedBy::People),
            _ => Platform::from_name(name).map(NamedBy::Platform),
        }
    }
}

fn moodle(name: &str) -> Option<EntryName> {
    let found = MOODLE.captures(name)?;
    let (kind, file) = found[3].split_once('_').unwrap_or((&found[3], ""));
    Some(EntryName {
        kind: kind.to_owned(),
        file: Some(file.to_owned()).filter(|file| !file.is_empty()),
        ..EntryName::new(WrittenName::Full(found[1].trim().to_owned()), &found[2])
    })
}

fn canvas(name: &str) -> Option<EntryName> {
    if let Some(found) = CANVAS_ANONYMOUS.captures(name) {
        let file = found.get(4).or(found.get(5))?.as_str();
        let student = EntryName::new(WrittenName::Squeezed(found[2].to_owned()), &found[2]);
        let number = found.get(3).and_then(|number| number.as_str().parse().ok());
        return Some(with_file(EntryName { late: found.get(1).is_some(), number, ..student }, file));
    }
    let found = CANVAS.captures(name)?;
    let file = [5, 6, 8].into_iter().find_map(|group| found.get(group))?.as_str();
    let number = found.get(4).or(found.get(7)).and_then(|number| number.as_str().parse().ok());
    let id = found.get(3)?;
    let student = EntryName::new(WrittenName::Squeezed(found[1].to_owned()), id.as_str());
    let rivals = canvas_rivals(&name[id.end()..], id.as_str());
    Some(with_file(EntryName { late: found.get(2).is_some(), rivals, number, ..student }, file))
}

/// The numbers after the first one which have after them what Canvas writes after a student's number. Canvas
/// takes `_5_` out of a name before it drops all signs but letters, digits and `_`: of the name `Li_10-2_5`
/// it leaves `li_102_5`.
fn canvas_rivals(after: &str, first: &str) -> Vec<String> {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = after.split('_').collect();
    let is_students = |place: &usize| {
        let follows =
            |place: usize| parts.get(place).is_some_and(|part| !part.is_empty()) || parts.len() > place + 1;
        match &parts[place + 1..] {
            ["text.html" | "link.html"] => true,
            ["question", number, ..] => is_number(number) && follows(place + 3),
            [number, ..] => is_number(number) && follows(place + 2),
            [] => false,
        }
    };
    let places = (0..parts.len()).filter(|place| is_number(&parts[*place]) && parts[*place] != first);
    places.filter(is_students).map(|place| parts[place].to_owned()).collect()
}

/// With the student's own name of the file, which Canvas numbers when it is handed in again.
fn with_file(name: EntryName, file: &str) -> EntryName {
    let (file, again) = match AGAIN.captures(file) {
        Some(parts) => (format!("{}{}", &parts[1], &parts[3]), parts[2].parse().unwrap_or_default()),
        None => (file.to_owned(), 0),
    };
    EntryName { file: Some(file), again, ..name }
}

fn blackboard(name: &str) -> Option<EntryName> {
    let found = BLACKBOARD.captures(name)?;
    let (about, file) = match &found[3] {
        "" => (false, None),
        ".txt" => (true, None),
        rest => (false, Some(rest.strip_prefix('_').filter(|file| !file.is_empty())?.to_owned())),
    };
    Some(EntryName {
        at: moment::read(&found[2]).map(|moment| moment.seconds),
        about,
        file,
        ..EntryName::new(WrittenName::Login(found[1].to_owned()), &found[1])
    })
}

fn brightspace(name: &str, shape: EntryShape) -> Option<EntryName> {
    let found = BRIGHTSPACE.captures(name)?;
    let rest = &found[2];
    // A name that a student shows may have a time in it too. Nobody gains by a later one.
    let times = rest.split("- ").map(str::trim).filter(|day| YEAR.is_match(day)).filter_map(moment::read);
    let at = times.map(|moment| moment.seconds).max();
    rest.match_indices("- ").find_map(|(place, mark)| {
        let student = rest[..place].trim();
        let after = &rest[place + mark.len()..];
        let (day, file) = match after.find('-') {
            None => (after, None),
            Some(end) if shape == EntryShape::File => {
                let day = after[..end].strip_suffix(' ')?;
                (day, Some(after[end..].strip_prefix("- ").filter(|file| !file.is_empty())?))
            }
            Some(_) => return None,
        };
        if student.is_empty() || !YEAR.is_match(day) {
            return None;
        }
        moment::read(day)?;
        Some(EntryName {
            at,
            file: file.map(str::to_owned),
            ..EntryName::new(WrittenName::Full(student.to_owned()), &found[1])
        })
    })
}

/// The first line of Blackboard's text about an attempt, which is not the student's: `Name: Jan Peeters
/// (jpeeters)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AboutAttempt {
    pub(super) name: String,
    pub(super) login: String,
}

impl AboutAttempt {
    /// Reads the start of such a text.
    pub(super) fn read(text: &str) -> Option<AboutAttempt> {
        let line = text.trim_start_matches('\u{feff}').lines().next()?;
        let (_, name) = line.split_once(':')?;
        let (name, login) = name.trim().strip_suffix(')')?.rsplit_once('(')?;
        let about = AboutAttempt { name: name.trim().to_owned(), login: login.to_owned() };
        Some(about).filter(|about| !about.name.is_empty() && !about.login.is_empty())
    }
}

/// Returns true if and only if the name is that of a file which systems leave behind beside those of a
/// download.
pub(super) fn is_left_behind(name: &str) -> bool {
    const NAMES: [&str; 4] = ["__macosx", "$recycle.bin", "thumbs.db", "desktop.ini"];
    name.starts_with('.') || NAMES.contains(&name.to_lowercase().as_str())
}

/// Returns true if and only if a file or folder of this name belongs to no student: pages and tables of a
/// platform, and what systems leave behind.
pub(super) fn is_nobodys(name: &str) -> bool {
    const FILES: [&str; 4] = ["index.html", "manifest.xml", "readme.txt", "readme.md"];
    let lower = name.to_lowercase();
    let ending = Path::new(&lower).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    is_left_behind(name)
        || FILES.contains(&lower.as_str())
        || ["csv", "xlsx", "xls", "ods", "tsv"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::{AboutAttempt, EntryName, EntryShape, Platform, WrittenName, is_nobodys};
    use keur_core::named::Named;
    use proptest::prelude::*;

    fn full(name: &str, id: &str) -> EntryName {
        EntryName::new(WrittenName::Full(name.to_owned()), id)
    }

    #[track_caller]
    fn check(platform: Platform, name: &str, expected: EntryName) {
        let shape = if name.ends_with('/') { EntryShape::Folder } else { EntryShape::File };
        assert_eq!(platform.read(name.trim_end_matches('/'), shape), Some(expected), "{name}");
    }

    fn file(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn moodle_writes_the_name_the_number_and_the_kind() {
        let check = |name: &str, expected: EntryName| check(Platform::Moodle, name, expected);
        let jan = EntryName { kind: "file".to_owned(), ..full("Jan Peeters", "12345") };
        check("Jan Peeters_12345_assignsubmission_file_/", jan.clone());
        check("Jan Peeters_12345_assignsubmission_file/", jan.clone());
        check(
            "Jan Peeters_12345_assignsubmission_onlinetext_/",
            EntryName { kind: "onlinetext".to_owned(), ..jan.clone() },
        );
        check(
            "Jan Peeters_12345_assignsubmission_file_code_names.py",
            EntryName { file: file("code_names.py"), ..jan.clone() },
        );
        let named = |name: &str, id: &str| EntryName { kind: "file".to_owned(), ..full(name, id) };
        check("Participant 77_77_assignsubmission_file_/", named("Participant 77", "77"));
        check("Group A-Søren Ø_Hansen_9_assignsubmission_file_/", named("Group A-Søren Ø_Hansen", "9"));
        check("Bo Li_102_103_assignsubmission_file_/", named("Bo Li_102", "103"));
        let own = "Bo Li_102_assignsubmission_file_prime.py";
        check(
            &format!("Jan Peeters_12345_assignsubmission_file_{own}"),
            EntryName { file: file(own), ..jan.clone() },
        );
        let own = "\nBo Li_102_assignsubmission_file_\u{2028}.py";
        check(
            &format!("Jan Peeters_12345_assignsubmission_file_{own}"),
            EntryName { file: file(own), ..jan },
        );
    }

    #[test]
    fn canvas_squeezes_the_name_and_counts_resubmissions() {
        let check = |name: &str, expected: EntryName| check(Platform::Canvas, name, expected);
        let jan = EntryName {
            file: file("Codenames.py"),
            number: Some(456),
            ..EntryName::new(WrittenName::Squeezed("peetersjan".to_owned()), "123")
        };
        check("peetersjan_123_456_Codenames.py", jan.clone());
        check("peetersjan_late_123_456_Codenames-1.py", EntryName { late: true, again: 1, ..jan.clone() });
        check("peetersjan_LATE_123_456_Codenames.py", EntryName { late: true, ..jan.clone() });
        let again = EntryName { file: file("my_code.v2.py"), again: 3, ..jan.clone() };
        check("peetersjan_123_456_my_code.v2-3.py", again);
        let text = EntryName { file: file("text.html"), number: None, ..jan.clone() };
        check("peetersjan_123_text.html", text);
        let quiz = EntryName { rivals: vec!["4".to_owned()], ..jan.clone() };
        check("peetersjan_123_question_4_456_Codenames.py", quiz);
        let de_smet = EntryName { student: WrittenName::Squeezed("de_smetan".to_owned()), ..jan.clone() };
        check("de_smetan_123_456_Codenames.py", de_smet);
        let anonymous = EntryName {
            file: file("Codenames.py"),
            late: true,
            number: Some(456),
            ..EntryName::new(WrittenName::Squeezed("anon_x7Qd".to_owned()), "anon_x7Qd")
        };
        check("LATE_anon_x7Qd_456_Codenames.py", anonymous);
        // Jan's file, or that of somebody whose name has numbers in it.
        for (own, rivals) in [
            ("libo_103_900_prime.py", vec!["103"]),
            ("103_900_prime.py", vec!["456", "103"]),
            ("103_prime.py", vec!["456"]),
            ("103_text.html", vec!["456", "103"]),
            ("103_question_4_prime.py", vec!["456", "103"]),
            ("103_question_x_4_5_.py", vec!["456", "4"]),
            ("_103_901_.py", vec!["103"]),
            ("103_901_", vec!["456"]),
            ("123_900_prime.py", vec!["456"]),
            ("a_103_prime.py", vec![]),
        ] {
            let rivals = rivals.into_iter().map(str::to_owned).collect();
            check(&format!("peetersjan_123_456_{own}"), EntryName { file: file(own), rivals, ..jan.clone() });
        }
    }

    #[test]
    fn blackboard_writes_the_account_and_the_time_of_each_attempt() {
        let check = |name: &str, expected: EntryName| check(Platform::Blackboard, name, expected);
        let head = "Lab_2 Codenames_jpeeters";
        let jan = EntryName {
            at: Some(1_793_700_753),
            file: file("codenames.py"),
            ..EntryName::new(WrittenName::Login(head.to_owned()), head)
        };
        check(&format!("{head}_attempt_2026-11-03-10-12-33_codenames.py"), jan.clone());
        let about = EntryName { file: None, about: true, ..jan.clone() };
        check(&format!("{head}_attempt_2026-11-03-10-12-33.txt"), about);
        let own = "Lab_2 Codenames_bli_attempt_2026-11-03-10-12-33.txt";
        check(&format!("{head}_attempt_2026-11-03-10-12-33_{own}"), EntryName { file: file(own), ..jan });
    }

    #[test]
    fn the_text_about_an_attempt_names_the_student_in_its_first_line() {
        let read = |text: &str| AboutAttempt::read(text).map(|about| (about.name, about.login));
        let jan = Some(("Jan (Jef) Peeters".to_owned(), "jpeeters".to_owned()));
        assert_eq!(read("Name: Jan (Jef) Peeters (jpeeters)\r\nComments: Name: Bo (bli)\r\n"), jan);
        assert_eq!(read("Assignment: Codenames\nName: Bo Li (bli)\n"), None);
    }

    #[test]
    fn a_time_in_a_name_on_brightspace_makes_nothing_earlier() {
        let at = |name: &str| Platform::Brightspace.read(name, EntryShape::File).unwrap().at;
        let plain = at("103-902 - Zed - 9 November 2026 1012 AM - t.py");
        assert_eq!(at("103-902 - Zed - 1 November 2026 900 AM - 9 November 2026 1012 AM - t.py"), plain);
    }

    #[test]
    fn brightspace_writes_the_day_in_words_of_the_interface() {
        let check = |name: &str, expected: EntryName| check(Platform::Brightspace, name, expected);
        let jan = EntryName { at: Some(1_793_700_720), ..full("Jan Peeters", "12345") };
        check("12345-67890 - Jan Peeters - 3 November 2026 1012 AM/", jan.clone());
        check("12345-67890 - Jan Peeters - Nov 3, 2026 1012 AM/", jan.clone());
        check("12345-67890 - Jan Peeters- 3 november, 2026 10.12/", jan.clone());
        let flat = "12345-67890 - Jan Peeters - 3 nov. 2026 1012 - code-names.py";
        check(flat, EntryName { file: file("code-names.py"), ..jan.clone() });
        let student = WrittenName::Full("Anne-Marie Op de Beeck".to_owned());
        let anne = EntryName { student, ..jan.clone() };
        check("12345-1 - Anne-Marie Op de Beeck - 3. november 2026 1012/", anne);
        let own = "12359-1 - Bo Li - 3 November 2026 1012 AM - prime.py";
        let hostile = EntryName { file: file(own), ..jan.clone() };
        check(&format!("12345-1 - Jan Peeters - 3 November 2026 1012 AM - {own}"), hostile);
        // A name with a day in it, before the day.
        let student = WrittenName::Full("Jan - 1 January 2020".to_owned());
        check("12345-1 - Jan - 1 January 2020 - 3 November 2026 1012 AM/", EntryName { student, ..jan });
    }

    #[test]
    fn ordinary_names_match_no_platform() {
        for name in ["jan", "codenames.py", "jan_2_final.py", "grades.csv", "index.html", "2026-11 - notes"] {
            for &platform in Platform::ALL {
                assert_eq!(platform.read(name, EntryShape::File), None, "{name}");
            }
        }
        assert!(["grades.csv", ".DS_Store", "__MACOSX", "index.html"].into_iter().all(is_nobodys));
        assert!(!["jan", "codenames.py", "index.js", "essay.docx", "play.ipynb"].into_iter().any(is_nobodys));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Students write a part of the names, and all of Blackboard's text after its first line.
        #[test]
        fn whatever_a_name_is_it_is_read_or_not(
            name in "([0-9]{1,20}| - |_|attempt|assignsubmission_file|late|Jan|3 November 2026 1012 AM|2026-11-03-10-12-33|\\PC){0,12}",
            text in "(Name|:| |\\(|\\)|\\PC){0,12}",
        ) {
            for platform in [Platform::Moodle, Platform::Canvas, Platform::Blackboard, Platform::Brightspace] {
                for shape in [EntryShape::File, EntryShape::Folder] {
                    let read = platform.read(&name, shape);
                    prop_assert_eq!(&read, &platform.read(&name, shape));
                    prop_assert!(read.and_then(|read| read.file).is_none_or(|file| name.ends_with(&file)));
                }
            }
            prop_assert!(AboutAttempt::read(&text).is_none_or(|about| text.contains(&about.login)));
        }
    }
}
