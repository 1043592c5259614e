//! A random session as a case, without a file.

use super::answered::{Answers, observes};
use crate::adapter::{Adapter, Dialect, Fault, NoGuide};
use crate::case::{AskedStep, Case, Exercise, LimitsPatch, Plan, Points, plan_of};
use crate::exercises::sessions::RandomStep;
use crate::messages::LocalText;
use crate::sandbox::Limits;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The case of these steps, which expects what the reference answers; `None` if there are none, or if it
/// gives an answer that nothing can be compared with. `dialect` is that of the reference.
///
/// # Errors
/// The steps do not fit the exercise, or the reference does not run.
pub(super) fn case_of(
    exercise: &Exercise,
    steps: &[RandomStep],
    reference: &mut dyn Adapter,
    dialect: &Dialect,
) -> Result<Option<Case>, Fault> {
    if steps.is_empty() {
        return Ok(None);
    }
    let asked: Vec<AskedStep> = steps
        .iter()
        .map(|step| {
            let (value, text) = observes(&step.look);
            AskedStep { lines: step.lines.clone(), value, text }
        })
        .collect();
    let plan = plan_of(exercise, &asked)
        .map_err(|message| Fault::new(format!("a random session of {}: {message}", exercise.name)))?;
    let transcript = reference.replay(&plan, &Limits::default(), &mut NoGuide)?;
    let answers = Answers { exercise, dialect, bundle: None };
    let mut expect = Vec::with_capacity(steps.len());
    for ((step, planned), seen) in steps.iter().zip(&plan.steps).zip(&transcript.steps) {
        match answers.expected(planned, &step.look, seen.observations(), &exercise.tolerance) {
            Ok(expectations) => expect.push(expectations),
            Err(_) => return Ok(None),
        }
    }
    let is_complete = expect.len() == plan.steps.len();
    Ok(is_complete.then(|| bare(plan)).map(|case| Case { expect, ..case }))
}

/// A case with nothing but calls.
pub fn bare(plan: Plan) -> Case {
    Case {
        name: String::new(),
        file: String::new(),
        title: Arc::new(LocalText::Plain(String::new())),
        title_span: None,
        points: Points::ZERO,
        partial: false,
        tags: Arc::new([]),
        order: None,
        hidden: false,
        hint: None,
        step_hints: BTreeMap::new(),
        needs: Vec::new(),
        group: None,
        group_span: 0..0,
        only_with: None,
        limits: LimitsPatch::default(),
        plan,
        expect: Vec::new(),
        random: None,
        path: String::new(),
        source: Arc::from(""),
    }
}
