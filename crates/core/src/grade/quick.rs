//! The quick pass: whether a submission plainly passes its cases when one process answers for all of them.
//!
//! It counts only if all of them pass. A failure is a claim that must be fair, so then every case is replayed
//! in a process of its own, and nothing of the quick pass counts or decides which cases those are: see
//! `pass`. The same holds for what is known from an earlier grading, of other cases perhaps: see `counting`.

use super::assembly::CaseAssembly;
use super::outcome::KnownCases;
use super::pass::Grading;
use crate::adapter::Fault;
use crate::case::Case;
use crate::named;
use crate::named::Named;
use crate::sandbox::Limits;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

/// How the cases of a submission are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// A quick pass first, and a process of its own for each case if one does not plainly pass it.
    #[default]
    Quick,
    /// A process of its own for each case.
    Case,
    /// Both, to check that they agree.
    Both,
}

named!(Isolation {
    Quick = "quick",
    Case = "case",
    Both = "both",
});

impl<'a> CaseAssembly<'a> {
    /// The cases that have a quick form in a language that has one, of those that count for a submission of
    /// which this is known: calls, under the same limits on what their process holds. A hidden case has none,
    /// so that nothing knows its calls before the visible ones are graded.
    pub(super) fn quick_cases(&self, known: &KnownCases) -> Vec<&'a Case> {
        if self.isolation == Isolation::Case {
            return Vec::new();
        }
        let held = |case: &Case| {
            let Limits { memory, output, .. } = self.limits(case);
            (memory, output)
        };
        let is_quick = |case: &&Case| !case.hidden && case.plan.only_calls();
        let mut quick: Vec<&Case> = self.counted(known).filter(is_quick).collect();
        let first = quick.first().map(|case| held(case));
        quick.retain(|case| Some(held(case)) == first);
        quick
    }
}

/// A quick pass that counted, known by what it asked: two of the same name asked the same, and all of it
/// passed in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct QuickPass(NonZeroU64);

impl QuickPass {
    /// The quick pass of these cases.
    pub(super) fn of(cases: &[&Case]) -> QuickPass {
        // A class compares those of one build of keur alone, which hash alike.
        let mut hasher = DefaultHasher::new();
        cases.iter().for_each(|case| (&case.name, &case.source).hash(&mut hasher));
        QuickPass(NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN))
    }
}

/// Checks that a quick pass and the strict form report the same.
///
/// # Errors
/// They differ, which is an error of keur.
pub(super) fn agree(assembly: &CaseAssembly<'_>, quick: &Grading, strict: &Grading) -> Result<(), Fault> {
    let reports = [quick, strict].map(|grading| assembly.report(&grading.known));
    let [quick_report, strict_report] = &reports;
    if quick_report == strict_report && quick.runtime == strict.runtime {
        return Ok(());
    }
    let differ = quick_report.cases.iter().zip(&strict_report.cases).find(|(quick, strict)| quick != strict);
    let what = differ.map_or_else(
        || "beside its cases".to_owned(),
        |(quick, strict)| {
            format!(
                "in the case `{}`: {} with --isolation quick, {} with --isolation case",
                quick.name,
                quick.verdict.name(),
                strict.verdict.name()
            )
        },
    );
    Err(Fault::new(format!("the two forms of grading differ {what}"))
        .help("please report this as an error of keur"))
}

#[cfg(test)]
mod tests {
    use super::QuickPass;
    use crate::case::{Case, Library};

    #[test]
    fn a_quick_pass_of_other_cases_is_another_one() {
        let loaded = Library::BuiltIn.load("codenames").unwrap();
        let cases: Vec<&Case> = loaded.cases.iter().take(3).collect();
        assert_eq!(QuickPass::of(&cases), QuickPass::of(&cases.clone()));
        assert_ne!(QuickPass::of(&cases), QuickPass::of(&cases[..2]));
        assert_ne!(QuickPass::of(&cases[1..]), QuickPass::of(&cases[..2]));
    }
}
