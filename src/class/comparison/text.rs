//! The changes as text for a terminal.

use super::{CaseChange, CaseCount, GradeChanges, StudentChange, StudentStanding};
use keur_core::case::{Points, tame};
use std::cmp::Ordering;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The most cases that are named on the line of a student; the others are counted.
const MOST_CASES: usize = 4;

/// The most columns that names are padded to.
const WIDEST: usize = 40;

impl GradeChanges {
    /// The changes since the report in the file called `earlier`: how many gain and lose, by which cases,
    /// and a line for each student of whom something changed.
    pub fn text(&self, earlier: &str) -> String {
        let counts = [
            (self.count(Ordering::Greater), "gain"),
            (self.count(Ordering::Less), "lose"),
            (self.count(Ordering::Equal), "change without gain or loss"),
            (self.same, "stay the same"),
        ];
        let always = |what: &str| matches!(what, "gain" | "lose");
        let counts = counts.iter().filter(|(count, what)| *count > 0 || always(what));
        let counts: Vec<String> = counts.map(|(count, what)| count_with_verb(*count, what)).collect();
        let mut out = format!("against {}: {}\n", tame(earlier), counts.join(", "));
        for (name, CaseCount { gain, lose, other }) in self.by_case() {
            let counts = [(gain, "gain"), (lose, "lose"), (other, "change without gain or loss")];
            let counts = counts.iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> = counts.map(|(count, what)| count_with_verb(*count, what)).collect();
            let _ = writeln!(out, "  {}: {}", tame(name), counts.join(", "));
        }
        if !self.students.is_empty() {
            out.push('\n');
        }
        let width = self.students.iter().map(|student| student.name.width()).max().unwrap_or(0).min(WIDEST);
        for student in &self.students {
            let pad = " ".repeat(width.saturating_sub(student.name.width()));
            let _ = writeln!(out, "{}", student.line(&pad));
        }
        out
    }
}

impl StudentChange {
    fn line(&self, pad: &str) -> String {
        let sign = match self.direction() {
            Ordering::Greater => '+',
            Ordering::Less => '−',
            Ordering::Equal => '=',
        };
        let scale =
            |standing: &Option<StudentStanding>| standing.as_ref().map(|standing| standing.max_points);
        let same_scale = scale(&self.before) == scale(&self.after);
        let grade = |standing: &Option<StudentStanding>, none: &str| match standing {
            None => none.to_owned(),
            Some(StudentStanding { points: Some(points), .. }) if same_scale => points.to_string(),
            Some(StudentStanding { points: Some(points), max_points, .. }) => {
                format!("{points}/{max_points}")
            }
            Some(StudentStanding { points: None, state, .. }) => (*state).to_owned(),
        };
        let (before, after) = (grade(&self.before, "new"), grade(&self.after, "gone"));
        let grade = if before == after { after } else { format!("{before} → {after}") };
        let mut why: Vec<String> = self.cases.iter().take(MOST_CASES).map(CaseChange::text).collect();
        if self.cases.len() > MOST_CASES {
            why.push(format!("{} more", self.cases.len() - MOST_CASES));
        }
        why.extend(self.other_reasons());
        let why = why.join("; ");
        format!("  {sign} {}{pad}  {grade:<15} {why}", tame(&self.name)).trim_end().to_owned()
    }

    /// The reasons other than cases for which the points changed.
    fn other_reasons(&self) -> Vec<String> {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return Vec::new() };
        let mut reasons = Vec::new();
        if before.late != after.late {
            reasons.push(format!("late: {} lost, was {}", after.late, before.late));
        }
        let set = |points: Option<Points>| points.map_or("not set".to_owned(), |points| points.to_string());
        if before.by_hand != after.by_hand {
            reasons.push(format!("by hand: {}, was {}", set(after.by_hand), set(before.by_hand)));
        }
        reasons
    }
}

impl CaseChange {
    fn text(&self) -> String {
        let name = tame(&self.name);
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before.verdict != after.verdict => {
                format!("{name}: {} → {}", before.verdict, after.verdict)
            }
            (Some(before), Some(after)) => {
                format!(
                    "{name}: {}/{} → {}/{}",
                    before.points, before.max_points, after.points, after.max_points
                )
            }
            (None, Some(after)) => format!("{name}: new, {}", after.verdict),
            (Some(_), None) => format!("{name}: gone"),
            (None, None) => name,
        }
    }
}

/// A count and its verb: `1 gains`, `2 gain`.
fn count_with_verb(count: usize, verb: &str) -> String {
    let (first, rest) = verb.split_once(' ').map_or((verb, ""), |(first, rest)| (first, rest));
    let ending = if count == 1 { "s" } else { "" };
    format!("{count} {first}{ending} {rest}").trim_end().to_owned()
}
