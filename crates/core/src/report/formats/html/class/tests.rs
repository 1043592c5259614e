//! The page of a class, from hand-written reports.

use crate::case::Points;
use crate::compare::{Mistake, RaiseMistake, Verdict};
use crate::event::{ExceptionReport, HandIn, Late, Place, RunError, SubmissionReport};
use crate::messages::Lang;
use crate::report::formats::html::tests::{options, page_of, report};

/// A submission that raised in its only failed case, at this line of this function.
fn raising(function: &str, line: usize) -> SubmissionReport {
    let mut report = report("x.");
    let case = &mut report.cases[0];
    case.verdict = Verdict::Raised;
    let finding = case.finding.as_mut().unwrap();
    (finding.verdict, finding.mistake) = (Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected));
    let place = Place {
        file: "q.py".to_owned(),
        line,
        function: function.to_owned(),
        source: String::new(),
        cell: None,
    };
    finding.exception =
        Some(ExceptionReport { text: "IndexError: list index out of range".to_owned(), places: vec![place] });
    report
}

#[track_caller]
fn check_group(places: &[(&str, usize)], lang: Lang, title: &str) {
    let class: Vec<SubmissionReport> =
        places.iter().map(|(function, line)| raising(function, *line)).collect();
    let page = page_of(&class, &options(Some(lang)));
    assert!(page.contains(&format!("<a href=\"#f0\">{title}</a><p><span class=\"verdict v-r\">")), "{page}");
}

#[test]
fn a_group_names_the_exception_and_the_place_where_all_of_it_raised() {
    check_group(&[("turn", 12), ("turn", 12)], Lang::En, "IndexError in turn, line 12");
    check_group(&[("turn", 12), ("turn", 12)], Lang::Nl, "IndexError in turn, regel 12");
    check_group(&[("turn", 12), ("turn", 14)], Lang::Da, "IndexError i turn");
    check_group(&[("turn", 12), ("move", 12)], Lang::En, "IndexError");
    check_group(&[("", 12), ("", 12)], Lang::En, "IndexError");
}

#[test]
fn numbers_have_the_decimal_mark_of_the_language() {
    let mut class: Vec<SubmissionReport> = ["....", "..x.", "xx.x", "xxxx", "xxxx"].map(report).into();
    for report in &mut class {
        report.max_points = Points::from_hundredths(450);
    }
    class[0].points = Points::from_hundredths(275);
    let shown = |lang, number: &str| page_of(&class, &options(Some(lang))).contains(number);
    for (english, dutch) in [(">2.75/4.5<", ">2,75/4,5<"), (">+0.91<", ">+0,91<"), (">0.45<", ">0,45<")] {
        assert!(shown(Lang::En, english) && !shown(Lang::En, dutch), "{english}");
        assert!(shown(Lang::Nl, dutch) && !shown(Lang::Nl, english), "{dutch}");
        assert!(shown(Lang::Da, dutch) && !shown(Lang::Da, english), "{dutch}");
    }
}

#[test]
fn names_sort_by_last_name_if_it_is_known() {
    let class = ["An De Smet", "Bo"].map(|name| SubmissionReport { name: name.to_owned(), ..report("..") });
    let known = Box::new(HandIn { last_name: Some("De Smet".to_owned()), ..HandIn::default() });
    let [an, bo] = class;
    let page = page_of(&[SubmissionReport { hand_in: Some(known), ..an }, bo], &options(None));
    assert!(page.contains("data-key=\"De Smet An De Smet\">An De Smet</th>"), "{page}");
    assert!(page.contains("<th scope=\"row\" title=\"Bo\">Bo</th>"), "{page}");
}

#[test]
fn each_row_has_what_the_filter_looks_at() {
    let mut class: Vec<SubmissionReport> = ["....", ".x.x", "...."].map(report).into();
    class[0].hand_in = Some(Box::default());
    let late = Some(Late { by: None, lost: Points::ZERO });
    class[1].hand_in = Some(Box::new(HandIn { late, ..HandIn::default() }));
    class[2].error = Some(RunError::NotHandedIn);
    let page = page_of(&class, &options(Some(Lang::En)));
    for row in [
        "<tr id=\"s0\" data-verdict=\"passed\" data-state=\"graded\" data-late=\"in time\" data-case=\"\">",
        "<tr id=\"s1\" data-verdict=\"wrong text\" data-state=\"graded\" data-late=\"late\" data-case=\"0-1|0-3\">",
        "<tr id=\"s2\" data-state=\"nothing handed in\" data-case=\"\">",
        "<div class=\"filter\" role=\"search\" hidden>",
        "<option value=\"0-3\">4 · Case 3</option>",
    ] {
        assert!(page.contains(row), "{row}: {page}");
    }
    for name in ["name", "verdict", "state", "late", "case"] {
        assert!(page.contains(&format!(" name=\"{name}\"")), "{name}: {page}");
    }
}

#[test]
fn a_filter_that_cannot_choose_is_left_out() {
    let page = page_of(&["..", ".."].map(report), &options(Some(Lang::En)));
    for name in ["verdict", "state", "late"] {
        assert!(!page.contains(&format!("<select name=\"{name}\"")), "{name}: {page}");
    }
}

#[test]
fn the_table_is_at_the_top_and_what_is_long_is_folded_below() {
    let page = page_of(&["x.", ".."].map(report), &options(Some(Lang::En)));
    let parts = [
        "<section id=\"submissions\">",
        "<section id=\"e-0\">",
        "<details class=\"part\" id=\"cases-0\">",
        "<details class=\"part\" id=\"heat-0\">",
        "<details class=\"part\" id=\"findings\">",
    ];
    let places = parts.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}")));
    assert!(places.is_sorted(), "{places:?}");
}
