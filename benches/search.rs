//! How far the computer player looks ahead from the start in a given time, and its positions per second.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use keur_core::exercises::alquerque::rules::Board;
use keur_core::exercises::alquerque::search::Searcher;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// The player's memory, in bytes.
const MEMORY: usize = 256 << 20;

fn main() {
    for limit in [100, 1_000, 10_000].map(Duration::from_millis) {
        let mut engine = Searcher::new(MEMORY);
        let begun = Instant::now();
        let found = engine.search(&Board::start(), NonZeroU32::MAX, &mut || begun.elapsed() >= limit);
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(found) = found {
            let speed = found.nodes as f64 / seconds / 1e6;
            println!("{limit:?}: depth {}, {speed:.1} million positions a second", found.depth);
        }
    }
}
