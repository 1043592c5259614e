// What a submission in C++ is compiled with: values, and calls of functions and methods whose types the compiler deduces.
//
// The submission and the glue that keur generates for its exercise are compiled with this text into a library, which
// keur's driver (driver.cpp) loads. Both are built by the same compiler, so that they may exchange types of the standard
// library. Nothing here knows what a case expects.
//
// A library is compiled for each submission, so it should hold little code: tables of what there is are constants, and
// only what is in one of them is instantiated.
#pragma once

#include "keur-containers.hpp"
#include "keur-values.hpp"

namespace keur {

template <class T> struct Tag { using type = T; };

// ---- calls with deduced parameters -----------------------------------------------------------------------------------

template <std::size_t, class P> struct Slot {
    Held<P> held;
};

// Calls with arguments for parameters of these types.
template <class R, class Indices, class... P> struct Passed;
template <class R, std::size_t... I, class... P> struct Passed<R, std::index_sequence<I...>, P...> {
    // Made from the first one to the last.
    struct Slots : Slot<I, P>... {};

    // Calls the function or the method that `target` points to, or else an F.
    template <class T, class F> static R invoke(const void *target, void *object, Slots &slots) {
        if constexpr (std::is_member_function_pointer_v<F>) {
            return (static_cast<T *>(object)->**static_cast<const F *>(target))(static_cast<Slot<I, P> &>(slots).held.get()...);
        } else if constexpr (std::is_pointer_v<F>) {
            return reinterpret_cast<F>(const_cast<void *>(target))(static_cast<Slot<I, P> &>(slots).held.get()...);
        } else if constexpr (std::is_void_v<T>) return KEUR_LAMBDA(F)(static_cast<Slot<I, P> &>(slots).held.get()...);
        else return KEUR_LAMBDA(F)(*static_cast<T *>(object), static_cast<Slot<I, P> &>(slots).held.get()...);
    }

    template <class T, class F> static void call(const void *target, void *object, Value *const *given, Value &result) {
        Slots slots{{Held<P>(*given[I])}...};
        if constexpr (std::is_void_v<R>) invoke<T, F>(target, object, slots);
        else give<R>(result, invoke<T, F>(target, object, slots));
        if constexpr ((changes<P> || ...)) (give_back(static_cast<Slot<I, P> &>(slots), *given[I]), ...);
    }

    template <std::size_t At, class Q> static void give_back(Slot<At, Q> &slot, Value &given) {
        if constexpr (changes<Q>) slot.held.give_back(given);
    }
};

template <class R, class... P> struct Signature {
    static constexpr std::size_t count = sizeof...(P);
    using All = Passed<R, std::index_sequence_for<P...>, P...>;
    template <class Indices> struct First;
    template <std::size_t... I> struct First<std::index_sequence<I...>> {
        // Whether F takes these alone: the others have defaults, or another function of its name has no more. Then, its result.
        template <class T, class F> static constexpr bool suffice = std::is_void_v<T>
            ? std::is_invocable_v<F, std::tuple_element_t<I, std::tuple<P...>>...>
            : std::is_invocable_v<F, std::add_lvalue_reference_t<T>, std::tuple_element_t<I, std::tuple<P...>>...>;
        template <class T, class F> static auto result() {
            if constexpr (std::is_void_v<T>) return Tag<std::invoke_result_t<F, std::tuple_element_t<I, std::tuple<P...>>...>>();
            else return Tag<std::invoke_result_t<F, T &, std::tuple_element_t<I, std::tuple<P...>>...>>();
        }
        template <class T, class F> using Of = Passed<typename decltype(result<T, F>())::type, std::index_sequence<I...>,
                                                      std::tuple_element_t<I, std::tuple<P...>>...>;
    };
};

template <class F> struct Deduced;
template <class R, class... P> struct Deduced<R (*)(P...)> { using Of = Signature<R, P...>; };
template <class R, class... P> struct Deduced<R (*)(P...) noexcept> { using Of = Signature<R, P...>; };
#define KEUR_MEMBER(qualifiers) \
    template <class R, class C, class... P> struct Deduced<R (C::*)(P...) qualifiers> { using Of = Signature<R, P...>; };
KEUR_MEMBER() KEUR_MEMBER(const) KEUR_MEMBER(&) KEUR_MEMBER(const &)
KEUR_MEMBER(noexcept) KEUR_MEMBER(const noexcept) KEUR_MEMBER(& noexcept) KEUR_MEMBER(const & noexcept)
#undef KEUR_MEMBER

// Adds calls with `count` arguments and fewer, as long as the others have defaults.
template <class T, class Of, class F, std::size_t count, class To, class... Parameters>
void add_fewer(To &to, const char *name, Parameters... parameters) {
    using First = typename Of::template First<std::make_index_sequence<count>>;
    if constexpr (First::template suffice<T, F>) {
        add_call(to, name, count, &First::template Of<T, F>::template call<T, F>, nullptr, parameters...);
        if constexpr (count > 0) add_fewer<T, Of, F, count - 1>(to, name, parameters...);
    }
}

// Adds the calls of what `target` points to, a function or a method of T; F calls it by its name.
template <class T, class Pointer, class F, class To> void add_deduced(To &to, const char *name, const void *target) {
    using Of = typename Deduced<Pointer>::Of;
    add_call(to, name, Of::count, &Of::All::template call<T, Pointer>, target);
    if constexpr (Of::count > 0) add_fewer<T, Of, F, Of::count - 1>(to, name);
}

// ---- calls whose parameters the compiler chooses ---------------------------------------------------------------------

// An argument for a constructor or an overload: it becomes what the parameter takes. Some take values of these kinds only.
enum class Some { value, list, dict, object };

template <class T, Some some> constexpr bool is_some = some == Some::value
    || (some == Some::list && (IsList<T>::value || IsSet<T>::value || IsArray<T>::value || IsTuple<T>::value))
    || (some == Some::dict && IsMap<T>::value) || (some == Some::object && IsPointer<T>::value);

template <class Owner, Some some = Some::value> struct Any {
    Value &value;
    template <class T, class = std::enable_if_t<!std::is_same_v<Plain<T>, Owner> && !is_own<Plain<T>> && !std::is_pointer_v<T>
                                                && is_some<Plain<T>, some>>>
    operator T() const { return read<Plain<T>>(value); }
    template <class T, class = std::enable_if_t<is_own<std::remove_cv_t<T>> && !std::is_same_v<std::remove_cv_t<T>, Owner>
                                                && (some == Some::value || some == Some::object)>, class = void>
    operator T &() const { return *object_of<T>(value); }
    template <class T, class = std::enable_if_t<std::is_same_v<std::remove_cv_t<T>, char> && some == Some::value>, class = void,
              class = void>
    operator T *() const { return characters_in(value); }
};

template <class Owner, std::size_t> using AnyAt = Any<Owner>;

// Whether a value is one: a template that takes all gives back what it was given.
template <class T> constexpr bool is_any = false;
template <class Owner, Some some> constexpr bool is_any<Any<Owner, some>> = true;

// Types of arguments as C++ has them for a literal, and kinds of values that have none, in the order of `Natural`: overloads
// that take equally many arguments are chosen by them.
template <class Owner> using Naturals = std::tuple<bool, int, long, double, std::string, const char *, char,
    Any<Owner, Some::list>, Any<Owner, Some::dict>, Any<Owner, Some::object>, Any<Owner>>;
template <class Owner, std::size_t K> using NaturalAt = std::tuple_element_t<K, Naturals<Owner>>;

template <class Owner, std::size_t K> NaturalAt<Owner, K> natural(Value &value) {
    if constexpr (K > char_literal) return {value};
    else if constexpr (K == c_text) return characters_in(value);
    else return read<NaturalAt<Owner, K>>(value);
}

// Methods of T of one name, constructors of T: whether some arguments suit one of them best, whether that one gives back what
// it is given, and a call of it.
template <class T, class F> struct Methods {
    using Owner = void;
    template <class... A> static constexpr bool take = std::is_invocable_v<F, T &, A...>;
    template <class... A> static constexpr bool give_any = is_any<Plain<std::invoke_result_t<F, T &, A...>>>;
    template <class... A> static void call(void *object, Value &result, A &&...args) {
        using R = std::invoke_result_t<F, T &, A...>;
        if constexpr (std::is_void_v<R>) KEUR_LAMBDA(F)(*static_cast<T *>(object), std::forward<A>(args)...);
        else give<R>(result, KEUR_LAMBDA(F)(*static_cast<T *>(object), std::forward<A>(args)...));
    }
};

// Whether a class without constructors has fields that take these.
template <class T, class, class... A> struct HasFields : std::false_type {};
template <class T, class... A> struct HasFields<T, std::void_t<decltype(T{std::declval<A>()...})>, A...> : std::is_aggregate<T> {};

template <class T> struct Constructors {
    using Owner = T;
    template <class... A> static constexpr bool take = std::is_constructible_v<T, A...> || HasFields<T, void, A...>::value;
    template <class...> static constexpr bool give_any = false;
    template <class... A> static void call(void *, Value &result, A &&...args) {
        if constexpr (std::is_constructible_v<T, A...>) give_object(result, new T(std::forward<A>(args)...));
        else give_object(result, new T{std::forward<A>(args)...});
    }
};

template <class All, std::size_t... I> void call_any(const void *, void *object, Value *const *given, Value &result) {
    All::call(object, result, Any<typename All::Owner>{*given[I]}...);
}

template <class All, std::size_t First> void call_one(const void *, void *object, Value *const *given, Value &result) {
    All::call(object, result, natural<typename All::Owner, First>(*given[0]));
}

template <class All, std::size_t First, std::size_t Second>
void call_two(const void *, void *object, Value *const *given, Value &result) {
    All::call(object, result, natural<typename All::Owner, First>(*given[0]), natural<typename All::Owner, Second>(*given[1]));
}

template <class All, std::size_t First> KEUR_CONSTEVAL Call one() {
    if constexpr (All::template take<NaturalAt<typename All::Owner, First>>) {
        if constexpr (!All::template give_any<NaturalAt<typename All::Owner, First>>) return &call_one<All, First>;
        else return nullptr;
    } else return nullptr;
}

template <class All, std::size_t First, std::size_t Second> KEUR_CONSTEVAL Call two() {
    using Owner = typename All::Owner;
    if constexpr (All::template take<NaturalAt<Owner, First>, NaturalAt<Owner, Second>>) {
        if constexpr (!All::template give_any<NaturalAt<Owner, First>, NaturalAt<Owner, Second>>) return &call_two<All, First, Second>;
        else return nullptr;
    } else return nullptr;
}

template <class All, std::size_t... K> KEUR_CONSTEVAL OneNatural ones(std::index_sequence<K...>) { return {{one<All, K>()...}}; }

template <class All, std::size_t... K> KEUR_CONSTEVAL TwoNaturals twos(std::index_sequence<K...>) {
    return {{two<All, K / naturals, K % naturals>()...}};
}

template <class All> constexpr OneNatural all_ones = ones<All>(std::make_index_sequence<naturals>());
template <class All> constexpr TwoNaturals all_twos = twos<All>(std::make_index_sequence<naturals * naturals>());

// Whether any argument, or any two, are taken.
template <class All, std::size_t... K> constexpr bool takes_one(std::index_sequence<K...>) {
    return (All::template take<NaturalAt<typename All::Owner, K>> || ...);
}

template <class All, std::size_t... K> constexpr bool takes_two(std::index_sequence<K...>) {
    using Owner = typename All::Owner;
    return (All::template take<NaturalAt<Owner, K / naturals>, NaturalAt<Owner, K % naturals>> || ...);
}

template <class All> void choose_one(const void *, void *object, Value *const *given, Value &result) {
    chosen(all_ones<All>, given)(nullptr, object, given, result);
}

template <class All> void choose_two(const void *, void *object, Value *const *given, Value &result) {
    chosen(all_twos<All>, given)(nullptr, object, given, result);
}

// Whether values are taken as they are: a template gives them back instead.
template <class All, class... A> KEUR_CONSTEVAL bool takes_all() {
    if constexpr (All::template take<A...>) return !All::template give_any<A...>;
    else return false;
}

template <class All, std::size_t... I> KEUR_CONSTEVAL Call caller(std::index_sequence<I...>) {
    if constexpr (takes_all<All, AnyAt<typename All::Owner, I>...>()) return &call_any<All, I...>;
    else if constexpr (sizeof...(I) == 1) {
        if constexpr (takes_one<All>(std::make_index_sequence<naturals>())) return &choose_one<All>;
        else return nullptr;
    } else if constexpr (sizeof...(I) == 2) {
        if constexpr (takes_two<All>(std::make_index_sequence<naturals * naturals>())) return &choose_two<All>;
        else return nullptr;
    } else return nullptr;
}

template <class All, std::size_t... N> KEUR_CONSTEVAL Calls calls_of(std::index_sequence<N...>) {
    return {{caller<All>(std::make_index_sequence<N>())...}};
}

template <class All> constexpr Calls calls = calls_of<All>(std::make_index_sequence<most_arguments + 1>());

// ---- operators and items ---------------------------------------------------------------------------------------------

#define KEUR_OPERATOR(Name, result) \
    struct Name { template <class L, class R> static auto of(L &left, R &right) -> decltype(result) { return result; } };
KEUR_OPERATOR(Plus, left + right)
KEUR_OPERATOR(Minus, left - right)
KEUR_OPERATOR(Times, left * right)
KEUR_OPERATOR(DividedBy, left / right)
KEUR_OPERATOR(Modulo, left % right)
KEUR_OPERATOR(Item, left[right])
#undef KEUR_OPERATOR

// An operand: an object of T, a number or a text.
template <class T, class O> decltype(auto) operand_of(const Value &value) {
    if constexpr (std::is_same_v<T, O>) return (*object_of<T>(value));
    else return read<O>(value);
}

template <class Op, class Left, class Right, class = void> struct Applies : std::false_type {};
template <class Op, class Left, class Right>
struct Applies<Op, Left, Right, std::void_t<decltype(Op::of(std::declval<Left &>(), std::declval<Right &>()))>>
    : std::bool_constant<!std::is_void_v<decltype(Op::of(std::declval<Left &>(), std::declval<Right &>()))>> {};

template <class Op, class T, class O> void operate_left(void *object, const Value &operand, Value &result) {
    auto &&other = operand_of<T, O>(operand);
    give<decltype(Op::of(*static_cast<T *>(object), other))>(result, Op::of(*static_cast<T *>(object), other));
}

template <class Op, class T, class O> void operate_right(void *object, const Value &operand, Value &result) {
    auto &&other = operand_of<T, O>(operand);
    give<decltype(Op::of(other, *static_cast<T *>(object)))>(result, Op::of(other, *static_cast<T *>(object)));
}

template <class T, class = void> struct IsNegated : std::false_type {};
template <class T> struct IsNegated<T, std::void_t<decltype(-std::declval<T &>())>>
    : std::bool_constant<!std::is_void_v<decltype(-std::declval<T &>())>> {};

template <class T> void negate(void *object, Value &result) {
    give<decltype(-*static_cast<T *>(object))>(result, -*static_cast<T *>(object));
}

// Whether something of this type can be assigned to.
template <class R> constexpr bool is_settable = std::is_lvalue_reference_v<R> && std::is_assignable_v<R, Plain<R>>
    && !std::is_abstract_v<Plain<R>>;

template <class T, class O> void set_item(void *object, const Value &key, const Value &item) {
    auto &&at = operand_of<T, O>(key);
    auto &place = (*static_cast<T *>(object))[at];
    place = read<Plain<decltype(place)>>(item);
}

template <class T> using Iterator = Plain<decltype(std::declval<T &>().begin())>;
template <class T, class = void> struct HasItems : std::false_type {};
template <class T>
struct HasItems<T, std::void_t<decltype(bool(std::declval<T &>().begin() != std::declval<T &>().end())),
                               decltype(*std::declval<T &>().begin()), decltype(++std::declval<Iterator<T> &>())>> : std::true_type {};

template <class T> void write_loop(void *object, Value &result) {
    write_items(result, Kind::list);
    for (auto &&item : *static_cast<T *>(object)) give<decltype(item)>(add_item(result), std::forward<decltype(item)>(item));
}

// Enters what an operator of T gives for an operand of type O.
template <class T, class Op, class O> KEUR_CONSTEVAL void describe_operator(Described &all, Operator name, Operand operand) {
    if constexpr (Applies<Op, T, O>::value) all.left[name][operand] = &operate_left<Op, T, O>;
    if constexpr (std::is_same_v<Op, Item>) {
        if constexpr (Applies<Op, T, O>::value) {
            if constexpr (is_settable<decltype(std::declval<T &>()[std::declval<O &>()])>) all.set_item[operand] = &set_item<T, O>;
        }
    } else if constexpr (!std::is_same_v<T, O> && Applies<Op, O, T>::value) all.right[name][operand] = &operate_right<Op, T, O>;
}

template <class T, class O> KEUR_CONSTEVAL void describe_operators(Described &all, Operand operand) {
    describe_operator<T, Plus, O>(all, plus, operand);
    describe_operator<T, Minus, O>(all, minus, operand);
    describe_operator<T, Times, O>(all, times, operand);
    describe_operator<T, DividedBy, O>(all, divided_by, operand);
    describe_operator<T, Modulo, O>(all, modulo, operand);
    describe_operator<T, Item, O>(all, subscript, operand);
}

template <class T> KEUR_CONSTEVAL Described describe() {
    Described all{};
    all.type = &type_of<T>;
    all.is_abstract = std::is_abstract_v<T>;
    if constexpr (!std::is_abstract_v<T>) all.construct = calls<Constructors<T>>;
    describe_operators<T, T>(all, same_class);
    describe_operators<T, int>(all, integer_operand);
    describe_operators<T, double>(all, real_operand);
    describe_operators<T, std::string>(all, text_operand);
    if constexpr (IsNegated<T>::value) all.negated = &negate<T>;
    if constexpr (HasItems<T>::value) all.items = &write_loop<T>;
    return all;
}

template <class T> constexpr Described described = describe<T>();

// ---- what a library has ----------------------------------------------------------------------------------------------

struct Nothing {};

// What has the members of T, if a class may derive from it.
template <class T> using Members = std::conditional_t<std::is_class_v<T> && !std::is_final_v<T>, T, Nothing>;

// Adds a function: `pointer` points to it, and F calls it by its name.
template <class Pointer, class F> void add_function(Library &library, const char *name, Pointer pointer, F) {
    add_deduced<void, Pointer, F>(library, name, reinterpret_cast<const void *>(pointer));
}

// Whether floating-point numbers are in a value of this type.
template <class P, class = void> struct HoldsReals : std::is_floating_point<P> {};
template <class P> struct HoldsReals<P, std::void_t<typename P::value_type>> : HoldsReals<typename P::value_type> {};

// What a parameter of this type is among those of other functions of the same name.
template <class P> constexpr Parameter parameter_of = std::is_same_v<P, bool> ? Parameter::boolean
    : std::is_same_v<P, int> ? Parameter::integer
    : std::is_same_v<P, std::string> ? Parameter::text
    : is_character<P> ? Parameter::character
    : std::is_integral_v<P> ? Parameter::other_integer
    : std::is_floating_point_v<P> ? Parameter::real
    : HoldsReals<P>::value ? Parameter::reals : Parameter::other;

template <class... P> constexpr Parameter parameters_of[] = {parameter_of<Plain<P>>..., Parameter::other};

// Adds a function that is called with arguments of the types of a declaration: that of its exercise, or its own, if it has
// others of its name. F calls it by its name.
template <class F, class R, class... P> void add_declared(Library &library, const char *name, F, R (*)(P...)) {
    static_assert(std::is_invocable_v<F, P...>, "another signature");
    if constexpr (std::is_invocable_v<F, P...>) {
        using Of = Signature<std::invoke_result_t<F, P...>, P...>;
        add_call(library, name, Of::count, &Of::All::template call<void, F>, nullptr, parameters_of<P...>);
        if constexpr (Of::count > 0) add_fewer<void, Of, F, Of::count - 1>(library, name, +parameters_of<P...>);
    }
}

// Refuses the calls of a function whose signature is another one than its exercise declares.
template <class Function> void refuse_other(Library &library, const char *name, Function *, const char *declared) {
    refuse_calls(library, name, typeid(Function), declared);
}

// Adds several methods of one name, if there are any.
template <class T, class F> void add_overloaded_method(Class &to, const char *name) {
    add_calls(to, name, calls<Methods<T, F>>);
}

template <class D> void get_data(void *data, Value &result) { give<D &>(result, *static_cast<D *>(data)); }

template <class D> void set_data(void *data, const Value &value) { *static_cast<D *>(data) = read<Plain<D>>(value); }

// Whether an object of T is one of the class that a member belongs to, which may be a base that only the class itself sees.
template <class T, class Member> constexpr bool is_of = false;
template <class T, class R, class C> constexpr bool is_of<T, R C::*> = std::is_convertible_v<T *, C *>;

// Adds a method, if there is one: `Pointer` gives what points to it, unless there are several of its name, and F calls it. What
// belongs to the class itself is also added as such.
template <class T, class Pointer, class F> void add_method(Class &to, const char *name, Pointer, F) {
    if constexpr (std::is_invocable_v<Pointer, Tag<T>>) {
        using Member = std::invoke_result_t<Pointer, Tag<T>>;
        using Pointee = std::remove_pointer_t<Member>;
        if constexpr (std::is_member_object_pointer_v<Member>) return;
        else if constexpr (std::is_member_function_pointer_v<Member> && !is_of<T, Member>) add_overloaded_method<T, F>(to, name);
        else if constexpr (std::is_member_function_pointer_v<Member>) {
            static const Member member = KEUR_LAMBDA(Pointer)(Tag<T>());
            add_deduced<T, Member, F>(to, name, &member);
        } else if constexpr (std::is_function_v<Pointee>) {
            const auto *function = reinterpret_cast<const void *>(KEUR_LAMBDA(Pointer)(Tag<T>()));
            add_deduced<T, Member, F>(to, name, function);
            using Of = typename Deduced<Member>::Of;
            add_static_call(to, name, Of::count, &Of::All::template call<void, Member>, function);
        } else if constexpr (is_settable<Pointee &>) add_static_data(to, name, KEUR_LAMBDA(Pointer)(Tag<T>()), &get_data<Pointee>, &set_data<Pointee>);
        else add_static_data(to, name, const_cast<std::remove_const_t<Pointee> *>(KEUR_LAMBDA(Pointer)(Tag<T>())), &get_data<Pointee>, nullptr);
    } else add_overloaded_method<T, F>(to, name);
}

// Refuses the calls of a member that was not added as a method, if there is one: then `Only`, which gives what points to the
// only member of its name, has two to choose from in `Both`. `Filled` gives what points to a template with a type.
template <class T, class Both, class Only, class Filled> void refuse_hidden(Class &to, const char *name, Only, Filled) {
    if constexpr (std::is_invocable_v<Only, Tag<T>>) {
        if (std::is_member_object_pointer_v<std::invoke_result_t<Only, Tag<T>>>) refuse_calls(to, name, "it is a variable, not a method");
    } else if constexpr (!std::is_invocable_v<Only, Tag<Both>>) {
        refuse_calls(to, name, std::is_invocable_v<Filled, Tag<T>> ? "keur cannot tell the types of a template" : "it cannot be called from outside its class");
    }
}

template <class T, class Get> void get_attribute(void *object, Value &result) {
    give<std::invoke_result_t<Get, T &>>(result, KEUR_LAMBDA(Get)(*static_cast<T *>(object)));
}

template <class T, class Get> void set_attribute(void *object, const Value &value) {
    KEUR_LAMBDA(Get)(*static_cast<T *>(object)) = read<Plain<std::invoke_result_t<Get, T &>>>(value);
}

// Adds a member that is public data, if there is one.
template <class T, class Get> void add_attribute(Class &to, const char *name, Get) {
    if constexpr (std::is_invocable_v<Get, T &>) {
        if constexpr (is_settable<std::invoke_result_t<Get, T &>>) {
            add_attribute(to, name, &get_attribute<T, Get>, &set_attribute<T, Get>);
        } else add_attribute(to, name, &get_attribute<T, Get>, nullptr);
    }
}

} // namespace keur

// In the glue: a class, which may be one of a template, with the methods that operators mean; methods of it, an attribute
// with its name in capitals, and its end; a function, one that is declared, and the list of several functions of one name.
#define KEUR_CLASS(name, ...) { \
    using Own = ::__VA_ARGS__; ::keur::Class &own = ::keur::add_class(library, #name, ::keur::described<Own>); \
    KEUR_METHOD(size) KEUR_METHOD(length) KEUR_METHOD(contains)
#define KEUR_METHOD(name) \
    ::keur::add_method<Own>(own, #name, \
        [](auto tag) -> decltype(&decltype(tag)::type::name) { return &decltype(tag)::type::name; }, \
        [](auto &self, auto &&...given) -> decltype(self.name(static_cast<decltype(given)>(given)...)) { \
            return self.name(static_cast<decltype(given)>(given)...); \
        });
// After a method: if it was not added, and the class has a member of its name all the same, its calls are refused.
#define KEUR_HIDDEN(name) { \
    struct Other { int name; }; struct Both : ::keur::Members<Own>, Other {}; \
    ::keur::refuse_hidden<Own, Both>(own, #name, \
        [](auto tag) -> decltype(&decltype(tag)::type::name) { return &decltype(tag)::type::name; }, \
        [](auto tag) -> decltype(&decltype(tag)::type::template name<int>) { return nullptr; }); }
#define KEUR_UNUSABLE_METHOD(name, why) ::keur::refuse_calls(own, #name, why);
#define KEUR_ATTRIBUTE(name, Name) \
    ::keur::add_attribute<Own>(own, #name, [](auto &self) -> decltype((self.name)) { return (self.name); }); \
    KEUR_METHOD(name) KEUR_METHOD(get_##name) KEUR_METHOD(get##Name) KEUR_METHOD(is_##name) KEUR_METHOD(is##Name) \
    KEUR_METHOD(set_##name) KEUR_METHOD(set##Name)
#define KEUR_END }
#define KEUR_CALL(name) \
    [](auto &&...given) -> decltype(::name(static_cast<decltype(given)>(given)...)) { \
        return ::name(static_cast<decltype(given)>(given)...); \
    }
#define KEUR_FUNCTION(name) ::keur::add_function(library, #name, &::name, KEUR_CALL(name));
#define KEUR_DECLARED(name, ...) { \
    struct keur_declared { static __VA_ARGS__; }; \
    ::keur::add_declared(library, #name, KEUR_CALL(name), static_cast<decltype(&keur_declared::name)>(nullptr)); }
#define KEUR_OTHER(name, ...) ::keur::refuse_other(library, #name, &::name, #__VA_ARGS__);
// Compiles for no function: the compiler then lists those of this name.
#define KEUR_CANDIDATES(name) { void (*none)(::keur::Library &, ::keur::Library &, ::keur::Library &) = &::name; }
#define KEUR_OVERLOADED(name, all) ::keur::list_overloads(library, #name, all);
#define KEUR_UNUSABLE(name, why) ::keur::refuse_calls(library, #name, why);
#define KEUR_UNUSABLE_CLASS(name, why) ::keur::refuse_class(library, #name, why);
