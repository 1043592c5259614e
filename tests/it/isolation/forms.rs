//! Each verdict comes from one answer: a program that answers differently in the two forms of grading gains
//! nothing by it.

use super::{Course, verdicts};
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::event::SubmissionReport;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::{Isolation, KnownCase, KnownCases, Selection, Settings};
use keur_core::languages::Interpreters;
use keur_core::submission;
use keur_sandbox::Tier;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;

const EXERCISE: &str = r#"
title = "Forms"
session = "python"
lang = "en"

[files]
python = ["forms.py"]
javascript = ["forms.js"]

[function]
ask = { args = ["n"] }
"#;

/// The number of questions: each of the first is a case, the last four share one whose steps earn parts of
/// its points.
const QUESTIONS: usize = 12;
const ALONE: usize = 8;

/// The right answer to a question.
fn right(n: usize) -> bool {
    n * 7 % 5 < 2
}

/// The cases. One needs another.
fn cases() -> Vec<(String, String)> {
    let step = |n: usize| format!("[[step]]\ndo = \"ask({n})\"\nreturns = {}\n", right(n));
    let alone = (0..ALONE).map(|n| {
        let needs = if n == 5 { "needs = [\"c1\"]\n" } else { "" };
        (format!("c{n}"), format!("title = \"{n}\"\n{needs}{}", step(n)))
    });
    let parts: String = (ALONE..QUESTIONS).map(step).collect();
    alone
        .chain([("parts".to_owned(), format!("title = \"Parts\"\npartial = true\npoints = 3\n{parts}"))])
        .collect()
}

/// How a program answers a question.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Right,
    Wrong,
    Raises,
    /// Rightly, but only after more time than the quick pass gives.
    Late,
    /// Not at all: the process ends.
    Ends,
}

use Answer::{Ends, Late, Raises, Right, Wrong};

/// How a program knows which form it is in.
struct Way {
    name: &'static str,
    /// Source that sets `QUICK` when it is loaded.
    knows: &'static str,
    /// The number of cases at the beginning of the quick pass in which it does not know yet.
    later: usize,
    /// How it answers, the usual ones more than once. An answer after which it would not know any more is
    /// left out.
    answers: &'static [Answer],
    /// Whether it answers otherwise in one form than in the other.
    differs: bool,
}

/// A language whose submissions have a quick pass.
struct Language {
    file: &'static str,
    text: fn(knows: &str, table: &[[Answer; 2]]) -> String,
    /// Source in which `QUICK` is what the number of the question says.
    is_quick_from: fn(question: usize) -> String,
    ways: &'static [Way],
}

const PYTHON: Language = Language {
    file: "forms.py",
    text: |knows, table| {
        format!(
            "import sys, time

def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

{knows}
TABLE = '{}'.split()

def ask(n):
    quick = QUICK(n) if callable(QUICK) else QUICK
    how = TABLE[2 * n + bool(quick)]
    if how == 'Raises':
        raise ValueError(n)
    if how == 'Late':
        work(0.08)
    if how == 'Ends':
        __import__('os')._exit(3)
    return (n * 7 % 5 < 2) == (how != 'Wrong')
",
            words(table)
        )
    },
    is_quick_from: |question| format!("QUICK = lambda n: n >= {question}"),
    ways: &[
        Way {
            name: "by what the driver keeps",
            knows: "QUICK = __loader__.note is not None",
            later: 0,
            answers: &[Right, Right, Right, Wrong, Wrong, Raises, Late, Ends],
            differs: true,
        },
        Way {
            name: "by the number of loads",
            knows: "import csv\nQUICK = 'load' in csv.list_dialects()\ncsv.register_dialect('load')",
            later: 1,
            answers: &[Right, Right, Wrong, Raises],
            differs: true,
        },
        Way {
            name: "by time",
            knows: "QUICK = time.process_time() > 0.06\nwork(0.03)",
            later: 2,
            answers: &[Right, Right, Wrong, Raises],
            differs: true,
        },
        Way {
            name: "by the number of calls",
            knows: "CALLS = []\nQUICK = lambda n: CALLS.append(n) or len(CALLS) % 2",
            later: 0,
            answers: &[Right, Right, Right, Wrong],
            differs: false,
        },
        Way {
            // The numbers begin with the seed of the run whenever it is loaded.
            name: "by chance",
            knows: "import random\nQUICK = lambda n: random.random() < 0.5",
            later: 0,
            answers: &[Right, Right, Right, Wrong],
            differs: false,
        },
    ],
};

const EMBEDDED: Language = Language {
    file: "forms.js",
    text: |knows, table| {
        format!(
            "{knows}
const TABLE = '{}'.split(' ');

function ask(n) {{
  const quick = typeof QUICK === 'function' ? QUICK(n) : QUICK;
  const how = TABLE[2 * n + (quick ? 1 : 0)];
  if (how === 'Raises') throw new Error(n);
  return (n * 7 % 5 < 2) === (how !== 'Wrong');
}}
",
            words(table)
        )
    },
    is_quick_from: |question| format!("const QUICK = (n) => n >= {question};"),
    // There is no clock of the processor, and the numbers of chance are other ones in the other form.
    ways: &[BY_FUNCTIONS, BY_CALLS],
};

/// On node, some of what each load gets is the same for all loads of a process, in both forms.
const NODE: Language = Language { ways: &[BY_FUNCTIONS, BY_CALLS, BY_LOADS], ..EMBEDDED };

const BY_FUNCTIONS: Way = Way {
    name: "by the functions that load it",
    knows: "const QUICK = /\\bagain\\b/.test(new Error().stack);",
    later: 1,
    answers: &[Right, Right, Wrong, Raises],
    differs: true,
};

const BY_LOADS: Way = Way {
    name: "by the number of loads",
    knows: "const QUICK = Buffer.loads % 2 === 1;\nBuffer.loads = (Buffer.loads ?? 0) + 1;",
    later: 0,
    answers: &[Right, Right, Right, Wrong],
    differs: false,
};

/// A case has its own calls in both forms.
const BY_CALLS: Way = Way {
    name: "by the number of calls",
    knows: "let calls = 0;\nconst QUICK = () => calls++ % 2 === 1;",
    later: 0,
    answers: &[Right, Right, Wrong, Raises],
    differs: false,
};

/// The answers in the strict form and in the quick pass to each question.
fn words(table: &[[Answer; 2]]) -> String {
    table.iter().flatten().map(|answer| format!("{answer:?}")).collect::<Vec<_>>().join(" ")
}

/// Grades programs with random answers in each form: together they earn no more than the better one alone.
fn gains_nothing(language: &Language, interpreters: &Interpreters, times: u32) {
    let cases = cases();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = Course::new(EXERCISE, &cases);
    for way in language.ways {
        let worker = RefCell::new(Worker::new(Launcher::new(Tier::default(), 0)));
        let earned = |knows: &str, table: &[[Answer; 2]], isolation: Isolation| {
            let path = course.folder.path().join(language.file);
            fs::write(&path, (language.text)(knows, table)).unwrap();
            let settings = Settings { isolation, ..Settings::default() };
            let submission = submission::opened::open(&path).unwrap().submission(&course.loaded.exercise);
            let grader = Grader::new(&course.loaded, &settings, interpreters);
            grader.grade(&mut worker.borrow_mut(), "program", &submission).unwrap().points
        };
        let answer = || select(way.answers);
        let tables = vec([answer(), answer()], QUESTIONS);
        // The number of programs that earn more in one form than in the other.
        let differ = Cell::new(0);
        let tried = runner(times).run(&tables, |table| {
            let strict = earned(way.knows, &table, Isolation::Case);
            let quick_alone = (language.is_quick_from)(way.later);
            let quick_alone = if way.differs { &quick_alone } else { way.knows };
            let quick = earned(quick_alone, &table, Isolation::Case);
            let both = earned(way.knows, &table, Isolation::Quick);
            prop_assert!(
                both <= strict.max(quick),
                "{both} points, of {strict} strictly and {quick} quickly"
            );
            differ.set(differ.get() + u32::from(strict != quick));
            Ok(())
        });
        tried.unwrap_or_else(|error| panic!("a program that answers {}: {error}", way.name));
        let most = if way.differs { differ.get() > times / 2 } else { differ.get() == 0 };
        assert!(most, "{}: {} programs differ", way.name, differ.get());
    }
}

/// A program passes some cases in the quick pass alone and the others in the strict form alone; those are
/// graded later.
#[test]
fn a_case_that_is_added_later_gains_nothing() {
    let cases = cases();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = Course::new(EXERCISE, &cases);
    let first = ["c0", "c2", "c4"];
    let table: Vec<[Answer; 2]> = (0..QUESTIONS)
        .map(|n| if [0, 2, 4].contains(&n) { [Wrong, Right] } else { [Right, Wrong] })
        .collect();
    let path = course.folder.path().join(PYTHON.file);
    fs::write(&path, (PYTHON.text)(PYTHON.ways[0].knows, &table)).unwrap();
    let submission = submission::opened::open(&path).unwrap().submission(&course.loaded.exercise);
    let (interpreters, mut worker) =
        (Interpreters::default(), Worker::new(Launcher::new(Tier::default(), 0)));
    let mut passed = |settings: Settings, known: &KnownCases| {
        let grader = Grader::new(&course.loaded, &settings, &interpreters);
        grader.complete(&mut worker, &submission, known).unwrap().added
    };
    let passes = |known: &KnownCases, name: &str| match known.get(name) {
        Some(KnownCase::Graded(outcome)) => Some(outcome.verdict == Verdict::Passed),
        Some(KnownCase::NotCounted) | None => None,
    };
    let only = first.iter().map(|name| (*name).to_owned()).collect();
    let known = passed(
        Settings { selection: Selection::Containing(only), ..Settings::default() },
        &KnownCases::new(),
    );
    assert!(first.iter().all(|name| passes(&known, name) == Some(true)), "{known:?}");
    let now = passed(Settings::default(), &known);
    assert!(first.iter().all(|name| passes(&now, name) == Some(false)), "{now:?}");
    assert_eq!(passes(&now, "c1"), Some(true));
    // What comes out as before is not among the result.
    assert_eq!(
        passed(Settings::default(), &{
            let mut all = known;
            all.extend(now);
            all
        }),
        KnownCases::new()
    );
}

/// A program that answers the questions in `wrong` wrongly in the quick pass alone, and notes each call as a
/// folder in `log`: without confinement, its processes can speak to each other.
fn notes_calls(log: &Path, wrong: &[usize]) -> String {
    format!(
        "import posix

QUICK = __loader__.note is not None
LOG = {log:?}

def ask(n):
    posix.mkdir('%s/%03d %s %d' % (LOG, len(posix.listdir(LOG)), 'quickly' if QUICK else 'strictly', n))
    return (n * 7 % 5 < 2) == (not QUICK or n not in {wrong:?})
"
    )
}

/// The calls that such a program saw in one grading of these cases, all of which it passes, in their order:
/// each with the form that it was in.
fn calls_seen(cases: &[(String, String)], wrong: &[usize]) -> Vec<String> {
    let (names, report) = calls_of(EXERCISE, cases, &|log| notes_calls(log, wrong));
    assert!(report.cases.iter().all(|case| case.verdict == Verdict::Passed), "{report:?}");
    names
}

/// The calls that a program notes in the folder for which it is written, and its report.
fn calls_of(
    exercise: &str,
    cases: &[(String, String)],
    program: &dyn Fn(&Path) -> String,
) -> (Vec<String>, SubmissionReport) {
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = Course::new(exercise, &cases);
    let log = course.folder.path().join("log");
    fs::create_dir(&log).unwrap();
    let path = course.folder.path().join(PYTHON.file);
    fs::write(&path, program(&log)).unwrap();
    let submission = submission::opened::open(&path).unwrap().submission(&course.loaded.exercise);
    let (settings, interpreters) = (Settings::default(), Interpreters::default());
    let grader = Grader::new(&course.loaded, &settings, &interpreters);
    let report =
        grader.grade(&mut Worker::new(Launcher::new(Tier::Portable, 0)), "program", &submission).unwrap();
    let mut names: Vec<String> =
        fs::read_dir(&log).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    (names.iter().map(|name| name.split_once(' ').unwrap().1.to_owned()).collect(), report)
}

/// Neither a case that needs another nor the time that is left tells a submission which of its answers were
/// right.
#[test]
fn the_strict_form_asks_the_same_whatever_is_wrong_in_it() {
    let exercise = format!("{EXERCISE}\n[limits]\nsubmission = \"400ms\"\n");
    let asked: Vec<String> = (0..QUESTIONS).map(|n| format!("strictly {n}")).collect();
    for wrong in [vec![], vec![1], (0..QUESTIONS).collect()] {
        let (seen, report) = calls_of(&exercise, &cases(), &|log| {
            format!(
                "import posix, time

QUICK = __loader__.note is not None
LOG = {log:?}

def ask(n):
    if QUICK:
        raise ValueError(n)
    posix.mkdir('%s/%03d strictly %d' % (LOG, len(posix.listdir(LOG)), n))
    time.sleep(0.06)
    return (n * 7 % 5 < 2) == (n not in {wrong:?})
"
            )
        });
        assert_eq!(seen, asked, "{wrong:?}");
        let not_run: Vec<&str> = verdicts(&report)
            .into_iter()
            .filter_map(|(name, verdict)| (verdict == Verdict::NotRun).then_some(name))
            .collect();
        assert_eq!(not_run, if wrong.contains(&1) { vec!["c5"] } else { vec![] });
    }
}

/// What a case reaches of its limits counts as in any other, if it needs one that failed: the order and the
/// time that is left tell nothing.
#[test]
fn a_case_that_needs_a_failed_one_reaches_its_limits_as_any_other() {
    let case = |name: &str, needs: &str, call: &str| {
        (name.to_owned(), format!("title = \"{name}\"\n{needs}[[step]]\ndo = \"{call}\"\nreturns = true\n"))
    };
    let cases = [
        case("a", "", "ask(0)"),
        case("b", "needs = [\"a\"]\n", "slow(1)"),
        case("c", "", "slow(2)"),
        case("d", "", "ask(3)"),
    ];
    for (submission, expected) in [("150ms", vec!["0", "1"]), ("10s", vec!["0", "1", "3", "2"])] {
        let functions = "slow = { args = [\"n\"] }\n[limits]\ncpu = \"200ms\"\n";
        let exercise = format!("{EXERCISE}{functions}submission = \"{submission}\"\n");
        for right in ["True", "False"] {
            let (seen, _) = calls_of(&exercise, &cases, &|log| {
                format!(
                    "import posix

QUICK = __loader__.note is not None
LOG = {log:?}

def ask(n):
    if QUICK:
        raise ValueError(n)
    posix.mkdir('%s/%03d %d' % (LOG, len(posix.listdir(LOG)), n))
    return n > 0 or {right}

def slow(n):
    ask(n)
    while True:
        pass
"
                )
            });
            assert_eq!(seen, expected, "{submission}, {right}");
        }
    }
}

/// A program that sleeps and then runs until its time is up does not look like one that the machine keeps
/// from running: in a second try it would know what comes later.
#[test]
fn a_program_that_sleeps_and_then_runs_gets_no_second_try() {
    let case = "title = \"It foresees\"\nlimits = { wall = \"1s\" }\n[[step]]\ndo = \"ask(1)\"\n[[step]]\ndo = \"ask(4)\"\nreturns = 4\n";
    let (seen, report) = calls_of(EXERCISE, &[("a".to_owned(), case.to_owned())], &|log| {
        format!(
            "import posix, time

LOG = {log:?}

def ask(n):
    calls = posix.listdir(LOG)
    posix.mkdir('%s/%03d %d' % (LOG, len(calls), n))
    if len(calls) == 1:
        time.sleep(0.7)
        while True:
            pass
    return 4
"
        )
    });
    assert_eq!(seen, ["1", "4"]);
    assert_eq!(report.cases[0].verdict, Verdict::TimeLimit);
}

/// Which cases are asked strictly tells nothing of what was wrong in the quick pass, beyond that something
/// was.
#[test]
fn the_strict_form_asks_the_same_whatever_failed_quickly() {
    let asked: Vec<String> = (0..QUESTIONS).map(|n| format!("strictly {n}")).collect();
    for wrong in [vec![0], vec![3, 7], vec![QUESTIONS - 1]] {
        let seen = calls_seen(&cases(), &wrong);
        let strictly: Vec<&String> = seen.iter().filter(|call| call.starts_with("strictly")).collect();
        assert_eq!(strictly, asked.iter().collect::<Vec<_>>(), "{wrong:?}");
    }
    assert!(calls_seen(&cases(), &[]).iter().all(|call| call.starts_with("quickly")));
}

/// Whether a case is asked quickly tells nothing of whether the one before it was right.
#[test]
fn the_quick_pass_asks_every_case_whatever_was_wrong() {
    let asked: Vec<String> = (0..QUESTIONS).map(|n| format!("quickly {n}")).collect();
    let seen = calls_seen(&cases(), &[0, 3]);
    let quickly: Vec<&String> = seen.iter().filter(|call| call.starts_with("quickly")).collect();
    assert_eq!(quickly, asked.iter().collect::<Vec<_>>());
}

/// No call of a hidden case is known while a visible one is graded.
#[test]
fn hidden_cases_are_asked_after_all_visible_ones() {
    let mut cases = cases();
    let hidden = [2, 6];
    for n in hidden {
        cases[n].1 = cases[n].1.replacen("title", "hidden = true\ntitle", 1);
    }
    for wrong in [vec![], vec![0], vec![6]] {
        let seen = calls_seen(&cases, &wrong);
        let is_hidden = |call: &String| hidden.iter().any(|n| call.ends_with(&format!(" {n}")));
        let first = seen.iter().position(is_hidden).unwrap();
        assert_eq!(seen[first..].iter().filter(|call| !is_hidden(call)).count(), 0, "{seen:?}");
    }
}

/// A case that has no quick form, here because it has files, does not take it from the others.
#[test]
fn cases_without_a_quick_form_leave_the_others_theirs() {
    let mut cases = cases();
    cases.push((
        "files".to_owned(),
        "title = \"With a file\"\n[input_files]\n\"a.txt\" = \"a\"\n[[step]]\ndo = \"ask(0)\"\nreturns = true\n"
            .to_owned(),
    ));
    let seen = calls_seen(&cases, &[]);
    let strictly: Vec<&String> = seen.iter().filter(|call| call.starts_with("strictly")).collect();
    assert_eq!(strictly, ["strictly 0"]);
}

/// Tries this many inputs, always the same ones.
fn runner(times: u32) -> TestRunner {
    let config = Config { cases: times, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn a_program_that_answers_by_form_gains_nothing_in_python() {
    gains_nothing(&PYTHON, &Interpreters::default(), 12);
}

#[test]
fn a_program_that_answers_by_form_gains_nothing_on_node() {
    gains_nothing(&NODE, &Interpreters::default(), 8);
}

#[cfg(feature = "quickjs")]
#[test]
fn a_program_that_answers_by_form_gains_nothing_on_the_embedded_engine() {
    gains_nothing(&EMBEDDED, &crate::grading::embedded(), 16);
}

/// Answers with what the driver was sent together with a call, but for that call.
const PEEKS: &str = "import sys

def count(text):
    frame, sent = sys._getframe(), []
    while frame is not None:
        sent += [one for value in frame.f_locals.values() if isinstance(value, list) for one in value]
        frame = frame.f_back
    sent = ' '.join([str(one) for one in sent])
    if 'doubled' in sent:
        print('doubled')
        raise ValueError('doubled')
    return 'tripled' in sent

def doubled(n):
    return 2 * n

def tripled(n):
    return 3 * n
";

#[test]
fn no_later_call_is_known_before_an_answer() {
    let exercise = EXERCISE.replace(
        "ask = { args = [\"n\"] }",
        "count = { args = [\"text\"] }\ndoubled = { args = [\"n\"] }\ntripled = { args = [\"n\"] }",
    );
    let case = |(title, expects): (&str, &str)| {
        format!(
            "title = \"{title}\"\n[[step]]\ndo = \"count('a b')\"\n{expects}\n[[step]]\ndo = \"doubled(2)\"\n[[step]]\ndo = \"tripled(2)\"\nreturns = 6\n"
        )
    };
    // The first three answers are only given by a program that knows the next call.
    let cases = [
        ("a", "raises = { type = \"ValueError\" }"),
        ("b", "prints = \"doubled\\n\"\nraises = { type = \"ValueError\" }"),
        ("c", "returns = true"),
        ("d", "returns = false"),
        ("e", "returns = false\nprints = \"\""),
    ];
    let cases = cases.map(|(name, expects)| (name, case((name, expects))));
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let course = Course::new(&exercise, &cases);
    let report = course.grade(
        ("forms.py", PEEKS),
        &Interpreters::default(),
        &mut Worker::new(Launcher::new(Tier::default(), 0)),
    );
    let passed: Vec<&str> = verdicts(&report)
        .into_iter()
        .filter_map(|(name, verdict)| (verdict == Verdict::Passed).then_some(name))
        .collect();
    assert_eq!(passed, ["d", "e"]);
}

/// Prints what it is to have printed once it knows the next call, and forges how much was printed before it.
const PRINTS_LATER_IN_PYTHON: &str = "import posix
size, lseek = posix.lseek(1, 0, 2), posix.lseek

def offer(n):
    posix.lseek = lambda *where: size + 100000

def order(dish):
    posix.write(1, b'Today: %s\\n' % dish.encode())
    def once(*where):
        posix.lseek = lseek
        return size + 100000
    posix.lseek = once
    return True
";

const PRINTS_LATER_ON_NODE: &str =
    "const fs = process.hrtime.constructor('return process')().getBuiltinModule('fs');

function offer(n) { Object.defineProperty(fs.Stats.prototype, 'size', { configurable: true, get: () => 100000, set() {} }); }

function order(dish) { fs.writeSync(1, 'Today: ' + dish + '\\n'); return true; }

delete fs.Stats.prototype.size;
";

#[test]
fn text_that_is_printed_after_the_next_call_came_is_no_answer() {
    let exercise = EXERCISE
        .replace("ask = { args = [\"n\"] }", "offer = { args = [\"n\"] }\norder = { args = [\"dish\"] }");
    let case = |dish: &str| {
        format!(
            "title = \"{dish}\"\n[[step]]\ndo = \"offer(1)\"\nprints = \"Today: {dish}\\n\"\n[[step]]\ndo = \"order('{dish}')\"\nreturns = true\n"
        )
    };
    let cases = ["pizza", "risotto", "fish and chips"].map(|dish| (dish.replace(' ', "_"), case(dish)));
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = Course::new(&exercise, &cases);
    for program in [("forms.py", PRINTS_LATER_IN_PYTHON), ("forms.js", PRINTS_LATER_ON_NODE)] {
        let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
        let report = course.grade(program, &Interpreters::default(), &mut worker);
        let verdicts = verdicts(&report);
        assert!(verdicts.iter().all(|(_, verdict)| *verdict == Verdict::WrongOutput), "{verdicts:?}");
    }
}
