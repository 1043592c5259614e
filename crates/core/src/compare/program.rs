//! Compares the observations of a program with its expectations.

use super::text::{self, TextDifference, printed};
use super::{
    Ask, Compare, Compared, Failure, JudgedMistake, LoadMistake, Mistake, ProgramMistake, RaiseMistake,
    TextMistake, Unmet, Verdict, exception_text, halted,
};
use crate::adapter::{Dialect, End, Exception, ProgramTurn, Ran};
use crate::case::{Expect, Raises, TextMatcher};
use crate::languages::cpp::names::ENDING;
use crate::submission::{BuildProblem, SubmissionProblem};
use crate::value::Text;
use regex::Regex;

/// The status of a program with an uncaught exception.
const UNCAUGHT: i32 = 1;

/// A pattern that only expects some output, which a sentence says better.
const ANYTHING: &str = r"\S";

/// The exception of a program, or a call, in Python that reads past the end of its input.
const END_OF_INPUT: &str = "EOFError";

/// Compares a program run with its expectations: first its turns, then how it ended, then all it wrote.
pub(super) fn compare_program<A: Ask>(
    expect: &Expect,
    ran: &Ran,
    dialect: &Dialect,
    ask: &mut A,
) -> Compared<A> {
    if let Some(failure) = dialogue(expect, ran).or_else(|| ending(expect, ran)) {
        return Err(failure.into());
    }
    let all: String = ran.turns.iter().map(|turn| printed(&turn.printed)).collect();
    if let Some(raises) = &expect.raises {
        raising(expect, raises, ran, &all, dialect, ask)?;
    }
    compare_output(expect, expect.prints.as_ref(), &all, Some(&without_prompts(ran)), ran, ask)?;
    let errors = printed(&ran.errors);
    let mut compare =
        |errors: &str| compare_output(expect, expect.program.errors.as_ref(), errors, None, ran, ask);
    match (&ran.end, compare(&errors)) {
        // An interpreter writes there what a program raises, and a case may expect that.
        (End::Raised(raised), Err(Unmet::Failed(_)))
            if names(expect.program.errors.as_ref(), &raised.kind) =>
        {
            let end = if errors.is_empty() || errors.ends_with('\n') { "" } else { "\n" };
            compare(&format!("{errors}{end}{}", exception_text(raised)))
        }
        (_, held) => held,
    }
}

/// Whether an expected text names a type. If not, it is a message for people, which no traceback is.
fn names(expected: Option<&TextMatcher>, kind: &str) -> bool {
    match expected {
        Some(TextMatcher::Plain(text)) => text.contains(kind),
        Some(TextMatcher::Contains(parts) | TextMatcher::AnyOrder(parts)) => {
            parts.iter().any(|part| part.contains(kind))
        }
        Some(TextMatcher::Matches(regex)) => regex.as_str().contains(kind),
        Some(TextMatcher::Check(_)) | None => false,
    }
}

/// A failure at a zero-based turn of a run.
fn failure(verdict: Verdict, mistake: Mistake, turn: usize) -> Failure {
    Failure::new(verdict, turn, mistake)
}

/// The turn at which a program ended.
fn end(ran: &Ran) -> usize {
    ran.turns.len().saturating_sub(1)
}

/// The failure of the first unexpected turn.
fn dialogue(expect: &Expect, ran: &Ran) -> Option<Failure> {
    for (index, pattern) in expect.program.turns.iter().enumerate() {
        let turn = ran.turns.get(index);
        let printed = turn.map(|turn| printed(&turn.printed)).unwrap_or_default();
        if turn.is_some() && pattern.as_ref().is_none_or(|pattern| pattern.is_match(&printed)) {
            continue;
        }
        // A program that ended prints nothing more: that is the failure.
        let last = index + 1 >= ran.turns.len();
        if let Some(ended) = abnormal(expect, ran).filter(|_| last) {
            return Some(ended);
        }
        let (mistake, got) = match turn {
            Some(_) if printed.trim().is_empty() => (Mistake::Text(TextMistake::NoOutput), None),
            Some(_) => (Mistake::Program(ProgramMistake::Dialogue), Some(printed)),
            None => (Mistake::Program(ProgramMistake::EndedEarly), None),
        };
        let pattern = pattern.as_ref().map(Regex::as_str).filter(|pattern| *pattern != ANYTHING);
        return Some(Failure {
            expected: pattern.map(|pattern| format!("/{pattern}/")),
            got,
            ..failure(Verdict::WrongOutput, mistake, index)
        });
    }
    None
}

/// Compares the exception with which a program ended.
fn raising<A: Ask>(
    expect: &Expect,
    raises: &Raises,
    ran: &Ran,
    all: &str,
    dialect: &Dialect,
    ask: &mut A,
) -> Compared<A> {
    let (view, stdin) = (None, None);
    let compare =
        Compare { dialect, expect, view, ask, line: end(ran), output: &[], errors: &ran.errors, stdin };
    match &ran.end {
        End::Raised(raised) => compare.compare_exception(raised, raises),
        End::Exited(_) | End::Halted(_) => Err(compare.not_raised(raises, None, all).into()),
    }
}

/// The failure in how the program ended.
fn ending(expect: &Expect, ran: &Ran) -> Option<Failure> {
    if let Some(failure) = abnormal(expect, ran) {
        return Some(failure);
    }
    let status = match &ran.end {
        End::Exited(status) => *status,
        End::Raised(_) => UNCAUGHT,
        End::Halted(_) => return None,
    };
    let expected = i32::from(expect.program.exit?);
    (status != expected).then(|| Failure {
        expected: Some(expected.to_string()),
        got: Some(status.to_string()),
        ..failure(Verdict::WrongValue, Mistake::Program(ProgramMistake::Status), end(ran))
    })
}

/// The reason that the program did not end normally, unless that is expected.
fn abnormal(expect: &Expect, ran: &Ran) -> Option<Failure> {
    match &ran.end {
        End::Halted(halt) => Some(halted(halt, end(ran))),
        End::Raised(raised) => {
            let expected = match expect.program.exit {
                _ if expect.raises.is_some() => raised.syntax.is_none(),
                // A fault that was found is no status of the program.
                Some(status) => i32::from(status) == UNCAUGHT && !ENDING.contains(&raised.kind.as_str()),
                None => is_end_of_input(raised, ran),
            };
            let (verdict, mistake) = match &raised.syntax {
                Some(syntax) if syntax.well_formed => {
                    let rejected = SubmissionProblem::Build(BuildProblem::Errors(Vec::new()));
                    (Verdict::LoadError, Mistake::Submission(rejected))
                }
                Some(_) => (Verdict::LoadError, Mistake::Load(LoadMistake::Syntax)),
                None if is_past_input(raised) => {
                    let sent = ran.turns.iter().filter_map(|turn| turn.sent.as_deref());
                    let lines = sent.map(|text| text.lines().count()).sum();
                    (Verdict::Raised, Mistake::Raise(RaiseMistake::PastInput { lines }))
                }
                None => {
                    let mistake = RaiseMistake::of_its_own(raised).unwrap_or(RaiseMistake::Unexpected);
                    (Verdict::Raised, Mistake::Raise(mistake))
                }
            };
            (!expected).then(|| Failure {
                got: Some(exception_text(raised)),
                exception: Some(raised.clone()),
                ..failure(verdict, mistake, end(ran))
            })
        }
        End::Exited(_) => None,
    }
}

/// Whether `input` or a scanner raised an exception, since there was nothing left to read.
pub(super) fn is_past_input(raised: &Exception) -> bool {
    let message = raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
    raised.is_past_input || raised.kind == END_OF_INPUT && message == "EOF when reading a line"
}

/// Whether a program ended only because it read past the end of its input.
fn is_end_of_input(raised: &Exception, ran: &Ran) -> bool {
    let mut before = ran.turns.iter().rev().skip(1);
    (raised.is_past_input || raised.kind == END_OF_INPUT)
        && before.next().is_some_and(|turn| turn.sent.is_none())
}

/// Compares what a program wrote. If it is right without the prompts, they are what is wrong.
fn compare_output<A: Ask>(
    expect: &Expect,
    expected: Option<&TextMatcher>,
    got: &str,
    unprompted: Option<&str>,
    ran: &Ran,
    ask: &mut A,
) -> Compared<A> {
    let Some(matcher) = expected else { return Ok(()) };
    let mut difference = |got: &str| {
        let tolerance = &expect.tolerance.text;
        text::difference(matcher, tolerance, got, &Mistake::of_output, ask).map_err(Unmet::Unanswered)
    };
    let got = got.strip_suffix('\n').unwrap_or(got);
    let Some(TextDifference { mut mistake, expected }) = difference(got)? else { return Ok(()) };
    // Where it is the output, and not standard error, that is wrong.
    if let Some(unprompted) = unprompted {
        let errors = printed(&ran.errors);
        for (text, instead) in [(unprompted, TextMistake::Prompts), (&*errors, TextMistake::StandardError)] {
            let text = text.strip_suffix('\n').unwrap_or(text);
            // A check says itself what is wrong.
            let is_checked = matches!(mistake, Mistake::Judged(JudgedMistake::Check { .. }));
            if !is_checked && !text.is_empty() && difference(text)?.is_none() {
                mistake = Mistake::Text(instead);
                break;
            }
        }
    }
    // What ended the program, though it may end so, can be why the output is not what was expected.
    let exception = match &ran.end {
        End::Raised(raised) if expect.program.exit.is_none() => Some(raised.clone()),
        _ => None,
    };
    let failure = failure(Verdict::WrongOutput, mistake, end(ran));
    Err(Failure { expected, got: Some(got.to_owned()), exception, ..failure }.into())
}

/// All that a program wrote, without the lines on which it waited for input.
fn without_prompts(ran: &Ran) -> String {
    let last = end(ran);
    let without = |(index, turn): (usize, &ProgramTurn)| {
        let mut text = printed(&turn.printed);
        if index < last {
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        }
        text
    };
    ran.turns.iter().enumerate().map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::compare_program;
    use crate::adapter::{Dialect, End, Exception, Halt, ProgramTurn, Ran};
    use crate::case::{Ending, Expect, TextMatcher};
    use crate::compare::{
        Mistake, NoOracle, ProgramMistake, RaiseMistake, StopMistake, TextMistake, Unmet, Verdict,
    };
    use crate::languages;
    use crate::sandbox::Stop;
    use regex::Regex;

    fn turn(printed: &str, sent: Option<&str>) -> ProgramTurn {
        ProgramTurn { printed: printed.into(), sent: sent.map(str::to_owned) }
    }

    fn ran(turns: Vec<ProgramTurn>, end: End) -> Ran {
        Ran { command: "python3 a.py".to_owned(), turns, errors: b"oh\n".to_vec(), end }
    }

    fn raised(kind: &str) -> End {
        End::Raised(Exception { kind: kind.to_owned(), ..Exception::default() })
    }

    fn turns(patterns: &[&str]) -> Expect {
        let turns = patterns.iter().map(|pattern| Some(Regex::new(pattern).unwrap())).collect();
        Expect { program: Ending { turns, ..Ending::default() }, ..Expect::default() }
    }

    fn exit(status: u8) -> Expect {
        Expect { program: Ending { exit: Some(status), ..Ending::default() }, ..Expect::default() }
    }

    #[track_caller]
    fn check(expect: &Expect, ran: &Ran, expected: Option<(Verdict, Mistake)>) {
        let dialect = Dialect::of(languages::find("python").unwrap());
        let found = match compare_program(expect, ran, &dialect, &mut NoOracle) {
            Err(Unmet::Failed(failure)) => Some((failure.verdict, failure.mistake)),
            _ => None,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn each_turn_sees_what_was_printed_since_the_one_before() {
        let two = || vec![turn("name? ", Some("Ada\n")), turn("hi Ada\n", None)];
        check(
            &turns(&["^name", "^hi Ada$"]),
            &ran(two(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Program(ProgramMistake::Dialogue))),
        );
        check(&turns(&["^name", "^hi Ada\n$"]), &ran(two(), End::Exited(0)), None);
        check(
            &turns(&["hi"]),
            &ran(two(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Program(ProgramMistake::Dialogue))),
        );
        let silent = vec![turn("\n", None)];
        check(
            &turns(&[r"\S"]),
            &ran(silent, End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Text(TextMistake::NoOutput))),
        );
        let more = turns(&["", "", "again"]);
        check(
            &more,
            &ran(two(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Program(ProgramMistake::EndedEarly))),
        );
        check(
            &more,
            &ran(two(), raised("KeyError")),
            Some((Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected))),
        );
        let stopped = End::Halted(Halt::Stopped(Stop::Cpu));
        check(&more, &ran(two(), stopped), Some((Verdict::TimeLimit, Mistake::Stop(StopMistake::CpuLimit))));
    }

    #[test]
    fn a_program_may_end_by_asking_on_only_when_its_input_has_ended() {
        let asked = || vec![turn("? ", Some("1\n")), turn("? ", None), turn("", None)];
        let nothing = Expect::default();
        check(&nothing, &ran(asked(), raised("EOFError")), None);
        check(
            &exit(0),
            &ran(asked(), raised("EOFError")),
            Some((Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected))),
        );
        check(&exit(1), &ran(asked(), raised("EOFError")), None);
        let message = Some("EOF when reading a line".to_owned().into());
        let past = End::Raised(Exception { kind: "EOFError".to_owned(), message, ..Exception::default() });
        check(
            &exit(0),
            &ran(asked(), past),
            Some((Verdict::Raised, Mistake::Raise(RaiseMistake::PastInput { lines: 1 }))),
        );
        check(
            &nothing,
            &ran(asked(), raised("ValueError")),
            Some((Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected))),
        );
        let early = vec![turn("? ", Some("1\n")), turn("", None)];
        check(
            &nothing,
            &ran(early, raised("EOFError")),
            Some((Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected))),
        );
    }

    #[test]
    fn missing_output_extra_output_and_prompts_are_distinguished() {
        let prints =
            |text: &str| Expect { prints: Some(TextMatcher::Plain(text.to_owned())), ..Expect::default() };
        let wrong = |mistake| Some((Verdict::WrongOutput, mistake));
        let asking = || vec![turn("name? ", Some("Ada\n")), turn("hi Ada\n", None)];
        check(&prints("hi Ada"), &ran(asking(), End::Exited(0)), wrong(Mistake::Text(TextMistake::Prompts)));
        check(&prints("Ada"), &ran(asking(), End::Exited(0)), wrong(Mistake::Text(TextMistake::MoreOutput)));
        let asked = "name? hi Ada";
        check(&prints(asked), &ran(asking(), End::Exited(0)), None);
        check(
            &prints("a"),
            &ran(vec![turn("", None)], End::Exited(0)),
            wrong(Mistake::Text(TextMistake::NoOutput)),
        );
        check(&prints(""), &ran(asking(), End::Exited(0)), wrong(Mistake::Text(TextMistake::Output)));
    }

    #[test]
    fn status_output_and_errors_are_held() {
        let one = || vec![turn("a\n", None)];
        check(&exit(0), &ran(one(), End::Exited(0)), None);
        check(
            &exit(2),
            &ran(one(), End::Exited(0)),
            Some((Verdict::WrongValue, Mistake::Program(ProgramMistake::Status))),
        );
        let prints = Expect { prints: Some(TextMatcher::Plain("b".to_owned())), ..Expect::default() };
        check(
            &prints,
            &ran(one(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Text(TextMistake::Unexpected))),
        );
        let mut errors = Expect::default();
        errors.program.errors = Some(TextMatcher::Plain("oh".to_owned()));
        check(&errors, &ran(one(), End::Exited(0)), None);
        errors.program.exit = Some(1);
        check(&errors, &ran(one(), raised("ValueError")), None);
        errors.program.errors = Some(TextMatcher::Plain("oh\nValueError".to_owned()));
        check(&errors, &ran(one(), raised("ValueError")), None);
        // The text does not name this type, so its traceback is no part of it.
        check(
            &errors,
            &ran(one(), raised("KeyError")),
            Some((Verdict::WrongOutput, Mistake::Text(TextMistake::Lines { expected: 2, got: 1 }))),
        );
        errors.program.exit = None;
        errors.program.errors = Some(TextMatcher::Plain(String::new()));
        check(
            &errors,
            &ran(one(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mistake::Text(TextMistake::Output))),
        );
    }
}
