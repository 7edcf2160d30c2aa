// SPDX-License-Identifier: BSD-3-Clause

// One kernel by three clocks: a loop of launches that is timed by hand, `tiletc::bench` on the
// memory of that loop, and the tool `tiletc bench`. The tool is a process of its own, and is
// compared with the loop in processes of their own: where memory lies changes a time by some per
// cent, and differs from process to process. All take turns, in every other one in the opposite
// order, and the medians of the ratios of neighbours are printed: other programs on the machine
// change a time by more than the clocks differ, but meet neighbours alike.

#include "kernels.hpp"
#include "progress.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/bench.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr int turns = 30;
/// Time of the launches that are timed, and of those before them that are not: until the system has
/// moved threads apart, launches of a process that has just begun take up to twice as long.
constexpr auto budget = 250ms;
/// Rows and columns: no power of two, of which all columns begin in the same lines of the caches,
/// so that it matters where the matrices lie.
constexpr std::int64_t size = 1472;
constexpr std::int64_t block = 64;
constexpr auto usage =
    "usage: bench_clocks [TILETC PROGRAM]\n\n"
    "Compares clocks; without arguments, only prints the milliseconds of the loop by hand.\n";

/// A product with its matrices, whose launches are timed by hand.
class hand_timed {
  public:
    explicit hand_timed(sycl::queue queue)
        : q{std::move(queue)}, kernel{kernels::embedded_kernels::program0().kernel(q, 0)},
          A{size * size, q}, B{size * size, q}, C{size * size, q} {
        auto engine = std::mt19937{};
        auto number = std::uniform_real_distribution<float>{-1.0f, 1.0f};
        for (auto const &matrix : {A.get(), B.get()}) {
            std::generate_n(matrix, size * size, [&] { return number(engine); });
        }
    }

    /// The median time of a launch, in milliseconds by the clock of the host.
    auto operator()() -> double {
        auto const range = tiletc::get_execution_range(kernel, groups);
        auto times = std::vector<double>{};
        auto const begin = clock_type::now();
        while (times.empty() || clock_type::now() - begin < 2 * budget) {
            auto const start = clock_type::now();
            q.submit([&](sycl::handler &h) {
                  h.set_args(A.get(), B.get(), C.get());
                  h.parallel_for(range, kernel);
              }).wait();
            if (start - begin >= budget) {
                times.push_back(milliseconds_since(start));
            }
        }
        return median(times);
    }

    /// The time of the same launches, in milliseconds as `tiletc::bench` finds it.
    auto by_library() -> double {
        auto const options = tiletc::bench_options{}.cold(false).budget(budget).num_groups(groups);
        return 1e3 * tiletc::bench(q, kernel, options, A.get(), B.get(), C.get()).median;
    }

  private:
    sycl::range<3u> const groups{1, size / block, size / block};
    sycl::queue q;
    sycl::kernel kernel;
    usm_array<float> A, B, C;
};

/// The output of a process.
auto output_of(std::string const &command) -> std::string {
    auto const close = [](std::FILE *pipe) { pclose(pipe); };
    auto const pipe =
        std::unique_ptr<std::FILE, decltype(close)>{popen(command.c_str(), "r"), close};
    auto text = std::string{};
    char part[4096];
    for (std::size_t read = 1; pipe && read > 0; text.append(part, read)) {
        read = std::fread(part, 1, sizeof part, pipe.get());
    }
    return text;
}

/// The number behind a key, or the first of all if that is empty.
auto number_in(std::string const &text, std::string const &key) -> double {
    auto const at = text.find(key);
    auto const start = at == std::string::npos ? nullptr : text.c_str() + at + key.size();
    char *end = nullptr;
    auto const number = start ? std::strtod(start, &end) : 0.0;
    if (start == end) {
        throw std::runtime_error{"no time where one was expected: " + text};
    }
    return number;
}

void measure(hand_timed by_hand, std::string const &itself, std::string const &tool,
             std::string const &program) {
    auto const loop_command = "'" + itself + "'";
    auto const loop_process = [&] { return number_in(output_of(loop_command), ""); };
    auto const groups = std::to_string(size / block);
    auto const command = "'" + tool + "' bench '" + program +
                         "' -d opencl --hot --budget 0.25 --groups " + groups + "," + groups +
                         " --format json --arg A=random --arg B=random --arg C=zeros 2>/dev/null";
    // The clock of the host has seen the launch, too.
    auto const tool_process = [&] {
        auto const report = output_of(command);
        return 1e3 * (number_in(report, "\"median\": ") + number_in(report, "\"latency\": "));
    };
    auto const beside = [](auto &&loop, bool is_loop_first, auto &&clock) {
        auto const before = is_loop_first ? loop() : 0.0;
        auto const time = clock();
        return time / (is_loop_first ? before : loop());
    };
    auto library = std::vector<double>{};
    auto process = std::vector<double>{};
    auto loop = std::vector<double>{};
    auto status_line = progress{};
    for (int turn = 0; turn < turns; ++turn) {
        status_line.show("turn " + std::to_string(turn + 1) + " of " + std::to_string(turns));
        auto const is_loop_first = turn % 2 == 0;
        library.push_back(beside(by_hand, is_loop_first, [&] { return by_hand.by_library(); }));
        process.push_back(beside(loop_process, is_loop_first, tool_process));
        loop.push_back(by_hand());
    }
    status_line.clear();
    std::printf("%-24s %8.3f ms\n", "a loop by hand", median(loop));
    std::printf("%-24s %8.3f of that\n", "tiletc::bench", median(library));
    std::printf("%-24s %8.3f of that\n", "tiletc bench", median(process));
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 1 && argc != 3) {
        std::fputs(usage, stderr);
        return 2;
    }
    try {
        auto by_hand = hand_timed{sycl::queue{sycl::property::queue::enable_profiling{}}};
        if (argc == 1) {
            std::printf("%.6f\n", by_hand());
        } else {
            measure(std::move(by_hand), argv[0], argv[1], argv[2]);
        }
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
