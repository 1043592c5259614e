// The fork server: forks a child for each case, and tells how it ended. A part of driver.cpp.
#pragma once

#include "frames.hpp"
#include "input.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <vector>

// A submission finds none of these names.
namespace keur { namespace {

constexpr std::size_t most_request = 1 << 16;

// Receives a message on descriptor 3, with its descriptors.
std::string receive(std::vector<int> &descriptors) {
    static char bytes[most_request];
    alignas(cmsghdr) char space[CMSG_SPACE(3 * sizeof(int))];
    iovec part{bytes, sizeof bytes};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = space;
    header.msg_controllen = sizeof space;
    ssize_t count;
    do count = recvmsg(channel, &header, 0);
    while (count < 0 && errno == EINTR);
    descriptors.clear();
    for (cmsghdr *found = CMSG_FIRSTHDR(&header); found != nullptr; found = CMSG_NXTHDR(&header, found)) {
        if (found->cmsg_level != SOL_SOCKET || found->cmsg_type != SCM_RIGHTS) continue;
        std::size_t size = found->cmsg_len - CMSG_LEN(0);
        descriptors.resize(size / sizeof(int));
        std::memcpy(descriptors.data(), CMSG_DATA(found), size);
    }
    return std::string(bytes, count > 0 ? static_cast<std::size_t>(count) : 0);
}

// Sends a message on descriptor 3, with a descriptor unless that is negative.
void send(const std::string &message, int descriptor) {
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    iovec part{const_cast<char *>(message.data()), message.size()};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptor >= 0) {
        header.msg_control = space;
        header.msg_controllen = sizeof space;
        cmsghdr *given = CMSG_FIRSTHDR(&header);
        given->cmsg_level = SOL_SOCKET;
        given->cmsg_type = SCM_RIGHTS;
        given->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(given), &descriptor, sizeof(int));
    }
    if (sendmsg(channel, &header, MSG_NOSIGNAL) < 0) _exit(0);
}

template <class T> T number(const std::string &message, std::size_t at) {
    T value{};
    if (at + sizeof value <= message.size()) std::memcpy(&value, message.data() + at, sizeof value);
    return value;
}

template <class T> void put(std::string &message, T value) { message.append(reinterpret_cast<const char *>(&value), sizeof value); }

// Forks a child for each request, and tells how each ended; returns in a child, which is confined.
void serve_forks() {
    std::vector<int> descriptors;
    std::string message = receive(descriptors);
    auto names = number<std::uint32_t>(message, 0), offsets = number<std::uint32_t>(message, 4);
    std::string patches = message.substr(8 + names, 4 * offsets), filter = message.substr(8 + names + 4 * offsets);
    send("R", -1);
    for (;;) {
        message = receive(descriptors);
        if (message.empty()) _exit(0);
        if (message[0] != 'F') {
            int status = 0;
            rusage usage{};
            wait4(number<std::int32_t>(message, 1), &status, 0, &usage);
            if (message[0] == 'W') {
                std::string dead = "X";
                put<std::int32_t>(dead, status);
                put<std::int64_t>(dead, usage.ru_utime.tv_sec * 1'000'000L + usage.ru_utime.tv_usec);
                put<std::int64_t>(dead, usage.ru_stime.tv_sec * 1'000'000L + usage.ru_stime.tv_usec);
                put<std::int64_t>(dead, usage.ru_maxrss);
                send(dead, -1);
            }
            continue;
        }
        pid_t child = fork();
        if (child == 0) break;
        int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
        std::string born = "P";
        put<std::int32_t>(born, child);
        send(born, handle);
        close(handle);
        for (int descriptor : descriptors) close(descriptor);
    }
    if (descriptors.size() != 3 || dup2(descriptors[1], 1) < 0 || dup2(descriptors[2], 2) < 0 || dup2(descriptors[0], channel) < 0) {
        _exit(unready);
    }
    for (int descriptor = 4; descriptor < 64; ++descriptor) close(descriptor);
    auto limits = number<std::uint32_t>(message, 1);
    for (std::uint32_t i = 0; i < limits; ++i) {
        auto most = number<std::uint64_t>(message, 5 + 12 * i + 4);
        rlimit limit{most, most};
        if (setrlimit(static_cast<__rlimit_resource_t>(number<std::uint32_t>(message, 5 + 12 * i)), &limit) != 0) _exit(unready);
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) _exit(unready);
    // Keur's own filter forbids another one.
    if (!watch_input(filter.empty())) _exit(unfiltered);
    if (filter.empty()) return;
    std::uint32_t own = static_cast<std::uint32_t>(getpid());
    for (std::uint32_t i = 0; i < offsets; ++i) std::memcpy(filter.data() + number<std::uint32_t>(patches, 4 * i), &own, 4);
    sock_fprog program{static_cast<unsigned short>(filter.size() / 8), reinterpret_cast<sock_filter *>(filter.data())};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) _exit(unfiltered);
}

} } // namespace keur
