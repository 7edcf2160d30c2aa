// SPDX-License-Identifier: BSD-3-Clause

// Many programs on many threads: each thread with a context of its own, one context handed from
// thread to thread, one context and its objects shared by all. The results are those of one thread.
//
// Arguments: number of programs, number of threads, files with programs.

#include "check.hpp"
#include "on_threads.hpp"

#include <tiletc/tiletc.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

using context = tiletc::shared_handle<tiletc_compiler_context_t>;
using binary = tiletc::shared_handle<tiletc_binary_t>;

constexpr char const *devices[] = {"pvc", "bmg", "dg2"};

/// A text and what to compile it for.
struct task {
    std::string const *text;
    char const *device;
};

/// Outcome of a program: the status, and the bytes or the messages.
struct result {
    tiletc::status status = tiletc::status::success;
    std::string bytes;

    auto operator==(result const &other) const -> bool {
        return status == other.status && bytes == other.bytes;
    }
};

void remember(char const *what, const tiletc_location *, void *messages) {
    *static_cast<std::string *>(messages) += what;
}

auto bytes_of(binary const &bin) -> std::string {
    tiletc_bundle_format_t format = {};
    std::size_t size = 0;
    std::uint8_t const *data = nullptr;
    tiletc::CHECK_STATUS(tiletc_binary_get_raw(bin.get(), &format, &size, &data));
    return {reinterpret_cast<char const *>(data), size};
}

auto compile(task const &t, context const &ctx) -> result {
    result r;
    r.status = status_of([&] {
        auto const prog = tiletc::parse_string(*t.text, ctx.get());
        auto const info = tiletc::create_core_info_intel_from_name(t.device);
        r.bytes = bytes_of(tiletc::compile_to_spirv_and_assemble(prog.get(), info.get()));
    });
    return r;
}

/// The same with a context of the program's own, whose messages count as well.
auto compile_alone(task const &t) -> result {
    auto messages = std::string{};
    auto const ctx = tiletc::create_compiler_context();
    set_error_reporter(ctx, remember, &messages);
    auto r = compile(t, ctx);
    r.bytes += messages;
    return r;
}

/// Does each task once, on whatever thread is free.
template <typename Do>
auto results_of(std::vector<task> const &tasks, unsigned num_threads, Do &&do_it)
    -> std::vector<result> {
    auto results = std::vector<result>(tasks.size());
    auto next = std::atomic<std::size_t>{0};
    on_threads(num_threads, [&](unsigned) {
        for (std::size_t i = next++; i < tasks.size(); i = next++) {
            results[i] = do_it(tasks[i]);
        }
    });
    return results;
}

void expect_same(char const *name, std::vector<result> const &found,
                 std::vector<result> const &expected) {
    auto differences = std::size_t{0};
    for (std::size_t i = 0; i < found.size(); ++i) {
        differences += !(found[i] == expected[i % expected.size()]);
    }
    if (differences != 0) {
        fprintf(stderr, "%s: %zu of %zu results are others\n", name, differences, found.size());
    }
    CHECK(differences == 0);
}

/// Each thread takes the context from the one before it.
void context_moves_on(std::vector<task> const &tasks, std::vector<result> const &expected,
                      unsigned num_threads) {
    auto ctx = tiletc::create_compiler_context();
    auto prog = tiletc::parse_string(small_program(), ctx.get());
    for (unsigned i = 0; i < num_threads; ++i) {
        std::thread([&, old = std::move(ctx)]() mutable {
            auto const &t = tasks[i % tasks.size()];
            auto const found = compile(t, old);
            if (found.status == tiletc::status::success) {
                CHECK(found == expected[i % tasks.size()]);
            }
            ctx = std::move(old);
        }).join();
    }
    CHECK(status_of([&] { tiletc::print_to_string(prog.get()); }) == tiletc::status::success);
}

/// All threads count references to the same objects, and read them.
void handles_are_shared(unsigned num_threads, int rounds) {
    auto ctx = tiletc::create_compiler_context();
    auto const prog = tiletc::parse_string(small_program(), ctx.get());
    auto const info = tiletc::create_core_info_intel_from_name("pvc");
    auto bin = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
    auto const expected = bytes_of(bin);
    std::atomic<int> wrong{0};
    on_threads(num_threads, [&](unsigned thread) {
        for (int i = 0; i < rounds; ++i) {
            auto const more = std::vector<binary>(3, bin);
            auto const another_prog = prog;
            auto const another_info = info;
            auto const another_ctx = tiletc::get_compiler_context(another_prog.get());
            if (i % 100 == 0) {
                wrong += bytes_of(more[thread % 3]) != expected;
                another_info.get();
                tiletc::set_default_alignment(another_info.get(), 64 << (thread % 2));
            }
        }
    });
    CHECK(wrong == 0);
    // The counts are right: what is left is one reference to each.
    auto const raw = bin.release();
    CHECK(tiletc_binary_release(raw) == tiletc_status_success);
}

auto read_file(char const *name) -> std::string {
    auto file = std::ifstream(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("usage: threads PROGRAMS THREADS FILE...\n", stderr);
        return 2;
    }
    auto const num_programs = std::strtoul(argv[1], nullptr, 10);
    auto const num_threads = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    auto texts = std::vector<std::string>{};
    for (int i = 3; i < argc; ++i) {
        texts.push_back(read_file(argv[i]));
        CHECK(!texts.back().empty());
    }
    texts.push_back("func @f(%a: nonsense) {\n}\n");

    auto different = std::vector<task>{};
    for (auto const &text : texts) {
        for (auto const *device : devices) {
            different.push_back({&text, device});
        }
    }
    auto const expected = results_of(different, 1, compile_alone);
    auto compiled = std::size_t{0};
    for (auto const &r : expected) {
        compiled += r.status == tiletc::status::success;
    }
    CHECK(compiled >= different.size() / 2 && compiled < different.size());

    auto tasks = std::vector<task>{};
    for (std::size_t i = 0; i < num_programs; ++i) {
        tasks.push_back(different[i % different.size()]);
    }
    expect_same("contexts of their own", results_of(tasks, num_threads, compile_alone), expected);

    // A shared context has no reporter here, so that what failed leaves no bytes.
    auto silent = expected;
    for (auto &r : silent) {
        r.bytes = r.status == tiletc::status::success ? r.bytes : "";
    }
    auto const shared = tiletc::create_compiler_context();
    tasks.resize(std::min(tasks.size(), 2 * different.size()));
    expect_same("one context",
                results_of(tasks, num_threads, [&](task const &t) { return compile(t, shared); }),
                silent);
    context_moves_on(different, silent, num_threads);
    handles_are_shared(num_threads, num_programs < 100 ? 100 : 10000);
    return check_result();
}
