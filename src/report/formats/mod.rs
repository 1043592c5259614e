//! The formats of reports: one file or folder each, and a row of [`FORMATS`].

mod classroom;
mod classroom50;
pub(crate) mod csv;
mod ctrf;
mod details;
mod dodona;
mod exercism;
mod github;
mod github_output;
mod gradescope;
pub(crate) mod html;
pub mod json;
mod json_shape;
mod junit;
mod markdown;
mod sarif;
mod tap;

#[cfg(feature = "class")]
pub(crate) use json_shape::number;

use super::{Format, TERMINAL};

/// Every format.
pub const FORMATS: &[Format] = &[
    TERMINAL,
    json::FORMAT,
    html::FORMAT,
    csv::FORMAT,
    markdown::FORMAT,
    github::FORMAT,
    github_output::FORMAT,
    classroom::FORMAT,
    classroom50::FORMAT,
    gradescope::FORMAT,
    exercism::FORMAT,
    dodona::FORMAT,
    junit::FORMAT,
    junit::RICH,
    tap::FORMAT,
    ctrf::FORMAT,
    sarif::FORMAT,
];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
