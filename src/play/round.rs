//! A game in progress: all its states, its players, and its text.
//!
//! The text is used to save, copy and load it:
//!
//! ```text
//! keur-game 1
//! game alquerque
//! setup bbbbb/bbbbb/bb.ww/wwwww/wwwww w
//! moves 17-13 9-17
//! ```

use keur_core::case::parse_time;
use keur_core::exercises::game;
use keur_core::exercises::playable::{Effect, GameStanding, GameState, Level, Move, Playable};
use keur_core::messages::Message;
use std::num::NonZeroU32;
use std::time::Duration;

/// The first line of a game's text, with the version of the format.
pub(super) const HEADER: &str = "keur-game 1";
/// The most bytes of a game's text; the longest games have a few hundred moves.
pub(super) const LONGEST_TEXT: usize = 16 << 10;
/// The greatest depth that can be chosen: no search goes so far within a day.
pub(super) const DEEPEST: u32 = 30;
/// Characters of a wrong input that are quoted.
const SHOWN: usize = 80;
/// Time for a move at the top level.
const TOP_TIME: Duration = Duration::from_secs(3);
/// Time for a hint.
const HINT_TIME: Duration = Duration::from_millis(500);
/// The strongest level: some seconds per move.
pub const TOP: Level = Level { depth: None, time: Some(TOP_TIME) };
/// The default level of the computer.
pub(super) const USUAL: Level = Level { depth: NonZeroU32::new(4), time: None };
/// The level of hints, if the computer does not play.
pub(super) const HINT: Level = Level { depth: None, time: Some(HINT_TIME) };

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human,
    /// The game's adviser.
    Computer,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) chosen: Move,
    /// The side that made it.
    pub(super) side: usize,
    pub(super) effect: Effect,
}

/// A game in progress.
pub struct Round {
    pub(super) playable: &'static Playable,
    setup: String,
    first: Box<dyn GameState>,
    /// The moves so far, each with the state that it led to.
    played: Vec<(Played, Box<dyn GameState>)>,
}

impl Round {
    /// A game that starts from `setup`.
    ///
    /// # Errors
    /// The format of a setup.
    pub fn new(playable: &'static Playable, setup: &str) -> Result<Round, Message> {
        let first = (playable.begin)(setup)?;
        Ok(Round { playable, setup: setup.to_owned(), first, played: Vec::new() })
    }

    /// The game in a text. An editor may have wrapped the line of the moves, or added a byte-order mark.
    ///
    /// # Errors
    /// The first problem in it.
    pub fn read(text: &str) -> Result<Round, Message> {
        let mut lines =
            text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
        if lines.next() != Some(HEADER) {
            return Err(Message::new("play-text-header").with("header", HEADER));
        }
        let mut value = |key: &'static str| {
            let value = lines.next().and_then(|line| line.strip_prefix(key));
            value.map(str::trim).ok_or_else(|| Message::new("play-text-line").with("key", key))
        };
        let name = value("game")?;
        let playable = game(name).ok_or_else(|| Message::new("play-text-game").with("name", name))?;
        let mut round = Round::new(playable, value("setup")?)?;
        let moves = value("moves")?;
        for chosen in std::iter::once(moves).chain(lines).flat_map(str::split_whitespace) {
            round.play(chosen).map_err(|_| Message::new("play-text-move").with("move", chosen))?;
        }
        Ok(round)
    }

    /// The text of the game.
    pub fn text(&self) -> String {
        let moves: String = self.played.iter().map(|(played, _)| format!(" {}", played.chosen)).collect();
        format!("{HEADER}\ngame {}\nsetup {}\nmoves{moves}\n", self.playable.name, self.setup)
    }

    /// The current state of the game.
    pub fn state(&self) -> &dyn GameState {
        self.played.last().map_or(self.first.as_ref(), |(_, state)| state.as_ref())
    }

    /// The game up to its first `count` moves; `None` if there are not so many.
    pub(super) fn earlier(&self, count: usize) -> Option<Round> {
        let played = self.played.get(..count)?;
        Some(Round {
            playable: self.playable,
            setup: self.setup.clone(),
            first: self.first.boxed(),
            played: played.iter().map(|(played, state)| (played.clone(), state.boxed())).collect(),
        })
    }

    /// The number of moves before the first one in which the two games differ.
    pub(super) fn shared(&self, other: &Round) -> usize {
        self.moves().zip(other.moves()).take_while(|(one, other)| one.chosen == other.chosen).count()
    }

    /// Makes the move that a player typed.
    ///
    /// # Errors
    /// The rule that it breaks; the game is then unchanged.
    pub fn play(&mut self, typed: &str) -> Result<(), Message> {
        let mut state = self.state().boxed();
        let side = match state.standing() {
            GameStanding::Turn(side) => side,
            GameStanding::Won(_) | GameStanding::Draw | GameStanding::Solved => {
                return Err(Message::new("play-over"));
            }
        };
        let asked =
            Move::read(typed).ok_or_else(|| Message::new("play-no-move").with("typed", shown(typed)))?;
        let legal = state.moves();
        // Spelled as the game does, whatever the player's capitals.
        let chosen = asked.among(&legal).cloned().unwrap_or(asked);
        let effect = state.play(&chosen)?;
        self.played.push((Played { chosen, side, effect }, state));
        Ok(())
    }

    /// Takes back the last human move and all later moves; returns how many.
    pub fn undo(&mut self, seats: &[Seat]) -> usize {
        let Some(last) = self.last_of_a_human(seats) else { return 0 };
        let taken_back = self.played.len() - last;
        self.played.truncate(last);
        taken_back
    }

    /// Whether such a player is to move.
    pub(super) fn is_turn_of(&self, seats: &[Seat], player: Seat) -> bool {
        match self.state().standing() {
            GameStanding::Turn(side) => seats.get(side) == Some(&player),
            GameStanding::Won(_) | GameStanding::Draw | GameStanding::Solved => false,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        !matches!(self.state().standing(), GameStanding::Turn(_))
    }

    /// Whether there is a move that [`Round::undo`] takes back.
    pub(super) fn can_undo(&self, seats: &[Seat]) -> bool {
        self.last_of_a_human(seats).is_some()
    }

    fn last_of_a_human(&self, seats: &[Seat]) -> Option<usize> {
        self.played.iter().rposition(|(played, _)| seats.get(played.side) == Some(&Seat::Human))
    }

    pub(super) fn last(&self) -> Option<&Played> {
        self.played.last().map(|(played, _)| played)
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = &Played> {
        self.played.iter().map(|(played, _)| played)
    }

    pub(super) fn count(&self) -> usize {
        self.played.len()
    }

    /// A message on the last move: who made it, and what was captured.
    pub(super) fn told(&self) -> Option<Message> {
        let played = self.last()?;
        let side = self.playable.sides.get(played.side).copied().unwrap_or_default();
        let message =
            |id| Message::new(id).with_message("side", Message::new(side)).with("move", &played.chosen);
        Some(if played.effect.taken.is_empty() || played.effect.moved.is_empty() {
            message("play-moved")
        } else {
            message("play-captured").with("fields", played.effect.taken.join(", "))
        })
    }

    /// The end of the game, or the side to move.
    pub(super) fn stands(&self) -> Message {
        let side = |side: usize| self.playable.sides.get(side).copied().unwrap_or_default();
        match self.state().standing() {
            GameStanding::Turn(_) if self.playable.sides.len() == 1 => Message::new("play-unsolved"),
            GameStanding::Turn(turn) => {
                Message::new("play-turn").with_message("side", Message::new(side(turn)))
            }
            GameStanding::Won(winner) => {
                Message::new("play-won").with_message("side", Message::new(side(winner)))
            }
            GameStanding::Draw => Message::new("play-draw"),
            GameStanding::Solved => Message::new("play-solved"),
        }
    }
}

/// The level that a player writes as a depth, `4`, as a time, `2s`, or as `top`.
pub fn read_level(text: &str) -> Option<Level> {
    if text == "top" {
        return Some(TOP);
    }
    if let Ok(depth) = text.parse::<NonZeroU32>() {
        return (depth.get() <= DEEPEST).then_some(Level { depth: Some(depth), time: None });
    }
    parse_time(text).ok().map(|time| Level { depth: None, time: Some(time) })
}

/// The start of what a player typed, to be quoted.
pub(super) fn shown(typed: &str) -> String {
    typed.chars().take(SHOWN).collect()
}
