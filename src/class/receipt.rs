//! A receipt: what was graded, with what, and the grades, as a text that can be signed and checked later.

use crate::event::SubmissionReport;
use crate::report::formats::json;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of receipts.
const VERSION: u64 = 1;

/// What a receipt is about. The same class gives the same receipt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The version of this shape.
    pub version: u64,
    /// The title of the class.
    pub title: String,
    /// The digest of `class.toml`.
    pub settings: String,
    /// The digest of all files in `cases/`, with their names.
    pub cases: String,
    /// The digest of the judge of each language: keur, the interpreter, limits and so on.
    pub judges: BTreeMap<String, String>,
    /// The students, by name.
    pub students: BTreeMap<String, ReceiptRow>,
}

/// What a receipt says of a student.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptRow {
    /// The student's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The digest of the submission's files, as they lie in the class; `None` if nothing was handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The grade, as `12.5/20`, else why there is none.
    pub grade: String,
    /// What the cases earn, if that is not the grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earned: Option<String>,
    /// The reason, if the points were set by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The digest of the verdicts and points of the cases.
    pub results: String,
}

impl Receipt {
    /// A receipt without students.
    pub fn new(title: String, settings: String, cases: String, judges: BTreeMap<String, String>) -> Receipt {
        Receipt { version: VERSION, title, settings, cases, judges, students: BTreeMap::new() }
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// It is not one: a sentence.
    pub fn parse(text: &str) -> Result<Receipt, String> {
        let receipt: Receipt =
            serde_json::from_str(text).map_err(|error| format!("is not a receipt: {error}"))?;
        if receipt.version != VERSION {
            return Err(format!(
                "is a receipt of version {}, and this keur reads {VERSION}",
                receipt.version
            ));
        }
        Ok(receipt)
    }

    /// The text of the receipt.
    pub fn text(&self) -> String {
        // A tree of strings can always be written.
        serde_json::to_value(self).map(|value| json::text(&value)).unwrap_or_default()
    }

    /// What differs in `now` from this, a sentence each.
    pub fn differences(&self, now: &Receipt) -> Vec<String> {
        let mut said = Vec::new();
        let mut differs = |what: &str, signed: &str, now: &str| {
            if signed != now {
                said.push(format!("{what}: not as signed"));
            }
        };
        differs("title", &self.title, &now.title);
        differs("class.toml", &self.settings, &now.settings);
        differs("cases", &self.cases, &now.cases);
        let languages = self.judges.keys().chain(now.judges.keys());
        let mut languages: Vec<&String> = languages.collect();
        languages.sort();
        languages.dedup();
        let judge =
            |receipt: &Receipt, language: &str| receipt.judges.get(language).cloned().unwrap_or_default();
        for language in languages {
            differs(&format!("judge of {language}"), &judge(self, language), &judge(now, language));
        }
        for (name, signed) in &self.students {
            match now.students.get(name) {
                None => {
                    said.push(format!("{name}: signed with {}, and no longer in the class", signed.grade))
                }
                Some(row) => said.extend(signed.differences(row).map(|what| format!("{name}: {what}"))),
            }
        }
        let more = now.students.iter().filter(|(name, _)| !self.students.contains_key(*name));
        said.extend(more.map(|(name, row)| format!("{name}: {}, and not in what was signed", row.grade)));
        said
    }
}

impl ReceiptRow {
    /// What a receipt says of the submission in `report`, whose files have this digest; `results` is the digest of the
    /// verdicts and points of its cases.
    pub fn of(report: &SubmissionReport, files: Option<String>, results: String) -> ReceiptRow {
        let hand_in = report.hand_in.as_deref();
        let by_hand = hand_in.and_then(|hand_in| hand_in.by_hand.as_ref());
        let shown = |points| format!("{points}/{}", report.max_points);
        let grade = report.grade().map_or_else(|| report.state().name().to_owned(), shown);
        let earned = hand_in.map(|hand_in| hand_in.earned).filter(|_| report.error.is_none());
        ReceiptRow {
            number: hand_in.and_then(|hand_in| hand_in.id.clone()),
            files,
            grade,
            earned: earned.filter(|earned| *earned != report.points).map(shown),
            why: by_hand.map(|set| set.why.clone()),
            results,
        }
    }

    fn differences<'r>(&'r self, now: &'r ReceiptRow) -> impl Iterator<Item = String> + 'r {
        let grade =
            (self.grade != now.grade).then(|| format!("signed with {}, now {}", self.grade, now.grade));
        let rest = [
            (self.number != now.number, "another number"),
            (self.files != now.files, "other files than signed"),
            (self.earned != now.earned, "the cases earn something else"),
            (self.why != now.why, "another reason for points set by hand"),
            (self.results != now.results, "other results of cases"),
        ];
        let rest = rest.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what.to_owned());
        grade.into_iter().chain(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::{Receipt, ReceiptRow};
    use std::collections::BTreeMap;

    fn receipt() -> Receipt {
        let row = |grade: &str| ReceiptRow { grade: grade.to_owned(), ..ReceiptRow::default() };
        let judges = BTreeMap::from([("python".to_owned(), "j".to_owned())]);
        let mut receipt = Receipt::new("Codenames".to_owned(), "s".to_owned(), "c".to_owned(), judges);
        receipt.students =
            BTreeMap::from([("An".to_owned(), row("3/4")), ("Bo".to_owned(), row("unreadable"))]);
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
    fn what_differs_is_named() {
        let mut now = receipt();
        now.cases = "d".to_owned();
        now.judges.clear();
        now.students.remove("Bo");
        let an = now.students.get_mut("An").unwrap();
        an.grade = "4/4".to_owned();
        an.files = Some("f".to_owned());
        let cas = ReceiptRow { grade: "1/4".to_owned(), ..ReceiptRow::default() };
        now.students.insert("Cas".to_owned(), cas);
        assert_eq!(
            receipt().differences(&now),
            [
                "cases: not as signed",
                "judge of python: not as signed",
                "An: signed with 3/4, now 4/4",
                "An: other files than signed",
                "Bo: signed with unreadable, and no longer in the class",
                "Cas: 1/4, and not in what was signed",
            ]
        );
    }
}
