//! What a session does, as data that can be checked and shortened.

use super::simpler;
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::sessions::{Look, RandomSession, RandomStep};

/// A session, act by act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameSession {
    pub(super) acts: Vec<Act>,
}

/// The name of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    B,
    C,
}

/// A part of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Makes a board.
    Make(Name),
    /// Copies one.
    Copy { from: Name, to: Name },
    /// Makes a legal move.
    Play(Name, Move),
    /// Asks about a board.
    Ask(Name, Asked),
}

/// A question about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    White,
    Black,
    WhitePlays,
    LegalMoves,
    IsGameOver,
    IsLegal(Move),
    NextMove(Search),
}

/// A question for a good move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// How many moves the search is to look ahead.
    pub(super) depth: u32,
    pub(super) judge: Judge,
    /// Whether the search gets a copy of the board.
    pub(super) copy: bool,
}

/// The oracle that judges a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    Sound,
    Winning,
}

impl Judge {
    /// The name of the oracle.
    pub(super) const fn oracle(self) -> &'static str {
        match self {
            Judge::Sound => "sound_move",
            Judge::Winning => "winning_move",
        }
    }

    /// Whether it judges searches of this depth. One that looks a move further sees other wins at an even depth.
    pub(super) const fn may_ask(self, depth: u32) -> bool {
        match self {
            Judge::Sound => true,
            Judge::Winning => depth % 2 == 1,
        }
    }
}

impl Name {
    const fn text(self) -> &'static str {
        match self {
            Name::B => "b",
            Name::C => "c",
        }
    }
}

impl GameSession {
    /// A session that begins with a board called `name`.
    pub(super) fn begun(name: Name) -> GameSession {
        GameSession { acts: vec![Act::Make(name)] }
    }

    pub(super) fn play(&mut self, name: Name, step: Move) {
        self.acts.push(Act::Play(name, step));
    }

    pub(super) fn ask(&mut self, name: Name, asked: Asked) {
        self.acts.push(Act::Ask(name, asked));
    }

    /// The boards at the end, in the order of [`Name`]; `None` if the session may not be asked.
    pub(super) fn replayed(&self) -> Option<[Option<Board>; 2]> {
        let mut boards: [Option<Board>; 2] = [None; 2];
        for act in &self.acts {
            match *act {
                Act::Make(name) => boards[name as usize] = Some(Board::start()),
                Act::Copy { from, to } => boards[to as usize] = Some(boards[from as usize]?),
                Act::Play(name, step) => boards[name as usize].as_mut()?.play(step).ok()?,
                Act::Ask(name, asked) => {
                    let board = boards[name as usize]?;
                    if matches!(asked, Asked::NextMove(_)) && board.outcome().is_some() {
                        return None;
                    }
                }
            }
        }
        Some(boards)
    }
}

impl RandomSession for GameSession {
    fn steps(&self) -> Vec<RandomStep> {
        let mut steps: Vec<RandomStep> = Vec::new();
        let mut asked_last = true;
        for act in &self.acts {
            let (line, look) = written(*act);
            match steps.last_mut() {
                Some(step) if look.is_none() && !asked_last => step.lines.push(line),
                _ => {
                    steps.push(RandomStep { lines: vec![line], look: look.clone().unwrap_or(Look::Nothing) })
                }
            }
            asked_last = look.is_some();
        }
        steps
    }

    fn until(&self, steps: usize) -> Box<dyn RandomSession> {
        let (mut begun, mut asked_last) = (0, true);
        let first_left_out = self.acts.iter().position(|act| {
            let asks = matches!(act, Act::Ask(..));
            begun += usize::from(asks || asked_last);
            asked_last = asks;
            begun > steps
        });
        let kept = &self.acts[..first_left_out.unwrap_or(self.acts.len())];
        Box::new(GameSession { acts: kept.to_vec() })
    }

    fn simpler(&self) -> Vec<Box<dyn RandomSession>> {
        simpler::of(self).into_iter().map(|session| Box::new(session) as Box<dyn RandomSession>).collect()
    }
}

/// The line of an act, and what is compared if it is a question.
fn written(act: Act) -> (String, Option<Look>) {
    match act {
        Act::Make(name) => (format!("{} = make_board()", name.text()), None),
        Act::Copy { from, to } => (format!("{} = copy({})", to.text(), from.text()), None),
        Act::Play(name, step) => (format!("move({}, {})", made(step), name.text()), None),
        Act::Ask(name, asked) => {
            let board = name.text();
            let plain = |function: &str| (format!("{function}({board})"), Some(Look::Value));
            match asked {
                Asked::White => plain("white"),
                Asked::Black => plain("black"),
                Asked::WhitePlays => plain("white_plays"),
                Asked::LegalMoves => plain("legal_moves"),
                Asked::IsGameOver => plain("is_game_over"),
                Asked::IsLegal(step) => (format!("is_legal({}, {board})", made(step)), Some(Look::Value)),
                Asked::NextMove(Search { depth, judge, copy }) => {
                    let given = if copy { format!("copy({board})") } else { board.to_owned() };
                    let look =
                        Look::Oracle { oracle: judge.oracle(), of: board.to_owned(), depth: Some(depth) };
                    (format!("next_move({given}, {depth})"), Some(look))
                }
            }
        }
    }
}

fn made(step: Move) -> String {
    format!("make_move({}, {})", step.source.number(), step.target.number())
}
