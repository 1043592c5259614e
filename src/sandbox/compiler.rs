//! Runs a compiler on what nobody trusts: what it starts may write below one folder, and ends when it does.

use super::Tier;
use super::parts::Written;
use super::portable::flow::{Full, Inflow};
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is looked whether the compiler has ended.
const LOOK: Duration = Duration::from_millis(10);

/// Of what it says, on its output and on its standard error, so many bytes are kept; the rest is read and dropped.
const MOST_SAID: usize = 8 << 20;

/// How long after its end its last words may take to arrive: where it is not confined, something that it started may
/// still hold its output open.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Writable memory of each process, in bytes.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 << 30;

/// The largest file, in bytes.
#[cfg(target_os = "linux")]
const LARGEST_FILE: u64 = 1 << 30;

#[cfg(target_os = "linux")]
const OPEN_FILES: u64 = 1024;

/// Processes and threads at a time, where a user of their own lets them be counted.
#[cfg(target_os = "linux")]
const TASKS: u64 = 256;

/// A run of a compiler.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its whole environment.
    pub env: Vec<(String, String)>,
    /// The one folder that it, and what it starts, may change; it runs in `folder` below.
    pub writable: PathBuf,
    /// The folder that it runs in.
    pub folder: PathBuf,
    /// Files and trees that it may read.
    pub readable: Vec<PathBuf>,
    /// Trees of programs that it may start, and read.
    pub executables: Vec<PathBuf>,
    /// Time on the clock, and processor time of each process.
    pub time: Duration,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// How it ended; none when its time was up.
    pub status: Option<ExitStatus>,
    /// The beginning of what it said on its output.
    pub output: Vec<u8>,
    /// The beginning of what it said on its standard error.
    pub errors: Vec<u8>,
}

impl Compilation {
    /// Runs it to its end, and ends with it everything that it started.
    ///
    /// In the portable tier it is not confined. The strict tier has nothing for it that the standard one has not.
    ///
    /// # Errors
    /// It cannot be confined or started.
    pub fn run(&self, tier: Tier) -> io::Result<Compiled> {
        let mut command = self.command(tier)?;
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(key, value)| (key, value)));
        command.current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = start(&mut command)?;
        drop(command);
        let watched = self.watch(&mut child);
        end_group(&mut child);
        let status = child.wait()?;
        let (in_time, [mut output, mut errors]) = watched?;
        let until = Instant::now() + LAST_WORDS;
        for flow in [&output, &errors] {
            flow.settle(until.saturating_duration_since(Instant::now()));
        }
        Ok(Compiled {
            status: in_time.then_some(status),
            output: output.take(MOST_SAID as u64),
            errors: errors.take(MOST_SAID as u64),
        })
    }

    /// Waits until it ends or its time is up: whether it ended in time, and what comes from its output and its standard
    /// error.
    fn watch(&self, child: &mut Child) -> io::Result<(bool, [Arc<Inflow>; 2])> {
        let said = [gather(child.stdout.take())?, gather(child.stderr.take())?];
        let began = Instant::now();
        while !has_ended(child)? {
            if began.elapsed() >= self.time {
                return Ok((false, said));
            }
            std::thread::sleep(LOOK);
        }
        Ok((true, said))
    }

    #[cfg(target_os = "linux")]
    fn command(&self, tier: Tier) -> io::Result<Command> {
        use super::linux::{self, Confinement, Flavour, GroupLimits, Request, Rlimits};
        if tier == Tier::Portable {
            return Ok(self.unconfined());
        }
        let null = PathBuf::from("/dev/null");
        let confinement = Confinement::prepare(&Request {
            tier: linux::Tier::Standard,
            flavour: Flavour::Compiler,
            executable: self.program.clone(),
            readable: self.readable.clone(),
            hidden: Vec::new(),
            executables: self.executables.clone(),
            writable: vec![self.writable.clone(), null],
            allow_threads: true,
            rlimits: Rlimits {
                address_space: None,
                data: Some(MEMORY),
                file_size: LARGEST_FILE,
                open_files: OPEN_FILES,
                processes: Some(TASKS),
                cpu_seconds: self.time.as_secs() + 1,
            },
            group: GroupLimits { memory: MEMORY, tasks: TASKS },
        })
        .map_err(io::Error::other)?;
        if let Some(owner) = confinement.owner() {
            for entry in walkdir::WalkDir::new(&self.writable) {
                let entry = entry.map_err(io::Error::from)?;
                std::os::unix::fs::lchown(entry.path(), Some(owner), Some(owner))?;
            }
        }
        confinement.command(Vec::new())
    }

    #[cfg(not(target_os = "linux"))]
    fn command(&self, _: Tier) -> io::Result<Command> {
        Ok(self.unconfined())
    }

    fn unconfined(&self) -> Command {
        let command = Command::new(&self.program);
        #[cfg(unix)]
        let command = {
            let mut command = command;
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command
        };
        command
    }
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
fn gather(from: Option<impl Read + Send + 'static>) -> io::Result<Arc<Inflow>> {
    let from = from.ok_or_else(|| io::Error::other("the program has no pipes"))?;
    Inflow::start(from, MOST_SAID, Full::Drops).map(Arc::new)
}

/// Whether a child has ended. On a Unix it is left to be waited for, so that its group is not another's yet.
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

/// Ends a child, and on a Unix its group: a confined one can leave neither that nor its session.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Compilation, Tier};
    use std::time::{Duration, Instant};

    /// A shell in the place of a compiler, not confined.
    fn shell(text: &str) -> Compilation {
        let folder = std::env::temp_dir();
        Compilation {
            program: "/bin/sh".into(),
            args: ["-c", text].map(str::to_owned).into(),
            env: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
            writable: folder.clone(),
            folder,
            readable: Vec::new(),
            executables: Vec::new(),
            time: Duration::from_secs(20),
        }
    }

    #[test]
    fn what_still_holds_its_output_open_is_not_waited_for() {
        let began = Instant::now();
        let left = "import os, time; os.setsid(); os.write(1, b'left'); time.sleep(30)";
        let text = format!("python3 -S -c \"{left}\" & sleep 1; printf ' said'; printf wrong >&2");
        let compiled = shell(&text).run(Tier::Portable).unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert!(compiled.status.unwrap().success());
        assert_eq!(String::from_utf8_lossy(&compiled.output), "left said");
        assert_eq!(String::from_utf8_lossy(&compiled.errors), "wrong");
    }
}
