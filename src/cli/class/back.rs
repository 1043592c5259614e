//! What goes back to a learning platform, and what changed: the outputs of `keur class report` that no other
//! report has.

use crate::class::comparison::{Comparison, EarlierReport, GradeChanges};
use crate::class::{
    ClassEntry, FeedbackZip, GradeSheet, LARGEST_SHEET, SheetError, SheetFilled, SheetGrade, SheetKind,
    new_sheet,
};
use crate::cli::error::CliError;
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use crate::cli::sinks::{self, ReportRequest, check_destinations};
use crate::writing;
use keur_core::messages::Lang;
use keur_core::named;
use keur_core::named::Named;
use keur_core::report::{self, Audience, Options};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The most names in a message.
const MOST_NAMED: usize = 5;

/// A requested report of a class.
#[derive(Clone)]
pub(super) enum ClassFormat {
    /// One that a run has too.
    Report(ReportRequest),
    /// One that only a class has, and its file; standard output without one.
    Back(BackFormat, Option<PathBuf>),
}

/// A format that only a class has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BackFormat {
    /// A sheet with grades for Moodle.
    Moodle,
    /// A sheet with grades for Canvas.
    Canvas,
    /// A zip with a page for each student.
    Feedback,
    /// The changes since the report of `--against`, as JSON.
    Changes,
}

named!(BackFormat {
    Moodle = "moodle",
    Canvas = "canvas",
    Feedback = "feedback",
    Changes = "changes",
});

/// The names of all formats, for the help.
pub(super) fn names() -> String {
    format!("{}, {}", sinks::names(), BackFormat::NAMES.join(", "))
}

impl FromStr for ClassFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<ClassFormat, String> {
        let (name, path) = text.split_once('=').map_or((text, None), |(name, path)| (name, Some(path)));
        let back = BackFormat::from_name(name);
        match (back, path) {
            (Some(_), Some("")) => Err("write a path after the `=`".to_owned()),
            (Some(BackFormat::Feedback), None) => {
                Err("a zip goes to a file: feedback=feedback.zip".to_owned())
            }
            (Some(format), path) => Ok(ClassFormat::Back(format, path.map(PathBuf::from))),
            (None, Some("")) => text.parse().map(ClassFormat::Report),
            (None, _) => text
                .parse()
                .map(ClassFormat::Report)
                .map_err(|_| format!("expected one of {}, with or without =PATH", names())),
        }
    }
}

/// The sheets and pages of a report, in the making.
pub(super) struct GoingBack {
    lang: Option<Lang>,
    /// The title of a new gradebook.
    title: String,
    /// The title of pages.
    class_title: Option<String>,
    sheets: Vec<OpenSheet>,
    /// Sheets that are written without one of the platform.
    fresh: Vec<(BackFormat, Option<PathBuf>)>,
    feedback: Vec<(PathBuf, FeedbackZip)>,
    changes: Vec<Option<PathBuf>>,
    /// The comparison, and the name of the earlier report.
    comparing: Option<(String, Comparison)>,
    grades: Vec<SheetGrade>,
    lost: Option<CliError>,
}

/// A sheet of the platform, and where it goes with grades in it.
struct OpenSheet {
    from: PathBuf,
    to: PathBuf,
    sheet: GradeSheet,
}

/// The sheets and pages that the user asked for.
pub(super) struct BackWanted<'a> {
    pub(super) formats: &'a [ClassFormat],
    pub(super) worksheets: &'a [PathBuf],
    pub(super) column: Option<&'a str>,
    pub(super) against: Option<&'a Path>,
    pub(super) lang: Option<Lang>,
    /// The title in class.toml.
    pub(super) title: Option<&'a str>,
    /// The title of the class, and its exercises: names that the column of a gradebook may have.
    pub(super) titles: &'a [&'a str],
}

impl GoingBack {
    /// Reads the sheets and the earlier report, and opens what is written as it comes.
    ///
    /// # Errors
    /// A file cannot be read or written, or two outputs go to the same place.
    pub(super) fn open(wanted: &BackWanted<'_>) -> Result<GoingBack, CliError> {
        check_destinations(wanted.formats.iter().map(ClassFormat::destination).collect())?;
        let mut back = GoingBack {
            lang: wanted.lang,
            class_title: wanted.title.map(str::to_owned),
            title: wanted.titles.first().copied().unwrap_or_default().to_owned(),
            sheets: Vec::new(),
            fresh: Vec::new(),
            feedback: Vec::new(),
            changes: Vec::new(),
            comparing: wanted.against.map(earlier).transpose()?,
            grades: Vec::new(),
            lost: None,
        };
        for path in wanted.worksheets {
            let sheet = sheet(path, wanted)?;
            back.sheets.push(OpenSheet { to: graded_name(path), from: path.clone(), sheet });
        }
        for format in wanted.formats {
            let ClassFormat::Back(format, path) = format else { continue };
            match format {
                BackFormat::Moodle => back.sheet_for(SheetKind::Moodle, *format, path.clone())?,
                BackFormat::Canvas => back.sheet_for(SheetKind::Canvas, *format, path.clone())?,
                BackFormat::Feedback => {
                    let path = path.clone().unwrap_or_default();
                    let zip = FeedbackZip::create(&path).map_err(CliError::write(&path))?;
                    back.feedback.push((path, zip));
                }
                BackFormat::Changes if back.comparing.is_none() => {
                    let message = "what changed is said against an earlier report: name it with --against";
                    return Err(CliError::Usage(message.to_owned()));
                }
                BackFormat::Changes => back.changes.push(path.clone()),
            }
        }
        Ok(back)
    }

    /// The sheet of the platform goes to `path`, if there is one; else a fresh one does.
    fn sheet_for(
        &mut self,
        kind: SheetKind,
        format: BackFormat,
        path: Option<PathBuf>,
    ) -> Result<(), CliError> {
        let mut of_kind: Vec<&mut OpenSheet> =
            self.sheets.iter_mut().filter(|open| open.sheet.kind == kind).collect();
        match (of_kind.as_mut_slice(), path) {
            ([], path) => self.fresh.push((format, path)),
            ([only], Some(path)) => only.to = path,
            (several, _) => {
                let which = if several.len() == 1 { "the worksheet" } else { "each worksheet" };
                let name = format.name();
                return Err(CliError::Usage(format!(
                    "{which} is written beside itself; omit --format {name}, or name one worksheet and a file: {name}=PATH"
                )));
            }
        }
        Ok(())
    }

    /// Whether pages are written, which show sources.
    pub(super) fn shows_files(&self) -> bool {
        !self.feedback.is_empty()
    }

    /// Takes the report of a student.
    pub(super) fn add(&mut self, entry: &ClassEntry) {
        let ClassEntry { taken, report, .. } = entry;
        let id = taken.as_ref().and_then(|taken| taken.platform_id.clone());
        self.grades.push(SheetGrade::of(report, id));
        if let Some((_, comparing)) = &mut self.comparing {
            comparing.add(report);
        }
        let (Some(taken), Some(html)) = (taken, report::formats::find("html")) else { return };
        if self.feedback.is_empty() {
            return;
        }
        let options = Options {
            lang: self.lang,
            title: self.class_title.clone(),
            audience: Audience::Student,
            ..Options::default()
        };
        let page = html.write(std::slice::from_ref(report), &options);
        for (path, zip) in &mut self.feedback {
            let added = zip.add(&taken.student, &taken.original, &page);
            let lost = added.err().map(CliError::write(path));
            self.lost = self.lost.take().or(lost);
        }
    }

    /// Writes everything, and says what became of it. The comparison goes to standard output if that is free
    /// for it.
    pub(super) fn finish(mut self, output_is_free: bool) -> RunStatus {
        let mut exit = RunStatus::Passed;
        let mut fail = |error: CliError| exit = exit.max(error.show());
        self.lost.take().into_iter().for_each(&mut fail);
        for (path, zip) in self.feedback {
            match zip.finish() {
                Ok(pages) => output::err(&format!("{}: {pages} {}\n", path.display(), plural(pages, "page"))),
                Err(error) => fail(CliError::write(&path)(error)),
            }
        }
        let mut missing = false;
        for OpenSheet { from, to, mut sheet } in self.sheets {
            let filled = sheet.fill(&self.grades);
            missing |= !filled.missing.is_empty();
            match writing::write(&to, sheet.text()) {
                Ok(()) => output::err(&summary(&from, &to, &filled)),
                Err(error) => fail(CliError::write(&to)(error)),
            }
        }
        for (format, path) in self.fresh {
            let text = match format {
                BackFormat::Canvas => new_sheet::canvas(&self.grades, &self.title),
                BackFormat::Moodle | BackFormat::Feedback | BackFormat::Changes => {
                    new_sheet::moodle(&self.grades)
                }
            };
            write(path.as_deref(), &text).err().into_iter().for_each(&mut fail);
        }
        if let Some((name, comparing)) = self.comparing {
            let changes: GradeChanges = comparing.finish();
            for path in self.changes {
                write(path.as_deref(), &changes.json()).err().into_iter().for_each(&mut fail);
            }
            let text = changes.text(&name);
            if output_is_free { output::out(&format!("\n{text}")) } else { output::err(&text) }
        }
        if missing { exit.max(RunStatus::Failed) } else { exit }
    }
}

impl ClassFormat {
    /// The name of the format, and the file to write, if it is not standard output.
    fn destination(&self) -> (&'static str, Option<&Path>) {
        match self {
            ClassFormat::Report(request) => (request.name(), request.path()),
            ClassFormat::Back(format, path) => (format.name(), path.as_deref()),
        }
    }
}

/// Reads the earlier report.
fn earlier(path: &Path) -> Result<(String, Comparison), CliError> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(CliError::read(path))?;
    let read = EarlierReport::read(BufReader::new(file));
    let read = read.map_err(|error| CliError::Usage(format!("{shown}: {error}")))?;
    Ok((shown, Comparison::new(read)))
}

/// Reads a sheet of the platform.
fn sheet(path: &Path, wanted: &BackWanted<'_>) -> Result<GradeSheet, CliError> {
    let size = fs::metadata(path).map_err(CliError::read(path))?.len();
    if size > LARGEST_SHEET {
        let shown = path.display();
        return Err(CliError::Usage(format!(
            "{shown}: has {size} bytes; a sheet with grades has at most {LARGEST_SHEET}"
        )));
    }
    let bytes = fs::read(path).map_err(CliError::read(path))?;
    GradeSheet::read(&bytes, wanted.column, wanted.titles).map_err(|error| {
        let option = if let SheetError::UnclearColumn(_) = error { " (--column)" } else { "" };
        CliError::Usage(format!("{}: {error}{option}", path.display()))
    })
}

/// Where a sheet goes with grades in it: beside itself, as the platform's own stays.
fn graded_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-graded.csv"))
}

/// The summary of a filled sheet.
fn summary(from: &Path, to: &Path, filled: &SheetFilled) -> String {
    let grades = plural(filled.filled, "grade");
    let mut text = format!("{}: {} {grades} of {}\n", to.display(), filled.filled, from.display());
    if let Some((most, scale)) = filled.scaled {
        text.push_str(&format!("  scaled from {most} to {scale}, the highest grade of the sheet\n"));
    }
    for (names, what) in [
        (&filled.locked, "not filled in, as the platform does not let it change"),
        (&filled.strangers, "in the sheet, but not in the class"),
        (&filled.missing, "in the class with a grade, but not in the sheet"),
    ] {
        if !names.is_empty() {
            // A name has no line end that a log would obey.
            let shown = names.iter().take(MOST_NAMED).map(|name| super::one_line(name));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = names.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!("  {what}: {shown}{more}\n"));
        }
    }
    text
}

/// Writes a text to a file, or to standard output.
fn write(path: Option<&Path>, text: &str) -> Result<(), CliError> {
    match path {
        Some(path) => writing::write(path, text).map_err(CliError::write(path)),
        None => {
            output::out(text);
            Ok(())
        }
    }
}
