//! The page's server, tested over plain TCP.

use super::keur;
use crate::running::assert_says;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

struct Server {
    child: Child,
    /// `127.0.0.1:` and the port.
    host: String,
    /// `/`, the token and `/`.
    path: String,
    _home: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Tab(WebSocket<TcpStream>);

impl Tab {
    /// The next state that the server sends.
    fn event(&mut self) -> String {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return text.to_string();
            }
        }
    }
}

fn serve(arguments: &[&str]) -> Server {
    let home = tempfile::tempdir().unwrap();
    let mut command = keur(&[arguments, &["--browser", "--no-open"]].concat(), home.path());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let address = said.split_whitespace().find_map(|word| word.strip_prefix("http://")).unwrap();
    let (host, path) = address.split_once('/').unwrap();
    Server { child, host: host.to_owned(), path: format!("/{path}"), _home: home }
}

/// White can win with a capture, a bad move of Black and a capture.
const SHORT: &str = "b..../...../..b../..w../..... w";

impl Server {
    fn send(&self, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        };
        // A body that is refused for its size need not be read.
        let _ = stream.write_all(format!("{head}\r\n{length}Connection: close\r\n\r\n{body}").as_bytes());
        stream
    }

    /// The status and the rest of an answer.
    fn ask(&self, head: &str, body: &str) -> (u16, String) {
        let mut answer = Vec::new();
        let _ = self.send(head, body).read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split_whitespace().nth(1).unwrap_or_else(|| panic!("no answer: {answer}"));
        (status.parse().unwrap(), answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.host), "")
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.ask(&format!("POST {}{path} HTTP/1.1\r\nHost: {}", self.path, self.host), body)
    }

    /// The first state that a tab gets.
    fn state(&self) -> String {
        self.tab("en").event()
    }

    fn tab(&self, lang: &str) -> Tab {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let address = format!("ws://{}{}events?lang={lang}", self.host, self.path);
        Tab(tungstenite::client(address, stream).unwrap().0)
    }

    /// Whether the server ends within `patience`.
    fn ends_within(&mut self, patience: Duration) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < patience {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }
}

#[test]
fn the_page_and_its_parts_are_served_under_the_token_only() {
    let server = serve(&["quixo"]);
    assert!(server.host.starts_with("127.0.0.1:"));
    assert!(server.path.len() == 34 && server.path[1..33].bytes().all(|byte| byte.is_ascii_hexdigit()));
    let script = "text/javascript";
    for (part, kind) in
        [("", "text/html"), ("page.css", "text/css"), ("board.js", script), ("page.js", script)]
    {
        let (status, answer) = server.get(&format!("{}{part}", server.path));
        assert_eq!(status, 200, "{part}");
        let head = answer.to_lowercase();
        assert!(head.contains(&format!("content-type: {kind}")), "{answer}");
        for line in ["default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-referrer", "no-store"] {
            assert!(head.contains(line), "{line}");
        }
        assert!(!head.contains("unsafe-") && !head.contains("access-control-allow"));
    }
    assert_eq!(server.get(&format!("{}nothing", server.path)).0, 404);
    let other = format!("/{}/", "0".repeat(32));
    let short = server.path[..32].to_owned();
    let longer = format!("{}x/", server.path.trim_end_matches('/'));
    for path in ["/", "/page.js", "/events", &other, &short, &longer, "//", "/favicon.ico"] {
        let (status, answer) = server.get(path);
        assert_eq!(status, 403, "{path}");
        assert!(!answer.contains(&server.path[1..33]) && !answer.contains("<html"), "{answer}");
    }
    // The whole token, without the slash that a copied address may lack.
    let (status, answer) = server.get(server.path.trim_end_matches('/'));
    assert!(status == 308 && answer.contains(&format!("location: {}\r\n", server.path)), "{answer}");
    // Another server has another token.
    assert_ne!(serve(&["quixo"]).path, server.path);
}

#[test]
fn another_host_or_origin_is_refused() {
    let server = serve(&["quixo"]);
    let (path, host) = (&server.path, &server.host);
    let port = host.split_once(':').unwrap().1;
    let page = format!("GET {path} HTTP/1.1\r\n");
    for lines in [
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        format!("Host: localhost:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: {host}\r\nHost: {host}"),
        format!("Host: {host}\r\nOrigin: http://evil.example"),
        format!("Host: {host}\r\nOrigin: null"),
        format!("Host: {host}\r\nOrigin: https://{host}"),
        format!("Host: {host}\r\nOrigin: http://{host}\r\nOrigin: http://evil.example"),
    ] {
        let (status, _) = server.ask(&format!("{page}{lines}"), "");
        assert!(status == 403 || (status == 400 && lines.matches("Host").count() > 1), "{lines}: {status}");
    }
    let own = format!("{page}Host: {host}\r\nOrigin: http://{host}");
    assert_eq!(server.ask(&own, "").0, 200);
    let foreign = format!("POST {path}do HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example");
    assert_eq!(server.ask(&foreign, r#"{"do":"move","text":"A1-A5"}"#).0, 403);
    assert!(server.state().contains(r#""count":0"#));
}

#[test]
fn wrong_and_endless_requests_change_nothing() {
    let server = serve(&["quixo"]);
    for (body, status) in [
        ("{}", 422),
        ("[]", 422),
        ("no json", 400),
        (r#"{"do":"fly"}"#, 422),
        (r#"{"do":"move"}"#, 422),
        (r#"{"do":"move","text":"A1-A5","more":1}"#, 422),
        (r#"{"do":"move","text":7}"#, 422),
        (r#"{"do":"seat","side":-1,"computer":true}"#, 422),
    ] {
        assert_eq!(server.post("do", body).0, status, "{body}");
    }
    assert_eq!(server.post("do", &format!(r#"{{"do":"load","text":"{}"}}"#, "x".repeat(100_000))).0, 413);
    for (body, why) in [
        (r#"{"do":"move","text":"B2-B1"}"#, "B2 is not on the outer ring"),
        (r#"{"do":"undo"}"#, "you have no move to take back"),
        (r#"{"do":"new","game":"chess"}"#, "there is no game chess"),
        (r#"{"do":"seat","side":9,"computer":true}"#, "no hints"),
        (r#"{"do":"level","level":"deep"}"#, "is not a level"),
        (r#"{"do":"load","text":"keur-game 1"}"#, "is missing"),
    ] {
        let (status, answer) = server.post("do?lang=en", body);
        assert!(status == 200 && answer.contains("refused") && answer.contains(why), "{answer}");
    }
    assert!(server.state().contains(r#""count":0"#));
}

#[test]
fn every_tab_gets_every_change_in_its_language() {
    let server = serve(&["quixo", "--second", "human"]);
    let mut tab = server.tab("en");
    assert!(tab.event().contains("It is Cross's turn"));
    assert_eq!(server.post("do", r#"{"do":"move","text":"a1 a5"}"#).0, 200);
    assert!(tab.event().contains("It is Circle's turn"));
    assert!(server.tab("nl").event().contains("Cirkel is aan de beurt"));
    assert_eq!(server.post("do", r#"{"do":"undo"}"#).0, 200);
    assert!(tab.event().contains(r#""count":0"#));
}

#[test]
fn a_move_after_an_earlier_position_makes_the_rest_a_variation() {
    let server = serve(&["alquerque", "--first", "human", "--second", "human", "--setup", SHORT]);
    let done = |body: &str| assert!(server.post("do", body).1.ends_with("{}"), "{body}");
    for text in ["18-8", "1-7", "8-6"] {
        done(&format!(r#"{{"do":"move","text":"{text}"}}"#));
    }
    assert!(server.post("past", r#"{"at":2}"#).1.contains(r#""moves":[["8","#));
    let refused = server.post("do?lang=en", r#"{"do":"move","text":"8-7","at":2}"#).1;
    assert!(refused.contains("7 is not empty"), "{refused}");
    done(r#"{"do":"move","text":"8-3","at":2}"#);
    let state = server.state();
    let variation = |index, at, moves| format!(r#"{{"at":{at},"index":{index},"moves":[{moves}]}}"#);
    assert!(state.contains("moves 18-8 1-7 8-3") && state.contains(&variation(0, 2, r#""8-6""#)), "{state}");
    // A line that the game contains is no variation.
    done(r#"{"do":"undo"}"#);
    done(r#"{"do":"vary","index":0}"#);
    let state = server.state();
    assert!(state.contains("moves 18-8 1-7 8-6") && state.contains(r#""variations":[]"#), "{state}");
    done(r#"{"do":"vary","index":0}"#);
    assert_eq!(server.post("do", r#"{"do":"vary","index":-1}"#).0, 422);
    // Where the computer moved, nobody else does.
    done(r#"{"do":"seat","side":1,"computer":true}"#);
    assert!(server.post("past", r#"{"at":1}"#).1.contains(r#""moves":[]"#));
    let refused = server.post("do?lang=en", r#"{"do":"move","text":"1-2","at":1}"#).1;
    assert!(refused.contains("it is the computer's turn"), "{refused}");
    // The variations of a game come back with it.
    done(r#"{"do":"move","text":"8-3","at":2}"#);
    done(r#"{"do":"new","game":"alquerque"}"#);
    done(r#"{"do":"undo"}"#);
    let state = server.state();
    assert!(state.contains("moves 18-8 1-7 8-3") && state.contains(&variation(0, 2, r#""8-6""#)), "{state}");
}

#[test]
fn undo_brings_back_the_games_that_others_took_the_place_of() {
    let server = serve(&["quixo", "--second", "human"]);
    let done = |body: &str| assert!(server.post("do", body).1.ends_with("{}"), "{body}");
    done(r#"{"do":"move","text":"A1-A5"}"#);
    assert!(server.state().contains(r#""underWay":true"#));
    done(r#"{"do":"new","game":"alquerque"}"#);
    assert!(server.state().contains(r#""underWay":false"#));
    done(r#"{"do":"load","text":"keur-game 1\ngame pipopipette\nsetup 3x3\nmoves H0,0"}"#);
    done(r#"{"do":"new","game":"pipopipette","rows":4}"#);
    done(r#"{"do":"new","game":"pipopipette","rows":5}"#);
    done(r#"{"do":"undo"}"#);
    assert!(server.state().contains(r#"setup 3x3\nmoves H0,0"#));
    done(r#"{"do":"undo"}"#);
    assert!(server.state().contains(r#"setup 3x3\nmoves\n"#));
    done(r#"{"do":"undo"}"#);
    let state = server.state();
    assert!(state.contains("moves A1-A5") && state.contains(r#""computers":[false,false]"#), "{state}");
}

#[test]
fn the_computer_answers_and_is_waited_for() {
    let server = serve(&["alquerque", "--depth", "2"]);
    let mut tab = server.tab("en");
    tab.event();
    assert!(server.post("do?lang=en", r#"{"do":"move","text":"17-13"}"#).1.contains("{}"));
    let hasty = server.post("do?lang=en", r#"{"do":"move","text":"9-17"}"#).1;
    assert_says(&hasty, "the computer's turn");
    assert!(server.post("hint?lang=en", "{}").1.contains("the computer's turn"));
    let begun = Instant::now();
    while !server.state().contains(r#""count":2"#) {
        assert!(begun.elapsed() < Duration::from_secs(30), "no answer");
    }
    assert!(server.post("hint?lang=en", "{}").1.contains("Hint: "));
}

#[test]
fn earlier_positions_are_shown_and_evaluated() {
    let server = serve(&["alquerque", "--first", "human", "--second", "human", "--setup", SHORT]);
    for text in ["18-8", "1-7", "8-6"] {
        assert!(server.post("do?lang=en", &format!(r#"{{"do":"move","text":"{text}"}}"#)).1.ends_with("{}"));
    }
    for (at, told, share, said) in [
        (0, r#""told":null"#, 50, "White: a draw, if both play well"),
        (1, "White: 18-8, captures 13", 50, "Black: a draw, if both play well"),
        (2, "Black: 1-7", 100, "White: a win with the next move"),
        (3, "White: 8-6, captures 7", 100, "White has won!"),
    ] {
        let at = format!(r#"{{"at":{at}}}"#);
        let past = server.post("past?lang=en", &at).1;
        assert!(past.contains(told) && past.contains(r#""drawing":"#), "{past}");
        let evaluation = server.post("evaluate?lang=en", &at).1;
        assert!(
            evaluation.contains(&format!(r#""share":{share}"#)) && evaluation.contains(said),
            "{evaluation}"
        );
    }
    for path in ["past", "evaluate"] {
        assert!(server.post(path, r#"{"at":4}"#).1.ends_with("null"), "{path}");
        assert_eq!(server.post(path, r#"{"at":-1}"#).0, 422, "{path}");
    }
    // A game that the computer does not play is not evaluated.
    assert!(serve(&["yinyang", "--size", "4"]).post("evaluate", r#"{"at":0}"#).1.ends_with("null"));
}

#[test]
fn the_server_ends_with_its_last_tab_and_not_at_a_reload() {
    let mut server = serve(&["quixo"]);
    let (mut first, mut second) = (server.tab("en"), server.tab("en"));
    first.event();
    second.event();
    drop(first);
    assert_eq!(server.ends_within(Duration::from_secs(5)), None, "a tab is left");
    drop(second);
    std::thread::sleep(Duration::from_secs(1));
    let mut reloaded = server.tab("en");
    reloaded.event();
    assert_eq!(server.ends_within(Duration::from_secs(5)), None, "the tab was only reloaded");
    drop(reloaded);
    assert_eq!(server.ends_within(Duration::from_secs(20)), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server() {
    let mut server = serve(&["quixo"]);
    let mut tab = server.tab("en");
    tab.event();
    let pid = rustix::process::Pid::from_child(&server.child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(server.ends_within(Duration::from_secs(20)), Some(0));
}
