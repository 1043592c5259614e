//! Finds the functions in C that end without the value that they return, as the sanitizer of C++ does.
//!
//! C allows such an end where nobody uses the value, so its sanitizers look for none. But keur uses the value of each
//! function that an exercise declares. The compiler says which functions may end so, and the report that the sanitizer of
//! C++ makes is put at the end of those. A function that never comes to that end is not affected.

use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};
use std::sync::LazyLock;
use std::{fs, io};

/// The file that each source is compiled after. Its name has no ending of a source.
pub(super) const FILE: &str = "keur.ends";

/// Its text at first: the compiler refuses what may end without a value.
pub(super) const REFUSED: &str = "#pragma GCC diagnostic error \"-Wreturn-type\"\n";

/// The statement at an end. It has no comma, since it may be an argument of a macro.
const CHECK: &str = "__keur_end ";

/// A line of a source as the submission has it.
pub(super) fn own(line: &str) -> String {
    line.replace(CHECK, "")
}

/// A `return` without a value in a function that returns one, which C forbids and gcc takes.
const EMPTY: &str = "'return' with no value, in function returning non-void";

/// Whether the compiler refused only what C allows, because of the file's first text.
fn are_refused(said: &str) -> bool {
    let is_refusal = |line: &str| {
        line.contains(": error: ")
            && ["-Wreturn-type]", "=return-type]"].iter().any(|end| line.ends_with(end))
    };
    said.lines().any(is_refusal) && !said.contains(EMPTY)
}

/// Checks the ends that the compiler named, in the files of the folder `sources`, for the functions of these names, and
/// refuses none any more. Returns whether any were refused.
///
/// # Errors
/// A file cannot be written.
pub(super) fn check(said: &str, sources: &Path, names: &[String]) -> io::Result<bool> {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^(?:\./)?(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): error: (?:control reaches end of non-void function|non-void function does not return a value)",
        )
    });
    // Clang has errors of this name that it always refuses.
    let file = sources.join(FILE);
    let is_first = fs::read(&file).is_ok_and(|text| text == REFUSED.as_bytes());
    if !is_first || !are_refused(said) {
        return Ok(false);
    }
    fs::write(file, checking(names))?;
    let mut ends: BTreeMap<&Path, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for found in END.captures_iter(said) {
        let number = |name: &str| found[name].parse::<usize>().ok()?.checked_sub(1);
        if let (Some(file), Some(line), Some(column)) = (found.name("file"), number("line"), number("column"))
        {
            ends.entry(Path::new(file.as_str())).or_default().insert((line, column));
        }
    }
    ends.retain(|file, _| file.components().all(|part| matches!(part, Component::Normal(_))));
    let texts = ends.into_iter().filter_map(|(file, ends)| {
        let path = sources.join(file);
        let text = fs::read(&path).ok()?;
        Some((path, text, ends))
    });
    let texts: Vec<_> = texts.collect();
    // The place of an end may be another one.
    if texts.iter().any(|(_, text, _)| has_line_directive(text)) {
        return Ok(true);
    }
    texts.iter().try_for_each(|(path, text, ends)| fs::write(path, checked(text, ends)))?;
    Ok(true)
}

/// Whether a source says that its lines are others.
fn has_line_directive(text: &[u8]) -> bool {
    static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[ \t]*#[ \t]*(?:line|\d)"));
    LINE.is_match(&String::from_utf8_lossy(text))
}

/// The text of the file that defines the check for functions of these names.
fn checking(names: &[String]) -> String {
    let is_one: String =
        names.iter().map(|name| format!(" || !__builtin_strcmp(function, \"{name}\")")).collect();
    format!(
        "#define {CHECK}__keur_check(__func__, __FILE__, __LINE__);\n\
         static inline __attribute__((unused)) void __keur_check(const char *function, const char *file, unsigned line) {{\n\
         struct {{ const char *file; unsigned line, column; }} end = {{ file, line, 1 }};\n\
         extern void __ubsan_handle_missing_return(void *);\n\
         if (0{is_one}) __ubsan_handle_missing_return(&end);\n}}\n"
    )
}

/// A source with the check before the closing braces at these lines and columns in bytes, which count from 0.
fn checked(text: &[u8], ends: &BTreeSet<(usize, usize)>) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let mut from = 0;
        for (_, at) in ends.range((number, 0)..(number + 1, 0)) {
            // It is another sign where a macro has the brace.
            if line.get(*at) == Some(&b'}') {
                new.extend_from_slice(&line[from..*at]);
                new.extend_from_slice(CHECK.as_bytes());
                from = *at;
            }
        }
        new.extend_from_slice(&line[from..]);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::{FILE, REFUSED, are_refused, check, own};
    use std::fs;

    #[test]
    fn ends_are_checked_at_their_braces_in_the_submission_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        let text = "int f(int a) { if (a) { return 1; } } int g(int a) { if (a) return 1; }\nint h(int a)\n{\n\t}\n#define END }\nint i() { END }\n";
        fs::write(&path, text).unwrap();
        let said = "a.c: In function 'f':\n\
                    a.c:1:37: error: control reaches end of non-void function [-Werror=return-type]\n\
                    ./a.c:1:71: error: non-void function does not return a value in all control paths [-Werror,-Wreturn-type]\n\
                    a.c:4:2: error: control reaches end of non-void function [-Werror=return-type]\n\
                    a.c:6:11: error: control reaches end of non-void function [-Werror=return-type]\n\
                    ../a.c:2:1: error: control reaches end of non-void function [-Werror=return-type]\n\
                    gone.c:1:1: error: control reaches end of non-void function [-Werror=return-type]\n\
                    /usr/include/a.h:1:1: error: control reaches end of non-void function [-Werror=return-type]\n";
        assert!(are_refused(said));
        assert!(!are_refused("a.c:1:1: warning: control reaches end of non-void function [-Wreturn-type]\n"));
        assert!(!are_refused("a.c:1:1: error: 'b' undeclared\n"));
        let empty =
            "a.c:1:1: error: 'return' with no value, in function returning non-void [-Werror=return-type]\n";
        assert!(!are_refused(&format!("{said}{empty}")));
        let names = ["f".to_owned(), "h".to_owned()];
        assert!(!check(said, folder.path(), &names).unwrap());
        fs::write(folder.path().join(FILE), REFUSED).unwrap();
        assert!(check(said, folder.path(), &names).unwrap());
        assert!(!check(said, folder.path(), &names).unwrap());
        let expected = "int f(int a) { if (a) { return 1; } __keur_end } int g(int a) { if (a) return 1; __keur_end }\nint h(int a)\n{\n\t__keur_end }\n#define END }\nint i() { END }\n";
        let checked = fs::read_to_string(&path).unwrap();
        assert_eq!(checked, expected);
        assert_eq!(own(&checked), text);
        let check_of = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(
            check_of
                .contains("(0 || !__builtin_strcmp(function, \"f\") || !__builtin_strcmp(function, \"h\"))")
        );
        for directive in ["#line 4\n", " # 4 \"a.c\"\n"] {
            let moved = format!("{directive}{text}");
            fs::write(&path, &moved).unwrap();
            fs::write(folder.path().join(FILE), REFUSED).unwrap();
            assert!(check(said, folder.path(), &names).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), moved);
        }
    }
}
