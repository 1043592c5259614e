//! Text in programs, which is not always well-formed Unicode.

/// A string of a case or a program.
///
/// Both Python and JavaScript allow a surrogate that is not part of a pair. Such a string is kept as
/// [`Text::IllFormed`]; every other one is [`Text::Unicode`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Text {
    /// Well-formed Unicode.
    Unicode(String),
    /// UTF-16 code units with at least one lone surrogate among them.
    IllFormed(Vec<u16>),
}

impl Text {
    /// The text of a sequence of UTF-16 code units.
    pub fn from_units(units: Vec<u16>) -> Text {
        match String::from_utf16(&units) {
            Ok(unicode) => Text::Unicode(unicode),
            Err(_) => Text::IllFormed(units),
        }
    }

    /// The text as Unicode, if it is well-formed.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Text::Unicode(unicode) => Some(unicode),
            Text::IllFormed(_) => None,
        }
    }

    /// The beginning of the text, at most `most` characters.
    pub fn cut(self, most: usize) -> Text {
        match self {
            Text::Unicode(mut unicode) => {
                if let Some((end, _)) = unicode.char_indices().nth(most) {
                    unicode.truncate(end);
                    unicode.shrink_to_fit();
                }
                Text::Unicode(unicode)
            }
            Text::IllFormed(mut units) => {
                units.truncate(most);
                units.shrink_to_fit();
                Text::IllFormed(units)
            }
        }
    }

    /// The text with `U+FFFD` for every lone surrogate.
    pub fn to_lossy(&self) -> String {
        match self {
            Text::Unicode(unicode) => unicode.clone(),
            Text::IllFormed(units) => String::from_utf16_lossy(units),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Unicode(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Unicode(text)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}
