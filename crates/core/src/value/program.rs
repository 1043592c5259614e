//! The interface of a program that answers neutral calls in this process: a reference, or a Rust submission.
//!
//! A call names a class, function or method in the exercise's spelling; arguments are positional. A value
//! that a program returns is [`Live`]: plain data, or an object that keeps its identity.

use super::{Text, Value};
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// A value inside a running program.
#[derive(Clone, Debug)]
pub enum Live {
    /// Plain data.
    Plain(Value),
    /// An object of the program.
    Object(Object),
    /// A list that holds objects. A list of plain data is [`Live::Plain`].
    List(Vec<Live>),
}

impl<T: Into<Value>> From<T> for Live {
    fn from(value: T) -> Live {
        Live::Plain(value.into())
    }
}

/// An object of a program: shared, with an identity, of a type known only to the program.
#[derive(Clone)]
pub struct Object {
    class: &'static str,
    state: Rc<dyn Any>,
}

impl Object {
    /// A new object of `class`, as the exercise spells it. Mutable state belongs in a `RefCell`.
    pub fn new<T: Any>(class: &'static str, state: T) -> Object {
        Object { class, state: Rc::new(state) }
    }

    /// The class, as the exercise spells it.
    pub fn class(&self) -> &'static str {
        self.class
    }

    /// The state, if it is a `T`.
    pub fn state<T: Any>(&self) -> Option<&T> {
        self.state.downcast_ref()
    }

    /// Whether both are the same object.
    pub fn is(&self, other: &Object) -> bool {
        Rc::ptr_eq(&self.state, &other.state)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.class)
    }
}

/// A call to a program.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// A new object of a class.
    New {
        /// The class, as the exercise spells it.
        class: &'a str,
    },
    /// A call of a function.
    Function {
        /// The function, as the exercise spells it.
        name: &'a str,
    },
    /// A call of a method of an object.
    Method {
        /// The object it is called on.
        on: &'a Object,
        /// The method, as the exercise spells it.
        name: &'a str,
    },
}

/// The type by which an error that a method in Rust returns is reported.
pub(crate) const ERR: &str = "Err";

/// An exception of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// The name of the exception's type: `AssertionError`.
    pub kind: String,
    /// The message of the exception.
    pub message: String,
}

impl Raised {
    /// An exception of type `kind` with `message`.
    pub fn new(kind: &str, message: impl Into<String>) -> Raised {
        Raised { kind: kind.to_owned(), message: message.into() }
    }

    /// The exception for an unknown method or function, or a wrong argument.
    pub fn type_error(message: impl Into<String>) -> Raised {
        Raised::new("TypeError", message)
    }
}

/// A program's answer to a call.
pub type Answer = Result<Live, Raised>;

/// A program in this process that answers calls.
///
/// One `Program` is one fresh state: each replay of a case opens a new one.
pub trait Program {
    /// Answers a call with positional arguments. An optional argument omitted at the end is absent; one
    /// omitted before another is [`Value::Undefined`].
    ///
    /// # Errors
    /// The program's exception; for an unknown call it is [`Raised::type_error`].
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer;

    /// The text of one of the program's objects: the result of `str(x)` or `x.toString()`.
    ///
    /// # Errors
    /// The program's exception.
    fn text(&mut self, object: &Object) -> Result<Text, Raised>;
}
