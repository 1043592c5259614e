//! Finds the owner of each submission of a download. All of it is looked at before anything of it is given to a
//! student.

use super::enrol::{Enrolled, Lookup};
use super::names::WrittenName;
use super::sorting::{Claim, ClaimDoubt, KnownStudents};
use std::collections::{BTreeMap, BTreeSet};

/// The students whose submissions a download holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Owners {
    /// The student of each claim; `None` if it is contested.
    pub(super) students: Vec<Option<usize>>,
    pub(super) contests: Vec<Contest>,
}

/// Claims that cannot be settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contest {
    pub(super) claims: Vec<usize>,
    /// The students who may be meant, without those who have another claim that is clear.
    pub(super) students: Vec<usize>,
    /// The reason, for the instructor.
    pub(super) why: String,
}

/// Finds the student of each claim, and adds students whom the class does not have. A number counts more than
/// a name, which a student may change on some platforms. Nothing is guessed: what leads to one student twice,
/// or to several, is contested.
pub(super) fn settle(enrolled: &mut Enrolled, claims: &[Claim]) -> Owners {
    let mut owners = Owners { students: vec![None; claims.len()], contests: Vec::new() };
    let mut by_number: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut by_name: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut new = BTreeSet::new();
    for (place, claim) in claims.iter().enumerate() {
        let found: Vec<Lookup> =
            claim.names.iter().map(|name| enrolled.lookup(name, claim.id.as_ref())).collect();
        match (&claim.doubt, found.as_slice()) {
            (None, [Lookup::ByNumber(index)]) => by_number.entry(*index).or_default().push(place),
            (None, [Lookup::ByName(index)]) => by_name.entry(*index).or_default().push(place),
            (None, [Lookup::Nobody]) => {
                new.insert(place);
            }
            (_, _) => {
                let why = why(enrolled, claim, found.first());
                let mut students: Vec<usize> = found.into_iter().flat_map(Lookup::students).collect();
                students.extend(rivals(enrolled, claim));
                owners.contests.push(Contest { claims: vec![place], students, why });
            }
        }
    }
    for (student, places) in by_name {
        let (numbered, named): (Vec<usize>, Vec<usize>) =
            places.into_iter().partition(|place| claims[*place].id.is_some());
        match by_number.get_mut(&student) {
            // Another student of the same name.
            Some(first) => {
                new.extend(numbered);
                first.extend(named);
            }
            None => by_number.entry(student).or_default().extend(numbered.into_iter().chain(named)),
        }
    }
    for (student, places) in by_number {
        if let [only] = places.as_slice() {
            owners.students[*only] = Some(student);
        } else {
            let name = &enrolled.students[student].name;
            let why = format!("each of them may be {name}'s");
            owners.contests.push(Contest { claims: places, students: vec![student], why });
        }
    }
    for place in new {
        let claim = &claims[place];
        if let Some(name) = claim.names.first() {
            owners.students[place] = Some(enrolled.add_written(name, claim.id.as_ref()));
        }
    }
    for (claim, student) in claims.iter().zip(&owners.students) {
        if let (Some(id), Some(student)) = (&claim.id, student) {
            enrolled.is_on_platform(*student, id);
        }
    }
    for contest in &mut owners.contests {
        if contest.students.is_empty() {
            let names = contest.claims.iter().flat_map(|place| claims[*place].names.iter());
            contest.students.extend(names.map(|name| enrolled.add_written(name, None)));
        }
        contest.students.sort_unstable();
        contest.students.dedup();
        contest.students.retain(|student| !owners.students.contains(&Some(*student)));
    }
    owners
}

/// The students with the other numbers that a claim may mean.
fn rivals(enrolled: &Enrolled, claim: &Claim) -> Vec<usize> {
    let Some(ClaimDoubt::Numbers(rivals)) = &claim.doubt else { return Vec::new() };
    rivals.iter().filter_map(|rival| enrolled.on_roster(rival)).collect()
}

/// Why it is not clear whose a claim is.
fn why(enrolled: &Enrolled, claim: &Claim, found: Option<&Lookup>) -> String {
    let number = claim.id.as_ref().map(|id| id.id.as_str()).unwrap_or_default();
    let written = claim.names.first().map(WrittenName::text).unwrap_or_default();
    let named = |students: &[usize]| {
        let names: Vec<&str> = students.iter().map(|index| enrolled.students[*index].name.as_str()).collect();
        names.join(" or ")
    };
    match (&claim.doubt, found) {
        (Some(ClaimDoubt::Names), _) => format!("the number {number} stands beside several names"),
        (Some(ClaimDoubt::SameAttempt), _) => format!("they are the same attempt of {written}"),
        (Some(ClaimDoubt::Numbers(rivals)), _) => {
            format!("the student's number may be {number} or {}", rivals.join(" or "))
        }
        (None, Some(Lookup::Unclear(students))) if claim.id.is_some() => {
            format!("by its number {number} and its name it may be {}'s", named(students))
        }
        (None, found) => {
            let students = found.cloned().map(Lookup::students).unwrap_or_default();
            format!("by its name it may be {}'s", named(&students))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settle;
    use crate::class::data::{Student, Taken};
    use crate::class::intake::enrol::Enrolled;
    use crate::class::intake::names::{Platform, PlatformId, WrittenName};
    use crate::class::intake::roster::{Roster, RosterRow};
    use crate::class::intake::sorting::{Claim, KnownStudents};

    fn row(name: &str, number: &str, email: &str) -> RosterRow {
        RosterRow {
            name: name.to_owned(),
            number: Some(number.to_owned()),
            ids: vec![number.to_lowercase()],
            email: Some(email.to_owned()),
            ..RosterRow::default()
        }
    }

    fn enrolled(rows: &[(&str, &str)]) -> Enrolled {
        let mut enrolled = Enrolled::default();
        let rows = rows.iter().map(|(name, number)| row(name, number, &format!("{number}@example.org")));
        enrolled.take(&Roster(rows.collect()));
        enrolled
    }

    fn claim(student: WrittenName, id: Option<&str>) -> Claim {
        let platform = match student {
            WrittenName::Full(_) => Platform::Moodle,
            WrittenName::Squeezed(_) => Platform::Canvas,
            WrittenName::Login(_) => Platform::Blackboard,
        };
        Claim {
            names: vec![student],
            id: id.map(|id| PlatformId { platform, id: id.to_owned() }),
            doubt: None,
            attempts: Vec::new(),
            entries: Vec::new(),
        }
    }

    fn full(name: &str) -> WrittenName {
        WrittenName::Full(name.to_owned())
    }

    /// Checks whose each claim of a download is: a contested one has `?` and the students who may be meant.
    #[track_caller]
    fn together(enrolled: &mut Enrolled, claims: &[(WrittenName, Option<&str>)], expected: &[&str]) {
        let claims: Vec<Claim> = claims.iter().map(|(name, id)| claim(name.clone(), *id)).collect();
        let owners = settle(enrolled, &claims);
        let name = |index: usize| enrolled.students[index].name.clone();
        let found: Vec<String> = owners
            .students
            .iter()
            .enumerate()
            .map(|(place, owner)| {
                let contest =
                    || owners.contests.iter().find(|contest| contest.claims.contains(&place)).unwrap();
                let may_be =
                    || contest().students.iter().map(|index| name(*index)).collect::<Vec<_>>().join(" ");
                owner.map_or_else(|| format!("?{}", may_be()), name)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[track_caller]
    fn check(enrolled: &mut Enrolled, student: WrittenName, id: Option<&str>, expected: &str) {
        together(enrolled, &[(student, id)], &[expected]);
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
        for (name, known) in [("Bo Claes", true), ("smet an de", true), ("claes bo", false), ("notes", false)]
        {
            assert_eq!(enrolled.has_name(name), known, "{name}");
        }
    }

    #[test]
    fn students_of_the_same_name_stay_apart() {
        let mut enrolled = Enrolled::default();
        check(&mut enrolled, full("Jan Peeters"), Some("1"), "Jan Peeters");
        check(&mut enrolled, full("Jan Peeters"), Some("2"), "Jan Peeters (2)");
        check(&mut enrolled, full("Jan Peeters"), Some("1"), "Jan Peeters");
        // Without a number it may be either.
        check(&mut enrolled, full("Jan Peeters"), None, "?Jan Peeters Jan Peeters (2)");
        let students = enrolled.students.clone();
        let taken = ["1", "2"].map(|id| Taken {
            student: students[id.parse::<usize>().unwrap() - 1].name.clone(),
            platform: Some("moodle".to_owned()),
            platform_id: Some(id.to_owned()),
            ..Taken::default()
        });
        // A roster with other numbers does not say which of the two a row is.
        let mut again = Enrolled::new(students, &taken);
        again.take(&Roster(vec![
            row("Jan Peeters", "S1", "j@example.org"),
            row("Jan Peeters", "S2", "k@example.org"),
        ]));
        check(&mut again, full("Jan Peeters"), Some("1"), "Jan Peeters");
        check(&mut again, full("Jan Peeters"), Some("2"), "Jan Peeters (2)");
        check(&mut again, full("Jan Peeters"), Some("3"), "?Jan Peeters (S1) Jan Peeters (S2)");
    }

    #[test]
    fn taking_the_name_of_another_does_not_give_the_place() {
        let rows = [("Bo Li", "102"), ("Zed Bad", "101")];
        // In each order; with Bo's own submission, without it, and after it.
        let (bo, zed) = ((full("Bo Li"), Some("102")), (full("Bo Li"), Some("101")));
        together(&mut enrolled(&rows), &[zed.clone(), bo.clone()], &["?Zed Bad", "Bo Li"]);
        together(&mut enrolled(&rows), std::slice::from_ref(&zed), &["?Bo Li Zed Bad"]);
        let mut later = enrolled(&rows);
        together(&mut later, std::slice::from_ref(&bo), &["Bo Li"]);
        together(&mut later, std::slice::from_ref(&zed), &["Bo Li (101)"]);
        // With numbers of its own, the roster does not help.
        let rows = [("Bo Li", "S2"), ("Zed Bad", "S1")];
        together(&mut enrolled(&rows), &[zed.clone(), bo.clone()], &["?Bo Li", "?Bo Li"]);
        // What nobody can see, or tell apart, is no other name.
        for same in ["bo li", "B\u{200b}o Li", "Bo\u{202e} Li", "Li, Bo"] {
            together(&mut enrolled(&rows), &[bo.clone(), (full(same), Some("101"))], &["?Bo Li", "?Bo Li"]);
        }
        // Who comes later does not lose the place to who took the name before.
        let mut first = enrolled(&rows);
        together(&mut first, std::slice::from_ref(&zed), &["Bo Li"]);
        together(&mut first, &[zed.clone(), bo.clone()], &["Bo Li", "?"]);
        let squeezed = |id| (WrittenName::Squeezed("libo".to_owned()), Some(id));
        let mut first = enrolled(&rows);
        together(&mut first, &[squeezed("101")], &["Bo Li"]);
        together(&mut first, &[squeezed("102")], &["?Bo Li"]);
        // Before there was a roster.
        let mut early = Enrolled::default();
        together(&mut early, &[zed], &["Bo Li"]);
        early.take(&Roster(vec![
            row("Bo Li", "102", "b@example.org"),
            row("Zed Bad", "101", "z@example.org"),
        ]));
        together(&mut early, &[bo], &["Bo Li (102)"]);
    }

    #[test]
    fn a_number_that_gets_another_name_is_contested() {
        let mut enrolled = Enrolled::default();
        check(&mut enrolled, full("Bo Li"), Some("102"), "Bo Li");
        check(&mut enrolled, full("Zed Bad"), Some("102"), "?Bo Li");
        check(&mut enrolled, full("Bo Li-Claes"), Some("102"), "Bo Li");
        // Another platform has numbers of its own.
        check(&mut enrolled, WrittenName::Squeezed("badzed".to_owned()), Some("102"), "badzed");
    }

    #[test]
    fn two_names_of_one_student_are_contested() {
        let both = [(full("An De Smet"), None), (full("an de smet"), None)];
        together(&mut enrolled(&[("An De Smet", "1")]), &both, &["?An De Smet", "?An De Smet"]);
        together(&mut Enrolled::default(), &both, &["An De Smet", "an de smet"]);
        let both = [(full("An De Smet"), None), (full("An De Smet"), Some("1"))];
        together(&mut enrolled(&[("An De Smet", "1")]), &both, &["?An De Smet", "?An De Smet"]);
        // Neither of two accounts with the same address is guessed.
        let rows = [row("An Maes", "1", "am@a.example"), row("Ben Maes", "2", "am@b.example")];
        let mut enrolled = Enrolled::default();
        enrolled.take(&Roster(rows.to_vec()));
        check(&mut enrolled, WrittenName::Login("am".to_owned()), Some("am"), "am");
    }

    #[test]
    fn students_who_left_the_roster_are_no_longer_on_it() {
        let an = Student { name: "An".to_owned(), on_roster: true, ..Student::default() };
        let mut enrolled = Enrolled::new(vec![an], &[]);
        enrolled.take(&Roster(vec![row("Bo", "1", "b@example.org")]));
        assert_eq!(
            enrolled.students.iter().map(|student| student.on_roster).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
