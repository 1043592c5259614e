//! `keur class backup`: copies the database of a class, checked, to a new file that no more people can read.

use crate::class::{Access, ClassFolder, ScratchFolder, Store};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use crate::writing::NewFile;
use clap::Args;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const CODES: &str = "Exit codes:
  0  FILE is an intact copy of the database
  2  usage error: no such class, a class with a link or a pipe in it, or FILE exists already
  4  keur itself failed: a damaged database, a full disk";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct BackupArgs {
    /// The folder of the class
    class: PathBuf,
    /// The new file for the copy of CLASS/class.db. To restore it, copy the file to CLASS/class.db while no
    /// keur works on the class, and remove CLASS/class.db-journal
    file: PathBuf,
}

pub(super) fn run(args: &BackupArgs) -> CliResult {
    let folder = ClassFolder::open(&args.class)?;
    let store = Store::open(&folder, Access::Read)?;
    // Better now than after a long copy.
    drop(begin(&args.file, &store)?);
    ScratchFolder::remove_left_behind();
    let room = ScratchFolder::new().map_err(|error| {
        let temporary = std::env::temp_dir();
        CliError::fault(format!("{}: {error}; set TMPDIR to a folder on another disk", temporary.display()))
    })?;
    let path = room.path().join("class.db");
    store.copy_to(&path)?;
    let students = store.students()?.len();
    let mut copy = File::open(&path)
        .map_err(|error| CliError::fault(format!("{}: cannot be read: {error}", path.display())))?;
    // Only a kill from here on can leave something beside the file.
    let mut file = begin(&args.file, &store)?;
    let written = io::copy(&mut copy, &mut file).and_then(|_| file.finish());
    written.map_err(|error| unwritten(&args.file, error))?;
    let (shown, class) = (args.file.display(), args.class.display());
    let noun = plural(students, "student");
    output::out(&format!("{shown}: the database of {class}, {students} {noun}\n"));
    Ok(RunStatus::Passed)
}

/// The new file. It has grades, and who may not read the class may not read its copy.
fn begin(path: &Path, store: &Store) -> Result<NewFile, CliError> {
    let file = NewFile::under_new_name(path).map_err(|error| unwritten(path, error))?;
    file.restrict_to_users_of(store.path()).map_err(|error| {
        let (shown, class) = (path.display(), store.path().display());
        CliError::fault(format!("{shown}: cannot be kept from those who may not read {class}: {error}"))
    })?;
    Ok(file)
}

fn unwritten(path: &Path, error: io::Error) -> CliError {
    let shown = path.display();
    match error.kind() {
        ErrorKind::AlreadyExists => {
            CliError::Usage(format!("{shown}: exists already; give a new file, as a backup replaces none"))
        }
        ErrorKind::NotFound => CliError::Usage(format!("{shown}: cannot be written: {error}")),
        _ => CliError::write(path)(error),
    }
}
