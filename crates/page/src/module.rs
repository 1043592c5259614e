//! The interface of the module: what the page calls, and what it offers.
#![expect(unsafe_code, reason = "a module of WebAssembly shares its memory with the page")]

mod worker;

use crate::graded;
use keur_core::adapter::Launcher;
use keur_core::languages::{Interpreter, Interpreters, engines};
use keur_core::sandbox::clock::supplied::{self, Clock};
use keur_core::sandbox::{Tools, random};
use serde_json::{Value, json};
use std::panic;
use std::path::PathBuf;
use std::sync::{Arc, Once};
use std::time::Duration;
use worker::Workers;

/// The seed of hashes and random numbers, that of the program keur.
const SEED: u32 = 0;

#[link(wasm_import_module = "keur")]
unsafe extern "C" {
    safe fn now() -> f64;
    #[link_name = "random"]
    safe fn fill(at: *mut u8, length: usize);
    safe fn tell(at: *const u8, length: usize);
}

/// The clock of the page.
struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(now() / 1000.0)
    }

    /// Nothing waits in this way: a worker that has ended is known to have.
    fn sleep(&self, _time: Duration) {}
}

/// Room for a text of this length.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Gives back the room for a text.
///
/// # Safety
/// `at` is what `alloc` or `grade` gave, with the length of all of it.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(at: *mut u8, length: usize) {
    // SAFETY: as the caller promises, it was leaked in this form.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) });
}

/// Answers a request; the answer is its length in 4 bytes, and its text.
///
/// # Safety
/// `at` is what `alloc` gave for `length` bytes, and filled.
#[unsafe(no_mangle)]
unsafe extern "C" fn grade(at: *const u8, length: usize) -> *mut u8 {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(begin);
    // SAFETY: as the caller promises.
    let request = unsafe { std::slice::from_raw_parts(at, length) };
    let launcher = Launcher::started_by(Arc::new(Workers::default()), SEED);
    let answer = graded(request, launcher, &interpreters(), &say).to_string();
    let mut bytes = u32::try_from(answer.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    bytes.extend(answer.into_bytes());
    Box::leak(bytes.into_boxed_slice()).as_mut_ptr()
}

/// Takes what the page offers in place of a system.
fn begin() {
    panic::set_hook(Box::new(|info| say(&json!({ "panic": info.to_string() }))));
    let _ = supplied::supply(&PageClock);
    random::supply(|bytes| fill(bytes.as_mut_ptr(), bytes.len()));
}

/// The languages that the page runs.
const LANGUAGES: [&str; 2] = ["python", "javascript"];

/// The interpreters of the page, each by the name of its engine.
fn interpreters() -> Interpreters {
    let interpreters = Interpreters::among(Tools::default());
    for engine in engines().filter(|engine| LANGUAGES.contains(&engine.language.name)) {
        let program = PathBuf::from(engine.name);
        interpreters.provide(Interpreter { engine, program, version: None, build: String::new() });
    }
    interpreters
}

/// Tells the page of something.
fn say(news: &Value) {
    let text = news.to_string();
    tell(text.as_ptr(), text.len());
}
