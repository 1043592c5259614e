//! Writes a random script while it is played.

use super::{CallResult, Script, ScriptStep, Scripted, Seen, Stage};
use crate::exercises::sessions::RandomSession;

/// Writes a script, one step after another.
pub(in crate::exercises) struct Scribe<G: Scripted> {
    stage: Stage<G>,
    steps: Vec<ScriptStep<G>>,
    /// Whether a step was not fixed, so that what follows is not known.
    lost: bool,
}

impl<G: Scripted> Scribe<G> {
    /// An empty script.
    pub(in crate::exercises) fn new() -> Scribe<G> {
        Scribe { stage: Stage::new(), steps: Vec::new(), lost: false }
    }

    /// Adds a step. What the assignment does not fix ends the script: nothing is added from then on.
    pub(in crate::exercises) fn add(&mut self, mut step: ScriptStep<G>) -> Option<CallResult> {
        if self.lost {
            return None;
        }
        let played = self.stage.play(&mut step);
        self.lost = played.is_none();
        if played.is_some() {
            self.steps.push(step);
        }
        played
    }

    /// Makes a board; its number.
    pub(in crate::exercises) fn make(&mut self, board: G::Board) -> usize {
        let id = self.steps.len();
        self.add(ScriptStep::New { id, board });
        id
    }

    /// Calls `action` on the board `on`.
    pub(in crate::exercises) fn ask(
        &mut self,
        on: usize,
        action: G::Action,
        seen: Seen,
    ) -> Option<CallResult> {
        self.add(ScriptStep::Ask { on, calls: vec![action], seen, name: None })
    }

    /// Calls all of `calls` on the board `on`, each on what the one before it returns.
    pub(in crate::exercises) fn chain(
        &mut self,
        on: usize,
        calls: Vec<G::Action>,
        seen: Seen,
    ) -> Option<CallResult> {
        self.add(ScriptStep::Ask { on, calls, seen, name: None })
    }

    /// Looks at the text of the board `on`.
    pub(in crate::exercises) fn look(&mut self, on: usize) {
        self.add(ScriptStep::Ask { on, calls: Vec::new(), seen: Seen::Text, name: None });
    }

    /// The board `on` as it is now.
    pub(in crate::exercises) fn state(&mut self, on: usize) -> Option<&G::State> {
        self.stage.board(on).map(|state| &*state)
    }

    /// The session.
    pub(in crate::exercises) fn session(self) -> Box<dyn RandomSession> {
        Box::new(Script { steps: self.steps })
    }
}
