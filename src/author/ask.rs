//! Asks a reference what it answers to each step of a case.

use super::answered::{Answers, NoAnswer};
use super::looks::looks;
use crate::adapter::{End, Observation, Ran, StepOutcome, Transcript};

use crate::case::{Case, Ending, Expect, Node, Plan, PlanStep, TextMatcher};
use crate::compare::halted;
use crate::exercises::sessions::Look;

/// What a reference answers to a step: what a person would expect there, or why nothing can be expected. `None` for a
/// step that only a person can judge: a match, or a dialogue with a program.
pub type Answer = Option<Result<Expect, NoAnswer>>;

/// Asks a reference about each step of a case whose plan observes every value. `replay` replays a plan on it, each
/// time from the start. It is asked twice, so that an answer that varies is noticed.
///
/// # Errors
/// Those of `replay`.
pub fn ask<E>(
    answers: &Answers<'_>,
    case: &Case,
    replay: &mut dyn FnMut(&Plan) -> Result<Transcript, E>,
) -> Result<Vec<Answer>, E> {
    let values = replay(&case.plan)?;
    let looks = looks(&case.plan, &values);
    let mut plan = case.plan.clone();
    for (step, look) in plan.steps.iter_mut().zip(&looks) {
        step.want.text = *look == Look::Text;
    }
    let texts = replay(&plan)?;
    let steps = plan.steps.iter().zip(&looks).enumerate();
    let answer = |(index, (step, look)): (usize, (&PlanStep, &Look))| {
        let tolerance = case.expect.get(index).map(|expect| expect.tolerance.clone()).unwrap_or_default();
        let [first, second] = [&values, &texts]
            .map(|transcript| transcript.steps.get(index).map(Vec::as_slice).unwrap_or_default());
        if step.run().is_some() {
            let is_dialogue = case.expect.get(index).is_some_and(|expect| !expect.program.turns.is_empty());
            let ran = first.first().map(|observation| &observation.outcome);
            return match (is_dialogue, ran) {
                (false, Some(StepOutcome::Ran(ran))) => {
                    Some(ended(ran).map(|expect| Expect { tolerance, ..expect }))
                }
                (_, _) => None,
            };
        }
        if step.game().is_some() {
            return None;
        }
        let text_raises = |at: usize| {
            let is_value = |step: &[Observation]| {
                step.get(at).is_some_and(|line| matches!(line.outcome, StepOutcome::Value { .. }))
            };
            *look == Look::Text && is_value(first) && !is_value(second)
        };
        if text_raises(step.lines.len().saturating_sub(1)) {
            return Some(Err(NoAnswer::Unwritable));
        }
        let expected = answers.expected(step, look, second, &tolerance);
        let before = answers.expected(
            step,
            if *look == Look::Text { &Look::Nothing } else { look },
            first,
            &tolerance,
        );
        let is_made = matches!(step.lines.last().map(|line| &line.node), Some(Node::New { .. }));
        Some(match (expected, before) {
            // An object without a text is made: that is all there is to see.
            (Err(NoAnswer::Opaque(_)), Ok(before)) if is_made => Ok(before),
            (Ok(expected), Ok(before))
                if *look != Look::Text && expected.described() != before.described() =>
            {
                Err(NoAnswer::Varies)
            }
            (expected, _) => expected,
        })
    };
    Ok(steps.map(answer).collect())
}

/// What a case expects of a program that ended like this.
fn ended(ran: &Ran) -> Result<Expect, NoAnswer> {
    let printed: Vec<u8> =
        ran.exchanges.iter().flat_map(|exchange| exchange.printed.iter().copied()).collect();
    let printed = String::from_utf8_lossy(&printed).replace("\r\n", "\n");
    let printed = printed.strip_suffix('\n').unwrap_or(&printed).to_owned();
    let exit = match &ran.end {
        End::Exited(0) => None,
        End::Exited(status) => u8::try_from(*status).ok(),
        End::Raised(_) => Some(1),
        End::Halted(halt) => {
            return Err(NoAnswer::Halted(halted(halt, 0).verdict.to_string()));
        }
    };
    Ok(Expect {
        prints: Some(TextMatcher::Plain(printed)),
        program: Ending { exit, ..Ending::default() },
        ..Expect::default()
    })
}
