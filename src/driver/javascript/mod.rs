//! JavaScript, on Node 20 and newer; where there is none, on the engine that keur carries.

#[cfg(feature = "quickjs")]
pub mod quickjs;

use super::{Driver, Forks, Mode, Newer, NewerPattern, Scan, Start, in_variables, newer, pattern, two_lines};
use crate::pattern::Regex;
#[cfg(target_os = "linux")]
use crate::sandbox::{Jail, Kind, linux};
use crate::sandbox::{Launch, Transport};
use crate::value::syntax::Syntax;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::sync::LazyLock;

/// The parts of the driver that are the same for every engine: what evaluates requests, and what loads files.
const CORE: &str = include_str!("core.js");
const LOADER: &str = include_str!("loader.js");

/// The part of the driver that knows node.
const NODE: &str = include_str!("node.js");

/// Runs the text that variables carry, where there is no room for it among the arguments.
const UNPACK: &str = "{ let text = ''; for (let i = 0; `KEUR_${i}` in process.env; i++) { text += process.env[`KEUR_${i}`]; \
                      delete process.env[`KEUR_${i}`]; } require('vm').runInThisContext(text); }";

/// Writable memory of node with the driver in it, before a submission is loaded: V8 alone reserves far more than
/// it uses.
const BASELINE: u64 = 640 << 20;

/// What is the same for every engine, with node's own.
const NODE_ENGINE: Driver = Driver {
    language: "javascript",
    title: "JavaScript",
    engine: "node",
    engine_title: "Node",
    alternative: None,
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
    crashes: &["InternalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError"],
    shared: true,
    compiles: false,
    optional: false,
    forks: Forks::No,
    preload: &[],
    programs: &["node", "nodejs"],
    oldest: (20, 0),
    install: "Node",
    probe: &["-p", "process.execPath + '\\n' + process.versions.node"],
    told: two_lines,
    text: None,
    launch,
    #[cfg(target_os = "linux")]
    jail,
    scan,
    module: str::to_owned,
    newer_syntax,
};

#[cfg(feature = "quickjs")]
pub(super) const DRIVER: Driver = Driver { alternative: Some(&quickjs::DRIVER), ..NODE_ENGINE };
#[cfg(not(feature = "quickjs"))]
pub(super) const DRIVER: Driver = NODE_ENGINE;

fn launch(start: &Start<'_>) -> Launch {
    static TEXTS: LazyLock<[String; 2]> = LazyLock::new(|| {
        ["socket", "pipes"].map(|mode| {
            format!("const CORE = {CORE};\nconst LOADER = {LOADER};\nconst MODE = '{mode}';\n{NODE}")
        })
    });
    let text = match start.mode {
        Mode::Process(Transport::Socket) | Mode::Server(_) => &TEXTS[0],
        Mode::Process(Transport::Pipes) => &TEXTS[1],
    };
    // The heap has a limit of its own, which V8 tells of when it is reached; it takes whole megabytes.
    let heap = format!("--max-old-space-size={}", (start.memory >> 20).max(16));
    let seed = format!("--random-seed={}", start.seed.max(1));
    let mut args: Vec<std::ffi::OsString> = vec![heap.into(), seed.into()];
    #[cfg(target_os = "linux")]
    args.extend(linux::NODE_ARGUMENTS.iter().map(Into::into));
    let (text, env) = match start.mode {
        Mode::Process(Transport::Pipes) => (UNPACK, in_variables(text)),
        Mode::Process(Transport::Socket) | Mode::Server(_) => (text.as_str(), Vec::new()),
    };
    args.extend(["--no-warnings", "--experimental-vm-modules", "-e", text].map(Into::into));
    Launch {
        program: start.program.to_owned(),
        args,
        env,
        transport: start.mode.transport(),
        baseline: BASELINE,
        shared: true,
        jail: None,
    }
}

#[cfg(target_os = "linux")]
fn jail(program: &Path) -> std::io::Result<Jail> {
    let paths = linux::node(program)?;
    Ok(Jail { kind: Kind::Engine, strict: false, readable: paths.readable, hidden: paths.hidden })
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
fn newer_syntax(line: &str, version: (u32, u32)) -> Option<Newer> {
    static NEWER: LazyLock<Vec<NewerPattern>> = LazyLock::new(|| {
        [
            (r"\bimport\b.*\bwith\s*\{", "import attributes", (22, 0)),
            (r"^\s*(?:await\s+)?using\s+\w+\s*=", "a `using` declaration", (24, 0)),
        ]
        .map(|(regex, what, since)| (pattern(regex), Newer { what, since }))
        .into()
    });
    newer(&NEWER, line, version)
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
        let named = |line, version| newer_syntax(line, version).map(|newer| (newer.what, newer.since));
        assert_eq!(named("using x = f();", (20, 20)), Some(("a `using` declaration", (24, 0))));
        let import = "import a from './a.json' with { type: 'json' }";
        assert_eq!(named(import, (20, 1)), Some(("import attributes", (22, 0))));
        assert_eq!(named("let x = 1;", (20, 0)), None);
    }
}
