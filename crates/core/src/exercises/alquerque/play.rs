//! Playable Alquerque: against another person or the engine.
//!
//! A starting position is the rows of the board, `w`, `b` and `.`, separated by `/`, and the player to move.

use super::rules::{self, Board, Field, IllegalMove, Outcome, Player};
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Kind, Level, Move, Playable, Spot,
    Thought, Tone,
};
use crate::exercises::search;
use crate::messages::{Message, Translations};
use std::any::Any;

/// The game of Alquerque for people.
pub(super) const PLAYABLE: Playable = Playable {
    name: "alquerque",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-white", "play-black"],
    tones: &[Tone::Light, Tone::Dark],
    adviser: Some(|| Box::new(Mind)),
    computer: true,
    sizes: None,
    fresh: |_, _| written(&Board::start()),
    begin: |text| Ok(Box::new(AlquerqueGame { board: read(text)? })),
};

/// Fields in a row, and rows.
const SIDE: usize = 5;
/// The lines of the board: rows, columns and diagonals.
const LINES: [[(usize, usize); 2]; 16] = [
    [(0, 0), (4, 0)],
    [(0, 1), (4, 1)],
    [(0, 2), (4, 2)],
    [(0, 3), (4, 3)],
    [(0, 4), (4, 4)],
    [(0, 0), (0, 4)],
    [(1, 0), (1, 4)],
    [(2, 0), (2, 4)],
    [(3, 0), (3, 4)],
    [(4, 0), (4, 4)],
    [(0, 0), (4, 4)],
    [(4, 0), (0, 4)],
    [(2, 0), (0, 2)],
    [(2, 0), (4, 2)],
    [(0, 2), (2, 4)],
    [(4, 2), (2, 4)],
];

#[derive(Clone)]
struct AlquerqueGame {
    board: Board,
}

impl GameState for AlquerqueGame {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let spots = Field::all().map(|field| {
            let index = usize::from(field.number()) - 1;
            Spot {
                name: field.to_string(),
                at: (index % SIDE, index / SIDE),
                kind: Kind::Point,
                piece: self.board.owner(field).map(piece),
            }
        });
        Drawing { size: (SIDE - 1, SIDE - 1), pitch: (8, 4), lines: LINES.to_vec(), spots: spots.collect() }
    }

    fn moves(&self) -> Vec<Move> {
        self.board.legal_moves().into_iter().map(named).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let Some(from) = &chosen.from else { return Err(self.half_a_move(&chosen.to)) };
        let wanted = rules::Move::new(field(from)?, field(&chosen.to)?);
        let opponent = self.board.to_move().opponent();
        let before: Vec<Field> = self.board.pieces_of(opponent).collect();
        self.board.play(wanted).map_err(|why| self.refusal(why))?;
        let taken = before.into_iter().filter(|field| self.board.owner(*field).is_none());
        Ok(Effect {
            moved: vec![(wanted.source.to_string(), wanted.target.to_string())],
            taken: taken.map(|field| field.to_string()).collect(),
        })
    }

    fn standing(&self) -> GameStanding {
        match self.board.outcome() {
            None => GameStanding::Turn(side(self.board.to_move())),
            Some(Outcome::Win(winner)) => GameStanding::Won(side(winner)),
            Some(Outcome::Draw) => GameStanding::Draw,
        }
    }

    fn notes(&self) -> Vec<Message> {
        let count = |player| self.board.pieces_of(player).count();
        let pieces = Message::new("play-pieces")
            .with("white", count(Player::White))
            .with("black", count(Player::Black));
        let stuck = (self.board.outcome() == Some(Outcome::Draw)).then(|| {
            Message::new("play-stuck")
                .with_message("side", Message::new(PLAYABLE.sides[side(self.board.to_move())]))
        });
        std::iter::once(pieces).chain(stuck).collect()
    }
}

impl AlquerqueGame {
    /// The error for a move with only one field.
    fn half_a_move(&self, name: &str) -> Message {
        let field = match field(name) {
            Ok(field) => field,
            Err(why) => return why,
        };
        match self.board.owner(field) {
            None => self.refusal(IllegalMove::NoPiece(field)),
            Some(owner) if owner != self.board.to_move() => self.refusal(IllegalMove::NotYours(field)),
            Some(_) if self.board.outcome().is_some() => Message::new("play-over"),
            Some(_) if !self.board.legal_moves().iter().any(|found| found.source == field) => {
                Message::new("play-cannot-move").with("field", field)
            }
            Some(_) => Message::new("play-two-fields").with("name", name),
        }
    }

    /// The rule that a refused move breaks.
    fn refusal(&self, why: IllegalMove) -> Message {
        if self.board.outcome().is_some() {
            return Message::new("play-over");
        }
        let mover = PLAYABLE.sides[side(self.board.to_move())];
        let between =
            |id, wanted: rules::Move| Message::new(id).with("from", wanted.source).with("to", wanted.target);
        match why {
            IllegalMove::NoPiece(field) => Message::new("play-no-piece").with("field", field),
            IllegalMove::NotYours(field) => {
                Message::new("play-not-yours").with("field", field).with_message("side", Message::new(mover))
            }
            IllegalMove::Occupied(field) => Message::new("play-occupied").with("field", field),
            IllegalMove::NoLine(wanted) => between("play-no-line", wanted),
            IllegalMove::NotForward(wanted) => between("play-not-forward", wanted),
            IllegalMove::NothingToCapture(field) => {
                Message::new("play-nothing-to-capture").with("field", field)
            }
        }
    }
}

/// The computer.
struct Mind;

impl Adviser for Mind {
    fn think(&mut self, game: &dyn GameState, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        search::think(&game.downcast_ref::<AlquerqueGame>()?.board, level, stop)
    }
}

pub(super) fn named(found: rules::Move) -> Move {
    Move::between(found.source, found.target)
}

pub(super) fn side(player: Player) -> usize {
    match player {
        Player::White => 0,
        Player::Black => 1,
    }
}

fn piece(player: Player) -> DrawnPiece {
    let (word, tone) = match player {
        Player::White => ("play-white", Tone::Light),
        Player::Black => ("play-black", Tone::Dark),
    };
    DrawnPiece { word, tone, sign: None, fixed: false }
}

fn field(name: &str) -> Result<Field, Message> {
    name.parse().ok().and_then(Field::new).ok_or_else(|| Message::new("play-no-field").with("name", name))
}

fn letter(owner: Option<Player>) -> char {
    match owner {
        Some(Player::White) => 'w',
        Some(Player::Black) => 'b',
        None => '.',
    }
}

fn written(board: &Board) -> String {
    let fields: Vec<char> = Field::all().map(|field| letter(board.owner(field))).collect();
    let rows: Vec<String> = fields.chunks(SIDE).map(|row| row.iter().collect()).collect();
    format!("{} {}", rows.join("/"), letter(Some(board.to_move())))
}

fn read(text: &str) -> Result<Board, Message> {
    let wrong = || Message::new("play-setup-alquerque");
    let (rows, to_move) = text.split_once(' ').ok_or_else(wrong)?;
    let to_move = match to_move {
        "w" => Player::White,
        "b" => Player::Black,
        _ => return Err(wrong()),
    };
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != SIDE || rows.iter().any(|row| row.chars().count() != SIDE) {
        return Err(wrong());
    }
    let (mut white, mut black) = (Vec::new(), Vec::new());
    for (field, letter) in Field::all().zip(rows.concat().chars()) {
        match letter {
            'w' => white.push(field),
            'b' => black.push(field),
            '.' => {}
            _ => return Err(wrong()),
        }
    }
    Board::with_pieces(white, black, to_move).map_err(|_| Message::new("play-setup-nobody"))
}
