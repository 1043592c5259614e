//! SVG pictures, built element by element. This module knows no game.

use std::fmt::Write;

/// An SVG picture under construction. Names of elements and attributes are constants, and every text is
/// escaped.
#[derive(Default)]
pub struct Svg {
    out: String,
}

impl Svg {
    /// A picture of `width` × `height` units, drawn by `inside`; `label` describes it for screen readers.
    pub fn picture((width, height): (f64, f64), label: &str, inside: impl FnOnce(&mut Svg)) -> Svg {
        let (width, height) = (width.ceil(), height.ceil());
        let mut svg = Svg::default();
        let _ = write!(
            svg.out,
            r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" class="board" role="img" aria-label=""#
        );
        svg.escaped(label);
        svg.out.push_str("\">");
        inside(&mut svg);
        svg.out.push_str("</svg>");
        svg
    }

    /// A shape, given by its numbers.
    pub fn shape(&mut self, tag: &'static str, class: &'static str, numbers: &[(&'static str, f64)]) {
        let _ = write!(self.out, r#"<{tag} class="{class}""#);
        for (name, number) in numbers {
            let _ = write!(self.out, r#" {name}="{}""#, rounded(*number));
        }
        self.out.push_str("/>");
    }

    /// A circle.
    pub fn circle(&mut self, class: &'static str, (x, y): (f64, f64), radius: f64) {
        self.shape("circle", class, &[("cx", x), ("cy", y), ("r", radius)]);
    }

    /// A straight line.
    pub fn line(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        self.shape("line", class, &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)]);
    }

    /// A line with an arrowhead at its end.
    pub fn arrow(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let length = across.hypot(down).max(1.0);
        let (across, down) = (across / length, down / length);
        self.line(class, from, to);
        for side in [-1.0, 1.0] {
            let barb = (to.0 - across * 8.0 - side * down * 5.0, to.1 - down * 8.0 + side * across * 5.0);
            self.line(class, to, barb);
        }
    }

    /// A text centred at `x`, `y`.
    pub fn text(&mut self, class: &'static str, (x, y): (f64, f64), text: &str) {
        let _ = write!(self.out, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">"#);
        self.escaped(text);
        self.out.push_str("</text>");
    }

    /// The document.
    pub fn as_str(&self) -> &str {
        &self.out
    }

    fn escaped(&mut self, text: &str) {
        for ch in text.chars() {
            match ch {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                ch => self.out.push(ch),
            }
        }
    }
}

/// A number in a picture, rounded to hundredths.
fn rounded(number: f64) -> f64 {
    let rounded = (number * 100.0).round() / 100.0;
    // -0 is written as 0.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::Svg;

    #[test]
    fn numbers_of_shapes_are_short() {
        let mut svg = Svg::default();
        svg.shape("rect", "r", &[("x", 1.0 / 3.0), ("y", -0.001)]);
        assert_eq!(svg.as_str(), "<rect class=\"r\" x=\"0.33\" y=\"0\"/>");
    }

    #[test]
    fn no_text_is_an_element() {
        let svg = Svg::picture((10.0, 2.1), "\"><script>", |svg| svg.text("axis", (1.0, 2.0), "<&"));
        assert_eq!(
            svg.as_str(),
            "<svg viewBox=\"0 0 10 3\" width=\"10\" height=\"3\" class=\"board\" role=\"img\" \
             aria-label=\"&quot;&gt;&lt;script&gt;\"><text class=\"axis\" x=\"1.0\" y=\"2.0\">&lt;&amp;</text></svg>"
        );
    }
}
