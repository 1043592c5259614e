//! How a person would look at the answer of a step.

use crate::adapter::{Observation, StepOutcome, Transcript};
use crate::case::{Bind, Line, Node, Plan, PlanStep};
use crate::exercises::sessions::Look;
use crate::value::Value;
use std::collections::BTreeSet;

/// How to look at each step of a plan, by what a reference answered when the plan observed every value:
///
/// - an object that is bound to a name already is that very object;
/// - another object of the submission's own is looked at through its view, or as its text, unless the step
///   only binds it;
/// - a call that never answers anything but nothing is made for its effect, and so is an assignment;
/// - anything else is looked at as a value.
///
/// A step without calls, a match or a program run, has nothing to look at.
pub fn looks(plan: &Plan, values: &Transcript) -> Vec<Look> {
    let observed = |index: usize| values.steps.get(index).and_then(|seen| seen.observations().last());
    let steps = || plan.steps.iter().enumerate().filter_map(|(index, step)| Some((step, observed(index)?)));
    // Calls that some step answers with a value: where they answer with nothing, that is an answer too.
    let mut answering: BTreeSet<&str> = BTreeSet::new();
    for (step, observation) in steps() {
        if let (Some(name), Some(value)) = (step.lines().last().and_then(called), value_of(observation))
            && !is_nothing(value)
        {
            answering.insert(name);
        }
    }
    let look = |(index, step): (usize, &PlanStep)| match (step.lines().last(), observed(index)) {
        (Some(line), Some(observation)) => look(step, line, observation, &answering),
        (Some(_) | None, _) => Look::Nothing,
    };
    plan.steps.iter().enumerate().map(look).collect()
}

fn look(step: &PlanStep, line: &Line, observation: &Observation, answering: &BTreeSet<&str>) -> Look {
    let Some(value) = value_of(observation) else { return Look::Nothing };
    let is_bound = !matches!(line.bind, Bind::Nothing);
    let is_own = matches!(value, Value::Opaque(_));
    let view = step.calls().and_then(|calls| calls.want.view.as_ref());
    let is_viewed = view.is_some_and(|view| !view.parts.is_empty());
    if is_own || is_viewed {
        let earlier = |name: &&String| !line.bind.names().contains(*name) && !is_name(&line.node, name);
        let mut same: Vec<&String> = observation.is.iter().filter(earlier).collect();
        // The name that the call is about is the one to expect.
        same.sort_by_key(|name| !line.node.names().contains(&name.as_str()));
        if let Some(name) = same.first() {
            return Look::Same((*name).clone());
        }
    }
    match (&line.bind, &line.node) {
        (Bind::Place(_), _) | (Bind::Name(_) | Bind::Unpack(_) | Bind::Made(_), Node::Literal(_)) => {
            Look::Nothing
        }
        (_, Node::Text(_)) => Look::Text,
        // Objects that are bound are looked at later.
        _ if is_bound && (is_viewed || value.incomparable().is_some()) => Look::Nothing,
        _ if is_own => Look::Text,
        (_, Node::Method { .. } | Node::Function { .. })
            if is_nothing(value) && called(line).is_some_and(|name| !answering.contains(name)) =>
        {
            Look::Nothing
        }
        (Bind::Made(_) | Bind::Nothing, Node::Native(_)) if is_nothing(value) => Look::Nothing,
        (_, _) => Look::Value,
    }
}

fn value_of(observation: &Observation) -> Option<&Value> {
    match &observation.outcome {
        StepOutcome::Value { value, .. } => Some(value.as_ref().unwrap_or(&Value::Undefined)),
        _ => None,
    }
}

fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::None | Value::Undefined)
}

fn is_name(node: &Node, name: &str) -> bool {
    matches!(node, Node::Name(own) if own == name)
}

/// The method or function that a line calls.
fn called(line: &Line) -> Option<&str> {
    match &line.node {
        Node::Method { name, .. } | Node::Function { name, .. } => Some(name),
        _ => None,
    }
}
