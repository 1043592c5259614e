//! What this machine offers for confinement.

use super::Tier;
#[cfg(target_os = "linux")]
use super::linux;

/// What the portable tier limits on this system.
#[cfg(target_os = "linux")]
macro_rules! limits {
    () => {
        "time, memory, output and open files"
    };
}

/// What the portable tier limits on this system.
#[cfg(all(unix, not(target_os = "linux")))]
macro_rules! limits {
    () => {
        "time, output and open files, not surely memory"
    };
}

/// What the portable tier limits on this system.
#[cfg(windows)]
macro_rules! limits {
    () => {
        "time, memory and output, not open files"
    };
}

/// What the portable tier limits on this system.
#[cfg(not(any(unix, windows)))]
macro_rules! limits {
    () => {
        "time on the clock and output, not processor time, memory or open files"
    };
}

/// What submissions are held to in the portable tier, and what not.
macro_rules! portable {
    () => {
        concat!(
            "submissions are held to limits (",
            limits!(),
            "), but can read your files and use the network"
        )
    };
}

/// What the portable tier gives, and what not.
pub const PORTABLE: &str = portable!();

/// What is said at each run in the portable tier.
pub const PORTABLE_WARNING: &str = concat!(
    "warning: confinement is `portable`: ",
    portable!(),
    "; grade only what you would run yourself\n"
);

/// One thing that a machine offers or lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    /// What it is.
    pub name: String,
    /// How much of it there is; else what is missing and what to do about it.
    pub state: Result<String, String>,
}

/// Whether a tier can be had here.
///
/// # Errors
/// What is missing, and what to do about it.
pub fn available(tier: Tier) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    let offered = |tier| linux::offers(tier).map_err(|missing| missing.to_string());
    #[cfg(target_os = "linux")]
    return match tier {
        Tier::Portable => Ok(()),
        Tier::Standard => offered(linux::Tier::Standard),
        Tier::Strict => offered(linux::Tier::Strict),
    };
    #[cfg(not(target_os = "linux"))]
    match tier {
        Tier::Portable => Ok(()),
        Tier::Standard | Tier::Strict => Err("it needs Linux".to_owned()),
    }
}

/// Everything that confinement is made of, and whether it is there.
pub fn findings() -> Vec<Availability> {
    #[cfg(target_os = "linux")]
    {
        let probe = linux::probe();
        let state = |found: Result<String, linux::Missing>| found.map_err(|missing| missing.to_string());
        let user = if probe.root { "root: submissions run as another user" } else { "a plain user" };
        [
            ("kernel", Ok(probe.kernel)),
            ("user", Ok(user.to_owned())),
            ("Landlock", state(probe.landlock.map(|abi| format!("version {abi}")))),
            ("system-call filter", state(probe.seccomp.map(|()| "seccomp".to_owned()))),
            ("namespaces", state(probe.namespaces.map(|()| "usable".to_owned()))),
            ("control groups", state(probe.groups.map(|path| path.display().to_string()))),
        ]
        .map(|(name, state)| Availability { name: name.to_owned(), state })
        .into()
    }
    #[cfg(not(target_os = "linux"))]
    vec![Availability {
        name: "confinement".to_owned(),
        state: Err("this system has none that keur knows; limits hold, malice is not kept out".to_owned()),
    }]
}
