//! No file of `src` needs a file that needs it.
//!
//! A path leads to the file that defines what it names: re-exports are followed, and do not count themselves.

use super::names::{Module, Name};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The source tree: each module, by its path.
struct House(BTreeMap<Name, Module>);

impl House {
    fn read(files: &[(String, String)]) -> House {
        let name = |path: &str| -> Name {
            let path = path.trim_end_matches(".rs");
            let path = path.strip_suffix("/mod").unwrap_or(path);
            path.split('/').filter(|word| *word != "lib").map(str::to_owned).collect()
        };
        House(files.iter().map(|(path, source)| (name(path), Module::read(source))).collect())
    }

    /// The absolute form of a path in `module`; `None` if it is of another crate.
    fn absolute(&self, module: &Name, path: &[String]) -> Option<Name> {
        let first = path.first()?.as_str();
        let (mut from, mut rest) = (module.clone(), path);
        match first {
            "crate" => (from, rest) = (Name::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    from.pop();
                    rest = &rest[1..];
                }
            }
            _ if self.0[module].modules.contains(first) => {}
            _ => return None,
        }
        Some(from.into_iter().chain(rest.iter().cloned()).collect())
    }

    /// The module that defines a name.
    fn home(&self, name: &Name, seen: &mut BTreeSet<Name>) -> Option<Name> {
        if !seen.insert(name.clone()) {
            return None;
        }
        let length = (0..=name.len()).rev().find(|length| self.0.contains_key(&name[..*length]))?;
        let (module, item) = (name[..length].to_vec(), &name[length..]);
        let Some(first) = item.first() else { return Some(module) };
        for found in self.0[&module].uses.iter().filter(|found| found.name == *first) {
            if let Some(mut target) = self.absolute(&module, &found.path) {
                target.extend_from_slice(&item[1..]);
                return self.home(&target, seen);
            }
        }
        Some(module)
    }

    /// The modules that a module needs.
    fn needs(&self, name: &Name) -> BTreeSet<Name> {
        let module = &self.0[name];
        let mut named: Vec<Name> = Vec::new();
        for found in module.uses.iter().filter(|found| !found.public) {
            // What is used of an imported module is named where it is used.
            if let Some(target) =
                self.absolute(name, &found.path).filter(|target| !self.0.contains_key(target))
            {
                named.push(target);
            }
        }
        named.extend(module.paths().filter_map(|path| self.absolute(name, &path)));
        let homes = named.iter().filter_map(|named| self.home(named, &mut BTreeSet::new()));
        homes.filter(|home| home != name).collect()
    }

    /// Modules that need one another, if any.
    fn circle(&self) -> Option<String> {
        let mut needs: BTreeMap<&Name, BTreeSet<Name>> =
            self.0.keys().map(|name| (name, self.needs(name))).collect();
        // A module that needs nothing that is left is in no circle, nor is one that nothing needs.
        loop {
            let left: BTreeSet<Name> = needs.keys().map(|name| (*name).clone()).collect();
            let needed: BTreeSet<Name> = needs.values().flatten().cloned().collect();
            needs.retain(|name, of| {
                of.retain(|other| left.contains(other));
                !of.is_empty() && needed.contains(*name)
            });
            if needs.len() == left.len() {
                break;
            }
        }
        let join = |name: &Name| name.join("::");
        let line = |(name, of): (&&Name, &BTreeSet<Name>)| {
            format!("{} needs {}", join(name), of.iter().map(join).collect::<Vec<_>>().join(", "))
        };
        (!needs.is_empty()).then(|| needs.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

#[test]
fn no_file_needs_a_file_that_needs_it() {
    let src = super::root().join("src");
    let inside = |path: &Path| path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
    let files = super::files("src", "rs").into_iter().map(|(path, source)| (inside(&path), source));
    let is_test = |path: &str| path.split(['/', '.']).any(|word| word == "tests");
    let house: Vec<_> = files.filter(|(path, _)| !is_test(path) && path != "main.rs").collect();
    if let Some(circle) = House::read(&house).circle() {
        panic!("{circle}");
    }
}

#[test]
fn a_circle_is_found_through_reexports_and_modules() {
    let files = |b: &str| {
        let files = [
            ("lib.rs", "pub mod a;\nmod b;\npub use b::Thing;"),
            ("a/mod.rs", "mod inner;\npub use inner::Other;\nuse crate::Thing;"),
            ("a/inner.rs", "pub struct Other;"),
            ("b.rs", b),
        ];
        files.map(|(path, text)| (path.to_owned(), text.to_owned()))
    };
    let circle = |b: &str| House::read(&files(b)).circle();
    assert_eq!(circle("use crate::a::Other;\npub struct Thing;"), None);
    assert_eq!(circle("use std::fs;\n// crate::a::run\npub struct Thing;"), None);
    let both = Some("a needs b\nb needs a".to_owned());
    assert_eq!(circle("use crate::{a::run, messages};\npub struct Thing;"), both);
    assert_eq!(circle("use crate::a;\npub struct Thing;\nfn f() { a::run() }"), both);
    assert_eq!(circle("pub struct Thing;\nfn f() { super::a::run() }"), both);
}
