// The lines of a case, run on a submission. A part of driver.cpp.
#pragma once

#include "leaks.hpp"
#include "operators.hpp"

#include <functional>

namespace keur {

constexpr std::size_t most_depth = 40;          // levels of nesting in a value
constexpr std::size_t most_values = 20'000;     // values in one reply
constexpr std::size_t most_bytes = 1 << 20;     // bytes of one value in a reply
constexpr std::size_t most_message = 4'000;     // characters of an exception's message
constexpr std::size_t most_shown = 1'000;       // characters of a value as its own text shows it
constexpr std::uint64_t most_plain = std::uint64_t(1) << 53; // integers up to here are plain JSON numbers

// A value that is larger than a reply may be.
struct Cut {
    const char *why;
};

inline Value integer_in(std::string_view hex) {
    bool negative = !hex.empty() && hex[0] == '-';
    hex.remove_prefix(negative ? 3 : 2);
    std::uint64_t magnitude = 0;
    if (hex.size() > 16) {
        Value wide = of_integer(negative, 1);
        wide.text = (negative ? "-0x" : "0x") + std::string(hex);
        return wide;
    }
    std::from_chars(hex.data(), hex.data() + hex.size(), magnitude, 16);
    return of_integer(negative, magnitude);
}

inline Value literal(const Json &json) {
    switch (json.type) {
    case Json::Type::null: return {};
    case Json::Type::boolean: {
        Value flag = of_kind(Kind::boolean);
        flag.flag = json.truth;
        return flag;
    }
    case Json::Type::number: {
        bool negative = json.text[0] == '-';
        std::uint64_t magnitude = 0;
        std::from_chars(json.text.data() + negative, json.text.data() + json.text.size(), magnitude);
        return of_integer(negative, magnitude);
    }
    case Json::Type::text: return of_text(json.text);
    case Json::Type::array: break;
    case Json::Type::object: {
        if (json.members.empty()) break;
        const auto &[key, content] = json.members[0];
        if (key == "undefined") return of_kind(Kind::undefined);
        if (key == "int" || key == "bigint") return integer_in(content.text);
        if (key == "float" || key == "number") {
            Value real = of_kind(Kind::real);
            real.real = std::strtod(content.text.c_str(), nullptr);
            return real;
        }
        if (key == "units") {
            std::string text;
            for (const Json &unit : content.items) text += of_character(static_cast<std::uint32_t>(std::stoul(unit.text))).text;
            return of_text(text);
        }
        Value items = of_kind(key == "list" ? Kind::list : key == "tuple" ? Kind::tuple : key == "set" ? Kind::set : Kind::dict);
        for (const Json &item : content.items) {
            if (key != "dict") items.items.push_back(literal(item));
            else for (const Json &part : item.items) items.items.push_back(literal(part));
        }
        return items;
    }
    }
    throw std::invalid_argument("a request has an unknown value");
}

// The names that a case has bound so far, and the calls on a submission.
class Session {
public:
    explicit Session(const Library &library) : library(library), operators(library) {}

    void set_views(const Json &json) { views = json; }

    // Ends the objects that nothing refers to any more.
    void end_unreached() { keur::end_unreached(kept); }

    // Runs the line of a `run` request; gives the parts of the reply.
    std::string run(const Json &request) {
        Value storage;
        Value *found = evaluated(request["expr"], storage);
        Value value = *found;
        kept.push_back(value.owner);
        std::string reply = "\"done\":true";
        if (request["value"].is_true()) {
            reply += ",\"value\":" + (request.has("view") ? seen(value, request["view"]) : encoded(value));
        }
        if (request["text"].is_true()) reply += ",\"text\":" + encoded(of_text(text_of(value)));
        if (request["types"].is_true()) {
            std::vector<std::string> types;
            if (value.kind == Kind::object) types.push_back(name_of(*value.type));
            reply += ",\"types\":" + quoted_list(types);
        }
        if (request["shown"].is_true()) {
            bool has_text = value.kind == Kind::object && value.type->print != nullptr;
            std::string shown = has_text ? printed(value) : brief(value);
            reply += ",\"shown\":" + quoted(is_utf8(shown.substr(0, most_shown)) ? shown.substr(0, most_shown) : brief(value));
        }
        std::vector<std::string> same;
        for (const auto &[name, other] : names) {
            if (is_one(value, other)) same.push_back(name);
        }
        if (!same.empty()) reply += ",\"is\":" + quoted_list(same);
        put(request, std::move(value));
        return reply;
    }

private:
    const Library &library;
    Operators operators;
    Json views;
    std::map<std::string, Value> names;
    // Objects that no name refers to any more: a reference to one may be left.
    std::vector<std::shared_ptr<void>> kept;

    // Puts a value where the request says: to a name, its items to several, or to an attribute or an item.
    void put(const Json &request, Value value) {
        const Json &bind = request["bind"];
        if (request.has("set")) set(request["set"], value);
        else if (bind.is(Json::Type::text)) names[bind.text] = std::move(value);
        else if (bind.is(Json::Type::array)) {
            std::vector<Value> items = operators.unpacked(value, bind.items.size());
            for (std::size_t i = 0; i < items.size(); ++i) names[bind.items[i].text] = std::move(items[i]);
        }
    }

    void set(const Json &place, const Value &value) {
        if (place.has("get")) {
            Value storage;
            Value *on = evaluated(place["on"], storage);
            kept.push_back(on->owner);
            operators.set_attribute(*on, place["get"].text, value);
        } else {
            Value storage;
            Value key = *evaluated(place["index"], storage);
            change(place["on"], [&](Value &on) { operators.set_item(on, key, value); });
        }
    }

    // Changes the value of an expression where it is: that of a name, of an attribute, or of an item of one of these.
    void change(const Json &expr, const std::function<void(Value &)> &by) {
        Value storage;
        if (expr.has("index")) {
            Value key = *evaluated(expr["index"], storage);
            change(expr["on"], [&](Value &on) {
                if (on.kind != Kind::object) return by(operators.item(on, key));
                Value item = operators.index(on, key);
                by(item);
                if (item.kind != Kind::object) operators.set_item(on, key, item);
            });
        } else if (expr.has("get")) {
            Value *on = evaluated(expr["on"], storage);
            Value part = operators.attribute(*on, expr["get"].text);
            by(part);
            if (part.kind != Kind::object) operators.set_attribute(*on, expr["get"].text, part);
        } else by(*evaluated(expr, storage));
    }

    // The value of an expression: where it is bound, if it is a name, else in `storage`.
    Value *evaluated(const Json &expr, Value &storage) {
        if (expr.has("name")) {
            const std::string &name = expr["name"].text;
            auto found = names.find(name);
            if (found == names.end()) throw Missing{"definition", name, "", {}};
            return &found->second;
        }
        storage = value_of(expr);
        return &storage;
    }

    Value value_of(const Json &expr) {
        if (expr.has("literal")) return literal(expr["literal"]);
        if (expr.has("new")) {
            const std::string &name = expr["new"].text;
            auto found = library.classes.find(name);
            if (found == library.classes.end()) throw Missing{"definition", name, "", {}};
            return called(name, expr["args"], found->second.construct, nullptr);
        }
        if (expr.has("call")) {
            const std::string &name = expr["call"].text;
            auto found = library.functions.find(name);
            if (found == library.functions.end()) throw Missing{"definition", name, "", {}};
            auto overloads = library.overloads.find(name);
            return called(name, expr["args"], found->second, nullptr, overloads == library.overloads.end() ? "" : "; there is " + overloads->second);
        }
        if (expr.has("method")) return method(expr);
        if (expr.has("op")) return operators.operation(expr["op"].text, each_of(expr["args"]));
        if (expr.has("builtin")) return operators.builtin(expr["builtin"].text, each_of(expr["args"]));
        if (expr.has("class")) {
            const std::string &name = expr["class"].text;
            auto found = library.classes.find(name);
            if (found == library.classes.end()) throw Missing{"definition", name, "", {}};
            return of_class(found->second.described->type);
        }
        if (expr.has("get") || expr.has("index") || expr.has("slice")) return part(expr);
        if (expr.has("text")) {
            Value storage;
            return of_text(text_of(*evaluated(expr["text"], storage)));
        }
        for (auto [key, kind] : {std::pair("list", Kind::list), std::pair("tuple", Kind::tuple), std::pair("set", Kind::set)}) {
            if (!expr.has(key)) continue;
            return of_items(kind, each_of(expr[key]));
        }
        if (expr.has("dict")) {
            Value dict = of_kind(Kind::dict);
            for (const Json &pair : expr["dict"].items) {
                for (Value &part : each_of(pair)) dict.items.push_back(std::move(part));
            }
            return dict;
        }
        throw std::invalid_argument("a request has an unknown expression");
    }

    // The values of expressions; none for one that is left out.
    std::vector<Value> each_of(const Json &exprs) {
        std::vector<Value> values;
        for (const Json &expr : exprs.items) {
            Value storage;
            values.push_back(expr.is(Json::Type::null) ? Value() : *evaluated(expr, storage));
        }
        return values;
    }

    // An attribute, an item or a slice.
    Value part(const Json &expr) {
        Value storage;
        Value *on = evaluated(expr["on"], storage);
        kept.push_back(on->owner);
        if (expr.has("get")) return operators.attribute(*on, expr["get"].text);
        if (expr.has("slice")) {
            std::vector<Value> bounds = each_of(expr["slice"]);
            return operators.slice(*on, bounds.at(0), bounds.at(1), bounds.at(2));
        }
        Value key;
        return operators.index(*on, *evaluated(expr["index"], key));
    }

    Value method(const Json &expr) {
        Value storage;
        Value *on = evaluated(expr["on"], storage);
        const std::string &name = expr["method"].text;
        kept.push_back(on->owner);
        const Class *itself = operators.class_itself(*on), *type = itself != nullptr ? itself : operators.class_of(*on);
        if (type == nullptr) throw operators.lacks("method", *on, name);
        const auto &methods = itself != nullptr ? itself->static_methods : type->methods;
        auto found = methods.find(name);
        if (found == methods.end()) throw operators.lacks("method", *on, name);
        return called(name, expr["args"], found->second, on->object);
    }

    Value called(const std::string &name, const Json &args, const Callable &callable, void *object, const std::string &others = "") {
        std::vector<Value> storage(args.items.size());
        Arguments given;
        for (std::size_t i = 0; i < args.items.size(); ++i) {
            given.push_back(evaluated(args.items[i]["value"], storage[i]));
            kept.push_back(given.back()->owner);
        }
        // An argument that is left out at the end is not there at all.
        while (!given.empty() && given.back()->kind == Kind::undefined) given.pop_back();
        try {
            return callable(object, given);
        } catch (Refused &refused) {
            throw Refused{name + ": " + refused.message + (refused.is_call ? others : ""), refused.is_call};
        }
    }

    // What a view says of a value.
    std::string seen(const Value &value, const Json &view) {
        std::size_t values = 0;
        std::string out;
        try {
            seen(value, view, out, values, 0);
            return out;
        } catch (const Cut &cut) {
            names.erase("it");
            return std::string("{\"cut\":\"") + cut.why + "\"}";
        }
    }

    void seen(const Value &value, const Json &view, std::string &out, std::size_t &values, std::size_t depth) {
        bool is_list = value.kind == Kind::list || value.kind == Kind::tuple;
        if (view["each"].is_true()) {
            if (!is_list) return encode(value, out, values, depth);
            out += "{\"list\":[";
            for (std::size_t i = 0; i < value.items.size(); ++i) {
                if (i > 0) out += ',';
                parts(value.items[i], view, out, values, depth + 1);
            }
            out += "]}";
        } else parts(value, view, out, values, depth);
    }

    void parts(const Value &value, const Json &view, std::string &out, std::size_t &values, std::size_t depth) {
        if (depth >= most_depth) { out += "{\"cut\":\"depth\"}"; return; }
        auto before = names.find("it") == names.end() ? Value() : names["it"];
        out += "{\"list\":[";
        const char *comma = "";
        for (const Json &part : view["parts"].items) {
            out += comma;
            comma = ",";
            names["it"] = value;
            Value storage;
            Value item = *evaluated(part["expr"], storage);
            if (part.has("view")) seen(item, part["view"], out, values, depth + 1);
            else encode(item, out, values, depth + 1);
        }
        out += "]}";
        if (before.kind == Kind::none) names.erase("it");
        else names["it"] = before;
    }

    std::string encoded(const Value &value) {
        std::string out;
        std::size_t values = 0;
        try {
            encode(value, out, values, 0);
            return out;
        } catch (const Cut &cut) {
            return std::string("{\"cut\":\"") + cut.why + "\"}";
        }
    }

    void encode(const Value &value, std::string &out, std::size_t &values, std::size_t depth) {
        if (++values > most_values || out.size() > most_bytes || value.text.size() > most_bytes) throw Cut{"size"};
        switch (value.kind) {
        case Kind::none: case Kind::undefined: out += "null"; return;
        case Kind::boolean: out += value.flag ? "true" : "false"; return;
        case Kind::integer: return integer(value, out);
        case Kind::real: return real(value.real, out);
        case Kind::text:
            if (is_utf8(value.text)) out += quoted(value.text);
            else out += "{\"object\":\"std::string\"}";
            return;
        case Kind::list: return items("list", value, out, values, depth);
        case Kind::tuple: return items("list", value, out, values, depth);
        case Kind::set: return items("set", value, out, values, depth);
        case Kind::dict: return items("dict", value, out, values, depth);
        case Kind::object:
            if (std::string name = name_of(*value.type); views.has(name)) seen(value, views[name], out, values, depth);
            else out += "{\"object\":" + quoted(name) + "}";
        }
    }

    void integer(const Value &value, std::string &out) {
        if (is_wide(value)) { out += "{\"int\":" + quoted(value.text) + "}"; return; }
        if (value.magnitude <= most_plain) { out += (value.flag ? "-" : "") + std::to_string(value.magnitude); return; }
        char digits[20];
        auto end = std::to_chars(digits, digits + sizeof digits, value.magnitude, 16).ptr;
        out += std::string("{\"int\":\"") + (value.flag ? "-0x" : "0x") + std::string(digits, end) + "\"}";
    }

    void real(double value, std::string &out) {
        char digits[40];
        auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        std::string text = std::isnan(value) ? "nan" : std::isinf(value) ? (value < 0 ? "-inf" : "inf") : std::string(digits, end);
        if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
        out += "{\"float\":\"" + text + "\"}";
    }

    void items(const char *key, const Value &value, std::string &out, std::size_t &values, std::size_t depth) {
        if (depth >= most_depth) { out += "{\"cut\":\"depth\"}"; return; }
        bool is_dict = value.kind == Kind::dict;
        out += std::string("{\"") + key + "\":[";
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            if (i > 0) out += ',';
            if (is_dict && i % 2 == 0) out += '[';
            encode(value.items[i], out, values, depth + 1);
            if (is_dict && i % 2 == 0) {
                out += ',';
                encode(value.items[++i], out, values, depth + 1);
                out += ']';
            }
        }
        out += "]}";
    }
};

} // namespace keur
