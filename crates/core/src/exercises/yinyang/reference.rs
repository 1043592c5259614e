//! Yin-Yang as its exercise calls it: the class `YinYang`.

use crate::exercises::built_in::Reference;
use crate::exercises::grid::Pos;
use crate::exercises::yinyang::rules::{ActionError, Colour, PuzzleError, YinYang};
use crate::value::args;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::cell::RefCell;

pub(super) const REFERENCE: Reference =
    Reference { open: || Box::new(ReferenceProgram), oracles: &[], referee: None };

const CLASS: &str = "YinYang";

struct ReferenceProgram;

type SharedPuzzle = RefCell<YinYang>;

impl Program for ReferenceProgram {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: CLASS } => new(args),
            Call::Method { on, name: "maak_wit" } => {
                act(on, args, |puzzle, pos| puzzle.fill(pos, Colour::White))
            }
            Call::Method { on, name: "maak_zwart" } => {
                act(on, args, |puzzle, pos| puzzle.fill(pos, Colour::Black))
            }
            Call::Method { on, name: "maak_leeg" } => act(on, args, YinYang::clear),
            Call::Method { on, name: "aaneengesloten_gebied" } => region(on, args),
            Call::Method { on, name: "isopgelost" } => is_solved(on, args),
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(args::unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(Text::from(args::own::<SharedPuzzle>(object)?.borrow().to_string()))
    }
}

fn new(args: &[Live]) -> Answer {
    let [size, white, black] = args::exactly(args)?;
    let size = args::int(size).ok_or_else(|| Raised::type_error("the dimension must be an integer"))?;
    let (white, black) = (positions(white)?, positions(black)?);
    // A negative number is not a row or column of any grid, nor is one beyond `usize`.
    let (Some(size), Some(white), Some(black)) = (size.to_usize(), white, black) else {
        return Err(invalid_puzzle());
    };
    let puzzle = YinYang::new(size, white, black).map_err(Raised::from)?;
    Ok(Live::Object(Object::new(CLASS, SharedPuzzle::new(puzzle))))
}

/// Returns the puzzle itself, so that actions can be chained.
fn act(
    on: &Object,
    args: &[Live],
    action: impl Fn(&mut YinYang, Pos) -> Result<&mut YinYang, ActionError>,
) -> Answer {
    let [pos] = args::exactly(args)?;
    let pos = position(plain(pos)?)?.ok_or_else(invalid_action)?;
    action(&mut args::own::<SharedPuzzle>(on)?.borrow_mut(), pos)?;
    Ok(Live::Object(on.clone()))
}

fn region(on: &Object, args: &[Live]) -> Answer {
    let [pos] = args::exactly(args)?;
    let puzzle = args::own::<SharedPuzzle>(on)?.borrow();
    let region = position(plain(pos)?)?.map(|pos| puzzle.region(pos)).unwrap_or_default();
    Ok(Live::Plain(Value::Set(region.into_iter().map(tuple).collect())))
}

fn is_solved(on: &Object, args: &[Live]) -> Answer {
    let [] = args::exactly(args)?;
    Ok(args::own::<SharedPuzzle>(on)?.borrow().is_solved().into())
}

/// The positions of a list, tuple or set; `None` if one of them is off every grid.
fn positions(arg: &Live) -> Result<Option<Vec<Pos>>, Raised> {
    let arg = plain(arg)?;
    let (Value::List(members) | Value::Tuple(members) | Value::Set(members)) = arg else {
        return Err(Raised::type_error(format!("{arg:?} is not a collection of positions")));
    };
    members.iter().map(position).collect()
}

/// The position of a pair of integers; `None` if it is off every grid.
fn position(value: &Value) -> Result<Option<Pos>, Raised> {
    let (Value::Tuple(pair) | Value::List(pair)) = value else { return Err(not_a_position(value)) };
    let [Value::Int(row), Value::Int(col)] = pair.as_slice() else { return Err(not_a_position(value)) };
    Ok(row.to_usize().zip(col.to_usize()).map(|(row, col)| Pos::new(row, col)))
}

fn tuple(pos: Pos) -> Value {
    Value::Tuple([pos.row, pos.col].map(Value::natural).into())
}

fn plain(arg: &Live) -> Result<&Value, Raised> {
    match arg {
        Live::Plain(value) => Ok(value),
        Live::Object(_) | Live::List(_) => {
            Err(Raised::type_error("a position or a collection of them expected"))
        }
    }
}

fn not_a_position(value: &Value) -> Raised {
    Raised::type_error(format!("{value:?} is not a position"))
}

fn invalid_puzzle() -> Raised {
    Raised::new("AssertionError", "ongeldige puzzel")
}

fn invalid_action() -> Raised {
    Raised::new("AssertionError", "ongeldige actie")
}

impl From<PuzzleError> for Raised {
    fn from(_: PuzzleError) -> Raised {
        invalid_puzzle()
    }
}

impl From<ActionError> for Raised {
    fn from(_: ActionError) -> Raised {
        invalid_action()
    }
}

#[cfg(test)]
mod tests {
    use super::REFERENCE;
    use crate::value::Value;
    use crate::value::program::{Answer, Call, Live, Object, Program, Raised};

    fn pair(row: i64, col: i64) -> Value {
        Value::Tuple(vec![row.into(), col.into()])
    }

    fn none() -> Live {
        Live::Plain(Value::List(Vec::new()))
    }

    fn construct(program: &mut dyn Program, args: &[Live]) -> Result<Object, Raised> {
        match program.call(Call::New { class: "YinYang" }, args)? {
            Live::Object(object) => Ok(object),
            plain @ (Live::Plain(_) | Live::List(_)) => panic!("not an object: {plain:?}"),
        }
    }

    /// The answer of `name` to `args` for an empty puzzle of two rows.
    fn answer(name: &str, args: &[Live]) -> Answer {
        let mut program = (REFERENCE.open)();
        let puzzle = construct(program.as_mut(), &[2.into(), none(), none()])?;
        program.call(Call::Method { on: &puzzle, name }, args)
    }

    #[track_caller]
    fn check_raises<T: std::fmt::Debug>(answer: Result<T, Raised>, kind: &str, message: &str) {
        let raised = answer.expect_err("nothing was raised");
        assert_eq!(raised.kind, kind);
        assert!(raised.message.starts_with(message), "{}", raised.message);
    }

    #[test]
    fn an_action_answers_the_very_puzzle() {
        let mut program = (REFERENCE.open)();
        let white = Value::Set(vec![pair(0, 0)]);
        let black = Value::Tuple(vec![pair(1, 1)]);
        let puzzle = construct(program.as_mut(), &[2.into(), white.into(), black.into()]).unwrap();
        for (name, text) in [("maak_wit", "Ww\n-B"), ("maak_leeg", "W-\n-B"), ("maak_zwart", "Wb\n-B")] {
            let answer = program.call(Call::Method { on: &puzzle, name }, &[pair(0, 1).into()]).unwrap();
            assert!(matches!(&answer, Live::Object(same) if same.is(&puzzle)), "{answer:?}");
            assert_eq!(program.text(&puzzle), Ok(text.into()));
        }
    }

    #[test]
    fn a_region_is_a_set_of_tuples() {
        let mut program = (REFERENCE.open)();
        let white = Value::List(vec![Value::List(vec![1.into(), 0.into()])]);
        let puzzle = construct(program.as_mut(), &[2.into(), white.into(), none()]).unwrap();
        let region = Call::Method { on: &puzzle, name: "aaneengesloten_gebied" };
        let found = program.call(region, &[pair(1, 0).into()]).unwrap();
        assert!(matches!(found, Live::Plain(Value::Set(cells)) if cells == [pair(1, 0)]));
    }

    #[test]
    fn errors_say_the_words_of_the_assignment() {
        let puzzle = |args: &[Live]| construct((REFERENCE.open)().as_mut(), args);
        let off = || Live::Plain(Value::List(vec![pair(0, -1)]));
        let huge: crate::value::Int = "99999999999999999999".parse().unwrap();
        check_raises(puzzle(&[2.into(), off(), none()]), "AssertionError", "ongeldige puzzel");
        check_raises(puzzle(&[0.into(), none(), none()]), "AssertionError", "ongeldige puzzel");
        check_raises(
            puzzle(&[Value::int(huge).into(), none(), none()]),
            "AssertionError",
            "ongeldige puzzel",
        );
        check_raises(answer("maak_wit", &[pair(-1, 0).into()]), "AssertionError", "ongeldige actie");
        check_raises(answer("maak_zwart", &[pair(0, 2).into()]), "AssertionError", "ongeldige actie");
        check_raises(answer("maak_leeg", &[pair(0, 0).into()]), "AssertionError", "ongeldige actie");
    }

    #[test]
    fn wrong_arguments_raise() {
        let puzzle = |args: &[Live]| construct((REFERENCE.open)().as_mut(), args);
        check_raises(puzzle(&[2.into(), none()]), "TypeError", "3 arguments expected, 2 given");
        check_raises(puzzle(&["2".into(), none(), none()]), "TypeError", "the dimension");
        check_raises(puzzle(&[2.into(), 1.into(), none()]), "TypeError", "Int(");
        check_raises(answer("maak_wit", &[Value::List(vec![1.into()]).into()]), "TypeError", "List(");
        check_raises(answer("isopgelost", &[none()]), "TypeError", "0 arguments expected");
        check_raises(answer("maak_rood", &[]), "AttributeError", "'YinYang' object");
    }
}
