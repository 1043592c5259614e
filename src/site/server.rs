//! Shows a site on this machine: a plain file server for one folder, with the headers that a site wants.

use super::page;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use keur_core::case::path_in;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The media types of a site's files, by ending.
const KINDS: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// A server that listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    folder: Arc<Folder>,
}

struct Folder {
    path: PathBuf,
    /// The only host that requests may name.
    host: String,
}

impl Server {
    /// A server for a folder at a port of this machine; at 0, the system chooses one.
    ///
    /// # Errors
    /// The port is not free.
    pub fn bind(path: &Path, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let host = listener.local_addr()?.to_string();
        Ok(Server { listener, folder: Arc::new(Folder { path: path.to_owned(), host }) })
    }

    /// The address of the site.
    pub fn address(&self) -> String {
        format!("http://{}/", self.folder.host)
    }

    /// Serves until Ctrl-C is pressed.
    ///
    /// # Errors
    /// If the system provides no socket.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            self.listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = Router::new().fallback(answer).with_state(self.folder);
            tokio::select! {
                served = axum::serve(listener, router).into_future() => served,
                interrupted = tokio::signal::ctrl_c() => interrupted,
            }
        })
    }
}

async fn answer(State(folder): State<Arc<Folder>>, request: Request) -> Response {
    let mut response = folder.answer(&request);
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Folder {
    fn answer(&self, request: &Request) -> Response {
        let host = request.headers().get(header::HOST).map(HeaderValue::as_bytes);
        if host != Some(self.host.as_bytes()) {
            return StatusCode::FORBIDDEN.into_response();
        }
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            return StatusCode::METHOD_NOT_ALLOWED.into_response();
        }
        let name = match request.uri().path().trim_start_matches('/') {
            "" => page::INDEX,
            name => name,
        };
        let read = path_in(&self.path, name).and_then(std::fs::read);
        let Ok(bytes) = read else { return StatusCode::NOT_FOUND.into_response() };
        let ending = name.rsplit('.').next().unwrap_or_default();
        let kind = KINDS.iter().find(|(known, _)| *known == ending);
        let kind = kind.map_or("application/octet-stream", |(_, kind)| kind);
        ([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response()
    }
}
