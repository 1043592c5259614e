//! Tests what becomes of a case whose process somebody else ends.

use super::{CASE, COUNTER, EXERCISE, library};
use crate::running::{assert_says, folder, keur, keur_command};
use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The ticks of processor time from which a process is one that computes an answer: interpreters that wait
/// use fewer.
const BUSY: u64 = 8;

/// A counter that computes for a while before it answers.
fn slow() -> String {
    let busy = "        end = time.process_time() + 1.5\n        while time.process_time() < end:\n            pass\n";
    format!(
        "import time\n{}",
        COUNTER.replace("        return self.n", &format!("{busy}        return self.n"))
    )
}

/// The parent of a process, and the processor time that it used, in ticks.
fn parent_and_time(pid: u32) -> Option<(u32, u64)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = after.split(' ').collect();
    Some((fields.get(1)?.parse().ok()?, fields.get(11)?.parse().ok()?))
}

/// A busy process that keur's fork server made.
fn busy_submission(keur: u32) -> Option<u32> {
    let all = fs::read_dir("/proc").ok()?.flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.into_iter().find(|pid| {
        parent_and_time(*pid).is_some_and(|(server, time)| {
            time >= BUSY && parent_and_time(server).is_some_and(|(parent, _)| parent == keur)
        })
    })
}

/// A run of keur whose submissions got a signal.
struct SignalledRun {
    code: i32,
    /// Its output and its errors.
    said: String,
    /// The number of processes that got the signal.
    signalled: usize,
}

/// Runs keur while its submissions are killed, at most `times`.
fn with_killer(args: &[&str], times: usize) -> SignalledRun {
    with_signals("-KILL", args, times)
}

/// Runs keur while its submissions get a signal, at most `times`.
fn with_signals(signal: &str, args: &[&str], times: usize) -> SignalledRun {
    let mut command = keur_command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (keur, has_ended) = (child.id(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut killed = Vec::new();
            while !has_ended.load(Ordering::SeqCst) {
                if let Some(pid) = busy_submission(keur).filter(|pid| !killed.contains(pid))
                    && killed.len() < times
                {
                    let kill = Command::new("kill").args([signal, &pid.to_string()]).status().unwrap();
                    assert!(kill.success());
                    killed.push(pid);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            killed.len()
        });
        let output = child.wait_with_output().unwrap();
        has_ended.store(true, Ordering::SeqCst);
        let said = [output.stdout, output.stderr].concat();
        SignalledRun {
            code: output.status.code().unwrap_or(-1),
            said: String::from_utf8_lossy(&said).into_owned(),
            signalled: killer.join().unwrap(),
        }
    })
}

#[test]
fn a_case_that_somebody_kills_once_is_tried_again_and_twice_is_not_graded() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", &slow())]);
    let file = folder.path().join("counter.py");
    let cases = library.path().to_str().unwrap();
    let args = ["grade", file.to_str().unwrap(), "--cases", cases, "--cpu", "30s", "--lang", "en"];
    let SignalledRun { code, said, signalled: killed } = with_killer(&args, 1);
    assert_eq!((code, killed), (0, 1), "{said}");
    let SignalledRun { code, said, signalled: killed } = with_killer(&args, usize::MAX);
    assert_eq!((code, killed), (4, 2), "{said}");
    assert_says(&said, "killed or stopped twice");
    let both = [&args[..], &["--isolation", "both"]].concat();
    let SignalledRun { code, said, signalled: killed } = with_killer(&both, 2);
    assert_eq!((code, killed), (4, 2), "{said}");
    assert_says(&said, "killed or stopped twice");
    // There keur cannot tell who did it.
    let portable = [&args[..], &["--confine", "portable"]].concat();
    let SignalledRun { code, said, signalled: killed } = with_killer(&portable, usize::MAX);
    assert_eq!((code, killed), (1, 2), "{said}");
}

/// A submission may know more when it is tried again.
#[test]
fn mistakes_before_a_kill_stay_mistakes() {
    let library = library(EXERCISE, &format!("{CASE}\n[[step]]\ndo = \"c.value()\"\nreturns = 3\n"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counter.py");
    // Until this moment the first answer is wrong; the process that gave it is killed later.
    let until = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(5);
    let value = format!(
        "        self.asked = hasattr(self, 'asked')
        if not self.asked:
            return self.n if time.time() > {0} else None
        while time.time() < {0}:
            time.sleep(0.1)
        end = time.process_time() + 1.5
        while time.process_time() < end:
            pass
        return self.n",
        until.as_secs()
    );
    fs::write(&file, format!("import time\n{}", COUNTER.replace("        return self.n", &value))).unwrap();
    let args = ["grade", file.to_str().unwrap(), "--cases", library.path().to_str().unwrap(), "--lang", "en"];
    let args = [&args[..], &["--cpu", "30s", "--wall", "30s"]].concat();
    let SignalledRun { code, said, signalled: killed } = with_killer(&args, 1);
    assert_eq!((code, killed), (1, 1), "{said}");
    assert!(said.contains("expected: 3") || said.contains("None"), "{said}");
}

#[test]
fn a_test_whose_process_somebody_kills_twice_is_not_graded() {
    let library = library(&format!("{EXERCISE}\n[limits]\ncpu = \"30s\"\n"), CASE);
    let folder = folder(&[("counter.py", &slow())]);
    let file = folder.path().join("counter.py");
    let args = ["test", file.to_str().unwrap(), "--cases", library.path().to_str().unwrap()];
    let SignalledRun { code, said, signalled: killed } = with_killer(&args, 1);
    assert_eq!((code, killed), (0, 1), "{said}");
    let SignalledRun { code, said, signalled: killed } = with_killer(&args, usize::MAX);
    assert_eq!((code, killed), (4, 2), "{said}");
    assert_says(&said, "killed or stopped twice");
}

#[test]
fn a_case_that_somebody_stops_twice_is_not_graded() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", &slow())]);
    let file = folder.path().join("counter.py");
    let cases = library.path().to_str().unwrap();
    let args =
        ["grade", file.to_str().unwrap(), "--cases", cases, "--wall", "2s", "--cpu", "2s", "--lang", "en"];
    let SignalledRun { code, said, signalled: stopped } = with_signals("-STOP", &args, usize::MAX);
    assert_eq!((code, stopped), (4, 2), "{said}");
    assert_says(&said, "killed or stopped twice");
}

#[test]
fn a_process_that_somebody_kills_before_it_is_ready_is_started_again() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", COUNTER)]);
    let file = folder.path().join("counter.py");
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/core/src/languages/python/driver.py");
    let cases = library.path().to_str().unwrap();
    for (kills, code) in [(1, 0), (2, 4)] {
        let mark = folder.path().join(kills.to_string());
        // Each start takes one of the marks, and is killed as long as there is one.
        fs::create_dir(&mark).unwrap();
        (0..kills).for_each(|number| fs::write(mark.join(number.to_string()), "").unwrap());
        let text = format!(
            "#!/bin/sh\nfor each in {}/*; do [ -f $each ] && rm $each && kill -9 $$; done\nexec python3 {driver} pipes\n",
            mark.display()
        );
        let command = folder.path().join("command.sh");
        fs::write(&command, text).unwrap();
        let command = format!("sh {}", command.display());
        let run = keur(&["grade", file.to_str().unwrap(), "--cases", cases, "--command", &command]);
        assert_eq!(run.code, code, "{} {}", run.out, run.err);
    }
}

#[test]
fn a_class_takes_up_what_somebody_killed_and_grades_a_student_again() {
    let library = library(&format!("{EXERCISE}\n[limits]\ncpu = \"30s\"\n"), CASE);
    let folder = tempfile::tempdir().unwrap();
    let download = folder.path().join("download");
    fs::create_dir_all(download.join("An Claes")).unwrap();
    fs::write(download.join("An Claes/counter.py"), slow()).unwrap();
    fs::create_dir_all(download.join("Bo Li")).unwrap();
    fs::write(download.join("Bo Li/counter.py"), COUNTER).unwrap();
    let class = folder.path().join("class");
    let (class, download) = (class.to_str().unwrap(), download.to_str().unwrap());
    let cases = library.path().to_str().unwrap();
    let init = keur(&["class", "init", class, "--each", download, "--cases", cases]);
    assert_eq!(init.code, 0, "{}", init.err);
    let SignalledRun { code, said, signalled: killed } = with_killer(&["class", "run", class], usize::MAX);
    assert_eq!((code, killed), (4, 2), "{said}");
    assert_says(&said, "not graded: An Claes: ");
    let report = keur(&["class", "report", class, "--format", "csv", "--lang", "en"]);
    assert_says(&report.out, "not graded yet");
    let run = keur(&["class", "run", class]);
    assert!(run.code == 0 && run.out.contains("graded 1 case of 1 submission"), "{} {}", run.out, run.err);
    let run = keur(&["class", "run", class]);
    assert_says(&run.out, "all graded");
    let run = keur(&["class", "run", class, "--again", "bo li"]);
    assert!(run.code == 0 && run.out.contains("graded 1 case of 1 submission"), "{} {}", run.out, run.err);
    let run = keur(&["class", "run", class, "--again", "Bo Lo"]);
    assert!(run.code == 2 && run.err.contains("did you mean"), "{}", run.err);
}
