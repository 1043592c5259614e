//! Pages from hand-written reports: their links and their content.

use super::FORMAT;
use crate::case::{CasePlace, Points, StepNo};
use crate::compare::{LoadMistake, Mistake, RaiseMistake, TextMistake, Verdict};
use crate::event::{
    ByHand, CaseReport, ExceptionReport, ExerciseInfo, Finding, HandIn, Place, RunError, SessionLine,
    SubmissionReport, Warning,
};
use crate::messages::{Lang, LocalText};
use crate::report::{Audience, Options, Scope};
use crate::value::SourceFile;
use std::collections::BTreeSet;
use std::sync::Arc;

fn line(step: Option<StepNo>, text: &str, gave: &str) -> SessionLine {
    SessionLine { step, text: text.to_owned(), gave: gave.to_owned() }
}

/// A submission for Quixo, one character per case: `.` passed, `x` failed.
pub(super) fn report(outcomes: &str) -> SubmissionReport {
    let case = |(index, outcome): (usize, char)| {
        let failed = outcome == 'x';
        let finding = Finding {
            verdict: Verdict::WrongText,
            step: StepNo::new(2),
            mistake: Mistake::Text(TextMistake::Unexpected),
            session: vec![line(None, ">>> from q import Quixo", ""), line(None, ">>> print(q)", "")],
            expected: Some("X-\nOX".to_owned()),
            got: Some("XO\nOX".to_owned()),
            exception: None,
            printed: None,
            errors: None,
            place: CasePlace { path: "case.toml".to_owned(), line: 1 },
            call: None,
            returns_errors: false,
        };
        let title = LocalText::Plain(format!("Case {index}"));
        CaseReport {
            points: if failed { Points::ZERO } else { Points::ONE },
            verdict: if failed { Verdict::WrongText } else { Verdict::Passed },
            finding: failed.then(|| Box::new(finding)),
            ..CaseReport::not_run(format!("case_{index}"), title, Points::ONE)
        }
    };
    let cases: Vec<CaseReport> = outcomes.chars().enumerate().map(case).collect();
    SubmissionReport {
        exercise: Some(ExerciseInfo {
            name: "quixo".to_owned(),
            title: LocalText::Plain("Quixo".to_owned()),
            lang: Lang::Nl,
            has_groups: false,
        }),
        points: cases.iter().map(|case| case.points).sum(),
        max_points: cases.iter().map(|case| case.max_points).sum(),
        cases,
        ..SubmissionReport::new(format!("s{outcomes}"), "")
    }
}

pub(super) fn options(lang: Option<Lang>) -> Options {
    Options { lang, scope: Scope::Many, ..Options::default() }
}

fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let start = format!(" {attribute}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn shared(reports: &[SubmissionReport]) -> Vec<Arc<SubmissionReport>> {
    reports.iter().cloned().map(Arc::new).collect()
}

pub(super) fn page_of(reports: &[SubmissionReport], options: &Options) -> String {
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
    let failing = "<code class=\"failing\"><span class=\"prompt\">&gt;&gt;&gt; </span>print(q)</code>";
    assert!(page.contains(failing), "{page}");
}

#[test]
fn a_warning_stands_after_the_findings() {
    let mut warned = report("x");
    warned.warnings = vec![Warning::OverTime(1)];
    let html = page_of(&[warned], &options(Some(Lang::En)));
    assert!(html.find("<article").unwrap() < html.find("class=\"warning\"").unwrap(), "{html}");
}

#[test]
fn a_session_shows_what_each_line_gave_and_folds_what_is_long() {
    let mut one = report("x");
    let finding = one.cases[0].finding.as_mut().unwrap();
    finding.session.insert(1, line(StepNo::new(1), ">>> q.play()", "<q>\nX-"));
    finding.session[2].step = StepNo::new(2);
    let page = page_of(&[one.clone()], &options(Some(Lang::En)));
    let calls =
        "<code><span class=\"step\">1</span><span class=\"prompt\">&gt;&gt;&gt; </span>q.play()</code>
<samp>&lt;q&gt;\nX-\n</samp><code class=\"failing\"><span class=\"step\">2</span>";
    assert!(page.contains(calls), "{page}");
    one.cases[0].finding.as_mut().unwrap().session[1].gave = "line\n".repeat(20);
    let page = page_of(&[one], &options(Some(Lang::En)));
    let folded = format!("<summary>… 14 more lines</summary><samp>{}</samp></details>", "line\n".repeat(14));
    assert!(page.contains(&folded), "{page}");
}

#[test]
fn the_sides_stack_on_a_phone_if_they_do_not_fit_beside_each_other() {
    let class = |expected: &str, got: &str| {
        let mut one = report("x");
        let finding = one.cases[0].finding.as_mut().unwrap();
        (finding.expected, finding.got) = (Some(expected.to_owned()), Some(got.to_owned()));
        let page = page_of(&[one], &options(None));
        values(&page, "class").into_iter().find(|class| class.starts_with("diff")).unwrap().to_owned()
    };
    assert_eq!(class(&"a".repeat(14), &"b".repeat(14)), "diff");
    assert_eq!(class(&"a".repeat(15), &"b".repeat(14)), "diff stacks");
    assert_eq!(class("a", &"b".repeat(33)), "diff long stacks");
}

/// A report of these outcomes, whose failed cases raised at a line of the file, each for its own reason.
fn raising(outcomes: &str, text: &str, line: usize) -> SubmissionReport {
    let mut report = report(outcomes);
    report.sources =
        vec![SourceFile { name: "q.py".to_owned(), bytes: text.as_bytes().into(), ..SourceFile::default() }];
    let place = |line| Place {
        file: "q.py".to_owned(),
        cell: None,
        line,
        function: String::new(),
        source: String::new(),
    };
    for case in &mut report.cases {
        let Some(finding) = &mut case.finding else { continue };
        let places = vec![place(1), place(line)];
        finding.exception = Some(ExceptionReport { text: "ValueError: <no>".to_owned(), places });
        finding.mistake = Mistake::Text(TextMistake::NoText { kind: case.name.clone() });
    }
    report
}

#[test]
fn a_line_that_raised_is_marked_and_the_finding_and_the_line_link_to_each_other() {
    let one = raising("xx.", "\u{feff}play()\n\n\tif x < 1: raise\r\nend\n", 3);
    let page = page_of(&[one], &options(Some(Lang::En)));
    let source = "<ol class=\"source\" tabindex=\"0\"><li class=\"passing-by\" id=\"l0-1\">play()</li>
<li></li>
<li class=\"failing\" id=\"l0-3\">⇥   if x &lt; 1: raise<span class=\"note\">\
        <strong>ValueError: &lt;no&gt;</strong> · <a href=\"#c0\">Case 0</a> · <a href=\"#c1\">Case 1</a></span></li>
<li>end</li>
</ol>";
    assert!(page.contains(source), "{page}");
    assert!(page.contains("<details open=\"\">") && page.contains("href=\"#source\""), "{page}");
    assert_eq!(page.matches("<a href=\"#l0-3\">in q.py, line 3</a>").count(), 2, "{page}");
}

#[test]
fn cases_with_one_cause_are_shown_once() {
    let mut one = raising("x.x", "a\nb\n", 2);
    one.cases.iter_mut().filter_map(|case| case.finding.as_mut()).for_each(|finding| {
        finding.mistake = Mistake::Raise(RaiseMistake::Unexpected);
    });
    let page = page_of(&[one.clone()], &options(Some(Lang::En)));
    assert_eq!((page.matches("<article").count(), page.matches("href=\"#c0\">✗").count()), (1, 2), "{page}");
    let folded = "<summary>probably also in 1 other case</summary><details><summary>Case 2</summary>";
    assert!(page.contains(folded), "{page}");
    let mut pages = Vec::new();
    FORMAT.pages(&shared(&[one.clone(), one]), &options(None), &mut |_, text| pages.push(text.to_owned()));
    assert_eq!(pages[0].matches(".html#c0\">✗</a>").count(), 4, "{}", pages[0]);
}

#[test]
fn a_case_that_was_not_run_is_listed_and_is_not_called_hidden() {
    let mut one = report(".x");
    let case = &mut one.cases[1];
    (case.verdict, case.finding) = (Verdict::NotRun, None);
    let page = page_of(&[one], &options(Some(Lang::En)));
    assert!(page.contains("<h2>not run</h2><ul class=\"cases\"><li id=\"c1\">"), "{page}");
    assert!(!page.contains("this case is hidden"), "{page}");
}

#[test]
fn a_long_file_is_shown_at_its_start_and_around_marked_lines() {
    let text: String = (1..=2000).map(|line| format!("<{line}>\n")).collect();
    let page = page_of(&[raising("x", &text, 1500)], &options(Some(Lang::En)));
    let has = |line: usize| page.contains(&format!("&lt;{line}&gt;"));
    assert!(has(1) && has(400) && !has(401), "{page}");
    assert!(!has(1494) && has(1495) && has(1505) && !has(1506), "{page}");
    let gaps = "<li class=\"gap\">… 1094 more lines</li><li value=\"1495\">&lt;1495&gt;</li>";
    assert!(page.contains(gaps) && page.contains("<li class=\"gap\">… 495 more lines</li></ol>"), "{page}");
}

#[test]
fn a_line_that_is_not_shown_is_not_linked_to() {
    for (name, text, line) in
        [("q.py", "a\n", 2), ("q.py", "a\0\n", 1), ("p.py", "a\n", 1), ("q.py", "a\n", 0)]
    {
        let mut one = raising("x", text, line);
        one.sources[0].name = name.to_owned();
        one.cases[0].finding.as_mut().unwrap().exception.as_mut().unwrap().places.remove(0);
        let page = page_of(&[one], &options(Some(Lang::En)));
        assert!(!page.contains("#l0") && !page.contains("<details open=\"\">"), "{page}");
        assert_eq!(page.contains("id=\"source\""), !text.contains('\0'), "{page}");
    }
}

#[test]
fn a_hidden_case_marks_no_line_for_a_student() {
    let mut one = raising("x.x", "a\nb\n", 2);
    one.cases[2].hidden = true;
    let seen_by = |one: &SubmissionReport, audience| {
        page_of(std::slice::from_ref(one), &Options { audience, ..options(Some(Lang::En)) })
    };
    let note = "· <a href=\"#c2\">Case 2</a></span>";
    assert!(seen_by(&one, Audience::Instructor).contains(note));
    assert!(!seen_by(&one, Audience::Student).contains(note));
    one.cases[0] = one.cases[1].clone();
    let page = seen_by(&one, Audience::Student);
    assert!(!page.contains("id=\"l0-") && page.contains("<li>b</li>"), "{page}");
}

#[test]
fn the_class_table_names_the_exercises_if_there_are_several() {
    let mut class = ["x.", ".."].map(report);
    let has = |class: &[SubmissionReport]| page_of(class, &options(None)).contains("<td class=\"exercise\">");
    assert!(!has(&class));
    class[1].exercise.as_mut().unwrap().name = "codenames".to_owned();
    assert!(has(&class));
}

#[test]
fn groups_that_are_not_among_the_largest_are_folded() {
    let class: Vec<SubmissionReport> = (0..28)
        .map(|index| {
            let mut one = report("x");
            one.cases[0].finding.as_mut().unwrap().got = Some(format!("{}", index / 2));
            one
        })
        .collect();
    let page = page_of(&class, &options(Some(Lang::En)));
    let (shown, folded) = page.split_once("<summary>and 2 more groups</summary>").unwrap();
    let groups = |html: &str| html.matches("<strong class=\"size\">2</strong>").count();
    assert_eq!((groups(shown), groups(folded)), (12, 2), "{page}");
}

#[test]
fn a_case_whose_finding_was_taken_away_says_that_it_failed_and_its_hint() {
    let mut hidden = report("x");
    hidden.cases[0].finding = None;
    hidden.cases[0].verdict = Verdict::Failed;
    hidden.cases[0].hidden = true;
    hidden.cases[0].hint = Some(Arc::new(LocalText::Plain("Look at the edges.".to_owned())));
    let page = page_of(&[hidden.clone()], &options(Some(Lang::En)));
    for says in ["this case is hidden", "failed", "0 of 1 points", "Look at the edges.", "Case 0"] {
        assert!(page.contains(says), "{says}: {page}");
    }
    let class = page_of(&[hidden.clone(), report("."), hidden], &options(Some(Lang::En)));
    assert!(class.contains("this case is hidden"), "{class}");
}

#[test]
fn failures_before_the_first_step_stand_once() {
    let mut broken = report("xxx");
    for case in &mut broken.cases {
        case.verdict = Verdict::LoadError;
        case.hint = Some(Arc::new(LocalText::Plain("A hint of one case.".to_owned())));
        let finding = case.finding.as_mut().unwrap();
        (finding.verdict, finding.step, finding.mistake) =
            (Verdict::LoadError, None, Mistake::Load(LoadMistake::Syntax));
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
            step: None,
            mistake: Mistake::Load(LoadMistake::Loading),
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

/// A class in which the first two submissions are the same.
fn class() -> Vec<SubmissionReport> {
    let mut class: Vec<SubmissionReport> = ["..x.", "..x.", "..xx", "....", "...."].map(report).into();
    let names = ["An", "Bo", "Cem", "Dag", "Els"];
    for (report, name) in class.iter_mut().zip(names) {
        report.name = name.to_owned();
        report.hand_in = Some(Box::default());
    }
    let same = |name: &str| Some(Box::new(HandIn { same: vec![name.to_owned()], ..HandIn::default() }));
    class[0].hand_in = same("Bo");
    class[1].hand_in = same("An");
    class[4].error = Some(RunError::NotHandedIn);
    class
}

#[test]
fn submissions_that_are_the_same_are_listed_together() {
    let page = page_of(&class(), &options(Some(Lang::En)));
    let (_, same) = page.split_once("<h2>Identical submissions").unwrap();
    let (same, _) = same.split_once("</section>").unwrap();
    assert!(same.contains("<strong class=\"size\">2</strong><ul class=\"names\">"), "{same}");
    assert!(same.contains("<a href=\"#s1\">Bo</a>") && !same.contains(">Cem<"), "{same}");
    let student = Options { audience: Audience::Student, ..options(Some(Lang::En)) };
    assert!(!page_of(&class(), &student).contains("Identical"));
}

/// The part of a class's page about submissions that are the same, where each of `pairs` has a report that
/// names another.
fn same_of(pairs: &[(&str, &str)]) -> String {
    let names: BTreeSet<&str> = pairs.iter().flat_map(|(name, other)| [*name, *other]).collect();
    let class: Vec<SubmissionReport> = names
        .into_iter()
        .map(|name| {
            let others = pairs.iter().filter(|(from, _)| *from == name);
            let same = others.map(|(_, other)| (*other).to_owned()).collect();
            let hand_in = Some(Box::new(HandIn { same, ..HandIn::default() }));
            SubmissionReport { name: name.to_owned(), hand_in, ..report("..") }
        })
        .collect();
    let page = page_of(&class, &options(Some(Lang::En)));
    let (_, same) = page.split_once("<h2>Identical submissions").unwrap();
    same.split_once("</section>").unwrap().0.to_owned()
}

#[test]
fn submissions_that_name_each_other_through_others_are_one_group_and_the_largest_is_first() {
    let same = same_of(&[("An", "Bo"), ("Cem", "Dag"), ("Dag", "Els")]);
    let sizes: Vec<&str> = same.split("<strong class=\"size\">").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(sizes, ["3", "2"], "{same}");
    let (first, second) = same.split_once("</li></ul>").unwrap();
    for (group, name) in [(first, "Cem"), (first, "Dag"), (first, "Els"), (second, "An"), (second, "Bo")] {
        assert!(group.contains(&format!(">{name}</a>")), "{name}: {same}");
    }
}

#[test]
fn groups_of_the_same_are_folded_after_twelve() {
    let names: Vec<String> = (10..36).map(|index| format!("s{index}")).collect();
    let pairs: Vec<(&str, &str)> = names.chunks(2).map(|pair| (&*pair[0], &*pair[1])).collect();
    assert!(!same_of(&pairs[..12]).contains("<details>"));
    let same = same_of(&pairs);
    let (first, folded) = same.split_once("<details>").unwrap();
    assert_eq!((first.matches("size").count(), folded.matches("size").count()), (12, 1), "{same}");
}

#[test]
fn students_without_a_submission_are_named_and_count_nowhere() {
    let page = page_of(&class(), &options(Some(Lang::En)));
    assert!(page.contains("1 of 4 submissions passed all cases"), "{page}");
    assert!(
        page.contains("<summary>nothing handed in</summary><ul class=\"names\"><li><a href=\"#s4\">Els</a>")
    );
    assert!(page.contains("4 submissions · mean 3, median 3 of 4 points"), "{page}");
    // The row of the heat map would link to the row of the table once more.
    assert_eq!(page.matches("href=\"#s4\"").count(), 1, "{page}");
}

#[test]
fn points_set_by_hand_show_their_reason_also_where_nothing_was_graded() {
    let mut class = class();
    let by_hand = ByHand { points: Points::ONE, why: "on <paper>".to_owned() };
    (class[4].points, class[4].max_points) = (by_hand.points, Points::from_hundredths(400));
    class[4].hand_in.as_mut().unwrap().by_hand = Some(by_hand);
    let page = page_of(&class, &options(Some(Lang::En)));
    let row = "<td class=\"n\" data-key=\"100\">1/4</td><td class=\"adjusted\" \
        title=\"set by an instructor to 1 of 4 points: on &lt;paper&gt;\">set by hand: on &lt;paper&gt;</td>";
    assert!(page.contains(row), "{page}");
    let own = page_of(&class[4..], &options(Some(Lang::En)));
    assert!(own.contains("<li>set by an instructor to 1 of 4 points: on &lt;paper&gt;</li>"), "{own}");
}

#[test]
fn only_the_class_page_has_a_script_and_its_policy_names_it() {
    let page = page_of(&class(), &options(None));
    assert_eq!(page.matches("<script>").count(), 1, "{page}");
    assert!(page.contains("script-src &#39;sha256-"), "{page}");
    // The one of the filter, which is hidden without the script.
    assert_eq!(page.matches("<button").count(), 1, "{page}");
    let own = page_of(&class()[..1], &options(None));
    assert!(!own.contains("script"), "{own}");
}
