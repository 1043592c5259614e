//! The model of a TESTed suite, whichever format it was read from.

use super::python::{PyExpr, PyStatement};
use std::collections::BTreeMap;
use std::ops::Range;

/// A test suite.
#[derive(Debug, Default)]
pub(super) struct TestedSuite {
    /// The name of the submission's file, without its extension.
    pub(super) namespace: Option<String>,
    /// The tabs, in order.
    pub(super) tabs: Vec<SuiteTab>,
}

/// A tab or unit.
#[derive(Debug)]
pub(super) struct SuiteTab {
    pub(super) name: String,
    pub(super) hidden: bool,
    pub(super) contexts: Vec<Context>,
}

/// A context: test cases in one process.
#[derive(Debug)]
pub(super) struct Context {
    /// The description of the context.
    pub(super) title: Option<String>,
    pub(super) testcases: Vec<Testcase>,
    pub(super) files: Vec<SuiteFile>,
}

/// A test case.
#[derive(Debug)]
pub(super) struct Testcase {
    pub(super) description: Option<String>,
    pub(super) input: Input,
    pub(super) stdin: Option<StandardInput>,
    pub(super) stdout: TextOutput,
    pub(super) stderr: TextOutput,
    pub(super) result: Output,
    pub(super) exception: Option<Exception>,
    pub(super) exit_code: Option<ExitCode>,
    pub(super) writes: Vec<WrittenFile>,
    /// The bytes in the suite.
    pub(super) span: Range<usize>,
}

impl Testcase {
    /// Whether it expects no more than that nothing is written.
    pub(super) fn expects_nothing(&self) -> bool {
        matches!(self.stdout, TextOutput::Empty)
            && matches!(self.stderr, TextOutput::Empty)
            && self.exception.is_none()
            && self.exit_code.is_none()
            && self.writes.is_empty()
    }
}

/// The standard input of a test case.
#[derive(Clone, Debug)]
pub(super) struct StandardInput {
    pub(super) text: String,
    /// The bytes in the suite.
    pub(super) span: Range<usize>,
}

/// An expected exit code.
#[derive(Debug)]
pub(super) struct ExitCode {
    pub(super) code: i64,
    /// The bytes in the suite.
    pub(super) span: Range<usize>,
}

/// The action of a test case.
#[derive(Debug)]
pub(super) enum Input {
    /// Runs the submission as a program.
    Main { args: Vec<String> },
    /// Runs a line.
    Neutral(PyStatement),
    /// Runs code of the language, as it stands.
    Native(LanguageCode),
}

/// Code of each language.
#[derive(Debug, Default)]
pub(super) struct LanguageCode {
    pub(super) codes: BTreeMap<String, String>,
    pub(super) calls: Vec<NativeCall>,
}

/// A call of a function of the submission.
#[derive(Debug, PartialEq)]
pub(super) struct NativeCall {
    pub(super) name: String,
    /// The number of arguments.
    pub(super) arguments: usize,
}

/// The expectation of an output stream.
#[derive(Debug)]
pub(super) enum TextOutput {
    /// Nothing is written.
    Empty,
    /// Anything may be written.
    Ignored,
    /// Exactly this text, but for the options.
    Is { text: String, options: TextOptions, span: Range<usize> },
    /// A function of the instructor accepts what is written.
    Check(SuiteOracle),
}

/// The options of a comparison of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextOptions {
    pub(super) ignore_whitespace: bool,
    pub(super) case_insensitive: bool,
    pub(super) floating_point: bool,
    /// The number of decimals, if numbers are rounded.
    pub(super) round_to: Option<i32>,
}

/// The expectation of a value.
#[derive(Debug)]
pub(super) enum Output {
    /// No value: None, null or undefined.
    Nothing,
    /// Any value.
    Ignored,
    /// The expected value.
    Is(PyExpr),
    /// A value that a function of the instructor accepts.
    Check(SuiteOracle),
}

/// A function of the instructor that judges.
#[derive(Clone, Debug)]
pub(super) struct SuiteOracle {
    /// The file of the check, beside the suite.
    pub(super) file: String,
    pub(super) function: String,
    /// The expected value.
    pub(super) expected: PyExpr,
    pub(super) arguments: Vec<PyExpr>,
    pub(super) signature: Signature,
    /// Whether it judges what is written, not a value.
    pub(super) is_of_output: bool,
    pub(super) span: Range<usize>,
}

/// The arguments of a function of the instructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signature {
    /// A context, then the arguments of the suite.
    Context,
    /// `(expected, actual, arguments)`, as it once was.
    Legacy,
    /// The value, then arguments that the suite writes as code: a check in the submission's language.
    Specific,
}

/// An expected exception.
#[derive(Debug)]
pub(super) struct Exception {
    pub(super) message: Option<String>,
    /// The type by programming language.
    pub(super) types: BTreeMap<String, String>,
}

/// A file in the working folder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SuiteFile {
    pub(super) path: String,
    /// The text, or `None` if it is a file of the exercise's folder.
    pub(super) content: Option<String>,
    /// The places where TESTed looks for it.
    pub(super) sources: Vec<String>,
    pub(super) span: Range<usize>,
}

/// A file that a test case must write.
#[derive(Debug)]
pub(super) struct WrittenFile {
    pub(super) path: String,
    pub(super) content: String,
    pub(super) options: TextOptions,
    pub(super) span: Range<usize>,
}
