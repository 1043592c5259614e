//! The committed JSON Schemas equal those made from the registry of keys.
//!
//! `KEUR_BLESS=1 cargo test --test it schema::` writes them; with `CI` set it is refused.

use crate::running::{blesses, root};
use keur_core::case::schema;
use std::fs;

#[track_caller]
fn check(name: &str, made: &str) {
    let path = root().join("schema").join(name);
    if blesses() {
        fs::write(&path, made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, made, "{}: write it again with KEUR_BLESS=1", path.display());
}

#[test]
fn the_schema_of_an_exercise_is_committed() {
    check("exercise.schema.json", &schema::exercise());
}

#[test]
fn the_schema_of_a_case_is_committed() {
    check("case.schema.json", &schema::case());
}

#[test]
fn the_schema_of_the_settings_of_a_class_is_committed() {
    check("class.schema.json", &keur::class::ClassSettings::schema());
}
