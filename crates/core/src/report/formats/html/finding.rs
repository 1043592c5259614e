//! A failed case: the session, both sides, the boards, the exception, and what failed as a consequence.

use super::link::linked;
use super::marked_source::MarkedSource;
use super::shown::Shown;
use super::shown_at::before_all;
use super::sign;
use crate::compare::Verdict;
use crate::compare::diff::{self, DiffPiece, Row};
use crate::draw::Svg;
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SessionLine, SubmissionReport};
use crate::exercises;
use crate::messages::Lang;
use crate::report::notation;
use crate::report::words::Words;
use crate::value::notation::Notation;
use maud::{Markup, PreEscaped, html};

/// Lines shown of a session, a message or an output, and frames of an exception.
const MOST_LINES: usize = 80;
/// Lines of what an earlier line of a session gave that are shown unfolded, and how many of more than these.
const MOST_UNFOLDED: usize = 12;
const FIRST: usize = 6;
const MOST_MESSAGE: usize = 12;
const MOST_PLACES: usize = 12;

/// The length in characters from which the lines of a difference wrap, and the length of both sides together from
/// which one is below the other on a phone.
const LONG: usize = 32;
const LONG_ON_A_PHONE: usize = 28;

/// What the parts of a finding share.
pub(super) struct Sheet<'a> {
    pub(super) words: &'a Words,
    pub(super) lang: Lang,
    notation: &'static dyn Notation,
    /// The exercise, for its boards.
    game: &'a str,
    /// The files on the same page, with their marked lines.
    pub(super) marks: MarkedSource<'a>,
}

impl<'a> Sheet<'a> {
    /// The sheet for the findings of one submission.
    pub(super) fn new(report: &'a SubmissionReport, lang: Lang, words: &'a Words) -> Sheet<'a> {
        let game = report.exercise.as_ref().map_or("", |exercise| exercise.name.as_str());
        Sheet { words, lang, notation: notation(report), game, marks: MarkedSource::default() }
    }

    /// The sheet for a page that shows the files too.
    pub(super) fn beside(self, marks: MarkedSource<'a>) -> Sheet<'a> {
        Sheet { marks, ..self }
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

    /// The verdict on a case in words, with the case that kept it from being run.
    pub(super) fn result(&self, case: &CaseReport) -> String {
        self.words.result(case, |needed| needed.title.get(self.lang))
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
            @if case.hidden || case.verdict == Verdict::Failed {
                p.quiet { (self.words.say("label-hidden")) }
            }
            @if case.blocked_by.is_some() { p.sentence { (Shown(self.result(case))) } }
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
            (self.session(finding))
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

    /// The session with what its lines gave; its last line, which failed, is highlighted.
    fn session(&self, finding: &Finding) -> Markup {
        let Some((failing, before)) = finding.session.split_last() else { return Markup::default() };
        let skipped = before.len().saturating_sub(MOST_LINES);
        html! {
            div.session {
                @if skipped > 0 { p.quiet { (self.more(skipped)) } }
                @for line in before.iter().skip(skipped) {
                    code { (self.call(line)) }
                    "\n"
                    (self.gave(&line.gave))
                }
                code.failing { (self.call(failing)) }
            }
        }
    }

    /// A line of a session, after the number of the step that it begins. Its prompt cannot be selected, so that a copy
    /// of the session can be pasted.
    fn call(&self, line: &SessionLine) -> Markup {
        let prompt = self.notation.syntax().prompt;
        let (prompt, call) = line.text.split_at(if line.text.starts_with(prompt) { prompt.len() } else { 0 });
        html! {
            @if let Some(step) = line.step { span.step { (step) } }
            @if !prompt.is_empty() { span.prompt { (Shown(prompt)) } }
            (Shown(call))
        }
    }

    /// What a line of a session gave.
    fn gave(&self, gave: &str) -> Markup {
        let lines: Vec<&str> = gave.lines().collect();
        let is_long = lines.len() > MOST_UNFOLDED;
        let (first, folded) = lines.split_at(if is_long { FIRST } else { lines.len() });
        let text = |lines: &[&str]| {
            html! {
                samp { @for line in lines { (Shown(line)) "\n" } }
            }
        };
        html! {
            @if !first.is_empty() { (text(first)) }
            @if !folded.is_empty() {
                details {
                    summary { (self.more(folded.len())) }
                    (text(folded))
                }
            }
        }
    }

    /// The number of lines that are not shown.
    pub(super) fn more(&self, count: usize) -> String {
        format!("… {}", self.words.count("label-more-lines", count, &[]))
    }

    /// Both boards, if the exercise draws them and both sides are boards.
    fn boards(&self, finding: &Finding, expected: &str, got: &str) -> Markup {
        let line = finding.session.last().map(|line| line.text.as_str()).unwrap_or_default();
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
        let more = beyond + skipped;
        let longest = |side: fn(&Row) -> &Option<Vec<DiffPiece>>| {
            rows.iter().filter_map(|row| side(row).as_deref()).map(length).max().unwrap_or_default()
        };
        let longest = [longest(|row| &row.expected), longest(|row| &row.got)];
        let is_long = longest.iter().any(|side| *side > LONG);
        let stacks = longest.iter().sum::<usize>() > LONG_ON_A_PHONE;
        html! {
            div.scroll tabindex="0" {
                table.diff.long[is_long].stacks[stacks] {
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
                (linked(self.marks.address(place).as_deref(), Shown(at)))
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

/// The number of characters of a side of a row.
fn length(side: &[DiffPiece]) -> usize {
    side.iter().map(|piece| piece.text.chars().count()).sum()
}
