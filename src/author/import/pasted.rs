//! The lines of a pasted text, without what copying leaves in it.

use std::ops::Range;

/// A line of a pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PastedLine {
    /// The line without spaces at its end.
    pub(super) text: String,
    /// The line's bytes in the pasted text, without blanks around them.
    pub(super) span: Range<usize>,
}

impl PastedLine {
    /// Whether it has nothing but spaces.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// The entities of HTML for characters of a session.
const ENTITIES: &[(&str, &str)] = &[
    ("gt", ">"),
    ("lt", "<"),
    ("quot", "\""),
    ("apos", "'"),
    ("#39", "'"),
    ("#x27", "'"),
    ("#34", "\""),
    ("nbsp", " "),
    ("amp", "&"),
];

/// The lines of a text. Line ends may be of any system; spaces that do not break are spaces, marks without a
/// width are nothing, and what is escaped for HTML is read as it looks in a browser.
pub(super) fn lines(text: &str) -> Vec<PastedLine> {
    let pieces = pieces(text);
    let escaped = |line: &str| line.trim_start().starts_with("&gt;") || line.contains("&gt;&gt;&gt;");
    let is_html = pieces.iter().any(|piece| escaped(&text[piece.clone()]));
    pieces
        .into_iter()
        .map(|piece| {
            let raw = &text[piece.clone()];
            let plain = if is_html { without_html(raw) } else { raw.to_owned() };
            let plain: String = plain.chars().filter_map(plain_char).collect();
            let start = piece.start + (raw.len() - raw.trim_start().len());
            let end = piece.start + raw.trim_end().len();
            PastedLine { text: plain.trim_end().to_owned(), span: start..end.max(start) }
        })
        .collect()
}

/// The bytes of each line, without its end.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\n' => 1,
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
            b'\r' => 1,
            _ => 0,
        };
        if end > 0 {
            pieces.push(start..at);
            start = at + end;
        }
        at += end.max(1);
    }
    if start < text.len() {
        pieces.push(start..text.len());
    }
    pieces
}

fn plain_char(ch: char) -> Option<char> {
    match ch {
        '\u{a0}' | '\u{2007}' | '\u{202f}' => Some(' '),
        '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{ad}' => None,
        ch => Some(ch),
    }
}

/// The text of a line of HTML: without tags, and with characters for their names.
fn without_html(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('&') {
            let entity = after.split_once(';').and_then(|(name, after)| {
                ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text, after))
            });
            let (text, after) = entity.unwrap_or(("&", after));
            out.push_str(text);
            rest = after;
        } else {
            let inside = rest[1..].trim_start_matches('/');
            let is_tag = inside.starts_with(|ch: char| ch.is_ascii_alphabetic());
            match rest.find('>').filter(|_| is_tag) {
                Some(end) => rest = &rest[end + 1..],
                None => {
                    out.push('<');
                    rest = &rest[1..];
                }
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = lines(text).into_iter().map(|line| line.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn remains_of_a_copy_are_removed() {
        check("\u{feff}>>> a\r\n1 \t\r\n", &[">>> a", "1"]);
        check("a\rb\n\nc", &["a", "b", "", "c"]);
        check(">>>\u{a0}a\u{200b}", &[">>> a"]);
        check("a &lt; b", &["a &lt; b"]);
        check("<pre>&gt;&gt;&gt; f(&quot;a&quot;) &lt; 2<br/>", &[">>> f(\"a\") < 2"]);
        check(
            "&gt;&gt;&gt; <b>f</b>(&#39;a&#39;) &lt; 2 &amp;&amp; x & y\n&lt;BLANKLINE&gt;",
            &[">>> f('a') < 2 && x & y", "<BLANKLINE>"],
        );
    }

    #[test]
    fn a_line_knows_its_bytes() {
        let text = "  é\r\n\tab  \n";
        let spans: Vec<&str> = lines(text).into_iter().map(|line| &text[line.span]).collect();
        assert_eq!(spans, ["é", "ab"]);
    }
}
