//! Dodona's partial output: a command on each line, as in `partial_output.json` (dodona-edu/dodona).
//!
//! A submission is a tab, or each group of its cases, and a case a context: its description is the session,
//! its test the difference.

use super::details::{FileLine, part, place, session};
use super::json::compact;
use super::lines::{error, ungraded};
use crate::compare::Verdict;
use crate::event::{CaseReport, Event, ExceptionReport, Finding, RunError, SubmissionReport, Warning};
use crate::messages::Lang;
use crate::report::case_writer::{CaseWriter, adjustments, line};
use crate::report::layout::RaisedAt;
use crate::report::words::Words;
use crate::report::{Audience, Format, Options, Reporter, groups, in_order, notation};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const FORMAT: Format = Format {
    name: "dodona",
    about: "the commands of a Dodona judge, a line each",
    extension: "jsonl",
    audience: Audience::Student,
    reporter: || Box::new(Dodona::default()),
    ..Format::NOTHING
};

/// Writes each case as soon as it is graded.
#[derive(Default)]
struct Dodona {
    /// The graded submissions.
    kept: Vec<Arc<SubmissionReport>>,
}

impl Reporter for Dodona {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::RunStarted { .. } => *out += &command(json!({ "command": "start-judgement" })),
            // The cases of a group need not follow one another.
            Event::SubmissionStarted { report } if !has_groups(report) => {
                *out += &open(&title(report, options));
            }
            Event::CaseFinished { report, case: found } if !has_groups(report) => {
                *out += &case(report, found, options);
            }
            Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
            Event::SubmissionFinished { report } => {
                *out += &if has_groups(report) { tabs(report, options) } else { close(report, options) };
                self.kept.push(Arc::clone(report));
            }
            Event::RunFinished => *out += &end(&in_order(&self.kept, options), options),
        }
    }
}

/// Dodona's statuses, from the best to the worst.
const RISING: [&str; 8] = [
    "correct", "wrong", "output limit exceeded", "runtime error", "compilation error",
    "memory limit exceeded", "time limit exceeded", "internal error",
];

fn has_groups(report: &SubmissionReport) -> bool {
    report.exercise.as_ref().is_some_and(|exercise| exercise.has_groups)
}

/// The title of a submission's tab.
fn title(report: &SubmissionReport, options: &Options) -> String {
    let exercise = report.exercise.as_ref();
    exercise.map_or(report.name.as_str(), |exercise| exercise.title.get(options.lang(report))).to_owned()
}

fn open(title: &str) -> String {
    command(json!({ "command": "start-tab", "title": line(title) }))
}

/// A tab for each group of cases; the messages about the whole submission are in the first.
fn tabs(report: &SubmissionReport, options: &Options) -> String {
    let writer = CaseWriter::new(report, options);
    let mut intro = about(report, options);
    let mut out = String::new();
    for group in groups(&report.cases) {
        let heading = group.heading.map(|heading| writer.heading(heading).to_owned());
        out += &open(&heading.unwrap_or_else(|| title(report, options)));
        out += &std::mem::take(&mut intro);
        out.extend(group.cases.iter().map(|(_, found)| case(report, found, options)));
        let failed = group.cases.iter().filter(|(_, case)| case.verdict != Verdict::Passed).count();
        out += &command(json!({ "command": "close-tab", "badgeCount": failed }));
    }
    if intro.is_empty() {
        return out;
    }
    // A submission that was not graded has no cases.
    open(&title(report, options)) + &close(report, options)
}

fn close(report: &SubmissionReport, options: &Options) -> String {
    let failed = report.cases.len() - report.passed_cases();
    about(report, options) + &command(json!({ "command": "close-tab", "badgeCount": failed }))
}

/// The messages about a whole submission: that it was not graded, what changed its points, and its warnings.
fn about(report: &SubmissionReport, options: &Options) -> String {
    let writer = CaseWriter::new(report, options);
    let mut out = String::new();
    if let Some((message, problem)) = ungraded(report, options).zip(report.error.as_ref()) {
        out += &command(json!({ "command": "append-message", "message": plain(&message) }));
        let status = status(severity_of(problem), &message);
        out += &command(json!({ "command": "escalate-status", "status": status }));
    }
    for adjustment in adjustments(report, &writer.words) {
        out += &command(json!({ "command": "append-message", "message": plain(&adjustment) }));
    }
    for warning in &report.warnings {
        out += &command(json!({ "command": "append-message", "message": plain(&writer.warning(warning)) }));
        if let Warning::RaisedWhileLoading { raised, .. } = warning {
            out += &annotation(report, raised, "warning", &writer.warning(warning));
        }
    }
    out
}

fn case(report: &SubmissionReport, case: &CaseReport, options: &Options) -> String {
    let writer = CaseWriter::new(report, options);
    let passed = case.verdict == Verdict::Passed;
    let finding = case.finding.as_deref();
    let mut out = command(json!({ "command": "start-context", "description": plain(writer.title(case)) }));
    let described = match finding.map(session).filter(|lines| !lines.is_empty()) {
        Some(lines) => message(notation(report).dodona(), &lines.join("\n")),
        None => plain(&case.name),
    };
    out += &command(json!({ "command": "start-testcase", "description": described }));
    if let Some(sentence) = writer.sentence(case) {
        let outcome = status(severity(case), &writer.words.outcome(case));
        let described = plain(&sentence);
        let side = |text: Option<&String>| part(text.map_or("", String::as_str).lines()).join("\n");
        let raised = finding.and_then(|finding| finding.exception.as_ref());
        let got = finding.and_then(|finding| finding.got.as_ref().or(raised.map(|raised| &raised.text)));
        let expected = side(finding.and_then(|finding| finding.expected.as_ref()));
        out += &command(json!({ "command": "start-test", "expected": expected, "description": described }));
        if let Some(raised) = raised {
            let is_loading = finding.is_some_and(|finding| finding.step.is_none());
            let lines = writer.raised(&RaisedAt { is_loading, ..RaisedAt::while_loading(raised) });
            let text = message("text", &lines.join("\n"));
            out += &command(json!({ "command": "append-message", "message": text }));
            out += &annotation(report, raised, "error", &sentence);
        }
        out += &command(
            json!({ "command": "close-test", "generated": side(got), "status": outcome, "accepted": false }),
        );
        let partial = writer.words.partial(case);
        for text in written(finding, &writer).chain(partial).chain(writer.hint(case)) {
            out += &command(json!({ "command": "append-message", "message": plain(&text) }));
        }
    }
    out += &command(json!({ "command": "close-testcase", "accepted": passed }));
    out + &command(json!({ "command": "close-context", "accepted": passed }))
}

/// The output of a failing line, if that is not what is compared, and standard error.
fn written(finding: Option<&Finding>, writer: &CaseWriter<'_>) -> impl Iterator<Item = String> {
    let text = |label, text: Option<&String>| {
        Some(format!("{}:\n{}", writer.words.say(label), part(text?.lines()).join("\n")))
    };
    let printed = text("label-printed", finding.and_then(|finding| finding.printed.as_ref()));
    let errors = text("label-errors", finding.and_then(|finding| finding.errors.as_ref()));
    printed.into_iter().chain(errors)
}

/// A sentence beside the line of the submission that raised.
fn annotation(report: &SubmissionReport, raised: &ExceptionReport, kind: &str, text: &str) -> String {
    // Dodona counts rows from 0.
    match place(report, raised) {
        Some(FileLine { line: Some(line), .. }) => command(
            json!({ "command": "annotate-code", "row": line.saturating_sub(1), "text": text, "type": kind }),
        ),
        Some(FileLine { line: None, .. }) | None => String::new(),
    }
}

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let results = reports.iter().map(|report| {
        let writer = CaseWriter::new(report, options);
        error(report, options)
            .unwrap_or_else(|| format!("{} · {}", writer.words.points(report), writer.words.cases(report)))
    });
    let human = match reports {
        [] => Words::new(options.lang.unwrap_or(Lang::En)).say("label-error"),
        _ => results.collect::<Vec<_>>().join(", "),
    };
    let accepted = !reports.is_empty() && reports.iter().all(|report| report.passed());
    command(json!({
        "command": "close-judgement",
        "accepted": accepted,
        "status": status(worst(reports), &human),
    }))
}

/// The worst status of all cases.
fn worst(reports: &[&SubmissionReport]) -> &'static str {
    if reports.is_empty() {
        return "internal error";
    }
    let of = |report: &SubmissionReport| match (&report.error, report.passed()) {
        (Some(problem), _) => vec![severity_of(problem)],
        // A case that is worth nothing cannot fail a submission.
        (None, true) => Vec::new(),
        (None, false) => report.cases.iter().map(severity).collect(),
    };
    let found: Vec<&str> = reports.iter().copied().flat_map(of).collect();
    RISING.into_iter().rev().find(|status| found.contains(status)).unwrap_or("correct")
}

/// The status of a submission that was not graded.
fn severity_of(problem: &RunError) -> &'static str {
    if problem.is_nothing() { "compilation error" } else { "internal error" }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn severity(case: &CaseReport) -> &'static str {
    let broken = case.finding.as_ref().is_some_and(|finding| finding.exception.is_some());
    match case.verdict {
        Verdict::Passed => "correct",
        Verdict::WrongValue
        | Verdict::WrongText
        | Verdict::WrongOutput
        | Verdict::DidNotRaise
        | Verdict::NotRun
        | Verdict::Failed => "wrong",
        Verdict::Raised | Verdict::Crashed | Verdict::ProtocolViolation => "runtime error",
        Verdict::LoadError if broken => "compilation error",
        Verdict::LoadError => "wrong",
        Verdict::TimeLimit => "time limit exceeded",
        Verdict::MemoryLimit => "memory limit exceeded",
        Verdict::OutputLimit => "output limit exceeded",
    }
}

fn status(status: &str, human: &str) -> Value {
    json!({ "enum": status, "human": line(human) })
}

fn plain(text: &str) -> Value {
    message("plain", text)
}

fn message(format: &str, text: &str) -> Value {
    json!({ "format": format, "description": text })
}

/// A command on a line.
fn command(command: Value) -> String {
    compact(&command) + "\n"
}
