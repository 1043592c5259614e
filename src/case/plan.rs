//! The calls of a case, resolved against its exercise, without any expectation.

use crate::value::Value;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The steps to replay, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<PlanStep>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStep {
    /// Its lines, in order; only the last one is observed.
    pub lines: Vec<Line>,
    /// What to observe of the last line.
    pub want: Want,
    /// The action of a step without lines.
    pub instead: Option<Instead>,
}

/// The action of a step that has no calls of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Instead {
    /// Runs a program of the submission.
    ProgramRun(ProgramRun),
    /// Lets the submission play a match.
    Match(Match),
}

/// A run of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramRun {
    /// The program's file, by programming language.
    pub files: BTreeMap<String, String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its inputs, one each time it waits for input; then its input ends.
    pub input: Vec<String>,
}

/// A match of a submission against the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The line that makes the board of a game and binds it.
    pub start: Line,
    /// The name of the board.
    pub board: String,
    /// How to view the board.
    pub look: Option<View>,
    /// The line that asks the submission for its move.
    pub player: Line,
    /// How to view its answer.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name that the value is bound to.
    pub bind: Option<String>,
    /// The expression.
    pub node: Node,
}

/// What to observe of a value, besides its output and identity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Want {
    /// The value itself.
    pub value: bool,
    /// How to view it, if its type is the submission's own.
    pub view: Option<View>,
    /// Its text.
    pub text: bool,
}

const NOTHING: &Want = &Want { value: false, view: None, text: false };

/// An expression, resolved against the exercise.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A literal.
    Literal(Value),
    /// A bound name.
    Name(String),
    /// A new object.
    New {
        /// The class.
        class: String,
        /// The arguments.
        args: Vec<Arg>,
    },
    /// A call of a function.
    Function {
        /// The function.
        name: String,
        /// The arguments.
        args: Vec<Arg>,
    },
    /// A call of a method.
    Method {
        /// The object of the call.
        on: Box<Node>,
        /// The method.
        name: String,
        /// The arguments.
        args: Vec<Arg>,
    },
    /// The text of a value.
    Text(Box<Node>),
    /// A sequence or a set that is not all literals.
    Items(Items, Vec<Node>),
    /// A dictionary that is not all literals.
    Pairs(Vec<(Node, Node)>),
}

/// The kinds of [`Node::Items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    /// A list.
    List,
    /// A tuple.
    Tuple,
    /// A set.
    Set,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The keyword, for a language that has them.
    pub keyword: Option<String>,
    /// Its zero-based position among the parameters, for a language without keywords.
    pub position: usize,
    /// Its value.
    pub node: Node,
}

/// How to view a value of a submission's own type: as an array of the results of these expressions.
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
    /// How to view its result, if that is not plain.
    pub view: Option<View>,
}

impl View {
    /// The name of the viewed value in a view's expressions.
    pub const IT: &'static str = "it";
}

impl Node {
    /// The bound names that the expression uses.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.visit(&mut |node| {
            if let Node::Name(name) = node {
                names.push(name.as_str());
            }
        });
        names
    }

    /// Calls `see` with the expression and all subexpressions, outermost first.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        see(self);
        match self {
            Node::Literal(_) | Node::Name(_) => {}
            Node::New { args, .. } | Node::Function { args, .. } => {
                args.iter().for_each(|arg| arg.node.visit(see))
            }
            Node::Method { on, args, .. } => {
                on.visit(see);
                args.iter().for_each(|arg| arg.node.visit(see));
            }
            Node::Text(of) => of.visit(see),
            Node::Items(_, items) => items.iter().for_each(|item| item.visit(see)),
            Node::Pairs(pairs) => pairs.iter().for_each(|(key, value)| {
                key.visit(see);
                value.visit(see);
            }),
        }
    }
}

impl PlanStep {
    /// Its lines, each with what to observe of it.
    pub fn wanted(&self) -> impl Iterator<Item = (&Line, &Want)> {
        let last = self.lines.len().saturating_sub(1);
        self.lines
            .iter()
            .enumerate()
            .map(move |(index, line)| (line, if index == last { &self.want } else { NOTHING }))
    }

    /// Its match, if it is one.
    pub fn game(&self) -> Option<&Match> {
        match &self.instead {
            Some(Instead::Match(game)) => Some(game),
            Some(Instead::ProgramRun(_)) | None => None,
        }
    }

    /// Its program run, if it is one.
    pub fn run(&self) -> Option<&ProgramRun> {
        match &self.instead {
            Some(Instead::ProgramRun(run)) => Some(run),
            Some(Instead::Match(_)) | None => None,
        }
    }

    /// Its lines, including those of a match.
    fn all_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().chain(self.game().into_iter().flat_map(|game| [&game.start, &game.player]))
    }

    fn views(&self) -> impl Iterator<Item = &View> {
        let game = self.game().into_iter().flat_map(|game| [&game.look, &game.view]);
        std::iter::once(&self.want.view).chain(game).flatten()
    }
}

impl Plan {
    /// Whether it has any calls, so that the submission must be loaded; a program loads what it needs.
    pub fn calls(&self) -> bool {
        self.steps.iter().any(|step| step.run().is_none())
    }

    /// Whether it has nothing but calls: no match and no program.
    pub fn only_calls(&self) -> bool {
        self.steps.iter().all(|step| step.instead.is_none())
    }

    /// The largest number of games of a match in the plan; 1 without a match.
    pub fn games(&self) -> u32 {
        self.steps.iter().filter_map(PlanStep::game).map(|game| game.games).max().unwrap_or(1).max(1)
    }

    /// The classes and functions that the plan calls, each once, in call order; those called only by a view come
    /// last.
    pub fn definitions(&self) -> Vec<&str> {
        let mut nodes: Vec<&Node> = Vec::new();
        for line in self.steps.iter().flat_map(PlanStep::all_lines) {
            line.node.visit(&mut |node| nodes.push(node));
        }
        for view in self.steps.iter().flat_map(PlanStep::views) {
            view.visit(&mut |node| nodes.push(node));
        }
        let mut found: Vec<&str> = Vec::new();
        for node in nodes {
            if let Node::New { class: name, .. } | Node::Function { name, .. } = node
                && !found.contains(&name.as_str())
            {
                found.push(name);
            }
        }
        found
    }
}

impl View {
    fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        for part in &self.parts {
            part.node.visit(see);
            if let Some(view) = &part.view {
                view.visit(see);
            }
        }
    }
}
