//! Codenames: two teams point at the cards of a board whose key they do not see.
//!
//! [`Codenames`] is the board, its key and the turn. It is made from a valid key only; [`Codenames::reveal`]
//! and [`Codenames::pass`] are the two actions of a team, and [`Status`] says who plays or who has won.

use crate::exercises::grid::{Grid, Pos};
use std::fmt;

/// One of the two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// Red, `R`.
    Red,
    /// Blue, `B`.
    Blue,
}

impl Team {
    /// The other team.
    pub const fn opponent(self) -> Team {
        match self {
            Team::Red => Team::Blue,
            Team::Blue => Team::Red,
        }
    }

    /// The letter of the team in a key and on the board.
    pub const fn letter(self) -> char {
        match self {
            Team::Red => 'R',
            Team::Blue => 'B',
        }
    }
}

/// A card according to the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Card {
    /// A spy of a team.
    Spy(Team),
    /// An innocent bystander, `-`.
    Bystander,
    /// The assassin, `X`: the team that points at it loses.
    Assassin,
}

impl Card {
    /// The letter of the card in a key and, once it is open, on the board.
    pub const fn letter(self) -> char {
        match self {
            Card::Spy(team) => team.letter(),
            Card::Bystander => '-',
            Card::Assassin => 'X',
        }
    }

    const fn from_letter(letter: char) -> Option<Card> {
        match letter {
            'R' => Some(Card::Spy(Team::Red)),
            'B' => Some(Card::Spy(Team::Blue)),
            '-' => Some(Card::Bystander),
            'X' => Some(Card::Assassin),
            _ => None,
        }
    }
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game continues and this team is to play.
    Turn(Team),
    /// The game is over and this team has won.
    Won(Team),
}

/// A reason why a key is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A character that is not a card, at this 0-based index.
    #[error("the key has {0:?} at {1} where B, R, - or X was expected")]
    Character(char, usize),
    /// The number of cards does not match the board.
    #[error("the key has {0} cards, which do not fill the board")]
    Size(usize),
    /// The number of assassins is not one.
    #[error("the key has {0} assassins instead of one")]
    Assassins(usize),
    /// Numbers of red and of blue spies that do not differ by one.
    #[error("the key has {0} red and {1} blue spies, which do not differ by one")]
    Spies(usize, usize),
}

/// A reason why an action was refused. The game is then unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalAction {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The board has no such card.
    #[error("there is no card at row {}, column {}", .0.row, .0.col)]
    OffBoard(Pos),
}

/// A game of Codenames. Its text is the board as the teams see it: `?` for a hidden card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codenames {
    cards: Grid<Slot>,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    card: Card,
    open: bool,
}

impl Codenames {
    /// A new game on a board of `rows` × `cols` whose key is written row by row.
    ///
    /// The team with more spies begins. A team without spies has found them all, so that its game is over
    /// from the start.
    ///
    /// # Errors
    /// The first problem with the key: it must fill the board, have one assassin, and numbers of red and blue
    /// spies that differ by one.
    pub fn new(rows: usize, cols: usize, key: &str) -> Result<Codenames, KeyError> {
        let cards = key
            .chars()
            .enumerate()
            .map(|(place, letter)| Card::from_letter(letter).ok_or(KeyError::Character(letter, place)))
            .collect::<Result<Vec<Card>, KeyError>>()?;
        let status = opening(&cards)?;
        let size = cards.len();
        let places = cards.into_iter().map(|card| Slot { card, open: false }).collect();
        let cards = Grid::from_cells(rows, cols, places).ok_or(KeyError::Size(size))?;
        Ok(Codenames { cards, status })
    }

    /// The team to play, or the winner.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.cards.rows()
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cards.cols()
    }

    /// The card at `pos` if it is open; `None` for a hidden one and off the board.
    pub fn shown(&self, pos: Pos) -> Option<Card> {
        self.cards.get(pos).filter(|place| place.open).map(|place| place.card)
    }

    /// The number of spies of `team` that are still hidden.
    pub fn spies_left(&self, team: Team) -> usize {
        self.cards.cells().iter().filter(|place| !place.open && place.card == Card::Spy(team)).count()
    }

    /// The playing team stops, and the turn passes.
    ///
    /// # Errors
    /// [`IllegalAction::Over`].
    pub fn pass(&mut self) -> Result<(), IllegalAction> {
        self.status = Status::Turn(self.playing()?.opponent());
        Ok(())
    }

    /// The playing team points at the card at `pos`, which is opened. An open card may be pointed at again.
    ///
    /// The turn stays if the card is the team's own and passes if not. The team whose spies are all found
    /// wins, no matter who found them; the team that finds the assassin loses.
    ///
    /// # Errors
    /// [`IllegalAction::Over`], [`IllegalAction::OffBoard`].
    pub fn reveal(&mut self, pos: Pos) -> Result<Card, IllegalAction> {
        let playing = self.playing()?;
        let place = self.cards.get_mut(pos).ok_or(IllegalAction::OffBoard(pos))?;
        place.open = true;
        let card = place.card;
        self.status = match card {
            Card::Assassin => Status::Won(playing.opponent()),
            Card::Bystander => Status::Turn(playing.opponent()),
            Card::Spy(owner) if self.spies_left(owner) == 0 => Status::Won(owner),
            // The team's own spy keeps the turn and the other team's passes it: either way its owner plays
            // next.
            Card::Spy(owner) => Status::Turn(owner),
        };
        Ok(card)
    }

    fn playing(&self) -> Result<Team, IllegalAction> {
        match self.status {
            Status::Turn(team) => Ok(team),
            Status::Won(_) => Err(IllegalAction::Over),
        }
    }
}

/// The status at the start of a game with these cards.
fn opening(cards: &[Card]) -> Result<Status, KeyError> {
    let count = |wanted: Card| cards.iter().filter(|card| **card == wanted).count();
    let assassins = count(Card::Assassin);
    if assassins != 1 {
        return Err(KeyError::Assassins(assassins));
    }
    let (red, blue) = (count(Card::Spy(Team::Red)), count(Card::Spy(Team::Blue)));
    if red.abs_diff(blue) != 1 {
        return Err(KeyError::Spies(red, blue));
    }
    let more = if red > blue { Team::Red } else { Team::Blue };
    Ok(if red.min(blue) == 0 { Status::Won(more.opponent()) } else { Status::Turn(more) })
}

impl fmt::Display for Codenames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.cards.iter_rows().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            for (index, place) in row.iter().enumerate() {
                if index > 0 {
                    f.write_str(" ")?;
                }
                write!(f, "{}", if place.open { place.card.letter() } else { '?' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Codenames, IllegalAction, KeyError, Pos, Status, Team};

    /// Plays `actions` on a board: `(row, col)` points at a card, `None` stops.
    #[track_caller]
    fn check(
        size: (usize, usize),
        key: &str,
        actions: &[Option<(usize, usize)>],
        status: Status,
        text: &str,
    ) {
        let mut game = Codenames::new(size.0, size.1, key).unwrap();
        for action in actions {
            match action {
                Some((row, col)) => game.reveal(Pos::new(*row, *col)).map(|_| ()).unwrap(),
                None => game.pass().unwrap(),
            }
        }
        assert_eq!(game.status(), status);
        assert_eq!(game.to_string(), text);
    }

    #[track_caller]
    fn check_key(rows: usize, cols: usize, key: &str, error: KeyError) {
        assert_eq!(Codenames::new(rows, cols, key), Err(error));
    }

    #[test]
    fn the_team_with_more_spies_begins() {
        check((2, 2), "RRBX", &[], Status::Turn(Team::Red), "? ?\n? ?");
        check((1, 4), "BRBX", &[], Status::Turn(Team::Blue), "? ? ? ?");
    }

    #[test]
    fn the_turn_stays_on_an_own_spy_only() {
        let red = Status::Turn(Team::Red);
        let blue = Status::Turn(Team::Blue);
        check((2, 4), "RRRBB-X-", &[Some((0, 0))], red, "R ? ? ?\n? ? ? ?");
        check((2, 4), "RRRBB-X-", &[Some((0, 3))], blue, "? ? ? B\n? ? ? ?");
        check((2, 4), "RRRBB-X-", &[Some((1, 3))], blue, "? ? ? ?\n? ? ? -");
        check((2, 4), "RRRBB-X-", &[None], blue, "? ? ? ?\n? ? ? ?");
        check((2, 4), "RRRBB-X-", &[None, Some((1, 0))], blue, "? ? ? ?\nB ? ? ?");
        check((2, 4), "RRRBB-X-", &[None, Some((0, 1))], red, "? R ? ?\n? ? ? ?");
        check((2, 4), "RRRBB-X-", &[None, None], red, "? ? ? ?\n? ? ? ?");
    }

    #[test]
    fn the_owner_of_the_spies_wins_whoever_found_the_last() {
        check((4, 1), "RRBX", &[Some((0, 0)), Some((1, 0))], Status::Won(Team::Red), "R\nR\n?\n?");
        check((4, 1), "RRBX", &[Some((2, 0))], Status::Won(Team::Blue), "?\n?\nB\n?");
        check((4, 1), "RRBX", &[None, Some((2, 0))], Status::Won(Team::Blue), "?\n?\nB\n?");
    }

    #[test]
    fn pointing_at_the_assassin_loses() {
        check((2, 2), "RRBX", &[Some((1, 1))], Status::Won(Team::Blue), "? ?\n? X");
        check((2, 2), "RRBX", &[None, Some((1, 1))], Status::Won(Team::Red), "? ?\n? X");
    }

    #[test]
    fn an_open_card_may_be_pointed_at_again_and_counts_once() {
        let twice = [Some((0, 0)), Some((0, 0))];
        check((2, 2), "RRBX", &twice, Status::Turn(Team::Red), "R ?\n? ?");
        let other = [Some((0, 0)), None, Some((0, 0))];
        check((2, 2), "RRBX", &other, Status::Turn(Team::Red), "R ?\n? ?");
    }

    #[test]
    fn a_team_without_spies_has_won_from_the_start() {
        check((1, 2), "RX", &[], Status::Won(Team::Blue), "? ?");
        check((1, 2), "XB", &[], Status::Won(Team::Red), "? ?");
    }

    #[test]
    fn a_key_must_make_a_game() {
        check_key(2, 2, "RRbX", KeyError::Character('b', 2));
        check_key(2, 3, "RRBX", KeyError::Size(4));
        check_key(usize::MAX, usize::MAX, "RRBX", KeyError::Size(4));
        check_key(usize::MAX, 0, "", KeyError::Assassins(0));
        check_key(2, 2, "RXXB", KeyError::Assassins(2));
        check_key(2, 2, "RB-X", KeyError::Spies(1, 1));
        check_key(1, 5, "RRRBX", KeyError::Spies(3, 1));
    }

    #[test]
    fn a_refused_action_changes_nothing() {
        let mut game = Codenames::new(2, 2, "RRBX").unwrap();
        for pos in [Pos::new(2, 0), Pos::new(0, 2), Pos::new(usize::MAX, usize::MAX)] {
            assert_eq!(game.reveal(pos), Err(IllegalAction::OffBoard(pos)));
        }
        assert_eq!(game, Codenames::new(2, 2, "RRBX").unwrap());
        game.reveal(Pos::new(1, 1)).unwrap();
        let over = game.clone();
        assert_eq!(game.pass(), Err(IllegalAction::Over));
        assert_eq!(game.reveal(Pos::new(0, 0)), Err(IllegalAction::Over));
        assert_eq!(game.reveal(Pos::new(7, 7)), Err(IllegalAction::Over));
        assert_eq!(game, over);
    }

    #[test]
    fn only_open_cards_are_shown() {
        let mut game = Codenames::new(2, 2, "RRBX").unwrap();
        let card = game.reveal(Pos::new(0, 1)).unwrap();
        assert_eq!(game.shown(Pos::new(0, 1)), Some(card));
        assert_eq!(game.shown(Pos::new(0, 0)), None);
        assert_eq!(game.shown(Pos::new(2, 0)), None);
        assert_eq!(game.spies_left(Team::Red), 1);
    }
}
