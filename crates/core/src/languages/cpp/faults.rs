//! Faults that a sanitizer, the standard library or the driver finds, as sentences for students.

use crate::languages::pattern::pattern;
use crate::messages::Message;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// How a sentence follows from what its pattern captured.
type Reading = fn(&Captures<'_>) -> Message;

/// The words of the sanitizers of GCC and Clang for the faults that beginners make most, and those of `driver.cpp` for
/// the faults that it finds itself.
const FAULTS: &[(&str, Reading)] = &[
    (r"^Index (?P<index>-?\d+) out of bounds for type '(?P<type>[^']+)'", |found| {
        let message = Message::new("fault-index").with("index", &found["index"]);
        message.with("type", found["type"].replace(" [", "["))
    }),
    (r"^index past the end$", |_| Message::new("fault-past-end")),
    (r"^Signed integer overflow: (?P<sum>.+) cannot be represented in type '(?P<type>[^']+)'", overflow),
    (
        r"^Left shift of (?P<left>-?\d+) by (?P<by>\d+) places cannot be represented in type '(?P<type>[^']+)'",
        |found| of_sum(format!("{} << {}", &found["left"], &found["by"]), &found["type"]),
    ),
    (r"^Negation of (?P<of>-\d+) cannot be represented in type '(?P<type>[^']+)'", |found| {
        of_sum(format!("-({})", &found["of"]), &found["type"])
    }),
    (r"^Division of (?P<left>-\d+) by -1 cannot be represented in type '(?P<type>[^']+)'", |found| {
        of_sum(format!("{} / -1", &found["left"]), &found["type"])
    }),
    (r"^(?P<sum>.+) is outside the range of representable values of type '(?P<type>[^']+)'", overflow),
    (r"^Division by zero", |_| Message::new("fault-division")),
    (r"^Shift exponent (?P<by>-?\d+) is (?:negative|too large)", |found| {
        Message::new("fault-shift").with("by", &found["by"])
    }),
    (r"^Execution reached the end of a value-returning function", |_| Message::new("fault-no-return")),
    (r"^use of a null pointer$| null pointer of type |^[Nn]ull pointer passed as argument", |_| {
        Message::new("fault-null")
    }),
    (r"^use of a wrong address$", |_| Message::new("fault-address")),
    (r"^change of a constant$", |_| Message::new("fault-constant")),
    (r"^heap-buffer-overflow(?: \((?P<how>\w+)\))?", |found| access("fault-heap", found)),
    (r"^(?:dynamic-)?stack-buffer-(?:over|under)flow(?: \((?P<how>\w+)\))?", |found| {
        access("fault-stack", found)
    }),
    (r"^global-buffer-overflow(?: \((?P<how>\w+)\))?", |found| access("fault-global", found)),
    (r"^heap-use-after-free(?: \((?P<how>\w+)\))?", |found| access("fault-freed", found)),
    (r"^stack-use-after-(?:return|scope)(?: \((?P<how>\w+)\))?", |found| access("fault-ended", found)),
    (r"^Load of value .* which is not a valid value for type '(?P<type>[^']+)'", |found| {
        Message::new("fault-value").with("type", &found["type"])
    }),
    (
        r"^(?:allocation-size-too-big|out-of-memory|negative-size-param)|^[Vv]ariable length array bound",
        |_| Message::new("fault-too-big"),
    ),
    (r"^the length is (?P<length>-?\d+)$", |found| {
        Message::new("fault-length").with("length", &found["length"])
    }),
    (r"^local variables larger than the stack$", |_| Message::new("fault-locals")),
    (r"^double-free", |_| Message::new("fault-double-free")),
    (r"^bad-free of a result", |_| Message::new("fault-bad-result")),
    (r"^bad-free", |_| Message::new("fault-bad-free")),
    (r"^new-delete-type-mismatch", |_| Message::new("fault-delete-type")),
    (r"^alloc-dealloc-mismatch", |_| Message::new("fault-mismatch")),
    (r"^(?P<bytes>\d+) bytes(?: in \d+ blocks)?$", |found| {
        Message::new("fault-lost").with("bytes", &found["bytes"])
    }),
    (r"(?s)^(?P<bytes>\d+) bytes(?: in \d+ blocks)?, after (?P<raised>.+)$", |found| {
        Message::new("fault-lost-raised").with("bytes", &found["bytes"]).with("raised", &found["raised"])
    }),
    (r"^an empty container is asked for an item$", |_| Message::new("fault-empty")),
    (r"^an empty optional is asked for its value$", |_| Message::new("fault-no-value")),
];

/// The sentence for a fault; as the tool says it if it is not among the commonest.
pub(crate) fn sentence(fault: &str) -> Message {
    static PATTERNS: LazyLock<Vec<(Regex, Reading)>> =
        LazyLock::new(|| FAULTS.iter().map(|(regex, reading)| (pattern(regex), *reading)).collect());
    let known = PATTERNS.iter().find_map(|(regex, reading)| Some(reading(&regex.captures(fault)?)));
    known.unwrap_or_else(|| as_it_says(fault))
}

/// A fault as the tool or the program says it.
pub(crate) fn as_it_says(fault: &str) -> Message {
    Message::new("fault-other").with("fault", fault)
}

fn overflow(found: &Captures<'_>) -> Message {
    of_sum(found["sum"].to_owned(), &found["type"])
}

/// A result that is too large or too small for its type.
fn of_sum(sum: String, of_type: &str) -> Message {
    Message::new("fault-overflow").with("sum", sum).with("type", of_type)
}

/// An access to memory, which is read or written.
fn access(id: &'static str, found: &Captures<'_>) -> Message {
    Message::new(id).with("how", found.name("how").map_or("used", |how| how.as_str()))
}
