//! The files that the calls of random sessions read and write.

use super::examples::{Callee, Examples, text_of};
use crate::case::{Arg, Case, InputFile, Node, TextMatcher};
use crate::languages::python;
use crate::value::Value;
use crate::value::notation::Notation;

/// The longest name of a file that a session writes, in bytes.
const LONGEST_NAME: usize = 100;

/// The input files of the cases, each under a name of its own.
#[derive(Debug, Default)]
pub(super) struct SessionFiles(Vec<SessionFile>);

#[derive(Debug)]
struct SessionFile {
    file: InputFile,
    /// The name as lines write it, if calls pass it; other files are always there.
    literal: Option<String>,
}

/// A file that a call writes, as a case expects it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenFile {
    name: WrittenName,
    /// Whether the case fixes the whole text.
    pub(super) is_fixed: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum WrittenName {
    /// The argument at this position.
    Argument(usize),
    /// Always this one.
    Always(String),
}

impl SessionFiles {
    /// The files of these cases. Where another case has another file of the same name, and calls pass that name, the file
    /// gets a new one, which the `examples` pass too.
    pub(super) fn of<'c>(cases: impl Iterator<Item = &'c Case>, examples: &mut Examples) -> SessionFiles {
        let mut files = SessionFiles::default();
        // The file of a case is written out in TOML, which has no bytes.
        let is_text = |file: &&InputFile| std::str::from_utf8(&file.bytes).is_ok();
        for file in cases.flat_map(|case| case.plan.files.iter().flatten()).filter(is_text) {
            let same = |known: &SessionFile| known.file.bytes == file.bytes;
            if files.0.iter().any(|known| known.file.name == file.name && same(known)) {
                continue;
            }
            let is_passed = examples.passes(&file.name);
            let name = match files.has(&file.name) {
                false => file.name.clone(),
                true if is_passed => {
                    let name = files.another(&file.name);
                    examples.pass_too(&file.name, &name);
                    name
                }
                true => continue,
            };
            let literal = is_passed.then(|| python::Python.literal(&Value::from(name.as_str())));
            files.0.push(SessionFile { file: InputFile { name, bytes: file.bytes.clone() }, literal });
        }
        files
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.file.name == name)
    }

    /// A new name like this one: `data_2.txt`.
    fn another(&self, name: &str) -> String {
        let (stem, end) = match name.rsplit_once('.') {
            Some((stem, end)) if !end.contains('/') => (stem, format!(".{end}")),
            Some(_) | None => (name, String::new()),
        };
        let names = (2..).map(|number| format!("{stem}_{number}{end}"));
        names.filter(|name| !self.has(name)).take(1).collect()
    }

    /// The files that these lines may use; `None` if they need no folder, which costs time. They need one if they
    /// write files.
    pub(super) fn used<'t>(
        &self,
        lines: impl Iterator<Item = &'t str> + Clone,
        writes: bool,
    ) -> Option<Vec<InputFile>> {
        let is_used = |own: &&SessionFile| {
            own.literal.as_ref().is_none_or(|literal| lines.clone().any(|line| line.contains(literal)))
        };
        let used: Vec<InputFile> = self.0.iter().filter(is_used).map(|own| own.file.clone()).collect();
        (writes || !used.is_empty()).then_some(used)
    }
}

impl WrittenFile {
    /// A file of this name, of which a case expects `matcher` after the call `node`.
    pub(super) fn of(node: &Node, name: &str, matcher: &TextMatcher) -> WrittenFile {
        let is_name = |arg: &&Arg| matches!(&arg.node, Node::Literal(value) if text_of(value) == Some(name));
        let argument = node.args().iter().find(is_name).map(|arg| arg.position);
        WrittenFile {
            name: argument.map_or_else(|| WrittenName::Always(name.to_owned()), WrittenName::Argument),
            is_fixed: matches!(matcher, TextMatcher::Plain(_)),
        }
    }

    /// Whether another file has the same name.
    pub(super) fn has_the_name_of(&self, other: &WrittenFile) -> bool {
        self.name == other.name
    }

    /// The name of the file that a call writes; `None` if no case can name it.
    pub(super) fn name(&self, node: &Node) -> Option<String> {
        let position = match &self.name {
            WrittenName::Always(name) => return Some(name.clone()),
            WrittenName::Argument(position) => *position,
        };
        let arg = node.args().iter().find(|arg| arg.position == position)?;
        let Node::Literal(value) = &arg.node else { return None };
        let name = text_of(value)?;
        let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "._-".contains(ch);
        let fits = name.len() <= LONGEST_NAME && name.chars().all(is_plain) && !name.starts_with('.');
        (fits && !name.is_empty()).then(|| name.to_owned())
    }
}

impl Examples {
    /// The files that a call writes.
    pub(super) fn written_by(&self, callee: &Callee) -> &[WrittenFile] {
        self.writes.get(callee).map(Vec::as_slice).unwrap_or_default()
    }
}
