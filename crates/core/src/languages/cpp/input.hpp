// The standard input of a submission. A part of driver.cpp.
//
// Descriptor 0 is an empty file. A filter of the kernel stops each read from it before it happens, and the process answers
// that itself: whatever the submission reads with, and at the moment at which it does.
#pragma once

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio_ext.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

namespace keur {

struct Input {
    std::string text;
    std::size_t at = 0;                     // what of it was read
    bool (*next)(std::string &text) = nullptr; // gets the text that follows, and gives whether there is one
    struct stat empty{};                    // the file on descriptor 0

    // Puts a text in place of what is left of an earlier one.
    void give(const std::string &given) {
        text = given;
        at = 0;
        __fpurge(stdin);
        std::clearerr(stdin);
        std::cin.clear();
    }

    // Gives the number of bytes that were read, or an error below zero, as the system does.
    ssize_t read(char *to, std::size_t size) {
        struct stat found{};
        if (fstat(0, &found) != 0 || found.st_ino != empty.st_ino || found.st_dev != empty.st_dev) {
            // The submission has opened another file in its place. The filter leaves this call alone.
            iovec part{to, size};
            ssize_t count = readv(0, &part, 1);
            return count < 0 ? -errno : count;
        }
        while (at == text.size()) {
            at = 0;
            text.clear();
            if (next == nullptr || !next(text)) return 0;
        }
        std::size_t count = std::min(size, text.size() - at);
        std::memcpy(to, text.data() + at, count);
        at += count;
        return static_cast<ssize_t>(count);
    }
};

inline Input input;

// Answers a read that the filter stopped.
inline void read_instead(int, siginfo_t *, void *context) {
    int error = errno;
    auto &machine = static_cast<ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    auto to = machine.gregs[REG_RSI], size = machine.gregs[REG_RDX];
    auto &result = machine.gregs[REG_RAX];
#elif defined(__aarch64__)
    auto to = machine.regs[1], size = machine.regs[2];
    auto &result = machine.regs[0];
#else
#error "unknown processor"
#endif
    auto count = input.read(reinterpret_cast<char *>(to), static_cast<std::size_t>(size));
    result = static_cast<std::remove_reference_t<decltype(result)>>(count);
    errno = error;
}

// Has every read from descriptor 0 answered by `input`, from now on; gives whether that is possible. The submission cannot
// add a filter of its own if this is the last one.
inline bool watch_input(bool is_last) {
    struct sigaction action{};
    action.sa_sigaction = read_instead;
    action.sa_flags = SA_SIGINFO;
    if (fstat(0, &input.empty) != 0 || sigaction(SIGSYS, &action, nullptr) != 0) return false;
    // Of the first argument, its lower half.
    constexpr unsigned number = offsetof(seccomp_data, nr), first = offsetof(seccomp_data, args);
    sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, is_last ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog filter{static_cast<unsigned short>(std::size(steps)), steps};
    // A confined process has this already, and may not ask for it.
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

} // namespace keur
