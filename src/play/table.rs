//! The table of the server: the game, its players, and the level of the computer.

use super::round::{HINT, Round, Seat, USUAL, read_level};
use super::terminal::GameOptions;
use keur_core::exercises;
use keur_core::exercises::playable::{Level, Playable};
use keur_core::messages::Message;
use serde::Deserialize;
use std::mem::{replace, take};

/// The levels that the page offers, as [`read_level`] takes them; `play-page-level-` with each is its
/// message.
pub(super) const LEVELS: [&str; 5] = ["1", "2", "4", "7", "top"];
/// The name of a level from the command line that the page does not offer.
pub(super) const OWN_LEVEL: &str = "own";

/// A request from the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Action {
    /// A move of the side to move, after so many moves of the game or after all.
    Move { text: String, at: Option<usize> },
    /// Goes on with the variation of this index.
    Vary { index: usize },
    /// Takes moves back, to the last one of a human; without any, brings the former game back.
    Undo {},
    /// Starts a new game of this kind, with this number of rows or the usual one.
    New { game: String, rows: Option<usize> },
    /// Loads the game in a text.
    Load { text: String },
    /// Sets the player of a side.
    Seat { side: usize, computer: bool },
    /// Sets the computer's level.
    Level { level: String },
}

/// The current game, the same for every tab.
pub(super) struct GameTable {
    pub(super) round: Round,
    pub(super) seats: Vec<Seat>,
    /// The lines that the game has left, each from its start.
    pub(super) variations: Vec<Round>,
    /// The games that others took the place of, the latest last: undo brings them back.
    former: Vec<FormerGame>,
    pub(super) level: Level,
    /// The name of the level on the page.
    pub(super) level_name: String,
    /// The level from the command line.
    own_level: Option<Level>,
    /// Counts the changes.
    pub(super) version: u64,
    /// Whether the computer is thinking.
    pub(super) thinking: bool,
}

/// A game with its players.
struct FormerGame {
    round: Round,
    seats: Vec<Seat>,
    variations: Vec<Round>,
}

impl GameTable {
    pub(super) fn new(playable: &'static Playable, options: GameOptions) -> Result<GameTable, Message> {
        let round = options.round(playable)?;
        let seat = |side: usize| options.seats.get(side).copied().flatten();
        let seats = if playable.computer {
            // By default a person plays the first side against the computer.
            let usual = |side| if side == 0 { Seat::Human } else { Seat::Computer };
            (0..playable.sides.len()).map(|side| seat(side).unwrap_or(usual(side))).collect()
        } else {
            vec![Seat::Human; playable.sides.len()]
        };
        let level = options.level.unwrap_or(USUAL);
        let name = LEVELS.into_iter().find(|name| read_level(name) == Some(level));
        Ok(GameTable {
            round,
            seats,
            variations: Vec::new(),
            former: Vec::new(),
            level,
            level_name: name.unwrap_or(OWN_LEVEL).to_owned(),
            own_level: options.level.filter(|_| name.is_none()),
            version: 0,
            thinking: false,
        })
    }

    /// Carries out a request of the page; `seed` is for a new game.
    pub(super) fn carry_out(&mut self, action: Action, seed: u64) -> Result<(), Message> {
        match action {
            Action::Move { text, at } => self.make_move(&text, at)?,
            Action::Vary { index } => {
                if index < self.variations.len() {
                    let line = self.variations.remove(index);
                    self.take_up(line);
                }
            }
            Action::Undo {} => {
                if self.round.undo(&self.seats) == 0 {
                    let former = self.former.pop().ok_or(Message::new("play-nothing-to-undo"))?;
                    (self.round, self.seats) = (former.round, former.seats);
                    self.variations = former.variations;
                }
            }
            Action::New { game, rows } => {
                let playable = exercises::game(&game)
                    .ok_or_else(|| Message::new("play-text-game").with("name", game))?;
                self.lay_out(Round::new(playable, &playable.start(rows, seed)?)?);
            }
            Action::Load { text } => self.lay_out(Round::read(&text)?),
            Action::Seat { side, computer } => {
                let seat = self.seats.get_mut(side).filter(|_| self.round.playable.computer);
                let seat = seat.ok_or(Message::new("play-no-adviser"))?;
                *seat = if computer { Seat::Computer } else { Seat::Human };
            }
            Action::Level { level } => {
                let found = if level == OWN_LEVEL { self.own_level } else { read_level(&level) };
                self.level = found.ok_or_else(|| Message::new("play-level-unknown").with("typed", &level))?;
                self.level_name = level;
            }
        }
        self.version += 1;
        Ok(())
    }

    pub(super) fn is_computers_turn(&self) -> bool {
        self.round.is_turn_of(&self.seats, Seat::Computer)
    }

    /// The level of hints: that of the computer, if it plays.
    pub(super) fn hint_level(&self) -> Level {
        if self.seats.contains(&Seat::Computer) { self.level } else { HINT }
    }

    pub(super) fn has_own_level(&self) -> bool {
        self.own_level.is_some()
    }

    /// Makes a move, after `at` moves if those are not all; what came after them becomes a variation.
    fn make_move(&mut self, text: &str, at: Option<usize>) -> Result<(), Message> {
        let earlier = at.filter(|at| *at < self.round.count()).and_then(|at| self.round.earlier(at));
        if earlier.as_ref().unwrap_or(&self.round).is_turn_of(&self.seats, Seat::Computer) {
            return Err(Message::new("play-computers-turn"));
        }
        match earlier {
            Some(mut line) => {
                line.play(text)?;
                self.take_up(line);
            }
            None => self.round.play(text)?,
        }
        Ok(())
    }

    /// Goes on with another line of the game. The one so far is a variation, unless the other one contains it.
    fn take_up(&mut self, line: Round) {
        let left = replace(&mut self.round, line);
        if self.round.shared(&left) < left.count() {
            self.variations.push(left);
        }
    }

    /// Whether there is something to undo.
    pub(super) fn can_undo(&self) -> bool {
        self.round.can_undo(&self.seats) || !self.former.is_empty()
    }

    /// Whether the game has moves.
    fn is_begun(&self) -> bool {
        self.round.count() > 0 || !self.variations.is_empty()
    }

    /// Whether a game that takes the place of this one would end it.
    pub(super) fn is_under_way(&self) -> bool {
        self.is_begun() && !self.round.is_over()
    }

    fn lay_out(&mut self, round: Round) {
        let mut seats = self.seats.clone();
        if round.playable.name != self.round.playable.name {
            seats = vec![Seat::Human; round.playable.sides.len()];
            if let Some(last) = seats.last_mut().filter(|_| round.playable.computer) {
                *last = Seat::Computer;
            }
        }
        let begun = self.is_begun();
        let former = FormerGame {
            round: replace(&mut self.round, round),
            seats: replace(&mut self.seats, seats),
            variations: take(&mut self.variations),
        };
        if begun {
            self.former.push(former);
        }
    }
}
