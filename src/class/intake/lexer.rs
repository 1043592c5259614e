//! The tokens of a source, without blanks and comments: enough of each language for a fingerprint.
//!
//! A source that is wrong has tokens too.

use std::ops::ControlFlow;

/// A token of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceToken<'s> {
    /// A name that the program chooses.
    Name(&'s str),
    /// A keyword, a number, a text or a sign.
    Same(&'s str),
    /// In Python: `\n` ends a statement, `>` begins a block and `<` ends one.
    Layout(char),
}

/// How a language is written.
struct Writing {
    keywords: &'static [&'static str],
    line_comment: &'static str,
    /// Whether a comment may be in a comment.
    nested_comments: bool,
    family: Family,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Python,
    JavaScript,
    Java,
    Rust,
}

const PYTHON: Writing = Writing {
    keywords: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
        "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "try",
        "while", "with", "yield",
    ],
    line_comment: "#",
    nested_comments: false,
    family: Family::Python,
};

const JAVASCRIPT: Writing = Writing {
    keywords: &[
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "get",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "of",
        "private",
        "public",
        "readonly",
        "return",
        "set",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
        "number",
        "string",
        "boolean",
    ],
    line_comment: "//",
    nested_comments: false,
    family: Family::JavaScript,
};

const JAVA: Writing = Writing {
    keywords: &[
        "abstract",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "record",
        "return",
        "short",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "throws",
        "true",
        "try",
        "var",
        "void",
        "while",
        "yield",
    ],
    line_comment: "//",
    nested_comments: false,
    family: Family::Java,
};

const RUST: Writing = Writing {
    keywords: &[
        "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut",
        "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe",
        "use", "where", "while",
    ],
    line_comment: "//",
    nested_comments: true,
    family: Family::Rust,
};

/// The tokens of a source; `None` in a language that is not read.
pub(super) fn tokens<'s>(language: &str, text: &'s str) -> Option<Vec<SourceToken<'s>>> {
    let writing = match language {
        "python" => &PYTHON,
        "javascript" | "typescript" => &JAVASCRIPT,
        "java" => &JAVA,
        "rust" => &RUST,
        _ => return None,
    };
    let mut lexer = SourceLexer { writing, rest: text, tokens: Vec::new() };
    match writing.family {
        Family::Python => lexer.python(),
        Family::JavaScript | Family::Java | Family::Rust => while lexer.token().is_continue() {},
    }
    Some(lexer.tokens)
}

struct SourceLexer<'s> {
    writing: &'static Writing,
    rest: &'s str,
    tokens: Vec<SourceToken<'s>>,
}

impl<'s> SourceLexer<'s> {
    /// Python, whose lines and blanks before them count.
    fn python(&mut self) {
        let (mut blocks, mut open) = (vec![0], 0_usize);
        let mut statement = 0;
        let mut at_start = true;
        loop {
            let blanks = self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\u{c}']).len();
            let (skipped, rest) = self.rest.split_at(blanks);
            self.rest = rest;
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with('#') {
                self.take(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.take(if rest.starts_with("\\\n") { 2 } else { 3 });
            } else if matches!(first, '\n' | '\r') {
                self.take(1);
                if open == 0 && first == '\n' {
                    self.end_statement(&mut statement);
                    at_start = true;
                }
            } else {
                if at_start && open == 0 {
                    let depth = skipped
                        .chars()
                        .fold(0, |depth, ch| if ch == '\t' { depth / 8 * 8 + 8 } else { depth + 1 });
                    self.indent(&mut blocks, depth);
                    statement = self.tokens.len();
                    at_start = false;
                }
                match first {
                    '(' | '[' | '{' => open += 1,
                    ')' | ']' | '}' => open = open.saturating_sub(1),
                    _ => {}
                }
                let _ = self.token();
            }
        }
        self.end_statement(&mut statement);
    }

    /// Ends a statement of Python; one that is only a text is a comment.
    fn end_statement(&mut self, start: &mut usize) {
        let is_text =
            |token: &SourceToken<'_>| matches!(token, SourceToken::Same(text) if text.ends_with(['"', '\'']));
        let tokens = &self.tokens[*start..];
        if tokens.iter().all(is_text) {
            self.tokens.truncate(*start);
        } else {
            self.tokens.push(SourceToken::Layout('\n'));
        }
        *start = self.tokens.len();
    }

    fn indent(&mut self, blocks: &mut Vec<usize>, depth: usize) {
        while blocks.last().is_some_and(|block| *block > depth) {
            blocks.pop();
            self.tokens.push(SourceToken::Layout('<'));
        }
        if blocks.last().is_none_or(|block| *block < depth) {
            blocks.push(depth);
            self.tokens.push(SourceToken::Layout('>'));
        }
    }

    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn same(&mut self, length: usize) {
        let text = self.take(length);
        self.tokens.push(SourceToken::Same(text));
    }

    /// Takes the next token, or blanks and comments.
    fn token(&mut self) -> ControlFlow<()> {
        let rest = self.rest;
        let Some(first) = rest.chars().next() else { return ControlFlow::Break(()) };
        let family = self.writing.family;
        if first.is_whitespace() {
            self.take(first.len_utf8());
        } else if rest.starts_with(self.writing.line_comment)
            || rest.starts_with("#!") && family == Family::JavaScript
        {
            self.take(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") && family != Family::Python {
            self.take(self.comment(rest));
        } else if first.is_ascii_digit() {
            self.same(
                rest.find(|ch: char| !ch.is_alphanumeric() && ch != '.' && ch != '_').unwrap_or(rest.len()),
            );
        } else if matches!(first, '"' | '\'' | '`') {
            self.quoted(0, first);
        } else if is_of_name(first) {
            self.word();
        } else if first == '/' && family == Family::JavaScript && self.may_begin_expression() {
            self.same(expression(rest));
        } else {
            self.same(first.len_utf8());
        }
        ControlFlow::Continue(())
    }

    fn word(&mut self) {
        let rest = self.rest;
        let length = rest.find(|ch| !is_of_name(ch)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let quote = after.chars().next().filter(|ch| matches!(ch, '"' | '\''));
        match (self.writing.family, quote) {
            (Family::Python, Some(quote))
                if length <= 2 && word.chars().all(|ch| "rRbBuUfFtT".contains(ch)) =>
            {
                return self.quoted(length, quote);
            }
            (Family::Rust, Some(quote)) if ["b", "c", "r", "br", "cr"].contains(&word) => {
                return self.quoted(length, quote);
            }
            (Family::Rust, None) if matches!(word, "r" | "br" | "cr") && after.starts_with("#") => {
                let hashes = after.len() - after.trim_start_matches('#').len();
                if after[hashes..].starts_with('"') {
                    let end = format!("\"{}", "#".repeat(hashes));
                    let start = length + hashes + 1;
                    return self
                        .same(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
                }
            }
            _ => {}
        }
        self.take(length);
        let keyword = self.writing.keywords.contains(&word);
        self.tokens.push(if keyword { SourceToken::Same(word) } else { SourceToken::Name(word) });
    }

    /// A text that begins with a quote after a prefix of `skip` bytes.
    fn quoted(&mut self, skip: usize, quote: char) {
        let rest = self.rest;
        let prefix = rest[..skip].to_ascii_lowercase();
        let triple = quote.to_string().repeat(3);
        let family = self.writing.family;
        if family == Family::Rust && quote == '\'' && is_lifetime(&rest[skip..]) {
            // A lifetime is a mark and a name.
            return self.same(skip + 1);
        }
        let long = matches!(family, Family::Python | Family::Java) && rest[skip..].starts_with(&triple);
        let close = if long { triple } else { quote.to_string() };
        // Code is in braces: `{` in Python, `${` in JavaScript.
        let code = match family {
            Family::Python if prefix.contains(['f', 't']) => Some("{"),
            Family::JavaScript if quote == '`' => Some("${"),
            Family::Python | Family::JavaScript | Family::Java | Family::Rust => None,
        };
        let raw = prefix.contains('r') && family == Family::Rust;
        let lines = long || quote == '`' || family == Family::Rust;
        let mut at = skip + close.len();
        loop {
            let rest = self.rest;
            let here = rest.get(at..).unwrap_or_default();
            let Some(ch) = here.chars().next() else { return self.same(rest.len()) };
            if here.starts_with(&close) {
                return self.same(at + close.len());
            }
            if ch == '\n' && !lines {
                return self.same(at);
            }
            if ch == '\\' && !raw {
                at += 1 + here[1..].chars().next().map_or(0, char::len_utf8);
            } else if family == Family::Python && code.is_some() && here.starts_with("{{") {
                at += 2;
            } else if let Some(open) = code.filter(|open| here.starts_with(open)) {
                self.same(at + open.len());
                self.code();
                at = 0;
            } else {
                at += ch.len_utf8();
            }
        }
    }

    /// The code in a text, up to the brace that ends it.
    fn code(&mut self) {
        let mut open = 0_usize;
        while let Some(first) = self.rest.chars().next() {
            match first {
                '}' if open == 0 => return,
                '{' => open += 1,
                '}' => open -= 1,
                _ => {}
            }
            let _ = self.token();
        }
    }

    /// The length of a comment.
    fn comment(&self, rest: &str) -> usize {
        let (mut at, mut open) = (2, 1);
        while open > 0 {
            let Some(next) = rest[at..].find("*/").map(|end| at + end) else { return rest.len() };
            let inner = rest[at..next].find("/*").filter(|_| self.writing.nested_comments);
            match inner {
                Some(inner) => (at, open) = (at + inner + 2, open + 1),
                None => (at, open) = (next + 2, open - 1),
            }
        }
        at
    }

    /// Whether a `/` is no division after the last token.
    fn may_begin_expression(&self) -> bool {
        match self.tokens.last() {
            None => true,
            Some(SourceToken::Name(_) | SourceToken::Layout(_)) => false,
            Some(SourceToken::Same(text)) => {
                let before =
                    ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"];
                let sign = text.chars().all(|ch| !is_of_name(ch))
                    && !text.ends_with([')', ']', '}', '"', '\'', '`']);
                before.contains(text) || sign
            }
        }
    }
}

fn is_of_name(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '_' | '$')
}

/// Whether a mark begins a lifetime of Rust, not a character.
fn is_lifetime(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    let (first, second) = (chars.next(), chars.next());
    first.is_some_and(|ch| ch.is_alphabetic() || ch == '_') && second != Some('\'')
}

/// The length of a regular expression with its flags; one that is not closed ends with its line.
fn expression(rest: &str) -> usize {
    let (mut escaped, mut in_class) = (false, false);
    for (at, ch) in rest.char_indices().skip(1) {
        match ch {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = &rest[at + 1..];
                return at + 1 + flags.find(|ch| !is_of_name(ch)).unwrap_or(flags.len());
            }
            _ => {}
        }
    }
    rest.len()
}
