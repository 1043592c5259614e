//! Makes a session that differs as small as it can be: makes others from fewer and smaller choices.

use super::trials::{Glimpse, Trials};
use crate::case::StepNo;
use crate::exercises::sessions::{Look, RandomStep};
use crate::judge::{CaseOutcome, GradeError};
use crate::sandbox::clock::Instant;
use crate::sessions::{Answerer, RandomSession};
use crate::value::choices::Reduction;
use crate::value::random::Random;
use std::collections::{HashSet, VecDeque};
use std::ops::RangeInclusive;

/// The most that the replays of smaller sessions may cost together. Counted, not timed, so that the same
/// session always shrinks to the same one while the submission has time.
const MOST_COST: u32 = 4000;

/// The cost of a strict replay; a quick one costs 1.
const STRICT: u32 = 5;

/// The cost of a replay that is ended at a quick limit.
const STOPPED_QUICKLY: u32 = 50;

/// The cost of a replay that is ended at a limit of the case.
const STOPPED: u32 = 1000;

/// The calls of the short sessions that are all tried before a session is made smaller, besides the one that
/// makes the board and the question at the end.
const FIRST: RangeInclusive<usize> = 0..=2;

/// The same afterwards, if the session is longer.
const AFTERWARDS: RangeInclusive<usize> = 3..=usize::MAX;

/// From this many calls on, only the function is asked at the end that differs in the longer session.
const ONE_QUESTION: usize = 5;

/// The steps of short sessions that are replayed as one: few enough for a quick replay.
const BATCH: usize = 100;

/// The steps of short sessions that cost as much as a replay.
const STEPS: usize = 25;

/// The most that trying short sessions may cost.
const SHORT_COST: u32 = 600;

/// The share of the time left in which a session is made smaller. The rest is kept to confirm the smallest one in a
/// process of its own.
const SMALLER_SHARE: f64 = 0.8;

/// The share of the time left in which short sessions are tried before that.
const SHORT_SHARE: f64 = 0.25;

/// The most simpler choices that are tried, most of which make no session that is replayed.
const MOST_TRIED: usize = 20_000;

/// The smallest steps found that differ as those of `session` do up to their end, if there are smaller ones:
/// looked for quickly, or in strict replays alone. `ends` if the submission is ended there.
pub(super) fn smallest(
    answerer: &mut Answerer<'_>,
    trials: &mut Trials<'_, '_>,
    session: RandomSession,
    ends: bool,
    pace: Pace,
) -> Result<Option<Vec<RandomStep>>, GradeError> {
    let left = trials.patience().until_the_end();
    let within = |share: f64| left.map(|left| Instant::now() + left.mul_f64(share));
    let (short, until) = (within(SHORT_SHARE), within(SMALLER_SHARE));
    let mut shrinking = Shrinking { answerer, trials, left: MOST_COST, until: short, pace, ends };
    let mut size = Size::of(&session.steps);
    if let Some(shortest) = shrinking.shortest(FIRST, &size, None)? {
        return Ok(Some(shortest));
    }
    shrinking.until = until;
    let mut smallest = None;
    let mut seen: HashSet<Size> = HashSet::new();
    let mut reduction = Reduction::of(session.choices);
    for _ in 0..MOST_TRIED {
        if shrinking.left <= SHORT_COST || shrinking.is_at_an_end() {
            break;
        }
        let Some(choices) = reduction.simpler() else { break };
        let RandomSession { mut steps, choices } = shrinking.answerer.session(Random::again(choices))?;
        while Size::of(&steps) >= size {
            steps.pop();
        }
        if steps.is_empty() || !seen.insert(Size::of(&steps)) {
            continue;
        }
        match shrinking.differs(&steps)? {
            Differs::Nowhere => continue,
            Differs::At(step) => steps.truncate(step.get()),
            Differs::Somewhere => {}
        }
        reduction.keep(choices);
        size = Size::of(&steps);
        smallest = Some(steps);
    }
    let asked = smallest.as_ref().unwrap_or(&session.steps).last().map(function);
    let shortest = shrinking.shortest(AFTERWARDS, &size, asked)?;
    Ok(shortest.or(smallest))
}

/// How much there is to read in a session: fewer calls first, then shorter ones, which make smaller boards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Size {
    calls: usize,
    looks: usize,
    letters: usize,
    lines: Vec<String>,
    seen: Vec<String>,
}

impl Size {
    fn of(steps: &[RandomStep]) -> Size {
        let lines: Vec<String> = steps.iter().flat_map(|step| step.lines.clone()).collect();
        // Each call in a chain counts.
        let chained: usize = lines.iter().map(|line| line.matches(").").count()).sum();
        let looks = steps.iter().filter(|step| step.look != Look::Nothing);
        Size {
            calls: lines.len() + chained,
            looks: looks.clone().count(),
            letters: lines.iter().map(String::len).sum(),
            seen: looks.map(|step| format!("{:?}", step.look)).collect(),
            lines,
        }
    }
}

/// The function that the last line of a step calls.
fn function(step: &RandomStep) -> &str {
    let line = step.lines.last().map_or("", String::as_str);
    line.split_once('(').map_or(line, |(function, _)| function)
}

/// A session that compares only what this function answers; `None` if it does not call it.
fn asking_only(mut session: Vec<RandomStep>, asked: &str) -> Option<Vec<RandomStep>> {
    session.retain(|step| step.look == Look::Nothing || function(step) == asked);
    session.iter().any(|step| step.look != Look::Nothing).then_some(session)
}

/// How many ordinary steps the replay of these takes as long as: a search that looks ahead takes long.
fn weight(steps: &[RandomStep]) -> usize {
    let weight = |step: &RandomStep| match step.look {
        Look::Oracle { depth: Some(2..), .. } => BATCH,
        _ => 1,
    };
    steps.iter().map(weight).sum()
}

/// How smaller sessions are replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Quickly where that says enough.
    Quick,
    /// Strictly.
    Strict,
}

struct Shrinking<'s, 'a, 't, 'b> {
    answerer: &'s mut Answerer<'a>,
    trials: &'s mut Trials<'t, 'b>,
    /// The cost that replays may still have.
    left: u32,
    /// When no more are begun, if the time is fixed.
    until: Option<Instant>,
    pace: Pace,
    /// Whether a session that ends the submission counts without a look at how.
    ends: bool,
}

impl Shrinking<'_, '_, '_, '_> {
    /// A session smaller than `size` of all those with so many calls, the shortest first; long ones ask only
    /// `asked` at their end.
    fn shortest(
        &mut self,
        calls: RangeInclusive<usize>,
        size: &Size,
        asked: Option<&str>,
    ) -> Result<Option<Vec<RandomStep>>, GradeError> {
        // Where a batch ends, it does not say in which session.
        if self.ends {
            return Ok(None);
        }
        let least = self.left.saturating_sub(SHORT_COST);
        let mut together = BATCH;
        for calls in calls.take_while(|calls| calls + 2 <= size.calls) {
            let mut sessions = self.answerer.short(calls).filter_map(|session| {
                match asked.filter(|_| calls >= ONE_QUESTION) {
                    Some(asked) => asking_only(session, asked),
                    None => Some(session),
                }
            });
            let mut batch: VecDeque<Vec<RandomStep>> = VecDeque::new();
            loop {
                while batch.iter().map(|session| weight(session)).sum::<usize>() < together
                    && let Some(session) = sessions.next()
                {
                    batch.push_back(session);
                }
                if batch.is_empty() {
                    break;
                }
                if self.left <= least || self.is_at_an_end() {
                    return Ok(None);
                }
                let steps: Vec<RandomStep> = batch.iter().flatten().cloned().collect();
                self.pay((weight(&steps) / STEPS) as u32);
                let mut step = match self.differs(&steps)? {
                    Differs::Nowhere => {
                        batch.clear();
                        continue;
                    }
                    Differs::At(step) => step.get(),
                    Differs::Somewhere => return Ok(None),
                };
                while let Some(session) = batch.pop_front() {
                    if let Some(steps) = session.get(..step) {
                        if let Some(shortest) = self.alone(steps, size)? {
                            return Ok(Some(shortest));
                        }
                        // One session shows in the next.
                        together = 1;
                        break;
                    }
                    step -= session.len();
                }
            }
        }
        Ok(None)
    }

    /// The last of these steps after as few as possible of the others, if that differs and is smaller than
    /// `size`.
    fn alone(&mut self, steps: &[RandomStep], size: &Size) -> Result<Option<Vec<RandomStep>>, GradeError> {
        let Some((last, before)) = steps.split_last() else { return Ok(None) };
        for kept in before.len().min(1)..=before.len() {
            let unseen = |step: &RandomStep| RandomStep { look: Look::Nothing, ..step.clone() };
            let alone: Vec<RandomStep> = before[..kept].iter().map(unseen).chain([last.clone()]).collect();
            if Size::of(&alone) >= *size {
                return Ok(None);
            }
            if let Differs::At(_) = self.differs(&alone)? {
                return Ok(Some(alone));
            }
        }
        Ok(None)
    }

    /// Whether nothing more may be tried.
    fn is_at_an_end(&self) -> bool {
        self.left == 0
            || self.until.is_some_and(|until| Instant::now() >= until)
            || self.trials.patience().is_at_an_end()
    }

    /// Where a session differs.
    fn differs(&mut self, steps: &[RandomStep]) -> Result<Differs, GradeError> {
        let Some(case) = self.answerer.case(steps)? else { return Ok(Differs::Nowhere) };
        if self.pace == Pace::Quick && self.trials.is_quick() {
            self.pay(1);
            match self.trials.quickly(&case)? {
                Glimpse::Passed => return Ok(Differs::Nowhere),
                Glimpse::Failed(outcome) => return Ok(Differs::of(&outcome)),
                Glimpse::Stopped => {
                    self.pay(STOPPED_QUICKLY);
                    if self.ends {
                        return Ok(Differs::Somewhere);
                    }
                }
                Glimpse::Unclear | Glimpse::Unfit => {}
            }
        }
        let Some(outcome) = self.trials.strictly(&case)? else { return Ok(Differs::Nowhere) };
        self.pay(if outcome.verdict.is_an_end() { STOPPED } else { STRICT });
        Ok(match Differs::of(&outcome) {
            // A submission that does not load says nothing of the session.
            Differs::Somewhere => Differs::Nowhere,
            differs => differs,
        })
    }

    fn pay(&mut self, cost: u32) {
        self.left = self.left.saturating_sub(cost);
    }
}

/// Where a submission and the reference differ in a session.
enum Differs {
    Nowhere,
    At(StepNo),
    /// At a step that is not known.
    Somewhere,
}

impl Differs {
    fn of(outcome: &CaseOutcome) -> Differs {
        match outcome.finding.as_ref().map(|finding| finding.step) {
            None => Differs::Nowhere,
            Some(None) => Differs::Somewhere,
            Some(Some(step)) => Differs::At(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{asking_only, weight};
    use crate::exercises::sessions::{Look, RandomStep};

    fn step(line: &str, look: Look) -> RandomStep {
        RandomStep { lines: vec![line.to_owned()], stdin: None, look }
    }

    #[test]
    fn a_long_session_compares_only_the_function_that_differs() {
        let session = ["white(b)", "black(b)"].map(|line| step(line, Look::Value));
        let session = [&[step("move(make_move(18, 13), b)", Look::Nothing)], &session[..]].concat();
        let asking = [session[0].clone(), session[2].clone()].to_vec();
        assert_eq!(asking_only(session.clone(), "black"), Some(asking));
        assert_eq!(asking_only(session, "legal_moves"), None);
    }

    #[test]
    fn a_search_that_looks_ahead_is_replayed_alone() {
        let search = |depth| Look::Oracle { oracle: "sound_move", of: "b".to_owned(), depth: Some(depth) };
        let weight = |look: Look| weight(&[step("next_move(b, 1)", look)]);
        assert_eq!((weight(search(1)), weight(Look::Value)), (1, 1));
        assert!(weight(search(2)) >= super::BATCH);
    }
}
