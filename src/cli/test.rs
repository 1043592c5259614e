//! `keur test`: each case of a submission as a test of cargo's own kind.

use super::{Exit, TestArgs, library_error, output};
use crate::case::Library;
use crate::run::{self, GradeRequest};
use crate::sandbox::Tools;
use crate::testing;
use libtest_mimic::Arguments;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

pub(super) fn run(args: TestArgs) -> ExitCode {
    let options = std::iter::once("keur test".to_owned()).chain(args.options).chain(args.filter);
    let arguments = Arguments::from_iter(options);
    let tools = Tools::on_path(std::slice::from_ref(&args.path));
    let mut request = GradeRequest::new(vec![args.path], tools);
    request.library = args.cases.map_or(Library::BuiltIn, Library::Folder);
    request.exercise = args.exercise;
    request.settings.rulings = args.rulings;
    if let Err(message) = args.crates.apply(&mut request.build) {
        output::err(&format!("error: {message}\n"));
        return Exit::Usage.into();
    }
    match run::suites(request) {
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
        Err(error) => match error.library() {
            Some(error) => library_error(error, &args.style).into(),
            None => {
                output::err(&format!("error: {error}\n"));
                if error.is_fault() { Exit::Fault.into() } else { Exit::Usage.into() }
            }
        },
    }
}
