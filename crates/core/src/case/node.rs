//! The expressions of a plan, resolved against an exercise.

use crate::value::Value;
pub use crate::value::operator::{Builtin, Operator};
use std::collections::BTreeMap;

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
    /// An attribute of an object.
    Attribute {
        /// The object.
        on: Box<Node>,
        /// The attribute.
        name: String,
    },
    /// An item of a value: `x[0]`.
    Index {
        /// The value.
        on: Box<Node>,
        /// The index or key.
        index: Box<Node>,
    },
    /// A part of a value: `x[1:3]`.
    Slice {
        /// The value.
        on: Box<Node>,
        /// The first index, the index after the last, and the distance; those given.
        bounds: Box<[Option<Node>; 3]>,
    },
    /// An operator with its one or two operands.
    Operation(Operator, Vec<Node>),
    /// A call of a function that every language has in some form.
    Builtin(Builtin, Vec<Node>),
    /// A class of the submission as a value.
    Class(String),
    /// Code of a programming language as it stands.
    Native(NativeCode),
    /// A sequence or a set that is not all literals.
    Items(Items, Vec<Node>),
    /// A dictionary that is not all literals.
    Pairs(Vec<(Node, Node)>),
}

/// Code of one or more programming languages that a case runs as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeCode {
    /// The code by programming language.
    pub code: BTreeMap<String, String>,
    /// The bound names that occur in it.
    pub uses: Vec<String>,
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
    /// The zero-based position among the parameters, for a language without keywords.
    pub position: usize,
    /// The expression of the argument.
    pub node: Node,
}

impl Node {
    /// The arguments of a call.
    pub(crate) fn args(&self) -> &[Arg] {
        match self {
            Node::New { args, .. } | Node::Function { args, .. } | Node::Method { args, .. } => args,
            _ => &[],
        }
    }

    /// The bound names that the expression uses.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.visit(&mut |node| match node {
            Node::Name(name) => names.push(name.as_str()),
            Node::Native(native) => names.extend(native.uses.iter().map(String::as_str)),
            _ => {}
        });
        names
    }

    /// Whether only a driver that knows operators can evaluate this node, apart from its subexpressions.
    pub(crate) fn is_operation(&self) -> bool {
        matches!(
            self,
            Node::Attribute { .. }
                | Node::Index { .. }
                | Node::Slice { .. }
                | Node::Operation(..)
                | Node::Builtin(..)
                | Node::Class(_)
        )
    }

    /// Calls `see` with the expression and all subexpressions, outermost first.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        see(self);
        match self {
            Node::Literal(_) | Node::Name(_) | Node::Class(_) | Node::Native(_) => {}
            Node::Attribute { on, .. } => on.visit(see),
            Node::Index { on, index } => {
                on.visit(see);
                index.visit(see);
            }
            Node::Slice { on, bounds } => {
                on.visit(see);
                bounds.iter().flatten().for_each(|bound| bound.visit(see));
            }
            Node::Operation(_, args) | Node::Builtin(_, args) => args.iter().for_each(|arg| arg.visit(see)),
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
