//! Tests `keur check` for editors: a case on standard input, JSON with places, and checking again on save;
//! and the schemas that editors read.

use crate::running::{
    assert_says, folder, keur, keur_command, keur_with_input, root, run, run_with_input, write_files,
};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const CASE: &str =
    "title = \"A board\"\n[[step]]\ndo = \"Quixo(2, 'X-O-')\"\nshows = \"\"\"\nX-\nO-\n\"\"\"\n";

/// The problems of a check in JSON, each with its place, message and severity.
fn problems(json: &Value) -> Vec<(String, [u64; 4], String)> {
    let number = |problem: &Value, key: &str| problem[key].as_u64().unwrap_or_default();
    let problems = json["problems"].as_array().unwrap().iter();
    problems
        .map(|problem| {
            let place = ["line", "column", "end_line", "end_column"].map(|key| number(problem, key));
            let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
            (text("file"), place, text("message"))
        })
        .collect()
}

#[test]
fn a_case_is_read_from_standard_input() {
    let args = ["check", "-", "--exercise", "quixo"];
    let right = keur_with_input(&args, CASE);
    assert_eq!(right.code, 0, "{}", right.all());
    assert_says(&right.out, "1 case of 1 exercise: the reference agrees with each");
    let wrong = keur_with_input(&args, CASE.replace("O-\n", "OO\n"));
    assert_eq!(wrong.code, 3, "{}", wrong.all());
    assert_says(&wrong.err, "error: the reference disagrees with step 1 (wrong text)\n --> -:4:9\n");
    assert_says(&wrong.err, "- the case      OO\n  + the reference O-\n");
    assert_says(&wrong.err, "1 error in 1 file");
    let unnamed = keur_with_input(&["check", "-"], CASE);
    assert_eq!(unnamed.code, 2, "{}", unnamed.all());
    assert_says(&unnamed.err, "--exercise codenames");
    // An exercise of one's own is named by its folder.
    let own = root().join("cases/quixo").display().to_string();
    assert_eq!(keur_with_input(&["check", "-", "--exercise", &own], CASE).code, 0);
}

#[test]
fn json_has_the_place_of_each_problem() {
    let args = ["check", "-", "--exercise", "quixo", "--format", "json"];
    let of = |case: &str| keur_with_input(&args, case).json();
    let right = of(CASE);
    assert_eq!((&right["cases"], &right["problems"]), (&1.into(), &Value::Array(Vec::new())));
    let unknown = of(&format!("pionts = 1\n{CASE}"));
    assert_eq!(problems(&unknown), [("-".to_owned(), [1, 1, 1, 7], "unknown key `pionts`".to_owned())]);
    assert_says(unknown["problems"][0]["help"].as_str().unwrap(), "points");
    assert_eq!(unknown["problems"][0]["severity"], "error");
    // What the reference contradicts, from its first character to behind its last.
    let wrong = of(&CASE.replace("O-\n", "OO\n"));
    let message = "the reference disagrees with step 1 (wrong text)".to_owned();
    assert_eq!(problems(&wrong), [("-".to_owned(), [4, 9, 7, 4], message)]);
    assert_says(wrong["problems"][0]["help"].as_str().unwrap(), "the reference O-");
    let warned = of("title = \"A board\"\n[[step]]\ndo = \"Quixo(2, 'X-O-')\"\n");
    assert_eq!(warned["problems"][0]["severity"], "warning", "{warned:#}");
    let gone = keur(&["check", "fixtures/nowhere.toml", "--format", "json"]);
    assert_eq!((gone.code, &gone.json()["problems"][0]["file"]), (2, &Value::Null));
}

#[test]
fn a_disagreement_with_an_own_reference_has_its_place_too() {
    let exercise = "title = \"Counters\"\nsession = \"python\"\nreference = { python = \"solution.py\" }\n\
                    files = { python = [\"counter.py\"] }\n[function.count]\nargs = []\n";
    let course = folder(&[
        ("counters/exercise.toml", exercise),
        ("counters/counts.toml", "title = \"It counts\"\n[[step]]\ndo = \"count()\"\nreturns = 2\n"),
        ("counters/solution.py", "def count():\n    return 1\n"),
    ]);
    let checked = keur(&["check", course.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(checked.code, 3, "{}", checked.all());
    let found = problems(&checked.json());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].1, [4, 11, 4, 12]);
    assert!(found[0].0.ends_with("counts.toml") && found[0].2.contains("disagrees with step 1"), "{found:?}");
}

/// A check that watches, and its output line by line.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(path: &Path) -> Watcher {
        let mut command = keur_command(&["check", "--watch", path.to_str().unwrap()]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
            });
        }
        Watcher { child, lines }
    }

    /// Reads up to the line that contains this text, and returns all that was read.
    #[track_caller]
    fn until(&self, part: &str) -> Vec<String> {
        let mut read = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(30)) {
                Ok(line) => read.push(line),
                Err(error) => panic!("{part:?} did not come ({error}) after {read:#?}"),
            }
            if read.last().is_some_and(|line| line.contains(part)) {
                return read;
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watched_case_is_checked_again_when_it_is_saved() {
    let course = folder(&[("quixo/board.toml", CASE)]);
    let case = course.path().join("quixo/board.toml");
    let watcher = Watcher::start(course.path());
    watcher.until("watching; Ctrl-C ends");
    // An editor saves by renaming a new file.
    let saved = |text: &str| {
        let new = course.path().join("quixo/board.toml~");
        fs::write(&new, text).unwrap();
        fs::rename(new, &case).unwrap();
    };
    saved(&CASE.replace("O-\n", "OO\n"));
    let wrong = watcher.until("1 problem");
    assert!(wrong.iter().any(|line| line.contains("disagrees with step 1")), "{wrong:#?}");
    fs::remove_file(&case).unwrap();
    let gone = watcher.until("1 problem");
    assert!(gone.iter().any(|line| line.starts_with("fixed: ")), "{gone:#?}");
    saved(CASE);
    let right = watcher.until("no problem in 1 case");
    assert!(right.iter().any(|line| line.contains("board.toml")), "{right:#?}");
    drop(watcher);
    let nothing = keur(&["check", "--watch"]);
    assert!(nothing.code == 2 && nothing.err.contains("keur check --watch DIR"), "{}", nothing.all());
}

/// Checks that the first line of a file names a schema that is there, and that it is this one.
#[track_caller]
fn check_schema_line(file: &Path, schema: &str) {
    let text = fs::read_to_string(file).unwrap();
    let named = text.lines().next().unwrap().strip_prefix("#:schema ").unwrap_or_else(|| panic!("{text}"));
    let path = file.parent().unwrap().join(named);
    assert!(path.ends_with(schema), "{named}");
    assert_eq!(fs::read(&path).unwrap(), fs::read(root().join("schema").join(schema)).unwrap());
}

#[test]
fn what_keur_writes_names_a_schema_that_is_there() {
    let course = folder(&[("session.txt", ">>> print(Quixo(2, 'X-O-'))\nX-\nO-\n")]);
    let at = |name: &str| course.path().join(name);
    let made = keur(&["new", "exercise", at("week1/average").to_str().unwrap()]);
    assert_eq!(made.code, 0, "{}", made.all());
    check_schema_line(&at("week1/average/exercise.toml"), "exercise.schema.json");
    check_schema_line(&at("week1/average/no_numbers.toml"), "case.schema.json");
    let case = ["new", "case", at("week1/average").to_str().unwrap(), "--title", "One"].map(str::to_owned);
    let case = keur(&case.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(case.code, 0, "{}", case.all());
    check_schema_line(&at("week1/average/one.toml"), "case.schema.json");
    // In the folder of the case, whose path is a bare name.
    fs::create_dir_all(at("other/quixo")).unwrap();
    let mut import = keur_command(&["import", "../../session.txt", "-o", "first.toml"]);
    let imported = run(import.current_dir(at("other/quixo")));
    assert_eq!(imported.code, 0, "{}", imported.all());
    check_schema_line(&at("other/quixo/first.toml"), "case.schema.json");
    // Schemas that are near are left as they are, and named.
    fs::remove_dir_all(at("other/quixo/schema")).unwrap();
    write_files(course.path(), &[("other/schema/case.schema.json", "{}")]);
    let again =
        keur(&["new", "case", "quixo", "--title", "Two", "-o", at("other/quixo/two.toml").to_str().unwrap()]);
    assert_eq!(again.code, 0, "{}", again.all());
    assert_eq!(fs::read_to_string(at("other/schema/case.schema.json")).unwrap(), "{}");
    let second = fs::read_to_string(at("other/quixo/two.toml")).unwrap();
    assert!(second.starts_with("#:schema ../schema/case.schema.json\n"), "{second}");
    assert!(!at("other/quixo/schema").exists());
}

#[test]
fn the_schemas_are_written_where_one_asks() {
    let place = folder(&[]);
    let written = keur(&["schema", place.path().join("schema").to_str().unwrap()]);
    assert_eq!(written.code, 0, "{}", written.all());
    for entry in root().join("schema").read_dir().unwrap() {
        let entry = entry.unwrap();
        let copy = place.path().join("schema").join(entry.file_name());
        assert!(fs::read(entry.path()).unwrap() == fs::read(&copy).unwrap(), "{}", copy.display());
    }
    let packaged = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert_says(&packaged, "include = [\"/src\", \"/schema\"");
    write_files(place.path(), &[("file", "")]);
    let refused = keur(&["schema", place.path().join("file").to_str().unwrap()]);
    assert_eq!(refused.code, 4, "{}", refused.all());
}

#[test]
fn usual_mistakes_of_authors_have_one_error_with_what_to_write() {
    let plain = "title = \"T\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"t.py\"]\n";
    let exercise = format!("{plain}[function]\nf = [\"x\"]\n");
    let case = |step: &str| format!("title = \"A\"\n[[step]]\n{step}\n");
    let right = case("do = \"f(1)\"\nreturns = 1");
    let checked = |exercise: &str, case: &str| {
        let folder = folder(&[("t/exercise.toml", exercise), ("t/a.toml", case)]);
        let run = run(keur_command(&["check", "t"]).current_dir(folder.path()));
        (run.code, run.all())
    };
    // The parameters alone are a function, as they are a method.
    let (code, text) = checked(&exercise, &right);
    assert_eq!(code, 0, "{text}");
    let misspelt = exercise.replace("[function]", "Typescript = [\"t.ts\"]\n[function]");
    let classes = format!("{exercise}[class.S]\nnew = []\nattributes = [\"name\"]\n");
    for (exercise, case, says) in [
        (&misspelt, &right, "did you mean `typescript`?"),
        (&exercise, &case("do = \"f(1)\"\nreturns = None"), "equals = \"None\""),
        (&exercise, &case("do = \"f(1)\"\nreturns = True"), "write true"),
        (
            &exercise,
            &case("do = \"f(1)\"\nreturns = { name = 'a', age = 3 }"),
            "a dictionary is written equals = \"{'a': 1}\"",
        ),
        (&exercise, &case("do = '''\nx = 1\nf(x)\n'''"), "do = [\"x = 1\", \"f(x)\"]"),
        (&exercise, &right.replace("[[step]]", "[step]"), "write [[step]]"),
        (&exercise, &case("do = “f(1)”\nreturns = 1"), "write straight quotes"),
        (&exercise, &case("do = \"f(1)\"\nraises type = \"ValueError\""), "did you mean `raises`?"),
        (&exercise, &case("do = \"f(1)\"\nreturns = (1, 2)"), "write it as a text: equals = \"(1, 2)\""),
        (&exercise, &case("do = \"f(1)\"\nreturns = {\"a\": 1}"), "equals = \"{'a': 1}\""),
        (&exercise, &case("do = \"f(1)\"\nreturns = nil"), "equals = \"None\""),
        (&exercise, &case("do = \"import math\"\nreturns = 1"), "code of a programming language goes in"),
        (&exercise, &case("do = \"console.log(f(1))\"\nprints = '1'"), "expect its output with `prints`"),
        (&exercise, &case("do = \"t.f(1)\"\nreturns = 1"), "used without their module"),
        (&exercise, &case("do = \"f(1).append(2)\"\nreturns = 1"), "code of a programming language goes in"),
        (&classes, &case("do = \"S().name()\"\nreturns = 1"), "it is an attribute: write `.name`"),
        (&classes, &case("do = \"new S()\""), "call the class by its name: `S(…)`"),
        (&exercise.replace("t.py", "t.js"), &right, "`t.js` is a file of `javascript`, not of `python`"),
        (&exercise.replace("python = [", "py = ["), &right, "`t.py` is a file of `python`, not of `py`"),
    ] {
        let (code, text) = checked(exercise, case);
        assert!(code == 3 && text.contains(says) && text.contains("1 error in 1 file"), "{says}: {text}");
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_an_error_with_its_place() {
    let folder = folder(&[(
        "t/exercise.toml",
        "title = \"T\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"t.py\"]\n[function]\nf = [\"x\"]\n",
    )]);
    let case = folder.path().join("t/a.toml");
    fs::write(&case, b"title = \"A\"\nhint = \"Caf\xe9\"\n[[step]]\ndo = \"f(1)\"\nreturns = 1\n").unwrap();
    for args in [["check", "t"], ["check", "t/a.toml"], ["fill", "t/a.toml"]] {
        let run = run(keur_command(&args).current_dir(folder.path()).env_remove("CI"));
        let text = run.all();
        assert_eq!(run.code, 3, "{args:?}: {text}");
        assert!(
            text.contains("t/a.toml:2:12") && text.contains("save the file as UTF-8"),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn standard_input_and_the_folder_of_a_case_are_said() {
    for (args, says) in [
        (["check", "-", "quixo", "--exercise", "quixo"].as_slice(), "keur check - --exercise codenames"),
        (&["fill", "-"], "fills in files, not standard input"),
    ] {
        let run = run_with_input(keur_command(args).env_remove("CI"), CASE);
        assert_eq!(run.code, 2, "{}", run.all());
        assert_says(&run.err, says);
    }
    // In a folder of the exercise's name, the case is not one folder deeper.
    let folder = folder(&[("quixo/x.toml", CASE)]);
    let here = folder.path().join("quixo");
    let run = run(keur_command(&["new", "case", "quixo", "--title", "A board"]).current_dir(&here));
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(here.join("a_board.toml").is_file() && !here.join("quixo").exists(), "{}", run.all());
}

#[test]
fn a_tag_that_is_nearly_a_ruling_is_warned_of_and_what_is_not_there_is_not_watched() {
    let exercise = "title = \"T\"\nsession = \"python\"\nlang = \"en\"\nfiles = { python = [\"t.py\"] }\n[function]\nf = [\"x\"]\n";
    let case = "title = \"A\"\ntags = [\"rulling\", \"spel\"]\n[[step]]\ndo = \"f(1)\"\nreturns = 1\n";
    let folder = folder(&[("t/exercise.toml", exercise), ("t/a.toml", case)]);
    let checked = run(keur_command(&["check", "t"]).current_dir(folder.path())).all();
    assert!(checked.contains("did you mean `ruling`?") && !checked.contains("`spel`"), "{checked}");
    let watched = run(keur_command(&["check", "--watch", "u"]).current_dir(folder.path()));
    assert!(
        watched.code == 2 && watched.err.contains("there is no such file or folder"),
        "{}",
        watched.all()
    );
}
