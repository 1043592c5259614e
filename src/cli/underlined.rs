//! Renders errors in a file with their source lines.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use keur_core::case::{FileErrors, line_column, tame};
use std::ops::Range;

/// The most errors shown per file: each takes time in proportion to the file.
const MOST_SHOWN: usize = 100;

/// Columns of the number before a line and of the marks where it is cut, which the renderer does not count.
const GUTTER: usize = 10;

/// The most bytes of lines that the errors of a file show together.
const MOST_LINES: usize = 1 << 20;

/// The errors as text for a person: file, line, column, the part of the line that fits in `width` columns
/// underlined, and what to do.
pub fn underlined(errors: &FileErrors, styled: bool, width: usize) -> String {
    let renderer =
        if styled { Renderer::styled() } else { Renderer::plain() }.term_width(width.saturating_sub(GUTTER));
    let mut out = String::new();
    let (mut shown, mut lines) = (0, MOST_LINES);
    for diagnostic in errors.diagnostics.iter().take(MOST_SHOWN) {
        let span = visible(&errors.source, &diagnostic.span);
        let around = lines_around(&errors.source, &span);
        let Some(left) = lines.checked_sub(around.len()).or((shown == 0).then_some(0)) else { break };
        (shown, lines) = (shown + 1, left);
        let snippet = Snippet::source(&errors.source[around.clone()])
            .line_start(line_column(&errors.source, around.start).0)
            .path(&errors.path)
            .annotation(AnnotationKind::Primary.span(span.start - around.start..span.end - around.start));
        let mut group = Level::ERROR.primary_title(&diagnostic.message).element(snippet);
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(tame(help)));
        }
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    let more = errors.diagnostics.len() - shown;
    if more > 0 {
        out.push_str(&format!("error: {more} more in {}\n\n", errors.path));
    }
    // The renderer keeps these characters, but some terminals interpret them.
    out.replace(|ch| ('\u{80}'..='\u{9f}').contains(&ch), "\u{fffd}")
}

/// The lines that a span touches: the renderer goes through all that it gets for each error.
fn lines_around(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = source[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = source[span.end..].find('\n').map_or(source.len(), |end| span.end + end + 1);
    start..end
}

/// A span inside the text, on character boundaries, and not empty if possible.
fn visible(source: &str, span: &Range<usize>) -> Range<usize> {
    let floor = |at: usize| source.floor_char_boundary(at.min(source.len()));
    let start = floor(span.start);
    let end = floor(span.end.max(start));
    if end > start {
        return start..end;
    }
    let next = source[start..].chars().next().filter(|ch| *ch != '\n').map_or(0, char::len_utf8);
    start..start + next
}

#[cfg(test)]
mod tests {
    use super::underlined;
    use keur_core::case::{Diagnostic, FileErrors};

    #[test]
    fn an_error_shows_file_line_column_and_the_line_underlined() {
        let source = "title = \"x\"\npionts = 2\n";
        let error = Diagnostic::new("unknown key `pionts`", 12..18).help("did you mean `points`?");
        let text = underlined(&FileErrors::new("cases/a.toml", source, vec![error]), false, 80);
        assert_eq!(
            text,
            "error: unknown key `pionts`\n --> cases/a.toml:2:1\n  |\n2 | pionts = 2\n  | ^^^^^^\n  |\n  = help: did you mean `points`?\n\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_error() {
        let source = format!("hint = \"{}\", pionts = 2, title = \"{}\"", "x".repeat(90), "y".repeat(90));
        let at = source.find("pionts").unwrap();
        let error = Diagnostic::new("unknown key `pionts`", at..at + 6);
        let text = underlined(&FileErrors::new("a.toml", &source, vec![error]), false, 60);
        assert!(text.contains("pionts = 2") && text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }

    #[test]
    fn many_errors_are_counted_and_not_all_shown() {
        let source = "x\n".repeat(250);
        let errors = (0..250).map(|line| Diagnostic::new("wrong", 2 * line..2 * line + 1)).collect();
        let text = underlined(&FileErrors::new("a.toml", &source, errors), false, 80);
        assert_eq!(text.matches("error: wrong").count(), 100);
        assert!(text.ends_with("error: 150 more in a.toml\n\n"), "{text}");
    }

    #[test]
    fn a_help_holds_nothing_that_a_terminal_would_obey() {
        let error = Diagnostic::new("wrong", 0..1).help("known here: \u{1b}[2J\u{202e}a");
        let text = underlined(&FileErrors::new("a.toml", "x", vec![error]), false, 80);
        assert!(text.ends_with("= help: known here: \u{fffd}[2J\u{fffd}a\n\n"), "{text}");
    }
}
