//! Fingerprints: what is left of sources without names, blanks and comments.
//!
//! Each name counts as the place where it first stands in its file, so that renaming changes nothing. Texts and numbers
//! count as they are. A docstring is a comment.

use super::files::language;
use super::lexer::{self, SourceToken};
use crate::class::digest::{KeyDigest, digest};
use std::collections::{BTreeMap, HashMap};

/// With fewer tokens two sources are the same by chance, or by what the exercise asks.
const FEWEST_TOKENS: usize = 40;

/// The fingerprint of a submission; `None` if it has no source that is read, or too little of it.
pub(super) fn fingerprint(files: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let mut count = 0;
    let mut sources = Vec::new();
    for (path, bytes) in files {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some(language) = language(name) else { continue };
        let text = String::from_utf8_lossy(bytes);
        let Some(tokens) = lexer::tokens(language, text.trim_start_matches('\u{feff}')) else {
            continue;
        };
        count += tokens.len();
        sources.push(of_file(language, &tokens));
    }
    // What the files are called does not count either.
    sources.sort();
    (count >= FEWEST_TOKENS).then(|| digest(&sources))
}

fn of_file(language: &str, tokens: &[SourceToken<'_>]) -> String {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut file = KeyDigest::new();
    file.add(language);
    for token in tokens {
        match token {
            SourceToken::Name(name) => {
                let next = places.len();
                file.add(format!("name {}", places.entry(name).or_insert(next)));
            }
            SourceToken::Same(text) => file.add(text),
            SourceToken::Layout(sign) => file.add(format!("layout {sign}")),
        }
    }
    file.digits()
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use std::collections::BTreeMap;

    fn of(name: &str, text: &str) -> Option<String> {
        fingerprint(&BTreeMap::from([(name.to_owned(), text.as_bytes().to_vec())]))
    }

    #[track_caller]
    fn check(name: &str, one: &str, other: &str, alike: bool) {
        // A tail that makes it long enough.
        let tail = "tail(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22);\n";
        let [one, other] = [one, other].map(|text| of(name, &format!("{text}\n{tail}")).unwrap());
        assert_eq!(one == other, alike, "{name}");
    }

    #[test]
    fn names_blanks_and_comments_do_not_count_in_python() {
        let one = "class Board:\n    '''A board.'''\n    def add(self, n):  # adds\n        return f'{n + 1!r:>{n}} and {self.n}'\n";
        let other =
            "# mine\nclass Bord:\n  def voeg_toe(zelf,m):\n    return (f'{m+1!r:>{m}} and {zelf.m}')\n";
        check("a.py", one, &other.replace("(f'", "f'").replace("}')", "}'"), true);
        check("a.py", one, &one.replace("+ 1", "+ 2"), false);
        check("a.py", one, &one.replace("and", "or"), false);
        check("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", false);
        check("a.py", "a = [1,\n\n  2]\n", "b = [1, 2] # two\n", true);
        check("a.py", "x = 'a'\n", "x = '''a'''\n", false);
        check("a.py", "a = b + c\n", "a = b + b\n", false);
        check("a.py", "s = rb'#' + \"\\\"#\"\n", "t = rb'#' + \"\\\"#\" # comment\n", true);
    }

    #[test]
    fn names_blanks_and_comments_do_not_count_in_the_other_languages() {
        check(
            "a.js",
            "let a = /x\\/y/g.test(`<${b + 1}>`); // c",
            "let q=/x\\/y/g.test(`<${z+1}>`) /* d */;",
            true,
        );
        check("a.js", "let a = 1;", "const a = 1;", false);
        check(
            "a.ts",
            "function f(a: number): number { return a; }",
            "function g(b:number):number{return b}",
            false,
        );
        check(
            "a.ts",
            "function f(a: number): number { return a }",
            "function g(b:number):number{return b}",
            true,
        );
        check(
            "A.java",
            "class A { char c = '\"'; /* x */ String s = \"//\"; }",
            "class B{char d='\"';String t=\"//\";}",
            true,
        );
        check(
            "a.rs",
            "fn f<'a>(x: &'a str) -> char { r#\"\"\"#; 'x' } /* a /* b */ c */",
            "fn g<'b>(y:&'b str)->char{r#\"\"\"#;'x'}",
            true,
        );
        check("a.rs", "fn f() -> char { 'x' }", "fn f() -> char { 'y' }", false);
    }

    #[test]
    fn little_source_has_no_fingerprint() {
        assert_eq!(of("a.py", "print(int(input()) + int(input()))\n"), None);
        assert_eq!(of("a.txt", &"word ".repeat(100)), None);
    }
}
