//! What is said of a case where a report shows plain text: a sentence, and the whole account of a failure.
//!
//! No character is left in either that a terminal obeys, or that XML or YAML cannot hold.

use super::words::Words;
use super::{Options, syntax};
use crate::compare::Verdict;
use crate::compare::diff::visible;
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SubmissionReport, Warning};

/// Lines of a part of an account, characters of a line, and lines of an exception's text.
const MOST_LINES: usize = 40;
const MOST_CHARS: usize = 400;
const MOST_RAISED: usize = 5;

/// Words to tell of the cases of one submission.
pub(super) struct Account<'r> {
    pub(super) words: Words,
    report: &'r SubmissionReport,
    options: &'r Options,
}

impl<'r> Account<'r> {
    pub(super) fn new(report: &'r SubmissionReport, options: &'r Options) -> Account<'r> {
        Account { words: Words::new(options.lang(report)), report, options }
    }

    /// The title of a case.
    pub(super) fn title<'c>(&self, case: &'c CaseReport) -> &'c str {
        case.title.get(self.options.lang(self.report))
    }

    /// Why a case did not pass, on one line; none where it did.
    pub(super) fn sentence(&self, case: &CaseReport) -> Option<String> {
        let sentence = match (&case.finding, case.verdict) {
            (_, Verdict::Passed) => return None,
            (Some(finding), _) => self.words.sentence(finding, syntax(self.report)),
            (None, Verdict::Failed) => self.words.say("label-hidden"),
            (None, verdict) => self.words.verdict(verdict),
        };
        Some(line(&sentence))
    }

    /// The hint of a case that did not pass, with what it is.
    pub(super) fn hint(&self, case: &CaseReport) -> Option<String> {
        let hint = case.hint.as_ref().filter(|_| case.verdict != Verdict::Passed)?;
        Some(line(&format!("{}: {}", self.words.say("label-hint"), hint.get(self.options.lang(self.report)))))
    }

    /// All that is said of a case that did not pass, on several lines; nothing where it did.
    pub(super) fn whole(&self, case: &CaseReport) -> String {
        let mut lines: Vec<String> = self.sentence(case).into_iter().collect();
        if let Some(finding) = &case.finding {
            lines.extend(self.finding(finding));
        }
        lines.extend(self.hint(case));
        lines.join("\n")
    }

    /// Both sides, what was raised, what was printed, and the session.
    fn finding(&self, finding: &Finding) -> Vec<String> {
        let mut lines = Vec::new();
        let sides = [
            ("label-expected", &finding.expected),
            ("label-got", &finding.got),
            ("label-printed", &finding.printed),
        ];
        for (label, side) in sides {
            if let Some(text) = side {
                lines.push(format!("{}:", self.words.say(label)));
                lines.extend(part(text.lines()).into_iter().map(|line| format!("  {line}")));
            }
        }
        if let Some(raised) = &finding.exception {
            let said = finding.got.as_ref() == Some(&raised.text);
            lines.extend(self.raised(raised).into_iter().skip(usize::from(said)));
        }
        if !finding.session.is_empty() {
            lines.push(String::new());
            lines.extend(session(finding));
        }
        lines
    }

    /// An exception, and the line of the submission that raised it.
    pub(super) fn raised(&self, raised: &ExceptionReport) -> Vec<String> {
        let mut lines: Vec<String> = raised.text.lines().take(MOST_RAISED).map(line).collect();
        lines.extend(raised.places.last().map(|place| {
            let at = self
                .words
                .with("label-raised-at", &[("file", &place.file), ("line", &place.line.to_string())]);
            line(&format!("{at}: {}", place.source.trim()))
        }));
        lines
    }

    /// A warning, on several lines.
    pub(super) fn warning(&self, warning: &Warning) -> String {
        let mut lines = vec![line(&self.words.warning(warning))];
        if let Warning::RaisedWhileLoading(raised) = warning {
            lines.extend(self.raised(raised));
        }
        lines.join("\n")
    }
}

/// The session of a finding.
pub(super) fn session(finding: &Finding) -> Vec<String> {
    part(finding.session.iter().map(String::as_str))
}

/// Why a submission was not graded, on one line.
pub(super) fn error(report: &SubmissionReport, options: &Options) -> Option<String> {
    let error = report.error.as_ref()?;
    Some(line(&Words::new(options.lang(report)).error(error)))
}

/// The submission's own line that raised, as a path and a line: the innermost that lies in a file of its own.
pub(super) fn place<'r>(report: &'r SubmissionReport, raised: &ExceptionReport) -> Option<(&'r str, usize)> {
    let lies = |place: &Place| {
        let (_, path) = report.files.iter().find(|(name, _)| *name == place.file)?;
        Some((path.as_str(), place.line))
    };
    raised.places.iter().rev().find_map(lies)
}

/// A text on one line, not too long.
pub(super) fn line(text: &str) -> String {
    let text = visible(text, false);
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Lines, not too many.
pub(super) fn part<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut lines: Vec<String> = lines.take(MOST_LINES + 1).map(line).collect();
    if lines.len() > MOST_LINES {
        lines[MOST_LINES] = "…".to_owned();
    }
    lines
}
