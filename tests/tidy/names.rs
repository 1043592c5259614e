//! The names in a source file, read as text.
//!
//! It handles the styles that this project uses: `use` with or without braces, and paths.

use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A module as a path from the root of the crate, or an item in one.
pub(crate) type Name = Vec<String>;

static USE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);"));
static MODULE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;"));
static PATH: LazyLock<Regex> = LazyLock::new(|| regex(r"\b\w+(?:::\w+)+"));
static VISIBILITY: LazyLock<Regex> = LazyLock::new(|| regex(r"pub\(in [^)]*\)"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// A file, with the names that it uses.
pub(crate) struct Module {
    pub(crate) uses: Vec<Use>,
    /// Its text without comments, tests and `use`.
    body: String,
    pub(crate) modules: BTreeSet<String>,
}

/// A name that a `use` imports.
pub(crate) struct Use {
    pub(crate) path: Name,
    pub(crate) name: String,
    pub(crate) public: bool,
}

impl Module {
    pub(crate) fn read(source: &str) -> Module {
        let source = VISIBILITY.replace_all(source, "pub");
        let code: String = super::code(&source).map(|line| format!("{line}\n")).collect();
        let uses = USE.captures_iter(&code).flat_map(|found| {
            let public = found.get(1).is_some();
            leaves(&found[2], &[]).into_iter().map(move |(path, name)| Use { path, name, public })
        });
        Module {
            uses: uses.collect(),
            body: USE.replace_all(&code, "").into_owned(),
            modules: MODULE.captures_iter(&code).map(|found| found[1].to_owned()).collect(),
        }
    }

    /// The paths outside `use`, each resolved from the import of its first word.
    pub(crate) fn paths(&self) -> impl Iterator<Item = Name> {
        PATH.find_iter(&self.body).map(|path| {
            let path: Name = path.as_str().split("::").map(str::to_owned).collect();
            match self.uses.iter().find(|found| found.name == path[0]) {
                Some(found) => found.path.iter().chain(&path[1..]).cloned().collect(),
                None => path,
            }
        })
    }

    /// All names in it, in `use` and elsewhere.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> {
        self.uses.iter().map(|found| found.path.clone()).chain(self.paths())
    }
}

/// The paths of a `use` tree, each with the name that it imports.
fn leaves(tree: &str, before: &[String]) -> Vec<(Name, String)> {
    let tree = tree.trim();
    let split = |path: &str| -> Name {
        let words = path.split("::").map(|word| word.trim().to_owned());
        before.iter().cloned().chain(words.filter(|word| !word.is_empty())).collect()
    };
    if let Some((head, inside)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let head = split(head);
        let (mut parts, mut depth) = (vec![String::new()], 0);
        for ch in inside.chars() {
            depth += i32::from(ch == '{') - i32::from(ch == '}');
            if ch == ',' && depth == 0 {
                parts.push(String::new());
            } else {
                parts.last_mut().unwrap().push(ch);
            }
        }
        let parts = parts.iter().filter(|part| !part.trim().is_empty());
        return parts.flat_map(|part| leaves(part, &head)).collect();
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias)));
    let mut path = split(path);
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = alias.map_or_else(|| path.last().unwrap().clone(), |alias| alias.trim().to_owned());
    vec![(path, name)]
}
