//! Makes a session that differs as small as it can be.

use super::trials::{Glimpse, Trials};
use crate::case::StepNo;
use crate::exercises::sessions::RandomSession;
use crate::judge::{CaseOutcome, GradeError};
use crate::sessions::Answerer;

/// The most that the replays of smaller sessions may cost together. Counted, not timed, so that the same
/// session always shrinks to the same one while the submission has time.
const MOST_COST: u32 = 4000;

/// The cost of a strict replay; a quick one costs 1.
const STRICT: u32 = 5;

/// The cost of a replay that is ended at a quick limit.
const STOPPED_QUICKLY: u32 = 50;

/// The cost of a replay that is ended at a limit of the case.
const STOPPED: u32 = 1000;

/// The smallest session found that differs as `session` does, if there is a smaller one: looked for quickly,
/// or in strict replays alone. `ends` if the submission is ended in `session`.
pub(super) fn smallest(
    answerer: &mut Answerer<'_>,
    trials: &mut Trials<'_, '_>,
    session: &dyn RandomSession,
    ends: bool,
    pace: Pace,
) -> Result<Option<Box<dyn RandomSession>>, GradeError> {
    let mut shrinking = Shrinking { answerer, trials, left: MOST_COST, pace, ends };
    let mut smallest = None;
    let mut next = shrinking.smaller(session)?;
    while let Some(smaller) = next {
        next = shrinking.smaller(&*smaller)?;
        smallest = Some(smaller);
    }
    Ok(smallest)
}

/// How smaller sessions are replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Quickly where that says enough.
    Quick,
    /// Strictly.
    Strict,
}

struct Shrinking<'s, 'a, 't, 'b> {
    answerer: &'s mut Answerer<'a>,
    trials: &'s mut Trials<'t, 'b>,
    /// The cost that replays may still have.
    left: u32,
    pace: Pace,
    /// Whether a session that ends the submission counts without a look at how.
    ends: bool,
}

impl Shrinking<'_, '_, '_, '_> {
    /// The first simpler session that differs, without the steps after that.
    fn smaller(&mut self, session: &dyn RandomSession) -> Result<Option<Box<dyn RandomSession>>, GradeError> {
        for simpler in session.simpler() {
            if self.left == 0 || self.trials.patience().is_at_an_end() {
                break;
            }
            match self.differs(&*simpler)? {
                Differs::Somewhere => return Ok(Some(simpler)),
                Differs::At(step) => return Ok(Some(simpler.until(step.get()))),
                Differs::Nowhere => {}
            }
        }
        Ok(None)
    }

    /// Where a session differs.
    fn differs(&mut self, session: &dyn RandomSession) -> Result<Differs, GradeError> {
        let Some(case) = self.answerer.case(&session.steps())? else { return Ok(Differs::Nowhere) };
        if self.pace == Pace::Quick && self.trials.is_quick() {
            self.pay(1);
            match self.trials.quickly(&case)? {
                Glimpse::Passed => return Ok(Differs::Nowhere),
                Glimpse::Failed(outcome) => return Ok(Differs::of(&outcome)),
                Glimpse::Stopped => {
                    self.pay(STOPPED_QUICKLY);
                    if self.ends {
                        return Ok(Differs::Somewhere);
                    }
                }
                Glimpse::Unclear | Glimpse::Unfit => {}
            }
        }
        let outcome = self.trials.strictly(&case)?;
        self.pay(if outcome.verdict.is_an_end() { STOPPED } else { STRICT });
        Ok(match Differs::of(&outcome) {
            // A submission that does not load says nothing of the session.
            Differs::Somewhere => Differs::Nowhere,
            differs => differs,
        })
    }

    fn pay(&mut self, cost: u32) {
        self.left = self.left.saturating_sub(cost);
    }
}

/// Where a submission and the reference differ in a session.
enum Differs {
    Nowhere,
    At(StepNo),
    /// At a step that is not known.
    Somewhere,
}

impl Differs {
    fn of(outcome: &CaseOutcome) -> Differs {
        match outcome.finding.as_ref().map(|finding| finding.step) {
            None => Differs::Nowhere,
            Some(None) => Differs::Somewhere,
            Some(Some(step)) => Differs::At(step),
        }
    }
}
