//! Where reports are written: through no link, and whole.

use super::{CASE, COUNTER, EXERCISE, library};
use crate::running::{Run, keur, keur_command, run};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn repository() -> tempfile::TempDir {
    let folder = library(EXERCISE, CASE);
    fs::write(folder.path().join("counter.py"), COUNTER).unwrap();
    fs::create_dir(folder.path().join("home")).unwrap();
    fs::write(folder.path().join("home/keys"), "old").unwrap();
    folder
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_report_does_not_go_through_a_link() {
    for (link, leads_to, target) in [
        ("keur.md", "home/keys", "markdown=keur.md"),
        ("keur.md", "home/new", "markdown=keur.md"),
        ("reports", "home", "json=reports/keys"),
        ("reports", "home", "json=counters/../reports/keys"),
        ("pages", "home", "html=pages/"),
        ("pages", "home", "html=pages"),
        ("pages", "home", "html=pages/inner/"),
    ] {
        let folder = repository();
        symlink(leads_to, folder.path().join(link)).unwrap();
        let absolute = target.replacen('=', &format!("={}/", folder.path().display()), 1);
        for target in [target, &absolute] {
            let mut command = keur_command(&["grade", "counter.py", "--cases", ".", "--format", target]);
            let Run { code, err: said, .. } = run(command.current_dir(folder.path()));
            assert_eq!(code, 4, "{target}: {said}");
            assert!(said.contains("is a link, and keur follows none where it writes"), "{target}: {said}");
            assert_eq!(names(&folder.path().join("home")), ["keys"]);
            assert_eq!(fs::read_to_string(folder.path().join("home/keys")).unwrap(), "old");
        }
    }
}

#[test]
fn a_page_does_not_go_through_a_link() {
    let folder = repository();
    let pages = folder.path().join("pages");
    let args = ["grade", "fixtures/class/an", "--format", &format!("html={}/", pages.display())];
    keur(&args);
    let page = names(&pages).remove(0);
    fs::remove_file(pages.join(&page)).unwrap();
    symlink("../home/keys", pages.join(&page)).unwrap();
    let run = keur(&args);
    assert_eq!(run.code, 4, "{}", run.err);
    assert_eq!(fs::read_to_string(folder.path().join("home/keys")).unwrap(), "old");
}

#[test]
fn a_report_goes_to_what_the_shell_opened() {
    let folder = repository();
    let (file, cases) = (folder.path().join("counter.py"), folder.path().display().to_string());
    let run = keur(&["grade", file.to_str().unwrap(), "--cases", &cases, "--format", "tap=/dev/stdout"]);
    assert!(run.out.starts_with("TAP version 14"), "{}{}", run.out, run.err);
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = repository();
    let report = folder.path().join("report.html");
    fs::write(&report, "old").unwrap();
    let before = names(folder.path());
    let keur = env!("CARGO_BIN_EXE_keur");
    // A write past the limit fails, as on a full disk, where the signal for it is ignored.
    let line = format!(
        "trap '' XFSZ; ulimit -S -f 4; exec {keur} grade counter.py --cases . --format html=report.html"
    );
    let run = run(Command::new("sh").args(["-c", &line]).current_dir(folder.path()));
    assert_eq!(run.code, 4, "{}", run.err);
    assert_eq!(fs::read_to_string(&report).unwrap(), "old");
    assert_eq!(names(folder.path()), before);
}

#[test]
fn a_kill_leaves_the_old_report() {
    let folder = repository();
    fs::write(folder.path().join("counter.py"), "import time\ntime.sleep(60)\n").unwrap();
    fs::create_dir(folder.path().join("reports")).unwrap();
    let report = folder.path().join("reports/keur.json");
    fs::write(&report, "old").unwrap();
    let mut run =
        keur_command(&["grade", "counter.py", "--cases", ".", "--format", "json=reports/keur.json"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
    while names(&folder.path().join("reports")).len() == 1 {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(fs::read_to_string(&report).unwrap(), "old");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(fs::read_to_string(&report).unwrap(), "old");
}

/// Runs keur in a folder with an exercise, a submission and a class, and writes what it prints to `output`.
fn printing_to(output: impl Fn() -> Stdio) -> Vec<(String, std::process::Output)> {
    let folder = repository();
    let start = |line: &str| {
        let mut keur = keur_command(&line.split(' ').collect::<Vec<_>>());
        keur.current_dir(folder.path()).stdin(Stdio::null());
        keur
    };
    fs::create_dir_all(folder.path().join("hand_in/an")).unwrap();
    fs::copy(folder.path().join("counter.py"), folder.path().join("hand_in/an/counter.py")).unwrap();
    fs::write(folder.path().join("wrong.py"), COUNTER.replace("+= by", "-= by")).unwrap();
    let mut lines = vec![
        "--help",
        "grade --help",
        "--version",
        "list",
        "show counters/counts.toml",
        "check counters",
        "grade counter.py --cases .",
        "grade counter.py --cases . --format json",
        "test counter.py --cases .",
        "test counter.py --cases . -- --list",
        "test counter.py --cases . -- --test-threads=1",
        "test wrong.py --cases .",
        "test wrong.py --cases . -- --test-threads=1",
        "test wrong.py --cases . -- --test-threads=2",
        "driver test --help",
        "doctor",
    ];
    let init = start("class init lab --each hand_in --exercise counters --cases .").output().unwrap();
    assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stderr));
    lines.extend(["class run lab", "class report lab --format json", "class report lab --format csv"]);
    lines.into_iter().map(|line| (line.to_owned(), start(line).stdout(output()).output().unwrap())).collect()
}

#[test]
fn a_full_standard_output_is_an_error_of_every_command() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    for (line, run) in printing_to(full) {
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(4), "{line}: {said}");
        assert!(
            said.ends_with(
                "error: standard output: cannot be written: No space left on device (os error 28)\n"
            ),
            "{line}: {said}"
        );
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let closed = || std::io::pipe().unwrap().1.into();
    let read = printing_to(Stdio::null);
    for ((line, run), (_, read)) in printing_to(closed).into_iter().zip(read) {
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(!said.contains("error") && !said.contains("panicked"), "{line}: {said}");
        assert_eq!(run.status.code(), read.status.code(), "{line}: {said}");
    }
}
