//! `keur new`: what it makes is accepted by `keur check`, and what it cannot make is said.

use crate::required::{self, needs};
use crate::running::{Run, assert_says, keur, keur_command, root, run, unwrapped};
use std::fs;
use std::path::Path;

/// Starts an exercise called `name` in `place`.
fn new(place: &Path, name: &str, more: &[&str]) -> Run {
    let path = place.join(name);
    let mut args = vec!["new", "exercise", path.to_str().unwrap()];
    args.extend(more);
    keur(&args)
}

/// Starts an exercise of this kind in this language, and holds it against `keur check`, which takes `options` too,
/// and its samples against their names.
#[track_caller]
fn check(kind: &str, language: &str, options: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let made = new(place.path(), "mean_value", &["--kind", kind, "--language", language]);
    assert_eq!((made.code, made.err.as_str()), (0, ""), "{kind} {language}: {}", made.out);
    let folder = place.path().join("mean_value");
    let checked = keur(&[&["check", folder.to_str().unwrap()], options].concat());
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{kind} {language}: {}", checked.out);
    // The samples, of which `keur check` counts both.
    assert_says(&checked.out, "2 samples: 1 right and 1 wrong, as each should be");
    assert_says(&made.out, &format!("keur check {}\n", folder.display()));
    let (_, grade) = made.out.split_once("keur grade ").unwrap();
    let grade: Vec<&str> = grade.split_whitespace().collect();
    let wrong = keur(&[&["grade"], grade.as_slice(), options].concat());
    assert_eq!(wrong.code, 1, "{kind} {language}: {}{}", wrong.out, wrong.err);
}

#[test]
fn a_new_exercise_of_each_kind_is_accepted_and_its_samples_are_what_they_say() {
    for kind in ["functions", "class", "program"] {
        for language in ["python", "javascript"] {
            check(kind, language, &[]);
        }
    }
}

#[test]
fn a_new_exercise_in_java_is_accepted() {
    needs!(Java);
    for kind in ["functions", "class", "program"] {
        check(kind, "java", &[]);
    }
}

#[test]
fn a_new_exercise_in_cpp_or_c_is_accepted() {
    needs!(Cpp);
    for kind in ["functions", "class", "program"] {
        check(kind, "cpp", &[]);
    }
    for kind in ["functions", "program"] {
        check(kind, "c", &[]);
    }
}

#[test]
fn a_new_exercise_in_typescript_is_accepted() {
    needs!(External);
    let node = required::external().join("node_modules/node/bin/node");
    for kind in ["functions", "class"] {
        check(kind, "typescript", &["--node", node.to_str().unwrap()]);
    }
}

#[test]
fn functions_in_python_are_the_default() {
    let place = tempfile::tempdir().unwrap();
    new(place.path(), "a/mean", &[]);
    new(place.path(), "b/mean", &["--kind", "functions", "--language", "python"]);
    let text = |path: &str| fs::read_to_string(place.path().join(path)).unwrap();
    assert_eq!(text("a/mean/exercise.toml"), text("b/mean/exercise.toml"));
    assert_says(&text("a/mean/solution/mean.py"), "def average(numbers):");
}

#[test]
fn a_kind_that_a_language_lacks_is_refused_with_what_there_is() {
    let place = tempfile::tempdir().unwrap();
    for (kind, language, said) in [
        (
            "program",
            "typescript",
            "keur runs no programs in typescript; choose --kind functions or class, or --language python or javascript \
             or java or cpp or c",
        ),
        (
            "class",
            "c",
            "there is no new exercise of this kind in c; choose --kind functions or program, or --language python or \
             javascript or typescript or java or cpp",
        ),
    ] {
        let made = new(place.path(), "adder", &["--kind", kind, "--language", language]);
        assert_eq!((made.code, made.err), (2, format!("error: {said}\n")));
        assert!(!place.path().join("adder").exists());
    }
}

#[test]
fn each_language_has_a_complete_exercise() {
    for (kind, language, solution, defines) in [
        ("functions", "python", "mean_value.py", "def average(numbers):"),
        ("functions", "javascript", "mean_value.js", "function average(numbers) {"),
        ("functions", "typescript", "mean_value.ts", "function average(numbers: number[]): number {"),
        ("functions", "java", "MeanValue.java", "public class MeanValue {"),
        ("functions", "cpp", "mean_value.cpp", "double average(const std::vector<double> &numbers) {"),
        ("functions", "c", "mean_value.c", "double average(const int *numbers, size_t n) {"),
        ("class", "python", "mean_value.py", "class Account:"),
        ("class", "javascript", "mean_value.js", "class Account {"),
        ("class", "typescript", "mean_value.ts", "constructor(owner: string) {"),
        ("class", "java", "Account.java", "public class Account {"),
        ("class", "cpp", "mean_value.cpp", "Account(std::string owner)"),
        ("program", "python", "mean_value.py", "int(input(\"First number: \"))"),
        ("program", "javascript", "mean_value.js", "Number(line)"),
        ("program", "java", "MeanValue.java", "int first = in.nextInt();"),
        ("program", "cpp", "mean_value.cpp", "std::cin >> first;"),
        ("program", "c", "mean_value.c", "scanf(\"%d\", &first);"),
    ] {
        let place = tempfile::tempdir().unwrap();
        new(place.path(), "mean_value", &["--kind", kind, "--language", language]);
        let folder = place.path().join("mean_value");
        let about = fs::read_to_string(folder.join("exercise.toml")).unwrap();
        assert_says(&about, &format!("reference = {{ {language} = \"solution/{solution}\" }}"));
        assert_says(&about, "title = \"Mean value\"");
        let solution = fs::read_to_string(folder.join("solution").join(solution)).unwrap();
        assert_says(&solution, defines);
        for entry in walkdir::WalkDir::new(&folder) {
            let path = entry.unwrap().into_path();
            let text = if path.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
            let is_missing = ["@title@", "@session@", "@language@", "@file@", "@class@"]
                .iter()
                .any(|key| text.contains(key));
            assert!(!is_missing, "{}: a value is missing in\n{text}", path.display());
        }
        let listed = keur(&["list", "--cases", folder.to_str().unwrap()]);
        assert_eq!(listed.code, 0, "{kind} {language}: {}", listed.err);
    }
}

#[test]
fn a_folder_that_exists_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("taken")).unwrap();
    let made = new(place.path(), "taken", &[]);
    assert_eq!(made.code, 2);
    assert_says(&made.err, "taken exists already; choose another name");
    assert_eq!(fs::read_dir(place.path().join("taken")).unwrap().count(), 0);
}

#[test]
fn a_name_that_languages_do_not_accept_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for name in ["Bank", "2much", "my-bank", "my bank", "bank.toml", "..", "é", "_bank", &"a".repeat(61)] {
        let made = new(place.path(), name, &[]);
        assert_eq!(made.code, 2, "{name}: {}", made.out);
        assert!(
            made.err.contains("is not a name for an exercise; use at most 60 lower-case"),
            "{}",
            made.err
        );
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    let deep = new(place.path(), "exercises/week_1/bank", &[]);
    assert_eq!(deep.code, 0, "{}", deep.err);
}

/// Starts a case of an exercise, in `place`.
fn new_case(place: &Path, args: &[&str]) -> Run {
    run(keur_command(&["new", "case"]).args(args).current_dir(place))
}

#[test]
fn a_new_case_names_what_is_still_to_be_written() {
    let place = tempfile::tempdir().unwrap();
    let made = new_case(place.path(), &["codenames", "--title", "Rood stopt één keer"]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let path = place.path().join("codenames/rood_stopt_een_keer.toml");
    let text = fs::read_to_string(&path).unwrap();
    let begins = "#:schema ./schema/case.schema.json\ntitle = { nl = \"Rood stopt één keer\" }\npoints = 1\n";
    assert!(text.starts_with(begins), "{text}");
    assert_says(&text, "do = \"spelbord = Spelbord(m, n, sleutel)\"\n");
    assert_says(&text, "keur fill codenames/rood_stopt_een_keer.toml");
    let path = path.to_str().unwrap();
    let checked = keur(&["check", path]);
    let said = unwrapped(&checked.err);
    assert_eq!(checked.code, 3, "{said}");
    assert_says(&said, "write a value instead of `m`");
    // With the values written it is a case, of which keur says that it expects nothing yet.
    let filled = text.replace("m, n, sleutel", "1, 4, 'RRBX'").replace("r, k", "0, 0");
    fs::write(path, &filled).unwrap();
    let checked = keur(&["check", path]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert_says(&checked.err, "no step of this case expects anything");
    let again = new_case(place.path(), &["codenames", "--title", "Rood stopt één keer"]);
    assert!(again.code == 2 && again.err.contains("exists already"), "{}", again.err);
    assert_eq!(fs::read_to_string(path).unwrap(), filled);
}

#[test]
fn a_new_case_begins_as_its_exercise_does() {
    for (exercise, has) in [
        ("alquerque", "title = \"A b\"\npoints = 1\n\n# Add steps. "),
        ("alquerque", "do = \"board = make_board()\"\n"),
        ("fixtures/exercises/numerals", "do = \"from_roman(text)\"\n"),
        ("fixtures/exercises/adder", "run = \"adder.py\"\nargs = []\n"),
    ] {
        let made = new_case(root(), &[exercise, "--title", "A b", "-o", "-"]);
        assert!(made.code == 0 && made.out.contains(has), "{exercise}: {}{}", made.out, made.err);
    }
    for (args, said) in [
        (["codename", "--title", "A", "-o", "-"], "did you mean `codenames`?"),
        (["fixtures/exercises", "--title", "A", "-o", "-"], "name the folder of one"),
        (["quixo", "--title", "A", "-o", "target/a.toml"], "in a folder with this name, as in quixo/a.toml"),
        (["fixtures/exercises/bank", "--title", "A", "-o", "target/a.toml"], "in the folder of its exercise"),
        (["quixo", "--title", "A", "-o", "quixo/a.txt"], "ends in .toml"),
        (["quixo", "--title", " ", "-o", "-"], "a title is one line"),
    ] {
        let made = new_case(root(), &args);
        assert!(made.code == 2 && made.err.contains(said), "{args:?}: {}", made.err);
    }
}
