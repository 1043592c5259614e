//! Classes that somebody else made: no link, pipe or setting in one reaches beyond it.

use super::Class;
use crate::running::assert_says;
use rustix::fs::{CWD, Mode, mkfifoat};
use std::fs;
use std::os::unix::fs::symlink;

/// The names that keur reads or writes in a class, each of which could be a link.
const OWN: [&str; 9] = [
    "cases", "class.db", "class.db-journal", "class.lock", "class.toml", "receipt.json", "receipt.json.sig",
    "shards", "submissions",
];

#[test]
fn a_link_or_a_pipe_in_a_class_is_refused_by_every_command() {
    let class = Class::small();
    let outside = class.home.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("movie.part"), "of the user").unwrap();
    let refused = |name: &str, what: &str| {
        for args in [
            &["init", "class", "--each", "download"][..],
            &["run", "class"],
            &["run", "class", "--shard", "1/2"],
            &["report", "class"],
            &["set", "points", "class", "An", "1", "--why", "x"],
            &["verify", "class"],
        ] {
            let output = class.keur(args);
            let said = output.err;
            assert_eq!(output.code, 2, "{args:?}: {said}");
            assert!(said.contains(&format!("class/{name}: is {what}")), "{args:?}: {said}");
        }
    };
    for name in OWN {
        let (path, aside) = (class.path(name), class.home.path().join("aside"));
        let is_there = path.exists();
        if is_there {
            fs::rename(&path, &aside).unwrap();
        }
        symlink(if aside.is_dir() { "../outside" } else { "../outside/movie.part" }, &path).unwrap();
        refused(name, "a link");
        fs::remove_file(&path).unwrap();
        mkfifoat(CWD, &path, Mode::RWXU).unwrap();
        refused(name, "neither a file nor a folder");
        fs::remove_file(&path).unwrap();
        if is_there {
            fs::rename(&aside, &path).unwrap();
        }
    }
    symlink("/etc/passwd", class.path("cases/counters/more.toml")).unwrap();
    refused("cases/counters/more.toml", "a link");
    fs::remove_file(class.path("cases/counters/more.toml")).unwrap();
    assert_eq!(fs::read_to_string(outside.join("movie.part")).unwrap(), "of the user");
    assert_eq!(fs::read_dir(outside).unwrap().count(), 1);
    class.run(&[], 0);
}

#[test]
fn a_journal_has_no_file_of_the_user_deleted() {
    let class = Class::small();
    let precious = class.home.path().join("precious");
    fs::write(&precious, "of the user").unwrap();
    // The journal of a transaction in several databases: SQLite deletes the file that it names once all are
    // taken back.
    let magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let mut journal = magic.to_vec();
    for number in [0_u32, 1, 1, 512, 4096] {
        journal.extend(number.to_be_bytes());
    }
    journal.resize(512, 0);
    let name = precious.to_str().unwrap().as_bytes();
    journal.extend(((1_u32 << 30) / 4096 + 1).to_be_bytes());
    journal.extend(name);
    journal.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
    journal.extend(name.iter().map(|byte| u32::from(*byte)).sum::<u32>().to_be_bytes());
    journal.extend(magic);
    fs::write(class.path("class.db-journal"), journal).unwrap();
    let said = class.run(&[], 2);
    assert_says(&said, "class.db-journal: names another file");
    assert!(precious.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_class_lets_go_of_no_confinement_by_itself() {
    let class = Class::small();
    let text = fs::read_to_string(class.path("class.toml")).unwrap();
    fs::write(class.path("class.toml"), format!("confine = \"portable\"\n{text}")).unwrap();
    for more in [&[][..], &["--new-judge"], &["--shard", "1/1"]] {
        let said = class.run(more, 4);
        assert_says(&said, "give --confine portable to each run if you trust its submissions");
    }
    assert!(class.verdicts().is_empty());
    let said = class.run(&["--confine", "portable", "--new-judge"], 0);
    assert!(said.contains("warning: confinement is `portable`") && said.contains("graded 6 cases"), "{said}");
}

#[test]
fn the_settings_of_a_class_are_short_and_its_title_sends_no_escapes() {
    let class = Class::small();
    class.run(&[], 0);
    let title = "title = \"Week\\u001b]0;x\\u0007\\n::error::x\"\n";
    fs::write(class.path("class.toml"), format!("{title}exercise = \"counters\"\n")).unwrap();
    let report = class.keur(&["report", "class"]);
    let said = report.out;
    assert!(said.starts_with("Week␛]0;x␇␊::error::x: 4 students"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    let settings = fs::File::create(class.path("class.toml")).unwrap();
    settings.set_len(2 << 20).unwrap();
    assert!(class.run(&[], 4).contains("class.toml: cannot be read: it has more than 1048576 bytes"));
}
