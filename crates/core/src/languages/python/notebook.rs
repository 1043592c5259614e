//! Notebooks of Jupyter: their code cells as one source of Python.
//!
//! Each cell follows a line that numbers it. The driver runs the cells one by one, so that a cell that raises
//! loses only what needs it. The format: nbformat.readthedocs.io, "The Notebook file format".

use crate::languages::{Notebooks, pattern};
use regex::Regex;
use serde_json::Value as Json;
use std::sync::LazyLock;

/// The notebooks of Python.
pub(super) static NOTEBOOKS: Notebooks =
    Notebooks { extension: "ipynb", largest: 10 << 20, source, cell_of, has_blanked };

/// The line before a cell, up to its number; driver.py knows it too.
const CELL: &str = "# keur: cell ";

/// The text before a line that is no Python.
const BLANKED: &str = "pass  # not Python: ";

/// The tag of a cell that is left out.
const SKIPPED: &str = "keur-skip";

/// Magics of a whole cell, of which only the first line is no Python.
const AROUND: [&str; 3] = ["%%time", "%%timeit", "%%capture"];

/// The source of a notebook; `None` if the file is none.
fn source(bytes: &[u8]) -> Option<String> {
    let notebook: Json = serde_json::from_slice(bytes).ok()?;
    let cells = notebook["cells"].as_array()?;
    let code = cells.iter().filter(|cell| cell["cell_type"] == "code");
    let mut source = String::new();
    for (cell, number) in code.zip(1..) {
        let tags = cell["metadata"]["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = text_of(&cell["source"]);
        if text.trim().is_empty() || tags.iter().any(|tag| tag == SKIPPED) {
            continue;
        }
        source += &format!("{CELL}{number}\n");
        for line in plain_lines(&text) {
            source += &line;
            source.push('\n');
        }
    }
    Some(source)
}

/// The text of a cell, which is a string or a list of lines that keep their ends.
fn text_of(source: &Json) -> String {
    match source {
        Json::String(text) => text.clone(),
        Json::Array(lines) => lines.iter().filter_map(Json::as_str).collect(),
        _ => String::new(),
    }
}

/// The lines of a cell, without those that only Jupyter understands.
fn plain_lines(text: &str) -> Vec<String> {
    static MAGIC: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(?:%{1,2}[A-Za-z]|!|\?)|^\s*[\w.]+\?{1,2}\s*$"));
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    let is_whole = first.starts_with("%%") && !AROUND.iter().any(|magic| first.starts_with(magic));
    let plain = |line: &str| {
        let begin = line.len() - line.trim_start().len();
        if !line.trim().is_empty() && (is_whole || MAGIC.is_match(line)) {
            format!("{}{BLANKED}{}", if is_whole { "" } else { &line[..begin] }, line.trim())
        } else {
            line.to_owned()
        }
    };
    text.lines().map(plain).collect()
}

/// The number of the cell that a line of a source is in, and the line in the cell, both from 1.
fn cell_of(source: &str, line: usize) -> Option<(usize, usize)> {
    let before = source.lines().take(line).enumerate();
    let numbers =
        before.filter_map(|(index, text)| Some((index, text.strip_prefix(CELL)?.parse::<usize>().ok()?)));
    let (index, number) = numbers.last()?;
    Some((number, line.checked_sub(index + 1)?))
}

/// Whether a source has lines that were left out because they are no Python.
fn has_blanked(source: &str) -> bool {
    source.lines().any(|line| line.trim_start().starts_with(BLANKED))
}

#[cfg(test)]
mod tests {
    use super::{cell_of, has_blanked, source};
    use serde_json::json;

    /// The source of a notebook with these cells of code, the last of which is tagged.
    fn of(cells: &[&str]) -> String {
        let mut cells: Vec<_> =
            cells.iter().map(|text| json!({ "cell_type": "code", "source": text, "metadata": {} })).collect();
        cells.insert(1, json!({ "cell_type": "markdown", "source": ["# Title\n", "text"] }));
        cells
            .push(json!({ "cell_type": "code", "source": "skipped", "metadata": { "tags": ["keur-skip"] } }));
        source(json!({ "cells": cells, "nbformat": 4 }).to_string().as_bytes()).unwrap()
    }

    #[test]
    fn the_cells_of_code_are_one_source() {
        let source = of(&["a = 1\nb = 2", "", "def f():\n    return a"]);
        assert_eq!(source, "# keur: cell 1\na = 1\nb = 2\n# keur: cell 3\ndef f():\n    return a\n");
        assert_eq!(cell_of(&source, 3), Some((1, 2)));
        assert_eq!(cell_of(&source, 6), Some((3, 2)));
        assert_eq!(cell_of("a = 1\n", 1), None);
        assert!(!has_blanked(&source));
    }

    #[test]
    fn what_only_jupyter_understands_is_left_out() {
        let source =
            of(&["%matplotlib inline\nif a:\n    !ls\nf?\nx = 7 % 2", "%%bash\nls", "%%time\na = 1"]);
        let wanted = "# keur: cell 1\npass  # not Python: %matplotlib inline\nif a:\n    pass  # not Python: !ls\n\
                      pass  # not Python: f?\nx = 7 % 2\n# keur: cell 2\npass  # not Python: %%bash\n\
                      pass  # not Python: ls\n# keur: cell 3\npass  # not Python: %%time\na = 1\n";
        assert_eq!(source, wanted);
        assert!(has_blanked(&source));
    }

    #[test]
    fn a_file_that_is_no_notebook_has_no_source() {
        for wrong in ["", "{", "[]", "{\"cells\": 3}"] {
            assert_eq!(source(wrong.as_bytes()), None, "{wrong}");
        }
        // Whatever cells are, there is a source.
        assert_eq!(source(b"{\"cells\": [3, null, {\"cell_type\": \"code\", \"source\": 4}]}").unwrap(), "");
    }
}
