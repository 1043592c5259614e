//! How long the computer player of Alquerque takes to look some moves ahead from the start, and its positions
//! per second.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use keur_core::exercises::alquerque::rules::Board;
use keur_core::exercises::alquerque::search::choose;
use std::num::NonZeroU32;
use std::time::Instant;

/// The moves to look ahead.
const DEPTHS: [u32; 4] = [4, 7, 10, 13];

fn main() {
    for depth in DEPTHS.into_iter().filter_map(NonZeroU32::new) {
        let begun = Instant::now();
        if let Some(found) = choose(&Board::start(), depth) {
            let seconds = begun.elapsed().as_secs_f64();
            let speed = found.positions as f64 / seconds / 1e6;
            println!("depth {depth}: {seconds:.3} s, {speed:.1} million positions a second");
        }
    }
}
