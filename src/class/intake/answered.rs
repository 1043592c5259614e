//! Finds the exercise that the submissions of a class answer, where nobody names it.

use crate::class::data::Taken;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most students that a message names.
const MOST_NAMED: usize = 5;

/// The exercise that all of these submissions answer; `None` if none can be read as an answer to one.
///
/// # Errors
/// The submissions answer several exercises, each with its own points: a message with the numbers and the remedy.
pub(super) fn the_only<'t>(latest: impl Iterator<Item = &'t Taken>) -> Result<Option<String>, String> {
    let mut answered: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for taken in latest {
        if let Some(exercise) = &taken.exercise {
            answered.entry(exercise).or_default().push(&taken.student);
        }
    }
    let mut answered: Vec<(&str, Vec<&str>)> = answered.into_iter().collect();
    answered.sort_by_key(|(_, students)| Reverse(students.len()));
    match answered.as_slice() {
        [] => Ok(None),
        [(only, _)] => Ok(Some((*only).to_owned())),
        [(most, students), others @ ..] => {
            let others: Vec<String> =
                others.iter().map(|(name, students)| described(name, students)).collect();
            let count = students.len();
            Err(format!(
                "the submissions answer several exercises: {most} ({count}), {}; nothing is taken in. Name the exercise {most}, or \
                 `any` if each may answer another one (for a class that exists, as `exercise` in class.toml)",
                others.join(", ")
            ))
        }
    }
}

/// An exercise that few answer, with their names.
fn described(exercise: &str, students: &[&str]) -> String {
    let more = students.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = students.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    format!("{exercise} ({}: {named}{more})", students.len())
}
