//! Downloads of each learning platform become the same class.

use crate::running::{assert_says, folder, keur_command, root, run, succeed, unwrapped, write_files};
use keur::class::{Access, ClassFolder, Store, Student, Taken};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// The exit code and the output of `keur class init CLASS` with more arguments; paths are relative to
/// `place`.
fn init(place: &Path, args: &[&str]) -> (i32, String) {
    let run = run(keur_command(&["class", "init"]).args(args).current_dir(place));
    (run.code, unwrapped(&run.all()))
}

#[track_caller]
fn refused(place: &Path, args: &[&str], exit: i32, why: &str) {
    let (code, text) = init(place, args);
    assert_eq!(code, exit, "{text}");
    assert_says(&text, why);
}

fn rows(class: &Path) -> (Vec<Student>, Vec<Taken>) {
    let store = Store::open(&ClassFolder::open(class).unwrap(), Access::Read).unwrap();
    (store.students().unwrap(), store.taken().unwrap())
}

/// The family name of a student, which each platform writes in some way.
fn family(name: &str) -> String {
    let plain = name.replace(['\'', ','], "");
    [
        "Peeters", "De Smet", "Li", "Yılmaz", "Hansen", "Kjær", "DHondt", "Vermeulen", "El Amrani", "ONeill",
        "Berghe", "Claes",
    ]
    .into_iter()
    .find(|family| plain.split(' ').any(|part| family.ends_with(part)))
    .unwrap()
    .to_owned()
}

/// The language or the problem of each student's last attempt, by family name.
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
    put("deep_alone", "work.zip", &zip(&[(&("d/".repeat(2_500) + "a.py"), good), ("notes.txt", b"")]));
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
        "An", "deep_js", "deep_py", "long_path", "deep_path", "long_name", "plain", "stored", "inner",
        "found_mark_in_photo", "comment_with_end", "duplicates", "link",
    ] {
        assert_eq!(problems[student], None, "{student}");
    }
    for (student, why) in [
        ("deep_alone", "NothingRead"),
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
fn the_content_of_a_photo_does_not_matter_for_the_download() {
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
        ("El Amrani", "python"),
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
            "2 cannot be read",
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
            let digest = keur::class::read_submission_digest(one, &folder).unwrap();
            assert_eq!(digest, one.files, "{}", folder.display());
        }
    }
}

#[test]
fn the_fixtures_are_what_the_generator_makes() {
    let place = tempfile::tempdir().unwrap();
    let script = fixture("downloads/generate.py");
    let generate = |args: &[&str]| {
        succeed(Command::new("python3").arg(&script).args(args).current_dir(place.path()));
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
fn new_submissions_are_added_and_others_stay() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write_files(place.path(), &[(name, text)]);
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
        assert_says(&text, part);
    }
    let (students, taken) = rows(&place.path().join("class"));
    // Cem is on the roster before anything of Cem is taken in.
    let folders: Vec<&str> = taken.iter().map(|taken| taken.folder.as_str()).collect();
    assert_eq!(folders, ["Cem#1", "an#1", "an#2", "bo#1"]);
    assert_eq!(students.iter().filter(|student| student.on_roster).count(), 4);
    // Without a number or a time, what is given last counts, also if it was handed in before.
    for (given, parts) in [
        (
            "one",
            [
                "1 handed in again, 1 submission known already",
                "1 handed in before, and what was given last counts",
            ],
        ),
        ("one", ["2 submissions known already", "1 handed in nothing"]),
    ] {
        let (code, text) = init(place.path(), &["class", "--each", given]);
        assert_eq!((code, parts.map(|part| text.contains(part))), (0, [true; 2]), "{text}");
        let (_, taken) = rows(&place.path().join("class"));
        let an: Vec<(u32, &str)> = taken
            .iter()
            .filter(|taken| taken.student == "an")
            .map(|taken| (taken.attempt, taken.folder.as_str()))
            .collect();
        assert_eq!(an, [(1, "an#1"), (2, "an#2"), (3, "an#1")]);
    }
    // Names that differ are two students.
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
fn shards_that_cannot_be_taken_in_are_refused_with_advice() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("mine/an")).unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("an.py"), "").unwrap();
    fs::write(place.path().join("wrong.csv"), "name,due\nAn,soon\n").unwrap();
    refused(place.path(), &["class"], 2, "name the submissions, or a roster (--each, --roster)");
    refused(place.path(), &["class", "--each", "nowhere"], 2, "there is no such file or folder");
    refused(place.path(), &["class", "--each", "an.py"], 2, "is no folder or zip of submissions");
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

/// Writes a download in the folder `place/name`: files, each with who wrote it as its text.
fn download(place: &Path, name: &str, files: &[(&str, &str)]) {
    for (path, text) in files {
        write_files(&place.join(name), &[(path, &format!("{text}\n"))]);
    }
}

/// The files of each attempt that was taken in, each as `name=text`, by the folder of the attempt. One
/// without files is contested.
fn attempts(class: &Path) -> BTreeMap<String, String> {
    let names = |folder: &Path| -> Vec<PathBuf> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    };
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    names(&class.join("submissions"))
        .iter()
        .map(|folder| {
            let file =
                |path: &PathBuf| format!("{}={}", name(path), fs::read_to_string(path).unwrap().trim());
            (name(folder), names(folder).iter().map(file).collect::<Vec<_>>().join(" "))
        })
        .collect()
}

/// Takes in a download, and compares the exit code and what became of its files.
#[track_caller]
fn check(files: &[(&str, &str)], roster: &str, exit: i32, expected: &[(&str, &str)]) {
    let place = tempfile::tempdir().unwrap();
    download(place.path(), "given", files);
    fs::write(place.path().join("roster.csv"), roster).unwrap();
    let args = ["class", "--each", "given", "--exercise", "codenames", "--roster", "roster.csv"];
    let (code, text) = init(place.path(), &args[..if roster.is_empty() { 5 } else { 7 }]);
    assert_eq!(code, exit, "{text}");
    let expected = expected.iter().map(|(folder, files)| ((*folder).to_owned(), (*files).to_owned()));
    assert_eq!(attempts(&place.path().join("class")), expected.collect(), "{text}");
}

#[test]
fn a_file_that_imitates_a_platform_stays_with_its_student() {
    let forged = "Bo Li_102_assignsubmission_file_prime.py";
    let theirs = |own: &str| format!("{own}=zed");
    let moodle = format!("Zed Bad_103_assignsubmission_file_{forged}");
    check(
        &[(forged, "bo"), (&moodle, "zed")],
        "",
        0,
        &[("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", &theirs(forged))],
    );
    let canvas = format!("badzed_103_901_{forged}");
    check(
        &[("libo_102_900_prime.py", "bo"), (&canvas, "zed")],
        "",
        0,
        &[("libo#1", "prime.py=bo"), ("badzed#1", &theirs(forged))],
    );
    let brightspace = format!("103-7 - Zed Bad - 3 November 2026 758 PM - {forged}");
    check(
        &[("102-7 - Bo Li - 3 November 2026 757 PM - prime.py", "bo"), (&brightspace, "zed")],
        "",
        0,
        &[("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", &theirs(forged))],
    );
    // On Blackboard the text about an attempt has the name. Neither a file nor a later line of the text is
    // believed.
    let about = "Lab_bli_attempt_2026-11-03-10-12-33.txt";
    let blackboard = format!("Lab_zed_attempt_2026-11-03-10-12-34_{about}");
    check(
        &[
            ("Lab_bli_attempt_2026-11-03-10-12-33_prime.py", "bo"),
            (about, "Name: Bo Li (bli)"),
            (&blackboard, "Name: Zed Bad (bli)"),
            ("Lab_zed_attempt_2026-11-03-10-12-34.txt", "Name: Zed Bad (zed)\nComments: Name: Bo Li (zed)"),
        ],
        "",
        0,
        &[("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", &format!("{about}=Name: Zed Bad (bli)"))],
    );
}

#[test]
fn a_name_that_imitates_a_platform_takes_nothing_from_others() {
    let roster = "id,name\n102,Bo Li\n103,Zed Bad\n";
    check(
        &[
            ("Bo Li_102_assignsubmission_file_/prime.py", "bo"),
            ("Bo Li_102_103_assignsubmission_file_/prime.py", "zed"),
        ],
        roster,
        0,
        &[("Bo Li#1", "prime.py=bo"), ("Bo Li_102#1", "prime.py=zed")],
    );
    // A name on Canvas may end in a number: the entry may be Bo's, or that of the student with the number
    // after it.
    check(
        &[("libo_102_900_prime.py", "bo"), ("libo_102_103_901_prime.py", "zed")],
        roster,
        1,
        &[("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", "")],
    );
    check(
        &[
            ("Lab_an_li_attempt_2026-11-03-10-12-33_a.py", "an"),
            ("Lab_bo_li_attempt_2026-11-03-10-12-33_a.py", "bo"),
        ],
        "",
        0,
        &[("an_li#1", "a.py=an"), ("bo_li#1", "a.py=bo")],
    );
    // Zed calls himself as Bo is called, and comes first.
    check(
        &[
            ("Bo Li_101_assignsubmission_file_/prime.py", "zed"),
            ("Bo Li_102_assignsubmission_file_/prime.py", "bo"),
            ("B\u{200b}o Li_104_assignsubmission_file_/prime.py", "eve"),
        ],
        "id,name\n102,Bo Li\n101,Zed Bad\n",
        1,
        &[("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", ""), ("Bo Li (104)#1", "prime.py=eve")],
    );
}

#[test]
fn entries_that_claim_one_attempt_are_a_conflict_until_it_is_settled() {
    check(
        &[
            ("An Maes_101_assignsubmission_file_/prime.py", "an"),
            ("An Maes_101_assignsubmission_onlinetext_/text.html", "an"),
            ("Bo Li_102_assignsubmission_file_/prime.py", "bo"),
            ("Zed Bad_102_assignsubmission_file_/prime.py", "zed"),
            ("Cem Kaya_105_assignsubmission_file_/prime.py", "cem"),
            ("Cem Kaya_105_assignsubmission_file_prime.py", "cem"),
        ],
        "",
        1,
        &[("An Maes#1", "prime.py=an text.html=an"), ("Bo Li#1", ""), ("Zed Bad#1", ""), ("Cem Kaya#1", "")],
    );
    let place = tempfile::tempdir().unwrap();
    let given = |name: &str| init(place.path(), &["class", "--each", name]);
    let class = place.path().join("class");
    let latest = || {
        let (_, taken) = rows(&class);
        let an = taken.into_iter().rfind(|taken| taken.student == "an").unwrap();
        (an.attempt, an.problem)
    };
    download(place.path(), "one", &[("an.py", "class Spelbord: 1"), ("bo.py", "class Spelbord: 2")]);
    download(
        place.path(),
        "two",
        &[("an .py", "class Spelbord: 3"), ("an.py", "class Spelbord: 1"), ("cem.py", "class Spelbord: 4")],
    );
    for text in [given("two"), given("two")] {
        assert_eq!(text.0, 1, "{}", text.1);
        for part in [
            "not taken in: an .py, an.py: they are the same attempt of an",
            "not graded until this is settled: an",
            "leave one entry",
        ] {
            assert_says(&text.1, part);
        }
        assert_eq!(latest(), (1, Some("\"Contested\"".to_owned())));
    }
    assert_eq!(given("one").0, 0);
    assert_eq!(latest(), (2, None));
    // What was handed in before still counts.
    let (code, text) = given("two");
    assert!(code == 1 && text.contains("an earlier submission still counts: an"), "{text}");
    assert!(!text.contains("not graded"), "{text}");
    assert_eq!(latest(), (2, None));
    fs::remove_file(place.path().join("two/an .py")).unwrap();
    fs::write(place.path().join("two/an.py"), "class Spelbord: 5\n").unwrap();
    for count in ["1 handed in again, 1 submission known already", "2 submissions known already"] {
        let (code, text) = given("two");
        assert_eq!((code, text.contains(count)), (0, true), "{text}");
        assert_eq!(latest(), (3, None));
    }
    assert_eq!(given("one").0, 0);
    assert_eq!(latest(), (4, None));
}

/// A download that is given to a class after others.
struct Given<'a> {
    files: &'a [(&'a str, &'a str)],
    exit: i32,
    /// The submissions that the class then has.
    expected: &'a [(&'a str, &'a str)],
}

/// Gives downloads to a class one after another, each twice, the first with a roster.
#[track_caller]
fn in_turn(roster: &str, all: &[Given<'_>]) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("roster.csv"), roster).unwrap();
    for (number, given) in all.iter().enumerate() {
        let name = format!("given {number}");
        download(place.path(), &name, given.files);
        for _ in 0..2 {
            let mut args =
                vec!["class", "--each", &name, "--exercise", "codenames", "--roster", "roster.csv"];
            args.truncate(match (number, place.path().join("class").exists(), roster) {
                (_, true, _) => 3,
                (_, false, "") => 5,
                (_, false, _) => 7,
            });
            let (code, text) = init(place.path(), &args);
            assert_eq!(code, given.exit, "{name}: {text}");
            let expected = given.expected.iter().map(|(folder, files)| ((*folder).into(), (*files).into()));
            assert_eq!(attempts(&place.path().join("class")), expected.collect(), "{name}: {text}");
        }
    }
}

const CLASS: &str = "id,name\n101,An Maes\n102,Bo Li\n103,Zed Bad\n";

#[test]
fn a_forged_file_name_takes_nothing_from_who_handed_in_before_or_later() {
    for (bo, later, forged, own) in [
        (
            "libo_102_901_prime.py",
            "libo_102_950_prime.py",
            "badzed_103_902_libo_102_901_prime.py",
            "libo_102_901_prime.py",
        ),
        (
            "Bo Li_102_assignsubmission_file_prime.py",
            "Bo Li_102_assignsubmission_file_prime.py",
            "Zed Bad_103_assignsubmission_file_Bo Li_102_assignsubmission_file_prime.py",
            "Bo Li_102_assignsubmission_file_prime.py",
        ),
        (
            "102-7 - Bo Li - 3 November 2026 757 PM - prime.py",
            "102-7 - Bo Li - 3 November 2026 857 PM - prime.py",
            "103-7 - Zed Bad - 3 November 2026 758 PM - 102-7 - Bo Li - 3 November 2026 958 PM - prime.py",
            "102-7 - Bo Li - 3 November 2026 958 PM - prime.py",
        ),
        (
            "Lab_102_attempt_2026-11-03-10-12-33_prime.py",
            "Lab_102_attempt_2026-11-03-11-12-33_prime.py",
            "Lab_103_attempt_2026-11-03-10-12-34_Lab_102_attempt_2026-11-03-12-12-33_prime.py",
            "Lab_102_attempt_2026-11-03-12-12-33_prime.py",
        ),
    ] {
        let zed = format!("{own}=zed");
        let both = [("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", &zed)];
        let three = [both[0], ("Bo Li#2", "prime.py=later"), both[1]];
        // Without Bo's own entry a name on Canvas may be Bo's too: nothing changes then.
        let alone = i32::from(forged.starts_with("badzed"));
        in_turn(
            CLASS,
            &[
                Given { files: &[(bo, "bo"), (forged, "zed")], exit: 0, expected: &both },
                Given { files: &[(forged, "zed")], exit: alone, expected: &both },
                Given { files: &[(later, "later")], exit: 0, expected: &three },
                Given { files: &[(forged, "zed")], exit: alone, expected: &three },
            ],
        );
    }
    // What is decided does not depend on earlier downloads: without a roster the first number counts.
    let forged = "badzed_103_902_libo_102_901_prime.py";
    let zed = ("badzed#1", "libo_102_901_prime.py=zed");
    for first in [&[("libo_102_901_prime.py", "bo")][..], &[(forged, "zed")]] {
        let mut first_has = vec![if first[0].1 == "bo" { ("libo#1", "prime.py=bo") } else { zed }];
        first_has.sort_unstable();
        let both = [zed, ("libo#1", "prime.py=bo")];
        in_turn(
            "",
            &[
                Given { files: first, exit: 0, expected: &first_has },
                Given {
                    files: &[("libo_102_901_prime.py", "bo"), (forged, "zed")],
                    exit: 0,
                    expected: &both,
                },
                Given { files: &[(forged, "zed")], exit: 0, expected: &both },
            ],
        );
        // A number that only a download gave is none of the roster.
        let named = [("Bo Li#1", "prime.py=bo"), ("Zed Bad#1", zed.1)];
        let first_has = [if first[0].1 == "bo" { named[0] } else { named[1] }];
        in_turn(
            "name\nBo Li\nZed Bad\n",
            &[
                Given { files: first, exit: 0, expected: &first_has },
                Given {
                    files: &[("libo_102_901_prime.py", "bo"), (forged, "zed")],
                    exit: 0,
                    expected: &named,
                },
                Given { files: &[(forged, "zed")], exit: 0, expected: &named },
            ],
        );
    }
}

#[test]
fn a_forged_name_on_canvas_takes_nothing_from_who_handed_in_before_or_later() {
    // Canvas writes these before each file of Zed's, who has the number 103.
    for name in ["libo_102", "libo_102_7", "libo_102_9_x", "xxx_102_7", "libo_102_101"] {
        let forged = format!("{name}_103_902_prime.py");
        let bo = ("Bo Li#1", "prime.py=bo");
        let later = ("Bo Li#2", "prime.py=later");
        let both = [("libo_102_901_prime.py", "bo"), ("maesan_101_900_prime.py", "an"), (&forged, "zed")];
        let an = ("An Maes#1", "prime.py=an");
        let zed = ("Zed Bad#1", "");
        in_turn(
            CLASS,
            &[
                Given { files: &both, exit: 1, expected: &[an, bo, zed] },
                Given { files: &both[1..], exit: 1, expected: &[an, bo, zed] },
                Given {
                    files: &[("libo_102_950_prime.py", "later")],
                    exit: 0,
                    expected: &[an, bo, later, zed],
                },
                Given {
                    files: &[("badzed_103_960_prime.py", "zed")],
                    exit: 0,
                    expected: &[an, bo, later, zed, ("Zed Bad#2", "prime.py=zed")],
                },
                Given {
                    files: &both[1..],
                    exit: 1,
                    expected: &[an, bo, later, zed, ("Zed Bad#2", "prime.py=zed")],
                },
            ],
        );
    }
    // Another name does not make the one unclear that Canvas wrote, without a roster either.
    in_turn(
        "",
        &[Given {
            files: &[("libo_102_901_prime.py", "bo"), ("xxx_102_7_103_902_prime.py", "zed")],
            exit: 1,
            expected: &[("libo#1", "prime.py=bo"), ("xxx#1", "")],
        }],
    );
}

#[test]
fn numbers_in_names_of_files_are_the_students_own_affair() {
    let files = [
        ("peetersjan_123_456_12345_67890_prime.py", "jan"),
        ("libo_124_457_67890_prime.py", "bo"),
        ("libo_124_458_12345_67890_more.py", "bo"),
    ];
    let expected = [
        ("Bo Li#1", "12345_67890_more.py=bo 67890_prime.py=bo"),
        ("Jan Peeters#1", "12345_67890_prime.py=jan"),
    ];
    let given = [Given { files: &files, exit: 0, expected: &expected }];
    // The numbers of the university, beside those of Canvas and without them.
    in_turn("id,student number,name\n123,12345,Jan Peeters\n124,67890,Bo Li\n", &given);
    in_turn("id,name\n12345,Jan Peeters\n67890,Bo Li\n", &given);
    // A number of Canvas is that of another student at the university, but Jan and Bo have handed in
    // themselves.
    let an = ("maesan_130_459_prime.py", "an");
    in_turn(
        "id,name\n12345,Jan Peeters\n67890,Bo Li\n130,An Maes\n",
        &[Given {
            files: &[files[0], files[1], files[2], an],
            exit: 0,
            expected: &[expected[0], expected[1], ("An Maes#1", "prime.py=an")],
        }],
    );
}

#[test]
fn a_roster_is_remembered_with_its_accounts() {
    let roster = "student number,username,name\nS1,li99,Bo Li\n";
    let first = Given {
        files: &[
            ("Lab_zed_attempt_2026-11-03-10-12-33_a.py", "zed"),
            ("Lab_an_attempt_2026-11-03-10-12-33_a.py", "an"),
        ],
        exit: 0,
        expected: &[("zed#1", "a.py=zed"), ("an#1", "a.py=an")],
    };
    let second = Given {
        files: &[("Lab_li99_attempt_2026-11-03-10-12-33_a.py", "bo")],
        exit: 0,
        expected: &[("zed#1", "a.py=zed"), ("an#1", "a.py=an"), ("Bo Li#1", "a.py=bo")],
    };
    in_turn(roster, &[first, second]);
}

#[test]
fn an_unreadable_submission_is_known_by_its_reason() {
    let place = tempfile::tempdir().unwrap();
    let an = place.path().join("given/An");
    fs::create_dir_all(&an).unwrap();
    let latest = |count: &str| {
        let (code, text) = init(place.path(), &["class", "--each", "given"]);
        assert!(code == 0 && text.contains(count), "{text}");
        let taken = rows(&place.path().join("class")).1;
        let folders = fs::read_dir(place.path().join("class/submissions")).unwrap().count();
        assert_eq!(folders, taken.len(), "{text}");
        taken.last().unwrap().problem.clone().unwrap_or_default()
    };
    fs::write(an.join("a.zip"), "none").unwrap();
    for count in ["1 new submission", "1 submission known already"] {
        assert!(latest(count).contains("BadZip"));
    }
    fs::remove_file(an.join("a.zip")).unwrap();
    fs::write(an.join("a.py"), vec![b' '; 17 << 20]).unwrap();
    for number in 0..17 {
        fs::write(an.join(format!("{number}.py")), vec![b' '; 1 << 20]).unwrap();
    }
    for count in ["1 handed in again", "1 submission known already"] {
        assert!(latest(count).contains("TooLargeTogether"));
    }
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        // A name that this system takes, but not in the characters that the class has for it.
        fs::remove_dir_all(&an).unwrap();
        fs::create_dir_all(&an).unwrap();
        let name = [&[0xff; 200], b".py".as_slice()].concat();
        fs::write(an.join(std::ffi::OsStr::from_bytes(&name)), "x = 1\n").unwrap();
        for count in ["1 handed in again", "1 submission known already", "1 submission known already"] {
            assert!(latest(count).contains("Unreadable"));
        }
        fs::write(an.join("b.py"), "").unwrap();
        assert!(latest("1 submission known already").contains("Unreadable"));
    }
}

#[test]
fn one_platform_named_a_download_and_the_option_says_which() {
    let place = tempfile::tempdir().unwrap();
    let moodle = "Bo Li_102_assignsubmission_file_1_2_prime.py";
    download(place.path(), "either", &[(moodle, "bo")]);
    download(place.path(), "mixed", &[(moodle, "bo"), ("Lab_zed_attempt_2026-11-03-10-12-33_a.py", "zed")]);
    download(place.path(), "few", &[("an.py", "an"), ("bo.py", "bo"), (moodle, "cem")]);
    let each = |name: &'static str| ["class", "--each", name, "--exercise", "codenames"];
    refused(
        place.path(),
        &each("either"),
        2,
        "either: its names may be those of Moodle or of Canvas; say which (--platform)",
    );
    refused(
        place.path(),
        &each("mixed"),
        2,
        "several platforms (1 of Moodle, 1 of Canvas, 1 of Blackboard); give each download by itself",
    );
    refused(
        place.path(),
        &[&each("either")[..], &["--platform", "blackboard"]].concat(),
        2,
        "no name in it is one of Blackboard's",
    );
    refused(
        place.path(),
        &[&each("either")[..], &["--platform", "ilias"]].concat(),
        2,
        "expected moodle, canvas, blackboard, brightspace or none",
    );
    for (download, platform, student) in [
        ("either", "moodle", "Bo Li#1"),
        ("either", "canvas", "Bo Li_102_assignsubmission_file#1"),
        ("mixed", "blackboard", "zed#1"),
        ("few", "none", "an#1"),
    ] {
        let class = format!("{download}-{platform}");
        let args = [&class, "--each", download, "--exercise", "codenames", "--platform", platform];
        let (code, text) = init(place.path(), &args);
        assert_eq!(code, 0, "{text}");
        assert!(attempts(&place.path().join(&class)).contains_key(student), "{text}");
    }
    let (code, text) = init(place.path(), &each("few"));
    assert_eq!((code, text.contains("look like those of Moodle")), (0, true), "{text}");
}

#[test]
#[cfg(unix)]
fn a_name_is_shown_on_one_line() {
    let place = tempfile::tempdir().unwrap();
    let odd = "x\n::error::forged\u{1b}[2J\u{202e}##[error]";
    let csv = format!("{odd}.csv");
    let twice = [format!("{odd}.py"), format!("{odd} .py")];
    download(place.path(), "some", &[("an.py", "an"), (&csv, "")]);
    download(place.path(), "none", &[(&csv, "")]);
    download(place.path(), "twice", &[(&twice[0], "an"), (&twice[1], "an")]);
    for (download, exit) in [("some", 0), ("none", 2), ("twice", 1)] {
        let class = format!("class of {download}");
        let init = ["class", "init", &class, "--each", download, "--exercise", "codenames"];
        let run = run(keur_command(&init).current_dir(place.path()));
        assert_eq!(run.code, exit);
        let text = run.all();
        assert_says(&text, "x␊::error::forged␛[2J\\u202e## [error]");
        let acts = |ch: char| ch.is_control() || ch == '\u{202e}';
        assert!(text.lines().all(|line| !line.starts_with("::") && !line.contains(acts)), "{text}");
    }
}

#[test]
fn a_class_answers_one_exercise_unless_it_is_to_answer_any() {
    let place = tempfile::tempdir().unwrap();
    let files = [
        ("An_1_assignsubmission_file_/codenames.py", "class Spelbord: pass"),
        ("Bo_2_assignsubmission_file_/quixo.js", "class Quixo {}"),
        ("Cem_3_assignsubmission_file_/codenames.py", "class Spelbord: 1"),
    ];
    download(place.path(), "given", &files);
    let args = ["class", "--each", "given"];
    let why = "several exercises: codenames (2), quixo (1: Bo); nothing is taken in. Name the exercise codenames, or";
    refused(place.path(), &args, 2, why);
    assert!(!place.path().join("class/class.db").exists());
    let answers = |class: &str| {
        let (_, taken) = rows(&place.path().join(class));
        taken.into_iter().map(|taken| taken.exercise.unwrap_or_default()).collect::<Vec<_>>()
    };
    let (code, text) = init(place.path(), &[&args[..], &["--exercise", "any"]].concat());
    assert_eq!(code, 0, "{text}");
    assert_eq!(answers("class"), ["codenames", "quixo", "codenames"]);
    let settings = fs::read_to_string(place.path().join("class/class.toml")).unwrap();
    assert_says(&settings, "exercise = \"any\"");
    // A class of a roster alone gets its exercise with the first submissions, and keeps it.
    fs::write(place.path().join("roster.csv"), "id,name\n1,An\n2,Bo\n").unwrap();
    assert_eq!(init(place.path(), &["later", "--roster", "roster.csv"]).0, 0);
    refused(place.path(), &["later", "--each", "given"], 2, why);
    download(place.path(), "first", &files[..1]);
    let (code, text) = init(place.path(), &["later", "--each", "first"]);
    assert_eq!((code, text.contains("exercise codenames")), (0, true), "{text}");
    let settings = fs::read_to_string(place.path().join("later/class.toml")).unwrap();
    assert!(settings.starts_with("exercise = \"codenames\"\n"), "{settings}");
    let (code, text) = init(place.path(), &["later", "--each", "given"]);
    assert_eq!(code, 0, "{text}");
    assert!(answers("later").iter().all(|exercise| exercise != "quixo"), "{text}");
}

#[test]
fn nothing_of_a_zip_is_dropped_without_a_word() {
    let place = tempfile::tempdir().unwrap();
    let good = b"class Spelbord: pass\n".as_slice();
    let long = format!("Bo Li_102_assignsubmission_file_{}.py", "\u{4e2d}".repeat(80));
    let names = [
        "An_101_assignsubmission_file_codenames.py",
        &long,
        "../x.py",
        "C:\\y.py",
        "Cem_103_assignsubmission_file_/../z.py",
    ];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, good)).collect();
    fs::write(place.path().join("given.zip"), zip(&files)).unwrap();
    let (code, text) = init(place.path(), &["class", "--each", "given.zip"]);
    assert_eq!(code, 0, "{text}");
    assert_says(&text, "2 cannot be read, and the report says why: Bo Li, Cem");
    for name in ["2 skipped, because no student's:", "../x.py", "y.py"] {
        assert_says(&text, name);
    }
    let (_, taken) = rows(&place.path().join("class"));
    let bo = taken.iter().find(|taken| taken.student == "Bo Li").unwrap();
    assert!(bo.skipped.as_ref().unwrap().contains("Unkept"), "{bo:?}");
}

#[test]
#[cfg(unix)]
fn an_exercise_has_the_limits_of_a_submission() {
    let exercise = "title = \"Sums\"\nsession = \"python\"\n\n[files]\npython = [\"sums.py\"]\n\n[function]\nup = { args = [\"n\"] }\n";
    let case = "title = \"Up\"\n\n[[step]]\ndo = \"up(1)\"\nreturns = 2\n";
    let place = folder(&[("cases/sums/exercise.toml", exercise), ("cases/sums/up.toml", case)]);
    let cases = place.path().join("cases/sums");
    download(place.path(), "given", &[("an/sums.py", "def up(n): return n + 1")]);
    let sparse = fs::File::create(cases.join("data.bin")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let args = ["class", "--each", "given", "--cases", "cases"];
    refused(place.path(), &args, 2, "an exercise has the limits of a submission");
    sparse.set_len(1 << 20).unwrap();
    assert_eq!(init(place.path(), &args).0, 0);
}

/// The text of the file that counts, by student.
fn counts(class: &Path) -> BTreeMap<String, String> {
    let (_, taken) = rows(class);
    let text = |taken: Taken| {
        let file = class.join("submissions").join(&taken.folder).join("codenames.py");
        (taken.student, fs::read_to_string(file).unwrap().trim().to_owned())
    };
    taken.into_iter().map(text).collect()
}

#[test]
fn the_third_hand_in_counts_also_if_it_is_the_first_one_again() {
    // Each name has a place for the platform's number or time of the attempt, if it writes one.
    for (name, moments) in [
        ("Bo Li_102_assignsubmission_file_codenames.py", ["", "", ""]),
        ("libo_102_AT_codenames.py", ["901", "950", "1000"]),
        ("102-7 - Bo Li - 3 November 2026 AT PM - codenames.py", ["657", "757", "857"]),
        ("Lab_102_attempt_2026-11-03-AT-12-33_codenames.py", ["10", "11", "12"]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let class = place.path().join("class");
        for (given, (moment, text)) in moments.iter().zip(["a", "b", "a"]).enumerate() {
            let text = format!("class Codenames: {text}");
            download(place.path(), &given.to_string(), &[(&name.replace("AT", moment), &text)]);
        }
        let given = |which: &[&str]| {
            let (code, text) = init(place.path(), &[&["class", "--each"], which].concat());
            assert_eq!(code, 0, "{text}");
            text
        };
        let is_dated = !moments[0].is_empty();
        for (which, at_end, said) in [
            (["0"].as_slice(), "a", false),
            (&["1"], "b", !is_dated),
            (&["2"], "a", !is_dated),
            (&["0", "1", "2"], "a", false),
            // An older download changes nothing if the platform says that it is older.
            (&["1"], if is_dated { "a" } else { "b" }, !is_dated),
            (&["0", "1"], if is_dated { "a" } else { "b" }, false),
        ] {
            let text = given(which);
            let count: Vec<String> = counts(&class).into_values().collect();
            assert_eq!(count, [format!("class Codenames: {at_end}")], "{name}: {which:?}: {text}");
            assert_eq!(text.contains("what was given last counts"), said, "{name}: {which:?}: {text}");
        }
        if !is_dated {
            continue;
        }
        // The latest first.
        fs::remove_dir_all(&class).unwrap();
        given(&["1"]);
        assert!(given(&["0"]).contains("1 handed in before the one that counts"));
        assert_eq!(counts(&class).into_values().collect::<Vec<_>>(), ["class Codenames: b"]);
    }
}
