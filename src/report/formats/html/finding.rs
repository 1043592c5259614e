//! A failed case: the session, both sides, the boards, the exception, and what failed as a consequence.

use super::shown::Shown;
use super::sign;
use crate::compare::Verdict;
use crate::compare::diff::{self, DiffPiece, Row};
use crate::draw::Svg;
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SubmissionReport};
use crate::exercises;
use crate::messages::Lang;
use crate::report::notation;
use crate::report::words::Words;
use crate::value::notation::Notation;
use maud::{Markup, PreEscaped, html};

/// Lines shown of a session, a message or an output, and frames of an exception.
const MOST_LINES: usize = 80;
const MOST_MESSAGE: usize = 12;
const MOST_PLACES: usize = 12;

/// The length in characters from which the lines of a difference wrap.
const LONG: usize = 32;

/// What the parts of a finding share.
pub(super) struct Sheet<'a> {
    pub(super) words: &'a Words,
    pub(super) lang: Lang,
    notation: &'static dyn Notation,
    /// The exercise, for its boards.
    game: &'a str,
}

impl<'a> Sheet<'a> {
    /// The sheet for the findings of one submission.
    pub(super) fn new(report: &'a SubmissionReport, lang: Lang, words: &'a Words) -> Sheet<'a> {
        let game = report.exercise.as_ref().map_or("", |exercise| exercise.name.as_str());
        Sheet { words, lang, notation: notation(report), game }
    }

    /// The verdict on a case, with its sign.
    pub(super) fn verdict(&self, verdict: Verdict) -> Markup {
        let (sign, class) = sign::of(verdict);
        html! {
            span.verdict.{ "v-" (class) } {
                span.sign aria-hidden="true" { (sign) }
                " "
                (self.words.verdict(verdict))
            }
        }
    }

    /// The sentence for the mismatch of a failed case; `None` if its finding is hidden.
    pub(super) fn mismatch(&self, case: &CaseReport) -> Option<Shown<String>> {
        let finding = case.finding.as_ref()?;
        Some(Shown(self.words.mismatch(&finding.mismatch, self.notation, finding.expected.as_deref())))
    }

    /// The heading of a failed case. A problem before the first step does not belong to one case.
    pub(super) fn title(&self, case: &CaseReport) -> String {
        if before_all(case).is_some() {
            self.words.verdict(case.verdict)
        } else {
            case.title.get(self.lang).to_owned()
        }
    }

    /// A failed case, below its heading.
    pub(super) fn body(&self, case: &CaseReport) -> Markup {
        html! {
            // A finding that students may not see is absent.
            @if case.hidden || case.finding.is_none() {
                p.quiet { (self.words.say("label-hidden")) }
            }
            @if let Some(finding) = &case.finding { (self.finding(case, finding)) }
            (self.trials(case))
            @if let Some(hint) = case.hint.as_ref().filter(|_| before_all(case).is_none()) {
                p.hint { strong { (self.words.say("label-hint")) } " " (Shown(hint.get(self.lang))) }
            }
        }
    }

    fn finding(&self, case: &CaseReport, finding: &Finding) -> Markup {
        html! {
            p.sentence { (Shown(self.words.sentence(finding, self.notation))) }
            (self.session(&finding.session))
            @match (&finding.expected, &finding.got) {
                (Some(expected), Some(got)) => {
                    div.compared {
                        (self.boards(finding, expected, got))
                        (self.diff(expected, got))
                    }
                }
                (Some(expected), None) => { (self.side("label-expected", "e", expected)) }
                (None, Some(got)) if finding.exception.is_none() => { (self.side("label-got", "g", got)) }
                (None, _) => {}
            }
            @if let Some(raised) = &finding.exception {
                @let is_shown = finding.expected.is_some() && finding.got.as_ref() == Some(&raised.text);
                (self.exception(raised, !is_shown))
            }
            @if let Some(printed) = &finding.printed {
                p.label { (self.words.say("label-printed")) }
                (block("output", printed, MOST_MESSAGE))
            }
            (self.consequences(case))
        }
    }

    /// The session; its last line, which failed, is highlighted.
    fn session(&self, session: &[String]) -> Markup {
        let Some((failing, before)) = session.split_last() else { return Markup::default() };
        let skipped = before.len().saturating_sub(MOST_LINES);
        html! {
            pre.session {
                code {
                    @if skipped > 0 { span.quiet { (self.more(skipped)) } "\n" }
                    @for line in &before[skipped..] { span { (Shown(line)) } "\n" }
                    b.failing { (Shown(failing)) }
                }
            }
        }
    }

    /// The number of lines that are not shown.
    fn more(&self, count: usize) -> String {
        format!("… {}", self.words.count("label-more-lines", count, &[]))
    }

    /// Both boards, if the exercise draws them and both sides are boards.
    fn boards(&self, finding: &Finding, expected: &str, got: &str) -> Markup {
        let line = finding.session.last().map(String::as_str).unwrap_or_default();
        let picture = exercises::find(self.game).and_then(|exercise| exercise.picture.as_ref());
        let Some(pair) = picture.and_then(|picture| picture.pair(line, expected, got)) else {
            return Markup::default();
        };
        html! {
            div.boards {
                (self.board("label-expected", |label| pair.expected(label)))
                (self.board("label-got", |label| pair.got(label)))
            }
        }
    }

    fn board(&self, side: &str, draw: impl FnOnce(&str) -> Svg) -> Markup {
        let side = self.words.say(side);
        let picture = draw(&self.words.with("html-board", &[("side", &side)]));
        html! {
            figure { figcaption { (side) } (PreEscaped(picture.as_str())) }
        }
    }

    /// Both sides next to each other; a line and a colour mark the differences.
    fn diff(&self, expected: &str, got: &str) -> Markup {
        let (rows, beyond) = diff::side_by_side(expected, got);
        let (rows, skipped) = diff::near_differences(rows);
        let rows: Vec<Row> = rows.into_iter().map(whole_where_unlike).collect();
        let more = beyond + skipped;
        html! {
            div.scroll tabindex="0" {
                table.diff.long[rows.iter().any(is_long)] {
                    thead {
                        tr {
                            th scope="col" { (self.words.say("label-expected")) }
                            td.sign {}
                            th scope="col" { (self.words.say("label-got")) }
                        }
                    }
                    tbody { @for row in &rows { (compared(row)) } }
                }
            }
            @if more > 0 { p.quiet { (self.more(more)) } }
        }
    }

    fn side(&self, label: &str, class: &'static str, text: &str) -> Markup {
        html! {
            p.label { (self.words.say(label)) }
            (block(class, text, MOST_LINES))
        }
    }

    /// An exception, and the lines of the submission that it passed through: the last one raised it.
    pub(super) fn exception(&self, raised: &ExceptionReport, text: bool) -> Markup {
        let skipped = raised.places.len().saturating_sub(MOST_PLACES);
        html! {
            @if text { (block("raised", &raised.text, MOST_MESSAGE)) }
            @if let Some((last, before)) = raised.places[skipped..].split_last() {
                ol.places {
                    @for place in before { li { (self.place(place, "passing-by")) } }
                    li { (self.place(last, "failing")) }
                }
            }
        }
    }

    fn place(&self, place: &Place, class: &'static str) -> Markup {
        let line = place.line.to_string();
        let at = self.words.with("label-raised-at", &[("file", &place.file), ("line", &line)]);
        html! {
            span.quiet {
                (Shown(at))
                @if !place.function.is_empty() { " · " (Shown(&place.function)) }
            }
            pre tabindex="0" {
                code class=(class) { span.number { (line) } " " (Shown(place.source.trim())) }
            }
        }
    }

    fn consequences(&self, case: &CaseReport) -> Markup {
        if case.consequences.is_empty() {
            return Markup::default();
        }
        let steps: Vec<String> = case.consequences.iter().map(|failed| failed.step.to_string()).collect();
        let summary = self.words.count("label-consequences", steps.len(), &[("steps", &steps.join(", "))]);
        let place = |step: &String| self.words.with("label-step", &[("step", step)]);
        html! {
            details {
                summary { (summary) }
                ul.steps {
                    @for (failed, step) in case.consequences.iter().zip(&steps) {
                        li { (place(step)) " " (self.verdict(failed.verdict)) }
                    }
                }
            }
        }
    }

    fn trials(&self, case: &CaseReport) -> Markup {
        if case.trials.is_empty() {
            return Markup::default();
        }
        let passed = case.trials.iter().filter(|trial| trial.verdict == Verdict::Passed).count().to_string();
        let total = case.trials.len().to_string();
        let seed = |seed: u32| self.words.with("html-seed", &[("seed", &seed.to_string())]);
        html! {
            div.warning {
                p { (self.words.with("label-unstable", &[("passed", &passed), ("total", &total)])) }
                ul.steps {
                    @for trial in &case.trials { li { (seed(trial.seed)) " " (self.verdict(trial.verdict)) } }
                }
            }
        }
    }
}

/// The lines of a text, up to a limit.
fn block(class: &'static str, text: &str, most: usize) -> Markup {
    html! {
        pre class=(class) tabindex="0" {
            code {
                @for (index, line) in text.lines().take(most + 1).enumerate() {
                    @if index > 0 { "\n" }
                    @if index < most { span { (Shown(line)) } } @else { "…" }
                }
            }
        }
    }
}

/// A row of a difference.
fn compared(row: &Row) -> Markup {
    html! {
        tr {
            (pieces(row.expected.as_deref(), "e"))
            td.sign { @if !row.is_equal() { "≠" } }
            (pieces(row.got.as_deref(), "g"))
        }
    }
}

/// One side of a row.
fn pieces(pieces: Option<&[DiffPiece]>, class: &'static str) -> Markup {
    html! {
        @if let Some(pieces) = pieces {
            td {
                @for piece in pieces {
                    @let text = Shown(&piece.text);
                    @if piece.differs { mark class=(class) { (text) } } @else { (text) }
                }
            }
        } @else {
            td.none {}
        }
    }
}

/// Whether a side of a row is too long to fit beside the other.
fn is_long(row: &Row) -> bool {
    let length = |side: &[DiffPiece]| side.iter().map(|piece| piece.text.chars().count()).sum::<usize>();
    [&row.expected, &row.got].into_iter().flatten().any(|side| length(side) > LONG)
}

/// A row that differs as a whole if its sides have little in common: a few equal characters by chance mean nothing.
fn whole_where_unlike(row: Row) -> Row {
    let (Some(expected), Some(got)) = (&row.expected, &row.got) else { return row };
    let count = |side: &[DiffPiece], of: fn(&DiffPiece) -> bool| -> usize {
        side.iter().filter(|piece| of(piece)).map(|piece| piece.text.chars().count()).sum()
    };
    let (same, longer) =
        (count(expected, |piece| !piece.differs), count(expected, |_| true).max(count(got, |_| true)));
    if 2 * same >= longer {
        return row;
    }
    let whole = |side: &[DiffPiece]| {
        Some(vec![DiffPiece { text: side.iter().map(|piece| piece.text.as_str()).collect(), differs: true }])
    };
    Row { expected: whole(expected), got: whole(got) }
}

/// The problem that a case failed with before its first step.
pub(super) fn before_all(case: &CaseReport) -> Option<&Finding> {
    case.finding.as_deref().filter(|finding| finding.step == 0)
}

#[cfg(test)]
mod tests {
    use super::whole_where_unlike;
    use crate::compare::diff::side_by_side;

    #[test]
    fn sides_with_little_in_common_differ_as_a_whole() {
        let marked = |expected: &str, got: &str| {
            let row = whole_where_unlike(side_by_side(expected, got).0.remove(0));
            row.got
                .unwrap()
                .iter()
                .filter(|piece| piece.differs)
                .map(|piece| piece.text.clone())
                .collect::<String>()
        };
        assert_eq!(marked("true", "AssertionError: spel"), "AssertionError: spel");
        assert_eq!(marked("False", "True"), "True");
        assert_eq!(marked("? ? R ?", "? ? R B"), "B");
    }
}
