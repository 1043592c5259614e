//! Proves whether a player can force a win: depth-first proof-number search (df-pn).
//!
//! "Can the attacker force a win?" has only two answers: a draw is the defender's success. No position repeats within
//! a game, so an answer never depends on earlier moves, and a position reached in several ways has one answer.
//!
//! Each position has two numbers: roughly how much remains to be proved for the player to move to reach his aim (the
//! attacker's is a win, the defender's anything else), and for the other to prevent it. For a new position they are
//! guessed; the others follow from the positions after it, and the search goes where least remains to be proved. A
//! number is 0 when all is proved, and only then is the other infinite: only finished games, endgame tables and what
//! follows from them make it so, and the table of positions keeps each whole. A bad guess costs time, not
//! correctness.

use super::memory::Memory;
use super::tables::{Tables, Worth, mirrored};
use crate::exercises::alquerque::rules::board::{Board, Player};
use crate::exercises::alquerque::rules::moves::{
    Black, Mover, Sides, White, can_capture, count_moves, for_each_move,
};
use crate::value::random::numbered;

/// The number of what can never be proved.
const INFINITE: u32 = 1 << 30;
/// Positions between two reports of progress.
const REPORT_EVERY: u64 = 1 << 20;
/// A line is left only when another needs this fraction less: a quarter, to avoid switching back and forth.
const PATIENCE: u32 = 4;
/// The logarithm of the odds that the attacker wins, by his pieces for each of the defender's.
///
/// They were counted in endgames reached by random games.
const ODDS: [(f64, f64); 10] = [
    (0.0, -12.0),
    (0.5, -10.0),
    (0.8, -6.5),
    (1.0, -4.0),
    (1.25, -2.2),
    (1.5, -1.15),
    (2.0, -0.3),
    (4.0, 0.9),
    (8.0, 2.3),
    (24.0, 3.0),
];
/// The weight of one logarithm of odds against one further move to refute.
const WEIGHT: f64 = 3.0;
/// The most pieces of a player, plus one.
const COUNTS: usize = 26;

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions searched.
    pub positions: u64,
    /// Roughly how much remains to be proved for the player to move.
    pub to_prove: u32,
    /// Roughly how much remains to be proved against him.
    pub to_disprove: u32,
}

/// The answer to "can the attacker force a win?", with what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forcing {
    /// Whether he can.
    pub forced: bool,
    /// Positions searched.
    pub positions: u64,
}

/// Whether `attacker` can force a win from `board`.
///
/// The search remembers positions in `memory` bytes, and uses endgame `tables` if given. Little memory makes it
/// slower, but not less correct. `progress` is called now and then.
pub fn can_force_win(
    board: &Board,
    attacker: Player,
    memory: usize,
    tables: Option<&Tables>,
    progress: &mut dyn FnMut(Progress),
) -> Forcing {
    let mut proof = Proof {
        attacker,
        memory: Memory::new(memory),
        tables,
        guesses: guesses(),
        children: Vec::new(),
        positions: 0,
        root: Numbers::default(),
        progress,
    };
    match board.to_move() {
        Player::White => proof.answer::<White>(board.sides()),
        Player::Black => proof.answer::<Black>(board.sides()),
    }
}

/// A proof in progress.
struct Proof<'a> {
    attacker: Player,
    memory: Memory,
    tables: Option<&'a Tables>,
    /// By the attacker's and the defender's pieces: the numbers of a new position, for the attacker to move.
    guesses: Box<[[Numbers; COUNTS]; COUNTS]>,
    /// The positions after those on the way to the current one.
    children: Vec<Successor>,
    positions: u64,
    /// The numbers of the position that the question is about.
    root: Numbers,
    progress: &'a mut dyn FnMut(Progress),
}

/// How much remains to be proved, as the player to move sees it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Numbers {
    /// For him.
    prove: u32,
    /// Against him.
    disprove: u32,
}

#[derive(Clone, Copy)]
struct Successor {
    sides: Sides,
    place: Branch,
    numbers: Numbers,
}

/// The place of a position in memory: the same for its mirror image.
#[derive(Clone, Copy)]
struct Branch {
    hash: u64,
    key: u64,
}

impl Numbers {
    const PROVEN: Numbers = Numbers { prove: 0, disprove: INFINITE };
    const DISPROVEN: Numbers = Numbers { prove: INFINITE, disprove: 0 };

    const fn shown(aim_reached: bool) -> Numbers {
        if aim_reached { Numbers::PROVEN } else { Numbers::DISPROVEN }
    }

    const fn pack(self) -> u64 {
        self.prove as u64 | (self.disprove as u64) << u32::BITS
    }

    const fn unpack(packed: u64) -> Numbers {
        Numbers { prove: packed as u32, disprove: (packed >> u32::BITS) as u32 }
    }
}

impl Proof<'_> {
    fn answer<M: Mover>(&mut self, sides: Sides) -> Forcing {
        let attacks = M::PLAYER == self.attacker;
        let mut numbers = self.first_look::<M>(sides);
        if numbers.prove != 0 && numbers.disprove != 0 {
            numbers = self.look_into::<M>(
                sides,
                Branch::of::<M>(sides),
                Numbers { prove: INFINITE, disprove: INFINITE },
            );
        }
        Forcing { forced: (numbers.prove == 0) == attacks, positions: self.positions }
    }

    /// Searches a position until one of its numbers reaches its limit, and returns the numbers.
    fn look_into<M: Mover>(&mut self, sides: Sides, place: Branch, limits: Numbers) -> Numbers {
        self.positions += 1;
        if self.positions.is_multiple_of(REPORT_EVERY) {
            let Numbers { prove, disprove } = self.root;
            (self.progress)(Progress { positions: self.positions, to_prove: prove, to_disprove: disprove });
        }
        let positions_before = self.positions;
        let base = self.children.len();
        for_each_move::<M>(sides, |step| {
            let sides = sides.after(step);
            let place = Branch::of::<M::Opponent>(sides);
            self.children.push(Successor { sides, place, numbers: Numbers::default() });
        });
        self.memory.fetch(self.children[base..].iter().map(|child| child.place.hash));
        for child in base..self.children.len() {
            let numbers = self.known::<M::Opponent>(self.children[child]);
            self.children[child].numbers = numbers;
        }
        let numbers = loop {
            let outlook = Outlook::of(&self.children[base..]);
            let numbers = outlook.numbers;
            if base == 0 {
                self.root = numbers;
            }
            if numbers.prove >= limits.prove || numbers.disprove >= limits.disprove {
                break numbers;
            }
            let best = base + outlook.best;
            let child = self.children[best];
            let after = self.look_into::<M::Opponent>(
                child.sides,
                child.place,
                outlook.limits(child.numbers, limits),
            );
            self.children[best].numbers = after;
        };
        self.children.truncate(base);
        let work = self.positions - positions_before + 1;
        let rank = u64::from(u64::BITS - work.leading_zeros());
        self.memory.put(place.hash, place.key, rank, numbers.pack());
        numbers
    }

    /// The numbers of a position if known, else a guess.
    #[inline(always)]
    fn known<M: Mover>(&self, child: Successor) -> Numbers {
        match self.memory.get(child.place.hash, child.place.key) {
            Some(packed) => Numbers::unpack(packed),
            None => self.first_look::<M>(child.sides),
        }
    }

    /// The numbers of a new position: proved if it is finished or in the tables, else guessed.
    fn first_look<M: Mover>(&self, sides: Sides) -> Numbers {
        let attacks = M::PLAYER == self.attacker;
        if sides.mine == 0 {
            return Numbers::DISPROVEN;
        }
        let moves = count_moves::<M>(sides);
        if moves == 0 {
            return Numbers::shown(!attacks);
        }
        if let Some(value) = self.tables.and_then(|tables| tables.find::<M>(sides)) {
            return Numbers::shown(if attacks { value == Worth::Win } else { value != Worth::Loss });
        }
        let (mine, theirs) = (sides.mine.count_ones() as usize, sides.theirs.count_ones() as usize);
        let theirs = theirs - usize::from(can_capture(sides));
        // The other player has to refute every move.
        let to_refute = moves - 1;
        if attacks {
            let Numbers { prove, disprove } = self.guesses[mine][theirs];
            Numbers { prove, disprove: disprove + to_refute }
        } else {
            let Numbers { prove, disprove } = self.guesses[theirs][mine];
            Numbers { prove: disprove, disprove: prove + to_refute }
        }
    }
}

/// What the next positions show about a position.
struct Outlook {
    numbers: Numbers,
    /// The index of the next position that needs least to be proved.
    best: usize,
    /// How much the next best needs.
    next_best: u32,
}

impl Outlook {
    fn of(children: &[Successor]) -> Outlook {
        let (mut prove, mut next_best, mut disprove, mut best) = (INFINITE, INFINITE, 0, 0);
        for (index, Successor { numbers, .. }) in children.iter().enumerate() {
            // What is for one player is against the other.
            if numbers.disprove < prove {
                (next_best, prove, best) = (prove, numbers.disprove, index);
            } else {
                next_best = next_best.min(numbers.disprove);
            }
            // A sum, however large, proves nothing.
            disprove = (disprove + numbers.prove).min(INFINITE - 1);
        }
        let numbers = match prove {
            0 => Numbers::PROVEN,
            INFINITE => Numbers::DISPROVEN,
            _ => Numbers { prove, disprove },
        };
        Outlook { numbers, best, next_best }
    }

    /// The limits for the best of the next positions, whose numbers are `child`.
    fn limits(&self, child: Numbers, limits: Numbers) -> Numbers {
        let prove = match limits.disprove {
            INFINITE => INFINITE,
            // The sum may grow by what is left to the limit.
            limit => limit - self.numbers.disprove + child.prove,
        };
        let patient = self.next_best.saturating_add(1 + self.next_best / PATIENCE);
        Numbers { prove: prove.min(INFINITE), disprove: limits.prove.min(patient) }
    }
}

impl Branch {
    #[inline(always)]
    fn of<M: Mover>(sides: Sides) -> Branch {
        let image = Sides { mine: mirrored(sides.mine), theirs: mirrored(sides.theirs) };
        let key = sides.key::<M>().min(image.key::<M>());
        Branch { hash: numbered(key), key }
    }
}

fn guesses() -> Box<[[Numbers; COUNTS]; COUNTS]> {
    let mut guesses = Box::new([[Numbers { prove: 1, disprove: 1 }; COUNTS]; COUNTS]);
    for (attackers, row) in guesses.iter_mut().enumerate().skip(1) {
        for (defenders, guess) in row.iter_mut().enumerate().skip(1) {
            let odds = log_odds(attackers as f64 / defenders as f64);
            let needed = |odds: f64| (1.0 + WEIGHT * odds.exp().ln_1p()).round() as u32;
            *guess = Numbers { prove: needed(-odds), disprove: needed(odds) };
        }
    }
    guesses
}

/// [`ODDS`], linearly interpolated.
fn log_odds(ratio: f64) -> f64 {
    let segment = ODDS.windows(2).find(|pair| ratio <= pair[1].0);
    segment.map_or(ODDS[ODDS.len() - 1].1, |pair| {
        let ((from, odds), (to, odds_there)) = (pair[0], pair[1]);
        odds + (odds_there - odds) * (ratio - from) / (to - from)
    })
}

#[cfg(test)]
mod tests {
    use super::{Branch, INFINITE, Numbers, Outlook, Sides, Successor, log_odds};

    fn numbers((prove, disprove): (u32, u32)) -> Numbers {
        Numbers { prove, disprove }
    }

    fn outlook(children: &[(u32, u32)]) -> Outlook {
        let (sides, place) = (Sides { mine: 0, theirs: 0 }, Branch { hash: 0, key: 0 });
        let child = |found: &(u32, u32)| Successor { sides, place, numbers: numbers(*found) };
        Outlook::of(&children.iter().map(child).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(children: &[(u32, u32)], (prove, disprove): (u32, u32)) {
        let found = outlook(children).numbers;
        assert_eq!((found.prove, found.disprove), (prove, disprove));
    }

    /// Checks the limits of the best child of a position with these limits.
    #[track_caller]
    fn check_limits(children: &[(u32, u32)], limits: (u32, u32), (prove, disprove): (u32, u32)) {
        let outlook = outlook(children);
        let found = outlook.limits(numbers(children[outlook.best]), numbers(limits));
        assert_eq!((found.prove, found.disprove), (prove, disprove));
    }

    #[test]
    fn the_best_is_worked_on_until_another_is_better_by_a_fourth_or_a_limit_is_reached() {
        let two = [(3, 5), (2, 4)];
        check_limits(&two, (100, 20), (20 - 3, 5 + 5 / 4 + 1));
        check_limits(&two, (6, 20), (17, 6));
        check_limits(&two, (INFINITE, INFINITE), (INFINITE, 7));
        check_limits(&[(3, 5)], (100, 20), (20, 100));
        check_limits(&[(3, 5)], (INFINITE, 20), (20, INFINITE));
    }

    #[test]
    fn numbers_follow_from_those_of_the_positions_after() {
        check(&[(3, 5), (2, 4)], (4, 5));
        check(&[(3, 5), (INFINITE, 0)], (0, INFINITE));
        check(&[(0, INFINITE), (2, 4)], (4, 2));
        check(&[(0, INFINITE), (0, INFINITE)], (INFINITE, 0));
    }

    #[test]
    fn a_sum_never_shows_anything() {
        check(&[(INFINITE - 1, 5), (INFINITE - 1, 4)], (4, INFINITE - 1));
    }

    #[test]
    fn odds_lie_on_the_lines_between_what_was_counted() {
        assert!((log_odds(1.0) + 4.0).abs() < 1e-9 && (log_odds(3.0) - 0.3).abs() < 1e-9);
        assert!((log_odds(25.0) - 3.0).abs() < 1e-9);
    }
}
