//! Games on the page, played with mouse and keys. The screenshots are in `target/screenshots/play`
//! afterwards.

use super::webdriver::{Browser, Look};
use crate::required::needs;
use crate::running::{keur_command, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long to wait until the page shows what it should.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
pub(super) const WIDE: Look = Look { width: 1100, dark: false };
const DARK: Look = Look { width: 1100, dark: true };
pub(super) const PHONE: Look = Look { width: 360, dark: false };
const DARK_PHONE: Look = Look { width: 360, dark: true };
pub(super) const ENTER: char = '\u{E007}';
const ESCAPE: char = '\u{E00C}';
/// The number of visible marks.
const MARKS: &str = "return [...document.querySelectorAll('.mark')]\
    .filter(e => getComputedStyle(e).visibility === 'visible').length";
const UP: char = '\u{E013}';
const DOWN: char = '\u{E015}';
const LEFT: char = '\u{E012}';
const RIGHT: char = '\u{E014}';

pub(super) struct Page {
    pub(super) browser: Browser,
    pub(super) server: Child,
    address: String,
    _home: tempfile::TempDir,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

pub(super) fn play(arguments: &[&str]) -> Page {
    let home = tempfile::tempdir().unwrap();
    let mut command = keur_command(&["play"]);
    command.args(arguments).args(["--browser", "--no-open", "--lang", "en"]);
    let mut server = command.env("XDG_CACHE_HOME", home.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let address = said.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    let browser = Browser::start();
    browser.look(WIDE);
    let page = Page { browser, server, address, _home: home };
    page.go();
    page
}

impl Page {
    pub(super) fn go(&self) {
        self.browser.of_session("POST", "/url", &json!({ "url": self.address }));
        self.wait("document.querySelectorAll('#board .spot').length > 3");
    }

    #[track_caller]
    pub(super) fn wait(&self, condition: &str) {
        let begun = Instant::now();
        let script = format!("return Boolean({condition})");
        while self.browser.script(&script) != json!(true) {
            if begun.elapsed() > PATIENCE {
                let shown = self.browser.script("return document.body.innerText");
                panic!("it never came to {condition}:\n{}", shown.as_str().unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the status contains this text.
    #[track_caller]
    pub(super) fn says(&self, text: &str) {
        self.wait(&format!("document.getElementById('stands').textContent.includes({})", json!(text)));
    }

    #[track_caller]
    pub(super) fn refuses(&self, text: &str) {
        self.wait(&format!("document.getElementById('refused').textContent.includes({})", json!(text)));
    }

    /// Chooses from a list.
    pub(super) fn choose(&self, selector: &str, value: &str) {
        self.browser.script(&format!(
            "let s = document.querySelector({}); s.value = {}; s.dispatchEvent(new Event('change'))",
            json!(selector),
            json!(value)
        ));
    }

    pub(super) fn count(&self) -> u64 {
        self.browser.script("return state.count").as_u64().unwrap()
    }

    pub(super) fn centre(&self, selector: &str) -> (i64, i64) {
        let script = format!(
            "let e = document.querySelector({}); e.scrollIntoView({{block: 'nearest'}});\
             let r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]",
            json!(selector)
        );
        let at = self.browser.script(&script);
        (at[0].as_f64().unwrap() as i64, at[1].as_f64().unwrap() as i64)
    }

    fn pointer(&self, steps: &Value) {
        self.point_with("mouse", steps);
    }

    /// Actions of a `mouse` or of a finger, `touch`.
    pub(super) fn point_with(&self, kind: &str, steps: &Value) {
        let pointer =
            json!({ "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": steps });
        let answer = self.browser.of_session("POST", "/actions", &json!({ "actions": [pointer] }));
        assert!(answer.is_null(), "{answer}");
    }

    pub(super) fn click_on(&self, selector: &str) {
        let (x, y) = self.centre(selector);
        self.pointer(&json!([
            { "type": "pointerMove", "duration": 0, "x": x, "y": y },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]));
    }

    pub(super) fn click(&self, spot: &str) {
        self.click_on(&spot_selector(spot));
    }

    pub(super) fn drag(&self, from: &str, to: &str) {
        let (from, to) = (self.centre(&spot_selector(from)), self.centre(&spot_selector(to)));
        self.pointer(&json!([
            { "type": "pointerMove", "duration": 0, "x": from.0, "y": from.1 },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerMove", "duration": 100, "x": (from.0 + to.0) / 2, "y": (from.1 + to.1) / 2 },
            { "type": "pointerMove", "duration": 100, "x": to.0, "y": to.1 },
            { "type": "pointerUp", "button": 0 },
        ]));
    }

    pub(super) fn keys(&self, keys: &[char]) {
        let steps: Vec<Value> = keys
            .iter()
            .flat_map(|key| {
                [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
            })
            .collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": steps });
        let answer = self.browser.of_session("POST", "/actions", &json!({ "actions": [keyboard] }));
        assert!(answer.is_null(), "{answer}");
    }

    /// Moves with the arrow keys from the focused spot to another one.
    fn walk(&self, keys: &[char], spot: &str) {
        self.keys(keys);
        assert_eq!(self.browser.script("return document.activeElement.dataset.name"), json!(spot));
    }

    pub(super) fn picture(&self, name: &str) {
        // Time for animations to end and marks to appear.
        std::thread::sleep(Duration::from_millis(700));
        self.browser.picture("html", 2000, &screenshots().join(format!("{name}.png")));
    }

    /// Checks that there were no console messages and no outside requests.
    #[track_caller]
    pub(super) fn check_quiet(&self) {
        let complaints = self.browser.console();
        assert!(complaints.is_empty(), "{complaints:?}");
        let requests = self.browser.requests();
        let foreign = |url: &&String| !url.starts_with(&self.address) && !url.starts_with("data:,");
        assert_eq!(requests.iter().find(foreign), None, "{requests:?}");
    }
}

pub(super) fn spot_selector(name: &str) -> String {
    format!(".spot[data-name=\"{name}\"]")
}

fn screenshots() -> PathBuf {
    root().join("target/screenshots/play")
}

pub(super) const HUMANS: &[&str] = &["alquerque", "--white", "human", "--black", "human"];
/// A starting position that White wins with a capture, a move of Black and a capture.
pub(super) const SHORT: &[&str] =
    &["alquerque", "--white", "human", "--black", "human", "--setup", "b..../...../..b../..w../..... w"];

#[test]
fn a_whole_game_by_clicks() {
    needs!(Browser);
    let page = play(SHORT);
    page.says("It is White's turn");
    page.click("18");
    page.wait("document.querySelectorAll('.spot.is-target').length === 1");
    page.picture("alquerque-picked");
    page.click("8");
    page.says("White: 18-8, captures 13. It is Black's turn");
    page.wait("document.querySelector('.spot[data-name=\"13\"]').classList.contains('is-taken')");
    page.click("1");
    page.click("7");
    page.says("It is White's turn");
    page.click("8");
    page.click("6");
    page.says("White has won!");
    page.picture("alquerque-won");
    assert_eq!(page.browser.script("return state.moves.length"), json!(0));
    page.click_on("#undo");
    page.says("It is White's turn");
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
    page.says("White: 18-8, captures 13");
    page.walk(&[UP, LEFT, LEFT], "1");
    page.keys(&[ENTER]);
    page.walk(&[DOWN, RIGHT], "7");
    page.keys(&[ENTER]);
    page.says("Black: 1-7");
    page.walk(&[RIGHT], "8");
    page.keys(&[ENTER]);
    page.walk(&[LEFT, LEFT], "6");
    page.keys(&[ENTER]);
    page.says("White has won!");
    page.check_quiet();
}

#[test]
fn the_button_to_undo_tells_whether_there_is_a_move_of_ones_own_to_take_back() {
    needs!(Browser);
    let disabled = |page: &Page| page.browser.script("return document.getElementById('undo').disabled");
    let page = play(HUMANS);
    assert_eq!(disabled(&page), json!(true));
    page.click("17");
    page.click("13");
    page.says("White: 17-13");
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
    page.says("White: 17-13");
    page.drag("9", "24");
    page.refuses("24 is not empty");
    page.click("18");
    page.refuses("it is Black's turn");
    page.click("17");
    page.refuses("there is no piece on 17");
    page.picture("alquerque-refused");
    assert_eq!(page.count(), 1);
    page.drag("9", "17");
    page.says("Black: 9-17, captures 13");
    page.click_on("#hint");
    page.wait("document.getElementById('hinted').textContent.includes('Hint: ')");
    page.wait("document.querySelectorAll('#board .is-hint').length === 2");
    page.picture("alquerque-hint");
    page.browser.look(Look { width: 860, dark: false });
    page.wait("document.getElementById('evaluation').textContent !== ''");
    page.browser.picture("html", 740, &screenshots().join("readme.png"));
    page.check_quiet();
}

#[test]
fn the_computer_plays_a_whole_game_and_a_side() {
    needs!(Browser);
    let page = play(&["alquerque", "--white", "human", "--black", "computer", "--depth", "1"]);
    page.click("17");
    page.click("13");
    page.wait("state.count === 2 && !state.thinking");
    page.click_on("#undo");
    page.wait("state.count === 0");
    // The select is changed as a user does: open it and type.
    page.browser.script("document.querySelector('#seats select').focus()");
    page.keys(&['c', ENTER]);
    page.wait("state.computers[0]");
    page.wait("state.over");
    assert!(page.count() > 10);
    page.picture("alquerque-over");
    page.check_quiet();
}

#[test]
fn the_computer_plays_dots_and_quixo_on_the_page() {
    needs!(Browser);
    let page = play(&["pipopipette", "--size", "3"]);
    page.click("H0,0");
    page.wait("state.count === 2 && !state.thinking");
    page.choose("#game", "quixo");
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
    page.says("Black: 1-7. 2 / 3");
    share(&page, "100");
    page.wait("spots.get('7').spot.piece && spots.get('8').spot.piece && !spots.get('6').spot.piece");
    page.click_on("#history li:first-child button");
    page.says("White: 18-8, captures 13. 1 / 3");
    page.wait("document.querySelector('#history [aria-current]').textContent.startsWith('18')");
    page.picture("alquerque-past");
    page.keys(&[LEFT]);
    page.says("0 / 3");
    assert_eq!(page.browser.script("return document.getElementById('back').disabled"), json!(true));
    page.keys(&[RIGHT, RIGHT]);
    page.says("2 / 3");
    // A click on the board goes back to the present, where moves are made.
    page.click("8");
    page.says("White has won!");
    page.click_on("#undo");
    page.says("It is White's turn");
    page.check_quiet();
}

#[test]
fn two_tabs_show_the_same_game_and_the_last_one_ends_it() {
    needs!(Browser);
    let mut page = play(HUMANS);
    let first = page.browser.of_session("GET", "/window", &Value::Null);
    let second = page.browser.of_session("POST", "/window/new", &json!({ "type": "tab" }))["handle"].take();
    page.browser.of_session("POST", "/window", &json!({ "handle": second }));
    page.go();
    page.click("18");
    page.click("13");
    page.says("White: 18-13");
    page.browser.of_session("DELETE", "/window", &Value::Null);
    page.browser.of_session("POST", "/window", &json!({ "handle": first }));
    page.says("White: 18-13");
    page.browser.of_session("POST", "/refresh", &json!({}));
    page.says("White: 18-13");
    std::thread::sleep(Duration::from_secs(5));
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
    page.says("White: 17-13");
    page.click_on("summary");
    let text = page.browser.script("return document.getElementById('text').value");
    assert!(text.as_str().unwrap().ends_with("\nmoves 17-13\n"), "{text}");
    page.click_on("#copy");
    page.wait("document.getElementById('copied').textContent === 'Copied'");
    page.click_on("#new");
    page.wait("state.count === 0");
    page.browser.script(&format!("document.getElementById('text').value = {text}"));
    page.click_on("#load");
    page.says("White: 17-13");
    page.browser.script("document.getElementById('lang').focus()");
    page.keys(&['N', ENTER]);
    page.says("Wit: 17-13. Zwart is aan de beurt");
    assert_eq!(page.browser.script("return document.documentElement.lang"), json!("nl"));
    page.picture("alquerque-dutch");
    page.check_quiet();
    page.browser.script("document.getElementById('text').value = 'x'.repeat(100000)");
    page.click_on("#load");
    page.refuses("Deze tekst is te lang voor een spel");
}

#[test]
fn the_other_games_need_no_other_page() {
    needs!(Browser);
    let page = play(&["pipopipette", "--setup", "2x3", "--second", "human"]);
    for line in ["H0,0", "H1,0", "V0,0", "V0,1"] {
        page.click(line);
        page.wait(&format!("state.history.at(-1) === '{line}'"));
    }
    page.wait("state.notes[0] === 'Boxes: A 0, B 1'");
    page.picture("pipopipette");
    let choose = |game: &str| {
        page.choose("#game", game);
        page.wait(&format!("state.game === '{game}' && document.querySelector('#board .spot')"));
    };
    choose("quixo");
    page.choose("#seats label:last-child select", "human");
    page.wait("!state.computers[1]");
    page.click("A1");
    page.wait("document.querySelectorAll('.spot.is-target').length === 2");
    page.click("A5");
    page.says("It is Circle's turn");
    page.drag("C1", "C5");
    page.says("It is Cross's turn");
    page.picture("quixo");
    page.choose("#size", "4");
    page.wait("state.count === 0 && document.querySelectorAll('#board .cell').length === 16");
    page.drag("A1", "A4");
    page.wait("state.count === 1");
    page.click_on("#new");
    page.wait("state.count === 0 && state.rows === 4");
    choose("codenames");
    // A deal by number: in one of chance, the first card could be the assassin.
    page.browser.script(
        "document.getElementById('text').value = 'keur-game 1\\ngame codenames\\nsetup 5x5 #7\\nmoves\\n'",
    );
    page.click_on("summary");
    page.click_on("#load");
    page.wait("state.text.includes('setup 5x5 #7\\n')");
    page.click("B2");
    page.wait("state.count === 1");
    page.click("pass");
    page.wait("state.count === 2");
    page.click("D4");
    page.wait("state.count === 3");
    page.picture("codenames");
    choose("yinyang");
    page.browser.script(
        "document.getElementById('text').value = 'keur-game 1\\ngame yinyang\\nsetup W--/---/--B\\nmoves\\n'",
    );
    page.click_on("#load");
    // The puzzle before it may have such a row too.
    page.wait("state.text.includes('setup W--/---/--B\\n')");
    for tone in ["'light'", "'dark'", "undefined"] {
        page.click("C1");
        page.wait(&format!("spots.get('C1').spot.piece?.tone === {tone}"));
    }
    page.click_on("#new");
    page.wait("state.count === 0");
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
    page.says("Solved!");
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
                "return [...document.querySelectorAll('.spot')].map(e => e.getBoundingClientRect())\
                 .filter(r => Math.min(r.width, r.height) < 24).length",
            );
            assert_eq!(small, json!(0), "{game}{suffix}: spots too small for a finger");
            let top =
                page.browser.script("return document.getElementById('board').getBoundingClientRect().top");
            assert!(
                look.width > 400 || top.as_f64() < Some(24.0),
                "{game}{suffix}: the board begins at {top}"
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
        page.check_quiet();
    }
}
