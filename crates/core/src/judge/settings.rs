//! Settings for grading, and what applies without them.

use crate::adapter::Subprocess;
use crate::case::{Case, Exercise, LimitsPatch, Plan};
use crate::event::Runtime;
use crate::named;
use crate::sandbox::Limits;
use std::collections::BTreeSet;
use std::time::Duration;

/// Settings for grading.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits that override those of the exercise and the case.
    pub limits: LimitsPatch,
    /// Whether cases that depend on a ruling count.
    pub rulings: bool,
    /// Which cases count, by their names.
    pub selection: Selection,
    /// The isolation of the cases of a submission from each other.
    pub isolation: Isolation,
}

/// The isolation of the cases of a submission from each other.
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

/// A selection of cases by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every case.
    #[default]
    All,
    /// The cases whose name contains one of these texts.
    Containing(Vec<String>),
    /// The cases with these names.
    Named(BTreeSet<String>),
}

impl Selection {
    /// Whether the case with this name is selected.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::Containing(parts) => parts.iter().any(|part| name.contains(part.as_str())),
            Selection::Named(names) => names.contains(name),
        }
    }
}

/// The limits of a case, by priority: those given, its own, the exercise's, the default.
pub fn limits(given: &LimitsPatch, case: &Case, exercise: &Exercise) -> Limits {
    let patch = given.over(&case.limits).over(&exercise.limits);
    let default = Limits::default();
    let cpu = patch.cpu.unwrap_or(default.cpu);
    Limits {
        cpu,
        // Wall-clock time only backs up processor time, so it is never the stricter one.
        wall: patch.wall.unwrap_or(default.wall).max(cpu),
        memory: patch.memory.unwrap_or(default.memory),
        output: patch.output.unwrap_or(default.output),
    }
}

/// Default total time for the cases of a submission that reach a limit.
pub const BUDGET: Duration = Duration::from_secs(30);

/// Total time for the cases of a submission that reach a limit: as given, else the exercise's, else the
/// default.
pub(crate) fn budget(given: &LimitsPatch, exercise: &Exercise) -> Duration {
    given.over(&exercise.limits).budget.unwrap_or(BUDGET)
}

/// Total time for all `cases` of a submission, those that pass among them, with what starts, compiles and
/// loads it: the processor time of each, and the time for those that reach a limit. A right program does not
/// wait, so even the slowest one ends each case within that processor time, which includes loading; the rest
/// is room for a busy machine.
pub(crate) fn overall(cases: &[&Case], given: &LimitsPatch, exercise: &Exercise) -> Duration {
    let runs = |case: &Case| match &case.random {
        Some(random) => u32::try_from(random.seeds.len()).unwrap_or(u32::MAX),
        None => limited_runs(&case.plan),
    };
    let of_case = |case: &&Case| limits(given, case, exercise).cpu * runs(case);
    cases.iter().map(of_case).sum::<Duration>() + budget(given, exercise)
}

/// How many runs of a case have its limits each: the games of a match, and the programs that it runs.
pub(crate) fn limited_runs(plan: &Plan) -> u32 {
    plan.games() + u32::try_from(plan.programs()).unwrap_or(u32::MAX)
}

/// The interpreter or program that runs a submission, for reports; `None` before its first process.
pub fn runtime(adapter: &Subprocess<'_>) -> Option<Runtime> {
    let dialect = adapter.dialect()?;
    Some(Runtime {
        language: dialect.name().to_owned(),
        engine: dialect.engine,
        version: dialect.version.clone(),
        notation: dialect.notation(),
        tier: adapter.tier(),
        seed: adapter.seed(),
    })
}
