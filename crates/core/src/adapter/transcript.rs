//! The observations made while replaying a plan.

use crate::named;
use crate::sandbox::{FolderEntry, Stop};
use crate::value::{Text, Value};

/// All observations of one replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The outcome of loading.
    pub load: Load,
    /// The observations of each step of the plan, up to the one after which nothing more ran.
    pub steps: Vec<StepTranscript>,
}

/// The observations of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTranscript {
    /// The result of the step's action.
    pub result: ActionResult,
    /// The files that the step reads; `None` without a working folder, and for a step after which nothing
    /// more ran.
    pub files: Option<Vec<FoundFile>>,
}

/// The result of a step's action.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionResult {
    /// One observation per line, up to the line after which nothing more ran.
    Calls(Vec<Observation>),
    /// A run of a program, which ended by itself or was stopped.
    Program(Ran),
    /// The submission has no program in this file.
    NoProgram(String),
    /// The observation of the last line of a match, if it had one.
    Match(Option<Observation>),
}

/// A name in the working folder that a step reads, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The name.
    pub name: String,
    /// The file under it, if it is one.
    pub entry: FolderEntry,
}

/// The outcome of loading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    /// Spellings of the required names that it defines.
    pub defined: Vec<String>,
    /// Names that it defines, for suggestions.
    pub names: Names,
    /// The exception that the submission raised while loading.
    pub raised: Option<Exception>,
    /// The bytes written to standard output while loading, if it was loaded by itself.
    pub output: Vec<u8>,
    /// The reason why loading ended, if it did not end by itself.
    pub halt: Option<Halt>,
}

/// Names that a submission defines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// All of them.
    pub all: Vec<String>,
    /// The names of classes, if the driver tells them apart.
    pub classes: Option<Vec<String>>,
    /// The names of functions, if the driver tells them apart.
    pub functions: Option<Vec<String>>,
}

/// The observation of one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The outcome of the line.
    pub outcome: StepOutcome,
    /// The bytes written to standard output.
    pub output: Vec<u8>,
    /// The bytes written to standard error, as far as they are kept.
    pub errors: Vec<u8>,
    /// The bound names that refer to this very object.
    pub is: Vec<String>,
    /// The names of its type and supertypes, if wanted: its own first, where a driver tells `subclasses`.
    pub types: Vec<String>,
    /// The names of the types of values in it, or of the value itself, that came as one of a builtin type which
    /// they extend or stand for.
    pub subclasses: Vec<String>,
    /// The value as the submission itself would show it, if wanted.
    pub shown: Option<String>,
}

/// The outcome of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome {
    /// The line gave a value; parts that were not wanted are absent.
    Value {
        /// The value.
        value: Option<Value>,
        /// The text of the value; not a string if the submission's own method does not return one.
        text: Option<Value>,
    },
    /// The line raised an exception.
    Raised(Exception),
    /// The line needs a name that the submission does not define.
    Missing(Missing),
    /// The line did not end normally, and nothing runs after it.
    Halted(Halt),
    /// The line was not run, because a name that it needs is unbound.
    Unbound(String),
}

/// The observation of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The command, as a user would type it.
    pub command: String,
    /// The output before each input that the program read, and before its end, with that input.
    pub turns: Vec<ProgramTurn>,
    /// The beginning of its standard error.
    pub errors: Vec<u8>,
    /// The end of the run.
    pub end: End,
}

/// The output of a program up to an input, and the input that it read next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramTurn {
    /// The output since the previous turn.
    pub printed: Vec<u8>,
    /// The input that it read; `None` when its input or the program had ended.
    pub sent: Option<String>,
}

/// The end of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Normally, with this status.
    Exited(i32),
    /// With an uncaught exception, and so with status 1.
    Raised(Exception),
    /// The program was stopped.
    Halted(Halt),
}

/// The reasons why a submission is stopped. `adapter/exchange` writes the sentence on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit, or its own exit.
    Stopped(Stop),
    /// The program broke the protocol in this way.
    Protocol(String),
    /// The program never got ready, for this reason.
    NotReady(String),
}

/// An exception of a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exception {
    /// The name of its type.
    pub kind: String,
    /// The names of its type and supertypes.
    pub bases: Vec<String>,
    /// The message; `None` if there is none that is safe to get.
    pub message: Option<Text>,
    /// The lines of the submission that it passed, outermost first.
    pub trace: Vec<Frame>,
    /// For a syntax error, where it is.
    pub syntax: Option<Syntax>,
    /// Whether the driver says that a program read past the end of its input.
    pub is_past_input: bool,
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

/// The place of an error that the interpreter or compiler finds in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// Whether the file is well formed, and the compiler rejects what it says.
    pub well_formed: bool,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The interpreter's message, without the place.
    pub brief: Option<String>,
}

/// A missing name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The kind of name that is missing.
    pub kind: MissingKind,
    /// The name, in the submission's spelling.
    pub name: String,
    /// For a method, the type of the object.
    pub on: String,
    /// The existing name that was probably meant.
    pub near: Option<String>,
}

/// The kinds of missing name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKind {
    /// A class or function.
    Definition,
    /// A method.
    Method,
    /// The name exists but is not callable.
    Property,
    /// An attribute.
    Attribute,
    /// An attribute that is a method instead, which must be called.
    Called,
}

impl Transcript {
    /// The reason why the replay ended early.
    pub fn halt(&self) -> Option<&Halt> {
        self.load.halt.as_ref().or_else(|| self.steps.last()?.result.halt())
    }
}

impl ActionResult {
    /// The observations of lines; none of a program.
    pub fn observations(&self) -> &[Observation] {
        match self {
            ActionResult::Calls(lines) => lines,
            ActionResult::Match(last) => last.as_slice(),
            ActionResult::Program(_) | ActionResult::NoProgram(_) => &[],
        }
    }

    /// The run of a program.
    pub fn program(&self) -> Option<&Ran> {
        if let ActionResult::Program(ran) = self { Some(ran) } else { None }
    }

    /// The reason why the submission stopped.
    pub fn halt(&self) -> Option<&Halt> {
        match self {
            ActionResult::Program(Ran { end: End::Halted(halt), .. }) => Some(halt),
            _ => self.observations().last()?.halt(),
        }
    }

    /// Lets the submission have been stopped where this ended.
    pub(super) fn stop(&mut self, stop: Stop) {
        let halt = Halt::Stopped(stop);
        let last = match self {
            ActionResult::Calls(lines) => lines.last_mut(),
            ActionResult::Match(last) => last.as_mut(),
            ActionResult::Program(ran) => {
                ran.end = End::Halted(halt);
                return;
            }
            ActionResult::NoProgram(_) => None,
        };
        if let Some(last) = last {
            last.outcome = StepOutcome::Halted(halt);
        }
    }
}

impl StepTranscript {
    /// The step with more output before that of its first line, if it has lines.
    pub(crate) fn with_output_before(&self, output: &[u8]) -> StepTranscript {
        let mut step = self.clone();
        if let ActionResult::Calls(lines) = &mut step.result
            && let Some(first) = lines.first_mut()
        {
            first.output.splice(0..0, output.iter().copied());
        }
        step
    }

    /// The observations of the lines of a step; none of a program.
    pub fn observations(&self) -> &[Observation] {
        self.result.observations()
    }
}

named!(MissingKind {
    Definition = "definition",
    Method = "method",
    Property = "property",
    Attribute = "attribute",
    Called = "called",
});

impl Observation {
    /// An outcome with no other observations.
    pub fn bare(outcome: StepOutcome) -> Observation {
        Observation {
            outcome,
            output: Vec::new(),
            errors: Vec::new(),
            is: Vec::new(),
            types: Vec::new(),
            subclasses: Vec::new(),
            shown: None,
        }
    }

    /// The reason why the submission stopped in this line.
    pub fn halt(&self) -> Option<&Halt> {
        if let StepOutcome::Halted(halt) = &self.outcome { Some(halt) } else { None }
    }
}
