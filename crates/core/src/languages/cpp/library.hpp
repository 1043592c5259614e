// The functions and classes of a submission, as its library lists them. A part of driver.cpp.
#pragma once

#include "values.hpp"

#include <map>
#include <optional>
#include <set>

namespace keur {

using Arguments = std::vector<Value *>;

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

    void add(std::size_t count, Call call, const void *target) {
        why.clear();
        listed.push_back({count, call, target});
    }

    // Calls the first that is listed for so many arguments and takes these.
    Value operator()(void *object, const Arguments &given) const {
        std::optional<Refused> refused;
        for (const Listed &one : listed) {
            if (one.count != given.size()) continue;
            try {
                return one.called(object, given);
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
