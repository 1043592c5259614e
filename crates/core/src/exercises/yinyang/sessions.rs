//! Random sessions of Yin-Yang.
//!
//! Never asked: whether a grid of one cell is solved, a dimension below 1, positions that are no pair of
//! integers, and a cell that is given twice in one colour.

use crate::exercises::grid::{Grid, Pos};
use crate::exercises::script::{CallResult, Created, Scribe, ScriptStep, Scripted, Seen, short, watched};
use crate::exercises::sessions::{RandomStep, Sessions};
use crate::exercises::yinyang::rules::{Colour, YinYang};
use crate::exercises::yinyang::scripted::{CellCall, CellPlace, Form, Givens, Puzzle};
use crate::exercises::yinyang::solver::Solutions;
use crate::value::random::Random;
use std::sync::OnceLock;

#[cfg(test)]
mod tests;

/// The sessions.
pub(super) const SESSIONS: Sessions = Sessions { random: session, short: short::<Puzzle> };

/// A random session.
fn session(random: &mut Random) -> Vec<RandomStep> {
    let mut scribe: Scribe<Puzzle> = Scribe::new();
    match random.below(25) {
        0..8 => {
            let given = random.part(|random| Givens::random(size(random), random));
            let on = scribe.make(given);
            random.list(|random| 3 + random.below(12), |random| act(&mut scribe, on, random));
        }
        8..14 => solve(&mut scribe, random),
        14..16 => squares(&mut scribe, random),
        16 => joined(&mut scribe, random),
        17..19 => several(&mut scribe, random),
        19 => lists(&mut scribe, random),
        20..22 => random.list(
            |random| 1 + random.below(4),
            |random| {
                scribe.make(Givens::refused(random));
            },
        ),
        22 => winding(&mut scribe, random),
        _ => {
            let given = random.part(|random| Givens::random(size(random), random));
            watched(&mut scribe, given, random);
        }
    }
    scribe.session()
}

fn size(random: &mut Random) -> usize {
    match random.below(24) {
        0..8 => 2,
        8 => 1,
        9..16 => 3,
        16..20 => 4,
        20..22 => 5,
        22 => 6 + random.below(4),
        _ => 12,
    }
}

/// Calls anything.
fn act(scribe: &mut Scribe<Puzzle>, on: usize, random: &mut Random) {
    let Some(size) = scribe.state(on).map(YinYang::size) else { return };
    let cell = random.part(|random| cell(size, random));
    match random.below(16) {
        0..4 => seen(scribe, on, vec![CellCall::Fill(Colour::White, cell)], random),
        4..8 => seen(scribe, on, vec![CellCall::Fill(Colour::Black, cell)], random),
        8..11 => seen(scribe, on, vec![CellCall::Clear(cell)], random),
        11..13 => {
            scribe.ask(on, CellCall::Region(cell), Seen::Value);
        }
        13 => {
            scribe.ask(on, CellCall::Solved, Seen::Value);
        }
        14 => {
            let filled = [Colour::White, Colour::Black].map(|colour| CellCall::Fill(colour, cell));
            seen(scribe, on, vec![filled[random.below(2)], CellCall::Clear(cell)], random);
        }
        _ => {
            // The region may be looked at again, after another one.
            let name = ["gebied", "ander_gebied"][random.below(2)];
            let calls = vec![CellCall::Region(cell)];
            scribe.add(ScriptStep::Ask { on, calls, seen: Seen::Value, name: Some(name) });
            if random.below(3) == 0 {
                act(scribe, on, random);
            } else {
                let other = self::cell(size, random);
                scribe.ask(on, CellCall::Region(other), Seen::Value);
            }
            scribe.add(ScriptStep::Recall { name });
        }
    }
}

/// Calls `calls` in a chain as far as they are not refused, looking at one thing or another.
fn seen(scribe: &mut Scribe<Puzzle>, on: usize, calls: Vec<CellCall>, random: &mut Random) {
    let mut chain = Vec::new();
    let mut puzzle = scribe.state(on).cloned();
    for call in calls {
        let played = puzzle.as_mut().map(|puzzle| Puzzle::play(puzzle, &call, false));
        chain.push(call);
        if played != Some(CallResult::Itself) {
            scribe.chain(on, std::mem::take(&mut chain), Seen::Value);
            if random.below(2) == 1 {
                scribe.look(on);
            }
        }
    }
    if !chain.is_empty() {
        let seen = [Seen::Nothing, Seen::Text, Seen::Text, Seen::Text, Seen::Same][random.below(5)];
        scribe.chain(on, chain, seen);
    }
}

/// A cell, seldom beyond the grid.
fn cell(size: usize, random: &mut Random) -> CellPlace {
    let size = size as i64;
    let mut at = || match random.below(30) {
        26 => -1,
        27 => -size,
        28 => size,
        29 => size + 1,
        18..26 if size > 9 => [0, 1, 10, 11][random.below(4)],
        _ => random.below(size as usize) as i64,
    };
    (at(), at())
}

/// Solves a puzzle, or nearly so, and goes on for a while.
fn solve(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let mut filling = random.part(filling);
    let size = filling.rows();
    if random.below(3) == 2 {
        let place = Pos::new(random.below(size), random.below(size));
        if let Some(colour) = filling.get_mut(place) {
            *colour = opposite(*colour);
        }
    }
    let given = size * size - random.below(size * size + 1);
    let mut givens = Givens::empty(size);
    let mut rest = Vec::new();
    let mut positions: Vec<Pos> = filling.positions().collect();
    random.part(|random| {
        for index in 0..size * size {
            let Some(pos) = random.take(&mut positions) else { continue };
            let Some(colour) = filling.get(pos).copied() else { continue };
            let cell = (pos.row as i64, pos.col as i64);
            givens.of(colour).push(cell);
            // A flipped cell may make a square.
            if index >= given || !matches!(Puzzle::create(&givens), Created::Board(_)) {
                givens.of(colour).pop();
                rest.push((colour, cell));
            }
        }
    });
    random.part(|random| givens.forms(random));
    let on = scribe.make(givens);
    let last = rest.len().saturating_sub(1);
    let pause = if random.below(2) == 0 { last } else { random.below(last + 1) };
    for (index, part) in [&rest[..pause], &rest[pause..]].into_iter().enumerate() {
        let mut left = part.iter();
        let longest = 1 + random.below(6);
        random.list(
            |_| part.len().div_ceil(longest),
            |random| {
                let fills = left.by_ref().take(longest);
                let fills = fills.map(|(colour, cell)| CellCall::Fill(*colour, *cell)).collect();
                seen(scribe, on, fills, random);
            },
        );
        if index == 0 {
            random.list(|random| random.below(2), |random| act(scribe, on, random));
        }
        random.list(|_| 1, |_| scribe.ask(on, CellCall::Solved, Seen::Value));
    }
    if let Some((colour, cell)) = rest.get(random.below(rest.len())) {
        let colour = if random.below(3) == 2 { opposite(*colour) } else { *colour };
        let mut calls = [CellCall::Clear(*cell), CellCall::Fill(colour, *cell)].into_iter();
        random.list(
            |_| 2,
            |random| {
                seen(scribe, on, calls.next().into_iter().collect(), random);
                scribe.ask(on, CellCall::Solved, Seen::Value);
            },
        );
    }
    if random.below(2) == 1 {
        let cell = (random.below(size) as i64, random.below(size) as i64);
        scribe.ask(on, CellCall::Region(cell), Seen::Value);
    }
}

const fn opposite(colour: Colour) -> Colour {
    match colour {
        Colour::White => Colour::Black,
        Colour::Black => Colour::White,
    }
}

/// A full grid without a square: a solution, or stripes, which are in several parts.
fn filling(random: &mut Random) -> Grid<Colour> {
    let size = [2, 2, 3, 3, 3, 4, 4, 5, 6, 7 + random.below(5)][random.below(10)];
    let known = solutions(size);
    if let Some(solution) = known.get(random.below(known.len().saturating_add(known.len() / 6))) {
        return solution.clone();
    }
    let comb = size > 2 && random.below(3) > 0;
    let swapped = random.below(2) == 0;
    let turned = random.below(2) == 0;
    let colours = (0..size * size).map(|index| {
        let (row, col) = if turned { (index % size, index / size) } else { (index / size, index % size) };
        let white = match col {
            // A comb: the teeth of each colour are connected at one side.
            0 if comb => true,
            _ if comb && col + 1 == size => false,
            _ => row.is_multiple_of(2),
        };
        if white != swapped { Colour::White } else { Colour::Black }
    });
    // The number of cells is that of the colours.
    Grid::from_cells(size, size, colours.collect()).unwrap_or_else(|| filling(random))
}

/// Solutions of the empty grid: all of a small one.
fn solutions(size: usize) -> &'static [Grid<Colour>] {
    const LARGEST_KNOWN: usize = 5;
    static KNOWN: [OnceLock<Vec<Grid<Colour>>>; LARGEST_KNOWN + 1] =
        [const { OnceLock::new() }; LARGEST_KNOWN + 1];
    let all = || {
        let Ok(puzzle) = YinYang::new(size, [], []) else { return Vec::new() };
        Solutions::of(&puzzle).map_or_else(|_| Vec::new(), |solutions| solutions.iter().collect())
    };
    KNOWN.get(size).map_or(&[], |known| known.get_or_init(all))
}

/// Tries squares of one colour, also such as are none because they go round the edge.
fn squares(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let size = 2 + random.below(4);
    let colour = Colour::BOTH[random.below(2)];
    let mut givens = Givens::empty(size);
    let mut fills = Vec::new();
    let start = if random.below(2) == 0 { random.below(size - 1) } else { size - 1 };
    let other = if start == size - 1 { random.below(size) } else { random.below(size - 1) };
    let (row, col) = if random.below(2) == 0 { (start, other) } else { (other, start) };
    let mut corners = vec![(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
    while let Some((row, col)) = random.take(&mut corners) {
        let cell = ((row % size) as i64, (col % size) as i64);
        if !corners.is_empty() && random.below(3) == 0 && !givens.of(colour).contains(&cell) {
            givens.of(colour).push(cell);
        } else {
            fills.push((colour, cell));
        }
    }
    givens.forms(random);
    let on = scribe.make(givens);
    let mut calls: Vec<CellCall> =
        fills.iter().map(|(colour, cell)| CellCall::Fill(*colour, *cell)).collect();
    let last = calls.pop();
    if let Some(cleared) = calls.last().and_then(|call| call.cell()).filter(|_| random.below(4) == 0) {
        calls.extend([CellCall::Clear(cleared), CellCall::Fill(colour, cleared)]);
        calls.truncate(if random.below(2) == 0 { calls.len() } else { calls.len() - 1 });
    }
    seen(scribe, on, calls, random);
    if let Some((row, col)) = last.and_then(|call| call.cell()) {
        seen(scribe, on, vec![CellCall::Fill(colour, (row, col))], random);
        scribe.look(on);
        seen(scribe, on, vec![CellCall::Fill(opposite(colour), (row, col))], random);
    }
    scribe.ask(on, CellCall::Region((row as i64, col as i64)), Seen::Value);
}

/// Asks for the region of a winding line, from its ends.
fn winding(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let size = 5 + random.below(3);
    let turned = random.below(2) == 0;
    let mut givens = Givens::empty(size);
    let colour = Colour::BOTH[random.below(2)];
    for row in 0..size {
        // Every second row, and between them one cell at either end in turn.
        let end = if row % 4 == 1 { size - 1 } else { 0 };
        for col in (0..size).filter(|col| row.is_multiple_of(2) || *col == end) {
            let (row, col) = if turned { (col, row) } else { (row, col) };
            givens.of(colour).push((row as i64, col as i64));
        }
    }
    let cells = givens.of(colour).clone();
    let made: Vec<CellPlace> = (0..random.below(4)).filter_map(|_| givens.of(colour).pop()).collect();
    let on = scribe.make(givens);
    let fills = made.into_iter().rev().map(|cell| CellCall::Fill(colour, cell)).collect();
    seen(scribe, on, fills, random);
    random.list(
        |_| 3,
        |random| {
            let places = [0, cells.len() - 1, random.below(cells.len())];
            scribe.ask(on, CellCall::Region(cells[places[random.below(3)]]), Seen::Value);
        },
    );
}

/// Joins cells of a line to a region and takes them apart again, asking for the same region after each change.
fn joined(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let size = 2 + random.below(3);
    let (length, line) = (2 + random.below(size - 1), random.below(size));
    let turned = random.below(2) == 1;
    let cell = |at: usize| if turned { (at as i64, line as i64) } else { (line as i64, at as i64) };
    let colour = Colour::BOTH[random.below(2)];
    let region = CellCall::Region(cell(random.below(length)));
    let on = scribe.make(Givens::empty(size));
    seen(scribe, on, (0..length).map(|at| CellCall::Fill(colour, cell(at))).collect(), random);
    scribe.ask(on, region, Seen::Value);
    random.list(
        |random| 1 + random.below(3),
        |random| {
            let changed = cell(random.below(length));
            let filled = if random.below(3) == 2 { opposite(colour) } else { colour };
            for change in [CellCall::Clear(changed), CellCall::Fill(filled, changed)] {
                seen(scribe, on, vec![change], random);
                scribe.ask(on, region, Seen::Value);
            }
        },
    );
}

/// Several puzzles at once.
fn several(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let size = random.part(size);
    let first = random.part(|random| Givens::random(size, random));
    let mut puzzles = vec![scribe.make(first.clone())];
    random.list(
        |random| 1 + random.below(2),
        |random| {
            let given = if random.below(2) == 0 { first.clone() } else { Givens::random(size, random) };
            random.list(|_| 1, |random| act(scribe, puzzles[0], random));
            puzzles.push(scribe.make(given));
        },
    );
    let count = puzzles.len();
    random.list(|random| 1 + random.below(6), |random| act(scribe, puzzles[random.below(count)], random));
    random.list(
        |_| 2 * count,
        |random| {
            let on = puzzles[random.below(count)];
            if random.below(2) == 0 {
                scribe.look(on);
            } else {
                let cell = (random.below(size) as i64, random.below(size) as i64);
                scribe.ask(on, CellCall::Region(cell), Seen::Value);
            }
        },
    );
}

/// The lists of the caller stay as they are.
fn lists(scribe: &mut Scribe<Puzzle>, random: &mut Random) {
    let mut givens = random.part(|random| Givens::random(2 + random.below(2), random));
    (givens.white.form, givens.black.form) = (Form::Named("wit"), Form::Named("zwart"));
    let on = scribe.make(givens);
    random.list(|random| 2 + random.below(6), |random| act(scribe, on, random));
    scribe.add(ScriptStep::Recall { name: "wit" });
    scribe.add(ScriptStep::Recall { name: "zwart" });
}

impl Givens {
    /// Gives the cells in other forms.
    fn forms(&mut self, random: &mut Random) {
        let forms = [Form::List, Form::List, Form::List, Form::Tuple, Form::Set];
        self.white.form = forms[random.below(5)];
        self.black.form = forms[random.below(5)];
        self.by_position = random.below(8) == 7;
        if random.below(2) == 0 {
            self.sort();
        }
    }

    /// Arguments that the constructor accepts.
    fn random(size: usize, random: &mut Random) -> Givens {
        let mut givens = Givens::empty(size);
        random.list(
            |random| random.below(2 + size.min(5)),
            |random| {
                let colour = Colour::BOTH[random.below(2)];
                let cell = cell(size, random);
                givens.of(colour).push(cell);
                if !matches!(Puzzle::create(&givens), Created::Board(_)) {
                    givens.of(colour).pop();
                }
            },
        );
        random.part(|random| givens.forms(random));
        givens
    }

    /// Arguments that the constructor refuses, or nearly so.
    fn refused(random: &mut Random) -> Givens {
        let size = [1, 2, 2, 3, 3, 4, 5][random.below(7)];
        let mut givens = Givens::random(size, random);
        let colour = Colour::BOTH[random.below(2)];
        let most = size as i64;
        let inside = random.below(size) as i64;
        match random.below(4) {
            0 => {
                let outside = [-1, -most, most, most + 1][random.below(4)];
                let cell = if random.below(2) == 0 { (outside, inside) } else { (inside, outside) };
                givens.of(colour).push(cell);
            }
            1 => {
                let cell = (inside, random.below(size) as i64);
                for colour in Colour::BOTH {
                    if !givens.of(colour).contains(&cell) {
                        givens.of(colour).push(cell);
                    }
                }
            }
            _ => {
                // A square, of both colours now and then, or one that goes round the edge.
                givens = Givens::empty(size);
                let row = inside;
                let col = random.below(size) as i64;
                let mixed = random.below(3) == 0;
                for (index, (down, right)) in [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().enumerate() {
                    let cell = ((row + down) % most, (col + right) % most);
                    let colour = if mixed && index == 3 { opposite(colour) } else { colour };
                    if !givens.of(colour).contains(&cell) {
                        givens.of(colour).push(cell);
                    }
                }
                givens.forms(random);
            }
        }
        givens
    }
}
