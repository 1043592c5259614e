//! The layout of a failed case: the blocks of which every report of it consists, in the words of its
//! language.
//!
//! What a report says, and in which order, is decided here; how a block looks is up to the format that writes
//! it.

use super::case_writer::{CaseWriter, numbered};
use super::words::Words;
use super::{Cause, notation};
use crate::compare::Verdict;
use crate::compare::diff::{self, Difference};
use crate::event::{CaseReport, Consequence, ExceptionReport, Finding, Place, SessionLine, Trial, Warning};
use crate::exercises::{self, picture::Pair};
use std::borrow::Cow;
use std::ops::Range;

/// The most lines of a trace that lead to an exception while loading.
const MOST_PLACES: usize = 5;

/// Lines at the beginning and at the end of a long session that are shown unfolded.
const FIRST_LINES: usize = 3;
const LAST_LINES: usize = 7;

/// A layout of a failed case: its parts in their order, and the choices in which layouts differ.
pub(super) struct Layout {
    parts: &'static [Part],
    /// Whether the verdict stands above the blocks, which then need not say it.
    has_verdict_above: bool,
    /// Whether a hidden case is marked for a reader who sees its finding too.
    marks_hidden_findings: bool,
    /// Whether boards are drawn.
    draws_boards: bool,
    /// Whether a problem before the first step, which belongs to no case, comes with the hint of a case.
    hints_before_first_step: bool,
    /// Whether an exception that is compared with nothing is shown as the actual side.
    shows_exception_as_got: bool,
    /// Whether the other cases of a cause are listed by name, not by title.
    lists_names: bool,
}

/// A part of a layout, which has a block only if there is something to show.
#[derive(Clone, Copy)]
enum Part {
    Hidden,
    Sentence,
    Session,
    Sides,
    Raised,
    Printed,
    Errors,
    Consequences,
    Trials,
    PartialPoints,
    Hint,
}

impl Layout {
    /// For a terminal, on which cases are listed by name.
    pub(super) const TERMINAL: Layout = Layout { lists_names: true, ..Layout::MARKDOWN };

    /// For Markdown.
    pub(super) const MARKDOWN: Layout = Layout {
        parts: &[
            Part::Session,
            Part::Hidden,
            Part::Sentence,
            Part::Sides,
            Part::Raised,
            Part::Printed,
            Part::Errors,
            Part::Consequences,
            Part::Hint,
        ],
        has_verdict_above: false,
        marks_hidden_findings: false,
        draws_boards: false,
        hints_before_first_step: true,
        shows_exception_as_got: false,
        lists_names: false,
    };

    /// For plain text in the reports of other programs.
    pub(super) const TEXT: Layout = Layout {
        parts: &[
            Part::Hidden,
            Part::Sentence,
            Part::Sides,
            Part::Printed,
            Part::Errors,
            Part::Raised,
            Part::Session,
            Part::PartialPoints,
            Part::Hint,
        ],
        shows_exception_as_got: true,
        ..Layout::MARKDOWN
    };

    /// For a web page, which lists the other cases of a cause by itself.
    pub(super) const PAGE: Layout = Layout {
        parts: &[
            Part::Hidden,
            Part::Sentence,
            Part::Session,
            Part::Sides,
            Part::Raised,
            Part::Printed,
            Part::Errors,
            Part::Consequences,
            Part::Trials,
            Part::Hint,
        ],
        has_verdict_above: true,
        marks_hidden_findings: true,
        draws_boards: true,
        hints_before_first_step: false,
        ..Layout::MARKDOWN
    };

    /// Returns true if the actual side has a block of its own.
    fn shows_got(&self, finding: &Finding) -> bool {
        finding.expected.is_some() || finding.exception.is_none() || self.shows_exception_as_got
    }
}

/// A part of what a report says of a case or of a warning.
pub(super) enum Block<'r> {
    /// The finding is kept from the reader.
    Hidden(String),
    /// The mistake, or why there is none to show.
    Sentence(String),
    /// The session up to and including the failing line.
    Session(Session<'r>),
    /// Both sides of a comparison.
    Compared(Comparison<'r>),
    /// The expected side, where there is no actual one.
    Expected(Labelled<'r>),
    /// The actual side, where there is no single expected one.
    Got(Labelled<'r>),
    /// The output of the failing line, where that is not what is compared, or standard error.
    Printed(Labelled<'r>),
    /// An exception.
    Raised(RaisedAt<'r>),
    /// The later steps that did not pass.
    Consequences(VerdictList),
    /// The gradings of a case whose verdicts differ.
    Trials(VerdictList),
    /// The hint of the case.
    Hint(Labelled<'r>),
    /// A remark: the points of a part, or the other cases of a cause.
    Note(String),
    /// A warning about the submission.
    Warning(Labelled<'r>),
}

/// A session, of which a long middle is folded: lines that were as expected, between what is imported and made and what
/// led to the failing line.
pub(super) struct Session<'r> {
    pub(super) lines: &'r [SessionLine],
    /// The lines that are folded; empty in a short session.
    pub(super) folded: Range<usize>,
}

impl<'r> Session<'r> {
    fn of(lines: &'r [SessionLine]) -> Session<'r> {
        let is_long = lines.len() > FIRST_LINES + LAST_LINES + 1;
        let folded = if is_long { FIRST_LINES..lines.len() - LAST_LINES } else { 0..0 };
        Session { lines, folded }
    }
}

/// A text with its label.
pub(super) struct Labelled<'r> {
    pub(super) label: String,
    pub(super) text: Cow<'r, str>,
}

/// Both sides of a comparison.
pub(super) struct Comparison<'r> {
    pub(super) expected: Labelled<'r>,
    pub(super) got: Labelled<'r>,
    /// Both boards, on a page of an exercise that draws them.
    pub(super) boards: Option<Pair>,
}

impl Comparison<'_> {
    /// The rows near a difference.
    pub(super) fn difference(&self) -> Difference {
        diff::side_by_side(&self.expected.text, &self.got.text).near_differences()
    }
}

/// An exception, and where it was raised.
pub(super) struct RaisedAt<'r> {
    /// The type and message; `None` if an earlier block shows them.
    pub(super) text: Option<&'r str>,
    /// The lines of the submission that it passed through, outermost first.
    pub(super) places: &'r [Place],
    /// Whether the submission was being loaded when it raised.
    pub(super) is_loading: bool,
}

impl<'r> RaisedAt<'r> {
    /// An exception that was raised while the submission was loaded.
    pub(super) fn while_loading(raised: &'r ExceptionReport) -> RaisedAt<'r> {
        RaisedAt { text: Some(&raised.text), places: &raised.places, is_loading: true }
    }

    /// The line that raised it; while loading, also the last lines that led there.
    pub(super) fn last_places(&self) -> &'r [Place] {
        let most = if self.is_loading { MOST_PLACES } else { 1 };
        &self.places[self.places.len().saturating_sub(most)..]
    }
}

/// Several verdicts, and what they have in common.
pub(super) struct VerdictList {
    pub(super) summary: String,
    pub(super) items: Vec<VerdictItem>,
}

/// A verdict of a list.
pub(super) struct VerdictItem {
    pub(super) name: String,
    pub(super) verdict: Verdict,
}

impl<'r> CaseWriter<'r> {
    /// The blocks of a case; none if it passed.
    pub(super) fn blocks(&self, case: &'r CaseReport, layout: &Layout) -> Vec<Block<'r>> {
        if case.verdict == Verdict::Passed {
            return Vec::new();
        }
        let block = |part: &Part| match part {
            Part::Hidden => self.hidden(case, layout),
            Part::Sentence => self.sentence_block(case, layout),
            Part::Session => session(case),
            Part::Sides => self.sides(case, layout),
            Part::Raised => raised(case, layout),
            Part::Printed => self.printed(case),
            Part::Errors => self.errors(case),
            Part::Consequences => self.consequences(case),
            Part::Trials => self.trials(case),
            Part::PartialPoints => self.words.partial(case).map(Block::Note),
            Part::Hint => self.hint_block(case, layout),
        };
        layout.parts.iter().filter_map(block).collect()
    }

    /// The blocks of a cause: of the case that shows it, and where else it was found.
    pub(super) fn cause_blocks(&self, cause: &Cause<'r>, layout: &Layout) -> Vec<Block<'r>> {
        let mut blocks = self.blocks(cause.case, layout);
        let reach =
            cause.reach(&self.words, |case| if layout.lists_names { &case.name } else { self.title(case) });
        blocks.extend(reach.map(Block::Note));
        blocks
    }

    /// The blocks of a warning.
    pub(super) fn warning_blocks(&self, warning: &'r Warning) -> Vec<Block<'r>> {
        let text = self.words.warning(warning).into();
        let mut blocks = vec![Block::Warning(Labelled { label: self.words.say("label-warning"), text })];
        if let Warning::RaisedWhileLoading { raised, .. } = warning {
            blocks.push(Block::Raised(RaisedAt::while_loading(raised)));
        }
        blocks
    }

    /// The reason why a case did not pass: its mistake, or that it is hidden or was not run.
    pub(super) fn reason(&self, case: &CaseReport) -> String {
        match &case.finding {
            Some(finding) => self.words.sentence(finding, notation(self.report)),
            None if case.verdict == Verdict::Failed => self.words.say("label-hidden"),
            None => self.words.result(case, |needed| needed.title.get(self.lang)),
        }
    }

    fn hidden(&self, case: &CaseReport, layout: &Layout) -> Option<Block<'r>> {
        let is_kept = case.finding.is_none() && case.verdict == Verdict::Failed;
        let is_marked = layout.marks_hidden_findings && (case.hidden || case.verdict == Verdict::Failed);
        (is_kept || is_marked).then(|| Block::Hidden(self.words.say("label-hidden")))
    }

    fn sentence_block(&self, case: &CaseReport, layout: &Layout) -> Option<Block<'r>> {
        let says_more = if layout.has_verdict_above {
            case.blocked_by.is_some()
        } else {
            // A case that only failed is marked as hidden.
            case.verdict != Verdict::Failed
        };
        (case.finding.is_some() || says_more).then(|| Block::Sentence(self.reason(case)))
    }

    /// The expected and the actual side.
    fn sides(&self, case: &'r CaseReport, layout: &Layout) -> Option<Block<'r>> {
        let finding = case.finding.as_deref()?;
        match (&finding.expected, &finding.got) {
            (Some(expected), Some(got)) => Some(Block::Compared(Comparison {
                expected: self.labelled("label-expected", expected),
                got: self.labelled("label-got", got),
                boards: self.boards(finding, expected, got).filter(|_| layout.draws_boards),
            })),
            (Some(expected), None) => Some(Block::Expected(self.labelled("label-expected", expected))),
            (None, Some(got)) if layout.shows_got(finding) => {
                Some(Block::Got(self.labelled("label-got", got)))
            }
            (None, _) => None,
        }
    }

    /// Both boards, if the exercise draws them and both sides are boards.
    fn boards(&self, finding: &Finding, expected: &str, got: &str) -> Option<Pair> {
        let exercise = exercises::find(&self.report.exercise.as_ref()?.name)?;
        let session: Vec<&str> = finding.session.iter().map(|line| line.text.as_str()).collect();
        exercise.picture.as_ref()?.pair(&session, expected, got)
    }

    fn printed(&self, case: &'r CaseReport) -> Option<Block<'r>> {
        let printed = case.finding.as_deref()?.printed.as_deref()?;
        Some(Block::Printed(self.labelled("label-printed", printed)))
    }

    fn errors(&self, case: &'r CaseReport) -> Option<Block<'r>> {
        let errors = case.finding.as_deref()?.errors.as_deref()?;
        Some(Block::Printed(self.labelled("label-errors", errors)))
    }

    fn consequences(&self, case: &CaseReport) -> Option<Block<'r>> {
        let later = &case.consequences;
        if later.is_empty() {
            return None;
        }
        let steps: Vec<String> = later.iter().map(|failed| failed.step.to_string()).collect();
        let summary = self.words.count("label-consequences", later.len(), &[("steps", &steps.join(", "))]);
        let item = |(failed, step): (&Consequence, &String)| VerdictItem {
            name: self.words.with("label-step", &[("step", step)]),
            verdict: failed.verdict,
        };
        Some(Block::Consequences(VerdictList {
            summary,
            items: later.iter().zip(&steps).map(item).collect(),
        }))
    }

    fn trials(&self, case: &CaseReport) -> Option<Block<'r>> {
        let summary = self.words.unstable(case)?;
        let item = |trial: &Trial| VerdictItem {
            name: self.words.with("html-seed", &[("seed", &trial.seed.to_string())]),
            verdict: trial.verdict,
        };
        Some(Block::Trials(VerdictList { summary, items: case.trials.iter().map(item).collect() }))
    }

    /// The lines of a session as plain text, with the number of each step before its first line.
    pub(super) fn session(&self, session: &Session<'_>) -> Vec<String> {
        let mut lines: Vec<String> = numbered(session.lines).collect();
        let folded = session.folded.clone();
        if !folded.is_empty() {
            let more = self.words.more_lines(folded.len());
            lines.splice(folded, std::iter::once(more));
        }
        lines
    }

    /// The hint of a case.
    pub(super) fn hint_block(&self, case: &'r CaseReport, layout: &Layout) -> Option<Block<'r>> {
        let is_before = case.finding.as_deref().is_some_and(|finding| finding.step.is_none());
        let hint = case.hint.as_deref().filter(|_| layout.hints_before_first_step || !is_before)?;
        Some(Block::Hint(self.labelled("label-hint", hint.get(self.lang))))
    }

    fn labelled(&self, label: &str, text: &'r str) -> Labelled<'r> {
        Labelled { label: self.words.say(label), text: text.into() }
    }
}

fn session(case: &CaseReport) -> Option<Block<'_>> {
    let lines = &case.finding.as_deref()?.session;
    (!lines.is_empty()).then(|| Block::Session(Session::of(lines)))
}

fn raised<'r>(case: &'r CaseReport, layout: &Layout) -> Option<Block<'r>> {
    let finding = case.finding.as_deref()?;
    let raised = finding.exception.as_ref()?;
    let is_shown = finding.got.as_ref() == Some(&raised.text) && layout.shows_got(finding);
    Some(Block::Raised(RaisedAt {
        text: (!is_shown).then_some(&raised.text),
        places: &raised.places,
        is_loading: finding.step.is_none(),
    }))
}

impl Words {
    /// The sentence on a case whose result depends on chance; `None` if all gradings agree.
    pub(super) fn unstable(&self, case: &CaseReport) -> Option<String> {
        let passed = case.trials.iter().filter(|trial| trial.verdict == Verdict::Passed).count();
        let args = [("passed", &*passed.to_string()), ("total", &*case.trials.len().to_string())];
        (!case.trials.is_empty()).then(|| self.with("label-unstable", &args))
    }

    /// The number of lines that are not shown.
    pub(super) fn more_lines(&self, count: usize) -> String {
        format!("… {}", self.count("label-more-lines", count, &[]))
    }

    /// The file and the line of a place.
    pub(super) fn place(&self, place: &Place) -> String {
        let line = place.line.to_string();
        match place.cell {
            Some(cell) => self.with(
                "label-raised-in-cell",
                &[("file", &place.file), ("cell", &cell.to_string()), ("line", &line)],
            ),
            None => self.with("label-raised-at", &[("file", &place.file), ("line", &line)]),
        }
    }

    /// A place, with the text of its line.
    pub(super) fn at(&self, place: &Place) -> String {
        format!("{}: {}", self.place(place), place.source.trim())
    }
}
