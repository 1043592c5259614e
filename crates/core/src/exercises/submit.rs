//! Shared parts of the traits for submissions in Rust.
//!
//! An argument that the type of a parameter excludes is replaced by a value that is wrong in every game.
//! [`crate::submit`] has the rule, and [`size`], [`index`], [`field`] and [`text`] keep it.

use crate::value::program::{ERR, Live, Object, Raised};
use crate::value::{Int, args};
use std::cell::{Ref, RefCell, RefMut};

/// The error that a method returns, as an exception.
pub(crate) fn raised(message: impl Into<String>) -> Raised {
    Raised::new(ERR, message)
}

/// A board, puzzle or move, as the object that a session holds.
pub(crate) fn object<T: 'static>(class: &'static str, state: T) -> Live {
    Live::Object(Object::new(class, RefCell::new(state)))
}

/// The state of an object, borrowed for reading.
pub(crate) fn look<T: 'static>(on: &Object) -> Result<Ref<'_, T>, Raised> {
    args::own::<RefCell<T>>(on)?.try_borrow().map_err(|_| raised("the object is in use"))
}

/// The state of an object, borrowed for changing.
pub(crate) fn change<T: 'static>(on: &Object) -> Result<RefMut<'_, T>, Raised> {
    args::own::<RefCell<T>>(on)?.try_borrow_mut().map_err(|_| raised("the object is in use"))
}

/// The argument `at` an index, as a size.
pub(crate) fn size(args: &[Live], at: usize) -> usize {
    args.get(at).and_then(args::size).unwrap_or(0)
}

/// A number, as an index of a row or column.
pub(crate) fn index(number: Option<&Int>) -> usize {
    number.and_then(Int::to_usize).unwrap_or(usize::MAX)
}

/// A number, as that of a field.
pub(crate) fn field(number: Option<&Int>) -> i64 {
    number.and_then(Int::to_i64).unwrap_or(i64::MAX)
}

/// The argument `at` an index, as text.
pub(crate) fn text(args: &[Live], at: usize) -> &str {
    args.get(at).and_then(args::str).unwrap_or_default()
}
