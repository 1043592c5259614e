//! Compares the files that a step left in the working folder with the expected ones.

use super::mistake::WrittenProblem;
use super::text::{self, TextDifference};
use super::{Ask, Compared, Failure, Mistake, ProgramMistake, TextMistake, Unmet, Verdict};
use crate::adapter::{FoundFile, StepTranscript};
use crate::case::{Expect, PlanStep, TextMatcher, TextTolerance};
use crate::sandbox::FolderEntry;

/// The line at which a step ended; of a program, the turn.
pub(super) fn last_line(step: &PlanStep, seen: &StepTranscript) -> usize {
    let lines = seen.result.program().map_or(step.lines().len(), |ran| ran.turns.len());
    lines.saturating_sub(1)
}

/// Compares the files that a step left, which passed otherwise and ended at `line`, with the expected ones.
pub(super) fn compare_files<A: Ask>(
    expect: &Expect,
    line: usize,
    found: &[FoundFile],
    ask: &mut A,
) -> Compared<A> {
    for (name, matcher) in &expect.writes {
        let left = found.iter().find(|found| found.name == *name);
        let left = left.map_or(&FolderEntry::Missing, |found| &found.entry);
        let wrong = compare_file(matcher, &expect.tolerance.text, left, ask).map_err(Unmet::Unanswered)?;
        let Some(WrongFile { problem, expected, got }) = wrong else { continue };
        let mistake = Mistake::Program(ProgramMistake::Written { file: name.clone(), problem });
        let failure = Failure::new(Verdict::WrongOutput, line, mistake);
        return Err(Failure { expected, got, ..failure }.into());
    }
    Ok(())
}

/// A file that is not as expected.
struct WrongFile {
    problem: WrittenProblem,
    /// The expected text; `None` if a check judges it, or the file has no text.
    expected: Option<String>,
    /// The file's own text, if it has one.
    got: Option<String>,
}

impl From<WrittenProblem> for WrongFile {
    fn from(problem: WrittenProblem) -> WrongFile {
        WrongFile { problem, expected: None, got: None }
    }
}

/// The difference of a file from the expected one; `None` if it is as expected.
fn compare_file<A: Ask>(
    matcher: &TextMatcher,
    tolerance: &TextTolerance,
    left: &FolderEntry,
    ask: &mut A,
) -> Result<Option<WrongFile>, A::Error> {
    let text = match text_of(left) {
        Ok(text) => text,
        Err(problem) => return Ok(Some(problem.into())),
    };
    let got = text.strip_suffix('\n').unwrap_or(&text);
    let difference = text::difference(matcher, tolerance, got, &mistake_of, ask)?;
    Ok(difference.map(|TextDifference { mistake, expected }| {
        let is_empty = got.is_empty() && expected.is_some();
        let problem = if is_empty { WrittenProblem::Empty } else { WrittenProblem::Text(Box::new(mistake)) };
        WrongFile { problem, expected, got: Some(got.to_owned()) }
    }))
}

/// The text of a file, with the line ends of Unix.
fn text_of(left: &FolderEntry) -> Result<String, WrittenProblem> {
    let bytes = match left {
        FolderEntry::File(bytes) => bytes,
        FolderEntry::Missing => return Err(WrittenProblem::Missing),
        FolderEntry::Folder => return Err(WrittenProblem::Folder),
        FolderEntry::Other => return Err(WrittenProblem::Irregular),
        FolderEntry::TooLarge => return Err(WrittenProblem::TooLarge),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text.replace("\r\n", "\n")),
        _ => Err(WrittenProblem::Binary),
    }
}

/// The mistake of two texts; that of a file is not the text of a value, which may be nothing.
fn mistake_of(expected: &str, got: &str) -> Mistake {
    let mistake = Mistake::of_text(expected, got, "");
    if mistake == Mistake::Text(TextMistake::OfNone) {
        Mistake::Text(TextMistake::Unexpected)
    } else {
        mistake
    }
}

#[cfg(test)]
mod tests {
    use super::{WrittenProblem, compare_file};
    use crate::case::{TextMatcher, TextTolerance};
    use crate::compare::{Mistake, NoOracle, TextMistake};
    use crate::sandbox::FolderEntry;

    #[track_caller]
    fn check(expected: &str, left: FolderEntry, found: Option<WrittenProblem>) {
        let matcher = TextMatcher::Plain(expected.trim_end_matches('\n').to_owned());
        let Ok(wrong) = compare_file(&matcher, &TextTolerance::default(), &left, &mut NoOracle);
        assert_eq!(wrong.map(|wrong| wrong.problem), found, "{expected:?} {left:?}");
    }

    #[test]
    fn each_problem_of_a_file_is_named() {
        let file = |bytes: &[u8]| FolderEntry::File(bytes.to_vec());
        let text = |mistake| Some(WrittenProblem::Text(Box::new(mistake)));
        for right in [&b"a\nb"[..], b"a\nb\n", b"a\r\nb\r\n"] {
            check("a\nb\n", file(right), None);
        }
        check("", file(b""), None);
        check("a\nb\n", file(b"a\nb\n\n"), text(Mistake::Text(TextMistake::FinalNewlines)));
        check("a\nb\n", file(b"a \nb\n"), text(Mistake::Text(TextMistake::TrailingBlanks)));
        check("a\nb\n", file(b"a\n"), text(Mistake::Text(TextMistake::Lines { expected: 2, got: 1 })));
        check("a", file(b"None"), text(Mistake::Text(TextMistake::Unexpected)));
        check("", file(b"b"), text(Mistake::Text(TextMistake::Lines { expected: 0, got: 1 })));
        check("a", file(b""), Some(WrittenProblem::Empty));
        check("a", file(b"\xff\xfe"), Some(WrittenProblem::Binary));
        check("a", file(b"a\0"), Some(WrittenProblem::Binary));
        check("a", FolderEntry::Missing, Some(WrittenProblem::Missing));
        check("a", FolderEntry::Folder, Some(WrittenProblem::Folder));
        check("a", FolderEntry::Other, Some(WrittenProblem::Irregular));
        check("a", FolderEntry::TooLarge, Some(WrittenProblem::TooLarge));
    }
}
