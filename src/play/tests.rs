//! Tests every game through the common interface.

use super::lines::Lines;
use super::round::{LONGEST_TEXT, Round, Seat, TOP, read_level};
use super::terminal::{GameOptions, Terminal};
use super::words::words;
use keur_core::exercises::playable::{
    Adviser, GameStanding, GameState, Kind, Level, Move, Playable, Thought,
};
use keur_core::exercises::{game as playable, games};
use keur_core::messages::{Lang, Message};
use keur_core::named::Named;
use keur_core::value::random::Random;

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// Plays random moves to the end of the game, with `check` at every state.
fn play_out(playable: &'static Playable, number: u64, mut check: impl FnMut(&Round)) -> Round {
    let mut random = Random::new(number);
    let mut round = Round::new(playable, &playable.start(None, number).unwrap()).unwrap();
    // Random moves never solve a puzzle, so the loop ends after enough of them.
    for _ in 0..400 {
        check(&round);
        let moves = round.state().moves();
        if moves.is_empty() {
            break;
        }
        round.play(&moves[random.below(moves.len())].to_string()).unwrap();
    }
    round
}

fn is_puzzle(playable: &Playable) -> bool {
    playable.sides.len() == 1
}

fn game(name: &str, setup: &str, moves: &str) -> Round {
    let mut round = Round::new(playable(name).unwrap(), setup).unwrap();
    for typed in moves.split_whitespace() {
        round.play(typed).unwrap_or_else(|why| panic!("{typed}: {}", why.say(&words(Lang::En))));
    }
    round
}

#[track_caller]
fn check_refused(round: &mut Round, typed: &str, id: &str) {
    let before = round.text();
    let why = round.play(typed).unwrap_err();
    assert_eq!(why.id, id, "{typed}");
    assert_eq!(round.text(), before, "{typed} changed the game");
    for &lang in Lang::ALL {
        let said = why.say(&words(lang));
        assert!(!said.is_empty() && !said.starts_with("play-") && !said.contains('{'), "{lang}: {said}");
    }
}

#[test]
fn every_game_is_played_from_its_beginning_to_an_end() {
    for playable in games() {
        for number in 0..3 {
            let round = play_out(playable, number, |round| {
                let over = !matches!(round.state().standing(), GameStanding::Turn(_));
                assert_eq!(over, round.state().moves().is_empty(), "{}", playable.name);
            });
            let over = !matches!(round.state().standing(), GameStanding::Turn(_));
            assert!(over || is_puzzle(playable), "{} did not end", playable.name);
        }
    }
}

#[test]
fn every_listed_move_applies_and_names_spots_of_the_drawing() {
    for playable in games() {
        let mut steps = 0;
        play_out(playable, 7, |round| {
            steps += 1;
            if steps > 12 {
                return;
            }
            let drawing = round.state().drawing();
            let named = |name: &str| {
                drawing.spots.iter().filter(|spot| spot.kind.is_named() && spot.name == name).count() == 1
            };
            for found in round.state().moves() {
                assert!(found.from.as_deref().is_none_or(named) && named(&found.to), "{found}");
                assert_eq!(Move::read(&found.to_string()), Some(found.clone()));
                round.state().boxed().play(&found).unwrap();
                let shouted = found.to_string().to_uppercase();
                assert_eq!(Move::read(&shouted).unwrap().among(&round.state().moves()), Some(&found));
            }
        });
    }
}

#[test]
fn drawn_parts_lie_on_the_lattice_and_apart() {
    for playable in games() {
        let drawing = Round::new(playable, &playable.start(None, 1).unwrap()).unwrap().state().drawing();
        let mut places: Vec<(usize, usize)> = drawing.spots.iter().map(|spot| spot.at).collect();
        assert!(places.iter().all(|at| at.0 <= drawing.size.0 && at.1 <= drawing.size.1));
        places.sort_unstable();
        let count = places.len();
        places.dedup();
        assert_eq!(places.len(), count, "{}: two spots in one place", playable.name);
    }
}

#[test]
fn the_text_of_a_game_tells_the_whole_game() {
    for playable in games() {
        let round = play_out(playable, 11, |_| {});
        let text = round.text();
        let again = Round::read(&text).unwrap();
        assert_eq!(again.text(), text);
        assert_eq!(again.state().standing(), round.state().standing());
        assert_eq!(again.state().moves(), round.state().moves());
        assert!(text.len() < LONGEST_TEXT);
    }
}

#[test]
fn a_game_that_an_editor_has_saved_is_read_whole() {
    let broken = "\u{feff}keur-game 1\r\ngame alquerque\r\nsetup bbbbb/bbbbb/bb.ww/wwwww/wwwww w\r\nmoves 17-13\r\n 9-17\r\n";
    let moves: Vec<String> =
        Round::read(broken).unwrap().moves().map(|played| played.chosen.to_string()).collect();
    assert_eq!(moves, ["17-13", "9-17"]);
}

#[test]
fn a_beginning_of_random_follows_from_its_number() {
    for playable in games() {
        assert_eq!(playable.start(None, 5).unwrap(), playable.start(None, 5).unwrap());
    }
    for name in ["codenames", "yinyang"] {
        let start = |seed| playable(name).unwrap().start(None, seed).unwrap();
        assert_ne!(start(5), start(6), "{name}");
    }
}

#[test]
fn a_game_begins_on_a_board_of_each_of_its_sizes_and_no_other() {
    for playable in games() {
        let Some(sizes) = &playable.sizes else {
            assert_eq!(playable.start(Some(5), 0).unwrap_err().id, "play-one-size");
            continue;
        };
        let usual = Round::new(playable, &playable.start(None, 1).unwrap()).unwrap();
        assert_eq!(usual.state().rows(), Some(sizes.usual), "{}", playable.name);
        for rows in sizes.rows.clone() {
            // A puzzle of the most rows takes seconds without optimisation.
            if is_puzzle(playable) && rows > 7 {
                continue;
            }
            let round = Round::new(playable, &playable.start(Some(rows), 1).unwrap()).unwrap();
            assert_eq!(round.state().rows(), Some(rows), "{}", playable.name);
        }
        for rows in [0, sizes.rows.start() - 1, sizes.rows.end() + 1] {
            assert_eq!(playable.start(Some(rows), 1).unwrap_err().id, "play-size-unknown");
        }
    }
    for (name, setup) in [("pipopipette", "4x5"), ("codenames", "2x5 #1")] {
        assert_eq!(game(name, setup, "").state().rows(), None);
    }
}

#[test]
fn a_text_that_is_no_game_is_refused() {
    for (text, id) in [
        ("", "play-text-header"),
        ("keur-game 2\ngame quixo", "play-text-header"),
        ("keur-game 1\nsetup 4x4", "play-text-line"),
        ("keur-game 1\ngame chess\nsetup x\nmoves", "play-text-game"),
        ("keur-game 1\ngame pipopipette\nsetup 4x\nmoves", "play-setup-pipopipette"),
        ("keur-game 1\ngame pipopipette\nsetup 4x4\n", "play-text-line"),
        ("keur-game 1\ngame pipopipette\nsetup 4x4\nmoves H0,0 H0,0", "play-text-move"),
    ] {
        assert_eq!(Round::read(text).err().unwrap().id, id, "{text}");
    }
}

#[test]
fn a_beginning_that_is_none_is_refused() {
    for (name, setups) in [
        ("alquerque", &["", "w", "wwwww/wwwww/wwwww/wwwww/wwww w", "...../...../...../...../..... w"][..]),
        ("alquerque", &["bbbbb/bbbbb/bb.ww/wwwww/wwwww W", "bbbbb/bbbbb/bb-ww/wwwww/wwwww w", "é/b/b/b/b w"]),
        (
            "codenames",
            &["5x5", "5x5 #", "5x5 #-1", "0x9 #1", "2x3 #1", "99x99 #1", "5x5 #99999999999999999999"],
        ),
        ("quixo", &["", "--/-- X", "---/---/-- X", "---/---/--- Z", "---/---/---", "---/---/--é X"]),
        ("yinyang", &["", "--", "WW/WW", "W-/-b", "----------"]),
        ("pipopipette", &["", "1x4", "4x1", "4", "4x4x4", "10x4", "-2x4"]),
    ] {
        for setup in setups {
            assert!(Round::new(playable(name).unwrap(), setup).is_err(), "{name}: {setup}");
        }
    }
}

#[test]
fn a_refused_move_of_alquerque_says_its_rule() {
    let fresh = playable("alquerque").unwrap().start(None, 0).unwrap();
    let mut round = game("alquerque", &fresh, "17-13");
    check_refused(&mut round, "17-12", "play-no-piece");
    check_refused(&mut round, "18-17", "play-not-yours");
    check_refused(&mut round, "7-12", "play-occupied");
    check_refused(&mut round, "8-17", "play-no-line");
    check_refused(&mut round, "26-17", "play-no-field");
    check_refused(&mut round, "9", "play-two-fields");
    check_refused(&mut round, "1", "play-cannot-move");
    check_refused(&mut round, "13", "play-not-yours");
    check_refused(&mut round, "", "play-no-move");
    check_refused(&mut round, "7-8-9", "play-no-move");
    check_refused(&mut round, "\u{1b}[2J a b c", "play-no-move");
    let mut round = game("alquerque", "w..../...../..w../..b../b.... b", "");
    check_refused(&mut round, "18-17", "play-not-forward");
    check_refused(&mut round, "21-13", "play-occupied");
    check_refused(&mut round, "21-11", "play-nothing-to-capture");
    let mut round = game("alquerque", "...../...../..b../..w../..... w", "18-8");
    check_refused(&mut round, "8-3", "play-over");
    assert_eq!(round.state().standing(), GameStanding::Won(0));
}

#[test]
fn a_capture_is_told() {
    let round = game("alquerque", "...../...../..b../..w../b.... w", "18-8");
    assert_eq!(round.last().unwrap().effect.taken, ["13"]);
    assert_eq!(round.told().unwrap().say(&words(Lang::En)), "White: 18-8, captures 13");
}

#[test]
fn a_refused_move_of_the_others_says_its_rule() {
    let mut quixo = game("quixo", "---/---/--- X", "A1-A3");
    check_refused(&mut quixo, "A3-A1", "play-not-your-die");
    check_refused(&mut quixo, "B2-B1", "play-not-on-ring");
    check_refused(&mut quixo, "C1-B3", "play-no-end");
    check_refused(&mut quixo, "D1-A1", "play-off-board");
    check_refused(&mut quixo, "A0-A1", "play-no-cell-name");
    check_refused(&mut quixo, "C1", "play-two-fields");
    check_refused(&mut quixo, "A3", "play-not-your-die");
    check_refused(&mut quixo, "B2", "play-not-on-ring");
    check_refused(&mut quixo, "C9", "play-off-board");
    let mut yinyang = game("yinyang", "WW--/----/----/---B", "w-A2");
    check_refused(&mut yinyang, "w-B2", "play-square");
    check_refused(&mut yinyang, "b-A2", "play-filled");
    check_refused(&mut yinyang, "x-A1", "play-given");
    check_refused(&mut yinyang, "x-C3", "play-empty");
    check_refused(&mut yinyang, "w-E5", "play-off-board");
    check_refused(&mut yinyang, "z-C3", "play-stone-and-cell");
    check_refused(&mut yinyang, "A1", "play-given");
    check_refused(&mut yinyang, "E5", "play-off-board");
    let mut dots = game("pipopipette", "2x2", "H0,0");
    check_refused(&mut dots, "h0,0", "play-drawn");
    check_refused(&mut dots, "H0,1", "play-off-board");
    check_refused(&mut dots, "A1", "play-no-line-name");
    let mut codenames = game("codenames", "5x5 #3", "A1");
    check_refused(&mut codenames, "A1", "play-open");
    check_refused(&mut codenames, "F1", "play-off-board");
    check_refused(&mut codenames, "A1-A2", "play-one-spot");
}

#[test]
fn every_row_has_its_words_in_every_language() {
    for words in Lang::ALL.iter().copied().map(words) {
        let known = |id: &str| assert_ne!(words.say(id), id);
        for playable in games() {
            for about in ["title", "goal", "typed"] {
                known(&format!("play-{about}-{}", playable.name));
            }
            playable.sides.iter().for_each(|side| known(side));
            play_out(playable, 1, |round| {
                for spot in round.state().drawing().spots {
                    if spot.kind == Kind::Button {
                        known(&format!("play-button-{}", spot.name));
                    }
                    if let Some(piece) = spot.piece {
                        known(piece.word);
                    }
                }
            });
        }
    }
}

#[test]
fn advice_can_be_followed() {
    let level = Level { depth: NonZeroU32::new(2), time: None };
    for playable in games() {
        let Some(make) = playable.adviser else { continue };
        let mut adviser = make();
        let mut round = Round::new(playable, &playable.start(None, 2).unwrap()).unwrap();
        for _ in 0..200 {
            let thought = adviser.think(round.state(), level, &|| false);
            let over = !matches!(round.state().standing(), GameStanding::Turn(_));
            assert_eq!(thought.is_none(), over, "{}", playable.name);
            let Some(thought) = thought else { break };
            assert_eq!(thought.line.first(), Some(&thought.best));
            round.play(&thought.best.to_string()).unwrap();
        }
        let end = round.state().standing();
        assert!(!matches!(end, GameStanding::Turn(_)), "{} did not end", playable.name);
        if is_puzzle(playable) {
            assert_eq!(end, GameStanding::Solved);
        }
    }
}

#[test]
fn quixo_is_a_draw_at_the_third_occurrence_of_a_position() {
    let setup = "XOOX/OXOX/XOXO/OXXO X";
    let around = "A1-D1 A4-D4 D1-A1 D4-A4 ";
    let mut quixo = game("quixo", setup, &around.repeat(2)[..around.len() * 2 - 6]);
    assert_eq!((quixo.state().standing(), quixo.state().notes().len()), (GameStanding::Turn(1), 0));
    quixo.play("D4-A4").unwrap();
    assert_eq!(
        (quixo.state().standing(), quixo.state().notes()[0].id),
        (GameStanding::Draw, "play-repeated")
    );
    assert!(quixo.state().moves().is_empty());
    check_refused(&mut quixo, "A1-D1", "play-over");
    quixo.undo(&[Seat::Human, Seat::Human]);
    assert_eq!(quixo.state().standing(), GameStanding::Turn(1));
}

#[test]
fn an_empty_board_is_even() {
    let words = words(Lang::En);
    for name in ["quixo", "pipopipette"] {
        let playable = playable(name).unwrap();
        let round = Round::new(playable, &playable.start(None, 0).unwrap()).unwrap();
        let level = Level { depth: NonZeroU32::new(4), time: None };
        let thought = (playable.adviser.unwrap())().think(round.state(), level, &|| false).unwrap();
        assert!(thought.said.say(&words).starts_with("even"), "{name}: {}", thought.said.say(&words));
    }
}

#[test]
fn the_computer_beats_chance() {
    const GAMES: u64 = 6;
    let level = Level { depth: NonZeroU32::new(2), time: None };
    for (name, rows) in [("quixo", 5), ("quixo", 3), ("pipopipette", 4), ("pipopipette", 5)] {
        let playable = playable(name).unwrap();
        let mut computer = (playable.adviser.unwrap())();
        let mut won = 0;
        for seed in 0..GAMES {
            let own_side = seed as usize % 2;
            let mut random = Random::new(seed);
            let mut round = Round::new(playable, &playable.start(Some(rows), seed).unwrap()).unwrap();
            while let GameStanding::Turn(side) = round.state().standing() {
                let chosen = if side == own_side {
                    computer.think(round.state(), level, &|| false).unwrap().best
                } else {
                    let moves = round.state().moves();
                    moves[random.below(moves.len())].clone()
                };
                round.play(&chosen.to_string()).unwrap();
            }
            won += u64::from(round.state().standing() == GameStanding::Won(own_side));
        }
        assert_eq!(won, GAMES, "{name} of {rows} rows");
    }
}

#[test]
fn a_hint_of_yinyang_gives_the_easiest_reason() {
    #[track_caller]
    fn check(setup: &str, moves: &str, best: &str, why: &str) {
        let mut solver = (playable("yinyang").unwrap().adviser.unwrap())();
        let found = solver.think(game("yinyang", setup, moves).state(), TOP, &|| false).unwrap();
        assert_eq!((found.best.to_string().as_str(), found.said.id), (best, why), "{setup} {moves}");
    }
    check("WW--/W---/----/---B", "", "b-B2", "play-hint-square");
    check("----/-WB-/-B--/----", "", "b-C3", "play-hint-crossing");
    check("W--B/----/----/B---", "", "b-D2", "play-hint-edge");
    check("----/----/----/----", "", "b-A1", "play-hint-fill");
}

#[test]
fn a_cell_alone_gets_its_next_colour() {
    let board = |round: &Round| -> String {
        let cells = round.state().drawing().spots.into_iter().filter(|spot| spot.kind == Kind::Cell);
        cells.map(|cell| cell.piece.map_or('-', |piece| piece.tone.name().chars().next().unwrap())).collect()
    };
    let mut yinyang = game("yinyang", "W--/---/--B", "");
    for shown in ["l-l-----d", "l-d-----d", "l-------d", "l-l-----d"] {
        yinyang.play("c1").unwrap();
        assert_eq!(board(&yinyang), shown);
    }
    // A colour that would complete a square is left out; if both would, there is none to give.
    let mut yinyang = game("yinyang", "WW-/W--/---", "B2");
    assert_eq!(board(&yinyang), "ll-ld----");
    yinyang.play("B2").unwrap();
    assert_eq!(board(&yinyang), "ll-l-----");
    let mut both = game("yinyang", "WW-/W-B/-BB", "");
    check_refused(&mut both, "B2", "play-square");
}

#[test]
fn a_wrong_cell_is_advised_to_be_wiped_out() {
    let fresh = playable("yinyang").unwrap().start(None, 4).unwrap();
    let mut round = Round::new(playable("yinyang").unwrap(), &fresh).unwrap();
    let mut solver = (playable("yinyang").unwrap().adviser.unwrap())();
    let right = solver.think(round.state(), TOP, &|| false).unwrap().best;
    let other = if right.from.as_deref() == Some("w") { "b" } else { "w" };
    round.play(&format!("{other}-{}", right.to)).unwrap();
    let wiped = solver.think(round.state(), TOP, &|| false).unwrap();
    assert_eq!((wiped.best, wiped.said.id), (Move::between("x", right.to), "play-hint-wrong"));
}

/// Thinks until it is stopped.
struct Ponderer;

impl Adviser for Ponderer {
    fn think(&mut self, game: &dyn GameState, _: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
        let patience = Duration::from_secs(60);
        let begun = Instant::now();
        while !stop() {
            assert!(begun.elapsed() < patience, "nothing was heard");
            std::thread::sleep(Duration::from_millis(1));
        }
        let best = game.moves().first()?.clone();
        Some(Thought { line: vec![best.clone()], best, said: Message::new("play-score-even"), score: None })
    }
}

#[test]
fn commands_are_heard_while_the_computer_thinks() {
    let &Playable { name, messages, sides, tones, fresh, begin, .. } = playable("alquerque").unwrap();
    let adviser: fn() -> Box<dyn Adviser> = || Box::new(Ponderer);
    let pondering = Playable {
        name,
        messages,
        sides,
        tones,
        adviser: Some(adviser),
        computer: true,
        sizes: None,
        fresh,
        begin,
    };
    let options = GameOptions {
        seats: vec![Some(Seat::Human), Some(Seat::Computer)],
        level: Some(TOP),
        ..GameOptions::default()
    };
    let lines = Lines::heard("17-13\nmoves\n9-17\nhint\nundo\n18-13\nquit\n17-13\n".as_bytes());
    let mut output = Vec::new();
    let mut terminal = Terminal::new(lines, &mut output, words(Lang::En));
    terminal.play(Box::leak(Box::new(pondering)), &options).unwrap();
    let said = String::from_utf8(output).unwrap();
    let mut rest = said.as_str();
    for text in
        ["White: 17-13", "thinking", "9-17", "wait: it is", "wait: it is", "White> White: 18-13", "Goodbye!"]
    {
        rest = rest.split_once(text).unwrap_or_else(|| panic!("no {text} in\n{said}")).1;
    }
    assert!(rest == "\n" && !said.contains("Black: "), "{said}");
}

#[test]
fn undo_goes_back_to_a_humans_turn() {
    let fresh = playable("alquerque").unwrap().start(None, 0).unwrap();
    let mut round = game("alquerque", &fresh, "17-13 9-17");
    assert_eq!(round.undo(&[Seat::Human, Seat::Computer]), 2);
    assert_eq!(round.undo(&[Seat::Human, Seat::Computer]), 0);
    let mut round = game("alquerque", &fresh, "17-13 9-17");
    assert_eq!(round.undo(&[Seat::Human, Seat::Human]), 1);
    let mut round = game("alquerque", &fresh, "17-13");
    assert_eq!(round.undo(&[Seat::Computer, Seat::Human]), 0, "there is no move of a human");
    assert_eq!(round.count(), 1);
}

#[test]
fn a_level_is_read_as_it_is_written() {
    assert_eq!(read_level("4").unwrap().depth, NonZeroU32::new(4));
    assert_eq!(read_level("top"), Some(TOP));
    assert!(read_level("1.5s").is_some_and(|level| level.depth.is_none()));
    for text in ["", "0", "31", "-1", "2h", "deep", "0s"] {
        assert_eq!(read_level(text), None, "{text}");
    }
}
