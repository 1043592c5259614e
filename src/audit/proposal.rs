//! A case that would kill a survivor.

use super::matrix::{Proposal, WrongProgram};
use crate::hunt::{HuntEnd, Quest};
use crate::run::Run;
use keur_core::event::RunError;
use keur_core::messages::Lang;
use keur_core::report::words::Words;
use std::path::Path;

impl Proposal {
    /// Hunts the survivor at `path`.
    ///
    /// # Errors
    /// The hunt fails for a reason that has nothing to do with the survivor.
    pub(super) fn of(
        run: &Run,
        program: &WrongProgram,
        path: &Path,
        quest: &Quest,
    ) -> Result<Proposal, RunError> {
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
            HuntEnd::NoDifference | HuntEnd::OutOfTime | HuntEnd::CutOff | HuntEnd::CaseFailed(_) => {
                Proposal::NoDifference(hunted.sessions)
            }
            HuntEnd::NotLoaded(case) => {
                let verdict = Words::new(Lang::En).verdict(case.verdict);
                Proposal::NotHunted(format!("it cannot be loaded: {verdict}"))
            }
        })
    }
}
