//! The invariants of reading a source file, whatever its bytes.

use keur_core::languages::{LANGUAGES, Version};
use keur_core::submission::opened::exercises_named;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for language in LANGUAGES {
        let scan = (language.scan)(&text);
        assert_eq!(scan, (language.scan)(&text));
        let found = scan.defines.iter().chain(&scan.imports);
        assert!(found.map(|name| name.len()).sum::<usize>() <= 3 * text.len(), "{language:?}");
    }
    for line in text.lines() {
        for engine in keur_core::languages::engines() {
            let _ = (engine.newer_syntax)(line, Version::default());
        }
    }
    assert!(exercises_named(&text).iter().all(|name| text.contains(name.as_str())));
}
