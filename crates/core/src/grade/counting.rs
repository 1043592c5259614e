//! Which of the known outcomes of a submission still count, where its cases are others than when they were
//! graded.

use super::assembly::CaseAssembly;
use super::outcome::KnownCases;
use super::quick::QuickPass;
use crate::case::Case;
use std::collections::BTreeSet;

impl CaseAssembly<'_> {
    /// The known outcomes that count: not those of cases that once passed quickly if the cases are others
    /// now, so that they would not be graded like that together.
    pub fn counting(&self, mut known: KnownCases) -> KnownCases {
        counting(&self.quick_cases(&known), &mut known);
        known
    }
}

/// Keeps what counts of what is known, where these cases have a quick form. What passed quickly counts while
/// it is one of them, and all of them that are known passed in the same quick pass: no submission has cases
/// of two passes, or of both forms.
pub(super) fn counting(quick: &[&Case], known: &mut KnownCases) {
    let quick: BTreeSet<&str> = quick.iter().map(|case| case.name.as_str()).collect();
    let has_quick_form = |name: &String| quick.contains(name.as_str());
    let of_quick = known.iter().filter(|(name, _)| has_quick_form(name));
    let passes: BTreeSet<Option<QuickPass>> = of_quick.map(|(_, known)| known.quick_pass()).collect();
    let are_together = passes.len() == 1;
    known.retain(|name, known| known.quick_pass().is_none() || (are_together && has_quick_form(name)));
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{CaseOutcome, KnownCase, KnownCases};
    use super::super::quick::QuickPass;
    use super::counting;
    use crate::case::{Case, Library};

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
        counting(&cases[..with_quick_form], &mut all);
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
