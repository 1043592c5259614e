//! Accounts of a case on several lines, for formats in plain text.

use crate::compare::{Reach, Verdict};
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SubmissionReport, Warning};
use crate::languages;
use crate::report::case_writer::{CaseWriter, line};
use crate::report::layout::{Block, Labelled, Layout, RaisedAt};
use crate::report::{Cause, notation};
use crate::value::SourceFile;

/// The most lines of a part of a case, and of an exception's text.
const MOST_LINES: usize = 40;
const MOST_RAISED: usize = 5;

impl CaseWriter<'_> {
    /// The reason why a case did not pass, on one line; `None` if it passed.
    pub(super) fn sentence(&self, case: &CaseReport) -> Option<String> {
        (case.verdict != Verdict::Passed).then(|| line(&self.reason(case)))
    }

    /// The hint of a failed case, with its label.
    pub(super) fn hint(&self, case: &CaseReport) -> Option<String> {
        self.hint_block(case, &Layout::TEXT).map(|hint| self.text(&[hint]))
    }

    /// All that a report says of a case that did not pass, on several lines; empty if it passed.
    pub(super) fn whole(&self, case: &CaseReport) -> String {
        self.text(&self.blocks(case, &Layout::TEXT))
    }

    /// All that a report says of a cause: of the case that shows it, and where else it was found.
    pub(super) fn cause(&self, cause: &Cause<'_>) -> String {
        self.text(&self.cause_blocks(cause, &Layout::TEXT))
    }

    /// A warning, on several lines.
    pub(super) fn warning(&self, warning: &Warning) -> String {
        self.text(&self.warning_blocks(warning))
    }

    /// The lines of a block.
    fn lines(&self, block: &Block<'_>) -> Vec<String> {
        match block {
            Block::Hidden(text) | Block::Sentence(text) | Block::Note(text) => vec![line(text)],
            Block::Warning(warning) => vec![line(&warning.text)],
            Block::Hint(Labelled { label, text }) => vec![line(&format!("{label}: {text}"))],
            Block::Session(session) => {
                let lines = self.session(session);
                std::iter::once(String::new()).chain(part(lines.iter())).collect()
            }
            Block::Compared(both) => indented(&both.expected).chain(indented(&both.got)).collect(),
            Block::Expected(side) | Block::Got(side) | Block::Printed(side) => indented(side).collect(),
            Block::Raised(raised) => self.raised(raised),
            Block::Consequences(list) | Block::Trials(list) => vec![line(&list.summary)],
        }
    }

    fn text(&self, blocks: &[Block<'_>]) -> String {
        blocks.iter().flat_map(|block| self.lines(block)).collect::<Vec<_>>().join("\n")
    }

    /// An exception with its places.
    pub(super) fn raised(&self, raised: &RaisedAt<'_>) -> Vec<String> {
        let text = raised.text.unwrap_or_default().lines().take(MOST_RAISED).map(line);
        let places = raised.last_places().iter();
        text.chain(places.map(|place| line(&self.words.at(place)))).collect()
    }
}

/// A text below its label.
fn indented(side: &Labelled<'_>) -> impl Iterator<Item = String> {
    let lines = part(side.text.lines()).into_iter().map(|line| format!("  {line}"));
    std::iter::once(format!("{}:", side.label)).chain(lines)
}

/// The session of a finding.
pub(super) fn session(finding: &Finding) -> Vec<String> {
    part(finding.session.iter().map(|line| &line.text))
}

/// The path and the line, from 1, of a place in a submission. No line of a notebook's file is one of its cells.
#[derive(Clone, Copy)]
pub(super) struct FileLine<'r> {
    pub(super) path: &'r str,
    pub(super) line: Option<usize>,
}

/// The line of the submission that raised: the innermost in one of its own files.
pub(super) fn place<'r>(report: &'r SubmissionReport, raised: &ExceptionReport) -> Option<FileLine<'r>> {
    let lies = |place: &Place| {
        let file = report.files.iter().find(|file| file.name == place.file)?;
        Some(FileLine { path: &file.path, line: place.cell.is_none().then_some(place.line) })
    };
    raised.places.iter().rev().find_map(lies)
}

/// The line of the submission at which a finding is shown: the one that raised, else the one that defines the
/// function at fault. A text of the wrong form is the fault of the method that gives it.
pub(super) fn shown_at<'r>(report: &'r SubmissionReport, finding: &Finding) -> Option<FileLine<'r>> {
    let raised = finding.exception.as_ref().and_then(|raised| place(report, raised));
    let of_call = || definition(report, finding.call.as_ref()?);
    let is_of_form = finding.mistake.traits().reach == Reach::Function || finding.call.is_none();
    let text_method = || {
        let of_text = finding.verdict == Verdict::WrongText && is_of_form;
        of_text.then(|| definition(report, notation(report).syntax().text_method)).flatten()
    };
    raised.or_else(text_method).or_else(of_call)
}

/// The line that defines a function.
fn definition<'r>(report: &'r SubmissionReport, name: &str) -> Option<FileLine<'r>> {
    let language = languages::find(&report.runtime.as_ref()?.language)?;
    let line = |file: &'r SourceFile| {
        let on_disk = report.files.iter().find(|on_disk| on_disk.name == file.name)?;
        let line = language.defining_line(&String::from_utf8_lossy(&file.bytes), name)?;
        let line = languages::notebooks(&file.name).is_none().then_some(line);
        Some(FileLine { path: &on_disk.path, line })
    };
    report.sources.iter().find_map(line)
}

/// The unique name of a case in a run, as `keur test` names its test.
///
/// The name begins with that of the submission if there are several.
pub(super) fn identity(report: &SubmissionReport, case: &CaseReport, many: bool) -> String {
    let exercise = report.exercise.as_ref().map_or("keur", |exercise| &exercise.name);
    let name = format!("{exercise}::{}", case.name);
    if many { format!("{}::{name}", report.name) } else { name }
}

/// The lines, up to a limit.
pub(super) fn part(lines: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    let mut lines: Vec<String> = lines.take(MOST_LINES + 1).map(|text| line(text.as_ref())).collect();
    if lines.len() > MOST_LINES {
        lines[MOST_LINES] = "…".to_owned();
    }
    lines
}
