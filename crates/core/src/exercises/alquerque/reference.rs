//! Alquerque as the exercise's functions of three modules.
//!
//! A `Move` holds any two integers, as the course defines it ("legal or not"); only a legal one ever reaches
//! the game. Rulings, where the course says nothing: a move off the board is not legal, an illegal move
//! raises and changes nothing, and the automatic player looks [`DEFAULT_DEPTH`] moves ahead by default.

use super::live::{AnyMove, SharedBoard, found_move, new_board, new_move};
use super::oracles::{ORACLES, REFEREE};
use super::rules::{Board, IllegalMove, Player};
use super::search::next_move;
use crate::exercises::built_in::Reference;
use crate::value::args;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Int, Text, Value};
use std::num::NonZeroU32;

pub(super) const REFERENCE: Reference =
    Reference { open: || Box::new(ReferenceProgram), oracles: ORACLES, referee: Some(&REFEREE) };

/// The number of moves that the automatic player looks ahead by default.
const DEFAULT_DEPTH: NonZeroU32 = NonZeroU32::new(4).expect("not zero");

/// The exercise has no state except its boards.
struct ReferenceProgram;

impl Program for ReferenceProgram {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        let Call::Function { name } = call else {
            return Err(args::unknown(call));
        };
        match name {
            "make_move" => {
                args::at_most(args, 2)?;
                Ok(new_move(integer(args, 0)?.clone(), integer(args, 1)?.clone()))
            }
            "source" => Ok(Value::Int(only_move(args)?.source.clone()).into()),
            "target" => Ok(Value::Int(only_move(args)?.target.clone()).into()),
            "make_board" => {
                args::at_most(args, 0)?;
                Ok(new_board(Board::start()))
            }
            "white_plays" => Ok(Value::Bool(only_board(args)?.borrow().to_move() == Player::White).into()),
            "white" => Ok(pieces(&only_board(args)?.borrow(), Player::White)),
            "black" => Ok(pieces(&only_board(args)?.borrow(), Player::Black)),
            "is_legal" => {
                let (wanted, board) = move_and_board(args)?;
                let legal = wanted.on_board().is_some_and(|wanted| board.borrow().check(wanted).is_ok());
                Ok(Value::Bool(legal).into())
            }
            "legal_moves" => {
                let moves = only_board(args)?.borrow().legal_moves();
                Ok(Live::List(moves.into_iter().map(found_move).collect()))
            }
            "move" => {
                let (wanted, board) = move_and_board(args)?;
                let on_board = wanted.on_board().ok_or_else(|| illegal("the move leaves the board"))?;
                board.borrow_mut().play(on_board).map_err(|why: IllegalMove| illegal(why.to_string()))?;
                Ok(Value::None.into())
            }
            "is_game_over" => Ok(Value::Bool(only_board(args)?.borrow().outcome().is_some()).into()),
            "copy" => Ok(new_board(*only_board(args)?.borrow())),
            "next_move" => {
                args::at_most(args, 2)?;
                let board = *board(args, 0)?.borrow();
                let depth = depth(args)?;
                next_move(&board, depth)
                    .map(found_move)
                    .ok_or_else(|| Raised::new("AssertionError", "the game is over"))
            }
            _ => Err(args::unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        if let Some(board) = object.state::<SharedBoard>() {
            return Ok(board.borrow().to_string().into());
        }
        let AnyMove { source, target } = args::own(object)?;
        Ok(format!("{source}-{target}").into())
    }
}

fn pieces(board: &Board, player: Player) -> Live {
    let numbers = board.pieces_of(player).map(|field| Value::from(i64::from(field.number())));
    Value::List(numbers.collect()).into()
}

fn illegal(why: impl Into<String>) -> Raised {
    Raised::new("AssertionError", why)
}

fn only_move(args: &[Live]) -> Result<&AnyMove, Raised> {
    args::at_most(args, 1)?;
    any_move(args, 0)
}

fn only_board(args: &[Live]) -> Result<&SharedBoard, Raised> {
    args::at_most(args, 1)?;
    board(args, 0)
}

fn move_and_board(args: &[Live]) -> Result<(&AnyMove, &SharedBoard), Raised> {
    args::at_most(args, 2)?;
    Ok((any_move(args, 0)?, board(args, 1)?))
}

fn any_move(args: &[Live], index: usize) -> Result<&AnyMove, Raised> {
    args::state(args::required(args, index)?).ok_or_else(|| wrong(index, "a Move"))
}

fn board(args: &[Live], index: usize) -> Result<&SharedBoard, Raised> {
    args::state(args::required(args, index)?).ok_or_else(|| wrong(index, "a Board"))
}

fn integer(args: &[Live], index: usize) -> Result<&Int, Raised> {
    args::int(args::required(args, index)?).ok_or_else(|| wrong(index, "an integer"))
}

fn depth(args: &[Live]) -> Result<NonZeroU32, Raised> {
    if args::optional(args, 1).is_none() {
        return Ok(DEFAULT_DEPTH);
    }
    let depth = integer(args, 1)?;
    let depth = depth.to_i64().and_then(|depth| u32::try_from(depth).ok()).and_then(NonZeroU32::new);
    depth.ok_or_else(|| Raised::new("ValueError", "the depth is a positive number"))
}

fn wrong(index: usize, expected: &str) -> Raised {
    Raised::type_error(format!("argument {} is not {expected}", index + 1))
}

#[cfg(test)]
mod tests {
    use super::ReferenceProgram;
    use crate::value::Value;
    use crate::value::program::{Answer, Call, Live, Object, Program};

    fn call(name: &str, args: &[Live]) -> Answer {
        ReferenceProgram.call(Call::Function { name }, args)
    }

    fn make_move(source: i64, target: i64) -> Live {
        call("make_move", &[source.into(), target.into()]).unwrap()
    }

    #[track_caller]
    fn plain(answer: Answer) -> Value {
        match answer.unwrap() {
            Live::Plain(value) => value,
            live @ (Live::Object(_) | Live::List(_)) => panic!("not plain: {live:?}"),
        }
    }

    #[track_caller]
    fn object(live: &Live) -> &Object {
        match live {
            Live::Object(object) => object,
            live @ (Live::Plain(_) | Live::List(_)) => panic!("not an object: {live:?}"),
        }
    }

    #[track_caller]
    fn raises(name: &str, args: &[Live], kind: &str) {
        assert_eq!(call(name, args).unwrap_err().kind, kind);
    }

    #[test]
    fn a_move_is_made_in_place_and_a_copy_stands_apart() {
        let board = call("make_board", &[]).unwrap();
        let copy = call("copy", std::slice::from_ref(&board)).unwrap();
        assert_eq!(plain(call("move", &[make_move(17, 13), board.clone()])), Value::None);
        assert_eq!(plain(call("white_plays", std::slice::from_ref(&board))), Value::Bool(false));
        assert_eq!(plain(call("white_plays", std::slice::from_ref(&copy))), Value::Bool(true));
        assert!(!object(&board).is(object(&copy)));
    }

    #[test]
    fn a_board_and_a_move_have_a_text() {
        let board = call("make_board", &[]).unwrap();
        let text = ReferenceProgram.text(object(&board)).unwrap();
        assert!(text.to_lossy().starts_with("b-b-b-b-b\n"));
        assert!(ReferenceProgram.text(object(&make_move(17, -3))).unwrap() == *"17--3");
    }

    #[test]
    fn a_move_holds_any_integers_and_off_the_board_it_is_illegal() {
        let board = call("make_board", &[]).unwrap();
        for (source, target) in [(0, 13), (17, 26), (-8, 13), (273, 13), (i64::MIN, i64::MAX)] {
            let wanted = make_move(source, target);
            assert_eq!(plain(call("source", std::slice::from_ref(&wanted))), Value::from(source));
            assert_eq!(plain(call("target", std::slice::from_ref(&wanted))), Value::from(target));
            assert_eq!(plain(call("is_legal", &[wanted.clone(), board.clone()])), Value::Bool(false));
            raises("move", &[wanted, board.clone()], "AssertionError");
        }
    }

    #[test]
    fn wrong_arguments_raise() {
        let board = call("make_board", &[]).unwrap();
        raises("make_move", &[17.into()], "TypeError");
        raises("make_move", &["17".into(), 13.into()], "TypeError");
        raises("make_move", &[17.into(), 13.into(), 9.into()], "TypeError");
        raises("make_board", std::slice::from_ref(&board), "TypeError");
        raises("is_legal", &[board.clone(), make_move(17, 13)], "TypeError");
        raises("white", &[make_move(17, 13)], "TypeError");
        raises("next_move", &[board.clone(), 0.into()], "ValueError");
        raises("next_move", &[board, "2".into()], "TypeError");
        raises("undo", &[], "NameError");
    }
}
