//! Runs matches of a submission against the reference, and judges them.
//!
//! The umpire keeps the reference's own board of each game. A game continues as long as every answer is a
//! legal move and the submission leaves its board unchanged.

use super::following::{no_oracle, reference};
use crate::adapter::{Fault, Follower, Guide, Observation, StepOutcome};
use crate::case::{
    Action, Case, CaseStep, Exercise, Games, Line, Match, Node, Opponent, StepNo, Want, line_over,
};
use crate::compare::{
    self, Failure, MatchMistake, Mistake, NameMistake, RaiseMistake, ValueMistake, Verdict,
};
use crate::exercises::Reference;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::oracle::{Oracle, Refusal, Refused};
use crate::value::program::Live;
use crate::value::random::Random;
use crate::value::referee::{Choice, Referee, Side, Standing};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The failure of a match, and the game that shows it.
#[derive(Clone, Debug)]
pub(crate) struct LostMatch {
    /// The failure.
    pub(crate) failure: Box<Failure>,
    /// The lines of the game, up to the failing one.
    pub(crate) lines: Vec<Line>,
}

/// Runs the matches of a case.
pub struct Umpire<'a> {
    /// The matches that were not begun, by step.
    waiting: BTreeMap<StepNo, PlayedMatch<'a>>,
    /// The match that is being played.
    playing: Option<PlayedMatch<'a>>,
    /// The result of each match that is over.
    ended: BTreeMap<StepNo, Result<(), LostMatch>>,
}

impl<'a> Umpire<'a> {
    /// The umpire for the matches of `case`; `None` if it has none.
    ///
    /// # Errors
    /// The exercise has no reference that can play, or that has no oracle for the moves.
    pub(crate) fn new(exercise: &'a Exercise, case: &'a Case) -> Result<Option<Umpire<'a>>, Fault> {
        let mut waiting = BTreeMap::new();
        for step in case.steps() {
            if let Action::Match(game) = &step.plan.action {
                waiting.insert(step.number, PlayedMatch::new(exercise, case, step, game)?);
            }
        }
        let umpire = Umpire { waiting, playing: None, ended: BTreeMap::new() };
        Ok(Some(umpire).filter(|umpire| !umpire.waiting.is_empty()))
    }

    /// The result of the match at a step; `None` if it is not over.
    pub(crate) fn ended(&self, step: StepNo) -> Option<&Result<(), LostMatch>> {
        self.ended.get(&step)
    }
}

impl Guide for Umpire<'_> {
    fn next(&mut self, step: StepNo, last: Option<&Observation>) -> Result<Option<(Line, Want)>, Fault> {
        if last.is_none() {
            self.playing = self.waiting.remove(&step);
        }
        let Some(playing) = &mut self.playing else { return Ok(None) };
        let next = match last {
            None => playing.begin_game(),
            Some(last) => playing.after(last)?,
        };
        match next {
            Next::Ask(line, want) => Ok(Some((*line, want))),
            Next::Over(result) => {
                self.playing = None;
                self.ended.insert(step, result);
                Ok(None)
            }
        }
    }
}

/// The next event of a match.
enum Next {
    /// The submission runs this line.
    Ask(Box<Line>, Want),
    /// The match is over.
    Over(Result<(), LostMatch>),
}

/// The question that the last line asked of the submission.
enum Turn {
    /// To make its board, or a move on it.
    Line,
    /// To choose its move.
    Choice,
    /// To show its board, before it makes this move.
    Board(Line),
}

/// A match, and where it is.
struct PlayedMatch<'a> {
    exercise: &'a Exercise,
    game: &'a Match,
    expected: &'a Games,
    reference: &'static Reference,
    referee: &'static Referee,
    /// Judges the submission's moves.
    oracle: &'static Oracle,
    depth: Option<NonZeroU32>,
    random: Random,
    /// The number of games that are over.
    played: u32,
    won: u32,
    lost: u32,
    /// The first game that was lost, and the first that was not won.
    first_lost: Vec<Line>,
    first_not_won: Vec<Line>,
    /// The reference's own board of the current game.
    follower: Follower,
    /// The lines of the current game.
    lines: Vec<Line>,
    turn: Turn,
}

impl<'a> PlayedMatch<'a> {
    fn new(
        exercise: &'a Exercise,
        case: &Case,
        step: CaseStep<'a>,
        game: &'a Match,
    ) -> Result<PlayedMatch<'a>, Fault> {
        let reference = reference(exercise)?;
        let plays = || Fault::new(format!("the reference of {} plays no matches", exercise.name));
        let referee = reference.referee.ok_or_else(plays)?;
        let expected = &step.expect.games;
        let (name, depth) = match &expected.moves {
            Some((oracle, depth)) => (oracle.as_str(), *depth),
            None => (referee.legal, None),
        };
        let oracle = reference.oracles.iter().find(|oracle| oracle.name == name);
        Ok(PlayedMatch {
            exercise,
            game,
            expected,
            reference,
            referee,
            oracle: oracle.ok_or_else(|| Fault::new(no_oracle(case, step.number, name)))?,
            depth,
            random: Random::new(game.seed),
            played: 0,
            won: 0,
            lost: 0,
            first_lost: Vec::new(),
            first_not_won: Vec::new(),
            follower: Follower::new((reference.open)(), exercise.session),
            lines: Vec::new(),
            turn: Turn::Line,
        })
    }

    /// Starts the next game, or ends the match after the last one.
    fn begin_game(&mut self) -> Next {
        if self.played == self.game.games {
            return Next::Over(self.result());
        }
        self.follower = Follower::new((self.reference.open)(), self.exercise.session);
        self.lines.clear();
        self.make(self.game.start.clone())
    }

    /// Makes a line on both boards.
    fn make(&mut self, line: Line) -> Next {
        self.follower.run(std::slice::from_ref(&line));
        self.lines.push(line.clone());
        self.turn = Turn::Line;
        Next::Ask(Box::new(line), Want::default())
    }

    /// Continues after what the last line gave.
    fn after(&mut self, last: &Observation) -> Result<Next, Fault> {
        let turn = std::mem::replace(&mut self.turn, Turn::Line);
        let StepOutcome::Value { value, .. } = &last.outcome else {
            match turn {
                // It is the last line of the game already.
                Turn::Line => {}
                Turn::Choice => self.lines.push(self.game.player.clone()),
                Turn::Board(_) => self.lines.push(self.look()),
            }
            return Ok(self.lose(unplayed(&last.outcome)));
        };
        let value = value.as_ref().unwrap_or(&Value::None);
        match turn {
            Turn::Line => self.go_on(),
            Turn::Choice => self.chosen(value),
            Turn::Board(made) => Ok(self.compare_board(made, value)),
        }
    }

    /// Lets the player make a move whose turn it is; both boards are the same.
    fn go_on(&mut self) -> Result<Next, Fault> {
        let own = if self.played.is_multiple_of(2) { Side::First } else { Side::Second };
        let board = self.board()?;
        let standing = (self.referee.standing)(board);
        match standing.ok_or_else(|| self.cannot("does not say whose turn it is"))? {
            Standing::ToMove(side) if side == own => {
                self.turn = Turn::Choice;
                let want = Want { value: true, view: self.game.view.clone(), ..Want::default() };
                Ok(Next::Ask(Box::new(self.game.player.clone()), want))
            }
            Standing::ToMove(_) => {
                let choice = match self.game.opponent {
                    Opponent::Random => Choice::Random(self.random.number()),
                    Opponent::Depth(depth) => Choice::Depth(depth),
                };
                let made = (self.referee.choose)(self.board()?, choice);
                let line = made.and_then(|made| self.line(&made));
                Ok(self.make(line.ok_or_else(|| self.cannot("has no move"))?))
            }
            standing => {
                let lines = std::mem::take(&mut self.lines);
                self.played += 1;
                if standing == Standing::Won(own) {
                    self.won += 1;
                } else {
                    if self.first_not_won.is_empty() {
                        self.first_not_won.clone_from(&lines);
                    }
                    if standing != Standing::Drawn {
                        self.lost += 1;
                        if self.lost == 1 {
                            self.first_lost = lines;
                        }
                    }
                }
                Ok(self.begin_game())
            }
        }
    }

    /// Judges the move that the submission chose.
    fn chosen(&mut self, answer: &Value) -> Result<Next, Fault> {
        let judged = (self.oracle.judge)(self.board()?, self.depth, answer).and_then(|_| {
            self.line(answer).ok_or_else(|| Refused { why: Refusal::NoAnswer, accepted: Vec::new() })
        });
        Ok(match judged {
            Ok(line) => {
                self.turn = Turn::Board(line);
                Next::Ask(Box::new(self.look()), self.wanted_board())
            }
            Err(refused) => {
                self.lines.push(self.game.player.clone());
                self.lose(illegal(&refused, answer, self.exercise.session))
            }
        })
    }

    /// Compares the board that the submission shows with the reference's own, and then makes the move.
    fn compare_board(&mut self, made: Line, board: &Value) -> Next {
        let own = self.follower.answer(&self.look(), &self.wanted_board()).unwrap_or(Value::None);
        let notation = self.exercise.session;
        let (tuples, view) = (notation.has_tuples(), self.game.look.as_ref());
        let equality = compare::Equality { exact: false, notation, tuples, view, tolerance: None };
        if equality.holds(&own, board) {
            return self.make(made);
        }
        self.lines.extend([self.game.player.clone(), self.look()]);
        self.lose(changed(&own, board, notation))
    }

    /// Ends the match with a failure at the last line of the current game.
    fn lose(&mut self, failure: Failure) -> Next {
        Next::Over(Err(LostMatch { failure: Box::new(failure), lines: std::mem::take(&mut self.lines) }))
    }

    /// The result after all games.
    fn result(&self) -> Result<(), LostMatch> {
        let Games { not_lost, won, .. } = *self.expected;
        let games = self.game.games;
        let (mistake, lines) = if games - self.lost < not_lost {
            (MatchMistake::GamesLost { games, lost: self.lost }, &self.first_lost)
        } else if self.won < won {
            (MatchMistake::Games { games, needed: won, got: self.won }, &self.first_not_won)
        } else {
            return Ok(());
        };
        let failure = failure(Verdict::WrongValue, Mistake::Match(mistake));
        Err(LostMatch { failure: Box::new(failure), lines: lines.clone() })
    }

    /// The reference's own board.
    fn board(&self) -> Result<&Live, Fault> {
        self.follower.bound(&self.game.board).ok_or_else(|| self.cannot("has no board"))
    }

    /// The line that makes a move on the board.
    fn line(&self, made: &Value) -> Option<Line> {
        let text = (self.referee.line)(made, &self.game.board)?;
        line_over(self.exercise, &[&self.game.board], &text).map(|(line, _)| line)
    }

    /// The line that shows the board.
    fn look(&self) -> Line {
        Line::plain(Node::Name(self.game.board.clone()))
    }

    fn wanted_board(&self) -> Want {
        Want { value: true, view: self.game.look.clone(), ..Want::default() }
    }

    /// The fault of a reference that cannot go on with a match.
    fn cannot(&self, why: &str) -> Fault {
        Fault::new(format!("a match cannot be played: the reference of {} {why}", self.exercise.name))
    }
}

fn failure(verdict: Verdict, mistake: Mistake) -> Failure {
    Failure::new(verdict, 0, mistake)
}

/// Handles a line of a game that gave no value.
fn unplayed(outcome: &StepOutcome) -> Failure {
    match outcome {
        StepOutcome::Halted(halt) => compare::halted(halt, 0),
        StepOutcome::Raised(raised) => Failure {
            got: Some(compare::exception_text(raised)),
            exception: Some(raised.clone()),
            ..failure(Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected))
        },
        StepOutcome::Missing(missing) => failure(
            Verdict::LoadError,
            Mistake::Name(NameMistake::NoDefinition { name: missing.name.clone(), near: None }),
        ),
        StepOutcome::Value { .. } | StepOutcome::Unbound(_) => {
            failure(Verdict::NotRun, Mistake::Value(ValueMistake::Unexpected))
        }
    }
}

fn illegal(refused: &Refused, got: &Value, notation: &'static dyn Notation) -> Failure {
    let accepted: Vec<String> = refused.accepted.iter().map(|value| notation.literal(value)).collect();
    Failure {
        expected: Some(accepted.join(" | ")).filter(|text| !text.is_empty()),
        got: Some(notation.literal(got)),
        ..failure(Verdict::WrongValue, Mistake::of_refusal(refused.why, got, notation))
    }
}

fn changed(own: &Value, got: &Value, notation: &'static dyn Notation) -> Failure {
    Failure {
        expected: Some(notation.literal(own)),
        got: Some(notation.literal(got)),
        ..failure(Verdict::WrongValue, Mistake::Match(MatchMistake::Changed))
    }
}
