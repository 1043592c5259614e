// Exchanges frames with keur, as docs/protocol.md has them. A part of driver.cpp.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <unistd.h>

// A submission finds none of these names.
namespace keur { namespace {

constexpr int channel = 3;
constexpr int unready = 96, unfiltered = 97;    // statuses of a process that could not be confined
constexpr int fault = 99;                       // the status after a fault that a sanitizer found

// The number of the request that is being answered.
char nonce[8];

bool read_all(void *to, std::size_t size) {
    auto *at = static_cast<char *>(to);
    while (size > 0) {
        ssize_t count = read(channel, at, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

void write_all(int to, const char *at, std::size_t size) {
    while (size > 0) {
        ssize_t count = write(to, at, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(unready);
        at += count;
        size -= static_cast<std::size_t>(count);
    }
}

void reply(const std::string &content) {
    std::string frame(12, '\0');
    auto length = static_cast<std::uint32_t>(content.size() + 2);
    std::memcpy(frame.data(), &length, 4);
    std::memcpy(frame.data() + 4, nonce, 8);
    frame += '{' + content + '}';
    write_all(channel, frame.data(), frame.size());
}

bool request(std::string &payload) {
    char header[12];
    if (!read_all(header, sizeof header)) return false;
    std::uint32_t length;
    std::memcpy(&length, header, 4);
    std::memcpy(nonce, header + 4, 8);
    payload.resize(length);
    return read_all(payload.data(), length);
}

} } // namespace keur
