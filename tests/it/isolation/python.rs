//! Places in which a program in Python can leave something.

use super::{leaves_traces, only_agrees, verdicts};
use keur_core::compare::Verdict;
use keur_core::languages::Interpreters;

/// The name of a place, how something is left there, and how it is found.
pub(super) const PLACES: &[(&str, &str, &str)] = &[
    ("a global variable", "global kept; kept = 1", "kept == 1"),
    ("a class of its own", "Own.kept = 1", "hasattr(Own, 'kept')"),
    ("a default argument", "remember(1)", "len(remember()) > 1"),
    ("a module of the library", "import math; math.kept = 1", "hasattr(__import__('math'), 'kept')"),
    (
        "a module that it loads",
        "import queue; queue.kept = 1",
        "'queue' in sys.modules and hasattr(sys.modules['queue'], 'kept')",
    ),
    (
        "a type of the library",
        "import collections; collections.Counter.kept = 1",
        "hasattr(__import__('collections').Counter, 'kept')",
    ),
    ("the builtins", "import builtins; builtins.kept = 1", "hasattr(__import__('builtins'), 'kept')"),
    ("a builtin function", "import builtins; builtins.abs = len", "abs is len"),
    ("the main module", "import __main__; __main__.kept = 1", "hasattr(__import__('__main__'), 'kept')"),
    ("a module by hand", "sys.modules['kept'] = Own", "'kept' in sys.modules"),
    (
        "a module taken away",
        "sys.modules.pop('math', None); sys.modules.pop('marshal')",
        "'marshal' not in sys.modules",
    ),
    ("the limit of recursion", "sys.setrecursionlimit(555)", "sys.getrecursionlimit() == 555"),
    ("the limit of digits", "sys.set_int_max_str_digits(700)", "sys.get_int_max_str_digits() == 700"),
    ("the interval of threads", "sys.setswitchinterval(0.5)", "sys.getswitchinterval() == 0.5"),
    ("the path of modules", "sys.path.append('/kept')", "'/kept' in sys.path"),
    ("the arguments", "sys.argv.append('kept')", "'kept' in sys.argv"),
    (
        "a finder of modules",
        "sys.meta_path.append(Own)",
        "Own.__name__ in [getattr(one, '__name__', '') for one in sys.meta_path]",
    ),
    ("a trace function", "sys.settrace(lambda *_: None)", "sys.gettrace() is not None"),
    ("a profiler", "sys.setprofile(lambda *_: None)", "sys.getprofile() is not None"),
    ("a hook of exceptions", "sys.excepthook = print", "sys.excepthook is print"),
    (
        "the standard output",
        "import io; sys.stdout = io.StringIO()",
        "type(sys.stdout).__name__ == 'StringIO'",
    ),
    (
        "the encoding of the output",
        "sys.stdout.reconfigure(encoding='latin-1')",
        "sys.stdout.encoding == 'latin-1'",
    ),
    (
        "a handler of signals",
        "import signal; signal.signal(signal.SIGTERM, print)",
        "__import__('signal').getsignal(15) is print",
    ),
    ("random numbers", "import random; random.random()", "__import__('random').random() != first"),
    (
        "the context of decimals",
        "import decimal; decimal.getcontext().prec = 7",
        "__import__('decimal').getcontext().prec == 7",
    ),
    ("the environment", "import os; os.environ['KEPT'] = '1'", "'KEPT' in __import__('os').environ"),
    (
        "the environment below",
        "import posix; posix.environ[b'KEPT'] = b'1'",
        "b'KEPT' in __import__('posix').environ",
    ),
    ("a descriptor", "import os; os.dup(2)", "__import__('os').dup(2) > 4"),
    (
        "a function at the end",
        "import atexit; atexit.register(print)",
        "__import__('atexit')._ncallbacks() > 0",
    ),
    ("the collector of garbage", "import gc; gc.disable()", "not __import__('gc').isenabled()"),
    ("the collector's limits", "import gc; gc.set_threshold(5)", "__import__('gc').get_threshold()[0] == 5"),
    (
        "the collector's callbacks",
        "import gc; gc.callbacks.append(print)",
        "print in __import__('gc').callbacks",
    ),
    (
        "the filters of warnings",
        "import warnings; warnings.simplefilter('error')",
        "__import__('warnings').filters[0][0] == 'error'",
    ),
    ("an object that dies late", "Late()", "hasattr(__import__('math'), 'late')"),
];

/// The first lines of a program with these places.
pub(super) fn setup() -> &'static str {
    "import sys
kept = 0
first = 0.8444218515250481

class Own:
    pass

class Late:
    def __init__(self):
        self.own = self

    def __del__(self):
        __import__('math').late = 1

def remember(one=None, all=[0]):
    all += [one] if one else []
    return all
"
}

/// Statements, one on a line, in the body of a method.
pub(super) fn indented(statements: &str) -> String {
    if statements.is_empty() { "pass".to_owned() } else { statements.replace('\n', "\n        ") }
}

fn program(leave: &str, look: &str) -> String {
    format!(
        "{}\ndef leave():\n    {leave}\n    return 'left'\n\ndef look():\n    return bool({look})\n",
        setup()
    )
}

#[test]
fn no_place_is_remembered_from_case_to_case() {
    let programs: Vec<(&str, String)> =
        PLACES.iter().map(|(name, leave, look)| (*name, program(leave, look))).collect();
    leaves_traces("memory.py", &programs, &Interpreters::default());
}

#[test]
fn output_while_loading_counts_in_every_case() {
    let text = "print('x' * 40_000)

def leave():
    print('y' * 40_000)
    return 'left'

def look():
    return True
";
    let reports = only_agrees("memory.py", &[("prints", text.to_owned())], &Interpreters::default());
    let expected = [("0", Verdict::Passed), ("a", Verdict::OutputLimit), ("b", Verdict::Passed)];
    assert_eq!(verdicts(&reports[0]), expected);
}

#[test]
fn a_program_whose_replies_go_to_its_output_is_told_the_same_each_time() {
    let program =
        "import os\n\ndef leave():\n    os.dup2(1, 3)\n    return 'left'\n\ndef look():\n    return True\n";
    let reports = only_agrees(
        "memory.py",
        &[("first", program.to_owned()), ("second", program.to_owned())],
        &Interpreters::default(),
    );
    assert_eq!(verdicts(&reports[0])[1], ("a", Verdict::Crashed));
    assert_eq!(reports[0].cases, reports[1].cases);
}
