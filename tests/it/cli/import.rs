//! `keur import` of sessions: what becomes of them, and what is said of what cannot be read.

use crate::running::{assert_says, keur, keur_with_input, unwrapped};
use keur_core::case::{Case, Library};
use std::fs;
use std::path::Path;

/// Each line of a case, with what is expected of it.
fn flat(case: &Case) -> Vec<String> {
    let steps = case.plan.steps.iter().zip(&case.expect);
    steps
        .flat_map(|(step, expect)| {
            let last = step.lines().len() - 1;
            step.lines().iter().enumerate().map(move |(at, line)| {
                if at < last {
                    return format!("{line:?}");
                }
                let value = expect.value.as_ref().map(|returns| &returns.matcher);
                let (shows, prints, raises) = (&expect.shows, &expect.prints, &expect.raises);
                let rest = [value.map(|matcher| format!("{matcher:?}"))]
                    .into_iter()
                    .chain([shows, prints].map(|text| text.as_ref().map(|text| format!("{text:?}"))))
                    .chain([raises.as_ref().map(|raises| format!("{raises:?}")), expect.same.clone()])
                    .flatten();
                std::iter::once(format!("{line:?}")).chain(rest).collect::<Vec<_>>().join(" ")
            })
        })
        .collect()
}

#[test]
fn the_sessions_of_the_assignments_become_their_cases() {
    let place = tempfile::tempdir().unwrap();
    for name in ["codenames", "pipopipette", "quixo", "yinyang"] {
        let target = place.path().join(name).join("the_sample.toml");
        let path = target.to_str().unwrap();
        let made = keur(&["import", &format!("fixtures/sessions/{name}.txt"), "-o", path]);
        assert_eq!((made.code, made.err.as_str()), (0, ""), "{name}: {}", made.out);
        let loaded = Library::load_file(&target).unwrap();
        let built_in = Library::BuiltIn.load(name).unwrap();
        let spec = built_in.cases.iter().find(|case| case.name == "spec_session").unwrap();
        assert_eq!(flat(&loaded.cases[0]), flat(spec), "{name}");
        assert_eq!(loaded.cases[0].title.texts(), ["The sample"]);
        let checked = keur(&["check", path]);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{name}: {}", checked.out);
    }
}

#[test]
fn a_session_on_standard_input_becomes_a_case_on_standard_output() {
    for args in [&["import"] as &[&str], &["import", "-"]] {
        let made = keur_with_input(args, ">>> s = Spelbord(1, 4, 'BBRX')\n>>> s.beurt()\n'B'\n");
        let case = "title = \"A session\"\n\n[[step]]\ndo = \"s = Spelbord(1, 4, 'BBRX')\"\n\n\
                    [[step]]\ndo = \"s.beurt()\"\nreturns = \"B\"\n";
        assert_eq!((made.code, made.out.as_str(), made.err.as_str()), (0, case, ""));
    }
    let utf_16: Vec<u8> = "\u{feff}>>> Spelbord(1, 4, 'BBRX').beurt()\r\n'B'"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("from_windows.txt");
    fs::write(&file, utf_16).unwrap();
    let made = keur(&["import", file.to_str().unwrap(), "--title", "Blue \"begins\""]);
    assert!(made.out.starts_with("title = 'Blue \"begins\"'\n"), "{}{}", made.out, made.err);
}

#[test]
fn a_file_is_replaced_only_if_asked() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("codenames");
    fs::create_dir(&folder).unwrap();
    let target = folder.join("blue.toml");
    let path = target.to_str().unwrap();
    let session = ">>> Spelbord(1, 4, 'BBRX').beurt()\n'B'\n";
    fs::write(&target, "kept").unwrap();
    let refused = keur_with_input(&["import", "-o", path], session);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("exists already") && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&target).unwrap(), "kept");
    let made = keur_with_input(&["import", "-o", path, "--force"], session);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_says(&made.out, &format!("{path}: 1 step of codenames\n"));
    // Another case gets another title.
    let again = folder.join("Blue.toml");
    let made = keur_with_input(&["import", "-o", again.to_str().unwrap()], session);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(fs::read_to_string(again).unwrap().contains("\ntitle = \"Blue (2)\"\n"));
    let checked = keur(&["check", folder.to_str().unwrap()]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""));
    for wrong in ["exercise.toml", "case.txt"] {
        let wrong = keur_with_input(&["import", "-o", folder.join(wrong).to_str().unwrap()], session);
        assert_eq!(wrong.code, 2, "{}", wrong.err);
    }
}

#[test]
fn unreadable_parts_are_underlined_and_the_rest_is_written() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("codenames/x.toml");
    let path = target.to_str().unwrap();
    let session = "Words.\n>>> s = Spelbord(1, 4, 'BBRX')\n>>> [s.beurt() for _ in range(2)]\n['B', 'B']\n>>> s.beurt()\n'B'\n";
    let made = keur_with_input(&["import", "-o", path], session);
    assert_eq!(made.code, 1, "{}", made.err);
    for part in [
        "error: `for` is not part of the language of cases",
        " --> standard input:3:1",
        "3 | >>> [s.beurt() for _ in range(2)]\n  | ^^^^",
        "1 part of standard input is not in the case",
    ] {
        assert!(made.err.contains(part), "{part:?} is not in\n{}", made.err);
    }
    let text = fs::read_to_string(&target).unwrap();
    assert_says(&text, "\n# Not imported (line 3): [s.beurt() for _ in range(2)]\n[[step]]\n");
    assert_eq!(keur(&["check", path]).code, 0);
}

#[test]
fn nothing_is_written_of_a_text_without_a_session() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("codenames/x.toml");
    for (text, problem) in [
        ("Only words.\n", "the text has no session"),
        (">>> for i in x:\n...     i\n", "`for` is not part"),
        ("", "the text has no session"),
    ] {
        let refused = keur_with_input(&["import", "-o", target.to_str().unwrap()], text);
        assert_eq!((refused.code, refused.out.as_str()), (3, ""), "{}", refused.err);
        assert!(
            refused.err.contains(problem) && refused.err.ends_with("nothing is written\n"),
            "{}",
            refused.err
        );
        assert!(!target.exists());
    }
    // Which exercise it would be of does not matter.
    let refused = keur_with_input(&["import"], "Only words.\n");
    assert_eq!(refused.code, 3, "{}", refused.err);
    let missing = keur(&["import", "no_such_file.txt"]);
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert_says(&missing.err, "no_such_file.txt");
}

#[test]
fn a_step_that_the_reference_answers_differently_is_named() {
    let session = ">>> s = Spelbord(1, 4, 'BBRX')\n>>> s.beurt()\n'R'\n>>> print(s)\n? ? ? B\n>>> s.isafgelopen()\nFalse\n";
    let made = keur_with_input(&["import", "--exercise", "codenames"], session);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_says(&made.out, "do = \"s.beurt()\"\nreturns = \"R\"\n");
    assert_eq!(
        made.err,
        "warning: standard input:2: step 2 expects 'R', but the reference answers 'B'; `keur check` will report it\n\
         warning: standard input:4: step 3 expects ? ? ? B, but the reference answers ? ? ? ?; `keur check` will report it\n"
    );
}

#[test]
fn the_reference_of_a_course_is_asked_too() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("mean_value");
    assert_eq!(keur(&["new", "exercise", folder.to_str().unwrap()]).code, 0);
    let target = folder.join("two_numbers.toml");
    let session = ">>> average([1, 2])\n1.5\n>>> average([2, 2])\n3\n";
    let made = keur_with_input(&["import", "-o", target.to_str().unwrap()], session);
    assert_eq!(
        (made.code, made.out.as_str()),
        (0, format!("{}: 2 steps of mean_value\n", target.display()).as_str())
    );
    assert!(
        made.err.starts_with("warning: standard input:3: step 2 expects 3, but the reference answers 2"),
        "{}",
        made.err
    );
    assert_eq!(made.err.lines().count(), 1, "{}", made.err);
}

#[test]
fn a_line_becomes_code_if_asked_and_the_reference_runs_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("mean_value");
    assert_eq!(keur(&["new", "exercise", folder.to_str().unwrap()]).code, 0);
    let session = ">>> import math\n>>> x = [average([i]) for i in range(3)]\n>>> average(x)\n1.0\n\
                   >>> for i in [2, 4]:\n...     average([i])\n...\n2.0\n4.0\n>>> [i for i in x][0]\n0.0\n>>> math.floor(average([1, 2]))\n1\n\
                   >>> def twice(n):\n...     return 2 * average(n)\n...\n>>> twice([3])\n6.0\n\
                   >>> average(1, 2)\nTraceback (most recent call last):\nTypeError\n";
    let target = folder.join("loops.toml");
    let made = keur_with_input(&["import", "--native", "-o", target.to_str().unwrap()], session);
    assert_eq!((made.code, made.err.as_str()), (0, ""), "{}", made.out);
    let checked = keur(&["check", folder.to_str().unwrap()]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{}", fs::read_to_string(&target).unwrap());
    let text = fs::read_to_string(&target).unwrap();
    assert!(!text.contains("binds = [\"i\"]"), "the variable of a loop is not kept\n{text}");
    // Without the option the line is named, with what the option does.
    let target = folder.join("again.toml");
    let made = keur_with_input(&["import", "-o", target.to_str().unwrap()], session);
    assert_eq!(made.code, 3, "{}", made.err);
    assert_says(&unwrapped(&made.err), "`--native` makes it code of Python, `do = { python = \"…\" }`");
    let refused = keur_with_input(&["import", "--native"], ">>> Spelbord(1, 4, 'BBRX')\n");
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert_says(
        &unwrapped(&refused.err),
        "the reference of codenames is built in and cannot run code of Python",
    );
}

#[test]
fn the_exercise_is_found_or_asked_for() {
    let session = ">>> s = Counter(2)\n>>> s.value()\n2\n";
    let unclear = keur_with_input(&["import"], session);
    assert_eq!(unclear.code, 2, "{}", unclear.err);
    assert!(unclear.err.contains("--exercise") && unclear.err.contains("codenames"), "{}", unclear.err);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("counters");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("exercise.toml"), super::EXERCISE).unwrap();
    let made = keur_with_input(&["import", "--cases", place.path().to_str().unwrap()], session);
    assert_eq!(made.code, 0, "{}", made.err);
    let target = folder.join("own_count.toml");
    let javascript = "> c = new Counter(2)\n> c.countUp(2) === c\ntrue\n> c.count()\nUncaught Error: no\n";
    let made = keur_with_input(&["import", "-o", target.to_str().unwrap()], javascript);
    assert_eq!(made.code, 1, "{}", made.err);
    assert_says(&made.err, "did you mean `count_up`?");
    let text = fs::read_to_string(&target).unwrap();
    assert_says(&text, "do = \"c.count_up(2)\"\nsame = \"c\"\n");
    // A folder is not mistaken for the exercises in it.
    let made = keur_with_input(&["import", "-o", place.path().join("x.toml").to_str().unwrap()], session);
    assert_eq!(made.code, 2, "{}", made.err);
    assert!(Path::new(&folder).exists());
}

#[test]
fn runs_in_a_shell_become_a_case_of_a_program() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("sums");
    assert_eq!(keur(&["new", "exercise", folder.to_str().unwrap(), "--kind", "program"]).code, 0);
    let session = place.path().join("runs.txt");
    fs::write(
        &session,
        "$ python3 sums.py < two.txt\nFirst number: Second number: Sum: 7\n$ python3 sums.py\nFirst number: 1\n\
         Second number: -3\nSum: -2\n",
    )
    .unwrap();
    fs::write(place.path().join("two.txt"), "3\n4\n").unwrap();
    let session = session.to_str().unwrap();
    let target = folder.join("runs.toml");
    let target = target.to_str().unwrap();
    let made = keur(&["import", session, "--typed-after", "number: ", "-o", target]);
    assert_eq!(made.code, 0, "{}", made.err);
    let text = fs::read_to_string(target).unwrap();
    assert_says(
        &text,
        "run = \"sums.py\"\nstdin = \"3\\n4\\n\"\nprints = \"First number: Second number: Sum: 7\"\n",
    );
    let checked = keur(&["check", target]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{text}");
    assert_says(&text, "[[step.turn]]\nexpect = \"^First number: $\"\nsend = \"1\"\n");
    // The exercise is the one whose program is run. Without the option, what is typed seems to be printed.
    let cases = folder.to_str().unwrap();
    let made = keur(&["import", session, "--cases", cases]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_says(&unwrapped(&made.err), "help: if something is typed in the session, say after what text");
    let missing =
        keur_with_input(&["import", "--cases", cases], "$ python3 sums.py < two_of_them.txt\nSum: 3\n");
    assert_eq!((missing.code, missing.out.as_str()), (3, ""), "{}", missing.err);
    assert_says(&missing.err, "`two_of_them.txt` cannot be read");
}
