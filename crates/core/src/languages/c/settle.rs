//! Settles a glue by what the compiler says of its lines: what is not there goes, and the reason stands in place of what
//! is of another type.

use super::types::Declared;
use crate::languages::cpp::GLUE;
use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The most characters of a reason.
const MOST_WHY: usize = 400;

/// A line of the glue that points to a function.
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\(\*const keur_f_(?P<name>\w+)\)\(.*\) = \w+; // (?P<asked>.*)$"));

/// The names of the functions that a glue points to.
pub(super) fn functions(glue: &str) -> Vec<String> {
    glue.lines().filter_map(|line| Some(FUNCTION.captures(line)?["name"].to_owned())).collect()
}

/// The glue after a compilation that said this. It stays as it is if the submission itself has an error.
pub(super) fn settled(glue: &str, said: &str) -> String {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$")
    });
    // Those of each line, the first one first.
    let mut errors: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for found in said.lines().filter_map(|line| ERROR.captures(line)) {
        if found["file"] != *GLUE {
            return glue.to_owned();
        }
        if let (Ok(line), Some(text)) = (found["line"].parse(), found.name("text")) {
            errors.entry(line).or_default().push(text.as_str());
        }
    }
    let mut lines: Vec<String> = glue.lines().map(str::to_owned).collect();
    let wrong: Vec<Struct> = Struct::all(&lines, &errors);
    for found in &wrong {
        found.settle(&mut lines);
    }
    for (line, errors) in errors {
        let Some(line) = lines.get_mut(line.wrapping_sub(1)) else { continue };
        if let Some(settled) = settled_function(line, &errors, &wrong) {
            *line = settled;
        }
    }
    // A struct with other fields is passed in another way, though its name is the same.
    for line in &mut lines {
        let Some(found) = FUNCTION.captures(line) else { continue };
        if let Some(other) = wrong.iter().find(|other| has_word(line, &other.name)) {
            *line = refusal(&found["name"], &other.reason(), &found["asked"]);
        }
    }
    let undefined: BTreeSet<&str> = said.lines().filter_map(undefined).collect();
    for line in &mut lines {
        // Declared, but nowhere defined.
        if FUNCTION.captures(line).is_some_and(|found| undefined.contains(&found["name"])) {
            line.clear();
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The name that the linker does not find.
fn undefined(line: &str) -> Option<&str> {
    line.split_once("undefined reference to `")?.1.strip_suffix('\'')
}

/// A struct of the submission that is not the one that is asked.
struct Struct {
    class: String,
    /// Its type in C.
    name: String,
    /// Why; `None` if there is none of its name.
    why: Option<String>,
}

impl Struct {
    /// The structs at whose lines there are errors.
    fn all(lines: &[String], errors: &BTreeMap<usize, Vec<&str>>) -> Vec<Struct> {
        static MARK: LazyLock<Regex> =
            LazyLock::new(|| pattern(r"// struct (?P<class>\w+): (?P<name>[^:]+): (?P<fields>.*)$"));
        let mut all: Vec<Struct> = Vec::new();
        for line in errors.keys() {
            let Some(found) = lines.get(line.wrapping_sub(1)).and_then(|line| MARK.captures(line)) else {
                continue;
            };
            let (class, name) = (found["class"].to_owned(), found["name"].to_owned());
            if all.iter().any(|known| known.class == class) {
                continue;
            }
            let is_there = !lines[line - 1].starts_with("enum ");
            let why = is_there.then(|| format!("the fields of `{name}` are not `{}`", &found["fields"]));
            all.push(Struct { class, name, why });
        }
        all
    }

    /// Puts the reason in place of the lines that compare it.
    fn settle(&self, lines: &mut [String]) {
        let mark = format!("// struct {}: ", self.class);
        let last = format!("const char keur_t_{}[]", self.class);
        for line in lines.iter_mut().filter(|line| line.contains(&mark)) {
            let is_last = line.starts_with(&last);
            *line = match &self.why {
                Some(why) if is_last => format!("{last} = {};", quoted(why)),
                Some(_) | None => String::new(),
            };
        }
    }

    fn reason(&self) -> String {
        self.why.clone().unwrap_or_else(|| format!("there is no type `{}`", self.name))
    }
}

/// The line in place of that of a function with these errors; `None` if it is no such line.
fn settled_function(line: &str, errors: &[&str], wrong: &[Struct]) -> Option<String> {
    static MISSING: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^(?:use of undeclared identifier )?'(?P<name>\w+)'(?: undeclared|; did you mean |$)")
    });
    let found = FUNCTION.captures(line)?;
    let (name, asked) = (&found["name"], &found["asked"]);
    if errors.iter().filter_map(|error| MISSING.captures(error)).any(|missing| missing["name"] == *name) {
        return Some(String::new());
    }
    let why = match wrong.iter().find(|found| has_word(line, &found.name)) {
        Some(found) => found.reason(),
        None => why(errors.first()?, asked),
    };
    Some(refusal(name, &why, asked))
}

/// Whether a text has this word, or these words.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// The line that gives the reason why a function cannot be called.
fn refusal(name: &str, why: &str, asked: &str) -> String {
    format!("const char keur_w_{name}[] = {};", quoted(&format!("{why} ({asked})")))
}

/// Why a function is not the one that is asked.
fn why(error: &str, asked: &str) -> String {
    static TYPES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^initialization of '(?P<asked>[^']+)'(?: \{aka '(?P<asked_as>[^']+)'\})? from incompatible pointer type '(?P<own>[^']+)'(?: \{aka '(?P<own_as>[^']+)'\})?",
        )
    });
    // As clang says it.
    static FUNCTIONS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^incompatible function pointer types initializing '(?P<asked>[^']+)'(?: \(aka '(?P<asked_as>[^']+)'\))? with an expression of type '(?P<own>[^']+)'(?: \(aka '(?P<own_as>[^']+)'\))?",
        )
    });
    if let Some(found) = TYPES.captures(error).or_else(|| FUNCTIONS.captures(error)) {
        let text = |name: &str, or: &str| {
            found.name(name).or_else(|| found.name(or)).map_or("", |found| found.as_str())
        };
        let own = FunctionType::of_pointer(text("own", "own"));
        let own_as = FunctionType::of_pointer(text("own_as", "own"));
        let asked_as = FunctionType::of_pointer(text("asked_as", "asked"));
        if let (Some(own), Some(own_as), Some(asked_as), Some(asked)) =
            (own, own_as, asked_as, FunctionType::declared(asked))
        {
            return own.difference(&own_as, &asked_as, &asked);
        }
    }
    if let Some((_, name)) = error.split_once("unknown type name '") {
        format!("there is no type `{}`", name.split('\'').next().unwrap_or(name))
    } else if error.starts_with("expected expression before") || error.starts_with("unexpected type name") {
        "it is a type, not a function".to_owned()
    } else if error.contains("makes pointer from integer")
        || error.contains("integer to pointer conversion")
        || error.contains("initializer element is not ")
        || error.contains("incompatible types when initializing")
        || error.contains("with an expression of incompatible type")
        || error.contains("incompatible pointer types initializing")
    {
        "it is a variable, not a function".to_owned()
    } else {
        format!("the compiler says: {error}")
    }
}

/// The types of a function.
struct FunctionType {
    returns: String,
    parameters: Vec<String>,
}

impl FunctionType {
    /// Those of a pointer as gcc and clang write it: `int (*)(int *, size_t)`; clang writes a function without `(*)`.
    fn of_pointer(text: &str) -> Option<FunctionType> {
        let (returns, rest) = text.split_at(text.find('(')?);
        let signs = ["(*)(", "(* const)(", "(*const)(", "("];
        let inside = signs.iter().find_map(|sign| rest.strip_prefix(sign))?;
        let returns = returns.trim().to_owned();
        let parameters = split(inside.strip_suffix(')')?).map(str::to_owned).collect();
        Some(FunctionType { returns, parameters })
    }

    /// Those of a declaration of an exercise.
    fn declared(text: &str) -> Option<FunctionType> {
        let (head, inside) = text.split_once('(')?;
        let returns = Declared::parse(head)?.of.to_owned();
        let parameters = split(inside.strip_suffix(')')?).map(|text| {
            let Declared { of, items, .. } = Declared::parse(text)?;
            Some(if items.is_some() { format!("{of} *") } else { of.to_owned() })
        });
        Some(FunctionType { returns, parameters: parameters.collect::<Option<_>>()? })
    }

    /// The first difference from the function that is asked. The types without names of the submission's own are
    /// compared, and those that a programmer wrote are shown.
    fn difference(&self, own: &FunctionType, other: &FunctionType, asked: &FunctionType) -> String {
        let (count, other_count) = (self.parameters.len(), asked.parameters.len());
        if count != other_count {
            return format!("the number of its parameters is {count}, and {other_count} is asked");
        }
        if own.returns != other.returns {
            return format!("it returns `{}`, and `{}` is asked", self.returns, asked.returns);
        }
        let differs = |index: &usize| own.parameters.get(*index) != other.parameters.get(*index);
        let at = (0..count).find(differs).unwrap_or(0);
        let shown = |of: &FunctionType| of.parameters.get(at).cloned().unwrap_or_default();
        format!("its parameter {} is `{}`, and `{}` is asked", at + 1, shown(self), shown(asked))
    }
}

/// The parts of a list of parameters.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |char| {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        char == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !["", "void"].contains(part))
}

/// A text as a literal of C.
fn quoted(text: &str) -> String {
    let text: String = text.chars().take(MOST_WHY).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::super::{Declarations, Keys, Signature, Unread};
    use super::settled;
    use crate::languages::c::glue::written;

    /// The glue for two functions and a struct.
    fn glue() -> String {
        let head = Unread::parse("point", "struct point { int x; }").unwrap();
        let structs = vec![head.head()];
        let structs = vec![head.read(&structs, 0).unwrap()];
        let one = |name: &str, arg: &str, text: &str| {
            let keys = Keys { args: vec![arg.to_owned()], ..Keys::default() };
            Signature::parse(name, text, keys, &structs).unwrap()
        };
        let functions = vec![one("f", "a", "long f(const char *a)"), one("g", "p", "int g(struct point p)")];
        written(&["box.c"], &Declarations { structs, functions, texts: Vec::new() })
    }

    /// Checks the lines of the glue that are other ones after the compiler said this of the line that contains a text.
    #[track_caller]
    fn check(at: &str, said: &str, after: &[&str]) {
        let glue = glue();
        let line = glue.lines().position(|line| line.contains(at)).unwrap() + 1;
        let settled = settled(&glue, &format!("keur.glue:{line}:5: error: {said}\n"));
        let pairs = glue.lines().zip(settled.lines()).filter(|(before, after)| before != after);
        let changed: Vec<&str> = pairs.map(|(_, after)| after).filter(|line| !line.is_empty()).collect();
        assert_eq!(changed, after);
        assert_ne!(settled, glue);
    }

    #[test]
    fn a_function_that_is_declared_and_not_defined_is_not_there() {
        let glue = glue();
        for place in ["/tmp/a.o:/submission/keur.glue:9: ", "/tmp/a.o:(.data+0x0): "] {
            let settled = settled(&glue, &format!("/usr/bin/ld: {place}undefined reference to `f'\n"));
            assert!(!settled.contains("keur_f_f") && settled.contains("keur_f_g"), "{settled}");
        }
    }

    #[test]
    fn the_first_difference_of_a_function_is_its_reason() {
        let begin = "initialization of 'long int (* const)(const char *)' from incompatible pointer type";
        let clang = "incompatible function pointer types initializing 'long (*const)(const char *)' with an expression of type";
        let reason = |why: &str| format!("const char keur_w_f[] = \"{why} (long f(const char *a))\";");
        for (said, why) in [
            (
                format!("{begin} 'int (*)(const char *)' [-Werror=incompatible-pointer-types]"),
                "it returns `int`, and `long` is asked",
            ),
            (
                format!("{begin} 'number (*)(text)' {{aka 'long int (*)(char *)'}} [-Werror=…]"),
                "its parameter 1 is `text`, and `const char *` is asked",
            ),
            (
                format!("{begin} 'long int (*)(const char *, int (*)(int, int))'"),
                "the number of its parameters is 2, and 1 is asked",
            ),
            (format!("{begin} 'long int (*)(void)'"), "the number of its parameters is 0, and 1 is asked"),
            ("expected expression before 'f'".to_owned(), "it is a type, not a function"),
            ("initializer element is not constant".to_owned(), "it is a variable, not a function"),
            ("strange".to_owned(), "the compiler says: strange"),
            ("unknown type name 'List'; did you mean 'Lost'?".to_owned(), "there is no type `List`"),
            (
                format!("{clang} 'int (const char *)' [-Werror,-Wincompatible-function-pointer-types]"),
                "it returns `int`, and `long` is asked",
            ),
            (
                format!("{clang} 'number (text)' (aka 'long (char *)') [-Werror,…]"),
                "its parameter 1 is `text`, and `const char *` is asked",
            ),
            (
                format!("{clang} 'long (const char *, int (*)(int, int))' [-Werror,…]"),
                "the number of its parameters is 2, and 1 is asked",
            ),
            ("unexpected type name 'f': expected expression".to_owned(), "it is a type, not a function"),
            (
                "incompatible integer to pointer conversion initializing 'long (*const)(const char *)'"
                    .to_owned(),
                "it is a variable, not a function",
            ),
            (
                "initializing 'long (*const)(const char *)' with an expression of incompatible type 'double'"
                    .to_owned(),
                "it is a variable, not a function",
            ),
        ] {
            check("= f;", &said, &[&reason(why)]);
        }
        check("= f;", "'f' undeclared here (not in a function)", &[]);
        check("= f;", "use of undeclared identifier 'f'", &[]);
        check("= f;", "use of undeclared identifier 'f'; did you mean 'g'?", &[]);
    }

    #[test]
    fn the_reason_of_a_struct_is_that_of_its_functions() {
        let fields = "the fields of `struct point` are not `int x`";
        let other = format!("const char keur_t_point[] = \"{fields}\";");
        let own = format!("const char keur_w_g[] = \"{fields} (int g(struct point p))\";");
        check("_Static_assert(sizeof", "static assertion failed", &[&other, &own]);
        let missing = "const char keur_w_g[] = \"there is no type `struct point` (int g(struct point p))\";";
        check("enum {", "invalid application of 'sizeof' to incomplete type 'struct point'", &[missing]);
    }

    #[test]
    fn an_error_of_the_submission_settles_nothing() {
        let said =
            "keur.glue:5:5: error: 'f' undeclared here\nbox.c:3:5: error: expected ';' before 'return'\n";
        assert_eq!(settled(&glue(), said), glue());
    }
}
