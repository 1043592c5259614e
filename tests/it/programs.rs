//! Programs of a submission: run as separate processes, with input and output, and kept apart from what is
//! loaded.

use crate::grading;
use crate::running::{assert_says, folder};
use keur_core::adapter::Launcher;
use keur_core::case::Loaded;
use keur_core::compare::{LoadMistake, Mistake, StopMistake, Verdict};
use keur_core::event::{CaseReport, SubmissionReport};
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;

const EXERCISE: &str = r#"
title = "A program"
session = "python"

[programs]
python = ["it.py"]
javascript = ["it.js"]
"#;

/// An exercise that also has a function, so that a submission is loaded, too.
const WITH_FUNCTION: &str = r#"
title = "A program and a function"
session = "python"

[files]
python = ["one.py"]

[programs]
python = ["it.py"]

[function]
one = { args = [] }
"#;

const ONE: (&str, &str) = ("one.py", "def one():\n    return 1\n");

fn loaded(exercise: &str, case: &str) -> Result<Loaded, String> {
    let case = format!("title = \"A case\"\n{case}");
    let folder = folder(&[("exercise.toml", exercise), ("case.toml", &case)]);
    grading::load(folder.path())
}

fn grade_in(launcher: Launcher, exercise: &str, case: &str, files: &[(&str, &str)]) -> SubmissionReport {
    let loaded = loaded(exercise, case).unwrap();
    let folder = folder(files);
    grading::grade(&loaded, folder.path(), &mut Worker::new(launcher), &Interpreters::default()).unwrap()
}

/// The case of a program, the same in every way of starting it.
fn run(case: &str, files: &[(&str, &str)]) -> CaseReport {
    let confined = grade_in(Launcher::new(Tier::default(), 0), EXERCISE, case, files);
    let plain = grade_in(Launcher::portable(0), EXERCISE, case, files);
    assert_eq!(confined.cases[0].verdict, plain.cases[0].verdict, "{:?}", plain.cases[0].finding);
    confined.cases.into_iter().next().unwrap()
}

#[track_caller]
fn check(case: &str, files: &[(&str, &str)], verdict: Verdict) -> CaseReport {
    let report = run(case, files);
    assert_eq!(report.verdict, verdict, "{:?}", report.finding);
    report
}

fn step(keys: &str) -> String {
    format!("[[step]]\nrun = \"it.py\"\n{keys}\n")
}

#[test]
fn a_program_is_the_main_module_and_has_its_arguments_and_modules() {
    let program =
        "import sys, one\nprint(__name__, sys.argv, one.one(), sys.modules['__main__'].sys is sys)\n";
    let prints = "args = ['a', 'b c']\nprints = \"__main__ ['it.py', 'a', 'b c'] 1 True\"";
    check(&step(prints), &[("it.py", program), ONE], Verdict::Passed);
    let program =
        "const { argv } = process; if (require.main === module) console.log(argv.slice(2).join('|'))";
    check(&step("args = ['a', 'b c']\nprints = 'a|b c'"), &[("it.js", program)], Verdict::Passed);
}

#[test]
fn input_is_read_in_every_usual_way() {
    let keys = "stdin = \"a\\nb\\n\"\nprints = '[a][b]'";
    for program in [
        "print(f'[{input()}][{input()}]')",
        "import sys\nprint(''.join('[' + line.strip() + ']' for line in sys.stdin))",
        "import sys\nprint('[' + ']['.join(sys.stdin.read().split()) + ']')",
        "import sys\nprint('[' + ']['.join(sys.stdin.buffer.read().decode().split()) + ']')",
        "import sys\nprint('[' + ']['.join(line.strip() for line in sys.stdin.readlines()) + ']')",
    ] {
        check(&step(keys), &[("it.py", program)], Verdict::Passed);
    }
    for program in [
        "console.log('[' + require('fs').readFileSync(0, 'utf8').trim().split('\\n').join('][') + ']')",
        "let all = ''; process.stdin.on('data', (d) => all += d); process.stdin.on('end', () => console.log('[' + all.trim().split('\\n').join('][') + ']'))",
        "const rl = require('readline').createInterface({ input: process.stdin }); const got = []; rl.on('line', (l) => got.push(`[${l}]`)); rl.on('close', () => console.log(got.join('')))",
    ] {
        check(&step(keys), &[("it.js", program)], Verdict::Passed);
    }
}

#[test]
fn every_run_is_a_fresh_process() {
    let program = "import builtins\nprint(hasattr(builtins, 'seen'))\nbuiltins.seen = 1\n";
    let case = step("prints = 'False'").repeat(2);
    check(&case, &[("it.py", program)], Verdict::Passed);
    let program =
        "console.log(globalThis.seen === undefined); globalThis.seen = 1; Object.prototype.seen = 1";
    check(&step("prints = 'true'").repeat(2), &[("it.js", program)], Verdict::Passed);
}

#[test]
fn standard_error_holds_lines_without_an_end_and_what_ended_the_program() {
    let refuses = "import sys\nsys.stderr.write('no: much')\nsys.exit(2)\n";
    check(&step("errors = 'no: much'\nexit = 2"), &[("it.py", refuses)], Verdict::Passed);
    let raises = "import sys\nsys.stderr.write('so')\nint('x')\n";
    let last = "errors = { matches = 'so\\nValueError: invalid literal .* 10: .x.$' }\nexit = 1";
    check(&step(last), &[("it.py", raises)], Verdict::Passed);
    // A message for people is none of a traceback's.
    let message = "errors = { contains = 'invalid literal' }\nexit = 1";
    check(&step(message), &[("it.py", raises)], Verdict::WrongOutput);
    let throws = "console.error('so'); throw new RangeError('no');";
    check(&step("errors = \"so\\nRangeError: no\"\nexit = 1"), &[("it.js", throws)], Verdict::Passed);
}

#[test]
fn the_end_of_input_is_shown_beside_a_wrong_output() {
    let asks = "input()\ninput('More? ')\nprint('sum')\n";
    let report = check(
        &step("stdin = \"1\\n\"\nprints = { contains = 'sum' }"),
        &[("it.py", asks)],
        Verdict::WrongOutput,
    );
    assert!(report.finding.unwrap().exception.unwrap().text.starts_with("EOFError"));
}

#[test]
fn the_limits_hold_for_a_program_also_when_its_input_has_ended() {
    let limits = |text: &str| format!("limits = {{ cpu = \"300ms\", output = \"2KB\" }}\n{}", step(text));
    let asking = "while True:\n    try:\n        input()\n    except EOFError:\n        pass\n";
    let report = check(&limits(""), &[("it.py", asking)], Verdict::TimeLimit);
    assert_eq!(report.finding.unwrap().mistake, Mistake::Stop(StopMistake::CpuLimit));
    check(&limits(""), &[("it.js", "for (;;) {}")], Verdict::TimeLimit);
    check(&limits(""), &[("it.py", "while True:\n    print('so much')\n")], Verdict::OutputLimit);
}

#[test]
fn a_program_that_takes_its_process_down_has_not_ended_well() {
    let program = "import os\nos._exit(0)\n";
    let report = check(&step("exit = 0"), &[("it.py", program)], Verdict::Crashed);
    assert!(matches!(report.finding.unwrap().mistake, Mistake::Stop(StopMistake::Ended(_))));
}

#[test]
fn a_program_that_is_not_there_is_told_of_by_its_name() {
    let report = grade_in(Launcher::new(Tier::default(), 0), WITH_FUNCTION, &step("prints = ''"), &[ONE]);
    let finding = report.cases[0].finding.as_deref().unwrap();
    assert_eq!(finding.verdict, Verdict::LoadError);
    assert_eq!(finding.mistake, Mistake::Load(LoadMistake::NoProgram { file: "it.py".to_owned() }));
}

#[test]
fn a_case_only_with_a_program_counts_for_those_that_have_it() {
    let case = format!("only_with = \"it.py\"\n{}", step("prints = 'x'"));
    let graded =
        |files: &[(&str, &str)]| grade_in(Launcher::new(Tier::default(), 0), WITH_FUNCTION, &case, files);
    assert!(graded(&[ONE]).cases.is_empty());
    let report = graded(&[ONE, ("it.py", "print('x')")]);
    assert_eq!(report.cases[0].verdict, Verdict::Passed);
}

#[test]
fn a_program_is_never_loaded_for_calls() {
    let case = "[[step]]\ndo = \"one()\"\nreturns = 1\n";
    let files = [ONE, ("it.py", "raise SystemExit('loaded')"), ("gui.py", "import tkinter\ntkinter.Tk()")];
    let report = grade_in(Launcher::new(Tier::default(), 0), WITH_FUNCTION, case, &files);
    assert_eq!(report.cases[0].verdict, Verdict::Passed);
    assert!(report.warnings.is_empty());
}

#[track_caller]
fn wrong(case: &str, expected: &str) {
    let error = loaded(EXERCISE, case).map(drop).unwrap_err();
    assert_says(&error, expected);
}

#[test]
fn errors_in_a_run_are_reported() {
    wrong("[[step]]\nrun = \"its.py\"", "did you mean `it.py`?");
    wrong("[[step]]\nprints = \"a\"", "a step has one of `do`, `run`, `play`");
    wrong(&step("returns = 1"), "`returns` goes with `do`");
    wrong(&step("games = 1"), "`games` goes with `play`");
    wrong(&step("exit = 256"), "`exit` is a whole number, 0 to 255");
    wrong(&step("turn = [{ expect = '(' }]"), "`expect` is not a regular expression");
    wrong(&step("turn = [{ expect = 'a' }, { send = 'b' }]"), "the turn has no `send`");
    wrong(&step("turn = [{}]"), "the turn neither expects nor sends");
    wrong(&step("stdin = 'a'\nturn = [{ send = 'b' }]"), "a dialogue has no `stdin`");
    wrong("only_with = \"that.py\"\n[[step]]\nrun = \"it.py\"", "the exercise has no program `that.py`");
    wrong("[[step]]\ndo = \"1\"\nargs = [\"a\"]", "`args` goes with `run`");
}

#[test]
fn an_exception_of_a_program_is_expected_by_type_and_message() {
    let case = |raises: &str| format!("[[step]]\nrun = \"it.py\"\nprints = \"a\"\nraises = {raises}\n");
    let raising = ("it.py", "print('a')\nraise ValueError('no')\n");
    for (raises, verdict) in [
        ("true", Verdict::Passed),
        ("\"no\"", Verdict::Passed),
        (
            "{ type = { python = \"ValueError\", javascript = \"RangeError\" }, message = \"no\" }",
            Verdict::Passed,
        ),
        ("\"yes\"", Verdict::Raised),
        ("{ type = \"TypeError\" }", Verdict::Raised),
    ] {
        assert_eq!(run(&case(raises), &[raising]).verdict, verdict, "{raises}");
    }
    let javascript = ("it.js", "console.log('a');\nthrow new RangeError('no');\n");
    assert_eq!(
        run(&case("{ type = { javascript = \"RangeError\" } }"), &[javascript]).verdict,
        Verdict::Passed
    );
    assert_eq!(run(&case("\"no\""), &[("it.py", "print('a')\n")]).verdict, Verdict::DidNotRaise);
    assert_eq!(run(&case("true"), &[("it.py", "print('a'\n")]).verdict, Verdict::LoadError);
    let error = loaded(EXERCISE, &(case("true") + "exit = 1\n")).unwrap_err();
    assert_says(&error, "a program that raises has no `exit` of its own");
}

#[test]
fn the_prompts_of_a_program_are_output_unless_the_exercise_ignores_them() {
    let case = "[[step]]\nrun = \"it.py\"\nstdin = \"1\\n2\\n\"\nprints = \"3\"\n";
    let asking = [("it.py", "first = int(input('first: '))\nprint(first + int(input('second: ')))\n")];
    assert_eq!(run(case, &asking).verdict, Verdict::WrongOutput);
    let ignoring = EXERCISE.replacen("session", "prompts = \"ignore\"\nsession", 1);
    for launcher in [Launcher::new(Tier::default(), 0), Launcher::portable(0)] {
        let report = grade_in(launcher, &ignoring, case, &asking);
        assert_eq!(report.cases[0].verdict, Verdict::Passed, "{:?}", report.cases[0].finding);
    }
}
