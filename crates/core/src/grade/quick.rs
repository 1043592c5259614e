//! The quick pass: whether a submission plainly passes its cases when one process answers for all of them.
//!
//! It counts only if all of them pass. A failure is a claim that must be fair, so then every case is replayed
//! in a process of its own, and nothing of the quick pass counts or decides which cases those are: see
//! `pass`. The same holds for what is known from an earlier grading, of other cases perhaps: see [`CountedCases::still_valid`].

use super::counted::CountedCases;
use super::pass::Grading;
use crate::adapter::Fault;
use crate::case::Case;
use crate::judge::{Isolation, KnownCases, QuickPass};
use crate::named::Named;
use crate::sandbox::Limits;
use std::collections::BTreeSet;

impl<'a> CountedCases<'a> {
    /// The cases that have a quick form in a language that has one, of those that count for a submission of
    /// which this is known: calls, under the same limits on what their process holds. A hidden case has none,
    /// so that nothing knows its calls before the visible ones are graded. Those that may tell what others expect go
    /// last.
    pub(super) fn quick_cases(&self, known: &KnownCases) -> Vec<&'a Case> {
        if self.isolation == Isolation::Case {
            return Vec::new();
        }
        let held = |case: &Case| {
            let Limits { memory, output, .. } = self.limits(case);
            (memory, output)
        };
        let is_quick = |case: &&Case| !case.hidden && case.random.is_none() && case.plan.only_calls();
        let mut quick: Vec<&Case> = self.of_submission(known).filter(is_quick).collect();
        let first = quick.first().map(|case| held(case));
        quick.retain(|case| Some(held(case)) == first);
        quick.sort_by_key(|case| case.plan.may_tell());
        quick
    }

    /// The known outcomes without those of an outdated quick pass: one whose cases have changed since.
    pub fn still_valid(&self, mut known: KnownCases) -> KnownCases {
        drop_outdated_passes(&self.quick_cases(&known), &mut known);
        known
    }
}

/// Drops the outcomes of an outdated quick pass from what is known, where `quick` are the cases with a quick
/// form. What passed quickly is kept while it is one of them, and all of them that are known passed in the
/// same quick pass: no submission has cases of two passes, or of both forms.
pub(super) fn drop_outdated_passes(quick: &[&Case], known: &mut KnownCases) {
    let quick: BTreeSet<&str> = quick.iter().map(|case| case.name.as_str()).collect();
    let has_quick_form = |name: &String| quick.contains(name.as_str());
    let of_quick = known.iter().filter(|(name, _)| has_quick_form(name));
    let passes: BTreeSet<Option<QuickPass>> = of_quick.map(|(_, known)| known.quick_pass()).collect();
    let are_together = passes.len() == 1;
    known.retain(|name, known| known.quick_pass().is_none() || (are_together && has_quick_form(name)));
}

/// Checks that a quick pass and the strict form report the same.
///
/// # Errors
/// They differ, which is an error of keur.
pub(super) fn agree(counted: &CountedCases<'_>, quick: &Grading, strict: &Grading) -> Result<(), Fault> {
    let reports = [quick, strict].map(|grading| counted.report(&grading.added));
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
    use super::drop_outdated_passes;
    use crate::case::{Case, Library};
    use crate::judge::{CaseOutcome, KnownCase, KnownCases, QuickPass};

    /// Checks which known outcomes count, where the first cases have a quick form: a number for a quick pass,
    /// `s` for strictly, a space for nothing.
    #[track_caller]
    fn check(with_quick_form: usize, known: &str, expected: &str) {
        let loaded = Library::BuiltIn.load("codenames").unwrap();
        let cases: Vec<&Case> = loaded.cases.iter().take(known.len()).collect();
        let outcome = |letter: char| match letter.to_digit(10) {
            Some(pass) => CaseOutcome::passed_in(QuickPass::of(&cases[pass as usize..])),
            None => CaseOutcome::passed(),
        };
        let mut all: KnownCases = (cases.iter().zip(known.chars()))
            .filter(|(_, letter)| *letter != ' ')
            .map(|(case, letter)| (case.name.clone(), KnownCase::Graded(outcome(letter))))
            .collect();
        drop_outdated_passes(&cases[..with_quick_form], &mut all);
        let counts = |(case, letter): (&&Case, char)| if all.contains_key(&case.name) { letter } else { ' ' };
        assert_eq!(cases.iter().zip(known.chars()).map(counts).collect::<String>(), expected);
    }

    #[test]
    fn cases_that_passed_quickly_count_with_those_of_the_same_pass_alone() {
        check(3, "111", "111");
        check(3, "11 ", "11 ");
        check(3, "112", "   ");
        check(3, "11s", "  s");
        check(3, "sss", "sss");
        // The last ones have no quick form, now.
        check(2, "111", "11 ");
        check(2, "11s", "11s");
        check(2, "s11", "s  ");
        check(0, "11s", "  s");
    }
}
