//! JUnit's XML, in two formats.
//!
//! `junit` follows the strictest schema in use (Jenkins' `junit-10.xsd`); `junit-rich` adds what many readers
//! show and that schema refuses. A submission is a suite; if its cases are gathered in groups, each group is
//! one. It is written by hand: there are five elements, and each format has its own limits. They hold no
//! times, so that the same submission gives the same report.

use super::lines::error;
use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, Event, Runtime, SubmissionReport};
use crate::named::Named;
use crate::report::case_writer::{CaseWriter, line};
use crate::report::groups::{CaseGroup, groups};
use crate::report::order::OrderKey;
use crate::report::{Format, Options, Order, Reporter};
use std::ops::{AddAssign, Range};

pub(super) const FORMAT: Format = Format {
    name: "junit",
    about: "JUnit XML that the strictest schema accepts",
    extension: "xml",
    reporter: || Box::new(JunitDocument::new(Profile::Strict)),
    ..Format::NOTHING
};

pub(super) const RICH: Format = Format {
    name: "junit-rich",
    about: "JUnit XML with points, tags, lines and warnings too",
    extension: "xml",
    reporter: || Box::new(JunitDocument::new(Profile::Rich)),
    ..Format::NOTHING
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Profile {
    Strict,
    Rich,
}

/// The numbers in the head of a suite.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }
}

/// A document in the making. The sums come before all suites, so it is written in the end; until then it
/// keeps the text of each submission's suites instead of the report, which is larger.
struct JunitDocument {
    profile: Profile,
    counts: Counts,
    /// The suites of all submissions.
    text: String,
    submissions: Vec<WrittenSuites>,
}

/// The place of one submission's suites in the text.
struct WrittenSuites {
    key: OrderKey,
    range: Range<usize>,
}

impl JunitDocument {
    fn new(profile: Profile) -> JunitDocument {
        JunitDocument { profile, counts: Counts::default(), text: String::new(), submissions: Vec::new() }
    }

    fn add(&mut self, report: &SubmissionReport, options: &Options) {
        let start = self.text.len();
        for suite in suites(report, options, self.profile) {
            self.counts += suite.counts;
            self.text += &suite.text;
        }
        if options.order != Order::Given {
            let key = options.order.key(report, options);
            self.submissions.push(WrittenSuites { key, range: start..self.text.len() });
        }
    }

    /// The whole text. It is moved and not copied, unless the order is another one.
    fn finish(&mut self, options: &Options) -> String {
        let mut text = std::mem::take(&mut self.text);
        if options.order != Order::Given {
            self.submissions.sort_by(|one, other| one.key.cmp(&other.key));
            text =
                self.submissions.iter().filter_map(|submission| text.get(submission.range.clone())).collect();
        }
        let Counts { tests, failures, errors, skipped: _ } = self.counts;
        let mut attributes = vec![("name", options.title.clone().unwrap_or_else(|| "keur".to_owned()))];
        let counted = [("tests", tests), ("failures", failures), ("errors", errors)];
        attributes.extend(counted.map(|(name, count)| (name, count.to_string())));
        let head = start_tag("testsuites", &attributes);
        text.insert_str(0, &format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{head}\n"));
        text += "</testsuites>\n";
        text
    }
}

impl Reporter for JunitDocument {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::SubmissionFinished { report } => self.add(report, options),
            Event::RunFinished => *out = self.finish(options),
            _ => {}
        }
    }
}

/// A suite, written.
struct WrittenSuite {
    counts: Counts,
    text: String,
}

/// A suite for each group of a submission's cases, or one for all.
fn suites(report: &SubmissionReport, options: &Options, profile: Profile) -> Vec<WrittenSuite> {
    let mut groups = groups(&report.cases);
    if groups.is_empty() {
        groups.push(CaseGroup { heading: None, cases: Vec::new() });
    }
    groups.iter().map(|group| suite(report, group, options, profile)).collect()
}

fn suite(
    report: &SubmissionReport,
    group: &CaseGroup<'_>,
    options: &Options,
    profile: Profile,
) -> WrittenSuite {
    let writer = CaseWriter::new(report, options);
    let class = report.exercise.as_ref().map_or("keur", |exercise| &exercise.name);
    let mut counts = Counts::default();
    let mut inside = String::new();
    if profile == Profile::Rich {
        let mut values = vec![
            ("points", report.points.to_string()),
            ("max_points", report.max_points.to_string()),
            ("path", report.path.clone()),
            ("runtime", report.runtime.as_ref().map(Runtime::name).unwrap_or_default()),
        ];
        if let Some(heading) = group.heading {
            let cases = || group.cases.iter().map(|(_, case)| case);
            values.push(("group", writer.heading(heading).to_owned()));
            values.push(("group_points", cases().map(|case| case.points).sum::<Points>().to_string()));
            values
                .push(("group_max_points", cases().map(|case| case.max_points).sum::<Points>().to_string()));
        }
        values.extend(of_the_class(report));
        inside += &properties(&values);
    }
    if let (Some(problem), Some(why)) = (&report.error, error(report, options)) {
        (counts.tests, counts.errors) = (1, 1);
        let attributes = [("message", why.clone()), ("type", problem.state().name().to_owned())];
        let problem = element("error", &attributes, &text(&why));
        inside +=
            &element("testcase", &[("name", "grade".to_owned()), ("classname", class.to_owned())], &problem);
    }
    for (_, case) in &group.cases {
        counts.tests += 1;
        let mut attributes = vec![("name", case.name.clone()), ("classname", class.to_owned())];
        if profile == Profile::Rich {
            attributes.extend(report.files.first().map(|file| ("file", file.path.clone())));
        }
        let mut below = String::new();
        if profile == Profile::Rich {
            below += &properties(&[
                ("points", case.points.to_string()),
                ("max_points", case.max_points.to_string()),
                ("title", writer.title(case).to_owned()),
                ("tags", case.tags.join(" ")),
            ]);
        }
        below += &problem(&writer, case, &mut counts);
        inside += &element("testcase", &attributes, &below);
    }
    if profile == Profile::Rich && !report.warnings.is_empty() {
        let warnings: Vec<String> = report.warnings.iter().map(|warning| writer.warning(warning)).collect();
        inside += &element("system-err", &[], &text(&warnings.join("\n")));
    }
    let counted = [
        ("tests", counts.tests),
        ("failures", counts.failures),
        ("errors", counts.errors),
        ("skipped", counts.skipped),
    ];
    let name = match group.heading {
        Some(heading) => format!("{}: {}", report.name, writer.heading(heading)),
        None => report.name.clone(),
    };
    let mut attributes = vec![("name", name)];
    attributes.extend(counted.map(|(name, count)| (name, count.to_string())));
    WrittenSuite { counts, text: element("testsuite", &attributes, &inside) }
}

/// The reason why a case did not pass.
fn problem(writer: &CaseWriter<'_>, case: &CaseReport, counts: &mut Counts) -> String {
    let Some(sentence) = writer.sentence(case) else { return String::new() };
    if case.verdict == Verdict::NotRun {
        counts.skipped += 1;
        return element("skipped", &[("message", sentence)], "");
    }
    counts.failures += 1;
    let attributes = [("message", sentence), ("type", case.verdict.name().to_owned())];
    element("failure", &attributes, &text(&writer.whole(case)))
}

/// The properties of a submission in a class.
fn of_the_class(report: &SubmissionReport) -> Vec<(&'static str, String)> {
    let Some(hand_in) = report.hand_in.as_deref() else { return Vec::new() };
    let mut values = vec![
        ("state", report.state().name().to_owned()),
        ("student", hand_in.student.clone()),
        ("attempt", hand_in.attempt.to_string()),
        ("earned", hand_in.earned.to_string()),
    ];
    values.extend(hand_in.id.iter().map(|id| ("id", id.clone())));
    values.extend(hand_in.email.iter().map(|email| ("email", email.clone())));
    if let Some(late) = &hand_in.late {
        values.extend(late.by.map(|by| ("late_seconds", by.as_secs().to_string())));
        values.push(("late_lost", late.lost.to_string()));
    }
    if let Some(by_hand) = &hand_in.by_hand {
        values.push(("by_hand", by_hand.points.to_string()));
        values.push(("by_hand_why", by_hand.why.clone()));
    }
    values
}

fn properties(values: &[(&'static str, String)]) -> String {
    let property = |(name, value): &(&'static str, String)| {
        element("property", &[("name", (*name).to_owned()), ("value", value.clone())], "")
    };
    element("properties", &[], &values.iter().map(property).collect::<String>())
}

/// An element; its content is XML already.
fn element(name: &str, attributes: &[(&str, String)], inside: &str) -> String {
    let start = start_tag(name, attributes);
    match inside {
        "" => format!("{}/>\n", start.strip_suffix('>').unwrap_or(&start)),
        _ if inside.starts_with('<') => format!("{start}\n{inside}</{name}>\n"),
        _ => format!("{start}{inside}</{name}>\n"),
    }
}

fn start_tag(name: &str, attributes: &[(&str, String)]) -> String {
    let attributes: String =
        attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", text(&line(value)))).collect();
    format!("<{name}{attributes}>")
}

/// A text escaped for XML.
fn text(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;").replace('\'', "&apos;")
}

#[cfg(test)]
mod tests {
    use super::element;

    #[test]
    fn an_attribute_holds_what_would_end_it_and_nothing_that_xml_forbids() {
        let hostile = "\"><a b='\u{0}\u{1b}\u{fffe}\n]]>&amp;".to_owned();
        assert_eq!(
            element("e", &[("a", hostile)], ""),
            "<e a=\"&quot;&gt;&lt;a b=&apos;␀␛\\ufffe␊]]&gt;&amp;amp;\"/>\n"
        );
    }
}
