//! The trait of an exercise for submissions in Rust, as sessions write calls of it.
//!
//! The trait itself is in the exercise's `submit`. Rust has no way to list the methods of a trait, so their
//! types stand here again; `tests/library/submit.rs` compiles a session of every case.

/// The trait of an exercise, and the type of a submission.
#[derive(Debug)]
pub struct RustTrait {
    /// The name of the trait.
    pub name: &'static str,
    /// The name of the type that implements it, in sessions.
    pub class: &'static str,
    /// The calls of the exercise.
    pub calls: &'static [RustCall],
}

impl RustTrait {
    /// The call that the exercise spells `name`.
    pub fn call(&self, name: &str) -> Option<&RustCall> {
        self.calls.iter().find(|call| call.name == name)
    }
}

/// A call of an exercise: a class, a method or a function.
#[derive(Debug)]
pub struct RustCall {
    /// The name, as the exercise spells it.
    pub name: &'static str,
    /// The name of the trait's method.
    pub method: &'static str,
    /// The types of its parameters, without the object.
    pub parameters: &'static [Parameter],
    /// The value that it gives.
    pub gives: Gives,
    /// Whether it gives a `Result`.
    pub fails: bool,
}

impl RustCall {
    /// A call that does not fail.
    pub(super) const fn new(name: &'static str, parameters: &'static [Parameter], gives: Gives) -> RustCall {
        RustCall { name, method: name, parameters, gives, fails: false }
    }

    /// The call with another name in the trait.
    pub(super) const fn named(self, method: &'static str) -> RustCall {
        RustCall { method, ..self }
    }

    /// The call, which gives a `Result`.
    pub(super) const fn failing(self) -> RustCall {
        RustCall { fails: true, ..self }
    }
}

/// The type of a parameter. A value that the type excludes is replaced as [`crate::submit`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A `usize` or `u32` that is a size.
    Size,
    /// A size that may be missing.
    OptionalSize,
    /// A `usize` that is an index.
    Index,
    /// An `i64`.
    Field,
    /// A `&str`.
    Text,
    /// A `&str` that may be missing.
    OptionalText,
    /// A pair of indices.
    Position,
    /// A slice of pairs of indices.
    Positions,
    /// A reference to an object.
    Object,
    /// A reference to an object that is changed.
    Changed,
}

/// The kind of value that a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value with `Display`.
    Shown,
    /// A value with `Debug` alone.
    Debugged,
    /// A tuple, where the exercise has a list.
    Tuple,
    /// Nothing, where the exercise has the call give its own object.
    Itself,
}
