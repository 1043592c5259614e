//! Writes a case as a session, with what each step is expected to answer.
//!
//! A session in Python and in JavaScript has prompts, so that `keur import` reads it back; in other languages
//! a case is statements, with the answers in comments. [`said`] has the words for what a session cannot say.

mod prompts;
mod said;
mod statements;

use keur_core::adapter::Dialect;
use keur_core::case::{
    Action, Bind, Calls, Case, Exercise, Expect, Items, Line, Matcher, Naming, Node, PlanStep, Raises,
    TextMatcher, View, tame,
};
use keur_core::judge::SessionWriter;
use keur_core::languages::Language;
use keur_core::value::Value;
use keur_core::value::notation::Notation;
use prompts::PromptStyle;
use std::collections::BTreeSet;

/// The cases as sessions in `language`, one after the other, each below its title.
pub fn show(exercise: &Exercise, cases: &[Case], language: &'static Language) -> String {
    let dialect = Dialect::of(language);
    let naming = dialect.naming(exercise);
    let sessions = cases.iter().map(|case| {
        let session = ShownSession {
            exercise,
            case,
            naming: &naming,
            dialect: &dialect,
            prompt: prompts::style(language),
            out: String::new(),
            bound: BTreeSet::new(),
            tolerated: Vec::new(),
        };
        session.write(language)
    });
    sessions.collect::<Vec<_>>().join("\n")
}

/// Whether sessions in `language` have prompts.
#[cfg(test)]
pub(super) fn has_prompt(language: &Language) -> bool {
    prompts::style(language).is_some()
}

/// A session that is being written.
struct ShownSession<'a> {
    exercise: &'a Exercise,
    case: &'a Case,
    naming: &'a Naming<'a>,
    dialect: &'a Dialect,
    /// The style of the prompt, if the language has one; without one a case is statements.
    prompt: Option<&'static PromptStyle>,
    out: String,
    /// The names that statements have declared.
    bound: BTreeSet<String>,
    /// The last comment about tolerance.
    tolerated: Vec<String>,
}

/// The last line of a step, with what is expected of it.
struct LastLine<'a> {
    line: &'a Line,
    raises: Option<&'a Raises>,
    /// The printed lines, if any.
    printed: Option<&'a str>,
    answers: Vec<ShownAnswer<'a>>,
}

/// The expectation of an answer.
enum ShownAnswer<'a> {
    Value(Value),
    /// The object of this name, or another one.
    Object {
        name: &'a str,
        same: bool,
    },
    /// The text of the value.
    Text(&'a str),
}

impl<'a> ShownSession<'a> {
    fn notation(&self) -> &'static dyn Notation {
        self.dialect.notation()
    }

    fn write(mut self, language: &Language) -> String {
        let case = self.case;
        let hidden = if case.hidden { " (hidden)" } else { "" };
        self.remark(&format!("{}{hidden}", case.title.get(self.exercise.lang)));
        if let Some(files) = &case.only_with {
            let file = files.get(language.name).or_else(|| files.values().next());
            self.remark(&format!("only for submissions with {}", file.map_or("", String::as_str)));
        }
        if !case.is_for(language.name) {
            self.remark(&format!("not for {}: the case has code of other languages only", language.title));
        }
        for file in case.plan.files.iter().flatten() {
            match std::str::from_utf8(&file.bytes) {
                Ok(text) => self.remarks(&said::block(&format!("with the file {}", file.name), text)),
                Err(_) => self.remark(&format!("with the file {}, of {} bytes", file.name, file.bytes.len())),
            }
        }
        if let Some(random) = &case.random {
            let count = random.seeds.len();
            let word = if count == 1 { "session" } else { "sessions" };
            self.remark(&format!("{count} random {word}, which the reference answers"));
        }
        for (step, expect) in case.plan.steps.iter().zip(&case.expect) {
            self.step(step, expect);
        }
        self.out
    }

    /// A comment that is no line of the session.
    fn remark(&mut self, text: &str) {
        for line in text.split('\n') {
            self.out.push_str(format!("{} {}", self.notation().syntax().comment, tame(line)).trim_end());
            self.out.push('\n');
        }
    }

    fn remarks(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.remark(line));
    }

    /// Comments before a line of the session.
    fn comments(&mut self, lines: &[String]) {
        for line in lines.iter().flat_map(|text| text.split('\n')) {
            if self.prompt.is_some() && self.case.plan.needs_load() {
                self.out.push_str(self.notation().syntax().prompt);
            }
            self.remark(line);
        }
    }

    fn step(&mut self, step: &PlanStep, expect: &Expect) {
        match &step.action {
            Action::Program(run) => {
                self.tolerance(expect, false, true);
                let lines = said::run(run, expect, self.dialect.name(), self.notation());
                self.comments(&lines);
            }
            Action::Match(game) => {
                let [start, player] = [&game.start, &game.player].map(|line| self.line(line, false));
                self.comments(&said::game(game, expect, &start, &player));
            }
            Action::Calls(calls) => self.calls(calls, expect),
        }
    }

    fn calls(&mut self, calls: &Calls, expect: &Expect) {
        let Some((line, earlier)) = calls.lines.split_last() else { return };
        for line in earlier {
            if self.prompt.is_some() {
                let text = self.line(line, false);
                self.call(&text);
            } else {
                self.stated(&LastLine { line, raises: None, printed: None, answers: Vec::new() });
            }
        }
        let text = expect.shows.is_some() || expect.prints.is_some() || !expect.writes.is_empty();
        let numbers = expect.value.as_ref().is_some_and(|returns| said::has_numbers(&returns.matcher));
        self.tolerance(expect, numbers, text);
        let said = self.unsaid(calls, line, expect);
        self.comments(&said);
        let matcher = expect.value.as_ref().map(|returns| &returns.matcher);
        let mut answers: Vec<ShownAnswer<'_>> = matcher.and_then(answer).into_iter().collect();
        answers.extend(expect.same.as_deref().map(|name| ShownAnswer::Object { name, same: true }));
        if let Some(TextMatcher::Plain(text)) = &expect.shows {
            answers.push(ShownAnswer::Text(text));
        }
        let printed = match &expect.prints {
            Some(TextMatcher::Plain(text)) if !text.is_empty() => Some(text.as_str()),
            Some(_) | None => None,
        };
        let last = LastLine { line, raises: expect.raises.as_ref(), printed, answers };
        match self.prompt {
            Some(style) => self.prompted(style, &last),
            None => self.stated(&last),
        }
    }

    /// The expectations of a step's last line that a session cannot show.
    fn unsaid(&self, calls: &Calls, line: &Line, expect: &Expect) -> Vec<String> {
        let notation = self.notation();
        let mut said: Vec<String> = Vec::new();
        if let Some(stdin) = calls.lines.first().and_then(|line| line.stdin.as_ref())
            && !stdin.text.is_empty()
        {
            said.extend(said::block("standard input", &stdin.text));
        }
        if let Some(returns) = &expect.value {
            said.extend(said::condition(&returns.matcher, notation));
        }
        if let Some(shows) = &expect.shows {
            said.extend(said::text_condition("its text", shows, notation));
        }
        match &expect.prints {
            Some(TextMatcher::Plain(text)) if text.is_empty() => said.push("prints nothing".to_owned()),
            Some(prints) => said.extend(said::text_condition("its output", prints, notation)),
            None => {}
        }
        said.extend(said::file_sentences(expect, notation));
        if let Some(view) = &calls.want.view {
            said.extend(self.view(view, &line.node));
        }
        if let Some(raises) = expect.raises.as_ref().filter(|raises| raises.message.is_none()) {
            said.extend(self.kind(raises).is_none().then(|| "any exception".to_owned()));
        }
        said
    }

    /// How an answer of a submission's own type is looked at.
    fn view(&self, view: &View, node: &Node) -> Vec<String> {
        let mut said = Vec::new();
        if !view.parts.is_empty() {
            let parts = view.parts.iter().map(|part| self.line(&Line::plain(part.node.clone()), false));
            let parts: Vec<String> = parts.map(|part| part.trim_end_matches(';').to_owned()).collect();
            let what = if view.each { "each item" } else { "the answer" };
            said.push(format!("{what} is shown as {}", self.notation().list(&parts)));
        }
        if let (true, Node::Function { name, .. }) = (view.any_order, node) {
            said.push(format!("{} gives its items in any order", self.naming.spell(name)));
        }
        said
    }

    fn tolerance(&mut self, expect: &Expect, value: bool, text: bool) {
        let said = said::tolerance(&expect.tolerance, value, text);
        if !(value || text) || said == self.tolerated {
            return;
        }
        let exact = vec!["from here on, values and texts are exact".to_owned()];
        self.comments(if said.is_empty() { &exact } else { &said });
        self.tolerated = said;
    }

    fn line(&self, line: &Line, prints: bool) -> String {
        self.writer().line(line, prints)
    }

    /// A line of which an error is expected.
    fn failing_line(&self, line: &Line) -> String {
        self.writer().failing_line(line)
    }

    /// A value that the call of a line gives.
    fn value_text(&self, line: &Line, value: &Value) -> String {
        self.writer().value_text(line, self.notation().literal(value))
    }

    fn writer(&self) -> SessionWriter<'_> {
        let made = self.case.plan.steps.iter().flat_map(PlanStep::lines);
        SessionWriter::new(self.naming, self.dialect).with_objects(made)
    }

    /// The type of an expected exception in this language.
    fn kind<'r>(&self, raises: &'r Raises) -> Option<&'r str> {
        raises.kind.as_ref().and_then(|kind| kind.name_in(self.dialect.name(), self.dialect.exceptions()))
    }
}

/// The answer that a matcher asks for, if one value says it.
fn answer(matcher: &Matcher) -> Option<ShownAnswer<'_>> {
    match matcher {
        Matcher::Plain(value) | Matcher::Exact(value) => Some(ShownAnswer::Value(value.clone())),
        Matcher::AnyOrder(values) => Some(ShownAnswer::Value(Value::List(values.clone()))),
        Matcher::NotSame(name) => Some(ShownAnswer::Object { name, same: false }),
        _ => None,
    }
}

/// The expression that looks again at the value that a line has put somewhere.
fn place_of(bind: &Bind) -> Option<Node> {
    match bind {
        Bind::Name(name) => Some(Node::Name(name.clone())),
        Bind::Unpack(names) => {
            Some(Node::Items(Items::Tuple, names.iter().cloned().map(Node::Name).collect()))
        }
        Bind::Place(place) => Some((**place).clone()),
        Bind::Nothing | Bind::Made(_) => None,
    }
}

/// Whether a line is code of a programming language that is more than one expression.
fn is_code(line: &Line, language: &str) -> bool {
    let Node::Native(native) = &line.node else { return false };
    let code = native.code(language).unwrap_or_default().trim_end();
    !matches!(&line.bind, Bind::Made(names) if names.is_empty()) || code.contains(['\n', ';'])
}
