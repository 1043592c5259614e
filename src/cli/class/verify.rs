//! `keur class verify`.

use super::report::loaded;
use super::signed::{self, Receipts};
use crate::class::signing::{self, Signer};
use crate::class::{
    Access, ClassFolder, ClassReports, ClassSettings, LARGEST_RECEIPT, Receipt, ReportDetail, Store,
    read_at_most,
};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use clap::Args;
use std::fs;
use std::io;
use std::path::PathBuf;

const CODES: &str = "Exit codes:
  0  the signature is valid, and nothing differs from what was signed
  1  the signature is not valid, or something differs from what was signed
  2  usage error: no such class, a class with a link or a pipe in it, or no signed receipt
  3  class.toml, or a case, has an error
  4  keur itself failed, or there is no ssh-keygen";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct VerifyArgs {
    /// The folder of the class
    class: PathBuf,
    /// The signed receipt, with its signature beside it as SIGNED.sig; receipt.json in the folder of the
    /// class by default
    signed: Option<PathBuf>,
    /// The required signer: a public key, or a list of signers in the format of ssh-keygen (ALLOWED SIGNERS)
    #[arg(long, value_name = "FILE")]
    signer: Option<PathBuf>,
}

pub(super) fn run(args: &VerifyArgs) -> CliResult {
    let folder = ClassFolder::open(&args.class)?;
    let store = Store::open(&folder, Access::Read)?;
    let path = args.signed.clone().unwrap_or_else(|| signed::place(&folder));
    let shown = path.display();
    let signature = signing::signature_of(&path);
    let read = read_at_most(&path, LARGEST_RECEIPT).and_then(|text| fs::metadata(&signature).map(|_| text));
    let text = read.map_err(|error| {
        let help = "`keur class report --sign KEY` writes a receipt and its signature";
        let message = format!("{shown}, {}: cannot be read: {error}; {help}", signature.display());
        match error.kind() {
            io::ErrorKind::NotFound => CliError::Usage(message),
            _ => CliError::fault(message),
        }
    })?;
    match signing::check(&text, &signature, args.signer.as_deref())? {
        Signer::Nobody(why) => {
            output::out(&format!("{shown}: the signature is not good: {}\n", super::one_line(&why)));
            return Ok(RunStatus::Failed);
        }
        Signer::Known(name) => output::out(&format!("{shown}: signed by {}\n", super::one_line(&name))),
        Signer::Unknown(words) => output::out(&format!(
            "{shown}: {}\n  whose key that is only you can know: compare it, or name the signer's key with --signer\n",
            super::one_line(&words)
        )),
    }
    let receipt = Receipt::parse(&String::from_utf8_lossy(&text))
        .map_err(|what| CliError::Usage(format!("{shown}: {}", super::one_line(&what))))?;
    let now = receipt_now(&folder, &store)?;
    let differences = receipt.differences(&now);
    let students = receipt.students.len();
    if differences.is_empty() {
        output::out(&format!("{students} {}: everything is as signed\n", plural(students, "student")));
        return Ok(RunStatus::Passed);
    }
    for difference in &differences {
        output::out(&format!("  {}\n", super::one_line(difference)));
    }
    let count = differences.len();
    output::out(&format!("{count} {} from what was signed\n", plural(count, "difference")));
    Ok(RunStatus::Failed)
}

/// The receipt of the class as it is now.
fn receipt_now(folder: &ClassFolder, store: &Store) -> Result<Receipt, CliError> {
    let settings = ClassSettings::read(folder)?;
    let (request, cases) = loaded(folder, &settings)?;
    let mut receipts = Receipts::new(folder, store, &settings)?;
    let reports = ClassReports::new(folder, store, &settings, &cases, &request)?;
    for entry in reports.each(ReportDetail::Results) {
        receipts.add(folder, &entry?)?;
    }
    Ok(receipts.end(store)?.receipt)
}
