//! Receipts of classes: made and signed by `keur class report`, checked by `keur class verify`.

use crate::class::signing::{self, SigningError};
use crate::class::{
    ClassEntry, ClassError, ClassFolder, KeyDigest, Receipt, ReceiptRow, Store, digest, read_folder_digest,
    read_submission_digest,
};
use crate::cli::exit::RunStatus;
use crate::cli::output;
use crate::event::SubmissionReport;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the receipt in the folder of a class.
const RECEIPT: &str = "receipt.json";

/// The receipt of a class.
pub(super) fn place(folder: &ClassFolder) -> PathBuf {
    folder.path().join(RECEIPT)
}

/// A receipt in the making.
pub(super) struct Receipts {
    receipt: Receipt,
    /// The students whose files are not those that were graded.
    changed: Vec<String>,
}

impl Receipts {
    /// A receipt of a class without its students.
    ///
    /// # Errors
    /// A file of the class cannot be read.
    pub(super) fn new(folder: &ClassFolder, store: &Store, title: &str) -> Result<Receipts, ClassError> {
        let settings = fs::read(folder.settings()).map_err(|error| unread(&folder.settings(), &error))?;
        let cases = read_folder_digest(&folder.cases()).map_err(|error| unread(&folder.cases(), &error))?;
        let judges = store.judges()?.into_iter().map(|judge| (judge.language, judge.key)).collect();
        let receipt = Receipt::new(title.to_owned(), digest([settings]), cases, judges);
        Ok(Receipts { receipt, changed: Vec::new() })
    }

    /// Adds a student. The files are read again, as they lie in the class now.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn add(&mut self, folder: &ClassFolder, entry: &ClassEntry) -> Result<(), ClassError> {
        let ClassEntry { student, taken, report } = entry;
        let files = taken.as_ref().map(|taken| {
            let path = folder.submissions().join(&taken.folder);
            match read_submission_digest(&taken.student, &path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unread(&path, &error)),
                Err(_) => Ok("gone".to_owned()),
                Ok(files) => Ok(files),
            }
        });
        let files = files.transpose()?;
        if files.as_ref() != taken.as_ref().map(|taken| &taken.files) {
            self.changed.push(student.name.clone());
        }
        self.receipt.students.insert(student.name.clone(), ReceiptRow::of(report, files, results(report)));
        Ok(())
    }

    /// The receipt, and the students whose files are not those that were graded.
    pub(super) fn end(self) -> (Receipt, Vec<String>) {
        (self.receipt, self.changed)
    }
}

/// The digest of what became of the cases.
fn results(report: &SubmissionReport) -> String {
    let mut digest = KeyDigest::new();
    for case in &report.cases {
        digest.add(&case.name);
        digest.add(case.verdict.name());
        digest.add(case.points.hundredths().to_le_bytes());
        digest.add(case.max_points.hundredths().to_le_bytes());
    }
    digest.digits()
}

/// Writes the receipt of a class, signed with `key`; `missing` submissions are not graded yet.
pub(super) fn sign(
    key: &Path,
    folder: &ClassFolder,
    (receipt, changed): (Receipt, Vec<String>),
    missing: usize,
) -> RunStatus {
    if missing > 0 {
        output::err(&format!("error: nothing is signed: {missing} submissions are not graded yet\n"));
        return RunStatus::Failed;
    }
    if let Some(student) = changed.first() {
        let shown = folder.submissions().display().to_string();
        let student = output::one_line(student);
        output::err(&format!(
            "error: nothing is signed: in {shown} the files of {student} are not those that were graded; put them back, or take \
             them in with `keur class init`\n"
        ));
        return RunStatus::Failed;
    }
    let place = place(folder);
    match signing::sign(key, &place, &receipt.text()) {
        Ok(()) => {
            let signature = signing::signature_of(&place);
            output::err(&format!("{}: signed by {}\n", place.display(), signature.display()));
            RunStatus::Passed
        }
        Err(error) => refused(&error),
    }
}

/// Prints why something is not signed or checked, and returns the exit code.
pub(super) fn refused(error: &SigningError) -> RunStatus {
    output::err(&format!("error: {error}\n"));
    match error {
        SigningError::File(_, error) if error.kind() == io::ErrorKind::NotFound => RunStatus::Usage,
        SigningError::File(..) | SigningError::Tool(_) => RunStatus::Fault,
    }
}

fn unread(path: &Path, error: &io::Error) -> ClassError {
    ClassError::Fault(format!("{}: cannot be read: {error}", path.display()))
}
