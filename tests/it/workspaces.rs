//! Rust crates that are members of a workspace, and those that lack files.

use crate::crates::{grade, keur, solution};
use crate::running::{assert_says, copy_folder, folder, root, unwrapped};
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// A folder with a workspace `ws` of two students' crates, which inherit their edition.
fn workspace() -> TempDir {
    let class = folder(&[
        ("ws/Cargo.toml", "[workspace]\nmembers = [\"*\"]\n[workspace.package]\nedition = \"2024\"\n"),
        ("ws/Cargo.lock", "version = 4\n"),
        ("ws/target/debug/note.txt", "built\n"),
    ]);
    for student in ["an", "bo"] {
        let member = class.path().join("ws").join(student);
        copy_folder(&root().join("fixtures/rust/quixo"), &member);
        let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
        let manifest = manifest.replace("edition = \"2024\"", "edition.workspace = true");
        let (own, _) = manifest.split_once("[workspace]").unwrap();
        fs::write(member.join("Cargo.toml"), own).unwrap();
    }
    class
}

/// Zips the files of a folder by their paths below `top`.
fn zip_folder(folder: &Path, top: &Path, path: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(top).unwrap().display().to_string();
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    zip.finish().unwrap();
}

/// Checks that both members of a class pass, and that nothing else is graded.
#[track_caller]
fn check_members_pass(class: &Path) {
    let run = keur(&["grade", "--each", class.to_str().unwrap(), "--format", "json"]);
    let report = run.json();
    assert_eq!(run.code, 0, "{report:#}");
    let submissions = report["submissions"].as_array().unwrap();
    let names: Vec<&str> = submissions.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["an", "bo"]);
}

#[test]
fn only_the_members_of_a_workspace_are_submissions_also_in_a_zip() {
    let class = workspace();
    let ws = class.path().join("ws");
    check_members_pass(&ws);
    let zip = class.path().join("class.zip");
    zip_folder(&ws, &ws, &zip);
    check_members_pass(&zip);
    zip_folder(&ws, class.path(), &zip);
    check_members_pass(&zip);
}

#[test]
fn a_zip_of_a_workspace_with_one_member_is_a_submission() {
    let class = workspace();
    let ws = class.path().join("ws");
    fs::remove_dir_all(ws.join("bo")).unwrap();
    let zip = class.path().join("an.zip");
    zip_folder(&ws, class.path(), &zip);
    let (code, report) = grade(&zip, &[]);
    assert_eq!(code, 0, "{report:#}");
}

#[test]
fn what_no_workspace_sets_is_named_unless_the_courses_manifest_counts() {
    let class = workspace();
    let alone = class.path().join("alone");
    copy_folder(&class.path().join("ws/an"), &alone);
    let (code, report) = grade(&alone, &["--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let message = report["submissions"][0]["cases"][0]["finding"]["message"].as_str().unwrap();
    assert_says(message, "inherits `edition` from a workspace that was not handed in");
    let course = solution();
    fs::write(course.path().join("SKELETON"), "Cargo.toml\n").unwrap();
    let own = course.path().display().to_string();
    let (code, report) = grade(&alone, &["--skeleton", &own]);
    assert_eq!(code, 0, "{report:#}");
    // A course's own manifest that lacks its workspace is an error of the course.
    fs::copy(alone.join("Cargo.toml"), course.path().join("Cargo.toml")).unwrap();
    let run = keur(&["grade", alone.to_str().unwrap(), "--skeleton", &own]);
    assert_eq!(run.code, 2, "{}", run.all());
    assert_says(&run.err, "Cargo.toml: inherits `edition`, and no workspace around the folder sets it");
}

#[test]
fn a_crate_without_its_manifest_or_its_test_is_told_so() {
    let krate = solution();
    fs::remove_file(krate.path().join("tests/grade.rs")).unwrap();
    let run = keur(&["grade", krate.path().to_str().unwrap(), "--lang", "en"]);
    assert_eq!(run.code, 2, "{}", run.all());
    let said = unwrapped(&run.all());
    assert_says(&said, "the crate has no tests/grade.rs, which names the exercise");
    assert!(!said.contains("--each"), "{said}");
    fs::remove_file(krate.path().join("Cargo.toml")).unwrap();
    let run = keur(&["grade", krate.path().to_str().unwrap(), "--lang", "en"]);
    assert_eq!(run.code, 1, "{}", run.all());
    assert_says(&unwrapped(&run.all()), "Cargo.toml is missing: hand in the whole crate");
}

#[test]
fn the_session_of_a_crate_imports_the_type_that_the_courses_test_names() {
    let course = solution();
    fs::write(course.path().join("SKELETON"), "tests/grade.rs\n").unwrap();
    let krate = solution();
    fs::remove_file(krate.path().join("tests/grade.rs")).unwrap();
    let source = krate.path().join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    // Rows and columns are exchanged.
    let swapped = text.replace("then_some((row, column))", "then_some((column, row))");
    assert_ne!(swapped, text);
    fs::write(&source, swapped).unwrap();
    let own = course.path().display().to_string();
    let (code, report) = grade(krate.path(), &["--skeleton", &own, "--case", "distant_columns"]);
    assert_eq!(code, 1, "{report:#}");
    let finding = &report["submissions"][0]["cases"][0]["finding"];
    let session: Vec<&str> =
        finding["session"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(session[1], "use quixo::Quixo;", "{finding:#}");
    // The trait gives a tuple, and a program shows what it prints.
    let last = session.last().unwrap();
    assert!(last.starts_with("println!(\"{:?}\", ") && last.ends_with(".unwrap());"), "{last}");
    let sides = [&finding["expected"], &finding["got"]];
    assert!(sides.iter().all(|side| side.as_str().unwrap().starts_with('(')), "{finding:#}");
}
