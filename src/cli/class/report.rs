//! `keur class report`.

use super::back::{self, BackWanted, ClassFormat, GoingBack};
use super::signed::{self, Receipts};
use super::status::ClassStatus;
use crate::class::{
    Access, ClassCases, ClassEntry, ClassFolder, ClassLock, ClassReports, ClassSettings, ReportDetail, Store,
    take_in,
};
use crate::cli::args::one_of;
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::RunStatus;
use crate::cli::output::{self, plural};
use crate::cli::sinks::{ReportRequest, ReportSettings, Sinks};
use crate::run::GradeRequest;
use clap::Args;
use keur_core::event::{self, Event};
use keur_core::messages::Lang;
use keur_core::report::{Audience, Order, ShownFindings};
use std::path::{Path, PathBuf, is_separator};

const CODES: &str = "Exit codes:
  0  the report is written
  1  the report is written, but some submissions are not graded yet, some students with a grade
     are not in a worksheet, or verdicts from another machine were refused
  2  usage error: no such class, a class with a link or a pipe in it, or a file of the wrong kind
  3  class.toml, or a case, has an error
  4  keur itself failed: a damaged database, a full disk
See docs/class.md for every step from a learning platform to exported grades.";

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct ReportArgs {
    /// The folder of the class
    class: PathBuf,
    #[arg(long, value_name = "FORMAT[=PATH]", default_value = "terminal")]
    #[arg(help = format!("The format of a report: {}; =PATH writes the report to that file. May be given several times", back::names()))]
    format: Vec<ClassFormat>,
    /// List whose grade rises and whose falls since this earlier report in JSON, and which cases cause it
    #[arg(long, value_name = "EARLIER")]
    against: Option<PathBuf>,
    /// Fill the grades into this worksheet, as exported by Moodle or Canvas; the result is written beside it
    /// as NAME-graded.csv. May be given several times
    #[arg(long, value_name = "FILE")]
    worksheet: Vec<PathBuf>,
    /// The column of the worksheets for the grades; needed only if keur cannot determine it
    #[arg(long, value_name = "NAME", requires = "worksheet")]
    column: Option<String>,
    /// Write a receipt of the submissions, what graded them, and the grades, and sign it with this SSH key;
    /// `keur class verify` checks the receipt
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
    /// The language of the report: nl, da or en; that of class.toml or of the exercise by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
    /// Who reads the reports: instructor or student. If a hidden case fails, a student sees only that it
    /// failed, its points and its hint. The default is student for formats that go to students, and
    /// instructor for all others
    #[arg(long, value_name = "WHO", value_parser = one_of::<Audience>())]
    audience: Option<Audience>,
    /// The order of tables of submissions: given (by name), name, exercise, or points (highest first)
    #[arg(long, value_name = "ORDER", value_parser = one_of::<Order>(), default_value = "given")]
    sort: Order,
    /// The findings of each submission to show on the terminal: all, first, or none (the default)
    #[arg(long, value_name = "WHICH", value_parser = one_of::<ShownFindings>())]
    findings: Option<ShownFindings>,
}

pub(super) fn run(args: &ReportArgs) -> CliResult {
    let folder = ClassFolder::open(&args.class)?;
    drop(Store::open(&folder, Access::Read)?);
    let taken_in = take_in_shards(&folder)?;
    let settings = ClassSettings::read(&folder)?;
    let (request, cases) = loaded(&folder, &settings)?;
    let store = Store::open(&folder, Access::Read)?;
    store.check_rows()?;
    let title = title(&folder, &settings);
    let receipts = args.sign.as_ref().map(|_| Receipts::new(&folder, &store, &settings)).transpose()?;
    let reports = ClassReports::new(&folder, &store, &settings, &cases, &request)?;
    let mut titles = vec![title.as_str()];
    for keyed in cases.exercises() {
        let exercise = &keyed.loaded.exercise;
        titles.extend([exercise.name.as_str(), exercise.title.get(settings.lang.unwrap_or(exercise.lang))]);
    }
    let lang = args.lang.or(settings.lang);
    let requests: Vec<ReportRequest> = args
        .format
        .iter()
        .filter_map(|format| match format {
            ClassFormat::Report(request) => Some(request.clone()),
            ClassFormat::Back(..) => None,
        })
        .collect();
    let on_terminal = requests.iter().any(|request| request.name() == "terminal" && request.path().is_none());
    let settings = ReportSettings {
        title: settings.title.clone(),
        format: requests,
        lang,
        audience: args.audience,
        sort: args.sort,
        findings: args.findings,
        exit_zero: true,
    };
    let back = GoingBack::open(&BackWanted {
        formats: &args.format,
        worksheets: &args.worksheet,
        column: args.column.as_deref(),
        against: args.against.as_deref(),
        lang,
        title: settings.title.as_deref(),
        titles: &titles,
    })?;
    let sinks = Sinks::open(&settings, true)?;
    // Without findings, nothing of it is written before the end, and nothing must be kept to stand below the
    // status.
    let as_they_come = !on_terminal || args.findings.is_none_or(|shown| shown == ShownFindings::None);
    let writing = ReportWriting {
        args,
        title: &title,
        on_terminal,
        as_they_come,
        sinks,
        back,
        receipts,
        status: ClassStatus::default(),
    };
    let detail = detail(&settings.format, &writing.back, reports.students());
    Ok(writing.all((&folder, &store), &reports, detail)?.max(taken_in))
}

/// The request of a class, and its exercises with their cases.
pub(super) fn loaded(
    folder: &ClassFolder,
    settings: &ClassSettings,
) -> Result<(GradeRequest, ClassCases), CliError> {
    let request = settings.request(folder);
    let cases = ClassCases::load(&request)?;
    Ok((request, cases))
}

/// The title of a class: that of its settings, else the name of its folder.
pub(super) fn title(folder: &ClassFolder, settings: &ClassSettings) -> String {
    let named = || {
        let path = std::path::absolute(folder.path()).unwrap_or_else(|_| folder.path().to_owned());
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    settings.title.clone().unwrap_or_else(named)
}

/// Whether a report shows files: those that do are pages, and those that name the place of a finding for
/// another tool.
fn detail(requests: &[ReportRequest], back: &GoingBack, students: usize) -> ReportDetail {
    const WITHOUT: [&str; 5] = ["terminal", "json", "csv", "markdown", "tap"];
    // The page of a class shows no files; those of its students do, in a folder.
    let is_page = |request: &ReportRequest| {
        let folder = |path: &Path| path.is_dir() || path.to_string_lossy().ends_with(is_separator);
        request.name() == "html" && students > 1 && !request.path().is_some_and(folder)
    };
    let shown = requests.iter().any(|request| !WITHOUT.contains(&request.name()) && !is_page(request));
    if shown || back.shows_files() { ReportDetail::Files } else { ReportDetail::Results }
}

/// Takes in what other machines published, if this process may write the class, and returns the exit code.
fn take_in_shards(folder: &ClassFolder) -> CliResult {
    let published = std::fs::read_dir(folder.shards()).is_ok_and(|mut entries| entries.next().is_some());
    if !published {
        return Ok(RunStatus::Passed);
    }
    let _lock = match ClassLock::take(folder) {
        Ok(lock) => lock,
        Err(error) => {
            output::err(&format!(
                "warning: what other machines graded since then is not in this report: {error}\n"
            ));
            return Ok(RunStatus::Passed);
        }
    };
    let taken = take_in(folder, &Store::open(folder, Access::Write)?)?;
    for error in &taken.refused {
        output::err(&format!("warning: not taken in: {error}\n"));
    }
    if taken.conflicts > 0 {
        let cases = plural(taken.conflicts, "case");
        output::err(&format!(
            "warning: {} {cases} got another verdict on another machine; `keur class run {}` settles that\n",
            taken.conflicts,
            folder.path().display()
        ));
    }
    Ok(if taken.refused.is_empty() { RunStatus::Passed } else { RunStatus::Failed })
}

/// The outputs of a report, in the making.
struct ReportWriting<'a> {
    args: &'a ReportArgs,
    title: &'a str,
    /// Whether standard output has the report for people.
    on_terminal: bool,
    /// Whether the outputs hear of each report at once.
    as_they_come: bool,
    sinks: Sinks,
    back: GoingBack,
    receipts: Option<Receipts>,
    status: ClassStatus,
}

impl ReportWriting<'_> {
    fn all(
        mut self,
        (folder, store): (&ClassFolder, &Store),
        reports: &ClassReports<'_>,
        detail: ReportDetail,
    ) -> CliResult {
        let shown = folder.path().display().to_string();
        // The status stands above a report for people.
        let mut kept = Vec::new();
        if self.as_they_come {
            self.sinks.event(&Event::RunStarted { submissions: reports.students() });
        }
        for entry in reports.each(detail) {
            let entry = entry?;
            self.status.add(&entry);
            self.back.add(&entry);
            if let Some(receipts) = &mut self.receipts {
                receipts.add(folder, &entry)?;
            }
            if self.as_they_come {
                self.tell(&entry);
            } else {
                kept.push(entry.report);
            }
        }
        let status = self.status.text(self.title, &shown);
        if self.on_terminal {
            output::out(&format!("{status}\n"));
        }
        if self.as_they_come {
            self.sinks.event(&Event::RunFinished);
        } else {
            event::replay(&kept, &mut |event| self.sinks.event(event));
        }
        if !self.on_terminal {
            output::err(&status);
        }
        let mut exit = self.sinks.finish().max(self.back.finish(self.on_terminal));
        if let (Some(key), Some(receipts)) = (&self.args.sign, self.receipts) {
            let signed = signed::sign(key, folder, receipts.end(store)?, self.status.missing);
            exit = signed.map_or_else(|error| error.show(), |()| RunStatus::Passed).max(exit);
        }
        Ok(if self.status.missing > 0 { exit.max(RunStatus::Failed) } else { exit })
    }

    fn tell(&mut self, entry: &ClassEntry) {
        event::finish(None, &entry.report, &mut |event| self.sinks.event(event));
    }
}
