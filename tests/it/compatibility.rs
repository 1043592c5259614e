//! Files of the released versions of keur, in `fixtures/compatibility`: every later version reads them, and gives the same verdicts
//! and points.
//!
//! No test rewrites these files. When one fails, the reader is wrong, or the digest of a case has changed (`class/keys.rs`).

use crate::running::{Run, assert_says, copy_folder, keur_command, root, run};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The folders, the class of each in its folder `class`. Before 0.1, classes had the tables of version 2.
const VERSIONS: [&str; 2] = ["before-0.1", "0.1"];

fn fixtures(version: &str) -> PathBuf {
    root().join("fixtures/compatibility").join(version)
}

/// A copy of the files of a version.
fn copied(version: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    copy_folder(&fixtures(version), home.path());
    home
}

fn keur(home: &TempDir, args: &[&str]) -> Run {
    run(keur_command(args).current_dir(home.path()))
}

fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_version_has_a_test() {
    let folders = fs::read_dir(fixtures("")).unwrap().map(|entry| entry.unwrap());
    let mut found: Vec<String> = folders
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut known = VERSIONS;
    known.sort();
    assert_eq!(found, known);
}

#[test]
fn the_files_are_as_the_version_wrote_them() {
    for version in VERSIONS {
        let folder = fixtures(version);
        let mut sums = BTreeMap::new();
        for entry in walkdir::WalkDir::new(&folder) {
            let path = entry.unwrap().into_path();
            if path.is_dir() || path.ends_with("SHA256SUMS") {
                continue;
            }
            let digest = Sha256::digest(fs::read(&path).unwrap());
            let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let names = path.strip_prefix(&folder).unwrap().iter();
            let names: Vec<&str> = names.map(|name| name.to_str().unwrap()).collect();
            sums.insert(names.join("/"), digits);
        }
        let found: String = sums.iter().map(|(name, digits)| format!("{digits}  {name}\n")).collect();
        let known = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
        assert_eq!(found, known, "{version}: see fixtures/compatibility/README.md");
    }
}

#[test]
fn a_class_of_each_version_is_reported_as_it_was() {
    for version in VERSIONS {
        let home = copied(version);
        let report = keur(&home, &["class", "report", "class", "--format", "json"]);
        assert_eq!(report.code, 0, "{version}: {report:?}");
        check_report(&report.json(), &json(&home.path().join("report.json")));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_class_of_each_version_is_graded_again_with_the_same_verdicts() {
    let home = copied("0.1");
    let graded = keur(&home, &["class", "run", "class", "--new-judge"]);
    assert_eq!(graded.code, 0, "{graded:?}");
    let report = keur(&home, &["class", "report", "class", "--format", "json"]);
    check_report(&report.json(), &json(&home.path().join("report.json")));
}

/// Fails unless both reports give everyone the same verdicts and points.
#[track_caller]
fn check_report(found: &Json, expected: &Json) {
    let (found, expected) = (standings(found), standings(expected));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// What a report says of each submission, without texts that may change.
fn standings(report: &Json) -> Vec<Json> {
    let pick = |object: &Json, keys: &[&str]| -> Json {
        keys.iter().map(|key| (key.to_string(), object[key].clone())).collect()
    };
    let submissions = report["submissions"].as_array().unwrap().iter();
    let standing = |submission: &Json| {
        let mut standing = pick(submission, &["name", "points", "max_points"]);
        standing["problem"] = submission["error"]["kind"].clone();
        standing["hand_in"] = pick(&submission["hand_in"], &["late", "by_hand"]);
        let cases = submission["cases"].as_array().unwrap().iter();
        standing["cases"] = cases.map(|case| pick(case, &["name", "verdict", "points"])).collect();
        standing
    };
    submissions.map(standing).collect()
}

#[test]
fn a_report_of_each_version_is_compared_with_one_of_this() {
    let home = copied("0.1");
    let path = home.path().join("report.json");
    let compare = || {
        let args =
            ["class", "report", "class", "--against", "report.json", "--format", "changes=changes.json"];
        let run = keur(&home, &args);
        assert_eq!(run.code, 0, "{run:?}");
        json(&home.path().join("changes.json"))
    };
    assert_eq!(compare()["students"], Json::Array(Vec::new()));
    // A later version may add fields, and the grades of one student were others.
    let mut report = json(&path);
    report["later"] = Json::from("a field");
    let submission = &mut report["submissions"][0];
    submission["later"] = Json::from(1);
    submission["hand_in"]["later"] = Json::from(true);
    submission["cases"][0]["later"] = Json::Null;
    submission["points"] = Json::from(0);
    fs::write(&path, report.to_string()).unwrap();
    let changes = compare();
    assert_eq!(changes["students"].as_array().unwrap().len(), 1, "{changes}");
}

#[test]
fn random_sessions_of_each_version_are_read() {
    let checked = keur(&copied("0.1"), &["check", "random"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert_says(&checked.out, "3 cases of 1 exercise");
}

#[test]
fn declarations_of_each_version_are_read() {
    let checked = keur(&copied("0.1"), &["check", "declared"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert_says(&checked.out, "1 case of 1 exercise");
}

/// A key that is new since the last release belongs into a case of the next version.
#[test]
fn the_files_have_every_key() {
    let mut keys = BTreeMap::new();
    let files: Vec<PathBuf> = walkdir::WalkDir::new(fixtures(""))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    for (kind, schema) in [("exercise", "exercise"), ("class", "class"), ("", "case")] {
        let of_kind = |path: &&PathBuf| match path.file_stem().unwrap().to_str().unwrap() {
            "exercise" => kind == "exercise",
            "class" => kind == "class",
            _ => kind.is_empty(),
        };
        let read = |path: &PathBuf| -> Json {
            let table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
            serde_json::to_value(table).unwrap()
        };
        let tables: Vec<Json> = files.iter().filter(of_kind).map(read).collect();
        let schema_file = root().join(format!("schema/{schema}.schema.json"));
        note_keys(&json(&schema_file), schema, &tables.iter().collect::<Vec<_>>(), &mut keys);
    }
    let unused: Vec<&String> = keys.iter().filter(|(_, used)| !**used).map(|(key, _)| key).collect();
    assert!(keys.len() > 100, "{keys:?}");
    assert!(unused.is_empty(), "no file in fixtures/compatibility has {unused:?}");
}

/// Notes each key of a schema, by its path, and whether one of these values has it. Rows have the keys of steps,
/// and lists of lists those of lists.
fn note_keys(schema: &Json, path: &str, values: &[&Json], keys: &mut BTreeMap<String, bool>) {
    let properties = schema["properties"].as_object();
    for (key, of_key) in properties.into_iter().flatten() {
        let values: Vec<&Json> = values.iter().filter_map(|value| value.get(key)).collect();
        let path =
            format!("{path}.{key}").replace("case.row", "case.step").replace(".list_of.list_of", ".list_of");
        *keys.entry(path.clone()).or_default() |= !values.is_empty();
        note_keys(of_key, &path, &values, keys);
    }
    if schema["additionalProperties"].is_object() {
        let values: Vec<&Json> =
            values.iter().filter_map(|value| value.as_object()).flat_map(|object| object.values()).collect();
        note_keys(&schema["additionalProperties"], path, &values, keys);
    }
    if schema["items"].is_object() {
        let values: Vec<&Json> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        note_keys(&schema["items"], path, &values, keys);
    }
    for either in ["anyOf", "oneOf", "allOf"] {
        for schema in schema[either].as_array().into_iter().flatten() {
            note_keys(schema, path, values, keys);
        }
    }
}
