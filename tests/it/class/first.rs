//! The first `init` of a class, and names that are hard to tell apart.

use super::{Class, RIGHT};
use crate::running::assert_says;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Everything in a folder, with the text of its files.
fn all_in(folder: &Path) -> BTreeSet<(PathBuf, Option<Vec<u8>>)> {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    entries.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).ok())).collect()
}

#[test]
fn an_init_that_fails_leaves_what_was_there() {
    let class = Class::small();
    let home = class.home.path();
    let case = home.join("cases/counters/starts.toml");
    let right = fs::read_to_string(&case).unwrap();
    fs::create_dir(home.join("other")).unwrap();
    fs::write(home.join("other/class.toml"), "title = \"Mine\"\n").unwrap();
    let before = all_in(home);
    for name in ["new", "other"] {
        let init = ["init", name, "--each", "download", "--cases", "cases", "--title", "Week"];
        let failed = |more: &[&str], code: i32| {
            let output = class.keur(&[&init[..], more].concat());
            assert_eq!(output.code, code, "{output:?}");
        };
        failed(&["--exercise", "none"], 2);
        failed(&["--roster", "none.csv"], 2);
        failed(&["--python", "/nowhere"], 4);
        assert!(all_in(home) == before);
        fs::write(&case, right.replace("returns", "return")).unwrap();
        failed(&[], 3);
        fs::write(&case, &right).unwrap();
        assert!(all_in(home) == before);
    }
    // Without what failed, it succeeds.
    for name in ["new", "other"] {
        let output = class.keur(&["init", name, "--each", "download", "--cases", "cases"]);
        assert!(output.code == 0, "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_name_with_a_line_break_is_the_same_again() {
    let class = Class::of(&[("Jan\nPeeters", RIGHT.to_owned())]);
    let output = class.keur(&["init", "class", "--each", "download"]);
    assert!(output.code == 0, "{output:?}");
    assert!(output.out.contains("1 submission known already"), "{output:?}");
}

#[test]
fn namesakes_on_a_roster_stay_two() {
    let class = Class::small();
    let init = |roster: &str, code: i32| {
        fs::write(class.home.path().join("roster.csv"), roster).unwrap();
        let output = class.keur(&["init", "class", "--roster", "roster.csv"]);
        assert_eq!(output.code, code, "{output:?}");
        output.all()
    };
    for _ in 0..2 {
        let said = init("name,email\nJan,j1@example.org\nJan,j2@example.org\nAn,\n", 0);
        assert_says(&said, "class: 6 students");
    }
    let said = init("name\nJan\nJan\n", 3);
    assert_says(&said, "roster.csv:3: Jan has the name of another row, and nothing tells the two apart");
}
