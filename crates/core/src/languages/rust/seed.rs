//! The shared build of all crates: keur and its dependencies, compiled once and kept in the user's cache.

use super::cargo::{self, Toolchain};
use super::home::CargoHome;
use super::library;
use crate::cache;
use crate::sandbox::tools::{Finished, run_to_end};
use std::fs::{self, File, FileTimes};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use walkdir::WalkDir;

/// The manifest of a crate that only depends on this keur.
const MANIFEST: &str = concat!(
    r#"[package]
name = "keur-seed"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
keur-core = ""#,
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    r#""

[lib]
doctest = false
test = false

[workspace]
"#
);

/// Time for compiling the shared build, including fetching.
const TIME: Duration = Duration::from_secs(30 * 60);

/// Parts of a target folder that hold compiled code.
const COMPILED: [&str; 3] = ["deps", ".fingerprint", "build"];

/// The shared build of all crates.
pub(super) struct Seed {
    pub(super) toolchain: Toolchain,
    /// The lock file with its versions.
    pub(super) lock: Vec<u8>,
    /// The folder of the keur that crates are built with.
    pub(super) library: PathBuf,
    /// Cargo's folder in builds.
    pub(super) home: CargoHome,
    folder: PathBuf,
}

impl Seed {
    /// Brings it up to date: compiles what is missing, which takes seconds the first time. Nothing in it
    /// comes from a submission, so it is built like any crate of the user.
    ///
    /// # Errors
    /// It does not compile; the message quotes cargo.
    pub(super) fn make(toolchain: Toolchain) -> Result<Seed, String> {
        let mut key = DefaultHasher::new();
        (&toolchain.version, &toolchain.home).hash(&mut key);
        library::files().for_each(|file| file.hash(&mut key));
        // Not in the temporary folder, where anybody may have created that name.
        let nowhere = "there is no cache folder for the dependencies of crates; set HOME or XDG_CACHE_HOME";
        let folder = cache::folder().ok_or(nowhere)?.join("rust").join(format!("{:016x}", key.finish()));
        if toolchain.tools.may_be_foreign(&folder) {
            let folder = folder.display();
            return Err(format!(
                "the cache {folder} may belong to a submission; set XDG_CACHE_HOME to another folder"
            ));
        }
        let failed = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder.join("src")).map_err(failed)?;
        let guard = File::create(folder.join("lock")).map_err(failed)?;
        guard.lock().map_err(failed)?;
        fs::write(folder.join("Cargo.toml"), MANIFEST).map_err(failed)?;
        if !folder.join("src/lib.rs").exists() {
            fs::write(folder.join("src/lib.rs"), "").map_err(failed)?;
        }
        let library = folder.join("keur");
        library::write(&library).map_err(failed)?;
        let home = CargoHome::make(folder.join("home"), &toolchain.home).map_err(failed)?;
        let run = |args: Vec<String>, envs: Vec<(String, String)>| {
            let mut command = toolchain.tools.command(&toolchain.cargo);
            command.args(args).envs(envs).current_dir(&folder);
            run_to_end(command, TIME).map_err(failed)
        };
        let build = || {
            let mut args = cargo::arguments(&library, &folder.join("target"));
            args.push("--offline".to_owned());
            run(args, toolchain.environment(&home.folder))
        };
        let succeeded = |finished: &Finished| finished.status.is_some_and(|status| status.success());
        // Use what is already fetched; otherwise cargo may fetch it now, with the user's own settings.
        let mut built = build()?;
        if !succeeded(&built) {
            let fetched =
                run(cargo::inquiry(&toolchain.host, &library), toolchain.environment(&toolchain.home))?;
            built = if succeeded(&fetched) { build()? } else { fetched };
        }
        if !succeeded(&built) {
            let said = cargo::refusal(&built.errors, &folder);
            return Err(format!(
                "the dependencies of crates cannot be compiled; the first time, cargo must be able to fetch them\n{said}"
            ));
        }
        let lock = fs::read(folder.join("Cargo.lock")).map_err(failed)?;
        Ok(Seed { toolchain, lock, library, home, folder })
    }

    /// Copies the compiled code into the target folder of one submission. File times are kept, because cargo
    /// uses them to decide what to compile.
    pub(super) fn copy(&self, target: &Path) -> io::Result<()> {
        let guard = File::open(self.folder.join("lock"))?;
        guard.lock_shared()?;
        let from = self.folder.join("target/debug");
        for part in COMPILED {
            for entry in WalkDir::new(from.join(part)) {
                let entry = entry?;
                let below = entry.path().strip_prefix(&from).map_err(io::Error::other)?;
                let to = target.join("debug").join(below);
                if entry.file_type().is_dir() {
                    fs::create_dir_all(&to)?;
                } else if entry.file_type().is_file() {
                    fs::copy(entry.path(), &to)?;
                    let times = entry.metadata()?.modified()?;
                    File::options().write(true).open(&to)?.set_times(FileTimes::new().set_modified(times))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::MANIFEST;

    #[test]
    fn crates_are_built_upon_this_very_version() {
        let own: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').take(2).collect();
        let wanted = format!("keur-core = \"{}\"", own.join("."));
        assert!(MANIFEST.contains(&wanted), "{MANIFEST}");
    }
}
