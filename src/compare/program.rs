//! Compares the observations of a program with its expectations.

use super::{Failure, Mismatch, StepResult, Verdict, exception_text, halted};
use crate::adapter::{End, Exception, Exchange, Ran};
use crate::case::Expect;

/// The status of a program with an uncaught exception.
const UNCAUGHT: i32 = 1;

/// The exception of a program that reads past the end of its input.
const END_OF_INPUT: &str = "EOFError";

/// Compares a program run with its expectations: first its turns, then how it ended, then all it wrote.
pub(super) fn program(expect: &Expect, ran: &Ran) -> StepResult {
    match dialogue(expect, ran).or_else(|| ending(expect, ran)).or_else(|| written(expect, ran)) {
        Some(failure) => StepResult::Failed(Box::new(failure)),
        None => StepResult::Passed,
    }
}

/// A failure at a zero-based exchange of a run.
fn failure(verdict: Verdict, mismatch: Mismatch, exchange: usize) -> Failure {
    Failure { verdict, line: exchange, mismatch, expected: None, got: None, exception: None }
}

/// The exchange at which a program ended.
fn end(ran: &Ran) -> usize {
    ran.exchanges.len().saturating_sub(1)
}

/// The failure of the first unexpected turn.
fn dialogue(expect: &Expect, ran: &Ran) -> Option<Failure> {
    for (index, pattern) in expect.program.turns.iter().enumerate() {
        let exchange = ran.exchanges.get(index);
        let printed = exchange.map(printed).unwrap_or_default();
        if exchange.is_some() && pattern.as_ref().is_none_or(|pattern| pattern.is_match(&printed)) {
            continue;
        }
        // A program that ended prints nothing more: that is the failure.
        let last = index + 1 >= ran.exchanges.len();
        if let Some(ended) = abnormal(expect, ran).filter(|_| last) {
            return Some(ended);
        }
        let mismatch = if exchange.is_some() { Mismatch::Dialogue } else { Mismatch::EndedEarly };
        return Some(Failure {
            expected: pattern.as_ref().map(|pattern| format!("/{pattern}/")),
            got: exchange.map(|_| printed),
            ..failure(Verdict::WrongOutput, mismatch, index)
        });
    }
    None
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
        ..failure(Verdict::WrongValue, Mismatch::Status, end(ran))
    })
}

/// The reason that the program did not end normally, unless that is expected.
fn abnormal(expect: &Expect, ran: &Ran) -> Option<Failure> {
    match &ran.end {
        End::Halted(halt) => Some(halted(halt, end(ran))),
        End::Raised(raised) => {
            let expected = match expect.program.exit {
                Some(status) => i32::from(status) == UNCAUGHT,
                None => is_end_of_input(raised, ran),
            };
            let (verdict, mismatch) = match raised.syntax {
                Some(_) => (Verdict::LoadError, Mismatch::Syntax),
                None => (Verdict::Raised, Mismatch::Unexpected),
            };
            (!expected).then(|| Failure {
                got: Some(exception_text(raised)),
                exception: Some(raised.clone()),
                ..failure(verdict, mismatch, end(ran))
            })
        }
        End::Exited(_) => None,
    }
}

/// Whether a program ended only because it read past the end of its input.
fn is_end_of_input(raised: &Exception, ran: &Ran) -> bool {
    let mut before = ran.exchanges.iter().rev().skip(1);
    raised.kind == END_OF_INPUT && before.next().is_some_and(|exchange| exchange.sent.is_none())
}

/// The failure in everything that the program wrote.
fn written(expect: &Expect, ran: &Ran) -> Option<Failure> {
    let all: String = ran.exchanges.iter().map(printed).collect();
    let errors = String::from_utf8_lossy(&ran.errors).replace("\r\n", "\n");
    let sides = [(&expect.prints, all), (&expect.program.errors, errors)];
    sides.into_iter().find_map(|(expected, got)| {
        let trimmed = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
        let (expected, got) = (trimmed(expected.as_ref()?), trimmed(&got));
        if expected == got {
            return None;
        }
        let mismatch =
            if expected.is_empty() { Mismatch::Output } else { Mismatch::of_text(&expected, &got, "") };
        let failure = failure(Verdict::WrongOutput, mismatch, end(ran));
        Some(Failure { expected: Some(expected), got: Some(got), ..failure })
    })
}

fn printed(exchange: &Exchange) -> String {
    String::from_utf8_lossy(&exchange.printed).replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::adapter::{End, Exception, Exchange, Halt, Ran};
    use crate::case::{Ending, Expect};
    use crate::compare::{Mismatch, StepResult, Verdict};
    use crate::sandbox::Stop;
    use regex::Regex;

    fn exchange(printed: &str, sent: Option<&str>) -> Exchange {
        Exchange { printed: printed.into(), sent: sent.map(str::to_owned) }
    }

    fn ran(exchanges: Vec<Exchange>, end: End) -> Ran {
        Ran { command: "python3 a.py".to_owned(), exchanges, errors: b"oh\n".to_vec(), end }
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
    fn check(expect: &Expect, ran: &Ran, expected: Option<(Verdict, Mismatch)>) {
        let found = match program(expect, ran) {
            StepResult::Failed(failure) => Some((failure.verdict, failure.mismatch)),
            StepResult::Passed | StepResult::NotRun => None,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn each_turn_sees_what_was_printed_since_the_one_before() {
        let two = || vec![exchange("name? ", Some("Ada\n")), exchange("hi Ada\n", None)];
        check(
            &turns(&["^name", "^hi Ada$"]),
            &ran(two(), End::Exited(0)),
            Some((Verdict::WrongOutput, Mismatch::Dialogue)),
        );
        check(&turns(&["^name", "^hi Ada\n$"]), &ran(two(), End::Exited(0)), None);
        check(&turns(&["hi"]), &ran(two(), End::Exited(0)), Some((Verdict::WrongOutput, Mismatch::Dialogue)));
        let more = turns(&["", "", "again"]);
        check(&more, &ran(two(), End::Exited(0)), Some((Verdict::WrongOutput, Mismatch::EndedEarly)));
        check(&more, &ran(two(), raised("KeyError")), Some((Verdict::Raised, Mismatch::Unexpected)));
        let stopped = End::Halted(Halt::Stopped(Stop::Cpu));
        check(&more, &ran(two(), stopped), Some((Verdict::TimeLimit, Mismatch::CpuLimit)));
    }

    #[test]
    fn a_program_may_end_by_asking_on_only_when_its_input_has_ended() {
        let asked = || vec![exchange("? ", Some("1\n")), exchange("? ", None), exchange("", None)];
        let nothing = Expect::default();
        check(&nothing, &ran(asked(), raised("EOFError")), None);
        check(&exit(0), &ran(asked(), raised("EOFError")), Some((Verdict::Raised, Mismatch::Unexpected)));
        check(&exit(1), &ran(asked(), raised("EOFError")), None);
        check(&nothing, &ran(asked(), raised("ValueError")), Some((Verdict::Raised, Mismatch::Unexpected)));
        let early = vec![exchange("? ", Some("1\n")), exchange("", None)];
        check(&nothing, &ran(early, raised("EOFError")), Some((Verdict::Raised, Mismatch::Unexpected)));
    }

    #[test]
    fn status_output_and_errors_are_held() {
        let one = || vec![exchange("a\n", None)];
        check(&exit(0), &ran(one(), End::Exited(0)), None);
        check(&exit(2), &ran(one(), End::Exited(0)), Some((Verdict::WrongValue, Mismatch::Status)));
        let prints = Expect { prints: Some("b".to_owned()), ..Expect::default() };
        check(&prints, &ran(one(), End::Exited(0)), Some((Verdict::WrongOutput, Mismatch::Text)));
        let mut errors = Expect::default();
        errors.program.errors = Some("oh".to_owned());
        check(&errors, &ran(one(), End::Exited(0)), None);
        errors.program.errors = Some(String::new());
        check(&errors, &ran(one(), End::Exited(0)), Some((Verdict::WrongOutput, Mismatch::Output)));
    }
}
