//! Quixo: dice on a square board, taken from its outer ring and pushed back in at another end.
//!
//! [`Quixo`] is the board with the rules; [`Turn`] is one player's move. The player to move is not part of
//! the state, and the board stays playable after the game has ended: the assignment asks neither of its
//! class.

use crate::exercises::grid::{Grid, Pos};
use std::fmt;

/// The most rows and columns: a column is named by one capital letter.
pub const LARGEST: usize = 26;

/// A player, and the mark that the player's dice show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// The crosses, `X`.
    Cross,
    /// The circles, `O`.
    Circle,
}

impl Symbol {
    /// Both players.
    pub const BOTH: [Symbol; 2] = [Symbol::Cross, Symbol::Circle];

    /// The player whose mark is `mark`, a capital `X` or `O`.
    pub fn from_char(mark: char) -> Option<Symbol> {
        match mark {
            'X' => Some(Symbol::Cross),
            'O' => Some(Symbol::Circle),
            _ => None,
        }
    }

    /// The mark on the player's dice.
    pub fn as_char(self) -> char {
        match self {
            Symbol::Cross => 'X',
            Symbol::Circle => 'O',
        }
    }
}

/// The upper face of a die; `None` is blank.
pub type Face = Option<Symbol>;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One player has a full line, no matter who completed it.
    Win(Symbol),
    /// Both players got a full line at the same moment.
    Draw,
}

/// One move: the die at `from` shows `symbol` and goes back in at `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The player.
    pub symbol: Symbol,
    /// The place of the die that is taken.
    pub from: Pos,
    /// The end of the row or column at which it is pushed back in.
    pub to: Pos,
}

/// A board of Quixo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quixo {
    dice: Grid<Face>,
    outcome: Option<Outcome>,
}

impl Quixo {
    /// The board of `size` × `size` blank dice.
    ///
    /// # Errors
    /// [`BoardError::Size`].
    pub fn new(size: usize) -> Result<Quixo, BoardError> {
        let dice = allowed(size).and_then(|size| Grid::filled(size, size, None));
        Ok(Quixo::with_dice(dice.ok_or(BoardError::Size)?))
    }

    /// The board of `size` × `size` dice whose upper faces are `faces`, row by row: `-`, `X` or `O`.
    ///
    /// # Errors
    /// [`BoardError`], for the first problem.
    pub fn with_faces(size: usize, faces: &str) -> Result<Quixo, BoardError> {
        let size = allowed(size).ok_or(BoardError::Size)?;
        let wrong_number = BoardError::Number { expected: size * size, found: faces.chars().count() };
        let dice = faces.chars().map(face).collect::<Result<Vec<Face>, BoardError>>()?;
        Ok(Quixo::with_dice(Grid::from_cells(size, size, dice).ok_or(wrong_number)?))
    }

    /// The number of rows, which equals that of columns.
    pub fn size(&self) -> usize {
        self.dice.rows()
    }

    /// The upper face of the die at `pos`; `None` off the board.
    pub fn face(&self, pos: Pos) -> Option<Face> {
        self.dice.get(pos).copied()
    }

    /// The position with a column letter and a row number: `B1` is row 0, column 1.
    ///
    /// # Errors
    /// [`PositionError`].
    pub fn position(&self, name: &str) -> Result<Pos, PositionError> {
        let pos = parse(name).ok_or(PositionError::Malformed)?;
        if self.dice.contains(pos) { Ok(pos) } else { Err(PositionError::OffBoard) }
    }

    /// The positions at which the die at `from` may be pushed back in: the other ends of its row and column.
    ///
    /// Empty for a die that is not on the outer ring.
    pub fn ends(&self, from: Pos) -> impl Iterator<Item = Pos> + use<> {
        let last = self.size() - 1;
        let Pos { row, col } = from;
        let ring = self.dice.contains(from) && [row, col].iter().any(|at| *at == 0 || *at == last);
        // On a board of one die all four ends are that die, which the last filter removes.
        [Pos::new(row, 0), Pos::new(row, last), Pos::new(0, col), Pos::new(last, col)]
            .into_iter()
            .filter(move |to| ring && *to != from)
    }

    /// Every legal turn of `symbol`, by the die that is taken, row by row.
    pub fn turns(&self, symbol: Symbol) -> impl Iterator<Item = Turn> + '_ {
        self.dice
            .positions()
            .filter(move |from| self.may_take(symbol, *from))
            .flat_map(move |from| self.ends(from).map(move |to| Turn { symbol, from, to }))
    }

    /// Plays `turn`. The dice between its two ends shift one place towards where the die was taken.
    ///
    /// # Errors
    /// [`TurnError`]; the board is then unchanged.
    pub fn play(&mut self, turn: Turn) -> Result<(), TurnError> {
        self.check(turn)?;
        let mut gap = turn.from;
        while gap != turn.to {
            let next = Pos::new(towards(gap.row, turn.to.row), towards(gap.col, turn.to.col));
            let moved = self.face(next).flatten();
            self.show(gap, moved);
            gap = next;
        }
        self.show(turn.to, Some(turn.symbol));
        self.outcome = self.outcome.or_else(|| judge(&self.dice));
        Ok(())
    }

    /// The end of the game; `None` while it continues.
    ///
    /// The first position with a full line decides, even the initial one. Later turns change the board but
    /// not the outcome.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn with_dice(dice: Grid<Face>) -> Quixo {
        let outcome = judge(&dice);
        Quixo { dice, outcome }
    }

    fn may_take(&self, symbol: Symbol, from: Pos) -> bool {
        self.face(from).is_some_and(|face| face.is_none_or(|owner| owner == symbol))
    }

    fn check(&self, turn: Turn) -> Result<(), TurnError> {
        if !self.dice.contains(turn.from) || !self.dice.contains(turn.to) {
            Err(TurnError::OffBoard)
        } else if !self.may_take(turn.symbol, turn.from) {
            Err(TurnError::Opponent)
        } else if !self.ends(turn.from).any(|end| end == turn.to) {
            Err(TurnError::NoEnd)
        } else {
            Ok(())
        }
    }

    fn show(&mut self, pos: Pos, face: Face) {
        if let Some(die) = self.dice.get_mut(pos) {
            *die = face;
        }
    }
}

impl fmt::Display for Quixo {
    /// Writes each row on a line, without anything between the dice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, dice) in self.dice.iter_rows().enumerate() {
            let dice: String = dice.iter().map(|face| face.map_or('-', Symbol::as_char)).collect();
            write!(f, "{}{dice}", if row > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

/// A reason why a board cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// No rows, or more than [`LARGEST`].
    #[error("a board has 1 to {LARGEST} rows")]
    Size,
    /// The numbers of faces and dice differ.
    #[error("{found} faces for {expected} dice")]
    Number {
        /// The number of dice.
        expected: usize,
        /// The number of faces.
        found: usize,
    },
    /// A character that is not a face.
    #[error("{0:?} is not a face of a die")]
    Face(char),
}

/// A reason why a text is not a position of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is not a capital letter and a number without leading zeros.
    #[error("a position is a capital letter and a row number")]
    Malformed,
    /// The board has no such row or column.
    #[error("a position off the board")]
    OffBoard,
}

/// A reason why a turn is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// One of its positions is off the board.
    #[error("a position off the board")]
    OffBoard,
    /// The die shows the opponent's symbol.
    #[error("the die shows the opponent's symbol")]
    Opponent,
    /// The die is not on the outer ring, or would not go in at another end of its row or column.
    #[error("the die cannot be taken here and pushed in there")]
    NoEnd,
}

fn allowed(size: usize) -> Option<usize> {
    (1..=LARGEST).contains(&size).then_some(size)
}

fn face(mark: char) -> Result<Face, BoardError> {
    match (mark, Symbol::from_char(mark)) {
        ('-', _) => Ok(None),
        (_, Some(symbol)) => Ok(Some(symbol)),
        (_, None) => Err(BoardError::Face(mark)),
    }
}

fn parse(name: &str) -> Option<Pos> {
    let mut rest = name.chars();
    let letter = rest.next().filter(char::is_ascii_uppercase)?;
    let number = rest.as_str();
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    if number.is_empty() || number.starts_with('0') || !digits {
        return None;
    }
    // A row number beyond `usize` is still well-formed: it is off every board.
    let row = number.parse().unwrap_or(usize::MAX);
    Some(Pos::new(row - 1, letter as usize - 'A' as usize))
}

fn towards(at: usize, goal: usize) -> usize {
    if at < goal { at + 1 } else { at - usize::from(at > goal) }
}

fn judge(dice: &Grid<Face>) -> Option<Outcome> {
    match Symbol::BOTH.map(|symbol| has_line(dice, symbol)) {
        [true, true] => Some(Outcome::Draw),
        [true, false] => Some(Outcome::Win(Symbol::Cross)),
        [false, true] => Some(Outcome::Win(Symbol::Circle)),
        [false, false] => None,
    }
}

fn has_line(dice: &Grid<Face>, symbol: Symbol) -> bool {
    let size = dice.rows();
    let owned = |row, col| dice.get(Pos::new(row, col)) == Some(&Some(symbol));
    let straight =
        (0..size).any(|line| (0..size).all(|at| owned(line, at)) || (0..size).all(|at| owned(at, line)));
    straight || (0..size).all(|at| owned(at, at)) || (0..size).all(|at| owned(at, size - 1 - at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "X-XXX-XO-OO-OOOOXOX-OOOO-";

    fn board(rows: &str) -> Quixo {
        let faces: String = rows.split_whitespace().collect();
        Quixo::with_faces(rows.split_whitespace().count(), &faces).unwrap()
    }

    fn play(board: &mut Quixo, mark: char, from: &str, to: &str) -> Result<(), TurnError> {
        let symbol = Symbol::from_char(mark).unwrap();
        let (from, to) = (board.position(from).unwrap(), board.position(to).unwrap());
        board.play(Turn { symbol, from, to })
    }

    #[track_caller]
    fn check_turn(before: &str, (mark, from, to): (char, &str, &str), after: &str) {
        let mut board = board(before);
        assert_eq!(play(&mut board, mark, from, to), Ok(()));
        assert_eq!(board.to_string(), after.split_whitespace().collect::<Vec<_>>().join("\n"));
    }

    #[track_caller]
    fn check_illegal(before: &str, (mark, from, to): (char, &str, &str), why: TurnError) {
        let mut board = board(before);
        let untouched = board.clone();
        assert_eq!(play(&mut board, mark, from, to), Err(why));
        assert_eq!(board, untouched);
    }

    #[track_caller]
    fn check_outcome(before: &str, (mark, from, to): (char, &str, &str), outcome: Option<Outcome>) {
        let mut board = board(before);
        assert_eq!(board.outcome(), None);
        assert_eq!(play(&mut board, mark, from, to), Ok(()));
        assert_eq!(board.outcome(), outcome);
    }

    #[track_caller]
    fn check_position(size: usize, name: &str, expected: Result<(usize, usize), PositionError>) {
        let found = Quixo::new(size).unwrap().position(name).map(|pos| (pos.row, pos.col));
        assert_eq!(found, expected, "{name:?}");
    }

    #[test]
    fn the_sample_turns_shift_the_dice() {
        let sample = "X-XXX -XO-O O-OOO OXOX- OOOO-";
        check_turn(sample, ('X', "B1", "B5"), "XXXXX --O-O OXOOO OOOX- OXOO-");
        check_turn(sample, ('X', "B1", "A1"), "XXXXX -XO-O O-OOO OXOX- OOOO-");
        check_turn(sample, ('X', "B1", "E1"), "XXXXX -XO-O O-OOO OXOX- OOOO-");
    }

    #[test]
    fn only_the_dice_between_the_ends_shift() {
        let mixed = "XO-O O--X -XO- OX-O";
        check_turn(mixed, ('X', "C1", "A1"), "XXOO O--X -XO- OX-O");
        check_turn(mixed, ('O', "B1", "D1"), "X-OO O--X -XO- OX-O");
        check_turn(mixed, ('X', "A3", "A1"), "XO-O X--X OXO- OX-O");
        check_turn(mixed, ('X', "D2", "A2"), "XO-O XO-- -XO- OX-O");
        check_turn(mixed, ('O', "C4", "C1"), "XOOO O--X -X-- OXOO");
        check_turn(mixed, ('O', "D3", "D4"), "XO-O O--X -XOO OX-O");
    }

    #[test]
    fn an_illegal_turn_leaves_the_board_as_it_was() {
        let full = "XOX O-O X-X";
        check_illegal(full, ('X', "B1", "A1"), TurnError::Opponent);
        check_illegal(full, ('X', "B2", "B1"), TurnError::NoEnd);
        check_illegal(full, ('X', "A1", "A1"), TurnError::NoEnd);
        check_illegal(full, ('X', "A1", "B1"), TurnError::NoEnd);
        check_illegal(full, ('X', "A1", "C3"), TurnError::NoEnd);
        check_illegal("-", ('X', "A1", "A1"), TurnError::NoEnd);
        let off = Turn { symbol: Symbol::Cross, from: Pos::new(0, 3), to: Pos::new(0, 0) };
        assert_eq!(board(full).play(off), Err(TurnError::OffBoard));
    }

    #[test]
    fn corners_have_two_ends_and_edges_three() {
        let count = |size, row, col| Quixo::new(size).unwrap().ends(Pos::new(row, col)).count();
        assert_eq!([count(5, 0, 0), count(5, 0, 1), count(5, 4, 4), count(5, 2, 4)], [2, 3, 2, 3]);
        assert_eq!([count(5, 1, 1), count(5, 0, 5), count(5, usize::MAX, 0), count(1, 0, 0)], [0; 4]);
        assert_eq!(Quixo::new(5).unwrap().turns(Symbol::Cross).count(), 44);
    }

    #[test]
    fn a_full_line_wins() {
        check_outcome("-XX OO- ---", ('X', "A1", "C1"), Some(Outcome::Win(Symbol::Cross)));
        check_outcome("O-- -X- O--", ('O', "A3", "A1"), None);
        check_outcome("X-- -X- O--", ('X', "C1", "C3"), Some(Outcome::Win(Symbol::Cross)));
        check_outcome("--O -O- ---", ('O', "C3", "A3"), Some(Outcome::Win(Symbol::Circle)));
    }

    #[test]
    fn a_line_for_the_opponent_alone_makes_the_opponent_win() {
        check_outcome("OO- --O X--", ('X', "C1", "C3"), Some(Outcome::Win(Symbol::Circle)));
    }

    #[test]
    fn lines_of_both_at_once_are_a_draw() {
        check_outcome("OO- XXO --X", ('X', "C1", "C3"), Some(Outcome::Draw));
        check_outcome("-XX XOO O--", ('O', "A1", "A3"), Some(Outcome::Draw));
    }

    #[test]
    fn the_first_full_line_decides_for_good() {
        let mut game = board("-XX OO- ---");
        assert_eq!(play(&mut game, 'X', "A1", "C1"), Ok(()));
        assert_eq!(play(&mut game, 'O', "C2", "A2"), Ok(()));
        assert_eq!(game.outcome(), Some(Outcome::Win(Symbol::Cross)));
        assert_eq!(board("XX OO").outcome(), Some(Outcome::Draw));
        assert_eq!(board("O").outcome(), Some(Outcome::Win(Symbol::Circle)));
        assert_eq!(board("-").outcome(), None);
    }

    #[test]
    fn positions_are_a_capital_and_a_number() {
        check_position(5, "B1", Ok((0, 1)));
        check_position(26, "Z26", Ok((25, 25)));
        check_position(26, "A10", Ok((9, 0)));
        for name in
            ["", "B", "1", "b1", "1B", "BB", "B1 ", " B1", "B-1", "B+1", "B01", "B0", "É1", "B1.0", "B²"]
        {
            check_position(26, name, Err(PositionError::Malformed));
        }
        for name in ["F1", "A6", "Z9", "A99999999999999999999999999"] {
            check_position(5, name, Err(PositionError::OffBoard));
        }
    }

    #[test]
    fn only_square_boards_of_known_faces_exist() {
        assert_eq!(Quixo::new(0), Err(BoardError::Size));
        assert_eq!(Quixo::new(usize::MAX), Err(BoardError::Size));
        assert_eq!(Quixo::new(LARGEST).unwrap().size(), 26);
        assert_eq!(Quixo::with_faces(27, ""), Err(BoardError::Size));
        assert_eq!(Quixo::with_faces(5, SAMPLE).unwrap().to_string().len(), 29);
        assert_eq!(Quixo::with_faces(4, SAMPLE), Err(BoardError::Number { expected: 16, found: 25 }));
        assert_eq!(Quixo::with_faces(1, "x"), Err(BoardError::Face('x')));
        assert_eq!(Quixo::with_faces(2, "X-O\n"), Err(BoardError::Face('\n')));
    }
}
