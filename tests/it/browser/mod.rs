//! Tests that need a browser. `.ci/run` installs Chromium; where it is missing they are not tested.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "sizes and times are told with --nocapture")]

mod access;
mod play;
mod report;
#[path = "../required/mod.rs"]
mod required;
mod terminal;
mod webdriver;
