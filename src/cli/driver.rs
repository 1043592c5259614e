//! `keur driver test`: whether a program speaks the protocol.

use super::{DriverTestArgs, Exit, output, plural};
use crate::adapter::conformance::{self, Check, Outcome};
use crate::adapter::wire::SourceFile;
use crate::driver;

pub(super) fn test(args: &DriverTestArgs) -> Exit {
    let bytes = match std::fs::read(&args.file) {
        Ok(bytes) => bytes,
        Err(error) => {
            output::err(&format!("error: {}: cannot be read: {error}\n", args.file.display()));
            return Exit::Usage;
        }
    };
    let name = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let module = driver::of_file(&name).map_or_else(|| name.clone(), |driver| (driver.module)(&name));
    let file = SourceFile { name: &name, module: &module, bytes: &bytes };
    let (mut held, mut lacking, mut broken) = (0, 0, 0);
    let result = conformance::check(&args.command.words, file, &mut |check: &Check| {
        let line = match &check.outcome {
            Outcome::Holds => format!("  ✓ {}\n", check.name),
            Outcome::Lacks(why) => format!("  – {}: not in this language: {why}\n", check.name),
            Outcome::Broken { expected, got } => {
                format!("  ✗ {}\n      expected: {expected}\n      got:      {got}\n", check.name)
            }
        };
        match check.outcome {
            Outcome::Holds => held += 1,
            Outcome::Lacks(_) => lacking += 1,
            Outcome::Broken { .. } => broken += 1,
        }
        output::out(&line);
    });
    if let Err(fault) = result {
        output::err(&format!("error: {fault}\n"));
        return Exit::Fault;
    }
    let checks = held + lacking + broken;
    output::out(&format!(
        "\n{checks} {}: {held} hold, {lacking} not in this language, {broken} broken\n",
        plural(checks, "check")
    ));
    if broken == 0 { Exit::Passed } else { Exit::Failed }
}
