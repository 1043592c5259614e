//! Tests that submissions do not affect each other, and what is not a grade.
//!
//! Links, modules of the same name, folders without a source, time that is used up.

use super::{CASE, COUNTER, EXERCISE, check_file, grade_files, library};
use crate::running::{assert_says, folder, keur, keur_command, unwrapped};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The exit code and the report of all submissions in a folder.
fn grade_class(library: &Path, folder: &Path, more: &[&str]) -> (i32, Value) {
    let mut args = vec!["grade", "--each", folder.to_str().unwrap(), "--cases", library.to_str().unwrap()];
    args.extend(["--format", "json", "--lang", "en"]);
    args.extend(more);
    let run = keur(&args);
    (run.code, run.json())
}

/// The error of the ungraded submission of this name.
#[track_caller]
fn error<'j>(json: &'j Value, name: &str) -> &'j str {
    let submissions = json["submissions"].as_array().unwrap();
    let found = submissions.iter().find(|submission| submission["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name}: {json:#}"));
    assert_eq!(found["error"]["kind"], "nothing", "{found:#}");
    found["error"]["message"].as_str().unwrap()
}

#[cfg(unix)]
#[test]
fn links_earn_nothing_and_show_nothing() {
    use std::os::unix::fs::symlink;
    let library = library(EXERCISE, CASE);
    let outside = folder(&[("secret.py", "def secret(:\n")]);
    let folder = folder(&[("an/counter.py", COUNTER)]);
    symlink("an", folder.path().join("eve")).unwrap();
    symlink(folder.path().join("an/counter.py"), folder.path().join("fay.py")).unwrap();
    symlink(outside.path().join("secret.py"), folder.path().join("gus.py")).unwrap();
    symlink("/", folder.path().join("hal")).unwrap();
    let (code, json) = grade_class(library.path(), folder.path(), &[]);
    assert_eq!(code, 1, "{json:#}");
    assert_eq!(json["submissions"][0]["passed"], true, "{json:#}");
    assert_eq!(json["submissions"].as_array().unwrap().len(), 5);
    assert_eq!(error(&json, "eve"), "this is a link to an: hand in the file itself");
    for name in ["fay", "gus", "hal"] {
        assert!(error(&json, name).starts_with("this is a link to /"), "{json:#}");
    }
    assert!(!json.to_string().contains("def secret"), "{json:#}");
    // Nor by their own names, as a shell passes them.
    for name in ["eve", "gus.py"] {
        let path = folder.path().join(name);
        let run = keur(&["grade", path.to_str().unwrap(), "--cases", library.path().to_str().unwrap()]);
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(
            run.out.contains("hand in the file itself") && !run.out.contains("def secret"),
            "{}",
            run.out
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_a_zip_is_skipped() {
    use std::io::Write;
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.path().join("an.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("an.py", options).unwrap();
    zip.write_all(COUNTER.as_bytes()).unwrap();
    zip.add_symlink("counter.py", "/etc/passwd", options).unwrap();
    zip.finish().unwrap();
    let (code, json) = grade_class(library.path(), folder.path(), &[]);
    assert_eq!(code, 0, "{json:#}");
    assert_eq!(
        json["submissions"][0]["warnings"][0]["message"],
        "skipped: counter.py is a link; hand in the file itself"
    );
}

#[cfg(unix)]
#[test]
fn one_submission_has_few_warnings() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", COUNTER)]);
    for index in 0..500 {
        std::os::unix::fs::symlink("/", folder.path().join(format!("{}{index:03}", "x".repeat(200))))
            .unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let run = keur(&["grade", path, "--cases", library.path().to_str().unwrap(), "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert_eq!(run.out.matches("skipped: xxx").count(), 10, "{}", run.out);
    assert!(run.out.contains("490 more files were skipped") && run.out.len() < 4000, "{}", run.out);
    for (lang, says) in [
        ("nl", [" is een link; dien het bestand zelf in", "nog 490 andere bestanden zijn overgeslagen"]),
        ("da", [" er et link; aflever selve filen", "490 filer mere blev sprunget over"]),
    ] {
        let run = keur(&["grade", path, "--cases", library.path().to_str().unwrap(), "--lang", lang]);
        assert!(says.iter().all(|says| run.out.contains(says)), "{}", run.out);
    }
}

#[test]
fn a_submissions_own_module_stands_before_the_library() {
    let library = library(EXERCISE, CASE);
    let with =
        |imports: &str, value: &str| format!("{imports}\n\n\n{}", COUNTER.replace("return self.n", value));
    let own = with("from statistics import own\nimport string", "return own(self.n) if string.OWN else 0");
    let theirs = with("import re\nimport statistics\nimport string", "return statistics.mean([self.n])");
    for (first, second) in [("a", "b"), ("b", "a")] {
        let folder = folder(&[
            (&format!("{first}/counter.py"), &theirs),
            (&format!("{second}/counter.py"), &own),
            (&format!("{second}/statistics.py"), "def own(x):\n    return x\n"),
            (&format!("{second}/string.py"), "OWN = True\n"),
        ]);
        let (code, json) = grade_class(library.path(), folder.path(), &["--jobs", "1"]);
        assert_eq!(code, 0, "{json:#}");
    }
}

#[test]
fn the_librarys_random_numbers_have_the_seed_of_the_run_however_they_are_imported() {
    let imports = [
        "import random",
        "import importlib\nrandom = importlib.import_module('random')",
        "import re, random",
        "from random import random as draw\nclass random: random = draw",
    ];
    let drawn = imports.map(|import| {
        let library = library(EXERCISE, CASE);
        let text = format!("{import}\n{}", COUNTER.replace("return self.n", "return random.random()"));
        let (_, json) = grade_files(library.path(), &[("counter.py", &text)], &[]);
        json["submissions"][0]["cases"][0]["finding"]["got"].as_str().unwrap().to_owned()
    });
    assert!(drawn.iter().all(|got| *got == drawn[0]), "{drawn:?}");
}

#[test]
fn a_folder_with_nothing_to_grade_is_no_zero() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[
        ("an.py", COUNTER),
        ("bo.py", &COUNTER.replace("+= by", "-= by")),
        ("cem/a.docx", "x"),
        ("cem/b.docx", "x"),
        ("cem/photo.PNG", "x"),
        ("__MACOSX/._an.py", "x"),
        ("grades.csv", "name,grade"),
        ("dirk.zip", "PK\u{3}\u{4}broken"),
        ("els/notes.ipynb", "{}"),
    ]);
    fs::create_dir(folder.path().join("fleur")).unwrap();
    fs::File::create(folder.path().join("gijs.py")).unwrap().set_len(2 << 20).unwrap();
    let more = ["--format", "csv=points.csv", "--format", "html=page.html", "--format", "terminal=table.txt"];
    let places = tempfile::tempdir().unwrap();
    let more = more.map(|format| match format.split_once('=') {
        Some((name, file)) => format!("{name}={}", places.path().join(file).display()),
        None => format.to_owned(),
    });
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let (code, json) = grade_class(library.path(), folder.path(), &more);
    assert_eq!(code, 1, "{json:#}");
    for (name, says) in [
        ("cem", "there is no source file (counter.js, counter.py); found: 2 .docx files and a picture"),
        ("__MACOSX", "there is no source file (counter.js, counter.py); found: a hidden file"),
        ("grades", "there is no source file (counter.js, counter.py); found: a .csv file"),
        ("fleur", "there are no files here: hand in a source file (counter.js, counter.py)"),
        ("dirk", "dirk.zip is damaged, or is not a zip: pack your files again"),
        ("els", "notes.ipynb is not a notebook that can be read: open it, save it, and hand it in again"),
        ("gijs", "gijs.py is larger than 1 MB: hand in a smaller file"),
    ] {
        assert_eq!(error(&json, name), says);
    }
    let read = |file: &str| fs::read_to_string(places.path().join(file)).unwrap();
    let row = "cem,";
    let csv = read("points.csv");
    let row = csv.lines().find(|line| line.starts_with(row)).unwrap();
    assert_says(row, ",,,0,0,\"there is no source file (");
    let table = unwrapped(&read("table.txt"));
    let totals =
        "1 of 2 submissions passed all cases · 1 of 2 points · 0.5 on average · 7 submissions are unreadable";
    assert_says(&table, totals);
    let html = read("page.html");
    assert!(
        html.contains("2 submissions · mean 0.5, median 0.5 of 1 points"),
        "the page counts what was graded"
    );
    assert_says(&html, "7 submissions are unreadable");
    // With and without a named exercise.
    let run = keur(&["grade", "--each", folder.path().join("cem").to_str().unwrap(), "--lang", "en"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert_says(&run.out, "there is no source file; found: a .docx file");
    let run = keur(&["grade", folder.path().join("fleur").to_str().unwrap(), "--exit-zero", "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.out);
}

#[cfg(unix)]
#[test]
fn a_device_among_submissions_is_not_graded() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("an.py", COUNTER)]);
    let fifo = folder.path().join("bo.py");
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let (code, json) = grade_class(library.path(), folder.path(), &[]);
    assert_eq!((code, &json["submissions"][0]["passed"]), (1, &true.into()), "{json:#}");
    assert_eq!(error(&json, "bo"), "bo.py is neither a file nor a folder");
}

#[test]
fn a_skipped_file_is_named_where_there_is_no_source() {
    let library = library(EXERCISE, CASE);
    let deep = "d/".repeat(12) + "counter.py";
    let folder = folder(&[(&format!("an/{deep}"), COUNTER), ("an/notes.txt", "")]);
    let (_, json) = grade_class(library.path(), folder.path(), &[]);
    let why = "there is no source file among the files that were read; skipped: d/d/d/d/d/d/d/d/d/d/d/d lies too deep in \
               folders, or its name is too long or taken";
    assert_eq!(error(&json, "an"), why);
}

#[test]
fn a_zip_of_the_large_kind_is_not_read() {
    use std::io::Write;
    let library = library(EXERCISE, CASE);
    let folder = folder(&[]);
    let path = folder.path().join("an.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    zip.start_file("counter.py", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(COUNTER.as_bytes()).unwrap();
    zip.finish().unwrap();
    // The record at the end refers to another one for the number of entries.
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 22;
    bytes[end + 8..end + 12].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let (_, json) = grade_class(library.path(), folder.path(), &[]);
    assert!(error(&json, "an").contains("a zip64 archive, which cannot be read"), "{json:#}");
}

#[test]
fn the_case_of_letters_does_not_matter_in_the_name_of_a_file() {
    check_file("Counter.py", COUNTER, "passed", "");
    check_file("COUNTER.PY", COUNTER, "passed", "");
    let run = |name: &str, text: &str| {
        let folder = folder(&[(name, text), ("other.py", "class Another: pass\n")]);
        keur(&["grade", folder.path().to_str().unwrap(), "--format", "json", "--exit-zero"])
    };
    let answer: Value = serde_json::from_str(&run("Codenames.py", "class Board: pass\n").out).unwrap();
    assert_eq!(answer["submissions"][0]["exercise"], "codenames");
    // If both exist, the one with the exact name counts.
    let library = library(EXERCISE, CASE);
    let files = [("counter.py", COUNTER), ("sub/Counter.py", "x = 1")];
    assert_eq!(grade_files(library.path(), &files, &[]).0, 0);
}

#[test]
fn a_single_file_is_the_program_whatever_its_name() {
    let program = fs::read_to_string("fixtures/exercises/adder/submissions/python/correct/adder.py").unwrap();
    let folder = folder(&[("my program.py", &program)]);
    let path = folder.path().join("my program.py");
    let run = keur(&["grade", path.to_str().unwrap(), "--cases", "fixtures/exercises/adder", "--lang", "en"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn a_submission_that_waits_in_every_case_is_cut_short() {
    let library = library(EXERCISE, CASE);
    for index in 0..8 {
        let case = CASE.replace("It counts", &format!("It counts, {index}"));
        fs::write(library.path().join(format!("counters/waits{index}.toml")), case).unwrap();
    }
    let slow = |value: &str| {
        format!("import time\n{}", COUNTER.replace("return self.n", &format!("time.sleep(0.2); {value}")))
    };
    let endless = COUNTER.replace("return self.n", "time.sleep(9)");
    let endless = format!("import time\n{endless}");
    let options = ["--budget", "500ms", "--wall", "200ms"];
    let (code, json) = grade_files(library.path(), &[("counter.py", &endless)], &options);
    assert_eq!(code, 1, "{json:#}");
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let verdicts: Vec<&str> = cases.iter().map(|case| case["verdict"].as_str().unwrap()).collect();
    let ran = verdicts.iter().take_while(|verdict| **verdict == "time limit").count();
    // At most three take half a second.
    assert!(
        (1..=3).contains(&ran) && verdicts[ran..].iter().all(|verdict| *verdict == "not run"),
        "{verdicts:?}"
    );
    let says = format!(
        "{} cases were not run: the cases that reached a limit used up the 0.5 s allowed for them",
        verdicts.len() - ran
    );
    assert_eq!(json["submissions"][0]["warnings"][0]["message"], says.as_str());
    // A correct one is never cut short, nor one that is wrong in time: by what it is asked it must not know
    // which it is.
    for (value, expected) in [("return self.n", "passed"), ("return 0", "wrong value")] {
        let in_time = slow(value);
        let (_, json) = grade_files(library.path(), &[("counter.py", &in_time)], &["--budget", "500ms"]);
        let cases = json["submissions"][0]["cases"].as_array().unwrap();
        assert!(cases.iter().all(|case| case["verdict"] == expected), "{json:#}");
    }
    // The exercise says so too, and a case cannot.
    let toml = library.path().join("counters/exercise.toml");
    fs::write(toml, format!("{EXERCISE}\n[limits]\nsubmission = \"500ms\"\n")).unwrap();
    let (_, json) = grade_files(library.path(), &[("counter.py", &endless)], &["--wall", "200ms"]);
    assert_eq!(json["submissions"][0]["cases"][3]["verdict"], "not run", "{json:#}");
    super::check_case(&format!("{CASE}\n[limits]\nsubmission = \"1s\"\n"), &["unknown key `submission`"]);
}

#[test]
fn a_submission_that_waits_in_every_case_that_it_passes_is_cut_short() {
    let library = library(EXERCISE, CASE);
    for index in 0..8 {
        let case = CASE.replace("It counts", &format!("It counts, {index}"));
        fs::write(library.path().join(format!("counters/waits{index}.toml")), case).unwrap();
    }
    let waits = format!("import time\ntime.sleep(0.6)\n{COUNTER}");
    let options = ["--budget", "200ms", "--cpu", "100ms", "--isolation", "case"];
    let (code, json) = grade_files(library.path(), &[("counter.py", &waits)], &options);
    assert_eq!(code, 1, "{json:#}");
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let passed = cases.iter().take_while(|case| case["verdict"] == "passed").count();
    let rest: Vec<&str> = cases[passed..].iter().map(|case| case["verdict"].as_str().unwrap()).collect();
    // Nine times 100 ms and 200 ms are over after two waits.
    assert!((1..=2).contains(&passed) && rest.iter().all(|verdict| *verdict == "not run"), "{json:#}");
    let says =
        format!("{} cases were not run: the program took too long over all cases together", rest.len());
    assert_eq!(json["submissions"][0]["warnings"][0]["message"], says.as_str());
}

#[test]
fn a_stall_between_two_cases_is_charged() {
    let library = library(EXERCISE, CASE);
    for index in 0..3 {
        let case = CASE.replace("It counts", &format!("It counts, {index}"));
        fs::write(library.path().join(format!("counters/more{index}.toml")), case).unwrap();
    }
    let stalling = "class Counter {
      constructor(start = 0) { this.n = start; }
      countUp(by = 1) { this.n += by; return this; }
      // The first of these runs before the reply, the second one before the next.
      value() { queueMicrotask(() => queueMicrotask(() => { for (;;); })); return this.n; }
    }
    ";
    let (code, json) = grade_files(library.path(), &[("counter.js", stalling)], &["--budget", "1s"]);
    assert_eq!(code, 1, "{json:#}");
    let warning = json["submissions"][0]["warnings"][0]["message"].as_str().unwrap();
    assert!(warning.contains("not run: "), "{json:#}");
}

#[test]
fn replies_that_trickle_in_do_not_hold_the_clock() {
    let library = library(EXERCISE, CASE);
    // One byte every tenth of a millisecond, of a reply that would take minutes.
    let trickling = "import os, struct, sys, time

frame = sys._getframe()
while 'channel' not in frame.f_locals:
    frame = frame.f_back
channel = frame.f_locals['channel']

class Counter:
    def __init__(self, start=0):
        os.write(3, struct.pack('<I8s', 4000000, channel.nonce))
        while True:
            os.write(3, b' ')
            until = time.perf_counter() + 0.0001
            while time.perf_counter() < until:
                pass
";
    let more = ["--wall", "1s", "--cpu", "1s"];
    let (_, json) = grade_files(library.path(), &[("counter.py", trickling)], &more);
    assert_eq!(json["submissions"][0]["cases"][0]["verdict"], "time limit", "{json:#}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_at_once() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", &format!("import time\ntime.sleep(3600)\n{COUNTER}"))]);
    let cases = library.path().to_str().unwrap();
    let mut child = keur_command(&["grade", "--wall", "3000s", "--cases", cases, "--format", "json"])
        .args(["--confine", "portable"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    // The warning of the portable tier shows that the run has begun.
    errors.read_line(&mut String::new()).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    errors.read_to_string(&mut err).unwrap();
    // A test that waits for the whole limit would have failed by then.
    assert_eq!(child.wait().unwrap().code(), Some(4), "{out}{err}");
    assert_says(&err, "interrupted: 0 of 1 submissions were graded");
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["submissions"].as_array().unwrap().len(), 0);
}

/// Grades JavaScript and Python whose `value` raises, in a case that expects an exception of this type.
#[track_caller]
fn check_raises(raises: &str, python: &str, javascript: &str, expected: [&str; 2]) {
    let case = CASE.replace("returns = 3", &format!("raises = {raises}"));
    let library = library(EXERCISE, &case);
    let python = COUNTER.replace("return self.n", python);
    let javascript = format!(
        "class Counter {{
          constructor(start = 0) {{ this.n = start; }}
          countUp(by = 1) {{ this.n += by; return this; }}
          value() {{ {javascript} }}
        }}"
    );
    for (file, text, expected) in
        [("counter.py", &python, expected[0]), ("counter.js", &javascript, expected[1])]
    {
        let (_, json) = grade_files(library.path(), &[(file, text)], &[]);
        assert_eq!(json["submissions"][0]["cases"][0]["verdict"], expected, "{raises}: {text}\n{json:#}");
    }
}

#[test]
fn a_crash_is_not_the_exception_that_was_expected() {
    let (passed, raised) = ("passed", "raised");
    let of_type = "{ type = \"ValueError\" }";
    check_raises(of_type, "raise ValueError('no')", "throw new Error('no')", [passed, passed]);
    check_raises(of_type, "raise KeyError('no')", "deposit(3)", [raised, raised]);
    check_raises(of_type, "undefined()", "null.x", [raised, raised]);
    check_raises(of_type, "raise ValueError", "throw new RangeError('no')", [passed, raised]);
    check_raises(of_type, "raise ValueError", "throw { message: 'no' }", [passed, passed]);
    let own = "throw new (class Invalid extends TypeError { get name() { return 'Invalid'; } })('no')";
    check_raises(of_type, "raise type('Invalid', (ValueError,), {})", own, [passed, passed]);
    let said = "{ type = \"ValueError\", message = \"no\" }";
    check_raises(said, "raise ValueError('no')", "throw new RangeError('no')", [passed, passed]);
    let each = "{ type = { python = \"ValueError\", javascript = \"RangeError\" } }";
    check_raises(each, "raise ValueError('no')", "throw new RangeError('no')", [passed, passed]);
    check_raises(each, "raise KeyError('no')", "throw new Error('no')", [raised, raised]);
    let one = "{ type = { python = \"ValueError\" } }";
    check_raises(one, "raise ValueError('no')", "throw new Error('no')", [passed, passed]);
    check_raises(one, "raise ValueError('no')", "deposit(3)", [passed, raised]);
    check_raises("true", "undefined()", "deposit(3)", [passed, passed]);
    // Python does not know a JavaScript type either.
    let range = "{ type = \"RangeError\" }";
    check_raises(range, "undefined()", "throw new RangeError('no')", [raised, passed]);
    check_raises(range, "raise ValueError", "throw new Error('no')", [passed, raised]);
}

#[test]
fn a_type_without_a_meaning_in_a_language_is_named_by_keur_check() {
    let exercise = "title = \"T\"\nsession = \"python\"\nreference = \"codenames\"\n[files]\npython = [\"a.py\"]\njavascript = [\"a.js\"]\n[class.Spelbord]\nnew = [\"m\", \"n\", \"s\"]\nmethods = { stoppen = [] }\n";
    let case = |raises: &str| {
        format!(
            "title = \"Over\"\n[[step]]\ndo = \"s = Spelbord(1, 2, 'RX')\"\n[[step]]\ndo = \"s.stoppen()\"\nraises = {raises}\n"
        )
    };
    let check = |raises: &str| {
        let library = library(exercise, &case(raises));
        let run = keur(&["check", library.path().to_str().unwrap()]);
        (run.code, run.err)
    };
    let (code, err) = check("{ type = \"AssertionError\" }");
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("warning: `AssertionError` has no meaning in JavaScript") && err.contains(".toml:5"),
        "{err}"
    );
    assert_eq!(
        check("{ type = { python = \"AssertionError\", javascript = \"Error\" } }"),
        (0, String::new())
    );
    let (_, err) = check("{ type = { python = \"AssertionError\" } }");
    assert_says(&err, "has no meaning in JavaScript");
    assert_eq!(check("{ type = \"AssertionError\", message = \"spel is afgelopen\" }"), (0, String::new()));
    let (code, err) = check("{ type = { pyton = \"AssertionError\" } }");
    assert_eq!(code, 3, "{err}");
    assert!(
        err.contains("takes no submissions in `pyton`") && err.contains("did you mean `python`?"),
        "{err}"
    );
}

#[test]
fn a_call_that_never_ends_costs_the_cases_that_make_it() {
    let exercise = "title = 'Parts'\nsession = 'python'\n[files]\npython = ['parts.py']\n\
        [function]\nboard = { args = ['n'] }\nnext_move = { args = ['n'] }\n";
    let library = library(exercise, "");
    let case = |name: &str, more: &str, call: &str| {
        let text = format!("title = '{name}'\n{more}[[step]]\ndo = '{call}'\nreturns = 1\n");
        fs::write(library.path().join(format!("counters/{name}.toml")), text).unwrap();
    };
    // `library` makes a case of its own.
    fs::read_dir(library.path().join("counters")).unwrap().flatten().for_each(|entry| {
        if entry.file_name() != "exercise.toml" {
            fs::remove_file(entry.path()).unwrap();
        }
    });
    case("a_move", "", "next_move(1)");
    // So many that a busy machine has time for the boards, but not if all of these go first.
    for index in 0..9 {
        case(&format!("b_move{index}"), "", "next_move(2)");
    }
    case("c_needs_a_move", "needs = ['a_move']\n", "board(1)");
    case("d_wrong", "", "board(2)");
    case("e_board", "", "board(1)");
    case("f_move", "", "next_move(3)");
    case("g_board", "", "board(1)");
    case("h_hidden", "hidden = true\n", "board(1)");
    let program = "def board(n):\n    return n\n\n\ndef next_move(n):\n    while True:\n        pass\n";
    let options = ["--budget", "2s", "--cpu", "200ms"];
    let (code, json) = grade_files(library.path(), &[("parts.py", program)], &options);
    assert_eq!(code, 1, "{json:#}");
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let is_b_move = |case: &&Value| case["name"].as_str().unwrap().starts_with("b_move");
    // The report keeps the order of the exercise, and visible cases still go before hidden ones.
    assert!(cases[1..10].iter().all(|case| is_b_move(&case)), "{json:#}");
    let others = cases.iter().filter(|case| !is_b_move(case));
    let of =
        |case: &Value| format!("{} {}", case["name"].as_str().unwrap(), case["verdict"].as_str().unwrap());
    assert_eq!(
        others.map(of).collect::<Vec<_>>(),
        [
            "a_move time limit", "c_needs_a_move not run", "d_wrong wrong value", "e_board passed",
            "f_move not run", "g_board passed", "h_hidden not run"
        ],
        "{json:#}"
    );
}

/// Cases that make a call that never ends.
const HANGING: usize = 12;

/// The verdicts of [`HANGING`] cases that make a call that never ends, and of one that goes first in a short time
/// because of this.
fn verdicts_beside(hanging: &str, program: (&str, &str), options: &[&str]) -> Vec<String> {
    let exercise = "title = 'Parts'\nsession = 'python'\n[files]\npython = ['parts.py']\njavascript = ['parts.js']\n\
        [function]\nboard = { args = ['n'] }\nfill = { args = [] }\n[class.T]\nnew = ['n']\nmethods = {}\n";
    let library = library(exercise, "");
    for entry in fs::read_dir(library.path().join("counters")).unwrap().flatten() {
        if entry.file_name() != "exercise.toml" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let case = |name: &str, step: &str| {
        let text = format!("title = '{name}'\n[[step]]\n{step}\n");
        fs::write(library.path().join(format!("counters/{name}.toml")), text).unwrap();
    };
    for index in 0..HANGING {
        case(&format!("a_part{index:02}"), hanging);
    }
    case("b_board", "do = ['t = T(1)', 'board(1)']\nreturns = 1");
    let (_, json) = grade_files(library.path(), &[program], options);
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    cases.iter().map(|case| case["verdict"].as_str().unwrap().to_owned()).collect()
}

/// A part that fills the memory costs its own cases, as one that does not end.
#[test]
fn cases_that_fill_the_memory_go_last() {
    let program = "class T { constructor(n) {} }\nfunction board(n) { return n; }\n\
        function fill() {\n  const end = Date.now() + 800;\n  while (Date.now() < end);\n\
        const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));\n}\nmodule.exports = { T, board, fill };\n";
    // Together they take longer than the budget, and one of them far less.
    let options = ["--budget", "4500ms", "--cpu", "3s", "--memory", "64MB"];
    let verdicts = verdicts_beside("do = 'fill()'\nreturns = 1", ("parts.js", program), &options);
    assert_eq!(verdicts[0], "memory limit", "{verdicts:?}");
    assert_eq!(verdicts[HANGING], "passed", "{verdicts:?}");
    assert!(verdicts[..HANGING].contains(&"not run".to_owned()), "{verdicts:?}");
}

/// A part that is not called by its name hangs as any other does.
#[test]
fn whatever_does_not_end_its_cases_go_last() {
    let program = "def board(n):\n    return n\n\n\n\
        class T:\n    def __init__(self, n):\n        self.n = n\n\n    def __len__(self):\n        while True:\n            pass\n\n    __add__ = __getitem__ = __setitem__ = lambda self, *more: len(self)\n    __iter__ = __str__ = __repr__ = __len__\n";
    let parts = [
        "do = ['t = T(1)', 'len(t)']\nreturns = 5",
        "do = ['t = T(1)', 't + 1']\nreturns = 5",
        "do = ['t = T(1)', 't[1]']\nreturns = 5",
        "do = { python = 'len(T(1))' }\nreturns = 5",
        "do = ['t = T(1)', 't[1] = 2']",
        "do = ['t = T(1)', 'a, b = t']",
        "do = ['t = T(1)', 't']\nshows = '5'",
        "do = 'T(1)'\nshows = '5'",
    ];
    // Together they take longer than the budget, and one of them far less, also on a busy machine.
    let options = ["--budget", "1400ms", "--cpu", "150ms"];
    for part in parts {
        let verdicts = verdicts_beside(part, ("parts.py", program), &options);
        assert_eq!(verdicts[HANGING], "passed", "{part}: {verdicts:?}");
        assert!(verdicts[..HANGING].contains(&"not run".to_owned()), "{part}: {verdicts:?}");
    }
}

/// A check is not asked about what a case leaves that needs a failed one.
#[test]
fn a_check_need_not_bear_what_a_failed_case_leaves() {
    let exercise = "title = 'Parts'\nsession = 'python'\n[files]\npython = ['parts.py']\n[function]\nmake = { args = [] }\n";
    let library = library(exercise, "title = 'It makes one'\n[[step]]\ndo = 'make()'\nreturns = 2\n");
    let folder = library.path().join("counters");
    let even = "title = 'It is even'\nneeds = ['counts']\n[[step]]\ndo = 'make()'\nreturns = { check = 'checks.py:even' }\n";
    fs::write(folder.join("even.toml"), even).unwrap();
    fs::write(folder.join("checks.py"), "def even(value):\n    return value % 2 == 0\n").unwrap();
    for (made, verdicts) in [("None", ["wrong value", "not run"]), ("2", ["passed", "passed"])] {
        let program = format!("def make():\n    return {made}\n");
        let (_, json) = grade_files(library.path(), &[("parts.py", &program)], &[]);
        let cases = json["submissions"][0]["cases"].as_array().unwrap_or_else(|| panic!("{json:#}"));
        assert_eq!(cases.iter().map(|case| &case["verdict"]).collect::<Vec<_>>(), verdicts, "{json:#}");
    }
}
