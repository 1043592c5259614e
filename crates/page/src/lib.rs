//! keur in a web page: the module `keur.wasm`, which grades files that a student gives the page.
//!
//! [`graded`] answers a request of the page. `module` is the interface of the WebAssembly module: it starts
//! programs in workers of the page, and takes clock and random numbers from there.
//!
//! # The module
//!
//! Texts are UTF-8, at an address and with a length. The module exports
//!
//! | function | meaning |
//! |---|---|
//! | `alloc(length) -> at` | room for a text |
//! | `free(at, length)` | gives it back |
//! | `grade(at, length) -> at` | answers a request; the answer is its length in 4 bytes, and its text |
//!
//! and imports from the module `keur`
//!
//! | function | meaning |
//! |---|---|
//! | `spawn(at, length) -> worker` | starts a worker as this JSON says, and waits until it takes requests; 0 if it does not start |
//! | `send(worker, at, length)` | sends it a frame |
//! | `take(worker, at, length) -> count` | takes bytes that it sent; 0 if there are none now, -1 if it has ended |
//! | `wait(worker, milliseconds) -> ready` | waits until there are bytes to take, or it has ended |
//! | `unread(worker) -> count` | bytes that it sent and that were not taken |
//! | `written(worker, stream) -> count` | bytes that it wrote to standard output, 1, or to standard error, 2, in its whole life |
//! | `words(worker, stream, at, length) -> count` | takes the first of those |
//! | `status(worker) -> status` | the status with which it ended; -1 if there is none |
//! | `kill(worker)` | ends it; what it wrote can still be taken |
//! | `end(worker)` | ends it, or keeps it for another case |
//! | `now() -> milliseconds` | the clock |
//! | `busy() -> times` | how many times longer than on an idle machine a task of the page takes now |
//! | `random(at, length)` | fills this with random bytes |
//! | `tell(at, length)` | progress, as JSON: a case that was graded, or the message of a panic |
//!
//! `spawn` and `wait` suspend the module: the page wraps them in `WebAssembly.Suspending`, and `grade` in
//! `WebAssembly.promising`.
#![warn(missing_docs)]

mod grading;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod module;

pub use grading::graded;
