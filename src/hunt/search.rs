//! Makes sessions until one differs.

use super::counterexample::{Counterexample, Origin};
use super::{HuntEnd, Hunted, Length, Quest};
use keur_core::adapter::{Launcher, Subprocess};
use keur_core::case::{Case, Plan, StepNo};
use keur_core::compare::Verdict;
use keur_core::event::CaseReport;
use keur_core::hunt::{Glimpse, Patience, Trials};
use keur_core::judge::{CaseOutcome, GradeError, Isolation, Settings, source_of, unloaded};
use keur_core::languages::Interpreters;
use keur_core::sessions::{Answerer, RandomSession, bare};
use keur_core::submission::Submission;
use keur_core::value::random::Random;
use keur_sandbox::Cancel;
use std::time::{Duration, Instant};

/// After this many sessions, a process is looked through for traces, and replaced.
const ROUND: usize = 1000;

/// After this many differences that right programs show too, a hunt gives up.
const MOST_UNSETTLED: u64 = 50;

/// The same, of those that they show only once the session is made short, which takes long.
const MOST_UNSETTLED_SHORT: u64 = 12;

/// A session that takes longer may never end, where there is no quick replay to show it.
const LONG: Duration = Duration::from_secs(1);

/// Looks for sessions on which submissions differ from the reference of an exercise.
pub struct Hunter<'a> {
    /// The maker of the sessions, which also answers them.
    pub answerer: Answerer<'a>,
    /// The settings for grading.
    pub settings: &'a Settings,
    /// The interpreters of submissions.
    pub interpreters: &'a Interpreters,
    /// The time that all hunts together may still take.
    pub patience: Patience,
    /// Whether a right program fails a case that was made of a session: then the assignment does not settle it,
    /// and it is no difference.
    pub is_unsettled: &'a dyn Fn(&Case) -> bool,
}

impl Hunter<'_> {
    /// Hunts a submission, in processes that `launcher` starts, until the patience ends. The counterexample
    /// is called `name`.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn hunt(
        &mut self,
        launcher: &mut Launcher,
        submission: &Submission,
        quest: &Quest,
        name: &str,
    ) -> Result<Hunted, GradeError> {
        let found = match &submission.found {
            Ok(found) => found,
            Err(problem) => {
                let report = unloaded(&bare(Plan::default()), &problem.clone().into());
                let end = HuntEnd::NotLoaded(Box::new(report));
                return Ok(Hunted {
                    sessions: 0,
                    end,
                    unreached: Vec::new(),
                    unsettled: 0,
                    endless: 0,
                    runtime: None,
                });
            }
        };
        let cancel = launcher.cancel().clone();
        let mut adapter = Subprocess::new(
            launcher,
            source_of(found, self.interpreters)?,
            self.answerer.exercise,
            &found.bundle,
        );
        let Settings { limits, isolation, .. } = self.settings;
        let is_quick = *isolation != Isolation::Case;
        let (exercise, patience) = (self.answerer.exercise, &mut self.patience);
        let trials = Trials::new(&mut adapter, exercise, found, limits, is_quick, patience);
        let mut search = Search {
            answerer: &mut self.answerer,
            trials,
            quest,
            name,
            cancel,
            is_unsettled: self.is_unsettled,
            made: 0,
            tried: 0,
            unsettled: 0,
            unsettled_short: 0,
        };
        let end = search.run()?;
        let (unreached, endless) = (search.answerer.unreached(), search.answerer.endless());
        let (runtime, unsettled) = (search.trials.runtime(), search.unsettled);
        Ok(Hunted { sessions: search.tried, end, unreached, unsettled, endless, runtime })
    }
}

/// A hunt of one submission.
struct Search<'s, 'a, 'b> {
    answerer: &'s mut Answerer<'a>,
    trials: Trials<'s, 'b>,
    quest: &'s Quest,
    /// The name of the counterexample.
    name: &'s str,
    cancel: Cancel,
    /// The number of sessions that were made, also of those that the reference does not answer.
    made: u64,
    /// The number of sessions that were replayed.
    tried: u64,
    /// Whether a right program fails the case of a session.
    is_unsettled: &'s dyn Fn(&Case) -> bool,
    /// The number of sessions that right programs too answer otherwise.
    unsettled: u64,
    /// The number of those of which only the short session was such.
    unsettled_short: u64,
}

/// The result of a round of sessions.
enum Round {
    /// The hunt is over.
    Ended(HuntEnd),
    /// No session differs.
    Same,
    /// The sessions do not count: one left traces in the process of the others.
    Void,
}

/// The result of a session.
enum Difference {
    /// The submission answers as the reference does.
    Same,
    /// The reference answers nothing in it that can be compared.
    NothingToCompare,
    /// The submission answers otherwise: the session, and the outcome of its case.
    Different(RandomSession, CaseOutcome),
    /// The submission cannot be loaded.
    NotLoaded(CaseReport),
    /// The time was over before the session ended.
    Unfinished,
    /// The same, in a session that may never end.
    CutOff,
    /// The session does not count: a quick replay in this process says nothing of it.
    Unfit,
}

impl Search<'_, '_, '_> {
    fn run(&mut self) -> Result<HuntEnd, GradeError> {
        let mut numbers = Random::new(self.quest.seed);
        loop {
            let (first, made, tried) = (numbers.clone(), self.made, self.tried);
            match self.round(&mut numbers)? {
                Round::Ended(end) => return Ok(end),
                Round::Same => {}
                // Traces end quick replays, so the same sessions are now replayed otherwise.
                Round::Void => (numbers, self.made, self.tried) = (first, made, tried),
            }
        }
    }

    /// Tries sessions until one differs, the hunt is over, or the process is to be replaced.
    fn round(&mut self, numbers: &mut Random) -> Result<Round, GradeError> {
        for _ in 0..ROUND {
            if self.is_over() {
                let is_clean = self.trials.left_nothing()?;
                return Ok(if is_clean { Round::Ended(HuntEnd::NoDifference) } else { Round::Void });
            }
            if self.trials.patience().is_used_up() {
                return Ok(Round::Ended(HuntEnd::OutOfTime));
            }
            let session = self.answerer.session(Random::new(numbers.number()))?;
            self.made += 1;
            match self.session(session)? {
                Difference::Same => self.tried += 1,
                Difference::NothingToCompare => {}
                Difference::NotLoaded(report) => {
                    return Ok(Round::Ended(HuntEnd::NotLoaded(Box::new(report))));
                }
                Difference::Different(session, outcome) => {
                    self.tried += 1;
                    if let Some(found) = self.counterexample(session, &outcome)? {
                        return Ok(Round::Ended(HuntEnd::Difference(Box::new(found))));
                    }
                }
                Difference::CutOff => return Ok(Round::Ended(HuntEnd::CutOff)),
                Difference::Unfinished => {}
                Difference::Unfit => return Ok(Round::Void),
            }
        }
        Ok(if self.trials.left_nothing()? { Round::Same } else { Round::Void })
    }

    /// The shortest counterexample in a session that differs; `None` if right programs differ there too.
    fn counterexample(
        &mut self,
        session: RandomSession,
        outcome: &CaseOutcome,
    ) -> Result<Option<Counterexample>, GradeError> {
        let differing = outcome.finding.as_ref().and_then(|finding| finding.step);
        let until = &session.steps[..differing.map_or(session.steps.len(), StepNo::get)];
        if self.answerer.case(until)?.is_some_and(|case| (self.is_unsettled)(&case)) {
            self.unsettled += 1;
            return Ok(None);
        }
        let origin = Origin { name: self.name, session: self.made, seed: self.quest.seed };
        let found = Counterexample::of(self.answerer, &mut self.trials, session, outcome, origin)?;
        if (self.is_unsettled)(&found.case) {
            self.unsettled += 1;
            self.unsettled_short += 1;
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// Whether there were as many sessions as were asked for, the time for them has passed, or too many of them are
    /// unsettled.
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled()
            || self.unsettled >= MOST_UNSETTLED
            || self.unsettled_short >= MOST_UNSETTLED_SHORT
            || match self.quest.length {
                Length::Sessions(sessions) => self.made >= sessions,
                Length::Time(_) => self.trials.patience().is_over(),
            }
    }

    /// Replays a session: quickly, and strictly if it does not plainly pass.
    fn session(&mut self, session: RandomSession) -> Result<Difference, GradeError> {
        let Some(case) = self.answerer.case(&session.steps)? else {
            return Ok(Difference::NothingToCompare);
        };
        let began = Instant::now();
        let (mut failed, mut is_slow) = (false, false);
        if self.trials.is_quick() {
            match self.trials.quickly(&case)? {
                Glimpse::Passed => return Ok(Difference::Same),
                Glimpse::Failed(_) => failed = true,
                Glimpse::Stopped => is_slow = true,
                Glimpse::Unclear => {}
                Glimpse::Unfit => return Ok(Difference::Unfit),
            }
        }
        let Some(outcome) = self.trials.strictly(&case)? else {
            let is_slow = is_slow || !self.trials.is_quick() && began.elapsed() > LONG;
            return Ok(if is_slow { Difference::CutOff } else { Difference::Unfinished });
        };
        if outcome.verdict == Verdict::Passed && failed {
            self.trials.note_unconfirmed();
        }
        Ok(match &outcome.finding {
            Some(finding) if finding.step.is_none() => Difference::NotLoaded(outcome.report(&case)),
            Some(_) => Difference::Different(session, outcome),
            None => Difference::Same,
        })
    }
}
