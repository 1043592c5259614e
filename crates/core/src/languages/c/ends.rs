//! Finds the functions in C that end without the value that they return, as the sanitizer of C++ does.
//!
//! C allows such an end where nobody uses the value, so its sanitizers look for none. But keur uses the value of each
//! function that an exercise declares. The compiler says which functions may end so, and the call that the sanitizer of
//! C++ makes is put at the end of those. A function that never comes to that end is not affected.

use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Component, Path};
use std::sync::LazyLock;
use std::{fs, io};

/// The first line of a glue: the compiler refuses what may end without a value.
pub(super) const REFUSED: &str = "#pragma GCC diagnostic error \"-Wreturn-type\"\n";

/// Whether the compiler refused something because of that line.
pub(super) fn are_refused(said: &str) -> bool {
    said.lines().any(|line| {
        line.contains(": error: ") && (line.ends_with("-Wreturn-type]") || line.ends_with("=return-type]"))
    })
}

/// Checks the ends that the compiler named, in the files of the folder `sources`, for the functions of these names.
///
/// # Errors
/// A file cannot be written.
pub(super) fn check(said: &str, sources: &Path, names: &[String]) -> io::Result<()> {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^(?:\./)?(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): error: (?:control reaches end of non-void function|non-void function does not return a value)",
        )
    });
    let mut ends: BTreeMap<&str, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for found in END.captures_iter(said) {
        let number = |name: &str| found[name].parse::<usize>().ok()?.checked_sub(1);
        if let (Some(file), Some(line), Some(column)) = (found.name("file"), number("line"), number("column"))
        {
            ends.entry(file.as_str()).or_default().insert((line, column));
        }
    }
    let check = checking(names);
    for (file, ends) in ends {
        let file = Path::new(file);
        if file.components().all(|part| matches!(part, Component::Normal(_))) {
            let path = sources.join(file);
            // A `#line` of the submission may name a file that is not there.
            if let Ok(text) = fs::read(&path) {
                fs::write(path, checked(&text, &ends, &check))?;
            }
        }
    }
    Ok(())
}

/// The statement that reports the end of one of these functions.
fn checking(names: &[String]) -> String {
    let is_one: Vec<String> =
        names.iter().map(|name| format!("!__builtin_strcmp(__func__, \"{name}\")")).collect();
    let mut text = format!("if ({}) {{ ", is_one.join(" || "));
    text.push_str(
        "static struct { const char *file; unsigned line, column; } keur_end = { __FILE__, __LINE__, 1 }; ",
    );
    let _ = write!(text, "extern void {HANDLER}(void *); {HANDLER}(&keur_end); }} ");
    text
}

/// The function of the sanitizer that reports a missing value, and ends the program.
const HANDLER: &str = "__ubsan_handle_missing_return";

/// A source with this statement before the closing braces at these lines and columns, which count from 0.
fn checked(text: &[u8], ends: &BTreeSet<(usize, usize)>, check: &str) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let mut from = 0;
        for (_, column) in ends.range((number, 0)..(number + 1, 0)) {
            // Gcc counts what precedes a brace as it is displayed, which is something else for tabs.
            let only = line.iter().position(|byte| !byte.is_ascii_whitespace());
            let is_brace = |at: &usize| line.get(*at) == Some(&b'}');
            if let Some(at) =
                Some(*column).filter(is_brace).or(only.filter(is_brace)).filter(|at| *at >= from)
            {
                new.extend_from_slice(&line[from..at]);
                new.extend_from_slice(check.as_bytes());
                from = at;
            }
        }
        new.extend_from_slice(&line[from..]);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::{are_refused, check};
    use std::fs;

    #[test]
    fn ends_are_checked_at_their_braces_in_the_submission_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        let text = "int f(int a) { if (a) { return 1; } } int g(int a) { if (a) return 1; }\nint h(int a)\n{\n\t}\n#define END }\nint i() { END\n";
        fs::write(&path, text).unwrap();
        let said = "a.c: In function 'f':\n\
                    a.c:1:37: error: control reaches end of non-void function [-Werror=return-type]\n\
                    ./a.c:1:71: error: non-void function does not return a value in all control paths [-Werror,-Wreturn-type]\n\
                    a.c:4:9: error: control reaches end of non-void function [-Werror=return-type]\n\
                    a.c:6:11: error: control reaches end of non-void function [-Werror=return-type]\n\
                    ../a.c:2:1: error: control reaches end of non-void function [-Werror=return-type]\n\
                    gone.c:1:1: error: control reaches end of non-void function [-Werror=return-type]\n\
                    /usr/include/a.h:1:1: error: control reaches end of non-void function [-Werror=return-type]\n";
        assert!(are_refused(said));
        assert!(!are_refused("a.c:1:1: warning: control reaches end of non-void function [-Wreturn-type]\n"));
        assert!(!are_refused("a.c:1:1: error: 'b' undeclared\n"));
        check(said, folder.path(), &["f".to_owned(), "h".to_owned()]).unwrap();
        let check = "if (!__builtin_strcmp(__func__, \"f\") || !__builtin_strcmp(__func__, \"h\")) \
                     { static struct { const char *file; unsigned line, column; } keur_end = { __FILE__, __LINE__, 1 }; \
                     extern void __ubsan_handle_missing_return(void *); __ubsan_handle_missing_return(&keur_end); } ";
        let expected = format!(
            "int f(int a) {{ if (a) {{ return 1; }} {check}}} int g(int a) {{ if (a) return 1; {check}}}\nint h(int a)\n{{\n\t{check}}}\n#define END }}\nint i() {{ END\n"
        );
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
}
