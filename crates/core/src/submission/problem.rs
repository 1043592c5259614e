//! What is wrong with a submission before it runs: with its files, or with building it.

use crate::languages::CompileError;
use crate::messages::Message;
use std::collections::BTreeSet;

/// The most kinds of files that a message lists; others are only counted.
const MOST_KINDS: usize = 4;

/// A reason why a submission cannot be run, which is its own fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum SubmissionProblem {
    /// A problem with its files.
    Files(FilesProblem),
    /// No program can be built from its files. Stored as its kind alone.
    #[serde(untagged)]
    Build(BuildProblem),
}

impl SubmissionProblem {
    /// The message to the student.
    pub fn message(&self) -> Message {
        match self {
            SubmissionProblem::Files(problem) => problem.message(),
            SubmissionProblem::Build(problem) => problem.message(),
        }
    }
}

impl From<FilesProblem> for SubmissionProblem {
    fn from(problem: FilesProblem) -> SubmissionProblem {
        SubmissionProblem::Files(problem)
    }
}

impl From<BuildProblem> for SubmissionProblem {
    fn from(problem: BuildProblem) -> SubmissionProblem {
        SubmissionProblem::Build(problem)
    }
}

/// A reason why no program can be built from a submission.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum BuildProblem {
    /// The compiler reports these errors; none if an engine that compiles what it loads rejects it, whose
    /// exception is shown instead.
    #[serde(rename = "Compile")]
    Errors(Vec<CompileError>),
    /// The build takes too long.
    #[serde(rename = "CompileTime")]
    TooSlow,
    /// The build of this test target ends without its program.
    ProgramGone {
        /// The source of the test target.
        test: String,
    },
}

impl BuildProblem {
    fn message(&self) -> Message {
        match self {
            BuildProblem::Errors(errors) => {
                let unlisted: BTreeSet<String> =
                    errors.iter().filter_map(|error| error.unlisted.clone()).collect();
                let withheld = errors.iter().find_map(|error| error.withheld.as_deref());
                // The first error explains the others.
                let common = errors.first().and_then(|error| error.common.as_ref());
                match (withheld, common) {
                    (Some(name), _) => Message::new("mistake-compile-withheld").with("name", name),
                    (None, Some(common)) => {
                        Message::new("mistake-compile-common").with_message("why", common.message())
                    }
                    (None, None) if unlisted.is_empty() => Message::new("mistake-compile"),
                    (None, None) => Message::new("mistake-compile-unlisted")
                        .with_names("crates", &unlisted.into_iter().collect::<Vec<_>>()),
                }
            }
            BuildProblem::TooSlow => Message::new("mistake-compile-time"),
            BuildProblem::ProgramGone { test } => Message::new("mistake-program-gone").with("test", test),
        }
    }
}

/// The exercise that a submission answers cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclearExercise {
    /// The exercises that it may answer; empty if it looks like none.
    pub matches: Vec<String>,
    /// Every exercise.
    pub choices: Vec<String>,
    /// The exercise that comes nearest, if it looks like none.
    pub nearest: Option<Box<NearestExercise>>,
    /// The test target that a Rust crate lacks: it would name the exercise.
    pub lacks_test: Option<String>,
}

/// The exercise that a submission comes nearest to, though it does not look like an answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestExercise {
    /// The name of the exercise.
    pub exercise: String,
    /// The reason.
    pub why: Nearness,
}

/// A reason why a submission comes near an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// A file defines a name that resembles the one of a class or function.
    Definition {
        /// The file.
        file: String,
        /// The name that it defines.
        found: String,
        /// The name that the exercise asks for.
        wanted: String,
    },
    /// A file defines some of what the exercise asks for.
    Names {
        /// The file.
        file: String,
        /// The classes, functions and methods that it defines.
        found: Vec<String>,
        /// The names that the exercise asks for and the file does not define.
        wanted: Vec<String>,
    },
    /// The name of a file resembles the one that the exercise asks for.
    FileName {
        /// The file.
        file: String,
        /// The name that the exercise asks for.
        wanted: String,
    },
}

impl NearestExercise {
    /// The part of a sentence that names the exercise and the reason.
    pub fn message(&self) -> Message {
        let message = match &self.why {
            Nearness::Definition { file, found, wanted } => {
                Message::new("near-definition").with("file", file).with("found", found).with("wanted", wanted)
            }
            Nearness::Names { file, found, wanted } => Message::new("near-names")
                .with("file", file)
                .with_names("found", found)
                .with_names("wanted", wanted),
            Nearness::FileName { file, wanted } => {
                Message::new("near-file").with("file", file).with("wanted", wanted)
            }
        };
        message.with("name", &self.exercise)
    }
}

/// A kind of file, judged by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum FileKind {
    /// A picture.
    Picture,
    /// Any file with this extension, without the dot and in lower case.
    Extension(String),
    /// A file without an extension.
    Plain,
    /// A hidden file.
    Hidden,
    /// A link.
    Link,
}

impl FileKind {
    /// The kind of the file with this name.
    pub fn of(name: &str) -> FileKind {
        const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "bmp", "webp", "heic", "tiff", "svg"];
        const LONGEST: usize = 8;
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension {
            Some(extension) if PICTURES.contains(&extension.as_str()) => FileKind::Picture,
            Some(extension)
                if (1..=LONGEST).contains(&extension.len())
                    && extension.chars().all(|ch| ch.is_ascii_alphanumeric()) =>
            {
                FileKind::Extension(extension)
            }
            Some(_) | None => FileKind::Plain,
        }
    }
}

/// The files of a submission that are not read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum SkippedFile {
    /// A link, which is not followed.
    Link(String),
    /// A device, a pipe or a socket.
    Irregular(String),
    /// A file whose name leads out of the zip that holds it.
    OutsideZip(String),
    /// A file or folder whose path is too long, too deep or taken.
    Unkept(String),
    /// A file that is no source, and too large to be kept, alone or with the others.
    TooLarge(String),
    /// A folder that the system could not list, with its reason.
    Unlisted(String),
    /// A notebook with lines that only Jupyter understands, which were left out.
    Magics(String),
    /// Others, of which there are too many to name.
    More(usize),
}

/// A problem with the files of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum FilesProblem {
    /// The submission has no source file in a language of the exercise.
    NoSource {
        /// The files that were looked for.
        wanted: Vec<String>,
        /// The files that it has instead: how many of each kind.
        found: Vec<(FileKind, usize)>,
    },
    /// The submission has no source file, and some of its files were not read.
    NothingRead {
        /// One of these.
        skipped: SkippedFile,
    },
    /// There is Rust source, but not the `Cargo.toml` of a crate.
    NoManifest,
    /// The `Cargo.toml` of a crate inherits a key, and no workspace around the crate sets it.
    NotInherited {
        /// The key.
        key: String,
    },
    /// A Rust crate lacks the test target.
    NoTest {
        /// The source of the test target.
        test: String,
    },
    /// A program of a Rust crate would run while it is compiled, and the course's files have none there.
    BuildScript {
        /// The source file with the name.
        file: String,
    },
    /// The file is a link, which is not followed.
    Link {
        /// The link's target.
        to: String,
    },
    /// Several files could be it.
    Several {
        /// The files that could be meant.
        found: Vec<String>,
        /// The names that were looked for, if none of them has one.
        wanted: Vec<String>,
    },
    /// The file has the name of a notebook, and is none.
    Notebook {
        /// The file.
        file: String,
    },
    /// The file is empty.
    Empty {
        /// The file.
        file: String,
    },
    /// The file is saved as UTF-16, which no interpreter reads.
    Utf16 {
        /// The file.
        file: String,
    },
    /// The file is not a text, whatever its name says.
    Binary {
        /// The file.
        file: String,
    },
    /// A file is too large.
    TooLarge {
        /// The file.
        file: String,
        /// The most bytes that it may have.
        most: u64,
    },
    /// The files are too large together.
    TooLargeTogether {
        /// The most bytes that they may have.
        most: u64,
    },
    /// There are too many files.
    TooMany {
        /// The most files that there may be.
        most: usize,
    },
    /// Reading takes too long.
    TooSlow {
        /// The most seconds of processor time.
        seconds: u64,
    },
    /// A zip cannot be unpacked.
    BadZip {
        /// The zip.
        file: String,
        /// The reason why it cannot be unpacked.
        why: ZipProblem,
    },
    /// The download of the class leaves open which files are this student's.
    Contested,
    /// The entry is neither a file nor a folder.
    Irregular {
        /// The name of the entry.
        file: String,
    },
    /// The system does not let it be read.
    Unreadable {
        /// The file.
        file: String,
        /// The system's reason.
        why: String,
    },
}

/// A reason why a zip cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ZipProblem {
    /// The zip is damaged, or something else under the name of a zip.
    Damaged,
    /// The zip is a zip64 archive.
    Zip64,
    /// The names and comments of its files are too long together.
    Directory,
    /// The zip needs a password.
    Password,
    /// The zip is compressed in a way that keur does not know.
    Method,
}

impl FileKind {
    fn message(&self, count: usize) -> Message {
        let message = match self {
            FileKind::Picture => Message::new("found-picture"),
            FileKind::Extension(extension) => Message::new("found-extension").with("extension", extension),
            FileKind::Plain => Message::new("found-plain"),
            FileKind::Hidden => Message::new("found-hidden"),
            FileKind::Link => Message::new("found-link"),
        };
        message.count(count)
    }
}

impl SkippedFile {
    /// The message to the student.
    pub fn message(&self) -> Message {
        match self {
            SkippedFile::Link(file) => Message::new("skipped-link").with("file", file),
            SkippedFile::Irregular(file) => Message::new("skipped-irregular").with("file", file),
            SkippedFile::OutsideZip(file) => Message::new("skipped-outside-zip").with("file", file),
            SkippedFile::Unkept(file) => Message::new("skipped-unkept").with("file", file),
            SkippedFile::TooLarge(file) => Message::new("skipped-too-large").with("file", file),
            SkippedFile::Unlisted(why) => Message::new("skipped-unlisted").with("why", why),
            SkippedFile::Magics(file) => Message::new("skipped-magics").with("file", file),
            SkippedFile::More(count) => Message::new("skipped-more").count(*count),
        }
    }
}

impl ZipProblem {
    fn message(self) -> Message {
        Message::new(match self {
            ZipProblem::Damaged => "files-zip-damaged",
            ZipProblem::Zip64 => "files-zip64",
            ZipProblem::Directory => "files-zip-directory",
            ZipProblem::Password => "files-zip-password",
            ZipProblem::Method => "files-zip-method",
        })
    }
}

/// The message `id` with the files `found`, by their kinds: two .docx files and a picture.
fn with_kinds(id: &'static str, found: &[(FileKind, usize)]) -> Message {
    let mut kinds: Vec<Message> =
        found.iter().take(MOST_KINDS).map(|(kind, count)| kind.message(*count)).collect();
    let more: usize = found.iter().skip(MOST_KINDS).map(|(_, count)| count).sum();
    if more > 0 {
        kinds.push(Message::new("found-more").count(more));
    }
    let message = Message::new(id);
    match kinds.pop() {
        None => message,
        Some(only) if kinds.is_empty() => message.with_message("found", only),
        Some(last) => {
            let all = Message::new("found-and").with_messages("some", kinds).with_message("last", last);
            message.with_message("found", all)
        }
    }
}

/// A limit of whole megabytes.
fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

impl FilesProblem {
    /// The message to the student.
    pub fn message(&self) -> Message {
        match self {
            FilesProblem::NoSource { wanted, found } => {
                let id = match (wanted.is_empty(), found.is_empty()) {
                    (true, true) => "files-nothing",
                    (true, false) => "files-none",
                    (false, true) => "files-nothing-of",
                    (false, false) => "files-no-source",
                };
                with_kinds(id, found).with_names("wanted", wanted)
            }
            FilesProblem::NothingRead { skipped } => {
                Message::new("files-nothing-read").with_message("skipped", skipped.message())
            }
            FilesProblem::NoManifest => Message::new("files-no-manifest"),
            FilesProblem::NotInherited { key } => Message::new("files-not-inherited").with("key", key),
            FilesProblem::NoTest { test } => Message::new("files-no-test").with("test", test),
            FilesProblem::BuildScript { file } => Message::new("files-build-script").with("file", file),
            FilesProblem::Link { to } => Message::new("files-link").with("to", to),
            FilesProblem::Several { found, wanted } if wanted.is_empty() => {
                Message::new("files-several").with_names("found", found)
            }
            FilesProblem::Several { found, wanted } => {
                Message::new("files-several-unnamed").with_names("found", found).with_names("wanted", wanted)
            }
            FilesProblem::Notebook { file } => Message::new("files-notebook").with("file", file),
            FilesProblem::Empty { file } => Message::new("files-empty").with("file", file),
            FilesProblem::Utf16 { file } => Message::new("files-utf16").with("file", file),
            FilesProblem::Binary { file } => Message::new("files-binary").with("file", file),
            FilesProblem::TooLarge { file, most } => {
                Message::new("files-too-large").with("file", file).with("most", megabytes(*most))
            }
            FilesProblem::TooLargeTogether { most } => {
                Message::new("files-too-large-together").with("most", megabytes(*most))
            }
            FilesProblem::TooMany { most } => Message::new("files-too-many").with("most", most),
            FilesProblem::TooSlow { seconds } => Message::new("files-too-slow").with("seconds", seconds),
            FilesProblem::BadZip { file, why } => why.message().with("file", file),
            FilesProblem::Contested => Message::new("files-contested"),
            FilesProblem::Irregular { file } => Message::new("files-irregular").with("file", file),
            FilesProblem::Unreadable { file, why } => {
                Message::new("files-unreadable").with("file", file).with("why", why)
            }
        }
    }

    /// Whether there is nothing to grade, so that a grade would be meaningless.
    pub fn is_nothing_to_grade(&self) -> bool {
        match self {
            FilesProblem::NoSource { .. }
            | FilesProblem::NothingRead { .. }
            | FilesProblem::NoManifest
            | FilesProblem::Link { .. }
            | FilesProblem::Several { .. }
            | FilesProblem::Notebook { .. }
            | FilesProblem::Utf16 { .. }
            | FilesProblem::Binary { .. }
            | FilesProblem::TooLarge { .. }
            | FilesProblem::TooLargeTogether { .. }
            | FilesProblem::TooMany { .. }
            | FilesProblem::TooSlow { .. }
            | FilesProblem::BadZip { .. }
            | FilesProblem::Contested
            | FilesProblem::Irregular { .. }
            | FilesProblem::Unreadable { .. } => true,
            FilesProblem::NotInherited { .. }
            | FilesProblem::NoTest { .. }
            | FilesProblem::BuildScript { .. }
            | FilesProblem::Empty { .. } => false,
        }
    }
}
