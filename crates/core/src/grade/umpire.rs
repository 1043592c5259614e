//! Runs matches of a submission against the reference, and judges them.
//!
//! The umpire keeps the reference's own board of each game. A game continues as long as every answer is a legal move
//! and the submission leaves its board unchanged.

use super::following::reference;
use crate::adapter::{Fault, Follower, Guide, Observation, StepOutcome};
use crate::case::{Case, Exercise, Games, Line, Match, Node, Opponent, StepNo, Want, line_over};
use crate::compare::{
    self, Failure, MatchMistake, Mismatch, NameMistake, RaiseMistake, ValueMistake, Verdict,
};
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::oracle::{Oracle, Refusal, Refused};
use crate::value::program::{Live, Program};
use crate::value::random::Random;
use crate::value::referee::{Choice, Referee, Side, Standing};
use std::collections::BTreeMap;

/// The failure of a match, and the game that shows it.
#[derive(Clone, Debug)]
pub(crate) struct LostMatch {
    /// The failure.
    pub(crate) failure: Failure,
    /// The lines of the game, up to the failing one.
    pub(crate) lines: Vec<Line>,
}

/// Runs the matches of a case.
pub struct Umpire<'a> {
    exercise: &'a Exercise,
    case: &'a Case,
    open: fn() -> Box<dyn Program>,
    referee: &'static Referee,
    oracles: &'static [Oracle],
    /// The current match.
    playing: Option<Playing>,
    /// The failure of each finished match, by step; `None` if it passed.
    ended: BTreeMap<usize, Option<LostMatch>>,
}

/// The current match.
struct Playing {
    step: usize,
    /// The number of earlier games.
    played: u32,
    won: u32,
    /// The first game that was lost, and the first that was not won.
    lost: Vec<Vec<Line>>,
    not_won: Vec<Line>,
    random: Random,
    game: Option<MatchRound>,
}

/// The current game.
struct MatchRound {
    follower: Follower,
    lines: Vec<Line>,
    next: Next,
}

/// The last request to the submission.
enum Next {
    /// Make or change the board.
    Line,
    /// Choose a move.
    Answer,
    /// Show its board, before it makes this move.
    Look(Line),
}

impl<'a> Umpire<'a> {
    /// The umpire for the matches of `case`; `None` if it has none.
    ///
    /// # Errors
    /// The exercise has no reference that can play.
    pub(crate) fn new(exercise: &'a Exercise, case: &'a Case) -> Result<Option<Umpire<'a>>, Fault> {
        if case.plan.steps.iter().all(|step| step.game().is_none()) {
            return Ok(None);
        }
        let game = reference(exercise)?;
        let plays = || Fault::new(format!("the reference of {} plays no matches", exercise.name));
        let referee = game.referee.ok_or_else(plays)?;
        let (oracles, playing, ended) = (game.oracles, None, BTreeMap::new());
        Ok(Some(Umpire { exercise, case, open: game.open, referee, oracles, playing, ended }))
    }

    /// The result of the match at step `step`, as far as it was played.
    pub(crate) fn ended(&self, step: usize) -> Option<&Option<LostMatch>> {
        self.ended.get(&step)
    }

    /// The expectations of the match at step `step`.
    fn expected(&self, step: usize) -> Option<&'a Games> {
        let case = self.case;
        case.expect.get(step).map(|expect| &expect.games)
    }

    /// Ends the match with a failure at the last of `lines`.
    fn end(&mut self, step: usize, failure: Failure, lines: Vec<Line>) {
        self.playing = None;
        self.ended.insert(step, Some(LostMatch { failure, lines }));
    }

    /// Starts the next game, or ends the match after the last one.
    fn begin(&mut self, game: &Match, mut playing: Playing) -> Option<(Line, Want)> {
        if playing.played < game.games {
            let mut follower = Follower::new((self.open)(), self.exercise.session);
            follower.run(std::slice::from_ref(&game.start));
            playing.game = Some(MatchRound { follower, lines: vec![game.start.clone()], next: Next::Line });
            self.playing = Some(playing);
            return Some((game.start.clone(), Want::default()));
        }
        let ended = finished(game, &playing, self.expected(playing.step));
        self.ended.insert(playing.step, ended);
        None
    }

    /// Continues after the observation of the last line.
    fn go_on(
        &mut self,
        game: &Match,
        mut playing: Playing,
        mut round: MatchRound,
        last: &Observation,
    ) -> Option<(Line, Want)> {
        let step = playing.step;
        let value = match &last.outcome {
            StepOutcome::Value { value, .. } => value.clone().unwrap_or(Value::None),
            _ => {
                let line = match &round.next {
                    Next::Answer => game.player.clone(),
                    Next::Look(_) => look(game),
                    // It is already the last line of the game.
                    Next::Line => round.lines.pop().unwrap_or_else(|| game.start.clone()),
                };
                round.lines.push(line);
                self.end(step, unplayed(&last.outcome), round.lines);
                return None;
            }
        };
        match std::mem::replace(&mut round.next, Next::Line) {
            Next::Answer => match self.judged(game, step, &round, &value)? {
                Ok(line) => {
                    round.next = Next::Look(line);
                    playing.game = Some(round);
                    self.playing = Some(playing);
                    let want = Want { value: true, view: game.look.clone(), ..Want::default() };
                    Some((look(game), want))
                }
                Err(refused) => {
                    round.lines.push(game.player.clone());
                    let notation = self.exercise.session;
                    self.end(step, illegal(&refused, &value, notation), round.lines);
                    None
                }
            },
            Next::Look(made) => {
                let want = Want { value: true, view: game.look.clone(), ..Want::default() };
                let notation = self.exercise.session;
                let own = round.follower.answer(&look(game), &want).unwrap_or(Value::None);
                let (tuples, view) = (notation.has_tuples(), game.look.as_ref());
                let equality = compare::Equality { exact: false, notation, tuples, view, tolerance: None };
                if !equality.holds(&own, &value) {
                    round.lines.extend([game.player.clone(), look(game)]);
                    self.end(step, changed(&own, &value, notation), round.lines);
                    return None;
                }
                self.play(playing, round, made)
            }
            Next::Line => self.turn(game, playing, round),
        }
    }

    /// The line that makes the submission's move, or why it cannot be made; `None` if that cannot be determined.
    fn judged(
        &self,
        game: &Match,
        step: usize,
        round: &MatchRound,
        answer: &Value,
    ) -> Option<Result<Line, Refused>> {
        let board = round.follower.bound(&game.board)?;
        let (name, depth) = match self.expected(step)?.moves.as_ref() {
            Some((oracle, depth)) => (oracle.as_str(), *depth),
            None => (self.referee.legal, None),
        };
        let oracle = self.oracles.iter().find(|oracle| oracle.name == name)?;
        Some((oracle.judge)(board, depth, answer).and_then(|_| {
            let none = || Refused { why: Refusal::NoAnswer, accepted: Vec::new() };
            self.line(game, answer).ok_or_else(none)
        }))
    }

    /// The line that makes a move on the board of a game.
    fn line(&self, game: &Match, made: &Value) -> Option<Line> {
        let text = (self.referee.line)(made, &game.board)?;
        line_over(self.exercise, &[&game.board], &text).map(|(line, _)| line)
    }

    /// Makes a move on both boards.
    fn play(&mut self, mut playing: Playing, mut round: MatchRound, made: Line) -> Option<(Line, Want)> {
        round.follower.run(std::slice::from_ref(&made));
        round.lines.push(made.clone());
        round.next = Next::Line;
        playing.game = Some(round);
        self.playing = Some(playing);
        Some((made, Want::default()))
    }

    /// Whose turn it is, once both boards match.
    fn turn(&mut self, game: &Match, mut playing: Playing, mut round: MatchRound) -> Option<(Line, Want)> {
        let own = if playing.played.is_multiple_of(2) { Side::First } else { Side::Second };
        let board = round.follower.bound(&game.board)?;
        match (self.referee.standing)(board)? {
            Standing::ToMove(side) if side == own => {
                round.next = Next::Answer;
                playing.game = Some(round);
                self.playing = Some(playing);
                let want = Want { value: true, view: game.view.clone(), ..Want::default() };
                Some((game.player.clone(), want))
            }
            Standing::ToMove(_) => {
                let made = self.choice(game, &mut playing, board)?;
                self.play(playing, round, made)
            }
            Standing::Won(side) if side == own => {
                playing.won += 1;
                self.over(game, playing)
            }
            standing @ (Standing::Won(_) | Standing::Drawn) => {
                if standing != Standing::Drawn {
                    playing.lost.push(round.lines.clone());
                }
                if playing.not_won.is_empty() {
                    playing.not_won = round.lines;
                }
                self.over(game, playing)
            }
        }
    }

    fn over(&mut self, game: &Match, mut playing: Playing) -> Option<(Line, Want)> {
        playing.played += 1;
        self.begin(game, playing)
    }

    fn choice(&self, game: &Match, playing: &mut Playing, board: &Live) -> Option<Line> {
        let choice = match game.opponent {
            Opponent::Random => Choice::Random(playing.random.number()),
            Opponent::Depth(depth) => Choice::Depth(depth),
        };
        self.line(game, &(self.referee.choose)(board, choice)?)
    }
}

impl Guide for Umpire<'_> {
    fn next(&mut self, step: StepNo, last: Option<&Observation>) -> Option<(Line, Want)> {
        let case = self.case;
        let step = step.index();
        let game = case.plan.steps.get(step)?.game()?;
        let Some(last) = last else {
            let random = Random::new(game.seed);
            let (won, lost, not_won) = (0, Vec::new(), Vec::new());
            return self.begin(game, Playing { step, played: 0, won, lost, not_won, random, game: None });
        };
        let mut playing = self.playing.take()?;
        let round = playing.game.take()?;
        self.go_on(game, playing, round, last)
    }
}

/// The line that shows the board of a game.
fn look(game: &Match) -> Line {
    Line::plain(Node::Name(game.board.clone()))
}

/// The failure of a match whose games were all played.
fn finished(game: &Match, playing: &Playing, expected: Option<&Games>) -> Option<LostMatch> {
    let expected = expected?;
    let lost = u32::try_from(playing.lost.len()).unwrap_or(u32::MAX);
    let mismatch = |needed, got| Mismatch::Match(MatchMistake::Games { games: game.games, needed, got });
    let (mismatch, lines) = if game.games - lost.min(game.games) < expected.not_lost {
        let first = playing.lost.first().cloned().unwrap_or_default();
        (Mismatch::Match(MatchMistake::GamesLost { games: game.games, lost }), first)
    } else if playing.won < expected.won {
        (mismatch(expected.won, playing.won), playing.not_won.clone())
    } else {
        return None;
    };
    Some(LostMatch { failure: failure(Verdict::WrongValue, mismatch), lines })
}

fn failure(verdict: Verdict, mismatch: Mismatch) -> Failure {
    Failure { verdict, line: 0, mismatch, expected: None, got: None, exception: None }
}

/// Handles a line of a game that gave no value.
fn unplayed(outcome: &StepOutcome) -> Failure {
    match outcome {
        StepOutcome::Halted(halt) => compare::halted(halt, 0),
        StepOutcome::Raised(raised) => Failure {
            got: Some(compare::exception_text(raised)),
            exception: Some(raised.clone()),
            ..failure(Verdict::Raised, Mismatch::Raise(RaiseMistake::Unexpected))
        },
        StepOutcome::Missing(missing) => failure(
            Verdict::LoadError,
            Mismatch::Name(NameMistake::NoDefinition { name: missing.name.clone(), near: None }),
        ),
        StepOutcome::Value { .. } | StepOutcome::Unbound(_) => {
            failure(Verdict::NotRun, Mismatch::Value(ValueMistake::Unexpected))
        }
    }
}

fn illegal(refused: &Refused, got: &Value, notation: &'static dyn Notation) -> Failure {
    let accepted: Vec<String> = refused.accepted.iter().map(|value| notation.literal(value)).collect();
    Failure {
        expected: Some(accepted.join(" | ")).filter(|text| !text.is_empty()),
        got: Some(notation.literal(got)),
        ..failure(Verdict::WrongValue, Mismatch::of_refusal(refused.why, got, notation))
    }
}

fn changed(own: &Value, got: &Value, notation: &'static dyn Notation) -> Failure {
    Failure {
        expected: Some(notation.literal(own)),
        got: Some(notation.literal(got)),
        ..failure(Verdict::WrongValue, Mismatch::Match(MatchMistake::Changed))
    }
}
