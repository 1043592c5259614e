//! A complete submission: Quixo on a grid of `n` rows and columns, as a student might write it.
//!
//! `cargo run --example quixo` runs each case of the exercise on it, as `cargo test` does in a crate made
//! from `templates/rust-quixo`. The names are those of the assignment.

use keur_core::submit;
use std::fmt;
use std::process::ExitCode;

struct Quixo {
    /// The faces, row by row: `-`, `X` or `O`.
    rows: Vec<Vec<char>>,
}

impl submit::Quixo for Quixo {
    fn new(n: usize, faces: Option<&str>) -> Result<Quixo, String> {
        let faces: Vec<char> = faces.map_or_else(|| vec!['-'; n * n], |faces| faces.chars().collect());
        let is_valid = (1..=26).contains(&n) && faces.len() == n * n;
        if !is_valid || faces.iter().any(|face| !"-XO".contains(*face)) {
            return Err("ongeldig rooster".to_owned());
        }
        Ok(Quixo { rows: faces.chunks(n).map(<[char]>::to_vec).collect() })
    }

    fn positie(&self, positie: &str) -> Result<(usize, usize), String> {
        let invalid = || "ongeldige positie".to_owned();
        let (letter, number) = positie.split_at_checked(1).ok_or_else(invalid)?;
        let column = ('A'..='Z').position(|name| letter == name.to_string()).ok_or_else(invalid)?;
        let row = (0..self.rows.len()).find(|row| number == (row + 1).to_string()).ok_or_else(invalid)?;
        if column < self.rows.len() { Ok((row, column)) } else { Err(invalid()) }
    }

    fn beurt(&mut self, symbool: &str, van: &str, naar: &str) -> Result<(), String> {
        let (from, to) = (self.positie(van)?, self.positie(naar)?);
        let last = self.rows.len() - 1;
        let symbol = ['X', 'O'].into_iter().find(|symbol| symbool == symbol.to_string());
        let face = self.rows[from.0][from.1];
        let is_end = |index: usize| index == 0 || index == last;
        let in_row = from.0 == to.0 && is_end(to.1);
        let in_column = from.1 == to.1 && is_end(to.0);
        let on_ring = is_end(from.0) || is_end(from.1);
        let Some(symbol) = symbol.filter(|symbol| face == '-' || face == *symbol) else {
            return Err("ongeldige beurt".to_owned());
        };
        if from == to || !on_ring || !(in_row || in_column) {
            return Err("ongeldige beurt".to_owned());
        }
        if in_row {
            self.rows[from.0].remove(from.1);
            self.rows[from.0].insert(to.1, symbol);
        } else {
            let mut column: Vec<char> = self.rows.iter().map(|row| row[from.1]).collect();
            column.remove(from.0);
            column.insert(to.0, symbol);
            self.rows.iter_mut().zip(column).for_each(|(row, face)| row[from.1] = face);
        }
        Ok(())
    }
}

impl fmt::Display for Quixo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        f.write_str(&rows.join("\n"))
    }
}

fn main() -> ExitCode {
    submit::quixo::<Quixo>()
}
