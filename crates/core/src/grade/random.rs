//! Grades a case of random sessions: it passes if a submission answers each as the reference does.
//!
//! Each session is judged as a case is, quickly if all of them plainly pass, else each in a process of its own until
//! one fails. That decides the verdict. A session that fails is then made shorter, for the finding alone.

use super::pass::{Pass, Strict};
use crate::case::{Case, RandomSessions, SeededCase};
use crate::compare::{Mistake, StopMistake, Verdict};
use crate::event::Finding;
use crate::hunt::{Patience, Trials, session, shortest};
use crate::judge::{CaseOutcome, GradeError, SpentEachTime};
use crate::sandbox::clock::Instant;
use std::time::Duration;

/// The time in which the sessions of a submission are made shorter, all together. A session is shrunk in a counted
/// number of replays, so that this ends it only where a submission is slow.
const SHRINKING: Duration = Duration::from_secs(10);

impl<'p> Pass<'p> {
    /// Replays the sessions of a case.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files.
    pub(super) fn replay_sessions(
        &mut self,
        case: &'p Case,
        random: &'p RandomSessions,
    ) -> Result<Strict, GradeError> {
        let maker = self.session_maker();
        let sessions = maker.cases(case, random, self.checker.launcher())?;
        let cases: Vec<&Case> = sessions.iter().map(|session| &session.case).collect();
        // A hidden case has no quick form.
        if !case.hidden && self.is_quick() && self.try_quickly(&cases)? {
            return Ok(Strict::Outcome(CaseOutcome::passed(), None));
        }
        let mut spent = Duration::ZERO;
        for SeededCase { seed, case: session } in sessions.iter() {
            if self.adapter.is_cancelled() {
                return Ok(Strict::Killed);
            }
            if self.is_over_time() {
                let stop = Mistake::Stop(StopMistake::WallLimit);
                let finding = Finding::before_the_first_step(Verdict::TimeLimit, stop);
                return Ok(Strict::Outcome(CaseOutcome::failed(finding).taking(self.counted.budget()), None));
            }
            let outcome = match self.replay_strictly(session, false)? {
                Strict::Outcome(outcome, _) => outcome,
                other => return Ok(other),
            };
            spent += outcome.spent.longest();
            if outcome.verdict != Verdict::Passed {
                let shown = self.shortest(case, random, *seed, &outcome)?.unwrap_or(outcome);
                let spent = SpentEachTime::new([spent]);
                return Ok(Strict::Outcome(CaseOutcome { spent, consequences: Vec::new(), ..shown }, None));
            }
        }
        Ok(Strict::Outcome(CaseOutcome::passed().taking(spent), None))
    }

    /// The outcome of the shortest session found in the one with this seed, which failed with this outcome.
    fn shortest(
        &mut self,
        case: &Case,
        random: &RandomSessions,
        seed: u64,
        outcome: &CaseOutcome,
    ) -> Result<Option<CaseOutcome>, GradeError> {
        if outcome.finding.as_ref().is_none_or(|finding| finding.step.is_none()) {
            return Ok(None);
        }
        let maker = self.session_maker();
        let exercise = self.counted.exercise();
        let limits = self.counted.given_limits().over(&case.limits);
        let began = Instant::now();
        let mut patience = Patience::new(SHRINKING.saturating_sub(self.shrinking), None);
        let mut trials = Trials::new(&mut self.adapter, exercise, self.found, &limits, true, &mut patience);
        let found = maker.with_answerer(random, self.checker.launcher(), |answerer| {
            let session = session(answerer, random, seed)?;
            shortest(answerer, &mut trials, &session, outcome)
        })?;
        self.shrinking += began.elapsed();
        // A verdict that this process cannot show again stays: it is that of the whole session.
        Ok(found.filter(|found| found.outcome.verdict != Verdict::Passed).map(|found| CaseOutcome {
            hung: outcome.hung.clone(),
            loading: outcome.loading.clone(),
            ..found.outcome
        }))
    }
}
