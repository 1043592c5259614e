//! Traces that an attack may leave: processes, files, and a larger harness.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// The users of confined processes when root starts keur.
const CONFINED_USERS: std::ops::Range<u32> = 60_800..61_056;

/// The prefix of the names of keur's control groups.
const GROUP: &str = "keur";

/// Processes, files and groups at one moment.
pub(super) struct Remains(BTreeSet<String>);

impl Remains {
    /// The processes, files and groups at this moment.
    ///
    /// These are the children of this process, including those whose own parent has ended; the files in
    /// world-writable places that a fixture would make or that belong to a user of confined processes; and
    /// what only the system shows.
    pub(super) fn now() -> Remains {
        // What an attack abandons becomes a child of this process, not of the system's first.
        let own = Some(rustix::process::getpid());
        rustix::process::set_child_subreaper(own).unwrap();
        let mut found = BTreeSet::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let status = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
            if name.parse::<u32>().is_ok() && field(&status, "PPid:") == Some(std::process::id().into()) {
                found.insert(format!("process {name}: {}", status.lines().next().unwrap_or_default()));
            }
        }
        for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let owner = entry.metadata().map_or(0, |metadata| metadata.uid());
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.contains("keur-hostile") || CONFINED_USERS.contains(&owner) {
                    found.insert(format!("file {folder}/{name}"));
                }
            }
        }
        // Files in memory that this process still holds, and process groups that it made.
        for entry in fs::read_dir("/proc/self/fd").unwrap().flatten() {
            let file = fs::read_link(entry.path()).unwrap_or_default();
            if file.to_string_lossy().starts_with("/memfd:") {
                found.insert(format!("{} at descriptor {}", file.display(), entry.file_name().display()));
            }
        }
        for entry in walkdir::WalkDir::new("/sys/fs/cgroup").into_iter().flatten() {
            if entry.file_type().is_dir() && entry.file_name().to_string_lossy().starts_with(GROUP) {
                found.insert(format!("cgroup {}", entry.path().display()));
            }
        }
        Remains(found)
    }

    /// The processes and files that are new since `before`.
    pub(super) fn since(self, before: &Remains) -> Vec<String> {
        self.0.into_iter().filter(|what| !before.0.contains(what)).collect()
    }
}

/// The memory of this process at one moment; what earlier tests left is not counted.
pub(super) struct Memory {
    /// In KiB.
    before: u64,
}

impl Memory {
    /// The current memory, from which the peak is counted.
    pub(super) fn now() -> Memory {
        fs::write("/proc/self/clear_refs", "5").unwrap();
        Memory { before: in_use("VmRSS:") }
    }

    /// The peak since then, above the memory at that time, in KiB.
    pub(super) fn peak_since(&self) -> u64 {
        in_use("VmHWM:").saturating_sub(self.before)
    }
}

fn in_use(name: &str) -> u64 {
    field(&fs::read_to_string("/proc/self/status").unwrap(), name).unwrap()
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
