//! Mistakes in what is raised.

use super::{Mistake, Reach, Traits};
use crate::messages::Message;

/// A mistake in what is raised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum RaiseMistake {
    /// Nothing was raised where an exception was expected.
    NotRaised,
    /// The message of the expected exception was printed instead of raised.
    MessagePrinted,
    /// An exception was raised where none was expected.
    Unexpected,
    /// The exception is correct except for its type.
    AnotherType,
    /// The message is correct except for capitalisation, spaces or punctuation.
    NearMessage,
    /// The exception is correct except for its message.
    AnotherMessage,
    /// Neither the type nor the message of the exception is correct.
    AnotherException,
}

#[warn(clippy::wildcard_enum_match_arm)]
impl RaiseMistake {
    pub(super) fn message(&self) -> Message {
        Message::new(match self {
            RaiseMistake::NotRaised => "mistake-not-raised",
            RaiseMistake::MessagePrinted => "mistake-message-printed",
            RaiseMistake::Unexpected => "mistake-unexpected",
            RaiseMistake::AnotherType => "mistake-another-type",
            RaiseMistake::NearMessage => "mistake-near-message",
            RaiseMistake::AnotherMessage => "mistake-another-message",
            RaiseMistake::AnotherException => "mistake-another-exception",
        })
    }

    pub(super) fn traits(&self) -> Traits {
        match self {
            RaiseMistake::NotRaised | RaiseMistake::Unexpected | RaiseMistake::AnotherException => {
                Traits::plain(Reach::Case)
            }
            RaiseMistake::MessagePrinted => Traits::plain(Reach::Function),
            RaiseMistake::AnotherType | RaiseMistake::NearMessage => Traits::advising(Reach::Exception),
            RaiseMistake::AnotherMessage => Traits::plain(Reach::Exception),
        }
    }
}

impl Mistake {
    /// The mistake of a wrong message.
    pub(in crate::compare) fn of_message(expected: &str, got: &str) -> Mistake {
        let core = |text: &str| -> String {
            text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        Mistake::Raise(if core(expected) == core(got) {
            RaiseMistake::NearMessage
        } else {
            RaiseMistake::AnotherMessage
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Mistake, RaiseMistake};

    #[test]
    fn a_message_may_be_nearly_right() {
        for (got, mistake) in
            [("Spel is afgelopen!", RaiseMistake::NearMessage), ("game over", RaiseMistake::AnotherMessage)]
        {
            assert_eq!(Mistake::of_message("spel is afgelopen", got), Mistake::Raise(mistake));
        }
    }
}
