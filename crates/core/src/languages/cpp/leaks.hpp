// Finds memory that was not freed and that nothing points to any more. The search of the sanitizers themselves starts a
// thread that traces the others, which a confined process cannot. A part of driver.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <link.h>
#include <map>
#include <unwind.h>
#include <vector>

extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *block, std::size_t size),
                                              void (*on_free)(const volatile void *block)) __attribute__((weak));
void *__asan_get_current_fake_stack() __attribute__((weak));
void *__asan_addr_is_in_fake_stack(void *fake, void *address, void **begin, void **end) __attribute__((weak));
}

namespace keur { namespace {

// Memory that is not freed yet.
struct Block {
    std::size_t size = 0;
    // The addresses after the calls that led to it, the innermost first.
    std::array<std::uintptr_t, 24> callers{};
    bool is_reached = false;
};

// All blocks by their addresses, and whether they are being looked at: what that allocates is none of them. They are there
// to the very end of the process.
auto &blocks = *new std::map<std::uintptr_t, Block>;
bool is_looking = false;

void allocated(const volatile void *block, std::size_t size) {
    if (is_looking) return;
    is_looking = true;
    struct Walk {
        Block &block;
        std::size_t count;
    } walk{blocks[reinterpret_cast<std::uintptr_t>(block)] = {}, 0};
    walk.block.size = size;
    auto add = [](_Unwind_Context *context, void *to) {
        auto &walk = *static_cast<Walk *>(to);
        walk.block.callers[walk.count++] = _Unwind_GetIP(context);
        return walk.count < walk.block.callers.size() ? _URC_NO_REASON : _URC_END_OF_STACK;
    };
    _Unwind_Backtrace(add, &walk);
    is_looking = false;
}

void freed(const volatile void *block) {
    if (is_looking) return;
    is_looking = true;
    blocks.erase(reinterpret_cast<std::uintptr_t>(block));
    is_looking = false;
}

// From now on, what is allocated is a block.
bool watch_leaks() {
    return __sanitizer_install_malloc_and_free_hooks != nullptr && __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
}

// Reaches the blocks that words in this memory point into.
__attribute__((no_sanitize("address", "undefined"))) void reach(std::uintptr_t from, std::uintptr_t to, std::vector<std::uintptr_t> &reached) {
    constexpr std::uintptr_t word = sizeof(std::uintptr_t);
    for (from = (from + word - 1) / word * word; from + word <= to; from += word) {
        auto pointer = *reinterpret_cast<const std::uintptr_t *>(from);
        auto next = blocks.upper_bound(pointer);
        if (next == blocks.begin()) continue;
        auto &[begin, block] = *--next;
        if (block.is_reached || pointer - begin >= std::max<std::size_t>(block.size, 1)) continue;
        block.is_reached = true;
        reached.push_back(begin);
    }
}

// Reaches what the variables of the program and its libraries point into.
int reach_variables(dl_phdr_info *info, std::size_t, void *to) {
    auto &reached = *static_cast<std::vector<std::uintptr_t> *>(to);
    if (std::strstr(info->dlpi_name, "/libasan") != nullptr || std::strstr(info->dlpi_name, "/libclang_rt") != nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto &part = info->dlpi_phdr[i];
        std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && part.p_flags & PF_W) reach(begin, begin + part.p_memsz, reached);
        auto own = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        if (part.p_type == PT_TLS && own != 0) reach(own, own + part.p_memsz, reached);
    }
    return 0;
}

// Reaches what the variables of the functions that run now point into.
__attribute__((no_sanitize("address"))) void reach_stack(std::uintptr_t top, std::vector<std::uintptr_t> &reached) {
    auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    reach(here, top, reached);
    void *fake = __asan_get_current_fake_stack == nullptr ? nullptr : __asan_get_current_fake_stack();
    for (; fake != nullptr && here + sizeof here <= top; here += sizeof here) {
        void *begin = nullptr, *end = nullptr;
        if (__asan_addr_is_in_fake_stack(fake, *reinterpret_cast<void **>(here), &begin, &end) == nullptr) continue;
        reach(reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(end), reached);
    }
}

// The blocks that nothing points into. The stack is looked at up to `top`.
std::vector<Block> lost_blocks(std::uintptr_t top) {
    is_looking = true;
    std::vector<std::uintptr_t> reached;
    for (auto &[begin, block] : blocks) block.is_reached = false;
    dl_iterate_phdr(reach_variables, &reached);
    reach_stack(top, reached);
    for (std::size_t next = 0; next < reached.size(); ++next) reach(reached[next], reached[next] + blocks[reached[next]].size, reached);
    std::vector<Block> lost;
    for (const auto &[begin, block] : blocks) {
        if (!block.is_reached) lost.push_back(block);
    }
    is_looking = false;
    return lost;
}

} } // namespace keur
