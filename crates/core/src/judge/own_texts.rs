//! Wrong values as the submission itself shows them: an object has no other text.

use crate::adapter::{Observation, StepOutcome, Transcript};
use crate::case::{Action, Bind, Calls, Line, Node, Operator, Plan, PlanStep, StepNo, Want};
use crate::compare::{Mistake, ValueMistake, Verdict, without_addresses};
use crate::event::Finding;
use crate::value::Value;

/// The sides of a finding as the submission itself shows them.
pub(crate) struct OwnTexts {
    /// The object with which the value was compared by `==`, if it was.
    expected: Option<String>,
    /// The value that came.
    got: String,
}

impl OwnTexts {
    /// The texts in what came of [`plan_of_texts`]; `None` if one is missing.
    pub(crate) fn new(transcript: &Transcript, step: StepNo) -> Option<OwnTexts> {
        let mut last = transcript.steps.iter().skip(step.index()).map(|step| step.observations().last());
        let text = |observed: &Observation| observed.shown.as_deref().map(without_addresses);
        let got = last.next()?.and_then(text)?;
        let expected = match last.next() {
            Some(object) => Some(object.and_then(text)?),
            None => None,
        };
        Some(OwnTexts { expected, got })
    }

    /// Shows them in a finding. An object that looks like the expected value, but is none, keeps its type instead.
    pub(crate) fn show_in(&self, finding: &mut Finding) {
        match &self.expected {
            Some(expected) => {
                if *expected == self.got {
                    finding.mistake = Mistake::Value(ValueMistake::LookAlike);
                }
                finding.expected = Some(expected.clone());
            }
            None if finding.expected.as_ref() == Some(&self.got) => return,
            None => {}
        }
        finding.got = Some(self.got.clone());
    }
}

/// The step of a finding that shows more if it has the submission's own text of the value with which the step ended: an
/// object of which only the type is known, or one that is not equal to a new one. All steps before it are calls.
pub(crate) fn step_with_own_text(plan: &Plan, transcript: &Transcript, finding: &Finding) -> Option<StepNo> {
    let shows_value = matches!(finding.verdict, Verdict::WrongValue | Verdict::DidNotRaise);
    finding.step.filter(|step| shows_value && has_own_text(plan, transcript, *step))
}

fn has_own_text(plan: &Plan, transcript: &Transcript, step: StepNo) -> bool {
    let Some(steps) = plan.steps.get(..=step.index()) else { return false };
    if steps.iter().any(|step| step.calls().is_none()) {
        return false;
    }
    let observed = transcript.steps.get(step.index()).and_then(|step| step.observations().last());
    match observed.map(|observed| &observed.outcome) {
        Some(StepOutcome::Value { value: Some(Value::Bool(false)), .. }) => {
            steps.last().is_some_and(|step| compared_object(step.lines()).is_some())
        }
        Some(StepOutcome::Value { value: Some(value), .. }) => {
            value.parts().any(|part| matches!(part, Value::Opaque(_)))
        }
        _ => false,
    }
}

/// A plan up to a step that asks for the text of its value, and in one more step for that of the object with which it
/// was compared.
pub(crate) fn plan_of_texts(plan: &Plan, step: StepNo) -> Option<Plan> {
    let mut steps = plan.steps.get(..=step.index())?.to_vec();
    let last = steps.last_mut()?;
    if let Action::Calls(calls) = &mut last.action {
        calls.want = Want { shown: true, ..Want::default() };
        if let Some(object) = compared_object(&calls.lines).cloned() {
            calls.lines.pop();
            let made = Calls { lines: vec![Line::plain(object)], ..calls.clone() };
            let reads = last.reads.clone();
            steps.push(PlanStep { action: Action::Calls(made), reads });
        }
    }
    Some(Plan { steps, files: plan.files.clone() })
}

/// The new object with which the last line compares the value of the line before it.
fn compared_object(lines: &[Line]) -> Option<&Node> {
    let [.., given, Line { node: Node::Operation(Operator::Equal, sides), .. }] = lines else { return None };
    let (Bind::Name(value), [Node::Name(name), object]) = (&given.bind, sides.as_slice()) else {
        return None;
    };
    (name == value).then_some(object)
}
