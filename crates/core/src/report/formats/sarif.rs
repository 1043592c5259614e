//! SARIF 2.1.0, as code scanning reads it: a result for each failure, at the line of the submission that
//! raised.
//!
//! The builders of `serde-sarif` are as long as the `json!` here.

use super::details::{identity, shown_at};
use super::json::text;
use super::lines::error;
use crate::compare::Verdict;
use crate::event::{RunError, SubmissionReport};
use crate::named::Named;
use crate::report::case_writer::CaseWriter;
use crate::report::{Cause, Format, Options, at_the_end, causes};
use serde_json::{Value, json};

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) const FORMAT: Format = Format {
    name: "sarif",
    about: "SARIF 2.1.0, for code scanning",
    extension: "sarif",
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// The rule of a submission that is missing or cannot be read.
const NOTHING_TO_GRADE: &str = "nothing-to-grade";

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let many = reports.len() > 1;
    let results: Vec<Value> = reports.iter().flat_map(|report| results(report, many, options)).collect();
    let notifications: Vec<Value> =
        reports.iter().filter_map(|report| notification(report, many, options)).collect();
    let failures = Verdict::ALL.iter().copied().filter(|verdict| *verdict != Verdict::Passed);
    let mut rules: Vec<Value> = failures.map(|verdict| rule_of(&rule(verdict), verdict.name())).collect();
    rules.push(rule_of(NOTHING_TO_GRADE, "the submission is missing or cannot be read"));
    let invocation = json!({
        "executionSuccessful": notifications.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    let driver = json!({ "name": "keur", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let mut run = json!({
        "tool": { "driver": driver },
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    if let Some(title) = &options.title {
        run["automationDetails"] = json!({ "description": { "text": plain(title) } });
    }
    text(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

fn rule_of(id: &str, description: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": description } })
}

/// The reason why a submission was not graded, if it is not the submission's fault.
fn notification(report: &SubmissionReport, many: bool, options: &Options) -> Option<Value> {
    report.error.as_ref().filter(|error| !error.is_submissions_own())?;
    let why = error(report, options)?;
    let text = if many { format!("{}: {why}", report.name) } else { why };
    Some(json!({ "level": "error", "message": { "text": plain(&text) } }))
}

fn results(report: &SubmissionReport, many: bool, options: &Options) -> Vec<Value> {
    if report.error.as_ref().is_some_and(RunError::is_submissions_own) {
        let why = error(report, options).unwrap_or_default();
        return vec![result(NOTHING_TO_GRADE, &why, &report.path, 1, &report.name)];
    }
    let writer = CaseWriter::new(report, options);
    let failure = |cause: &Cause<'_>| {
        let case = cause.case;
        let file = report.files.first().map_or(report.path.as_str(), |file| file.path.as_str());
        let shown = cause.finding().and_then(|finding| shown_at(report, finding));
        let (file, line) = shown.map_or((file, None), |place| (place.path, place.line));
        let message = format!("{}: {}", writer.title(case), writer.cause(cause));
        result(&rule(case.verdict), &message, file, line.unwrap_or(1), &identity(report, case, many))
    };
    causes(report).iter().map(failure).collect()
}

/// A result at a line of a file; its `name` is the same in every run.
fn result(rule: &str, message: &str, file: &str, line: usize, name: &str) -> Value {
    json!({
        "ruleId": rule,
        "level": "error",
        "message": { "text": plain(message) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line.max(1) },
        } }],
        "partialFingerprints": {
            "primaryLocationLineHash": format!("{:016x}:1", hash(&format!("{name}\n{file}"))),
        },
    })
}

/// A text of a message in which nothing is an embedded link, `[text](target)` (§3.11.6): the two parts have a
/// space without width between them. A backslash would be undone by one of the text's own, and not every
/// viewer takes it away.
fn plain(text: &str) -> String {
    text.replace("](", "]\u{200b}(")
}

fn rule(verdict: Verdict) -> String {
    verdict.name().replace(' ', "-")
}

/// A path as a URI reference, with slashes; an absolute path as a URI.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let encoded: String = path
        .trim_start_matches("./")
        .bytes()
        .map(|byte| match byte {
            byte if plain(byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

/// A hash of a text that is the same in every run and version (FNV-1a, 64 bits).
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{hash, plain, uri};

    #[test]
    fn a_message_holds_no_link() {
        assert_eq!(plain("[a](javascript:b) [1, 2]"), "[a]\u{200b}(javascript:b) [1, 2]");
        assert_eq!(plain(r"[a\](b) [a\\](b)"), "[a\\]\u{200b}(b) [a\\\\]\u{200b}(b)");
    }

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(uri("./a b/ç:<x>.py"), "a%20b/%C3%A7%3A%3Cx%3E.py");
        assert_eq!(uri("/tmp/a.py"), "file:///tmp/a.py");
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // Test vectors of the FNV authors.
        assert_eq!((hash(""), hash("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
