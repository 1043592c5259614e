//! Puts the updates of several workers in the order of the submissions.

use keur_core::event::{self, CaseReport, Event, SubmissionReport};
use std::collections::BTreeMap;
use std::sync::Arc;

/// News of a submission, from a worker.
pub(super) struct Update {
    /// The index of the submission.
    pub(super) submission: usize,
    pub(super) news: News,
}

/// The news of a submission.
pub(super) enum News {
    /// The first case is graded. This is the report without cases.
    Started(Box<SubmissionReport>),
    /// A case of it is graded, after this many others.
    Case(usize, Box<CaseReport>),
    /// The submission is graded.
    Graded(Arc<SubmissionReport>),
}

/// Turns updates into events: at once for the submission whose turn it is, later for the others.
pub(super) struct InOrder<'a> {
    tell: &'a mut dyn FnMut(&Event<'_>),
    /// The submission whose turn it is.
    turn: usize,
    /// The report so far.
    told: Option<SubmissionReport>,
    /// Submissions that were graded before their turn.
    waiting: BTreeMap<usize, Arc<SubmissionReport>>,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(tell: &'a mut dyn FnMut(&Event<'_>)) -> InOrder<'a> {
        InOrder { tell, turn: 0, told: None, waiting: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, update: Update) {
        let is_turn = update.submission == self.turn;
        match update.news {
            News::Graded(report) => {
                self.waiting.insert(update.submission, report);
                while let Some(report) = self.waiting.remove(&self.turn) {
                    event::finish(self.told.take(), &report, self.tell);
                    self.turn += 1;
                }
            }
            News::Started(report) if is_turn => {
                (self.tell)(&Event::SubmissionStarted { report: &report });
                self.told = Some(*report);
            }
            News::Case(index, case) if is_turn => self.case(index, *case),
            // What is not reported now is in the full report that follows.
            News::Started(_) | News::Case(..) => {}
        }
    }

    /// Reports a case, if all before it are reported: those that were graded before the submission's turn are
    /// not.
    fn case(&mut self, index: usize, case: CaseReport) {
        let Some(told) = self.told.as_mut().filter(|told| told.cases.len() == index) else { return };
        told.cases.push(case);
        if let Some(case) = told.cases.last() {
            (self.tell)(&Event::CaseFinished { report: told, case });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InOrder, News, Update};
    use keur_core::case::Points;
    use keur_core::event::{CaseReport, Event, SubmissionReport};
    use keur_core::messages::LocalText;
    use std::sync::Arc;

    fn report(name: &str, cases: usize) -> SubmissionReport {
        let case = |number: usize| {
            let title = LocalText::Plain("Case".to_owned());
            CaseReport::not_run(number.to_string(), title, Points::ONE)
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

    fn started(submission: usize, name: &str) -> Update {
        Update { submission, news: News::Started(Box::new(report(name, 0))) }
    }

    fn case(submission: usize, index: usize) -> Update {
        let case = report("", index + 1).cases.remove(index);
        Update { submission, news: News::Case(index, Box::new(case)) }
    }

    fn graded(submission: usize, name: &str, cases: usize) -> Update {
        Update { submission, news: News::Graded(Arc::new(report(name, cases))) }
    }

    #[test]
    fn the_first_submission_is_reported_while_it_is_graded() {
        assert_eq!(heard(vec![started(0, "a"), case(0, 0), case(0, 1)]), ["a<0", "a.0", "a.1"]);
    }

    #[test]
    fn a_submission_that_is_graded_early_waits_for_its_turn() {
        let updates = vec![
            started(1, "b"),
            case(1, 0),
            graded(1, "b", 1),
            started(0, "a"),
            case(0, 0),
            graded(0, "a", 2),
        ];
        assert_eq!(heard(updates), ["a<0", "a.0", "a.1", "a>2", "b<0", "b.0", "b>1"]);
    }

    #[test]
    fn cases_that_were_graded_before_the_turn_came_are_reported_with_the_whole() {
        let updates = vec![started(1, "b"), case(1, 0), graded(0, "a", 0), case(1, 1), graded(1, "b", 3)];
        assert_eq!(heard(updates), ["a<0", "a>0", "b<0", "b.0", "b.1", "b.2", "b>3"]);
    }
}
