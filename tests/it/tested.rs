//! Suites of TESTed: what becomes of them, how the result is graded, and what is exported again.
//!
//! A folder of `fixtures/tested` is an exercise of TESTed with submissions; `exercise` in it is what `keur
//! import` makes of it, and `verdicts.toml` has the test cases that TESTed judges to be wrong. `KEUR_BLESS=1
//! cargo test --test it tested::` rewrites `exercise`; read the change before you commit it. With `CI` set it
//! is refused.

use crate::grading;
use crate::required::{self, Need};
use crate::running::{assert_says, blesses, folder, keur, root, write_files};
use keur_core::adapter::Launcher;
use keur_core::case::{Action, Library, Loaded, PlanStep, StepNo};
use keur_core::compare::Verdict;
use keur_core::event::CaseReport;
use keur_core::grade::Worker;
use keur_core::languages::{Interpreters, find};
use keur_sandbox::Tier;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the exercises of TESTed.
fn suites() -> PathBuf {
    root().join("fixtures/tested")
}

/// The exercises of TESTed, and the suite of each.
fn exercises() -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(suites())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|folder| {
            let suite = ["suite.yaml", "suite.json"].map(|name| folder.join("evaluation").join(name));
            let suite = suite.into_iter().find(|suite| suite.is_file()).unwrap();
            (folder.file_name().unwrap().to_str().unwrap().to_owned(), suite)
        })
        .collect();
    found.sort();
    found
}

/// Imports a suite without a problem.
#[track_caller]
fn import(suite: &Path, folder: &Path) {
    let run = keur(&["import", "--tested", suite.to_str().unwrap(), "-o", folder.to_str().unwrap()]);
    let errors = run.err;
    assert_eq!((run.code, errors.as_str()), (0, ""), "{}", suite.display());
}

/// The text of all files in a folder, by path, but for the schemas and the lines that name them.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().iter();
            let name: Vec<_> = name.map(|part| part.to_str().unwrap()).collect();
            let text = fs::read_to_string(entry.path()).unwrap();
            let text = match text.split_once('\n') {
                Some((first, rest)) if first.starts_with("#:schema ") => rest.to_owned(),
                _ => text,
            };
            (name.join("/"), text)
        })
        .filter(|(name, _)| !name.starts_with("schema/"))
        .collect()
}

#[test]
fn suites_become_exercises_that_a_person_could_have_written() {
    for (name, suite) in exercises() {
        let folder = tempfile::tempdir().unwrap();
        import(&suite, folder.path());
        let (found, kept) = (texts(folder.path()), suites().join(&name).join("exercise"));
        if blesses() {
            let _ = fs::remove_dir_all(&kept);
            found.iter().for_each(|(path, text)| write_files(&kept, &[(path, text)]));
        }
        assert_eq!(found, texts(&kept), "{name}: KEUR_BLESS=1 rewrites what is expected");
    }
}

#[test]
fn imported_exercises_judge_each_test_case_as_tested_does() {
    let mut problems = Vec::new();
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    for (name, _) in exercises() {
        let folder = suites().join(&name);
        let loaded = Library::Folder(folder.join("exercise")).load("exercise").unwrap();
        let verdicts: toml::Table =
            fs::read_to_string(folder.join("verdicts.toml")).unwrap().parse().unwrap();
        let mut named = 0;
        for (language, fixtures) in &verdicts {
            for (fixture, wrong) in fixtures.as_table().unwrap() {
                named += 1;
                let path = folder.join("submissions").join(language);
                let need = match language.as_str() {
                    "java" => Some(Need::Java),
                    "cpp" | "c" => Some(Need::Cpp),
                    _ => None,
                };
                if need.is_some_and(|need| !required::has(need)) {
                    continue;
                }
                let ending = find(language).unwrap().extensions[0];
                // A file that is loaded and run as a program has its own name.
                let folder = path.join(fixture);
                let path = if folder.is_dir() { folder } else { path.join(format!("{fixture}.{ending}")) };
                let wrong: BTreeMap<String, Vec<usize>> = wrong.clone().try_into().unwrap();
                let found = grade(&loaded, &path, &mut worker);
                if found != wrong {
                    problems.push(format!("{}: {found:?}, but TESTed: {wrong:?}", path.display()));
                }
            }
        }
        assert_eq!(
            named,
            texts(&folder.join("submissions")).len(),
            "{name}: each submission has its verdicts"
        );
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// The test cases that are wrong, by case. Those that hold earn their points.
fn grade(loaded: &Loaded, path: &Path, worker: &mut Worker) -> BTreeMap<String, Vec<usize>> {
    let report = grading::grade(loaded, path, worker, &Interpreters::default()).unwrap();
    let steps_of = |case: &CaseReport| {
        let known = loaded.cases.iter().find(|known| known.name == case.name);
        &known.unwrap().plan.steps
    };
    let wrong = |case: &CaseReport| {
        // A submission that cannot be loaded fails every test case.
        if case.finding.as_ref().is_some_and(|finding| finding.step.is_none()) {
            return (1..=steps_of(case).len()).collect();
        }
        let first = case.finding.iter().filter_map(|finding| finding.step);
        let later = case.consequences.iter().filter(|later| later.verdict != Verdict::Passed);
        first.chain(later.map(|later| later.step)).map(StepNo::get).collect::<Vec<_>>()
    };
    for case in &report.cases {
        let steps = steps_of(case);
        // A step that only binds a constant is a part of the test case after it.
        let expects = |step: &&PlanStep| !matches!(&step.action, Action::Calls(calls) if !calls.awaited);
        let expecting = |steps: &[PlanStep]| steps.iter().filter(expects).count();
        let lost: BTreeSet<usize> = wrong(case).iter().map(|step| expecting(&steps[..step - 1])).collect();
        let right = format!("{}", expecting(steps) - lost.len());
        assert_eq!(case.points.to_string(), right, "{}: {}", path.display(), case.name);
    }
    let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed);
    failed.map(|case| (case.name.clone(), wrong(case))).collect()
}

#[test]
fn an_exported_exercise_is_imported_as_it_was() {
    for (name, _) in exercises() {
        let folder = tempfile::tempdir().unwrap();
        let exercise = suites().join(&name).join("exercise");
        let (exported, again) = (folder.path().join(&name), folder.path().join("again"));
        let run = keur(&["export", "--tested", exercise.to_str().unwrap(), "-o", exported.to_str().unwrap()]);
        let errors = run.err;
        assert_eq!((run.code, errors.as_str()), (0, ""), "{name}");
        import(&exported.join("evaluation/suite.yaml"), &again);
        // A comment above a step is not exported.
        let plain = |files: BTreeMap<String, String>| -> BTreeMap<String, String> {
            let lines = |text: &str| {
                text.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join("\n")
            };
            files
                .into_iter()
                .map(|(path, text)| {
                    let text = if path.ends_with(".toml") { lines(&text) } else { text };
                    (path, text)
                })
                .collect()
        };
        assert_eq!(plain(texts(&again)), plain(texts(&exercise)), "{name}");
    }
}

/// The parts of a suite that are not imported: place and message a line.
#[track_caller]
fn check(suite: &str, code: i32, expected: &[&str]) {
    let folder = folder(&[("suite.yaml", suite)]);
    let path = folder.path().join("suite.yaml");
    let target = folder.path().join("exercise");
    let run = keur(&["import", "--tested", path.to_str().unwrap(), "-o", target.to_str().unwrap()]);
    let errors = run.err;
    let mut found: Vec<String> = Vec::new();
    for line in errors.lines() {
        if let Some(message) = line.strip_prefix("error: ") {
            found.push(message.to_owned());
        } else if let (Some(place), Some(last)) = (line.trim().strip_prefix("--> "), found.last_mut()) {
            let place = place.rsplit("suite.yaml:").next().unwrap();
            *last = format!("{place}: {last}");
        }
    }
    assert_eq!(found, expected, "{errors}");
    assert_eq!(run.code, code, "{errors}");
    // The rest is imported.
    assert_eq!(target.join("exercise.toml").is_file(), code == 1);
}

#[test]
fn parts_that_keur_lacks_are_named_with_their_places() {
    let rest = "  - expression: f(1)\n    return: 2\n";
    let suite = |testcase: &str| format!("- tab: A\n  testcases:\n{rest}{testcase}");
    for (testcase, expected) in [
        ("  - expression: f(1 + 2)\n    return: 3\n", "5:21: TESTed has no operator `+`"),
        ("  - expression: f(1)\n    retrun: 2\n", "6:5: unknown key `retrun`"),
        (
            "  - expression: f(1)\n    return: 1\n    stderr: x\n",
            "7:13: keur sees what a program writes to standard error, but not a call",
        ),
        (
            "  - statement: f(1)\n    exit_code: 3\n",
            "6:16: keur has an exit code for a program, but not for a call",
        ),
        (
            "  - arguments: [x]\n    expression: f(1)\n",
            "5:16: `arguments` are for a program, not for a line beside them",
        ),
        (
            "  - expression: f(1)\n    return: !oracle\n      oracle: specific_check\n      functions:\n        javascript: { file: a.js }\n",
            "9:9: keur runs checks in Python; this check has no function in it",
        ),
        (
            "  - expression:\n      haskell: f 1\n    return: 1\n",
            "6:7: keur does not grade submissions in `haskell`",
        ),
        ("  - expression:\n      cpp: f(1)\n    return: 1\n", "6:7: a case cannot have code in `cpp`"),
        ("  - expression: f(1)\n    return: !fixed_precision 1.5\n", "6:13: keur has no decimal numbers"),
        ("  - expression: f(1)\n    return: !wrong 1.5\n", "6:13: unknown tag `!wrong`"),
        (
            "  - expression: f(1)\n    return: !oracle\n      value: 1\n      oracle: custom_check\n      file: a.py\n",
            "9:13: `a.py` is not a text file beside the suite",
        ),
        (
            "  - expression: f(1)\n    return: 1\n    files: [{name: ../a, url: b}]\n",
            "7:20: `../a` is not in the working folder",
        ),
        (
            "  - expression: y.go()\n",
            "5:17: the class that has `go` is unknown; annotate the name: `x: Class = …`",
        ),
        (
            "  - expression: f(1)\n    return: 1\n    stdin: {path: ../x, content: a}\n",
            "7:19: `../x` is not in the working folder",
        ),
    ] {
        let found = suite(testcase);
        let more: &[&str] = if testcase.contains("y.go") {
            &[
                "5:17: keur cannot say this: `y` is used before it is bound; bind it in an earlier step: `y = …`",
            ]
        } else {
            &[]
        };
        let expected: Vec<&str> = [expected].into_iter().chain(more.iter().copied()).collect();
        check(&found, 1, &expected);
    }
}

#[test]
fn parts_for_other_languages_than_those_of_the_exercise_are_named() {
    let suite = |more: &str| format!("- tab: A\n  testcases:\n  - expression: f(1)\n    {more}\n");
    let check = "return: !oracle {oracle: custom_check, file: a.py, value: 1, languages: [python]}";
    let functions = "functions: {python: {file: a.py}, javascript: {file: a.js}}";
    let specific = format!("return: !oracle {{oracle: specific_check, {functions}}}");
    for (more, language, errors) in [
        (check, "python", ""),
        (check, "javascript", "the check is for submissions in python only; this exercise has javascript"),
        (&specific, "python", ""),
        (
            &specific,
            "javascript",
            "keur runs checks of a language in python only; this exercise has javascript",
        ),
        (&specific, "", "keur runs checks in Python, so the exercise takes no submissions in javascript"),
        ("stdin: a", "python", ""),
        (
            "stdin: a",
            "javascript",
            "a call reads standard input in python, cpp only; this exercise has javascript",
        ),
    ] {
        let config = match language {
            "" => "{}".to_owned(),
            language => format!("{{\"programming_language\": \"{language}\"}}"),
        };
        let folder = folder(&[
            ("evaluation/suite.yaml", &suite(more)),
            ("evaluation/a.py", "def evaluate(value):\n    return True\n"),
            ("config.json", &config),
        ]);
        let (from, to) = (folder.path().join("evaluation/suite.yaml"), folder.path().join("imported"));
        let run = keur(&["import", "--tested", from.to_str().unwrap(), "-o", to.to_str().unwrap()]);
        assert_eq!(run.code, i32::from(!errors.is_empty()), "{more}: {}", run.err);
        assert_says(&run.err, errors);
        // What is refused is not in the case.
        let kept = errors.is_empty() || language.is_empty() || more == check;
        let case = fs::read_to_string(to.join("a_1.toml")).unwrap();
        assert_eq!(case.contains("check =") || case.contains("stdin ="), kept, "{more}: {case}");
    }
}

#[test]
fn a_suite_that_asks_too_much_of_c_or_cpp_is_imported_for_other_languages() {
    let testcases = |code: &str| format!("- tab: A\n  testcases:\n  - stdout: hi\n  - {code}\n");
    let call = "expression: f(1)\n    return: 1";
    let constant = "expression: f(MAX)\n    return: 1";
    let native = "expression: {python: f(1 + 1), cpp: f(1 + 1)}\n    return: 1";
    for (code, language, error, takes) in [
        (
            call,
            "c",
            "functions without a signature are called in python, javascript, typescript, java, cpp only; this exercise has c",
            "c",
        ),
        (call, "cpp", "", "cpp"),
        (call, "", "", "python javascript java cpp"),
        (
            constant,
            "cpp",
            "a case names constants of a submission in python, javascript, typescript, java only; this exercise has cpp",
            "cpp",
        ),
        (constant, "", "", "python javascript java"),
        (
            native,
            "cpp",
            "a case can have code in python, javascript, typescript, java only; this exercise has cpp",
            "cpp",
        ),
        (native, "", "", "python"),
        ("stdout: there", "", "", "python javascript java cpp c"),
    ] {
        let config = match language {
            "" => "{}".to_owned(),
            language => format!("{{\"programming_language\": \"{language}\"}}"),
        };
        let folder = folder(&[("evaluation/suite.yaml", testcases(code).as_str()), ("config.json", &config)]);
        let (from, to) = (folder.path().join("evaluation/suite.yaml"), folder.path().join("imported"));
        let run = keur(&["import", "--tested", from.to_str().unwrap(), "-o", to.to_str().unwrap()]);
        assert_eq!(run.code, i32::from(!error.is_empty()), "{code}: {}", run.err);
        assert_says(&run.err, error);
        let exercise: toml::Table = fs::read_to_string(to.join("exercise.toml")).unwrap().parse().unwrap();
        let programs = exercise["programs"].as_table().unwrap();
        let taken: BTreeSet<&str> = programs.keys().map(String::as_str).collect();
        assert_eq!(taken, takes.split(' ').collect(), "{code}");
        // The test case that cannot be said is no case.
        assert_eq!(to.join("a_2.toml").is_file(), error.is_empty(), "{code}");
    }
}

#[test]
fn code_around_the_test_cases_of_a_context_is_imported_without_points() {
    let testcase = r#"{"input": {"type": "function", "name": "total", "arguments": ["data"]}, "output": {"result": {"value": {"type": "integer", "data": 6}}}}"#;
    let context = format!(
        r#"{{"before": {{"python": {{"data": "data = [1, 2]\ndata.append(3)"}}}}, "after": {{"python": {{"data": "data.clear()"}}}}, "testcases": [{testcase}]}}"#
    );
    let suite = format!(r#"{{"tabs": [{{"name": "A", "contexts": [{context}]}}]}}"#);
    let folder = folder(&[("evaluation/suite.json", &suite)]);
    let (from, to) = (folder.path().join("evaluation/suite.json"), folder.path().join("imported"));
    import(&from, &to);
    let case = fs::read_to_string(to.join("a_1.toml")).unwrap();
    assert_says(
        &case,
        "binds = [\"data\"]\n\n[step.do]\npython = \"\"\"\ndata = [1, 2]\ndata.append(3)\"\"\"\n",
    );
    assert!(!case.contains("points"), "{case}");
    let exercise = fs::read_to_string(to.join("exercise.toml")).unwrap();
    assert!(!exercise.contains("javascript"), "{exercise}");
    for (code, verdict) in [("sum(numbers)", Verdict::Passed), ("len(numbers)", Verdict::WrongValue)] {
        write_files(folder.path(), &[("s.py", &format!("def total(numbers):\n    return {code}\n"))]);
        let loaded = Library::Folder(to.clone()).load("imported").unwrap();
        let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
        let report =
            grading::grade(&loaded, &folder.path().join("s.py"), &mut worker, &Interpreters::default());
        assert_eq!(report.unwrap().cases[0].verdict, verdict, "{code}");
    }
}

#[test]
fn code_in_the_working_folder_is_named_as_a_file_to_read() {
    let suite = "- tab: A\n  testcases:\n  - expression: f(1)\n    return: 1\n";
    let files = [("evaluation/suite.yaml", suite), ("workdir/helper.py", "x = 1\n"), ("config.json", "{}")];
    let folder = folder(&files);
    let (from, to) = (folder.path().join("evaluation/suite.yaml"), folder.path().join("imported"));
    let run = keur(&["import", "--tested", from.to_str().unwrap(), "-o", to.to_str().unwrap()]);
    assert_says(&run.err, "a submission cannot import `helper.py`: for keur it is a file to read");
    assert_eq!(run.code, 1);
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_exercise_is_imported() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("deeper")).unwrap();
    for name in ["secret.txt", "deeper/secret.txt"] {
        fs::write(outside.path().join(name), "SECRET").unwrap();
    }
    let suite = |file: &str| {
        format!(
            "- tab: T\n  testcases:\n  - expression: f()\n    return: 1\n    files:\n    - name: given.txt\n      url: {file}\n"
        )
    };
    let imported = |file: &str, link: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("exercise");
        fs::create_dir_all(root.join("evaluation")).unwrap();
        link(&root);
        fs::write(root.join("evaluation/suite.yaml"), suite(file)).unwrap();
        let (from, to) = (root.join("evaluation/suite.yaml"), folder.path().join("imported"));
        let run = keur(&["import", "--tested", from.to_str().unwrap(), "-o", to.to_str().unwrap()]);
        let all = texts(&to);
        assert!(!all.is_empty(), "{}", run.err);
        all.values().any(|text| text.contains("SECRET"))
    };
    let plain = |root: &Path| {
        fs::create_dir(root.join("workdir")).unwrap();
        fs::write(root.join("workdir/given.txt"), "SECRET").unwrap();
    };
    assert!(imported("workdir/given.txt", &plain));
    let linked = |root: &Path| symlink(outside.path(), root.join("workdir")).unwrap();
    assert!(!imported("workdir/secret.txt", &linked));
    let below = |root: &Path| {
        fs::create_dir(root.join("workdir")).unwrap();
        symlink(outside.path(), root.join("workdir/below")).unwrap();
        symlink(outside.path().join("secret.txt"), root.join("workdir/secret.txt")).unwrap();
    };
    for file in ["workdir/below/secret.txt", "workdir/below/deeper/secret.txt", "workdir/secret.txt"] {
        assert!(!imported(file, &below), "{file}");
    }
    let beside = |root: &Path| fs::write(root.parent().unwrap().join("secret.txt"), "SECRET").unwrap();
    for file in ["../secret.txt", "evaluation/../../secret.txt"] {
        assert!(!imported(file, &beside), "{file}");
    }
}

#[test]
fn a_file_that_is_no_suite_is_an_error() {
    for (suite, expected) in [
        ("- tab: [", "1:9: not YAML: while parsing a node, did not find expected node content"),
        ("", "the suite is empty"),
        ("- 5\n", "1:3: a tab has a name: `tab` or `unit`"),
        ("a: &a [*a]\n", "1:8: an alias inside the node that it repeats"),
    ] {
        let folder = folder(&[("suite.yaml", suite)]);
        let path = folder.path().join("suite.yaml");
        let run = keur(&["import", "--tested", path.to_str().unwrap(), "-o", "unused"]);
        let errors = run.err;
        let (place, message) = expected.split_once(": ").unwrap_or(("1:1", expected));
        assert_says(&errors, message);
        assert!(errors.contains(&format!("suite.yaml:{place}")) || !expected.contains(": "), "{errors}");
        assert_eq!(run.code, 3);
    }
    assert_eq!(keur(&["import", "--tested", "missing.yaml"]).code, 2);
}

#[test]
fn parts_that_tested_lacks_are_named_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let exercise = "title = \"E\"\nsession = \"python\"\n\n[files]\npython = [\"e.py\"]\n\n[function]\nf = { args = [\"a\"] }\n";
    fs::write(folder.path().join("exercise.toml"), exercise).unwrap();
    let case = "title = \"C\"\ntags = [\"spec\"]\n\n[[step]]\ndo = \"x = f(1)\"\n\n[[step]]\ndo = \"f(x)\"\nshows = \"a\"\n\n\
        [[step]]\ndo = \"f(2)\"\nreturns = { type = \"bool\" }\n\n[[step]]\ndo = \"f(3)\"\nraises = true\n\n[[step]]\ndo = \"f(inf)\"\n\n[[step]]\ndo = \"x not in [1]\"\n\n[[step]]\ndo = \"x[inf] = 2\"\n";
    fs::write(folder.path().join("case.toml"), case).unwrap();
    let target = folder.path().join("out");
    let run = keur(&["export", "--tested", folder.path().to_str().unwrap(), "-o", target.to_str().unwrap()]);
    let errors = run.err;
    for (place, message) in [
        ("2:1", "TESTed has no `tags` of a case"),
        ("9:1", "TESTed has no text of an object"),
        ("13:11", "TESTed has no matcher `type`; write a check"),
        ("17:10", "TESTed has no exception without a message or a type"),
        ("20:6", "TESTed has no literal `inf`"),
        ("23:6", "TESTed cannot say this line: TESTed has no operator `not`"),
        ("26:6", "TESTed has no literal `inf`"),
    ] {
        assert!(errors.contains(&format!("error: {message}\n")), "{message}: {errors}");
        assert!(errors.contains(&format!("case.toml:{place}\n")), "{place}: {errors}");
    }
    assert_eq!((run.code, errors.matches("error: ").count()), (1, 7), "{errors}");
    let suite = fs::read_to_string(target.join("evaluation/suite.yaml")).unwrap();
    assert_says(&suite, "- statement: \"x = f(1)\"");
}

#[test]
fn a_constant_is_bound_in_the_languages_of_the_exercise_alone() {
    let suite =
        "- tab: F\n  contexts:\n  - testcases:\n    - expression: \"greet(MAX)\"\n      return: \"Hello\"\n";
    let tested = folder(&[
        ("echo/config.json", "{\"programming_language\": \"python\"}"),
        ("echo/evaluation/suite.yaml", suite),
    ]);
    let out = tested.path().join("out");
    let suite = tested.path().join("echo/evaluation/suite.yaml");
    let run = keur(&["import", "--tested", suite.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    let cases = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = cases.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap());
    assert!(texts.any(|text| text.contains("do = { python = \"max = MAX\" }")));
}
