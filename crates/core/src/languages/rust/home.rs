//! Cargo's own folder, as builds see it: what was fetched, and from where. It has none of the user's other
//! settings, some of which are secret, and nothing of git, whose addresses may contain a password.

use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// Where cargo keeps the crates that it fetched, in its folder.
const REGISTRY: &str = "registry";

/// The parts of that with a folder for each registry, and how names begin there that builds may not read:
/// keur's own source, which has the references, and the addresses of a registry that is a git repository.
const WITHHELD: [(&str, &str); 3] = [("cache", "keur-"), ("src", "keur-"), ("index", ".git")];

/// Cargo's folder in builds.
pub(super) struct CargoHome {
    /// The folder of the home.
    pub(super) folder: PathBuf,
    /// The crates that cargo fetched for this user.
    registry: PathBuf,
}

impl CargoHome {
    /// Makes it, for what cargo fetches into `real`.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn make(folder: PathBuf, real: &Path) -> io::Result<CargoHome> {
        fs::create_dir_all(&folder)?;
        let registry = real.join(REGISTRY);
        let settings = ["config", "config.toml"].map(|name| fs::read_to_string(real.join(name)));
        let settings = settings.into_iter().find_map(Result::ok).unwrap_or_default();
        fs::write(folder.join("config.toml"), addresses(&settings))?;
        // Elsewhere a link needs permissions, and builds are not confined.
        #[cfg(unix)]
        match std::os::unix::fs::symlink(&registry, folder.join(REGISTRY)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        #[cfg(not(unix))]
        let folder = real.to_owned();
        Ok(CargoHome { folder, registry })
    }

    /// The folders that a build may read.
    pub(super) fn readable(&self) -> [PathBuf; 2] {
        [self.folder.clone(), self.registry.clone()]
    }

    /// The folders below these, and of the system, that a build may not read: whatever has keur's references
    /// and cases.
    pub(super) fn hidden(&self) -> Vec<PathBuf> {
        let entries = |folder: PathBuf| folder.read_dir().into_iter().flatten().flatten();
        let withheld = WITHHELD.iter().flat_map(|(part, begin)| {
            let within = entries(self.registry.join(part)).flat_map(move |registry| entries(registry.path()));
            let withheld =
                within.filter(move |entry| entry.file_name().to_string_lossy().starts_with(*begin));
            withheld.map(|entry| entry.path())
        });
        withheld.chain(std::env::current_exe()).collect()
    }
}

/// The addresses that crates come from, in the user's settings of cargo: those without a user name, a
/// password or a token.
fn addresses(settings: &str) -> String {
    let Ok(settings) = DeTable::parse(settings) else { return String::new() };
    let mut kept: Vec<(&str, &str, &str, &str)> = Vec::new();
    for (table, key) in [("registries", "index"), ("source", "registry")] {
        for (name, entry) in tables(settings.get_ref(), table) {
            let address = entry.get(key).and_then(|address| address.get_ref().as_str());
            kept.extend(
                address.filter(|address| !address.contains(['@', '?', '#'])).map(|at| (table, name, key, at)),
            );
        }
    }
    let replaced = tables(settings.get_ref(), "source").filter_map(|(name, entry)| {
        let other = entry.get("replace-with")?.get_ref().as_str()?;
        let is_kept = kept.iter().any(|(_, kept, ..)| *kept == other);
        is_kept.then_some(("source", name, "replace-with", other))
    });
    let replaced: Vec<_> = replaced.collect();
    kept.extend(replaced);
    kept.iter().fold(String::new(), |mut text, (table, name, key, value)| {
        // Strings of JSON are those of TOML too.
        let _ = writeln!(text, "{table}.{}.{key} = {}", Json::from(*name), Json::from(*value));
        text
    })
}

/// The tables in the table behind `key`, with their names.
fn tables<'t, 'i>(settings: &'t DeTable<'i>, key: &str) -> impl Iterator<Item = (&'t str, &'t DeTable<'i>)> {
    let all = settings.get(key).and_then(|entry| entry.get_ref().as_table()).into_iter().flatten();
    all.filter_map(|(name, entry)| Some((name.get_ref().as_ref(), entry.get_ref().as_table()?)))
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[track_caller]
    fn check(settings: &str, kept: &str) {
        assert_eq!(addresses(settings), kept);
    }

    #[test]
    fn of_the_users_settings_the_addresses_without_secrets_are_kept() {
        let mirror = "[source.crates-io]\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = ";
        check(
            &format!("{mirror}\"sparse+https://mirror.example/\"\n[registry]\ntoken = \"secret\"\n"),
            "source.\"mirror\".registry = \"sparse+https://mirror.example/\"\n\
             source.\"crates-io\".replace-with = \"mirror\"\n",
        );
        check(&format!("{mirror}\"sparse+https://user:secret@mirror.example/\"\n"), "");
        check(&format!("{mirror}\"sparse+https://mirror.example/?token=secret\"\n"), "");
        check(
            "[registries.own]\nindex = \"sparse+https://own.example/\"\ntoken = \"secret\"\n",
            "registries.\"own\".index = \"sparse+https://own.example/\"\n",
        );
        check("[http]\nproxy = \"user:secret@proxy\"\n[env]\nA = \"secret\"\n[net]\nretry = 2\n", "");
        check("not TOML", "");
    }
}
