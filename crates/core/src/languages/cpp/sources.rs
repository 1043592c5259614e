//! Finds the sources that make one library: a file, those that its headers declare, and those that they include.

use super::scan_as;
use crate::languages::Language;
use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::BTreeSet;
use std::ffi::OsStr;
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

/// Whether the files of this folder include the whole standard library, each before all that may change its meaning.
pub(super) fn include_library(folder: &Path, language: &'static Language) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let sources = paths.filter(|path| {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        language.extensions.contains(&extension) || language.headers.contains(&extension)
    });
    let first = sources.filter_map(|path| includes_first(&String::from_utf8_lossy(&fs::read(path).ok()?)));
    // False if one does not, and if there is none.
    first.reduce(|all, one| all && one).unwrap_or_default()
}

/// Whether a source includes the whole standard library before it defines a macro, includes a file of its own or has a
/// condition, but for the guard of a header; `None` if it does not include it.
fn includes_first(source: &str) -> Option<bool> {
    static GUARD: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"#[ \t]*ifndef[ \t]+\w+\s+#[ \t]*define[ \t]+\w+[ \t]*\r?\n"));
    static LIBRARY: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^[ \t]*#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"));
    static OTHER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?m)^[ \t]*#[ \t]*(?:define|undef|if|include[ \t]*")"#));
    let before = &source[..LIBRARY.find(source)?.start()];
    Some(!OTHER.is_match(&GUARD.replace(before, "")))
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
        for (name, text, expected) in [
            ("a.cpp", "#include <vector>\n # include <bits/stdc++.h>\nint main() {}\n", true),
            ("a.h", "#include<bits/stdc++.h>\n", true),
            ("a.txt", "#include <bits/stdc++.h>\n", false),
            ("a.cpp", "// #include <bits/stdc++.h>\n#include <string>\n", false),
            ("a.h", "#ifndef A_H\n#define A_H\n#include <bits/stdc++.h>\n#define A\n#endif\n", true),
            ("a.cpp", "#define NDEBUG\n#include <bits/stdc++.h>\n", false),
            ("a.cpp", "#include \"config.h\"\n#include <bits/stdc++.h>\n", false),
            ("a.cpp", "#if 0\n#include <bits/stdc++.h>\n#endif\n", false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), text).unwrap();
            assert_eq!(include_library(folder.path(), &LANGUAGE), expected, "{name}: {text}");
            fs::write(folder.path().join("b.cpp"), "#define A\n#include <bits/stdc++.h>\n").unwrap();
            assert!(!include_library(folder.path(), &LANGUAGE), "{name}: {text}");
        }
    }
}
