//! Compares every format, byte for byte, over the same few submissions.
//!
//! One passes, one cannot be loaded, one is wrong, and one raises. A case is hidden, some are in a group;
//! each format has its own audience.
//!
//! A second set, `class`, has what a class adds: penalties, points set by hand, and who handed in nothing.
//!
//! `KEUR_BLESS=1 cargo test --test it golden::` rewrites `fixtures/golden`; with `CI` set it is refused.

use crate::running::{blesses, keur_command, root, run};
use keur::run::{GradeRequest, Run};
use keur_core::case::{Library, Points};
use keur_core::event::{ByHand, Event, HandIn, Late, RunError, SubmissionReport};
use keur_core::report::formats::FORMATS;
use keur_core::report::{Audience, Options, Scope};
use keur_core::submission::FilesProblem;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SUBMISSIONS: [&str; 4] = ["correct.py", "broken.py", "wrong.py", "raises.py"];

/// Every report of one run: the name of its golden file, and its text, without what is machine-specific.
fn reports() -> Vec<(String, String)> {
    let out = tempfile::tempdir().unwrap();
    let mut command = keur_command(&["grade", "--cases", "fixtures/golden/cases", "--findings", "all"]);
    for format in FORMATS {
        for variable in format.variables {
            command.env_remove(variable);
        }
        command.arg("--format").arg(format!("{}={}", format.name, out.path().join(format.name).display()));
    }
    command.args(SUBMISSIONS.map(|name| format!("fixtures/golden/submissions/{name}")));
    let run = run(&mut command);
    assert_eq!(run.code, 1, "{}", run.err);
    let version = regex::Regex::new(r"([Pp]ython )3\.[0-9]+\.[0-9]+").unwrap();
    let read = |format: &keur_core::report::Format| {
        let text = fs::read_to_string(out.path().join(format.name)).unwrap();
        (format!("{}.{}", format.name, format.extension), version.replace_all(&text, "${1}3.x").into_owned())
    };
    FORMATS.iter().map(read).collect()
}

/// Compares reports with their golden files in a folder of `fixtures/golden`, or writes these.
#[track_caller]
fn check(folder: &str, reports: Vec<(String, String)>) {
    let folder = root().join("fixtures/golden").join(folder);
    let bless = blesses();
    let mut changed = Vec::new();
    for (name, made) in reports {
        let path = folder.join(&name);
        if bless {
            fs::write(&path, &made).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        if golden != made {
            changed
                .push(format!("{name}:\n{}", similar::TextDiff::from_lines(&golden, &made).unified_diff()));
        }
    }
    assert!(
        changed.is_empty(),
        "if the change is right, rewrite them with KEUR_BLESS=1\n{}",
        changed.join("\n")
    );
}

#[test]
fn every_format_is_as_it_was() {
    check("reports", reports());
}

/// A submission of the fixtures, graded.
fn graded(name: &str) -> SubmissionReport {
    let path = Path::new("fixtures/golden/submissions").join(name);
    let mut request = GradeRequest::new(path);
    request.library = Library::Folder("fixtures/golden/cases".into());
    let mut found = None;
    Run::new(request).unwrap().grade(&mut |event| {
        if let Event::SubmissionFinished { report } = event {
            found = Some(SubmissionReport::clone(report));
        }
    });
    let mut report = found.unwrap();
    assert!(report.error.is_none(), "{:?}", report.error);
    report.runtime.as_mut().unwrap().version = "3.x".to_owned();
    report
}

/// The submission of a student in a class.
fn of(student: &str, mut report: SubmissionReport, attempt: u32) -> SubmissionReport {
    let id = format!("10{}", student.len());
    let email = Some(format!("{}@example.org", student.to_lowercase()));
    let (name, earned) = (student.to_owned(), report.points);
    let hand_in = HandIn { student: name.clone(), id: Some(id), email, attempt, earned, ..HandIn::default() };
    (report.name, report.hand_in) = (name, Some(Box::new(hand_in)));
    report
}

/// A submission that was not graded.
fn ungraded(student: &str, error: RunError, attempt: u32) -> SubmissionReport {
    let mut report = of(student, graded("correct.py"), attempt);
    report.hand_in.as_mut().unwrap().earned = Points::ZERO;
    SubmissionReport {
        points: Points::ZERO,
        files: Vec::new(),
        cases: Vec::new(),
        runtime: None,
        error: Some(error),
        ..report
    }
}

/// A class with everything that a class knows: penalties, points by hand, identical submissions and every
/// state.
fn class() -> Vec<Arc<SubmissionReport>> {
    let correct = graded("correct.py");
    let mut an = of("An", correct.clone(), 1);
    let mut bo = of("Bo <b>", graded("wrong.py"), 2);
    let mut eva = of("Eva", correct.clone(), 1);
    let mut gil = of("Gil", correct, 1);
    gil.hand_in.as_mut().unwrap().late = Some(Late { by: None, lost: Points::ZERO });
    let names = |name: &str| vec![name.to_owned()];
    let (hour, lost) = (Duration::from_secs(3600), Points::from_hundredths(150));
    let known = an.hand_in.as_mut().unwrap();
    known.same = names("Eva");
    known.late = Some(Late { by: Some(26 * hour), lost });
    an.points = Points::from_hundredths(an.points.hundredths() - lost.hundredths());
    let by_hand = ByHand { points: Points::from_hundredths(800), why: "=oral <b>exam</b>".to_owned() };
    bo.points = by_hand.points;
    bo.hand_in.as_mut().unwrap().by_hand = Some(by_hand);
    let known = eva.hand_in.as_mut().unwrap();
    known.same = names("An");
    known.late = Some(Late { by: Some(Duration::from_secs(290)), lost: Points::ZERO });
    let empty = RunError::Nothing(FilesProblem::Empty { file: "counter.py".to_owned() });
    let (cas, dag) = (ungraded("Cas", RunError::NotHandedIn, 0), ungraded("Dag", empty, 1));
    [an, bo, cas, dag, eva, gil].map(Arc::new).into()
}

#[test]
fn every_format_shows_what_a_class_knows() {
    let class = class();
    let written = |format: &keur_core::report::Format| {
        let title = Some("Counting <b>2026</b>".to_owned());
        let options = Options { title, scope: Scope::Many, audience: format.audience, ..Options::default() };
        (format!("{}.{}", format.name, format.extension), format.write(&class, &options))
    };
    let mut reports: Vec<(String, String)> = FORMATS.iter().map(written).collect();
    let options = Options { scope: Scope::Many, audience: Audience::Student, ..Options::default() };
    reports.push((
        "student.html".to_owned(),
        keur_core::report::formats::find("html").unwrap().write(&class[..1], &options),
    ));
    let shows = |text: &String| text.contains("oral");
    let without: Vec<&str> =
        reports.iter().filter(|(_, text)| !shows(text)).map(|(name, _)| name.as_str()).collect();
    // These have no place for a word on the points.
    let no_place = [
        "github-output.txt", "exercism.json", "junit.xml", "tap.tap", "ctrf.json", "sarif.sarif",
        "student.html",
    ];
    assert_eq!(without, no_place);
    check("class", reports);
}

#[test]
fn points_set_by_hand_where_nothing_was_graded_are_in_no_total() {
    let mut class = class();
    let cas = Arc::make_mut(&mut class[2]);
    cas.points = Points::from_hundredths(600);
    let by_hand = ByHand { points: cas.points, why: "on paper".to_owned() };
    cas.hand_in.as_mut().unwrap().by_hand = Some(by_hand);
    let options = Options { scope: Scope::Many, width: 200, ..Options::default() };
    let text = keur_core::report::TERMINAL.write(&class, &options);
    assert!(text.contains(" 6/10 ") && text.contains("36.5 of 40 points · 9.13 on average"), "{text}");
}

#[test]
fn the_same_submissions_give_the_same_reports() {
    assert_eq!(reports(), reports());
}
