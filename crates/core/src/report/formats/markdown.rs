//! The report in GitHub's Markdown, for a step summary or a comment.
//!
//! It has the points, each failure with its session, and the cases.
//!
//! Text of a submission is in code, between marks longer than any run of them in it, or has every special
//! character escaped: it cannot break out, and mentions no user, issue or address that GitHub would act on.
//! None of it is in a table.

use crate::compare::Verdict;
use crate::compare::diff::{DiffPiece, Difference, visible};
use crate::event::{CaseReport, SubmissionReport};
use crate::messages::{Lang, shortened};
use crate::report::case_writer::CaseWriter;
use crate::report::layout::{Block, Comparison, Labelled, Layout, RaisedAt};
use crate::report::words::Words;
use crate::report::{Cause, Format, Options, at_the_end, causes, groups, notation};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    about: "Markdown, for the summary of a step or a comment",
    extension: "md",
    // The total size is known only at the end.
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// The most bytes of a report: GitHub's limit for a step summary.
const MOST_BYTES: usize = 1 << 20;

/// Bytes reserved for the note that something was omitted.
const RESERVED: usize = 1000;

/// The most lines of a block of code, and characters of a line.
const MOST_LINES: usize = 60;
const MOST_CHARS: usize = 400;

/// The most lines of an exception's text, and of what a line printed.
const MOST_RAISED: usize = 5;
const MOST_PRINTED: usize = 10;

/// A report as it grows, up to its limit.
struct Paper {
    out: String,
    words: Words,
    lang: Lang,
    left_out: usize,
    /// Bytes of the table of cases, which comes last.
    reserved: usize,
}

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let lang = reports.first().map_or(Lang::En, |report| options.lang(report));
    let mut paper = Paper { out: String::new(), words: Words::new(lang), lang, left_out: 0, reserved: 0 };
    if let Some(title) = &options.title {
        paper.part(&format!("# {}\n\n", escaped(title)));
    }
    if reports.len() > 1 {
        paper.overview(reports);
    }
    for report in reports {
        let lang = options.lang(report);
        if lang != paper.lang {
            (paper.words, paper.lang) = (Words::new(lang), lang);
        }
        paper.submission(report, reports.len() > 1);
    }
    if paper.left_out > 0 {
        let line = paper.words.count("label-left-out", paper.left_out, &[]);
        paper.out += &format!("\n*{line}.*\n");
    }
    paper.out
}

impl Paper {
    /// Adds a part, unless it or an earlier part did not fit.
    fn part(&mut self, text: &str) {
        if self.left_out > 0 || !self.fits(text) {
            self.left_out += 1;
        } else {
            self.out += text;
        }
    }

    fn fits(&self, text: &str) -> bool {
        self.out.len() + text.len() + self.reserved <= MOST_BYTES - RESERVED
    }

    fn overview(&mut self, reports: &[&SubmissionReport]) {
        let line = self.words.tally(reports).join(" · ");
        self.part(&format!("**{}**\n\n", escaped(&line)));
        for report in reports {
            let result = self.result(report);
            self.part(&format!("- {} {} · {result}\n", mark(report.passed()), span(&report.name)));
        }
        self.part("\n");
    }

    /// The points of a submission, and that it was not graded.
    fn result(&self, report: &SubmissionReport) -> String {
        let state = report.error.as_ref().map(|error| self.words.state(error));
        let points = self.words.known_points(report);
        escaped(&state.into_iter().chain(points).collect::<Vec<_>>().join(" · "))
    }

    fn submission(&mut self, report: &SubmissionReport, many: bool) {
        let title = report
            .exercise
            .as_ref()
            .map_or(String::new(), |exercise| format!(" · {}", escaped(exercise.title.get(self.lang))));
        let mut head = format!("## {} {}{title}\n\n", mark(report.passed()), span(&report.name));
        head += &format!("**{}**", self.result(report));
        if let Some(error) = &report.error {
            let why = self.words.why(error).map(|why| fenced("text", why.lines()));
            self.part(&format!("{head}\n\n{}", why.unwrap_or_default()));
            self.adjustments(report);
            return;
        }
        self.part(&format!("{head} · {}\n\n", escaped(&self.words.cases(report))));
        self.adjustments(report);
        let writer = CaseWriter::in_lang(report, self.lang);
        let table = self.table(&report.cases, many);
        self.reserved = table.len();
        for warning in &report.warnings {
            let text = self.blocks(&writer.warning_blocks(warning), &writer);
            self.part(&text);
        }
        for cause in causes(report) {
            let text = self.failure(&cause, &writer);
            self.part(&text);
        }
        // Whatever was left out, the cases are there if they alone would have fitted.
        self.reserved = 0;
        if self.fits(&table) {
            self.out += &table;
        } else {
            self.left_out += 1;
        }
    }

    /// The lines on what changed the points.
    fn adjustments(&mut self, report: &SubmissionReport) {
        let lines: String =
            self.words.adjustments(report).iter().map(|text| format!("- {}\n", escaped(text))).collect();
        if !lines.is_empty() {
            self.part(&(lines + "\n"));
        }
    }

    /// The cases; for many submissions, only those that did not pass.
    fn table(&self, cases: &[CaseReport], many: bool) -> String {
        let shown: Vec<&CaseReport> =
            cases.iter().filter(|case| !many || case.verdict != Verdict::Passed).collect();
        let [case, verdict, points] =
            ["label-case", "label-verdict", "label-worth"].map(|id| escaped(&self.words.say(id)));
        let head = format!("| | {case} | {verdict} | {points} |\n|---|---|---|--:|\n");
        let mut table = String::new();
        for group in groups(shown) {
            if let Some(heading) = group.heading {
                table += &format!("### {}\n\n", escaped(heading.get(self.lang)));
            }
            table += &head;
            for (_, case) in group.cases {
                let verdict = self.words.result(case, |needed| needed.title.get(self.lang));
                let row = format!(
                    "| {} | {} | {} | {} |\n",
                    mark(case.verdict == Verdict::Passed),
                    escaped(case.title.get(self.lang)),
                    escaped(&verdict),
                    self.words.fraction(case.points, case.max_points),
                );
                table += &row;
            }
            table.push('\n');
        }
        table
    }

    fn failure(&self, cause: &Cause<'_>, writer: &CaseWriter<'_>) -> String {
        let blocks = writer.cause_blocks(cause, &Layout::MARKDOWN);
        format!("### ✗ {}\n\n", escaped(&writer.headline(cause))) + &self.blocks(&blocks, writer)
    }

    fn blocks(&self, blocks: &[Block<'_>], writer: &CaseWriter<'_>) -> String {
        blocks.iter().map(|block| self.block(block, writer)).collect()
    }

    fn block(&self, block: &Block<'_>, writer: &CaseWriter<'_>) -> String {
        match block {
            Block::Sentence(text) => format!("**{}**\n\n", escaped(text)),
            Block::Hidden(text) | Block::Note(text) => paragraph(text),
            Block::Consequences(list) | Block::Trials(list) => paragraph(&list.summary),
            Block::Session(session) => {
                let lines = writer.session(session);
                fenced(notation(writer.report).markdown(), lines.iter().map(String::as_str))
            }
            Block::Compared(both) => self.compared(both),
            Block::Expected(Labelled { label, text }) | Block::Got(Labelled { label, text }) => {
                format!("{}:\n\n{}", escaped(label), fenced("text", text.lines()))
            }
            Block::Printed(Labelled { label, text }) => {
                format!("{}:\n\n{}", escaped(label), fenced("text", text.lines().take(MOST_PRINTED)))
            }
            Block::Raised(raised) => self.raised(raised),
            Block::Hint(Labelled { label, text }) => format!("> {}: {}\n\n", escaped(label), escaped(text)),
            Block::Warning(Labelled { label, text }) => {
                format!("**{}**: {}\n\n", escaped(label), escaped(text))
            }
        }
    }

    fn raised(&self, raised: &RaisedAt<'_>) -> String {
        let places: Vec<String> = raised.last_places().iter().map(|place| self.words.at(place)).collect();
        let text = raised.text.unwrap_or_default().lines().take(MOST_RAISED);
        let lines: Vec<&str> = text.chain(places.iter().map(String::as_str)).collect();
        if lines.is_empty() { String::new() } else { fenced("text", lines.into_iter()) }
    }

    /// Both sides, with a sign before each line that only one of them has.
    fn compared(&self, both: &Comparison<'_>) -> String {
        let Difference { rows, omitted } = both.difference();
        let text = |pieces: &[DiffPiece]| pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
        let mut lines = Vec::new();
        for row in &rows {
            let sides = [("- ", &row.expected), ("+ ", &row.got)];
            if row.is_equal() {
                lines.extend(row.expected.as_deref().map(|pieces| format!("  {}", text(pieces))));
            } else {
                lines.extend(sides.iter().filter_map(|(sign, side)| {
                    side.as_deref().map(|pieces| format!("{sign}{}", text(pieces)))
                }));
            }
        }
        lines.extend((omitted > 0).then(|| self.words.more_lines(omitted)));
        let head = format!("`-` {} · `+` {}", escaped(&both.expected.label), escaped(&both.got.label));
        format!("{head}\n\n{}", fenced("diff", lines.iter().map(String::as_str)))
    }
}

/// A text as a paragraph.
fn paragraph(text: &str) -> String {
    format!("{}\n\n", escaped(text))
}

fn mark(passed: bool) -> &'static str {
    if passed { "✓" } else { "✗" }
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|ch| ch != '`').map(str::len).max().unwrap_or(0)
}

/// Lines as a block of code.
fn fenced<'t>(language: &str, lines: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for (index, line) in lines.enumerate() {
        if index == MOST_LINES {
            text += "…\n";
            break;
        }
        text += &visible(&shortened(line, MOST_CHARS), false);
        text.push('\n');
    }
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}{language}\n{text}{fence}\n\n")
}

/// A text as inline code.
fn span(text: &str) -> String {
    let text = visible(&shortened(text, MOST_CHARS), false);
    let marks = "`".repeat(longest_run(&text) + 1);
    // Code strips one blank at either end; without it, backticks at either end would join the marks.
    format!("{marks} {text} {marks}")
}

/// A text on one line, with all markup escaped.
///
/// Markdown leaves `@name` and `#1` to GitHub, which finds them in the displayed text: a comment after the
/// sign splits them.
fn escaped(text: &str) -> String {
    let text = visible(&shortened(text, MOST_CHARS), false);
    let mut out = String::with_capacity(text.len() + 16);
    for ch in text.trim().chars() {
        if ch.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(ch);
        if matches!(ch, '@' | '#') {
            out += "<!-- -->";
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{FORMAT, MOST_BYTES, Options, Paper, Words, escaped, fenced, span};
    use crate::event::{RunError, SubmissionReport};
    use crate::messages::Lang;
    use crate::report::Scope;
    use std::sync::Arc;

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks_in_it() {
        assert_eq!(fenced("text", "a\n````\nb".lines()), "`````text\na\n````\nb\n`````\n\n");
        assert_eq!(fenced("text", ["x"].into_iter()), "```text\nx\n```\n\n");
    }

    #[test]
    fn no_line_end_in_a_line_ends_its_block() {
        assert_eq!(fenced("text", ["a\r```\u{2028}b"].into_iter()), "````text\na␍```\\u2028b\n````\n\n");
    }

    #[test]
    fn a_span_holds_backticks_and_line_ends() {
        assert_eq!(span("a`b\n``"), "``` a`b␊`` ```");
        assert_eq!(span("<b>|@user"), "` <b>|@user `");
    }

    #[test]
    fn signs_in_a_sentence_mean_only_themselves() {
        assert_eq!(escaped("<img src=x>|a"), "\\<img src\\=x\\>\\|a");
        assert_eq!(escaped("![x](http://e)"), "\\!\\[x\\]\\(http\\:\\/\\/e\\)");
        assert_eq!(escaped("@user #1"), "\\@<!-- -->user \\#<!-- -->1");
        assert_eq!(escaped("    a\n# b"), "a␊\\#<!-- --> b");
    }

    #[test]
    fn a_report_that_is_too_long_is_cut_and_says_so() {
        let ungraded = |index: usize| {
            let name = format!("{index}{}", "x".repeat(300));
            Arc::new(SubmissionReport {
                error: Some(RunError::Usage("`".repeat(300))),
                ..SubmissionReport::new(name, "")
            })
        };
        let reports: Vec<_> = (0..1500).map(ungraded).collect();
        let options = Options { lang: Some(Lang::En), scope: Scope::Many, ..Options::default() };
        let text = FORMAT.write(&reports, &options);
        assert!(text.len() <= MOST_BYTES && text.len() > MOST_BYTES - 4000, "{}", text.len());
        assert!(
            text.ends_with("parts of this report were omitted, because it would be too long.*\n"),
            "{}",
            &text[text.len() - 200..]
        );
        assert!(!FORMAT.write(&reports[..10], &options).contains("omitted"));
    }

    #[test]
    fn parts_after_one_without_room_are_left_out_too() {
        let mut paper = Paper {
            out: String::new(),
            words: Words::new(Lang::En),
            lang: Lang::En,
            left_out: 0,
            reserved: 0,
        };
        paper.part("a");
        paper.part(&"x".repeat(MOST_BYTES));
        paper.part("b");
        assert_eq!((paper.out.as_str(), paper.left_out), ("a", 2));
    }
}
