//! The conformance suite passes correct drivers, and reports the problems of wrong ones.

use crate::grading::{BUILDER, load};
use crate::required::needs;
use crate::running::{folder, keur, keur_command, path_with_keur, root, run, succeed, write_files};
#[cfg(unix)]
use keur::run::{GradeRequest, Run, Submissions};
use keur_core::adapter::conformance::{self, Check, CheckOutcome};
use keur_core::adapter::{self, Launcher};
use keur_core::event::{Event, RunError};
use keur_core::submission::{self, Product, Runner};
use keur_sandbox::Tier;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::time::Duration;

/// The fewest checks that the suite must make.
const FEWEST: usize = 40;

/// The exit code and output of `keur driver test`.
fn suite(command: &str, file: &Path) -> (i32, String) {
    let run = keur(&["driver", "test", "--command", command, "--file", file.to_str().unwrap()]);
    (run.code, run.all())
}

fn submission(name: &str) -> PathBuf {
    root().join("fixtures/conformance").join(name)
}

#[track_caller]
fn passes(command: &str, name: &str, lacking: usize) {
    let (code, text) = suite(command, &submission(name));
    assert_eq!(code, 0, "{text}");
    let checks = text.lines().filter(|line| line.starts_with("  ✓") || line.starts_with("  –")).count();
    assert!(checks >= FEWEST, "{checks} checks:\n{text}");
    let last = text.lines().last().unwrap();
    let rest = format!("{} passed, {lacking} not in this language, 0 failed", checks - lacking);
    assert_eq!(last, format!("{checks} checks: {rest}"), "{text}");
}

#[test]
fn the_python_driver_conforms() {
    let driver = root().join("crates/core/src/languages/python/driver.py");
    passes(&format!("python3 '{}' pipes", driver.display()), "conformance.py", 0);
}

#[test]
fn the_javascript_driver_conforms() {
    let text = |name: &str| {
        fs::read_to_string(root().join("crates/core/src/languages/javascript").join(name)).unwrap()
    };
    let [core, operators, loader, timers, node] =
        ["core.js", "operators.js", "loader.js", "timers.js", "node.js"].map(text);
    let folder = tempfile::tempdir().unwrap();
    let driver = folder.path().join("driver.js");
    let files = "const EXTENSIONS = ['.js'];\nconst PREPARE = (source) => source;";
    let whole = format!(
        "const CORE = {core};\nconst OPERATORS = {operators};\nconst LOADER = {loader};\nconst TIMERS = {timers};\n\
         {files}\nconst MODE = 'pipes';\n{node}"
    );
    fs::write(&driver, whole).unwrap();
    passes(&format!("node --experimental-vm-modules '{}'", driver.display()), "conformance.js", 0);
}

#[cfg(feature = "quickjs")]
#[test]
fn the_engine_that_keur_carries_conforms() {
    passes(&format!("'{}' engine pipes portable 268435456", env!("CARGO_BIN_EXE_keur")), "conformance.js", 0);
}

#[test]
fn the_java_driver_conforms() {
    needs!(Java);
    let text =
        |name: &str| fs::read_to_string(root().join("crates/core/src/languages/java").join(name)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let driver = folder.path().join("Driver.java");
    let parts = ["Driver.java", "Native.java", "Program.java", "Operators.java", "Calls.java", "Values.java"];
    fs::write(&driver, parts.map(text).concat()).unwrap();
    let export =
        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-exports=java.base/jdk.internal.access=ALL-UNNAMED";
    passes(&format!("java {export} '{}' pipes", driver.display()), "Conformance.java", 0);
}

#[test]
fn the_cpp_driver_conforms() {
    needs!(Cpp);
    let exercise = "title = \"Conformance\"\nsession = \"python\"\nfiles = { cpp = [\"conformance.cpp\"] }\n\
        [class.Conformance]\nmethods = { echo = [\"value\"], same = [], add = [\"a\", \"b?\"], fail = [\"message\"], \
        say = [\"text\"], big = [], deep = [], spin = [], flood = [] }\n";
    let case = "title = \"Some\"\n[[step]]\ndo = \"Conformance().add(1)\"\nreturns = 3\n";
    let folder = folder(&[("conformance/exercise.toml", exercise), ("conformance/some.toml", case)]);
    let loaded = load(&folder.path().join("conformance")).unwrap();
    let opened = submission::opened::open(&submission("conformance.cpp")).unwrap();
    let found = BUILDER.submission(opened, &loaded.exercise).unwrap().found.unwrap();
    let Runner::Built(built) = &found.runner else { panic!("{:?}", found.runner) };
    let Product::Library(library) = &built.product else { panic!("{:?}", built.product) };
    let file = &found.bundle.files[0];
    let launcher = Launcher::new(Tier::default(), 0);
    let (mut holds, mut lacking, mut broken) = (0, Vec::new(), Vec::new());
    let mut tell = |check: &Check| match &check.outcome {
        CheckOutcome::Holds => holds += 1,
        CheckOutcome::Lacks(_) => lacking.push(check.name.clone()),
        CheckOutcome::Broken { expected, got } => {
            broken.push(format!("{}: {got}, but expected {expected}", check.name));
        }
    };
    conformance::check_library(launcher, library, file, &mut tell).unwrap();
    assert_eq!(broken, [""; 0]);
    let kinds = ["integers of any size", "strings with lone surrogates"];
    assert_eq!(lacking, kinds.map(|kind| format!("values arrive and come back: {kind}")));
    assert!(holds + lacking.len() >= FEWEST, "{holds} checks");
}

#[test]
fn the_example_of_the_recipe_conforms_and_grades() {
    needs!(Perl);
    let driver = root().join("fixtures/conformance/perl/driver.pl");
    let command = format!("perl '{}'", driver.display());
    passes(&command, "perl/conformance.pl", 5);
    let exercise = "title = \"Counters\"\nsession = \"python\"\nfiles = { perl = [\"counter.pl\"] }\n\
                    [class.Counter]\nnew = [\"start\"]\nmethods = { count_up = [] }\n";
    let case = "title = \"It counts\"\n[[step]]\ndo = \"c = Counter(2)\"\n[[step]]\ndo = \"c.count_up()\"\nreturns = 3\n";
    let folder = folder(&[("counters/exercise.toml", exercise), ("counters/counts.toml", case)]);
    let right =
        "package Counter;\nsub new { bless { n => $_[1] }, $_[0] }\nsub count_up { ++$_[0]{n} }\n1;\n";
    let grade = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let (file, cases) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
        let run = keur(&["grade", file, "--cases", cases, "--exercise", "counters", "--command", &command]);
        (run.code, run.out)
    };
    for name in ["counter.pl", "another.pl"] {
        let (code, text) = grade(name, right);
        assert_eq!(code, 0, "{text}");
    }
    let (code, text) = grade("counter.pl", &right.replace("++$_[0]{n}", "$_[0]{n}++"));
    assert!(code == 1 && text.contains("expected"), "{text}");
}

#[test]
fn the_command_of_the_recipe_works() {
    needs!(Perl);
    let recipe = fs::read_to_string(root().join("docs/new-language.md")).unwrap();
    let command = recipe.lines().find(|line| line.starts_with("keur driver test")).unwrap();
    succeed(Command::new("sh").args(["-c", command]).env("PATH", path_with_keur()).current_dir(root()));
}

#[test]
fn the_submissions_have_every_method_of_the_recipe() {
    let recipe = fs::read_to_string(root().join("docs/new-language.md")).unwrap();
    let rows = recipe.lines().filter_map(|line| line.strip_prefix("| `")?.split('(').next());
    let methods: Vec<&str> = rows.collect();
    assert!(methods.len() >= 9, "{methods:?}");
    for name in
        ["conformance.py", "conformance.js", "Conformance.java", "conformance.cpp", "perl/conformance.pl"]
    {
        let text = fs::read_to_string(submission(name)).unwrap();
        for method in &methods {
            let there = text.contains(&format!(" {method}(")) || text.contains(&format!("sub {method} "));
            assert!(there, "{name} has no {method}");
        }
    }
}

/// A Python program that answers each request with the result of `answer` for `nonce` and `op`, as whole
/// frames.
fn program(answer: &str) -> String {
    let frame = "def frame(nonce, text): return struct.pack('<I8s', len(text), nonce) + text.encode()";
    format!(
        "python3 -c \"import struct, sys, json, time\n{frame}\nready = '{}'\nwhile True:\n head = sys.stdin.buffer.read(12)\n \
         if len(head) < 12: break\n length, nonce = struct.unpack('<I8s', head)\n \
         op = json.loads(sys.stdin.buffer.read(length))['op']\n {answer}\n sys.stdout.buffer.flush()\"",
        r#"{{\x22ready\x22:{{\x22protocol\x22:1,\x22language\x22:\x22toy\x22,\x22version\x22:\x221\x22}}}}"#
            .replace("{{", "{")
            .replace("}}", "}")
    )
}

#[track_caller]
fn fails(answer: &str, says: &[&str]) {
    let (code, text) = suite(&program(answer), &submission("conformance.py"));
    assert_eq!(code, 1, "{text}");
    for says in says {
        assert!(text.contains(says), "{says:?} is not in:\n{text}");
    }
}

#[test]
fn a_program_that_breaks_the_protocol_is_told_how() {
    let put = "sys.stdout.buffer.write";
    fails(
        &format!("{put}(frame(bytes(8), ready))"),
        &["✗ it gets ready", "does not carry its request's nonce", "1 check:"],
    );
    fails(&format!("{put}(frame(nonce, 'so'))"), &["✗ it gets ready", "a reply is not JSON"]);
    fails(
        &format!("{put}(frame(nonce, ready.replace('1', '2')))"),
        &["✗ it gets ready", "`ready` with protocol 2"],
    );
    fails("sys.exit('no such thing')", &["✗ it gets ready", "it ended with status 1: no such thing"]);
    fails("print('hello, world')", &["✗ it gets ready", "nonce"]);
    let twice = format!("{put}(frame(nonce, ready) * (2 if op == 'run' else 1))");
    fails(&twice, &["✓ it gets ready: toy 1", "✗ it loads the submission"]);
    let unasked =
        format!("{put}(frame(nonce, ready)); sys.stdout.buffer.flush(); time.sleep(0.05); {put}(b'.')");
    fails(&unasked, &["✗ it sends nothing unasked", "got:      unexpected bytes"]);
    let loads = "'{\\x22loaded\\x22:{\\x22defined\\x22:[\\x22Conformance\\x22],\\x22names\\x22:[\\x22Conformance\\x22]}}'";
    let done = "'{\\x22done\\x22:true,\\x22value\\x22:1}'";
    let liar =
        format!("{put}(frame(nonce, ready if op == 'start' else {loads} if op == 'load' else {done}))");
    fails(
        &liar,
        &[
            "✓ it loads the submission",
            "✗ a file that is not a program is reported",
            "✗ values arrive and come back: null",
            "✗ an endless loop ends at a limit",
            "✗ it ends on request",
            "✓ it ends when its input ends",
        ],
    );
}

#[test]
fn a_program_is_held_to_the_limits_of_a_case() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written");
    let writes = |bytes: u32| {
        let path = file.display();
        format!(
            "open('{path}', 'wb', 0).write(bytes({bytes})) == {bytes} or sys.exit('no room'); sys.stdout.buffer.write(frame(nonce, ready))"
        )
    };
    fails(&writes(70_000), &["✗ it gets ready", "it ended with status 1: no room"]);
    fails(&writes(60_000), &["✓ it gets ready"]);
}

/// A copy of keur's Python driver for a language without tuples, or that does not mention them.
fn without_tuples(says: &str) -> tempfile::TempDir {
    let text = fs::read_to_string(root().join("crates/core/src/languages/python/driver.py")).unwrap();
    let kinds = "'list' if kind is list else 'tuple' if kind is tuple else 'set'";
    let ready = "\"language\":\"python\",";
    assert!(text.contains(kinds) && text.contains(ready));
    let text = text.replace(kinds, "'set' if kind is set else 'list'");
    let text = text.replace(ready, &format!("\"language\":\"listless\",{says}"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("driver.py"), text).unwrap();
    folder
}

#[test]
fn a_language_without_tuples_says_so() {
    let driver =
        |folder: &tempfile::TempDir| format!("python3 '{}' pipes", folder.path().join("driver.py").display());
    let (silent, honest) = (without_tuples(""), without_tuples("\"tuples\":false,"));
    let (code, text) = suite(&driver(&silent), &submission("conformance.py"));
    assert!(code == 1 && text.contains("✗ a tuple does not come back as a list"), "{text}");
    passes(&driver(&honest), "conformance.py", 0);
    let exercise = "title = \"Pairs\"\nsession = \"python\"\nfiles = { listless = [\"pair.py\"] }\n\
                    [class.Pair]\nnew = []\nmethods = { both = [] }\n";
    let case = "title = \"It has both\"\n[[step]]\ndo = \"Pair().both()\"\nequals = \"(1, {(2, 3)})\"\n";
    write_files(honest.path(), &[("pairs/exercise.toml", exercise), ("pairs/both.toml", case)]);
    let file = honest.path().join("pair.py");
    let grade = |command: &str, value: &str| {
        fs::write(&file, format!("class Pair:\n    def both(self):\n        return {value}\n")).unwrap();
        let mut keur = keur_command(&["grade", "--lang", "en", "--exercise", "pairs", "--command", command]);
        let run = run(keur.arg(&file).arg("--cases").arg(honest.path()));
        (run.code, run.all())
    };
    let (code, text) = grade(&driver(&honest), "(1, {(2, 3)})");
    assert_eq!(code, 0, "{text}");
    let (code, text) = grade(&driver(&silent), "(1, {(2, 3)})");
    assert!(code == 1 && text.contains("(1, {(2, 3)})"), "{text}");
    let (code, text) = grade(&driver(&honest), "(1, {(2, 4)})");
    assert!(code == 1 && text.contains("[1, {[2, 3]}]"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_case_that_a_stalled_machine_ended_is_tried_once_more() {
    let exercise = "title = \"One\"\nsession = \"python\"\nfiles = { python = [\"one.py\"] }\n\
                    [function]\none = { args = [] }\n[limits]\ncpu = \"200ms\"\nwall = \"400ms\"\n";
    let case = "\n[[step]]\ndo = \"one()\"\nequals = \"1\"\n";
    let folder = folder(&[
        ("one/exercise.toml", exercise),
        ("one/a.toml", &format!("title = \"It is one: a\"{case}")),
        ("one/b.toml", &format!("title = \"It is one: b\"{case}")),
        ("one.py", "def one():\n    return 1\n"),
    ]);
    let [file, times, driver] = ["one.py", "times", "driver.py"].map(|name| folder.path().join(name));
    let text = fs::read_to_string(root().join("crates/core/src/languages/python/driver.py")).unwrap();
    let line = "                reply = submission.run(request)\n";
    assert!(text.contains(line));
    // A driver whose process is stopped, as a frozen machine would, the first `most` times.
    let grade = |most: u32| {
        let stop = format!(
            "                import os, signal\n                open({times:?}, 'a').write('.')\n                \
             if len(open({times:?}).read()) <= {most}: os.kill(os.getpid(), signal.SIGSTOP)\n"
        );
        fs::write(&driver, text.replace(line, &(stop + line))).unwrap();
        fs::write(&times, "").unwrap();
        let mut keur = keur_command(&["grade", "--exercise", "one", "--lang", "en"]);
        keur.arg(&file).arg("--cases").arg(folder.path());
        let graded = run(keur.args(["--command", &format!("python3 '{}' pipes", driver.display())]));
        (graded.code, fs::read_to_string(&times).unwrap().len(), graded.all())
    };
    let (code, times, text) = grade(1);
    assert_eq!((code, times), (0, 3), "{text}");
    let (code, times, text) = grade(100);
    assert_eq!((code, times), (1, 3), "{text}");
}

#[test]
fn wrong_calls_of_the_suite_say_what_is_wrong() {
    let (code, text) = suite("", &submission("conformance.py"));
    assert!(code == 2 && text.contains("no program is named"), "{text}");
    let (code, text) = suite("true", Path::new("/nonexistent/conformance.py"));
    assert!(code == 2 && text.contains("cannot be read"), "{text}");
    let (code, text) = suite("/nonexistent/program", &submission("conformance.py"));
    assert!(code == 4 && text.contains("/nonexistent/program cannot be started"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_program_that_never_gets_ready_is_given_up_once() {
    let folder = tempfile::tempdir().unwrap();
    let (starts, driver) = (folder.path().join("starts"), folder.path().join("driver.sh"));
    fs::write(&driver, format!("echo started >> '{}'\nexec sleep 1000\n", starts.display())).unwrap();
    let paths: Vec<PathBuf> = (0..3)
        .map(|number| {
            let path = folder.path().join(format!("{number}.py"));
            fs::write(&path, "x = 1\n").unwrap();
            path
        })
        .collect();
    let words = vec!["/bin/sh".to_owned(), driver.display().to_string()];
    let mut command = adapter::Command::new(words);
    command.patience = Duration::from_millis(300);
    let mut request =
        GradeRequest::new(Submissions { paths, command: Some(command), ..Submissions::default() });
    request.exercise = Some("codenames".to_owned());
    let mut errors = Vec::new();
    Run::new(request).unwrap().grade(&mut |event| {
        if let Event::SubmissionFinished { report } = event {
            errors.push(match &report.error {
                Some(RunError::Fault(fault)) => fault.to_string(),
                other => panic!("{other:?}"),
            });
        }
    });
    let why = "/bin/sh is not ready to load a submission: it did not answer in time";
    assert_eq!(errors, [why; 3]);
    assert_eq!(fs::read_to_string(&starts).unwrap(), "started\n");
}
