//! Members of a workspace: a crate is built alone, so its manifest gets what it inherits from the workspace.
//!
//! The crate's code can read that manifest, so nothing else of the workspace is in it, and no credentials.

use keur_core::submission::opened::{LARGEST_FILE, open_plain};
use std::io::{self, Read};
use std::path::Path;
use toml::Table;

/// The name of a manifest.
pub(super) const MANIFEST: &str = "Cargo.toml";

/// The table of a workspace in its manifest.
const WORKSPACE: &str = "workspace";

/// The key of a workspace that decides how cargo chooses features.
const RESOLVER: &str = "resolver";

/// The table of how to compile, which cargo reads only from a workspace's manifest.
const PROFILE: &str = "profile";

/// The manifest of a crate, read from the file `path`, with the keys at its end that it inherits from the
/// nearest workspace around its folder. Unchanged if it is no member of one, or inherits nothing.
pub(super) fn with_inherited(manifest: &[u8], path: &Path) -> Vec<u8> {
    let added = member(manifest).and_then(|member| inherited(&member, path));
    let added = added.map(|table| format!("\n# From the workspace.\n{table}")).unwrap_or_default();
    [manifest, added.as_bytes()].concat()
}

/// The manifest of a crate that may inherit keys.
fn member(manifest: &[u8]) -> Option<Table> {
    let table = parsed(manifest)?;
    (!table.contains_key(WORKSPACE) && table.values().any(inherits)).then_some(table)
}

/// Whether there is `workspace = true` in a value.
fn inherits(value: &toml::Value) -> bool {
    value.as_table().is_some_and(|table| is_inherited(table) || table.values().any(inherits))
}

/// The keys that `member` inherits from the nearest workspace around the folder of the file `path`.
fn inherited(member: &Table, path: &Path) -> Option<Table> {
    let path = std::path::absolute(path).ok()?;
    let manifests = path.ancestors().skip(2).map(|folder| folder.join(MANIFEST));
    let mut read = manifests.filter_map(|manifest| parsed(&read(&manifest).ok()?));
    let mut root = read.find(|root| root.contains_key(WORKSPACE))?;
    let Some(toml::Value::Table(mut workspace)) = root.remove(WORKSPACE) else { return None };
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
    let mut added = Table::from_iter([(WORKSPACE.to_owned(), toml::Value::Table(workspace))]);
    if !member.contains_key(PROFILE) {
        added.extend(root.remove_entry(PROFILE));
    }
    Some(added)
}

/// The tables of dependencies in a manifest, for all targets.
fn dependencies(manifest: &Table) -> Vec<&Table> {
    let targets = table(manifest, "target").into_iter().flat_map(|targets| targets.values());
    let places = std::iter::once(manifest).chain(targets.filter_map(toml::Value::as_table));
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    places.flat_map(|place| kinds.iter().filter_map(|kind| table(place, kind))).collect()
}

fn table<'t>(of: &'t Table, key: &str) -> Option<&'t Table> {
    of.get(key)?.as_table()
}

/// Whether a table of a member says `workspace = true`.
fn is_inherited(table: &Table) -> bool {
    table.get(WORKSPACE).and_then(toml::Value::as_bool) == Some(true)
}

/// Removes the user and the password from all addresses in a value.
fn remove_credentials(value: &mut toml::Value) {
    match value {
        toml::Value::String(text) => {
            if let Some((scheme, rest)) = text.split_once("://") {
                let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
                let credentials = host.rfind('@').map_or(0, |at| at + 1);
                *text = format!("{scheme}://{}", &rest[credentials..]);
            }
        }
        toml::Value::Array(values) => values.iter_mut().for_each(remove_credentials),
        toml::Value::Table(table) => table.iter_mut().for_each(|(_, value)| remove_credentials(value)),
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_) => {}
    }
}

/// The bytes of a file that is no link, as far as a source may be large.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parsed(manifest: &[u8]) -> Option<Table> {
    std::str::from_utf8(manifest).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::with_inherited;
    use std::fs;

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
        let path = course.path().join("week1/a/Cargo.toml");
        let all = String::from_utf8(with_inherited(manifest.as_bytes(), &path)).unwrap();
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
        let alone = tempfile::tempdir().unwrap().path().join("a/Cargo.toml");
        assert_eq!(with_inherited(MEMBER.as_bytes(), &alone), MEMBER.as_bytes());
    }
}
