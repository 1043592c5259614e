//! The students of a class: whose a submission is, by number, account and name.

use super::download::Incoming;
use super::names::{WrittenName, platform_id};
use super::people;
use super::roster::{Roster, RosterRow};
use crate::class::data::{Student, Taken};
use std::collections::HashMap;

/// The students, and how each is found.
#[derive(Default)]
pub(super) struct Enrolled {
    pub(super) students: Vec<Student>,
    /// The number of each on the platform, as earlier downloads have it.
    on_platform: Vec<Option<String>>,
    by_id: HashMap<String, usize>,
    by_account: HashMap<String, usize>,
    by_name: HashMap<String, Vec<usize>>,
    by_squeezed: HashMap<String, Vec<usize>>,
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
            if let (Some(index), Some(id)) = (index_of.get(&taken.student), platform_id(&taken.original)) {
                enrolled.on_platform[*index] = Some(id);
            }
        }
        for (index, id) in enrolled.on_platform.iter().enumerate() {
            if let Some(id) = id {
                enrolled.by_id.insert(id.to_lowercase(), index);
            }
        }
        enrolled
    }

    fn add(&mut self, student: Student) -> usize {
        let index = self.students.len();
        self.on_platform.push(None);
        self.by_name.entry(people::key(&student.name)).or_default().push(index);
        for squeezed in people::squeezed(&student.name) {
            self.by_squeezed.entry(squeezed).or_default().push(index);
        }
        self.students.push(student);
        self.remember(index, &[]);
        index
    }

    /// Makes a student findable by the number, the account of the e-mail address, and more numbers.
    fn remember(&mut self, index: usize, ids: &[String]) {
        let student = &self.students[index];
        let number = student.number.iter().map(|number| number.to_lowercase());
        for id in number.chain(ids.iter().cloned()) {
            self.by_id.entry(id).or_insert(index);
        }
        if let Some((account, _)) = student.email.as_ref().and_then(|email| email.split_once('@')) {
            self.by_account.entry(account.to_lowercase()).or_insert(index);
        }
    }

    /// Takes in a roster: a student who is not on it is no longer on the roster. Gives the time at which each handed in, by
    /// place, if the roster has such times.
    pub(super) fn take(&mut self, roster: &Roster) -> Vec<(usize, i64)> {
        self.students.iter_mut().for_each(|student| student.on_roster = false);
        let mut times = Vec::new();
        for row in &roster.0 {
            let index = self.of_row(row);
            let student = &mut self.students[index];
            student.on_roster = true;
            student.number = row.number.clone().or(student.number.take());
            student.email = row.email.clone().or(student.email.take());
            student.due = row.due;
            self.remember(index, &row.ids);
            times.extend(row.handed_in.map(|time| (index, time)));
        }
        times
    }

    /// The student of a row of the roster.
    fn of_row(&mut self, row: &RosterRow) -> usize {
        let known = row.ids.iter().filter_map(|id| self.by_id.get(id).copied());
        let known = known.filter(|index| !self.students[*index].on_roster);
        let mut known =
            known.filter(|index| self.may_be_called(*index, &WrittenName::Full(row.name.clone())));
        if let Some(index) = known.next() {
            return index;
        }
        let same = self.by_name.get(&people::key(&row.name)).map(Vec::as_slice).unwrap_or_default();
        let free: Vec<usize> =
            same.iter().copied().filter(|index| !self.students[*index].on_roster).collect();
        if let [only] = free.as_slice() {
            return *only;
        }
        let name = self.free_name(&row.name, row.number.as_deref());
        self.add(Student { name, number: row.number.clone(), ..Student::default() })
    }

    /// The student who handed in, who is new if no other fits.
    pub(super) fn who(&mut self, incoming: &Incoming) -> usize {
        let index = self.find(&incoming.student, incoming.id.as_deref()).unwrap_or_else(|| {
            let name = people::tidied(incoming.student.text());
            let name = self.free_name(&name, incoming.id.as_deref());
            self.add(Student { name, number: incoming.id.clone(), ..Student::default() })
        });
        if let Some(id) = &incoming.id {
            self.on_platform[index] = Some(id.clone());
            self.by_id.insert(id.to_lowercase(), index);
            self.students[index].number.get_or_insert_with(|| id.clone());
        }
        index
    }

    /// Whether a name of a file or folder is that of a student.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.find(&WrittenName::Full(name.to_owned()), None).is_some()
    }

    fn find(&self, name: &WrittenName, id: Option<&str>) -> Option<usize> {
        let text = people::tidied(name.text()).to_lowercase();
        if let Some(id) = id.map(str::to_lowercase) {
            let known = self.by_id.get(&id).copied();
            let same = |index: &usize| {
                self.on_platform[*index].as_ref().is_some_and(|known| known.to_lowercase() == id)
            };
            if let Some(index) = known.filter(|index| same(index) || self.may_be_called(*index, name)) {
                return Some(index);
            }
        }
        // Another student of the same name has another number.
        let free = |index: &usize| {
            id.is_none() || self.on_platform[*index].as_deref().is_none_or(|known| Some(known) == id)
        };
        let among = |found: Option<&Vec<usize>>| {
            let found: Vec<usize> = found.into_iter().flatten().copied().filter(free).collect();
            if let [only] = found.as_slice() { Some(*only) } else { None }
        };
        let by_account = || {
            let found = self.by_id.get(&text).or_else(|| self.by_account.get(&text)).copied();
            found.filter(free)
        };
        match name {
            WrittenName::Full(name) => {
                self.called(&people::tidied(name), &free).or_else(|| id.is_none().then(by_account).flatten())
            }
            WrittenName::Squeezed(name) => among(self.by_squeezed.get(&people::plain(name))),
            WrittenName::Login(name) => by_account().or_else(|| among(self.by_name.get(&people::key(name)))),
        }
    }

    /// The only student of this name among those that are free. Another writing of it is the same name on the roster alone: two
    /// files whose names differ are those of two students.
    fn called(&self, name: &str, free: &dyn Fn(&usize) -> bool) -> Option<usize> {
        let same = self.by_name.get(&people::key(name)).map(Vec::as_slice).unwrap_or_default();
        let same: Vec<usize> = same.iter().copied().filter(free).collect();
        let exactly = same.iter().find(|index| self.students[**index].name == name).copied();
        let on_roster: Vec<usize> =
            same.into_iter().filter(|index| self.students[*index].on_roster).collect();
        match on_roster.as_slice() {
            [only] => Some(*only),
            [] => exactly,
            _ => None,
        }
    }

    /// Whether a student found by number may have this name: a number of one platform can be that of another student in
    /// the roster.
    fn may_be_called(&self, index: usize, name: &WrittenName) -> bool {
        let parts = people::parts(&self.students[index].name);
        match name {
            WrittenName::Full(name) => {
                let others = people::parts(name);
                let blind = others
                    .iter()
                    .all(|part| part.chars().all(|ch| ch.is_ascii_digit()) || part == "participant");
                blind || others.iter().any(|part| parts.contains(part))
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
        let same = self.by_name.get(&people::key(name)).map(Vec::as_slice).unwrap_or_default();
        if same.is_empty() || !taken(name) {
            return name.to_owned();
        }
        let with_number = number.map(|number| format!("{name} ({number})"));
        let numbered = (2..).map(|count| format!("{name} ({count})"));
        with_number.into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Enrolled;
    use crate::class::data::{Student, Taken};
    use crate::class::intake::download::Incoming;
    use crate::class::intake::names::{Platform, WrittenName};
    use crate::class::intake::roster::{Roster, RosterRow};

    fn row(name: &str, number: &str, email: &str) -> RosterRow {
        RosterRow {
            name: name.to_owned(),
            number: Some(number.to_owned()),
            ids: vec![number.to_lowercase()],
            email: Some(email.to_owned()),
            ..RosterRow::default()
        }
    }

    fn incoming(student: WrittenName, id: Option<&str>) -> Incoming {
        Incoming {
            student,
            id: id.map(str::to_owned),
            platform: Some(Platform::Moodle),
            ..Incoming::default()
        }
    }

    #[track_caller]
    fn check(enrolled: &mut Enrolled, student: WrittenName, id: Option<&str>, expected: &str) {
        let index = enrolled.who(&incoming(student, id));
        assert_eq!(enrolled.students[index].name, expected);
    }

    fn full(name: &str) -> WrittenName {
        WrittenName::Full(name.to_owned())
    }

    #[test]
    fn a_student_is_found_by_number_account_and_name() {
        let mut enrolled = Enrolled::default();
        let rows = [
            row("Peeters, José", "S12", "jose.peeters@example.org"),
            row("An De Smet", "S13", "adesmet@example.org"),
            row("Søren Hansen", "77", "shansen@example.org"),
        ];
        enrolled.take(&Roster(rows.to_vec()));
        check(&mut enrolled, full("Jose\u{301} Peeters"), Some("1"), "Peeters, José");
        check(&mut enrolled, WrittenName::Squeezed("desmetan".to_owned()), Some("2"), "An De Smet");
        check(&mut enrolled, full("adesmet"), None, "An De Smet");
        check(&mut enrolled, full("S13"), None, "An De Smet");
        check(&mut enrolled, WrittenName::Login("shansen".to_owned()), Some("shansen"), "Søren Hansen");
        check(&mut enrolled, full("Participant 77"), Some("77"), "Søren Hansen");
        // The number is that of another student in the roster.
        check(&mut enrolled, full("Bo Claes"), Some("s12"), "Bo Claes");
        assert_eq!(enrolled.students[0].number.as_deref(), Some("S12"));
        assert_eq!((enrolled.students.len(), enrolled.students[3].on_roster), (4, false));
        assert!(
            enrolled.knows("Bo Claes")
                && enrolled.knows("smet an de")
                && !enrolled.knows("claes bo")
                && !enrolled.knows("notes")
        );
    }

    #[test]
    fn students_of_the_same_name_stay_apart() {
        let mut enrolled = Enrolled::default();
        check(&mut enrolled, full("Jan Peeters"), Some("1"), "Jan Peeters");
        check(&mut enrolled, full("Jan Peeters"), Some("2"), "Jan Peeters (2)");
        check(&mut enrolled, full("Jan Peeters"), Some("1"), "Jan Peeters");
        let students = enrolled.students.clone();
        let taken = ["1", "2"].map(|id| Taken {
            student: students[id.parse::<usize>().unwrap() - 1].name.clone(),
            original: format!("Jan Peeters_{id}_assignsubmission_file_/"),
            ..Taken::default()
        });
        // Also when a roster with other numbers is taken in later.
        let mut again = Enrolled::new(students, &taken);
        again.take(&Roster(vec![
            row("Jan Peeters", "S1", "j@example.org"),
            row("Jan Peeters", "S2", "k@example.org"),
        ]));
        check(&mut again, full("Jan Peeters"), Some("2"), "Jan Peeters (2)");
        check(&mut again, full("Jan Peeters"), Some("3"), "Jan Peeters (3)");
    }

    #[test]
    fn who_left_the_roster_is_no_longer_on_it() {
        let an = Student { name: "An".to_owned(), on_roster: true, ..Student::default() };
        let mut enrolled = Enrolled::new(vec![an], &[]);
        enrolled.take(&Roster(vec![row("Bo", "1", "b@example.org")]));
        assert_eq!(
            enrolled.students.iter().map(|student| student.on_roster).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
