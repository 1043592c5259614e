//! What a test needs and a machine may lack.
//!
//! A test that cannot run says so, and fails if `KEUR_REQUIRE` names what is missing: `KEUR_REQUIRE=isolated,strict
//! cargo test`.

use std::io::Write;

/// The variable that names what the machine must have, separated by commas.
pub(crate) const VARIABLE: &str = "KEUR_REQUIRE";

/// The prefix of the line of a test that cannot run.
pub(crate) const NOT_TESTED: &str = "not tested: ";

/// A requirement that a machine may not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Namespaces, in which submissions see only their own files.
    Isolated,
    /// Namespaces and control groups, for the strict tier.
    Strict,
    /// Tests that root must run.
    Root,
    /// A Python at `/usr/bin/python3`.
    SystemPython,
    /// That a process may be traced by the one that started it.
    Tracing,
}

impl Need {
    pub(crate) const ALL: [Need; 5] =
        [Need::Isolated, Need::Strict, Need::Root, Need::SystemPython, Need::Tracing];

    /// Its name in `KEUR_REQUIRE`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Need::Isolated => "isolated",
            Need::Strict => "strict",
            Need::Root => "root",
            Need::SystemPython => "system-python",
            Need::Tracing => "tracing",
        }
    }
}

/// The needs in `KEUR_REQUIRE`.
///
/// # Errors
/// It names something that no test needs.
pub(crate) fn required() -> Result<Vec<Need>, String> {
    let list = std::env::var(VARIABLE).unwrap_or_default();
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let needs = names.map(|name| {
        let known = Need::ALL.map(Need::name).join(", ");
        let need = Need::ALL.into_iter().find(|need| need.name() == name);
        need.ok_or_else(|| format!("{VARIABLE} names `{name}`; it knows {known}"))
    });
    needs.collect()
}

/// Reports that `what` is not tested, because the machine lacks what it needs.
///
/// # Panics
/// `KEUR_REQUIRE` names the need.
#[track_caller]
pub(crate) fn not_tested(need: Need, what: &str, because: &str) {
    let line = format!("{NOT_TESTED}{what}, because {because}");
    let required = required().unwrap_or_else(|problem| panic!("{problem}"));
    assert!(!required.contains(&need), "{line}, and {VARIABLE} names `{}`", need.name());
    // The macros' output is not shown for a test that passes.
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
