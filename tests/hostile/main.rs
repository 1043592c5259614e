//! Submissions that attack: each must earn exactly its recorded verdicts, and leave nothing behind.
//!
//! A fixture is a submission under `fixtures/hostile/submissions/<language>/`, an answer to the exercise
//! `fixtures/hostile/cases/target`, or in C to `functions`. `verdicts.toml` beside it says what it tries and which cases fail, how
//! and at which step; with `confined = true` it may only run confined. `KEUR_BLESS=1 cargo test --test hostile`
//! rewrites the verdicts from the results in the standard tier; with `CI` set it is refused.
//!
//! Fixtures are only run through keur: never run one directly.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod files;
mod folder;
mod html;
mod memory;
mod remains;
#[path = "../common/required.rs"]
mod required;
#[path = "../common/running.rs"]
mod running;
mod text;
#[path = "../common/verdicts.rs"]
mod verdicts;

use corpus::{Attack, Engines, SECRET, attacks, grade_all, loaded_for, submissions};
use keur::run::{FailedCases, failed_cases};
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::event::SubmissionReport;
use keur_core::judge::Isolation;
use keur_core::submission::Submission;
use keur_sandbox::{Tier, available, linux};
use remains::{Memory, Remains};
use required::{Need, needs, not_tested};
use running::{blesses, keur};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

/// The plain user that root switches to.
const NOBODY: u32 = 65534;

/// The most memory that grading may take, in KiB: 200 MB less what keur uses before it grades.
const MOST_MEMORY: u64 = 170 << 10;

/// Attacks that end differently over pipes alone, besides those that end at the memory limit.
///
/// The channel is not at descriptor 3 there, and memory is only limited on Windows.
const APART: [&str; 3] =
    ["python/channel_closed_and_on.py", "python/mmap_bomb.py", "javascript/buffer_bomb.js"];

/// Parts of texts that no report shows: the beginning of the list of users, the file that keur adds to a submission where it
/// is compiled, and the folder for that.
const INTERNAL: [&str; 3] = ["root:x:0", "keur.glue", "/build/tmp"];

/// Lets one test run at a time: each checks the processes and files that remain afterwards.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn attacks_earn_their_verdicts_in_the_standard_tier() {
    check(Tier::Standard, Engines::Machine);
}

#[cfg(feature = "quickjs")]
#[test]
fn attacks_earn_their_verdicts_on_the_embedded_engine() {
    check(Tier::Standard, Engines::Embedded);
}

#[test]
fn attacks_in_java_earn_their_verdicts() {
    needs!(Java);
    check(Tier::Standard, Engines::Java);
}

#[test]
fn attacks_in_java_that_harm_nobody_earn_their_verdicts_in_the_portable_tier() {
    needs!(Java);
    check(Tier::Portable, Engines::Java);
}

#[test]
fn attacks_in_cpp_earn_their_verdicts() {
    needs!(Cpp);
    check_built(Engines::Cpp);
}

#[test]
fn attacks_in_c_earn_their_verdicts() {
    needs!(Cpp);
    check_built(Engines::C);
}

#[test]
fn attacks_earn_their_verdicts_when_a_plain_user_grades() {
    let _alone = alone();
    if !linux::probe().root {
        // A plain user ran the tests above.
        return not_tested(Need::Root, "attacks when root grades", "a plain user runs the tests");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(corpus::copy_for_all(folder.path()));
    let mut tests = vec![
        "attacks_earn_their_verdicts_in_the_standard_tier",
        "attacks_in_java_earn_their_verdicts",
        "attacks_in_cpp_earn_their_verdicts",
        "attacks_in_c_earn_their_verdicts",
    ];
    if cfg!(feature = "quickjs") {
        tests.push("attacks_earn_their_verdicts_on_the_embedded_engine");
    }
    command.args(&tests);
    command.args(["--exact", "--nocapture"]);
    command.env("KEUR_TEST_ROOT", folder.path()).current_dir(folder.path().join("fixtures"));
    // The driver of C++ is kept in a cache of the user's own, which is not below where it is graded.
    let cache = folder.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    std::os::unix::fs::chown(&cache, Some(NOBODY), Some(NOBODY)).unwrap();
    command.env("XDG_CACHE_HOME", &cache);
    let output = command.uid(NOBODY).gid(NOBODY).env_remove("KEUR_BLESS").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let passed = format!("{} passed", tests.len());
    assert!(output.status.success() && text.contains(&passed), "{text}");
}

#[test]
fn attacks_earn_their_verdicts_in_the_strict_tier_or_are_not_graded() {
    let Err(lack) = available(Tier::Strict) else { return check(Tier::Strict, Engines::Machine) };
    not_tested(Need::Strict, "attacks in the strict tier", &lack);
    let run = keur(&["grade", "--confine", "strict", "fixtures/hostile/submissions/python/daemon_child.py"]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(run.out.is_empty() && run.err.contains(&lack), "{}", run.err);
}

#[test]
fn attacks_that_harm_nobody_earn_their_verdicts_in_the_portable_tier() {
    check(Tier::Portable, Engines::Machine);
}

#[test]
fn attacks_that_harm_nobody_earn_their_verdicts_by_pipes_alone() {
    let mut attacks = attacks(Engines::Machine);
    attacks.retain(|attack| {
        let apart = APART.iter().any(|name| attack.path().ends_with(name));
        !attack.confined && !apart && !attack.expects(Verdict::MemoryLimit)
    });
    let _alone = alone();
    let submissions = submissions(&loaded_for(Engines::Machine), &attacks);
    let both: Vec<_> = attacks.iter().zip(&submissions).collect();
    check_attacks(|| Launcher::portable(0), Engines::Machine, &both, false);
}

#[track_caller]
fn check(tier: Tier, engines: Engines) {
    check_tiers(&[tier], engines);
}

/// Checks attacks in a language that is compiled: once, for both tiers. A plain user grades in one of them.
#[track_caller]
fn check_built(engines: Engines) {
    let tiers = [Tier::Standard, Tier::Portable];
    check_tiers(if linux::probe().root { &tiers } else { &tiers[..1] }, engines);
}

#[track_caller]
fn check_tiers(tiers: &[Tier], engines: Engines) {
    let _alone = alone();
    let attacks = attacks(engines);
    let submissions = submissions(&loaded_for(engines), &attacks);
    for tier in tiers {
        let of_tier = |(attack, _): &(&Attack, &Submission)| *tier != Tier::Portable || !attack.confined;
        let both: Vec<_> = attacks.iter().zip(&submissions).filter(of_tier).collect();
        check_attacks(|| Launcher::new(*tier, 0), engines, &both, *tier == Tier::Standard);
    }
}

#[track_caller]
fn check_attacks(
    launcher_of: impl Fn() -> Launcher + Sync,
    engines: Engines,
    both: &[(&Attack, &Submission)],
    is_standard: bool,
) {
    let (attacks, submissions): (Vec<&Attack>, Vec<&Submission>) = both.iter().copied().unzip();
    // Both forms take twice as long, and some languages have only one.
    let both = is_standard && matches!(engines, Engines::Machine | Engines::Embedded);
    let isolation = if both { Isolation::Both } else { Isolation::Quick };
    let loaded = loaded_for(engines);
    let (before, memory) = (Remains::now(), Memory::now());
    let reports = grade_all(launcher_of, &loaded, &submissions, &engines.interpreters(), isolation);
    let left = Remains::now().since(&before);
    bless(is_standard, &attacks, &reports, engines);
    check_reports(&attacks, &reports, engines, left, &memory);
}

/// Rewrites the verdicts of attacks if that is asked.
fn bless(is_standard: bool, attacks: &[&Attack], reports: &[SubmissionReport], engines: Engines) {
    if is_standard && blesses() {
        attacks
            .iter()
            .zip(reports)
            .for_each(|(attack, report)| attack.bless(&failed_cases(&report.cases), engines));
    }
}

/// Compares the reports of attacks with their verdicts, and what they left with nothing.
#[track_caller]
fn check_reports(
    attacks: &[&Attack],
    reports: &[SubmissionReport],
    engines: Engines,
    left: Vec<String>,
    memory: &Memory,
) {
    let mut problems: Vec<String> = attacks
        .iter()
        .zip(reports)
        .flat_map(|(attack, report)| problems(attack.expected(engines), attack, report))
        .collect();
    problems.extend(left.into_iter().map(|what| format!("left behind: {what}")));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    let peak = memory.peak_since();
    assert!(peak < MOST_MEMORY, "the harness took {peak} KiB");
}

fn problems(expected: &FailedCases, attack: &Attack, report: &SubmissionReport) -> Vec<String> {
    let name = attack.path().display();
    let found = failed_cases(&report.cases);
    let mut problems = attack.differences(expected, &found);
    if !found.contains_key(SECRET) {
        problems.push(format!("{name}: it earned a point that it cannot have computed"));
    }
    let text = format!("{report:?}");
    if let Some(known) = INTERNAL.iter().find(|known| text.contains(**known)) {
        problems.push(format!("{name}: its report shows `{known}`"));
    }
    let earned = report.cases.iter().filter(|case| case.verdict == Verdict::Passed);
    if report.points != earned.map(|case| case.max_points).sum() {
        problems.push(format!("{name}: its points are not those of the cases that passed"));
    }
    problems
}
