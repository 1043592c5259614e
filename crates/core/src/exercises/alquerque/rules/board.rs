//! A position and its parts: fields, players, moves, and the outcome of a game.

use std::fmt;

/// Every field, as a mask.
pub(in crate::exercises::alquerque) const ALL: u32 = (1 << Field::COUNT) - 1;
/// White's pieces at the start: fields 14–25.
const WHITE_START: u32 = ALL & !((1 << 13) - 1);
/// Black's pieces at the start: fields 1–12.
const BLACK_START: u32 = (1 << 12) - 1;
/// Fields in a row, and rows.
pub(in crate::exercises::alquerque) const SIDE: u8 = 5;

/// A position: the pieces on the board, and the player to move.
///
/// A set of fields is a mask in which bit `i − 1` stands for field `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(in crate::exercises::alquerque) white: u32,
    pub(in crate::exercises::alquerque) black: u32,
    pub(in crate::exercises::alquerque) to_move: Player,
}

/// A field of the board, numbered 1 to 25 row by row, row 1 on black's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Begins, and moves up: to lower fields.
    White,
    /// Moves down.
    Black,
}

/// The source and target of a piece, legal or not. A jump names the field it lands on, which determines the
/// capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The field that the piece leaves.
    pub source: Field,
    /// The field that it arrives at.
    pub target: Field,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player captured all of the opponent's pieces.
    Win(Player),
    /// The player to move has pieces but no legal move.
    Draw,
}

/// A reason why pieces are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A white and a black piece are on the same field.
    #[error("field {0} holds both a white and a black piece")]
    Shared(Field),
    /// The player who is not to move has no piece, and so cannot have moved last.
    #[error("the player who is not to move has no piece")]
    NobodyMovedLast,
}

impl Board {
    /// The position in which a game starts.
    pub const fn start() -> Board {
        Board { white: WHITE_START, black: BLACK_START, to_move: Player::White }
    }

    /// The position with white and black pieces on the given fields. It need not be reachable by play.
    ///
    /// # Errors
    /// See [`SetupError`].
    pub fn with_pieces(
        white: impl IntoIterator<Item = Field>,
        black: impl IntoIterator<Item = Field>,
        to_move: Player,
    ) -> Result<Board, SetupError> {
        let board = Board { white: mask(white), black: mask(black), to_move };
        if let Some(field) = fields(board.white & board.black).next() {
            return Err(SetupError::Shared(field));
        }
        match board.pieces(to_move.opponent()) {
            0 => Err(SetupError::NobodyMovedLast),
            _ => Ok(board),
        }
    }

    /// The player to move, or who would move if the game were not over.
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// The fields of `player`'s pieces, ascending.
    pub fn pieces_of(&self, player: Player) -> impl Iterator<Item = Field> + use<> {
        fields(self.pieces(player))
    }

    /// The owner of the piece on `field`.
    pub const fn owner(&self, field: Field) -> Option<Player> {
        if self.white & field.bit() != 0 {
            Some(Player::White)
        } else if self.black & field.bit() != 0 {
            Some(Player::Black)
        } else {
            None
        }
    }

    pub(in crate::exercises::alquerque) const fn pieces(&self, player: Player) -> u32 {
        match player {
            Player::White => self.white,
            Player::Black => self.black,
        }
    }
}

impl Field {
    /// The number of fields.
    pub const COUNT: u8 = SIDE * SIDE;

    /// The field with this number; `None` off the board.
    pub const fn new(number: u8) -> Option<Field> {
        if number >= 1 && number <= Field::COUNT { Some(Field(number - 1)) } else { None }
    }

    /// The number of the field, 1 to 25.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Every field, ascending.
    pub fn all() -> impl Iterator<Item = Field> {
        (0..Field::COUNT).map(Field)
    }

    /// The mask of this field alone.
    pub(in crate::exercises::alquerque) const fn bit(self) -> u32 {
        1 << self.0
    }

    /// The lowest field of a mask that is not empty.
    pub(in crate::exercises::alquerque) const fn lowest(mask: u32) -> Field {
        debug_assert!(mask != 0 && mask & !ALL == 0);
        Field(mask.trailing_zeros() as u8)
    }
}

impl Player {
    /// The other player.
    pub const fn opponent(self) -> Player {
        match self {
            Player::White => Player::Black,
            Player::Black => Player::White,
        }
    }
}

impl Move {
    /// The move from `source` to `target`.
    pub const fn new(source: Field, target: Field) -> Move {
        Move { source, target }
    }
}

/// The fields of a mask, ascending.
fn fields(mut mask: u32) -> impl Iterator<Item = Field> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let field = Field::lowest(mask);
            mask ^= field.bit();
            field
        })
    })
}

fn mask(fields: impl IntoIterator<Item = Field>) -> u32 {
    fields.into_iter().fold(0, |mask, field| mask | field.bit())
}

impl fmt::Display for Board {
    /// The drawn board, black's side on top: pieces `b` and `w`, empty fields `.`, and the lines between.
    ///
    /// The assignment defines no text for a board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in Field::all() {
            let (row, col) = (field.0 / SIDE, field.0 % SIDE);
            f.write_str(match self.owner(field) {
                Some(Player::White) => "w",
                Some(Player::Black) => "b",
                None => ".",
            })?;
            if col + 1 < SIDE {
                f.write_str("-")?;
            } else if row + 1 < SIDE {
                // Every square of the drawing has one diagonal, which joins its odd fields.
                f.write_str(if row % 2 == 0 { "\n|\\|/|\\|/|\n" } else { "\n|/|\\|/|\\|\n" })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.source, self.target)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::White => "white",
            Player::Black => "black",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Field, Player, SetupError};

    fn field(number: u8) -> Field {
        Field::new(number).unwrap()
    }

    #[test]
    fn fields_are_numbered_1_to_25() {
        assert_eq!(Field::new(0), None);
        assert_eq!(Field::new(26), None);
        assert_eq!(Field::all().map(Field::number).collect::<Vec<_>>(), (1..=25).collect::<Vec<_>>());
    }

    #[test]
    fn a_game_starts_with_twelve_pieces_a_side_and_the_middle_empty() {
        let board = Board::start();
        let numbers = |player| board.pieces_of(player).map(Field::number).collect::<Vec<_>>();
        assert_eq!(numbers(Player::White), (14..=25).collect::<Vec<_>>());
        assert_eq!(numbers(Player::Black), (1..=12).collect::<Vec<_>>());
        assert_eq!(board.owner(field(13)), None);
        assert_eq!(board.to_move(), Player::White);
    }

    #[test]
    fn pieces_that_make_no_position_are_refused() {
        let both = Board::with_pieces([field(3), field(7)], [field(7)], Player::White);
        assert_eq!(both, Err(SetupError::Shared(field(7))));
        let alone = Board::with_pieces([field(3)], [], Player::White);
        assert_eq!(alone, Err(SetupError::NobodyMovedLast));
        assert!(Board::with_pieces([field(3)], [], Player::Black).is_ok());
    }

    #[test]
    fn a_board_is_drawn_with_its_lines() {
        let drawn = "\
b-b-b-b-b
|\\|/|\\|/|
b-b-b-b-b
|/|\\|/|\\|
b-b-.-w-w
|\\|/|\\|/|
w-w-w-w-w
|/|\\|/|\\|
w-w-w-w-w";
        assert_eq!(Board::start().to_string(), drawn);
    }
}
