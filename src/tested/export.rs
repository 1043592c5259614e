//! Writes a suite of TESTed from an exercise.

use super::export_values::{
    ExportCompare, TomlEntry, argument, contained, expects, literal, local, number, plain, qualified, stem,
    whole, yaml_value,
};
use super::python::{PyExpr, parse_statement};
use super::reading::Reader;
use super::{oracle, yaml_text};
use keur_core::case::{Convention, Exercise};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What TESTed would take for a function of the submission, if it is not one.
const BUILTINS: &[&str] = &["len", "str", "repr", "list", "sorted", "isinstance"];

/// A case in YAML, with the tab that it belongs to.
pub(super) struct CaseYaml {
    pub(super) group: String,
    pub(super) hidden: bool,
    /// The lines of the context.
    pub(super) text: String,
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
}

impl Exporter<'_, '_> {
    /// Reports what TESTed lacks.
    pub(super) fn lacking(&mut self, what: &str, span: &Range<usize>) {
        self.reader.problem(format!("TESTed has no {what}"), span);
    }

    /// Reports the keys of `exercise.toml` that a suite cannot say; the answer is how texts are compared.
    pub(super) fn exercise(&mut self, table: &DeTable<'_>) -> ExportCompare {
        for (key, entry) in table {
            match key.get_ref().as_ref() {
                "limits" => {
                    self.lacking("limits in a suite; `config.json` of the exercise has them", &key.span())
                }
                "points" => self.lacking("points", &key.span()),
                "view" => self.lacking("views of a value", &key.span()),
                "names" => self.lacking("names that break the convention of a language", &key.span()),
                "packages" => self.lacking("packages in a suite", &key.span()),
                "input_files" => {
                    for (path, entry) in entry.get_ref().as_table().into_iter().flatten() {
                        if let Some(content) = self.file_text(entry) {
                            self.files.insert(format!("workdir/{}", path.get_ref()), content);
                        }
                    }
                }
                _ => {}
            }
        }
        self.compare(table, ExportCompare::default())
    }

    /// A case; `None` if nothing of it can be said.
    pub(super) fn case(&mut self, name: &str, table: &DeTable<'_>, outer: ExportCompare) -> Option<CaseYaml> {
        let steps = table.get("step")?.get_ref().as_array()?;
        let steps: Vec<&DeTable<'_>> = steps.iter().filter_map(|step| step.get_ref().as_table()).collect();
        for (key, entry) in table {
            match key.get_ref().as_ref() {
                "points" => {
                    // A case that is worth a point for each step is what TESTed has.
                    let partial =
                        table.get("partial").is_some_and(|partial| partial.get_ref().as_bool() == Some(true));
                    let expecting = steps.iter().filter(|step| expects(step)).count();
                    let worth = if partial { expecting } else { 1 };
                    if number(entry.get_ref()) != Some(worth as f64) {
                        self.lacking("points", &key.span());
                    }
                }
                "tags" | "hint" | "limits" | "needs" | "only_with" | "order" => {
                    let what = format!("`{}` of a case", key.get_ref());
                    self.lacking(&what, &key.span());
                }
                "row" => {
                    self.lacking("rows; write a case for each", &key.span());
                    return None;
                }
                _ => {}
            }
        }
        let compared = self.compare(table, outer);
        let title = local(table.get("title")).unwrap_or_else(|| name.to_owned());
        let mut text = format!("      - context: {}\n", yaml_text::string(&title));
        if let Some(files) = table.get("input_files").and_then(|entry| entry.get_ref().as_table()) {
            text.push_str("        input_files:\n");
            for (path, entry) in files {
                if let Some(content) = self.file_text(entry) {
                    text.push_str(&format!("          - path: {}\n", yaml_text::string(path.get_ref())));
                    text.push_str(&format!("            content: {}\n", yaml_text::text(&content, 12)));
                }
            }
        }
        text.push_str("        testcases:\n");
        let start = text.len();
        let last = steps.len().saturating_sub(1);
        for (index, step) in steps.iter().enumerate() {
            for testcase in self.step(step, compared, index == 0, index == last) {
                for (line, (key, value)) in testcase.iter().enumerate() {
                    let lead = if line == 0 { "          - " } else { "            " };
                    text.push_str(&format!("{lead}{key}:{value}\n"));
                }
            }
        }
        let hidden = table.get("hidden").is_some_and(|hidden| hidden.get_ref().as_bool() == Some(true));
        let group = local(table.get("group")).unwrap_or_else(|| "Feedback".to_owned());
        (text.len() > start).then_some(CaseYaml { group, hidden, text })
    }

    fn file_text(&mut self, entry: &TomlEntry<'_>) -> Option<String> {
        match entry.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Table(table) => {
                let path = table.get("path")?.get_ref().as_str()?;
                let text = (self.reader.file)(path);
                if text.is_none() {
                    self.reader
                        .problem(format!("`{path}` is not a text file of the exercise"), &entry.span());
                }
                text
            }
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => None,
        }
    }

    /// The test cases of a step, each as keys with what follows the colon.
    fn step(
        &mut self,
        step: &DeTable<'_>,
        outer: ExportCompare,
        first: bool,
        last: bool,
    ) -> Vec<TestcaseYaml> {
        let compared = self.compare(step, outer);
        let mut all = Vec::new();
        let mut testcase = TestcaseYaml::new();
        if let Some(run) = step.get("run") {
            if !first {
                self.lacking("program after the first step of a case", &run.span());
                return Vec::new();
            }
            if run.get_ref().as_str().is_none_or(|file| stem(file) != self.namespace) {
                self.lacking("second file of a submission", &run.span());
                return Vec::new();
            }
            if let Some(stdin) = step.get("stdin").and_then(|stdin| stdin.get_ref().as_str()) {
                testcase.push(("stdin", format!(" {}", yaml_text::text(stdin, 12))));
            }
            let args = step.get("args").and_then(|args| args.get_ref().as_array());
            if args.is_some() || testcase.is_empty() {
                let args = args.into_iter().flat_map(|args| args.iter());
                let args: Vec<String> =
                    args.filter_map(|arg| arg.get_ref().as_str()).map(yaml_text::string).collect();
                testcase.push(("arguments", format!(" [{}]", args.join(", "))));
            }
        } else if step.get("play").is_some() {
            let at = step.get("play").map_or(0..0, Spanned::span);
            self.lacking("matches", &at);
            return Vec::new();
        } else if let Some(code) = step.get("do") {
            let (mut before, line) = self.lines(step, code);
            all.append(&mut before);
            match line {
                Some(line) => testcase.push(line),
                None => return all,
            }
        }
        self.expectations(step, compared, last, &mut testcase);
        all.push(testcase);
        all
    }

    /// The lines before the last as test cases, and the last one.
    fn lines(
        &mut self,
        step: &DeTable<'_>,
        code: &TomlEntry<'_>,
    ) -> (Vec<TestcaseYaml>, Option<(&'static str, String)>) {
        let expression = ["returns", "equals"].iter().any(|key| step.get(*key).is_some());
        let last_kind = if expression { "expression" } else { "statement" };
        if let DeValue::Table(codes) = code.get_ref() {
            let names: Vec<String> = self.exercise.definitions().map(str::to_owned).collect();
            let mut value = String::new();
            for (language, code) in codes {
                let prefix = self.prefix(language.get_ref());
                let code = qualified(code.get_ref().as_str().unwrap_or_default(), &names, &prefix);
                value.push_str(&format!(
                    "\n              {}: {}",
                    language.get_ref(),
                    yaml_text::text(&code, 14)
                ));
            }
            return (Vec::new(), Some((last_kind, value)));
        }
        let lines: Vec<&TomlEntry<'_>> = match code.get_ref() {
            DeValue::Array(lines) => lines.iter().collect(),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => vec![code],
        };
        let count = lines.len();
        let mut before = Vec::new();
        for (index, line) in lines.into_iter().enumerate() {
            let Some(text) = line.get_ref().as_str() else { continue };
            let written = self.line(text, &line.span());
            if index + 1 == count {
                return (before, written.map(|written| (last_kind, written)));
            }
            before.extend(written.map(|written| vec![("statement", written)]));
        }
        (before, None)
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
        let mut statement = match parse_statement(text) {
            Ok(statement) => statement,
            Err(error) => {
                self.reader.problem(format!("TESTed cannot say this line: {}", error.message), span);
                return None;
            }
        };
        statement.value = plain(statement.value);
        let mut problem = None;
        statement.value.walk(&mut |expr| {
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
            if let PyExpr::Name(name) = expr
                && self.exercise.classes.contains_key(name)
            {
                problem = Some("class as a value".to_owned());
            }
        });
        if let Some(problem) = problem {
            self.lacking(&problem, span);
            return None;
        }
        Some(format!(" {}", yaml_text::string(&statement.neutral())))
    }

    fn expectations(
        &mut self,
        step: &DeTable<'_>,
        compared: ExportCompare,
        last: bool,
        testcase: &mut TestcaseYaml,
    ) {
        let is_program = step.get("run").is_some();
        for (key, entry) in step {
            let span = key.span();
            match key.get_ref().as_ref() {
                "returns" => testcase.extend(self.returns(entry).map(|value| ("return", value))),
                "equals" if entry.get_ref().as_str() == Some("None") => {}
                "equals" => {
                    let value = entry.get_ref().as_str().unwrap_or_default();
                    testcase.push(("return", format!(" !expression {}", yaml_text::string(&literal(value)))));
                }
                "prints" => testcase.extend(self.output(entry, compared).map(|value| ("stdout", value))),
                "errors" => match contained(entry).filter(|_| is_program) {
                    // What a program raises is the end of what it writes.
                    Some(message) => {
                        testcase.push(("exception", format!(" {}", yaml_text::text(message, 12))))
                    }
                    None => testcase.extend(self.output(entry, compared).map(|value| ("stderr", value))),
                },
                "raises" => testcase.extend(self.raises(entry).map(|value| ("exception", value))),
                "exit" if step.get("errors").and_then(contained).is_some() => {}
                "exit" if last => {
                    testcase.extend(whole(entry.get_ref()).map(|code| ("exit_code", format!(" {code}"))))
                }
                "exit" => self.lacking("exit code before the last step", &span),
                "writes" => {
                    testcase.extend(self.writes(entry, compared).map(|value| ("output_files", value)))
                }
                "shows" => self.lacking("text of an object", &span),
                "same" => self.lacking("identity of objects", &span),
                "turn" => self.lacking("dialogue; write `stdin`", &span),
                "do" | "run" | "args" | "stdin" | "binds" | "compare" => {}
                other => self.lacking(&format!("`{other}`"), &span),
            }
        }
    }

    fn returns(&mut self, entry: &TomlEntry<'_>) -> Option<String> {
        let DeValue::Table(matcher) = entry.get_ref() else {
            let value = yaml_value(entry.get_ref());
            if value.is_none() {
                self.lacking("value like this", &entry.span());
            }
            return value.map(|value| format!(" {value}"));
        };
        if let Some(check) = matcher.get("check").and_then(|check| check.get_ref().as_str()) {
            return self.check(check, matcher, "value", &entry.span(), true);
        }
        let kind = matcher.keys().next().map(|key| key.get_ref().to_string()).unwrap_or_default();
        self.lacking(&format!("matcher `{kind}`; write a check"), &entry.span());
        None
    }

    /// A check: one that came from TESTed as it was.
    pub(super) fn check(
        &mut self,
        check: &str,
        matcher: &DeTable<'_>,
        expected: &str,
        span: &Range<usize>,
        tagged: bool,
    ) -> Option<String> {
        let (path, function) = check.rsplit_once(':').unwrap_or((check, ""));
        let original = (self.reader.file)(path).and_then(|text| oracle::original(&text).map(str::to_owned));
        let (Some(original), Some(function)) = (original, function.strip_prefix(oracle::PREFIX)) else {
            self.lacking("check with arguments like these; its checks take a context", span);
            return None;
        };
        let mut with = matcher
            .get("with")
            .and_then(|with| with.get_ref().as_array())
            .into_iter()
            .flat_map(|with| with.iter());
        let value = with.next().and_then(|value| argument(value.get_ref()))?;
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let indent = " ".repeat(14);
        let mut out = format!("{}\n{indent}oracle: custom_check\n", if tagged { " !oracle" } else { "" });
        out.push_str(&format!("{indent}{expected}: {value}\n{indent}file: {}\n", yaml_text::string(&name)));
        out.push_str(&format!("{indent}name: {}", yaml_text::string(function)));
        let arguments: Vec<String> = with.filter_map(|value| argument(value.get_ref())).collect();
        if !arguments.is_empty() {
            out.push_str(&format!("\n{indent}arguments: [{}]", arguments.join(", ")));
        }
        self.files.insert(format!("evaluation/{name}"), original);
        Some(out)
    }

    fn raises(&mut self, entry: &TomlEntry<'_>) -> Option<String> {
        let (message, mut types) = match entry.get_ref() {
            DeValue::String(message) => (Some(message.to_string()), Vec::new()),
            DeValue::Table(table) => {
                let message = table.get("message").and_then(|message| message.get_ref().as_str());
                let types = match table.get("type").map(Spanned::get_ref) {
                    Some(DeValue::String(name)) => {
                        let languages = self.exercise.files.keys();
                        languages.map(|language| (language.clone(), name.to_string())).collect()
                    }
                    Some(DeValue::Table(types)) => types
                        .iter()
                        .filter_map(|(language, name)| {
                            Some((language.get_ref().to_string(), name.get_ref().as_str()?.to_owned()))
                        })
                        .collect(),
                    Some(_) | None => Vec::new(),
                };
                (message.map(str::to_owned), types)
            }
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => (None, Vec::new()),
        };
        if let (Some(raises), true, true) = (&self.exercise.raises, types.is_empty(), message.is_some()) {
            types.push((self.exercise.session.language().to_owned(), raises.clone()));
        }
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
