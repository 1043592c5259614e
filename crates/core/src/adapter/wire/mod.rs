//! The wire protocol of `docs/protocol.md`: frames, requests and replies.

mod reply;
mod request;
mod value;

pub use crate::protocol::{HEADER, MOST_LOADED, MOST_REPLY, VERSION, frame, header};
pub use reply::{Body, Code, Ready, Reply, replies, reply};
pub use request::{LoadMode, LoadRequest, Request, Spelling, TraceCheck, views};
pub use value::{decode, encode};

#[cfg(test)]
mod tests {
    use super::{Body, decode, encode, frame, header, reply};
    use crate::value::{Cut, Text, Value};

    #[track_caller]
    fn check_value(value: Value) {
        let text = encode(&value).to_string();
        let back = decode(&serde_json::from_str(&text).unwrap()).unwrap();
        // NaN equals nothing, so the texts are compared.
        assert_eq!(encode(&back).to_string(), text);
        assert_eq!(format!("{back:?}"), format!("{value:?}"));
    }

    #[test]
    fn values_of_every_kind_cross_intact() {
        let huge = "-123456789012345678901234567890".parse::<crate::value::Int>().unwrap();
        for value in [
            Value::None,
            Value::Undefined,
            Value::from(true),
            Value::from(1 << 53),
            Value::from((1 << 53) + 1),
            Value::from(i64::MIN),
            Value::Int(huge.clone()),
            Value::BigInt(huge),
            Value::Float(f64::NAN),
            Value::Float(-0.0),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(5e-324),
            Value::Number(0.1),
            Value::from("a\0\u{10ffff}\"\\"),
            Value::Str(Text::from_units(vec![0xdc00, 0x61])),
            Value::List(vec![Value::Tuple(vec![]), Value::Set(vec![Value::from(1)])]),
            Value::Dict(vec![(Value::from("k"), Value::None)]),
            Value::Opaque("Move".to_owned()),
            Value::Cut(Cut::Depth),
        ] {
            check_value(value);
        }
    }

    #[test]
    fn texts_that_are_no_value_are_refused() {
        for text in [
            "[1]", "{}", "1.5", r#"{"int":5}"#, r#"{"int":"5"}"#, r#"{"list":1}"#, r#"{"a":1}"#,
            r#"{"dict":[[1]]}"#, r#"{"units":[70000]}"#, r#"{"list":[],"set":[]}"#, "18446744073709551615",
        ] {
            assert!(decode(&serde_json::from_str(text).unwrap()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_frame_carries_length_and_nonce() {
        let bytes = frame([7; 8], b"abc");
        assert_eq!(header(bytes[..12].try_into().unwrap()), (3, [7; 8]));
        assert_eq!(&bytes[12..], b"abc");
    }

    #[test]
    fn a_stack_names_only_the_lines_of_the_submission() {
        let text = r#"{"raised":{"type":"Error","message":"m","stack":"Error: m\n    at Quixo.beurt (quixo.js:12:7)\n    at node:vm:1:1\n    at quixo.js:30:1"}}"#;
        let Body::Raised(raised) = reply(text.as_bytes(), &["quixo.js".to_owned()]).unwrap().body else {
            panic!("raised")
        };
        let lines: Vec<(usize, &str)> =
            raised.trace.iter().map(|frame| (frame.line, frame.function.as_str())).collect();
        assert_eq!(lines, [(30, ""), (12, "Quixo.beurt")]);
    }

    #[test]
    fn of_a_long_trace_the_innermost_lines_are_kept() {
        let lines =
            |count: usize| (1..=count).map(|line| format!("    at f (a.js:{line}:1)\\n")).collect::<String>();
        let trace = (1..=30).map(|line| format!(r#"["a.js",{line},"f"]"#)).collect::<Vec<_>>().join(",");
        for (text, first, last) in [
            (format!(r#"{{"raised":{{"type":"E","stack":"{}"}}}}"#, lines(100_000)), 20, 1),
            (format!(r#"{{"raised":{{"type":"E","trace":[{trace}]}}}}"#), 11, 30),
        ] {
            let Body::Raised(raised) = reply(text.as_bytes(), &["a.js".to_owned()]).unwrap().body else {
                panic!("raised")
            };
            let found = (raised.trace.len(), raised.trace[0].line, raised.trace[19].line);
            assert_eq!(found, (20, first, last));
        }
    }

    #[test]
    fn of_many_names_to_suggest_from_the_first_are_kept() {
        let names = serde_json::json!(vec!["a"; 1000]);
        let text = serde_json::json!({ "loaded": { "defined": names, "names": names } }).to_string();
        let Body::Loaded { defined, names, .. } = reply(text.as_bytes(), &[]).unwrap().body else {
            panic!("loaded")
        };
        assert_eq!((defined.len(), names.all.len(), names.classes), (1000, 200, None));
        let missing = |near: &[&str]| {
            let missing = serde_json::json!({ "kind": "method", "name": "beurt", "on": "A", "near": near });
            let text = serde_json::json!({ "missing": missing }).to_string();
            let Body::Missing(missing) = reply(text.as_bytes(), &[]).unwrap().body else { panic!("missing") };
            missing.near
        };
        assert_eq!(missing(&["stoppen", "buert"]).as_deref(), Some("buert"));
        assert_eq!(missing(&[&["stoppen"; 1000][..], &["buert"]].concat()), None);
    }

    #[track_caller]
    fn check_size(items: &str, count: usize, expected: bool) {
        let text = format!(r#"{{"done":true,"value":{{"list":[{}0]}}}}"#, items.repeat(count));
        assert_eq!(reply(text.as_bytes(), &[]).is_ok(), expected);
    }

    #[test]
    fn a_reply_of_too_many_values_is_refused_before_it_is_parsed() {
        check_size("0,", 500_000, true);
        check_size("0,", 1 << 19, false);
        check_size(r#"{"list":[]},"#, 30_000, true);
        check_size(r#"{"list":[]},"#, 40_000, false);
        check_size(r#""\"[[[[{{{{,,,,","#, 100_000, true);
    }

    #[test]
    fn errors_in_a_reply_name_the_key() {
        let missing = |change: &str, to: serde_json::Value| {
            let mut missing = serde_json::json!({ "kind": "method", "name": "b", "on": "A", "near": [] });
            missing[change] = to;
            serde_json::json!({ "missing": missing })
        };
        let ready = |change: &str, to: serde_json::Value| {
            let mut ready = serde_json::json!({ "protocol": 1, "language": "perl", "version": "5" });
            ready[change] = to;
            serde_json::json!({ "ready": ready })
        };
        for (said, expected) in [
            (
                missing("kind", "class".into()),
                "`kind` of `missing` should be `definition`, `method`, `property`, `attribute` or `called`, but is \"class\"",
            ),
            (missing("on", serde_json::Value::Null), "`on` of `missing` should be a string, but is null"),
            (
                missing("near", "b".repeat(99).into()),
                "`near` of `missing` should be a list of names, but is \"bbb",
            ),
            (
                serde_json::json!({ "missing": { "kind": "method", "near": [] } }),
                "`missing` lacks `name`, a string",
            ),
            (serde_json::json!({ "missing": 1 }), "`missing` lacks `near`, a list of names"),
            (ready("protocol", "1".into()), "`protocol` of `ready` should be a number, but is \"1\""),
            (
                ready("names", "snake".into()),
                "`names` of `ready` should be `snake_case`, `camelCase` or `as-is`, but is \"snake\"",
            ),
            (ready("keywords", 1.into()), "`keywords` of `ready` should be true or false, but is 1"),
            (
                serde_json::json!({ "ready": { "protocol": 1, "version": "5" } }),
                "`ready` lacks `language`, a string",
            ),
        ] {
            let error = reply(said.to_string().as_bytes(), &[]).unwrap_err();
            assert!(error.starts_with(expected) && error.len() < 120, "{error}");
        }
    }

    #[test]
    fn replies_that_say_nothing_are_refused() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"error":"x"}"#,
            r#"{"raised":{}}"#,
            r#"{"done":true,"value":[1]}"#,
            r#"{"loaded":{"defined":[],"names":[]},"code":[]}"#,
            r#"{"loaded":{"defined":[],"names":[]},"code":{"a":1.5}}"#,
        ] {
            assert!(reply(text.as_bytes(), &[]).is_err(), "{text}");
        }
    }
}
