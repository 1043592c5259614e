//! A version 2 cgroup that caps the memory and the tasks of a confinement.
//!
//! A group is made beside this program's own, or below it if possible; both need delegated controllers and
//! writable folders. This program itself is never moved. `cgroups-rs` is much more than the few files that
//! are read and written here.

use super::request::GroupLimits;
use super::unavailable::{MissingFeature, Unavailable};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

const REMEDY: &str = "run keur with `systemd-run --user --scope keur …` (or as root on a system with cgroup v2), or ask \
    for a lower tier";
/// How often, and at what interval, to try removing a group while its last processes end.
const REMOVALS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// A cgroup; dropping it kills what still runs in it and removes it.
#[derive(Debug)]
pub(super) struct Cgroup {
    folder: PathBuf,
    /// Open for the lifetime of the group: a process joins by writing to it.
    members: File,
}

impl Cgroup {
    /// Makes a group with these caps.
    ///
    /// # Errors
    /// [`Unavailable::Feature`] if no place allows it, [`Unavailable::Path`] if the kernel refuses a cap.
    pub(super) fn new(limits: &GroupLimits) -> Result<Cgroup, Unavailable> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("keur-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = place()?.join(name);
        let lack = |path: &Path, source| Unavailable::Path { path: path.to_owned(), source };
        fs::create_dir(&folder).map_err(|source| lack(&folder, source))?;
        let members = folder.join("cgroup.procs");
        let group = OpenOptions::new()
            .write(true)
            .open(&members)
            .map(|members| Cgroup { folder: folder.clone(), members })
            .map_err(|source| {
                // If even this fails, an empty group is left behind.
                let _ = fs::remove_dir(&folder);
                lack(&members, source)
            })?;
        let caps = [("memory.max", limits.memory), ("pids.max", limits.tasks), ("memory.oom.group", 1)];
        for (file, value) in caps {
            let path = group.folder.join(file);
            fs::write(&path, value.to_string()).map_err(|source| lack(&path, source))?;
        }
        // Missing on a system without swap.
        let _ = fs::write(group.folder.join("memory.swap.max"), "0");
        Ok(group)
    }

    /// Whether the kernel ended a process of the group because the group reached its memory limit
    /// (cgroup-v2.rst, `memory.events`).
    pub(super) fn has_killed(&self) -> bool {
        let events = read(self.folder.join("memory.events"));
        events.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|count| count.trim() != "0")
    }

    /// The file to join by, by writing [`JOIN`].
    pub(super) fn members(&self) -> &File {
        &self.members
    }
}

/// The text that a process writes to join: itself.
pub(super) const JOIN: &[u8] = b"0";

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Kernels before 5.14 lack this file; there the owner has killed the processes one by one.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
        for _ in 0..REMOVALS {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            sleep(PAUSE);
        }
    }
}

/// The folder in which groups can be made, determined once.
///
/// # Errors
/// What is missing, if there is none.
pub(super) fn place() -> Result<PathBuf, MissingFeature> {
    static PLACE: OnceLock<Result<PathBuf, MissingFeature>> = OnceLock::new();
    PLACE.get_or_init(find_place).clone()
}

fn find_place() -> Result<PathBuf, MissingFeature> {
    let missing = |what: String| MissingFeature::new(what, REMEDY);
    let root = mount_point(&read("/proc/self/mountinfo"))
        .ok_or_else(|| missing("cgroup v2 is not mounted".into()))?;
    let own = own_group(&read("/proc/self/cgroup"))
        .map(|path| root.join(path))
        .ok_or_else(|| missing("this process is in no cgroup of version 2".into()))?;
    let above = own.parent().filter(|above| above.starts_with(&root));
    let mut reasons = Vec::new();
    for candidate in above.into_iter().chain([own.as_path()]) {
        match usable(candidate) {
            Ok(()) => return Ok(candidate.to_owned()),
            Err(reason) => reasons.push(format!("{}: {reason}", candidate.display())),
        }
    }
    Err(missing(format!("no cgroup to make groups in ({})", reasons.join("; "))))
}

/// Whether groups with both caps can be made in a folder and processes of this group moved there, tested by
/// trying.
fn usable(folder: &Path) -> Result<(), String> {
    let passed_down = read(folder.join("cgroup.subtree_control"));
    if !["memory", "pids"].iter().all(|wanted| passed_down.split_whitespace().any(|name| name == *wanted)) {
        return Err("the memory and pids controllers are not delegated to its groups".into());
    }
    let writable = |path: &Path| OpenOptions::new().write(true).open(path).map(drop);
    let trial = folder.join(format!("keur-{}-trial", std::process::id()));
    writable(&folder.join("cgroup.procs"))
        .and_then(|()| fs::create_dir(&trial))
        .and_then(|()| {
            let complete = writable(&trial.join("memory.max")).and(writable(&trial.join("pids.max")));
            fs::remove_dir(&trial).and(complete)
        })
        .map_err(|error: io::Error| format!("not writable ({error})"))
}

/// Where cgroup v2 is mounted: the mount point is the fifth field, the type follows a lone dash.
fn mount_point(mountinfo: &str) -> Option<PathBuf> {
    let line = mountinfo.lines().find(|line| line.contains(" - cgroup2 "))?;
    line.split(' ').nth(4).map(PathBuf::from)
}

/// The group of this process below the mount point.
fn own_group(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| line.strip_prefix("0::/"))
}

/// A kernel file; an unreadable one counts as empty.
fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_point_is_found_among_others() {
        let text = "30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                    40 30 0:35 / /sys/fs/cgroup/unified rw,relatime shared:5 - cgroup2 cgroup2 rw\n";
        assert_eq!(mount_point(text), Some(PathBuf::from("/sys/fs/cgroup/unified")));
        assert_eq!(mount_point("30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"), None);
    }

    #[test]
    fn a_group_that_reached_its_memory_limit_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let members = File::create(folder.path().join("cgroup.procs")).unwrap();
        let group = Cgroup { folder: folder.path().to_owned(), members };
        assert!(!group.has_killed());
        for (killed, counts) in
            [(false, "oom 2\noom_kill 0\n"), (true, "oom 2\noom_kill 13\noom_group_kill 1\n")]
        {
            fs::write(folder.path().join("memory.events"), format!("low 0\nmax 7\n{counts}")).unwrap();
            assert_eq!(group.has_killed(), killed, "{counts}");
        }
    }

    #[test]
    fn the_own_group_is_that_of_version_two() {
        assert_eq!(own_group("4:memory:/a\n0::/user.slice/b.scope\n"), Some("user.slice/b.scope"));
        assert_eq!(own_group("4:memory:/a\n"), None);
    }
}
