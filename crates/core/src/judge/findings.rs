//! Makes the finding of a failed step: the session, both sides, the exception and the mistake.

use super::session::{SessionWriter, ShownStep, conversation};
use crate::adapter::{ActionResult, Dialect, Exception, Halt, StepTranscript};
use crate::case::{
    Case, CasePlace, CaseStep, Exercise, Line, Naming, Node, PlanStep, StepNo, definitions_in,
};
use crate::compare::{
    self, Failure, LoadMistake, Mistake, NameMistake, Reach, StopMistake, Verdict, without_addresses,
};
use crate::event::{ExceptionReport, Finding, Place, SessionLine};
use crate::languages::{self, Version};
use crate::messages::shortened;
use crate::submission::{BuildProblem, Found, SubmissionProblem};
use crate::value::Text;
use std::path::Path;

/// The most characters of the expected and of the actual value in a finding.
const MOST_SIDE: usize = 8000;

/// The most characters of the output of a line in a finding, or of what it gave.
pub(super) const MOST_PRINTED: usize = 2000;

/// Writes the findings of a case of a submission.
pub(super) struct Findings<'a> {
    pub(super) case: &'a Case,
    pub(super) naming: Naming<'a>,
    pub(super) dialect: &'a Dialect,
    pub(super) found: Option<&'a Found>,
    pub(super) exercise: &'a Exercise,
}

impl Findings<'_> {
    /// The finding of a step that failed, by the transcripts of all steps; `game` are the lines that show the
    /// failure if the step is a match.
    pub(super) fn finding(
        &self,
        step: CaseStep<'_>,
        failure: Failure,
        transcripts: &[StepTranscript],
        game: Option<&[Line]>,
    ) -> Finding {
        let result = transcripts.get(step.number.index()).map(|step| &step.result);
        // A program and a game are shown by themselves, calls with the steps before them.
        let mut session = match (result.and_then(ActionResult::program), game) {
            (Some(program), _) => conversation(step.number, program, failure.at),
            (None, Some(lines)) => self.game_session(step.number, lines),
            (None, None) => self.session(step, failure.at, transcripts),
        };
        for line in &mut session {
            line.gave = shortened(&line.gave, MOST_PRINTED).into_owned();
        }
        let observation = result.and_then(|result| result.observations().get(failure.at));
        let printed = observation.map(|observation| String::from_utf8_lossy(&observation.output));
        let printed = printed.filter(|text| !text.is_empty() && failure.verdict != Verdict::WrongOutput);
        let errors = match game {
            Some(_) => Vec::new(),
            // An interpreter without memory may or may not write of it, as chance has it.
            None if failure.verdict.is_an_end() => errors_before(step.number, failure.at, transcripts),
            None => errors_before(step.number, failure.at + 1, transcripts),
        };
        let errors = without_addresses(&String::from_utf8_lossy(&errors));
        // The lines of a game are not those of its step.
        let failed_line = match game {
            Some(lines) => lines.last(),
            None => step.plan.lines().get(failure.at),
        };
        // A game is lost by many moves, and its last line may be the other side's.
        let at_fault = failed_line.filter(|_| !matches!(failure.mistake, Mistake::Match(_)));
        let call = at_fault.and_then(|line| self.call_at_fault(&line.node, &failure.mistake));
        let side = |text: Option<String>| {
            let text = text.map(|text| match failed_line {
                Some(line) => self.writer([line]).value_text(line, text),
                None => text,
            });
            text.map(|text| both_ends(text, MOST_SIDE))
        };
        Finding {
            verdict: failure.verdict,
            step: Some(step.number),
            mistake: failure.mistake,
            session,
            expected: side(failure.expected),
            got: side(failure.got),
            exception: failure.exception.as_ref().map(|raised| self.exception(raised)),
            printed: printed.map(|text| both_ends(text.into_owned(), MOST_PRINTED)),
            errors: (!errors.is_empty()).then(|| both_ends(errors, MOST_PRINTED)),
            place: CasePlace::default(),
            call,
            returns_errors: self.dialect.notation().syntax().returns_errors,
        }
    }

    /// The session of a case up to and including the zero-based line of a step that failed.
    fn session(
        &self,
        failed: CaseStep<'_>,
        failed_line: usize,
        transcripts: &[StepTranscript],
    ) -> Vec<SessionLine> {
        let plan = &self.case.plan;
        let shown = plan.steps.iter().take(failed.number.get());
        let writer = self.writer(shown.flat_map(PlanStep::lines));
        // A case that only runs programs imports nothing.
        let mut session = if plan.needs_load() { writer.imports(&plan.definitions()) } else { Vec::new() };
        for (index, planned) in plan.steps.iter().enumerate().take(failed.number.get()) {
            let lines = planned.lines();
            let observations = transcripts.get(index).map(StepTranscript::observations).unwrap_or_default();
            let number = StepNo::at(index);
            session.extend(writer.step(&if number == failed.number {
                let is_last_line = lines.len().saturating_sub(1) == failed_line;
                ShownStep {
                    number,
                    lines: &lines[..lines.len().min(failed_line + 1)],
                    prints_last: is_last_line && failed.expect.shows.is_some(),
                    has_failed: true,
                    // Below the failing line stand both sides of the difference, not what it gave.
                    observations: &observations[..failed_line.min(observations.len())],
                }
            } else {
                let prints_last = planned.calls().is_some_and(|calls| calls.want.text);
                ShownStep { number, lines, prints_last, has_failed: false, observations }
            }));
        }
        session
    }

    /// The session of a game of the match at a step.
    fn game_session(&self, number: StepNo, lines: &[Line]) -> Vec<SessionLine> {
        let writer = self.writer(lines);
        let mut session = writer.imports(&definitions_in(lines));
        session.extend(writer.step(&ShownStep {
            number,
            lines,
            prints_last: false,
            has_failed: false,
            observations: &[],
        }));
        session
    }

    /// The writer of a session with the objects that these lines make.
    fn writer<'w>(&'w self, lines: impl IntoIterator<Item = &'w Line>) -> SessionWriter<'w> {
        let files = self.found.map(|found| &found.bundle);
        SessionWriter::new(&self.naming, self.dialect).with_objects(lines).with_files(files)
    }

    /// The function, method or class that a line calls; if it uses a method or attribute of nothing or of a plain
    /// value, the one that returned that.
    fn call_at_fault(&self, node: &Node, mistake: &Mistake) -> Option<String> {
        match (node, mistake) {
            (
                Node::Method { on, name, .. },
                Mistake::Name(
                    NameMistake::MethodOfNothing { name: missing, .. }
                    | NameMistake::MethodOfValue { name: missing, .. },
                ),
            ) if self.naming.spell(name) == *missing => self.callee(on),
            (Node::Text(on), Mistake::Name(NameMistake::MethodOfNothing { name, .. }))
                if name == self.dialect.notation().syntax().text_method =>
            {
                self.callee(on)
            }
            (
                Node::Attribute { on, name },
                Mistake::Name(
                    NameMistake::AttributeOfNothing { name: missing, .. }
                    | NameMistake::AttributeOfValue { name: missing, .. },
                ),
            ) if self.naming.spell(name) == *missing => self.callee(on),
            // The text of what a call gave shows what the call did, unless the text has the wrong form.
            (Node::Method { on, name, .. }, Mistake::Text(_))
                if name == self.dialect.notation().syntax().text_method
                    && mistake.traits().reach == Reach::Result =>
            {
                self.callee(on).or_else(|| self.callee(node))
            }
            (
                Node::Method { on, .. },
                Mistake::Name(NameMistake::MethodOfNothing { .. } | NameMistake::MethodOfValue { .. }),
            )
            | (
                Node::Text(on) | Node::Attribute { on, .. } | Node::Index { on, .. } | Node::Slice { on, .. },
                _,
            ) => self.call_at_fault(on, mistake),
            (Node::Operation(_, args) | Node::Builtin(_, args), _) => {
                args.iter().find_map(|arg| self.call_at_fault(arg, mistake))
            }
            _ => self.callee(node),
        }
    }

    /// The function, method or class that a line calls last.
    fn callee(&self, node: &Node) -> Option<String> {
        match node {
            Node::Function { name, .. } | Node::Method { name, .. } | Node::New { class: name, .. } => {
                Some(self.naming.spell(name))
            }
            Node::Text(on) | Node::Attribute { on, .. } | Node::Index { on, .. } | Node::Slice { on, .. } => {
                self.callee(on)
            }
            Node::Operation(_, args) | Node::Builtin(_, args) => args.iter().find_map(|arg| self.callee(arg)),
            _ => None,
        }
    }

    /// The finding of a submission that was stopped while loading.
    pub(super) fn halted_load(&self, halt: &Halt) -> Finding {
        let failure = compare::halted(halt, 0);
        Finding { verdict: failure.verdict, ..self.load_error(failure.mistake, None) }
    }

    /// The finding of a submission that raised while loading, before everything required was defined.
    pub(super) fn raised_load(&self, raised: &Exception) -> Finding {
        let message = raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        let quoted = message.split('\'').nth(1).unwrap_or_default().to_owned();
        let mistake = match raised.kind.as_str() {
            "MemoryError" | "std::bad_alloc" => Mistake::Stop(StopMistake::MemoryLimit),
            "EOFError" => Mistake::Load(LoadMistake::AsksInput),
            "ModuleNotFoundError" => match self.requested(&quoted) {
                Some(file) => Mistake::Load(LoadMistake::NoFile { file }),
                None => self.no_module(quoted),
            },
            // A path is one of the submission's own files.
            _ if message.starts_with("Cannot find module '") && quoted.contains('/') => {
                Mistake::Load(LoadMistake::NoFile { file: self.file_at(&quoted) })
            }
            _ if message.contains("is not available to a submission") => {
                Mistake::Load(LoadMistake::NoModule { name: quoted })
            }
            // The compiler of the engine rejects it, and its error is the exception.
            _ if raised.syntax.as_ref().is_some_and(|syntax| syntax.well_formed) => {
                Mistake::Submission(SubmissionProblem::Build(BuildProblem::Errors(Vec::new())))
            }
            _ if raised.syntax.is_some() => {
                self.newer_syntax(raised).unwrap_or(Mistake::Load(LoadMistake::Syntax))
            }
            _ => Mistake::Load(LoadMistake::Loading),
        };
        let verdict = if mistake == Mistake::Stop(StopMistake::MemoryLimit) {
            Verdict::MemoryLimit
        } else {
            Verdict::LoadError
        };
        Finding { verdict, ..self.load_error(mistake, Some(self.exception(raised))) }
    }

    /// The finding of a submission that lacks a definition of this name, in its own spelling; `near` was
    /// probably meant.
    pub(super) fn undefined(&self, name: String, near: Option<String>) -> Finding {
        let mistake = match self.lacking().into_iter().next() {
            Some(file) if near.is_none() => Mistake::Load(LoadMistake::NoFile { file }),
            Some(_) | None => Mistake::Name(NameMistake::NoDefinition { name, near }),
        };
        self.load_error(mistake, None)
    }

    /// The mistake of a module that is not found.
    fn no_module(&self, name: String) -> Mistake {
        let top = name.split('.').next().unwrap_or_default();
        if self.dialect.barred.iter().any(|barred| barred == top) {
            Mistake::Load(LoadMistake::NotAllowed { name: top.to_owned() })
        } else {
            Mistake::Load(LoadMistake::NoModule { name })
        }
    }

    /// The requested file that holds a module, if the submission lacks it.
    fn requested(&self, module: &str) -> Option<String> {
        let language = self.dialect.language.known()?;
        self.lacking().into_iter().find(|file| (language.module)(file) == module)
    }

    /// The file that an import names by its path, perhaps without its extension.
    fn file_at(&self, path: &str) -> String {
        let path = path.trim_start_matches("./");
        let extension = self.dialect.language.known().and_then(|language| language.extensions.first());
        match extension {
            Some(extension) if Path::new(path).extension().is_none() => format!("{path}.{extension}"),
            Some(_) | None => path.to_owned(),
        }
    }

    /// The requested files that a submission lacks, if it has another one of them. A single file may have any
    /// name.
    fn lacking(&self) -> Vec<String> {
        let requested = self.exercise.files_in(self.dialect.name());
        let files = self.found.map(|found| found.bundle.files.as_slice()).unwrap_or_default();
        let has = |name: &&String| files.iter().any(|file| file.name.eq_ignore_ascii_case(name));
        if !requested.iter().any(|name| has(&name)) {
            return Vec::new();
        }
        requested.iter().filter(|name| !has(name)).cloned().collect()
    }

    /// A finding from before the first step.
    pub(super) fn load_error(&self, mistake: Mistake, exception: Option<ExceptionReport>) -> Finding {
        let finding = Finding::before_the_first_step(Verdict::LoadError, mistake);
        Finding { exception, ..finding }
    }

    /// An exception for a report.
    pub(super) fn exception(&self, raised: &Exception) -> ExceptionReport {
        let mut places = places(raised, self.found);
        let mut text = compare::exception_text(raised);
        if let Some(syntax) = &raised.syntax {
            let source =
                self.found.and_then(|found| found.line(&syntax.file, syntax.line)).unwrap_or_default();
            // The lines that import the file stand before its own.
            places.retain(|place| (&place.file, place.line) != (&syntax.file, syntax.line));
            places.push(Place {
                file: syntax.file.clone(),
                cell: None,
                line: syntax.line,
                function: String::new(),
                source,
            });
            if let Some(brief) = &syntax.brief {
                text = format!("{}: {brief}", raised.kind);
            }
        }
        for place in &mut places {
            self.locate(place);
        }
        ExceptionReport { text, places }
    }

    /// Names the cell of a place in a notebook.
    fn locate(&self, place: &mut Place) {
        let files = self.found.map(|found| found.bundle.files.as_slice()).unwrap_or_default();
        let file = files.iter().find(|file| file.name == place.file);
        if let Some(file) = file
            && let Some(notebooks) = languages::notebooks(&file.name)
            && let Some((cell, line)) = (notebooks.cell_of)(&String::from_utf8_lossy(&file.bytes), place.line)
        {
            (place.cell, place.line) = (Some(cell), line);
        }
    }

    /// Whether a syntax error is on a line that a newer interpreter accepts.
    fn newer_syntax(&self, raised: &Exception) -> Option<Mistake> {
        let syntax = raised.syntax.as_ref()?;
        let found = self.found?;
        let line = found.line(&syntax.file, syntax.line)?;
        let version = Version::parse(&self.dialect.version)?;
        let engine = self.dialect.engine?;
        let newer = (engine.newer_syntax)(&line, version)?;
        Some(Mistake::Load(LoadMistake::NewerSyntax {
            what: newer.what.to_owned(),
            since: format!("{} {}", engine.language.title, newer.since.release()),
            version: format!("{} {}", engine.language.title, self.dialect.version),
        }))
    }
}

/// The standard error of a case up to this zero-based line of the step that failed.
fn errors_before(failed: StepNo, line: usize, transcripts: &[StepTranscript]) -> Vec<u8> {
    let until = transcripts.iter().take(failed.get()).enumerate();
    let lines = until.flat_map(|(index, step)| {
        let lines = step.result.observations();
        let is_failed = StepNo::at(index) == failed;
        &lines[..if is_failed { lines.len().min(line) } else { lines.len() }]
    });
    lines.flat_map(|line| line.errors.iter().copied()).collect()
}

/// The places in an exception's trace, each with its line of the submission.
fn places(raised: &Exception, found: Option<&Found>) -> Vec<Place> {
    raised
        .trace
        .iter()
        .map(|frame| Place {
            file: frame.file.clone(),
            cell: None,
            line: frame.line,
            function: frame.function.clone(),
            source: found.and_then(|found| found.line(&frame.file, frame.line)).unwrap_or_default(),
        })
        .collect()
}

/// A text, of which a long middle is left out: its beginning, how much that is, and its end.
fn both_ends(text: String, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let end = most / 4;
    let at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let (cut, rest) = (at(most - end), at(count - end));
    format!("{}\n… {} KB …\n{}", &text[..cut], (rest - cut).div_ceil(1000), &text[rest..])
}

#[cfg(test)]
mod tests {
    use super::both_ends;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        assert_eq!(both_ends("abcé".to_owned(), 4), "abcé");
        let long = format!("begin{}end", "é".repeat(2000));
        let shown = both_ends(long, 12);
        assert_eq!(shown, "beginéééé\n… 4 KB …\nend");
    }
}
