//! Embeds the built-in cases and their mutants: writes a table of the files of each, which `case::library` and
//! `audit::mutants` include. Also sets where fork servers are built: on Linux, except in the tests of a Rust submission. And gives the build a name, `KEUR_BUILD`, which is
//! another one when any source differs.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=cases");
    println!("cargo::rustc-check-cfg=cfg(fork_servers)");
    if env::var_os("CARGO_FEATURE_CLI").is_some() && env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux")
    {
        println!("cargo::rustc-cfg=fork_servers");
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let home = variable("CARGO_MANIFEST_DIR")?;
    println!("cargo::rustc-env=KEUR_BUILD={:08x}", checksum(&home, &["src", "cases", "Cargo.lock"])?);
    let (mut cases, mut mutants) = (Vec::new(), Vec::new());
    for exercise in sorted(&home.join("cases"))? {
        for path in sorted(&exercise)? {
            match path.is_dir() {
                true => mutants.extend(sorted(&path)?),
                false => cases.push(path),
            }
        }
    }
    let out = variable("OUT_DIR")?;
    fs::write(out.join("cases.rs"), table(&home, &cases))?;
    fs::write(out.join("mutants.rs"), table(&home, &mutants))
}

/// A table of these files as Rust: the path of each in `cases`, and its text.
fn table(home: &Path, files: &[PathBuf]) -> String {
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(home.join("cases")).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    table + "]\n"
}

/// A checksum of the names and bytes of these files, and of all files in these folders; what is missing does not count.
fn checksum(home: &Path, names: &[&str]) -> io::Result<u32> {
    let mut sum = crc32fast::Hasher::new();
    let mut left: Vec<PathBuf> = names.iter().rev().map(|name| home.join(name)).collect();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(sorted(&path)?.into_iter().rev());
        } else if path.is_file() {
            let bytes = fs::read(&path)?;
            let name = path.strip_prefix(home).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            sum.update(&(name.len() as u64).to_le_bytes());
            sum.update(name.as_bytes());
            sum.update(&(bytes.len() as u64).to_le_bytes());
            sum.update(&bytes);
        }
    }
    Ok(sum.finalize())
}

/// The entries of a folder, sorted by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
