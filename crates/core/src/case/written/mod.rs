//! Cases as a person writes them: the text of steps, keys and values in TOML.

mod slug;
mod step_text;
mod toml_text;

pub use slug::slug;
pub use step_text::StepText;
pub use toml_text::{key, string, strings, text};
