//! Playable Quixo: two players in turn, the crosses first.
//!
//! A starting position is the rows of dice, `-`, `X` and `O`, separated by `/`, and the player to move.

use crate::exercises::grid::Pos;
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Level, Move, Playable, Sizes, Thought,
    Tone, cell_name, cell_of,
};
use crate::exercises::quixo::rules::{Outcome, Quixo, Symbol, Turn, TurnError};
use crate::exercises::search;
use crate::messages::{Message, Translations};
use std::any::Any;

/// The game of Quixo for people.
pub(super) const PLAYABLE: Playable = Playable {
    name: "quixo",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-cross", "play-circle"],
    tones: &[Tone::Light, Tone::Dark],
    adviser: Some(|| Box::new(QuixoPlayer)),
    computer: true,
    sizes: Some(Sizes { rows: ROWS, usual: 5, question: "play-ask-size" }),
    fresh: |rows, _| format!("{} X", vec!["-".repeat(rows); rows].join("/")),
    begin: |text| Ok(Box::new(begin(text)?)),
};

/// Rows of a playable board: with fewer the game is won at once, more do not fit on a screen.
const ROWS: std::ops::RangeInclusive<usize> = 3..=9;

/// The occurrence of a position at which the game is a draw.
const REPEATS: usize = 3;

#[derive(Clone)]
struct Table {
    now: Situation,
    /// The earlier positions that can occur again.
    past: Vec<Situation>,
}

/// A board with the player to move.
#[derive(Clone, PartialEq)]
pub(super) struct Situation {
    pub(super) game: Quixo,
    pub(super) to_move: Symbol,
}

impl GameState for Table {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let size = self.now.game.size();
        Drawing::of_cells(size, size, |row, col| self.now.game.face(Pos::new(row, col)).flatten().map(piece))
    }

    fn moves(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        self.now.game.turns(self.now.to_move).map(named).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let Some(from) = &chosen.from else { return Err(self.half_a_turn(pos(&chosen.to)?)) };
        let turn = Turn { symbol: self.now.to_move, from: pos(from)?, to: pos(&chosen.to)? };
        if self.is_over() {
            return Err(Message::new("play-over"));
        }
        let mut next = self.now.clone();
        next.take(turn).map_err(|why| self.refusal(why, turn))?;
        let before = std::mem::replace(&mut self.now, next);
        if self.now.blanks() == before.blanks() {
            self.past.push(before);
        } else {
            // A die that shows a symbol is never blank again.
            self.past.clear();
        }
        Ok(Effect { moved: shifted(turn), taken: Vec::new() })
    }

    fn standing(&self) -> GameStanding {
        match self.now.game.outcome() {
            None if self.is_repeated() => GameStanding::Draw,
            None => GameStanding::Turn(side(self.now.to_move)),
            Some(Outcome::Win(winner)) => GameStanding::Won(side(winner)),
            Some(Outcome::Draw) => GameStanding::Draw,
        }
    }

    fn notes(&self) -> Vec<Message> {
        self.is_repeated().then(|| Message::new("play-repeated")).into_iter().collect()
    }

    fn rows(&self) -> Option<usize> {
        Some(self.now.game.size())
    }
}

impl Table {
    fn is_over(&self) -> bool {
        self.now.game.outcome().is_some() || self.is_repeated()
    }

    /// Whether this position occurs so often that the game is a draw: without this rule it may never end.
    fn is_repeated(&self) -> bool {
        self.past.iter().filter(|earlier| **earlier == self.now).count() + 1 >= REPEATS
    }

    /// The error for a turn with only one place.
    fn half_a_turn(&self, from: Pos) -> Message {
        let id = match self.now.game.face(from) {
            None => "play-off-board",
            Some(Some(face)) if face != self.now.to_move => "play-not-your-die",
            Some(_) if self.now.game.ends(from).next().is_none() => "play-not-on-ring",
            Some(_) => "play-two-fields",
        };
        Message::new(id).with("name", name(from))
    }

    fn refusal(&self, why: TurnError, turn: Turn) -> Message {
        let ring = self.now.game.ends(turn.from).next().is_some();
        match why {
            TurnError::OffBoard if self.now.game.face(turn.from).is_none() => {
                Message::new("play-off-board").with("name", name(turn.from))
            }
            TurnError::OffBoard => Message::new("play-off-board").with("name", name(turn.to)),
            TurnError::Opponent => Message::new("play-not-your-die").with("name", name(turn.from)),
            TurnError::NoEnd if !ring => Message::new("play-not-on-ring").with("name", name(turn.from)),
            TurnError::NoEnd => {
                let ends: Vec<String> = self.now.game.ends(turn.from).map(name).collect();
                Message::new("play-no-end").with("name", name(turn.from)).with("ends", ends.join(", "))
            }
        }
    }
}

impl Situation {
    pub(super) fn take(&mut self, turn: Turn) -> Result<(), TurnError> {
        self.game.play(turn)?;
        self.to_move = opponent(self.to_move);
        Ok(())
    }

    fn blanks(&self) -> usize {
        let places =
            (0..self.game.size()).flat_map(|row| (0..self.game.size()).map(move |col| Pos::new(row, col)));
        places.filter(|pos| self.game.face(*pos) == Some(None)).count()
    }
}

/// The computer.
struct QuixoPlayer;

impl Adviser for QuixoPlayer {
    fn think(&mut self, game: &dyn GameState, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        let table = game.downcast_ref::<Table>().filter(|table| !table.is_over())?;
        search::think(&table.now, level, stop)
    }
}

/// The moves of the dice in the row: the one that was taken, and those that it pushes back.
fn shifted(turn: Turn) -> Vec<(String, String)> {
    let mut moved = vec![(name(turn.from), name(turn.to))];
    let mut gap = turn.from;
    while gap != turn.to {
        let next = Pos::new(towards(gap.row, turn.to.row), towards(gap.col, turn.to.col));
        moved.push((name(next), name(gap)));
        gap = next;
    }
    moved
}

fn towards(at: usize, goal: usize) -> usize {
    if at < goal { at + 1 } else { at - usize::from(at > goal) }
}

fn begin(text: &str) -> Result<Table, Message> {
    let wrong = || Message::new("play-setup-quixo");
    let (rows, to_move) = text.split_once(' ').ok_or_else(wrong)?;
    let mut letters = to_move.chars();
    let to_move = letters.next().and_then(Symbol::from_char).ok_or_else(wrong)?;
    let rows: Vec<&str> = rows.split('/').collect();
    let square = rows.iter().all(|row| row.chars().count() == rows.len());
    if letters.next().is_some() || !square || !ROWS.contains(&rows.len()) {
        return Err(wrong());
    }
    let game = Quixo::with_faces(rows.len(), &rows.concat()).map_err(|_| wrong())?;
    Ok(Table { now: Situation { game, to_move }, past: Vec::new() })
}

pub(super) fn named(turn: Turn) -> Move {
    Move::between(name(turn.from), name(turn.to))
}

fn name(pos: Pos) -> String {
    cell_name(pos.row, pos.col)
}

fn pos(name: &str) -> Result<Pos, Message> {
    cell_of(name).map(|(row, col)| Pos::new(row, col))
}

fn opponent(symbol: Symbol) -> Symbol {
    match symbol {
        Symbol::Cross => Symbol::Circle,
        Symbol::Circle => Symbol::Cross,
    }
}

pub(super) fn side(symbol: Symbol) -> usize {
    match symbol {
        Symbol::Cross => 0,
        Symbol::Circle => 1,
    }
}

fn piece(symbol: Symbol) -> DrawnPiece {
    let (word, tone) = match symbol {
        Symbol::Cross => ("play-cross", Tone::Light),
        Symbol::Circle => ("play-circle", Tone::Dark),
    };
    DrawnPiece { word, tone, sign: Some(symbol.as_char()), fixed: false }
}
