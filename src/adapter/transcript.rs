//! What was observed when a plan was replayed.

use crate::sandbox::Stop;
use crate::value::{Text, Value};

/// Everything observed of one replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// How loading went.
    pub load: Load,
    /// For each step of the plan, an observation a line, up to the line after which nothing more ran.
    pub steps: Vec<Vec<Observation>>,
}

/// How loading went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    /// Spellings of the needed names that it defines.
    pub defined: Vec<String>,
    /// Names that it defines, to suggest from.
    pub names: Vec<String>,
    /// What it raised while loading.
    pub raised: Option<Exception>,
    /// What ended it while loading.
    pub halt: Option<Halt>,
}

/// What was observed of one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// How it ended.
    pub outcome: Outcome,
    /// What it wrote to standard output.
    pub output: Vec<u8>,
    /// The bound names whose very object the result is.
    pub is: Vec<String>,
}

/// How a line ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It gave a value; what was not wanted of it is absent.
    Value {
        /// The value.
        value: Option<Value>,
        /// Its text; not a string where the submission's own method gives none.
        text: Option<Value>,
    },
    /// It raised.
    Raised(Exception),
    /// It needs a name that the submission does not have.
    Missing(Missing),
    /// It did not end in any such way, and nothing runs after it.
    Halted(Halt),
    /// It was not run, because a name it needs was left unbound.
    Unbound(String),
    /// It was a program, which ran to an end of its own or was stopped.
    Ran(Ran),
}

/// What was observed of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The command, as it would be typed.
    pub command: String,
    /// What it printed, up to each time that it waited for input and then up to its end, with what it got to read.
    pub exchanges: Vec<Exchange>,
    /// The beginning of what it wrote to standard error.
    pub errors: Vec<u8>,
    /// How it ended.
    pub end: End,
}

/// What a program printed, and what it then got to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What it printed since the exchange before.
    pub printed: Vec<u8>,
    /// What it got to read; none when its input or the program had ended.
    pub sent: Option<String>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By an exception that it did not catch, and so with status 1.
    Raised(Exception),
    /// It was stopped.
    Halted(Halt),
}

/// What keeps a submission from going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit, or its own end.
    Stopped(Stop),
    /// It broke the protocol: how.
    Protocol(String),
    /// It is a program that was never ready to be asked anything: why.
    NotReady(String),
}

/// An exception of a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exception {
    /// The name of its type.
    pub kind: String,
    /// The names of its type and supertypes.
    pub bases: Vec<String>,
    /// Its message; none when it has none that can be had safely.
    pub message: Option<Text>,
    /// Where it came from, outermost first: the submission's own lines only.
    pub trace: Vec<Frame>,
    /// For a syntax error, where it is.
    pub syntax: Option<Syntax>,
}

/// A line of a submission that an exception passed through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The function.
    pub function: String,
}

/// The place of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 when it is not known.
    pub column: usize,
    /// What the interpreter says of it, without the place.
    pub brief: Option<String>,
}

/// A name that a submission does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is missing.
    pub kind: MissingKind,
    /// The name, in the submission's spelling.
    pub name: String,
    /// For a method: the type of the object.
    pub on: String,
    /// What is there instead and was probably meant.
    pub near: Option<String>,
}

/// What a submission does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKind {
    /// A class or function.
    Definition,
    /// A method.
    Method,
    /// Something of that name is there, but it cannot be called.
    Property,
    /// The file of a program.
    Program,
}

impl Observation {
    /// An outcome of which nothing else was observed.
    pub fn bare(outcome: Outcome) -> Observation {
        Observation { outcome, output: Vec::new(), is: Vec::new() }
    }
}
