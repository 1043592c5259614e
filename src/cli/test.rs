//! `keur test`: each case of a submission as a test of cargo's own kind.

use super::{Exit, TestArgs, output};
use crate::build::Builder;
use crate::grade::Settings;
use crate::sandbox::Tier;
use crate::testing;
use libtest_mimic::Arguments;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

pub(super) fn run(args: TestArgs) -> ExitCode {
    let options = std::iter::once("keur test".to_owned()).chain(args.options).chain(args.filter);
    let arguments = Arguments::from_iter(options);
    let settings = Settings { rulings: args.rulings, ..Settings::default() };
    let builder = args.crates.settings().map(|settings| Builder::new(settings, Tier::default()));
    let suites = builder
        .and_then(|builder| testing::suites(&args.path, args.exercise.as_deref(), &settings, &builder));
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
            std::panic::catch_unwind(AssertUnwindSafe(|| libtest_mimic::run(&arguments, trials).exit_code()))
                .unwrap_or_else(|_| Exit::Fault.into())
        }
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            Exit::Usage.into()
        }
    }
}
