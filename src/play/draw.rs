//! A board on a terminal.
//!
//! Brackets mark spots, and colour only repeats them: `[w13]` is the target of the last move, `(17)` its
//! source, `>12<` a possible target of the selected piece.

use anstyle::{AnsiColor, Style};
use keur_core::exercises::playable::{Drawing, DrawnPiece, Kind, Spot, Tone};
use keur_core::messages::Messages;

/// Marked spots.
#[derive(Default)]
pub(super) struct Marks {
    /// The source of the last move.
    pub(super) left: Vec<String>,
    /// The target of the last move.
    pub(super) reached: Vec<String>,
    /// The possible targets of the selected piece.
    pub(super) targets: Vec<String>,
}

/// Columns left of the first spot and right of the last, for half a spot.
const MARGIN: usize = 4;

struct Canvas {
    cells: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    fn put(&mut self, col: usize, row: usize, ch: char, style: Style) {
        if let Some(cell) = self.cells.get_mut(row).and_then(|cells| cells.get_mut(col)) {
            *cell = (ch, style);
        }
    }

    /// Writes `text` centred at `col`.
    fn write(&mut self, col: usize, row: usize, text: &str, style: Style) {
        self.write_from((col + MARGIN).saturating_sub(text.chars().count() / 2), row, text, style);
    }

    fn write_from(&mut self, start: usize, row: usize, text: &str, style: Style) {
        for (offset, ch) in text.chars().enumerate() {
            self.put(start + offset, row, ch, style);
        }
    }
}

/// The board as lines of text, coloured if `colour`.
pub(super) fn draw(drawing: &Drawing, marks: &Marks, words: &Messages, colour: bool) -> String {
    let ((cols, rows), (wide, high)) = (drawing.size, drawing.pitch);
    let width = cols * wide + 2 * MARGIN + 8;
    let mut canvas = Canvas { cells: vec![vec![(' ', Style::new()); width]; rows * high + 1] };
    for [from, to] in &drawing.lines {
        line(&mut canvas, drawing.pitch, *from, *to);
    }
    for spot in &drawing.spots {
        place(&mut canvas, drawing.pitch, spot, marks, words);
    }
    let mut text = String::new();
    for cells in &canvas.cells {
        let mut row = String::new();
        for run in cells.chunk_by(|one, next| one.1 == next.1) {
            let written: String = run.iter().map(|(ch, _)| ch).collect();
            match run.first() {
                Some((_, style)) if colour && *style != Style::new() => {
                    row += &format!("{style}{written}{style:#}");
                }
                Some(_) | None => row += &written,
            }
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// A line between two points of the lattice, character by character.
fn line(canvas: &mut Canvas, pitch: (usize, usize), from: (usize, usize), to: (usize, usize)) {
    let place = |(col, row): (usize, usize)| (col * pitch.0 + MARGIN, row * pitch.1);
    let ((col, row), (end_col, end_row)) = (place(from), place(to));
    let dim = Style::new().dimmed();
    if row == end_row {
        (col.min(end_col)..=col.max(end_col)).for_each(|col| canvas.put(col, row, '─', dim));
    } else {
        let down = end_row.abs_diff(row);
        for step in 0..=down {
            let across = end_col.abs_diff(col) * step / down;
            let (ch, col) = match end_col.cmp(&col) {
                std::cmp::Ordering::Equal => ('│', col),
                std::cmp::Ordering::Greater => ('╲', col + across),
                std::cmp::Ordering::Less => ('╱', col - across),
            };
            canvas.put(col, row.min(end_row) + step, ch, dim);
        }
    }
}

fn place(canvas: &mut Canvas, pitch: (usize, usize), spot: &Spot, marks: &Marks, words: &Messages) {
    let (col, row) = (spot.at.0 * pitch.0, spot.at.1 * pitch.1);
    let style = spot.piece.map_or(Style::new(), |piece| style(piece.tone));
    let (text, style) = match (spot.kind, &spot.piece) {
        (Kind::Level, Some(_)) => ("━".repeat(2 * pitch.0 - 1), style),
        (Kind::Upright, Some(_)) => ("┃".to_owned(), style),
        (Kind::Level | Kind::Upright, None) => (spot.name.clone(), Style::new().dimmed()),
        (Kind::Dot, _) => ("•".to_owned(), Style::new()),
        // Pieces are aligned, whether their field's number has one digit or two.
        (Kind::Point, None) => (format!(" {:>2}", spot.name), Style::new()),
        (Kind::Point, Some(piece)) => (format!("{}{:>2}", letter(piece, words), spot.name), style),
        (Kind::Cell, None) => ("·".to_owned(), Style::new()),
        (Kind::Area, None) => return,
        (Kind::Cell | Kind::Area, Some(piece)) => (letter(piece, words).to_string(), style),
        (Kind::Supply, Some(piece)) => {
            (format!("{} = {}", spot.name, words.say(piece.word)), Style::new().dimmed())
        }
        (Kind::Label | Kind::Supply, _) => (spot.name.clone(), Style::new().dimmed()),
        (Kind::Button, _) => {
            let said = words.say(&format!("play-button-{}", spot.name));
            (format!("{} = {said}", spot.name), Style::new().dimmed())
        }
    };
    let holds =
        |names: &[String]| spot.kind != Kind::Supply && spot.kind.is_named() && names.contains(&spot.name);
    let (open, close, style) = if holds(&marks.targets) {
        (">", "<", style.fg_color(Some(AnsiColor::Green.into())).bold())
    } else if holds(&marks.reached) && !matches!(spot.kind, Kind::Level | Kind::Upright) {
        ("[", "]", style.bold())
    } else if holds(&marks.left) {
        ("(", ")", style)
    } else if spot.kind == Kind::Point {
        (" ", " ", style)
    } else {
        ("", "", style)
    };
    if spot.kind == Kind::Supply {
        // A list whose lines are left-aligned.
        canvas.write_from(col, row, &text, style);
    } else {
        canvas.write(col, row, &format!("{open}{text}{close}"), style);
    }
}

fn letter(piece: &DrawnPiece, words: &Messages) -> char {
    if let Some(sign) = piece.sign {
        return sign;
    }
    let word = words.say(piece.word);
    let word = if piece.fixed { word.to_uppercase() } else { word.to_lowercase() };
    word.chars().next().unwrap_or('?')
}

fn style(tone: Tone) -> Style {
    let colour = match tone {
        Tone::Light => AnsiColor::Yellow,
        Tone::Dark => AnsiColor::Magenta,
        Tone::Red => AnsiColor::Red,
        Tone::Blue => AnsiColor::Cyan,
        Tone::Plain => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}
