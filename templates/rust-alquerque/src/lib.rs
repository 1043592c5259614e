//! Alquerque: the rules and the player.
#![allow(unused_variables, reason = "nothing is written yet")]

use keur_core::submit;

/// The answer to the exercise; its moves and boards may be of any types.
pub struct Alquerque;

impl submit::Alquerque for Alquerque {
    type Move = (i64, i64);
    type Board = ();

    fn make_move(src: i64, trg: i64) -> Self::Move {
        unimplemented!("make_move")
    }

    fn source(m: &Self::Move) -> i64 {
        unimplemented!("source")
    }

    fn target(m: &Self::Move) -> i64 {
        unimplemented!("target")
    }

    fn make_board() -> Self::Board {
        unimplemented!("make_board")
    }

    fn white_plays(b: &Self::Board) -> bool {
        unimplemented!("white_plays")
    }

    fn white(b: &Self::Board) -> Vec<i64> {
        unimplemented!("white")
    }

    fn black(b: &Self::Board) -> Vec<i64> {
        unimplemented!("black")
    }

    fn is_legal(m: &Self::Move, b: &Self::Board) -> bool {
        unimplemented!("is_legal")
    }

    fn legal_moves(b: &Self::Board) -> Vec<Self::Move> {
        unimplemented!("legal_moves")
    }

    fn play(m: &Self::Move, b: &mut Self::Board) {
        unimplemented!("play")
    }

    fn is_game_over(b: &Self::Board) -> bool {
        unimplemented!("is_game_over")
    }

    fn copy(b: &Self::Board) -> Self::Board {
        unimplemented!("copy")
    }

    fn next_move(b: &Self::Board, depth: Option<u32>) -> Self::Move {
        unimplemented!("next_move")
    }
}
