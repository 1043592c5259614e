//! `keur class backup`.

use super::ending::failed;
use crate::class::{Access, ClassError, ClassFolder, ScratchFolder, Store};
use crate::cli::args::StyleArgs;
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use crate::writing::NewFile;
use clap::Args;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const CODES: &str = "Exit codes:
  0  FILE is a copy of the database, and sound
  2  usage error: no such class, or one with a link or a pipe in it, or FILE exists already
  4  keur itself failed: a damaged database, a full disk";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct BackupArgs {
    /// The folder of the class
    class: PathBuf,
    /// The new file for the copy of CLASS/class.db; to put it back, copy it there while no keur works on the class, and
    /// remove CLASS/class.db-journal
    file: PathBuf,
    #[command(flatten)]
    style: StyleArgs,
}

pub(super) fn run(args: &BackupArgs) -> RunStatus {
    match backed_up(args) {
        Ok(exit) => exit,
        Err(error) => failed(&error, &args.style),
    }
}

fn backed_up(args: &BackupArgs) -> Result<RunStatus, ClassError> {
    let folder = ClassFolder::open(&args.class)?;
    let store = Store::open(&folder, Access::Read)?;
    // Better now than after a long copy.
    if let Err(error) = begun(&args.file, &store) {
        return Ok(unwritten(&args.file, &error));
    }
    ScratchFolder::remove_left_behind();
    let room = ScratchFolder::new().map_err(|error| {
        let place = std::env::temp_dir();
        ClassError::Fault(format!("{}: {error}; set TMPDIR to a folder on another disk", place.display()))
    })?;
    let copy = room.path().join("class.db");
    store.copy_to(&copy)?;
    let students = store.students()?.len();
    // A kill leaves nothing beside the file, but for the moment that this takes.
    let written = begun(&args.file, &store).and_then(|mut file| {
        io::copy(&mut File::open(&copy)?, &mut file)?;
        file.finish()
    });
    if let Err(error) = written {
        return Ok(unwritten(&args.file, &error));
    }
    let (shown, class) = (args.file.display(), args.class.display());
    let noun = plural(students, "student");
    output::out(&format!("{shown}: the database of {class}, {students} {noun}\n"));
    Ok(RunStatus::Passed)
}

/// The new file. It has grades, and who may not read the class may not read its copy.
fn begun(path: &Path, store: &Store) -> io::Result<NewFile> {
    let file = NewFile::under_new_name(path)?;
    file.restrict_to_users_of(store.path())?;
    Ok(file)
}

/// Says why the file is not written, and returns the exit code.
fn unwritten(path: &Path, error: &io::Error) -> RunStatus {
    let shown = path.display();
    let kind = error.kind();
    if kind == ErrorKind::AlreadyExists {
        output::err(&format!("error: {shown}: exists already; give a new file, as a backup replaces none\n"));
    } else {
        output::err(&format!("error: {shown}: cannot be written: {error}\n"));
    }
    let is_usage = matches!(kind, ErrorKind::AlreadyExists | ErrorKind::NotFound);
    if is_usage { RunStatus::Usage } else { RunStatus::Fault }
}
