//! Reads TESTed's YAML.

use super::dsl_returns::{oracle, returns};
use super::python;
use super::reading::{InheritedOptions, LANGUAGES, Reader, WITH_CODE, is_inside, lacking};
use super::suite::{
    Context, Exception, ExitCode, Input, Output, StandardInput, SuiteFile, SuiteOracle, SuiteTab, Testcase,
    TestedSuite, TextOutput, WrittenFile,
};
use super::yaml::YamlNode;
use std::ops::Range;

const ROOT: &[&str] =
    &["tabs", "units", "namespace", "config", "definitions", "files", "input_files", "language"];
const TAB: &[&str] = &[
    "tab", "unit", "contexts", "cases", "testcases", "scripts", "hidden", "config", "definitions", "files",
    "input_files",
];
const CONTEXT: &[&str] =
    &["context", "testcases", "script", "config", "definitions", "files", "input_files", "description"];
const TESTCASE: &[&str] = &[
    "description", "stdin", "arguments", "statement", "expression", "return", "return_raw", "return-raw",
    "stdout", "stderr", "exception", "exit_code", "file", "output_files", "files", "input_files", "config",
    "definitions",
];

/// The settings that a level hands down to those inside it.
#[derive(Clone, Default)]
struct Inherited {
    stdout: InheritedOptions,
    stderr: InheritedOptions,
    file: InheritedOptions,
    files: Vec<SuiteFile>,
    /// The language of all lines, if it is not TESTed's own.
    language: Option<String>,
    namespace: String,
}

/// Reads the suite of a document.
pub(super) fn read(reader: &mut Reader<'_>, root: &YamlNode) -> TestedSuite {
    let mut suite = TestedSuite::default();
    let mut inherited = Inherited { namespace: "submission".to_owned(), ..Inherited::default() };
    let tabs = if root.as_list().is_some() {
        Some(root)
    } else {
        reader.unknown(root, ROOT);
        suite.namespace = root.get("namespace").and_then(|node| reader.text(node));
        inherited.namespace = suite.namespace.clone().unwrap_or(inherited.namespace);
        if let Some(node) = root.get("language")
            && let Some(language) = reader.text(node).filter(|language| language != "tested")
        {
            if WITH_CODE.contains(&language.as_str()) {
                inherited.language = Some(language);
            } else {
                reader.problem(lacking(&language), &node.span);
            }
        }
        inherited = deepen(reader, &inherited, root);
        root.get("tabs").or_else(|| root.get("units"))
    };
    match tabs {
        Some(tabs) => {
            for tab in reader.list(tabs) {
                suite.tabs.push(self::tab(reader, tab, &inherited));
            }
        }
        None => reader.problem("a suite has `tabs` or `units`", &(root.span.start..root.span.start)),
    }
    suite
}

/// The settings handed down inside `node`.
fn deepen(reader: &mut Reader<'_>, outer: &Inherited, node: &YamlNode) -> Inherited {
    let mut inner = outer.clone();
    if let Some(config) = node.get("config") {
        reader.unknown(config, &["stdout", "stderr", "file", "output_files"]);
        inner.stdout = reader.options(outer.stdout, config.get("stdout"));
        inner.stderr = reader.options(outer.stderr, config.get("stderr"));
        inner.file = reader.options(outer.file, config.get("file").or_else(|| config.get("output_files")));
    }
    for file in node.get("files").map(|files| reader.list(files)).unwrap_or_default() {
        let url = file.get("url").and_then(YamlNode::as_text).unwrap_or_default();
        let sources = |path: &str| {
            vec![format!("workdir/{path}"), format!("description/{url}"), format!("evaluation/{url}")]
        };
        inner.add(reader, file, "name", sources);
    }
    for file in node.get("input_files").map(|files| reader.list(files)).unwrap_or_default() {
        inner.add(reader, file, "path", |path| vec![format!("workdir/{path}"), format!("evaluation/{path}")]);
    }
    inner
}

impl Inherited {
    fn add(
        &mut self,
        reader: &mut Reader<'_>,
        file: &YamlNode,
        key: &str,
        sources: impl Fn(&str) -> Vec<String>,
    ) {
        let Some(node) = file.get(key) else {
            return reader.problem(format!("a file has a `{key}`"), &file.span);
        };
        let Some(path) = reader.text(node) else { return };
        if !is_inside(&path) {
            return reader.problem(format!("`{path}` is not in the working folder"), &node.span);
        }
        let content = file.get("content");
        let content = match content.map(|content| (content, content.tag.as_deref())) {
            Some((content, Some("!path"))) => {
                let Some(beside) = reader.text(content) else { return };
                let Some(text) = reader.evaluation_file(&beside, &content.span) else { return };
                Some(text)
            }
            Some((content, _)) => reader.text(content),
            None => None,
        };
        let sources = sources(&path);
        let file = SuiteFile { path, content, sources, span: node.span.clone() };
        self.files.retain(|known| known.path != file.path);
        self.files.push(file);
    }
}

fn tab(reader: &mut Reader<'_>, node: &YamlNode, inherited: &Inherited) -> SuiteTab {
    reader.unknown(node, TAB);
    let inherited = deepen(reader, inherited, node);
    let name = node.get("tab").or_else(|| node.get("unit"));
    let name = match name {
        Some(name) => reader.text(name).unwrap_or_default(),
        None => {
            reader.problem("a tab has a name: `tab` or `unit`", &node.span);
            String::new()
        }
    };
    let hidden = reader.truth(node.get("hidden"));
    let mut contexts = Vec::new();
    if let Some(list) = node.get("contexts").or_else(|| node.get("cases")) {
        for context in reader.list(list) {
            contexts.push(self::context(reader, context, &inherited));
        }
    } else if let Some(list) = node.get("testcases").or_else(|| node.get("scripts")) {
        for testcase in reader.list(list) {
            let mut files = Vec::new();
            let read = self::testcase(reader, testcase, &inherited, &mut files);
            contexts.push(Context { title: None, testcases: read.into_iter().collect(), files });
        }
    } else {
        reader.problem("a tab has `contexts` or `testcases`", &node.span);
    }
    SuiteTab { name, hidden, contexts }
}

fn context(reader: &mut Reader<'_>, node: &YamlNode, inherited: &Inherited) -> Context {
    reader.unknown(node, CONTEXT);
    let inherited = deepen(reader, inherited, node);
    let title = node.get("context").or_else(|| node.get("description"));
    let title = title.and_then(|title| reader.text(title));
    let mut files = inherited.files.clone();
    let mut testcases = Vec::new();
    match node.get("testcases").or_else(|| node.get("script")) {
        Some(list) => {
            for testcase in reader.list(list) {
                testcases.extend(self::testcase(reader, testcase, &inherited, &mut files));
            }
        }
        None => reader.problem("a context has `testcases` or a `script`", &node.span),
    }
    Context { title, testcases, files }
}

fn testcase(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    inherited: &Inherited,
    files: &mut Vec<SuiteFile>,
) -> Option<Testcase> {
    reader.unknown(node, TESTCASE);
    let inherited = deepen(reader, inherited, node);
    for file in &inherited.files {
        if !files.contains(file) {
            files.push(file.clone());
        }
    }
    let expected = ["return", "return_raw", "return-raw"].iter().find_map(|key| node.get(key));
    let code = node.get("expression").or_else(|| node.get("statement"));
    // A statement with a value is an expression, as it once was.
    let is_expression = node.get("expression").is_some() || expected.is_some();
    let input = input(reader, node, code, &inherited)?;
    let stdin = node.get("stdin").and_then(|node| standard_input(reader, node, files));
    let exception = node.get("exception").and_then(|node| exception(reader, node));
    let is_main = matches!(input, Input::Main { .. });
    let result = match expected {
        Some(expected) if is_main => {
            reader.problem("a program returns no value", &expected.span);
            Output::Ignored
        }
        Some(expected) => returns(reader, expected, node.get("return").is_none()),
        None if is_main || !is_expression || exception.is_some() => Output::Ignored,
        None => Output::Nothing,
    };
    let stdout = text_output(reader, node.get("stdout"), inherited.stdout);
    let stderr = text_output(reader, node.get("stderr"), inherited.stderr);
    let mut writes = Vec::new();
    if let Some(file) = node.get("file") {
        read_written_file(reader, file, "location", "content", inherited.file, true, &mut writes);
    }
    if let Some(files) = node.get("output_files") {
        output_files(reader, files, inherited.file, &mut writes);
    }
    let exit_code = node.get("exit_code").and_then(|node| {
        let code = node.scalar_text().and_then(|digits| digits.parse().ok());
        if code.is_none() {
            reader.problem("an exit code is a whole number", &node.span);
        }
        Some(ExitCode { code: code?, span: node.span.clone() })
    });
    let description = node.get("description").and_then(|node| match node.get("description") {
        Some(text) => reader.text(text),
        None => reader.text(node),
    });
    let span = code.map_or(&node.span, |code| &code.span).clone();
    Some(Testcase { description, input, stdin, stdout, stderr, result, exception, exit_code, writes, span })
}

fn input(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    code: Option<&YamlNode>,
    inherited: &Inherited,
) -> Option<Input> {
    let Some(code) = code else {
        let args = node.get("arguments").map(|args| reader.list(args)).unwrap_or_default();
        let args = args.iter().filter_map(|arg| reader.text(arg)).collect();
        return Some(Input::Main { args });
    };
    if let Some(both) = node.get("arguments") {
        reader.problem("`arguments` are for a program, not for a line beside them", &both.span);
        return None;
    }
    if code.as_map().is_some() {
        return reader.native(code, &inherited.namespace);
    }
    let text = reader.text(code)?;
    if let Some(language) = &inherited.language {
        let pair = (YamlNode { tag: None, ..name_node(language, code) }, code.clone());
        let map =
            YamlNode { kind: super::yaml::YamlKind::Map(vec![pair]), tag: None, span: code.span.clone() };
        return reader.native(&map, &inherited.namespace);
    }
    match python::parse_statement(&text) {
        Ok(statement) => Some(reader.input(statement, &inherited.namespace)),
        Err(error) => {
            reader.syntax_error(error, &text, code);
            None
        }
    }
}

fn name_node(name: &str, place: &YamlNode) -> YamlNode {
    YamlNode { kind: super::yaml::YamlKind::Text(name.to_owned()), tag: None, span: place.span.clone() }
}

/// The standard input. If it has a `path`, it is also a file with that name.
fn standard_input(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    files: &mut Vec<SuiteFile>,
) -> Option<StandardInput> {
    let span = node.span.clone();
    if node.as_map().is_none() {
        let text = reader.text(node)?;
        let is_path = node.tag.as_deref() == Some("!path");
        let text = if is_path { reader.evaluation_file(&text, &span)? } else { with_final_newline(text) };
        return Some(StandardInput { text, span });
    }
    reader.unknown(node, &["content", "path"]);
    let is_text = node.get("content").is_some_and(|content| content.tag.is_none());
    let text = content(reader, node)?;
    let text = if is_text { with_final_newline(text) } else { text };
    if let Some(path) = node.get("path") {
        let name = reader.text(path)?;
        if !is_inside(&name) {
            reader.problem(format!("`{name}` is not in the working folder"), &path.span);
            return None;
        }
        let content = Some(text.clone());
        let file = SuiteFile { path: name, content, sources: Vec::new(), span: path.span.clone() };
        files.retain(|known| known.path != file.path);
        files.push(file);
    }
    Some(StandardInput { text, span })
}

/// The text with a newline at its end, unless it is empty.
fn with_final_newline(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}

/// A text in `content` or `data`, or in the file at `path` or behind `!path`.
fn content(reader: &mut Reader<'_>, node: &YamlNode) -> Option<String> {
    match node.get("content").or_else(|| node.get("data")) {
        Some(content) if content.tag.as_deref() == Some("!path") => {
            let path = reader.text(content)?;
            reader.evaluation_file(&path, &content.span)
        }
        Some(content) => reader.text(content),
        None => {
            let Some(path) = node.get("path") else {
                reader.problem("expected `content` or `path`", &node.span);
                return None;
            };
            let name = reader.text(path)?;
            reader.evaluation_file(&name, &path.span)
        }
    }
}

fn text_output(reader: &mut Reader<'_>, node: Option<&YamlNode>, inherited: InheritedOptions) -> TextOutput {
    let Some(node) = node else { return TextOutput::Empty };
    if node.as_map().is_none() {
        let Some(text) = reader.text(node) else { return TextOutput::Ignored };
        let (text, options) = reader.expected(text, inherited, &node.span);
        return TextOutput::Is { text, options, span: node.span.clone() };
    }
    reader.unknown(
        node,
        &["data", "content", "path", "config", "oracle", "file", "name", "arguments", "languages"],
    );
    let options = reader.options(inherited, node.get("config"));
    let Some(text) = content(reader, node) else { return TextOutput::Ignored };
    match node.get("oracle").and_then(YamlNode::as_text).unwrap_or("builtin") {
        "builtin" => {
            let (text, options) = reader.expected(text, options, &node.span);
            TextOutput::Is { text, options, span: node.span.clone() }
        }
        "custom_check" => {
            let text = if options.normalizes() { with_final_newline(text) } else { text };
            match oracle(reader, node, python::PyExpr::Text(text)) {
                Some(oracle) => TextOutput::Check(SuiteOracle { is_of_output: true, ..oracle }),
                None => TextOutput::Ignored,
            }
        }
        other => {
            reader.problem(format!("unknown oracle `{other}`"), &node.span);
            TextOutput::Ignored
        }
    }
}

fn exception(reader: &mut Reader<'_>, node: &YamlNode) -> Option<Exception> {
    if node.as_map().is_none() {
        return Some(Exception { message: Some(reader.text(node)?), types: Default::default() });
    }
    reader.unknown(node, &["message", "types"]);
    let message = node.get("message").and_then(|message| reader.text(message));
    let mut exception = Exception { message, types: Default::default() };
    for (language, name) in node.get("types").and_then(YamlNode::as_map).unwrap_or_default() {
        let Some(language) = reader.text(language) else { continue };
        // A language that keur lacks has no submissions to judge.
        if LANGUAGES.contains(&language.as_str())
            && let Some(name) = reader.text(name)
        {
            exception.types.insert(language, name);
        }
    }
    Some(exception)
}

fn output_files(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    inherited: InheritedOptions,
    writes: &mut Vec<WrittenFile>,
) {
    let (list, options) = match node.get("data") {
        Some(list) => {
            reader.unknown(node, &["data", "oracle", "config", "file", "name", "arguments", "languages"]);
            if node.get("oracle").and_then(YamlNode::as_text).is_some_and(|oracle| oracle != "builtin") {
                return reader.problem("keur cannot import a custom check of files", &node.span);
            }
            (list, reader.options(inherited, node.get("config")))
        }
        None => (node, inherited),
    };
    for file in reader.list(list) {
        read_written_file(reader, file, "path", "content", options, false, writes);
    }
}

/// An expected file; the deprecated form names a file that holds its content.
fn read_written_file(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    path: &str,
    content: &str,
    options: InheritedOptions,
    deprecated: bool,
    writes: &mut Vec<WrittenFile>,
) {
    let (Some(path), Some(content)) = (node.get(path), node.get(content)) else {
        return reader.problem(format!("an expected file has a `{path}` and a `{content}`"), &node.span);
    };
    if node.get("oracle").and_then(YamlNode::as_text).is_some_and(|oracle| oracle != "builtin") {
        return reader.problem("keur cannot import a custom check of files", &node.span);
    }
    let options = if deprecated { reader.options(options, node.get("config")) } else { options };
    let (Some(name), Some(mut text)) = (reader.text(path), reader.text(content)) else { return };
    if !is_inside(&name) {
        return reader.problem(format!("`{name}` is not in the working folder"), &path.span);
    }
    if deprecated || content.tag.as_deref() == Some("!path") {
        let Some(read) = reader.evaluation_file(&text, &content.span) else { return };
        text = read;
    }
    let span: Range<usize> = content.span.clone();
    let (text, options) = reader.expected(text, options, &span);
    writes.push(WrittenFile { path: name, content: text, options, span });
}
