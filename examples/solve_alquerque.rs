//! Proves that Alquerque is a draw: from the start, neither player can force a win.
//!
//! ```sh
//! cargo run --release --example solve_alquerque
//! cargo run --release --example solve_alquerque -- --memory 1G
//! ```
//!
//! It runs on one core. `--memory` limits its memory; with less it is slower, but just as reliable.

use clap::Parser;
use keur::exercises::alquerque::rules::{Board, Player};
use keur::exercises::alquerque::search::{Tables, can_force_win};
use std::error::Error;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

/// Memory for everything but endgame tables and positions, in bytes.
const PROGRAM: usize = 32 << 20;
/// Memory for the tables with their index, as a multiple of their size.
const TABLES_WITH_INDEX: usize = 2;
/// The least memory for positions with which the proof ends in a reasonable time, in bytes.
const LEAST: usize = 64 << 20;
/// One in this many progress reports is shown.
const SHOWN: u64 = 8;

/// Proves that the start of Alquerque is a draw: neither player can force a win.
#[derive(Parser)]
struct Options {
    /// The memory limit, in bytes or with K, M or G.
    #[arg(long, default_value = "4G", value_parser = bytes)]
    memory: usize,
    /// The most pieces in the endgame tables.
    #[arg(long, default_value_t = Tables::USUAL, value_parser = clap::value_parser!(u8).range(2..=i64::from(Tables::MOST)))]
    pieces: u8,
}

fn main() -> ExitCode {
    match solve(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn solve(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let begun = Instant::now();
    let (mut out, mut log) = (io::stdout(), io::stderr());
    let mut shown = String::new();
    let tables = Tables::build(options.pieces, NonZeroUsize::MIN, &mut |done| {
        let line = format!("endgames of at most {} pieces: {:.0} %", options.pieces, 100.0 * done);
        if line != shown {
            // A failure to show progress does not stop the proof.
            let _ = write!(log, "\r{line}");
            shown = line;
        }
    });
    writeln!(log, "  {:.1} s", begun.elapsed().as_secs_f64())?;
    let taken = PROGRAM + TABLES_WITH_INDEX * tables.as_bytes().len();
    let Some(memory) = options.memory.checked_sub(taken).filter(|memory| *memory >= LEAST) else {
        return Err(
            format!("--memory is too little: at least {} MB are needed", (taken + LEAST) >> 20).into()
        );
    };
    let mut draw = true;
    for attacker in [Player::White, Player::Black] {
        let begun = Instant::now();
        let answer = can_force_win(&Board::start(), attacker, memory, Some(&tables), &mut |progress| {
            let millions = progress.positions >> 20;
            if millions % SHOWN == 0 {
                let seconds = begun.elapsed().as_secs_f64();
                let _ = write!(
                    log,
                    "\rcan {attacker} force a win? {seconds:.0} s, {millions} million positions, still to show: {} for white to move, {} against   ",
                    progress.to_prove, progress.to_disprove
                );
            }
        });
        let word = if answer.forced { "can" } else { "cannot" };
        writeln!(log)?;
        writeln!(
            out,
            "{attacker} {word} force a win: {} positions, {:.1} s",
            answer.positions,
            begun.elapsed().as_secs_f64()
        )?;
        draw &= !answer.forced;
    }
    if let Some(peak) = peak_memory() {
        writeln!(out, "peak memory: {peak}")?;
    }
    writeln!(
        out,
        "{} in {:.1} s",
        if draw { "a draw" } else { "not a draw" },
        begun.elapsed().as_secs_f64()
    )?;
    Ok(if draw { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A number of bytes, as `4G`.
fn bytes(text: &str) -> Result<usize, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let upper = text.to_ascii_uppercase();
    let split = units.iter().find_map(|(unit, shift)| Some((upper.strip_suffix(unit)?, shift)));
    let (digits, shift) = split.unwrap_or((&upper, &0));
    let number: usize = digits.parse().map_err(|_| "a number, or one followed by K, M or G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "more than this machine can count".to_owned())
}

/// The peak memory of this process, as Linux reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.2} GiB", kilobytes as f64 / f64::from(1 << 20)))
}
