//! The invariants of a value that a driver sends, whatever its bytes.

use keur_core::adapter::wire;
use keur_core::case::{Exercise, Matcher, parse_cases, parse_exercise};
use keur_core::languages::javascript::JavaScript;
use keur_core::languages::python::Python;
use keur_core::value::Value;
use keur_core::value::notation::Notation;
use std::sync::LazyLock;

/// A larger integer in bits is described, not written out.
const WRITTEN_BITS: u64 = 1 << 12;

static EXERCISE: LazyLock<Exercise> = LazyLock::new(|| {
    let source = "title = \"f\"\nsession = \"python\"\n[function]\nf = { args = [] }\n";
    parse_exercise("f", "exercise.toml", source).expect("an exercise")
});

pub(crate) fn check(text: &[u8]) {
    let Ok(json) = serde_json::from_slice(text) else { return };
    let value = match wire::decode(&json) {
        Ok(value) => value,
        Err(why) => return assert!(!why.is_empty()),
    };
    let encoded = wire::encode(&value);
    let read = serde_json::from_str(&encoded.to_string()).expect("an encoded value is JSON");
    assert_eq!(encoded, read);
    let again = wire::decode(&read).expect("an encoded value is one");
    // NaN equals nothing, so the debug texts are compared.
    assert_eq!(format!("{again:?}"), format!("{value:?}"));
    assert_eq!(wire::encode(&again), encoded);

    let literals = [&Python as &dyn Notation, &JavaScript].map(|notation| {
        // A string's text is the string itself, whatever it contains.
        notation.text(&value);
        notation.literal(&value)
    });
    if !names_a_type(&value) {
        assert!(literals.iter().all(|literal| plain(literal)), "{literals:?}");
    }
    let [python, _] = literals;
    if is_literal(&value) {
        assert_eq!(format!("{:?}", expected(&python)), format!("{value:?}"), "{python}");
    }
}

/// Whether a terminal shows the text unchanged.
fn plain(text: &str) -> bool {
    !text.chars().any(|ch| ch.is_control() || matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The value that a case expects with `equals`.
fn expected(literal: &str) -> Value {
    let equals = toml::Value::from(literal);
    let source = format!("title = \"t\"\n[[step]]\ndo = \"f()\"\nequals = {equals}\n");
    let cases = parse_cases(&EXERCISE, "t", "t.toml", &source).expect("a literal can be expected");
    let case = cases.into_iter().next();
    let expect = case.and_then(|case| case.expect.into_iter().next());
    let returns = expect.and_then(|expect| expect.value);
    let Some(Matcher::Exact(value)) = returns.map(|returns| returns.matcher) else {
        panic!("`equals` expects a value")
    };
    value
}

/// Whether the value contains a type name: text of the submission, which each report escapes.
fn names_a_type(value: &Value) -> bool {
    value.parts().any(|part| matches!(part, Value::Opaque(_)))
}

/// Whether the language of cases has a literal for the value.
fn is_literal(value: &Value) -> bool {
    let huge = |value: &Value| matches!(value, Value::Int(int) if int.bits() > WRITTEN_BITS);
    let foreign = |value: &Value| {
        matches!(
            value,
            Value::Undefined | Value::Number(_) | Value::BigInt(_) | Value::Opaque(_) | Value::Cut(_)
        )
    };
    !value.parts().any(|part| huge(part) || foreign(part))
}
