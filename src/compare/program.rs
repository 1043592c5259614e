//! Compares what was observed of a program with what is expected of it.

use super::{Failure, Slip, StepResult, Verdict, exception_text, halted};
use crate::adapter::{End, Exception, Exchange, Ran};
use crate::case::Expect;

/// The status of a program that did not catch an exception.
const UNCAUGHT: i32 = 1;

/// The exception of a program that reads on after the end of its input.
const END_OF_INPUT: &str = "EOFError";

/// Compares a program's run with what is expected of it: its turns first, then how it ended, then all it wrote.
pub(super) fn program(expect: &Expect, ran: &Ran) -> StepResult {
    match dialogue(expect, ran).or_else(|| ending(expect, ran)).or_else(|| written(expect, ran)) {
        Some(failure) => StepResult::Failed(Box::new(failure)),
        None => StepResult::Passed,
    }
}

/// A failure at an exchange (from 0) of a run.
fn failure(verdict: Verdict, slip: Slip, exchange: usize) -> Failure {
    Failure { verdict, line: exchange, slip, expected: None, got: None, exception: None }
}

/// The exchange at which a program ended.
fn end(ran: &Ran) -> usize {
    ran.exchanges.len().saturating_sub(1)
}

/// The first turn that does not go as expected.
fn dialogue(expect: &Expect, ran: &Ran) -> Option<Failure> {
    for (index, pattern) in expect.program.turns.iter().enumerate() {
        let exchange = ran.exchanges.get(index);
        let printed = exchange.map(printed).unwrap_or_default();
        if exchange.is_some() && pattern.as_ref().is_none_or(|pattern| pattern.is_match(&printed)) {
            continue;
        }
        // A program that was ended, by itself or otherwise, says nothing more: that is what is wrong with it.
        let last = index + 1 >= ran.exchanges.len();
        if let Some(ended) = abnormal(expect, ran).filter(|_| last) {
            return Some(ended);
        }
        let slip = if exchange.is_some() { Slip::Dialogue } else { Slip::EndedEarly };
        return Some(Failure {
            expected: pattern.as_ref().map(|pattern| format!("/{pattern}/")),
            got: exchange.map(|_| printed),
            ..failure(Verdict::WrongOutput, slip, index)
        });
    }
    None
}

/// What is wrong with how the program ended.
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
        ..failure(Verdict::WrongValue, Slip::Status, end(ran))
    })
}

/// What kept the program from an end of its own, unless that is what is expected.
fn abnormal(expect: &Expect, ran: &Ran) -> Option<Failure> {
    match &ran.end {
        End::Halted(halt) => Some(halted(halt, end(ran))),
        End::Raised(raised) => {
            let expected = match expect.program.exit {
                Some(status) => i32::from(status) == UNCAUGHT,
                None => is_end_of_input(raised, ran),
            };
            let (verdict, slip) = match raised.syntax {
                Some(_) => (Verdict::LoadError, Slip::Syntax),
                None => (Verdict::Raised, Slip::Unexpected),
            };
            (!expected).then(|| Failure {
                got: Some(exception_text(raised)),
                exception: Some(raised.clone()),
                ..failure(verdict, slip, end(ran))
            })
        }
        End::Exited(_) => None,
    }
}

/// Whether a program only ended because its input had: it asked for more than there was.
fn is_end_of_input(raised: &Exception, ran: &Ran) -> bool {
    let mut before = ran.exchanges.iter().rev().skip(1);
    raised.kind == END_OF_INPUT && before.next().is_some_and(|exchange| exchange.sent.is_none())
}

/// What is wrong with all that the program wrote.
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
        let slip = if expected.is_empty() { Slip::Output } else { Slip::of_text(&expected, &got, "") };
        let failure = failure(Verdict::WrongOutput, slip, end(ran));
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
    use crate::compare::{Slip, StepResult, Verdict};
    use crate::pattern::Regex;
    use crate::sandbox::Stop;

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
    fn check(expect: &Expect, ran: &Ran, expected: Option<(Verdict, Slip)>) {
        let found = match program(expect, ran) {
            StepResult::Failed(failure) => Some((failure.verdict, failure.slip)),
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
            Some((Verdict::WrongOutput, Slip::Dialogue)),
        );
        check(&turns(&["^name", "^hi Ada\n$"]), &ran(two(), End::Exited(0)), None);
        check(&turns(&["hi"]), &ran(two(), End::Exited(0)), Some((Verdict::WrongOutput, Slip::Dialogue)));
        let more = turns(&["", "", "again"]);
        check(&more, &ran(two(), End::Exited(0)), Some((Verdict::WrongOutput, Slip::EndedEarly)));
        check(&more, &ran(two(), raised("KeyError")), Some((Verdict::Raised, Slip::Unexpected)));
        let stopped = End::Halted(Halt::Stopped(Stop::Cpu));
        check(&more, &ran(two(), stopped), Some((Verdict::TimeLimit, Slip::CpuLimit)));
    }

    #[test]
    fn a_program_may_end_by_asking_on_only_when_its_input_has_ended() {
        let asked = || vec![exchange("? ", Some("1\n")), exchange("? ", None), exchange("", None)];
        let nothing = Expect::default();
        check(&nothing, &ran(asked(), raised("EOFError")), None);
        check(&exit(0), &ran(asked(), raised("EOFError")), Some((Verdict::Raised, Slip::Unexpected)));
        check(&exit(1), &ran(asked(), raised("EOFError")), None);
        check(&nothing, &ran(asked(), raised("ValueError")), Some((Verdict::Raised, Slip::Unexpected)));
        let early = vec![exchange("? ", Some("1\n")), exchange("", None)];
        check(&nothing, &ran(early, raised("EOFError")), Some((Verdict::Raised, Slip::Unexpected)));
    }

    #[test]
    fn status_output_and_errors_are_held() {
        let one = || vec![exchange("a\n", None)];
        check(&exit(0), &ran(one(), End::Exited(0)), None);
        check(&exit(2), &ran(one(), End::Exited(0)), Some((Verdict::WrongValue, Slip::Status)));
        let prints = Expect { prints: Some("b".to_owned()), ..Expect::default() };
        check(&prints, &ran(one(), End::Exited(0)), Some((Verdict::WrongOutput, Slip::Text)));
        let mut errors = Expect::default();
        errors.program.errors = Some("oh".to_owned());
        check(&errors, &ran(one(), End::Exited(0)), None);
        errors.program.errors = Some(String::new());
        check(&errors, &ran(one(), End::Exited(0)), Some((Verdict::WrongOutput, Slip::Output)));
    }
}
