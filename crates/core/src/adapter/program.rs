//! Runs a program of a submission and exchanges text with it.

use super::Fault;
use super::dialect::{Dialect, command};
use super::exchange::{Answer, ask, capture_fault, violation};
use super::transcript::{ActionResult, End, Halt, ProgramTurn, Ran};
use super::wire::{Body, Request};
use crate::case::ProgramRun;
use crate::sandbox::{Limits, Process, Stop};
use crate::value::Bundle;
use std::iter;

/// Runs a program in its own process. `names` are the names of the files of `bundle`.
pub(super) fn converse(
    process: &mut Process,
    run: &ProgramRun,
    limits: &Limits,
    dialect: &Dialect,
    bundle: &Bundle,
    names: &[String],
) -> Result<ActionResult, Fault> {
    let file = run.files.get(dialect.name()).map_or("", String::as_str);
    let Some(program) = bundle.program(file) else {
        return Ok(ActionResult::NoProgram(file.to_owned()));
    };
    process.begin(limits).map_err(capture_fault)?;
    let mut conversation =
        Conversation { process, limits, names, turns: Vec::new(), errors: Vec::new(), written: 0 };
    let mut inputs = run.input.iter().map(Some).chain(iter::once(None));
    let mut request =
        Request::program(&bundle.files, program.module.as_deref().unwrap_or_default(), &run.args);
    let end = loop {
        match conversation.turn(&request) {
            ProgramState::Ended(end) => break end,
            ProgramState::Waits => match inputs.next() {
                Some(input) => request = conversation.send(input),
                None => break End::Halted(conversation.violation("it waits for input that has ended")),
            },
        }
    };
    let Conversation { turns, errors, .. } = conversation;
    Ok(ActionResult::Program(Ran { command: command(dialect, &program.name, &run.args), turns, errors, end }))
}

/// A running program, and what it printed and read so far.
struct Conversation<'p> {
    process: &'p mut Process,
    limits: &'p Limits,
    /// The names of the submission's files.
    names: &'p [String],
    turns: Vec<ProgramTurn>,
    errors: Vec<u8>,
    /// Bytes printed. What was already read is no longer there to count.
    written: u64,
}

/// The state of a program after a request.
enum ProgramState {
    /// The program waits for its next input.
    Waits,
    Ended(End),
}

impl Conversation<'_> {
    /// Sends a request, and takes what the program prints until it waits or ends.
    fn turn(&mut self, request: &Request) -> ProgramState {
        let Answer { body, printed } = ask(self.process, request, self.names);
        self.errors.extend(self.process.take_errors());
        self.written += printed.len() as u64;
        self.turns.push(ProgramTurn { printed, sent: None });
        if self.process.output_is_full() || self.written >= self.limits.output {
            return ProgramState::Ended(End::Halted(Halt::Stopped(Stop::Output)));
        }
        match body {
            Ok(Body::Waits) => ProgramState::Waits,
            Ok(Body::Ended { raised: Some(raised), .. }) => ProgramState::Ended(End::Raised(raised)),
            Ok(Body::Ended { status, raised: None }) => ProgramState::Ended(End::Exited(status)),
            Ok(_) => ProgramState::Ended(End::Halted(Halt::Protocol(
                "an unexpected answer to `program`".to_owned(),
            ))),
            Err(halt) => ProgramState::Ended(End::Halted(halt)),
        }
    }

    /// The request that gives a waiting program this input; `None` when its input ends.
    fn send(&mut self, input: Option<&String>) -> Request {
        if let Some(last) = self.turns.last_mut() {
            last.sent = input.cloned();
        }
        Request::input(input.map(String::as_str))
    }

    /// Ends a program that broke the protocol.
    fn violation(&mut self, why: &str) -> Halt {
        violation(self.process, why.to_owned())
    }
}
