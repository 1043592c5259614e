//! Writes a random script while it is played.

use super::{CallResult, ScriptStep, Scripted, Seen, Stage};
use crate::exercises::sessions::{Look, RandomStep};

/// Writes a script, one step after another.
pub(in crate::exercises) struct Scribe<G: Scripted> {
    stage: Stage<G>,
    /// The steps, each with its result.
    steps: Vec<(ScriptStep<G>, CallResult)>,
}

impl<G: Scripted> Scribe<G> {
    /// An empty script.
    pub(in crate::exercises) fn new() -> Scribe<G> {
        Scribe { stage: Stage::new(), steps: Vec::new() }
    }

    /// Adds a step, unless the assignment does not fix it; whether it does.
    pub(in crate::exercises) fn add(&mut self, mut step: ScriptStep<G>) -> bool {
        let played = self.stage.play(&mut step);
        self.steps.extend(played.map(|played| (step, played)));
        played.is_some()
    }

    /// Makes a board; its number.
    pub(in crate::exercises) fn make(&mut self, board: G::Board) -> usize {
        let id = self.steps.len();
        self.add(ScriptStep::New { id, board });
        id
    }

    /// Calls `action` on the board `on`.
    pub(in crate::exercises) fn ask(&mut self, on: usize, action: G::Action, seen: Seen) {
        self.add(ScriptStep::Ask { on, calls: vec![action], seen, name: None });
    }

    /// Calls all of `calls` on the board `on`, each on what the one before it returns.
    pub(in crate::exercises) fn chain(&mut self, on: usize, calls: Vec<G::Action>, seen: Seen) {
        self.add(ScriptStep::Ask { on, calls, seen, name: None });
    }

    /// Looks at the text of the board `on`.
    pub(in crate::exercises) fn look(&mut self, on: usize) {
        self.add(ScriptStep::Ask { on, calls: Vec::new(), seen: Seen::Text, name: None });
    }

    /// The board `on` as it is now.
    pub(in crate::exercises) fn state(&mut self, on: usize) -> Option<&G::State> {
        self.stage.board(on).map(|state| &*state)
    }

    /// The session: the steps as a case has them.
    ///
    /// What is not compared stands above what is. Only the end of a step may raise.
    pub(in crate::exercises) fn session(self) -> Vec<RandomStep> {
        let made = self.steps.iter().filter_map(|(step, played)| match step {
            ScriptStep::New { id, .. } if *played == CallResult::Board => Some(*id),
            ScriptStep::New { .. } | ScriptStep::Ask { .. } | ScriptStep::Recall { .. } => None,
        });
        let made: Vec<usize> = made.collect();
        let name = |id: usize| match made.iter().position(|other| *other == id) {
            Some(place) if made.len() > 1 => G::NAMES[(place + 1).min(G::NAMES.len() - 1)],
            Some(_) | None => G::NAMES[0],
        };
        let mut written: Vec<RandomStep> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        let mut only_made = true;
        for (step, played) in &self.steps {
            let (line, look) = match step {
                ScriptStep::New { board, .. } if *played == CallResult::Refused => {
                    (G::creation(board), Look::Value)
                }
                ScriptStep::New { id, board } => {
                    lines.extend(G::bound(board).iter().map(|(name, value)| format!("{name} = {value}")));
                    (format!("{} = {}", name(*id), G::creation(board)), Look::Nothing)
                }
                ScriptStep::Ask { on, calls, seen, name: bound } => {
                    let calls: String = calls.iter().map(G::call).collect();
                    let bound = bound.map_or_else(String::new, |bound| format!("{bound} = "));
                    (format!("{bound}{}{calls}", name(*on)), seen.look(name(*on)))
                }
                ScriptStep::Recall { name } => ((*name).to_owned(), Look::Value),
            };
            let makes = !matches!(step, ScriptStep::Ask { calls, .. } if !calls.is_empty());
            if !makes && only_made && !lines.is_empty() {
                written.push(RandomStep {
                    lines: std::mem::take(&mut lines),
                    stdin: None,
                    look: Look::Nothing,
                });
            }
            only_made = makes && (only_made || lines.is_empty());
            lines.push(line);
            if *played == CallResult::Refused || look != Look::Nothing {
                written.push(RandomStep { lines: std::mem::take(&mut lines), stdin: None, look });
                only_made = true;
            }
        }
        if !lines.is_empty() {
            written.push(RandomStep { lines, stdin: None, look: Look::Nothing });
        }
        written
    }
}
