//! The game of dots as the exercise calls it: the class `Pipopipette`.

use crate::exercises::built_in::Reference;
use crate::exercises::pipopipette::rules::{ClaimError, Pipopipette, Segment};
use crate::value::args;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::cell::RefCell;

pub(super) const REFERENCE: Reference =
    Reference { open: || Box::new(ReferenceProgram), oracles: &[], referee: None };

const CLASS: &str = "Pipopipette";

/// The binding keeps no state of its own: each object holds its game.
struct ReferenceProgram;

impl Program for ReferenceProgram {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: CLASS } => open(args),
            Call::Method { on, name: "score" } => score(on, args),
            Call::Method { on, name: "player" } => player(on, args),
            Call::Method { on, name: "claim" } => claim(on, args),
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(args::unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(game(object)?.borrow().to_string().into())
    }
}

/// Ruling: sizes that make no board, and values that are not sizes, raise `invalid dimensions`.
fn open(args: &[Live]) -> Answer {
    args::at_most(args, 2)?;
    let rows = args::required(args, 0)?;
    let cols = args::optional(args, 1).unwrap_or(rows);
    let dimensions = args::natural(rows).zip(args::natural(cols));
    match dimensions.map(|(rows, cols)| Pipopipette::new(rows, cols)) {
        Some(Ok(game)) => Ok(Live::Object(Object::new(CLASS, RefCell::new(game)))),
        Some(Err(_)) | None => Err(Raised::new("Error", "invalid dimensions")),
    }
}

fn score(on: &Object, args: &[Live]) -> Answer {
    let [] = args::exactly(args)?;
    Ok(Live::Plain(Value::List(game(on)?.borrow().score().map(Value::natural).to_vec())))
}

fn player(on: &Object, args: &[Live]) -> Answer {
    let [] = args::exactly(args)?;
    Ok(game(on)?.borrow().player().to_string().into())
}

fn claim(on: &Object, args: &[Live]) -> Answer {
    let [position] = args::exactly(args)?;
    let invalid = || Raised::new("Error", "invalid position");
    let line: Segment = args::str(position).and_then(|name| name.parse().ok()).ok_or_else(invalid)?;
    match game(on)?.borrow_mut().claim(line) {
        Ok(_) => Ok(Live::Object(on.clone())),
        Err(ClaimError::OffBoard(_)) => Err(invalid()),
        Err(ClaimError::AlreadyDrawn(_)) => Err(Raised::new("Error", "dots already connected")),
    }
}

fn game(object: &Object) -> Result<&RefCell<Pipopipette>, Raised> {
    args::own(object)
}

#[cfg(test)]
mod tests {
    use super::REFERENCE;
    use crate::value::Value;
    use crate::value::program::{Answer, Call, Live, Object, Raised};

    fn new(args: &[Live]) -> Answer {
        (REFERENCE.open)().call(Call::New { class: "Pipopipette" }, args)
    }

    #[track_caller]
    fn board(args: &[Live]) -> Object {
        match new(args) {
            Ok(Live::Object(object)) => object,
            other => panic!("not an object: {other:?}"),
        }
    }

    fn call(on: &Object, name: &str, args: &[Live]) -> Answer {
        (REFERENCE.open)().call(Call::Method { on, name }, args)
    }

    #[track_caller]
    fn check_raised(answer: Answer, kind: &str, message: &str) {
        assert_eq!(answer.unwrap_err(), Raised::new(kind, message));
    }

    #[test]
    fn a_claim_returns_the_object_it_was_called_on() {
        let game = board(&[3.into()]);
        match call(&game, "claim", &["H0,0".into()]) {
            Ok(Live::Object(same)) => assert!(same.is(&game)),
            other => panic!("not an object: {other:?}"),
        }
        assert_eq!((REFERENCE.open)().text(&game).unwrap(), *"+-+.+\n.?.?.\n+.+.+\n.?.?.\n+.+.+");
    }

    #[test]
    fn the_number_of_columns_may_be_left_out() {
        for args in [vec![2.into()], vec![2.into(), Value::Undefined.into()], vec![2.into(), 2.into()]] {
            assert_eq!((REFERENCE.open)().text(&board(&args)).unwrap(), *"+.+\n.?.\n+.+");
        }
        let wide = board(&[2.into(), 3.into()]);
        assert_eq!((REFERENCE.open)().text(&wide).unwrap(), *"+.+.+\n.?.?.\n+.+.+");
    }

    #[test]
    fn score_is_a_list_of_integers_and_player_a_string() {
        let game = board(&[2.into()]);
        for line in ["H0,0", "H1,0", "V0,0", "V0,1"] {
            call(&game, "claim", &[line.into()]).unwrap();
        }
        match (call(&game, "score", &[]), call(&game, "player", &[])) {
            (Ok(Live::Plain(score)), Ok(Live::Plain(player))) => {
                assert_eq!(score, Value::List(vec![Value::int(0), Value::int(1)]));
                assert_eq!(player, Value::from("B"));
            }
            other => panic!("not plain data: {other:?}"),
        }
    }

    #[test]
    fn errors_are_said_in_the_words_of_the_assignment() {
        let game = board(&[3.into()]);
        for position in ["ABCD".into(), "H10,10".into(), 5.into(), Value::None.into(), Live::List(vec![])] {
            check_raised(call(&game, "claim", &[position]), "Error", "invalid position");
        }
        call(&game, "claim", &["H0,0".into()]).unwrap();
        check_raised(call(&game, "claim", &["H0,0".into()]), "Error", "dots already connected");
    }

    #[test]
    fn arguments_that_make_no_board_are_refused() {
        let huge = i64::MAX;
        for size in [1.into(), 0.into(), (-3).into(), huge.into(), "3".into(), Value::Float(3.5).into()] {
            check_raised(new(&[size]), "Error", "invalid dimensions");
        }
    }

    #[test]
    fn calls_that_do_not_exist_or_fit_raise() {
        let game = board(&[3.into()]);
        check_raised(new(&[]), "TypeError", "argument 1 is missing");
        check_raised(call(&game, "claim", &[]), "TypeError", "1 arguments expected, 0 given");
        check_raised(call(&game, "score", &[1.into()]), "TypeError", "0 arguments expected, 1 given");
        assert!(call(&game, "winner", &[]).is_err());
        assert!(call(&Object::new("Other", ()), "score", &[]).is_err());
    }
}
