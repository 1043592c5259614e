//! The report of an audit for a terminal: survivors first, then what each case kills.

use super::matrix::{AuditReport, AuditedProgram, Fate, Proposal};
use anstyle::{AnsiColor, Style};
use keur_core::case::tame;
use keur_core::report::wrap::wrapped;
use std::fmt::Write;

/// The look of the text.
#[derive(Clone, Copy, Debug)]
pub struct TerminalStyle {
    /// Whether it has colours.
    pub colour: bool,
    /// Columns of a line.
    pub width: usize,
}

/// The report of an exercise.
pub fn text(report: &AuditReport, style: TerminalStyle) -> String {
    let mut paper = AuditText { out: String::new(), style };
    paper.head(report);
    for program in report.survivors() {
        paper.survivor(program);
    }
    paper.proofs(report);
    paper.cases(report);
    paper.hints(report);
    paper.ungraded(report);
    paper.out
}

/// `1 case`, `2 cases`.
pub(super) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

struct AuditText {
    out: String,
    style: TerminalStyle,
}

impl AuditText {
    /// A paragraph, broken between words.
    fn prose(&mut self, text: &str, hang: usize) {
        let text = wrapped(&tame(text), self.style.width, hang);
        self.out += &text;
        self.out.push('\n');
    }

    fn painted(&self, text: &str, style: Style) -> String {
        if self.style.colour {
            format!("{}{text}{}", style.render(), style.render_reset())
        } else {
            text.to_owned()
        }
    }

    /// A line that begins with a word in this colour.
    fn marked(&mut self, indent: usize, word: &str, colour: AnsiColor, rest: &str) {
        let rest = wrapped(&format!("{:indent$}{word}{}", "", tame(rest)), self.style.width, indent + 2);
        let painted = self.painted(word, colour.on_default().bold());
        self.out += &rest.replacen(word, &painted, 1);
        self.out.push('\n');
    }

    fn head(&mut self, report: &AuditReport) {
        let (killed, survived) = (report.killed(), report.survivors().count());
        let title = self.painted(&tame(&report.title), Style::new().bold());
        let cases = counted(report.cases.len(), "case");
        let programs = counted(killed + survived, "wrong program");
        self.out += &format!("{title} · {cases} · {programs}\n\n");
        let equivalent = match report.count(Fate::Equivalent) {
            0 => String::new(),
            1 => " · 1 more is equivalent to the right program".to_owned(),
            count => format!(" · {count} more are equivalent to the right program"),
        };
        let (word, colour) = match survived {
            0 => ("all killed".to_owned(), AnsiColor::Green),
            1 => ("1 survives".to_owned(), AnsiColor::Red),
            count => (format!("{count} survive"), AnsiColor::Red),
        };
        let rest = if survived == 0 { String::new() } else { format!(" · {killed} killed") };
        self.marked(2, &word, colour, &format!("{rest}{equivalent}"));
        for (kind, counts) in report.kinds() {
            let counts: Vec<String> =
                counts.iter().map(|(fate, count)| format!("{count} {}", fate.title())).collect();
            self.prose(&format!("  {}: {}", kind.title(), counts.join(" · ")), 4);
        }
        self.out.push('\n');
    }

    fn survivor(&mut self, audited: &AuditedProgram) {
        let program = &audited.program;
        let ruling = if program.ruling { ", a ruling" } else { "" };
        let rest = format!(" {} ({}{ruling})", program.name, program.place);
        self.marked(2, "survives", AnsiColor::Red, &rest);
        if !program.what.is_empty() {
            self.prose(&format!("    {}", program.what), 4);
        }
        for line in &program.patch {
            let colour = match line.as_bytes().first() {
                Some(b'-') => Some(AnsiColor::Red),
                Some(b'+') => Some(AnsiColor::Green),
                Some(_) | None => None,
            };
            let line = tame(line.trim_end());
            let line = colour.map_or(line.clone(), |colour| self.painted(&line, colour.on_default()));
            let _ = writeln!(self.out, "      {line}");
        }
        for remark in audited.remarks() {
            self.prose(&format!("    {remark}"), 4);
        }
        if let Some(Proposal::Case(text)) = &audited.proposal {
            self.out += "    a case that would kill it:\n";
            for line in tame(text).lines() {
                self.out += format!("      {line}").trim_end();
                self.out.push('\n');
            }
        }
        self.out.push('\n');
    }

    /// Why equivalent programs are equivalent.
    fn proofs(&mut self, report: &AuditReport) {
        for audited in report.of(Fate::Equivalent) {
            let program = &audited.program;
            let proof = program.equivalent.as_deref().unwrap_or_default();
            let said = format!("  equivalent {} ({}): {proof}", program.name, program.place);
            self.prose(&said, 4);
        }
        if report.count(Fate::Equivalent) > 0 {
            self.out.push('\n');
        }
    }

    fn cases(&mut self, report: &AuditReport) {
        self.out += "  kills  alone  case\n";
        for (index, case) in report.cases.iter().enumerate() {
            let ruling = if case.ruling { " [ruling]" } else { "" };
            let random = if case.random { " [random sessions]" } else { "" };
            let needed = if report.subset.contains(&index) { "*" } else { " " };
            let _ = writeln!(
                self.out,
                "  {:>5}  {:>5} {needed}{}{ruling}{random}",
                case.kills,
                case.alone,
                tame(&case.name)
            );
        }
        self.out.push('\n');
        let names = |keep: &dyn Fn(usize) -> bool| {
            let kept = (0..report.cases.len()).filter(|index| keep(*index));
            kept.map(|index| report.cases[index].name.clone()).collect::<Vec<String>>()
        };
        self.list(&names(&|index| report.cases[index].kills == 0), "that kills nothing", "that kill nothing");
        let superfluous = names(&|index| report.cases[index].kills > 0 && report.cases[index].alone == 0);
        self.list(
            &superfluous,
            "that kills nothing that others do not",
            "that kill nothing that others do not",
        );
        if !report.subset.is_empty() {
            let said = format!(
                "  * {} of {} kill as much as all of them (found greedily)",
                report.subset.len(),
                counted(report.cases.len(), "case")
            );
            self.prose(&said, 4);
            self.out.push('\n');
        }
    }

    /// The hints that are shown for no wrong program.
    fn hints(&mut self, report: &AuditReport) {
        let unshown = report.unshown_hints();
        if unshown.is_empty() {
            return;
        }
        self.out += "  hints that are shown for no wrong program:\n";
        for (case, hint) in &unshown {
            self.prose(&format!("    {case}: {hint}"), 6);
        }
        self.out.push('\n');
    }

    /// A list of cases, unless there are none.
    fn list(&mut self, names: &[String], one: &str, many: &str) {
        let said = if names.len() == 1 { one } else { many };
        if !names.is_empty() {
            self.prose(&format!("  {} {said}: {}", counted(names.len(), "case"), names.join(", ")), 4);
        }
    }

    fn ungraded(&mut self, report: &AuditReport) {
        for (name, why) in &report.ungraded {
            self.marked(2, "not graded", AnsiColor::Yellow, &format!(" {name}: {why}"));
        }
        if !report.ungraded.is_empty() {
            self.out.push('\n');
        }
    }
}
