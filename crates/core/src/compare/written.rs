//! Compares the files that a step left in the working folder with the expected ones.

use super::mismatch::WrittenProblem;
use super::text::{self, TextDifference};
use super::{Failure, Mismatch, ProgramMistake, StepOracle, StepResult, TextMistake, Verdict};
use crate::adapter::{FoundFiles, StepSeen};
use crate::case::{Expect, PlanStep, TextMatcher, TextTolerance};
use crate::sandbox::FolderEntry;

/// The line at which a step ended; of a program, the exchange.
pub(super) fn last_line(step: &PlanStep, seen: &StepSeen) -> usize {
    let lines = seen.seen.program().map_or(step.lines().len(), |ran| ran.exchanges.len());
    lines.saturating_sub(1)
}

/// Compares the files that a step left, which passed otherwise and ended at `line`, with the expected ones. `oracle` asks
/// the checks of the exercise.
pub(super) fn written(
    expect: &Expect,
    line: usize,
    found: &FoundFiles,
    oracle: &dyn StepOracle,
) -> StepResult {
    for (name, matcher) in &expect.writes {
        let left =
            found.iter().find(|(found, _)| found == name).map_or(&FolderEntry::Missing, |(_, left)| left);
        let Err((problem, sides)) = compare(matcher, &expect.tolerance.text, left, oracle) else { continue };
        let mismatch = Mismatch::Program(ProgramMistake::Written { file: name.clone(), problem });
        // What is not there is not shown as empty text.
        let (expected, got) = sides.map_or((None, None), |(expected, got)| (expected, Some(got)));
        let failure = Failure::new(Verdict::WrongOutput, line, mismatch);
        return StepResult::Failed(Box::new(Failure { expected, got, ..failure }));
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
