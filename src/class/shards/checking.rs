//! Checks what another machine published, before anything of it is taken in.
//!
//! Anybody who can write to the folder of shards can put any file there. [`CheckedShard::open`] copies it
//! aside, where it does not change any more, and accepts it only if it is whole and could be what a run of
//! this class graded: then every later report can read it.

use super::deal::Shard;
use crate::class::data::{Attempt, KeptVerdict};
use crate::class::digest::is_digest;
use crate::class::folder::ClassFolder;
use crate::class::scratch::ScratchFolder;
use crate::class::store::{Store, StoreError};
use keur_core::compare::Verdict;
use keur_core::compare::diff::visible;
use keur_core::judge::KnownCase;
use keur_core::submission::opened::open_plain;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

/// The largest database that a machine publishes, in bytes.
pub(super) const LARGEST: u64 = 1 << 30;

/// The longest outcome of a case that a machine publishes, in bytes. A case with a longer one stays to be
/// graded where the class is.
pub(super) const LONGEST_OUTCOME: usize = 1 << 20;

/// The most verdicts in a shard.
const MOST_VERDICTS: i64 = 2_000_000;

/// The most gradings of a case in a run.
const MOST_GRADINGS: usize = 100;

/// The longest time that one grading of a case may have taken: a week.
const LONGEST_GRADING: Duration = Duration::from_hours(7 * 24);

/// The longest name of a run or a machine, in characters.
const LONGEST_NAME: usize = 300;

/// The longest reason in a message, in characters.
const LONGEST_REASON: usize = 200;

/// How much is copied at once, in bytes.
const PART: usize = 64 << 10;

/// The name of the copy.
const COPY: &str = "published.db";

/// The tables that a shard has rows in.
const FILLED: [&str; 2] = ["attempt", "verdict"];

/// The facts of a class that a shard of it cannot contradict.
pub(super) struct KnownClass {
    /// The digests of the files of its submissions.
    files: BTreeSet<String>,
    /// The judges of the class, earlier ones too.
    judges: BTreeSet<String>,
    attempts: BTreeMap<String, Attempt>,
    /// The class's folder, for messages.
    shown: String,
}

impl KnownClass {
    /// Reads the facts from the database of a class.
    pub(super) fn read(class: &ClassFolder, store: &Store) -> Result<KnownClass, StoreError> {
        let attempts = store.attempts()?.into_iter().map(|attempt| (attempt.id.clone(), attempt));
        Ok(KnownClass {
            files: store.taken()?.into_iter().map(|taken| taken.files).collect(),
            judges: store.judge_keys()?,
            attempts: attempts.collect(),
            shown: class.path().display().to_string(),
        })
    }
}

/// A copy of what was published, that can be taken in.
pub(super) struct CheckedShard {
    /// The copy.
    pub(super) store: Store,
    /// The run; `None` if it ended before it graded anything.
    pub(super) attempt: Option<Attempt>,
    room: ScratchFolder,
}

/// Whether what was published can be taken in.
pub(super) enum ShardCheck {
    /// The shard can be taken in.
    Good(Box<CheckedShard>),
    /// The shard cannot be taken in: what is wrong with it, and what to do.
    Refused(StoreError),
}

impl CheckedShard {
    /// Copies and checks the database at `published`, which stays as it is.
    ///
    /// # Errors
    /// This machine has no room for a copy.
    pub(super) fn open(published: &Path, class: &KnownClass) -> Result<ShardCheck, StoreError> {
        let room = ScratchFolder::new().map_err(no_room)?;
        let copied = match open_plain(published) {
            Ok(from) => copy_limited(from, &room.path().join(COPY))?,
            Err(error) => ShardCopy::Refused(ShardProblem::File(error)),
        };
        let checked = match copied {
            ShardCopy::Whole => CheckedShard::check(room, published, class),
            ShardCopy::Refused(problem) => Err(problem),
        };
        Ok(match checked {
            Ok(shard) => ShardCheck::Good(Box::new(shard)),
            Err(problem) => ShardCheck::Refused(problem.explained(published, &class.shown)),
        })
    }

    /// Whether the file at `path` has the bytes that were checked.
    pub(super) fn is_copy_of(&self, path: &Path) -> bool {
        let both = File::open(self.room.path().join(COPY)).and_then(|copy| Ok((copy, open_plain(path)?)));
        both.and_then(|(copy, file)| same_bytes(copy, file)).unwrap_or(false)
    }

    /// Checks the whole copy.
    fn check(
        room: ScratchFolder,
        published: &Path,
        class: &KnownClass,
    ) -> Result<CheckedShard, ShardProblem> {
        let mut store = Store::open_copy(&room.path().join(COPY), published)?;
        if let Some(damage) = store.damage()? {
            return Err(ShardProblem::Content(format!("it is damaged: {damage}")));
        }
        for (table, rows) in store.sizes()? {
            if rows > 0 && !FILLED.contains(&table) {
                return Err(ShardProblem::Content(format!(
                    "it has rows in the table {table}, which a shard leaves empty; is it the database of a class?"
                )));
            }
            if rows > MOST_VERDICTS {
                return Err(ShardProblem::Content(format!("it has {rows} rows in the table {table}")));
            }
        }
        let attempt = match <[Attempt; 1]>::try_from(store.attempts()?) {
            Ok([attempt]) => Some(attempt),
            Err(none) if none.is_empty() => None,
            Err(several) => {
                return Err(ShardProblem::Content(format!("it is of {} runs, not of one", several.len())));
            }
        };
        let shard = attempt.as_ref().map(|attempt| class.check_attempt(attempt)).transpose()?.flatten();
        store.each_verdict(&mut |verdict| {
            let run = attempt.as_ref().map(|attempt| attempt.id.as_str());
            class.check_verdict(&verdict, run, shard).map_err(ShardProblem::Content)
        })?;
        store.lift_time_limit()?;
        Ok(CheckedShard { store, attempt, room })
    }
}

impl KnownClass {
    /// Adds a run that was taken in.
    pub(super) fn add_attempt(&mut self, attempt: &Attempt) {
        self.attempts.insert(attempt.id.clone(), attempt.clone());
    }

    /// The part of the class that a run graded.
    fn check_attempt(&self, attempt: &Attempt) -> Result<Option<Shard>, ShardProblem> {
        let content = |what: &str| ShardProblem::Content(what.to_owned());
        let fits = |text: &str| text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control);
        if attempt.id.is_empty() || !fits(&attempt.id) || !fits(&attempt.host) {
            return Err(content("the name of its run or its machine is none"));
        }
        let same = |known: &Attempt| {
            (&known.host, &known.shard, known.started) == (&attempt.host, &attempt.shard, attempt.started)
        };
        if self.attempts.get(&attempt.id).is_some_and(|known| !same(known)) {
            return Err(content("its run has the name of another run of the class"));
        }
        let shard = attempt.shard.as_deref().map(|shard| Shard::parse(shard, &|_| None)).transpose();
        shard.map_err(ShardProblem::Content)
    }

    /// Checks that this may be a verdict of `run`, which graded this part of the class.
    fn check_verdict(
        &self,
        verdict: &KeptVerdict,
        run: Option<&str>,
        shard: Option<Shard>,
    ) -> Result<(), String> {
        let key = &verdict.key;
        if ![&key.files, &key.case, &key.judge].into_iter().all(|digest| is_digest(digest)) {
            return Err("a verdict is of something that is no digest".to_owned());
        }
        if run != Some(verdict.attempt.as_str()) {
            return Err("a verdict is of a run that it does not have".to_owned());
        }
        if !self.files.contains(&key.files) {
            return Err(format!("the class has no submission with the files {}", key.files));
        }
        if !self.judges.contains(&key.judge) {
            return Err(format!("the class never had the judge {}", key.judge));
        }
        if let Some(shard) = shard.filter(|shard| !shard.has(&key.files)) {
            return Err(format!("the files {} are not in the shard {shard}", key.files));
        }
        check_outcome(verdict).map_err(|why| format!("the verdict on the files {}: {why}", key.files))
    }
}

/// Checks that a report can read what a verdict has, and that nothing in it is out of measure.
fn check_outcome(verdict: &KeptVerdict) -> Result<(), String> {
    let outcome = verdict.outcome.as_deref();
    if let Some(length) = outcome.map(str::len).filter(|length| *length > LONGEST_OUTCOME) {
        return Err(format!("its outcome has {length} bytes, and at most {LONGEST_OUTCOME} are taken in"));
    }
    let known = KnownCase::from_stored(&verdict.verdict, outcome).map_err(|error| error.to_string())?;
    let shares = match &known {
        KnownCase::NotCounted => 0.0..=0.0,
        KnownCase::Graded(outcome) if outcome.verdict == Verdict::Passed => 1.0..=1.0,
        KnownCase::Graded(_) => 0.0..=1.0,
    };
    if !shares.contains(&verdict.share) {
        return Err(format!("a share of {} does not go with `{}`", verdict.share, known.verdict_name()));
    }
    if usize::try_from(verdict.gradings).map_or(true, |gradings| gradings > MOST_GRADINGS) {
        return Err(format!("it was graded {} times, and at most {MOST_GRADINGS} count", verdict.gradings));
    }
    let KnownCase::Graded(outcome) = known else { return Ok(()) };
    let gradings = outcome.spent.gradings().max(outcome.trials.len());
    if gradings > MOST_GRADINGS || outcome.spent.longest() > LONGEST_GRADING {
        return Err("it was graded too often, or for too long".to_owned());
    }
    Ok(())
}

/// Why what was published is not taken in.
#[derive(Debug)]
enum ShardProblem {
    /// The database cannot be read.
    File(io::Error),
    /// The file cannot be used as a database.
    Database(StoreError),
    /// The content is not what a run of this class publishes.
    Content(String),
}

impl ShardProblem {
    /// The error for the database at `published`: what is wrong, and what to do.
    fn explained(self, published: &Path, class: &str) -> StoreError {
        let shown = published.display();
        let problem = match self {
            ShardProblem::File(error) => format!("{shown}: cannot be read: {error}"),
            ShardProblem::Database(error) => error.problem().to_owned(),
            ShardProblem::Content(what) => {
                let what: String = visible(&what, false).chars().take(LONGEST_REASON).collect();
                format!("{shown}: {what}")
            }
        };
        StoreError::Failed(format!(
            "{problem}; nothing of it is taken in, and it stays where it is: find out who wrote it, delete it, and `keur class \
             run {class}` grades what is then missing"
        ))
    }
}

impl From<StoreError> for ShardProblem {
    fn from(error: StoreError) -> ShardProblem {
        ShardProblem::Database(error)
    }
}

/// The copy of a published database.
enum ShardCopy {
    /// The copy has all bytes.
    Whole,
    /// The published database cannot be read, or is too large.
    Refused(ShardProblem),
}

/// Copies what was published, up to the limit.
fn copy_limited(mut from: File, to: &Path) -> Result<ShardCopy, StoreError> {
    let too_large = || {
        let what = format!("it has more than {LARGEST} bytes; divide the class into more shards");
        Ok(ShardCopy::Refused(ShardProblem::Content(what)))
    };
    // It may grow while it is copied.
    if from.metadata().is_ok_and(|about| about.len() > LARGEST) {
        return too_large();
    }
    let mut to = File::create(to).map_err(no_room)?;
    let mut part = vec![0; PART];
    let mut copied = 0;
    loop {
        let read = match from.read(&mut part) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Ok(ShardCopy::Refused(ShardProblem::File(error))),
        };
        copied += read as u64;
        if copied > LARGEST {
            return too_large();
        }
        if read == 0 {
            return Ok(ShardCopy::Whole);
        }
        to.write_all(&part[..read]).map_err(no_room)?;
    }
}

/// Whether two files have the same bytes from here on.
fn same_bytes(one: File, other: File) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if both == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left[..both] != right[..both] {
            return Ok(false);
        }
        one.consume(both);
        other.consume(both);
    }
}

/// The error when this machine cannot keep a copy of what was published.
fn no_room(error: io::Error) -> StoreError {
    let place = std::env::temp_dir();
    StoreError::Failed(format!(
        "{}: {error}; what was published is copied there to be checked: make room, or set TMPDIR to a folder on another disk",
        place.display()
    ))
}
