//! Accounts of a case on several lines, for formats in plain text.

use crate::compare::Verdict;
use crate::event::{CaseReport, ExceptionReport, Finding, Place, SubmissionReport, Warning};
use crate::report::account::{Account, line, numbered};
use crate::report::{Cause, notation, places};

/// The most lines of a part of an account, and of an exception's text.
const MOST_LINES: usize = 40;
const MOST_RAISED: usize = 5;

impl Account<'_> {
    /// Why a case did not pass, on one line; `None` if it passed.
    pub(super) fn sentence(&self, case: &CaseReport) -> Option<String> {
        let sentence = match (&case.finding, case.verdict) {
            (_, Verdict::Passed) => return None,
            (Some(finding), _) => self.words.sentence(finding, notation(self.report)),
            (None, Verdict::Failed) => self.words.say("label-hidden"),
            (None, _) => {
                let lang = self.options.lang(self.report);
                self.words.result(case, |needed| needed.title.get(lang))
            }
        };
        Some(line(&sentence))
    }

    /// The hint of a case that did not pass, with its label.
    pub(super) fn hint(&self, case: &CaseReport) -> Option<String> {
        let hint = case.hint.as_ref().filter(|_| case.verdict != Verdict::Passed)?;
        Some(line(&format!("{}: {}", self.words.say("label-hint"), hint.get(self.options.lang(self.report)))))
    }

    /// The full account of a case that did not pass, on several lines; empty if it passed.
    pub(super) fn whole(&self, case: &CaseReport) -> String {
        let mut lines: Vec<String> = self.sentence(case).into_iter().collect();
        if let Some(finding) = &case.finding {
            lines.extend(self.finding(finding));
        }
        lines.extend(self.words.partial(case));
        lines.extend(self.hint(case));
        lines.join("\n")
    }

    /// The full account of a cause: of the case that shows it, and where else it was found.
    pub(super) fn cause(&self, cause: &Cause<'_>) -> String {
        let reach = cause.reach(&self.words, |case| self.title(case)).map(|reach| line(&reach));
        [self.whole(cause.case)].into_iter().chain(reach).collect::<Vec<_>>().join("\n")
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
            lines.extend(self.raised(raised, finding.step.is_none()).into_iter().skip(usize::from(said)));
        }
        if !finding.session.is_empty() {
            lines.push(String::new());
            lines.extend(part(numbered(finding)));
        }
        lines
    }

    /// An exception with its places.
    pub(super) fn raised(&self, raised: &ExceptionReport, loading: bool) -> Vec<String> {
        let mut lines: Vec<String> = raised.text.lines().take(MOST_RAISED).map(line).collect();
        lines.extend(places(raised, loading).iter().map(|place| {
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
        if let Warning::RaisedWhileLoading { raised, .. } = warning {
            lines.extend(self.raised(raised, true));
        }
        lines.join("\n")
    }
}

/// The session of a finding.
pub(super) fn session(finding: &Finding) -> Vec<String> {
    part(finding.session.iter().map(|line| &line.text))
}

/// The line of the submission that raised, as a path and a line: the innermost in one of its own files.
pub(super) fn place<'r>(report: &'r SubmissionReport, raised: &ExceptionReport) -> Option<(&'r str, usize)> {
    let lies = |place: &Place| {
        let (_, path) = report.files.iter().find(|(name, _)| *name == place.file)?;
        Some((path.as_str(), place.line))
    };
    raised.places.iter().rev().find_map(lies)
}

/// The unique name of a case in a run, as `keur test` names its test.
///
/// It includes the name of the submission if there are several.
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
