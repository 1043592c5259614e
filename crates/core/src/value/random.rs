//! Random numbers that are the same in every run: SplitMix64 (Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", 2014).
//!
//! A generator remembers what it chose, so that something made of its choices can be made again from fewer
//! and smaller ones (see [`Choice`]).

use super::choices::Choice;
use std::vec::IntoIter;

/// The step of the state for each number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator whose numbers follow from its seed, or are given.
#[derive(Clone, Debug)]
pub struct Random {
    source: Source,
    made: Vec<Choice>,
}

#[derive(Clone, Debug)]
enum Source {
    /// The state of the generator.
    State(u64),
    /// Choices that were made before, perhaps changed since.
    Choices(IntoIter<Choice>),
}

impl Random {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Random {
        Random { source: Source::State(seed), made: Vec::new() }
    }

    /// The generator that makes these choices, and then only the smallest.
    pub fn again(choices: Vec<Choice>) -> Random {
        Random { source: Source::Choices(choices.into_iter()), made: Vec::new() }
    }

    /// The choices that were made.
    pub fn choices(self) -> Vec<Choice> {
        self.made
    }

    /// The next number of a generator with a seed, which is no choice.
    pub const fn number(&mut self) -> u64 {
        match &mut self.source {
            Source::State(state) => {
                *state = state.wrapping_add(STEP);
                mixed(*state)
            }
            Source::Choices(_) => 0,
        }
    }

    /// The next number below `limit`. `limit` is small, so that the bias of the remainder does not matter.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1);
        let chosen = match &mut self.source {
            Source::State(_) => (self.number() % limit as u64) as usize,
            Source::Choices(rest) => match rest.next() {
                Some(Choice::Number(number)) => number.min(limit - 1),
                Some(Choice::Part(_)) | None => 0,
            },
        };
        self.made.push(Choice::Number(chosen));
        chosen
    }

    /// What `make` makes of choices that belong together.
    pub fn part<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> T {
        let source = match &mut self.source {
            Source::State(state) => Source::State(*state),
            Source::Choices(rest) => Source::Choices(match rest.next() {
                Some(Choice::Part(choices)) => choices.into_iter(),
                Some(Choice::Number(_)) | None => IntoIter::default(),
            }),
        };
        let mut part = Random { source, made: Vec::new() };
        let result = make(&mut part);
        if let Source::State(_) = self.source {
            self.source = part.source;
        }
        self.made.push(Choice::Part(part.made));
        result
    }

    /// Makes a list, part by part: as long as `length` says, or as there are choices for.
    pub fn list(&mut self, length: impl FnOnce(&mut Random) -> usize, mut make: impl FnMut(&mut Random)) {
        self.part(|random| {
            let length = match &random.source {
                Source::State(_) => length(random),
                Source::Choices(rest) => rest.len(),
            };
            random.made.clear();
            (0..length).for_each(|_| random.part(&mut make));
        });
    }

    /// One of `options`, by its number: the same one again where it is still among others, or else the next.
    pub fn one_of<T: Copy>(
        &mut self,
        options: impl IntoIterator<Item = T>,
        number: impl Fn(&T) -> usize,
    ) -> Option<T> {
        let mut options: Vec<T> = options.into_iter().collect();
        options.sort_by_key(&number);
        let index = match &mut self.source {
            Source::State(_) => (self.number() % options.len().max(1) as u64) as usize,
            Source::Choices(rest) => match rest.next() {
                Some(Choice::Number(chosen)) => options
                    .partition_point(|option| number(option) < chosen)
                    .min(options.len().saturating_sub(1)),
                Some(Choice::Part(_)) | None => 0,
            },
        };
        let option = options.get(index).copied();
        self.made.push(Choice::Number(option.as_ref().map_or(0, number)));
        option
    }

    /// Takes one of `items`, the first if it is the simplest choice.
    pub fn take<T>(&mut self, items: &mut Vec<T>) -> Option<T> {
        let index = self.below(items.len());
        (index < items.len()).then(|| items.remove(index))
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
    use super::{Choice, Random};

    #[test]
    fn an_option_is_chosen_again_where_others_are_gone() {
        let choices = || vec![Choice::Number(7)];
        let one_of = |options: &[usize]| Random::again(choices()).one_of(options.to_vec(), |option| *option);
        assert_eq!(one_of(&[3, 5, 7, 9]), Some(7));
        assert_eq!(one_of(&[9, 7]), Some(7));
        assert_eq!(one_of(&[3, 9]), Some(9));
        assert_eq!(one_of(&[3, 5]), Some(5));
        assert_eq!(one_of(&[]), None);
        assert_eq!(Random::again(Vec::new()).one_of([5, 3], |option| *option), Some(3));
    }

    /// The first numbers of the authors' program for the seed 0.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(0);
        assert_eq!([random.number(), random.number()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    fn made(random: &mut Random) -> Vec<usize> {
        let mut numbers = vec![random.below(50)];
        numbers.extend(random.part(|part| [part.below(60), part.below(70)]));
        numbers.push(random.below(80));
        numbers
    }

    #[test]
    fn the_same_choices_make_the_same_again() {
        let mut random = Random::new(3);
        let first = made(&mut random);
        let mut again = Random::again(random.choices());
        assert_eq!(made(&mut again), first);
        // A part that lacks a choice does not shift what follows, and a choice too large is the largest.
        let choices = vec![Choice::Number(99), Choice::Part(vec![Choice::Number(7)]), Choice::Number(8)];
        assert_eq!(made(&mut Random::again(choices)), [49, 7, 0, 8]);
        assert_eq!(made(&mut Random::again(Vec::new())), [0, 0, 0, 0]);
    }

    #[test]
    fn a_list_is_as_long_as_its_choices() {
        let numbers = |random: &mut Random| {
            let mut numbers = Vec::new();
            random.list(|random| 4 + random.below(5), |random| numbers.push(random.below(9)));
            numbers
        };
        let mut random = Random::new(1);
        let first = numbers(&mut random);
        assert!((4..9).contains(&first.len()));
        let choices = random.choices();
        assert_eq!(numbers(&mut Random::again(choices.clone())), first);
        let [Choice::Part(list)] = &choices[..] else { panic!("{choices:?}") };
        let shorter = vec![Choice::Part(list[1..].to_vec())];
        assert_eq!(numbers(&mut Random::again(shorter)), first[1..]);
        assert!(numbers(&mut Random::again(Vec::new())).is_empty());
    }
}
