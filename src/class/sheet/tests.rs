//! Sheets of Moodle, Canvas and others.

use super::{GradeSheet, SheetFilled, SheetGrade, SheetKind, new};
use keur_core::case::Points;

fn points(text: &str) -> Points {
    Points::parse(text).unwrap()
}

fn student(name: &str, numbers: &[&str], grade: Option<&str>) -> SheetGrade {
    SheetGrade {
        name: name.to_owned(),
        numbers: numbers.iter().map(|number| (*number).to_owned()).collect(),
        grade: grade.map(|grade| (points(grade), points("20"))),
        ..SheetGrade::default()
    }
}

fn class() -> Vec<SheetGrade> {
    let an = SheetGrade { email: Some("An@Example.org".to_owned()), ..student("An", &["s7"], Some("7.5")) };
    vec![student("Jan Peeters", &["S12", "12345"], Some("13.25")), an, student("Bo", &["99"], None)]
}

#[track_caller]
fn check(sheet: &str, kind: SheetKind, expected: &str, report: SheetFilled) {
    let mut read = GradeSheet::read(sheet.as_bytes(), None, &["Codenames"]).unwrap();
    assert_eq!(read.kind, kind);
    assert_eq!(read.fill(&class()), report);
    assert_eq!(read.text(), expected);
}

#[test]
fn a_worksheet_of_moodle_keeps_its_cells_and_gets_grades() {
    check(
        "\u{feff}Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\",\"Last modified (grade)\"\r\n\
         \"Participant 12345\",\"Jan Peeters\",j@x,\"Submitted, late\",,20.00,Yes,-\r\n\
         \"Participant 7\",Anna,an@example.org,,3,20.00,Yes,-\r\n\
         \"Participant 99\",Bo,,,11,20.00,Yes,-\r\n\
         \"Participant 5\",Cas,,,,20.00,Yes,-\r\n",
        SheetKind::Moodle,
        "\u{feff}Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade)\r\n\
         Participant 12345,Jan Peeters,j@x,\"Submitted, late\",13.25,20.00,Yes,-\r\n\
         Participant 7,Anna,an@example.org,,7.5,20.00,Yes,-\r\n\
         Participant 99,Bo,,,11,20.00,Yes,-\r\n\
         Participant 5,Cas,,,,20.00,Yes,-\r\n",
        SheetFilled { filled: 2, strangers: vec!["Cas".to_owned()], ..SheetFilled::default() },
    );
}

#[test]
fn grades_are_scaled_to_the_sheet_written_with_its_comma_and_locked_rows_stay() {
    check(
        "Identificatie;Volledige naam;Cijfer;Maximumcijfer;Cijfer kan gewijzigd worden\n\
         Deelnemer 12345;Jan Peeters;;10,00;Ja\n\
         Deelnemer 1;An;2;10,00;Nee\n",
        SheetKind::Moodle,
        "Identificatie;Volledige naam;Cijfer;Maximumcijfer;Cijfer kan gewijzigd worden\n\
         Deelnemer 12345;Jan Peeters;6,63;10,00;Ja\n\
         Deelnemer 1;An;2;10,00;Nee\n",
        SheetFilled {
            filled: 1,
            scaled: Some((points("20"), points("10"))),
            locked: vec!["An".to_owned()],
            ..SheetFilled::default()
        },
    );
}

#[test]
fn the_gradebook_of_canvas_has_a_column_for_each_assignment_and_rows_of_nobody() {
    check(
        "Student,ID,SIS User ID,SIS Login ID,Section,Quixo (71),Codenames (72),Current Score\n\
         \x20   Points Possible,,,,,5,20,\n\
         \"Peeters, Jan\",12345,,jp,A,4,,80\n\
         \"Student, Test\",1,,,A,,,\n",
        SheetKind::Canvas,
        "Student,ID,SIS User ID,SIS Login ID,Section,Quixo (71),Codenames (72),Current Score\n\
         \x20   Points Possible,,,,,5,20,\n\
         \"Peeters, Jan\",12345,,jp,A,4,13.25,80\n\
         \"Student, Test\",1,,,A,,,\n",
        SheetFilled {
            filled: 1,
            strangers: vec!["Student, Test".to_owned()],
            missing: vec!["An".to_owned()],
            ..SheetFilled::default()
        },
    );
}

#[test]
fn a_name_finds_a_student_only_if_one_has_it() {
    let mut class = class();
    class.push(student("Peeters Jan", &[], Some("1")));
    let mut sheet = GradeSheet::read(b"name,score\n\"Peeters, Jan\",\nan\n", None, &[]).unwrap();
    let filled = sheet.fill(&class);
    assert_eq!(filled.strangers, ["Peeters, Jan"]);
    assert_eq!(sheet.text(), "name,score\n\"Peeters, Jan\",\nan,7.5\n");
}

#[test]
fn unclear_submissions_are_named_with_the_choices() {
    let refused = |text: &str, column: Option<&str>| {
        GradeSheet::read(text.as_bytes(), column, &["Alquerque"]).unwrap_err().to_string()
    };
    let canvas = "Student,ID,A (1),B (2)\n";
    assert_eq!(
        refused(canvas, None),
        "it is not clear which column has the grades; name one of these: A (1), B (2)"
    );
    assert!(GradeSheet::read(canvas.as_bytes(), Some("b"), &[]).is_ok());
    assert!(refused(canvas, Some("C")).starts_with("no column is called `C`"));
    assert!(refused("x,y\n1,2\n", None).contains("the columns are: x, y"));
    assert!(refused("", None).starts_with("is empty"));
}

#[test]
fn a_sheet_is_written_for_those_who_have_none_and_read_again() {
    let grades = [student("=Jan", &["12345"], Some("13.25")), student("Bo", &[], None)];
    let moodle = new::moodle(&grades);
    assert_eq!(
        moodle,
        "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade)\n\
         Participant 12345,'=Jan,,13.25,20,\n,Bo,,,,\n"
    );
    let canvas = new::canvas(&grades, "Codenames");
    assert_eq!(
        canvas,
        "Student,ID,SIS User ID,SIS Login ID,Section,Codenames\n    Points Possible,,,,,20\n'=Jan,12345,,,,13.25\nBo,,,,,\n"
    );
    let mut again = GradeSheet::read(moodle.as_bytes(), None, &[]).unwrap();
    assert_eq!(again.fill(&grades).filled, 1);
    assert_eq!(again.text(), moodle);
}

#[test]
fn a_new_sheet_hides_nothing_and_still_finds_its_students() {
    let mut grades = [
        student("An\u{202e}eB \u{1b}[31m", &["1\u{202d}2\r"], Some("13.25")),
        student("=Bo\u{200b}", &[], Some("2")),
        student("'t Hooft", &[], Some("3")),
    ];
    grades[0].email = Some("\tan@x\u{9b}".to_owned());
    for sheet in [new::moodle(&grades), new::canvas(&grades, "\u{2066}=Quixo\n")] {
        let hidden = |ch: char| ch != '\n' && keur_core::value::notation::is_hidden(ch);
        assert!(!sheet.contains(hidden), "{sheet:?}");
        assert!(sheet.contains("An\\u202eeB ␛[31m"), "{sheet}");
        assert!(!sheet.contains(",=") && !sheet.contains("\n="), "{sheet}");
    }
    let mut again = GradeSheet::read(new::moodle(&grades).as_bytes(), None, &[]).unwrap();
    let filled = again.fill(&grades);
    assert_eq!((filled.filled, filled.missing.len()), (3, 0), "{filled:?}");
    // Nor does it without the numbers.
    grades.iter_mut().for_each(|grade| grade.numbers.clear());
    let mut again = GradeSheet::read(new::moodle(&grades).as_bytes(), None, &[]).unwrap();
    assert_eq!(again.fill(&grades).filled, 3);
}
