//! The confinement that this machine offers.

use super::Tier;
#[cfg(target_os = "linux")]
use super::linux;

/// The limits of the portable tier on this system.
const LIMITS: &str = if cfg!(target_os = "linux") {
    "time, memory, output and open files"
} else if cfg!(unix) {
    "time, output and open files, but not reliably memory"
} else if cfg!(windows) {
    "time, memory and output, but not open files"
} else {
    "wall-clock time and output, but not processor time, memory or open files"
};

/// The guarantees of the portable tier, and what it lacks: a sentence without a full stop.
pub fn portable_guarantees() -> String {
    format!("submissions are held to limits ({LIMITS}), but can read your files and use the network")
}

/// A feature that a machine offers or lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    /// The name of the confinement's part.
    pub name: String,
    /// The extent to which it is there; else what is missing and how to fix that.
    pub state: Result<String, String>,
}

/// Whether a tier is available here.
///
/// # Errors
/// What is missing, and how to fix that.
pub fn available(tier: Tier) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    return tier
        .strictness()
        .map_or(Ok(()), |strictness| linux::offers(strictness).map_err(|missing| missing.to_string()));
    #[cfg(not(target_os = "linux"))]
    match tier {
        Tier::Portable => Ok(()),
        Tier::Standard | Tier::Strict => Err("it needs Linux".to_owned()),
    }
}

/// All features that confinement uses, and whether each is there.
pub fn findings() -> Vec<Availability> {
    #[cfg(target_os = "linux")]
    {
        let probe = linux::probe();
        let state =
            |found: Result<String, linux::MissingFeature>| found.map_err(|missing| missing.to_string());
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
        state: Err(
            "keur cannot confine submissions on this system: limits apply, but malicious code is not stopped"
                .to_owned(),
        ),
    }]
}
