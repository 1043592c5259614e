// Values between keur and a submission in C++, and their conversion from and to the types of the submission. A part of
// keur.hpp.
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

} // namespace keur
