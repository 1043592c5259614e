//! Names of submissions, taken from their paths.

use super::archive::has_zip_name;
use crate::languages;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

/// A name for each path: its last part, and as many parent folders as make the names distinct.
///
/// Extensions are dropped, except from files that differ only in them. Equal paths get numbers.
pub fn distinct_names(paths: &[&Path]) -> Vec<String> {
    let parts = with_endings_that_tell(paths.iter().map(|path| parts(path)).collect());
    let mut depth = vec![1; paths.len()];
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let name = |index: usize, depth: usize| {
        let parts: &Vec<String> = &parts[index];
        parts[parts.len() - depth.min(parts.len())..].join("/")
    };
    for _ in 0..longest {
        let names: Vec<String> = depth.iter().enumerate().map(|(index, depth)| name(index, *depth)).collect();
        let mut count: HashMap<&str, usize> = HashMap::new();
        names.iter().for_each(|name| *count.entry(name).or_default() += 1);
        for (index, name) in names.iter().enumerate() {
            depth[index] += usize::from(count.get(name.as_str()).is_some_and(|count| *count > 1));
        }
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    depth
        .iter()
        .enumerate()
        .map(|(index, depth)| {
            let name = name(index, *depth);
            let again = seen.entry(name.clone()).or_default();
            *again += 1;
            if *again == 1 { name } else { format!("{name}#{again}") }
        })
        .collect()
}

/// The parts of a path.
struct PathParts {
    /// Folders and the last part; a file's is without its extension.
    names: Vec<String>,
    /// The last part of a file with its extension.
    whole: Option<String>,
}

/// The parts of each path, with the extension if another path differs only in its extension.
fn with_endings_that_tell(paths: Vec<PathParts>) -> Vec<Vec<String>> {
    let mut wholes: HashMap<Vec<String>, HashSet<Option<String>>> = HashMap::new();
    for path in &paths {
        wholes.entry(path.names.clone()).or_default().insert(path.whole.clone());
    }
    let distinct = |PathParts { mut names, whole }: PathParts| {
        let differs_in_extension = wholes.get(&names).is_some_and(|wholes| wholes.len() > 1);
        if differs_in_extension && let (Some(last), Some(whole)) = (names.last_mut(), whole) {
            *last = whole;
        }
        names
    };
    paths.into_iter().map(distinct).collect()
}

fn parts(path: &Path) -> PathParts {
    // `.` and `..` have a name only after they are resolved.
    let has_dots = path.components().any(|part| matches!(part, Component::ParentDir | Component::CurDir));
    let looked_up = if has_dots { path.canonicalize().ok() } else { None };
    let path = looked_up.as_deref().unwrap_or(path);
    let mut names: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    let mut whole = None;
    // What is in a zip is a folder or a file, depending on its name.
    let is_file = path.is_file() || names.last().is_some_and(|name| languages::of_file(name).is_some());
    if let (Some(last), Some(stem)) = (names.last_mut(), path.file_stem())
        && (is_file || has_zip_name(path))
        && !path.is_dir()
    {
        whole = Some(std::mem::replace(last, stem.to_string_lossy().into_owned()));
    }
    if names.is_empty() {
        names.push(path.display().to_string());
    }
    PathParts { names, whole }
}

#[cfg(test)]
mod tests {
    use super::distinct_names;
    use std::path::Path;

    #[test]
    fn names_are_as_short_as_keeps_them_apart() {
        let paths = ["in/jan/codenames.py", "in/piet/codenames.py", "in/an/quixo.js", "in/an/quixo.js"];
        let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
        assert_eq!(
            distinct_names(&paths),
            ["jan/codenames", "piet/codenames", "in/an/quixo", "in/an/quixo#2"]
        );
    }

    #[test]
    fn files_that_only_their_endings_tell_apart_keep_them() {
        let paths = ["in/an.py", "in/an.js", "in/bo.py", "elsewhere/bo.js", "in/cem.js"];
        let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
        assert_eq!(distinct_names(&paths), ["an.py", "an.js", "in/bo", "elsewhere/bo", "cem"]);
    }
}
