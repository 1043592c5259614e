//! Reads TESTed's older suites in JSON, its "advanced" format.

use super::dsl_returns::specific_check;
use super::python::{PyExpr, PyStatement, PythonArgument, class_name, typed};
use super::reading::{InheritedOptions, LANGUAGES, Reader, is_inside};
use super::suite::{
    Context, Exception, ExitCode, Input, Output, Signature, StandardInput, SuiteFile, SuiteOracle, SuiteTab,
    Testcase, TestedSuite, TextOutput, WrittenFile,
};
use super::yaml::{YamlKind, YamlNode};

/// Whether a document is in this format: its tabs have a `name`.
pub(super) fn is_advanced(root: &YamlNode) -> bool {
    let tabs = root.get("tabs").and_then(YamlNode::as_list).unwrap_or_default();
    tabs.first().is_some_and(|tab| tab.get("name").is_some())
}

/// Reads the suite of a document.
pub(super) fn read(reader: &mut Reader<'_>, root: &YamlNode) -> TestedSuite {
    reader.unknown(root, &["tabs", "namespace"]);
    let mut suite =
        TestedSuite { namespace: root.get("namespace").and_then(|node| reader.text(node)), tabs: Vec::new() };
    let namespace = suite.namespace.clone().unwrap_or_else(|| "submission".to_owned());
    for tab in root.get("tabs").map(|tabs| reader.list(tabs)).unwrap_or_default() {
        reader.unknown(tab, &["name", "hidden", "contexts", "runs"]);
        let name = tab.get("name").and_then(|name| reader.text(name)).unwrap_or_default();
        let hidden = reader.truth(tab.get("hidden"));
        let mut contexts = Vec::new();
        for node in tab.get("contexts").map(|contexts| reader.list(contexts)).unwrap_or_default() {
            contexts.push(context(reader, node, &namespace));
        }
        for run in tab.get("runs").map(|runs| reader.list(runs)).unwrap_or_default() {
            let main = run.get("run").filter(|run| {
                let main = run.get("input").and_then(|input| input.get("main_call"));
                main.is_some_and(|main| main.kind == YamlKind::Bool(true))
            });
            if let Some(node) = main {
                let mut files = Vec::new();
                let testcases = testcase(reader, node, &namespace, &mut files).into_iter().collect();
                contexts.push(Context { title: None, testcases, files });
            }
            for node in run.get("contexts").map(|contexts| reader.list(contexts)).unwrap_or_default() {
                contexts.push(context(reader, node, &namespace));
            }
        }
        suite.tabs.push(SuiteTab { name, hidden, contexts });
    }
    suite
}

fn context(reader: &mut Reader<'_>, node: &YamlNode, namespace: &str) -> Context {
    reader.unknown(node, &["testcases", "before", "after", "description", "link_files"]);
    let title = node.get("description").and_then(|title| reader.text(title));
    let mut files = Vec::new();
    link_files(reader, node, &mut files);
    let mut testcases: Vec<Testcase> = code_around(reader, node, "before", namespace).into_iter().collect();
    for node in node.get("testcases").map(|testcases| reader.list(testcases)).unwrap_or_default() {
        testcases.extend(testcase(reader, node, namespace, &mut files));
    }
    testcases.extend(code_around(reader, node, "after", namespace));
    Context { title, testcases, files }
}

/// The code before or after the test cases of a context, as a test case that expects nothing.
fn code_around(reader: &mut Reader<'_>, node: &YamlNode, key: &str, namespace: &str) -> Option<Testcase> {
    let codes = node.get(key).filter(|codes| codes.as_map().is_some_and(|codes| !codes.is_empty()))?;
    let text_of = |code: &YamlNode| code.get("data").unwrap_or(code).clone();
    let texts = codes.as_map()?.iter().map(|(language, code)| (language.clone(), text_of(code)));
    let texts = YamlNode { kind: YamlKind::Map(texts.collect()), tag: None, span: codes.span.clone() };
    let input = reader.native(&texts, namespace)?;
    if let Input::Native(native) = &input {
        let languages: Vec<String> = native.codes.keys().cloned().collect();
        reader.restrict("code around the test cases is written", &languages, &codes.span);
    }
    Some(Testcase {
        description: None,
        input,
        stdin: None,
        stdout: TextOutput::Ignored,
        stderr: TextOutput::Ignored,
        result: Output::Ignored,
        exception: None,
        exit_code: None,
        writes: Vec::new(),
        span: codes.span.clone(),
    })
}

fn link_files(reader: &mut Reader<'_>, node: &YamlNode, files: &mut Vec<SuiteFile>) {
    for file in node.get("link_files").map(|files| reader.list(files)).unwrap_or_default() {
        let Some(name) = file.get("name") else { continue };
        let Some(path) = reader.text(name) else { continue };
        if !is_inside(&path) {
            reader.problem(format!("`{path}` is not in the working folder"), &name.span);
            continue;
        }
        let url = file.get("url").and_then(YamlNode::as_text).unwrap_or_default();
        let sources =
            vec![format!("workdir/{path}"), format!("description/{url}"), format!("evaluation/{url}")];
        files.push(SuiteFile { path, content: None, sources, span: name.span.clone() });
    }
}

fn testcase(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    namespace: &str,
    files: &mut Vec<SuiteFile>,
) -> Option<Testcase> {
    reader.unknown(node, &["input", "description", "output", "link_files", "essential", "line_comment"]);
    link_files(reader, node, files);
    let description = node.get("description").and_then(|node| match node.get("description") {
        Some(text) => reader.text(text),
        None => reader.text(node),
    });
    let Some(given) = node.get("input") else {
        reader.problem("a test case has an `input`", &node.span);
        return None;
    };
    let (input, is_expression) = input(reader, given, namespace)?;
    let stdin = given
        .get("stdin")
        .filter(|stdin| stdin.as_map().is_some())
        .and_then(|stdin| Some(StandardInput { text: data(reader, stdin)?, span: stdin.span.clone() }));
    let is_main = matches!(input, Input::Main { .. });
    let empty = YamlNode { kind: YamlKind::Map(Vec::new()), tag: None, span: node.span.clone() };
    let output = node.get("output").unwrap_or(&empty);
    reader.unknown(output, &["stdout", "stderr", "file", "exception", "result", "exit_code"]);
    let exception = exception(reader, output);
    let result = match output.get("result") {
        Some(channel) if channel.as_text() == Some("ignored") => Output::Ignored,
        Some(channel) if channel.as_map().is_some() => result(reader, channel),
        Some(_) | None if is_main || !is_expression || exception.is_some() => Output::Ignored,
        Some(_) | None => Output::Nothing,
    };
    let stdout = text_output(reader, output.get("stdout"));
    let stderr = text_output(reader, output.get("stderr"));
    let writes = output.get("file").and_then(|file| read_written_file(reader, file)).into_iter().collect();
    let exit_code = output.get("exit_code").and_then(|channel| {
        let value = channel.get("value")?;
        Some(ExitCode { code: value.scalar_text()?.parse().ok()?, span: value.span.clone() })
    });
    let span = given.span.clone();
    Some(Testcase { description, input, stdin, stdout, stderr, result, exception, exit_code, writes, span })
}

/// The input, and whether it is an expression.
fn input(reader: &mut Reader<'_>, node: &YamlNode, namespace: &str) -> Option<(Input, bool)> {
    if let Some(literals) = node.get("literals") {
        let is_expression = node.get("type").and_then(YamlNode::as_text) == Some("expression");
        return Some((reader.native(literals, namespace)?, is_expression));
    }
    if node.get("variable").is_some() {
        let statement = assignment(reader, node)?;
        return Some((reader.input(statement, namespace), false));
    }
    let is_expression = node.as_text().is_some() || node.get("type").is_some();
    if is_expression && node.get("type").and_then(YamlNode::as_text) != Some("main_input") {
        let value = expr(reader, node)?;
        let statement = PyStatement { target: None, class: None, value };
        return Some((reader.input(statement, namespace), true));
    }
    let args = node.get("arguments").map(|args| reader.list(args)).unwrap_or_default();
    let args = args.iter().filter_map(|arg| reader.text(arg)).collect();
    Some((Input::Main { args }, false))
}

fn assignment(reader: &mut Reader<'_>, node: &YamlNode) -> Option<PyStatement> {
    let target = match node.get("variable").map(|variable| (variable, variable.as_text())) {
        Some((_, Some(name))) => PyExpr::Name(name.to_owned()),
        Some((variable, None)) => expr(reader, variable)?,
        None => return None,
    };
    let custom = node.get("type").and_then(|known| known.get("data")).and_then(YamlNode::as_text);
    let value = expr(reader, node.get("expression")?)?;
    // A constructor says the class itself, in the same spelling.
    let says = matches!(&value, PyExpr::Call(name, _) if name.starts_with(char::is_uppercase));
    let class = custom.filter(|_| !says).map(class_name);
    Some(PyStatement { target: Some(target), class, value })
}

fn expr(reader: &mut Reader<'_>, node: &YamlNode) -> Option<PyExpr> {
    if let Some(name) = node.as_text() {
        return Some(PyExpr::Name(name.to_owned()));
    }
    let kind = node.get("type").and_then(YamlNode::as_text).unwrap_or_default();
    let name = node.get("name").and_then(YamlNode::as_text).unwrap_or_default().to_owned();
    match kind {
        "function" | "constructor" | "property" | "array_access" => {
            let on = match node.get("namespace") {
                Some(on) => Some(Box::new(expr(reader, on)?)),
                None => None,
            };
            let mut args = Vec::new();
            for arg in node.get("arguments").map(|args| reader.list(args)).unwrap_or_default() {
                args.push(argument(reader, arg)?);
            }
            Some(match (kind, on) {
                ("constructor", _) => PyExpr::Call(class_name(&name), args),
                ("property", Some(on)) => PyExpr::Attribute(on, name),
                ("property", None) => PyExpr::Name(name.to_uppercase()),
                ("array_access", Some(on)) => PyExpr::Index(on, Box::new(args.pop()?.value)),
                (_, Some(on)) => PyExpr::Method(on, name, args),
                (_, None) => PyExpr::Call(name, args),
            })
        }
        _ => value(reader, node),
    }
}

fn argument(reader: &mut Reader<'_>, node: &YamlNode) -> Option<PythonArgument> {
    match (node.get("name"), node.get("value")) {
        (Some(name), Some(value)) if node.get("type").is_none() => {
            Some(PythonArgument { keyword: Some(reader.text(name)?), value: expr(reader, value)? })
        }
        _ => Some(PythonArgument { keyword: None, value: expr(reader, node)? }),
    }
}

/// A value with its type.
fn value(reader: &mut Reader<'_>, node: &YamlNode) -> Option<PyExpr> {
    let Some(kind) = node.get("type").and_then(YamlNode::as_text) else {
        reader.problem("a value has a `type`", &node.span);
        return None;
    };
    let data = node.get("data");
    let plain = match data.map(|data| (&data.kind, data)) {
        None | Some((YamlKind::Null, _)) => PyExpr::Nothing,
        Some((YamlKind::Bool(truth), _)) => PyExpr::Bool(*truth),
        Some((YamlKind::Int(digits), _)) => PyExpr::Int(digits.clone()),
        Some((YamlKind::Float(float), _)) => PyExpr::Float(*float),
        Some((YamlKind::Text(text), _)) => PyExpr::Text(text.clone()),
        Some((YamlKind::List(items), _)) if matches!(kind, "map" | "dictionary" | "object") => {
            let mut pairs = Vec::new();
            for pair in items {
                pairs.push((expr(reader, pair.get("key")?)?, expr(reader, pair.get("value")?)?));
            }
            PyExpr::Dict(pairs)
        }
        Some((YamlKind::List(items), _)) => {
            let mut all = Vec::new();
            for item in items {
                all.push(expr(reader, item)?);
            }
            PyExpr::List(all)
        }
        Some((YamlKind::Map(pairs), _)) => {
            let mut all = Vec::new();
            for (key, item) in pairs {
                all.push((PyExpr::Text(key.scalar_text()?), expr(reader, item)?));
            }
            PyExpr::Dict(all)
        }
    };
    match typed(kind, plain) {
        Some(Ok(value)) => Some(value),
        Some(Err(message)) => {
            reader.problem(message, &node.span);
            None
        }
        None => {
            reader.problem(format!("unknown type `{kind}`"), &node.span);
            None
        }
    }
}

/// A text, or that of a file beside the suite.
fn data(reader: &mut Reader<'_>, node: &YamlNode) -> Option<String> {
    let data = node.get("data").or_else(|| node.get("content"))?;
    let text = reader.text(data)?;
    match node.get("type").and_then(YamlNode::as_text) {
        Some("file") => reader.evaluation_file(&text, &data.span),
        Some(_) | None => Some(text),
    }
}

fn text_output(reader: &mut Reader<'_>, node: Option<&YamlNode>) -> TextOutput {
    let Some(node) = node else { return TextOutput::Empty };
    match node.as_text() {
        Some("ignored") => return TextOutput::Ignored,
        Some(_) => return TextOutput::Empty,
        None => {}
    }
    let Some(text) = data(reader, node) else { return TextOutput::Ignored };
    let oracle = node.get("oracle").or_else(|| node.get("evaluator"));
    let kind = oracle.and_then(|oracle| oracle.get("type")).and_then(YamlNode::as_text).unwrap_or("builtin");
    match (kind, oracle) {
        ("programmed" | "custom_check", Some(oracle)) => match check(reader, oracle, PyExpr::Text(text)) {
            Some(oracle) => TextOutput::Check(SuiteOracle { is_of_output: true, ..oracle }),
            None => TextOutput::Ignored,
        },
        _ => {
            let options = oracle.and_then(|oracle| oracle.get("options"));
            let options = reader.options(InheritedOptions::default(), options);
            let (text, options) = reader.expected(text, options, &node.span);
            TextOutput::Is { text, options, span: node.span.clone() }
        }
    }
}

fn result(reader: &mut Reader<'_>, node: &YamlNode) -> Output {
    let oracle = node.get("oracle").or_else(|| node.get("evaluator"));
    let kind = oracle.and_then(|oracle| oracle.get("type")).and_then(YamlNode::as_text).unwrap_or("builtin");
    if matches!(kind, "specific" | "specific_check") {
        let check = oracle.and_then(|oracle| {
            let functions = if oracle.get("functions").is_some() { "functions" } else { "evaluators" };
            specific_check(reader, oracle, functions)
        });
        return check.map_or(Output::Ignored, Output::Check);
    }
    let expected = match node.get("value") {
        Some(value) => match self::value(reader, value) {
            Some(value) => value,
            None => return Output::Ignored,
        },
        None => PyExpr::Nothing,
    };
    match (kind, oracle, expected) {
        ("programmed" | "custom_check", Some(oracle), expected) => match check(reader, oracle, expected) {
            Some(oracle) => Output::Check(oracle),
            None => Output::Ignored,
        },
        (_, _, PyExpr::Nothing) => Output::Nothing,
        (_, _, expected) => Output::Is(expected),
    }
}

fn check(reader: &mut Reader<'_>, node: &YamlNode, expected: PyExpr) -> Option<SuiteOracle> {
    let kind = node.get("type").and_then(YamlNode::as_text);
    if let Some(language) = node.get("language").filter(|language| language.as_text() != Some("python")) {
        reader.problem("keur runs checks in Python", &language.span);
        return None;
    }
    let function = node.get("function")?;
    let file = function.get("file")?;
    let mut arguments = Vec::new();
    for argument in node.get("arguments").map(|list| reader.list(list)).unwrap_or_default() {
        arguments.push(value(reader, argument)?);
    }
    Some(SuiteOracle {
        file: reader.text(file)?,
        function: function.get("name").and_then(YamlNode::as_text).unwrap_or("evaluate").to_owned(),
        expected,
        arguments,
        signature: if kind == Some("programmed") { Signature::Legacy } else { Signature::Context },
        is_of_output: false,
        span: file.span.clone(),
    })
}

fn exception(reader: &mut Reader<'_>, output: &YamlNode) -> Option<Exception> {
    let channel = output.get("exception").filter(|channel| channel.as_map().is_some())?;
    if let Some(oracle) = channel.get("evaluator").or_else(|| channel.get("oracle"))
        && oracle.get("type").and_then(YamlNode::as_text) != Some("builtin")
    {
        reader.problem("keur has no own check of an exception", &oracle.span);
    }
    let node = channel.get("exception")?;
    let message = node.get("message").and_then(|message| reader.text(message));
    let mut exception = Exception { message, types: Default::default() };
    for (language, name) in node.get("types").and_then(YamlNode::as_map).unwrap_or_default() {
        if let (Some(language), Some(name)) = (language.as_text(), name.as_text())
            && LANGUAGES.contains(&language)
        {
            exception.types.insert(language.to_owned(), name.to_owned());
        }
    }
    Some(exception)
}

fn read_written_file(reader: &mut Reader<'_>, node: &YamlNode) -> Option<WrittenFile> {
    node.as_map()?;
    let oracle = node.get("oracle").or_else(|| node.get("evaluator"));
    let kind = oracle.and_then(|oracle| oracle.get("type")).and_then(YamlNode::as_text).unwrap_or("builtin");
    if kind != "builtin" {
        reader.problem("keur cannot import a custom check of files", &node.span);
        return None;
    }
    let (Some(actual), Some(expected)) = (node.get("actual_path"), node.get("expected_path")) else {
        reader.problem("an expected file has an `actual_path` and an `expected_path`", &node.span);
        return None;
    };
    let (path, beside) = (reader.text(actual)?, reader.text(expected)?);
    if !is_inside(&path) {
        reader.problem(format!("`{path}` is not in the working folder"), &actual.span);
        return None;
    }
    let content = reader.evaluation_file(&beside, &expected.span)?;
    let options =
        reader.options(InheritedOptions::default(), oracle.and_then(|oracle| oracle.get("options")));
    let span = expected.span.clone();
    let (content, options) = reader.expected(content, options, &span);
    Some(WrittenFile { path, content, options, span })
}
