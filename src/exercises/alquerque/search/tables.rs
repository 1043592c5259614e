//! Endgame tables: what every position with few pieces is worth under perfect play.
//!
//! One pass is enough, since no position comes back: a capture leads to fewer pieces, which are done before, and a plain
//! move brings the one player's pieces higher up or the other's lower down.
//!
//! # The layout
//! The board turned half round with the colours exchanged is the same game, so that only positions are kept in which the
//! player who moves up has at least as many pieces; and so is its mirror image, so that of the sets of fields on which
//! these stand only one of each pair of images is kept. Positions of the same numbers of pieces lie together: for each
//! kept set, in the order of `Sets::kept`, a block with half a byte for each set of fields on which the other player's
//! pieces can stand, in ascending order. Half a byte is two codes: with the one and with the other to move.

use crate::exercises::alquerque::rules::board::{ALL, Board, Field, Player, SIDE};
use crate::exercises::alquerque::rules::moves::{Black, Mover, Sides, White, try_for_each_move};
use std::cmp::Reverse;
use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::thread;

/// The fields of the leftmost column.
const LEFT_COLUMN: u32 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20;
const FIELDS: usize = Field::COUNT as usize;
/// How many sets of `k` out of `n` fields there are, as `SUBSETS[n][k]`.
const SUBSETS: [[u32; FIELDS + 1]; FIELDS + 1] = subsets();
/// Fields of the lower half of a set.
const LOW_FIELDS: usize = 13;
const LOW_HALF: u32 = (1 << LOW_FIELDS) - 1;
/// Made when they are first needed: a compiler takes longer over them than over all else here.
static RANKS: LazyLock<Ranks> = LazyLock::new(Ranks::new);
/// Bits of a [`Code`].
const CODE_BITS: u32 = 2;
/// The worth of a position, seen by the player who moves up: a loss, a draw or a win.
type Code = u8;
const LOSS: Code = 0;
const DRAW: Code = 1;
const WIN: Code = 2;

/// What a position is worth to the player to move, if both play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither player can.
    Draw,
    /// The player to move can force a win.
    Win,
}

/// The value of every position of up to a number of pieces.
pub struct Tables {
    shape: Shape,
    /// The number of pieces, and then the blocks.
    bytes: Vec<u8>,
}

/// Why bytes are no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTables {
    /// The first byte is not a number of pieces that tables are made for.
    Pieces(Option<u8>),
    /// There are not as many bytes as that number of pieces needs.
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
}

impl Value {
    /// The same, seen by the other player.
    pub const fn reversed(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl Tables {
    /// The number of pieces that the automatic player's tables reach to: 47 MB, built in seconds.
    pub const USUAL: u8 = 8;
    /// The greatest number of pieces that tables are made for: 1.8 GB, built in minutes. Each piece more takes three to
    /// four times as much.
    pub const MOST: u8 = 11;
    /// The version of the layout: bytes that another version made mean something else.
    pub const LAYOUT: u32 = 1;

    /// Works out the tables for up to `pieces` pieces, at least 2 and at most [`Tables::MOST`], on as many `threads`.
    /// `progress` is told now and then which part of the work is done, from 0 to 1.
    pub fn build(pieces: u8, threads: NonZeroUsize, progress: &mut dyn FnMut(f64)) -> Tables {
        let pieces = pieces.clamp(2, Tables::MOST);
        let shape = Shape::new(pieces);
        let mut bytes = vec![0; shape.bytes];
        bytes[0] = pieces;
        for total in 2..=usize::from(pieces) {
            for fewer in 1..=total / 2 {
                fill(&shape, &mut bytes, (total - fewer, fewer), threads, progress);
            }
        }
        Tables { shape, bytes }
    }

    /// The value of a position to the player to move; `None` with more pieces than the tables reach to.
    pub fn value(&self, board: &Board) -> Option<Value> {
        match board.to_move() {
            Player::White => self.find::<White>(board.sides()),
            Player::Black => self.find::<Black>(board.sides()),
        }
    }

    /// The greatest number of pieces for which the tables know the value.
    pub const fn pieces(&self) -> u8 {
        self.shape.pieces
    }

    /// The tables as bytes, for [`Tables::from_bytes`] of the same [`Tables::LAYOUT`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The tables that [`Tables::as_bytes`] gave.
    ///
    /// # Errors
    /// The bytes cannot be tables. Whether they are the right ones is for the caller to know, as by a checksum.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Tables, NoTables> {
        let pieces = bytes.first().copied();
        let Some(pieces) = pieces.filter(|pieces| (2..=Tables::MOST).contains(pieces)) else {
            return Err(NoTables::Pieces(pieces));
        };
        let shape = Shape::new(pieces);
        if bytes.len() != shape.bytes {
            return Err(NoTables::Length { found: bytes.len(), needed: shape.bytes });
        }
        Ok(Tables { shape, bytes })
    }

    /// The value to `M`, who is to move.
    #[inline(always)]
    pub(super) fn find<M: Mover>(&self, sides: Sides) -> Option<Value> {
        if (sides.mine | sides.theirs).count_ones() > u32::from(self.shape.pieces) {
            return None;
        }
        let (up, down) = match M::PLAYER {
            Player::White => (sides.mine, sides.theirs),
            Player::Black => (sides.theirs, sides.mine),
        };
        let value = match code(&self.shape, &self.bytes, up, down, M::PLAYER) {
            LOSS => Value::Loss,
            DRAW => Value::Draw,
            _ => Value::Win,
        };
        Some(match M::PLAYER {
            Player::White => value,
            Player::Black => value.reversed(),
        })
    }
}

/// What the player who moves up gets, as the tables say.
#[inline(always)]
fn code(shape: &Shape, bytes: &[u8], up: u32, down: u32, to_move: Player) -> Code {
    if up == 0 {
        LOSS
    } else if down == 0 {
        WIN
    } else if up.count_ones() < down.count_ones() {
        WIN - code_of_more(shape, bytes, turned(down), turned(up), to_move.opponent())
    } else {
        code_of_more(shape, bytes, up, down, to_move)
    }
}

/// The same, where that player has at least as many pieces.
#[inline(always)]
fn code_of_more(shape: &Shape, bytes: &[u8], up: u32, down: u32, to_move: Player) -> Code {
    let sets = &shape.sets[up.count_ones() as usize];
    let beside = &sets.beside[rank(up)];
    let Group { start, block } = shape.groups[up.count_ones() as usize][down.count_ones() as usize];
    let down = if beside.image { mirrored(down) } else { down };
    let rank = beside.rank(down);
    read(bytes[start + beside.ordinal as usize * block + rank / 2], rank, to_move)
}

/// The code in a byte that holds the place of this rank.
#[inline(always)]
const fn read(byte: u8, rank: usize, to_move: Player) -> Code {
    byte >> (half(rank) + turn(to_move)) & ((1 << CODE_BITS) - 1)
}

/// Works out all positions of so many pieces against so many.
fn fill(
    shape: &Shape,
    bytes: &mut [u8],
    (more, fewer): (usize, usize),
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(f64),
) {
    let Group { start, block } = shape.groups[more][fewer];
    let below: Vec<u32> = sets(FIELDS - more, fewer).collect();
    let mut start = start;
    // A plain move upwards leads to a set of fewer rows, which is done then, one downwards to a later place of the block.
    for level in shape.sets[more].kept.chunk_by(|one, next| rows(*one) == rows(*next)) {
        let end = start + level.len() * block;
        let (done, rest) = bytes.split_at_mut(start);
        let share = level.len().div_ceil(threads.get());
        let shares = level.chunks(share).zip(rest[..end - start].chunks_mut(share * block));
        let work = |(sets, blocks): (&[u32], &mut [u8])| {
            for (up, block) in sets.iter().zip(blocks.chunks_mut(block)) {
                fill_block(shape, done, *up, &below, block);
            }
        };
        if threads.get() == 1 {
            shares.for_each(work);
        } else {
            thread::scope(|scope| shares.for_each(|share| drop(scope.spawn(move || work(share)))));
        }
        start = end;
        progress(start as f64 / shape.bytes as f64);
    }
}

/// Works out the positions with the fields `up` of the player who moves up; `done` holds all that they lead to but what is
/// in the block itself.
fn fill_block(shape: &Shape, done: &[u8], up: u32, below: &[u32], block: &mut [u8]) {
    let beside = &shape.sets[up.count_ones() as usize].beside[rank(up)];
    let free = fields_of(ALL & !up);
    for (rank, packed) in below.iter().enumerate().rev() {
        let down = spread(*packed, &free);
        let mut best_for_up = None;
        let _ = try_for_each_move::<White, ()>(Sides { mine: up, theirs: down }, |step| {
            let code = code(shape, done, up ^ step.between(), down ^ step.captured, Player::Black);
            best_for_up = best_for_up.max(Some(code));
            if code == WIN { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut best_for_down = None;
        let _ = try_for_each_move::<Black, ()>(Sides { mine: down, theirs: up }, |step| {
            let after = down ^ step.between();
            let code = if step.captured == 0 {
                let rank = beside.rank(after);
                read(block[rank / 2], rank, Player::White)
            } else {
                code(shape, done, up ^ step.captured, after, Player::White)
            };
            best_for_down = best_for_down.max(Some(Reverse(code)));
            if code == LOSS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let codes = best_for_up.unwrap_or(DRAW) << turn(Player::White)
            | best_for_down.map_or(DRAW, |Reverse(code)| code) << turn(Player::Black);
        block[rank / 2] |= codes << half(rank);
    }
}

/// Where the positions of up to a number of pieces lie.
struct Shape {
    pieces: u8,
    /// By the number of fields in a set.
    sets: Vec<Sets>,
    /// By the numbers of pieces of the player who has more and of the other.
    groups: [[Group; Tables::MOST as usize]; Tables::MOST as usize],
    /// All bytes, with the one for the number of pieces.
    bytes: usize,
}

/// The sets of a certain number of fields.
#[derive(Default)]
struct Sets {
    /// One of each pair of mirror images: those higher up the board first.
    kept: Vec<u32>,
    /// By rank among all sets of that number: what there is to know of each.
    beside: Vec<Beside>,
}

/// What there is to know of a set, to find the positions in which the other player's pieces stand beside it.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// The place in [`Sets::kept`] of the set or of its image.
    ordinal: u32,
    /// Whether it is the image that is kept.
    image: bool,
    /// By field: the place among the fields outside the set that is kept.
    places: [u8; FIELDS],
}

/// The positions of certain numbers of pieces.
#[derive(Clone, Copy, Default)]
struct Group {
    /// The first byte.
    start: usize,
    /// Bytes for each set of the player who has more.
    block: usize,
}

impl Shape {
    fn new(pieces: u8) -> Shape {
        let most = usize::from(pieces);
        let sets: Vec<Sets> = (0..most).map(Sets::new).collect();
        let mut groups = [[Group::default(); Tables::MOST as usize]; Tables::MOST as usize];
        let mut start = 1;
        for total in 2..=most {
            for fewer in 1..=total / 2 {
                let more = total - fewer;
                let block = SUBSETS[FIELDS - more][fewer].div_ceil(2) as usize;
                groups[more][fewer] = Group { start, block };
                start += block * sets[more].kept.len();
            }
        }
        Shape { pieces, sets, groups, bytes: start }
    }
}

impl Sets {
    fn new(size: usize) -> Sets {
        let mut kept: Vec<u32> = sets(FIELDS, size).filter(|set| *set <= mirrored(*set)).collect();
        kept.sort_by_key(|set| rows(*set));
        let mut beside = vec![Beside::default(); SUBSETS[FIELDS][size] as usize];
        for (ordinal, set) in kept.iter().enumerate() {
            let ordinal = ordinal as u32;
            let mut free = 0;
            let places = std::array::from_fn(|field| {
                let place = free;
                free += u8::from(set & 1 << field == 0);
                place
            });
            beside[rank(mirrored(*set))] = Beside { ordinal, image: true, places };
            beside[rank(*set)] = Beside { ordinal, image: false, places };
        }
        Sets { kept, beside }
    }
}

impl Beside {
    /// The place of `other`, or of its image, among all sets of its size outside this one, ascending.
    #[inline(always)]
    fn rank(&self, mut other: u32) -> usize {
        let (mut rank, mut nth) = (0, 0);
        while other != 0 {
            nth += 1;
            rank += SUBSETS[usize::from(self.places[other.trailing_zeros() as usize])][nth];
            other &= other - 1;
        }
        rank as usize
    }
}

/// The bit of a byte where the place of this rank begins.
#[inline(always)]
const fn half(rank: usize) -> u32 {
    (rank % 2) as u32 * 2 * CODE_BITS
}

/// The bit of a place where the code with `to_move` to move begins.
#[inline(always)]
const fn turn(to_move: Player) -> u32 {
    match to_move {
        Player::White => 0,
        Player::Black => CODE_BITS,
    }
}

/// The sum of the rows on which the fields lie: a plain move upwards makes it one less.
fn rows(set: u32) -> u32 {
    Field::all()
        .filter(|field| field.bit() & set != 0)
        .map(|field| u32::from((field.number() - 1) / SIDE))
        .sum()
}

/// Every set of `size` of the first `fields` fields, ascending.
fn sets(fields: usize, size: usize) -> impl Iterator<Item = u32> {
    let first: u32 = (1 << size) - 1;
    let count = SUBSETS[fields][size] as usize;
    // The next number with as many ones: the lowest run of ones gives its highest to the place above, the others go down.
    let next = |set: &u32| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some((((carried ^ set) >> 2) / lowest.max(1)) | carried)
    };
    std::iter::successors(Some(first), next).take(count)
}

/// The place of a set among all of its size, ascending.
///
/// A rank is a sum over the fields, so that it can be looked up half by half.
#[inline(always)]
fn rank(set: u32) -> usize {
    let (low, high) = (set & LOW_HALF, set >> LOW_FIELDS);
    (RANKS.low[low as usize] + RANKS.high[low.count_ones() as usize][high as usize]) as usize
}

/// What the halves of a set add to its rank.
struct Ranks {
    /// By the set of low fields.
    low: Vec<u32>,
    /// By the number of low fields in a set and the set of high ones.
    high: [Vec<u32>; LOW_FIELDS + 1],
}

impl Ranks {
    fn new() -> Ranks {
        let half = |first_field: usize, fields: usize, before: usize| {
            let mut ranks = vec![0; 1 << fields];
            for set in 1..ranks.len() {
                let nth = before + set.count_ones() as usize;
                let highest = set.ilog2() as usize;
                let own = if nth <= FIELDS { SUBSETS[first_field + highest][nth] } else { 0 };
                ranks[set] = ranks[set ^ (1 << highest)] + own;
            }
            ranks
        };
        Ranks {
            low: half(0, LOW_FIELDS, 0),
            high: std::array::from_fn(|before| half(LOW_FIELDS, FIELDS - LOW_FIELDS, before)),
        }
    }
}

/// The fields of `free` whose places among them are the ones of `packed`.
fn spread(mut packed: u32, free: &[u32; FIELDS]) -> u32 {
    let mut set = 0;
    while packed != 0 {
        set |= free[packed.trailing_zeros() as usize];
        packed &= packed - 1;
    }
    set
}

/// The fields of a set, ascending, each as a mask of its own; empty masks after the last.
fn fields_of(mut set: u32) -> [u32; FIELDS] {
    std::array::from_fn(|_| {
        let field = set & set.wrapping_neg();
        set ^= field;
        field
    })
}

/// The fields turned half round.
#[inline(always)]
const fn turned(set: u32) -> u32 {
    set.reverse_bits() >> (u32::BITS - Field::COUNT as u32)
}

/// The fields with left and right exchanged.
#[inline(always)]
pub(super) const fn mirrored(set: u32) -> u32 {
    let (left, middle_left, middle) = (LEFT_COLUMN, LEFT_COLUMN << 1, LEFT_COLUMN << 2);
    (set & left) << 4 | (set >> 4) & left | (set & middle_left) << 2 | (set >> 2) & middle_left | set & middle
}

const fn subsets() -> [[u32; FIELDS + 1]; FIELDS + 1] {
    let mut table = [[0; FIELDS + 1]; FIELDS + 1];
    let mut n = 0;
    while n <= FIELDS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

impl fmt::Display for NoTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTables::Pieces(None) => f.write_str("endgame tables are not empty"),
            NoTables::Pieces(Some(found)) => {
                write!(f, "no endgame tables are made for {found} pieces, only for 2 to {}", Tables::MOST)
            }
            NoTables::Length { found, needed } => {
                write!(f, "endgame tables of {found} bytes, which should be {needed}")
            }
        }
    }
}

impl Error for NoTables {}

#[cfg(test)]
mod tests {
    use super::{
        ALL, FIELDS, NoTables, SUBSETS, Sets, Tables, fields_of, mirrored, rank, sets, spread, turned,
    };
    use std::num::NonZeroUsize;

    #[test]
    fn ranks_number_the_sets_in_ascending_order() {
        for (size, count) in SUBSETS[FIELDS].into_iter().enumerate().take(5) {
            let all: Vec<u32> = sets(FIELDS, size).collect();
            assert_eq!(all.len(), count as usize);
            assert!(all.is_sorted_by(|a, b| a < b) && all.iter().all(|set| set & !ALL == 0));
            assert!(all.iter().enumerate().all(|(place, set)| rank(*set) == place));
        }
    }

    #[test]
    fn a_set_beside_others_is_spread_and_ranked_back() {
        let others: u32 = 0b1_0110_0000_1000_1000_0011_0001;
        let kept = others.min(mirrored(others));
        let size = kept.count_ones() as usize;
        let known = Sets::new(size);
        for (set, images) in [(kept, false), (mirrored(kept), true)] {
            let beside = &known.beside[rank(set)];
            assert_eq!(beside.image, images);
            for (place, packed) in sets(FIELDS - size, 3).enumerate() {
                let other = spread(packed, &fields_of(ALL & !kept));
                assert_eq!((other & kept, other.count_ones(), beside.rank(other)), (0, 3, place));
            }
        }
    }

    #[test]
    fn turning_and_mirroring_move_fields_as_they_say() {
        let field = |number: u32| 1 << (number - 1);
        for (from, to_turned, to_mirrored) in [(1, 25, 5), (7, 19, 9), (13, 13, 13), (20, 6, 16), (24, 2, 22)]
        {
            assert_eq!((turned(field(from)), mirrored(field(from))), (field(to_turned), field(to_mirrored)));
        }
        assert_eq!((turned(ALL), mirrored(ALL)), (ALL, ALL));
    }

    #[test]
    fn bytes_that_cannot_be_tables_are_refused() {
        let tables = Tables::build(4, NonZeroUsize::MIN, &mut |_| {});
        let bytes = tables.as_bytes();
        assert_eq!(Tables::from_bytes(bytes.to_vec()).map(|tables| tables.pieces()), Ok(4));
        assert_eq!(Tables::from_bytes(vec![]).err(), Some(NoTables::Pieces(None)));
        assert_eq!(Tables::from_bytes(vec![12, 0]).err(), Some(NoTables::Pieces(Some(12))));
        let (found, needed) = (bytes.len() - 1, bytes.len());
        let short = Tables::from_bytes(bytes[..found].to_vec()).err();
        assert_eq!(short, Some(NoTables::Length { found, needed }));
    }

    #[test]
    fn progress_goes_up_to_the_end() {
        let mut seen = Vec::new();
        let tables = Tables::build(5, NonZeroUsize::MIN, &mut |done| seen.push(done));
        assert!(seen.is_sorted() && !seen.is_empty());
        assert!(seen.iter().all(|done| (0.0..=1.0).contains(done)));
        assert_eq!(tables.pieces(), 5);
    }
}
