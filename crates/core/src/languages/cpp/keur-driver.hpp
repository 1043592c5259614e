// What the library of a submission and keur's driver give each other. Nothing here is a template: what is declared here is
// defined in the driver, so that a library holds no code of it. A part of keur.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <typeinfo>

// What needs C++20: code that is there for constants only, and a lambda of a type that captures nothing.
#if __cplusplus >= 202002L
#define KEUR_CONSTEVAL consteval
#define KEUR_LAMBDA(F) F{}
#else
#define KEUR_CONSTEVAL constexpr
#define KEUR_LAMBDA(F) reinterpret_cast<const F &>(::keur::nothing)
#endif

namespace keur {

#if __cplusplus < 202002L
inline const char nothing = 0;
#endif

// ---- types -----------------------------------------------------------------------------------------------------------

// A type of the submission: what can be asked of an object of it.
struct Type {
    const std::type_info *info;
    // Prints the object; no function if it has no text.
    void (*print)(std::ostream &out, const void *object);
    // Whether one is equal to the other, or less; no function if they are not compared.
    bool (*equal)(const void *left, const void *right);
    bool (*less)(const void *left, const void *right);
    // Throws a pointer to the object; its exact type; the part of an object of another type that is of this type, or null.
    void (*throws)(const void *object);
    const std::type_info &(*exact)(const void *object);
    void *(*part)(const Type &other, const void *object);
};

// ---- values ----------------------------------------------------------------------------------------------------------

enum class Kind { none, undefined, boolean, integer, real, text, list, tuple, set, dict, object };

// A value of a call, or an object of the submission.
struct Value;

// Thrown when a value is not one that a parameter takes: says which, without the name of the parameter.
struct Refused {
    std::string message;
    // Whether the call itself is refused, and not one of its arguments.
    bool is_call = false;
};

// Thrown by a call that sets `errno`.
struct SetErrno {
    std::string name, message;
};

// Throws it for this number.
[[noreturn]] void raise_errno(int number);

// Says that a value is none of a type.
[[noreturn]] void refuse(const Value &value, const std::type_info &type);

// Whether the submission has freed this memory, as far as a sanitizer knows.
bool is_freed(const void *first);

// The function in C whose result is read or freed, if one is: a fault is its own then.
struct Result {
    const void *of;
    bool is_read;
};
extern Result result;

// Thrown when a function in C says that an array has a length which it cannot have.
struct WrongLength {
    long long length;
    const void *function;
};

// A length up to the most.
std::size_t length_in(long long length, std::size_t most = std::string::npos);

// What a value is, or a refusal.
bool is_none(const Value &value);
bool is_set(const Value &value);
bool flag_in(const Value &value);
// An integer that fits into a type of this maximum, in the bits of that type.
std::uint64_t integer_in(const Value &value, std::uint64_t most, bool is_signed, const std::type_info &type);
long double real_in(const Value &value, const std::type_info &type);
// A single character up to the last one of a type.
char32_t character_in(const Value &value, char32_t last, const std::type_info &type);
const std::string &text_in(const Value &value, const std::type_info &type);
// The text itself, which the submission may change.
char *characters_in(Value &value);
// The number of items of a list, a tuple or a set; of keys and values of a dict.
std::size_t count_in(const Value &value, const std::type_info &type);
std::size_t dict_count_in(const Value &value, const std::type_info &type);
const Value &item_in(const Value &value, std::size_t place);
Value &item_in(Value &value, std::size_t place);
// The object of the submission that a value is, and what keeps it alive.
void *object_in(const Value &value, const Type &type);
const std::shared_ptr<void> &owner_of(const Value &value);

// Makes a value another one.
void write_none(Value &to);
void write_flag(Value &to, bool flag);
void write_signed(Value &to, std::int64_t integer);
void write_unsigned(Value &to, std::uint64_t integer);
void write_real(Value &to, double real);
void write_real(Value &to, float real);
void write_text(Value &to, const char *text);
void write_text(Value &to, const std::string &text);
void write_text(Value &to, std::string_view text);
void write_character(Value &to, char32_t code);
void write_object(Value &to, const void *object, const Type &type);
// A list, a tuple, a set or a dict without items, with room for some; another item of it, or key, or value.
void write_items(Value &to, Kind kind, std::size_t room = 0);
Value &add_item(Value &to);
// Keeps what the objects in a value lie in.
void keep(Value &value, const std::shared_ptr<void> &owner);
void keep(Value &value, void *owner, void (*destroy)(void *));

// ---- what a library has ----------------------------------------------------------------------------------------------

// Calls a function or a method with as many arguments as it is listed for. Which one, if one caller serves several,
// `target` tells.
using Call = void (*)(const void *target, void *object, Value *const *given, Value &result);

// What a parameter is, where the arguments tell which of several functions of one name is called.
enum class Parameter : unsigned char { boolean, integer, other_integer, real, text, character, reals, other };

// Calls with up to as many arguments as this are tried where the compiler chooses between overloads.
constexpr std::size_t most_arguments = 8;

// The calls for 0 to `most_arguments` arguments; null where there is none.
struct Calls {
    Call of[most_arguments + 1];
};

// The types that an argument may have in a call of overloads: those of a literal in C++, or any that a parameter has which
// takes a list, a dict, an object, or any value.
enum Natural : std::size_t {
    bool_literal, int_literal, long_literal, real_literal, text_literal, c_text, char_literal, list_value, dict_value, object_value,
    any_value, naturals
};

// The calls with an argument of each of these types, and with two; null where no overload suits it best.
struct OneNatural {
    Call of[naturals];
};
struct TwoNaturals {
    Call of[naturals * naturals];
};

// The call for these values, or a refusal.
Call chosen(const OneNatural &calls, Value *const *given);
Call chosen(const TwoNaturals &calls, Value *const *given);

// The operators of a class, as the driver names them in `operator_names`.
enum Operator : std::size_t { plus, minus, times, divided_by, modulo, subscript, operators };

// What is on the other side of an operator: an object of the same class, a number or a text.
enum Operand : std::size_t { same_class, integer_operand, real_operand, text_operand, operands };

using Operation = void (*)(void *object, const Value &operand, Value &result);

// What a class has besides methods and attributes; null where it has not.
struct Described {
    const Type *type;
    bool is_abstract;
    Calls construct;
    // The object is the left operand, or the right one.
    Operation left[operators][operands];
    Operation right[operators][operands];
    void (*negated)(void *object, Value &result);
    // What a loop meets.
    void (*items)(void *object, Value &result);
    void (*set_item[operands])(void *object, const Value &key, const Value &item);
};

// The functions and classes of a submission, by their names; filled by the glue.
struct Library;
struct Class;

Class &add_class(Library &library, const char *name, const Described &described);
// A function, or a method, for one number of arguments.
void add_call(Library &library, const char *name, std::size_t count, Call call, const void *target,
              const Parameter *parameters = nullptr);
void add_call(Class &to, const char *name, std::size_t count, Call call, const void *target);
// A method that needs no object.
void add_static_call(Class &to, const char *name, std::size_t count, Call call, const void *target);
// The same for each number of arguments for which there is one.
void add_calls(Class &to, const char *name, const Calls &calls);
// Refuses all calls, for this reason; of a method only if it is not known yet.
void refuse_calls(Library &library, const char *name, const char *why);
void refuse_calls(Library &library, const char *name, const std::type_info &own, const char *declared);
void refuse_calls(Class &to, const char *name, const char *why);
void refuse_class(Library &library, const char *name, const char *why);
// The functions of one name, for a message.
void list_overloads(Library &library, const char *name, const char *all);
// Public data; `set` is null if it is not assigned to.
void add_attribute(Class &to, const char *name, void (*get)(void *object, Value &result),
                   void (*set)(void *object, const Value &value));
// Public data of the class itself.
void add_static_data(Class &to, const char *name, void *data, void (*get)(void *data, Value &result),
                     void (*set)(void *data, const Value &value));

} // namespace keur
