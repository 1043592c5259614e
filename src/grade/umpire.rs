//! Lets a submission play matches against the reference, and judges how they go.
//!
//! The umpire keeps the reference's own board of each game. A game goes on as long as every answer is a legal move, and
//! the board that was given to the submission is as it was.

use super::reference;
use crate::adapter::{Fault, Follower, Guide, Observation, Outcome};
use crate::case::{Case, Exercise, Games, Line, Match, Node, Opponent, Want, line_over};
use crate::compare::{self, Failure, Slip, Verdict};
use crate::value::Value;
use crate::value::oracle::{Oracle, Refusal, Refused};
use crate::value::program::{Live, Program};
use crate::value::random::Random;
use crate::value::referee::{Choice, Referee, Side, Standing};
use crate::value::syntax::Syntax;
use std::collections::BTreeMap;

/// What is wrong with a match, and the game that shows it.
#[derive(Clone, Debug)]
pub(crate) struct LostMatch {
    /// What is wrong.
    pub(crate) failure: Failure,
    /// The lines of the game, up to the one that it is about.
    pub(crate) lines: Vec<Line>,
}

/// Leads the matches of a case.
pub(crate) struct Umpire<'a> {
    exercise: &'a Exercise,
    case: &'a Case,
    open: fn() -> Box<dyn Program>,
    referee: &'static Referee,
    oracles: &'static [Oracle],
    /// The match that is played.
    playing: Option<Playing>,
    /// By step: what is wrong with a match that is over; none where nothing is.
    ended: BTreeMap<usize, Option<LostMatch>>,
}

/// A match under way.
struct Playing {
    step: usize,
    /// The games before this one.
    played: u32,
    won: u32,
    /// The first game that was lost, and the first that was not won.
    lost: Vec<Vec<Line>>,
    not_won: Vec<Line>,
    random: Random,
    game: Option<Round>,
}

/// A game under way.
struct Round {
    follower: Follower,
    lines: Vec<Line>,
    next: Next,
}

/// What the submission was asked last.
enum Next {
    /// To make or change the board.
    Line,
    /// For its move.
    Answer,
    /// To show its board, before it makes this move.
    Look(Line),
}

impl<'a> Umpire<'a> {
    /// The umpire of the matches of `case`; none where it has none.
    ///
    /// # Errors
    /// The exercise has no reference that plays.
    pub(crate) fn new(exercise: &'a Exercise, case: &'a Case) -> Result<Option<Umpire<'a>>, Fault> {
        if case.plan.steps.iter().all(|step| step.game().is_none()) {
            return Ok(None);
        }
        let game = reference(exercise)?;
        let plays = || Fault { message: format!("the reference of {} plays no matches", exercise.name) };
        let referee = game.referee.ok_or_else(plays)?;
        let (oracles, playing, ended) = (game.oracles, None, BTreeMap::new());
        for (asked, _) in case.expect.iter().filter_map(|expect| expect.games.moves.as_ref()) {
            oracles.iter().filter(|oracle| oracle.name == asked).for_each(|oracle| (oracle.ready)());
        }
        Ok(Some(Umpire { exercise, case, open: game.open, referee, oracles, playing, ended }))
    }

    /// What came of the match that is step `step`, as far as it was played.
    pub(crate) fn ended(&self, step: usize) -> Option<&Option<LostMatch>> {
        self.ended.get(&step)
    }

    /// What is expected of the match that is step `step`.
    fn expected(&self, step: usize) -> Option<&'a Games> {
        let case = self.case;
        case.expect.get(step).map(|expect| &expect.games)
    }

    /// Ends the match with a failure at the last of `lines`.
    fn end(&mut self, step: usize, failure: Failure, lines: Vec<Line>) {
        self.playing = None;
        self.ended.insert(step, Some(LostMatch { failure, lines }));
    }

    /// Begins the next game, or ends the match when all were played.
    fn begin(&mut self, game: &Match, mut playing: Playing) -> Option<(Line, Want)> {
        if playing.played < game.games {
            let mut follower = Follower::new((self.open)(), self.exercise.session);
            follower.run(std::slice::from_ref(&game.start));
            playing.game = Some(Round { follower, lines: vec![game.start.clone()], next: Next::Line });
            self.playing = Some(playing);
            return Some((game.start.clone(), Want::default()));
        }
        let ended = finished(game, &playing, self.expected(playing.step));
        self.ended.insert(playing.step, ended);
        None
    }

    /// Goes on after what was observed of the last line.
    fn go_on(
        &mut self,
        game: &Match,
        mut playing: Playing,
        mut round: Round,
        last: &Observation,
    ) -> Option<(Line, Want)> {
        let step = playing.step;
        let value = match &last.outcome {
            Outcome::Value { value, .. } => value.clone().unwrap_or(Value::None),
            Outcome::Raised(_)
            | Outcome::Missing(_)
            | Outcome::Halted(_)
            | Outcome::Unbound(_)
            | Outcome::Ran(_) => {
                let line = match &round.next {
                    Next::Answer => game.player.clone(),
                    Next::Look(_) => look(game),
                    // It is the last line of the game already.
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
                    let want = Want { value: true, view: game.look.clone(), text: false };
                    Some((look(game), want))
                }
                Err(refused) => {
                    round.lines.push(game.player.clone());
                    let syntax = self.exercise.session;
                    self.end(step, illegal(&refused, &value, syntax), round.lines);
                    None
                }
            },
            Next::Look(made) => {
                let want = Want { value: true, view: game.look.clone(), text: false };
                let syntax = self.exercise.session;
                let own = round.follower.answer(&look(game), &want).unwrap_or(Value::None);
                let (tuples, view) = (syntax.tells_tuples(), game.look.as_ref());
                let equality = compare::Equality { exact: false, syntax, tuples, view };
                if !equality.holds(&own, &value) {
                    round.lines.extend([game.player.clone(), look(game)]);
                    self.end(step, changed(&own, &value, syntax), round.lines);
                    return None;
                }
                self.play(playing, round, made)
            }
            Next::Line => self.turn(game, playing, round),
        }
    }

    /// The line that makes the submission's move, or why it cannot be made; none where nobody can tell.
    fn judged(
        &self,
        game: &Match,
        step: usize,
        round: &Round,
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
    fn play(&mut self, mut playing: Playing, mut round: Round, made: Line) -> Option<(Line, Want)> {
        round.follower.run(std::slice::from_ref(&made));
        round.lines.push(made.clone());
        round.next = Next::Line;
        playing.game = Some(round);
        self.playing = Some(playing);
        Some((made, Want::default()))
    }

    /// Whose turn it is, once both boards are alike.
    fn turn(&mut self, game: &Match, mut playing: Playing, mut round: Round) -> Option<(Line, Want)> {
        let own = if playing.played.is_multiple_of(2) { Side::First } else { Side::Second };
        let board = round.follower.bound(&game.board)?;
        match (self.referee.standing)(board)? {
            Standing::ToMove(side) if side == own => {
                round.next = Next::Answer;
                playing.game = Some(round);
                self.playing = Some(playing);
                let want = Want { value: true, view: game.view.clone(), text: false };
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
    fn next(&mut self, step: usize, last: Option<&Observation>) -> Option<(Line, Want)> {
        let case = self.case;
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
    Line { bind: None, node: Node::Name(game.board.clone()) }
}

/// What is wrong with a match of which every game was played.
fn finished(game: &Match, playing: &Playing, expected: Option<&Games>) -> Option<LostMatch> {
    let expected = expected?;
    let lost = u32::try_from(playing.lost.len()).unwrap_or(u32::MAX);
    let slip = |needed, got| Slip::Games { games: game.games, needed, got };
    let (slip, lines) = match () {
        () if game.games - lost.min(game.games) < expected.not_lost => {
            (Slip::GamesLost { games: game.games, lost }, playing.lost.first().cloned().unwrap_or_default())
        }
        () if playing.won < expected.won => (slip(expected.won, playing.won), playing.not_won.clone()),
        () => return None,
    };
    Some(LostMatch { failure: failure(Verdict::WrongValue, slip), lines })
}

fn failure(verdict: Verdict, slip: Slip) -> Failure {
    Failure { verdict, line: 0, slip, expected: None, got: None, exception: None }
}

/// A line of a game that gave no value.
fn unplayed(outcome: &Outcome) -> Failure {
    match outcome {
        Outcome::Halted(halt) => compare::halted(halt, 0),
        Outcome::Raised(raised) => Failure {
            got: Some(compare::exception_text(raised)),
            exception: Some(raised.clone()),
            ..failure(Verdict::Raised, Slip::Unexpected)
        },
        Outcome::Missing(missing) => {
            failure(Verdict::LoadError, Slip::NoDefinition { name: missing.name.clone(), near: None })
        }
        Outcome::Value { .. } | Outcome::Unbound(_) | Outcome::Ran(_) => {
            failure(Verdict::NotRun, Slip::Value)
        }
    }
}

fn illegal(refused: &Refused, got: &Value, syntax: Syntax) -> Failure {
    let accepted: Vec<String> = refused.accepted.iter().map(|value| syntax.literal(value)).collect();
    Failure {
        expected: Some(accepted.join(" | ")).filter(|text| !text.is_empty()),
        got: Some(syntax.literal(got)),
        ..failure(Verdict::WrongValue, Slip::Refused(refused.why))
    }
}

fn changed(own: &Value, got: &Value, syntax: Syntax) -> Failure {
    Failure {
        expected: Some(syntax.literal(own)),
        got: Some(syntax.literal(got)),
        ..failure(Verdict::WrongValue, Slip::Changed)
    }
}
