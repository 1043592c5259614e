//! What all crates are built upon: keur and what it needs, compiled once and kept in the user's cache.

use super::cargo::{self, Toolchain};
use crate::cache;
use crate::sandbox::tools::{Finished, run_to_end};
use std::fs::{self, File, FileTimes};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use walkdir::WalkDir;

/// The manifest of a crate that is nothing but a use of this keur.
const MANIFEST: &str = concat!(
    r#"[package]
name = "keur-seed"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
keur = { version = ""#,
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    r#"", default-features = false }

[workspace]
"#
);

/// Time for compiling what all crates share, fetching included.
const TIME: Duration = Duration::from_secs(30 * 60);

/// Parts of a target folder that hold what was compiled.
const COMPILED: [&str; 3] = ["deps", ".fingerprint", "build"];

/// What crates are built upon.
pub(super) struct Seed {
    pub(super) toolchain: Toolchain,
    /// The versions of what is in it.
    pub(super) lock: Vec<u8>,
    folder: PathBuf,
}

impl Seed {
    /// Brings it up to date: compiles what is not compiled yet, which takes half a minute the first time. Nothing in it
    /// comes from a submission, so it is built as any crate of the user's own is.
    ///
    /// # Errors
    /// It does not compile, in a sentence with what cargo says.
    pub(super) fn make(toolchain: Toolchain, source: Option<&Path>) -> Result<Seed, String> {
        let mut key = DefaultHasher::new();
        (&toolchain.version, source, env!("CARGO_PKG_VERSION")).hash(&mut key);
        // Not in the temporary folder, where anybody may have put something of that name.
        let nowhere = "there is no folder to keep what crates share; set HOME or XDG_CACHE_HOME";
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
        // What was fetched already will do; else cargo may fetch it now.
        let build = |offline: bool| {
            let mut command = toolchain.tools.command(&toolchain.cargo);
            command.args(cargo::arguments(source, &folder.join("target")));
            command.args(offline.then_some("--offline"));
            command.envs(toolchain.environment()).current_dir(&folder);
            run_to_end(command, TIME)
        };
        let succeeded = |finished: &Finished| finished.status.is_some_and(|status| status.success());
        let built = match build(true).map_err(failed)? {
            built if succeeded(&built) => built,
            _ => build(false).map_err(failed)?,
        };
        if !succeeded(&built) {
            let said = cargo::refusal(&built.errors, &folder);
            return Err(format!(
                "what crates need cannot be compiled; name keur's source with --keur-source\n{said}"
            ));
        }
        let lock = fs::read(folder.join("Cargo.lock")).map_err(failed)?;
        Ok(Seed { toolchain, lock, folder })
    }

    /// Copies what was compiled into a target folder of one submission. The times of files are kept, by which cargo
    /// tells that they need no compiling.
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
        let manifest: toml::Table = MANIFEST.parse().unwrap();
        let wanted = manifest["dependencies"]["keur"]["version"].as_str().unwrap();
        let own: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').take(2).collect();
        assert_eq!(wanted, own.join("."));
    }
}
