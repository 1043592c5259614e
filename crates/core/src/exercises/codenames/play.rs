//! Playable Codenames: two teams at one screen, the key hidden behind a number.
//!
//! A starting position is the size and the number that determines the key, `5x5 #48213`, so that a saved game
//! does not show the key.

use crate::exercises::codenames::rules::{Card, Codenames, IllegalAction, Status, Team};
use crate::exercises::grid::Pos;
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Kind, Level, Move, Playable, Sizes, Spot,
    Thought, Tone, cell_name, cell_of,
};
use crate::messages::{Message, Translations};
use crate::value::random::Random;
use std::any::Any;

/// The game of Codenames for people.
pub(super) const PLAYABLE: Playable = Playable {
    name: "codenames",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-red", "play-blue"],
    tones: &[Tone::Red, Tone::Blue],
    adviser: Some(|| Box::new(Spymaster)),
    computer: false,
    sizes: Some(Sizes { rows: 3..=LARGEST, usual: 5, question: "play-ask-size" }),
    fresh: |rows, seed| format!("{rows}x{rows} #{}", seed % 1_000_000),
    begin: |text| Ok(Box::new(begin(text)?)),
};

/// The name of the move that ends a turn.
const PASS: &str = "pass";
/// The most rows and columns of a board.
const LARGEST: usize = 9;
/// The fewest cards of a board.
const FEWEST: usize = 8;

#[derive(Clone)]
struct Table {
    game: Codenames,
    /// The cards, row by row.
    key: Vec<char>,
}

impl GameState for Table {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let (rows, cols) = (self.game.rows(), self.game.cols());
        let mut drawing =
            Drawing::of_cells(rows, cols, |row, col| Some(card(self.game.shown(Pos::new(row, col)))));
        drawing.size.1 += 2;
        drawing.spots.push(Spot {
            name: PASS.to_owned(),
            at: (cols.div_ceil(2), rows + 2),
            kind: Kind::Button,
            piece: None,
        });
        drawing
    }

    fn moves(&self) -> Vec<Move> {
        if matches!(self.game.status(), Status::Won(_)) {
            return Vec::new();
        }
        let hidden = self.hidden().map(|pos| Move::at(cell_name(pos.row, pos.col)));
        hidden.chain([Move::at(PASS)]).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let refused = |why| match why {
            IllegalAction::Over => Message::new("play-over"),
            IllegalAction::OffBoard(_) => Message::new("play-off-board").with("name", &chosen.to),
        };
        if chosen.from.is_some() {
            return Err(Message::new("play-one-spot"));
        }
        if chosen.to.eq_ignore_ascii_case(PASS) {
            self.game.pass().map_err(refused)?;
            return Ok(Effect::default());
        }
        let (row, col) = cell_of(&chosen.to)?;
        // The rules let a team point at an open card, which reveals nothing; people never do.
        if self.game.shown(Pos::new(row, col)).is_some() {
            return Err(Message::new("play-open").with("name", &chosen.to));
        }
        self.game.reveal(Pos::new(row, col)).map_err(refused)?;
        Ok(Effect::default())
    }

    fn standing(&self) -> GameStanding {
        match self.game.status() {
            Status::Turn(team) => GameStanding::Turn(side(team)),
            Status::Won(team) => GameStanding::Won(side(team)),
        }
    }

    fn notes(&self) -> Vec<Message> {
        let left = |team| self.game.spies_left(team);
        vec![Message::new("play-spies").with("red", left(Team::Red)).with("blue", left(Team::Blue))]
    }

    fn rows(&self) -> Option<usize> {
        Some(self.game.rows()).filter(|rows| *rows == self.game.cols())
    }
}

impl Table {
    fn hidden(&self) -> impl Iterator<Item = Pos> + '_ {
        let places = (0..self.key.len()).map(|at| Pos::new(at / self.game.cols(), at % self.game.cols()));
        places.filter(|pos| self.game.shown(*pos).is_none())
    }
}

/// Knows the key, and shows a team one of its own cards.
struct Spymaster;

impl Adviser for Spymaster {
    fn think(&mut self, game: &dyn GameState, _: Level, _: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        let table = game.downcast_ref::<Table>()?;
        let Status::Turn(team) = table.game.status() else { return None };
        let own = |pos: &Pos| table.key.get(pos.row * table.game.cols() + pos.col) == Some(&team.letter());
        let pos = table.hidden().find(own)?;
        let best = Move::at(cell_name(pos.row, pos.col));
        Some(Thought {
            line: vec![best.clone()],
            best,
            said: Message::new("play-hint-own-card"),
            score: None,
        })
    }
}

fn begin(text: &str) -> Result<Table, Message> {
    let wrong = || Message::new("play-setup-codenames");
    let (size, number) = text.split_once(" #").ok_or_else(wrong)?;
    let (rows, cols) = size.split_once('x').ok_or_else(wrong)?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side)).ok_or_else(wrong);
    let (rows, cols) = (side(rows)?, side(cols)?);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    if rows * cols < FEWEST {
        return Err(wrong());
    }
    let key = key(rows * cols, number);
    let game = Codenames::new(rows, cols, &key.iter().collect::<String>()).map_err(|_| wrong())?;
    Ok(Table { game, key })
}

/// A key: a third of the cards for each team and one more for either, one assassin, and bystanders.
fn key(cards: usize, number: u64) -> Vec<char> {
    let mut random = Random::new(number);
    let spies = (cards - 1) / 3;
    let mut key = vec!['-'; cards];
    key[..spies].fill('R');
    key[spies..2 * spies].fill('B');
    key[2 * spies] = ['R', 'B'][random.below(2)];
    key[2 * spies + 1] = 'X';
    random.shuffle(&mut key);
    key
}

fn side(team: Team) -> usize {
    match team {
        Team::Red => 0,
        Team::Blue => 1,
    }
}

fn card(shown: Option<Card>) -> DrawnPiece {
    let (word, tone, sign) = match shown {
        None => ("play-hidden", Tone::Plain, '?'),
        Some(Card::Spy(Team::Red)) => ("play-red-spy", Tone::Red, 'R'),
        Some(Card::Spy(Team::Blue)) => ("play-blue-spy", Tone::Blue, 'B'),
        Some(Card::Bystander) => ("play-bystander", Tone::Light, '-'),
        Some(Card::Assassin) => ("play-assassin", Tone::Dark, 'X'),
    };
    DrawnPiece { word, tone, sign: Some(sign), fixed: shown.is_some() }
}
