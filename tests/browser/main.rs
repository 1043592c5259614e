//! Tests that need a browser. `.ci/run` installs Chromium and enables the feature `external-tests`.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "sizes and times are told with --nocapture")]

mod access;
mod play;
mod report;
mod terminal;
mod webdriver;
