//! Classes: submissions taken in from a learning platform, graded with an embedded database that forgets
//! nothing, and reported.
//!
//! [`ClassFolder`] is the folder of a class. [`Store`] is its database, the truth about it: who handed in
//! what, and every verdict by its inputs, so that a [run](ClassRun) grades only what is not yet known.

mod cases;
mod choice;
pub mod comparison;
mod data;
mod digest;
mod error;
mod feedback;
mod folder;
mod grading;
mod intake;
mod judge;
mod keys;
mod late;
mod machine;
mod plan;
mod reading;
mod receipt;
mod recorded;
mod reports;
mod scratch;
mod settings;
mod shards;
mod sheet;
pub mod signing;
mod store;
mod whom;

pub use cases::{ClassCases, KeyedExercise};
pub use choice::{SetChoiceError, with_choice};
pub use data::{
    Attempt, ClassJudge, Conflict, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
pub use digest::{KeyDigest, digest};
pub use error::ClassError;
pub use feedback::FeedbackZip;
pub use folder::{ClassFolder, LARGEST_RECEIPT, LARGEST_SETTINGS, read_at_most};
pub use grading::{ClassRun, GradedClass, RunOptions, ShardOption};
pub use intake::{
    DownloadError, EntryConflict, IntakeError, IntakeRequest, IntakeSummary, NamedBy, RosterError,
    SortedFile, admit, read_folder_digest, read_submission_digest, sort_by_name,
};
pub use judge::{freeze, replace, runtime_of};
pub use keys::{case_keys, contract};
pub use late::{LateRule, PenaltyBase, Percentage};
pub use machine::{host, now, written_time};
pub use plan::{ClassPlan, PlanScope, PlannedTask};
pub use reading::{
    ReadAs, problem_of, problem_stored, read, read_in_doubt, read_with, skipped_of, stored_skipped,
};
pub use receipt::{Receipt, ReceiptRow};
pub use recorded::{Recorded, RecordedStudent, RecordedValue};
pub use reports::{ClassEntry, ClassReports, ReportDetail};
pub use scratch::ScratchFolder;
pub use settings::{ClassExercise, ClassSettings, SettingsError};
pub use shards::{Outpost, Shard, TakenShards, take_in};
pub use sheet::{
    GradeSheet, LARGEST_SHEET, SheetError, SheetFilled, SheetGrade, SheetKind, new as new_sheet,
};
pub use store::{
    Access, CellValue, ClassLock, DumpedCell, DumpedRow, KeptCount, Store, StoreError, end_waits_by,
    tell_waits_by,
};
pub use whom::{StudentNameError, find_student};
