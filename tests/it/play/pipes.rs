//! Games over pipes.

use super::keur;
use crate::running::{Run, run_with_input};
use std::path::Path;

#[track_caller]
fn run(home: &Path, arguments: &[&str], typed: &[u8]) -> Run {
    run_with_input(&mut keur(arguments, home), typed)
}

/// Plays, and expects exit code 0 and each text after the one before.
#[track_caller]
fn check_in(home: &Path, arguments: &[&str], typed: &[u8], said: &[&str]) -> String {
    let played = run(home, arguments, typed);
    assert_eq!((played.code, played.err.as_str()), (0, ""), "{}", played.out);
    // A text may be broken between words.
    let unbroken = played.out.replace('\n', " ");
    let mut rest = unbroken.as_str();
    for text in said {
        let Some(at) = rest.find(text) else {
            panic!("{text:?} is not said, or too early, in\n{}", played.out)
        };
        rest = &rest[at + text.len()..];
    }
    played.out
}

#[track_caller]
fn check(arguments: &[&str], typed: &str, said: &[&str]) -> String {
    check_in(tempfile::tempdir().unwrap().path(), arguments, typed.as_bytes(), said)
}

/// The arguments of a game between two people.
const ALONE: &[&str] = &["--first", "human", "--second", "human"];
const HUMANS: &[&str] = &["alquerque", "--white", "human", "--black", "human"];
/// A starting position that White wins with a capture, a move of Black and a capture.
const SHORT: &[&str] =
    &["alquerque", "--white", "human", "--black", "human", "--setup", "b..../...../..b../..w../..... w"];

#[test]
fn two_humans_play_a_whole_game() {
    let said = [
        "White> ", "White: 18-8, captures 13", "[w 8]", "Pieces: White 1, Black 1", "Black> ", "Black: 1-7",
        "White: 8-6, captures 7", "White has won!", "(over)> ", "Goodbye!",
    ];
    check(SHORT, "18-8\n1 7\n  8 -  6  \n", &said);
}

#[test]
fn things_beside_the_board_are_a_list() {
    let out = check(&["yinyang", "--size", "6"], "quit\n", &["w = White", "b = Black", "x = erase"]);
    let column =
        |text: &str| out.lines().find_map(|line| line.find(text).map(|at| line[..at].chars().count()));
    assert_eq!(column("w = White"), column("x = erase"), "{out}");
}

#[test]
fn a_draw_says_who_cannot_move() {
    let humans = &SHORT[..5];
    for (lang, stuck, draw) in [
        ("nl", "Zwart kan geen zet meer doen.", "Het spel eindigt in een gelijkspel."),
        ("da", "Sort kan ikke trække.", "Spillet er uafgjort."),
        ("en", "Black cannot move.", "The game is a draw."),
    ] {
        let setup = ["--setup", "...../w..../...../...../....b w", "--lang", lang];
        let out = check(&[humans, &setup].concat(), "6 1\n", &[stuck, draw]);
        assert_eq!(out.matches(stuck).count(), 1, "{out}");
    }
}

#[test]
fn a_list_of_moves_breaks_between_moves_where_a_screen_ends() {
    let out =
        check(&[&["quixo", "--size", "5"], ALONE].concat(), "moves\n", &["A1-E1  A1-A5", "E5-A5", "E5-E1"]);
    let lines: Vec<&str> = out.lines().filter(|line| line.contains("-E")).collect();
    assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= 80), "{out}");
    assert!(lines.iter().all(|line| !line.starts_with(' ') && !line.ends_with(' ')), "{out}");
}

#[test]
fn every_line_fits_on_a_screen_of_80_columns() {
    for game in keur_core::exercises::games() {
        let largest = game.sizes.as_ref().map(|sizes| sizes.rows.end().to_string());
        for lang in ["nl", "da", "en"] {
            // A new puzzle of the most rows takes seconds without optimisation.
            let size = largest.as_deref().filter(|_| game.sides.len() > 1).map(|rows| ["--size", rows]);
            let arguments =
                [&[game.name, "--lang", lang][..], size.as_ref().map_or(&[], |size| &size[..])].concat();
            // Each question gets a wrong answer, help and the usual answer. (A puzzle asks nothing but its size.)
            let typed =
                "robot\nhelp\n\n".repeat(3) + "help\nhint\nmoves\nA99\nx y z\nsave\nload no such file\n";
            let played = run(tempfile::tempdir().unwrap().path(), &arguments, typed.as_bytes());
            let long = played.out.lines().find(|line| line.chars().count() > 80);
            assert_eq!((played.code, long), (0, None), "{game} in {lang}:\n{}", played.out, game = game.name);
            assert!(played.out.lines().any(|line| line.chars().count() > 70), "{}", played.out);
        }
    }
}

#[test]
fn two_computers_play_a_whole_game() {
    let arguments = ["alquerque", "--white", "computer", "--black", "computer", "--depth", "2"];
    let out = check(&arguments, "", &["The computer thinks: ", "White: ", "Black: ", "Goodbye!"]);
    assert!(out.contains("has won!") || out.contains("The game is a draw."), "{out}");
}

#[test]
fn a_human_plays_the_computer_on_either_side() {
    let white = ["alquerque", "--white", "human", "--black", "computer", "--depth", "1"];
    check(
        &white,
        "17-13\n",
        &[
            "White> ", "White: 17-13", "The computer is thinking", "The computer thinks: ", "Black: ",
            "White> ",
        ],
    );
    let black = ["alquerque", "--white", "computer", "--black", "human", "--depth", "3"];
    check(&black, "undo\n", &["White: ", "Black> ", "you have no move to take back", "Black> "]);
}

#[test]
fn the_computer_plays_quixo_and_dots() {
    let dots = ["pipopipette", "--size", "2", "--first", "human", "--second", "computer", "--depth", "4"];
    let said = ["a forced win within 3 moves", "B: H1,0", "Hint: ", "a win with the next move", "B has won!"];
    check(&dots, "H0,0\nhint\nV0,0\n", &said);
    // It completes its line.
    let quixo = ["quixo", "--setup", "---/XX-/O-- X", "--first", "computer", "--second", "human"];
    check(&[&quixo[..], &["--depth", "1"]].concat(), "", &["a win with the next move", "Cross has won!"]);
    let both = ["quixo", "--size", "4", "--first", "computer", "--second", "computer", "--depth", "2"];
    let out = check(&both, "", &["Cross: ", "Circle: ", "Goodbye!"]);
    assert!(out.contains("has won!") || out.contains("for the third time"), "{out}");
}

#[test]
fn the_computer_thinks_for_a_time() {
    let white = ["alquerque", "--white", "human", "--black", "computer", "--time", "200ms"];
    check(&white, "17-13\nundo\n18-13\n", &["Black: ", "White> ", "White: 18-13", "Black: "]);
}

#[test]
fn omitted_arguments_are_asked_for() {
    let said = [
        "Who plays White, human or computer? [human]",
        "“robot” is not an answer",
        "Who plays White",
        "Who plays Black, human or computer? [computer]",
        "How strong?",
        "“deep” is not a level",
        "How strong?",
        "White> ",
    ];
    check(&["alquerque"], "robot\nHUMAN\n\ndeep\n2\n", &said);
    let level = check(&["alquerque", "--white", "human", "--black", "human"], "", &["White> "]);
    assert!(!level.contains("How strong?"));
    check(&["alquerque", "--lang", "nl"], "mens\nm\n", &["Wie speelt Wit", "Wie speelt Zwart", "Wit> "]);
    check(&["alquerque"], "", &["Who plays White", "Goodbye!"]);
}

#[test]
fn every_question_takes_help_and_quit() {
    let said = [
        "Who plays White",
        "keur plays this side",
        "type quit to stop",
        "Who plays White",
        "Who plays Black",
        "How strong?",
        "looks ahead",
        "How strong?",
        "White> ",
        "Type a move, for example 17-13",
        "Goodbye!",
    ];
    check(&["alquerque"], "help\n\n\nHELP\n\nhelp\nquit\n", &said);
    for typed in ["quit\n\n", "\nQuit\n\n", "\n\n quit \n\n", "\n\n\nquit\n17-13\n"] {
        let out = check(&["alquerque"], typed, &["Goodbye!"]);
        assert!(!["is not", "White: "].iter().any(|text| out.contains(text)), "{out}");
    }
}

#[test]
fn the_size_of_the_board_is_asked_or_given() {
    let said =
        ["How many rows and columns? 3 to 9 [5]", "as many rows as columns", "“10” is not a size", "A4"];
    let out = check(&["quixo"], "help\n10\nfive\n4\n\nhuman\nmoves\n", &said);
    assert!(!out.contains("A5"), "{out}");
    check(&["yinyang"], "\n", &["4 to 9 [6]", "Cells still to colour: "]);
    check(&["pipopipette"], "2\n\nhuman\nH0,0\n", &["of dots? 2 to 9 [4]", "A: H0,0"]);
    let out = check(&["codenames", "--size", "3"], "pass\n", &["Red ", ": pass"]);
    assert!(!out.contains("How many"), "{out}");
}

#[test]
fn a_wrong_input_says_the_rule_it_breaks_and_the_game_goes_on() {
    let typed = "17-12\n18 12\n9-17\n13\n17\n99-3\nfly me away\n\n\u{1b}[31m-\u{7}\n17-13\n";
    let said = [
        "17-12",
        "12 is not empty",
        "12 is not empty",
        "the piece on 9 is not yours: it is White's turn",
        "there is no piece on 13",
        "> 13<",
        "17 may go to: 13",
        "99 is not a field",
        "“fly me away” is not a move",
        "White: 17-13",
    ];
    let out = check(HUMANS, typed, &said[1..]);
    assert!(!out.contains(['\u{1b}', '\u{7}']), "what was typed reached the terminal raw");
}

#[test]
fn undo_help_moves_and_hint() {
    let typed = "help\nmoves\n17-13\nundo\nundo\nhint\nQUIT\n17-13\n";
    let said = [
        "Type a move, for example 17-13",
        "save FILE",
        "17-13",
        "White: 17-13",
        "White> ",
        "you have no move to take back",
        "Hint: ",
        "Expected play: ",
        "Goodbye!",
    ];
    let out = check(HUMANS, typed, &said);
    assert_eq!(out.matches("White: 17-13").count(), 1, "the game went on after quit");
}

#[test]
fn several_moves_are_taken_back_at_once() {
    let out = check(
        HUMANS,
        "17-13\n9-17\n21-13\nundo 2\nundo two\nundo 9\n17-13\n",
        &["type a number after undo", "White> "],
    );
    assert_eq!(out.matches("White: 17-13").count(), 3, "{out}");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let home = tempfile::tempdir().unwrap();
    check_in(home.path(), SHORT, b"18-8\nsave game\nsave game\n", &["Saved in game", "Saved in game"]);
    let saved = std::fs::read_to_string(home.path().join("game")).unwrap();
    assert!(saved.ends_with("setup b..../...../..b../..w../..... w\nmoves 18-8\n"), "{saved}");
    let said = ["White: 18-8, captures 13", "Black> ", "Black: 1-7", "White> "];
    check_in(home.path(), HUMANS, b"load game\n1-7\n", &said);
    std::fs::write(home.path().join("thesis"), "years of work").unwrap();
    let typed = b"save thesis\nload thesis\nload nowhere\nsave no/such/folder\nsave\nload .\n";
    let said = [
        "thesis is not a saved game",
        "thesis cannot be loaded: the text of a game must begin with",
        "nowhere cannot be loaded",
        "no/such/folder cannot be written",
        "type a file name too",
        ". cannot be loaded",
    ];
    check_in(home.path(), HUMANS, typed, &said);
    assert_eq!(std::fs::read_to_string(home.path().join("thesis")).unwrap(), "years of work");
    check_in(
        home.path(),
        &[&["quixo", "--size", "5"], ALONE].concat(),
        b"load game\nA1-A5\n",
        &["that is another game, Alquerque", "Cross: A1-A5"],
    );
}

#[test]
fn input_that_is_no_text_or_has_no_end_is_survived() {
    let home = tempfile::tempdir().unwrap();
    check_in(home.path(), HUMANS, b"\xff\xfe\x00\n17-13", &["is not a field", "White: 17-13", "Goodbye!"]);
    let endless = vec![b'x'; 100_000];
    check_in(home.path(), HUMANS, &endless, &["is not a move", "Goodbye!"]);
}

#[test]
fn the_other_games_are_played_in_every_language() {
    let dots = "h0,0\nV0,0\nH1,0\nV0,1\n";
    let of_two = |lang| [&["pipopipette", "--setup", "2x2", "--lang", lang], ALONE].concat();
    check(&of_two("en"), dots, &["A: H0,0", "Boxes: A 0, B 1", "B has won!"]);
    check(&of_two("nl"), dots, &["Vakjes: A 0, B 1", "B heeft gewonnen!"]);
    check(&of_two("da"), dots, &["Kasser: A 0, B 1", "B har vundet!"]);
    let quixo = "A1-A3\nB1-B3\nA1-A3\nB1-B3\na1 a3\n";
    check(
        &[&["quixo", "--setup", "---/---/--- X"], ALONE].concat(),
        quixo,
        &["Cross: A1-A3", "Circle: B1-B3", "Cross has won!"],
    );
    let yinyang = "w-A1\nhint\nb-B1\nw-A2\nb-B2\n";
    check(&["yinyang", "--setup", "--/--"], yinyang, &["Hint: ", "Solved!"]);
    check(
        &["codenames", "--setup", "5x5 #3"],
        "pass\nA1\nhint\n",
        &[": pass", ": A1", "this card belongs to your team"],
    );
}

#[test]
fn the_language_is_that_of_the_environment() {
    let home = tempfile::tempdir().unwrap();
    for (value, title) in [
        ("da_DK.UTF-8", "Prikker og kasser"),
        ("nl_BE", "Game of dots\nTrek"),
        ("fr_FR", "Dots and Boxes (Game of dots)\nDraw"),
    ] {
        let played = run_with_input(keur(&["pipopipette"], home.path()).env("LANG", value), "");
        assert!(played.out.starts_with(title), "{value}");
    }
}

#[test]
fn colour_is_never_the_only_mark() {
    let plain = check(SHORT, "18-8\n1\n", &["[w 8]", "( 18)", ">  6<"]);
    let mut arguments = SHORT.to_vec();
    arguments.extend(["--color", "always"]);
    let coloured = check(&arguments, "18-8\n1\n", &["\u{1b}["]);
    let mut stripped = String::new();
    for part in coloured.split('\u{1b}') {
        stripped += if stripped.is_empty() { part } else { part.split_once('m').unwrap().1 };
    }
    assert_eq!(stripped, plain);
}

#[test]
fn a_wrong_call_is_refused_before_the_game() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, why) in [
        (&["chess"][..], "alquerque"),
        (&["codenames", "--depth", "2"], "the computer does not play codenames"),
        (&["alquerque", "--depth", "0"], "1 to 30"),
        (&["alquerque", "--time", "soon"], "is not a time"),
        (&["alquerque", "--setup", "x"], "a starting position is five rows"),
        (&["pipopipette", "--setup", "99x99", "--browser"], "the number of rows and columns of dots"),
        (&["quixo", "--size", "99"], "“99” is not a size: type a number from 3 to 9"),
        (&["quixo", "--size", "4", "--setup", "---/---/--- X"], "cannot be used with"),
        (&["alquerque", "--size", "5"], "this game has one size"),
        (&["alquerque", "--no-open"], "--browser"),
        (&["alquerque", "--lang", "fr"], "nl, da, en"),
    ] {
        let refused = run(home.path(), arguments, b"");
        assert!(refused.code == 2 && refused.err.contains(why), "{arguments:?}: {}", refused.err);
    }
}
