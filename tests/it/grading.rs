//! Grading in the process of the tests: the exercise of a folder, and one submission in each way of running
//! it.

use keur::run::build::{BuildSettings, Builder};
use keur_core::adapter::Launcher;
use keur_core::case::{Library, Loaded};
use keur_core::event::SubmissionReport;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::{GradeError, Settings};
use keur_core::languages::Interpreters;
use keur_core::submission;
use keur_sandbox::{Cancel, Tier, Tools, available};
use std::path::Path;
use std::sync::LazyLock;

/// Builds submissions in languages that are built.
pub(crate) static BUILDER: LazyLock<Builder> = LazyLock::new(|| {
    Builder::new(BuildSettings::new(Tools::on_path(&[])), Tier::default(), Cancel::default())
});

/// The only exercise in a folder.
pub(crate) fn load(folder: &Path) -> Result<Loaded, String> {
    let library = Library::Folder(folder.to_owned());
    let name = library.names().unwrap().remove(0);
    library.load(&name).map_err(|error| error.to_string())
}

/// Grades the submission at a path with the default settings.
pub(crate) fn grade(
    loaded: &Loaded,
    path: &Path,
    worker: &mut Worker,
    interpreters: &Interpreters,
) -> Result<SubmissionReport, GradeError> {
    let opened = submission::opened::open(path).unwrap();
    let submission = BUILDER.submission(opened, &loaded.exercise).unwrap_or_else(|fault| panic!("{fault}"));
    Grader::new(loaded, &Settings::default(), interpreters).grade(worker, "submission", &submission)
}

/// Each tier of this machine, and the way of other systems.
pub(crate) fn all_launchers() -> Vec<Launcher> {
    let tiers = [Tier::Portable, Tier::Standard, Tier::Strict].into_iter();
    let launchers = tiers.filter(|tier| available(*tier).is_ok()).map(|tier| Launcher::new(tier, 0));
    launchers.chain([Launcher::portable(0)]).collect()
}

/// Interpreters of which JavaScript's is the embedded one.
#[cfg(feature = "quickjs")]
pub(crate) fn embedded() -> Interpreters {
    let mut interpreters = Interpreters::default();
    let quickjs = keur_core::languages::engines().find(|engine| engine.name == "quickjs").unwrap();
    interpreters.choose(quickjs);
    interpreters.name(quickjs, env!("CARGO_BIN_EXE_keur").into());
    interpreters
}
