//! Reads the arguments of a call, and raises exceptions for wrong ones.

use crate::value::program::{Call, Live, Object, Raised};
use crate::value::{Int, Value};

/// The arguments of a call that takes exactly `N`.
pub(crate) fn exactly<const N: usize>(args: &[Live]) -> Result<&[Live; N], Raised> {
    args.try_into().map_err(|_| Raised::type_error(format!("{N} arguments expected, {} given", args.len())))
}

/// Refuses more than `most` arguments.
pub(crate) fn at_most(args: &[Live], most: usize) -> Result<(), Raised> {
    if args.len() <= most {
        return Ok(());
    }
    Err(Raised::type_error(format!("at most {most} arguments expected, {} given", args.len())))
}

/// The argument at `index` (0-based), unless it was omitted.
pub(crate) fn optional(args: &[Live], index: usize) -> Option<&Live> {
    args.get(index).filter(|arg| !matches!(arg, Live::Plain(Value::Undefined)))
}

/// The argument at `index` (0-based).
pub(crate) fn required(args: &[Live], index: usize) -> Result<&Live, Raised> {
    optional(args, index).ok_or_else(|| Raised::type_error(format!("argument {} is missing", index + 1)))
}

/// An integer.
pub(crate) fn int(arg: &Live) -> Option<&Int> {
    let Live::Plain(Value::Int(int) | Value::BigInt(int)) = arg else { return None };
    Some(int)
}

/// A size or an index: an integer that is not negative.
pub(crate) fn natural(arg: &Live) -> Option<usize> {
    int(arg)?.to_usize()
}

/// A size, which may be a whole float: JavaScript has no other numbers.
pub(crate) fn size(arg: &Live) -> Option<usize> {
    match arg {
        Live::Plain(Value::Float(number) | Value::Number(number)) => Int::of_double(*number)?.to_usize(),
        _ => natural(arg),
    }
}

/// A string of well-formed Unicode.
pub(crate) fn str(arg: &Live) -> Option<&str> {
    let Live::Plain(Value::Str(text)) = arg else { return None };
    text.as_str()
}

/// The state of an object of the program, if it is a `T`.
pub(crate) fn state<T: 'static>(arg: &Live) -> Option<&T> {
    match arg {
        Live::Object(object) => object.state(),
        Live::Plain(_) | Live::List(_) => None,
    }
}

/// The exception for an unknown call.
pub(crate) fn unknown(call: Call<'_>) -> Raised {
    match call {
        Call::New { class: name } | Call::Function { name } => {
            Raised::new("NameError", format!("name '{name}' is not defined"))
        }
        Call::Method { on, name } => {
            Raised::new("AttributeError", format!("'{}' object has no attribute '{name}'", on.class()))
        }
    }
}

/// The state of `object`, which comes from its own program.
pub(crate) fn own<T: 'static>(object: &Object) -> Result<&T, Raised> {
    object.state().ok_or_else(|| Raised::type_error(format!("not an object of this game: {object:?}")))
}
