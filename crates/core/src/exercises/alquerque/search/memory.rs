//! The transposition table of a search, of fixed size.
//!
//! An entry keeps the whole position, so that two positions are never confused. Entries are in buckets of one cache
//! line; a full bucket replaces the entry of the lowest rank.

use crate::exercises::alquerque::rules::moves::KEY_BITS;

/// Words of a bucket: a cache line of 64 bytes.
const BUCKET: usize = 8;
const BUCKET_BYTES: usize = BUCKET * size_of::<u64>();
const KEY: u64 = (1 << KEY_BITS) - 1;
/// The highest rank of an entry: the part of a word that the key does not use.
pub(super) const HIGHEST_RANK: u64 = u64::MAX >> KEY_BITS;

/// A table from positions to 64 bits of results.
pub(super) struct Memory {
    /// The buckets, each of pairs of words: the key with the rank above it, and the result.
    words: Vec<u64>,
    /// Words before the first bucket, which align buckets to cache lines.
    skipped: usize,
    buckets: usize,
}

impl Memory {
    /// An empty table of at most `bytes` bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Memory {
        let buckets = (bytes / BUCKET_BYTES).saturating_sub(1).max(1);
        // The system zeroes pages on first use: until then a large table costs nothing.
        let words = vec![0; (buckets + 1) * BUCKET];
        let skipped = words.as_ptr().align_offset(BUCKET_BYTES).min(BUCKET);
        Memory { words, skipped, buckets }
    }

    /// What is remembered of the position with this hash and key.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64, key: u64) -> Option<u64> {
        let start = self.bucket(hash);
        let bucket = &self.words[start..start + BUCKET];
        bucket.chunks_exact(2).find(|entry| entry[0] & KEY == key).map(|entry| entry[1])
    }

    /// Stores `what` for the position with this hash and key, replacing the old entry or that of the lowest rank.
    ///
    /// Ranks start at 1; empty places have 0.
    #[inline(always)]
    pub(super) fn put(&mut self, hash: u64, key: u64, rank: u64, what: u64) {
        debug_assert!((1..=HIGHEST_RANK).contains(&rank) && key != 0 && key & !KEY == 0);
        let start = self.bucket(hash);
        let mut place = start;
        let mut lowest = u64::MAX;
        for entry in (start..start + BUCKET).step_by(2) {
            let word = self.words[entry];
            if word & KEY == key {
                place = entry;
                break;
            }
            if word >> KEY_BITS < lowest {
                lowest = word >> KEY_BITS;
                place = entry;
            }
        }
        self.words[place] = key | rank << KEY_BITS;
        self.words[place + 1] = what;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The first word of the bucket for `hash`, whose upper bits choose it.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> usize {
        let bucket = ((u128::from(hash) * self.buckets as u128) >> u64::BITS) as usize;
        self.skipped + bucket * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn positions_of_one_hash_are_kept_apart() {
        let mut memory = Memory::new(1 << 10);
        memory.put(7, 1, 1, 10);
        memory.put(7, 2, 1, 20);
        assert_eq!((memory.get(7, 1), memory.get(7, 2), memory.get(7, 3)), (Some(10), Some(20), None));
        memory.put(7, 1, 1, 11);
        assert_eq!((memory.get(7, 1), memory.get(7, 2)), (Some(11), Some(20)));
    }

    #[test]
    fn a_full_bucket_gives_up_its_lowest_rank() {
        let mut memory = Memory::new(0);
        for key in 1..=4 {
            memory.put(key << 60, key, 10 - key, key);
        }
        memory.put(0, 5, 1, 5);
        let kept = [1, 2, 3, 4, 5].map(|key| memory.get(0, key).is_some());
        assert_eq!(kept, [true, true, true, false, true]);
        memory.clear();
        assert_eq!(memory.get(0, 1), None);
    }
}
