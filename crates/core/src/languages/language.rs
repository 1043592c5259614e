//! The definition of a language: a row of the registry.

use super::build::Build;
use super::convention::Convention;
use super::engine::Engine;
use super::pattern::pattern;
use crate::value::notation::Notation;
use std::fmt;

/// A programming language that submissions are written in.
#[non_exhaustive]
pub struct Language {
    /// The name in exercise files: `python`.
    pub name: &'static str,
    /// The display name: `Python`.
    pub title: &'static str,
    /// Extensions of its source files, without the dot.
    pub extensions: &'static [&'static str],
    /// Extensions of files that its source files include, without the dot: headers.
    pub(crate) headers: &'static [&'static str],
    /// The language whose code runs in it too: JavaScript, for TypeScript.
    #[doc(hidden)]
    pub extends: Option<&'static Language>,
    /// The notation of values and statements.
    pub notation: &'static dyn Notation,
    /// The spelling of names of functions and methods, as long as no driver says otherwise.
    #[doc(hidden)]
    pub convention: Convention,
    /// Whether arguments can be given by keyword.
    pub(crate) keywords: bool,
    /// The built-in exception types: an exercise's expected type counts only if it is listed here.
    pub(crate) exceptions: &'static [&'static str],
    /// The exception types that the language itself raises for a mistake in a program: they never count as a
    /// type that the language does not have.
    pub(crate) crashes: &'static [&'static str],
    /// Finds what a source file defines and imports, without running it.
    #[doc(hidden)]
    pub scan: fn(source: &str) -> Scan,
    /// A regular expression for a line that defines the function, method or class `NAME`.
    pub(crate) definition: &'static str,
    /// The name by which a file's module is loaded.
    #[doc(hidden)]
    pub module: fn(file: &str) -> String,
    /// The notebooks that its sources may be in.
    pub(crate) notebooks: Option<&'static Notebooks>,
    /// The engines: the first one is the default, unless it is missing. A language that is built needs none.
    pub engines: &'static [&'static Engine],
    /// The build of its submissions, if they are built into programs.
    #[doc(hidden)]
    pub build: Option<&'static Build>,
}

/// Notebooks: files of cells, which are made a source.
#[cfg_attr(not(feature = "files"), expect(dead_code, reason = "only files are read"))]
pub(crate) struct Notebooks {
    /// The extension of the files, without the dot.
    pub(crate) extension: &'static str,
    /// The largest file, in bytes: most of it is output.
    pub(crate) largest: u64,
    /// The source in a file; `None` if that is no notebook.
    pub(crate) source: fn(&[u8]) -> Option<String>,
    /// The number of the cell that a line of a source is in, and the line in the cell, both from 1.
    pub(crate) cell_of: fn(source: &str, line: usize) -> Option<(usize, usize)>,
    /// Whether lines of a source were left out.
    pub(crate) has_blanked: fn(source: &str) -> bool,
}

impl Language {
    /// The line, from 1, of a source file that defines the function, method or class `name` first.
    #[cfg_attr(
        not(any(test, feature = "formats")),
        expect(dead_code, reason = "only annotations need a line")
    )]
    pub(crate) fn defining_line(&self, source: &str, name: &str) -> Option<usize> {
        let defines = pattern(&self.definition.replace("NAME", &regex::escape(name)));
        source.lines().position(|line| defines.is_match(line)).map(|index| index + 1)
    }

    /// Whether keur works fully without the default engine of the language.
    pub fn is_optional(&self) -> bool {
        self.engines.first().is_none_or(|engine| engine.optional)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}

/// The definitions and imports of a source file, found by reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Names it defines at the top level.
    pub defines: Vec<String>,
    /// Imported modules that may be files next to it.
    pub imports: Vec<String>,
}

#[cfg(test)]
mod tests {
    use crate::languages::find;

    #[track_caller]
    fn check(language: &str, line: &str, defines: bool) {
        let source = format!("\n{line}\n");
        let found = find(language).unwrap().defining_line(&source, "turn");
        assert_eq!(found, defines.then_some(2), "{language}: {line}");
    }

    #[test]
    fn a_definition_is_told_from_a_use() {
        for (language, definitions, uses) in [
            (
                "python",
                &["def turn(self):", "    async def turn(", "class turn:", "turn = lambda: 1"][..],
                &["x = turn()", "def turns():", "    turn(1)", "turn == 1"][..],
            ),
            (
                "javascript",
                &[
                    "function turn(a) {", "  turn(a, b) {", "const turn = (a) => a;", "export class turn {",
                    "  async turn() {", "  get turn() {",
                ],
                &["  turn(1);", "const turns = 1;", "x = turn(a);", "  this.turn = 1;"],
            ),
            (
                "typescript",
                &[
                    "  public turn(a: number): string {",
                    "export function turn<T>(a: T) {",
                    "const turn: Turn = (a) => a;",
                ],
                &["  turn(1);", "  return turn(a);"],
            ),
            (
                "java",
                &["    public int turn(int a) {", "class turn {", "    turn(int a) {"],
                &["    turn(1);", "    x = turn(2);", "    return turn(1);"],
            ),
            (
                "rust",
                &["    pub fn turn(&self) -> u8 {", "struct turn;"],
                &["    turn(1);", "    let turn = 1;"],
            ),
            (
                "cpp",
                &[
                    "int turn(int a) {",
                    "    char *turn(const std::string &a) const",
                    "class turn : public Game {",
                    "struct turn { int side; };",
                    "class turn final",
                    "void Game::turn(int a)",
                    "    int turn() const { return side; }",
                    "    turn(int side) : side(side) {",
                    "std::vector<int> turn(std::vector<int> sides = {}) {",
                ],
                &[
                    "    turn(1);", "    return turn(a);", "class turn;", "int turn(int a);",
                    "    turn({1, 2});", "    game.turn(1)", "    x = turn(1", "    if (turn(1)) {",
                    "// the turn (of a side)", "int turns(int a) {", "    std::unique_ptr<turn> a;",
                ],
            ),
            (
                "c",
                &["static int *turn(void) {", "struct turn {", "int turn(int a)"],
                &["    turn(1);", "int turn(int);", "    struct turn a = {1};", "    a = turn(1);"],
            ),
        ] {
            definitions.iter().for_each(|line| check(language, line, true));
            uses.iter().for_each(|line| check(language, line, false));
        }
    }
}
