//! The version of an interpreter.

use std::fmt;

/// The version of an interpreter, such as 3.11.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// The first release of a minor version, such as 3.11.
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor, patch: 0 }
    }

    /// Reads the numbers that a text begins with. Those that are missing are zero, but not the first.
    pub fn parse(text: &str) -> Option<Version> {
        let mut numbers = text.split('.').map_while(|number| number.trim().parse().ok());
        let mut next = || numbers.next();
        Some(Version { major: next()?, minor: next().unwrap_or(0), patch: next().unwrap_or(0) })
    }

    /// The version without its last number, as people name a release: `3.11`.
    pub fn release(self) -> String {
        format!("{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_read_shown_and_compared_by_their_numbers() {
        let shown = |text| Version::parse(text).map(|version: Version| version.to_string());
        assert_eq!(shown("3.11.4").as_deref(), Some("3.11.4"));
        assert_eq!(shown("3.13.0rc1").as_deref(), Some("3.13.0"));
        assert_eq!(shown("21").as_deref(), Some("21.0.0"));
        assert_eq!(shown("v20.1"), None);
        assert!(Version::parse("3.9.18") < Some(Version::new(3, 11)));
        assert!(Version::parse("3.11.0") >= Some(Version::new(3, 11)));
    }
}
