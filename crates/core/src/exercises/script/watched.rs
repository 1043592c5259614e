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
    let mut about: Option<String> = None;
    let mut few = |actions: Vec<G::Action>, count: usize, random: &mut Random| -> Vec<G::Action> {
        let mut few = Vec::new();
        random.list(
            |_| count,
            |random| {
                let mut places: Vec<usize> = (0..actions.len()).collect();
                if random.below(2) == 1 {
                    let alike = |place: &usize| about == Some(arguments::<G>(&actions[*place]));
                    let alike: Vec<usize> = places.iter().copied().filter(alike).collect();
                    places = if alike.is_empty() { places } else { alike };
                }
                if let Some(place) = random.one_of(places, |place| *place) {
                    about.get_or_insert_with(|| arguments::<G>(&actions[place]));
                    few.push(actions[place].clone());
                }
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

/// The arguments of a call, as a case writes them: many calls have those of the first one, so that a change is
/// undone and what it changed is asked about.
fn arguments<G: Scripted>(action: &G::Action) -> String {
    let call = G::call(action);
    call.split_once('(').map_or_else(String::new, |(_, arguments)| arguments.to_owned())
}

/// The different changes and questions of a session.
const CHANGES: usize = 4;
const QUESTIONS: usize = 2;
