//! Types in C, as far as keur passes values of them.

use super::structure::Structure;

/// The types of numbers, each with the name that the compilers have for it without a header.
const NUMBERS: [(&str, &str); 37] = [
    ("signed char", "signed char"),
    ("unsigned char", "unsigned char"),
    ("short", "short"),
    ("short int", "short"),
    ("unsigned short", "unsigned short"),
    ("unsigned short int", "unsigned short"),
    ("int", "int"),
    ("signed", "int"),
    ("signed int", "int"),
    ("unsigned", "unsigned"),
    ("unsigned int", "unsigned"),
    ("long", "long"),
    ("long int", "long"),
    ("signed long", "long"),
    ("unsigned long", "unsigned long"),
    ("unsigned long int", "unsigned long"),
    ("long unsigned int", "unsigned long"),
    ("long long", "long long"),
    ("long long int", "long long"),
    ("signed long long", "long long"),
    ("unsigned long long", "unsigned long long"),
    ("unsigned long long int", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("long double", "long double"),
    ("size_t", "__SIZE_TYPE__"),
    ("ssize_t", "long"),
    ("ptrdiff_t", "__PTRDIFF_TYPE__"),
    ("intmax_t", "__INTMAX_TYPE__"),
    ("int8_t", "__INT8_TYPE__"),
    ("int16_t", "__INT16_TYPE__"),
    ("int32_t", "__INT32_TYPE__"),
    ("int64_t", "__INT64_TYPE__"),
    ("uint8_t", "__UINT8_TYPE__"),
    ("uint16_t", "__UINT16_TYPE__"),
    ("uint32_t", "__UINT32_TYPE__"),
    ("uint64_t", "__UINT64_TYPE__"),
];

/// The value that a type is of, or that its pointers lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Void,
    Bool,
    Char,
    Number,
    Struct,
}

/// A type: of a value, or of pointers to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) base: Base,
    /// How the two languages spell the base, without a name that a header defines.
    c: String,
    cpp: String,
    /// Whether the value cannot be changed, at the end of its pointers.
    pub(super) is_const: bool,
    /// The text after the base: pointers, and which of them are `const`.
    pointers: String,
}

impl Type {
    /// Parses a type such as `const char *`. The structs are those that it may be of.
    pub(super) fn parse(text: &str, structs: &[Structure]) -> Result<Type, String> {
        let (base, pointers) = text.split_at(text.find('*').unwrap_or(text.len()));
        let words: Vec<&str> = base.split_whitespace().filter(|word| *word != "const").collect();
        let is_const = base.split_whitespace().any(|word| word == "const");
        let mut rest = pointers.split(|char: char| char.is_whitespace() || char == '*');
        if let Some(word) = rest.find(|word| !["", "const"].contains(word)) {
            return Err(format!("keur cannot read `{word}` in the type `{text}`"));
        }
        let of = |base: Base, c: &str, cpp: String| {
            Ok(Type { base, c: c.to_owned(), cpp, is_const, pointers: pointers.trim().to_owned() })
        };
        let joined = words.join(" ");
        if let Some(found) = structs.iter().find(|found| found.is_called(&joined)) {
            return of(Base::Struct, &joined, found.in_cpp());
        }
        match joined.as_str() {
            "" => return Err(format!("`{text}` is no type")),
            "void" => return of(Base::Void, "void", "void".to_owned()),
            "bool" | "_Bool" => return of(Base::Bool, "_Bool", "bool".to_owned()),
            "char" => return of(Base::Char, "char", "char".to_owned()),
            _ => {}
        }
        if let Some((_, name)) = NUMBERS.iter().find(|known| known.0 == joined) {
            return of(Base::Number, name, (*name).to_owned());
        }
        match words.as_slice() {
            ["enum", tag] if is_name(tag) => of(Base::Number, &joined, "int".to_owned()),
            _ => Err(format!("keur passes no `{joined}` in C; a struct is declared as `c` of a [class]")),
        }
    }

    /// The number of pointers that lead to its value.
    pub(super) fn depth(&self) -> usize {
        self.pointers.matches('*').count()
    }

    pub(super) fn is(&self, base: &Base, depth: usize) -> bool {
        self.base == *base && self.depth() == depth
    }

    pub(super) fn is_text(&self) -> bool {
        self.is(&Base::Char, 1)
    }

    /// The type as C spells it.
    pub(super) fn in_c(&self) -> String {
        self.spelled(&self.c)
    }

    /// The type as C++ spells it.
    pub(super) fn in_cpp(&self) -> String {
        self.spelled(&self.cpp)
    }

    fn spelled(&self, base: &str) -> String {
        let constant = if self.is_const { "const " } else { "" };
        format!("{constant}{base} {}", self.pointers).trim_end().to_owned()
    }

    /// The value at the end of its pointers, in C++.
    pub(super) fn value(&self) -> &str {
        &self.cpp
    }
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
}

/// The type and the name in a declaration such as `const int *values`, `char name[20]` or `int values[]`.
pub(super) struct Declared<'t> {
    pub(super) of: &'t str,
    pub(super) name: &'t str,
    /// The text between brackets after the name.
    pub(super) items: Option<&'t str>,
}

impl<'t> Declared<'t> {
    pub(super) fn parse(text: &'t str) -> Option<Declared<'t>> {
        let text = text.trim();
        let (text, items) = match text.strip_suffix(']') {
            Some(text) => {
                let (text, items) = text.split_once('[')?;
                let is_length = items.trim().chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
                (text.trim_end(), Some(items.trim()).filter(|_| is_length).map(Some)?)
            }
            None => (text, None),
        };
        let start = text.rfind(|char: char| !(char.is_ascii_alphanumeric() || char == '_'))? + 1;
        let (of, name) = text.split_at(start);
        let is_type = ["void", "bool", "char"].contains(&name) || NUMBERS.iter().any(|known| known.0 == name);
        (is_name(name) && !is_type).then_some(Declared { of: of.trim(), name, items })
    }
}
