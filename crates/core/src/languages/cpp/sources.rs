//! Finds the sources that make one library: a file, those that its headers declare, and those that they include.

use super::scan_as;
use crate::languages::Language;
use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The sources in a folder that are compiled for the file `first`, as arguments of a compiler: it, and those that it
/// brings along, unless one of them includes it.
pub(in crate::languages) fn compiled_with(
    folder: &Path,
    first: &str,
    language: &'static Language,
) -> Vec<String> {
    let mut names = vec![first.to_owned()];
    let mut included = BTreeSet::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let Ok(bytes) = fs::read(folder.join(name)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        included.extend(included_in(&text));
        for import in scan_as(language, &text).imports {
            let import = base_name(&import).to_owned();
            if !names.contains(&import) {
                names.push(import);
            }
        }
    }
    let is_compiled = |name: &String| {
        name == first
            || crate::languages::of_file(name) == Some(language)
                && !included.contains(name)
                && folder.join(name).is_file()
    };
    // A name that begins with a hyphen is no option. Others stay as they are in messages.
    let argument = |name: &String| if name.starts_with('-') { format!("./{name}") } else { name.clone() };
    names.iter().filter(|name| is_compiled(name)).map(argument).collect()
}

/// Whether all of these sources in a folder include the whole standard library, each before all that may change its meaning.
pub(super) fn include_library<'n>(folder: &Path, names: impl IntoIterator<Item = &'n str>) -> bool {
    let includes = |name| {
        let bytes = fs::read(folder.join(name)).unwrap_or_default();
        includes_first(&String::from_utf8_lossy(&bytes))
    };
    let mut names = names.into_iter().peekable();
    names.peek().is_some() && names.all(includes)
}

/// Whether a source includes the whole standard library, before it defines a macro, includes a file of its own or has a
/// condition.
fn includes_first(source: &str) -> bool {
    static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)/\*.*?\*/"));
    static LIBRARY: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^[ \t]*#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"));
    static OTHER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?m)^[ \t]*#[ \t]*(?:define|undef|if|include[ \t]*")"#));
    let source = COMMENT.replace_all(source, "");
    LIBRARY.find(&source).is_some_and(|found| !OTHER.is_match(&source[..found.start()]))
}

/// The names of the files that a source includes, without their folders: they lie in one folder here.
pub(super) fn included_in(source: &str) -> impl Iterator<Item = String> {
    paths_in(source).into_iter().map(|path| base_name(&path).to_owned())
}

pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The includes of a source, with the path of each.
pub(super) static INCLUDES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?m)^([ \t]*#[ \t]*include[ \t]*)"(?:\./)*([^"\n]+)""#));

/// The paths of the files that a source includes.
pub(super) fn paths_in(source: &str) -> Vec<String> {
    INCLUDES.captures_iter(source).map(|found| found[2].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{compiled_with, include_library};
    use crate::languages::cpp::LANGUAGE;
    use std::fs;

    #[test]
    fn a_program_is_compiled_with_what_it_brings_along_and_no_other_program() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a.cpp", "#include \"sum.h\"\n#include \"part.cpp\"\nint main() {}\n"),
            ("-b.cpp", "int main() {}\n"),
            ("sum.h", "#include \"round.h\"\n"),
            ("sum.cpp", "#include \"sum.h\"\n"),
            ("round.h", ""),
            ("round.cc", ""),
            ("part.cpp", ""),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let sources = |first| compiled_with(folder.path(), first, &LANGUAGE);
        assert_eq!(sources("a.cpp"), ["a.cpp", "sum.cpp", "round.cc"]);
        assert_eq!(sources("-b.cpp"), ["./-b.cpp"]);
    }

    #[test]
    fn the_whole_standard_library_counts_if_nothing_before_it_may_change_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b.cpp"), "#include <string>\n").unwrap();
        for (text, expected) in [
            ("#include <vector>\n # include <bits/stdc++.h>\n#define A\nint main() {}\n", true),
            ("/* #define A */\n#include<bits/stdc++.h>\n", true),
            ("// #include <bits/stdc++.h>\n#include <string>\n", false),
            ("/*\n#include <bits/stdc++.h>\n*/\n", false),
            ("#define NDEBUG\n#include <bits/stdc++.h>\n", false),
            ("#include \"config.h\"\n#include <bits/stdc++.h>\n", false),
            ("#if 0\n#include <bits/stdc++.h>\n#endif\n", false),
        ] {
            fs::write(folder.path().join("a.cpp"), text).unwrap();
            assert_eq!(include_library(folder.path(), ["a.cpp"]), expected, "{text}");
            assert!(!include_library(folder.path(), ["a.cpp", "b.cpp"]), "{text}");
        }
        assert!(!include_library(folder.path(), []));
    }
}
