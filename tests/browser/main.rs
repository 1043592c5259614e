//! What only a browser can tell. `.ci/run` installs Chromium and turns the feature `external-tests` on.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "sizes and times are told with --nocapture")]

mod access;
mod play;
mod report;
mod terminal;
mod webdriver;
