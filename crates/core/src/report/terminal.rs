//! The report for a terminal: a line for each case, and each failure as the session that shows it.

use super::case_writer::{CaseWriter, adjustments, numbered};
use super::layout::{Block, Comparison, Labelled, Layout, Session, VerdictList};
use super::table::Table;
use super::words::Words;
use super::wrap::wrapped;
use super::{
    Cause, Format, Options, Reporter, Scope, ShownFindings, abridged, causes, groups, in_order, table,
};
use crate::case::Points;
use crate::compare::Verdict;
use crate::compare::diff::{DiffPiece, Difference, Row, visible};
use crate::event::{CaseReport, Event, SubmissionReport};
use crate::messages::{Lang, shortened};
use crate::named::Named;
use crate::sandbox::Tier;
use anstyle::{AnsiColor, Style};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// The report that people read during a run.
pub const FORMAT: Format = Format {
    name: "terminal",
    about: "for people, in a terminal",
    reporter: || Box::new(TerminalReport::default()),
    ..Format::NOTHING
};

/// The submissions written so far, for the table at the end.
#[derive(Default)]
struct TerminalReport {
    kept: Vec<Arc<SubmissionReport>>,
}

impl Reporter for TerminalReport {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::SubmissionFinished { report } => {
                *out += &submission(report, options);
                // Its table names the first finding of each.
                self.kept.push(abridged(report, 1));
            }
            Event::RunFinished => *out += &end(&in_order(&self.kept, options), options),
            _ => {}
        }
    }
}

/// On a terminal narrower than this, the sides of a diff are below each other.
const NARROW: usize = 60;

/// The most lines of an exception's text, and of what a line printed.
const MOST_RAISED: usize = 5;
const MOST_PRINTED: usize = 10;
const LAST_PRINTED: usize = 3;

/// The most lines of what an earlier line of a session gave.
const MOST_GAVE: usize = 8;

/// The most causes of one submission, unless more are asked for.
const MOST_CAUSES: usize = 3;

/// The uses of colours.
#[derive(Clone, Copy)]
enum Role {
    Title,
    Good,
    Bad,
    Quiet,
    Expected,
    Got,
}

struct TerminalText<'a> {
    out: String,
    options: &'a Options,
    words: Words,
}

/// The number of causes of a submission to show: of many submissions, a terminal has room for a table only.
fn most_causes(options: &Options) -> usize {
    match (options.findings, options.scope) {
        (Some(ShownFindings::All), _) | (None, Scope::OneTest) => usize::MAX,
        (Some(ShownFindings::First), _) => 1,
        (Some(ShownFindings::None), _) | (None, Scope::Many) => 0,
        (None, Scope::OneSubmission) => MOST_CAUSES,
    }
}

fn submission(report: &SubmissionReport, options: &Options) -> String {
    let most = most_causes(options);
    let is_silent = match options.scope {
        Scope::OneSubmission => false,
        Scope::OneTest => most == 0,
        Scope::Many => most == 0 || report.passed() && report.warnings.is_empty(),
    };
    if is_silent {
        return String::new();
    }
    let lang = options.lang(report);
    let mut paper = TerminalText { out: String::new(), options, words: Words::new(lang) };
    paper.header(report);
    if let Some(error) = &report.error {
        let why = paper.words.why(error).map(|why| clean(&why));
        let colon = if why.is_some() { ":" } else { "" };
        let label = paper.paint(Role::Bad, &format!("✗ {}{colon}", paper.words.state(error)));
        paper.prose(4, &format!("  {label} {}", why.unwrap_or_default()));
        paper.adjustments(report);
        return paper.out + "\n";
    }
    let causes = causes(report);
    // What cannot be loaded fails every case alike.
    let alike = causes.iter().any(|cause| cause.explains_all && cause.is_before_the_first_step());
    if options.findings != Some(ShownFindings::First) && !alike {
        paper.cases(report, lang);
    }
    let writer = CaseWriter::new(report, options);
    for cause in causes.iter().take(most) {
        paper.cause(cause, &writer);
    }
    if options.findings.is_none() && most > 0 && causes.len() > most {
        paper.line("");
        paper.prose(4, &format!("  {}", paper.words.count("label-more-causes", causes.len() - most, &[])));
    }
    // After the findings, which say what to change first.
    for block in report.warnings.iter().flat_map(|warning| writer.warning_blocks(warning)) {
        paper.block(&block);
    }
    if options.scope != Scope::OneTest {
        paper.totals(report);
    }
    paper.out + "\n"
}

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let lang = options.lang.or_else(|| reports.first().map(|report| options.lang(report)));
    let words = Words::new(lang.unwrap_or(Lang::En));
    let mut paper = TerminalText { out: String::new(), options, words };
    if let Some(title) = &options.title {
        paper.line(&paper.paint(Role::Title, &clean(title)));
    }
    if let Some(exercise) = table::exercise(reports, options) {
        paper.line(&format!("  {}", paper.paint(Role::Title, &exercise)));
    }
    if let Some(Table { header, rows }) = table::table(reports, options) {
        paper.line(&format!("  {}", paper.paint(Role::Quiet, &header)));
        for row in rows {
            paper.line(&format!("{} {}", paper.mark(row.passed), row.text));
        }
    }
    for (name, note) in table::by_hand(reports, options) {
        paper.prose(4, &format!("  ! {name}: {note}"));
    }
    let histogram = table::histogram(reports);
    if !histogram.is_empty() {
        paper.line("");
    }
    for bar in histogram {
        paper.line(&format!("  {bar}"));
    }
    paper.line("");
    let all_passed = reports.iter().all(|report| report.passed());
    // Those of whom the average is: not points set by hand where nothing was graded.
    let graded = || reports.iter().filter(|report| report.error.is_none());
    let points: Points = graded().map(|report| report.points).sum();
    let most: Points = graded().map(|report| report.max_points).sum();
    let average = average(reports)
        .map(|average| paper.words.with("label-average", &[("points", &paper.words.number(average))]));
    let sum = paper.words.points_of(points, most);
    let mut parts = paper.words.tally(reports);
    parts.splice(1..1, std::iter::once(sum).chain(average));
    paper.prose(0, &paper.paint(Role::Title, &parts.join(" · ")));
    if most_causes(options) == 0 && !all_passed {
        let how = paper.words.say("label-see-findings");
        paper.prose(0, &paper.paint(Role::Quiet, &how));
    }
    paper.out
}

/// The average grade, if all are on one scale.
fn average(reports: &[&SubmissionReport]) -> Option<Points> {
    let graded: Vec<&SubmissionReport> =
        reports.iter().copied().filter(|report| report.error.is_none()).collect();
    let most = graded.first()?.max_points;
    let one = graded.iter().all(|report| report.max_points == most);
    let points: Vec<Points> = graded.iter().map(|report| report.points).collect();
    Points::mean(&points).filter(|_| one)
}

impl TerminalText<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// A line of prose or code, broken at spaces where it is wider than the terminal.
    fn prose(&mut self, hang: usize, text: &str) {
        self.line(&wrapped(text, self.options.width, hang));
    }

    fn paint(&self, role: Role, text: &str) -> String {
        if !self.options.colour {
            return text.to_owned();
        }
        let style = match role {
            Role::Title => Style::new().bold(),
            Role::Good => AnsiColor::Green.on_default(),
            Role::Bad => AnsiColor::Red.on_default().bold(),
            Role::Quiet => Style::new().dimmed(),
            Role::Expected => AnsiColor::Green.on_default().underline(),
            Role::Got => AnsiColor::Red.on_default().underline(),
        };
        format!("{style}{text}{style:#}")
    }

    fn mark(&self, passed: bool) -> String {
        if passed { self.paint(Role::Good, "✓") } else { self.paint(Role::Bad, "✗") }
    }

    fn header(&mut self, report: &SubmissionReport) {
        let mut parts = vec![self.paint(Role::Title, &clean(&report.name))];
        parts.extend(
            report.exercise.as_ref().map(|exercise| clean(exercise.title.get(self.options.lang(report)))),
        );
        if let Some(runtime) = &report.runtime {
            parts.push(clean(&runtime.title()));
            // The tier is shown unless it is this system's default.
            if runtime.tier != Tier::default() {
                parts.push(self.words.with("label-tier", &[("tier", runtime.tier.name())]));
            }
        }
        self.prose(2, &parts.join(" · "));
    }

    /// The cases, a row each; of many submissions, only those that did not pass.
    fn cases(&mut self, report: &SubmissionReport, lang: Lang) {
        let width = report.cases.iter().map(|case| case.name.width()).max().unwrap_or(0);
        let shows_passed = self.options.scope == Scope::OneSubmission;
        let is_shown = |case: &&CaseReport| shows_passed || case.verdict != Verdict::Passed;
        for group in groups(report.cases.iter().filter(is_shown)) {
            if let Some(heading) = group.heading {
                let heading = self.paint(Role::Title, &clean(heading.get(lang)));
                self.line("");
                self.prose(2, &format!("  {heading}"));
            }
            for (_, case) in group.cases {
                self.case(case, &clean(case.title.get(lang)), width);
            }
        }
    }

    fn case(&mut self, case: &CaseReport, title: &str, width: usize) {
        let mark = self.mark(case.verdict == Verdict::Passed);
        let pad = " ".repeat(width - case.name.width());
        let points = format!("{}/{}", case.points, case.max_points);
        let verdict = if case.verdict == Verdict::Passed {
            String::new()
        } else {
            format!("  {}", self.paint(Role::Bad, &self.words.result(case, |needed| &needed.name)))
        };
        let name = self.paint(Role::Quiet, &format!("{}{pad}", case.name));
        let hang = "  ✗ ".width() + points.width().max(5) + 2 + width + 2;
        self.prose(hang, &format!("  {mark} {points:>5}  {name}  {title}{verdict}"));
        if let Some(unstable) = self.words.unstable(case) {
            self.prose(4, &format!("  ! {unstable}"));
        }
    }

    /// A finding, the hint of its case, and the other cases that it explains.
    fn cause(&mut self, cause: &Cause<'_>, writer: &CaseWriter<'_>) {
        let case = cause.case;
        let cross = self.paint(Role::Bad, "✗");
        let verdict = self.paint(Role::Bad, &self.words.outcome(case));
        self.line("");
        if cause.is_before_the_first_step() {
            self.line(&format!("  {cross} {verdict}"));
        } else {
            self.prose(4, &format!("  {cross} {} · {} · {verdict}", case.name, clean(writer.title(case))));
        }
        for block in writer.cause_blocks(cause, &Layout::TERMINAL) {
            self.block(&block);
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Hidden(text) => self.line(&format!("    {text}")),
            Block::Sentence(text) => {
                self.prose(4, &format!("    {}", self.paint(Role::Title, &clean(text))));
            }
            Block::Session(session) => self.session(session),
            Block::Compared(both) => self.compared(both),
            Block::Expected(Labelled { label, text }) | Block::Got(Labelled { label, text }) => {
                self.prose(6, &format!("    {label}: {}", clean(text)));
            }
            Block::Printed(Labelled { label, text }) => {
                self.line(&format!("    {label}:"));
                self.printed(text);
            }
            Block::Raised(raised) => {
                for line in raised.text.unwrap_or_default().lines().take(MOST_RAISED) {
                    self.prose(6, &format!("      {}", clean(line)));
                }
                for place in raised.last_places() {
                    self.prose(8, &format!("      {}", clean(&self.words.at(place))));
                }
            }
            Block::Consequences(list) => self.note(&list.summary),
            Block::Note(text) => self.note(text),
            Block::Hint(Labelled { label, text }) => self.prose(4, &format!("    {label}: {}", clean(text))),
            Block::Trials(VerdictList { summary, .. }) => self.prose(4, &format!("  ! {summary}")),
            Block::Warning(Labelled { label, text }) => {
                self.prose(4, &format!("  ! {label}: {}", clean(text)));
            }
        }
    }

    /// The first and the last lines of an output, each as far as it fits.
    fn printed(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let left_out = lines.len().saturating_sub(MOST_PRINTED);
        let first = if left_out > 0 { MOST_PRINTED - LAST_PRINTED } else { lines.len() };
        for (index, line) in lines.iter().enumerate() {
            if index == first {
                self.line(&format!("      {}", self.words.more_lines(left_out)));
            }
            if index < first || index >= first + left_out {
                self.line(&format!("      {}", shortened(&clean(line), self.options.width)));
            }
        }
    }

    /// The session with what its lines gave.
    fn session(&mut self, session: &Session<'_>) {
        // Before each line stands its number, or as many blanks.
        let mut prefixes = numbered(session.lines).zip(session.lines);
        let indent = prefixes.next().map_or(0, |(numbered, line)| numbered.len() - line.text.len());
        for (index, (line, text)) in session.lines.iter().zip(numbered(session.lines)).enumerate() {
            if index == session.folded.start && !session.folded.is_empty() {
                self.note(&self.words.more_lines(session.folded.len()));
            }
            if session.folded.contains(&index) {
                continue;
            }
            self.prose(10, &format!("    {}", clean(&text)));
            let more = line.gave.lines().count().saturating_sub(MOST_GAVE);
            for gave in line.gave.lines().take(MOST_GAVE) {
                let gave = format!("    {}{}", " ".repeat(indent), clean(gave));
                self.prose(10, &self.paint(Role::Quiet, &gave));
            }
            if more > 0 {
                self.note(&format!("{}{}", " ".repeat(indent), self.words.more_lines(more)));
            }
        }
    }

    fn note(&mut self, text: &str) {
        self.prose(4, &format!("    {}", self.paint(Role::Quiet, text)));
    }

    fn totals(&mut self, report: &SubmissionReport) {
        let (points, cases) = (self.words.points(report), self.words.cases(report));
        let mark = self.mark(report.passed());
        self.line("");
        self.line(&format!("  {mark} {} · {cases}", self.paint(Role::Title, &points)));
        self.adjustments(report);
    }

    /// The lines on what changed the points.
    fn adjustments(&mut self, report: &SubmissionReport) {
        for adjustment in adjustments(report, &self.words) {
            self.prose(6, &format!("    {}", clean(&adjustment)));
        }
    }

    /// Both sides, next to each other if they fit, with a sign on each row that differs.
    fn compared(&mut self, both: &Comparison<'_>) {
        let Difference { rows, omitted } = both.difference();
        let (expected, got) = (&both.expected.label, &both.got.label);
        let widest = |side: fn(&Row) -> &Option<Vec<DiffPiece>>| {
            rows.iter().map(|row| side(row).as_deref().map_or(0, width_of)).max().unwrap_or(0)
        };
        let left = widest(|row| &row.expected).max(expected.width());
        let right = widest(|row| &row.got).max(got.width());
        if self.options.width >= NARROW && left + right + 12 <= self.options.width {
            let pad = " ".repeat(left - expected.width());
            self.line(&format!("      {expected}{pad}   {got}"));
            for row in &rows {
                self.beside(row, left);
            }
        } else {
            self.line(&format!("      - {expected}   + {got}"));
            for row in &rows {
                self.below(row);
            }
        }
        if omitted > 0 {
            self.line(&format!("      {}", self.words.more_lines(omitted)));
        }
    }

    fn beside(&mut self, row: &Row, left: usize) {
        let sign = if row.is_equal() { "│" } else { "≠" };
        let expected = row.expected.as_deref().unwrap_or_default();
        let got = row.got.as_deref().unwrap_or_default();
        let pad = " ".repeat(left - width_of(expected));
        let line = format!(
            "      {}{pad} {sign} {}",
            self.pieces(expected, Role::Expected),
            self.pieces(got, Role::Got)
        );
        self.line(&line);
        if !row.is_equal() && !self.options.colour {
            let marks = format!("      {:left$}   {}", carets(expected), carets(got));
            // Marks under all of both sides would show nothing.
            let alike = [expected, got].iter().any(|side| side.iter().any(|piece| !piece.differs));
            // Nor would marks all over two texts that have only letters in common.
            let scattered = [expected, got].into_iter().any(is_scattered);
            if alike && !scattered && !marks.trim().is_empty() && row.expected.is_some() && row.got.is_some()
            {
                self.line(&marks);
            }
        }
    }

    fn below(&mut self, row: &Row) {
        if row.is_equal() {
            let line =
                format!("        {}", self.pieces(row.expected.as_deref().unwrap_or_default(), Role::Quiet));
            self.line(&line);
            return;
        }
        for (sign, side, role) in [("-", &row.expected, Role::Expected), ("+", &row.got, Role::Got)] {
            if let Some(pieces) = side {
                // Where a terminal would break a long value inside a number, it is broken at a space.
                self.prose(8, &format!("      {sign} {}", self.pieces(pieces, role)));
            }
        }
    }

    fn pieces(&self, pieces: &[DiffPiece], role: Role) -> String {
        pieces
            .iter()
            .map(|piece| if piece.differs { self.paint(role, &piece.text) } else { piece.text.clone() })
            .collect()
    }
}

fn width_of(pieces: &[DiffPiece]) -> usize {
    pieces.iter().map(|piece| piece.text.width()).sum()
}

/// The most places of a line that are marked if more than a third of it differs.
const MOST_MARKED: usize = 3;

/// Whether a side differs in many places, and in more than a third of its characters.
fn is_scattered(pieces: &[DiffPiece]) -> bool {
    let differing: Vec<&DiffPiece> = pieces.iter().filter(|piece| piece.differs).collect();
    let width: usize = differing.iter().map(|piece| piece.text.width()).sum();
    differing.len() > MOST_MARKED && width * 3 > width_of(pieces)
}

/// Carets under the characters that differ.
fn carets(pieces: &[DiffPiece]) -> String {
    pieces.iter().map(|piece| if piece.differs { "^" } else { " " }.repeat(piece.text.width())).collect()
}

/// A student's text, without anything that a terminal would obey.
fn clean(text: &str) -> String {
    visible(text, false)
}

#[cfg(test)]
mod tests {
    use super::is_scattered;
    use crate::compare::diff::side_by_side;

    /// Checks whether the carets under two texts are left out.
    #[track_caller]
    fn check(expected: &str, got: &str, scattered: bool) {
        let difference = side_by_side(expected, got);
        let sides = [&difference.rows[0].expected, &difference.rows[0].got];
        let found = sides.into_iter().flatten().any(|side| is_scattered(side));
        assert_eq!(found, scattered, "{expected} ≠ {got}");
    }

    #[test]
    fn texts_that_have_only_letters_in_common_have_no_carets() {
        check("ongeldige positie", "invalid position", true);
        check("ongeldige positie", "ongeldige beurt", false);
        check("ongeldige positie", "Ongeldige positie.", false);
        check("XO-XO", "OX-OX", false);
        check("X-O-X-O-X-O-X-O-X-O", "X-O-X-X-X-O-O-O-X-O", false);
    }
}
