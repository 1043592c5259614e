//! JSON for other programs; the fields are described in `docs/json.md`.

use super::words::Words;
use super::{Format, Options, Reporter, syntax};
use crate::case::Points;
use crate::event::{
    CaseReport, Event, ExceptionReport, ExerciseInfo, Finding, RunError, Runtime, SubmissionReport, Warning,
};
use crate::value::syntax::Syntax;
use serde_json::{Value, json};
use std::fmt::Write;

/// The version of the report's shape: it rises when a field goes or changes its meaning.
pub(super) const VERSION: u64 = 1;

/// The version of keur.
const KEUR: &str = env!("CARGO_PKG_VERSION");

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one JSON object, for other programs",
    extension: "json",
    reporter: || Box::new(Json::default()),
    ..Format::NOTHING
};

/// Writes a submission when it is graded.
#[derive(Default)]
struct Json {
    /// How many are written.
    written: usize,
}

impl Reporter for Json {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::RunStarted { .. } => *out += &begin(options),
            Event::SubmissionFinished { report } => {
                // No string in it has a bare line end.
                let text = text(&submission(report, options));
                *out += if self.written == 0 { "" } else { ",\n" };
                *out += "    ";
                *out += &text.trim_end().replace('\n', "\n    ");
                self.written += 1;
            }
            Event::RunFinished => *out += if self.written == 0 { "  ]\n}\n" } else { "\n  ]\n}\n" },
            Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
        }
    }
}

fn begin(options: &Options) -> String {
    let (keur, audience) = (json!(KEUR), json!(options.audience.name()));
    format!(
        "{{\n  \"version\": {VERSION},\n  \"keur\": {keur},\n  \"audience\": {audience},\n  \"submissions\": [\n"
    )
}

/// A document as text.
pub(super) fn text(document: &Value) -> String {
    // A tree of strings, numbers and lists always has a text.
    escaped(&serde_json::to_string_pretty(document).unwrap_or_default()) + "\n"
}

/// A document on one line, without a line end.
pub(super) fn compact(document: &Value) -> String {
    escaped(&document.to_string())
}

/// JSON in which no character is left that a terminal obeys or that hides or turns text around. Such characters stand
/// in strings only, where an escape means the same.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for ch in json.chars() {
        match ch {
            '\u{7f}'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{61c}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", ch as u32);
            }
            _ => out.push(ch),
        }
    }
    out
}

fn submission(report: &SubmissionReport, options: &Options) -> Value {
    let lang = options.lang(report);
    let words = Words::new(lang);
    let syntax = syntax(report);
    let case = |case: &CaseReport| {
        let mut json = json!({
            "name": case.name,
            "title": case.title.get(lang),
            "tags": case.tags.as_ref(),
            "hidden": case.hidden,
            "verdict": case.verdict.name(),
            "points": number(case.points),
            "max_points": number(case.max_points),
        });
        if let Some(hint) = &case.hint {
            json["hint"] = json!(hint.get(lang));
        }
        if let Some(found) = &case.finding {
            json["finding"] = finding(found, &words, syntax);
        }
        if !case.trials.is_empty() {
            let trials = case.trials.iter();
            json["unstable"] =
                trials.map(|trial| json!({ "seed": trial.seed, "verdict": trial.verdict.name() })).collect();
        }
        let consequences = case.consequences.iter();
        json["consequences"] = consequences
            .map(|consequence| json!({ "step": consequence.step, "verdict": consequence.verdict.name() }))
            .collect();
        json
    };
    let mut json = json!({
        "name": report.name,
        "path": report.path,
        "exercise": report.exercise.as_ref().map(|ExerciseInfo { name, .. }| name),
        "language": report.runtime.as_ref().map(|Runtime { language, .. }| language),
        "runtime": report.runtime.as_ref().map(|Runtime { engine, version, .. }| format!("{engine} {version}")),
        "confinement": report.runtime.as_ref().map(|runtime| runtime.tier),
        "seed": report.runtime.as_ref().map(|runtime| runtime.seed),
        "points": number(report.points),
        "max_points": number(report.max_points),
        "passed": report.passed(),
        "cases": report.cases.iter().map(case).collect::<Vec<_>>(),
        "warnings": report.warnings.iter().map(|warning| match warning {
            Warning::RaisedWhileLoading(raised) => {
                let text = format!("{}: {}", words.warning(warning), raised.text);
                json!({ "message": text, "exception": exception(raised) })
            }
            Warning::PassedOver(_) | Warning::OverBudget(..) => json!({ "message": words.warning(warning) }),
        }).collect::<Vec<_>>(),
    });
    if let Some(error) = &report.error {
        let kind = match error {
            RunError::Nothing(_) => "nothing",
            RunError::Usage(_) | RunError::Cases { files: None, .. } => "usage",
            RunError::Fault(_) | RunError::Cases { files: Some(_), .. } => "fault",
        };
        json["error"] = json!({ "kind": kind, "message": words.error(error) });
    }
    json
}

fn finding(finding: &Finding, words: &Words, syntax: Syntax) -> Value {
    let (file, line) = &finding.case_line;
    let mut json = json!({
        "step": finding.step,
        "verdict": finding.verdict.name(),
        "message": words.slip(&finding.slip, syntax, finding.expected.as_deref()),
        "session": finding.session,
        "case_file": file,
        "case_line": line,
    });
    for (key, text) in [("expected", &finding.expected), ("got", &finding.got), ("printed", &finding.printed)]
    {
        if let Some(text) = text {
            json[key] = json!(text);
        }
    }
    if let Some(raised) = &finding.exception {
        json["exception"] = exception(raised);
    }
    json
}

fn exception(raised: &ExceptionReport) -> Value {
    let places = raised.places.iter().map(|place| {
        json!({ "file": place.file, "line": place.line, "function": place.function, "source": place.source })
    });
    json!({ "text": raised.text, "places": places.collect::<Vec<_>>() })
}

/// Points as a number: whole where they are.
pub(super) fn number(points: Points) -> Value {
    if points.hundredths().is_multiple_of(100) {
        json!(points.hundredths() / 100)
    } else {
        json!(points.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn characters_that_act_on_a_reader_are_escaped_and_mean_the_same() {
        let text = "a\u{7f}\u{9b}\u{202e}\u{2028}\u{feff}é";
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert_eq!(json, "\"a\\u007f\\u009b\\u202e\\u2028\\ufeffé\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
