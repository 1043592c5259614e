//! `keur new`: what it makes is accepted by `keur check`, and what it cannot make is said.

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

#[test]
fn a_new_exercise_is_accepted_and_its_samples_are_what_they_say() {
    for (language, ending) in [("python", "py"), ("javascript", "js")] {
        let place = tempfile::tempdir().unwrap();
        let made = new(place.path(), "mean_value", &["--language", language]);
        assert_eq!((made.code, made.err.as_str()), (0, ""), "{}", made.out);
        let folder = place.path().join("mean_value");
        let cases = folder.to_str().unwrap();
        let checked = keur(&["check", cases]);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{language}: {}", checked.out);
        for (kind, sample, code) in [("right", "with_a_loop", 0), ("wrong", "rounds_down", 1)] {
            let path = folder.join(format!("samples/{kind}/{sample}.{ending}"));
            let graded = keur(&["grade", path.to_str().unwrap(), "--cases", cases]);
            assert_eq!(graded.code, code, "{language}: {}{}", graded.out, graded.err);
        }
    }
}

#[test]
fn each_language_has_a_complete_exercise() {
    for (language, solution, defines) in [
        ("python", "mean_value.py", "def average(numbers):"),
        ("javascript", "mean_value.js", "function average(numbers) {"),
        ("typescript", "mean_value.ts", "function average(numbers: number[]): number {"),
        ("java", "MeanValue.java", "public class MeanValue {"),
    ] {
        let place = tempfile::tempdir().unwrap();
        new(place.path(), "mean_value", &["--language", language]);
        let folder = place.path().join("mean_value");
        let about = fs::read_to_string(folder.join("exercise.toml")).unwrap();
        assert_says(&about, &format!("reference = {{ {language} = \"solution/{solution}\" }}"));
        assert_says(&about, "title = \"Mean value\"");
        let solution = fs::read_to_string(folder.join("solution").join(solution)).unwrap();
        assert_says(&solution, defines);
        for entry in walkdir::WalkDir::new(&folder) {
            let path = entry.unwrap().into_path();
            let text = if path.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
            assert!(!text.contains('@'), "{}: a value is missing in\n{text}", path.display());
        }
        let listed = keur(&["list", "--cases", folder.to_str().unwrap()]);
        assert_eq!(listed.code, 0, "{language}: {}", listed.err);
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
