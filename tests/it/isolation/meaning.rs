//! Attributes, items, operators and code of a case have the same value for a submission in any language.

pub(super) const EXERCISE: &str = r#"
title = "Accounts"
session = "python"
lang = "en"

[files]
python = ["accounts.py"]
javascript = ["accounts.js"]
java = ["Accounts.java"]

[class.Account]
new = ["balance"]
methods = { pay = ["amount"] }
attributes = ["balance", "twice"]

[class.Savings]
new = ["balance"]
attributes = ["balance"]

[class.Bag]
new = ["items"]

[function]
both = { args = [] }
total = { args = ["numbers"] }
"#;

pub(super) const PYTHON: &str = "
import functools

@functools.total_ordering
class Account:
    def __init__(self, balance):
        self.balance = balance

    @property
    def twice(self):
        return 2 * self.balance

    @twice.setter
    def twice(self, value):
        self.balance = value // 2

    def pay(self, amount):
        self.balance -= amount
        return self

    def __eq__(self, other):
        return isinstance(other, Account) and self.balance == other.balance

    def __lt__(self, other):
        return self.balance < other.balance

    def __repr__(self):
        return f'Account({self.balance})'

class Savings(Account):
    pass

class Bag:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

def both():
    return [1, 'two']

def total(numbers):
    return sum(numbers)
";

pub(super) const JAVASCRIPT: &str = "
class Account {
  constructor(balance) { this.balance = balance; }
  get twice() { return 2 * this.balance; }
  set twice(value) { this.balance = value / 2; }
  pay(amount) { this.balance -= amount; return this; }
  settle(rest) { return this.pay(this.balance - rest); }
  equals(other) { return this.balance === other.balance; }
  compareTo(other) { return this.balance - other.balance; }
  toString() { return `Account(${this.balance})`; }
}
class Savings extends Account {}
class Bag {
  constructor(items) { this.length = items.length; items.forEach((item, i) => { this[i] = item; }); }
  * [Symbol.iterator]() { for (let i = 0; i < this.length; i++) yield this[i]; }
}
const both = () => [1, 'two'];
function total(numbers) { return numbers.reduce((a, b) => a + b, 0); }
module.exports = { Account, Savings, Bag, both, total };
";

pub(super) const JAVA: &str = "
import java.util.*;

class Account implements Comparable<Account> {
    int balance;
    Account(int balance) { this.balance = balance; }
    int getTwice() { return 2 * balance; }
    void setTwice(int value) { balance = value / 2; }
    Account pay(int amount) { balance -= amount; return this; }
    Account settle(int rest) { return pay(balance - rest); }
    @Override public boolean equals(Object other) { return other instanceof Account own && own.balance == balance; }
    @Override public int hashCode() { return balance; }
    @Override public int compareTo(Account other) { return Integer.compare(balance, other.balance); }
    @Override public String toString() { return \"Account(\" + balance + \")\"; }
}

class Savings extends Account {
    Savings(int balance) { super(balance); }
}

class Bag implements Iterable<Integer> {
    private final List<Integer> items;
    Bag(List<Integer> items) { this.items = items; }
    public Iterator<Integer> iterator() { return items.iterator(); }
    int size() { return items.size(); }
    int get(int i) { return items.get(i); }
}

public class Accounts {
    static List<Object> both() { return List.of(1, \"two\"); }
    static int total(Collection<Integer> numbers) {
        int sum = 0;
        for (int number : numbers) sum += number;
        return sum;
    }
}
";

/// The cases: their names, and the steps of each with what its value equals; none for a line that only has to
/// run.
pub(super) const CASES: &[(&str, &[(&str, &str)])] = &[
    ("numbers", NUMBERS),
    ("texts_and_lists", ITEMS),
    ("comparisons", COMPARISONS),
    ("functions", FUNCTIONS),
    ("own_objects", OWN),
];

const NUMBERS: &[(&str, &str)] = &[
    ("a = 7", ""),
    ("b = -7", ""),
    ("big = 123456789012345678901234567890", ""),
    ("a // 2", "3"),
    ("b // 2", "-4"),
    ("a // -2", "-4"),
    ("b % 3", "2"),
    ("a % -3", "-2"),
    ("b % 7", "0"),
    ("a / 2", "3.5"),
    ("a * 0.5", "3.5"),
    ("7.5 // 2", "3.0"),
    ("-7.5 % 2", "0.5"),
    ("1 // 0.1", "9.0"),
    ("2 ** 10", "1024"),
    ("2 ** -1", "0.5"),
    ("b ** 3", "-343"),
    ("a * -1 * 0", "0"),
    ("-a", "-7"),
    ("-(a - a)", "0"),
    ("True + 1", "2"),
    ("big + 1", "123456789012345678901234567891"),
    ("big // 7", "17636684144620811271604938270"),
    ("-big % 7", "0"),
    ("big == big + 0", "True"),
    ("big > a", "True"),
];

const ITEMS: &[(&str, &str)] = &[
    ("l = [3, 1, 4, 1, 5, 9]", ""),
    ("s = 'abcde'", ""),
    ("u = 'a\\U0001F600b'", ""),
    ("d = {'a': 1}", ""),
    ("m = {1: 'x'}", ""),
    ("l[0]", "3"),
    ("l[-1]", "9"),
    ("l[1:3]", "[1, 4]"),
    ("l[::-1]", "[9, 5, 1, 4, 1, 3]"),
    ("l[-2:]", "[5, 9]"),
    ("l[5:1:-2]", "[9, 1]"),
    ("l[10:]", "[]"),
    ("s[1]", "'b'"),
    ("s[-2:]", "'de'"),
    ("s[::-1]", "'edcba'"),
    ("u[1]", "'\\U0001F600'"),
    ("u[::-1]", "'b\\U0001F600a'"),
    ("d['a']", "1"),
    ("m[1]", "'x'"),
    ("s + 'f'", "'abcdef'"),
    ("2 * 'ab'", "'abab'"),
    ("'ab' * -1", "''"),
    ("[1] + [2]", "[1, 2]"),
    ("[1, 2] * 2", "[1, 2, 1, 2]"),
    ("{1, 2} - {2}", "{1}"),
    ("l[0] = 8", ""),
    ("l[0:2]", "[8, 1]"),
    ("total(l[:2] + [1])", "10"),
    ("d['b'] = 2", ""),
    ("d", "{'a': 1, 'b': 2}"),
    ("m[True] = 'y'", ""),
    ("m", "{1: 'y'}"),
    ("x, y = both()", ""),
    ("y", "'two'"),
];

const COMPARISONS: &[(&str, &str)] = &[
    ("n = None", ""),
    ("1 == 1.0", "True"),
    ("1 == True", "True"),
    ("1 == '1'", "False"),
    ("n == None", "True"),
    ("n == 0", "False"),
    ("[1, [2]] == [1, [2]]", "True"),
    ("[1, 2] != [1, 3]", "True"),
    ("{'a': [1]} == {'a': [1]}", "True"),
    ("{1, 2} == {2, 1}", "True"),
    ("[1, [2]] < [1, [3]]", "True"),
    ("[1, 2] < [1, 2, 3]", "True"),
    ("[2] > [1, 5]", "True"),
    ("'Z' < 'a'", "True"),
    ("'\\uffff' < '\\U0001F600'", "True"),
    ("{1} < {1, 2}", "True"),
    ("{1} < {1}", "False"),
    ("2 > 1.5", "True"),
    ("3 <= 2", "False"),
    ("2 in [1, 2]", "True"),
    ("[2] in [[1], [2]]", "True"),
    ("'bc' in 'abc'", "True"),
    ("'z' not in {'a': 1}", "True"),
    ("not []", "True"),
    ("not 'a'", "False"),
    ("not n", "True"),
];

const FUNCTIONS: &[(&str, &str)] = &[
    ("len('a\\U0001F600b')", "3"),
    ("len({1: 2})", "1"),
    ("len([])", "0"),
    ("list('abc')", "['a', 'b', 'c']"),
    ("list({'a': 1, 'b': 2})", "['a', 'b']"),
    ("sorted([3, 1, 2])", "[1, 2, 3]"),
    ("sorted('cab')", "['a', 'b', 'c']"),
    ("sorted([[2, 1], [1, 2], [1]])", "[[1], [1, 2], [2, 1]]"),
    ("repr([1, 'a', None, True])", "\"[1, 'a', None, True]\""),
    ("repr({'a': {1}})", "\"{'a': {1}}\""),
    ("repr(\"it's\")", "'\"it\\'s\"'"),
    ("repr('a\\n\\x00\\u2028')", "\"'a\\\\n\\\\x00\\\\u2028'\""),
    ("repr(0.00001)", "'1e-05'"),
    ("repr(1e300)", "'1e+300'"),
    ("repr(0.1)", "'0.1'"),
];

const OWN: &[(&str, &str)] = &[
    ("a = Account(5)", ""),
    ("s = Savings(9)", ""),
    ("bag = Bag([4, 5, 6])", ""),
    ("a.balance", "5"),
    ("a.twice", "10"),
    ("a.balance = 7", ""),
    ("a.twice", "14"),
    ("a.twice = 20", ""),
    ("a.balance", "10"),
    ("a.pay(1).balance + 1", "10"),
    ("a == Account(9)", "True"),
    ("a != Account(9)", "False"),
    ("[a] == [Account(9)]", "True"),
    ("a in [Account(9)]", "True"),
    ("a < Account(10)", "True"),
    ("a >= Account(10)", "False"),
    ("sorted([Account(10), a])[0].balance", "9"),
    ("repr([a])", "'[Account(9)]'"),
    ("isinstance(s, Account)", "True"),
    ("isinstance(a, Savings)", "False"),
    ("kind = Savings", ""),
    ("isinstance(s, kind)", "True"),
    ("len(bag)", "3"),
    ("bag[1]", "5"),
    ("list(bag)", "[4, 5, 6]"),
    ("6 in bag", "True"),
    ("7 in bag", "False"),
    ("p, q, r = bag", ""),
    ("r", "6"),
];

/// A case with code of its own for each language.
pub(super) const NATIVE: &str = r#"
title = "Code as it stands"

[[step]]
do = "a = Account(5)"

[[step]]
do = { python = "b = Account(a.balance + 1)\nb.pay(2)", javascript = "const b = new Account(a.balance + 1); b.pay(2)", java = "var b = new Account(a.balance + 1); b.pay(2)" }
binds = ["b"]
shows = "Account(4)"

[[step]]
do = "b.balance"
equals = "4"

[[step]]
do = { python = "n = 0\nfor i in range(4):\n    n += i\nn", javascript = "let n = 0; for (let i = 0; i < 4; i++) { n += i; } n // the sum", java = "int n = 0; for (int i = 0; i < 4; i++) { n += i; } n // the sum" }
equals = "6"

[[step]]
do = { python = "a = Account(8)", javascript = "a = new Account(8)", java = "a = new Account(8)" }
binds = ["a"]

[[step]]
do = "a.twice"
equals = "16"

[[step]]
do = "numbers = [1, 2]"

[[step]]
do = { python = "total(numbers)", javascript = "total(numbers)", java = "total(numbers)" }
equals = "3"

[[step]]
do = { python = "raise RuntimeError('no')", javascript = "throw new Error('no')", java = "throw new IllegalStateException(\"no\")" }
raises = "no"
"#;

/// The text of a case with these steps.
pub(super) fn case(name: &str, steps: &[(&str, &str)]) -> String {
    let mut text = format!("title = \"{name}\"\n");
    for (line, value) in steps {
        text += &format!("[[step]]\ndo = {line:?}\n");
        if !value.is_empty() {
            text += &format!("equals = {value:?}\n");
        }
    }
    text
}
