//! Runs matches of a submission against the reference, and judges them.
//!
//! The umpire keeps the reference's own board of each game. A game continues as long as every answer is a
//! legal move and the submission leaves its board unchanged.

use super::error::GradeError;
use super::following::{find_oracle, reference};
use crate::adapter::{Fault, Follower, Guide, GuidedLine, Observation, StepOutcome};
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
    /// The matches that are not over, by step.
    matches: BTreeMap<StepNo, PlayedMatch<'a>>,
    /// The result of each match that is over.
    results: BTreeMap<StepNo, Result<(), LostMatch>>,
}

impl<'a> Umpire<'a> {
    /// The umpire for the matches of `case`, whose findings have values in `notation`; `None` if it has none.
    ///
    /// # Errors
    /// The exercise has no reference that can play, or that has no oracle for the moves.
    pub(crate) fn new(
        exercise: &'a Exercise,
        case: &'a Case,
        notation: &'static dyn Notation,
    ) -> Result<Option<Umpire<'a>>, GradeError> {
        let mut matches = BTreeMap::new();
        for step in case.steps() {
            if let Action::Match(game) = &step.plan.action {
                matches.insert(step.number, PlayedMatch::new(exercise, case, step, game, notation)?);
            }
        }
        let umpire = Umpire { matches, results: BTreeMap::new() };
        Ok(Some(umpire).filter(|umpire| !umpire.matches.is_empty()))
    }

    /// The result of the match at a step; `None` if it is not over.
    pub(crate) fn result_of(&self, step: StepNo) -> Option<&Result<(), LostMatch>> {
        self.results.get(&step)
    }

    /// The line to run next; the result is kept if the match at this step is over.
    fn next_line(&mut self, step: StepNo, next: Next) -> Option<GuidedLine> {
        match next {
            Next::Ask(guided) => Some(*guided),
            Next::Over(result) => {
                self.matches.remove(&step);
                self.results.insert(step, result);
                None
            }
        }
    }
}

impl Guide for Umpire<'_> {
    fn begin(&mut self, step: StepNo) -> Option<GuidedLine> {
        let next = self.matches.get_mut(&step)?.begin_game();
        self.next_line(step, next)
    }

    fn after(&mut self, step: StepNo, last: &Observation) -> Result<Option<GuidedLine>, Fault> {
        let Some(playing) = self.matches.get_mut(&step) else { return Ok(None) };
        let next = playing.after(last)?;
        Ok(self.next_line(step, next))
    }
}

/// The next event of a match.
enum Next {
    /// The submission runs this line.
    Ask(Box<GuidedLine>),
    /// The match is over.
    Over(Result<(), LostMatch>),
}

/// The question that the last line asked of the submission.
#[derive(Clone)]
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
    /// The notation of values in a finding.
    notation: &'static dyn Notation,
    score: Score,
    current: Game,
}

/// The games of a match that are over.
#[derive(Default)]
struct Score {
    played: u32,
    won: u32,
    lost: u32,
    /// The lines of the first game that was lost.
    first_lost: Option<Vec<Line>>,
    /// The lines of the first game that was not won.
    first_not_won: Option<Vec<Line>>,
}

impl Score {
    /// Adds a game that ended like this, with the submission on side `own`.
    fn add(&mut self, end: Standing, own: Side, lines: Vec<Line>) {
        self.played += 1;
        if end == Standing::Won(own) {
            self.won += 1;
            return;
        }
        self.first_not_won.get_or_insert_with(|| lines.clone());
        if end != Standing::Drawn {
            self.lost += 1;
            self.first_lost.get_or_insert(lines);
        }
    }
}

/// A game of a match, and where it is.
struct Game {
    /// The reference's own board.
    follower: Follower,
    lines: Vec<Line>,
    turn: Turn,
}

impl Game {
    fn new(reference: &Reference, exercise: &Exercise) -> Game {
        let follower = Follower::new((reference.open)(), exercise.session);
        Game { follower, lines: Vec::new(), turn: Turn::Line }
    }
}

impl<'a> PlayedMatch<'a> {
    fn new(
        exercise: &'a Exercise,
        case: &Case,
        step: CaseStep<'a>,
        game: &'a Match,
        notation: &'static dyn Notation,
    ) -> Result<PlayedMatch<'a>, GradeError> {
        let reference = reference(exercise)?;
        let plays = || Fault::new(format!("the reference of {} plays no matches", exercise.name));
        let referee = reference.referee.ok_or_else(plays)?;
        let expected = &step.expect.games;
        let (name, depth) = match &expected.moves {
            Some((oracle, depth)) => (oracle.as_str(), *depth),
            None => (referee.legal, None),
        };
        Ok(PlayedMatch {
            exercise,
            game,
            expected,
            reference,
            referee,
            oracle: find_oracle(reference.oracles, case, step.number, name)?,
            depth,
            random: Random::new(game.seed),
            notation,
            score: Score::default(),
            current: Game::new(reference, exercise),
        })
    }

    /// Starts the next game, or ends the match after the last one.
    fn begin_game(&mut self) -> Next {
        if self.score.played == self.game.games {
            return Next::Over(self.result());
        }
        self.current = Game::new(self.reference, self.exercise);
        self.make(self.game.start.clone())
    }

    /// Makes a line on both boards.
    fn make(&mut self, line: Line) -> Next {
        self.current.follower.run(std::slice::from_ref(&line));
        self.current.lines.push(line.clone());
        self.ask(Turn::Line, line, Want::default())
    }

    /// Asks the submission.
    fn ask(&mut self, turn: Turn, line: Line, want: Want) -> Next {
        self.current.turn = turn;
        Next::Ask(Box::new(GuidedLine { line, want }))
    }

    /// Continues after what the last line gave.
    fn after(&mut self, last: &Observation) -> Result<Next, Fault> {
        let turn = self.current.turn.clone();
        let StepOutcome::Value { value, .. } = &last.outcome else {
            match turn {
                // It is the last line of the game already.
                Turn::Line => {}
                Turn::Choice => self.current.lines.push(self.game.player.clone()),
                Turn::Board(_) => self.current.lines.push(self.look()),
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
        let own = if self.score.played.is_multiple_of(2) { Side::First } else { Side::Second };
        let board = self.board()?;
        let standing = (self.referee.standing)(board);
        match standing.ok_or_else(|| self.cannot("does not say whose turn it is"))? {
            Standing::ToMove(side) if side == own => {
                let want = Want { value: true, view: self.game.view.clone(), ..Want::default() };
                Ok(self.ask(Turn::Choice, self.game.player.clone(), want))
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
            end => {
                let lines = std::mem::take(&mut self.current.lines);
                self.score.add(end, own, lines);
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
                let (look, want) = (self.look(), self.wanted_board());
                self.ask(Turn::Board(line), look, want)
            }
            Err(refused) => {
                self.current.lines.push(self.game.player.clone());
                self.lose(illegal(&refused, answer, self.notation))
            }
        })
    }

    /// Compares the board that the submission shows with the reference's own, and then makes the move.
    fn compare_board(&mut self, made: Line, board: &Value) -> Next {
        let own = self.current.follower.answer(&self.look(), &self.wanted_board()).unwrap_or(Value::None);
        let notation = self.exercise.session;
        let (tuples, view) = (notation.has_tuples(), self.game.look.as_ref());
        let tolerance = Some(&self.exercise.tolerance);
        let equality =
            compare::Equality { exact: false, notation, tuples, view, tolerance, text_keys: false };
        if equality.holds(&own, board) {
            return self.make(made);
        }
        self.current.lines.extend([self.game.player.clone(), self.look()]);
        self.lose(changed(&own, board, self.notation))
    }

    /// Ends the match with a failure at the last line of the current game.
    fn lose(&mut self, failure: Failure) -> Next {
        let lines = std::mem::take(&mut self.current.lines);
        Next::Over(Err(LostMatch { failure: Box::new(failure), lines }))
    }

    /// The result after all games.
    fn result(&self) -> Result<(), LostMatch> {
        let Games { not_lost, won, .. } = *self.expected;
        let games = self.game.games;
        let Score { won: got, lost, first_lost, first_not_won, .. } = &self.score;
        let (mistake, lines) = if games - lost < not_lost {
            (MatchMistake::GamesLost { games, lost: *lost }, first_lost)
        } else if *got < won {
            (MatchMistake::Games { games, needed: won, got: *got }, first_not_won)
        } else {
            return Ok(());
        };
        let failure = failure(Verdict::WrongValue, Mistake::Match(mistake));
        Err(LostMatch { failure: Box::new(failure), lines: lines.clone().unwrap_or_default() })
    }

    /// The reference's own board.
    fn board(&self) -> Result<&Live, Fault> {
        self.current.follower.bound(&self.game.board).ok_or_else(|| self.cannot("has no board"))
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
            ..failure(
                Verdict::Raised,
                Mistake::Raise(RaiseMistake::of_its_own(raised).unwrap_or(RaiseMistake::Unexpected)),
            )
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
