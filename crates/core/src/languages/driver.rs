//! How to start an engine with its driver, the text that makes it answer requests.

use crate::sandbox::{Tier, Transport};
use std::path::Path;

/// The parameters of the start of a driver.
#[derive(Clone, Copy, Debug)]
pub struct DriverArgs<'a> {
    /// The interpreter.
    pub program: &'a Path,
    /// The process's role.
    pub mode: Mode,
    /// Memory for the submission, in bytes, for an engine that enforces its own limit.
    pub memory: u64,
    /// The seed of hashes and random numbers.
    pub seed: u32,
    /// The path of the driver's text, for an engine that takes it from a file, or of what that was
    /// [compiled](COMPILED) to.
    pub text: Option<&'a Path>,
    /// Whether it works in a folder of its own, whose files the submission may use.
    pub has_folder: bool,
    /// Keur's cache folder, if no submission can read or write it.
    pub cache: Option<&'a Path>,
}

/// The extension of the file that a driver in Java is compiled to.
pub const COMPILED: &str = "jar";

/// The role of a driver process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A process that answers.
    Process(Transport),
    /// A server that forks a process for each case, confined as this tier asks.
    Server(Tier),
}

impl Mode {
    /// The word for the role in a driver's text.
    pub(super) fn word(self) -> &'static str {
        match self {
            Mode::Process(Transport::Socket) => "socket",
            Mode::Process(Transport::Pipes) => "pipes",
            Mode::Server(_) => "server",
        }
    }

    /// The channel to the process.
    pub(super) fn transport(self) -> Transport {
        match self {
            Mode::Process(transport) => transport,
            Mode::Server(_) => Transport::Socket,
        }
    }
}

/// The most characters of a driver's text in one variable. Windows limits a variable, and a whole command
/// line, to 32,767 units of 16 bits; a character takes at most two.
const MOST_TEXT: usize = 15_000;

/// A driver's text as environment variables, `KEUR_0` and so on, if a command line is too short for it. The
/// driver removes them before it does anything else.
pub(super) fn in_variables(text: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        variables.push((format!("KEUR_{}", variables.len()), chars.by_ref().take(MOST_TEXT).collect()));
    }
    variables
}
