//! Playable Quixo: two players in turn, the crosses first.
//!
//! A starting position is the rows of dice, `-`, `X` and `O`, separated by `/`, and the player to move.

use crate::exercises::grid::Pos;
use crate::exercises::playable::{
    Drawing, DrawnPiece, Effect, GameStanding, GameState, Message, Move, Playable, Tone, cell_name, cell_of,
};
use crate::exercises::quixo::rules::{Outcome, Quixo, Symbol, Turn, TurnError};

use crate::messages::Translations;

/// Its entry in the registry.
pub(super) const PLAYABLE: Playable = Playable {
    name: "quixo",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-cross", "play-circle"],
    adviser: None,
    computer: false,
    fresh: |_| format!("{} X", ["-----"; 5].join("/")),
    begin: |text| Ok(Box::new(begin(text)?)),
};

/// Rows of a playable board: with fewer the game is won at once, more do not fit on a screen.
const ROWS: std::ops::RangeInclusive<usize> = 3..=9;

#[derive(Clone)]
struct Table {
    game: Quixo,
    to_move: Symbol,
}

impl GameState for Table {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let size = self.game.size();
        Drawing::of_cells(size, size, |row, col| self.game.face(Pos::new(row, col)).flatten().map(piece))
    }

    fn moves(&self) -> Vec<Move> {
        if self.game.outcome().is_some() {
            return Vec::new();
        }
        self.game.turns(self.to_move).map(|turn| Move::between(name(turn.from), name(turn.to))).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let Some(from) = &chosen.from else { return Err(self.half_a_turn(pos(&chosen.to)?)) };
        let turn = Turn { symbol: self.to_move, from: pos(from)?, to: pos(&chosen.to)? };
        if self.game.outcome().is_some() {
            return Err(Message::new("play-over"));
        }
        self.game.play(turn).map_err(|why| self.refusal(why, turn))?;
        self.to_move = opponent(self.to_move);
        Ok(Effect { moved: shifted(turn), taken: Vec::new() })
    }

    fn standing(&self) -> GameStanding {
        match self.game.outcome() {
            None => GameStanding::Turn(side(self.to_move)),
            Some(Outcome::Win(winner)) => GameStanding::Won(side(winner)),
            Some(Outcome::Draw) => GameStanding::Draw,
        }
    }

    fn notes(&self) -> Vec<Message> {
        Vec::new()
    }
}

impl Table {
    /// The error for a turn with only one place.
    fn half_a_turn(&self, from: Pos) -> Message {
        let id = match self.game.face(from) {
            None => "play-off-board",
            Some(Some(face)) if face != self.to_move => "play-not-your-die",
            Some(_) if self.game.ends(from).next().is_none() => "play-not-on-ring",
            Some(_) => "play-two-fields",
        };
        Message::new(id).with("name", name(from))
    }

    fn refusal(&self, why: TurnError, turn: Turn) -> Message {
        let ring = self.game.ends(turn.from).next().is_some();
        match why {
            TurnError::OffBoard if self.game.face(turn.from).is_none() => {
                Message::new("play-off-board").with("name", name(turn.from))
            }
            TurnError::OffBoard => Message::new("play-off-board").with("name", name(turn.to)),
            TurnError::Opponent => Message::new("play-not-your-die").with("name", name(turn.from)),
            TurnError::NoEnd if !ring => Message::new("play-not-on-ring").with("name", name(turn.from)),
            TurnError::NoEnd => {
                let ends: Vec<String> = self.game.ends(turn.from).map(name).collect();
                Message::new("play-no-end").with("name", name(turn.from)).with("ends", ends.join(", "))
            }
        }
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
    Ok(Table { game, to_move })
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

fn side(symbol: Symbol) -> usize {
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
