//! Expressions without the names that a case gives to values.

use crate::case::{Arg, Node};
use std::collections::BTreeMap;

/// The most parts of an expression that stands in for a name: each use of the name repeats it.
const MOST_PARTS: usize = 40;

/// The expressions that stand in for names.
#[derive(Debug, Default)]
pub(super) struct Inlined(BTreeMap<String, Node>);

impl Inlined {
    /// Binds a name to an expression, as far as that is not too large.
    pub(super) fn bind(&mut self, name: &str, node: Node) {
        let mut parts = 0;
        node.visit(&mut |_| parts += 1);
        if parts <= MOST_PARTS {
            self.0.insert(name.to_owned(), node);
        } else {
            self.unbind(name);
        }
    }

    /// Forgets a name.
    pub(super) fn unbind(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// An expression with what its names are bound to, in place of the names.
    pub(super) fn inline(&self, node: &Node) -> Node {
        let boxed = |node: &Node| Box::new(self.inline(node));
        let all = |nodes: &[Node]| nodes.iter().map(|node| self.inline(node)).collect();
        let args = |args: &[Arg]| {
            args.iter().map(|arg| Arg { node: self.inline(&arg.node), ..arg.clone() }).collect()
        };
        match node {
            Node::Name(name) => self.0.get(name).unwrap_or(node).clone(),
            Node::New { class, args: given } => Node::New { class: class.clone(), args: args(given) },
            Node::Function { name, args: given } => Node::Function { name: name.clone(), args: args(given) },
            Node::Method { on, name, args: given } => {
                Node::Method { on: boxed(on), name: name.clone(), args: args(given) }
            }
            Node::Text(on) => Node::Text(boxed(on)),
            Node::Attribute { on, name } => Node::Attribute { on: boxed(on), name: name.clone() },
            Node::Index { on, index } => Node::Index { on: boxed(on), index: boxed(index) },
            Node::Slice { on, bounds } => {
                let bounds =
                    bounds.as_ref().each_ref().map(|bound| bound.as_ref().map(|node| self.inline(node)));
                Node::Slice { on: boxed(on), bounds: Box::new(bounds) }
            }
            Node::Operation(operator, operands) => Node::Operation(*operator, all(operands)),
            Node::Builtin(builtin, given) => Node::Builtin(*builtin, all(given)),
            Node::Items(kind, items) => Node::Items(*kind, all(items)),
            Node::Pairs(pairs) => {
                let pair = |(key, value): &(Node, Node)| (self.inline(key), self.inline(value));
                Node::Pairs(pairs.iter().map(pair).collect())
            }
            Node::Literal(_) | Node::Class(_) | Node::Native(_) => node.clone(),
        }
    }
}
