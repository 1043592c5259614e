//! JSON Schemas of the reports that are keur's own to define: its JSON, and what it writes for readers that publish none,
//! or none that a test could install. `tests/schema.rs` holds the committed files to them.

use super::json::VERSION;
use super::{Audience, dodona, exercism};
use crate::compare::Verdict;
use serde_json::{Map, Value, json};

/// Keys, what they mean, their schema, and whether they are always there.
type Keys<'a> = &'a [(&'static str, &'static str, Value, bool)];

/// What one format writes, as a JSON Schema.
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
    let exception = object(&[
        ("text", "Its type and message", text(), true),
        ("places", "Lines of the submission that it passed through, outermost first", list(place()), true),
    ]);
    let warning = object(&[
        ("message", "What should be known", text(), true),
        ("exception", "What was raised while the submission was loaded", exception.clone(), false),
    ]);
    let error = object(&[
        (
            "kind",
            "Nothing to grade in it, a usage error, or a failure of keur's own",
            json!({ "enum": ["nothing", "usage", "fault"] }),
            true,
        ),
        ("message", "Why it was not graded", text(), true),
    ]);
    let submission = object(&[
        ("name", "Its name, distinct in the run", text(), true),
        ("path", "Its path as it was named", text(), true),
        ("exercise", "The exercise; null when that could not be told", or_null("string"), true),
        ("language", "The programming language; null when nothing was run", or_null("string"), true),
        ("runtime", "The engine and its version; null when nothing was run", or_null("string"), true),
        ("confinement", "The tier that it ran in; null when nothing was run", or_null("string"), true),
        (
            "seed",
            "The first seed of hashes and random numbers; null when nothing was run",
            or_null("integer"),
            true,
        ),
        ("points", "The grade", points(), true),
        ("max_points", "The most it could be", points(), true),
        ("passed", "Whether every case that is worth points passed", json!({ "type": "boolean" }), true),
        ("cases", "One each, in the order of their names, hidden ones last", list(case(&exception)), true),
        ("warnings", "What costs no points", list(warning), true),
        ("error", "Why it was not graded, only where it was not", error, false),
    ]);
    let audiences: Vec<&str> = Audience::ALL.into_iter().map(Audience::name).collect();
    let whole = object(&[
        ("version", "The version of this shape", json!({ "const": VERSION }), true),
        ("keur", "The version of keur", text(), true),
        ("audience", "Who may read it", json!({ "enum": audiences }), true),
        ("submissions", "One each, in the order in which they were given", list(submission), true),
    ]);
    document(&format!("A report of keur, version {VERSION}"), whole)
}

fn case(exception: &Value) -> Value {
    let consequence =
        object(&[("step", "From 1", natural(), true), ("verdict", "Its verdict", verdict(), true)]);
    let trial = object(&[("seed", "The seed", natural(), true), ("verdict", "Its verdict", verdict(), true)]);
    object(&[
        ("name", "Its name, unique in the exercise", text(), true),
        ("title", "Its title in the language of the report", text(), true),
        ("tags", "Free words", list(text()), true),
        ("hidden", "Whether a student is told only that it failed", json!({ "type": "boolean" }), true),
        ("hint", "Shown when it fails", text(), false),
        ("verdict", "How it came out", verdict(), true),
        ("points", "Points earned, before any scaling of the grade", points(), true),
        ("max_points", "Points that it is worth", points(), true),
        ("unstable", "Every time that it was graded, only where the verdicts differ", list(trial), false),
        ("consequences", "Later steps that failed or were not run", list(consequence), true),
        ("finding", "The first step that failed, only where one did", finding(exception), false),
    ])
}

fn finding(exception: &Value) -> Value {
    object(&[
        ("step", "From 1; 0 when the submission could not be loaded", natural(), true),
        ("verdict", "The verdict on the step", verdict(), true),
        ("message", "A sentence for the student", text(), true),
        ("session", "The session up to the failing line, in the submission's language", list(text()), true),
        ("expected", "What was expected, where there is a text of it", text(), false),
        ("got", "What there was instead", text(), false),
        ("printed", "What the failing line printed besides", text(), false),
        ("exception", "What was raised", exception.clone(), false),
        ("case_file", "Where the case stands", text(), true),
        ("case_line", "The line of the step in it", natural(), true),
    ])
}

fn place() -> Value {
    object(&[
        ("file", "The file", text(), true),
        ("line", "From 1", natural(), true),
        ("function", "The function, where it is known", text(), true),
        ("source", "The text of the line", text(), true),
    ])
}

/// The schema of what `gradescope` writes, within what Gradescope says that it reads.
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
            "What is said of it, with line feeds alone",
            json!({ "type": "string", "pattern": "^[^\\r]*$" }),
            true,
        ),
        ("tags", "Free words", list(text()), true),
        ("visibility", "Who sees it", visibility(), true),
        ("extra_data", "Its name and verdict", json!({ "type": "object" }), true),
    ]);
    let whole = object(&[
        ("score", "The grade; left out where keur could not grade", number(), false),
        ("output", "What is said of the whole", text(), true),
        ("output_format", "How that is written", format(), true),
        ("test_output_format", "How the tests' outputs are written", format(), true),
        ("test_name_format", "How the tests' names are written", format(), true),
        ("visibility", "Who sees it", visibility(), true),
        ("stdout_visibility", "Who sees what was printed", visibility(), true),
        ("tests", "One for each case; left out where keur could not grade", list(test), false),
    ]);
    document("What keur writes for Gradescope", whole)
}

/// The schema of what `classroom` writes, within what the reporter of GitHub Classroom reads.
fn classroom() -> String {
    let status = || json!({ "enum": ["pass", "fail", "error"] });
    // The reporter prints these: no line of them may begin a command to GitHub.
    let printed = json!({ "type": "string", "pattern": r"^(?!\s*::)[^\r\n]*$" });
    let message = json!({ "anyOf": [printed, { "type": "null" }] });
    let test = object(&[
        ("name", "The title of the case", printed.clone(), true),
        ("status", "How it came out", status(), true),
        ("score", "Its share of the grade", points(), true),
        ("message", "What is said of a failure", message, true),
        ("test_code", "Nothing", json!({ "const": "" }), true),
        ("filename", "Nothing", json!({ "const": "" }), true),
        ("line_no", "Nothing: the reporter would print what is null", json!({ "const": 0 }), true),
        ("execution_time", "Nothing that differs from run to run", json!({ "const": "0s" }), true),
    ]);
    let whole = object(&[
        ("version", "The version of this shape", json!({ "const": 1 }), true),
        ("status", "How the whole came out", status(), true),
        ("max_score", "The most that the grade could be, in whole points", natural(), true),
        ("tests", "One for each case", list(test), true),
    ]);
    document("What keur writes for the reporter of GitHub Classroom", whole)
}

/// The schema of what `classroom50` writes, within what Classroom 50 takes.
fn classroom50() -> String {
    let said = || json!({ "type": "string", "minLength": 1 });
    let test = object(&[
        ("test-name", "The title of the case", said(), true),
        ("passed", "Whether it passed", json!({ "type": "boolean" }), true),
        ("score", "Points earned", natural(), true),
        ("max-score", "Points that it is worth", natural(), true),
        ("message", "What is said of a failure", text(), false),
    ]);
    let time = json!({ "type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" });
    let whole = object(&[
        ("schema", "The version of this shape", json!({ "const": "classroom50/result/v1" }), true),
        ("classroom", "Its short name", said(), true),
        ("assignment", "Its short name", said(), true),
        ("assignment_type", "Whose work it is", json!({ "enum": ["individual", "group"] }), true),
        ("owner", "Who handed it in", said(), true),
        ("submission", "Its tag", said(), true),
        ("commit", "Its address", said(), true),
        ("release", "Its address", said(), true),
        ("review", "Its address", said(), true),
        ("datetime", "When it was handed in", time, true),
        ("score", "Points earned", natural(), true),
        ("max-score", "Points that it is worth", natural(), true),
        ("tests", "One for each case", list(test), true),
    ]);
    document("What keur writes for Classroom 50", whole)
}

/// The schema of what `exercism` writes, within Exercism's specification of what a test runner writes.
fn exercism() -> String {
    let status = || json!({ "enum": ["pass", "fail", "error"] });
    let at_most = |most: usize| json!({ "type": "string", "maxLength": most });
    let mut test = object(&[
        ("name", "The title of the case", json!({ "type": "string", "minLength": 1 }), true),
        ("status", "How it came out", status(), true),
        ("test_code", "The session", text(), true),
        ("message", "What is said of a failure", at_most(exercism::MOST_MESSAGE), false),
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

/// The schema of one line of what `dodona` writes, within Dodona's own schema of partial output.
fn dodona() -> String {
    let boolean = || json!({ "type": "boolean" });
    let message = object(&[
        ("format", "How it is written", text(), true),
        ("description", "What is said", text(), true),
    ]);
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
        ("append-message", vec![("message", "What is said besides", message.clone(), true)]),
        (
            "annotate-code",
            vec![
                ("row", "The line, from 0", natural(), true),
                ("text", "What is said of it", text(), true),
                ("type", "How grave that is", severity, true),
            ],
        ),
        ("escalate-status", vec![("status", "At least this", status.clone(), true)]),
        (
            "close-test",
            vec![
                ("generated", "What there was instead", text(), true),
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
        keys.insert(0, ("command", "What is told", json!({ "const": name }), true));
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
    // A tree of strings, booleans and maps always has a text.
    serde_json::to_string_pretty(&Value::Object(whole)).unwrap_or_default() + "\n"
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

fn or_null(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

fn natural() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn points() -> Value {
    json!({ "type": "number", "minimum": 0 })
}

fn verdict() -> Value {
    json!({ "enum": Verdict::ALL.map(Verdict::name) })
}
