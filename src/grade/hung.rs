//! Calls that reached their limit of time or memory. Cases that make such a call are run after the others, so that a part that hangs
//! uses up the time of its own cases.

use crate::adapter::{Halt, Transcript};
use crate::case::{Line, Node, Plan, PlanStep, ProgramRun};
use crate::sandbox::Stop;

/// The call that ended a replay at its limit of time or memory, if one did. Whether its earlier answers are right does not matter.
pub(super) fn hung_call(plan: &Plan, transcript: &Transcript) -> Option<String> {
    let Some(Halt::Stopped(Stop::Cpu | Stop::Wall | Stop::Memory | Stop::Suspended)) = transcript.halt()
    else {
        return None;
    };
    let (step, seen) = plan.steps.iter().zip(&transcript.steps).next_back()?;
    let line = step.game().map(|game| &game.player).or_else(|| step.lines.get(seen.len().checked_sub(1)?));
    step.run().map(program).or_else(|| line.and_then(call))
}

/// Whether a plan makes this call.
pub(super) fn makes(plan: &Plan, hung: &str) -> bool {
    plan.steps.iter().any(|step| calls_of(step).any(|call| call == hung))
}

/// The calls that a step makes.
fn calls_of(step: &PlanStep) -> impl Iterator<Item = String> {
    let player = step.game().map(|game| &game.player);
    let nodes = step.lines.iter().chain(player).flat_map(|line| {
        let mut names = Vec::new();
        line.node.visit(&mut |node| names.extend(name(node)));
        names
    });
    nodes.map(str::to_owned).chain(step.run().map(program))
}

/// The outermost call of a line: an operator, or what else calls a method without its name, only if nothing is called by name.
fn call(line: &Line) -> Option<String> {
    let mut nodes = Vec::new();
    line.node.visit(&mut |node| nodes.push(node));
    let is_by_name =
        |node: &&&Node| matches!(node, Node::New { .. } | Node::Function { .. } | Node::Method { .. });
    let by_name = nodes.iter().find(is_by_name).and_then(|node| name(node));
    by_name.or_else(|| nodes.iter().find_map(|node| name(node))).map(str::to_owned)
}

/// A name, in any language, for what an expression itself calls.
fn name(node: &Node) -> Option<&str> {
    match node {
        Node::New { class: name, .. }
        | Node::Function { name, .. }
        | Node::Method { name, .. }
        | Node::Attribute { name, .. } => Some(name),
        Node::Text(_) => Some("str"),
        Node::Operation(operator, _) => Some(operator.name()),
        Node::Builtin(builtin, _) => Some(builtin.name()),
        Node::Index { .. } => Some("[]"),
        Node::Slice { .. } => Some("[:]"),
        // Nothing tells what it calls.
        Node::Native(_) => Some("code of a language"),
        Node::Literal(_) | Node::Name(_) | Node::Class(_) | Node::Items(..) | Node::Pairs(_) => None,
    }
}

/// The name of a program: its file in each language.
fn program(run: &ProgramRun) -> String {
    run.files.values().map(String::as_str).collect::<Vec<_>>().join(" ")
}
