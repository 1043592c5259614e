//! What shells and `man` read: completions of command lines, and manual pages.

use crate::required::{external, needs};
use crate::running::{assert_says, folder, keur, path_with_keur, root, run, succeed};
use std::fs;
use std::process::Command;

/// The shells that keur has a script for, and how each reads a script without running it.
const SHELLS: [(&str, &[&str]); 3] =
    [("bash", &["bash", "-n"]), ("zsh", &["zsh", "-n"]), ("fish", &["fish", "--no-execute"])];

/// The completions that bash offers for the last of these words.
#[cfg(unix)]
fn completed(words: &[&str]) -> Vec<String> {
    let script = r#"
source <(keur completions bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9
_clap_complete_keur keur "${COMP_WORDS[COMP_CWORD]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", script, "bash"]).args(words);
    let run = run(command.env("PATH", path_with_keur()).current_dir(root().join("fixtures")));
    assert_eq!(run.code, 0, "{}", run.all());
    run.out.lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_files_exercises_and_cases() {
    assert_eq!(completed(&["keur", "comp"]), ["completions"]);
    assert_eq!(completed(&["keur", "check", "conf"]), ["conformance/"]);
    assert_eq!(completed(&["keur", "grade", "--exercise", "q"]), ["quixo"]);
    assert_eq!(completed(&["keur", "audit", "y"]), ["yinyang"]);
    assert_eq!(completed(&["keur", "audit", "--cases", "exercises", "pl"]), ["playlist"]);
    assert_eq!(completed(&["keur", "list", "--cases=exercises", "pl"]), ["playlist"]);
    assert_eq!(completed(&["keur", "test", "quixo.py", "spec_s"]), ["spec_session"]);
    let own = completed(&["keur", "grade", "--exercise", "codenames", "--case", "blue_b"]);
    assert_eq!(own, ["blue_begins"]);
    assert_eq!(completed(&["keur", "grade", "--format", "junit"]), ["junit", "junit-rich"]);
    assert_eq!(completed(&["keur", "grade", "--cases", "nowhere", "--exercise", "q"]), [""]);
}

#[test]
fn the_variable_of_completions_changes_nothing_when_it_is_empty() {
    let run = run(crate::running::keur_command(&["list"]).env("KEUR_COMPLETE", ""));
    assert_says(&run.out, "quixo");
}

#[test]
fn every_visible_command_has_a_manual_page() {
    let folder = folder(&[]);
    let pages = folder.path().join("man");
    let run = keur(&["man", pages.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.all());
    let mut names: Vec<String> =
        fs::read_dir(&pages).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    assert_says(&run.out, &format!("{} pages", names.len()));
    for name in ["keur.1", "keur-grade.1", "keur-new-case.1"] {
        assert!(names.iter().any(|page| page == name), "{name} is not among {names:?}");
    }
    assert!(!names.iter().any(|page| page.contains("engine") || page.contains("help")), "{names:?}");
    let page = fs::read_to_string(pages.join("keur-grade.1")).unwrap();
    for part in ["\\-\\-exercise", "keur grade quixo.py", concat!("keur ", env!("CARGO_PKG_VERSION"))] {
        assert_says(&page, part);
    }
    // A file in the way, and a place that cannot be written, are errors of keur's own kind.
    let refused = keur(&["man", pages.join("keur.1").to_str().unwrap()]);
    assert_eq!(refused.code, 4, "{}", refused.all());
}

#[test]
fn shells_and_man_read_the_scripts_and_pages_without_a_warning() {
    needs!(External);
    let folder = folder(&[]);
    for (shell, reads) in SHELLS {
        let script = folder.path().join(shell);
        fs::write(&script, keur(&["completions", shell]).out).unwrap();
        succeed(Command::new(reads[0]).args(&reads[1..]).arg(&script));
    }
    let script = folder.path().join("powershell");
    fs::write(&script, keur(&["completions", "powershell"]).out).unwrap();
    let parse = "import sys, tree_sitter, tree_sitter_powershell as grammar
parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
root = parser.parse(open(sys.argv[1], 'rb').read()).root_node
assert root.child_count and not root.has_error, root";
    succeed(Command::new(external().join("bin/python")).args(["-c", parse]).arg(&script));
    let fish = "source fish; complete -C 'keur grade --exercise q'";
    let offered =
        run(Command::new("fish").args(["-c", fish]).env("PATH", path_with_keur()).current_dir(&folder));
    assert_eq!(offered.out.trim(), "quixo", "{}", offered.err);
    let pages = folder.path().join("man");
    assert_eq!(keur(&["man", pages.to_str().unwrap()]).code, 0);
    for page in fs::read_dir(pages).unwrap() {
        let page = page.unwrap().path();
        let read = run(Command::new("groff").args(["-man", "-ww", "-z", "-Kutf8"]).arg(&page));
        assert_eq!((read.code, read.err.as_str()), (0, ""), "{}", page.display());
    }
}
