//! Members of a workspace: a crate is built alone, so its manifest gets what it inherits from the workspace.
//!
//! The crate's code can read that manifest, so nothing else of the workspace is in it, and no credentials.

use keur_core::adapter::Bundle;
use keur_core::submission::FilesProblem;
use keur_core::submission::opened::MANIFEST;
use std::sync::Arc;
use toml::{Table, Value};

/// The table of a workspace in its manifest.
const WORKSPACE: &str = "workspace";

/// The key of a workspace that decides how cargo chooses features.
const RESOLVER: &str = "resolver";

/// The table of how to compile, which cargo reads only from a workspace's manifest.
const PROFILE: &str = "profile";

/// The files of a crate, whose manifest has at its end what it inherits from the manifests around it.
///
/// # Errors
/// It inherits a key that is not there.
pub(super) fn completed(files: &Bundle, around: &[Arc<[u8]>]) -> Result<Bundle, FilesProblem> {
    let mut files = files.clone();
    if let Some(manifest) = files.files.iter_mut().find(|file| file.name == MANIFEST) {
        let all = with_inherited(&manifest.bytes, around);
        manifest.bytes = all.map_err(|key| FilesProblem::NotInherited { key })?.into();
    }
    Ok(files)
}

/// A manifest with the keys at its end that it inherits from a workspace: the first of the manifests `around`
/// it that is one's. Unchanged if it is no member of one, or inherits nothing.
///
/// # Errors
/// The first key that it inherits, and that no workspace sets.
pub(super) fn with_inherited(manifest: &[u8], around: &[Arc<[u8]>]) -> Result<Vec<u8>, String> {
    let Some(member) = member(manifest) else { return Ok(manifest.to_vec()) };
    let roots = around.iter().filter_map(|manifest| parsed(manifest));
    let mut root = roots.into_iter().find(|root| root.contains_key(WORKSPACE)).unwrap_or_default();
    let workspace = root.remove(WORKSPACE);
    let mut workspace = workspace.and_then(|table| table.try_into::<Table>().ok()).unwrap_or_default();
    if let Some(key) = missing(&member, &workspace) {
        return Err(key);
    }
    keep_inherited(&mut workspace, &member);
    let mut added = Table::from_iter([(WORKSPACE.to_owned(), Value::Table(workspace))]);
    if !member.contains_key(PROFILE) {
        added.extend(root.remove_entry(PROFILE));
    }
    Ok([manifest, format!("\n# From the workspace.\n{added}").as_bytes()].concat())
}

/// The manifest of a crate that inherits keys.
fn member(manifest: &[u8]) -> Option<Table> {
    let table = parsed(manifest)?;
    (!table.contains_key(WORKSPACE) && table.values().any(inherits)).then_some(table)
}

/// Whether there is `workspace = true` in a value.
fn inherits(value: &Value) -> bool {
    value.as_table().is_some_and(|table| is_inherited(table) || table.values().any(inherits))
}

/// The first key that `member` inherits, and that its workspace does not set.
fn missing(member: &Table, workspace: &Table) -> Option<String> {
    let package = table(member, "package").map(|own| (own, "package"));
    let dependencies = dependencies(member).into_iter().map(|own| (own, "dependencies"));
    let missing = package.into_iter().chain(dependencies).find_map(|(own, of)| {
        let has = |key: &str| table(workspace, of).is_some_and(|set| set.contains_key(key));
        let mut keys = own.iter().filter(|(_, value)| value.as_table().is_some_and(is_inherited));
        keys.find(|(key, _)| !has(key)).map(|(key, _)| key.clone())
    });
    let lacks_lints = table(member, "lints").is_some_and(is_inherited) && !workspace.contains_key("lints");
    missing.or_else(|| lacks_lints.then(|| "lints".to_owned()))
}

/// Removes from a workspace what `member` does not inherit, and all credentials.
fn keep_inherited(workspace: &mut Table, member: &Table) {
    workspace.retain(|key, value| {
        let all = match key {
            RESOLVER => return true,
            "package" => table(member, "package").map(|package| vec![package]).unwrap_or_default(),
            "dependencies" => dependencies(member),
            "lints" => return table(member, "lints").is_some_and(is_inherited),
            _ => return false,
        };
        let Some(values) = value.as_table_mut() else { return false };
        values.retain(|key, value| {
            remove_credentials(value);
            all.iter().any(|table_of| table(table_of, key).is_some_and(is_inherited))
        });
        !values.is_empty()
    });
}

/// The tables of dependencies in a manifest, for all targets.
fn dependencies(manifest: &Table) -> Vec<&Table> {
    let targets = table(manifest, "target").into_iter().flat_map(|targets| targets.values());
    let places = std::iter::once(manifest).chain(targets.filter_map(Value::as_table));
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    places.flat_map(|place| kinds.iter().filter_map(|kind| table(place, kind))).collect()
}

fn table<'t>(of: &'t Table, key: &str) -> Option<&'t Table> {
    of.get(key)?.as_table()
}

/// Whether a table of a member says `workspace = true`.
fn is_inherited(table: &Table) -> bool {
    table.get(WORKSPACE).and_then(Value::as_bool) == Some(true)
}

/// Removes the user and the password from all addresses in a value.
fn remove_credentials(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((scheme, rest)) = text.split_once("://") {
                let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
                let credentials = host.rfind('@').map_or(0, |at| at + 1);
                *text = format!("{scheme}://{}", &rest[credentials..]);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(remove_credentials),
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| remove_credentials(value)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

fn parsed(manifest: &[u8]) -> Option<Table> {
    std::str::from_utf8(manifest).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::with_inherited;
    use keur_core::submission::opened::manifests_above;
    use std::fs;
    use std::sync::Arc;

    const ROOT: &str = "[workspace]\nmembers = [\"*\"]\n[workspace.package]\nedition = \"2024\"\nauthors = [\"Ann\"]\n\
        [workspace.dependencies]\nrand = \"0.9\"\nprivate = \"1\"\nown = { git = \"ssh://me:secret@git.example/a@b\" }\n\
        [workspace.lints.rust]\nunused = \"deny\"\n[workspace.metadata]\nkey = \"secret\"\n[profile.dev]\nopt-level = 1\n[patch.crates-io]\na = \"1\"\n";
    const MEMBER: &str = "[package]\nname = \"a\"\nedition.workspace = true\n";

    /// What is added to a manifest in the folder `week1/a` of a workspace.
    fn added(manifest: &str) -> String {
        let course = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = course.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("Cargo.toml", ROOT);
        // The nearest manifest is not a workspace's.
        write("week1/Cargo.toml", "[package]\nname = \"week1\"\n");
        write("week1/a/Cargo.toml", manifest);
        let around = manifests_above(&course.path().join("week1/a"));
        let all = String::from_utf8(with_inherited(manifest.as_bytes(), &around).unwrap()).unwrap();
        all.strip_prefix(manifest).unwrap().to_owned()
    }

    #[test]
    fn a_member_gets_what_it_inherits() {
        let wanted = "\n# From the workspace.\n[profile.dev]\nopt-level = 1\n\n\
            [workspace.package]\nedition = \"2024\"\n";
        assert_eq!(added(MEMBER), wanted);
        let more = "[dependencies]\nrand.workspace = true\nprivate = \"1\"\n\
                    [target.'cfg(unix)'.dev-dependencies]\nown = { workspace = true }\n[lints]\nworkspace = true\n";
        let wanted = "\n# From the workspace.\n[profile.dev]\nopt-level = 1\n\n\
            [workspace.dependencies]\nrand = \"0.9\"\n\n\
            [workspace.dependencies.own]\ngit = \"ssh://git.example/a@b\"\n\n\
            [workspace.lints.rust]\nunused = \"deny\"\n\n[workspace.package]\nedition = \"2024\"\n";
        assert_eq!(added(&format!("{MEMBER}{more}")), wanted);
        let own_profile = format!("{MEMBER}[profile.dev]\nopt-level = 2\n");
        assert!(!added(&own_profile).contains("profile"));
    }

    #[test]
    fn a_crate_that_inherits_nothing_is_unchanged() {
        assert_eq!(added("[package]\nname = \"a\"\n"), "");
        assert_eq!(added(&format!("{MEMBER}[workspace]\n")), "");
        assert_eq!(added("not TOML"), "");
    }

    /// Checks which key a manifest does not inherit, beside a workspace's manifest if there is one.
    #[track_caller]
    fn check_missing(manifest: &str, around: &[&str], key: &str) {
        let around: Vec<Arc<[u8]>> = around.iter().map(|text| text.as_bytes().into()).collect();
        assert_eq!(with_inherited(manifest.as_bytes(), &around), Err(key.to_owned()), "{manifest}");
    }

    #[test]
    fn a_key_that_no_workspace_sets_is_named() {
        check_missing(MEMBER, &[], "edition");
        check_missing(MEMBER, &["[package]\nedition = \"2024\"\n", "[workspace]\n"], "edition");
        let depends =
            "[target.'cfg(unix)'.dependencies]\nrand.workspace = true\nserde = { workspace = true }\n";
        check_missing(depends, &[ROOT], "serde");
        check_missing("[lints]\nworkspace = true\n", &["[workspace]\n"], "lints");
    }
}
