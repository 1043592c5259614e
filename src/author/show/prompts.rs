//! Sessions with prompts, as an interpreter of Python or JavaScript shows them.

use super::{LastLine, ShownAnswer, ShownSession, is_code, place_of, said};
use keur_core::case::{Bind, Line, Node, PlanStep, Raises};
use keur_core::languages::{Language, javascript, python};
use keur_core::value::{Text, Value};
use std::collections::BTreeSet;

/// The name for an answer that several lines look at, unless the case has this name.
const ANSWER: &str = "answer";

/// An empty line of output, as Python's doctest writes it.
const BLANK: &str = "<BLANKLINE>";

/// Beginnings of lines that are no output.
const NO_OUTPUT: [&str; 5] = [">", "...", "Traceback (", "Error", "Uncaught"];

/// The notation of values at the prompt of a language's interpreter.
pub(super) struct PromptStyle {
    language: &'static Language,
    /// The words before a new name.
    declaration: &'static str,
    /// The words before a new name whose value the prompt must not show.
    silent_declaration: &'static str,
    /// Whether the value stands below an assignment to a place.
    shows_assigned: bool,
    /// Whether nothing stands below an expression without a value.
    hides_none: bool,
    /// Whether the text of an object that does not look like an output can be shown in quotes.
    quotes_text: bool,
    /// The line before an exception.
    traceback: &'static str,
    /// The type of an exception of which none is expected.
    any_exception: &'static str,
}

/// The languages whose sessions have prompts.
static STYLES: [PromptStyle; 2] = [
    PromptStyle {
        language: &python::LANGUAGE,
        declaration: "",
        silent_declaration: "",
        shows_assigned: false,
        hides_none: true,
        quotes_text: true,
        traceback: "Traceback (most recent call last):\n",
        any_exception: "Exception",
    },
    PromptStyle {
        language: &javascript::LANGUAGE,
        declaration: "const ",
        silent_declaration: "var ",
        shows_assigned: true,
        hides_none: false,
        quotes_text: false,
        traceback: "",
        any_exception: "Error",
    },
];

/// The style of the prompt of `language`, if its sessions have one.
pub(super) fn style(language: &Language) -> Option<&'static PromptStyle> {
    STYLES.iter().find(|style| style.language.name == language.name)
}

impl ShownSession<'_> {
    /// The last line of a step, and what is expected of it.
    pub(super) fn prompted(&mut self, style: &PromptStyle, last: &LastLine<'_>) {
        let LastLine { line, raises, printed, answers } = last;
        let echoed = matches!(line.bind, Bind::Place(_)) && style.shows_assigned;
        let printed = printed.filter(|text| is_output(text) && !(echoed && is_value(text)));
        if let Some(text) = last.printed.filter(|_| printed.is_none()) {
            self.comments(&said::block("prints", text));
        }
        if let Some(raises) = raises {
            let text = self.line(line, false);
            self.call(&text);
            printed.iter().for_each(|text| self.output(text));
            return self.raised(style, raises);
        }
        let code = is_code(line, self.dialect.name());
        let mut looked = place_of(&line.bind);
        // What stands below a statement that binds its value is its output, whatever it looks like.
        let unclear = printed.is_some_and(|text| !answers.is_empty() || is_value(text));
        if (answers.len() > 1 || unclear) && looked.is_none() && !code {
            let name = self.fresh();
            let bound = Line::bound(Bind::Name(name.clone()), line.node.clone());
            let text = self.line(&bound, false);
            self.call(&format!("{}{text}", style.declaration));
            looked = Some(Node::Name(name));
        } else if let (None, false, [only]) = (&looked, code, answers.as_slice()) {
            return self.look(style, &line.node, only);
        } else {
            let text = self.line(line, false);
            // Below a declaration stands only output.
            let binds = matches!(line.bind, Bind::Name(_) | Bind::Unpack(_));
            let declared = if printed.is_some() && binds { style.silent_declaration } else { "" };
            self.call(&format!("{declared}{text}"));
        }
        printed.iter().for_each(|text| self.output(text));
        for answer in answers {
            match (&looked, answer) {
                (Some(node), ShownAnswer::Value(Value::List(items)))
                    if matches!(line.bind, Bind::Unpack(_)) =>
                {
                    self.look(style, node, &ShownAnswer::Value(Value::Tuple(items.clone())));
                }
                (Some(node), answer) => self.look(style, node, answer),
                (None, ShownAnswer::Value(value)) => self.output(&self.notation().literal(value)),
                (None, ShownAnswer::Object { name, same }) => {
                    let not = if *same { "" } else { "not " };
                    self.comments(&[format!("{not}the very object {name}")]);
                }
                (None, ShownAnswer::Text(text)) => self.comments(&said::block("its text", text)),
            }
        }
    }

    /// A statement with its prompts.
    pub(super) fn call(&mut self, text: &str) {
        let notation = self.notation();
        for (index, line) in text.lines().enumerate() {
            // Code of a case may be several statements.
            let goes_on = line.is_empty()
                || line.starts_with([' ', '\t', ')', ']', '}'])
                || ["else", "elif ", "except", "finally"].iter().any(|word| line.starts_with(word));
            let prompt =
                if index > 0 && goes_on { notation.syntax().continuation } else { notation.syntax().prompt };
            self.out.push_str(format!("{prompt}{line}").trim_end());
            self.out.push('\n');
        }
    }

    /// Lines of output or of an answer.
    fn output(&mut self, text: &str) {
        for line in text.split('\n') {
            self.out.push_str(if line.is_empty() { BLANK } else { line });
            self.out.push('\n');
        }
    }

    /// A line that looks at what `node` gives, and what that must be.
    fn look(&mut self, style: &PromptStyle, node: &Node, answer: &ShownAnswer<'_>) {
        let notation = self.notation();
        // What prints a value prints its text.
        let node = match (node, answer) {
            (Node::Text(of), ShownAnswer::Text(_)) => of,
            (node, _) => node,
        };
        let plain = Line::plain(node.clone());
        match answer {
            ShownAnswer::Value(Value::None) if style.hides_none => {
                self.compared(node, notation.syntax().none, true);
            }
            ShownAnswer::Value(value) => {
                let text = self.line(&plain, false);
                self.call(&text);
                self.output(&notation.literal(value));
            }
            ShownAnswer::Object { name, same } => self.compared(node, name, *same),
            ShownAnswer::Text(text) if is_output(text) => {
                let line = self.line(&plain, true);
                self.call(&line);
                self.output(text);
            }
            ShownAnswer::Text(text) if style.quotes_text => {
                let line = self.line(&Line::plain(Node::Text(Box::new(node.clone()))), false);
                self.call(&line);
                self.output(&notation.string(&Text::from(*text)));
            }
            ShownAnswer::Text(text) => {
                self.comments(&said::block("its text", text));
                let line = self.line(&plain, false);
                self.call(&line);
            }
        }
    }

    /// A line that asks whether what `node` gives is the very object `other`.
    fn compared(&mut self, node: &Node, other: &str, same: bool) {
        let notation = self.notation();
        let expr = self.line(&Line::plain(node.clone()), false);
        let expr = if matches!(node, Node::Operation(..)) { format!("({expr})") } else { expr };
        self.call(&format!("{expr} {} {other}", notation.syntax().same_object));
        self.output(notation.bool(same));
    }

    fn raised(&mut self, style: &PromptStyle, raises: &Raises) {
        let kind = self.kind(raises).unwrap_or(style.any_exception).to_owned();
        self.out.push_str(style.traceback);
        self.out.push_str(&kind);
        let message = raises.message.as_ref().map(Text::to_lossy).filter(|message| !message.is_empty());
        self.out.extend(message.map(|message| format!(": {message}")));
        self.out.push('\n');
    }

    /// A name that the case does not use.
    fn fresh(&self) -> String {
        let plan = &self.case.plan;
        let mut used: BTreeSet<&str> = plan.definitions().into_iter().collect();
        for line in plan.steps.iter().flat_map(PlanStep::lines) {
            used.extend(line.node.names());
            match &line.bind {
                Bind::Name(name) => drop(used.insert(name)),
                Bind::Unpack(names) | Bind::Made(names) => used.extend(names.iter().map(String::as_str)),
                Bind::Nothing | Bind::Place(_) => {}
            }
        }
        let numbered = (2..).map(|number| format!("{ANSWER}_{number}"));
        let mut names = std::iter::once(ANSWER.to_owned()).chain(numbered);
        names.find(|name| !used.contains(name.as_str())).unwrap_or_default()
    }
}

/// Whether a reader takes each line of a text for output; an empty line is one.
fn is_output(text: &str) -> bool {
    text.split('\n').all(|line| {
        line.trim_end() == line && line != BLANK && !NO_OUTPUT.iter().any(|start| line.starts_with(start))
    })
}

/// Whether an output can be taken for a value.
fn is_value(text: &str) -> bool {
    const WORDS: [&str; 11] =
        ["True", "False", "None", "true", "false", "null", "undefined", "nan", "inf", "NaN", "Infinity"];
    let start = text.trim_start();
    start.starts_with(|ch: char| ch.is_ascii_digit() || "'\"`[({<-+.".contains(ch))
        || WORDS.contains(&start.trim_end())
        || ["new ", "set(", "Set(", "Map(", "frozenset("].iter().any(|word| start.starts_with(word))
}
