//! Random numbers that are the same in every run: SplitMix64 (Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", 2014).

/// The step of the state for each number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator whose numbers follow from its seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }

    /// The next number below `limit`. `limit` is small, so that the bias of the remainder does not matter.
    pub const fn below(&mut self, limit: usize) -> usize {
        (self.number() % if limit == 0 { 1 } else { limit as u64 }) as usize
    }

    /// Puts `items` in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

const fn mixed(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the authors' program for the seed 0.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(0);
        assert_eq!([random.number(), random.number()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }
}
