//! The page of a class, from hand-written reports.

use crate::case::Points;
use crate::event::SubmissionReport;
use crate::messages::Lang;
use crate::report::formats::html::tests::{options, page_of, report};

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
