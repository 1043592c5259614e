//! A page that keur serves, in a browser: how a test opens it, uses it and looks at it.

use super::webdriver::{Browser, Look};
use crate::running::{keur_command, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long to wait until the page shows what it should.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// The time in which an animation of a move begins.
const SETTLING: Duration = Duration::from_millis(200);

pub(super) const WIDE: Look = Look { width: 1100, dark: false };
pub(super) const PHONE: Look = Look { width: 360, dark: false };
pub(super) const ENTER: char = '\u{E007}';

/// A page, with the browser that shows it and its server.
pub(super) struct Page {
    pub(super) browser: Browser,
    pub(super) server: Child,
    pub(super) address: String,
    /// The condition in JavaScript on which it is ready.
    ready: &'static str,
    _home: tempfile::TempDir,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts `keur play` with these arguments, and opens its page.
pub(super) fn play(arguments: &[&str]) -> Page {
    let mut command = keur_command(&["play"]);
    command.args(arguments).args(["--browser", "--no-open", "--lang", "en"]);
    serve(command, "document.querySelectorAll('#board .spot').length > 3")
}

/// Starts a command that prints the address of a page, and opens the page.
pub(super) fn serve(mut command: Command, ready: &'static str) -> Page {
    let home = tempfile::tempdir().unwrap();
    let mut server = command.env("XDG_CACHE_HOME", home.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut first_line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut first_line).unwrap();
    let address = first_line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    let browser = Browser::start();
    browser.look(WIDE);
    let page = Page { browser, server, address, ready, _home: home };
    page.open();
    page
}

impl Page {
    /// Opens the page in the current tab.
    pub(super) fn open(&self) {
        self.browser.of_session("POST", "/url", &json!({ "url": self.address }));
        self.wait(self.ready);
    }

    /// Waits until a condition in JavaScript is true.
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
    pub(super) fn wait_for_status(&self, text: &str) {
        self.wait(&format!("document.getElementById('stands').textContent.includes({})", json!(text)));
    }

    /// Waits until the page refuses a move with this text.
    #[track_caller]
    pub(super) fn wait_for_refusal(&self, text: &str) {
        self.wait(&format!("document.getElementById('refused').textContent.includes({})", json!(text)));
    }

    /// Chooses `value` from the list at `selector`.
    pub(super) fn choose(&self, selector: &str, value: &str) {
        self.browser.script(&format!(
            "let s = document.querySelector({}); s.value = {}; s.dispatchEvent(new Event('change'))",
            json!(selector),
            json!(value)
        ));
    }

    /// The number of moves that were made.
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
    pub(super) fn walk(&self, keys: &[char], spot: &str) {
        self.keys(keys);
        assert_eq!(self.browser.script("return document.activeElement.dataset.name"), json!(spot));
    }

    /// Takes a picture once all animations have ended.
    pub(super) fn picture(&self, name: &str) {
        self.picture_in(&screenshots(), name);
    }

    /// Takes a picture into another folder.
    pub(super) fn picture_in(&self, folder: &Path, name: &str) {
        std::thread::sleep(SETTLING);
        self.wait("document.getAnimations().every(animation => animation.playState === 'finished')");
        self.browser.picture("html", 2000, &folder.join(format!("{name}.png")));
    }

    /// Checks that there were no console messages and no outside requests.
    #[track_caller]
    pub(super) fn check_quiet(&self) {
        let complaints = self.browser.console();
        assert!(complaints.is_empty(), "{complaints:?}");
        let requests = self.browser.requests();
        let own = |url: &str| url.strip_prefix("blob:").unwrap_or(url).starts_with(&self.address);
        let foreign = |url: &&String| !own(url) && !url.starts_with("data:,");
        assert_eq!(requests.iter().find(foreign), None, "{requests:?}");
    }
}

pub(super) fn spot_selector(name: &str) -> String {
    format!(".spot[data-name=\"{name}\"]")
}

pub(super) fn screenshots() -> PathBuf {
    root().join("target/screenshots/play")
}

pub(super) const HUMANS: &[&str] = &["alquerque", "--white", "human", "--black", "human"];
/// A starting position that White wins with a capture, a move of Black and a capture.
pub(super) const SHORT: &[&str] =
    &["alquerque", "--white", "human", "--black", "human", "--setup", "b..../...../..b../..w../..... w"];
