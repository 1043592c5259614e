//! A separate world for a process: only the listed paths, no network, no shared memory, no host name.
//!
//! [`World::plan`] plans the mounts in the parent; [`World::enter`] makes them in the child. The new root is an
//! empty memory file system on which the listed paths are mounted, read-only, under their own names.

use super::fault::{StartFault, StartStep};
use super::sys;
use super::unavailable::MissingFeature;
use libc::{CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWUTS};
use libc::{MS_BIND, MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC};
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
    flags: libc::c_int,
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

/// How namespaces are made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// As root, directly.
    Root,
    /// Inside a new user namespace.
    User,
}

/// How namespaces can be made here, determined once by making some.
///
/// # Errors
/// What is missing, if they cannot be made.
pub(super) fn means() -> Result<Means, MissingFeature> {
    static MEANS: OnceLock<Result<Means, MissingFeature>> = OnceLock::new();
    MEANS
        .get_or_init(|| {
            if sys::user_and_group().0 == 0 && attempt(Means::Root).is_ok() {
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
    let world = World::plan(means, &[], &[], None)
        .map_err(|source| StartFault::new(StartStep::Namespaces, source))?;
    let child = || world.enter().err().map_or(0, |fault| i32::from(fault.exit_code()));
    let status = sys::fork(child)
        .and_then(sys::wait)
        .map_err(|source| StartFault::new(StartStep::Namespaces, source))?;
    if status == 0 { Ok(()) } else { Err(StartFault::from_exit_code(StartStep::Namespaces, status >> 8)) }
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
        let (user, group) = sys::user_and_group();
        let flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
        Ok(World {
            flags: match means {
                Means::Root => flags,
                Means::User => flags | CLONE_NEWUSER,
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
        let unshare =
            |result: io::Result<()>| result.map_err(|source| StartFault::new(StartStep::Namespaces, source));
        let users =
            |result: io::Result<()>| result.map_err(|source| StartFault::new(StartStep::UserMap, source));
        let mounts =
            |result: io::Result<()>| result.map_err(|source| StartFault::new(StartStep::Mounts, source));
        unshare(sys::unshare(self.flags))?;
        if self.flags & CLONE_NEWUSER != 0 {
            users(sys::write_file(c"/proc/self/setgroups", b"deny"))?;
            users(sys::write_file(c"/proc/self/uid_map", &self.user_map))?;
            users(sys::write_file(c"/proc/self/gid_map", &self.group_map))?;
        }
        mounts(self.build())
    }

    fn build(&self) -> io::Result<()> {
        let nothing = c"";
        sys::mount(nothing, c"/", nothing, MS_REC | MS_PRIVATE, nothing)?;
        sys::mount(c"keur", &self.stage, c"tmpfs", MS_NOSUID | MS_NODEV, c"size=1m,mode=755")?;
        sys::make_folder(&self.stage_old)?;
        sys::pivot_root(&self.stage, &self.stage_old)?;
        sys::change_folder(c"/")?;
        for place in self.places.iter().chain(&self.working) {
            for folder in &place.above {
                sys::make_folder(folder)?;
            }
            if place.is_folder {
                sys::make_folder(&place.target)?
            } else {
                sys::make_file(&place.target)?
            }
            sys::mount(&place.source, &place.target, nothing, MS_BIND | MS_REC, nothing)?;
        }
        for folder in &self.hidden {
            sys::mount(c"keur", folder, c"tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, c"size=0,mode=755")?;
        }
        sys::detach(OLD_NAME)?;
        sys::remove_folder(OLD_NAME)?;
        sys::seal_mounts(c"/")?;
        match &self.working {
            Some(working) => sys::open_mount(&working.target),
            None => Ok(()),
        }
    }
}

/// [`OLD`] in the kernel's form.
const OLD_NAME: &CStr = c"/.old";

/// The mounts: each path under its real name and under the given name, which may contain links such as `/lib64`; a
/// path below another comes with it.
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
