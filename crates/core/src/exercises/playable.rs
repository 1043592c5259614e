//! What a playable game provides.
//!
//! Its state is behind [`GameState`], its advice behind [`Adviser`], and the shells draw and say plain data.
//!
//! A move names one spot of the drawing, or two spots. That is all a shell knows of any game, whether the
//! move is typed, clicked, dragged or made with arrow keys.

use super::score::Score;
use crate::messages::{Message, Translations};
use std::any::Any;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A game in progress: the board and the player to move.
pub trait GameState: Any + Send {
    /// A copy of the state.
    fn boxed(&self) -> Box<dyn GameState>;

    /// The board.
    fn drawing(&self) -> Drawing;

    /// The legal moves; empty when the game is over.
    fn moves(&self) -> Vec<Move>;

    /// Makes a move.
    ///
    /// # Errors
    /// The rule that it breaks. The game is then unchanged.
    fn play(&mut self, chosen: &Move) -> Result<Effect, Message>;

    /// The player to move, or how the game ended.
    fn standing(&self) -> GameStanding;

    /// Further information: points, pieces left.
    fn notes(&self) -> Vec<Message>;

    /// The number of rows, if the board is as wide as high and the game has several sizes.
    fn rows(&self) -> Option<usize> {
        None
    }
}

/// Gives hints, and in some games plays.
pub trait Adviser: Send {
    /// The move it would make, found within `level` or until `stop` returns true; `None` if there is none.
    fn think(&mut self, game: &dyn GameState, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought>;
}

/// An entry of the registry: everything the shells need to know of a game.
pub struct Playable {
    /// The name on the command line; its messages are `play-title-`, `play-typed-` and `play-goal-` with this
    /// name.
    pub name: &'static str,
    /// The messages to players.
    pub messages: Translations,
    /// The messages that name its sides, the first to move first; one for a puzzle.
    pub sides: &'static [&'static str],
    /// The colours of the pieces of its sides; none for a puzzle.
    pub tones: &'static [Tone],
    /// Makes its adviser.
    pub adviser: Option<fn() -> Box<dyn Adviser>>,
    /// Whether the adviser also plays a side.
    pub computer: bool,
    /// The sizes of its boards, if there are several.
    pub sizes: Option<Sizes>,
    /// A starting position as text, with this number of rows; the same for the same seed if it is random.
    pub fresh: fn(usize, u64) -> String,
    /// The game with that starting position.
    pub begin: fn(&str) -> Result<Box<dyn GameState>, Message>,
}

/// The sizes of the square boards that a game starts with; a starting position as text may have others.
pub struct Sizes {
    /// The numbers of rows to choose from.
    pub rows: RangeInclusive<usize>,
    /// The default.
    pub usual: usize,
    /// The message that asks for it, with `least`, `most` and `usual`.
    pub question: &'static str,
}

/// The state of a game; sides are numbered as in [`Playable::sides`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStanding {
    /// The side to move, counted from 0.
    Turn(usize),
    /// The side that has won, counted from 0.
    Won(usize),
    /// Nobody has won.
    Draw,
    /// The puzzle is solved.
    Solved,
}

/// A move: at one spot, or from one to another. As text `C2` or `17-13`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The source, if the move has two spots.
    pub from: Option<String>,
    /// The target, or the only spot.
    pub to: String,
}

/// The effect of a move on the pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The source and target of each moved piece.
    pub moved: Vec<(String, String)>,
    /// The spots whose pieces were captured.
    pub taken: Vec<String>,
}

/// The effort of the adviser: to a depth, for a time, or until the first of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Moves to look ahead.
    pub depth: Option<NonZeroU32>,
    /// Time for a move.
    pub time: Option<Duration>,
}

/// The result of an adviser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move to make.
    pub best: Move,
    /// The moves that it expects, the best one first.
    pub line: Vec<Move>,
    /// The adviser's evaluation of the move.
    pub said: Message,
    /// The advantage of the side to move as a number, if it searches.
    pub score: Option<Score>,
}

/// A board as data, on a lattice whose first column and row are 0; row 0 is on top.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The last column and row.
    pub size: (usize, usize),
    /// Characters between columns and lines between rows on a terminal.
    pub pitch: (usize, usize),
    /// Straight lines, vertical, horizontal or diagonal, between points of the lattice.
    pub lines: Vec<[(usize, usize); 2]>,
    /// The spots on it.
    pub spots: Vec<Spot>,
}

/// A place of a drawing.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The name in moves, or the text of a label; empty if it is neither.
    pub name: String,
    /// Column and row.
    pub at: (usize, usize),
    /// The appearance.
    pub kind: Kind,
    /// The piece on it.
    pub piece: Option<DrawnPiece>,
}

/// The most characters of the name of a spot.
const LONGEST_NAME: usize = 20;

/// The appearance of a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A numbered intersection of lines.
    Point,
    /// A square.
    Cell,
    /// A horizontal line between two dots.
    Level,
    /// A vertical line between two dots.
    Upright,
    /// A dot, not part of any move.
    Dot,
    /// A square, not part of any move.
    Area,
    /// A text beside the board, not part of any move.
    Label,
    /// A supply of pieces beside the board, without limit.
    Supply,
    /// A button that is not on the board; the message `play-button-` with its name says what it does.
    Button,
}

impl Kind {
    /// The name for style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Point => "point",
            Kind::Cell => "cell",
            Kind::Level => "level",
            Kind::Upright => "upright",
            Kind::Dot => "dot",
            Kind::Area => "area",
            Kind::Label => "label",
            Kind::Supply => "supply",
            Kind::Button => "button",
        }
    }

    /// Whether moves name spots of this kind.
    pub const fn is_named(self) -> bool {
        !matches!(self, Kind::Dot | Kind::Area | Kind::Label)
    }
}

/// A piece as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnPiece {
    /// The message that names it.
    pub word: &'static str,
    /// The colour of the piece.
    pub tone: Tone,
    /// The sign on it; by default a terminal shows the first letter of its name.
    pub sign: Option<char>,
    /// Whether it was there from the start and stays.
    pub fixed: bool,
}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// White.
    Light,
    /// Black.
    Dark,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Neutral, of no side.
    Plain,
}

impl Tone {
    /// The name for style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Tone::Light => "light",
            Tone::Dark => "dark",
            Tone::Red => "red",
            Tone::Blue => "blue",
            Tone::Plain => "plain",
        }
    }
}

impl Playable {
    /// A starting position as text with `rows` rows, or of the default size.
    ///
    /// # Errors
    /// If the game has no board of that size.
    pub fn start(&self, rows: Option<usize>, seed: u64) -> Result<String, Message> {
        let usual = self.sizes.as_ref().map_or(0, |sizes| sizes.usual);
        match (rows, &self.sizes) {
            (Some(_), None) => Err(Message::new("play-one-size")),
            (Some(rows), Some(sizes)) if !sizes.rows.contains(&rows) => {
                Err(sizes.message("play-size-unknown").with("typed", rows))
            }
            (rows, _) => Ok((self.fresh)(rows.unwrap_or(usual), seed)),
        }
    }
}

/// The least lead in an estimate that is said: a search of few moves gives about as much to the side that
/// moves last.
const LEAST_LEAD: i32 = 100;

impl Score {
    /// The share of the side to move on an evaluation bar, in percent.
    pub fn share(self) -> u8 {
        match self {
            Score::Win(_) => 100,
            Score::Draw => 50,
            Score::Loss(_) => 0,
            Score::Estimate(lead) => (100.0 / (1.0 + (-f64::from(lead) / 1000.0).exp())).round() as u8,
        }
    }

    /// The message on it, after a search of that depth.
    pub fn said(self, depth: u32) -> Message {
        let said = match self {
            Score::Win(1) => Message::new("play-score-win-next"),
            Score::Win(moves) => Message::new("play-score-win-in").with("moves", moves),
            Score::Draw => Message::new("play-score-draw"),
            Score::Loss(1) => Message::new("play-score-loss-next"),
            Score::Loss(moves) => Message::new("play-score-loss-in").with("moves", moves),
            Score::Estimate(lead) if lead.abs() < LEAST_LEAD => Message::new("play-score-even"),
            Score::Estimate(1..) => Message::new("play-score-ahead"),
            Score::Estimate(_) => Message::new("play-score-behind"),
        };
        said.with("depth", depth)
    }
}

impl Sizes {
    /// The message `id`, which names the `least` and the `most` rows.
    pub fn message(&self, id: &'static str) -> Message {
        Message::new(id).with("least", self.rows.start()).with("most", self.rows.end())
    }
}

impl Move {
    /// The move at one spot.
    pub fn at(spot: impl ToString) -> Move {
        Move { from: None, to: spot.to_string() }
    }

    /// The move from one spot to another.
    pub fn between(from: impl ToString, to: impl ToString) -> Move {
        Move { from: Some(from.to_string()), to: to.to_string() }
    }

    /// The move that a player writes as `17-13`, `17 13` or `C2`.
    ///
    /// `None` if it has no name, more than two, or one that is too long.
    pub fn read(text: &str) -> Option<Move> {
        let mut names =
            text.split(|ch: char| ch.is_whitespace() || ch == '-').filter(|name| !name.is_empty());
        let found = match (names.next()?, names.next()) {
            (to, None) => Move::at(to),
            (from, Some(to)) => Move::between(from, to),
        };
        let is_short = |name: &String| name.len() <= LONGEST_NAME;
        let short = is_short(&found.to) && found.from.as_ref().is_none_or(is_short);
        (short && names.next().is_none()).then_some(found)
    }

    /// The move among `moves` that equals this one, ignoring the case of letters.
    pub fn among<'a>(&self, moves: &'a [Move]) -> Option<&'a Move> {
        let text = self.to_string();
        moves.iter().find(|legal| legal.to_string().eq_ignore_ascii_case(&text))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.from {
            Some(from) => write!(f, "{from}-{}", self.to),
            None => f.write_str(&self.to),
        }
    }
}

impl Drawing {
    /// A drawing of cells in `rows` × `cols`, named `A1` by column and row, with these names at its edges.
    pub fn of_cells(
        rows: usize,
        cols: usize,
        mut piece: impl FnMut(usize, usize) -> Option<DrawnPiece>,
    ) -> Drawing {
        let label = |name: String, at| Spot { name, at, kind: Kind::Label, piece: None };
        let mut spots: Vec<Spot> = (0..cols).map(|col| label(column(col), (col + 1, 0))).collect();
        for row in 0..rows {
            spots.push(label((row + 1).to_string(), (0, row + 1)));
            for col in 0..cols {
                spots.push(Spot {
                    name: cell_name(row, col),
                    at: (col + 1, row + 1),
                    kind: Kind::Cell,
                    piece: piece(row, col),
                });
            }
        }
        Drawing { size: (cols, rows), pitch: (4, 1), lines: Vec::new(), spots }
    }
}

fn column(col: usize) -> String {
    char::from_u32('A' as u32 + col as u32).unwrap_or('?').to_string()
}

/// The name of a cell: a letter for its column, a number for its row.
pub fn cell_name(row: usize, col: usize) -> String {
    format!("{}{}", column(col), row + 1)
}

/// The row and column of a cell's name, on a board of any size.
///
/// # Errors
/// The format of cell names.
pub fn cell_of(name: &str) -> Result<(usize, usize), Message> {
    let wrong = || Message::new("play-no-cell-name").with("name", name);
    let (letter, number) = name.split_at_checked(1).ok_or_else(wrong)?;
    let letter =
        letter.bytes().next().filter(u8::is_ascii_alphabetic).ok_or_else(wrong)?.to_ascii_uppercase();
    let row: usize = number.parse().ok().filter(|row| *row > 0).ok_or_else(wrong)?;
    Ok((row - 1, usize::from(letter - b'A')))
}
