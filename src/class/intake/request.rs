//! The request to take submissions in, and whether it fits the class.

use super::cases;
use super::error::IntakeError;
use super::names::NamedBy;
use crate::class::folder::{ClassFolder, OWN};
use crate::class::settings::ClassSettings;
use crate::run::GradeRequest;
use crate::writing::{is_unfinished, without_links};
use std::fs;
use std::path::{Path, PathBuf};

/// The downloads to take in, and the way to read them.
pub struct IntakeRequest<'a> {
    /// The class, which may not exist yet.
    pub folder: &'a ClassFolder,
    /// Folders and zips of submissions.
    pub downloads: &'a [PathBuf],
    /// The platform that named the entries; found from the names of each download by default.
    pub named_by: Option<NamedBy>,
    /// The roster.
    pub roster: Option<&'a Path>,
    /// Where the exercises of a new class come from; the built-in ones by default.
    pub cases: Option<&'a Path>,
    /// The settings of a new class, if any are asked for.
    pub settings: Option<ClassSettings>,
    /// Sets the programs of this machine in a request.
    pub programs: &'a dyn Fn(&mut GradeRequest) -> Result<(), String>,
    /// Hears how many of how many submissions of a download are done.
    pub progress: &'a dyn Fn(usize, usize),
}

impl IntakeRequest<'_> {
    /// Refuses what does not fit the class.
    pub(super) fn must_fit(&self, exists: bool) -> Result<(), IntakeError> {
        let folder = self.folder;
        let shown = folder.path().display();
        let usage = |message: String| Err(IntakeError::Usage(message));
        if let Some(settings) = &self.settings
            && exists
            && !settings.are_those_of(&ClassSettings::read(folder)?)
        {
            return usage(format!(
                "the settings of this class are in {}: edit that file instead of giving options",
                folder.settings().display()
            ));
        }
        if let Some(given) = self.cases
            && folder.cases().exists()
            && !cases::is_copy(&folder.cases(), given)?
        {
            return usage(format!(
                "this class has its own cases in {0}: edit them there; to take others, remove {0} first",
                folder.cases().display()
            ));
        }
        if !exists && self.downloads.is_empty() && self.roster.is_none() {
            return Err(IntakeError::Nothing);
        }
        if !exists && folder.path().exists() {
            let entries = fs::read_dir(folder.path()).map_err(IntakeError::files(folder.path()))?;
            let is_foreign = |name: &String| !OWN.contains(&name.as_str()) && !is_unfinished(name);
            let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
            if let Some(other) = names.into_iter().find(is_foreign) {
                return usage(format!(
                    "{shown}: is not a class, and not empty: it has {other}; name a folder that does not exist yet"
                ));
            }
        }
        let class = without_links(folder.path());
        match self.downloads.iter().find(|download| class.starts_with(without_links(download))) {
            Some(download) => usage(format!(
                "{shown}: lies in {}, which is taken in; put the class elsewhere",
                download.display()
            )),
            None => Ok(()),
        }
    }
}
