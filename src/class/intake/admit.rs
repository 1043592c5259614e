//! Takes in downloads and a roster: from files to the rows of the database.

use super::answered;
use super::attempts::{OrderedAttempts, UndatedAttempt, is_contested, is_same, ordered};
use super::cases;
use super::download::{Download, DownloadError};
use super::draft::{self, NewParts};
use super::enrol::Enrolled;
use super::error::IntakeError;
use super::files::{files_digest, write_folder};
use super::names::PlatformId;
use super::owners;
use super::people;
use super::request::IntakeRequest;
use super::roster::Roster;
use super::sorting::{Claim, Incoming};
use super::summary::{EntryConflict, IntakeSummary, latest};
use super::unpack::Unpacked;
use super::unread;
use crate::class::data::Taken;
use crate::class::folder::{ClassFolder, is_empty};
use crate::class::judge::freeze;
use crate::class::reading::{ReadAs, problem_stored, read, read_in_doubt, received_digest, stored_skipped};
use crate::class::settings::{ClassExercise, ClassSettings};
use crate::class::store::{Access, ClassLock, Store, StoreError};
use crate::writing::{self, is_about_name};
use keur_core::case::{Exercise, Library, Loaded};
use keur_core::named::Named;
use keur_core::submission::FilesProblem;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::mem;
use std::path::Path;

/// The longest name of a folder of a submission, in bytes, before the number of the attempt.
const LONGEST_FOLDER: usize = 200;

/// Takes in downloads and a roster. An existing class gets what is new.
///
/// # Errors
/// Something cannot be read or written, or does not fit: nothing is taken in then.
pub fn admit(request: &IntakeRequest<'_>) -> Result<IntakeSummary, IntakeError> {
    let folder = request.folder;
    let exists = folder.has_database()?;
    request.must_fit(exists)?;
    let roster = request.roster.map(Roster::read).transpose()?;
    let new = NewParts::missing_in(folder);
    fs::create_dir_all(folder.submissions()).map_err(IntakeError::files(folder.path()))?;
    let _lock = ClassLock::take(folder)?;
    if folder.has_database()? != exists {
        let shown = folder.path().display();
        let why = format!("{shown}: another keur made this class meanwhile; give the same command again");
        return Err(StoreError::Busy(why).into());
    }
    let done = admit_alone(request, roster.as_ref(), exists);
    if done.is_err() && !exists {
        new.remove();
    }
    done
}

/// Takes in downloads and a roster, as the only process that writes the class.
fn admit_alone(
    request: &IntakeRequest<'_>,
    roster: Option<&Roster>,
    exists: bool,
) -> Result<IntakeSummary, IntakeError> {
    let folder = request.folder;
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
        given: BTreeMap::new(),
        conflicts: Vec::new(),
        summary: IntakeSummary::default(),
    };
    for taken in &taken {
        admission.attempts.entry(taken.student.clone()).or_default().push(taken.clone());
    }
    let times = roster.map(|roster| admission.enrolled.take(roster)).unwrap_or_default();
    for path in request.downloads {
        admission.download(path, request)?;
    }
    admission.order(&times);
    admission.contest()?;
    let Admission { enrolled, mut attempts, mut summary, .. } = admission;
    let mut found = None;
    if settings.exercise.is_none()
        && let Some(name) = answered::the_only(latest(&attempts)).map_err(IntakeError::UnclearExercise)?
    {
        exercises.retain(|exercise| exercise.name == name);
        for taken in attempts.values_mut().flatten() {
            read_again(folder, taken, &exercises);
        }
        settings.exercise = Some(ClassExercise::Only(name.clone()));
        found = Some(name);
    }
    summary.exercise = settings.only_exercise().map(str::to_owned);
    let names: Vec<String> = exercises.iter().map(|exercise| exercise.name.clone()).collect();
    if !has_cases {
        cases::copy(&library, &names, &folder.cases_draft(), &folder.cases())?;
    }
    let library = Library::Folder(folder.cases());
    let loaded: Vec<Loaded> = names.iter().map(|name| library.load(name)).collect::<Result<_, _>>()?;
    let text = match found {
        _ if request.settings.is_some() || !folder.settings().exists() => Some(settings.to_toml()),
        Some(name) => Some(ClassSettings::with_exercise(folder, &name)?),
        None => None,
    };
    // What the rows name is on the disk before they are.
    sync();
    let store = match store {
        Some(store) => store,
        None => draft::begin(folder)?,
    };
    let mut grading = settings.request(folder);
    // Nothing is run here: this is what the class says of its judge.
    grading.tier = settings.confine.unwrap_or_default();
    (request.programs)(&mut grading).map_err(IntakeError::Usage)?;
    // If this machine cannot grade them, nothing is taken in.
    store.together(|| {
        store.put_students(&enrolled.students)?;
        let known: BTreeSet<&Taken> = taken.iter().collect();
        let rows = attempts.values().flatten().filter(|taken| !known.contains(taken));
        store.put_taken(&rows.cloned().collect::<Vec<_>>())?;
        freeze(&store, &grading, &loaded.iter().collect::<Vec<_>>()).map_err(IntakeError::from)
    })?;
    drop(store);
    if let Some(text) = text {
        // The folder of a class is named by its instructor, through whatever links there are on its disk.
        let place = folder.path().canonicalize().map_err(IntakeError::files(folder.path()))?;
        writing::write(&place.join("class.toml"), text).map_err(IntakeError::files(&folder.settings()))?;
    }
    if !exists {
        draft::finish(folder)?;
        sync();
    }
    summary.conclude(&enrolled.students, &attempts);
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

/// Reads a submission as an answer to other exercises. One that could not be unpacked keeps its problem.
fn read_again(folder: &ClassFolder, taken: &mut Taken, exercises: &[Exercise]) {
    let path = folder.submissions().join(&taken.folder);
    let is_empty = fs::read_dir(&path).map_or(true, |mut entries| entries.next().is_none());
    let ReadAs { exercise, language, problem, skipped } = read(&path, exercises, taken.chosen.as_deref());
    let before = taken.problem.take();
    let problem = problem.map(|problem| unread::with_found(problem, before.as_deref()));
    let as_before = if is_empty { before } else { None };
    let skipped = taken.skipped.take().or(skipped);
    ReadAs { exercise, language, problem: as_before.or(problem), skipped }.put(taken, exercises);
}

/// Waits until all files are on the disk.
fn sync() {
    #[cfg(unix)]
    rustix::fs::sync();
}

/// An attempt whose student is certain.
struct ClaimedAttempt<'a> {
    student: String,
    id: Option<&'a PlatformId>,
    incoming: &'a Incoming,
}

/// Entries of a download whose student is not certain.
struct ContestedEntries {
    names: Vec<String>,
    /// The students who may be meant.
    students: Vec<String>,
    why: String,
}

/// Takes in one submission after another.
struct Admission<'a> {
    folder: &'a ClassFolder,
    exercises: &'a [Exercise],
    enrolled: Enrolled,
    /// The folders of submissions so far, as the systems see them that tell the fewest names apart.
    folders: HashSet<String>,
    /// The submissions of each student, in the order of [`ordered`].
    attempts: BTreeMap<String, Vec<Taken>>,
    /// The entries of the downloads for each student, in the order of the downloads.
    given: BTreeMap<String, Vec<Taken>>,
    /// Entries whose student is not certain.
    conflicts: Vec<ContestedEntries>,
    summary: IntakeSummary,
}

impl Admission<'_> {
    fn download(&mut self, path: &Path, request: &IntakeRequest<'_>) -> Result<(), IntakeError> {
        let mut download = Download::open(path)?;
        let shown = path.display();
        let unclear = |message: String| DownloadError::UnclearPlatform(format!("{shown}: {message}"));
        let (named_by, warning) = download.named_by(request.named_by).map_err(unclear)?;
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
                self.give(&attempt, unpacked)?;
            }
        }
        (request.progress)(all, all);
        for contest in owners.contests {
            let named = |student: &usize| self.enrolled.students[*student].name.clone();
            let names = contest.claims.iter().flat_map(|place| sorted.claims[*place].entries.clone());
            self.conflicts.push(ContestedEntries {
                names: names.collect(),
                students: contest.students.iter().map(named).collect(),
                why: contest.why,
            });
        }
        self.summary.nobodys.extend(sorted.nobodys);
        Ok(())
    }

    /// Adds what a download has of a student. The files of one that the student handed in before lie in the
    /// class already.
    fn give(&mut self, claimed: &ClaimedAttempt<'_>, mut unpacked: Unpacked) -> Result<(), IntakeError> {
        let ClaimedAttempt { student, id, incoming } = claimed;
        let mut taken = Taken {
            student: student.clone(),
            original: incoming.original.clone(),
            platform: id.map(|id| id.platform.name().to_owned()),
            platform_id: id.map(|id| id.id.clone()),
            handed_in: incoming.at,
            marked_late: incoming.late,
            ..Taken::default()
        };
        if self.is_there(&mut taken, &unpacked) {
            let path = self.folder.submissions().join(&taken.folder);
            // Somebody removed it.
            if is_empty(&path) || !path.try_exists().map_err(IntakeError::files(&path))? {
                write_folder(&path, &unpacked.files).map_err(IntakeError::files(&path))?;
            }
        } else {
            let name = self.folder_name(student);
            let path = self.folder.submissions().join(&name);
            if let Err(error) = write_folder(&path, &unpacked.files) {
                if !is_about_name(&error) {
                    return Err(IntakeError::files(&path)(error));
                }
                let problem =
                    FilesProblem::Unreadable { file: incoming.original.clone(), why: error.to_string() };
                unpacked = Unpacked { problem: Some(problem), ..Unpacked::default() };
                write_folder(&path, &unpacked.files).map_err(IntakeError::files(&path))?;
            }
            if self.is_there(&mut taken, &unpacked) {
                fs::remove_dir(&path).map_err(IntakeError::files(&path))?;
                self.folders.remove(&people::plain(&name));
            } else {
                taken.folder = name;
                self.read(&path, unpacked).put(&mut taken, self.exercises);
            }
        }
        self.given.entry(taken.student.clone()).or_default().push(taken);
        Ok(())
    }

    /// Whether the student handed this in before. Then it lies where that does, and is what that is.
    fn is_there(&self, taken: &mut Taken, unpacked: &Unpacked) -> bool {
        taken.files = files_digest(&taken.student, &unpacked.files);
        taken.problem = unpacked.problem.as_ref().map(problem_stored);
        taken.received = received_digest(&taken.student, &taken.files, taken.problem.as_deref());
        // The last of several has what was chosen and changed last.
        let Some(known) = self.of(&taken.student).filter(|known| is_same(known, taken)).last() else {
            return false;
        };
        let Taken { original, platform, platform_id, handed_in, marked_late, .. } = mem::take(taken);
        *taken = Taken { original, platform, platform_id, handed_in, marked_late, ..known.clone() };
        true
    }

    /// The submissions of a student: those of before, then those of the downloads.
    fn of(&self, student: &str) -> impl Iterator<Item = &Taken> {
        self.attempts.get(student).into_iter().chain(self.given.get(student)).flatten()
    }

    /// Puts what was given among what each student handed in; the roster may have times.
    fn order(&mut self, times: &[(usize, i64)]) {
        let named = |(index, time): &(usize, i64)| (self.enrolled.students[*index].name.clone(), *time);
        let times: BTreeMap<String, i64> = times.iter().map(named).collect();
        let mut given = mem::take(&mut self.given);
        for student in times.keys().filter(|student| self.attempts.contains_key(*student)) {
            given.entry(student.clone()).or_default();
        }
        for (student, given) in given {
            let stored = self.attempts.remove(&student).unwrap_or_default();
            let OrderedAttempts { attempts, known, earlier, undated } =
                ordered(&stored, given, times.get(&student).copied());
            let summary = &mut self.summary;
            let new = attempts.len() - stored.len() - earlier;
            let first = new.min(usize::from(stored.is_empty()));
            summary.new += first;
            summary.again += new - first;
            summary.known += known;
            summary.earlier += earlier;
            match undated {
                Some(UndatedAttempt::GivenLast) => summary.given_last.push(student.clone()),
                Some(UndatedAttempt::NotLater) => summary.not_later.push(student.clone()),
                None => {}
            }
            let mut attempts = attempts;
            if let (Some(before), Some(last)) = (stored.last(), attempts.last_mut())
                && before.folder != last.folder
                && last.chosen.is_none()
                && let Some(file) = &before.chosen
            {
                self.choose_again(file, last);
                if last.chosen.is_none() {
                    self.summary.choice_dropped.push(student.clone());
                }
            }
            self.attempts.insert(student, attempts);
        }
    }

    /// Chooses in a new attempt the file that was chosen in the one before.
    fn choose_again(&self, file: &str, last: &mut Taken) {
        let path = self.folder.submissions().join(&last.folder);
        if let Some(read) = read_in_doubt(&path, self.exercises, file) {
            read.put_chosen(last, last.files.clone(), Some(file.to_owned()), self.exercises);
        }
    }

    /// Notes entries whose student is not certain. Who may be meant and has handed in nothing else gets an
    /// attempt without files; an earlier submission stays the one that counts, since others can bring about a
    /// conflict.
    fn contest(&mut self) -> Result<(), IntakeError> {
        for ContestedEntries { names, students, why } in mem::take(&mut self.conflicts) {
            let counts = |student: &String| self.of(student).last().is_some_and(|taken| !is_contested(taken));
            let (earlier, students): (Vec<String>, Vec<String>) = students.into_iter().partition(counts);
            for student in &students {
                if self.attempts.contains_key(student) {
                    continue;
                }
                let folder = self.folder_name(student);
                let path = self.folder.submissions().join(&folder);
                write_folder(&path, &BTreeMap::new()).map_err(IntakeError::files(&path))?;
                let problem = Some(problem_stored(&FilesProblem::Contested));
                let files = files_digest(student, &BTreeMap::new());
                let received = received_digest(student, &files, problem.as_deref());
                let mut taken = Taken {
                    student: student.clone(),
                    attempt: 1,
                    folder,
                    files,
                    received,
                    ..Taken::default()
                };
                ReadAs { problem, ..ReadAs::default() }.put(&mut taken, self.exercises);
                self.attempts.insert(student.clone(), vec![taken]);
            }
            self.summary.conflicts.push(EntryConflict { entries: names, students, earlier, why });
        }
        Ok(())
    }

    /// The language and exercise of a submission, or the reason why it cannot be graded.
    fn read(&self, path: &Path, unpacked: Unpacked) -> ReadAs {
        let Unpacked { skipped, left_out, problem, .. } = unpacked;
        let reason = skipped.reason().cloned();
        let skipped = stored_skipped(&skipped.into_named());
        if let Some(problem) = &problem {
            return ReadAs { problem: Some(problem_stored(problem)), skipped, ..ReadAs::default() };
        }
        let read = read(path, self.exercises, None);
        let problem = read.problem.map(|problem| unread::with_unkept(problem, left_out, reason));
        ReadAs { problem, skipped: skipped.or(read.skipped), ..read }
    }

    /// The name of the folder of a student's next submission, fit for each system.
    fn folder_name(&mut self, student: &str) -> String {
        let folders: BTreeSet<&String> = self.of(student).map(|taken| &taken.folder).collect();
        let attempt = folders.len() + 1;
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
}
