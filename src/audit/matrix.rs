//! The kill matrix: the wrong programs that each case kills, and the figures that follow.

use super::subset::greedy_subset;
use keur_core::case::Case;
use keur_core::compare::Verdict;
use keur_core::messages::Lang;
use keur_core::named;
use keur_core::named::Named;

/// The audit of an exercise's cases.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// The exercise's name.
    pub exercise: String,
    pub title: String,
    /// In the order of the exercise.
    pub cases: Vec<AuditedCase>,
    /// The wrong programs: survivors first, then those that the fewest cases kill, and equivalent ones last.
    pub programs: Vec<AuditedProgram>,
    /// The indices, rising, of a small set of cases that kills as much as all of them, found greedily.
    pub subset: Vec<usize>,
    /// Wrong programs that could not be graded: the name of each, and why.
    pub ungraded: Vec<(String, String)>,
}

/// A case, and what it kills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedCase {
    pub name: String,
    pub title: String,
    /// Whether it depends on a ruling: then it kills only programs that break a ruling.
    pub ruling: bool,
    /// The number of wrong programs that it kills.
    pub kills: usize,
    /// The number of them that no other case kills.
    pub alone: usize,
    /// Whether it replays random sessions.
    pub random: bool,
    /// Its hints, in the language of the exercise, that are shown for no wrong program.
    pub unshown_hints: Vec<String>,
}

impl AuditedCase {
    /// A case of the exercise, before anything is counted; its title is in this language.
    pub(super) fn of(case: &Case, lang: Lang) -> AuditedCase {
        AuditedCase {
            name: case.name.clone(),
            title: case.title.get(lang).to_owned(),
            ruling: case.is_ruling(),
            kills: 0,
            alone: 0,
            random: case.random.is_some(),
            unshown_hints: Vec::new(),
        }
    }
}

/// The kinds of wrong programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongKind {
    /// A mutant that a person wrote.
    Mutant,
    /// A mutant that keur made of a right program.
    Generic,
    /// A wrong sample.
    Sample,
}

named!(WrongKind {
    Mutant = "mutant",
    Generic = "generic",
    Sample = "sample",
});

/// A program that the cases should notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongProgram {
    pub name: String,
    pub kind: WrongKind,
    /// The mistake: a sentence without a full stop.
    pub what: String,
    /// The file and the line of its change, or its path.
    pub place: String,
    /// The change as a patch: lines that begin with a space, `-` or `+`. None for a sample.
    pub patch: Vec<String>,
    /// Whether it breaks a ruling only.
    pub ruling: bool,
    /// Why nothing can tell it from a right program, if so.
    pub equivalent: Option<String>,
}

/// A wrong program, and which cases kill it.
#[derive(Clone, Debug)]
pub struct AuditedProgram {
    /// The program.
    pub program: WrongProgram,
    /// The verdict of each case of the exercise; none where the case does not count for it.
    pub verdicts: Vec<Option<Verdict>>,
    /// The indices of the cases that kill it.
    pub killed_by: Vec<usize>,
    /// Whether the cases that kill it are all random sessions.
    pub only_random: bool,
    /// Whether no case reaches the changed statement, as far as that is known.
    pub unreached: bool,
    /// A case that would kill it, if it survives and one was searched for.
    pub proposal: Option<Proposal>,
}

/// The result of a hunt for a case that kills a survivor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A case, as the text of its file.
    Case(String),
    /// No session told the program from the right one.
    NoDifference {
        /// The number of sessions.
        sessions: u64,
        /// The calls of the cases of which no session compared an answer, each as a sentence.
        unreached: Vec<String>,
    },
    /// There is nothing to hunt with, and why.
    NotHunted(String),
}

/// The end of a wrong program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// No case notices it.
    Survived,
    /// No case notices it, though the cases reach what was changed, and no session of a hunt tells it from the right
    /// program.
    NoDifference,
    /// Only a case of random sessions fails it.
    KilledAtRandom,
    /// A case of steps fails it.
    Killed,
    /// The program is not wrong at all.
    Equivalent,
}

named!(Fate {
    Survived = "survived",
    NoDifference = "no difference",
    KilledAtRandom = "killed at random",
    Killed = "killed",
    Equivalent = "equivalent",
});

impl WrongKind {
    /// The kind in a report: a plural.
    pub(super) fn title(self) -> &'static str {
        match self {
            WrongKind::Mutant => "mutants by hand",
            WrongKind::Generic => "mutants by machine",
            WrongKind::Sample => "wrong samples",
        }
    }
}

impl Fate {
    /// What happened to some programs, in a report.
    pub(super) fn title(self) -> &'static str {
        match self {
            Fate::Survived => "survived",
            Fate::NoDifference => "equivalent as far as sessions tried",
            Fate::KilledAtRandom => "killed by random sessions alone",
            Fate::Killed => "killed",
            Fate::Equivalent => "equivalent",
        }
    }

    /// Whether a case notices the program.
    pub fn is_killed(self) -> bool {
        matches!(self, Fate::KilledAtRandom | Fate::Killed)
    }

    /// Whether no case notices the program, and nobody proved that none can.
    pub fn is_survivor(self) -> bool {
        matches!(self, Fate::Survived | Fate::NoDifference)
    }
}

impl AuditedProgram {
    /// A program with these verdicts. A case that depends on a ruling kills only what breaks one, and a case
    /// that was not run kills nothing.
    pub(super) fn new(
        program: WrongProgram,
        cases: &[AuditedCase],
        verdicts: Vec<Option<Verdict>>,
    ) -> AuditedProgram {
        let verdicts: Vec<Option<Verdict>> = cases
            .iter()
            .zip(verdicts)
            .map(|(case, verdict)| verdict.filter(|_| program.ruling || !case.ruling))
            .collect();
        let kills = |verdict: &Option<Verdict>| {
            verdict.is_some_and(|verdict| !matches!(verdict, Verdict::Passed | Verdict::NotRun))
        };
        let killed_by: Vec<usize> = (0..verdicts.len()).filter(|case| kills(&verdicts[*case])).collect();
        let only_random = killed_by.iter().all(|case| cases[*case].random);
        AuditedProgram { program, verdicts, killed_by, only_random, unreached: false, proposal: None }
    }

    /// What was found out about a survivor: sentences without a full stop.
    pub(super) fn remarks(&self) -> Vec<String> {
        let unreached = self.unreached.then(|| "no case reaches the changed statement".to_owned());
        let hunted = match &self.proposal {
            Some(Proposal::NoDifference { sessions, unreached }) => Some(match unreached.as_slice() {
                [] if self.fate() == Fate::NoDifference => {
                    format!("equivalent as far as {sessions} random sessions tried")
                }
                [] => format!("no difference in {sessions} random sessions"),
                calls => {
                    format!("no difference in {sessions} random sessions, in which {}", calls.join(", "))
                }
            }),
            Some(Proposal::NotHunted(why)) => Some(format!("no case was searched for: {why}")),
            Some(Proposal::Case(_)) | None => None,
        };
        unreached.into_iter().chain(hunted).collect()
    }

    /// Whether cases killed the program.
    pub fn fate(&self) -> Fate {
        if self.program.equivalent.is_some() {
            Fate::Equivalent
        } else if !self.killed_by.is_empty() {
            if self.only_random { Fate::KilledAtRandom } else { Fate::Killed }
        } else {
            match &self.proposal {
                Some(Proposal::NoDifference { unreached, .. }) if unreached.is_empty() && !self.unreached => {
                    Fate::NoDifference
                }
                _ => Fate::Survived,
            }
        }
    }
}

impl AuditReport {
    /// Counts what each case kills, and orders the programs.
    pub(super) fn new(
        exercise: String,
        title: String,
        mut cases: Vec<AuditedCase>,
        mut programs: Vec<AuditedProgram>,
        ungraded: Vec<(String, String)>,
    ) -> AuditReport {
        programs.sort_by_key(|program| (program.fate(), program.killed_by.len()));
        let killed: Vec<Vec<usize>> = programs
            .iter()
            .filter(|program| program.fate().is_killed())
            .map(|program| program.killed_by.clone())
            .collect();
        for (index, case) in cases.iter_mut().enumerate() {
            case.kills = killed.iter().filter(|killers| killers.contains(&index)).count();
            case.alone = killed.iter().filter(|killers| **killers == [index]).count();
        }
        AuditReport { exercise, title, cases, programs, subset: greedy_subset(&killed), ungraded }
    }

    /// The programs that came to this.
    pub fn of(&self, fate: Fate) -> impl Iterator<Item = &AuditedProgram> {
        self.programs.iter().filter(move |program| program.fate() == fate)
    }

    /// The programs that no case notices, and that nobody proved to be equivalent.
    pub fn survivors(&self) -> impl Iterator<Item = &AuditedProgram> {
        self.programs.iter().filter(|program| program.fate().is_survivor())
    }

    /// The number of programs that came to this.
    pub fn count(&self, fate: Fate) -> usize {
        self.of(fate).count()
    }

    /// The hints that are shown for no wrong program, each after its case.
    pub fn unshown_hints(&self) -> Vec<(&str, &str)> {
        let mut hints = Vec::new();
        for case in &self.cases {
            hints.extend(case.unshown_hints.iter().map(|hint| (case.name.as_str(), hint.as_str())));
        }
        hints
    }

    /// The number of programs that some case kills.
    pub fn killed(&self) -> usize {
        self.count(Fate::KilledAtRandom) + self.count(Fate::Killed)
    }

    /// The kinds of its programs, with the number of programs for each fate that some program came to.
    pub fn kinds(&self) -> Vec<(WrongKind, Vec<(Fate, usize)>)> {
        let count = |kind, fate| self.of(fate).filter(|audited| audited.program.kind == kind).count();
        let counts = |kind| {
            let counts = Fate::ALL.iter().map(|fate| (*fate, count(kind, *fate)));
            counts.filter(|(_, count)| *count > 0).collect::<Vec<_>>()
        };
        let kinds = WrongKind::ALL.iter().map(|kind| (*kind, counts(*kind)));
        kinds.filter(|(_, counts)| !counts.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditReport, AuditedCase, AuditedProgram, Fate, Proposal, WrongKind, WrongProgram};
    use keur_core::compare::Verdict;

    fn case(name: &str, ruling: bool) -> AuditedCase {
        AuditedCase {
            name: name.to_owned(),
            title: name.to_owned(),
            ruling,
            kills: 0,
            alone: 0,
            random: false,
            unshown_hints: Vec::new(),
        }
    }

    fn program(name: &str, ruling: bool, equivalent: Option<&str>) -> WrongProgram {
        WrongProgram {
            name: name.to_owned(),
            kind: WrongKind::Mutant,
            what: "it is wrong".to_owned(),
            place: "a.py:1".to_owned(),
            patch: Vec::new(),
            ruling,
            equivalent: equivalent.map(str::to_owned),
        }
    }

    #[test]
    fn the_fate_of_a_survivor_says_who_looked() {
        let cases = [case("first", false), AuditedCase { random: true, ..case("sessions", false) }];
        let (passed, wrong) = (Some(Verdict::Passed), Some(Verdict::WrongValue));
        let judged = |verdicts: [Option<Verdict>; 2], unreached, proposal| {
            let audited = AuditedProgram::new(program("it", false, None), &cases, verdicts.to_vec());
            AuditedProgram { unreached, proposal, ..audited }
        };
        let none = |unreached: &[&str]| {
            let unreached = unreached.iter().map(|call| (*call).to_owned()).collect();
            Some(Proposal::NoDifference { sessions: 9, unreached })
        };
        let check = |audited: &AuditedProgram, fate, remarks: &[&str]| {
            assert_eq!(
                (audited.fate(), audited.remarks()),
                (fate, remarks.iter().map(|&said| said.to_owned()).collect())
            );
        };
        check(&judged([wrong, Some(Verdict::NotRun)], false, None), Fate::Killed, &[]);
        check(&judged([passed, wrong], false, None), Fate::KilledAtRandom, &[]);
        check(&judged([passed; 2], false, None), Fate::Survived, &[]);
        check(
            &judged([passed; 2], false, none(&[])),
            Fate::NoDifference,
            &["equivalent as far as 9 random sessions tried"],
        );
        check(
            &judged([passed; 2], true, none(&[])),
            Fate::Survived,
            &["no case reaches the changed statement", "no difference in 9 random sessions"],
        );
        check(
            &judged([passed; 2], false, none(&["`a` was never called"])),
            Fate::Survived,
            &["no difference in 9 random sessions, in which `a` was never called"],
        );
        let killed = [judged([wrong, passed], false, None), judged([passed, wrong], false, None)];
        let report =
            AuditReport::new("x".to_owned(), "X".to_owned(), cases.to_vec(), killed.to_vec(), Vec::new());
        assert_eq!(report.kinds(), [(WrongKind::Mutant, vec![(Fate::KilledAtRandom, 1), (Fate::Killed, 1)])]);
    }

    #[test]
    fn survivors_come_first_and_cases_count_what_they_kill() {
        let cases = vec![case("first", false), case("second", false), case("settled", true)];
        let (passed, wrong) = (Some(Verdict::Passed), Some(Verdict::WrongValue));
        let judged = |name, ruling, verdicts: [Option<Verdict>; 3]| {
            AuditedProgram::new(program(name, ruling, None), &cases, verdicts.to_vec())
        };
        let programs = vec![
            AuditedProgram::new(program("same", false, Some("x is 0")), &cases, vec![passed; 3]),
            judged("both", false, [wrong, wrong, passed]),
            judged("one", false, [wrong, passed, passed]),
            judged("only_the_ruling", false, [passed, passed, wrong]),
            judged("of_the_ruling", true, [passed, passed, wrong]),
            judged("not_run", false, [passed, Some(Verdict::NotRun), None]),
        ];
        let report = AuditReport::new("x".to_owned(), "X".to_owned(), cases.clone(), programs, Vec::new());
        let fates: Vec<(&str, Fate)> =
            report.programs.iter().map(|found| (found.program.name.as_str(), found.fate())).collect();
        assert_eq!(
            fates,
            [
                ("only_the_ruling", Fate::Survived),
                ("not_run", Fate::Survived),
                ("one", Fate::Killed),
                ("of_the_ruling", Fate::Killed),
                ("both", Fate::Killed),
                ("same", Fate::Equivalent),
            ]
        );
        let counts: Vec<(usize, usize)> = report.cases.iter().map(|case| (case.kills, case.alone)).collect();
        assert_eq!(counts, [(2, 1), (1, 0), (1, 1)]);
        assert_eq!(report.subset, [0, 2]);
    }
}
