//! Endgame tables: the value of every position with few pieces under perfect play.
//!
//! One pass is enough, since no position repeats: a capture leads to fewer pieces, which are done before, and a plain
//! move brings one player's pieces higher up or the other's lower down.
//!
//! # The layout
//! The board rotated by 180 degrees with the colours exchanged is the same game, so only positions in which the
//! player who moves up has at least as many pieces are kept. So is the mirror image, so only one of each pair of
//! mirrored sets of that player's fields is kept. Positions with the same numbers of pieces are stored together: for
//! each kept set, in the order of `Sets::kept`, a block with half a byte for each set of fields that the other
//! player's pieces can occupy, in ascending order. Half a byte is two codes: one for each player to move.

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
/// The number of sets of `k` out of `n` fields, as `SUBSETS[n][k]`.
const SUBSETS: [[u32; FIELDS + 1]; FIELDS + 1] = subsets();
/// Fields of the lower half of a set.
const LOW_FIELDS: usize = 13;
const LOW_HALF: u32 = (1 << LOW_FIELDS) - 1;
/// Made on first use: at compile time they would take longer than everything else here.
static RANKS: LazyLock<Ranks> = LazyLock::new(Ranks::new);
/// Bits of a [`ValueCode`].
const CODE_BITS: u32 = 2;
/// The value of a position for the player who moves up: a loss, a draw or a win.
type ValueCode = u8;
const LOSS: ValueCode = 0;
const DRAW: ValueCode = 1;
const WIN: ValueCode = 2;

/// The value of a position to the player to move, if both play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worth {
    /// The opponent can force a win.
    Loss,
    /// Neither player can.
    Draw,
    /// The player to move can force a win.
    Win,
}

/// The value of every position of up to a number of pieces.
pub struct Tables {
    shape: Layout,
    /// The number of pieces, then the blocks.
    bytes: Vec<u8>,
}

/// Why bytes are not tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTables {
    /// The first byte is not a supported number of pieces.
    Pieces(Option<u8>),
    /// The length does not match the number of pieces.
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
}

impl Worth {
    /// The same, seen by the other player.
    pub const fn reversed(self) -> Worth {
        match self {
            Worth::Loss => Worth::Win,
            Worth::Draw => Worth::Draw,
            Worth::Win => Worth::Loss,
        }
    }
}

impl Tables {
    /// The number of pieces in the automatic player's tables: 47 MB, built in seconds.
    pub const USUAL: u8 = 8;
    /// The greatest supported number of pieces: 1.8 GB, built in minutes.
    ///
    /// Each further piece takes three to four times as much.
    pub const MOST: u8 = 11;
    /// The version of the layout: bytes of another version have another meaning.
    pub const LAYOUT: u32 = 1;

    /// Builds the tables for up to `pieces` pieces on as many `threads`.
    ///
    /// `pieces` is at least 2 and at most [`Tables::MOST`]. `progress` gets the completed fraction now and then, from
    /// 0 to 1.
    pub fn build(pieces: u8, threads: NonZeroUsize, progress: &mut dyn FnMut(f64)) -> Tables {
        let pieces = pieces.clamp(2, Tables::MOST);
        let shape = Layout::new(pieces);
        let mut bytes = vec![0; shape.bytes];
        bytes[0] = pieces;
        for total in 2..=usize::from(pieces) {
            for fewer in 1..=total / 2 {
                fill(&shape, &mut bytes, (total - fewer, fewer), threads, progress);
            }
        }
        Tables { shape, bytes }
    }

    /// The value of a position to the player to move; `None` if it has more pieces than the tables cover.
    pub fn value(&self, board: &Board) -> Option<Worth> {
        match board.to_move() {
            Player::White => self.find::<White>(board.sides()),
            Player::Black => self.find::<Black>(board.sides()),
        }
    }

    /// The greatest number of pieces that the tables cover.
    pub const fn pieces(&self) -> u8 {
        self.shape.pieces
    }

    /// The tables as bytes, for [`Tables::from_bytes`] of the same [`Tables::LAYOUT`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The tables from the bytes of [`Tables::as_bytes`].
    ///
    /// # Errors
    /// The bytes cannot be tables. The caller must check that they are the right ones, as by a checksum.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Tables, NoTables> {
        let pieces = bytes.first().copied();
        let Some(pieces) = pieces.filter(|pieces| (2..=Tables::MOST).contains(pieces)) else {
            return Err(NoTables::Pieces(pieces));
        };
        let shape = Layout::new(pieces);
        if bytes.len() != shape.bytes {
            return Err(NoTables::Length { found: bytes.len(), needed: shape.bytes });
        }
        Ok(Tables { shape, bytes })
    }

    /// The value to `M`, who is to move.
    #[inline(always)]
    pub(super) fn find<M: Mover>(&self, sides: Sides) -> Option<Worth> {
        if (sides.mine | sides.theirs).count_ones() > u32::from(self.shape.pieces) {
            return None;
        }
        let (up, down) = match M::PLAYER {
            Player::White => (sides.mine, sides.theirs),
            Player::Black => (sides.theirs, sides.mine),
        };
        let value = match code(&self.shape, &self.bytes, up, down, M::PLAYER) {
            LOSS => Worth::Loss,
            DRAW => Worth::Draw,
            _ => Worth::Win,
        };
        Some(match M::PLAYER {
            Player::White => value,
            Player::Black => value.reversed(),
        })
    }
}

/// The code for the player who moves up.
#[inline(always)]
fn code(shape: &Layout, bytes: &[u8], up: u32, down: u32, to_move: Player) -> ValueCode {
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

/// The same, if that player has at least as many pieces.
#[inline(always)]
fn code_of_more(shape: &Layout, bytes: &[u8], up: u32, down: u32, to_move: Player) -> ValueCode {
    let sets = &shape.sets[up.count_ones() as usize];
    let beside = &sets.beside[rank(up)];
    let PieceGroup { start, block } = shape.groups[up.count_ones() as usize][down.count_ones() as usize];
    let down = if beside.image { mirrored(down) } else { down };
    let rank = beside.rank(down);
    read(bytes[start + beside.ordinal as usize * block + rank / 2], rank, to_move)
}

/// The code in a byte that holds the entry of this rank.
#[inline(always)]
const fn read(byte: u8, rank: usize, to_move: Player) -> ValueCode {
    byte >> (half(rank) + turn(to_move)) & ((1 << CODE_BITS) - 1)
}

/// Computes all positions with these numbers of pieces.
fn fill(
    shape: &Layout,
    bytes: &mut [u8],
    (more, fewer): (usize, usize),
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(f64),
) {
    let PieceGroup { start, block } = shape.groups[more][fewer];
    let below: Vec<u32> = sets(FIELDS - more, fewer).collect();
    let mut start = start;
    // A plain move upwards leads to a set with a smaller sum of rows, already done; one downwards to a later place in
    // the block.
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

/// Computes the positions with the fields `up` of the player who moves up.
///
/// `done` holds all positions that they lead to, except those in the block itself.
fn fill_block(shape: &Layout, done: &[u8], up: u32, below: &[u32], block: &mut [u8]) {
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

/// The layout of the positions of up to a number of pieces.
struct Layout {
    pieces: u8,
    /// By the number of fields in a set.
    sets: Vec<Sets>,
    /// By the numbers of pieces of the player with more and of the other.
    groups: [[PieceGroup; Tables::MOST as usize]; Tables::MOST as usize],
    /// The total number of bytes, with the one for the number of pieces.
    bytes: usize,
}

/// The sets of a certain number of fields.
#[derive(Default)]
struct Sets {
    /// One of each pair of mirror images: the one higher up the board first.
    kept: Vec<u32>,
    /// By rank among all sets of that number: the data of each.
    beside: Vec<Beside>,
}

/// The data of a set, to find the positions of the other player's pieces beside it.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// The index in [`Sets::kept`] of the set or of its image.
    ordinal: u32,
    /// Whether the image is kept.
    image: bool,
    /// By field: the index among the fields outside the kept set.
    places: [u8; FIELDS],
}

/// The positions with certain numbers of pieces.
#[derive(Clone, Copy, Default)]
struct PieceGroup {
    /// The first byte.
    start: usize,
    /// Bytes for each set of the player with more pieces.
    block: usize,
}

impl Layout {
    fn new(pieces: u8) -> Layout {
        let most = usize::from(pieces);
        let sets: Vec<Sets> = (0..most).map(Sets::new).collect();
        let mut groups = [[PieceGroup::default(); Tables::MOST as usize]; Tables::MOST as usize];
        let mut start = 1;
        for total in 2..=most {
            for fewer in 1..=total / 2 {
                let more = total - fewer;
                let block = SUBSETS[FIELDS - more][fewer].div_ceil(2) as usize;
                groups[more][fewer] = PieceGroup { start, block };
                start += block * sets[more].kept.len();
            }
        }
        Layout { pieces, sets, groups, bytes: start }
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
    /// The index of `other`, or of its image, among all sets of its size outside this one, ascending.
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

/// The bit of a byte at which the entry of this rank begins.
#[inline(always)]
const fn half(rank: usize) -> u32 {
    (rank % 2) as u32 * 2 * CODE_BITS
}

/// The bit of an entry at which the code with `to_move` to move begins.
#[inline(always)]
const fn turn(to_move: Player) -> u32 {
    match to_move {
        Player::White => 0,
        Player::Black => CODE_BITS,
    }
}

/// The sum of the rows of the fields: a plain move upwards reduces it by one.
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
    // The next number with as many ones: the lowest run of ones moves its highest up, the others go down.
    let next = |set: &u32| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some((((carried ^ set) >> 2) / lowest.max(1)) | carried)
    };
    std::iter::successors(Some(first), next).take(count)
}

/// The index of a set among all of its size, ascending.
///
/// A rank is a sum over the fields, so that each half can be looked up separately.
#[inline(always)]
fn rank(set: u32) -> usize {
    let (low, high) = (set & LOW_HALF, set >> LOW_FIELDS);
    (RANKS.low[low as usize] + RANKS.high[low.count_ones() as usize][high as usize]) as usize
}

/// What each half of a set adds to its rank.
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

/// The fields of `free` whose indices among them are the ones of `packed`.
fn spread(mut packed: u32, free: &[u32; FIELDS]) -> u32 {
    let mut set = 0;
    while packed != 0 {
        set |= free[packed.trailing_zeros() as usize];
        packed &= packed - 1;
    }
    set
}

/// The fields of a set, ascending, each as a mask; empty masks after the last.
fn fields_of(mut set: u32) -> [u32; FIELDS] {
    std::array::from_fn(|_| {
        let field = set & set.wrapping_neg();
        set ^= field;
        field
    })
}

/// The fields rotated by 180 degrees.
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
