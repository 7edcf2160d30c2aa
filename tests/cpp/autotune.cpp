// SPDX-License-Identifier: BSD-3-Clause

// Kernels that find their config: what is tried once is known to the next process, and the user's memory
// is as if nothing had been tried. The program runs itself once for each setting of the environment.

#include "check.hpp"
#include "on_default_device.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/autotune.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::int64_t rows = 16, batch = 40;

// Adds products of ones to what is there.
constexpr char const *text = R"(
$STEP = 1.0
func @accumulate(%A: memref<f32x16x16>, %C: memref<f32x16x16x?>, %times: index) {
    %g = group_id.x
    %c = subview %C[0:16,0:16,%g]
    gemm.n.n $STEP, %A, %A, 1.0, %c
})";

struct kernel_data {
    sycl::queue q;
    usm_array<float> A{rows * rows, q}, C{rows * rows * batch, q};

    explicit kernel_data(sycl::queue const &queue) : q{queue} {
        std::fill_n(A.get(), rows * rows, 1.0f);
        std::fill_n(C.get(), rows * rows * batch, 0.0f);
    }

    auto holds(float value) const -> bool {
        auto const is_it = [&](float number) { return number == value; };
        return std::all_of(C.get(), C.get() + rows * rows * batch, is_it);
    }
};

/// Calls the kernel once, with so many members of the batch.
void call(tiletc::autotuned_kernel const &kernel, kernel_data const &data, std::int64_t times = 1,
          std::int64_t members = batch) {
    kernel(data.A.get(), data.C.get(), members, times).wait_and_throw();
}

auto report(tiletc::autotuned_kernel const &kernel, kernel_data const &data, std::int64_t times = 1)
    -> std::string {
    return kernel.report(data.A.get(), data.C.get(), batch, times);
}

auto has(std::string const &text, char const *part) -> bool {
    return text.find(part) != std::string::npos;
}

auto count(std::string const &text, std::string const &part) -> int {
    int number = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++number;
    }
    return number;
}

/// Each call is one, whatever is tried.
void memory_is_the_users(kernel_data &data, bool tries) {
    auto const kernel = tiletc::autotune(data.q, text).budget(std::chrono::milliseconds{50});
    call(kernel, data);
    CHECK(data.holds(16.0f));
    call(kernel, data);
    CHECK(data.holds(32.0f));
    auto const lines = report(kernel, data);
    CHECK(has(lines, "the compiler's choice"));
    CHECK(has(lines, "µs") == tries && (count(lines, "not tried") > 3) == !tries);
    std::fill_n(data.C.get(), rows * rows * batch, 0.0f);
}

/// A file beside the table of the environment, for one kernel alone.
auto own_table(char const *table) -> std::string { return std::string{table} + ".own"; }

/// Configs that do not compile or compute something else are out, and cases of the key are apart.
void configs_that_differ_are_out(kernel_data &data, bool tries, char const *table) {
    auto const kernel =
        tiletc::autotune(data.q, tiletc::parse_string("func @first(%A: memref<f32x16>) {}"), "first");
    CHECK(status_of([&] { kernel(std::int64_t{1}); }) == tiletc::status::invalid_kernel_arguments);
    auto const fresh = [&] { return tiletc::autotune(data.q, text, "accumulate"); };
    for (double const wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(status_of([&] { fresh().tolerance(wrong); }) == tiletc::status::invalid_arguments);
        auto const budget = std::chrono::duration<double>{wrong};
        CHECK(status_of([&] { fresh().budget(budget); }) == tiletc::status::invalid_arguments);
    }
    auto const infinite = std::numeric_limits<double>::infinity();
    CHECK(status_of([&] { fresh().tolerance(infinite); }) == tiletc::status::invalid_arguments);
    auto const given = tiletc::autotune(data.q, text, "accumulate")
                           .configs({{{"$STEP", "1.0"}, {"subgroup_size", "16"}},
                                     {{"$STEP", "2.0"}, {"subgroup_size", "16"}},
                                     {{"$STEP", "1.0"}, {"subgroup_size", "24"}},
                                     {{"$STEP", "1.0"}, {"subgroup_size", "32"}}})
                           .key({"times"})
                           .budget(std::chrono::milliseconds{50})
                           .table(own_table(table));
    call(given, data);
    CHECK(data.holds(16.0f));
    call(given, data, 2);
    CHECK(data.holds(32.0f));
    for (std::int64_t times : {1, 2}) {
        auto const lines = report(given, data, times);
        if (tries) {
            CHECK(count(lines, " µs") == 2 && count(lines, "wrong result") == 1);
            CHECK(count(lines, "not tried") == 0 && count(lines, "\n") == 4);
        } else {
            CHECK(count(lines, "not tried") == 4);
        }
    }
    CHECK(has(report(given, data, 3), "not tried"));
    std::fill_n(data.C.get(), rows * rows * batch, 0.0f);
}

/// Nothing is tried while a graph is recorded, and it is afterwards.
void graphs_are_left_alone(kernel_data &data, bool tries, bool is_known) {
    namespace experimental = sycl::ext::oneapi::experimental;
    auto const kernel =
        tiletc::autotune(data.q, text).key({"times"}).budget(std::chrono::milliseconds{50});
    auto graph = experimental::command_graph{data.q.get_context(), data.q.get_device()};
    graph.begin_recording(data.q);
    kernel(data.A.get(), data.C.get(), batch, std::int64_t{7});
    graph.end_recording(data.q);
    CHECK(is_known || !has(report(kernel, data, 7), "µs"));
    CHECK(data.holds(0.0f));
    data.q.ext_oneapi_graph(graph.finalize()).wait();
    CHECK(data.holds(16.0f));
    call(kernel, data, 7);
    CHECK(data.holds(32.0f));
    CHECK(has(report(kernel, data, 7), "µs") == tries);
    std::fill_n(data.C.get(), rows * rows * batch, 0.0f);
}

/// Threads may call at once. Launches of nothing have nothing tried.
void threads_share_a_kernel(kernel_data &data, bool tries, bool is_known) {
    auto const kernel =
        tiletc::autotune(data.q, text).key({"times"}).budget(std::chrono::milliseconds{50});
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { call(kernel, data, 9, 0); });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    // Launches of nothing have told nothing.
    CHECK(is_known || !has(report(kernel, data, 9), "µs"));
    call(kernel, data, 9);
    CHECK(data.holds(16.0f));
    CHECK(has(report(kernel, data, 9), "µs") == tries);
    std::fill_n(data.C.get(), rows * rows * batch, 0.0f);
}

/// Launches without an optional result run as they are, and have nothing tried.
void results_may_be_missing(kernel_data &data, bool tries, bool is_known) {
    auto const kernel = tiletc::autotune(data.q, R"(
func @optional(%A: memref<f32x16x?>, %B: memref<f32x16x?>) attributes{grid=[%A[1]]} {
    %g = group_id.x
    %a = subview %A[0:16,%g]
    %is_there = associated %B : bool
    if %is_there {
        %b = subview %B[0:16,%g]
        axpby 2.0, %a, 0.0, %b
    }
})")
                            .budget(std::chrono::milliseconds{50});
    float *const missing = nullptr;
    kernel(data.A.get(), rows, nullptr, rows).wait_and_throw();
    kernel(data.A.get(), rows, missing, rows).wait_and_throw();
    auto const *const A = data.A.get();
    auto *const C = data.C.get();
    auto const before = kernel.report(A, rows, C, rows);
    CHECK(!has(before, "failed") && (is_known || !has(before, "µs")));
    kernel(A, rows, C, rows).wait_and_throw();
    CHECK(std::count(C, C + rows * rows, 2.0f) == rows * rows && C[rows * rows] == 0.0f);
    CHECK(has(kernel.report(A, rows, C, rows), "µs") == tries);
    std::fill_n(C, rows * rows, 0.0f);
}

void test(sycl::device const &dev, bool tries, bool is_known, char const *table) {
    auto data = kernel_data{sycl::queue{dev, sycl::property::queue::in_order{}}};
    memory_is_the_users(data, tries);
    configs_that_differ_are_out(data, tries, table);
    if (dev.has(sycl::aspect::ext_oneapi_limited_graph)) {
        graphs_are_left_alone(data, tries, is_known);
    }
    threads_share_a_kernel(data, tries, is_known);
    results_may_be_missing(data, tries, is_known);
}

auto content(char const *file) -> std::string {
    std::ifstream in{file};
    return {std::istreambuf_iterator<char>{in}, {}};
}

/// The exit code of the program with a setting.
auto run(char const *program, char const *mode, char const *expected, char const *table) -> int {
    auto const child = fork();
    if (child == 0) {
        setenv("TILETC_TUNE", mode, 1);
        setenv("TILETC_TUNING_TABLE", table, 1);
        execl(program, program, expected, table, nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// Tries configs in one process, and looks what others know of them.
void in_processes(char const *program) {
    char table[] = "autotune-XXXXXX";
    auto const file = mkstemp(table);
    CHECK(file >= 0);
    CHECK(run(program, "lookup", "unknown", table) == EXIT_SUCCESS);
    CHECK(content(table).empty());
    CHECK(run(program, "on", "tried", table) == EXIT_SUCCESS);
    auto const found = content(table);
    auto const own = own_table(table);
    CHECK(has(found, "measured") && has(content(own.c_str()), "wrong result"));
    // What is known is not measured again.
    CHECK(run(program, "on", "known", table) == EXIT_SUCCESS);
    CHECK(content(table) == found);
    CHECK(run(program, "lookup", "known", table) == EXIT_SUCCESS);
    CHECK(run(program, "off", "unknown", table) == EXIT_SUCCESS);
    close(file);
    for (auto const &name : {std::string{table}, own}) {
        unlink(name.c_str());
        unlink((name + ".lock").c_str());
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc == 3) {
        auto const expected = std::string{argv[1]};
        return on_default_device([&](sycl::device const &dev) {
            test(dev, expected != "unknown", expected == "known", argv[2]);
        });
    }
    return on_default_device([&](sycl::device const &) { in_processes(argv[0]); });
}
