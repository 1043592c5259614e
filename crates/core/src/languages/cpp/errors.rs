//! Reads what a compiler of C or C++ says.

use super::GLUE;
use crate::languages::CompileError;
use crate::languages::pattern::pattern;
use regex::Regex;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The most errors that are reported; the first ones explain the others.
const MOST_ERRORS: usize = 5;

/// The most characters of an error.
const MOST_TEXT: usize = 2000;

/// The errors of a compiler in its output, the first ones; never none. The files of the submission are in `sources`.
pub(in crate::languages) fn found(said: &str, sources: &Path) -> Vec<CompileError> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:In file included from |                 from )?([^:\s][^:]*):(\d+)(?::\d+)?[:,]\s*(.*)$",
        )
    });
    let mut errors = Vec::new();
    // The last line of the submission on the way to an error in a header of the system.
    let mut passed = None;
    for line in said.lines() {
        let Some(found) = PLACE.captures(line) else { continue };
        let file = found[1].trim_start_matches("./");
        let place = found[2].parse().ok().and_then(|number| place_of(sources, file, number));
        let Some(text) = ["error: ", "fatal error: "].iter().find_map(|begin| found[3].strip_prefix(begin))
        else {
            passed = place.or(passed);
            continue;
        };
        let place = place.or(passed.take());
        let text = text.chars().take(MOST_TEXT).collect();
        errors.push(CompileError { text, place, withheld: None, unlisted: None });
        if errors.len() == MOST_ERRORS {
            break;
        }
    }
    if errors.is_empty() {
        let linker = ["multiple definition of", "undefined reference to", "required symbol"];
        let of_linker = said.lines().find_map(|line| {
            let at = linker.iter().find_map(|words| line.find(words))?;
            line.get(at..)
        });
        let last = of_linker.or_else(|| said.lines().rev().find(|line| !line.trim().is_empty()));
        let text = last.unwrap_or("the compiler gives no reason").chars().take(MOST_TEXT).collect();
        errors.push(CompileError { text, place: None, withheld: None, unlisted: None });
    }
    errors
}

/// A line of a file of the submission, with its text.
fn place_of(sources: &Path, file: &str, line: usize) -> Option<(String, usize, String)> {
    if file.contains("..") || file.starts_with('/') || file == GLUE {
        return None;
    }
    let bytes = fs::read(sources.join(file)).ok()?;
    let text = String::from_utf8_lossy(&bytes).lines().nth(line.checked_sub(1)?)?.to_owned();
    Some((file.to_owned(), line, text))
}
