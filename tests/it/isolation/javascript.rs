//! Places in which a program in JavaScript can leave something.

use super::{Course, EXERCISE, leaves_traces, only_agrees, verdicts};
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;

/// The name of a place, how something is left there, and how it is found.
pub(super) const PLACES: &[(&str, &str, &str)] = &[
    ("a global variable", "kept = 1", "kept === 1"),
    ("a variable without a declaration", "undeclared = 1", "typeof undeclared !== 'undefined'"),
    ("the global object", "globalThis.other = 1", "globalThis.other === 1"),
    ("a class of its own", "Own.kept = 1", "Own.kept === 1"),
    ("a prototype", "Array.prototype.kept = 1", "[].kept === 1"),
    ("a symbol on a prototype", "Object.prototype[Symbol.for('kept')] = 1", "({})[Symbol.for('kept')] === 1"),
    (
        "a method of a prototype",
        "String.prototype.trim = function () { return 'kept'; }",
        "'a'.trim() === 'kept'",
    ),
    (
        "a getter of a prototype",
        "Object.defineProperty(Map.prototype, 'size', { get: () => 7 })",
        "new Map().size === 7",
    ),
    ("a constructor", "Array.kept = 1", "Array.kept === 1"),
    ("a function of a constructor", "Object.keys = () => ['kept']", "Object.keys({})[0] === 'kept'"),
    ("the functions of Math", "Math.max = () => 77", "Math.max(1) === 77"),
    ("a builtin by name", "Array = Own", "Array === Own || Array.name === 'Own'"),
    (
        "a prototype without a name",
        "Object.getPrototypeOf(function* () {}).kept = 1",
        "(function* () {}).kept === 1",
    ),
    ("the chain of prototypes", "Object.setPrototypeOf(Array.prototype, { kept: 1 })", "[].kept === 1"),
    ("a prototype that is frozen", "Object.freeze(Array.prototype)", "Object.isFrozen(Array.prototype)"),
    ("the limit of stacks", "Error.stackTraceLimit = 3", "Error.stackTraceLimit === 3"),
    ("the console", "console.log = Own", "console.log === Own || console.log.name === 'Own'"),
    ("the environment", "process.env.KEPT = '1'", "process.env.KEPT === '1'"),
    ("the arguments", "process.argv.push('kept')", "process.argv.includes('kept')"),
    ("the status", "process.exitCode = 3", "process.exitCode === 3"),
];

/// Those in the objects that all contexts of a process share: a case finds them there in both forms.
const SHARED: &[(&str, &str, &str)] = &[
    ("a class of node", "Buffer.kept = 1", "Buffer.kept === 1"),
    ("a prototype of node", "URL.prototype.kept = 1", "new URL('http://a').kept === 1"),
    ("a function of node", "setTimeout.kept = 1", "setTimeout.kept === 1"),
    ("a module of node", "require('events').kept = 1", "require('events').kept === 1"),
    ("a class in a module", "require('util').TextEncoder.kept = 1", "require('util').TextEncoder.kept === 1"),
    ("a function of the process", "process.hrtime.kept = 1", "process.hrtime.kept === 1"),
    ("the functions of node", "setTimeout.constructor.prototype.kept = 1", "setTimeout.kept === 1"),
];

/// Programs whose one file must run in the same way in both forms, as node runs a file: as the body of a
/// function.
const FILES: &[(&str, &str)] = &[
    (
        "a name of the global object",
        "const Infinity = 1e9;\nfunction leave() { return 'left'; }\nfunction look() { return Infinity < 1e10; }\n",
    ),
    (
        "a lost `this`",
        "var count = 3;\nfunction leave() { return 'left'; }\nfunction look() { return (function () { return this.count; })() === undefined; }\n",
    ),
    (
        "a function on the global object",
        "function leave() { return 'left'; }\nfunction look() { return globalThis.leave === undefined; }\n",
    ),
    (
        "`this` of the file",
        "this.look = () => this === module.exports;\nfunction leave() { return 'left'; }\n",
    ),
    ("a file that throws", "function leave() { return 'left'; }\nlet look = () => true;\nnull.x;\n"),
    (
        "a strict file that throws",
        "// Strict.\n'use strict';\nfunction leave() { return 'left'; }\nfunction look() { return this === undefined; }\nnull.x;\n",
    ),
];

/// A program that changes the console, and answers whether the change is lost at once: wrong in both forms.
const CONSOLE: &str = "function leave() { return 'left'; }
function look() { console.log = leave; return console.log !== leave; }
";

/// Declarations that the places need.
pub(super) const SETUP: &str = "let kept = 0;\nclass Own {}\n";

fn program(leave: &str, look: &str) -> String {
    format!(
        "{SETUP}function leave() {{
  {leave};
  return 'left';
}}
function look() {{
  return {look};
}}
"
    )
}

fn programs(places: &[(&'static str, &str, &str)]) -> Vec<(&'static str, String)> {
    places.iter().map(|(name, leave, look)| (*name, program(leave, look))).collect()
}

#[test]
fn no_place_is_remembered_from_case_to_case_on_node() {
    leaves_traces("memory.js", &programs(PLACES), &Interpreters::default());
    only_agrees("memory.js", &programs(SHARED), &Interpreters::default());
}

#[test]
fn changes_of_the_console_end_with_the_case() {
    let found = only_agrees("memory.js", &[("console", CONSOLE.to_owned())], &Interpreters::default());
    let expected = [("0", Verdict::Passed), ("a", Verdict::Passed), ("b", Verdict::WrongValue)];
    assert_eq!(verdicts(&found[0]), expected);
}

#[test]
fn a_file_runs_in_the_same_way_in_both_forms() {
    let programs: Vec<(&str, String)> =
        FILES.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    let reports = only_agrees("memory.js", &programs, &Interpreters::default());
    for ((name, _), report) in programs.iter().zip(&reports) {
        assert!(
            verdicts(report).iter().all(|(_, verdict)| *verdict == Verdict::Passed),
            "{name}: {:?}",
            verdicts(report)
        );
    }
}

#[cfg(feature = "quickjs")]
#[test]
fn no_place_is_remembered_from_case_to_case_on_the_embedded_engine() {
    leaves_traces("memory.js", &programs(PLACES), &crate::grading::embedded());
}

#[test]
fn a_hidden_case_does_not_come_out_in_a_visible_one() {
    let step = |call: &str| format!("[[step]]\ndo = \"{call}\"\nreturns = \"never\"\n");
    let visible = format!("title = \"Visible\"\n{}", step("look()"));
    let hidden = format!("title = \"Hidden\"\nhidden = true\n{}", step("leave()"));
    let course = Course::new(EXERCISE, &[("visible", &visible), ("hidden", &hidden)]);
    // A place that no look for traces reaches, in an object that all contexts of the process share.
    let text = "function leave() { return process.hrtime.bigint.kept = 'secret'; }
function look() { return process.hrtime.bigint.kept ?? 'nothing'; }
";
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    let report = course.grade(("memory.js", text), &Interpreters::default(), &mut worker);
    let visible = format!("{:?}", report.cases.first().unwrap().finding);
    assert!(visible.contains("nothing") && !visible.contains("secret"), "{visible}");
}
