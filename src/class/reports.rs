//! Makes reports of the stored verdicts of a class, one student at a time.

use super::cases::{ClassCases, KeyedExercise};
use super::data::{HandSet, Student, Taken};
use super::error::ClassError;
use super::folder::ClassFolder;
use super::judge::runtime_of;
use super::reading::{problem_of, skipped_of};
use super::settings::ClassSettings;
use super::store::Store;
use crate::run::GradeRequest;
use keur_core::case::Points;
use keur_core::compare::Verdict;
use keur_core::event::{ByHand, EarlierGrade, HandIn, Late, RunError, Runtime, SubmissionReport, Warning};
use keur_core::grade::{CaseReports, CountedCases, info};
use keur_core::judge::KnownCases;
use keur_core::messages::Lang;
use keur_core::report::NameKey;
use keur_core::submission::opened;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The most submissions that a report names as the same: a thousand may have handed in the same empty
/// template.
const MOST_SAME: usize = 20;

/// The part of the files of submissions that goes into reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportDetail {
    /// Nothing: no file is opened.
    Results,
    /// The paths of files, and the text of those of submissions that did not pass.
    Files,
}

/// A student of a class, with the report.
#[derive(Clone, Debug)]
pub struct ClassEntry {
    /// The student.
    pub student: Student,
    /// The submission that counts; `None` if nothing was handed in.
    pub taken: Option<Taken>,
    pub report: Arc<SubmissionReport>,
}

/// The reports of a class.
pub struct ClassReports<'a> {
    folder: &'a ClassFolder,
    store: &'a Store,
    settings: &'a ClassSettings,
    exercises: BTreeMap<&'a str, ReportedExercise<'a>>,
    /// The digest of the judge of each language, and what it is.
    judges: BTreeMap<String, (String, Option<Runtime>)>,
    by_hand: BTreeMap<String, HandSet>,
    entries: Vec<(Student, Option<Taken>)>,
    /// The students by the digest of their files.
    same: BTreeMap<String, Vec<String>>,
}

/// An exercise, ready for reports.
struct ReportedExercise<'a> {
    keyed: &'a KeyedExercise,
    counted: CountedCases<'a>,
    /// The digest of each case at the last run, by name.
    last_run: BTreeMap<String, String>,
}

impl<'a> ClassReports<'a> {
    /// The reports of a class whose cases are loaded; `request` is the one of its settings.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn new(
        folder: &'a ClassFolder,
        store: &'a Store,
        settings: &'a ClassSettings,
        cases: &'a ClassCases,
        request: &GradeRequest,
    ) -> Result<ClassReports<'a>, ClassError> {
        let mut latest: BTreeMap<String, Taken> =
            store.latest()?.into_iter().map(|taken| (taken.student.clone(), taken)).collect();
        let mut entries: Vec<(Student, Option<Taken>)> = Vec::new();
        for student in store.students()? {
            let taken = latest.remove(&student.name);
            if student.on_roster || taken.is_some() {
                entries.push((student, taken));
            }
        }
        let of_exercise = || cases.exercises().first().map(|keyed| keyed.loaded.exercise.lang);
        let lang = settings.lang.or_else(of_exercise).unwrap_or(Lang::En);
        entries.sort_by_cached_key(|(student, _)| {
            NameKey::of_person(&student.name, student.last_name.as_deref(), lang)
        });
        let mut same: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for taken in entries.iter().filter_map(|(_, taken)| taken.as_ref()) {
            if taken.problem.is_none() {
                same.entry(taken.files.clone()).or_default().push(taken.student.clone());
            }
        }
        let judges = store.judges()?.into_iter().map(|judge| {
            let runtime = runtime_of(&judge);
            (judge.language, (judge.key, runtime))
        });
        let mut last_run: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for case in store.cases()? {
            last_run.entry(case.exercise).or_default().insert(case.name, case.key);
        }
        let exercises = cases.exercises().iter().map(|keyed| {
            let name = keyed.loaded.exercise.name.as_str();
            let counted = CountedCases::new(&keyed.loaded, &request.settings);
            let last_run = last_run.remove(name).unwrap_or_default();
            (name, ReportedExercise { keyed, counted, last_run })
        });
        Ok(ClassReports {
            folder,
            store,
            settings,
            exercises: exercises.collect(),
            judges: judges.collect(),
            by_hand: store.by_hand()?.into_iter().map(|set| (set.student.clone(), set)).collect(),
            entries,
            same,
        })
    }

    /// The number of students.
    pub fn students(&self) -> usize {
        self.entries.len()
    }

    /// The reports of all students, by name. Each is made when it is asked for.
    pub fn each(&self, detail: ReportDetail) -> impl Iterator<Item = Result<ClassEntry, ClassError>> {
        self.entries.iter().map(move |(student, taken)| {
            let report = Arc::new(self.report(student, taken.as_ref(), detail)?);
            Ok(ClassEntry { student: student.clone(), taken: taken.clone(), report })
        })
    }

    /// The results of the student called `name`, if there is one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn of(&self, name: &str) -> Result<Option<SubmissionReport>, ClassError> {
        let wanted = self.entries.iter().find(|(student, _)| student.name == name);
        let report = |(student, taken): &(Student, Option<Taken>)| {
            self.report(student, taken.as_ref(), ReportDetail::Results)
        };
        wanted.map(report).transpose()
    }

    fn report(
        &self,
        student: &Student,
        taken: Option<&Taken>,
        detail: ReportDetail,
    ) -> Result<SubmissionReport, ClassError> {
        let mut report = SubmissionReport::new(&student.name, "");
        let Some(taken) = taken else {
            self.not_graded(&mut report, RunError::NotHandedIn);
            self.settle(&mut report, student, None);
            return Ok(report);
        };
        let path = self.folder.submissions().join(&taken.folder);
        report.path = self.within(&path);
        report.warnings.extend(skipped_of(taken.skipped.as_deref()).into_iter().map(Warning::Skipped));
        let answered = taken.exercise.as_deref().and_then(|name| self.exercises.get(name));
        match (&taken.problem, answered) {
            (Some(problem), _) => self.not_graded(&mut report, problem_of(problem)),
            (None, None) => {
                let name = taken.exercise.clone().unwrap_or_default();
                let why = format!("the class has no exercise `{name}`, which this answers");
                self.not_graded(&mut report, RunError::Usage(why));
            }
            (None, Some(exercise)) => self.graded(&mut report, (student, taken), &path, exercise, detail)?,
        }
        self.settle(&mut report, student, Some(taken));
        Ok(report)
    }

    /// Fills the report of a submission with what is known of its cases.
    fn graded(
        &self,
        report: &mut SubmissionReport,
        (student, taken): (&Student, &Taken),
        path: &Path,
        exercise: &ReportedExercise<'_>,
        detail: ReportDetail,
    ) -> Result<(), ClassError> {
        let judge = taken.language.as_ref().and_then(|language| self.judges.get(language));
        let verdicts = self.store.verdicts(&taken.files)?;
        let known = match judge {
            Some((key, _)) => exercise.keyed.known_outcomes(&exercise.counted, &verdicts, key, 1)?,
            None => KnownCases::new(),
        };
        let reports = exercise.counted.report(&known);
        report.exercise = Some(info(&exercise.keyed.loaded));
        if reports.missing > 0 {
            let (missing, cases) = (reports.missing, reports.cases.len());
            report.max_points = reports.max_points;
            report.warnings.extend(reports.warnings);
            let earlier = judge.and_then(|(key, _)| {
                let known = exercise.keyed.earlier_outcomes(&exercise.last_run, &verdicts, key);
                let reports = exercise.counted.report(&known);
                (reports.missing == 0).then_some(reports)
            });
            let earlier = earlier.map(|CaseReports { points, max_points, .. }| {
                let late = self.late(student.due, taken, points, max_points);
                EarlierGrade { points: less(points, late.as_ref()), max_points }
            });
            report.error = Some(RunError::NotGraded { missing, cases, earlier });
            return Ok(());
        }
        report.runtime = judge.and_then(|(_, runtime)| runtime.clone());
        reports.write_to(report);
        for finding in report.cases.iter_mut().filter_map(|case| case.finding.as_mut()) {
            finding.place.path = self.within(Path::new(&finding.place.path));
        }
        if detail == ReportDetail::Files
            && let Ok(opened) = opened::open(path)
            && let Ok(found) =
                opened.choosing(taken.chosen.as_deref()).submission(&exercise.keyed.loaded.exercise).found
        {
            if report.cases.iter().any(|case| case.verdict != Verdict::Passed) {
                report.sources = found.sources();
            }
            report.files = found.on_disk();
            for file in &mut report.files {
                file.path = self.within(Path::new(&file.path));
            }
        }
        Ok(())
    }

    /// A path as one in the folder of the class, so that the report is the same wherever that lies.
    fn within(&self, path: &Path) -> String {
        path.strip_prefix(self.folder.path()).unwrap_or(path).display().to_string()
    }

    /// Says why a submission is not graded. If the class has one exercise, it is about that.
    fn not_graded(&self, report: &mut SubmissionReport, error: RunError) {
        if let [only] = self.exercises.values().collect::<Vec<_>>().as_slice() {
            report.exercise = Some(info(&only.keyed.loaded));
            report.max_points = only.counted.report(&KnownCases::new()).max_points;
        }
        report.error = Some(error);
    }

    /// Adds what the class knows of the student, takes the penalty for being late, and sets what an
    /// instructor set.
    fn settle(&self, report: &mut SubmissionReport, student: &Student, taken: Option<&Taken>) {
        let earned = report.points;
        let late = taken
            .filter(|_| report.error.is_none())
            .and_then(|taken| self.late(student.due, taken, earned, report.max_points));
        let by_hand = self.by_hand.get(&student.name);
        let by_hand = by_hand.map(|set| ByHand { points: set.points, why: set.why.clone() });
        let rest = less(earned, late.as_ref());
        report.points = by_hand.as_ref().map_or(rest, |set| set.points);
        report.hand_in = Some(Box::new(HandIn {
            student: student.name.clone(),
            last_name: student.last_name.clone(),
            id: student.number.clone(),
            email: student.email.clone(),
            attempt: taken.map_or(0, |taken| taken.attempt),
            earned,
            late,
            by_hand,
            same: taken.map(|taken| self.same(taken)).unwrap_or_default(),
        }));
    }

    /// The lateness of a submission and its cost; `None` if it is in time, or if that is not known. The
    /// platform's mark counts where one of the two times is not known.
    fn late(&self, due: Option<i64>, taken: &Taken, earned: Points, possible: Points) -> Option<Late> {
        let rule = self.settings.late.as_ref();
        let due = due.or_else(|| rule.and_then(|rule| rule.due));
        match (due.zip(taken.handed_in), rule) {
            (Some((due, handed_in)), Some(rule)) => rule.penalty(due, handed_in, earned, possible),
            (Some((due, handed_in)), None) => {
                let by = u64::try_from(handed_in.checked_sub(due)?).ok().filter(|by| *by > 0)?;
                Some(Late { by: Some(Duration::from_secs(by)), lost: Points::ZERO })
            }
            (None, _) if !taken.marked_late => None,
            (None, Some(rule)) => Some(rule.penalty_of_mark(earned, possible)),
            (None, None) => Some(Late { by: None, lost: Points::ZERO }),
        }
    }

    /// The others whose files are the same.
    fn same(&self, taken: &Taken) -> Vec<String> {
        let names = self.same.get(&taken.files).into_iter().flatten();
        names.filter(|name| **name != taken.student).take(MOST_SAME).cloned().collect()
    }
}

/// The points that are left after a penalty.
fn less(earned: Points, late: Option<&Late>) -> Points {
    let lost = late.map_or(0, |late| late.lost.hundredths());
    Points::from_hundredths(earned.hundredths().saturating_sub(lost))
}
