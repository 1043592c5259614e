// What a submission in C++ is compiled with: values, and calls of functions and methods whose types the compiler deduces.
//
// The submission and the glue that keur generates for its exercise are compiled with this text into a library, which
// keur's driver (driver.cpp) loads. Both are built by the same compiler, so that they may exchange types of the standard
// library. Nothing here knows what a case expects.
#pragma once

#include "keur-values.hpp"

namespace keur {

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
