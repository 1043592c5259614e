//! Games on the page, played with mouse and keys. The screenshots are in `target/screenshots/play`
//! afterwards.

use super::page::{ENTER, HUMANS, PATIENCE, PHONE, Page, SHORT, WIDE, play, screenshots};
use super::webdriver::Look;
use crate::required::needs;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const DARK: Look = Look { width: 1100, dark: true };
const DARK_PHONE: Look = Look { width: 360, dark: true };
const ESCAPE: char = '\u{E00C}';
const UP: char = '\u{E013}';
const DOWN: char = '\u{E015}';
const LEFT: char = '\u{E012}';
const RIGHT: char = '\u{E014}';

/// The time that a reload gets, after which a server without a tab would have ended.
const RELOAD: Duration = Duration::from_secs(5);

/// The number of visible marks.
const MARKS: &str = "return [...document.querySelectorAll('.mark')]\
    .filter(e => getComputedStyle(e).visibility === 'visible').length";

/// The width of the page without what is drawn of the board.
const DRAWN_BESIDE: &str = "const parts = [...document.querySelectorAll('#board > *')].map(e => e.getBoundingClientRect());\
    return innerWidth - Math.max(...parts.map(r => r.right)) + Math.min(...parts.map(r => r.left))";

#[test]
fn a_whole_game_by_clicks() {
    needs!(Browser);
    let page = play(SHORT);
    page.wait_for_status("It is White's turn");
    page.click("18");
    page.wait("document.querySelectorAll('.spot.is-target').length === 1");
    page.picture("alquerque-picked");
    page.click("8");
    page.wait_for_status("White: 18-8, captures 13. It is Black's turn");
    page.wait("document.querySelector('.spot[data-name=\"13\"]').classList.contains('is-taken')");
    page.click("1");
    page.click("7");
    page.wait_for_status("It is White's turn");
    page.click("8");
    page.click("6");
    page.wait_for_status("White has won!");
    page.picture("alquerque-won");
    assert_eq!(page.browser.script("return state.moves.length"), json!(0));
    page.click_on("#undo");
    page.wait_for_status("It is White's turn");
    assert_eq!(page.count(), 2);
    page.check_quiet();
}

#[test]
fn a_whole_game_by_keys() {
    needs!(Browser);
    let page = play(SHORT);
    page.browser.script("document.querySelector('.spot[tabindex=\"0\"]').focus()");
    page.walk(&[DOWN, DOWN, DOWN, RIGHT, RIGHT], "18");
    page.keys(&[ENTER]);
    page.wait("picked === '18'");
    page.keys(&[ESCAPE]);
    page.wait("picked === null");
    page.keys(&[' ']);
    page.walk(&[UP, UP], "8");
    let seen = "return [...document.querySelectorAll('.mark.focus')]\
                .filter(e => getComputedStyle(e).visibility === 'visible').length";
    assert_eq!(page.browser.script(seen), json!(1), "the focus is not to be seen");
    page.picture("alquerque-keys");
    page.keys(&[ENTER]);
    page.wait_for_status("White: 18-8, captures 13");
    page.walk(&[UP, LEFT, LEFT], "1");
    page.keys(&[ENTER]);
    page.walk(&[DOWN, RIGHT], "7");
    page.keys(&[ENTER]);
    page.wait_for_status("Black: 1-7");
    page.walk(&[RIGHT], "8");
    page.keys(&[ENTER]);
    page.walk(&[LEFT, LEFT], "6");
    page.keys(&[ENTER]);
    page.wait_for_status("White has won!");
    page.check_quiet();
}

#[test]
fn undo_is_disabled_without_a_move_of_a_person() {
    needs!(Browser);
    let disabled = |page: &Page| page.browser.script("return document.getElementById('undo').disabled");
    let page = play(HUMANS);
    assert_eq!(disabled(&page), json!(true));
    page.click("17");
    page.click("13");
    page.wait_for_status("White: 17-13");
    page.browser.script("document.getElementById('undo').focus()");
    page.keys(&[ENTER]);
    page.wait("state.count === 0");
    assert_eq!(disabled(&page), json!(true));
    // A player who uses keys is at the board again, not at the top of the page.
    page.wait("document.activeElement.closest('#board') !== null");
    let page = play(&["alquerque", "--white", "computer", "--black", "computer", "--depth", "1"]);
    page.wait("state.count > 1");
    assert_eq!(disabled(&page), json!(true), "the moves are the computer's");
    page.check_quiet();
}

#[test]
fn pieces_are_dragged_and_refused_moves_say_why() {
    needs!(Browser);
    let page = play(HUMANS);
    page.drag("17", "13");
    page.wait_for_status("White: 17-13");
    page.drag("9", "24");
    page.wait_for_refusal("24 is not empty");
    page.click("18");
    page.wait_for_refusal("it is Black's turn");
    page.click("17");
    page.wait_for_refusal("there is no piece on 17");
    page.picture("alquerque-refused");
    assert_eq!(page.count(), 1);
    page.drag("9", "17");
    page.wait_for_status("Black: 9-17, captures 13");
    page.click_on("#hint");
    page.wait("document.getElementById('hinted').textContent.includes('Hint: ')");
    page.wait("document.querySelectorAll('#board .is-hint').length === 2");
    page.picture("alquerque-hint");
    page.browser.look(Look { width: 860, dark: false });
    page.wait("document.getElementById('evaluation').textContent !== ''");
    page.browser.picture("html", 770, &screenshots().join("readme.png"));
    page.check_quiet();
}

#[test]
fn the_computer_plays_a_whole_game_and_a_side() {
    needs!(Browser);
    let page = play(&["alquerque", "--white", "human", "--black", "computer", "--depth", "1"]);
    page.click("17");
    page.click("13");
    page.wait("state.thinking");
    page.click("18");
    page.wait_for_refusal("wait: it is the computer's turn");
    page.wait("state.count === 2 && !state.thinking");
    let refused = page.browser.script("return document.getElementById('refused').textContent");
    assert_eq!(refused, json!(""), "the error outlives the turn");
    page.click_on("#undo");
    page.wait("state.count === 0");
    // The select is changed as a user does: open it and type.
    page.browser.script("document.querySelector('#seats select').focus()");
    page.keys(&['c', ENTER]);
    page.wait("state.computers[0]");
    page.wait("state.over");
    assert!(page.count() > 2, "the computers made no move");
    page.picture("alquerque-over");
    page.check_quiet();
}

#[test]
fn the_computer_plays_dots_and_quixo_on_the_page() {
    needs!(Browser);
    let page = play(&["pipopipette", "--size", "3"]);
    page.click("H0,0");
    page.wait("state.count === 2 && !state.thinking");
    let (line, share) = ("#board .layer .blue .body", "#share");
    let colour = |part: &str, of: &str| {
        page.browser.script(&format!("return getComputedStyle(document.querySelector('{part}')).{of}"))
    };
    page.wait("document.getElementById('evaluation').textContent !== ''");
    assert_eq!(colour(line, "fill"), colour(share, "backgroundColor"), "A has another colour on the bar");
    assert_eq!(colour("#board .layer .red .body", "fill"), colour("#bar", "backgroundColor"), "and B");
    page.choose("#game", "quixo");
    page.click_on("#leave");
    page.wait("state.game === 'quixo' && state.rows === 5");
    page.choose("#size", "3");
    page.wait("state.rows === 3");
    page.choose("#seats select", "computer");
    page.wait("state.over");
    page.picture("quixo-over");
    page.check_quiet();
}

#[test]
fn the_moves_are_stepped_through_and_the_bar_follows() {
    needs!(Browser);
    let page = play(SHORT);
    let share = |page: &Page, share: &str| {
        page.wait(&format!("document.getElementById('bar').getAttribute('aria-valuenow') === '{share}'"));
    };
    share(&page, "50");
    for (from, to) in [("18", "8"), ("1", "7"), ("8", "6")] {
        page.click(from);
        page.click(to);
        page.wait(&format!("state.history.at(-1) === '{from}-{to}'"));
    }
    page.click_on("#back");
    page.wait_for_status("Black: 1-7. 2 / 3");
    share(&page, "100");
    page.wait("spots.get('7').spot.piece && spots.get('8').spot.piece && !spots.get('6').spot.piece");
    page.click_on("#history li:first-child button");
    page.wait_for_status("White: 18-8, captures 13. 1 / 3");
    page.wait("document.querySelector('#history [aria-current]').textContent.startsWith('18')");
    page.picture("alquerque-past");
    page.keys(&[LEFT]);
    page.wait_for_status("0 / 3");
    assert_eq!(page.browser.script("return document.getElementById('back').disabled"), json!(true));
    page.keys(&[RIGHT, RIGHT]);
    page.wait_for_status("2 / 3");
    // A move here is another line; the rest of the game so far becomes a variation, and can be taken up again.
    page.click("8");
    page.click("3");
    page.wait_for_status("White: 8-3. It is Black's turn");
    assert_eq!(page.count(), 3);
    page.picture("alquerque-variation");
    page.wait("document.getElementById('variations').textContent === '3.\\u00a08\\u20116'");
    page.click_on("#variations button");
    page.wait_for_status("White has won!");
    page.wait("document.getElementById('variations').textContent === '3.\\u00a08\\u20113'");
    // The same move as before goes on in the same line.
    page.click_on("#first");
    page.wait_for_status("0 / 3");
    page.click("18");
    page.click("8");
    page.wait_for_status("White: 18-8, captures 13. 1 / 3");
    page.click_on("#latest");
    page.click_on("#undo");
    page.wait_for_status("It is White's turn");
    page.check_quiet();
}

#[test]
fn two_tabs_show_the_same_game_and_the_last_one_ends_it() {
    needs!(Browser);
    let mut page = play(HUMANS);
    let first = page.browser.of_session("GET", "/window", &Value::Null);
    let second = page.browser.of_session("POST", "/window/new", &json!({ "type": "tab" }))["handle"].take();
    page.browser.of_session("POST", "/window", &json!({ "handle": second }));
    page.open();
    page.click("18");
    page.click("13");
    page.wait_for_status("White: 18-13");
    page.browser.of_session("DELETE", "/window", &Value::Null);
    page.browser.of_session("POST", "/window", &json!({ "handle": first }));
    page.wait_for_status("White: 18-13");
    page.browser.of_session("POST", "/refresh", &json!({}));
    page.wait_for_status("White: 18-13");
    std::thread::sleep(RELOAD);
    assert!(page.server.try_wait().unwrap().is_none(), "a reload ended the server");
    page.check_quiet();
    page.browser.of_session("POST", "/url", &json!({ "url": "about:blank" }));
    let begun = Instant::now();
    while page.server.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "the server outlives its last tab");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_game_is_copied_loaded_and_begun_again_in_another_language() {
    needs!(Browser);
    let page = play(HUMANS);
    page.click("17");
    page.click("13");
    page.wait_for_status("White: 17-13");
    page.click_on("summary");
    let text = page.browser.script("return document.getElementById('text').value");
    assert!(text.as_str().unwrap().ends_with("\nmoves 17-13\n"), "{text}");
    page.click_on("#copy");
    page.wait("document.getElementById('copied').textContent === 'Copied'");
    page.click_on("#new");
    page.click_on("#leave");
    page.wait("state.count === 0");
    page.browser.script(&format!("document.getElementById('text').value = {text}"));
    page.click_on("#load");
    page.wait_for_status("White: 17-13");
    let link = page.browser.script("return link()");
    page.click_on("#new");
    page.click_on("#leave");
    page.wait("state.count === 0");
    page.browser.of_session("POST", "/url", &json!({ "url": link }));
    page.wait_for_status("White: 17-13");
    assert_eq!(page.browser.script("return location.hash"), json!(""), "a reload would load the game again");
    page.browser.script("document.getElementById('lang').focus()");
    page.keys(&['N', ENTER]);
    page.wait_for_status("Wit: 17-13. Zwart is aan de beurt");
    assert_eq!(page.browser.script("return document.documentElement.lang"), json!("nl"));
    page.picture("alquerque-dutch");
    page.check_quiet();
    page.browser.script("document.getElementById('text').value = 'x'.repeat(100000)");
    page.click_on("#load");
    page.click_on("#leave");
    page.wait_for_refusal("Deze tekst is te lang voor een spel");
}

/// Opens the page of one game, and chooses another one there.
fn choose_game(game: &str) -> Page {
    let page = play(HUMANS);
    page.choose("#game", game);
    page.wait(&format!("state.game === '{game}' && document.querySelector('#board .spot')"));
    page
}

/// Loads the text of a game without moves.
fn load(page: &Page, game: &str, setup: &str) {
    let text = format!("keur-game 1\\ngame {game}\\nsetup {setup}\\nmoves\\n");
    page.click_on("summary");
    page.browser.script(&format!("document.getElementById('text').value = '{text}'"));
    page.click_on("#load");
    page.wait(&format!("state.text.includes('setup {setup}\\n')"));
}

#[test]
fn a_box_of_dots_is_won() {
    needs!(Browser);
    let page = play(&["pipopipette", "--setup", "2x3", "--second", "human"]);
    for line in ["H0,0", "H1,0", "V0,0", "V0,1"] {
        page.click(line);
        page.wait(&format!("state.history.at(-1) === '{line}'"));
    }
    page.wait("state.notes[0] === 'Boxes: A 0, B 1'");
    page.picture("pipopipette");
    page.check_quiet();
}

#[test]
fn dice_of_quixo_are_clicked_and_dragged_on_boards_of_two_sizes() {
    needs!(Browser);
    let page = choose_game("quixo");
    page.choose("#seats label:last-child select", "human");
    page.wait("!state.computers[1]");
    page.click("A1");
    page.wait("document.querySelectorAll('.spot.is-target').length === 2");
    page.click("A5");
    page.wait_for_status("It is Circle's turn");
    page.drag("C1", "C5");
    page.wait_for_status("It is Cross's turn");
    page.picture("quixo");
    page.choose("#size", "4");
    page.wait("document.getElementById('sure').open");
    page.picture("quixo-leave");
    page.keys(&[ESCAPE]);
    page.wait("!document.getElementById('sure').open && document.getElementById('size').value === '5'");
    assert_eq!(page.count(), 2, "the game was left");
    page.choose("#size", "4");
    page.click_on("#leave");
    page.wait("state.count === 0 && document.querySelectorAll('#board .cell').length === 16");
    // A game without moves is left at once, and is not brought back.
    page.click_on("#new");
    page.click_on("#undo");
    page.wait("state.count === 2 && state.rows === 5");
    assert_eq!(page.browser.script("return document.getElementById('size').value"), json!("5"));
    page.check_quiet();
}

#[test]
fn cards_of_codenames_are_guessed_and_a_turn_is_passed() {
    needs!(Browser);
    let page = choose_game("codenames");
    // A deal by number: in one of chance, the first card could be the assassin.
    load(&page, "codenames", "5x5 #7");
    for (count, spot) in [(1, "B2"), (2, "pass"), (3, "D4")] {
        page.click(spot);
        page.wait(&format!("state.count === {count}"));
    }
    page.picture("codenames");
    page.check_quiet();
}

#[test]
fn a_stone_of_yin_yang_changes_with_each_click() {
    needs!(Browser);
    let page = choose_game("yinyang");
    load(&page, "yinyang", "W--/---/--B");
    for tone in ["'light'", "'dark'", "undefined"] {
        page.click("C1");
        page.wait(&format!("spots.get('C1').spot.piece?.tone === {tone}"));
    }
    page.check_quiet();
}

#[test]
fn a_puzzle_of_yin_yang_is_solved_by_its_hints() {
    needs!(Browser);
    let page = choose_game("yinyang");
    for _ in 0..36 {
        if page.browser.script("return state.over") == json!(true) {
            break;
        }
        page.click_on("#hint");
        page.wait("document.getElementById('hinted').textContent !== ''");
        let hint = page.browser.script("return document.getElementById('hinted').textContent");
        let (stone, cell) = hint.as_str().unwrap().split_once(": ").unwrap().1.split_once('-').unwrap();
        let count = page.count();
        if page.browser.script("return picked") != json!(stone) {
            page.click(stone);
        }
        page.click(cell.split(':').next().unwrap());
        page.wait(&format!("state.count === {}", count + 1));
        if count == 8 {
            page.picture("yinyang");
        }
    }
    page.wait_for_status("Solved!");
    page.check_quiet();
}

#[test]
fn everything_fits_and_is_named_on_every_screen() {
    needs!(Browser);
    for game in keur_core::exercises::games().map(|game| game.name) {
        let alone = [game];
        let page = play(if game == "alquerque" { HUMANS } else { &alone });
        for (suffix, look) in [("", WIDE), ("-dark", DARK), ("-phone", PHONE), ("-dark-phone", DARK_PHONE)] {
            page.browser.look(look);
            page.picture(&format!("{game}-start{suffix}"));
            let widths = page.browser.script("return [document.documentElement.scrollWidth, innerWidth]");
            assert_eq!(widths[0], widths[1], "{game}{suffix} runs over");
            let small = page.browser.script(
                "return [...document.querySelectorAll('.spot, button, select, input, summary')]\
                 .filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect())\
                 .filter(r => Math.min(r.width, r.height) < 24).length",
            );
            assert_eq!(small, json!(0), "{game}{suffix}: something is too small for a finger");
            let top =
                page.browser.script("return document.getElementById('board').getBoundingClientRect().top");
            assert!(
                look.width > 400 || top.as_f64() < Some(24.0),
                "{game}{suffix}: the board begins at {top}"
            );
            let beside = page.browser.script(DRAWN_BESIDE);
            assert!(
                look.width > 400 || beside.as_f64() < Some(40.0),
                "{game}{suffix}: {beside} pixels are left beside the board"
            );
            assert_eq!(
                page.browser.script(MARKS),
                json!(0),
                "{game}{suffix}: something is marked at the start"
            );
        }
        let nameless = page.browser.script(
            "return [...document.querySelectorAll('.spot, select, button, textarea, #board')].filter(e => e.checkVisibility() \
             && !e.getAttribute('aria-label') && !e.textContent.trim() && !(e.labels && e.labels.length)).length",
        );
        assert_eq!(nameless, json!(0), "{game}");
        let tabbable =
            page.browser.script("return document.querySelectorAll('.spot[tabindex=\"0\"]').length");
        assert_eq!(tabbable, json!(1), "{game}: one stop for the tab key");
        assert_eq!(page.browser.script("return unlinked(link()) === state.text"), json!(true), "{game}");
        let keys = page.browser.script("return document.getElementById('keys').innerText");
        let picks_up = !["codenames", "pipopipette"].contains(&game);
        assert_eq!(keys.as_str().unwrap().contains("Escape"), picks_up, "{game}: {keys}");
        page.check_quiet();
    }
}
