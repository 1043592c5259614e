// Finds memory that was not freed and that nothing points to any more. The search of the sanitizers themselves starts a
// thread that traces the others, which a confined process cannot. A part of driver.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <link.h>
#include <map>
#include <memory>
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
    bool is_reached = false;
    // The addresses after the calls that led to it, the innermost first.
    std::array<std::uintptr_t, 16> callers{};
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

// Follows pointers from block to block.
class Search {
public:
    Search() {
        for (auto &[begin, block] : blocks) block.is_reached = false;
        if (blocks.empty()) return;
        first = blocks.begin()->first;
        last = blocks.rbegin()->first + blocks.rbegin()->second.size;
    }

    // Does not follow what is in the block at this address.
    void leave_out(const void *address) {
        if (auto found = blocks.find(reinterpret_cast<std::uintptr_t>(address)); found != blocks.end()) found->second.is_reached = true;
    }

    // Reaches the block that a pointer points into.
    void reach(std::uintptr_t pointer) {
        if (pointer < first || pointer > last) return;
        auto next = blocks.upper_bound(pointer);
        if (next == blocks.begin()) return;
        auto &[begin, block] = *--next;
        if (block.is_reached || pointer - begin >= std::max<std::size_t>(block.size, 1)) return;
        block.is_reached = true;
        reached.push_back(begin);
    }

    // Reaches what the words in this memory point into.
    void reach_from(std::uintptr_t from, std::uintptr_t to) {
        constexpr std::uintptr_t word = sizeof(std::uintptr_t);
        for (from = (from + word - 1) / word * word; from + word <= to; from += word) reach(*reinterpret_cast<const std::uintptr_t *>(from));
    }

    // Reaches what the variables of the program and its libraries point into.
    void reach_variables() { dl_iterate_phdr(reach_variables_of, this); }

    // Reaches what the variables of the functions that run now point into. The frame of the first one is at `top`.
    void reach_stack(std::uintptr_t top) {
        __builtin_unwind_init();
        auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        reach_from(here, top);
        void *fake = __asan_get_current_fake_stack == nullptr ? nullptr : __asan_get_current_fake_stack();
        for (; fake != nullptr && here + sizeof here <= top; here += sizeof here) {
            auto word = *reinterpret_cast<std::uintptr_t *>(here);
            // A register may hold the end of a frame.
            for (std::uintptr_t at : {word, word - 1}) {
                void *begin = nullptr, *end = nullptr;
                if (__asan_addr_is_in_fake_stack(fake, reinterpret_cast<void *>(at), &begin, &end) == nullptr) continue;
                reach_from(reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(end));
            }
        }
    }

    // Reaches what reached blocks point into.
    void follow() {
        for (; !reached.empty();) {
            std::uintptr_t begin = reached.back();
            reached.pop_back();
            reach_from(begin, begin + blocks[begin].size);
        }
    }

private:
    std::vector<std::uintptr_t> reached;
    std::uintptr_t first = std::numeric_limits<std::uintptr_t>::max(), last = 0;

    static int reach_variables_of(dl_phdr_info *info, std::size_t, void *to) {
        auto &search = *static_cast<Search *>(to);
        if (std::strstr(info->dlpi_name, "/libasan") != nullptr || std::strstr(info->dlpi_name, "/libclang_rt") != nullptr) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto &part = info->dlpi_phdr[i];
            std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
            if (part.p_type == PT_LOAD && part.p_flags & PF_W) search.reach_from(begin, begin + part.p_memsz);
            // The variables of the thread may be in a block.
            auto own = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
            if (part.p_type != PT_TLS || own == 0) continue;
            search.reach(own);
            search.reach_from(own, own + part.p_memsz);
        }
        return 0;
    }
};

// Ends the objects that only `kept` refers to, the last ones first.
void end_unreached(std::vector<std::shared_ptr<void>> &kept) {
    is_looking = true;
    std::vector<bool> are_reached;
    {
        Search search;
        search.leave_out(kept.data());
        search.reach_variables();
        search.follow();
        auto is_reached = [](const void *object) {
            auto next = blocks.upper_bound(reinterpret_cast<std::uintptr_t>(object));
            return next == blocks.begin() || std::prev(next)->second.is_reached;
        };
        for (const auto &owner : kept) are_reached.push_back(owner == nullptr || is_reached(owner.get()));
    }
    is_looking = false;
    for (std::size_t i = kept.size(); i-- > 0;) {
        if (!are_reached[i]) kept[i].reset();
    }
    kept.erase(std::remove(kept.begin(), kept.end(), nullptr), kept.end());
}

// The blocks that nothing points into. The stack is looked at up to `top`, if any.
std::vector<Block> lost_blocks(std::uintptr_t top) {
    is_looking = true;
    std::vector<Block> lost;
    {
        Search search;
        search.reach_variables();
        if (top != 0) search.reach_stack(top);
        search.follow();
        for (const auto &[begin, block] : blocks) {
            if (!block.is_reached) lost.push_back(block);
        }
    }
    is_looking = false;
    return lost;
}

} } // namespace keur
