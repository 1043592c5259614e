//! Compares every format, byte for byte, over the same few submissions.
//!
//! One passes, one cannot be loaded, one is wrong, and one raises. A case is hidden, some are in a group; each format has its own
//! audience.
//!
//! `KEUR_BLESS=1 cargo test --test golden` rewrites `fixtures/golden/reports`; with `CI` set it is refused.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use keur::report::formats::FORMATS;
use std::fs;
use std::path::Path;
use std::process::Command;

const SUBMISSIONS: [&str; 4] = ["correct.py", "broken.py", "wrong.py", "raises.py"];

/// Every report of one run: the name of its golden file, and its text, without what is machine-specific.
fn reports() -> Vec<(String, String)> {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_keur"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args([
        "grade",
        "--cases",
        "fixtures/golden/cases",
        "--findings",
        "all",
    ]);
    for format in FORMATS {
        for variable in format.variables {
            command.env_remove(variable);
        }
        command.arg("--format").arg(format!("{}={}", format.name, out.path().join(format.name).display()));
    }
    command.args(SUBMISSIONS.map(|name| format!("fixtures/golden/submissions/{name}")));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let version = regex::Regex::new(r"([Pp]ython )3\.[0-9]+\.[0-9]+").unwrap();
    let read = |format: &keur::report::Format| {
        let text = fs::read_to_string(out.path().join(format.name)).unwrap();
        (format!("{}.{}", format.name, format.extension), version.replace_all(&text, "${1}3.x").into_owned())
    };
    FORMATS.iter().map(read).collect()
}

#[test]
fn every_format_is_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden/reports");
    let bless = std::env::var_os("KEUR_BLESS").is_some();
    assert!(!bless || std::env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
    let mut changed = Vec::new();
    for (name, made) in reports() {
        let path = folder.join(&name);
        if bless {
            fs::write(&path, &made).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        if golden != made {
            changed
                .push(format!("{name}:\n{}", similar::TextDiff::from_lines(&golden, &made).unified_diff()));
        }
    }
    assert!(
        changed.is_empty(),
        "if the change is right, rewrite them with KEUR_BLESS=1\n{}",
        changed.join("\n")
    );
}

#[test]
fn the_same_submissions_give_the_same_reports() {
    assert_eq!(reports(), reports());
}
