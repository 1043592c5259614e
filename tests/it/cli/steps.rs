//! Actions of a step: attributes, items, operators, and code of a programming language.

use super::{grade_files, library};
use crate::running::{assert_says, folder, keur, root, unwrapped};
use serde_json::Value;

const EXERCISE: &str = r#"
title = "Accounts"
session = "python"

[files]
python = ["bank.py"]
javascript = ["bank.js"]

[class.Account]
new = ["owner", "balance?"]
methods = { pay = ["amount"], payments = [] }
attributes = ["owner", "balance"]

[class.Savings]
new = ["owner"]

[function]
words = { args = ["text"] }
"#;

const BANK: &str = r#"
import math

class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self._payments = []

    def pay(self, amount):
        if amount > self.balance:
            raise ValueError("too much")
        self.balance -= amount
        self._payments.append(amount)

    def payments(self):
        return self._payments

    def __eq__(self, other):
        return self.owner == other.owner

    def __add__(self, other):
        return Account(self.owner, self.balance + other.balance)

    def __len__(self):
        return len(self._payments)

    def __str__(self):
        return f"{self.owner}: {self.balance}"

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.balance = 0

class Savings(Account):
    pass

def words(text):
    return text.split()
"#;

/// Cases that are graded in both forms, so that the quick pass is compared with the strict one.
const BOTH: [&str; 2] = ["--isolation", "both"];

fn case(steps: &str) -> String {
    format!("title = \"One\"\nstep = [\n{steps}\n]")
}

/// Grades a submission by one case.
#[track_caller]
fn graded(bank: &str, steps: &str) -> Value {
    let library = library(EXERCISE, &case(steps));
    let (_, json) = grade_files(library.path(), &[("bank.py", bank)], &BOTH);
    json["submissions"][0]["cases"][0].clone()
}

#[track_caller]
fn passes(steps: &str) {
    let case = graded(BANK, steps);
    assert_eq!(case["verdict"], "passed", "{case:#}");
}

#[track_caller]
fn fails(bank: &str, steps: &str, verdict: &str, says: &str) -> Value {
    let case = graded(bank, steps);
    assert_eq!(case["verdict"], verdict, "{case:#}");
    assert!(case["finding"].to_string().contains(says), "{says:?} is not in {case:#}");
    case["finding"].clone()
}

#[test]
fn plain_values_mean_what_they_mean_in_python() {
    passes(
        r#"
        { do = "-7 // 2", returns = -4 }, { do = "-7 % 3", returns = 2 }, { do = "7 / 2", returns = 3.5 },
        { do = "2 ** 3 ** 2", returns = 512 }, { do = "[1] + [2]", returns = [1, 2] }, { do = "'a' * 3", returns = "aaa" },
        { do = "[1, 2] < [1, 3]", returns = true }, { do = "not 2 in [1]", returns = true }, { do = "3 not in [3]", returns = false },
        { do = "1 / 0", raises = "division by zero" },
        { do = "x = words('a b c')" }, { do = "x[-1]", returns = "c" }, { do = "x[:2]", returns = ["a", "b"] },
        { do = "x[0] = 'z'" }, { do = "x", returns = ["z", "b", "c"] }, { do = "sorted(x)", returns = ["b", "c", "z"] },
        { do = "len(x) + len('ab')", returns = 5 }, { do = "list('ab')", returns = ["a", "b"] }, { do = "repr('a')", returns = "'a'" },
        { do = "a, b = words('p q')" }, { do = "b + a", returns = "qp" }, { do = "-len(a)", returns = -1 },
        { do = "str(1.0)", returns = "1.0" }, { do = "{'k': x}['k'][1]", returns = "b" },"#,
    );
}

#[test]
fn own_objects_answer_by_their_own_methods() {
    passes(
        r#"
        { do = "a = Account('Ann', 5)" }, { do = "a.balance = a.balance * 2", returns = 10 }, { do = "a.pay(3)" },
        { do = "a.balance", returns = 7 }, { do = "a == Account('Ann')", returns = true }, { do = "a != Account('Bo')", returns = true },
        { do = "a + a", shows = "Ann: 14" }, { do = "len(a)", returns = 1 }, { do = "a.payments()[0]", returns = 3 },
        { do = "isinstance(Savings('Bo'), Account)", returns = true }, { do = "isinstance(a, (Savings, Account))", returns = true },
        { do = "isinstance(5, Account)", returns = false }, { do = "a in [Account('Ann')]", returns = true },
        { do = "a - a", raises = "unsupported operand type(s) for -: 'Account' and 'Account'" },"#,
    );
}

#[test]
fn a_missing_attribute_is_reported_as_a_missing_method_is() {
    let steps = r#"{ do = "a = Account('Ann', 5)" }, { do = "a.balance", returns = 5 }, "#;
    let set = r#"{ do = "a = Account('Ann', 5)" }, { do = "a.balance = 6" }, "#;
    let other = BANK.replace("self.balance", "self.ballance");
    fails(&other, steps, "raised", "Account has no attribute balance, but has ballance");
    fails(&other, set, "raised", "Account has no attribute balance, but has ballance");
    let far = BANK.replace("self.balance", "self.saldo");
    fails(&far, steps, "raised", "Account has no attribute balance\"");
    let method = BANK
        .replace("self.balance", "self.saldo")
        .replace("def pay(", "def balance(self): pass\n    def pay(");
    fails(&method, steps, "raised", "balance of Account is a method, not an attribute");
    let property = BANK.replace("self.balance", "self._b").replace(
        "    def pay(",
        "    @property\n    def balance(self):\n        return self._b\n\n    def pay(",
    );
    assert_eq!(graded(&property, steps)["verdict"], "passed");
    let nothing = r#"{ do = "b = Account('Ann', 5).pay(1)" }, { do = "b.balance", returns = 5 }, "#;
    fails(BANK, nothing, "raised", "the attribute balance was read from nothing (NoneType)");
    let value = r#"{ do = "b = words('a')" }, { do = "b.balance", returns = 5 }, "#;
    fails(BANK, value, "raised", "a value of type list has no attribute balance");
}

#[test]
fn a_failed_unpacking_leaves_its_names_unbound() {
    let steps = r#"{ do = "a, b = words('p')" }, { do = "b", returns = "q" }, "#;
    let finding = fails(BANK, steps, "raised", "not enough values to unpack (expected 2, got 1)");
    assert_eq!(finding["step"], 1);
    let steps = r#"{ do = "a, b = words('p q r')" }, "#;
    fails(BANK, steps, "raised", "too many values to unpack (expected 2)");
}

#[test]
fn a_definition_of_the_submission_wins() {
    let exercise = EXERCISE.replace(
        "[function]",
        "[function]\nlen = { args = [\"text\"] }\nsorted = { args = [\"x\", \"by?\"] }",
    );
    let steps = r#"{ do = "len('abc')", returns = "own" }, { do = "sorted([2, 1], by=3)", returns = 3 }, "#;
    let library = library(&exercise, &case(steps));
    let own = format!("{BANK}\ndef len(text): return 'own'\ndef sorted(x, by=0): return by\n");
    let (code, json) = grade_files(library.path(), &[("bank.py", &own)], &BOTH);
    assert_eq!(code, 0, "{json:#}");
}

#[test]
fn a_view_uses_attributes_and_items() {
    let exercise = format!(
        "{}\nfind = {{ args = [], returns = \"[Pair]\" }}\n[view]\nPair = [\"it.owner\", \"it.balance + 1\", \"it.payments()[0:1]\"]\n",
        EXERCISE
    );
    let steps =
        r#"{ do = "find()", returns = [["Ann", 3, []]] }, { do = "find()[0]", returns = ["Ann", 3, []] }, "#;
    let library = library(&exercise, &case(steps));
    let own = format!("{BANK}\ndef find(): return [Account('Ann', 2)]\n");
    let (code, json) = grade_files(library.path(), &[("bank.py", &own)], &BOTH);
    assert_eq!(code, 0, "{json:#}");
}

const NATIVE: &str = r#"title = "Native"
[[step]]
do = "a = Account('Ann', 5)"

[[step]]
do = { python = """
with a as b:
    left = [b.balance for _ in range(2)]
math.floor(sum(left))
""" }
binds = ["left", "b"]
returns = 10

[[step]]
do = "left[0]"
returns = 5

[[step]]
do = { python = "b" }
same = "a"

[[step]]
do = { python = "a.pay(3)" }
raises = "too much"
"#;

#[test]
fn native_code_runs_among_the_names_of_the_submission() {
    let library = library(EXERCISE, NATIVE);
    let run = |bank: &str| {
        let (_, json) = grade_files(library.path(), &[("bank.py", bank)], &BOTH);
        json["submissions"][0].clone()
    };
    assert_eq!(run(BANK)["cases"][0]["verdict"], "passed", "{:#}", run(BANK));
    // The trace has the submission's line, and not those of the case.
    let wrong = run(&BANK.replace("self.balance = 0", "self.balanse.x = 0"));
    let finding = &wrong["cases"][0]["finding"];
    let trace = finding["exception"]["places"].as_array().unwrap();
    assert_eq!((finding["step"].as_u64(), trace.len()), (Some(2), 1), "{finding:#}");
    assert!(trace[0]["source"].as_str().unwrap().contains("balanse.x"), "{trace:?}");
    let session: Vec<&str> =
        finding["session"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let tail =
        [">>> with a as b:", "...     left = [b.balance for _ in range(2)]", "... math.floor(sum(left))"];
    assert_eq!(session[2..], tail, "{session:?}");
    let unbound = NATIVE
        .replace("binds = [\"left\", \"b\"]", "binds = [\"left\", \"none\"]")
        .replace("python = \"b\"", "python = \"a\"");
    let library = self::library(EXERCISE, &unbound);
    let (_, json) = grade_files(library.path(), &[("bank.py", BANK)], &BOTH);
    let says = json["submissions"][0]["cases"][0]["finding"].to_string();
    assert_says(&says, "NameError: name 'none' is not defined");
}

#[test]
fn a_case_counts_only_for_the_languages_of_its_code() {
    let library = library(EXERCISE, NATIVE);
    let plain = library.path().join("counters/plain.toml");
    std::fs::write(plain, case("{ do = \"words('a')\", returns = [\"a\"] },")).unwrap();
    let script = "class Account {}\nclass Savings {}\nfunction words(text) { return text.split(' '); }\n";
    for (file, text, most) in [("bank.py", BANK, 2), ("bank.js", script, 1)] {
        let (code, json) = grade_files(library.path(), &[(file, text)], &[]);
        let submission = &json["submissions"][0];
        assert_eq!((code, &submission["max_points"]), (0, &Value::from(most)), "{file}: {json:#}");
        assert_eq!(submission["cases"].as_array().unwrap().len(), most);
    }
}

#[test]
fn a_driver_that_does_not_know_operators_is_the_machines_fault() {
    let driver = std::fs::read_to_string(root().join("crates/core/src/languages/python/driver.py")).unwrap();
    let folder = folder(&[("bank.py", BANK)]);
    let file = folder.path().join("bank.py");
    let old = |flag: &str| {
        let path = folder.path().join("driver.py");
        std::fs::write(&path, driver.replace(flag, "")).unwrap();
        format!("python3 '{}' pipes", path.display())
    };
    for (flag, text, says) in [
        (
            "\"operators\":true,",
            case("{ do = \"1 + 1\", returns = 2 },"),
            "does not know operators, attributes and items",
        ),
        (
            "\"operators\":true,",
            case("{ do = \"a, b = words('a b')\" },"),
            "does not know operators, attributes and items",
        ),
        ("\"native\":true,", NATIVE.to_owned(), "cannot run code that stands in a case"),
    ] {
        let library = library(EXERCISE, &text);
        let command = old(flag);
        let cases = library.path().to_str().unwrap();
        let run = keur(&[
            "grade",
            file.to_str().unwrap(),
            "--cases",
            cases,
            "--exercise",
            "counters",
            "--command",
            &command,
        ]);
        assert_eq!(run.code, 4, "{}{}", run.out, run.err);
        let out = unwrapped(&run.out);
        assert_says(&out, &format!("the program that was named {says}"));
    }
}

/// Checks what `keur check` says about a wrong case.
#[track_caller]
fn wrong(case: &str, says: &[&str]) {
    let library = library(&EXERCISE.replace("words = ", "balanced = { args = [] }\nwords = "), case);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    for says in says {
        assert!(run.err.contains(says), "{says:?} is not in:\n{}", run.err);
    }
}

#[test]
fn mistakes_in_a_step_are_pointed_at() {
    let made = |line: &str| case(&format!("{{ do = ['a = Account(\"Ann\")', \"{line}\"] }},"));
    for (line, says) in [
        ("a.balanse", &["`Account` has no attribute `balanse`", "balance"][..]),
        (
            "words('a').saldo",
            &["no class has an attribute `saldo`", "[class.Account] attributes = [\"saldo\"]"],
        ),
        ("a.pay", &["`pay` is not called", "it is a method: write `.pay()`"]),
        ("words", &["`words` is not called", "it is a function: write `words(…)`"]),
        ("len(a, a)", &["`len` takes 1 argument, not 2"]),
        ("isinstance(a)", &["`isinstance` takes 2 arguments, not 1"]),
        ("sorted(a, reverse=True)", &["`sorted` has no parameter `reverse`", "do = { python = "]),
        ("sum([1])", &["the exercise has no class or function `sum`", "do = { python = "]),
        ("lenn(a)", &["the exercise has no class or function `lenn`", "len"]),
        ("a.balance += 1", &["an operator cannot assign", "write `x = x + 1`"]),
        ("a, Account = words('')", &["`Account` is a name that the submission defines"]),
        ("a and a", &["the expression should end here", "do = { python = "]),
    ] {
        wrong(&made(line), says);
    }
    for (text, says) in [
        (r#"do = { pyton = "1" }"#, &["the exercise takes no submissions in `pyton`", "python"][..]),
        (r#"do = { rust = "1" }"#, &["a submission in Rust cannot run code of a case"]),
        (r#"do = {}"#, &["the step has no code"]),
        (r#"do = { python = " " }"#, &["there is no code"]),
        ("do = \"x = words('a')\"\nbinds = [\"x\"]", &["`binds` is for code of a programming language"]),
        ("do = { python = \"1\" }\nbinds = [\"words\"]", &["`words` is a name that the submission defines"]),
        ("do = { python = \"1\" }\nbinds = [\"a b\"]", &["`a b` is not a name"]),
    ] {
        wrong(&format!("title = \"One\"\n[[step]]\n{text}\n"), says);
    }
    let exercise = |attributes: &str| EXERCISE.replace("[\"owner\", \"balance\"]", attributes);
    for (attributes, says) in [
        ("[\"a b\"]", "`a b` is not the name of an attribute"),
        ("[\"a\", \"a\"]", "attribute `a` appears twice"),
        ("[\"pay\"]", "`pay` is a method already"),
    ] {
        let library = library(&exercise(attributes), NATIVE);
        let run = keur(&["check", library.path().to_str().unwrap()]);
        assert_eq!(run.code, 3);
        assert!(run.err.contains(says), "{says:?} is not in:\n{}", run.err);
    }
}

#[test]
fn native_code_cannot_stand_under_a_built_in_reference() {
    super::check_case(NATIVE, &["a built-in reference cannot run code of a programming language"]);
}
