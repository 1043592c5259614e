//! A class on a real Slurm: an array of tasks, a node that loses its power, and one that stops and comes
//! back.

use super::{alone, download, init, reports};
use crate::required::needs;
use crate::running::{keur_command, path_with_keur, root, succeed};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const NODES: [&str; 3] = ["n1", "n2", "n3"];

/// The number of tasks of an array.
const SHARDS: usize = 6;

/// A cluster, until it is dropped.
struct Slurm {
    root: PathBuf,
}

impl Slurm {
    fn up(root: &Path) -> Slurm {
        let slurm = Slurm { root: root.to_owned() };
        succeed(slurm.order("up").args(NODES));
        slurm
    }

    fn order(&self, order: &str) -> Command {
        let mut command = Command::new(root().join("tests/it/cluster/slurm.sh"));
        command.arg(order).arg(&self.root);
        command
    }

    /// The output of one of Slurm's programs.
    fn ask(&self, program: &str, arguments: &[&str]) -> String {
        succeed(Command::new(program).args(arguments).env("SLURM_CONF", self.root.join("slurm.conf")))
    }

    fn state(&self, node: &str) -> String {
        self.ask("sinfo", &["-h", "-N", "-n", node, "-o", "%T"]).trim().to_owned()
    }

    /// Whether a task of the array runs that was started again.
    fn has_restarted(&self, task: &str) -> bool {
        let running = self.ask("squeue", &["-h", "-r", "-t", "R", "-O", "ArrayTaskID:10,RestartCnt:10"]);
        let words: Vec<&str> = running.split_whitespace().collect();
        words.chunks(2).any(|pair| pair[0] == task && pair[1] != "0")
    }

    fn is_busy(&self, node: &str) -> bool {
        let mut busy = Command::new(root().join("tests/it/cluster/slurm.sh"));
        busy.arg("busy").arg(&self.root).arg(node).status().unwrap().success()
    }

    /// Submits a class with the template.
    fn submit(&self, class: &Path) {
        succeed(
            Command::new(root().join("templates/cluster/slurm.sh"))
                .arg(class)
                .args([&SHARDS.to_string(), "1"])
                .env("PATH", path_with_keur())
                .env("SLURM_CONF", self.root.join("slurm.conf")),
        );
    }

    /// Waits until no job is left.
    fn finish(&self, class: &Path) {
        wait("the end of the jobs", class, || self.ask("squeue", &["-h"]).trim().is_empty());
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let down = self.order("down").output();
        // While a test fails, another failure would end all tests.
        assert!(std::thread::panicking() || down.is_ok_and(|down| down.status.success()), "slurm.sh down");
    }
}

/// Waits, and shows the logs of a class if it was in vain.
#[track_caller]
fn wait(what: &str, class: &Path, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain for {what}\n{}", logs(class));
        thread::sleep(Duration::from_millis(100));
    }
}

fn logs(class: &Path) -> String {
    let logs = fs::read_dir(class.join("logs")).unwrap().map(|entry| entry.unwrap().path());
    logs.map(|path| format!("{}:\n{}", path.display(), fs::read_to_string(&path).unwrap())).collect()
}

/// The databases that runs on a node published.
fn published(class: &Path, node: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(class.join("shards")) else { return Vec::new() };
    let of_node = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.contains(&format!("-{node}-")) && name.ends_with(".db")
    };
    entries.map(|entry| entry.unwrap().path()).filter(of_node).collect()
}

/// A column of a query.
fn column(database: &Path, query: &str) -> Vec<String> {
    let database = Connection::open(database).unwrap();
    let mut query = database.prepare(query).unwrap();
    query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_class_on_slurm_is_reported_as_by_one_machine_also_when_nodes_fail() {
    needs!(Slurm);
    let room = tempfile::tempdir().unwrap();
    let slurm = Slurm::up(&room.path().join("slurm"));
    nothing_fails(&slurm, &room.path().join("plain"));
    one_node_is_cut_and_one_stalls(&slurm, &room.path().join("lost"));
}

fn nothing_fails(slurm: &Slurm, folder: &Path) {
    download(folder, 12, 0.0);
    let class = folder.join("class");
    init(folder, &class);
    slurm.submit(&class);
    slurm.finish(&class);
    // The job that reports took in what the others published.
    assert!(published(&class, "").is_empty(), "{}", logs(&class));
    let expected = alone(folder);
    assert!(class.join("report.json").exists(), "{}", logs(&class));
    // The template writes full paths.
    let grades = fs::read_to_string(class.join("grades.csv")).unwrap();
    assert_eq!(grades.replace(class.to_str().unwrap(), "class"), expected[1], "{}", logs(&class));
    assert_eq!(reports(folder), expected);
    let shards = column(&class.join("class.db"), "SELECT shard FROM attempt");
    assert!(shards.iter().collect::<BTreeSet<_>>().len() > 2, "{shards:?}");
}

fn one_node_is_cut_and_one_stalls(slurm: &Slurm, folder: &Path) {
    // Long enough to be in the middle of it, short enough for a test.
    download(folder, 18, 0.4);
    let class = folder.join("class");
    init(folder, &class);
    slurm.submit(&class);
    wait("something from each node", &class, || NODES.iter().all(|node| !published(&class, node).is_empty()));
    let running = || slurm.ask("squeue", &["-h", "-r", "-t", "R", "-w", "n3", "-o", "%K"]).trim().to_owned();
    wait("work on a node", &class, || !running().is_empty());
    let stalled = running();
    succeed(slurm.order("freeze").arg("n3"));
    succeed(slurm.order("cut").arg("n2"));
    wait("Slurm to miss two nodes", &class, || {
        ["n2", "n3"].iter().all(|node| slurm.state(node).starts_with("down"))
    });
    wait("the task to start elsewhere", &class, || slurm.has_restarted(&stalled));
    // What was frozen goes on, although others do the same by now and Slurm does not reach it.
    succeed(slurm.order("thaw").arg("n3"));
    wait("what was frozen", &class, || !slurm.is_busy("n3"));
    slurm.finish(&class);
    succeed(slurm.order("back").arg("n3"));
    succeed(slurm.order("start").arg("n2"));
    wait("the nodes to be back", &class, || ["n2", "n3"].iter().all(|node| slurm.state(node) == "idle"));
    succeed(keur_command(&["class", "report"]).arg(&class));
    let database = class.join("class.db");
    assert_eq!(reports(folder), alone(folder));
    assert!(column(&database, "SELECT one_attempt FROM conflict").is_empty());
    // What the lost node had published counts: nobody graded it again.
    let lost = column(&database, "SELECT DISTINCT attempt FROM verdict WHERE attempt LIKE '%-n2-%'");
    assert!(!lost.is_empty(), "{}", logs(&class));
}
