//! A session that differs, as a case in a file and as a finding in a report.

use crate::author::keys::{expectation_keys, text_toml};
use keur_core::adapter::Fault;
use keur_core::case::written::{StepText, key, string, strings, text as basic_text};
use keur_core::case::{Case, Exercise, Points, parse_cases};
use keur_core::event::CaseReport;
use keur_core::exercises::sessions::RandomStep;
use keur_core::hunt::{Trials, shortest};
use keur_core::judge::{CaseOutcome, GradeError};
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_core::report::words::Words;
use keur_core::sessions::{Answerer, RandomSession};

/// The longest `do` that stands on one line, in characters.
const LONGEST_LINE: usize = 100;

/// A session on which a submission differs from the reference.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The result of the submission, as of a case that is worth no points.
    pub report: CaseReport,
    /// The case that it makes.
    pub(super) case: Case,
    /// The case, as the text of its file.
    pub text: String,
    /// The number of the session that it was made from, from 1.
    pub session: u64,
}

/// The name of a counterexample beside cases of these names.
pub fn free_name(taken: &[&str]) -> String {
    let mut name = "hunted".to_owned();
    while taken.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The origin of a counterexample.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    /// The name that it gets.
    pub(super) name: &'a str,
    /// The number of the session, from 1.
    pub(super) session: u64,
    /// The seed.
    pub(super) seed: u64,
}

impl Counterexample {
    /// The shortest counterexample in a session that differs, with this outcome of `case`.
    pub(super) fn of(
        answerer: &mut Answerer<'_>,
        trials: &mut Trials<'_, '_>,
        session: RandomSession,
        outcome: &CaseOutcome,
        origin: Origin<'_>,
    ) -> Result<Counterexample, GradeError> {
        let found = shortest(answerer, trials, &session, outcome)?;
        let (steps, outcome) = match &found {
            Some(found) => (found.steps.clone(), &found.outcome),
            None => (session.steps, outcome),
        };
        let (case, text) = written(answerer, &steps, origin)?;
        Ok(Counterexample { report: outcome.report(&case), case, text, session: origin.session })
    }
}

/// A session as a case in a file, and the text of that file.
fn written(
    answerer: &mut Answerer<'_>,
    steps: &[RandomStep],
    origin: Origin<'_>,
) -> Result<(Case, String), GradeError> {
    let exercise = answerer.exercise;
    let broken =
        |what: &str| Fault::new(format!("a random session of {} makes no case: {what}", exercise.name));
    let case = answerer.case(steps)?.ok_or_else(|| broken("it has no answers"))?;
    let text = case_text(exercise, steps, &case, origin);
    let path = format!("{}.toml", origin.name);
    let parsed = parse_cases(exercise, origin.name, &path, &text);
    let parsed = parsed.map_err(|errors| broken(&errors.to_string()))?;
    let case = parsed.into_iter().next().ok_or_else(|| broken("it is empty"))?;
    Ok((Case { points: Points::ZERO, ..case }, text))
}

/// The text of a case with these steps, and what `case` expects of them.
fn case_text(
    exercise: &Exercise,
    steps: &[RandomStep],
    case: &Case,
    Origin { session, seed, .. }: Origin<'_>,
) -> String {
    let title = |lang: Lang| format!("{lang} = {}", string(&Words::new(lang).say("hunted-title")));
    let titles: Vec<String> = Lang::ALL.iter().copied().map(title).collect();
    // The exercise gives the others to every case.
    let own = case.plan.files.iter().flatten().filter(|file| !exercise.input_files.contains(file));
    let files: Vec<String> = own.map(|file| input_file(&file.name, &file.bytes)).collect();
    let mut text = format!("# Session {session} of `keur hunt --seed {seed}`, as short as it can be.\n");
    text += &format!("title = {{ {} }}\n", titles.join(", "));
    if !files.is_empty() {
        text += &format!("\n[input_files]\n{}", files.concat());
    }
    for (step, expect) in steps.iter().zip(&case.expect) {
        let mut written = StepText::default();
        written.key("do", lines(&step.lines));
        if let Some(input) = &step.stdin {
            written.key("stdin", basic_text(input));
        }
        for (key, value) in expectation_keys(expect, &exercise.tolerance) {
            written.key(key, value);
        }
        for (name, matcher) in &expect.writes {
            written.writes.push((key(name), text_toml(matcher)));
        }
        written.write(None, &mut text);
    }
    text
}

/// An input file of a case, which is a text.
fn input_file(name: &str, bytes: &[u8]) -> String {
    format!("{} = {}\n", key(name), basic_text(&String::from_utf8_lossy(bytes)))
}

/// The `do` of a step.
fn lines(lines: &[String]) -> String {
    let one_line = match lines {
        [line] => string(line),
        lines => strings(lines.iter().map(String::as_str)),
    };
    if lines.len() < 2 || one_line.chars().count() <= LONGEST_LINE {
        return one_line;
    }
    let lines: String = lines.iter().map(|line| format!("    {},\n", string(line))).collect();
    format!("[\n{lines}]")
}
