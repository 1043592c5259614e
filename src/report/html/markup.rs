//! HTML that cannot say anything but what keur wrote: a text and the value of an attribute are always escaped, and the
//! names of elements and attributes are keur's own.

use crate::compare::diff::visible;
use crate::draw::Svg;
use std::fmt::{Display, Write};

/// Characters of one text of a submission that are shown.
const MOST_CHARS: usize = 2000;

/// Attributes of an element: names and values.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// A piece of a page as it grows.
#[derive(Default)]
pub(super) struct Html {
    out: String,
}

impl Html {
    /// An element with what `inside` writes in it.
    pub(super) fn element(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Html),
    ) {
        self.start(tag, attributes);
        inside(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// An element with a text in it.
    pub(super) fn line(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// An element that has no end, as `meta`; or a shape of a picture.
    pub(super) fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push('>');
    }

    /// A shape of a picture, by its numbers.
    pub(super) fn shape(&mut self, tag: &'static str, class: &'static str, numbers: &[(&'static str, f64)]) {
        self.out.push('<');
        self.out.push_str(tag);
        if !class.is_empty() {
            let _ = write!(self.out, " class=\"{class}\"");
        }
        for (name, number) in numbers {
            let _ = write!(self.out, " {name}=\"{}\"", rounded(*number));
        }
        self.out.push_str("/>");
    }

    /// A text of anyone, on one line: nothing in it means anything to a browser, and what cannot be seen is shown.
    pub(super) fn text(&mut self, text: &str) {
        let shown = match text.char_indices().nth(MOST_CHARS) {
            Some((end, _)) => visible(&text[..end], false) + "…",
            None => visible(text, false),
        };
        for ch in shown.chars() {
            match ch {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                // What is not a character of HTML, or turns text around and is not made visible before.
                '\u{fdd0}'..='\u{fdef}' | '\u{61c}' => {
                    let _ = write!(self.out, "\\u{:04x}", ch as u32);
                }
                ch if ch as u32 & 0xfffe == 0xfffe => {
                    let _ = write!(self.out, "\\u{:04x}", ch as u32);
                }
                ch => self.out.push(ch),
            }
        }
    }

    /// A number.
    pub(super) fn number(&mut self, number: impl Display) {
        self.text(&number.to_string());
    }

    /// A picture.
    pub(super) fn picture(&mut self, svg: &Svg) {
        self.out.push_str(svg.as_str());
    }

    /// What was written apart.
    pub(super) fn add(&mut self, other: &Html) {
        self.out.push_str(&other.out);
    }

    /// A line end between elements, for those who read the source.
    pub(super) fn end_line(&mut self) {
        self.out.push('\n');
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// A whole page: the head with keur's own style sheet, and what `body` holds.
    pub(super) fn page(
        lang: &'static str,
        title: &str,
        style: &'static str,
        policy: &str,
        body: Html,
    ) -> String {
        let mut page = Html::default();
        page.out.push_str("<!DOCTYPE html>\n");
        page.element("html", &[("lang", lang)], |html| {
            html.end_line();
            html.element("head", &[], |html| {
                html.start("meta", &[("charset", "utf-8")]);
                html.start("meta", &[("http-equiv", "Content-Security-Policy"), ("content", policy)]);
                html.start(
                    "meta",
                    &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")],
                );
                html.start("meta", &[("name", "color-scheme"), ("content", "light dark")]);
                html.start("meta", &[("name", "referrer"), ("content", "no-referrer")]);
                html.start("meta", &[("name", "robots"), ("content", "noindex")]);
                html.line("title", &[], title);
                html.out.push_str("<style>");
                html.out.push_str(style);
                html.out.push_str("</style>");
            });
            html.end_line();
            html.element("body", &[], |html| html.add(&body));
            html.end_line();
        });
        page.end_line();
        page.out
    }
}

/// A number for a picture: hundredths are fine enough.
fn rounded(number: f64) -> f64 {
    let rounded = (number * 100.0).round() / 100.0;
    // No minus before nothing.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::Html;

    fn written(write: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        write(&mut html);
        html.out
    }

    #[test]
    fn no_text_is_an_element() {
        assert_eq!(written(|html| html.text("<b a='1'>\"&amp;")), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;amp;");
    }

    #[test]
    fn no_value_of_an_attribute_ends_it() {
        let html = written(|html| html.line("i", &[("title", "\" onclick=\"x")], "y"));
        assert_eq!(html, "<i title=\"&quot; onclick=&quot;x\">y</i>");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(written(|html| html.text("a\0\u{1b}\n\u{202e}\u{61c}")), "a␀␛␊\\u202e\\u061c");
        assert_eq!(written(|html| html.text("\u{ffff}\u{1fffe}\u{fdd0}")), "\\uffff\\u1fffe\\ufdd0");
    }

    #[test]
    fn numbers_of_shapes_are_short() {
        let html = written(|html| html.shape("rect", "r", &[("x", 1.0 / 3.0), ("y", -0.001)]));
        assert_eq!(html, "<rect class=\"r\" x=\"0.33\" y=\"0\"/>");
    }
}
