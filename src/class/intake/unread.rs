//! What the reader of a folder cannot know of a submission without a source: the files that were not kept in
//! it, or not read.

use crate::class::reading::{problem_of, problem_stored};
use keur_core::event::RunError;
use keur_core::submission::{FileKind, FilesProblem, SkippedFile};

/// The problem of a submission, with the kinds of its files that were not kept, or the reason why one was not
/// read.
pub(super) fn with_unkept(problem: String, unkept: Vec<FileKind>, reason: Option<SkippedFile>) -> String {
    let RunError::Nothing(FilesProblem::NoSource { wanted, mut found }) = problem_of(&problem) else {
        return problem;
    };
    if let Some(skipped) = reason {
        return problem_stored(&FilesProblem::NothingRead { skipped });
    }
    for kind in unkept {
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => found.push((kind, 1)),
        }
    }
    problem_stored(&FilesProblem::NoSource { wanted, found })
}

/// The problem of a submission that is read again, with what was found or not read when it was unpacked.
pub(super) fn with_found(problem: String, before: Option<&str>) -> String {
    let RunError::Nothing(FilesProblem::NoSource { wanted, .. }) = problem_of(&problem) else {
        return problem;
    };
    match before.map(problem_of) {
        Some(RunError::Nothing(FilesProblem::NoSource { found, .. })) => {
            problem_stored(&FilesProblem::NoSource { wanted, found })
        }
        Some(RunError::Nothing(unread @ FilesProblem::NothingRead { .. })) => problem_stored(&unread),
        Some(_) | None => problem,
    }
}
