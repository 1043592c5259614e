//! `keur class set`.

use super::ending::failed;
use super::report::loaded;
use crate::case::{Points, did_you_mean};
use crate::class::{
    Access, ClassError, ClassFolder, ClassLock, ClassReports, ClassSettings, HandSet, ReportDetail, Store,
    Student, now, number_of,
};
use crate::cli::args::StyleArgs;
use crate::cli::exit::RunStatus;
use crate::cli::output;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What is set by hand.
#[derive(Subcommand)]
pub(in crate::cli) enum SetCommand {
    /// The points of a student, whatever the cases earn
    Points(PointsArgs),
}

const CODES: &str = "Exit codes:
  0  it is set
  2  usage error: no such class or student, a class with a link or a pipe in it, or more points than possible
  3  class.toml, a case or an exercise has an error
  4  keur itself failed: another run holds the class, a damaged database";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct PointsArgs {
    /// The folder of the class
    class: PathBuf,
    /// The student: the name, the number or the e-mail address
    student: String,
    /// The points, which become the grade
    #[arg(value_parser = points, required_unless_present = "clear", conflicts_with = "clear")]
    points: Option<Points>,
    /// The reason, which the student reads too
    #[arg(long, value_name = "TEXT", required_unless_present = "clear", conflicts_with = "clear")]
    why: Option<String>,
    /// Take back what was set: the cases decide again
    #[arg(long)]
    clear: bool,
    #[command(flatten)]
    style: StyleArgs,
}

fn points(text: &str) -> Result<Points, String> {
    // Reports in Dutch and Danish write a comma.
    Points::parse(&text.replace(',', "."))
        .ok_or_else(|| "expected points with at most two decimals, such as 12.5".to_owned())
}

pub(super) fn run(command: &SetCommand) -> RunStatus {
    let SetCommand::Points(args) = command;
    match set_points(args) {
        Ok(Ok(said)) => {
            output::out(&format!("{}\n", output::one_line(&said)));
            RunStatus::Passed
        }
        Ok(Err(message)) => {
            output::err(&format!("error: {}\n", output::one_line(&message)));
            RunStatus::Usage
        }
        Err(error) => failed(&error, &args.style),
    }
}

/// Sets or takes back points: what was done, or a usage error.
fn set_points(args: &PointsArgs) -> Result<Result<String, String>, ClassError> {
    let folder = ClassFolder::open(&args.class)?;
    drop(Store::open(&folder, Access::Read)?);
    let _lock = ClassLock::take(&folder)?;
    let store = Store::open(&folder, Access::Write)?;
    let student = match found(&store.students()?, &args.student) {
        Ok(student) => student,
        Err(message) => return Ok(Err(format!("{}: {message}", args.class.display()))),
    };
    let (Some(points), Some(why)) = (args.points, &args.why) else {
        let cleared = store.clear_points(&student)?;
        let said = if cleared {
            "the points that were set by hand are taken back"
        } else {
            "no points were set by hand"
        };
        return Ok(Ok(format!("{student}: {said}")));
    };
    let why = why.trim();
    if why.is_empty() {
        return Ok(Err("--why is empty; the student reads the reason".to_owned()));
    }
    let most = most(&folder, &store, &student)?;
    if most > Points::ZERO && points > most {
        return Ok(Err(format!("{points} points are more than the highest possible grade, {most}")));
    }
    store.set_points(&HandSet { student: student.clone(), points, why: why.to_owned(), at: now() })?;
    Ok(Ok(format!("{student}: set to {points} points: {why}")))
}

/// The highest possible grade of a student; zero if it is not known.
fn most(folder: &ClassFolder, store: &Store, student: &str) -> Result<Points, ClassError> {
    let settings = ClassSettings::read(folder)?;
    let (request, cases) = loaded(folder, &settings)?;
    let reports = ClassReports::new((folder, store), &settings, &cases, &request)?;
    let mut most = Points::ZERO;
    reports.of(student, ReportDetail::Results, &mut |entry| most = entry.report.max_points)?;
    Ok(most)
}

/// The name of the student that is meant by a name, a number or an e-mail address.
pub(super) fn found(students: &[Student], wanted: &str) -> Result<String, String> {
    let same = |text: &str| text.to_lowercase() == wanted.to_lowercase();
    let maybe = |text: &Option<String>| text.as_deref().is_some_and(same);
    let short = number_of(wanted).to_lowercase();
    let number = |text: &Option<String>| text.as_deref().is_some_and(|text| text.to_lowercase() == short);
    let exact = students.iter().filter(|student| student.name == wanted).collect::<Vec<_>>();
    let meant: Vec<&Student> = if exact.is_empty() {
        students
            .iter()
            .filter(|student| same(&student.name) || number(&student.number) || maybe(&student.email))
            .collect()
    } else {
        exact
    };
    match meant.as_slice() {
        [only] => Ok(only.name.clone()),
        [] => {
            let help = did_you_mean(wanted, students.iter().map(|student| student.name.as_str()));
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            Err(format!("no student of the class is called `{wanted}`{help}"))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|student| student.name.as_str()).collect();
            Err(format!("`{wanted}` may be each of {}; give the whole name", names.join(", ")))
        }
    }
}
