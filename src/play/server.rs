//! The page's server, for the browser of the same user on the same machine.
//!
//! The server listens on 127.0.0.1 only. Every address holds a new token that cannot be guessed. A request without
//! it, for another host or from another origin is refused, which keeps out other users and web pages. (A user
//! who can read the arguments of your programs while the browser starts can read the token, and spoil the
//! game.) Each tab keeps a WebSocket open for updates, and when the last tab is closed the server ends.

use super::GameError;
use super::round::LONGEST_TEXT;
use super::table::{Action, GameTable};
use super::terminal::GameOptions;
use super::view::{self, view};
use super::words::words;
use keur_core::exercises::playable::{Adviser, GameState, Level, Playable, Thought};
use keur_core::messages::{Lang, Message};
use keur_core::named::Named;
use keur_sandbox::lock;

use axum::body::Bytes;
use axum::extract::ws::{self, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/page.css");
const BOARD: &str = include_str!("page/board.js");
const SCRIPT: &str = include_str!("page/page.js");
/// No outside resources, nothing inline, no frames, no forms.
///
/// (In some browsers `connect-src 'self'` allows no WebSocket.)
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; connect-src 'self' ws://";
/// The most bytes of a request's body: a game's text with its envelope, doubled for JSON escapes.
const LONGEST_BODY: usize = 2 * LONGEST_TEXT + 1024;
/// The most bytes of a message from a tab's WebSocket, which should send none.
const LONGEST_SIGN: usize = 1024;
/// Time without any tab after which the server ends: a reload is faster.
const GRACE: Duration = Duration::from_secs(3);
/// Time between the heartbeats that show whether a tab is still open.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The least time of a computer's move, so that people can follow.
const PACE: Duration = Duration::from_millis(700);
/// How deep the evaluation bar looks.
const EVALUATION: Level = Level { depth: NonZeroU32::new(6), time: None };
/// Random bytes in the token.
const TOKEN: usize = 16;

/// A server that listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    room: Arc<Room>,
}

/// The state that all requests share.
struct Room {
    /// The only host that requests may name.
    host: String,
    policy: HeaderValue,
    /// The prefix of every path: `/` and the token.
    prefix: String,
    lang: Lang,
    table: Mutex<GameTable>,
    adviser: Mutex<Option<(&'static str, Box<dyn Adviser>)>>,
    /// The version of the table, for waiting tabs.
    version: watch::Sender<u64>,
    /// The number of open tabs.
    tabs: watch::Sender<usize>,
}

/// Counts a tab as open until it is dropped.
struct Tab(Arc<Room>);

impl Drop for Tab {
    fn drop(&mut self) {
        self.0.tabs.send_modify(|tabs| *tabs -= 1);
    }
}

/// A position of the game, by the number of moves before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Earlier {
    at: usize,
}

#[derive(Deserialize)]
struct LanguageQuery {
    lang: Option<String>,
}

impl Server {
    /// A server at a port that the system chooses, with a new game.
    ///
    /// # Errors
    /// If no port or no token is available, or if the setup is not valid.
    pub fn bind(playable: &'static Playable, options: GameOptions, lang: Lang) -> Result<Server, GameError> {
        let table = GameTable::new(playable, options).map_err(GameError::Setup)?;
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let mut token = [0; TOKEN];
        getrandom::fill(&mut token).map_err(io::Error::other)?;
        let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
        let host = listener.local_addr()?.to_string();
        let room = Room {
            policy: HeaderValue::try_from(format!("{POLICY}{host}")).map_err(io::Error::other)?,
            host,
            prefix: format!("/{token}"),
            lang,
            table: Mutex::new(table),
            adviser: Mutex::new(None),
            version: watch::Sender::new(0),
            tabs: watch::Sender::new(0),
        };
        Ok(Server { listener, room: Arc::new(room) })
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        format!("http://{}{}/", self.room.host, self.room.prefix)
    }

    /// Serves until the last tab is closed or Ctrl-C is pressed.
    ///
    /// # Errors
    /// If the system provides no thread or socket.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let done = runtime.block_on(async {
            self.listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let tabs = self.room.tabs.subscribe();
            tokio::select! {
                served = axum::serve(listener, routes(self.room)).into_future() => served,
                interrupted = tokio::signal::ctrl_c() => interrupted,
                () = last_tab_closed(tabs) => Ok(()),
            }
        });
        // Do not wait for a search in progress.
        runtime.shutdown_background();
        done
    }
}

fn routes(room: Arc<Room>) -> Router {
    let file = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, kind)], text) })
    };
    let below = Router::new()
        .route("/page.css", file("text/css; charset=utf-8", STYLE))
        .route("/board.js", file("text/javascript; charset=utf-8", BOARD))
        .route("/page.js", file("text/javascript; charset=utf-8", SCRIPT))
        .route("/events", get(events))
        .route("/do", post(carry_out))
        .route("/hint", post(hint))
        .route("/past", post(past))
        .route("/evaluate", post(evaluate));
    // The page's address ends with a slash, which a typed or copied one may lack.
    let page = format!("{}/", room.prefix);
    let without = get({
        let page = page.clone();
        move || async move { Redirect::permanent(&page) }
    });
    Router::new()
        .nest(&room.prefix, below)
        .route(&page, file("text/html; charset=utf-8", PAGE))
        .route(&room.prefix, without)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(&room), guard))
        .with_state(room)
}

/// Refuses foreign requests, and sets the security headers of every answer.
async fn guard(State(room): State<Arc<Room>>, request: Request, next: Next) -> Response {
    let mut response = if room.trusts(request.uri().path(), request.headers()) {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, room.policy.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn events(
    State(room): State<Arc<Room>>,
    Query(language): Query<LanguageQuery>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.max_message_size(LONGEST_SIGN).on_upgrade(move |socket| async move {
        room.tabs.send_modify(|tabs| *tabs += 1);
        let tab = Tab(Arc::clone(&room));
        room.move_if_computer();
        let lang = room.language(&language);
        keep_informed(socket, &tab, lang).await;
    })
}

/// Sends the table to a tab, at once and at each change, until it is closed.
async fn keep_informed(mut socket: WebSocket, tab: &Tab, lang: Lang) {
    let mut version = tab.0.version.subscribe();
    version.mark_changed();
    loop {
        let message = tokio::select! {
            changed = version.changed() => match changed {
                Ok(()) => ws::Message::text(view(&tab.0.table(), lang).to_string()),
                Err(_) => return,
            },
            heard = socket.recv() => match heard {
                Some(Ok(ws::Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
            () = tokio::time::sleep(HEARTBEAT) => ws::Message::Ping(Bytes::new()),
        };
        if socket.send(message).await.is_err() {
            return;
        }
    }
}

async fn carry_out(
    State(room): State<Arc<Room>>,
    Query(language): Query<LanguageQuery>,
    Json(action): Json<Action>,
) -> Json<Value> {
    let done = room.table().carry_out(action, getrandom::u64().unwrap_or_default());
    match done {
        Ok(()) => {
            room.tell_tabs();
            room.move_if_computer();
            Json(json!({}))
        }
        Err(why) => Json(json!({ "refused": why.say(&words(room.language(&language))) })),
    }
}

async fn hint(State(room): State<Arc<Room>>, Query(language): Query<LanguageQuery>) -> Json<Value> {
    let lang = room.language(&language);
    if room.table().is_computers_turn() {
        return Json(json!({ "refused": words(lang).say("play-computers-turn") }));
    }
    let thinking = tokio::task::spawn_blocking(move || {
        let (state, level, version) = {
            let table = room.table();
            (table.round.state().boxed(), table.hint_level(), table.version)
        };
        room.think(state.as_ref(), level, version)
    });
    let thought = thinking.await;
    let words = words(lang);
    let Ok(Some(Thought { best, line, said, .. })) = thought else {
        return Json(json!({ "refused": words.say("play-no-hint") }));
    };
    let hint = Message::new("play-hint").with("move", &best).with("said", said.say(&words)).say(&words);
    let line: Vec<String> = line.iter().map(ToString::to_string).collect();
    let line = (line.len() > 1).then(|| words.with("play-line", &[("line", &line.join(" "))]));
    Json(json!({ "hint": hint, "line": line, "from": best.from, "to": best.to }))
}

async fn past(
    State(room): State<Arc<Room>>,
    Query(language): Query<LanguageQuery>,
    Json(Earlier { at }): Json<Earlier>,
) -> Json<Value> {
    Json(view::past(&room.table(), at, room.language(&language)).unwrap_or_default())
}

/// Evaluates a position with an adviser of its own, so that it need not wait for the computer's move.
async fn evaluate(
    State(room): State<Arc<Room>>,
    Query(language): Query<LanguageQuery>,
    Json(Earlier { at }): Json<Earlier>,
) -> Json<Value> {
    let lang = room.language(&language);
    let evaluating = tokio::task::spawn_blocking(move || {
        let (playable, state) = {
            let round = &room.table().round;
            (round.playable, round.earlier(at)?.state().boxed())
        };
        let make = playable.adviser.filter(|_| playable.computer)?;
        let thought = make().think(state.as_ref(), EVALUATION, &|| false);
        view::evaluation(playable, state.as_ref(), thought.as_ref(), lang)
    });
    Json(evaluating.await.ok().flatten().unwrap_or_default())
}

impl Room {
    fn trusts(&self, path: &str, headers: &HeaderMap) -> bool {
        let only = |name: HeaderName, wanted: &str| {
            let mut values = headers.get_all(name).iter();
            (values.next().map(HeaderValue::as_bytes), values.next()) == (Some(wanted.as_bytes()), None)
        };
        let below = path
            .strip_prefix(self.prefix.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let origin =
            !headers.contains_key(header::ORIGIN) || only(header::ORIGIN, &format!("http://{}", self.host));
        below && origin && only(header::HOST, &self.host)
    }

    fn table(&self) -> MutexGuard<'_, GameTable> {
        lock(&self.table)
    }

    fn language(&self, asked: &LanguageQuery) -> Lang {
        asked.lang.as_deref().and_then(Lang::from_name).unwrap_or(self.lang)
    }

    fn tell_tabs(&self) {
        let version = self.table().version;
        self.version.send_replace(version);
    }

    /// The thought of the game's adviser, unless the table changes meanwhile.
    fn think(&self, state: &dyn GameState, level: Level, version: u64) -> Option<Thought> {
        let (name, make) = {
            let table = self.table();
            (table.round.playable.name, table.round.playable.adviser?)
        };
        let mut adviser = lock(&self.adviser);
        if adviser.as_ref().is_none_or(|(known, _)| *known != name) {
            *adviser = Some((name, make()));
        }
        let (_, adviser) = adviser.as_mut()?;
        adviser.think(state, level, &|| self.table().version != version)
    }

    /// Makes the computer move, if it is its turn and it is not thinking yet.
    fn move_if_computer(self: &Arc<Self>) {
        let (state, level, version) = {
            let mut table = self.table();
            if table.thinking || !table.is_computers_turn() {
                return;
            }
            table.thinking = true;
            (table.round.state().boxed(), table.level, table.version)
        };
        self.tell_tabs();
        let room = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let thought = room.think(state.as_ref(), level, version);
            thread::sleep(PACE.saturating_sub(begun.elapsed()));
            let mut table = room.table();
            table.thinking = false;
            let played = match thought {
                Some(thought) if table.version == version => {
                    table.round.play(&thought.best.to_string()).is_ok()
                }
                Some(_) | None => false,
            };
            // If the table changed meanwhile, the thought is discarded and the next one begins.
            let again = played || table.version != version;
            table.version += 1;
            drop(table);
            room.tell_tabs();
            if again {
                room.move_if_computer();
            }
        });
    }
}

async fn last_tab_closed(mut tabs: watch::Receiver<usize>) {
    loop {
        let opened = tabs.wait_for(|tabs| *tabs > 0).await.is_ok();
        let closed = tabs.wait_for(|tabs| *tabs == 0).await.is_ok();
        if !opened || !closed {
            return;
        }
        let reopened = tokio::time::timeout(GRACE, tabs.wait_for(|tabs| *tabs > 0)).await;
        if reopened.is_err() {
            return;
        }
    }
}
