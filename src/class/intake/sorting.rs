//! Sorts out the entries of a download: which platform named them, and which belong to one student.
//!
//! One platform named all of a download, and it is found from all names together: a student's own name of a
//! file can imitate another platform's, but only in that student's own entries.

use super::logins;
use super::names::{self, AboutAttempt, EntryName, EntryShape, NamedBy, Platform, PlatformId, WrittenName};
use super::people;
use keur_core::named::Named;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file or folder directly in a download.
#[derive(Clone, Debug)]
pub(super) struct NamedEntry {
    pub(super) name: String,
    pub(super) shape: EntryShape,
}

/// Someone whose submission a download has, as it names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The name; more than one if the entries contradict one another.
    pub(super) names: Vec<WrittenName>,
    /// The number on the platform, if a platform wrote the names.
    pub(super) id: Option<PlatformId>,
    /// The question that the entries leave open, if any.
    pub(super) doubt: Option<ClaimDoubt>,
    /// The attempts, the earliest first.
    pub(super) attempts: Vec<Incoming>,
    /// The names of all entries.
    pub(super) entries: Vec<String>,
}

/// Why entries of a download cannot be those of one student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClaimDoubt {
    /// One number has several names.
    Names,
    /// Several entries are the same attempt.
    SameAttempt,
    /// The student's number may be that one, or one of these.
    Numbers(Vec<String>),
}

/// An attempt of a student, in a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Incoming {
    pub(super) at: Option<i64>,
    pub(super) late: bool,
    /// The name of its file or folder, with a `/` after that of a folder.
    pub(super) original: String,
    /// The entries that belong to it, and the name that each has for the student.
    pub(super) parts: Vec<(usize, Option<String>)>,
}

/// The content of a download, by owner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    pub(super) claims: Vec<Claim>,
    /// The names of the entries that belong to no student.
    pub(super) nobodys: Vec<String>,
}

/// The students of a class, as far as they are known while a download is sorted out.
pub(super) trait KnownStudents {
    /// Whether a name of a file or folder is that of a student.
    fn has_name(&self, name: &str) -> bool;
    /// The student whom a name and a number lead to, if that is certain.
    fn student(&self, name: &WrittenName, id: &PlatformId) -> Option<usize>;
    /// The student who has this number on the roster.
    fn on_roster(&self, number: &str) -> Option<usize>;
}

/// The platform that named the entries, as far as the names show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DownloadNaming {
    /// All of them together say so.
    Clear(NamedBy),
    /// The names may be those of students, but so many look like names of a platform.
    Few(Platform, usize),
    /// Each of these platforms may have named them.
    Unclear(Vec<Platform>),
    /// Some are of one platform only, and some of another.
    Mixed(Vec<(Platform, usize)>),
}

/// The platform that named these entries. A platform names all of a download, so that other files in it are a
/// minority.
pub(super) fn naming(entries: &[NamedEntry]) -> DownloadNaming {
    let somebodys: Vec<&NamedEntry> =
        entries.iter().filter(|entry| !names::is_nobodys(&entry.name)).collect();
    let all: Vec<&NamedEntry> = entries.iter().filter(|entry| !names::is_left_behind(&entry.name)).collect();
    let looked_at = if somebodys.is_empty() { all } else { somebodys };
    let read: Vec<Vec<Platform>> = looked_at
        .iter()
        .map(|entry| {
            let wrote = |platform: &Platform| platform.read(&entry.name, entry.shape).is_some();
            Platform::ALL.iter().copied().filter(wrote).collect()
        })
        .collect();
    let count = |platform: Platform| read.iter().filter(|read| read.contains(&platform)).count();
    let any = read.iter().filter(|read| !read.is_empty()).count();
    let whole: Vec<Platform> =
        Platform::ALL.iter().copied().filter(|platform| any > 0 && count(*platform) == any).collect();
    if 2 * any < looked_at.len() || any == 0 {
        // Of several, the first.
        let most = Platform::ALL.iter().copied().rev().max_by_key(|platform| count(*platform));
        return match most.filter(|_| any > 0) {
            Some(platform) => DownloadNaming::Few(platform, any),
            None => DownloadNaming::Clear(NamedBy::People),
        };
    }
    match whole.as_slice() {
        [only] => DownloadNaming::Clear(NamedBy::Platform(*only)),
        [] => {
            let counts = Platform::ALL.iter().copied().map(|platform| (platform, count(platform)));
            DownloadNaming::Mixed(counts.filter(|(_, count)| *count > 0).collect())
        }
        several => DownloadNaming::Unclear(several.to_vec()),
    }
}

/// Sorts the entries out by student. Where a platform named them, another name is that of a student only if
/// the class has one of that name. `about` reads the start of Blackboard's text about an attempt.
pub(super) fn sort(
    entries: &[NamedEntry],
    named_by: NamedBy,
    known: &dyn KnownStudents,
    about: &mut dyn FnMut(usize) -> String,
) -> Sorted {
    let platform = match named_by {
        NamedBy::Platform(platform) => Some(platform),
        NamedBy::People => None,
    };
    let mut read: Vec<Option<EntryName>> = entries
        .iter()
        .map(|entry| {
            let platform = platform.filter(|_| !names::is_left_behind(&entry.name))?;
            platform.read(&entry.name, entry.shape)
        })
        .collect();
    if platform == Some(Platform::Blackboard) {
        let texts: Vec<(usize, AboutAttempt)> = (0..entries.len())
            .filter(|index| read[*index].as_ref().is_some_and(|name| name.about))
            .filter_map(|index| Some((index, AboutAttempt::read(&about(index))?)))
            .collect();
        logins::settle(&mut read, &texts);
    }
    let mut sorting = Sorting::of(entries);
    let mut nobodys = Vec::new();
    for (index, found) in read.into_iter().enumerate() {
        let name = &entries[index].name;
        match (found, platform) {
            (Some(found), Some(platform)) => sorting.add_written(index, found, platform),
            (None, _) if names::is_nobodys(name) => nobodys.push(name.clone()),
            (None, Some(_)) if !known.has_name(&own_name(&entries[index])) => nobodys.push(name.clone()),
            (None, _) | (Some(_), None) => {
                sorting.people.entry(own_name(&entries[index])).or_default().push(index)
            }
        }
    }
    sorting.settle_numbers(known);
    Sorted { claims: sorting.claims(), nobodys }
}

/// The name of a student that is only that of a file or folder.
fn own_name(entry: &NamedEntry) -> String {
    let stem = Path::new(&entry.name).file_stem().unwrap_or_default().to_string_lossy();
    people::tidied(if entry.shape == EntryShape::Folder { &entry.name } else { &stem })
}

/// Entries by whom they belong to.
struct Sorting<'a> {
    entries: &'a [NamedEntry],
    /// By number.
    numbered: BTreeMap<PlatformId, Vec<WrittenEntry>>,
    /// Entries whose number is not clear.
    doubtful: Vec<DoubtfulEntry>,
    /// By name, in a download without numbers.
    people: BTreeMap<String, Vec<usize>>,
}

/// An entry with a name that a platform wrote.
struct WrittenEntry {
    index: usize,
    name: EntryName,
}

/// An entry whose number may be another than the first one in its name.
struct DoubtfulEntry {
    id: PlatformId,
    rivals: Vec<String>,
    written: WrittenEntry,
}

impl<'a> Sorting<'a> {
    fn of(entries: &'a [NamedEntry]) -> Sorting<'a> {
        Sorting { entries, numbered: BTreeMap::new(), doubtful: Vec::new(), people: BTreeMap::new() }
    }

    fn add_written(&mut self, index: usize, name: EntryName, platform: Platform) {
        let id = PlatformId { platform, id: name.id.clone() };
        self.numbered.entry(id).or_default().push(WrittenEntry { index, name });
    }

    /// Takes out the entries whose number is not clear. What a student calls a file may have any numbers in
    /// it, so another one than the first counts only if the roster has it, and if its student hands in
    /// nothing else: a platform writes one name before all files of a student.
    fn settle_numbers(&mut self, known: &dyn KnownStudents) {
        // A roster may have other numbers than the platform.
        let has_numbers = self.numbered.keys().any(|id| known.on_roster(&id.id).is_some());
        let on_roster = |rival: &str| known.on_roster(rival).filter(|_| has_numbers);
        let mut ids: BTreeSet<String> = BTreeSet::new();
        let mut students: BTreeSet<usize> = BTreeSet::new();
        let mut names: BTreeMap<PlatformId, WrittenName> = BTreeMap::new();
        for (id, one) in self.numbered.iter().flat_map(|(id, all)| all.iter().map(move |one| (id, one))) {
            let own = known.student(&one.name.student, id);
            if one.name.rivals.iter().filter_map(|rival| on_roster(rival)).all(|rival| Some(rival) == own) {
                ids.insert(id.id.clone());
                students.extend(own);
            }
            if one.name.rivals.is_empty() {
                names.entry(id.clone()).or_insert_with(|| one.name.student.clone());
            }
        }
        let mut clear: BTreeMap<PlatformId, Vec<WrittenEntry>> = BTreeMap::new();
        for (id, one) in std::mem::take(&mut self.numbered)
            .into_iter()
            .flat_map(|(id, all)| all.into_iter().map(move |one| (id.clone(), one)))
        {
            let own = known.student(&one.name.student, &id);
            let is_open = |rival: &&String| {
                let student = on_roster(rival).filter(|_| !ids.contains(*rival));
                student.is_some_and(|student| own != Some(student) && !students.contains(&student))
            };
            let mut rivals: Vec<String> = one.name.rivals.iter().filter(is_open).cloned().collect();
            // A name that differs from the one that is clear does not make that one unclear.
            if rivals.is_empty() && names.get(&id).is_some_and(|name| !is_same(name, &one.name.student)) {
                rivals.clone_from(&one.name.rivals);
            }
            if rivals.is_empty() {
                clear.entry(id).or_default().push(one);
            } else {
                self.doubtful.push(DoubtfulEntry { id, rivals, written: one });
            }
        }
        self.numbered = clear;
    }

    fn claims(self) -> Vec<Claim> {
        let entries = self.entries;
        let mut claims = Vec::new();
        for (id, written) in self.numbered {
            claims.push(claim(entries, id, &written, None));
        }
        for DoubtfulEntry { id, rivals, written } in self.doubtful {
            claims.push(claim(entries, id, &[written], Some(ClaimDoubt::Numbers(rivals))));
        }
        for (name, indices) in self.people {
            let attempt = |index: &usize| Incoming {
                original: original(&entries[*index]),
                parts: vec![(*index, None)],
                ..Incoming::default()
            };
            claims.push(Claim {
                names: vec![WrittenName::Full(name)],
                id: None,
                doubt: (indices.len() > 1).then_some(ClaimDoubt::SameAttempt),
                attempts: indices.iter().map(attempt).collect(),
                entries: indices.iter().map(|index| entries[*index].name.clone()).collect(),
            });
        }
        claims
    }
}

/// The claim of entries with one number.
fn claim(
    entries: &[NamedEntry],
    id: PlatformId,
    written: &[WrittenEntry],
    doubt: Option<ClaimDoubt>,
) -> Claim {
    let mut names: Vec<WrittenName> = Vec::new();
    let mut by_time: BTreeMap<Option<i64>, Vec<&WrittenEntry>> = BTreeMap::new();
    for one in written {
        if !names.iter().any(|other| is_same(other, &one.name.student)) {
            names.push(one.name.student.clone());
        }
        by_time.entry(one.name.at).or_default().push(one);
    }
    let doubt = doubt
        .or((names.len() > 1).then_some(ClaimDoubt::Names))
        .or(by_time.values().any(|attempt| is_twice(entries, attempt)).then_some(ClaimDoubt::SameAttempt));
    Claim {
        names,
        id: Some(id),
        doubt,
        attempts: by_time.iter().flat_map(|(at, attempt)| attempts(entries, *at, attempt)).collect(),
        entries: written.iter().map(|one| entries[one.index].name.clone()).collect(),
    }
}

/// Whether two names look the same.
fn is_same(one: &WrittenName, other: &WrittenName) -> bool {
    people::tidied(one.text()) == people::tidied(other.text())
}

/// Whether entries of one time are more than one attempt: a platform writes a folder for each, or files.
fn is_twice(entries: &[NamedEntry], attempt: &[&WrittenEntry]) -> bool {
    let kinds: BTreeSet<&str> = attempt.iter().map(|one| one.name.kind.as_str()).collect();
    kinds.into_iter().any(|kind| {
        let shapes = attempt.iter().filter(|one| one.name.kind == kind && !one.name.about);
        let shapes: Vec<EntryShape> = shapes.map(|one| entries[one.index].shape).collect();
        shapes.len() > 1 && shapes.contains(&EntryShape::Folder)
    })
}

/// The attempts among entries of one time: the platform may keep earlier versions of a file.
fn attempts(entries: &[NamedEntry], at: Option<i64>, written: &[&WrittenEntry]) -> Vec<Incoming> {
    // The versions of each file, the oldest first.
    let mut versions: BTreeMap<String, Vec<(u32, &WrittenEntry)>> = BTreeMap::new();
    for one in written.iter().filter(|one| !one.name.about) {
        let entry = &entries[one.index];
        let file = one.name.file.clone().filter(|_| entry.shape == EntryShape::File);
        versions.entry(file.unwrap_or_else(|| entry.name.clone())).or_default().push((one.name.again, one));
    }
    versions.values_mut().for_each(|versions| versions.sort_by_key(|(again, one)| (*again, one.index)));
    // Of an attempt that is only a text, there is only the platform's own.
    let count = versions.values().map(Vec::len).max().unwrap_or(1);
    let first = versions.values().find_map(|versions| versions.first()).map(|(_, one)| *one);
    let first = first.or(written.first().copied());
    (0..count)
        .map(|attempt| {
            let files: Vec<(&String, &WrittenEntry)> = versions
                .iter()
                .filter_map(|(file, versions)| Some((file, versions.get(attempt).or(versions.last())?.1)))
                .collect();
            // The name of the attempt is that of its latest file, of which the number is that of the attempt.
            let latest = files.iter().rev().max_by_key(|(_, one)| one.name.number);
            let main = latest.map(|(_, one)| *one).or(first);
            Incoming {
                at,
                late: files.iter().any(|(_, one)| one.name.late),
                original: main.map(|one| original(&entries[one.index])).unwrap_or_default(),
                parts: files
                    .iter()
                    .map(|(file, one)| (one.index, one.name.file.as_ref().map(|_| (*file).clone())))
                    .collect(),
            }
        })
        .collect()
}

/// The name of an entry, with a `/` after that of a folder.
fn original(entry: &NamedEntry) -> String {
    format!("{}{}", entry.name, if entry.shape == EntryShape::Folder { "/" } else { "" })
}

/// A file of a download, as its name sorts it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedFile {
    /// The name in the download.
    pub name: String,
    /// The student's number on the platform; none if the file is no student's, or that of somebody known by
    /// name.
    pub number: Option<String>,
    /// Whether more than the name is needed to say whose it is.
    pub is_doubtful: bool,
}

/// A roster of numbers without names.
struct Numbers<'a>(&'a [String]);

impl KnownStudents for Numbers<'_> {
    fn has_name(&self, _name: &str) -> bool {
        false
    }

    fn student(&self, _name: &WrittenName, id: &PlatformId) -> Option<usize> {
        self.on_roster(&id.id)
    }

    fn on_roster(&self, number: &str) -> Option<usize> {
        self.0.iter().position(|other| other == number)
    }
}

/// Sorts files out by their names alone, as [`admit`](super::admit()) does for a class whose roster has these
/// numbers. `None` if the names do not say who gave them, and `asked` does not either.
pub fn sort_by_name(
    names: &[String],
    roster: &[String],
    asked: Option<NamedBy>,
) -> Option<(NamedBy, Vec<SortedFile>)> {
    let entry = |name: &String| NamedEntry { name: name.clone(), shape: EntryShape::File };
    let entries: Vec<NamedEntry> = names.iter().map(entry).collect();
    let named_by = match (asked, naming(&entries)) {
        (Some(named_by), _) | (None, DownloadNaming::Clear(named_by)) => named_by,
        (None, DownloadNaming::Few(..)) => NamedBy::People,
        (None, DownloadNaming::Unclear(_) | DownloadNaming::Mixed(_)) => return None,
    };
    let sorted = sort(&entries, named_by, &Numbers(roster), &mut |_| String::new());
    let mut files = Vec::new();
    for claim in sorted.claims {
        files.extend(claim.entries.into_iter().map(|name| SortedFile {
            name,
            number: claim.id.as_ref().map(|id| id.id.clone()),
            is_doubtful: claim.doubt.is_some(),
        }));
    }
    let nobodys = sorted.nobodys.into_iter();
    files.extend(nobodys.map(|name| SortedFile { name, number: None, is_doubtful: false }));
    Some((named_by, files))
}
