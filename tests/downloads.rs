//! Downloads of each learning platform become the same class.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use keur::class::{Access, ClassFolder, Store, Student, Taken};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The exit code and the output of `keur class init CLASS` with more arguments; paths are relative to `place`.
fn init(place: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keur"));
    let output = command.args(["class", "init"]).args(args).current_dir(place).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (output.status.code().unwrap(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn refused(place: &Path, args: &[&str], exit: i32, why: &str) {
    let (code, text) = init(place, args);
    assert_eq!(code, exit, "{text}");
    assert!(text.contains(why), "{text}");
}

fn rows(class: &Path) -> (Vec<Student>, Vec<Taken>) {
    let store = Store::open(&ClassFolder::at(class), Access::Read).unwrap();
    (store.students().unwrap(), store.taken().unwrap())
}

/// The family name of a student, which each platform writes in some way.
fn family(name: &str) -> String {
    let plain = name.replace(['\'', ','], "");
    [
        "Peeters",
        "De Smet",
        "Li",
        "Yılmaz",
        "Hansen",
        "Kjær",
        "DHondt",
        "Vermeulen",
        "El Amrani",
        "ONeill",
        "Berghe",
        "Claes",
    ]
    .into_iter()
    .find(|family| plain.split(' ').any(|part| family.ends_with(part)))
    .unwrap()
    .to_owned()
}

/// What the last attempt of each student is, by family name.
fn kinds(class: &Path) -> BTreeMap<String, String> {
    let (_, taken) = rows(class);
    let mut kinds = BTreeMap::new();
    for one in &taken {
        let read = match (&one.exercise, &one.problem) {
            (Some(_), None) => one.language.clone().unwrap(),
            (_, problem) => problem.clone().unwrap().split('"').nth(1).unwrap().to_owned(),
        };
        let same = taken.iter().filter(|other| other.student != one.student && other.files == one.files);
        let same: Vec<String> = same.map(|other| family(&other.student)).collect();
        let mark = if same.is_empty() { String::new() } else { format!(", same as {}", same.join(" ")) };
        kinds.insert(family(&one.student), format!("{read}{mark}"));
    }
    kinds
}

/// A zip of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn one_hand_in_stops_no_other() {
    let place = tempfile::tempdir().unwrap();
    let good = b"class Codenames: pass\n".as_slice();
    let put = |student: &str, name: &str, bytes: &[u8]| {
        let folder = place.path().join("download").join(student);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    };
    put("An", "codenames.py", good);
    put("deep_js", "codenames.js", "`${".repeat(30_000).as_bytes());
    put("deep_py", "codenames.py", "f'{".repeat(340_000).as_bytes());
    put("long_path", "work.zip", &zip(&[(&"0123456789/".repeat(500), good), ("codenames.py", good)]));
    put("deep_path", "work.zip", &zip(&[(&("d/".repeat(10_000) + "a.py"), good), ("codenames.py", good)]));
    put("long_name", "work.zip", &zip(&[(&"n".repeat(65_000), good), ("codenames.py", good)]));
    let folders: Vec<String> = (0..20_001).map(|index| format!("f{index}/")).collect();
    let folders: Vec<(&str, &[u8])> = folders.iter().map(|name| (name.as_str(), [].as_slice())).collect();
    put("folders", "work.zip", &zip(&folders));
    for entry in fs::read_dir(fixture("fuzz/zip")).unwrap() {
        let path = entry.unwrap().path();
        put(path.file_stem().unwrap().to_str().unwrap(), "work.zip", &fs::read(&path).unwrap());
    }
    let (code, text) = init(place.path(), &["class", "--each", "download"]);
    assert_eq!(code, 0, "{text}");
    let problems: BTreeMap<String, Option<String>> =
        rows(&place.path().join("class")).1.into_iter().map(|row| (row.student, row.problem)).collect();
    assert_eq!(problems.len(), fs::read_dir(place.path().join("download")).unwrap().count());
    for student in [
        "An",
        "deep_js",
        "deep_py",
        "long_path",
        "deep_path",
        "long_name",
        "plain",
        "stored",
        "inner",
        "found_mark_in_photo",
        "comment_with_end",
        "duplicates",
        "link",
    ] {
        assert_eq!(problems[student], None, "{student}");
    }
    for (student, why) in [
        ("folders", "TooMany"),
        ("encrypted", "Password"),
        ("method", "Method"),
        ("zip64", "Zip64"),
        ("count", "Damaged"),
        ("other_local_name", "Damaged"),
        ("lying_size", "Damaged"),
        ("overlap", "Damaged"),
    ] {
        let problem = problems[student].as_deref().unwrap_or_default();
        assert!(problem.contains(why), "{student}: {problem}");
    }
}

#[test]
fn what_is_in_a_photo_does_not_matter_for_the_download() {
    let place = tempfile::tempdir().unwrap();
    let photo = [b"PK\x06\x06 PK\x06\x07 PK\x05\x06".as_slice(), &[0; 18]].concat();
    let name = "a/".repeat(6_000) + "b.py";
    let files = [
        ("An_1_assignsubmission_file_/codenames.py", b"class Codenames: pass\n".as_slice()),
        ("Bo_2_assignsubmission_file_/codenames.py", b"class Codenames: pass\n".as_slice()),
        (&format!("Bo_2_assignsubmission_file_/{name}"), b""),
        ("Bo_2_assignsubmission_file_/photo.jpg", &photo),
    ];
    fs::write(place.path().join("download.zip"), zip(&files)).unwrap();
    let (code, text) = init(place.path(), &["class", "--each", "download.zip"]);
    assert!(code == 0 && text.contains("2 new submissions") && !text.contains("cannot be read"), "{text}");
}

#[test]
fn each_platform_gives_the_same_class() {
    let place = tempfile::tempdir().unwrap();
    let expected = [
        ("Berghe", "python"),
        ("DHondt", "python, same as Peeters Li"),
        ("De Smet", "python, same as Kjær"),
        ("El Amrani", "Notebook"),
        ("Hansen", "python"),
        ("Kjær", "python, same as De Smet"),
        ("Li", "python, same as DHondt Peeters"),
        ("ONeill", "BadZip"),
        ("Peeters", "python, same as DHondt Li"),
        ("Vermeulen", "NoSource"),
        ("Yılmaz", "python"),
    ];
    for platform in ["moodle", "canvas", "blackboard", "brightspace"] {
        let (download, roster) =
            (fixture(&format!("downloads/{platform}")), fixture(&format!("downloads/{platform}.csv")));
        let args = [platform, "--each", download.to_str().unwrap(), "--roster", roster.to_str().unwrap()];
        let (code, text) = init(place.path(), &args);
        assert_eq!(code, 0, "{text}");
        for part in [
            "12 students, exercise codenames",
            "11 new submissions",
            "3 cannot be read",
            "1 handed in nothing",
        ] {
            assert!(text.contains(part), "{platform}: {text}");
        }
        let class = place.path().join(platform);
        let sorted = |text: &str| {
            let mut words: Vec<&str> = text.split([' ', ',']).collect();
            words.sort_unstable();
            words.join(" ")
        };
        for (name, kind) in kinds(&class) {
            let wanted = expected.iter().find(|(family, _)| *family == name).unwrap().1;
            assert_eq!(sorted(&kind), sorted(wanted), "{platform}: {name}");
        }
        let (students, taken) = rows(&class);
        assert!(students.iter().all(|student| student.on_roster && student.number.is_some()));
        // A gradebook of Canvas has no addresses.
        assert!(platform == "canvas" || students.iter().all(|student| student.email.is_some()));
        let late = taken.iter().find(|taken| family(&taken.student) == "Kjær").unwrap();
        assert_eq!(late.marked_late, platform == "canvas");
        // Where neither the name nor the roster has a time, there is none.
        let wanted = if platform == "canvas" { None } else { Some(1_793_858_040) };
        assert_eq!(late.handed_in, wanted, "{platform}");
        let twice = taken.iter().filter(|taken| family(&taken.student) == "DHondt").count();
        assert_eq!(twice, if ["moodle", "canvas"].contains(&platform) { 1 } else { 2 }, "{platform}");
        for one in &taken {
            let folder = class.join("submissions").join(&one.folder);
            // Also of what cannot be unpacked.
            let digest = keur::class::read_submission_digest(&one.student, &folder).unwrap();
            assert_eq!(digest, one.files, "{}", folder.display());
        }
    }
}

#[test]
fn the_fixtures_are_what_the_generator_makes() {
    let place = tempfile::tempdir().unwrap();
    let script = fixture("downloads/generate.py");
    let generate = |args: &[&str]| {
        let done =
            Command::new("python3").arg(&script).args(args).current_dir(place.path()).status().unwrap();
        assert!(done.success());
    };
    let files = |folder: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
        let files = walkdir::WalkDir::new(folder)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file());
        files
            .map(|entry| {
                (entry.path().strip_prefix(folder).unwrap().to_owned(), fs::read(entry.path()).unwrap())
            })
            .collect()
    };
    for platform in ["moodle", "canvas", "blackboard", "brightspace"] {
        generate(&[platform, "12", platform]);
        assert_eq!(files(&place.path().join(platform)), files(&fixture(&format!("downloads/{platform}"))));
        let roster = fs::read(place.path().join(format!("{platform}.csv"))).unwrap();
        assert_eq!(roster, fs::read(fixture(&format!("downloads/{platform}.csv"))).unwrap());
    }
    // A zip of the same is taken in as the folder is.
    generate(&["moodle", "12", "zipped", "--zip"]);
    let moodle = fixture("downloads/moodle");
    assert_eq!(init(place.path(), &["one", "--each", "zipped.zip"]).0, 0);
    assert_eq!(init(place.path(), &["other", "--each", moodle.to_str().unwrap()]).0, 0);
    let [one, other] = ["one", "other"].map(|class| rows(&place.path().join(class)));
    assert_eq!(one, other);
}

#[test]
fn what_is_new_is_added_and_the_rest_stays() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("one/an/codenames.py", "class Spelbord: pass\n");
    write("one/bo.py", "class Spelbord: 0\n");
    write("one/notes.csv", "");
    let (code, text) = init(place.path(), &["class", "--each", "one", "--title", "Lab 2"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("2 students") && text.contains("1 skipped, because no student's: notes.csv"),
        "{text}"
    );
    // An hands in again, Cem for the first time, and a roster says that De handed in nothing.
    write("two/an.py", "class Spelbord: 1\n");
    write("two/bo.py", "class Spelbord: 0\n");
    write("two/cem.py", "class Spelbord: 0\n");
    write("roster.csv", "Naam;Nummer\nAn;1\nBo;2\nCem;3\nDe;4\n");
    let (code, text) = init(place.path(), &["class", "--each", "two", "--roster", "roster.csv"]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "4 students",
        "1 new submission, 1 handed in again, 1 submission known already",
        "1 handed in nothing: De",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let (students, taken) = rows(&place.path().join("class"));
    // Cem is on the roster before anything of Cem is taken in.
    let folders: Vec<&str> = taken.iter().map(|taken| taken.folder.as_str()).collect();
    assert_eq!(folders, ["Cem#1", "an#1", "an#2", "bo#1"]);
    assert_eq!(students.iter().filter(|student| student.on_roster).count(), 4);
    // An older download changes nothing, and names that differ are two students.
    let (code, text) = init(place.path(), &["class", "--each", "one"]);
    assert_eq!((code, text.contains("2 submissions known already")), (0, true), "{text}");
    write("three/Émile.py", "class Spelbord: 2\n");
    write("three/emile.py", "class Spelbord: 3\n");
    let (code, text) = init(place.path(), &["class", "--each", "three"]);
    assert_eq!((code, text.contains("2 new submissions")), (0, true), "{text}");
    // Cases that were mended in the class stay, and so do its settings.
    let settings = fs::read_to_string(place.path().join("class/class.toml")).unwrap();
    assert!(
        settings.contains("title = \"Lab 2\"") && settings.contains("exercise = \"codenames\""),
        "{settings}"
    );
    refused(place.path(), &["class", "--each", "two", "--cases", "one"], 2, "edit them there");
    refused(place.path(), &["class", "--each", "two", "--rulings"], 2, "edit that file instead");
}

#[test]
fn what_cannot_be_taken_in_is_refused_with_advice() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("mine/an")).unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("an.py"), "").unwrap();
    fs::write(place.path().join("wrong.csv"), "name,due\nAn,soon\n").unwrap();
    refused(place.path(), &["class"], 2, "name the submissions with --each");
    refused(place.path(), &["class", "--each", "nowhere"], 2, "there is no such file or folder");
    refused(place.path(), &["class", "--each", "an.py"], 2, "--each takes a folder or a zip");
    refused(place.path(), &["class", "--each", "empty"], 2, "the folder has no submissions");
    refused(place.path(), &["mine", "--each", "empty"], 2, "is not a class, and not empty: it has an");
    refused(place.path(), &["mine/class", "--each", "mine"], 2, "put the class elsewhere");
    refused(place.path(), &["class", "--each", "mine", "--exercise", "chess"], 2, "no exercise `chess`");
    refused(
        place.path(),
        &["class", "--each", "mine", "--roster", "wrong.csv"],
        3,
        "wrong.csv:2: `soon` is not a date",
    );
    // After all that the class can still be made.
    let (code, text) = init(place.path(), &["class", "--each", "mine"]);
    assert_eq!(code, 0, "{text}");
}
