//! The order of names of people in an alphabet: that of the language of a report.
//!
//! A library of collation has the tables of every language; three languages need only a few rules of CLDR:
//!
//! - letters come first, then accents, then capitals: `Elise`, `Élise`, `Emma`;
//! - in Danish, Æ (also Ä), Ø (also Ö) and Å (also Aa) come after Z, and Ü is beside Y;
//! - in Dutch and English these are beside AE, O, A and U;
//! - blanks and signs come before digits, digits before letters, and numbers by their value;
//! - letters of other scripts come after these, by their code.

use crate::messages::Lang;
use std::iter::Peekable;
use std::str::Chars;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The key by which a name sorts among those of the same language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameKey {
    letters: String,
    accents: String,
    name: String,
}

/// A name after its last name, as it sorts.
pub(super) fn last_name_first(name: &str, last_name: &str) -> String {
    format!("{last_name} {name}")
}

impl NameKey {
    /// The key of a person, who sorts by last name if it is known.
    pub fn of_person(name: &str, last_name: Option<&str>, lang: Lang) -> NameKey {
        match last_name {
            Some(last_name) => NameKey::new(&last_name_first(name, last_name), lang),
            None => NameKey::new(name, lang),
        }
    }

    /// The key of a name in the alphabet of `lang`.
    pub fn new(name: &str, lang: Lang) -> NameKey {
        let small: String = name.nfc().flat_map(char::to_lowercase).collect();
        NameKey {
            letters: letters(&small, lang),
            accents: small.nfd().filter(|ch| is_combining_mark(*ch)).collect(),
            name: name.to_owned(),
        }
    }
}

/// The letters of a text in small letters, as characters in the order of the alphabet.
fn letters(small: &str, lang: Lang) -> String {
    let mut letters = String::new();
    let mut rest = small.chars().peekable();
    while let Some(ch) = rest.next() {
        if lang == Lang::Da
            && let Some(letter) = danish(ch, &mut rest)
        {
            letters.push(letter);
        } else if ch.is_ascii_digit() {
            number(ch, &mut rest, &mut letters);
        } else {
            ch.nfd().filter(|ch| !is_combining_mark(*ch)).for_each(|ch| push_base(ch, &mut letters));
        }
    }
    letters
}

/// A letter of its own in Danish: the signs after `z` in ASCII stand for the letters after it.
fn danish(ch: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    match ch {
        'æ' | 'ä' => Some('{'),
        'ø' | 'ö' | 'ő' => Some('|'),
        'å' => Some('}'),
        'a' => rest.next_if_eq(&'a').map(|_| '}'),
        'ü' | 'ű' => Some('y'),
        _ => None,
    }
}

/// A number that begins with this digit: the one with fewer digits is the smaller one.
fn number(first: char, rest: &mut Peekable<Chars<'_>>, letters: &mut String) {
    let mut digits = String::from(first);
    digits.extend(std::iter::from_fn(|| rest.next_if(char::is_ascii_digit)));
    let digits = digits.trim_start_matches('0');
    letters.push('0');
    letters.extend(u32::try_from(digits.len()).ok().and_then(char::from_u32));
    letters.push_str(digits);
}

fn push_base(ch: char, letters: &mut String) {
    match ch {
        'ø' => letters.push('o'),
        'æ' => letters.push_str("ae"),
        'œ' => letters.push_str("oe"),
        'ĳ' => letters.push_str("ij"),
        'ß' => letters.push_str("ss"),
        'ł' => letters.push('l'),
        'đ' | 'ð' => letters.push('d'),
        'þ' => letters.push_str("th"),
        'ı' => letters.push('i'),
        _ if ch.is_alphanumeric() => letters.push(ch),
        _ if ch.is_whitespace() => letters.push(' '),
        _ => letters.push('-'),
    }
}

#[cfg(test)]
mod tests {
    use super::NameKey;
    use crate::messages::Lang;

    #[track_caller]
    fn check(langs: &[Lang], ordered: &[&str]) {
        for lang in langs {
            let mut names = ordered.to_vec();
            names.reverse();
            names.sort_by_cached_key(|name| NameKey::new(name, *lang));
            assert_eq!(names, ordered, "{lang:?}");
        }
    }

    #[test]
    fn accents_and_capitals_count_only_where_the_letters_are_the_same() {
        check(
            &[Lang::Nl, Lang::En, Lang::Da],
            &[
                "De Smet", "de Smet", "Debie", "Elise", "elise", "Élise", "Emma", "Łukasz", "Lumi", "Nguyễn",
                "Zoë", "Ωmega",
            ],
        );
    }

    #[test]
    fn danish_has_three_letters_after_z() {
        check(
            &[Lang::Da],
            &["Anna", "Muller", "Mylle", "Müller", "Zorn", "Ærø", "Äse", "Ørsted", "Özil", "Aage", "Åse"],
        );
        check(
            &[Lang::Nl, Lang::En],
            &["Aage", "Ærø", "Anna", "Äse", "Åse", "Muller", "Müller", "Mylle", "Ørsted", "Özil", "Zorn"],
        );
    }

    #[test]
    fn signs_come_before_numbers_by_value_and_these_before_letters() {
        let all = [Lang::Nl, Lang::En, Lang::Da];
        check(&all, &["Jan Peeters", "Jan-Piet", "Jan2", "Jan10", "Jana"]);
        check(&all, &["O'Neill", "O’Neill", "Oakley", "Participant 9", "Participant 010", "Participant 11"]);
    }
}
