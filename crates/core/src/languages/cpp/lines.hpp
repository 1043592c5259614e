// Loads the library of a submission, and finds the line of an address in it by its debug information: DWARF 4, chapter 6.2.
// Without sanitizers nothing else does, and those of Clang start another program for it, which a confined process cannot. A
// part of driver.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits>
#include <link.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace keur {

struct Line {
    std::string file;
    unsigned long number = 0;
    // The name of the function, as the linker has it; null if it is not known.
    const char *function = nullptr;
};

// Reads numbers and texts; past the end, they are zero and empty.
class Bytes {
public:
    Bytes() = default;
    explicit Bytes(std::string_view bytes) : rest(bytes) {}

    bool is_empty() const { return rest.empty(); }
    unsigned at(std::size_t place) const { return place < rest.size() ? static_cast<unsigned char>(rest[place]) : 0; }
    Bytes take(std::size_t count) {
        Bytes taken(rest.substr(0, count));
        rest.remove_prefix(std::min(count, rest.size()));
        return taken;
    }
    template <class T> T number() {
        T value{};
        if (rest.size() >= sizeof value) std::memcpy(&value, rest.data(), sizeof value);
        take(sizeof value);
        return value;
    }
    std::string_view text() {
        std::string_view found = rest.substr(0, rest.find('\0'));
        take(found.size() + 1);
        return found;
    }
    // Seven bits a byte, the lowest ones first.
    std::uint64_t packed(bool is_signed = false) {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            auto byte = number<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80 || is_empty()) {
                if (is_signed && byte & 0x40 && shift < 57) value |= ~std::uint64_t(0) << (shift + 7);
                return value;
            }
        }
    }

private:
    std::string_view rest;
};

// The table of lines of one compilation: a program that lists addresses with their lines.
class LineTable {
public:
    explicit LineTable(Bytes bytes) : program(bytes) {
        version = program.number<std::uint16_t>();
        Bytes header = program.take(program.number<std::uint32_t>());
        step = header.number<std::uint8_t>();
        if (version >= 4) header.number<std::uint8_t>();
        header.number<std::uint8_t>();
        line_base = header.number<std::int8_t>();
        line_range = header.number<std::uint8_t>();
        first_special = header.number<std::uint8_t>();
        operands = header.take(static_cast<std::size_t>(std::max(first_special, 1)) - 1);
        names = header;
    }

    // The line of an address, without a number if it is not listed.
    Line find(std::uint64_t wanted) {
        if (version < 2 || version > 4 || line_range == 0) return {};
        Row row, before;
        bool has_before = false, is_found = false;
        auto list = [&] {
            is_found = has_before && before.address <= wanted && wanted < row.address;
            before = row;
            has_before = true;
        };
        while (!program.is_empty() && !is_found) {
            int code = program.number<std::uint8_t>();
            Row last = before;
            if (code >= first_special) {
                advance(row, code);
                row.line += static_cast<std::uint64_t>(line_base + (code - first_special) % line_range);
                list();
            } else if (code == 0) {
                Bytes extended = program.take(program.packed());
                auto kind = extended.number<std::uint8_t>();
                if (kind == 2) row.address = extended.number<std::uint64_t>();
                if (kind == 1) {
                    list();
                    row = Row();
                    has_before = false;
                }
            } else if (code == 1) list();
            else if (code == 2) row.address += program.packed() * static_cast<std::uint64_t>(step);
            else if (code == 3) row.line += program.packed(true);
            else if (code == 4) row.file = program.packed();
            else if (code == 8) advance(row, 255);
            else if (code == 9) row.address += program.number<std::uint16_t>();
            else for (unsigned left = operands.at(static_cast<std::size_t>(code) - 1); left > 0; --left) program.packed();
            if (is_found) return {file(last.file), last.line, nullptr};
        }
        return {};
    }

private:
    struct Row {
        std::uint64_t address = 0, file = 1, line = 1;
    };

    Bytes program;
    unsigned version = 0;
    int step = 1, first_special = 0, line_base = 0, line_range = 1;
    // How many operands each code has; the folders and the files.
    Bytes operands, names;

    // The path of a file by its number, which counts from 1.
    std::string file(std::uint64_t wanted) const {
        Bytes rest = names;
        std::vector<std::string_view> folders{""};
        for (std::string_view name; !(name = rest.text()).empty();) folders.push_back(name);
        for (std::string_view name; !(name = rest.text()).empty();) {
            std::uint64_t folder = rest.packed();
            rest.packed();
            rest.packed();
            if (--wanted > 0) continue;
            std::string path(folder < folders.size() ? folders[folder] : "");
            return path.empty() ? std::string(name) : path + '/' + std::string(name);
        }
        return "";
    }

    void advance(Row &row, int code) const {
        row.address += static_cast<std::uint64_t>((code - first_special) / line_range * step);
    }
};

// The section of an ELF file with this name.
inline std::string_view section_of(std::string_view file, std::string_view name) {
    if (file.size() < sizeof(Elf64_Ehdr)) return {};
    auto head = Bytes(file).number<Elf64_Ehdr>();
    auto section = [&](std::size_t at) {
        std::size_t place = head.e_shoff + at * sizeof(Elf64_Shdr);
        return place < file.size() ? Bytes(file.substr(place)).number<Elf64_Shdr>() : Elf64_Shdr{};
    };
    auto content = [&](const Elf64_Shdr &of) {
        return of.sh_offset < file.size() ? file.substr(of.sh_offset, of.sh_size) : std::string_view();
    };
    std::string_view names = content(section(head.e_shstrndx));
    for (std::size_t at = 0; at < head.e_shnum; ++at) {
        Elf64_Shdr found = section(at);
        if (found.sh_name < names.size() && Bytes(names.substr(found.sh_name)).text() == name) return content(found);
    }
    return {};
}

// The bytes of a file, which stay; none if it cannot be read.
inline std::string_view mapped(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status{};
    bool is_there = file >= 0 && fstat(file, &status) == 0;
    auto size = is_there ? static_cast<std::size_t>(status.st_size) : 0;
    void *bytes = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    return bytes == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char *>(bytes), size);
}

// The library of a submission: its file, and its addresses once it is loaded.
struct Loaded {
    const char *file = nullptr;
    std::uintptr_t first = 0, end = std::numeric_limits<std::uintptr_t>::max();
};
inline Loaded submission;

// Loads the library of a submission; null if the system cannot.
inline void *load_library(const char *file) {
    submission.file = file;
    void *loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    link_map *map = nullptr;
    if (loaded == nullptr || dlinfo(loaded, RTLD_DI_LINKMAP, &map) != 0) return loaded;
    submission.first = map->l_addr;
    auto *head = reinterpret_cast<const Elf64_Ehdr *>(map->l_addr);
    auto *segments = reinterpret_cast<const Elf64_Phdr *>(map->l_addr + head->e_phoff);
    submission.end = submission.first;
    for (std::size_t i = 0; i < head->e_phnum; ++i) {
        submission.end = std::max(submission.end, submission.first + segments[i].p_vaddr + segments[i].p_memsz);
    }
    return loaded;
}

// The line of an address of that library; none for any other.
inline Line line_of(std::uintptr_t address) {
    if (submission.file == nullptr || address < submission.first || address >= submission.end) return {};
    Dl_info info{};
    if (dladdr(reinterpret_cast<void *>(address), &info) == 0 || info.dli_fname == nullptr) return {};
    if (std::strcmp(info.dli_fname, submission.file) != 0) return {};
    static const std::string_view table = section_of(mapped(submission.file), ".debug_line");
    Bytes tables(table);
    std::uintptr_t wanted = address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    while (!tables.is_empty()) {
        Line found = LineTable(tables.take(tables.number<std::uint32_t>())).find(wanted);
        found.function = info.dli_sname;
        if (found.number > 0) return found;
    }
    return {};
}

} // namespace keur
