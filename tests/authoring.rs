//! The page about writing cases works as it is written.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod walk;

/// The sections, each with the fewest things that a reader does in it. A section begins in an empty folder.
const SECTIONS: &[(&str, usize)] = &[("From a session to a case", 8), ("A case as a session", 4)];

#[test]
fn each_section_of_the_page_works() {
    let page = include_str!("../docs/authoring.md");
    let sections: Vec<(&str, &str)> =
        page.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap()).collect();
    for (title, _) in SECTIONS {
        assert!(
            sections.iter().any(|(known, _)| known == title),
            "docs/authoring.md has no section {title:?}"
        );
    }
    for (title, text) in sections {
        let fewest = SECTIONS.iter().find(|(known, _)| *known == title).map_or(1, |(_, fewest)| *fewest);
        let place = tempfile::tempdir().unwrap();
        walk::walk(text, place.path(), fewest);
    }
}
