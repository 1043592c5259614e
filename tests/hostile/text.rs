//! Hostile text in output, messages, values, and the names of submissions and files, in every format.

use super::alone;
use super::corpus::loaded;
use keur_core::adapter::Launcher;
use keur_core::event::SubmissionReport;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::Settings;
use keur_core::languages::Interpreters;
use keur_core::report::{self, Options};
use keur_core::submission;
use keur_sandbox::Tier;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// A name with everything that a file name can hold.
const NAME: &[u8] =
    b"a\x1b[2J\x1b]0;t\x07\x7f\xc2\x9b2J\xe2\x80\xae\xff<script>]]>\"',=cmd|x\n::error::x```&amp;.py";

/// Reports of every fixture that writes hostile text, each with a hostile name.
pub(super) fn reports() -> Vec<Arc<SubmissionReport>> {
    let _alone = alone();
    let loaded = loaded();
    let (settings, interpreters) = (Settings::default(), Interpreters::default());
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    let grader = Grader::new(&loaded, &settings, &interpreters);
    let root = crate::corpus::root().join("fixtures/hostile/submissions");
    let folder = tempfile::tempdir().unwrap();
    let mut reports = Vec::new();
    for (language, ending) in [("python", "py"), ("javascript", "js")] {
        for fixture in [
            "text_controls", "text_controls_returned", "text_markup", "text_names", "invalid_utf8",
            "lone_surrogates", "lone_surrogates_returned", "result_markers",
        ] {
            let mut name = NAME.to_vec();
            name.truncate(name.len() - 2);
            name.extend(ending.as_bytes());
            let path = folder.path().join(OsStr::from_bytes(&name));
            fs::copy(root.join(language).join(fixture).with_extension(ending), &path).unwrap();
            let submission = submission::opened::open(&path).unwrap().submission(&loaded.exercise);
            let shown = submission::opened::distinct_names(&[&path]);
            reports.push(Arc::new(grader.grade(&mut worker, &shown[0], &submission).unwrap()));
        }
    }
    reports
}

pub(super) fn options(colour: bool) -> Options {
    Options { colour, ..Options::default() }
}

pub(super) fn written(format: &str, reports: &[Arc<SubmissionReport>], colour: bool) -> String {
    report::formats::find(format).unwrap().write(reports, &options(colour))
}

/// Characters that a terminal acts upon, or that change the order in which text is shown.
pub(super) fn acts(ch: char) -> bool {
    let directions =
        matches!(ch, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    ch.is_control() && ch != '\n' || directions || matches!(ch, '\u{feff}' | '\u{2028}' | '\u{2029}')
}

#[test]
fn no_control_character_of_a_submission_reaches_the_terminal() {
    let text = written("terminal", &reports(), false);
    let found: Vec<char> = text.chars().filter(|ch| acts(*ch)).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn with_colour_only_the_escapes_of_the_report_itself_are_there() {
    let text = written("terminal", &reports(), true);
    let styles = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap();
    let bare = styles.replace_all(&text, "");
    assert!(text != bare && !bare.contains('\x1b'), "{bare}");
    // The escape that a fixture writes is among what is escaped.
    assert!(!text.contains("E\x1b[31m"), "{text}");
}

#[test]
fn the_report_in_json_is_json() {
    let reports = reports();
    let text = written("json", &reports, false);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["submissions"].as_array().map(Vec::len), Some(reports.len()), "{text}");
}

#[test]
fn every_line_of_the_annotations_is_a_command_of_the_report_itself() {
    let reports = reports();
    // One submission per run too: of many, GitHub would not take all.
    let mut texts: Vec<String> =
        reports.iter().map(|report| written("github", std::slice::from_ref(report), false)).collect();
    texts.push(written("github", &reports, false));
    let command = regex::Regex::new(
        "^::(error|warning|notice) ((file=[^:,]*,)?(line=[0-9]+,)?title=[^:,]*)?::[^:]|^::(error|warning|notice)::[^:]",
    )
    .unwrap();
    for text in texts {
        assert!(text.lines().count() >= 2, "{text}");
        for line in text.lines() {
            assert!(command.is_match(line), "{line}");
            assert!(!line.chars().any(acts), "{line}");
        }
    }
}

#[test]
fn nothing_in_the_summary_leaves_its_code_or_its_line() {
    let reports = reports();
    for reports in reports.iter().map(std::slice::from_ref).chain([reports.as_slice()]) {
        let text = written("markdown", reports, false);
        assert!(text.contains("::set-output") || !text.contains("MARKUP"), "{text}");
        let mut fence: Option<&str> = None;
        for line in text.lines() {
            assert!(!line.chars().any(acts), "{line}");
            let run = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                // A fence ends at the first line with only as many backticks.
                Some(open) if run.len() >= open.len() && run == line => {
                    assert_eq!(run, open, "{text}");
                    fence = None;
                }
                Some(_) => {}
                None if run.len() >= 3 => {
                    assert!(["text", "pycon", "js", "diff"].contains(&&line[run.len()..]), "{line}");
                    fence = Some(run);
                }
                None => prose(line),
            }
        }
        assert_eq!(fence, None, "{text}");
    }
}

/// Checks that no special character of a submission is active in a line outside of code.
#[track_caller]
fn prose(line: &str) {
    assert!(!line.starts_with("    ") && !line.starts_with('\t'), "{line}");
    let spans = regex::Regex::new("(^|[^`])(` [^`]+ `|``` .+ ```|```` .+ ````|`[-+]`)").unwrap();
    let bare = spans.replace_all(line, "$1");
    let bare = regex::Regex::new(r"\\[[:punct:]]").unwrap().replace_all(&bare, "").replace("<!-- -->", "");
    assert!(!bare.contains(['<', '[', '`', '@', '&', '\\']), "{line}");
    let cells = line.starts_with('|');
    assert!(cells == bare.contains('|') && (!cells || bare.matches('|').count() == 5), "{line}");
}

#[test]
fn the_outputs_of_a_step_are_three_lines_of_plain_signs() {
    let text = written("github-output", &reports(), false);
    let plain = regex::Regex::new("^points=[0-9.]+\nmax_points=[0-9.]+\npassed=false\n$").unwrap();
    assert!(plain.is_match(&text), "{text}");
}

/// Formats with their own test above, and the page, which the browser tests cover.
const APART: [&str; 5] = ["terminal", "markdown", "github", "github-output", "html"];

#[test]
fn every_format_for_machines_is_valid_and_holds_no_character_that_acts() {
    let reports = reports();
    for format in report::formats::FORMATS.iter().filter(|format| !APART.contains(&format.name)) {
        for reports in reports.iter().map(std::slice::from_ref).chain([reports.as_slice()]) {
            let text = written(format.name, reports, false);
            let found: Vec<char> =
                text.chars().filter(|ch| acts(*ch) || matches!(ch, '\u{fffe}' | '\u{ffff}')).collect();
            assert!(found.is_empty(), "{}: {found:?}", format.name);
            match format.extension {
                "json" | "sarif" => drop(json(&text)),
                "jsonl" => text.lines().for_each(|line| assert!(json(line)["command"].is_string(), "{line}")),
                "xml" => xml(&text),
                "tap" => tap(&text),
                "csv" => csv(&text),
                other => panic!("{}: what is valid for .{other} is not said here", format.name),
            }
        }
    }
}

#[track_caller]
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Checks that every special character of XML belongs to an element of the report.
#[track_caller]
fn xml(text: &str) {
    let names = "testsuites|testsuite|testcase|failure|error|skipped|properties|property|system-err";
    let own = regex::Regex::new(&format!(
        "<\\?xml version=\"1.0\" encoding=\"UTF-8\"\\?>|</?({names})( [a-z_]+=\"[^\"<>]*\")*/?>"
    ));
    let bare = own.unwrap().replace_all(text, "").into_owned();
    let entities = regex::Regex::new("&(amp|lt|gt|quot|apos);").unwrap();
    let bare = entities.replace_all(&bare, "");
    assert!(!bare.contains(['<', '>', '&', '"', '\'']), "{bare}");
}

#[track_caller]
fn tap(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let count = lines.next().and_then(|plan| plan.strip_prefix("1..")).and_then(|count| count.parse().ok());
    let mut tests = 0;
    let directive = regex::Regex::new(r"(^|[^\\])(\\\\)*#").unwrap();
    for line in lines.filter(|line| !line.starts_with("  ")) {
        tests += 1;
        let rest = line.strip_prefix("not ").unwrap_or(line);
        let name = rest.strip_prefix(&format!("ok {tests} - "));
        assert!(name.is_some_and(|name| !directive.is_match(name)), "{line}");
    }
    assert_eq!(count, Some(tests), "{text}");
}

/// Checks that no cell of a table is a formula, after a reader has removed the quotes.
#[track_caller]
fn csv(text: &str) {
    let cell = regex::Regex::new("(?:^|,)(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))").unwrap();
    for line in text.lines() {
        let cells: Vec<String> = cell
            .captures_iter(line)
            .map(|found| found.get(1).or(found.get(2)).unwrap().as_str().replace("\"\"", "\""))
            .collect();
        assert_eq!(cells.len(), 9 + 4, "{line}");
        for cell in cells {
            assert!(!cell.trim_start().starts_with(['=', '+', '-', '@', '|', '\t', '\r']), "{cell}");
        }
    }
}

#[test]
fn no_line_of_the_terminal_report_is_a_command_to_a_ci() {
    let text = written("terminal", &reports(), false);
    let commands: Vec<&str> =
        text.lines().filter(|line| line.starts_with("::") || line.starts_with("##")).collect();
    assert!(commands.is_empty(), "{commands:?}");
}
