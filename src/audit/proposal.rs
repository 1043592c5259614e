//! A case that would kill a survivor.

use super::matrix::Proposal;
use super::programs::WrongSubmission;
use crate::hunt::{HuntEnd, Quest, Unreached};
use crate::run::Run;
use keur_core::event::RunError;
use keur_core::messages::Lang;
use keur_core::report::words::Words;

impl Proposal {
    /// Hunts a survivor.
    ///
    /// # Errors
    /// The hunt fails for a reason that has nothing to do with the survivor.
    pub(super) fn of(run: &Run, wrong: &WrongSubmission, quest: &Quest) -> Result<Proposal, RunError> {
        let WrongSubmission { program, path, is_run, .. } = wrong;
        if *is_run {
            return Ok(Proposal::NotHunted("random sessions run no programs".to_owned()));
        }
        if program.ruling {
            return Ok(Proposal::NotHunted(
                "random sessions ask nothing that depends on a ruling".to_owned(),
            ));
        }
        let hunted = match run.hunt(path, &program.name, quest) {
            Ok((_, hunted)) => hunted,
            // The exercise has no random sessions.
            Err(RunError::Usage(why)) => return Ok(Proposal::NotHunted(why)),
            Err(error) => return Err(error),
        };
        Ok(match hunted.end {
            HuntEnd::Difference(found) => Proposal::Case(found.text),
            HuntEnd::NoDifference | HuntEnd::OutOfTime | HuntEnd::CutOff => {
                let unreached = hunted.unreached.iter().map(|call| match call.why {
                    Unreached::NeverCalled => format!("`{}` was never called", call.call),
                    Unreached::AlwaysFailed => format!("`{}` always failed", call.call),
                });
                Proposal::NoDifference { sessions: hunted.sessions, unreached: unreached.collect() }
            }
            HuntEnd::CaseFailed(case) => {
                Proposal::NotHunted(format!("graded again, it does not pass {}", case.name))
            }
            HuntEnd::NotLoaded(case) => {
                let verdict = Words::new(Lang::En).verdict(case.verdict);
                Proposal::NotHunted(format!("it cannot be loaded: {verdict}"))
            }
        })
    }
}
