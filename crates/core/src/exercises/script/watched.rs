//! Scripts that ask the same again and again while a board changes: what is remembered of a board must change
//! with it.

use super::{Scribe, ScriptStep, Scripted, Seen};
use crate::value::random::Random;

/// Changes a new board and asks about it: a few calls only, so that they are repeated and undone.
pub(in crate::exercises) fn watched<G: Scripted>(
    scribe: &mut Scribe<G>,
    board: G::Board,
    random: &mut Random,
) {
    let few = |actions: Vec<G::Action>, count: usize, random: &mut Random| -> Vec<G::Action> {
        let mut few = Vec::new();
        random.list(
            |_| count,
            |random| {
                few.extend(
                    random.one_of(0..actions.len(), |index| *index).map(|index| actions[index].clone()),
                )
            },
        );
        few
    };
    let changes = few(G::changes(&board), CHANGES, random);
    let questions = few(G::questions(&board), QUESTIONS, random);
    let on = scribe.make(board);
    random.list(
        |random| {
            let limit = [12, 12, 12, 40][random.below(4)];
            4 + random.below(limit)
        },
        |random| {
            let kind = random.below(5);
            let from = if kind < 3 { &changes } else { &questions };
            let seen = if kind == 2 { Seen::Same } else { Seen::Value };
            match from.get(random.below(from.len())) {
                Some(call) => {
                    scribe.add(ScriptStep::Ask { on, calls: vec![call.clone()], seen, name: None });
                }
                None => scribe.look(on),
            }
            if random.below(6) == 5 {
                scribe.look(on);
            }
        },
    );
}

/// The different changes and questions of a session.
const CHANGES: usize = 4;
const QUESTIONS: usize = 2;
