//! Takes in downloads and a roster: from files to the rows of the database.

use super::answered;
use super::cases;
use super::download::{Download, DownloadError};
use super::draft;
use super::enrol::Enrolled;
use super::error::IntakeError;
use super::files::{files_digest, write_folder};
use super::names::PlatformId;
use super::owners::{self, Contest};
use super::people;
use super::request::IntakeRequest;
use super::roster::Roster;
use super::sorting::{Claim, Incoming};
use super::unpack::Unpacked;
use super::unread;
use crate::case::{Exercise, Library, Loaded};
use crate::class::data::Taken;
use crate::class::folder::ClassFolder;
use crate::class::judge::freeze;
use crate::class::reading::{ReadAs, problem_of, problem_stored, read, stored_skipped};
use crate::class::settings::{ClassExercise, ClassSettings};
use crate::class::store::{Access, ClassLock, Store};
use crate::compare::FilesProblem;
use crate::event::RunError;
use crate::sandbox::Tools;
use crate::writing::{self, is_about_name};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;

/// The longest name of a folder of a submission, in bytes, before the number of the attempt.
const LONGEST_FOLDER: usize = 200;

/// What was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntakeSummary {
    /// Students in the class.
    pub students: usize,
    /// First submissions of students.
    pub new: usize,
    /// Further submissions of students who had handed in before.
    pub again: usize,
    /// Submissions that the class already has.
    pub known: usize,
    /// Students whose latest submission cannot be read.
    pub unreadable: Vec<String>,
    /// Students on the roster who handed in nothing.
    pub nothing: Vec<String>,
    /// Students who handed in and are not on the roster, if there is one.
    pub not_on_roster: Vec<String>,
    /// What is nobody's.
    pub nobodys: Vec<String>,
    /// Entries that may be several students', or several times the same: nothing of them is taken in.
    pub conflicts: Vec<EntryConflict>,
    /// What is not certain about the names of a download.
    pub warnings: Vec<String>,
    /// The exercise that all submissions answer, if it is the same.
    pub exercise: Option<String>,
}

/// Entries of a download whose student is not certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryConflict {
    /// Their names.
    pub entries: Vec<String>,
    /// The students who may be meant and have handed in nothing else: they are not graded until it is settled.
    pub students: Vec<String>,
    /// The students who may be meant, and whose earlier submission counts until it is settled.
    pub earlier: Vec<String>,
    /// The reason.
    pub why: String,
}

/// Takes in downloads and a roster. An existing class gets what is new.
///
/// # Errors
/// Something cannot be read or written, or does not fit: nothing is taken in then.
pub fn admit(request: &IntakeRequest<'_>) -> Result<IntakeSummary, IntakeError> {
    let folder = request.folder;
    let exists = folder.database().exists();
    request.must_fit(exists)?;
    let roster = request.roster.map(Roster::read).transpose()?;
    fs::create_dir_all(folder.submissions()).map_err(IntakeError::files(folder.path()))?;
    let _lock = ClassLock::take(folder)?;
    let mut settings = match &request.settings {
        Some(settings) => settings.clone(),
        None if folder.settings().exists() => ClassSettings::read(folder)?,
        None => ClassSettings::default(),
    };
    let has_cases = folder.cases().exists();
    let library = match request.cases {
        _ if has_cases => Library::Folder(folder.cases()),
        Some(cases) => Library::Folder(cases.to_owned()),
        None => Library::BuiltIn,
    };
    let mut exercises = exercises(&library, settings.only_exercise())?;
    let store = if exists { Some(Store::open(folder, Access::Write)?) } else { None };
    let (students, taken) = match &store {
        Some(store) => (store.students()?, store.taken()?),
        None => Default::default(),
    };
    let mut admission = Admission {
        folder,
        exercises: &exercises,
        enrolled: Enrolled::new(students, &taken),
        folders: taken.iter().map(|taken| people::plain(&taken.folder)).collect(),
        attempts: BTreeMap::new(),
        changed: BTreeSet::new(),
        summary: IntakeSummary::default(),
    };
    for taken in taken {
        admission.attempts.entry(taken.student.clone()).or_default().push(taken);
    }
    let times = roster.as_ref().map(|roster| admission.enrolled.take(roster)).unwrap_or_default();
    for path in request.downloads {
        admission.download(path, request)?;
    }
    admission.handed_in(&times);
    let Admission { enrolled, mut attempts, mut changed, mut summary, .. } = admission;
    let mut found = None;
    if settings.exercise.is_none()
        && let Some(name) = answered::the_only(latest(&attempts)).map_err(IntakeError::Usage)?
    {
        exercises.retain(|exercise| exercise.name == name);
        for taken in attempts.values_mut().flatten() {
            read_again(folder, taken, &exercises);
            changed.insert((taken.student.clone(), taken.attempt));
        }
        settings.exercise = Some(ClassExercise::Only(name.clone()));
        found = Some(name);
    }
    summary.exercise = settings.only_exercise().map(str::to_owned);
    let names: Vec<String> = exercises.iter().map(|exercise| exercise.name.clone()).collect();
    if !has_cases {
        cases::copy(&library, &names, &folder.cases())?;
    }
    let library = Library::Folder(folder.cases());
    let loaded: Vec<Loaded> = names.iter().map(|name| library.load(name)).collect::<Result<_, _>>()?;
    let text = match found {
        _ if request.settings.is_some() || !folder.settings().exists() => Some(settings.to_toml()),
        Some(name) => Some(ClassSettings::with_exercise(folder, &name)?),
        None => None,
    };
    if let Some(text) = text {
        // The folder of a class is named by its instructor, through whatever links there are on its disk.
        let place = folder.path().canonicalize().map_err(IntakeError::files(folder.path()))?;
        writing::write(&place.join("class.toml"), text).map_err(IntakeError::files(&folder.settings()))?;
    }
    // What the rows name is on the disk before they are.
    sync();
    let store = match store {
        Some(store) => store,
        None => draft::begin(folder)?,
    };
    store.together(|| {
        store.put_students(&enrolled.students)?;
        let rows = attempts
            .values()
            .flatten()
            .filter(|taken| changed.contains(&(taken.student.clone(), taken.attempt)));
        store.put_taken(&rows.cloned().collect::<Vec<_>>())
    })?;
    let mut grading = settings.request(folder, Vec::new(), Tools::on_path(&[folder.submissions()]));
    // Nothing is run here: this is what the class says of its judge.
    grading.tier = settings.confine.unwrap_or_default();
    (request.programs)(&mut grading).map_err(IntakeError::Usage)?;
    freeze(&store, &grading, &loaded.iter().collect::<Vec<_>>())?;
    drop(store);
    if !exists {
        draft::finish(folder)?;
        sync();
    }
    conclude(&mut summary, &enrolled, &attempts);
    Ok(summary)
}

/// The exercise that all submissions answer, or every one.
fn exercises(library: &Library, only: Option<&str>) -> Result<Vec<Exercise>, IntakeError> {
    let names = match only {
        Some(name) => vec![name.to_owned()],
        None => library.names()?,
    };
    Ok(names.iter().map(|name| library.describe(name)).collect::<Result<_, _>>()?)
}

/// The submission of each student that counts.
fn latest(attempts: &BTreeMap<String, Vec<Taken>>) -> impl Iterator<Item = &Taken> {
    attempts.values().filter_map(|taken| taken.iter().max_by_key(|taken| taken.attempt))
}

/// Reads a submission as an answer to other exercises. One that could not be unpacked keeps its problem.
fn read_again(folder: &ClassFolder, taken: &mut Taken, exercises: &[Exercise]) {
    let path = folder.submissions().join(&taken.folder);
    let is_empty = fs::read_dir(&path).map_or(true, |mut entries| entries.next().is_none());
    let ReadAs { exercise, language, problem, skipped } = read(&path, exercises);
    let before = taken.problem.take();
    let problem = problem.map(|problem| unread::with_found(problem, before.as_deref()));
    let as_before = if is_empty { before } else { None };
    let skipped = taken.skipped.take().or(skipped);
    ReadAs { exercise, language, problem: as_before.or(problem), skipped }.put(taken, exercises);
}

/// Why no files of a submission were kept, beside what the exercises want.
fn refusal(taken: &Taken) -> Option<FilesProblem> {
    let RunError::Nothing(problem) = problem_of(taken.problem.as_deref()?) else { return None };
    Some(problem).filter(|problem| !matches!(problem, FilesProblem::NoSource { .. }))
}

/// Whether this stands for a submission whose files are not certain.
fn is_contested(taken: &Taken) -> bool {
    let problem = taken.problem.as_deref().map(problem_of);
    matches!(problem, Some(RunError::Nothing(FilesProblem::Contested)))
}

/// Waits until all files are on the disk.
fn sync() {
    #[cfg(unix)]
    rustix::fs::sync();
}

fn conclude(summary: &mut IntakeSummary, enrolled: &Enrolled, attempts: &BTreeMap<String, Vec<Taken>>) {
    let students = &enrolled.students;
    summary.students = students.len();
    let unreadable = latest(attempts).filter(|taken| taken.problem.is_some() && !is_contested(taken));
    summary.unreadable = unreadable.map(|taken| taken.student.clone()).collect();
    let has_roster = students.iter().any(|student| student.on_roster);
    for student in students {
        if !attempts.contains_key(&student.name) {
            summary.nothing.push(student.name.clone());
        } else if has_roster && !student.on_roster {
            summary.not_on_roster.push(student.name.clone());
        }
    }
    summary.nothing.sort();
    summary.not_on_roster.sort();
}

/// An attempt whose student is certain.
struct ClaimedAttempt<'a> {
    student: String,
    id: Option<&'a PlatformId>,
    incoming: &'a Incoming,
}

/// Takes in one submission after another.
struct Admission<'a> {
    folder: &'a ClassFolder,
    exercises: &'a [Exercise],
    enrolled: Enrolled,
    /// The folders of submissions so far, as the systems see them that tell the fewest names apart.
    folders: HashSet<String>,
    /// What each student handed in.
    attempts: BTreeMap<String, Vec<Taken>>,
    /// The attempts that the database does not have like this.
    changed: BTreeSet<(String, u32)>,
    summary: IntakeSummary,
}

impl Admission<'_> {
    fn download(&mut self, path: &Path, request: &IntakeRequest<'_>) -> Result<(), IntakeError> {
        let mut download = Download::open(path)?;
        let shown = path.display();
        let wrong = |message: String| DownloadError::Usage(format!("{shown}: {message}"));
        let (named_by, warning) = download.named_by(request.named_by).map_err(wrong)?;
        self.summary.warnings.extend(warning.map(|warning| format!("{shown}: {warning}")));
        let sorted = download.sorted(named_by, &self.enrolled);
        if sorted.claims.is_empty() {
            let kind = if path.is_dir() { "folder" } else { "zip" };
            let others = if sorted.nobodys.is_empty() {
                String::new()
            } else {
                format!(", only {}", sorted.nobodys.join(", "))
            };
            return Err(IntakeError::Usage(format!("{shown}: the {kind} has no submissions{others}")));
        }
        let owners = owners::settle(&mut self.enrolled, &sorted.claims);
        let clear: Vec<(&Claim, usize)> = sorted
            .claims
            .iter()
            .zip(&owners.students)
            .filter_map(|(claim, student)| Some((claim, (*student)?)))
            .collect();
        let all = clear.iter().map(|(claim, _)| claim.attempts.len()).sum();
        let mut done = 0;
        for (claim, student) in clear {
            for incoming in &claim.attempts {
                (request.progress)(done, all);
                done += 1;
                let unpacked = download.unpack(incoming);
                let attempt = ClaimedAttempt {
                    student: self.enrolled.students[student].name.clone(),
                    id: claim.id.as_ref(),
                    incoming,
                };
                self.attempt(&attempt, unpacked)?;
            }
        }
        (request.progress)(all, all);
        for contest in owners.contests {
            self.contest(contest, &sorted.claims)?;
        }
        self.summary.nobodys.extend(sorted.nobodys);
        Ok(())
    }

    fn attempt(&mut self, claimed: &ClaimedAttempt<'_>, mut unpacked: Unpacked) -> Result<(), IntakeError> {
        let ClaimedAttempt { student, id, incoming } = claimed;
        if self.is_known(student, incoming.at, &unpacked) {
            self.summary.known += 1;
            return Ok(());
        }
        let before = self.attempts.get(student).into_iter().flatten();
        let attempt = before.map(|taken| taken.attempt).max().unwrap_or_default() + 1;
        let name = self.folder_name(student, attempt);
        let path = self.folder.submissions().join(&name);
        if let Err(error) = write_folder(&path, &unpacked.files) {
            if !is_about_name(&error) {
                return Err(IntakeError::files(&path)(error));
            }
            let problem =
                FilesProblem::Unreadable { file: incoming.original.clone(), why: error.to_string() };
            unpacked = Unpacked { problem: Some(problem), ..Unpacked::default() };
            write_folder(&path, &unpacked.files).map_err(IntakeError::files(&path))?;
            if self.is_known(student, incoming.at, &unpacked) {
                fs::remove_dir(&path).map_err(IntakeError::files(&path))?;
                self.folders.remove(&people::plain(&name));
                self.summary.known += 1;
                return Ok(());
            }
        }
        *(if attempt == 1 { &mut self.summary.new } else { &mut self.summary.again }) += 1;
        let mut taken = Taken {
            student: student.clone(),
            attempt,
            folder: name,
            original: incoming.original.clone(),
            platform: id.map(|id| id.platform.name()),
            platform_id: id.map(|id| id.id.clone()),
            handed_in: incoming.at,
            marked_late: incoming.late,
            files: files_digest(student, &unpacked.files),
            ..Taken::default()
        };
        self.read(&path, unpacked).put(&mut taken, self.exercises);
        self.keep(taken);
        Ok(())
    }

    /// Whether a student has handed this in before: the same files, or nothing that can be kept, for the same reason.
    fn is_known(&self, student: &str, at: Option<i64>, unpacked: &Unpacked) -> bool {
        let before = self.attempts.get(student).map(Vec::as_slice).unwrap_or_default();
        let files = files_digest(student, &unpacked.files);
        let is_same = |taken: &Taken| {
            taken.files == files && (!unpacked.files.is_empty() || refusal(taken) == unpacked.problem)
        };
        // An old download may be given again: only a later time makes what is known a new attempt.
        let last = before.iter().filter_map(|taken| taken.handed_in).max();
        let is_later = at.is_some_and(|at| last.is_some_and(|last| at > last));
        before.last().is_some_and(is_same) || (!is_later && before.iter().any(is_same))
    }

    fn keep(&mut self, taken: Taken) {
        self.changed.insert((taken.student.clone(), taken.attempt));
        self.attempts.entry(taken.student.clone()).or_default().push(taken);
    }

    /// Notes entries whose student is not certain. Who may be meant and has handed in nothing else gets an attempt without files; an
    /// earlier submission stays the one that counts, since others can bring about a conflict.
    fn contest(&mut self, contest: Contest, claims: &[Claim]) -> Result<(), IntakeError> {
        let names = contest.students.iter().map(|student| self.enrolled.students[*student].name.clone());
        let counts = |student: &String| {
            self.attempts
                .get(student)
                .and_then(|taken| taken.last())
                .is_some_and(|taken| !is_contested(taken))
        };
        let (earlier, students): (Vec<String>, Vec<String>) = names.partition(counts);
        for student in &students {
            if self.attempts.contains_key(student) {
                continue;
            }
            let folder = self.folder_name(student, 1);
            let path = self.folder.submissions().join(&folder);
            write_folder(&path, &BTreeMap::new()).map_err(IntakeError::files(&path))?;
            let files = files_digest(student, &BTreeMap::new());
            let mut taken = Taken { student: student.clone(), attempt: 1, folder, files, ..Taken::default() };
            let problem = Some(problem_stored(&FilesProblem::Contested));
            ReadAs { problem, ..ReadAs::default() }.put(&mut taken, self.exercises);
            self.keep(taken);
        }
        let entries = contest.claims.iter().flat_map(|place| claims[*place].entries.clone()).collect();
        self.summary.conflicts.push(EntryConflict { entries, students, earlier, why: contest.why });
        Ok(())
    }

    /// What a submission is, or why it cannot be graded.
    fn read(&self, path: &Path, unpacked: Unpacked) -> ReadAs {
        let Unpacked { skipped, left_out, problem, .. } = unpacked;
        let reason = skipped.reason().cloned();
        let skipped = stored_skipped(&skipped.into_named());
        if let Some(problem) = &problem {
            return ReadAs { problem: Some(problem_stored(problem)), skipped, ..ReadAs::default() };
        }
        let read = read(path, self.exercises);
        let problem = read.problem.map(|problem| unread::with_unkept(problem, left_out, reason));
        ReadAs { problem, skipped: skipped.or(read.skipped), ..read }
    }

    /// The name of the folder of an attempt, fit for each system.
    fn folder_name(&mut self, student: &str, attempt: u32) -> String {
        let fit = |ch: char| if ch.is_control() || "/\\:*?\"<>|#".contains(ch) { '_' } else { ch };
        let mut name: String = student.chars().map(fit).collect();
        while name.len() > LONGEST_FOLDER {
            name.pop();
        }
        let name = name.trim_matches(['.', ' ']).to_owned();
        let names = (1_u32..).map(|count| if count == 1 { name.clone() } else { format!("{name} {count}") });
        let mut names = names.map(|name| format!("{name}#{attempt}"));
        names.find(|name| self.folders.insert(people::plain(name))).unwrap_or(name)
    }

    /// Notes when students handed in, where only the roster says so.
    fn handed_in(&mut self, times: &[(usize, i64)]) {
        for (index, time) in times {
            let student = &self.enrolled.students[*index].name;
            let Some((taken, before)) =
                self.attempts.get_mut(student).and_then(|taken| taken.split_last_mut())
            else {
                continue;
            };
            // The table may be older than the attempt.
            let is_newer =
                before.iter().filter_map(|taken| taken.handed_in).max().is_none_or(|last| *time > last);
            if taken.handed_in.is_none() && is_newer && !is_contested(taken) {
                taken.handed_in = Some(*time);
                self.changed.insert((taken.student.clone(), taken.attempt));
            }
        }
    }
}
