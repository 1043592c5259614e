//! Sessions as lines of the small language of cases.

use super::session::{Act, BoardQuestion, GameSession, SearchTask};
use crate::exercises::alquerque::rules::Move;
use crate::exercises::sessions::{Look, RandomStep};

impl GameSession {
    /// The steps of the session.
    pub(super) fn steps(&self) -> Vec<RandomStep> {
        let mut steps: Vec<RandomStep> = Vec::new();
        let mut asked_last = true;
        for act in &self.acts {
            let (line, look) = written(*act);
            match steps.last_mut() {
                Some(step) if look.is_none() && !asked_last => step.lines.push(line),
                _ => steps.push(RandomStep {
                    lines: vec![line],
                    stdin: None,
                    look: look.clone().unwrap_or(Look::Nothing),
                }),
            }
            asked_last = look.is_some();
        }
        steps
    }
}

/// The line of an act, and what is compared if it is a question.
fn written(act: Act) -> (String, Option<Look>) {
    match act {
        Act::Make(name) => (format!("{} = make_board()", name.text()), None),
        Act::Copy { from, to } => (format!("{} = copy({})", to.text(), from.text()), None),
        Act::Play(name, step) => (format!("move({}, {})", made(step), name.text()), None),
        Act::Ask(name, asked) => {
            let board = name.text();
            let plain = |function: &str| (format!("{function}({board})"), Some(Look::Value));
            match asked {
                BoardQuestion::White => plain("white"),
                BoardQuestion::Black => plain("black"),
                BoardQuestion::WhitePlays => plain("white_plays"),
                BoardQuestion::LegalMoves => plain("legal_moves"),
                BoardQuestion::IsGameOver => plain("is_game_over"),
                BoardQuestion::IsLegal(step) => {
                    (format!("is_legal({}, {board})", made(step)), Some(Look::Value))
                }
                BoardQuestion::NextMove(SearchTask { depth, judge, copy }) => {
                    let given = if copy { format!("copy({board})") } else { board.to_owned() };
                    let look =
                        Look::Oracle { oracle: judge.oracle(), of: board.to_owned(), depth: Some(depth) };
                    (format!("next_move({given}, {depth})"), Some(look))
                }
            }
        }
    }
}

fn made(step: Move) -> String {
    format!("make_move({}, {})", step.source.number(), step.target.number())
}
