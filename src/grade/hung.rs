//! Calls that reached their time limit. Cases that make such a call are run after the others, so that a part that hangs
//! uses up the time of its own cases.

use crate::adapter::{Halt, Transcript};
use crate::case::{Line, Node, Plan, PlanStep, ProgramRun};
use crate::sandbox::Stop;

/// The call that ended a replay at its time limit, if one did. Whether its earlier answers are right does not matter.
pub(super) fn hung_call(plan: &Plan, transcript: &Transcript) -> Option<String> {
    let Some(Halt::Stopped(Stop::Cpu | Stop::Wall | Stop::Suspended)) = transcript.halt() else {
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

/// The outermost call of a line: the text of a value only if nothing else is called.
fn call(line: &Line) -> Option<String> {
    let mut names = Vec::new();
    line.node.visit(&mut |node| names.extend(name(node)));
    let call = names.iter().find(|name| **name != TEXT).or(names.first())?;
    Some((*call).to_owned())
}

/// The name of the call that makes the text of a value, in any language.
const TEXT: &str = "str";

/// The name of what an expression itself calls.
fn name(node: &Node) -> Option<&str> {
    match node {
        Node::New { class: name, .. } | Node::Function { name, .. } | Node::Method { name, .. } => Some(name),
        Node::Text(_) => Some(TEXT),
        Node::Literal(_)
        | Node::Name(_)
        | Node::Attribute { .. }
        | Node::Index { .. }
        | Node::Slice { .. }
        | Node::Operation(..)
        | Node::Builtin(..)
        | Node::Class(_)
        | Node::Native(_)
        | Node::Items(..)
        | Node::Pairs(_) => None,
    }
}

/// The name of a program: its file in each language.
fn program(run: &ProgramRun) -> String {
    run.files.values().map(String::as_str).collect::<Vec<_>>().join(" ")
}
