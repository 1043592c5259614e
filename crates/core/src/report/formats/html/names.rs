//! Names of the pages of a folder.
//!
//! They are distinct, safe on every file system and in every address, and the same for the same submission,
//! however many others there are.

use crate::event::SubmissionReport;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The page of a class, in a folder.
pub(super) const INDEX: &str = "index.html";

/// Characters of a submission's name that are kept in the name of its page.
const MOST_CHARS: usize = 60;

/// The name of each submission's page.
///
/// It begins with `s-`, so that it is neither the class page nor a name that a system reserves. If a name was
/// changed to be safe, its digest makes it distinct.
pub(super) fn of_pages(reports: &[&SubmissionReport]) -> Vec<String> {
    reports.iter().map(|report| of_page(&report.name)).collect()
}

fn of_page(name: &str) -> String {
    let plain = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '-' | '_');
    let safe: String = name
        .chars()
        .take(MOST_CHARS)
        .map(|ch| ch.to_ascii_lowercase())
        .map(|ch| if plain(ch) { ch } else { '-' })
        .collect();
    if safe == name {
        return format!("s-{safe}.html");
    }
    let mut digest = String::new();
    for byte in Sha256::digest(name.as_bytes()).iter().take(6) {
        let _ = write!(digest, "{byte:02x}");
    }
    // A name that is safe unchanged has no dot.
    format!("s-{safe}.{digest}.html")
}

#[cfg(test)]
mod tests {
    use super::of_page;
    use std::collections::BTreeSet;

    #[test]
    fn a_plain_name_stays() {
        assert_eq!(of_page("an_1-b"), "s-an_1-b.html");
        assert_eq!(of_page("index"), "s-index.html");
        assert_eq!(of_page("con"), "s-con.html");
    }

    #[test]
    fn names_that_differ_have_other_pages() {
        let names = [
            "An", "an", "aN", "a/n", "a\\n", "a n", "..", ".", "", "é", "è", "a.b", "index.html", "\u{202e}x",
        ];
        let long = "x".repeat(300);
        let pages: BTreeSet<String> =
            names.into_iter().map(of_page).chain([of_page(&long), of_page(&(long.clone() + "y"))]).collect();
        assert_eq!(pages.len(), names.len() + 2);
        for page in pages {
            let plain =
                page.chars().all(|ch| ch.is_ascii_lowercase() || ch.is_ascii_digit() || "-_.".contains(ch));
            assert!(plain && page.starts_with("s-") && page.len() < 100, "{page}");
        }
    }
}
