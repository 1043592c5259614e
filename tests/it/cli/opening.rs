//! Messages about a path that keur cannot grade: what, where and what to do, in the reader's language.

use super::{CASE, COUNTER, EXERCISE, check_file, library};
use crate::running::{assert_says, folder, keur};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Checks the exit code of grading `path` and a part of what a reader of each language sees, however its
/// lines are broken: nl, da and en.
#[track_caller]
fn check(path: &Path, more: &[&str], code: i32, says: [&str; 3]) {
    for (lang, says) in ["nl", "da", "en"].into_iter().zip(says) {
        let mut args = vec!["grade", path.to_str().unwrap(), "--lang", lang];
        args.extend(more);
        let run = keur(&args);
        assert_eq!(run.code, code, "{}{}", run.out, run.err);
        let words: Vec<&str> = run.out.split_whitespace().collect();
        assert!(words.join(" ").contains(says), "{says:?} is not in:\n{}{}", run.out, run.err);
    }
}

#[test]
fn an_unclear_exercise_is_explained_with_the_choices() {
    let folder =
        folder(&[("none.py", "x = 1\n"), ("both.py", "class Spelbord: pass\nclass YinYang: pass\n")]);
    let choices = "--exercise (alquerque, codenames, pipopipette, quixo, yinyang)";
    let none = ["kies met", "vælg med", "choose with"].map(|choose| format!("{choose} {choices}"));
    check(&folder.path().join("none.py"), &[], 2, none.each_ref().map(String::as_str));
    let near = folder.path().join("speelbord.py");
    fs::write(&near, "class Speelbord: pass\n").unwrap();
    let nearest = [
        "codenames komt het dichtst in de buurt, maar vraagt Spelbord, en speelbord.py definieert Speelbord; kies met",
        "codenames kommer tættest på, men beder om Spelbord, og speelbord.py definerer Speelbord; vælg med",
        "codenames comes nearest, but asks for Spelbord, and speelbord.py defines Speelbord; choose with",
    ];
    check(&near, &[], 2, nearest);
    let both = [
        "dit kan bij meer dan één opgave horen (codenames, yinyang)",
        "dette kan høre til mere end én opgave (codenames, yinyang)",
        "this could answer more than one exercise (codenames, yinyang)",
    ];
    check(&folder.path().join("both.py"), &[], 2, both);
    let gone =
        ["dat bestand of die map bestaat niet", "den fil eller mappe findes ikke", "there is no such file"];
    check(&folder.path().join("gone.py"), &[], 2, gone);
}

#[test]
fn long_lists_of_names_are_cut_off() {
    let files: Vec<(String, &str)> =
        (0..7).map(|index| (format!("it{index}/exercise.toml"), EXERCISE)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let library = folder(&files);
    let folder = folder(&[("a.py", "x = 1\n")]);
    let cases = ["--cases", library.path().to_str().unwrap()];
    let says = ["it3, it4 en nog 2)", "it3, it4 og 2 mere)", "it3, it4 and 2 more)"];
    check(&folder.path().join("a.py"), &cases, 2, says);
}

/// A zip of files, each with its text.
fn zip(path: &Path, files: &[(&str, &str)]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn a_zip_that_cannot_be_unpacked_says_why() {
    let library = library(EXERCISE, CASE);
    let cases = ["--cases", library.path().to_str().unwrap()];
    let folder = folder(&[]);
    let path = folder.path().join("work.zip");
    let damaged = [
        "beschadigd of is geen zip: pak",
        "beskadiget eller er ikke en zip-fil: pak",
        "damaged, or is not a zip: pack",
    ];
    zip(&path, &[("counter.py", COUNTER)]);
    let whole = fs::read(&path).unwrap();
    // Cut off, with a byte of the packed file changed, and something else entirely.
    let mut changed = whole.clone();
    changed[60] ^= 0xff;
    for bytes in [&whole[..whole.len() / 2], &changed, b"not a zip"] {
        fs::write(&path, bytes).unwrap();
        check(&path, &cases, 1, damaged);
    }
    // In both headers of the file: the flag of a password, and an unknown way of packing.
    let directory = whole.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    let with = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        (bytes[at], bytes[directory + at + 2]) = (value, value);
        bytes
    };
    fs::write(&path, with(6, 1)).unwrap();
    check(
        &path,
        &cases,
        1,
        ["beveiligd met een wachtwoord", "beskyttet med en adgangskode", "needs a password"],
    );
    fs::write(&path, with(8, 14)).unwrap();
    check(
        &path,
        &cases,
        1,
        ["een manier die niet gelezen", "en måde, der ikke kan læses", "a way that cannot be read"],
    );
}

#[test]
fn submissions_that_are_too_large_name_the_limit() {
    let library = library(EXERCISE, CASE);
    let cases = ["--cases", library.path().to_str().unwrap()];
    let folder = folder(&[("a/counter.py", COUNTER), ("b/counter.py", COUNTER)]);
    let [a, b, packed] = ["a", "b", "c.zip"].map(|name| folder.path().join(name));
    let large = format!("{COUNTER}#{}\n", "x".repeat(1 << 20));
    fs::write(a.join("counter.py"), &large).unwrap();
    let too_large =
        ["counter.py is groter dan 1 MB", "counter.py er større end 1 MB", "counter.py is larger than 1 MB"];
    check(&a, &cases, 1, too_large);
    zip(&packed, &[("counter.py", &large)]);
    check(&packed, &cases, 1, too_large);
    let modules = (0..9).map(|index| format!("import m{index}\n")).collect::<String>();
    fs::write(b.join("counter.py"), modules + COUNTER).unwrap();
    (0..9).for_each(|index| fs::write(b.join(format!("m{index}.py")), &large[..1 << 20]).unwrap());
    let together = ["samen groter dan 8 MB", "tilsammen større end 8 MB", "larger than 8 MB together"];
    check(&b, &cases, 1, together);
}

#[test]
fn an_empty_folder_or_zip_asks_for_a_file() {
    let folder = folder(&[]);
    let says = [
        "er zijn hier geen bestanden: dien",
        "der er ingen filer her: aflever",
        "there are no files here: hand in",
    ];
    check(folder.path(), &[], 1, says);
    zip(&folder.path().join("work.zip"), &[]);
    check(&folder.path().join("work.zip"), &["--exercise", "quixo"], 1, says);
}

#[test]
fn a_file_that_is_no_plain_text_says_how_to_save_it() {
    let folder = folder(&[]);
    let utf16 = |bytes: fn(u16) -> [u8; 2], start: &[u8]| {
        let text = "class Quixo:\n    pass  # een spel\n".encode_utf16().flat_map(bytes);
        start.iter().copied().chain(text).collect::<Vec<u8>>()
    };
    let saved = [
        "opgeslagen als UTF-16: sla het op als UTF-8",
        "gemt som UTF-16: gem den",
        "saved as UTF-16: save it",
    ];
    let binary = ["geen tekstbestand", "ikke en tekstfil", "not a text file"];
    let all: Vec<u8> = (0..=255).collect();
    for (bytes, says) in [
        (utf16(u16::to_le_bytes, b"\xff\xfe"), saved),
        (utf16(u16::to_be_bytes, b"\xfe\xff"), saved),
        (utf16(u16::to_le_bytes, b""), saved),
        (all, binary),
        (b"%PDF-1.7\n\0\0\0\0\0\0\0\0\0".to_vec(), binary),
    ] {
        let path = folder.path().join("mine.py");
        fs::write(&path, &bytes).unwrap();
        check(&path, &["--exercise", "quixo"], 1, says);
        if says == saved {
            check(&path, &[], 1, says);
        }
    }
    // A null is a character like any other in a string of JavaScript.
    let javascript = "class Counter {
      constructor(start = 0) { this.n = start + '\0'.length - 1; }
      countUp(by = 1) { this.n += by; return this; }
      value() { return this.n; }
    }
    ";
    check_file("counter.js", javascript, "passed", "");
}

#[test]
fn several_candidates_are_counted_and_the_requested_name_is_given() {
    let names = (0..9).map(|index| format!("f{index}.py"));
    let files: Vec<(String, &str)> = names.map(|name| (name, "x = 1\n")).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let says = [
        "f3.py, f4.py en nog 4; geef het juiste de gevraagde naam (quixo.py)",
        "f3.py, f4.py og 4 mere; giv den rigtige det navn, der er bedt om (quixo.py)",
        "f3.py, f4.py and 4 more; give the right one the requested name (quixo.py)",
    ];
    check(folder(&files).path(), &["--exercise", "quixo"], 1, says);
    files.extend([("a/quixo.py", "x = 1\n"), ("b/quixo.py", "x = 1\n")]);
    let says = [
        "a/quixo.py, b/quixo.py; dien er maar één van in",
        "a/quixo.py, b/quixo.py; aflever kun én af dem",
        "a/quixo.py, b/quixo.py; hand in only one of them",
    ];
    check(folder(&files).path(), &["--exercise", "quixo"], 1, says);
}

#[test]
fn two_programs_or_two_crates_have_no_points() {
    let program =
        "title = \"A program\"\nsession = \"python\"\nlang = \"en\"\n\n[programs]\npython = [\"it.py\"]\n";
    let case = "title = \"It runs\"\n\n[[step]]\nrun = \"it\"\nshows = \"1\"\n";
    let crates = [("a/Cargo.toml", ""), ("a/src/lib.rs", ""), ("b/Cargo.toml", ""), ("b/src/lib.rs", "")];
    for (exercise, case, files, found) in [
        (program, case, [("v1.py", "print(1)"), ("v2.py", "print(1)")].as_slice(), "v1.py, v2.py"),
        (program, case, &[("a/it.py", "print(1)"), ("b/it.py", "print(1)")], "a/it.py, b/it.py"),
        (EXERCISE, CASE, &crates, "a/Cargo.toml, b/Cargo.toml"),
    ] {
        let library = library(exercise, case);
        let folder = folder(files);
        let cases = ["--cases", library.path().to_str().unwrap()];
        let says = [
            "meerdere bestanden komen in aanmerking",
            "flere filer kan være besvarelsen",
            "several files could be the answer",
        ]
        .map(|text| format!("{text}: {found};"));
        check(folder.path(), &cases, 1, says.each_ref().map(String::as_str));
    }
}

#[test]
fn the_zip_of_a_class_is_graded_like_its_folder() {
    let library = library(EXERCISE, CASE);
    let wrong = COUNTER.replace("+= by", "-= by");
    let folder = folder(&[]);
    zip(&folder.path().join("cem.zip"), &[("counter.py", COUNTER), ("photo.png", "x")]);
    let inner = fs::read(folder.path().join("cem.zip")).unwrap();
    let path = folder.path().join("class (1).zip");
    let mut packed = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [
        ("class/B. de Boer_12/counter.py", wrong.as_bytes()),
        ("class/B. de Boer_12/extra/notes.txt", b"x"),
        ("class/an.py", COUNTER.as_bytes()),
        ("class/cem.zip", &inner),
        ("class/dirk.zip", b"not a zip"),
        ("__MACOSX/class/._an.py", b"x"),
        ("class/.DS_Store", b"x"),
        ("../els.py", b"x"),
    ] {
        packed.start_file(name, options).unwrap();
        packed.write_all(bytes).unwrap();
    }
    packed.add_directory("class/fleur", options).unwrap();
    packed.finish().unwrap();
    let path = path.to_str().unwrap();
    let cases = library.path().to_str().unwrap();
    let run = keur(&["grade", "--each", path, "--cases", cases, "--format", "json", "--lang", "en"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let json = run.json();
    let graded = json["submissions"].as_array().unwrap().iter().map(|one| {
        let error = one["error"]["message"].as_str().unwrap_or_default();
        (one["name"].as_str().unwrap(), one["passed"] == true, error)
    });
    assert_eq!(
        graded.collect::<Vec<_>>(),
        [
            ("B. de Boer_12", false, ""),
            ("an", true, ""),
            ("cem", true, ""),
            ("dirk", false, "dirk.zip is damaged, or is not a zip: pack your files again"),
            ("fleur", false, "there are no files here: hand in a source file (counter.js, counter.py)"),
        ]
    );
    // Whatever the zip is called, its only folder is the class.
    let renamed = folder.path().join("download.zip");
    fs::copy(path, &renamed).unwrap();
    let again = keur(&["grade", "--each", renamed.to_str().unwrap(), "--cases", cases, "--format", "csv"]);
    assert_eq!(again.out.lines().count(), 6, "{}{}", again.out, again.err);
    let one = |name: &str| keur(&["grade", &format!("{path}/class/{name}"), "--cases", cases]).code;
    assert_eq!((one("an.py"), one("B. de Boer_12"), one("nobody")), (0, 1, 1));
}

#[test]
fn each_takes_a_folder_or_a_zip() {
    let folder = folder(&[("an.py", COUNTER)]);
    zip(&folder.path().join("empty.zip"), &[]);
    fs::create_dir(folder.path().join("none")).unwrap();
    for (name, says) in [
        ("an.py", "--each takes a folder or a zip of submissions; to grade one submission, omit --each"),
        ("none", "the folder is empty"),
        ("empty.zip", "the zip is empty"),
        ("gone", "there is no such file or folder"),
    ] {
        let run = keur(&["grade", "--each", folder.path().join(name).to_str().unwrap()]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert_says(&run.err, says);
    }
}

/// The submissions that `keur test` finds in a folder of these files; the empty name is that of the folder
/// itself.
#[track_caller]
fn check_tests(files: &[(&str, &str)], names: &[&str]) {
    let library = library(EXERCISE, CASE);
    let folder = folder(files);
    let cases = ["--cases", library.path().to_str().unwrap()];
    for more in [cases.as_slice(), &["--exercise", "counters", "--cases", cases[1]]] {
        let mut args = vec!["test", folder.path().to_str().unwrap()];
        args.extend(more);
        let run = keur(&[args.as_slice(), &["--", "--list"]].concat());
        let tests = run.out.lines().filter_map(|line| line.strip_suffix("counters::counts: test"));
        let found: Vec<&str> = tests.map(|name| name.trim_end_matches("::")).collect();
        assert_eq!(found, names, "{}{}", run.out, run.err);
    }
}

#[test]
fn a_class_is_told_from_one_submission_by_where_its_answers_lie() {
    let helper = "def help():\n    pass\n";
    check_tests(&[("an/counter.py", COUNTER), ("bo/counter.py", COUNTER)], &["an", "bo"]);
    check_tests(&[("an/counter.py", COUNTER), ("bo/mine.py", COUNTER), ("cem/a.txt", "x")], &["an", "bo"]);
    check_tests(&[("an.py", COUNTER), ("bo.js", "class Counter {}")], &["an", "bo"]);
    check_tests(&[("counter.py", COUNTER), ("old.py", COUNTER), ("sub/counter.py", COUNTER)], &[""]);
    check_tests(&[("src/counter.py", COUNTER), ("helper.py", helper), ("lib/other.py", helper)], &[""]);
    check_tests(&[("src/counter.py", COUNTER), ("tests/test_counter.py", COUNTER)], &[""]);
}

#[test]
fn an_entry_of_a_class_that_cannot_be_tested_is_named() {
    let folder = folder(&[("an/quixo.py", COUNTER), ("bo/quixo.py", COUNTER), ("cem/other.py", "x = 1\n")]);
    let run = keur(&["test", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 101, "{}", run.out);
    assert_says(&run.out, "---- cem::can_be_graded ----\nit is not clear which exercise this answers");
}

#[test]
fn one_submission_that_may_be_a_class_comes_with_help() {
    let folder =
        folder(&[("an/quixo.py", "x = 1\n"), ("bo/quixo.py", "x = 1\n"), ("cem/yinyang.py", "x = 1\n")]);
    let path = folder.path().to_str().unwrap();
    let help = format!("help: if this is a class, grade each of its submissions: keur grade --each {path}\n");
    for more in [&[] as &[&str], &["--exercise", "quixo"]] {
        let run = keur(&[&["grade", path], more].concat());
        assert_eq!(run.err, help, "{}", run.out);
    }
    let one = format!("{path}/an");
    assert_eq!(keur(&["grade", &one]).err, "");
}
