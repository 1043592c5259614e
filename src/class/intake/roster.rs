//! The roster: a table of the students of a class, as any learning platform or spreadsheet exports it.
//!
//! Its columns are found by their usual names in English, Dutch and Danish, such as those of the grading
//! worksheet of Moodle and of the gradebook of Canvas. What a column with another name holds is ignored.

use super::{moment, people};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The rank of an e-mail address among numbers and accounts.
const ADDRESS: u8 = 3;

/// The largest roster, in bytes.
const LARGEST: u64 = 16 << 20;

/// The roster of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Roster(pub(super) Vec<RosterRow>);

/// A student on the roster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RosterRow {
    pub(super) name: String,
    /// The last name, if it has a column of its own.
    pub(super) last_name: Option<String>,
    pub(super) number: Option<String>,
    /// All numbers and names of accounts, in small letters; the e-mail address of a row that has none.
    pub(super) ids: Vec<String>,
    pub(super) email: Option<String>,
    /// When the submission is due, in seconds since 1970.
    pub(super) due: Option<i64>,
    /// When the student handed in, in seconds since 1970, if the table says so.
    pub(super) handed_in: Option<i64>,
}

/// A reason why a roster cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// The file is not a roster, or a row of it is wrong: where, what, and what to do.
    #[error("{0}")]
    Bad(String),
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::class) enum RosterColumn {
    Name,
    FirstName,
    FamilyName,
    /// A number, or the name of an account. The lowest is the student's number.
    Id(u8),
    Email,
    Due,
    HandedIn,
}

/// The names of columns, in small letters without accents and with a blank for each other sign.
const COLUMNS: &[(RosterColumn, &[&str])] = &[
    (
        RosterColumn::Name,
        &[
            "name", "full name", "fullname", "student", "student name", "display name", "users full name",
            "naam", "volledige naam", "naam student", "studentnaam", "weergavenaam", "cursist", "navn",
            "fulde navn", "elevnavn", "elev", "studerende", "studentens navn",
        ],
    ),
    (RosterColumn::FirstName, &["first name", "firstname", "given name", "voornaam", "fornavn", "fornavne"]),
    (
        RosterColumn::FamilyName,
        &["last name", "lastname", "surname", "family name", "achternaam", "familienaam", "efternavn"],
    ),
    (
        RosterColumn::Id(0),
        &["identifier", "identificatie", "identifikator", "id", "user id", "userid", "deelnemer"],
    ),
    (
        RosterColumn::Id(1),
        &[
            "number", "student id", "studentid", "student number", "id number", "orgdefinedid",
            "sis user id", "nummer", "studentnummer", "studentennummer", "stamnummer", "rolnummer",
            "idnummer", "id nummer", "studienummer", "studienr", "id nr", "matrikelnummer",
        ],
    ),
    (
        RosterColumn::Id(2),
        &["username", "user name", "login", "login id", "sis login id", "gebruikersnaam", "brugernavn"],
    ),
    (
        RosterColumn::Email,
        &[
            "email", "e mail", "mail", "email address", "e mail address", "emailadres", "e mailadres",
            "mailadres", "emailadresse", "e mailadresse", "mailadresse",
        ],
    ),
    (
        RosterColumn::Due,
        &[
            "due", "due date", "duedate", "deadline", "inleverdatum", "uiterste inleverdatum",
            "uiterste datum", "indiendatum", "uiterste indiendatum", "einddatum", "afleveringsfrist",
            "frist", "afleveringsdato",
        ],
    ),
    (
        RosterColumn::HandedIn,
        &[
            "last modified submission",
            "submitted",
            "submitted at",
            "submission date",
            "submission time",
            "laatst gewijzigd inzending",
            "laatst gewijzigd ingezonden taak",
            "ingediend",
            "ingediend op",
            "ingeleverd",
            "ingeleverd op",
            "sidst aendret aflevering",
            "sidst rettet aflevering",
            "afleveret",
        ],
    ),
];

impl Roster {
    /// Reads a roster.
    pub(super) fn read(path: &Path) -> Result<Roster, RosterError> {
        let unreadable = |error| RosterError::Unreadable(path.to_owned(), error);
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        let shown = path.display().to_string();
        if size > LARGEST {
            return Err(RosterError::Bad(format!(
                "{shown}: has {size} bytes; a roster has at most {LARGEST}"
            )));
        }
        Roster::parse(&shown, &std::fs::read(path).map_err(unreadable)?)
    }

    /// Reads the text of the roster called `file`.
    fn parse(file: &str, bytes: &[u8]) -> Result<Roster, RosterError> {
        if bytes.starts_with(b"PK") || bytes.contains(&0) && !bytes.starts_with(b"\xff\xfe") {
            let message =
                format!("{file}: is not a table in CSV; save the roster as CSV in your spreadsheet program");
            return Err(RosterError::Bad(message));
        }
        let text = decoded(bytes);
        let header = text.lines().next().unwrap_or_default();
        let count = |separator: &char| header.matches(*separator).count();
        let separator = [',', ';', '\t'].into_iter().rev().max_by_key(count).unwrap_or(',');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(u8::try_from(separator).unwrap_or(b','))
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let wrong = |error: csv::Error| RosterError::Bad(format!("{file}: {error}"));
        let mut records = reader.records();
        let header = records.next().transpose().map_err(wrong)?.unwrap_or_default();
        let columns = columns(&header);
        let has = |wanted: RosterColumn| columns.iter().any(|(_, column)| *column == wanted);
        if !has(RosterColumn::Name) && !has(RosterColumn::FamilyName) {
            let found: Vec<&str> = header.iter().map(str::trim).filter(|name| !name.is_empty()).collect();
            return Err(RosterError::Bad(format!(
                "{file}:1: no column has names of students; the columns are: {}; call one `name`, and others `id`, `email` and `due`",
                found.join(", ")
            )));
        }
        let mut rows: Vec<RosterRow> = Vec::new();
        let mut namesakes: HashMap<String, Vec<usize>> = HashMap::new();
        for record in records {
            let record = record.map_err(wrong)?;
            let line = record.position().map_or(0, csv::Position::line);
            let Some(row) =
                row(&columns, &record).map_err(|what| RosterError::Bad(format!("{file}:{line}: {what}")))?
            else {
                continue;
            };
            let again = row.number.is_some() && rows.iter().any(|other| other.number == row.number);
            if again {
                let number = row.number.unwrap_or_default();
                return Err(RosterError::Bad(format!(
                    "{file}:{line}: {} has the number {number} of another row; each student has one row",
                    row.name
                )));
            }
            let namesakes = namesakes.entry(people::key(&row.name)).or_default();
            let is_as = |one: &RosterRow, other: &RosterRow| one.ids.iter().all(|id| other.ids.contains(id));
            if namesakes.iter().any(|place| is_as(&rows[*place], &row) || is_as(&row, &rows[*place])) {
                return Err(RosterError::Bad(format!(
                    "{file}:{line}: {} has the name of another row, and nothing tells the two apart; give each student one row, and \
                     students of the same name a number or an e-mail address",
                    row.name
                )));
            }
            namesakes.push(rows.len());
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(RosterError::Bad(format!("{file}: has no students below its header")));
        }
        Ok(Roster(rows))
    }
}

/// The characters from 0x80 to 0x9f in windows-1252; the five bytes without one stay as they are.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a table: spreadsheet programs write UTF-8, UTF-16, or windows-1252.
pub(in crate::class) fn decoded(bytes: &[u8]) -> String {
    if let Some(bytes) = bytes.strip_prefix(b"\xff\xfe") {
        let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        return char::decode_utf16(units).map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => bytes.iter().map(|byte| windows_1252(*byte)).collect(),
    }
}

/// The character of a byte in windows-1252, which is that of Unicode but for [`WINDOWS_1252`].
fn windows_1252(byte: u8) -> char {
    let special = byte.checked_sub(0x80).and_then(|place| WINDOWS_1252.get(usize::from(place)));
    special.copied().unwrap_or_else(|| char::from(byte))
}

/// The meaning of each column, by the names in the first row. Of two with the same meaning the first counts.
pub(in crate::class) fn columns(header: &csv::StringRecord) -> Vec<(usize, RosterColumn)> {
    let mut columns: Vec<(usize, RosterColumn)> = Vec::new();
    for (place, name) in header.iter().enumerate() {
        let name = people::parts(name).join(" ");
        let found =
            COLUMNS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(column, _)| *column);
        let free = |column: &RosterColumn| {
            matches!(column, RosterColumn::Id(_)) || !columns.iter().any(|(_, other)| other == column)
        };
        columns.extend(found.filter(free).map(|column| (place, column)));
    }
    // Where first names have a column of their own, `naam` and `name` are the family name.
    let has = |wanted: RosterColumn| columns.iter().any(|(_, column)| *column == wanted);
    if has(RosterColumn::FirstName) && !has(RosterColumn::FamilyName) {
        for (_, column) in columns.iter_mut().filter(|(_, column)| *column == RosterColumn::Name) {
            *column = RosterColumn::FamilyName;
        }
    }
    columns
}

/// The student of a row; `None` if it has none, as the second row of a gradebook of Canvas.
fn row(columns: &[(usize, RosterColumn)], record: &csv::StringRecord) -> Result<Option<RosterRow>, String> {
    let of = |wanted: RosterColumn| {
        let place = columns.iter().find(|(_, column)| *column == wanted)?.0;
        Some(record.get(place)?.trim()).filter(|text| !text.is_empty())
    };
    let name = match of(RosterColumn::Name) {
        Some(name) => name.to_owned(),
        None => [RosterColumn::FirstName, RosterColumn::FamilyName]
            .into_iter()
            .filter_map(of)
            .collect::<Vec<_>>()
            .join(" "),
    };
    let name = people::tidied(&name);
    let mut ids: Vec<(u8, String)> = Vec::new();
    for (place, column) in columns {
        if let (RosterColumn::Id(rank), Some(text)) =
            (column, record.get(*place).map(number_of).filter(|id| !id.is_empty()))
        {
            ids.push((*rank, text.to_owned()));
        }
    }
    // Without a number or an account, the address tells namesakes apart.
    if ids.is_empty() {
        ids.extend(of(RosterColumn::Email).map(|email| (ADDRESS, email.to_owned())));
    }
    ids.sort_by_key(|(rank, _)| *rank);
    if name == "Points Possible" || (name.is_empty() && ids.is_empty()) {
        return Ok(None);
    }
    if name.is_empty() {
        return Err(format!("no name stands beside the number {}", ids[0].1));
    }
    let due = of(RosterColumn::Due).filter(|text| text.chars().any(char::is_alphanumeric));
    let due = due.map(|text| {
        moment::read(text).ok_or_else(|| {
            format!("`{text}` is not a date; write one such as 2026-11-03 or 2026-11-03 23:59")
        })
    });
    let numbers = ids.iter().find(|(rank, _)| *rank < 2);
    Ok(Some(RosterRow {
        name,
        last_name: of(RosterColumn::FamilyName).map(people::tidied),
        number: numbers.map(|(_, id)| id.clone()),
        ids: ids.iter().map(|(_, id)| id.to_lowercase()).collect(),
        email: of(RosterColumn::Email).map(str::to_owned),
        due: due.transpose()?.map(moment::Moment::end),
        // Without a submission a platform writes a word here.
        handed_in: of(RosterColumn::HandedIn).and_then(moment::read).map(|moment| moment.seconds),
    }))
}

/// A number as Moodle writes it in its worksheet, without the word before it; Brightspace writes `#` before
/// it.
pub(in crate::class) fn number_of(text: &str) -> &str {
    let text = text.trim().trim_start_matches('#');
    match text.rsplit_once(' ') {
        Some((word, number))
            if word.chars().all(char::is_alphabetic) && number.chars().all(|ch| ch.is_ascii_digit()) =>
        {
            number
        }
        Some(_) | None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Roster, RosterRow};

    fn student(name: &str, number: &str) -> RosterRow {
        RosterRow {
            name: name.to_owned(),
            number: Some(number.to_owned()),
            ids: vec![number.to_lowercase()],
            ..RosterRow::default()
        }
    }

    fn in_two_columns(row: RosterRow) -> RosterRow {
        RosterRow { last_name: Some("Peeters".to_owned()), ..row }
    }

    #[track_caller]
    fn check(text: impl AsRef<[u8]>, expected: &[RosterRow]) {
        assert_eq!(Roster::parse("roster.csv", text.as_ref()).unwrap().0, expected);
    }

    #[track_caller]
    fn refused(text: &str, why: &str) {
        let error = Roster::parse("roster.csv", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn columns_are_found_in_three_languages_and_with_each_separator() {
        let email = Some("jan@example.org".to_owned());
        let due = Some(1_793_750_399);
        let jan = [RosterRow { email, due, ..student("Jan Peeters", "S12") }];
        check("id,name,e-mail,due date\nS12,Jan Peeters,jan@example.org,2026-11-03\n", &jan);
        check(
            "\u{feff}Naam;Studentnummer;E-mailadres;Deadline\r\nJan Peeters;S12;jan@example.org;3/11/2026\r\n",
            &jan,
        );
        check(
            "Fornavn\tEfternavn\tStudienummer\tE-mail\tFrist\nJan\tPeeters\tS12\tjan@example.org\t3. november 2026\n",
            &jan.map(in_two_columns),
        );
        let jan = in_two_columns(student("Jan Peeters", "S12"));
        check("Voornaam,Naam,Nummer,Groep\nJan,Peeters,S12,A\n\n,,,\n", &[jan]);
    }

    #[test]
    fn the_tables_of_moodle_and_canvas_are_rosters() {
        let moodle = "Identifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Last modified (submission)\"\n\
            \"Participant 12345\",\"Jan Peeters\",S12,jan@example.org,\"Submitted for grading\",,\"Tuesday, 3 November 2026, 10:12 AM\"\n\
            \"Participant 12346\",\"An De Smet\",S13,,\"No submission\",,-\n";
        let jan = RosterRow {
            ids: vec!["12345".to_owned(), "s12".to_owned()],
            email: Some("jan@example.org".to_owned()),
            handed_in: Some(1_793_700_720),
            ..student("Jan Peeters", "12345")
        };
        let an =
            RosterRow { ids: vec!["12346".to_owned(), "s13".to_owned()], ..student("An De Smet", "12346") };
        check(moodle, &[jan, an]);
        let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Codenames (77)\n    Points Possible,,,,,10\n\"Peeters, Jan\",123,S12,JPeeters,A,\n";
        let ids = ["123", "s12", "jpeeters"].map(str::to_owned).to_vec();
        check(canvas, &[RosterRow { ids, ..student("Peeters, Jan", "123") }]);
    }

    #[test]
    fn a_spreadsheet_program_may_write_other_encodings() {
        check(b"naam;id\nJos\xe9 O\x92Neill \x80;1\n", &[student("José O’Neill €", "1")]);
        let wide: Vec<u8> = "\u{feff}naam\tid\nJosé\t1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(wide, &[student("José", "1")]);
    }

    #[test]
    fn errors_have_a_line() {
        refused("a,b\n1,2\n", "roster.csv:1: no column has names");
        refused("name,due\nJan,2026-11-03\nAn,soon\n", "roster.csv:3: `soon` is not a date");
        refused("name,id\nJan,1\nAn,1\n", "roster.csv:3: An has the number 1 of another row");
        refused("name,id\n,1\n", "no name stands beside the number 1");
        refused("name,id\n", "no students");
        refused("PK\u{3}\u{4}", "save the roster as CSV");
    }
}
