//! Receipts of classes: made and signed by `keur class report`, checked by `keur class verify`.

use crate::class::signing;
use crate::class::{
    ClassEntry, ClassError, ClassFolder, ClassSettings, LARGEST_SETTINGS, Receipt, ReceiptRow, Recorded,
    Store, digest, read_at_most, read_folder_digest, read_submission_digest,
};
use crate::cli::error::CliError;
use crate::cli::output;
use keur_core::adapter::Fault;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the receipt in the folder of a class.
const RECEIPT: &str = "receipt.json";

/// The receipt of a class.
pub(super) fn place(folder: &ClassFolder) -> PathBuf {
    folder.path().join(RECEIPT)
}

/// The word in place of the digest of files that are gone.
const GONE: &str = "gone";

/// A receipt in the making.
pub(super) struct Receipts {
    receipt: Receipt,
    /// The database's content at the beginning.
    recorded: Recorded,
    /// The students whose files are not those that were graded.
    changed: Vec<String>,
}

/// A receipt that is made.
pub(super) struct FinishedReceipt {
    pub(super) receipt: Receipt,
    /// The students whose files are not those that were graded.
    changed: Vec<String>,
}

impl Receipts {
    /// Begins a receipt of a class, before its reports are read.
    ///
    /// # Errors
    /// A file of the class cannot be read.
    pub(super) fn new(
        folder: &ClassFolder,
        store: &Store,
        settings: &ClassSettings,
    ) -> Result<Receipts, ClassError> {
        let recorded = Recorded::read(store)?;
        let title = settings.title.clone().unwrap_or_default();
        let text = read_at_most(&folder.settings(), LARGEST_SETTINGS)
            .map_err(|error| unread(&folder.settings(), error))?;
        let cases = read_folder_digest(&folder.cases()).map_err(|error| unread(&folder.cases(), error))?;
        let judges = store.judges()?.into_iter().map(|judge| (judge.language, judge.key)).collect();
        let receipt = Receipt::new(title, digest([text]), cases, judges);
        Ok(Receipts { receipt, recorded, changed: Vec::new() })
    }

    /// Adds a student. The files are read again, as they lie in the class now.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn add(&mut self, folder: &ClassFolder, entry: &ClassEntry) -> Result<(), ClassError> {
        let ClassEntry { student, taken, report } = entry;
        let files = taken.as_ref().map(|taken| {
            let path = folder.submissions().join(&taken.folder);
            let digest = match fs::symlink_metadata(&path) {
                Ok(about) if !about.is_dir() => return Ok(GONE.to_owned()),
                about => about.and_then(|_| read_submission_digest(taken, &path)),
            };
            match digest {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(GONE.to_owned()),
                digest => digest.map_err(|error| unread(&path, error)),
            }
        });
        let files = files.transpose()?;
        if files.as_ref() != taken.as_ref().map(|taken| &taken.files) {
            self.changed.push(student.name.clone());
        }
        self.receipt.students.insert(student.name.clone(), ReceiptRow::of(report, files));
        Ok(())
    }

    /// The receipt. The database is read again: a receipt is about one state of it, that of the reports.
    ///
    /// # Errors
    /// It cannot be read, or was changed since the receipt was begun.
    pub(super) fn end(mut self, store: &Store) -> Result<FinishedReceipt, ClassError> {
        if Recorded::read(store)? != self.recorded {
            let shown = store.path().display();
            let fault = format!("{shown}: was changed while it was read, so there is no receipt");
            return Err(Fault::new(fault).help("give the same command again").into());
        }
        self.receipt.record(self.recorded);
        Ok(FinishedReceipt { receipt: self.receipt, changed: self.changed })
    }
}

/// Writes the receipt of a class, signed with `key`; `missing` submissions are not graded yet.
pub(super) fn sign(
    key: &Path,
    folder: &ClassFolder,
    FinishedReceipt { receipt, changed }: FinishedReceipt,
    missing: usize,
) -> Result<(), CliError> {
    if missing > 0 {
        return Err(CliError::Failed(format!("nothing is signed: {missing} submissions are not graded yet")));
    }
    if let Some(student) = changed.first() {
        let shown = folder.submissions().display().to_string();
        let student = super::one_line(student);
        return Err(CliError::Failed(format!(
            "nothing is signed: in {shown} the files of {student} are not those that were graded; put them back, or take \
             them in with `keur class init`"
        )));
    }
    let receipt_file = place(folder);
    signing::sign(key, &receipt_file, &receipt.text())?;
    let signature = signing::signature_of(&receipt_file);
    output::err(&format!("{}: signed by {}\n", receipt_file.display(), signature.display()));
    Ok(())
}

fn unread(path: &Path, error: io::Error) -> ClassError {
    Fault::new(format!("{}: cannot be read", path.display())).because(error).into()
}
