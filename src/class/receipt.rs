//! A receipt: what was graded, with what, and the grades, as a text that can be signed and checked later.
//!
//! It covers everything that a report, a sheet or a page of a class is made from: the settings, the cases,
//! the files of the submissions, and all of the database ([`Recorded`]). The grades and the results of the
//! cases stand in it for people, and show a keur that computes something else.

use super::recorded::{Recorded, RecordedStudent, RecordedValue};
use keur_core::event::SubmissionReport;
use keur_core::named::Named;
use keur_core::report::formats::json;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of receipts.
const VERSION: u64 = 3;

/// The grade of a student of whom reports say nothing: not on the roster, and nothing handed in.
const UNREPORTED: &str = "not in reports";

/// The content of a receipt. The same class gives the same receipt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The version of this shape.
    pub version: u64,
    /// The title of the class; empty if it has none of its own but the name of its folder.
    pub title: String,
    /// The digest of `class.toml`.
    pub settings: String,
    /// The digest of all files in `cases/`, with their names.
    pub cases: String,
    /// The digest of the judge of each language: keur, the interpreter, limits and so on.
    pub judges: BTreeMap<String, String>,
    /// The digest of each row of the database that is of no student, by its table and what names it.
    pub rows: BTreeMap<String, String>,
    /// The students, by name.
    pub students: BTreeMap<String, ReceiptRow>,
}

/// The row of a student.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptRow {
    /// The grade, as `12.5/20`, else why there is none.
    pub grade: String,
    /// The points that the cases earn, if they are not the grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earned: Option<String>,
    /// The digest of the submission's files, as they lie in the class; `None` if nothing was handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The verdict and the points of each case, as `passed 3/3`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cases: BTreeMap<String, String>,
    /// The values of the student in the database, such as `student email`: see [`RecordedStudent::values`].
    pub values: BTreeMap<String, RecordedValue>,
    /// The digest of the rows about the submissions, by table: the verdicts with all that was found, and what
    /// gradings differed on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub graded: BTreeMap<String, String>,
}

/// The version of a receipt, whatever else is in it.
#[derive(Deserialize)]
struct ReceiptVersion {
    version: u64,
}

impl Receipt {
    /// A receipt without students.
    pub fn new(title: String, settings: String, cases: String, judges: BTreeMap<String, String>) -> Receipt {
        Receipt { version: VERSION, title, settings, cases, judges, ..Receipt::default() }
    }

    /// Adds what the database has. Students of whom there was no report are added too.
    pub fn record(&mut self, recorded: Recorded) {
        self.rows = recorded.others;
        for (name, RecordedStudent { values, graded }) in recorded.students {
            let unreported = || ReceiptRow { grade: UNREPORTED.to_owned(), ..ReceiptRow::default() };
            let row = self.students.entry(name).or_insert_with(unreported);
            (row.values, row.graded) = (values, graded);
        }
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// The text is no receipt: a sentence that says why.
    pub fn parse(text: &str) -> Result<Receipt, String> {
        let wrong = |error: serde_json::Error| format!("is not a receipt: {error}");
        match serde_json::from_str(text).map_err(wrong)? {
            ReceiptVersion { version: VERSION } => serde_json::from_str(text).map_err(wrong),
            ReceiptVersion { version } if version < VERSION => Err(format!(
                "is a receipt of version {version}, by an older keur, which did not cover all that reports are made from; check \
                 it with that keur, or sign the report again with this one"
            )),
            ReceiptVersion { version } => Err(format!(
                "is a receipt of version {version}, by a newer keur, and this one reads {VERSION}; check it with that keur"
            )),
        }
    }

    /// The text of the receipt.
    pub fn text(&self) -> String {
        // A tree of strings can always be written.
        serde_json::to_value(self).map(|value| json::text(&value)).unwrap_or_default()
    }

    /// The differences between this receipt and `now`, a sentence each.
    pub fn differences(&self, now: &Receipt) -> Vec<String> {
        let mut said = Vec::new();
        let mut differs = |what: &str, is_so: bool| {
            if is_so {
                said.push(format!("{what}: not as signed"));
            }
        };
        differs("title", self.title != now.title);
        differs("class.toml", self.settings != now.settings);
        differs("cases", self.cases != now.cases);
        for (language, _) in changes(&self.judges, &now.judges) {
            differs(&format!("judge of {language}"), true);
        }
        for (row, change) in changes(&self.rows, &now.rows) {
            said.push(format!("class.db: {row}: {}", change.of_a_row()));
        }
        for (name, change) in changes(&self.students, &now.students) {
            match change {
                Change::Gone(signed) => {
                    said.push(format!("{name}: signed with {}, and no longer in the class", signed.grade));
                }
                Change::New(row) => {
                    said.push(format!("{name}: {}, and not in what was signed", row.grade));
                }
                Change::Other { signed, now } => {
                    said.extend(signed.differences(now).map(|what| format!("{name}: {what}")));
                }
            }
        }
        said
    }
}

impl ReceiptRow {
    /// The row for the submission in `report`, whose files have this digest.
    pub fn of(report: &SubmissionReport, files: Option<String>) -> ReceiptRow {
        let shown = |points| format!("{points}/{}", report.max_points);
        let grade = report.grade().map_or_else(|| report.state().name().to_owned(), shown);
        let earned = report.hand_in.as_deref().map(|hand_in| hand_in.earned);
        let earned = earned.filter(|earned| report.error.is_none() && *earned != report.points);
        let cases = report.cases.iter().map(|case| {
            (case.name.clone(), format!("{} {}/{}", case.verdict.name(), case.points, case.max_points))
        });
        ReceiptRow {
            grade,
            earned: earned.map(shown),
            files,
            cases: cases.collect(),
            ..ReceiptRow::default()
        }
    }

    fn differences<'r>(&'r self, now: &'r ReceiptRow) -> impl Iterator<Item = String> + 'r {
        let from_to = |from: &str, to: &str| (from != to).then(|| format!("signed with {from}, now {to}"));
        let grade = from_to(&self.grade, &now.grade);
        let earned = |row: &'r ReceiptRow| row.earned.as_deref().unwrap_or("the grade");
        let earned = from_to(earned(self), earned(now)).map(|what| format!("the cases earn: {what}"));
        let files = (self.files != now.files).then(|| "other files than signed".to_owned());
        let cases =
            changes(&self.cases, &now.cases).map(|(case, change)| format!("{case}: {}", change.described()));
        let values = changes(&self.values, &now.values)
            .map(|(value, change)| format!("{value}: {}", change.described()));
        let graded = changes(&self.graded, &now.graded)
            .map(|(table, _)| format!("{table}: the rows about the submission are not as signed"));
        grade.into_iter().chain(earned).chain(files).chain(cases).chain(values).chain(graded)
    }
}

/// A change of an entry since it was signed.
enum Change<'c, T> {
    /// The entry is gone.
    Gone(&'c T),
    /// The entry is new.
    New(&'c T),
    /// The entry is another.
    Other { signed: &'c T, now: &'c T },
}

impl<T> Change<'_, T> {
    fn of_a_row(&self) -> &'static str {
        match self {
            Change::Gone(_) => "no longer there",
            Change::New(_) => "not in what was signed",
            Change::Other { .. } => "not as signed",
        }
    }
}

impl<T: ToString> Change<'_, T> {
    fn described(&self) -> String {
        match self {
            Change::Gone(signed) => format!("signed with {}, now nothing", signed.to_string()),
            Change::New(now) => format!("signed with nothing, now {}", now.to_string()),
            Change::Other { signed, now } => {
                format!("signed with {}, now {}", signed.to_string(), now.to_string())
            }
        }
    }
}

/// The entries that are not as signed, by name.
fn changes<'c, T: PartialEq>(
    signed: &'c BTreeMap<String, T>,
    now: &'c BTreeMap<String, T>,
) -> impl Iterator<Item = (&'c str, Change<'c, T>)> {
    let names: BTreeSet<&String> = signed.keys().chain(now.keys()).collect();
    names.into_iter().filter_map(|name| {
        let change = match (signed.get(name), now.get(name)) {
            (Some(signed), Some(now)) if signed == now => return None,
            (Some(signed), Some(now)) => Change::Other { signed, now },
            (Some(signed), None) => Change::Gone(signed),
            (None, now) => Change::New(now?),
        };
        Some((name.as_str(), change))
    })
}

#[cfg(test)]
mod tests {
    use super::{Receipt, ReceiptRow, RecordedValue};
    use std::collections::BTreeMap;

    fn receipt() -> Receipt {
        let row = |grade: &str| ReceiptRow { grade: grade.to_owned(), ..ReceiptRow::default() };
        let judges = BTreeMap::from([("python".to_owned(), "j".to_owned())]);
        let mut receipt = Receipt::new("Codenames".to_owned(), "s".to_owned(), "c".to_owned(), judges);
        receipt.rows = BTreeMap::from([("judge \"j\"".to_owned(), "d".to_owned())]);
        receipt.students =
            BTreeMap::from([("An".to_owned(), row("3/4")), ("Bo".to_owned(), row("unreadable"))]);
        let an = receipt.students.get_mut("An").unwrap();
        an.cases.insert("up".to_owned(), "passed 3/3".to_owned());
        let values = [
            ("student email", RecordedValue::Text("an@x".to_owned())),
            ("student due", RecordedValue::Integer(5)),
            ("submission 1 skipped", RecordedValue::Digest { digest: "d".to_owned() }),
        ];
        an.values.extend(values.map(|(name, value)| (name.to_owned(), value)));
        receipt
    }

    #[test]
    fn a_receipt_that_is_written_is_read_again_and_differs_in_nothing() {
        let receipt = receipt();
        let again = Receipt::parse(&receipt.text()).unwrap();
        assert_eq!(again, receipt);
        assert!(receipt.differences(&again).is_empty());
        assert!(Receipt::parse("{}").unwrap_err().starts_with("is not a receipt: "));
    }

    #[test]
    fn a_receipt_of_another_version_says_what_to_do() {
        let old = Receipt::parse(r#"{"version": 1, "title": "x", "students": {"An": {"results": "d"}}}"#);
        assert!(old.unwrap_err().ends_with("or sign the report again with this one"));
        let new = Receipt::parse(r#"{"version": 4}"#).unwrap_err();
        assert!(new.contains("version 4, by a newer keur"), "{new}");
    }

    #[test]
    fn differences_are_named() {
        let mut now = receipt();
        now.cases = "d".to_owned();
        now.judges.clear();
        now.rows = BTreeMap::from([("judge \"k\"".to_owned(), "d".to_owned())]);
        now.students.remove("Bo");
        let an = now.students.get_mut("An").unwrap();
        an.grade = "4/4".to_owned();
        an.earned = Some("3/4".to_owned());
        an.files = Some("f".to_owned());
        an.cases.insert("up".to_owned(), "raised 0/3".to_owned());
        an.values.insert("student email".to_owned(), RecordedValue::Text("bo@x".to_owned()));
        an.values.remove("student due");
        an.values.insert("student number".to_owned(), RecordedValue::Text("7".to_owned()));
        an.graded.insert("verdict".to_owned(), "d".to_owned());
        let cas = ReceiptRow { grade: "1/4".to_owned(), ..ReceiptRow::default() };
        now.students.insert("Cas".to_owned(), cas);
        assert_eq!(
            receipt().differences(&now),
            [
                "cases: not as signed",
                "judge of python: not as signed",
                "class.db: judge \"j\": no longer there",
                "class.db: judge \"k\": not in what was signed",
                "An: signed with 3/4, now 4/4",
                "An: the cases earn: signed with the grade, now 3/4",
                "An: other files than signed",
                "An: up: signed with passed 3/3, now raised 0/3",
                "An: student due: signed with 5, now nothing",
                "An: student email: signed with \"an@x\", now \"bo@x\"",
                "An: student number: signed with nothing, now \"7\"",
                "An: verdict: the rows about the submission are not as signed",
                "Bo: signed with unreadable, and no longer in the class",
                "Cas: 1/4, and not in what was signed",
            ]
        );
    }
}
