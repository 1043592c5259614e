//! Embeds the built-in cases: writes a table of their files, which `case::library` includes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let cases = cases(&variable("CARGO_MANIFEST_DIR")?);
    println!("cargo::rerun-if-changed={}", cases.display());
    let mut table = String::from("&[\n");
    for folder in sorted(&cases)?.into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&folder)?.into_iter().filter(|path| path.is_file()) {
            let part = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{}/{}", part(&folder), part(&file));
            let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        }
    }
    table.push_str("]\n");
    fs::write(variable("OUT_DIR")?.join("cases.rs"), table)
}

/// The folder of the cases: what is packed is in this crate. In a checkout `cases` is a link to those at the
/// top, and a text file where a system has no links.
fn cases(home: &Path) -> PathBuf {
    let packed = home.join("cases");
    if packed.is_dir() { packed } else { home.join("../../cases") }
}

/// The entries of a folder, sorted by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
