//! Python 3.11 and newer.

#[cfg(target_os = "linux")]
mod compiled;
mod notation;
mod notebook;
mod packages;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod pyodide;
mod tokens;

pub use notation::Python;
#[doc(hidden)]
pub use packages::Packages;

use super::{
    Convention, DriverArgs, Engine, Forks, Language, Lifetime, Mode, Newer, NewerSyntax, Scan, Version,
    in_variables, parse_three_lines, pattern,
};
#[cfg(target_os = "linux")]
use crate::sandbox::{Jail, ProgramKind, Strictness, linux};
use crate::sandbox::{Launch, Transport};
use regex::Regex;
#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The driver text, passed to the interpreter as an argument.
const TEXT: &str = include_str!("driver.py");

/// Runs the text in environment variables, if it is too long for the arguments.
const UNPACK: &str = "import os
parts = []
while 'KEUR_%d' % len(parts) in os.environ:
    parts.append(os.environ.pop('KEUR_%d' % len(parts)))
exec(''.join(parts))";

/// Runs the first message on descriptor 3: the driver as text, or its bytecode after the number of the
/// bytecode's form.
const LOADER: &str = "from _frozen_importlib_external import MAGIC_NUMBER
from marshal import loads
from posix import read
driver = read(3, 1048576)
exec(loads(driver[len(MAGIC_NUMBER):]) if driver.startswith(MAGIC_NUMBER) else driver)";

/// Writable memory of the interpreter with the driver, before a submission is loaded.
const BASELINE: u64 = 32 << 20;

/// Folders of the standard library that hold packages installed later.
#[cfg(target_os = "linux")]
const INSTALLED: [&str; 2] = ["site-packages", "dist-packages"];

/// Python.
pub static LANGUAGE: Language = Language {
    name: "python",
    title: "Python",
    extensions: &["py", "ipynb"],
    headers: &[],
    extends: None,
    notation: &Python,
    convention: Convention::Snake,
    keywords: true,
    exceptions: EXCEPTIONS,
    crashes: &[
        "AttributeError", "ImportError", "IndentationError", "IndexError", "KeyError", "ModuleNotFoundError",
        "NameError", "RecursionError", "SyntaxError", "TabError", "TypeError", "UnboundLocalError",
        "ZeroDivisionError",
    ],
    scan,
    definition: r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+NAME\b|^NAME[ \t]*(?::[^=]*)?=[^=]",
    module,
    notebooks: Some(&notebook::NOTEBOOKS),
    engines: &[
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        &ENGINE,
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        &pyodide::PYODIDE,
    ],
    build: None,
};

static ENGINE: Engine = Engine {
    language: &LANGUAGE,
    name: "python",
    title: "Python",
    in_page: None,
    option: Some(("python", "The Python interpreter")),
    lifetime: Lifetime::Case(Forks::Confined),
    loads_again: true,
    optional: false,
    preload: &[
        "abc", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
        "functools", "heapq", "itertools", "json", "math", "operator", "random", "re", "statistics",
        "string", "time", "typing",
    ],
    executables: &["python3", "python3.15", "python3.14", "python3.13", "python3.12", "python3.11", "python"],
    oldest: Version::new(3, 11),
    install: "it",
    probe: &[
        "-I",
        "-S",
        "-c",
        "import sys; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3]); print(*sys.version.split())",
    ],
    parse_probe: parse_three_lines,
    text: None,
    carried: None,
    launch,
    #[cfg(target_os = "linux")]
    jail,
    newer_syntax,
};

/// The built-in exceptions of Python 3.11 (docs.python.org, "Built-in Exceptions"), without warnings.
const EXCEPTIONS: &[&str] = &[
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
    "BlockingIOError", "BrokenPipeError", "BufferError", "ChildProcessError", "ConnectionAbortedError",
    "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "EOFError", "EnvironmentError",
    "Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError",
    "GeneratorExit", "IOError", "ImportError", "IndentationError", "IndexError", "InterruptedError",
    "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError",
    "ModuleNotFoundError", "NameError", "NotADirectoryError", "NotImplementedError", "OSError",
    "OverflowError", "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError",
    "RuntimeError", "StopAsyncIteration", "StopIteration", "SyntaxError", "SystemError", "SystemExit",
    "TabError", "TimeoutError", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError",
    "UnicodeError", "UnicodeTranslateError", "ValueError", "ZeroDivisionError",
];

fn launch(start: &DriverArgs<'_>) -> Launch {
    // Isolated from the user's environment and packages, but with the environment's hash seed.
    let (text, mut env) = match start.mode {
        Mode::Process(Transport::Pipes) => (UNPACK, in_variables(TEXT)),
        Mode::Process(Transport::Socket) => (TEXT, Vec::new()),
        Mode::Server(_) => (LOADER, Vec::new()),
    };
    let seed = start.seed.to_string();
    let args = ["-s", "-S", "-P", "-B", "-c", text, start.mode.word(), &seed];
    env.extend(
        [("PYTHONHASHSEED", seed.as_str()), ("PYTHONUTF8", "1"), ("LANG", "C.UTF-8")]
            .map(|(key, value)| (key.to_owned(), value.to_owned())),
    );
    Launch {
        args: args.map(Into::into).into(),
        env,
        transport: start.mode.transport(),
        baseline: BASELINE,
        first_message: first_message(start),
        ..Launch::new(start.program)
    }
}

/// The driver for a fork server: its bytecode, or its text.
fn first_message(start: &DriverArgs<'_>) -> Vec<u8> {
    match (start.mode, start.cache) {
        (Mode::Process(_), _) => Vec::new(),
        #[cfg(target_os = "linux")]
        (Mode::Server(_), Some(cache)) => {
            compiled::bytecode(start.program, cache).unwrap_or_else(|| TEXT.into())
        }
        (Mode::Server(_), _) => TEXT.into(),
    }
}

/// The standard library is in a folder named after the version, next to the program's; otherwise the
/// interpreter is asked.
#[cfg(target_os = "linux")]
fn jail(program: &Path) -> std::io::Result<Jail> {
    // Without links: a virtual environment has the library of the Python that it was made with.
    let program = &program.canonicalize()?;
    let prefix = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let name = program.file_name().unwrap_or_default();
    let library = prefix.join("lib").join(name);
    let (prefix, libraries) = if library.join("os.py").is_file() {
        (prefix.to_owned(), vec![library])
    } else {
        const ASK: &str = "import sys, sysconfig; print(sys.base_prefix); \
                           print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('platstdlib'))";
        let answer = crate::sandbox::Tools::default().ask(program, &["-I", "-S", "-c", ASK])?;
        let text = String::from_utf8_lossy(&answer.output).into_owned();
        let mut lines = text.lines().map(PathBuf::from);
        (lines.next().unwrap_or_default(), lines.collect())
    };
    let mut readable = linux::libraries(program)?;
    readable.extend(shared_objects(&prefix.join("lib")));
    let mut hidden = Vec::new();
    for library in libraries {
        if library.is_dir() && !readable.contains(&library) {
            hidden.extend(INSTALLED.iter().map(|name| library.join(name)).filter(|path| path.is_dir()));
            readable.push(library);
        }
    }
    Ok(Jail { kind: ProgramKind::ForkServer, strictness: Strictness::Standard, readable, hidden })
}

/// The shared objects directly in a folder, such as an interpreter's own library.
#[cfg(target_os = "linux")]
fn shared_objects(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let is_shared = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.ends_with(".so") || name.contains(".so.")) && path.is_file()
    };
    entries.flatten().map(|entry| entry.path()).filter(is_shared).collect()
}

fn scan(source: &str) -> Scan {
    static DEFINES: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^(?:class|(?:async[ \t]+)?def)[ \t]+(\w+)"));
    static ASSIGNS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(\w+)[ \t]*(?::[^=\n]*)?=[^=]"));
    static FROM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[ \t]*from[ \t]+\.?(\w+)[ \t]+import\b"));
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[ \t]*import[ \t]+((?:\w|[., \t])+)"));
    let first = |regex: &Regex| -> Vec<String> {
        regex.captures_iter(source).map(|found| found[1].to_owned()).collect()
    };
    let mut defines = first(&DEFINES);
    defines.extend(first(&ASSIGNS));
    let mut imports = first(&FROM);
    for found in IMPORT.captures_iter(source) {
        let modules = found[1].split(',').filter_map(|module| module.split_whitespace().next());
        imports.extend(modules.map(|module| module.split('.').next().unwrap_or(module).to_owned()));
    }
    Scan { defines, imports }
}

/// The stem of the file, if it is a valid module name; students also submit `oefening 3.py`.
fn module(file: &str) -> String {
    let stem = file.strip_suffix(".py").or_else(|| file.strip_suffix(".ipynb")).unwrap_or(file);
    let plain = stem.starts_with(|ch: char| ch.is_alphabetic() || ch == '_')
        && stem.chars().all(|ch| ch.is_alphanumeric() || ch == '_');
    if plain { stem.to_owned() } else { "submission".to_owned() }
}

/// Syntax newer than the oldest supported Python, from the "What's New in Python" pages.
fn newer_syntax(line: &str, version: Version) -> Option<Newer> {
    static NEWER: LazyLock<NewerSyntax> = LazyLock::new(|| {
        let quotes = r#"[fF]"[^"{]*\{[^"}]*"|[fF]'[^'{]*\{[^'}]*'"#;
        NewerSyntax::new(&[
            (r"^\s*type\s+\w+(\[.*\])?\s*=", "the `type` statement", Version::new(3, 12)),
            (r"^\s*(def|class)\s+\w+\[", "type parameters in brackets", Version::new(3, 12)),
            (quotes, "the same quotes inside an f-string", Version::new(3, 12)),
            (r"\b[tT](r|R)?['\x22]", "a template string", Version::new(3, 14)),
            (r"^\s*except\s+\w+\s*,\s*\w+", "`except` without parentheses", Version::new(3, 14)),
        ])
    });
    NEWER.on(line, version)
}

#[cfg(test)]
mod tests {
    use super::{Version, module, newer_syntax, scan};

    #[test]
    fn top_level_definitions_and_imports_are_read() {
        let found = scan(
            "import board, random as r\nfrom move import *\nclass A(B):\n    def m(self): pass\nasync def f(): pass\nDef = 3\nx: int = 4\n",
        );
        assert_eq!(found.defines, ["A", "f", "Def", "x"]);
        assert_eq!(found.imports, ["move", "board", "random"]);
    }

    #[test]
    fn a_file_whose_stem_is_no_name_is_loaded_under_another() {
        assert_eq!(module("codenames.py"), "codenames");
        assert_eq!(module("oefening 3.py"), "submission");
        assert_eq!(module("3.py"), "submission");
    }

    #[test]
    fn newer_syntax_is_named_with_the_version_that_has_it() {
        let named = |line, version| newer_syntax(line, version).map(|newer| (newer.what, newer.since));
        assert_eq!(
            named("type A = int", Version::new(3, 11)),
            Some(("the `type` statement", Version::new(3, 12)))
        );
        assert_eq!(
            named("def f[T](x: T):", Version::new(3, 11)),
            Some(("type parameters in brackets", Version::new(3, 12)))
        );
        assert_eq!(
            named(r#"f"{x["a"]}""#, Version::new(3, 11)),
            Some(("the same quotes inside an f-string", Version::new(3, 12)))
        );
        assert_eq!(
            named("except A, B:", Version::new(3, 13)),
            Some(("`except` without parentheses", Version::new(3, 14)))
        );
        assert_eq!(named("t'{x}'", Version::new(3, 13)), Some(("a template string", Version::new(3, 14))));
        assert_eq!(named("type A = int", Version::new(3, 12)), None);
        assert_eq!(named("def f(x):", Version::new(3, 11)), None);
    }
}
