//! Runs a compiler on untrusted code: all its processes may write in a few folders only, and have ended when
//! it has.

use super::tools::{self, Finished};
use super::{Cancel, Tier};
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Writable memory of each process, in bytes.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 << 30;

/// The largest file, in bytes.
#[cfg(target_os = "linux")]
const LARGEST_FILE: u64 = 1 << 30;

#[cfg(target_os = "linux")]
const OPEN_FILES: u64 = 1024;

/// Processes and threads at a time, if they have their own user, so that they can be counted.
#[cfg(target_os = "linux")]
const TASKS: u64 = 256;

/// A run of a compiler.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The program.
    pub program: PathBuf,
    /// The arguments of the compiler.
    pub args: Vec<String>,
    /// The whole environment of the compiler.
    pub env: Vec<(String, String)>,
    /// The folder of this build, which it may read. Where it runs as its own user, it belongs to that one.
    pub home: PathBuf,
    /// The folder that it runs in, inside `home`.
    pub folder: PathBuf,
    /// All that it and its children may change, each inside `home`.
    pub writable: Vec<PathBuf>,
    /// Other files and trees that it may read.
    pub readable: Vec<PathBuf>,
    /// Files and trees below those, and below `executables`, that it may not read.
    pub hidden: Vec<PathBuf>,
    /// Trees of programs that it may start, and read.
    pub executables: Vec<PathBuf>,
}

impl Compilation {
    /// Runs it to its end, then ends everything that it started. `time` is its wall-clock time; `cancel` ends
    /// it early.
    ///
    /// In the portable tier it is not confined. The strict tier adds nothing to the standard one here.
    ///
    /// # Errors
    /// It cannot be confined or started.
    pub fn run(&self, tier: Tier, time: Duration, cancel: &Cancel) -> io::Result<Finished> {
        let mut command = self.command(tier, time)?;
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(key, value)| (key, value)));
        command.current_dir(&self.folder);
        tools::finish(command, time, cancel)
    }

    #[cfg(target_os = "linux")]
    fn command(&self, tier: Tier, time: Duration) -> io::Result<Command> {
        use super::linux::{Confinement, GroupLimits, ProgramKind, Request, Rlimits};
        if tier == Tier::Portable {
            return Ok(self.unconfined());
        }
        let null = PathBuf::from("/dev/null");
        let writable = self.writable.iter().cloned().chain([null]).collect();
        let rlimits = Rlimits {
            address_space: None,
            data: Some(MEMORY),
            file_size: LARGEST_FILE,
            open_files: OPEN_FILES,
            processes: Some(TASKS),
            cpu_seconds: (time.as_secs() + 1) * cores(),
        };
        let group = GroupLimits { memory: MEMORY, tasks: TASKS };
        let confinement = Confinement::prepare(&Request {
            readable: self.readable.clone(),
            hidden: self.hidden.clone(),
            executables: self.executables.clone(),
            owned: vec![self.home.clone()],
            writable,
            ..Request::new(ProgramKind::Compiler, self.program.clone(), rlimits, group)
        })
        .map_err(io::Error::other)?;
        if let Some(owner) = confinement.owner() {
            for entry in walkdir::WalkDir::new(&self.home) {
                let entry = entry.map_err(io::Error::from)?;
                std::os::unix::fs::lchown(entry.path(), Some(owner), Some(owner))?;
            }
        }
        confinement.command(Vec::new())
    }

    #[cfg(not(target_os = "linux"))]
    fn command(&self, _: Tier, _: Duration) -> io::Result<Command> {
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

/// The processors of this machine: in its wall-clock time no process uses more than so many times that, so
/// that the kernel ends none with `SIGKILL` for its processor time while keur runs.
#[cfg(target_os = "linux")]
fn cores() -> u64 {
    let count = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    #[cfg(target_os = "linux")]
    return super::cores::on_every_core(count);
    #[cfg(not(target_os = "linux"))]
    count()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Compilation;
    use crate::{Cancel, Tier, available};
    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    #[test]
    fn a_compiler_changes_what_it_may_write_alone_and_reads_nothing_hidden() {
        assert_eq!(available(Tier::Standard), Ok(()));
        let around = tempfile::tempdir().unwrap();
        let at = |name: &str| around.path().join(name);
        for folder in ["build/sources", "build/target", "programs/sub"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["build/sources/a.rs", "programs/hidden", "programs/open", "programs/sub/open"] {
            fs::write(at(file), "x").unwrap();
        }
        let tries = [
            "echo y > a.rs",
            ": > a.rs",
            "echo y > b.rs",
            "rm a.rs",
            "mv a.rs ../target/a.rs",
            "ln a.rs ../target/a.rs && echo y > ../target/a.rs",
            "chmod 777 a.rs && echo y > a.rs",
            "mv ../sources ../moved",
            "mv ../target ../moved",
            "ln -s / ../moved",
            "cat ../../programs/hidden",
            "cat a.rs > ../target/b.rs",
            "cat ../../programs/open ../../programs/sub/open",
        ];
        let script: String = tries
            .iter()
            .map(|each| format!("if ({each}) > /dev/null 2>&1; then echo '{each}'; fi\n"))
            .collect();
        let system = ["/usr/bin", "/bin", "/usr/lib", "/lib", "/lib64"].map(PathBuf::from);
        let compilation = Compilation {
            program: PathBuf::from("/bin/sh"),
            args: vec!["-c".to_owned(), script],
            env: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
            home: at("build"),
            folder: at("build/sources"),
            writable: vec![at("build/target")],
            readable: Vec::new(),
            hidden: vec![at("programs/hidden")],
            executables: system.into_iter().filter(|path| path.exists()).chain([at("programs")]).collect(),
        };
        let finished = compilation.run(Tier::Standard, Duration::from_secs(60), &Cancel::default()).unwrap();
        let worked = String::from_utf8(finished.output).unwrap();
        assert_eq!(worked.lines().collect::<Vec<_>>(), tries[tries.len() - 2..]);
        assert_eq!(fs::read_to_string(at("build/sources/a.rs")).unwrap(), "x");
    }
}
