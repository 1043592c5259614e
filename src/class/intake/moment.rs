//! Dates and times as learning platforms and people write them, in English, Dutch and Danish.
//!
//! Where no zone is written, all of a class is in the same one: only differences between such times count.

use jiff::civil::DateTime;
use jiff::tz::Offset;

/// A date, perhaps with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// In seconds since 1970; the start of the day if only that is written.
    pub(super) seconds: i64,
    /// Whether only the day is written.
    pub(super) only_day: bool,
}

impl Moment {
    /// The moment, or the last second of the day if only that is written.
    pub(super) fn end(self) -> i64 {
        if self.only_day { self.seconds + 24 * 60 * 60 - 1 } else { self.seconds }
    }
}

/// The beginnings of the names of months, in the three languages.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb"],
    &["mar", "maa", "mrt"],
    &["apr"],
    &["may", "mei", "maj"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec"],
];

/// A number or a word.
#[derive(Clone, Copy)]
enum Piece<'t> {
    Number(&'t str),
    Word(&'t str),
}

impl Piece<'_> {
    fn number(self) -> Option<i64> {
        match self {
            Piece::Number(digits) => digits.parse().ok(),
            Piece::Word(_) => None,
        }
    }
}

/// Reads a date, perhaps with a time and a zone. A day of three numbers comes before its month, unless the
/// year is first.
pub(super) fn read(text: &str) -> Option<Moment> {
    let (text, offset) = without_zone(text.trim());
    let pieces = pieces(text);
    let months = |piece: &Piece<'_>| match piece {
        Piece::Word(word) => month(word),
        Piece::Number(_) => None,
    };
    let named = pieces.iter().position(|piece| months(piece).is_some());
    let (day, month, year, rest) = match named {
        Some(at) => {
            let month = months(&pieces[at])?;
            let before = at.checked_sub(1).and_then(|before| pieces[before].number());
            match before {
                Some(day) => (day, month, pieces.get(at + 1)?.number()?, at + 2),
                None => (pieces.get(at + 1)?.number()?, month, pieces.get(at + 2)?.number()?, at + 3),
            }
        }
        None => {
            let number = |at: usize| pieces.get(at).copied().and_then(Piece::number);
            let (one, two, three) = (number(0)?, number(1)?, number(2)?);
            if one >= 1000 { (three, two, one, 3) } else { (one, two, three, 3) }
        }
    };
    let (clock, only_day) = clock(&pieces[rest.min(pieces.len())..])?;
    let part = |number: i64| i8::try_from(number).ok();
    let [hour, minute, second] = clock;
    let year = i16::try_from(year).ok().filter(|year| (1970..=2200).contains(year))?;
    let moment =
        DateTime::new(year, part(month)?, part(day)?, part(hour)?, part(minute)?, part(second)?, 0).ok()?;
    let seconds = Offset::UTC.to_timestamp(moment).ok()?.as_second();
    Some(Moment { seconds: seconds - offset, only_day })
}

/// The text without the offset from UTC at its end, and that offset in seconds.
fn without_zone(text: &str) -> (&str, i64) {
    if let Some(text) = text.strip_suffix('Z').or_else(|| text.strip_suffix("UTC")) {
        return (text, 0);
    }
    // Only after a time: a day such as 2026-11-03 has the same signs.
    let Some(at) = text.rfind(['+', '-']).filter(|at| text[..*at].contains(':')) else { return (text, 0) };
    let digits: String = text[at + 1..].chars().filter(char::is_ascii_digit).collect();
    let number = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse::<i64>().ok());
    let Some(hours) = number(0..2) else { return (text, 0) };
    let offset = hours * 3600 + number(2..4).unwrap_or_default() * 60;
    (&text[..at], if text[at..].starts_with('-') { -offset } else { offset })
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut pieces = Vec::new();
    for mut word in words {
        // `2026T10` and `10AM` are several.
        while let Some(first) = word.chars().next() {
            let end =
                word.find(|ch: char| ch.is_ascii_digit() != first.is_ascii_digit()).unwrap_or(word.len());
            let piece = &word[..end];
            pieces.push(if first.is_ascii_digit() { Piece::Number(piece) } else { Piece::Word(piece) });
            word = &word[end..];
        }
    }
    pieces
}

fn month(word: &str) -> Option<i64> {
    let word = word.to_lowercase();
    let found = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
    i64::try_from(found + 1).ok()
}

/// Hours, minutes and seconds, and whether there are none.
fn clock(pieces: &[Piece<'_>]) -> Option<([i64; 3], bool)> {
    let mut numbers: Vec<i64> = Vec::new();
    let mut half = None;
    for piece in pieces {
        match piece {
            // `1012` is a time too.
            Piece::Number(digits) if numbers.is_empty() && matches!(digits.len(), 3 | 4) => {
                let time: i64 = digits.parse().ok()?;
                numbers.extend([time / 100, time % 100]);
            }
            Piece::Number(digits) => numbers.push(digits.parse().ok()?),
            Piece::Word(word) if word.eq_ignore_ascii_case("pm") => half = Some(12),
            Piece::Word(word) if word.eq_ignore_ascii_case("am") => half = Some(0),
            Piece::Word(_) => {}
        }
    }
    let only_day = numbers.is_empty();
    let mut parts = numbers.into_iter().chain([0, 0, 0]);
    let mut next = || parts.next().unwrap_or_default();
    let (hour, minute, second) = (next(), next(), next());
    let hour = half.map_or(hour, |half| hour % 12 + half);
    Some(([hour, minute, second], only_day))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[track_caller]
    fn check(text: &str, expected: Option<(i64, bool)>) {
        let found = read(text).map(|moment| (moment.seconds, moment.only_day));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_time_is_read_as_people_and_platforms_write_it() {
        let morning = Some((1_793_700_720, false));
        for text in [
            "2026-11-03 10:12",
            "2026-11-03T10:12:00Z",
            "2026-11-03T11:12:00+01:00",
            "2026-11-03 05:12:00 -0500",
            "3/11/2026 10:12",
            "3-11-2026 10.12",
            "03.11.2026 kl. 10.12",
            "Tuesday, 3 November 2026, 10:12 AM",
            "dinsdag 3 november 2026, 10:12",
            "tirsdag den 3. november 2026 kl. 10.12",
            "Nov 3, 2026 1012 AM",
            "2026-11-03-10-12-00",
        ] {
            check(text, morning);
        }
        check("3 november 2026 2212", Some((1_793_743_920, false)));
        check("Nov 3, 2026 10:12 PM", Some((1_793_743_920, false)));
        check("3 Nov 2026 12:00 AM", Some((1_793_664_000, false)));
    }

    #[test]
    fn a_day_lasts_until_its_last_second() {
        check("2026-11-03", Some((1_793_664_000, true)));
        check("3 mei 2026", Some((1_777_766_400, true)));
        assert_eq!(read("3/11/2026").unwrap().end(), 1_793_664_000 + 86_399);
    }

    #[test]
    fn texts_that_are_no_date_are_refused() {
        for text in
            ["", "soon", "31-02-2026", "2026-13-01", "11/2026", "3 Nov", "- 10:12", "2026-11-03 25:00"]
        {
            check(text, None);
        }
    }
}
