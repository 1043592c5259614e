//! The causes of failed cases: a finding that several cases share is one cause.

use super::words::Words;
use crate::compare::{Mistake, Reach, Verdict};
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SubmissionReport};

/// A finding, and the cases that failed by it.
pub(super) struct Cause<'r> {
    /// The first case that failed by it; reports show the finding of this one.
    pub(super) case: &'r CaseReport,
    /// The other cases, in order.
    pub(super) others: Vec<&'r CaseReport>,
    /// Whether no case of the submission passed or failed by something else.
    pub(super) explains_all: bool,
    /// The number of cases that were not run because one of these failed, if it explains all.
    pub(super) blocked: usize,
}

impl<'r> Cause<'r> {
    /// The finding in the first case; `None` if that case is hidden.
    pub(super) fn finding(&self) -> Option<&'r Finding> {
        self.case.finding.as_deref()
    }

    /// The other cases in a sentence, in which `name` names a case; `None` if there are none.
    pub(super) fn reach(&self, words: &Words, name: impl Fn(&'r CaseReport) -> &'r str) -> Option<String> {
        let count = self.others.len();
        if count + self.blocked == 0 {
            return None;
        }
        if self.explains_all {
            let all = count + 1 + self.blocked;
            return Some(words.with("label-in-all-cases", &[("count", &all.to_string())]));
        }
        let cases: Vec<&str> = self.others.iter().map(|case| name(case)).collect();
        Some(words.count("label-also-in", count, &[("cases", &cases.join("; "))]))
    }

    /// Returns true if the cases failed before their first step, by a problem that belongs to no case.
    pub(super) fn is_before_the_first_step(&self) -> bool {
        self.finding().is_some_and(|finding| finding.step.is_none())
    }
}

/// The causes by which the cases of a submission failed, in the order of their first cases.
pub(super) fn causes(report: &SubmissionReport) -> Vec<Cause<'_>> {
    let mut causes: Vec<(Option<Sign<'_>>, Cause<'_>)> = Vec::new();
    for case in &report.cases {
        if case.finding.is_none() && case.verdict != Verdict::Failed {
            continue;
        }
        let sign = case.finding.as_deref().map(|finding| Sign::of(finding, &case.name));
        let same = causes.iter_mut().find(|(earlier, _)| sign.is_some() && *earlier == sign);
        match same {
            Some((_, cause)) => cause.others.push(case),
            None => causes.push((sign, Cause { case, others: Vec::new(), explains_all: false, blocked: 0 })),
        }
    }
    let mut causes: Vec<Cause<'_>> = causes.into_iter().map(|(_, cause)| cause).collect();
    if let [cause] = causes.as_mut_slice() {
        // A case that needs one of these would have failed by the same problem before its first step.
        let blocked = report.cases.iter().filter(|case| case.blocked_by.is_some()).count();
        let blocked = if cause.is_before_the_first_step() { blocked } else { 0 };
        cause.explains_all = cause.others.len() + 1 + blocked == report.cases.len();
        cause.blocked = if cause.explains_all { blocked } else { 0 };
    }
    causes
}

/// The part of a finding that findings with one cause have in common.
#[derive(PartialEq)]
enum Sign<'f> {
    /// The same problem before the first step.
    Before(&'f Mistake, &'f Option<ExceptionReport>),
    /// The function of this name returns nothing.
    ReturnsNothing(&'f str),
    /// An exception of the same type, for the same reason wrong, from the same line.
    Raised(&'f Mistake, &'f str, Option<&'f Place>),
    /// The same exception instead of the same expected one, from any line.
    Instead(&'f Mistake, Option<&'f str>, Option<&'f str>),
    /// The same mistake, where it is more than an unexpected result, in the same function or in the text of
    /// the object.
    Mistake(&'f Mistake, Option<&'f str>),
    /// A result of this case alone.
    Own(&'f str),
}

impl<'f> Sign<'f> {
    /// The sign of a finding in the case of this name.
    fn of(finding: &'f Finding, case: &'f str) -> Sign<'f> {
        let (mistake, call) = (&finding.mistake, finding.call.as_deref());
        if finding.step.is_none() {
            return Sign::Before(mistake, &finding.exception);
        }
        match (mistake.traits().reach, &finding.exception) {
            (Reach::Exception, _) => {
                Sign::Instead(mistake, finding.expected.as_deref(), finding.got.as_deref())
            }
            (_, Some(raised)) => {
                let place = raised.places.last();
                let kind = raised.text.split(':').next().filter(|_| place.is_some());
                Sign::Raised(mistake, kind.unwrap_or(&raised.text), place)
            }
            (Reach::Case, None) => Sign::Own(case),
            (Reach::Function, None) => {
                Sign::Mistake(mistake, call.filter(|_| finding.verdict != Verdict::WrongText))
            }
            (Reach::ReturnsNothing, None) => call.map_or(Sign::Mistake(mistake, None), Sign::ReturnsNothing),
            (Reach::Submission, None) => Sign::Mistake(mistake, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sign;
    use crate::case::StepNo;
    use crate::compare::{
        LoadMistake, Mistake, NameMistake, RaiseMistake, TextMistake, ValueMistake, Verdict,
    };
    use crate::event::{ExceptionReport, Finding, Place};

    fn finding(verdict: Verdict, step: usize, mistake: Mistake) -> Finding {
        Finding { step: StepNo::new(step), ..Finding::before_the_first_step(verdict, mistake) }
    }

    fn called(mistake: Mistake, call: &str) -> Finding {
        Finding { call: Some(call.to_owned()), ..finding(Verdict::WrongValue, 2, mistake) }
    }

    fn wrong_text(mistake: Mistake, call: &str) -> Finding {
        Finding { verdict: Verdict::WrongText, ..called(mistake, call) }
    }

    fn raised(text: &str, line: usize) -> Finding {
        let place =
            Place { file: "a.py".into(), cell: None, line, function: String::new(), source: String::new() };
        let exception = Some(ExceptionReport { text: text.to_owned(), places: vec![place] });
        Finding { exception, ..finding(Verdict::Raised, 1, Mistake::Raise(RaiseMistake::Unexpected)) }
    }

    #[track_caller]
    fn check(one: &Finding, other: &Finding, same: bool) {
        assert_eq!(Sign::of(one, "one") == Sign::of(other, "other"), same, "{one:?} {other:?}");
    }

    #[test]
    fn an_exception_of_one_type_from_one_line_is_one_cause() {
        check(&raised("KeyError: 3", 4), &raised("KeyError: 5", 4), true);
        check(&raised("KeyError: 3", 4), &raised("KeyError: 3", 6), false);
        check(&raised("KeyError: 3", 4), &raised("IndexError: 3", 4), false);
    }

    #[test]
    fn one_exception_instead_of_another_is_one_cause_from_any_line() {
        let instead = |got: &str, line| {
            let expected = Some("AssertionError: no".to_owned());
            Finding {
                mistake: Mistake::Raise(RaiseMistake::AnotherType),
                expected,
                got: Some(got.to_owned()),
                ..raised(got, line)
            }
        };
        check(&instead("ValueError: no", 4), &instead("ValueError: no", 9), true);
        check(&instead("ValueError: no", 4), &instead("TypeError: no", 4), false);
    }

    #[test]
    fn a_function_that_returns_nothing_is_one_cause_however_it_shows() {
        let missing = Mistake::Name(NameMistake::MethodOfNothing {
            class: "NoneType".to_owned(),
            name: "turn".to_owned(),
        });
        check(
            &called(Mistake::Value(ValueMistake::NoneForObject), "claim"),
            &wrong_text(Mistake::Text(TextMistake::OfNone), "claim"),
            true,
        );
        check(&called(missing, "claim"), &called(Mistake::Value(ValueMistake::NoneReturned), "claim"), true);
        check(
            &called(Mistake::Value(ValueMistake::NoneReturned), "claim"),
            &called(Mistake::Value(ValueMistake::NoneReturned), "score"),
            false,
        );
    }

    #[test]
    fn a_mistake_is_one_cause_in_one_function_or_in_the_text() {
        check(
            &called(Mistake::Value(ValueMistake::Printed), "turn"),
            &called(Mistake::Value(ValueMistake::Printed), "turn"),
            true,
        );
        check(
            &called(Mistake::Value(ValueMistake::Printed), "turn"),
            &called(Mistake::Value(ValueMistake::Printed), "score"),
            false,
        );
        check(
            &wrong_text(Mistake::Text(TextMistake::FinalNewlines), "turn"),
            &wrong_text(Mistake::Text(TextMistake::FinalNewlines), "claim"),
            true,
        );
    }

    #[test]
    fn an_unexpected_result_is_its_own_cause() {
        check(
            &called(Mistake::Value(ValueMistake::Unexpected), "turn"),
            &called(Mistake::Value(ValueMistake::Unexpected), "turn"),
            false,
        );
        check(
            &called(Mistake::Raise(RaiseMistake::NotRaised), "turn"),
            &called(Mistake::Raise(RaiseMistake::NotRaised), "turn"),
            false,
        );
    }

    #[test]
    fn a_problem_before_the_first_step_is_one_cause() {
        let before = |mistake| finding(Verdict::LoadError, 0, mistake);
        check(&before(Mistake::Load(LoadMistake::Syntax)), &before(Mistake::Load(LoadMistake::Syntax)), true);
        check(
            &before(Mistake::Load(LoadMistake::Syntax)),
            &before(Mistake::Load(LoadMistake::Loading)),
            false,
        );
    }
}
