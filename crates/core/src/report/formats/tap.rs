//! The Test Anything Protocol, version 14: a test for each case, named as `keur test` names it.

use super::details::identity;
use super::lines::{error, ungraded};
use crate::event::SubmissionReport;
use crate::named::Named;
use crate::report::case_writer::{CaseWriter, line};
use crate::report::{Format, Options, at_the_end};
use serde_json::json;

pub(super) const FORMAT: Format = Format {
    name: "tap",
    about: "TAP 14, a test for each case",
    extension: "tap",
    // The plan comes first, and counts every case of every submission.
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// A test, and the lines below it.
struct Point {
    ok: bool,
    name: String,
    below: String,
}

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let points: Vec<Point> =
        reports.iter().flat_map(|report| points(report, reports.len() > 1, options)).collect();
    let title = options.title.as_deref().map(|title| format!("# {}\n", line(title))).unwrap_or_default();
    let mut out = format!("TAP version 14\n{title}1..{}", points.len());
    out += if points.is_empty() { " # SKIP nothing was graded\n" } else { "\n" };
    for (index, Point { ok, name, below }) in points.iter().enumerate() {
        let not = if *ok { "" } else { "not " };
        out += &format!("{not}ok {} - {}\n{below}", index + 1, description(name));
    }
    out
}

fn points(report: &SubmissionReport, many: bool, options: &Options) -> Vec<Point> {
    let writer = CaseWriter::new(report, options);
    if let (Some(message), Some(why)) = (ungraded(report, options), error(report, options)) {
        return vec![Point { ok: false, name: report.name.clone(), below: block(&message, "error", &why) }];
    }
    let point = |case| {
        let below =
            writer.sentence(case).map(|sentence| block(&sentence, case.verdict.name(), &writer.whole(case)));
        Point { ok: below.is_none(), name: identity(report, case, many), below: below.unwrap_or_default() }
    };
    report.cases.iter().map(point).collect()
}

/// A name on one line that cannot start a directive.
fn description(name: &str) -> String {
    line(name).replace('\\', "\\\\").replace('#', "\\#")
}

/// A block of YAML below a test. A JSON string is also a YAML string, and a literal block needs no escapes.
fn block(message: &str, verdict: &str, details: &str) -> String {
    let details: String = details.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "  ---\n  message: {}\n  verdict: {}\n  details: |2\n{details}  ...\n",
        json!(message),
        json!(verdict)
    )
}

#[cfg(test)]
mod tests {
    use super::{block, description};

    #[test]
    fn a_name_begins_no_directive() {
        assert_eq!(description("a # SKIP b\\\nok 2"), "a \\# SKIP b\\\\␊ok 2");
    }

    #[test]
    fn text_stays_in_its_block() {
        assert_eq!(
            block("a: \"b\"", "raised", "a\n...\n\nb"),
            "  ---\n  message: \"a: \\\"b\\\"\"\n  verdict: \"raised\"\n  details: |2\n    a\n    ...\n    \n    b\n  ...\n"
        );
    }
}
