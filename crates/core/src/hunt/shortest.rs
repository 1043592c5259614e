//! The shortest session found in one that differs.

use super::shrink::{Pace, smallest};
use super::trials::Trials;
use crate::case::{Case, StepNo};
use crate::exercises::sessions::RandomStep;
use crate::judge::{CaseOutcome, GradeError};
use crate::sessions::{Answerer, RandomSession};

/// A session that differs in a process of its own.
pub struct Shortest {
    /// The steps.
    pub steps: Vec<RandomStep>,
    /// The case of these steps, with the answers of the reference.
    pub case: Case,
    /// The outcome of the submission.
    pub outcome: CaseOutcome,
}

/// The shortest session found in one that differs with this outcome, itself if there is no shorter one. `None` if
/// no process shows again that it differs: it depends on chance, or there is no time to look again.
///
/// # Errors
/// A failure of keur itself.
pub fn shortest(
    answerer: &mut Answerer<'_>,
    trials: &mut Trials<'_, '_>,
    session: &RandomSession,
    outcome: &CaseOutcome,
) -> Result<Option<Shortest>, GradeError> {
    let ends = outcome.verdict.is_an_end();
    let differing_step = outcome.finding.as_ref().and_then(|finding| finding.step);
    let mut cut = session.clone();
    cut.steps.truncate(differing_step.map_or(1, StepNo::get));
    let paces: &[Pace] = if trials.is_quick() { &[Pace::Quick, Pace::Strict] } else { &[Pace::Strict] };
    for pace in paces {
        if trials.patience().is_at_an_end() {
            break;
        }
        let Some(smallest) = smallest(answerer, trials, cut.clone(), ends, *pace)? else { break };
        // What one process shows, another one must show too.
        if let Some(confirmed) = confirmed(answerer, trials, smallest)? {
            return Ok(Some(confirmed));
        }
    }
    for steps in [cut.steps, session.steps.clone()] {
        if trials.patience().is_at_an_end() {
            break;
        }
        if let Some(whole) = confirmed(answerer, trials, steps)? {
            return Ok(Some(whole));
        }
    }
    Ok(None)
}

/// A session that differs in a process of its own, if it does.
fn confirmed(
    answerer: &mut Answerer<'_>,
    trials: &mut Trials<'_, '_>,
    steps: Vec<RandomStep>,
) -> Result<Option<Shortest>, GradeError> {
    let Some(case) = answerer.case(&steps)? else { return Ok(None) };
    let outcome = trials.strictly_shown(&case)?.filter(|outcome| outcome.finding.is_some());
    Ok(outcome.map(|outcome| Shortest { steps, case, outcome }))
}
