//! Shared parts of the traits for submissions in Rust.

use crate::value::args;
use crate::value::program::{Live, Object, Raised};
use std::cell::{Ref, RefCell, RefMut};

/// The exception of a method that returns a message instead of raising: without a type.
pub(crate) fn raised(message: impl Into<String>) -> Raised {
    Raised::new("Error", message)
}

/// A board or puzzle, as the object that a session holds.
pub(crate) type Shared<T> = RefCell<T>;

/// The object, borrowed for reading.
pub(crate) fn look<T: 'static>(on: &Object) -> Result<Ref<'_, T>, Raised> {
    args::own::<Shared<T>>(on)?.try_borrow().map_err(|_| raised("the object is in use"))
}

/// The object, borrowed for changing.
pub(crate) fn change<T: 'static>(on: &Object) -> Result<RefMut<'_, T>, Raised> {
    args::own::<Shared<T>>(on)?.try_borrow_mut().map_err(|_| raised("the object is in use"))
}

/// An argument as a size or an index: whole and not negative.
pub(crate) fn natural(arg: Option<&Live>) -> Option<usize> {
    args::int(arg?)?.to_i64().and_then(|number| usize::try_from(number).ok())
}

/// An argument as text.
pub(crate) fn text(arg: Option<&Live>) -> Option<&str> {
    args::str(arg?)
}
