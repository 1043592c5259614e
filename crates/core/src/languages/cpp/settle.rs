//! Settles a glue by what the compiler says of its lines: definitions that are not there go, and those that keur
//! cannot call are replaced by the reason.

use super::GLUE;
use super::errors::{MAPPED, plain};
use super::glue::{HEADER_FOLLOWS, header_leads};
use crate::languages::pattern::pattern;
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

/// The most lines that the parameters of a function take.
const MOST_LINES: usize = 20;

/// The most characters of a reason.
const MOST_WHY: usize = 400;

/// How the linker says that something is declared and not defined.
const UNDEFINED: &str = "undefined reference to ";

/// The last line of a class.
const END: &str = "KEUR_END";

/// The glue after a compilation that said this: without the definitions that are not there, and with a reason in place
/// of those that cannot be called. A function that has others of its name is added as such. If there is nothing to
/// settle, the submission is compiled before the header. `source` gives the text of a line of a file.
pub(super) fn settled(glue: &str, said: &str, source: &Source<'_>) -> String {
    let reports = reports(said, source);
    let mut lines: Vec<String> = glue.lines().map(str::to_owned).collect();
    // If the submission itself has an error, nothing else needs to be settled.
    if !reports.iter().any(|report| report.is_own) {
        let mut settled_lines = BTreeSet::new();
        for report in &reports {
            let Some(at) = report.line.filter(|at| settled_lines.insert(*at)) else { continue };
            let Some(line) = lines.get_mut(at.wrapping_sub(1)) else { continue };
            let Some(replaced) = replacement(line, report) else { continue };
            let is_class = line.starts_with("KEUR_CLASS(");
            *line = replaced;
            let members = lines.iter_mut().enumerate().skip(at).take(if is_class { usize::MAX } else { 0 });
            for (index, member) in members {
                settled_lines.insert(index + 1);
                if std::mem::take(member) == END {
                    break;
                }
            }
        }
    }
    hide_others(&mut lines);
    let settled: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if settled == glue && header_leads(glue) { format!("{HEADER_FOLLOWS}{glue}") } else { settled }
}

/// Hides all other definitions while some are to be listed, which then takes a third of the time; shows them otherwise.
fn hide_others(lines: &mut [String]) {
    const MARK: &str = "//";
    let lists = lines.iter().any(|line| line.starts_with("KEUR_CANDIDATES"));
    for line in lines.iter_mut().filter(|line| line.trim_start_matches(MARK).starts_with("KEUR_")) {
        let shown = line.trim_start_matches(MARK);
        let hides = lists && !shown.starts_with("KEUR_CANDIDATES");
        *line = if hides { format!("{MARK}{shown}") } else { shown.to_owned() };
    }
}

/// The text of a line of a file of the submission, if there is one.
type Source<'s> = dyn Fn(&str, usize) -> Option<String> + 's;

/// An error of the compiler or the linker.
#[derive(Default)]
struct Report<'s> {
    text: &'s str,
    /// The line of the glue that it comes from.
    line: Option<usize>,
    /// Whether it is in a file of the submission, and comes from no line of the glue.
    is_own: bool,
    /// The lines around it that tell more of it.
    notes: Vec<&'s str>,
    /// The functions of the submission that it lists.
    candidates: Vec<Candidate>,
}

/// A function of a submission that a compiler lists.
struct Candidate {
    /// As it is defined, in a line.
    text: String,
    /// The source from its name on, or the same as the text.
    source: String,
}

impl Candidate {
    /// Its parameters, in parentheses; `None` if they do not end.
    fn parameters(&self, name: &str) -> Option<String> {
        let called = pattern(&format!(r"\b{}\s*\(", regex::escape(name)));
        parenthesized(&self.source[called.find(&self.source)?.start()..])
    }
}

/// The first parentheses in a text, with what is in them, but for comments; `None` if they do not end.
fn parenthesized(text: &str) -> Option<String> {
    static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"//.*|/\*(?s:.*?)\*/"));
    let text = COMMENT.replace_all(text, " ");
    let text = text.get(text.find('(')?..)?;
    let mut depth = 0_usize;
    let mut quote = None;
    let mut chars = text.char_indices();
    while let Some((at, sign)) = chars.next() {
        match (quote, sign) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(opened), _) if sign == opened => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(sign),
            (None, '(') => depth += 1,
            (None, ')') if depth == 1 => {
                let words: Vec<&str> = text[..=at].split_whitespace().collect();
                return Some(words.join(" "));
            }
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

/// The errors in what a compiler said.
fn reports<'s>(said: &'s str, source: &Source<'_>) -> Vec<Report<'s>> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(&format!(
            r"^(?:{MAPPED}/|\./)?(?P<file>[^\s:][^:]*):(?:(?P<line>\d+):)?(?:(?P<column>\d+):)?\s+(?P<says>.*)$"
        ))
    });
    let mut reports: Vec<Report<'_>> = Vec::new();
    // What the compiler says before errors: whose template is filled in, and for which line.
    let (mut before, mut context) = (Vec::new(), None);
    for line in said.lines() {
        let Some(found) = PLACE.captures(line) else { continue };
        let says = found.name("says").map_or("", |says| says.as_str());
        let number = found.name("line").and_then(|number| number.as_str().parse().ok());
        let in_glue = number.filter(|_| &found["file"] == GLUE);
        let text = ["error: ", "fatal error: "].iter().find_map(|begin| says.strip_prefix(begin));
        if let Some(text) = text.or_else(|| says.starts_with(UNDEFINED).then_some(says)) {
            let is_own = number.is_some() && in_glue.is_none() && !found["file"].starts_with('/');
            reports.push(Report {
                text,
                line: in_glue.or(context),
                is_own,
                notes: std::mem::take(&mut before),
                candidates: Vec::new(),
            });
        } else if let Some(note) = says.strip_prefix("note: ") {
            let Some(last) = reports.last_mut() else { continue };
            let leads = ["in expansion of macro", "in definition of macro", "requested here"];
            if leads.iter().any(|lead| note.contains(lead)) {
                last.line = last.line.or(in_glue);
            }
            // The system may have a function of the same name.
            let is_of_system = found["file"].starts_with('/');
            if let Some(listed) = LISTED.captures(note).filter(|_| !is_of_system) {
                let text = plain(&listed[1]);
                last.candidates.push(Candidate { source: text.clone(), text });
            } else if let Some(kind) = BEGIN.iter().find(|begin| note.starts_with(**begin)) {
                let number = number.filter(|_| !is_of_system);
                let lines = number.into_iter().flat_map(|number| number..number + MOST_LINES);
                let lines: Vec<String> = lines.map_while(|number| source(&found["file"], number)).collect();
                if let Some(line) = lines.first() {
                    let column = found.name("column").and_then(|column| column.as_str().parse().ok());
                    let name_at = column.unwrap_or(1_usize).saturating_sub(1);
                    let source = lines.join("\n").get(name_at..).unwrap_or_default().to_owned();
                    last.candidates.push(Candidate { text: signature(line, kind), source });
                }
            }
            last.notes.push(note);
        } else {
            // It says once where some errors are.
            let begins = says.starts_with("In ") || says.starts_with("At ");
            context = if begins { None } else { in_glue.or(context) };
            before.push(says);
        }
    }
    for report in &mut reports {
        report.is_own &= report.line.is_none();
    }
    reports
}

/// The line in place of one of the glue that an error is about; `None` if that one stays.
fn replacement(line: &str, report: &Report<'_>) -> Option<String> {
    let (begin, rest) = line.split_once('(')?;
    let name = rest.split([',', ')']).next()?;
    let unusable = |kind: &str, why: &str| format!("{kind}({name}, {})", quoted(why));
    Some(match begin {
        "KEUR_CLASS" if report.text.starts_with(UNDEFINED) => unusable("KEUR_UNUSABLE_CLASS", &why(report)),
        "KEUR_FUNCTION" | "KEUR_CLASS" if is_missing(report.text) => String::new(),
        // A type in the declaration may be what is missing.
        "KEUR_DECLARED" if is_missing(report.text) && report.text.contains(name) => String::new(),
        "KEUR_FUNCTION" if is_one_of_many(report) => format!("KEUR_CANDIDATES({name})"),
        "KEUR_CANDIDATES" => {
            let candidates = &report.candidates;
            let texts: Vec<&str> = candidates.iter().map(|of| of.text.as_str()).collect();
            if report.notes.iter().any(|note| note.contains("template"))
                && !texts.iter().any(|of| is_plain(of))
            {
                let why = format!("keur cannot tell the types of a template: {}", texts.join(", "));
                unusable("KEUR_UNUSABLE", why.trim_end_matches([':', ' ']))
            } else {
                let listed = |text: &&str| {
                    let types = if is_plain(text) { "" } else { " (keur cannot tell its types)" };
                    format!("{text}{types}")
                };
                let listed: Vec<String> = texts.iter().map(listed).collect();
                let mut lines = format!("KEUR_OVERLOADED({name}, {})", quoted(&listed.join(", ")));
                for declared in candidates.iter().filter(|of| is_plain(&of.text)) {
                    if let Some(parameters) = declared.parameters(name) {
                        let _ = write!(lines, "\nKEUR_DECLARED({name}, void {name}{parameters})");
                    }
                }
                lines
            }
        }
        "KEUR_DECLARED" if report.text.contains("another signature") => {
            format!("KEUR_OTHER({})", rest.strip_suffix(')')?)
        }
        "KEUR_OTHER" => {
            let declared = rest.strip_prefix(name)?.trim_start_matches([',', ' ']).strip_suffix(')')?;
            unusable("KEUR_UNUSABLE", &format!("it cannot be called as `{declared}`"))
        }
        "KEUR_FUNCTION" | "KEUR_DECLARED" => unusable("KEUR_UNUSABLE", &why(report)),
        "KEUR_CLASS" => unusable("KEUR_UNUSABLE_CLASS", &why(report)),
        "KEUR_METHOD" => unusable("KEUR_UNUSABLE_METHOD", &why(report)),
        "KEUR_HIDDEN" | "KEUR_ATTRIBUTE" => String::new(),
        _ => return None,
    })
}

/// Whether an error says that a name is not declared, or not defined.
fn is_missing(text: &str) -> bool {
    let missing = [
        "has not been declared", "no member named", "no type named", "does not name a type",
        "does not name a template", "no template named", UNDEFINED,
    ];
    missing.iter().any(|words| text.contains(words))
}

/// Whether an error says that a name stands for several functions.
fn is_one_of_many(report: &Report<'_>) -> bool {
    let begins = ["couldn't deduce template parameter", "candidate template ignored: couldn't infer"];
    let of_notes =
        || report.notes.iter().any(|note| begins.iter().any(|begin| note.trim().starts_with(begin)));
    report.text.contains("overloaded") || of_notes()
}

/// A function that g++ lists where several have the name.
static LISTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:candidates? (?:are|is): |\s+)'(.*)'$"));

/// How clang++ begins a note at the line of such a function, and at that of a template.
const BEGIN: [&str; 2] = ["candidate function", "candidate template ignored"];

/// A function as its definition begins, in a line that clang++ names by such a note.
fn signature(line: &str, begin: &str) -> String {
    let own = line.split(['{', ';']).next().unwrap_or_default().trim();
    if begin == BEGIN[0] || own.starts_with("template") { own.to_owned() } else { format!("template {own}") }
}

/// Whether a candidate is a function and no template.
fn is_plain(candidate: &str) -> bool {
    !candidate.starts_with("template")
}

/// The reason why something cannot be called.
fn why(report: &Report<'_>) -> String {
    static CALLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"keur::Deduced<(.*?)>'"));
    static HELD: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"keur::Held<P, .*\[with P = (.*?);|keur::Held<(.*?)(?:, void)?>(?:'|::)"));
    let text = report.text;
    let all = || [text].into_iter().chain(report.notes.iter().copied());
    if let Some(found) = all().find_map(|line| CALLED.captures(line)) {
        let called = closed_up(&found[1]);
        return if called.contains("...") {
            format!("its type is {called}: keur cannot call a function with `...`")
        } else if !called.contains('(') {
            format!("it is a variable of the type {called}, not a function")
        } else {
            format!("its type is {called}, which keur cannot call")
        };
    }
    if let Some(found) = all().find_map(|line| HELD.captures(line)) {
        let parameter = closed_up(found.get(1).or_else(|| found.get(2)).map_or("", |found| found.as_str()));
        return format!(
            "it has a parameter of the type {parameter}, which keur cannot make from a value of a case"
        );
    }
    let templates = ["'auto' not allowed in alias", "requires template arguments", "template-name"];
    let types = ["expected primary-expression before", "expected '(' for function-style cast"];
    if text.contains("deleted function") {
        "it is deleted".to_owned()
    } else if let Some(name) = text.strip_prefix(UNDEFINED) {
        format!("{} is declared, but has no body", plain(name).trim_matches(['`', '\'']))
    } else if templates.iter().any(|words| text.contains(words)) {
        "it is a template, and keur cannot tell its types".to_owned()
    } else if types.iter().any(|words| text.contains(words)) {
        "it is a type, not a function".to_owned()
    } else {
        format!("the compiler says: {}", plain(text))
    }
}

/// A type with the spaces that g++ writes.
fn closed_up(of_type: &str) -> String {
    static SPACED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?P<before>[\w>*]) (?P<sign>[*&])"));
    SPACED.replace_all(of_type, "$before$sign").into_owned()
}

/// A text as a literal of C++.
fn quoted(text: &str) -> String {
    let text: String = text.chars().take(MOST_WHY).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::super::GLUE;
    use super::{Candidate, settled};

    /// Checks what becomes of the lines of a glue by what the compiler says, where `GLUE` is its file.
    #[track_caller]
    fn check(glue: &[&str], said: &str, after: &[&str]) {
        let source =
            "\nint f(int a) { return a; }\n  int f(int a, int b)\ntemplate <class T> T f(T a);\nT f(T a) {\n";
        let line = |file: &str, line: usize| {
            let text = source.lines().nth(line - 1).filter(|_| file == "box.cpp");
            text.map(str::to_owned)
        };
        let settled = settled(&(glue.join("\n") + "\n"), &said.replace("GLUE", GLUE), &line);
        assert_eq!(settled.lines().collect::<Vec<_>>(), after, "{said}");
    }

    #[test]
    fn only_what_is_not_declared_is_missing() {
        let declared = "KEUR_DECLARED(func, int func(Point p))";
        check(&[declared], "GLUE:1:15: error: '::func' has not been declared\n", &[""]);
        let said = "GLUE:1:15: error: 'Point' has not been declared\n";
        let why = "the compiler says: 'Point' has not been declared";
        check(&[declared], said, &[&format!("KEUR_UNUSABLE(func, \"{why}\")")]);
        for said in [
            "GLUE:1:15: error: '::f' has not been declared\n/k/keur.hpp:329:69: note: in definition of macro 'KEUR_FUNCTION'\n",
            "GLUE:1:15: error: no member named 'f' in the global namespace\n",
            "/usr/bin/ld: /tmp/a.o: in function `keur_library':\n/submission/GLUE:1: undefined reference to `f()'\n",
        ] {
            check(&["KEUR_FUNCTION(f)", "KEUR_FUNCTION(g)"], said, &["", "KEUR_FUNCTION(g)"]);
        }
        let class =
            ["KEUR_CLASS(A)", "KEUR_METHOD(m)", "KEUR_END", "KEUR_CLASS(B)", "KEUR_METHOD(m)", "KEUR_END"];
        let said = "GLUE:1:12: error: 'A' in namespace '::' does not name a type\n\
                    /k/keur.hpp:320:28: error: no matching function for call to 'add_method<Own>(…)'\n\
                    GLUE:2:1: note: in expansion of macro 'KEUR_METHOD'\n\
                    GLUE:5:1:   required from here\n\
                    /k/keur.hpp:266:11: error: invalid use of incomplete type 'struct keur::Deduced<int (B::*)() &&>'\n";
        let unusable = "KEUR_UNUSABLE_METHOD(m, \"its type is int (B::*)() &&, which keur cannot call\")";
        check(&class, said, &["", "", "", "KEUR_CLASS(B)", unusable, "KEUR_END"]);
    }

    #[test]
    fn the_reason_stands_where_something_cannot_be_called() {
        for (said, why) in [
            (
                "GLUE:1:1:   required from here\n/k/keur.hpp:266:11: error: invalid use of incomplete type 'struct keur::Deduced<int (*)(int, ...)>'\n",
                "its type is int (*)(int, ...): keur cannot call a function with `...`",
            ),
            (
                "/k/keur.hpp:266:25: error: implicit instantiation of undefined template 'keur::Deduced<int *>'\nGLUE:1:1: note: in instantiation of function template specialization 'keur::add_function' requested here\n",
                "it is a variable of the type int*, not a function",
            ),
            (
                "/k/keur-values.hpp: In instantiation of 'struct keur::Held<void*, void>':\nGLUE:1:1:   required from here\n/k/keur-values.hpp:536:29: error: creating array of 'std::remove_cv<void>::type' {aka 'void'}\n",
                "it has a parameter of the type void*, which keur cannot make from a value of a case",
            ),
            (
                "/k/keur-values.hpp: In instantiation of 'keur::Held<P, <template-parameter-1-2> >::Held(keur::Value&) [with P = int (&)[3]; <template-parameter-1-2> = void]':\nGLUE:1:1:   required from here\n/k/keur-values.hpp:515:55: error: no matching function for call to 'read<keur::Plain<int (&)[3]> >(keur::Value&)'\n",
                "it has a parameter of the type int (&)[3], which keur cannot make from a value of a case",
            ),
            ("GLUE:1:15: error: use of deleted function 'void f(int)'\n", "it is deleted"),
            (
                "/k/keur.hpp:329:73: error: expected primary-expression before ',' token\nGLUE:1:1: note: in expansion of macro 'KEUR_FUNCTION'\n",
                "it is a type, not a function",
            ),
            ("GLUE:1:15: error: strange \"words\"\n", "the compiler says: strange \\\"words\\\""),
        ] {
            check(&["KEUR_FUNCTION(f)"], said, &[&format!("KEUR_UNUSABLE(f, \"{why}\")")]);
        }
        let said = "/k/keur.hpp:317:17: error: 'auto' not allowed in alias declaration\nGLUE:1:1: note: in expansion of macro 'KEUR_CLASS'\n";
        let unusable = "KEUR_UNUSABLE_CLASS(A, \"it is a template, and keur cannot tell its types\")";
        check(&["KEUR_CLASS(A)", "KEUR_METHOD(m)", "KEUR_END"], said, &[unusable, "", ""]);
    }

    #[test]
    fn several_functions_of_one_name_are_listed() {
        for said in [
            "/k/keur.hpp:329:49: error: no matching function for call to 'add_function(keur::Library&, <unresolved overloaded function type>)'\nGLUE:1:1: note: in expansion of macro 'KEUR_FUNCTION'\n",
            "GLUE:1:1: error: no matching function for call to 'add_function'\n/k/keur.hpp:265:37: note: candidate template ignored: couldn't infer template argument 'F'\n",
        ] {
            check(
                &["KEUR_CLASS(A, A)", "KEUR_END", "KEUR_FUNCTION(f)"],
                &said.replace("GLUE:1", "GLUE:3"),
                &["//KEUR_CLASS(A, A)", "//KEUR_END", "KEUR_CANDIDATES(f)"],
            );
        }
        let converting = "/k/keur.hpp:335:9: error: no matches converting function 'f' to type 'void (*)()'\nGLUE:1:1: note: in expansion of macro 'KEUR_CANDIDATES'\n";
        let system = "/usr/include/unistd.h:371:16: note:                 'ssize_t f(int, void*, size_t)'\n";
        let both = "box.cpp:10:5: note: candidates are: 'int f(int)'\nbox.cpp:9:5: note:                 'int f(int, int)'\n";
        let listed = "KEUR_OVERLOADED(f, \"int f(int), int f(int, int)\")";
        let declared = ["KEUR_DECLARED(f, void f(int))", "KEUR_DECLARED(f, void f(int, int))"];
        let after = [listed, declared[0], declared[1], "KEUR_FUNCTION(g)"];
        check(&["KEUR_CANDIDATES(f)", "//KEUR_FUNCTION(g)"], &format!("{converting}{both}{system}"), &after);
        let beside = "box.cpp:4:22: note: candidates are: 'template<class T> T f(T, T)'\nbox.cpp:9:5: note:                 'int f(int)'\n";
        let listed =
            "KEUR_OVERLOADED(f, \"template<class T> T f(T, T) (keur cannot tell its types), int f(int)\")";
        check(&["KEUR_CANDIDATES(f)"], &format!("{converting}{beside}"), &[listed, declared[0]]);
        let template = "box.cpp:4:22: note: candidate is: 'template<class T> T f(T)'\n";
        let unusable =
            "KEUR_UNUSABLE(f, \"keur cannot tell the types of a template: template<class T> T f(T)\")";
        check(&["KEUR_CANDIDATES(f)"], &format!("{converting}{template}"), &[unusable]);
    }

    #[test]
    fn functions_that_clang_lists_are_read_where_they_are_defined() {
        let of =
            "GLUE:1:1: error: address of overloaded function 'f' does not match required type 'void ()'\n";
        let both = "./box.cpp:2:5: note: candidate function has different number of parameters (expected 3 but has 1)\n\
                    box.cpp:3:5: note: candidate function has different number of parameters (expected 3 but has 2)\n\
                    /usr/include/unistd.h:371:16: note: candidate function has different number of parameters\n";
        let listed = "KEUR_OVERLOADED(f, \"int f(int a), int f(int a, int b)\")";
        let declared = ["KEUR_DECLARED(f, void f(int a))", "KEUR_DECLARED(f, void f(int a, int b))"];
        check(&["KEUR_CANDIDATES(f)"], &format!("{of}{both}"), &[listed, declared[0], declared[1]]);
        for (line, said) in [(4, "template <class T> T f(T a)"), (5, "template T f(T a)")] {
            let note =
                format!("box.cpp:{line}:22: note: candidate template ignored: deduced conflicting types\n");
            let unusable = format!("KEUR_UNUSABLE(f, \"keur cannot tell the types of a template: {said}\")");
            check(&["KEUR_CANDIDATES(f)"], &format!("{of}{note}"), &[&unusable]);
        }
    }

    #[test]
    fn the_parameters_of_a_function_are_told_from_what_stands_around_them() {
        for (text, parameters) in [
            ("f(int a) // two\n{", Some("(int a)")),
            ("f(int a, // the first (\n  int b /* ) */) {", Some("(int a, int b )")),
            (
                "f(std::string a = \")\", char b = '(', int (*c)(int) = {}) try {",
                Some("(std::string a = \")\", char b = '(', int (*c)(int) = {})"),
            ),
            ("int mine::f(int)", Some("(int)")),
            ("int (*f(int))(char)", Some("(int)")),
            ("f(int", None),
            ("f", None),
        ] {
            let candidate = Candidate { text: String::new(), source: text.to_owned() };
            assert_eq!(candidate.parameters("f").as_deref(), parameters, "{text}");
        }
    }

    #[test]
    fn an_error_of_the_submission_settles_nothing() {
        let glue = ["KEUR_FUNCTION(f)"];
        let said = "box.cpp:3:5: error: expected ';' before 'return'\nGLUE:1:15: error: '::f' has not been declared\n";
        check(&glue, said, &["// The header follows.", "KEUR_FUNCTION(f)"]);
        let followed = ["// The header follows.", "KEUR_FUNCTION(f)"];
        check(&followed, said, &followed);
        // One that a line of the glue leads to is that line's.
        let template = "box.cpp: In instantiation of 'T f(T)':\nGLUE:1:1:   required from here\nbox.cpp:3:5: error: no match\nbox.cpp:3:9: error: no other\n";
        check(&glue, template, &["KEUR_UNUSABLE(f, \"the compiler says: no match\")"]);
        let both = format!("{template}box.cpp: In function 'int g()':\nbox.cpp:5:1: error: expected ';'\n");
        check(&followed, &both, &followed);
    }
}
