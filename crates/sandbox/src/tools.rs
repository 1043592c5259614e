//! Programs of the machine that keur runs for itself: interpreters that report their version, rustc, cargo.
//!
//! They are trusted, but many of them read configuration from the folder they start in, from the folders
//! above it, and from the environment; a `rust-toolchain.toml` can make rustup start any program. The folder
//! that keur was started in may be a student's repository. So each tool starts in the root folder, with only
//! the variables in `KEPT`, and under a time limit. `wait-timeout` and `duct` would wait for output that a
//! program started by the tool still holds open.

use super::Cancel;
use super::portable::flow::{Full, Inflow};
use super::portable::root;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Time for a tool to answer a question about itself.
pub const ANSWERING: Duration = Duration::from_secs(30);

/// The time between two checks whether a running tool has ended.
const LOOK: Duration = Duration::from_millis(10);

/// Bytes kept of its output, and of its standard error; the rest is read and dropped.
pub const MOST_SAID: usize = 8 << 20;

/// The time to wait for final output after a tool has ended: a process that it started may still hold its
/// output open.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

/// The time that killed processes have to end; only a machine in trouble needs it.
#[cfg(unix)]
const DYING: Duration = Duration::from_secs(10);

/// Variables that tools get from keur's environment: the user's folders, version managers and toolchains,
/// network access, and what Windows needs to start a program. None of them names a program or an option that
/// a tool would load, as `NODE_OPTIONS`, `PYTHONPATH`, `RUSTC_WRAPPER` and `JAVA_TOOL_OPTIONS` do.
const KEPT: [&str; 36] = [
    "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME",
    "PYENV_ROOT", "PYENV_VERSION", "NODENV_ROOT", "NODENV_VERSION", "JENV_ROOT", "JENV_VERSION", "ASDF_DIR",
    "ASDF_DATA_DIR", "MISE_DATA_DIR", "VOLTA_HOME", "NVM_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
    "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "SystemRoot", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "ProgramFiles(x86)",
];

/// Prefixes of further variables that tools get: where cargo fetches crates from, and how.
const KEPT_OF_CARGO: [&str; 4] = ["CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_SOURCE_"];

/// A folder of programs that belongs to a project, wherever it is.
const OF_PROJECTS: &str = "node_modules";

/// The programs on PATH that keur runs for itself.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    folders: Vec<PathBuf>,
    /// Folders that are not searched, because their programs may belong to a stranger.
    passed_over: Vec<PathBuf>,
    /// Folders whose contents may belong to a stranger.
    foreign: Vec<PathBuf>,
    /// Keur's working folder and the submissions', or the repositories around them.
    surroundings: Vec<PathBuf>,
}

/// The result of a program that ran to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The exit status; `None` if it timed out or was cancelled.
    pub status: Option<ExitStatus>,
    /// The beginning of its output.
    pub output: Vec<u8>,
    /// The beginning of its standard error.
    pub errors: Vec<u8>,
    /// Whether it was ended by `SIGKILL`, or was found stopped when its time had passed. Then it is somebody
    /// else's doing, if it was confined.
    pub is_cut_off: bool,
}

impl Tools {
    /// The programs on PATH, except in folders that may belong to a stranger: below one of the `submissions`,
    /// beside one that is a file, below keur's working directory, and in relative folders.
    pub fn on_path(submissions: &[PathBuf]) -> Tools {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // A user who starts keur at home has their own programs there.
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let apart = |folder: &PathBuf| match (&home, folder.canonicalize()) {
            (Some(home), Ok(folder)) => !home.starts_with(folder),
            (None, _) | (_, Err(_)) => true,
        };
        let files = submissions.iter().filter(|path| !path.is_dir());
        // A path may lead into a zip.
        let beside = files.filter_map(|path| path.ancestors().skip(1).find(|around| around.is_dir()));
        let beside = beside.map(Path::to_owned).filter(apart);
        let foreign: Vec<PathBuf> = submissions.iter().cloned().chain(beside).collect();
        let here = std::env::current_dir().ok().filter(apart).and_then(|here| here.canonicalize().ok());
        let mut tools = Tools::in_folders(std::env::split_paths(&path), &foreign);
        let is_apart = |folder: &PathBuf| match (&here, folder.canonicalize()) {
            (Some(here), Ok(folder)) => !folder.starts_with(here),
            (None, _) | (_, Err(_)) => true,
        };
        let (apart, below): (Vec<_>, Vec<_>) = tools.folders.into_iter().partition(is_apart);
        tools.folders = apart;
        tools.passed_over.extend(below);
        let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
        tools.surroundings = here.iter().chain(&tools.foreign).map(|folder| repository(folder)).collect();
        tools
    }

    /// The programs in `folders`, except in relative ones and in `foreign` ones.
    pub fn in_folders(folders: impl Iterator<Item = PathBuf>, foreign: &[PathBuf]) -> Tools {
        // A link is not followed, so where it leads does not belong to a stranger.
        let own = foreign.iter().filter(|path| !path.is_symlink() && path.is_dir());
        let foreign: Vec<PathBuf> = own.filter_map(|path| path.canonicalize().ok()).collect();
        let mut tools = Tools { foreign, ..Tools::default() };
        let absolute = folders.filter(|folder| folder.is_absolute());
        (tools.passed_over, tools.folders) = absolute.partition(|folder| tools.may_be_foreign(folder));
        tools
    }

    /// Whether a path may belong to a stranger.
    pub fn may_be_foreign(&self, path: &Path) -> bool {
        let real = real(path);
        self.foreign.iter().any(|folder| real.starts_with(folder))
            || real.components().any(|part| part.as_os_str() == OF_PROJECTS)
    }

    /// Whether a path is in keur's working folder, beside a submission, or in a repository around either: a
    /// stranger may have put it there.
    pub fn may_be_handed_in(&self, path: &Path) -> bool {
        let real = real(path);
        self.may_be_foreign(&real) || self.surroundings.iter().any(|folder| real.starts_with(folder))
    }

    /// The folders to search for programs.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The program called `name`, found as the system does.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        find_in(&self.folders, name)
    }

    /// The program that a user names by a path, or by a name on PATH. Tools start in another folder than keur.
    pub fn named(&self, program: &Path) -> PathBuf {
        let alone = program.components().count() == 1 && !program.exists();
        let found = if alone { self.find(&program.to_string_lossy()) } else { None };
        found.unwrap_or_else(|| std::path::absolute(program).unwrap_or_else(|_| program.to_owned()))
    }

    /// The program called `name` in a folder that is not searched, because it may belong to a stranger.
    pub fn find_passed_over(&self, name: &str) -> Option<PathBuf> {
        find_in(&self.passed_over, name)
    }

    /// A command for a tool that starts in the root folder with the tools' variables. The caller may add
    /// arguments, variables and another folder.
    pub fn command(&self, program: &Path) -> Command {
        let kept = |name: &OsString| {
            let name = name.to_string_lossy();
            KEPT.contains(&name.as_ref()) || KEPT_OF_CARGO.iter().any(|start| name.starts_with(start))
        };
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars_os().filter(|(name, _)| kept(name)));
        command.env("PATH", std::env::join_paths(&self.folders).unwrap_or_default());
        command.current_dir(root(std::env::var_os("SystemRoot").as_ref()));
        command
    }

    /// Runs a tool with these arguments, to ask about itself.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn ask(&self, program: &Path, args: &[&str]) -> io::Result<Finished> {
        let mut command = self.command(program);
        command.args(args);
        run_to_end(command, ANSWERING)
    }
}

/// The first program called `name` in these folders.
fn find_in(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// The path without links; of what does not exist yet, that of its nearest parent and the rest.
fn real(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|there| {
        let below = path.strip_prefix(there).ok()?;
        there.canonicalize().ok().map(|real| real.join(below))
    });
    real.unwrap_or_else(|| path.to_owned())
}

/// The outermost repository of git around a folder; without one, the folder.
fn repository(folder: &Path) -> PathBuf {
    let repositories = folder.ancestors().filter(|around| around.join(".git").exists());
    repositories.last().unwrap_or(folder).to_owned()
}

/// Runs a command to its end, at most `time`, and on Unix ends its process group too. Its input is empty.
///
/// # Errors
/// It cannot be started.
pub fn run_to_end(command: Command, time: Duration) -> io::Result<Finished> {
    #[cfg(unix)]
    let command = {
        let mut command = command;
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    };
    finish(command, time, &Cancel::default())
}

/// Runs a command that already has its own process group to its end.
pub(super) fn finish(mut command: Command, time: Duration, cancel: &Cancel) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = start(&mut command)?;
    // The command holds our copies of what the child writes to.
    drop(command);
    let watched = watch(&mut child, time, cancel);
    let is_stopped = !cancel.is_cancelled() && group_is_stopped(child.id());
    end_group(&mut child);
    let status = child.wait()?;
    #[cfg(unix)]
    wait_for_group(child.id())?;
    let (in_time, [output, errors]) = watched?;
    let until = Instant::now() + LAST_OUTPUT;
    for flow in [&output, &errors] {
        flow.settle(until.saturating_duration_since(Instant::now()));
    }
    Ok(Finished {
        status: in_time.then_some(status),
        is_cut_off: if in_time { is_killed(status) } else { is_stopped },
        output: output.take(MOST_SAID as u64),
        errors: errors.take(MOST_SAID as u64),
    })
}

/// Waits until a child ends or its time is up; returns whether it ended in time, its output and its standard
/// error.
fn watch(child: &mut Child, time: Duration, cancel: &Cancel) -> io::Result<(bool, [Inflow; 2])> {
    let said = [gather(child.stdout.take())?, gather(child.stderr.take())?];
    let began = Instant::now();
    while !has_ended(child)? {
        if began.elapsed() >= time || cancel.is_cancelled() {
            return Ok((false, said));
        }
        std::thread::sleep(LOOK);
    }
    Ok((true, said))
}

fn start(command: &mut Command) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    let child = super::cores::on_every_core(|| command.spawn());
    #[cfg(not(target_os = "linux"))]
    let child = command.spawn();
    #[cfg(unix)]
    return child.map_err(super::unix::spawn::error);
    #[cfg(not(unix))]
    child
}

/// Reads to the end, and keeps the beginning.
fn gather(from: Option<impl Read + Send + 'static>) -> io::Result<Inflow> {
    let from = from.ok_or_else(|| io::Error::other("the program has no pipes"))?;
    Inflow::start(from, MOST_SAID, Full::Drops)
}

/// Whether a child has ended. On Unix it is not reaped yet, so that its group number is not reused.
fn has_ended(child: &mut Child) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let Some(pid) = Pid::from_raw(child.id().cast_signed()) else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(pid), options)?.is_some())
    }
    #[cfg(not(unix))]
    Ok(child.try_wait()?.is_some())
}

/// Ends a child, and on Unix its group; a confined child cannot leave its group or session.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// Waits until every process of a group that was killed has ended: one may be in the middle of a system call.
#[cfg(unix)]
fn wait_for_group(leader: u32) -> io::Result<()> {
    use rustix::process::{Pid, test_kill_process_group};
    let Some(group) = Pid::from_raw(leader.cast_signed()) else { return Ok(()) };
    let until = Instant::now() + DYING;
    // Nobody may have waited yet for some that have ended.
    while test_kill_process_group(group).is_ok() && group_runs(group) {
        if Instant::now() >= until {
            return Err(io::Error::other("a process that was killed does not end"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Whether a process of a child's group is stopped, as far as the system tells.
fn group_is_stopped(leader: u32) -> bool {
    #[cfg(target_os = "linux")]
    return rustix::process::Pid::from_raw(leader.cast_signed())
        .is_some_and(super::linux::proc::group_is_stopped);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = leader;
        false
    }
}

/// Whether a program was ended by `SIGKILL`.
fn is_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(super::unix::SIGKILL);
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

#[cfg(target_os = "linux")]
use super::linux::proc::group_runs;

/// Elsewhere nothing tells those that have ended from the others.
#[cfg(all(unix, not(target_os = "linux")))]
fn group_runs(_: rustix::process::Pid) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Tools, run_to_end};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn shell(text: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn a_tool_starts_in_the_root_folder_with_few_variables() {
        let tools = Tools::in_folders([PathBuf::from("/usr/bin"), PathBuf::from("/bin")].into_iter(), &[]);
        // Cargo sets that last variable for its tests.
        let text = "pwd; echo \"$PATH\"; echo \"${CARGO_PKG_NAME-unset}\"";
        let finished = tools.ask(Path::new("/bin/sh"), &["-c", text]).unwrap();
        assert_eq!(String::from_utf8_lossy(&finished.output), "/\n/usr/bin:/bin\nunset\n");
    }

    #[test]
    fn folders_of_submissions_and_relative_folders_are_not_searched() {
        let home = tempfile::tempdir().unwrap();
        let [own, theirs] = ["own/bin", "work/node_modules/.bin"].map(|name| home.path().join(name));
        for folder in [&own, &theirs] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("tool"), "").unwrap();
        }
        let link = home.path().join("link");
        std::os::unix::fs::symlink(&theirs, &link).unwrap();
        let to_all = home.path().join("to-all");
        std::os::unix::fs::symlink("/", &to_all).unwrap();
        let of_project = home.path().join("elsewhere/node_modules/.bin");
        fs::create_dir_all(&of_project).unwrap();
        let folders =
            [PathBuf::new(), PathBuf::from("."), PathBuf::from("src"), theirs, link, of_project, own.clone()];
        let tools = Tools::in_folders(folders.into_iter(), &[home.path().join("work"), to_all]);
        assert_eq!(tools.folders(), [own.as_path()]);
        assert_eq!(tools.find("tool"), Some(own.join("tool")));
    }

    #[test]
    fn a_tool_that_does_not_end_is_ended() {
        let began = Instant::now();
        let finished = run_to_end(shell("sleep 60 & sleep 60"), Duration::from_millis(300)).unwrap();
        assert!(finished.status.is_none() && began.elapsed() < Duration::from_secs(30));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_of_a_tools_group_runs_on_when_its_result_is_read() {
        let text = "echo $$; for each in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done";
        let finished = run_to_end(shell(text), Duration::from_secs(20)).unwrap();
        let group = String::from_utf8_lossy(&finished.output).trim().parse().unwrap();
        assert!(!super::group_runs(rustix::process::Pid::from_raw(group).unwrap()));
    }

    #[test]
    fn processes_that_hold_the_output_open_are_not_waited_for() {
        let began = Instant::now();
        let home = tempfile::tempdir().unwrap();
        let there = home.path().join("there").display().to_string();
        let left = format!(
            "import os, time; os.setsid(); os.write(1, b'left'); open('{there}', 'w'); time.sleep(30)"
        );
        let wait = format!("while [ ! -e '{there}' ]; do sleep 0.1; done");
        let text = format!("python3 -S -c \"{left}\" & {wait}; printf ' said'; printf wrong >&2");
        let finished = run_to_end(shell(&text), Duration::from_secs(20)).unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert!(finished.status.unwrap().success());
        assert_eq!(String::from_utf8_lossy(&finished.output), "left said");
        assert_eq!(String::from_utf8_lossy(&finished.errors), "wrong");
    }
}
