//! The texts of a page: escaped, with invisible characters made visible.

use crate::compare::diff::visible;
use crate::messages::shortened;
use maud::{Escaper, Render};
use std::fmt::Write;

/// Characters shown of one text; the rest is cut off.
const MOST_CHARS: usize = 2000;

/// A text that keur did not write, on one line.
///
/// Every name, value, message and source line of a submission or a case file enters a page as `Shown`.
/// Templates escape plain strings too, but only `Shown` makes control characters, characters that reverse
/// text and characters that HTML does not allow visible.
pub struct Shown<T>(pub T);

impl<T: AsRef<str>> Render for Shown<T> {
    fn render_to(&self, page: &mut String) {
        let text = self.0.as_ref();
        if text.len() <= MOST_CHARS && text.bytes().all(is_plain) {
            return page.push_str(text);
        }
        for ch in visible(&shortened(text, MOST_CHARS), false).chars() {
            let _ = match ch {
                // Maud does not escape the single quote, because it writes values in double quotes.
                '\'' => page.write_str("&#39;"),
                ch if is_noncharacter(ch) => write!(page, "\\u{:04x}", ch as u32),
                ch => Escaper::new(page).write_char(ch),
            };
        }
    }
}

/// Returns true if a character of ASCII is shown as it is.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'')
}

/// Returns true if HTML forbids a character, which a Rust string may hold.
fn is_noncharacter(ch: char) -> bool {
    matches!(ch, '\u{fdd0}'..='\u{fdef}') || ch as u32 & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::{MOST_CHARS, Shown};
    use maud::{Render, html};

    fn shown(text: &str) -> String {
        Shown(text).render().into_string()
    }

    #[test]
    fn a_text_never_becomes_an_element() {
        assert_eq!(shown("<b a='1'>\"&amp;"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;amp;");
    }

    #[test]
    fn a_text_never_ends_an_attribute() {
        let page = html! { i title=(Shown("\" onclick=\"x")) { "y" } };
        assert_eq!(page.into_string(), "<i title=\"&quot; onclick=&quot;x\">y</i>");
    }

    #[test]
    fn invisible_characters_are_made_visible() {
        assert_eq!(shown("a\0\u{1b}\n\u{202e}\u{61c}"), "a␀␛␊\\u202e\\u061c");
        assert_eq!(shown("\u{ffff}\u{1fffe}\u{fdd0}"), "\\uffff\\u1fffe\\ufdd0");
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let text = "é".repeat(MOST_CHARS);
        assert_eq!(shown(&text), text);
        assert_eq!(shown(&format!("{text}é")), format!("{text}…"));
    }
}
