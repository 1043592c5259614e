//! Pictures of Alquerque: the lines of the board with pieces on it.
//!
//! An exercise of functions has no text of a board. The picture shows the fields from `white` or `black`, and
//! the moves from `legal_moves` or `next_move` as arrows between the pieces that stand there by the rules. Fields are numbered 1 to 25, row by row; diagonals
//! meet on the odd ones.

use super::rules::{Board, Field, Move, Player};
use crate::draw::Svg;
use crate::exercises::picture::{Diagram, Extent, Picture, arrow};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const PICTURE: Picture =
    Picture { read, draw, size: |_| (SIDE, SIDE), extent: |_, row, column| extent(row, column) };

/// Fields of a row.
const ROW: usize = 5;

/// The distance between fields, the margin around them, and the side of the whole picture.
const STEP: f64 = 48.0;
const AROUND: f64 = 24.0;
const SIDE: f64 = 4.0 * STEP + 2.0 * AROUND;

/// The most fields or moves of a list: no position has more.
const MOST: usize = 200;

/// The separator of alternative correct values.
const BAR: &str = " | ";

/// An empty field.
const EMPTY: char = '.';

fn read(text: &str, session: &[&str]) -> Option<Diagram> {
    let mut board =
        Diagram { rows: ROW, columns: ROW, cells: vec![EMPTY; ROW * ROW], arrows: BTreeSet::new() };
    let (line, before) = session.split_last()?;
    let words = words(line);
    let is_called = |name: &String| matches!(name.as_str(), "white" | "black" | "nextmove" | "legalmoves");
    let (called, asked) = words[words.iter().position(is_called)?..].split_first()?;
    match called.as_str() {
        "white" | "black" => {
            let piece = if called == "white" { 'w' } else { 'b' };
            for field in fields(text)? {
                *board.cells.get_mut(field)? = piece;
            }
        }
        "nextmove" => {
            // Several correct moves are separated by bars.
            for one in text.split(BAR).take(MOST) {
                board.arrows.insert(arrow_of(&fields(one)?)?);
            }
            board.cells = pieces(before, asked);
        }
        "legalmoves" => {
            for one in inside(text)?.split_inclusive(CLOSING).take(MOST) {
                let one = one.strip_prefix(", ").unwrap_or(one);
                if !one.is_empty() {
                    board.arrows.insert(arrow_of(&fields(one)?)?);
                }
            }
            board.cells = pieces(before, asked);
        }
        _ => return None,
    }
    Some(board)
}

/// The names and numbers of a line of a session, in one spelling for all languages: `legalmoves` for
/// `legal_moves`. The name of a class or module before a point is left out.
fn words(line: &str) -> Vec<String> {
    let plain = |word: &str| word.chars().filter(|ch| *ch != '_').flat_map(char::to_lowercase).collect();
    line.split_inclusive(is_no_word)
        .filter(|word| !word.ends_with('.'))
        .map(|word| word.trim_end_matches(is_no_word))
        .filter(|word| !word.is_empty())
        .map(plain)
        .collect()
}

/// The pieces on the board of which a line asks the moves, after the moves of the lines before it; no pieces
/// where these lines do something else than to make, copy and move.
fn pieces(before: &[&str], asked: &[String]) -> Vec<char> {
    let board = asked.first().and_then(|name| position(before, name));
    let piece = |field| match board.as_ref().and_then(|board| board.owner(field)) {
        Some(Player::White) => 'w',
        Some(Player::Black) => 'b',
        None => EMPTY,
    };
    Field::all().map(piece).collect()
}

fn position(before: &[&str], name: &str) -> Option<Board> {
    let mut boards: BTreeMap<String, Board> = BTreeMap::new();
    for line in before {
        let words = words(line);
        // Java and JavaScript say first that a name is new.
        let words: Vec<&str> =
            words.iter().map(String::as_str).skip_while(|word| NEW.contains(word)).collect();
        match words.as_slice() {
            [name, "makeboard"] => {
                boards.insert((*name).to_owned(), Board::start());
            }
            [name, "copy", from] => {
                let copy = *boards.get(*from)?;
                boards.insert((*name).to_owned(), copy);
            }
            ["move", "makemove", source, target, name] => {
                let field = |number: &str| Field::new(number.parse().ok()?);
                boards.get_mut(*name)?.play(Move::new(field(source)?, field(target)?)).ok()?;
            }
            _ if calls_move(line) => return None,
            _ => {}
        }
    }
    boards.remove(name)
}

/// Returns true if a line calls `move`; an import only names it.
fn calls_move(line: &str) -> bool {
    line.split_inclusive(is_no_word).any(|word| word == "move(")
}

fn is_no_word(ch: char) -> bool {
    !ch.is_alphanumeric() && ch != '_'
}

/// The words before a new name.
const NEW: [&str; 5] = ["jshell", "var", "let", "const", "board"];

/// The end of a list, in any of the languages.
const CLOSING: [char; 2] = [']', ')'];

/// The text between the brackets of a list, a tuple or Java's `List.of`.
fn inside(text: &str) -> Option<&str> {
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let tuple = || text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let java = || text.strip_prefix("List.of(").and_then(|text| text.strip_suffix(')'));
    list.or_else(tuple).or_else(java)
}

/// The fields of a list of numbers, counted from 0.
fn fields(text: &str) -> Option<Vec<usize>> {
    let inside = inside(text)?;
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let field = |number: &str| {
        let plain = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: usize = if plain { number.parse().ok()? } else { return None };
        (1..=ROW * ROW).contains(&number).then(|| number - 1)
    };
    if inside.len() > 4 * MOST {
        return None;
    }
    inside.split(", ").map(field).collect()
}

fn arrow_of(fields: &[usize]) -> Option<(usize, usize)> {
    match fields {
        [source, target] if source != target => Some((*source, *target)),
        _ => None,
    }
}

fn place(row: usize, column: usize) -> (f64, f64) {
    (AROUND + column as f64 * STEP, AROUND + row as f64 * STEP)
}

fn extent(row: usize, column: usize) -> Extent {
    let (x, y) = place(row, column);
    Extent { x, y, half_width: 19.0, half_height: 19.0 }
}

fn draw(board: &Diagram, svg: &mut Svg) {
    let last = ROW - 1;
    for index in 0..ROW {
        svg.line("path", place(index, 0), place(index, last));
        svg.line("path", place(0, index), place(last, index));
    }
    for (from, to) in [
        ((0, 0), (4, 4)),
        ((0, 2), (2, 4)),
        ((2, 0), (4, 2)),
        ((0, 4), (4, 0)),
        ((0, 2), (2, 0)),
        ((2, 4), (4, 2)),
    ] {
        svg.line("path", place(from.0, from.1), place(to.0, to.1));
    }
    let field = |index: usize| place(index / ROW, index % ROW);
    board.arrows.iter().for_each(|(source, target)| arrow(svg, "arrow", field(*source), field(*target)));
    for (row, column, cell) in board.each() {
        let number = (row * ROW + column + 1).to_string();
        match cell {
            'w' => svg.circle("stone white", place(row, column), 14.0),
            'b' => svg.circle("stone black", place(row, column), 14.0),
            _ => svg.circle("empty", place(row, column), 9.0),
        }
        let class = if cell == 'b' { "field-number on-dark" } else { "field-number" };
        let class = if cell == 'w' { "field-number on-light" } else { class };
        svg.text(class, place(row, column), &number);
    }
}

#[cfg(test)]
mod tests {
    use super::PICTURE;
    use crate::exercises::picture::tests::read;

    #[test]
    fn lists_of_fields_are_pieces() {
        let white = "...../...../...../..w../....w";
        for (line, text) in [
            (">>> white(b)", "[18, 25]"),
            ("> white(b)", "[18, 25]"),
            ("jshell> Diagram.white(b)", "List.of(18, 25)"),
        ] {
            assert_eq!(read(&PICTURE, line, text).as_deref(), Some(white), "{line}");
        }
        assert_eq!(
            read(&PICTURE, ">>> black(c)", "[1]").map(|cells| cells.replace(['.', '/'], "")),
            Some("b".into())
        );
        assert!(read(&PICTURE, ">>> black(c)", "[]").is_some());
        for text in
            ["", "[0]", "[26]", "[1,2]", "[1, 2", "{1, 2}", "[+1]", "[1, 2] | [3]", "None", "[1, ]", "[true]"]
        {
            assert_eq!(read(&PICTURE, "white(b)", text), None, "{text:?}");
        }
        assert_eq!(read(&PICTURE, "is_legal(m, b)", "[18, 25]"), None);
    }

    #[test]
    fn moves_are_drawn_between_the_pieces_of_the_session() {
        let cells = |session: &[&str]| {
            (PICTURE.read)("[[24, 19]]", session).map(|board| String::from_iter(board.cells))
        };
        let moved = Some("bbbbbbbbbbbbwwwwww.wwwwww".to_owned());
        let none = Some(".".repeat(25));
        for session in [
            &[
                ">>> from move import *",
                ">>> b = make_board()",
                ">>> move(make_move(19, 13), b)",
                ">>> legal_moves(b)",
            ][..],
            &["> const b = makeBoard()", "> move(makeMove(19, 13), b)", "> c = copy(b)", "> legalMoves(c)"],
            &[
                "jshell> var b = Board.makeBoard()",
                "jshell> Board.move(Move.makeMove(19, 13), b)",
                "jshell> Board.legalMoves(b)",
            ],
        ] {
            assert_eq!(cells(session), moved, "{session:?}");
        }
        for session in [
            &["legal_moves(b)"][..],
            &["b = make_board()", "move(m, b)", "legal_moves(b)"],
            &["b = make_board()", "move(make_move(1, 2), b)", "legal_moves(b)"],
            &["b = make_board()", "legal_moves(c)"],
        ] {
            assert_eq!(cells(session), none, "{session:?}");
        }
    }

    #[test]
    fn moves_are_arrows() {
        let arrows = |line: &str, text: &str| {
            let board = (PICTURE.read)(text, &[line])?;
            Some(board.arrows.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(arrows("next_move(b, 3)", "[21, 16]"), Some(vec![(20, 15)]));
        assert_eq!(arrows("next_move(b, 3)", "[21, 16] | [1, 2]"), Some(vec![(0, 1), (20, 15)]));
        for text in ["[21, 16] | ", "[21, 16] | ...", "[21, 16]|[1, 2]"] {
            assert_eq!(arrows("next_move(b, 3)", text), None, "{text:?}");
        }
        assert_eq!(arrows("> legalMoves(b)", "[[14, 9], [15, 9]]"), Some(vec![(13, 8), (14, 8)]));
        assert_eq!(arrows("legal_moves(b)", "[]"), Some(vec![]));
        for text in ["[[14, 9]", "[14, 9]", "[[14, 9, 1]]", "[[14, 14]]", "[[14, 9]; [1, 2]]", "[[14, 99]]"] {
            assert_eq!(arrows("legal_moves(b)", text), None, "{text:?}");
        }
    }
}
