//! The names that the lines of a case have bound.

use super::transcript::{Observation, StepOutcome};
use crate::case::Line;
use std::collections::HashMap;

/// The names that the lines so far were to bind, and for each whether the last of these lines did. A line
/// that uses one that is not bound is not run.
#[derive(Default)]
pub(super) struct BoundNames(HashMap<String, bool>);

impl BoundNames {
    /// The observation of a line that uses a name which is not bound; then it binds nothing itself.
    pub(super) fn unbound(&mut self, line: &Line) -> Option<Observation> {
        let name = line.uses().into_iter().find(|name| self.0.get(*name) == Some(&false))?;
        self.note(line, false);
        Some(Observation::bare(StepOutcome::Unbound(name.to_owned())))
    }

    /// Takes note of a line that was run, and of whether it succeeded.
    pub(super) fn note(&mut self, line: &Line, succeeded: bool) {
        for name in line.bind.names() {
            self.0.insert(name.clone(), succeeded);
        }
    }

    /// Whether a line was to bind this name.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The number of names that lines were to bind.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::BoundNames;
    use crate::adapter::{Observation, StepOutcome};
    use crate::case::{Bind, Line, Node};

    #[test]
    fn a_name_of_a_failed_line_is_unbound_until_a_line_binds_it() {
        let mut names = BoundNames::default();
        let line =
            |bound: &str, used: &str| Line::bound(Bind::Name(bound.to_owned()), Node::Name(used.to_owned()));
        let unbound = |name: &str| Some(Observation::bare(StepOutcome::Unbound(name.to_owned())));
        names.note(&line("a", "x"), true);
        names.note(&line("a", "y"), false);
        assert_eq!(names.unbound(&line("b", "a")), unbound("a"));
        // The line that was not run binds nothing.
        assert_eq!(names.unbound(&line("c", "b")), unbound("b"));
        names.note(&line("a", "x"), true);
        assert_eq!(names.unbound(&line("b", "a")), None);
        assert_eq!(names.unbound(&line("b", "other")), None);
    }
}
