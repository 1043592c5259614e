//! Exchanges with a process that speaks the wire protocol, in lock step and under limits.
//!
//! [`exchange`] sends a request and receives its reply, [`exchange_batch`] several at once. [`ask`] also takes
//! what the program printed meanwhile. Each is a [`send`] and a [`receive`].

use super::transcript::Halt;
use super::wire::{self, Body, Reply, Request};
use super::{CHECK_TEMPORARY, Fault};
use crate::sandbox::clock::{self, Instant};
use crate::sandbox::{Exit, Limits, Process, Stop, random};
use std::fmt;
use std::time::Duration;

/// Limits on an interpreter until it is ready to load a submission: a broken one must not hang the run.
const STARTING: Limits =
    Limits { cpu: Duration::from_secs(20), wall: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20 };

/// The time in which a process must be ready for another case.
pub(crate) const GETTING_READY: Duration = Duration::from_secs(2);

/// Limits on a process until it is ready for another case, or on a submission's own program until it is ready
/// for the first. The submission's code runs meanwhile and may stall.
const RUNNING_OWN_CODE: Limits =
    Limits { cpu: GETTING_READY, wall: GETTING_READY, memory: 1 << 30, output: 1 << 20 };

/// The violation by bytes without a request, whether they were sent before the next request or after it.
const UNASKED: &str = "what it sent does not carry its request's nonce";

/// The delay between the pieces of a request.
const BETWEEN_PIECES: Duration = Duration::from_millis(20);

/// The bytes of a request that its reply must repeat.
type Nonce = [u8; 8];

/// The time that the games of a match may still use in total.
pub(super) struct TimeLeft {
    /// The limits of each line.
    each: Limits,
    cpu: Duration,
    until: Instant,
}

impl TimeLeft {
    pub(super) fn new(each: &Limits, games: u32) -> TimeLeft {
        let games = games.max(1);
        TimeLeft { each: each.clone(), cpu: each.cpu * games, until: Instant::now() + each.wall * games }
    }

    /// Restarts the meters for the next line.
    pub(super) fn begin(&mut self, process: &mut Process) -> Result<(), Halt> {
        self.cpu = self.cpu.saturating_sub(process.cpu_used());
        let stop = if self.cpu.is_zero() {
            Stop::Cpu
        } else if Instant::now() >= self.until {
            Stop::Wall
        } else {
            let begun = process.begin(&self.each);
            return begun.map_err(|error| violation(process, format!("its output is lost: {error}")));
        };
        process.kill();
        Err(Halt::Stopped(stop))
    }
}

/// The process of an earlier case, reset to a fresh state; `None` if it does not get ready again.
pub(super) fn reset(mut process: Process, limits: &Limits) -> Option<Process> {
    if process.begin(&running_own_code(limits)).is_err() || process.has_unread() {
        return None;
    }
    let ready =
        matches!(exchange(&mut process, &Request::reset(), &[]), Ok(Reply { body: Body::Ready(_), .. }));
    ready.then_some(process)
}

/// Limits on a process until it is ready for a case with `limits`, while code of the submission runs.
pub(super) fn running_own_code(limits: &Limits) -> Limits {
    Limits { output: limits.output, ..RUNNING_OWN_CODE }
}

/// Limits on an interpreter until it is ready to load a submission with `limits`; another program has its own
/// `patience`.
pub(super) fn starting(limits: &Limits, patience: Option<Duration>) -> Limits {
    Limits { output: limits.output, wall: patience.unwrap_or(STARTING.wall), ..STARTING }
}

/// Sends a request and receives its reply. `files` are the names of the submission's files, which are looked
/// up in the trace of an exception.
pub(super) fn exchange(process: &mut Process, request: &Request, files: &[String]) -> Result<Reply, Halt> {
    let nonce = new_nonce(process)?;
    exchange_under(process, nonce, request, files)
}

fn exchange_under(
    process: &mut Process,
    nonce: Nonce,
    request: &Request,
    files: &[String],
) -> Result<Reply, Halt> {
    let reply = round_trip(process, nonce, request, |payload| wire::reply(payload, files))?;
    process.note_output(reply.out.as_ref().map_or(0, String::len));
    Ok(reply)
}

/// The answer of a program to a request.
pub(super) struct Answer {
    /// A halt if the program printed too much.
    pub(super) body: Result<Body, Halt>,
    /// The output of the program since its last answer.
    pub(super) printed: Vec<u8>,
}

impl Answer {
    /// A reply of a program that had printed this to a file.
    pub(super) fn new(reply: Result<Reply, Halt>, mut printed: Vec<u8>) -> Answer {
        let body = reply.map(|Reply { body, out, .. }| {
            printed.extend(out.unwrap_or_default().into_bytes());
            body
        });
        Answer { body, printed }
    }
}

/// Sends a request and receives the answer, with what was printed meanwhile.
pub(super) fn ask(process: &mut Process, request: &Request, files: &[String]) -> Answer {
    let nonce = match new_nonce(process) {
        Ok(nonce) => nonce,
        Err(halt) => return Answer::new(Err(halt), process.take_output()),
    };
    let reply = exchange_under(process, nonce, request, files);
    let mut printed = process.take_output();
    if reply.is_err() {
        blank(&mut printed, nonce);
    }
    let mut answer = Answer::new(reply, printed);
    if process.output_is_full() && answer.body.is_ok() {
        answer.body = Err(Halt::Stopped(Stop::Output));
    }
    answer
}

/// Sends requests at once and receives their replies.
pub(super) fn exchange_batch(
    process: &mut Process,
    requests: &[Request],
    files: &[String],
) -> Result<Vec<Reply>, Halt> {
    if let [request] = requests {
        return Ok(vec![exchange(process, request, files)?]);
    }
    let nonce = new_nonce(process)?;
    let batch = Request::batch(requests);
    let replies = round_trip(process, nonce, &batch, |payload| wire::replies(payload, files))?;
    process.note_output(replies.iter().flat_map(|reply| &reply.out).map(String::len).sum());
    Ok(replies)
}

/// Sends a request, receives the payload of its reply, and parses that.
fn round_trip<T>(
    process: &mut Process,
    nonce: Nonce,
    request: &Request,
    parse: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T, Halt> {
    send_under(process, nonce, request, 1)?;
    let payload = receive(process, nonce, request.most_reply())?;
    let reply = parse(&payload).map_err(|why| violation(process, why))?;
    drop(payload);
    // A reply that took long to read may have come too late.
    process.enforce().map_err(Halt::Stopped)?;
    Ok(reply)
}

/// Sends a request in this many pieces; returns its nonce.
pub(super) fn send(process: &mut Process, request: &Request, pieces: usize) -> Result<Nonce, Halt> {
    let nonce = new_nonce(process)?;
    send_under(process, nonce, request, pieces)?;
    Ok(nonce)
}

fn new_nonce(process: &mut Process) -> Result<Nonce, Halt> {
    let mut nonce = Nonce::default();
    random::fill(&mut nonce).map_err(|error| violation(process, format!("no random numbers: {error}")))?;
    Ok(nonce)
}

fn send_under(process: &mut Process, nonce: Nonce, request: &Request, pieces: usize) -> Result<(), Halt> {
    let frame = wire::frame(nonce, request.as_str().as_bytes());
    for piece in frame.chunks(frame.len().div_ceil(pieces.max(1))) {
        process.write(piece).map_err(Halt::Stopped)?;
        if pieces > 1 {
            clock::sleep(BETWEEN_PIECES);
        }
    }
    Ok(())
}

/// Blanks a nonce in what was printed: a program whose replies go there prints something else each time.
fn blank(printed: &mut [u8], nonce: Nonce) {
    let places = printed.windows(nonce.len()).enumerate().filter(|(_, bytes)| **bytes == nonce);
    for at in places.map(|(at, _)| at).collect::<Vec<usize>>() {
        printed[at..at + nonce.len()].fill(0);
    }
}

/// Receives the payload of the reply with this nonce, of at most `most` bytes.
pub(super) fn receive(process: &mut Process, nonce: Nonce, most: usize) -> Result<Vec<u8>, Halt> {
    let mut header = [0; wire::HEADER];
    process.read_exact(&mut header).map_err(Halt::Stopped)?;
    let (length, echoed) = wire::header(header);
    if echoed != nonce {
        return Err(violation(process, UNASKED.to_owned()));
    }
    if length > most {
        return Err(violation(process, format!("a reply of {length} bytes is too large")));
    }
    let mut payload = vec![0; length];
    process.read_exact(&mut payload).map_err(Halt::Stopped)?;
    Ok(payload)
}

/// Ends a process that broke the protocol.
pub(super) fn violation(process: &mut Process, why: String) -> Halt {
    process.kill();
    Halt::Protocol(why)
}

/// The end of a sentence on a program that gave no reply.
impl fmt::Display for Halt {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Stopped(Stop::Exited(Exit::Code(code))) => write!(f, "it ended with status {code}"),
            Halt::Stopped(Stop::Exited(Exit::Signal(signal))) => write!(f, "it was ended by signal {signal}"),
            Halt::Stopped(Stop::Exited(Exit::Unknown)) => f.write_str("it ended"),
            Halt::Stopped(Stop::Cpu | Stop::Wall) => f.write_str("it did not answer in time"),
            Halt::Stopped(Stop::Memory) => f.write_str("it ran out of memory"),
            Halt::Stopped(Stop::Killed) => f.write_str("it was killed, and not by keur"),
            Halt::Stopped(Stop::Suspended) => f.write_str("it was stopped, and not by keur"),
            Halt::Stopped(Stop::Files) => f.write_str("it wrote too much into its working folder"),
            Halt::Stopped(Stop::Output) => f.write_str("it writes instead of answering"),
            Halt::Protocol(why) | Halt::NotReady(why) => f.write_str(why),
        }
    }
}

/// Keur cannot capture the submission's output.
pub(super) fn capture_fault(error: std::io::Error) -> Fault {
    Fault::new("the output of a submission cannot be gathered").because(error).help(CHECK_TEMPORARY)
}
