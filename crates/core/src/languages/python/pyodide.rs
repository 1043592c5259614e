//! Python in a worker of a page, which runs it with Pyodide.

use super::{ENGINE, TEXT};
use crate::languages::{DriverArgs, Engine, Forks, Lifetime};
use crate::sandbox::{Launch, Transport};

/// The role of the driver in such a worker.
const ROLE: &str = "page";

/// Python in a worker; each case has one of its own, or one whose memory the page has put back.
pub(super) static PYODIDE: Engine = Engine {
    name: "pyodide",
    title: "Pyodide's Python",
    in_page: Some("html-page-python"),
    option: None,
    lifetime: Lifetime::Case(Forks::No),
    preload: &[],
    executables: &[],
    launch,
    ..ENGINE
};

fn launch(start: &DriverArgs<'_>) -> Launch {
    let seed = start.seed.to_string();
    Launch {
        args: [ROLE, &seed].map(Into::into).into(),
        env: vec![("PYTHONHASHSEED".to_owned(), seed)],
        transport: Transport::Pipes,
        first_message: TEXT.into(),
        ..Launch::new(start.program)
    }
}
