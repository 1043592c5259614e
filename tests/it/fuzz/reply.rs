//! The invariants of a driver's reply, whatever its bytes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use keur_core::adapter::Exception;
use keur_core::adapter::wire::{self, Body, Reply};
use keur_core::named::Named;
use keur_core::value::{Text, Value};
use serde_json::{Value as Json, json};

/// The most values that the protocol's limits allow in a reply.
const MOST_VALUES: usize = 65_536 + 524_288 + 1;

/// The most names to suggest from.
const MOST_NAMES: usize = 200;

/// The most lines of a trace.
const MOST_FRAMES: usize = 20;

/// The longest payload that is encoded again: a value may take more space then, and exceed the limits.
const SAID_AGAIN: usize = 1 << 15;

/// The submission's own files, which are searched for in a JavaScript stack.
const FILES: [&str; 2] = ["a.js", "quixo.js"];

pub(crate) fn check(payload: &[u8]) {
    let nonce = [7; 8];
    let frame = wire::frame(nonce, payload);
    let (header, body) = frame.split_at(wire::HEADER);
    assert_eq!(wire::header(header.try_into().expect("a header")), (payload.len(), nonce));
    assert_eq!(body, payload);

    let files = FILES.map(str::to_owned);
    let reply = match wire::reply(payload, &files) {
        Ok(reply) => reply,
        Err(why) => return assert!(!why.is_empty()),
    };
    check_caps(&reply, payload.len());
    if payload.len() <= SAID_AGAIN {
        let said = say(&reply).to_string();
        let again = wire::reply(said.as_bytes(), &files).expect("what was understood can be said again");
        // NaN equals nothing, so the debug texts are compared.
        assert_eq!(format!("{again:?}"), format!("{reply:?}"), "{said}");
    }
}

fn check_caps(reply: &Reply, bytes: usize) {
    // A replacement character takes three bytes, while a code unit of `units` takes at least two with its
    // comma.
    let most_text = 2 * bytes;
    let text_of = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
    let text = match &reply.body {
        Body::Ready(ready) => {
            ready.language.len() + ready.version.len() + ready.driver.as_ref().map_or(0, Vec::len)
        }
        Body::Loaded { defined, names, raised, code } => {
            let kinds = [Some(&names.all), names.classes.as_ref(), names.functions.as_ref()];
            assert!(kinds.iter().flatten().all(|names| names.len() <= MOST_NAMES));
            let names = kinds.iter().flatten().map(|names| text_of(names)).sum::<usize>();
            let code = code.iter().flatten().map(|(module, code)| module.len() + code.len()).sum::<usize>();
            text_of(defined) + names + code + raised.as_ref().map_or(0, exception_text)
        }
        Body::Done { value, text, is, types, subclasses, shown } => {
            assert!(value.iter().chain(text).flat_map(Value::parts).count() <= MOST_VALUES);
            text_of(is) + text_of(types) + text_of(subclasses) + shown.as_ref().map_or(0, String::len)
        }
        Body::Raised(raised) => exception_text(raised),
        Body::Missing(missing) => {
            missing.name.len() + missing.on.len() + missing.near.as_ref().map_or(0, String::len)
        }
        Body::Ended { raised, .. } => raised.as_ref().map_or(0, exception_text),
        Body::Traced | Body::Waits => 0,
    };
    assert!(text <= most_text, "{text} bytes of text from {bytes}");
}

fn exception_text(raised: &Exception) -> usize {
    assert!(raised.trace.len() <= MOST_FRAMES);
    let frames: usize = raised.trace.iter().map(|frame| frame.file.len() + frame.function.len()).sum();
    let message = raised.message.as_ref().map_or(0, |message| message.to_lossy().len());
    frames + message + raised.kind.len() + raised.bases.iter().map(String::len).sum::<usize>()
}

/// The reply in the format of the protocol.
fn say(reply: &Reply) -> Json {
    let mut said = match &reply.body {
        Body::Ready(ready) => {
            let mut of = json!({
                "protocol": ready.protocol,
                "language": ready.language,
                "version": ready.version,
                "keywords": ready.keywords,
                "programs": ready.programs,
            });
            if let Some(names) = &ready.convention {
                of["names"] = json!(names.name());
            }
            if let Some(tuples) = ready.tuples {
                of["tuples"] = json!(tuples);
            }
            if let Some(driver) = &ready.driver {
                of["driver"] = json!(BASE64.encode(driver));
            }
            json!({ "ready": of })
        }
        Body::Loaded { defined, names, raised, code } => {
            let mut said = json!({ "loaded": { "defined": defined, "names": names.all } });
            for (key, names) in [("classes", &names.classes), ("functions", &names.functions)] {
                if let Some(names) = names {
                    said["loaded"][key] = json!(names);
                }
            }
            if let Some(raised) = raised {
                said["raised"] = say_exception(raised);
            }
            if let Some(code) = code {
                said["code"] = json!(code);
            }
            said
        }
        Body::Done { value, text, is, types, subclasses, shown } => {
            let mut said = json!({ "done": true, "is": is, "types": types, "subclasses": subclasses });
            if let Some(value) = value {
                said["value"] = wire::encode(value);
            }
            if let Some(text) = text {
                said["text"] = wire::encode(text);
            }
            if let Some(shown) = shown {
                said["shown"] = json!(shown);
            }
            said
        }
        Body::Raised(raised) => json!({ "raised": say_exception(raised) }),
        Body::Missing(missing) => {
            let kind = missing.kind.name();
            json!({ "missing": { "kind": kind, "name": missing.name, "on": missing.on, "near": missing.near.as_slice() } })
        }
        Body::Traced => json!({ "traced": true }),
        Body::Waits => json!({ "waits": true }),
        Body::Ended { status, raised } => {
            let mut said = json!({ "ended": {} });
            if let Some(status) = status {
                said["ended"]["status"] = json!(status);
            }
            if let Some(raised) = raised {
                said["raised"] = say_exception(raised);
            }
            said
        }
    };
    if let Some(out) = &reply.out {
        said["out"] = json!(out);
    }
    said
}

fn say_exception(raised: &Exception) -> Json {
    let trace: Vec<Json> =
        raised.trace.iter().map(|frame| json!([frame.file, frame.line, frame.function])).collect();
    let mut said = json!({ "type": raised.kind, "bases": raised.bases, "trace": trace });
    if let Some(message) = &raised.message {
        said["message"] = say_text(message);
    }
    if raised.is_past_input {
        said["past_input"] = json!(true);
    }
    if let Some(syntax) = &raised.syntax {
        said[if syntax.well_formed { "rejected" } else { "syntax" }] = json!([syntax.file, syntax.line, 1]);
        if let Some(brief) = &syntax.brief {
            said["brief"] = json!(brief);
        }
    }
    said
}

fn say_text(text: &Text) -> Json {
    wire::encode(&Value::Str(text.clone()))
}
