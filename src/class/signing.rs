//! Signatures of receipts, which `ssh-keygen` makes and checks: the key with which one signs commits or logs
//! in elsewhere does.

use crate::writing;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The namespace of the signatures: one for another purpose is not one for a receipt.
const NAMESPACE: &str = "keur-class";

/// The ending that `ssh-keygen` adds to the name of a file that it signs.
const ENDING: &str = ".sig";

/// A reason why something cannot be signed, or a signature not be checked: the message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// `ssh-keygen` does not do it, or there is none.
    #[error("{0}")]
    Tool(String),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
}

/// The signer, as far as known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signer {
    /// One who was asked for, with the name in the list of signers or the file of the key.
    Known(String),
    /// The holder of a key that was not asked for, in the words of `ssh-keygen`.
    Unknown(String),
    /// Nobody: the signature is not one of this text, or not of a signer that was asked for. Why.
    Nobody(String),
}

/// The signature of the file at `path`.
pub fn signature_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ENDING);
    PathBuf::from(name)
}

/// Writes `text` to `path` and its signature with `key` beside it; if it is not signed, neither is new. `key`
/// is a private key of ssh, or a public one whose private key an agent has.
///
/// # Errors
/// `ssh-keygen` is missing or refuses the key, or a file cannot be written.
pub fn sign(key: &Path, path: &Path, text: &str) -> Result<(), SigningError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |error| SigningError::File(path, error)
    };
    let aside = tempfile::tempdir().map_err(of(&std::env::temp_dir()))?;
    let written = aside.path().join("receipt");
    fs::write(&written, text).map_err(of(&written))?;
    let key = key.as_os_str();
    let mut command = Command::new("ssh-keygen");
    command.args(["-Y", "sign", "-n", NAMESPACE, "-f"]).arg(key).arg(&written);
    // It may ask for the passphrase of the key.
    let signed = command.stdin(Stdio::inherit()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let signed = signed.map_err(|error| missing(&error))?;
    if !signed.status.success() {
        let shown = Path::new(key).display();
        return Err(SigningError::Tool(format!(
            "ssh-keygen does not sign with {shown}: {}",
            one_line(&signed)
        )));
    }
    let made = signature_of(&written);
    let bytes = fs::read(&made).map_err(of(&made))?;
    // The folder of a class is named by its instructor, through whatever links there are on its disk.
    let place = path.parent().and_then(|folder| folder.canonicalize().ok());
    let path = &place.zip(path.file_name()).map_or(path.to_owned(), |(folder, name)| folder.join(name));
    let signature = signature_of(path);
    writing::write(&signature, bytes).map_err(of(&signature))?;
    writing::write(path, text).map_err(of(path))
}

/// The signer of `text`: of `signers` if given, a public key or a file of allowed signers as ssh has it.
///
/// # Errors
/// `ssh-keygen` is missing, or a file cannot be read.
pub fn check(text: &[u8], signature: &Path, signers: Option<&Path>) -> Result<Signer, SigningError> {
    let Some(signers) = signers else {
        let checked = run(text, &["check-novalidate"], signature, None)?;
        let words = one_line(&checked);
        return Ok(if checked.status.success() { Signer::Unknown(words) } else { Signer::Nobody(words) });
    };
    let file = |error| SigningError::File(signers.to_owned(), error);
    let list = fs::read_to_string(signers).map_err(file)?;
    let first = list.split_whitespace().next().unwrap_or_default();
    let is_key = ["ssh-", "ecdsa-", "sk-"].iter().any(|kind| first.starts_with(kind));
    let mut own = tempfile::NamedTempFile::new().map_err(file)?;
    let (name, list) = if is_key {
        own.write_all(format!("signer {list}").as_bytes()).map_err(file)?;
        (signers.display().to_string(), own.path())
    } else {
        let found = run(b"", &["find-principals"], signature, Some(signers))?;
        let name = String::from_utf8_lossy(&found.stdout).lines().next().unwrap_or_default().to_owned();
        if !found.status.success() || name.is_empty() {
            return Ok(Signer::Nobody(format!(
                "{} does not have the key of the signature",
                signers.display()
            )));
        }
        (name, signers)
    };
    let principal = if is_key { "signer" } else { name.as_str() };
    let checked = run(text, &["verify", "-I", principal], signature, Some(list))?;
    Ok(if checked.status.success() { Signer::Known(name) } else { Signer::Nobody(one_line(&checked)) })
}

/// Runs `ssh-keygen -Y` on a text and its signature.
fn run(text: &[u8], what: &[&str], signature: &Path, signers: Option<&Path>) -> Result<Output, SigningError> {
    let mut command = Command::new("ssh-keygen");
    command.arg("-Y").args(what);
    if what != ["find-principals"] {
        command.args(["-n", NAMESPACE]);
    }
    if let Some(signers) = signers {
        command.arg("-f").arg(signers);
    }
    command.arg("-s").arg(signature);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| missing(&error))?;
    if let Some(mut input) = child.stdin.take() {
        // One that refuses the signature does not read the text.
        let _ = input.write_all(text);
    }
    child.wait_with_output().map_err(|error| missing(&error))
}

fn missing(error: &io::Error) -> SigningError {
    SigningError::Tool(format!(
        "ssh-keygen does not start: {error}; install OpenSSH, of which the version must be at least 8.1"
    ))
}

/// The output of `ssh-keygen`, on one line.
fn one_line(output: &Output) -> String {
    let text =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Signer, check, sign, signature_of};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    fn key(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        let mut command = Command::new("ssh-keygen");
        command.args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"]).arg(&path);
        assert!(command.status().unwrap().success());
        path
    }

    #[test]
    fn a_signature_is_of_one_text_and_one_key() {
        if Command::new("ssh-keygen").arg("-Y").output().is_err() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let (jan, an) = (key(folder.path(), "jan"), key(folder.path(), "an"));
        let receipt = folder.path().join("receipt.json");
        // Twice: an earlier signature is replaced.
        sign(&an, &receipt, "{}\n").unwrap();
        sign(&jan, &receipt, "{}\n").unwrap();
        assert_eq!(fs::read_to_string(&receipt).unwrap(), "{}\n");
        let signature = signature_of(&receipt);
        let checked =
            |text: &str, signers: Option<&Path>| check(text.as_bytes(), &signature, signers).unwrap();
        assert!(matches!(checked("{}\n", None), Signer::Unknown(words) if words.contains("SHA256:")));
        assert!(matches!(checked("{ }\n", None), Signer::Nobody(_)));
        let (jans, ans) = (jan.with_extension("pub"), an.with_extension("pub"));
        assert_eq!(checked("{}\n", Some(&jans)), Signer::Known(jans.display().to_string()));
        assert!(matches!(checked("{}\n", Some(&ans)), Signer::Nobody(_)));
        let list = folder.path().join("signers");
        fs::write(&list, format!("jan@example.org {}", fs::read_to_string(&jans).unwrap())).unwrap();
        assert_eq!(checked("{}\n", Some(&list)), Signer::Known("jan@example.org".to_owned()));
        assert!(matches!(checked("{ }\n", Some(&list)), Signer::Nobody(_)));
        let error = sign(&folder.path().join("none"), &receipt, "new").unwrap_err().to_string();
        assert!(error.starts_with("ssh-keygen does not sign with "), "{error}");
        assert_eq!(fs::read_to_string(&receipt).unwrap(), "{}\n", "what was signed stays");
    }
}
