//! The Landlock ruleset of a confinement: read access below listed paths, and nothing else.
//!
//! Everything is restricted that the kernel's version of Landlock can restrict, up to [`NEWEST`]. The ruleset
//! is made in the parent; all that the child does with it is one system call, because a child that was forked
//! from threads may not allocate. Rules apply to files, not to names, so they also hold in another mount
//! namespace.

use super::sys;
use super::unavailable::{MissingFeature, Unavailable};
use landlock::{
    ABI, Access, AccessFs, AccessNet, AddRuleError, AddRulesError, BitFlags, CreateRulesetError, PathBeneath,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The newest version of Landlock; what later ones add must be looked at first.
const NEWEST: ABI = ABI::V10;
/// The first version that restricts truncating.
const TRUNCATE_SINCE: u32 = 3;
/// Making devices, of characters and of blocks, and connecting to sockets that have a name.
const NEVER: BitFlags<AccessFs> = make_bitflags!(AccessFs::{MakeChar | MakeBlock | ResolveUnix});
/// Reading, writing, truncating, making and removing files and folders, and moving them about. Nothing can be
/// executed, and no link, pipe, socket or device can be made.
const WORKING: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    ReadFile | ReadDir | WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir | Refer
});
const READING: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile});
const EXECUTING: BitFlags<AccessFs> = make_bitflags!(AccessFs::{Execute | ReadFile});

/// The version of Landlock that this kernel offers.
///
/// # Errors
/// What is missing, if there is none.
pub(super) fn version() -> Result<u32, MissingFeature> {
    sys::landlock_version().map_err(|error| match error.raw_os_error() {
        Some(libc::EOPNOTSUPP) => MissingFeature::new(
            "Landlock is built into this kernel but was not enabled at boot",
            "add `landlock` to the kernel's `lsm=` boot parameter",
        ),
        Some(libc::EPERM) => MissingFeature::new(
            "Landlock's system calls are refused, probably by a container's seccomp profile",
            "use a newer container runtime, or a seccomp profile that allows the landlock_* calls",
        ),
        _ => MissingFeature::new(
            format!("this kernel has no Landlock ({error})"),
            "use Linux 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK",
        ),
    })
}

/// The paths that a ruleset allows.
pub(super) struct Allowed<'a> {
    /// Files and trees that may be read.
    pub(super) readable: &'a [PathBuf],
    /// Files and trees below those, and below `executables`, that may not be read.
    pub(super) hidden: &'a [PathBuf],
    /// Regular files that may be executed, and read.
    pub(super) programs: &'a [PathBuf],
    /// Files and trees of programs that may be executed, and read.
    pub(super) executables: &'a [PathBuf],
    /// Files and trees that may be changed in every way, and executed.
    pub(super) writable: &'a [PathBuf],
    /// A folder in which files may be changed, but not executed.
    pub(super) folder: Option<&'a Path>,
}

/// A ruleset that allows only this.
///
/// # Errors
/// [`Unavailable::Feature`] without Landlock, [`Unavailable::Path`] for a path that does not exist.
pub(super) fn ruleset(allowed: &Allowed<'_>) -> Result<OwnedFd, Unavailable> {
    let version = version()?;
    let refused = |source| Unavailable::System { what: "create a Landlock ruleset", source };
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(|error| refused(refusal(error)))?;
    for path in allowed.programs {
        let opened = open(path).map_err(|source| lack(path, source))?;
        // A rule on a folder would allow everything below it.
        if !opened.metadata().is_ok_and(|data| data.is_file()) {
            return Err(lack(path, io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
        }
        add(&mut ruleset, path, opened, EXECUTING)?;
    }
    for path in allowed.writable {
        allow(&mut ruleset, path, AccessFs::from_all(NEWEST) & !NEVER)?;
    }
    if let Some(path) = allowed.folder {
        // Otherwise what may be read could be emptied.
        if version < TRUNCATE_SINCE {
            return Err(Unavailable::Feature(MissingFeature::new(
                "a program with a folder of its own needs Linux 6.2 or newer, whose Landlock restricts truncating",
                "use a newer kernel, or the portable tier for programs that you trust",
            )));
        }
        allow(&mut ruleset, path, WORKING)?;
    }
    let hidden: Vec<PathBuf> = allowed.hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for (paths, rights) in [(allowed.readable, READING), (allowed.executables, EXECUTING)] {
        for path in paths {
            let real = path.canonicalize().map_err(|source| lack(path, source))?;
            allow_tree(&mut ruleset, &real, rights, &hidden)?;
        }
    }
    // The library makes none where it finds no Landlock.
    Option::<OwnedFd>::from(ruleset).ok_or_else(|| refused(io::ErrorKind::Unsupported.into()))
}

/// Allows these rights on the files of a tree, and listing its folders. Landlock cannot revoke what it allows
/// above: if a folder contains something hidden, listing it is allowed, and its other entries are allowed one
/// by one.
fn allow_tree(
    ruleset: &mut RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
    hidden: &[PathBuf],
) -> Result<(), Unavailable> {
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return Ok(());
    }
    if !path.is_dir() {
        return allow(ruleset, path, rights);
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        return allow(ruleset, path, rights | AccessFs::ReadDir);
    }
    allow(ruleset, path, AccessFs::ReadDir.into())?;
    for entry in path.read_dir().map_err(|source| lack(path, source))? {
        let entry = entry.map_err(|source| lack(path, source))?.path();
        // A link to a file is followed, but not one to a folder, which might contain anything; a broken one
        // leads nowhere.
        match entry.canonicalize() {
            Ok(real) if !entry.is_symlink() || real.is_file() => allow_tree(ruleset, &real, rights, hidden)?,
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

fn allow(ruleset: &mut RulesetCreated, path: &Path, rights: BitFlags<AccessFs>) -> Result<(), Unavailable> {
    let opened = open(path).map_err(|source| lack(path, source))?;
    add(ruleset, path, opened, rights)
}

/// Adds a rule for an open path. Rights that this kernel does not restrict are left out, and so are those of
/// folders on a file.
fn add(
    ruleset: &mut RulesetCreated,
    path: &Path,
    opened: File,
    rights: BitFlags<AccessFs>,
) -> Result<(), Unavailable> {
    let added = ruleset.add_rule(PathBeneath::new(opened, rights)).map(drop);
    added.map_err(|error| lack(path, refusal(error)))
}

/// The system's own error, if that is why a ruleset cannot be made.
fn refusal(error: RulesetError) -> io::Error {
    match error {
        RulesetError::CreateRuleset(CreateRulesetError::CreateRulesetCall { source, .. })
        | RulesetError::AddRules(AddRulesError::Fs(AddRuleError::AddRuleCall { source, .. })) => source,
        error => io::Error::other(error),
    }
}

/// Opens a path as a location, without reading it.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path)
}

fn lack(path: &Path, source: io::Error) -> Unavailable {
    Unavailable::Path { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, connect, socket};
    use rustix::process::{getppid, test_kill_process};
    use rustix::thread::set_no_new_privs;
    use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    /// Each version of the ruleset alone, without the filter of system calls, keeps a process from what that
    /// version knows.
    #[test]
    fn each_version_restrains_what_it_knows() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("socket");
        let _named = UnixListener::bind(&name).unwrap();
        let place = SocketAddrUnix::new(&name).unwrap();
        let title = format!("keur-landlock-{}", std::process::id());
        let _titled = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&title).unwrap()).unwrap();
        let hidden = SocketAddrUnix::new_abstract_name(title.as_bytes()).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let far = SocketAddrV4::new(Ipv4Addr::LOCALHOST, listener.local_addr().unwrap().port());
        let near = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0);
        let readable = [folder.path().to_owned()];
        let ruleset = ruleset(&Allowed {
            readable: &readable,
            hidden: &[],
            programs: &[],
            executables: &[],
            writable: &readable,
            folder: None,
        })
        .unwrap();
        let unix = || socket(AddressFamily::UNIX, SocketType::STREAM, None);
        let tcp = || socket(AddressFamily::INET, SocketType::STREAM, None);
        let udp = || socket(AddressFamily::INET, SocketType::DGRAM, None);
        // The version that each came with.
        let tries: [(u32, &dyn Fn() -> rustix::io::Result<()>); 8] = [
            (1, &|| {
                rustix::fs::open(c"/etc/passwd", rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
                    .map(drop)
            }),
            (4, &|| bind(tcp()?, &near)),
            (4, &|| connect(tcp()?, &far)),
            (6, &|| connect(unix()?, &hidden)),
            (6, &|| getppid().map_or(Ok(()), test_kill_process)),
            (9, &|| connect(unix()?, &place)),
            (10, &|| bind(udp()?, &near)),
            (10, &|| connect(udp()?, &far)),
        ];
        let attempt = || {
            let worked = || tries.iter().enumerate().filter(|(_, (_, attempt))| attempt().is_ok());
            let bits = || worked().fold(0, |bits, (place, _)| bits | 1 << place);
            let (before, confined) = (
                bits(),
                set_no_new_privs(true)
                    .map_err(io::Error::from)
                    .and_then(|()| sys::landlock_restrict(&ruleset)),
            );
            if before == 0xff && confined.is_ok() { bits() } else { 0xff }
        };
        let status = sys::fork(attempt).and_then(sys::wait).unwrap();
        let version = version().unwrap();
        let expected = tries.iter().enumerate().filter(|(_, (since, _))| version < *since);
        let expected = expected.fold(0, |bits, (place, _)| bits | 1 << place);
        assert_eq!(status.exit_status(), Some(expected));
    }
}
