//! Random sessions of Codenames.
//!
//! Never fixed, and so never asked: what happens to an open card that is pointed at again, positions off the
//! board, and keys with a team without spies.

use crate::exercises::codenames::rules::{Codenames, Status, Team};
use crate::exercises::grid::Pos;
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, short, watched};
use crate::exercises::sessions::{RandomStep, Sessions};
use crate::value::random::Random;

/// The sessions.
pub(super) const SESSIONS: Sessions = Sessions { random: session, short: short::<Spelbord> };

/// A random session.
fn session(random: &mut Random) -> Vec<RandomStep> {
    let mut scribe: Scribe<Spelbord> = Scribe::new();
    let size = random.part(size);
    let first = random.part(|random| KeyCard::random(size, random));
    if random.below(20) == 19 {
        watched(&mut scribe, first, random);
        return scribe.session();
    }
    let mut boards = vec![scribe.make(first.clone())];
    random.list(
        |random| [0, 0, 0, 0, 0, 0, 0, 1, 1, 2][random.below(10)],
        |random| {
            if random.below(2) == 1 {
                play(&mut scribe, boards[0], random);
            }
            // Boards that share something differ first if they look alike.
            let key = if random.below(2) == 0 { first.clone() } else { KeyCard::random(size, random) };
            boards.push(scribe.make(key));
        },
    );
    let count = boards.len();
    random.list(|_| count, |random| play(&mut scribe, boards[random.below(count)], random));
    if count > 1 {
        random.list(
            |_| 2 * count,
            |random| {
                let on = boards[random.below(count)];
                match random.below(2) {
                    0 => scribe.look(on),
                    _ => scribe.ask(on, CardCall::Over, Seen::Value),
                }
            },
        );
    }
    scribe.session()
}

/// The game, as scripts have it.
struct Spelbord;

/// The arguments of the constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeyCard {
    rows: usize,
    cols: usize,
    cards: Vec<char>,
}

/// A call on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardCall {
    Turn,
    Over,
    Stop,
    Reveal(Pos),
}

/// Boards have no more rows or columns than this, but seldom so many.
const LONGEST: usize = 13;

fn size(random: &mut Random) -> (usize, usize) {
    let (rows, cols) = match random.below(20) {
        0..8 => [(1, 4), (2, 2), (4, 1), (1, 5), (5, 1), (2, 3), (3, 2), (1, 6), (6, 1)][random.below(9)],
        8..18 => (1 + random.below(5), 1 + random.below(6)),
        18 => (1 + random.below(3), 10 + random.below(LONGEST - 9)),
        _ => (LONGEST - random.below(2), LONGEST - random.below(2)),
    };
    if random.below(2) == 1 && rows * cols >= 4 {
        (cols, rows)
    } else {
        (rows, cols.max(4_usize.div_ceil(rows)))
    }
}

impl KeyCard {
    fn random((rows, cols): (usize, usize), random: &mut Random) -> KeyCard {
        let most = (rows * cols - 2) / 2;
        let limit = if random.below(2) == 0 { most } else { most.min(3) };
        let fewer = 1 + random.below(limit);
        let spies = if random.below(2) == 0 { ['R', 'B'] } else { ['B', 'R'] };
        let mut cards = vec!['-'; rows * cols];
        let mut free: Vec<usize> = (0..cards.len()).collect();
        // The team that begins has one spy more.
        let letters = (0..2 * fewer + 1).map(|index| spies[index % 2]).chain(['X']);
        for letter in letters {
            if let Some(place) = random.take(&mut free) {
                cards[place] = letter;
            }
        }
        KeyCard { rows, cols, cards }
    }

    fn pos(&self, index: usize) -> Pos {
        Pos::new(index / self.cols, index % self.cols)
    }

    fn count(&self, letter: char) -> usize {
        self.cards.iter().filter(|card| **card == letter).count()
    }
}

/// The aim of a part of a session.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// Any cards.
    Any,
    /// The spies of the playing team.
    Own,
    /// The spies of this team, also while the other one plays.
    Spies(Team),
    /// All bystanders.
    Bystanders,
    /// Both teams stop, again and again.
    Stops,
    /// The assassin after a few cards.
    Assassin,
}

impl Aim {
    fn random(random: &mut Random) -> Aim {
        let plans = [
            Aim::Any,
            Aim::Any,
            Aim::Own,
            Aim::Own,
            Aim::Spies(Team::Red),
            Aim::Spies(Team::Blue),
            Aim::Bystanders,
            Aim::Stops,
            Aim::Assassin,
        ];
        plans[random.below(plans.len())]
    }

    /// Whether it points at cards with `letter` while a team plays.
    fn wants(self, letter: char, playing: Team) -> bool {
        match self {
            Aim::Any | Aim::Assassin => letter != 'X',
            Aim::Own => letter == playing.letter(),
            Aim::Spies(team) => letter == team.letter(),
            Aim::Bystanders => letter == '-',
            Aim::Stops => false,
        }
    }
}

/// Plays on the board `on`, seldom past its end.
fn play(scribe: &mut Scribe<Spelbord>, on: usize, random: &mut Random) {
    let aim = Aim::random(random);
    let cells = scribe.state(on).map_or(0, |game| game.rows() * game.cols());
    random.list(
        |random| if random.below(4) == 0 { random.below(3) } else { 1 + random.below(cells.min(12)) },
        |random| turn(scribe, on, aim, random),
    );
    if scribe.state(on).is_some_and(|board| board.playing().is_none()) {
        refused(scribe, on, random);
    }
}

/// Plays one turn, if the game is not over.
fn turn(scribe: &mut Scribe<Spelbord>, on: usize, aim: Aim, random: &mut Random) {
    let Some(team) = scribe.state(on).and_then(|board| board.playing()) else { return };
    let stops = match aim {
        Aim::Stops => random.below(2),
        Aim::Own => random.below(20),
        Aim::Any | Aim::Spies(_) | Aim::Bystanders | Aim::Assassin => random.below(6),
    };
    let card =
        if stops == 0 { None } else { scribe.state(on).and_then(|board| board.choose(aim, team, random)) };
    let mut calls = vec![card.map_or(CardCall::Stop, CardCall::Reveal)];
    match random.below(32) {
        28 => calls.push(CardCall::Over),
        29..31 => calls.push(CardCall::Turn),
        24..28 if scribe.state(on).is_some_and(|board| board.goes_on_after(calls[0])) => {
            calls.push(CardCall::Stop);
        }
        _ => {}
    }
    let seen =
        [Seen::Nothing, Seen::Nothing, Seen::Nothing, Seen::Text, Seen::Text, Seen::Same, Seen::Prints];
    scribe.chain(on, calls, seen[random.below(seen.len())]);
    questions(scribe, on, random);
}

/// Asks about the board.
fn questions(scribe: &mut Scribe<Spelbord>, on: usize, random: &mut Random) {
    random.list(
        |random| random.below(3),
        |random| match random.below(12) {
            0..5 => scribe.ask(on, CardCall::Turn, Seen::Value),
            5..10 => scribe.ask(on, CardCall::Over, Seen::Value),
            10 => {
                let action = if random.below(2) == 0 { CardCall::Turn } else { CardCall::Over };
                scribe.ask(on, action, Seen::Prints);
            }
            _ => scribe.look(on),
        },
    );
}

/// Asks a finished game for what it refuses.
fn refused(scribe: &mut Scribe<Spelbord>, on: usize, random: &mut Random) {
    random.list(
        |random| 2 + random.below(4),
        |random| {
            let action = match random.below(5) {
                0 => CardCall::Turn,
                1 => CardCall::Stop,
                2 => {
                    let hidden = scribe.state(on).and_then(|board| board.any_hidden(random));
                    hidden.map_or(CardCall::Stop, CardCall::Reveal)
                }
                3 => CardCall::Over,
                _ => return scribe.look(on),
            };
            scribe.ask(on, action, Seen::Value);
        },
    );
}

/// A board in play, and its key.
#[derive(Clone)]
struct InPlay {
    game: Codenames,
    key: KeyCard,
}

impl InPlay {
    fn playing(&self) -> Option<Team> {
        match self.game.status() {
            Status::Turn(team) => Some(team),
            Status::Won(_) => None,
        }
    }

    fn rows(&self) -> usize {
        self.key.rows
    }

    fn cols(&self) -> usize {
        self.key.cols
    }

    fn hidden(&self) -> impl Iterator<Item = (usize, char)> {
        let cards = self.key.cards.iter().copied().enumerate();
        cards.filter(|(index, _)| self.game.shown(self.key.pos(*index)).is_none())
    }

    fn any_hidden(&self, random: &mut Random) -> Option<Pos> {
        let hidden: Vec<usize> = self.hidden().map(|(index, _)| index).collect();
        hidden.get(random.below(hidden.len())).map(|index| self.key.pos(*index))
    }

    /// A hidden card for `team`.
    fn choose(&self, aim: Aim, team: Team, random: &mut Random) -> Option<Pos> {
        let whim = random.below(36);
        let is_meant = |letter: char| match (aim, whim) {
            (Aim::Any, 35) | (Aim::Assassin, 27..) => letter == 'X',
            (_, 33..) => letter != 'X',
            (_, _) => aim.wants(letter, team),
        };
        let cards = |is_meant: &dyn Fn(char) -> bool| -> Vec<usize> {
            self.hidden().filter(|(_, letter)| is_meant(*letter)).map(|(index, _)| index).collect()
        };
        let mut meant = cards(&is_meant);
        if meant.is_empty() {
            meant = cards(&|letter| letter != 'X');
        }
        random.one_of(meant, |index| *index).map(|index| self.key.pos(index))
    }

    fn goes_on_after(&self, action: CardCall) -> bool {
        let mut game = self.game.clone();
        match action {
            CardCall::Reveal(pos) => game.reveal(pos).is_ok() && matches!(game.status(), Status::Turn(_)),
            CardCall::Turn | CardCall::Over | CardCall::Stop => true,
        }
    }
}

impl Scripted for Spelbord {
    type Board = KeyCard;
    type Action = CardCall;
    type State = InPlay;
    const NAMES: &'static [&'static str] = &["codenames", "eerste", "tweede", "derde"];

    fn creation(key: &KeyCard) -> String {
        format!("Spelbord({}, {}, '{}')", key.rows, key.cols, key.cards.iter().collect::<String>())
    }

    fn create(key: &KeyCard) -> Created<InPlay> {
        let letters: String = key.cards.iter().collect();
        match Codenames::new(key.rows, key.cols, &letters) {
            Ok(game) if key.count('R') > 0 && key.count('B') > 0 => {
                Created::Board(InPlay { game, key: key.clone() })
            }
            Ok(_) | Err(_) => Created::Unfixed,
        }
    }

    fn small(calls: usize) -> Vec<KeyCard> {
        let mut keys = vec![(1, "RBRX"), (1, "BRBX"), (2, "RBRX"), (1, "RBRX-"), (1, "BRBX-")];
        if calls < 3 {
            keys.extend([(4, "RBRX"), (1, "RBRBRX"), (1, "BRBRBX"), (3, "RBRBRX"), (2, "RBRBRX")]);
        }
        let key = |(rows, cards): (usize, &str)| KeyCard {
            rows,
            cols: cards.len() / rows,
            cards: cards.chars().collect(),
        };
        keys.into_iter().map(key).collect()
    }

    fn changes(key: &KeyCard) -> Vec<CardCall> {
        let cards = (0..key.cards.len()).map(|index| CardCall::Reveal(key.pos(index)));
        std::iter::once(CardCall::Stop).chain(cards).collect()
    }

    fn questions(_key: &KeyCard) -> Vec<CardCall> {
        vec![CardCall::Turn, CardCall::Over]
    }

    fn call(action: &CardCall) -> String {
        match action {
            CardCall::Turn => ".beurt()".to_owned(),
            CardCall::Over => ".isafgelopen()".to_owned(),
            CardCall::Stop => ".stoppen()".to_owned(),
            CardCall::Reveal(pos) => format!(".aanduiden({}, {})", pos.row, pos.col),
        }
    }

    fn play(board: &mut InPlay, action: &CardCall, _after: bool) -> CallResult {
        let over = board.playing().is_none();
        match action {
            CardCall::Over => CallResult::Value,
            CardCall::Turn if over => CallResult::Refused,
            CardCall::Turn => CallResult::Value,
            CardCall::Stop => board.game.pass().map_or(CallResult::Refused, |()| CallResult::Itself),
            CardCall::Reveal(pos) => {
                let fixed =
                    pos.row < board.rows() && pos.col < board.cols() && board.game.shown(*pos).is_none();
                match board.game.reveal(*pos) {
                    Ok(_) if fixed => CallResult::Itself,
                    Err(_) if fixed => CallResult::Refused,
                    Ok(_) | Err(_) => CallResult::Unfixed,
                }
            }
        }
    }
}
