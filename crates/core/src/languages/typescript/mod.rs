//! TypeScript, on a node that strips types itself; everything else is shared with JavaScript.

use super::javascript::{self, CRASHES, EXCEPTIONS, JavaScript, NodeTexts, launch_node};
use super::{Convention, DriverArgs, Engine, Language, Scan, Version};
use crate::sandbox::Launch;
use std::sync::LazyLock;

/// TypeScript.
pub static LANGUAGE: Language = Language {
    name: "typescript",
    title: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    headers: &[],
    extends: Some(&javascript::LANGUAGE),
    notation: &JavaScript,
    convention: Convention::Camel,
    keywords: false,
    exceptions: EXCEPTIONS,
    crashes: CRASHES,
    scan,
    definition: r"^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:(?:public|private|protected|static|readonly|abstract)[ \t]+)*(?:async[ \t]+)?(?:(?:function\b[ \t]*\*?|class)[ \t]*NAME\b|(?:get[ \t]+|\*[ \t]*)?NAME[ \t]*(?:<[^>]*>)?\([^;]*\{|(?:(?:const|let|var)[ \t]+)?NAME[ \t]*(?::[^=]*)?=)",
    module: str::to_owned,
    notebooks: None,
    // A page has no node.
    engines: if cfg!(all(target_family = "wasm", target_os = "unknown")) { &[] } else { &[&NODE] },
    build: None,
};

/// Node from the first version that has `module.stripTypeScriptTypes` (its documentation, "Modules:
/// `node:module` API").
static NODE: Engine = Engine {
    language: &LANGUAGE,
    optional: true,
    oldest: Version::new(22, 13),
    install: "Node 22.13 or newer, which strips the types",
    launch,
    ..javascript::NODE
};

fn launch(start: &DriverArgs<'_>) -> Launch {
    // Type stripping is prepared once, before a submission is loaded. The stack of its errors begins with the
    // line, without a file.
    const PREPARE: &str = "((strip) => {
  strip?.('');
  return (source, name) => {
    try { return strip(source); } catch (error) { error.stack = name + error.stack; throw error; }
  };
})(require('module').stripTypeScriptTypes)";
    static TEXTS: LazyLock<NodeTexts> = LazyLock::new(|| NodeTexts::new("['.ts', '.cts', '.mts']", PREPARE));
    launch_node(start, &TEXTS)
}

/// Like JavaScript, plus abstract classes. An import may name the file that a compiler would make.
fn scan(source: &str) -> Scan {
    let Scan { defines, imports } = javascript::scan(&source.replace("abstract class ", "class "));
    let written = |import: String| match import.strip_suffix("js") {
        Some(stem) if stem.ends_with(['.', 'c', 'm']) => format!("{stem}ts"),
        Some(_) | None => import,
    };
    Scan { defines, imports: imports.into_iter().map(written).collect() }
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn types_are_passed_by_and_imports_lead_to_sources() {
        let found = scan(
            "import { Board } from './board.js';\nimport type { Move } from \"./move.ts\";\ninterface Turn { a: number }\nexport abstract class A {}\nclass B<T> extends A {}\nconst limit: number = 3;\n",
        );
        assert_eq!(found.defines, ["A", "B", "limit"]);
        assert_eq!(found.imports, ["board.ts", "move.ts"]);
    }
}
