// The functions and classes of a submission, as its library lists them. A part of driver.cpp.
#pragma once

#include "values.hpp"

#include <map>

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
        if (listed.size() <= count) listed.resize(count + 1);
        listed[count] = {call, target};
    }

    Value operator()(void *object, const Arguments &given) const {
        if (given.size() >= listed.size() || listed[given.size()].call == nullptr) throw Refused{refusal(given.size()), true};
        Value result;
        listed[given.size()].call(listed[given.size()].target, object, given.data(), result);
        return result;
    }

private:
    struct Listed {
        Call call = nullptr;
        const void *target = nullptr;
    };

    // By the number of arguments.
    std::vector<Listed> listed;
    // Why it cannot be called, if not for the number of arguments.
    std::string why;

    // Why it is not called with so many arguments.
    std::string refusal(std::size_t given) const {
        if (!why.empty()) return why;
        std::string counts;
        for (std::size_t count = 0; count < listed.size(); ++count) {
            if (listed[count].call != nullptr) counts += (counts.empty() ? "" : " or ") + std::to_string(count);
        }
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

struct Class {
    const Described *described = nullptr;
    Callable construct;
    std::map<std::string, Callable> methods;
    std::map<std::string, Attribute> attributes;
};

struct Library {
    std::map<std::string, Callable> functions;
    std::map<std::string, Class> classes;
    // The functions of one name, for the names that have several.
    std::map<std::string, std::string> overloads;
};

} // namespace keur
