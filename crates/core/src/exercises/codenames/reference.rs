//! Codenames as the exercise calls it: class `Spelbord`.

use crate::exercises::built_in::Reference;
use crate::exercises::codenames::rules::{Codenames, IllegalAction, Status};
use crate::exercises::grid::Pos;
use crate::value::Text;
use crate::value::args;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use std::cell::RefCell;

/// The entry of the registry.
pub(super) const REFERENCE: Reference =
    Reference { open: || Box::new(ReferenceProgram), oracles: &[], referee: None };

/// Answers the calls of the exercise; all state is in the boards that it returns.
struct ReferenceProgram;

/// The class of the exercise; its objects hold a `RefCell<Codenames>`.
const CLASS: &str = "Spelbord";

impl Program for ReferenceProgram {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: CLASS } => new_board(args),
            Call::Method { on, name } => {
                let game = args::own::<RefCell<Codenames>>(on)?;
                match name {
                    "beurt" => turn(&game.borrow(), args),
                    "stoppen" => pass(&mut game.borrow_mut(), args).map(|()| Live::Object(on.clone())),
                    "aanduiden" => reveal(&mut game.borrow_mut(), args).map(|()| Live::Object(on.clone())),
                    "isafgelopen" => is_over(&game.borrow(), args),
                    _ => Err(args::unknown(call)),
                }
            }
            Call::New { .. } | Call::Function { .. } => Err(args::unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        let game = args::own::<RefCell<Codenames>>(object)?;
        Ok(Text::from(game.borrow().to_string()))
    }
}

fn new_board(args: &[Live]) -> Answer {
    let [rows, cols, key] = args::exactly(args)?;
    let key = args::str(key).ok_or_else(|| Raised::type_error("the key must be a string"))?;
    let game = Codenames::new(index(rows)?, index(cols)?, key)
        .map_err(|error| Raised::new("ValueError", error.to_string()))?;
    Ok(Live::Object(Object::new(CLASS, RefCell::new(game))))
}

fn turn(game: &Codenames, args: &[Live]) -> Answer {
    let [] = args::exactly(args)?;
    match game.status() {
        Status::Turn(team) => Ok(Live::from(team.letter().to_string())),
        Status::Won(_) => Err(raised(IllegalAction::Over)),
    }
}

fn pass(game: &mut Codenames, args: &[Live]) -> Result<(), Raised> {
    let [] = args::exactly(args)?;
    game.pass().map_err(raised)
}

fn reveal(game: &mut Codenames, args: &[Live]) -> Result<(), Raised> {
    let [row, col] = args::exactly(args)?;
    let pos = Pos::new(index(row)?, index(col)?);
    game.reveal(pos).map(|_| ()).map_err(raised)
}

fn is_over(game: &Codenames, args: &[Live]) -> Answer {
    let [] = args::exactly(args)?;
    Ok(Live::from(matches!(game.status(), Status::Won(_))))
}

/// A number of rows or columns, or the index of one.
///
/// What no board can have, such as a negative number, becomes a number that is off every board.
fn index(arg: &Live) -> Result<usize, Raised> {
    let int = args::int(arg).ok_or_else(|| Raised::type_error("a row or column must be an integer"))?;
    Ok(int.to_usize().unwrap_or(usize::MAX))
}

/// The exception for a refused action. The assignment defines the one for a finished game.
fn raised(refused: IllegalAction) -> Raised {
    match refused {
        IllegalAction::Over => Raised::new("AssertionError", "spel is afgelopen"),
        IllegalAction::OffBoard(_) => Raised::new("IndexError", "positie buiten het spelbord"),
    }
}

#[cfg(test)]
mod tests {
    use super::REFERENCE;
    use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
    use crate::value::{Text, Value};

    fn board(program: &mut dyn Program, rows: i64, cols: i64, key: &str) -> Object {
        let args = [Live::from(rows), Live::from(cols), Live::from(key)];
        match program.call(Call::New { class: "Spelbord" }, &args).unwrap() {
            Live::Object(object) => object,
            Live::Plain(_) | Live::List(_) => panic!("a board is an object"),
        }
    }

    fn ask(program: &mut dyn Program, on: &Object, name: &str, args: &[i64]) -> Answer {
        let args: Vec<Live> = args.iter().copied().map(Live::from).collect();
        program.call(Call::Method { on, name }, &args)
    }

    #[track_caller]
    fn check(answer: Answer, expected: impl Into<Value>) {
        match answer.unwrap() {
            Live::Plain(value) => assert_eq!(value, expected.into()),
            Live::Object(_) | Live::List(_) => panic!("plain data was expected"),
        }
    }

    #[track_caller]
    fn check_same(answer: Answer, expected: &Object) {
        match answer.unwrap() {
            Live::Object(object) => assert!(object.is(expected)),
            Live::Plain(_) | Live::List(_) => panic!("the board itself was expected"),
        }
    }

    #[track_caller]
    fn check_raised(answer: Answer, kind: &str) -> Raised {
        let raised = answer.unwrap_err();
        assert_eq!(raised.kind, kind, "{}", raised.message);
        raised
    }

    #[test]
    fn actions_return_the_board_itself() {
        let mut program = (REFERENCE.open)();
        let spel = board(&mut *program, 1, 4, "RRBX");
        check(ask(&mut *program, &spel, "beurt", &[]), "R");
        check_same(ask(&mut *program, &spel, "aanduiden", &[0, 1]), &spel);
        check_same(ask(&mut *program, &spel, "stoppen", &[]), &spel);
        check(ask(&mut *program, &spel, "beurt", &[]), "B");
        check(ask(&mut *program, &spel, "isafgelopen", &[]), false);
        assert_eq!(program.text(&spel), Ok(Text::from("? R ? ?")));
    }

    #[test]
    fn a_finished_game_raises_the_message_of_the_assignment() {
        let mut program = (REFERENCE.open)();
        let spel = board(&mut *program, 2, 2, "RRBX");
        check_same(ask(&mut *program, &spel, "aanduiden", &[1, 1]), &spel);
        check(ask(&mut *program, &spel, "isafgelopen", &[]), true);
        for (name, args) in [("beurt", [].as_slice()), ("stoppen", &[]), ("aanduiden", &[0, 0])] {
            let raised = check_raised(ask(&mut *program, &spel, name, args), "AssertionError");
            assert_eq!(raised.message, "spel is afgelopen");
        }
    }

    #[test]
    fn a_position_off_the_board_raises_and_changes_nothing() {
        let mut program = (REFERENCE.open)();
        let spel = board(&mut *program, 2, 2, "RRBX");
        for pos in [[-1, 0], [0, -1], [2, 0], [0, 2], [i64::MIN, i64::MAX]] {
            check_raised(ask(&mut *program, &spel, "aanduiden", &pos), "IndexError");
        }
        check(ask(&mut *program, &spel, "beurt", &[]), "R");
        assert_eq!(program.text(&spel), Ok(Text::from("? ?\n? ?")));
    }

    #[test]
    fn wrong_arguments_raise() {
        let mut program = (REFERENCE.open)();
        let spel = board(&mut *program, 2, 2, "RRBX");
        check_raised(ask(&mut *program, &spel, "beurt", &[1]), "TypeError");
        check_raised(ask(&mut *program, &spel, "aanduiden", &[1]), "TypeError");
        check_raised(ask(&mut *program, &spel, "aanduiden", &[1, 1, 1]), "TypeError");
        check_raised(ask(&mut *program, &spel, "winnaar", &[]), "AttributeError");
        let words = [Live::from("0"), Live::from("0")];
        check_raised(program.call(Call::Method { on: &spel, name: "aanduiden" }, &words), "TypeError");
        check_raised(program.call(Call::New { class: "Bord" }, &[]), "NameError");
        check_raised(program.call(Call::New { class: "Spelbord" }, &words), "TypeError");
        let short = [Live::from(2), Live::from(2), Live::from("RX")];
        check_raised(program.call(Call::New { class: "Spelbord" }, &short), "ValueError");
        let stranger = Object::new("Spelbord", ());
        check_raised(ask(&mut *program, &stranger, "beurt", &[]), "TypeError");
    }
}
