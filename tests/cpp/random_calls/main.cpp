// SPDX-License-Identifier: BSD-3-Clause

// Calls all functions of the C interface at random: random_calls SEED THREADS CALLS [SECONDS]
//
// Each thread makes so many calls, or calls as long as that. Whatever is passed, a call returns: nothing crashes, and no
// memory is used that is not the library's. A run of one thread is the same every time.

#include "arguments.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

// What belongs to a runtime is none of its handles: there is no driver here that would look at them.
struct runtime_handle;
#define TILETC_DECLARE(DECLARATION) extern "C" DECLARATION;
#define TILETC_CALL(NAME)
#include "functions.inc"
#undef TILETC_DECLARE
#undef TILETC_CALL

namespace {

struct entry {
    char const *name;
    bool (*call)(source &);
};

entry const functions[] = {
#define TILETC_DECLARE(DECLARATION)
#define TILETC_CALL(NAME) {#NAME, [](source &from) { return call(&NAME, from); }},
#include "functions.inc"
#undef TILETC_DECLARE
#undef TILETC_CALL
};
constexpr auto function_count = std::size(functions);

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
    // A function reads the standard input; there is none.
    if (std::freopen("/dev/null", "r", stdin) == nullptr) {
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
                auto const number = from.below(function_count);
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
    std::size_t succeeded = 0;
    for (std::size_t i = 0; i < function_count; ++i) {
        if (successes[i] > 0) {
            ++succeeded;
        } else {
            never += std::string{" "} + functions[i].name;
        }
    }
    std::printf("%llu calls of %zu functions, %zu of which have succeeded; never:%s\n",
                static_cast<unsigned long long>(made.load()), function_count, succeeded,
                never.c_str());
    // Arguments that nothing accepts would test little.
    return made < 100000 || succeeded > function_count / 2 ? 0 : 1;
}
