//! Game of dots against a canvas of characters.
//!
//! The second formulation keeps only the picture, reads boxes and points from it, and knows the lines of a
//! board by listing their names.

use crate::exercises::grid::Pos;
use crate::exercises::pipopipette::rules::{ClaimError, Outcome, Pipopipette, Player, Segment};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// The picture of a game, and the player to move. Dots have two even coordinates, boxes two odd ones.
#[derive(Clone, PartialEq, Debug)]
struct Canvas {
    pixels: Vec<Vec<char>>,
    player: char,
}

impl Canvas {
    fn new(rows: usize, cols: usize) -> Canvas {
        let pixel = |y: usize, x: usize| match (y % 2, x % 2) {
            (0, 0) => '+',
            (1, 1) => '?',
            _ => '.',
        };
        let pixels = (0..2 * rows - 1).map(|y| (0..2 * cols - 1).map(|x| pixel(y, x)).collect()).collect();
        Canvas { pixels, player: 'A' }
    }

    /// The names of all lines and their places on the canvas.
    fn names(&self) -> Vec<(String, usize, usize)> {
        let mut names = Vec::new();
        for y in 0..self.pixels.len() {
            for x in 0..self.pixels[0].len() {
                match (y % 2, x % 2) {
                    (0, 1) => names.push((format!("H{},{}", y / 2, x / 2), y, x)),
                    (1, 0) => names.push((format!("V{},{}", y / 2, x / 2), y, x)),
                    _ => {}
                }
            }
        }
        names
    }

    fn claim(&mut self, name: &str) -> Result<(), &'static str> {
        let Some((_, y, x)) = self.names().into_iter().find(|(known, _, _)| known == name) else {
            return Err("invalid position");
        };
        if self.pixels[y][x] != '.' {
            return Err("dots already connected");
        }
        self.pixels[y][x] = if y % 2 == 0 { '-' } else { '|' };
        let mut taken = false;
        for y in (1..self.pixels.len()).step_by(2) {
            for x in (1..self.pixels[0].len()).step_by(2) {
                let sides = [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)];
                if self.pixels[y][x] == '?' && sides.iter().all(|(y, x)| self.pixels[*y][*x] != '.') {
                    self.pixels[y][x] = self.player;
                    taken = true;
                }
            }
        }
        if !taken {
            self.player = if self.player == 'A' { 'B' } else { 'A' };
        }
        Ok(())
    }

    fn count(&self, ch: char) -> usize {
        self.pixels.iter().flatten().filter(|pixel| **pixel == ch).count()
    }

    fn text(&self) -> String {
        self.pixels.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// Claims a line of the game by name, with the errors of the assignment.
fn claim(game: &mut Pipopipette, name: &str) -> Result<(), &'static str> {
    match name.parse::<Segment>().map(|line| game.claim(line)) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(ClaimError::AlreadyDrawn(_))) => Err("dots already connected"),
        Ok(Err(ClaimError::OffBoard(_))) | Err(_) => Err("invalid position"),
    }
}

#[track_caller]
fn check_equal(game: &Pipopipette, canvas: &Canvas) {
    assert_eq!(game.to_string(), canvas.text());
    assert_eq!(game.player().to_string(), canvas.player.to_string());
    assert_eq!(game.score(), [canvas.count('A'), canvas.count('B')]);
    assert_eq!(game.free_lines().count(), canvas.count('.'));
    let outcome = (canvas.count('?') == 0).then(|| match (canvas.count('A'), canvas.count('B')) {
        (a, b) if a > b => Outcome::Won(Player::A),
        (a, b) if a < b => Outcome::Won(Player::B),
        _ => Outcome::Draw,
    });
    assert_eq!(game.outcome(), outcome);
}

/// Boxes and points computed from the lines alone must equal those that were kept.
#[track_caller]
fn check_recomputed(game: &Pipopipette) {
    let drawn = |line: Segment| game.is_drawn(line).expect("a line around a box");
    let mut points = [0, 0];
    for Pos { row, col } in game.boxes() {
        let around = [
            Segment::horizontal(row, col),
            Segment::horizontal(row + 1, col),
            Segment::vertical(row, col),
            Segment::vertical(row, col + 1),
        ];
        let owner = game.owner(Pos { row, col });
        assert_eq!(owner.is_some(), around.into_iter().all(drawn), "box {row},{col} of\n{game}");
        match owner {
            Some(Player::A) => points[0] += 1,
            Some(Player::B) => points[1] += 1,
            None => {}
        }
    }
    assert_eq!(game.score(), points);
}

/// Every line whose coordinates are at most one beyond the board's dots.
fn lines_near(game: &Pipopipette) -> Vec<Segment> {
    let corners = (0..=game.rows()).flat_map(|row| (0..=game.cols()).map(move |col| (row, col)));
    corners.flat_map(|(row, col)| [Segment::horizontal(row, col), Segment::vertical(row, col)]).collect()
}

fn sizes() -> impl Strategy<Value = (usize, usize)> {
    (2usize..=6, 2usize..=6)
}

/// Which of the free lines to draw, as shares of their number; enough for the longest game.
fn choices() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..=60)
}

/// Names of lines, names with a mistake, and texts that are hardly names.
fn names() -> impl Strategy<Value = String> {
    prop_oneof!["[HV][0-6],[0-6]", "[HV][ +-]?0?[0-3],[ 0]?[0-3][ ,x]?", "[HVDh]?[0-9]{0,3},?[0-9]{0,3}"]
}

/// Draws as many lines as there are choices, and shows the game after each.
fn play(size: (usize, usize), choices: &[prop::sample::Index], mut show: impl FnMut(&Pipopipette, Segment)) {
    let mut game = Pipopipette::new(size.0, size.1).expect("a size from `sizes`");
    for choice in choices {
        let free: Vec<Segment> = game.free_lines().collect();
        if free.is_empty() {
            break;
        }
        let line = free[choice.index(free.len())];
        game.claim(line).expect("a free line");
        show(&game, line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_game_goes_as_on_the_canvas(size in sizes(), choices in choices()) {
        let mut canvas = Canvas::new(size.0, size.1);
        check_equal(&Pipopipette::new(size.0, size.1).unwrap(), &canvas);
        play(size, &choices, |game, line| {
            canvas.claim(&line.to_string()).unwrap();
            check_equal(game, &canvas);
        });
    }

    #[test]
    fn boxes_and_points_are_those_of_the_lines(size in sizes(), choices in choices()) {
        play(size, &choices, |game, _| check_recomputed(game));
    }

    #[test]
    fn the_free_lines_are_those_that_can_be_claimed(size in sizes(), choices in choices()) {
        play(size, &choices, |game, _| {
            let free: HashSet<Segment> = game.free_lines().collect();
            assert_eq!(free.len(), game.free_lines().count());
            for line in lines_near(game) {
                assert_eq!(game.clone().claim(line).is_ok(), free.contains(&line), "{line} on\n{game}");
            }
        });
    }

    #[test]
    fn a_refused_claim_changes_nothing(size in sizes(), choices in choices()) {
        play(size, &choices, |game, _| {
            for line in lines_near(game) {
                let mut tried = game.clone();
                if tried.claim(line).is_err() {
                    assert_eq!(&tried, game);
                }
            }
        });
    }

    #[test]
    fn any_text_is_taken_or_refused_as_on_the_canvas(
        size in sizes(),
        names in prop::collection::vec(names(), 1..=40),
    ) {
        let mut game = Pipopipette::new(size.0, size.1).unwrap();
        let mut canvas = Canvas::new(size.0, size.1);
        for name in names {
            prop_assert_eq!(claim(&mut game, &name), canvas.claim(&name), "{:?}", name);
            check_equal(&game, &canvas);
        }
    }

    #[test]
    fn a_line_takes_as_many_boxes_as_the_score_grows(size in sizes(), choices in choices()) {
        let mut before = Pipopipette::new(size.0, size.1).unwrap();
        play(size, &choices, |game, line| {
            let completed = before.clone().claim(line).unwrap();
            let points: usize = game.score().iter().sum();
            assert_eq!(points - before.score().iter().sum::<usize>(), completed);
            assert_eq!(game.player() == before.player(), completed > 0);
            before = game.clone();
        });
    }
}

#[test]
fn a_game_ends_with_its_last_line_and_not_before() {
    for (rows, cols) in [(2, 2), (2, 5), (5, 2), (4, 4), (3, 6)] {
        let mut game = Pipopipette::new(rows, cols).unwrap();
        let lines: Vec<Segment> = game.free_lines().collect();
        assert_eq!(lines.len(), rows * (cols - 1) + (rows - 1) * cols);
        for line in lines {
            assert_eq!(game.outcome(), None);
            game.claim(line).unwrap();
        }
        assert!(game.outcome().is_some());
        assert_eq!(game.score().iter().sum::<usize>(), (rows - 1) * (cols - 1));
    }
}

/// How many points the player to move can still get ahead with best play, by trying every order of lines.
fn margin(game: &Pipopipette, known: &mut HashMap<Vec<bool>, i32>) -> i32 {
    let lines: Vec<bool> = lines_near(game).into_iter().filter_map(|line| game.is_drawn(line)).collect();
    if let Some(margin) = known.get(&lines) {
        return *margin;
    }
    let tried = game.free_lines().map(|line| {
        let mut next = game.clone();
        match next.claim(line).expect("a free line") {
            0 => -margin(&next, known),
            completed => completed as i32 + margin(&next, known),
        }
    });
    let best = tried.max().unwrap_or(0);
    known.insert(lines, best);
    best
}

#[test]
fn perfect_play_on_small_boards_ends_as_an_independent_search_of_line_sets_says() {
    for (rows, cols) in [(2, 2), (2, 3), (2, 4), (3, 3)] {
        let game = Pipopipette::new(rows, cols).unwrap();
        assert_eq!(margin(&game, &mut HashMap::new()), margin_of_sets(rows, cols), "{rows} × {cols}");
    }
}

/// The same margin from sets of lines as bits, without a game: a box is a mask of four of them.
fn margin_of_sets(rows: usize, cols: usize) -> i32 {
    let width = cols - 1;
    let horizontal = |row: usize, col: usize| 1u32 << (row * width + col);
    let vertical = |row: usize, col: usize| 1u32 << (rows * width + row * cols + col);
    let masks: Vec<u32> = (0..rows - 1)
        .flat_map(|row| (0..width).map(move |col| (row, col)))
        .map(|(row, col)| {
            horizontal(row, col) | horizontal(row + 1, col) | vertical(row, col) | vertical(row, col + 1)
        })
        .collect();
    let count = rows * width + (rows - 1) * cols;
    // Drawing a line makes the number larger, so going downwards every successor is known.
    let full = 1usize << count;
    let mut margins = vec![0i32; full];
    for drawn in (0..full - 1).rev() {
        margins[drawn] = (0..count)
            .filter(|line| drawn >> line & 1 == 0)
            .map(|line| {
                let next = drawn | 1 << line;
                let boxes = |set: usize| masks.iter().filter(|mask| set as u32 & **mask == **mask).count();
                match boxes(next) - boxes(drawn) {
                    0 => -margins[next],
                    completed => completed as i32 + margins[next],
                }
            })
            .max()
            .unwrap_or(0);
    }
    margins[0]
}
