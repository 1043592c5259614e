//! The students of a class, and how each is found by number, account and name.

use super::names::{Platform, PlatformId, WrittenName};
use super::people;
use super::roster::{Roster, RosterRow};
use super::sorting::KnownStudents;
use crate::class::data::{Student, Taken};
use keur_core::named::Named;
use std::collections::HashMap;

/// The students, and how each is found.
#[derive(Default)]
pub(super) struct Enrolled {
    pub(super) students: Vec<Student>,
    /// The numbers of each on platforms, as downloads have them.
    on_platform: Vec<Vec<PlatformId>>,
    by_platform: HashMap<PlatformId, usize>,
    /// By the number on the roster.
    by_roster: Index,
    /// By all numbers and accounts of the roster, and the number in the first download.
    by_id: Index,
    by_account: Index,
    by_name: Index,
    by_squeezed: Index,
}

/// Students by a text that several may share.
#[derive(Default)]
struct Index(HashMap<String, Vec<usize>>);

impl Index {
    fn add(&mut self, text: String, index: usize) {
        let found = self.0.entry(text).or_default();
        if !found.contains(&index) {
            found.push(index);
        }
    }

    fn all(&self, text: &str) -> &[usize] {
        self.0.get(text).map(Vec::as_slice).unwrap_or_default()
    }

    /// The student with this text, if it is nobody else's.
    fn only(&self, text: &str) -> Option<usize> {
        if let [only] = self.all(text) { Some(*only) } else { None }
    }
}

/// Whom a name and a number lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The number is this student's, and the name does not speak against it.
    ByNumber(usize),
    /// The name is this student's only.
    ByName(usize),
    /// A student whom the class does not have.
    Nobody,
    /// Each of these may be meant.
    Unclear(Vec<usize>),
}

impl Lookup {
    /// The students that may be meant.
    pub(super) fn students(self) -> Vec<usize> {
        match self {
            Lookup::ByNumber(index) | Lookup::ByName(index) => vec![index],
            Lookup::Nobody => Vec::new(),
            Lookup::Unclear(students) => students,
        }
    }
}

impl KnownStudents for Enrolled {
    fn has_name(&self, name: &str) -> bool {
        self.lookup(&WrittenName::Full(name.to_owned()), None) != Lookup::Nobody
    }

    fn student(&self, name: &WrittenName, id: &PlatformId) -> Option<usize> {
        match self.lookup(name, Some(id)) {
            Lookup::ByNumber(index) | Lookup::ByName(index) => Some(index),
            Lookup::Nobody | Lookup::Unclear(_) => None,
        }
    }

    fn on_roster(&self, number: &str) -> Option<usize> {
        self.by_roster.only(&number.to_lowercase())
    }
}

impl Enrolled {
    /// The students of a class so far, with what was taken in of them.
    pub(super) fn new(students: Vec<Student>, taken: &[Taken]) -> Enrolled {
        let mut enrolled = Enrolled::default();
        for student in students {
            enrolled.add(student);
        }
        let names =
            enrolled.students.iter().enumerate().map(|(index, student)| (student.name.clone(), index));
        let index_of: HashMap<String, usize> = names.collect();
        for taken in taken {
            let platform = taken.platform.as_deref().and_then(Platform::from_name);
            if let (Some(index), Some(platform), Some(id)) =
                (index_of.get(&taken.student), platform, &taken.platform_id)
            {
                enrolled.is_on_platform(*index, &PlatformId { platform, id: id.clone() });
            }
        }
        enrolled
    }

    fn add(&mut self, student: Student) -> usize {
        let index = self.students.len();
        self.on_platform.push(Vec::new());
        self.by_name.add(people::key(&student.name), index);
        for squeezed in people::squeezed(&student.name) {
            self.by_squeezed.add(squeezed, index);
        }
        self.students.push(student);
        self.remember(index);
        index
    }

    /// Adds a student whom a download names.
    pub(super) fn add_written(&mut self, name: &WrittenName, id: Option<&PlatformId>) -> usize {
        let number = id.map(|id| id.id.clone());
        let name = Some(people::tidied(name.text())).filter(|name| !name.is_empty());
        let name = name.or_else(|| number.clone()).unwrap_or_else(|| "?".to_owned());
        let name = self.free_name(&name, number.as_deref());
        self.add(Student { name, number, ..Student::default() })
    }

    /// Makes a student findable by the number, the account of the e-mail address, and what the roster has.
    fn remember(&mut self, index: usize) {
        let student = &self.students[index];
        let number = student.number.as_ref().map(|number| number.to_lowercase());
        let on_roster = student.roster_ids();
        if let Some(number) = number.as_ref().filter(|number| student.on_roster && on_roster.contains(number))
        {
            self.by_roster.add(number.clone(), index);
        }
        for id in number.into_iter().chain(on_roster) {
            self.by_id.add(id, index);
        }
        if let Some((account, _)) = student.email.as_ref().and_then(|email| email.split_once('@')) {
            self.by_account.add(account.to_lowercase(), index);
        }
        // One of several of the same name has the number after it.
        if let Some(name) = self.name_before_number(index) {
            self.by_name.add(people::key(&name), index);
        }
    }

    /// Notes the number of a student on a platform.
    pub(super) fn is_on_platform(&mut self, index: usize, id: &PlatformId) {
        if self.by_platform.insert(id.clone(), index).is_none() {
            self.on_platform[index].push(id.clone());
        }
        self.students[index].number.get_or_insert_with(|| id.id.clone());
        self.remember(index);
    }

    fn name_before_number(&self, index: usize) -> Option<String> {
        let student = &self.students[index];
        let (name, number) = student.name.strip_suffix(')')?.rsplit_once(" (")?;
        let on_platform = self.on_platform[index].iter().map(|id| &id.id);
        on_platform.chain(&student.number).any(|known| known == number).then(|| name.to_owned())
    }

    /// Takes in a roster: a student who is not on it is no longer on the roster. Gives the time at which each
    /// handed in, by place, if the roster has such times.
    pub(super) fn take(&mut self, roster: &Roster) -> Vec<(usize, i64)> {
        for student in &mut self.students {
            (student.on_roster, student.roster_ids) = (false, None);
        }
        let rows = &roster.0;
        let mut found: Vec<Option<usize>> = rows.iter().map(|row| self.with_number_of(row)).collect();
        let mut names = Index::default();
        let mut ids = Index::default();
        for (place, row) in rows.iter().enumerate() {
            names.add(people::key(&row.name), place);
            row.ids.iter().for_each(|id| ids.add(id.clone(), place));
        }
        let mut times = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            // A name that two rows have says nothing, and neither does that of a student with the number of
            // another row.
            let by_name = || {
                let place = names.only(&people::key(&row.name))?;
                self.with_name_of(row, &|id| ids.all(id).iter().all(|other| *other == place))
            };
            let index = found[place].take().or_else(by_name).unwrap_or_else(|| {
                let name = self.free_name(&row.name, row.number.as_deref());
                self.add(Student { name, ..Student::default() })
            });
            let student = &mut self.students[index];
            student.on_roster = true;
            student.last_name = row.last_name.clone();
            student.number = row.number.clone().or(student.number.take());
            student.email = row.email.clone().or(student.email.take());
            student.due = row.due;
            student.roster_ids = serde_json::to_string(&row.ids).ok();
            self.remember(index);
            times.extend(row.handed_in.map(|time| (index, time)));
        }
        // Without the numbers of an earlier roster.
        (self.by_id, self.by_roster) = Default::default();
        (0..self.students.len()).for_each(|index| self.remember(index));
        times
    }

    /// The student with a number of this row of the roster, who is then on it.
    fn with_number_of(&mut self, row: &RosterRow) -> Option<usize> {
        let name = WrittenName::Full(row.name.clone());
        let known = row.ids.iter().filter_map(|id| self.by_id.only(id));
        let mut known = known.filter(|index| !self.students[*index].on_roster);
        let index = known.find(|index| self.may_be_called(*index, &name))?;
        self.students[index].on_roster = true;
        Some(index)
    }

    /// The only student with the name of this row, if the numbers of the student are not those of another.
    fn with_name_of(&self, row: &RosterRow, is_free: &dyn Fn(&str) -> bool) -> Option<usize> {
        let same = self.by_name.all(&people::key(&row.name));
        let same: Vec<usize> =
            same.iter().copied().filter(|index| !self.students[*index].on_roster).collect();
        let [only] = same.as_slice() else { return None };
        let mut ids = self.on_platform[*only].iter().map(|id| &id.id).chain(&self.students[*only].number);
        ids.all(|id| is_free(&id.to_lowercase())).then_some(*only)
    }

    /// Whom a name and a number in a download lead to.
    pub(super) fn lookup(&self, name: &WrittenName, id: Option<&PlatformId>) -> Lookup {
        if let Some(index) = id.and_then(|id| self.by_platform.get(id).copied()) {
            // An account stays the same when its owner gets another name.
            let is_account = id.is_some_and(|id| id.platform == Platform::Blackboard);
            let fits = is_account || self.may_be_called(index, name);
            return if fits { Lookup::ByNumber(index) } else { Lookup::Unclear(vec![index]) };
        }
        let numbered = id.and_then(|id| self.by_id.only(&id.id.to_lowercase()));
        if let Some(index) = numbered
            && self.is_free(index, id)
            && self.may_be_called(index, name)
        {
            return Lookup::ByNumber(index);
        }
        let called = self.called(name, id);
        match (numbered, called.as_slice()) {
            // A number of one platform can be that of another student in the roster.
            (_, []) => match self.called_and_taken(name, id) {
                taken if taken.is_empty() => Lookup::Nobody,
                taken => Lookup::Unclear(taken),
            },
            (None, [only]) => Lookup::ByName(*only),
            (_, several) => {
                let others = numbered.into_iter().filter(|index| !several.contains(index));
                Lookup::Unclear(others.chain(several.iter().copied()).collect())
            }
        }
    }

    /// Whether a student may have this number: another student of the same name has another one.
    fn is_free(&self, index: usize, id: Option<&PlatformId>) -> bool {
        let other = |id: &PlatformId| {
            self.on_platform[index].iter().any(|known| known.platform == id.platform && known != id)
        };
        !id.is_some_and(other)
    }

    /// The students of this name who may have this number.
    fn called(&self, name: &WrittenName, id: Option<&PlatformId>) -> Vec<usize> {
        let free = |found: &[usize]| -> Vec<usize> {
            found.iter().copied().filter(|index| self.is_free(*index, id)).collect()
        };
        let lower = people::tidied(name.text()).to_lowercase();
        let by_account = || {
            let found = self.by_id.only(&lower).or_else(|| self.by_account.only(&lower));
            free(found.as_slice())
        };
        match name {
            WrittenName::Full(name) => {
                let called = self.called_in_full(&people::tidied(name), &free);
                if called.is_empty() && id.is_none() { by_account() } else { called }
            }
            WrittenName::Squeezed(name) => free(self.by_squeezed.all(&people::plain(name))),
            WrittenName::Login(name) => {
                let account = by_account();
                if account.is_empty() { free(self.by_name.all(&people::key(name))) } else { account }
            }
        }
    }

    /// The students of this name on the roster whose place another number has got by the name alone, in an
    /// earlier download.
    fn called_and_taken(&self, name: &WrittenName, id: Option<&PlatformId>) -> Vec<usize> {
        let Some(id) = id else { return Vec::new() };
        let same = match name {
            WrittenName::Full(name) => self.by_name.all(&people::key(name)),
            WrittenName::Squeezed(name) => self.by_squeezed.all(&people::plain(name)),
            // An account is no name.
            WrittenName::Login(_) => &[],
        };
        let by_name_alone = |index: &usize| {
            let mut known = self.on_platform[*index].iter().filter(|known| known.platform == id.platform);
            self.students[*index].on_roster && known.all(|known| self.on_roster(&known.id) != Some(*index))
        };
        same.iter().copied().filter(by_name_alone).collect()
    }

    /// The students of this name. Another writing of it is the same name on the roster alone: two files whose
    /// names differ are those of two students.
    fn called_in_full(&self, name: &str, free: &dyn Fn(&[usize]) -> Vec<usize>) -> Vec<usize> {
        let same = free(self.by_name.all(&people::key(name)));
        let on_roster: Vec<usize> =
            same.iter().copied().filter(|index| self.students[*index].on_roster).collect();
        if !on_roster.is_empty() {
            return on_roster;
        }
        let is_exact = |index: &usize| {
            self.students[*index].name == name || self.name_before_number(*index).as_deref() == Some(name)
        };
        same.into_iter().filter(is_exact).collect()
    }

    /// Whether a student found by number may have this name: a number of one platform can be that of another
    /// student in the roster.
    fn may_be_called(&self, index: usize, name: &WrittenName) -> bool {
        const NAMELESS: [&str; 3] = ["participant", "deelnemer", "deltager"];
        let parts = people::parts(&self.students[index].name);
        match name {
            WrittenName::Full(name) => {
                let others = people::parts(name);
                let is_number = |part: &String| part.chars().all(|ch| ch.is_ascii_digit());
                let blind = others.iter().all(|part| is_number(part) || NAMELESS.contains(&part.as_str()));
                blind || others.iter().any(|part| !is_number(part) && parts.contains(part))
            }
            WrittenName::Squeezed(name) => {
                let plain = people::plain(name);
                plain.starts_with("anon_") || parts.iter().any(|part| plain.contains(part.as_str()))
            }
            WrittenName::Login(_) => true,
        }
    }

    /// A name that no other student has.
    fn free_name(&self, name: &str, number: Option<&str>) -> String {
        let taken = |name: &str| self.students.iter().any(|student| student.name == name);
        let same = self.by_name.all(&people::key(name));
        if same.is_empty() || !taken(name) {
            return name.to_owned();
        }
        let with_number = number.map(|number| format!("{name} ({number})"));
        let numbered = (2..).map(|count| format!("{name} ({count})"));
        with_number.into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }
}
