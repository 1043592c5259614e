// Plain values: numbers and texts as Python has them, with integers of 64 bits. A part of driver.cpp.
#pragma once

#include "json.hpp"

#include <charconv>
#include <cmath>
#include <compare>
#include <limits>

namespace keur {

// A name that a request needs and the submission does not have.
struct Missing {
    std::string kind, name, on;
    std::vector<std::string> near;
};

inline bool is_wide(const Value &value) { return value.kind == Kind::integer && !value.text.empty(); }

// The text of a value, as C++ prints it.
inline std::string text_of(const Value &value) {
    switch (value.kind) {
    case Kind::text: return value.text;
    case Kind::object:
        if (value.type->print == nullptr) throw Missing{"method", "operator<<", name_of(*value.type), {}};
        return printed(value);
    case Kind::boolean: case Kind::integer: case Kind::real: case Kind::none: case Kind::undefined: return brief(value);
    case Kind::list: case Kind::tuple: case Kind::set: case Kind::dict: break;
    }
    throw Missing{"method", "operator<<", brief(value), {}};
}

inline Value of_flag(bool flag) {
    Value value = of_kind(Kind::boolean);
    value.flag = flag;
    return value;
}

inline Value of_real(double real) {
    Value value = of_kind(Kind::real);
    value.real = real;
    return value;
}

inline Value of_items(Kind kind, std::vector<Value> items) {
    Value value = of_kind(kind);
    value.items = std::move(items);
    return value;
}

inline Value of_class(const Type *type) {
    Value value = of_kind(Kind::object);
    value.object = const_cast<Type *>(type);
    value.type = &class_type;
    return value;
}

// Whether two values are one object, not one and the first member of it.
inline bool is_one(const Value &left, const Value &right) {
    if (left.kind != Kind::object || right.kind != Kind::object || left.object != right.object) return false;
    return left.type == right.type || includes(*left.type, *right.type, right.object)
        || includes(*right.type, *left.type, left.object);
}

[[noreturn]] inline void unsupported(const std::string &what, const Value &value) {
    throw std::invalid_argument(brief(value) + " has no " + what);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

using Wide = __int128;

inline bool is_whole(const Value &value) { return value.kind == Kind::boolean || value.kind == Kind::integer; }
inline bool is_number(const Value &value) { return is_whole(value) || value.kind == Kind::real; }

[[noreturn]] inline void too_wide(const std::string &what) {
    throw std::overflow_error(what + " does not fit into 64 bits");
}

inline Wide whole(const Value &value) {
    if (is_wide(value)) too_wide(brief(value));
    if (value.kind == Kind::boolean) return value.flag ? 1 : 0;
    return value.flag ? -Wide(value.magnitude) : Wide(value.magnitude);
}

// A number, exactly unless it has more than 64 bits.
inline long double real(const Value &value) {
    if (value.kind == Kind::real) return value.real;
    return is_wide(value) ? std::strtold(value.text.c_str(), nullptr) : static_cast<long double>(whole(value));
}

inline Value of_whole(const char *op, Wide value) {
    Wide magnitude = value < 0 ? -value : value;
    if (magnitude > std::numeric_limits<std::uint64_t>::max()) too_wide(std::string("the result of `") + op + '`');
    return of_integer(value < 0, static_cast<std::uint64_t>(magnitude));
}

inline Value product(const char *op, const Value &left, const Value &right) {
    Wide x = whole(left), y = whole(right);
    // Two magnitudes of 64 bits.
    auto magnitude = static_cast<unsigned __int128>(x < 0 ? -x : x) * static_cast<unsigned __int128>(y < 0 ? -y : y);
    if (magnitude > std::numeric_limits<std::uint64_t>::max()) too_wide(std::string("the result of `") + op + '`');
    return of_integer((x < 0) != (y < 0), static_cast<std::uint64_t>(magnitude));
}

inline Value whole_power(const Value &base, Wide exponent) {
    Wide x = whole(base);
    // Of these the powers repeat.
    if (x >= -1 && x <= 1) exponent = exponent > 0 ? 2 - exponent % 2 : 0;
    Value power = of_integer(false, 1);
    for (; exponent > 0; --exponent) power = product("**", power, base);
    return power;
}

inline Value whole_result(const std::string &op, const Value &left, const Value &right) {
    if (op == "*") return product("*", left, right);
    Wide x = whole(left), y = whole(right);
    if (op == "**") return whole_power(left, y);
    if (op == "+" || op == "-") return of_whole(op.c_str(), op == "+" ? x + y : x - y);
    // The remainder has the sign of the divisor.
    Wide quotient = x / y, rest = x % y;
    bool is_down = rest != 0 && (rest < 0) != (y < 0);
    return of_whole(op.c_str(), op == "%" ? (is_down ? rest + y : rest) : (is_down ? quotient - 1 : quotient));
}

inline double real_result(const std::string &op, const Value &left, const Value &right) {
    if (op == "/" && is_whole(left) && is_whole(right)) return static_cast<double>(real(left) / real(right));
    auto x = static_cast<double>(real(left)), y = static_cast<double>(real(right));
    if (op == "/") return x / y;
    if (op == "+") return x + y;
    if (op == "-") return x - y;
    if (op == "*") return x * y;
    if (op == "**") return std::pow(x, y);
    double rest = std::fmod(x, y), quotient = (x - rest) / y;
    if (rest == 0) rest = std::copysign(0.0, y);
    else if ((rest < 0) != (y < 0)) { rest += y; quotient -= 1; }
    if (op == "%") return rest;
    if (quotient == 0) return std::copysign(0.0, x / y);
    double down = std::floor(quotient);
    return quotient - down > 0.5 ? down + 1 : down;
}

inline Value number_result(const std::string &op, const Value &left, const Value &right) {
    bool divides = op == "/" || op == "//" || op == "%", is_inverse = op == "**" && real(right) < 0;
    if (divides && real(right) == 0) throw std::domain_error("division by zero");
    if (is_inverse && real(left) == 0) throw std::domain_error("zero to a negative power");
    if (!is_whole(left) || !is_whole(right) || op == "/" || is_inverse) return of_real(real_result(op, left, right));
    return whole_result(op, left, right);
}

inline std::partial_ordering order(const Value &left, const Value &right) {
    if (!is_wide(left) || !is_wide(right) || left.flag != right.flag) return real(left) <=> real(right);
    auto key = [](const Value &value) { return std::pair(value.text.size(), std::string_view(value.text)); };
    return left.flag ? key(right) <=> key(left) : key(left) <=> key(right);
}

inline bool holds(const std::string &op, std::partial_ordering order) {
    return op == "<" ? order < 0 : op == "<=" ? order <= 0 : op == ">" ? order > 0 : order >= 0;
}

// ---- texts ----------------------------------------------------------------------------------------------------------

// The decimal digits of an integer that is given in hexadecimal ones.
inline std::string decimal(std::string_view hex) {
    bool is_negative = hex[0] == '-';
    std::vector<int> digits{0}; // the last one first
    for (char ch : hex.substr(is_negative ? 3 : 2)) {
        int carry = ch <= '9' ? ch - '0' : (ch | 32) - 'a' + 10;
        for (int &digit : digits) {
            carry += 16 * digit;
            digit = carry % 10;
            carry /= 10;
        }
        for (; carry > 0; carry /= 10) digits.push_back(carry % 10);
    }
    std::string text = is_negative ? "-" : "";
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) text += static_cast<char>('0' + *digit);
    return text;
}

inline std::string real_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    bool is_plain = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 1e16);
    char digits[40];
    auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, value, format).ptr);
    return is_plain && text.find('.') == std::string::npos ? text + ".0" : text;
}

// Whether Python writes a character as an escape; characters that are not assigned are left as they are.
inline bool is_hidden(char32_t code) {
    static constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0, 0x1f}, {0x7f, 0xa0}, {0xad, 0xad}, {0x600, 0x605}, {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f},
        {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
        {0xd800, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0x10ffff},
    };
    auto is_in = [&](auto range) { return code >= range.first && code <= range.second; };
    return std::any_of(std::begin(ranges), std::end(ranges), is_in);
}

inline std::string quoted_as_in_python(const std::string &text) {
    char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (char32_t code : characters_of(text)) {
        if (code == '\n') out += "\\n";
        else if (code == '\r') out += "\\r";
        else if (code == '\t') out += "\\t";
        else if (code == '\\' || code == static_cast<char32_t>(quote)) (out += '\\') += static_cast<char>(code);
        else if (!is_hidden(code)) out += of_character(code).text;
        else {
            char escape[12];
            const char *format = code > 0xffff ? "\\U%08x" : code > 0xff ? "\\u%04x" : "\\x%02x";
            std::snprintf(escape, sizeof escape, format, static_cast<unsigned>(code));
            out += escape;
        }
    }
    return out += quote;
}

inline std::string repr(const Value &value) {
    const char *brackets = "[]";
    switch (value.kind) {
    case Kind::none: case Kind::undefined: return "None";
    case Kind::boolean: return value.flag ? "True" : "False";
    case Kind::integer: return is_wide(value) ? decimal(value.text) : brief(value);
    case Kind::real: return real_text(value.real);
    case Kind::text: return quoted_as_in_python(value.text);
    case Kind::object: return text_of(value);
    case Kind::list: break;
    case Kind::tuple: brackets = "()"; break;
    case Kind::set:
        if (value.items.empty()) return "set()";
        [[fallthrough]];
    case Kind::dict: brackets = "{}";
    }
    std::string out(1, brackets[0]);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        bool is_item = value.kind == Kind::dict && i % 2 == 1;
        out += (i == 0 ? "" : is_item ? ": " : ", ") + repr(value.items[i]);
    }
    if (value.kind == Kind::tuple && value.items.size() == 1) out += ',';
    return out += brackets[1];
}

} // namespace keur
