//! `keur show`: a case as a session, in each language, that says what its steps are expected to answer.

use crate::running::{assert_says, folder, keur, root};
use std::fs;
use std::process::Command;

const EXERCISE: &str = r#"
title = "Tills"
session = "python"
raises = "ValueError"

[function]
greet = { args = ["name"] }
orders = { args = [], returns = "[Order]", any_order = true }

[class.Till]
new = ["start?"]
attributes = ["owner"]
methods = { pay_in = ["sum", "note?"], text = [] }

[view]
Order = ["it.text()"]
"#;

/// The session of a case with these steps.
fn shown(steps: &str, language: &str) -> String {
    let place = folder(&[("exercise.toml", EXERCISE), ("one.toml", &format!("title = 'One'\n{steps}"))]);
    let case = place.path().join("one.toml");
    let shown = keur(&["show", case.to_str().unwrap(), "--in", language]);
    assert_eq!((shown.code, shown.err.as_str()), (0, ""), "{steps}");
    shown.out
}

#[track_caller]
fn check(steps: &str, language: &str, session: &str) {
    let out = shown(steps, language);
    let (_, lines) = out.split_once('\n').unwrap();
    assert_eq!(lines, session.trim_start_matches('\n'), "{language}");
}

const STEPS: &str = r#"
[[step]]
do = "t = Till(5)"
shows = "5 euros\n\nin all"
[[step]]
do = "t.pay_in(3, note='it''s')"
same = "t"
[[step]]
do = "u = Till()"
returns = { not_same = "t" }
[[step]]
do = "t.pay_in(-1)"
raises = "too little"
[[step]]
do = "t.owner = greet('An')"
prints = "3"
returns = "An"
[[step]]
do = "greet('Bo')"
prints = "Hi,\nBo"
[[step]]
do = "greet('Cy')"
equals = "None"
prints = "Hi"
[[step]]
do = "greet('Di')"
equals = "{(1, 2.0)}"
"#;

#[test]
fn a_case_is_a_session_of_python() {
    let steps = STEPS.replace("'it''s'", "'all'");
    check(
        &steps,
        "python",
        "
>>> t = Till(5)
>>> print(t)
5 euros
<BLANKLINE>
in all
>>> t.pay_in(3, note='all') is t
True
>>> u = Till()
>>> u is t
False
>>> t.pay_in(-1)
Traceback (most recent call last):
ValueError: too little
>>> t.owner = greet('An')
3
>>> t.owner
'An'
>>> greet('Bo')
Hi,
Bo
>>> answer = greet('Cy')
Hi
>>> answer is None
True
>>> greet('Di')
{(1, 2.0)}
",
    );
}

#[test]
fn a_case_is_a_session_of_node() {
    let steps = STEPS.replace("'it''s'", "'all'");
    check(
        &steps,
        "javascript",
        "
> t = new Till(5)
> console.log(t.toString())
5 euros
<BLANKLINE>
in all
> t.payIn(3, \"all\") === t
true
> u = new Till()
> u === t
false
> t.payIn(-1)
Error: too little
> // prints:
> //   3
> t.owner = greet(\"An\")
> t.owner
\"An\"
> greet(\"Bo\")
Hi,
Bo
> const answer = greet(\"Cy\")
Hi
> answer
null
> greet(\"Di\")
new Set([[1, 2]])
",
    );
}

#[test]
fn a_case_is_statements_in_other_languages() {
    let steps =
        STEPS.replace("'it''s'", "'all'").replace("in all", "+ in all") + "[[step]]\ndo = \"t = Till(1)\"\n";
    check(
        &steps,
        "java",
        "
var t = new Till(5);
System.out.println(t);
// 5 euros
//
// + in all
t.payIn(3, \"all\"); // t itself
var u = new Till(); // not t itself
t.payIn(-1); // throws: too little
t.owner = greet(\"An\"); // \"An\"
// prints:
//   3
greet(\"Bo\");
// prints:
//   Hi,
//   Bo
greet(\"Cy\"); // null
// prints:
//   Hi
greet(\"Di\"); // Set.of(List.of(1, 2.0))
t = new Till(1);
",
    );
    let rust = shown(&steps, "rust");
    assert_says(&rust, "t.pay_in(-1); // Err(\"too little\")\n");
    let cpp = shown(&steps, "cpp");
    assert_says(&cpp, "\nauto t = Till(5);\nstd::cout << t;\n// 5 euros\n");
    let lists = "[[step]]\ndo = [\"l = [1]\", \"t = Till(2)\"]\n";
    check(lists, "cpp", "\nstd::vector l = {1};\nauto t = Till(2);\n");
    check(lists, "c", "\nint l[] = {1};\nauto t = (Till){2};\n");
    let typescript = shown(&steps, "typescript");
    assert_says(&typescript, "\nlet t = new Till(5);\n");
    assert!(typescript.ends_with("\nt = new Till(1);\n"), "{typescript}");
}

#[test]
fn expectations_that_a_session_lacks_are_comments() {
    let steps = r#"
hidden = true
[input_files]
"a.txt" = "one\n"
[[step]]
do = "greet('An')"
returns = { approx = 1.5, within = 1e-6 }
[[step]]
do = "greet('Bo')"
returns = { any_order = [1, 2] }
compare = { within = 1e-9 }
[[step]]
do = "greet('Cy')"
returns = { one_of = [1, "x"] }
prints = ""
raises = { type = "OSError" }
"#;
    let steps =
        steps.replace("raises = { type = \"OSError\" }\n", "writes = { 'b.txt' = { contains = 'b' } }\n");
    let steps = steps
        + "[[step]]\ndo = \"orders()\"\nreturns = [['a']]\n[[step]]\ndo = \"greet('Di')\"\nraises = true\n";
    let session = "
# with the file a.txt:
#   one
>>> # about 1.5: at most 1e-06 away
>>> greet('An')
>>> # numbers may differ by 1e-9
>>> # in any order
>>> greet('Bo')
[1, 2]
>>> # from here on, values and texts are exact
>>> # one of: 1, 'x'
>>> # prints nothing
>>> # writes the file b.txt, which contains 'b'
>>> greet('Cy')
>>> # each item is shown as [it.text()]
>>> # orders gives its items in any order
>>> orders()
[['a']]
>>> # any exception
>>> greet('Di')
Traceback (most recent call last):
Exception
";
    check(&steps, "python", session);
    assert!(shown(&steps, "python").starts_with("# One (hidden)\n"));
}

#[test]
fn a_text_that_looks_like_a_prompt_is_a_string() {
    let steps =
        "[[step]]\ndo = \"t = Till()\"\nshows = \"> 1\"\n[[step]]\ndo = \"greet('An')\"\nprints = \">>> \"\n";
    check(
        steps,
        "python",
        ">>> t = Till()\n>>> str(t)\n'> 1'\n>>> # prints:\n>>> #   >>>\n>>> greet('An')\n",
    );
    for (line, printed) in [
        ("isinstance(t, Till)", "(t instanceof Till)"),
        ("[1, 2]", "[1, 2]"),
        ("-1", "(-1)"),
        ("greet('a b')", "greet(\"a b\")"),
        ("Till(1)", "new Till(1)"),
    ] {
        let steps = format!("[[step]]\ndo = \"t = Till()\"\n[[step]]\ndo = \"{line}\"\nshows = \"1\"\n");
        check(&steps, "javascript", &format!("> t = new Till()\n> console.log({printed}.toString())\n1\n"));
    }
    let text = "[[step]]\ndo = \"t = Till()\"\n[[step]]\ndo = \"t.str()\"\nshows = \"1\"\n";
    check(text, "python", ">>> t = Till()\n>>> print(t)\n1\n");
}

#[test]
fn each_row_and_each_case_of_a_folder_is_shown_below_its_title() {
    let shown = keur(&["show", "fixtures/exercises/numerals", "--in", "javascript"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let row = "// Numbers in Roman numerals: n = 4\n> toRoman(4)\n\"IV\"\n\n//";
    assert_says(&shown.out, row);
    let program = keur(&["show", "fixtures/exercises/adder/the_arguments_are_added_up.toml"]);
    assert!(program.code == 2 && program.err.contains("cannot read"), "{}", program.err);
    let program = keur(&["show", "fixtures/exercises/adder", "fixtures/exercises/matrices/exercise.toml"]);
    assert!(
        program.out.contains("\n# $ python3 adder.py 3 -10 4\n# its output:\n#   Sum: -3\n"),
        "{}",
        program.out
    );
}

#[test]
fn a_broken_case_has_its_place() {
    let place =
        folder(&[("exercise.toml", EXERCISE), ("one.toml", "title = 'One'\n[[step]]\ndo = 'gret(1)'\n")]);
    let case = place.path().join("one.toml");
    let shown = keur(&["show", case.to_str().unwrap()]);
    assert_eq!((shown.code, shown.out.as_str()), (3, ""));
    assert_says(&shown.err, "one.toml:3:7");
    let unknown = keur(&["show", case.to_str().unwrap(), "--in", "perl"]);
    assert!(unknown.code == 2 && unknown.err.contains("expected one of: python"), "{}", unknown.err);
}

/// Runs a session on a submission as Python's own doctest does. What a case expects nothing of may answer
/// anything.
const DOCTEST: &str = "
import doctest, sys
names = {}
exec(open(sys.argv[1]).read(), names)
class Checker(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        return not want or super().check_output(want, got, flags)
test = doctest.DocTestParser().get_doctest(sys.stdin.read(), names, 'shown', None, 0)
assert len(test.examples) > 5
runner = doctest.DocTestRunner(checker=Checker())
runner.run(test)
sys.exit(runner.failures > 0)
";

#[test]
fn a_right_submission_answers_as_the_session_says() {
    for (game, file) in [("codenames", "correct.py"), ("yinyang", "correct_sets.py")] {
        let correct = root().join(format!("fixtures/submissions/{game}/python/{file}"));
        let shown = keur(&["show", &format!("cases/{game}/spec_session.toml"), "--in", "python"]);
        let place = folder(&[("session.txt", &shown.out)]);
        let session = place.path().join("session.txt");
        let mut python = Command::new("python3");
        python.args(["-c", DOCTEST]).arg(&correct).stdin(fs::File::open(&session).unwrap());
        let run = python.output().unwrap();
        let [out, err] = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(run.status.success(), "{game}: {out}{err}");
    }
}

#[test]
fn a_session_in_rust_has_the_types_of_the_trait() {
    let session = |case: &str| keur(&["show", &format!("cases/quixo/{case}.toml"), "--in", "rust"]).out;
    // `unwrap` would panic, and `unwrap_err` wants the type to have `Debug`.
    let sizes = session("at_most_26_columns");
    assert!(
        sizes.contains("assert!(Quixo::new(27, None).is_err()); // Err(\"ongeldig rooster\")"),
        "{sizes}"
    );
    let positions = session("distant_columns");
    assert!(positions.contains(".unwrap(); // (0, ") && !positions.contains("vec!["), "{positions}");
}
