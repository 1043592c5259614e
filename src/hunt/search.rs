//! Makes sessions until one differs.

use super::counterexample::{Counterexample, Origin};
use super::session_case::{bare, case_of};
use super::trials::{Glimpse, Trials};
use super::{HuntEnd, Hunted, Length, NoSessions, Quest};
use crate::adapter::{Adapter, Dialect, Fault, Hosts};
use crate::case::{Case, Exercise, Plan};
use crate::compare::Verdict;
use crate::event::CaseReport;
use crate::exercises;
use crate::exercises::sessions::{MakeSession, RandomSession, RandomStep};
use crate::grade::{GradeError, Settings, dialect_of, reference_adapter, unloaded};
use crate::languages::{self, Interpreters};
use crate::sandbox::Cancel;
use crate::submission::Submission;
use crate::value::random::Random;
use std::time::Instant;

/// After this many sessions, a process is looked through for traces, and replaced.
const ROUND: usize = 1000;

/// Looks for sessions on which submissions differ from the reference of an exercise.
pub struct Hunter<'a> {
    pub(super) exercise: &'a Exercise,
    make: MakeSession,
    reference: Box<dyn Adapter>,
    dialect: Dialect,
}

/// A session that differs.
pub(super) struct Difference {
    pub(super) session: Box<dyn RandomSession>,
    /// How it differs.
    pub(super) report: CaseReport,
}

/// What a session shows.
enum Shown {
    /// It goes as on the reference.
    Same,
    /// It does not.
    Different(Difference),
    /// The submission cannot be loaded.
    NotLoaded(CaseReport),
    /// What was seen before in the same process does not count.
    Unfit,
}

impl<'a> Hunter<'a> {
    /// Hunts submissions of `exercise`.
    ///
    /// # Errors
    /// There are no random sessions of it.
    pub fn new(exercise: &'a Exercise) -> Result<Hunter<'a>, NoSessions> {
        let none = || NoSessions { exercise: exercise.name.clone() };
        let built_in = exercise.built_in().and_then(exercises::find).ok_or_else(none)?;
        let make = built_in.sessions.ok_or_else(none)?;
        let reference = Box::new(reference_adapter(exercise).map_err(|_| none())?);
        let language = languages::find(exercise.session.language()).ok_or_else(none)?;
        Ok(Hunter { exercise, make, reference, dialect: dialect_of(language) })
    }

    /// Hunts a submission, in processes that `hosts` start. The counterexample is called `name`.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn hunt(
        &mut self,
        hosts: &mut Hosts,
        submission: &Submission,
        (settings, interpreters): (&Settings, &Interpreters),
        quest: &Quest,
        name: &str,
    ) -> Result<Hunted, GradeError> {
        let found = match &submission.found {
            Ok(found) => found,
            Err(problem) => {
                let report = unloaded(&bare(Plan::default()), problem);
                return Ok(Hunted { sessions: 0, end: HuntEnd::NotLoaded(Box::new(report)), runtime: None });
            }
        };
        let cancel = hosts.cancel().clone();
        let mut trials = Trials::new(hosts, self.exercise, found, settings, interpreters)?;
        let (sessions, end) = self.search(&mut trials, quest, name, &cancel)?;
        Ok(Hunted { sessions, end, runtime: trials.runtime() })
    }

    fn search(
        &mut self,
        trials: &mut Trials<'_>,
        quest: &Quest,
        name: &str,
        cancel: &Cancel,
    ) -> Result<(u64, HuntEnd), GradeError> {
        let began = Instant::now();
        let mut numbers = Random::new(quest.seed);
        let mut tried = 0;
        loop {
            // A round is made again if its sessions leave traces, with the same numbers.
            let start = (numbers.clone(), tried);
            let mut again = false;
            for _ in 0..ROUND {
                let over = match quest.length {
                    Length::Sessions(sessions) => tried >= sessions,
                    Length::Time(time) => began.elapsed() >= time,
                };
                if over || cancel.is_cancelled() {
                    if !trials.is_quick() || trials.left_nothing()? {
                        return Ok((tried, HuntEnd::NoDifference));
                    }
                    again = true;
                    break;
                }
                if trials.is_out_of_time() {
                    return Ok((tried, HuntEnd::OutOfTime));
                }
                let number = numbers.number();
                match self.session(trials, (self.make)(&mut Random::new(number)))? {
                    Shown::Same => tried += 1,
                    Shown::NotLoaded(report) => return Ok((tried, HuntEnd::NotLoaded(Box::new(report)))),
                    Shown::Different(difference) => {
                        let origin = Origin { name, session: tried + 1, seed: quest.seed };
                        let found = Counterexample::of(self, trials, &difference, origin)?;
                        return Ok((tried + 1, HuntEnd::Difference(Box::new(found))));
                    }
                    Shown::Unfit => {
                        again = true;
                        break;
                    }
                }
            }
            if again || trials.is_quick() && !trials.left_nothing()? {
                (numbers, tried) = start;
            }
        }
    }

    /// Replays a session: quickly, and strictly if it does not plainly pass.
    fn session(
        &mut self,
        trials: &mut Trials<'_>,
        session: Box<dyn RandomSession>,
    ) -> Result<Shown, GradeError> {
        let Some(case) = self.case(&session.steps())? else { return Ok(Shown::Same) };
        let mut failed = false;
        if trials.is_quick() {
            match trials.quickly(&case)? {
                Glimpse::Passed => return Ok(Shown::Same),
                Glimpse::Failed(_) => failed = true,
                Glimpse::Unclear | Glimpse::Stopped => {}
                Glimpse::Unfit => return Ok(Shown::Unfit),
            }
        }
        let report = trials.strictly(&case)?;
        if report.verdict == Verdict::Passed && failed {
            trials.note_unconfirmed();
        }
        Ok(match differing_step(&report) {
            Some(0) => Shown::NotLoaded(report),
            Some(_) => Shown::Different(Difference { session, report }),
            None => Shown::Same,
        })
    }

    /// The case of these steps; see [`case_of`].
    pub(super) fn case(&mut self, steps: &[RandomStep]) -> Result<Option<Case>, Fault> {
        case_of(self.exercise, steps, self.reference.as_mut(), &self.dialect)
    }
}

/// The step at which a session differs, from 1; 0 before the first one.
pub(super) fn differing_step(report: &CaseReport) -> Option<usize> {
    report.finding.as_ref().map(|finding| finding.step)
}
