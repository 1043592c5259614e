//! Asks a reference what it answers to each step of a case.

use keur_core::adapter::{End, Observation, Ran, StepTranscript, Transcript};
use keur_core::case::{Action, Case, Ending, Expect, Matcher, Node, Plan, PlanStep, TextMatcher};
use keur_core::compare::{self, NoOracle, StepResult, halted};
use keur_core::exercises::sessions::Look;
use keur_core::sessions::looks;
use keur_core::sessions::{Answers, NoExpectation};

/// The answer of a reference to a step.
#[derive(Clone, Debug)]
pub struct StepAnswer {
    /// The expectation that a person would write, or the reason why there is none. `None` for a step that
    /// only a person can judge: a match, or a dialogue with a program.
    pub expect: Option<Result<Expect, NoExpectation>>,
    /// Whether the reference meets what the step expects already, as far as that is for it to answer.
    pub met: bool,
}

/// Asks a reference about each step of a case whose plan observes every value. `replay` replays a plan on it,
/// each time from the start. It is asked twice, so that an answer that varies is noticed.
///
/// # Errors
/// Those of `replay`.
pub fn ask<E>(
    answers: &Answers<'_>,
    case: &Case,
    replay: &mut dyn FnMut(&Plan) -> Result<Transcript, E>,
) -> Result<Vec<StepAnswer>, E> {
    let values = replay(&case.plan)?;
    let mut looks = looks(&case.plan, &values);
    let mut plan = case.plan.clone();
    for ((step, look), expect) in plan.steps.iter_mut().zip(&mut looks).zip(&case.expect) {
        // What is looked at already is looked at again.
        if expect.shows.is_some() {
            *look = Look::Text;
        } else if expect.value.is_some() {
            *look = Look::Value;
        }
        if let Action::Calls(calls) = &mut step.action {
            calls.want.text = *look == Look::Text;
        }
    }
    let texts = replay(&plan)?;
    let nothing = Expect::default();
    let answer = |(index, (step, look)): (usize, (&PlanStep, &Look))| {
        let given = case.expect.get(index).unwrap_or(&nothing);
        let [first, second] = [&values, &texts].map(|replayed| replayed.steps.get(index));
        let expect = match &step.action {
            Action::Program(_) => first.and_then(|first| program(first, given)),
            Action::Match(_) => None,
            Action::Calls(_) => {
                let observed =
                    [first, second].map(|seen| seen.map(StepTranscript::observations).unwrap_or_default());
                Some(call(answers, step, look, observed, given))
            }
        };
        let meets =
            |seen| compare::step(step, given, seen, answers.dialect, &mut NoOracle) == Ok(StepResult::Passed);
        let met = !is_answerable(given) || second.is_some_and(meets);
        StepAnswer { expect, met }
    };
    Ok(plan.steps.iter().zip(&looks).enumerate().map(answer).collect())
}

/// Whether another answer can take the place of what a step expects: of anything but a condition that many
/// meet.
fn is_answerable(expect: &Expect) -> bool {
    let plain = |text: &TextMatcher| matches!(text, TextMatcher::Plain(_) | TextMatcher::AnyOrder(_));
    let value = expect.value.as_ref().is_none_or(|returns| {
        matches!(
            returns.matcher,
            Matcher::Plain(_) | Matcher::Exact(_) | Matcher::AnyOrder(_) | Matcher::Approx { .. }
        )
    });
    let texts = [&expect.shows, &expect.prints].into_iter().flatten().all(plain);
    let ending = expect.program.turns.is_empty() && expect.program.errors.is_none();
    value && texts && ending && expect.writes.is_empty() && expect.has_any()
}

/// The answer to a step with lines, replayed without and with texts.
fn call(
    answers: &Answers<'_>,
    step: &PlanStep,
    look: &Look,
    [first, second]: [&[Observation]; 2],
    given: &Expect,
) -> Result<Expect, NoExpectation> {
    let is_text = *look == Look::Text;
    let before = if is_text { &Look::Nothing } else { look };
    let before = answers.expected(step, before, first, &given.tolerance);
    let expected = answers.expected(step, look, second, &given.tolerance);
    let is_made = matches!(step.lines().last().map(|line| &line.node), Some(Node::New { .. }));
    match (expected, before) {
        // Making an object without a text is all there is to see.
        (Err(NoExpectation::Opaque(_)), Ok(before)) if is_made => Ok(before),
        // Its text raises, and the step does not.
        (Ok(expected), Ok(before)) if expected.raises != before.raises => Err(NoExpectation::Unwritable),
        (Ok(expected), Ok(before)) if !is_text && expected.described() != before.described() => {
            Err(NoExpectation::Varies)
        }
        (expected, _) => expected,
    }
}

/// The answer to a run of a program; `None` if it is a dialogue, or if the reference has no programs.
fn program(seen: &StepTranscript, given: &Expect) -> Option<Result<Expect, NoExpectation>> {
    let expect =
        ended(seen.result.program()?).map(|expect| Expect { tolerance: given.tolerance.clone(), ..expect });
    given.program.turns.is_empty().then_some(expect)
}

/// The expectation for a program that ended like this.
fn ended(ran: &Ran) -> Result<Expect, NoExpectation> {
    let printed: Vec<u8> = ran.turns.iter().flat_map(|turn| turn.printed.iter().copied()).collect();
    let printed = compare::printed(&printed);
    let printed = printed.strip_suffix('\n').unwrap_or(&printed).to_owned();
    let exit = match &ran.end {
        End::Exited(0) => None,
        End::Exited(status) => u8::try_from(*status).ok(),
        End::Raised(_) => Some(1),
        End::Halted(halt) => return Err(NoExpectation::Halted(halted(halt, 0).verdict.to_string())),
    };
    Ok(Expect {
        prints: Some(TextMatcher::Plain(printed)),
        program: Ending { exit, ..Ending::default() },
        ..Expect::default()
    })
}
