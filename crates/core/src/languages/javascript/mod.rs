//! JavaScript, on Node 20 and newer; without Node, on the engine built into keur.

mod node;
mod notation;
#[cfg(feature = "quickjs")]
mod quickjs;
mod tokens;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod worker;

#[cfg(target_os = "linux")]
use node::jail;
pub(super) use node::{NodeTexts, launch_node};
pub use notation::JavaScript;
#[doc(hidden)]
pub use tokens::HEADS;

use super::{
    Convention, DriverArgs, Engine, Language, Lifetime, Newer, NewerSyntax, Scan, Version, parse_three_lines,
    pattern,
};
use crate::sandbox::Launch;
use regex::Regex;
use std::sync::LazyLock;

/// The language's built-in exceptions (ECMAScript, "Error Objects").
pub(super) const EXCEPTIONS: &[&str] = &[
    "AggregateError", "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError",
    "URIError",
];

/// The exception types raised for a mistake in a program.
pub(super) const CRASHES: &[&str] =
    &["InternalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError"];

/// JavaScript.
pub static LANGUAGE: Language = Language {
    name: "javascript",
    title: "JavaScript",
    extensions: &["js", "mjs", "cjs"],
    headers: &[],
    extends: None,
    notation: &JavaScript,
    convention: Convention::Camel,
    keywords: false,
    exceptions: EXCEPTIONS,
    crashes: CRASHES,
    scan,
    definition: r"^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:static[ \t]+)?(?:async[ \t]+)?(?:(?:function\b[ \t]*\*?|class)[ \t]*NAME\b|(?:get[ \t]+|\*[ \t]*)?NAME[ \t]*\([^;]*\{|(?:(?:const|let|var)[ \t]+)?NAME[ \t]*=)",
    module: str::to_owned,
    notebooks: None,
    engines: &[
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        &NODE,
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        &worker::WORKER_ENGINE,
        #[cfg(feature = "quickjs")]
        &quickjs::QUICKJS,
    ],
    build: None,
};

/// Node, which other languages may start too.
pub(super) static NODE: Engine = Engine {
    language: &LANGUAGE,
    name: "node",
    title: "Node",
    in_page: None,
    option: Some(("node", "The node program")),
    lifetime: Lifetime::Submission { compiles: false },
    loads_again: true,
    optional: false,
    preload: &[],
    executables: &["node", "nodejs"],
    oldest: Version::new(20, 0),
    install: "Node",
    probe: &[
        "-p",
        "process.execPath + '\\n' + process.versions.node + '\\n' + JSON.stringify(process.versions)",
    ],
    parse_probe: parse_three_lines,
    text: None,
    carried: None,
    launch,
    #[cfg(target_os = "linux")]
    jail,
    newer_syntax,
};

fn launch(start: &DriverArgs<'_>) -> Launch {
    static TEXTS: LazyLock<NodeTexts> =
        LazyLock::new(|| NodeTexts::new("['.js', '.cjs', '.mjs']", "(source) => source"));
    launch_node(start, &TEXTS)
}

pub(super) fn scan(source: &str) -> Scan {
    static DEFINES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^(?:export[ \t]+)?(?:default[ \t]+)?(?:class|(?:async[ \t]+)?function[ \t]*\*?|const|let|var)[ \t]+(\w+)",
        )
    });
    static EXPORTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?m)^(?:module\.)?exports(?:\.(\w+)[ \t]*=|[ \t]*=[ \t]*(?:class|function)[ \t]+(\w+))")
    });
    static IMPORTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(?:\brequire[ \t]*\([ \t]*|\bfrom[ \t]*|\bimport[ \t]*\(?[ \t]*)["']\./([^"']+)["']"#)
    });
    let mut defines: Vec<String> = DEFINES.captures_iter(source).map(|found| found[1].to_owned()).collect();
    for found in EXPORTS.captures_iter(source) {
        defines.extend(found.get(1).or_else(|| found.get(2)).map(|name| name.as_str().to_owned()));
    }
    let imports = IMPORTS.captures_iter(source).map(|found| found[1].to_owned()).collect();
    Scan { defines, imports }
}

/// Syntax newer than the oldest supported node, from the node release notes.
fn newer_syntax(line: &str, version: Version) -> Option<Newer> {
    static NEWER: LazyLock<NewerSyntax> = LazyLock::new(|| {
        NewerSyntax::new(&[
            (r"\bimport\b.*\bwith\s*\{", "import attributes", Version::new(22, 0)),
            (r"^\s*(?:await\s+)?using\s+\w+\s*=", "a `using` declaration", Version::new(24, 0)),
        ])
    });
    NEWER.on(line, version)
}

#[cfg(test)]
mod tests {
    use super::{Version, newer_syntax, scan};

    #[test]
    fn top_level_definitions_and_imports_are_read() {
        let found = scan(
            "const b = require('./board.js');\nimport x from \"./move\";\nexport default class A {\n  m() {}\n}\nfunction f() {}\nmodule.exports = class Q {};\nexports.g = 3;\n",
        );
        assert_eq!(found.defines, ["b", "A", "f", "Q", "g"]);
        assert_eq!(found.imports, ["board.js", "move"]);
    }

    #[test]
    fn newer_syntax_is_named_with_the_version_that_has_it() {
        let named = |line, version| newer_syntax(line, version).map(|newer| (newer.what, newer.since));
        assert_eq!(
            named("using x = f();", Version::new(20, 20)),
            Some(("a `using` declaration", Version::new(24, 0)))
        );
        let import = "import a from './a.json' with { type: 'json' }";
        assert_eq!(named(import, Version::new(20, 1)), Some(("import attributes", Version::new(22, 0))));
        assert_eq!(named("let x = 1;", Version::new(20, 0)), None);
    }
}
