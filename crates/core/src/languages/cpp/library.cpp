// What the library of a submission finds in the driver: it reads and writes values, and lists what the library has.
#include "library.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

// Of the address sanitizer, if the driver is built with it.
extern "C" int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

namespace keur {

bool is_freed(const void *first) { return __asan_address_is_poisoned != nullptr && __asan_address_is_poisoned(first) != 0; }

Result result{};

std::size_t length_in(long long length, std::size_t most) {
    if (length < 0 || static_cast<std::size_t>(length) > most) throw WrongLength{length, result.of};
    return static_cast<std::size_t>(length);
}

void refuse(const Value &value, const std::type_info &type) { throw Refused{brief(value) + " is no " + name_of(type)}; }

void raise_errno(int number) {
    std::string name = "errno " + std::to_string(number);
#if __GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 32)
    if (const char *known = strerrorname_np(number)) name = known;
#endif
    throw SetErrno{name, std::strerror(number)};
}

// ---- from keur to the submission -------------------------------------------------------------------------------------

bool is_none(const Value &value) { return value.kind == Kind::none || value.kind == Kind::undefined; }

bool flag_in(const Value &value) {
    if (value.kind != Kind::boolean) refuse(value, typeid(bool));
    return value.flag;
}

std::uint64_t integer_in(const Value &value, std::uint64_t most, bool is_signed, const std::type_info &type) {
    if (value.kind != Kind::integer) refuse(value, type);
    bool fits = value.text.empty();
    if (fits && value.flag) fits = is_signed && value.magnitude <= most + 1;
    else if (fits) fits = value.magnitude <= most;
    if (!fits) throw Refused{brief(value) + " does not fit into " + name_of(type)};
    return value.flag ? 0 - value.magnitude : value.magnitude;
}

long double real_in(const Value &value, const std::type_info &type) {
    if (value.kind == Kind::real) return value.real;
    if (value.kind != Kind::integer || !value.text.empty()) refuse(value, type);
    auto magnitude = static_cast<long double>(value.magnitude);
    return value.flag ? -magnitude : magnitude;
}

const std::string &text_in(const Value &value, const std::type_info &type) {
    if (value.kind != Kind::text) refuse(value, type);
    return value.text;
}

char *characters_in(Value &value) {
    text_in(value, typeid(char *));
    return value.text.data();
}

char32_t character_in(const Value &value, char32_t last, const std::type_info &type) {
    std::u32string all = characters_of(text_in(value, type));
    if (all.size() != 1 || all[0] > last) refuse(value, type);
    return all[0];
}

bool is_set(const Value &value) { return value.kind == Kind::set; }

std::size_t count_in(const Value &value, const std::type_info &type) {
    if (value.kind != Kind::list && value.kind != Kind::tuple && value.kind != Kind::set) refuse(value, type);
    return value.items.size();
}

std::size_t dict_count_in(const Value &value, const std::type_info &type) {
    if (value.kind != Kind::dict) refuse(value, type);
    return value.items.size();
}

const Value &item_in(const Value &value, std::size_t place) { return value.items[place]; }
Value &item_in(Value &value, std::size_t place) { return value.items[place]; }

void *object_in(const Value &value, const Type &type) {
    bool is_object = value.kind == Kind::object && value.type != &class_type;
    if (is_object && value.type == &type) return value.object;
    void *part = is_object ? type.part(*value.type, value.object) : nullptr;
    if (part == nullptr) refuse(value, *type.info);
    return part;
}

const std::shared_ptr<void> &owner_of(const Value &value) { return value.owner; }

// ---- from the submission to keur -------------------------------------------------------------------------------------

void write_none(Value &to) { to = Value(); }

void write_flag(Value &to, bool flag) {
    to = of_kind(Kind::boolean);
    to.flag = flag;
}

void write_signed(Value &to, std::int64_t integer) {
    auto bits = static_cast<std::uint64_t>(integer);
    to = of_integer(integer < 0, integer < 0 ? 0 - bits : bits);
}

void write_unsigned(Value &to, std::uint64_t integer) { to = of_integer(false, integer); }

void write_real(Value &to, double real) {
    to = of_kind(Kind::real);
    to.real = real;
}

// As it is written with the fewest digits: 0.1f is 0.1.
void write_real(Value &to, float real) {
    char digits[24];
    for (int count = 6; count <= 9; ++count) {
        std::snprintf(digits, sizeof digits, "%.*g", count, static_cast<double>(real));
        if (std::strtof(digits, nullptr) == real) break;
    }
    write_real(to, std::strtod(digits, nullptr));
}

void write_text(Value &to, const char *text) { to = of_text(text); }
void write_text(Value &to, const std::string &text) { to = of_text(text); }
void write_text(Value &to, std::string_view text) { to = of_text(text); }
void write_character(Value &to, char32_t code) { to = of_character(code); }

void write_object(Value &to, const void *object, const Type &type) {
    to = of_kind(Kind::object);
    to.object = const_cast<void *>(object);
    to.type = &type;
}

void write_items(Value &to, Kind kind, std::size_t room) {
    to = of_kind(kind);
    // What a vector leaves behind as it grows, the address sanitizer keeps.
    to.items.reserve(room);
}

Value &add_item(Value &to) { return to.items.emplace_back(); }

void keep(Value &value, const std::shared_ptr<void> &owner) {
    if (value.kind == Kind::object && !value.owner) value.owner = owner;
    for (Value &item : value.items) keep(item, owner);
}

void keep(Value &value, void *owner, void (*destroy)(void *)) { keep(value, std::shared_ptr<void>(owner, destroy)); }

// ---- what a library has ----------------------------------------------------------------------------------------------

Class &add_class(Library &library, const char *name, const Described &described) {
    Class &added = library.classes[name];
    added.described = &described;
    added.construct = Callable(described.construct);
    if (described.is_abstract) added.construct.refuse("the class is abstract: one of its methods has no body (= 0)");
    return added;
}

void add_call(Library &library, const char *name, std::size_t count, Call call, const void *target, const Parameter *parameters) {
    library.functions[name].add(count, call, target, parameters);
}

void add_call(Class &to, const char *name, std::size_t count, Call call, const void *target) {
    to.methods[name].add(count, call, target);
}

void add_static_call(Class &to, const char *name, std::size_t count, Call call, const void *target) {
    to.static_methods[name].add(count, call, target);
}

void add_static_data(Class &to, const char *name, void *data, void (*get)(void *data, Value &result),
                     void (*set)(void *data, const Value &value)) {
    to.static_data[name] = {{get, set}, data};
}

void add_calls(Class &to, const char *name, const Calls &calls) {
    if (Callable called(calls); called.is_there()) to.methods[name] = called;
}

// The types that C++ would give a literal of this value, the likeliest first.
static std::vector<Natural> naturals_of(const Value &value) {
    switch (value.kind) {
    case Kind::boolean: return {bool_literal};
    case Kind::integer:
        if (value.text.empty() && value.magnitude <= std::numeric_limits<int>::max()) return {int_literal, long_literal, any_value};
        return {long_literal, any_value};
    case Kind::real: return {real_literal};
    case Kind::text:
        if (value.text.size() == 1) return {text_literal, c_text, char_literal};
        return {text_literal, c_text};
    case Kind::list: case Kind::tuple: case Kind::set: return {list_value, any_value};
    case Kind::dict: return {dict_value, any_value};
    default: return {object_value, any_value};
    }
}

[[noreturn]] static void refuse_choice() { throw Refused{"keur cannot tell which overload takes these arguments", true}; }

Call chosen(const OneNatural &calls, Value *const *given) {
    for (Natural first : naturals_of(*given[0])) {
        if (Call call = calls.of[first]) return call;
    }
    refuse_choice();
}

Call chosen(const TwoNaturals &calls, Value *const *given) {
    for (Natural first : naturals_of(*given[0])) {
        for (Natural second : naturals_of(*given[1])) {
            if (Call call = calls.of[first * naturals + second]) return call;
        }
    }
    refuse_choice();
}

void refuse_calls(Library &library, const char *name, const char *why) {
    if (auto [entry, is_new] = library.functions.try_emplace(name); is_new) entry->second.refuse(why);
}

void refuse_calls(Library &library, const char *name, const std::type_info &own, const char *declared) {
    std::string why = "its type is `" + name_of(own) + "`, and `" + declared + "` is asked";
    refuse_calls(library, name, why.c_str());
}

void refuse_calls(Class &to, const char *name, const char *why) {
    if (auto [entry, is_new] = to.methods.try_emplace(name); is_new) entry->second.refuse(why);
}

void refuse_class(Library &library, const char *name, const char *why) {
    static const Type no_type{&typeid(void), nullptr, nullptr, nullptr, nullptr, nullptr, [](const Type &, const void *) -> void * { return nullptr; }};
    static const Described none{&no_type};
    Class &added = library.classes[name];
    added.described = &none;
    added.construct.refuse(why);
}

void list_overloads(Library &library, const char *name, const char *all) { library.overloads[name] = all; }

void add_attribute(Class &to, const char *name, void (*get)(void *object, Value &result),
                   void (*set)(void *object, const Value &value)) {
    to.attributes[name] = {get, set};
}

} // namespace keur
