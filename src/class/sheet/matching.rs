//! Finds the student that a row of a sheet is about.

use super::grade::SheetGrade;
use keur_core::compare::diff::visible;
use std::collections::BTreeMap;

/// The person that a row is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    pub(super) name: Option<String>,
    pub(super) numbers: Vec<String>,
    pub(super) email: Option<String>,
}

impl Person {
    /// The person in a message.
    pub(super) fn shown(&self) -> String {
        let number = || self.numbers.first().cloned();
        self.name.clone().or_else(|| self.email.clone()).or_else(number).unwrap_or_default()
    }
}

/// The students of a class by number, e-mail address and name, each with its index; `None` for what several
/// share.
pub(super) struct Students {
    numbers: BTreeMap<String, Option<usize>>,
    emails: BTreeMap<String, Option<usize>>,
    names: BTreeMap<String, Option<usize>>,
}

impl Students {
    pub(super) fn new(grades: &[SheetGrade]) -> Students {
        let mut students =
            Students { numbers: BTreeMap::new(), emails: BTreeMap::new(), names: BTreeMap::new() };
        for (index, grade) in grades.iter().enumerate() {
            for number in &grade.numbers {
                add(&mut students.numbers, key(number), index);
            }
            if let Some(email) = &grade.email {
                add(&mut students.emails, key(email), index);
            }
            add(&mut students.names, folded(&grade.name), index);
        }
        students
    }

    /// The student that a row is about: by number, else by e-mail address, else by a name that only one has.
    pub(super) fn find(&self, person: &Person) -> Option<usize> {
        let number = || person.numbers.iter().find_map(|number| one(&self.numbers, &key(number)));
        let email = || one(&self.emails, &key(person.email.as_ref()?));
        let name = || one(&self.names, &folded(person.name.as_ref()?));
        number().or_else(email).or_else(name)
    }
}

fn add(known: &mut BTreeMap<String, Option<usize>>, key: String, index: usize) {
    known
        .entry(key)
        .and_modify(|found| *found = found.filter(|found| *found == index))
        .or_insert(Some(index));
}

fn one(known: &BTreeMap<String, Option<usize>>, key: &str) -> Option<usize> {
    known.get(key).copied().flatten()
}

/// A text in small letters, the same for what a student has and for what a sheet of keur has of it: there it
/// may have a quote before it, and shows what is hidden.
fn key(text: &str) -> String {
    visible(text.trim_start_matches('\''), false).to_lowercase()
}

/// The words of a name, each a [`key`], in alphabetical order: Canvas writes the family name first.
fn folded(name: &str) -> String {
    let mut words: Vec<String> = name.split(|ch: char| ch.is_whitespace() || ch == ',').map(key).collect();
    words.retain(|word| !word.is_empty());
    words.sort();
    words.join(" ")
}
