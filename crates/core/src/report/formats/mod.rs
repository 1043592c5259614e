//! The formats of reports: one file or folder each, and a row of [`FORMATS`].

mod classroom;
mod classroom50;
#[doc(hidden)]
pub mod csv;
mod ctrf;
mod details;
mod dodona;
mod exercism;
mod github;
mod github_output;
mod gradescope;
#[doc(hidden)]
pub mod html;
#[doc(hidden)]
pub mod json;
mod json_shape;
mod junit;
mod lines;
mod markdown;
mod sarif;
mod tap;

#[doc(hidden)]
pub use json_shape::number;

use super::{AtTheEnd, Format, Options, Reporter, TERMINAL};
use crate::event::SubmissionReport;

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

/// Writes a report, which shows no findings, when the run has finished.
fn results_at_the_end(write: fn(&[&SubmissionReport], &Options) -> String) -> Box<dyn Reporter> {
    Box::new(AtTheEnd { write, findings: 0, kept: Vec::new() })
}
