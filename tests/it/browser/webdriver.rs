//! A headless Chromium, controlled by the WebDriver standard, for every test that needs a real browser.
//!
//! `chromedriver` listens on a port that it chooses; each [`Browser`] has its own driver, profile and
//! session, and removes them when it is dropped.
//!
//! A dozen commands over one connection need no asynchronous client, as `fantoccini` and `thirtyfour` are.

use crate::required::{BROWSERS, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The arguments of the browser: none of its parts may use the network.
const ARGUMENTS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(super) struct Browser {
    driver: Child,
    /// Kept open: the driver may write more.
    _said: BufReader<ChildStdout>,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

/// How a page is displayed.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Width in pixels.
    pub(super) width: u32,
    pub(super) dark: bool,
}

impl Browser {
    #[track_caller]
    pub(super) fn start() -> Browser {
        let chromium = program(BROWSERS).unwrap();
        let chromedriver = program(&["chromedriver"]).unwrap();
        let mut driver = Command::new(chromedriver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert!(said.read_line(&mut line).unwrap() > 0, "chromedriver said no port");
            if let Some((_, port)) = line.trim().split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().unwrap();
            }
        };
        let profile = tempfile::tempdir().unwrap();
        let mut arguments: Vec<String> = ARGUMENTS.iter().map(|argument| (*argument).to_owned()).collect();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let mut browser = Browser { driver, _said: said, port, session: String::new(), _profile: profile };
        let wanted = json!({
            "browserName": "chrome",
            "unhandledPromptBehavior": "ignore",
            "goog:chromeOptions": { "binary": chromium, "args": arguments },
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        });
        let answer = browser.ask("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        let session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}"));
        browser.session = format!("/session/{session}");
        // Away from the initial page.
        browser.of_session("POST", "/url", &json!({ "url": "about:blank" }));
        browser
    }

    /// Opens a file, and forgets the requests and console messages of earlier pages.
    pub(super) fn open(&self, file: &Path) {
        self.requests();
        self.console();
        let mut url = "file://".to_owned();
        for byte in file.canonicalize().unwrap().to_str().unwrap().bytes() {
            match byte {
                b'/' | b'-' | b'_' | b'.' | b'~' => url.push(byte as char),
                byte if byte.is_ascii_alphanumeric() => url.push(byte as char),
                byte => url += &format!("%{byte:02X}"),
            }
        }
        let answer = self.of_session("POST", "/url", &json!({ "url": url }));
        assert!(answer.is_null(), "{answer}");
    }

    /// The result of a script of the test, not of the page.
    pub(super) fn script(&self, script: &str) -> Value {
        self.of_session("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Changes how the page is displayed.
    pub(super) fn look(&self, look: Look) {
        let scheme = if look.dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.developer("Emulation.setEmulatedMedia", &json!({ "media": "", "features": features }));
        let size =
            json!({ "width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": look.width < 600 });
        self.developer("Emulation.setDeviceMetricsOverride", &size);
    }

    /// From now on the user prefers reduced motion.
    pub(super) fn calm(&self) {
        let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.developer("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Lays the page out for print, until the display changes.
    pub(super) fn on_paper(&self) {
        self.developer("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }

    /// Writes the page as printed.
    pub(super) fn print(&self, file: &Path) {
        let printed = self.developer("Page.printToPDF", &json!({ "printBackground": true }));
        write_decoded(&printed["data"], file);
    }

    /// Writes a PNG of the page from the top of the element `selector`, at most `height` pixels of it; none in CI, where
    /// nobody looks at it.
    pub(super) fn picture(&self, selector: &str, height: u64, file: &Path) {
        if std::env::var_os("CI").is_some() {
            return;
        }
        let measure = format!(
            "let top = document.querySelector('{selector}').getBoundingClientRect().top + scrollY;\
             return [Math.floor(top), innerWidth, document.documentElement.scrollHeight]"
        );
        let size = self.script(&measure);
        let height = height.min(size[2].as_u64().unwrap() - size[0].as_u64().unwrap());
        let clip = json!({ "x": 0, "y": size[0], "width": size[1], "height": height, "scale": 1 });
        let asked = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let taken = self.developer("Page.captureScreenshot", &asked);
        write_decoded(&taken["data"], file);
    }

    /// The text of an open dialog.
    pub(super) fn dialog(&self) -> Option<String> {
        self.of_session("GET", "/alert/text", &Value::Null).as_str().map(str::to_owned)
    }

    /// The console messages since the last time.
    pub(super) fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(|entry| entry["message"].to_string()).collect()
    }

    /// The requests since the last time, including the page itself but not the browser's own pages.
    pub(super) fn requests(&self) -> Vec<String> {
        let events = self.log("performance");
        let urls = events.iter().filter_map(|event| {
            let event: Value = serde_json::from_str(event["message"].as_str()?).ok()?;
            let message = &event["message"];
            let sent = message["method"] == "Network.requestWillBeSent";
            let own = message["params"]["documentURL"].as_str()?.starts_with("chrome://");
            (sent && !own)
                .then(|| message["params"]["request"]["url"].as_str().unwrap_or_default().to_owned())
        });
        urls.collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let answer = self.of_session("POST", "/se/log", &json!({ "type": kind }));
        answer.as_array().unwrap_or_else(|| panic!("no log: {answer}")).clone()
    }

    /// A command of the developer tools.
    pub(super) fn developer(&self, command: &str, params: &Value) -> Value {
        let answer =
            self.of_session("POST", "/goog/cdp/execute", &json!({ "cmd": command, "params": params }));
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer
    }

    pub(super) fn of_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("{}{path}", self.session), body)
    }

    /// The value of an answer, or of a refusal, which has an `error`.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json; charset=utf-8\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the driver went away");
            let Some((name, value)) = line.trim_end().split_once(':') else {
                if line.trim().is_empty() {
                    break;
                }
                continue;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text).unwrap();
        let mut answer: Value = serde_json::from_slice(&text).unwrap();
        answer["value"].take()
    }
}

/// Writes decoded base64 to a file, and creates its folder if needed.
fn write_decoded(data: &Value, file: &Path) {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(data.as_str().unwrap()).unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, bytes).unwrap();
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, the driver on request. If a test has already failed, a second
        // failure would hide the first.
        if !self.session.is_empty() && !std::thread::panicking() {
            self.of_session("DELETE", "", &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
