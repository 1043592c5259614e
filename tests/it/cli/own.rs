//! Files of an instructor beside the cases: a reference, samples, and checks of their own.

use super::{CASE, COUNTER, library};
use crate::running::{Run, assert_says, folder, keur, unwrapped};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const EXERCISE: &str = r#"title = "Bank"
session = "python"
reference = { python = "solution/bank.py", javascript = "solution/bank.js" }
[files]
python = ["bank.py"]
javascript = ["bank.js"]
[class.Account]
new = ["balance"]
methods = { pay = ["amount"], copy = [] }
[function]
path = { args = ["n"] }
"#;

const PAY: &str = r#"title = "It pays"
points = 2
[[step]]
do = "a = Account(10)"
[[step]]
do = "a.pay(3)"
returns = 7
[[step]]
do = "a.pay(2.5)"
returns = { reference = true }
"#;

const PATH: &str = r#"title = "A path"
points = 4
[[step]]
do = "path(3)"
returns = { check = "checks/checker.py:isPath", with = [3, "numbers"] }
"#;

const CHECKER: &str = r#"from lengths import length_of

def isPath(value, n, kind):
    if type(value) is not list:
        return False, f"a path is a list of {kind},\nnot {value!r}"
    right = sum(a == b for a, b in zip(value, range(n))) / n
    return (right, "some places are wrong") if right < 1 else length_of(value) == n
"#;

const PYTHON: &str = "class Account:
    def __init__(self, balance):
        self.balance = balance
    def pay(self, amount):
        self.balance -= amount
        return self.balance
    def copy(self):
        return Account(self.balance)
def path(n):
    return list(range(n))
";

const JAVASCRIPT: &str = "class Account {
  constructor(balance) { this.balance = balance; }
  pay(amount) { this.balance -= amount; return this.balance; }
  copy() { return new Account(this.balance); }
}
function path(n) { return [...Array(n).keys()]; }
module.exports = { Account, path };
";

/// The exercise with its cases, references, a check and samples; then these files, where an empty one is
/// removed.
fn bank(changes: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let adds = PYTHON.replace("-=", "+=");
    let files = [
        ("exercise.toml", EXERCISE),
        ("pay.toml", PAY),
        ("path.toml", PATH),
        ("checks/checker.py", CHECKER),
        ("checks/lengths.py", "def length_of(value):\n    return len(value)\n"),
        ("solution/bank.py", PYTHON),
        ("solution/bank.js", JAVASCRIPT),
        ("samples/right/plain.py", PYTHON),
        ("samples/right/plain.js", JAVASCRIPT),
        ("samples/wrong/adds/bank.py", &adds),
    ];
    for (name, text) in files.iter().chain(changes) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if text.is_empty() {
            fs::remove_file(path).unwrap();
        } else {
            fs::write(path, text).unwrap();
        }
    }
    folder
}

#[track_caller]
fn check(changes: &[(&str, &str)], code: i32, says: &[&str]) {
    let folder = bank(changes);
    let Run { code: found, out, err } = keur(&["check", folder.path().to_str().unwrap()]);
    let (all, place) = (unwrapped(&format!("{out}{err}")), folder.path().display().to_string());
    assert_eq!(found, code, "{out}{err}");
    for says in says {
        let says = unwrapped(&says.replace("@", &place));
        assert!(all.contains(&says), "{says:?} is not in:\n{out}{err}");
    }
}

/// The exit code and the report of a submission.
fn grade(library: &Path, name: &str, text: &str, more: &[&str]) -> (i32, Value) {
    let folder = folder(&[(name, text)]);
    let file = folder.path().join(name);
    let mut args = vec!["grade", file.to_str().unwrap(), "--cases", library.to_str().unwrap()];
    args.extend(["--format", "json"]);
    args.extend(more);
    let run = keur(&args);
    (run.code, run.json()["submissions"][0].clone())
}

#[test]
fn cases_are_held_against_each_reference_and_samples_are_graded() {
    check(
        &[],
        0,
        &[
            "2 cases of 1 exercise: the reference agrees with each",
            "3 samples: 2 right and 1 wrong, as each should be",
        ],
    );
    let adds = JAVASCRIPT.replace("-=", "+=");
    let disagrees = "error: the reference @/solution/bank.js disagrees with step 2 (wrong value) --> @/pay.toml:7:11 | \
                     7 | returns = 7 | ^ | > a.pay(3) - the case 7 + the reference 13";
    check(&[("solution/bank.js", &adds)], 3, &[disagrees]);
    let raises = PYTHON.replace("return list(range(n))", "raise ValueError('no')");
    check(
        &[("solution/bank.py", &raises)],
        3,
        &["the reference raises ValueError: no, at line 10 of bank.py"],
    );
    // The reference is one file, without the program beside it.
    let programs = format!("{EXERCISE}[programs]\npython = [\"count.py\"]\njavascript = [\"count.js\"]\n");
    check(
        &[
            ("exercise.toml", &programs),
            ("solution/count.py", "print(1)\n"),
            ("run.toml", "title = \"It counts\"\n[[step]]\nrun = \"count.py\"\nprints = \"1\"\n"),
        ],
        3,
        &["error: the reference @/solution/bank.py disagrees with step 1 (load error) --> @/run.toml:3:7 | \
           3 | run = \"count.py\" | ^^^^^^^^^^ the program count.py is missing"],
    );
    let writes = "title = \"It writes\"\n[[step]]\ndo = \"path(1)\"\nwrites = { \"out.txt\" = \"1\" }\n";
    check(&[("writes.toml", writes)], 3, &["--> @/writes.toml:4:10", "out.txt"]);
    let none = EXERCISE.lines().filter(|line| !line.contains("reference")).collect::<Vec<_>>().join("\n");
    let pay = PAY.replace("{ reference = true }", "4.5");
    check(
        &[("exercise.toml", &none), ("pay.toml", &pay)],
        0,
        &["2 cases of 1 exercise: well formed", "3 samples"],
    );
}

#[test]
fn samples_that_are_not_as_they_should_be_are_named() {
    let adds = PYTHON.replace("-=", "+=");
    let pinned =
        "[adds]\ndefect = \"pays in\"\nfails.pay = \"wrong value at step 2\"\n[\"plain.js\"]\nfails = {}\n";
    check(&[("samples/verdicts.toml", pinned)], 0, &["3 samples"]);
    // The results of a case that waits for another one follow from that one, and need no line.
    let waits =
        ("waits.toml", "title = \"It waits\"\nneeds = [\"pay\"]\n[[step]]\ndo = \"a = Account(1)\"\n");
    check(&[("samples/verdicts.toml", pinned), waits], 0, &["3 samples"]);
    let told = pinned.replace("at step 2\"", "at step 2\"\nfails.waits = \"not run\"");
    check(&[("samples/verdicts.toml", &told), waits], 0, &["3 samples"]);
    let told = told.replace("not run", "raised");
    check(&[("samples/verdicts.toml", &told), waits], 3, &["waits: expected raised, found not run"]);
    for (changes, says) in [
        (
            ("samples/right/adds.py", adds.as_str()),
            "error: @/samples/right/adds.py does not pass: pay: wrong value at step 2 (@/pay.toml:6): 13 \
             instead of 7 | >>> a.pay(3) expected: 7 got: 13",
        ),
        (
            ("samples/wrong/none.py", PYTHON),
            "error: @/samples/wrong/none.py: it is wrong, but passes every case: add a case that it fails",
        ),
        (
            ("samples/verdicts.toml", "[adds]\nfails.pay = \"wrong value at step 3\"\n"),
            "@/samples/wrong/adds: pay: expected wrong value at step 3, found wrong value at step 2",
        ),
        (("samples/verdicts.toml", "[adss]\n"), "there is no sample `adss` --> @/samples/verdicts.toml:1:2"),
        (("samples/verdicts.toml", "[plain]\n"), "several samples are called `plain`"),
        (
            ("samples/verdicts.toml", "[adds]\nfails.pya = \"raised\"\n"),
            "no case `pya` --> @/samples/verdicts.toml:2:7",
        ),
        (("samples/verdicts.toml", "[adds]\nfails.pay = \"wrong\"\n"), "this is not a verdict"),
        (("samples/verdicts.toml", "[adds]\nfail.pay = \"raised\"\n"), "did you mean `fails`?"),
        (("samples/rigth/one.py", PYTHON), "@/samples/rigth: samples are in samples/right and samples/wrong"),
        (("samples/right/empty.py", " \n"), "@/samples/right/empty.py"),
    ] {
        check(&[changes], 3, &[says]);
    }
}

#[test]
fn the_reference_is_asked_what_it_answers() {
    let folder = bank(&[("path.toml", "")]);
    let only_python = EXERCISE.replace(", javascript = \"solution/bank.js\"", "");
    let other = bank(&[("path.toml", ""), ("exercise.toml", &only_python)]);
    let rounds =
        PYTHON.replace("return self.balance\n    def copy", "return int(self.balance)\n    def copy");
    for (library, name, text, expected) in [
        (&folder, "bank.py", PYTHON, None),
        (&folder, "bank.js", JAVASCRIPT, None),
        (&other, "bank.js", JAVASCRIPT, None),
        (&folder, "bank.py", &rounds, Some("4.5")),
    ] {
        let (code, report) = grade(library.path(), name, text, &["--isolation", "both"]);
        assert_eq!(code, i32::from(expected.is_some()), "{report:#}");
        assert_eq!(report["cases"][0]["finding"]["expected"].as_str(), expected, "{report:#}");
    }
    let path = folder.path().join("answer.py");
    fs::write(&path, PYTHON).unwrap();
    let run = keur(&["test", path.to_str().unwrap(), "--cases", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn the_reference_is_asked_once_whatever_the_number_of_workers() {
    let clock = PYTHON
        .replace("return self.balance\n    def copy", "return __import__('time').time_ns()\n    def copy");
    let pay = PAY.replace("returns = 7\n", "");
    let folder = bank(&[("solution/bank.py", &clock), ("pay.toml", &pay), ("path.toml", "")]);
    let class = tempfile::tempdir().unwrap();
    for name in ["a.py", "b.py", "c.py", "d.py"] {
        fs::write(class.path().join(name), PYTHON).unwrap();
    }
    let (class, cases) = (class.path().to_str().unwrap(), folder.path().to_str().unwrap());
    let run = keur(&["grade", "--each", class, "--cases", cases, "--format", "json", "--jobs", "4"]);
    let json = run.json();
    let submissions = json["submissions"].as_array().unwrap().iter();
    let mut expected: Vec<&str> =
        submissions.map(|report| report["cases"][0]["finding"]["expected"].as_str().unwrap()).collect();
    assert_eq!(expected.len(), 4);
    expected.dedup();
    assert_eq!(expected.len(), 1, "{expected:?}");
}

#[test]
fn a_reference_that_cannot_answer_is_no_fault_of_a_submission() {
    let copy = format!("{PAY}[[step]]\ndo = \"a.copy()\"\nreturns = {{ reference = true }}\n");
    let raises = PYTHON.replace("return self.balance\n    def copy", "raise KeyError(1)\n    def copy");
    let lacks = PYTHON.replace("class Account", "class Acount");
    for (changes, says) in [
        (&[("solution/bank.py", "")][..], "the reference @/solution/bank.py cannot be used: No such file"),
        (&[("solution/bank.py", "class :\n")], "cannot be used: SyntaxError: invalid syntax"),
        (&[("solution/bank.py", &lacks)], "cannot be used: it does not define `Account`"),
        (&[("solution/bank.py", "while True: pass\n")], "cannot be used: time limit"),
        (
            &[("solution/bank.py", &raises)],
            "@/pay.toml:9: the reference @/solution/bank.py has no answer here: it raises KeyError: 1",
        ),
        (
            &[("pay.toml", &copy)],
            "@/pay.toml:12: the reference @/solution/bank.py has no answer here: it answers with an object of the type `Account`",
        ),
        (
            &[("exercise.toml", &EXERCISE.replace("solution/bank.py", "solution/bank.js"))],
            "is not a submission in Python",
        ),
    ] {
        let folder = bank(changes);
        let (code, report) = grade(folder.path(), "answer.py", PYTHON, &[]);
        let said = report["error"]["message"].as_str().unwrap_or_default();
        let place = folder.path().display().to_string();
        assert_eq!(code, 3, "{report:#}");
        assert!(said.contains(&says.replace("@", &place)), "{says:?} is not in {said:?}: {report:#}");
        assert_eq!(keur(&["check", folder.path().to_str().unwrap()]).code, 3);
    }
}

/// The verdict, the points in hundredths and the sentence of a submission whose `path` does this.
fn judged(library: &Path, body: &str) -> (String, u64, String) {
    let text = PYTHON.replace("return list(range(n))", body);
    let (_, report) = grade(library, "answer.py", &text, &["--case", "path", "--isolation", "both"]);
    let case = &report["cases"][0];
    let points = (case["points"].as_f64().unwrap_or_else(|| panic!("{report:#}")) * 100.0).round() as u64;
    let said = case["finding"]["message"].as_str().unwrap_or_default();
    (case["verdict"].as_str().unwrap().to_owned(), points, said.to_owned())
}

#[test]
fn a_check_says_what_a_value_earns() {
    let folder = bank(&[]);
    for (body, verdict, points, said) in [
        ("return [0, 1, 2]", "passed", 400, ""),
        ("return [0, 1, 5]", "wrong value", 267, "some places are wrong"),
        ("return 'x'", "wrong value", 0, "a path is a list of numbers, not 'x'"),
        ("return None", "wrong value", 0, "a path is a list of numbers, not None"),
        ("return [object()]", "wrong value", 0, "there is a object in the value, which cannot be checked"),
        ("yield 1", "wrong value", 0, "a generator was returned instead of the value"),
        ("return list(range(30000))", "wrong value", 0, "too large"),
        ("raise ValueError('no')", "raised", 0, "ValueError was raised, but no exception"),
    ] {
        let (found, earned, sentence) = judged(folder.path(), body);
        assert_eq!((found.as_str(), earned), (verdict, points), "{body}: {sentence}");
        assert!(sentence.contains(said), "{body}: {sentence}");
    }
}

#[test]
fn a_share_counts_when_all_else_holds() {
    let step = "[[step]]\ndo = \"path(1)\"\nreturns = ";
    for (last, points) in [("[0, 1, 5]", 267), ("[0]", 0)] {
        let folder = bank(&[("path.toml", &format!("{PATH}{step}{last}\n"))]);
        assert_eq!(judged(folder.path(), "return [0, 1, 5]").1, points, "{last}");
    }
    // Half of 4 points, although nothing is returned.
    let folder =
        bank(&[("checks/checker.py", "def isPath(value, n, kind):\n    return value is not None or 0.5\n")]);
    assert_eq!(judged(folder.path(), "pass").1, 200);
}

#[test]
fn a_check_judges_what_is_shown_printed_and_written() {
    let exercise = EXERCISE.replace("[class", "[programs]\npython = [\"main.py\"]\n[class");
    let checker = "def ends(text, end):\n    return text.endswith(end) or (0.5, f'{text!r} has no {end}')\n";
    let case = |title: &str, does: &str| {
        let check = format!("{title} = {{ check = \"ends.py:ends\", with = [\"!\"] }}");
        format!("title = \"{title}\"\npoints = 2\n[[step]]\n{does}\n{check}\n")
    };
    let call = "do = \"path(1)\"";
    let cases = [case("prints", call), case("shows", call), case("errors", "run = \"main.py\"")];
    let [prints, shows, errors] = cases.each_ref().map(String::as_str);
    let library = bank(&[
        ("path.toml", ""),
        ("exercise.toml", &exercise),
        ("ends.py", checker),
        ("prints.toml", prints),
        ("shows.toml", shows),
        ("errors.toml", errors),
    ]);
    for (mark, points, said) in [("!", 200, None), ("?", 100, Some("'path?' has no !"))] {
        let folder = tempfile::tempdir().unwrap();
        let body = format!("print('path{mark}')\n    return 'path{mark}'");
        fs::write(folder.path().join("bank.py"), PYTHON.replace("return list(range(n))", &body)).unwrap();
        let main = format!("import sys\nsys.stderr.write('path{mark}\\n')\n");
        fs::write(folder.path().join("main.py"), main).unwrap();
        let (path, cases) = (folder.path().to_str().unwrap(), library.path().to_str().unwrap());
        let run = keur(&["grade", path, "--cases", cases, "--format", "json"]);
        let json = run.json();
        let found = json["submissions"][0]["cases"].as_array().unwrap();
        assert_eq!(found.len(), 4, "{json:#}");
        for case in found.iter().filter(|case| case["name"] != "pay") {
            let earned = (case["points"].as_f64().unwrap() * 100.0).round() as u64;
            assert_eq!((earned, case["finding"]["message"].as_str()), (points, said), "{case:#}");
        }
    }
}

#[test]
fn a_check_that_does_not_answer_is_no_fault_of_a_submission() {
    let answers = |answer: &str| format!("def isPath(value, n, kind):\n    {answer}\n");
    for (checker, says) in [
        (
            answers("return value[9]"),
            "it raises IndexError: list index out of range at checker.py:2 for [0, 1, 2]",
        ),
        (answers("return 1"), "it returns 1 for [0, 1, 2]; a check returns True, False, a share"),
        (answers("return 1.5"), "it returns 1.5 for"),
        (answers("return float('nan')"), "it returns nan for"),
        (answers("return None"), "it returns None for"),
        (answers("return True, 3"), "it returns (True, 3) for"),
        (answers("while True: pass"), "time limit for [0, 1, 2]"),
        (answers("import os; os._exit(0)"), "crashed for [0, 1, 2]"),
        ("def is_path(value, n, kind):\n    return True\n".to_owned(), "it defines no function `isPath`"),
        ("def isPath(:\n".to_owned(), "loading it raises SyntaxError"),
    ] {
        let folder = bank(&[("checks/checker.py", &checker)]);
        let (code, report) = grade(folder.path(), "answer.py", PYTHON, &["--case", "path"]);
        let said = report["error"]["message"].as_str().unwrap_or_default();
        let place = folder.path().display();
        let start = format!("{place}/path.toml:4: the check checks/checker.py:isPath cannot be used: ");
        assert_eq!(code, 3, "{report:#}");
        assert!(said.starts_with(&start) && said.contains(says), "{says:?} is not in {said:?}");
    }
}

#[test]
fn errors_of_a_check_name_their_place() {
    for (check, says) in [
        ("\"checker.py\"", "`checker.py` names no function --> @/path.toml:5:21"),
        ("\"checker.py:is path\"", "`is path` is not the name of a function"),
        ("\"../checker.py:f\"", "`../checker.py` has an empty name, `.` or `..` in it"),
        ("\"checker.js:f\"", "`checker.js` is not a file of Python"),
        ("\"checker.py:f\"", "the check `checker.py` cannot be read"),
        ("3", "`check` cannot be a number"),
    ] {
        let path = PATH.replace("\"checks/checker.py:isPath\"", check);
        check_path(&path, says);
    }
    check_path(
        &PATH.replace("check = \"checks/checker.py:isPath\"", "any_order = []"),
        "`with` needs `check`",
    );
}

#[track_caller]
fn check_path(path: &str, says: &str) {
    check(&[("path.toml", path)], 3, &[says]);
}

#[test]
fn a_check_judges_what_is_written_to_a_file() {
    let checker = "def ends(text, end):\n    return text.endswith(end) or (0.5, f'{text!r} has no {end}')\n";
    let case = "title = \"A file\"\npoints = 2\n[[step]]\ndo = \"path(1)\"\n\
                writes = { \"out.txt\" = { check = \"ends.py:ends\", with = [\"!\"] } }\n";
    let library = bank(&[("path.toml", case), ("ends.py", checker)]);
    for (mark, points, said) in [("!", 200, ""), ("?", 100, "'path?' has no !")] {
        let (_, found, sentence) =
            judged(library.path(), &format!("open('out.txt', 'w').write('path{mark}')"));
        assert_eq!(found, points, "{sentence}");
        assert_says(&sentence, said);
    }
}

#[test]
fn a_value_cannot_harm_its_check() {
    let checker = "def isPath(value, n, kind):\n    return False, ascii(value)\n";
    let folder = bank(&[("checks/checker.py", checker)]);
    for (body, said) in [
        ("return [float('nan'), float('-inf'), -0.0]", "[nan, -inf, -0.0]"),
        ("return 'a\\ud800\\x1b[31m\\n\\u202e'", "'a\\ud800\\x1b[31m\\n\\u202e'"),
        ("return {(1, None): {2}, True: b''}", "there is a bytes in the value"),
        ("return {'__class__': 'x', (1, (2,)): {3}}", "{'__class__': 'x', (1, (2,)): {3}}"),
        ("return [type('<b>\\x1b', (), {})()]", "there is a <b>"),
        ("x = []\n    for _ in range(35): x = [x]\n    return x", "[[[[[["),
        ("x = []\n    for _ in range(500): x = [x]\n    return x", "too large"),
        ("x = []\n    x.append(x)\n    return x", "too large"),
        ("return [1 << 20000, 'x' * 3000]", "not graded"),
        ("return 'x' * 5000", "'xxx"),
    ] {
        let text = PYTHON.replace("return list(range(n))", body);
        let (code, report) = grade(folder.path(), "answer.py", &text, &["--case", "path"]);
        // An integer of so many digits has no text in Python: the check raises, and no point is lost by it.
        if said == "not graded" {
            assert_eq!(code, 3, "{report:#}");
            assert!(
                report["error"]["message"].as_str().unwrap().contains("it raises ValueError"),
                "{report:#}"
            );
            continue;
        }
        let case = &report["cases"][0];
        let sentence = case["finding"]["message"].as_str().unwrap_or_default();
        assert_eq!((code, case["verdict"].as_str()), (1, Some("wrong value")), "{body}: {report:#}");
        assert!(sentence.contains(said), "{body}: {sentence:?}");
        assert!(sentence.chars().count() <= 1100, "{sentence:?}");
    }
}

/// A value of one's own that holds itself ten times, again and again: each line copies it.
#[test]
fn a_case_takes_no_memory_without_end_on_the_reference() {
    let grow = r#""x = [x, x, x, x, x, x, x, x, x, x]", "#.repeat(7);
    let case =
        format!("title = \"It grows\"\n[[step]]\ndo = [\"x = [1]\", {grow} \"len(x)\"]\nreturns = 10\n");
    let home = folder(&[("codenames/grows.toml", &case)]);
    let Run { code, out, err } = keur(&["check", home.path().to_str().unwrap()]);
    assert_eq!(code, 3, "{out}{err}");
    assert!((out + &err).contains("MemoryError"));
}

#[test]
fn a_submission_that_no_case_is_for_has_passed_nothing() {
    let case = "title = \"It squares\"\n[[step]]\ndo = { python = \"[n * n for n in path(3)]\" }\nreturns = [0, 1, 4]\n";
    let home = folder(&[
        ("cases/bank/exercise.toml", &EXERCISE.replace("reference", "#")),
        ("cases/bank/squares.toml", case),
        ("bank.js", "function path(n) { return [0, 1, 2]; }\n"),
    ]);
    let [submission, cases] = ["bank.js", "cases"].map(|name| home.path().join(name).display().to_string());
    let Run { code, out, err } = keur(&["grade", &submission, "--cases", &cases, "--format", "json"]);
    assert_eq!(code, 1, "{out}{err}");
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["submissions"][0]["passed"], false, "{json:#}");
}

/// Errors in a case quote its file, so no link leads to another one.
#[cfg(unix)]
#[test]
fn cases_and_exercises_are_read_through_no_link() {
    use std::os::unix::fs::symlink;
    let home = folder(&[
        ("secrets", "TOKEN=hunter2\n"),
        ("cases/bank/exercise.toml", &EXERCISE.replace("reference", "#")),
        ("cases/bank/pay.toml", &PAY.replace("{ reference = true }", "4.5")),
    ]);
    let bank = home.path().join("cases/bank");
    let check = |path: &str| {
        let Run { code, out, err } = keur(&["check", home.path().join(path).to_str().unwrap()]);
        let text = out + &err;
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("is a link, which is not followed") && !text.contains("hunter2"), "{text}");
    };
    let leads = |to: &str, from: &str| symlink(home.path().join(to), home.path().join(from)).unwrap();
    leads("secrets", "cases/bank/z.toml");
    check("cases");
    check("cases/bank");
    check("cases/bank/z.toml");
    fs::remove_file(bank.join("z.toml")).unwrap();
    fs::create_dir(home.path().join("more")).unwrap();
    leads("cases/bank", "more/bank");
    check("more");
    fs::remove_file(bank.join("exercise.toml")).unwrap();
    leads("secrets", "cases/bank/exercise.toml");
    check("cases");
}

#[test]
fn a_case_that_is_too_large_is_an_error_in_it_in_every_command() {
    let library = library(super::EXERCISE, CASE);
    let path = library.path().join("counters/counts.toml");
    fs::write(&path, format!("{CASE}#{}\n", "x".repeat(1 << 20))).unwrap();
    let (folder, file) = (library.path().to_str().unwrap(), path.to_str().unwrap());
    let answer = library.path().join("counter.py");
    fs::write(&answer, COUNTER).unwrap();
    let answer = answer.to_str().unwrap();
    let counters = library.path().join("counters");
    for command in [
        &["check", counters.to_str().unwrap()][..],
        &["show", file],
        &["list", "--cases", folder],
        &["test", answer, "--cases", folder],
        &["grade", answer, "--cases", folder],
    ] {
        let run = keur(command);
        assert_eq!(run.code, 3, "{command:?}: {}{}", run.out, run.err);
        // A student is shown nothing of a case's file.
        let says = match command[0] {
            "test" => "`keur check` shows what is wrong",
            _ => "it has more than 1048576 bytes, the most that are read\n",
        };
        assert!(run.err.contains(says), "{command:?}: {}", run.err);
    }
}

/// Where nothing is optimised, a case as deep as is allowed took more stack than a thread has by default.
#[test]
fn values_as_deep_as_is_allowed_are_graded_by_a_worker() {
    let deep = format!("{}1{}", "{1: ".repeat(98), "}".repeat(98));
    let case = format!("title = \"Deep\"\n[[step]]\ndo = \"f({deep})\"\nreturns = 1\n");
    let exercise = "title = \"E\"\nsession = \"python\"\n[files]\npython = [\"e.py\"]\n[function]\nf = { args = [\"of\"] }\n";
    let home = folder(&[
        ("deep/exercise.toml", exercise),
        ("deep/deep.toml", &case),
        ("e.py", "def f(of):\n    return len(of)\n"),
    ]);
    let path = |name: &str| home.path().join(name).display().to_string();
    let run = keur(&["grade", "--cases", &path(""), "--exercise", "deep", &path("e.py"), "--lang", "en"]);
    assert_eq!((run.code, run.out.contains("1 of 1 point")), (0, true), "{}", run.all());
}
