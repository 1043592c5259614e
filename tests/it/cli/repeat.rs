//! `--repeat`: results that depend on chance are reported.

use super::{CASE, COUNTER, EXERCISE, grade_files, library};
use crate::running::keur;

#[test]
fn a_case_whose_verdict_depends_on_chance_is_unstable_and_fails() {
    let library = library(EXERCISE, CASE);
    let hashes =
        COUNTER.replace("return self.n\n", "return self.n + next(iter({'a', 'b', 'c'})).count('a')\n");
    let random = COUNTER.replace("return self.n\n", "return self.n + random.randrange(2)\n");
    let javascript = "class Counter {
      constructor(start = 0) { this.n = start; }
      countUp(by = 1) { this.n += by; return this; }
      value() { return this.n + Math.floor(Math.random() * 2); }
    }";
    let files = [
        ("counter.py", hashes, "node"),
        ("counter.py", format!("import random\n{random}"), "node"),
        ("counter.js", javascript.to_owned(), "node"),
        #[cfg(feature = "quickjs")]
        ("counter.js", javascript.to_owned(), "quickjs"),
    ];
    for (name, text, engine) in &files {
        let more = ["--repeat", "12", "--engine", engine];
        let (code, json) = grade_files(library.path(), &[(name, text)], &more);
        let case = &json["submissions"][0]["cases"][0];
        let trials = case["unstable"].as_array().unwrap_or_else(|| panic!("{name} {engine}: {json:#}"));
        let seeds: Vec<u64> = trials.iter().map(|trial| trial["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds, (0..12).collect::<Vec<_>>());
        let passed = trials.iter().filter(|trial| trial["verdict"] == "passed").count();
        assert!((1..12).contains(&passed), "{passed}");
        assert_eq!((code, &case["verdict"]), (1, &"wrong value".into()), "it must pass each time");
        assert_eq!(json["submissions"][0]["points"], 0);
        assert_eq!(case["finding"]["step"], 3, "the finding of a time that it failed");
        let (_, again) = grade_files(library.path(), &[(name, text)], &more);
        assert_eq!(
            json["submissions"][0]["cases"], again["submissions"][0]["cases"],
            "the seeds are the same"
        );
    }
}

#[test]
fn cases_without_chance_are_graded_as_ever() {
    let library = library(EXERCISE, CASE);
    let (code, json) = grade_files(library.path(), &[("counter.py", COUNTER)], &["--repeat", "3"]);
    assert_eq!(code, 0);
    assert_eq!(json["submissions"][0]["cases"][0].get("unstable"), None);
    let (_, once) = grade_files(library.path(), &[("counter.py", "x = 1")], &[]);
    let (_, thrice) = grade_files(library.path(), &[("counter.py", "x = 1")], &["--repeat", "3"]);
    assert_eq!(once["submissions"][0]["cases"], thrice["submissions"][0]["cases"]);
    assert_eq!(keur(&["grade", "fixtures/class/an", "--repeat", "0"]).code, 2);
}
