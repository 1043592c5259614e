//! Cases as a person writes them: the text of steps, keys and values in TOML.

mod slug;
mod step_text;
mod toml_text;

pub(crate) use slug::slug;
pub(crate) use step_text::StepText;
pub(crate) use toml_text::{key, string, strings, text};
