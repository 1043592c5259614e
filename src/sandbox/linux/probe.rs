//! What this machine offers for confinement, for `keur doctor` and for the choice of a tier.

use super::lack::Missing;
use super::request::Tier;
use super::{group, landlock, namespace, sys};
use std::fs;
use std::path::PathBuf;

/// What this machine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The kernel's version, as it calls itself.
    pub kernel: String,
    /// Whether this program runs as root.
    pub root: bool,
    /// The version of Landlock's interface.
    pub landlock: Result<u32, Missing>,
    /// Whether system calls can be filtered.
    pub seccomp: Result<(), Missing>,
    /// Whether namespaces can be made.
    pub namespaces: Result<(), Missing>,
    /// Where cgroups can be made.
    pub groups: Result<PathBuf, Missing>,
}

impl Probe {
    /// The highest tier that this machine offers, or what is missing for the lowest.
    ///
    /// # Errors
    /// What the standard tier lacks.
    pub fn highest(&self) -> Result<Tier, Missing> {
        self.landlock.clone()?;
        self.seccomp.clone()?;
        Ok(match (&self.namespaces, &self.groups) {
            (Err(_), _) => Tier::Standard,
            (Ok(()), Err(_)) => Tier::Isolated,
            (Ok(()), Ok(_)) => Tier::Strict,
        })
    }
}

/// Whether this machine offers a tier: only what that tier needs is tried.
///
/// # Errors
/// What is missing.
pub fn offers(tier: Tier) -> Result<(), Missing> {
    landlock::version()?;
    seccomp()?;
    if tier >= Tier::Isolated {
        namespace::means()?;
    }
    if tier >= Tier::Strict {
        group::place()?;
    }
    Ok(())
}

/// Finds out what this machine offers, by trying. Namespaces are tried in a short-lived child.
pub fn probe() -> Probe {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Probe {
        kernel: release.trim().to_owned(),
        root: sys::user_and_group().0 == 0,
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
pub(super) fn seccomp() -> Result<(), Missing> {
    sys::seccomp_available().map_err(|error| {
        Missing::new(
            format!("this kernel has no system-call filters ({error})"),
            "use a kernel built with CONFIG_SECCOMP_FILTER",
        )
    })
}
