//! Pairs what is expected with what came.

/// The most pairs of items for which partners are exchanged: that takes a multiple of their number.
const MOST_EXCHANGED: usize = 1 << 20;

/// For each of `expected` items the first of those that came, and are left, that is the `same`.
pub(super) fn greedy(
    expected: usize,
    came: usize,
    same: &dyn Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..came).collect();
    let mut partner = |item| {
        let index = left.iter().position(|other| same(item, *other))?;
        Some(left.remove(index))
    };
    (0..expected).map(&mut partner).collect()
}

/// For each of `expected` items the one that it is paired with, so that as many as possible are paired. Each
/// pair is the `same`.
pub(super) fn pairing(
    expected: usize,
    came: usize,
    same: &dyn Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut partners = greedy(expected, came, same);
    let mut owners: Vec<Option<usize>> = vec![None; came];
    for (item, partner) in partners.iter().enumerate() {
        if let Some(other) = partner {
            owners[*other] = Some(item);
        }
    }
    if expected.saturating_mul(came) > MOST_EXCHANGED {
        return partners;
    }
    // Where near is not the same as equal, the first that fits may be needed by another one.
    for item in 0..expected {
        if partners[item].is_none() && owners.contains(&None) {
            augment(item, &mut partners, &mut owners, same);
        }
    }
    partners
}

/// Pairs `item` by giving others another partner, if that is possible.
fn augment(
    item: usize,
    partners: &mut [Option<usize>],
    owners: &mut [Option<usize>],
    same: &dyn Fn(usize, usize) -> bool,
) {
    // The item from which each of those that came was reached.
    let mut from: Vec<Option<usize>> = vec![None; owners.len()];
    let mut next = vec![item];
    while let Some(one) = next.pop() {
        for other in 0..owners.len() {
            if from[other].is_some() || !same(one, other) {
                continue;
            }
            from[other] = Some(one);
            match owners[other] {
                Some(owner) => next.push(owner),
                None => {
                    let mut free = Some(other);
                    while let Some(other) = free {
                        let Some(owner) = from[other] else { return };
                        free = partners[owner].replace(other);
                        owners[other] = Some(owner);
                    }
                    return;
                }
            }
        }
    }
}

/// For each of `expected` items in a row the item in its place: all in turn if there are as many, else those
/// that are the `same` from either end.
pub(super) fn in_line(
    expected: usize,
    came: usize,
    same: &dyn Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    if expected == came {
        return (0..expected).map(Some).collect();
    }
    let most = expected.min(came);
    let first = (0..most).take_while(|index| same(*index, *index)).count();
    let last = (1..=most - first).take_while(|back| same(expected - back, came - back)).count();
    let partner = |index: usize| {
        if index < first {
            Some(index)
        } else if index >= expected - last {
            Some(came + index - expected)
        } else {
            None
        }
    };
    (0..expected).map(partner).collect()
}

#[cfg(test)]
mod tests {
    use super::{in_line, pairing};

    #[test]
    fn as_many_as_possible_are_paired() {
        let near = |expected: &'static [f64], came: &'static [f64]| {
            let same = |one: usize, other: usize| (expected[one] - came[other]).abs() <= 0.5;
            pairing(expected.len(), came.len(), &same)
        };
        // The first fits both; the second only the one that the first would take.
        assert_eq!(near(&[1.5, 1.0], &[1.2, 1.8]), [Some(1), Some(0)]);
        assert_eq!(near(&[1.0, 2.0, 3.0], &[3.0, 1.0]), [Some(1), None, Some(0)]);
        assert_eq!(near(&[2.0, 1.5, 0.9], &[1.5, 1.2, 2.4]), [Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn items_in_a_row_are_paired_from_either_end() {
        let same = |one: usize, other: usize| b"abcde"[one] == b"abxxde"[other];
        assert_eq!(in_line(5, 6, &same), [Some(0), Some(1), None, Some(4), Some(5)]);
        assert_eq!(in_line(2, 2, &|_, _| false), [Some(0), Some(1)]);
    }
}
