//! Whether a text is the expected one: what a step shows or prints, or a program writes.

use super::Ask;
use super::diff;
use super::mistake::{Mistake, PartProblem, TextMistake, ValueMistake};
use super::pairing::{greedy, in_line, pairing};
use super::words::{NUMBER, Word, are_near, first_words, words};
use crate::case::{TextMatcher, TextTolerance};
use crate::value::Value;
use regex::Regex;
use std::borrow::Cow;

/// The most characters of an expected part that a sentence repeats.
const MOST_PART: usize = 60;

/// The most lines beyond those expected in any order that are looked at.
const MOST_EXTRA: usize = 1000;

/// The most bytes of a text that is looked at to show where it differs.
const MOST_SHOWN: usize = 64 << 10;

/// The text that a program printed, with the line ends of Unix.
pub fn printed(output: &[u8]) -> String {
    String::from_utf8_lossy(output).replace("\r\n", "\n")
}

/// The difference between a text and the expected one.
#[derive(Debug, PartialEq)]
pub(super) struct TextDifference {
    pub(super) mistake: Mistake,
    /// The expected text, if there is a single one; where the tolerance makes no difference, as it came.
    pub(super) expected: Option<String>,
}

/// How `got` differs from what is expected; `None` if it does not. `mistake_of` names the mistake of two texts
/// that should be equal.
///
/// # Errors
/// A check of the exercise does not answer.
pub(super) fn difference<A: Ask>(
    matcher: &TextMatcher,
    tolerance: &TextTolerance,
    got: &str,
    mistake_of: &dyn Fn(&str, &str) -> Mistake,
    ask: &mut A,
) -> Result<Option<TextDifference>, A::Error> {
    let TextMatcher::Check(check) = matcher else { return Ok(unlike(matcher, tolerance, got, mistake_of)) };
    let mistake = Mistake::of_check(ask.check(check, &Value::from(got))?);
    Ok(mistake.map(|mistake| TextDifference { mistake, expected: None }))
}

/// Compares like [`difference`], without a check.
fn unlike(
    matcher: &TextMatcher,
    tolerance: &TextTolerance,
    got: &str,
    mistake_of: &dyn Fn(&str, &str) -> Mistake,
) -> Option<TextDifference> {
    let rules = Rules { tolerance };
    match matcher {
        TextMatcher::Plain(expected) => {
            if expected == got || rules.same(expected, got) {
                return None;
            }
            if tolerance.is_exact() {
                let expected_text = Some(expected.clone());
                return Some(TextDifference { mistake: mistake_of(expected, got), expected: expected_text });
            }
            let start = beginning(got);
            let near = rules.nearest(expected, start, false);
            let mistake = mistake_of(&rules.normal(&near), &rules.normal(got));
            Some(TextDifference { mistake, expected: Some(rules.nearest(expected, start, true)) })
        }
        TextMatcher::Contains(parts) => {
            let (part, why) = rules.lacks(parts, got)?;
            Some(of_matcher(
                part.clone(),
                got,
                mistake_of,
                Mistake::Text(TextMistake::Part { part: brief(part), why }),
            ))
        }
        TextMatcher::Matches(regex) => {
            let form = || of_matcher(format!("/{regex}/"), got, mistake_of, Mistake::Text(TextMistake::Form));
            (!regex.is_match(got)).then(form)
        }
        TextMatcher::AnyOrder(lines) => rules.other_lines(lines, got, mistake_of),
        TextMatcher::Check(_) => None,
    }
}

/// A difference from a matcher, unless nothing came or something else than a text.
fn of_matcher(
    expected: String,
    got: &str,
    mistake_of: &dyn Fn(&str, &str) -> Mistake,
    specific: Mistake,
) -> TextDifference {
    let plain = mistake_of(&expected, got);
    let nothing = matches!(
        plain,
        Mistake::Value(ValueMistake::Printed)
            | Mistake::Text(TextMistake::NoOutput | TextMistake::OfNone | TextMistake::OfObject { .. })
    );
    let mistake = if nothing { plain } else { specific };
    TextDifference { mistake, expected: Some(expected) }
}

/// The beginning of a text, as much of it as a finding is made of.
fn beginning(text: &str) -> &str {
    let end = (0..=text.len().min(MOST_SHOWN)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// The beginning of a text, for a sentence.
fn brief(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let shown: String = line.chars().take(MOST_PART).collect();
    if shown.is_empty() {
        return "⏎".to_owned();
    }
    let more = shown.len() < line.len() || line.len() < text.trim().len();
    diff::visible(&shown, false) + if more { "…" } else { "" }
}

/// The rules by which two texts are the same.
struct Rules<'t> {
    tolerance: &'t TextTolerance,
}

impl Rules<'_> {
    fn ignores_case(&self) -> bool {
        self.tolerance.ignore_case.unwrap_or(false)
    }

    fn collapses_blanks(&self) -> bool {
        self.tolerance.collapse_blanks.unwrap_or(false)
    }

    fn trims_line_ends(&self) -> bool {
        self.tolerance.trim_line_ends.unwrap_or(false)
    }

    /// The most that a number may differ; `None` if its digits are compared.
    fn within(&self) -> Option<f64> {
        self.tolerance.numbers_within.filter(|within| *within > 0.0)
    }

    /// A text without what makes no difference, but with its numbers as they are.
    fn normal<'s>(&self, text: &'s str) -> Cow<'s, str> {
        let mut text = Cow::Borrowed(text);
        if self.trims_line_ends() {
            let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
            text = Cow::Owned(lines.join("\n").trim_end_matches('\n').to_owned());
        }
        if self.collapses_blanks() {
            let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            text = Cow::Owned(text.split('\n').map(line).collect::<Vec<_>>().join("\n"));
        }
        if self.ignores_case() { Cow::Owned(text.to_lowercase()) } else { text }
    }

    fn same(&self, expected: &str, got: &str) -> bool {
        let (expected, got) = (self.normal(expected), self.normal(got));
        if expected == got {
            return true;
        }
        let Some(within) = self.within() else { return false };
        let expected = words(&expected);
        // One word more is enough to differ.
        are_near(&expected, &first_words(&got, expected.len() + 1), within)
    }

    /// The expected text that is nearest to `got`: what makes no difference is as it came. If it is `marked`,
    /// a number that is not near enough is followed by how much it may differ.
    fn nearest(&self, expected: &str, got: &str, marked: bool) -> String {
        let [mut expected, came] = [expected, got].map(|text| text.split('\n').collect::<Vec<&str>>());
        let filled = |lines: &[&str]| {
            let last = lines.iter().rposition(|line| !line.trim().is_empty());
            if self.trims_line_ends() { last.map_or(0, |last| last + 1) } else { lines.len() }
        };
        expected.truncate(filled(&expected));
        let (came, blank) = came.split_at(filled(&came));
        let partners =
            in_line(expected.len(), came.len(), &|one, other| self.same(expected[one], came[other]));
        let mut lines: Vec<String> = Vec::new();
        for (line, partner) in expected.iter().zip(partners) {
            lines.push(match partner.map(|partner| came[partner]) {
                Some(came) if self.same(line, came) => came.to_owned(),
                Some(came) => self.nearest_line(line, came, marked),
                None => (*line).to_owned(),
            });
        }
        lines.extend(blank.iter().map(|line| (*line).to_owned()));
        lines.join("\n")
    }

    /// Finds the nearest text like [`Rules::nearest`], of a line.
    fn nearest_line(&self, expected: &str, got: &str, marked: bool) -> String {
        let blank = |text: &str| text.trim().is_empty();
        let (expected_words, came) = (words(expected), words(got));
        let (mut expected, mut around) = (expected_words.as_slice(), ["", ""]);
        let mut inner = came.as_slice();
        if self.collapses_blanks() {
            if let [first, rest @ ..] = expected
                && blank(first.text)
            {
                expected = rest;
            }
            if let [rest @ .., last] = expected
                && blank(last.text)
            {
                expected = rest;
            }
            if let [first, rest @ ..] = inner
                && blank(first.text)
            {
                (around[0], inner) = (first.text, rest);
            }
            if let [rest @ .., last] = inner
                && blank(last.text)
            {
                (around[1], inner) = (last.text, rest);
            }
        }
        let same = |one: &Word<'_>, other: &Word<'_>| {
            let near = self.within().is_some_and(|within| one.is_near(other, within));
            let blanks = self.collapses_blanks() && blank(one.text) && blank(other.text);
            near || blanks || self.normal(one.text) == self.normal(other.text)
        };
        let partners =
            in_line(expected.len(), inner.len(), &|one, other| same(&expected[one], &inner[other]));
        let mut line = around[0].to_owned();
        for (word, partner) in expected.iter().zip(partners) {
            match partner.map(|partner| &inner[partner]) {
                Some(came) if same(word, came) => line.push_str(came.text),
                Some(_) | None => {
                    line.push_str(word.text);
                    if let Some(within) = self.within().filter(|_| marked && word.number.is_some()) {
                        line.push_str(&format!(" ± {within}"));
                    }
                }
            }
        }
        line + around[1]
    }

    /// The first of `parts` that is not in `got` after those before it, and the reason.
    fn lacks<'p>(&self, parts: &'p [String], got: &str) -> Option<(&'p String, PartProblem)> {
        let got = self.normal(got);
        let mut at = 0;
        for part in parts {
            match self.found(part, &got[at..]) {
                Some(end) => at += end,
                None => return Some((part, self.why_lacking(part, &got))),
            }
        }
        None
    }

    fn why_lacking(&self, part: &str, got: &str) -> PartProblem {
        let laxer = |ignore_case, collapse_blanks| TextTolerance {
            ignore_case: Some(ignore_case || self.ignores_case()),
            collapse_blanks: Some(collapse_blanks || self.collapses_blanks()),
            ..self.tolerance.clone()
        };
        let finds = |tolerance: &TextTolerance| {
            let rules = Rules { tolerance };
            rules.found(part, &rules.normal(got)).is_some()
        };
        if self.found(part, got).is_some() {
            PartProblem::Order
        } else if finds(&laxer(true, false)) {
            PartProblem::Capitals
        } else if finds(&laxer(false, true)) {
            PartProblem::Blanks
        } else {
            PartProblem::Missing
        }
    }

    /// The end of the first place in the normal text `got` where `part` is.
    fn found(&self, part: &str, got: &str) -> Option<usize> {
        let part = self.normal(part);
        if let Some(start) = got.find(&*part) {
            return Some(start + part.len());
        }
        let within = self.within()?;
        let expected = words(&part);
        let mut pattern = String::new();
        for word in &expected {
            let number = word.number.map(|_| format!("({NUMBER})"));
            pattern.push_str(&number.unwrap_or_else(|| regex::escape(word.text)));
        }
        let numbers: Vec<&Word<'_>> = expected.iter().filter(|word| word.number.is_some()).collect();
        let regex = Regex::new(&pattern).ok()?;
        let near = |found: &regex::Captures<'_>| {
            let came = found.iter().skip(1).flatten().map(|number| Word::number(number.as_str()));
            numbers.iter().zip(came).all(|(expected, came)| expected.is_near(&came, within))
        };
        let found = regex.captures_iter(got).find(near)?;
        found.get(0).map(|found| found.end())
    }

    /// How the lines of a text differ from these, in any order.
    fn other_lines(
        &self,
        expected: &[String],
        got: &str,
        mistake_of: &dyn Fn(&str, &str) -> Mistake,
    ) -> Option<TextDifference> {
        let lines = if self.trims_line_ends() { got.trim_end() } else { got }.lines();
        // More lines than these are wrong whatever they are, so the first ones are enough for the finding.
        let more = lines.clone().count().saturating_sub(expected.len() + MOST_EXTRA);
        let came: Vec<&str> = lines.take(expected.len() + MOST_EXTRA).collect();
        let [wanted, normal] = [
            expected.iter().map(|line| self.normal(line)).collect::<Vec<_>>(),
            came.iter().map(|line| self.normal(line)).collect(),
        ];
        let partners = match self.within() {
            None => greedy(expected.len(), came.len(), &|one, other| wanted[one] == normal[other]),
            Some(within) => {
                let wanted: Vec<_> = wanted.iter().map(|line| words(line)).collect();
                let most = wanted.iter().map(Vec::len).max().unwrap_or_default() + 1;
                let normal: Vec<_> = normal.iter().map(|line| first_words(line, most)).collect();
                let same = |one: usize, other: usize| are_near(&wanted[one], &normal[other], within);
                pairing(expected.len(), came.len(), &same)
            }
        };
        let missing: Vec<&String> = expected
            .iter()
            .zip(&partners)
            .filter(|(_, partner)| partner.is_none())
            .map(|(line, _)| line)
            .collect();
        let extra: Vec<&str> = (0..came.len())
            .filter(|line| !partners.contains(&Some(*line)))
            .filter_map(|line| came.get(line).copied())
            .collect();
        let mistake = match (missing.first(), extra.first()) {
            (None, None) => return None,
            // An expected line may be among those that were not looked at.
            (_, Some(first)) if more > 0 => Mistake::Text(TextMistake::ExtraLines {
                first: brief(first),
                count: extra.len() + more - missing.len(),
            }),
            (Some(first), _) => {
                Mistake::Text(TextMistake::MissingLines { first: brief(first), count: missing.len() })
            }
            (None, Some(first)) => {
                Mistake::Text(TextMistake::ExtraLines { first: brief(first), count: extra.len() })
            }
        };
        // In the order in which they came, so that only the others differ.
        let mut shown: Vec<&str> = Vec::new();
        let mut missing = missing.into_iter();
        for (line, text) in came.iter().enumerate() {
            if partners.contains(&Some(line)) {
                shown.push(text)
            } else {
                shown.extend(missing.next().map(String::as_str))
            }
        }
        shown.extend(missing.map(String::as_str));
        Some(of_matcher(shown.join("\n"), got, mistake_of, mistake))
    }
}
