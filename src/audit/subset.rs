//! The smallest set of cases that kills as much as all of them.
//!
//! That is a set cover. Most cases of an exercise are settled by simple reductions; a bounded search settles the rest,
//! and where it is given up, the best set found so far remains.

/// The most nodes of the search: beyond it, the best set so far is kept.
const MOST_NODES: usize = 20_000;

/// A set of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseSubset {
    /// The indices of its cases, rising.
    pub cases: Vec<usize>,
    /// Whether no smaller set kills as much. Otherwise it is a good set, found greedily.
    pub is_smallest: bool,
}

/// A smallest set of cases that kills all mutants which some case kills. `killers` are the indices of the cases that
/// kill each mutant, rising. The same input has the same answer: among cases that serve equally, the first.
pub(super) fn smallest_subset(killers: &[Vec<usize>]) -> CaseSubset {
    let cases = killers.iter().flatten().max().map_or(0, |last| last + 1);
    let mut rows: Vec<CaseBits> =
        killers.iter().filter(|row| !row.is_empty()).map(|row| CaseBits::of(row)).collect();
    let mut chosen = Vec::new();
    reduce(&mut rows, cases, &mut chosen);
    let mut search = CoverSearch { best: greedy(&rows, cases), nodes: 0, cases };
    search.from(&rows, &mut Vec::new());
    chosen.extend(&search.best);
    chosen.sort_unstable();
    CaseSubset { cases: chosen, is_smallest: search.nodes < MOST_NODES }
}

/// A set of indices.
#[derive(Clone, PartialEq, Eq)]
struct CaseBits(Vec<u64>);

impl CaseBits {
    fn of(indices: &[usize]) -> CaseBits {
        let mut bits = CaseBits(vec![0; indices.iter().max().map_or(0, |last| last / 64 + 1)]);
        for index in indices {
            bits.0[index / 64] |= 1 << (index % 64);
        }
        bits
    }

    fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn remove(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn is_within(&self, other: &CaseBits) -> bool {
        self.0.iter().enumerate().all(|(at, word)| word & !other.0.get(at).unwrap_or(&0) == 0)
    }

    fn meets(&self, other: &CaseBits) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}

/// Removes mutants and cases that no smallest set needs to look at, and chooses cases that each such set has.
fn reduce(rows: &mut Vec<CaseBits>, cases: usize, chosen: &mut Vec<usize>) {
    loop {
        let before: u32 = rows.iter().map(CaseBits::count).sum();
        // A mutant that only one case kills.
        while let Some(case) = rows.iter().find(|row| row.count() == 1).and_then(|row| first(row, cases)) {
            chosen.push(case);
            rows.retain(|row| !row.has(case));
        }
        // Whatever kills this mutant kills that one too.
        let mut index = 0;
        while index < rows.len() {
            let implied = |(at, other): (usize, &CaseBits)| {
                at != index && other.is_within(&rows[index]) && (*other != rows[index] || at < index)
            };
            if rows.iter().enumerate().any(implied) {
                rows.remove(index);
            } else {
                index += 1;
            }
        }
        // Another case kills all that this one kills.
        let columns: Vec<CaseBits> = (0..cases).map(|case| column(rows, case)).collect();
        let mut gone = vec![false; cases];
        for case in (0..cases).rev().filter(|case| columns[*case].count() > 0) {
            gone[case] = (0..cases).any(|other| {
                let better = columns[case] != columns[other] || other < case;
                other != case && !gone[other] && better && columns[case].is_within(&columns[other])
            });
        }
        for case in (0..cases).filter(|case| gone[*case]) {
            rows.iter_mut().for_each(|row| row.remove(case));
        }
        if rows.iter().map(CaseBits::count).sum::<u32>() == before {
            return;
        }
    }
}

/// The first case that kills a mutant.
fn first(row: &CaseBits, cases: usize) -> Option<usize> {
    (0..cases).find(|case| row.has(*case))
}

/// The mutants that a case kills.
fn column(rows: &[CaseBits], case: usize) -> CaseBits {
    let killed: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].has(case)).collect();
    CaseBits::of(&killed)
}

/// A set found by taking the case that kills most of what is left, without those that later ones make superfluous.
fn greedy(rows: &[CaseBits], cases: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<&CaseBits> = rows.iter().collect();
    while !left.is_empty() {
        let kills = |case: &usize| left.iter().filter(|row| row.has(*case)).count();
        // The first of those that kill most.
        let Some(best) = (0..cases).rev().max_by_key(kills) else { break };
        chosen.push(best);
        left.retain(|row| !row.has(best));
    }
    for index in (0..chosen.len()).rev() {
        let others =
            |row: &CaseBits| chosen.iter().enumerate().any(|(at, case)| at != index && row.has(*case));
        if rows.iter().all(others) {
            chosen.remove(index);
        }
    }
    chosen
}

/// A search for a smaller set.
struct CoverSearch {
    best: Vec<usize>,
    nodes: usize,
    cases: usize,
}

impl CoverSearch {
    /// Tries all ways to kill `rows` beside the cases already chosen that may be better than the best.
    fn from(&mut self, rows: &[CaseBits], chosen: &mut Vec<usize>) {
        self.nodes += 1;
        if self.nodes >= MOST_NODES {
            return;
        }
        if rows.is_empty() {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        }
        if chosen.len() + at_least(rows) >= self.best.len() {
            return;
        }
        // Some case must kill the mutant with the fewest killers.
        let Some(hardest) = rows.iter().min_by_key(|row| row.count()) else { return };
        for case in (0..self.cases).filter(|case| hardest.has(*case)) {
            let left: Vec<CaseBits> = rows.iter().filter(|row| !row.has(case)).cloned().collect();
            chosen.push(case);
            self.from(&left, chosen);
            chosen.pop();
        }
    }
}

/// A number of cases that is certainly needed: mutants without a common killer need a case each.
fn at_least(rows: &[CaseBits]) -> usize {
    let mut order: Vec<&CaseBits> = rows.iter().collect();
    order.sort_by_key(|row| row.count());
    let mut apart: Vec<&CaseBits> = Vec::new();
    for row in order {
        if apart.iter().all(|other| !row.meets(other)) {
            apart.push(row);
        }
    }
    apart.len()
}

#[cfg(test)]
mod tests {
    use super::{CaseBits, greedy, smallest_subset};
    use keur_core::value::random::Random;
    use std::collections::BTreeSet;

    #[track_caller]
    fn check(killers: &[&[usize]], expected: &[usize]) {
        let killers: Vec<Vec<usize>> = killers.iter().map(|row| row.to_vec()).collect();
        let found = smallest_subset(&killers);
        assert!(found.is_smallest);
        assert_eq!(found.cases, expected);
    }

    #[test]
    fn a_case_that_alone_kills_a_mutant_is_needed() {
        check(&[&[2], &[0, 2], &[1]], &[1, 2]);
        check(&[], &[]);
        check(&[&[], &[3]], &[3]);
    }

    #[test]
    fn among_cases_that_serve_equally_the_first_is_taken() {
        check(&[&[0, 1, 2], &[0, 1, 2]], &[0]);
    }

    #[test]
    fn a_greedy_choice_is_improved() {
        // Case 0 kills most, and is not needed: 1 and 2 kill everything together.
        let killers: [&[usize]; 6] = [&[0, 1], &[0, 1], &[0, 2], &[0, 2], &[1, 3], &[2, 4]];
        let rows: Vec<CaseBits> = killers.iter().map(|row| CaseBits::of(row)).collect();
        assert!(greedy(&rows, 5).len() >= 2);
        check(&killers, &[1, 2]);
    }

    /// The size of a smallest set, by trying all sets.
    fn by_trying(killers: &[Vec<usize>], cases: usize) -> u32 {
        let kills_all = |set: &u32| {
            killers.iter().all(|row| row.is_empty() || row.iter().any(|case| set >> case & 1 == 1))
        };
        (0..1_u32 << cases).filter(kills_all).map(u32::count_ones).min().unwrap()
    }

    #[test]
    fn it_is_the_smallest_of_all_sets() {
        let mut random = Random::new(17);
        for _ in 0..200 {
            let (cases, mutants) = (3 + random.below(7), 1 + random.below(14));
            let row = |random: &mut Random| {
                let killers: BTreeSet<usize> =
                    (0..1 + random.below(4)).map(|_| random.below(cases)).collect();
                killers.into_iter().collect::<Vec<usize>>()
            };
            let killers: Vec<Vec<usize>> = (0..mutants).map(|_| row(&mut random)).collect();
            let found = smallest_subset(&killers);
            assert!(found.is_smallest);
            assert!(killers.iter().all(|row| row.iter().any(|case| found.cases.contains(case))));
            assert_eq!(found.cases.len() as u32, by_trying(&killers, cases), "{killers:?}");
        }
    }
}
