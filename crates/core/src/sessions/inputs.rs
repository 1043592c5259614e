//! The standard input of calls in random sessions.

use super::examples::{Callee, Examples};
use crate::value::random::Random;

impl Examples {
    /// An input for a call: that of a case, or one with a line less, a line twice, or more lines; `None` if the cases
    /// give it none.
    pub(super) fn input(&self, callee: &Callee, random: &mut Random) -> Option<String> {
        let known = self.inputs.get(callee)?;
        let input = known.get(random.below(known.len()))?;
        let mut lines: Vec<&str> = input.lines().collect();
        match random.below(6) {
            3 if lines.len() > 1 => drop(lines.remove(random.below(lines.len()))),
            4 if !lines.is_empty() => {
                let at = random.below(lines.len());
                lines.insert(at, lines[at]);
            }
            5 => lines.splice(0..0, known[random.below(known.len())].lines()).for_each(drop),
            _ => return Some(input.clone()),
        }
        Some(lines.iter().map(|line| format!("{line}\n")).collect())
    }
}
