//! Mistakes in the name of a class, function, method or attribute.

use super::{Reach, Traits};
use crate::compare::Verdict;
use crate::languages::cpp::names::PRINT;
use crate::messages::Message;

/// A mistake in the name of a class, function, method or attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum NameMistake {
    /// A class or function is missing.
    NoDefinition {
        /// The missing name.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// A method is missing.
    NoMethod {
        /// The class.
        class: String,
        /// The method.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// A method is called on the result of an earlier call, which returned nothing.
    MethodOfNothing {
        /// The type of nothing.
        class: String,
        /// The method.
        name: String,
    },
    /// A method is called on the result of an earlier call, which is a plain value and no object of a class.
    MethodOfValue {
        /// The type of the value.
        class: String,
        /// The method.
        name: String,
    },
    /// A property stands where a method should be.
    Property {
        /// The class.
        class: String,
        /// The property.
        name: String,
    },
    /// An attribute is missing.
    NoAttribute {
        /// The class.
        class: String,
        /// The attribute.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// An attribute is asked of the result of an earlier call, which returned nothing.
    AttributeOfNothing {
        /// The type of nothing.
        class: String,
        /// The attribute.
        name: String,
    },
    /// An attribute is asked of a plain value, which is no object of a class.
    AttributeOfValue {
        /// The type of the value.
        class: String,
        /// The attribute.
        name: String,
    },
    /// A method stands where an attribute should be.
    NotAttribute {
        /// The class.
        class: String,
        /// The method.
        name: String,
    },
}

#[warn(clippy::wildcard_enum_match_arm)]
impl NameMistake {
    /// The verdict on a step with this mistake.
    pub(in crate::compare) fn verdict(&self) -> Verdict {
        if matches!(self, NameMistake::NoDefinition { .. }) { Verdict::LoadError } else { Verdict::Raised }
    }

    pub(super) fn message(&self) -> Message {
        let of_class =
            |id, class: &String, name: &String| Message::new(id).with("class", class).with("name", name);
        match self {
            NameMistake::NoDefinition { name, near: None } => {
                Message::new("mistake-no-definition").with("name", name)
            }
            NameMistake::NoDefinition { name, near: Some(near) } => {
                Message::new("mistake-no-definition-near").with("name", name).with("near", near)
            }
            NameMistake::NoMethod { class, name, .. } if name == PRINT => {
                Message::new("mistake-no-print").with("class", class)
            }
            NameMistake::NoMethod { class, name, near: None } => of_class("mistake-no-method", class, name),
            NameMistake::NoMethod { class, name, near: Some(near) } => {
                of_class("mistake-no-method-near", class, name).with("near", near)
            }
            NameMistake::MethodOfNothing { class, name } => {
                of_class("mistake-method-of-nothing", class, name)
            }
            NameMistake::MethodOfValue { class, name } => of_class("mistake-method-of-value", class, name),
            NameMistake::Property { class, name } => of_class("mistake-property", class, name),
            NameMistake::NoAttribute { class, name, near: None } => {
                of_class("mistake-no-attribute", class, name)
            }
            NameMistake::NoAttribute { class, name, near: Some(near) } => {
                of_class("mistake-no-attribute-near", class, name).with("near", near)
            }
            NameMistake::AttributeOfNothing { class, name } => {
                of_class("mistake-attribute-of-nothing", class, name)
            }
            NameMistake::AttributeOfValue { class, name } => {
                of_class("mistake-attribute-of-value", class, name)
            }
            NameMistake::NotAttribute { class, name } => of_class("mistake-not-attribute", class, name),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        match self {
            NameMistake::NoDefinition { .. } => Traits::plain(Reach::Submission),
            NameMistake::NoMethod { .. }
            | NameMistake::Property { .. }
            | NameMistake::NoAttribute { .. }
            | NameMistake::NotAttribute { .. } => Traits::advising(Reach::Submission),
            NameMistake::MethodOfValue { .. } | NameMistake::AttributeOfValue { .. } => {
                Traits::advising(Reach::ReturnsAnother)
            }
            NameMistake::MethodOfNothing { .. } | NameMistake::AttributeOfNothing { .. } => {
                Traits::plain(Reach::ReturnsNothing)
            }
        }
    }
}
