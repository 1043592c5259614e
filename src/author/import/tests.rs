//! Pasted sessions and the steps that become of them.

mod inverse;
mod native;
mod shell;

use super::{CaseLabels, SessionCase, Unreadable, exercises_meant, import_session};
use keur_core::case::{Exercise, FileErrors, Library, parse_exercise};

const EXERCISE: &str = r#"
title = "A bank"
session = "python"
[files]
python = ["bank.py"]
javascript = ["bank.js"]
[class.Account]
new = ["owner?", "balance?"]
methods = { pay_in = ["amount"], text = [], total = [], same_as = ["other"] }
attributes = ["balance"]
[function]
average = { args = ["numbers"] }
greet = { args = ["name?", "loud?"] }
move = { args = ["place"] }
"#;

fn exercise() -> Exercise {
    parse_exercise("bank", "exercise.toml", EXERCISE).unwrap()
}

fn import(session: &str) -> Result<SessionCase, FileErrors> {
    let labels = CaseLabels { title: "T", name: "t", path: "t.toml" };
    import_session(&exercise(), &labels, "session.txt", session, Unreadable::LeftOut)
}

/// The steps of a session that can be read, without `[[step]]`.
#[track_caller]
fn steps(session: &str) -> String {
    let imported = import(session).unwrap_or_else(|errors| panic!("{errors}\n{session}"));
    assert_eq!(imported.problems.map(|problems| problems.to_string()), None, "{session}");
    let text = imported.text.strip_prefix("title = \"T\"\n").unwrap();
    text.replace("[[step]]\n", "")
}

#[track_caller]
fn check(session: &str, expected: &str) {
    assert_eq!(steps(session).replace("\n\n", "\n").trim(), expected.trim(), "{session}");
}

/// The problems of a session: line, column and text of each, without help.
#[track_caller]
fn problems(session: &str) -> Vec<String> {
    let found = match import(session) {
        Ok(imported) => imported.problems.unwrap(),
        Err(errors) => errors,
    };
    let lines = found.to_string();
    lines
        .lines()
        .map(|line| line.trim_start_matches("session.txt:").split("; ").next().unwrap().to_owned())
        .collect()
}

#[test]
fn values_of_python_become_what_is_expected() {
    check(">>> average([1])\n1.0", "do = \"average([1])\"\nreturns = 1.0");
    check(">>> greet()\n\"it's\"", "do = \"greet()\"\nreturns = \"it's\"");
    check(">>> greet()\nTrue", "do = \"greet()\"\nreturns = true");
    check(">>> greet()\n[1, ['a', -2]]", "do = \"greet()\"\nreturns = [1, [\"a\", -2]]");
    check(">>> greet()\n(1, None)", "do = \"greet()\"\nequals = \"(1, None)\"");
    check(">>> greet()\n{'b', 'a'}", "do = \"greet()\"\nequals = \"{'b', 'a'}\"");
    check(">>> greet()\nset()", "do = \"greet()\"\nequals = \"set()\"");
    check(">>> greet()\n{'a': [1],\n 'b': {}}", "do = \"greet()\"\nequals = \"{'a': [1], 'b': {}}\"");
    check(">>> greet()", "do = \"greet()\"");
    check(">>> greet() is None\nTrue", "do = \"greet()\"\nequals = \"None\"");
    check(">>> type(greet())\n<class 'str'>", "do = \"greet()\"\nreturns = { type = \"str\" }");
    check(">>> # in any order\n>>> greet()\n[2, 1]", "do = \"greet()\"\nreturns = { any_order = [2, 1] }");
}

#[test]
fn of_an_object_nothing_is_expected() {
    check(">>> greet()\n<bank.Account object at 0x7f3a>", "do = \"greet()\"");
    check(">>> greet()\n[<bank.Account object at 0x7f3a>, 1]", "do = \"greet()\"");
    check(">>> print(Account())\n<bank.Account object at 0x7f3a>", "do = \"Account()\"");
    check("> new Account()\nAccount {\n  balance: 0\n}", "do = \"Account()\"");
    check("> console.log(new Account())\nAccount { balance: 0 }", "do = \"Account()\"");
    check("> greet()\nundefined", "do = \"greet()\"");
}

#[test]
fn texts_become_what_is_shown_or_printed() {
    check(">>> print(Account())\nan account", "do = \"Account()\"\nshows = \"an account\"");
    let printed = steps(">>> print(Account())\na\n<BLANKLINE>\n  b");
    assert_eq!(printed.trim_start(), "do = \"Account()\"\nshows = \"\"\"\na\n\n  b\n\"\"\"\n");
    check(">>> str(Account())\n'a\\nb'", "do = \"Account()\"\nshows = \"\"\"\na\nb\n\"\"\"");
    check(">>> greet('Ann')\nHello Ann", "do = \"greet('Ann')\"\nprints = \"Hello Ann\"");
    check(">>> greet('Ann')\nHello\n5", "do = \"greet('Ann')\"\nreturns = 5\nprints = \"Hello\"");
    check(
        ">>> print('a', greet(), greet(1), sep='-')\na-b-c",
        "do = \"'a' + '-' + str(greet()) + '-' + str(greet(1))\"\nshows = \"a-b-c\"",
    );
    check(
        ">>> a = Account()\nnew\n>>> print(a)\nx",
        "do = \"a = Account()\"\nprints = \"new\"\ndo = \"a\"\nshows = \"x\"",
    );
}

#[test]
fn exceptions_keep_their_last_line() {
    check(
        ">>> greet()\nTraceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n    x\nValueError: no: never",
        "do = \"greet()\"\nraises = { type = \"ValueError\", message = \"no: never\" }",
    );
    check(
        ">>> greet()\nTraceback (most recent call last):\n  File \"a\"\nKeyError: 'a'\n\nDuring handling of the above \
         exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a\"\nbank.Overdrawn: no\n",
        "do = \"greet()\"\nraises = { type = \"Overdrawn\", message = \"no\" }",
    );
    check(
        ">>> greet()\nTraceback (most recent call last):\n    ...\nException: no",
        "do = \"greet()\"\nraises = \"no\"",
    );
    check(
        ">>> greet()\nTraceback (most recent call last):\nIndexError",
        "do = \"greet()\"\nraises = { type = \"IndexError\" }",
    );
    check(
        ">>> greet()\nValueError: no",
        "do = \"greet()\"\nraises = { type = \"ValueError\", message = \"no\" }",
    );
    check(
        ">>> greet()\nbefore\nTraceback (most recent call last):\nException: a\nb\n>>> greet()",
        "do = \"greet()\"\nraises = \"a\\nb\"\nprints = \"before\"\ndo = \"greet()\"",
    );
    check("> greet()\nUncaught Error: no\n    at REPL1:1:7", "do = \"greet()\"\nraises = \"no\"");
    check("> greet()\nUncaught:\nError: no\n    at x {\n  code: 1\n}", "do = \"greet()\"\nraises = \"no\"");
    check(
        "> greet()\nUncaught AssertionError [ERR_ASSERTION]: no\n    at x",
        "do = \"greet()\"\nraises = { type = \"AssertionError\", message = \"no\" }",
    );
}

#[test]
fn statements_of_python_become_lines() {
    check(">>> from bank import Account as A, greet\n>>> a = A( 'Ann',5 )", "do = \"a = Account('Ann', 5)\"");
    check(">>> import bank\n>>> bank.greet(\"Ann\")\n1", "do = \"greet('Ann')\"\nreturns = 1");
    check(
        ">>> import bank as b\n>>> b.Account().pay_in(5).total()\n5",
        "do = \"Account().pay_in(5).total()\"\nreturns = 5",
    );
    check(
        ">>> a: Account = Account(); a.balance += 2 * 3\n>>> a.balance\n6",
        "do = \"a = Account()\"\ndo = \"a.balance = a.balance + (2 * 3)\"\ndo = \"a.balance\"\nreturns = 6",
    );
    check(
        ">>> x = y = greet()\n>>> x, y\n(1, 1)",
        "do = \"y = greet()\"\ndo = \"x = y\"\ndo = \"(x, y)\"\nequals = \"(1, 1)\"",
    );
    check(">>> (x, y) = greet(), 1\n>>> x\n1", "do = \"x, y = (greet(), 1)\"\ndo = \"x\"\nreturns = 1");
    check(
        ">>> a = Account()\n>>> a.pay_in(1) is a\nTrue\n>>> a.pay_in(1) is not a\nTrue",
        "do = \"a = Account()\"\ndo = \"a.pay_in(1)\"\nsame = \"a\"\ndo = \"a.pay_in(1)\"\nreturns = { not_same = \"a\" }",
    );
    check(
        ">>> greet()\n5\n>>> average([_, 1])\n3.0",
        "do = \"_ = greet()\"\nreturns = 5\ndo = \"average([_, 1])\"\nreturns = 3.0",
    );
    check(
        ">>> move = move(1)\n>>> greet(move)\n1",
        "do = \"move_1 = move(1)\"\ndo = \"greet(move_1)\"\nreturns = 1",
    );
    check(">>> greet('a'  # why\n... )\n1", "# why\ndo = \"greet('a')\"\nreturns = 1");
    check(
        ">>> Account()\n<bank.Account object at 0x7f3a>\n>>> Account(1)\nAccount(owner=1)",
        "do = \"Account()\"\ndo = \"repr(Account(1))\"\nreturns = \"Account(owner=1)\"",
    );
    check(">>> greet()  # doctest: +SKIP\n9\n>>> greet()\n1", "do = \"greet()\"\nreturns = 1");
}

#[test]
fn statements_of_node_become_lines() {
    check(
        "> const a = new Account('Ann')\nundefined\n> a.payIn(5).total()\n5",
        "do = \"a = Account('Ann')\"\ndo = \"a.pay_in(5).total()\"\nreturns = 5",
    );
    check(
        "> const { Account } = require('./bank')\n> let a = new Account, b = 1;\n> a.balance\n0",
        "do = \"a = Account()\"\ndo = \"b = 1\"\ndo = \"a.balance\"\nreturns = 0",
    );
    check(
        "> const bank = require('./bank')\n> new bank.Account().text()\n\"a\\nb\"",
        "do = \"Account().text()\"\nreturns = \"\"\"\na\nb\"\"\"",
    );
    check(
        "> console.log(new Account().toString())\na\nb\nundefined",
        "do = \"Account()\"\nshows = \"\"\"\na\nb\n\"\"\"",
    );
    check(
        "> console.log(greet())\n[ 0, 'a' ]\n> console.log(greet(1))\nHello",
        "do = \"greet()\"\nreturns = [0, \"a\"]\ndo = \"greet(1)\"\nshows = \"Hello\"",
    );
    check(
        "> var a = new Account()\n> a.payIn(1) === a\ntrue\n> greet() === 5\nfalse",
        "do = \"a = Account()\"\ndo = \"a.pay_in(1)\"\nsame = \"a\"\ndo = \"greet() == 5\"\nreturns = false",
    );
    check("> greet(undefined, !true).length\n4", "do = \"len(greet(loud=not True))\"\nreturns = 4");
    check(
        "> x = greet()\nSet(2) { 1, 'a' }\n> x.has(1)\ntrue",
        "do = \"x = greet()\"\nequals = \"{1, 'a'}\"\ndo = \"1 in x\"\nreturns = true",
    );
    check(
        "> greet()\nMap(1) { 'a' => [ 1 ] }\n> greet()\n{ a: null, 'b c': -1.5 }",
        "do = \"greet()\"\nequals = \"{'a': [1]}\"\ndo = \"greet()\"\nequals = \"{'a': None, 'b c': -1.5}\"",
    );
    check(
        "> greet()\n[\n  1, 2,\n  3\n]\n> greet()\nnull",
        "do = \"greet()\"\nreturns = [1, 2, 3]\ndo = \"greet()\"\nequals = \"None\"",
    );
    check(
        "> a = new Account()\nAccount { balance: 0 }\n> a.balance++\n> a.balance += (1 + 2)\n3",
        "do = \"a = Account()\"\ndo = \"a.balance = a.balance + 1\"\ndo = \"a.balance = a.balance + (1 + 2)\"\nreturns = 3",
    );
    check(
        "> [x, y] = greet()\n> [x, y]\n[1, 2]\n> x.slice(1).at(-1)\n2\n> [...x].sort()\n[]",
        "do = \"x, y = greet()\"\ndo = \"[x, y]\"\nreturns = [1, 2]\ndo = \"x[1:][-1]\"\nreturns = 2\ndo = \"sorted(x)\"\nreturns = []",
    );
    check(
        "> Math.floor(greet() / 2) * (1 - 2) ** 2\n3\n> !greet().includes(1)\ntrue",
        "do = \"greet() // 2 * (1 - 2) ** 2\"\nreturns = 3\ndo = \"1 not in greet()\"\nreturns = true",
    );
}

#[test]
fn sessions_from_a_web_page_are_read() {
    let expected = "do = \"greet('Ann')\"\nreturns = 1";
    for session in [
        "\u{feff}>>> greet('Ann')\r\n1\r\n",
        "\t>>> greet(\u{2018}Ann\u{2019})   \n\t1\u{a0}\n",
        "<pre>&gt;&gt;&gt; greet(&#39;Ann&#39;)\n1</pre>",
        ">>>\u{a0}greet(\u{201c}Ann\u{201d})\r1",
        ">>>greet('Ann')\n1\nSome words follow at once.\n\nAnd more.",
        "```pycon\n>>> greet('Ann')\n1\n```\nWords.",
        "# >>> greet('Ann')\n# 1\n",
    ] {
        check(session, expected);
    }
}

#[test]
fn sessions_in_one_of_two_languages_are_taken() {
    let imported =
        import(">>> greet()\nTrue\n\nor in JavaScript:\n\n> greet()\ntrue\n> greet(1)\n2\n").unwrap();
    assert_eq!((imported.lines, imported.left_out), (vec![1], Some((2, "javascript"))));
}

#[test]
fn unreadable_lines_are_marked_at_their_places() {
    let session = ">>> for i in greet():\n...     print(i)\n1\n>>> x = [i for i in greet()]\n>>> greet(x)\n2\n>>> greet('Ann')\n3\n\
                   >>> forget()\n>>> greet()\nFraction(1, 2)";
    assert_eq!(
        problems(session),
        [
            "1:1: `for` is not part of the language of cases",
            "4:1: `for` is not part of the language of cases",
            "5:1: line 4 would have bound `x`, but is not imported",
            "9:1: the exercise has no class or function `forget`",
            "10:1: `Fraction(1, 2)` is not a value that keur can read",
        ]
    );
    let text = import(session).unwrap().text;
    assert_eq!(
        text,
        "title = \"T\"\n\n\
         # Not imported (line 1): for i in greet():\n#         print(i)\n\
         # Not imported (line 4): x = [i for i in greet()]\n\
         # Not imported (line 5): greet(x)\n\
         [[step]]\ndo = \"greet('Ann')\"\nreturns = 3\n\n\
         # Not imported (line 9): forget()\n\
         # Not imported (line 10): what this answers.\n\
         [[step]]\ndo = \"greet()\"\n"
    );
    assert_eq!(problems(">>> greet(1, 2, 3)"), ["1:1: `greet` takes 0 to 2 arguments, not 3"]);
    assert_eq!(problems(">>> greet('a)\n1"), ["1:1: a string is not closed"]);
    assert_eq!(problems("> greet(() => 1)"), ["1:1: `)` is not part of the language of cases"]);
    assert_eq!(problems("No prompt here."), ["1:1: the text has no session"]);
    assert_eq!(problems(">>> import bank"), ["1:1: the session calls nothing"]);
}

#[test]
fn the_exercise_is_the_one_whose_names_are_called() {
    let names = Library::BuiltIn.names().unwrap();
    let exercises: Vec<Exercise> =
        names.iter().map(|name| Library::BuiltIn.describe(name).unwrap()).collect();
    for (session, expected) in [
        (">>> s = Spelbord(1, 2, 'RX')", "codenames"),
        ("> new Quixo(5)", "quixo"),
        (">>> p.maak_wit((0, 0))", "yinyang"),
        ("> p.aaneengeslotenGebied([0, 0])", "yinyang"),
        (">>> make_board()", "alquerque"),
    ] {
        let found: Vec<&str> =
            exercises_meant(session, &exercises).into_iter().map(|index| names[index].as_str()).collect();
        assert_eq!(found, [expected], "{session}");
    }
    assert!(exercises_meant(">>> f()", &exercises).is_empty());
}
