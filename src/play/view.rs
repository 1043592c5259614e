//! The table as the page gets it: data and texts, in the language of the tab.

use super::round::{Played, Seat};
use super::table::{GameTable, LEVELS, OWN_LEVEL};
use super::words::words;
use crate::exercises::games;
use crate::exercises::playable::{Drawing, GameStanding, Kind, Message, Move, Spot};
use crate::messages::Lang;
use crate::messages::Messages;
use serde_json::{Map, Value, json};

/// The messages of the page itself, without their prefix `play-page-`.
const WORDS: [&str; 20] = [
    "board", "new", "undo", "hint", "level", "language", "game", "thinking", "notation", "copy", "copied",
    "load", "keys", "empty", "movable", "target", "picked", "last", "lost", "long",
];

/// Everything that a tab shows.
pub(super) fn view(table: &GameTable, lang: Lang) -> Value {
    let words = words(lang);
    let say = |message: &Message| message.say(&words);
    let round = &table.round;
    let playable = round.playable;
    let state = round.state();
    let over = !matches!(state.standing(), GameStanding::Turn(_));
    let humans_turn = !over && !table.is_computers_turn();
    let moves = if humans_turn { state.moves() } else { Vec::new() };
    json!({
        "lang": lang.code(),
        "game": playable.name,
        "games": games().map(|game| json!([game.name, words.say(&format!("play-title-{}", game.name))]))
            .collect::<Vec<_>>(),
        "title": words.say(&format!("play-title-{}", playable.name)),
        "goal": words.say(&format!("play-goal-{}", playable.name)),
        "version": table.version,
        "drawing": drawing(&state.drawing(), &words),
        "moves": moves.iter().map(|found| json!([found.from, found.to])).collect::<Vec<_>>(),
        "over": over,
        "stands": say(&round.stands()),
        "told": round.told().map(|told| say(&told)),
        "notes": state.notes().iter().map(say).collect::<Vec<_>>(),
        "count": round.count(),
        "undo": round.can_undo(&table.seats),
        "last": round.last().map(last),
        "history": round.moves().map(|played| played.chosen.to_string()).collect::<Vec<_>>(),
        "text": round.text(),
        "sides": playable.sides.iter().map(|side| words.say(side)).collect::<Vec<_>>(),
        "computers": table.seats.iter().map(|seat| *seat == Seat::Computer).collect::<Vec<_>>(),
        "computer": playable.computer,
        "seats": [words.say("play-human"), words.say("play-computer")],
        "hints": playable.adviser.is_some(),
        "thinking": table.thinking,
        "level": table.level_name,
        "levels": LEVELS.into_iter().chain(table.has_own_level().then_some(OWN_LEVEL))
            .map(|level| json!([level, words.say(&format!("play-page-level-{level}"))])).collect::<Vec<_>>(),
        "words": WORDS.iter().map(|word| ((*word).to_owned(), Value::from(words.say(&format!("play-page-{word}")))))
            .collect::<Map<_, _>>(),
    })
}

fn drawing(drawing: &Drawing, words: &Messages) -> Value {
    let spots: Vec<Value> = drawing.spots.iter().map(|found| spot(found, words)).collect();
    json!({ "size": drawing.size, "lines": drawing.lines, "spots": spots })
}

fn spot(spot: &Spot, words: &Messages) -> Value {
    let text = match spot.kind {
        Kind::Button => words.say(&format!("play-button-{}", spot.name)),
        Kind::Point
        | Kind::Cell
        | Kind::Level
        | Kind::Upright
        | Kind::Dot
        | Kind::Area
        | Kind::Label
        | Kind::Supply => spot.name.clone(),
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
