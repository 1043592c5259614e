//! The calls of a case, resolved against its exercise, without any expectation.

use super::node::{NativeCode, Node};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The steps to replay, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<PlanStep>,
    /// The files of its working folder at the start; `None` if it has no such folder.
    pub files: Option<Vec<InputFile>>,
}

/// A file that is in the working folder when a case starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The name: below the working folder, with `/` between parts.
    pub name: String,
    /// The whole content.
    pub bytes: Arc<[u8]>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStep {
    /// The calls, program or match of the step.
    pub action: Action,
    /// The files of the working folder to read after it.
    pub reads: Vec<String>,
}

/// The kinds of steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Runs lines in the process of the case.
    Calls(Calls),
    /// Runs a program of the submission, in a process of its own.
    Program(ProgramRun),
    /// Lets the submission play a match.
    Match(Box<Match>),
}

/// The lines of a step, of which only the last one is observed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The observations to make of the last line.
    pub want: Want,
    /// Whether the case expects something of the step: then its answer is awaited before a later call is
    /// sent.
    pub awaited: bool,
}

/// A run of a program.
#[derive(Clone, PartialEq, Eq)]
pub struct ProgramRun {
    /// The program's file, by programming language.
    pub files: BTreeMap<String, String>,
    /// The command-line arguments of the program.
    pub args: Vec<String>,
    /// The inputs, one each time the program waits for input; then its input ends.
    pub input: Vec<String>,
    /// Whether the prompts of Python's `input` are no output.
    pub is_silent: bool,
}

/// A match of a submission against the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The line that makes the board of a game and binds it.
    pub start: Line,
    /// The name of the board.
    pub board: String,
    /// The view of the board.
    pub look: Option<View>,
    /// The line that asks the submission for its move.
    pub player: Line,
    /// The view of its answer.
    pub view: Option<View>,
    /// The opponent.
    pub opponent: Opponent,
    /// The number of games; the submission begins every other one, including the first.
    pub games: u32,
    /// The seed of the opponent's choices.
    pub seed: u64,
}

/// An opponent in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Any legal move at random.
    Random,
    /// The best move at this search depth.
    Depth(NonZeroU32),
}

/// A line of a step.
#[derive(Clone, PartialEq)]
pub struct Line {
    /// The target of the value.
    pub bind: Bind,
    /// The expression.
    pub node: Node,
    /// What this line and those after it may read from standard input, in place of what is left of it.
    pub stdin: Option<LineInput>,
}

/// The form of the first digests of cases, as for [`Line`].
impl fmt::Debug for ProgramRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProgramRun { files, args, input, is_silent } = self;
        let mut written = formatter.debug_struct("ProgramRun");
        written.field("files", files).field("args", args).field("input", input);
        if *is_silent {
            written.field("is_silent", is_silent);
        }
        written.finish()
    }
}

/// What a line may read from standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInput {
    /// The text.
    pub text: String,
    /// Whether the prompts of the submission are output.
    pub prompts: bool,
}

/// The form of the first digests of cases, to which verdicts in the databases of classes belong: what came later
/// is in it only if a case says it.
impl fmt::Debug for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { bind, node, stdin } = self;
        let mut written = formatter.debug_struct("Line");
        written.field("bind", bind).field("node", node);
        if stdin.is_some() {
            written.field("stdin", stdin);
        }
        written.finish()
    }
}

/// The target of the value of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Bind {
    /// Nowhere.
    #[default]
    Nothing,
    /// To a name.
    Name(String),
    /// Each item to one of these names.
    Unpack(Vec<String>),
    /// To an attribute or an item of a value: a [`Node::Attribute`] or a [`Node::Index`].
    Place(Box<Node>),
    /// Nowhere; but the line is code of a programming language that binds these names itself.
    Made(Vec<String>),
}

/// The observations to make of a value, besides its output and identity.
#[derive(Clone, Default, PartialEq)]
pub struct Want {
    /// The value itself.
    pub value: bool,
    /// The view of the value, if its type is the submission's own.
    pub view: Option<View>,
    /// Whether to observe the text of the value.
    pub text: bool,
    /// The names of its type and supertypes.
    pub types: bool,
    /// The value as the submission itself would show it.
    pub shown: bool,
}

/// The form of the first digests of cases, to which verdicts in the databases of classes belong: no case asks how
/// a value is shown.
impl fmt::Debug for Want {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Want { value, view, text, types, shown: _ } = self;
        let mut written = formatter.debug_struct("Want");
        written.field("value", value).field("view", view).field("text", text).field("types", types).finish()
    }
}

const NOTHING: &Want = &Want { value: false, view: None, text: false, types: false, shown: false };

/// The view of a value of a submission's own type: an array of the results of expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Whether the value is a list whose items are each viewed.
    pub each: bool,
    /// Whether the order of that list is irrelevant.
    pub any_order: bool,
    /// The expressions over the name `it`; none for plain values in any order.
    pub parts: Vec<ViewPart>,
}

/// One expression of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewPart {
    /// The expression, over the name [`View::IT`].
    pub node: Node,
    /// The view of its result, if that is not plain.
    pub view: Option<View>,
}

impl View {
    /// The name of the viewed value in a view's expressions.
    pub const IT: &'static str = "it";
}

impl Bind {
    /// The names that are bound if the line does not fail.
    pub fn names(&self) -> &[String] {
        match self {
            Bind::Nothing | Bind::Place(_) => &[],
            Bind::Name(name) => std::slice::from_ref(name),
            Bind::Unpack(names) | Bind::Made(names) => names,
        }
    }

    /// The name that is bound to the value itself.
    pub fn name(&self) -> Option<&str> {
        match self {
            Bind::Name(name) => Some(name),
            Bind::Nothing | Bind::Unpack(_) | Bind::Place(_) | Bind::Made(_) => None,
        }
    }

    /// The place that gets the value.
    pub fn place(&self) -> Option<&Node> {
        match self {
            Bind::Place(place) => Some(place),
            Bind::Nothing | Bind::Name(_) | Bind::Unpack(_) | Bind::Made(_) => None,
        }
    }
}

impl Line {
    /// Whether the line may hold what lines before it should give, as `answer == 17` does: it has an operator, or is
    /// code. A call of the submission tells nothing that it does not decide itself.
    pub(crate) fn may_tell(&self) -> bool {
        let mut tells = false;
        self.node.visit(&mut |node| tells |= matches!(node, Node::Operation(..) | Node::Native(_)));
        tells
    }

    /// A line whose value goes nowhere.
    pub fn plain(node: Node) -> Line {
        Line::bound(Bind::Nothing, node)
    }

    /// A line whose value goes to `bind`.
    pub fn bound(bind: Bind, node: Node) -> Line {
        Line { bind, node, stdin: None }
    }

    /// The bound names that it uses.
    pub fn uses(&self) -> Vec<&str> {
        self.nodes().flat_map(Node::names).collect()
    }

    /// The expression, and the place that gets the value.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::once(&self.node).chain(self.bind.place())
    }
}

impl Calls {
    /// Each line with what to observe of it.
    pub fn wanted(&self) -> impl Iterator<Item = (&Line, &Want)> {
        let last = self.lines.len().saturating_sub(1);
        self.lines
            .iter()
            .enumerate()
            .map(move |(index, line)| (line, if index == last { &self.want } else { NOTHING }))
    }
}

impl From<Calls> for PlanStep {
    fn from(calls: Calls) -> PlanStep {
        PlanStep { action: Action::Calls(calls), reads: Vec::new() }
    }
}

impl PlanStep {
    /// The calls of a step that makes some.
    pub fn calls(&self) -> Option<&Calls> {
        if let Action::Calls(calls) = &self.action { Some(calls) } else { None }
    }

    /// The lines of a step that makes calls; none for any other.
    pub fn lines(&self) -> &[Line] {
        self.calls().map(|calls| calls.lines.as_slice()).unwrap_or_default()
    }

    /// The lines of a step that makes calls, to change; none for any other.
    pub(crate) fn lines_mut(&mut self) -> &mut [Line] {
        if let Action::Calls(calls) = &mut self.action { &mut calls.lines } else { &mut [] }
    }

    /// The program run of a step that is one.
    pub fn program(&self) -> Option<&ProgramRun> {
        if let Action::Program(run) = &self.action { Some(run) } else { None }
    }

    /// The match of a step that is one.
    pub fn game(&self) -> Option<&Match> {
        if let Action::Match(game) = &self.action { Some(game) } else { None }
    }

    /// The lines of a step, including those of a match.
    fn all_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines().iter().chain(self.game().into_iter().flat_map(|game| [&game.start, &game.player]))
    }

    fn views(&self) -> impl Iterator<Item = &View> {
        let game = self.game().into_iter().flat_map(|game| [&game.look, &game.view]);
        self.calls().map(|calls| &calls.want.view).into_iter().chain(game).flatten()
    }
}

impl Plan {
    /// Whether the submission must be loaded for the plan; a program loads what it needs.
    pub fn needs_load(&self) -> bool {
        self.steps.iter().any(|step| step.program().is_none())
    }

    /// Whether the plan has nothing but calls: no match, no program and no files.
    pub(crate) fn only_calls(&self) -> bool {
        self.files.is_none() && self.steps.iter().all(|step| step.calls().is_some())
    }

    /// Whether a line of it may tell the submission what it, or another case, expects.
    pub(crate) fn may_tell(&self) -> bool {
        self.steps.iter().flat_map(PlanStep::lines).any(Line::may_tell)
    }

    /// The number of programs that the plan runs.
    pub fn programs(&self) -> usize {
        self.steps.iter().filter_map(PlanStep::program).count()
    }

    /// The largest number of games of a match in the plan; 1 without a match.
    pub fn games(&self) -> u32 {
        self.steps.iter().filter_map(PlanStep::game).map(|game| game.games).max().unwrap_or(1).max(1)
    }

    /// The classes and functions that the plan calls, each once, in call order; those called only by a view
    /// come last.
    pub fn definitions(&self) -> Vec<&str> {
        definitions(self.nodes())
    }

    /// Whether a driver must know operators, attributes and items to run it.
    pub(crate) fn needs_operators(&self) -> bool {
        let unpacks = |line: &Line| matches!(line.bind, Bind::Unpack(_));
        self.steps.iter().flat_map(PlanStep::all_lines).any(unpacks)
            || self.nodes().into_iter().any(Node::is_operation)
    }

    /// Gives each step that says nothing of its input an empty one: what a step leaves is not for the next.
    pub(crate) fn end_inputs(&mut self, prompts: bool) {
        for step in &mut self.steps {
            if let Action::Calls(calls) = &mut step.action
                && let Some(first) = calls.lines.first_mut()
            {
                first.stdin.get_or_insert(LineInput { text: String::new(), prompts });
            }
        }
    }

    /// Whether a line of it reads standard input.
    pub(crate) fn needs_input(&self) -> bool {
        self.steps.iter().flat_map(PlanStep::lines).any(|line| line.stdin.is_some())
    }

    /// The code that it runs as it stands.
    pub(crate) fn natives(&self) -> impl Iterator<Item = &NativeCode> {
        self.steps.iter().flat_map(PlanStep::lines).filter_map(|line| match &line.node {
            Node::Native(native) => Some(native),
            _ => None,
        })
    }

    /// All expressions and subexpressions; those of views come last.
    fn nodes(&self) -> Vec<&Node> {
        let mut nodes = nodes_in(self.steps.iter().flat_map(PlanStep::all_lines));
        for view in self.steps.iter().flat_map(PlanStep::views) {
            view.visit(&mut |node| nodes.push(node));
        }
        nodes
    }
}

/// The classes and functions that lines call, each once, in call order.
pub(crate) fn definitions_in<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<&'a str> {
    definitions(nodes_in(lines))
}

/// All expressions and subexpressions of lines.
fn nodes_in<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<&'a Node> {
    let mut nodes: Vec<&Node> = Vec::new();
    for node in lines.into_iter().flat_map(Line::nodes) {
        node.visit(&mut |node| nodes.push(node));
    }
    nodes
}

/// The classes and functions that expressions call, each once.
fn definitions(nodes: Vec<&Node>) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for node in nodes {
        if let Node::New { class: name, .. } | Node::Class(name) | Node::Function { name, .. } = node
            && !found.contains(&name.as_str())
        {
            found.push(name);
        }
    }
    found
}

impl View {
    /// Shows `see` all of its expressions, and their parts.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        for part in &self.parts {
            part.node.visit(see);
            if let Some(view) = &part.view {
                view.visit(see);
            }
        }
    }
}
