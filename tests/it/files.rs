//! Cases with files: what a submission finds in its working folder, and what it leaves there.

use crate::grading::{self, all_launchers, grade};
use crate::required::needs;
use crate::running::{assert_says, folder, keur_command, write_files};
use keur_core::adapter::Launcher;
use keur_core::case::Loaded;
use keur_core::compare::{Mistake, ProgramMistake, StopMistake, TextMistake, Verdict, WrittenProblem};
use keur_core::event::SubmissionReport;
use keur_core::grade::Worker;
use keur_core::judge::GradeError;
use keur_core::languages::Interpreters;
use keur_core::named::Named;
use keur_sandbox::Tier;
use std::fs;

const EXERCISE: &str = r#"
title = "Files"
session = "python"

[files]
python = ["it.py"]
javascript = ["it.js"]
java = ["It.java"]

[programs]
python = ["program.py"]
javascript = ["program.js"]

[function]
f = { args = [] }
"#;

/// The input files of the cases below.
const INPUT: &str =
    "[input_files]\n'data.txt' = \"one\\ntwo\\n\"\n'deep/large.csv' = { path = \"data/large.csv\" }\n";

/// A library with one exercise of these cases, and a file that they take their input from.
fn load(exercise: &str, cases: &[&str]) -> Result<Loaded, String> {
    let folder = folder(&[("exercise.toml", exercise), ("data/large.csv", "1;2\n")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("data/link")).unwrap();
    for (index, case) in cases.iter().enumerate() {
        let case = format!("title = \"Case {index}\"\n{case}");
        fs::write(folder.path().join(format!("case{index}.toml")), case).unwrap();
    }
    let place = folder.path().display().to_string();
    grading::load(folder.path()).map_err(|error| error.replace(&place, ""))
}

fn grade_files(
    launcher: Launcher,
    loaded: &Loaded,
    files: &[(&str, &str)],
    interpreters: &Interpreters,
) -> Result<SubmissionReport, GradeError> {
    let folder = folder(files);
    grade(loaded, folder.path(), &mut Worker::new(launcher), interpreters)
}

/// Grades a submission in each tier; `wrong` is what its first case that fails fails by.
#[track_caller]
fn check(cases: &[&str], files: &[(&str, &str)], wrong: Option<(Verdict, Mistake)>) {
    let loaded = load(EXERCISE, cases).unwrap();
    for launcher in all_launchers() {
        let tier = launcher.tier().name();
        let report = grade_files(launcher, &loaded, files, &Interpreters::default()).unwrap();
        let finding = report.cases.iter().find_map(|case| case.finding.as_deref());
        let found = finding.map(|finding| (finding.verdict, finding.mistake.clone()));
        assert_eq!(found, wrong, "{tier}: {:?}", report.cases);
    }
}

/// A case of one call that must return `value`.
fn case_that_returns(value: &str) -> String {
    format!("{INPUT}[[step]]\ndo = \"f()\"\nreturns = {value}\n")
}

#[test]
fn a_submission_finds_its_files_by_name() {
    let case = case_that_returns("[\"one\\ntwo\\n\", \"1;2\\n\"]");
    let python = "def f():\n    return [open('data.txt').read(), open('deep/large.csv').read()]\n";
    let javascript = "const fs = require('fs');\nconst path = require('path');\n\
        function f() { return [fs.readFileSync('data.txt', 'utf8'), \
        fs.readFileSync(path.join(__dirname, 'deep', 'large.csv'), 'utf8')]; }\n";
    let module = "import { readFileSync } from 'node:fs';\n\
        export function f() { return ['data.txt', 'deep/large.csv'].map((name) => readFileSync(name, 'utf8')); }\n";
    for file in [("it.py", python), ("it.js", javascript), ("it.js", module)] {
        check(&[&case], &[file], None);
    }
}

#[test]
fn java_reads_and_writes_files() {
    needs!(Java);
    let read = "import java.nio.file.*;\nimport java.util.*;\npublic class It {\n    \
        public static List<String> f() throws Exception {\n        \
        List<String> lines = new ArrayList<>();\n        \
        try (Scanner scanner = new Scanner(new java.io.File(\"data.txt\"))) {\n            \
        while (scanner.hasNextLine()) lines.add(scanner.nextLine());\n        }\n        \
        lines.add(Files.readString(Path.of(\"deep/large.csv\")));\n        return lines;\n    }\n}\n";
    check(&[&case_that_returns("['one', 'two', \"1;2\\n\"]")], &[("It.java", read)], None);
    let write = "import java.io.*;\npublic class It {\n    public static void f() throws IOException {\n        \
        try (PrintWriter out = new PrintWriter(new FileWriter(\"out.txt\"))) { out.println(\"one\"); }\n    }\n}\n";
    check(&[&case_that_leaves("one\n"), &case_that_leaves("one\n")], &[("It.java", write)], None);
    // A class beside the submission is not the submission's.
    let case = "[input_files]\n'Helper.java' = 'class Helper { static int five() { return 0; } }'\n\
        [[step]]\ndo = \"f()\"\nreturns = 5\n";
    let helper = "class Helper { static int five() { return 5; } }\n";
    let it = "public class It { public static int f() { return Helper.five(); } }\n";
    check(&[case], &[("It.java", it), ("Helper.java", helper)], None);
}

#[test]
fn each_case_has_a_folder_of_its_own() {
    let cases = [case_that_returns("1"), case_that_returns("1"), case_that_returns("1")];
    let cases = cases.each_ref().map(String::as_str);
    let python = "import os\n\ndef f():\n    open('new.txt', 'w').close()\n    os.remove('data.txt')\n    \
                  return len([name for name in os.listdir() if name.endswith('.txt')])\n";
    check(&cases, &[("it.py", python)], None);
    let javascript = "const fs = require('fs');\nfunction f() { fs.writeFileSync('new.txt', ''); fs.unlinkSync('data.txt'); \
                      return fs.readdirSync('.').filter((name) => name.endsWith('.txt')).length; }\n";
    check(&cases, &[("it.js", javascript)], None);
}

#[test]
fn a_file_is_compared_by_a_matcher_and_a_tolerance() {
    let python = "def f():\n    with open('out.txt', 'w') as out: out.write('Sum: 20.0\\nMean: 4.0 \\n')\n";
    let case = |writes: &str| format!("[[step]]\ndo = \"f()\"\nwrites = {{ 'out.txt' = {writes} }}\n");
    let cases = [
        case("{ contains = ['Sum: 20.0', 'Mean'] }"),
        case("{ matches = '^Sum: \\d+' }"),
        case("{ any_order = \"Mean: 4.0 \\nSum: 20.0\" }"),
        case("\"sum: 20.0\\nmean: 4.0\"") + "compare = { text = { case = 'ignore', line_ends = 'trim' } }\n",
    ];
    check(&cases.each_ref().map(String::as_str), &[("it.py", python)], None);
    let problem = WrittenProblem::Text(Box::new(Mistake::Text(TextMistake::Form)));
    let wrong = Mistake::Program(ProgramMistake::Written { file: "out.txt".to_owned(), problem });
    check(&[&case("{ matches = '^Mean' }")], &[("it.py", python)], Some((Verdict::WrongOutput, wrong)));
}

/// A case of one call that must leave `text` in `out.txt`.
fn case_that_leaves(text: &str) -> String {
    format!("[[step]]\ndo = \"f()\"\nwrites = {{ 'out.txt' = {text:?} }}\n")
}

#[test]
fn files_are_compared_as_a_step_leaves_them() {
    let wrong = |problem| {
        let mistake = Mistake::Program(ProgramMistake::Written { file: "out.txt".to_owned(), problem });
        Some((Verdict::WrongOutput, mistake))
    };
    let python = |body: &str| format!("import os\n\ndef f():\n    {body}\n");
    let case = case_that_leaves("one\ntwo\n");
    for (body, expected) in [
        ("with open('out.txt', 'w') as out: out.write('one\\ntwo')", None),
        ("pass", wrong(WrittenProblem::Missing)),
        ("open('out.txt', 'w').close()", wrong(WrittenProblem::Empty)),
        ("os.mkdir('out.txt')", wrong(WrittenProblem::Folder)),
        ("with open('out.txt', 'wb') as out: out.write(b'\\xff')", wrong(WrittenProblem::Binary)),
        (
            "with open('out.txt', 'w') as out: out.write('One\\ntwo')",
            wrong(WrittenProblem::Text(Box::new(Mistake::Text(TextMistake::Capitals)))),
        ),
    ] {
        check(&[&case], &[("it.py", &python(body))], expected);
    }
    let javascript = "const fs = require('fs');\nfunction f() { fs.appendFileSync('out.txt', 'one\\n'); \
                      fs.appendFileSync('out.txt', 'two\\n'); }\n";
    check(&[&case], &[("it.js", javascript)], None);
}

#[test]
fn programs_share_the_folder_of_their_case() {
    let case = format!(
        "{INPUT}[[step]]\nrun = \"program.py\"\nargs = [\"a\"]\nwrites = {{ 'log.txt' = \"a\\n\" }}\n\
         [[step]]\nrun = \"program.py\"\nargs = [\"b\"]\nstdin = \"c\\n\"\nprints = \"c\"\n\
         writes = {{ 'log.txt' = \"a\\nb\\n\", 'data.txt' = \"one\\ntwo\\n\" }}\n"
    );
    // A file that is still open is closed at the end of a program.
    let python = "import sys\nlog = open('log.txt', 'a')\nlog.write(sys.argv[1] + '\\n')\nprint(sys.stdin.read(), end='')\n";
    let javascript = "const fs = require('fs');\nfs.appendFileSync('log.txt', process.argv[2] + '\\n');\n\
                      process.stdout.write(fs.readFileSync(0, 'utf8'));\n";
    check(&[&case], &[("program.py", python), ("it.py", "def f(): pass\n")], None);
    check(&[&case], &[("program.js", javascript), ("it.js", "function f() {}\n")], None);
}

#[test]
fn no_report_shows_where_the_folder_is() {
    let case = "[input_files]\na = 'b'\n[[step]]\ndo = \"f()\"\nprints = \"/work/a\"\nreturns = [\"/work\"]\n\
        [[step]]\ndo = \"f()\"\nwrites = { 'out.txt' = \"/work/out.txt\" }\n";
    let python = "import os\n\ndef f():\n    print(os.path.abspath('a'))\n    with open('out.txt', 'w') as out:\n        \
                  out.write(os.path.abspath('out.txt'))\n    return [os.getcwd()]\n";
    check(&[case], &[("it.py", python)], None);
    let javascript = "const fs = require('fs');\nfunction f() { console.log(`${__dirname}/a`); \
                      fs.writeFileSync('out.txt', `${process.cwd()}/out.txt`); return [process.cwd()]; }\n";
    check(&[case], &[("it.js", javascript)], None);
}

#[test]
fn a_file_in_the_folder_hides_no_module() {
    let case = "[input_files]\n'random.py' = 'bad = 1'\n'helper.py' = 'bad = 1'\n'helper.js' = 'exports.bad = 1'\n\
        'sitecustomize.py' = 'raise ValueError'\n'package.json' = '{ \"type\": \"module\" }'\n\
        [[step]]\ndo = \"f()\"\nreturns = 5\n";
    let python = "def f():\n    open('statistics.py', 'w').write('bad = 1')\n    import statistics, random, helper\n    \
                  return helper.five() if hasattr(random, 'choice') and hasattr(statistics, 'mean') else 0\n";
    check(&[case], &[("it.py", python), ("helper.py", "def five(): return 5\n")], None);
    let javascript = "const fs = require('fs');\nfunction f() { fs.writeFileSync('path.js', ''); \
                      return require('./helper').five() && require('path').join ? 5 : 0; }\n";
    check(&[case], &[("it.js", javascript), ("helper.js", "exports.five = () => 5;\n")], None);
}

#[test]
fn too_much_in_the_folder_ends_the_case() {
    let case = case_that_leaves("one\n");
    let python = |body: &str| format!("def f():\n{body}\n");
    let limit = Some((Verdict::OutputLimit, Mistake::Stop(StopMistake::FilesLimit)));
    for body in [
        "    for name in range(1000):\n        open(str(name), 'w').close()",
        "    for name in range(40):\n        open(str(name), 'w').write('x' * (1 << 20))",
        "    try:\n        with open('out.txt', 'w') as out: out.seek(1 << 40), out.write('x')\n    except OSError:\n        \
         open('out.txt', 'wb').write(bytes(9 << 20))",
    ] {
        check(&[&case], &[("it.py", &python(body))], limit.clone());
    }
}

#[test]
fn files_that_are_read_after_many_steps_end_the_case() {
    let step = |call: &str, file: &str| {
        format!("[[step]]\n{call}\nwrites = {{ '{file}' = {{ contains = 'x' }} }}\n")
    };
    let limit = Some((Verdict::OutputLimit, Mistake::Stop(StopMistake::FilesLimit)));
    let large = "def f():\n    open('out.txt', 'w').write('x' * (6 << 20))\n";
    let calls = |count: usize| step("do = 'f()'", "out.txt").repeat(count);
    check(&[&calls(5)], &[("it.py", large)], None);
    check(&[&calls(20)], &[("it.py", large)], limit.clone());
    let program = "open('out.txt', 'w').write('x' * (6 << 20))\n";
    let runs = step("run = 'program.py'", "out.txt").repeat(6);
    check(&[&runs], &[("program.py", program)], limit);
}

#[cfg(target_os = "linux")]
#[test]
fn a_removed_file_that_is_still_open_counts_as_output() {
    let text = "import os\n\ndef f():\n    kept = []\n    for _ in range(1000):\n        kept.append(open('out.txt', 'wb', 0))\n        \
        kept[-1].write(bytes(7 << 20))\n        os.remove('out.txt')\n";
    let loaded = load(EXERCISE, &[&case_that_leaves("one\n")]).unwrap();
    let report =
        grade_files(Launcher::new(Tier::Standard, 0), &loaded, &[("it.py", text)], &Interpreters::default())
            .unwrap();
    // On a slow disk, or where keur may not see it, time runs out first.
    let limits = [Verdict::OutputLimit, Verdict::TimeLimit];
    assert!(limits.contains(&report.cases[0].verdict), "{:?}", report.cases);
}

#[test]
fn links_and_pipes_are_not_followed() {
    // A confined submission cannot make them: then there is no file.
    let case = case_that_leaves("one\n");
    let loaded = load(EXERCISE, &[&case]).unwrap();
    for make in ["os.symlink('/etc/passwd', 'out.txt')", "os.mkfifo('out.txt')"] {
        let text = format!("import os\n\ndef f():\n    try: {make}\n    except OSError: pass\n");
        for launcher in all_launchers() {
            let confined = launcher.tier() != Tier::Portable;
            let report =
                grade_files(launcher, &loaded, &[("it.py", &text)], &Interpreters::default()).unwrap();
            let found = report.cases[0].finding.as_ref().unwrap().mistake.clone();
            let problem = if confined { WrittenProblem::Missing } else { WrittenProblem::Irregular };
            assert_eq!(
                found,
                Mistake::Program(ProgramMistake::Written { file: "out.txt".to_owned(), problem }),
                "{make}"
            );
        }
    }
}

#[test]
fn a_confined_submission_changes_nothing_outside_its_folder() {
    let outside = folder(&[("kept", "x")]);
    let kept = outside.path().join("kept");
    for path in [outside.path(), &kept] {
        #[cfg(unix)]
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    }
    let text = "import os\n\nATTEMPTS = [\n    lambda: open(KEPT), lambda: open(KEPT, 'w'), lambda: open(KEPT, 'a'),\n    \
        lambda: open(OUT + '/new', 'w'), lambda: os.remove(KEPT), lambda: os.rename('data.txt', OUT + '/moved'),\n    \
        lambda: os.rename(KEPT, 'moved'), lambda: os.link(KEPT, 'linked'), lambda: os.symlink(KEPT, 'link'),\n    \
        lambda: os.mkdir(OUT + '/folder'), lambda: os.truncate(KEPT, 0), lambda: os.chmod(KEPT, 0),\n    \
        lambda: os.chmod('data.txt', 0o777), lambda: os.mkfifo('pipe'), lambda: os.mknod('device', 0o60666, 1),\n    \
        lambda: os.open('.', os.O_TMPFILE | os.O_RDWR), lambda: open('../new', 'w'), lambda: os.listdir('..'),\n    \
        lambda: os.open(KEPT, os.O_RDONLY | os.O_TRUNC), lambda: os.fork(), lambda: os.execv('data.txt', ['x']),\n    \
        lambda: os.utime(KEPT), lambda: os.chdir('/'), lambda: os.listdir(OUT)]\n\n\ndef f():\n    \
        done = []\n    for index, attempt in enumerate(ATTEMPTS):\n        try:\n            attempt()\n        \
        except OSError:\n            continue\n        done.append(index)\n    return done\n";
    let text = text.replace("KEPT", &format!("{:?}", kept.display().to_string()));
    let text = text.replace("OUT", &format!("{:?}", outside.path().display().to_string()));
    let loaded = load(EXERCISE, &[&case_that_returns("[]")]).unwrap();
    for launcher in all_launchers().into_iter().filter(|launcher| launcher.tier() != Tier::Portable) {
        let tier = launcher.tier().name();
        let report = grade_files(launcher, &loaded, &[("it.py", &text)], &Interpreters::default()).unwrap();
        assert_eq!(report.passed_cases(), 1, "{tier}: {:?}", report.cases);
        assert_eq!(fs::read_to_string(&kept).unwrap(), "x");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }
}

#[cfg(feature = "quickjs")]
#[test]
fn the_embedded_engine_has_no_files() {
    let loaded = load(EXERCISE, &[&case_that_returns("1")]).unwrap();
    let launcher = Launcher::new(Tier::default(), 0);
    let error =
        grade_files(launcher, &loaded, &[("it.js", "function f() {}\n")], &grading::embedded()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "QuickJS has no files; a case with files needs Python, Node, Java, C++, C or Rust"
    );
}

#[test]
fn wrong_files_are_errors_with_their_place() {
    for (case, said) in [
        ("[input_files]\n'/etc/x' = ''\n", "3:1: `/etc/x` is an absolute path; write a name such as"),
        ("[input_files]\n'a/../b' = ''\n", "3:1: `a/../b` has an empty name, `.` or `..` in it"),
        (
            "[input_files]\na = ''\n'a/b' = ''\n",
            "4:1: `a/b` and `a` cannot both exist: a file is not a folder",
        ),
        ("[input_files]\na = { path = 'data/no' }\n", "3:5: cannot read `data/no`: "),
        ("[input_files]\na = { path = 'data' }\n", "3:5: `data` is not a file"),
        ("[input_files]\na = { path = '../x' }\n", "3:5: `../x` has an empty name, `.` or `..` in it"),
        ("[input_files]\na = { path = 'data/link' }\n", "3:5: cannot read `data/link`: "),
        ("[input_files]\na = { pth = 'data' }\n", "3:7: unknown key `pth`"),
        ("[input_files]\na = 3\n", "3:5: `a` cannot be a number"),
    ] {
        let error = load(EXERCISE, &[&format!("{case}[[step]]\ndo = 'f()'\n")]).unwrap_err();
        assert!(error.contains(said), "{case}: {error}");
    }
    for (step, said) in [
        ("do = 'f()'\nwrites = { '../a' = '' }", "4:12: `../a` has an empty name"),
        ("do = 'f()'\nwrites = 3", "`writes` cannot be a number"),
    ] {
        let error = load(EXERCISE, &[&format!("[[step]]\n{step}\n")]).unwrap_err();
        assert!(error.contains(said), "{step}: {error}");
    }
    let exercise = format!("{EXERCISE}[input_files]\na = {{ path = 'data/no' }}\n");
    let error = load(&exercise, &["[[step]]\ndo = 'f()'\n"]).unwrap_err();
    assert_says(&error, "exercise.toml:17:5: cannot read `data/no`: ");
}

/// The way in which keur ends.
#[cfg(unix)]
#[derive(PartialEq)]
enum KeurEnd {
    Finished,
    Interrupted,
}

/// Runs keur on a submission of one case with files, with a temporary folder of its own; returns the exit code
/// and what is left in the folder.
#[cfg(unix)]
fn left_by(body: &str, end: KeurEnd) -> (Option<i32>, Vec<String>) {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("tmp")).unwrap();
    fs::set_permissions(at("tmp"), std::os::unix::fs::PermissionsExt::from_mode(0o1777)).unwrap();
    let files = [
        ("files/exercise.toml", EXERCISE),
        ("files/case.toml", &format!("title = \"A case\"\n{}", case_that_leaves("one\n"))),
        ("it.py", &format!("import os, time\n\ndef f():\n    {body}\n")),
    ];
    write_files(place.path(), &files);
    let mut command = keur_command(&["grade"]);
    command.arg(at("it.py")).arg("--cases").arg(at("files")).env("TMPDIR", at("tmp"));
    let mut keur = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let folders = || fs::read_dir(at("tmp")).unwrap().count();
    if end == KeurEnd::Interrupted {
        let until = Instant::now() + Duration::from_secs(20);
        while folders() == 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(folders() > 0);
        let pid = rustix::process::Pid::from_child(&keur);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    }
    let status = keur.wait().unwrap().code();
    let entries = fs::read_dir(at("tmp")).unwrap().flatten();
    (status, entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

#[cfg(unix)]
#[test]
fn the_folder_is_gone_afterwards() {
    let writes =
        "os.makedirs('a/b'); os.open('a/b/closed', os.O_CREAT, 0); open('out.txt', 'w').write('one')";
    assert_eq!(left_by(writes, KeurEnd::Finished), (Some(0), Vec::new()));
    let (status, left) = left_by("open('out.txt', 'w').write('one'); time.sleep(60)", KeurEnd::Interrupted);
    assert!(status != Some(0) && left.is_empty(), "{status:?} {left:?}");
}
