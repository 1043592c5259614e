//! `KEUR_REQUIRE` fails the tests that need what a machine lacks; without it they report what they did not
//! test.

use crate::required::{Need, VARIABLE, lacks_program, not_tested, required};
use std::process::{Command, Output};

/// Set for the test below, which pretends that the machine lacks control groups.
const PRETEND: &str = "KEUR_TEST_PRETEND";

#[test]
fn a_machine_without_groups() {
    if std::env::var_os(PRETEND).is_some() {
        not_tested(Need::Strict, "the strict tier", "there are no control groups");
    }
}

/// Runs the test above with `KEUR_REQUIRE` set. The output of passing tests is not requested.
fn pretend(require: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "requirements::a_machine_without_groups"])
        .env(PRETEND, "1")
        .env(VARIABLE, require);
    command.output().unwrap()
}

#[test]
fn tests_that_are_left_out_are_reported() {
    for require in ["", "isolated", " isolated, system-python ,"] {
        let output = pretend(require);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{require}: {said}");
        assert_eq!(said, "not tested: the strict tier, because there are no control groups\n", "{require}");
    }
}

#[test]
fn required_tests_that_are_left_out_fail() {
    for (require, says) in [
        ("strict", "because there are no control groups, and KEUR_REQUIRE names `strict`"),
        ("isolated,strict", "because there are no control groups, and KEUR_REQUIRE names `strict`"),
        (
            "groups",
            "KEUR_REQUIRE names `groups`; it knows isolated, strict, root, system-python, tracing, java",
        ),
    ] {
        let output = pretend(require);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && said.contains(says), "{require}: {said}");
    }
}

/// Also on systems for which the tests that need it are not built.
#[test]
fn the_machine_has_what_is_required() {
    let lacks: Vec<String> =
        required().unwrap().into_iter().filter_map(|need| Some((need, lack(need)?))).map(say).collect();
    assert!(lacks.is_empty(), "{}", lacks.join("\n"));
}

fn say((need, lack): (Need, String)) -> String {
    format!("{VARIABLE} names `{}`, but {lack}", need.name())
}

#[cfg(target_os = "linux")]
fn lack(need: Need) -> Option<String> {
    use keur_sandbox::linux::{Strictness, offers, probe};
    match need {
        Need::Isolated => offers(Strictness::Isolated).err().map(|missing| missing.to_string()),
        Need::Strict => offers(Strictness::Strict).err().map(|missing| missing.to_string()),
        Need::Root => (!probe().root).then(|| "a plain user runs the tests".to_owned()),
        Need::SystemPython => (!std::path::Path::new("/usr/bin/python3").exists())
            .then(|| "there is no /usr/bin/python3".to_owned()),
        Need::Tracing => {
            let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
            (scope.trim() == "3").then(|| "kernel.yama.ptrace_scope is 3".to_owned())
        }
        Need::Java
        | Need::Cpp
        | Need::Clang
        | Need::Browser
        | Need::Firefox
        | Need::Perl
        | Need::Slurm
        | Need::External => lacks_program(need),
    }
}

#[cfg(not(target_os = "linux"))]
fn lack(_need: Need) -> Option<String> {
    Some("this system is not Linux".to_owned())
}
