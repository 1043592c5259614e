//! Names in what the driver itself reports: types of exceptions, and a method. `driver.cpp` and its parts have them too.

/// The type of a fault that a sanitizer found, after which the process ends: it is never expected.
pub(crate) const UNDEFINED: &str = "undefined behaviour";

/// The type of the fault that memory is lost.
pub(crate) const LEAK: &str = "lost memory";

/// The type of an `assert` that fails.
pub(crate) const ASSERTION: &str = "failed assertion";

/// The type of an exception that leaves a function which none may leave.
pub(crate) const TERMINATED: &str = "std::terminate";

/// The types of what ends the process, and is never expected.
pub(crate) const ENDING: [&str; 4] = [UNDEFINED, LEAK, ASSERTION, TERMINATED];

/// The type of the refusal of an argument that the parameter's type does not take.
pub(crate) const REFUSED: &str = "keur::Refused";

/// The type of the refusal of a call, whatever its arguments: of a definition that keur cannot call, or with another
/// number of arguments than it takes.
pub(crate) const NOT_CALLABLE: &str = "keur::NotCallable";

/// The method that the driver names where the text of an object is asked, and it has none.
pub(crate) const PRINT: &str = "operator<<";
