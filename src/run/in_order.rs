//! Puts the updates of several workers in the order of the submissions.

use keur_core::event::{self, CaseReport, Event, SubmissionReport};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a worker reports of the submission at an index.
pub(super) enum Update {
    /// A case was graded.
    Case {
        /// The submission.
        index: usize,
        /// How many of its cases were graded before.
        before: usize,
        /// For the first case: what else is known of the submission.
        head: Option<Box<SubmissionReport>>,
        /// The case.
        case: CaseReport,
    },
    /// The submission is graded.
    Graded(usize, Arc<SubmissionReport>),
}

impl Update {
    /// The update for the last case of a partial report.
    pub(super) fn so_far(index: usize, report: &SubmissionReport) -> Option<Update> {
        let (case, earlier) = report.cases.split_last()?;
        let head = earlier.is_empty().then(|| Box::new(report.without_cases()));
        Some(Update::Case { index, before: earlier.len(), head, case: case.clone() })
    }
}

/// Turns updates into events: at once for the submission whose turn it is, later for the others.
pub(super) struct InOrder<'a> {
    tell: &'a mut dyn FnMut(&Event<'_>),
    /// The submission whose turn it is.
    turn: usize,
    /// What was reported of it so far.
    told: Option<SubmissionReport>,
    /// Submissions that were graded before their turn.
    waiting: BTreeMap<usize, Arc<SubmissionReport>>,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(tell: &'a mut dyn FnMut(&Event<'_>)) -> InOrder<'a> {
        InOrder { tell, turn: 0, told: None, waiting: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, update: Update) {
        match update {
            Update::Case { index, before, head, case } => {
                // What is not reported now is in the full report that follows.
                if index == self.turn {
                    self.case(before, head, case);
                }
            }
            Update::Graded(index, report) => {
                self.waiting.insert(index, report);
                while let Some(report) = self.waiting.remove(&self.turn) {
                    event::finish(self.told.take(), &report, self.tell);
                    self.turn += 1;
                }
            }
        }
    }

    /// Reports a case that follows those already reported.
    fn case(&mut self, before: usize, head: Option<Box<SubmissionReport>>, case: CaseReport) {
        if let Some(head) = head {
            (self.tell)(&Event::SubmissionStarted { report: &head });
            self.told = Some(*head);
        }
        let Some(told) = self.told.as_mut().filter(|told| told.cases.len() == before) else { return };
        told.cases.push(case);
        if let Some(case) = told.cases.last() {
            (self.tell)(&Event::CaseFinished { report: told, case });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InOrder, Update};
    use keur_core::case::Points;
    use keur_core::compare::Verdict;
    use keur_core::event::{CaseReport, Event, SubmissionReport};
    use keur_core::messages::LocalText;
    use std::sync::Arc;

    fn report(name: &str, cases: usize) -> SubmissionReport {
        let case = |number: usize| CaseReport {
            name: number.to_string(),
            title: Arc::new(LocalText::Plain("Case".to_owned())),
            tags: Arc::new([]),
            hidden: false,
            hint: None,
            points: Points::ZERO,
            max_points: Points::ONE,
            verdict: Verdict::Passed,
            finding: None,
            consequences: Vec::new(),
            trials: Vec::new(),
            group: None,
            blocked_by: None,
            seen_at_load: false,
        };
        SubmissionReport { cases: (0..cases).map(case).collect(), ..SubmissionReport::new(name, name) }
    }

    /// The events of these updates, each as a word.
    fn heard(updates: Vec<Update>) -> Vec<String> {
        let mut heard = Vec::new();
        let mut tell = |event: &Event<'_>| {
            heard.push(match event {
                Event::SubmissionStarted { report } => format!("{}<{}", report.name, report.cases.len()),
                Event::CaseFinished { report, case } => format!("{}.{}", report.name, case.name),
                Event::SubmissionFinished { report } => format!("{}>{}", report.name, report.cases.len()),
                Event::RunStarted { .. } | Event::RunFinished => "run".to_owned(),
            });
        };
        let mut in_order = InOrder::new(&mut tell);
        updates.into_iter().for_each(|update| in_order.take(update));
        heard
    }

    fn case(index: usize, name: &str, cases: usize) -> Update {
        Update::so_far(index, &report(name, cases)).unwrap()
    }

    fn graded(index: usize, name: &str, cases: usize) -> Update {
        Update::Graded(index, Arc::new(report(name, cases)))
    }

    #[test]
    fn the_first_submission_is_reported_while_it_is_graded() {
        assert_eq!(heard(vec![case(0, "a", 1), case(0, "a", 2)]), ["a<0", "a.0", "a.1"]);
    }

    #[test]
    fn a_submission_that_is_graded_early_waits_for_its_turn() {
        let updates = vec![case(1, "b", 1), graded(1, "b", 1), case(0, "a", 1), graded(0, "a", 2)];
        assert_eq!(heard(updates), ["a<0", "a.0", "a.1", "a>2", "b<0", "b.0", "b>1"]);
    }

    #[test]
    fn cases_that_were_graded_before_the_turn_came_are_reported_with_the_whole() {
        let updates = vec![case(1, "b", 1), graded(0, "a", 0), case(1, "b", 2), graded(1, "b", 3)];
        assert_eq!(heard(updates), ["a<0", "a>0", "b<0", "b.0", "b.1", "b.2", "b>3"]);
    }
}
