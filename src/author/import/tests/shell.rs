//! Runs of programs in a shell, and the steps that become of them.

use super::super::{CaseLabels, SessionCase, ShellSettings, exercises_run, has_runs, import_runs};
use keur_core::case::{Exercise, FileErrors, parse_exercise};

fn exercise() -> Exercise {
    let text = "title = 'Sum'\nsession = 'python'\n[programs]\npython = ['adder.py']\njavascript = ['adder.js']\njava = ['Adder.java']\ncpp = ['sum.cpp']\n";
    parse_exercise("adder", "exercise.toml", text).unwrap()
}

fn import(session: &str, typed_after: &[&str]) -> Result<SessionCase, FileErrors> {
    let labels = CaseLabels { title: "T", name: "t", path: "t.toml" };
    let typed_after: Vec<String> = typed_after.iter().map(|text| (*text).to_owned()).collect();
    let file = |path: &str| (path == "two.txt").then(|| "1\n2\n".to_owned());
    let settings = ShellSettings { typed_after: &typed_after, file: &file };
    import_runs(&exercise(), &labels, "session.txt", session, &settings)
}

#[track_caller]
fn check_typed(session: &str, typed_after: &[&str], expected: &str) {
    assert!(has_runs(session), "{session}");
    let imported = import(session, typed_after).unwrap_or_else(|errors| panic!("{errors}\n{session}"));
    assert_eq!(imported.problems.map(|problems| problems.to_string()), None, "{session}");
    let text = imported.text.strip_prefix("title = \"T\"\n").unwrap().replace("[[step]]\n", "");
    assert_eq!(text.replace("\n\n", "\n").trim(), expected, "{session}");
}

#[track_caller]
fn check(session: &str, expected: &str) {
    check_typed(session, &[], expected);
}

#[test]
fn a_run_has_its_arguments_and_what_it_prints() {
    let expected = "run = \"adder.py\"\nargs = [\"3\", \"4 5\"]\nprints = \"Sum: 7\"";
    for session in [
        "$ python3 adder.py 3 '4 5'\nSum: 7\n",
        "Words.\n\n    $ python adder.py 3 \"4 5\"\n    Sum: 7\n\nWords.",
        "ann@host:~/course$ python3.12 -u src/adder.py 3 4\\ 5\nSum: 7\nann@host:~/course$",
        "(venv) $ ./adder.py 3 '4 5'\nSum: 7\n$ ls\nadder.py",
        "```console\n% python3 adder.py 3 '4 5'\nSum: 7\n```\nWords.",
        "C:\\ann> py adder.py 3 \"4 5\"\r\nSum: 7\r\nC:\\ann>\r\n",
        "PS C:\\ann> python adder.py 3 '4 5'\nSum: 7",
    ] {
        check(session, expected);
    }
    check("$ node adder.js", "run = \"adder.js\"\nprints = \"\"");
    for session in ["$ javac Adder.java\n$ java Adder 3\nSum: 3", "$ java -ea src/Adder.java 3\nSum: 3"] {
        check(session, "run = \"Adder.java\"\nargs = [\"3\"]\nprints = \"Sum: 3\"");
    }
    for session in ["$ g++ -o sum sum.cpp\n$ ./sum 3\nSum: 3", "ann@host:~$ ./sum 3\nSum: 3"] {
        check(session, "run = \"sum.cpp\"\nargs = [\"3\"]\nprints = \"Sum: 3\"");
    }
    check(
        "$ python3 adder.py\na\n\nb\n\n$ python3 adder.py\n  c",
        "run = \"adder.py\"\nprints = \"\"\"\na\nb\n\"\"\"\nrun = \"adder.py\"\nprints = \"  c\"",
    );
}

#[test]
fn a_command_says_where_its_input_comes_from() {
    let expected = "run = \"adder.py\"\nstdin = \"1\\n2\\n\"\nprints = \"Sum: 3\"";
    for session in [
        "$ python3 adder.py < two.txt\nSum: 3",
        "$ python3 adder.py <two.txt\nSum: 3",
        "$ cat two.txt | python3 adder.py\nSum: 3",
        "$ printf '1\\n2\\n' | python3 adder.py\nSum: 3",
        "$ cat own.txt\n1\n2\n$ python3 adder.py < own.txt\nSum: 3",
        "$ python3 adder.py < own.txt\nSum: 3\n$ cat own.txt\n1\n2\n",
    ] {
        check(session, expected);
    }
    check("$ echo 5 | python3 adder.py\nSum: 5", "run = \"adder.py\"\nstdin = \"5\\n\"\nprints = \"Sum: 5\"");
}

#[test]
fn typed_input_follows_a_text_that_is_named() {
    check_typed(
        "$ python3 adder.py\nAdd (all)\nNumber? 3\nNumber? \nSum: 3",
        &["Number? "],
        "run = \"adder.py\"\n[[step.turn]]\nexpect = '^Add \\(all\\)\\nNumber\\? $'\nsend = \"3\"\n\
         [[step.turn]]\nexpect = '^Number\\? $'\nsend = \"\"\n[[step.turn]]\nexpect = '^Sum: 3\\n?$'",
    );
    check("$ python3 adder.py\nNumber? 3", "run = \"adder.py\"\nprints = \"Number? 3\"");
    // A run that is given its input is no dialogue.
    let expected = "run = \"adder.py\"\nstdin = \"3\\n\"\nprints = \"Number? Sum: 3\"";
    check_typed("$ echo 3 | python3 adder.py\nNumber? Sum: 3", &["Number? "], expected);
}

#[test]
fn a_traceback_and_a_status_say_how_a_run_ends() {
    check(
        "$ python3 adder.py x\nAdding\nTraceback (most recent call last):\n  File \"adder.py\", line 1\nValueError: x",
        "run = \"adder.py\"\nargs = [\"x\"]\nprints = \"Adding\"\nerrors = { contains = \"ValueError: x\" }\nexit = 1",
    );
    check(
        "$ python3 adder.py x\n$ echo $?\n2",
        "run = \"adder.py\"\nargs = [\"x\"]\nprints = \"\"\nexit = 2",
    );
}

#[test]
fn what_a_case_cannot_do_is_marked() {
    for (command, problem) in [
        ("python3 adder.py > out.txt", "`>` of a shell is not part of a case"),
        ("python3 adder.py < none.txt", "`none.txt` cannot be read"),
        ("seq 3 | python3 adder.py", "what is written to the program is not read"),
        ("python3 adder.py 3 4 | grep Sum", "what reads the output of a program is not part of a case"),
        ("python3 other.py", "the exercise has no program `other.py`"),
    ] {
        let imported = import(&format!("$ {command}\n$ python3 adder.py\n"), &[]).unwrap();
        let problems = imported.problems.unwrap().to_string();
        assert!(problems.contains(&format!("1:1: {problem}")), "{problems}");
        assert!(
            imported.text.contains(&format!("\n# Not imported (line 1): {command}\n")),
            "{}",
            imported.text
        );
        assert!(import(&format!("$ {command}"), &[]).is_err());
    }
}

#[test]
fn other_texts_are_no_runs() {
    for text in
        ["$ ls", "It costs $ 5.", "$ python3\n>>> f()", "$ python3 adder.py\n>>> f()\n", "python3 adder.py"]
    {
        assert!(!has_runs(text), "{text}");
    }
    assert_eq!(exercises_run("$ python3 adder.py", &[super::exercise(), exercise()]), [1]);
}
