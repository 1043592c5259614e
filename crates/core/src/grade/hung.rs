//! Calls that reached their limit of time or memory. Cases that make such a call are run after the others,
//! those that make more of them last, so that a part that hangs uses up the time of its own cases.

use crate::adapter::{Halt, Transcript};
use crate::case::{Action, Bind, Line, Match, Node, Plan, ProgramRun, View, Want};
use crate::named::Named;
use crate::sandbox::Stop;
use std::collections::BTreeSet;

/// The name of the call that gives the text of a value.
const TEXT: &str = "str";

/// The calls of the line, or the program, that ended a replay at its limit of time or memory, if one did.
/// Which of them it was is not known; and whether earlier answers are right does not matter.
pub(super) fn hung_calls(plan: &Plan, transcript: &Transcript) -> Vec<String> {
    let Some(Halt::Stopped(Stop::Cpu | Stop::Wall | Stop::Memory | Stop::Suspended)) = transcript.halt()
    else {
        return Vec::new();
    };
    let Some((step, seen)) = plan.steps.iter().zip(&transcript.steps).next_back() else { return Vec::new() };
    let hung: BTreeSet<String> = match &step.action {
        Action::Match(game) => calls_of_match(game).collect(),
        Action::Program(run) => [program(run)].into(),
        Action::Calls(calls) => {
            let last = calls.wanted().take(seen.observations().len()).last();
            last.into_iter().flat_map(|(line, want)| calls_of_line(line, want)).collect()
        }
    };
    hung.into_iter().collect()
}

/// Whether a plan makes this call.
pub(super) fn makes(plan: &Plan, hung: &str) -> bool {
    plan.steps.iter().any(|step| match &step.action {
        Action::Match(game) => calls_of_match(game).any(|call| call == hung),
        Action::Program(run) => program(run) == hung,
        Action::Calls(calls) => {
            calls.wanted().any(|(line, want)| calls_of_line(line, want).any(|call| call == hung))
        }
    })
}

/// The calls that a line makes.
fn calls_of_line<'a>(line: &'a Line, want: &'a Want) -> impl Iterator<Item = String> {
    names(line, want.view.as_ref(), want.text).into_iter().map(str::to_owned)
}

/// The calls that ask a submission for its move.
fn calls_of_match(game: &Match) -> impl Iterator<Item = String> {
    names(&game.player, game.view.as_ref(), false).into_iter().map(str::to_owned)
}

/// All that a line calls, with what is done to its value: it is bound, viewed, or its text is taken.
fn names<'a>(line: &'a Line, view: Option<&'a View>, text: bool) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut see = |node: &'a Node| names.extend(name(node));
    line.nodes().for_each(|node| node.visit(&mut see));
    if let Some(view) = view {
        view.visit(&mut see);
    }
    names.extend(matches!(line.bind, Bind::Unpack(_)).then_some("unpack"));
    names.extend(text.then_some(TEXT));
    names
}

/// A name, in any language, for what an expression itself calls.
fn name(node: &Node) -> Option<&str> {
    match node {
        Node::New { class: name, .. }
        | Node::Function { name, .. }
        | Node::Method { name, .. }
        | Node::Attribute { name, .. } => Some(name),
        Node::Text(_) => Some(TEXT),
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
