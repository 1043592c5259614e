// What a submission in C++ is compiled with: values, and calls of functions and methods whose types the compiler deduces.
//
// The submission and the glue that keur generates for its exercise are compiled with this text into a library, which
// keur's driver (driver.cpp) loads. Both are built by the same compiler, so that they may exchange types of the standard
// library. Nothing here knows what a case expects.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <cxxabi.h>

namespace keur {

// ---- values ----------------------------------------------------------------------------------------------------------

// A type of the submission: what can be asked of an object of it.
struct Type {
    std::string name;
    // The object as text; no function if it has none.
    std::string (*text)(const void *object);
    // Whether one is equal to the other, or less; no function if they are not compared.
    bool (*equal)(const void *left, const void *right);
    bool (*less)(const void *left, const void *right);
    // Throws a pointer to the object; its exact type; whether an object of another type is also one of this type.
    void (*throws)(const void *object);
    const std::type_info &(*exact)(const void *object);
    bool (*includes)(const Type &other, const void *object);
};

enum class Kind { none, undefined, boolean, integer, real, text, list, tuple, set, dict, object };

// A value of a call, or an object of the submission.
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

// Thrown when a value is not one that a parameter takes: says which, without the name of the parameter.
struct Refused {
    std::string message;
};

inline std::string demangled(const char *name) {
    int status = 0;
    std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 ? text.get() : name;
}

// The name of a type as a programmer writes it.
template <class T> std::string name_of() {
    if constexpr (std::is_same_v<T, std::string>) return "std::string";
    else if constexpr (std::is_same_v<T, const char *> || std::is_same_v<T, char *>) return "char*";
    else {
        std::string name = demangled(typeid(T).name());
        for (std::string_view long_name : {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"}) {
            for (std::size_t at; (at = name.find(long_name)) != std::string::npos;) name.replace(at, long_name.size(), "std::string");
        }
        return name;
    }
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
    case Kind::none: case Kind::undefined: return "nullptr";
    case Kind::boolean: return value.flag ? "true" : "false";
    case Kind::integer: return value.text.empty() ? (value.flag ? "-" : "") + std::to_string(value.magnitude) : value.text;
    case Kind::real: { std::ostringstream out; out << value.real; return out.str(); }
    case Kind::text: return '"' + beginning(value.text, 40) + '"';
    case Kind::list: return "a list";
    case Kind::tuple: return "a tuple";
    case Kind::set: return "a set";
    case Kind::dict: return "a map";
    case Kind::object: return "an object of " + value.type->name;
    }
    return "";
}

template <class T> [[noreturn]] void refuse(const Value &value) {
    throw Refused{brief(value) + " is no " + name_of<T>()};
}

// ---- kinds of types --------------------------------------------------------------------------------------------------

template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T> constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, char16_t>
    || std::is_same_v<T, char32_t> || std::is_same_v<T, wchar_t>;

// What is written as a list.
template <class T> struct IsList : std::false_type {};
template <class T, class A> struct IsList<std::vector<T, A>> : std::true_type {};
template <class T, class A> struct IsList<std::deque<T, A>> : std::true_type {};
template <class T, class A> struct IsList<std::list<T, A>> : std::true_type {};
template <class T, class A> struct IsList<std::forward_list<T, A>> : std::true_type {};

template <class T> struct IsSet : std::false_type {};
template <class T, class C, class A> struct IsSet<std::set<T, C, A>> : std::true_type {};
template <class T, class C, class A> struct IsSet<std::multiset<T, C, A>> : std::true_type {};
template <class T, class H, class E, class A> struct IsSet<std::unordered_set<T, H, E, A>> : std::true_type {};
template <class T, class H, class E, class A> struct IsSet<std::unordered_multiset<T, H, E, A>> : std::true_type {};

template <class T> struct IsMap : std::false_type {};
template <class K, class V, class C, class A> struct IsMap<std::map<K, V, C, A>> : std::true_type {};
template <class K, class V, class C, class A> struct IsMap<std::multimap<K, V, C, A>> : std::true_type {};
template <class K, class V, class H, class E, class A> struct IsMap<std::unordered_map<K, V, H, E, A>> : std::true_type {};

template <class T> struct IsArray : std::false_type {};
template <class T, std::size_t N> struct IsArray<std::array<T, N>> : std::true_type {};

template <class T> struct IsTuple : std::false_type {};
template <class A, class B> struct IsTuple<std::pair<A, B>> : std::true_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};

template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};

template <class T> struct IsVariant : std::false_type {};
template <class... T> struct IsVariant<std::variant<T...>> : std::true_type {};

template <class T> struct IsPointer : std::is_pointer<T> {};
template <class T> struct IsPointer<std::shared_ptr<T>> : std::true_type {};
template <class T, class D> struct IsPointer<std::unique_ptr<T, D>> : std::true_type {};

template <class T> constexpr bool is_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

template <class T> constexpr bool is_own = (std::is_class_v<T> || std::is_union_v<T>) && !IsList<T>::value && !IsSet<T>::value
    && !IsMap<T>::value && !IsArray<T>::value && !IsTuple<T>::value && !IsOptional<T>::value && !IsVariant<T>::value
    && !IsPointer<T>::value && !is_text<T>;

template <class T, class = void> struct Prints : std::false_type {};
template <class T> struct Prints<T, std::void_t<decltype(std::declval<std::ostream &>() << std::declval<const T &>())>> : std::true_type {};

#define KEUR_TEXT_METHOD(Trait, method) \
    template <class T, class = void> struct Trait : std::false_type {}; \
    template <class T> struct Trait<T, std::void_t<decltype(std::string(std::declval<const T &>().method()))>> : std::true_type {};
KEUR_TEXT_METHOD(HasToString, toString)
KEUR_TEXT_METHOD(HasSnakeToString, to_string)
KEUR_TEXT_METHOD(HasStr, str)
#undef KEUR_TEXT_METHOD

template <class T, class = void> struct Compares : std::false_type {};
template <class T> struct Compares<T, std::void_t<decltype(bool(std::declval<const T &>() == std::declval<const T &>()))>> : std::true_type {};

template <class T> std::string text_of(const void *object) {
    const T &value = *static_cast<const T *>(object);
    if constexpr (Prints<T>::value) {
        std::ostringstream out;
        out << std::boolalpha << value;
        return out.str();
    } else if constexpr (HasToString<T>::value) return value.toString();
    else if constexpr (HasSnakeToString<T>::value) return value.to_string();
    else if constexpr (HasStr<T>::value) return value.str();
    else return {};
}

template <class T> bool equal_to(const void *left, const void *right) {
    if constexpr (Compares<T>::value) return *static_cast<const T *>(left) == *static_cast<const T *>(right);
    else return left == right;
}

template <class T> constexpr bool is_ordered = requires(T &left, T &right) { bool(left < right); };

template <class T> bool less_than(const void *left, const void *right) {
    auto own = [](const void *object) -> T & { return *static_cast<T *>(const_cast<void *>(object)); };
    if constexpr (is_ordered<T>) return own(left) < own(right);
    else return false;
}

template <class T> void throw_pointer(const void *object) { throw static_cast<const T *>(object); }
template <class T> const std::type_info &exact_type(const void *object) {
    return typeid(*static_cast<const T *>(object));
}

template <class T> bool includes_other(const Type &other, const void *object) {
    if (other.exact(object) == typeid(T)) return true;
    // Only a handler knows which types extend one that is not known here.
    try {
        other.throws(object);
    } catch (const T *) {
        return true;
    } catch (...) {
    }
    return false;
}

template <class T> const Type *type_of() {
    constexpr bool has_text = Prints<T>::value || HasToString<T>::value || HasSnakeToString<T>::value || HasStr<T>::value;
    static const Type type{name_of<T>(), has_text ? &text_of<T> : nullptr, Compares<T>::value ? &equal_to<T> : nullptr,
                           is_ordered<T> ? &less_than<T> : nullptr, &throw_pointer<T>, &exact_type<T>,
                           &includes_other<T>};
    return &type;
}

// ---- from the submission to keur -------------------------------------------------------------------------------------

template <class T> Value written(const T &value);

template <class T> Value referred(T &object) {
    Value value = of_kind(Kind::object);
    value.object = const_cast<void *>(static_cast<const void *>(std::addressof(object)));
    value.type = type_of<std::remove_cv_t<T>>();
    return value;
}

template <class T> Value owned(std::shared_ptr<T> object) {
    Value value = referred(*object);
    value.owner = std::const_pointer_cast<std::remove_cv_t<T>>(object);
    return value;
}

template <class T> Value each(Kind kind, const T &items) {
    Value value = of_kind(kind);
    for (auto &&item : items) value.items.push_back(written<Plain<decltype(item)>>(item));
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

template <class T> Value written(const T &value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::vector<bool>::reference>) {
        Value flag = of_kind(Kind::boolean);
        flag.flag = value;
        return flag;
    } else if constexpr (std::is_same_v<T, char>) return of_text(std::string_view(&value, 1));
    else if constexpr (is_character<T>) return of_character(static_cast<std::uint32_t>(value));
    else if constexpr (std::is_enum_v<T>) return written(static_cast<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_integral_v<T>) {
        if constexpr (std::is_signed_v<T>) {
            auto wide = static_cast<std::int64_t>(value);
            return of_integer(wide < 0, wide < 0 ? 0 - static_cast<std::uint64_t>(wide) : static_cast<std::uint64_t>(wide));
        } else return of_integer(false, value);
    } else if constexpr (std::is_floating_point_v<T>) {
        Value real = of_kind(Kind::real);
        real.real = static_cast<double>(value);
        return real;
    } else if constexpr (std::is_same_v<T, std::nullptr_t> || std::is_same_v<T, std::nullopt_t>) return {};
    else if constexpr (is_text<T>) return of_text(value);
    else if constexpr (std::is_array_v<T>) {
        if constexpr (std::is_same_v<std::remove_cv_t<std::remove_extent_t<T>>, char>) return of_text(value);
        else return each(Kind::list, value);
    } else if constexpr (IsList<T>::value || IsArray<T>::value) return each(Kind::list, value);
    else if constexpr (IsSet<T>::value) return each(Kind::set, value);
    else if constexpr (IsMap<T>::value) {
        Value dict = of_kind(Kind::dict);
        for (const auto &[key, item] : value) {
            dict.items.push_back(written(key));
            dict.items.push_back(written(item));
        }
        return dict;
    } else if constexpr (IsTuple<T>::value) {
        Value tuple = of_kind(Kind::tuple);
        std::apply([&](const auto &...item) { (tuple.items.push_back(written(item)), ...); }, value);
        return tuple;
    } else if constexpr (IsOptional<T>::value) {
        if (!value) return {};
        return written(*value);
    } else if constexpr (IsVariant<T>::value) return std::visit([](const auto &item) { return written(item); }, value);
    else if constexpr (std::is_pointer_v<T>) {
        using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
        if (value == nullptr) return {};
        if constexpr (std::is_same_v<Pointee, char>) return of_text(value);
        else if constexpr (std::is_void_v<Pointee> || std::is_function_v<Pointee>) return referred(value);
        else if constexpr (is_own<Pointee>) return referred(*value);
        else return written<Pointee>(*value);
    } else if constexpr (IsPointer<T>::value) {
        if (!value) return {};
        using Pointee = std::remove_cv_t<typename T::element_type>;
        if constexpr (!is_own<Pointee>) return written<Pointee>(*value);
        else return referred(*value);
    } else if constexpr (std::is_base_of_v<std::ios_base, T>) return {};
    else return referred(value);
}

// Keeps what the objects in a value lie in.
inline void keep(Value &value, const std::shared_ptr<void> &owner) {
    if (value.kind == Kind::object && !value.owner) value.owner = owner;
    for (Value &item : value.items) keep(item, owner);
}

// The value of a call: an object that it returns by value is kept, one that it returns by reference is the submission's.
template <class R> Value returned(R &&result) {
    using T = Plain<R>;
    if constexpr (std::is_lvalue_reference_v<R>) return written<T>(result);
    else if constexpr (is_own<T> && std::is_move_constructible_v<T> && !std::is_base_of_v<std::ios_base, T>) {
        return owned(std::make_shared<T>(std::move(result)));
    } else if constexpr (IsPointer<T>::value && !std::is_pointer_v<T>) {
        using Pointee = std::remove_cv_t<typename T::element_type>;
        if (!result) return {};
        std::shared_ptr<typename T::element_type> kept(std::move(result));
        if constexpr (is_own<Pointee>) return owned(std::const_pointer_cast<Pointee>(kept));
        else return written<Pointee>(*kept);
    } else if constexpr (IsOptional<T>::value) {
        if (!result) return {};
        return returned(std::move(*result));
    } else if constexpr (IsList<T>::value || IsSet<T>::value || IsArray<T>::value || IsTuple<T>::value || IsMap<T>::value
                         || IsVariant<T>::value) {
        // What lies in it is kept with it.
        auto kept = std::make_shared<T>(std::move(result));
        Value value = written<T>(*kept);
        keep(value, kept);
        return value;
    } else return written<T>(result);
}

// ---- from keur to the submission -------------------------------------------------------------------------------------

template <class T> T read(const Value &value);

template <class T> T integer_of(const Value &value) {
    if (value.kind != Kind::integer) refuse<T>(value);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    bool fits = value.text.empty();
    if (fits && value.flag) fits = std::is_signed_v<T> && value.magnitude <= most + 1;
    else if (fits) fits = value.magnitude <= most;
    if (!fits) throw Refused{brief(value) + " does not fit into " + name_of<T>()};
    return static_cast<T>(value.flag ? 0 - value.magnitude : value.magnitude);
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

template <class T> T character_of(const Value &value) {
    if (value.kind != Kind::text) refuse<T>(value);
    std::u32string all = characters_of(value.text);
    if (all.size() != 1 || static_cast<char32_t>(static_cast<T>(all[0])) != all[0]) refuse<T>(value);
    return static_cast<T>(all[0]);
}

inline bool is_sequence(const Value &value) {
    return value.kind == Kind::list || value.kind == Kind::tuple || value.kind == Kind::set;
}

template <class T, std::size_t... I> T tuple_of(const Value &value, std::index_sequence<I...>) {
    if (!is_sequence(value) || value.items.size() != sizeof...(I)) refuse<T>(value);
    return T{read<std::tuple_element_t<I, T>>(value.items[I])...};
}

template <class T, std::size_t I = 0> T variant_of(const Value &value) {
    if constexpr (I == std::variant_size_v<T>) refuse<T>(value);
    else {
        try {
            return T(std::in_place_index<I>, read<std::variant_alternative_t<I, T>>(value));
        } catch (const Refused &) {
            return variant_of<T, I + 1>(value);
        }
    }
}

// The object of the submission that a value is.
template <class T> T *object_of(const Value &value) {
    if (value.kind != Kind::object || value.type != type_of<std::remove_cv_t<T>>()) refuse<std::remove_cv_t<T>>(value);
    return static_cast<T *>(value.object);
}

template <class T> T read(const Value &value) {
    if constexpr (std::is_same_v<T, bool>) {
        if (value.kind != Kind::boolean) refuse<T>(value);
        return value.flag;
    } else if constexpr (is_character<T>) return character_of<T>(value);
    else if constexpr (std::is_enum_v<T>) return static_cast<T>(integer_of<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_integral_v<T>) return integer_of<T>(value);
    else if constexpr (std::is_floating_point_v<T>) {
        if (value.kind == Kind::real) return static_cast<T>(value.real);
        if (value.kind != Kind::integer || !value.text.empty()) refuse<T>(value);
        auto magnitude = static_cast<T>(value.magnitude);
        return value.flag ? -magnitude : magnitude;
    } else if constexpr (is_text<T>) {
        if (value.kind != Kind::text) refuse<T>(value);
        return T(value.text);
    } else if constexpr (IsArray<T>::value) {
        T array{};
        if (!is_sequence(value) || value.items.size() != array.size()) refuse<T>(value);
        for (std::size_t i = 0; i < array.size(); ++i) array[i] = read<typename T::value_type>(value.items[i]);
        return array;
    } else if constexpr (IsList<T>::value) {
        if (!is_sequence(value)) refuse<T>(value);
        T list;
        if constexpr (std::is_same_v<T, std::forward_list<typename T::value_type>>) {
            for (auto item = value.items.rbegin(); item != value.items.rend(); ++item) list.push_front(read<typename T::value_type>(*item));
        } else {
            for (const Value &item : value.items) list.push_back(read<typename T::value_type>(item));
        }
        return list;
    } else if constexpr (IsSet<T>::value) {
        if (!is_sequence(value)) refuse<T>(value);
        T set;
        for (const Value &item : value.items) set.insert(read<typename T::value_type>(item));
        return set;
    } else if constexpr (IsMap<T>::value) {
        if (value.kind != Kind::dict) refuse<T>(value);
        T map;
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
            map.emplace(read<typename T::key_type>(value.items[i]), read<typename T::mapped_type>(value.items[i + 1]));
        }
        return map;
    } else if constexpr (IsTuple<T>::value) return tuple_of<T>(value, std::make_index_sequence<std::tuple_size_v<T>>());
    else if constexpr (IsOptional<T>::value) {
        if (value.kind == Kind::none || value.kind == Kind::undefined) return std::nullopt;
        return read<typename T::value_type>(value);
    } else if constexpr (IsVariant<T>::value) return variant_of<T>(value);
    else if constexpr (std::is_same_v<T, std::monostate>) {
        if (value.kind != Kind::none && value.kind != Kind::undefined) refuse<T>(value);
        return {};
    } else if constexpr (IsPointer<T>::value && !std::is_pointer_v<T>) {
        using Pointee = typename T::element_type;
        if (value.kind == Kind::none || value.kind == Kind::undefined) return nullptr;
        if constexpr (!is_own<std::remove_cv_t<Pointee>>) return T(new Pointee(read<std::remove_cv_t<Pointee>>(value)));
        else if constexpr (std::is_same_v<T, std::shared_ptr<Pointee>>) {
            return std::shared_ptr<Pointee>(value.owner, object_of<Pointee>(value));
        } else if constexpr (std::is_copy_constructible_v<std::remove_cv_t<Pointee>>) return T(new Pointee(*object_of<Pointee>(value)));
        else refuse<T>(value);
    } else if constexpr (std::is_pointer_v<T> && is_own<std::remove_cv_t<std::remove_pointer_t<T>>>) {
        if (value.kind == Kind::none || value.kind == Kind::undefined) return nullptr;
        return object_of<std::remove_pointer_t<T>>(value);
    } else if constexpr (is_own<T> && std::is_copy_constructible_v<T>) return *object_of<T>(value);
    else refuse<T>(value);
}

// An argument for a parameter of type P: what the parameter refers to lives here until the call has ended.
template <class P, class = void> struct Held {
    Plain<P> value;
    explicit Held(Value &given) : value(read<Plain<P>>(given)) {}
    P get() { return static_cast<P>(value); }
    void give_back(Value &given) {
        // The call may have changed a list that was given to it.
        if constexpr (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>) given = written(value);
    }
};

// A reference to an object of the submission.
template <class P> struct Held<P, std::enable_if_t<std::is_reference_v<P> && is_own<Plain<P>>>> {
    std::remove_reference_t<P> *object;
    explicit Held(Value &given) : object(object_of<std::remove_reference_t<P>>(given)) {}
    P get() { return static_cast<P>(*object); }
    void give_back(Value &) {}
};

// A pointer: to an object, to the first of some values, or to the characters of a text.
template <class P> struct Held<P, std::enable_if_t<std::is_pointer_v<Plain<P>>>> {
    using Pointee = std::remove_pointer_t<Plain<P>>;
    using Item = std::remove_cv_t<Pointee>;
    Plain<P> pointer = nullptr;
    std::unique_ptr<Item[]> items;
    std::size_t count = 0;
    explicit Held(Value &given) {
        if (given.kind == Kind::none || given.kind == Kind::undefined) return;
        if constexpr (std::is_same_v<Item, char>) {
            if (given.kind != Kind::text) refuse<Plain<P>>(given);
            items.reset(new char[given.text.size() + 1]);
            std::copy_n(given.text.c_str(), given.text.size() + 1, items.get());
            pointer = items.get();
        } else if constexpr (is_own<Item>) pointer = object_of<Pointee>(given);
        else if constexpr (std::is_default_constructible_v<Item> && std::is_move_assignable_v<Item>) {
            if (!is_sequence(given)) refuse<Plain<P>>(given);
            count = given.items.size();
            items.reset(new Item[count]());
            for (std::size_t i = 0; i < count; ++i) items[i] = read<Item>(given.items[i]);
            pointer = items.get();
        } else refuse<Plain<P>>(given);
    }
    P get() { return static_cast<P>(pointer); }
    void give_back(Value &given) {
        if constexpr (!std::is_const_v<Pointee> && !is_own<Item>) {
            if constexpr (std::is_same_v<Item, char>) { if (items) given.text = items.get(); }
            else for (std::size_t i = 0; i < count; ++i) given.items[i] = written(items[i]);
        }
    }
};

// ---- calls -----------------------------------------------------------------------------------------------------------

using Arguments = std::vector<Value *>;

// An argument whose parameter the compiler chooses: for constructors, overloads and parameters with a default.
template <class Owner> struct Any {
    Value *value;
    template <class T, class = std::enable_if_t<!std::is_same_v<Plain<T>, Owner> && !is_own<Plain<T>> && !std::is_pointer_v<T>>>
    operator T() const { return read<Plain<T>>(*value); }
    template <class T, class = std::enable_if_t<is_own<std::remove_cv_t<T>> && !std::is_same_v<std::remove_cv_t<T>, Owner>>, class = void>
    operator T &() const { return *object_of<T>(*value); }
    template <class T, class = std::enable_if_t<std::is_same_v<std::remove_cv_t<T>, char>>, class = void, class = void>
    operator T *() const {
        if (value->kind != Kind::text) refuse<char *>(*value);
        return value->text.data();
    }
};

// A callable of up to as many parameters as this is tried with arguments that become what it takes.
constexpr std::size_t most_arguments = 8;

[[noreturn]] inline void refuse_count(const Arguments &given) {
    throw Refused{"it takes another number of arguments than " + std::to_string(given.size())};
}

template <class Owner, class F, std::size_t... I> Value invoke_any(F &function, const Arguments &given, std::index_sequence<I...>) {
    using Result = std::invoke_result_t<F &, decltype((void(I), Any<Owner>{}))...>;
    if constexpr (std::is_void_v<Result>) {
        function(Any<Owner>{given[I]}...);
        return {};
    } else return returned<Result>(function(Any<Owner>{given[I]}...));
}

template <class Owner, class F, std::size_t... I> constexpr bool takes(std::index_sequence<I...>) {
    return std::is_invocable_v<F &, decltype((void(I), Any<Owner>{}))...>;
}

// Calls what takes that many arguments, whatever their types; `found` is whether there is such a thing.
template <class Owner, class F, std::size_t N = 0> bool call_any(F &function, const Arguments &given, Value &result) {
    if constexpr (N > most_arguments) return false;
    else {
        if (given.size() == N) {
            if constexpr (takes<Owner, F>(std::make_index_sequence<N>())) {
                result = invoke_any<Owner>(function, given, std::make_index_sequence<N>());
                return true;
            } else return false;
        }
        return call_any<Owner, F, N + 1>(function, given, result);
    }
}

template <class Owner, class F, std::size_t... I> constexpr bool takes_some(std::index_sequence<I...>) {
    return (takes<Owner, F>(std::make_index_sequence<I>()) || ...);
}

// Calls a function of these parameter types.
template <class R, class... P> struct Signature {
    template <class F, std::size_t... I> static Value call(F &&function, const Arguments &given, std::index_sequence<I...>) {
        std::tuple<Held<P>...> held{Held<P>(*given[I])...};
        if constexpr (std::is_void_v<R>) {
            function(std::get<I>(held).get()...);
            (std::get<I>(held).give_back(*given[I]), ...);
            return {};
        } else {
            Value result = returned<R>(function(std::get<I>(held).get()...));
            (std::get<I>(held).give_back(*given[I]), ...);
            return result;
        }
    }
    template <class F> static Value call(F &&function, const Arguments &given) {
        return call(function, given, std::index_sequence_for<P...>());
    }
    static constexpr std::size_t count = sizeof...(P);
};

template <class F> struct Deduced;
template <class R, class... P> struct Deduced<R (*)(P...)> { using Of = Signature<R, P...>; };
template <class R, class... P> struct Deduced<R (*)(P...) noexcept> { using Of = Signature<R, P...>; };
#define KEUR_MEMBER(qualifiers) \
    template <class R, class C, class... P> struct Deduced<R (C::*)(P...) qualifiers> { using Of = Signature<R, P...>; };
KEUR_MEMBER() KEUR_MEMBER(const) KEUR_MEMBER(&) KEUR_MEMBER(const &)
KEUR_MEMBER(noexcept) KEUR_MEMBER(const noexcept) KEUR_MEMBER(& noexcept) KEUR_MEMBER(const & noexcept)
#undef KEUR_MEMBER

// ---- what a library has ----------------------------------------------------------------------------------------------

using Function = std::function<Value(const Arguments &)>;
using Method = std::function<Value(void *object, const Arguments &)>;

struct Attribute {
    std::function<Value(void *object)> get;
    // No function if it is not assigned to.
    std::function<void(void *object, const Value &value)> set;
};

// Gives whether there is such an operator for these operands.
using Operator = std::function<bool(const Value &left, const Value &right, Value &result)>;

struct Class {
    const Type *type = nullptr;
    Function construct;
    std::map<std::string, Method> methods;
    std::map<std::string, Attribute> attributes;
    std::map<std::string, Operator> operators;
    // Gives whether an item can be set.
    bool (*set_item)(void *object, const Value &key, const Value &item) = nullptr;
    // What a loop meets; no function if there is no begin() and end().
    Value (*items)(void *object) = nullptr;
};

// The functions and classes of a submission, by their names; filled by the glue.
struct Library {
    std::map<std::string, Function> functions;
    std::map<std::string, Class> classes;
};

template <class T> struct Tag { using type = T; };

template <class T> struct Constructor {
    template <class... A, class = std::enable_if_t<std::is_constructible_v<T, A...>>>
    std::shared_ptr<T> operator()(A... arguments) const { return std::shared_ptr<T>(new T(arguments...)); }
};

// Calls with a value as an operand: an object of T, a number or a text.
template <class T, class Call> bool with_operand(const Value &value, const Call &call) {
    switch (value.kind) {
    case Kind::object: return value.type == type_of<T>() && call(*static_cast<T *>(value.object));
    case Kind::integer: return call(integer_of<int>(value));
    case Kind::real: return call(double(value.real));
    case Kind::text: return call(std::string(value.text));
    default: return false;
    }
}

// Applies an operator, if there is one for operands of these types.
template <class Call, class Left, class Right> bool applied(const Call &call, Left &left, Right &right, Value &result) {
    if constexpr (std::is_invocable_v<const Call &, Left &, Right &>) {
        using Result = std::invoke_result_t<const Call &, Left &, Right &>;
        if constexpr (!std::is_void_v<Result>) {
            result = returned<Result>(call(left, right));
            return true;
        }
    }
    return false;
}

// Whether an operator takes an object of T and an operand, on either side.
template <class T, class Call> constexpr bool takes_operand = std::is_invocable_v<const Call &, T &, T &>
    || std::is_invocable_v<const Call &, T &, int &> || std::is_invocable_v<const Call &, T &, double &>
    || std::is_invocable_v<const Call &, T &, std::string &> || std::is_invocable_v<const Call &, int &, T &>
    || std::is_invocable_v<const Call &, double &, T &> || std::is_invocable_v<const Call &, std::string &, T &>;

template <class T, class Call> void add_operator(Class &to, const char *name, Call call) {
    if constexpr (!takes_operand<T, Call>) return;
    else
    to.operators[name] = [call](const Value &left, const Value &right, Value &result) {
        bool is_left = left.kind == Kind::object && left.type == type_of<T>();
        T &self = *static_cast<T *>(is_left ? left.object : right.object);
        return with_operand<T>(is_left ? right : left, [&](auto &&other) {
            return is_left ? applied(call, self, other, result) : applied(call, other, self, result);
        });
    };
}

template <class T> void add_operators(Class &to) {
#define KEUR_OPERATOR(name, result) \
    add_operator<T>(to, name, [](auto &left, [[maybe_unused]] auto &right) -> decltype(result) { return result; });
    KEUR_OPERATOR("+", left + right)
    KEUR_OPERATOR("-", left - right)
    KEUR_OPERATOR("*", left * right)
    KEUR_OPERATOR("/", left / right)
    KEUR_OPERATOR("%", left % right)
    KEUR_OPERATOR("neg", -left)
    KEUR_OPERATOR("[]", left[right])
#undef KEUR_OPERATOR
}

// Whether something of this type can be assigned to.
template <class R> constexpr bool is_settable = std::is_lvalue_reference_v<R> && std::is_assignable_v<R, Plain<R>>
    && !std::is_abstract_v<Plain<R>>;

template <class T> constexpr bool has_places = requires(T &self) { self[0]; }
    || requires(T &self, std::string &at) { self[at]; } || requires(T &self) { self[self]; };

template <class T> bool set_item(void *object, const Value &key, const Value &item) {
    T &self = *static_cast<T *>(object);
    return with_operand<T>(key, [&](auto &&at) {
        if constexpr (requires { self[at]; }) {
            using Item = decltype(self[at]);
            if constexpr (is_settable<Item>) {
                self[at] = read<Plain<Item>>(item);
                return true;
            }
        }
        return false;
    });
}

template <class T> constexpr bool has_items = requires(T &self) {
    bool(self.begin() != self.end());
    *self.begin();
    ++std::declval<Plain<decltype(self.begin())> &>();
};

template <class T> Value items_of(void *object) {
    Value list = of_kind(Kind::list);
    for (auto &&item : *static_cast<T *>(object)) {
        list.items.push_back(returned<decltype(item)>(std::forward<decltype(item)>(item)));
    }
    return list;
}

// Adds a member that is public data, if there is one.
template <class T, class Get> void add_attribute(Class &to, const char *name, Get get) {
    if constexpr (std::is_invocable_v<Get, T &>) {
        using Member = std::invoke_result_t<Get, T &>;
        Attribute &added = to.attributes[name];
        added.get = [get](void *object) { return returned<Member>(get(*static_cast<T *>(object))); };
        if constexpr (is_settable<Member>) {
            added.set = [get](void *object, const Value &value) {
                get(*static_cast<T *>(object)) = read<Plain<Member>>(value);
            };
        }
    }
}

template <class T> Class &add_class(Library &library, const char *name) {
    Class &added = library.classes[name];
    added.type = type_of<T>();
    if constexpr (!std::is_abstract_v<T>) {
        added.construct = [](const Arguments &given) {
            Constructor<T> constructor;
            Value result;
            if (!call_any<T>(constructor, given, result)) refuse_count(given);
            return result;
        };
    }
    add_operators<T>(added);
    if constexpr (has_places<T>) added.set_item = &set_item<T>;
    if constexpr (has_items<T>) added.items = &items_of<T>;
    return added;
}

// Adds what is called with as many arguments as it takes, whatever the types of its parameters.
template <class Call> Function any_call(Call call) {
    return [call](const Arguments &given) mutable {
        Value result;
        if (!call_any<void>(call, given, result)) refuse_count(given);
        return result;
    };
}

// Adds a function: `pointer` points to it, and `call` calls it, also with fewer arguments than it has parameters.
template <class F, class Call> void add_function(Library &library, const char *name, F pointer, Call call) {
    using Of = typename Deduced<F>::Of;
    library.functions[name] = [pointer, others = any_call(call)](const Arguments &given) {
        return given.size() == Of::count ? Of::call(pointer, given) : others(given);
    };
}

// Adds several functions of one name.
template <class Call> void add_overloaded(Library &library, const char *name, Call call) {
    if constexpr (takes_some<void, Call>(std::make_index_sequence<most_arguments + 1>())) library.functions[name] = any_call(call);
}

// A call on an object.
template <class T, class Call> struct OnSelf {
    T &self;
    Call call;
    template <class... A> auto operator()(A... given) const -> decltype(std::declval<Call>()(std::declval<T &>(), given...)) {
        return call(self, given...);
    }
};

template <class T, class Of, class Member> Value call_member(T &self, Member member, const Arguments &given) {
    auto called = [&](auto &&...values) -> decltype(auto) {
        if constexpr (std::is_member_pointer_v<Member>) return (self.*member)(std::forward<decltype(values)>(values)...);
        else return member(std::forward<decltype(values)>(values)...);
    };
    return Of::call(called, given);
}

// Adds a method, if there is one: `pointer` points to it, unless there are several of its name, and `call` calls it.
template <class T, class Pointer, class Call> void add_method(Class &to, const char *name, Pointer pointer, Call call) {
    using On = OnSelf<T, Call>;
    if constexpr (std::is_invocable_v<Pointer, Tag<T>>) {
        using Member = std::invoke_result_t<Pointer, Tag<T>>;
        if constexpr (std::is_member_function_pointer_v<Member> || std::is_function_v<std::remove_pointer_t<Member>>) {
            using Of = typename Deduced<Member>::Of;
            Member member = pointer(Tag<T>());
            to.methods[name] = [member, call](void *object, const Arguments &given) {
                T &self = *static_cast<T *>(object);
                return given.size() == Of::count ? call_member<T, Of>(self, member, given) : any_call(On{self, call})(given);
            };
        }
    } else if constexpr (takes_some<void, On>(std::make_index_sequence<most_arguments + 1>())) {
        to.methods[name] = [call](void *object, const Arguments &given) { return any_call(On{*static_cast<T *>(object), call})(given); };
    }
}

} // namespace keur

// In the glue: a class with the methods that operators mean, methods of it, an attribute with its name in capitals, its
// end, a function, and several functions of one name.
#define KEUR_CLASS(name) { \
    using Own = ::name; ::keur::Class &own = ::keur::add_class<Own>(library, #name); \
    KEUR_METHOD(size) KEUR_METHOD(length) KEUR_METHOD(contains)
#define KEUR_METHOD(name) \
    ::keur::add_method<Own>(own, #name, \
        [](auto tag) -> decltype(&decltype(tag)::type::name) { return &decltype(tag)::type::name; }, \
        [](auto &self, auto... given) -> decltype(self.name(given...)) { return self.name(given...); });
#define KEUR_ATTRIBUTE(name, Name) \
    ::keur::add_attribute<Own>(own, #name, [](auto &self) -> decltype((self.name)) { return (self.name); }); \
    KEUR_METHOD(name) KEUR_METHOD(get_##name) KEUR_METHOD(get##Name) KEUR_METHOD(is_##name) KEUR_METHOD(is##Name) \
    KEUR_METHOD(set_##name) KEUR_METHOD(set##Name)
#define KEUR_END }
#define KEUR_CALL(name) [](auto... given) -> decltype(::name(given...)) { return ::name(given...); }
#define KEUR_FUNCTION(name) ::keur::add_function(library, #name, &::name, KEUR_CALL(name));
#define KEUR_OVERLOADED(name) ::keur::add_overloaded(library, #name, KEUR_CALL(name));
