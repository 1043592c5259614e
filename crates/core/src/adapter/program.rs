//! Runs a program of a submission and exchanges text with it.

use super::Fault;
use super::dialect::{Dialect, command};
use super::exchange::{Answer, ask, capture_fault, violation};
use super::transcript::{ActionResult, End, Exception, Halt, ProgramTurn, Ran};
use super::wire::{Body, Code, Request};
use crate::case::ProgramRun;
use crate::sandbox::{Exit, Limits, Process, Stop};
use crate::value::Bundle;
use std::iter;

/// The bits of a status that the system keeps.
const STATUS: i32 = 0xff;

/// Runs a program in its own process. `names` are the names of the files of `bundle`, and `code` is what these
/// were compiled to.
pub(super) fn converse(
    process: &mut Process,
    run: &ProgramRun,
    limits: &Limits,
    dialect: &Dialect,
    bundle: &Bundle,
    names: &[String],
    code: Option<&Code>,
) -> Result<ActionResult, Fault> {
    let file = run.files.get(dialect.name()).map_or("", String::as_str);
    let Some(program) = bundle.program(file) else {
        return Ok(ActionResult::NoProgram(file.to_owned()));
    };
    process.begin(limits).map_err(capture_fault)?;
    let mut conversation =
        Conversation { process, limits, names, turns: Vec::new(), errors: Vec::new(), written: 0 };
    let mut inputs = run.input.iter().map(Some).chain(iter::once(None));
    let module = program.module.as_deref().unwrap_or_default();
    let mut request = Request::program(&bundle.files, module, run, code);
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
        let Answer { body, mut printed } = ask(self.process, request, self.names);
        let state = self.state(body);
        if let ProgramState::Ended(_) = state {
            // What it printed while its process ended.
            printed.extend(self.process.take_output());
        }
        self.errors.extend(self.process.take_errors());
        self.written += printed.len() as u64;
        self.turns.push(ProgramTurn { printed, sent: None });
        if self.process.output_is_full() || self.written >= self.limits.output {
            return ProgramState::Ended(End::Halted(Halt::Stopped(Stop::Output)));
        }
        state
    }

    /// The state that a reply reports.
    fn state(&mut self, body: Result<Body, Halt>) -> ProgramState {
        ProgramState::Ended(match body {
            Ok(Body::Waits) => return ProgramState::Waits,
            Ok(Body::Ended { raised: Some(raised), status: Some(_) }) => End::Raised(raised),
            Ok(Body::Ended { raised: None, status: Some(status) }) => End::Exited(status),
            Ok(Body::Ended { raised, status: None }) => self.own_end(raised),
            Ok(_) => End::Halted(Halt::Protocol("an unexpected answer to `program`".to_owned())),
            Err(halt) => End::Halted(halt),
        })
    }

    /// The end of a program whose process ends with its status, and that raised this if it raised: it may still
    /// print.
    fn own_end(&mut self, raised: Option<Exception>) -> End {
        match (self.process.read_exact(&mut [0]), raised) {
            (Ok(()), _) => End::Halted(self.violation("it goes on after its end")),
            (Err(Stop::Exited(_)), Some(raised)) => End::Raised(raised),
            (Err(Stop::Exited(Exit::Code(status))), None) => End::Exited(status & STATUS),
            (Err(stop), _) => End::Halted(Halt::Stopped(stop)),
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
