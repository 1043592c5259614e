//! The files of a submission and the lines in them that its findings name.
//!
//! The marks come from the report that its audience gets, so a hidden case marks no line for a student.

use super::shown_at::shown_at;
use crate::event::{ExceptionReport, Finding, Place, SubmissionReport, Warning};
use crate::report::formats::details::{self, FileLine};
use std::collections::BTreeMap;

/// The files of a submission, and the marks on their lines.
#[derive(Default)]
pub(super) struct MarkedSource<'r> {
    pub(super) files: Vec<MarkedFile<'r>>,
    /// By the index of the file, and the line from 1.
    pub(super) lines: BTreeMap<(usize, usize), Mark<'r>>,
}

pub(super) struct MarkedFile<'r> {
    pub(super) name: &'r str,
    pub(super) lines: Vec<String>,
}

/// A line that an exception passed through, or that defines what is wrong.
#[derive(Default)]
pub(super) struct Mark<'r> {
    /// The indices of the cases in which a result of what it defines is wrong.
    pub(super) defined: Vec<usize>,
    /// The exceptions that it raised, each with the indices of the cases in which it did.
    pub(super) raised: Vec<(&'r str, Vec<usize>)>,
}

impl<'r> MarkedSource<'r> {
    pub(super) fn new(report: &'r SubmissionReport) -> MarkedSource<'r> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned();
        let files = report.sources.iter().filter(|file| !file.bytes.contains(&0)).map(|file| MarkedFile {
            name: &file.name,
            lines: text(&file.bytes).lines().map(str::to_owned).collect(),
        });
        let mut marks = MarkedSource { files: files.collect(), lines: BTreeMap::new() };
        for warning in &report.warnings {
            if let Warning::RaisedWhileLoading { raised, .. } = warning {
                marks.mark(raised, None);
            }
        }
        let shown = shown_at(report);
        for (index, case) in report.cases.iter().enumerate().filter(|(index, _)| shown[*index] == *index) {
            match case.finding.as_deref() {
                Some(Finding { exception: Some(raised), .. }) => marks.mark(raised, Some(index)),
                Some(finding) => marks.mark_definition(report, finding, index),
                None => {}
            }
        }
        marks
    }

    /// Marks the line that defines the function at fault, or the text of an object.
    fn mark_definition(&mut self, report: &'r SubmissionReport, finding: &Finding, case: usize) {
        let Some(FileLine { path, line: Some(line) }) = details::shown_at(report, finding) else { return };
        let on_disk = report.files.iter().find(|file| file.path == path);
        let file = on_disk.and_then(|on_disk| self.files.iter().position(|file| file.name == on_disk.name));
        let Some(file) = file.filter(|file| line <= self.files[*file].lines.len()) else { return };
        self.lines.entry((file, line)).or_default().defined.push(case);
    }

    /// Marks the lines of an exception, which a case or loading raised.
    fn mark(&mut self, raised: &'r ExceptionReport, case: Option<usize>) {
        for place in &raised.places {
            self.find(place).map(|at| self.lines.entry(at).or_default());
        }
        let last = raised.places.last().and_then(|place| self.find(place));
        let Some(mark) = last.and_then(|at| self.lines.get_mut(&at)) else { return };
        match mark.raised.iter_mut().find(|(text, _)| *text == raised.text) {
            Some((_, cases)) => cases.extend(case),
            None => mark.raised.push((&raised.text, case.into_iter().collect())),
        }
    }

    /// The file and the line of a place, if the page has it; the lines of a notebook's cells have other numbers there.
    fn find(&self, place: &Place) -> Option<(usize, usize)> {
        if place.cell.is_some() {
            return None;
        }
        let file = self.files.iter().position(|file| file.name == place.file)?;
        (1..=self.files[file].lines.len()).contains(&place.line).then_some((file, place.line))
    }

    /// The address of a marked line on this page.
    pub(super) fn address(&self, place: &Place) -> Option<String> {
        let (file, line) = self.find(place)?;
        self.lines.contains_key(&(file, line)).then(|| format!("#l{file}-{line}"))
    }
}
