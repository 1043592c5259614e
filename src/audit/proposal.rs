//! A case that would kill a survivor.

use super::matrix::{Proposal, WrongProgram};
use crate::case::Exercise;
use crate::event::RunError;
use crate::hunt::{HuntEnd, Hunter, Quest};
use crate::messages::Lang;
use crate::report::words::Words;
use crate::run::Run;
use std::path::Path;

impl Proposal {
    /// Hunts the survivor at `path`.
    ///
    /// # Errors
    /// The hunt fails for a reason that has nothing to do with the survivor.
    pub(super) fn of(
        run: &Run,
        exercise: &Exercise,
        (program, path): (&WrongProgram, &Path),
        quest: &Quest,
    ) -> Result<Proposal, RunError> {
        if program.ruling {
            return Ok(Proposal::NotHunted("random sessions ask nothing that rests on a ruling".to_owned()));
        }
        if let Err(none) = Hunter::new(exercise) {
            return Ok(Proposal::NotHunted(none.to_string()));
        }
        let (_, hunted) = run.hunt(path, &program.name, quest)?;
        Ok(match hunted.end {
            HuntEnd::Difference(found) => Proposal::Case(found.text),
            HuntEnd::NoDifference | HuntEnd::OutOfTime => Proposal::NoDifference(hunted.sessions),
            HuntEnd::NotLoaded(case) => {
                let verdict = Words::new(Lang::En).verdict(case.verdict);
                Proposal::NotHunted(format!("it cannot be loaded: {verdict}"))
            }
        })
    }
}
