//! Mistakes in a text: of an object, or printed.

use super::{Mistake, Reach, Traits, ValueMistake};
use crate::compare::diff::visible;
use crate::messages::Message;

/// A mistake in a text: of an object, or printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum TextMistake {
    /// The text differs in no special way.
    #[serde(rename = "Text")]
    Unexpected,
    /// The text of an object is not a string.
    NoText {
        /// The type of the text.
        kind: String,
    },
    /// The object's class defines no text of its own.
    #[serde(rename = "TextOfObject")]
    OfObject {
        /// The method that would define one.
        method: String,
    },
    /// The text is that of nothing: a method that should return the object returned nothing.
    #[serde(rename = "TextOfNone")]
    OfNone,
    /// Something was printed where nothing should be.
    Output,
    /// Nothing was printed where something should be.
    NoOutput,
    /// The expected output was written to standard error.
    StandardError,
    /// The expected output was returned.
    Returned,
    /// The expected output was printed, and more.
    MoreOutput,
    /// The output is correct except for the prompts of the program.
    Prompts,
    /// The output is correct except for what was printed while the submission was loaded.
    WhileLoading,
    /// The text is correct except for trailing spaces.
    TrailingBlanks,
    /// The text is correct except for line ends after it.
    FinalNewlines,
    /// The text is correct except that its first letter should be a small or a capital one.
    FirstLetter {
        /// The expected letter.
        expected: String,
    },
    /// The text is correct except for capitalisation.
    Capitals,
    /// The text is correct except for spaces.
    Blanks,
    /// The text is correct except that another character stands wherever this one is expected.
    Replaced {
        /// The expected character.
        expected: char,
        /// The actual character.
        got: char,
    },
    /// The text is correct except that two characters stand for each other.
    Exchanged {
        /// The one that is expected first.
        one: char,
        /// The other one.
        other: char,
    },
    /// The lines of the text stand on one line.
    Joined {
        /// The number of lines that are expected.
        lines: usize,
        /// The text between two of them; empty if there is none.
        by: String,
    },
    /// The text has another number of lines.
    Lines {
        /// The expected lines.
        expected: usize,
        /// The actual lines.
        got: usize,
    },
    /// The text lacks a part that it should contain.
    Part {
        /// The beginning of the part.
        part: String,
        /// The problem.
        why: PartProblem,
    },
    /// The text does not have the form that a regular expression describes.
    Form,
    /// Lines of the text are missing, in whatever order they should come.
    MissingLines {
        /// The beginning of the first.
        first: String,
        /// The number of lines that are missing.
        count: usize,
    },
    /// The text has lines too many, in whatever order they may come.
    ExtraLines {
        /// The beginning of the first.
        first: String,
        /// The number of lines that are too many.
        count: usize,
    },
}

/// The problem with a part that a text should contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum PartProblem {
    /// The part is missing.
    Missing,
    /// The part is only there before another part that it should follow.
    Order,
    /// The part is there except for capitalisation.
    Capitals,
    /// The part is there except for spaces.
    Blanks,
}

#[warn(clippy::wildcard_enum_match_arm)]
impl TextMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            TextMistake::Unexpected => Message::new("mistake-text"),
            TextMistake::NoText { kind } => Message::new("mistake-no-text").with("kind", kind),
            TextMistake::OfObject { method } => Message::new("mistake-text-of-object").with("method", method),
            TextMistake::OfNone => Message::new("mistake-text-of-none"),
            TextMistake::Output => Message::new("mistake-output"),
            TextMistake::NoOutput => Message::new("mistake-no-output"),
            TextMistake::StandardError => Message::new("mistake-standard-error"),
            TextMistake::Returned => Message::new("mistake-returned"),
            TextMistake::MoreOutput => Message::new("mistake-more-output"),
            TextMistake::Prompts => Message::new("mistake-prompts"),
            TextMistake::WhileLoading => Message::new("mistake-while-loading"),
            TextMistake::TrailingBlanks => Message::new("mistake-trailing-blanks"),
            TextMistake::FinalNewlines => Message::new("mistake-final-newlines"),
            TextMistake::FirstLetter { expected } => {
                let size = if expected.chars().any(char::is_lowercase) { "small" } else { "capital" };
                Message::new("mistake-first-letter").with("letter", expected).with("size", size)
            }
            TextMistake::Capitals => Message::new("mistake-capitals"),
            TextMistake::Blanks => Message::new("mistake-blanks"),
            TextMistake::Replaced { expected, got } => {
                Message::new("mistake-replaced").with("expected", sign(*expected)).with("got", sign(*got))
            }
            TextMistake::Exchanged { one, other } => {
                Message::new("mistake-exchanged").with("one", sign(*one)).with("other", sign(*other))
            }
            TextMistake::Joined { lines, by } => {
                let by = match by.as_str() {
                    "" => "nothing",
                    " " => SPACE,
                    by => by,
                };
                Message::new("mistake-joined").with("lines", lines).with("by", by)
            }
            TextMistake::Lines { expected, got } => {
                Message::new("mistake-lines").with("expected", expected).with("got", got)
            }
            TextMistake::Part { part, why } => why.message().with("part", part),
            TextMistake::Form => Message::new("mistake-form"),
            TextMistake::MissingLines { first, count } => {
                Message::new("mistake-missing-lines").count(*count).with("line", first)
            }
            TextMistake::ExtraLines { first, count } => {
                Message::new("mistake-extra-lines").count(*count).with("line", first)
            }
        }
    }

    pub(super) fn traits(&self) -> Traits {
        match self {
            TextMistake::Unexpected
            | TextMistake::Replaced { .. }
            | TextMistake::Exchanged { .. }
            | TextMistake::MoreOutput
            | TextMistake::Lines { .. }
            | TextMistake::Part { .. }
            | TextMistake::Form
            | TextMistake::MissingLines { .. }
            | TextMistake::ExtraLines { .. } => Traits::plain(Reach::Result),
            TextMistake::NoText { .. }
            | TextMistake::Output
            | TextMistake::NoOutput
            | TextMistake::Prompts
            | TextMistake::FirstLetter { .. }
            | TextMistake::Capitals
            | TextMistake::Joined { .. }
            | TextMistake::Blanks => Traits::plain(Reach::Function),
            TextMistake::StandardError | TextMistake::Returned => Traits::advising(Reach::Function),
            TextMistake::OfObject { .. } | TextMistake::TrailingBlanks | TextMistake::FinalNewlines => {
                Traits::advising(Reach::Function)
            }
            TextMistake::WhileLoading => Traits::advising(Reach::Submission),
            TextMistake::OfNone => Traits::advising(Reach::ReturnsNothing),
        }
    }
}

/// The name of a space in the messages.
const SPACE: &str = "space";

/// A character as an argument of a message.
fn sign(ch: char) -> String {
    if ch == ' ' { SPACE.to_owned() } else { visible(&ch.to_string(), true) }
}

impl PartProblem {
    fn message(self) -> Message {
        Message::new(match self {
            PartProblem::Missing => "mistake-part-missing",
            PartProblem::Order => "mistake-part-order",
            PartProblem::Capitals => "mistake-part-capitals",
            PartProblem::Blanks => "mistake-part-blanks",
        })
    }
}

impl Mistake {
    /// The mistake of a wrong text.
    pub(in crate::compare) fn of_text(expected: &str, got: &str, printed: &str) -> Mistake {
        let ends = |text: &str| text.trim_end_matches(['\n', '\r']).to_owned();
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let blankless = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.split_whitespace().collect()).collect()
        };
        let nothing = matches!(got, "None" | "undefined" | "null");
        if nothing && !printed.is_empty() && trimmed(printed) == trimmed(expected) {
            return Mistake::Value(ValueMistake::Printed);
        }
        Mistake::Text(if nothing {
            TextMistake::OfNone
        } else if ends(expected) == ends(got) {
            TextMistake::FinalNewlines
        } else if trimmed(&ends(expected)) == trimmed(&ends(got)) {
            TextMistake::TrailingBlanks
        } else if let Some(mistake) = first_letter(expected, got) {
            mistake
        } else if expected.to_lowercase() == got.to_lowercase() {
            TextMistake::Capitals
        } else if blankless(expected) == blankless(got) {
            TextMistake::Blanks
        } else if let Some(mistake) = characters(expected, got).or_else(|| joined(expected, got)) {
            mistake
        } else if expected.lines().count() != got.lines().count() {
            TextMistake::Lines { expected: expected.lines().count(), got: got.lines().count() }
        } else {
            TextMistake::Unexpected
        })
    }

    /// The mistake of wrong output.
    pub(in crate::compare) fn of_output(expected: &str, got: &str) -> Mistake {
        if expected.is_empty() {
            return Mistake::Text(TextMistake::Output);
        }
        if got.trim().is_empty() {
            return Mistake::Text(TextMistake::NoOutput);
        }
        match Mistake::of_text(expected, got, "") {
            Mistake::Text(TextMistake::Unexpected | TextMistake::Lines { .. }) if got.contains(expected) => {
                Mistake::Text(TextMistake::MoreOutput)
            }
            mistake => mistake,
        }
    }
}

/// The mistake of a text that begins with a small instead of a capital letter, or the other way round. In a board a
/// letter is a piece.
fn first_letter(expected: &str, got: &str) -> Option<TextMistake> {
    let (first, came) = (expected.chars().next()?, got.chars().next()?);
    let differs = first != came && first.to_lowercase().eq(came.to_lowercase());
    let same_rest = expected[first.len_utf8()..] == got[came.len_utf8()..];
    let is_word = expected.chars().nth(1).is_some_and(char::is_lowercase);
    let is_line = !expected.trim_end().contains('\n');
    (differs && same_rest && is_word && is_line)
        .then(|| TextMistake::FirstLetter { expected: first.to_string() })
}

/// The mistake of a text in which one character stands for another wherever that is expected, or two for each other or in
/// each other's place, and nothing else differs. A single place says nothing of the others.
fn characters(expected: &str, got: &str) -> Option<TextMistake> {
    if expected.chars().count() != got.chars().count() {
        return None;
    }
    let all = || expected.chars().zip(got.chars());
    let pairs = || all().filter(|(expected, got)| expected != got);
    let (one, other) = pairs().next()?;
    if [one, other].contains(&'\n') || pairs().nth(1).is_none() {
        return None;
    }
    if pairs().all(|pair| pair == (one, other)) {
        let is_everywhere = all().all(|(expected, got)| expected != one || got == other);
        return is_everywhere.then_some(TextMistake::Replaced { expected: one, got: other });
    }
    let is_exchanged = |pair: (char, char)| pair == (one, other) || pair == (other, one);
    let is_everywhere = || !all().any(|pair| pair == (one, one) || pair == (other, other));
    let is_one_pair = || pairs().count() == 2;
    (pairs().all(is_exchanged) && (is_everywhere() || is_one_pair()))
        .then_some(TextMistake::Exchanged { one, other })
}

/// The mistake of a text whose lines stand on one line.
fn joined(expected: &str, got: &str) -> Option<TextMistake> {
    let lines: Vec<&str> = expected.trim_end().lines().collect();
    let by = ["", " ", ", ", ",", "\\n"].into_iter().find(|by| lines.join(by) == got.trim_end())?;
    (lines.len() > 1).then(|| TextMistake::Joined { lines: lines.len(), by: by.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{Mistake, TextMistake, ValueMistake};

    #[test]
    fn a_text_that_is_nearly_right_is_named_by_the_difference() {
        for (expected, got, mistake) in [
            ("a b\nc", "a b \nc", TextMistake::TrailingBlanks),
            ("a b", "a b\n", TextMistake::FinalNewlines),
            ("W B", "w b", TextMistake::Capitals),
            ("a b", "ab", TextMistake::Blanks),
            ("a b\nc", "ab\nc", TextMistake::Blanks),
            ("an b", "An b", TextMistake::FirstLetter { expected: "a".to_owned() }),
            ("W w", "w w", TextMistake::Capitals),
            ("a\nb", "ab", TextMistake::Joined { lines: 2, by: String::new() }),
            ("a\nb c\nd", "a b c d", TextMistake::Joined { lines: 3, by: " ".to_owned() }),
            ("a\nb c", "a b\nc", TextMistake::Unexpected),
            ("a\nb", "a", TextMistake::Lines { expected: 2, got: 1 }),
            ("a\nb c", "a b c \n", TextMistake::Joined { lines: 2, by: " ".to_owned() }),
            ("a\nb", "a\nc", TextMistake::Unexpected),
            ("X X\nO ", "X?X\nO?", TextMistake::Replaced { expected: ' ', got: '?' }),
            ("X X\nO O ", "X?X\nO O?", TextMistake::Unexpected),
            ("XO-\nO", "OX-\nX", TextMistake::Exchanged { one: 'X', other: 'O' }),
            ("XO-\nO", "OX-\n-", TextMistake::Unexpected),
            ("XO-\nX", "OX-\nX", TextMistake::Exchanged { one: 'X', other: 'O' }),
            ("XOO\n--X\nXO-", "X-O\n-OX\nX--", TextMistake::Unexpected),
            ("A", "B", TextMistake::Unexpected),
            ("a\nb", "None", TextMistake::OfNone),
        ] {
            let got_mistake = Mistake::of_text(expected, got, "");
            assert_eq!(got_mistake, Mistake::Text(mistake), "{expected:?} {got:?}");
        }
        assert_eq!(Mistake::of_text("a\nb", "None", "a\nb\n"), Mistake::Value(ValueMistake::Printed));
    }
}
