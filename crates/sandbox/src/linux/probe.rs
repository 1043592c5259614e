//! The confinement that this machine offers, for `keur doctor` and the choice of a tier.

use super::unavailable::MissingFeature;
use super::{group, landlock, namespace, sys};
use crate::Strictness;
use std::fs;
use std::path::PathBuf;

/// The confinement features of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The kernel's version, as it reports it.
    pub kernel: String,
    /// Whether this program runs as root.
    pub root: bool,
    /// The version of Landlock's interface.
    pub landlock: Result<u32, MissingFeature>,
    /// Whether system calls can be filtered.
    pub seccomp: Result<(), MissingFeature>,
    /// Whether namespaces can be made.
    pub namespaces: Result<(), MissingFeature>,
    /// The folder in which cgroups can be made.
    pub groups: Result<PathBuf, MissingFeature>,
}

impl Probe {
    /// The highest tier that this machine offers, or what is missing for the lowest.
    ///
    /// # Errors
    /// What the standard tier is missing.
    pub fn highest(&self) -> Result<Strictness, MissingFeature> {
        self.landlock.clone()?;
        self.seccomp.clone()?;
        Ok(match (&self.namespaces, &self.groups) {
            (Err(_), _) => Strictness::Standard,
            (Ok(()), Err(_)) => Strictness::Isolated,
            (Ok(()), Ok(_)) => Strictness::Strict,
        })
    }
}

/// Whether this machine offers this tier; only its requirements are tested.
///
/// # Errors
/// What is missing.
pub fn offers(strictness: Strictness) -> Result<(), MissingFeature> {
    landlock::version()?;
    seccomp()?;
    if strictness >= Strictness::Isolated {
        namespace::means()?;
    }
    if strictness >= Strictness::Strict {
        group::place()?;
    }
    Ok(())
}

/// Tests what this machine offers. Namespaces are tested in a short-lived child.
pub fn probe() -> Probe {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Probe {
        kernel: release.trim().to_owned(),
        root: rustix::process::geteuid().is_root(),
        landlock: landlock::version(),
        seccomp: seccomp(),
        namespaces: namespace::means().map(drop),
        groups: group::place(),
    }
}

/// Whether system calls can be filtered.
///
/// # Errors
/// What is missing.
pub(super) fn seccomp() -> Result<(), MissingFeature> {
    sys::seccomp_available().map_err(|error| {
        MissingFeature::new(
            format!("this kernel has no system-call filters ({error})"),
            "use a kernel built with CONFIG_SECCOMP_FILTER",
        )
    })
}
