//! Names of submissions, taken from their paths.

use std::collections::HashMap;
use std::path::{Component, Path};

/// A name for each path: its last part without the ending of a file, and as many parent folders before it as keep
/// the names apart. Paths that are the same get numbers.
pub fn distinct_names(paths: &[&Path]) -> Vec<String> {
    let parts: Vec<Vec<String>> = paths.iter().map(|path| parts(path)).collect();
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

fn parts(path: &Path) -> Vec<String> {
    // `.` and `..` name a folder only once they are looked up.
    let real = path.components().any(|part| matches!(part, Component::ParentDir | Component::CurDir));
    let looked_up = if real { path.canonicalize().ok() } else { None };
    let path = looked_up.as_deref().unwrap_or(path);
    let mut parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    if let (Some(last), Some(stem)) = (parts.last_mut(), path.file_stem())
        && !path.is_dir()
    {
        *last = stem.to_string_lossy().into_owned();
    }
    if parts.is_empty() {
        parts.push(path.display().to_string());
    }
    parts
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
}
