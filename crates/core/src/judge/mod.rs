//! Judges a case: turns the transcript of its replay into its outcome, with a finding for the first step that fails.
//!
//! Start at [`Judge`]. Where a case asks a reference, the built-in one follows the session (`following`) or plays
//! (`umpire`), and an exercise's own one answers before ([`References`]). [`check_case`] judges a case on its
//! reference in the same way.

mod answers;
mod case_judge;
mod check;
mod checker;
mod error;
mod findings;
mod following;
mod outcome;
mod own_texts;
mod partial;
mod rust_lines;
mod session;
mod settings;
mod source;
mod umpire;

pub(crate) use answers::ReferenceAnswers;
pub use answers::References;
pub use error::GradeError;
pub(crate) use outcome::report_not_run;
pub(crate) use own_texts::{OwnTexts, plan_of_texts, step_with_own_text};
pub use settings::{BUDGET, Isolation, Selection, Settings};
pub(crate) use settings::{budget, limited_runs, overall};
pub(crate) use umpire::Umpire;
#[doc(hidden)]
pub use {
    answers::{has_reference_values, reference_files, reference_path, reference_process, replay_reference},
    case_judge::Judge,
    check::{CheckError, check_case, disagreements, reference_adapter},
    checker::Checker,
    outcome::{CaseOutcome, KnownCase, KnownCases, LoadOutcome, QuickPass, SpentEachTime, unloaded},
    session::SessionWriter,
    settings::{limits, runtime},
    source::source_of,
};
