//! Runs of programs in a session of a shell become a case of these programs.
//!
//! A terminal does not tell what is typed from what is printed. So all that stands below a command is what it
//! prints, unless the command says where its input comes from, or the caller what text it is typed after.

use super::draft::{CaseLabels, left_out};
use super::pasted::{PastedLine, lines};
use super::prompts::{BLANK, PromptKind, TRACEBACK, entries};
use super::{MOST_ENTRIES, SessionCase};
use crate::author::keys::expectation_keys;
use keur_core::case::written::{StepText, string, strings, text};
use keur_core::case::{Diagnostic, Exercise, Expect, FileErrors, TextMatcher, did_you_mean, parse_cases};
use keur_core::languages::{self, LANGUAGES};
use std::collections::BTreeMap;
use std::ops::Range;

/// Programs that run a file.
const INTERPRETERS: [&str; 5] = ["java", "node", "nodejs", "py", "python"];

/// The facts that a session of a shell does not say.
pub struct ShellSettings<'a> {
    /// Texts that a program prints before it reads a line; the rest of such a line is typed.
    pub typed_after: &'a [String],
    /// The content of the file with this path that a command reads, if the session does not show it.
    pub file: &'a dyn Fn(&str) -> Option<String>,
}

/// Whether a text has runs of programs in a shell, and no session of Python's own prompt.
pub fn has_runs(source: &str) -> bool {
    let lines = lines(source);
    let is_run =
        |line: &PastedLine| command_of(&line.text).is_some_and(|command| program_in(command).is_some());
    lines.iter().any(is_run) && entries(&lines).iter().all(|entry| entry.prompt != PromptKind::Triple)
}

/// The exercises whose programs a text runs, by number.
pub fn exercises_run(source: &str, exercises: &[Exercise]) -> Vec<usize> {
    let lines = lines(source);
    let commands = lines.iter().filter_map(|line| command_of(&line.text));
    let programs: Vec<String> = commands.filter_map(program_in).collect();
    let runs = |exercise: &Exercise| programs.iter().any(|program| program_of(exercise, program).is_some());
    exercises.iter().enumerate().filter(|(_, exercise)| runs(exercise)).map(|(index, _)| index).collect()
}

/// Makes a case of the runs of the programs of `exercise` in `source`, which errors call `path`.
///
/// # Errors
/// No run can be read.
pub fn import_runs(
    exercise: &Exercise,
    labels: &CaseLabels<'_>,
    path: &str,
    source: &str,
    settings: &ShellSettings<'_>,
) -> Result<SessionCase, FileErrors> {
    let refuse = |diagnostics| FileErrors::new(path, source, diagnostics);
    let commands = commands(&lines(source));
    let shown: BTreeMap<String, String> = commands.iter().filter_map(shown_file).collect();
    let file = |path: &str| shown.get(path).cloned().or_else(|| (settings.file)(path));
    let mut problems = Vec::new();
    let mut steps: Vec<RunStep> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for command in &commands {
        if command.text == "echo $?" {
            let status = command.output.first().and_then(|status| status.trim().parse().ok());
            if let (Some(step), Some(status)) = (steps.last_mut(), status) {
                step.expect.program.exit = Some(status);
            }
            continue;
        }
        let Some(program) = program_in(&command.text) else { continue };
        let read = if let Some(program) = program_of(exercise, &program) {
            run_of(command, &file).map(|run| run.step(program.clone(), command, settings.typed_after))
        } else {
            let known = exercise.programs.values().flatten().map(String::as_str);
            let problem =
                Diagnostic::new(format!("the exercise has no program `{program}`"), command.span.clone());
            Err(match did_you_mean(&program, known) {
                Some(help) => problem.help(help),
                None => problem.help("list it in [programs]"),
            })
        };
        match read {
            Ok(mut step) => {
                step.notes = std::mem::take(&mut notes);
                steps.push(step);
            }
            Err(problem) => {
                problems.push(problem);
                notes.push(left_out(command.line, &command.text));
            }
        }
    }
    if steps.is_empty() {
        if problems.is_empty() {
            problems.push(Diagnostic::new("the session runs no program", 0..0));
        }
        return Err(refuse(problems));
    }
    let mut text = format!("title = {}\n", string(labels.title));
    steps.iter().for_each(|step| step.write(exercise, &mut text));
    for line in notes.iter().flat_map(|note| note.lines()) {
        text.push_str(&format!("\n# {line}"));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    let mut cases = parse_cases(exercise, labels.name, labels.path, &text).map_err(|errors| {
        let diagnostics = errors.diagnostics.into_iter();
        refuse(diagnostics.map(|diagnostic| Diagnostic { span: 0..0, ..diagnostic }).collect())
    })?;
    let Some(case) = cases.pop() else { return Err(refuse(problems)) };
    let lines = steps.iter().map(|step| step.line).collect();
    let problems = (!problems.is_empty()).then(|| refuse(problems));
    Ok(SessionCase { text, case, lines, problems, left_out: None })
}

/// A command of a shell with what is printed below.
struct ShellCommand {
    /// The number of its line, from 1.
    line: usize,
    span: Range<usize>,
    text: String,
    output: Vec<String>,
}

fn commands(lines: &[PastedLine]) -> Vec<ShellCommand> {
    let mut commands: Vec<ShellCommand> = Vec::new();
    // An empty line ends an output, unless nothing but the session can follow.
    let first = lines.iter().find(|line| !line.is_blank());
    let is_whole = first.is_some_and(|first| command_of(&first.text).is_some());
    let (mut is_fenced, mut is_open) = (false, false);
    let mut prefix = "";
    for (index, line) in lines.iter().enumerate() {
        if let Some(command) = command_of(&line.text) {
            if commands.len() == MOST_ENTRIES {
                break;
            }
            prefix = &line.text[..line.text.len() - line.text.trim_start().len()];
            let (text, output) = (command.to_owned(), Vec::new());
            commands.push(ShellCommand { line: index + 1, span: line.span.clone(), text, output });
            is_open = true;
            continue;
        }
        let text = line.text.strip_prefix(prefix).unwrap_or(&line.text);
        let is_fence = ["```", "~~~"].iter().any(|fence| text.starts_with(fence));
        is_fenced ^= is_fence;
        is_open &= !is_fence && (is_whole || is_fenced || !line.is_blank());
        if let Some(command) = commands.last_mut().filter(|_| is_open) {
            command.output.push(if text == BLANK { String::new() } else { text.to_owned() });
        }
    }
    for command in &mut commands {
        while command.output.last().is_some_and(String::is_empty) {
            command.output.pop();
        }
    }
    commands
}

/// The command after the prompt of a shell, if a line has one: `$ ls`, `ann@host:~$ ls`, `C:\ann> dir`.
fn command_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    // The name of an environment of Python stands before a prompt.
    let line = match line.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((_, rest)) => rest,
        None => line,
    };
    if matches!(line, "$" | "%") {
        return Some("");
    }
    let is_command = |command: &&str| command.starts_with(|ch: char| ch.is_alphabetic() || "./".contains(ch));
    let is_of_user = |prompt: &str| prompt.contains('@') || prompt.starts_with('~');
    if line.ends_with(['$', '%']) && is_of_user(line) || line.ends_with('>') && is_of_windows(line) {
        return Some("");
    }
    let plain = line.strip_prefix("$ ").or_else(|| line.strip_prefix("% "));
    if let Some(command) = plain.map(str::trim).filter(is_command) {
        return Some(command);
    }
    let (prompt, command) = line.split_once("$ ").or_else(|| line.split_once("% ")).unwrap_or_default();
    if is_of_user(prompt) {
        return Some(command.trim()).filter(is_command);
    }
    let (prompt, command) = line.split_once('>')?;
    Some(command.trim()).filter(|_| is_of_windows(prompt)).filter(is_command)
}

/// Whether a prompt has a folder of Windows.
fn is_of_windows(prompt: &str) -> bool {
    let folder = prompt.strip_prefix("PS ").unwrap_or(prompt);
    folder.get(1..3) == Some(":\\") && folder.starts_with(|ch: char| ch.is_ascii_alphabetic())
}

/// The name of the file that a command runs; that of a compiled program, run as `./sum`, has no extension.
fn program_in(command: &str) -> Option<String> {
    let words = shlex::split(command)?;
    let mut runs = words.rsplit(|word| word == "|");
    runs.find_map(|run| program_at(run).map(|(_, file)| file))
}

/// The place of the program in the words of a command, and its file.
fn program_at(words: &[String]) -> Option<(usize, String)> {
    let first = base(words.first()?);
    let name = first.trim_end_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    let at = if INTERPRETERS.contains(&name) {
        1 + words.iter().skip(1).position(|word| !word.starts_with('-'))?
    } else {
        0
    };
    let file = base(words.get(at)?);
    // Java is told the class.
    let file = if name == "java" && !file.contains('.') { format!("{file}.java") } else { file.to_owned() };
    let Some((_, extension)) = file.rsplit_once('.') else {
        return words[at].starts_with("./").then_some((at, file));
    };
    LANGUAGES.iter().any(|language| language.extensions.contains(&extension)).then_some((at, file))
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The file of an exercise's program that a command names.
fn program_of<'e>(exercise: &'e Exercise, program: &str) -> Option<&'e String> {
    let compiled = |file: &str| {
        let (stem, extension) = file.rsplit_once('.').unwrap_or_default();
        stem == program && languages::built().any(|language| language.extensions.contains(&extension))
    };
    exercise.programs.values().flatten().find(|file| *file == program || compiled(file))
}

/// The file that a command shows, and its content.
fn shown_file(command: &ShellCommand) -> Option<(String, String)> {
    let words = shlex::split(&command.text)?;
    let [shows, file] = words.as_slice() else { return None };
    let content = command.output.iter().map(|line| format!("{line}\n")).collect();
    matches!(shows.as_str(), "cat" | "type").then(|| (file.clone(), content))
}

/// The arguments and the input of a run.
struct RunInput {
    args: Vec<String>,
    stdin: Option<String>,
}

/// Reads how a command runs a program.
///
/// # Errors
/// It does what a case cannot, or reads a file that nobody has.
fn run_of(command: &ShellCommand, file: &dyn Fn(&str) -> Option<String>) -> Result<RunInput, Diagnostic> {
    let refuse = |message: String, help: &str| Diagnostic::new(message, command.span.clone()).help(help);
    let content = |path: &str| {
        let help = "put the file beside the session, or show it there with `cat`";
        file(path).ok_or_else(|| refuse(format!("`{path}` cannot be read"), help))
    };
    let words = shlex::split(&command.text).unwrap_or_default();
    let mut parts = words.rsplit(|word| word == "|");
    let run = parts.next().unwrap_or_default();
    if program_at(run).is_none() {
        let help = "write the step by hand";
        return Err(refuse("what reads the output of a program is not part of a case".to_owned(), help));
    }
    let mut stdin = None;
    if let Some(writer) = parts.next() {
        stdin = Some(match writer {
            [echo, words @ ..] if echo == "echo" => words.join(" ") + "\n",
            [printf, format] if printf == "printf" => format.replace("\\n", "\n").replace("\\t", "\t"),
            [cat, path] if cat == "cat" || cat == "type" => content(path)?,
            _ => {
                let message = "what is written to the program is not read".to_owned();
                return Err(refuse(message, "use `echo`, `printf` or `cat`, or `< file`"));
            }
        });
    }
    let mut args = Vec::new();
    let mut rest = run.iter().skip(program_at(run).map_or(0, |(at, _)| at + 1));
    while let Some(word) = rest.next() {
        if let Some(text) = word.strip_prefix("<<<") {
            let text = Some(text).filter(|text| !text.is_empty()).or_else(|| rest.next().map(String::as_str));
            stdin = Some(format!("{}\n", text.unwrap_or_default()));
        } else if let Some(path) = word.strip_prefix('<').filter(|path| !path.starts_with('<')) {
            let path = Some(path).filter(|path| !path.is_empty()).or_else(|| rest.next().map(String::as_str));
            stdin = Some(content(path.unwrap_or_default())?);
        } else if word.starts_with(['>', '<', ';', '&']) || word.starts_with("2>") || word.ends_with(';') {
            let help = "write the step by hand";
            return Err(refuse(format!("`{word}` of a shell is not part of a case"), help));
        } else {
            args.push(word.clone());
        }
    }
    Ok(RunInput { args, stdin })
}

/// A step that runs a program.
struct RunStep {
    line: usize,
    notes: Vec<String>,
    program: String,
    input: RunInput,
    turns: Vec<Turn>,
    expect: Expect,
}

/// The output of a program before it reads a line, and the line; none after the last output.
struct Turn {
    prints: String,
    typed: Option<String>,
}

impl RunInput {
    /// The step of a command that runs `program`.
    fn step(self, program: String, command: &ShellCommand, typed_after: &[String]) -> RunStep {
        let mut expect = Expect::default();
        let mut output = command.output.clone();
        if let Some(at) = output.iter().position(|line| line.contains(TRACEBACK)) {
            let error = output.iter().skip(at + 1).rfind(|line| !line.starts_with(' ')).cloned();
            expect.program.errors = error.map(|error| TextMatcher::Contains(vec![error]));
            expect.program.exit = Some(1);
            output.truncate(at + 1);
            // What the program asked stands on the same line.
            let asked = output.pop().and_then(|line| line.split(TRACEBACK).next().map(str::to_owned));
            output.extend(asked.filter(|asked| !asked.is_empty()));
        }
        let turns = if self.stdin.is_none() { turns(&output, typed_after) } else { Vec::new() };
        if turns.is_empty() {
            expect.prints = Some(TextMatcher::Plain(output.join("\n")));
        }
        RunStep { line: command.line, notes: Vec::new(), program, input: self, turns, expect }
    }
}

/// The turns of an output in which lines are typed; none if no line is.
fn turns(output: &[String], typed_after: &[String]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut prints = String::new();
    for line in output {
        // Spaces at the end of a line are lost, where nothing is typed.
        let ends = typed_after.iter().filter_map(|text| {
            let at = line.find(text.as_str()).map(|at| at..at + text.len());
            at.or_else(|| line.ends_with(text.trim_end()).then_some(line.len()..line.len()))
                .map(|at| (at, text))
        });
        let Some((at, text)) =
            ends.filter(|(_, text)| !text.trim().is_empty()).min_by_key(|(at, _)| at.start)
        else {
            prints.push_str(&format!("{line}\n"));
            continue;
        };
        prints.push_str(&line[..at.end]);
        let is_cut = at.is_empty();
        prints.push_str(if is_cut { &text[text.trim_end().len()..] } else { "" });
        turns.push(Turn { prints: std::mem::take(&mut prints), typed: Some(line[at.end..].to_owned()) });
    }
    if !turns.is_empty() && !prints.is_empty() {
        turns.push(Turn { prints, typed: None });
    }
    turns
}

impl RunStep {
    fn write(&self, exercise: &Exercise, out: &mut String) {
        let mut written = StepText::default();
        written.comment = (!self.notes.is_empty()).then(|| self.notes.join("\n"));
        written.key("run", string(&self.program));
        if !self.input.args.is_empty() {
            written.key("args", strings(self.input.args.iter().map(String::as_str)));
        }
        if let Some(stdin) = &self.input.stdin {
            // A few lines are as easy to read on one.
            written.key("stdin", if stdin.len() > 60 { text(stdin) } else { string(stdin) });
        }
        let mut expect = self.expect.clone();
        expect.tolerance = exercise.tolerance.clone();
        for (name, value) in expectation_keys(&expect, &exercise.tolerance) {
            written.key(name, value);
        }
        written.write(None, out);
        for Turn { prints, typed } in &self.turns {
            out.push_str(&format!("\n[[step.turn]]\nexpect = {}\n", string(&pattern(prints))));
            if let Some(typed) = typed {
                out.push_str(&format!("send = {}\n", string(typed)));
            }
        }
    }
}

/// A regular expression for exactly this text; one newline at its end does not count.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("^");
    let (text, end) = text.strip_suffix('\n').map_or((text, "$"), |text| (text, "\\n?$"));
    for ch in text.chars() {
        match ch {
            '\n' => pattern.push_str("\\n"),
            '\t' => pattern.push_str("\\t"),
            ch if "\\.+*?()|[]{}^$".contains(ch) => pattern.extend(['\\', ch]),
            ch => pattern.push(ch),
        }
    }
    pattern + end
}
