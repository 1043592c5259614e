//! The causes of failed cases: findings that have something in common have one cause.
//!
//! A defect of a submission fails many cases, each with another board or another value. What stays the same is the
//! function that gives a wrong result, the line that raises, or the pair of what is expected and what came: the
//! [`Sign`]s of a finding. Findings that share a sign are one cause, and so are those that a third one links.

use super::notation;
use super::words::Words;
use crate::compare::{LoadMistake, Mistake, Reach, TextMistake, Verdict};
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SessionLine, SubmissionReport};
use crate::messages::LocalText;
use std::collections::HashMap;

/// The most other cases of a cause that a sentence names.
const MOST_NAMED: usize = 5;

/// The most causes of a submission that are told apart although one may follow from another.
const MOST_APART: usize = 4;

/// The tag of cases that replay what the assignment shows.
const SAMPLE: &str = "spec";

/// The tag of cases of a special situation, whose title names a mistake that few make.
const EDGE: &str = "edge";

/// Findings with one cause, and the cases that failed by them.
pub(super) struct Cause<'r> {
    /// The case that shows it most simply; reports show the finding of this one.
    pub(super) case: &'r CaseReport,
    /// The other cases, in order.
    pub(super) others: Vec<&'r CaseReport>,
    /// Whether no case of the submission passed or failed by something else.
    pub(super) explains_all: bool,
    /// The number of cases that were not run because one of these failed, if it explains all.
    pub(super) blocked: usize,
}

impl<'r> Cause<'r> {
    /// The finding that shows it; `None` if the case is hidden.
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
        let mut cases: Vec<&str> = self.others.iter().take(MOST_NAMED).map(|case| name(case)).collect();
        if count > MOST_NAMED {
            cases.push("…");
        }
        Some(words.count("label-also-in", count, &[("cases", &cases.join("; "))]))
    }

    /// Returns true if the cases failed before their first step, by a problem that belongs to no case.
    pub(super) fn is_before_the_first_step(&self) -> bool {
        self.finding().is_some_and(|finding| finding.step.is_none())
    }
}

/// The causes by which the cases of a submission failed, the one that is shown most simply first.
pub(super) fn causes(report: &SubmissionReport) -> Vec<Cause<'_>> {
    let failed: Vec<&CaseReport> = report
        .cases
        .iter()
        .filter(|case| case.finding.is_some() || case.verdict == Verdict::Failed)
        .collect();
    let mut groups = together(&failed, notation(report).syntax().text_method);
    let are_many = groups.len() > MOST_APART;
    if are_many {
        groups = following(groups);
    }
    let mut causes: Vec<Cause<'_>> = groups.into_iter().map(Cause::of).collect();
    causes.sort_by_key(|cause| simplicity(cause.case));
    // What only follows from a wrong state is not known to have the same cause.
    if let [cause] = causes.as_mut_slice()
        && !are_many
    {
        // A case that needs one of these would have failed by the same problem before its first step.
        let blocked = report.cases.iter().filter(|case| case.blocked_by.is_some()).count();
        let blocked = if cause.is_before_the_first_step() { blocked } else { 0 };
        cause.explains_all = cause.others.len() + 1 + blocked == report.cases.len();
        cause.blocked = if cause.explains_all { blocked } else { 0 };
    }
    causes
}

impl<'r> Cause<'r> {
    /// The cause of these cases, of which there is at least one.
    fn of(mut cases: Vec<&'r CaseReport>) -> Cause<'r> {
        let simplest = (0..cases.len()).min_by_key(|index| simplicity(cases[*index])).unwrap_or(0);
        let case = cases.remove(simplest);
        Cause { case, others: cases, explains_all: false, blocked: 0 }
    }
}

/// These cases in groups that have a sign in common, each group in its order. `text_method` gives the text of an object.
fn together<'r>(cases: &[&'r CaseReport], text_method: &str) -> Vec<Vec<&'r CaseReport>> {
    let mut first_with = HashMap::new();
    // For each case the first one of its group, as far as is known.
    let mut first: Vec<usize> = (0..cases.len()).collect();
    for (index, case) in cases.iter().enumerate() {
        for sign in signs(case, text_method) {
            let one = first[*first_with.entry(sign).or_insert(index)];
            let other = first[index];
            let (to, from) = (one.min(other), one.max(other));
            first.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
        }
    }
    let group = |to: usize| (0..cases.len()).filter(|of| first[*of] == to).map(|of| cases[of]).collect();
    (0..cases.len()).filter(|of| first[*of] == *of).map(group).collect()
}

/// These groups, in which those that may follow from an earlier one are with that: a case of them makes the same calls up
/// to a state in which a case of the other was already wrong. So many groups at once are rarely as many defects.
fn following(groups: Vec<Vec<&CaseReport>>) -> Vec<Vec<&CaseReport>> {
    let mut apart: Vec<(Vec<Vec<&str>>, Vec<&CaseReport>)> = Vec::new();
    for group in groups {
        let made: Vec<Vec<&str>> = group.iter().map(|case| changes(case)).collect();
        let follows = |earlier: &[Vec<&str>]| {
            earlier.iter().any(|one| made.iter().any(|other| begins_alike(one, other)))
        };
        match apart.iter_mut().find(|(earlier, _)| follows(earlier)) {
            Some((earlier, cases)) => {
                earlier.extend(made);
                cases.extend(group);
            }
            None => apart.push((made, group)),
        }
    }
    apart.into_iter().map(|(_, cases)| cases).collect()
}

/// Whether the changes before one of two failures are the first ones before the other. That the same objects are made
/// says nothing.
fn begins_alike(one: &[&str], other: &[&str]) -> bool {
    let shared = if one.len() < other.len() { one } else { other };
    let changes_more = shared.iter().any(|line| !line.contains(" = "));
    changes_more && one.iter().zip(other).all(|(one, other)| one == other)
}

/// The lines before the failing one that made or changed something, as far as they show: those that gave nothing.
fn changes(case: &CaseReport) -> Vec<&str> {
    let lines: Vec<&SessionLine> = case.finding.as_deref().into_iter().flat_map(own_lines).collect();
    let before = lines.split_last().map(|(_, before)| before).unwrap_or_default();
    before.iter().filter(|line| line.gave.is_empty()).map(|line| line.text.as_str()).collect()
}

/// The lines of a session from its first step on: without what it imports.
fn own_lines(finding: &Finding) -> impl Iterator<Item = &SessionLine> {
    finding.session.iter().skip_while(|line| line.step.is_none())
}

/// The order of cases by how simply they show a problem: fewest calls first, which count twice in a case of a special
/// situation, then what the assignment shows, then the shortest session. A file that only some cases need comes after
/// what the others show, and what is kept from the reader shows least.
fn simplicity(case: &CaseReport) -> (bool, bool, usize, bool, usize) {
    let Some(finding) = case.finding.as_deref() else { return (true, false, 0, false, 0) };
    let lacks_file =
        matches!(finding.mistake, Mistake::Load(LoadMistake::NoFile { .. } | LoadMistake::NoProgram { .. }));
    let lines = || own_lines(finding).map(|line| line.text.as_str());
    let has = |wanted: &str| case.tags.iter().any(|tag| tag == wanted);
    let weight = if has(EDGE) { 2 } else { 1 };
    (false, lacks_file, weight * lines().map(calls).sum::<usize>(), !has(SAMPLE), lines().map(str::len).sum())
}

/// The number of calls in a line of a session, in any language, without those that only print.
fn calls(line: &str) -> usize {
    const PRINTS: [&str; 3] = ["print", "console.log", "println"];
    let is_call = |(at, _): &(usize, &str)| {
        let before = &line[..*at];
        before.ends_with(|ch: char| ch.is_alphanumeric() || ch == '_')
            && !PRINTS.iter().any(|print| before.ends_with(print))
    };
    line.match_indices('(').filter(is_call).count()
}

/// A trait of a finding that others of the same cause have too.
#[derive(PartialEq, Eq, Hash)]
enum Sign<'f> {
    /// The finding is kept from the reader, and the case has this hint.
    Kept(Option<&'f LocalText>),
    /// The same problem before the first step.
    Before(&'f Mistake, &'f Option<ExceptionReport>),
    /// The function of this name returns nothing, or something else than the object itself.
    Returns(Reach, &'f str),
    /// An exception of the same type, for the same reason wrong, from the same line.
    Raised(&'f Mistake, &'f str, Option<&'f Place>),
    /// The same exception instead of the same expected one, from any line.
    Instead(&'f Mistake, Option<&'f str>, Option<&'f str>),
    /// The same mistake in the same function; without one, wherever it is made.
    Mistake(&'f Mistake, Option<&'f str>),
    /// A result that is wrong in any way, of the same function. Without one, the text of an object that no call of the
    /// line has changed.
    Wrong(Verdict, Option<&'f str>),
    /// For the same reason, the same function does not raise what should be raised.
    ShouldRaise(&'f Mistake, Option<&'f str>, Option<&'f str>),
    /// The same result instead of the same expected one.
    Pair(&'f str, &'f str),
    /// The second character comes instead of the first.
    Characters(char, char),
}

/// The signs of the finding of a failed case.
fn signs<'r>(case: &'r CaseReport, text_method: &str) -> Vec<Sign<'r>> {
    match case.finding.as_deref() {
        Some(finding) => signs_of(finding, text_method),
        None => vec![Sign::Kept(case.hint.as_deref())],
    }
}

fn signs_of<'f>(finding: &'f Finding, text_method: &str) -> Vec<Sign<'f>> {
    // A call of the method that gives an object's text is one way to see that.
    let asks_text = finding.call.as_deref() == Some(text_method);
    let (mistake, call) = (&finding.mistake, finding.call.as_deref().filter(|_| !asks_text));
    let (expected, got) = (finding.expected.as_deref(), finding.got.as_deref());
    if finding.step.is_none() {
        return vec![Sign::Before(mistake, &finding.exception)];
    }
    let is_text = finding.verdict == Verdict::WrongText
        || finding.verdict == Verdict::WrongValue && (asks_text || matches!(mistake, Mistake::Text(_)));
    let reach = mistake.traits().reach;
    let mut signs = match (reach, &finding.exception) {
        (Reach::Exception, _) => {
            let of_call = call.map(|_| Sign::ShouldRaise(mistake, call, expected));
            of_call.into_iter().chain([Sign::Instead(mistake, expected, got)]).collect()
        }
        (_, Some(raised)) => {
            let place = raised.places.last();
            let kind = raised.text.split(':').next().filter(|_| place.is_some());
            return vec![Sign::Raised(mistake, kind.unwrap_or(&raised.text), place)];
        }
        (Reach::Case, None) => Vec::new(),
        (Reach::Result, None) if call.is_none() && !is_text => Vec::new(),
        (Reach::Result, None) => {
            vec![Sign::Wrong(if is_text { Verdict::WrongText } else { finding.verdict }, call)]
        }
        (Reach::NotRaised, None) => vec![Sign::ShouldRaise(mistake, call, expected)],
        (Reach::Function, None) => vec![Sign::Mistake(mistake, call.filter(|_| !is_text))],
        (Reach::ReturnsNothing | Reach::ReturnsAnother, None) => {
            vec![call.map_or(Sign::Mistake(mistake, None), |call| Sign::Returns(reach, call))]
        }
        (Reach::Submission, None) => vec![Sign::Mistake(mistake, None)],
    };
    if let (Some(expected), Some(got)) = (expected, got)
        && ![expected, got].into_iter().any(says_little)
    {
        signs.push(Sign::Pair(expected, got));
    }
    signs.extend(characters(mistake).into_iter().map(|(expected, got)| Sign::Characters(expected, got)));
    signs
}

/// The characters that come instead of others: the expected and the actual one.
fn characters(mistake: &Mistake) -> Vec<(char, char)> {
    match mistake {
        Mistake::Text(TextMistake::Replaced { expected, got }) => vec![(*expected, *got)],
        Mistake::Text(TextMistake::Exchanged { one, other }) => vec![(*one, *other), (*other, *one)],
        _ => Vec::new(),
    }
}

/// Returns true for a result that means nothing without the call that gave it: a number, a truth value or nothing; and
/// for a board, which says little about what changed it.
fn says_little(text: &str) -> bool {
    const CONSTANTS: [&str; 7] = ["True", "False", "None", "true", "false", "null", "undefined"];
    CONSTANTS.contains(&text) || text.parse::<f64>().is_ok() || text.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::causes;
    use crate::case::{Points, StepNo};
    use crate::compare::{
        LoadMistake, Mistake, NameMistake, RaiseMistake, TextMistake, ValueMistake, Verdict,
    };
    use crate::event::{CaseReport, ExceptionReport, Finding, Place, SessionLine, SubmissionReport};
    use crate::messages::LocalText;
    use std::sync::Arc;

    fn finding(verdict: Verdict, step: usize, mistake: Mistake) -> Finding {
        Finding { step: StepNo::new(step), ..Finding::before_the_first_step(verdict, mistake) }
    }

    fn called(mistake: Mistake, call: &str) -> Finding {
        Finding { call: Some(call.to_owned()), ..finding(Verdict::WrongValue, 2, mistake) }
    }

    fn wrong_text(mistake: Mistake, call: &str) -> Finding {
        Finding { verdict: Verdict::WrongText, ..called(mistake, call) }
    }

    /// An unexpected value of a function.
    fn value(call: &str, expected: &str, got: &str) -> Finding {
        let (expected, got) = (Some(expected.to_owned()), Some(got.to_owned()));
        Finding { expected, got, ..called(Mistake::Value(ValueMistake::Unexpected), call) }
    }

    fn not_raised(call: &str, expected: &str) -> Finding {
        let mistake = Mistake::Raise(RaiseMistake::NotRaised);
        Finding { expected: Some(expected.to_owned()), ..called(mistake, call) }
    }

    fn raised(text: &str, line: usize) -> Finding {
        let place =
            Place { file: "a.py".into(), cell: None, line, function: String::new(), source: String::new() };
        let exception = Some(ExceptionReport { text: text.to_owned(), places: vec![place] });
        Finding { exception, ..finding(Verdict::Raised, 1, Mistake::Raise(RaiseMistake::Unexpected)) }
    }

    /// A session whose first line imports, with a step for each other line.
    fn session(lines: &[&str]) -> Vec<SessionLine> {
        let line = |(index, text): (usize, &&str)| SessionLine {
            step: StepNo::new(index),
            text: (*text).to_owned(),
            gave: String::new(),
        };
        lines.iter().enumerate().map(line).collect()
    }

    /// A case of this name that failed by a finding.
    fn case(name: &str, finding: Finding) -> CaseReport {
        let title = LocalText::Plain(name.to_owned());
        let verdict = finding.verdict;
        CaseReport {
            verdict,
            finding: Some(Box::new(finding)),
            ..CaseReport::not_run(name, title, Points::ONE)
        }
    }

    /// The names of the cases of each cause, the one that is shown first.
    fn names(cases: Vec<CaseReport>) -> Vec<Vec<String>> {
        let report = SubmissionReport { cases, ..SubmissionReport::new("an", "an.py") };
        let of = |case: &CaseReport| case.name.clone();
        causes(&report)
            .iter()
            .map(|cause| std::iter::once(cause.case).chain(cause.others.iter().copied()).map(of).collect())
            .collect()
    }

    #[track_caller]
    fn check(one: &Finding, other: &Finding, same: bool) {
        let count = names(vec![case("one", one.clone()), case("other", other.clone())]).len();
        assert_eq!(count == 1, same, "{one:?} {other:?}");
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
        let of_call = |got, line| Finding { call: Some("claim".to_owned()), ..instead(got, line) };
        check(&of_call("ValueError: no", 4), &of_call("TypeError: no", 9), true);
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
    fn a_wrong_result_is_one_cause_in_one_function() {
        check(&value("turn", "3", "4"), &value("turn", "'R'", "'B'"), true);
        check(&value("turn", "3", "4"), &value("score", "3", "4"), false);
        let text = |call| wrong_text(Mistake::Text(TextMistake::Unexpected), call);
        check(&text("claim"), &text("claim"), true);
        check(&text("claim"), &text("turn"), false);
        check(&text("claim"), &value("claim", "'R'", "'B'"), false);
        check(&not_raised("turn", "Error: a"), &not_raised("turn", "Error: a"), true);
        check(&not_raised("turn", "Error: a"), &not_raised("turn", "Error: b"), false);
        check(&not_raised("turn", "Error: a"), &not_raised("score", "Error: a"), false);
    }

    #[test]
    fn one_result_instead_of_another_is_one_cause_in_any_function() {
        check(&value("turn", "'R'", "'B'"), &value("score", "'R'", "'B'"), true);
        check(&value("turn", "'R'", "'B'"), &value("score", "'B'", "'R'"), false);
        check(&value("turn", "True", "False"), &value("score", "True", "False"), false);
        let other_call = Finding { call: None, ..value("", "[1]", "[2]") };
        check(&other_call, &value("score", "[1]", "[2]"), true);
        check(&other_call, &value("score", "[1]", "[3]"), false);
    }

    #[test]
    fn characters_that_are_taken_for_each_other_are_one_cause_in_any_text() {
        let replaced = |expected, got| Mistake::Text(TextMistake::Replaced { expected, got });
        let exchanged = Mistake::Text(TextMistake::Exchanged { one: 'B', other: 'A' });
        check(&wrong_text(replaced('A', 'B'), "claim"), &called(exchanged, "player"), true);
        check(&wrong_text(replaced('A', 'B'), "claim"), &called(replaced('A', 'B'), "player"), true);
        check(&wrong_text(replaced('A', 'B'), "claim"), &called(replaced('B', 'A'), "player"), false);
        check(&wrong_text(replaced('A', 'B'), "claim"), &called(replaced('A', 'C'), "player"), false);
    }

    #[test]
    fn the_text_of_an_object_is_one_cause_however_it_is_asked_for() {
        let shown = Finding { call: None, ..wrong_text(Mistake::Text(TextMistake::Unexpected), "") };
        // Without a runtime, a submission is Python.
        check(&shown, &value("__str__", "'a'", "'b'"), true);
        check(&shown, &value("score", "'a'", "'b'"), false);
    }

    #[test]
    fn a_third_finding_links_two() {
        let linked = vec![
            case("one", value("turn", "3", "4")),
            case("other", value("score", "'R'", "'B'")),
            case("alone", value("end", "3", "4")),
            case("link", value("turn", "'R'", "'B'")),
        ];
        assert_eq!(names(linked), [vec!["one", "other", "link"], vec!["alone"]]);
    }

    #[test]
    fn many_causes_are_one_where_the_state_was_already_wrong() {
        let after = |name: &str, moves: &[&str]| {
            let lines = [&[">>> import a", ">>> b = B()"], moves, &[">>> ask"]].concat();
            case(name, Finding { session: session(&lines), ..value(name, "3", "4") })
        };
        let one = |name: &str| after(name, &[&format!(">>> {name}(b)")]);
        let many = |last: CaseReport| vec![one("a"), one("c"), one("d"), one("e"), last];
        assert_eq!(names(many(after("f", &[">>> a(b)", ">>> g(b)"]))).len(), 4);
        assert_eq!(names(many(after("f", &[">>> g(b)", ">>> a(b)"]))).len(), 5);
        // That each begins with the same object says nothing.
        assert_eq!(names(many(after("f", &[]))).len(), 5);
        let mut few = many(after("f", &[">>> a(b)", ">>> g(b)"]));
        few.remove(1);
        assert_eq!(names(few).len(), 4);
    }

    #[test]
    fn the_case_with_the_fewest_calls_shows_a_cause_and_the_simplest_cause_comes_first() {
        let at = |call: &str, lines: &[&str]| Finding { session: session(lines), ..value(call, "3", "4") };
        let cases = vec![
            case("three", at("turn", &["", ">>> a = A()", ">>> a.f().g((1, 2))"])),
            case("two", at("turn", &["", ">>> a = A()", ">>> print(a.f((1, 2), (3, 4)).name)"])),
            case("one", at("end", &[">>> f(g(h(())))", ">>> A()"])),
            case(
                "load",
                Finding::before_the_first_step(Verdict::LoadError, Mistake::Load(LoadMistake::Syntax)),
            ),
        ];
        assert_eq!(names(cases.clone()), [vec!["load"], vec!["one"], vec!["two", "three"]]);
        let mut alike = vec![
            case("edge", at("turn", &["", ">>> f()"])),
            case("sample", at("turn", &["", ">>> f((1, 2))"])),
        ];
        alike[1].tags = Arc::new(["spec".to_owned()]);
        assert_eq!(names(alike), [vec!["sample", "edge"]]);
        let mut edge = vec![
            case("edge", at("turn", &["", ">>> f(g(1))"])),
            case("plain", at("turn", &["", ">>> f(g(h(1)))"])),
        ];
        edge[0].tags = Arc::new(["edge".to_owned()]);
        assert_eq!(names(edge), [vec!["plain", "edge"]]);
        let lacking = Mistake::Load(LoadMistake::NoFile { file: "minimax.py".to_owned() });
        let lacks = case("lacks", Finding::before_the_first_step(Verdict::LoadError, lacking));
        assert_eq!(
            names(cases.into_iter().chain([lacks]).collect()),
            [vec!["load"], vec!["one"], vec!["two", "three"], vec!["lacks"]]
        );
    }

    #[test]
    fn hidden_findings_come_last_and_once_for_each_hint() {
        let kept = |name: &str, hint: Option<&str>| CaseReport {
            verdict: Verdict::Failed,
            finding: None,
            hint: hint.map(|hint| LocalText::Plain(hint.to_owned()).into()),
            ..case(name, raised("KeyError: 3", 4))
        };
        let cases = vec![
            kept("one", None),
            kept("two", Some("think")),
            kept("three", None),
            case("shown", raised("KeyError: 3", 4)),
        ];
        assert_eq!(names(cases), [vec!["shown"], vec!["one", "three"], vec!["two"]]);
    }

    #[test]
    fn a_function_that_returns_another_object_is_one_cause_however_it_shows() {
        let missing = || {
            let (class, name) = ("str".to_owned(), "turn".to_owned());
            Mistake::Name(NameMistake::MethodOfValue { class, name })
        };
        check(
            &called(Mistake::Value(ValueMistake::AnotherObject), "claim"),
            &called(missing(), "claim"),
            true,
        );
        check(
            &called(Mistake::Value(ValueMistake::AnotherObject), "claim"),
            &called(missing(), "end"),
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
