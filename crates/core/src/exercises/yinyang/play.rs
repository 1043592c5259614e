//! Playable Yin-Yang: a puzzle for one, with hints from its solver.
//!
//! A starting position is the rows of the puzzle, `W`, `B` and `-`, separated by `/`. A move takes a stone
//! from beside the board to a cell, `w-B3` or `b-B3`, or the eraser, `x-B3`; the cell alone, `B3`, gives it
//! its next colour.

use super::reasons::{self, Reason};
use crate::exercises::grid::{Grid, Pos};
use crate::exercises::playable::{
    Adviser, Drawing, DrawnPiece, Effect, GameStanding, GameState, Kind, Level, Move, Playable, Sizes, Spot,
    Thought, Tone, cell_name, cell_of,
};
use crate::exercises::yinyang::rules::{ActionError, Cell, Colour, PuzzleError, YinYang};
use crate::exercises::yinyang::solver::{Solutions, count_up_to};
use crate::messages::{Message, Translations};
use crate::value::random::Random;
use std::any::Any;

/// The game of Yin-Yang for people.
pub(super) const PLAYABLE: Playable = Playable {
    name: "yinyang",
    messages: Translations {
        nl: include_str!("messages.nl.ftl"),
        da: include_str!("messages.da.ftl"),
        en: include_str!("messages.en.ftl"),
    },
    sides: &["play-solver"],
    tones: &[],
    adviser: Some(|| Box::new(Solver)),
    computer: false,
    sizes: Some(Sizes { rows: 4..=MOST_ROWS, usual: 6, question: "play-ask-size" }),
    fresh: made_up,
    begin: |text| Ok(Box::new(Table { puzzle: read(text)? })),
};

/// The most rows of a puzzle: with more, the solver would keep the player waiting.
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
            let cell = cell_name(pos.row, pos.col);
            let stones = SUPPLIES.map(|supply| Move::between(supply, &cell));
            stones.into_iter().chain([Move::at(cell)])
        });
        every.filter(|found| self.clone().play(found).is_ok()).collect()
    }

    fn play(&mut self, chosen: &Move) -> Result<Effect, Message> {
        let (row, col) = cell_of(&chosen.to)?;
        let pos = Pos::new(row, col);
        if self.puzzle.is_solved() {
            return Err(Message::new("play-over"));
        }
        let refused = |why| refusal(why, &chosen.to);
        let Some(from) = &chosen.from else {
            let colour = self.cycle(pos).map_err(refused)?;
            let taken = if colour.is_none() { vec![chosen.to.clone()] } else { Vec::new() };
            return Ok(Effect { moved: Vec::new(), taken });
        };
        let supply = from.to_ascii_lowercase();
        let done = match supply.as_str() {
            "w" => self.puzzle.fill(pos, Colour::White),
            "b" => self.puzzle.fill(pos, Colour::Black),
            "x" => self.puzzle.clear(pos),
            _ => return Err(Message::new("play-stone-and-cell")),
        };
        done.map_err(refused)?;
        let to = chosen.to.clone();
        Ok(if supply == "x" {
            Effect { moved: Vec::new(), taken: vec![to] }
        } else {
            Effect { moved: vec![(supply, to)], taken: Vec::new() }
        })
    }

    fn standing(&self) -> GameStanding {
        if self.puzzle.is_solved() { GameStanding::Solved } else { GameStanding::Turn(0) }
    }

    fn notes(&self) -> Vec<Message> {
        let empty = self.puzzle.positions().filter(|pos| self.puzzle.cell(*pos) == Some(Cell::Empty)).count();
        vec![Message::new("play-cells-left").with("cells", empty)]
    }

    fn rows(&self) -> Option<usize> {
        Some(self.puzzle.size())
    }
}

impl Table {
    /// Gives the cell at `pos` its next colour: white, black, none, without those that a square forbids.
    fn cycle(&mut self, pos: Pos) -> Result<Option<Colour>, ActionError> {
        let next: &[Colour] = match self.puzzle.cell(pos) {
            Some(Cell::Made(Colour::White)) => &[Colour::Black],
            Some(Cell::Made(Colour::Black)) => &[],
            Some(Cell::Empty | Cell::Given(_)) | None => &Colour::BOTH,
        };
        let was_empty = self.puzzle.cell(pos) == Some(Cell::Empty);
        if !was_empty {
            self.puzzle.clear(pos)?;
        }
        for colour in next {
            if self.puzzle.fill(pos, *colour).is_ok() {
                return Ok(Some(*colour));
            }
        }
        if was_empty { Err(ActionError::Square(pos)) } else { Ok(None) }
    }
}

fn refusal(why: ActionError, name: &str) -> Message {
    let id = match why {
        ActionError::OffGrid(_) => "play-off-board",
        ActionError::Filled(_) => "play-filled",
        ActionError::Square(_) => "play-square",
        ActionError::Empty(_) => "play-empty",
        ActionError::Given(_) => "play-given",
    };
    Message::new(id).with("name", name)
}

/// Knows every solution.
struct Solver;

impl Adviser for Solver {
    fn think(&mut self, game: &dyn GameState, _: Level, _: &dyn Fn() -> bool) -> Option<Thought> {
        let game: &dyn Any = game;
        let puzzle = &game.downcast_ref::<Table>()?.puzzle;
        let thought = |supply: &str, pos: Pos, said| {
            let best = Move::between(supply, cell_name(pos.row, pos.col));
            Some(Thought { line: vec![best.clone()], best, said, score: None })
        };
        if let Some(solution) = first_solution(puzzle) {
            let Deduction { pos, colour, why } = easiest(puzzle, &solution)?;
            return thought(letter(colour), pos, why.map_or(Message::new("play-hint-fill"), explanation));
        }
        // Some cell is wrong: it is in no solution of the puzzle, or at least not in the first.
        let solution = first_solution(&givens(puzzle)?)?;
        let wrong = |pos: &Pos| match puzzle.cell(*pos) {
            Some(Cell::Made(colour)) => solution.get(*pos) != Some(&colour),
            Some(Cell::Empty | Cell::Given(_)) | None => false,
        };
        thought("x", puzzle.positions().find(wrong)?, Message::new("play-hint-wrong"))
    }
}

/// The colour of an empty cell in the solution.
struct Deduction {
    pos: Pos,
    colour: Colour,
    /// The reason why the cell cannot have the other colour, if a simple one is known.
    why: Option<Reason>,
}

/// The deduction that is the easiest to see.
fn easiest(puzzle: &YinYang, solution: &Grid<Colour>) -> Option<Deduction> {
    let empty = || {
        let cells = puzzle.positions().filter(|pos| puzzle.cell(*pos) == Some(Cell::Empty));
        cells.filter_map(|pos| Some((pos, *solution.get(pos)?)))
    };
    let seen =
        empty().filter_map(|(pos, colour)| Some((reasons::visible(puzzle, pos, colour)?, pos, colour)));
    if let Some((why, pos, colour)) = seen.min_by_key(|(why, ..)| *why) {
        return Some(Deduction { pos, colour, why: Some(why) });
    }
    let (pos, colour) = empty().next()?;
    let forced = reasons::is_dead_end(puzzle, pos, colour);
    Some(Deduction { pos, colour, why: forced.then_some(Reason::DeadEnd) })
}

fn explanation(why: Reason) -> Message {
    match why {
        Reason::Square => Message::new("play-hint-square"),
        Reason::Crossing => Message::new("play-hint-crossing"),
        Reason::Edge => Message::new("play-hint-edge"),
        Reason::CutOff(one, other) => Message::new("play-hint-cut-off")
            .with("one", cell_name(one.row, one.col))
            .with("other", cell_name(other.row, other.col)),
        Reason::DeadEnd => Message::new("play-hint-dead-end"),
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

/// A puzzle with exactly one solution: a solution of the empty grid, without the cells that follow from the
/// others.
fn made_up(rows: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let solution = YinYang::new(rows, [], []).ok().and_then(|empty| {
        let solutions = Solutions::of(&empty).ok()?;
        let count = usize::try_from(solutions.count()).unwrap_or(usize::MAX);
        solutions.get(random.below(count) as u128)
    });
    let Some(solution) = solution else { return vec!["-".repeat(rows); rows].join("/") };
    let mut given: Vec<Pos> = solution.positions().collect();
    random.shuffle(&mut given);
    let solution = &solution;
    let puzzle = |given: &[Pos]| {
        let of = |colour| given.iter().copied().filter(move |pos| solution.get(*pos) == Some(&colour));
        YinYang::new(rows, of(Colour::White), of(Colour::Black)).ok()
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
