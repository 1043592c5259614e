//! Embeds the built-in cases: writes a table of their files, which `case::library` includes. Also sets where fork
//! servers are built: on Linux, except in the tests of a Rust submission.

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
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let cases = variable("CARGO_MANIFEST_DIR")?.join("cases");
    let mut table = String::from("&[\n");
    for folder in sorted(&cases)? {
        for file in sorted(&folder)? {
            let part = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{}/{}", part(&folder), part(&file));
            let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        }
    }
    table.push_str("]\n");
    fs::write(variable("OUT_DIR")?.join("cases.rs"), table)
}

/// The entries of a folder, sorted by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
