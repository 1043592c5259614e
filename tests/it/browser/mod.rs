//! Tests that need a browser. `.ci/run` installs Chromium and Firefox; where they are missing they are not tested.

#![allow(clippy::print_stdout, reason = "sizes and times are told with --nocapture")]

mod access;
mod firefox;
mod grader;
mod page;
mod parity;
mod play;
mod report;
mod site;
mod terminal;
mod webdriver;
