//! Notebooks of Jupyter: their code cells as one source of Python.
//!
//! Each cell follows a line that numbers it. The driver runs the cells one by one, so that a cell that raises
//! loses only what needs it. The format: nbformat.readthedocs.io, "The Notebook file format".

use super::tokens::token;
use crate::languages::tokens::TokenKind;
use crate::languages::{Notebooks, pattern};
use regex::Regex;
use serde_json::Value as Json;
use std::sync::LazyLock;

/// The notebooks of Python.
pub(super) static NOTEBOOKS: Notebooks =
    Notebooks { extension: "ipynb", largest: 10 << 20, source, cell_of, has_blanked };

/// The line before a cell, up to its number. It alone ends with a carriage return too, as driver.py knows.
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
        source += &format!("{CELL}{number}\r\n{}", plain(&text));
    }
    Some(source)
}

/// The text of a cell, which is a string or a list of lines that keep their ends: with the line ends of Unix,
/// which Python makes of others, and one at its end.
fn text_of(source: &Json) -> String {
    let text = match source {
        Json::String(text) => text.clone(),
        Json::Array(lines) => lines.iter().filter_map(Json::as_str).collect(),
        _ => String::new(),
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.ends_with('\n') { text } else { text + "\n" }
}

/// The text of a cell, without the lines that only Jupyter understands. It looks for them where a statement begins.
fn plain(text: &str) -> String {
    static MAGIC: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(?:[\w.,\s]+=\s*)*(?:%{1,2}[A-Za-z]|!)|^\s*\?|^\s*[\w.]+\?{1,2}\s*$"));
    // Statements on parts of Jupyter that a module does not have.
    static OF_JUPYTER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^\s*(?:from\s+IPython\b[^;]*|import\s+IPython\b[\w.\s]*|get_ipython\(\)[^;]*)$")
    });
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    if first.starts_with("%%") && !AROUND.iter().any(|magic| first.starts_with(magic)) {
        return text.lines().map(|line| blanked("", line)).collect();
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some(line) = rest.lines().next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if !MAGIC.is_match(line) {
            let (statement, after) = rest.split_at(statement_end(rest));
            if OF_JUPYTER.is_match(line) {
                plain.extend(statement.lines().map(|line| blanked(indent, line)));
            } else {
                plain += statement;
            }
            rest = after;
            continue;
        }
        // A backslash at its end continues it on the next line.
        let mut goes_on = true;
        while goes_on && let Some(line) = rest.lines().next() {
            plain += &blanked(indent, line);
            rest = rest.get(line.len() + 1..).unwrap_or_default();
            goes_on = line.ends_with('\\');
        }
    }
    plain
}

/// A line that is left out; an empty one stays.
fn blanked(indent: &str, line: &str) -> String {
    let line = line.trim();
    if line.is_empty() { "\n".to_owned() } else { format!("{indent}{BLANKED}{line}\n") }
}

/// The end of the statement, with its line end, at the start of a text; several on a line count as one.
fn statement_end(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(first) = text[at..].chars().next() {
        if first == '\n' && depth == 0 {
            return at + 1;
        }
        at += match first {
            // It continues on the next line.
            '\\' => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let (kind, length) = token(&text[at..], first);
                match first {
                    '(' | '[' | '{' if kind == TokenKind::Mark => depth += 1,
                    ')' | ']' | '}' if kind == TokenKind::Mark => depth = depth.saturating_sub(1),
                    _ => {}
                }
                length
            }
        };
    }
    at
}

/// The number of the cell that a line of a source is in, and the line in the cell, both from 1.
fn cell_of(source: &str, line: usize) -> Option<(usize, usize)> {
    let before = source.split('\n').take(line).enumerate();
    let numbers = before.filter_map(|(index, text)| {
        Some((index, text.strip_prefix(CELL)?.strip_suffix('\r')?.parse::<usize>().ok()?))
    });
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
        assert_eq!(source, "# keur: cell 1\r\na = 1\nb = 2\n# keur: cell 3\r\ndef f():\n    return a\n");
        assert_eq!(cell_of(&source, 3), Some((1, 2)));
        assert_eq!(cell_of(&source, 6), Some((3, 2)));
        assert_eq!(cell_of("a = 1\n", 1), None);
        assert!(!has_blanked(&source));
    }

    #[test]
    fn what_only_jupyter_understands_is_left_out() {
        let source =
            of(&["%matplotlib inline\nif a:\n    !ls\nf?\nx = 7 % 2", "%%bash\nls", "%%time\na = 1"]);
        let wanted = "# keur: cell 1\r\npass  # not Python: %matplotlib inline\nif a:\n    pass  # not Python: !ls\n\
                      pass  # not Python: f?\nx = 7 % 2\n# keur: cell 2\r\npass  # not Python: %%bash\n\
                      pass  # not Python: ls\n# keur: cell 3\r\npass  # not Python: %%time\na = 1\n";
        assert_eq!(source, wanted);
        assert!(has_blanked(&source));
    }

    #[test]
    fn parts_of_jupyter_are_left_out() {
        let left = "from IPython.display import (\n    HTML,\n)\nimport numpy\nget_ipython().magic('x')\nfiles = !ls\na = b = %time 3\n";
        let wanted = "# keur: cell 1\r\npass  # not Python: from IPython.display import (\npass  # not Python: HTML,\n\
                      pass  # not Python: )\nimport numpy\npass  # not Python: get_ipython().magic('x')\n\
                      pass  # not Python: files = !ls\npass  # not Python: a = b = %time 3\n";
        assert_eq!(of(&[left]), wanted);
        for cell in ["import IPython.display, numpy\n", "x = 1 != 2\n", "y = x\\\n  %two\n", "d == 4 % a\n"] {
            assert_eq!(of(&[cell]), format!("# keur: cell 1\r\n{cell}"));
        }
    }

    #[test]
    fn a_line_like_a_magic_inside_a_statement_stays() {
        for cell in [
            "s = (5\n    %two)\n",
            "a = \"\"\"\n!rm\n%time\n\"\"\"\n",
            "f(# (\n'(', \"\\\"[\",\n  [1,\n !x])\n",
            "a = 7 \\\n  %two\n",
            "t = '''\n%a ''' \\\n  %two\n",
        ] {
            assert_eq!(of(&[cell]), format!("# keur: cell 1\r\n{cell}"));
        }
        let begins = of(&["x = f(1)\n!echo it's \"\"\" ( \\\n  more\ny = ')'\n%time x\n)\n%time x"]);
        let wanted = "# keur: cell 1\r\nx = f(1)\npass  # not Python: !echo it's \"\"\" ( \\\npass  # not Python: more\n\
                      y = ')'\npass  # not Python: %time x\n)\npass  # not Python: %time x\n";
        assert_eq!(begins, wanted);
        assert_eq!(of(&["'''open\n!ls\n"]), "# keur: cell 1\r\n'''open\n!ls\n");
    }

    #[test]
    fn no_text_of_a_cell_is_taken_for_the_line_before_one() {
        let source = of(&["a = 1\rb = 2\r\n# keur: cell 8\r\n# keur: cell 9\nc = 3", "d = 4"]);
        assert_eq!(
            source,
            "# keur: cell 1\r\na = 1\nb = 2\n# keur: cell 8\n# keur: cell 9\nc = 3\n# keur: cell 2\r\nd = 4\n"
        );
        assert_eq!(cell_of(&source, 6), Some((1, 5)));
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
