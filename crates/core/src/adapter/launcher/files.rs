//! The files of drivers that an interpreter can only take from one.

use crate::adapter::{CHECK_TEMPORARY, Fault};
use crate::languages::Engine;
use std::io::{self, Write};
use tempfile::TempPath;

/// The file of a driver.
pub(super) fn driver_written(engine: &Engine, driver: &[u8], ending: &str) -> Result<TempPath, Fault> {
    readable_file(driver, ending).map_err(|error| {
        Fault::new(format!("the driver of {} cannot be written", engine.language.title))
            .because(error)
            .help(CHECK_TEMPORARY)
    })
}

/// A temporary file that every user can read: confined processes run as another user.
fn readable_file(content: &[u8], ending: &str) -> io::Result<TempPath> {
    let suffix = format!(".{ending}");
    let mut builder = tempfile::Builder::new();
    builder.prefix("keur-").suffix(&suffix);
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile()?;
    file.write_all(content)?;
    Ok(file.into_temp_path())
}
