//! Playable game of dots: two players in turn, who move again when they take a box.
//!
//! A starting position is the number of dots down and across, `4x5`.

use crate::exercises::grid::Pos;
use crate::exercises::pipopipette::rules::{ClaimError, Direction, Outcome, Pipopipette, Player, Segment};
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Kind, Level, Move, Playable, Sizes, Spot,
    Thought, Tone,
};
use crate::exercises::search;
use crate::messages::{Message, Translations};
use std::any::Any;

/// The Game of dots for people.
pub(super) const PLAYABLE: Playable = Playable {
    name: "pipopipette",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-a", "play-b"],
    tones: &[Tone::Blue, Tone::Red],
    adviser: Some(|| Box::new(DotsPlayer)),
    computer: true,
    sizes: Some(Sizes { rows: DOTS, usual: 4, question: "play-ask-dots" }),
    fresh: |rows, _| format!("{rows}x{rows}"),
    begin: |text| Ok(Box::new(begin(text)?)),
};

/// Dots down or across that fit on a screen.
const DOTS: std::ops::RangeInclusive<usize> = 2..=9;

#[derive(Clone)]
struct Table {
    game: Pipopipette,
    /// The player who drew each line: the rules do not keep it.
    drawn: Vec<(Segment, Player)>,
}

impl GameState for Table {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let (rows, cols) = (self.game.rows(), self.game.cols());
        let dots = (0..rows * cols).map(|at| Spot {
            name: String::new(),
            at: (at % cols * 2, at / cols * 2),
            kind: Kind::Dot,
            piece: None,
        });
        let boxes = self.game.boxes().map(|pos| Spot {
            name: String::new(),
            at: (pos.col * 2 + 1, pos.row * 2 + 1),
            kind: Kind::Area,
            piece: self.game.owner(pos).map(|owner| piece(owner, true)),
        });
        let mut lines: Vec<(Segment, Option<Player>)> =
            self.game.free_lines().map(|line| (line, None)).collect();
        lines.extend(self.drawn.iter().map(|(line, player)| (*line, Some(*player))));
        // By position, so that keys visit them in reading order.
        lines.sort_by_key(|(line, _)| (line.from.row, line.direction == Direction::Vertical, line.from.col));
        let lines = lines.into_iter().map(|(line, player)| {
            let Pos { row, col } = line.from;
            let (at, kind) = match line.direction {
                Direction::Horizontal => ((col * 2 + 1, row * 2), Kind::Level),
                Direction::Vertical => ((col * 2, row * 2 + 1), Kind::Upright),
            };
            Spot { name: line.to_string(), at, kind, piece: player.map(|player| piece(player, false)) }
        });
        let spots = boxes.chain(lines).chain(dots).collect();
        Drawing { size: (cols * 2 - 2, rows * 2 - 2), pitch: (4, 1), lines: Vec::new(), spots }
    }

    fn moves(&self) -> Vec<Move> {
        self.game.free_lines().map(Move::at).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let name = &chosen.to;
        let line = match &chosen.from {
            None => name.to_ascii_uppercase().parse::<Segment>().ok(),
            Some(_) => None,
        };
        let line = line.ok_or_else(|| Message::new("play-no-line-name").with("name", chosen))?;
        if self.game.outcome().is_some() {
            return Err(Message::new("play-over"));
        }
        let player = self.game.player();
        self.game.claim(line).map_err(|why| match why {
            ClaimError::OffBoard(_) => Message::new("play-off-board").with("name", name),
            ClaimError::AlreadyDrawn(_) => Message::new("play-drawn").with("name", name),
        })?;
        self.drawn.push((line, player));
        Ok(Effect::default())
    }

    fn standing(&self) -> GameStanding {
        match self.game.outcome() {
            None => GameStanding::Turn(side(self.game.player())),
            Some(Outcome::Won(winner)) => GameStanding::Won(side(winner)),
            Some(Outcome::Draw) => GameStanding::Draw,
        }
    }

    fn notes(&self) -> Vec<Message> {
        let [a, b] = self.game.score();
        vec![Message::new("play-boxes").with("a", a).with("b", b)]
    }

    fn rows(&self) -> Option<usize> {
        Some(self.game.rows()).filter(|rows| *rows == self.game.cols())
    }
}

/// The computer.
struct DotsPlayer;

impl Adviser for DotsPlayer {
    fn think(&mut self, game: &dyn GameState, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        search::think(&game.downcast_ref::<Table>()?.game, level, stop)
    }
}

fn begin(text: &str) -> Result<Table, Message> {
    let wrong = || Message::new("play-setup-pipopipette");
    let (rows, cols) = text.split_once('x').ok_or_else(wrong)?;
    let side = |text: &str| text.parse().ok().filter(|side| DOTS.contains(side)).ok_or_else(wrong);
    let game = Pipopipette::new(side(rows)?, side(cols)?).map_err(|_| wrong())?;
    Ok(Table { game, drawn: Vec::new() })
}

pub(super) fn side(player: Player) -> usize {
    match player {
        Player::A => 0,
        Player::B => 1,
    }
}

fn piece(player: Player, signed: bool) -> DrawnPiece {
    let (word, tone, sign) = match player {
        Player::A => ("play-a", Tone::Blue, 'A'),
        Player::B => ("play-b", Tone::Red, 'B'),
    };
    DrawnPiece { word, tone, sign: signed.then_some(sign), fixed: true }
}
