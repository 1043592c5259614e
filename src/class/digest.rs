//! Digests of the inputs of a verdict, in 32 digits.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Digits of a digest: enough that no two of a million are the same.
const DIGITS: usize = 32;

/// A digest of parts in order, which depends on where each part ends.
#[derive(Clone)]
pub struct KeyDigest(Sha256);

impl KeyDigest {
    /// A digest without parts.
    pub fn new() -> KeyDigest {
        KeyDigest(Sha256::new())
    }

    /// Adds a part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The first digits of the SHA-256, in hex.
    pub fn digits(self) -> String {
        let mut digits = String::with_capacity(DIGITS);
        for byte in self.0.finalize().iter().take(DIGITS / 2) {
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    }
}

impl Default for KeyDigest {
    fn default() -> KeyDigest {
        KeyDigest::new()
    }
}

/// The digest of some parts.
pub fn digest<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut digest = KeyDigest::new();
    parts.into_iter().for_each(|part| digest.add(part));
    digest.digits()
}

/// The digest of files with this digest, of which one is chosen: a verdict on it is none on another.
pub(super) fn chosen_digest(files: String, chosen: Option<&str>) -> String {
    match chosen {
        Some(file) => digest(["chosen", &files, file]),
        None => files,
    }
}

/// The digest in place of that of files for a submission of which none could be kept: that of the student, so
/// that it is no other's.
pub(super) fn no_files_digest(student: &str) -> String {
    digest(["nothing", student])
}

/// Whether a text is a digest.
pub(super) fn is_digest(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::{digest, is_digest};

    #[test]
    fn a_digest_has_32_digits_and_tells_parts_from_one_another() {
        assert_eq!(digest(["ab", "c"]).len(), 32);
        assert!(is_digest(&digest(["ab", "c"])) && !is_digest("ab") && !is_digest(&"A".repeat(32)));
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["a"]), digest(["a", ""]));
    }
}
