//! The example confines the scripts that it runs.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use keur_sandbox::{Tier, available};
use std::process::Command;

/// The exit code of the example with a shell script, and what it printed.
fn stranger(script: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script");
    std::fs::write(&path, script).unwrap();
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--example", "stranger", "--", "/bin/sh"]).arg(path);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_script_does_its_work_and_nothing_else() {
    if let Err(lack) = available(Tier::Standard) {
        assert!(!std::env::var("KEUR_REQUIRE").is_ok_and(|names| names.contains("isolated")), "{lack}");
        println!("not tested: {lack}");
        return;
    }
    assert_eq!(
        stranger("echo hello > mine; read -r line < mine; echo $line"),
        (Some(0), "hello\n".to_owned())
    );
    assert_eq!(stranger("while :; do :; done"), (Some(1), "it ended: Cpu\n".to_owned()));
    let (code, said) = stranger("read -r line < /etc/passwd && echo $line");
    assert!(code == Some(1) && !said.contains("root"), "{said}");
    let (code, said) = stranger("/bin/echo started; echo > /tmp/keur-stranger && echo written");
    assert!(code == Some(1) && !said.contains("started") && !said.contains("written"), "{said}");
    let fills = "line=0123456789abcdef; while :; do line=$line$line; done";
    assert_eq!(stranger(fills).0, Some(1));
}
