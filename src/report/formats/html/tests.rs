//! Pages from hand-written reports: their links and their content.

use super::FORMAT;
use crate::case::Points;
use crate::compare::{Mismatch, Verdict};
use crate::event::{CaseReport, ExerciseInfo, Finding, SubmissionReport};
use crate::messages::{Lang, LocalText};
use crate::report::Options;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A submission for Quixo, one character per case: `.` passed, `x` failed.
pub(super) fn report(outcomes: &str) -> SubmissionReport {
    let case = |(index, outcome): (usize, char)| {
        let failed = outcome == 'x';
        let finding = Finding {
            verdict: Verdict::WrongText,
            step: 2,
            mismatch: Mismatch::Text,
            session: vec![">>> from q import Quixo".to_owned(), ">>> print(q)".to_owned()],
            expected: Some("X-\nOX".to_owned()),
            got: Some("XO\nOX".to_owned()),
            exception: None,
            printed: None,
            case_line: ("case.toml".to_owned(), 1),
        };
        CaseReport {
            name: format!("case_{index}"),
            title: Arc::new(LocalText::Plain(format!("Case {index}"))),
            tags: Arc::new([]),
            hidden: false,
            hint: None,
            points: if failed { Points::ZERO } else { Points::ONE },
            max_points: Points::ONE,
            verdict: if failed { Verdict::WrongText } else { Verdict::Passed },
            finding: failed.then(|| Box::new(finding)),
            consequences: Vec::new(),
            trials: Vec::new(),
        }
    };
    let cases: Vec<CaseReport> = outcomes.chars().enumerate().map(case).collect();
    SubmissionReport {
        name: format!("s{outcomes}"),
        path: String::new(),
        files: Vec::new(),
        exercise: Some(ExerciseInfo {
            name: "quixo".to_owned(),
            title: LocalText::Plain("Quixo".to_owned()),
            lang: Lang::Nl,
        }),
        runtime: None,
        points: cases.iter().map(|case| case.points).sum(),
        max_points: cases.iter().map(|case| case.max_points).sum(),
        cases,
        warnings: Vec::new(),
        error: None,
    }
}

fn options(lang: Option<Lang>) -> Options {
    Options { lang, many: true, ..Options::default() }
}

fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let start = format!(" {attribute}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn shared(reports: &[SubmissionReport]) -> Vec<Arc<SubmissionReport>> {
    reports.iter().cloned().map(Arc::new).collect()
}

fn page_of(reports: &[SubmissionReport], options: &Options) -> String {
    FORMAT.write(&shared(reports), options)
}

#[test]
fn the_language_is_that_of_the_exercise_unless_another_is_asked_for() {
    let one = [report(".x")];
    assert!(page_of(&one, &options(None)).starts_with("<!DOCTYPE html>\n<html lang=\"nl\">"));
    let danish = page_of(&one, &options(Some(Lang::Da)));
    assert!(danish.contains("<html lang=\"da\">") && danish.contains("1 af 2 point"), "{danish}");
}

#[test]
fn a_failed_case_shows_both_boards_and_what_differs() {
    let page = page_of(&[report(".x")], &options(Some(Lang::En)));
    assert_eq!(page.matches("<svg viewBox").count(), 2, "{page}");
    assert_eq!((page.matches("ring ring-e").count(), page.matches("ring ring-g").count()), (1, 1));
    assert!(
        page.contains("X<mark class=\"e\">-</mark>") && page.contains("X<mark class=\"g\">O</mark>"),
        "{page}"
    );
    assert!(page.contains("<b class=\"failing\">&gt;&gt;&gt; print(q)</b>"), "{page}");
}

#[test]
fn a_case_whose_finding_was_taken_away_says_that_it_failed_and_its_hint() {
    let mut hidden = report("x");
    hidden.cases[0].finding = None;
    hidden.cases[0].hidden = true;
    hidden.cases[0].hint = Some(Arc::new(LocalText::Plain("Look at the edges.".to_owned())));
    let page = page_of(&[hidden.clone()], &options(Some(Lang::En)));
    for says in ["this case is hidden", "wrong text", "0 of 1 points", "Look at the edges.", "Case 0"] {
        assert!(page.contains(says), "{says}: {page}");
    }
    let class = page_of(&[hidden.clone(), report("."), hidden], &options(Some(Lang::En)));
    assert!(class.contains("this case is hidden"), "{class}");
}

#[test]
fn what_is_wrong_before_the_first_step_stands_once() {
    let mut broken = report("xxx");
    for case in &mut broken.cases {
        case.verdict = Verdict::LoadError;
        case.hint = Some(Arc::new(LocalText::Plain("A hint of one case.".to_owned())));
        let finding = case.finding.as_mut().unwrap();
        (finding.verdict, finding.step, finding.mismatch) = (Verdict::LoadError, 0, Mismatch::Syntax);
    }
    let page = page_of(&[broken.clone()], &options(Some(Lang::En)));
    assert_eq!(page.matches("<article").count(), 1, "{page}");
    assert!(page.contains("<h2>cannot be loaded</h2>") && page.contains("in 3 cases"), "{page}");
    assert!(!page.contains("A hint of one case."), "{page}");
    let class = page_of(&[broken.clone(), broken], &options(Some(Lang::En)));
    assert_eq!(class.matches("<article").count(), 1, "{class}");
}

#[test]
fn every_link_of_the_class_page_has_its_place() {
    let class: Vec<SubmissionReport> = ["..x.", "....", "x.xx", "..x."].map(report).into();
    let page = page_of(&class, &options(None));
    let ids: Vec<&str> = values(&page, "id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id stands twice");
    let links = values(&page, "href");
    assert!(links.len() > 10, "{page}");
    for link in links {
        let id = link.strip_prefix('#').unwrap();
        assert!(ids.contains(&id), "{link} leads nowhere");
    }
    // Five failures of three cases, each finding once.
    assert_eq!(page.matches("<article").count(), 3);
}

#[test]
fn every_link_of_the_folder_has_its_page_and_place() {
    let mut class: Vec<SubmissionReport> = ["..x.", "....", "x.xx"].map(report).into();
    class[1].name = "A \"<b>\" ../é".to_owned();
    // A problem before the first step, in every case.
    class[0].cases.iter_mut().for_each(|case| {
        case.verdict = Verdict::LoadError;
        let finding = report("x").cases[0].finding.clone().unwrap();
        case.finding = Some(Box::new(Finding {
            step: 0,
            mismatch: Mismatch::Loading,
            expected: None,
            got: None,
            ..*finding
        }));
    });
    let mut written = std::collections::BTreeMap::new();
    FORMAT.pages(&shared(&class), &options(None), &mut |name, text| {
        assert!(written.insert(name.to_owned(), text.to_owned()).is_none(), "{name} twice");
    });
    assert_eq!(written.len(), 4);
    for (name, page) in &written {
        for link in values(page, "href") {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                page
            } else {
                written.get(file).unwrap_or_else(|| panic!("{name}: {link}"))
            };
            assert!(id.is_empty() || values(target, "id").contains(&id), "{name}: {link} leads nowhere");
        }
    }
    assert!(written["index.html"].matches("href=\"s-").count() > 8);
}

#[test]
fn a_class_page_that_is_too_long_leaves_findings_out_and_says_so() {
    let class: Vec<SubmissionReport> = (0..1500)
        .map(|index| {
            let mut one = report("xx");
            one.name = index.to_string();
            one.cases.iter_mut().for_each(|case| {
                let finding = case.finding.as_mut().unwrap();
                finding.got = Some(format!("{index}\n").repeat(100));
                finding.expected = Some("x\n".repeat(100));
            });
            one
        })
        .collect();
    let page = page_of(&class, &options(Some(Lang::En)));
    assert!(page.len() < 5_000_000 && page.len() > 3_000_000, "{}", page.len());
    assert!(page.contains("errors are not shown, to keep this page small"));
    let ids: BTreeSet<&str> = values(&page, "id").into_iter().collect();
    assert!(values(&page, "href").iter().all(|link| ids.contains(link.trim_start_matches('#'))));
}
