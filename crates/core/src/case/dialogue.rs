//! Reads the steps of a case that have no calls of their own: program runs and matches.

use super::case_file::CaseReader;
use super::diagnostic::did_you_mean;
use super::expect::{Ending, Expect, Games};
use super::plan::{Action, Line, Match, Opponent, PlanStep, ProgramRun, View};
use super::reader::{self, Entry};
use super::resolve;
use super::views;
use crate::exercises;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use toml::de::DeTable;

/// Keys and expectations for program runs only.
const OF_RUN: &[&str] = &["args", "turn", "errors", "exit"];
const EXPECTED_OF_RUN: &[&str] = &["prints", "raises", "writes", "compare"];

/// Keys for matches only.
const OF_MATCH: &[&str] = &["on", "against", "games", "seed", "moves", "not_lost", "won"];

/// Expectations for calls only.
const OF_CALL: &[&str] = &["returns", "equals", "shows", "prints", "raises", "same", "writes", "compare"];

/// The most games of a match.
const MOST_GAMES: u32 = 1000;

/// The deepest search of an opponent: more takes it too long.
const DEEPEST: u32 = 8;

impl CaseReader<'_> {
    /// A step that runs a program or plays a match; `None` for one that makes calls.
    pub(super) fn without_calls(
        &mut self,
        table: &DeTable<'_>,
        span: &Range<usize>,
    ) -> Option<(PlanStep, Expect)> {
        let kind = ["run", "play"].into_iter().find(|kind| reader::get(table, kind).is_some());
        let foreign: Vec<&str> = match kind {
            Some("run") => {
                let calls = OF_CALL.iter().filter(|key| !EXPECTED_OF_RUN.contains(key));
                calls.chain(OF_MATCH).copied().collect()
            }
            Some(_) => OF_CALL.iter().chain(OF_RUN).chain(&["stdin"]).copied().collect(),
            None => OF_RUN.iter().chain(OF_MATCH).copied().collect(),
        };
        for key in foreign {
            if let Some(entry) = reader::get(table, key) {
                let owner = if OF_RUN.contains(&key) {
                    "run"
                } else if OF_MATCH.contains(&key) {
                    "play"
                } else {
                    "do"
                };
                self.error(format!("`{key}` goes with `{owner}`"), entry.span(), None);
            }
        }
        let tolerance = self.tolerance(table);
        let expect = Expect { span: span.clone(), tolerance, ..Expect::default() };
        let (action, expect) = match kind? {
            "run" => {
                let (run, program) = self.run(table)?;
                let prints = self.expected_text(table, "prints");
                let raises = self.raises(table);
                if let (Some(entry), Some(_)) = (reader::get(table, "exit"), &raises) {
                    let help = "leave one of them out".to_owned();
                    self.error("a program that raises has no `exit` of its own", entry.span(), Some(help));
                }
                let writes = self.writes(table);
                (Action::Program(run), Expect { prints, raises, program, writes, ..expect })
            }
            _ => {
                let (game, games) = self.game(table, span)?;
                (Action::Match(Box::new(game)), Expect { games, ..expect })
            }
        };
        let reads = expect.written().map(str::to_owned).collect();
        Some((PlanStep { action, reads }, expect))
    }

    /// The program that a case requires; without it the case does not count.
    pub(super) fn only_with(&mut self, table: &DeTable<'_>) -> Option<BTreeMap<String, String>> {
        self.program(table, "only_with")
    }

    fn program(&mut self, table: &DeTable<'_>, key: &str) -> Option<BTreeMap<String, String>> {
        let name = reader::text(table, key)?;
        let found = self.exercise.program(name);
        if found.is_none() {
            let span = reader::get(table, key).map_or(0..0, Entry::span);
            let known = self.exercise.programs.values().flatten().map(String::as_str);
            let help = did_you_mean(name, known)
                .or_else(|| Some("name it under [programs] in exercise.toml".to_owned()));
            self.error(format!("the exercise has no program `{name}`"), span, help);
        }
        found
    }

    fn run(&mut self, table: &DeTable<'_>) -> Option<(ProgramRun, Ending)> {
        let files = self.program(table, "run");
        let args = reader::texts(table, "args").into_iter().map(|(arg, _)| arg.to_owned()).collect();
        let mut program = Ending {
            errors: self.expected_text(table, "errors"),
            exit: self.whole(table, "exit", 0..=255).and_then(|status| u8::try_from(status).ok()),
            turns: Vec::new(),
        };
        // Empty input is the end of the input.
        let stdin = reader::text(table, "stdin").filter(|text| !text.is_empty());
        let mut input: Vec<String> = stdin.map(str::to_owned).into_iter().collect();
        let turns = reader::get(table, "turn").and_then(|entry| entry.get_ref().as_array());
        if let (Some(entry), Some(_)) = (reader::get(table, "stdin"), turns) {
            let help = "write what is sent as `send` of a turn".to_owned();
            self.error("a dialogue has no `stdin`", entry.span(), Some(help));
        }
        let count = turns.map_or(0, |turns| turns.len());
        for (index, turn) in turns.into_iter().flat_map(|turns| turns.iter()).enumerate() {
            let Some(table) = turn.get_ref().as_table() else { continue };
            let (expect, send) = (self.regex(table, "expect"), reader::text(table, "send"));
            if send.is_none() && index + 1 < count {
                let help = Some("only the last turn may have none: then its input ends".to_owned());
                self.error("the turn has no `send`", turn.span(), help);
            }
            if send.is_none() && reader::get(table, "expect").is_none() {
                self.error("the turn neither expects nor sends", turn.span(), None);
            }
            program.turns.push(expect);
            input.extend(send.map(|text| format!("{}\n", text.strip_suffix('\n').unwrap_or(text))));
        }
        let is_silent = self.exercise.prompts == Some(false);
        Some((ProgramRun { files: files?, args, input, is_silent }, program))
    }

    fn game(&mut self, table: &DeTable<'_>, span: &Range<usize>) -> Option<(Match, Games)> {
        let reference = self.exercise.built_in().and_then(exercises::reference);
        if reference.is_none_or(|reference| reference.referee.is_none()) {
            self.error("the exercise's reference plays no matches", span.clone(), None);
        }
        for key in ["on", "against", "games"] {
            if reader::get(table, key).is_none() {
                self.error(format!("a match needs `{key}`"), span.clone(), None);
            }
        }
        let games = self.whole(table, "games", 1..=MOST_GAMES);
        let seed = self.whole(table, "seed", 0..=u32::MAX).unwrap_or(0);
        let most = games.unwrap_or(MOST_GAMES);
        let moves = reader::get(table, "moves").and_then(|entry| entry.get_ref().as_table());
        let expected = Games {
            moves: moves.and_then(|moves| self.oracle(moves, span.clone())),
            not_lost: self.whole(table, "not_lost", 0..=most).unwrap_or(most),
            won: self.whole(table, "won", 0..=most).unwrap_or(0),
        };
        let opponent = self.opponent(table);
        let (start, look) = self.expression(table, "on")?;
        let Some(board) = start.bind.name().map(str::to_owned) else {
            let span = reader::get(table, "on").map_or_else(|| span.clone(), Entry::span);
            self.error("`on` binds no name", span, Some("write `b = make_board()`".to_owned()));
            return None;
        };
        let (player, view) = self.expression(table, "play")?;
        let opponent = opponent?;
        let games = games?;
        Some((Match { start, board, look, player, view, opponent, games, seed: u64::from(seed) }, expected))
    }

    fn opponent(&mut self, table: &DeTable<'_>) -> Option<Opponent> {
        match reader::get(table, "against")?.get_ref().as_table() {
            Some(table) => {
                self.whole(table, "depth", 1..=DEEPEST).and_then(NonZeroU32::new).map(Opponent::Depth)
            }
            None => Some(Opponent::Random),
        }
    }

    /// The line behind `key`, and how to view its value. A name that it binds is bound from there on.
    fn expression(&mut self, table: &DeTable<'_>, key: &str) -> Option<(Line, Option<View>)> {
        let text = reader::text(table, key)?;
        match resolve::line(self.exercise, &self.scope, text) {
            Ok((line, known)) => {
                let view = views::line_view(self.exercise, &line.node, &known);
                self.bind(&line, &known);
                Some((line, view))
            }
            Err(error) => {
                let span = reader::get(table, key).map_or(0..0, Entry::span);
                self.expr_error(error, text, &span);
                None
            }
        }
    }

    /// The whole number behind `key`, in a range.
    pub(super) fn whole(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<u32> {
        let entry = reader::get(table, key)?;
        let found = reader::whole(entry.get_ref()).filter(|number| range.contains(number));
        if found.is_none() {
            let message = format!("`{key}` is a whole number, {} to {}", range.start(), range.end());
            self.error(message, entry.span(), None);
        }
        found
    }
}
