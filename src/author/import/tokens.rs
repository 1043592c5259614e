//! The code in a session, token by token as a case writes it; also with the dashes and quotes of a word
//! processor.

use keur_core::languages::{NoContent, TokenKind, Tokens};

/// A token of the code in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeToken {
    pub(super) kind: CodeTokenKind,
    /// The text; of a string its content as between single quotes in a case, of a comment the words after its
    /// mark.
    pub(super) text: String,
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
}

/// The kinds of a session's tokens.
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

/// Cuts code into tokens.
///
/// # Errors
/// The first problem, in lowercase without a full stop.
pub(super) fn code_tokens(code: &str, language: &dyn Tokens) -> Result<Vec<CodeToken>, String> {
    let mut reader = CodeReader { tokens: Vec::new(), depth: 0, spaced: false };
    let mut end = 0;
    for token in language.tokens(code) {
        reader.blanks(&code[end..token.at.start]);
        end = token.at.end;
        let text = &code[token.at];
        match token.kind {
            // A private name is of a class alone.
            TokenKind::Name if text.starts_with('#') => reader.push(CodeTokenKind::Mark, text),
            TokenKind::Name => reader.push(CodeTokenKind::Name, text),
            TokenKind::Number => reader.push(CodeTokenKind::Number, text),
            TokenKind::Comment => reader.push(CodeTokenKind::Comment, without_marks(text)),
            TokenKind::Mark if matches!(text, "–" | "−") => reader.push(CodeTokenKind::Mark, "-"),
            // The line goes on.
            TokenKind::Mark if text == "\\" && code[end..].starts_with('\n') => {
                end += 1;
                reader.spaced = true;
            }
            TokenKind::Mark | TokenKind::Expression => reader.push(CodeTokenKind::Mark, text),
            TokenKind::Text => {
                let content = language.content(text).map_err(|problem| match problem {
                    NoContent::Open => "a string is not closed".to_owned(),
                    NoContent::OpenLong => LONG.to_owned(),
                    NoContent::Foreign(what) => format!("{what} not part of the language of cases"),
                })?;
                reader.text(&content, language.joins_texts());
            }
        }
    }
    reader.blanks(&code[end..]);
    Ok(reader.tokens)
}

/// The text of a comment.
pub(super) fn without_marks(comment: &str) -> &str {
    let inside = comment.strip_prefix("/*").map(|text| text.strip_suffix("*/").unwrap_or(text));
    inside
        .or_else(|| comment.strip_prefix("//"))
        .or_else(|| comment.strip_prefix('#'))
        .unwrap_or(comment)
        .trim()
}

/// Whether the statement in `code` goes on in the next line: a bracket or a long string is not closed.
pub(super) fn is_open(code: &str, language: &dyn Tokens) -> bool {
    match code_tokens(code, language) {
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

/// The tokens that are read so far.
struct CodeReader {
    tokens: Vec<CodeToken>,
    /// How many brackets are open.
    depth: i32,
    /// Whether a blank stands before the next token.
    spaced: bool,
}

impl CodeReader {
    fn push(&mut self, kind: CodeTokenKind, text: &str) {
        let token = CodeToken { kind, text: text.to_owned(), spaced: std::mem::take(&mut self.spaced) };
        self.depth += token.nesting();
        self.tokens.push(token);
    }

    /// Reads what stands between two tokens.
    fn blanks(&mut self, between: &str) {
        for ch in between.chars() {
            if ch == '\n' && self.depth <= 0 {
                self.push(CodeTokenKind::Newline, "\n");
            }
            self.spaced = true;
        }
    }

    /// Adds a text, or its content to the text before it.
    fn text(&mut self, content: &str, joins: bool) {
        match self.tokens.last_mut() {
            Some(last) if joins && last.kind == CodeTokenKind::Text => {
                last.text.push_str(content);
                self.spaced = false;
            }
            _ => self.push(CodeTokenKind::Text, content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{code_tokens, is_open, written_code};
    use keur_core::languages::Tokens;
    use keur_core::languages::javascript::JavaScript;
    use keur_core::languages::python::Python;

    #[track_caller]
    fn check(language: &dyn Tokens, code: &str, written: &str) {
        assert_eq!(written_code(&code_tokens(code, language).unwrap()), written);
    }

    #[test]
    fn code_is_written_as_a_person_writes_it() {
        let python = |code, written| check(&Python, code, written);
        python("f( 1,2 ,[3,\n 4 ] )  # why", "f(1, 2, [3, 4])");
        python("a = -1 + 2", "a = -1 + 2");
        python("x[1:3]", "x[1:3]");
        python(r#"f("a", "it's", "say \"hi\"", 'c\'d')"#, r#"f('a', "it's", 'say "hi"', "c'd")"#);
        python("f(r'\\d', u'x', 'a' \"b\")", "f('\\\\d', 'x', 'ab')");
        python("f('''a\nb''')", "f('a\\nb')");
        python("f(“a’b”, ‘c’, ′d′) − 1", "f('a’b', 'c', 'd') - 1");
        python("'l’un'", "'l’un'");
        python("1e-5", "1e-5");
        let javascript = |code, written| check(&JavaScript, code, written);
        javascript("f(`a\nb`) /* x */ + $y; // z", "f('a\\nb') + $y;");
        javascript(r"f('\d\q\n')", r"f('dq\n')");
    }

    #[test]
    fn a_statement_goes_on_until_its_brackets_are_closed() {
        for (code, open) in
            [("f(1,", true), ("f('''a", true), ("f(1)", false), ("f('a", false), ("a \\", true)]
        {
            assert_eq!(is_open(code, &Python), open, "{code}");
        }
    }
}
