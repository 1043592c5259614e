//! A separate world for a process: only the listed paths, no network, no shared memory, no host name.
//!
//! [`World::plan`] plans the mounts in the parent; [`World::enter`] makes them in the child. The new root is
//! an empty memory file system on which the listed paths are mounted, read-only, under their own names.
//!
//! `bubblewrap` does the same as a program of its own, which each machine would need; this takes a
//! millisecond or two.

use super::fault::{StartFault, StartStep};
use super::sys;
use super::unavailable::MissingFeature;
use rustix::fs::{Mode, OFlags, mkdir, open, rmdir};
use rustix::io::{Errno, write};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change, unmount,
};
use rustix::process::{chdir, getegid, geteuid, pivot_root};
use rustix::thread::UnshareFlags;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders one of which every system has: the new root is built on it, hidden from other processes.
const STAGES: [&str; 3] = ["/tmp", "/mnt", "/run"];
/// The old root's path in the new one, while that is being built.
const OLD: &str = "/.old";
const REMEDY: &str = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
    kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0), use a container that permits \
    them, or ask for the standard tier";

/// The contents of a process's world, planned in advance so that the child need not allocate.
#[derive(Debug)]
pub(super) struct World {
    leaves: UnshareFlags,
    stage: CString,
    stage_old: CString,
    user_map: Vec<u8>,
    group_map: Vec<u8>,
    places: Vec<Mount>,
    /// The folder that stays writable.
    working: Option<Mount>,
    hidden: Vec<CString>,
}

/// A path of the old world that also exists in the new one.
#[derive(Debug)]
struct Mount {
    source: CString,
    target: CString,
    /// The folders above the target, outermost first.
    above: Vec<CString>,
    is_folder: bool,
}

/// The way in which namespaces are made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// Root enters directly.
    Root,
    /// Inside a new user namespace.
    User,
}

/// The way in which namespaces can be made here, determined once by making some.
///
/// # Errors
/// What is missing, if they cannot be made.
pub(super) fn means() -> Result<Means, MissingFeature> {
    static MEANS: OnceLock<Result<Means, MissingFeature>> = OnceLock::new();
    MEANS
        .get_or_init(|| {
            if geteuid().is_root() && attempt(Means::Root).is_ok() {
                return Ok(Means::Root);
            }
            attempt(Means::User).map(|()| Means::User).map_err(|fault| {
                MissingFeature::new(format!("user and mount namespaces are not usable here: {fault}"), REMEDY)
            })
        })
        .clone()
}

/// Enters an empty world in a short-lived child, as a test.
fn attempt(means: Means) -> Result<(), StartFault> {
    let world = World::plan(means, &[], &[], None).map_err(StartFault::at(StartStep::Namespaces))?;
    let child = || world.enter().err().map_or(0, |fault| i32::from(fault.exit_code()));
    let status = sys::fork(child).and_then(sys::wait).map_err(StartFault::at(StartStep::Namespaces))?;
    match status.exit_status() {
        Some(0) => Ok(()),
        code => Err(StartFault::from_exit_code(StartStep::Namespaces, code.unwrap_or(0))),
    }
}

impl World {
    /// Plans a world in which `readable` exists but `hidden` is empty, and `working` can be written to.
    ///
    /// # Errors
    /// A path that does not exist.
    pub(super) fn plan(
        means: Means,
        readable: &[PathBuf],
        hidden: &[PathBuf],
        working: Option<&Path>,
    ) -> io::Result<World> {
        let stage = STAGES.iter().map(Path::new).find(|path| path.is_dir()).unwrap_or(Path::new("/"));
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let leaves = UnshareFlags::NEWNS | UnshareFlags::NEWNET | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
        Ok(World {
            leaves: match means {
                Means::Root => leaves,
                Means::User => leaves | UnshareFlags::NEWUSER,
            },
            stage: text(stage)?,
            stage_old: text(stage.join(&OLD[1..]))?,
            user_map: format!("{user} {user} 1").into_bytes(),
            group_map: format!("{group} {group} 1").into_bytes(),
            places: places(readable)?,
            working: working.map(|path| Mount::new(path, path)).transpose()?,
            hidden: hidden
                .iter()
                .filter(|path| path.is_dir() && !path.is_symlink())
                .map(text)
                .collect::<io::Result<_>>()?,
        })
    }

    /// Leaves the parent's world. Signal-safe.
    pub(super) fn enter(&self) -> Result<(), StartFault> {
        sys::unshare(self.leaves).map_err(StartFault::at(StartStep::Namespaces))?;
        if self.leaves.contains(UnshareFlags::NEWUSER) {
            self.map_user().map_err(StartFault::at(StartStep::UserMap))?;
        }
        self.build().map_err(StartFault::at(StartStep::Mounts))
    }

    fn map_user(&self) -> io::Result<()> {
        write_file(c"/proc/self/setgroups", b"deny")?;
        write_file(c"/proc/self/uid_map", &self.user_map)?;
        write_file(c"/proc/self/gid_map", &self.group_map)
    }

    fn build(&self) -> io::Result<()> {
        let plain = MountFlags::NOSUID | MountFlags::NODEV;
        mount_change(c"/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
        mount(c"keur", &self.stage, c"tmpfs", plain, c"size=1m,mode=755")?;
        make_folder(&self.stage_old)?;
        pivot_root(&self.stage, &self.stage_old)?;
        chdir(c"/")?;
        for place in self.places.iter().chain(&self.working) {
            for folder in &place.above {
                make_folder(folder)?;
            }
            if place.is_folder {
                make_folder(&place.target)?
            } else {
                make_file(&place.target)?
            }
            mount_bind_recursive(&place.source, &place.target)?;
        }
        for folder in &self.hidden {
            mount(c"keur", folder, c"tmpfs", plain | MountFlags::RDONLY, c"size=0,mode=755")?;
        }
        // At once for new users, and later for those who have it open.
        unmount(OLD_NAME, UnmountFlags::DETACH)?;
        rmdir(OLD_NAME)?;
        sys::seal_mounts(c"/")?;
        match &self.working {
            Some(working) => sys::open_mount(&working.target),
            None => Ok(()),
        }
    }
}

/// [`OLD`] in the kernel's form.
const OLD_NAME: &CStr = c"/.old";

/// Writes a small file that exists, in one go. Signal-safe.
fn write_file(path: &CStr, bytes: &[u8]) -> io::Result<()> {
    write(open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?, bytes)?;
    Ok(())
}

/// Makes an empty file, which a mount covers at once. Signal-safe.
fn make_file(path: &CStr) -> io::Result<()> {
    open(path, OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC, Mode::from_raw_mode(0o444))?;
    Ok(())
}

/// Makes a folder, unless it exists. Signal-safe.
fn make_folder(path: &CStr) -> io::Result<()> {
    match mkdir(path, Mode::from_raw_mode(0o755)) {
        Err(error) if error != Errno::EXIST => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The mounts: each path under its real name and under the given name, which may contain links such as
/// `/lib64`; a path below another comes with it.
fn places(readable: &[PathBuf]) -> io::Result<Vec<Mount>> {
    let mut targets = BTreeSet::new();
    for path in readable {
        let real = path.canonicalize()?;
        targets.insert((path.clone(), real.clone()));
        targets.insert((real.clone(), real));
    }
    // This order puts a folder before its contents.
    let mut places: Vec<(PathBuf, PathBuf)> = Vec::new();
    for (target, source) in targets {
        if !places.iter().any(|(above, _)| target.starts_with(above)) {
            places.push((target, source));
        }
    }
    places.into_iter().map(|(target, source)| Mount::new(&target, &source)).collect()
}

impl Mount {
    fn new(target: &Path, source: &Path) -> io::Result<Mount> {
        let above: Vec<&Path> = target.ancestors().skip(1).filter(|path| path.parent().is_some()).collect();
        let inside = source.strip_prefix("/").unwrap_or(source);
        Ok(Mount {
            source: text(Path::new(OLD).join(inside))?,
            target: text(target)?,
            above: above.into_iter().rev().map(text).collect::<io::Result<_>>()?,
            is_folder: source.is_dir(),
        })
    }
}

fn text(path: impl AsRef<OsStr>) -> io::Result<CString> {
    Ok(CString::new(path.as_ref().as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_another_comes_with_it() {
        let paths = ["/usr", "/usr/bin", "/dev/null"].map(PathBuf::from);
        let targets: Vec<_> = places(&paths).unwrap().into_iter().map(|place| place.target).collect();
        assert_eq!(targets, [c"/dev/null".to_owned(), c"/usr".to_owned()]);
    }
}
