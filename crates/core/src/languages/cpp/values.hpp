// Values as the driver holds them. A part of driver.cpp.
#pragma once

#include "keur-driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <cxxabi.h>

namespace keur {

struct Value {
    Kind kind = Kind::none;
    // A boolean, or whether an integer is negative.
    bool flag = false;
    // The magnitude of an integer.
    std::uint64_t magnitude = 0;
    double real = 0;
    // A text in UTF-8, or the digits of an integer that does not fit into 64 bits.
    std::string text;
    // The items of a list, a tuple or a set; the keys and values of a dict, one after the other.
    std::vector<Value> items;
    // An object, what keeps it alive, and its type.
    void *object = nullptr;
    std::shared_ptr<void> owner;
    const Type *type = nullptr;
};

// Whether an object of another type is also one of this type.
inline bool includes(const Type &type, const Type &other, const void *object) {
    return other.exact(object) == *type.info || type.part(other, object) != nullptr;
}

inline Value of_kind(Kind kind) {
    Value value;
    value.kind = kind;
    return value;
}

inline Value of_text(std::string_view text) {
    Value value = of_kind(Kind::text);
    value.text = text;
    return value;
}

inline Value of_integer(bool negative, std::uint64_t magnitude) {
    Value value = of_kind(Kind::integer);
    value.flag = negative && magnitude != 0;
    value.magnitude = magnitude;
    return value;
}

// A character as text in UTF-8.
inline Value of_character(std::uint32_t code) {
    std::string text;
    if (code < 0x80) text += static_cast<char>(code);
    else if (code < 0x800) { text += static_cast<char>(0xc0 | code >> 6); text += static_cast<char>(0x80 | (code & 63)); }
    else if (code < 0x10000) {
        text += static_cast<char>(0xe0 | code >> 12);
        text += static_cast<char>(0x80 | (code >> 6 & 63));
        text += static_cast<char>(0x80 | (code & 63));
    } else {
        text += static_cast<char>(0xf0 | code >> 18);
        text += static_cast<char>(0x80 | (code >> 12 & 63));
        text += static_cast<char>(0x80 | (code >> 6 & 63));
        text += static_cast<char>(0x80 | (code & 63));
    }
    return of_text(text);
}

inline std::u32string characters_of(const std::string &text) {
    std::u32string all;
    for (std::size_t at = 0; at < text.size();) {
        auto first = static_cast<unsigned char>(text[at]);
        std::size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        char32_t code = more == 0 ? first : first & (0x3f >> more);
        for (++at; more > 0 && at < text.size(); --more) code = code << 6 | (static_cast<unsigned char>(text[at++]) & 63);
        all += code;
    }
    return all;
}

inline std::string demangled(const char *name) {
    int status = 0;
    std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 ? text.get() : name;
}

// The name of a type as a programmer writes it.
inline std::string name_of(const std::type_info &type) {
    if (type == typeid(std::string)) return "std::string";
    if (type == typeid(const char *) || type == typeid(char *)) return "char*";
    std::string name = demangled(type.name());
    const std::string_view long_name = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    for (std::size_t at; (at = name.find(long_name)) != std::string::npos;) name.replace(at, long_name.size(), "std::string");
    // What containers have besides their items.
    for (const char *part : {", std::allocator<", ", std::less<", ", std::hash<", ", std::equal_to<"}) {
        for (std::size_t at; (at = name.find(part)) != std::string::npos;) {
            std::size_t end = name.find('<', at), depth = 0;
            do {
                depth += name[end] == '<';
                depth -= name[end] == '>';
                ++end;
            } while (depth > 0 && end < name.size());
            if (name.compare(end, 2, " >") == 0) ++end;
            name.erase(at, end - at);
        }
    }
    return name;
}

// The type of a class that is a value: its object is the type.
inline const Type class_type{};

// The name of a class of a template is that of the template.
inline std::string name_of(const Type &type) {
    std::string name = &type == &class_type ? "class" : name_of(*type.info);
    return name.substr(0, name.find('<'));
}

// An object as it prints itself.
inline std::string printed(const Value &object) {
    std::ostringstream out;
    out << std::boolalpha;
    object.type->print(out, object.object);
    return out.str();
}

// The beginning of a text, of whole characters.
inline std::string beginning(const std::string &text, std::size_t most) {
    std::size_t end = std::min(text.size(), most);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

// A value as a message shows it.
inline std::string brief(const Value &value) {
    switch (value.kind) {
    case Kind::none: case Kind::undefined: return "nothing";
    case Kind::boolean: return value.flag ? "true" : "false";
    case Kind::integer: return value.text.empty() ? (value.flag ? "-" : "") + std::to_string(value.magnitude) : value.text;
    case Kind::real: { std::ostringstream out; out << value.real; return out.str(); }
    case Kind::text: return '"' + beginning(value.text, 40) + '"';
    case Kind::list: return "a list";
    case Kind::tuple: return "a tuple";
    case Kind::set: return "a set";
    case Kind::dict: return "a map";
    case Kind::object: return "an object of " + name_of(*value.type);
    }
    return "";
}

} // namespace keur
