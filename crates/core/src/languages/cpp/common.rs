//! Tells the common errors of beginners by the messages of compilers of C and C++.

use crate::languages::CommonError;
use crate::languages::pattern::pattern;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// The most characters of a name or a type.
const MOST_NAME: usize = 100;

/// How a common error follows from what its pattern captured.
type Reading = fn(&Captures<'_>) -> CommonError;

/// The messages of g++ 12 and clang++ 14 for the common errors. The first row that fits decides.
const COMMON: &[(&str, Reading)] = &[
    (r"^expected (?:',' or )?';' (?:before|after|at end)", |_| CommonError::NoSemicolon),
    (r"^expected (?:';', identifier or '\('|'=', ',', ';', 'asm' or '__attribute__') before ", |_| {
        CommonError::NoSemicolon
    }),
    (r"^expected '(?P<sign>[()}\]:>])'(?: at end of input| before .*| after .*|)$", |found| {
        CommonError::NoSign { sign: text(found, "sign") }
    }),
    (r"^expected ';', ',' or '(?P<sign>\))' before ", |found| CommonError::NoSign {
        sign: text(found, "sign"),
    }),
    (r"^expected declaration or statement at end of input|^missing '\}' at end of definition", |_| {
        CommonError::NoSign { sign: "}".to_owned() }
    }),
    (r"^missing terminating (?P<sign>.) character", |found| CommonError::NoQuote {
        sign: text(found, "sign"),
    }),
    (r"^'else' without a previous 'if'", |_| CommonError::NoIf),
    (r"^required symbol [`']main' not defined", |_| CommonError::NoMain),
    (r"^stray '(?P<sign>[^'])' in program", |found| CommonError::Character { sign: text(found, "sign") }),
    (
        r"^expected (?:unqualified-id|identifier or '\(') before '\{' token|outside of class is not definition|^out-of-line declaration of a member",
        |_| CommonError::NoHead,
    ),
    (r"^(?:a )?function[- ]definition is not allowed here", |_| CommonError::NestedFunction),
    (
        r"^(?:void value not ignored|invalid use of void expression|(?:cannot initialize|initializing|assigning to) .* type 'void'$|(?:no match for|invalid operands to) .* and 'void'\))",
        |_| CommonError::VoidUsed,
    ),
    (
        r"^return-statement with a value, in function returning 'void'|^void function '.*' should not return a value",
        |_| CommonError::VoidReturns,
    ),
    (
        r"^(?:return-statement|'return') with no value, in function|^non-void function '.*' should return a value",
        |_| CommonError::ReturnsNothing,
    ),
    (r"^jump to case label|^cannot jump from switch statement to this case label", |_| CommonError::CaseJump),
    (r"^duplicate case value", |_| CommonError::SameCase),
    (
        r"^(?:case label does not reduce|case value is not a constant|expression is not an integer constant|(?:the value of )?'[^']*' is not (?:a constant|usable in a constant)|non-type template argument is not a constant)",
        |_| CommonError::NotConstant,
    ),
    (r"^(?:switch quantity not an integer|statement requires expression of integer type)", |_| {
        CommonError::NoSwitch
    }),
    (r"^(?:too many initializers for|excess elements in (?:array|struct) initializer)", |_| {
        CommonError::TooManyValues
    }),
    (r"^'?(?:break|continue)'? statement not (?:with)?in ", |_| CommonError::NoLoop),
    (
        r"^(?:invalid array assignment|assignment to expression with array type|array type '.*' is not assignable)",
        |_| CommonError::ArrayAssigned,
    ),
    (r"^(?:lvalue required as left operand of assignment|expression is not assignable)", |_| {
        CommonError::NotAssignable
    }),
    (
        r"^(?:member reference type '.*' is not a pointer|invalid type argument of '->'|base operand of '->' has non-pointer type)",
        |_| CommonError::Arrow,
    ),
    (
        r"^(?:invalid type argument of unary '\*' \(have |indirection requires pointer operand \()'(?P<class>[^']+)'",
        |found| CommonError::NotPointer { class: text(found, "class") },
    ),
    (r"^(?:invalid types .* for array subscript|subscripted value is n)", |_| CommonError::NoItems),
    (r"cannot be used as a function$|^called object .* is not a function or function pointer", |_| {
        CommonError::NotFunction
    }),
    (
        r"^reference to non-static member function must be called|^cannot convert '[^']+' from type '.*' to type |^invalid use of non-static member function",
        |_| CommonError::NotCalled,
    ),
    (r"abstract (?:class )?type '(?P<class>[^']+)'", of_abstract),
    (r"^\w+ type '(?P<class>[^']+)' is an abstract class", of_abstract),
    (r"^conflicting types for '(?P<name>[^']+)'", |found| CommonError::Conflicting {
        name: text(found, "name"),
    }),
    (r"^must use 'struct' tag to refer to type '(?P<name>[^']+)'", of_struct),
    (r"^unknown type name '(?P<name>[^']+)'; use 'struct' keyword to refer to the type", of_struct),
    (r"^invalid preprocessing directive (?P<name>#\w+); did you mean (?P<meant>#\w+)\?", |found| {
        CommonError::OtherName { name: text(found, "name"), meant: text(found, "meant") }
    }),
    (r"^(?:expected declaration before '\}' token|extraneous closing brace)", |_| CommonError::Unopened),
    (r"^(?:unknown type name |use of undeclared identifier )?'(?P<name>String)'(?:[ ;]|$)", not_declared),
    (r"did you mean 'std::(?P<name>[\w:]+)'\?", no_namespace),
    (
        r"^(?:use of undeclared identifier |unknown type name |no template named )?'(?P<name>array|cerr|cin|cout|deque|endl|getline|list|map|pair|queue|set|stack|string|tuple|unordered_map|unordered_set|vector)'(?: was not declared in this scope| does not name a type|$)",
        no_namespace,
    ),
    (
        r"^(?:no (?:member|template|type) named '|implicit instantiation of undefined template 'std::(?:__cxx11::)?)(?P<name>\w+)(?:' in namespace 'std'|<)",
        no_standard_name,
    ),
    (
        r"^'(?P<name>[^']+)' (?:was not declared in this scope|does not name a type|undeclared (?:\(first use|here)|has not been declared)",
        not_declared,
    ),
    (
        r"^(?:implicit declaration of|implicitly declaring library|call to undeclared(?: library)?) function '(?P<name>[^']+)'",
        not_declared,
    ),
    (
        r"^(?:use of undeclared identifier|unknown type name|no template named) '(?P<name>[^']+)'",
        not_declared,
    ),
    (r"^'?(?P<header>[^':]+?)'?(?:: No such file or directory| file not found)$", |found| {
        CommonError::NoHeader { header: text(found, "header") }
    }),
    (r"^ISO C\+\+ forbids declaration of '(?P<name>[^']+)' with no type", |found| {
        CommonError::NoReturnType { name: Some(text(found, "name")) }
    }),
    (r"^(?:C\+\+ requires a|a) type specifier (?:is required )?for all declarations", |_| {
        CommonError::NoReturnType { name: None }
    }),
    (r"^no matching (?:member )?function for call to '(?P<name>[^'(]+)", arguments),
    (r"^no matching constructor for initialization of '(?P<name>[^']+)'", arguments),
    (r"^too (?:few|many) arguments to (?:member )?function '(?P<name>[^']+)'", arguments),
    (r"^too (?:few|many) arguments to function call", |_| CommonError::Arguments { name: None }),
    (r"^(?:cannot convert|invalid conversion from) '(?P<from>[^']+)' to '(?P<to>[^']+)'", wrong_type),
    (r"^could not convert '.*' from '(?P<from>[^']+)' to '(?P<to>[^']+)'", wrong_type),
    (r"^no match for '.*' in '.*' \(operand types are '(?P<left>[^']+)' and '(?P<right>[^']+)'", no_operator),
    (r"^invalid operands of types '(?P<left>[^']+)' and '(?P<right>[^']+)' to binary", no_operator),
    (
        r"^invalid operands to binary (?:expression |\S+ )\((?:have )?'(?P<left>[^']+)' and '(?P<right>[^']+)'",
        no_operator,
    ),
    (r"^conversion from '(?P<from>[^']+)' to non-scalar type '(?P<to>[^']+)'", wrong_type),
    (
        r"^no viable conversion from (?:returned value of type )?'(?P<from>[^']+)' to (?:function return type )?'(?P<to>[^']+)'",
        wrong_type,
    ),
    (r"^cannot initialize .* of type '(?P<to>[^']+)' with an? .value of type '(?P<from>[^']+)'", wrong_type),
    (r"^assigning to '(?P<to>[^']+)' from incompatible type '(?P<from>[^']+)'", wrong_type),
    (r"^undefined reference to [`']vtable for (?P<class>[^']+)'", |found| CommonError::NoVirtualBody {
        class: text(found, "class"),
    }),
    (r"^undefined reference to [`'](?P<name>[^'(]+::[^'(]+)'", |found| CommonError::NoStatic {
        name: text(found, "name"),
    }),
    (r"^undefined reference to [`'](?P<name>[^']+)'", |found| CommonError::NotDefined {
        name: text(found, "name"),
    }),
    (
        r"^(?:redefinition of|redeclaration of|conflicting declaration|multiple definition of) [`'](?P<name>[^']+)'",
        redefined,
    ),
    (r"^declaration of '(?:.* )?(?P<name>[^' ]+)' shadows a parameter", redefined),
    (r"^'(?P<name>[^']+)' redeclared as different kind of symbol", redefined),
    (
        r"^'(?P<name>[^']+)' is (?:private|protected|a private|a protected) (?:within this context|member of)",
        |found| CommonError::Private { name: text(found, "name") },
    ),
    (r"^(?:assignment|increment|decrement) of (?:read-only|member .* in read-only)", |_| {
        CommonError::Constant
    }),
    (
        r"^read-only variable is not assignable|discards qualifiers|^cannot assign to .*const|but function is not marked const",
        |_| CommonError::Constant,
    ),
    (r"^'(?:class |struct |union )?(?P<class>[^']+)' has no member named '(?P<name>[^']+)'", no_member),
    (r"^no member named '(?P<name>[^']+)' in '(?P<class>[^']+)'", no_member),
    (r"^no '(?P<name>[^']+)' member function declared in class '(?P<class>[^']+)'", no_member),
    (
        r"^out-of-line definition of '(?P<name>[^']+)' does not match any declaration in '(?P<class>[^']+)'",
        no_member,
    ),
    (r"^no declaration matches '(?P<name>(?:[^'(]* )?(?P<class>\w+)::[^']+)'", no_member),
    (r"^'(?P<name>[^']+)' is not a member of '(?P<class>[^']+)'", no_member),
    (
        r"^(?:request for member '.*' in something not a structure|member reference base type '.*' is not a structure)",
        |_| CommonError::NoMembers,
    ),
    (
        r"^request for member '(?P<name>[^']+)' in '.*', which is of non-class type '(?P<class>[^']+)'",
        no_member,
    ),
    (r"^request for member '.*' in '(?P<name>[^']+)', which is of pointer type", |found| {
        CommonError::Pointer { name: Some(text(found, "name")) }
    }),
    (r"^'(?P<name>[^']+)' is a pointer; did you mean to use '->'", |found| CommonError::Pointer {
        name: Some(text(found, "name")),
    }),
    (r"^member reference type '.*' is a pointer", |_| CommonError::Pointer { name: None }),
];

/// The common error that a message is.
pub(super) fn common(message: &str) -> Option<CommonError> {
    static PATTERNS: LazyLock<Vec<(Regex, Reading)>> =
        LazyLock::new(|| COMMON.iter().map(|(regex, reading)| (pattern(regex), *reading)).collect());
    PATTERNS.iter().find_map(|(regex, reading)| Some(reading(&regex.captures(message)?)))
}

/// The missing header that a note after an error names: `'std::vector' is defined in header '<vector>'; did you forget …`,
/// or, in C, `include '<stdio.h>' or provide a declaration of 'printf'`.
pub(super) fn not_included(note: &str) -> Option<CommonError> {
    static HEADER: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [
            r"^'(?P<name>[^']+)' is defined in header '(?P<header><[^']+>)'",
            r"^include (?:the header )?'?(?P<header><[^>]+>)'? or (?:explicitly )?provide a declaration (?:of|for) '(?P<name>[^']+)'",
        ]
        .map(pattern)
    });
    let found = HEADER.iter().find_map(|header| header.captures(note))?;
    Some(CommonError::NotIncluded { name: text(&found, "name"), header: text(&found, "header") })
}

/// The common error of a message about this line, where the line tells more than the message.
pub(super) fn by_line(message: &str, common: Option<CommonError>, line: &str) -> Option<CommonError> {
    static TEXT: LazyLock<Regex> = LazyLock::new(|| pattern(r#""(?:\\.|[^"\\])*"|//.*|/\*.*?\*/"#));
    static CHARACTER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[^\w'])'(?P<text>[^'\\]{2,})'"));
    static LITERAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"'(?:\\.|[^'\\])'"));
    // After a type, which begins a line, a parameter or a statement.
    static BRACKETS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?:^|[(,;{])\s*(?:const\s+)?(?P<type>[\w:]+) *\[ *\] *[A-Za-z_]"));
    static ELSE_IF: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?P<name>elif|elseif|elsif)\s*\("));
    static STD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bstd\."));
    static OF_SIGN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:extended character|unexpected character|stray |character <|invalid suffix|non-ASCII|unable to find numeric literal operator)",
        )
    });
    let code = TEXT.replace_all(line, "");
    let code = LITERAL.replace_all(&code, "0");
    let else_if = ELSE_IF.captures(&code).map(|found| text(&found, "name"));
    let sign = code.chars().find(|sign| !sign.is_ascii() && !sign.is_alphanumeric());
    let is_declared = |found: Captures<'_>| !["delete", "operator", "return"].contains(&&found["type"]);
    let of_line = match &common {
        _ if message == "use of undeclared identifier 'std'" => no_std(line),
        Some(CommonError::NotDeclared { name }) if else_if.as_ref() == Some(name) => other_else_if(else_if),
        Some(CommonError::NoSemicolon) if else_if.is_some() => other_else_if(else_if),
        _ if OF_SIGN.is_match(message) && sign.is_some() => sign.map(|sign| CommonError::Character {
            sign: if sign.is_whitespace() { format!("U+{:04X}", u32::from(sign)) } else { sign.to_string() },
        }),
        Some(CommonError::NoNamespace { name }) if is_variable(&code, name) => {
            Some(CommonError::NotDeclared { name: name.clone() })
        }
        None | Some(CommonError::NoSign { .. }) if BRACKETS.captures(&code).is_some_and(is_declared) => {
            Some(CommonError::Brackets)
        }
        None if STD.is_match(&code) => {
            Some(CommonError::OtherName { name: "std.".to_owned(), meant: "std::".to_owned() })
        }
        None if code.trim_start().starts_with('{')
            && ["expected unqualified-id", "expected identifier or '('"].contains(&message) =>
        {
            Some(CommonError::NoHead)
        }
        // Clang does not say what is wrong with it.
        None if message == "expected expression" && code.contains('"') => {
            Some(CommonError::NoQuote { sign: "\"".to_owned() })
        }
        None if message == "expected expression"
            && code.trim_start_matches([' ', '\t', '}']).starts_with("else") =>
        {
            Some(CommonError::NoIf)
        }
        Some(CommonError::NoSemicolon) if code.matches('(').count() > code.matches(')').count() => {
            Some(CommonError::NoSign { sign: ")".to_owned() })
        }
        Some(CommonError::NoHeader { header }) if code.contains(&format!("<{header}>")) => {
            Some(CommonError::NoSystemHeader { header: header.clone() })
        }
        Some(
            CommonError::WrongType { .. } | CommonError::NoOperator { .. } | CommonError::Arguments { .. },
        ) => CHARACTER.captures(&code).map(|found| CommonError::SingleQuotes { text: text(&found, "text") }),
        _ => None,
    };
    of_line.or(common)
}

/// An error within the standard library, at the line of the submission that needs it.
pub(super) fn within_library(common: CommonError) -> CommonError {
    const BUILT_IN: [&str; 7] = ["int", "long", "double", "float", "char", "bool", "unsigned int"];
    let CommonError::NoOperator { left, right } = common else { return common };
    let plain = |class: &str| class.trim_start_matches("const ").trim_end_matches([' ', '&']).to_owned();
    let class = if BUILT_IN.contains(&plain(&left).as_str()) { plain(&right) } else { plain(&left) };
    CommonError::NeedsOperator { class }
}

/// The error of an `else if` that is written as in another language.
fn other_else_if(name: Option<String>) -> Option<CommonError> {
    Some(CommonError::OtherName { name: name?, meant: "else if".to_owned() })
}

/// Whether a line uses a name as no type is used.
fn is_variable(code: &str, name: &str) -> bool {
    let mut uses = code.match_indices(name).map(|(at, _)| code[at + name.len()..].trim_start());
    uses.any(|rest| ["->", ".", "[", "=", "++", "--"].iter().any(|sign| rest.starts_with(sign)))
}

/// A common error in a file, which is C if its name says so: nothing there has the namespace `std`.
pub(super) fn in_language(common: CommonError, file: &str) -> CommonError {
    if !file.ends_with(".c") {
        return common;
    }
    match common {
        CommonError::OtherName { name, meant } if meant == "nullptr" => null(name),
        CommonError::OtherName { name, meant } if meant.starts_with("std::") => named_in_c(name),
        CommonError::NoNamespace { name } => named_in_c(name),
        CommonError::NotDeclared { name } if name == "nullptr" => null(name),
        CommonError::NotDeclared { name } => named_in_c(name),
        common => common,
    }
}

/// The error of another name for a null pointer, in C.
fn null(name: String) -> CommonError {
    CommonError::OtherName { name, meant: "NULL".to_owned() }
}

/// The error of a name that is not known in C: its header is missing, which Clang names for functions only.
fn named_in_c(name: String) -> CommonError {
    let header = match name.as_str() {
        "bool" | "true" | "false" => "<stdbool.h>",
        "NULL" | "size_t" => "<stddef.h>",
        "INT_MAX" | "INT_MIN" => "<limits.h>",
        "EOF" | "FILE" | "stdin" | "stdout" | "stderr" => "<stdio.h>",
        _ => return CommonError::NotDeclared { name },
    };
    CommonError::NotIncluded { name, header: header.to_owned() }
}

/// The text that a pattern captured under this name.
fn text(found: &Captures<'_>, name: &str) -> String {
    found.name(name).map_or("", |found| found.as_str()).chars().take(MOST_NAME).collect()
}

/// A name of the namespace `std` that is not known: its header is missing, which Clang does not name.
fn no_standard_name(found: &Captures<'_>) -> CommonError {
    of_namespace(&text(found, "name"))
}

/// The error of a name of the namespace `std`.
fn of_namespace(name: &str) -> CommonError {
    let header = match name {
        "cin" | "cout" | "cerr" | "endl" => "iostream",
        "sort" | "max" | "min" | "find" | "swap" | "reverse" => "algorithm",
        "runtime_error" | "invalid_argument" | "out_of_range" | "logic_error" => "stdexcept",
        "unique_ptr" | "shared_ptr" | "make_unique" | "make_shared" => "memory",
        "pair" => "utility",
        "function" => "functional",
        "array" | "deque" | "list" | "map" | "optional" | "queue" | "set" | "stack" | "string"
        | "string_view" | "tuple" | "unordered_map" | "unordered_set" | "variant" | "vector" => name,
        _ => return CommonError::NotDeclared { name: format!("std::{name}") },
    };
    CommonError::NotIncluded { name: format!("std::{name}"), header: format!("<{header}>") }
}

/// The error of the first name of the namespace `std` in a line, for a compiler that knows no such namespace.
fn no_std(line: &str) -> Option<CommonError> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bstd::(\w+)"));
    Some(of_namespace(NAME.captures(line)?.get(1)?.as_str()))
}

fn no_namespace(found: &Captures<'_>) -> CommonError {
    CommonError::NoNamespace { name: text(found, "name") }
}

/// A name that is not declared, or one of another language.
fn not_declared(found: &Captures<'_>) -> CommonError {
    let name = text(found, "name");
    let meant = match name.as_str() {
        "String" => "std::string",
        "boolean" => "bool",
        "True" => "true",
        "False" => "false",
        "None" | "null" => "nullptr",
        _ => return CommonError::NotDeclared { name },
    };
    CommonError::OtherName { name, meant: meant.to_owned() }
}

/// A type of C that is named without the word `struct`.
fn of_struct(found: &Captures<'_>) -> CommonError {
    let name = text(found, "name");
    CommonError::OtherName { meant: format!("struct {name}"), name }
}

fn of_abstract(found: &Captures<'_>) -> CommonError {
    CommonError::Abstract { class: text(found, "class") }
}

fn redefined(found: &Captures<'_>) -> CommonError {
    CommonError::Redefined { name: text(found, "name") }
}

fn arguments(found: &Captures<'_>) -> CommonError {
    CommonError::Arguments { name: Some(text(found, "name")) }
}

fn wrong_type(found: &Captures<'_>) -> CommonError {
    CommonError::WrongType { from: text(found, "from"), to: text(found, "to") }
}

/// An operator that does not take the types of its sides. Clang does not say which one.
fn no_operator(found: &Captures<'_>) -> CommonError {
    const PRINTED: [&str; 8] =
        ["int", "long", "double", "float", "char", "bool", "std::string", "unsigned int"];
    let (left, right) = (text(found, "left"), text(found, "right"));
    let is_printed = |class: &str| PRINTED.contains(&class) || class.starts_with("const char");
    let is_stream =
        ["std::ostream", "std::basic_ostream<", "basic_ostream<"].iter().any(|begin| left.starts_with(begin));
    if is_stream && !is_printed(&right) {
        CommonError::NotPrinted { class: right }
    } else {
        CommonError::NoOperator { left, right }
    }
}

fn no_member(found: &Captures<'_>) -> CommonError {
    CommonError::NoMember { class: text(found, "class"), name: text(found, "name") }
}

#[cfg(test)]
mod tests {
    use super::common;
    use crate::languages::CommonError;
    use crate::languages::cpp::errors::plain;

    #[track_caller]
    fn check(messages: &[&str], expected: Option<CommonError>) {
        for message in messages {
            assert_eq!(common(&plain(message)), expected, "{message}");
        }
    }

    fn text(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn signs_that_are_missing_or_too_many_are_named() {
        let semicolon = [
            "expected ',' or ';' before 'return'",
            "expected ';' before 'return'",
            "expected ';' after class definition",
            "expected ';' at end of declaration",
            "expected ';' after expression",
            "expected ';', identifier or '(' before 'int'",
            "expected '=', ',', ';', 'asm' or '__attribute__' before 'return'",
        ];
        check(&semicolon, Some(CommonError::NoSemicolon));
        let no_sign = |sign| Some(CommonError::NoSign { sign: text(sign) });
        check(&["expected '}' at end of input", "expected '}'"], no_sign("}"));
        check(&["expected ')' before ';' token", "expected ')'"], no_sign(")"));
        check(&["expected ';', ',' or ')' before '{' token"], no_sign(")"));
        check(&["expected declaration or statement at end of input"], no_sign("}"));
        check(&["expected '(' before 'a'", "expected '(' after 'if'"], no_sign("("));
        check(&["expected ':' before 'int'", "expected ':'"], no_sign(":"));
        check(&["expected '>'"], no_sign(">"));
        let quote = |sign| Some(CommonError::NoQuote { sign: text(sign) });
        check(&["missing terminating \" character"], quote("\""));
        check(&["missing terminating ' character"], quote("'"));
        check(&["'else' without a previous 'if'"], Some(CommonError::NoIf));
        let brace = ["expected declaration before '}' token", "extraneous closing brace ('}')"];
        check(&brace, Some(CommonError::Unopened));
        check(&["expected primary-expression before ';' token"], None);
    }

    #[test]
    fn names_that_are_not_known_are_told_apart() {
        let name = || text("Bord");
        let undeclared = [
            "'Bord' was not declared in this scope",
            "'Bord' was not declared in this scope; did you mean 'Board'?",
            "'Bord' does not name a type",
            "use of undeclared identifier 'Bord'",
            "unknown type name 'Bord'; did you mean 'Board'?",
            "'Bord' undeclared (first use in this function)",
            "implicit declaration of function 'Bord' [-Werror=implicit-function-declaration]",
            "implicit declaration of function 'Bord' is invalid in C99 [-Werror,-Wimplicit-function-declaration]",
            "implicitly declaring library function 'Bord' with type 'int (const char *, ...)' [-Werror,-Wimplicit-function-declaration]",
            "call to undeclared function 'Bord'; ISO C99 and later do not support implicit function declarations",
            "'Bord' undeclared here (not in a function)",
            "'Bord' has not been declared",
        ];
        check(&undeclared, Some(CommonError::NotDeclared { name: name() }));
        let other = |name, meant| Some(CommonError::OtherName { name: text(name), meant: text(meant) });
        check(&["'True' was not declared in this scope"], other("True", "true"));
        check(&["use of undeclared identifier 'null'"], other("null", "nullptr"));
        check(&["'boolean' does not name a type; did you mean 'bool'?"], other("boolean", "bool"));
        let of_struct = [
            "must use 'struct' tag to refer to type 'point'",
            "unknown type name 'point'; use 'struct' keyword to refer to the type",
        ];
        check(&of_struct, other("point", "struct point"));
        let directive = "invalid preprocessing directive #inlcude; did you mean #include?";
        check(&[directive], other("#inlcude", "#include"));
        let cout = [
            "'cout' was not declared in this scope; did you mean 'std::cout'?",
            "'cout' was not declared in this scope",
            "use of undeclared identifier 'cout'; did you mean 'std::cout'?",
        ];
        check(&cout, Some(CommonError::NoNamespace { name: text("cout") }));
        let string = [
            "'string' does not name a type; did you mean 'stdin'?",
            "unknown type name 'string'; did you mean 'std::string'?",
            "unknown type name 'string'",
        ];
        check(&string[1..], Some(CommonError::NoNamespace { name: text("string") }));
        check(&string[..1], Some(CommonError::NoNamespace { name: text("string") }));
        let of_java = [
            "'String' does not name a type",
            "'String' was not declared in this scope",
            "unknown type name 'String'; did you mean 'std::string'?",
            "unknown type name 'String'",
        ];
        let meant = text("std::string");
        check(&of_java, Some(CommonError::OtherName { name: text("String"), meant }));
        let vector = [
            "no template named 'vector' in namespace 'std'",
            "no member named 'vector' in namespace 'std'",
            "implicit instantiation of undefined template 'std::vector<int>'",
        ];
        let not_included = CommonError::NotIncluded { name: text("std::vector"), header: text("<vector>") };
        check(&vector, Some(not_included));
        let cin = Some(CommonError::NotIncluded { name: text("std::cin"), header: text("<iostream>") });
        check(&["no member named 'cin' in namespace 'std'"], cin);
        let unknown = Some(CommonError::NotDeclared { name: text("std::vectr") });
        check(&["no member named 'vectr' in namespace 'std'"], unknown);
        let header = ["nothere.h: No such file or directory", "'nothere.h' file not found"];
        check(&header, Some(CommonError::NoHeader { header: text("nothere.h") }));
        let members = [
            "'class Bord' has no member named 'put'",
            "no member named 'put' in 'Bord'",
            "'put' is not a member of 'Bord'",
        ];
        let no_member = Some(CommonError::NoMember { class: name(), name: text("put") });
        check(&members, no_member);
    }

    #[test]
    fn definitions_and_calls_that_do_not_fit_are_named() {
        let board = || text("int board(int, int)");
        let returns = Some(CommonError::NoReturnType { name: Some(text("f")) });
        check(&["ISO C++ forbids declaration of 'f' with no type [-fpermissive]"], returns);
        let unnamed = Some(CommonError::NoReturnType { name: None });
        check(&["C++ requires a type specifier for all declarations"], unnamed);
        let calls = ["no matching function for call to 'h()'", "no matching function for call to 'h'"];
        check(&calls, Some(CommonError::Arguments { name: Some(text("h")) }));
        let counts = [
            "too few arguments to function 'int board(int, int)'",
            "too many arguments to function 'int board(int, int)'",
        ];
        check(&counts, Some(CommonError::Arguments { name: Some(board()) }));
        let class = || text("Shape");
        let of_class = ["undefined reference to `vtable for Shape'"];
        check(&of_class, Some(CommonError::NoVirtualBody { class: class() }));
        let variable = ["undefined reference to `Box::made'"];
        check(&variable, Some(CommonError::NoStatic { name: text("Box::made") }));
        let undefined = ["undefined reference to `int board(int, int)'"];
        check(&undefined, Some(CommonError::NotDefined { name: board() }));
        let twice = [
            "redefinition of 'int board(int, int)'",
            "redeclaration of 'int board(int, int)'",
            "conflicting declaration 'int board(int, int)'",
            "multiple definition of `int board(int, int)'; /tmp/a.o:box.cpp:3: first defined here",
        ];
        check(&twice, Some(CommonError::Redefined { name: board() }));
        let of_f = [
            "redefinition of 'f'",
            "declaration of 'int* f' shadows a parameter",
            "'f' redeclared as different kind of symbol",
        ];
        check(&of_f, Some(CommonError::Redefined { name: text("f") }));
        let conflicts = ["conflicting types for 'f'; have 'int(double)'", "conflicting types for 'f'"];
        check(&conflicts, Some(CommonError::Conflicting { name: text("f") }));
        let unnamed = ["too few arguments to function call, single argument 'a' was not specified"];
        check(&unnamed, Some(CommonError::Arguments { name: None }));
    }

    #[test]
    fn types_access_and_constants_are_told_apart() {
        let types = |from, to| Some(CommonError::WrongType { from: text(from), to: text(to) });
        let to_int = [
            "cannot convert 'std::string' {aka 'std::__cxx11::basic_string<char>'} to 'int' in initialization",
            "no viable conversion from 'std::string' (aka 'basic_string<char>') to 'int'",
            "no viable conversion from returned value of type 'std::string' (aka 'basic_string<char>') to function return type 'int'",
            "assigning to 'int' from incompatible type 'std::string' (aka 'basic_string<char>')",
            "could not convert 'text' from 'std::string' {aka 'std::__cxx11::basic_string<char>'} to 'int'",
        ];
        check(&to_int, types("std::string", "int"));
        check(
            &["invalid conversion from 'const char*' to 'int' [-fpermissive]"],
            types("const char*", "int"),
        );
        check(
            &[
                "conversion from 'int' to non-scalar type 'std::string' {aka 'std::__cxx11::basic_string<char>'} requested",
            ],
            types("int", "std::string"),
        );
        check(
            &["cannot initialize a variable of type 'int' with an lvalue of type 'const char[2]'"],
            types("const char[2]", "int"),
        );
        check(
            &["'int A::n' is private within this context"],
            Some(CommonError::Private { name: text("int A::n") }),
        );
        check(&["'n' is a private member of 'A'"], Some(CommonError::Private { name: text("n") }));
        let constants = [
            "assignment of read-only variable 'a'",
            "increment of read-only variable 'a'",
            "assignment of member 'A::n' in read-only object",
            "passing 'const A' as 'this' argument discards qualifiers [-fpermissive]",
            "cannot assign to variable 'a' with const-qualified type 'const int'",
            "cannot assign to non-static data member within const member function 'm'",
            "'this' argument to member function 'k' has type 'const A', but function is not marked const",
        ];
        check(&constants, Some(CommonError::Constant));
        check(&["read-only variable is not assignable"], Some(CommonError::Constant));
        let pointer =
            "request for member 'n' in 'p', which is of pointer type 'A*' (maybe you meant to use '->' ?)";
        check(&[pointer], Some(CommonError::Pointer { name: Some(text("p")) }));
        let pointer = "member reference type 'A *' is a pointer; did you mean to use '->'?";
        check(&[pointer], Some(CommonError::Pointer { name: None }));
        let pointer = "'p' is a pointer; did you mean to use '->'?";
        check(&[pointer], Some(CommonError::Pointer { name: Some(text("p")) }));
        let arrow = [
            "invalid type argument of '->' (have 'struct P')",
            "base operand of '->' has non-pointer type 'P'",
            "member reference type 'struct P' is not a pointer; did you mean to use '.'?",
        ];
        check(&arrow, Some(CommonError::Arrow));
        let size = Some(CommonError::NoMember { class: text("int"), name: text("size") });
        check(&["request for member 'size' in 'a', which is of non-class type 'int'"], size);
        let no_members = [
            "request for member 'size' in something not a structure or union",
            "member reference base type 'int[3]' is not a structure or union",
        ];
        check(&no_members, Some(CommonError::NoMembers));
    }

    #[test]
    fn values_that_are_not_what_their_place_needs_are_told_apart() {
        let star = [
            "invalid type argument of unary '*' (have 'int')",
            "indirection requires pointer operand ('int' invalid)",
        ];
        check(&star, Some(CommonError::NotPointer { class: text("int") }));
        let items = [
            "invalid types 'int[int]' for array subscript",
            "subscripted value is not an array, pointer, or vector",
            "subscripted value is neither array nor pointer nor vector",
        ];
        check(&items, Some(CommonError::NoItems));
        let called = [
            "'a' cannot be used as a function",
            "called object 'a' is not a function or function pointer",
            "called object type 'int' is not a function or function pointer",
        ];
        check(&called, Some(CommonError::NotFunction));
        let named = [
            "cannot convert 'A::f' from type 'int (A::)()' to type 'int'",
            "invalid use of non-static member function 'int A::f()'",
            "reference to non-static member function must be called; did you mean to call it with no arguments?",
        ];
        check(&named, Some(CommonError::NotCalled));
        let of_class = [
            "invalid new-expression of abstract class type 'S'",
            "cannot declare variable 's' to be of abstract type 'S'",
            "allocating an object of abstract class type 'S'",
            "variable type 'S' is an abstract class",
        ];
        check(&of_class, Some(CommonError::Abstract { class: text("S") }));
        let arrays = [
            "invalid array assignment",
            "assignment to expression with array type",
            "array type 'int[3]' is not assignable",
        ];
        check(&arrays, Some(CommonError::ArrayAssigned));
        let left = ["lvalue required as left operand of assignment", "expression is not assignable"];
        check(&left, Some(CommonError::NotAssignable));
    }

    #[test]
    fn statements_and_definitions_in_the_wrong_place_are_told_apart() {
        let void = [
            "void value not ignored as it ought to be",
            "cannot initialize a variable of type 'int' with an rvalue of type 'void'",
            "initializing 'int' with an expression of incompatible type 'void'",
            "assigning to 'int' from incompatible type 'void'",
            "no match for 'operator<<' in 'std::cout << f()' (operand types are 'std::ostream' and 'void')",
        ];
        check(&void, Some(CommonError::VoidUsed));
        let value = [
            "return-statement with a value, in function returning 'void' [-fpermissive]",
            "void function 'f' should not return a value [-Wreturn-type]",
        ];
        check(&value, Some(CommonError::VoidReturns));
        let nothing = [
            "return-statement with no value, in function returning 'int' [-fpermissive]",
            "'return' with no value, in function returning non-void [-Werror=return-type]",
            "non-void function 'f' should return a value [-Wreturn-type]",
        ];
        check(&nothing, Some(CommonError::ReturnsNothing));
        let head = [
            "expected unqualified-id before '{' token",
            "expected identifier or '(' before '{' token",
            "declaration of 'int A::f()' outside of class is not definition [-fpermissive]",
            "out-of-line declaration of a member must be a definition [-Wout-of-line-declaration]",
        ];
        check(&head, Some(CommonError::NoHead));
        let nested = [
            "a function-definition is not allowed here before '{' token",
            "function definition is not allowed here",
        ];
        check(&nested, Some(CommonError::NestedFunction));
        let jump = ["jump to case label", "cannot jump from switch statement to this case label"];
        check(&jump, Some(CommonError::CaseJump));
        check(&["duplicate case value", "duplicate case value '1'"], Some(CommonError::SameCase));
        let constant = [
            "the value of 'b' is not usable in a constant expression",
            "'b' is not a constant expression",
            "case value is not a constant expression",
            "non-type template argument is not a constant expression",
            "case label does not reduce to an integer constant",
            "expression is not an integer constant expression",
        ];
        check(&constant, Some(CommonError::NotConstant));
        let switch = [
            "switch quantity not an integer",
            "statement requires expression of integer type ('std::string' (aka 'basic_string<char>') invalid)",
        ];
        check(&switch, Some(CommonError::NoSwitch));
        let values = ["too many initializers for 'int [2]'", "excess elements in array initializer"];
        check(&values, Some(CommonError::TooManyValues));
        let outside = [
            "break statement not within loop or switch",
            "continue statement not within a loop",
            "'break' statement not in loop or switch statement",
        ];
        check(&outside, Some(CommonError::NoLoop));
        check(&["required symbol `main' not defined"], Some(CommonError::NoMain));
    }

    #[test]
    fn operators_name_the_types_of_both_sides() {
        let list = [
            "no match for 'operator<<' in 'std::cout << v' (operand types are 'std::ostream' {aka 'std::basic_ostream<char>'} and 'std::vector<int>')",
            "invalid operands to binary expression ('std::ostream' (aka 'basic_ostream<char>') and 'std::vector<int>')",
        ];
        check(&list, Some(CommonError::NotPrinted { class: text("std::vector<int>") }));
        let operator = |left, right| Some(CommonError::NoOperator { left: text(left), right: text(right) });
        let stream = [
            "no match for 'operator>>' in 'std::cout >> a' (operand types are 'std::ostream' {aka 'std::basic_ostream<char>'} and 'int')",
            "invalid operands to binary expression ('std::ostream' (aka 'basic_ostream<char>') and 'int')",
        ];
        check(&stream, operator("std::ostream", "int"));
        let own = [
            "no match for 'operator+' in 'a + 1' (operand types are 'A' and 'int')",
            "invalid operands of types 'A' and 'int' to binary 'operator+'",
            "invalid operands to binary expression ('A' and 'int')",
            "invalid operands to binary + (have 'A' and 'int')",
        ];
        check(&own, operator("A", "int"));
    }
}
