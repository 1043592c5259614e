//! Statements without prompts, with their answers in comments: for languages whose programs are compiled.

use super::{LastLine, ShownAnswer, ShownSession, is_code, place_of, said};
use keur_core::case::{Bind, Line, Raises};
use keur_core::value::Text;

/// Columns up to which an answer is on the line of its call.
const WIDTH: usize = 100;

impl ShownSession<'_> {
    /// The last line of a step, and what is expected of it.
    pub(super) fn stated(&mut self, last: &LastLine<'_>) {
        let LastLine { line, raises, printed, answers } = last;
        let mut said: Vec<String> = Vec::new();
        let mut shown = None;
        for answer in answers {
            match answer {
                ShownAnswer::Value(value) => said.push(self.value_text(line, value)),
                ShownAnswer::Object { name, same: true } => said.push(format!("{name} itself")),
                ShownAnswer::Object { name, same: false } => said.push(format!("not {name} itself")),
                ShownAnswer::Text(text) => shown = Some(*text),
            }
        }
        said.extend(raises.map(|raises| self.fails(raises)));
        let looked = place_of(&line.bind);
        let code = is_code(line, self.dialect.name());
        let prints = shown.is_some() && looked.is_none() && !code;
        let text = match raises {
            Some(_) => self.failing_line(line),
            None => self.line(line, prints),
        };
        let text = self.declared(line, text);
        // No semicolon follows a block of code, but one follows a list in C++, which ends with a brace, too.
        let ends: &[char] = if code { &[';', '}'] } else { &[';'] };
        self.statement(&ended(text, ends), &said.join(", "));
        if let Some(text) = printed {
            self.remarks(&said::block("prints", text));
        }
        let Some(shown) = shown else { return };
        if let Some(node) = looked {
            let text = self.line(&Line::plain(node), true);
            self.statement(&ended(text, &[';']), "");
        }
        if code {
            return self.remarks(&said::block("its text", shown));
        }
        self.remark(shown);
    }

    /// A statement, with what it gives in a comment at its end, or below it if that is long.
    fn statement(&mut self, text: &str, said: &str) {
        self.out.push_str(text);
        if said.is_empty() {
            self.out.push('\n');
        } else if text.contains('\n') || text.len() + said.len() > WIDTH {
            self.out.push('\n');
            self.remark(said);
        } else {
            self.out.push(' ');
            self.remark(said);
        }
    }

    /// A statement that declares the names that it binds first, and only those.
    fn declared(&mut self, line: &Line, text: String) -> String {
        let names: &[String] = match &line.bind {
            Bind::Name(name) => std::slice::from_ref(name),
            Bind::Unpack(names) => names,
            Bind::Nothing | Bind::Place(_) | Bind::Made(_) => return text,
        };
        let again = names.iter().all(|name| self.bound.contains(name));
        self.bound.extend(names.iter().cloned());
        let syntax = self.notation().syntax();
        match syntax.declaration {
            // At a prompt, names need no declaration.
            "" if !again => format!("let {text}"),
            declaration if again && !syntax.redeclares => {
                text.strip_prefix(declaration).map(str::to_owned).unwrap_or(text)
            }
            _ => text,
        }
    }

    /// The output of a statement that raises.
    fn fails(&self, raises: &Raises) -> String {
        let message = raises.message.as_ref().map(Text::to_lossy);
        if self.notation().syntax().returns_errors {
            let message = raises.message.as_ref().map(|message| self.notation().string(message));
            return format!("Err({})", message.as_deref().unwrap_or("_"));
        }
        match (self.kind(raises), message) {
            (Some(kind), Some(message)) => format!("throws {kind}: {message}"),
            (Some(kind), None) => format!("throws {kind}"),
            (None, Some(message)) => format!("throws: {message}"),
            (None, None) => "throws".to_owned(),
        }
    }
}

/// The statement with a semicolon, unless it has one of these ends.
fn ended(text: String, ends: &[char]) -> String {
    if text.ends_with(ends) { text } else { text + ";" }
}
