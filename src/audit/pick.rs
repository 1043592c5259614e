//! The seeds whose random sessions notice most wrong programs.

use super::error::AuditError;
use super::programs::{Given, Programs, WrongSubmission};
use crate::run::{GradeRequest, Run};
use keur_core::case::{Loaded, Plan, RandomSessions};
use keur_core::sessions::bare;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The seeds that were picked for a case of random sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickedSeeds {
    /// The name of the exercise.
    pub exercise: String,
    /// The seeds, rising.
    pub seeds: Vec<u64>,
    /// The number of sessions that were tried on each wrong program.
    pub tried: u64,
    /// The number of wrong programs, of which equivalent ones and those that break a ruling alone do not count.
    pub programs: usize,
    /// The number of them that the sessions of the seeds notice.
    pub noticed: usize,
    /// The number of them that the sessions that were tried notice.
    pub noticed_by_all: usize,
}

/// The table `[random]` of a case, below what it is worth.
impl fmt::Display for PickedSeeds {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PickedSeeds { exercise, seeds, tried, programs, noticed, noticed_by_all } = self;
        let count = seeds.len();
        writeln!(
            to,
            "# {exercise}: of {programs} wrong programs, {noticed} are noticed with {count} seeds,"
        )?;
        writeln!(to, "# and {noticed_by_all} with the first {tried}.")?;
        writeln!(to, "[random]\nseeds = {seeds:?}")
    }
}

/// Picks `count` seeds of the first `tried`, greedily: each session is the one that notices, for its length, most of the
/// wrong programs that the sessions before it notice least often. `request` says how the programs are run.
///
/// # Errors
/// See [`AuditError`]; or the exercise has no random sessions.
pub fn pick(
    loaded: &Loaded,
    given: Given<'_>,
    mut request: GradeRequest,
    count: usize,
    tried: u64,
) -> Result<PickedSeeds, AuditError> {
    let programs = Programs::of(loaded, given, &request.build.tools, &request.interpreters)?;
    request.exercise = Some(loaded.exercise.name.clone());
    let run = Run::for_exercise(request, Arc::new(loaded.clone())).map_err(AuditError::Request)?;
    let random = RandomSessions::of((1..=tried).collect());
    let sessions = run.sessions(loaded, &bare(Plan::default()), &random).map_err(AuditError::Run)?;
    let mut noticing = Vec::new();
    for WrongSubmission { program, path, .. } in &programs.wrong {
        if program.equivalent.is_none() && !program.ruling {
            noticing.push(run.noticing(path, &sessions).map_err(AuditError::Run)?);
        }
    }
    let steps = sessions.iter().map(|session| (session.seed, session.case.plan.steps.len())).collect();
    let mut seeds = picked(&noticing, &steps, count);
    seeds.sort_unstable();
    let is_noticed = |program: &&Vec<u64>| program.iter().any(|seed| seeds.contains(seed));
    Ok(PickedSeeds {
        exercise: loaded.exercise.name.clone(),
        tried,
        programs: noticing.len(),
        noticed: noticing.iter().filter(is_noticed).count(),
        noticed_by_all: noticing.iter().filter(|program| !program.is_empty()).count(),
        seeds,
    })
}

/// At most `count` seeds, in the order in which they are picked, where `noticing` are the seeds that notice each
/// program and `steps` the length of each one's session. Among seeds that serve equally, the first is taken.
fn picked(noticing: &[Vec<u64>], steps: &BTreeMap<u64, usize>, count: usize) -> Vec<u64> {
    let mut chosen: Vec<u64> = Vec::new();
    while chosen.len() < count {
        let mut worth: BTreeMap<u64, f64> = BTreeMap::new();
        for program in noticing {
            let often = program.iter().filter(|seed| chosen.contains(seed)).count();
            // A program that is noticed again is worth half of what it was before.
            let value = 0.5_f64.powi(i32::try_from(often).unwrap_or(i32::MAX));
            for seed in program.iter().filter(|seed| !chosen.contains(seed)) {
                *worth.entry(*seed).or_default() += value;
            }
        }
        for (seed, worth) in &mut worth {
            *worth /= (STEPS_OF_A_START + steps.get(seed).copied().unwrap_or_default()) as f64;
        }
        let best = worth.into_iter().rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
        let Some((seed, _)) = best else { break };
        chosen.push(seed);
    }
    chosen
}

/// The steps that take as long as the start of a session.
const STEPS_OF_A_START: usize = 10;

#[cfg(test)]
mod tests {
    use super::picked;
    use std::collections::BTreeMap;

    #[test]
    fn the_seeds_that_notice_most_of_what_is_left_are_picked() {
        let noticing = [vec![1, 2], vec![2], vec![2, 3], vec![3], vec![4]];
        let mut steps: BTreeMap<u64, usize> = (1..=4).map(|seed| (seed, 10)).collect();
        assert_eq!(picked(&noticing, &steps, 3), [2, 3, 4]);
        // Nothing new is left, so what is noticed least often is noticed again.
        assert_eq!(picked(&noticing, &steps, 9), [2, 3, 4, 1]);
        assert_eq!(picked(&[], &steps, 3), Vec::<u64>::new());
        // Two short sessions notice more in the same time than a long one.
        steps.insert(2, 60);
        assert_eq!(picked(&noticing, &steps, 3), [3, 1, 4]);
    }
}
