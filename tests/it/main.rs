//! The tests of the program `keur` and of the library with all features, as one program: each links the
//! library once.
//!
//! `cargo test --test it golden::` runs those of a module. A test that counts the processes or measures the
//! memory of its own process, or that runs without features, has another target.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[cfg(unix)]
mod action;
mod address;
mod audit;
#[cfg(unix)]
mod authoring;
#[cfg(target_os = "linux")]
mod browser;
mod c;
mod cargo;
mod check;
mod ci;
mod class;
mod class_report;
#[cfg(unix)]
mod class_tutorial;
mod cli;
#[cfg(target_os = "linux")]
mod cluster;
mod compare;
mod compatibility;
mod conformance;
mod cpp;
mod cpp_programs;
#[cfg(unix)]
mod crates;
mod downloads;
mod exercises;
mod external;
mod files;
mod fixtures;
mod fuzz;
#[cfg(target_os = "linux")]
mod golden;
mod grading;
mod hunt;
mod isolation;
mod java;
mod java_programs;
#[cfg(target_os = "linux")]
mod kept_driver;
mod matches;
mod notebooks;
mod oracles;
mod packages;
#[cfg(unix)]
mod packaging;
mod play;
mod portable;
mod programs;
mod random_cases;
mod readme;
#[cfg(unix)]
mod releasing;
#[path = "../common/required.rs"]
mod required;
#[path = "../common/running.rs"]
mod running;
mod schema;
mod shells;
mod site;
#[cfg(unix)]
mod surroundings;
mod templates;
mod tested;
#[cfg(unix)]
mod tutorial;
mod values;
#[path = "../common/verdicts.rs"]
mod verdicts;
#[cfg(unix)]
mod walk;
mod workspaces;
