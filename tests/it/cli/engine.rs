//! JavaScript on keur's embedded engine.

use super::{CASE, EXERCISE, grade_files, library};
use crate::running::{assert_says, keur, keur_command, run};

const COUNTER: &str = "class Counter {
  constructor(start = 0) { this.n = start; }
  countUp(by = 1) { this.n += by; return this; }
  value() { return this.n; }
}
";

#[track_caller]
fn check(files: &[(&str, &str)], verdict: &str, says: &str) {
    let library = library(EXERCISE, CASE);
    let (_, json) = grade_files(library.path(), files, &["--engine", "quickjs"]);
    let submission = &json["submissions"][0];
    let case = &submission["cases"][0];
    assert_eq!(case["verdict"], verdict, "{json:#}");
    let runtime = submission["runtime"].as_str().unwrap();
    assert!(runtime.starts_with("quickjs 0."), "{runtime}");
    assert!(case["finding"].to_string().contains(says), "{says:?} is not in {:#}", case["finding"]);
}

#[test]
fn every_form_of_export_is_loaded() {
    check(&[("counter.js", COUNTER)], "passed", "");
    check(&[("counter.js", &format!("{COUNTER}\nmodule.exports = Counter;"))], "passed", "");
    check(&[("counter.js", &format!("{COUNTER}\nmodule.exports = {{ Counter }};\nreturn;"))], "passed", "");
    check(&[("counter.mjs", &format!("export {COUNTER}"))], "passed", "");
    check(&[("counter.js", &format!("export default {COUNTER}"))], "passed", "");
    check(&[("counter.js", &format!("await null;\n{COUNTER}"))], "passed", "");
    let by_one = "exports.plus = (a, b) => a + b; exports['not a name'] = 1;";
    let importing =
        format!("import {{ plus }} from './plus.js';\nimport all from './plus.js';\nexport {COUNTER}")
            .replace("this.n += by", "this.n = plus(this.n, by) + (all.plus === plus ? 0 : 1)");
    check(&[("counter.js", &importing), ("plus.js", by_one)], "passed", "");
    let module =
        by_one.replace("exports.plus =", "export const plus =").replace("exports['not a name'] = 1;", "");
    let importing = importing.replace("import all from './plus.js'", "import * as all from './plus'");
    check(&[("counter.js", &importing), ("plus.js", &module)], "passed", "");
    let requiring =
        format!("const {{ plus }} = require('./plus');\n{COUNTER}").replace("+= by", "= plus(this.n, by)");
    check(&[("counter.js", &requiring), ("plus.js", by_one)], "passed", "");
}

#[test]
fn errors_have_a_place() {
    let raising = COUNTER.replace("return this.n;", "return this.m.n;");
    check(&[("counter.js", &raising)], "raised", "\"line\":4");
    check(&[("counter.js", &format!("{COUNTER}let let = 3;"))], "load error", "a syntax error");
    check(
        &[("counter.js", &format!("const assert = require('assert');\n{COUNTER}"))],
        "load error",
        "part of node",
    );
    check(
        &[("counter.js", &format!("require('fs');\n{COUNTER}"))],
        "load error",
        "not available to a submission",
    );
    check(&[("counter.js", &COUNTER.replace("return this.n;", "return 4;"))], "wrong value", "\"got\":\"4\"");
    check(&[("counter.js", &format!("await new Promise(() => {{}});\n{COUNTER}"))], "crashed", "13");
}

#[test]
fn its_console_prints_as_node_does() {
    let values = "'a', 1, -0, 2n, null, undefined, true, [1, 'b', [2, [3, [4]]]], { a: 1, 'b c': { d: [] } }, \
                  new Map([[1, 'x']]), new Set(['y']), () => 1, class A {}, Symbol('s')";
    let printing =
        format!("console.log({values}); console.log('%s is %d%%', 'x', 3, 'more'); console.log();");
    let case = CASE.replace("do = \"c.value()\"", "do = \"c.value()\"\nprints = \"nothing of the kind\"");
    let library = library(EXERCISE, &case);
    let file = COUNTER.replace("value() {", &format!("value() {{ {printing}"));
    let printed = |engine: &str| {
        let (_, json) = grade_files(library.path(), &[("counter.js", &file)], &["--engine", engine]);
        let case = &json["submissions"][0]["cases"][0];
        assert_eq!(case["verdict"], "wrong output", "{json:#}");
        case["finding"]["got"].as_str().unwrap().to_owned()
    };
    assert_eq!(printed("quickjs"), printed("node"));
}

#[test]
fn quickjs_is_used_without_node_and_named() {
    let submission = "fixtures/submissions/quixo/javascript/correct_flat.js";
    let taken = run(keur_command(&["grade", submission]).env("PATH", "/nonexistent"));
    assert_eq!(taken.code, 0, "{}", taken.out);
    assert!(taken.out.lines().next().unwrap().contains("QuickJS 0."), "{}", taken.out);
    // A program that was named explicitly is not replaced.
    let named = keur(&["grade", submission, "--node", "/nonexistent/node"]);
    assert_eq!(named.code, 4, "{}", named.out);
    // Nor is an engine that was chosen.
    let chosen = run(keur_command(&["grade", submission, "--engine", "node"]).env("PATH", "/nonexistent"));
    assert_eq!(chosen.code, 4);
}

#[test]
fn forks_work_without_a_fork_server_too() {
    let submission = "fixtures/submissions/quixo/javascript/correct_flat.js";
    let run = keur(&["grade", submission, "--engine", "quickjs", "--confine", "portable"]);
    assert_eq!(run.code, 0, "{}", run.out);
}

#[test]
fn the_hidden_command_says_what_it_is_for() {
    let run = keur(&["engine", "piano"]);
    assert_eq!(run.code, 2);
    assert_says(&run.err, "--engine quickjs");
}
