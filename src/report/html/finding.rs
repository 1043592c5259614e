//! What a failed case shows: the session, both sides, the boards, the exception, and what followed from it.

use super::markup::Html;
use super::sign;
use crate::compare::Verdict;
use crate::compare::diff::{self, Piece, Row};
use crate::draw::Svg;
use crate::event::{CaseReport, ExceptionReport, Finding, Place};
use crate::exercises;
use crate::exercises::picture::Pair;
use crate::messages::Lang;
use crate::report::words::Words;
use crate::value::syntax::Syntax;

/// Lines of a session, a message or an output that are shown, and places of an exception.
const MOST_LINES: usize = 80;
const MOST_MESSAGE: usize = 12;
const MOST_PLACES: usize = 12;

/// Characters of a line from which on both sides of a difference break theirs rather than run on.
const LONG: usize = 32;

/// What the parts of a finding need to know.
pub(super) struct Sheet<'a> {
    pub(super) words: &'a Words,
    pub(super) lang: Lang,
    pub(super) syntax: Syntax,
    /// The exercise, for its boards.
    pub(super) game: &'a str,
}

impl Sheet<'_> {
    /// The verdict on a case, with its sign.
    pub(super) fn verdict(&self, html: &mut Html, verdict: Verdict) {
        let (sign, class) = sign::of(verdict);
        html.element("span", &[("class", &format!("verdict v-{class}"))], |html| {
            html.line("span", &[("class", "sign"), ("aria-hidden", "true")], sign);
            html.text(" ");
            html.text(&self.words.verdict(verdict));
        });
    }

    /// The heading of a failed case. What is wrong before the first step is of no single case.
    pub(super) fn title(&self, case: &CaseReport) -> String {
        if before_all(case).is_some() {
            self.words.verdict(case.verdict)
        } else {
            case.title.get(self.lang).to_owned()
        }
    }

    /// A failed case, below its heading.
    pub(super) fn body(&self, html: &mut Html, case: &CaseReport) {
        match &case.finding {
            // What a student may not see was taken away.
            None => html.line("p", &[("class", "quiet")], &self.words.say("label-hidden")),
            Some(finding) => {
                if case.hidden {
                    html.line("p", &[("class", "quiet")], &self.words.say("label-hidden"));
                }
                self.finding(html, case, finding);
            }
        }
        self.trials(html, case);
        if let Some(hint) = case.hint.as_ref().filter(|_| before_all(case).is_none()) {
            html.element("p", &[("class", "hint")], |html| {
                html.line("strong", &[], &self.words.say("label-hint"));
                html.text(" ");
                html.text(hint.get(self.lang));
            });
        }
    }

    fn finding(&self, html: &mut Html, case: &CaseReport, finding: &Finding) {
        let sentence = self.words.sentence(finding, self.syntax);
        html.line("p", &[("class", "sentence")], &sentence);
        self.session(html, &finding.session);
        let line = finding.session.last().map(String::as_str).unwrap_or_default();
        match (&finding.expected, &finding.got) {
            (Some(expected), Some(got)) => {
                html.element("div", &[("class", "compared")], |html| {
                    let picture = exercises::find(self.game).and_then(|exercise| exercise.picture.as_ref());
                    if let Some(pair) = picture.and_then(|picture| picture.pair(line, expected, got)) {
                        self.boards(html, &pair);
                    }
                    self.diff(html, expected, got);
                });
            }
            (Some(expected), None) => self.side(html, "label-expected", "e", expected),
            (None, Some(got)) if finding.exception.is_none() => self.side(html, "label-got", "g", got),
            (None, _) => {}
        }
        if let Some(raised) = &finding.exception {
            let shown = finding.expected.is_some() && finding.got.as_ref() == Some(&raised.text);
            self.exception(html, raised, !shown);
        }
        if let Some(printed) = &finding.printed {
            html.line("p", &[("class", "label")], &self.words.say("label-printed"));
            self.block(html, "output", printed.lines(), MOST_MESSAGE);
        }
        self.consequences(html, case);
    }

    /// The session, with its last line, which failed, told apart.
    fn session(&self, html: &mut Html, session: &[String]) {
        let Some((failing, before)) = session.split_last() else { return };
        let left_out = before.len().saturating_sub(MOST_LINES);
        html.element("pre", &[("class", "session")], |html| {
            html.element("code", &[], |html| {
                if left_out > 0 {
                    html.line("span", &[("class", "quiet")], &format!("… {}", self.more(left_out)));
                    html.end_line();
                }
                for line in before.iter().skip(left_out) {
                    html.line("span", &[], line);
                    html.end_line();
                }
                html.line("b", &[("class", "failing")], failing);
            });
        });
    }

    fn more(&self, count: usize) -> String {
        self.words.count("label-more-lines", count, &[])
    }

    fn boards(&self, html: &mut Html, pair: &Pair) {
        html.element("div", &[("class", "boards")], |html| {
            for (id, svg) in
                [("label-expected", &Pair::expected as &dyn Fn(&_, &str) -> Svg), ("label-got", &Pair::got)]
            {
                let side = self.words.say(id);
                html.element("figure", &[], |html| {
                    html.line("figcaption", &[], &side);
                    html.picture(&svg(pair, &self.words.with("html-board", &[("side", &side)])));
                });
            }
        });
    }

    /// Both sides next to each other, what differs told apart by a line and by a colour.
    fn diff(&self, html: &mut Html, expected: &str, got: &str) {
        let (rows, mut more) = diff::side_by_side(expected, got);
        let (rows, left_out) = diff::near_differences(rows);
        more += left_out;
        let rows: Vec<Row> = rows.into_iter().map(whole_where_unlike).collect();
        let long = rows
            .iter()
            .flat_map(|row| [&row.expected, &row.got])
            .any(|side| side.iter().flatten().map(|piece| piece.text.chars().count()).sum::<usize>() > LONG);
        html.element("div", &[("class", "scroll"), ("tabindex", "0")], |html| {
            html.element("table", &[("class", if long { "diff long" } else { "diff" })], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        html.line("th", &[("scope", "col")], &self.words.say("label-expected"));
                        html.line("td", &[("class", "sign")], "");
                        html.line("th", &[("scope", "col")], &self.words.say("label-got"));
                    });
                });
                html.element("tbody", &[], |html| {
                    for row in &rows {
                        html.element("tr", &[], |html| {
                            pieces(html, row.expected.as_deref(), "e");
                            html.line("td", &[("class", "sign")], if row.is_equal() { "" } else { "≠" });
                            pieces(html, row.got.as_deref(), "g");
                        });
                    }
                });
            });
        });
        if more > 0 {
            html.line("p", &[("class", "quiet")], &format!("… {}", self.more(more)));
        }
    }

    fn side(&self, html: &mut Html, label: &str, class: &'static str, text: &str) {
        html.line("p", &[("class", "label")], &self.words.say(label));
        self.block(html, class, text.lines(), MOST_LINES);
    }

    /// An exception, and the submission's own lines that it passed through: the last one raised it.
    pub(super) fn exception(&self, html: &mut Html, raised: &ExceptionReport, text: bool) {
        if text {
            self.block(html, "raised", raised.text.lines(), MOST_MESSAGE);
        }
        let left_out = raised.places.len().saturating_sub(MOST_PLACES);
        if raised.places.is_empty() {
            return;
        }
        html.element("ol", &[("class", "places")], |html| {
            for (index, place) in raised.places.iter().enumerate().skip(left_out) {
                let last = index + 1 == raised.places.len();
                html.element("li", &[], |html| self.place(html, place, last));
            }
        });
    }

    fn place(&self, html: &mut Html, place: &Place, last: bool) {
        let line = place.line.to_string();
        let at = self.words.with("label-raised-at", &[("file", &place.file), ("line", &line)]);
        html.element("span", &[("class", "quiet")], |html| {
            html.text(&at);
            if !place.function.is_empty() {
                html.text(" · ");
                html.text(&place.function);
            }
        });
        html.element("pre", &[("tabindex", "0")], |html| {
            let code = if last { [("class", "failing")] } else { [("class", "passing-by")] };
            html.element("code", &code, |html| {
                html.line("span", &[("class", "number")], &line);
                html.text(" ");
                html.text(place.source.trim());
            });
        });
    }

    fn consequences(&self, html: &mut Html, case: &CaseReport) {
        if case.consequences.is_empty() {
            return;
        }
        let steps: Vec<String> =
            case.consequences.iter().map(|consequence| consequence.step.to_string()).collect();
        let summary = self.words.count("label-consequences", steps.len(), &[("steps", &steps.join(", "))]);
        html.element("details", &[], |html| {
            html.line("summary", &[], &summary);
            html.element("ul", &[("class", "steps")], |html| {
                for consequence in &case.consequences {
                    html.element("li", &[], |html| {
                        html.text(&self.words.with("label-step", &[("step", &consequence.step.to_string())]));
                        html.text(" ");
                        self.verdict(html, consequence.verdict);
                    });
                }
            });
        });
    }

    fn trials(&self, html: &mut Html, case: &CaseReport) {
        if case.trials.is_empty() {
            return;
        }
        let passed = case.trials.iter().filter(|trial| trial.verdict == Verdict::Passed).count().to_string();
        let total = case.trials.len().to_string();
        let said = self.words.with("label-unstable", &[("passed", &passed), ("total", &total)]);
        html.element("div", &[("class", "warning")], |html| {
            html.line("p", &[], &said);
            html.element("ul", &[("class", "steps")], |html| {
                for trial in &case.trials {
                    html.element("li", &[], |html| {
                        html.text(&self.words.with("html-seed", &[("seed", &trial.seed.to_string())]));
                        html.text(" ");
                        self.verdict(html, trial.verdict);
                    });
                }
            });
        });
    }

    /// Lines as they were written.
    fn block<'t>(
        &self,
        html: &mut Html,
        class: &'static str,
        lines: impl Iterator<Item = &'t str>,
        most: usize,
    ) {
        html.element("pre", &[("class", class), ("tabindex", "0")], |html| {
            html.element("code", &[], |html| {
                for (index, line) in lines.enumerate() {
                    if index > 0 {
                        html.end_line();
                    }
                    if index == most {
                        html.text("…");
                        break;
                    }
                    html.line("span", &[], line);
                }
            });
        });
    }
}

/// A row in which each side differs as a whole, where they have little in common: single characters that happen to be
/// the same say nothing.
fn whole_where_unlike(row: Row) -> Row {
    let (Some(expected), Some(got)) = (&row.expected, &row.got) else { return row };
    let count = |side: &[Piece], of: fn(&Piece) -> bool| -> usize {
        side.iter().filter(|piece| of(piece)).map(|piece| piece.text.chars().count()).sum()
    };
    let (same, longer) =
        (count(expected, |piece| !piece.differs), count(expected, |_| true).max(count(got, |_| true)));
    if 2 * same >= longer {
        return row;
    }
    let whole = |side: &[Piece]| {
        Some(vec![Piece { text: side.iter().map(|piece| piece.text.as_str()).collect(), differs: true }])
    };
    Row { expected: whole(expected), got: whole(got) }
}

/// What went wrong before the first step.
pub(super) fn before_all(case: &CaseReport) -> Option<&Finding> {
    case.finding.as_deref().filter(|finding| finding.step == 0)
}

/// One side of a row.
fn pieces(html: &mut Html, pieces: Option<&[Piece]>, class: &'static str) {
    let Some(pieces) = pieces else {
        html.line("td", &[("class", "none")], "");
        return;
    };
    html.element("td", &[], |html| {
        for piece in pieces {
            if piece.differs {
                html.line("mark", &[("class", class)], &piece.text);
            } else {
                html.text(&piece.text);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::whole_where_unlike;
    use crate::compare::diff::side_by_side;

    #[test]
    fn sides_with_little_in_common_differ_as_a_whole() {
        let marked = |expected: &str, got: &str| {
            let row = whole_where_unlike(side_by_side(expected, got).0.remove(0));
            row.got
                .unwrap()
                .iter()
                .filter(|piece| piece.differs)
                .map(|piece| piece.text.clone())
                .collect::<String>()
        };
        assert_eq!(marked("true", "AssertionError: spel"), "AssertionError: spel");
        assert_eq!(marked("False", "True"), "True");
        assert_eq!(marked("? ? R ?", "? ? R B"), "B");
    }
}
