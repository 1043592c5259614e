//! Tokens of the code in a session: Python or JavaScript, also with the quotes of a word processor.

/// The language of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionSyntax {
    Python,
    JavaScript,
}

impl SessionSyntax {
    /// The language's name in exercise files.
    pub(super) fn language(self) -> &'static str {
        match self {
            SessionSyntax::Python => "python",
            SessionSyntax::JavaScript => "javascript",
        }
    }
}

/// A token of the code in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeToken {
    pub(super) kind: CodeTokenKind,
    /// Its text; of a string what stands between single quotes in a case, of a comment what stands after its mark.
    pub(super) text: String,
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
}

/// What a token of a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeTokenKind {
    Name,
    Number,
    Text,
    Mark,
    Comment,
    /// The end of a line outside brackets.
    Newline,
}

impl CodeToken {
    /// Whether it is this mark.
    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.kind == CodeTokenKind::Mark && self.text == mark
    }

    /// Whether it is this name or keyword.
    pub(super) fn is_name(&self, name: &str) -> bool {
        self.kind == CodeTokenKind::Name && self.text == name
    }

    /// How much deeper in brackets the next token is.
    pub(super) fn nesting(&self) -> i32 {
        if self.kind != CodeTokenKind::Mark {
            return 0;
        }
        match self.text.as_str() {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        }
    }
}

const MARKS_OF_PYTHON: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "->", ":=", "<<", ">>",
];
const MARKS_OF_JAVASCRIPT: &[&str] = &[
    "===", "!==", "**=", "...", "=>", "&&", "||", "??", "?.", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=",
    "%=", "++", "--", "**",
];

/// Quotes that a word processor writes for `'`.
const SINGLE: [char; 6] = ['\'', '‘', '’', '‚', '‛', '′'];
/// Quotes that a word processor writes for `"`.
const DOUBLE: [char; 5] = ['"', '“', '”', '„', '″'];

/// Cuts code into tokens.
///
/// # Errors
/// The first problem, in lowercase without a full stop.
pub(super) fn code_tokens(code: &str, syntax: SessionSyntax) -> Result<Vec<CodeToken>, String> {
    let mut lexer = CodeLexer { rest: code, syntax, tokens: Vec::new(), depth: 0, spaced: false };
    while let Some(ch) = lexer.rest.chars().next() {
        lexer.token(ch)?;
    }
    Ok(lexer.tokens)
}

/// Whether the statement in `code` goes on in the next line: a bracket or a long string is not closed.
pub(super) fn is_open(code: &str, syntax: SessionSyntax) -> bool {
    match code_tokens(code, syntax) {
        Ok(tokens) => tokens.iter().map(CodeToken::nesting).sum::<i32>() > 0 || code.ends_with('\\'),
        Err(problem) => problem == LONG,
    }
}

/// A string of several lines that does not end.
const LONG: &str = "a string of several lines is not closed";

/// The code of tokens, with the spaces that a person writes.
pub(super) fn written_code(tokens: &[CodeToken]) -> String {
    let mut out = String::new();
    let is_code = |token: &&CodeToken| !matches!(token.kind, CodeTokenKind::Comment | CodeTokenKind::Newline);
    let mut before: Option<&CodeToken> = None;
    for token in tokens.iter().filter(is_code) {
        let after_open = before.is_some_and(|before| before.nesting() > 0);
        let tight =
            after_open || token.nesting() < 0 || token.is_mark(",") || token.is_mark(":") || before.is_none();
        let after_comma = before.is_some_and(|before| before.is_mark(","));
        if !tight && (token.spaced || after_comma) {
            out.push(' ');
        }
        match token.kind {
            CodeTokenKind::Text => out.push_str(&quoted_text(&token.text)),
            CodeTokenKind::Name | CodeTokenKind::Number | CodeTokenKind::Mark => out.push_str(&token.text),
            CodeTokenKind::Comment | CodeTokenKind::Newline => {}
        }
        before = Some(token);
    }
    out
}

/// A string of a case: in double quotes if that saves escapes.
pub(super) fn quoted_text(body: &str) -> String {
    if body.contains("\\'") && !body.contains('"') {
        format!("\"{}\"", body.replace("\\'", "'"))
    } else {
        format!("'{body}'")
    }
}

struct CodeLexer<'a> {
    rest: &'a str,
    syntax: SessionSyntax,
    tokens: Vec<CodeToken>,
    depth: i32,
    /// Whether a blank stands before the next token.
    spaced: bool,
}

impl CodeLexer<'_> {
    fn push(&mut self, kind: CodeTokenKind, text: impl Into<String>) {
        let token = CodeToken { kind, text: text.into(), spaced: std::mem::take(&mut self.spaced) };
        self.depth += token.nesting();
        self.tokens.push(token);
    }

    /// The next bytes as long as `accept` holds for the characters.
    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|ch| !accept(ch)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.to_owned()
    }

    fn token(&mut self, ch: char) -> Result<(), String> {
        let python = self.syntax == SessionSyntax::Python;
        match ch {
            '\n' => {
                self.rest = &self.rest[1..];
                if self.depth <= 0 {
                    self.push(CodeTokenKind::Newline, "\n");
                }
                self.spaced = true;
            }
            '\\' if self.rest.starts_with("\\\n") => {
                self.rest = &self.rest[2..];
                self.spaced = true;
            }
            ch if ch.is_whitespace() => {
                self.rest = &self.rest[ch.len_utf8()..];
                self.spaced = true;
            }
            '#' if python => self.comment(1, "\n"),
            '/' if !python && self.rest.starts_with("//") => self.comment(2, "\n"),
            '/' if !python && self.rest.starts_with("/*") => self.comment(2, "*/"),
            ch if ch.is_ascii_digit() => {
                let mut number = self.take_while(|ch| ch.is_alphanumeric() || ch == '_' || ch == '.');
                if number.ends_with(['e', 'E'])
                    && !number.starts_with("0x")
                    && self.rest.starts_with(['-', '+'])
                {
                    number.push_str(&self.take_while(|ch| ch == '-' || ch == '+'));
                    number.push_str(&self.take_while(|ch| ch.is_ascii_digit()));
                }
                self.push(CodeTokenKind::Number, number);
            }
            ch if ch.is_alphabetic() || ch == '_' || ch == '$' && !python => {
                let name = self.take_while(|ch| ch.is_alphanumeric() || ch == '_' || ch == '$' && !python);
                let prefix = name.to_ascii_lowercase();
                let is_quoted = self.rest.starts_with(['\'', '"']);
                match prefix.as_str() {
                    "r" if python && is_quoted => self.string(true)?,
                    "u" if python && is_quoted => self.string(false)?,
                    "f" | "fr" | "rf" if python && is_quoted => {
                        return Err("an f-string is not part of the language of cases".to_owned());
                    }
                    "b" | "br" | "rb" if python && is_quoted => {
                        return Err("bytes are not part of the language of cases".to_owned());
                    }
                    _ => self.push(CodeTokenKind::Name, name),
                }
            }
            ch if SINGLE.contains(&ch) || DOUBLE.contains(&ch) => self.string(false)?,
            '`' if !python => self.string(false)?,
            '–' | '−' => {
                self.rest = &self.rest[ch.len_utf8()..];
                self.push(CodeTokenKind::Mark, "-");
            }
            ch => {
                let marks = if python { MARKS_OF_PYTHON } else { MARKS_OF_JAVASCRIPT };
                let mark = marks
                    .iter()
                    .find(|mark| self.rest.starts_with(**mark))
                    .map_or(ch.len_utf8(), |mark| mark.len());
                let (mark, rest) = self.rest.split_at(mark);
                self.rest = rest;
                self.push(CodeTokenKind::Mark, mark);
            }
        }
        Ok(())
    }

    /// A comment after a mark of `open` bytes, up to `close`.
    fn comment(&mut self, open: usize, close: &str) {
        let rest = &self.rest[open..];
        let (text, rest) = match rest.find(close) {
            // The end of a line is a token of its own.
            Some(end) if close == "\n" => rest.split_at(end),
            Some(end) => (&rest[..end], &rest[end + close.len()..]),
            None => (rest, ""),
        };
        self.rest = rest;
        self.push(CodeTokenKind::Comment, text.trim());
    }

    /// A string at its opening quote.
    fn string(&mut self, raw: bool) -> Result<(), String> {
        let Some(open) = self.rest.chars().next() else { return Ok(()) };
        let python = self.syntax == SessionSyntax::Python;
        let triple = ["'''", "\"\"\""].into_iter().find(|quotes| python && self.rest.starts_with(*quotes));
        let closes: &[char] = match open {
            '\'' => &['\''],
            '"' => &['"'],
            '`' => &['`'],
            open if SINGLE.contains(&open) => &SINGLE,
            _ => &DOUBLE,
        };
        let is_long = triple.is_some() || open == '`';
        let mut rest = &self.rest[triple.map_or(open.len_utf8(), str::len)..];
        let mut body = String::new();
        loop {
            let Some(ch) = rest.chars().next() else {
                return Err(if is_long { LONG } else { "a string is not closed" }.to_owned());
            };
            if let Some(after) = triple.and_then(|quotes| rest.strip_prefix(quotes)) {
                rest = after;
                break;
            }
            rest = &rest[ch.len_utf8()..];
            match ch {
                ch if triple.is_none() && closes.contains(&ch) => break,
                '\n' if is_long => body.push_str("\\n"),
                '\n' => return Err("a string is not closed".to_owned()),
                '\\' if raw => body.push_str("\\\\"),
                '\\' => {
                    let escaped = rest.chars().next();
                    rest = &rest[escaped.map_or(0, char::len_utf8)..];
                    escape(&mut body, escaped, python);
                }
                '\'' => body.push_str("\\'"),
                '$' if open == '`' && rest.starts_with('{') => {
                    return Err("a string with `${…}` is not part of the language of cases".to_owned());
                }
                ch => body.push(ch),
            }
        }
        self.rest = rest;
        // Python puts strings together that stand side by side.
        match self.tokens.last_mut() {
            Some(last) if python && last.kind == CodeTokenKind::Text => {
                last.text.push_str(&body);
                self.spaced = false;
            }
            _ => self.push(CodeTokenKind::Text, body),
        }
        Ok(())
    }
}

/// Adds the escaped character to the text of a string, as a case writes it in single quotes.
fn escape(body: &mut String, escaped: Option<char>, python: bool) {
    match escaped {
        // The string goes on in the next line.
        None | Some('\n') => {}
        Some('"') => body.push('"'),
        Some(ch @ ('n' | 't' | 'r' | '0' | 'b' | 'f' | 'v' | '\\' | '\'' | 'x' | 'u')) => {
            body.extend(['\\', ch])
        }
        Some(ch @ ('a' | 'U')) if python => body.extend(['\\', ch]),
        Some(ch) if python => {
            body.push_str("\\\\");
            body.push(ch);
        }
        Some(ch) => body.push(ch),
    }
}

#[cfg(test)]
mod tests {
    use super::{SessionSyntax, code_tokens, is_open, written_code};

    #[track_caller]
    fn check(syntax: SessionSyntax, code: &str, written: &str) {
        assert_eq!(written_code(&code_tokens(code, syntax).unwrap()), written);
    }

    #[test]
    fn code_is_written_as_a_person_writes_it() {
        let python = |code, written| check(SessionSyntax::Python, code, written);
        python("f( 1,2 ,[3,\n 4 ] )  # why", "f(1, 2, [3, 4])");
        python("a = -1 + 2", "a = -1 + 2");
        python("x[1:3]", "x[1:3]");
        python(r#"f("a", "it's", "say \"hi\"", 'c\'d')"#, r#"f('a', "it's", 'say "hi"', "c'd")"#);
        python("f(r'\\d', u'x', 'a' \"b\")", "f('\\\\d', 'x', 'ab')");
        python("f('''a\nb''')", "f('a\\nb')");
        python("f(“a’b”, ‘c’, ′d′) − 1", "f('a’b', 'c', 'd') - 1");
        python("'l’un'", "'l’un'");
        python("1e-5", "1e-5");
        let javascript = |code, written| check(SessionSyntax::JavaScript, code, written);
        javascript("f(`a\nb`) /* x */ + $y; // z", "f('a\\nb') + $y;");
        javascript(r"f('\d\q\n')", r"f('dq\n')");
    }

    #[test]
    fn a_statement_goes_on_until_its_brackets_are_closed() {
        for (code, open) in
            [("f(1,", true), ("f('''a", true), ("f(1)", false), ("f('a", false), ("a \\", true)]
        {
            assert_eq!(is_open(code, SessionSyntax::Python), open, "{code}");
        }
    }
}
