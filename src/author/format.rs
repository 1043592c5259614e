//! The layout of case and exercise files: the text of a TOML file with the blanks, the line breaks and the indentation
//! that keur's own files have. Nothing else changes: neither keys and values, nor their order, nor comments.
//!
//! `docs/authoring.md` has the rules.

use keur_core::case::{Diagnostic, FileErrors};
use std::fmt;
use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

/// The columns of a line in a list.
const LINE: usize = 4;

/// How many columns deeper a table in a list is, and what is in it.
const DEEPER: usize = 2;

/// Why a file cannot be laid out.
#[derive(Debug)]
pub enum FormatError {
    /// It is not TOML.
    Broken(FileErrors),
    /// Its new text would not mean the same, which is an error of keur: its path.
    Changed(String),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Broken(errors) => write!(f, "{errors}"),
            FormatError::Changed(path) => {
                write!(
                    f,
                    "{path}: keur cannot lay out this file without changing what it means; report this with the file"
                )
            }
        }
    }
}

impl std::error::Error for FormatError {}

/// The text of a case or exercise file in keur's layout. `path` names it in errors.
///
/// # Errors
/// The text is not TOML, or would not mean the same afterwards.
pub fn formatted(path: &str, source: &str) -> Result<String, FormatError> {
    // A byte order mark is not part of the text.
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let before = meaning(source).map_err(|error| {
        let diagnostic = Diagnostic::new(error.message().trim(), error.span().unwrap_or(0..0));
        FormatError::Broken(FileErrors::new(path, source, vec![diagnostic]))
    })?;
    let text = TokenReader::new(source).file();
    let text = if source.contains("\r\n") { text.replace('\n', "\r\n").replace("\r\r", "\r") } else { text };
    match meaning(&text) {
        Ok(after) if after == before && written(&text).eq(written(source)) => Ok(text),
        Ok(_) | Err(_) => Err(FormatError::Changed(path.to_owned())),
    }
}

fn meaning(source: &str) -> Result<toml::Table, toml::de::Error> {
    source.parse()
}

/// The characters that a layout cannot change.
fn written(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|ch| !ch.is_whitespace() && *ch != ',')
}

/// A line before a statement or an item: a comment, or an empty line.
#[derive(Clone, Copy, PartialEq)]
enum Above<'a> {
    Blank,
    Comment(&'a str),
}

/// A value.
enum Laid<'a> {
    /// As it stands.
    Raw(&'a str),
    /// A list or a table in braces.
    LaidItems(LaidItems<'a>),
}

struct LaidItems<'a> {
    /// Whether it is a table.
    braces: bool,
    items: Vec<LaidItem<'a>>,
    /// Whether it has several lines itself.
    tall: bool,
    /// What is above its end.
    end: Vec<Above<'a>>,
    /// Whether a comma follows its last item.
    comma: bool,
}

struct LaidItem<'a> {
    above: Vec<Above<'a>>,
    /// Whether it begins a line.
    begins: bool,
    /// The key, in a table.
    key: Option<String>,
    value: Laid<'a>,
    /// A comment on its line, with the blanks before it.
    comment: Option<String>,
}

impl Laid<'_> {
    fn is_table(&self) -> bool {
        matches!(self, Laid::LaidItems(items) if items.braces)
    }

    /// Writes it; the line that it is on has `base` blanks at its start.
    fn write(&self, base: usize, out: &mut String) {
        match self {
            Laid::Raw(text) => out.push_str(text),
            Laid::LaidItems(items) if items.tall => items.write_tall(base, out),
            Laid::LaidItems(items) => items.write_flat(base, out),
        }
    }
}

impl LaidItems<'_> {
    fn brackets(&self) -> (&'static str, &'static str) {
        if self.braces { ("{", "}") } else { ("[", "]") }
    }

    fn write_flat(&self, base: usize, out: &mut String) {
        let (open, close) = self.brackets();
        let blank = if self.braces && !self.items.is_empty() { " " } else { "" };
        out.push_str(open);
        out.push_str(blank);
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            item.write(base, out);
        }
        out.push_str(blank);
        out.push_str(close);
    }

    fn write_tall(&self, base: usize, out: &mut String) {
        let (open, close) = self.brackets();
        let tables = self.items.first().is_some_and(|item| item.value.is_table());
        let deep = if self.braces || tables { base + DEEPER } else { LINE.max(base + DEEPER) };
        out.push_str(open);
        for (index, item) in self.items.iter().enumerate() {
            if index == 0 || item.begins || !item.above.is_empty() {
                out.push('\n');
                lines(&item.above, deep, out);
                indent(deep, out);
            } else {
                out.push(' ');
            }
            item.write(deep, out);
            // Until version 1.1 of TOML a table in braces has no comma at its end.
            if !self.braces || self.comma || index + 1 < self.items.len() {
                out.push(',');
            }
            out.extend(item.comment.as_deref());
        }
        out.push('\n');
        lines(&self.end, deep, out);
        indent(base, out);
        out.push_str(close);
    }
}

impl LaidItem<'_> {
    fn write(&self, base: usize, out: &mut String) {
        if let Some(key) = &self.key {
            out.push_str(key);
            out.push_str(" = ");
        }
        self.value.write(base, out);
    }
}

fn indent(columns: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', columns));
}

fn lines(above: &[Above<'_>], columns: usize, out: &mut String) {
    for line in above {
        if let Above::Comment(comment) = line {
            indent(columns, out);
            out.push_str(comment.trim_end());
        }
        out.push('\n');
    }
}

/// Reads the tokens of a text that is TOML.
struct TokenReader<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
}

impl<'a> TokenReader<'a> {
    fn new(source: &'a str) -> TokenReader<'a> {
        TokenReader { source, tokens: Source::new(source).lex().collect(), at: 0 }
    }

    fn kind(&self) -> TokenKind {
        self.tokens.get(self.at).map_or(TokenKind::Eof, Token::kind)
    }

    fn text(&self, from: usize, until: usize) -> &'a str {
        let start = self.tokens.get(from).map_or(self.source.len(), |token| token.span().start());
        let end = self.tokens.get(until).map_or(self.source.len(), |token| token.span().start());
        self.source.get(start..end).unwrap_or_default()
    }

    /// The text of the next token.
    fn take(&mut self) -> &'a str {
        self.at += 1;
        self.text(self.at - 1, self.at)
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Passes the next token if it is of this kind.
    fn skip(&mut self, kind: TokenKind) -> bool {
        let skips = self.is(kind);
        self.at += usize::from(skips);
        skips
    }

    /// The whole file.
    fn file(&mut self) -> String {
        let mut out = String::new();
        // After a header, and at the start, no empty line.
        let mut tight = true;
        loop {
            let mut above = self.above();
            if tight && above.first() == Some(&Above::Blank) {
                above.remove(0);
            }
            tight = false;
            if self.is(TokenKind::Eof) {
                if above.last() == Some(&Above::Blank) {
                    above.pop();
                }
                lines(&above, 0, &mut out);
                return out;
            }
            if self.is(TokenKind::LeftSquareBracket) {
                if !out.is_empty() && !above.contains(&Above::Blank) {
                    above.insert(0, Above::Blank);
                }
                lines(&above, 0, &mut out);
                out.push_str(&self.joined());
                tight = true;
            } else {
                lines(&above, 0, &mut out);
                out.push_str(&self.joined());
                self.at += 1;
                out.push_str(" = ");
                self.value().write(0, &mut out);
            }
            out.extend(self.comment());
            out.push('\n');
            self.skip(TokenKind::Newline);
        }
    }

    /// The comments and empty lines before a statement; of several empty lines one remains.
    fn above(&mut self) -> Vec<Above<'a>> {
        let mut above = Vec::new();
        loop {
            self.skip(TokenKind::Whitespace);
            if self.is(TokenKind::Comment) {
                above.push(Above::Comment(self.take()));
                self.skip(TokenKind::Newline);
            } else if self.skip(TokenKind::Newline) {
                if above.last() != Some(&Above::Blank) {
                    above.push(Above::Blank);
                }
            } else {
                return above;
            }
        }
    }

    /// The comment that ends a line, with the blanks before it.
    fn comment(&mut self) -> Option<String> {
        let start = self.at;
        self.skip(TokenKind::Whitespace);
        self.is(TokenKind::Comment).then(|| {
            let blanks = self.text(start, self.at).replace('\t', " ");
            let comment = self.take().trim_end();
            if blanks.is_empty() { format!(" {comment}") } else { format!("{blanks}{comment}") }
        })
    }

    /// The text without blanks, up to an equals sign, a comment or the end of the line.
    fn joined(&mut self) -> String {
        const ENDS: [TokenKind; 4] =
            [TokenKind::Equals, TokenKind::Newline, TokenKind::Comment, TokenKind::Eof];
        let mut text = String::new();
        while !ENDS.contains(&self.kind()) {
            // The blanks before a comment belong to the comment.
            let next = self.tokens.get(self.at + 1).map(Token::kind);
            if self.is(TokenKind::Whitespace) && next == Some(TokenKind::Comment) {
                break;
            }
            if !self.skip(TokenKind::Whitespace) {
                text.push_str(self.take());
            }
        }
        text
    }

    fn value(&mut self) -> Laid<'a> {
        const ENDS: [TokenKind; 6] = [
            TokenKind::Comma,
            TokenKind::RightSquareBracket,
            TokenKind::RightCurlyBracket,
            TokenKind::Newline,
            TokenKind::Comment,
            TokenKind::Eof,
        ];
        self.skip(TokenKind::Whitespace);
        if self.is(TokenKind::LeftSquareBracket) || self.is(TokenKind::LeftCurlyBracket) {
            return Laid::LaidItems(self.items(self.is(TokenKind::LeftCurlyBracket)));
        }
        let start = self.at;
        while !ENDS.contains(&self.kind()) {
            self.at += 1;
        }
        let text = self.text(start, self.at).trim_end_matches([' ', '\t']);
        // The blanks before a comment belong to the comment.
        while self.at > start && self.tokens.get(self.at - 1).map(Token::kind) == Some(TokenKind::Whitespace)
        {
            self.at -= 1;
        }
        Laid::Raw(text)
    }

    /// A list or a table in braces, from its first bracket to after its last.
    fn items(&mut self, braces: bool) -> LaidItems<'a> {
        self.at += 1;
        let mut read = LaidItems { braces, items: Vec::new(), tall: false, end: Vec::new(), comma: false };
        let mut above: Vec<Above<'a>> = Vec::new();
        let mut begins = false;
        loop {
            if self.skip(TokenKind::Newline) {
                // The first one ends the line of the item before.
                if begins && above.last() != Some(&Above::Blank) && !read.items.is_empty() {
                    above.push(Above::Blank);
                }
                begins = true;
                read.tall = true;
            } else if self.is(TokenKind::Whitespace) || self.is(TokenKind::Comment) {
                let Some(comment) = self.comment() else { continue };
                let same_line = |last: &&mut LaidItem<'_>| !begins && last.comment.is_none();
                if let Some(last) = read.items.last_mut().filter(same_line) {
                    last.comment = Some(comment);
                } else {
                    above.push(Above::Comment(self.text(self.at - 1, self.at)));
                    self.skip(TokenKind::Newline);
                    begins = true;
                }
                read.tall = true;
            } else if self.skip(TokenKind::Comma) {
                read.comma = true;
            } else if [TokenKind::RightSquareBracket, TokenKind::RightCurlyBracket, TokenKind::Eof]
                .contains(&self.kind())
            {
                self.at += 1;
                if above.last() == Some(&Above::Blank) {
                    above.pop();
                }
                read.end = above;
                return read;
            } else {
                let key = braces.then(|| self.joined());
                self.at += usize::from(braces);
                let value = self.value();
                let above = std::mem::take(&mut above);
                read.items.push(LaidItem { above, begins, key, value, comment: None });
                read.comma = false;
                begins = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FormatError, formatted};
    use proptest::prelude::*;
    use proptest::sample::select;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let text = formatted("a.toml", source).unwrap();
        assert_eq!(text, expected);
        assert_eq!(formatted("a.toml", &text).unwrap(), text, "again");
    }

    #[test]
    fn blanks_and_empty_lines_are_those_of_the_layout() {
        check(
            r#"

#:schema x
   title="a"   # why
points   =    2



'q r' . s =  1979-05-27 07:32:00
# root
[[ step ]]# header

do   =    'x'

# next
returns= true
[ step . compare ]
within=1e-6

# end

"#,
            r#"#:schema x
title = "a"   # why
points = 2

'q r'.s = 1979-05-27 07:32:00

# root
[[step]] # header
do = 'x'

# next
returns = true

[step.compare]
within = 1e-6

# end
"#,
        );
        check("", "");
        check("\u{feff}a=1", "a = 1\n");
        check("[ a ]  # why\nb=1  # c\n", "[a]  # why\nb = 1  # c\n");
    }

    #[test]
    fn a_list_over_several_lines_keeps_its_lines_and_comments() {
        check(
            r#"do = [ # first
"a", # one
  "b" , "c"


  # two

  , "d" ]
step = [ { do = [
"x",
"y" ] },

# c
{ do = """
  keep   this,
""", returns = [[1,2],[]] } ] # end
"#,
            r#"do = [
    # first
    "a", # one
    "b", "c",

    # two

    "d",
]
step = [
  { do = [
    "x",
    "y",
  ] },

  # c
  { do = """
  keep   this,
""", returns = [[1, 2], []] },
] # end
"#,
        );
        check("x = {a=1,\"b c\"={  }, d=[ 1,2 ,] }", "x = { a = 1, \"b c\" = {}, d = [1, 2] }\n");
        check("x = {\n a=1, # one\n\n b=2\n}\n", "x = {\n  a = 1, # one\n\n  b = 2\n}\n");
    }

    #[test]
    fn line_ends_of_windows_stay() {
        check("a=1\r\n\r\n\r\nb='''\r\nx\r\n'''\r\n", "a = 1\r\n\r\nb = '''\r\nx\r\n'''\r\n");
    }

    #[test]
    fn what_is_not_toml_has_its_place() {
        let Err(FormatError::Broken(errors)) = formatted("a.toml", "a = 1\nb = \n") else {
            panic!("formatted")
        };
        assert!(errors.to_string().starts_with("a.toml:2:5: "), "{errors}");
    }

    /// A value with blanks, line breaks and comments wherever TOML takes them.
    fn value() -> impl Strategy<Value = String> {
        let text = "\"\"\"\n#x\n\n  ,\"\"\"";
        let leaves =
            vec!["1", "-1.5e3", "true", "'#, ['", r#""a \" # ]""#, text, "1979-05-27 07:32:00", "[ ]", "{}"];
        let gap = || select(vec!["", " ", "\t", "\n", "\n\n\n", " # a, ]\n", "\n  # b\n\n", "#c\n"]);
        select(leaves).prop_map(str::to_owned).prop_recursive(4, 24, 4, move |inner| {
            let items = prop::collection::vec((gap(), inner.clone(), gap()), 1..5);
            let list = (items, any::<bool>(), gap()).prop_map(|(items, comma, end)| {
                let items: Vec<String> =
                    items.into_iter().map(|(before, item, after)| format!("{before}{item}{after}")).collect();
                format!("[{}{}{end}]", items.join(","), if comma { "," } else { "" })
            });
            let table = prop::collection::vec((select(vec!["", " ", "\t "]), inner), 1..4);
            let table = table.prop_map(|items| {
                let items = items.into_iter().enumerate();
                let items: Vec<String> =
                    items.map(|(at, (gap, item))| format!("{gap}k{at}{gap}={gap}{item}{gap}")).collect();
                format!("{{{}}}", items.join(","))
            });
            prop_oneof![list, table]
        })
    }

    proptest! {
        #[test]
        fn every_file_keeps_its_meaning_and_changes_once(
            statements in prop::collection::vec(
                (value(), select(vec!["", "\n\n", "# x\n", "[[ t ]]\n\n", "\n# y\n\n[[t]] # z\n"])), 0..6),
        ) {
            let lines = statements.iter().enumerate();
            let source: String =
                lines.map(|(at, (value, above))| format!("{above}k{at} ={value}\n")).collect();
            // Another meaning would be an error here.
            let text = formatted("a.toml", &source).unwrap();
            prop_assert_eq!(formatted("a.toml", &text).unwrap(), &*text);
        }
    }
}
