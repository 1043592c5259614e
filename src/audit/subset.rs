//! A small set of cases that kills as much as all of them.
//!
//! The smallest one is a set cover, which may take forever to find. A greedy choice is about as small.

use std::collections::BTreeMap;

/// The indices, rising, of cases that together kill all mutants which some case kills: at each step the case
/// that kills most of what is left, without those that later ones make superfluous. `killers` are the indices
/// of the cases that kill each mutant. The same input has the same answer: among cases that serve equally,
/// the first.
pub(super) fn greedy_subset(killers: &[Vec<usize>]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<&Vec<usize>> = killers.iter().filter(|row| !row.is_empty()).collect();
    while let Some(best) = kills_most(&left) {
        chosen.push(best);
        left.retain(|row| !row.contains(&best));
    }
    for index in (0..chosen.len()).rev() {
        let others = |row: &Vec<usize>| {
            row.is_empty() || chosen.iter().enumerate().any(|(at, case)| at != index && row.contains(case))
        };
        if killers.iter().all(others) {
            chosen.remove(index);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The first of the cases that kill most of these mutants; `None` if there are no mutants.
fn kills_most(left: &[&Vec<usize>]) -> Option<usize> {
    let mut kills: BTreeMap<usize, usize> = BTreeMap::new();
    for case in left.iter().copied().flatten() {
        *kills.entry(*case).or_default() += 1;
    }
    kills.into_iter().rev().max_by_key(|(_, count)| *count).map(|(case, _)| case)
}

#[cfg(test)]
mod tests {
    use super::greedy_subset;

    #[track_caller]
    fn check(killers: &[&[usize]], expected: &[usize]) {
        let killers: Vec<Vec<usize>> = killers.iter().map(|row| row.to_vec()).collect();
        assert_eq!(greedy_subset(&killers), expected);
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
    fn a_case_that_later_ones_make_superfluous_is_left_out() {
        // Case 0 kills most and is chosen first; then 1 and 2 are needed, and kill everything together.
        check(&[&[0, 1], &[0, 1], &[0, 2], &[0, 2], &[1, 3], &[2, 4]], &[1, 2]);
    }
}
