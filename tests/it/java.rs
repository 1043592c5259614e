//! Java submissions, on a JDK: what is loaded, how values reach methods, and how mistakes are reported.

use crate::required::needs;
use crate::running::{folder, keur_command, root, run, write_files};
use keur_core::adapter::wire::{self, Body, Code, LoadMode, LoadRequest, Reply, Request};
use keur_core::adapter::{Exception, Launcher, SourceFile};
use keur_core::case::{Library, LimitsPatch};
use keur_core::compare::Verdict;
use keur_core::event::{CaseReport, SubmissionReport};
use keur_core::grade::{Grader, Worker};
use keur_core::judge::Settings;
use keur_core::languages::Interpreters;
use keur_core::submission;
use keur_sandbox::Tier;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const EXERCISE: &str = r#"
title = "Takers"
session = "python"
raises = "AssertionError"

[files]
python = ["taker.py"]
java = ["Taker.java"]

[class.Taker]
new = ["n?"]
methods = { take = ["a", "b?"] }
attributes = ["left", "right"]

[view]
Pair = ["it.left", "it.right"]
"#;

/// Grades files as a Java answer to a case with `steps`, on a taker `t`.
fn grade_in(
    worker: &mut Worker,
    files: &[(&str, &[u8])],
    steps: &str,
    limits: LimitsPatch,
) -> SubmissionReport {
    let folder = folder(&[("cases/takers/exercise.toml", EXERCISE)]);
    for name in ["first", "second"] {
        let case = format!("title = \"{name}\"\n[[step]]\ndo = \"t = Taker()\"\n{steps}\n");
        write_files(folder.path(), &[(&format!("cases/takers/{name}.toml"), &case)]);
    }
    let (cases, answer) = (folder.path().join("cases"), folder.path().join("answer"));
    fs::create_dir(&answer).unwrap();
    for (name, text) in files {
        fs::write(answer.join(name), text).unwrap();
    }
    let loaded = Library::Folder(cases).load("takers").unwrap();
    let (settings, interpreters) = (Settings { limits, ..Settings::default() }, Interpreters::default());
    let submission = submission::opened::open(&answer).unwrap().submission(&loaded.exercise);
    Grader::new(&loaded, &settings, &interpreters).grade(worker, "answer", &submission).unwrap()
}

/// The driver in a virtual machine of its own.
struct Driver {
    machine: Child,
    _text: TempDir,
}

impl Driver {
    fn start() -> Driver {
        let sources = root().join("crates/core/src/languages/java");
        let parts =
            ["Driver.java", "Native.java", "Program.java", "Operators.java", "Calls.java", "Values.java"];
        let text: String = parts.iter().map(|part| fs::read_to_string(sources.join(part)).unwrap()).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Driver.java"), text).unwrap();
        let mut java = Command::new("java");
        java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
        java.arg("--add-exports=java.base/jdk.internal.access=ALL-UNNAMED");
        java.arg(folder.path().join("Driver.java")).arg("pipes");
        let machine = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut driver = Driver { machine, _text: folder };
        driver.ask(&Request::start(false));
        driver
    }

    fn ask(&mut self, request: &Request) -> Reply {
        let nonce = [7; 8];
        self.machine
            .stdin
            .as_mut()
            .unwrap()
            .write_all(&wire::frame(nonce, request.as_str().as_bytes()))
            .unwrap();
        let replies = self.machine.stdout.as_mut().unwrap();
        let mut header = [0; wire::HEADER];
        replies.read_exact(&mut header).unwrap();
        let (length, echoed) = wire::header(header);
        assert_eq!(echoed, nonce);
        let mut payload = vec![0; length];
        replies.read_exact(&mut payload).unwrap();
        wire::reply(&payload, &["Taker.java".to_owned(), "Wrong.java".to_owned()]).unwrap()
    }

    /// Loads a class `Taker`, and perhaps other files: what is defined, the exception, and the code.
    fn load(
        &mut self,
        files: &[(&str, &str)],
        code: Option<&Code>,
    ) -> (Vec<String>, Option<Exception>, Option<Code>) {
        let files: Vec<SourceFile> = files
            .iter()
            .map(|(name, text)| SourceFile {
                name: (*name).to_owned(),
                module: Some(name.trim_end_matches(".java").to_owned()),
                path: None,
                bytes: text.as_bytes().into(),
            })
            .collect();
        let reply = self.ask(&Request::load(LoadRequest {
            files: &files,
            mode: LoadMode::Once(&["Taker"]),
            needs: &["Taker".to_owned()],
            code,
            views: serde_json::Map::new(),
        }));
        let Body::Loaded { defined, raised, code, .. } = reply.body else { panic!("{reply:?}") };
        (defined, raised, code)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.machine.kill();
        let _ = self.machine.wait();
    }
}

/// A class `Taker` of `count` constants of 60 kB each.
fn large(count: usize) -> String {
    let constant = |n: usize| format!("    static final String S{n} = \"{n:03}{}\";\n", "x".repeat(60_000));
    taker(&((0..count).map(constant).collect::<String>() + "    int take(int a) { return a; }"))
}

#[track_caller]
fn grade(files: &[(&str, &[u8])], steps: &str) -> CaseReport {
    let report =
        grade_in(&mut Worker::new(Launcher::new(Tier::default(), 0)), files, steps, LimitsPatch::default());
    let [first, second] = report.cases.as_slice() else { panic!("two cases") };
    let told = |case: &CaseReport| {
        case.finding
            .as_ref()
            .map(|finding| (finding.session.clone(), finding.got.clone(), finding.exception.clone()))
    };
    assert_eq!((first.verdict, told(first)), (second.verdict, told(second)), "each case starts with nothing");
    first.clone()
}

/// A class `Taker` with these members.
fn taker(members: &str) -> String {
    format!("import java.util.*;\n\npublic class Taker {{\n{members}\n}}\n")
}

fn step(call: &str, expects: &str) -> String {
    format!("[[step]]\ndo = '{call}'\n{expects}\n")
}

#[track_caller]
fn passes(members: &str, call: &str, expects: &str) {
    let found = grade(&[("Taker.java", taker(members).as_bytes())], &step(call, expects));
    assert_eq!(found.verdict, Verdict::Passed, "{:#?}", found.finding);
}

/// Checks the verdict and everything that is said of a failure.
#[track_caller]
fn fails(files: &[(&str, &[u8])], steps: &str, verdict: Verdict, says: &[&str]) {
    let found = grade(files, steps);
    assert_eq!(found.verdict, verdict, "{:#?}", found.finding);
    let finding = format!("{:?}", found.finding.unwrap());
    for says in says {
        assert!(finding.contains(says), "{says:?} is not in {finding}");
    }
}

#[test]
fn an_argument_becomes_what_the_parameter_takes() {
    needs!(Java);
    for (parameter, call, result) in [
        ("long a", "t.take(3000000000)", "3000000000"),
        ("Integer a", "t.take(3)", "3"),
        ("double a", "t.take(3)", "3.0"),
        (
            "java.math.BigInteger a",
            "t.take(123456789012345678901234567890)",
            "123456789012345678901234567890",
        ),
        ("char a", "t.take(\"x\")", "'x'"),
        ("CharSequence a", "t.take(\"x\")", "'x'"),
        ("boolean a", "t.take(true)", "True"),
        ("int[] a", "t.take((1, 2))", "[1, 2]"),
        ("int[][] a", "t.take([(1, 2), (3, 4)])", "[[1, 2], [3, 4]]"),
        ("List<int[]> a", "t.take([(1, 2)])", "[[1, 2]]"),
        ("Set<List<Integer>> a", "t.take({(1, 2)})", "{(1, 2)}"),
        ("Collection<Character> a", "t.take([\"a\", \"b\"])", "['a', 'b']"),
        ("Map<String, Long> a", "t.take({\"a\": 1})", "{'a': 1}"),
        ("Object a", "t.take([1, [\"a\"], None, 1.5])", "[1, ['a'], None, 1.5]"),
        ("int... a", "t.take(1, 2)", "[1, 2]"),
    ] {
        passes(
            &format!("    Object take({parameter}) {{ return a; }}"),
            call,
            &format!("equals = \"{result}\""),
        );
    }
}

#[test]
fn the_overload_that_fits_best_is_called() {
    needs!(Java);
    let overloads = "    String take(double a) { return \"double\"; }\n    String take(int a) { return \"int\"; }\n    \
                     String take(Object a) { return \"object\"; }\n    String take(int a, String b) { return \"two\"; }";
    for (call, result) in [
        ("t.take(1)", "int"),
        ("t.take(1.5)", "double"),
        ("t.take([1])", "object"),
        ("t.take(1, \"b\")", "two"),
    ] {
        passes(overloads, call, &format!("returns = \"{result}\""));
    }
    let only = taker("    int take(int a) { return a; }");
    let files: &[(&str, &[u8])] = &[("Taker.java", only.as_bytes())];
    let says = ["take cannot be called with (String); there is take(int)"];
    fails(files, &step("t.take(\"a\")", "returns = 1"), Verdict::Raised, &says);
}

#[test]
fn compiler_messages_have_a_place() {
    needs!(Java);
    for (members, says, mistake) in [
        ("    int take(int a) { return a }", "CompileError: ';' expected", "Load(Syntax)"),
        ("    int take(int a) { return b; }", "CompileError: cannot find symbol", "Build(Errors([]))"),
        ("    int take(int a) { return new Board(); }", "symbol:   class Board", "Build(Errors([]))"),
    ] {
        let text = taker(members);
        let place = ["file: \"Taker.java\", line: 4", "take(int a)", says, mistake];
        let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
        fails(files, &step("t.take(1)", "returns = 1"), Verdict::LoadError, &place);
    }
}

#[test]
fn an_exception_is_told_with_the_lines_that_it_passed() {
    needs!(Java);
    let text = taker(
        "    int take(int a) {\n        return deeper(a);\n    }\n\n    int deeper(int a) {\n        return a / 0;\n    }",
    );
    let says =
        ["ArithmeticException: / by zero", "line: 5, function: \"take\"", "line: 9, function: \"deeper\""];
    let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
    fails(files, &step("t.take(1)", "returns = 1"), Verdict::Raised, &says);
}

#[test]
fn an_assertion_is_one() {
    needs!(Java);
    let members = "    int take(int a) {\n        assert a > 1 : \"too small\";\n        return a;\n    }";
    passes(members, "t.take(1)", "raises = \"too small\"");
}

#[test]
fn files_are_taken_as_students_hand_them_in() {
    needs!(Java);
    let helper = b"class Helper {\n    static int twice(int a) { return 2 * a; }\n}\n";
    let text = taker("    int take(int a) { return Helper.twice(a); }");
    let bom = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    let files: [&[(&str, &[u8])]; 3] = [
        &[("Taker.java", text.as_bytes()), ("Helper.java", helper)],
        &[("Taker.java", &bom), ("Helper.java", helper)],
        // With another name, in a package, and with Windows line ends.
        &[(
            "my taker.java",
            b"package mine;\n\nclass Taker { // caf\xe9\r\n  int take(int a) { return 2 * a; }\r\n}\r\n",
        )],
    ];
    for files in files {
        let found = grade(files, &step("t.take(2)", "returns = 4"));
        assert_eq!(found.verdict, Verdict::Passed, "{:#?}", found.finding);
    }
}

#[test]
fn the_session_is_one_of_jshell() {
    needs!(Java);
    let text = taker("    String take(Object a) { return \"b\"; }");
    let says =
        ["jshell> /open Taker.java", "jshell> var t = new Taker()", "jshell> t.take(List.of(1, \\\"x\\\"))"];
    let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
    fails(files, &step("t.take((1, \"x\"))", "returns = \"c\""), Verdict::WrongValue, &says);
}

#[test]
fn traces_of_a_case_are_gone_in_the_next() {
    needs!(Java);
    let members = "    static int count;\n\n    int take(int a) {\n        System.setOut(null);\n        \
                   Locale.setDefault(Locale.FRANCE);\n        new Thread(() -> { while (true) { } }).start();\n        \
                   return ++count;\n    }";
    passes(members, "t.take(1)", "returns = 1");
}

#[test]
fn code_of_any_size_is_compiled_once_with_the_errors_of_the_compiler() {
    needs!(Java);
    let (large, wrong) = (large(60), "class Wrong { int a = \"\"; }");
    let files = [("Taker.java", large.as_str()), ("Wrong.java", wrong)];
    let (defined, raised, code) = Driver::start().load(&files, None);
    let code = code.unwrap();
    assert!(code.values().map(String::len).sum::<usize>() > wire::MOST_REPLY);
    let place =
        raised.as_ref().and_then(|raised| raised.syntax.as_ref()).map(|at| (at.file.as_str(), at.line));
    assert_eq!((defined.as_slice(), place), (&["Taker".to_owned()][..], Some(("Wrong.java", 1))));
    // Another virtual machine says the same of the code as of the source.
    assert_eq!(Driver::start().load(&[], Some(&code)), (defined, raised, None));
}

#[test]
fn the_compiler_takes_the_time_of_the_submission() {
    needs!(Java);
    let report = |text: &str, budget: Option<Duration>| {
        let limits = LimitsPatch { budget, ..LimitsPatch::default() };
        let steps = step("t.take(1)", "returns = 1");
        let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
        let report = grade_in(&mut Worker::new(Launcher::new(Tier::default(), 0)), files, &steps, limits);
        report.cases.iter().map(|case| case.verdict).collect::<Vec<_>>()
    };
    let text = large(15);
    assert_eq!(report(&text, None), [Verdict::Passed; 2]);
    assert_eq!(report(&text, Some(Duration::from_millis(1))), [Verdict::Passed, Verdict::NotRun]);
}

#[test]
fn a_limit_of_memory_is_that_of_the_heap() {
    needs!(Java);
    let text = taker("    int take(int a) { return new byte[a << 20].length >> 20; }");
    let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
    let limits = || LimitsPatch { memory: Some(200 << 20), ..LimitsPatch::default() };
    for (megabytes, verdict) in [(100, Verdict::Passed), (250, Verdict::MemoryLimit)] {
        let steps = step(&format!("t.take({megabytes})"), &format!("returns = {megabytes}"));
        let report = grade_in(&mut Worker::new(Launcher::new(Tier::default(), 0)), files, &steps, limits());
        assert_eq!(report.cases[0].verdict, verdict, "{megabytes}: {:#?}", report.cases[0].finding);
    }
}

#[test]
fn output_arrives_by_a_socket_and_by_pipes() {
    needs!(Java);
    let text =
        taker("    int take(int a) {\n        System.out.println(\"so \\u00e9\");\n        return a;\n    }");
    let files: &[(&str, &[u8])] = &[("Taker.java", text.as_bytes())];
    let steps = step("t.take(1)", "returns = 1\nprints = \"so é\"");
    for launcher in [Launcher::new(Tier::Portable, 0), Launcher::portable(0)] {
        let report = grade_in(&mut Worker::new(launcher), files, &steps, LimitsPatch::default());
        assert!(report.passed(), "{:#?}", report.cases[0].finding);
    }
}

#[test]
fn the_text_of_the_driver_is_removed_again() {
    needs!(Java);
    let folder = tempfile::tempdir().unwrap();
    let mut keur = keur_command(&["grade", "fixtures/submissions/codenames/java/correct.java"]);
    let run = run(keur.env("TMPDIR", folder.path()));
    assert_eq!(run.code, 0, "{}", run.out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_virtual_machine_runs_where_nothing_but_its_own_files_exists() {
    needs!(Java);
    use crate::required::{Need, not_tested};
    use keur_core::languages::{DriverArgs, Mode};
    use keur_sandbox::Transport;
    use keur_sandbox::linux::{Confinement, GroupLimits, Request, Rlimits, Strictness, probe};
    if let Err(missing) = probe().namespaces {
        // The tests of hostile submissions show that keur refuses the tier that has them.
        return not_tested(Need::Isolated, "a virtual machine in namespaces", &missing.to_string());
    }
    let driver = keur_core::languages::find("java").unwrap();
    let program = Interpreters::default().find(driver).unwrap().program;
    let jail = (driver.engines[0].jail)(&program).unwrap();
    let confinement = Confinement::prepare(&Request {
        strictness: Strictness::Isolated,
        kind: jail.kind,
        executable: program.canonicalize().unwrap(),
        readable: jail.readable,
        hidden: jail.hidden,
        executables: Vec::new(),
        owned: Vec::new(),
        writable: Vec::new(),
        folder: None,
        rlimits: Rlimits {
            address_space: None,
            data: Some(1 << 30),
            file_size: 1 << 20,
            open_files: 256,
            processes: None,
            cpu_seconds: 60,
        },
        group: GroupLimits { memory: 1 << 30, tasks: 64 },
    })
    .unwrap();
    let mut command = confinement.command(Vec::new()).unwrap();
    let mode = Mode::Process(Transport::Socket);
    let start = DriverArgs {
        program: &program,
        mode,
        memory: 1 << 28,
        seed: 0,
        text: None,
        has_folder: false,
        cache: None,
    };
    let mut launch = (driver.engines[0].launch)(&start);
    launch.args.truncate(launch.args.len() - 2);
    let output = command.args(launch.args).envs(launch.env).arg("-version").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("Runtime"), "{}: {said}", output.status);
}

#[test]
fn a_view_counts_wherever_a_value_of_its_type_arrives() {
    needs!(Java);
    let taker = "import java.util.*;\nclass Pair { public Object left = 1; public Object right = 2; }\nclass Twin extends Pair {}\n\
                 class Taker { Taker() {} Object take(Object a) { return Map.of(1, List.of(new Twin())); } }\n";
    let expects = step("t.take(1)", "equals = \"{1: [[1, 2]]}\"");
    assert_eq!(grade(&[("Taker.java", taker.as_bytes())], &expects).verdict, Verdict::Passed);
    let raises = taker.replace("public Object right = 2;", "");
    let report = grade(&[("Taker.java", raises.as_bytes())], &expects);
    assert_ne!(report.verdict, Verdict::Passed, "{report:?}");
}

#[test]
fn an_instance_may_be_of_a_subclass_or_implement_an_interface() {
    needs!(Java);
    let taker = "interface Shape {}\nclass Round implements Shape {}\nclass Circle extends Round {}\n\
                 class Taker { Taker() {} Object take(Object a) { return new Circle(); } }\n";
    for (expected, verdict) in [
        ("{ instance = \"Shape\" }", Verdict::Passed),
        ("{ instance = \"Round\" }", Verdict::Passed),
        ("{ instance = \"Circle\" }", Verdict::Passed),
        ("{ instance = \"Taker\" }", Verdict::WrongValue),
        ("{ type = \"Shape\" }", Verdict::WrongValue),
    ] {
        let steps = format!("[[step]]\ndo = \"t.take(1)\"\nreturns = {expected}");
        assert_eq!(grade(&[("Taker.java", taker.as_bytes())], &steps).verdict, verdict, "{expected}");
    }
}
