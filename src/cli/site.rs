//! `keur site`.

use super::args::one_of;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::site::{PYODIDE_VERSION, Pyodide, Site, SiteError};
use clap::Args;
use keur_core::case::Library;
use keur_core::messages::Lang;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct SiteArgs {
    /// The folder of the site; one that keur wrote earlier is written again
    out: PathBuf,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// An exercise of the site, several times for several; all by default
    #[arg(long, value_name = "NAME")]
    exercise: Vec<String>,
    /// The language in which the page begins: nl, da or en; that of the browser by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
    /// Copy Pyodide, the Python for browsers, from this folder; the folder of its npm package will do
    #[arg(long, value_name = "DIR", conflicts_with = "pyodide_url")]
    pyodide: Option<PathBuf>,
    /// Let the page load Pyodide from this address, with digests: https://…/
    #[arg(long, value_name = "URL", value_parser = Pyodide::at)]
    pyodide_url: Option<Pyodide>,
    /// Let students try the submissions in this folder, which has a folder for each exercise
    #[arg(long, value_name = "DIR")]
    samples: Option<PathBuf>,
    /// Use this keur.wasm instead of the one in this program
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// Show the site that is in the folder, on this machine, instead of writing it
    #[cfg(feature = "play")]
    #[arg(
        long,
        conflicts_with_all = ["cases", "exercise", "lang", "pyodide", "pyodide_url", "samples", "module"]
    )]
    serve: bool,
    /// The port at which it is shown; results are kept in the browser for each port
    #[cfg(feature = "play")]
    #[arg(long, value_name = "PORT", default_value_t = PORT, requires = "serve")]
    port: u16,
}

/// The port at which a site is shown: `keur` on the keys of a telephone.
#[cfg(feature = "play")]
const PORT: u16 = 5387;

pub(super) fn run(args: SiteArgs) -> CliResult {
    #[cfg(feature = "play")]
    if args.serve {
        return serve(&args);
    }
    let library = Library::from(args.cases);
    let exercises = if args.exercise.is_empty() { library.names()? } else { args.exercise };
    let pyodide = args.pyodide.map(Pyodide::Folder).or(args.pyodide_url);
    let without_python = pyodide.is_none();
    let unnamed = pyodide.as_ref().is_some_and(|pyodide| !pyodide.is_checked());
    let site =
        Site { library, exercises, lang: args.lang, pyodide, module: args.module, samples: args.samples };
    let written = site.write(&args.out)?;
    let shown = args.out.display();
    let (count, files) = (written.exercises, written.files);
    output::out(&format!(
        "{shown}: {count} {}, {files} files, {:.1} MB\n",
        plural(count, "exercise"),
        written.bytes as f64 / 1e6
    ));
    #[cfg(feature = "play")]
    output::out(&format!(
        "Look at it with `keur site {shown} --serve`, or put the folder on a web server.\n"
    ));
    if without_python {
        output::err(
            "note: without --pyodide or --pyodide-url, the page grades no Python; docs/site.md says how to get Pyodide\n",
        );
    }
    if unnamed {
        output::err(&format!(
            "note: the address names no version; browsers accept only Pyodide {PYODIDE_VERSION} from it\n"
        ));
    }
    for reason in written.left_out {
        output::err(&format!("note: {reason}; the site leaves it out\n"));
    }
    for path in written.other_samples {
        output::err(&format!("note: {}: no exercise of the site has this name\n", path.display()));
    }
    for package in written.missing {
        output::err(&format!(
            "note: the folder of Pyodide does not have all of `{package}`, which an exercise lists; submissions that import it cannot be graded\n"
        ));
    }
    Ok(RunStatus::Passed)
}

#[cfg(feature = "play")]
fn serve(args: &SiteArgs) -> CliResult {
    use crate::site::{is_site, server::Server};
    let shown = args.out.display();
    if !is_site(&args.out) {
        return Err(CliError::Usage(format!("{shown}: not a site; write one with `keur site {shown}`")));
    }
    let server = Server::bind(&args.out, args.port).map_err(|error| {
        CliError::Usage(format!("port {}: {error}; name another one with --port", args.port))
    })?;
    output::out(&format!("{shown} is at {} until you press Ctrl-C\n", server.address()));
    server.run().map_err(|error| CliError::fault(error.to_string()))?;
    Ok(RunStatus::Passed)
}

impl From<SiteError> for CliError {
    fn from(error: SiteError) -> CliError {
        match error {
            SiteError::Library(error) => error.into(),
            SiteError::NothingVisible(_) | SiteError::NoLanguage(_) => CliError::BadCase(error.to_string()),
            SiteError::OnlyPython(_)
            | SiteError::NoModule
            | SiteError::Unfit { .. }
            | SiteError::Occupied(_) => CliError::Usage(error.to_string()),
            SiteError::Unreadable { .. } => CliError::Usage(error.to_string()),
            SiteError::Unwritten { path, source } => CliError::Write { path, source },
        }
    }
}
