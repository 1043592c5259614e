//! What is wrong with a submission before it runs: with its files, or with building it.

use crate::languages::CompileError;

/// Why a submission cannot be run, which is its own fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionProblem {
    /// A problem with its files.
    Files(FilesProblem),
    /// No program can be built from its files.
    Build(BuildProblem),
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

/// Why no program can be built from a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildProblem {
    /// The compiler reports these errors.
    Errors(Vec<CompileError>),
    /// The build takes too long.
    TooSlow,
    /// The build of this test target ends without its program.
    ProgramGone {
        /// The source of the test target.
        test: String,
    },
}

/// The exercise that a submission answers cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclearExercise {
    /// The exercises that it may answer; empty if it looks like none.
    pub matches: Vec<String>,
    /// Every exercise.
    pub choices: Vec<String>,
}

/// A kind of file, judged by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
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

/// What is not read of a submission.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// What the system could not list, with its reason.
    Unlisted(String),
    /// Others, of which there are too many to name.
    More(usize),
}

/// A problem with the files of a submission.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FilesProblem {
    /// It has no source file in a language of the exercise.
    NoSource {
        /// The files that were looked for.
        wanted: Vec<String>,
        /// The files that it has instead: how many of each kind.
        found: Vec<(FileKind, usize)>,
    },
    /// It has no source file, and some of its files were not read.
    NothingRead {
        /// One of these.
        skipped: SkippedFile,
    },
    /// A Rust crate lacks the test target.
    NoTest {
        /// The source of the test target.
        test: String,
    },
    /// A program of a Rust crate would run while it is compiled, and the course's files have none there.
    BuildScript {
        /// Its source.
        file: String,
    },
    /// It is a link, which is not followed.
    Link {
        /// The link's target.
        to: String,
    },
    /// Several files could be it.
    Several {
        /// These files.
        found: Vec<String>,
        /// The names that were looked for, if none of them has one.
        wanted: Vec<String>,
    },
    /// It is a notebook.
    Notebook {
        /// The file.
        file: String,
    },
    /// It is empty.
    Empty {
        /// The file.
        file: String,
    },
    /// It is saved as UTF-16, which no interpreter reads.
    Utf16 {
        /// The file.
        file: String,
    },
    /// It is not a text, whatever its name says.
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
    /// It takes too long to read them.
    TooSlow {
        /// The most seconds of processor time.
        seconds: u64,
    },
    /// A zip cannot be unpacked.
    BadZip {
        /// The zip.
        file: String,
        /// Why not.
        why: ZipProblem,
    },
    /// The download of the class leaves open which files are this student's.
    Contested,
    /// It is neither a file nor a folder.
    Irregular {
        /// Its name.
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

/// Why a zip cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ZipProblem {
    /// It is damaged, or something else under the name of a zip.
    Damaged,
    /// It is a zip64 archive.
    Zip64,
    /// The names and comments of its files are too long together.
    Directory,
    /// It needs a password.
    Password,
    /// It is compressed in a way that keur does not know.
    Method,
}

impl FilesProblem {
    /// Whether there is nothing to grade, so that a grade would be meaningless.
    pub fn is_nothing_to_grade(&self) -> bool {
        match self {
            FilesProblem::NoSource { .. }
            | FilesProblem::NothingRead { .. }
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
            FilesProblem::NoTest { .. } | FilesProblem::BuildScript { .. } | FilesProblem::Empty { .. } => {
                false
            }
        }
    }
}
