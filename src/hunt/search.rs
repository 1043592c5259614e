//! Makes sessions until one differs.

use super::counterexample::{Counterexample, Origin};
use super::trials::{Glimpse, Trials};
use super::{HuntEnd, Hunted, Length, NoSessions, Patience, Quest};
use keur_core::adapter::{Bundle, Launcher, Subprocess};
use keur_core::case::{Exercise, Loaded, Plan};
use keur_core::compare::Verdict;
use keur_core::event::CaseReport;
use keur_core::exercises::sessions::RandomSession;
use keur_core::grade::{GradeError, Settings, unloaded};
use keur_core::languages::{Interpreters, Language};
use keur_core::sessions::Answerer;
use keur_core::sessions::bare;
use keur_core::submission::Submission;
use keur_core::value::random::Random;
use keur_sandbox::Cancel;
use std::path::Path;

/// After this many sessions, a process is looked through for traces, and replaced.
const ROUND: usize = 1000;

/// Looks for sessions on which submissions differ from the reference of an exercise.
pub struct Hunter<'a> {
    answerer: Answerer<'a>,
}

/// The result of a session.
enum Difference {
    /// The submission answers as the reference does.
    Same,
    /// The submission answers otherwise: the session, and the report of how.
    Different(Box<dyn RandomSession>, CaseReport),
    /// The submission cannot be loaded.
    NotLoaded(CaseReport),
    /// The session does not count: a quick replay in this process says nothing of it.
    Unfit,
}

impl<'a> Hunter<'a> {
    /// Hunts submissions of `exercise`.
    ///
    /// # Errors
    /// There are no random sessions of it.
    pub fn new(exercise: &'a Exercise) -> Result<Hunter<'a>, NoSessions> {
        Answerer::built_in(exercise).map(|answerer| Hunter { answerer })
    }

    /// Hunts submissions of an exercise with a reference of its own at a path, in sessions like its cases.
    /// `reference` are the processes of the reference, in `language`, with the files of `bundle`.
    ///
    /// # Errors
    /// The cases call nothing.
    pub fn of_own(
        loaded: &'a Loaded,
        (language, path): (&'static Language, &Path),
        bundle: &'a Bundle,
        reference: Subprocess<'a>,
    ) -> Result<Hunter<'a>, NoSessions> {
        Answerer::own(loaded, language, path, bundle, reference).map(|answerer| Hunter { answerer })
    }

    /// Hunts a submission, in processes that `launcher` starts, until the patience ends. The counterexample
    /// is called `name`.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn hunt(
        &mut self,
        launcher: &mut Launcher,
        submission: &Submission,
        (settings, interpreters): (&Settings, &Interpreters),
        quest: (&Quest, &mut Patience),
        name: &str,
    ) -> Result<Hunted, GradeError> {
        let found = match &submission.found {
            Ok(found) => found,
            Err(problem) => {
                let report = unloaded(&bare(Plan::default()), &problem.clone().into());
                return Ok(Hunted { sessions: 0, end: HuntEnd::NotLoaded(Box::new(report)), runtime: None });
            }
        };
        let cancel = launcher.cancel().clone();
        let (quest, patience) = quest;
        let mut trials =
            Trials::new(launcher, self.answerer.exercise, found, settings, interpreters, patience)?;
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
        let mut numbers = Random::new(quest.seed);
        let mut tried = 0;
        loop {
            // A round is made again if its sessions leave traces, with the same numbers.
            let start = (numbers.clone(), tried);
            let mut again = false;
            for _ in 0..ROUND {
                let over = match quest.length {
                    Length::Sessions(sessions) => tried >= sessions,
                    Length::Time(_) => trials.patience().is_over(),
                };
                if over || cancel.is_cancelled() {
                    if !trials.is_quick() || trials.left_nothing()? {
                        return Ok((tried, HuntEnd::NoDifference));
                    }
                    again = true;
                    break;
                }
                if trials.patience().is_used_up() {
                    return Ok((tried, HuntEnd::OutOfTime));
                }
                let number = numbers.number();
                let session = self.answerer.session(&mut Random::new(number))?;
                match self.session(trials, session)? {
                    Difference::Same => tried += 1,
                    Difference::NotLoaded(report) => {
                        return Ok((tried, HuntEnd::NotLoaded(Box::new(report))));
                    }
                    Difference::Different(session, report) => {
                        let origin = Origin { name, session: tried + 1, seed: quest.seed };
                        let found =
                            Counterexample::of(&mut self.answerer, trials, &*session, &report, origin)?;
                        return Ok((tried + 1, HuntEnd::Difference(Box::new(found))));
                    }
                    Difference::Unfit => {
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
    ) -> Result<Difference, GradeError> {
        let Some(case) = self.answerer.case(&session.steps())? else { return Ok(Difference::Same) };
        let mut failed = false;
        if trials.is_quick() {
            match trials.quickly(&case)? {
                Glimpse::Passed => return Ok(Difference::Same),
                Glimpse::Failed(_) => failed = true,
                Glimpse::Unclear | Glimpse::Stopped => {}
                Glimpse::Unfit => return Ok(Difference::Unfit),
            }
        }
        let report = trials.strictly(&case)?;
        if report.verdict == Verdict::Passed && failed {
            trials.note_unconfirmed();
        }
        Ok(match &report.finding {
            Some(finding) if finding.step.is_none() => Difference::NotLoaded(report),
            Some(_) => Difference::Different(session, report),
            None => Difference::Same,
        })
    }
}
