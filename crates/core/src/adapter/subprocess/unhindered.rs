//! Replays a plan again where the machine or somebody else kept the submission from its answers.

use super::{NotStarted, Replayed, Subprocess, Timing};
use crate::adapter::{BY_OTHERS, Fault, Guide, NoGuide};
use crate::case::Plan;
use crate::sandbox::Limits;

/// A replay with the guide of its matches.
pub(crate) struct GuidedReplay<G> {
    /// The replay.
    pub replayed: Replayed,
    /// The guide.
    pub guide: G,
}

/// The replays of a plan: one, or two if the first was interrupted.
pub(crate) struct Replays<G> {
    /// The last one, which counts.
    pub last: GuidedReplay<G>,
    /// The one before it, which was interrupted.
    pub interrupted: Option<GuidedReplay<G>>,
    /// Whether somebody else ended or stopped the process of the last one too.
    pub stopped_by_others: bool,
}

impl<G> Replays<G> {
    /// The timing of both replays together.
    pub(crate) fn timing(&self) -> Timing {
        let mut timing = self.last.replayed.timing;
        if let Some(interrupted) = &self.interrupted {
            timing += interrupted.replayed.timing;
        }
        timing
    }
}

impl<'a> Subprocess<'a> {
    /// Allows at most `most` second replays, over all plans, because the machine stalled. Without this, each
    /// plan has one.
    pub(crate) fn retrying_stalls(self, most: u32) -> Subprocess<'a> {
        Subprocess { stall_retries: most, ..self }
    }

    /// Replays a plan, and a second time if the machine stalled, or if somebody else ended or stopped the
    /// process. The second replay has `another` guide.
    ///
    /// # Errors
    /// See [`Subprocess::replay`].
    pub(crate) fn replay_with_retry<G: Guide>(
        &mut self,
        plan: &Plan,
        limits: &Limits,
        guide: G,
        another: impl FnOnce() -> Result<G, Fault>,
    ) -> Result<Replays<G>, NotStarted> {
        let first = self.guided_replay(plan, limits, guide)?;
        let is_stalled = first.replayed.timing.stalled && self.stall_retries > 0;
        // A program that is not confined may have stopped itself, which counts as a stall.
        let is_stopped =
            first.replayed.stopped_by_others() && (self.is_confined() || !first.replayed.timing.stalled);
        if is_stalled && !is_stopped {
            self.stall_retries -= 1;
        }
        let (last, interrupted) = if is_stalled || is_stopped {
            (self.guided_replay(plan, limits, another()?)?, Some(first))
        } else {
            (first, None)
        };
        // A program that is not confined may have done it itself.
        let stopped_by_others = last.replayed.stopped_by_others() && self.is_confined();
        Ok(Replays { last, interrupted, stopped_by_others })
    }

    fn guided_replay<G: Guide>(
        &mut self,
        plan: &Plan,
        limits: &Limits,
        mut guide: G,
    ) -> Result<GuidedReplay<G>, NotStarted> {
        Ok(GuidedReplay { replayed: self.replay(plan, limits, &mut guide)?, guide })
    }

    /// Replays a plan without matches, and a second time if it was interrupted.
    ///
    /// # Errors
    /// See [`Subprocess::replay`]; or somebody else ended or stopped the process twice.
    pub fn replay_unhindered(&mut self, plan: &Plan, limits: &Limits) -> Result<Replayed, NotStarted> {
        let replays = self.replay_with_retry(plan, limits, NoGuide, || Ok(NoGuide))?;
        if replays.stopped_by_others {
            return Err(Fault::new(format!("a process that answers was {BY_OTHERS}")).into());
        }
        Ok(replays.last.replayed)
    }
}
