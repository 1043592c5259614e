//! Runs a program of a submission and exchanges text with it.

use super::Fault;
use super::exchange::{broken, exchange, ungathered};
use super::source::{Bundle, Dialect, command, sources};
use super::transcript::{End, Exchange, Halt, Missing, MissingKind, Observation, Ran, StepOutcome};
use super::wire::{self, Body, Reply};
use crate::case::ProgramRun;
use crate::sandbox::{Limits, Process, Stop};

/// Runs a program in its own process. `names` are the names of the files of `bundle`.
pub(super) fn converse(
    process: &mut Process,
    run: &ProgramRun,
    limits: &Limits,
    dialect: &Dialect,
    (bundle, names): (&Bundle, &[String]),
) -> Result<Observation, Fault> {
    let file = run.files.get(&dialect.language).map_or("", String::as_str);
    let files = sources(bundle);
    let Some((file, module, _)) = bundle.program(file) else {
        let (kind, name) = (MissingKind::Program, file.to_owned());
        let missing = Missing { kind, name, on: String::new(), near: None };
        return Ok(Observation::bare(StepOutcome::Missing(missing)));
    };
    process.begin(limits).map_err(ungathered)?;
    let mut ran = Ran {
        command: command(dialect, file, &run.args),
        exchanges: Vec::new(),
        errors: Vec::new(),
        end: End::Exited(0),
    };
    let mut input = run.input.iter();
    let mut reply = exchange(process, &wire::program(&files, module, &run.args), names);
    let mut written = 0;
    loop {
        let (body, out) = match reply {
            Ok(Reply { body, out, .. }) => (Ok(body), out),
            Err(halt) => (Err(halt), None),
        };
        let mut printed = process.take_output();
        printed.extend(out.unwrap_or_default().into_bytes());
        ran.errors.extend(process.take_errors());
        written += printed.len() as u64;
        // What was already read is no longer there to count.
        let full = process.output_is_full() || written >= limits.output;
        let body = if full { Err(Halt::Stopped(Stop::Output)) } else { body };
        let waits = matches!(body, Ok(Body::Waits));
        let again = waits && ran.exchanges.last().is_some_and(|last: &Exchange| last.sent.is_none());
        let body = match again {
            true => Err(broken(process, "it waits for input that has ended".to_owned())),
            false => body,
        };
        let sent = if waits { input.next().cloned() } else { None };
        ran.exchanges.push(Exchange { printed, sent: sent.clone() });
        ran.end = match body {
            Ok(Body::Waits) => {
                reply = exchange(process, &wire::input(sent.as_deref()), names);
                continue;
            }
            Ok(Body::Ended { raised: Some(raised), .. }) => End::Raised(raised),
            Ok(Body::Ended { status, raised: None }) => End::Exited(status),
            Ok(
                Body::Ready(_)
                | Body::Loaded { .. }
                | Body::Traced
                | Body::Done { .. }
                | Body::Raised(_)
                | Body::Missing(_),
            ) => End::Halted(Halt::Protocol("an unexpected answer to `program`".to_owned())),
            Err(halt) => End::Halted(halt),
        };
        let output = ran.exchanges.iter().flat_map(|exchange| exchange.printed.iter().copied()).collect();
        return Ok(Observation { output, ..Observation::bare(StepOutcome::Ran(ran)) });
    }
}
