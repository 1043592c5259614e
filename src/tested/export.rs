//! Writes a suite of TESTed from an exercise.
//!
//! The meaning of a case is taken from the [`Case`], and from its file only what a [`Case`] does not keep: the
//! places of keys, for problems, and how a line or a text is written.

use super::exercise_text::in_cpp;
use super::export_values::{argument, constant_of, literal, qualified, stem, yaml_value};
use super::python::{PyExpr, float_text, parse_line};
use super::reading::Reader;
use super::{oracle, yaml_text};
use keur_core::case::reader::{self, Entry};
use keur_core::case::{
    Action, Case, Convention, CustomCheck, Exercise, Expect, FileErrors, InputFile, Matcher, NativeCode,
    Node, PlanStep, Points, ProgramRun, RaisedType, Raises,
};
use keur_core::messages::Lang;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;

/// Names that TESTed takes for functions of the submission.
const BUILTINS: &[&str] = &["len", "str", "repr", "list", "sorted", "isinstance"];

/// A case in YAML, with the tab that it belongs to.
pub(super) struct CaseYaml {
    pub(super) group: String,
    pub(super) hidden: bool,
    /// The lines of the context.
    pub(super) text: String,
}

/// A step of a case, with its table in the file.
struct ExportedStep<'c> {
    written: &'c DeTable<'c>,
    step: &'c PlanStep,
    expect: &'c Expect,
    is_first: bool,
    is_last: bool,
}

/// The keys of a test case, each with what follows the colon.
type TestcaseYaml = Vec<(&'static str, String)>;

/// Writes the cases of an exercise.
pub(super) struct Exporter<'e, 'r> {
    pub(super) exercise: &'e Exercise,
    pub(super) reader: Reader<'r>,
    /// The files of TESTed's exercise, by path.
    pub(super) files: BTreeMap<String, String>,
    pub(super) namespace: String,
    /// The names that the case gives to constants of the submission.
    pub(super) constants: BTreeMap<String, String>,
}

impl Exporter<'_, '_> {
    /// The problems that were found since this was last asked, in the file at `path`.
    pub(super) fn problems(&mut self, path: &str, source: &str) -> Option<FileErrors> {
        let found = std::mem::take(&mut self.reader.problems);
        (!found.is_empty()).then(|| FileErrors::new(path, source, found))
    }

    /// Reports what TESTed lacks.
    pub(super) fn lacking(&mut self, what: &str, span: &Range<usize>) {
        self.reader.problem(format!("TESTed has no {what}"), span);
    }

    /// Reports the keys of `exercise.toml` that a suite cannot say.
    pub(super) fn exercise(&mut self, table: &DeTable<'_>) {
        for (key, entry) in table {
            match key.get_ref().as_ref() {
                "limits" => {
                    self.lacking("limits in a suite; `config.json` of the exercise has them", &key.span())
                }
                "points" => self.lacking("points", &key.span()),
                "view" => self.lacking("views of a value", &key.span()),
                "names" if !self.has_own_names() => {}
                "names" => self.lacking("names that break the convention of a language", &key.span()),
                "packages" => self.lacking("packages in a suite", &key.span()),
                "compile" => self.lacking("ways to compile in a suite", &key.span()),
                "input_files" => {
                    for (path, content) in self.input_files(entry, &self.exercise.input_files) {
                        self.files.insert(format!("workdir/{path}"), content);
                    }
                }
                _ => {}
            }
        }
        self.compare(table);
    }

    /// Whether a name is not spelled as TESTed does.
    fn has_own_names(&self) -> bool {
        let is_attribute =
            |name: &String| self.exercise.classes.values().any(|class| class.attributes.contains(name));
        let mut names = self.exercise.names.iter().flat_map(|(language, names)| {
            names.iter().map(move |(name, own)| (language.as_str(), name, own))
        });
        names.any(|(language, name, own)| language != "cpp" || !is_attribute(name) || in_cpp(name) != *own)
    }

    /// A case, whose file has this table; `None` if nothing of it can be said.
    pub(super) fn case(&mut self, case: &Case, table: &DeTable<'_>) -> Option<CaseYaml> {
        // A case that is worth a point for each step is what TESTed has.
        let expecting = case.expect.iter().filter(|expect| expect.has_any()).count();
        let worth = if case.partial { expecting as u64 } else { 1 };
        for key in table.keys() {
            match key.get_ref().as_ref() {
                "points" if case.points != Points::from_hundredths(100 * worth) => {
                    self.lacking("points", &key.span())
                }
                "tags" | "hint" | "limits" | "needs" | "only_with" | "order" => {
                    let what = format!("`{}` of a case", key.get_ref());
                    self.lacking(&what, &key.span());
                }
                "row" => {
                    self.lacking("rows; write a case for each", &key.span());
                    return None;
                }
                "random" => {
                    self.lacking("random sessions", &key.span());
                    return None;
                }
                _ => {}
            }
        }
        self.compare(table);
        let mut text = format!("      - context: {}\n", yaml_text::string(case.title.get(Lang::En)));
        if let Some(entry) = reader::get(table, "input_files") {
            text.push_str("        input_files:\n");
            let files = case.plan.files.as_deref().unwrap_or_default();
            for (path, content) in self.input_files(entry, files) {
                text.push_str(&format!("          - path: {}\n", yaml_text::string(&path)));
                text.push_str(&format!("            content: {}\n", yaml_text::text(&content, 12)));
            }
        }
        self.constants.clear();
        text.push_str("        testcases:\n");
        let start = text.len();
        let steps = reader::get(table, "step")?.get_ref().as_array()?;
        let steps = steps.iter().filter_map(|step| step.get_ref().as_table());
        let last = case.expect.len().saturating_sub(1);
        for (index, ((written, step), expect)) in steps.zip(&case.plan.steps).zip(&case.expect).enumerate() {
            let is_first = text.len() == start;
            if let Some(hint) = reader::get(written, "hint") {
                self.lacking("`hint` of a step", &hint.span());
            }
            let step = ExportedStep { written, step, expect, is_first, is_last: index == last };
            for testcase in self.step(&step) {
                for (line, (key, value)) in testcase.iter().enumerate() {
                    let lead = if line == 0 { "          - " } else { "            " };
                    text.push_str(&format!("{lead}{key}:{value}\n"));
                }
            }
        }
        let group = case.group.as_ref().map_or("Feedback", |group| group.get(Lang::En)).to_owned();
        (text.len() > start).then_some(CaseYaml { group, hidden: case.hidden, text })
    }

    /// The input files that an `entry` names, with their texts; those that are no text are reported.
    fn input_files(&mut self, entry: &Entry<'_>, files: &[InputFile]) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        for (name, entry) in entry.get_ref().as_table().into_iter().flatten() {
            let Some(file) = files.iter().find(|file| file.name == name.get_ref().as_ref()) else { continue };
            match std::str::from_utf8(&file.bytes) {
                Ok(text) => texts.push((file.name.clone(), text.to_owned())),
                Err(_) => {
                    let path = entry.get_ref().as_table().and_then(|table| reader::text(table, "path"));
                    let path = path.unwrap_or(&file.name);
                    self.reader
                        .problem(format!("`{path}` is not a text file of the exercise"), &entry.span());
                }
            }
        }
        texts
    }

    /// The test cases of a step, each as keys with what follows the colon.
    fn step(&mut self, step: &ExportedStep<'_>) -> Vec<TestcaseYaml> {
        self.compare(step.written);
        let mut all = Vec::new();
        let mut testcase = TestcaseYaml::new();
        match &step.step.action {
            Action::Program(run) => match self.run(run, step) {
                Some(keys) => testcase = keys,
                None => return Vec::new(),
            },
            Action::Match(_) => {
                self.lacking("matches", &step.expect.span);
                return Vec::new();
            }
            Action::Calls(_) => {
                if let Some(stdin) = reader::text(step.written, "stdin") {
                    if !step.is_first {
                        self.lacking("standard input after the first step of a case", &step.expect.span);
                    }
                    let given = ("stdin", format!(" {}", yaml_text::text(stdin, 12)));
                    // In Python it is that of the program, which is the submission that is loaded.
                    if self.exercise.files.keys().all(|language| language == "python") {
                        all.push(vec![given]);
                    } else {
                        testcase.push(given);
                    }
                }
                let (mut before, line) = self.lines(step);
                all.append(&mut before);
                match line {
                    Some(line) => testcase.push(line),
                    None => return all,
                }
            }
        }
        self.expectations(step, &mut testcase);
        all.push(testcase);
        all
    }

    /// A run of the submission's program.
    fn run(&mut self, run: &ProgramRun, step: &ExportedStep<'_>) -> Option<TestcaseYaml> {
        if !step.is_first {
            self.lacking("program after the first step of a case", &step.expect.span);
            return None;
        }
        if run.files.values().all(|file| stem(file) != self.namespace) {
            self.lacking("second file of a submission", &step.expect.span);
            return None;
        }
        let mut testcase = TestcaseYaml::new();
        if let Some(stdin) = reader::text(step.written, "stdin") {
            testcase.push(("stdin", format!(" {}", yaml_text::text(stdin, 12))));
        }
        if step.written.contains_key("args") || testcase.is_empty() {
            let args: Vec<String> = run.args.iter().map(|arg| yaml_text::string(arg)).collect();
            testcase.push(("arguments", format!(" [{}]", args.join(", "))));
        }
        Some(testcase)
    }

    /// The lines before the last as test cases, and the last one.
    fn lines(&mut self, step: &ExportedStep<'_>) -> (Vec<TestcaseYaml>, Option<(&'static str, String)>) {
        let last_kind = if step.expect.value.is_some() { "expression" } else { "statement" };
        if let Some(Node::Native(NativeCode { code, .. })) = step.step.lines().last().map(|line| &line.node) {
            if let Some(constant) = constant_of(code) {
                match reader::texts(step.written, "binds").first() {
                    None => {
                        return (Vec::new(), Some((last_kind, format!(" {}", yaml_text::string(constant)))));
                    }
                    // The lines after it name the constant itself.
                    Some((name, _)) if matches!(&step.step.action, Action::Calls(calls) if !calls.awaited) => {
                        self.constants.insert((*name).to_owned(), constant.to_owned());
                        return (Vec::new(), None);
                    }
                    Some(_) => {}
                }
            }
            let names: Vec<String> = self.exercise.definitions().map(str::to_owned).collect();
            let mut value = String::new();
            for (language, code) in code {
                let code = qualified(code, &names, &self.prefix(language));
                value.push_str(&format!("\n              {language}: {}", yaml_text::text(&code, 14)));
            }
            return (Vec::new(), Some((last_kind, value)));
        }
        let mut before = Vec::new();
        let mut last = None;
        for (text, span) in reader::texts(step.written, "do") {
            before.extend(last.take().flatten().map(|line| vec![("statement", line)]));
            last = Some(self.line(text, &span));
        }
        (before, last.flatten().map(|line| (last_kind, line)))
    }

    /// The names of the submission's code in a language, with a point.
    fn prefix(&self, language: &str) -> String {
        let camel = Convention::Camel.spell(&self.namespace);
        match language {
            "python" => format!("{}.", self.namespace),
            "java" => {
                let mut chars = camel.chars();
                let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
                format!("{}{}.", first.unwrap_or_default(), chars.as_str())
            }
            _ => format!("{camel}."),
        }
    }

    fn line(&mut self, text: &str, span: &Range<usize>) -> Option<String> {
        let own = |name: &str| self.exercise.functions.contains_key(name);
        let mut statement = match parse_line(text, &own) {
            Ok(statement) => statement,
            Err(error) => {
                self.reader.problem(format!("TESTed cannot say this line: {}", error.message), span);
                return None;
            }
        };
        let constants = &self.constants;
        let mut name_constants = |expr: &PyExpr| match expr {
            PyExpr::Name(name) => constants.get(name).map(|constant| PyExpr::Name(constant.clone())),
            _ => None,
        };
        statement.value.change(&mut name_constants);
        if let Some(target @ (PyExpr::Attribute(..) | PyExpr::Index(..))) = &mut statement.target {
            target.change(&mut name_constants);
        }
        let mut problem = None;
        let mut find = |expr: &PyExpr| {
            if let PyExpr::Call(name, _) = expr
                && BUILTINS.contains(&name.as_str())
                && !self.exercise.functions.contains_key(name)
            {
                problem = Some(format!("`{name}` of plain values"));
            }
            if let PyExpr::Method(_, name, _) = expr
                && (name == "str" || name == "toString")
            {
                problem = Some("text of an object".to_owned());
            }
            if let PyExpr::Float(float) = expr
                && !float.is_finite()
            {
                problem = Some(format!("literal `{}`", float_text(*float)));
            }
            if let PyExpr::Name(name) = expr
                && self.exercise.classes.contains_key(name)
            {
                problem = Some("class as a value".to_owned());
            }
        };
        for part in statement.target.iter().chain([&statement.value]) {
            part.walk(&mut find);
        }
        if let Some(problem) = problem {
            self.lacking(&problem, span);
            return None;
        }
        Some(format!(" {}", yaml_text::string(&statement.neutral())))
    }

    fn expectations(&mut self, step: &ExportedStep<'_>, testcase: &mut TestcaseYaml) {
        let (expect, tolerance) = (step.expect, &step.expect.tolerance.text);
        for (key, entry) in step.written {
            let span = key.span();
            match key.get_ref().as_ref() {
                "returns" => testcase.extend(self.returns(step, entry).map(|value| ("return", value))),
                "equals" if entry.get_ref().as_str() == Some("None") => {}
                "equals" => {
                    let value = entry.get_ref().as_str().unwrap_or_default();
                    testcase.push(("return", format!(" !expression {}", yaml_text::string(&literal(value)))));
                }
                "prints" => {
                    let output = self.output(expect.prints.as_ref(), entry, tolerance);
                    testcase.extend(output.map(|value| ("stdout", value)));
                }
                "errors" => {
                    let output = self.output(expect.program.errors.as_ref(), entry, tolerance);
                    testcase.extend(output.map(|value| ("stderr", value)));
                }
                "raises" => testcase.extend(self.raises(step, entry).map(|value| ("exception", value))),
                "exit" if step.is_last => {
                    testcase.extend(expect.program.exit.map(|code| ("exit_code", format!(" {code}"))))
                }
                "exit" => self.lacking("exit code before the last step", &span),
                "writes" => {
                    testcase.extend(self.writes(entry, tolerance).map(|value| ("output_files", value)))
                }
                "shows" => self.lacking("text of an object", &span),
                "same" => self.lacking("identity of objects", &span),
                "turn" => self.lacking("dialogue; write `stdin`", &span),
                "do" | "run" | "args" | "stdin" | "binds" | "compare" => {}
                other => self.lacking(&format!("`{other}`"), &span),
            }
        }
    }

    fn returns(&mut self, step: &ExportedStep<'_>, entry: &Entry<'_>) -> Option<String> {
        match &step.expect.value.as_ref()?.matcher {
            Matcher::Check(check) => self.check(check, "value", &entry.span(), true),
            Matcher::Plain(value) => {
                let value = yaml_value(value);
                if value.is_none() {
                    self.lacking("value like this", &entry.span());
                }
                value.map(|value| format!(" {value}"))
            }
            _ => {
                self.lacking(&format!("matcher `{}`; write a check", first_key(entry)), &entry.span());
                None
            }
        }
    }

    /// A check: one that came from TESTed as it was.
    pub(super) fn check(
        &mut self,
        CustomCheck { file, function, with }: &CustomCheck,
        expected: &str,
        span: &Range<usize>,
        tagged: bool,
    ) -> Option<String> {
        let text = (self.reader.file)(file);
        let is_specific = text.as_ref().is_some_and(|text| oracle::is_specific(text, function));
        let original = text.and_then(|text| oracle::original(&text).map(str::to_owned));
        let (Some(original), Some(function)) = (original, oracle::function_behind(function)) else {
            self.lacking("check with arguments like these; its checks take a context", span);
            return None;
        };
        let name = file.rsplit('/').next().unwrap_or(file).to_owned();
        let indent = " ".repeat(14);
        if is_specific {
            let function =
                format!("{{ file: {}, name: {} }}", yaml_text::string(&name), yaml_text::string(function));
            let mut out = format!(
                " !oracle\n{indent}oracle: specific_check\n{indent}functions: {{ python: {function} }}"
            );
            let arguments: Vec<String> = with.iter().filter_map(argument).collect();
            if !arguments.is_empty() {
                out.push_str(&format!("\n{indent}arguments: {{ python: [{}] }}", arguments.join(", ")));
            }
            self.files.insert(format!("evaluation/{name}"), original);
            return Some(out);
        }
        let (value, with) = with.split_first()?;
        let value = argument(value)?;
        let mut out = format!("{}\n{indent}oracle: custom_check\n", if tagged { " !oracle" } else { "" });
        out.push_str(&format!("{indent}{expected}: {value}\n{indent}file: {}\n", yaml_text::string(&name)));
        out.push_str(&format!("{indent}name: {}", yaml_text::string(function)));
        let arguments: Vec<String> = with.iter().filter_map(argument).collect();
        if !arguments.is_empty() {
            out.push_str(&format!("\n{indent}arguments: [{}]", arguments.join(", ")));
        }
        self.files.insert(format!("evaluation/{name}"), original);
        Some(out)
    }

    fn raises(&mut self, step: &ExportedStep<'_>, entry: &Entry<'_>) -> Option<String> {
        let Raises { kind, message } = step.expect.raises.as_ref()?;
        let message = message.as_ref().map(|message| message.to_lossy());
        let types: Vec<(&str, &str)> = match kind {
            None => Vec::new(),
            Some(RaisedType::Exercise(name)) => vec![(self.exercise.session.language(), name)],
            Some(RaisedType::Step(name)) => {
                self.exercise.languages().map(|language| (language, name.as_str())).collect()
            }
            Some(RaisedType::PerLanguage(names)) => {
                names.iter().map(|(language, name)| (language.as_str(), name.as_str())).collect()
            }
        };
        match (message, types.as_slice()) {
            (None, []) => {
                self.lacking("exception without a message or a type", &entry.span());
                None
            }
            (Some(message), []) => Some(format!(" {}", yaml_text::text(&message, 12))),
            (message, types) => {
                let mut out = String::new();
                if let Some(message) = message {
                    out.push_str(&format!("\n              message: {}", yaml_text::text(&message, 14)));
                }
                out.push_str("\n              types:");
                for (language, name) in types {
                    out.push_str(&format!("\n                {language}: {}", yaml_text::string(name)));
                }
                Some(out)
            }
        }
    }
}

/// The first key of a matcher.
pub(super) fn first_key(entry: &Entry<'_>) -> String {
    let table = entry.get_ref().as_table();
    table.and_then(|table| table.keys().next()).map(|key| key.get_ref().to_string()).unwrap_or_default()
}
