// The functions and classes of a submission, as its library lists them. A part of driver.cpp.
#pragma once

#include "values.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

namespace keur {

using Arguments = std::vector<Value *>;

// How far a value is from a parameter, as C++ converts a literal of it.
inline unsigned distance_to(Parameter parameter, Kind kind) {
    using P = Parameter;
    auto place = [&](std::initializer_list<P> order) {
        return static_cast<unsigned>(std::find(order.begin(), order.end(), parameter) - order.begin());
    };
    switch (kind) {
    case Kind::boolean: return place({P::boolean, P::integer, P::other_integer, P::real});
    case Kind::integer: return place({P::integer, P::other_integer, P::real});
    case Kind::real: return place({P::real});
    case Kind::text: return place({P::text, P::other, P::character});
    default: return parameter == P::reals ? 1 : 0;
    }
}

// What is called with arguments, and with how many.
class Callable {
public:
    Callable() = default;

    explicit Callable(const Calls &calls) {
        for (std::size_t count = 0; count <= most_arguments; ++count) {
            if (calls.of[count] != nullptr) add(count, calls.of[count], nullptr);
        }
    }

    // Whether it is called with any number of arguments.
    bool is_there() const { return !listed.empty(); }

    // Refuses all calls, for this reason.
    void refuse(const char *reason) {
        listed.clear();
        why = reason;
    }

    void add(std::size_t count, Call call, const void *target, const Parameter *parameters = nullptr) {
        why.clear();
        listed.push_back({count, call, target, parameters});
    }

    // Calls the one for so many arguments that suits these best and takes them.
    Value operator()(void *object, const Arguments &given) const {
        std::vector<const Listed *> all;
        for (const Listed &one : listed) {
            if (one.count == given.size()) all.push_back(&one);
        }
        auto suits_better = [&](const Listed *left, const Listed *right) { return left->distance(given) < right->distance(given); };
        std::stable_sort(all.begin(), all.end(), suits_better);
        std::optional<Refused> refused;
        for (const Listed *one : all) {
            try {
                return one->called(object, given);
            } catch (const Refused &why) {
                refused = refused ? Refused{"no overload takes these arguments", true} : why;
            }
        }
        throw refused ? *refused : Refused{refusal(given.size()), true};
    }

private:
    struct Listed {
        std::size_t count;
        Call call;
        const void *target;
        // Null if they are not known.
        const Parameter *parameters;

        // How far the arguments are from what the parameters are.
        unsigned distance(const Arguments &given) const {
            unsigned sum = 0;
            for (std::size_t i = 0; parameters != nullptr && i < given.size(); ++i) sum += distance_to(parameters[i], given[i]->kind);
            return sum;
        }

        Value called(void *object, const Arguments &given) const {
            Value result;
            call(target, object, given.data(), result);
            return result;
        }
    };

    std::vector<Listed> listed;
    // Why it cannot be called, if not for the number of arguments.
    std::string why;

    // Why it is not called with so many arguments.
    std::string refusal(std::size_t given) const {
        if (!why.empty()) return why;
        std::set<std::size_t> numbers;
        for (const Listed &one : listed) numbers.insert(one.count);
        std::string counts;
        for (std::size_t count : numbers) counts += (counts.empty() ? "" : " or ") + std::to_string(count);
        std::string number = std::to_string(given);
        if (counts.empty()) return "nothing that keur can call takes " + number + (given == 1 ? " argument" : " arguments");
        return "it takes " + counts + (counts == "1" ? " argument" : " arguments") + ", not " + number;
    }
};

struct Attribute {
    void (*get)(void *object, Value &result);
    // Null if it is not assigned to.
    void (*set)(void *object, const Value &value);
};

// Data of a class itself, and where it is.
struct StaticData {
    Attribute attribute;
    void *data;
};

struct Class {
    const Described *described = nullptr;
    Callable construct;
    std::map<std::string, Callable> methods;
    std::map<std::string, Attribute> attributes;
    // What belongs to the class itself.
    std::map<std::string, Callable> static_methods;
    std::map<std::string, StaticData> static_data;
};

struct Library {
    std::map<std::string, Callable> functions;
    std::map<std::string, Class> classes;
    // The functions of one name, for the names that have several.
    std::map<std::string, std::string> overloads;
};

} // namespace keur
