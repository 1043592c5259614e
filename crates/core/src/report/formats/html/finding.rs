//! A failed case: the session, both sides, the boards, the exception, and what failed as a consequence.

use super::link::linked;
use super::marked_source::MarkedSource;
use super::shown::Shown;
use super::shown_at::before_all;
use super::sign;
use crate::compare::Verdict;
use crate::compare::diff::{DiffPiece, Difference, Row};
use crate::draw::Svg;
use crate::event::{CaseReport, Place, SessionLine, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::report::case_writer::CaseWriter;
use crate::report::layout::{Block, Comparison, Labelled, Layout, RaisedAt, Session, VerdictList};
use crate::report::notation;
use crate::report::words::Words;
use maud::{Markup, PreEscaped, html};

/// Lines shown of a message or an output.
const MOST_LINES: usize = 80;
/// Lines of what an earlier line of a session gave that are shown unfolded, and how many of more than these.
const MOST_UNFOLDED: usize = 12;
const FIRST: usize = 6;
const MOST_MESSAGE: usize = 12;
const MOST_PLACES: usize = 12;

/// The length in characters from which the lines of a difference wrap, and the length of both sides together
/// from which one is below the other on a phone.
const LONG: usize = 32;
const LONG_ON_A_PHONE: usize = 28;

/// A submission's page, or a part of the page of a class, as its findings need it.
pub(super) struct Sheet<'a> {
    pub(super) writer: CaseWriter<'a>,
    /// The files on the same page, with their marked lines.
    pub(super) marks: MarkedSource<'a>,
}

/// A verdict in words, with its sign.
fn signed(verdict: Verdict, words: &str) -> Markup {
    let (sign, class) = sign::of(verdict);
    html! {
        span.verdict.{ "v-" (class) } {
            span.sign aria-hidden="true" { (sign) }
            " "
            (words)
        }
    }
}

impl<'a> Sheet<'a> {
    /// The sheet for the findings of one submission.
    pub(super) fn new(report: &'a SubmissionReport, lang: Lang) -> Sheet<'a> {
        Sheet { writer: CaseWriter::in_lang(report, lang), marks: MarkedSource::default() }
    }

    /// The sheet for a page that shows the files too.
    pub(super) fn beside(self, marks: MarkedSource<'a>) -> Sheet<'a> {
        Sheet { marks, ..self }
    }

    pub(super) fn words(&self) -> &Words {
        &self.writer.words
    }

    /// The verdict on a case, with its sign.
    pub(super) fn verdict(&self, verdict: Verdict) -> Markup {
        signed(verdict, &self.words().verdict(verdict))
    }

    /// The verdict on a case, with its sign, by the name of what it raised.
    pub(super) fn outcome(&self, case: &CaseReport) -> Markup {
        signed(case.verdict, &self.words().outcome(case))
    }

    /// The verdict on a case in words, with the case that kept it from being run.
    pub(super) fn result(&self, case: &CaseReport) -> String {
        self.words().result(case, |needed| needed.title.get(self.writer.lang))
    }

    /// The sentence for the mistake of a failed case; `None` if its finding is hidden.
    pub(super) fn mistake(&self, case: &CaseReport) -> Option<Shown<String>> {
        let finding = case.finding.as_ref()?;
        let notation = notation(self.writer.report);
        Some(Shown(self.words().mistake(finding, notation)))
    }

    /// The heading of a failed case. A problem before the first step does not belong to one case.
    pub(super) fn title(&self, case: &CaseReport) -> String {
        if before_all(case).is_some() {
            self.words().outcome(case)
        } else {
            self.writer.title(case).to_owned()
        }
    }

    /// A failed case, below its heading.
    pub(super) fn body(&self, case: &'a CaseReport) -> Markup {
        self.blocks(&self.writer.blocks(case, &Layout::PAGE))
    }

    pub(super) fn warning(&self, warning: &'a Warning) -> Markup {
        html! {
            div.warning { (self.blocks(&self.writer.warning_blocks(warning))) }
        }
    }

    fn blocks(&self, blocks: &[Block<'_>]) -> Markup {
        html! {
            @for block in blocks { (self.block(block)) }
        }
    }

    fn block(&self, block: &Block<'_>) -> Markup {
        html! {
            @match block {
                Block::Hidden(text) | Block::Note(text) => { p.quiet { (Shown(text)) } }
                Block::Sentence(text) => { p.sentence { (Shown(text)) } }
                Block::Session(session) => { (self.session(session)) }
                Block::Compared(both) => { div.compared { (self.boards(both)) (self.diff(both)) } }
                Block::Expected(side) => { (labelled("e", side, MOST_LINES)) }
                Block::Got(side) => { (labelled("g", side, MOST_LINES)) }
                Block::Printed(printed) => { (labelled("output", printed, MOST_MESSAGE)) }
                Block::Raised(raised) => { (self.raised(raised)) }
                Block::Consequences(list) => {
                    details { summary { (list.summary) } (self.verdicts(list)) }
                }
                Block::Trials(list) => { div.warning { p { (list.summary) } (self.verdicts(list)) } }
                Block::Hint(Labelled { label, text }) => {
                    details.hint { summary { (label) } p { (Shown(text)) } }
                }
                Block::Warning(Labelled { label, text }) => { p { (Shown(format!("{label}: {text}"))) } }
            }
        }
    }

    /// The session with what its lines gave; its last line, which failed, is highlighted.
    fn session(&self, Session { lines, folded }: &Session<'_>) -> Markup {
        let Some((failing, before)) = lines.split_last() else { return Markup::default() };
        let shown = |lines: &[SessionLine]| {
            html! {
                @for line in lines {
                    code { (self.call(line)) }
                    "\n"
                    (self.gave(&line.gave))
                }
            }
        };
        html! {
            div.session {
                (shown(&before[..folded.start]))
                @if !folded.is_empty() {
                    details {
                        summary { (self.words().more_lines(folded.len())) }
                        (shown(&before[folded.clone()]))
                    }
                }
                (shown(&before[folded.end..]))
                code.failing { (self.call(failing)) }
            }
        }
    }

    /// A line of a session, after the number of the step that it begins. Its prompt cannot be selected, so
    /// that a copy of the session can be pasted.
    fn call(&self, line: &SessionLine) -> Markup {
        let prompt = notation(self.writer.report).syntax().prompt;
        let (prompt, call) = line.text.split_at(if line.text.starts_with(prompt) { prompt.len() } else { 0 });
        html! {
            @if let Some(step) = line.step { span.step { (step) } }
            @if !prompt.is_empty() { span.prompt { (Shown(prompt)) } }
            (Shown(call))
        }
    }

    /// The output and the value of a line of a session.
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
                    summary { (self.words().more_lines(folded.len())) }
                    (text(folded))
                }
            }
        }
    }

    /// Both boards, if the exercise draws them.
    fn boards(&self, both: &Comparison<'_>) -> Markup {
        html! {
            @if let Some(boards) = &both.boards {
                div.boards {
                    (self.board(&both.expected.label, |label| boards.expected(label)))
                    (self.board(&both.got.label, |label| boards.got(label)))
                    p.legend { (self.words().say(if boards.has_moves() { "html-arrows" } else { "html-rings" })) }
                }
            }
        }
    }

    fn board(&self, side: &str, draw: impl FnOnce(&str) -> Svg) -> Markup {
        let picture = draw(&self.words().say("html-board"));
        html! {
            figure { figcaption { (side) } (PreEscaped(picture.as_str())) }
        }
    }

    /// Both sides next to each other; a line and a colour mark the differences.
    fn diff(&self, both: &Comparison<'_>) -> Markup {
        let Difference { rows, omitted } = both.difference();
        let longest = |side: fn(&Row) -> &Option<Vec<DiffPiece>>| {
            rows.iter().filter_map(|row| side(row).as_deref()).map(length).max().unwrap_or_default()
        };
        let longest = [longest(|row| &row.expected), longest(|row| &row.got)];
        let is_long = longest.iter().any(|side| *side > LONG);
        let stacks = longest.iter().sum::<usize>() > LONG_ON_A_PHONE;
        html! {
            div.scroll tabindex="0" role="group" aria-label={ (both.expected.label) " · " (both.got.label) } {
                table.diff.long[is_long].stacks[stacks] {
                    thead {
                        tr {
                            th scope="col" { (both.expected.label) }
                            td.sign {}
                            th scope="col" { (both.got.label) }
                        }
                    }
                    tbody { @for row in &rows { (compared(row)) } }
                }
            }
            @if omitted > 0 { p.quiet { (self.words().more_lines(omitted)) } }
        }
    }

    /// An exception, and the lines of the submission that it passed through: the last one raised it.
    fn raised(&self, raised: &RaisedAt<'_>) -> Markup {
        let skipped = raised.places.len().saturating_sub(MOST_PLACES);
        html! {
            @if let Some(text) = raised.text { (block("raised", text, MOST_MESSAGE)) }
            @if let Some((last, before)) = raised.places[skipped..].split_last() {
                ol.places {
                    @for place in before { li { (self.place(place, "passing-by")) } }
                    li { (self.place(last, "failing")) }
                }
            }
        }
    }

    fn place(&self, place: &Place, class: &'static str) -> Markup {
        html! {
            span.quiet {
                (linked(self.marks.address(place).as_deref(), Shown(self.words().place(place))))
                @if !place.function.is_empty() { " · " (Shown(&place.function)) }
            }
            pre tabindex="0" {
                code class=(class) { span.number { (place.line) } " " (Shown(place.source.trim())) }
            }
        }
    }

    fn verdicts(&self, list: &VerdictList) -> Markup {
        html! {
            ul.steps { @for item in &list.items { li { (item.name) " " (self.verdict(item.verdict)) } } }
        }
    }
}

/// A text below its label.
fn labelled(class: &'static str, side: &Labelled<'_>, most: usize) -> Markup {
    html! {
        p.label { (side.label) }
        (block(class, &side.text, most))
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
