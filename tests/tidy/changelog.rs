//! The form of `CHANGELOG.md`: that of Keep a Changelog.

use crate::root;
use regex::Regex;
use std::fs;

const HEADINGS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

#[test]
fn the_changelog_has_the_form_of_keep_a_changelog() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    assert_eq!(problem(&text, env!("CARGO_PKG_REPOSITORY")), None);
}

#[test]
fn a_changelog_of_another_form_is_noticed() {
    let right = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-31\n\n### Added\n- A.\n\n## [0.1.0] - 2026-12-01\n\n### Added\n\
                 - B.\n\n[Unreleased]: at/compare/v0.2.0...HEAD\n[0.2.0]: at/compare/v0.1.0...v0.2.0\n[0.1.0]: at/releases/tag/v0.1.0\n";
    assert_eq!(problem(right, "at"), None);
    for (from, to) in [
        ("## [Unreleased]", "## Unreleased"),
        ("## [Unreleased]\n\n", ""),
        ("## [0.2.0] - 2027-01-31", "## [0.2.0] - 31-01-2027"),
        ("## [0.2.0] - 2027-01-31", "## 0.2.0 (2027-01-31)"),
        ("2027-01-31", "2026-01-31"),
        ("## [0.2.0]", "## [0.0.2]"),
        ("### Added\n- A.", "### New\n- A."),
        ("- A.", "- A.\n\n### Added\n- C."),
        ("v0.1.0...v0.2.0", "v0.1.1...v0.2.0"),
        ("[Unreleased]: at", "[Unreleased]: elsewhere"),
    ] {
        assert!(right.contains(from), "{from}");
        assert!(problem(&right.replacen(from, to, 1), "at").is_some(), "{from} → {to}");
    }
}

/// How a changelog differs from the form, if it does; `address` is that of the repository.
fn problem(text: &str, address: &str) -> Option<String> {
    let heading = Regex::new(r"^\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)$").unwrap();
    let mut sections = text.split("\n## ").skip(1);
    let first = sections.next().and_then(|section| section.lines().next());
    if first != Some("[Unreleased]") {
        return Some("the first section is not [Unreleased]".to_owned());
    }
    let mut releases: Vec<([u64; 3], &str)> = Vec::new();
    for section in sections {
        let line = section.lines().next().unwrap_or_default();
        let Some((_, [major, minor, patch, date])) = heading.captures(line).map(|found| found.extract())
        else {
            return Some(format!("`{line}` is not of the form `[1.2.3] - 2026-12-31`"));
        };
        let version = [major, minor, patch].map(|number| number.parse().unwrap());
        if releases.last().is_some_and(|(newer, newer_date)| *newer <= version || *newer_date < date) {
            return Some(format!("`{line}` is newer than the section above it"));
        }
        releases.push((version, date));
    }
    for section in text.split("\n## ") {
        let found: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        let is_wrong =
            |(index, name): (usize, &&str)| !HEADINGS.contains(name) || found[..index].contains(name);
        if let Some(index) = found.iter().enumerate().position(is_wrong) {
            return Some(format!("`### {}` is no heading, or is there twice", found[index]));
        }
    }
    let names: Vec<String> =
        releases.iter().map(|([major, minor, patch], _)| format!("{major}.{minor}.{patch}")).collect();
    let mut links = match names.first() {
        Some(newest) => format!("\n[Unreleased]: {address}/compare/v{newest}...HEAD\n"),
        None => format!("\n[Unreleased]: {address}/commits\n"),
    };
    for (index, name) in names.iter().enumerate() {
        links += &match names.get(index + 1) {
            Some(older) => format!("[{name}]: {address}/compare/v{older}...v{name}\n"),
            None => format!("[{name}]: {address}/releases/tag/v{name}\n"),
        };
    }
    (!text.ends_with(&links)).then(|| format!("the links at the end are not{links}"))
}
