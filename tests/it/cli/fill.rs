//! `keur fill`: the reference answers the steps that expect nothing yet.

use crate::running::{Run, assert_says, folder, keur, keur_command, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const EXERCISE: &str = r#"title = "Bank"
session = "python"
reference = { LANGUAGE = "solution/FILE" }
[files]
LANGUAGE = ["FILE"]
[class.Account]
new = ["owner", "balance?"]
attributes = ["balance"]
methods = { pay_in = ["amount"], withdraw = ["amount"], text = [], log = [], twin = [] }
[function]
total = { args = ["accounts"] }
find = { args = ["name"] }
pair = { args = ["a", "b"] }
"#;

const PYTHON: &str = "class Account:
    def __init__(self, owner, balance=0):
        self.owner, self.balance = owner, balance
    def pay_in(self, amount):
        self.balance += amount
        return self
    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError('not enough money')
        self.balance -= amount
    def text(self):
        return f'{self.owner}\\n{self.balance}'
    def log(self):
        print('balance', self.balance)
    def twin(self):
        return Twin()
    def __str__(self):
        return f'{self.owner}: {self.balance}'
class Twin:
    pass
def total(accounts):
    return sum(accounts)
def find(name):
    return None if name == 'zed' else len(name)
def pair(a, b):
    return (a, b)
";

const JAVASCRIPT: &str = "class Account {
  constructor(owner, balance = 0) { this.owner = owner; this.balance = balance; }
  payIn(amount) { this.balance += amount; return this; }
  withdraw(amount) {
    if (amount > this.balance) throw new RangeError('not enough money');
    this.balance -= amount;
  }
  text() { return `${this.owner}\\n${this.balance}`; }
  log() { console.log('balance', this.balance); }
  twin() { return new Twin(); }
  toString() { return `${this.owner}: ${this.balance}`; }
}
class Twin {}
function total(accounts) { return accounts.reduce((a, b) => a + b, 0); }
function find(name) { return name === 'zed' ? null : name.length; }
function pair(a, b) { return [a, b]; }
module.exports = { Account, total, find, pair };
";

/// The exercise `bank` with a reference in this language, and a case.
fn bank(language: &str, case: &str) -> TempDir {
    let (file, text) = match language {
        "python" => ("bank.py", PYTHON),
        _ => ("bank.js", JAVASCRIPT),
    };
    let exercise = EXERCISE.replace("LANGUAGE", language).replace("FILE", file);
    folder(&[
        ("bank/exercise.toml", &exercise),
        (&format!("bank/solution/{file}"), text),
        ("bank/pay.toml", case),
    ])
}

/// Runs `keur fill` on the case of the exercise.
fn fill(folder: &Path, more: &[&str]) -> Run {
    fill_path(&folder.join("bank/pay.toml"), more)
}

/// Runs `keur fill` where a person is there.
fn fill_path(path: &Path, more: &[&str]) -> Run {
    run(keur_command(&["fill", path.to_str().unwrap()]).args(more).env_remove("CI"))
}

/// Checks what `keur fill --write` makes of a case, and that nothing is left to do after it.
#[track_caller]
fn check(language: &str, before: &str, after: &str) {
    let folder = bank(language, before);
    let path = folder.path().join("bank/pay.toml");
    let shown = fill(folder.path(), &[]);
    assert_eq!(shown.code, 1, "{}{}", shown.out, shown.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), before, "the file changed without --write");
    let run = fill(folder.path(), &["--write"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), after, "{}", run.err);
    assert_eq!(run.code, 0, "{}", run.err);
    let again = fill(folder.path(), &[]);
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{}", again.err);
    let checked = keur(&["check", folder.path().join("bank").to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.err);
}

const BARE: &str = r#"title = "It pays" # of the bank

# An account of ada.
[[step]]
do = "a = Account('ada', 10)"

[[step]]   # the account itself
do     = "a.pay_in(5)"

[[step]]
do = ["b = a", "a.balance"]
# what is left

[[step]]
do = "a.withdraw(100)"
[[step]]
do = "a.withdraw(1)"

[[step]]
do = "Account('bob')"

[[step]]
do = "a.text()"
[[step]]
do = "a.log()"

[[step]]
do = "find('zed')"
[[step]]
do = "find('ada')"
[[step]]
do = "pair(1, 'x')"
[[step]]
do = "total([1, 2.5])"

[[step]]
do = "a"
shows = { contains = "ada" }
"#;

#[test]
fn the_steps_of_a_python_reference_are_filled_and_the_layout_stays() {
    let after = BARE
        .replace("pay_in(5)\"\n", "pay_in(5)\"\nsame = \"a\"\n")
        .replace("a.balance\"]\n", "a.balance\"]\nreturns = 15\n")
        .replace(
            "withdraw(100)\"\n",
            "withdraw(100)\"\nraises = { type = \"ValueError\", message = \"not enough money\" }\n",
        )
        .replace("Account('bob')\"\n", "Account('bob')\"\nshows = \"bob: 0\"\n")
        .replace("a.text()\"\n", "a.text()\"\nreturns = \"\"\"\nada\n14\"\"\"\n")
        .replace("a.log()\"\n", "a.log()\"\nprints = \"balance 14\"\n")
        .replace("find('zed')\"\n", "find('zed')\"\nequals = \"None\"\n")
        .replace("find('ada')\"\n", "find('ada')\"\nreturns = 3\n")
        .replace("pair(1, 'x')\"\n", "pair(1, 'x')\"\nequals = \"(1, 'x')\"\n")
        .replace("total([1, 2.5])\"\n", "total([1, 2.5])\"\nreturns = 3.5\n");
    check("python", BARE, &after);
}

#[test]
fn the_steps_of_a_javascript_reference_are_filled_too() {
    let after = BARE
        .replace("pay_in(5)\"\n", "pay_in(5)\"\nsame = \"a\"\n")
        .replace("a.balance\"]\n", "a.balance\"]\nreturns = 15\n")
        .replace(
            "withdraw(100)\"\n",
            "withdraw(100)\"\nraises = { type = \"RangeError\", message = \"not enough money\" }\n",
        )
        .replace("Account('bob')\"\n", "Account('bob')\"\nshows = \"bob: 0\"\n")
        .replace("a.text()\"\n", "a.text()\"\nreturns = \"\"\"\nada\n14\"\"\"\n")
        .replace("a.log()\"\n", "a.log()\"\nprints = \"balance 14\"\n")
        .replace("find('zed')\"\n", "find('zed')\"\nequals = \"None\"\n")
        .replace("find('ada')\"\n", "find('ada')\"\nreturns = 3\n")
        .replace("pair(1, 'x')\"\n", "pair(1, 'x')\"\nreturns = [1, \"x\"]\n")
        .replace("total([1, 2.5])\"\n", "total([1, 2.5])\"\nreturns = 3.5\n");
    check("javascript", BARE, &after);
}

#[test]
fn steps_between_braces_and_rows_keep_their_layout() {
    let inline = "title = \"It pays\"\nstep = [\n  # made\n  { do = \"a = Account('ada', 10)\" },\n  { do = [\n    \
                  \"a.pay_in(1)\", \"a.balance\",\n  ] }, # now\n  {do = \"total([1, 2])\"},\n]\n";
    let after = inline
        .replace("\n  ] }, # now", "\n  ], returns = 11 }, # now")
        .replace("2])\"}", "2])\", returns = 3}");
    check("python", inline, &after);

    let rows = "title = \"It adds\"\n\n[[step]]\ndo = \"a = total([1])\"\n\n[[step]]\ndo = \"total(n)\"\n\n[[row]]\n\
                given = { n = [1, 2] } # two\n\n[[row]]\ngiven = { n = [] }\nreturns = 0\n\n[[row]]\ngiven = { n = [\"x\"] }\n";
    let folder = bank("python", rows);
    let run = fill(folder.path(), &["--write"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let after = rows
        .replace("total([1])\"\n", "total([1])\"\nreturns = 1\n")
        .replace("[1, 2] } # two\n", "[1, 2] } # two\nreturns = 3\n")
        .replace("[\"x\"] }\n", "[\"x\"] }\nraises = { type = \"TypeError\" }\n");
    assert_eq!(fs::read_to_string(folder.path().join("bank/pay.toml")).unwrap(), after);
}

#[test]
fn windows_line_ends_stay() {
    let case = "title = \"It adds\"\r\n[[step]]\r\ndo = \"total([1])\"\r\n";
    check("python", case, &format!("{case}returns = 1\r\n"));
}

#[test]
fn answers_that_changed_are_replaced_on_request() {
    let case = "title = \"It adds\"\n[[step]]\ndo = \"total([1])\"\nreturns = 2 # wrong\n[[step]]\ndo = \
                \"find('zed')\"\nreturns = 3\n[[step]]\ndo = \"total([2])\"\nreturns = { one_of = [5, 6] }\n";
    let folder = bank("python", case);
    let kept = fill(folder.path(), &[]);
    assert_eq!(kept.code, 0, "{}", kept.out);
    let run = fill(folder.path(), &["--all"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let lines = ["-returns = 2 # wrong", "+returns = 1 # wrong", "-returns = 3", "+equals = \"None\""];
    assert!(lines.iter().all(|line| run.out.contains(&format!("\n{line}\n"))), "{}", run.out);
    assert!(!run.out.contains("+returns = { one_of"), "{}", run.out);
    assert_says(&run.err, "2 steps in 1 file to fill");
    let coloured = fill(folder.path(), &["--all", "--color", "always"]);
    assert_says(&coloured.out, "\u{1b}[32m+returns = 1");
}

#[test]
fn a_step_that_cannot_be_written_is_named_and_the_others_are_filled() {
    let case = "title = \"It pays\"\n[[step]]\ndo = \"a = Account('ada')\"\n[[step]]\ndo = \"a.twin()\"\n[[step]]\ndo = \
                \"a.balance\"\n[[step]]\ndo = \"b = a.withdraw(9)\"\n[[step]]\ndo = \"b\"\n";
    let folder = bank("python", case);
    let run = fill(folder.path(), &["--write"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("pay.toml:5:") && run.err.contains("`Twin`"), "{}", run.err);
    assert_says(&run.err, "`b` is not bound; a later step uses it");
    let after = case.replace("a.balance\"\n", "a.balance\"\nreturns = 0\n");
    assert_eq!(fs::read_to_string(folder.path().join("bank/pay.toml")).unwrap(), after);
}

#[test]
fn nothing_is_filled_in_ci_or_without_a_reference_that_loads() {
    let case = "title = \"It adds\"\n[[step]]\ndo = \"total([1])\"\n";
    let folder = bank("python", case);
    let path = folder.path().join("bank/pay.toml");
    let path = path.to_str().unwrap();
    let refused = run(keur_command(&["fill", path, "--write"]).env("CI", "true"));
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert_says(&refused.err, "for a person to approve");

    let exercise = folder.path().join("bank/exercise.toml");
    let text = fs::read_to_string(&exercise).unwrap();
    fs::write(folder.path().join("bank/solution/bank.py"), "1 / 0\n").unwrap();
    let broken = fill(folder.path(), &["--write"]);
    assert_eq!(broken.code, 3);
    assert_says(&broken.err, "bank.py cannot be used: ZeroDivisionError");

    fs::write(&exercise, text.replace("reference", "#")).unwrap();
    let none = fill(folder.path(), &["--write"]);
    assert_eq!(none.code, 3);
    assert_says(&none.err, "the exercise bank has no reference");
    assert_eq!(fs::read_to_string(path).unwrap(), case);

    let missing = fill_path(Path::new("no/such.toml"), &[]);
    assert_eq!(missing.code, 2, "{}", missing.err);
    fs::write(path, "title = \n").unwrap();
    let malformed = fill(folder.path(), &[]);
    assert_eq!(malformed.code, 3);
    assert_says(&malformed.err, "pay.toml:1:");
}

#[test]
fn a_built_in_game_answers_the_cases_of_a_folder() {
    let case = "title = \"One\"\n[[step]]\ndo = \"Quixo(1)\"\n[[step]]\ndo = \"Quixo(0)\"\n";
    let folder = folder(&[("quixo/one.toml", case)]);
    let quixo = folder.path().join("quixo");
    let run = fill_path(&quixo, &["--write"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let filled = fs::read_to_string(quixo.join("one.toml")).unwrap();
    assert!(
        filled.contains("shows = \"-\"\n") && filled.contains("raises = \"ongeldig rooster\""),
        "{filled}"
    );
}
