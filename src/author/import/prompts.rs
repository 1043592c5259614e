//! Finds sessions in a text: prompts, what is typed there, and what is printed below.

use super::language::with_prompt;
use super::pasted::PastedLine;
use super::tokens::{CodeToken, code_tokens, is_open};
use keur_core::languages::Tokens;
use std::ops::Range;

/// The code typed at one prompt, and the lines that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PastedEntry {
    pub(super) prompt: PromptKind,
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// The bytes of what is typed, in the pasted text.
    pub(super) span: Range<usize>,
    /// The code, without prompts.
    pub(super) code: String,
    /// The lines below it. A line that stands for an empty one is empty.
    pub(super) output: Vec<String>,
    /// Whether another prompt follows, or the end of the text: then all of these lines are output.
    pub(super) is_closed: bool,
    /// Whether other text stands between this prompt and the one before.
    pub(super) begins: bool,
}

/// The prompts of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromptKind {
    /// `>>>`, of Python and of some assignments in JavaScript.
    Triple,
    /// `>`, of node.
    Single,
}

/// The mark of an empty line in an output.
pub(super) const BLANK: &str = "<BLANKLINE>";

/// How Python links exceptions; an empty line stands before and after.
const LINKS: [&str; 2] =
    ["During handling of the above exception", "The above exception was the direct cause"];

/// The most lines that a statement goes on without a prompt of its own.
const MOST_OPEN: usize = 50;

/// The sessions in a text, prompt by prompt.
pub(super) fn entries(lines: &[PastedLine]) -> Vec<PastedEntry> {
    let mut finder = Finder { lines, at: 0, entries: Vec::new(), begins: true };
    while let Some(line) = lines.get(finder.at) {
        match finder.prompt(&line.text) {
            Some(found) => finder.entry(&found),
            None => {
                // What stands in a comment or a quotation is empty with its mark alone.
                let text = line.text.trim_matches(|ch: char| ch.is_whitespace() || PREFIX.contains(&ch));
                finder.begins |= !text.is_empty();
                finder.at += 1;
            }
        }
    }
    finder.entries
}

/// Characters before a prompt: it may stand in a comment or a quotation.
const PREFIX: [char; 6] = [' ', '\t', '#', '/', '*', '>'];

/// A prompt in a line.
struct FoundPrompt {
    kind: PromptKind,
    /// The text before the prompt.
    prefix: String,
    code: String,
}

struct Finder<'a> {
    lines: &'a [PastedLine],
    at: usize,
    entries: Vec<PastedEntry>,
    /// Whether other text was seen since the last prompt.
    begins: bool,
}

impl Finder<'_> {
    /// The prompt in a line, if it has one.
    fn prompt(&self, text: &str) -> Option<FoundPrompt> {
        if let Some(found) = triple(text) {
            return Some(found);
        }
        let found = single(text)?;
        let goes_on =
            !self.begins && self.entries.last().is_some_and(|entry| entry.prompt == PromptKind::Single);
        (goes_on || looks_like_code(&found.code)).then_some(found)
    }

    /// Reads the prompt in this line, and what belongs to it.
    fn entry(&mut self, found: &FoundPrompt) {
        let first = self.at;
        self.at += 1;
        let mut code = found.code.clone();
        let language = with_prompt(found.kind).tokens();
        while let Some(more) = self.continuation(found, &code, language) {
            code.push('\n');
            code.push_str(&more);
            self.at += 1;
        }
        self.rest_of_open(&mut code, language);
        let span = self.lines[first].span.start..self.lines[self.at - 1].span.end;
        let (output, is_closed) = self.output(found);
        let begins = std::mem::take(&mut self.begins);
        let prompt = found.kind;
        self.entries.push(PastedEntry { prompt, line: first + 1, span, code, output, is_closed, begins });
    }

    /// The code typed at the prompt of a further line, if this is one.
    fn continuation(&self, found: &FoundPrompt, code: &str, language: &dyn Tokens) -> Option<String> {
        let text = &self.lines.get(self.at)?.text;
        let text = text.strip_prefix(found.prefix.as_str()).unwrap_or_else(|| text.trim_start());
        // The first line of an output may be `...` or begin with `|`.
        let expects_more = || {
            code.contains('\n')
                || is_open(code, language)
                || code.trim_end().ends_with([':', '{'])
                || code.starts_with('@')
        };
        for dots in ["...", "…"] {
            match text.strip_prefix(dots) {
                Some("") if expects_more() => return Some(String::new()),
                Some(more) if more.starts_with(' ') => return Some(more[1..].to_owned()),
                Some(_) | None => {}
            }
        }
        let bar =
            text.strip_prefix('|').filter(|_| found.kind == PromptKind::Single && is_open(code, language))?;
        Some(bar.strip_prefix(' ').unwrap_or(bar).to_owned())
    }

    /// Adds the lines without a prompt that close the brackets of a statement: a page has broken a long line.
    fn rest_of_open(&mut self, code: &mut String, language: &dyn Tokens) {
        if !is_open(code, language) {
            return;
        }
        let mut longer = code.clone();
        for (index, line) in self.lines.iter().enumerate().skip(self.at).take(MOST_OPEN) {
            if line.is_blank() || self.prompt(&line.text).is_some() {
                return;
            }
            longer.push('\n');
            longer.push_str(line.text.trim_start());
            if !is_open(&longer, language) {
                *code = longer;
                self.at = index + 1;
                return;
            }
        }
    }

    /// The lines below a prompt, and whether the session goes on or the text ends after them.
    fn output(&mut self, found: &FoundPrompt) -> (Vec<String>, bool) {
        let mut output: Vec<String> = Vec::new();
        while let Some(line) = self.lines.get(self.at) {
            let text = line.text.as_str();
            if self.is_next(found, text) {
                return (output, true);
            }
            let inside = match text.strip_prefix(found.prefix.as_str()) {
                Some(inside) => inside,
                None if text.is_empty() || text == found.prefix.trim_end() => "",
                // A line that is not indented as its prompt belongs to the output only within a session.
                None if self.is_before_prompt(found) => text.trim_start(),
                None => return (output, false),
            };
            let start = inside.trim_start();
            if inside.is_empty() {
                if !self.links(&output) {
                    return (output, self.only_blanks_follow());
                }
                output.push(String::new());
            } else if ["```", "~~~", "\"\"\"", "'''"].iter().any(|fence| start.starts_with(fence)) {
                return (output, true);
            } else if start == BLANK {
                output.push(String::new());
            } else {
                output.push(inside.to_owned());
            }
            self.at += 1;
        }
        (output, true)
    }

    /// Whether a line below a prompt is the next prompt.
    fn is_next(&self, found: &FoundPrompt, text: &str) -> bool {
        // Marks of an output may look like a prompt in a comment.
        let same = |next: FoundPrompt| next.prefix.trim() == found.prefix.trim();
        let is_single = || found.kind == PromptKind::Single && single(text).is_some_and(same);
        triple(text).is_some() || is_single()
    }

    /// Whether a prompt comes before the next empty line.
    fn is_before_prompt(&self, found: &FoundPrompt) -> bool {
        let lines = self.lines.iter().skip(self.at).take(MOST_OPEN).take_while(|line| !line.is_blank());
        lines.into_iter().any(|line| self.is_next(found, &line.text))
    }

    /// Whether only empty lines follow, up to the end of the text.
    fn only_blanks_follow(&self) -> bool {
        self.lines.iter().skip(self.at).all(PastedLine::is_blank)
    }

    /// Whether the empty line here is part of a chain of exceptions.
    fn links(&self, output: &[String]) -> bool {
        let is_link = |line: &str| LINKS.iter().any(|link| line.trim_start().starts_with(link));
        let raised = output.iter().any(|line| line.starts_with(TRACEBACK));
        let next = self.lines.iter().skip(self.at).find(|line| !line.is_blank());
        raised
            && (next.is_some_and(|line| is_link(&line.text))
                || output.iter().rev().find(|line| !line.is_empty()).is_some_and(|line| is_link(line)))
    }
}

/// How Python begins the report of an exception.
pub(super) const TRACEBACK: &str = "Traceback (";

fn triple(text: &str) -> Option<FoundPrompt> {
    let at = text.find(">>>")?;
    let (prefix, rest) = text.split_at(at);
    let code = &rest[3..];
    let fits = prefix.chars().all(|ch| PREFIX.contains(&ch)) && !code.starts_with(['>', '=']);
    fits.then(|| found(PromptKind::Triple, prefix, code))
}

fn single(text: &str) -> Option<FoundPrompt> {
    let at = text.find('>')?;
    let (prefix, rest) = text.split_at(at);
    let code = &rest[1..];
    let fits = prefix.chars().all(|ch| PREFIX.contains(&ch)) && !code.starts_with(['>', '=']);
    fits.then(|| found(PromptKind::Single, prefix, code))
}

fn found(kind: PromptKind, prefix: &str, code: &str) -> FoundPrompt {
    FoundPrompt { kind, prefix: prefix.to_owned(), code: code.trim().to_owned() }
}

/// Whether the text after a `>` is code: the mark also begins a quotation in Markdown and in mail.
fn looks_like_code(code: &str) -> bool {
    let Ok(tokens) = code_tokens(code, with_prompt(PromptKind::Single).tokens()) else { return false };
    let mut tokens = tokens.iter();
    let Some(first) = tokens.next() else { return false };
    let second = tokens.next();
    let third = tokens.next();
    if ["const", "let", "var"].contains(&first.text.as_str()) {
        return third.is_none_or(|third| third.is_mark("=") || third.is_mark(";")) || code.contains(" = ");
    }
    if ["new", "await"].contains(&first.text.as_str()) {
        return third.is_some_and(|third| !third.spaced);
    }
    let is_name = first.text.starts_with(|ch: char| ch.is_alphabetic() || ch == '_' || ch == '$');
    let tight =
        |second: &CodeToken| !second.spaced && ["(", ".", "[", "++", "--"].contains(&second.text.as_str());
    let assigns = |second: &CodeToken| ["=", ";", "+=", "-="].contains(&second.text.as_str());
    let is_call = code.contains(['(', '=', '[']) || code.ends_with(';');
    is_name && is_call && second.is_some_and(|second| tight(second) || assigns(second))
        || first.is_mark("[") && (code.contains('=') || second.is_some_and(|second| second.is_mark("...")))
        || first.is_mark("!") && code.contains('(') && second.is_some_and(|second| !second.spaced)
}

#[cfg(test)]
mod tests {
    use super::super::pasted::lines;
    use super::entries;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &[&str])]) {
        let found = entries(&lines(text));
        let found: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|entry| (entry.code.as_str(), entry.output.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(code, output)| (*code, output.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn prose_is_skipped() {
        check("Some words.\n\n>>> f(1)\n2\n\nMore words.\n>>> g()\n", &[("f(1)", &["2"]), ("g()", &[])]);
        check("> Note (this) is a quotation\n\n> f(1)\n2\n> x\n3\n", &[("f(1)", &["2"]), ("x", &["3"])]);
        check(">>>> no\n>= no\n-> no\n> [a link](of a page)\n> !", &[]);
        for code in ["[...f()]", "!new A().b()", "[a, b] = f()"] {
            check(&format!("> {code}"), &[(code, &[])]);
        }
    }

    #[test]
    fn lines_go_on_at_their_own_prompt_or_until_brackets_are_closed() {
        check(">>> f(1,\n...   2)\n3", &[("f(1,\n  2)", &["3"])]);
        check(">>> f(1,\n      2)\n3", &[("f(1,\n2)", &["3"])]);
        check(">>> for i in x:\n...     f(i)\n...\n3", &[("for i in x:\n    f(i)\n", &["3"])]);
        check(">>> f()\n...\n...", &[("f()", &["...", "..."])]);
        check("> f(1,\n| 2)\n3\n> g()\n|?|", &[("f(1,\n2)", &["3"]), ("g()", &["|?|"])]);
        check(">>> f(1\nwords without end", &[("f(1", &["words without end"])]);
    }

    #[test]
    fn sessions_stand_in_docstrings_comments_and_quotations() {
        check(
            "def f():\n    '''Does.\n\n    >>> f()\n    a\n    <BLANKLINE>\n      b\n    '''\n    return 1",
            &[("f()", &["a", "", "  b"])],
        );
        check("# >>> f()\n# 1\n# >>> g()\n#\n# words", &[("f()", &["1"]), ("g()", &[])]);
        check(" * > f(1)\n * 1\n */", &[("f(1)", &["1"])]);
        check("> >>> f()\n> 1\n>\n> words", &[("f()", &["1"])]);
        check("    >>> f()\n1\n    >>> g()\n2\n\n", &[("f()", &["1"]), ("g()", &[])]);
    }

    #[test]
    fn chained_exceptions_stay_together() {
        let text = ">>> f()\nTraceback (most recent call last):\n  File\nKeyError: 'a'\n\nDuring handling of the \
                    above exception, another exception occurred:\n\nTraceback (most recent call last):\nE: x\n\nwords";
        let found = entries(&lines(text));
        assert_eq!(found[0].output.len(), 8);
    }
}
