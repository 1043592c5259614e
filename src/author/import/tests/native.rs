//! Lines that the language of cases does not have become code.

use super::super::{CaseLabels, SessionCase, Unreadable, import_session};
use super::exercise;

fn import(session: &str) -> SessionCase {
    let labels = CaseLabels { title: "T", name: "t", path: "t.toml" };
    import_session(&exercise(), &labels, "session.txt", session, Unreadable::Native)
        .unwrap_or_else(|errors| panic!("{errors}\n{session}"))
}

#[track_caller]
fn check(session: &str, expected: &str) {
    let imported = import(session);
    assert_eq!(imported.problems.map(|problems| problems.to_string()), None, "{session}");
    let text = imported.text.strip_prefix("title = \"T\"\n").unwrap().replace("[[step]]\n", "");
    assert_eq!(text.replace("\n\n", "\n").replace("\n\n", "\n").trim(), expected.trim(), "{session}");
}

#[test]
fn expressions_that_cases_lack_become_code() {
    check(
        ">>> [greet(i) for i in range(2)]\n['a', 'b']",
        "do = { python = \"[greet(i) for i in range(2)]\" }\nreturns = [\"a\", \"b\"]",
    );
    check(">>> f'{greet()}!'\n'Ann!'", "do = { python = \"f'{greet()}!'\" }\nreturns = \"Ann!\"");
    check(
        ">>> print(f\"{greet()}!\")  # loud\nAnn!",
        "# loud\ndo = { python = 'print(f\"{greet()}!\")' }\nprints = \"Ann!\"",
    );
    check(
        ">>> greet(1, 2, 3)\nTraceback (most recent call last):\nTypeError",
        "do = { python = \"greet(1, 2, 3)\" }\nraises = { type = \"TypeError\" }",
    );
    check(
        ">>> greet(‘a’) if greet() else −1\n5",
        "do = { python = \"greet('a') if greet() else -1\" }\nreturns = 5",
    );
    check(
        ">>> [Account(i) for i in [1]][0]\nAccount(owner=1)",
        "do = { python = \"repr([Account(i) for i in [1]][0])\" }\nreturns = \"Account(owner=1)\"",
    );
}

#[test]
fn lines_that_cases_have_stay_lines() {
    check(
        ">>> a = Account()\n>>> with a:\n...     a.pay_in(3)\n...\n>>> a.total()\n3",
        "do = \"a = Account()\"\n[step.do]\npython = \"\"\"\nwith a:\n    a.pay_in(3)\"\"\"\ndo = \"a.total()\"\nreturns = 3",
    );
}

#[test]
fn code_binds_what_later_lines_use() {
    check(
        ">>> x, unused = [greet(i) for i in [1, 2]]\n>>> greet(x)\n1",
        "do = { python = \"x, unused = [greet(i) for i in [1, 2]]\" }\nbinds = [\"x\"]\ndo = \"greet(x)\"\nreturns = 1",
    );
    for (code, binds) in [
        ("for i in range(3):\n...     y = greet(i)", "\"i\", \"y\""),
        ("def y(i):\n...     z = i\n...     return z", "\"y\""),
        ("with Account() as y, Account() as i: pass", "\"y\", \"i\""),
        ("y: int = (z := max(1, 2))", "\"y\", \"z\""),
        ("y = [0 for i in range(3)]; y[0] = 1; y[0] += max(1, 2)", "\"y\""),
        ("import math; y = math.pi if greet() else 1", "\"y\""),
    ] {
        let imported = import(&format!(">>> {code}\n>>> greet([y, z, i, int])\n1"));
        assert!(imported.text.contains(&format!("\nbinds = [{binds}]\n")), "{code}\n{}", imported.text);
    }
    // What raises binds nothing.
    let raised = import(">>> y = max(greet())\nTraceback (most recent call last):\nTypeError\n>>> max(y)\n1");
    assert!(!raised.text.contains("binds"), "{}", raised.text);
}

#[test]
fn imports_go_with_the_code_that_needs_them() {
    check(
        ">>> import math, bank as b\n>>> from bank import Account as A\n>>> math.floor(b.average([1, 2]))\n1\n>>> A()\n>>> len([A(i) for i in [1]])\n1",
        "do = { python = \"import math, bank as b; math.floor(average([1, 2]))\" }\nreturns = 1\ndo = \"Account()\"\n\
         do = { python = \"len([Account(i) for i in [1]])\" }\nreturns = 1",
    );
}

#[test]
fn values_that_a_prompt_writes_in_a_loop_are_printed() {
    check(
        ">>> for i in [1, 2]:\n...     greet(i)\n...\n'a'\n'b'",
        "prints = \"\"\"\n'a'\n'b'\n\"\"\"\n[step.do]\npython = \"\"\"\nfor i in [1, 2]:\n    print(repr(greet(i)))\"\"\"",
    );
    check(
        ">>> for i in [1]: greet(i); greet()\n'a'\n'b'",
        "do = { python = \"for i in [1]: print(repr(greet(i))); print(repr(greet()))\" }\nprints = \"\"\"\n'a'\n'b'\n\"\"\"",
    );
    check(
        ">>> for i in [1]: print(greet(i))\na",
        "do = { python = \"for i in [1]: print(greet(i))\" }\nprints = \"a\"",
    );
}

#[test]
fn an_assertion_stays_out_of_the_case() {
    let imported = import(">>> assert greet() == 3\n>>> greet()\n3");
    let problems = imported.problems.unwrap().to_string();
    assert!(problems.contains("an `assert` would give the submission the expected answer"), "{problems}");
    assert!(imported.text.contains("# Not imported (line 1): assert greet() == 3\n"), "{}", imported.text);
}
