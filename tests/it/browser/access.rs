//! Accessibility of the page: touch, reduced motion, screen readers, and more tabs than a browser has
//! connections.

use super::page::{HUMANS, PHONE, Page, SHORT, play, spot_selector};
use crate::required::needs;
use serde_json::{Value, json};
use std::time::Duration;

const TAB: char = '\u{E004}';
/// The connections that a browser opens to one host.
const CONNECTIONS: usize = 6;

impl Page {
    fn tap(&self, spot: &str) {
        let (x, y) = self.centre(&spot_selector(spot));
        self.point_with(
            "touch",
            &json!([
                { "type": "pointerMove", "duration": 0, "x": x, "y": y },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ]),
        );
    }

    /// Touches one spot and lifts the finger from another.
    fn swipe(&self, from: &str, to: &str) {
        let (from, to) = (self.centre(&spot_selector(from)), self.centre(&spot_selector(to)));
        self.point_with(
            "touch",
            &json!([
                { "type": "pointerMove", "duration": 0, "x": from.0, "y": from.1 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerMove", "duration": 150, "x": (from.0 + to.0) / 2, "y": (from.1 + to.1) / 2 },
                { "type": "pointerMove", "duration": 150, "x": to.0, "y": to.1 },
                { "type": "pointerUp", "button": 0 },
            ]),
        );
    }

    /// Opens the page in another tab and switches to it.
    fn another_tab(&self) -> Value {
        let tab = self.browser.of_session("POST", "/window/new", &json!({ "type": "tab" }))["handle"].take();
        self.to_tab(&tab);
        self.open();
        tab
    }

    fn to_tab(&self, tab: &Value) {
        self.browser.of_session("POST", "/window", &json!({ "handle": tab }));
    }

    /// Starts counting the animated pieces.
    fn count_animations(&self) {
        self.browser.script(
            "window.animated = 0; const animate = Element.prototype.animate;\
             Element.prototype.animate = function (...how) { animated += 1; return animate.apply(this, how); }",
        );
    }

    fn animated(&self) -> Value {
        self.browser.script("return animated")
    }

    /// The roles and names that a screen reader gets for interactive elements.
    fn buttons_told(&self) -> Vec<String> {
        let tree = self.browser.developer("Accessibility.getFullAXTree", &json!({}));
        let told = tree["nodes"].as_array().unwrap().iter().filter(|node| node["role"]["value"] == "button");
        told.filter_map(|node| node["name"]["value"].as_str().map(str::to_owned)).collect()
    }
}

#[test]
fn a_finger_taps_and_drags_and_the_page_stays_where_it_is() {
    needs!(Browser);
    let page = play(SHORT);
    page.browser.look(PHONE);
    page.browser
        .developer("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true, "maxTouchPoints": 1 }));
    let keys = "return document.getElementById('keys').checkVisibility()";
    assert_eq!(page.browser.script(keys), json!(false), "a phone has no keys");
    page.centre(&spot_selector("18"));
    let scrolled = "return [scrollX, scrollY]";
    let before = page.browser.script(scrolled);
    page.swipe("18", "8");
    page.wait_for_status("White: 18-8, captures 13");
    assert_eq!(page.browser.script(scrolled), before, "the page was scrolled instead");
    page.tap("1");
    page.wait("picked === '1'");
    page.picture("alquerque-touch");
    page.tap("7");
    page.wait_for_status("Black: 1-7");
    page.swipe("8", "9");
    page.wait_for_refusal("8 to 9 does not go forward");
    page.tap("8");
    page.tap("6");
    page.wait_for_status("White has won!");
    page.check_quiet();
}

#[test]
fn a_move_is_heard_by_whoever_asks_for_sound() {
    needs!(Browser);
    let page = play(SHORT);
    page.browser.script(
        "window.heard = 0; const tone = AudioContext.prototype.createOscillator;\
         AudioContext.prototype.createOscillator = function () { heard += 1; return tone.apply(this); }",
    );
    page.drag("18", "8");
    page.wait_for_status("White: 18-8");
    assert_eq!(page.browser.script("return heard"), json!(0));
    page.click_on("#sound");
    page.drag("1", "7");
    page.wait_for_status("Black: 1-7");
    assert_eq!(page.browser.script("return heard"), json!(1));
    page.open();
    page.wait("document.getElementById('sound').checked");
    page.check_quiet();
}

#[test]
fn nothing_moves_for_whoever_asks_for_less_motion() {
    needs!(Browser);
    let page = play(SHORT);
    page.count_animations();
    page.click("18");
    page.click("8");
    page.wait_for_status("White: 18-8, captures 13");
    assert_eq!(page.animated(), json!(2), "a piece that moves and one that is captured");
    page.click_on("#back");
    page.wait_for_status("0 / 1");
    assert_eq!(page.animated(), json!(3), "a piece that moves back");
    page.drag("18", "8");
    page.wait_for_status("It is Black's turn");
    assert_eq!(page.animated(), json!(4), "only the piece that is captured, since the other one was dragged");
    page.click_on("#motion");
    page.click_on("#back");
    page.wait_for_status("0 / 1");
    page.click_on("#forward");
    page.wait_for_status("White: 18-8, captures 13. It is Black's turn");
    page.click_on("#motion");
    assert_eq!(page.animated(), json!(4), "the player has switched motion off");
    page.browser.calm();
    let switch = page.browser.script("return document.getElementById('motion').checkVisibility()");
    assert_eq!(switch, json!(false));
    page.click_on("#undo");
    page.wait("state.count === 0");
    page.click("18");
    page.click("8");
    page.wait_for_status("White: 18-8, captures 13");
    assert_eq!(page.animated(), json!(4));
    let moving = page.browser.script("return document.getAnimations().length");
    assert_eq!(moving, json!(0));
    page.wait("document.querySelector('.spot[data-name=\"13\"]').classList.contains('is-taken')");
    page.check_quiet();
}

#[test]
fn a_screen_reader_is_told_every_spot_with_what_it_holds() {
    needs!(Browser);
    for (game, named) in [
        ("alquerque", "1, Black|13, empty|25, White|17, White, can move"),
        ("codenames", "A1, hidden card, can be chosen|end the turn"),
        ("quixo", "A1|E5"),
        ("yinyang", "A1|F6"),
        ("pipopipette", "H0,0, empty, can be chosen|V0,0, empty, can be chosen"),
    ] {
        let alone = [game];
        let page = play(if game == "alquerque" { HUMANS } else { &alone });
        page.browser.developer("Accessibility.enable", &json!({}));
        let told = page.buttons_told();
        let spots = page.browser.script(
            "return [...spots.values()].filter(e => e.spot.name).map(e => [e.spot.text, e.group.getAttribute('aria-label')])",
        );
        for spot in spots.as_array().unwrap() {
            let (text, label) = (spot[0].as_str().unwrap(), spot[1].as_str().unwrap());
            assert!(label.starts_with(text), "{game}: {label} does not say {text}");
            let count = told.iter().filter(|name| *name == label).count();
            assert_eq!(count, 1, "{game}: {label} among {told:?}");
        }
        for name in named.split('|') {
            assert!(told.iter().any(|told| told.starts_with(name)), "{game}: {name} among {told:?}");
        }
        page.check_quiet();
    }
    let page = play(HUMANS);
    // The keys move between fields, and not to anything around them.
    page.browser.script("document.getElementById('lang').focus()");
    page.keys(&[TAB]);
    let focused = page.browser.script("return document.activeElement.classList.contains('spot')");
    assert_eq!(focused, json!(true));
    page.click("17");
    page.wait("picked === '17'");
    for name in ["17, White, picked up", "13, empty, can be reached"] {
        assert!(page.buttons_told().iter().any(|told| told == name), "{name}");
    }
}

#[test]
fn there_may_be_more_tabs_than_connections() {
    needs!(Browser);
    let mut page = play(HUMANS);
    let mut tabs = vec![page.browser.of_session("GET", "/window", &Value::Null)];
    for _ in 0..=CONNECTIONS {
        tabs.push(page.another_tab());
    }
    page.click("18");
    page.click("13");
    page.wait_for_status("White: 18-13");
    page.click("18");
    page.wait_for_refusal("there is no piece on 18");
    page.browser.script("document.getElementById('lang').value = 'nl'");
    page.browser.script("document.getElementById('lang').dispatchEvent(new Event('change'))");
    page.wait_for_status("Wit: 18-13");
    assert_eq!(page.browser.script("return document.getElementById('refused').textContent"), json!(""));
    for tab in &tabs[..CONNECTIONS] {
        page.to_tab(tab);
        page.wait_for_status("White: 18-13");
        page.browser.of_session("DELETE", "/window", &Value::Null);
    }
    std::thread::sleep(Duration::from_secs(5));
    assert!(page.server.try_wait().unwrap().is_none(), "the server ended before its last tab");
    page.to_tab(&tabs[CONNECTIONS]);
    page.click("9");
    page.wait_for_refusal("the piece on 9 cannot move now");
    page.to_tab(&tabs[CONNECTIONS + 1]);
    page.wait_for_status("Wit: 18-13");
    page.server.kill().unwrap();
    page.wait_for_refusal("De verbinding met keur is verbroken");
}

#[test]
fn a_lost_connection_is_told_and_taken_up_again() {
    needs!(Browser);
    let page = play(HUMANS);
    let enabled =
        "[...document.querySelectorAll('button, select')].filter(e => !e.disabled).map(e => e.id).join()";
    let before = page.browser.script(&format!("return {enabled}"));
    // The server is not found again until the test allows it.
    page.browser.script("window.found = listen; listen = () => {}; stream.close()");
    page.wait_for_refusal("The connection to keur was lost");
    page.wait(&format!("{enabled} === 'copy'"));
    page.click("17");
    page.click("13");
    assert_eq!(page.browser.script("return picked"), Value::Null);
    page.picture("alquerque-lost");
    page.browser.script("listen = found; listen()");
    page.wait("document.getElementById('refused').textContent === ''");
    page.wait(&format!("{enabled} === {before}"));
    page.click("17");
    page.click("13");
    page.wait_for_status("White: 17-13");
    page.check_quiet();
}
