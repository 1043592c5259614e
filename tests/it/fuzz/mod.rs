//! The checks of the fuzz targets (`fuzz/README.md`), run over their seeds and all their findings.

mod case;
mod names;
mod reply;
mod session;
mod source;
mod value;
mod zip;

use crate::running::root;
use proptest::prelude::*;
use std::fs;

/// Runs `check` over every file below `folder`, which must be at least `fewest`.
#[track_caller]
fn replay(folder: &str, fewest: usize, check: fn(&[u8])) {
    let walk = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let paths = walk.into_iter().map(|entry| entry.unwrap().into_path()).filter(|path| path.is_file());
    let inputs: Vec<Vec<u8>> = paths.map(|path| fs::read(path).unwrap()).collect();
    assert!(inputs.len() >= fewest, "{folder} has {} files", inputs.len());
    inputs.iter().for_each(|input| check(input));
}

#[test]
fn replies_hold_to_the_protocol() {
    replay("fixtures/fuzz/reply", 16, reply::check);
}

#[test]
fn values_are_the_same_after_a_round_trip() {
    replay("fixtures/fuzz/value", 7, value::check);
}

#[test]
fn case_and_exercise_files_are_read_or_refused_with_places() {
    replay("fixtures/fuzz/case", 8, case::check);
    replay("cases", 100, case::check);
}

/// Checks a case of an exercise with a class of two methods.
fn check_case(text: &str) {
    let exercise = "title = 't'\nsession = 'python'\n[class.B]\nmethods = { m = ['a'], z = [] }\n";
    case::check(format!("{exercise}---\ntitle = 't'\n{text}\n").as_bytes());
}

#[test]
fn a_long_chain_of_calls_does_not_exhaust_the_stack() {
    check_case(&format!("[[step]]\ndo = \"B(){}\"", ".z()".repeat(100_000)));
}

#[test]
fn calls_in_calls_are_resolved_once() {
    // If each argument were resolved twice, this would take 2⁹⁰ steps.
    check_case(&format!("[[step]]\ndo = [\"b = B()\", \"{}q{}\"]", "b.m(".repeat(90), ")".repeat(90)));
}

#[test]
fn views_in_views_are_bounded() {
    let count = 40;
    let mut exercise = "title = 't'\nsession = 'python'\n[function]\ng = { args = ['a'] }\n".to_owned();
    for index in 0..count {
        exercise.push_str(&format!("f{index} = {{ args = ['a'], returns = 'V{index}' }}\n"));
    }
    exercise.push_str("[view]\n");
    for index in 0..count {
        let inner = if index + 1 < count { format!("f{}(it)", index + 1) } else { "g(it)".to_owned() };
        exercise.push_str(&format!("V{index} = ['{inner}', '{inner}']\n"));
    }
    case::check(exercise.as_bytes());
}

#[test]
fn a_case_of_errors_alone_is_read_in_time() {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    check_case(&lines(5_000, &|index| format!("key{index} = 1\n")));
    check_case(&lines(2_000, &|index| format!("[[step]]\ndo = ['x{index} = 1', 'unknown']\n")));
    check_case(&"=".repeat(10_000));
    check_case(&format!("[[step]]\ndo = '{}'", "(".repeat(100_000)));
}

#[test]
fn the_largest_replies_are_read_in_time() {
    let raised = |stack: &str| format!(r#"{{"raised":{{"type":"E","stack":"{stack}"}}}}"#);
    reply::check(raised(&"at a.js:1:1\\n".repeat(300_000)).as_bytes());
    reply::check(raised(&"    at a (b".repeat(350_000)).as_bytes());
    reply::check(raised(&format!("    at {}", ":1".repeat(2_000_000))).as_bytes());
    reply::check(format!(r#"{{"done":true,"value":{}}}"#, "7".repeat(4_000_000)).as_bytes());
    reply::check(format!(r#"{{"done":true,"value":{{"int":"0x{}"}}}}"#, "7".repeat(4_000_000)).as_bytes());
    reply::check(&[b'['; 1 << 22]);
}

#[test]
fn sessions_become_cases_or_are_refused_with_places() {
    replay("fixtures/sessions", 4, session::check);
    for name in ["pipopipette", "quixo"] {
        let path = root().join(format!("fixtures/sessions/{name}.txt"));
        let text = fs::read(path).unwrap();
        // Wherever it is cut off, also within a line.
        (0..text.len()).step_by(71).for_each(|end| session::check(&text[..end]));
    }
    let runs = "$ python3 alquerque.py 3 < a\nSum: 7\n$ python3 alquerque.py\nMove? b\nMove? \n$ echo $?\n1\n$ python3 other.py > x\n";
    (0..runs.len()).for_each(|end| session::check(&runs.as_bytes()[..end]));
    session::check(format!(">>> {}", "f(".repeat(10_000)).as_bytes());
    session::check(format!("> {}x", "!".repeat(10_000)).as_bytes());
    session::check(format!("> x{}", ".a()".repeat(10_000)).as_bytes());
    session::check(">>> x = x\n".repeat(3_000).as_bytes());
    session::check(format!("> a = [{}", "1,\n".repeat(3_000)).as_bytes());
}

#[test]
fn zips_are_read_or_refused() {
    replay("fixtures/fuzz/zip", 12, zip::check);
    // Wherever it is cut off, and whichever byte is another.
    let path = root().join("fixtures/fuzz/zip/plain.zip");
    let whole = fs::read(path).unwrap();
    for at in 0..whole.len() {
        zip::check(&whole[..at]);
        let mut changed = whole.clone();
        changed[at] ^= 0xff;
        zip::check(&changed);
    }
}

#[test]
fn the_largest_sources_are_read_in_time() {
    replay("fixtures/fuzz/source", 4, source::check);
    let pieces = [
        "`${", "f'{", "f\"{", "(", "from './", "import a\n", "import ", "x = 1\n", "class A", " static a",
        "static\n", " static a(", "require(", "export default ", "submit::", "/*", "r#\"", "'", "\t",
        "async def ", "except a ",
    ];
    pieces.iter().for_each(|piece| source::check(piece.repeat((1 << 15) / piece.len()).as_bytes()));
}

/// Pieces that sessions are made of.
const PIECES: &str = r#">>> ¦> ¦... ¦
¦

¦ ¦puzzel¦ = ¦YinYang(¦6¦, ¦[¦]¦(¦)¦{¦}¦'¦"¦`¦print(¦console.log(¦new Quixo(¦const ¦x¦.str()¦_¦#¦//¦\¦Error: no¦True
¦Traceback (most recent call last):
¦undefined¦Set(1) {¦=>¦&gt;&gt;&gt; ¦<BLANKLINE>¦	¦é¦“¦;¦ is ¦!¦-¦import m¦m.¦f'¦'''¦${¦**¦0x¦1e¦..¦Uncaught ¦
    at x¦# in any order
¦<b>¦if x:"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_text_becomes_a_case_or_is_refused(
        pieces in prop::collection::vec(prop::sample::select(PIECES.split('¦').collect::<Vec<_>>()), 0..40),
    ) {
        session::check(format!(">>> puzzel = YinYang(1, [], [])\n{}", pieces.concat()).as_bytes());
        session::check(pieces.concat().as_bytes());
    }
}

/// Pieces of what platforms write, and of what may confuse who reads it. A zero ends a name.
const NAME_PIECES: [&str; 23] = [
    "\0", "\0", "Bo 101 Li", "_101_", "102", "_assignsubmission_file_", "li102bo", "_late", "_901_",
    "_question_3_", "Lab_2_", "_attempt_", "2026-11-03-10-12-33", ".txt", "102-7 - ", " - ",
    "3 November 2026 758 PM", "prime.py", "_", "-1", "\n", "\u{202e}", "index.html",
];

#[test]
fn names_of_downloads_are_sorted_out() {
    replay("fixtures/fuzz/names", 2, names::check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn each_file_goes_to_the_student_whose_prefix_it_has(
        pieces in prop::collection::vec(prop::sample::select(NAME_PIECES.to_vec()), 1..80),
    ) {
        names::check(pieces.concat().as_bytes());
    }
}
