//! Every short script, to prove that a session is the shortest.

use super::{Scribe, ScriptStep, Scripted, Seen};
use crate::exercises::sessions::RandomStep;

/// The most calls of a session: there are too many longer ones.
const MOST_CALLS: usize = 4;

/// Every session of `calls` calls on a small board, with all questions at its end.
pub(in crate::exercises) fn short<G: Scripted>(calls: usize) -> Box<dyn Iterator<Item = Vec<RandomStep>>> {
    // What the last call gives shows with one step less than what is asked after it.
    let ends: &[(Seen, bool)] = match calls {
        0 => &[(Seen::Nothing, true)],
        _ if calls > MOST_CALLS => &[],
        _ if G::CHAINED => &[(Seen::Text, false)],
        _ => &[(Seen::Text, false), (Seen::Same, false), (Seen::Nothing, true)],
    };
    Box::new(ends.iter().flat_map(move |(seen, asks)| {
        G::small(calls).into_iter().flat_map(move |board| {
            let questions = G::questions(&board);
            let mut actions = G::changes(&board);
            if !G::CHAINED {
                actions.extend(questions.iter().cloned());
            }
            let after = if *asks { questions } else { Vec::new() };
            let count =
                u32::try_from(calls).ok().and_then(|calls| actions.len().checked_pow(calls)).unwrap_or(0);
            (0..count).filter_map(move |number| {
                let digits = std::iter::successors(Some(number), |number| Some(number / actions.len()));
                let chosen = digits.take(calls).map(|number| actions[number % actions.len()].clone());
                session::<G>(&board, &chosen.collect::<Vec<_>>(), &after, *seen)
            })
        })
    }))
}

/// The session of these calls on a board, the last of which is looked at in one way, and then of these
/// questions and of the board's text; `None` if a call is not fixed.
fn session<G: Scripted>(
    board: &G::Board,
    calls: &[G::Action],
    questions: &[G::Action],
    seen: Seen,
) -> Option<Vec<RandomStep>> {
    let mut scribe: Scribe<G> = Scribe::new();
    let on = scribe.make(board.clone());
    if scribe.state(on).is_none() {
        return calls.is_empty().then(|| scribe.session());
    }
    let chains: Vec<&[G::Action]> =
        if G::CHAINED { calls.chunks(calls.len().max(1)).collect() } else { calls.chunks(1).collect() };
    let last = chains.len().saturating_sub(1);
    for (place, calls) in chains.into_iter().enumerate() {
        let seen = if place == last { seen } else { Seen::Nothing };
        scribe.add(ScriptStep::Ask { on, calls: calls.to_vec(), seen, name: None }).then_some(())?;
    }
    if !questions.is_empty() {
        questions.iter().for_each(|question| scribe.ask(on, question.clone(), Seen::Value));
        scribe.look(on);
    }
    Some(scribe.session())
}
