//! JavaScript, on Node 20 and newer.

use super::{Driver, Scan};
use crate::sandbox::{Launch, Transport};
use crate::value::syntax::Syntax;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// The part of the driver that is the same for every engine.
const CORE: &str = include_str!("javascript.js");

/// The part of the driver that knows node.
const HOST: &str = include_str!("node.js");

/// Writable memory of node with the driver in it, before a submission is loaded: V8 alone reserves far more than
/// it uses.
const BASELINE: u64 = 640 << 20;

pub(super) const DRIVER: Driver = Driver {
    language: "javascript",
    title: "JavaScript",
    endings: &["js", "mjs", "cjs"],
    syntax: Syntax::JavaScript,
    snake_case: false,
    keywords: false,
    exceptions: &[
        "AggregateError",
        "Error",
        "EvalError",
        "RangeError",
        "ReferenceError",
        "SyntaxError",
        "TypeError",
        "URIError",
    ],
    shared: true,
    programs: &["node", "nodejs"],
    oldest: (20, 0),
    probe: &["-p", "process.execPath + '\\n' + process.versions.node"],
    launch,
    scan,
    module: str::to_owned,
    newer_syntax,
};

fn launch(program: &Path, transport: Transport) -> Launch {
    static TEXTS: LazyLock<[String; 2]> = LazyLock::new(|| {
        ["socket", "pipes"].map(|mode| format!("const CORE = {CORE};\nconst MODE = '{mode}';\n{HOST}"))
    });
    let text = match transport {
        Transport::Socket => &TEXTS[0],
        Transport::Pipes => &TEXTS[1],
    };
    let args = ["--no-warnings", "--experimental-vm-modules", "-e", text];
    Launch {
        program: program.to_owned(),
        args: args.map(Into::into).into(),
        env: Vec::new(),
        transport,
        baseline: BASELINE,
        shared: true,
    }
}

fn scan(source: &str) -> Scan {
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

/// Syntax newer than the oldest node that keur takes, from the node release notes.
fn newer_syntax(line: &str, version: (u32, u32)) -> Option<(&'static str, &'static str)> {
    static NEWER: LazyLock<[(Regex, &str, (u32, u32), &str); 3]> = LazyLock::new(|| {
        [
            (pattern(r"/\w*v\w*\s*[;,.)]"), "the regular expression flag v", (20, 0), "20"),
            (pattern(r"\bimport\b.*\bwith\s*\{"), "import attributes", (22, 0), "22"),
            (pattern(r"^\s*(?:await\s+)?using\s+\w+\s*="), "a `using` declaration", (24, 0), "24"),
        ]
    });
    NEWER
        .iter()
        .find(|(regex, _, since, _)| version < *since && regex.is_match(line))
        .map(|(_, what, _, since)| (*what, *since))
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants of this file, each run by a test")]
fn pattern(regex: &str) -> Regex {
    Regex::new(regex).unwrap()
}

#[cfg(test)]
mod tests {
    use super::{newer_syntax, scan};

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
        assert_eq!(newer_syntax("using x = f();", (20, 20)), Some(("a `using` declaration", "24")));
        assert_eq!(
            newer_syntax("import a from './a.json' with { type: 'json' }", (20, 1)).map(|(_, v)| v),
            Some("22")
        );
        assert_eq!(newer_syntax("let x = 1;", (20, 0)), None);
    }
}
