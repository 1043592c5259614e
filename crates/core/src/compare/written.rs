//! Compares the files that a step left in the working folder with the expected ones.

use super::mismatch::WrittenProblem;
use super::text::{self, TextDifference};
use super::{Failure, Mismatch, ProgramMistake, StepOracle, StepResult, TextMistake, Verdict};
use crate::adapter::{FoundFiles, Observation, StepOutcome};
use crate::case::{Expect, PlanStep, TextMatcher, TextTolerance};
use crate::sandbox::FolderEntry;

/// Compares the files that a step left, which passed otherwise, with the expected ones. `found` are those that were looked for, and
/// `oracle` asks the checks of the exercise.
pub fn written(
    step: &PlanStep,
    expect: &Expect,
    observed: &[Observation],
    found: &FoundFiles,
    oracle: &dyn StepOracle,
) -> StepResult {
    // The line of a failure is where the step ended.
    let ran = observed.iter().find_map(|observation| match &observation.outcome {
        StepOutcome::Ran(ran) => Some(ran.exchanges.len()),
        StepOutcome::Value { .. }
        | StepOutcome::Raised(_)
        | StepOutcome::Missing(_)
        | StepOutcome::Halted(_)
        | StepOutcome::Unbound(_) => None,
    });
    let line = ran.unwrap_or(step.lines.len()).saturating_sub(1);
    for (name, matcher) in &expect.writes {
        let left =
            found.iter().find(|(found, _)| found == name).map_or(&FolderEntry::Missing, |(_, left)| left);
        let Err((problem, sides)) = compare(matcher, &expect.tolerance.text, left, oracle) else { continue };
        let mismatch = Mismatch::Program(ProgramMistake::Written { file: name.clone(), problem });
        // What is not there is not shown as empty text.
        let (expected, got) = sides.map_or((None, None), |(expected, got)| (expected, Some(got)));
        let verdict = Verdict::WrongOutput;
        return StepResult::Failed(Box::new(Failure {
            verdict,
            line,
            mismatch,
            expected,
            got,
            exception: None,
        }));
    }
    StepResult::Passed
}

/// What is wrong with a file, and if it has a text, the expected one (unless a check judges it) and its own.
type Wrong = (WrittenProblem, Option<(Option<String>, String)>);

fn compare(
    matcher: &TextMatcher,
    tolerance: &TextTolerance,
    left: &FolderEntry,
    oracle: &dyn StepOracle,
) -> Result<(), Wrong> {
    let bytes = match left {
        FolderEntry::File(bytes) => bytes,
        FolderEntry::Missing => return Err((WrittenProblem::Missing, None)),
        FolderEntry::Folder => return Err((WrittenProblem::Folder, None)),
        FolderEntry::Other => return Err((WrittenProblem::Irregular, None)),
        FolderEntry::TooLarge => return Err((WrittenProblem::TooLarge, None)),
    };
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) else {
        return Err((WrittenProblem::Binary, None));
    };
    let text = text.replace("\r\n", "\n");
    let got = text.strip_suffix('\n').unwrap_or(&text);
    match text::difference(matcher, tolerance, got, &plainly, oracle) {
        None => Ok(()),
        Some(TextDifference { mismatch, expected }) => {
            let empty = got.is_empty() && expected.is_some();
            let problem =
                if empty { WrittenProblem::Empty } else { WrittenProblem::Text(Box::new(mismatch)) };
            Err((problem, Some((expected, got.to_owned()))))
        }
    }
}

/// The mismatch of two texts; that of a file is not the text of a value, which may be nothing.
fn plainly(expected: &str, got: &str) -> Mismatch {
    let mismatch = Mismatch::of_text(expected, got, "");
    if mismatch == Mismatch::Text(TextMistake::OfNone) {
        Mismatch::Text(TextMistake::Unexpected)
    } else {
        mismatch
    }
}

#[cfg(test)]
mod tests {
    use super::{WrittenProblem, compare};
    use crate::case::{TextMatcher, TextTolerance};
    use crate::compare::{Mismatch, NoOracle, TextMistake};
    use crate::sandbox::FolderEntry;

    #[track_caller]
    fn check(expected: &str, left: FolderEntry, found: Option<WrittenProblem>) {
        let matcher = TextMatcher::Plain(expected.trim_end_matches('\n').to_owned());
        let result = compare(&matcher, &TextTolerance::default(), &left, &NoOracle);
        assert_eq!(result.err().map(|(problem, _)| problem), found, "{expected:?} {left:?}");
    }

    #[test]
    fn each_problem_of_a_file_is_named() {
        let file = |bytes: &[u8]| FolderEntry::File(bytes.to_vec());
        let text = |mismatch| Some(WrittenProblem::Text(Box::new(mismatch)));
        for right in [&b"a\nb"[..], b"a\nb\n", b"a\r\nb\r\n"] {
            check("a\nb\n", file(right), None);
        }
        check("", file(b""), None);
        check("a\nb\n", file(b"a\nb\n\n"), text(Mismatch::Text(TextMistake::FinalNewlines)));
        check("a\nb\n", file(b"a \nb\n"), text(Mismatch::Text(TextMistake::TrailingBlanks)));
        check("a\nb\n", file(b"a\n"), text(Mismatch::Text(TextMistake::Lines { expected: 2, got: 1 })));
        check("a", file(b"None"), text(Mismatch::Text(TextMistake::Unexpected)));
        check("", file(b"b"), text(Mismatch::Text(TextMistake::Lines { expected: 0, got: 1 })));
        check("a", file(b""), Some(WrittenProblem::Empty));
        check("a", file(b"\xff\xfe"), Some(WrittenProblem::Binary));
        check("a", file(b"a\0"), Some(WrittenProblem::Binary));
        check("a", FolderEntry::Missing, Some(WrittenProblem::Missing));
        check("a", FolderEntry::Folder, Some(WrittenProblem::Folder));
        check("a", FolderEntry::Other, Some(WrittenProblem::Irregular));
        check("a", FolderEntry::TooLarge, Some(WrittenProblem::TooLarge));
    }
}
