// What the calls of functions in C are compiled with: copies of arrays and texts, each exactly as large as it is, so that a
// sanitizer sees an index past its end. Nothing here frees them: the functions of a submission may.
#pragma once

#include "keur.hpp"

#include <cerrno>

namespace keur_c {

template <class T> T *room(std::size_t count, int fill = 0) {
    auto *items = static_cast<T *>(std::malloc(count * sizeof(T)));
    std::memset(items, fill, count * sizeof(T));
    return items;
}

template <class T> T *copy_of(const std::vector<T> &items) {
    T *copy = room<T>(items.size());
    std::copy(items.begin(), items.end(), copy);
    return copy;
}

inline char *copy_of(const std::string &text) {
    char *copy = room<char>(text.size() + 1);
    std::copy(text.begin(), text.end(), copy);
    return copy;
}

inline char **copy_of(const std::vector<std::string> &texts) {
    char **copy = room<char *>(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) copy[i] = copy_of(texts[i]);
    return copy;
}

// While keur reads the result of a function, and frees it after that.
struct Reading {
    explicit Reading(const void *function) { keur::result = {function, true}; }
    ~Reading() { keur::result = {}; }
    static void ends() { keur::result.is_read = false; }
};

inline std::optional<std::string> text_of(const char *text) {
    if (text == nullptr) return std::nullopt;
    return text;
}

template <class T> std::vector<T> list_of(const T *first, long long length) {
    std::size_t count = keur::length_in(length);
    if (first == nullptr || count == 0) return {};
    return std::vector<T>(first, first + count);
}

inline std::string list_of(const char *first, long long length) {
    std::size_t count = keur::length_in(length);
    if (first == nullptr || count == 0) return {};
    return std::string(first, count);
}

inline std::vector<std::optional<std::string>> list_of(char *const *first, long long length) {
    std::vector<std::optional<std::string>> texts;
    std::size_t count = keur::length_in(length);
    for (std::size_t i = 0; first != nullptr && i < count; ++i) texts.push_back(text_of(first[i]));
    return texts;
}

// Puts a text where there is room for so many characters, with the last one.
inline void put_text(char *to, std::size_t room, const keur::Value &value, const std::type_info &type) {
    const std::string &text = keur::text_in(value, type);
    if (text.size() >= room) keur::refuse(value, type);
    std::memcpy(to, text.c_str(), text.size() + 1);
}

template <class T> void put_items(T *to, std::size_t count, const keur::Value &value, const std::type_info &type) {
    if (keur::count_in(value, type) != count) keur::refuse(value, type);
    for (std::size_t i = 0; i < count; ++i) to[i] = keur::read<T>(keur::item_in(value, i));
}

} // namespace keur_c
