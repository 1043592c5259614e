//! The way for an error to end a command: how it is shown, and its exit code.

use super::exit::RunStatus;
use super::output::{self, plural};
use super::underlined;
use crate::audit::AuditError;
#[cfg(feature = "class")]
use crate::class::signing::SigningError;
#[cfg(feature = "class")]
use crate::class::{ClassError, DownloadError, IntakeError, RosterError, SettingsError, StoreError};
use crate::run::build::SkeletonError;
use crate::run::{RequestError, SamplesError, SuitesError};
use keur_core::adapter::Fault;
use keur_core::case::{FileErrors, LibraryError, tame};
use keur_core::event::{ExerciseError, RunError};
use keur_core::judge::GradeError;
use keur_core::report::Audience;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of a command, or why it could not go on.
pub(super) type CliResult = Result<RunStatus, CliError>;

/// A reason why a command cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The arguments, or what they name, are not what the command takes.
    #[error("{0}")]
    Usage(String),
    /// A case, or another file of an exercise, has an error.
    #[error("{0}")]
    BadCase(String),
    /// The command refuses what it is for.
    #[cfg(feature = "class")]
    #[error("{0}")]
    Failed(String),
    /// Keur cannot do its work.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// A file that the user named cannot be read.
    #[cfg(feature = "class")]
    #[error("{}: cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The exercises or their cases cannot be used.
    #[error("{0}")]
    Library(Arc<LibraryError>),
    /// The machine does not have the confinement.
    #[error("{0}")]
    Request(#[source] RequestError),
    /// The course's own files cannot be used.
    #[error("{0}")]
    Skeleton(#[from] SkeletonError),
    /// The exercise's reference cannot be asked.
    #[error("{0}")]
    Reference(#[from] GradeError),
    /// A submission is not graded.
    #[error("{}: {source}", path.display())]
    Submission { path: PathBuf, source: RunError },
    /// There are no tests.
    #[error("{0}")]
    Suites(#[source] SuitesError),
    /// There is no audit.
    #[error("{}{}", .0, samples_option(.0))]
    Audit(#[source] AuditError),
    /// Something cannot be done with a class.
    #[cfg(feature = "class")]
    #[error("{0}")]
    Class(#[source] ClassError),
    /// Nothing is taken into a class.
    #[cfg(feature = "class")]
    #[error("{}{}", super::class::one_line(&.0.to_string()), intake_option(.0))]
    Intake(#[source] IntakeError),
    /// Something is not signed or checked.
    #[cfg(feature = "class")]
    #[error("{0}")]
    Signing(#[from] SigningError),
}

impl CliError {
    /// Keur cannot do its work, for this reason.
    pub(super) fn fault(message: impl Into<String>) -> CliError {
        CliError::Fault(Fault::new(message))
    }

    /// The file at `path` cannot be read.
    #[cfg(feature = "class")]
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> CliError {
        move |source| CliError::Read { path: path.to_owned(), source }
    }

    /// The file at `path` cannot be written.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> CliError {
        move |source| CliError::Write { path: path.to_owned(), source }
    }

    /// The submission at `path` is not graded.
    pub(super) fn of_submission(path: &Path, error: RunError) -> CliError {
        match error {
            RunError::Exercise(ExerciseError::Files { errors, .. }) => CliError::Library(errors),
            // This one names the path.
            RunError::NoSuchPath(_) => CliError::Usage(error.to_string()),
            source => CliError::Submission { path: path.to_owned(), source },
        }
    }

    /// The error as `reader` may see it: the lines of a case file are not for students.
    pub(super) fn seen_by(self, reader: Audience) -> CliError {
        if let (Audience::Student, CliError::Library(error)) = (reader, &self)
            && let LibraryError::Bad(files) = &**error
        {
            let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
            return CliError::BadCase(format!("`keur check` shows what is wrong in {}", paths.join(", ")));
        }
        self
    }

    /// Shows the error on standard error, and returns the exit code.
    pub(super) fn show(&self) -> RunStatus {
        if let CliError::Library(error) = self
            && let LibraryError::Bad(files) = &**error
        {
            show_files(files);
        } else {
            output::err(&self.text());
        }
        self.status()
    }

    /// The error for a person, and what to do, each on a line.
    pub(super) fn text(&self) -> String {
        let help = match self {
            CliError::Request(RequestError::Tier(..)) => {
                "run `keur doctor` to see what is missing, or grade with limits only: --confine portable\n"
            }
            _ => "",
        };
        format!("error: {}\n{help}", tame(&self.to_string()))
    }

    /// The exit code.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn status(&self) -> RunStatus {
        match self {
            CliError::Usage(_) => RunStatus::Usage,
            CliError::BadCase(_) => RunStatus::BadCase,
            #[cfg(feature = "class")]
            CliError::Failed(_) => RunStatus::Failed,
            CliError::Fault(_) | CliError::Write { .. } | CliError::Request(_) => RunStatus::Fault,
            #[cfg(feature = "class")]
            CliError::Read { source, .. } => of_unread(source),
            CliError::Library(error) => match &**error {
                LibraryError::Bad(_) => RunStatus::BadCase,
                LibraryError::Missing { .. } => RunStatus::Usage,
                LibraryError::Unreadable { source, .. } => of_unread(source),
            },
            CliError::Skeleton(
                SkeletonError::Empty(_) | SkeletonError::Outside(..) | SkeletonError::NotInherited(..),
            ) => RunStatus::Usage,
            CliError::Skeleton(SkeletonError::List(_, source) | SkeletonError::File(_, source)) => {
                of_unread(source)
            }
            CliError::Reference(GradeError::Exercise(_)) => RunStatus::BadCase,
            CliError::Reference(GradeError::Fault(_) | GradeError::Killed(_)) => RunStatus::Fault,
            CliError::Submission { source, .. } => of_run(source),
            CliError::Suites(SuitesError::Request(_)) => RunStatus::Fault,
            CliError::Suites(SuitesError::Folder(_)) => RunStatus::Usage,
            CliError::Suites(SuitesError::Run(_, error)) => of_run(error).max(RunStatus::Usage),
            CliError::Audit(error) => of_audit(error),
            #[cfg(feature = "class")]
            CliError::Class(error) => of_class(error),
            #[cfg(feature = "class")]
            CliError::Intake(error) => of_intake(error),
            #[cfg(feature = "class")]
            CliError::Signing(SigningError::File(_, source)) => of_unread(source),
            #[cfg(feature = "class")]
            CliError::Signing(SigningError::Tool(_)) => RunStatus::Fault,
        }
    }
}

/// Shows the errors in files with their lines.
pub(super) fn show_files(files: &[FileErrors]) {
    files.iter().for_each(show_file);
    let count: usize = files.iter().map(|file| file.diagnostics.len()).sum();
    let (errors, noun) = (plural(count, "error"), plural(files.len(), "file"));
    output::err(&format!("{count} {errors} in {} {noun}\n", files.len()));
}

/// Shows the errors in a file with their lines.
pub(super) fn show_file(errors: &FileErrors) {
    output::err(&underlined(errors, output::colour(io::stderr()), output::width_of_errors()));
}

/// The option that helps after an error of an audit.
fn samples_option(error: &AuditError) -> &'static str {
    if let AuditError::NoPrograms(_) = error { " (--samples)" } else { "" }
}

/// The option that helps after an error in taking something in.
#[cfg(feature = "class")]
fn intake_option(error: &IntakeError) -> &'static str {
    match error {
        IntakeError::Nothing => " (--each, --roster)",
        IntakeError::UnclearExercise(_) => " (--exercise)",
        IntakeError::Download(DownloadError::UnclearPlatform(_)) => " (--platform)",
        _ => "",
    }
}

/// A file that is not there, or is a folder, is a usage error; one that cannot be read is not.
fn of_unread(error: &io::Error) -> RunStatus {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => RunStatus::Usage,
        _ => RunStatus::Fault,
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn of_run(error: &RunError) -> RunStatus {
    match error {
        RunError::Nothing(_) | RunError::NotHandedIn | RunError::NotGraded { .. } => RunStatus::Failed,
        RunError::NoSuchPath(_)
        | RunError::UnclearExercise(_)
        | RunError::Selection(_)
        | RunError::Usage(_) => RunStatus::Usage,
        RunError::Exercise(_) => RunStatus::BadCase,
        RunError::Fault(_) => RunStatus::Fault,
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn of_audit(error: &AuditError) -> RunStatus {
    match error {
        AuditError::NoPrograms(_) => RunStatus::Usage,
        AuditError::Bad(_)
        | AuditError::Samples(_)
        | AuditError::Program(..)
        | AuditError::NotRight { .. }
        | AuditError::NotCompiled { .. }
        | AuditError::NotEquivalent { .. } => RunStatus::BadCase,
        AuditError::Files(..) | AuditError::Interpreter(_) | AuditError::Request(_) => RunStatus::Fault,
        AuditError::Run(error) => of_run(error).max(RunStatus::BadCase),
    }
}

#[cfg(feature = "class")]
#[warn(clippy::wildcard_enum_match_arm)]
fn of_class(error: &ClassError) -> RunStatus {
    match error {
        ClassError::Store(StoreError::NoClass(_)) => RunStatus::Usage,
        ClassError::Settings(SettingsError::Bad(_)) => RunStatus::BadCase,
        ClassError::Store(
            StoreError::Busy(_)
            | StoreError::Failed(_)
            | StoreError::DamagedRows { .. }
            | StoreError::Foreign { .. },
        )
        | ClassError::Settings(SettingsError::Unreadable(_) | SettingsError::Weaker(_))
        | ClassError::Cases(_)
        | ClassError::Request(_)
        | ClassError::Fault(_) => RunStatus::Fault,
    }
}

#[cfg(feature = "class")]
#[warn(clippy::wildcard_enum_match_arm)]
fn of_intake(error: &IntakeError) -> RunStatus {
    match error {
        IntakeError::Class(error) => of_class(error),
        IntakeError::Usage(_)
        | IntakeError::Nothing
        | IntakeError::UnclearExercise(_)
        | IntakeError::Download(DownloadError::Usage(_) | DownloadError::UnclearPlatform(_)) => {
            RunStatus::Usage
        }
        IntakeError::Roster(RosterError::Bad(_)) => RunStatus::BadCase,
        IntakeError::Roster(RosterError::Unreadable(_, source)) => of_unread(source),
        IntakeError::Download(DownloadError::Unreadable(..) | DownloadError::Zip(..))
        | IntakeError::Files(..) => RunStatus::Fault,
    }
}

impl From<LibraryError> for CliError {
    fn from(error: LibraryError) -> CliError {
        CliError::Library(Arc::new(error))
    }
}

impl From<FileErrors> for CliError {
    fn from(errors: FileErrors) -> CliError {
        LibraryError::Bad(vec![errors]).into()
    }
}

impl From<RequestError> for CliError {
    fn from(error: RequestError) -> CliError {
        match error {
            RequestError::Library(error) => error.into(),
            error => CliError::Request(error),
        }
    }
}

impl From<SuitesError> for CliError {
    fn from(error: SuitesError) -> CliError {
        match error {
            SuitesError::Request(error) => error.into(),
            SuitesError::Run(_, RunError::Exercise(ExerciseError::Files { errors, .. })) => {
                CliError::Library(errors)
            }
            error => CliError::Suites(error),
        }
    }
}

impl From<SamplesError> for CliError {
    fn from(error: SamplesError) -> CliError {
        match error {
            SamplesError::Bad(errors) => errors.into(),
            error => CliError::BadCase(error.to_string()),
        }
    }
}

impl From<AuditError> for CliError {
    fn from(error: AuditError) -> CliError {
        match error {
            AuditError::Bad(errors) => errors.into(),
            AuditError::Samples(error) => error.into(),
            AuditError::Request(error) => error.into(),
            error => CliError::Audit(error),
        }
    }
}

#[cfg(feature = "class")]
impl From<ClassError> for CliError {
    fn from(error: ClassError) -> CliError {
        match error {
            ClassError::Cases(error) => error.into(),
            ClassError::Request(error) => error.into(),
            ClassError::Settings(SettingsError::Bad(errors)) => errors.into(),
            error => CliError::Class(error),
        }
    }
}

#[cfg(feature = "class")]
impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        ClassError::from(error).into()
    }
}

#[cfg(feature = "class")]
impl From<SettingsError> for CliError {
    fn from(error: SettingsError) -> CliError {
        ClassError::from(error).into()
    }
}

#[cfg(feature = "class")]
impl From<IntakeError> for CliError {
    fn from(error: IntakeError) -> CliError {
        match error {
            IntakeError::Class(error) => error.into(),
            error => CliError::Intake(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CliError;
    use crate::cli::exit::RunStatus;
    use crate::run::RequestError;
    use crate::run::build::SkeletonError;
    use keur_core::case::{Diagnostic, FileErrors};
    use keur_core::event::RunError;
    use keur_core::report::Audience;
    use keur_sandbox::Tier;
    use std::error::Error;
    use std::io::{self, ErrorKind};
    use std::path::{Path, PathBuf};

    #[track_caller]
    fn check(error: &CliError, status: RunStatus, text: &str) {
        assert_eq!((error.status(), error.to_string().as_str()), (status, text));
    }

    #[cfg(feature = "class")]
    #[test]
    fn a_missing_file_is_a_usage_error_and_an_unreadable_one_a_fault() {
        let path = Path::new("a.csv");
        let broken = io::Error::other("no");
        check(&CliError::read(path)(broken), RunStatus::Fault, "a.csv: cannot be read: no");
        let missing = io::Error::from(ErrorKind::NotFound);
        check(&CliError::read(path)(missing), RunStatus::Usage, "a.csv: cannot be read: entity not found");
    }

    #[test]
    fn a_tier_that_is_not_available_is_a_fault() {
        let tier = RequestError::Tier(Tier::Strict, "it needs root".to_owned());
        let text = "the tier `strict` of confinement is not available here: it needs root";
        check(&tier.into(), RunStatus::Fault, text);
    }

    #[test]
    fn a_skeleton_that_is_not_there_is_a_usage_error_and_a_disk_that_fails_a_fault() {
        let path = || PathBuf::from("own/Cargo.toml");
        let unread = |error| CliError::from(SkeletonError::File(path(), error));
        let text = "own/Cargo.toml: cannot be read: ";
        check(&unread(io::Error::other("no")), RunStatus::Fault, &format!("{text}no"));
        let folder = io::Error::from(ErrorKind::IsADirectory);
        check(&unread(folder), RunStatus::Usage, &format!("{text}is a directory"));
        let empty = CliError::from(SkeletonError::Empty(path()));
        assert_eq!(empty.status(), RunStatus::Usage);
    }

    #[test]
    fn a_submission_is_named_once() {
        let path = Path::new("sub");
        let gone = CliError::of_submission(path, RunError::NoSuchPath("sub".to_owned()));
        check(&gone, RunStatus::Usage, "sub: there is no such file or folder");
        let absent = CliError::of_submission(path, RunError::NotHandedIn);
        check(&absent, RunStatus::Failed, "sub: nothing was handed in");
        assert!(absent.source().is_some());
    }

    #[test]
    fn the_lines_of_a_case_are_not_for_students() {
        let errors = || FileErrors::new("a.toml", "secret", vec![Diagnostic::new("unknown key", 0..6)]);
        let error = CliError::from(errors()).seen_by(Audience::Student);
        check(&error, RunStatus::BadCase, "`keur check` shows what is wrong in a.toml");
        let error = CliError::from(errors()).seen_by(Audience::Instructor);
        assert!(matches!(error, CliError::Library(_)), "{error}");
    }
}
