//! Files that an instructor edits in the class.

use super::chosen::{hand_in, said};
use super::{Class, RIGHT};
use crate::running::assert_says;
use keur::class::{Access, ClassFolder, Store};
use serde_json::Value;
use std::fs;

#[test]
fn an_edited_file_is_graded_again() {
    let class = Class::small();
    class.run(&[], 0);
    fs::write(class.path("submissions/Bo#1/counter.py"), RIGHT.replace("+= by", "-= by")).unwrap();
    let changed = "the files of Bo in class were changed since they were taken in";
    // Other machines have what was taken in.
    for shard in ["1/2", "2/2"] {
        let output = class.keur(&["run", "class", "--shard", shard]);
        let is_there = output.err.contains(changed);
        assert_eq!(output.code, i32::from(is_there));
    }
    let said = class.run(&[], 0);
    assert_says(&said, &format!("{changed}: what is there now is graded"));
    assert_says(&said, "graded 2 cases of 1 submission");
    let points = |name: &str| {
        let report: Value = serde_json::from_str(&class.report()).unwrap();
        let all = report["submissions"].as_array().unwrap();
        all.iter().find(|entry| entry["name"] == name).unwrap()["points"].clone()
    };
    assert_eq!((points("An"), points("Bo")), (5.into(), 2.into()));
    assert_eq!(class.run(&[], 0), "4 submissions: all graded");
}

#[test]
fn an_edit_stays_when_the_same_download_is_given_again() {
    let class = Class::small();
    class.run(&[], 0);
    let (bo, fixed) = (class.path("submissions/Bo#1/counter.py"), RIGHT.replace("+= by", "-= by"));
    fs::write(&bo, &fixed).unwrap();
    let given_again = || {
        let output = class.keur(&["init", "class", "--each", "download"]);
        let said = output.all();
        assert!(output.code == 0 && said.contains("  4 submissions known already\nnext:"), "{said}");
        assert_eq!(fs::read_to_string(&bo).unwrap(), fixed);
    };
    // Before and after a run has seen it.
    given_again();
    assert!(class.run(&[], 0).contains("the files of Bo in class were changed"));
    given_again();
    assert_eq!(class.run(&[], 0), "4 submissions: all graded");
    // What Bo hands in since is new, and what was handed in before it is the edited one.
    let download = class.home.path().join("download/Bo_1001_assignsubmission_file_/counter.py");
    for (text, is_new) in [(RIGHT.replace("self", "this"), true), (RIGHT.to_owned(), false)] {
        fs::write(&download, text).unwrap();
        assert_eq!(class.keur(&["init", "class", "--each", "download"]).code, 0);
        assert_eq!(class.run(&[], 0).contains("graded 2 cases of 1 submission"), is_new);
    }
    assert_eq!(fs::read_to_string(&bo).unwrap(), fixed);
    let folder = ClassFolder::open(&class.home.path().join("class")).unwrap();
    let latest = Store::open(&folder, Access::Read).unwrap().latest().unwrap();
    assert_eq!((latest[1].attempt, latest[1].folder.as_str()), (3, "Bo#1"));
}

#[test]
fn an_edit_of_what_could_not_be_read_stays_too() {
    let class = Class::small();
    let download = class.home.path().join("download/Bo_1001_assignsubmission_file_");
    fs::remove_file(download.join("counter.py")).unwrap();
    fs::write(download.join("broken.zip"), "PK\x03\x04").unwrap();
    let init = || class.keur(&["init", "class", "--each", "download"]);
    let said = init().out;
    assert_says(&said, "1 cannot be read, and the report says why: Bo");
    // Nothing is lost with a folder that had nothing in it.
    fs::remove_dir(class.path("submissions/Bo#2")).unwrap();
    assert!(!class.run(&[], 0).contains("are gone"));
    fs::create_dir(class.path("submissions/Bo#2")).unwrap();
    fs::write(class.path("submissions/Bo#2/counter.py"), RIGHT.replace("+= by", "-= by")).unwrap();
    let said = class.run(&[], 0);
    assert_says(&said, "the files of Bo in class were changed");
    let said = init().out;
    assert_says(&said, "  4 submissions known already\nnext:");
    assert_eq!(class.run(&[], 0), "4 submissions: all graded");
}

#[test]
fn a_folder_in_which_no_files_are_left_is_named_as_one_that_is_gone() {
    let class = Class::small();
    let gone = "the folders of An in class/submissions are gone, empty or unreadable; what is stored of them stays; put them back";
    let removed = "not graded: An: class/submissions/An#2: was removed; put it back, or give the download";
    hand_in(&class, "deep", &[("src/counter.py", RIGHT), ("src/more/notes.txt", "")]);
    said(&class, &["init", "class", "--each", "deep"], 0);
    let files =
        ["src/counter.py", "src/more/notes.txt"].map(|name| class.path("submissions/An#2").join(name));
    files.iter().for_each(|file| fs::remove_file(file).unwrap());
    let out = class.run(&[], 4);
    assert_says(&out, removed);
    said(&class, &["init", "class", "--each", "deep"], 0);
    class.run(&[], 0);
    files.iter().for_each(|file| fs::remove_file(file).unwrap());
    let verdicts = class.verdicts();
    for _ in 0..2 {
        let out = class.run(&[], 4);
        assert!(out.contains(gone) && out.contains("4 submissions: all graded"), "{out}");
    }
    assert!(class.run(&["--again", "An"], 4).contains(removed));
    assert_eq!(class.verdicts(), verdicts);
    // So is one that could not be graded before either.
    hand_in(&class, "two", &[("counter_v1.py", RIGHT), ("counter_v2.py", RIGHT)]);
    said(&class, &["init", "class", "--each", "two"], 0);
    class.run(&[], 0);
    let folder = class.path("submissions/An#3");
    ["counter_v1.py", "counter_v2.py"].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    let out = class.run(&[], 4);
    assert_says(&out, gone);
    said(&class, &["init", "class", "--each", "two"], 0);
    class.run(&[], 0);
}
