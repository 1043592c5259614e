//! Binds [`crate::exercises::quixo::rules`] to the class `Quixo` of its exercise.

use crate::exercises::built_in::Reference;
use crate::exercises::grid::Pos;
use crate::exercises::quixo::rules::{BoardError, Quixo, Symbol, Turn};
use crate::value::args;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::cell::RefCell;

pub(super) const REFERENCE: Reference =
    Reference { open: || Box::new(ReferenceProgram), oracles: &[], referee: None };

const CLASS: &str = "Quixo";

struct ReferenceProgram;

impl Program for ReferenceProgram {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: CLASS } => new(args),
            Call::Method { on, name: "positie" } => {
                args::at_most(args, 1)?;
                let Pos { row, col } = position(&board(on)?.borrow(), args, 0)?;
                Ok(Live::Plain(Value::List(vec![Value::natural(row), Value::natural(col)])))
            }
            Call::Method { on, name: "beurt" } => {
                args::at_most(args, 3)?;
                play(&mut board(on)?.borrow_mut(), args)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(args::unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(Text::from(board(object)?.borrow().to_string()))
    }
}

fn new(args: &[Live]) -> Answer {
    args::at_most(args, 2)?;
    let invalid = || assertion("ongeldig rooster");
    let size = args::optional(args, 0).and_then(args::size).ok_or_else(invalid)?;
    let board: Result<Quixo, BoardError> = match args::optional(args, 1) {
        None => Quixo::new(size),
        Some(faces) => Quixo::with_faces(size, args::str(faces).ok_or_else(invalid)?),
    };
    let board = board.map_err(|_| invalid())?;
    Ok(Live::Object(Object::new(CLASS, RefCell::new(board))))
}

fn play(board: &mut Quixo, args: &[Live]) -> Result<(), Raised> {
    let symbol = args::str(args::required(args, 0)?).and_then(symbol);
    let (from, to) = (position(board, args, 1)?, position(board, args, 2)?);
    let illegal = || assertion("ongeldige beurt");
    let symbol = symbol.ok_or_else(illegal)?;
    board.play(Turn { symbol, from, to }).map_err(|_| illegal())
}

fn symbol(text: &str) -> Option<Symbol> {
    let mut marks = text.chars();
    let symbol = marks.next().and_then(Symbol::from_char)?;
    marks.next().is_none().then_some(symbol)
}

fn position(board: &Quixo, args: &[Live], index: usize) -> Result<Pos, Raised> {
    let name = args::str(args::required(args, index)?);
    name.and_then(|name| board.position(name).ok()).ok_or_else(|| assertion("ongeldige positie"))
}

fn board(object: &Object) -> Result<&RefCell<Quixo>, Raised> {
    args::own(object)
}

fn assertion(message: &str) -> Raised {
    Raised::new("AssertionError", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "X-XXX-XO-OO-OOOOXOX-OOOO-";

    fn new(args: &[Live]) -> Answer {
        ReferenceProgram.call(Call::New { class: CLASS }, args)
    }

    fn sample() -> Object {
        match new(&[5.into(), SAMPLE.into()]) {
            Ok(Live::Object(object)) => object,
            other => panic!("no board: {other:?}"),
        }
    }

    fn method(on: &Object, name: &str, args: &[Live]) -> Answer {
        ReferenceProgram.call(Call::Method { on, name }, args)
    }

    #[track_caller]
    fn check_raises(answer: Answer, kind: &str, message: &str) {
        assert_eq!(answer.unwrap_err(), Raised::new(kind, message));
    }

    #[test]
    fn a_turn_returns_the_very_board_it_was_played_on() {
        let board = sample();
        let answer = method(&board, "beurt", &["X".into(), "B1".into(), "B5".into()]);
        assert!(matches!(answer, Ok(Live::Object(object)) if object.is(&board)));
        let text = ReferenceProgram.text(&board).unwrap();
        assert_eq!(text, Text::from("XXXXX\n--O-O\nOXOOO\nOOOX-\nOXOO-"));
    }

    #[test]
    fn a_position_is_a_list_of_row_and_column() {
        let answer = method(&sample(), "positie", &["B1".into()]);
        let expected = Value::List(vec![Value::from(0), Value::from(1)]);
        assert!(matches!(answer, Ok(Live::Plain(value)) if value == expected));
    }

    #[test]
    fn a_whole_number_of_any_kind_is_a_size() {
        for size in [Value::from(2), Value::Float(2.0), Value::Number(2.0)] {
            assert!(new(&[Live::Plain(size), Live::Plain(Value::Undefined)]).is_ok());
        }
    }

    #[test]
    fn arguments_that_make_no_board_are_an_invalid_grid() {
        let sizes = [
            Value::from(0),
            Value::from(-5),
            Value::from(27),
            Value::int("1".repeat(40).parse::<crate::value::Int>().unwrap()),
            Value::Float(2.5),
            Value::Float(-1.0),
            Value::Float(f64::NAN),
            Value::Float(f64::INFINITY),
            Value::from("5"),
            Value::from(true),
            Value::None,
        ];
        for size in sizes {
            check_raises(new(&[Live::Plain(size)]), "AssertionError", "ongeldig rooster");
        }
        for faces in [Value::from(""), Value::from("xo--"), Value::List(vec![]), Value::None] {
            check_raises(new(&[2.into(), Live::Plain(faces)]), "AssertionError", "ongeldig rooster");
        }
        check_raises(new(&[]), "AssertionError", "ongeldig rooster");
    }

    #[test]
    fn arguments_that_make_no_turn_are_refused() {
        let board = sample();
        let beurt = |symbol: &str, from: &str, to: &str| {
            method(&board, "beurt", &[symbol.into(), from.into(), to.into()])
        };
        for (symbol, from, to) in
            [("X", "A3", "A1"), ("X", "B2", "B1"), ("-", "B1", "A1"), ("XX", "B1", "A1")]
        {
            check_raises(beurt(symbol, from, to), "AssertionError", "ongeldige beurt");
        }
        check_raises(beurt("X", "F1", "A1"), "AssertionError", "ongeldige positie");
        check_raises(beurt("X", "B1", "b5"), "AssertionError", "ongeldige positie");
        // If there are two faults, the error names the position.
        check_raises(beurt("-", "F1", "A1"), "AssertionError", "ongeldige positie");
        check_raises(method(&board, "positie", &[7.into()]), "AssertionError", "ongeldige positie");
        assert_eq!(ReferenceProgram.text(&board).unwrap(), Text::from("X-XXX\n-XO-O\nO-OOO\nOXOX-\nOOOO-"));
    }

    #[test]
    fn a_wrong_number_of_arguments_is_a_type_error() {
        let board = sample();
        check_raises(method(&board, "beurt", &["X".into()]), "TypeError", "argument 2 is missing");
        check_raises(method(&board, "positie", &[]), "TypeError", "argument 1 is missing");
        let two: [Live; 2] = ["B1".into(), "B1".into()];
        check_raises(method(&board, "positie", &two), "TypeError", "at most 1 arguments expected, 2 given");
        check_raises(
            method(&board, "winnaar", &[]),
            "AttributeError",
            "'Quixo' object has no attribute 'winnaar'",
        );
    }
}
