//! The page of a class: how the points are spread, what many have in common, what each case tells, every submission,
//! and which case fails whom.
//!
//! Every sign of a failed case leads to what shows it: on the submission's own page where there is one, else below, where
//! findings that are the same stand once.

use super::finding::{Sheet, before_all};
use super::markup::Html;
use super::{histogram, sign, statistics, student};
use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::messages::Lang;
use crate::report::syntax;
use crate::report::words::Words;
use std::collections::BTreeMap;

/// Bytes of the findings below the page of a class. What finds no room is left out, and said to be: a folder has it.
const MOST_FINDINGS: usize = 3_000_000;

/// Clusters that are shown.
const MOST_CLUSTERS: usize = 12;

/// Kinds of verdict, for the legend: one verdict of each.
const KINDS: [Verdict; 7] = [
    Verdict::Passed,
    Verdict::WrongValue,
    Verdict::Raised,
    Verdict::TimeLimit,
    Verdict::Crashed,
    Verdict::LoadError,
    Verdict::NotRun,
];

/// The submissions of an exercise that were graded, by the indices of their reports.
struct Group<'r> {
    name: &'r str,
    title: &'r str,
    members: Vec<(usize, &'r SubmissionReport)>,
}

struct Page<'r> {
    reports: &'r [&'r SubmissionReport],
    lang: Lang,
    words: &'r Words,
    /// The name of each submission's page; none where there is only this one.
    pages: Option<&'r [String]>,
    /// The findings below, each with the submissions and cases that have it.
    findings: BTreeMap<(usize, usize), usize>,
}

/// Findings that are the same, and who has them.
struct Shared {
    /// The report and case that it is shown of.
    first: (usize, usize),
    members: Vec<(usize, usize)>,
}

pub(super) fn write(
    html: &mut Html,
    reports: &[&SubmissionReport],
    lang: Lang,
    words: &Words,
    pages: Option<&[String]>,
) {
    let mut page = Page { reports, lang, words, pages, findings: BTreeMap::new() };
    let mut below = Html::default();
    let left_out = if pages.is_none() { page.write_findings(&mut below) } else { 0 };
    let groups = page.groups();
    html.element("header", &[], |html| page.header(html));
    html.element("main", &[("class", "wide")], |html| {
        for group in &groups {
            html.element("section", &[("id", &format!("e-{}", group.id(&groups)))], |html| {
                page.summary(html, group, group.id(&groups));
            });
        }
        page.table(html);
        for group in &groups {
            page.heat_map(html, group, group.id(&groups));
        }
        if below.len() > 0 {
            html.element("section", &[("id", "findings"), ("class", "findings")], |html| {
                html.line("h2", &[], &words.say("html-findings"));
                if left_out > 0 {
                    html.line("p", &[("class", "warning")], &words.count("html-left-out", left_out, &[]));
                }
                html.add(&below);
            });
        }
    });
    html.element("footer", &[], |html| student::footer(html, None, words));
}

impl<'r> Group<'r> {
    /// Its number on the page.
    fn id(&self, groups: &[Group<'_>]) -> usize {
        groups.iter().position(|group| group.name == self.name).unwrap_or(0)
    }

    fn reports(&self) -> Vec<&'r SubmissionReport> {
        self.members.iter().map(|(_, report)| *report).collect()
    }

    /// The cases, as the first submission has them.
    fn cases(&self) -> &'r [CaseReport] {
        self.members.first().map_or(&[], |(_, report)| &report.cases)
    }
}

impl<'r> Page<'r> {
    fn groups(&self) -> Vec<Group<'r>> {
        let mut groups: Vec<Group<'r>> = Vec::new();
        for (index, report) in self.reports.iter().enumerate() {
            let Some(exercise) = report.exercise.as_ref().filter(|_| report.error.is_none()) else {
                continue;
            };
            match groups.iter_mut().find(|group| group.name == exercise.name) {
                Some(group) => group.members.push((index, report)),
                None => groups.push(Group {
                    name: &exercise.name,
                    title: exercise.title.get(self.lang),
                    members: vec![(index, report)],
                }),
            }
        }
        groups
    }

    fn header(&self, html: &mut Html) {
        html.line("h1", &[], &self.words.say("html-class"));
        let passed = self.reports.iter().filter(|report| report.passed()).count().to_string();
        let total = self.reports.len().to_string();
        let line = self.words.with("label-total", &[("passed", &passed), ("total", &total)]);
        html.line("p", &[("class", "score")], &line);
        let ungraded = self.reports.iter().filter(|report| report.error.is_some()).count();
        if ungraded > 0 {
            html.line("p", &[("class", "warning")], &self.words.count("html-ungraded", ungraded, &[]));
        }
        html.element("nav", &[], |html| {
            let mut places = vec![("#submissions", "html-submissions"), ("#heat-0", "html-heat-map")];
            if self.pages.is_none() && !self.findings.is_empty() {
                places.push(("#findings", "html-findings"));
            }
            if self.groups().is_empty() {
                places.retain(|(place, _)| *place != "#heat-0");
            }
            for (index, group) in self.groups().iter().enumerate() {
                html.line("a", &[("href", &format!("#e-{index}"))], group.title);
            }
            for (place, id) in places {
                html.line("a", &[("href", place)], &self.words.say(id));
            }
        });
    }

    /// What an exercise came to: points, clusters and cases.
    fn summary(&self, html: &mut Html, group: &Group<'r>, id: usize) {
        html.line("h2", &[], group.title);
        let points: Vec<Points> = group.members.iter().map(|(_, report)| report.points).collect();
        let most = group.members.iter().map(|(_, report)| report.max_points).max().unwrap_or_default();
        if let Some((mean, median)) = statistics::middle(&points) {
            let (mean, median, most) = (mean.to_string(), median.to_string(), most.to_string());
            let args = [("mean", mean.as_str()), ("median", &median), ("max", &most)];
            html.line("p", &[("class", "quiet")], &self.words.count("html-middle", points.len(), &args));
        }
        html.element("figure", &[("class", "spread")], |html| {
            let label = self.words.say("html-points-spread");
            html.line("figcaption", &[], &label);
            histogram::write(html, &points, most, &label);
        });
        self.clusters(html, group);
        self.cases(html, group, id);
    }

    fn clusters(&self, html: &mut Html, group: &Group<'r>) {
        let clusters = statistics::clusters(&group.members);
        if clusters.is_empty() {
            return;
        }
        html.line("h3", &[], &self.words.say("html-clusters"));
        html.element("ol", &[("class", "clusters")], |html| {
            for members in clusters.iter().take(MOST_CLUSTERS) {
                let Some(report) = members.first().and_then(|index| self.reports.get(*index)) else {
                    continue;
                };
                let Some((at, case)) = statistics::first_failed(report) else { continue };
                html.element("li", &[], |html| {
                    html.line("strong", &[("class", "size")], &members.len().to_string());
                    html.element("div", &[], |html| {
                        let link = members.first().and_then(|index| self.link(*index, at));
                        self.linked(html, link.as_deref(), |html| html.text(&self.sheet(report).title(case)));
                        html.element("p", &[], |html| self.said(html, report, case));
                        html.element("details", &[], |html| {
                            html.line("summary", &[], &self.words.count("html-count", members.len(), &[]));
                            self.names(html, members.iter().map(|index| (*index, at)));
                        });
                    });
                });
            }
        });
        if clusters.len() > MOST_CLUSTERS {
            let more = clusters.len() - MOST_CLUSTERS;
            html.line("p", &[("class", "quiet")], &self.words.count("html-more-clusters", more, &[]));
        }
    }

    /// A verdict and what it comes to.
    fn said(&self, html: &mut Html, report: &SubmissionReport, case: &CaseReport) {
        self.sheet(report).verdict(html, case.verdict);
        if let Some(finding) = &case.finding {
            html.text(" ");
            html.text(&self.words.slip(&finding.slip, syntax(report), finding.expected.as_deref()));
        }
    }

    fn sheet<'s>(&'s self, report: &'s SubmissionReport) -> Sheet<'s> {
        let game = report.exercise.as_ref().map_or("", |exercise| exercise.name.as_str());
        Sheet { words: self.words, lang: self.lang, syntax: syntax(report), game }
    }

    fn cases(&self, html: &mut Html, group: &Group<'r>, id: usize) {
        let items = statistics::items(&group.reports());
        html.line("h3", &[], &self.words.say("html-cases"));
        self.scrolled(html, "html-cases", |html| {
            html.element("table", &[("class", "items")], |html| {
                self.heads(html, &["html-number", "label-case", "html-pass-rate", "html-discrimination"]);
                html.element("tbody", &[], |html| {
                    for (index, (case, item)) in group.cases().iter().zip(&items).enumerate() {
                        html.element("tr", &[("id", &format!("k{id}-{index}"))], |html| {
                            html.line("td", &[("class", "n")], &(index + 1).to_string());
                            html.element("th", &[("scope", "row")], |html| {
                                html.text(case.title.get(self.lang));
                                html.text(" ");
                                html.line("code", &[], &case.name);
                            });
                            html.element("td", &[], |html| rate(html, item.passed, group.members.len()));
                            let value = item.discrimination.map_or("–".to_owned(), signed);
                            let low = item.discrimination.is_some_and(|value| value < 0.1);
                            html.line("td", &[("class", if low { "n low" } else { "n" })], &value);
                        });
                    }
                });
            });
        });
        html.line("p", &[("class", "quiet")], &self.words.say("html-discrimination-is"));
    }

    fn table(&self, html: &mut Html) {
        html.element("section", &[("id", "submissions")], |html| {
            html.line("h2", &[], &self.words.say("html-submissions"));
            self.scrolled(html, "html-submissions", |html| {
                html.element("table", &[("class", "people")], |html| {
                    self.heads(
                        html,
                        &["html-submission", "html-exercise", "label-worth", "label-verdict", "html-first"],
                    );
                    html.element("tbody", &[], |html| {
                        for (index, report) in self.reports.iter().enumerate() {
                            html.element("tr", &[("id", &format!("s{index}"))], |html| {
                                self.row(html, index, report)
                            });
                            html.end_line();
                        }
                    });
                });
            });
        });
    }

    fn row(&self, html: &mut Html, index: usize, report: &SubmissionReport) {
        html.element("th", &[("scope", "row")], |html| {
            let page = self.pages.and_then(|pages| pages.get(index)).map(String::as_str);
            self.linked(html, page, |html| html.text(&report.name));
        });
        let title = report.exercise.as_ref().map_or("–", |exercise| exercise.title.get(self.lang));
        html.line("td", &[], title);
        if let Some(why) = report.error.as_ref().map(|error| self.words.error(error)) {
            html.line("td", &[("class", "n")], "–");
            html.line("td", &[], &self.words.say("label-error"));
            html.line("td", &[], &why);
            return;
        }
        html.line("td", &[("class", "n")], &format!("{}/{}", report.points, report.max_points));
        let Some((at, case)) = statistics::first_failed(report) else {
            html.element("td", &[], |html| self.sheet(report).verdict(html, Verdict::Passed));
            html.line("td", &[], "");
            return;
        };
        html.element("td", &[], |html| self.sheet(report).verdict(html, case.verdict));
        html.element("td", &[], |html| {
            let link = self.link(index, at);
            self.linked(html, link.as_deref(), |html| html.text(&self.sheet(report).title(case)));
            if let Some(finding) = &case.finding {
                html.text(": ");
                html.text(&self.words.slip(&finding.slip, syntax(report), finding.expected.as_deref()));
            }
        });
    }

    /// Submissions by their points and cases by how many pass them, the weakest and the hardest first: what is unusual
    /// stands alone. Who passed everything is counted, not shown.
    fn heat_map(&self, html: &mut Html, group: &Group<'r>, id: usize) {
        let items = statistics::items(&group.reports());
        let mut columns: Vec<usize> = (0..items.len()).collect();
        columns.sort_by_key(|index| (items[*index].passed, *index));
        let mut rows = group.members.clone();
        rows.retain(|(_, report)| statistics::first_failed(report).is_some());
        rows.sort_by_key(|(index, report)| (report.points, *index));
        let left_out = group.members.len() - rows.len();
        html.element("section", &[("id", &format!("heat-{id}"))], |html| {
            html.line("h2", &[], &format!("{} · {}", self.words.say("html-heat-map"), group.title));
            if left_out > 0 {
                html.line("p", &[("class", "quiet")], &self.words.count("html-all-passed", left_out, &[]));
            }
            if rows.is_empty() {
                return;
            }
            self.legend(html);
            self.scrolled(html, "html-heat-map", |html| {
                html.element("table", &[("class", "heat")], |html| {
                    html.element("thead", &[], |html| {
                        html.element("tr", &[], |html| {
                            html.line("td", &[], "");
                            for index in &columns {
                                let title = group.cases()[*index].title.get(self.lang);
                                html.element("th", &[("scope", "col"), ("title", title)], |html| {
                                    let place = format!("#k{id}-{index}");
                                    html.line("a", &[("href", &place)], &(index + 1).to_string());
                                });
                            }
                        });
                    });
                    html.element("tbody", &[], |html| {
                        for (index, report) in rows {
                            html.element("tr", &[], |html| {
                                html.element("th", &[("scope", "row"), ("title", &report.name)], |html| {
                                    let own = format!("#s{index}");
                                    let page = self.pages.and_then(|pages| pages.get(index));
                                    let page = page.map_or(own.as_str(), String::as_str);
                                    self.linked(html, Some(page), |html| html.text(&report.name));
                                });
                                for column in &columns {
                                    self.cell(html, index, report, *column);
                                }
                            });
                            html.end_line();
                        }
                    });
                });
            });
        });
    }

    fn cell(&self, html: &mut Html, index: usize, report: &SubmissionReport, column: usize) {
        match report.cases.get(column) {
            None => html.line("td", &[], ""),
            // Nearly all cells of a class are like this: the shortest there is.
            Some(case) if case.verdict == Verdict::Passed => html.line("td", &[], "·"),
            Some(case) => {
                let (sign, class) = sign::of(case.verdict);
                let verdict = self.words.verdict(case.verdict);
                let title = format!("{}: {verdict}", case.title.get(self.lang));
                html.element("td", &[("class", class), ("title", &title)], |html| {
                    let link = self.link(index, column);
                    self.linked(html, link.as_deref(), |html| html.text(sign));
                });
            }
        }
    }

    fn legend(&self, html: &mut Html) {
        html.element("ul", &[("class", "legend")], |html| {
            for verdict in KINDS {
                let (sign, class) = sign::of(verdict);
                let sign = if verdict == Verdict::Passed { "·" } else { sign };
                html.element("li", &[], |html| {
                    html.line("span", &[("class", &format!("key {class}"))], sign);
                    html.text(&self.words.say(match verdict {
                        Verdict::Passed => "verdict-passed",
                        Verdict::Raised => "verdict-raised",
                        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => "html-limit",
                        Verdict::Crashed | Verdict::ProtocolViolation => "verdict-crashed",
                        Verdict::LoadError => "verdict-load-error",
                        Verdict::NotRun => "verdict-not-run",
                        Verdict::Failed
                        | Verdict::WrongValue
                        | Verdict::WrongText
                        | Verdict::WrongOutput
                        | Verdict::DidNotRaise => "html-wrong",
                    }));
                });
            }
        });
    }

    /// Where what a failed case shows stands; none where it found no room.
    fn link(&self, index: usize, case: usize) -> Option<String> {
        match self.pages {
            Some(pages) => {
                let at = student::target(self.reports.get(index)?, case);
                Some(format!("{}#c{at}", pages.get(index)?))
            }
            None => self.findings.get(&(index, case)).map(|finding| format!("#f{finding}")),
        }
    }

    fn linked(&self, html: &mut Html, link: Option<&str>, inside: impl FnOnce(&mut Html)) {
        match link {
            Some(link) => html.element("a", &[("href", link)], inside),
            None => inside(html),
        }
    }

    fn names(&self, html: &mut Html, members: impl Iterator<Item = (usize, usize)>) {
        html.element("ul", &[("class", "names")], |html| {
            for (index, case) in members {
                let Some(report) = self.reports.get(index) else { continue };
                let own = format!("#s{index}");
                let link = self.pages.and_then(|_| self.link(index, case)).unwrap_or(own);
                html.element("li", &[], |html| html.line("a", &[("href", &link)], &report.name));
            }
        });
    }

    /// Room that scrolls by itself where it is too narrow.
    fn scrolled(&self, html: &mut Html, label: &str, inside: impl FnOnce(&mut Html)) {
        let label = self.words.say(label);
        let attributes =
            [("class", "scroll"), ("role", "region"), ("aria-label", label.as_str()), ("tabindex", "0")];
        html.element("div", &attributes, inside);
    }

    fn heads(&self, html: &mut Html, ids: &[&str]) {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                for id in ids {
                    html.line("th", &[("scope", "col")], &self.words.say(id));
                }
            });
        });
    }

    /// Writes each finding once, those that most have first, and gives the number of those that found no room.
    fn write_findings(&mut self, html: &mut Html) -> usize {
        let mut shared: Vec<Shared> = shared(self.reports);
        shared.sort_by_key(|shared| (std::cmp::Reverse(shared.members.len()), shared.first));
        let mut left_out = 0;
        for (number, shared) in shared.iter().enumerate() {
            let mut one = Html::default();
            let (index, at) = shared.first;
            let Some(report) = self.reports.get(index) else { continue };
            let Some(case) = report.cases.get(at) else { continue };
            self.finding(&mut one, number, report, case, shared);
            if html.len() + one.len() > MOST_FINDINGS {
                left_out += 1;
                continue;
            }
            html.add(&one);
            html.end_line();
            self.findings.extend(shared.members.iter().map(|member| (*member, number)));
        }
        left_out
    }

    fn finding(
        &self,
        html: &mut Html,
        number: usize,
        report: &SubmissionReport,
        case: &CaseReport,
        shared: &Shared,
    ) {
        let sheet = self.sheet(report);
        html.element("article", &[("id", &format!("f{number}"))], |html| {
            html.line("h3", &[], &sheet.title(case));
            html.element("p", &[("class", "facts")], |html| {
                sheet.verdict(html, case.verdict);
                if let Some(exercise) = &report.exercise {
                    html.line("span", &[], exercise.title.get(self.lang));
                }
                if before_all(case).is_none() {
                    html.line("code", &[], &case.name);
                }
            });
            sheet.body(html, case);
            let mut who: Vec<(usize, usize)> = shared.members.clone();
            who.dedup_by_key(|(index, _)| *index);
            html.element("details", &[], |html| {
                html.line("summary", &[], &self.words.count("html-count", who.len(), &[]));
                self.names(html, who.into_iter());
            });
        });
    }
}

/// The findings of all, each once: of the same case, or of any where it failed before the first step.
fn shared(reports: &[&SubmissionReport]) -> Vec<Shared> {
    let mut found: BTreeMap<String, Shared> = BTreeMap::new();
    for (index, report) in reports.iter().enumerate() {
        let exercise = report.exercise.as_ref().map(|exercise| &exercise.name);
        for (at, case) in report.cases.iter().enumerate().filter(|(_, case)| case.verdict != Verdict::Passed)
        {
            let what = case.finding.as_deref().map(|finding| {
                let sides = (&finding.expected, &finding.got, &finding.printed, finding.session.last());
                (finding.verdict, finding.step, &finding.slip, &finding.exception, sides)
            });
            let place = case.finding.as_ref().is_none_or(|finding| finding.step > 0).then_some(at);
            let key = format!("{exercise:?} {place:?} {:?} {what:?} {:?}", syntax(report), case.trials);
            let shared = found.entry(key);
            shared
                .or_insert_with(|| Shared { first: (index, at), members: Vec::new() })
                .members
                .push((index, at));
        }
    }
    found.into_values().collect()
}

/// How many passed, as a bar and a share.
fn rate(html: &mut Html, passed: usize, of: usize) {
    let share = passed as f64 / of.max(1) as f64;
    let attributes = [("class", "rate"), ("viewBox", "0 0 80 10"), ("aria-hidden", "true")];
    html.element("svg", &attributes, |svg| {
        svg.shape("rect", "rest", &[("width", 80.0), ("height", 10.0), ("rx", 2.0)]);
        svg.shape("rect", "earned", &[("width", 80.0 * share), ("height", 10.0), ("rx", 2.0)]);
    });
    html.text(" ");
    html.number(format!("{:.0} %", 100.0 * share));
}

/// A correlation with its sign.
fn signed(value: f64) -> String {
    let text = format!("{value:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text.replace('-', "−") }
}
