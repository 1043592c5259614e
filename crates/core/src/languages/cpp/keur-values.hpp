// The conversion of values from and to the types of a submission in C++. A part of keur.hpp.
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

#include "keur-driver.hpp"

namespace keur {

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
template <class T> struct Prints<T, std::void_t<decltype(std::declval<std::ostream &>() << std::declval<T &>())>> : std::true_type {};

#define KEUR_TEXT_METHOD(Trait, method) \
    template <class T, class = void> struct Trait : std::false_type {}; \
    template <class T> struct Trait<T, std::void_t<decltype(std::string(std::declval<T &>().method()))>> : std::true_type {};
KEUR_TEXT_METHOD(HasToString, toString)
KEUR_TEXT_METHOD(HasSnakeToString, to_string)
KEUR_TEXT_METHOD(HasStr, str)
#undef KEUR_TEXT_METHOD

template <class T, class = void> struct Compares : std::false_type {};
template <class T> struct Compares<T, std::void_t<decltype(bool(std::declval<T &>() == std::declval<T &>()))>> : std::true_type {};

template <class T> constexpr bool has_text = Prints<T>::value || HasToString<T>::value || HasSnakeToString<T>::value
    || HasStr<T>::value;

template <class T> void print(std::ostream &out, const void *object) {
    // Methods that change nothing may all the same not be `const`.
    T &value = *static_cast<T *>(const_cast<void *>(object));
    if constexpr (Prints<T>::value) out << value;
    else if constexpr (HasToString<T>::value) out << std::string(value.toString());
    else if constexpr (HasSnakeToString<T>::value) out << std::string(value.to_string());
    else out << std::string(value.str());
}

template <class T> bool equal_to(const void *left, const void *right) {
    return *static_cast<T *>(const_cast<void *>(left)) == *static_cast<T *>(const_cast<void *>(right));
}

template <class T, class = void> struct IsOrdered : std::false_type {};
template <class T> struct IsOrdered<T, std::void_t<decltype(bool(std::declval<T &>() < std::declval<T &>()))>> : std::true_type {};

template <class T> bool less_than(const void *left, const void *right) {
    return *static_cast<T *>(const_cast<void *>(left)) < *static_cast<T *>(const_cast<void *>(right));
}

template <class T> void throw_pointer(const void *object) { throw static_cast<const T *>(object); }
template <class T> const std::type_info &exact_type(const void *object) {
    return typeid(*static_cast<const T *>(object));
}

template <class T> void *part_of(const Type &other, const void *object) {
    // Only a handler knows which types extend one that is not known here.
    try {
        other.throws(object);
    } catch (const T *part) {
        return const_cast<T *>(part);
    } catch (...) {
    }
    return nullptr;
}

template <class T, bool has> KEUR_CONSTEVAL auto print_of() -> decltype(Type::print) {
    if constexpr (has) return &print<T>;
    else return nullptr;
}
template <class T, bool has> KEUR_CONSTEVAL auto equal_of() -> decltype(Type::equal) {
    if constexpr (has) return &equal_to<T>;
    else return nullptr;
}
template <class T, bool has> KEUR_CONSTEVAL auto less_of() -> decltype(Type::less) {
    if constexpr (has) return &less_than<T>;
    else return nullptr;
}

template <class T> constexpr Type type_of{&typeid(T), print_of<T, has_text<T>>(), equal_of<T, Compares<T>::value>(),
                                          less_of<T, IsOrdered<T>::value>(), &throw_pointer<T>, &exact_type<T>, &part_of<T>};

// ---- from the submission to keur -------------------------------------------------------------------------------------

template <class T> void write(Value &to, const T &value);

template <class T> void write_reference(Value &to, const T &object) {
    write_object(to, std::addressof(object), type_of<std::remove_cv_t<T>>);
}

template <class T, class = void> struct IsInRow : std::false_type {};
template <class T> struct IsInRow<T, std::void_t<decltype(std::declval<const T &>().data() + std::declval<const T &>().size())>> : std::true_type {};

template <class T, class = void> struct HasSize : std::false_type {};
template <class T> struct HasSize<T, std::void_t<decltype(std::declval<const T &>().size())>> : std::true_type {};

template <class T> void write_each(Value &to, Kind kind, const T &items) {
    if constexpr (HasSize<T>::value) write_items(to, kind, items.size());
    else write_items(to, kind);
    // Loops over pointers need less code than those over iterators.
    if constexpr (IsInRow<T>::value) {
        auto item = items.data();
        for (std::size_t left = items.size(); left > 0; --left) write(add_item(to), *item++);
    } else {
        for (auto &&item : items) write<Plain<decltype(item)>>(add_item(to), item);
    }
}

template <class T, std::size_t... I> void write_parts(Value &to, const T &parts, std::index_sequence<I...>) {
    write_items(to, Kind::tuple);
    (write(add_item(to), std::get<I>(parts)), ...);
}

template <class T> void write(Value &to, const T &value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::vector<bool>::reference>) write_flag(to, value);
    else if constexpr (std::is_same_v<T, char>) write_text(to, std::string_view(&value, 1));
    else if constexpr (is_character<T>) write_character(to, static_cast<char32_t>(value));
    else if constexpr (std::is_enum_v<T>) write(to, static_cast<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) write_signed(to, value);
    else if constexpr (std::is_integral_v<T>) write_unsigned(to, value);
    else if constexpr (std::is_same_v<T, float>) write_real(to, value);
    else if constexpr (std::is_floating_point_v<T>) write_real(to, static_cast<double>(value));
    else if constexpr (std::is_same_v<T, std::nullptr_t> || std::is_same_v<T, std::nullopt_t>
                       || std::is_same_v<T, std::monostate>) write_none(to);
    else if constexpr (is_text<T>) write_text(to, value);
    else if constexpr (std::is_array_v<T>) {
        if constexpr (std::is_same_v<std::remove_cv_t<std::remove_extent_t<T>>, char>) write_text(to, value);
        else write_each(to, Kind::list, value);
    } else if constexpr (IsList<T>::value || IsArray<T>::value) write_each(to, Kind::list, value);
    else if constexpr (IsSet<T>::value) write_each(to, Kind::set, value);
    else if constexpr (IsMap<T>::value) {
        write_items(to, Kind::dict);
        for (const auto &entry : value) {
            write(add_item(to), entry.first);
            write(add_item(to), entry.second);
        }
    } else if constexpr (IsTuple<T>::value) write_parts(to, value, std::make_index_sequence<std::tuple_size_v<T>>());
    else if constexpr (IsOptional<T>::value) {
        if (value) write(to, *value);
        else write_none(to);
    } else if constexpr (IsVariant<T>::value) std::visit([&](const auto &item) { write(to, item); }, value);
    else if constexpr (std::is_pointer_v<T>) {
        using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
        if (value == nullptr) write_none(to);
        else if constexpr (std::is_same_v<Pointee, char>) write_text(to, value);
        else if constexpr (std::is_void_v<Pointee> || std::is_function_v<Pointee>) write_reference(to, value);
        else if constexpr (is_own<Pointee>) write_reference(to, *value);
        else write<Pointee>(to, *value);
    } else if constexpr (IsPointer<T>::value) {
        using Pointee = std::remove_cv_t<typename T::element_type>;
        if (!value) write_none(to);
        else if constexpr (!is_own<Pointee>) write<Pointee>(to, *value);
        else write_reference(to, *value);
    } else if constexpr (std::is_base_of_v<std::ios_base, T>) write_none(to);
    else write_reference(to, value);
}

// Whether objects of the submission can lie in a value of this type.
template <class T, class = void> struct HasObjects : std::bool_constant<is_own<T>> {};
template <class T> struct HasObjects<T, std::enable_if_t<!is_own<T>, std::void_t<typename T::value_type>>>
    : HasObjects<typename T::value_type> {};
template <class T> struct HasObjects<T, std::enable_if_t<IsPointer<T>::value && !std::is_pointer_v<T>>>
    : HasObjects<std::remove_cv_t<typename T::element_type>> {};
template <class A, class B> struct HasObjects<std::pair<A, B>, void>
    : std::bool_constant<HasObjects<std::remove_cv_t<A>>::value || HasObjects<B>::value> {};
template <class... T> struct HasObjects<std::tuple<T...>, void> : std::bool_constant<(HasObjects<T>::value || ...)> {};
template <class... T> struct HasObjects<std::variant<T...>, void> : std::bool_constant<(HasObjects<T>::value || ...)> {};

template <class T> void destroy(void *object) { delete static_cast<T *>(object); }

template <class T, class = void> struct SharesItself : std::false_type {};
template <class T> struct SharesItself<T, std::void_t<decltype(std::declval<T &>().weak_from_this())>> : std::true_type {};

// Keeps an object that nothing else keeps.
template <class T> void give_object(Value &to, T *object) {
    write_reference(to, *object);
    if constexpr (SharesItself<T>::value) keep(to, std::shared_ptr<T>(object));
    else keep(to, object, &destroy<T>);
}

// The value of a call: an object that it returns by value is kept, one that it returns by reference is the submission's.
template <class R> void give(Value &to, R &&result) {
    using T = Plain<R>;
    if constexpr (std::is_lvalue_reference_v<R>) write<T>(to, result);
    else if constexpr (is_own<T> && std::is_move_constructible_v<T> && !std::is_base_of_v<std::ios_base, T>) {
        give_object(to, new T(static_cast<R &&>(result)));
    } else if constexpr (IsPointer<T>::value && !std::is_pointer_v<T>) {
        using Pointee = std::remove_cv_t<typename T::element_type>;
        write(to, result);
        if constexpr (is_own<Pointee>) {
            std::shared_ptr<typename T::element_type> kept(std::move(result));
            keep(to, std::const_pointer_cast<Pointee>(kept));
        }
    } else if constexpr (IsOptional<T>::value) {
        if (result) give(to, std::move(*result));
        else write_none(to);
    } else if constexpr (HasObjects<T>::value && !std::is_pointer_v<T>) {
        // What lies in it is kept with it.
        auto *kept = new T(static_cast<R &&>(result));
        write(to, *kept);
        keep(to, kept, &destroy<T>);
    } else write<T>(to, result);
}

// ---- from keur to the submission -------------------------------------------------------------------------------------

template <class T> T read(const Value &value);

template <class T> T integer_of(const Value &value) {
    return static_cast<T>(integer_in(value, static_cast<std::uint64_t>(std::numeric_limits<T>::max()), std::is_signed_v<T>, typeid(T)));
}

template <class T, std::size_t... I> T tuple_of(const Value &value, std::index_sequence<I...>) {
    if (count_in(value, typeid(T)) != sizeof...(I)) refuse(value, typeid(T));
    return T{read<std::tuple_element_t<I, T>>(item_in(value, I))...};
}

// Whether a variant has both a list and a set.
template <class T> constexpr bool has_both = false;
template <class... T> constexpr bool has_both<std::variant<T...>> = (IsList<T>::value || ...) && (IsSet<T>::value || ...);

// The first alternative that takes the value; a set is a list only if the variant has no set, and a list a set likewise.
template <class T, std::size_t I = 0> T variant_of(const Value &value) {
    if constexpr (I == std::variant_size_v<T>) refuse(value, typeid(T));
    else {
        using Alternative = std::variant_alternative_t<I, T>;
        if constexpr (has_both<T> && (IsList<Alternative>::value || IsSet<Alternative>::value)) {
            if (is_set(value) != IsSet<Alternative>::value) return variant_of<T, I + 1>(value);
        }
        try {
            return T(std::in_place_index<I>, read<std::variant_alternative_t<I, T>>(value));
        } catch (const Refused &) {
            return variant_of<T, I + 1>(value);
        }
    }
}

// The object of the submission that a value is.
template <class T> T *object_of(const Value &value) {
    return static_cast<T *>(object_in(value, type_of<std::remove_cv_t<T>>));
}

template <class T> T read(const Value &value) {
    if constexpr (std::is_same_v<T, bool>) return flag_in(value);
    else if constexpr (is_character<T>) {
        return static_cast<T>(character_in(value, static_cast<char32_t>(std::numeric_limits<T>::max()), typeid(T)));
    } else if constexpr (std::is_enum_v<T>) return static_cast<T>(integer_of<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_integral_v<T>) return integer_of<T>(value);
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(real_in(value, typeid(T)));
    else if constexpr (is_text<T>) return text_in(value, typeid(T));
    else if constexpr (IsArray<T>::value) {
        T array{};
        if (count_in(value, typeid(T)) != array.size()) refuse(value, typeid(T));
        for (std::size_t i = 0; i < array.size(); ++i) array[i] = read<typename T::value_type>(item_in(value, i));
        return array;
    } else if constexpr (IsList<T>::value) {
        std::size_t count = count_in(value, typeid(T));
        T list;
        if constexpr (std::is_same_v<T, std::forward_list<typename T::value_type>>) {
            while (count > 0) list.push_front(read<typename T::value_type>(item_in(value, --count)));
        } else {
            for (std::size_t i = 0; i < count; ++i) list.push_back(read<typename T::value_type>(item_in(value, i)));
        }
        return list;
    } else if constexpr (IsSet<T>::value) {
        std::size_t count = count_in(value, typeid(T));
        T set;
        for (std::size_t i = 0; i < count; ++i) set.insert(read<typename T::value_type>(item_in(value, i)));
        return set;
    } else if constexpr (IsMap<T>::value) {
        std::size_t count = dict_count_in(value, typeid(T));
        T map;
        for (std::size_t i = 0; i + 1 < count; i += 2) {
            map.emplace(read<typename T::key_type>(item_in(value, i)), read<typename T::mapped_type>(item_in(value, i + 1)));
        }
        return map;
    } else if constexpr (IsTuple<T>::value) return tuple_of<T>(value, std::make_index_sequence<std::tuple_size_v<T>>());
    else if constexpr (IsOptional<T>::value) {
        if (is_none(value)) return std::nullopt;
        return read<typename T::value_type>(value);
    } else if constexpr (IsVariant<T>::value) return variant_of<T>(value);
    else if constexpr (std::is_same_v<T, std::monostate>) {
        if (!is_none(value)) refuse(value, typeid(T));
        return {};
    } else if constexpr (IsPointer<T>::value && !std::is_pointer_v<T>) {
        using Pointee = typename T::element_type;
        if (is_none(value)) return nullptr;
        if constexpr (!is_own<std::remove_cv_t<Pointee>>) return T(new Pointee(read<std::remove_cv_t<Pointee>>(value)));
        else if constexpr (std::is_same_v<T, std::shared_ptr<Pointee>>) {
            return std::shared_ptr<Pointee>(owner_of(value), object_of<Pointee>(value));
        } else if constexpr (std::is_copy_constructible_v<std::remove_cv_t<Pointee>>) return T(new Pointee(*object_of<Pointee>(value)));
        else refuse(value, typeid(T));
    } else if constexpr (std::is_pointer_v<T> && is_own<std::remove_cv_t<std::remove_pointer_t<T>>>) {
        if (is_none(value)) return nullptr;
        return object_of<std::remove_pointer_t<T>>(value);
    } else if constexpr (is_own<T> && std::is_copy_constructible_v<T>) return *object_of<T>(value);
    else refuse(value, typeid(T));
}

// Whether a call may change what a parameter of type P refers to, so that its argument has another value after it.
template <class P> constexpr bool changes = std::is_pointer_v<Plain<P>>
    ? !std::is_const_v<std::remove_pointer_t<Plain<P>>> && !is_own<std::remove_pointer_t<Plain<P>>>
    : std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>> && !is_own<Plain<P>>;

// An argument for a parameter of type P: what the parameter refers to lives here until the call has ended.
template <class P, class = void> struct Held {
    Plain<P> value;
    explicit Held(Value &given) : value(read<Plain<P>>(given)) {}
    P get() { return static_cast<std::conditional_t<std::is_reference_v<P>, P, P &&>>(value); }
    void give_back(Value &given) {
        // Objects in it end with it, unless they are kept.
        if constexpr (HasObjects<Plain<P>>::value) give<Plain<P>>(given, std::move(value));
        else write(given, value);
    }
};

// A text that the call does not change.
template <> struct Held<const std::string &, void> {
    const std::string &text;
    explicit Held(Value &given) : text(text_in(given, typeid(std::string))) {}
    const std::string &get() { return text; }
};

// An object of the submission.
template <class P>
struct Held<P, std::enable_if_t<is_own<Plain<P>> && (std::is_reference_v<P> || std::is_copy_constructible_v<Plain<P>>)>> {
    std::remove_reference_t<P> &object;
    explicit Held(Value &given) : object(*object_of<std::remove_reference_t<P>>(given)) {}
    P get() { return static_cast<P>(object); }
};

// A pointer: to an object, to the first of some values, or to the characters of a text.
template <class P> struct Held<P, std::enable_if_t<std::is_pointer_v<Plain<P>>>> {
    using Pointee = std::remove_pointer_t<Plain<P>>;
    using Item = std::remove_cv_t<Pointee>;
    Plain<P> pointer = nullptr;
    std::unique_ptr<Item[]> items;
    std::size_t count = 0;
    explicit Held(Value &given) {
        if (is_none(given)) return;
        if constexpr (std::is_same_v<Item, char>) {
            // The call may free it.
            const std::string &text = text_in(given, typeid(Plain<P>));
            auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
            std::copy_n(text.c_str(), text.size() + 1, copy);
            pointer = copy;
        } else if constexpr (is_own<Item>) pointer = object_of<Pointee>(given);
        else if constexpr (std::is_default_constructible_v<Item> && std::is_move_assignable_v<Item>) {
            count = count_in(given, typeid(Plain<P>));
            items.reset(new Item[count]());
            for (std::size_t i = 0; i < count; ++i) items[i] = read<Item>(item_in(given, i));
            pointer = items.get();
        } else refuse(given, typeid(Plain<P>));
    }
    P get() { return static_cast<P>(pointer); }
    void give_back(Value &given) {
        if constexpr (std::is_same_v<Item, char>) {
            if (pointer != nullptr && !is_freed(pointer)) write_text(given, pointer);
        } else for (std::size_t i = 0; i < count; ++i) write(item_in(given, i), items[i]);
    }
};

} // namespace keur
