//! Random sessions of an exercise with a reference of its own: calls like those of its cases.
//!
//! A step stays only if the reference answers it plainly, or raises what some case expects: the rest is not
//! what the assignment fixes.

use super::answered::Answers;
use super::arguments::{Arguments, UsedValues};
use super::called::{Called, called, callee_at};
use super::examples::{Callee, Examples, arg_texts, filled};
use super::files::SessionFiles;
use super::fixed::{Fixed, as_toml};
use super::looks::looks;
use super::own_answers::AnswerTime;
use super::seen::{are_same, observed, raises, written_text};
use super::session_case::bare;
use super::tally::{Tally, UnreachedCall};
use super::watches::Watch;
use crate::adapter::{Adapter, Bundle, Dialect, Fault, NoGuide, StepOutcome, StepTranscript, Transcript};
use crate::case::{
    AskedStep, Case, Exercise, Expect, LimitsPatch, LineInput, Loaded, Matcher, NamedCall, Plan, PlanStep,
    RaisedType, Raises, TextMatcher, plan_of,
};
use crate::exercises::sessions::{Look, RandomStep};
use crate::judge::limits;
use crate::sandbox::clock::Instant;
use crate::value::Value;
use crate::value::random::Random;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most steps of a session besides those that make its objects.
const MOST_STEPS: usize = 14;

/// The most that a callee may be more likely than another one in a session.
const MOST_TIMES: usize = 8;

/// No step is added to a session that has this many.
const MOST_LINES: usize = 60;

/// The number of times that a session is asked again without the steps that do not fit.
const TRIES: usize = 6;

/// Makes sessions of an exercise with a reference of its own.
pub(super) struct OwnSessions<'a> {
    exercise: &'a Exercise,
    dialect: Dialect,
    bundle: &'a Bundle,
    time: AnswerTime,
    examples: Examples,
    watches: Vec<Watch>,
    files: SessionFiles,
    /// The calls that they may make; `None` for all.
    allowed: Option<&'a BTreeSet<NamedCall>>,
    tally: Tally,
}

/// A line of a session: the name that it binds with its class, and the names that it uses.
#[derive(Clone, Debug)]
struct OwnLine {
    text: String,
    /// The callee; of the name of an object alone, its class.
    callee: Callee,
    /// Whether an argument is only guessed: then the line counts if the reference refuses it.
    is_guessed: bool,
    binds: Option<(String, String)>,
    uses: Vec<String>,
    stdin: Option<String>,
    look: Look,
}

/// A session that is being made.
#[derive(Default)]
struct Growing {
    lines: Vec<OwnLine>,
    /// The names that are bound to objects, with their classes.
    objects: Vec<(String, String)>,
    used: UsedValues,
}

impl Growing {
    /// Adds a look at each object through each of these watches.
    fn watch<'w>(&mut self, watches: impl IntoIterator<Item = &'w Watch>) {
        for watch in watches {
            for (name, _) in self.objects.iter().filter(|(_, class)| *class == watch.class) {
                let text = filled(&watch.form, std::slice::from_ref(name));
                let uses = vec![name.clone()];
                let callee = watch.callee.clone();
                let (stdin, look) = (None, Look::Nothing);
                self.lines.push(OwnLine { text, callee, is_guessed: false, binds: None, uses, stdin, look });
            }
        }
    }
}

impl<'a> OwnSessions<'a> {
    /// Sessions like the cases, which a reference in this language with these files answers, of the `allowed` calls
    /// alone if these are given; `None` if there is nothing to call.
    pub(super) fn new(
        Loaded { exercise, cases }: &'a Loaded,
        dialect: Dialect,
        bundle: &'a Bundle,
        allowed: Option<&'a BTreeSet<NamedCall>>,
        until: Option<Instant>,
    ) -> Option<OwnSessions<'a>> {
        // A ruling may change, and students see the session that is found.
        let open = cases.iter().filter(|case| !case.is_ruling() && !case.hidden);
        let mut examples = Examples::of(exercise, open.clone());
        let files = SessionFiles::of(open, &mut examples);
        examples.calls.retain(|callee, _| callee.is_among(allowed));
        let calls = |callee: &Callee| match callee {
            Callee::Class(_) | Callee::Function(_) => true,
            Callee::Method(..) | Callee::Attribute(..) | Callee::Form(_) => false,
        };
        let any = examples.calls.keys().any(calls);
        let mut watches = examples.watches(exercise);
        watches.retain(|watch| watch.callee.is_among(allowed));
        let tally = Tally::default();
        let limits = limits(&LimitsPatch::default(), &bare(Plan::default()), exercise);
        let time = AnswerTime { limits, until };
        any.then_some(OwnSessions {
            exercise,
            dialect,
            bundle,
            time,
            examples,
            watches,
            files,
            allowed,
            tally,
        })
    }

    /// A random session that the reference answers; it has no steps if the reference answers none that are
    /// made here, or not in time.
    ///
    /// # Errors
    /// The reference does not run.
    pub(super) fn session(
        &mut self,
        random: &mut Random,
        reference: &mut dyn Adapter,
    ) -> Result<Vec<RandomStep>, Fault> {
        for _ in 0..TRIES {
            let mut lines = random.part(|random| self.lines(random));
            self.leave_out_others(&mut lines)?;
            let lines = self.answered(lines, reference)?;
            if !lines.is_empty() {
                let step = |line: OwnLine| {
                    let OwnLine { text, stdin, look, .. } = line;
                    RandomStep { lines: vec![text], stdin, look }
                };
                return Ok(lines.into_iter().map(step).collect());
            }
        }
        Ok(Vec::new())
    }

    /// The calls of the cases of which no session so far compared an answer.
    pub(super) fn unreached(&self) -> Vec<UnreachedCall> {
        self.tally.unreached(&self.examples.made)
    }

    /// The number of sessions so far with a call at which the reference did not end.
    pub(super) fn endless(&self) -> u64 {
        self.tally.endless
    }

    /// Lines of calls like those of the cases. In every third session, some of the watches follow each call.
    fn lines(&self, random: &mut Random) -> Vec<OwnLine> {
        let mut session = Growing { used: UsedValues::reused(random), ..Growing::default() };
        let mut often: Vec<&Watch> = Vec::new();
        if random.below(3) == 2 {
            often.extend(self.watches.iter().filter(|_| random.below(3) > 0));
        }
        let callees = self.callees(&often, random);
        let classes: Vec<&Callee> = self.examples.calls.keys().filter(|callee| callee.is_class()).collect();
        let free = |name: &String| self.exercise.definitions().all(|own| own != name.as_str());
        let mut names = ('a'..='z').map(String::from).filter(free);
        if let Some(callee) = classes.get(random.below(classes.len())) {
            for _ in 0..1 + random.below(3) / 2 {
                let Some(name) = names.next() else { break };
                random.part(|random| self.call(callee, &mut session, random, Some(name)));
            }
        }
        for _ in 0..2 + random.below(MOST_STEPS - 1) {
            random.part(|random| {
                let Some(callee) = callees.get(random.below(callees.len())) else { return };
                let name = match callee {
                    Callee::Class(_) if session.objects.len() < 3 => names.next(),
                    _ => None,
                };
                self.call(callee, &mut session, random, name);
                session.watch(often.iter().copied());
                if often.is_empty() && random.below(4) == 3 {
                    session.watch(self.watches.get(random.below(self.watches.len())));
                }
            });
            if session.lines.len() >= MOST_LINES {
                break;
            }
        }
        for watch in &self.watches {
            random.list(|_| 1, |_| session.watch([watch]));
        }
        session.lines
    }

    /// The callees of a session, the more likely ones several times: not those that are watched anyway, and
    /// not always all others.
    fn callees(&self, often: &[&Watch], random: &mut Random) -> Vec<&Callee> {
        let is_watched = |callee: &Callee| often.iter().any(|watch| watch.callee == *callee);
        let all = self.examples.calls.keys().filter(|callee| callee.is_class() || !is_watched(callee));
        let mut callees = Vec::new();
        for callee in all {
            let times = if callee.is_class() { random.below(2) } else { MOST_TIMES >> random.below(5) };
            callees.extend(std::iter::repeat_n(callee, times));
        }
        callees
    }

    /// Adds a call of `callee`, whose object is bound to `name`, if there are objects to call it with.
    fn call(&self, callee: &Callee, session: &mut Growing, random: &mut Random, name: Option<String>) {
        let Growing { lines, objects, used } = session;
        let mut uses = Vec::new();
        let Some(Arguments { args, is_guessed }) = self.examples.args(callee, used, random) else { return };
        let text = arg_texts(&args, objects, random, &mut uses).and_then(|parts| {
            let args = parts.join(", ");
            let mut on = |class: &String| {
                let fitting: Vec<&String> =
                    objects.iter().filter(|(_, own)| own == class).map(|(name, _)| name).collect();
                let name = (*fitting.get(random.below(fitting.len()))?).clone();
                uses.push(name.clone());
                Some(name)
            };
            Some(match callee {
                Callee::Class(class) => format!("{class}({args})"),
                Callee::Function(function) => format!("{function}({args})"),
                Callee::Method(class, method) => format!("{}.{method}({args})", on(class)?),
                Callee::Attribute(class, attribute) => format!("{}.{attribute}", on(class)?),
                Callee::Form(form) => filled(form, &parts),
            })
        });
        let Some(text) = text else { return };
        let binds = match (callee, name) {
            (Callee::Class(class), Some(name)) => Some((name, class.clone())),
            (_, _) => None,
        };
        let text = binds.as_ref().map_or(text.clone(), |(name, _)| format!("{name} = {text}"));
        objects.extend(binds.clone());
        let stdin = self.examples.input(callee, random);
        let callee = callee.clone();
        lines.push(OwnLine { text, callee, is_guessed, binds, uses, stdin, look: Look::Nothing });
    }

    /// The lines that the reference answers, or that raise what the cases expect; each is then looked at as
    /// the cases look at its callee.
    fn answered(
        &mut self,
        mut lines: Vec<OwnLine>,
        reference: &mut dyn Adapter,
    ) -> Result<Vec<OwnLine>, Fault> {
        let mut is_endless = false;
        for attempt in 1..=TRIES {
            let plan = self.plan(&lines, |line| self.fixed(&line.callee).is_some_and(|fixed| fixed.text))?;
            let Some(seen) = self.time.replay(&plan, reference)? else { return Ok(Vec::new()) };
            for (line, look) in lines.iter_mut().zip(looks(&plan, &seen)) {
                line.look = self.fixed(&line.callee).map_or(Look::Nothing, |fixed| fixed.look(look));
            }
            if seen.halt().is_some() && !is_endless {
                is_endless = true;
                self.tally.endless += 1;
            }
            let mut fits = self.fitting(&lines, &plan, &seen);
            self.note_failures(&lines, &fits, &seen);
            if !fits.contains(&false) {
                let plan = self.plan(&lines, |line| line.look == Look::Text)?;
                let Some(again) = self.time.replay(&plan, reference)? else { return Ok(Vec::new()) };
                fits = self.fitting(&lines, &plan, &again);
                for (index, fits) in fits.iter_mut().enumerate() {
                    *fits &= are_same(&seen, &again, index);
                }
                if !fits.contains(&false) {
                    self.note_answers(&plan, &again);
                    return Ok(lines);
                }
            }
            if attempt + 1 == TRIES
                && let Some(first) = fits.iter().position(|fits| !fits)
            {
                // What comes before it fits, and stays as it is.
                lines.truncate(first);
            }
            keep(&mut lines, fits);
        }
        Ok(Vec::new())
    }

    /// Leaves out the lines with a call that is not allowed, as an argument or before an operator.
    fn leave_out_others(&self, lines: &mut Vec<OwnLine>) -> Result<(), Fault> {
        if self.allowed.is_none() {
            return Ok(());
        }
        let plan = self.plan(lines, |_| false)?;
        let is_allowed = |callees: &Called| callees.all.iter().all(|callee| callee.is_among(self.allowed));
        keep(lines, called(self.exercise, &plan).iter().map(is_allowed).collect());
        Ok(())
    }

    /// The plan of lines, which asks for the text of some.
    fn plan(&self, lines: &[OwnLine], text: impl Fn(&OwnLine) -> bool) -> Result<Plan, Fault> {
        let step =
            |line: &OwnLine| AskedStep { lines: vec![line.text.clone()], value: true, text: text(line) };
        let steps: Vec<AskedStep> = lines.iter().map(step).collect();
        let mut plan = plan_of(self.exercise, &steps)
            .map_err(|message| Fault::new(format!("a session of {}: {message}", self.exercise.name)))?;
        self.equip(&mut plan, lines.iter().map(|line| (line.text.as_str(), line.stdin.as_deref())));
        Ok(plan)
    }

    /// Gives a plan of these lines the files and the inputs that they need, each with the input of its line.
    fn equip<'t>(&self, plan: &mut Plan, lines: impl Iterator<Item = (&'t str, Option<&'t str>)> + Clone) {
        let called = called(self.exercise, plan);
        let prompts = self.exercise.prompts.unwrap_or(false);
        let mut writes = false;
        for ((step, called), (_, stdin)) in plan.steps.iter_mut().zip(called).zip(lines.clone()) {
            let written = called.own.map(|callee| self.examples.written_by(&callee)).unwrap_or_default();
            writes |= !written.is_empty();
            let Some(line) = step.lines_mut().first_mut() else { continue };
            let reads = written.iter().filter_map(|file| file.name(&line.node)).collect();
            line.stdin = stdin.map(|text| LineInput { text: text.to_owned(), prompts });
            step.reads = reads;
        }
        if plan.needs_input() {
            plan.end_inputs(prompts);
        }
        plan.files = self.files.used(lines.map(|(text, _)| text), writes);
    }

    fn fixed(&self, callee: &Callee) -> Option<&Fixed> {
        self.examples.fixed.get(callee)
    }

    /// Whether the answer to each line is something to expect.
    fn fitting(&self, lines: &[OwnLine], plan: &Plan, seen: &Transcript) -> Vec<bool> {
        let answers = Answers { exercise: self.exercise, dialect: &self.dialect, bundle: Some(self.bundle) };
        let fits = |(index, (line, step)): (usize, (&OwnLine, &PlanStep))| {
            let Some(seen) = seen.steps.get(index) else { return false };
            let outcome = seen.observations().last().map(|last| &last.outcome);
            (!line.is_guessed || outcome.is_some_and(raises))
                && self.expected(&answers, step, &line.look, &line.callee, seen).is_some()
        };
        lines.iter().zip(&plan.steps).enumerate().map(fits).collect()
    }

    fn note_failures(&mut self, lines: &[OwnLine], fits: &[bool], seen: &Transcript) {
        for (index, (line, fits)) in lines.iter().zip(fits).enumerate() {
            let last = observed(seen, index).last();
            if !fits && last.is_some_and(|last| raises(&last.outcome) || last.halt().is_some()) {
                self.tally.failed(line.callee.clone());
            }
        }
    }

    fn note_answers(&mut self, plan: &Plan, seen: &Transcript) {
        for (index, Called { own, all }) in called(self.exercise, plan).into_iter().enumerate() {
            let raised = observed(seen, index).last().is_some_and(|last| raises(&last.outcome));
            let refused = own.filter(|_| raised);
            for callee in all {
                if refused.as_ref() == Some(&callee) {
                    self.tally.refused(callee);
                } else {
                    self.tally.answered(callee);
                }
            }
        }
    }

    /// The expectation of a step: the reference's answer, as far as the cases fix it.
    fn expected(
        &self,
        answers: &Answers<'_>,
        step: &PlanStep,
        look: &Look,
        callee: &Callee,
        seen: &StepTranscript,
    ) -> Option<Expect> {
        let observed = seen.observations();
        let nothing = Fixed { tolerance: self.exercise.tolerance.clone(), ..Fixed::default() };
        let fixed = self.examples.fixed.get(callee).unwrap_or(&nothing);
        let mut expect = answers.expected(step, look, observed, &fixed.tolerance).ok()?;
        expect.prints = expect.prints.filter(|_| fixed.prints);
        if expect.raises.is_some() {
            let outcome = observed.last().map(|last| &last.outcome);
            expect.raises = Some(self.expected_raise(callee, outcome)?);
        } else {
            let line = step.lines().last()?;
            // Where the text is not fixed, the file only must be there.
            let any = TextMatcher::Matches(Regex::new("").ok()?);
            for file in self.examples.written_by(callee) {
                let name = file.name(&line.node)?;
                let text = written_text(seen, &name)?;
                let matcher = if file.is_fixed { TextMatcher::Plain(text) } else { any.clone() };
                expect.writes.push((name, matcher));
            }
        }
        if let Some(returns) = &mut expect.value {
            if let (Matcher::Exact(value), false) = (&returns.matcher, fixed.exact) {
                returns.matcher = as_toml(value).map_or_else(|| returns.matcher.clone(), Matcher::Plain);
            }
            returns.matcher = match (&returns.matcher, fixed.within) {
                (Matcher::Plain(Value::List(items)), _) if fixed.any_order => {
                    Matcher::AnyOrder(items.clone())
                }
                (Matcher::Plain(Value::Float(value)), Some(within)) => {
                    Matcher::Approx { value: *value, within }
                }
                (Matcher::Plain(Value::Int(int)), Some(within)) => {
                    Matcher::Approx { value: int.to_f64(), within }
                }
                (matcher, _) => matcher.clone(),
            };
        }
        Some(expect)
    }

    /// The expectation that the cases have of a call that raises.
    fn expected_raise(&self, callee: &Callee, outcome: Option<&StepOutcome>) -> Option<Raises> {
        let Some(StepOutcome::Raised(raised)) = outcome else { return None };
        let is = |name: &String| raised.kind == *name || raised.bases.iter().any(|base| base == name);
        let found = self.examples.raises.iter().find(|(of, raises)| {
            let kind = match &raises.kind {
                None => true,
                Some(RaisedType::Exercise(name) | RaisedType::Step(name)) => {
                    is(name) || !self.dialect.exceptions().contains(&name.as_str())
                }
                Some(RaisedType::PerLanguage(names)) => names.get(self.dialect.name()).is_none_or(is),
            };
            let message = raises.message.as_ref();
            // Of another call, only the same message is as good.
            let same = message.is_none_or(|message| raised.message.as_ref() == Some(message));
            kind && same && (message.is_some() || of.as_ref() == Some(callee))
        });
        found.map(|(_, raises)| raises.clone())
    }

    /// The case of these steps, which expects what the reference answers and the cases fix; `None` if they do
    /// not fit.
    ///
    /// # Errors
    /// The reference does not run.
    pub(super) fn case(
        &self,
        steps: &[RandomStep],
        reference: &mut dyn Adapter,
    ) -> Result<Option<Case>, Fault> {
        let asked: Vec<AskedStep> = steps
            .iter()
            .map(|step| AskedStep { lines: step.lines.clone(), value: true, text: step.look == Look::Text })
            .collect();
        let Ok(mut plan) = plan_of(self.exercise, &asked) else { return Ok(None) };
        if steps.is_empty() {
            return Ok(None);
        }
        // Each step of these sessions has one line.
        let line =
            |step: &'_ RandomStep| (step.lines.first().cloned().unwrap_or_default(), step.stdin.clone());
        let lines: Vec<(String, Option<String>)> = steps.iter().map(line).collect();
        self.equip(&mut plan, lines.iter().map(|(text, stdin)| (text.as_str(), stdin.as_deref())));
        let transcript = reference.replay(&plan, &self.time.limits, &mut NoGuide)?;
        let answers = Answers { exercise: self.exercise, dialect: &self.dialect, bundle: Some(self.bundle) };
        let mut expect = Vec::with_capacity(steps.len());
        for (index, (step, planned)) in steps.iter().zip(&plan.steps).enumerate() {
            let Some(seen) = transcript.steps.get(index) else { return Ok(None) };
            let Some(callee) = callee_at(self.exercise, &plan, index) else { return Ok(None) };
            match self.expected(&answers, planned, &step.look, &callee, seen) {
                Some(answer) => expect.push(answer),
                None => return Ok(None),
            }
        }
        Ok(Some(Case { expect, source: Arc::from(""), ..bare(plan) }))
    }
}

/// Keeps the lines that fit and use only what lines that are kept bind.
fn keep(lines: &mut Vec<OwnLine>, fits: Vec<bool>) {
    let mut fits = fits.into_iter();
    let mut bound: BTreeSet<String> = BTreeSet::new();
    lines.retain(|line| {
        let whole = fits.next().unwrap_or(false) && line.uses.iter().all(|name| bound.contains(name));
        bound.extend(line.binds.iter().filter(|_| whole).map(|(name, _)| name.clone()));
        whole
    });
}
