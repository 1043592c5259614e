//! Reads what a compiler of C or C++ says.

use super::GLUE;
use super::common::{by_line, common, in_language, not_included, within_library};
use super::sources::base_name;
use crate::languages::pattern::pattern;
use crate::languages::{BuildPlace, CommonError, CompileError};
use crate::sandbox::tools::Finished;
use regex::Regex;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The most errors that are reported; the first ones explain the others.
const MOST_ERRORS: usize = 5;

/// The most errors that are read.
const MOST_READ: usize = 100;

/// The most characters of an error.
const MOST_TEXT: usize = 2000;

/// The mark of a function whose result is of a type of the standard library that was another one before C++11.
const ABI: &str = "[abi:cxx11]";

/// The type `std::string`, as the linker and the compilers write it.
static STRING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"std::__cxx11::basic_string<char(?:, std::char_traits<char>, std::allocator<char> )?>(?: (?P<end>>))?",
    )
});

/// The type that a name stands for, as it follows the name in messages.
static ALIAS: LazyLock<Regex> = LazyLock::new(|| pattern(r" (?:\{aka '[^']*'\}|\(aka '[^']*'\))"));

/// The folder of the submission, as debug information and a linker's messages name it.
pub(super) const MAPPED: &str = "/submission";

/// The errors of a run of a compiler, the first ones; never none.
pub(in crate::languages) fn of_run(finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
    let said = String::from_utf8_lossy(&finished.errors);
    found(&without_temporary(&said, &place.temporary), &place.sources)
}

/// The output of a compiler without the names of the files in its temporary folder, which no two runs share.
fn without_temporary(said: &str, temporary: &Path) -> String {
    static FILE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^[^\s:]+:(?:\d+: |{MAPPED}/)?")));
    let folder = format!("{}/", temporary.display());
    let mut parts = said.split(&folder);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &FILE.replace(part, ""))
}

/// The errors of a compiler in its output, the first ones; never none. The files of the submission are in `sources`.
/// Errors in the driver's own text count only if there are no others.
fn found(said: &str, sources: &Path) -> Vec<CompileError> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:In file included from |                 from )?([^:\s][^:]*):(\d+)(?::\d+)?[:,]\s*(.*)$",
        )
    });
    let mut errors: Vec<CompileError> = Vec::new();
    // The last line of the submission on the way to an error in a header of the system, and whether it is an `#include`.
    let mut passed = None;
    let mut is_include = false;
    for line in said.lines() {
        let Some(found) = PLACE.captures(line) else { continue };
        let file = found[1].trim_start_matches("./");
        let place = found[2].parse().ok().and_then(|number| place_of(sources, file, number));
        let says = &found[3];
        if let Some(note) = says.strip_prefix("note: ") {
            if let Some(last) = errors.last_mut() {
                let is_requested = note.ends_with("requested here");
                if is_requested && is_include && place.is_some() {
                    // Clang says after the error which line of the submission needs the header's template.
                    last.place = place;
                    is_include = false;
                    last.common = last.common.take().map(within_library);
                } else if is_requested || note.starts_with("to match this '{'") {
                    last.place = last.place.take().or(place);
                }
                last.common = not_included(note).or(last.common.take());
            }
            continue;
        }
        let text = ["error: ", "fatal error: "].iter().find_map(|begin| says.strip_prefix(begin));
        let text = text.or_else(|| says.starts_with("undefined reference to ").then_some(says));
        let Some(text) = text else {
            if place.is_some() {
                is_include = line.starts_with("In file included from ") || line.starts_with(' ');
                passed = place;
            }
            continue;
        };
        if errors.len() < MOST_READ {
            if file == GLUE && NOT_ENDED.iter().any(|words| text.contains(words)) {
                // The errors that follow are its consequences.
                let end = CompileError { place: end_of(sources), ..error("expected '}' at end of input") };
                errors.push(end);
                break;
            }
            let passed = passed.take().filter(|_| file != GLUE);
            is_include &= place.is_none() && passed.is_some();
            let is_within = place.is_none() && passed.is_some() && !is_include;
            let mut found = CompileError { place: place.or(passed), ..error(text) };
            if let Some((file, _, line)) = &found.place {
                found.common = by_line(text, found.common, line).map(|common| in_language(common, file));
            }
            if is_within {
                found.common = found.common.map(within_library);
            }
            errors.push(found);
        }
    }
    if errors.iter().any(|error| error.place.is_some()) {
        errors.retain(|error| error.place.is_some());
    }
    // A block that does not end is noticed last, and explains the others; but the end of a text that goes on may be its.
    let is_text = |error: &CompileError| matches!(error.common, Some(CommonError::NoQuote { .. }));
    let is_block =
        |error: &CompileError| matches!(&error.common, Some(CommonError::NoSign { sign }) if sign == "}");
    if let Some(at) = errors.iter().position(is_block).filter(|_| !errors.iter().any(is_text)) {
        errors[..=at].rotate_right(1);
    }
    errors.truncate(MOST_ERRORS);
    if errors.is_empty() {
        // Those of the linker, and of a program of the compiler that a limit ended.
        let known = [
            "multiple definition of", "undefined reference to", "required symbol",
            "internal compiler error: ",
        ];
        let found = said.lines().find_map(|line| {
            let at = known.iter().find_map(|words| line.find(words))?;
            line.get(at..)
        });
        let last = found.or_else(|| said.lines().rev().find(|line| !line.trim().is_empty()));
        errors.push(error(last.unwrap_or("the compiler gives no reason")));
    }
    errors
}

/// An error with this text, without what g++ adds to names and types of the standard library.
fn error(text: &str) -> CompileError {
    let text = plain(text);
    let common = common(&text);
    let text = text.chars().take(MOST_TEXT).collect();
    CompileError { text, place: None, withheld: None, unlisted: None, common }
}

/// A text of a compiler without what it adds to names and types.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace(ABI, "");
    ALIAS.replace_all(&STRING.replace_all(&text, "std::string$end"), "").into_owned()
}

/// The errors of compilers at the line that follows a submission of which a block does not end.
const NOT_ENDED: [&str; 4] = [
    "expected declaration or statement at end of input",
    "'namespace' definition is not allowed here",
    "expected unqualified-id before 'namespace'",
    "namespaces can only be defined in",
];

/// The last line of the submission that has text.
fn end_of(sources: &Path) -> Option<(String, usize, String)> {
    let glue = fs::read_to_string(sources.join(GLUE)).ok()?;
    let mut files = glue.lines().rev().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    let file = files.next()?;
    let text = String::from_utf8_lossy(&fs::read(sources.join(file)).ok()?).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().rposition(|line| !line.trim().is_empty())?;
    let line = lines[at];
    Some((file.to_owned(), at + 1, line.to_owned()))
}

/// A line of a file of the submission, with its text.
fn place_of(sources: &Path, file: &str, line: usize) -> Option<(String, usize, String)> {
    let file =
        file.strip_prefix(MAPPED).map_or(file, |file| file.trim_start_matches('/').trim_start_matches("./"));
    Some((file.to_owned(), line, source_line(sources, file, line)?))
}

/// The text of a line of a file of the submission.
pub(super) fn source_line(sources: &Path, file: &str, line: usize) -> Option<String> {
    if file.contains("..") || file.starts_with('/') || base_name(file) == GLUE {
        return None;
    }
    let bytes = fs::read(sources.join(file)).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().nth(line.checked_sub(1)?)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{GLUE, found, without_temporary};
    use crate::languages::CommonError;
    use std::fs;
    use std::path::Path;

    fn text(text: &str) -> String {
        text.to_owned()
    }

    /// The first error of a file whose third line this is, where the compiler says this of it.
    #[track_caller]
    fn first(file: &str, line: &str, said: &[&str]) -> Option<CommonError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(file), format!("\n\n{line}\n")).unwrap();
        let said: String = said.iter().map(|said| format!("{file}:3:1: {said}\n")).collect();
        found(&said, folder.path()).remove(0).common
    }

    #[test]
    fn a_block_that_does_not_end_is_said_where_the_submission_ends() {
        let sources = tempfile::tempdir().unwrap();
        let glue = "#include \"a.cpp\"\nnamespace keur_end {}\n";
        for (name, text) in [(GLUE, glue), ("a.cpp", "int f() {\n  if (1) {\n}\n\n")] {
            fs::write(sources.path().join(name), text).unwrap();
        }
        for says in [
            "'namespace' definition is not allowed here",
            "namespaces can only be defined in global",
            "expected declaration or statement at end of input",
        ] {
            let said = format!("{GLUE}:2:1: error: {says}\n/usr/include/vector:1:1: error: {says}\n");
            let found = found(&said, sources.path());
            let [error] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!(error.common, Some(CommonError::NoSign { sign: text("}") }));
            assert_eq!(error.place, Some((text("a.cpp"), 3, text("}"))));
        }
    }

    #[test]
    fn a_line_tells_more_than_the_message_about_it() {
        let quotes = Some(CommonError::SingleQuotes { text: text("abc") });
        for said in [
            "error: conversion from 'int' to non-scalar type 'std::string' {aka 'std::__cxx11::basic_string<char>'} requested",
            "error: could not convert '6382179' from 'int' to 'std::string' {aka 'std::__cxx11::basic_string<char>'}",
            "error: no match for 'operator==' in 's == 6382179' (operand types are 'std::string' {aka 'std::__cxx11::basic_string<char>'} and 'int')",
            "error: no viable conversion from 'int' to 'std::string' (aka 'basic_string<char>')",
            "error: no matching function for call to 'put'",
        ] {
            assert_eq!(first("box.cpp", "put(\"it's\" + 'abc');", &[said]), quotes, "{said}");
        }
        let types = CommonError::WrongType { from: text("int"), to: text("std::string") };
        let said = "error: no viable conversion from 'int' to 'std::string' (aka 'basic_string<char>')";
        assert_eq!(first("box.cpp", "std::string s = 1'000'000 + 'a'; // 'abc'", &[said]), Some(types));
        let quote = Some(CommonError::NoQuote { sign: text("\"") });
        let open = "return \"abc; }";
        let of_gcc = ["error: missing terminating \" character", "error: expected '}' at end of input"];
        assert_eq!(first("box.cpp", open, &of_gcc), quote);
        let of_clang = ["error: expected expression", "error: expected '}'", "note: to match this '{'"];
        assert_eq!(first("box.cpp", open, &of_clang), quote);
        assert_eq!(first("box.cpp", "return \"a\" + ;", &of_clang[..1]), None);
        assert_eq!(first("box.cpp", "    } else {", &of_clang[..1]), Some(CommonError::NoIf));
        let parenthesis = Some(CommonError::NoSign { sign: text(")") });
        assert_eq!(first("box.cpp", "if (a > 1 {", &["error: expected ';' before '{' token"]), parenthesis);
        let character = "if (c == '(') depth++ }";
        assert_eq!(
            first("box.cpp", character, &["error: expected ';' before '}' token"]),
            Some(CommonError::NoSemicolon)
        );
        let header =
            ["fatal error: vectors: No such file or directory", "fatal error: 'vectors' file not found"];
        for said in header {
            let system = CommonError::NoSystemHeader { header: text("vectors") };
            assert_eq!(first("box.cpp", "#include <vectors>", &[said]), Some(system));
            let own = CommonError::NoHeader { header: text("vectors") };
            assert_eq!(first("box.cpp", "#include \"vectors\"", &[said]), Some(own));
        }
        for (line, said) in [
            ("return a – 1;", "error: extended character – is not valid in an identifier"),
            ("return a – 1; // “b”", "error: stray '\\342' in program"),
            ("put(\"“\", '\\'', /* ” */ a – 1);", "error: unexpected character <U+2013>"),
        ] {
            let sign = Some(CommonError::Character { sign: text("–") });
            assert_eq!(first("box.c", line, &[said]), sign, "{line}");
        }
        let stray = Some(CommonError::Character { sign: text("#") });
        assert_eq!(first("box.cpp", "# \"“\"", &["error: stray '#' in program"]), stray);
        for line in ["int sum(int[] all) {", "int[] f() {"] {
            for said in ["error: expected ')'", "error: expected ',' or '...' before 'all'"] {
                assert_eq!(first("box.cpp", line, &[said]), Some(CommonError::Brackets));
            }
        }
        let said = "error: expected expression";
        assert_eq!(first("box.cpp", "delete[] a +;", &[said]), None);
        let other = |name, meant| Some(CommonError::OtherName { name: text(name), meant: text(meant) });
        assert_eq!(first("box.cpp", "std.cout << 1;", &[said]), other("std.", "std::"));
        let said = "error: expected ';' before 'return'";
        assert_eq!(first("box.c", "elif (a > 1) return 1;", &[said]), other("elif", "else if"));
        assert_eq!(first("box.c", "{", &["error: expected identifier or '('"]), Some(CommonError::NoHead));
        let said = "error: use of undeclared identifier 'nullptr'";
        assert_eq!(first("box.c", "p = nullptr;", &[said]), other("nullptr", "NULL"));
        assert_eq!(first("box.c", "p = None;", &[&said.replace("nullptr", "None")]), other("None", "NULL"));
        let (name, header) = (text("bool"), text("<stdbool.h>"));
        let of_c = Some(CommonError::NotIncluded { name, header });
        assert_eq!(first("box.c", "bool a;", &["error: unknown type name 'bool'"]), of_c);
        // A line may have all of these for another reason.
        let undeclared = |name| Some(CommonError::NotDeclared { name: text(name) });
        let said = "error: 'zz' was not declared in this scope";
        assert_eq!(first("box.cpp", "int elif = a; return elif + zz;", &[said]), undeclared("zz"));
        assert_eq!(first("box.cpp", "Ergebnis → */ return zz;", &[said]), undeclared("zz"));
        let said = "error: 'stack' was not declared in this scope; did you mean 'std::stack'?";
        assert_eq!(first("box.cpp", "stack.push(1);", &[said]), undeclared("stack"));
        let parenthesis = Some(CommonError::NoSign { sign: text(")") });
        for line in ["int g(int argc, char *argv[] int x)", "return [] mutable { return (1; };"] {
            assert_eq!(first("box.cpp", line, &["error: expected ')'"]), parenthesis);
        }
        assert_eq!(first("box.cpp", "mystd.grade = * ;", &["error: expected expression"]), None);
        let space = Some(CommonError::Character { sign: text("U+00A0") });
        assert_eq!(first("box.c", "return\u{a0}1;", &["error: stray '\\302' in program"]), space);
        let unknown = "error: unknown type name 'string'";
        let of_c = CommonError::NotDeclared { name: text("string") };
        assert_eq!(first("box.c", "string s;", &[unknown]), Some(of_c));
        let (name, header) = (text("printf"), text("<stdio.h>"));
        let printf = Some(CommonError::NotIncluded { name, header });
        for note in [
            "note: include '<stdio.h>' or provide a declaration of 'printf'",
            "note: include the header <stdio.h> or explicitly provide a declaration for 'printf'",
        ] {
            let said = ["error: implicit declaration of function 'printf' [-Werror=…]", note];
            assert_eq!(first("box.c", "printf(\"a\");", &said), printf);
        }
        let linked = "error: undefined reference to `put[abi:cxx11](std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)'";
        let name = text("put(std::string)");
        assert_eq!(first("box.cpp", "put();", &[linked]), Some(CommonError::NotDefined { name }));
    }

    #[test]
    fn the_first_error_is_at_the_students_line_without_the_drivers() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("box.cpp"), "int a;\nstd::vector<int> b;\n").unwrap();
        let said = "In file included from keur-glue.cpp:1:\n\
                    keur-glue.cpp:4:15: error: '::there' has not been declared\n\
                    /cache/keur.hpp:329:69: note: in definition of macro 'KEUR_FUNCTION'\n\
                    box.cpp:2:6: error: 'vector' in namespace 'std' does not name a template type\n\
                    box.cpp:1:1: note: 'std::vector' is defined in header '<vector>'; did you forget to '#include <vector>'?\n\
                    /usr/include/c++/12/iostream:61:18: error: no type\n";
        let errors = found(said, folder.path());
        let places: Vec<_> = errors.iter().map(|error| error.place.clone()).collect();
        let line = "std::vector<int> b;".to_owned();
        assert_eq!(places, [Some((text("box.cpp"), 2, line))]);
        let header = CommonError::NotIncluded { name: text("std::vector"), header: text("<vector>") };
        assert_eq!(errors[0].common, Some(header));
        let of_clang = found("box.cpp:2:1: error: use of undeclared identifier 'std'\n", folder.path());
        assert_eq!(of_clang[0].common, errors[0].common);
        let linked =
            "/usr/bin/ld: /tmp/a.o: in function `f':\n/submission/box.cpp:1: undefined reference to `g()'\n";
        assert_eq!(found(linked, folder.path())[0].place.as_ref().map(|place| place.1), Some(1));
        let open = format!(
            "In file included from box.cpp:1,\n                 from {GLUE}:2:\n/usr/include/c++/12/set:62: note: here\n\
             {GLUE}:4:8: error: expected unqualified-id before string constant\n\
             {GLUE}:6:17: error: expected '}}' at end of input\nbox.cpp:2:6: note: to match this '{{'\n\
             box.cpp:1:1: error: a function-definition is not allowed here before '{{' token\n"
        );
        let first = &found(&open, folder.path())[0];
        assert_eq!(first.text, "expected '}' at end of input");
        assert_eq!(first.place.as_ref().map(|place| place.1), Some(2));
        fs::write(folder.path().join(GLUE), "int f;\n").unwrap();
        let of_glue = found(&format!("/submission/./{GLUE}:1:1: error: no\n"), folder.path());
        assert_eq!(of_glue[0].place, None);
        // As clang++ does, with the linker's name of the file and an error within a template.
        let linked = "/submission/./box.cpp:2: undefined reference to `g()'\n";
        let place = |said| found(said, folder.path())[0].place.clone().map(|place| (place.0, place.1));
        assert_eq!(place(linked), Some((text("box.cpp"), 2)));
        let template = "In file included from box.cpp:1:\nIn file included from /usr/include/c++/12/algorithm:61:\n\
                        /usr/include/c++/12/bits/stl_algo.h:45:23: error: invalid operands\n\
                        /usr/include/c++/12/bits/stl_algo.h:1883:14: note: in instantiation of 'f' requested here\n\
                        box.cpp:2:10: note: in instantiation of function template specialization 'g' requested here\n\
                        box.cpp:1:10: note: in instantiation of 'h' requested here\n";
        assert_eq!(place(template), Some((text("box.cpp"), 2)));
        let needed = "In file included from box.cpp:1:\n/usr/include/c++/12/bits/stl_function.h: In instantiation of 'f':\n\
                      box.cpp:2:10:   required from here\n\
                      /usr/include/c++/12/bits/stl_function.h:408:20: error: no match for 'operator<' in '__x < __y' (operand types are 'const P' and 'const P')\n";
        let operator = Some(CommonError::NeedsOperator { class: text("P") });
        assert_eq!(found(needed, folder.path())[0].common, operator);
        let of_clang = template
            .replace("invalid operands", "invalid operands to binary expression ('const P' and 'const P')");
        assert_eq!(found(&of_clang, folder.path())[0].common, operator);
        let own = "box.cpp:1:1: error: no\nbox.cpp:2:10: note: in instantiation of 'h' requested here\n";
        assert_eq!(place(own), Some((text("box.cpp"), 1)));
        let nowhere = found("keur-glue.cpp:4:15: error: no\n", folder.path());
        assert_eq!((nowhere.len(), nowhere[0].text.as_str()), (1, "no"));
    }

    #[test]
    fn no_message_names_a_file_that_only_one_run_has() {
        let said = "/t/a/cc1.s: Assembler messages:\n/t/a/cc1.s:7: Error: file not found: x\n";
        let twice = "/usr/bin/ld: /t/a/cc2.o:/submission/b.c:3: multiple definition of `f'; /t/a/cc1.o:/submission/a.c:7: first defined here\n\
                     collect2: error: ld returned 1 exit status\n";
        let limit = "gcc: internal compiler error: File size limit exceeded signal terminated program as\n\
                     Please submit a full bug report.\n";
        for (said, text) in [
            (said, "Error: file not found: x"),
            (twice, "multiple definition of `f'; a.c:7: first defined here"),
            (limit, "internal compiler error: File size limit exceeded signal terminated program as"),
        ] {
            let said = without_temporary(said, Path::new("/t/a"));
            assert_eq!(found(&said, Path::new("/t/b"))[0].text.trim(), text);
        }
    }
}
