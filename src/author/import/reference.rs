//! Where a pasted session and the reference differ.

use keur_core::adapter::Launcher;
use keur_core::case::{Case, Exercise, Expect, Raises, StepNo};
use keur_core::judge::{check_case, reference_adapter};
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;

/// The most differences that are looked for: each replays the case.
const MOST: usize = 20;

/// A step of a case that the reference answers differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDifference {
    /// The step.
    pub step: StepNo,
    /// The expectation of the case, if there is one.
    pub expected: Option<String>,
    /// The answer of the reference.
    pub got: Option<String>,
}

/// The steps of a case that the built-in reference of its exercise answers differently; none if it has no
/// such reference.
pub fn differences(exercise: &Exercise, case: &Case) -> Vec<SeenDifference> {
    let Ok(mut adapter) = reference_adapter(exercise) else { return Vec::new() };
    let (interpreters, mut launcher) = (Interpreters::default(), Launcher::new(Tier::default(), 0));
    let mut case = case.clone();
    let mut found: Vec<SeenDifference> = Vec::new();
    while found.len() < MOST {
        let Err(error) = check_case(exercise, &case, &mut adapter, &interpreters, &mut launcher) else {
            break;
        };
        let finding = *error.finding;
        let Some(step) = finding.step else { break };
        let Some(expect) = case.expect.get_mut(step.index()) else { break };
        let again = found.iter().any(|known| known.step == step);
        let wants_exception = expect.raises.is_some();
        // Without its expectations the step cannot differ, unless it raises.
        *expect = Expect { span: expect.span.clone(), ..Expect::default() };
        if again && wants_exception {
            break;
        }
        if again {
            expect.raises = Some(Raises::default());
            continue;
        }
        found.push(SeenDifference { step, expected: finding.expected, got: finding.got });
    }
    found
}
