//! `keur class set points`.

use super::opened::{CODES, OpenedClass, StudentArgs};
use crate::class::{ClassReports, ClassSettings, HandSet, now};
use crate::cli::class::report::loaded;
use crate::cli::error::CliError;
use clap::Args;
use keur_core::case::Points;

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct PointsArgs {
    #[command(flatten)]
    pub(super) student: StudentArgs,
    /// The points, which become the grade
    #[arg(value_parser = points, required_unless_present = "clear", conflicts_with = "clear")]
    points: Option<Points>,
    /// The reason, which the student reads too
    #[arg(long, value_name = "TEXT", required_unless_present = "clear", conflicts_with = "clear")]
    why: Option<String>,
    /// Remove the points that were set: the cases decide the grade again
    #[arg(long)]
    clear: bool,
}

fn points(text: &str) -> Result<Points, String> {
    // Reports in Dutch and Danish write a comma.
    Points::parse(&text.replace(',', "."))
        .ok_or_else(|| "expected points with at most two decimals, such as 12.5".to_owned())
}

/// Sets or takes back points, and says so.
pub(super) fn set(args: &PointsArgs, class: &OpenedClass) -> Result<String, CliError> {
    let OpenedClass { store, student, .. } = class;
    let (Some(points), Some(why)) = (args.points, &args.why) else {
        return Ok(if store.clear_points(&student.name)? {
            "the points that were set by hand are taken back".to_owned()
        } else {
            "no points were set by hand".to_owned()
        });
    };
    let why = why.trim();
    if why.is_empty() {
        return Err(class.refuse("--why is empty; the student reads the reason"));
    }
    let most = most(class)?;
    if most > Points::ZERO && points > most {
        let why = format!("{points} points are more than the highest possible grade, {most}");
        return Err(class.refuse(&why));
    }
    store.set_points(&HandSet { student: student.name.clone(), points, why: why.to_owned(), at: now() })?;
    Ok(format!("set to {points} points: {why}"))
}

/// The highest possible grade of the student; zero if it is not known.
fn most(class: &OpenedClass) -> Result<Points, CliError> {
    let OpenedClass { folder, store, student, .. } = class;
    let settings = ClassSettings::read(folder)?;
    let (request, cases) = loaded(folder, &settings)?;
    let reports = ClassReports::new(folder, store, &settings, &cases, &request)?;
    Ok(reports.of(&student.name)?.map_or(Points::ZERO, |report| report.max_points))
}
