//! How near values and texts must be to what is expected, and how a file says it.

use super::diagnostic::Diagnostic;
use super::reader;
use std::fmt;
use std::ops::Range;
use toml::de::DeTable;

/// The most that floating-point numbers differ where no file says otherwise, both absolute and as a part of the
/// expected number. Rounding in another order of a usual computation stays far below it; Python's
/// `math.isclose` has the same relative tolerance.
pub const NEAR: f64 = 1e-9;

/// The differences that are allowed between an answer and what is expected. A field that is `None` is
/// inherited.
#[derive(Clone, Default, PartialEq)]
pub struct Tolerance {
    /// Whether a value must be of exactly the expected type: no tuple for a list, nor one of a subclass.
    pub exact_types: Option<bool>,
    /// Whether an integer may be equal to a float; not by default.
    pub loose_numbers: Option<bool>,
    /// The most that a number may differ; by default [`NEAR`] for floating-point numbers and 0 for integers.
    pub within: Option<f64>,
    /// The most that a number may differ, as a part of the expected number, with the same defaults.
    pub relative: Option<f64>,
    /// The differences that are allowed between texts.
    pub text: TextTolerance,
}

/// The differences that are allowed in a text that is shown, printed or written. A field that is `None` is
/// inherited, and exact by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTolerance {
    /// Whether capitals and small letters are the same.
    pub ignore_case: Option<bool>,
    /// Whether the number of spaces is irrelevant.
    pub collapse_blanks: Option<bool>,
    /// Whether spaces at the end of a line, and empty lines at the end, are irrelevant.
    pub trim_line_ends: Option<bool>,
    /// The most that a number in a text may differ; 0 compares its digits.
    pub numbers_within: Option<f64>,
}

/// The form of the first digests of cases, to which verdicts in the databases of classes belong: what came later
/// is in it only if a file says it.
impl fmt::Debug for Tolerance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tolerance { exact_types, loose_numbers, within, relative, text } = self;
        let mut written = formatter.debug_struct("Tolerance");
        if exact_types.is_some() {
            written.field("exact_types", exact_types);
        }
        written.field("loose_numbers", loose_numbers).field("within", within).field("relative", relative);
        written.field("text", text).finish()
    }
}

impl Tolerance {
    /// The tolerance, with what it omits taken from `under`.
    pub fn over(&self, under: &Tolerance) -> Tolerance {
        let (text, other) = (&self.text, &under.text);
        Tolerance {
            exact_types: self.exact_types.or(under.exact_types),
            loose_numbers: self.loose_numbers.or(under.loose_numbers),
            within: self.within.or(under.within),
            relative: self.relative.or(under.relative),
            text: TextTolerance {
                ignore_case: text.ignore_case.or(other.ignore_case),
                collapse_blanks: text.collapse_blanks.or(other.collapse_blanks),
                trim_line_ends: text.trim_line_ends.or(other.trim_line_ends),
                numbers_within: text.numbers_within.or(other.numbers_within),
            },
        }
    }

    /// The most that a floating-point number may differ from `expected`.
    pub fn allowed(&self, expected: f64) -> f64 {
        self.allowed_beside(NEAR, expected)
    }

    /// The most that an integer may differ from `expected`.
    pub fn allowed_integer(&self, expected: f64) -> f64 {
        self.allowed_beside(0.0, expected)
    }

    fn allowed_beside(&self, default: f64, expected: f64) -> f64 {
        let relative = self.relative.unwrap_or(default) * expected.abs();
        if expected.is_finite() && relative.is_finite() {
            self.within.unwrap_or(default).max(relative)
        } else {
            0.0
        }
    }

    /// Whether a file says how much numbers may differ.
    pub fn is_chosen(&self) -> bool {
        self.within.is_some() || self.relative.is_some()
    }

    /// Whether values must be exactly equal.
    pub fn is_exact(&self) -> bool {
        self.are_integers_exact() && self.allowed(1.0) <= 0.0
    }

    /// Whether an integer must be exactly equal.
    pub fn are_integers_exact(&self) -> bool {
        !self.loose_numbers.unwrap_or(false) && self.allowed_integer(1.0) <= 0.0
    }
}

impl TextTolerance {
    /// Whether texts must be exactly equal.
    pub fn is_exact(&self) -> bool {
        let set = |choice: Option<bool>| choice.unwrap_or(false);
        !set(self.ignore_case)
            && !set(self.collapse_blanks)
            && !set(self.trim_line_ends)
            && self.numbers_within.unwrap_or(0.0) <= 0.0
    }
}

/// The tolerance in the `compare` of a file or a step.
pub(super) fn tolerance(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Tolerance {
    let Some(compare) = reader::get(table, "compare").and_then(|entry| entry.get_ref().as_table()) else {
        return Tolerance::default();
    };
    let choice =
        |table: &DeTable<'_>, key: &str, word: &str| reader::text(table, key).map(|text| text == word);
    let mut wrong: Vec<(&str, Range<usize>)> = Vec::new();
    let mut number = |table: &DeTable<'_>, key: &'static str| {
        let entry = reader::get(table, key)?;
        let number = reader::number(entry.get_ref())?;
        if !number.is_finite() || number < 0.0 {
            wrong.push((key, entry.span()));
        }
        Some(number)
    };
    let nothing = DeTable::default();
    let text = reader::get(compare, "text").and_then(|entry| entry.get_ref().as_table()).unwrap_or(&nothing);
    let tolerance = Tolerance {
        exact_types: reader::get(compare, "exact").and_then(|entry| entry.get_ref().as_bool()),
        loose_numbers: choice(compare, "numbers", "loose"),
        within: number(compare, "within"),
        relative: number(compare, "relative"),
        text: TextTolerance {
            ignore_case: choice(text, "case", "ignore"),
            collapse_blanks: choice(text, "blanks", "collapse"),
            trim_line_ends: choice(text, "line_ends", "trim"),
            numbers_within: number(text, "numbers_within"),
        },
    };
    errors.extend(wrong.into_iter().map(|(key, span)| {
        Diagnostic::new(format!("`{key}` must be a number that is not negative"), span)
            .help("0 allows no difference")
    }));
    tolerance
}
