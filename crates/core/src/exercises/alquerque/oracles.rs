//! Alquerque's oracles: they judge the moves of an automatic player, and play against one.

use super::live::{SharedBoard, found_move};
use super::rules::{Board, Field, Move, Outcome, Player};
use super::search::{next_move, sound_moves, winning_moves};
use crate::value::Value;
use crate::value::args;
use crate::value::oracle::{Oracle, Refusal, Refused};
use crate::value::program::Live;
use crate::value::referee::{Choice, Referee, Side, Standing};
use std::num::NonZeroU32;

/// The greatest depth that a case may give: a greater one takes a judge too long.
const DEEPEST: u32 = 6;

pub(super) const ORACLES: &[Oracle] = &[
    Oracle {
        name: "legal_move",
        doc: "any legal move",
        depths: None,
        judge: |of, _, answer| judge(of, answer, Refusal::Illegal, |board| board.legal_moves()),
    },
    Oracle {
        name: "winning_move",
        doc: "a move that forces a win within `depth` moves; any legal move where there is none",
        depths: Some(1..=DEEPEST),
        judge: |of, depth, answer| {
            judge(of, answer, Refusal::WinMissed, |board| winning_moves(board, seen(depth)))
        },
    },
    Oracle {
        name: "sound_move",
        doc: "a move that loses neither the game nor a piece by force within `depth` moves, unless every move does; a piece \
              that comes back within two moves more is not lost",
        depths: Some(1..=DEEPEST),
        judge: |of, depth, answer| {
            let lost = |board: &Board, wanted| {
                let mut after = *board;
                let loses = after.play(wanted).is_ok() && !winning_moves(&after, seen(depth)).is_empty();
                if loses { Refusal::LosesTheGame } else { Refusal::LosesMaterial }
            };
            judge_by(of, answer, lost, |board| sound_moves(board, seen(depth)))
        },
    },
];

pub(super) const REFEREE: Referee = Referee {
    legal: "legal_move",
    standing: |board| {
        let board = board_of(board)?;
        let side = |player| if player == Player::White { Side::First } else { Side::Second };
        Some(match board.outcome() {
            None => Standing::ToMove(side(board.to_move())),
            Some(Outcome::Win(winner)) => Standing::Won(side(winner)),
            Some(Outcome::Draw) => Standing::Drawn,
        })
    },
    choose: |board, opponent| {
        let board = board_of(board)?;
        let found = match opponent {
            Choice::Depth(depth) => next_move(&board, depth)?,
            Choice::Random(number) => {
                let moves = board.legal_moves();
                let count = u64::try_from(moves.len()).ok().filter(|count| *count > 0)?;
                *moves.get(usize::try_from(number % count).ok()?)?
            }
        };
        Some(value(found))
    },
    line: |made, board| {
        let (source, target) = read(made)?;
        Some(format!("move(make_move({source}, {target}), {board})"))
    },
};

/// The depth of a case. A depth that a case must give is present.
fn seen(depth: Option<NonZeroU32>) -> NonZeroU32 {
    depth.unwrap_or(NonZeroU32::MIN)
}

/// Accepts one of the good moves; any legal one if none is good.
fn judge(
    of: &Live,
    answer: &Value,
    why: Refusal,
    good: impl Fn(&Board) -> Vec<Move>,
) -> Result<Live, Refused> {
    judge_by(of, answer, |_, _| why, good)
}

fn judge_by(
    of: &Live,
    answer: &Value,
    why: impl Fn(&Board, Move) -> Refusal,
    good: impl Fn(&Board) -> Vec<Move>,
) -> Result<Live, Refused> {
    let refused = |why, moves: &[Move]| Refused { why, accepted: moves.iter().copied().map(value).collect() };
    let Some(board) = board_of(of) else { return Err(refused(Refusal::NoAnswer, &[])) };
    let legal = board.legal_moves();
    let accepted = Some(good(&board)).filter(|moves| !moves.is_empty()).unwrap_or(legal.clone());
    match read(answer) {
        None => Err(refused(Refusal::NoAnswer, &accepted)),
        Some((source, target)) => {
            let wanted = legal.iter().copied().find(|known| {
                (i64::from(known.source.number()), i64::from(known.target.number())) == (source, target)
            });
            match wanted {
                None => Err(refused(Refusal::Illegal, &accepted)),
                Some(wanted) if accepted.contains(&wanted) => Ok(found_move(wanted)),
                Some(wanted) => Err(refused(why(&board, wanted), &accepted)),
            }
        }
    }
}

fn board_of(live: &Live) -> Option<Board> {
    args::state::<SharedBoard>(live).map(|board| *board.borrow())
}

/// The fields of a move, as `[view]` shows it.
fn read(answer: &Value) -> Option<(i64, i64)> {
    let (Value::List(fields) | Value::Tuple(fields)) = answer else { return None };
    let [source, target] = fields.as_slice() else { return None };
    let field = |value: &Value| {
        if let Value::Number(number) = value {
            // A JavaScript number; it may not be a field, but never exceeds what JavaScript counts exactly.
            return (number.fract() == 0.0 && number.abs() < 1e9).then_some(*number as i64);
        }
        let Value::Int(number) = value else { return None };
        number.to_i64()
    };
    Some((field(source)?, field(target)?))
}

fn value(of: Move) -> Value {
    let number = |field: Field| Value::from(i64::from(field.number()));
    Value::List(vec![number(of.source), number(of.target)])
}
