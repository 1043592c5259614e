//! The table as the page gets it: data and texts, in the language of the tab.

use super::round::{Played, Round, Seat};
use super::table::{GameTable, LEVELS, OWN_LEVEL};
use super::words::words;
use keur_core::exercises::games;
use keur_core::exercises::playable::{Drawing, GameStanding, GameState, Kind, Move, Playable, Spot, Thought};
use keur_core::messages::{Lang, Message, Messages};
use keur_core::named::Named;
use serde_json::{Map, Value, json};

/// The messages of the page itself, without their prefix `play-page-`.
const WORDS: [&str; 33] = [
    "board", "new", "undo", "sure", "leave", "stay", "hint", "level", "size", "first", "back", "forward",
    "latest", "branch", "variations", "sound", "motion", "language", "game", "thinking", "notation", "copy",
    "link", "copied", "load", "empty", "movable", "choosable", "target", "picked", "last", "lost", "long",
];

/// Everything that a tab shows.
pub(super) fn view(table: &GameTable, lang: Lang) -> Value {
    let words = words(lang);
    let say = |message: &Message| message.say(&words);
    let round = &table.round;
    let playable = round.playable;
    let state = round.state();
    let over = round.is_over();
    json!({
        "lang": lang.name(),
        "game": playable.name,
        "games": games().map(|game| json!([game.name, words.say(&format!("play-title-{}", game.name))]))
            .collect::<Vec<_>>(),
        "title": words.say(&format!("play-title-{}", playable.name)),
        "goal": words.say(&format!("play-goal-{}", playable.name)),
        "version": table.version,
        "drawing": drawing(&state.drawing(), &words),
        "moves": moves(round, &table.seats),
        "over": over,
        "stands": say(&round.stands()),
        "told": round.told().map(|told| say(&told)),
        "notes": state.notes().iter().map(say).collect::<Vec<_>>(),
        "count": round.count(),
        "undo": table.can_undo(),
        "underWay": table.is_under_way(),
        "last": round.last().map(last),
        "history": round.moves().map(|played| played.chosen.to_string()).collect::<Vec<_>>(),
        "text": round.text(),
        "variations": table.variations.iter().enumerate().filter_map(|(index, line)| variation(round, index, line))
            .collect::<Vec<_>>(),
        "sides": playable.sides.iter().map(|side| words.say(side)).collect::<Vec<_>>(),
        "tones": playable.tones.iter().map(|tone| tone.name()).collect::<Vec<_>>(),
        "computers": table.seats.iter().map(|seat| *seat == Seat::Computer).collect::<Vec<_>>(),
        "computer": playable.computer,
        "seats": [words.say("play-human"), words.say("play-computer")],
        "keys": words.say(if takes_two_spots(round) { "play-page-keys" } else { "play-page-keys-alone" }),
        "hints": playable.adviser.is_some(),
        "thinking": table.thinking,
        "level": table.level_name,
        "rows": state.rows(),
        "sizes": playable.sizes.iter().flat_map(|sizes| sizes.rows.clone())
            .map(|rows| json!([rows, format!("{rows} × {rows}")])).collect::<Vec<_>>(),
        "levels": LEVELS.into_iter().chain(table.has_own_level().then_some(OWN_LEVEL))
            .map(|level| json!([level, words.say(&format!("play-page-level-{level}"))])).collect::<Vec<_>>(),
        "words": WORDS.iter().map(|word| ((*word).to_owned(), Value::from(words.say(&format!("play-page-{word}")))))
            .collect::<Map<_, _>>(),
    })
}

/// Whether a move of the game names two spots, so that the first of them is picked up.
fn takes_two_spots(round: &Round) -> bool {
    round.earlier(0).is_some_and(|start| start.state().moves().iter().any(|found| found.from.is_some()))
}

/// The view of the board after `count` moves; `None` if there are not so many.
pub(super) fn past(table: &GameTable, count: usize, lang: Lang) -> Option<Value> {
    let words = words(lang);
    let round = table.round.earlier(count)?;
    Some(json!({
        "at": count,
        "drawing": drawing(&round.state().drawing(), &words),
        "moves": moves(&round, &table.seats),
        "told": round.told().map(|told| told.say(&words)),
        "notes": round.state().notes().iter().map(|note| note.say(&words)).collect::<Vec<_>>(),
        "last": round.last().map(last),
    }))
}

/// The moves of a person whose turn it is.
fn moves(round: &Round, seats: &[Seat]) -> Vec<Value> {
    let moves = if round.is_turn_of(seats, Seat::Human) { round.state().moves() } else { Vec::new() };
    moves.iter().map(|found| json!([found.from, found.to])).collect()
}

/// The moves of another line after those that it shares with the game, if there are any.
fn variation(round: &Round, index: usize, line: &Round) -> Option<Value> {
    let shared = round.shared(line);
    let moves: Vec<String> = line.moves().skip(shared).map(|played| played.chosen.to_string()).collect();
    (!moves.is_empty()).then(|| json!({ "index": index, "at": shared, "moves": moves }))
}

/// The evaluation bar of the first side, from the end of the game or the thought of the side to move; `None`
/// without a score.
pub(super) fn evaluation(
    playable: &Playable,
    state: &dyn GameState,
    thought: Option<&Thought>,
    lang: Lang,
) -> Option<Value> {
    let words = words(lang);
    let side = |side: usize| Message::new(playable.sides[side]);
    let (share, said) = match state.standing() {
        GameStanding::Won(winner) => {
            (if winner == 0 { 100 } else { 0 }, Message::new("play-won").with_message("side", side(winner)))
        }
        GameStanding::Draw | GameStanding::Solved => (50, Message::new("play-draw")),
        GameStanding::Turn(turn) => {
            let thought = thought?;
            let score = thought.score?;
            let share = if turn == 0 { score.share() } else { 100 - score.share() };
            let said = thought.said.say(&words);
            (share, Message::new("play-evaluated").with_message("side", side(turn)).with("said", said))
        }
    };
    Some(json!({ "share": share, "said": said.say(&words) }))
}

fn drawing(drawing: &Drawing, words: &Messages) -> Value {
    let spots: Vec<Value> = drawing.spots.iter().map(|found| spot(found, words)).collect();
    json!({ "size": drawing.size, "lines": drawing.lines, "spots": spots })
}

fn spot(spot: &Spot, words: &Messages) -> Value {
    let text = match spot.kind {
        Kind::Button => words.say(&format!("play-button-{}", spot.name)),
        _ => spot.name.clone(),
    };
    let piece = spot.piece.map(|piece| {
        json!({ "tone": piece.tone.name(), "sign": piece.sign, "fixed": piece.fixed, "word": words.say(piece.word) })
    });
    json!({
        "name": spot.kind.is_named().then_some(&spot.name),
        "text": text,
        "at": spot.at,
        "kind": spot.kind.name(),
        "piece": piece,
    })
}

fn last(played: &Played) -> Value {
    let Move { from, to } = &played.chosen;
    json!({ "from": from, "to": to, "moved": played.effect.moved, "taken": played.effect.taken })
}
