//! Pyodide, the Python for browsers: from a folder, whose files a site then has, or from an address, with digests.

use super::{Files, SiteError, read};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder of a site that has Pyodide.
pub(super) const FOLDER: &str = "pyodide";

/// The list of Pyodide's packages.
const LOCK: &str = "pyodide-lock.json";

/// The version that sites load from an address.
pub const VERSION: &str = "314.0.7";

/// The files that Pyodide needs to start, with their digests in that version. The list of packages has those of
/// the packages.
pub(super) const FILES: &[(&str, &str)] = &[
    ("pyodide.mjs", "sha256-bx1g979Sm+swDw9HmDySHTmCNjZAuiCvDjjv3dvGYQk="),
    ("pyodide.asm.mjs", "sha256-983I7OgGeM63EvjmXr5tOoMgOhgMOZhl9JYSoFFpNjU="),
    ("pyodide.asm.wasm", "sha256-zDbjyrBP38mmP/E+tS6uK5Eb9GwCXMeygfOUvT3h1eY="),
    ("python_stdlib.zip", "sha256-+hlX5XdwaPxPdDf5bYYK4vvpwZcyugbITgBOwW3X3Xo="),
    ("pyodide-lock.json", "sha256-XcL8EZEIvBSMdFfchudnW1yH4cr9QgucNMHq73s2wBA="),
];

/// The source of Pyodide.
#[derive(Clone, Debug)]
pub enum Pyodide {
    /// A folder with its files.
    Folder(PathBuf),
    /// The address of a folder, with a slash at its end.
    Address(String),
}

/// The files of Pyodide that a site has.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: Files,
    /// The files of each package, with those that it needs.
    pub(super) wheels: BTreeMap<String, Vec<String>>,
    /// The packages that the folder lacks.
    pub(super) missing: BTreeSet<String>,
}

impl Pyodide {
    /// The source at an address.
    ///
    /// # Errors
    /// The address is no folder that a page may load from.
    pub fn at(address: &str) -> Result<Pyodide, String> {
        let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "-._~:/@%".contains(ch);
        let secure = address.strip_prefix("https://").is_some_and(|rest| rest.contains('/'));
        if !secure || !address.ends_with('/') || !address.chars().all(is_plain) {
            return Err("expected the address of a folder: https://…/".to_owned());
        }
        if let Some(other) = version_in(address).filter(|version| *version != VERSION) {
            return Err(format!("keur knows the digests of Pyodide {VERSION}, not of {other}"));
        }
        Ok(Pyodide::Address(address.to_owned()))
    }

    /// Whether it is known to be of the right version: a folder is, whose files the site has, and an address that
    /// names the version.
    pub fn is_checked(&self) -> bool {
        match self {
            Pyodide::Folder(_) => true,
            Pyodide::Address(address) => version_in(address).is_some(),
        }
    }

    /// The files for a site whose exercises list these packages.
    pub(super) fn files(&self, packages: &BTreeSet<String>) -> Result<Found, SiteError> {
        let mut found = Found::default();
        let Pyodide::Folder(folder) = self else { return Ok(found) };
        for (name, _) in FILES {
            found.files.insert(format!("{FOLDER}/{name}"), read(&folder.join(name))?);
        }
        let unfit = |problem| SiteError::Unfit { path: folder.join(LOCK), problem };
        let lock: Lock = serde_json::from_slice(&found.files[&format!("{FOLDER}/{LOCK}")])
            .map_err(|error| unfit(format!("not a list of packages: {error}")))?;
        for package in packages {
            let wheels = lock.wheels(package).or_else(|| own_wheel(folder, package)).unwrap_or_default();
            for wheel in wheels.iter().filter(|wheel| folder.join(wheel).is_file()) {
                found.files.insert(format!("{FOLDER}/{wheel}"), read(&folder.join(wheel))?);
            }
            if wheels.is_empty() || wheels.iter().any(|wheel| !folder.join(wheel).is_file()) {
                found.missing.insert(package.clone());
            } else {
                found.wheels.insert(package.clone(), wheels);
            }
        }
        Ok(found)
    }
}

/// The version that an address names after its host: three numbers.
fn version_in(address: &str) -> Option<&str> {
    let path = address.splitn(4, '/').nth(3)?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    path.split(['/', '@', '-', '_', 'v'])
        .find(|part| part.split('.').count() == 3 && part.split('.').all(is_number))
}

/// Pyodide's list of packages.
#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Package>,
}

#[derive(Deserialize)]
struct Package {
    file_name: String,
    #[serde(default)]
    depends: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
}

impl Lock {
    /// The files of a package and of those that it needs; `None` if it is not listed.
    fn wheels(&self, package: &str) -> Option<Vec<String>> {
        let listed = |(name, of): &(&String, &Package)| {
            normal(name) == normal(package) || of.imports.iter().any(|import| import == package)
        };
        let mut wanted = vec![self.packages.iter().find(listed)?.0];
        let mut files = BTreeMap::new();
        while let Some(name) = wanted.pop() {
            if let Some(package) = self.packages.get(name)
                && files.insert(name, package.file_name.clone()).is_none()
            {
                wanted.extend(&package.depends);
            }
        }
        Some(files.into_values().collect())
    }
}

/// The wheel of a package that somebody put into Pyodide's folder.
fn own_wheel(folder: &Path, package: &str) -> Option<Vec<String>> {
    let names =
        folder.read_dir().ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_of_package = |name: &String| {
        name.ends_with("-any.whl") && name.split('-').next().is_some_and(|own| normal(own) == normal(package))
    };
    Some(vec![names.filter(is_of_package).max()?])
}

/// The name of a package as it is compared.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::{Lock, Pyodide, own_wheel};

    #[test]
    fn a_package_brings_what_it_needs() {
        let lock: Lock = serde_json::from_value(serde_json::json!({ "packages": {
            "pandas": { "file_name": "pandas.whl", "depends": ["numpy", "six"] },
            "numpy": { "file_name": "numpy.whl" },
            "six": { "file_name": "six.whl" },
            "beautifulsoup4": { "file_name": "soup.whl", "imports": ["bs4"], "depends": ["beautifulsoup4"] },
        }}))
        .unwrap();
        assert_eq!(lock.wheels("Pandas").unwrap(), ["numpy.whl", "pandas.whl", "six.whl"]);
        assert_eq!(lock.wheels("bs4").unwrap(), ["soup.whl"]);
        assert_eq!(lock.wheels("scipy"), None);
    }

    #[test]
    fn a_wheel_is_found_by_the_name_of_its_package() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["My_Tools-1.0-py3-none-any.whl", "my-1.0-py3-none-any.whl"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(own_wheel(folder.path(), "my-tools").unwrap(), ["My_Tools-1.0-py3-none-any.whl"]);
        assert_eq!(own_wheel(folder.path(), "tools"), None);
    }

    #[test]
    fn an_address_is_that_of_a_folder() {
        for address in ["http://a.org/py/", "https://a.org/py", "https://a.org/';x/", "https://a.org"] {
            assert!(Pyodide::at(address).is_err(), "{address}");
        }
        assert!(Pyodide::at("https://a.org/npm/pyodide@314.0.7/").is_ok());
    }

    #[test]
    fn an_address_names_no_other_version() {
        let of = |address: &str| Pyodide::at(address).map(|pyodide| pyodide.is_checked());
        for (address, expected) in [
            ("https://a.org/npm/pyodide@314.0.7/", Some(true)),
            ("https://a.org/pyodide/v314.0.7/full/", Some(true)),
            ("https://1.2.3/python/", Some(false)),
            ("https://a.org/python-3.14/", Some(false)),
            ("https://a.org/npm/pyodide@314.0.6/", None),
            ("https://a.org/pyodide/v0.27.0/full/", None),
        ] {
            assert_eq!(of(address).ok(), expected, "{address}");
        }
    }
}
