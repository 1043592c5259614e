//! Hides where a working folder is: its path differs from run to run, but the same input gives the same
//! report.

use crate::adapter::transcript::{ActionResult, End, Exception, FoundFile, Observation, Ran, StepOutcome};
use crate::sandbox::FolderEntry;
use crate::value::{Text, Value};
use std::path::Path;

/// The path that a report shows for every working folder.
const SHOWN: &str = "/work";

/// The path of a working folder, which no report shows.
pub(super) struct Mask(String);

impl Mask {
    pub(super) fn new(folder: &Path) -> Mask {
        Mask(folder.display().to_string())
    }

    /// Takes the path out of what was seen of a step.
    pub(super) fn result(&self, result: &mut ActionResult) {
        match result {
            ActionResult::Calls(lines) => lines.iter_mut().for_each(|line| self.observation(line)),
            ActionResult::Match(last) => last.iter_mut().for_each(|line| self.observation(line)),
            ActionResult::Program(Ran { command: _, turns, errors, end }) => {
                turns.iter_mut().for_each(|turn| self.bytes(&mut turn.printed));
                self.bytes(errors);
                if let End::Raised(raised) = end {
                    self.exception(raised);
                }
            }
            ActionResult::NoProgram(_) => {}
        }
    }

    fn observation(&self, observation: &mut Observation) {
        self.bytes(&mut observation.output);
        self.bytes(&mut observation.errors);
        if let Some(shown) = &mut observation.shown {
            *shown = shown.replace(&self.0, SHOWN);
        }
        match &mut observation.outcome {
            StepOutcome::Value { value, text } => {
                value.iter_mut().chain(text).for_each(|value| self.value(value));
            }
            StepOutcome::Raised(raised) => self.exception(raised),
            StepOutcome::Missing(_) | StepOutcome::Halted(_) | StepOutcome::Unbound(_) => {}
        }
    }

    /// Takes the path out of an exception.
    pub(super) fn exception(&self, raised: &mut Exception) {
        raised.message.iter_mut().for_each(|message| self.text(message));
    }

    /// Takes the path out of files.
    pub(super) fn files(&self, files: &mut [FoundFile]) {
        for file in files {
            if let FolderEntry::File(bytes) = &mut file.entry {
                self.bytes(bytes);
            }
        }
    }

    fn text(&self, text: &mut Text) {
        if let Some(plain) = text.as_str().filter(|plain| plain.contains(&self.0)) {
            *text = Text::from(plain.replace(&self.0, SHOWN).as_str());
        }
    }

    fn bytes(&self, bytes: &mut Vec<u8>) {
        let path = self.0.as_bytes();
        let (mut rest, mut shown) = (bytes.as_slice(), Vec::new());
        while let Some(at) = rest.windows(path.len()).position(|part| part == path) {
            shown.extend_from_slice(&rest[..at]);
            shown.extend_from_slice(SHOWN.as_bytes());
            rest = &rest[at + path.len()..];
        }
        if !shown.is_empty() {
            shown.extend_from_slice(rest);
            *bytes = shown;
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Str(text) => self.text(text),
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                items.iter_mut().for_each(|item| self.value(item));
            }
            Value::Dict(pairs) => pairs.iter_mut().for_each(|(key, item)| {
                self.value(key);
                self.value(item);
            }),
            Value::None
            | Value::Undefined
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Number(_)
            | Value::BigInt(_)
            | Value::Opaque(_)
            | Value::Cut(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;
    use std::path::Path;

    #[test]
    fn the_path_is_replaced_wherever_it_stands() {
        let mask = Mask::new(Path::new("/tmp/keur-x/work"));
        for (before, after) in [
            ("/tmp/keur-x/work", "/work"),
            ("a /tmp/keur-x/work/b /tmp/keur-x/work\n", "a /work/b /work\n"),
            ("/tmp/keur-y/work", "/tmp/keur-y/work"),
            ("", ""),
        ] {
            let mut bytes = before.as_bytes().to_vec();
            mask.bytes(&mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), after);
        }
    }
}
