//! Writes an exercise of keur from a suite.

use super::ImportSettings;
use super::compared::TextCompare;
use super::constants::with_constants;
use super::exercise_text::{CaseText, ExerciseText, ImportedStep, case_text, common_comparison, file_name};
use super::languages::{READING_CALLS, is_able, languages};
use super::names::{BoundNames, UsedNames};
use super::oracle;
use super::reading::Reader;
use super::suite::{
    Context, Exception, ExitCode, Input, Output, Signature, StandardInput, SuiteFile, SuiteOracle, Testcase,
    TestedSuite, TextOptions, TextOutput, WrittenFile,
};
use super::toml_value::value;
use keur_core::case::Convention;
use keur_core::case::written::{key, string, strings, text};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The longest text of a file in a case, in bytes; a longer one is a file of its own.
const LONGEST_INLINE: usize = 2000;

/// The longest title made of a line of code, in characters.
const LONGEST_TITLE: usize = 60;

/// The files of the exercise, by path.
pub(super) fn exercise(
    reader: &mut Reader<'_>,
    suite: &TestedSuite,
    settings: &ImportSettings<'_>,
) -> BTreeMap<String, String> {
    let mut writer = ExerciseWriter {
        languages: languages(reader, suite, settings),
        namespace: suite.namespace.clone().unwrap_or_else(|| "submission".to_owned()),
        names: UsedNames::default(),
        files: BTreeMap::new(),
        oracles: BTreeMap::new(),
        has_program: false,
        has_line: false,
        reader,
    };
    let everywhere = writer.workdir(settings);
    let mut cases = Vec::new();
    let mut titles = BTreeSet::new();
    for (tab_index, tab) in suite.tabs.iter().enumerate() {
        for (index, context) in tab.contexts.iter().enumerate() {
            let mut case = writer.case(context, &everywhere);
            (case.tab, case.number) = (tab_index + 1, index + 1);
            case.hidden = tab.hidden;
            case.group = tab.name.clone();
            let title =
                if case.title.is_empty() { format!("{} {}", tab.name, index + 1) } else { case.title };
            case.title = unique(title.trim(), &mut titles);
            if !case.steps.is_empty() {
                cases.push(case);
            }
        }
    }
    let mut names = std::mem::take(&mut writer.names);
    names.settle(writer.reader);
    writer.finish(&names, &cases, suite, settings, &everywhere)
}

fn unique(title: &str, titles: &mut BTreeSet<String>) -> String {
    let mut found = title.to_owned();
    let mut count = 2;
    while !titles.insert(found.clone()) {
        found = format!("{title} ({count})");
        count += 1;
    }
    found
}

struct ExerciseWriter<'w, 'r> {
    reader: &'w mut Reader<'r>,
    languages: Vec<&'static str>,
    namespace: String,
    names: UsedNames,
    files: BTreeMap<String, String>,
    /// The checkers by the file of the suite; `None` for one that keur cannot run.
    oracles: BTreeMap<(String, Signature), Option<String>>,
    has_program: bool,
    has_line: bool,
}

impl ExerciseWriter<'_, '_> {
    /// The files that every case finds.
    fn workdir(&mut self, settings: &ImportSettings<'_>) -> Vec<(String, String)> {
        for path in settings.workdir.keys() {
            let endings = [
                (".py", "python"),
                (".js", "javascript"),
                (".ts", "typescript"),
                (".java", "java"),
                (".cpp", "cpp"),
                (".tpp", "cpp"),
                (".h", "cpp"),
                (".c", "c"),
                (".h", "c"),
            ];
            let is_code = |(ending, language): &(&str, &str)| {
                path.ends_with(ending) && self.languages.contains(language)
            };
            if endings.iter().any(is_code) {
                let message = format!("a submission cannot import `{path}`: for keur it is a file to read");
                self.reader.problem(message, &(0..0));
            }
        }
        settings
            .workdir
            .iter()
            .map(|(path, content)| (path.clone(), self.file_value(path, content)))
            .collect()
    }

    /// The value after the name of an input file: its text, or its path.
    fn file_value(&mut self, path: &str, content: &str) -> String {
        if content.len() <= LONGEST_INLINE {
            return text(content);
        }
        let stored = format!("data/{path}");
        let value = format!("{{ path = {} }}", string(&stored));
        self.files.insert(stored, content.to_owned());
        value
    }

    fn input_file(&mut self, file: &SuiteFile) -> Option<(String, String)> {
        let found = match &file.content {
            Some(content) => Some(content.clone()),
            None => file.sources.iter().find_map(|source| (self.reader.file)(source)),
        };
        let Some(content) = found else {
            let message = format!("the file `{}` is not a text file of the exercise", file.path);
            self.reader.problem(message, &file.span);
            return None;
        };
        Some((file.path.clone(), self.file_value(&file.path, &content)))
    }

    fn case(&mut self, context: &Context, everywhere: &[(String, String)]) -> CaseText {
        let mut files = Vec::new();
        for file in &context.files {
            files.extend(self.input_file(file).filter(|file| !everywhere.contains(file)));
        }
        let mut bound = BoundNames::new();
        let last = context.testcases.len().saturating_sub(1);
        let comments = context.title.is_some() || context.testcases.len() > 1;
        let mut steps = Vec::new();
        let mut places = Vec::new();
        let given = self.input_of_calls(context);
        for (index, testcase) in context.testcases.iter().enumerate() {
            if given.is_some() && index == 0 {
                continue;
            }
            let stdin = given.filter(|_| index == 1).or(testcase.stdin.as_ref());
            if !is_able(&testcase.input, &self.languages) {
                continue;
            }
            let mut own = self.steps(testcase, stdin, &mut bound, index == last);
            if let Some(first) = own.first_mut() {
                first.text.comment = testcase.description.clone().filter(|_| comments);
            }
            places.extend(own.iter().map(|_| testcase.span.clone()));
            steps.extend(own);
        }
        let title = match (&context.title, context.testcases.as_slice()) {
            (Some(title), _) => title.clone(),
            (None, [only]) => only.description.clone().unwrap_or_else(|| self.readable(only)),
            (None, _) => String::new(),
        };
        let tab = 0;
        let number = 0;
        let group = String::new();
        let hidden = false;
        CaseText { title, tab, number, group, hidden, files, steps, places }
    }

    /// A title of what a test case does.
    fn readable(&self, testcase: &Testcase) -> String {
        let line = match &testcase.input {
            Input::Main { args, .. } if args.is_empty() => return String::new(),
            Input::Main { args, .. } => {
                let language = self.languages.first().copied().unwrap_or("python");
                format!("{} {}", self.program_file(language), args.join(" "))
            }
            Input::Neutral(statement) => statement.neutral(),
            Input::Native(native) => {
                let code = native.codes.get("python").or_else(|| native.codes.values().next());
                code.cloned().unwrap_or_default()
            }
        };
        if line.contains('\n') || line.chars().count() > LONGEST_TITLE { String::new() } else { line }
    }

    /// The submission's file in a language.
    fn program_file(&self, language: &str) -> String {
        let name = &self.namespace;
        match language {
            "python" => format!("{name}.py"),
            "javascript" => format!("{}.js", Convention::Camel.spell(name)),
            "typescript" => format!("{}.ts", Convention::Camel.spell(name)),
            "cpp" => format!("{name}.cpp"),
            "c" => format!("{name}.c"),
            _ => {
                let camel = Convention::Camel.spell(name);
                let mut chars = camel.chars();
                let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
                format!("{}{}.java", first.unwrap_or_default(), chars.as_str())
            }
        }
    }

    /// The standard input of a first test case that only gives it to the call after it: in Python, TESTed
    /// loads the submission as its program.
    fn input_of_calls<'c>(&self, context: &'c Context) -> Option<&'c StandardInput> {
        let [program, call, ..] = context.testcases.as_slice() else { return None };
        let gives = self.languages == ["python"]
            && program.expects_nothing()
            && matches!(&program.input, Input::Main { args } if args.is_empty())
            && !matches!(call.input, Input::Main { .. })
            && call.stdin.is_none();
        program.stdin.as_ref().filter(|_| gives)
    }

    /// The steps of a test case: those that bind the constants that its line names, and its own.
    fn steps(
        &mut self,
        testcase: &Testcase,
        stdin: Option<&StandardInput>,
        bound: &mut BoundNames,
        last: bool,
    ) -> Vec<ImportedStep> {
        let mut steps = Vec::new();
        let mut step = ImportedStep::default();
        let is_program = matches!(testcase.input, Input::Main { .. });
        match &testcase.input {
            Input::Main { args } => {
                self.has_program = true;
                let file = self.languages.first().map(|language| self.program_file(language));
                step.text.key("run", string(&file.unwrap_or_default()));
                if !args.is_empty() {
                    step.text.key("args", strings(args.iter().map(String::as_str)));
                }
            }
            Input::Neutral(statement) => {
                self.has_line = true;
                let (line, constants) = with_constants(statement, &self.namespace, &self.languages, bound);
                steps.extend(constants);
                self.names.statement(&line, bound, &testcase.span);
                step.text.key("do", string(&line.neutral()));
            }
            Input::Native(native) => {
                self.has_line = true;
                for call in &native.calls {
                    self.names.native(&call.name, call.arguments);
                }
                let mut codes = native.codes.clone();
                codes.retain(|language, _| self.languages.contains(&language.as_str()));
                step.text.native(&codes);
                self.binds(&codes, bound, testcase, &mut step);
            }
        }
        let reads = self.languages.iter().all(|language| READING_CALLS.contains(language));
        if let Some(stdin) = stdin.filter(|_| is_program || reads) {
            step.text.key("stdin", text(&stdin.text));
        }
        match &testcase.result {
            Output::Nothing => step.text.key("equals", string("None")),
            Output::Ignored => {}
            Output::Is(expected) => match value(expected) {
                Some(value) => step.text.key("returns", value),
                None => step.text.key("equals", string(&expected.neutral())),
            },
            Output::Check(oracle) => {
                if let Some(check) = self.check(oracle) {
                    step.text.key("returns", check);
                }
            }
        }
        let raised = testcase.exception.as_ref();
        if let Some(exception) = raised {
            self.exception(exception, &mut step);
        }
        self.output("prints", &testcase.stdout, &mut step);
        match &testcase.stderr {
            // What is raised goes to standard error.
            TextOutput::Empty if !is_program || raised.is_some() => {}
            TextOutput::Is { span, .. } | TextOutput::Check(SuiteOracle { span, .. }) if !is_program => {
                self.reader
                    .problem("keur sees what a program writes to standard error, but not a call", span);
            }
            stderr @ (TextOutput::Empty
            | TextOutput::Ignored
            | TextOutput::Is { .. }
            | TextOutput::Check(_)) => self.output("errors", stderr, &mut step),
        }
        if let Some(ExitCode { code, span }) = &testcase.exit_code {
            match u8::try_from(*code) {
                Ok(code) if is_program => step.text.key("exit", code.to_string()),
                Ok(0) if last => {}
                Ok(_) if !last => self.reader.problem("only the last test case can have an exit code", span),
                Ok(_) => self.reader.problem("keur has an exit code for a program, but not for a call", span),
                Err(_) => self.reader.problem("an exit code is 0 to 255", span),
            }
        }
        self.writes(&testcase.writes, &mut step);
        steps.push(step);
        steps
    }

    /// The names that native code makes: those that its assignments in every language name.
    fn binds(
        &mut self,
        codes: &BTreeMap<String, String>,
        bound: &mut BoundNames,
        testcase: &Testcase,
        step: &mut ImportedStep,
    ) {
        let names: BTreeSet<Vec<String>> = codes.values().map(|code| assigned(code)).collect();
        match names.into_iter().collect::<Vec<_>>().as_slice() {
            [] => {}
            [names] if names.is_empty() => {}
            [names] => {
                bound.extend(names.iter().map(|name| (name.clone(), None)));
                step.text.key("binds", strings(names.iter().map(String::as_str)));
            }
            _ => {
                let message = "the languages assign different names; keur needs one name for all";
                self.reader.problem(message, &testcase.span);
            }
        }
    }

    fn exception(&mut self, exception: &Exception, step: &mut ImportedStep) {
        let types: Vec<String> = exception
            .types
            .iter()
            .filter(|(language, _)| self.languages.contains(&language.as_str()))
            .map(|(language, name)| format!("{language} = {}", string(name)))
            .collect();
        step.text.key(
            "raises",
            match (&exception.message, types.is_empty()) {
                (Some(message), true) => text(message),
                (None, true) => "true".to_owned(),
                (None, false) => format!("{{ type = {{ {} }} }}", types.join(", ")),
                (Some(message), false) => {
                    format!("{{ type = {{ {} }}, message = {} }}", types.join(", "), text(message))
                }
            },
        );
    }

    fn output(&mut self, name: &'static str, output: &TextOutput, step: &mut ImportedStep) {
        match output {
            TextOutput::Empty => step.text.key(name, string("")),
            TextOutput::Ignored => {}
            TextOutput::Is { text: expected, options, span } => {
                self.compare(*options, expected, span, step);
                // One newline at the end does not count.
                let line =
                    expected.strip_suffix('\n').filter(|line| !line.contains('\n') && !line.is_empty());
                step.text.key(name, text(line.unwrap_or(expected)));
            }
            TextOutput::Check(oracle) => {
                if let Some(check) = self.check(oracle) {
                    step.text.key(name, check);
                }
            }
        }
    }

    fn compare(
        &mut self,
        options: TextOptions,
        expected: &str,
        span: &Range<usize>,
        step: &mut ImportedStep,
    ) {
        if expected.is_empty() {
            return;
        }
        let compare = TextCompare::new(options, expected);
        match &step.compare {
            Some(other) if *other != compare => {
                let message = "keur compares all texts of a step in the same way; these options differ";
                self.reader.problem(message, span);
            }
            Some(_) | None => step.compare = Some(compare),
        }
    }

    fn writes(&mut self, writes: &[WrittenFile], step: &mut ImportedStep) {
        for file in writes {
            self.compare(file.options, &file.content, &file.span, step);
            step.text.writes.push((key(&file.path), text(&file.content)));
        }
    }

    /// The matcher that asks an oracle.
    fn check(&mut self, oracle: &SuiteOracle) -> Option<String> {
        // The check is one of Python, for submissions in it.
        if oracle.signature == Signature::Specific && self.languages != ["python"] {
            return None;
        }
        let known = (oracle.file.clone(), oracle.signature);
        let checker = match self.oracles.get(&known) {
            Some(checker) => checker.clone(),
            None => {
                let checker = self.checker(oracle);
                self.oracles.insert(known, checker.clone());
                checker
            }
        }?;
        let with = oracle::arguments(oracle);
        let name = format!("{checker}:{}", oracle::offered(oracle));
        let file = self.files.get_mut(&checker)?;
        oracle::offer(file, oracle);
        let with = if with.is_empty() { String::new() } else { format!(", with = [{}]", with.join(", ")) };
        Some(format!("{{ check = {}{with} }}", string(&name)))
    }

    fn checker(&mut self, oracle: &SuiteOracle) -> Option<String> {
        let source = self.reader.evaluation_file(&oracle.file, &oracle.span)?;
        if let Some(lacking) = oracle::lacking(&source) {
            let message = format!("keur's checks have no `{lacking}`, which `{}` uses", oracle.file);
            self.reader.problem(message, &oracle.span);
            return None;
        }
        let stem = oracle.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".py");
        let mut path = format!("checks/{stem}.py");
        let mut count = 2;
        while self.files.contains_key(&path) {
            path = format!("checks/{stem}_{count}.py");
            count += 1;
        }
        self.files.insert(path.clone(), oracle::add_shims(&source));
        Some(path)
    }

    fn finish(
        mut self,
        names: &UsedNames,
        cases: &[CaseText],
        suite: &TestedSuite,
        settings: &ImportSettings<'_>,
        everywhere: &[(String, String)],
    ) -> BTreeMap<String, String> {
        let shared = common_comparison(cases.iter().flat_map(|case| &case.steps));
        let files = self.languages.iter().map(|language| (*language, self.program_file(language)));
        let exercise = ExerciseText {
            settings,
            names,
            files: files.collect(),
            has_line: self.has_line,
            has_program: self.has_program,
            shared,
            everywhere,
        };
        let exercise = exercise.text();
        let Some(described) = self.reader.described(&exercise) else { return self.files };
        for case in cases {
            let name = file_name(case, suite);
            let content = case_text(case, shared.is_some());
            self.reader.check(&described, &name, &content, &case.places, &mut self.files);
        }
        self.files.insert("exercise.toml".to_owned(), exercise);
        self.files
    }
}

/// The names that lines of a language assign, outside functions.
fn assigned(code: &str) -> Vec<String> {
    let lines = code.trim().lines().filter(|line| !line.starts_with(char::is_whitespace));
    lines.filter_map(assigned_in).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The name that a line assigns.
fn assigned_in(line: &str) -> Option<String> {
    let (left, right) = line.split_once('=')?;
    if right.starts_with('=') || left.ends_with(['!', '<', '>', '+', '-', '*', '/']) {
        return None;
    }
    let left = left.split(':').next().unwrap_or_default().trim();
    let name = left.rsplit(' ').next().unwrap_or_default();
    let is_name = !name.is_empty()
        && name.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
        && !name.starts_with(|ch: char| ch.is_ascii_digit());
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::assigned;

    #[test]
    fn assignments_of_native_code_are_seen() {
        for (code, name) in [
            ("x = 5", Some("x")),
            ("let x = f(1)", Some("x")),
            ("x = [\n    1,\n]\nx.append(2)", Some("x")),
            ("x: list = f()", Some("x")),
            ("List<Integer> data = f();", Some("data")),
            ("f(x) == 5", None),
            ("x.y = 5", None),
            ("f(1)", None),
            ("x += 1", None),
        ] {
            assert_eq!(assigned(code), Vec::from_iter(name), "{code}");
        }
    }
}
