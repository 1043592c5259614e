//! Choices that make something, and the simpler ones that may make something simpler.
//!
//! What was made of random choices is made smaller by taking some away and lowering others, and making it
//! anew, as Hypothesis does (MacIver and Donaldson, "Test-case reduction via test-case generation", 2020):
//! whatever a maker never makes is never shown. Start at [`Reduction`].

use std::cmp::Reverse;

/// A number is lowered to each one below this.
const FIRST: usize = 6;

/// Any two parts of a list of at most this many are left out together: without one alone, the other player
/// would be to move.
const FEW: usize = 20;

/// A choice. The smallest is the simplest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A number.
    Number(usize),
    /// The choices of a part, which stay together: a change within them does not shift those that follow.
    Part(Vec<Choice>),
}

/// Choices that become simpler, change by change.
pub struct Reduction {
    choices: Vec<Choice>,
    changes: Vec<Change>,
    next: usize,
    /// Whether a change was kept since the first of them was tried.
    improved: bool,
}

impl Reduction {
    /// The reduction of these choices.
    pub fn of(choices: Vec<Choice>) -> Reduction {
        let changes = changes(&choices);
        Reduction { choices, changes, next: 0, improved: false }
    }

    /// The next choices to try; `None` when none of the changes is kept any more.
    pub fn simpler(&mut self) -> Option<Vec<Choice>> {
        if self.next >= self.changes.len() {
            if !std::mem::take(&mut self.improved) {
                return None;
            }
            self.next = 0;
        }
        let change = self.changes.get(self.next)?;
        self.next += 1;
        let mut changed = self.choices.clone();
        change.apply(&mut changed);
        Some(changed)
    }

    /// Goes on from `choices`, which were made of the last ones that were tried.
    pub fn keep(&mut self, choices: Vec<Choice>) {
        self.changes = changes(&choices);
        self.choices = choices;
        // The same change may do again.
        self.next = self.next.saturating_sub(1);
        self.improved = true;
    }
}

/// A change of a list of choices.
struct Change {
    /// The parts in which the list lies, by their places from the outermost on.
    path: Vec<usize>,
    start: usize,
    kind: ChangeKind,
}

enum ChangeKind {
    /// This many choices are left out.
    Without(usize),
    /// A choice and the one so far behind it are left out.
    WithoutTwo(usize),
    /// This many choices are the simplest: numbers are 0, and parts are empty.
    Simplest(usize),
    /// A number is replaced by a smaller one.
    Lower(usize),
}

impl Change {
    fn apply(&self, choices: &mut Vec<Choice>) {
        let mut list = choices;
        for place in &self.path {
            let Some(Choice::Part(inner)) = list.get_mut(*place) else { return };
            list = inner;
        }
        match self.kind {
            ChangeKind::Without(length) => drop(list.drain(self.start..self.start + length)),
            ChangeKind::WithoutTwo(apart) => {
                list.remove(self.start + apart);
                list.remove(self.start);
            }
            ChangeKind::Simplest(length) => {
                list[self.start..self.start + length]
                    .iter_mut()
                    .for_each(|choice| *choice = choice.simplest());
            }
            ChangeKind::Lower(number) => list[self.start] = Choice::Number(number),
        }
    }
}

impl Choice {
    fn simplest(&self) -> Choice {
        match self {
            Choice::Number(_) => Choice::Number(0),
            Choice::Part(_) => Choice::Part(Vec::new()),
        }
    }

    fn is_simplest(&self) -> bool {
        match self {
            Choice::Number(number) => *number == 0,
            Choice::Part(choices) => choices.iter().all(Choice::is_simplest),
        }
    }

    fn is_part(&self) -> bool {
        matches!(self, Choice::Part(_))
    }
}

/// The changes of `choices`: parts are left out, long runs of them first, then made the simplest, and then
/// numbers are lowered one by one.
fn changes(choices: &[Choice]) -> Vec<Change> {
    let mut changes = Vec::new();
    collect(choices, &[], &mut changes);
    changes.sort_by_key(|change: &Change| match change.kind {
        ChangeKind::Without(length) => (0, Reverse(length)),
        ChangeKind::Simplest(length) => (1, Reverse(length)),
        ChangeKind::Lower(_) => (2, Reverse(0)),
        ChangeKind::WithoutTwo(apart) => (3, Reverse(usize::MAX - apart)),
    });
    changes
}

fn collect(list: &[Choice], path: &[usize], changes: &mut Vec<Change>) {
    let at = |start: usize, kind: ChangeKind| Change { path: path.to_vec(), start, kind };
    let mut length = list.len().div_ceil(2);
    while length > 0 {
        for start in (0..=list.len() - length).rev().step_by(length) {
            let run = &list[start..start + length];
            // A number alone is lowered: without it, the next one would be taken for it.
            if run.iter().any(Choice::is_part) {
                changes.push(at(start, ChangeKind::Without(length)));
            }
            if !run.iter().all(Choice::is_simplest) {
                changes.push(at(start, ChangeKind::Simplest(length)));
            }
        }
        length /= 2;
    }
    if list.len() <= FEW && list.iter().all(Choice::is_part) {
        let pairs =
            (2..list.len()).flat_map(|apart| (0..list.len() - apart).map(move |start| (start, apart)));
        changes.extend(pairs.map(|(start, apart)| at(start, ChangeKind::WithoutTwo(apart))));
    }
    for (start, choice) in list.iter().enumerate() {
        match choice {
            Choice::Part(inner) => {
                let path: Vec<usize> = path.iter().copied().chain([start]).collect();
                collect(inner, &path, changes);
            }
            Choice::Number(number) => {
                changes.extend(lower(*number).into_iter().map(|number| at(start, ChangeKind::Lower(number))));
            }
        }
    }
}

/// Numbers from 1 below `number`: the first ones, and those halfway to it, again and again.
fn lower(number: usize) -> Vec<usize> {
    let halves = std::iter::successors(Some(number / 2), |less| Some(less / 2));
    let nearer = halves.take_while(|less| *less > 0).map(|less| number - less);
    let mut lower: Vec<usize> = (1..number.min(FIRST)).chain(nearer).collect();
    lower.sort_unstable();
    lower.dedup();
    lower
}

#[cfg(test)]
mod tests {
    use super::{Choice, Reduction};
    use crate::value::random::Random;

    /// A list of numbers, each in its part, behind a flag that says that there is one.
    fn numbers(random: &mut Random) -> Vec<usize> {
        let mut numbers = Vec::new();
        while random.part(|part| {
            let more = part.below(8) > 0;
            numbers.extend(more.then(|| part.below(1000)));
            more
        }) {}
        numbers
    }

    /// The smallest numbers of which `fails` holds.
    fn smallest(fails: fn(&[usize]) -> bool) -> Vec<usize> {
        let mut random = (0..).map(Random::new).find(|random| fails(&numbers(&mut random.clone()))).unwrap();
        let mut found = numbers(&mut random);
        let mut reduction = Reduction::of(random.choices());
        while let Some(choices) = reduction.simpler() {
            let mut random = Random::again(choices);
            let made = numbers(&mut random);
            if fails(&made) && (made.len(), &made) < (found.len(), &found) {
                reduction.keep(random.choices());
                found = made;
            }
        }
        found
    }

    #[test]
    fn choices_are_left_out_and_lowered_until_nothing_is_simpler() {
        assert_eq!(smallest(|numbers| numbers.len() > 2), [0, 0, 0]);
        assert_eq!(smallest(|numbers| numbers.iter().any(|number| *number > 437)), [438]);
        assert_eq!(smallest(|numbers| numbers.windows(2).any(|pair| pair[0] > pair[1])), [1, 0]);
    }

    #[test]
    fn nothing_is_simpler_than_no_choice() {
        assert_eq!(Reduction::of(Vec::new()).simpler(), None);
        assert_eq!(Reduction::of(vec![Choice::Number(0), Choice::Number(0)]).simpler(), None);
        assert_eq!(Reduction::of(vec![Choice::Number(1)]).simpler(), Some(vec![Choice::Number(0)]));
    }
}
