//! Random sessions of the games that are a class: scripts of typed actions on a few boards.
//!
//! A game implements [`Scripted`]; everything else is here: which scripts are fixed, how they are written,
//! and what is simpler. A script is played on the game's own rules, so that whatever is left out, what
//! remains is fixed.

use super::sessions::{Look, RandomSession, RandomStep, without_some};
use std::collections::BTreeSet;

mod scribe;

pub(super) use scribe::Scribe;

/// A game whose random sessions are scripts.
pub(super) trait Scripted: Sized + 'static {
    /// The arguments of the constructor.
    type Board: Clone;
    /// A call on a board.
    type Action: Clone;
    /// A board in play.
    type State;
    /// The name of an only board, then those of several.
    const NAMES: &'static [&'static str];

    /// The call of the constructor.
    fn creation(board: &Self::Board) -> String;

    /// The result of the constructor.
    fn create(board: &Self::Board) -> Created<Self::State>;

    /// The call, without the board it is on.
    fn call(action: &Self::Action) -> String;

    /// Plays `action`; `after` is whether it is called on what an action before it returned.
    fn play(state: &mut Self::State, action: &Self::Action, after: bool) -> CallResult;

    /// The distance of `board` from the simplest one.
    fn weight(board: &Self::Board) -> Vec<usize>;

    /// Boards that may be simpler than `board`, on which all of `actions` are played.
    fn simpler_boards(board: &Self::Board, actions: &[&Self::Action]) -> Vec<SimplerBoard<Self>>;

    /// Actions that may be simpler than `action`.
    fn simpler_actions(action: &Self::Action) -> Vec<Self::Action>;

    /// Calls that take nothing and change nothing, with which a session may end.
    fn questions() -> Vec<Self::Action> {
        Vec::new()
    }

    /// The values that have names before the constructor is given them.
    fn bound(_board: &Self::Board) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether the assignment fixes the text that the board has now.
    fn has_text(_state: &Self::State) -> bool {
        true
    }
}

/// The result of a constructor.
pub(super) enum Created<S> {
    /// A new board.
    Board(S),
    /// An exception.
    Refused,
    /// The assignment does not say.
    Unfixed,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallResult {
    /// The board itself, as the assignment fixes.
    Itself,
    /// A board of which only the text is fixed.
    Board,
    /// A value that is no board.
    Value,
    /// An exception.
    Refused,
    /// The assignment does not say.
    Unfixed,
}

/// A board in the place of another one.
pub(super) struct SimplerBoard<G: Scripted> {
    /// The board.
    pub(super) board: G::Board,
    /// The action in the place of one on the other board, if there is one.
    pub(super) action: Box<Replace<G::Action>>,
}

/// A function that gives the replacement of an action, if it has one.
type Replace<A> = dyn Fn(&A) -> Option<A>;

/// A step of a script.
pub(super) enum ScriptStep<G: Scripted> {
    /// A board is made.
    New {
        /// The number of the board in the script.
        id: usize,
        /// The arguments of the constructor.
        board: G::Board,
    },
    /// Calls on a board, each on what the one before it returns.
    Ask {
        /// The number of the board.
        on: usize,
        /// The calls; none for the board itself.
        calls: Vec<G::Action>,
        /// The part of the last call that is compared.
        seen: Seen,
        /// The name that the value gets.
        name: Option<&'static str>,
    },
    /// A named value is looked at again.
    Recall {
        /// The name.
        name: &'static str,
    },
}

// Derived, it would ask for `G: Clone`.
impl<G: Scripted> Clone for ScriptStep<G> {
    fn clone(&self) -> ScriptStep<G> {
        match self {
            ScriptStep::New { id, board } => ScriptStep::New { id: *id, board: board.clone() },
            ScriptStep::Ask { on, calls, seen, name } => {
                ScriptStep::Ask { on: *on, calls: calls.clone(), seen: *seen, name: *name }
            }
            ScriptStep::Recall { name } => ScriptStep::Recall { name },
        }
    }
}

/// The part of the last call that is compared. An exception always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The returned value.
    Value,
    /// The text of its value.
    Text,
    /// Whether it is the board itself.
    Same,
    /// The printed text.
    Prints,
    /// Nothing.
    Nothing,
}

/// A random session of a game.
pub(super) struct Script<G: Scripted> {
    steps: Vec<ScriptStep<G>>,
}

/// The boards and names while a script is played.
struct Stage<G: Scripted> {
    boards: Vec<(usize, G::State)>,
    names: BTreeSet<&'static str>,
}

impl<G: Scripted> Stage<G> {
    fn new() -> Stage<G> {
        Stage { boards: Vec::new(), names: BTreeSet::new() }
    }

    fn board(&mut self, id: usize) -> Option<&mut G::State> {
        self.boards.iter_mut().find(|(other, _)| *other == id).map(|(_, state)| state)
    }

    /// Plays `step`, and makes what it looks at fit what happens. `None` if the assignment does not fix that.
    fn play(&mut self, step: &mut ScriptStep<G>) -> Option<CallResult> {
        match step {
            ScriptStep::New { id, board } => {
                let new = self.board(*id).is_none();
                match G::create(board) {
                    Created::Board(state) if new => {
                        self.boards.push((*id, state));
                        self.names.extend(G::bound(board).iter().map(|(name, _)| *name));
                        Some(CallResult::Board)
                    }
                    Created::Refused if G::bound(board).is_empty() => Some(CallResult::Refused),
                    Created::Board(_) | Created::Refused | Created::Unfixed => None,
                }
            }
            ScriptStep::Ask { on, calls, seen, name } => {
                let state = self.board(*on)?;
                let Some((last, before)) = calls.split_last() else {
                    let fixed = *seen == Seen::Text && name.is_none() && G::has_text(state);
                    return fixed.then_some(CallResult::Board);
                };
                for (place, call) in before.iter().enumerate() {
                    let played = G::play(state, call, place > 0);
                    matches!(played, CallResult::Itself | CallResult::Board).then_some(())?;
                }
                let played = G::play(state, last, !before.is_empty());
                match (played, *seen) {
                    (CallResult::Unfixed, _) => return None,
                    (CallResult::Refused, _) => {
                        *seen = Seen::Value;
                        *name = None;
                    }
                    (CallResult::Value, Seen::Text | Seen::Same) => *seen = Seen::Value,
                    (CallResult::Board, Seen::Same) => *seen = Seen::Text,
                    (CallResult::Itself | CallResult::Board, Seen::Value) => *seen = Seen::Nothing,
                    (CallResult::Itself | CallResult::Board | CallResult::Value, _) => {}
                }
                self.names.extend(name.iter());
                Some(played)
            }
            ScriptStep::Recall { name } => self.names.contains(name).then_some(CallResult::Value),
        }
    }
}

impl<G: Scripted> Script<G> {
    /// The script of `steps`, and what each does; `None` if the assignment does not fix it.
    fn played(mut steps: Vec<ScriptStep<G>>) -> Option<(Script<G>, Vec<CallResult>)> {
        let mut stage = Stage::new();
        let played = steps.iter_mut().map(|step| stage.play(step)).collect::<Option<Vec<CallResult>>>()?;
        Some((Script { steps }, played))
    }

    /// The steps as a case has them, each with the number of the script's own steps up to there.
    ///
    /// What is not compared stands above what is. Only the end of a step may raise.
    fn written(&self) -> Vec<(RandomStep, usize)> {
        let played = Script::played(self.steps.clone()).map_or_else(Vec::new, |(_, played)| played);
        let made = self.steps.iter().zip(&played).filter_map(|(step, played)| match step {
            ScriptStep::New { id, .. } if *played == CallResult::Board => Some(*id),
            ScriptStep::New { .. } | ScriptStep::Ask { .. } | ScriptStep::Recall { .. } => None,
        });
        let made: Vec<usize> = made.collect();
        let name = |id: usize| match made.iter().position(|other| *other == id) {
            Some(place) if made.len() > 1 => G::NAMES[(place + 1).min(G::NAMES.len() - 1)],
            Some(_) | None => G::NAMES[0],
        };
        let mut written: Vec<(RandomStep, usize)> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        let mut only_made = true;
        for (index, (step, played)) in self.steps.iter().zip(&played).enumerate() {
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
                written.push((RandomStep { lines: std::mem::take(&mut lines), look: Look::Nothing }, index));
            }
            only_made = makes && (only_made || lines.is_empty());
            lines.push(line);
            if *played == CallResult::Refused || look != Look::Nothing {
                written.push((RandomStep { lines: std::mem::take(&mut lines), look }, index + 1));
                only_made = true;
            }
        }
        if !lines.is_empty() {
            written.push((RandomStep { lines, look: Look::Nothing }, self.steps.len()));
        }
        written
    }

    /// The distance from the simplest script: its calls, its boards, then all else.
    fn rank(&self) -> Rank {
        let calls = self.steps.iter().map(|step| match step {
            ScriptStep::Ask { calls, .. } => calls.len().max(1),
            ScriptStep::New { board, .. } => 1 + G::bound(board).len(),
            ScriptStep::Recall { .. } => 1,
        });
        let boards = self.steps.iter().filter_map(|step| match step {
            ScriptStep::New { board, .. } => Some(G::weight(board)),
            ScriptStep::Ask { .. } | ScriptStep::Recall { .. } => None,
        });
        let chained = self.steps.iter().map(|step| match step {
            ScriptStep::Ask { calls, name, .. } => {
                calls.len().saturating_sub(1) + usize::from(name.is_some())
            }
            ScriptStep::New { .. } | ScriptStep::Recall { .. } => 0,
        });
        let early = self.steps.iter().take_while(|step| matches!(step, ScriptStep::New { .. })).count();
        let boards: Vec<Vec<usize>> = boards.collect();
        let late = boards.len().saturating_sub(early);
        let written = self.written();
        let looks = written.iter().filter(|(step, _)| step.look != Look::Nothing).count();
        let kinds = written.iter().map(|(step, _)| match step.look {
            Look::Nothing => 0,
            Look::Value => 1,
            Look::Text => 2,
            Look::Same(_) => 3,
            Look::Prints => 4,
            Look::Oracle { .. } => 5,
        });
        let kinds = kinds.collect();
        let text: Vec<String> = written.into_iter().flat_map(|(step, _)| step.lines).collect();
        let length = text.iter().map(String::len).sum();
        Rank { calls: calls.sum(), boards, chained: chained.sum(), late, looks, length, text, kinds }
    }

    /// Scripts that may be simpler.
    fn changed(&self) -> Vec<Vec<ScriptStep<G>>> {
        let mut changed: Vec<Vec<ScriptStep<G>>> = without_some(&self.steps).collect();
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                ScriptStep::New { id, board } => self.with_simpler_board(*id, board, &mut changed),
                ScriptStep::Ask { on, calls, seen, name } => {
                    changed.extend(self.ended_at(index));
                    let ask = |calls: &[G::Action], seen, name| ScriptStep::<G>::Ask {
                        on: *on,
                        calls: calls.to_vec(),
                        seen,
                        name,
                    };
                    for place in 0..calls.len() {
                        if calls.len() > 1 {
                            let mut fewer = calls.clone();
                            fewer.remove(place);
                            changed.push(self.with(index, [ask(&fewer, *seen, *name)]));
                        }
                        if place > 0 {
                            let (before, after) = calls.split_at(place);
                            let split = [ask(before, Seen::Nothing, None), ask(after, *seen, *name)];
                            changed.push(self.with(index, split));
                        }
                        for simpler in G::simpler_actions(&calls[place]) {
                            let mut calls = calls.clone();
                            calls[place] = simpler;
                            changed.push(self.with(index, [ask(&calls, *seen, *name)]));
                        }
                    }
                    if index + 1 < self.steps.len() {
                        changed.push(self.with(index, [ask(calls, Seen::Nothing, *name)]));
                    }
                    changed.push(self.with(index, [ask(calls, *seen, None)]));
                }
                ScriptStep::Recall { .. } => {}
            }
        }
        changed.push(self.quiet());
        let (boards, others): (Vec<_>, Vec<_>) =
            self.steps.iter().cloned().partition(|step| matches!(step, ScriptStep::New { .. }));
        changed.push(boards.into_iter().chain(others).collect());
        changed
    }

    /// The scripts that end at a call of the step at `index`, each looking at something else.
    fn ended_at(&self, index: usize) -> Vec<Vec<ScriptStep<G>>> {
        let Some(ScriptStep::Ask { on, calls, .. }) = self.steps.get(index) else { return Vec::new() };
        let end = |ask: ScriptStep<G>| self.steps[..index].iter().cloned().chain([ask]).collect();
        let ask =
            |calls: &[G::Action], seen| ScriptStep::Ask { on: *on, calls: calls.to_vec(), seen, name: None };
        let mut ended = vec![end(ask(&[], Seen::Text))];
        for last in 1..=calls.len() {
            ended.extend([Seen::Value, Seen::Text, Seen::Same].map(|seen| end(ask(&calls[..last], seen))));
        }
        // What a step does may show in a later one only.
        if index + ENDS >= self.steps.len() {
            let after = |calls: &[G::Action], seen| {
                self.steps[..=index].iter().cloned().chain([ask(calls, seen)]).collect()
            };
            ended.push(after(&[], Seen::Text));
            ended.extend(
                G::questions().iter().map(|question| after(std::slice::from_ref(question), Seen::Value)),
            );
        }
        ended
    }

    /// All steps, with `instead` in the place of the one at `index`.
    fn with<const N: usize>(&self, index: usize, instead: [ScriptStep<G>; N]) -> Vec<ScriptStep<G>> {
        self.steps[..index]
            .iter()
            .cloned()
            .chain(instead)
            .chain(self.steps[index + 1..].iter().cloned())
            .collect()
    }

    /// All steps, looking at the last one only.
    fn quiet(&self) -> Vec<ScriptStep<G>> {
        let last = self.steps.len().saturating_sub(1);
        let steps = self.steps.iter().enumerate().filter_map(|(index, step)| match step {
            ScriptStep::Ask { calls, .. } if index < last && calls.is_empty() => None,
            ScriptStep::Ask { on, calls, name, .. } if index < last => {
                Some(ScriptStep::Ask { on: *on, calls: calls.clone(), seen: Seen::Nothing, name: *name })
            }
            ScriptStep::New { .. } | ScriptStep::Ask { .. } | ScriptStep::Recall { .. } => Some(step.clone()),
        });
        steps.collect()
    }

    /// Adds the scripts without the board `id`, and with a simpler one in its place.
    fn with_simpler_board(&self, id: usize, board: &G::Board, changed: &mut Vec<Vec<ScriptStep<G>>>) {
        let mut actions = Vec::new();
        for step in &self.steps {
            if let ScriptStep::Ask { on, calls, .. } = step
                && *on == id
            {
                actions.extend(calls);
            }
        }
        let others = self.steps.iter().filter(|step| match step {
            ScriptStep::New { id: on, .. } | ScriptStep::Ask { on, .. } => *on != id,
            ScriptStep::Recall { .. } => true,
        });
        changed.push(others.cloned().collect());
        for simpler in G::simpler_boards(board, &actions) {
            let steps = self.steps.iter().filter_map(|step| match step {
                ScriptStep::New { id: other, .. } if *other == id => {
                    Some(ScriptStep::New { id, board: simpler.board.clone() })
                }
                ScriptStep::Ask { on, calls, seen, name } if *on == id && !calls.is_empty() => {
                    let calls: Vec<G::Action> = calls.iter().filter_map(&simpler.action).collect();
                    let ask = ScriptStep::Ask { on: id, calls, seen: *seen, name: *name };
                    (!matches!(&ask, ScriptStep::Ask { calls, .. } if calls.is_empty())).then_some(ask)
                }
                ScriptStep::New { .. } | ScriptStep::Ask { .. } | ScriptStep::Recall { .. } => {
                    Some(step.clone())
                }
            });
            changed.push(steps.collect());
        }
    }
}

/// After how many of the last steps a script may end with a question.
const ENDS: usize = 8;

/// The distance of a script from the simplest one. Every simplification lowers it, so that they end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    calls: usize,
    boards: Vec<Vec<usize>>,
    chained: usize,
    late: usize,
    looks: usize,
    length: usize,
    text: Vec<String>,
    kinds: Vec<u8>,
}

impl Seen {
    fn look(self, board: &str) -> Look {
        match self {
            Seen::Value => Look::Value,
            Seen::Text => Look::Text,
            Seen::Same => Look::Same(board.to_owned()),
            Seen::Prints => Look::Prints,
            Seen::Nothing => Look::Nothing,
        }
    }
}

impl<G: Scripted> RandomSession for Script<G> {
    fn steps(&self) -> Vec<RandomStep> {
        self.written().into_iter().map(|(step, _)| step).collect()
    }

    fn until(&self, steps: usize) -> Box<dyn RandomSession> {
        let end = steps.checked_sub(1).and_then(|last| self.written().get(last).map(|(_, end)| *end));
        let end = if steps == 0 { 0 } else { end.unwrap_or(self.steps.len()) };
        Box::new(Script { steps: self.steps[..end].to_vec() })
    }

    fn simpler(&self) -> Vec<Box<dyn RandomSession>> {
        let rank = self.rank();
        let scripts = self.changed().into_iter().filter_map(Script::played);
        let mut ranked: Vec<(Rank, Script<G>)> =
            scripts.map(|(script, _)| (script.rank(), script)).filter(|(other, _)| *other < rank).collect();
        ranked.sort_by(|(one, _), (other, _)| one.cmp(other));
        ranked.dedup_by(|(one, _), (other, _)| one == other);
        ranked.into_iter().map(|(_, script)| Box::new(script) as Box<dyn RandomSession>).collect()
    }
}
