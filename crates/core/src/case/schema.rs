//! The JSON Schema of the files, generated from the registry of keys that reads them.

use super::keys::{CASE, EXERCISE, Key, ROW, Shape};
use serde_json::{Map, Value, json};

/// The schema of `exercise.toml`, as the text of its file.
pub fn exercise() -> String {
    document("An exercise of keur", EXERCISE)
}

/// The schema of a case file, as the text of its file.
pub fn case() -> String {
    let mut schema = document_of("A case of keur", CASE);
    schema.insert("oneOf".to_owned(), json!([{ "required": ["step"] }, { "required": ["random"] }]));
    written(schema)
}

/// The schema of a file with these keys, as the text of its file.
pub fn document(title: &str, keys: &[Key]) -> String {
    written(document_of(title, keys))
}

fn document_of(title: &str, keys: &[Key]) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".to_owned(), json!(title));
    if let Value::Object(table_schema) = table(keys) {
        schema.extend(table_schema);
    }
    schema
}

fn written(schema: Map<String, Value>) -> String {
    // Serialising a tree of strings, booleans and maps with string keys cannot fail.
    let text = serde_json::to_string_pretty(&Value::Object(schema)).unwrap_or_default();
    text + "\n"
}

fn table(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| {
            let mut schema = Map::new();
            schema.insert("description".to_owned(), json!(key.doc));
            if let Value::Object(shape) = shape(&key.shape) {
                schema.extend(shape);
            }
            (key.name.to_owned(), Value::Object(schema))
        })
        .collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn shape(shape_: &Shape) -> Value {
    match shape_ {
        Shape::Text => json!({ "type": "string" }),
        Shape::LocalText => json!({ "anyOf": [
            { "type": "string" },
            {
                "type": "object",
                "properties": { "nl": { "type": "string" }, "da": { "type": "string" }, "en": { "type": "string" } },
                "additionalProperties": false,
                "minProperties": 1
            }
        ] }),
        Shape::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Shape::TextOrTexts => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 }
        ] }),
        Shape::DateTime => json!({ "type": "string", "format": "date-time" }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Points => json!({ "type": "number", "minimum": 0, "multipleOf": 0.01 }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Numbers => {
            json!({ "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 1 })
        }
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::Table(keys) => table(keys),
        Shape::OneOf(names, keys) => {
            let mut schema = table(keys);
            schema["oneOf"] = names.iter().map(|name| json!({ "required": [name] })).collect();
            schema
        }
        Shape::Row => table(&ROW),
        Shape::MapOf(inner) => json!({ "type": "object", "additionalProperties": shape(inner) }),
        Shape::ListOf(inner) => json!({ "type": "array", "items": shape(inner), "minItems": 1 }),
        Shape::List => json!({ "type": "array" }),
        Shape::True => json!({ "const": true }),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(shape).collect::<Vec<_>>() }),
        Shape::Value => json!({ "type": ["string", "number", "boolean", "array"] }),
    }
}
