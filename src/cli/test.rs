//! `keur test`: each case of a submission as a test of cargo's own kind.

use super::{Exit, TestArgs, library_error, output};
use crate::build::Builder;
use crate::case::Library;
use crate::grade::Settings;
use crate::run::{self, SuitesError};
use crate::sandbox::{Tier, Tools};
use crate::testing;
use libtest_mimic::Arguments;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

pub(super) fn run(args: TestArgs) -> ExitCode {
    let options = std::iter::once("keur test".to_owned()).chain(args.options).chain(args.filter);
    let arguments = Arguments::from_iter(options);
    let settings = Settings { rulings: args.rulings, ..Settings::default() };
    let tools = Tools::on_path(std::slice::from_ref(&args.path));
    let builder = args.crates.settings(tools).map(|settings| Builder::new(settings, Tier::default()));
    let library = args.cases.map_or(Library::BuiltIn, Library::Folder);
    let suites = builder
        .map_err(SuitesError::Usage)
        .and_then(|builder| run::suites(&args.path, args.exercise.as_deref(), &library, &settings, &builder));
    match suites {
        Ok(suites) => {
            let trials = suites.iter().flat_map(|suite| suite.trials()).collect();
            // A reader that has seen enough, such as `head`, ends the run as it ends other programs.
            let print = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if !info.to_string().contains("BrokenPipe") {
                    print(info);
                }
            }));
            std::panic::catch_unwind(AssertUnwindSafe(|| {
                let conclusion = libtest_mimic::run(&arguments, trials);
                output::out(&testing::totals(&suites, &arguments));
                conclusion.exit_code()
            }))
            .unwrap_or_else(|_| Exit::Fault.into())
        }
        Err(SuitesError::Library(error)) => library_error(&error, &args.style).into(),
        Err(error @ (SuitesError::Usage(_) | SuitesError::Nothing(_) | SuitesError::Fault(_))) => {
            output::err(&format!("error: {error}\n"));
            if matches!(error, SuitesError::Fault(_)) { Exit::Fault.into() } else { Exit::Usage.into() }
        }
    }
}
