//! Embeds the mutants of the built-in exercises: writes a table of their files, which `audit::mutants`
//! includes. Gives the build a name, `KEUR_BUILD`, which is another one when any source differs. And copies the
//! page's `keur.wasm`, which `site` includes, from where `KEUR_PAGE_MODULE` says: with the feature `site`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What a build is made of: files, and folders with all that is in them.
const SOURCES: &[&str] = &["src", "crates", "cases", "Cargo.lock"];

fn main() -> io::Result<()> {
    let home = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    for name in SOURCES.iter().filter(|name| home.join(name).exists()) {
        println!("cargo::rerun-if-changed={name}");
    }
    println!("cargo::rustc-env=KEUR_BUILD={:08x}", checksum(&home, SOURCES)?);
    let mut mutants = String::from("&[\n");
    for exercise in sorted(&home.join("cases"))?.into_iter().filter(|path| path.join("mutants").is_dir()) {
        for file in sorted(&exercise.join("mutants"))? {
            let name =
                file.strip_prefix(home.join("cases")).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let _ = writeln!(mutants, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        }
    }
    mutants.push_str("]\n");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    println!("cargo::rerun-if-env-changed=KEUR_PAGE_MODULE");
    let module = env::var_os("KEUR_PAGE_MODULE").filter(|_| env::var_os("CARGO_FEATURE_SITE").is_some());
    fs::write(out.join("keur.wasm"), module.map(fs::read).transpose()?.unwrap_or_default())?;
    fs::write(out.join("mutants.rs"), mutants)
}

/// A checksum of the names and bytes of these files, and of all files in these folders; what is missing does
/// not count, nor does a link. It is FNV-1a, which takes no crate.
fn checksum(home: &Path, names: &[&str]) -> io::Result<u32> {
    let mut sum = 0x811c_9dc5_u32;
    let mut add = |bytes: &[u8]| {
        for part in [&bytes.len().to_le_bytes(), bytes] {
            sum = part.iter().fold(sum, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
        }
    };
    let mut left: Vec<PathBuf> = names.iter().rev().map(|name| home.join(name)).collect();
    while let Some(path) = left.pop() {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            left.extend(sorted(&path)?.into_iter().rev());
        } else if path.is_file() {
            let name = path.strip_prefix(home).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            add(name.as_bytes());
            add(&fs::read(&path)?);
        }
    }
    Ok(sum)
}

/// The entries of a folder, sorted by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
