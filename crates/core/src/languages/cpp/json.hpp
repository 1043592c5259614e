// JSON, as the protocol has it. A part of driver.cpp.
#pragma once

#include "values.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace keur {

struct Member;

struct Json {
    enum class Type { null, boolean, number, text, array, object };
    Type type = Type::null;
    bool truth = false;
    // A text, or a number as it is written.
    std::string text;
    std::vector<Json> items;
    std::vector<Member> members;

    // A member of an object; null if there is none.
    const Json &operator[](std::string_view key) const;
    bool has(std::string_view key) const;

    bool is(Type other) const { return type == other; }
    bool is_true() const { return truth; }
};

// A member of an object.
struct Member {
    std::string name;
    Json value;
};

inline const Json &Json::operator[](std::string_view key) const {
    static const Json none;
    for (const Member &member : members) {
        if (member.name == key) return member.value;
    }
    return none;
}

inline bool Json::has(std::string_view key) const {
    return std::any_of(members.begin(), members.end(), [&](const Member &member) { return member.name == key; });
}

// What keur sends is well formed: anything else ends the driver.
class JsonReader {
public:
    explicit JsonReader(std::string_view source) : at(source.data()), end(source.data() + source.size()) {}

    Json value() {
        Json json;
        switch (next()) {
        case '{':
            json.type = Json::Type::object;
            while (!closes('}')) {
                std::string key = (expect('"'), string());
                expect(':');
                json.members.push_back({std::move(key), value()});
            }
            break;
        case '[':
            json.type = Json::Type::array;
            while (!closes(']')) json.items.push_back(value());
            break;
        case '"':
            json.type = Json::Type::text;
            json.text = string();
            break;
        case 't': json.type = Json::Type::boolean; json.truth = true; at += 3; break;
        case 'f': json.type = Json::Type::boolean; at += 4; break;
        case 'n': at += 3; break;
        default:
            json.type = Json::Type::number;
            for (--at; at < end && std::strchr("+-.eE0123456789", *at); ++at) json.text += *at;
            if (json.text.empty()) throw std::invalid_argument("a request is not JSON");
        }
        return json;
    }

private:
    const char *at, *end;

    char next() {
        while (at < end && std::strchr(" \t\r\n", *at)) ++at;
        if (at == end) throw std::invalid_argument("a request is not JSON");
        return *at++;
    }

    void expect(char wanted) {
        if (next() != wanted) throw std::invalid_argument("a request is not JSON");
    }

    // Whether a list or an object ends here; skips the comma before its next part.
    bool closes(char bracket) {
        char found = next();
        if (found != bracket && found != ',') --at;
        return found == bracket;
    }

    std::uint32_t unit() {
        std::uint32_t code = 0;
        for (int i = 0; i < 4 && at < end; ++i, ++at) {
            char digit = *at;
            code = code << 4 | static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
        }
        return code;
    }

    std::string string() {
        std::string text;
        while (at < end && *at != '"') {
            if (*at != '\\') { text += *at++; continue; }
            if (++at == end) break;
            switch (char escape = *at++) {
            case 'n': text += '\n'; break;
            case 't': text += '\t'; break;
            case 'r': text += '\r'; break;
            case 'b': text += '\b'; break;
            case 'f': text += '\f'; break;
            case 'u': {
                std::uint32_t code = unit();
                if (code >= 0xd800 && code < 0xdc00 && end - at > 6 && at[0] == '\\' && at[1] == 'u') {
                    at += 2;
                    code = 0x10000 + ((code - 0xd800) << 10) + (unit() - 0xdc00);
                }
                text += of_character(code).text;
                break;
            }
            default: text += escape;
            }
        }
        if (at++ == end) throw std::invalid_argument("a request is not JSON");
        return text;
    }
};

inline std::string quoted(std::string_view text) {
    static const char *digits = "0123456789abcdef";
    std::string out = "\"";
    for (char ch : text) {
        auto byte = static_cast<unsigned char>(ch);
        if (ch == '"' || ch == '\\') (out += '\\') += ch;
        else if (byte < 0x20) { out += "\\u00"; out += digits[byte >> 4]; out += digits[byte & 15]; }
        else out += ch;
    }
    return out += '"';
}

template <class Names> std::string quoted_list(const Names &names) {
    std::string out = "[";
    for (const auto &name : names) out += (out.size() > 1 ? "," : "") + quoted(name);
    return out += ']';
}

// Whether bytes are text in UTF-8.
inline bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto first = static_cast<unsigned char>(text[at++]);
        int more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
        if (more < 0) return false;
        std::uint32_t code = first & (0x7f >> (more + (more > 0)));
        for (int i = 0; i < more; ++i) {
            if (at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) return false;
            code = code << 6 | (static_cast<unsigned char>(text[at++]) & 63);
        }
        bool is_short = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
        if (is_short || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    }
    return true;
}

} // namespace keur
