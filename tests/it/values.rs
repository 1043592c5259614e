//! The values that are equal in a language: of subclasses, of libraries, and of a language's own collections.

use crate::required::{self, needs};
use crate::running::{folder, keur_command, run, write_files};
use std::fmt::Write;

/// The body of an asynchronous function of JavaScript that resolves to this.
const SLEEPS: &str = "new Promise((resolve) => { setTimeout(() => resolve(3), 20); })";

/// A function without parameters: its body, what a step expects of its value, and the finding; `""` if it is right, and
/// after `got: ` or `expected: ` a value as the finding shows it.
type Example<'e> = (&'e str, &'e str, &'e str);

/// Grades a file of this language with a function for each example, after these `definitions`.
#[track_caller]
fn check(language: &str, definitions: &str, examples: &[Example<'_>]) {
    check_with(&[], "", language, definitions, examples);
}

/// The same with these `options` of keur, and these tables in the exercise.
#[track_caller]
fn check_with(options: &[&str], tables: &str, language: &str, definitions: &str, examples: &[Example<'_>]) {
    check_in("", options, tables, language, definitions, examples);
}

/// The same with these keys in the exercise, before its tables.
#[track_caller]
fn check_in(
    keys: &str,
    options: &[&str],
    tables: &str,
    language: &str,
    definitions: &str,
    examples: &[Example<'_>],
) {
    let ending = if language == "python" { "py" } else { "js" };
    let mut exercise = format!(
        "title = \"Values\"\nsession = \"{language}\"\nlang = \"en\"\n{keys}[files]\n{language} = [\"values.{ending}\"]\n{tables}[function]\n"
    );
    let (mut source, mut files) = (definitions.to_owned(), Vec::new());
    for (number, (body, expects, _)) in examples.iter().enumerate() {
        let _ = writeln!(exercise, "f{number} = {{ args = [] }}");
        if language == "python" {
            let _ = writeln!(source, "\ndef f{number}():\n    return {body}");
        } else {
            let _ = writeln!(source, "\nfunction f{number}() {{ return {body}; }}");
        }
        let case = format!("title = \"{number}\"\n[[step]]\ndo = \"f{number}()\"\n{expects}\n");
        files.push((format!("cases/case{number:02}.toml"), case));
    }
    let file = format!("values.{ending}");
    let folder = folder(&[("cases/exercise.toml", &exercise), (&file, &source)]);
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    write_files(folder.path(), &files);
    let args = ["grade", &file, "--cases", "cases", "--format", "json", "--exit-zero"];
    let run = run(keur_command(&args).args(options).current_dir(folder.path()));
    assert_eq!(run.code, 0, "{}", run.all());
    let json = run.json();
    for ((body, expects, finding), case) in
        examples.iter().zip(json["submissions"][0]["cases"].as_array().unwrap())
    {
        let (key, finding) = match finding.split_once(": ") {
            Some((key @ ("got" | "expected" | "verdict"), shown)) => (key, shown),
            _ => ("message", *finding),
        };
        let message = case["finding"][key].as_str().unwrap_or_default();
        let is_right = if finding.is_empty() { message.is_empty() } else { message.contains(finding) };
        assert!(is_right, "{body}, {expects}: {message:?} instead of {finding:?}\n{case:#}");
    }
}

#[test]
fn a_value_of_a_subclass_in_python_is_one_of_the_type_that_it_extends() {
    let definitions = "
from collections import Counter, OrderedDict, defaultdict, namedtuple
from enum import Enum, IntEnum

Point = namedtuple('Point', 'x y')
Level = IntEnum('Level', 'LOW HIGH')
Color = Enum('Color', 'RED')

class Lies(list):
    def __iter__(self): return iter([9])
    def __len__(self): return 9
    def __eq__(self, other): return True
    def __getitem__(self, at): return 9

class Name(str):
    def __str__(self): return 'lies'
    def encode(self, *args): raise ValueError

class Many(dict):
    def items(self): return [('lies', 9)]

class Number(int):
    def __int__(self): return 9
    def __index__(self): return 9
    def __repr__(self): return '9'
";
    let exact = "compare = { exact = true }";
    let exactly = |expects: &str| format!("{expects}\n{exact}");
    check(
        "python",
        definitions,
        &[
            ("Counter('aa')", "equals = \"{'a': 2}\"", ""),
            ("defaultdict(list, {'a': [1]})", "equals = \"{'a': [1]}\"", ""),
            ("OrderedDict(b=1, a=2)", "equals = \"{'a': 2, 'b': 1}\"", ""),
            ("[Point(1, 2)]", "equals = \"[(1, 2)]\"", ""),
            ("Level.HIGH", "returns = 2", ""),
            ("Color.RED", "returns = 1", "verdict: wrong value"),
            ("frozenset([1, 2])", "equals = \"{1, 2}\"", ""),
            ("Lies([1, 2])", "returns = [1, 2]", ""),
            ("Lies([1, 2])", "returns = [9]", "verdict: wrong value"),
            ("Name('Ann')", "returns = \"Ann\"", ""),
            ("Many(a=1)", "equals = \"{'a': 1}\"", ""),
            ("[Number(5), Number(2**70)]", "returns = [5, 9]", "verdict: wrong value"),
            ("Number(5)", "returns = 5", ""),
            ("True", "returns = 1", "right value, wrong type: expected int, got bool"),
            // Where the exercise asks for exactly this type.
            ("[1]", &exactly("returns = [1]"), ""),
            ("(1,)", &exactly("returns = [1]"), "right value, wrong type: expected list, got tuple"),
            ("Counter('aa')", &exactly("equals = \"{'a': 2}\""), "expected dict, got Counter"),
            ("[Point(1, 2)]", &exactly("equals = \"[(1, 2)]\""), "a value in it is of another type: Point"),
            ("Counter('aa')", "returns = { type = \"dict\" }", "verdict: wrong value"),
            ("Counter('aa')", "returns = { type = \"Counter\" }", ""),
            ("Counter('aa')", "returns = { instance = \"dict\" }", ""),
            ("[Counter('aa')]", "returns = { type = \"list\" }", ""),
        ],
    );
}

#[test]
fn arrays_and_tables_of_packages_are_lists_and_dictionaries() {
    needs!(External);
    let python = required::external().join("bin/python");
    let exact = "returns = [1.0]\ncompare = { exact = true }";
    check_with(
        &["--python", python.to_str().unwrap()],
        "[packages]\npython = [\"numpy\", \"pandas\"]\n",
        "python",
        "import numpy as np\nimport pandas as pd\n",
        &[
            ("np.float64(0.1) + 0.2", "returns = 0.3", ""),
            ("np.float32(0.5)", "returns = 0.5", ""),
            ("np.int64(3)", "returns = 3", ""),
            ("np.bool_(True)", "returns = true", ""),
            ("np.str_('a')", "returns = \"a\"", ""),
            ("np.array([[1, 2], [3, 4]])", "returns = [[1, 2], [3, 4]]", ""),
            ("np.array([1, 2, 3, 4])", "returns = [[1, 2], [3, 4]]", "verdict: wrong value"),
            ("np.array(3)", "returns = 3", ""),
            // What is more than these values.
            ("np.timedelta64(3, 'ns')", "returns = 3", "verdict: wrong value"),
            ("np.datetime64(3, 'ns')", "returns = 3", "verdict: wrong value"),
            ("np.array([3], 'm8[ns]')", "returns = [3]", "verdict: wrong value"),
            ("np.array([(3,)], [('a', 'M8[ns]')])", "equals = \"[(3,)]\"", "verdict: wrong value"),
            ("np.ma.array([3, 4], mask=[False, True])", "returns = [3, 4]", "verdict: wrong value"),
            ("{'a': np.arange(2)}", "equals = \"{'a': [0, 1]}\"", ""),
            ("np.array([1.0])", exact, "right value, wrong type: expected list, got ndarray"),
            ("np.zeros(30000)", "returns = [0]", "too large"),
            ("pd.Series([1, 2])", "returns = [1, 2]", ""),
            ("(setattr(pd.Series, 'tolist', None), pd.Series([1, 2]))[1]", "returns = [1, 2]", ""),
            (
                "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})",
                "equals = \"{'a': [1, 2], 'b': ['x', 'y']}\"",
                "",
            ),
        ],
    );
}

#[test]
fn a_table_in_a_file_is_its_columns() {
    let exercise = "title = \"Towns\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"towns.py\"]\n\
                    [function]\ntowns = { args = [] }\n";
    let case = |file: &str| {
        format!("title = \"Towns\"\n[[step]]\ndo = \"towns()\"\nequals = {{ csv = \"{file}\" }}\n")
    };
    let files = [
        ("towns/exercise.toml", exercise),
        ("towns/towns.csv", "name,people\nGent,267000\nLier,\n"),
        (
            "right.py",
            "def towns():\n    return {'people': [267000.0, float('nan')], 'name': ['Gent', 'Lier']}\n",
        ),
        ("wrong.py", "def towns():\n    return {'people': [267000.0, 0.0], 'name': ['Gent', 'Lier']}\n"),
    ];
    let folder = folder(&files);
    write_files(folder.path(), &[("towns/towns.toml", &case("towns.csv"))]);
    let keur =
        |args: &[&str]| run(keur_command(&[args, &["--cases", "towns"]].concat()).current_dir(folder.path()));
    assert_eq!(keur(&["grade", "right.py"]).code, 0);
    let wrong = keur(&["grade", "wrong.py"]);
    assert_eq!(wrong.code, 1, "{}", wrong.all());
    assert!(wrong.out.contains("nan"), "{}", wrong.out);
    write_files(folder.path(), &[("towns/towns.toml", &case("../right.py")), ("towns/twice.csv", "a,a\n")]);
    assert_eq!(keur(&["grade", "right.py"]).code, 3);
    write_files(folder.path(), &[("towns/towns.toml", &case("twice.csv"))]);
    let twice = keur(&["grade", "right.py"]);
    assert!(twice.code == 3 && twice.all().contains("`a` twice"), "{}", twice.all());
}

#[test]
fn in_javascript_a_plain_object_and_a_map_are_dictionaries() {
    let exact = "equals = \"{'a': 1}\"\ncompare = { exact = true }";
    check(
        "javascript",
        "class Stack extends Array {}\nclass Bag extends Map {}\n",
        &[
            ("({ a: 1 })", "equals = \"{'a': 1}\"", ""),
            ("new Map([['a', 1]])", "equals = \"{'a': 1}\"", ""),
            ("new Bag([['a', 1]])", "equals = \"{'a': 1}\"", ""),
            ("Stack.of(1, 2)", "returns = [1, 2]", ""),
            // The keys of a plain object are texts.
            ("({ 200: 3, true: 4 })", "equals = \"{200: 3, True: 4}\"", ""),
            ("new Map([['200', 3]])", "equals = \"{200: 3}\"", "verdict: wrong value"),
            ("({ a: 1 })", exact, ""),
            ("new Map([['a', 1]])", exact, "right value, wrong type: expected Object, got Map"),
            ("new Bag([['a', 1]])", exact, "right value, wrong type: expected Object, got Bag"),
            ("({ a: 1 })", "returns = { type = \"dict\" }", ""),
        ],
    );
}

#[test]
fn a_view_counts_wherever_a_value_of_its_type_arrives() {
    let settings =
        "[view]\nSong = [\"it.title\"]\n[class.Song]\nnew = [\"title\"]\nattributes = [\"title\"]\n";
    let song = "returns = [\"a\"]";
    let check = |language, definitions, examples: &[Example<'_>]| {
        check_with(&[], settings, language, definitions, examples);
    };
    check(
        "python",
        "class Song:\n    def __init__(self, title): self.title = title\nclass Hit(Song): pass\n",
        &[
            ("Song('a')", song, ""),
            ("Hit('a')", song, ""),
            ("[Song('a'), {1: Hit('b')}]", "equals = \"[['a'], {1: ['b']}]\"", ""),
            ("Song('b')", song, "verdict: wrong value"),
            ("Song(Song('a'))", "returns = [[\"a\"]]", ""),
        ],
    );
    check(
        "javascript",
        "class Song { constructor(title) { this.title = title; } }\nclass Hit extends Song {}\n",
        &[
            ("new Song('a')", song, ""),
            ("[new Hit('a'), new Map([[1, new Song('b')]])]", "equals = \"[['a'], {1: ['b']}]\"", ""),
        ],
    );
}

#[test]
fn an_object_without_a_view_shows_its_own_text() {
    let expects = "returns = 1";
    check(
        "python",
        "class Song:\n    def __init__(self, title): self.title = title\n\
         class Own(Song):\n    def __repr__(self): return f'Own({self.title!r})'\n\
         class Text(Song):\n    def __str__(self): return f'a song: {self.title}'\n\
         class Hangs:\n    def __repr__(self):\n        while True: pass\n",
        &[
            ("Own('a')", expects, "got: Own('a')"),
            ("[Own('a'), 2]", expects, "got: [Own('a'), 2]"),
            ("Song(Own('a'))", expects, "got: <Song title=Own('a')>"),
            ("{1: [Song('a')]}", expects, "got: {1: [<Song title='a'>]}"),
            ("Text('a')", expects, "got: <Text: a song: a>"),
            ("iter([])", expects, "got: <list_iterator>"),
            ("Hangs()", expects, "got: <Hangs>"),
        ],
    );
    check(
        "javascript",
        "class Song { constructor(title) { this.title = title; } }\n\
         class Text extends Song { toString() { return `a song: ${this.title}`; } }\n",
        &[
            ("new Song('a')", expects, "got: Song { title: \"a\" }"),
            (
                "[new Text('a'), { b: new Song(1) }]",
                expects,
                "got: [<Text: a song: a>, { b: Song { title: 1 } }]",
            ),
        ],
    );
}

/// One text that cannot be had leaves the others; all together may take as long as a case.
#[test]
fn own_texts_end_with_the_time_of_a_case() {
    let expects = "returns = 1";
    check_with(
        &["--engine", "node"],
        "[limits]\nwall = \"2s\"\n",
        "python",
        "import time\n\
         class Own:\n    def __repr__(self): return 'Own()'\n\
         class Raises:\n    def __repr__(self): raise ValueError\n\
         class Sleeps:\n    def __repr__(self): time.sleep(9)\n",
        &[
            ("Raises()", expects, "got: <Raises>"),
            ("Own()", expects, "got: Own()"),
            ("Sleeps()", expects, "got: <Sleeps>"),
            ("Own()", expects, "got: <Own>"),
        ],
    );
}

#[test]
fn a_type_that_is_not_the_expected_one_is_named() {
    let definitions = "from collections import UserDict\nclass Card:\n    def __init__(self): self.suit, self.__rank = 'H', 1\n\
                       class Joker(Card):\n    pass\n";
    check_with(
        &[],
        "[class.Card]\nnew = []\nattributes = [\"suit\"]\n[view]\nCard = [\"it.suit\"]\n",
        "python",
        definitions,
        &[
            ("Joker()", "returns = { type = \"Card\" }", "got: Joker"),
            ("Joker()", "returns = { instance = \"Card\" }", ""),
            ("Card()", "returns = { type = \"Card\" }", ""),
            ("Card()", "returns = { type = \"bool\" }", "got: Card"),
            ("Card()", "returns = [\"S\"]", "got: ['H']"),
            // It shows itself as the expected value.
            ("UserDict(a=1)", "equals = \"{'a': 1}\"", "got: <UserDict"),
        ],
    );
    let private = "[class.Card]\nnew = []\nattributes = [\"rank\"]\n[view]\nCard = [\"it.rank\"]\n";
    check_with(
        &[],
        private,
        "python",
        definitions,
        &[("Joker()", "returns = [1]", "has no attribute rank, but has __rank")],
    );
}

/// The exercise of songs, whose best one is \"Yesterday\".
const SONGS: &str = "title = \"Songs\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"songs.py\"]\njavascript = [\"songs.js\"]\n\
                     [class.Song]\nnew = [\"title\"]\nattributes = [\"title\"]\nmethods = {}\n[function]\nbest = { args = [\"n\"] }\n";

/// What a step expects of the best song: the song, or its title.
const AS_A_SONG: &str = "do = \"best(1)\"\nequals = \"Song('Yesterday')\"\n";
const AS_A_TITLE: &str = "do = \"best(1).title\"\nreturns = \"Yesterday\"\n";

/// The verdicts of a submission that learns the best song from the cases, if it can: one asks for it as a song, and
/// the other as here.
#[track_caller]
fn check_songs(file: &str, source: &str, isolation: &str, asks: &str, expected: &[&str]) {
    let differ = "[[step]]\ndo = \"Song('a') == Song('b')\"\nreturns = false\n";
    let equal = format!("title = \"Equal\"\n[[step]]\n{AS_A_SONG}{differ}");
    let other = format!("title = \"Other\"\n[[step]]\n{asks}");
    let folder = folder(&[
        ("songs/exercise.toml", SONGS),
        ("songs/a.toml", &equal),
        ("songs/b.toml", &other),
        (file, source),
    ]);
    let args = ["grade", file, "--cases", "songs", "--engine", "node", "--isolation", isolation];
    let run = run(keur_command(&args).args(["--format", "json", "--exit-zero"]).current_dir(folder.path()));
    assert_eq!(run.code, 0, "{isolation}: {}", run.all());
    let json = run.json();
    let verdicts: Vec<&str> = (json["submissions"][0]["cases"].as_array().unwrap().iter())
        .map(|case| case["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, expected, "{isolation}: {}", run.out);
}

/// In the quick pass, what an answer must be equal to is not in the process before the answer.
#[test]
fn an_expected_object_comes_after_the_answer() {
    let peeks = "import json, sys\n\
                 class Song:\n    def __init__(self, title): self.title = title\n    \
                 def __eq__(self, other): return type(other) is Song and self.title == other.title\n\
                 def best(n):\n    frame = sys._getframe()\n    while frame is not None:\n        \
                 if 'Yesterday' in str(frame.f_locals.get('left')):\n            return Song('Yesterday')\n        \
                 frame = frame.f_back\n    return Song('?')\n";
    check_songs("songs.py", peeks, "quick", AS_A_SONG, &["wrong value", "wrong value"]);
}

/// A case whose expected object is in the process goes last: others may expect the same.
#[test]
fn an_expected_object_is_not_known_to_other_cases() {
    let keeps = "class Song {\n  constructor(title) { this.title = title; }\n  \
                 equals(other) { if (this.title !== '?') return this.title === other.title; Buffer.kept = other.title; return true; }\n}\n\
                 function best(n) { return new Song(Buffer.kept ?? '?'); }\n";
    for isolation in ["quick", "both"] {
        check_songs("songs.js", keeps, isolation, AS_A_TITLE, &["passed", "wrong value"]);
    }
}

#[test]
fn an_object_is_equal_by_the_submissions_own_equality_where_a_case_asks() {
    let settings = "[class.Song]\nnew = [\"title\"]\n";
    let own = "class Song:\n    def __init__(self, title): self.title = title\n    \
               def __repr__(self): return f'Song({self.title!r})'\n";
    let equal = own.to_owned() + "    def __eq__(self, other): return self.title == other.title\n";
    let song = "equals = \"Song('a')\"";
    let examples: [Example<'_>; 4] = [
        ("Song('a')", song, ""),
        ("[Song('a'), Song('b')]", "equals = \"[Song('a'), Song('b')]\"", ""),
        ("Song('b')", song, "got: Song('b')"),
        ("Song('b')", song, "expected: Song('a')"),
    ];
    check_with(&[], settings, "python", &equal, &examples);
    // Without an equality of its own, an object is equal to itself alone: both look the same.
    let alike = [("Song('a')", song, "these look the same"), ("Song('a')", song, "got: Song('a')")];
    check_with(&[], settings, "python", own, &alike);
    let script = "class Song { constructor(title) { this.title = title; } equals(other) { return this.title === other.title; } }\n";
    check_with(
        &[],
        settings,
        "javascript",
        script,
        &[("new Song('a')", song, ""), ("new Song('b')", song, "got: Song { title: \"b\" }")],
    );
}

#[test]
fn an_equality_alone_is_warned_of() {
    let exercise = "title = \"Songs\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"songs.py\"]\n\
                    [class.Song]\nnew = [\"title\"]\nmethods = { copy = [] }\n";
    let case = |more: &str| {
        format!(
            "title = \"A copy\"\n[[step]]\ndo = \"a = Song('a')\"\n[[step]]\ndo = \"a.copy()\"\nequals = \"Song('a')\"\n{more}"
        )
    };
    let checked = |more: &str| {
        let folder = folder(&[("songs/exercise.toml", exercise), ("songs/copy.toml", &case(more))]);
        let run = run(keur_command(&["check", "songs"]).current_dir(folder.path()));
        (run.code, run.all())
    };
    let (code, text) = checked("");
    assert!(code == 0 && text.contains("expect that two objects differ"), "{text}");
    let (code, text) = checked("[[step]]\ndo = \"[a.copy()]\"\nequals = \"[Song('a')]\"\n");
    assert!(code == 0 && text.contains("expect that two objects differ"), "{text}");
    let (code, text) = checked("[[step]]\ndo = \"a == Song('b')\"\nreturns = false\n");
    assert!(code == 0 && !text.contains("warning"), "{text}");
    let (code, text) = checked("[[step]]\ndo = \"a.copy()\"\nequals = \"Song('a', 2)\"\n");
    assert!(code == 3 && text.contains("takes 1 argument"), "{text}");
    for key in ["shows", "prints"] {
        let (code, text) =
            checked(&format!("[[step]]\ndo = \"a.copy()\"\nequals = \"Song('a')\"\n{key} = \"a\"\n"));
        assert!(code == 3 && text.contains(&format!("leaves nothing for `{key}`")), "{text}");
    }
    let (code, text) = checked("[[step]]\ndo = \"a.copy()\"\nequals = \"a\"\n");
    assert!(code == 3 && text.contains("a literal or a new object"), "{text}");
}

#[test]
fn a_promise_counts_as_what_it_becomes_on_both_engines() {
    let definitions = "let seen = [];\nconst later = (n) => Promise.resolve().then(() => { seen.push(n); });\n\
                       async function chain(n) { for (let i = 0; i < 9; i++) await i; return n; }\n\
                       class Box { then() { throw new Error('called'); } }\n";
    for engine in ["node", "quickjs"] {
        check_with(
            &["--engine", engine],
            "",
            "javascript",
            definitions,
            &[
                ("chain(3)", "returns = 3", ""),
                ("chain(3)", "returns = 4", "got: 3"),
                ("Promise.reject(new Error('no'))", "raises = \"no\"", ""),
                (SLEEPS, "returns = 3", ""),
                ("new Promise(() => {})", "returns = 3", "nothing settles this promise"),
                ("[new Box()].length", "returns = 1", ""),
                ("[new Float64Array([1, 2.5])]", "returns = [[1, 2.5]]", ""),
                ("new Uint8Array(2)", "returns = [0, 0]\ncompare = { exact = true }", "wrong type"),
                ("new Box()", "returns = { type = \"Box\" }", ""),
                ("later(1).then(() => later(2)).then(() => seen)", "returns = [1, 2]", ""),
            ],
        );
    }
}

/// What a case does with the answer of an asynchronous function, it does with what that becomes.
#[test]
fn a_promise_on_the_way_counts_as_what_it_becomes_on_both_engines() {
    let exercise = "title = \"Later\"\nsession = \"javascript\"\nlang = \"en\"\n[files]\njavascript = [\"later.js\"]\n[function]\n\
                    list = { args = [\"n\"] }\ntwice = { args = [\"n\"] }\n[class.Box]\nnew = [\"n\"]\nattributes = [\"n\"]\n\
                    methods = { more = [\"n\"], fails = [] }\n";
    let source = "async function list(n) { await null; return [1, n]; }\nasync function twice(n) { return 2 * n; }\n\
                  class Box { constructor(n) { this.n = n; } async more(n) { this.n += n; return this; } async fails() { throw new Error('no'); } }\n";
    let steps = [
        ("list(2)[1]", "returns = 2"),
        ("len(list(3))", "returns = 2"),
        ("twice(twice(2))", "returns = 8"),
        ("twice(1) + twice(2)", "returns = 6"),
        ("[twice(1), (twice(2), {'a': twice(3)})]", "equals = \"[2, [4, {'a': 6}]]\""),
        ("list(4)[0:twice(1)]", "returns = [1, 4]"),
        ("Box(twice(1)).more(2).n", "returns = 4"),
        ("Box(1).more(1).more(1).str()", "shows = \"[object Object]\""),
        ("Box(1).more(Box(1).fails())", "raises = \"no\""),
        ("Box(3).more(1).n = twice(5)", "returns = 10"),
    ];
    let steps = steps.map(|(line, expects)| format!("[[step]]\ndo = \"{line}\"\n{}\n", expects)).concat();
    let case = format!("title = \"On the way\"\n{steps}");
    let folder =
        folder(&[("later/exercise.toml", exercise), ("later/way.toml", &case), ("later.js", source)]);
    for engine in ["node", "quickjs"] {
        let args = ["grade", "later.js", "--cases", "later", "--engine", engine, "--isolation", "both"];
        let run = run(keur_command(&args).current_dir(folder.path()));
        assert_eq!(run.code, 0, "{engine}: {}", run.all());
    }
}

#[test]
fn what_a_call_leaves_in_the_queue_runs_before_the_next_call_on_both_engines() {
    let exercise = "title = \"Queues\"\nsession = \"javascript\"\n[files]\njavascript = [\"queue.js\"]\n\
                    [function]\npush = { args = [\"n\"] }\nall = { args = [] }\n";
    let case = "title = \"Pushes\"\n[[step]]\ndo = \"push(1)\"\nprints = \"pushed\"\n[[step]]\ndo = \"all()\"\nreturns = [1]\n";
    let source = "let items = [];\nfunction push(n) { (async () => { for (let i = 0; i < 9; i++) await i; items.push(n); console.log('pushed'); })(); }\n\
                  function all() { return items; }\n";
    let files = [
        ("queues/exercise.toml", exercise),
        ("queues/one.toml", case),
        ("queues/two.toml", &case.replace("Pushes", "Again")),
    ];
    let folder = folder(&files);
    write_files(folder.path(), &[("queue.js", source)]);
    for engine in ["node", "quickjs"] {
        for isolation in ["case", "both"] {
            let args =
                ["grade", "queue.js", "--cases", "queues", "--engine", engine, "--isolation", isolation];
            let run = run(keur_command(&args).current_dir(folder.path()));
            assert_eq!(run.code, 0, "{engine}: {}", run.all());
        }
    }
}

/// What a case leaves to run says nothing of the next.
#[test]
fn what_a_case_leaves_to_run_does_not_reach_the_next_on_both_engines() {
    let exercise = "title = \"Sleep\"\nsession = \"python\"\nlang = \"en\"\n[files]\njavascript = [\"sleep.js\"]\n\
                    [function]\nnoise = { args = [] }\nstorm = { args = [] }\nchain = { args = [] }\nends = { args = [] }\nsleep = { args = [] }\n";
    let source = "function noise() { setInterval(() => console.log('noise'), 1); return 1; }\n\
                  function storm() { const again = () => { Promise.resolve().then(again); }; again(); return 1; }\n\
                  let ended = 0;\n\
                  async function chain() { for (let n = 0; n < 100; n++) { await null; } ended++; }\n\
                  function ends() { return ended; }\n\
                  const wait = (time, text) => new Promise((resolve) => { setTimeout(() => { console.log(text); resolve(); }, time); });\n\
                  async function sleep() { await Promise.all([wait(3000, 'so'), wait(2000, 'and')]); }\n";
    let case = |title: &str, steps: &str| format!("title = \"{title}\"\n{steps}\n");
    let sleeps = "[[step]]\ndo = \"sleep()\"\nprints = \"and\\nso\"";
    let files = [
        ("sleep/exercise.toml", exercise.to_owned()),
        ("sleep/a.toml", case("Noise", "[[step]]\ndo = \"noise()\"\nreturns = 1")),
        ("sleep/b.toml", case("Sleep", sleeps)),
        ("sleep/c.toml", case("Chain", "[[step]]\ndo = \"chain()\"\n[[step]]\ndo = \"ends()\"\nreturns = 1")),
        ("sleep/d.toml", case("Storm", "[[step]]\ndo = \"storm()\"\nreturns = 1")),
        ("sleep/e.toml", case("Again", sleeps)),
        ("sleep.js", source.to_owned()),
    ];
    let folder = folder(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    for engine in ["node", "quickjs"] {
        let args = ["grade", "sleep.js", "--cases", "sleep", "--engine", engine, "--isolation", "both"];
        let run = run(keur_command(&args).args(["--format", "json"]).current_dir(folder.path()));
        assert_eq!(run.code, 1, "{engine}: {}", run.all());
        let json = run.json();
        let verdicts: Vec<&str> = (json["submissions"][0]["cases"].as_array().unwrap().iter())
            .map(|case| case["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(verdicts, ["passed", "passed", "passed", "time limit", "passed"], "{engine}");
    }
}

/// What a call writes to standard error is only known where submissions are confined.
#[cfg(target_os = "linux")]
#[test]
fn output_on_standard_error_is_said_to_be_there() {
    let told = "this was printed to standard error";
    check(
        "python",
        "import sys\n",
        &[
            ("print('so', file=sys.stderr)", "prints = \"so\"", told),
            ("print('so', file=sys.stderr)", "prints = { contains = \"s\" }", told),
            ("print('no', file=sys.stderr)", "prints = \"so\"", "nothing is printed here"),
            ("sys.stderr.write('so') and None", "prints = \"so\"", told),
        ],
    );
    let exercise = "title = \"So\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"so.py\"]\n[programs]\npython = [\"so.py\"]\n";
    let case = "title = \"So\"\n[[step]]\nrun = \"so.py\"\nprints = \"so\"\n";
    let source = "import sys\nprint('so', file=sys.stderr)\n";
    let folder = folder(&[("so/exercise.toml", exercise), ("so/so.toml", case), ("so.py", source)]);
    let args = ["grade", "so.py", "--cases", "so", "--format", "json"];
    let run = run(keur_command(&args).current_dir(folder.path()));
    assert_eq!(run.code, 1, "{}", run.all());
    assert!(run.out.contains(told), "{}", run.out);
}

#[test]
fn output_while_a_file_is_loaded_is_a_warning() {
    let exercise = "title = \"So\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"so.py\"]\njavascript = [\"so.js\"]\n\
                    [function]\nso = { args = [] }\n";
    let case = "title = \"So\"\n[[step]]\ndo = \"so()\"\nreturns = 1\n";
    let (python, javascript) = ("def so():\n    return 1\n", "function so() { return 1; }\n");
    let files = [
        ("so/exercise.toml", exercise),
        ("so/one.toml", case),
        ("so/two.toml", &case.replace("So", "Too")),
        ("so.py", &*format!("{python}print()\nprint('left', so())\n")),
        ("so.js", &*format!("{javascript}console.log('left', so());\n")),
        ("quiet/so.py", &*format!("{python}if __name__ == '__main__':\n    print('left')\n")),
    ];
    let folder = folder(&files);
    for (path, engine, expected) in
        [("so.py", "node", 1), ("so.js", "node", 1), ("so.js", "quickjs", 1), ("quiet/so.py", "node", 0)]
    {
        let args =
            ["grade", path, "--cases", "so", "--format", "json", "--engine", engine, "--isolation", "both"];
        let run = run(keur_command(&args).current_dir(folder.path()));
        assert_eq!(run.code, 0, "{path}: {}", run.all());
        let told =
            run.out.matches("printed while the file was loaded; no case looks at it: left 1\"").count();
        assert_eq!(told, expected, "{path}: {}", run.out);
    }
}

#[test]
fn a_module_that_imitates_a_package_is_not_asked() {
    let imitates = "import sys, types\nclass Series:\n    def __len__(self):\n        return 1\n    \
                    def tolist(self):\n        return [1]\npandas = types.ModuleType('pandas')\n\
                    pandas.Series = pandas.DataFrame = Series\nsys.modules['pandas'] = pandas\n";
    check("python", imitates, &[("Series()", "returns = [1]", "verdict: wrong value")]);
}

#[test]
fn calls_read_the_standard_input_of_their_step() {
    let reads = "stdin = \"3\\n4\\n\"\n";
    let examples = [
        ("int(input('first: ')) + int(input())", &*format!("{reads}returns = 7"), ""),
        ("sys.stdin.read()", &*format!("{reads}returns = \"3\\n4\\n\""), ""),
        ("[line.strip() for line in sys.stdin]", &*format!("{reads}returns = [\"3\", \"4\"]"), ""),
        // A prompt is no output.
        ("print(input('first: '))", &*format!("{reads}prints = \"3\""), ""),
        ("[input() for n in range(3)]", &*format!("{reads}returns = []"), "there are only 2 lines"),
        ("input()", "returns = \"\"", "there is no input to read"),
        ("input() == 'x'", &*format!("{reads}returns = true"), "verdict: wrong value"),
    ];
    check("python", "import sys\n", &examples);
    let kept = [
        ("stdin.readline() + ask('next: ')", &*format!("{reads}returns = \"3\\n4\""), ""),
        ("[ask(), read(), read()]", &*format!("{reads}returns = [\"3\", \"4\\n\", \"\"]"), ""),
        ("print(ask('first: '))", &*format!("{reads}prints = \"3\""), ""),
    ];
    check("python", "from sys import stdin\nask = input\nread = stdin.readline\n", &kept);
    let prompts = [("print(input('first: '))", &*format!("{reads}prints = \"first: 3\""), "")];
    check_in("prompts = \"output\"\n", &[], "", "python", "", &prompts);
}

#[test]
fn output_while_loading_is_output_of_the_first_step_where_the_exercise_says_so() {
    for (language, print) in [("python", "print"), ("javascript", "console.log")] {
        let first = format!("{print}('a')");
        let examples = [
            (&*first, "prints = \"hi\\na\"\n[[step]]\ndo = \"f0()\"\nprints = \"a\"", ""),
            (&*first, "prints = \"a\"", "this was printed while the file was loaded, not by this step"),
            (&*first, "prints = \"b\"", "number of lines: expected 1, got 2"),
            ("1", "returns = 1", ""),
            ("1", "returns = 1\nprints = \"\"", "this was printed while the file was loaded"),
        ];
        check_in("loading = \"output\"\n", &[], "", language, &format!("{print}('hi')\n"), &examples);
    }
}

#[test]
fn what_a_step_leaves_of_its_input_is_not_for_the_next() {
    let exercise = "title = \"Adding\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"adding.py\"]\njavascript = [\"adding.js\"]\n\
                    [function]\nadd = { args = [] }\n";
    let case = |number: &str| {
        format!(
            "title = \"{number}\"\n[[step]]\ndo = [\"a = add()\", \"add()\"]\nstdin = \"1\\n2\\n3\\n\"\nreturns = 2\n\
                 [[step]]\ndo = \"add()\"\nraises = {{ type = \"EOFError\" }}\n"
        )
    };
    let folder = folder(&[
        ("adding/exercise.toml", exercise),
        ("adding/a.toml", &case("A")),
        ("adding/b.toml", &case("B")),
    ]);
    write_files(
        folder.path(),
        &[
            ("adding.py", "ask = input\ndef add():\n    return int(ask())\n"),
            ("adding.js", "function add() {}\n"),
        ],
    );
    for isolation in ["quick", "case", "both"] {
        let args = ["grade", "adding.py", "--cases", "adding", "--isolation", isolation];
        let run = run(keur_command(&args).current_dir(folder.path()));
        assert_eq!(run.code, 0, "{}", run.all());
    }
    let wrong = case("B").replace("returns = 2", "returns = 5");
    write_files(folder.path(), &[("adding/b.toml", &wrong)]);
    let args = ["grade", "adding.py", "--cases", "adding", "--color", "never"];
    let graded = run(keur_command(&args).current_dir(folder.path()));
    assert!(graded.code == 1 && graded.out.contains(">>> a = add()\n"), "{}", graded.all());
    let session: Vec<&str> =
        graded.out.lines().map(str::trim).skip_while(|line| !line.contains("a = add()")).take(4).collect();
    assert_eq!(session[1..], ["1", "2", "3"], "{}", graded.all());
    let other = run(keur_command(&["grade", "adding.js", "--cases", "adding"]).current_dir(folder.path()));
    assert!(other.code == 4 && other.all().contains("gives no standard input to calls"), "{}", other.all());
}

#[test]
fn a_constant_keeps_its_name_in_every_language() {
    let settings = "[class.Playlist]\nnew = []\nattributes = [\"MAX_SONGS\"]\n";
    let step = "returns = 0\n[[step]]\ndo = \"Playlist.MAX_SONGS\"\nreturns = 3";
    check_with(&[], settings, "python", "class Playlist:\n    MAX_SONGS = 3\n", &[("0", step, "")]);
    let class = "class Playlist {}\nPlaylist.MAX_SONGS = 3;\n";
    check_with(&[], settings, "javascript", class, &[("0", step, "")]);
}

#[test]
fn a_wrong_text_is_shown_and_not_the_object_that_has_it() {
    let exercise = "title = \"Boards\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"boards.py\"]\n\
                    [class.Board]\nnew = []\nmethods = { turn = [] }\n";
    let case = "title = \"It turns\"\n[[step]]\ndo = \"b = Board()\"\n[[step]]\ndo = \"b.turn()\"\nsame = \"b\"\nshows = \"<>\"\n";
    let source = "class Board:\n    def turn(self):\n        return self\n    def __str__(self):\n        return '><'\n    \
                  def __repr__(self):\n        return 'Board()'\n";
    let folder =
        folder(&[("boards/exercise.toml", exercise), ("boards/turns.toml", case), ("boards.py", source)]);
    let args = ["grade", "boards.py", "--cases", "boards", "--format", "json"];
    let run = run(keur_command(&args).current_dir(folder.path()));
    assert_eq!(run.json()["submissions"][0]["cases"][0]["finding"]["got"], "><", "{}", run.all());
}
