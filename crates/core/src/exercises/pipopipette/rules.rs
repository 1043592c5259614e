//! Game of dots, which Lucas called la pipopipette: two players draw lines between dots and take boxes.
//!
//! Start at [`Pipopipette::new`] and [`Pipopipette::claim`]. A [`Segment`] is only a name, which may be on no
//! board; only the game knows which lines it has.

use crate::exercises::grid::{Grid, Pos};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// One of the two players. A begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player who begins.
    A,
    /// The other one.
    B,
}

impl Player {
    /// The player on the other side.
    pub fn opponent(self) -> Player {
        match self {
            Player::A => Player::B,
            Player::B => Player::A,
        }
    }
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From a dot to the one on its right.
    Horizontal,
    /// From a dot to the one below it.
    Vertical,
}

/// A line between two neighbouring dots, on a board of any size; as text `H0,1` or `V1,0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    pub direction: Direction,
    /// The left or upper dot.
    pub from: Pos,
}

impl Segment {
    /// The line to the right of the dot at `row` and `col`.
    pub const fn horizontal(row: usize, col: usize) -> Segment {
        Segment { direction: Direction::Horizontal, from: Pos::new(row, col) }
    }

    /// The line below the dot at `row` and `col`.
    pub const fn vertical(row: usize, col: usize) -> Segment {
        Segment { direction: Direction::Vertical, from: Pos::new(row, col) }
    }
}

/// A game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player has the most points.
    Won(Player),
    /// Both have equal points.
    Draw,
}

/// A reason why there is no such board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SizeError {
    /// Fewer than two rows or columns of dots.
    #[error("a board has at least two rows and two columns of dots")]
    TooSmall,
    /// More lines than [`crate::exercises::grid::MOST_CELLS`] in one direction.
    #[error("the board is too large")]
    TooLarge,
}

/// The error for a text that is not the name of a line on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the name of a line is H or V, a row, a comma and a column")]
pub struct NoLine;

/// A reason why a line cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ClaimError {
    /// The board has no such line.
    #[error("the board has no line {0}")]
    OffBoard(Segment),
    /// The line is already drawn.
    #[error("line {0} is drawn already")]
    AlreadyDrawn(Segment),
}

/// A game of dots, in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pipopipette {
    /// Which horizontal lines are drawn.
    horizontal: Grid<bool>,
    /// Which vertical lines are drawn.
    vertical: Grid<bool>,
    /// The owner of each box.
    boxes: Grid<Option<Player>>,
    /// Points of A and of B.
    score: [usize; 2],
    /// The player to draw.
    player: Player,
}

impl Pipopipette {
    /// An empty board of `rows` × `cols` dots.
    ///
    /// # Errors
    /// If it would have no box, or be unreasonably large.
    pub fn new(rows: usize, cols: usize) -> Result<Pipopipette, SizeError> {
        if rows < 2 || cols < 2 {
            return Err(SizeError::TooSmall);
        }
        Ok(Pipopipette {
            horizontal: Grid::filled(rows, cols - 1, false).ok_or(SizeError::TooLarge)?,
            vertical: Grid::filled(rows - 1, cols, false).ok_or(SizeError::TooLarge)?,
            boxes: Grid::filled(rows - 1, cols - 1, None).ok_or(SizeError::TooLarge)?,
            score: [0, 0],
            player: Player::A,
        })
    }

    /// Draws `line` for the player to move, and returns how many boxes that completes: 0, 1 or 2.
    ///
    /// Each box is a point, and a player who completes one moves again: "scoort één punt en blijft aan de
    /// beurt".
    ///
    /// # Errors
    /// If the board has no such line or it is already drawn; the game is then unchanged.
    pub fn claim(&mut self, line: Segment) -> Result<usize, ClaimError> {
        let drawn = self.lines_along_mut(line.direction).get_mut(line.from);
        let drawn = drawn.ok_or(ClaimError::OffBoard(line))?;
        if *drawn {
            return Err(ClaimError::AlreadyDrawn(line));
        }
        *drawn = true;
        let completed = boxes_beside(line).filter(|pos| self.take_if_complete(*pos)).count();
        if completed == 0 {
            self.player = self.player.opponent();
        }
        Ok(completed)
    }

    /// The player to draw; after the last box still the one who took it.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The points of A and of B.
    pub fn score(&self) -> [usize; 2] {
        self.score
    }

    /// The end of the game: the player with the most points, or a draw. `None` while lines can still be
    /// drawn.
    pub fn outcome(&self) -> Option<Outcome> {
        // Every line bounds a box, so the last line completes the last box.
        let [a, b] = self.score;
        (a + b == self.boxes.cells().len()).then(|| match a.cmp(&b) {
            Ordering::Greater => Outcome::Won(Player::A),
            Ordering::Less => Outcome::Won(Player::B),
            Ordering::Equal => Outcome::Draw,
        })
    }

    /// Rows of dots.
    pub fn rows(&self) -> usize {
        self.horizontal.rows()
    }

    /// Columns of dots.
    pub fn cols(&self) -> usize {
        self.vertical.cols()
    }

    /// Whether `line` is drawn; `None` if the board has no such line.
    pub fn is_drawn(&self, line: Segment) -> Option<bool> {
        self.lines_along(line.direction).get(line.from).copied()
    }

    /// The owner of the box whose upper left dot is `pos`; `None` if it has none, or off the board.
    pub fn owner(&self, pos: Pos) -> Option<Player> {
        self.boxes.get(pos).copied().flatten()
    }

    /// The boxes, by their upper left dots, row by row.
    pub fn boxes(&self) -> impl Iterator<Item = Pos> + use<> {
        self.boxes.positions()
    }

    /// The lines that can still be drawn: the horizontal ones row by row, then the vertical ones.
    pub fn free_lines(&self) -> impl Iterator<Item = Segment> + '_ {
        [Direction::Horizontal, Direction::Vertical]
            .into_iter()
            .flat_map(|direction| {
                self.lines_along(direction).positions().map(move |from| Segment { direction, from })
            })
            .filter(|line| self.is_drawn(*line) == Some(false))
    }

    fn lines_along(&self, direction: Direction) -> &Grid<bool> {
        match direction {
            Direction::Horizontal => &self.horizontal,
            Direction::Vertical => &self.vertical,
        }
    }

    fn lines_along_mut(&mut self, direction: Direction) -> &mut Grid<bool> {
        match direction {
            Direction::Horizontal => &mut self.horizontal,
            Direction::Vertical => &mut self.vertical,
        }
    }

    /// Gives the box at `pos` to the player to move, if all its lines are drawn; returns whether.
    fn take_if_complete(&mut self, pos: Pos) -> bool {
        let complete = lines_around(pos).iter().all(|line| self.is_drawn(*line) == Some(true));
        match self.boxes.get_mut(pos) {
            Some(owner) if complete => {
                *owner = Some(self.player);
                match self.player {
                    Player::A => self.score[0] += 1,
                    Player::B => self.score[1] += 1,
                }
                true
            }
            Some(_) | None => false,
        }
    }
}

/// The lines around the box whose upper left dot is `pos`: above, below, left and right.
pub(super) fn lines_around(pos: Pos) -> [Segment; 4] {
    let Pos { row, col } = pos;
    [
        Segment::horizontal(row, col),
        Segment::horizontal(row + 1, col),
        Segment::vertical(row, col),
        Segment::vertical(row, col + 1),
    ]
}

/// The boxes on either side of a line; at the border one of them is off the board, or has no position.
pub(super) fn boxes_beside(line: Segment) -> impl Iterator<Item = Pos> {
    let Pos { row, col } = line.from;
    let before = match line.direction {
        Direction::Horizontal => row.checked_sub(1).map(|row| Pos { row, col }),
        Direction::Vertical => col.checked_sub(1).map(|col| Pos { row, col }),
    };
    before.into_iter().chain([line.from])
}

impl fmt::Display for Pipopipette {
    /// Dots `+`, free lines `.`, drawn ones `-` and `|`, free boxes `?`, the others their player.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, lines) in self.horizontal.iter_rows().enumerate() {
            if row > 0 {
                self.write_row_of_boxes(f, row - 1)?;
            }
            for drawn in lines {
                f.write_str(if *drawn { "+-" } else { "+." })?;
            }
            f.write_str("+")?;
        }
        Ok(())
    }
}

impl Pipopipette {
    fn write_row_of_boxes(&self, f: &mut fmt::Formatter<'_>, row: usize) -> fmt::Result {
        f.write_str("\n")?;
        for col in 0..self.cols() {
            let drawn = self.vertical.get(Pos { row, col }) == Some(&true);
            f.write_str(if drawn { "|" } else { "." })?;
            match self.boxes.get(Pos { row, col }) {
                Some(Some(player)) => write!(f, "{player}")?,
                Some(None) => f.write_str("?")?,
                // There is no box to the right of the last line.
                None => f.write_str("\n")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::A => "A",
            Player::B => "B",
        })
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.direction {
            Direction::Horizontal => 'H',
            Direction::Vertical => 'V',
        };
        write!(f, "{letter}{},{}", self.from.row, self.from.col)
    }
}

impl FromStr for Segment {
    type Err = NoLine;

    /// Reads `Hr,k` or `Vr,k`, each number in digits without a sign, blanks or leading zeros.
    fn from_str(text: &str) -> Result<Segment, NoLine> {
        let (direction, rest) = match text.split_at_checked(1) {
            Some(("H", rest)) => (Direction::Horizontal, rest),
            Some(("V", rest)) => (Direction::Vertical, rest),
            Some(_) | None => return Err(NoLine),
        };
        let (row, col) = rest.split_once(',').ok_or(NoLine)?;
        Ok(Segment { direction, from: Pos::new(coordinate(row)?, coordinate(col)?) })
    }
}

fn coordinate(digits: &str) -> Result<usize, NoLine> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0');
    if !plain || padded {
        return Err(NoLine);
    }
    digits.parse().map_err(|_| NoLine)
}

#[cfg(test)]
mod tests {
    use super::{ClaimError, NoLine, Outcome, Pipopipette, Player, Segment, SizeError};
    use crate::exercises::grid::Pos;

    /// The lines of the assignment's sample game, in order.
    const SAMPLE: [&str; 12] =
        ["H0,0", "H2,1", "H0,1", "H2,0", "V0,0", "V1,2", "H1,0", "V0,1", "H1,1", "V0,2", "V1,1", "V1,0"];

    /// Plays `lines` on a board of `rows` × `cols`, then compares the points, the player to draw, and the
    /// board.
    #[track_caller]
    fn check(rows: usize, cols: usize, lines: &[&str], score: [usize; 2], player: Player, board: &[&str]) {
        let mut game = Pipopipette::new(rows, cols).unwrap();
        for line in lines {
            game.claim(line.parse().unwrap()).unwrap();
        }
        assert_eq!(game.to_string(), board.join("\n"));
        assert_eq!((game.score(), game.player()), (score, player));
    }

    #[test]
    fn the_sample_game_goes_as_the_assignment_shows() {
        check(3, 3, &[], [0, 0], Player::A, &["+.+.+", ".?.?.", "+.+.+", ".?.?.", "+.+.+"]);
        check(3, 3, &SAMPLE[..1], [0, 0], Player::B, &["+-+.+", ".?.?.", "+.+.+", ".?.?.", "+.+.+"]);
        check(3, 3, &SAMPLE[..7], [0, 0], Player::B, &["+-+-+", "|?.?.", "+-+.+", ".?.?|", "+-+-+"]);
        check(3, 3, &SAMPLE[..9], [0, 1], Player::A, &["+-+-+", "|B|?.", "+-+-+", ".?.?|", "+-+-+"]);
        check(3, 3, &SAMPLE, [3, 1], Player::A, &["+-+-+", "|B|A|", "+-+-+", "|A|A|", "+-+-+"]);
    }

    #[test]
    fn a_line_between_two_boxes_can_take_both() {
        let around = ["H0,0", "H0,1", "H1,0", "H1,1", "V0,0", "V0,2", "V0,1"];
        check(2, 3, &around, [2, 0], Player::A, &["+-+-+", "|A|A|", "+-+-+"]);
    }

    #[test]
    fn the_outcome_is_known_once_no_line_is_free() {
        let mut game = Pipopipette::new(3, 3).unwrap();
        for line in SAMPLE {
            assert_eq!(game.outcome(), None);
            game.claim(line.parse().unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Won(Player::A)));
        assert_eq!(game.free_lines().count(), 0);
        assert_eq!(game.owner(Pos::new(0, 0)), Some(Player::B));
    }

    #[test]
    fn a_single_box_goes_to_the_second_player() {
        let lines = ["H0,0", "H1,0", "V0,0", "V0,1"];
        let mut game = Pipopipette::new(2, 2).unwrap();
        for line in lines {
            game.claim(line.parse().unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Won(Player::B)));
    }

    #[test]
    fn as_many_points_for_both_is_a_draw() {
        let mut game = Pipopipette::new(2, 3).unwrap();
        for line in ["H0,1", "H0,0", "H1,0", "V0,0", "V0,1", "H1,1", "V0,2"] {
            game.claim(line.parse().unwrap()).unwrap();
        }
        assert_eq!((game.score(), game.outcome()), ([1, 1], Some(Outcome::Draw)));
    }

    #[test]
    fn a_failed_claim_changes_nothing() {
        let mut game = Pipopipette::new(3, 3).unwrap();
        game.claim(Segment::horizontal(0, 0)).unwrap();
        let before = game.clone();
        for line in [
            Segment::horizontal(0, 2),
            Segment::horizontal(3, 0),
            Segment::vertical(2, 0),
            Segment::vertical(0, 3),
        ] {
            assert_eq!(game.claim(line), Err(ClaimError::OffBoard(line)));
        }
        let drawn = Segment::horizontal(0, 0);
        assert_eq!(game.claim(drawn), Err(ClaimError::AlreadyDrawn(drawn)));
        let far = Segment::vertical(usize::MAX, usize::MAX);
        assert_eq!(game.claim(far), Err(ClaimError::OffBoard(far)));
        assert_eq!(game, before);
    }

    #[test]
    fn a_line_is_read_as_it_is_written() {
        for line in [Segment::horizontal(0, 0), Segment::vertical(10, 2), Segment::horizontal(3, 107)] {
            assert_eq!(line.to_string().parse(), Ok(line));
        }
    }

    #[test]
    fn names_of_no_line_are_refused() {
        let huge = format!("H{},0", "9".repeat(40));
        let texts =
            ["", "H", "H0", "H0,", "H,0", ",", "ABCD", "D0,0", "h0,0", "H0,0,0", " H0,0", "H0, 0", "H00,1"];
        for text in texts.into_iter().chain(["H-1,0", "H+1,0", "H1.0,0", "H١,0", "é0,0", "0,0", &huge]) {
            assert_eq!(text.parse::<Segment>(), Err(NoLine), "{text:?}");
        }
    }

    #[test]
    fn a_board_has_at_least_two_dots_each_way_and_a_bound() {
        for (rows, cols) in [(0, 0), (1, 1), (1, 5), (5, 1)] {
            assert_eq!(Pipopipette::new(rows, cols), Err(SizeError::TooSmall));
        }
        for (rows, cols) in [(usize::MAX, usize::MAX), (2, usize::MAX), (usize::MAX, 2), (2000, 2000)] {
            assert_eq!(Pipopipette::new(rows, cols), Err(SizeError::TooLarge));
        }
        assert!(Pipopipette::new(1000, 1000).is_ok());
    }
}
