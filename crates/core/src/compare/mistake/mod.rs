//! The mistake behind a failure: the basis of a message to a student.
//!
//! Mistakes come in families, a file each. A family has its mistakes, what they tell the student, and their
//! [`Traits`]; a new mistake is a variant, an arm of `message` and one of `traits` there, a sample in the
//! tests here, and its texts in `report/locales`. The stored form of a mistake is that of its variant alone,
//! under a name that no other family has.

mod declared;
mod judged;
mod load;
mod matches;
mod name;
mod program;
mod raise;
#[cfg(test)]
pub(crate) mod samples;
mod stop;
mod text;
mod value;

pub use declared::DeclaredMistake;
pub use judged::JudgedMistake;
pub use load::LoadMistake;
pub use matches::MatchMistake;
pub use name::NameMistake;
pub use program::{ProgramMistake, WrittenProblem};
pub use raise::RaiseMistake;
pub use stop::StopMistake;
pub use text::{PartProblem, TextMistake};
pub(super) use value::DEFERRED;
pub use value::ValueMistake;

use super::Share;
use crate::messages::Message;
use crate::submission::SubmissionProblem;
use serde::{Deserialize, Serialize};

/// The mistake behind a failure, by its family.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mistake {
    /// In a returned value.
    Value(ValueMistake),
    /// In a text: of an object, or printed.
    Text(TextMistake),
    /// In what is raised.
    Raise(RaiseMistake),
    /// In the name of a class, function, method or attribute.
    Name(NameMistake),
    /// An answer that an oracle or a check of the exercise does not accept.
    Judged(JudgedMistake),
    /// In a run of a program, or in the files that a step leaves.
    Program(ProgramMistake),
    /// In a match of several games.
    Match(MatchMistake),
    /// A limit, or another reason why the submission was stopped.
    Stop(StopMistake),
    /// While the submission was loaded.
    Load(LoadMistake),
    /// In the files of the submission, or in building a program of them.
    Submission(SubmissionProblem),
}

/// The traits of a mistake that a report needs besides its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The findings that share a cause with this one.
    pub reach: Reach,
    /// Whether the message says what to change, so that the hint of a case adds nothing.
    pub advises: bool,
}

/// The reach of a mistake: the findings that share its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Each case has its own mistake.
    Case,
    /// One function gives a wrong result, in whatever way it is wrong.
    Result,
    /// One function does not raise what is expected.
    NotRaised,
    /// One function makes the mistake in every case.
    Function,
    /// One function returns nothing, however that shows.
    ReturnsNothing,
    /// One function returns something else than the object itself, however that shows.
    ReturnsAnother,
    /// The submission raises the same exception instead of the same expected one.
    Exception,
    /// The submission makes the mistake wherever the same name is used.
    Submission,
}

impl Traits {
    /// The traits of a mistake whose message only says what is wrong.
    const fn plain(reach: Reach) -> Traits {
        Traits { reach, advises: false }
    }

    /// The traits of a mistake whose message says what to change.
    const fn advising(reach: Reach) -> Traits {
        Traits { reach, advises: true }
    }
}

impl Mistake {
    /// The message to the student. Some arguments come from the finding: among them `self` and `print`, the words for the
    /// object itself and for printing in the student's language, and `object`, the name of the expected object.
    pub fn message(&self) -> Message {
        match self {
            Mistake::Value(mistake) => mistake.message(),
            Mistake::Text(mistake) => mistake.message(),
            Mistake::Raise(mistake) => mistake.message(),
            Mistake::Name(mistake) => mistake.message(),
            Mistake::Judged(mistake) => mistake.message(),
            Mistake::Program(mistake) => mistake.message(),
            Mistake::Match(mistake) => mistake.message(),
            Mistake::Stop(mistake) => mistake.message(),
            Mistake::Load(mistake) => mistake.message(),
            Mistake::Submission(problem) => problem.message(),
        }
    }

    /// The traits of the mistake.
    pub fn traits(&self) -> Traits {
        match self {
            Mistake::Value(mistake) => mistake.traits(),
            Mistake::Text(mistake) => mistake.traits(),
            Mistake::Raise(mistake) => mistake.traits(),
            Mistake::Name(mistake) => mistake.traits(),
            Mistake::Load(mistake) => mistake.traits(),
            Mistake::Stop(mistake) => mistake.traits(),
            Mistake::Judged(mistake) => mistake.traits(),
            Mistake::Program(_) | Mistake::Match(_) | Mistake::Submission(_) => Traits::plain(Reach::Case),
        }
    }

    /// The share of the points that the mistake leaves.
    pub fn share(&self) -> Share {
        match self {
            Mistake::Judged(JudgedMistake::Check { share, .. }) => *share,
            Mistake::Program(ProgramMistake::Written { problem: WrittenProblem::Text(mistake), .. }) => {
                mistake.share()
            }
            _ => Share::NONE,
        }
    }
}

impl From<SubmissionProblem> for Mistake {
    fn from(problem: SubmissionProblem) -> Mistake {
        Mistake::Submission(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::samples::samples;
    use super::{
        JudgedMistake, LoadMistake, MatchMistake, Mistake, NameMistake, ProgramMistake, RaiseMistake,
        StopMistake, TextMistake, ValueMistake,
    };
    use crate::submission::{BuildProblem, FilesProblem};
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// The names under which mistakes are stored. One that goes or gets another form needs another version in
    /// `grade/stored.rs`.
    const STORED: [&str; 99] = [
        "AnotherException", "AnotherMessage", "AnotherObject", "AnotherType", "ArgumentRefused", "AsksInput",
        "Assertion", "AttributeOfNothing", "AttributeOfValue", "Blanks", "Capitals", "Changed", "Check",
        "Compile", "CompileTime", "CpuLimit", "Declared", "Deferred", "Dialogue", "Ended", "EndedEarly",
        "Exchanged", "ExtraLines", "FewParameters", "Files", "FilesLimit", "FinalNewlines", "FirstLetter",
        "Form", "Games", "GamesLost", "InnerSubclass", "InnerType", "Items", "Joined", "Leak", "Lines",
        "Loading", "LookAlike", "MemoryLimit", "MessagePrinted", "MessageReturned", "MethodOfNothing",
        "MethodOfValue", "MissingLines", "MoreOutput", "NearMessage", "NewerSyntax", "NoAttribute",
        "NoDefinition", "NoFile", "NoMethod", "NoModule", "NoOutput", "NoProgram", "NoString", "NoText",
        "NoneForObject", "NoneReturned", "NotAllowed", "NotAttribute", "NotCallable", "NotPlain",
        "NotRaised", "NotReady", "NotWritten", "Order", "OtherKind", "Output", "OutputLimit", "Panic",
        "Part", "PastInput", "Printed", "ProgramGone", "Prompts", "Property", "Protocol", "Refused",
        "Replaced", "Returned", "SameObject", "StandardError", "Status", "Swapped", "Syntax", "Terminated",
        "Text", "TextOfNone", "TextOfObject", "TooLarge", "TrailingBlanks", "Type", "Undefined",
        "Unexpected", "Value", "WallLimit", "WhileLoading", "Written",
    ];

    /// The name of a stored variant.
    fn name(stored: &Value) -> String {
        let of_map = || stored.as_object().and_then(|map| map.keys().next()).map(String::as_str);
        stored.as_str().or_else(of_map).unwrap().to_owned()
    }

    /// The names of all variants of an enum, which serde lists for a name that none has.
    fn names<T: serde::de::DeserializeOwned>() -> Vec<String> {
        let error = serde_json::from_str::<T>(r#""?""#).err().unwrap().to_string();
        let names: Vec<&str> = error.split('`').skip(1).step_by(2).collect();
        assert_eq!(names[0], "?", "{error}");
        names[1..].iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn every_mistake_has_a_sample_and_a_stored_name_of_its_own() {
        let families = [
            names::<ValueMistake>(),
            names::<TextMistake>(),
            names::<RaiseMistake>(),
            names::<NameMistake>(),
            names::<JudgedMistake>(),
            names::<ProgramMistake>(),
            names::<MatchMistake>(),
            names::<StopMistake>(),
            names::<LoadMistake>(),
            names::<BuildProblem>(),
            vec!["Files".to_owned()],
        ];
        let mut all = families.concat();
        all.sort();
        assert_eq!(all, STORED);
        let stored: Vec<Value> =
            samples().iter().map(|sample| serde_json::to_value(sample).unwrap()).collect();
        assert_eq!(stored.iter().map(name).collect::<BTreeSet<_>>(), BTreeSet::from_iter(all));
        let problems = stored.iter().filter_map(|sample| sample.get("Files")).map(name);
        assert_eq!(problems.collect::<BTreeSet<_>>(), BTreeSet::from_iter(names::<FilesProblem>()));
    }

    #[test]
    fn a_stored_mistake_is_read_as_itself() {
        for mistake in samples() {
            let stored = serde_json::to_string(&mistake).unwrap();
            assert_eq!(serde_json::from_str::<Mistake>(&stored).unwrap(), mistake, "{stored}");
        }
    }
}
