//! The problems that `keur check` finds, as JSON: version 1 of their format.

use super::Checked;
use super::problem::{Place, Problem};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the format. Within a version, fields are only added.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Document<'c> {
    /// The version of this format
    version: u32,
    /// The version of keur
    keur: &'static str,
    /// The number of cases that were read
    cases: usize,
    /// The number of exercises that were read
    exercises: usize,
    /// The problems, in the order of the files
    problems: Vec<Row<'c>>,
}

/// A problem.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct Row<'c> {
    /// An error, or a warning about what can hardly be meant
    severity: Severity,
    /// The path of the file as given, `-` for standard input; null for a problem of no file
    file: Option<&'c str>,
    /// The line of the file, from 1
    line: Option<usize>,
    /// The column, from 1, in characters
    column: Option<usize>,
    /// The line of the end
    end_line: Option<usize>,
    /// The column behind the last character
    end_column: Option<usize>,
    /// The problem
    message: &'c str,
    /// The advice; for a disagreement with the reference, the step and both sides
    help: Option<&'c str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Severity {
    Error,
    Warning,
}

impl<'c> Row<'c> {
    fn of(problem: &'c Problem) -> Row<'c> {
        let place = |part: fn(&Place) -> usize| problem.place.as_ref().map(part);
        Row {
            severity: if problem.is_warning() { Severity::Warning } else { Severity::Error },
            file: problem.file.as_deref(),
            line: place(|place| place.line),
            column: place(|place| place.column),
            end_line: place(|place| place.end_line),
            end_column: place(|place| place.end_column),
            message: &problem.message,
            help: problem.help.as_deref(),
        }
    }
}

/// The JSON of a check, with a line end.
pub(super) fn text(checked: &Checked) -> Result<String, serde_json::Error> {
    let document = Document {
        version: VERSION,
        keur: env!("CARGO_PKG_VERSION"),
        cases: checked.with_reference.cases + checked.without_reference.cases,
        exercises: checked.with_reference.exercises + checked.without_reference.exercises,
        problems: checked.problems.iter().map(Row::of).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::{Document, VERSION};
    use schemars::generate::SchemaSettings;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_schema_of_a_check_is_committed() {
        let mut schema =
            SchemaSettings::draft07().for_serialize().into_generator().into_root_schema_for::<Document<'_>>();
        schema.insert(
            "title".to_owned(),
            format!("The problems that keur check finds, version {VERSION}").into(),
        );
        let made = serde_json::to_string_pretty(schema.as_value()).unwrap() + "\n";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/check.schema.json");
        if std::env::var_os("KEUR_BLESS").is_some() {
            assert!(std::env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
            fs::write(&path, &made).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), made, "write it again with KEUR_BLESS=1");
    }
}
