//! Attacks by submissions that have a working folder: the exercise of `fixtures/hostile/files/cases/`.

use super::corpus::{Attack, Engines, attacks_of, exercise_in, grade_all, submissions};
use super::{alone, check_reports};
use crate::remains::{Memory, Remains};
use keur_core::adapter::Launcher;
use keur_core::judge::Isolation;
use keur_sandbox::{Tier, available};

#[track_caller]
fn check(launcher_of: impl Fn() -> Launcher + Sync, is_standard: bool, unconfined: bool) {
    let _alone = alone();
    let mut attacks = attacks_of("fixtures/hostile/files/submissions", &["python", "javascript"], 4);
    attacks.retain(|attack| !(unconfined && attack.confined));
    let loaded = exercise_in("fixtures/hostile/files/cases", "folder");
    let submissions = submissions(&loaded, &attacks);
    let (attacks, submissions): (Vec<&Attack>, Vec<_>) = attacks.iter().zip(&submissions).unzip();
    let (before, memory) = (Remains::now(), Memory::now());
    let interpreters = Engines::Machine.interpreters();
    let reports = grade_all(launcher_of, &loaded, &submissions, &interpreters, Isolation::Quick);
    let left = Remains::now().since(&before);
    super::bless(is_standard, &attacks, &reports, Engines::Machine);
    check_reports(&attacks, &reports, Engines::Machine, left, &memory);
}

#[test]
fn attacks_with_files_earn_their_verdicts_in_the_standard_tier() {
    check(|| Launcher::new(Tier::Standard, 0), true, false);
}

#[test]
fn attacks_with_files_that_harm_nobody_earn_their_verdicts_in_the_portable_tier() {
    check(|| Launcher::new(Tier::Portable, 0), false, true);
}

#[test]
fn attacks_with_files_that_harm_nobody_earn_their_verdicts_by_pipes_alone() {
    check(|| Launcher::portable(0), false, true);
}

#[test]
fn attacks_with_files_earn_their_verdicts_in_the_strict_tier() {
    // That such a machine grades nothing is tested with the other attacks.
    if available(Tier::Strict).is_ok() {
        check(|| Launcher::new(Tier::Strict, 0), false, false);
    }
}
