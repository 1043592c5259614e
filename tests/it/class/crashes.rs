//! Every command that writes, killed at each of its writes: the same command then goes on, and nothing is
//! lost.
//!
//! The command is traced, so that it can be killed just before the Nth system call that changes a file or a
//! folder of the user.

#![allow(unsafe_code, reason = "tracing a process is a matter of system calls")]

use super::{EXERCISE, RIGHT, STARTS, earlier_class};
use crate::required::{Need, not_tested};
use crate::running::{copy_folder, keur_command, run};
use keur::class::{Access, ClassFolder, HandSet, KeptVerdict, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_long, c_void};
use std::fs;
use std::io::{self, Read, Seek};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use walkdir::WalkDir;

/// A command, in a folder that is ready for it.
struct Scenario {
    /// The line of arguments.
    line: &'static str,
    /// The files and folders whose content is compared, beside what a class reports.
    written: &'static [&'static str],
    start: TempDir,
}

/// How a traced command ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// It was killed at the write that was asked for.
    Killed,
    /// It went to its end.
    Exited { code: i32, writes: usize, stderr: String },
}

/// The calls that change files, as far as this architecture has them.
const BY_DESCRIPTOR: &[c_long] = &[
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_pwritev,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fchmod,
    libc::SYS_sendfile,
];

/// Calls whose first argument is a folder, and whose second one is a name in it.
const BY_NAME_IN_FOLDER: &[c_long] = &[
    libc::SYS_openat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_renameat,
];

/// Calls whose first argument is a path.
const BY_PATH: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    libc::SYS_truncate,
];

/// One request to a traced thread.
fn ptrace(request: libc::c_uint, thread: libc::pid_t, address: usize, data: usize) -> c_long {
    // SAFETY: the requests made here read no memory of this process, but for one that gets a place of the
    // right size.
    unsafe { libc::ptrace(request, thread, address as *mut c_void, data as *mut c_void) }
}

/// The number and the arguments of the system call that a thread is about to make.
fn call_of(thread: libc::pid_t) -> Option<(c_long, [u64; 6])> {
    // SAFETY: all of it are numbers.
    let mut info: libc::ptrace_syscall_info = unsafe { std::mem::zeroed() };
    let place = &raw mut info;
    if ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, size_of_val(&info), place as usize) <= 0
        || info.op != libc::PTRACE_SYSCALL_INFO_ENTRY
    {
        return None;
    }
    // SAFETY: at the entry of a call, this is what there is.
    let entry = unsafe { info.u.entry };
    Some((c_long::try_from(entry.nr).ok()?, entry.args))
}

/// A path in the memory of a process.
fn path_at(process: libc::pid_t, address: u64) -> PathBuf {
    use std::os::unix::fs::FileExt;
    let memory = fs::File::open(format!("/proc/{process}/mem")).unwrap();
    let mut bytes = vec![0; 4096];
    let room = 4096 - usize::try_from(address % 4096).unwrap();
    let mut read = memory.read_at(&mut bytes[..room], address).unwrap();
    if !bytes[..read].contains(&0) {
        read += memory.read_at(&mut bytes[read..], address + read as u64).unwrap_or(0);
    }
    bytes.truncate(read);
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap());
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// Whether a thread is about to change something in `home`.
fn changes(thread: libc::pid_t, home: &Path) -> bool {
    let Some((number, arguments)) = call_of(thread) else { return false };
    let descriptor = |value: u64| match value as i32 {
        libc::AT_FDCWD => format!("/proc/{thread}/cwd"),
        descriptor => format!("/proc/{thread}/fd/{descriptor}"),
    };
    let place = |value: u64| fs::read_link(descriptor(value)).unwrap_or_default();
    let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    let path = if number == libc::SYS_copy_file_range {
        place(arguments[2])
    } else if BY_DESCRIPTOR.contains(&number) {
        place(arguments[0])
    } else if BY_NAME_IN_FOLDER.contains(&number) {
        if number == libc::SYS_openat && !creates(arguments[2]) {
            return false;
        }
        place(arguments[0]).join(path_at(thread, arguments[1]))
    } else if BY_PATH.contains(&number) {
        #[cfg(target_arch = "x86_64")]
        if number == libc::SYS_open && !creates(arguments[1]) {
            return false;
        }
        place(libc::AT_FDCWD as u64).join(path_at(thread, arguments[0]))
    } else {
        return false;
    };
    path.starts_with(home)
}

/// The process of a thread.
fn process_of(thread: libc::pid_t) -> Option<libc::pid_t> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}

/// Lets the parent trace this process.
fn trace_me() -> io::Result<()> {
    // SAFETY: no memory is concerned.
    match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Runs a command in `home`, and kills it before its write number `at`, from 1.
///
/// # Errors
/// The command cannot be started and traced.
fn traced(command: &mut Command, home: &Path, at: usize) -> io::Result<Ended> {
    let home = &fs::canonicalize(home)?;
    let mut said = tempfile::tempfile()?;
    // SAFETY: between fork and exec this makes one system call.
    unsafe { command.pre_exec(trace_me) };
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.try_clone()?).spawn()?;
    let process = child.id().cast_signed();
    let mut known = BTreeSet::new();
    let mut writes = 0;
    loop {
        let mut status = 0;
        // SAFETY: the status is written to a place of its type.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        assert!(thread > 0, "{}", io::Error::last_os_error());
        if !libc::WIFSTOPPED(status) {
            if thread != process {
                continue;
            }
            if libc::WIFSIGNALED(status) {
                assert_eq!((libc::WTERMSIG(status), writes), (libc::SIGKILL, at), "ended by something else");
                return Ok(Ended::Killed);
            }
            let mut stderr = String::new();
            said.rewind()?;
            said.read_to_string(&mut stderr)?;
            return Ok(Ended::Exited { code: libc::WEXITSTATUS(status), writes, stderr });
        }
        let signal = libc::WSTOPSIG(status);
        let is_new = known.insert(thread);
        if is_new && process_of(thread).is_some_and(|of| of != process) {
            ptrace(libc::PTRACE_DETACH, thread, 0, 0);
            continue;
        }
        let mut pass_on = 0;
        if is_new {
            let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
            ptrace(libc::PTRACE_SETOPTIONS, thread, 0, usize::try_from(options).unwrap());
        } else if signal == libc::SIGTRAP | 0x80 {
            if changes(thread, home) {
                writes += 1;
                if writes == at {
                    // SAFETY: no memory is concerned.
                    unsafe { libc::kill(process, libc::SIGKILL) };
                    continue;
                }
            }
        } else if signal != libc::SIGTRAP {
            pass_on = signal;
        }
        ptrace(libc::PTRACE_SYSCALL, thread, 0, usize::try_from(pass_on).unwrap());
    }
}

/// What can be compared of a folder once a command went to its end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    files: BTreeMap<PathBuf, Vec<u8>>,
    rows: Vec<String>,
}

/// What the database of a class has, but for times and the runs that graded: a report is made of nothing
/// else.
fn rows(class: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(&ClassFolder::open(class)?, Access::Read)?;
    let mut rows = Vec::new();
    rows.extend(store.students()?.iter().map(|row| format!("{row:?}")));
    rows.extend(store.taken()?.iter().map(|row| format!("{row:?}")));
    rows.extend(store.cases()?.iter().map(|row| format!("{row:?}")));
    rows.extend(store.judges()?.iter().map(|row| format!("{row:?}")));
    rows.extend(store.by_hand()?.into_iter().map(|row| format!("{:?}", HandSet { at: 0, ..row })));
    rows.extend(store.conflicts()?.iter().map(|row| format!("{:?}", row.key)));
    store.each_verdict(&mut |row| {
        let outcome = row.outcome.as_deref().map(|outcome| {
            let mut outcome: serde_json::Value = serde_json::from_str(outcome).unwrap();
            outcome.as_object_mut().unwrap().remove("spent");
            outcome.to_string()
        });
        rows.push(format!("{:?}", KeptVerdict { attempt: String::new(), outcome, ..row }));
        Ok::<_, StoreError>(())
    })?;
    Ok(rows)
}

impl Scenario {
    /// A scenario in a folder with an exercise, a download of two, and a class that was made by these lines.
    fn after(earlier: &[&str], line: &'static str, written: &'static [&'static str]) -> Scenario {
        let scenario = Scenario { line, written, start: tempfile::tempdir().unwrap() };
        let home = scenario.start.path();
        let write = |path: &str, text: &str| {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("cases/counters/exercise.toml", EXERCISE);
        write("cases/counters/starts.toml", STARTS);
        write("own/exercise.toml", &format!("reference = {{ python = \"counter.py\" }}\n{EXERCISE}"));
        write("own/counter.py", RIGHT);
        write("own/unfilled.toml", "title = \"It starts\"\n\n[[step]]\ndo = \"Counter(3).value()\"\n");
        for (number, text) in [(1, RIGHT.to_owned()), (2, RIGHT.replace("self.start", "0"))] {
            write(&format!("download/Student {number}_{number}_assignsubmission_file_/counter.py"), &text);
        }
        write("again/Student 1_1_assignsubmission_file_/counter.py", &RIGHT.replace("self.start", "1"));
        for (name, text) in [("a", RIGHT), ("b", "class Counter: pass\n")] {
            write(&format!("two/Student 1_1_assignsubmission_file_/counter_{name}.py"), text);
        }
        write("again/Student 3_3_assignsubmission_file_/counter.py", RIGHT);
        for line in earlier {
            let run = run(&mut scenario.command(home, line));
            assert!(run.code < 2, "{line}: {run:?}");
        }
        scenario
    }

    /// A scenario with a class that an earlier keur made.
    fn of_earlier_class(line: &'static str, written: &'static [&'static str]) -> Scenario {
        Scenario { line, written, start: earlier_class() }
    }

    fn command(&self, home: &Path, line: &str) -> Command {
        let mut command = keur_command(&line.split(' ').collect::<Vec<_>>());
        // `fill` refuses to write where this says that no person is there.
        command.current_dir(home).env_remove("CI");
        command
    }

    fn copy(&self) -> TempDir {
        let copy = tempfile::tempdir().unwrap();
        copy_folder(self.start.path(), copy.path());
        copy
    }

    fn outcome(&self, home: &Path) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let of_class = ["class/class.toml", "class/cases", "class/submissions"];
        for written in self.written.iter().chain(&of_class).filter(|written| home.join(written).exists()) {
            for entry in WalkDir::new(home.join(written)) {
                let entry = entry.unwrap();
                // A killed process cannot take away what it had begun to write.
                let is_begun = entry.file_name().to_string_lossy().starts_with(".keur-");
                if entry.file_type().is_file() && !is_begun {
                    let path = entry.path().strip_prefix(home).unwrap().to_owned();
                    outcome.files.insert(path, fs::read(entry.path()).unwrap());
                }
            }
        }
        let class = home.join("class");
        if class.exists() {
            outcome.rows = rows(&class).map_err(|error| format!("the class is not read: {error}"))?;
        }
        Ok(outcome)
    }

    /// Kills the command at each of its writes, and returns how many there were, and after which of them
    /// something was lost.
    fn holds(&self) -> (usize, Vec<String>) {
        let whole = self.copy();
        let ended = traced(&mut self.command(whole.path(), self.line), whole.path(), 0).unwrap();
        let Ended::Exited { code, writes, stderr } = ended else { panic!("{}: {ended:?}", self.line) };
        assert!(code < 2, "{}: exits with {code}: {stderr}", self.line);
        let expected = self.outcome(whole.path()).unwrap();
        if !expected.rows.is_empty() {
            let report = run(&mut self.command(whole.path(), "class report class --format json"));
            assert!(report.code < 2, "{report:?}");
        }
        let next = AtomicUsize::new(1);
        let lost = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at > writes {
                            break;
                        }
                        if let Err(problem) = self.holds_at(at, code, &expected) {
                            let text = format!("{}, killed at write {at} of {writes}: {problem}", self.line);
                            lost.lock().unwrap().push(text);
                        }
                    }
                });
            }
        });
        (writes, lost.into_inner().unwrap())
    }

    fn holds_at(&self, at: usize, code: i32, expected: &Outcome) -> Result<(), String> {
        let copy = self.copy();
        match traced(&mut self.command(copy.path(), self.line), copy.path(), at).unwrap() {
            Ended::Killed => {}
            ended @ Ended::Exited { .. } => return Err(format!("it was not killed, but {ended:?}")),
        }
        let again = run(&mut self.command(copy.path(), self.line));
        // A backup replaces no file, so the one that is there is the whole one.
        let is_there = again.err.contains("exists already");
        if again.code != code && !is_there {
            return Err(format!("then it fails: {again:?}"));
        }
        let outcome = self.outcome(copy.path())?;
        if outcome == *expected { Ok(()) } else { Err("the outcome differs".to_owned()) }
    }
}

const INIT: &str = "class init class --each download --cases cases";

#[test]
fn every_command_goes_on_after_a_kill_at_any_write() {
    if let Err(error) = traced(&mut keur_command(&["--version"]), Path::new("."), 0) {
        return not_tested(
            Need::Tracing,
            "a kill at each write",
            &format!("no process can be traced: {error}"),
        );
    }
    let graded = [INIT, "class run class"];
    let scenarios = [
        Scenario::after(&[], INIT, &[]),
        Scenario::after(
            &[],
            "class init class --each download --cases cases --title Week --exercise counters",
            &[],
        ),
        Scenario::after(&[INIT], "class init class --each again", &[]),
        Scenario::after(&[INIT], "class run class --jobs 1", &[]),
        Scenario::after(&graded, "class set points class 1 1 --why oral", &[]),
        Scenario::after(
            &graded,
            "class report class --format json=a.json --format csv=b.csv --format html=pages/ --format moodle=c.csv",
            &["a.json", "b.csv", "pages", "c.csv"],
        ),
        Scenario::after(&[INIT], "class run class --shard 2/2 --jobs 1", &[]),
        Scenario::after(
            &[INIT, "class run class --shard 1/2", "class run class --shard 2/2"],
            "class run class",
            &[],
        ),
        Scenario::after(
            &[],
            "grade own/counter.py --cases cases --format json=a.json --format junit=b.xml",
            &["a.json", "b.xml"],
        ),
        Scenario::after(&[], "fill own --write", &["own"]),
        Scenario::after(&[INIT], "class backup class copy.db", &["copy.db"]),
        Scenario::after(&[INIT, "class init class --each two"], "class set file class 1 counter_a.py", &[]),
        Scenario::of_earlier_class("class report class --format json=a.json", &["a.json"]),
    ];
    let mut lost = Vec::new();
    for scenario in &scenarios {
        let (writes, problems) = scenario.holds();
        println!("killed at each of {writes} writes: {}", scenario.line);
        lost.extend(problems);
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// The number of copies of a class's database below a folder.
fn copies(folder: &Path) -> usize {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_name() == "class.db").count()
}

#[test]
fn the_copies_of_a_killed_backup_are_removed_by_the_next_run() {
    let scenario = Scenario::after(&[INIT, "class run class"], "class backup class copy.db", &[]);
    fs::create_dir(scenario.start.path().join("scratch")).unwrap();
    let command = |home: &Path, line: &str| {
        let mut command = scenario.command(home, line);
        command.env("TMPDIR", home.join("scratch"));
        command
    };
    let whole = scenario.copy();
    let writes = match traced(&mut command(whole.path(), scenario.line), whole.path(), 0) {
        Ok(Ended::Exited { code: 0, writes, .. }) => writes,
        Ok(ended) => panic!("{ended:?}"),
        Err(error) => {
            let why = format!("no process can be traced: {error}");
            return not_tested(Need::Tracing, "a kill at each write of a backup", &why);
        }
    };
    assert_eq!(copies(&whole.path().join("scratch")), 0);
    let mut left = 0;
    for at in 1..=writes {
        let copy = scenario.copy();
        let scratch = copy.path().join("scratch");
        let ended = traced(&mut command(copy.path(), scenario.line), copy.path(), at).unwrap();
        assert_eq!(ended, Ended::Killed, "at {at} of {writes}");
        left += copies(&scratch);
        let run = run(&mut command(copy.path(), "class run class"));
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(copies(&scratch), 0, "killed at {at} of {writes}");
    }
    assert!(left > 0, "no kill left a copy");
}
