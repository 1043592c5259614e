// What attributes, indexes, operators and the builtin functions of a line mean. Plain values mean what they mean in
// Python; of an object, its own operator, method or member counts. A part of driver.cpp.
#pragma once

#include "library.hpp"
#include "plain.hpp"

#include <array>

namespace keur {

// The names of `Operator`s in requests.
constexpr std::array<std::string_view, operators> operator_names{"+", "-", "*", "/", "%", "[]"};

class Operators {
public:
    explicit Operators(const Library &library) : library(library) {}

    // The class of an object; null if the exercise does not ask for it.
    const Class *class_of(const Value &value) const {
        if (value.kind != Kind::object) return nullptr;
        for (const auto &entry : library.classes) {
            if (entry.second.described->type == value.type) return &entry.second;
        }
        return nullptr;
    }

    // The class that a value is; null if it is none.
    const Class *class_itself(const Value &value) const {
        if (value.kind != Kind::object || value.type != &class_type) return nullptr;
        for (const auto &entry : library.classes) {
            if (entry.second.described->type == value.object) return &entry.second;
        }
        return nullptr;
    }

    // That an object has no method of this name, or no attribute.
    Missing lacks(const std::string &kind, const Value &on, const std::string &name) const {
        std::string whose = is_none(on) ? "std::nullopt" : brief(on);
        if (const Class *itself = class_itself(on)) whose = name_of(*itself->described->type);
        else if (on.kind == Kind::object) whose = name_of(*on.type);
        Missing missing{kind, name, whose, {}};
        if (const Class *type = class_of(on)) {
            if (kind == "attribute") for (const auto &entry : type->attributes) missing.near.push_back(entry.first);
            for (const auto &entry : type->methods) missing.near.push_back(entry.first);
        }
        return missing;
    }

    // The data of this name that belongs to the class which a value is; null if it is none, or has none.
    const StaticData *static_data(const Value &on, const std::string &name) const {
        const Class *itself = class_itself(on);
        if (itself == nullptr) return nullptr;
        auto found = itself->static_data.find(name);
        return found == itself->static_data.end() ? nullptr : &found->second;
    }

    Value attribute(const Value &on, const std::string &name) const {
        if (const StaticData *of_class = static_data(on, name)) {
            Value part;
            of_class->attribute.get(of_class->data, part);
            return part;
        }
        const Class *type = class_of(on);
        if (type == nullptr) throw lacks("attribute", on, name);
        auto found = type->attributes.find(name);
        if (found != type->attributes.end()) {
            Value part;
            found->second.get(on.object, part);
            return kept(std::move(part), on);
        }
        // A getter.
        bool is_method = false;
        for (const std::string &getter : accessors(name, {"get", "is"})) {
            auto method = type->methods.find(getter);
            if (method == type->methods.end()) continue;
            is_method = true;
            try {
                return kept(method->second(on.object, {}), on);
            } catch (const Refused &) {
                continue; // it takes arguments
            }
        }
        throw is_method ? Missing{"called", name, name_of(*on.type), {}} : lacks("attribute", on, name);
    }

    void set_attribute(const Value &on, const std::string &name, Value value) const {
        const StaticData *of_class = static_data(on, name);
        if (of_class != nullptr && of_class->attribute.set != nullptr) return of_class->attribute.set(of_class->data, value);
        const Class *type = class_of(on);
        if (type == nullptr) throw lacks("attribute", on, name);
        auto found = type->attributes.find(name);
        try {
            if (found != type->attributes.end() && found->second.set != nullptr) return found->second.set(on.object, value);
            for (const std::string &setter : accessors(name, {"set"})) {
                auto method = type->methods.find(setter);
                if (method == type->methods.end()) continue;
                method->second(on.object, {&value});
                return;
            }
        } catch (const Refused &refused) {
            throw Refused{name + ": " + refused.message, refused.is_call};
        }
        if (found == type->attributes.end()) throw lacks("attribute", on, name);
        throw std::invalid_argument("`" + name + "` cannot be assigned to");
    }

    // An item of a list or a dict, where it is.
    Value &item(Value &on, const Value &key) const {
        if (on.kind == Kind::dict) {
            for (std::size_t i = 0; i + 1 < on.items.size(); i += 2) {
                if (same(on.items[i], key)) return on.items[i + 1];
            }
            throw std::out_of_range(repr(key));
        }
        if (on.kind != Kind::list && on.kind != Kind::tuple) unsupported("items by index", on);
        return on.items[place(on.items.size(), key, "list")];
    }

    Value index(const Value &on, const Value &key) const {
        if (on.kind == Kind::object) return own("[]", on, key);
        if (on.kind != Kind::text) return item(const_cast<Value &>(on), key);
        std::u32string all = characters_of(on.text);
        return of_character(all[place(all.size(), key, "string")]);
    }

    void set_item(Value &on, const Value &key, const Value &value) const {
        if (const Class *type = class_of(on); on.kind == Kind::object) {
            Operand at = operand_of(key, on);
            if (type == nullptr || at == operands || type->described->set_item[at] == nullptr) throw lacks("method", on, "operator[]");
            type->described->set_item[at](on.object, key, value);
        } else if (on.kind == Kind::dict && !contains(key, on)) {
            on.items.push_back(key);
            on.items.push_back(value);
        } else item(on, key) = value;
    }

    Value slice(const Value &on, const Value &from, const Value &to, const Value &step) const {
        if (on.kind == Kind::object) throw lacks("method", on, "operator[]");
        if (on.kind != Kind::text && on.kind != Kind::list && on.kind != Kind::tuple) unsupported("slices", on);
        std::vector<Value> all = items(on), out;
        auto count = static_cast<Wide>(all.size());
        Wide by = step.kind == Kind::none ? 1 : index_of(step);
        if (by == 0) throw std::invalid_argument("slice step cannot be zero");
        Wide first = by < 0 ? -1 : 0, last = by < 0 ? count - 1 : count;
        auto bound = [&](const Value &at, Wide otherwise) {
            if (at.kind == Kind::none || at.kind == Kind::undefined) return otherwise;
            Wide place = index_of(at);
            return place < 0 ? std::max(place + count, first) : std::min(place, last);
        };
        Wide begin = bound(from, by < 0 ? last : first), end = bound(to, by < 0 ? first : last);
        for (Wide i = begin; by > 0 ? i < end : i > end; i += by) out.push_back(all[static_cast<std::size_t>(i)]);
        return on.kind == Kind::text ? joined(out) : of_items(on.kind, out);
    }

    // What a loop over the value meets.
    std::vector<Value> items(const Value &value) const {
        std::vector<Value> all;
        switch (value.kind) {
        case Kind::list: case Kind::tuple: case Kind::set: return value.items;
        case Kind::dict:
            for (std::size_t i = 0; i < value.items.size(); i += 2) all.push_back(value.items[i]);
            return all;
        case Kind::text:
            for (char32_t code : characters_of(value.text)) all.push_back(of_character(code));
            return all;
        case Kind::object:
            if (const Class *type = class_of(value); type != nullptr && type->described->items != nullptr) {
                Value list;
                type->described->items(value.object, list);
                return kept(std::move(list), value).items;
            }
            throw lacks("method", value, "begin");
        default: unsupported("items", value);
        }
    }

    // The items that are bound to so many names.
    std::vector<Value> unpacked(const Value &value, std::size_t count) const {
        std::vector<Value> all = items(value);
        std::string expected = "(expected " + std::to_string(count);
        if (all.size() > count) throw std::invalid_argument("too many values to unpack " + expected + ")");
        expected += ", got " + std::to_string(all.size());
        if (all.size() < count) throw std::invalid_argument("not enough values to unpack " + expected + ")");
        return all;
    }

    Value operation(const std::string &op, const std::vector<Value> &args) const {
        const Value &left = args.front(), &right = args.back();
        if (op == "==") return of_flag(equal(left, right));
        if (op == "!=") return of_flag(!equal(left, right));
        if (op == "<" || op == "<=" || op == ">" || op == ">=") return of_flag(compare(op, left, right));
        if (op == "in") return of_flag(contains(left, right));
        if (op == "not") return of_flag(!truth(left));
        if (op != "neg") return arithmetic(op, left, right);
        if (left.kind == Kind::object) return own("neg", left, left);
        if (!is_number(left)) unsupported("`-`", left);
        return is_whole(left) ? of_whole("-", -whole(left)) : of_real(-left.real);
    }

    Value builtin(const std::string &name, const std::vector<Value> &args) const {
        const Value &value = args.front();
        if (name == "len") return length(value);
        if (name == "str") return value.kind == Kind::text ? value : of_text(repr(value));
        if (name == "repr") return of_text(repr(value));
        if (name == "list") return of_items(Kind::list, items(value));
        if (name == "isinstance") return of_flag(is_instance(value, args.back()));
        if (name != "sorted") throw std::invalid_argument("a request has an unknown function");
        std::vector<Value> all = items(value);
        auto is_less = [&](const Value &left, const Value &right) { return compare("<", left, right); };
        std::stable_sort(all.begin(), all.end(), is_less);
        return of_items(Kind::list, all);
    }

private:
    const Library &library;

    // A part of an object, which it lies in.
    static Value kept(Value part, const Value &on) {
        keep(part, on.owner);
        return part;
    }

    // How the methods of an attribute may be called: `get_name`, `getName`, `name`.
    static std::vector<std::string> accessors(const std::string &name, std::initializer_list<std::string> words) {
        std::vector<std::string> all;
        for (const std::string &word : words) {
            all.push_back(word + "_" + name);
            all.push_back(word + name);
            char &first = all.back()[word.size()];
            first = static_cast<char>(std::toupper(static_cast<unsigned char>(first)));
        }
        all.push_back(name);
        return all;
    }

    static Wide index_of(const Value &value) {
        if (!is_whole(value)) throw std::invalid_argument("an index must be an integer, not " + brief(value));
        return whole(value);
    }

    static std::size_t place(std::size_t length, const Value &key, const char *what) {
        auto count = static_cast<Wide>(length);
        Wide at = index_of(key);
        if (at >= count || at < -count) throw std::out_of_range(std::string(what) + " index out of range");
        return static_cast<std::size_t>(at < 0 ? at + count : at);
    }

    static Value joined(const std::vector<Value> &texts) {
        Value text = of_text("");
        for (const Value &part : texts) text.text += part.text;
        return text;
    }

    // What a value is for an operator of an object's class; `operands` if that takes none like it.
    static Operand operand_of(const Value &value, const Value &object) {
        switch (value.kind) {
        case Kind::object: return value.type == object.type ? same_class : operands;
        case Kind::integer: return integer_operand;
        case Kind::real: return real_operand;
        case Kind::text: return text_operand;
        default: return operands;
        }
    }

    // What an operator of an object's class gives.
    Value own(const std::string &op, const Value &left, const Value &right) const {
        Value result;
        auto name = static_cast<std::size_t>(std::find(operator_names.begin(), operator_names.end(), op) - operator_names.begin());
        for (const Value *value : {&left, &right}) {
            const Class *type = class_of(*value);
            if (type == nullptr) continue;
            const Described &described = *type->described;
            if (op == "neg") {
                if (described.negated == nullptr) continue;
                described.negated(value->object, result);
                return kept(result, *value);
            }
            const Value &other = value == &left ? right : left;
            Operand operand = operand_of(other, *value);
            if (name == operators || operand == operands) continue;
            Operation operation = (value == &left ? described.left : described.right)[name][operand];
            if (operation == nullptr) continue;
            operation(value->object, other, result);
            return kept(result, *value);
        }
        throw lacks("method", left.kind == Kind::object ? left : right, "operator" + (op == "neg" ? "-" : op));
    }

    Value arithmetic(const std::string &op, const Value &left, const Value &right) const {
        if (left.kind == Kind::object || right.kind == Kind::object) return own(op, left, right);
        if (is_number(left) && is_number(right)) return number_result(op, left, right);
        bool is_list = left.kind == Kind::list || left.kind == Kind::tuple, is_text = left.kind == Kind::text;
        if (op == "+" && is_text && right.kind == Kind::text) return of_text(left.text + right.text);
        if (op == "+" && is_list && (right.kind == Kind::list || right.kind == Kind::tuple)) {
            Value list = left;
            list.items.insert(list.items.end(), right.items.begin(), right.items.end());
            return list;
        }
        if (op == "-" && left.kind == Kind::set && right.kind == Kind::set) {
            Value set = of_kind(Kind::set);
            for (const Value &item : left.items) {
                if (!contains(item, right)) set.items.push_back(item);
            }
            return set;
        }
        if (op == "*" && is_whole(left) && !is_number(right)) return arithmetic(op, right, left);
        if (op != "*" || !(is_list || is_text) || !is_whole(right)) {
            throw std::invalid_argument("`" + op + "` is not for " + brief(left) + " and " + brief(right));
        }
        constexpr Wide most = 1 << 28;
        Wide times = std::max<Wide>(whole(right), 0);
        auto length = static_cast<Wide>(left.items.size() + left.text.size());
        if (times * length > most) throw std::length_error("the result of `*` is too long");
        Value repeated = of_kind(left.kind);
        for (Wide i = 0; i < times && length > 0; ++i) {
            repeated.text += left.text;
            repeated.items.insert(repeated.items.end(), left.items.begin(), left.items.end());
        }
        return repeated;
    }

    bool same(const Value &left, const Value &right) const { return is_one(left, right) || equal(left, right); }

    bool equal(const Value &left, const Value &right) const {
        if (is_number(left) && is_number(right)) return order(left, right) == 0;
        if (kind_of(left) != kind_of(right)) return false;
        switch (left.kind) {
        case Kind::none: case Kind::undefined: return true;
        case Kind::text: return left.text == right.text;
        case Kind::object:
            if (left.type != right.type) return false;
            if (left.type == &class_type) return left.object == right.object;
            if (left.type->equal == nullptr) throw lacks("method", left, "operator==");
            return left.type->equal(left.object, right.object);
        default: break;
        }
        if (left.items.size() != right.items.size()) return false;
        for (std::size_t i = 0; i < left.items.size(); ++i) {
            const Value &item = left.items[i];
            bool has_other = left.kind == Kind::set ? contains(item, right) && contains(right.items[i], left)
                : left.kind != Kind::dict ? same(item, right.items[i])
                : i % 2 == 1 || (contains(item, right) && same(left.items[i + 1], index(right, item)));
            if (!has_other) return false;
        }
        return true;
    }

    // The kind as far as values can be compared: a tuple is a list.
    static Kind kind_of(const Value &value) {
        if (is_number(value)) return Kind::real;
        return value.kind == Kind::tuple ? Kind::list : value.kind == Kind::undefined ? Kind::none : value.kind;
    }

    bool compare(const std::string &op, const Value &left, const Value &right) const {
        if (is_number(left) && is_number(right)) return holds(op, order(left, right));
        if (left.kind == Kind::object || right.kind == Kind::object) {
            if (left.type != right.type || left.type->less == nullptr) {
                throw lacks("method", left.kind == Kind::object ? left : right, "operator<");
            }
            bool is_swapped = op == ">" || op == "<=";
            const Value &first = is_swapped ? right : left, &second = is_swapped ? left : right;
            return left.type->less(first.object, second.object) == (op.size() == 1);
        }
        Kind kind = kind_of(left);
        if (kind != kind_of(right) || (kind != Kind::text && kind != Kind::list && kind != Kind::set)) {
            throw std::invalid_argument("`" + op + "` is not for " + brief(left) + " and " + brief(right));
        }
        if (kind == Kind::text) return holds(op, characters_of(left.text) <=> characters_of(right.text));
        if (kind == Kind::set) {
            const Value &less = op[0] == '<' ? left : right, &more = op[0] == '<' ? right : left;
            auto has = [&](const Value &item) { return contains(item, more); };
            if (!std::all_of(less.items.begin(), less.items.end(), has)) return false;
            return op.size() == 2 || less.items.size() != more.items.size();
        }
        for (std::size_t i = 0; i < left.items.size() && i < right.items.size(); ++i) {
            if (!same(left.items[i], right.items[i])) return compare(op, left.items[i], right.items[i]);
        }
        return holds(op, left.items.size() <=> right.items.size());
    }

    bool contains(const Value &item, const Value &on) const {
        if (on.kind == Kind::text) {
            if (item.kind != Kind::text) unsupported(brief(item) + " in it", on);
            return on.text.find(item.text) != std::string::npos;
        }
        if (const Class *type = class_of(on)) {
            auto found = type->methods.find("contains");
            Value given = item;
            if (found != type->methods.end()) return truth(found->second(on.object, {&given}));
            if (type->described->items == nullptr) throw lacks("method", on, "contains");
        }
        std::vector<Value> all = items(on);
        return std::any_of(all.begin(), all.end(), [&](const Value &other) { return same(other, item); });
    }

    static bool truth(const Value &value) {
        if (value.kind == Kind::object) return true;
        return is_number(value) ? real(value) != 0 : !value.text.empty() || !value.items.empty();
    }

    Value length(const Value &value) const {
        if (value.kind != Kind::object) return of_integer(false, items(value).size());
        if (const Class *type = class_of(value)) {
            for (const char *name : {"size", "length"}) {
                auto found = type->methods.find(name);
                if (found != type->methods.end()) return found->second(value.object, {});
            }
        }
        throw lacks("method", value, "size");
    }

    // Whether a value is of a class, or of one of several.
    bool is_instance(const Value &value, const Value &type) const {
        if (type.kind == Kind::object && type.type == &class_type) {
            if (value.kind != Kind::object || value.type == &class_type) return false;
            return includes(*static_cast<const Type *>(type.object), *value.type, value.object);
        }
        std::vector<Value> all = items(type);
        return std::any_of(all.begin(), all.end(), [&](const Value &one) { return is_instance(value, one); });
    }
};

} // namespace keur
