//! A mistake of each kind, for tests.

use super::{
    DeclaredMistake, JudgedMistake, LoadMistake, MatchMistake, Mistake, NameMistake, PartProblem,
    ProgramMistake, RaiseMistake, StopMistake, TextMistake, ValueMistake, WrittenProblem,
};
use crate::compare::Share;
use crate::languages::{CommonError, CompileError};
use crate::sandbox::Exit;
use crate::submission::{BuildProblem, FileKind, FilesProblem, SkippedFile, SubmissionProblem, ZipProblem};
use crate::value::oracle::Refusal;

fn text(text: &str) -> String {
    text.to_owned()
}

/// A mistake of each kind: every variant, and every message that it may have.
pub(crate) fn samples() -> Vec<Mistake> {
    let all =
        [values(), texts(), raises(), names(), judged(), programs(), matches(), stops(), loads(), builds()];
    let files = files().into_iter().map(|problem| Mistake::Submission(SubmissionProblem::Files(problem)));
    all.into_iter().flatten().chain(files).collect()
}

fn values() -> Vec<Mistake> {
    let all = [
        ValueMistake::Unexpected,
        ValueMistake::OtherKind { expected: text("list"), got: text("str") },
        ValueMistake::Swapped { expected: text("[0, 1]"), got: text("[1, 0]") },
        ValueMistake::Order,
        ValueMistake::Items { missing: 1, extra: 0 },
        ValueMistake::Items { missing: 0, extra: 2 },
        ValueMistake::Items { missing: 1, extra: 2 },
        ValueMistake::Type { expected: text("int"), got: text("str") },
        ValueMistake::InnerType,
        ValueMistake::InnerSubclass { kind: text("Counter") },
        ValueMistake::NotPlain { kind: text("Card") },
        ValueMistake::Printed,
        ValueMistake::NoneReturned,
        ValueMistake::NoneForObject,
        ValueMistake::AnotherObject,
        ValueMistake::LookAlike,
        ValueMistake::SameObject { name: text("b") },
        ValueMistake::TooLarge,
        ValueMistake::Deferred { kind: text("generator") },
    ];
    all.map(Mistake::Value).into()
}

fn texts() -> Vec<Mistake> {
    let part = |why| TextMistake::Part { part: text("a"), why };
    let all = [
        TextMistake::Unexpected,
        TextMistake::NoText { kind: text("int") },
        TextMistake::OfObject { method: text("__str__") },
        TextMistake::OfNone,
        TextMistake::Output,
        TextMistake::NoOutput,
        TextMistake::StandardError,
        TextMistake::Returned,
        TextMistake::MoreOutput,
        TextMistake::Prompts,
        TextMistake::WhileLoading,
        TextMistake::TrailingBlanks,
        TextMistake::FinalNewlines,
        TextMistake::FirstLetter { expected: text("a") },
        TextMistake::Capitals,
        TextMistake::Replaced { expected: ' ', got: '?' },
        TextMistake::Exchanged { one: 'X', other: 'O' },
        TextMistake::Joined { lines: 3, by: text(" ") },
        TextMistake::Blanks,
        TextMistake::Lines { expected: 2, got: 1 },
        part(PartProblem::Missing),
        part(PartProblem::Order),
        part(PartProblem::Capitals),
        part(PartProblem::Blanks),
        TextMistake::Form,
        TextMistake::MissingLines { first: text("a"), count: 2 },
        TextMistake::ExtraLines { first: text("a"), count: 2 },
    ];
    all.map(Mistake::Text).into()
}

fn raises() -> Vec<Mistake> {
    let all = [
        RaiseMistake::NotRaised,
        RaiseMistake::MessagePrinted,
        RaiseMistake::MessageReturned,
        RaiseMistake::Unexpected,
        RaiseMistake::Panic,
        RaiseMistake::Undefined,
        RaiseMistake::Leak,
        RaiseMistake::Assertion,
        RaiseMistake::Terminated,
        RaiseMistake::ArgumentRefused,
        RaiseMistake::NotCallable,
        RaiseMistake::Declared(DeclaredMistake::Parameter {
            name: text("claim"),
            number: 1,
            own: text("char *"),
            asked: text("int"),
        }),
        RaiseMistake::Declared(DeclaredMistake::Returned {
            name: text("sum"),
            own: text("int"),
            asked: text("long"),
        }),
        RaiseMistake::Declared(DeclaredMistake::Count { name: text("sum"), own: 1, asked: 2 }),
        RaiseMistake::Declared(DeclaredMistake::Fields {
            name: text("struct point"),
            asked: text("int x; int y"),
        }),
        RaiseMistake::Declared(DeclaredMistake::NoType { name: text("struct point") }),
        RaiseMistake::Declared(DeclaredMistake::NotPublic { name: text("claim") }),
        RaiseMistake::Declared(DeclaredMistake::Variable { name: text("claim") }),
        RaiseMistake::Declared(DeclaredMistake::NoConstructor { name: text("Quixo") }),
        RaiseMistake::Declared(DeclaredMistake::Abstract { name: text("Shape") }),
        RaiseMistake::NotWritten,
        RaiseMistake::PastInput { lines: 2 },
        RaiseMistake::NoString { name: text("__str__"), class: text("NoneType") },
        RaiseMistake::FewParameters { class: text("Board"), name: text("turn") },
        RaiseMistake::AnotherType,
        RaiseMistake::NearMessage,
        RaiseMistake::AnotherMessage,
        RaiseMistake::AnotherException,
    ];
    all.map(Mistake::Raise).into()
}

fn names() -> Vec<Mistake> {
    let (class, name) = (|| text("Board"), || text("turn"));
    let near = || Some(text("turns"));
    let all = [
        NameMistake::NoDefinition { name: name(), near: None },
        NameMistake::NoDefinition { name: name(), near: near() },
        NameMistake::NoMethod { class: class(), name: name(), near: None },
        NameMistake::NoMethod { class: class(), name: name(), near: near() },
        NameMistake::NoMethod { class: class(), name: text("operator<<"), near: None },
        NameMistake::MethodOfNothing { class: class(), name: name() },
        NameMistake::MethodOfValue { class: class(), name: name() },
        NameMistake::Property { class: class(), name: name() },
        NameMistake::NoAttribute { class: class(), name: name(), near: None },
        NameMistake::NoAttribute { class: class(), name: name(), near: near() },
        NameMistake::AttributeOfNothing { class: class(), name: name() },
        NameMistake::AttributeOfValue { class: class(), name: name() },
        NameMistake::NotAttribute { class: class(), name: name() },
    ];
    all.map(Mistake::Name).into()
}

fn judged() -> Vec<Mistake> {
    let all = [
        JudgedMistake::Refused(Refusal::NoAnswer),
        JudgedMistake::Refused(Refusal::Illegal),
        JudgedMistake::Refused(Refusal::WinMissed),
        JudgedMistake::Refused(Refusal::LosesTheGame),
        JudgedMistake::Refused(Refusal::LosesMaterial),
        JudgedMistake::Check { message: Some(text("look at the sum")), share: Share::NONE },
        JudgedMistake::Check { message: None, share: Share::NONE },
        JudgedMistake::Check { message: None, share: Share::new(0.5).unwrap() },
    ];
    all.map(Mistake::Judged).into()
}

fn programs() -> Vec<Mistake> {
    let written = |problem| ProgramMistake::Written { file: text("out.txt"), problem };
    let all = [
        ProgramMistake::Dialogue,
        ProgramMistake::EndedEarly,
        ProgramMistake::Status,
        written(WrittenProblem::Missing),
        written(WrittenProblem::Folder),
        written(WrittenProblem::Irregular),
        written(WrittenProblem::TooLarge),
        written(WrittenProblem::Binary),
        written(WrittenProblem::Empty),
        written(WrittenProblem::Text(Box::new(Mistake::Text(TextMistake::Blanks)))),
    ];
    all.map(Mistake::Program).into()
}

fn matches() -> Vec<Mistake> {
    let all = [
        MatchMistake::GamesLost { games: 4, lost: 1 },
        MatchMistake::Games { games: 4, needed: 3, got: 2 },
        MatchMistake::Changed,
    ];
    all.map(Mistake::Match).into()
}

fn stops() -> Vec<Mistake> {
    let all = [
        StopMistake::CpuLimit,
        StopMistake::WallLimit,
        StopMistake::MemoryLimit,
        StopMistake::OutputLimit,
        StopMistake::FilesLimit,
        StopMistake::Ended(Exit::Code(3)),
        StopMistake::Ended(Exit::Unknown),
        StopMistake::Ended(Exit::Signal(4)),
        StopMistake::Ended(Exit::Signal(6)),
        StopMistake::Ended(Exit::Signal(11)),
        StopMistake::Protocol(text("a reply without a question")),
        StopMistake::NotReady { why: text("no reply") },
    ];
    all.map(Mistake::Stop).into()
}

fn loads() -> Vec<Mistake> {
    let all = [
        LoadMistake::Syntax,
        LoadMistake::NewerSyntax { what: text("match"), since: text("3.10"), version: text("3.9") },
        LoadMistake::Loading,
        LoadMistake::AsksInput,
        LoadMistake::NoModule { name: text("cards") },
        LoadMistake::NotAllowed { name: text("numpy") },
        LoadMistake::NoFile { file: text("cards.py") },
        LoadMistake::NoProgram { file: text("main.py") },
    ];
    all.map(Mistake::Load).into()
}

fn builds() -> Vec<Mistake> {
    let unspecific =
        CompileError { text: text("not found"), place: None, withheld: None, unlisted: None, common: None };
    let withheld = CompileError { withheld: Some(text("keur_core::grade")), ..unspecific.clone() };
    let unlisted = CompileError { unlisted: Some(text("rand")), ..unspecific.clone() };
    let name = || text("board");
    let common = [
        CommonError::NoSemicolon,
        CommonError::NoSign { sign: text("}") },
        CommonError::Unopened,
        CommonError::NotDeclared { name: name() },
        CommonError::NoNamespace { name: text("cout") },
        CommonError::NoQuote { sign: text("\"") },
        CommonError::SingleQuotes { text: text("abc") },
        CommonError::NoIf,
        CommonError::NoMain,
        CommonError::NotIncluded { name: text("std::vector"), header: text("<vector>") },
        CommonError::NoHeader { header: text("board.h") },
        CommonError::OtherName { name: text("String"), meant: text("std::string") },
        CommonError::NoReturnType { name: Some(name()) },
        CommonError::NoReturnType { name: None },
        CommonError::NoSystemHeader { header: text("vectors") },
        CommonError::Arguments { name: Some(name()) },
        CommonError::Arguments { name: None },
        CommonError::WrongType { from: text("const char*"), to: text("int") },
        CommonError::NotDefined { name: name() },
        CommonError::NoVirtualBody { class: text("Shape") },
        CommonError::NoStatic { name: text("Box::made") },
        CommonError::NeedsOperator { class: text("Box") },
        CommonError::NoSign { sign: text(")") },
        CommonError::Redefined { name: name() },
        CommonError::NoOperator { left: text("Quixo"), right: text("int") },
        CommonError::NotPrinted { class: text("std::vector<int>") },
        CommonError::Private { name: name() },
        CommonError::Constant,
        CommonError::NoMember { class: text("Quixo"), name: name() },
        CommonError::NoMembers,
        CommonError::Pointer { name: Some(name()) },
        CommonError::Pointer { name: None },
        CommonError::Arrow,
        CommonError::Character { sign: text("“") },
        CommonError::Brackets,
        CommonError::NoHead,
        CommonError::NestedFunction,
        CommonError::VoidUsed,
        CommonError::VoidReturns,
        CommonError::ReturnsNothing,
        CommonError::CaseJump,
        CommonError::SameCase,
        CommonError::NotConstant,
        CommonError::NoSwitch,
        CommonError::TooManyValues,
        CommonError::NoLoop,
        CommonError::ArrayAssigned,
        CommonError::NotAssignable,
        CommonError::NotPointer { class: text("int") },
        CommonError::NoItems,
        CommonError::NotFunction,
        CommonError::NotCalled,
        CommonError::Abstract { class: text("Shape") },
        CommonError::Conflicting { name: name() },
    ];
    let common = common.map(|common| vec![CompileError { common: Some(common), ..unspecific.clone() }]);
    let all = [
        BuildProblem::Errors(Vec::new()),
        BuildProblem::Errors(vec![withheld]),
        BuildProblem::Errors(vec![unlisted]),
        BuildProblem::TooSlow,
        BuildProblem::ProgramGone { test: text("tests/grade.rs") },
    ];
    let all = all.into_iter().chain(common.map(BuildProblem::Errors));
    all.map(|problem| Mistake::Submission(SubmissionProblem::Build(problem))).collect()
}

fn files() -> Vec<FilesProblem> {
    let file = || text("an.py");
    let no_source = |wanted: &[&str], found: &[FileKind]| FilesProblem::NoSource {
        wanted: wanted.iter().map(|name| text(name)).collect(),
        found: found.iter().map(|kind| (kind.clone(), 2)).collect(),
    };
    let several =
        |wanted: &[String]| FilesProblem::Several { found: vec![file(); 7], wanted: wanted.to_vec() };
    let extension = |text: &str| FileKind::Extension(text.to_owned());
    let kinds = [FileKind::Picture, FileKind::Plain, FileKind::Hidden, FileKind::Link, extension("docx")];
    let mut all = vec![
        no_source(&[], &[]),
        no_source(&["an.py"], &[]),
        no_source(&[], &[extension("docx")]),
        no_source(&["an.py"], &kinds),
        FilesProblem::NoManifest,
        FilesProblem::NotInherited { key: text("edition") },
        FilesProblem::NoTest { test: text("tests/grade.rs") },
        FilesProblem::BuildScript { file: text("build.rs") },
        FilesProblem::Link { to: file() },
        several(&[]),
        several(&[file()]),
        FilesProblem::Notebook { file: file() },
        FilesProblem::Empty { file: file() },
        FilesProblem::Utf16 { file: file() },
        FilesProblem::Binary { file: file() },
        FilesProblem::TooLarge { file: file(), most: 1 << 20 },
        FilesProblem::TooLargeTogether { most: 1 << 20 },
        FilesProblem::TooMany { most: 1000 },
        FilesProblem::TooSlow { seconds: 10 },
        FilesProblem::Contested,
        FilesProblem::Irregular { file: file() },
        FilesProblem::Unreadable { file: file(), why: text("permission denied") },
    ];
    let skipped = [
        SkippedFile::Link(file()),
        SkippedFile::Irregular(file()),
        SkippedFile::OutsideZip(file()),
        SkippedFile::Unkept(file()),
        SkippedFile::TooLarge(file()),
        SkippedFile::Unlisted(text("permission denied")),
        SkippedFile::Magics(text("board.ipynb")),
        SkippedFile::More(2),
    ];
    all.extend(skipped.map(|skipped| FilesProblem::NothingRead { skipped }));
    let zips = [
        ZipProblem::Damaged,
        ZipProblem::Zip64,
        ZipProblem::Directory,
        ZipProblem::Password,
        ZipProblem::Method,
    ];
    all.extend(zips.map(|why| FilesProblem::BadZip { file: file(), why }));
    all
}
