//! Random sessions of Codenames.
//!
//! Never fixed, and so never asked: what happens to an open card that is pointed at again, positions off the
//! board, and keys with a team without spies.

use crate::exercises::codenames::rules::{Codenames, Status, Team};
use crate::exercises::grid::Pos;
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, SimplerBoard};
use crate::exercises::sessions::RandomSession;
use crate::value::random::Random;

/// A random session.
pub(super) fn session(random: &mut Random) -> Box<dyn RandomSession> {
    let mut scribe: Scribe<Spelbord> = Scribe::new();
    let count = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3][random.below(10)];
    let size = size(random);
    let first = KeyCard::random(size, random);
    let mut boards = vec![scribe.make(first.clone())];
    for _ in 1..count {
        // Boards that share something differ first if they look alike.
        let key = if random.below(2) == 0 { first.clone() } else { KeyCard::random(size, random) };
        if random.below(2) == 0 {
            play(&mut scribe, boards[0], Aim::random(random), random);
        }
        boards.push(scribe.make(key));
    }
    for _ in 0..count {
        let on = boards[random.below(boards.len())];
        play(&mut scribe, on, Aim::random(random), random);
    }
    for on in boards {
        if count > 1 {
            scribe.look(on);
            scribe.ask(on, CardCall::Over, Seen::Value);
        }
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

/// The letters of cards, the simplest key in this order.
const LETTERS: [char; 4] = ['R', 'B', '-', 'X'];

/// Boards have no more rows or columns than this, but seldom so many.
const LONGEST: usize = 13;

fn size(random: &mut Random) -> (usize, usize) {
    let (rows, cols) = match random.below(20) {
        0..8 => [(1, 4), (2, 2), (4, 1), (1, 5), (5, 1), (2, 3), (3, 2), (1, 6), (6, 1)][random.below(9)],
        8..18 => (1 + random.below(5), 1 + random.below(6)),
        18 => (1 + random.below(3), 10 + random.below(LONGEST - 9)),
        _ => (LONGEST - random.below(2), LONGEST - random.below(2)),
    };
    if random.below(2) == 0 && rows * cols >= 4 {
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
        cards[0] = 'X';
        // The team that begins has one spy more.
        for (index, card) in cards.iter_mut().skip(1).take(2 * fewer + 1).enumerate() {
            *card = spies[index % 2];
        }
        random.shuffle(&mut cards);
        KeyCard { rows, cols, cards }
    }

    fn pos(&self, index: usize) -> Pos {
        Pos::new(index / self.cols, index % self.cols)
    }

    fn index(&self, pos: Pos) -> usize {
        pos.row * self.cols + pos.col
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

    /// The worth of the card with `letter` for this aim.
    fn wants(self, letter: char, playing: Team) -> usize {
        let wanted = match self {
            Aim::Any => true,
            Aim::Own => letter == playing.letter(),
            Aim::Spies(team) => letter == team.letter(),
            Aim::Bystanders => letter == '-',
            Aim::Stops => false,
            Aim::Assassin => letter != 'X',
        };
        match letter {
            'X' => usize::from(matches!(self, Aim::Any)),
            _ if wanted => 20,
            _ => 1,
        }
    }
}

/// Plays on the board `on`, seldom past its end.
fn play(scribe: &mut Scribe<Spelbord>, on: usize, aim: Aim, random: &mut Random) {
    let cells = scribe.state(on).map_or(0, |game| game.rows() * game.cols());
    let moves = if random.below(4) == 0 { random.below(3) } else { 1 + random.below(cells.min(12)) };
    for turn in 0..moves {
        let Some(team) = scribe.state(on).and_then(|board| board.playing()) else { break };
        let last = turn + 1 == moves;
        let stops = match aim {
            Aim::Stops => random.below(2),
            Aim::Own => random.below(20),
            Aim::Any | Aim::Spies(_) | Aim::Bystanders | Aim::Assassin => random.below(6),
        };
        let stops = stops == 0;
        let card = if stops {
            None
        } else {
            scribe.state(on).and_then(|board| board.choose(aim, team, last, random))
        };
        let mut calls = vec![card.map_or(CardCall::Stop, CardCall::Reveal)];
        if random.below(8) == 0 {
            calls.push(if random.below(4) == 0 { CardCall::Over } else { CardCall::Turn });
        } else if random.below(8) == 0 && scribe.state(on).is_some_and(|board| board.goes_on_after(calls[0]))
        {
            calls.push(CardCall::Stop);
        }
        let seen =
            [Seen::Text, Seen::Text, Seen::Same, Seen::Prints, Seen::Nothing, Seen::Nothing, Seen::Nothing];
        scribe.chain(on, calls, seen[random.below(seen.len())]);
        questions(scribe, on, random);
    }
    if scribe.state(on).is_some_and(|board| board.playing().is_none()) {
        refused(scribe, on, random);
    }
}

/// Asks about the board.
fn questions(scribe: &mut Scribe<Spelbord>, on: usize, random: &mut Random) {
    for _ in 0..random.below(3) {
        match random.below(12) {
            0..5 => {
                scribe.ask(on, CardCall::Turn, Seen::Value);
            }
            5..10 => {
                scribe.ask(on, CardCall::Over, Seen::Value);
            }
            10 => {
                let action = if random.below(2) == 0 { CardCall::Turn } else { CardCall::Over };
                scribe.ask(on, action, Seen::Prints);
            }
            _ => scribe.look(on),
        }
    }
}

/// Asks a finished game for what it refuses.
fn refused(scribe: &mut Scribe<Spelbord>, on: usize, random: &mut Random) {
    for _ in 0..2 + random.below(4) {
        let hidden = scribe.state(on).and_then(|board| board.any_hidden(random));
        match random.below(5) {
            0 => {
                scribe.ask(on, CardCall::Turn, Seen::Value);
            }
            1 => {
                scribe.ask(on, CardCall::Stop, Seen::Value);
            }
            2 => {
                scribe.ask(on, hidden.map_or(CardCall::Stop, CardCall::Reveal), Seen::Value);
            }
            3 => {
                scribe.ask(on, CardCall::Over, Seen::Value);
            }
            _ => scribe.look(on),
        }
    }
}

/// A board in play, and its key.
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
    fn choose(&self, aim: Aim, team: Team, last: bool, random: &mut Random) -> Option<Pos> {
        let assassin = last && matches!(aim, Aim::Assassin);
        let weight = |letter| if assassin { usize::from(letter == 'X') } else { aim.wants(letter, team) };
        let mut place = random.below(self.hidden().map(|(_, letter)| weight(letter)).sum());
        for (index, letter) in self.hidden() {
            if place < weight(letter) {
                return Some(self.key.pos(index));
            }
            place -= weight(letter);
        }
        None
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

    /// Fewest cards, then most square, then fewest spies, then red ones first.
    fn weight(key: &KeyCard) -> Vec<usize> {
        let letters =
            key.cards.iter().map(|card| LETTERS.iter().position(|letter| letter == card).unwrap_or(0));
        let spies = key.count('R') + key.count('B');
        [key.cards.len(), key.rows.abs_diff(key.cols), key.rows, spies].into_iter().chain(letters).collect()
    }

    fn simpler_boards(key: &KeyCard, actions: &[&CardCall]) -> Vec<SimplerBoard<Spelbord>> {
        let used: Vec<usize> =
            actions.iter().filter_map(|action| action.card()).map(|pos| key.index(pos)).collect();
        let mut boards = Vec::new();
        for kept in keepable(key, &used) {
            boards.extend(shapes(kept.len()).map(|(rows, cols)| arranged(key, rows, cols, &kept)));
            // The same board with bystanders for the rest.
            let mut plainer = key.clone();
            for (index, card) in plainer.cards.iter_mut().enumerate() {
                *card = if kept.contains(&index) { *card } else { '-' };
            }
            boards.push(SimplerBoard { board: plainer, action: Box::new(|action| Some(*action)) });
        }
        boards.extend((0..key.rows).map(|row| without(key, |pos| pos.row == row)));
        boards.extend((0..key.cols).map(|col| without(key, |pos| pos.col == col)));
        let all: Vec<usize> = (0..key.cards.len()).collect();
        boards.extend(shapes(all.len()).map(|(rows, cols)| arranged(key, rows, cols, &all)));
        let mut sorted = all.clone();
        sorted.sort_by_key(|index| {
            (LETTERS.iter().position(|letter| *letter == key.cards[*index]), !used.contains(index))
        });
        boards.push(arranged(key, key.rows, key.cols, &sorted));
        let swapped = key.cards.iter().map(|card| match card {
            'R' => 'B',
            'B' => 'R',
            other => *other,
        });
        let swapped = KeyCard { cards: swapped.collect(), ..key.clone() };
        boards.push(SimplerBoard { board: swapped, action: Box::new(|action| Some(*action)) });
        for card in &used {
            let alike = all.iter().filter(|other| **other < *card && key.cards[**other] == key.cards[*card]);
            boards.extend(alike.take(2).map(|other| {
                let mut order = all.clone();
                order.swap(*card, *other);
                arranged(key, key.rows, key.cols, &order)
            }));
        }
        boards
    }

    fn questions() -> Vec<CardCall> {
        vec![CardCall::Turn, CardCall::Over]
    }

    fn simpler_actions(action: &CardCall) -> Vec<CardCall> {
        match action {
            CardCall::Reveal(_) => vec![CardCall::Stop],
            CardCall::Turn | CardCall::Over | CardCall::Stop => Vec::new(),
        }
    }
}

impl CardCall {
    fn card(self) -> Option<Pos> {
        match self {
            CardCall::Reveal(pos) => Some(pos),
            CardCall::Turn | CardCall::Over | CardCall::Stop => None,
        }
    }
}

/// Sets of cards that make a key and contain all those `used`, the smallest first.
fn keepable(key: &KeyCard, used: &[usize]) -> Vec<Vec<usize>> {
    let of = |letter: char| -> (Vec<usize>, Vec<usize>) {
        let cards = (0..key.cards.len()).filter(|index| key.cards[*index] == letter);
        cards.partition(|index| used.contains(index))
    };
    let ((red, more_red), (blue, more_blue)) = (of('R'), of('B'));
    let mut keepable = Vec::new();
    for extra in [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2)] {
        let mut kept: Vec<usize> = red.iter().chain(more_red.iter().take(extra.0)).copied().collect();
        kept.extend(blue.iter().chain(more_blue.iter().take(extra.1)));
        kept.extend(
            (0..key.cards.len())
                .filter(|index| key.cards[*index] == 'X' || key.cards[*index] == '-' && used.contains(index)),
        );
        kept.sort_unstable();
        keepable.push(kept);
    }
    keepable
}

/// The sizes of boards of `cells` cards, the most square first.
fn shapes(cells: usize) -> impl Iterator<Item = (usize, usize)> {
    let divisors = (1..=cells).filter(move |rows| cells.is_multiple_of(*rows));
    let mut shapes: Vec<(usize, usize)> = divisors.map(|rows| (rows, cells / rows)).collect();
    shapes.sort_by_key(|(rows, cols)| rows.abs_diff(*cols));
    shapes.into_iter()
}

/// A board of the cards of `key` at these indices, in this order.
fn arranged(key: &KeyCard, rows: usize, cols: usize, order: &[usize]) -> SimplerBoard<Spelbord> {
    let board = KeyCard { rows, cols, cards: order.iter().map(|index| key.cards[*index]).collect() };
    let old = key.clone();
    let order = order.to_vec();
    let new = board.clone();
    let action = move |action: &CardCall| match action {
        CardCall::Reveal(pos) => {
            let place = order.iter().position(|index| *index == old.index(*pos))?;
            Some(CardCall::Reveal(new.pos(place)))
        }
        CardCall::Turn | CardCall::Over | CardCall::Stop => Some(*action),
    };
    SimplerBoard { board, action: Box::new(action) }
}

/// The board without a row or a column.
fn without(key: &KeyCard, leaves: impl Fn(Pos) -> bool) -> SimplerBoard<Spelbord> {
    let order: Vec<usize> = (0..key.cards.len()).filter(|index| !leaves(key.pos(*index))).collect();
    let rows = (0..key.rows).filter(|row| !(0..key.cols).all(|col| leaves(Pos::new(*row, col)))).count();
    let cols = (0..key.cols).filter(|col| !(0..key.rows).all(|row| leaves(Pos::new(row, *col)))).count();
    arranged(key, rows, cols, &order)
}
