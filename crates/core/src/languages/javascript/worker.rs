//! JavaScript in a worker of a page, on the browser's own engine.

use super::NODE;
use super::node::{CORE, LOADER, OPERATORS, TIMERS};
use crate::languages::{DriverArgs, Engine, Forks, Lifetime, Version};
use crate::sandbox::{Launch, Transport};

/// The host of engines that have nothing of node, with the natives of the worker.
const HOST: &str = include_str!("quickjs.js");

/// The driver of a worker: its queue of microtasks runs only between two tasks, so a turn takes one.
const WORKER: &str = include_str!("worker.js");

/// JavaScript in a worker; each case has one of its own.
pub(super) static WORKER_ENGINE: Engine = Engine {
    name: "browser",
    title: "JavaScript of the browser",
    in_page: Some("html-page-javascript"),
    option: None,
    lifetime: Lifetime::Case(Forks::No),
    executables: &[],
    oldest: Version::new(0, 0),
    launch,
    newer_syntax: |_, _| None,
    ..NODE
};

fn launch(start: &DriverArgs<'_>) -> Launch {
    let driver = format!(
        "(() => {{\nconst CORE = {CORE};\nconst OPERATORS = {OPERATORS};\nconst LOADER = {LOADER};\n\
         const TIMERS = {TIMERS};\nconst HOST = {HOST};\nreturn (\n{WORKER});\n}})()"
    );
    Launch {
        args: vec![start.seed.to_string().into()],
        transport: Transport::Pipes,
        first_message: driver.into_bytes(),
        ..Launch::new(start.program)
    }
}
