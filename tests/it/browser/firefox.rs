//! A headless Firefox, for tests of what must not depend on the browser.
//!
//! It is controlled by Marionette, which each Firefox has built in; no distribution of the tests' machines has
//! `geckodriver`, which offers the same by the WebDriver standard.

use super::grader::Page;
use crate::required::program;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for its start.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Firefox with one page.
pub(super) struct Firefox {
    process: Child,
    connection: RefCell<BufReader<TcpStream>>,
    _profile: tempfile::TempDir,
}

impl Firefox {
    pub(super) fn start() -> Firefox {
        let profile = tempfile::tempdir().unwrap();
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let settings = format!("user_pref(\"marionette.port\", {port});\n");
        fs::write(profile.path().join("user.js"), settings).unwrap();
        let process = Command::new(program(crate::required::FIREFOX).unwrap())
            .args(["--headless", "--marionette", "--no-remote", "--profile"])
            .arg(profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "Firefox does not listen: {error}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        let connection = RefCell::new(BufReader::new(stream));
        let firefox = Firefox { process, connection, _profile: profile };
        // It greets.
        firefox.receive();
        firefox.command("NewSession", &json!({}));
        firefox
    }

    /// Sends a command, and returns what it answers.
    fn command(&self, name: &str, parameters: &Value) -> Value {
        let message = json!([0, 1, format!("WebDriver:{name}"), parameters]).to_string();
        let framed = format!("{}:{message}", message.len());
        self.connection.borrow_mut().get_mut().write_all(framed.as_bytes()).unwrap();
        let mut answer = self.receive();
        assert!(answer[2].is_null(), "{name}: {answer}");
        answer[3]["value"].take()
    }

    /// A message: its length, a colon, and JSON.
    fn receive(&self) -> Value {
        let mut connection = self.connection.borrow_mut();
        let mut length = Vec::new();
        connection.read_until(b':', &mut length).unwrap();
        let length = str::from_utf8(&length).unwrap().trim_end_matches(':').parse().unwrap();
        let mut message = vec![0; length];
        connection.read_exact(&mut message).unwrap();
        serde_json::from_slice(&message).unwrap()
    }
}

impl Page for Firefox {
    fn visit(&self, url: &str) {
        self.command("Navigate", &json!({ "url": url }));
    }

    fn script(&self, script: &str) -> Value {
        self.command("ExecuteScript", &json!({ "script": script, "args": [], "sandbox": null }))
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
