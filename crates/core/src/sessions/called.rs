//! The callees in the lines of a plan.

use super::examples::{Callee, callee, callees};
use crate::case::{Exercise, Line, Node, Plan, PlanStep};
use std::collections::BTreeMap;

/// The callees in a line of a plan.
pub(super) struct Called {
    /// The callee of the whole line.
    pub(super) own: Option<Callee>,
    /// The callees of the line and of its parts.
    pub(super) all: Vec<Callee>,
}

/// Notes the class of the name to which a line binds a new object.
fn note<'l>(line: &'l Line, names: &mut BTreeMap<&'l str, String>) {
    if let (Some(name), Node::New { class, .. }) = (line.bind.name(), &line.node) {
        names.insert(name, class.clone());
    }
}

/// The callees in each line of a plan.
pub(super) fn called(exercise: &Exercise, plan: &Plan) -> Vec<Called> {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut lines = Vec::new();
    for line in plan.steps.iter().flat_map(PlanStep::lines) {
        let (own, all) = (callee(exercise, &names, &line.node), callees(exercise, &names, &line.node));
        lines.push(Called { own, all });
        note(line, &mut names);
    }
    lines
}

/// The callee of a step of a plan; of the name of an object alone, its class.
pub(super) fn callee_at(exercise: &Exercise, plan: &Plan, index: usize) -> Option<Callee> {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for line in plan.steps.iter().take(index).flat_map(PlanStep::lines) {
        note(line, &mut names);
    }
    let node = &plan.steps.get(index)?.lines().last()?.node;
    let object = if let Node::Text(on) = node { on } else { node };
    if let Node::Name(name) = object {
        return names.get(name.as_str()).cloned().map(Callee::Class);
    }
    callee(exercise, &names, node)
}
