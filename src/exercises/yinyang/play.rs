//! Playable Yin-Yang: a puzzle for one, with hints from its solver.
//!
//! A starting position is the rows of the puzzle, `W`, `B` and `-`, separated by `/`. A move takes a stone from
//! beside the board to a cell, `w-B3` or `b-B3`, or the eraser, `x-B3`.

use crate::exercises::grid::{Grid, Pos};
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Kind, Level, Message, Move, Playable,
    Spot, Thought, Tone, cell_name, cell_of,
};
use crate::exercises::yinyang::rules::{ActionError, Cell, Colour, PuzzleError, YinYang};
use crate::exercises::yinyang::solver::{Solutions, count_up_to};
use crate::messages::Translations;
use crate::value::random::Random;
use std::any::Any;

/// Its entry in the registry.
pub(super) const PLAYABLE: Playable = Playable {
    name: "yinyang",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-solver"],
    adviser: Some(|| Box::new(Solver)),
    computer: false,
    fresh: made_up,
    begin: |text| Ok(Box::new(Table { puzzle: read(text)? })),
};

/// Rows of a generated puzzle.
const ROWS: usize = 6;
/// The most rows of a given puzzle: with more, the solver would keep the player waiting.
const MOST_ROWS: usize = 9;
/// The supplies beside the board: the white stone, the black one, and the eraser.
const SUPPLIES: [&str; 3] = ["w", "b", "x"];

#[derive(Clone)]
struct Table {
    puzzle: YinYang,
}

impl GameState for Table {
    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn drawing(&self) -> Drawing {
        let size = self.puzzle.size();
        let mut drawing =
            Drawing::of_cells(size, size, |row, col| match self.puzzle.cell(Pos::new(row, col))? {
                Cell::Empty => None,
                Cell::Given(colour) => Some(piece(colour, true)),
                Cell::Made(colour) => Some(piece(colour, false)),
            });
        drawing.size.0 += 2;
        for (index, name) in SUPPLIES.into_iter().enumerate() {
            let piece = match name {
                "w" => piece(Colour::White, false),
                "b" => piece(Colour::Black, false),
                _ => DrawnPiece { word: "play-wiper", tone: Tone::Plain, sign: Some('×'), fixed: false },
            };
            let at = (size + 2, index + 1);
            drawing.spots.push(Spot { name: name.to_owned(), at, kind: Kind::Supply, piece: Some(piece) });
        }
        drawing
    }

    fn moves(&self) -> Vec<Move> {
        if self.puzzle.is_solved() {
            return Vec::new();
        }
        let every = self.puzzle.positions().flat_map(|pos| {
            SUPPLIES.into_iter().map(move |supply| Move::between(supply, cell_name(pos.row, pos.col)))
        });
        every.filter(|found| self.clone().play(found).is_ok()).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let from = chosen.from.as_deref().ok_or_else(|| Message::new("play-stone-and-cell"))?;
        let (row, col) = cell_of(&chosen.to)?;
        let pos = Pos::new(row, col);
        let supply = from.to_ascii_lowercase();
        if self.puzzle.is_solved() {
            return Err(Message::new("play-over"));
        }
        let done = match supply.as_str() {
            "w" => self.puzzle.fill(pos, Colour::White),
            "b" => self.puzzle.fill(pos, Colour::Black),
            "x" => self.puzzle.clear(pos),
            _ => return Err(Message::new("play-stone-and-cell")),
        };
        let id = match done {
            Ok(_) if supply == "x" => {
                return Ok(Effect { moved: Vec::new(), taken: vec![chosen.to.clone()] });
            }
            Ok(_) => return Ok(Effect { moved: vec![(supply, chosen.to.clone())], taken: Vec::new() }),
            Err(ActionError::OffGrid(_)) => "play-off-board",
            Err(ActionError::Filled(_)) => "play-filled",
            Err(ActionError::Square(_)) => "play-square",
            Err(ActionError::Empty(_)) => "play-empty",
            Err(ActionError::Given(_)) => "play-given",
        };
        Err(Message::new(id).with("name", &chosen.to))
    }

    fn standing(&self) -> GameStanding {
        if self.puzzle.is_solved() { GameStanding::Solved } else { GameStanding::Turn(0) }
    }

    fn notes(&self) -> Vec<Message> {
        let empty = self.puzzle.positions().filter(|pos| self.puzzle.cell(*pos) == Some(Cell::Empty)).count();
        vec![Message::new("play-cells-left").with("cells", empty)]
    }
}

/// Knows every solution.
struct Solver;

impl Adviser for Solver {
    fn think(&mut self, game: &dyn GameState, _: Level, _: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        let puzzle = &game.downcast_ref::<Table>()?.puzzle;
        let thought = |supply: &str, pos: Pos, id| {
            let best = Move::between(supply, cell_name(pos.row, pos.col));
            Some(Thought { line: vec![best.clone()], best, said: Message::new(id) })
        };
        if let Some(solution) = first_solution(puzzle) {
            let pos = puzzle.positions().find(|pos| puzzle.cell(*pos) == Some(Cell::Empty))?;
            return thought(letter(*solution.get(pos)?), pos, "play-hint-fill");
        }
        // Some cell is wrong: it is in no solution of the puzzle, or at least not in the first.
        let solution = first_solution(&givens(puzzle)?)?;
        let wrong = |pos: &Pos| match puzzle.cell(*pos) {
            Some(Cell::Made(colour)) => solution.get(*pos) != Some(&colour),
            Some(Cell::Empty | Cell::Given(_)) | None => false,
        };
        thought("x", puzzle.positions().find(wrong)?, "play-hint-wrong")
    }
}

fn first_solution(puzzle: &YinYang) -> Option<Grid<Colour>> {
    Solutions::of(puzzle).ok()?.get(0)
}

/// The puzzle as given.
fn givens(puzzle: &YinYang) -> Option<YinYang> {
    let of = |colour| puzzle.positions().filter(move |pos| puzzle.cell(*pos) == Some(Cell::Given(colour)));
    YinYang::new(puzzle.size(), of(Colour::White), of(Colour::Black)).ok()
}

/// A puzzle with exactly one solution: a solution of the empty grid, without the cells that follow from the others.
fn made_up(number: u64) -> String {
    let mut random = Random::new(number);
    let solution = YinYang::new(ROWS, [], []).ok().and_then(|empty| {
        let solutions = Solutions::of(&empty).ok()?;
        let count = usize::try_from(solutions.count()).unwrap_or(usize::MAX);
        solutions.get(random.below(count) as u128)
    });
    let Some(solution) = solution else { return vec!["-".repeat(ROWS); ROWS].join("/") };
    let mut given: Vec<Pos> = solution.positions().collect();
    random.shuffle(&mut given);
    let solution = &solution;
    let puzzle = |given: &[Pos]| {
        let of = |colour| given.iter().copied().filter(move |pos| solution.get(*pos) == Some(&colour));
        YinYang::new(ROWS, of(Colour::White), of(Colour::Black)).ok()
    };
    for pos in given.clone() {
        let fewer: Vec<Pos> = given.iter().copied().filter(|other| *other != pos).collect();
        if puzzle(&fewer).is_some_and(|fewer| count_up_to(&fewer, 2) == Ok(1)) {
            given = fewer;
        }
    }
    puzzle(&given).map_or_else(String::new, |puzzle| puzzle.to_string().replace('\n', "/"))
}

fn read(text: &str) -> Result<YinYang, Message> {
    let wrong = || Message::new("play-setup-yinyang");
    let rows: Vec<&str> = text.split('/').collect();
    let square = rows.iter().all(|row| row.chars().count() == rows.len());
    if !square || rows.len() > MOST_ROWS || text.chars().any(|ch| !"WB-/".contains(ch)) {
        return Err(wrong());
    }
    let of = |wanted: char| {
        let places = rows.iter().enumerate().flat_map(|(row, text)| {
            text.chars().enumerate().map(move |(col, found)| (Pos::new(row, col), found))
        });
        places.filter(move |(_, found)| *found == wanted).map(|(pos, _)| pos).collect::<Vec<Pos>>()
    };
    YinYang::new(rows.len(), of('W'), of('B')).map_err(|why| match why {
        PuzzleError::Square(pos) => Message::new("play-square").with("name", cell_name(pos.row, pos.col)),
        PuzzleError::Size(_) | PuzzleError::OffGrid(_) | PuzzleError::BothColours(_) => wrong(),
    })
}

fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "w",
        Colour::Black => "b",
    }
}

fn piece(colour: Colour, fixed: bool) -> DrawnPiece {
    let (word, tone) = match colour {
        Colour::White => ("play-white", Tone::Light),
        Colour::Black => ("play-black", Tone::Dark),
    };
    DrawnPiece { word, tone, sign: None, fixed }
}
