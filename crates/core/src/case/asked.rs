//! Plans that ask: of steps that are not in a file, and of a file's cases whatever they expect.

use super::case_file::parse_all;
use super::diagnostic::FileErrors;
use super::model::{Case, Exercise};
use super::plan::{Calls, Plan, Want};
use super::resolve::{self, Scope};
use super::views;

/// A step to ask an answer of: lines as the `do` of a case has them, and what to observe of the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedStep {
    /// The lines.
    pub lines: Vec<String>,
    /// Whether to observe the value.
    pub value: bool,
    /// Whether to observe its text.
    pub text: bool,
}

/// The plan of steps that are not in a file; it has the input files of the exercise.
///
/// # Errors
/// The first line that does not fit the exercise, and why.
pub fn plan_of(exercise: &Exercise, steps: &[AskedStep]) -> Result<Plan, String> {
    let mut scope = Scope::default();
    // A folder costs time: without files there is none.
    let files = Some(exercise.input_files.clone()).filter(|files| !files.is_empty());
    let mut plan = Plan { files, ..Plan::default() };
    for step in steps {
        let mut calls = Calls {
            lines: Vec::with_capacity(step.lines.len()),
            want: Want { value: step.value, text: step.text, ..Want::default() },
            awaited: step.value || step.text,
        };
        for text in &step.lines {
            let (line, known) = resolve::line(exercise, &scope, text)
                .map_err(|error| format!("`{text}`: {}", error.message))?;
            calls.want.view = Some(&line.node)
                .filter(|_| step.value)
                .and_then(|node| views::line_view(exercise, node, &known));
            scope.bind_line(&line, &known);
            calls.lines.push(line);
        }
        plan.steps.push(calls.into());
    }
    Ok(plan)
}

/// Reads the cases of a file as [`super::parse_cases`] does, with plans that observe the value of every step.
///
/// # Errors
/// All errors in the file.
pub fn cases_to_ask(
    exercise: &Exercise,
    name: &str,
    path: &str,
    source: &str,
) -> Result<Vec<Case>, FileErrors> {
    parse_all(exercise, name, path, source, true)
}
