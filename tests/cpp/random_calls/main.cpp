// SPDX-License-Identifier: BSD-3-Clause

// Calls all functions of the C interface at random, with TILETC_TEST_TINYTC those of tinytc's libraries as well:
// random_calls SEED THREADS CALLS [SECONDS]
//
// Each thread makes so many calls, or calls as long as that. Whatever is passed, a call returns: nothing crashes, and no
// memory is used that is not the library's. Random arguments test little if a function refuses all of them, so what has not
// succeeded yet is called more often, and most functions must succeed at least once. A run of one thread is the same every
// time.

#include "launches.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct entry {
    char const *name;
    bool (*call)(source &);
};

entry const functions[] = {
#define TILETC_DECLARE(DECLARATION)
#define TILETC_CALL(NAME) {#NAME, [](source &from) { return call(&NAME, from); }},
#include "functions.inc"
#ifdef TILETC_TEST_TINYTC
#include "tinytc.inc"
#endif
#undef TILETC_DECLARE
#undef TILETC_CALL
};
constexpr auto function_count = std::size(functions);

/// Of a hundred functions so many must succeed, of those that belong to a runtime if it is there. Fewer calls than that say
/// nothing.
constexpr std::size_t least_percentage = 85, enough_calls = 200000;

/// Returns whether a function needs a runtime that is not there.
auto is_out_of_reach(std::string const &name) -> bool {
    auto const &[cl, ze] = runtimes::get();
    auto const is_of = [&](char const *runtime) { return name.find(runtime) == sizeof("tiletc") - 1; };
    return (cl.context == nullptr && is_of("_cl_")) || (ze.context == nullptr && is_of("_ze_"));
}

/// Gives the standard input, which a function reads, a program.
auto provide_input() -> bool {
    auto *const file = std::tmpfile();
    return file != nullptr && std::fputs("func @f() {}\n", file) >= 0 && std::fflush(file) == 0 &&
           dup2(fileno(file), STDIN_FILENO) >= 0;
}

/// Says where the program was before a signal ends it: in a driver's compiler, for instance.
void tell_place(int signal) {
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    std::raise(signal);
}

void tell_places_of_crashes() {
    // The first call loads a library, which a handler must not.
    void *frame = nullptr;
    backtrace(&frame, 1);
    struct sigaction action = {};
    action.sa_handler = tell_place;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (auto const signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
        sigaction(signal, &action, nullptr);
    }
}

auto parse(char const *text) -> std::uint64_t { return std::strtoull(text, nullptr, 10); }

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s SEED THREADS CALLS [SECONDS]\n", argv[0]);
        return 2;
    }
    auto const seed = parse(argv[1]), threads = parse(argv[2]), calls = parse(argv[3]);
    auto const seconds = std::chrono::seconds{argc > 4 ? parse(argv[4]) : 1000000};
    auto const start = std::chrono::steady_clock::now();
    tell_places_of_crashes();
    if (!provide_input()) {
        return 2;
    }
    auto pool = handle_pool{};
    auto made = std::atomic<std::uint64_t>{0};
    auto successes = std::vector<std::atomic<std::uint64_t>>(function_count);
    auto workers = std::vector<std::thread>{};
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
        workers.emplace_back([&, thread] {
            auto from = source{pool, seed + 1000003 * thread};
            for (std::uint64_t i = 0; i < calls; ++i) {
                if (i % 256 == 0 && std::chrono::steady_clock::now() - start > seconds) {
                    break;
                }
                if (i % 64 == 0) {
                    lseek(STDIN_FILENO, 0, SEEK_SET);
                }
                auto number = from.below(function_count);
                for (auto tries = from.below(2) * function_count; tries > 0 && successes[number] > 0;
                     --tries) {
                    number = (number + 1) % function_count;
                }
                from.next_call();
                if (functions[number].call(from)) {
                    ++successes[number];
                }
                if (++made % 1000000 == 0) {
                    std::printf("%llu calls\n", static_cast<unsigned long long>(made.load()));
                    std::fflush(stdout);
                }
            }
        });
    }
    for (auto &worker : workers) {
        worker.join();
    }
    auto never = std::string{};
    std::size_t succeeded = 0, out_of_reach = 0;
    for (std::size_t i = 0; i < function_count; ++i) {
        if (successes[i] > 0) {
            ++succeeded;
        } else if (is_out_of_reach(functions[i].name)) {
            ++out_of_reach;
        } else {
            never += std::string{" "} + functions[i].name;
        }
    }
    auto const reached = function_count - out_of_reach;
    std::printf("%llu calls of %zu functions; %zu of %zu (%zu %%) have succeeded, and %zu belong to no runtime "
                "that is there; never:%s\n",
                static_cast<unsigned long long>(made.load()), function_count, succeeded, reached,
                100 * succeeded / reached, out_of_reach, never.c_str());
    return made < enough_calls || 100 * succeeded >= least_percentage * reached ? 0 : 1;
}
