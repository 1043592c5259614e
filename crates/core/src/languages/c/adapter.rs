//! The functions in C++ that call an exercise's functions in C: their parameters are the arguments of a case, so that
//! values pass as in C++. They are the same for all submissions.

use super::declarations::Declarations;
use super::signature::{Parameter, Passed, RETURN, Signature};
use super::structure::{Field, Structure};
use super::types::{Base, Type};
use std::fmt::Write;

/// The source of an exercise's functions in C++. What a submission lacks has no address.
pub(super) fn written(declarations: &Declarations) -> String {
    let Declarations { structs, functions, .. } = declarations;
    let mut source = "#include <keur-c.hpp>\n".to_owned();
    let mut defined = Vec::new();
    for structure in structs {
        define(structure, structs, &mut defined, &mut source);
    }
    for structure in structs {
        add_struct(structure, &mut source);
    }
    for function in functions {
        add_function(function, &mut source);
    }
    source.push_str("extern \"C\" void keur_library(keur::Library &library) {\n");
    for Structure { class, .. } in structs {
        let _ = writeln!(
            source,
            "if (keur_t_{class} != nullptr && *keur_t_{class} != 0) keur::refuse_class(library, \"{class}\", keur_t_{class});\n\
             else if (keur_t_{class} != nullptr) add_{class}(library);"
        );
    }
    for Signature { name, .. } in functions {
        let _ = writeln!(
            source,
            "if (keur_w_{name} != nullptr) keur::refuse_calls(library, \"{name}\", keur_w_{name});\n\
             else if (&keur_f_{name} != nullptr) keur::add_deduced<void, decltype(&call_{name}), decltype(&call_{name})>(\
             library, \"{name}\", reinterpret_cast<const void *>(&call_{name}));"
        );
    }
    source.push_str("}\n");
    source
}

/// Defines a struct after those that are its fields.
fn define<'s>(
    structure: &'s Structure,
    all: &'s [Structure],
    defined: &mut Vec<&'s str>,
    source: &mut String,
) {
    if defined.contains(&structure.class.as_str()) {
        return;
    }
    defined.push(&structure.class);
    let fields = structure.fields.as_deref().unwrap_or_default();
    for field in fields.iter().filter(|field| field.of.is(&Base::Struct, 0)) {
        if let Some(inner) = all.iter().find(|other| other.in_cpp() == field.of.value()) {
            define(inner, all, defined, source);
        }
    }
    let _ = writeln!(source, "struct {} {{", structure.class);
    for Field { name, of, items } in fields {
        let items = items.map(|items| format!("[{items}]")).unwrap_or_default();
        let pointers = "*".repeat(of.depth());
        let _ = writeln!(source, "{} {pointers}f_{name}{items};", of.value());
    }
    source.push_str("};\n");
}

/// Adds what a case can do with a struct: make it of its fields, and read and set them.
fn add_struct(structure: &Structure, source: &mut String) {
    let class = &structure.class;
    let fields = structure.fields.as_deref().unwrap_or_default();
    let _ = writeln!(source, "extern \"C\" const char keur_t_{class}[] __attribute__((weak));");
    for Field { name, of, items } in fields {
        let (value, place) = (of.value(), format!("static_cast<struct {class} *>(object)->f_{name}"));
        let get = match items {
            Some(items) if of.base == Base::Char => {
                format!("keur::write_text(result, std::string({place}, strnlen({place}, {items})))")
            }
            _ => format!("keur::write(result, {place})"),
        };
        let set = match (items, of.is_text()) {
            (Some(items), _) => {
                let put = if of.base == Base::Char { "put_text" } else { "put_items" };
                format!("keur_c::{put}({place}, {items}, value, typeid({value}[{items}]))")
            }
            (None, true) => format!(
                "{place} = keur::is_none(value) ? nullptr : keur_c::copy_of(keur::text_in(value, typeid(char *)))"
            ),
            (None, false) if of.depth() == 1 => format!("{place} = keur::read<{value} *>(value)"),
            (None, false) => format!("{place} = keur::read<{value}>(value)"),
        };
        let _ = writeln!(
            source,
            "static void get_{class}_{name}(void *object, keur::Value &result) {{ {get}; }}\n\
             static void set_{class}_{name}(void *object, const keur::Value &value) {{ {set}; }}"
        );
    }
    let mut described = format!("keur::Described all{{}};\nall.type = &keur::type_of<struct {class}>;\n");
    if structure.is_made() {
        let _ = writeln!(
            source,
            "static void make_{class}(const void *, void *, keur::Value *const *given, keur::Value &result) {{\n\
             auto *object = keur_c::room<struct {class}>(1);"
        );
        for (index, Field { name, .. }) in fields.iter().enumerate() {
            let _ = writeln!(source, "set_{class}_{name}(object, *given[{index}]);");
        }
        source.push_str("keur::write_reference(result, *object);\n}\n");
        let _ = writeln!(described, "all.construct.of[{}] = &make_{class};", fields.len());
    }
    let _ = writeln!(
        source,
        "static keur::Described describe_{class}() {{\n{described}return all;\n}}\n\
         static void add_{class}(keur::Library &library) {{\n\
         static const keur::Described described = describe_{class}();\n\
         [[maybe_unused]] keur::Class &own = keur::add_class(library, \"{class}\", described);"
    );
    for Field { name, .. } in fields {
        let _ = writeln!(
            source,
            "keur::add_attribute(own, \"{name}\", &get_{class}_{name}, &set_{class}_{name});"
        );
    }
    source.push_str("}\n");
}

/// The parts of a function in C++ that calls one in C.
#[derive(Default)]
struct Call {
    taken: Vec<String>,
    before: String,
    given: Vec<String>,
    after: String,
    answers: Vec<Answer>,
    freed: Vec<String>,
}

/// A part of the value of a call.
struct Answer {
    of: String,
    value: String,
}

fn add_function(function: &Signature, source: &mut String) {
    let name = &function.name;
    let pointer = function.pointer(&format!("keur_f_{name}"), Type::in_cpp);
    let mut call = Call::default();
    for parameter in &function.parameters {
        call.pass(function, parameter);
    }
    let Call { taken, mut before, given, mut after, mut answers, freed } = call;
    let called = format!("keur_f_{name}({})", given.join(", "));
    let errno = function.sets_errno();
    if errno {
        before.push_str("errno = 0;\n");
    }
    if function.returns.is(&Base::Void, 0) {
        let _ = writeln!(before, "{called};");
    } else {
        let _ = writeln!(before, "auto returned = {called};");
        answers.insert(0, returned(function));
    }
    if errno {
        before.push_str("if (int number = errno; number != 0) keur::raise_errno(number);\n");
    }
    let _ = writeln!(before, "keur_c::Reading reading((const void *)keur_f_{name});");
    for (index, Answer { of, value }) in answers.iter().enumerate() {
        let _ = writeln!(after, "{of} answer_{index} = {value};");
    }
    after.push_str("reading.ends();\n");
    for pointer in freed.into_iter().chain(function.is_freed(RETURN).then(|| "returned".to_owned())) {
        let _ = writeln!(after, "std::free((void *){pointer});");
    }
    let (of, result) = match answers.as_slice() {
        [] => ("void".to_owned(), String::new()),
        [Answer { of, .. }] => (of.clone(), "answer_0".to_owned()),
        several => {
            let types: Vec<&str> = several.iter().map(|answer| answer.of.as_str()).collect();
            let all: Vec<String> = (0..several.len()).map(|index| format!("answer_{index}")).collect();
            let of = format!("std::tuple<{}>", types.join(", "));
            (of.clone(), format!("{of}({})", all.join(", ")))
        }
    };
    let _ = writeln!(
        source,
        "extern \"C\" {pointer} __attribute__((weak));\n\
         extern \"C\" const char keur_w_{name}[] __attribute__((weak));\n\
         static {of} call_{name}({}) {{\n{before}{after}return {result};\n}}",
        taken.join(", ")
    );
}

/// The part of the value of a call that the function returns.
fn returned(function: &Signature) -> Answer {
    let of = &function.returns;
    let value = of.value();
    match function.lengths(RETURN) {
        Some(length) => {
            let list = list_of(of);
            Answer {
                of: list,
                value: format!("keur_c::list_of({}, {})", plain(of, "returned"), length_in(function, length)),
            }
        }
        None if of.is_text() => text("returned"),
        None if of.depth() == 1 => Answer { of: format!("{value} *"), value: plain(of, "returned") },
        None => Answer { of: value.to_owned(), value: "returned".to_owned() },
    }
}

/// A pointer without `const`.
fn plain(of: &Type, name: &str) -> String {
    format!("({} {})({name})", of.value(), "*".repeat(of.depth()))
}

fn text(name: &str) -> Answer {
    Answer { of: "std::optional<std::string>".to_owned(), value: format!("keur_c::text_of({name})") }
}

/// The type of the items at a pointer, in C++.
fn list_of(of: &Type) -> String {
    match (&of.base, of.depth()) {
        (Base::Char, 1) => "std::string".to_owned(),
        (Base::Char, _) => "std::vector<std::optional<std::string>>".to_owned(),
        _ => format!("std::vector<{}>", of.value()),
    }
}

/// The length that a parameter holds after the call.
fn length_in(function: &Signature, name: &str) -> String {
    let found = function.parameter(name);
    match found.map(|parameter| (function.passed(parameter), parameter.of.depth())) {
        Some((Passed::LengthOf(arrays), 0)) => size_of(function, arrays.first().copied().unwrap_or(name)),
        _ => format!("own_{name}"),
    }
}

/// The number of items of an array before the call.
fn size_of(function: &Signature, array: &str) -> String {
    match function.parameter(array).map(|parameter| function.passed(parameter)) {
        Some(Passed::Room(items)) => items.to_string(),
        _ => format!("own_{array}.size()"),
    }
}

impl Call {
    /// Adds what is passed for a parameter.
    fn pass(&mut self, function: &Signature, parameter: &Parameter) {
        let Parameter { name, of, .. } = parameter;
        let own = format!("own_{name}");
        let items = format!("items_{name}");
        let value = of.value();
        let cast = of.in_cpp();
        match function.passed(parameter) {
            Passed::Argument => {
                // A text that the function changes is given back.
                self.taken.push(format!("{cast} {own}"));
                self.given.push(own);
            }
            Passed::InOut => {
                self.taken.push(format!("{value} {own}"));
                self.given.push(format!("&{own}"));
                self.answers.push(Answer { of: value.to_owned(), value: own });
            }
            Passed::Array => self.pass_array(function, parameter),
            Passed::LengthOf(arrays) => {
                let sizes: Vec<String> = arrays.iter().map(|array| size_of(function, array)).collect();
                for size in &sizes[1..] {
                    let _ = writeln!(
                        self.before,
                        "if ({size} != {}) throw keur::Refused{{\"it takes lists of one length\"}};",
                        sizes[0]
                    );
                }
                if of.depth() == 0 {
                    self.given.push(format!("static_cast<{value}>({})", sizes[0]));
                } else {
                    let _ = writeln!(self.before, "{value} {own} = {};", sizes[0]);
                    self.given.push(format!("&{own}"));
                }
            }
            Passed::Result => {
                let pointer = "*".repeat(of.depth() - 1);
                let _ = writeln!(self.before, "{value} {pointer}{own}{{}};");
                self.given.push(format!("({cast})&{own}"));
                if function.is_freed(name) {
                    self.freed.push(own.clone());
                }
                self.answers.push(if of.is(&Base::Char, 2) {
                    text(&own)
                } else {
                    Answer { of: format!("{value} {pointer}"), value: own }
                });
            }
            Passed::Room(count) => {
                let fill = if of.base == Base::Char { "'?'" } else { "0" };
                let _ = writeln!(self.before, "{value} *{items} = keur_c::room<{value}>({count}, {fill});");
                let length = match function.lengths(name).map(|length| (length, function.parameter(length))) {
                    Some((length, Some(holder))) if holder.of.depth() == 1 => format!("own_{length}"),
                    _ if of.base == Base::Char => format!("strnlen({items}, {count})"),
                    _ => count.to_string(),
                };
                let list = list_of(of);
                self.answers.push(Answer { of: list, value: format!("keur_c::list_of({items}, {length})") });
                self.given.push(items);
            }
            Passed::ReturnedLength => {
                let _ = writeln!(self.before, "{value} {own}{{}};");
                self.given.push(format!("&{own}"));
            }
        }
    }

    fn pass_array(&mut self, function: &Signature, parameter: &Parameter) {
        let Parameter { name, of, .. } = parameter;
        let own = format!("own_{name}");
        let items = format!("items_{name}");
        let cast = of.in_cpp();
        let is_list_of_texts = of.is(&Base::Char, 2);
        let list = if is_list_of_texts { "std::vector<std::string>".to_owned() } else { list_of(of) };
        let is_changed = !of.is_const && !is_list_of_texts;
        let constant = if is_changed { "" } else { "const " };
        self.taken.push(format!("{constant}{list} &{own}"));
        let _ = writeln!(self.before, "auto *{items} = keur_c::copy_of({own});");
        self.given.push(format!("({cast}){items}"));
        if !is_changed {
            return;
        }
        let length = function.lengths(name).and_then(|length| Some((length, function.parameter(length)?)));
        let changed =
            length.filter(|(_, holder)| holder.of.depth() == 1).map(|(length, _)| format!("own_{length}"));
        let size = match changed {
            Some(length) => format!("keur::length_in({length}, {own}.size())"),
            None if of.is_text() => format!("strnlen({items}, {own}.size())"),
            None => format!("{own}.size()"),
        };
        let _ =
            writeln!(self.after, "if (!keur::is_freed({items})) {own} = keur_c::list_of({items}, {size});");
    }
}
