//! The student whom somebody means who types a name, a number or an e-mail address.

use super::data::Student;
use super::intake::{name_key, number_of};
use keur_core::case::did_you_mean;

/// A reason why a text names no student.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudentNameError {
    /// No student has this name, number or address.
    #[error("no student of the class is called `{wanted}`{}", with_help(help))]
    Unknown {
        /// The text.
        wanted: String,
        /// A similar name, in a sentence.
        help: Option<String>,
    },
    /// Several students may be meant.
    #[error(
        "`{wanted}` may be each of these students, so give the number or the e-mail address of one: {}",
        described(students)
    )]
    Ambiguous {
        /// The text.
        wanted: String,
        /// The students found.
        students: Vec<Student>,
    },
}

/// The student of a class who is meant by a name, a number or an e-mail address. A name is the same in each
/// writing, and namesakes have it too: with one of several, the class has a number after it.
///
/// # Errors
/// No student is meant, or several may be.
pub fn find_student<'s>(students: &'s [Student], wanted: &str) -> Result<&'s Student, StudentNameError> {
    let meant: Vec<&Student> = students.iter().filter(|student| is_meant(student, wanted)).collect();
    match meant.as_slice() {
        [only] => Ok(only),
        [] => Err(StudentNameError::Unknown {
            wanted: wanted.to_owned(),
            help: did_you_mean(wanted, students.iter().map(|student| student.name.as_str())),
        }),
        several => Err(StudentNameError::Ambiguous {
            wanted: wanted.to_owned(),
            students: several.iter().map(|student| (*student).clone()).collect(),
        }),
    }
}

fn is_meant(student: &Student, wanted: &str) -> bool {
    let number = number_of(wanted).to_lowercase();
    let has = |text: &Option<String>, wanted: &str| {
        text.as_deref().is_some_and(|text| text.to_lowercase() == wanted.to_lowercase())
    };
    is_called(&student.name, wanted)
        || has(&student.number, &number)
        || has(&student.number, wanted)
        || has(&student.email, wanted)
        || student.roster_ids().contains(&number)
}

/// Whether a name in the class, with or without the number after that of a namesake, is the one that is
/// written here.
fn is_called(name: &str, wanted: &str) -> bool {
    let same =
        |name: &str| name == wanted || (name_key(name) == name_key(wanted) && !name_key(name).is_empty());
    let before_number = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    same(name) || before_number.is_some_and(|(name, _)| same(name))
}

fn with_help(help: &Option<String>) -> String {
    help.iter().map(|help| format!("; {help}")).collect()
}

/// The students, each with what tells namesakes apart.
fn described(students: &[Student]) -> String {
    let described = students.iter().map(|student| {
        let number = student.number.as_ref().map(|number| format!("number {number}"));
        let known: Vec<String> = number.into_iter().chain(student.email.clone()).collect();
        let known = if known.is_empty() { "without either".to_owned() } else { known.join(", ") };
        format!("{} ({known})", student.name)
    });
    described.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{StudentNameError, find_student};
    use crate::class::data::Student;

    fn student(name: &str, number: &str, email: &str) -> Student {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Student {
            name: name.to_owned(),
            number: some(number),
            email: some(email),
            roster_ids: Some(format!("[\"{}\",\"u{}\"]", number.to_lowercase(), number.to_lowercase())),
            ..Student::default()
        }
    }

    /// Checks the students who are meant by a text.
    #[track_caller]
    fn check(wanted: &str, expected: &[&str]) {
        let students = [
            student("Jan Peeters", "S12", "jan@example.org"),
            student("Jan Peeters (S13)", "S13", "jp@example.org"),
            student("Peeters, Jan", "S14", ""),
            student("An (Annie) De Smet", "102", "an@example.org"),
            student("102", "103", ""),
        ];
        let found = match find_student(&students, wanted) {
            Ok(student) => vec![student.name.clone()],
            Err(StudentNameError::Unknown { .. }) => Vec::new(),
            Err(StudentNameError::Ambiguous { students, .. }) => {
                students.into_iter().map(|student| student.name).collect()
            }
        };
        assert_eq!(found, expected, "{wanted}");
    }

    #[test]
    fn a_name_that_several_have_names_none_of_them() {
        let namesakes = ["Jan Peeters", "Jan Peeters (S13)", "Peeters, Jan"];
        for name in ["Jan Peeters", "jan PEETERS", "Peeters, Jan", "Peeters Jan"] {
            check(name, &namesakes);
        }
        check("Jan Peeters (S13)", &namesakes[1..2]);
        check("102", &["An (Annie) De Smet", "102"]);
        check("Annie", &[]);
        check("", &[]);
    }

    #[test]
    fn a_number_an_account_or_an_address_names_one() {
        for (wanted, name) in [
            ("S12", "Jan Peeters"),
            ("s13", "Jan Peeters (S13)"),
            ("uS14", "Peeters, Jan"),
            ("JAN@example.org", "Jan Peeters"),
            ("Participant 103", "102"),
            ("#103", "102"),
            ("an (annie) de smet", "An (Annie) De Smet"),
        ] {
            check(wanted, &[name]);
        }
    }

    #[test]
    fn the_numbers_to_choose_from_are_named() {
        let students = [student("Jan", "1", "jan@example.org"), student("Jan (2)", "", "")];
        let error = find_student(&students, "jan").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`jan` may be each of these students, so give the number or the e-mail address of one: Jan (number 1, jan@example.org); \
             Jan (2) (without either)"
        );
    }
}
