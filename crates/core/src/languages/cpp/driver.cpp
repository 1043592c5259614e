// Keur's driver for C++: loads a submission that was compiled into a library, and answers requests for it. It speaks the
// protocol of docs/protocol.md on descriptor 3.
//
//     driver socket LANGUAGE SEED LIBRARY …     answers for one process
//     driver server LANGUAGE SEED LIBRARY …     forks a process for each request on descriptor 3, and only that loads a library
//
// The library is that of the calls, or empty; after it come the file names of programs, each with the library that it is
// in. If KEUR_LEAKS is set, memory that is lost is a fault. The driver itself is trusted and holds nothing of a submission
// until it loads it. Nothing that a case expects is ever sent to it.
#include "forks.hpp"
#include "leaks.hpp"
#include "lines.hpp"
#include "session.hpp"

#include <cassert>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <iostream>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern "C" {
// What the sanitizers call and offer, where the driver is built with them. The driver finds the lines of addresses itself.
// The stacks of allocations are not kept, and of returned functions only the latest frames: each costs every case pages of
// memory of its own.
const char *__asan_default_options() {
    return "exitcode=99:disable_coredump=0:detect_leaks=0:handle_abort=0:handle_segv=0:handle_sigbus=0:allocator_may_return_null=0:detect_stack_use_after_return=1:print_legend=0:"
           "print_cmdline=0:color=never:symbolize=0:malloc_context_size=0:max_uar_stack_size_log=16:stack_trace_format='    #%n %p':"
           "max_allocation_size_mb=1024";
}
const char *__ubsan_default_options() { return "exitcode=99:print_stacktrace=0:color=never:symbolize=0:strip_path_prefix=/submission/"; }
void __asan_set_error_report_callback(void (*callback)(const char *report)) __attribute__((weak));
void __sanitizer_start_switch_fiber(void **save, const void *bottom, std::size_t size) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *save, const void **bottom, std::size_t *size) __attribute__((weak));
void __sanitizer_set_report_fd(void *descriptor) __attribute__((weak));
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line, unsigned *column,
                                     char **address) __attribute__((weak));
}

namespace {

using namespace keur;

// ---- exceptions and faults -------------------------------------------------------------------------------------------

std::string message_of(const char *text) {
    std::string message = text == nullptr ? "" : beginning(text, most_message);
    if (is_utf8(message)) return message;
    std::string shown;
    for (char character : message) shown += static_cast<unsigned char>(character) < 0x80 ? std::string(1, character) : "\ufffd";
    return shown;
}

template <class T> void add_base(const std::exception &error, const char *name, std::vector<std::string> &bases) {
    if (dynamic_cast<const T *>(&error) && std::find(bases.begin(), bases.end(), name) == bases.end()) bases.push_back(name);
}

// A place in a file of the submission, or nothing.
std::string frame(std::string_view file, unsigned long line, std::string_view function) {
    for (std::string_view begin : {"./", "/submission/"}) {
        if (file.substr(0, begin.size()) == begin) file.remove_prefix(begin.size());
    }
    bool is_keurs = file.substr(0, 3) == "../" || file.substr(0, 12) == "include/keur";
    if (file.empty() || file[0] == '/' || file[0] == '(' || is_keurs || line == 0 || !is_utf8(std::string(file))) return "";
    return "[" + quoted(file) + "," + std::to_string(line) + "," + quoted(function) + "]";
}

// The place of an address, or nothing.
std::string frame_at(std::uintptr_t address) {
    Line of = line_of(address);
    return frame(of.file, of.number, of.function == nullptr ? "" : demangled(of.function));
}

// An exception that was thrown, and from where: the innermost call first.
struct Throw {
    const void *object;
    const std::type_info *type;
    std::array<std::uintptr_t, 64> callers;
};

// The latest ones, in a ring: one may be thrown while another is handled.
std::array<Throw, 8> throws;
std::size_t throw_count = 0;

using Thrower = void (*)(void *object, std::type_info *type, void (*destroy)(void *));
Thrower throw_object = nullptr;

// The name of the type of the exception that is handled.
std::string current_type() {
    const std::type_info *type = abi::__cxa_current_exception_type();
    return type == nullptr ? "an exception of another language" : demangled(type->name());
}

// The places that the exception which is handled has passed, the outermost first.
std::string trace() {
    std::exception_ptr current = std::current_exception();
    const void *object = nullptr;
    static_assert(sizeof current == sizeof object);
    std::memcpy(&object, &current, sizeof object);
    std::string places;
    for (std::size_t back = 1; back <= throws.size(); ++back) {
        const Throw &one = throws[(throw_count - back) % throws.size()];
        if (one.object != object || one.type != abi::__cxa_current_exception_type()) continue;
        for (std::uintptr_t caller : one.callers) {
            std::string place = caller == 0 ? "" : frame_at(caller - 1);
            if (!place.empty()) places = place + (places.empty() ? "" : ",") + places;
        }
        break;
    }
    return places;
}

// The exception of the last request, if it raised one.
std::string last_raised;

std::string raised(const std::string &type, const std::vector<std::string> &bases, const std::string *message,
                   const std::string &trace) {
    last_raised = type + (message == nullptr || message->empty() ? "" : ": " + *message);
    return "\"raised\":{\"type\":" + quoted(type) + ",\"bases\":" + quoted_list(bases)
        + (message ? ",\"message\":" + quoted(*message) : "") + ",\"trace\":[" + trace + "]}";
}

// The reply on what was thrown; called where it is handled.
std::string thrown() {
    try {
        throw;
    } catch (const Missing &missing) {
        return "\"missing\":{\"kind\":" + quoted(missing.kind) + ",\"name\":" + quoted(missing.name) + ",\"on\":"
            + quoted(missing.on) + ",\"near\":" + quoted_list(missing.near) + "}";
    } catch (const Refused &refused) {
        return raised(refused.is_call ? "keur::NotCallable" : "keur::Refused", {}, &refused.message, "");
    } catch (const WrongLength &wrong) {
        std::string message = "the length is " + std::to_string(wrong.length);
        return raised("undefined behaviour", {}, &message, frame_at(reinterpret_cast<std::uintptr_t>(wrong.function)));
    } catch (const SetErrno &set) {
        return raised(set.name, {set.name}, &set.message, "");
    } catch (const std::exception &error) {
        std::string type = demangled(typeid(error).name()), message = message_of(error.what());
        std::vector<std::string> bases{type};
        add_base<std::invalid_argument>(error, "std::invalid_argument", bases);
        add_base<std::domain_error>(error, "std::domain_error", bases);
        add_base<std::length_error>(error, "std::length_error", bases);
        add_base<std::out_of_range>(error, "std::out_of_range", bases);
        add_base<std::range_error>(error, "std::range_error", bases);
        add_base<std::overflow_error>(error, "std::overflow_error", bases);
        add_base<std::underflow_error>(error, "std::underflow_error", bases);
        add_base<std::logic_error>(error, "std::logic_error", bases);
        add_base<std::runtime_error>(error, "std::runtime_error", bases);
        add_base<std::bad_alloc>(error, "std::bad_alloc", bases);
        add_base<std::exception>(error, "std::exception", bases);
        return raised(type, bases, &message, trace());
    } catch (const std::string &text) {
        std::string message = message_of(text.c_str());
        return raised("std::string", {"std::string"}, &message, trace());
    } catch (const char *text) {
        std::string message = message_of(text);
        return raised("char*", {"char*"}, &message, trace());
    } catch (...) {
        std::string type = current_type();
        return raised(type, {type}, nullptr, trace());
    }
}

// How far the process is with a program, if it runs one.
enum class Program { none, runs, has_ended } program = Program::none;

// Whether functions of a program are on the stack: it may exit inside them.
bool is_inside = false;

// Tells keur of something that no case expects, and ends: a program goes on after none.
[[noreturn]] void fails(const std::string &type, const std::string &message, const std::string &frame) {
    if (program == Program::has_ended) _exit(fault);
    std::fflush(nullptr);
    reply(std::string(program == Program::runs ? "\"ended\":{}," : "")
          + "\"raised\":{\"type\":" + quoted(type) + ",\"bases\":[],\"message\":" + quoted(is_utf8(message) ? message : "")
          + ",\"trace\":[" + frame + "]}");
    _exit(fault);
}

// Tells keur that a sanitizer has found a fault.
[[noreturn]] void faulted(const std::string &message, const std::string &frame) {
    fails("undefined behaviour", message, frame);
}

// The address above the stack.
std::uintptr_t stack_top = 0;

// Tells the address sanitizer where the stack is. It would read /proc/self/maps, which a confined process has not, and
// then take what an exception leaves on the stack for a fault.
void tell_stack() {
    constexpr std::uintptr_t page = 4096;
    stack_top = (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 16 * page) & ~(page - 1);
    rlimit most{};
    getrlimit(RLIMIT_STACK, &most);
    std::size_t size = std::min<std::size_t>(most.rlim_cur, 32 << 20);
    if (__sanitizer_start_switch_fiber == nullptr) return;
    // The frames of the functions that run now stay.
    void *frames = nullptr;
    __sanitizer_start_switch_fiber(&frames, reinterpret_cast<void *>(stack_top - size), size);
    __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
}

// The first place of a report that is the submission's; its frames are such as `    #1 0x7f…`.
std::string place_in(std::string_view report) {
    std::string place;
    for (std::size_t at = report.find("\n    #"); at != std::string_view::npos && place.empty(); at = report.find("\n    #", at + 1)) {
        std::string_view line = report.substr(at + 1, report.find('\n', at + 1) - at - 1);
        std::size_t address = line.find("0x");
        if (address != std::string_view::npos) place = frame_at(std::strtoull(std::string(line.substr(address)).c_str(), nullptr, 16));
    }
    return place;
}

// The first place on the stack that is the submission's.
std::string place_on_stack() {
    std::string place;
    auto look = [](_Unwind_Context *context, void *to) {
        // The address of the instruction after a call, or of the one that a signal interrupts.
        int is_interrupted = 0;
        std::uintptr_t address = _Unwind_GetIPInfo(context, &is_interrupted);
        if (address == 0) return _URC_END_OF_STACK;
        auto &place = *static_cast<std::string *>(to);
        place = frame_at(is_interrupted ? address : address - 1);
        return place.empty() ? _URC_NO_REASON : _URC_END_OF_STACK;
    };
    _Unwind_Backtrace(look, &place);
    return place;
}

// The place where the function in C begins whose result keur reads, if it reads one.
std::string place_of_result() { return result.of == nullptr ? "" : frame_at(reinterpret_cast<std::uintptr_t>(result.of)); }

// The fault of freeing memory that was not allocated, and of a function in C whose result keur frees.
const std::string bad_free = "bad-free", bad_result = "bad-free of a result";

// The report of the address sanitizer, which ends the process after it.
void reported(const char *text) {
    std::string report = text;
    const std::string begin = "AddressSanitizer: ", size = " of size ";
    std::size_t at = report.find(begin), access = report.find(size, at == std::string::npos ? 0 : at);
    if (at == std::string::npos) return;
    std::string kind = report.substr(at + begin.size());
    // Such as `attempting double-free on 0x…`, or `requested allocation size 0x… exceeds maximum`.
    if (kind.rfind("requested allocation size ", 0) == 0) kind = "allocation-size-too-big";
    if (kind.rfind("attempting ", 0) == 0) kind = kind.find("double-free") < kind.find('\n') ? "double-free" : bad_free;
    kind.resize(std::min(kind.find_first_of(" :\n"), kind.size()));
    // Such as `READ of size 4`.
    std::size_t line = access == std::string::npos ? 0 : report.rfind('\n', access) + 1;
    std::string how = access == std::string::npos ? "" : report.substr(line, access - line);
    std::string verb = how == "READ" ? " (read)" : how == "WRITE" ? " (written)" : "";
    std::string place = place_in(report);
    if (place.empty()) place = place_of_result();
    // The report of an allocation has no frames.
    if (place.empty()) place = place_on_stack();
    faulted(kind == bad_free && result.of != nullptr ? bad_result : kind + verb, place);
}

// Whether lost memory is a fault.
bool leaks_count = false;

// The frame of `main`.
std::uintptr_t outermost = 0;

// Says where the submission allocated what is lost, if anything is.
void look_for_leaks() {
    if (!leaks_count) return;
    std::size_t bytes = 0, count = 0;
    std::string first;
    // Many blocks come from few places.
    std::map<std::uintptr_t, std::string> places;
    for (const Block &block : lost_blocks(is_inside ? outermost : 0)) {
        std::string place;
        for (std::uintptr_t caller : block.callers) {
            if (caller == 0) break;
            auto [known, is_new] = places.try_emplace(caller);
            if (is_new) known->second = frame_at(caller - 1);
            if (!(place = known->second).empty()) break;
        }
        if (place.empty()) continue;
        bytes += block.size;
        ++count;
        if (first.empty()) first = place;
    }
    std::string blocks = count == 1 ? "" : " in " + std::to_string(count) + " blocks";
    // A case may expect the exception: only keur knows.
    std::string after = last_raised.empty() ? "" : ", after " + last_raised;
    if (count > 0) fails("lost memory", std::to_string(bytes) + " bytes" + blocks + after, first);
}

// The fault that a condition of the standard library is there for.
std::string broken(std::string_view condition) {
    auto has = [&](std::string_view part) { return condition.find(part) != std::string_view::npos; };
    if (has("size()") || has("_Nm") || has("_Extent")) return "index past the end";
    if (has("empty()")) return "an empty container is asked for an item";
    if (has("_M_is_engaged")) return "an empty optional is asked for its value";
    if (has("nullptr") || has("pointer()")) return "use of a null pointer";
    return "a condition of the standard library does not hold: " + std::string(condition);
}

// Whether the memory at a wrong address is a constant of a library that was to be written.
bool is_constant(const siginfo_t *info, const void *context) {
    Dl_info of{};
    if (info->si_code != SEGV_ACCERR || dladdr(info->si_addr, &of) == 0) return false;
#ifdef __x86_64__
    constexpr greg_t is_written = 2, is_instruction = 16;
    greg_t error = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR];
    return (error & is_written) != 0 && (error & is_instruction) == 0;
#else
    return context != nullptr;
#endif
}

// The signal of a wrong address becomes a fault with a line, unless the stack is full: that ends the process.
void on_wrong_address(int signal, siginfo_t *info, void *context) {
    std::signal(signal, SIG_DFL);
    // Sent by the submission itself: it ends the process once this function has returned.
    if (info->si_code <= 0) {
        std::raise(signal);
        return;
    }
    auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    rlimit most{};
    getrlimit(RLIMIT_STACK, &most);
    // Further below the stack the system puts nothing.
    constexpr std::uintptr_t beyond = 1 << 20, empty = 96 << 20, nothing = 1 << 12;
    bool is_known = info->si_code != SI_KERNEL;
    std::uintptr_t depth = is_known && address <= stack_top ? stack_top - address : std::numeric_limits<std::uintptr_t>::max();
    // It happens again, without this function.
    if (depth <= most.rlim_cur + beyond) return;
    std::string what = depth <= most.rlim_cur + empty ? "local variables larger than the stack"
        : is_known && address < nothing ? "use of a null pointer"
        : result.of != nullptr && !result.is_read ? bad_result
        : is_constant(info, context) ? "change of a constant" : "use of a wrong address";
    std::string place = place_on_stack();
    faulted(what, place.empty() ? place_of_result() : place);
}

void watch_addresses() {
    static char own_stack[1 << 16];
    stack_t where{};
    where.ss_sp = own_stack;
    where.ss_size = sizeof own_stack;
    sigaltstack(&where, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_wrong_address;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

// Tells keur which exception has left a function that none may leave, such as a destructor.
[[noreturn]] void terminated() {
    if (std::current_exception() == nullptr) std::abort();
    std::string text;
    try {
        throw;
    } catch (const std::exception &error) {
        text = demangled(typeid(error).name()) + ": " + message_of(error.what());
    } catch (...) {
        text = current_type();
    }
    // The functions that it was to leave are still on the stack.
    fails("std::terminate", text, place_on_stack());
}

// ---- programs --------------------------------------------------------------------------------------------------------

// Asks keur for what a program reads next. What it printed before shows, as on a terminal.
bool asked(std::string &text) {
    static bool has_more = true;
    if (!has_more) return false;
    std::fflush(stdout);
    reply("\"waits\":true");
    std::string payload;
    if (!request(payload)) _exit(0);
    Json json = JsonReader(payload).value();
    if (json["op"].text == "end") _exit(0);
    has_more = json.has("data");
    text = json["data"].text;
    return has_more;
}

// Tells keur that the process ends, with the status of its program.
void ended() {
    look_for_leaks();
    if (program == Program::runs) reply("\"ended\":{}");
    program = Program::has_ended;
}

// Tells keur which exception a program has not caught.
[[noreturn]] void uncaught() {
    if (program != Program::runs || std::current_exception() == nullptr) std::abort();
    std::cout.flush();
    std::fflush(nullptr);
    reply("\"ended\":{}," + thrown());
    _exit(1);
}

// Why a library cannot be loaded: mostly a function that is declared and not defined.
std::string unlinked() {
    std::string why = dlerror();
    const std::string words = "undefined symbol: ";
    std::size_t at = why.find(words);
    return at == std::string::npos ? why : "undefined: " + demangled(why.substr(at + words.size()).c_str());
}

// Runs the program in a library as the system does.
[[noreturn]] void run_program(const char *path, const std::string &file, const Json &args) {
    static std::vector<std::string> words{"./" + file.substr(0, file.rfind('.'))};
    for (const Json &word : args.items) words.push_back(word.text);
    std::vector<char *> pointers;
    for (std::string &word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    program = Program::runs;
    input.next = asked;
    // What the program registers runs before.
    std::atexit(ended);
    std::at_quick_exit(ended);
    std::set_terminate(uncaught);
    void *loaded = load_library(path);
    auto *main = loaded == nullptr ? nullptr : reinterpret_cast<int (*)(int, char **, char **)>(dlsym(loaded, "main"));
    if (main == nullptr) throw std::runtime_error(unlinked());
    is_inside = true;
    int status = main(static_cast<int>(words.size()), pointers.data(), environ);
    is_inside = false;
    std::exit(status);
}

// ---- requests --------------------------------------------------------------------------------------------------------

class Driver {
public:
    explicit Driver(char **words) : language(words[0]), path(words[2]), programs(words + 3), session(library) {}

    // Answers requests until there are no more.
    void serve() {
        for (std::string payload; request(payload);) {
            Json json = JsonReader(payload).value();
            const std::string &op = json["op"].text;
            if (op == "end") return;
            if (op == "program") run(json);
            if (json.has("stdin")) input.give(json["stdin"].text);
            std::string answer;
            last_raised.clear();
            try {
                answer = op == "start" ? ready() : op == "load" ? load(json) : op == "run" ? session.run(json) : "\"error\":\"unknown operation\"";
            } catch (...) {
                answer = thrown();
            }
            if (leaks_count) session.end_unreached();
            look_for_leaks();
            std::cout.flush();
            std::fflush(nullptr);
            reply(answer);
        }
    }

private:
    const char *language, *path;
    char **programs;
    Library library;
    Session session;

    std::string ready() {
        return "\"ready\":{\"protocol\":1,\"language\":" + quoted(language) + ",\"version\":\"" KEUR_VERSION "\",\"names\":\"as-is\","
               "\"tuples\":false,\"operators\":true,\"programs\":true,\"stdin\":true}";
    }

    [[noreturn]] void run(const Json &json) {
        const std::string &file = json["module"].text;
        char **found = programs;
        while (*found != nullptr && file != *found) found += 2;
        if (*found == nullptr) _exit(unready);
        run_program(found[1], file, json["args"]);
    }

    std::string load(const Json &json) {
        session.set_views(json["views"]);
        std::string error;
        try {
            void *loaded = load_library(path);
            auto *fill = loaded == nullptr ? nullptr : reinterpret_cast<void (*)(Library &)>(dlsym(loaded, "keur_library"));
            if (fill == nullptr) throw std::runtime_error(unlinked());
            // Keur's own calls of them would be the submission's.
            for (const char *name : {"memset", "memcpy", "memmove", "strlen", "strnlen", "malloc", "calloc", "realloc", "free"}) {
                auto address = reinterpret_cast<std::uintptr_t>(dlsym(loaded, name));
                if (address < submission.first || address >= submission.end) continue;
                throw std::runtime_error("it defines " + std::string(name) + ", which belongs to the C library: give it another name");
            }
            fill(library);
        } catch (...) {
            error = "," + thrown();
        }
        std::vector<std::string> defined, classes, functions;
        for (const auto &entry : library.classes) classes.push_back(entry.first);
        for (const auto &entry : library.functions) functions.push_back(entry.first);
        for (const Json &name : json["needs"].items) {
            if (library.classes.count(name.text) + library.functions.count(name.text) > 0) defined.push_back(name.text);
        }
        std::vector<std::string> all = classes;
        all.insert(all.end(), functions.begin(), functions.end());
        return "\"loaded\":{\"defined\":" + quoted_list(defined) + ",\"names\":" + quoted_list(all) + ",\"classes\":"
            + quoted_list(classes) + ",\"functions\":" + quoted_list(functions) + "}" + error;
    }
};

} // namespace

// An exception is thrown by it: notes from where. The compiler knows the name with other types.
extern "C" [[noreturn]] void keur_throw(void *object, std::type_info *type, void (*destroy)(void *)) __asm__("__cxa_throw");
void keur_throw(void *object, std::type_info *type, void (*destroy)(void *)) {
    throws[throw_count++ % throws.size()] = {object, type, {}};
    auto add = [](_Unwind_Context *context, void *to) {
        auto &callers = throws[(throw_count - 1) % throws.size()].callers;
        auto &count = *static_cast<std::size_t *>(to);
        callers[count++] = _Unwind_GetIP(context);
        // Where many are thrown, each has to be cheap.
        constexpr std::size_t many = 1000, few = 4;
        return count < (throw_count < many ? callers.size() : few) ? _URC_NO_REASON : _URC_END_OF_STACK;
    };
    std::size_t count = 0;
    _Unwind_Backtrace(add, &count);
    throw_object(object, type, destroy);
    std::abort();
}

// The standard library calls it where a condition of it does not hold, such as an index past the end of a vector.
namespace std {
void __glibcxx_assert_fail(const char *, int, const char *, const char *condition) noexcept {
    faulted(broken(condition), place_on_stack());
}
} // namespace std

// `assert` calls it where a condition does not hold.
extern "C" void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) noexcept {
    fails("failed assertion", condition, frame(file, line, function));
}

// The undefined-behaviour sanitizer calls it at every report.
extern "C" void __ubsan_on_report() {
    const char *kind = "", *message = "", *file = "";
    unsigned line = 0, column = 0;
    char *address = nullptr;
    if (__ubsan_get_current_report_data != nullptr) __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    faulted(message, frame(file, line, ""));
}

int main(int count, char **words) {
    if (count < 5) return 2;
    tell_stack();
    outermost = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    leaks_count = std::getenv("KEUR_LEAKS") != nullptr && watch_leaks();
    unsetenv("KEUR_LEAKS");
    watch_addresses();
    throw_object = reinterpret_cast<Thrower>(dlsym(RTLD_NEXT, "__cxa_throw"));
    if (throw_object == nullptr) return 2;
    if (std::strcmp(words[1], "server") == 0) serve_forks();
    else if (!watch_input(true)) return unfiltered;
    // Keur says what the sanitizers would print: nothing can be written to the standard input.
    if (__sanitizer_set_report_fd != nullptr) __sanitizer_set_report_fd(nullptr);
    std::set_terminate(terminated);
    if (__asan_set_error_report_callback != nullptr) __asan_set_error_report_callback(reported);
    std::srand(static_cast<unsigned>(std::strtoul(words[3], nullptr, 10)));
    static Driver driver(words + 2);
    driver.serve();
    // Nothing of the submission runs after its case.
    std::cout.flush();
    std::fflush(nullptr);
    _exit(0);
}
