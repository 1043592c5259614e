//! JSON Schemas of the reports that keur defines.
//!
//! These are its JSON, and the formats of readers that publish no schema, or none that a test could install.
//! `tests/schema.rs` compares the committed files with them.

use super::{dodona, exercism, json_shape};
use serde_json::{Map, Value, json};

/// Keys, what they mean, their schema, and whether they are always there.
type Keys<'a> = &'a [(&'static str, &'static str, Value, bool)];

/// The JSON Schema of a format's output.
pub struct Schema {
    /// The name of the format.
    pub format: &'static str,
    /// The name of the committed file.
    pub file: &'static str,
    /// Makes the text of that file.
    pub text: fn() -> String,
}

/// Every schema.
pub const SCHEMAS: &[Schema] = &[
    Schema { format: "json", file: "report.schema.json", text: report },
    Schema { format: "gradescope", file: "gradescope.schema.json", text: gradescope },
    Schema { format: "classroom", file: "classroom.schema.json", text: classroom },
    Schema { format: "classroom50", file: "classroom50.schema.json", text: classroom50 },
    Schema { format: "exercism", file: "exercism.schema.json", text: exercism },
    Schema { format: "dodona", file: "dodona.schema.json", text: dodona },
];

/// The schema of the report `json`, as the text of its file.
fn report() -> String {
    written(json_shape::schema().as_value())
}

/// The schema of the `gradescope` output, within what Gradescope documents.
fn gradescope() -> String {
    let format = || json!({ "enum": ["text", "html", "simple_format", "md", "ansi"] });
    let visibility = || json!({ "enum": ["hidden", "after_due_date", "after_published", "visible"] });
    let number = || json!({ "type": "number", "minimum": 0 });
    let test = object(&[
        ("name", "The title of the case", text(), true),
        ("number", "Its number", text(), true),
        ("score", "Points earned", number(), true),
        ("max_score", "Points that it is worth", number(), true),
        ("status", "How it came out", json!({ "enum": ["passed", "failed"] }), true),
        (
            "output",
            "The text of the result, with line feeds only",
            json!({ "type": "string", "pattern": "^[^\\r]*$" }),
            true,
        ),
        ("tags", "Tags of the case", list(text()), true),
        ("visibility", "Who sees it", visibility(), true),
        ("extra_data", "Its name and verdict", json!({ "type": "object" }), true),
    ]);
    let whole = object(&[
        ("score", "The grade; omitted where keur could not grade", number(), false),
        ("output", "The text of the whole result", text(), true),
        ("output_format", "How that is written", format(), true),
        ("test_output_format", "How the tests' outputs are written", format(), true),
        ("test_name_format", "How the tests' names are written", format(), true),
        ("visibility", "Who sees it", visibility(), true),
        ("stdout_visibility", "Who sees what was printed", visibility(), true),
        ("tests", "One for each case; omitted where keur could not grade", list(test), false),
    ]);
    document("What keur writes for Gradescope", whole)
}

/// The schema of the `classroom` output, within what the GitHub Classroom reporter reads.
fn classroom() -> String {
    let status = || json!({ "enum": ["pass", "fail", "error"] });
    // The reporter prints these: none of their lines may start a GitHub command.
    let printed = json!({ "type": "string", "pattern": r"^(?!\s*::)[^\r\n]*$" });
    let message = json!({ "anyOf": [printed, { "type": "null" }] });
    let test = object(&[
        ("name", "The title of the case", printed.clone(), true),
        ("status", "How it came out", status(), true),
        ("score", "Its share of the grade", points(), true),
        ("message", "The message of a failure", message, true),
        ("test_code", "Nothing", json!({ "const": "" }), true),
        ("filename", "Nothing", json!({ "const": "" }), true),
        ("line_no", "Nothing: the reporter would print what is null", json!({ "const": 0 }), true),
        ("execution_time", "Nothing that differs from run to run", json!({ "const": "0s" }), true),
    ]);
    let whole = object(&[
        ("version", "The version of this shape", json!({ "const": 1 }), true),
        ("status", "How the whole came out", status(), true),
        ("max_score", "The highest possible grade, in whole points", natural(), true),
        ("tests", "One for each case", list(test), true),
    ]);
    document("What keur writes for the reporter of GitHub Classroom", whole)
}

/// The schema of the `classroom50` output, within what Classroom 50 accepts.
fn classroom50() -> String {
    let said = || json!({ "type": "string", "minLength": 1 });
    let test = object(&[
        ("test-name", "The title of the case", said(), true),
        ("passed", "Whether it passed", json!({ "type": "boolean" }), true),
        ("score", "Points earned", natural(), true),
        ("max-score", "Points that it is worth", natural(), true),
        ("message", "The message of a failure", text(), false),
    ]);
    let time = json!({ "type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" });
    let whole = object(&[
        ("schema", "The version of this shape", json!({ "const": "classroom50/result/v1" }), true),
        ("classroom", "Its short name", said(), true),
        ("assignment", "Its short name", said(), true),
        ("assignment_type", "Whose work it is", json!({ "enum": ["individual", "group"] }), true),
        ("owner", "Who submitted it", said(), true),
        ("submission", "Its tag", said(), true),
        ("commit", "Its address", said(), true),
        ("release", "Its address", said(), true),
        ("review", "Its address", said(), true),
        ("datetime", "When it was submitted", time, true),
        ("score", "Points earned", natural(), true),
        ("max-score", "Points that it is worth", natural(), true),
        ("tests", "One for each case", list(test), true),
    ]);
    document("What keur writes for Classroom 50", whole)
}

/// The schema of the `exercism` output, within Exercism's specification of test runners.
fn exercism() -> String {
    let status = || json!({ "enum": ["pass", "fail", "error"] });
    let at_most = |most: usize| json!({ "type": "string", "maxLength": most });
    let mut test = object(&[
        ("name", "The title of the case", json!({ "type": "string", "minLength": 1 }), true),
        ("status", "How it came out", status(), true),
        ("test_code", "The session", text(), true),
        ("message", "The message of a failure", at_most(exercism::MOST_MESSAGE), false),
        ("output", "What the failing line printed", at_most(exercism::MOST_OUTPUT), false),
    ]);
    test["if"] = json!({ "properties": { "status": { "const": "pass" } } });
    test["else"] = json!({ "required": ["message"] });
    let mut whole = object(&[
        ("version", "The version of this shape", json!({ "const": 3 }), true),
        ("status", "How the whole came out", status(), true),
        ("message", "Why nothing ran", at_most(exercism::MOST_MESSAGE), false),
        ("tests", "One for each case", list(test), true),
    ]);
    whole["if"] = json!({ "properties": { "status": { "const": "error" } } });
    whole["then"] = json!({ "required": ["message"], "properties": { "tests": { "maxItems": 0 } } });
    document("What keur writes for Exercism, version 3", whole)
}

/// The schema of one line of the `dodona` output, within Dodona's own schema of partial output.
fn dodona() -> String {
    let boolean = || json!({ "type": "boolean" });
    let message =
        object(&[("format", "How it is written", text(), true), ("description", "The text", text(), true)]);
    let status = object(&[
        ("enum", "How it came out", json!({ "enum": dodona::RISING }), true),
        ("human", "The same, to be read", text(), true),
    ]);
    let severity = json!({ "enum": ["error", "warning", "info"] });
    let accepted = || ("accepted", "Whether it passed", boolean(), true);
    let expected = || ("expected", "What was expected", text(), true);
    let described = |what: &'static str| ("description", what, message.clone(), true);
    let commands = [
        ("start-judgement", vec![]),
        ("start-tab", vec![("title", "The exercise", text(), true)]),
        ("start-context", vec![described("The title of the case")]),
        ("start-testcase", vec![described("The session")]),
        ("start-test", vec![expected(), described("How that came out")]),
        ("append-message", vec![("message", "A further message", message.clone(), true)]),
        (
            "annotate-code",
            vec![
                ("row", "The line, from 0", natural(), true),
                ("text", "The message", text(), true),
                ("type", "Its severity", severity, true),
            ],
        ),
        ("escalate-status", vec![("status", "At least this", status.clone(), true)]),
        (
            "close-test",
            vec![
                ("generated", "What was found instead", text(), true),
                ("status", "How it came out", status.clone(), true),
                accepted(),
            ],
        ),
        ("close-testcase", vec![accepted()]),
        ("close-context", vec![accepted()]),
        ("close-tab", vec![("badgeCount", "Cases that failed", natural(), true)]),
        ("close-judgement", vec![accepted(), ("status", "How the whole came out", status.clone(), true)]),
    ];
    let whole = |(name, mut keys): (&str, Vec<_>)| {
        keys.insert(0, ("command", "What is reported", json!({ "const": name }), true));
        object(&keys)
    };
    let every: Vec<Value> = commands.into_iter().map(whole).collect();
    document("A line of what keur writes for Dodona", json!({ "oneOf": every }))
}

fn document(title: &str, schema: Value) -> String {
    let mut whole = Map::new();
    whole.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    whole.insert("title".to_owned(), json!(title));
    if let Value::Object(schema) = schema {
        whole.extend(schema);
    }
    written(&Value::Object(whole))
}

fn written(schema: &Value) -> String {
    // A tree of strings, booleans and maps can always be written.
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

fn object(keys: Keys<'_>) -> Value {
    let described = |(name, doc, schema, _): &(&'static str, &'static str, Value, bool)| {
        let mut schema = schema.clone();
        schema["description"] = json!(doc);
        ((*name).to_owned(), schema)
    };
    let properties: Map<String, Value> = keys.iter().map(described).collect();
    let required: Vec<&str> = keys.iter().filter(|(.., always)| *always).map(|(name, ..)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn natural() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn points() -> Value {
    json!({ "type": "number", "minimum": 0 })
}
